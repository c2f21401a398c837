/* err.c - write the one description of a failure.
 * Called by: every room.  Must not know: what failed.
 */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

/* Drop an unfinished UTF-8 sequence from the end of a text that was cut. */
static void cut_at_character(char *text, size_t len) {
    size_t at = len;
    while (at > 0 && ((unsigned char)text[at - 1] & 0xC0) == 0x80) at--;
    if (at == 0) return;
    unsigned char lead = (unsigned char)text[at - 1];
    size_t need = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (len - (at - 1) < need) text[at - 1] = '\0';
}

/* Names of files and bytes of logs come into messages; they must stay UTF-8, and must not steer a terminal. */
static void make_printable(char *text) {
    str s = str_from(text);
    for (size_t at = 0; at < s.len;) {
        unsigned char c = (unsigned char)text[at];
        size_t length = str_utf8_length(s, at);
        bool control = (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
        if (length == 0 || control) text[at] = '?';
        at += length ? length : 1;
    }
}

lp_status err_set(lp_err *err, lp_status code, const char *format, ...) {
    if (!err) return code;
    char text[sizeof err->text]; /* the arguments may lie in err->text */
    va_list args;
    va_start(args, format);
    int wanted = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (wanted < 0) text[0] = '\0';
    size_t len = strlen(text);
    if (wanted >= (int)sizeof text) cut_at_character(text, len);
    make_printable(text);
    err->code = code;
    memcpy(err->text, text, len + 1);
    return code;
}

const char *err_os_text(int os_error) {
#ifdef __GLIBC__
    const char *text = strerrordesc_np(os_error); /* unlike strerror: no locale, no shared buffer */
#else
    const char *text = strerror(os_error);
#endif
    return text ? text : "unknown error";
}
