/* dbt_int.h - what the sources of this room share: the drafts between reading and the finished project.
 * Called by: dbt.  Must not know: other rooms' readers.
 */
#ifndef DBT_DBT_INT_H
#define DBT_DBT_INT_H

#include "base/map.h"
#include "dbt/document.h"
#include "dbt/project.h"
#include "dbt/tree.h"
#include "store/store.h"

/* So many columns or facts of one relation are compared with each other; no warehouse has as many, and a file that is
 * made up must not take forever. */
#define DBT_COMPARED_MAX 4096

/* Make room for one more item behind `count`: returns the array, moved if it had to grow. */
void *dbt_grow(arena *owner, void *items, size_t count, size_t *capacity, size_t item_size);

/* A list of facts under construction, itself in the working arena. What it points to is in that of the project. */
typedef struct fact_list {
    dbt_fact *item;
    size_t count, capacity;
} fact_list;

/* A relation under construction. */
typedef struct relation_draft {
    dbt_relation *relation;
    const str *depends_on; /* unique ids, in order */
    size_t depends_count;
    /* Trees that facts are made of, once every relation is known; NULL where there is nothing. */
    const tree *meta[2];            /* config.meta and meta */
    const tree *constraints;        /* of the model */
    const tree *column_constraints; /* an object: column to its constraints */
    const tree *column_meta;        /* an object: column to its meta.lakeproof */
    const tree *config;             /* unique_key, strategy and the like, of snapshots and incremental models */
    fact_list facts;
} relation_draft;

/* A test whose kind is known (test.def), kept until every relation is known. The tree borrows from nothing. */
typedef struct test_draft {
    str unique_id, name, package, file;
    str column_name, attached_node;
    const tree *config, *metadata; /* test_metadata: name, namespace, kwargs */
    const str *depends_on;
    size_t depends_count;
    const str *macro; /* unique ids of the macros that it calls */
    size_t macro_count;
} test_draft;

/* A semantic model: entities over one relation. */
typedef struct semantic_draft {
    str name, file;
    const tree *entities, *dimensions;
    const str *depends_on;
    size_t depends_count;
} semantic_draft;

/* All that is read, before it is put together. */
typedef struct draft {
    arena *keep;    /* of the project */
    arena *working; /* ends when the project is put together */
    dbt_project *project;
    relation_draft *node; /* models, seeds, snapshots */
    size_t node_count, node_capacity;
    relation_draft *source;
    size_t source_count, source_capacity;
    test_draft *test;
    size_t test_count, test_capacity;
    semantic_draft *semantic;
    size_t semantic_count, semantic_capacity;
    str invocation_id; /* of the manifest */
    map last_status;   /* unique id of a test to str *, its status in run_results.json */
    dbt_note *note;
    size_t note_count, note_capacity;
} draft;

/* The draft of a relation of the project. */
static inline relation_draft *draft_of(draft *d, size_t relation) {
    return relation < d->node_count ? &d->node[relation] : &d->source[relation - d->node_count];
}

void dbt_note_that(draft *d, size_t relation, const char *format, ...) PRINTF_LIKE(3, 4);

/* ---- names.c ---- */

/* A name as written in YAML: quotes off, or an expression. `quote: true` of its column is the caller's to add. Borrows.
 */
dbt_name dbt_parse_name(str text, arena *owner);
/* A dotted name of up to 8 parts taken apart; 0 when it is none. */
size_t dbt_parse_path(str text, arena *owner, dbt_name part[8]);

/* What a text like ref('m') refers to. Borrows. */
typedef struct dbt_target {
    bool is_call; /* ref(...) or source(...), not a dotted name that may be either */
    bool is_source;
    str package; /* or the source's name; STR_NONE */
    str name;
    str version;
} dbt_target;
/* False when the text is no ref, no source and no name. */
bool dbt_parse_target(str text, dbt_target *out);

/* ---- lookup.c ---- */

/* Whether a relation may be what the text means: its name, and the package, group and version as far as they are said. */
bool dbt_fits_target(const dbt_relation *r, const dbt_target *t);

/* ---- manifest.c ---- */
MUST_USE lp_status dbt_read_manifest(draft *d, const dbt_bytes *bytes, lp_err *err);

/* ---- test_fact.c ---- */

/* Whether test_metadata names a test that states a fact. */
bool dbt_is_known_test(const tree *metadata);

/* ---- relation.c: the fields of a model, seed, snapshot or source ---- */

/* Members of a node that are read. */
typedef enum node_field {
#define NODE_FIELD(name) NODE_##name,
#include "dbt/node_field.def"
#undef NODE_FIELD
    NODE_FIELD_COUNT
} node_field;

typedef struct node {
    const tree *field[NODE_FIELD_COUNT]; /* NULL when it is not there, or null */
    dbt_place raw_code, compiled_code;
    bool uses_is_incremental;
} node;

void dbt_draft_relation(draft *d, const node *n, dbt_resource resource);

/* ---- project.c ---- */

/* Files and indexes behind a project. */
typedef struct dbt_hidden {
    dbt_bytes manifest;
    store *target; /* NULL: from texts */
    store *root;
    map by_id, by_name, by_identifier, by_relation_name; /* to dbt_found */
} dbt_hidden;

#endif
