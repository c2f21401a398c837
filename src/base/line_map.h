/* line_map.h - where the lines of one text stand in another: of what a template made, in the template.
 * Called by: api.  Must not know: SQL, templates.
 *
 * Lines that are the same in both texts, and unique in both, are anchors; the longest list of anchors in the order of both
 * texts is taken (B. Cohen's patience diff). From an anchor on, and up from it, equal lines belong together. Where as many lines
 * stand between two pairs on either side, these belong together too although they differ: there the template put something in.
 * Time is n log n in the lines.
 */
#ifndef BASE_LINE_MAP_H
#define BASE_LINE_MAP_H

#include "base/span.h"

typedef struct line_map {
    const str *from, *to; /* lines, without their ends and the blanks before these */
    size_t from_count, to_count;
    const uint32_t *match; /* by line of `from`: 1 + the line of `to`, 0 for none */
} line_map;

/* Lives in `owner` and borrows both texts. */
line_map line_map_new(arena *owner, str from, str to);

/* The place in `to` of a place in `from`. In lines that differ a place is found in the part before or behind what differs; else
 * it becomes the whole line. False where the line has no partner. */
bool line_map_find(const line_map *m, text_place at, text_place *out);

/* The lines of a text, one at the least, without their ends and the blanks before these. In `owner`, borrows the text. */
const str *line_map_split(arena *owner, str text, size_t *count);

#endif
