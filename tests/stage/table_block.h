/* table_block.h - a table of golden tests: columns, and files with partition values and statistics.
 * Called by: tests/stage/stage_prune.c.  Must not know: predicates.
 *
 *   table
 *   columns country string partition, age integer, name char(5), y integer partition as(YEAR(day))
 *   part-0  rows=10  country=DE  age=[20,35]  age.nulls=0
 *
 * `as(EXPRESSION)` is what a partition column is generated from. `absent` stands for a bound that is not there, `null` for a NULL partition value; `wide` marks wide bounds. Values
 * hold no blanks. A file without `rows` has no record count; one without any statistic has none at all.
 */
#ifndef TABLE_BLOCK_H
#define TABLE_BLOCK_H

#include "delta/scan.h"

typedef struct block_file {
    str name;
    live_file file; /* partition in the order of schema.partition, statistics in the order of schema.leaf */
} block_file;

typedef struct table_block {
    schema schema;
    block_file *file;
    size_t count;
} table_block;

MUST_USE lp_status table_block_parse(arena *work, str text, const zone *session, table_block *out, lp_err *err);

#endif
