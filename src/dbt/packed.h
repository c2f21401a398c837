/* packed.h - a gzip file as bytes.
 * Called by: dbt/project.c.  Must not know: what the bytes mean.
 * Source: RFC 1952.
 */
#ifndef DBT_PACKED_H
#define DBT_PACKED_H

#include "dbt/document.h"

/* Unpack a file that is one gzip member of at most 1 GiB into `owner`. LP_ERR_FORMAT when it is no such thing,
 * LP_ERR_LIMIT when it is longer. */
MUST_USE lp_status dbt_unpack(arena *owner, const dbt_bytes *packed, dbt_bytes *out, lp_err *err);

#endif
