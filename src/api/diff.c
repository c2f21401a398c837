/* diff.c - lp_diff: two versions of a table compared and the report rendered.
 * Called by: users of the library, the command.  Must not know: command lines.
 */
#include "api/api_int.h"
#include "report/diff_report.h"

typedef struct diff_question {
    lp_table *before, *after;
    const lp_diff_options *options;
} diff_question;

/* What the predicate reads at a version. A name or a literal that fits no column there is an answer of its own; any
 * other failure is ours. */
static lp_status read_side(lp_report *report, lp_table *t, const lp_diff_options *o, diff_reading *out, lp_err *err) {
    prune_options q = {
        .has_where = true,
        .where = str_copy(&report->query, (str){o->where, o->where_size}),
        .dialect = DIALECT_spark,
        .level = o->level == LP_LEVEL_EXTENDED ? LEVEL_EXTENDED : LEVEL_CONTRACT,
        .nan_strict = o->nan_strict,
        .session_zone = t->session_zone,
        .zones = t->zones,
    };
    prune_report *measured = NULL;
    lp_status status = prune_run(t->snapshot, &q, t->workers, &report->query, &measured, err);
    *out = (diff_reading){.measured = measured};
    if (status != LP_ERR_QUERY) return status;
    out->why = str_copy(&report->query, str_from(err->text));
    return LP_OK;
}

static lp_status read_both(lp_report *report, const diff_question *q, diff_answer *a, lp_err *err) {
    a->has_where = true;
    a->where = str_copy(&report->query, (str){q->options->where, q->options->where_size});
    TRY(read_side(report, q->before, q->options, &a->before, err));
    TRY(read_side(report, q->after, q->options, &a->after, err));
    if (a->before.measured || a->after.measured) return LP_OK;
    return err_set(err, LP_ERR_QUERY, STR_FMT, STR_ARG(a->after.why));
}

static diff_style style_for(const lp_table *t, const lp_diff_options *o) {
    return (diff_style){.color = o->color,
                        .location = o->location ? str_from(o->location) : t->location,
                        .tool_version = STR(LAKEPROOF_VERSION),
                        .level = o->level == LP_LEVEL_EXTENDED ? LEVEL_EXTENDED : LEVEL_CONTRACT,
                        .nan_strict = o->nan_strict,
                        .timezone = t->timezone};
}

/* All scans: of the difference, and of the predicate on both sides. */
static scan_counters sum_counters(const diff_answer *a) {
    scan_counters sum = a->diff->counters;
    const prune_report *side[] = {a->before.measured, a->after.measured};
    for (size_t i = 0; i < 2; i++) {
        if (!side[i]) continue;
        sum.pages_decoded += side[i]->counters.pages_decoded;
        sum.values_decoded += side[i]->counters.values_decoded;
        sum.statistics_parsed += side[i]->counters.statistics_parsed;
        sum.files_seen += side[i]->counters.files_seen;
    }
    return sum;
}

static void render(lp_report *report, const diff_question *q, const diff_answer *a) {
    diff_style style = style_for(q->after, q->options);
    if (q->options->format == LP_FORMAT_JSON)
        diff_json(a, &style, &report->query, &report->document);
    else
        diff_text(a, &style, &report->query, &report->document);
    diff_gates(a, &report->query, &report->gates);
    report->passed = diff_passed(a);
    report->total_files = a->diff->total_after.files;
    (void)diff_files_read(a, true, &report->final_files);
    scan_counters done = sum_counters(a);
    report_count_work(report, &done, a->diff->removed_files.count + a->diff->added_files.count);
}

static lp_status diff_body(lp_report *report, const void *question, lp_err *err) {
    const diff_question *q = question;
    const lp_diff_options *o = q->options;
    bool json = o->format == LP_FORMAT_JSON;
    diff_options how = {.list = o->verbose,
                        .has_limit = o->has_limit,
                        .limit = o->limit,
                        .print = json ? diff_row_json : diff_row_text,
                        .print_context = (void *)&o->color,
                        .separator = json ? DIFF_SEPARATOR_JSON : DIFF_SEPARATOR_TEXT};
    diff_answer a = {.has_max_growth = o->has_max_growth, .max_growth = o->max_growth};
    snapshot_diff *found;
    report->other_table = q->before;
    if (o->where) TRY(read_both(report, q, &a, err)); /* a mistake in the predicate shows at once */
    TRY(diff_run(q->before->snapshot, q->before->workers, q->after->snapshot, q->after->workers, &how, &report->query,
                 &found, err));
    a.diff = found;
    render(report, q, &a);
    return LP_OK;
}

lp_status lp_diff(lp_table *before, lp_table *after, const lp_diff_options *options, lp_report **out, lp_err *err) {
    *out = NULL;
    if (options->format != LP_FORMAT_TEXT && options->format != LP_FORMAT_JSON)
        return err_set(err, LP_ERR_USAGE, "a difference is text or JSON");
    if (!before->snapshot) return err_set(err, LP_ERR_USAGE, "only the log of the table was opened");
    diff_question question = {before, after, options};
    return report_run(after, diff_body, &question, out, err);
}
