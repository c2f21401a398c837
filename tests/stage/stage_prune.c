/* stage_prune.c - the stages of the rooms predicate and prune: import, norm, classify, lower, eval, why.
 * Called by: tests/stage/stage.c.  Must not know: other rooms' stages.
 *
 * All need a `table` block (table_block.h). Flags: `extended` (level), `drop-in` (as delta-explain), `strict` (NaN);
 * zone=NAME. `eval` prints what the whole predicate can give for each file and whether it is kept; `why` prints the tree for
 * each file with its facts. `indexed=N` is the table's number of columns that get statistics.
 */
#include "predicate/import.h"
#include "prune/analysis.h"
#include "prune/trace.h"
#include "report/why_report.h"
#include "stage.h"
#include "table_block.h"

typedef struct stage_query {
    table_block table;
    prune_options options;
    analysis analysis;
} stage_query;

static lp_status open_table(stage_call *call, stage_query *q, lp_err *err) {
    str text = stage_setup_text(call, "table");
    if (str_is_none(text)) return err_set(err, LP_ERR_USAGE, "this stage needs a table block");
    zone_database *zones = zone_database_new(call->work);
    const zone *session;
    TRY(zone_find(zones, stage_arg(call, "zone", "UTC"), &session, err));
    q->options = (prune_options){
        .has_where = true,
        .where = call->input,
        .dialect = DIALECT_spark,
        .level = stage_flag(call, "extended") ? LEVEL_EXTENDED : LEVEL_CONTRACT,
        .nan_strict = stage_flag(call, "strict"),
        .as_delta_explain = stage_flag(call, "drop-in"),
        .session_zone = session,
        .zones = zones,
    };
    return table_block_parse(call->work, text, session, &q->table, err);
}

static lp_status analyse(stage_call *call, stage_query *q, lp_err *err) {
    TRY(open_table(call, q, err));
    TRY(analysis_make(&q->table.schema, &q->options, call->work, &q->analysis, err));
    analysis_place_columns(&q->analysis, true, true);
    return LP_OK;
}

static void print_tree(stage_call *call, const predicate *p) {
    predicate_print(call->out, p);
    buf_put_char(call->out, '\n');
    if (stage_flag(call, "tree")) predicate_dump(call->out, p);
}

lp_status stage_import(stage_call *call, lp_err *err) {
    stage_query q;
    TRY(analyse(call, &q, err));
    print_tree(call, q.analysis.imported);
    return LP_OK;
}

lp_status stage_norm(stage_call *call, lp_err *err) {
    stage_query q;
    TRY(analyse(call, &q, err));
    print_tree(call, q.analysis.normalized);
    return LP_OK;
}

lp_status stage_classify(stage_call *call, lp_err *err) {
    stage_query q;
    TRY(analyse(call, &q, err));
    for (size_t i = 0; i < q.analysis.classes.count; i++) {
        const fragment *f = &q.analysis.classes.fragment[i];
        stage_line(call, STR_FMT "%s: " STR_FMT, STR_ARG(bucket_name(f->bucket)),
                   f->bucket != BUCKET_UNSPLITTABLE ? ""
                   : f->scanned                     ? " (scanned)"
                                                    : " (left out)",
                   STR_ARG(f->text));
        if (!str_is_none(f->reason)) stage_line(call, "  because of " STR_FMT, STR_ARG(f->reason));
    }
    return LP_OK;
}

lp_status stage_lower(stage_call *call, lp_err *err) {
    stage_query q;
    TRY(analyse(call, &q, err));
    if (q.analysis.has_partition_safe)
        buf_put(call->out, STR("partition\n")), program_print(call->out, q.analysis.partition_safe, &q.analysis.slots);
    if (q.analysis.has_partition_exact)
        buf_put(call->out, STR("partition by text\n")),
            program_print(call->out, q.analysis.partition_exact, &q.analysis.slots);
    if (q.analysis.has_stats_safe || q.analysis.has_unsplittable)
        buf_put(call->out, STR("statistics\n")), program_print(call->out, q.analysis.data, &q.analysis.slots);
    return LP_OK;
}

static void load_domains(const stage_query *q, const live_file *f, column_domain *domain) {
    fact_rules rules = {!q->options.nan_strict, q->options.as_delta_explain};
    for (size_t i = 0; i < q->analysis.slots.count; i++) {
        const program_slot *slot = &q->analysis.slots.slot[i];
        if (slot->is_partition) {
            domain_from_partition(&slot->column->type, &f->partition[slot->index], rules, &domain[i]);
            continue;
        }
        bool known = f->stats.column && slot->index != SLOT_WITHOUT_STATS;
        domain_from_stats(&slot->column->type, &f->stats, known ? &f->stats.column[slot->index] : NULL, rules,
                          &domain[i]);
    }
    derive_apply(&q->analysis.derived, domain);
}

static const char *set_name(outcome_set s) {
    static const char *const name[] = {"nothing", "TRUE",      "FALSE",      "TRUE FALSE",
                                       "NULL",    "TRUE NULL", "FALSE NULL", "anything"};
    return name[s];
}

lp_status stage_eval(stage_call *call, lp_err *err) {
    stage_query q;
    TRY(analyse(call, &q, err));
    column_domain *domain = ARENA_ARRAY(call->work, column_domain, q.analysis.slots.count);
    const program *part[] = {q.analysis.partition_safe, q.analysis.partition_exact, q.analysis.data};
    for (size_t i = 0; i < q.table.count; i++) {
        load_domains(&q, &q.table.file[i].file, domain);
        outcome_set set = OUTCOME_TRUE;
        bool abstained = false;
        for (size_t k = 0; k < 3; k++) {
            program_run run = {.stack = ARENA_ARRAY(call->work, outcome_set, program_stack_size(part[k])),
                               .scratch = call->work,
                               .slot_count = q.analysis.slots.count};
            set = outcome_and(set, program_evaluate(part[k], domain, &run));
            abstained |= run.abstained;
        }
        stage_line(call,
                   "%-8s %-8s "
                   "%s%s",
                   q.table.file[i].name.ptr ? str_copy(call->work, q.table.file[i].name).ptr : "",
                   outcome_can_be_true(set) ? "kept" : "dropped", set_name(set), abstained ? ", abstained" : "");
    }
    return LP_OK;
}

static outcome_set whole_outcome(stage_call *call, const analysis *a, const column_domain *domain) {
    const program *part[3] = {a->partition_safe, a->partition_exact, a->data};
    outcome_set set = OUTCOME_TRUE;
    for (size_t k = 0; k < 3; k++) {
        program_run run = {.stack = ARENA_ARRAY(call->work, outcome_set, program_stack_size(part[k])),
                           .scratch = call->work,
                           .slot_count = a->slots.count};
        set = outcome_and(set, program_evaluate(part[k], domain, &run));
    }
    return set;
}

lp_status stage_why(stage_call *call, lp_err *err) {
    stage_query q;
    TRY(analyse(call, &q, err));
    const analysis *a = &q.analysis;
    column_domain *domain = ARENA_ARRAY(call->work, column_domain, a->slots.count);
    property indexed = {STR("delta.dataSkippingNumIndexedCols"), stage_arg(call, "indexed", "32")};
    snapshot table = {.schema = q.table.schema, .configuration = &indexed, .configuration_count = 1};
    fact_rules rules = {!q.options.nan_strict, q.options.as_delta_explain};
    const tracer *t = tracer_new(a, &table, rules, q.options.level, call->work);
    for (size_t i = 0; i < q.table.count; i++) {
        live_file *f = &q.table.file[i].file;
        load_domains(&q, f, domain);
        bool kept = outcome_can_be_true(whole_outcome(call, a, domain));
        stage_line(call, STR_FMT " %s", STR_ARG(q.table.file[i].name), kept ? "kept" : "dropped");
        why_tree_text(call->out, trace_file(t, f, kept, call->work), false);
    }
    return LP_OK;
}
