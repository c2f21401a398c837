/* text.h - growing text of the command, and the few facts about text that it needs.
 * Called by: every file of cli.  Must not know: where the text goes.
 *
 * The command has no arenas; it lives as long as one answer. When memory runs out it ends with exit code 1 and a
 * message.
 */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct text {
    char *ptr; /* NUL-terminated once anything was put; NULL before */
    size_t size;
    size_t capacity;
} text;

void text_put(text *t, const char *bytes, size_t size);
void text_add(text *t, const char *words);
void text_printf(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(text *t, const char *format, va_list list) __attribute__((format(printf, 2, 0)));
/* `words`, broken at spaces, and at newlines of their own, so that no line is longer than `width`. The first line goes
 * on from column `column`; the others are indented by `indent`. Ends without a newline. */
void text_wrap(text *t, const char *words, size_t column, size_t indent, size_t width);
const char *text_str(const text *t); /* never NULL */
void text_free(text *t);

/* Strict UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF. */
bool text_is_utf8(const char *bytes, size_t size);

/* How many characters must be changed, put in or taken out to make `a` of `b`; both are short. */
size_t text_distance(const char *a, const char *b);

#endif
