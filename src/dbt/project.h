/* project.h - a dbt project as its artifacts tell it: relations, what is declared of each, and who reads whom.
 * Called by: grain, api, report.  Must not know: the SQL of a model, how a name in SQL is compared, what a fact proves.
 * Source: dbt's JSON schemas of manifest.json (v10 to v12, and v20 of the previews of its second engine), catalog.json
 * and run_results.json; dbt's documentation of tests, constraints and contracts.
 *
 * Everything of a project lives in the arena given to dbt_open, is read-only afterwards and may be shared by threads.
 * Texts are UTF-8. A text that is not there is STR_NONE. The SQL of a model is not held: dbt_read_compiled reads it
 * from the manifest when it is asked for, so memory follows the declarations and not the SQL. The manifest is read in
 * pieces; what nobody needs (macros, documentation) is passed over.
 */
#ifndef DBT_PROJECT_H
#define DBT_PROJECT_H

#include "base/arena.h"
#include "base/err.h"

typedef struct dbt_project dbt_project;
typedef struct dbt_relation dbt_relation;

/* A relation is named by its place in dbt_project.relation; no relation is this. */
#define DBT_NO_RELATION SIZE_MAX

/* ---- names ---- */

/* A name as somebody declared it, its quotes taken off: "Order ID", `a`, [a]. How two names compare is the caller's
 * business, by the rules of the dialect. */
typedef struct dbt_name {
    str text;
    bool is_quoted;     /* it stood in quotes, or its column says `quote: true`: its case counts where case can count */
    bool is_expression; /* text is no name but an expression of SQL: unique on `a || '-' || b` */
} dbt_name;

/* ---- what is declared: facts ---- */

typedef enum dbt_fact_kind {
    DBT_KEY,             /* no two rows agree on `column` */
    DBT_NOT_NULL,        /* the one column is never NULL */
    DBT_REFERENCE,       /* the values of `column`, in order, occur in to_column of another relation */
    DBT_ACCEPTED_VALUES, /* the one column holds one of these values, or NULL */
    DBT_RANGES,          /* among rows that agree on `column` (none: among all) the ranges do not overlap */
    DBT_CHECK            /* the expression is TRUE or NULL for every row */
} dbt_fact_kind;

/* Who says so. */
typedef enum dbt_source_kind {
    DBT_FROM_TEST,
    DBT_FROM_CONSTRAINT,
    DBT_FROM_META,        /* meta.cardinal, meta.lakeproof */
    DBT_FROM_SNAPSHOT,    /* how dbt builds snapshots */
    DBT_FROM_INCREMENTAL, /* config.unique_key */
    DBT_FROM_ENTITY       /* an entity of a semantic model */
} dbt_source_kind;

/* How far a fact is to be believed; more is higher. */
typedef enum dbt_trust {
    DBT_GUESS, /* nobody keeps or tests it: incremental unique_key, snapshot keys, entities, constraints not applied */
    DBT_DECLARED,   /* somebody wrote it down: meta, an informational constraint */
    DBT_TEST_WARNS, /* a test of severity warn */
    DBT_TEST_FAILS, /* a test of severity error */
    DBT_ENFORCED    /* the platform refuses rows that break it */
} dbt_trust;

typedef struct dbt_value {
    str text;       /* as in JSON, escapes resolved: paid, 1, true */
    bool is_string; /* written as a string in YAML */
} dbt_value;

/* One test or constraint may state several: a primary key is a key and a NOT NULL for each column. */
typedef struct dbt_fact {
    dbt_fact_kind kind;
    dbt_source_kind from;
    dbt_trust trust;
    str origin;      /* what findings print: `dbt test unique_orders_order_id`, `meta.cardinal.grain`,
                      * `constraint primary_key`, `config.unique_key`, `snapshot`, `semantic model orders` */
    str file;        /* the YAML file that declares it, relative to the project; STR_NONE when not known */
    str test_id;     /* DBT_FROM_TEST: the unique id of the test */
    str last_status; /* DBT_FROM_TEST: its status in run_results.json; STR_NONE when it is not in there */
    str tested_by;   /* the name of a usable test that checks this fact (of a test: itself); STR_NONE: no test does */
    const dbt_name *column;
    size_t column_count;
    /* Key: rows with a NULL in the key are exempt; a strict key takes two NULLs as equal. Reference: rows with a NULL
     * in `column` are exempt. Others: false. */
    bool is_lax;
    /* The fact holds among the rows for which this SQL condition is TRUE; STR_NONE: among all. (`where` of a test,
     * row_condition, from_condition, the current rows of a snapshot.) */
    str condition;
    /* Why the fact must not be used in a proof though somebody tests it: `error_if is ">10"`, `limit is set`,
     * `the last run failed`. STR_NONE: nothing is wrong with it. */
    str weak_reason;
    /* May be used in a proof, for all rows: no guess, no condition, not weak, and a reference is to a relation of the project. (An
     * expression among the columns is the reader's to understand.) */
    bool is_usable;
    union {
        struct {
            size_t to;                 /* DBT_NO_RELATION when the manifest does not hold it */
            str to_text;               /* as declared: ref('customers'), shop.customers */
            const dbt_name *to_column; /* as many as column_count; to_count 0: the primary key of `to` */
            size_t to_count;
            str to_condition; /* only these rows of the other relation count; STR_NONE: all */
        } reference;
        struct {
            const dbt_value *value;
            size_t value_count;
        } accepted;
        struct {
            dbt_name lower, upper; /* never NULL: the test says so too, in facts of its own */
            bool may_be_empty;     /* lower = upper is allowed, else lower < upper */
            bool may_touch;        /* the upper bound of one range may be the lower bound of the next */
        } ranges;
        struct {
            str expression;
        } check;
    };
} dbt_fact;

/* ---- relations ---- */

typedef enum dbt_resource { DBT_MODEL, DBT_SEED, DBT_SNAPSHOT, DBT_SOURCE } dbt_resource;

/* Whether dbt_relation.column lists all columns. */
typedef enum dbt_column_list {
    DBT_COLUMNS_OPEN,    /* the YAML names some, there may be more, in another order */
    DBT_COLUMNS_CATALOG, /* catalog.json: the first closed_count are all columns, in order */
    DBT_COLUMNS_CONTRACT /* an enforced contract: the same, in the order of the YAML */
} dbt_column_list;

typedef struct dbt_column {
    dbt_name name; /* of a catalog: exact, so is_quoted; on Snowflake that is upper case */
    str type;      /* catalog's, else data_type of the YAML; STR_NONE */
    bool in_yaml;
    bool is_yaml_quoted; /* the YAML says `quote: true`, or has the name in quotes */
    bool in_catalog;
    bool is_per_row; /* meta.lakeproof.per_row: meant to be applied to every row, like a unit price */
} dbt_column;

/* meta.lakeproof.allow: findings with this code are not wanted here. */
typedef struct dbt_allow {
    str code;
    str because; /* STR_NONE when no reason is given: then it does not count */
} dbt_allow;

/* A piece of text in the manifest, read when asked for. */
typedef struct dbt_place {
    uint64_t offset;   /* of the first byte behind the opening quote */
    size_t size_bytes; /* up to the closing quote; escapes as written */
    uint64_t hash;     /* of these bytes, to see that the file is still the one that was read */
    bool exists;
    bool is_escaped;
} dbt_place;

struct dbt_relation {
    size_t index; /* in dbt_project.relation */
    dbt_resource resource;
    str unique_id; /* model.shop.orders, source.shop.raw.payments, model.shop.dim.v2 */
    str package;
    str name;               /* of a source: the table. Not unique: versions share it */
    str source_name;        /* of a source: the group it belongs to; else STR_NONE */
    str alias;              /* the name in the warehouse; of a source its identifier */
    str version;            /* "2"; STR_NONE */
    bool is_latest_version; /* true where there are no versions */
    str database, schema;   /* as in the manifest: no quotes */
    str relation_name;      /* exactly as dbt renders it into SQL; STR_NONE for ephemeral models */
    /* relation_name taken apart, outermost first. 0 parts: it is no dotted name ('data/file.csv'), or there is none. */
    const dbt_name *part;
    size_t part_count;
    str original_file_path; /* models/orders.sql, relative to the root of its package */
    str patch_path;         /* the YAML file with its declarations, without `package://`; STR_NONE */
    str compiled_path;      /* as in the manifest; STR_NONE */
    str path;               /* staging/orders.sql: relative to the folder of models */
    const str *fqn;         /* shop, staging, orders */
    size_t fqn_count;
    const str *tag;
    size_t tag_count;
    str materialized; /* view, table, incremental, ephemeral, snapshot, seed, a custom one; of a source STR_NONE */
    str language;     /* sql, python; STR_NONE for seeds and sources */
    bool is_python;
    bool is_ephemeral;
    bool is_incremental;
    bool has_batches;         /* its table may hold rows of several runs: it is incremental, or of a materialization that is not
                               * dbt's */
    bool is_written_by_hook;  /* a post-hook writes into it: its rows may be others than those of its query */
    bool has_contract;        /* config.contract.enforced */
    bool uses_is_incremental; /* the raw code names is_incremental: the compiled SQL is one of two branches */
    bool is_compiled;         /* dbt_read_compiled finds a text */
    dbt_place raw_code, compiled_code;
    const str *extra_cte; /* unique ids of the ephemeral models that dbt wrote into the compiled SQL as CTEs */
    size_t extra_cte_count;
    const dbt_column *column;
    size_t column_count;
    size_t closed_count; /* of them, those that columns_from speaks of; 0 when open */
    dbt_column_list columns_from;
    const dbt_fact *fact; /* meta first, then constraints, tests in the order of the manifest, and guesses */
    size_t fact_count;
    const size_t *parent; /* relations that it reads, in the order of depends_on; others (macros) are left out */
    size_t parent_count;
    const size_t *child; /* relations that read it, ascending */
    size_t child_count;
    const dbt_allow *allow;
    size_t allow_count;
    /* Where it lies, if somebody says that it is a Delta table, as declared: a path (relative: below the root of the
     * project) or a URI. STR_NONE: nobody does. */
    str delta_path;
    str delta_from;       /* meta.lakeproof.delta_path, meta.cardinal.delta_path, external.location */
    bool is_surely_delta; /* not of an external.location whose format is not said */
};

/* Whether names get quotes when dbt renders them; DBT_QUOTE_UNSAID leaves it to the adapter. */
typedef enum dbt_quote { DBT_QUOTE_UNSAID, DBT_QUOTE_NO, DBT_QUOTE_YES } dbt_quote;

/* Something in a project that could not be used, and why: a meta.cardinal.grain that is no list, a declared reference
 * to a relation that is not there, a manifest without compiled SQL. Nothing is taken from it. */
typedef struct dbt_note {
    size_t relation; /* DBT_NO_RELATION: it is about the project */
    str text;
} dbt_note;

struct dbt_project {
    str name;                /* metadata.project_name, of old manifests that of the first model; STR_NONE */
    str adapter;             /* metadata.adapter_type: postgres, snowflake, ... ; STR_NONE */
    uint32_t schema_version; /* 10, 11, 12, 20 */
    str generated_at;        /* STR_NONE */
    dbt_quote quote_database, quote_schema, quote_identifier;
    str root;          /* absolute path of the folder with dbt_project.yml; STR_NONE when it was not found */
    str target;        /* absolute path of the folder of the manifest */
    str manifest_name; /* the manifest as messages name it */
    bool has_catalog, has_run_results;
    bool catalog_is_current; /* one run of dbt wrote it and the manifest: their invocation_id is the same. It tells what
                              * stood in the warehouse then, so a model that was not built since it was changed is old
                              * in it */
    const dbt_relation *relation; /* models, seeds, snapshots in the order of the manifest, then sources */
    size_t relation_count;
    size_t count[DBT_SOURCE + 1]; /* of each dbt_resource */
    size_t sql_model_count;       /* models and snapshots in SQL */
    size_t compiled_count;        /* of them, with compiled SQL. 0 of many: `dbt parse` wrote the manifest */
    size_t test_count;            /* tests that are enabled, of every kind */
    const size_t *order;          /* all relations, parents before children, else in their own order */
    const dbt_note *note;
    size_t note_count;
    struct dbt_hidden *hidden; /* indexes and files, of this room only */
};

/* ---- opening ---- */

/* Open a project. `place` is a folder with dbt_project.yml (its target/manifest.json is read), a folder with a
 * manifest.json, or a manifest file, which may be packed (.gz: then it is held in memory whole); "" is the current
 * folder or the nearest one above it that is such a folder. catalog.json and run_results.json are read where they stand
 * beside the manifest; one that cannot be understood is an error.
 *
 * LP_ERR_NOT_FOUND: no project, or no manifest in it (the message says what to run). LP_ERR_FORMAT: not JSON, not a
 * manifest; models that read each other in a circle (the message names them). LP_ERR_UNSUPPORTED: a version that is not
 * known. LP_ERR_LIMIT: one node of more than 1 GiB. Every message names the file, and the place in it where there is
 * one. */
MUST_USE lp_status dbt_open(arena *owner, str place, dbt_project **out, lp_err *err);

/* The same from texts in memory, which must stay as long as the project. `catalog` and `run_results` may be STR_NONE.
 */
typedef struct dbt_texts {
    str manifest, catalog, run_results;
    size_t piece_bytes; /* how much is read at once; 0 as from files. It makes no difference but to tests of that */
} dbt_texts;
MUST_USE lp_status dbt_open_texts(arena *owner, dbt_texts texts, dbt_project **out, lp_err *err);

/* ---- texts ---- */

/* The compiled SQL of a relation, copied into `out`: from the manifest, else from the file below compiled/ of the
 * target folder. Thread-safe with an arena for each thread. LP_ERR_NOT_FOUND when there is none (is_compiled is false);
 * LP_ERR_FORMAT when the manifest has changed since it was opened. */
MUST_USE lp_status dbt_read_compiled(const dbt_project *p, const dbt_relation *r, arena *out, str *code, lp_err *err);

/* The text that the author wrote, from the manifest, else from the file itself below the root. The same errors. */
MUST_USE lp_status dbt_read_raw(const dbt_project *p, const dbt_relation *r, arena *out, str *code, lp_err *err);

/* Path of the compiled SQL for messages and editors: target/compiled/shop/models/orders.sql. In `out` or borrowed. */
str dbt_compiled_file(const dbt_project *p, const dbt_relation *r, arena *out);

/* ---- looking up ---- */

/* DBT_NO_RELATION when there is none. */
size_t dbt_find_id(const dbt_project *p, str unique_id);

/* Relations with this name, ignoring the case of ASCII letters: names of models, seeds and snapshots, and of sources
 * both `table` and `source.table`. Also `package.name`. Ascending; borrowed from the project. */
typedef struct dbt_found {
    const size_t *relation;
    size_t count;
} dbt_found;
dbt_found dbt_find_name(const dbt_project *p, str name);

/* Relations whose relation_name ends in this part, ignoring the case of ASCII letters. The caller compares the parts by
 * the rules of the dialect. */
dbt_found dbt_find_identifier(const dbt_project *p, str identifier);

/* Relations with exactly this relation_name (for those without parts). */
dbt_found dbt_find_relation_name(const dbt_project *p, str relation_name);

/* The ephemeral model that a CTE of compiled SQL stands for: __dbt__cte__NAME, ignoring ASCII case. `reader` is the
 * relation whose SQL it is: its extra_cte decides among several, else its parents. DBT_NO_RELATION for other names. */
size_t dbt_ephemeral_of(const dbt_project *p, const dbt_relation *reader, str cte_name);

/* What `ref('m')`, `ref('package', 'm', v=2)`, `source('s', 't')`, a unique id, `source.table` or a bare name means,
 * quotes of both kinds, with or without {{ }}. `from` is the package that is looked in first, STR_NONE for none.
 * DBT_NO_RELATION when it is not known, or when several packages have it. */
size_t dbt_resolve(const dbt_project *p, str text, str from);

/* Words for people: "key", "not null", ...; "guess", "declared", ...; "model", ... */
const char *dbt_fact_kind_name(dbt_fact_kind kind);
const char *dbt_trust_name(dbt_trust trust);
const char *dbt_resource_name(dbt_resource resource);

/* ---- choosing (selector.c) ---- */

/* dbt's selection. `select` and `exclude` are lists of texts, each of which may hold several definitions: a blank is a
 * union, a comma an intersection. A definition is [N+ or @] [method:]value [+N]; methods are tag, path, file, fqn,
 * source, resource_type, package, config.materialized (config.NAME for the configs that are kept: materialized,
 * language, enabled, contract.enforced), and without one: a path if it has a slash or ends in .sql, .py or .csv, else a
 * name (fqn). `*`, `?` and
 * [...] are wildcards. Nothing selected means all. chosen[i] is whether relation i is wanted: an array of
 * relation_count in `out`. LP_ERR_USAGE for a definition that is none (the message names it); *unmatched is the first
 * one that nothing fits, STR_NONE otherwise, which is no error. */
typedef struct dbt_choice {
    const bool *chosen;
    size_t chosen_count;
    str unmatched;
} dbt_choice;
MUST_USE lp_status dbt_select(const dbt_project *p, const str *select, size_t select_count, const str *exclude,
                              size_t exclude_count, arena *out, dbt_choice *choice, lp_err *err);

/* Relations that the given files define or declare: original_file_path or patch_path, as paths below the root, below
 * the folder above it (a project in a folder of a repository), absolute, or with ./ before them. */
void dbt_select_files(const dbt_project *p, const str *file, size_t file_count, arena *out, dbt_choice *choice);

/* By relation: choose what is read by a chosen one too, at any distance. */
void dbt_add_ancestors(const dbt_project *p, bool *chosen);

#endif
