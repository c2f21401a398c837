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

/* Room for `more` bytes of text and `extra` bytes behind it that do not count. */
static char *reserve(buf *b, size_t more, size_t extra) {
    if (more > b->max || b->len > b->max - more) door_leave("a text would exceed its limit of %zu bytes", b->max);
    size_t need = b->len + more;
    if (need > SIZE_MAX - extra) door_leave("a text would exceed its limit of %zu bytes", b->max);
    need += extra;
    if (b->capacity < need) {
        size_t capacity = b->capacity > SIZE_MAX / 2 ? need : b->capacity * 2;
        if (capacity < 256) capacity = 256;
        if (capacity < need) capacity = need;
        char *grown = arena_alloc_raw(b->owner, capacity);
        if (b->len) memcpy(grown, b->ptr, b->len);
        b->ptr = grown;
        b->capacity = capacity;
    }
    return b->ptr + b->len;
}

char *buf_reserve(buf *b, size_t more) {
    return reserve(b, more, 0);
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
        char *to = reserve(b, (size_t)len, 1); /* vsnprintf ends with a NUL */
        vsnprintf(to, (size_t)len + 1, format, again);
        b->len += (size_t)len;
    }
    va_end(again);
}

str buf_str(const buf *b) {
    return (str){b->ptr ? b->ptr : "", b->len};
}
