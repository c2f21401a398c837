/* check.c - lp_check: where SQL may repeat, drop or miscount rows.
 * Called by: users of the library, the command.  Must not know: command lines.
 */
#include "api/one_query.h"
#include "api/read_file.h"
#include "api/settings.h"
#include "api/verdict.h"

typedef struct checking {
    lp_report *report;
    const lp_check_options *o;
    settings set;
    check_choice choice;
    bool may_fail; /* --fail-on never: it may not */
    finding_severity fail_on;
    verdict verdict;
} checking;

/* ---- options over settings over defaults ---- */

static lp_status unknown_check(str word, lp_err *err) {
    return err_set(err, LP_ERR_USAGE, "there is no check '" STR_FMT "': they are G001 to G005", STR_ARG(word));
}

static lp_status turn_on(check_choice *choice, text_list codes, lp_err *err) {
    for (size_t i = 0; i < codes.count; i++) {
        finding_code code = finding_code_find(codes.item[i]);
        bool is_counts = str_eq(codes.item[i], STR("counts"));
        if (code == FINDING_CODE_COUNT && !is_counts) return unknown_check(codes.item[i], err);
        if (is_counts)
            choice->counts_of_literals = true;
        else
            choice->on[code] = true;
    }
    return LP_OK;
}

static setting_list list_of(checking *c, const char *option, setting_list set) {
    if (!option) return set;
    return (setting_list){true, text_list_of_commas(&c->report->query, str_copy(&c->report->query, str_from(option)))};
}

static lp_status choose_checks(checking *c, lp_err *err) {
    setting_list checks = list_of(c, c->o->checks, c->set.checks), enable = list_of(c, c->o->enable, c->set.enable);
    c->choice = CHECK_DEFAULT;
    if (checks.is_set) c->choice = (check_choice){0};
    TRY(turn_on(&c->choice, checks.list, err));
    return turn_on(&c->choice, enable.list, err);
}

static lp_status choose_severity(checking *c, lp_err *err) {
    str word = c->o->fail_on ? str_from(c->o->fail_on) : c->set.fail_on;
    c->may_fail = true;
    c->fail_on = FINDING_WARNING;
    if (str_is_none(word) || str_eq(word, STR("warning"))) return LP_OK;
    if (str_eq(word, STR("error"))) {
        c->fail_on = FINDING_ERROR;
        return LP_OK;
    }
    c->may_fail = false;
    if (str_eq(word, STR("never"))) return LP_OK;
    return err_set(err, LP_ERR_USAGE, "fail_on is error, warning or never, not '" STR_FMT "'", STR_ARG(word));
}

static lp_status read_settings(checking *c, lp_err *err) {
    arena *owner = &c->report->query;
    str text;
    if (!c->o->settings) return LP_OK;
    TRY(read_file(owner, str_from(c->o->settings), &text, err));
    return settings_read(owner, text, str_copy(owner, str_from(c->o->settings)), &c->set, err);
}

/* Of a relative name in a file of settings: beside that file. */
static str beside(arena *owner, const char *settings_file, str name) {
    str file = str_from(settings_file);
    size_t slash = file.len;
    while (slash > 0 && file.ptr[slash - 1] != '/') slash--;
    if (slash == 0 || (name.len && name.ptr[0] == '/')) return name;
    return str_format(owner, STR_FMT STR_FMT, STR_ARG(str_slice(file, 0, slash)), STR_ARG(name));
}

static lp_status read_baseline(checking *c, lp_err *err) {
    arena *owner = &c->report->query;
    str name = STR_NONE, text;
    if (c->o->baseline)
        name = str_copy(owner, str_from(c->o->baseline));
    else if (!str_is_none(c->set.baseline))
        name = beside(owner, c->o->settings, c->set.baseline);
    if (str_is_none(name)) return LP_OK;
    TRY(read_file(owner, name, &text, err));
    c->verdict.known = ARENA_NEW(owner, baseline);
    return baseline_read(owner, text, name, c->verdict.known, err);
}

static lp_status prepare(checking *c, lp_err *err) {
    lp_format f = c->o->format;
    if (f != LP_FORMAT_TEXT && f != LP_FORMAT_JSON && f != LP_FORMAT_SARIF && f != LP_FORMAT_GITHUB)
        return err_set(err, LP_ERR_USAGE, "findings are shown as text, JSON, SARIF or workflow commands");
    TRY(read_settings(c, err));
    TRY(choose_checks(c, err));
    TRY(choose_severity(c, err));
    return read_baseline(c, err);
}

/* ---- one query ---- */

static lp_status check_query(checking *c, const one_query *q, lp_err *err) {
    arena *owner = &c->report->query;
    finding_list list;
    finding_list_init(&list, owner);
    grain_check(q->model, &c->choice, (declaration_list){0}, &list);
    const facts *f = grain_facts_of(q->model, q->model->plan->root);
    text_place gap = {0};
    if (f->gap.node) gap = place_index_find(q->model->places, f->gap.at);
    judged_model m = {.model = STR(""),
                      .text = q->text,
                      .dialect = q->dialect,
                      .finding = list.item,
                      .finding_count = list.count,
                      .status = f->status,
                      .gap = f->gap.what,
                      .gap_place = f->gap.node ? &gap : NULL};
    return verdict_take(&c->verdict, &m, err);
}

/* ---- the report ---- */

/* At or above the severity that fails. */
static size_t count_failures(const checking *c) {
    size_t count = check_report_count(&c->verdict.report, FINDING_ERROR);
    if (c->fail_on == FINDING_WARNING) count += check_report_count(&c->verdict.report, FINDING_WARNING);
    return count;
}

static void set_gate(checking *c) {
    size_t failures = c->may_fail ? count_failures(c) : 0;
    c->report->passed = failures == 0;
    if (!failures) return;
    str line = str_format(&c->report->query, "ASSERTION FAILED: %zu finding%s of severity %s (--fail-on %s)\n", failures,
                          failures == 1 ? "" : "s", c->fail_on == FINDING_ERROR ? "error" : "warning or above",
                          c->fail_on == FINDING_ERROR ? "error" : "warning");
    c->report->gates = (report_document){.piece = {{.text = line}}, .count = 1};
}

static void show(checking *c) {
    static void (*const form[])(const check_report *, const check_style *, arena *, report_document *) = {
        [LP_FORMAT_TEXT] = check_text,
        [LP_FORMAT_JSON] = check_json,
        [LP_FORMAT_SARIF] = check_sarif,
        [LP_FORMAT_GITHUB] = check_github};
    const char *subject = c->o->models.sql_name;
    check_style style = {.color = c->o->color,
                         .places = c->verdict.places,
                         .subject = subject ? str_from(subject) : STR("-"),
                         .tool_version = STR(LAKEPROOF_VERSION)};
    form[c->o->format](&c->verdict.report, &style, &c->report->query, &c->report->document);
    baseline_write(&c->verdict.report, &c->report->query, &c->report->baseline);
}

static lp_status check_body(lp_report *report, const void *options, lp_err *err) {
    checking c = {.report = report, .o = options};
    one_query q;
    TRY(prepare(&c, err));
    TRY(one_query_analyse(report, &c.o->models, &q, err));
    if (!report->passed) return LP_OK;
    c.verdict.owner = &report->query;
    c.verdict.choice = &c.choice;
    c.verdict.places = &q.places;
    TRY(check_query(&c, &q, err));
    verdict_end(&c.verdict);
    set_gate(&c);
    show(&c);
    return LP_OK;
}

lp_status lp_check(const lp_check_options *options, lp_report **out, lp_err *err) {
    return report_run_on_log(NULL, check_body, options, out, err); /* there is no table */
}
