/* retention.h - how long removed files are kept: the text of an interval property as milliseconds.
 * Called by: delta/disk.c.  Must not know: which files.
 * Source: Delta's table properties reference: delta.deletedFileRetentionDuration takes a calendar interval.
 */
#ifndef DELTA_RETENTION_H
#define DELTA_RETENTION_H

#include "base/str.h"

/* What holds where the property is absent: "interval 1 week". */
#define RETENTION_DEFAULT_MS ((int64_t)7 * 24 * 3600 * 1000)

/* `interval 7 days`, `2 weeks 12 hours`, also `interval '7' days`; whatever the case. False for anything else: months and
 * years have no fixed length, and engines refuse them here. */
bool retention_parse(str text, int64_t *ms);

#endif
