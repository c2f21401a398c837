/* measure.c - the visitor of the scan: verdicts, counts and listings, per work item and merged in log order.
 * Called by: prune/prune.c.  Must not know: text or JSON output, messages.
 *
 * The three nested scans of the contract are one pass: a file is evaluated against the partition fragments first, and
 * against the rest only if it survives. The survivor sets are nested by construction, and a file is lost at one point.
 */
#include "prune/measure.h"

#include <string.h>

#include "prune/domains.h"
#include "prune/trace.h"

enum { ITEM_SPOOL_BYTES = 1 << 20, LISTING_SPOOL_BYTES = 64 << 20 };

/* What all work items share; read-only while they run, but for the totals, which only `merge` changes. */
typedef struct meter {
    const prune_options *options;
    const analysis *a;
    arena *query;
    measurement *total;
    scan_request request;
    fact_rules rules; /* strict_rules: the same without trust in float maxima */
    fact_rules strict_rules;
    size_t listing_count; /* 0, 1 or 2 */
    size_t phase_count;
    phase_kind phase[2];
    const tracer *tracer; /* with explain_files */
} meter;

/* One listing of a work item; with a limit, where each entry ends. */
typedef struct item_listing {
    spool *text;
    uint64_t count, left_out;
    uint64_t *entry_end;
    size_t entry_capacity;
} item_listing;

typedef enum verdict { VERDICT_KEPT, VERDICT_LOST_TO_PARTITION, VERDICT_LOST_TO_DATA } verdict;

/* What the partition fragments say of the files whose partition texts have this id (live_file.partition_id). */
typedef struct partition_verdict {
    uint64_t id_plus_1; /* 0 where nothing is known yet */
    bool kept;
    bool is_gap; /* kept for want of a value */
} partition_verdict;

enum { PARTITION_VERDICTS = 256 }; /* kept at a time, by the lowest bits of their ids */

typedef struct item_state {
    meter *m;
    arena *scratch;  /* ends with the item */
    arena temporary; /* reset file by file */
    column_domain *domain;
    partition_verdict *partition_verdict;
    program_run run;
    bool *survives; /* the files of the batch after the partition phase */
    size_t survives_capacity;
    measurement count;
    item_listing listing[2];
    buf entry;
} item_state;

/* ----------------------------------------------------------------------------------------------- evaluation */

static void end_arena(void *resource) {
    arena_end(resource);
}

static size_t largest_stack(const analysis *a) {
    size_t most = program_stack_size(a->partition_safe);
    if (program_stack_size(a->partition_exact) > most) most = program_stack_size(a->partition_exact);
    return program_stack_size(a->data) > most ? program_stack_size(a->data) : most;
}

static void *begin_item(void *context, arena *scratch) {
    meter *m = context;
    defer_slot *end = arena_defer(scratch, end_arena);
    item_state *s = ARENA_NEW(scratch, item_state);
    s->m = m;
    s->scratch = scratch;
    arena_init(&s->temporary, 0);
    end->resource = &s->temporary;
    if (m->a) {
        s->domain = ARENA_ARRAY(scratch, column_domain, m->a->slots.count);
        s->run = (program_run){.stack = ARENA_ARRAY(scratch, outcome_set, largest_stack(m->a)),
                               .scratch = &s->temporary,
                               .slot_count = m->a->slots.count};
        s->count.covered = ARENA_ARRAY(scratch, uint64_t, m->a->need_count);
        s->partition_verdict = ARENA_ARRAY(scratch, partition_verdict, PARTITION_VERDICTS);
    }
    buf_init(&s->entry, scratch, SIZE_MAX / 2);
    for (size_t i = 0; i < m->listing_count; i++) s->listing[i].text = spool_new(scratch, ITEM_SPOOL_BYTES);
    if (m->options->assert_stats) s->count.paths_without_stats = spool_new(scratch, ITEM_SPOOL_BYTES);
    return s;
}

/* True if one of the partition columns is unknown. */
static bool load_partition_domains(item_state *s, const live_file *f) {
    return domains_of_partitions(&s->m->a->slots, f, s->m->rules, s->domain, &s->count.zone_assumed);
}

static void load_stats_domains(item_state *s, const live_file *f, fact_rules rules) {
    domains_of_statistics(&s->m->a->slots, f, rules, s->domain);
    domains_narrow(s->m->a, f, s->m->options->level, s->domain);
}

static partition_verdict judge_partition(item_state *s, const live_file *f) {
    const analysis *a = s->m->a;
    bool unknown = load_partition_domains(s, f);
    outcome_set safe = program_evaluate(a->partition_safe, s->domain, &s->run);
    s->run.abstained = unknown;
    outcome_set exact = program_evaluate(a->partition_exact, s->domain, &s->run);
    outcome_set both = outcome_and(safe, exact);
    bool kept = outcome_can_be_true(both);
    return (partition_verdict){
        .id_plus_1 = f->partition_id + 1, .kept = kept, .is_gap = kept && s->run.abstained && both != OUTCOME_TRUE};
}

/* The fragments see partition values only, so files with the same texts fare alike: each text is judged about once. */
static bool survives_partition(item_state *s, const live_file *f) {
    partition_verdict *v = &s->partition_verdict[f->partition_id % PARTITION_VERDICTS];
    if (v->id_plus_1 != f->partition_id + 1) *v = judge_partition(s, f);
    s->count.gap_files += v->is_gap;
    return v->kept;
}

/* Nothing is asked of an empty file, and nothing in it can match. */
static bool is_empty_file(const live_file *f) {
    return f->stats_loaded && f->stats.record_count_known && f->stats.record_count == 0;
}

static bool survives_data(item_state *s, const live_file *f) {
    const analysis *a = s->m->a;
    if (!a->has_stats_safe && !a->has_unsplittable) return true;
    if (is_empty_file(f) && (a->has_stats_safe || a->stripped_count == 0)) return false;
    load_stats_domains(s, f, s->m->rules);
    if (outcome_can_be_true(program_evaluate(a->data, s->domain, &s->run))) return true;
    if (program_has_float(a->data) && s->m->rules.trust_float_max) {
        load_stats_domains(s, f, s->m->strict_rules);
        s->count.nan_trusted_files += outcome_can_be_true(program_evaluate(a->data, s->domain, &s->run));
    }
    return false;
}

/* ------------------------------------------------------------------------------------------------- counting */

static bool is_covered(const coverage_need *need, const file_stats *f) {
    if (!f->column || need->stats_index == SLOT_WITHOUT_STATS) return false;
    const column_stats *c = &f->column[need->stats_index];
    switch (need->requirement) {
    case REQUIRE_MIN_MAX: return c->min.state == CELL_VALUE && c->max.state == CELL_VALUE;
    case REQUIRE_NULL_COUNT: return c->null_count_state == COUNT_KNOWN;
    case REQUIRE_NULL_COUNT_AND_NUM_RECORDS: return c->null_count_state == COUNT_KNOWN && f->record_count_known;
    }
    UNREACHABLE();
}

static void count_coverage(item_state *s, const live_file *f) {
    for (size_t i = 0; i < s->m->a->need_count; i++) s->count.covered[i] += is_covered(&s->m->a->need[i], &f->stats);
}

static lp_status count_statistics(item_state *s, const live_file *f, lp_err *err) {
    if (!s->m->request.want_record_count) return LP_OK;
    s->count.with_stats += f->stats.has_stats;
    if (!s->m->options->assert_stats || f->stats.has_stats) return LP_OK;
    s->count.without_stats++;
    TRY(spool_put(s->count.paths_without_stats, STR("  "), err));
    TRY(spool_put(s->count.paths_without_stats, f->path, err));
    return spool_put(s->count.paths_without_stats, STR("\n"), err);
}

/* ------------------------------------------------------------------------------------------------- listings */

static void note_entry_end(item_state *s, item_listing *l) {
    if (!s->m->options->has_limit) return;
    if (l->count == l->entry_capacity) {
        size_t capacity = l->entry_capacity ? l->entry_capacity * 2 : 64;
        uint64_t *grown = ARENA_ARRAY(s->scratch, uint64_t, capacity);
        if (l->count) memcpy(grown, l->entry_end, (size_t)l->count * sizeof *grown);
        l->entry_end = grown;
        l->entry_capacity = capacity;
    }
    l->entry_end[l->count] = spool_size(l->text);
}

static lp_status list_file(item_state *s, size_t listing, const file_verdict *v, lp_err *err) {
    const prune_options *o = s->m->options;
    item_listing *l = &s->listing[listing];
    if (o->has_limit && l->count >= o->limit) {
        l->left_out++;
        return LP_OK;
    }
    buf_reset(&s->entry);
    if (l->count > 0) buf_put(&s->entry, o->listing_separator);
    o->print(o->print_context, &s->entry, v);
    TRY(spool_put(l->text, buf_str(&s->entry), err));
    note_entry_end(s, l);
    l->count++;
    return LP_OK;
}

static lp_status list_by_phase(item_state *s, const live_file *f, verdict given, lp_err *err) {
    for (size_t i = 0; i < s->m->phase_count; i++) {
        verdict lost = s->m->phase[i] == PHASE_PARTITION ? VERDICT_LOST_TO_PARTITION : VERDICT_LOST_TO_DATA;
        file_verdict v = {
            .file = f, .kept = given != lost, .was_dropped_by_a_phase = given == lost, .dropped_by = s->m->phase[i]};
        TRY(list_file(s, i, &v, err));
        if (given == lost) return LP_OK; /* it does not enter the next phase */
    }
    return LP_OK;
}

static lp_status list_whole(item_state *s, const live_file *f, verdict given, lp_err *err) {
    bool kept = given == VERDICT_KEPT;
    file_verdict v = {.file = f,
                      .kept = kept,
                      .why = s->m->tracer ? trace_file(s->m->tracer, f, kept, &s->temporary) : NULL,
                      .recorded_in = s->m->tracer ? trace_source(f, &s->temporary) : STR_NONE,
                      .was_dropped_by_a_phase = !kept,
                      .dropped_by = given == VERDICT_LOST_TO_DATA ? PHASE_SKIPPING : PHASE_PARTITION};
    return list_file(s, 0, &v, err);
}

static lp_status list_verdict(item_state *s, const live_file *f, verdict given, lp_err *err) {
    switch (s->m->options->listing) {
    case LISTING_NONE: return LP_OK;
    case LISTING_PHASES: return list_by_phase(s, f, given, err);
    case LISTING_FILES: return list_whole(s, f, given, err);
    }
    UNREACHABLE();
}

/* ---------------------------------------------------------------------------------------------- the visitor */

static void reserve_survivors(item_state *s, size_t count) {
    if (count <= s->survives_capacity) return;
    s->survives = ARENA_ARRAY(s->scratch, bool, count);
    s->survives_capacity = count;
}

/* Is the question about this file? */
static bool is_asked(const prune_options *o, const live_file *f) {
    if (str_is_none(o->only_file) || str_eq(o->only_file, f->path)) return true;
    size_t stem = f->path.len + 1; /* PATH#ID */
    return !str_is_none(f->dv_id) && o->only_file.len == stem + f->dv_id.len &&
           str_starts_with(o->only_file, f->path) && o->only_file.ptr[stem - 1] == '#' &&
           str_ends_with(o->only_file, f->dv_id);
}

static void select_files(void *context, void *state, file_batch *batch) {
    meter *m = context;
    item_state *s = state;
    bool data = m->a && (m->a->has_stats_safe || m->a->has_unsplittable);
    reserve_survivors(s, batch->count);
    for (size_t i = 0; i < batch->count; i++) {
        live_file *f = &batch->file[i];
        bool asked = is_asked(m->options, f);
        s->survives[i] = asked && (!m->a || survives_partition(s, f));
        f->want_stats = (data && s->survives[i]) || m->options->listing == LISTING_PHASES || (m->tracer && asked);
        if (s->temporary.used_bytes) arena_reset(&s->temporary);
    }
}

static lp_status take_file(item_state *s, const live_file *f, bool survived, lp_err *err) {
    verdict given = survived ? VERDICT_KEPT : VERDICT_LOST_TO_PARTITION;
    s->count.total++;
    s->count.with_dv += f->has_dv;
    if (!is_asked(s->m->options, f)) return LP_OK;
    TRY(count_statistics(s, f, err));
    if (survived && s->m->a) {
        s->count.after_partition++;
        count_coverage(s, f);
        if (!survives_data(s, f)) given = VERDICT_LOST_TO_DATA;
    }
    s->count.after_data += given == VERDICT_KEPT;
    return list_verdict(s, f, given, err);
}

/* Do the data fragments read partition values too? */
static bool needs_partition_values(const analysis *a) {
    return a->has_unsplittable || a->derived.count > 0 || a->derived.forward_count > 0;
}

static lp_status take_batch(void *context, void *state, const file_batch *batch, lp_err *err) {
    (void)context;
    item_state *s = state;
    for (size_t i = 0; i < batch->count; i++) {
        const live_file *f = &batch->file[i];
        /* Bring this file's partition values back. */
        if (s->survives[i] && s->m->a && needs_partition_values(s->m->a)) (void)load_partition_domains(s, f);
        TRY(take_file(s, f, s->survives[i], err));
        if (s->temporary.used_bytes) arena_reset(&s->temporary);
    }
    return LP_OK;
}

/* Append the first `count` entries of an item's listing. */
static lp_status append_entries(spool *to, const item_listing *from, uint64_t count, lp_err *err) {
    if (count == from->count) return spool_append(to, from->text, err);
    char block[8192];
    uint64_t end = from->entry_end[count - 1];
    for (uint64_t at = 0; at < end;) {
        size_t size = end - at < sizeof block ? (size_t)(end - at) : sizeof block;
        TRY(spool_read(from->text, at, block, size, err));
        TRY(spool_put(to, (str){block, size}, err));
        at += size;
    }
    return LP_OK;
}

static lp_status merge_listing(meter *m, size_t i, const item_listing *l, lp_err *err) {
    measurement *t = m->total;
    uint64_t room = m->options->has_limit ? m->options->limit - t->listed[i] : UINT64_MAX;
    uint64_t taken = l->count < room ? l->count : room;
    t->not_listed[i] += l->left_out + (l->count - taken);
    if (taken == 0) return LP_OK;
    if (t->listed[i] > 0) TRY(spool_put(t->listing[i], m->options->listing_separator, err));
    t->listed[i] += taken;
    return append_entries(t->listing[i], l, taken, err);
}

static lp_status merge_item(void *context, void *state, lp_err *err) {
    meter *m = context;
    const item_state *s = state;
    measurement *t = m->total;
    t->total += s->count.total;
    t->after_partition += s->count.after_partition;
    t->after_data += s->count.after_data;
    t->gap_files += s->count.gap_files;
    t->nan_trusted_files += s->count.nan_trusted_files;
    t->zone_assumed |= s->count.zone_assumed;
    t->with_dv += s->count.with_dv;
    t->with_stats += s->count.with_stats;
    t->without_stats += s->count.without_stats;
    for (size_t i = 0; m->a && i < m->a->need_count; i++) t->covered[i] += s->count.covered[i];
    for (size_t i = 0; i < m->listing_count; i++) TRY(merge_listing(m, i, &s->listing[i], err));
    if (m->options->assert_stats) TRY(spool_append(t->paths_without_stats, s->count.paths_without_stats, err));
    return LP_OK;
}

/* ----------------------------------------------------------------------------------------------- the request */

static void request_columns(meter *m, const snapshot *table) {
    const schema *s = &table->schema;
    bool every_leaf = m->options->listing == LISTING_PHASES;
    size_t stats_count = every_leaf ? s->leaf_count : m->a ? m->a->slots.stats_count : 0;
    stats_column *stats = ARENA_ARRAY(m->query, stats_column, stats_count);
    for (size_t i = 0; every_leaf && i < s->leaf_count; i++) stats[i] = (stats_column){s->leaf[i], true, true};
    for (size_t i = 0; m->a && i < m->a->slots.count; i++) {
        const program_slot *slot = &m->a->slots.slot[i];
        if (!slot->is_partition && !every_leaf && slot->index != SLOT_WITHOUT_STATS)
            stats[slot->index] = (stats_column){slot->column, slot->want_bounds, slot->want_null_count};
    }
    m->request.stats = stats;
    m->request.stats_count = stats_count;
}

static void request_partition_columns(meter *m, const snapshot *table) {
    const schema *s = &table->schema;
    bool all = m->options->listing != LISTING_NONE;
    size_t count = all ? s->partition_count : m->a ? m->a->slots.partition_count : 0;
    const column **wanted = ARENA_ARRAY(m->query, const column *, count);
    for (size_t i = 0; all && i < count; i++) wanted[i] = s->partition[i];
    for (size_t i = 0; !all && m->a && i < m->a->slots.count; i++)
        if (m->a->slots.slot[i].is_partition) wanted[m->a->slots.slot[i].index] = m->a->slots.slot[i].column;
    m->request.partition = wanted;
    m->request.partition_count = count;
}

static void make_request(meter *m, const snapshot *table) {
    const prune_options *o = m->options;
    bool listing = o->listing != LISTING_NONE;
    m->request = (scan_request){
        .want_path = listing || o->assert_stats,
        .want_size = listing,
        .want_source = o->explain_files,
        .want_record_count = (listing && str_is_none(o->only_file)) || o->need_file_stats || o->assert_stats,
        .session_zone = o->session_zone,
        .zones = o->zones,
    };
    request_columns(m, table);
    request_partition_columns(m, table);
}

static void plan_phases(meter *m) {
    const analysis *a = m->a;
    if (a && (a->has_partition_safe || a->has_partition_exact)) m->phase[m->phase_count++] = PHASE_PARTITION;
    if (a && (a->has_stats_safe || a->has_unsplittable)) m->phase[m->phase_count++] = PHASE_SKIPPING;
    m->listing_count = m->options->listing == LISTING_PHASES  ? m->phase_count
                       : m->options->listing == LISTING_FILES ? 1
                                                              : 0;
}

lp_status measure(snapshot *table, const analysis *a, const prune_options *options, pool *workers, arena *query,
                  measurement *out, lp_err *err) {
    *out = (measurement){0};
    meter m = {.options = options, .a = a, .query = query, .total = out};
    m.strict_rules.as_delta_explain = options->as_delta_explain;
    m.rules = m.strict_rules;
    m.rules.trust_float_max = !options->nan_strict && table->writer_known;
    if (a) out->covered = ARENA_ARRAY(query, uint64_t, a->need_count);
    plan_phases(&m);
    for (size_t i = 0; i < m.listing_count; i++) out->listing[i] = spool_new(query, LISTING_SPOOL_BYTES);
    if (options->assert_stats) out->paths_without_stats = spool_new(query, LISTING_SPOOL_BYTES);
    if (a && options->explain_files) m.tracer = tracer_new(a, table, m.rules, options->level, query);
    make_request(&m, table);
    scan_visitor visitor = {&m, begin_item, select_files, take_batch, merge_item};
    TRY(snapshot_scan(table, &m.request, workers, &visitor, &out->counters, err));
    if (!a) out->after_partition = out->total;
    return LP_OK;
}
