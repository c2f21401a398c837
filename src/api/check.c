/* check.c - lp_check: where SQL may repeat, drop or miscount rows.
 * Called by: users of the library, the command.  Must not know: command lines.
 */
#include <string.h>

#include "api/delta_source.h"
#include "api/one_query.h"
#include "api/project_models.h"
#include "api/read_file.h"
#include "api/verdict.h"

typedef struct checking {
    lp_report *report;
    const lp_check_options *o;
    settings set;
    str settings_name; /* STR_NONE: none were read */
    check_choice choice;
    bool may_fail; /* --fail-on never: it may not */
    finding_severity fail_on;
    verdict verdict;
} checking;

/* ---- options over settings over defaults ---- */

static lp_status unknown_check(str word, lp_err *err) {
    return err_set(err, LP_ERR_USAGE, "there is no check '" STR_FMT "': they are G001 to G005, and the word counts", STR_ARG(word));
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
    if (checks.is_set && !checks.list.count)
        return err_set(err, LP_ERR_USAGE, "no check is named in the list of checks: they are G001 to G005");
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
    c->settings_name = str_copy(owner, str_from(c->o->settings));
    TRY(read_file(owner, c->settings_name, &text, err));
    return settings_read(owner, text, c->settings_name, &c->set, err);
}

/* Of a relative name in a file of settings: beside that file. */
static str beside(arena *owner, str file, str name) {
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
        name = beside(owner, c->settings_name, c->set.baseline);
    if (str_is_none(name)) return LP_OK;
    TRY(read_file(owner, name, &text, err));
    c->verdict.known = ARENA_NEW(owner, baseline);
    return baseline_read(owner, text, name, c->verdict.known, err);
}

static lp_status check_format(const lp_check_options *o, lp_err *err) {
    lp_format f = o->format;
    if (!o->models.sql && !o->models.project)
        return err_set(err, LP_ERR_USAGE, "a query or a project is checked");
    if (f != LP_FORMAT_TEXT && f != LP_FORMAT_JSON && f != LP_FORMAT_SARIF && f != LP_FORMAT_GITHUB)
        return err_set(err, LP_ERR_USAGE, "findings are shown as text, JSON, SARIF or workflow commands");
    return LP_OK;
}

/* What settings and options say together. */
static lp_status choose(checking *c, lp_err *err) {
    c->verdict.owner = &c->report->query;
    c->verdict.choice = &c->choice;
    TRY(choose_checks(c, err));
    TRY(choose_severity(c, err));
    return read_baseline(c, err);
}

/* ---- one query ---- */

static lp_status check_query(checking *c, lp_err *err) {
    one_query query, *q = &query;
    finding_list list;
    TRY(read_settings(c, err));
    TRY(choose(c, err));
    TRY(one_query_analyse(c->report, &c->o->models, q, err));
    if (!c->report->passed) return LP_OK;
    place_finder *places = ARENA_NEW(&c->report->query, place_finder);
    *places = q->places;
    c->verdict.places = places;
    finding_list_init(&list, &c->report->query);
    grain_check(q->model, &c->choice, (declaration_list){0}, &list);
    const facts *f = grain_facts_of(q->model, q->model->plan->root);
    fact_gap why = f->gap;
    text_place gap = {0};
    if (f->status == FACTS_KNOWN) why = (fact_gap){.what = STR("")}, (void)grain_undecided(q->model, &why);
    if (why.node) gap = place_index_find(q->model->places, why.at);
    judged_model m = {.model = STR(""),
                      .text = q->text,
                      .dialect = q->dialect,
                      .finding = list.item,
                      .finding_count = list.count,
                      .status = f->status,
                      .gap = why.what,
                      .gap_place = why.node ? &gap : NULL};
    return verdict_take(&c->verdict, &m, err);
}

/* ---- a project ---- */

static text_list texts_of(checking *c, const char *option, setting_list set) {
    if (!option) return set.list;
    str *one = ARENA_NEW(&c->report->query, str);
    *one = str_copy(&c->report->query, str_from(option));
    return (text_list){one, 1};
}

/* One a line, or with commas. */
static text_list file_list(checking *c) {
    str text = str_copy(&c->report->query, str_from(c->o->files));
    for (size_t i = 0; i < text.len; i++) {
        char *at = (char *)(uintptr_t)&text.ptr[i];
        if (*at == '\n' || *at == '\r') *at = ',';
    }
    return text_list_of_commas(&c->report->query, text);
}

/* A list that chooses nothing, of a variable that is not set perhaps: nothing would be checked, without a word. */
static bool is_blank(text_list list) {
    for (size_t i = 0; i < list.count; i++)
        for (size_t k = 0; k < list.item[i].len; k++)
            if (!strchr(" \t\r\n,", list.item[i].ptr[k])) return false;
    return list.count > 0;
}

static void tell_miss(checking *c, const char *option, str part) {
    if (str_is_none(part)) return;
    verdict_note(&c->verdict, NOTE_SELECTION_EMPTY,
                 str_format(&c->report->query, "'" STR_FMT "' of --%s fits no model", STR_ARG(part), option), STR(""), NULL);
}

static lp_status choose_models(checking *c, project_models *m, lp_err *err) {
    project_misses misses;
    text_list files = {0};
    text_list select = texts_of(c, c->o->select, c->set.select);
    if (c->o->files) files = file_list(c);
    if (is_blank(select)) tell_miss(c, "select", STR(""));
    TRY(project_models_choose(m, select, texts_of(c, c->o->exclude, c->set.exclude),
                              c->o->files ? &files : NULL, &misses, err));
    tell_miss(c, "select", misses.select);
    tell_miss(c, "exclude", misses.exclude);
    return LP_OK;
}

static void tell_adapter(checking *c, const project_models *m) {
    if (m->dialect_is_known) return;
    str adapter = str_is_none(m->project->adapter) ? STR("none") : m->project->adapter;
    verdict_note(&c->verdict, NOTE_ADAPTER_NOT_KNOWN,
                 str_format(&c->report->query, "the adapter of the project is " STR_FMT ": its SQL is read as standard SQL", STR_ARG(adapter)),
                 STR(""), NULL);
}

typedef struct project_check {
    checking *c;
    const project_models *m;
} project_check;

static const struct meta_allow *allowed_in_meta(arena *owner, const dbt_relation *r) {
    struct meta_allow *list = ARENA_ARRAY(owner, struct meta_allow, r->allow_count + 1);
    for (size_t i = 0; i < r->allow_count; i++) list[i] = (struct meta_allow){r->allow[i].code, r->allow[i].because};
    return list;
}

/* The text lives as long as the call; only one with a comment for us is kept. */
static str text_with_comments(arena *owner, str text) {
    return allow_has_mark(text) ? str_copy(owner, text) : STR("");
}

static void take_status(judged_model *m, const grain_done *done, text_place *place, arena *owner) {
    if (!done->model) {
        m->status = FACTS_UNKNOWN;
        m->gap = str_copy(owner, done->reason);
        return;
    }
    grain_declare(done->model, done->own);
    const facts *f = grain_facts_of(done->model, done->model->plan->root);
    m->status = f->status;
    fact_gap gap = f->gap; /* without a node, a model above it has told why */
    if ((f->status == FACTS_KNOWN || !gap.node) && !grain_undecided(done->model, &gap)) return;
    m->gap = str_copy(owner, gap.what);
    if (!gap.node) return;
    *place = place_index_find(done->model->places, gap.at);
    m->gap_place = place;
}

/* What is declared in meta of columns that the model does not have. */
static void tell_missing(checking *c, const dbt_relation *r, declaration_list own) {
    arena *owner = &c->report->query;
    for (size_t i = 0; i < own.count; i++) {
        const declaration *d = own.item[i];
        if (!d->missing.len) continue;
        str text = str_format(owner, STR_FMT ": expected columns of the model, found \"" STR_FMT "\"; it is not used",
                              STR_ARG(d->origin), STR_ARG(d->missing));
        verdict_note(&c->verdict, NOTE_DECLARATION_NOT_USED, text, r->unique_id, NULL);
    }
}

static lp_status take_model(void *context, const grain_done *done, lp_err *err) {
    project_check *k = context;
    arena *owner = &k->c->report->query;
    const dbt_relation *r = done->relation;
    text_place place;
    judged_model m = {.model = r->unique_id,
                      .text = text_with_comments(owner, done->text),
                      .dialect = k->m->dialect,
                      .finding = done->findings,
                      .finding_count = done->finding_count,
                      .gap = STR(""),
                      .meta = allowed_in_meta(owner, r),
                      .meta_count = r->allow_count};
    take_status(&m, done, &place, owner);
    tell_missing(k->c, r, done->own);
    if (!done->model && !r->is_python && k->m->project->compiled_count)
        verdict_note(&k->c->verdict, NOTE_MODEL_NOT_READ, m.gap, r->unique_id, NULL);
    return verdict_take(&k->c->verdict, &m, err);
}

/* What of the project itself is not used. Without any compiled SQL that is told once, not of each model. */
static void tell_project(checking *c, const project_models *m) {
    bool *needed = project_models_needed(m);
    for (size_t i = 0; i < m->project->note_count; i++) {
        const dbt_note *n = &m->project->note[i];
        bool is_of_one = n->relation != DBT_NO_RELATION;
        if (is_of_one && !needed[n->relation]) continue;
        verdict_note(&c->verdict, is_of_one ? NOTE_DECLARATION_NOT_USED : NOTE_MODEL_NOT_READ, n->text,
                     is_of_one ? m->project->relation[n->relation].unique_id : STR(""), NULL);
    }
}

static void tell_delta(void *context, const dbt_relation *r, str text) {
    checking *c = context;
    verdict_note(&c->verdict, NOTE_DELTA_TABLE_NOT_READ, text, r->unique_id, NULL);
}

static lp_status check_project(checking *c, lp_err *err) {
    project_models *m = ARENA_NEW(&c->report->query, project_models);
    TRY(project_models_open(&c->report->query, &c->o->models, c->o->settings, m, err));
    c->set = m->set;
    c->settings_name = m->settings_name;
    c->verdict.places = &m->places;
    c->verdict.report.is_project = true;
    TRY(choose(c, err));
    tell_adapter(c, m);
    TRY(choose_models(c, m, err));
    tell_project(c, m);
    grain_options how = {
        .choice = c->choice, .wanted = m->wanted, .trust = m->trust.item, .trust_count = m->trust.count};
    delta_looker looker = {
        .owner = &c->report->query, .project = m->project, .dialect = m->dialect, .tell = tell_delta, .context = c};
    delta_look_with(&looker, &how);
    return grain_project(&c->report->query, m->project, &how, take_model, &(project_check){c, m}, err);
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
    const char *subject = c->o->models.sql ? c->o->models.sql_name : c->o->models.project;
    check_style style = {.color = c->o->color,
                         .places = c->verdict.places,
                         .subject = subject && *subject ? str_from(subject) : c->o->models.sql ? STR("-") : STR("."),
                         .tool_version = STR(LAKEPROOF_VERSION)};
    form[c->o->format](&c->verdict.report, &style, &c->report->query, &c->report->document);
    baseline_write(&c->verdict.report, &c->report->query, &c->report->baseline);
}

static lp_status check_body(lp_report *report, const void *options, lp_err *err) {
    checking c = {.report = report, .o = options};
    report->total_files = report->final_files = 0;
    TRY(check_format(c.o, err));
    if (c.o->models.sql)
        TRY(check_query(&c, err));
    else
        TRY(check_project(&c, err));
    if (!report->passed) return LP_OK;
    verdict_end(&c.verdict);
    set_gate(&c);
    show(&c);
    return LP_OK;
}

lp_status lp_check(const lp_check_options *options, lp_report **out, lp_err *err) {
    return report_run_on_log(NULL, check_body, options, out, err); /* there is no table */
}
