/* evidence.h - why a fact holds: entries in an arena of the model, each with the entries that it rests on.
 * Called by: grain (every rule makes entries); report prints chains.  Must not know: how a fact is stored.
 *
 * Entry 0 is "the SQL itself": what needs no other reason. An entry names at most two others that it rests on, made
 * before it, so the entries of a model are a graph without cycles. A chain is printed outermost first, as in
 *   one-to-many join on order_id; key of shop.order_items from meta.cardinal.grain
 */
#ifndef GRAIN_EVIDENCE_H
#define GRAIN_EVIDENCE_H

#include "base/span.h"
#include "grain/declared.h"
#include "plan/plan.h"

typedef uint32_t evidence_id;
#define EVIDENCE_SQL ((evidence_id)0)

typedef enum evidence_kind {
    EVIDENCE_THE_SQL,
    EVIDENCE_BOTH,       /* the two that it rests on; no text of its own */
    EVIDENCE_DECLARED,   /* `declared` of the relation at `node` */
    EVIDENCE_UPSTREAM,   /* a fact of another model: `upstream` */
    EVIDENCE_GROUP_BY,   /* columns: the groups */
    EVIDENCE_DISTINCT,   /* columns: all of the rows */
    EVIDENCE_SET,        /* UNION, INTERSECT, EXCEPT: every row once */
    EVIDENCE_JOIN,       /* at `node`; `cardinality`; columns: what is equated */
    EVIDENCE_ROW_NUMBER, /* columns: the partition; node: the window */
    EVIDENCE_RANK,       /* columns: what it is ordered by; node: the window */
    EVIDENCE_CONDITION,  /* `at`: a condition that every row meets */
    EVIDENCE_ONE_ROW,    /* LIMIT 1, an aggregate without groups, a scalar subquery */
    EVIDENCE_UNION_PARTS, /* columns: the discriminator */
    EVIDENCE_EXPRESSION, /* columns: the inputs of a computed column */
    EVIDENCE_VALUES,
    EVIDENCE_ORDINALITY,
    EVIDENCE_MATCHED,    /* every row has a partner: within and covers */
    EVIDENCE_WINDOW_VALUE /* one value a partition */
} evidence_kind;

typedef enum join_cardinality { ONE_TO_ONE, MANY_TO_ONE, ONE_TO_MANY, MANY_TO_MANY } join_cardinality; /* left to right */

/* What a finished model hands on of one chain: rendered, because the arena of that model ends with it. */
typedef struct upstream_evidence {
    str model;                          /* its unique id */
    const str *chain;                   /* outermost first */
    size_t chain_count;
    const declaration *const *leans_on; /* without repeats */
    size_t leans_on_count;
} upstream_evidence;

typedef struct evidence {
    evidence_kind kind;
    join_cardinality cardinality;
    span at;
    const plan_node *node;
    colset columns;
    evidence_id because[2]; /* EVIDENCE_SQL when it rests on nothing else */
    const declaration *declared;
    const upstream_evidence *upstream;
} evidence;

typedef struct evidence_list {
    arena *owner;
    evidence *entry; /* entry[0] is EVIDENCE_THE_SQL */
    uint32_t count, capacity;
} evidence_list;

/* How columns of a model are called in a chain: by id. */
typedef struct evidence_names {
    str (*name)(const void *context, column_id id);
    const void *context;
    str text; /* the SQL that spans point into */
} evidence_names;

void evidence_init(evidence_list *list, arena *owner);
/* The entry, or one that says the same. Two reasons that are both EVIDENCE_SQL are none. */
evidence_id evidence_add(evidence_list *list, evidence e);

/* The chain of an entry, outermost first, without repeats, at most EVIDENCE_MAX_CHAIN texts. In `owner`. The SQL itself
 * gives no text. */
enum { EVIDENCE_MAX_CHAIN = 16 };
const str *evidence_chain(const evidence_list *list, evidence_id id, const evidence_names *names, arena *owner,
                          size_t *count);

/* The declarations that an entry rests on, without repeats, in the order of the chain. In `owner`. */
const declaration *const *evidence_leans_on(const evidence_list *list, evidence_id id, arena *owner, size_t *count);

/* Both reasons: one of them if the other is the SQL itself. */
evidence_id evidence_both(evidence_list *list, evidence_id a, evidence_id b);

str cardinality_name(join_cardinality c); /* "many-to-one" */

#endif
