/* feature.h - may this table be read? Protocol versions and table features.
 * Called by: delta/snapshot.c.  Must not know: log files, schemas.
 * Source: PROTOCOL.md: Protocol Evolution, Table Features, Reader Version Requirements.
 */
#ifndef DELTA_FEATURE_H
#define DELTA_FEATURE_H

#include "delta/snapshot.h"

/* The rows of feature.def, in its order. */
typedef enum feature_id {
#define FEATURE_SPELLED(name, id, kind, action, recognized, property, text) FEATURE_##id,
#define FEATURE(id, kind, action, recognized, property, text)               FEATURE_##id,
#include "delta/feature.def"
#undef FEATURE
#undef FEATURE_SPELLED
    FEATURE_COUNT
} feature_id;

str feature_name(feature_id f);
/* FEATURE_COUNT for a name that is not in the table. */
feature_id feature_find(str name);

/* LP_ERR_UNSUPPORTED, naming the version or every feature that is not read; LP_ERR_FORMAT for a protocol that
 * contradicts itself (reader version 3 without a list of features). Rules I1..I5. */
MUST_USE lp_status protocol_check(const protocol *p, lp_err *err);

/* Is the feature supported by the protocol: listed, or implied by a legacy version (columnMapping by reader version 2,
 * generatedColumns by writer versions 4 to 6)? Rules I2, I8. */
bool protocol_supports(const protocol *p, feature_id f);

/* What lakeproof does about it, a line for people. */
str feature_text(feature_id f);
/* May a reader be stopped by it (rule I5)? */
bool feature_binds_readers(feature_id f);
/* The property that switches it on; STR_NONE where being listed is enough (rule I7). */
str feature_property(feature_id f);
/* Implied by a legacy version of the protocol, and not listed? */
bool feature_is_implied(const protocol *p, feature_id f);

/* On the list of writer features that delta-explain does not warn about? */
bool feature_is_recognized(str writer_feature);

#endif
