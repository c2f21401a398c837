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

text_place span_place(str source, span at) {
    size_t start = at.start < source.len ? at.start : source.len;
    size_t line_start = 0;
    uint32_t line = 1;
    for (size_t i = 0; i < start; i++)
        if (source.ptr[i] == '\n') line++, line_start = i + 1;
    str rest = span_text(source, at);
    size_t line_end = rest.len;
    (void)str_find_char(rest, '\n', &line_end);
    return (text_place){
        .line = line,
        .column = (uint32_t)str_count_code_points(str_slice(source, line_start, start)) + 1,
        .length = (uint32_t)str_count_code_points(str_slice(rest, 0, line_end)),
    };
}
