/* classify.h - which kind of metadata can decide each conjunct.
 * Called by: prune, stage commands.  Must not know: files, statistics.
 */
#ifndef PREDICATE_CLASSIFY_H
#define PREDICATE_CLASSIFY_H

#include "predicate/predicate.h"

typedef enum bucket {
    BUCKET_PARTITION_SAFE,  /* comparisons on partition columns only */
    BUCKET_PARTITION_EXACT, /* the same with LIKE: decided from the partition texts */
    BUCKET_STATS_SAFE,      /* no partition column */
    BUCKET_UNSPLITTABLE     /* mixes both, or holds an opaque fragment */
} bucket;

typedef struct fragment {
    bucket bucket;
    bool scanned; /* unsplittable: evaluated whole; else left out, which keeps files */
    const predicate *predicate;
    str text;     /* as printed */
    str reason;   /* unsplittable and not scanned: why, its reasons joined with "; " */
    bool is_cast; /* one of the reasons is that engines cast the column */
} fragment;

typedef struct classification {
    fragment *fragment; /* one per top-level conjunct, in order */
    size_t count;
} classification;

/* `extended`: LIKE on data columns counts as stats-safe, and fragments with opaque parts are scanned, the opaque parts
 * counting as unknown. */
classification predicate_classify(arena *query, const predicate *p, bool extended);

str bucket_name(bucket b); /* "partition_safe", ... */

#endif
