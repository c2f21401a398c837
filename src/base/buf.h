/* buf.h - growing text in an arena, with a maximum given at birth.
 * Called by: every room that builds text.  Must not know: where the text goes.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "base/arena.h"

typedef struct buf {
    arena *owner;
    char *ptr;
    size_t len;
    size_t capacity;
    size_t max; /* growing past it leaves through the door */
} buf;

void buf_init(buf *b, arena *owner, size_t max);
void buf_reset(buf *b);                       /* empty, keeps its memory */
void buf_put(buf *b, str s);
void buf_put_char(buf *b, char c);
void buf_put_repeated(buf *b, char c, size_t count);
void buf_printf(buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *buf_reserve(buf *b, size_t more);       /* room for `more` bytes behind the text; advance b->len yourself */
str buf_str(const buf *b);                    /* borrowed until the next change */

#endif
