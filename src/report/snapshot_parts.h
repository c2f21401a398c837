/* snapshot_parts.h - what both forms of a snapshot's report show, and how things are called there.
 * Called by: report/snapshot_text.c, snapshot_json.c.  Must not know: how anything is laid out.
 */
#ifndef REPORT_SNAPSHOT_PARTS_H
#define REPORT_SNAPSHOT_PARTS_H

#include "delta/census.h"

/* A table feature that the protocol lists, or that a legacy version implies. */
typedef struct shown_feature {
    str name;
    bool is_known;      /* has a row in feature.def */
    bool binds_readers; /* a reader must implement it */
    bool is_implied;    /* by a legacy version */
    str property;       /* that switches it on: being supported is not being in use (rule I7). STR_NONE: none tells */
    bool is_on;         /* by that property */
    str text;           /* what is done about it */
} shown_feature;

/* Those that bind readers first, then in the order of feature.def, then unknown ones as listed. In `query`. */
shown_feature *snapshot_features(const snapshot *s, arena *query, size_t *count);

/* delta.constraints.NAME */
bool property_is_constraint(const property *p, str *name);
/* Decides which statistics there are, or what they say; *text tells what, STR_NONE for any other property. */
str property_about_skipping(const property *p);

str checkpoint_kind_name(log_kind kind, bool is_json); /* "classic", "multi-part", "V2 parquet", "V2 JSON" */
str checkpoint_kind_key(log_kind kind, bool is_json);  /* "classic", "multi_part", "uuid_parquet", "uuid_json" */

/* When the version was made, as far as its commit tells: the in-commit timestamp where that counts, else what the writer
 * wrote. */
bool commit_time(const snapshot *s, const commit_info *info, int64_t *ms);

#endif
