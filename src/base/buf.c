/* buf.c - growing text.
 * Called by: every room that builds text.  Must not know: where the text goes.
 */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/door.h"

void buf_init(buf *b, arena *owner, size_t max) {
    *b = (buf){.owner = owner, .max = max};
}

void buf_reset(buf *b) {
    b->len = 0;
}

char *buf_reserve(buf *b, size_t more) {
    if (more > b->max || b->len > b->max - more) door_leave("a text would exceed its limit of %zu bytes", b->max);
    if (b->capacity - b->len < more) {
        size_t capacity = b->capacity ? b->capacity : 256;
        while (capacity - b->len < more) capacity *= 2;
        char *grown = arena_alloc_raw(b->owner, capacity);
        if (b->len) memcpy(grown, b->ptr, b->len);
        b->ptr = grown;
        b->capacity = capacity;
    }
    return b->ptr + b->len;
}

void buf_put(buf *b, str s) {
    if (s.len == 0) return;
    memcpy(buf_reserve(b, s.len), s.ptr, s.len);
    b->len += s.len;
}

void buf_put_char(buf *b, char c) {
    *buf_reserve(b, 1) = c;
    b->len++;
}

void buf_put_repeated(buf *b, char c, size_t count) {
    if (count == 0) return;
    memset(buf_reserve(b, count), c, count);
    b->len += count;
}

void buf_printf(buf *b, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (len > 0) {
        char *to = buf_reserve(b, (size_t)len + 1);
        vsnprintf(to, (size_t)len + 1, format, again);
        b->len += (size_t)len;
    }
    va_end(again);
}

str buf_str(const buf *b) {
    return (str){b->ptr ? b->ptr : "", b->len};
}
