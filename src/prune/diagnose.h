/* diagnose.h - why a predicate pruned as it did, as advice (--explain-why).
 * Called by: prune/prune.c.  Must not know: files, statistics beyond the report's counts.
 */
#ifndef PRUNE_DIAGNOSE_H
#define PRUNE_DIAGNOSE_H

#include "prune/analysis.h"

/* A deterministic function of the finished report: fills report->diagnosis, in the order of the codes. */
void diagnose(const analysis *a, prune_report *report, arena *query);

#endif
