/* lakeproof.h - what a query will do to a lakehouse table, from its metadata alone.
 *
 * Shape of the API: open a table at a version, run a question against it, write the report. Handles are opaque. A report
 * borrows from its table, so it is freed first. Functions that can fail return a status and describe the failure once in
 * the caller's lp_err; on failure their output handles are NULL. No function prints, exits, or reads the locale; the
 * library keeps no global state, so different handles may be used from different threads, one thread a handle at a time.
 * Text is UTF-8, NUL-terminated where a `const char *` is taken.
 */
#ifndef LAKEPROOF_H
#define LAKEPROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lakeproof_err.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LP_API __attribute__((visibility("default")))
#else
#define LP_API
#endif

typedef struct lp_table lp_table;
typedef struct lp_report lp_report;

/* "0.1.0" */
LP_API const char *lp_version(void);

/* How to open a table. Start from LP_TABLE_OPTIONS_INIT. */
typedef struct lp_table_options {
    bool has_version;    /* read `version` instead of the latest */
    uint64_t version;
    unsigned threads;    /* worker threads; 0 means one a core, at most 8 */
    const char *timezone;/* zone of times without zone; NULL means UTC. An unknown zone is LP_ERR_USAGE */
    /* Read the version that was the latest at this time instead: an ISO date or date-time, with or without fraction and
     * offset ("2024-01-31", "2024-01-31T12:30:00.5+02:00"); without offset in `timezone`. NULL for none. LP_ERR_USAGE: not
     * such a text, or has_version too. LP_ERR_NOT_FOUND: a time before the first commit or after the last one. */
    const char *at_timestamp;
    bool log_only; /* open no snapshot: for LP_VIEW_HISTORY, also of a table that cannot be read. lp_table_version is -1 */
} lp_table_options;
#define LP_TABLE_OPTIONS_INIT {false, 0, 0, 0, 0, false}

/* Resolve a table (a local folder or file:// URL that holds _delta_log) to a snapshot. `options` may be NULL.
 * LP_ERR_NOT_FOUND: no such folder, no log, or no such version. LP_ERR_FORMAT: a log that is damaged or has a gap, names
 * the file. LP_ERR_UNSUPPORTED: a protocol version, reader feature or URL scheme that is refused, by name.
 * Source: PROTOCOL.md: Delta Log Entries, Checkpoints, Action Reconciliation, Table Features. */
LP_API lp_status lp_table_open(const char *location, const lp_table_options *options, lp_table **out, lp_err *err);
LP_API void lp_table_close(lp_table *table); /* NULL is allowed */
LP_API int64_t lp_table_version(const lp_table *table);

typedef enum lp_format {
    LP_FORMAT_TEXT,
    LP_FORMAT_JSON,   /* one document */
    LP_FORMAT_NDJSON, /* listings only: one object a line */
    LP_FORMAT_CSV,    /* listings only: a header and one row a line, RFC 4180 */
    LP_FORMAT_SARIF,  /* findings only: OASIS SARIF 2.1.0 */
    LP_FORMAT_GITHUB  /* findings only: workflow commands of GitHub Actions, which become annotations */
} lp_format;
typedef enum lp_level {
    LP_LEVEL_CONTRACT, /* the degradation rules of docs/semantics.md to the letter */
    LP_LEVEL_EXTENDED  /* every sound rule; may only drop more files, never one with a matching row */
} lp_level;
/* Whose layout and notes: the drop-in prints only what delta-explain knows, lakeproof adds keys and notes. */
typedef enum lp_voice { LP_VOICE_LAKEPROOF, LP_VOICE_DELTA_EXPLAIN } lp_voice;

/* A question to a table. Start from LP_PRUNE_OPTIONS_INIT. */
typedef struct lp_prune_options {
    const char *where;       /* the predicate, NULL for none. Spark SQL */
    size_t where_size;       /* bytes of `where` */
    lp_format format;
    lp_level level;
    lp_voice voice;
    bool nan_strict;         /* trust no float maximum that may hide NaN */
    bool verbose;            /* list files */
    bool has_limit;          /* with verbose: at most `limit` files a listing */
    uint64_t limit;
    bool explain_why;        /* add diagnoses */
    bool has_min_pruning;    /* gate: total pruning in percent is at least `min_pruning`; needs `where` */
    double min_pruning;
    bool assert_stats;       /* gate: every file has statistics */
    const char *location;    /* the table's name as the report prints it; NULL: as opened */
    bool color;              /* text: ANSI colours */
    bool debug_ir;           /* keep the five forms for lp_report_debug_ir */
    const char *now;         /* what current_date and current_timestamp are: a time as for at_timestamp; NULL: the clock */
} lp_prune_options;
#define LP_PRUNE_OPTIONS_INIT {0, 0, LP_FORMAT_TEXT, LP_LEVEL_CONTRACT, LP_VOICE_LAKEPROOF, false, false, false, 0, false, false, 0, false, 0, false, false, 0}

/* Measure a predicate and render its report. LP_ERR_QUERY: SQL that does not parse, an unknown column, a literal that its
 * column cannot take; the message has line, column and a caret. LP_ERR_FORMAT: damage met while the log was replayed.
 * Gates never fail the call: see lp_report_passed. The survivors are a superset of the files that hold a matching row. */
LP_API lp_status lp_prune(lp_table *table, const lp_prune_options *options, lp_report **out, lp_err *err);

/* What to tell of a snapshot. */
typedef enum lp_view {
    LP_VIEW_STORY, /* how the snapshot was resolved, and what the table is: text or JSON */
    LP_VIEW_FILES, /* its live files, in any format; JSON is the document of the story with an array `files` in it */
    LP_VIEW_DISK,  /* the log against the table's folder: text; JSON is the document of the story with an object `disk` in it; a
                      listing of the files that are not simply live and there may be NDJSON */
    LP_VIEW_HISTORY /* the versions of the table up to it, newest first, and what is missing for those that are none: text,
                       JSON or NDJSON. Needs no snapshot: a table opened with log_only has this view */
} lp_view;

/* How to describe a snapshot. Start from LP_SNAPSHOT_OPTIONS_INIT. */
typedef struct lp_snapshot_options {
    lp_view view;
    lp_format format;
    const char *location; /* the table's name as the report prints it; NULL: as opened */
    bool color;           /* text: ANSI colours */
    bool has_limit;       /* LP_VIEW_HISTORY: the newest `limit` versions only */
    uint64_t limit;
    /* LP_VIEW_DISK: the folder is as it is now, so the table should be opened at its latest version. */
    bool list_files;      /* list the files that are removed, never committed, missing, ... */
    bool assert_files;    /* gate: no live file is missing or of another size than the log says */
    const char *now;      /* what ages are counted to: a time as for at_timestamp; NULL: the clock */
} lp_snapshot_options;
#define LP_SNAPSHOT_OPTIONS_INIT {LP_VIEW_STORY, LP_FORMAT_TEXT, 0, false, false, 0, false, false, 0}

/* Describe the table's snapshot and render the report. LP_ERR_USAGE: a format that the view has not. LP_ERR_FORMAT: damage
 * met while the log was replayed. */
LP_API lp_status lp_snapshot(lp_table *table, const lp_snapshot_options *options, lp_report **out, lp_err *err);

/* How to compare two versions. Start from LP_DIFF_OPTIONS_INIT. */
typedef struct lp_diff_options {
    lp_format format;      /* text or JSON */
    const char *where;     /* a predicate: what it reads on each side; NULL for none. Spark SQL */
    size_t where_size;     /* bytes of `where` */
    lp_level level;
    bool nan_strict;
    bool verbose;          /* list the files that were removed and added */
    bool has_limit;        /* with verbose: at most `limit` files a listing */
    uint64_t limit;
    bool has_max_growth;   /* gate: `after` reads at most `max_growth` percent more files than `before`. Files read are those
                              that the predicate keeps, all live ones without a predicate. A growth that is not known fails */
    double max_growth;
    const char *location;  /* the table's name as the report prints it; NULL: as `after` was opened */
    bool color;            /* text: ANSI colours */
} lp_diff_options;
#define LP_DIFF_OPTIONS_INIT {LP_FORMAT_TEXT, 0, 0, LP_LEVEL_CONTRACT, false, false, false, 0, false, 0, 0, false}

/* Compare two versions of a table, each opened on its own, in either order: files, schema, protocol, properties, and what a
 * predicate reads. The report borrows from both tables. Needs about 40 bytes of memory a live file of `before`.
 * LP_ERR_USAGE: a format that it has not. LP_ERR_QUERY: a predicate that can be asked at neither version (one that can be
 * asked at one of them only is an answer). LP_ERR_FORMAT: damage met while a log was replayed.
 * lp_report_total_files and lp_report_final_files are those of `after`. */
LP_API lp_status lp_diff(lp_table *before, lp_table *after, const lp_diff_options *options, lp_report **out, lp_err *err);

/* The evidence for one file. Start from LP_WHY_OPTIONS_INIT. */
typedef struct lp_why_options {
    const char *file;     /* a live file, by the text of its path in the log; where two live files have one path, `#` and the
                             unique id of its vector stand behind it */
    const char *where;    /* the predicate. Spark SQL */
    size_t where_size;    /* bytes of `where` */
    lp_format format;     /* text or JSON */
    lp_level level;
    bool nan_strict;
    const char *now;      /* as of lp_prune_options */
    const char *location; /* the table's name as the report prints it; NULL: as opened */
    bool color;           /* text: ANSI colours */
} lp_why_options;
#define LP_WHY_OPTIONS_INIT {0, 0, 0, LP_FORMAT_TEXT, LP_LEVEL_CONTRACT, false, 0, 0, false}

/* Tell what each part of a predicate can give for the rows of one file, and by which facts. The verdict is that of lp_prune.
 * LP_ERR_NOT_FOUND: no live file of that name (the message tells what became of it) or several. LP_ERR_USAGE: no file, no
 * predicate, another format. Other errors as of lp_prune. lp_report_final_files is 1 for a file that is kept, else 0. */
LP_API lp_status lp_why(lp_table *table, const lp_why_options *options, lp_report **out, lp_err *err);

/* Which form of a text of SQL to show. */
typedef enum lp_sql_form {
    LP_SQL_PARSE, /* the tree of every statement, with its places */
    LP_SQL_PRINT, /* every statement in one spelling; it parses to the same tree in the same dialect */
    LP_SQL_PLAN   /* what every query does: operators over columns whose names are resolved */
} lp_sql_form;

/* A Delta table that stands for a relation of a query. */
typedef struct lp_sql_table {
    const char *name;      /* as queries name it, "shop.orders": read in the dialect of the queries */
    size_t name_size;      /* bytes of `name` */
    const lp_table *table; /* with a snapshot: its schema is what is declared */
} lp_sql_table;

/* Start from LP_SQL_OPTIONS_INIT. */
typedef struct lp_sql_options {
    const char *text;    /* statements, parted by semicolons */
    size_t text_size;    /* bytes of `text` */
    const char *dialect; /* a name of docs/sql.md, "snowflake"; NULL: that of the dbt project, else "ansi" */
    lp_sql_form form;
    lp_format format;    /* text or JSON */
    /* LP_SQL_PLAN: what is declared. Relations that are not may have any columns. */
    const char *ddl;     /* CREATE TABLE statements in the same dialect; NULL for none */
    size_t ddl_size;     /* bytes of `ddl` */
    const lp_sql_table *table; /* columns, types and NOT NULL as in the schemas of Delta tables; they go before `ddl` */
    size_t table_count;
    /* A dbt project: its folder, its target folder or its manifest.json, with catalog.json if that stands beside it. What `table`
     * and `ddl` declare goes first. NULL for none. */
    const char *manifest;
} lp_sql_options;
#define LP_SQL_OPTIONS_INIT {0, 0, 0, LP_SQL_PARSE, LP_FORMAT_TEXT, 0, 0, 0, 0, 0}

/* Parse SQL and show it. A statement that does not parse, or in LP_SQL_PLAN one with a name that does not resolve, fails no
 * call: lp_report_passed is false then, LP_PART_GATES has all messages, each with line, column and a caret, and
 * LP_PART_REPORT is empty. `text`, `ddl` and `table` are read during the call only.
 * LP_ERR_USAGE: no such dialect, a format that this report has not, a name that is no name of a table, or a table without a
 * snapshot. LP_ERR_QUERY: more than 16 MiB, no UTF-8, or a `ddl`
 * that does not parse. LP_ERR_LIMIT: a plan that would need too much memory. LP_ERR_NOT_FOUND, LP_ERR_FORMAT,
 * LP_ERR_UNSUPPORTED, LP_ERR_IO: of `manifest`. */
LP_API lp_status lp_sql(const lp_sql_options *options, lp_report **out, lp_err *err);

/* What is analysed: one query, or the models of a dbt project. */
typedef struct lp_models {
    const char *sql;     /* a text that holds one query; NULL: a project */
    size_t sql_size;     /* bytes of `sql` */
    const char *sql_name;/* how places name its file; NULL: it has no name */
    const char *dialect; /* of `sql`: a name of docs/sql.md; NULL: "ansi" */
    const char *ddl;     /* CREATE TABLE statements in the same dialect: what is declared of its tables; NULL for none */
    size_t ddl_size;     /* bytes of `ddl` */
    /* Without `sql`: a dbt folder, its target/ or a manifest; "" is the current folder or the nearest one above it that is such
     * a folder. `dbt compile` or `dbt docs generate` makes the manifest. */
    const char *project;
    const char *trust;   /* of a project: kinds of guesses that proofs may use, with commas: unique_key, snapshot, entity */
} lp_models;
#define LP_MODELS_INIT {0, 0, 0, 0, 0, 0, 0, 0}

/* What is known of rows. Start from LP_FACTS_OPTIONS_INIT. */
typedef struct lp_facts_options {
    lp_models models;
    bool tree;         /* of every operator, too */
    lp_format format;  /* text or JSON; of all models text or NDJSON, an object a model */
    const char *model; /* of a project: the name or unique id of a model or snapshot; NULL: all of them, parents first */
} lp_facts_options;
#define LP_FACTS_OPTIONS_INIT {LP_MODELS_INIT, false, LP_FORMAT_TEXT, 0}

/* Tell what holds of the rows of a query on every database that satisfies the declarations: keys, dependencies, columns that are
 * never NULL, bounds of their number, each with the chain of its reasons. What cannot be told is unknown, with the reason; that
 * fails no call. Wrong SQL fails none either: lp_report_passed is false then, LP_PART_GATES has the messages and LP_PART_REPORT
 * is empty. In a project a model whose SQL is wrong is unknown, too. LP_ERR_USAGE: no such dialect, another format, neither SQL nor
 * a project. LP_ERR_NOT_FOUND, LP_ERR_FORMAT, LP_ERR_UNSUPPORTED: no project, no such model, a manifest that is damaged or of another
 * version. LP_ERR_QUERY: a text that holds no query or several, a `ddl` that does
 * not parse. LP_ERR_LIMIT: more than 16 MiB, or a query that would need too much memory. */
LP_API lp_status lp_facts(const lp_facts_options *options, lp_report **out, lp_err *err);

/* How to check. What is NULL is as lakeproof.toml says, else the default. Lists are texts with commas. Start from
 * LP_CHECK_OPTIONS_INIT. */
typedef struct lp_check_options {
    lp_models models;
    lp_format format;       /* text, JSON, SARIF or GITHUB */
    const char *fail_on;    /* "error", "warning" (default) or "never": lp_report_passed is false from this severity on */
    const char *checks;     /* codes: these alone */
    const char *enable;     /* codes beside the usual ones; "counts": G001 also on sums of literals */
    const char *baseline;   /* a file that LP_PART_BASELINE gave: its findings are not reported */
    const char *settings;   /* a file in the format of lakeproof.toml; NULL: that of the project, none for a query */
    /* Of a project, in the form of dbt's options: which models. */
    const char *select, *exclude;
    const char *files;      /* names of files, one a line or with commas: only models that they define or declare */
    bool color;             /* text: ANSI colours */
} lp_check_options;
#define LP_CHECK_OPTIONS_INIT {LP_MODELS_INIT, LP_FORMAT_TEXT, 0, 0, 0, 0, 0, 0, 0, 0, false}

/* Tell where SQL may repeat, drop or miscount rows: findings, each with the chain of facts that proves it and the declarations it
 * leans on. Where nothing can be proved nothing is reported; the report says once why. A comment `-- lakeproof: allow CODE
 * because REASON` on the line of a finding or the one above allows it. Wrong SQL is as of lp_facts. LP_ERR_USAGE: no such format,
 * code or severity, settings that are wrong. LP_ERR_NOT_FOUND, LP_ERR_FORMAT: a baseline that is not there or none. */
LP_API lp_status lp_check(const lp_check_options *options, lp_report **out, lp_err *err);

/* A claim about rows: exactly one of key, not_null, no_fan_out. Start from LP_PROVE_OPTIONS_INIT. */
typedef struct lp_prove_options {
    lp_models models;
    const char *model;    /* of a project: the name or unique id of a model or snapshot */
    const char *key;      /* columns of the result with commas: no two rows agree on them, NULLs equal to each other */
    const char *not_null; /* a column of the result: it is never NULL */
    bool no_fan_out;      /* no join of the model gives a row of its first side several times */
    lp_format format;     /* text or JSON */
} lp_prove_options;
#define LP_PROVE_OPTIONS_INIT {LP_MODELS_INIT, 0, 0, 0, false, LP_FORMAT_TEXT}

/* Prove a claim on every database that satisfies the declarations, or tell what is missing for a proof. lp_report_passed is false
 * when it is not proved; then LP_PART_GATES has a line. A model's own tests are no proof of it. Errors as of lp_facts; LP_ERR_USAGE:
 * not one claim; LP_ERR_QUERY: a column that the result has not. */
LP_API lp_status lp_prove(const lp_prove_options *options, lp_report **out, lp_err *err);

/* Start from LP_COVERAGE_OPTIONS_INIT. */
typedef struct lp_coverage_options {
    lp_models models; /* a project */
    lp_format format; /* text or JSON */
} lp_coverage_options;
#define LP_COVERAGE_OPTIONS_INIT {LP_MODELS_INIT, LP_FORMAT_TEXT}

/* Tell of a dbt project which models are known, partial or unknown and why; every declaration that facts lean on and the test that
 * checks it; keys that nobody declares, guessed from names and joins, as YAML (no proof uses a guess); tests that are proved. Errors
 * as of lp_facts. */
LP_API lp_status lp_coverage(const lp_coverage_options *options, lp_report **out, lp_err *err);

LP_API void lp_report_free(lp_report *report); /* NULL is allowed */

LP_API bool lp_report_passed(const lp_report *report);          /* no gate failed */
LP_API uint64_t lp_report_total_files(const lp_report *report);
LP_API uint64_t lp_report_final_files(const lp_report *report);

/* Which text of a report. */
typedef enum lp_part {
    LP_PART_REPORT,    /* the document, text or JSON as asked for */
    LP_PART_GATES,     /* one `ASSERTION FAILED: ...` line and its details per failed gate, empty otherwise */
    LP_PART_DEBUG_IR,  /* the five forms of the predicate, empty without debug_ir */
    LP_PART_COUNTERS,  /* one line of JSON: what was done */
    LP_PART_BASELINE   /* of lp_check: the file that makes its findings the baseline, empty otherwise */
} lp_part;

/* Write a part through `write`, in pieces, in order. `write` returns false to stop; then LP_ERR_IO is returned. */
typedef bool (*lp_write)(void *context, const char *bytes, size_t size);
LP_API lp_status lp_report_write(const lp_report *report, lp_part part, lp_write write, void *context, lp_err *err);

/* What a note code means. `code` is its name or number ("UNSPLITTABLE_OR", "LP1001"). NULL if there is none. */
LP_API const char *lp_code_help(const char *code);

#ifdef __cplusplus
}
#endif
#endif
