/* type_text.h - the type of a column as one line: `array<struct<a: integer, b: string not null>>`.
 * Called by: delta/diff_schema.c, report.  Must not know: what is done with it.
 * Source: PROTOCOL.md: Schema Serialization Format.
 */
#ifndef DELTA_TYPE_TEXT_H
#define DELTA_TYPE_TEXT_H

#include "delta/schema.h"

/* Names as in the schema; what may hold NULL is not marked, what may not is `not null`; a char(n) stands as such. In
 * `out_arena`. Equal texts mean equal types, but for names that hold `<`, `,` or `:`. */
str type_text(const column *c, arena *out_arena);

#endif
