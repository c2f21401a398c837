/* span.c - places in a source text.
 * Called by: sql, predicate and whatever points into a query.  Must not know: the text.
 */
#include "base/span.h"

span span_join(span a, span b) {
    uint32_t start = a.start < b.start ? a.start : b.start;
    uint32_t a_end = a.start + a.len, b_end = b.start + b.len;
    return (span){start, (a_end > b_end ? a_end : b_end) - start};
}

str span_text(str source, span at) {
    return str_slice(source, at.start, (size_t)at.start + at.len);
}

static void count_to(place_cursor *c, str source, size_t offset) {
    if (offset < c->offset) *c = (place_cursor){0};
    for (; c->offset < offset; c->offset++) {
        unsigned char byte = (unsigned char)source.ptr[c->offset];
        if (byte == '\n') c->lines++, c->code_points = 0;
        else c->code_points += (byte & 0xC0) != 0x80;
    }
}

text_place span_place_next(place_cursor *cursor, str source, span at) {
    count_to(cursor, source, at.start < source.len ? at.start : source.len);
    str rest = span_text(source, at);
    size_t line_end = rest.len;
    (void)str_find_char(rest, '\n', &line_end);
    return (text_place){
        .line = cursor->lines + 1,
        .column = cursor->code_points + 1,
        .length = (uint32_t)str_count_code_points(str_slice(rest, 0, line_end)),
    };
}

text_place span_place(str source, span at) {
    place_cursor cursor = {0};
    return span_place_next(&cursor, source, at);
}

/* A text may be one long line, so blocks are counted in bytes: from a mark on, each place is near. */
enum { MARK_BYTES = 256 };

place_index place_index_new(arena *owner, str source) {
    size_t count = source.len / MARK_BYTES + 1;
    place_cursor *mark = ARENA_ARRAY(owner, place_cursor, count), cursor = {0};
    for (size_t i = 0; i < count; i++) {
        (void)span_place_next(&cursor, source, (span){(uint32_t)(i * MARK_BYTES), 0});
        mark[i] = cursor;
    }
    return (place_index){source, mark};
}

text_place place_index_find(const place_index *index, span at) {
    place_cursor cursor = index->mark[at.start / MARK_BYTES];
    return span_place_next(&cursor, index->source, at);
}
