/* stage_dbt.c - the stages of the room dbt: project, select, resolve.
 * Called by: tests/stage/stage.c.  Must not know: other rooms' stages.
 *
 * The setup block `manifest` holds manifest.json; `catalog` and `run_results` may stand beside it. project: the
 * argument `order` prints the order of the relations instead of what they are.
 */
#include "dbt/project.h"
#include "stage.h"

static lp_status open_project(stage_call *call, dbt_project **out, lp_err *err) {
    dbt_texts texts = {.manifest = stage_setup_text(call, "manifest"),
                       .catalog = stage_setup_text(call, "catalog"),
                       .run_results = stage_setup_text(call, "run_results"),
                       .piece_bytes = 7};
    if (str_is_none(texts.manifest)) texts.manifest = call->input;
    return dbt_open_texts(call->work, texts, out, err);
}

static str id_of(const dbt_project *p, size_t relation) {
    return relation == DBT_NO_RELATION ? STR("nothing") : p->relation[relation].unique_id;
}

/* ---- project ---- */

/* a name, "a name" in quotes, (an expression) */
static void put_names(buf *out, const dbt_name *name, size_t count) {
    buf_put_char(out, '[');
    for (size_t i = 0; i < count; i++) {
        const char *open = name[i].is_quoted ? "\"" : name[i].is_expression ? "(" : "";
        const char *close = name[i].is_quoted ? "\"" : name[i].is_expression ? ")" : "";
        buf_printf(out, "%s%s" STR_FMT "%s", i ? ", " : "", open, STR_ARG(name[i].text), close);
    }
    buf_put_char(out, ']');
}

static void put_detail(buf *out, const dbt_project *p, const dbt_fact *f) {
    switch (f->kind) {
    case DBT_KEY:
    case DBT_NOT_NULL: return;
    case DBT_REFERENCE:
        buf_printf(out, " to " STR_FMT " ", STR_ARG(id_of(p, f->reference.to)));
        put_names(out, f->reference.to_column, f->reference.to_count);
        if (!str_is_none(f->reference.to_condition))
            buf_printf(out, " where " STR_FMT, STR_ARG(f->reference.to_condition));
        return;
    case DBT_ACCEPTED_VALUES:
        for (size_t i = 0; i < f->accepted.value_count; i++)
            buf_printf(out, f->accepted.value[i].is_string ? " '" STR_FMT "'" : " " STR_FMT,
                       STR_ARG(f->accepted.value[i].text));
        return;
    case DBT_RANGES:
        buf_put(out, STR(" bounds "));
        put_names(out, (dbt_name[]){f->ranges.lower, f->ranges.upper}, 2);
        if (f->ranges.may_be_empty) buf_put(out, STR(" may be empty"));
        if (f->ranges.may_touch) buf_put(out, STR(" may touch"));
        return;
    case DBT_CHECK: buf_printf(out, " " STR_FMT, STR_ARG(f->check.expression)); return;
    }
}

static void put_fact(stage_call *call, const dbt_project *p, const dbt_fact *f) {
    buf *out = call->out;
    buf_printf(out, "  %s%s ", f->is_lax ? "lax " : "", dbt_fact_kind_name(f->kind));
    put_names(out, f->column, f->column_count);
    put_detail(out, p, f);
    if (!str_is_none(f->condition)) buf_printf(out, " if " STR_FMT, STR_ARG(f->condition));
    buf_printf(out, "; %s, " STR_FMT, dbt_trust_name(f->trust), STR_ARG(f->origin));
    if (f->from != DBT_FROM_TEST && !str_is_none(f->tested_by))
        buf_printf(out, "; tested by " STR_FMT, STR_ARG(f->tested_by));
    if (!str_is_none(f->weak_reason)) buf_printf(out, "; weak: " STR_FMT, STR_ARG(f->weak_reason));
    buf_put(out, f->is_usable ? STR("; usable\n") : STR("\n"));
}

static void put_columns(stage_call *call, const dbt_relation *r) {
    static const char *const from[] = {"open", "catalog", "contract"};
    if (!r->column_count) return;
    buf_printf(call->out, "  columns %s", from[r->columns_from]);
    for (size_t i = 0; i < r->column_count; i++) {
        const dbt_column *c = &r->column[i];
        buf_put(call->out, i == r->closed_count && i ? STR(" | ") : STR(" "));
        put_names(call->out, &c->name, 1);
        if (!str_is_none(c->type)) buf_printf(call->out, ":" STR_FMT, STR_ARG(c->type));
        if (c->is_per_row) buf_put(call->out, STR(" per row"));
    }
    buf_put_char(call->out, '\n');
}

static void put_relation(stage_call *call, const dbt_project *p, const dbt_relation *r) {
    buf_printf(call->out, STR_FMT " " STR_FMT, STR_ARG(r->unique_id), STR_ARG(r->materialized));
    if (!str_is_none(r->relation_name)) {
        buf_put(call->out, STR(" as "));
        put_names(call->out, r->part, r->part_count);
    }
    for (size_t i = 0; i < r->parent_count; i++)
        buf_printf(call->out, "%s" STR_FMT, i ? ", " : " reads ", STR_ARG(id_of(p, r->parent[i])));
    if (r->is_python) buf_put(call->out, STR("; python"));
    if (r->uses_is_incremental) buf_put(call->out, STR("; is_incremental"));
    if (r->is_compiled) buf_put(call->out, STR("; compiled"));
    buf_put_char(call->out, '\n');
    put_columns(call, r);
    for (size_t i = 0; i < r->fact_count; i++) put_fact(call, p, &r->fact[i]);
    for (size_t i = 0; i < r->allow_count; i++)
        buf_printf(call->out, "  allow " STR_FMT " because " STR_FMT "\n", STR_ARG(r->allow[i].code),
                   STR_ARG(r->allow[i].because));
}

static bool is_wanted(const stage_call *call, const dbt_project *p, const dbt_relation *r) {
    if (call->input.len == 0 || str_is_none(stage_setup_text(call, "manifest"))) return true;
    for (size_t at = 0, len; at < call->input.len; at += len + 1) {
        str rest = str_slice(call->input, at, call->input.len);
        len = rest.len;
        (void)str_find_char(rest, '\n', &len);
        dbt_found found = dbt_find_name(p, str_slice(rest, 0, len));
        for (size_t i = 0; i < found.count; i++)
            if (found.relation[i] == r->index) return true;
    }
    return false;
}

lp_status stage_project(stage_call *call, lp_err *err) {
    dbt_project *p;
    TRY(open_project(call, &p, err));
    if (stage_flag(call, "order")) {
        for (size_t i = 0; i < p->relation_count; i++) stage_line(call, STR_FMT, STR_ARG(id_of(p, p->order[i])));
        return LP_OK;
    }
    for (size_t i = 0; i < p->relation_count; i++)
        if (is_wanted(call, p, &p->relation[i])) put_relation(call, p, &p->relation[i]);
    for (size_t i = 0; i < p->note_count; i++) {
        size_t about = p->note[i].relation;
        if (about == DBT_NO_RELATION ? call->input.len == 0 : is_wanted(call, p, &p->relation[about]))
            stage_line(call, "note " STR_FMT ": " STR_FMT,
                       STR_ARG(about == DBT_NO_RELATION ? STR("project") : id_of(p, about)), STR_ARG(p->note[i].text));
    }
    return LP_OK;
}

/* ---- select ---- */

static str line_of(str text, size_t number) {
    for (size_t at = 0, len;; at += len + 1) {
        str rest = str_slice(text, at, text.len);
        len = rest.len;
        (void)str_find_char(rest, '\n', &len);
        if (number-- == 0) return str_slice(rest, 0, len);
        if (at + len >= text.len) return STR("");
    }
}

lp_status stage_select(stage_call *call, lp_err *err) {
    dbt_project *p;
    dbt_choice choice;
    TRY(open_project(call, &p, err));
    str first = line_of(call->input, 0), second = line_of(call->input, 1);
    const str exclude = STR("exclude "), files = STR("files ");
    if (str_starts_with(first, files)) {
        str file = str_slice(first, files.len, first.len);
        dbt_select_files(p, &file, 1, call->work, &choice);
    } else {
        bool excludes = str_starts_with(second, exclude);
        str without = str_slice(second, exclude.len, second.len);
        TRY(dbt_select(p, &first, first.len > 0, &without, excludes, call->work, &choice, err));
    }
    for (size_t i = 0; i < p->relation_count; i++)
        if (choice.chosen[i]) stage_line(call, STR_FMT, STR_ARG(id_of(p, i)));
    if (!str_is_none(choice.unmatched)) stage_line(call, "nothing fits " STR_FMT, STR_ARG(choice.unmatched));
    return LP_OK;
}

/* ---- resolve ---- */

/* cte NAME in RELATION */
static size_t resolve_cte(const dbt_project *p, str line) {
    size_t blank = line.len;
    str name = str_slice(line, 4, line.len);
    (void)str_find_char(name, ' ', &blank);
    dbt_found reader = dbt_find_name(p, str_slice(name, blank + 4, name.len));
    return dbt_ephemeral_of(p, reader.count ? &p->relation[reader.relation[0]] : NULL, str_slice(name, 0, blank));
}

lp_status stage_resolve(stage_call *call, lp_err *err) {
    dbt_project *p;
    TRY(open_project(call, &p, err));
    for (size_t at = 0, len; at <= call->input.len; at += len + 1) {
        str rest = str_slice(call->input, at, call->input.len);
        len = rest.len;
        (void)str_find_char(rest, '\n', &len);
        str line = str_slice(rest, 0, len);
        size_t found = str_starts_with(line, STR("cte ")) ? resolve_cte(p, line) : dbt_resolve(p, line, STR_NONE);
        stage_line(call, STR_FMT ": " STR_FMT, STR_ARG(line), STR_ARG(id_of(p, found)));
    }
    return LP_OK;
}
