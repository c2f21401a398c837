/* query_record.h - one query of many on standard input: a line `DIALECT SQL_BYTES DDL_BYTES`, then so many bytes.
 * Called by: plan_batch.c, facts_batch.c.  Must not know: what is asked of the query.
 */
#ifndef TOOLS_QUERY_RECORD_H
#define TOOLS_QUERY_RECORD_H

#include <stdio.h>
#include <stdlib.h>

#include "base/str.h"
#include "sql/dialect.h"

typedef struct query_record {
    str sql, ddl;
    sql_dialect dialect;
    char *bytes; /* of both: to be freed */
} query_record;

/* False at the end of the input, and where it is no record; then `bytes` is NULL. */
static inline bool query_record_read(query_record *r) {
    char name[32];
    size_t sql, ddl;
    *r = (query_record){0};
    if (scanf("%31s %zu %zu", name, &sql, &ddl) != 3 || getchar() != '\n') return false;
    if (!sql_dialect_by_name(str_from(name), &r->dialect)) return false;
    char *bytes = malloc(sql + ddl + 128);
    if (!bytes || fread(bytes, 1, sql + ddl, stdin) != sql + ddl) {
        free(bytes);
        return false;
    }
    *r = (query_record){{bytes, sql}, {bytes + sql, ddl}, r->dialect, bytes};
    return true;
}

#endif
