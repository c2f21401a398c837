/* fact_bits.h - small sets of columns as bits, and facts over a few columns, for tests that draw them.
 * Called by: test_closure.c, test_facts.c.  Must not know: what is tested.
 */
#ifndef TEST_FACT_BITS_H
#define TEST_FACT_BITS_H

#include "grain/facts.h"

static uint64_t seed;

static inline uint32_t draw(uint32_t below) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % below;
}

static inline colset of_bits(arena *a, uint32_t bits) {
    colset s = COLSET_EMPTY;
    for (column_id i = 0; i < 32; i++)
        if (bits >> i & 1) colset_add(&s, i, a);
    return s;
}

static inline uint32_t bits_of(colset s) {
    uint32_t bits = 0;
    column_id id = 0;
    for (; colset_next(s, id, &id); id++) bits |= UINT32_C(1) << id;
    return bits;
}

/* Of rows with so many columns, and nothing else known. */
static inline facts facts_of_columns(arena *a, uint32_t count) {
    evidence_list *reasons = ARENA_NEW(a, evidence_list);
    evidence_init(reasons, a);
    facts f;
    facts_init(&f, a, reasons);
    f.all = of_bits(a, (1u << count) - 1);
    return f;
}

#endif
