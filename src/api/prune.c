/* prune.c - lp_prune: a predicate measured and its report rendered.
 * Called by: users of the library, the command.  Must not know: command lines.
 */
#include "api/api_int.h"

/* A listing exists only inside the phases of a text report, so without a predicate there is none. */
static listing_kind listing_for(const lp_prune_options *o) {
    if (!o->verbose) return LISTING_NONE;
    if (o->format == LP_FORMAT_JSON) return LISTING_FILES;
    return o->where ? LISTING_PHASES : LISTING_NONE;
}

static prune_options question(const lp_table *t, const lp_prune_options *o, lp_report *report) {
    bool json = o->format == LP_FORMAT_JSON, drop_in = o->voice == LP_VOICE_DELTA_EXPLAIN;
    prune_options q = {
        .has_where = o->where != NULL,
        .dialect = DIALECT_spark,
        .level = o->level == LP_LEVEL_EXTENDED ? LEVEL_EXTENDED : LEVEL_CONTRACT,
        .nan_strict = o->nan_strict,
        .as_delta_explain = drop_in,
        .session_zone = t->session_zone,
        .zones = t->zones,
        .has_min_pruning = o->has_min_pruning,
        .min_pruning = o->min_pruning,
        .assert_stats = o->assert_stats,
        .explain_why = o->explain_why,
        .need_file_stats = json || (o->explain_why && o->where),
        .listing = listing_for(o),
        .explain_files = json && !drop_in && o->verbose && o->where,
        .has_limit = o->has_limit,
        .limit = o->limit,
        .print = json ? listing_print_json : listing_print_text,
        .listing_separator = json ? LISTING_SEPARATOR_JSON : LISTING_SEPARATOR_TEXT,
        .debug_ir = o->debug_ir ? &report->debug_ir : NULL,
    };
    if (o->where) q.where = str_copy(&report->query, (str){o->where, o->where_size});
    if (q.listing != LISTING_NONE)
        q.print_context = file_listing_new(&t->snapshot->schema, drop_in, o->color, &report->query);
    return q;
}

static report_style style_for(const lp_table *t, const lp_prune_options *o, int64_t elapsed_ms) {
    return (report_style){
        .drop_in = o->voice == LP_VOICE_DELTA_EXPLAIN,
        .verbose = o->verbose,
        .color = o->color,
        .location = o->location ? str_from(o->location) : t->location,
        .tool_version = STR(LAKEPROOF_VERSION),
        .elapsed_ms = elapsed_ms,
        .level = o->level == LP_LEVEL_EXTENDED ? LEVEL_EXTENDED : LEVEL_CONTRACT,
        .nan_strict = o->nan_strict,
        .dialect = STR("spark"),
        .timezone = t->timezone,
    };
}

static uint64_t listed_files(const prune_report *r) {
    return r->listed + r->phase[0].listed + r->phase[1].listed;
}

static lp_status prune_body(lp_report *report, const void *question_options, lp_err *err) {
    const lp_prune_options *options = question_options;
    lp_table *t = report->table;
    int64_t start = report_clock_ms();
    buf_init(&report->debug_ir, &report->query, SIZE_MAX / 2);
    prune_options q = question(t, options, report);
    int64_t now_ms;
    TRY(report_find_now(t, options->now, &now_ms, err));
    q.now_micros = now_ms * 1000;
    prune_report *measured;
    TRY(prune_run(t->snapshot, &q, t->workers, &report->query, &measured, err));
    report_style style = style_for(t, options, report_clock_ms() - start);
    if (options->format == LP_FORMAT_JSON)
        report_json(measured, &style, &report->query, &report->document);
    else
        report_text(measured, &style, &report->query, &report->document);
    report_gates(measured, &report->query, &report->gates);
    report->passed = report_passed(measured);
    report->total_files = measured->total_files;
    report->final_files = measured->final_files;
    report_count_work(report, &measured->counters, listed_files(measured));
    return LP_OK;
}

lp_status lp_prune(lp_table *table, const lp_prune_options *options, lp_report **out, lp_err *err) {
    *out = NULL;
    if (options->has_min_pruning && !options->where) return err_set(err, LP_ERR_USAGE, "min_pruning needs a predicate");
    if (options->format != LP_FORMAT_TEXT && options->format != LP_FORMAT_JSON)
        return err_set(err, LP_ERR_USAGE, "a prune report is text or JSON");
    return report_run(table, prune_body, options, out, err);
}
