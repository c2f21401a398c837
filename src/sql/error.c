/* error.c - put a place, the line and carets under a message.
 * Called by: sql/lex.c, sql/parse_*.c, later stages through sql_error_at.  Must not know: what is wrong.
 *
 * The text is the user's, and messages land in terminals and logs: control characters, invisible ones and those that
 * turn the writing direction are shown as '?', a tab as a blank, so that the caret stands where it should.
 */
#include "sql/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sql/parse.h"

enum {
    SHOWN_BEFORE = 60, /* code points of the line kept left and right of the place */
    SHOWN_AFTER = 60,
    PIECE_BYTES = 4 * (SHOWN_BEFORE + SHOWN_AFTER) + 8
};

static bool is_between(str one, const char *first, const char *last) {
    return str_compare(one, str_from(first)) >= 0 && str_compare(one, str_from(last)) <= 0;
}

/* Length of the character at `at`, 1 for a byte that starts none; *shown tells whether it may stand in a message. */
static size_t character_at(str s, size_t at, bool *shown) {
    unsigned char lead = (unsigned char)s.ptr[at];
    if (lead < 0x80) {
        *shown = lead >= 0x20 && lead != 0x7F;
        return 1;
    }
    size_t len = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    str one = str_slice(s, at, at + len);
    *shown = one.len == len && str_is_utf8(one);
    if (!*shown) return 1;
    bool c1 = lead == 0xC2 && (unsigned char)one.ptr[1] < 0xA0;
    bool hidden = is_between(one, "\xE2\x80\x8B", "\xE2\x80\x8F") || is_between(one, "\xE2\x80\xA8", "\xE2\x80\xAE") ||
                  is_between(one, "\xE2\x81\xA0", "\xE2\x81\xAF") || str_eq(one, STR("\xEF\xBB\xBF"));
    *shown = !c1 && !hidden;
    return len;
}

const char *sql_quote_for_message(str piece, size_t max_code_points, char *out, size_t out_size) {
    size_t used = 0, at = 0;
    for (size_t count = 0; at < piece.len && count < max_code_points; count++) {
        bool shown;
        size_t len = character_at(piece, at, &shown);
        if (used + len + 4 >= out_size) break;
        if (shown) {
            memcpy(out + used, piece.ptr + at, len);
            used += len;
        } else {
            out[used++] = piece.ptr[at] == '\t' ? ' ' : '?';
        }
        at += len;
    }
    memcpy(out + used, at < piece.len ? "..." : "", at < piece.len ? 4 : 1);
    return out;
}

static bool ends_line(char c) {
    return c == '\n' || c == '\r';
}

/* The line around an offset. */
static str line_around(str text, size_t offset, size_t *start) {
    size_t from = offset, to = offset;
    while (from > 0 && !ends_line(text.ptr[from - 1])) from--;
    while (to < text.len && !ends_line(text.ptr[to])) to++;
    *start = from;
    return str_slice(text, from, to);
}

/* Step back over at most SHOWN_BEFORE characters. */
static size_t window_start(str line, size_t place) {
    size_t at = place;
    for (int i = 0; i < SHOWN_BEFORE && at > 0; i++) {
        at--;
        while (at > 0 && ((unsigned char)line.ptr[at] & 0xC0) == 0x80) at--;
    }
    return at;
}

static size_t count_shown(str s) {
    size_t count = 0;
    bool shown;
    for (size_t at = 0; at < s.len; at += character_at(s, at, &shown)) count++;
    return count;
}

/* "\n  <line>\n  <carets>" behind `out`. Nothing for a text without anything to show. */
static void put_frame(char *out, size_t size, str text, span at) {
    size_t place = at.start < text.len ? at.start : text.len, line_start;
    str line = line_around(text, place, &line_start);
    if (line.len == 0) return;
    size_t column = place - line_start, from = window_start(line, column);
    char left[PIECE_BYTES], right[PIECE_BYTES];
    sql_quote_for_message(str_slice(line, from, column), SHOWN_BEFORE + 1, left, sizeof left);
    sql_quote_for_message(str_slice(line, column, line.len), SHOWN_AFTER, right, sizeof right);
    size_t indent = count_shown(str_slice(line, from, column)) + (from > 0 ? 3 : 0);
    size_t carets = count_shown(str_slice(line, column, column + at.len));
    if (carets > SHOWN_AFTER) carets = SHOWN_AFTER;
    if (carets == 0) carets = 1;
    size_t used = (size_t)snprintf(out, size, "\n  %s%s%s\n  %*s", from > 0 ? "..." : "", left, right, (int)indent, "");
    for (; carets > 0 && used + 1 < size; carets--) out[used++] = '^';
    if (used < size) out[used] = '\0';
}

enum { MESSAGE_BYTES = 900, FRAME_BYTES = 1100 };

/* A message that did not fit ends with a whole character. */
static void cut_message(char *message, size_t size, int wanted) {
    if (wanted < (int)size) return;
    size_t len = strlen(message);
    while (len > 0 && ((unsigned char)message[len - 1] & 0xC0) == 0x80) len--;
    if (len > 0 && (unsigned char)message[len - 1] >= 0xC0) len--;
    message[len] = '\0';
}

static lp_status complain(lp_err *err, const char *before, str text, span at, const char *format, va_list args) {
    char message[MESSAGE_BYTES], frame[FRAME_BYTES] = "";
    cut_message(message, sizeof message, vsnprintf(message, sizeof message, format, args));
    text_place place = span_place(text, at);
    put_frame(frame, sizeof frame, text, at);
    return err_set(err, LP_ERR_QUERY, "%sline %u, column %u: %s%s", before, place.line, place.column, message, frame);
}

lp_status sql_syntax_error(lp_err *err, str text, span at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    complain(err, "Parse error at ", text, at, format, args);
    va_end(args);
    return LP_ERR_QUERY;
}

lp_status sql_error_at(lp_err *err, str text, span at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    complain(err, "", text, at, format, args);
    va_end(args);
    return LP_ERR_QUERY;
}
