/* err.c - write the one description of a failure.
 * Called by: every room.  Must not know: what failed.
 */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Drop an unfinished UTF-8 sequence from the end of a text that was cut. */
static void cut_at_character(char *text, size_t len) {
    size_t at = len;
    while (at > 0 && ((unsigned char)text[at - 1] & 0xC0) == 0x80) at--;
    if (at == 0) return;
    unsigned char lead = (unsigned char)text[at - 1];
    size_t need = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (len - (at - 1) < need) text[at - 1] = '\0';
}

lp_status err_set(lp_err *err, lp_status code, const char *format, ...) {
    if (!err) return code;
    va_list args;
    va_start(args, format);
    int wanted = vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    err->code = code;
    if (wanted < 0) err->text[0] = '\0';
    if (wanted >= (int)sizeof err->text) cut_at_character(err->text, strlen(err->text));
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
