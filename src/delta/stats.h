/* stats.h - statistics of one file from their JSON text, only for the wanted columns.
 * Called by: delta/scan.c, checkpoint_rows.c.  Must not know: predicates, which files are live.
 * Source: PROTOCOL.md: Per-file Statistics.
 *
 *   {"numRecords":3,"tightBounds":true,"minValues":{"a":1,"s":{"b":"x"}},"maxValues":{...},"nullCount":{...}}
 *
 * The wanted columns form a tree of physical names, and the objects are walked beside it (trap T34: names are never
 * joined). Of keys that stand twice the last one counts, as in the JSON library that the writers use.
 */
#ifndef DELTA_STATS_H
#define DELTA_STATS_H

#include "delta/scan.h"
#include "json/json.h"

/* What is wanted, compiled. */
typedef struct stats_plan stats_plan;

/* Lives in `owner`; `wanted` is borrowed and stays parallel to file_stats.column. Thread-safe afterwards. */
stats_plan *stats_plan_new(arena *owner, const stats_column *wanted, size_t count);
size_t stats_plan_count(const stats_plan *p);

/* Fill *out from a text behind which JSON_PADDING bytes can be read. What is not JSON, or no object, leaves has_stats
 * false. Values are allocated in `values` or borrowed from the text. `has_dv`: the file has a deletion vector (T45). */
void stats_from_json(const stats_plan *p, json_reader *json, str text, bool has_dv, arena *values, file_stats *out);

/* Blank columns for a file whose statistics object exists; used by both sources. */
void stats_begin(const stats_plan *p, arena *values, file_stats *out);
/* Judge the null counts by numRecords and by how tight the bounds are (rule P6, traps T38-T40, T44, T45). `is_wide`:
 * tightBounds is there and not true. */
void stats_finish(const stats_plan *p, bool is_wide, bool has_dv, file_stats *out);

#endif
