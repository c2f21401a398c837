/* diagnose.c - the four rules of --explain-why.
 * Called by: prune/prune.c.  Must not know: files, statistics beyond the report's counts.
 */
#include "prune/diagnose.h"

typedef struct diagnoses {
    arena *query;
    diagnosis **end;
} diagnoses;

static void add(diagnoses *d, note_code code, str message, str suggestion) {
    diagnosis *item = ARENA_NEW(d->query, diagnosis);
    *item = (diagnosis){.code = code, .message = message, .suggestion = suggestion};
    *d->end = item;
    d->end = &item->next;
}

typedef struct column_use {
    bool any, partition;
} column_use;

static void note_use(void *context, const column_ref *ref) {
    column_use *use = context;
    use->any = true;
    use->partition |= ref->column->partition_index >= 0;
}

/* Columns that a condition of the pruning language names; opaque fragments contribute none. */
static void collect_use(const predicate *p, column_use *use) {
    switch ((int)p->kind) {
    case PREDICATE_OPAQUE: return;
    case PREDICATE_AND:
    case PREDICATE_OR:
        for (size_t i = 0; i < p->junction.count; i++) collect_use(p->junction.item[i], use);
        return;
    case PREDICATE_NOT: collect_use(p->not .of, use); return;
    default: predicate_each_column(p, note_use, use); return;
    }
}

static str partition_list(const snapshot *table, arena *query) {
    buf b;
    buf_init(&b, query, SIZE_MAX / 2);
    for (size_t i = 0; i < table->partition_column_count; i++) {
        if (i > 0) buf_put(&b, STR(", "));
        buf_put(&b, table->partition_column[i]);
    }
    return buf_str(&b);
}

static void check_partition_filter(diagnoses *d, const analysis *a, const prune_report *r) {
    column_use use = {false, false};
    collect_use(a->typed, &use);
    if (r->table->partition_column_count == 0 || !use.any || use.partition) return;
    str columns = partition_list(r->table, d->query);
    add(d, NOTE_NO_PARTITION_FILTER,
        str_format(d->query,
                   "the table is partitioned by " STR_FMT ", and the predicate has no condition on a partition column",
                   STR_ARG(columns)),
        str_format(d->query, "add a condition on a partition column (" STR_FMT ")", STR_ARG(columns)));
}

static const prune_phase *skipping_phase(const prune_report *r) {
    for (size_t i = 0; i < r->phase_count; i++)
        if (r->phase[i].kind == PHASE_SKIPPING) return &r->phase[i];
    return NULL;
}

static void check_statistics(diagnoses *d, const analysis *a, const prune_report *r) {
    if (!a->has_stats_safe || r->total_files == 0) return;
    const prune_phase *p = skipping_phase(r);
    if (r->files_with_stats == 0) {
        add(d, NOTE_STATS_ABSENT,
            str_format(d->query, "no file has statistics, so '" STR_FMT "' cannot rule out any",
                       STR_ARG(r->stats_safe)),
            STR("let the writer collect statistics (delta.dataSkippingNumIndexedCols, "
                "delta.dataSkippingStatsColumns)"));
    } else if (r->files_with_stats == r->total_files && p && p->input_files > 0 && p->output_files == p->input_files) {
        add(d, NOTE_WEAK_DATA_SKIPPING,
            str_format(d->query, "'" STR_FMT "' rules out no file: every file's range overlaps it",
                       STR_ARG(r->stats_safe)),
            STR("the rows are probably not ordered by these columns: order or cluster the table by them"));
    }
}

static void check_fragments(diagnoses *d, const analysis *a) {
    for (size_t i = 0; i < a->classes.count; i++) {
        const fragment *f = &a->classes.fragment[i];
        if (f->bucket != BUCKET_UNSPLITTABLE) continue;
        bool mixed = str_is_none(f->reason);
        add(d, NOTE_UNSUPPORTED_FRAGMENT,
            mixed ? str_format(d->query,
                               "'" STR_FMT
                               "' mixes partition and data columns, so its effect cannot be credited to one phase",
                               STR_ARG(f->text))
                  : str_format(d->query, "'" STR_FMT "' cannot be decided from metadata (" STR_FMT ")",
                               STR_ARG(f->text), STR_ARG(f->reason)),
            mixed ? STR("where the meaning allows, write it as conditions joined with AND")
                  : STR("compare the bare column with a literal"));
    }
}

void diagnose(const analysis *a, prune_report *report, arena *query) {
    diagnoses d = {query, &report->diagnosis};
    check_partition_filter(&d, a, report);
    check_statistics(&d, a, report);
    check_fragments(&d, a);
}
