/* trace_text.h - how facts are worded.
 * Called by: prune/trace.c.  Must not know: predicates, programs.
 */
#ifndef PRUNE_TRACE_TEXT_H
#define PRUNE_TRACE_TEXT_H

#include "delta/scan.h"

/* The first characters of a text, with ` ...` behind them if there are more; else the text itself. */
str trace_cut(str text, size_t characters, arena *out);

/* A value as SQL writes it: 3.75, 'Anna', '2024-01-03'. */
str trace_value(type_kind kind, const value *v, arena *out);

/* `max(name) = 'Anna'`, with a remark where the writer may have cut or rounded it. */
str trace_bound(const char *side, str name, type_kind kind, const bound *limit, arena *out);

/* `pickup_date = '2024-01-03'`, `country is NULL`, `country has no partition value`. */
str trace_partition_value(str name, const partition_cell *cell, arena *out);

/* Does delta.dataSkippingStatsColumns name the column, or a struct around it? `name` has dots. */
bool trace_lists_column(str list, str name);

#endif
