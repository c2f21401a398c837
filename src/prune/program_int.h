/* program_int.h - the instructions of a lowered predicate.
 * Called by: prune/program.c (lowering), prune/eval.c (evaluation), prune/derive.c, prune/trace.c.  Must not know: files, phases.
 */
#ifndef PRUNE_PROGRAM_INT_H
#define PRUNE_PROGRAM_INT_H

#include "prune/list.h"
#include "prune/pattern.h"
#include "prune/program.h"
#include "prune/term.h"

typedef enum instruction_op {
    INSTRUCTION_LEAF,     /* push what `leaf` gives for its slot */
    INSTRUCTION_CONSTANT, /* push `set` */
    INSTRUCTION_AND,      /* pop arg_count, push their AND */
    INSTRUCTION_OR,
    INSTRUCTION_NOT,  /* pop one */
    INSTRUCTION_MEET, /* without TRUE if no value meets all of `meet`, which an AND in front has joined */
    INSTRUCTION_TERM, /* push what `term` gives */
    INSTRUCTION_TRUTH /* pop one; `leaf` tells the test */
} instruction_op;

typedef struct instruction {
    instruction_op op;
    size_t arg_count;
    outcome_set set;
    const predicate *leaf;
    size_t slot;
    const data_type *type;       /* of the slot's column */
    const literal_list *list;    /* leaf IN */
    const pattern_set *patterns; /* leaf LIKE */
    const term *term;
    const struct generation *generation; /* leaf: derive.h */
    const struct meet *meet;
} instruction;

struct program {
    instruction *item;
    size_t count, capacity;
    size_t depth, max_depth;
    bool assumes_zone, has_float, reads_clock;
};

#endif
