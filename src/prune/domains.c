/* domains.c - partition values, statistics, the schema and generated columns, put together.
 * Called by: prune/measure.c, prune/trace.c.  Must not know: conditions, phases.
 */
#include "prune/domains.h"

bool domains_of_partitions(const slot_table *slots, const live_file *f, fact_rules rules, column_domain *domain,
                           bool *zone_assumed) {
    bool unknown = false;
    for (size_t i = 0; i < slots->count; i++) {
        const program_slot *slot = &slots->slot[i];
        if (!slot->is_partition) continue;
        const partition_cell *cell = &f->partition[slot->index];
        domain_from_partition(&slot->column->type, cell, rules, &domain[i]);
        *zone_assumed |= cell->zone_assumed;
        if (slot->is_derived) continue;
        unknown |= cell->state == CELL_UNREADABLE || (cell->state == CELL_ABSENT && !rules.as_delta_explain);
    }
    return unknown;
}

const column_stats *slot_stats(const program_slot *slot, const live_file *f) {
    bool known = !slot->is_partition && f->stats_loaded && f->stats.column && slot->index != SLOT_WITHOUT_STATS;
    return known ? &f->stats.column[slot->index] : NULL;
}

void domains_of_statistics(const slot_table *slots, const live_file *f, fact_rules rules, column_domain *domain) {
    for (size_t i = 0; i < slots->count; i++) {
        const program_slot *slot = &slots->slot[i];
        if (!slot->is_partition)
            domain_from_stats(&slot->column->type, &f->stats, slot_stats(slot, f), rules, &domain[i]);
    }
}

/* A column that the schema says is never NULL, nor anything around it. Statistics that disagree are believed. */
static bool is_never_null(const column *c) {
    for (; c; c = c->parent)
        if (c->nullable) return false;
    return true;
}

static void apply_nullability(const column *c, column_domain *domain, const column_stats *stats) {
    bool has_nulls = stats && stats->null_count_state == COUNT_KNOWN && stats->null_count > 0;
    for (size_t i = 0; i < domain->count && !has_nulls && is_never_null(c); i++)
        if (domain->fact[i].can_be_value) domain->fact[i].can_be_null = false;
}

void domains_narrow(const analysis *a, const live_file *f, prune_level level, column_domain *domain) {
    for (size_t i = 0; i < a->slots.count && level == LEVEL_EXTENDED; i++) {
        const program_slot *slot = &a->slots.slot[i];
        if (!slot->is_partition) apply_nullability(slot->column, &domain[i], slot_stats(slot, f));
    }
    derive_apply(&a->derived, domain);
}
