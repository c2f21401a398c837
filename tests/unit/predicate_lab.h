/* predicate_lab.h - a predicate over a made-up schema, taken through the stages inside of a door.
 * Called by: test_normalize.c, test_predicate_type.c, test_list.c.  Must not know: what is tested.
 */
#ifndef TEST_PREDICATE_LAB_H
#define TEST_PREDICATE_LAB_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/door.h"
#include "prune/analysis.h"
#include "types/zone.h"

typedef struct lab {
    arena memory;
    zone_database *zones;
    schema schema;
    prune_options options;
    analysis analysis;
    lp_status status;
    lp_err err;
} lab;

/* Fields as schemaString writes them, joined by commas. */
static inline void lab_new(lab *l, const char *fields) {
    memset(l, 0, sizeof *l);
    arena_init(&l->memory, 0);
    l->zones = zone_database_new(&l->memory);
    l->options = (prune_options){.has_where = true, .dialect = DIALECT_spark, .session_zone = zone_utc(), .zones = l->zones};
    buf json;
    buf_init(&json, &l->memory, 1 << 20);
    buf_printf(&json, "{\"type\":\"struct\",\"fields\":[%s]}", fields);
    size_t size = buf_str(&json).len;
    buf_put_repeated(&json, '\0', 64); /* what a JSON reader may look at behind the text */
    str text = str_slice(buf_str(&json), 0, size);
    if (schema_parse(&l->memory, text, NULL, 0, MAPPING_NONE, false, &l->schema, &l->err) != LP_OK) fail_msg("%s", l->err.text);
}

static inline void lab_end(lab *l) {
    arena_end(&l->memory);
}

#define LAB_FIELD(name, type) "{\"name\":\"" name "\",\"type\":\"" type "\",\"nullable\":true,\"metadata\":{}}"

static inline lp_status lab_analyse_body(void *context, lp_err *err) {
    lab *l = context;
    return analysis_make(&l->schema, &l->options, &l->memory, &l->analysis, err);
}

static inline lp_status lab_analyse(lab *l, const char *where) {
    l->options.where = str_from(where);
    return l->status = door_run(lab_analyse_body, l, &l->err);
}

/* A small generator of numbers, the same on every machine. */
static inline uint32_t lab_random(uint64_t *seed, uint32_t below) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*seed >> 33) % below);
}

#endif
