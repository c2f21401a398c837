/* span.h - a place in a source text, as byte offsets.
 * Called by: sql, predicate and whatever points into a query.  Must not know: the text.
 */
#ifndef BASE_SPAN_H
#define BASE_SPAN_H

#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

typedef struct span {
    uint32_t start; /* byte offset */
    uint32_t len;   /* bytes */
} span;

/* Line and column of a byte offset, both from 1; the column counts code points. */
typedef struct text_place {
    uint32_t line;
    uint32_t column;
    uint32_t length; /* of a span, in code points, cut at the end of its line */
} text_place;

span span_join(span a, span b);              /* the smallest span that holds both */
str span_text(str source, span at);
text_place span_place(str source, span at);

/* The same for many spans of one source, cheap when they come in ascending order: the cursor remembers how far it counted.
 * Start with a zeroed one. */
typedef struct place_cursor {
    size_t offset;
    uint32_t lines;      /* line ends before offset */
    uint32_t code_points; /* since the last of them */
} place_cursor;
text_place span_place_next(place_cursor *cursor, str source, span at);

/* And for many spans in any order: how far lines and columns are counted at the start of each block of the source. Lives in
 * `owner` and borrows the source. */
typedef struct place_index {
    str source;
    const place_cursor *mark;
} place_index;
place_index place_index_new(arena *owner, str source);
text_place place_index_find(const place_index *index, span at);

#endif
