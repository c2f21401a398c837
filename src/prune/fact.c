/* fact.c - partition values and statistics as domains.
 * Called by: prune/eval.c, prune/measure.c.  Must not know: predicates.
 */
#include "prune/fact.h"

static bool is_float(const data_type *type) {
    return type->kind == TYPE_FLOAT || type->kind == TYPE_DOUBLE;
}

static column_fact unknown_fact(const data_type *type) {
    return (column_fact){.can_be_null = true, .can_be_value = type->kind != TYPE_VOID, .may_be_nan = is_float(type)};
}

static void add_fact(column_domain *out, column_fact fact) {
    out->fact[out->count++] = fact;
}

static column_fact single_value(const value *v, str text) {
    return (column_fact){.can_be_value = true,
                         .has_low = true,
                         .has_high = true,
                         .low = *v,
                         .high = *v,
                         .is_text_known = true,
                         .text = text};
}

void domain_from_partition(const data_type *type, const partition_cell *cell, fact_rules rules, column_domain *out) {
    out->count = 0;
    switch (cell->state) {
    case CELL_ABSENT: /* rule O5: Spark reads a missing key as NULL, others may not */
        add_fact(out, rules.as_delta_explain ? (column_fact){.can_be_null = true} : unknown_fact(type));
        return;
    case CELL_UNREADABLE: add_fact(out, unknown_fact(type)); return;
    case CELL_NULL: add_fact(out, (column_fact){.can_be_null = true}); return;
    case CELL_VALUE: break;
    }
    for (size_t i = 0; i < cell->value_count; i++) add_fact(out, single_value(&cell->v[i], cell->text));
    if (cell->may_be_null) add_fact(out, (column_fact){.can_be_null = true});
}

/* Nulls: a count says more than yes or no only where the number of rows is known (traps T37 to T43). */
static void apply_null_count(column_fact *fact, const file_stats *file, const column_stats *stats) {
    if (stats->null_count_state != COUNT_KNOWN) return;
    if (stats->null_count == 0) fact->can_be_null = false;
    if (file->record_count_known && file->record_count > 0 && stats->null_count == file->record_count)
        fact->can_be_value = false;
}

static void apply_bounds(column_fact *fact, const column_stats *stats) {
    fact->has_low = stats->min.state == CELL_VALUE;
    fact->has_high = stats->max.state == CELL_VALUE;
    fact->low = stats->min.reach;
    fact->high = stats->max.reach;
    /* Bounds that contradict each other say nothing. */
    if (fact->has_low && fact->has_high && value_compare(&fact->low, &fact->high) > 0)
        fact->has_low = fact->has_high = false;
}

static bool has_exponent(str number) {
    size_t at;
    return str_find_char(number, 'e', &at) || str_find_char(number, 'E', &at);
}

/* What delta-explain 0.8.0 makes of the same statistics, where that is less: it orders -0.0 below 0.0, reads no decimal
 * with an exponent, and takes a file for all NULL only beside recorded bounds. */
static void forget_what_delta_explain_lacks(const data_type *type, const file_stats *file, const column_stats *stats,
                                            column_fact *fact) {
    if (!file->has_bounds) fact->can_be_value = type->kind != TYPE_VOID;
    if (type->kind == TYPE_DECIMAL) {
        fact->has_low &= !has_exponent(stats->min.text);
        fact->has_high &= !has_exponent(stats->max.text);
    }
    bool low_is_zero = is_float(type) && fact->has_low && fact->low.f == 0;
    if (low_is_zero && str_starts_with(stats->min.text, STR("-"))) fact->low.f = double_before(0);
}

/* Every value that is not NULL is one of the recorded bounds: then a NaN that a writer left out is not there. So it is
 * for a single value, and for two of which the bounds show both. */
static bool bounds_show_all(const file_stats *file, const column_stats *stats) {
    bool counted = file->tight && file->record_count_known && stats->null_count_state == COUNT_KNOWN;
    bool known =
        stats->min.state == CELL_VALUE && stats->max.state == CELL_VALUE && stats->min.exact && stats->max.exact;
    if (!counted || !known || value_is_nan(&stats->min.v) || value_is_nan(&stats->max.v)) return false;
    int64_t values = file->record_count - stats->null_count;
    return values == 1 || (values == 2 && value_compare(&stats->min.v, &stats->max.v) < 0);
}

void domain_from_stats(const data_type *type, const file_stats *file, const column_stats *stats, fact_rules rules,
                       column_domain *out) {
    column_fact fact = unknown_fact(type);
    out->count = 0;
    if (stats) {
        apply_null_count(&fact, file, stats);
        apply_bounds(&fact, stats);
        if (rules.as_delta_explain) forget_what_delta_explain_lacks(type, file, stats, &fact);
        bool trusted = rules.trust_float_max || (!rules.as_delta_explain && bounds_show_all(file, stats));
        if (fact.has_high && trusted) fact.may_be_nan = is_float(type) && value_is_nan(&fact.high);
    }
    add_fact(out, fact);
}
