/* stage_grain.c - the stages of the room grain: facts and check.
 * Called by: tests/stage/stage.c.  Must not know: other rooms' stages.
 *
 * Either over the query that is the input, with what the setup block `ddl` declares (CREATE TABLE statements), or, with
 * model=NAME, over a model of the project whose manifest.json and catalog.json the setup blocks `manifest` and `catalog` hold.
 */
#include <inttypes.h>
#include <string.h>

#include "dbt/project.h"
#include "grain/check.h"
#include "grain/declared_ddl.h"
#include "grain/project.h"
#include "plan/ddl.h"
#include "report/facts_report.h"
#include "sql/parse.h"
#include "stage.h"

typedef lp_status (*shown_fn)(stage_call *call, const grain_model *m, str reason, const finding_list *found);

/* ---- a query with DDL ---- */

static check_choice choice_of(const stage_call *call) {
    check_choice choice = CHECK_DEFAULT;
    str more = stage_arg(call, "enable", "");
    if (str_eq(more, STR("G005"))) choice.on[FINDING_G005] = true;
    if (str_eq(more, STR("counts"))) choice.counts_of_literals = true;
    return choice;
}

static lp_status over_query(stage_call *call, shown_fn show, lp_err *err) {
    sql_dialect dialect;
    str name = stage_arg(call, "dialect", "postgres"), ddl = stage_setup_text(call, "ddl");
    if (!sql_dialect_by_name(name, &dialect)) return err_set(err, LP_ERR_USAGE, "no such dialect: " STR_FMT, STR_ARG(name));
    catalog declared;
    if (str_is_none(ddl) || stage_flag(call, "open")) ddl = STR("");
    TRY(catalog_from_ddl(call->work, ddl, dialect, &declared, err));
    sql_script script;
    TRY(sql_parse_script(call->work, call->input, dialect, &script, err));
    if (script.error_count) return err_set(err, LP_ERR_QUERY, STR_FMT, STR_ARG(script.error[0].text));
    if (script.statement_count != 1 || !script.statement[0]->query) return err_set(err, LP_ERR_USAGE, "expected one query");
    const plan *p;
    TRY(plan_bind(call->work, call->input, dialect, script.statement[0]->query, ddl.len ? &declared : NULL, &p, err));
    grain_input input = declared_from_ddl(call->work, &declared, ddl);
    grain_run run = {.owner = call->work};
    const grain_model *m = grain_analyse(call->work, &run, &input, p, STR(""), STR(""), call->input, dialect);
    check_choice choice = choice_of(call);
    finding_list found;
    finding_list_init(&found, call->work);
    grain_check(m, &choice, (declaration_list){0}, &found);
    return show(call, m, STR(""), &found);
}

/* ---- a model of a project ---- */

typedef struct model_case {
    stage_call *call;
    shown_fn show;
    str model;
    bool is_found;
} model_case;

static lp_status take_model(void *context, const grain_done *done, lp_err *err) {
    model_case *c = context;
    (void)err;
    if (!str_eq(done->relation->name, c->model)) return LP_OK;
    c->is_found = true;
    finding_list found = {.item = (finding *)done->findings, .count = done->finding_count};
    return c->show(c->call, done->model, done->reason, &found);
}

static lp_status over_project(stage_call *call, str model, shown_fn show, lp_err *err) {
    dbt_project *p;
    dbt_texts texts = {.manifest = stage_setup_text(call, "manifest"), .catalog = stage_setup_text(call, "catalog"), .run_results = STR_NONE};
    if (str_is_none(texts.manifest)) return err_set(err, LP_ERR_USAGE, "model= needs a setup block manifest");
    TRY(dbt_open_texts(call->work, texts, &p, err));
    model_case c = {call, show, model, false};
    str trust = stage_arg(call, "trust", "");
    grain_options options = {.choice = choice_of(call), .trust = &trust, .trust_count = trust.len ? 1 : 0};
    TRY(grain_project(call->work, p, &options, take_model, &c, err));
    return c.is_found ? LP_OK : err_set(err, LP_ERR_USAGE, "no model " STR_FMT, STR_ARG(model));
}

static lp_status run_case(stage_call *call, shown_fn show, lp_err *err) {
    str model = stage_arg(call, "model", "");
    return model.len ? over_project(call, model, show, err) : over_query(call, show, err);
}

/* ---- facts ---- */

/* One fact: a line, and the rule that fired, which is the line as one word: a, b -> c is a+b->c. */
static void say(stage_call *call, const char *kind, str text) {
    char word[400];
    size_t n = 0;
    str of = stage_arg(call, "of", "");
    size_t at = strlen(kind);
    bool wanted = !of.len;
    for (str rest = of; rest.len && !wanted;) {
        size_t end = rest.len;
        (void)str_find_char(rest, ',', &end);
        wanted = str_eq(str_slice(rest, 0, end), (str){kind, at});
        rest = end < rest.len ? str_slice(rest, end + 1, rest.len) : STR("");
    }
    if (wanted) stage_line(call, "%s " STR_FMT, kind, STR_ARG(text));
    bool is_dependency = str_eq(str_from(kind), STR("fd")) || str_eq(str_from(kind), STR("lax-fd"));
    for (size_t i = 0; !is_dependency && i < at; i++) word[n++] = kind[i];
    if (!is_dependency) word[n++] = ':';
    for (size_t i = 0; i < text.len && n < sizeof word; i++)
        if (text.ptr[i] == ',') word[n++] = '+';
        else if (text.ptr[i] != ' ') word[n++] = text.ptr[i];
    stage_fired(call, (str){word, n});
}

static str listed(stage_call *call, const stated_facts *f, const uint32_t *place, size_t count) {
    buf b;
    buf_init(&b, call->work, SIZE_MAX / 2);
    for (size_t i = 0; i < count; i++) {
        if (i) buf_put(&b, STR(", "));
        buf_put(&b, f->column[place[i]]);
    }
    return count ? buf_str(&b) : STR("()");
}

static str joined(stage_call *call, const str *name, size_t count) {
    buf b;
    buf_init(&b, call->work, SIZE_MAX / 2);
    for (size_t i = 0; i < count; i++) {
        if (i) buf_put(&b, STR(", "));
        buf_put(&b, name[i]);
    }
    return count ? buf_str(&b) : STR("()");
}

static void say_rows(stage_call *call, const stated_facts *f) {
    if (f->rows.max == ROWS_UNBOUNDED)
        say(call, "rows", str_format(call->work, "%" PRIu64 "..", f->rows.min));
    else
        say(call, "rows", str_format(call->work, "%" PRIu64 "..%" PRIu64, f->rows.min, f->rows.max));
}

static void say_keys(stage_call *call, const stated_facts *f) {
    for (size_t i = 0; i < f->key_count; i++) say(call, "key", listed(call, f, f->key[i].column, f->key[i].count));
    for (size_t i = 0; i < f->lax_key_count; i++) say(call, "lax-key", listed(call, f, f->lax_key[i].column, f->lax_key[i].count));
    for (size_t i = 0; i < f->equal_count; i++) say(call, "equal", listed(call, f, f->equal[i].column, f->equal[i].count));
}

/* One line for each column that follows. */
static void say_dependencies(stage_call *call, const stated_facts *f) {
    for (size_t i = 0; i < f->dependency_count; i++) {
        const struct stated_dependency *d = &f->dependency[i];
        str from = listed(call, f, d->from, d->from_count);
        for (size_t k = 0; k < d->to_count; k++)
            say(call, d->is_lax ? "lax-fd" : "fd",
                str_format(call->work, STR_FMT " %s " STR_FMT, STR_ARG(from), d->is_lax ? "~>" : "->", STR_ARG(f->column[d->to[k]])));
    }
}

static void say_columns(stage_call *call, const stated_facts *f) {
    for (size_t i = 0; i < f->column_count; i++) {
        const struct stated_column *c = &f->each[i];
        if (c->not_null) say(call, "not-null", f->column[i]);
        if (c->constant) say(call, "constant", f->column[i]);
        if (c->constant_or_null && !c->constant) say(call, "constant-or-null", f->column[i]);
    }
}

static void say_inclusions(stage_call *call, const stated_facts *f) {
    for (size_t i = 0; i < f->inclusion_count; i++) {
        const struct stated_inclusion *in = &f->inclusion[i];
        str text = str_format(call->work, STR_FMT " of " STR_FMT "(" STR_FMT ")", STR_ARG(listed(call, f, in->here, in->count)),
                              STR_ARG(in->relation), STR_ARG(joined(call, in->there, in->count)));
        say(call, in->is_covers ? "covers" : in->is_lax ? "lax-within" : "within", text);
    }
}

static void say_grains(stage_call *call, const stated_facts *f) {
    for (size_t i = 0; i < f->column_count; i++) {
        const struct stated_column *c = &f->each[i];
        str native = c->grain_known ? joined(call, c->native, c->native_count) : STR("?");
        say(call, "grain", str_format(call->work, STR_FMT " = " STR_FMT, STR_ARG(f->column[i]), STR_ARG(native)));
        for (size_t k = 0; k < c->repeated.count; k++)
            say(call, "repeat", str_format(call->work, STR_FMT " by " STR_FMT, STR_ARG(f->column[i]), STR_ARG(c->repeated.site[k]->text)));
    }
}

static lp_status show_facts(stage_call *call, const grain_model *m, str reason, const finding_list *found) {
    (void)found;
    if (!m) {
        say(call, "unknown", reason);
        return LP_OK;
    }
    const stated_facts *f = grain_state(m, call->work);
    stage_fired(call, fact_status_name(f->status));
    if (f->status != FACTS_KNOWN) {
        str status = fact_status_name(f->status);
        say(call, f->status == FACTS_PARTIAL ? "partial" : "unknown", f->gap.what);
        stage_fired(call, status);
    }
    say_rows(call, f);
    say_keys(call, f);
    say_dependencies(call, f);
    say_columns(call, f);
    say_inclusions(call, f);
    say_grains(call, f);
    if (f->left_multiplicity.len) say(call, "left", f->left_multiplicity);
    if (f->right_multiplicity.len) say(call, "right", f->right_multiplicity);
    for (uint32_t i = 0; i < m->loss_count; i++) say(call, "loss", m->loss[i].text);
    return LP_OK;
}

lp_status stage_facts(stage_call *call, lp_err *err) {
    return run_case(call, show_facts, err);
}

/* ---- check ---- */

static void tell(stage_call *call, const finding *f) {
    static const char *const severity[] = {"error", "warning", "note"};
    str code = finding_code_name(f->code);
    stage_fired(call, code);
    if (f->column.len) stage_fired(call, str_format(call->work, STR_FMT ":" STR_FMT, STR_ARG(code), STR_ARG(f->column)));
    stage_line(call, STR_FMT " %s %u:%u " STR_FMT, STR_ARG(code), severity[f->severity], f->place.line, f->place.column,
               STR_ARG(f->expression.len ? f->expression : f->column));
    if (f->code == FINDING_G001)
        stage_line(call, "  " STR_FMT " of " STR_FMT ", group " STR_FMT, STR_ARG(f->column),
                   STR_ARG(joined(call, f->native, f->native_count)), STR_ARG(joined(call, f->group, f->group_count)));
    for (size_t i = 0; i < f->join_count; i++)
        stage_line(call, "  %s join " STR_FMT "%s%u:%u " STR_FMT, cardinality_name(f->join[i]->cardinality).ptr, STR_ARG(f->join[i]->file),
                   f->join[i]->file.len ? ":" : "", f->join[i]->place.line, f->join[i]->place.column, STR_ARG(f->join[i]->text));
    for (size_t i = 0; i < f->evidence_count; i++) stage_line(call, "  because " STR_FMT, STR_ARG(f->evidence[i]));
    for (size_t i = 0; i < f->leans_on_count; i++)
        stage_line(call, "  leans on " STR_FMT " of " STR_FMT "%s" STR_FMT, STR_ARG(f->leans_on[i]->origin), STR_ARG(f->leans_on[i]->relation),
                   f->leans_on[i]->tested_by.len ? ", tested by " : ", not tested", STR_ARG(f->leans_on[i]->tested_by));
}

static lp_status show_findings(stage_call *call, const grain_model *m, str reason, const finding_list *found) {
    for (size_t i = 0; i < found->count; i++) tell(call, &found->item[i]);
    if (found->count) return LP_OK;
    fact_status status = m ? grain_facts_of(m, m->plan->root)->status : FACTS_UNKNOWN;
    str why = m ? grain_facts_of(m, m->plan->root)->gap.what : reason;
    stage_fired(call, fact_status_name(status));
    stage_line(call, "silent%s" STR_FMT, status == FACTS_KNOWN ? "" : ": ", STR_ARG(status == FACTS_KNOWN ? STR("") : why));
    return LP_OK;
}

lp_status stage_check(stage_call *call, lp_err *err) {
    return run_case(call, show_findings, err);
}
