/* trace.h - the evidence for one file: what each node of the predicate can give for its rows, and the facts behind that.
 * Called by: prune/measure.c; report prints it.  Must not know: text or JSON output.
 *
 * The programs that judged the file run a second time and leave the result of every instruction; the tree of the predicate
 * is laid over these, so what is told is what was measured. A fact belongs to a node if the node could give more without it:
 * each leaf is evaluated again with one fact after the other forgotten, and what changes nothing stays forgotten.
 */
#ifndef PRUNE_TRACE_H
#define PRUNE_TRACE_H

#include "delta/snapshot.h"
#include "prune/analysis.h"

typedef struct trace_fact {
    str text;   /* max(trip_distance) = 3.75 */
    str source; /* 00000000000000000000.json line 7; the schema; an option; the predicate */
    struct trace_fact *next;
} trace_fact;

/* Why a leaf did not drop a file that is kept. */
typedef enum obstacle_reason {
    OBSTACLE_CERTAIN,          /* nothing: every row meets it */
    OBSTACLE_NO_STATISTICS,    /* the file has none */
    OBSTACLE_NOT_INDEXED,      /* the table's properties leave the column out of the statistics */
    OBSTACLE_NO_BOUND,         /* a minimum or maximum is not there, or cannot be read */
    OBSTACLE_NO_NULL_COUNT,    /* a null count or the number of rows is not there */
    OBSTACLE_CUT_BOUND,        /* the recorded bounds rule it out, but they may be cut or rounded */
    OBSTACLE_FLOAT_MAX,        /* the recorded maximum rules it out, but may hide NaN */
    OBSTACLE_OVERLAP,          /* the bounds leave room for a row that meets it */
    OBSTACLE_PARTITION_VALUE,  /* a partition value is missing, unreadable, or read differently by engines */
    OBSTACLE_NOT_FOLLOWED      /* an expression that metadata does not decide */
} obstacle_reason;

typedef struct trace_obstacle {
    obstacle_reason reason;
    str text;
    struct trace_obstacle *next;
} trace_obstacle;

typedef struct trace_node {
    outcome_set outcome; /* OUTCOME_NONE: the file has no row */
    str text;            /* as reports print the predicate; a long one is cut and ends with ` ...` */
    trace_fact *fact;
    trace_obstacle *obstacle; /* of leaves that could have dropped a kept file, else NULL */
    struct trace_node *child; /* AND, OR: each arm; NOT, IS TRUE, ...: what is tested */
    struct trace_node *next;  /* the next child of the same node */
} trace_node;

/* What all files of a question share. Read-only after it was made, so any number of threads may trace with it. */
typedef struct tracer tracer;

/* Lives in `query` and borrows from the others. The rules and the level are those of the measurement. `table` may be NULL:
 * then no property of a table is known. */
const tracer *tracer_new(const analysis *a, const snapshot *table, fact_rules rules, prune_level level, arena *query);

/* The evidence for a file with its partition values (and statistics, where they are loaded) in place. `kept` is the verdict
 * of the measurement, of which outcome_can_be_true(root) is true exactly for kept files. Lives in `out`. */
const trace_node *trace_file(const tracer *t, const live_file *f, bool kept, arena *out);

/* The place of a file's add as facts name it: `00000000000000000000.json line 7`. "the log" where it is not known. */
str trace_source(const live_file *f, arena *out);

str obstacle_name(obstacle_reason r); /* "no_statistics", ... */

#endif
