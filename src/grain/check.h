/* check.h - findings: what a model's SQL may do to its rows, each proved, each with its reasons.
 * Called by: grain/project.c, api.  Must not know: how findings are printed, suppressed or compared with a baseline.
 *
 * One file a check (check_g001.c, ...), phrased in the two primitives of facts.h. DESIGN.md section 7 defines each.
 */
#ifndef GRAIN_CHECK_H
#define GRAIN_CHECK_H

#include "grain/grain.h"

typedef enum finding_code {
    FINDING_G001, /* double counting */
    FINDING_G002, /* a declared grain that the SQL need not keep */
    FINDING_G003, /* many-to-many join */
    FINDING_G004, /* a sum of what does not add */
    FINDING_G005, /* possible row loss: only when selected */
    FINDING_CODE_COUNT
} finding_code;

typedef enum finding_severity { FINDING_ERROR, FINDING_WARNING, FINDING_NOTE } finding_severity;

/* Everything lives in the arena that was given to the checks. Lists are in the order of the text. */
typedef struct finding {
    finding_code code;
    finding_severity severity;
    str model;           /* unique id; "" for a query of its own */
    span at;             /* in the compiled text of the model */
    text_place place;    /* the same as line and column */
    str text;            /* one sentence: what may happen */
    str column;          /* G001, G004: the result column, or the expression that is summed; else "" */
    str expression;      /* "sum(shipping_fee)" */
    const str *group;    /* names: GROUP BY, the partition, the declared grain */
    size_t group_count;
    const str *native;   /* the native grain of what is summed; G002: a known key of the rows */
    size_t native_count;
    const join_site *const *join; /* that repeat it; G003: the join itself */
    size_t join_count;
    const str *evidence; /* outermost first */
    size_t evidence_count;
    const declaration *const *leans_on;
    size_t leans_on_count;
    str suggestion;
    str fingerprint;     /* hex: code, model and the parts that do not move with lines */
} finding;

typedef struct finding_list {
    arena *owner;
    finding *item;
    size_t count, capacity;
} finding_list;

typedef struct check_choice {
    bool on[FINDING_CODE_COUNT];
    bool counts_of_literals; /* G001 on sums whose branches are all literals too */
} check_choice;
#define CHECK_DEFAULT ((check_choice){.on = {true, true, true, true, false}})

/* Add the findings of a finished analysis, by place. `own`: what is declared of the model itself (G002). */
void grain_check(const grain_model *m, const check_choice *choice, declaration_list own, finding_list *out);
/* Is there a sum of which it cannot be told whether it counts double? Why: the lowest operator below the first such sum of which not
 * everything is known. */
bool grain_undecided(const grain_model *m, fact_gap *out);
void finding_list_init(finding_list *list, arena *owner);

str finding_code_name(finding_code c); /* "G001" */
str finding_code_title(finding_code c);
finding_severity finding_code_severity(finding_code c);

#endif
