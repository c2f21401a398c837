/* project_models.c - the models of a dbt project that a question is about.
 * Called by: the sources of this room that answer about dbt projects.  Must not know: what is asked.
 */
#include "api/project_models.h"

#include <string.h>

#include "api/model_places.h"
#include "api/read_file.h"
#include "base/buf.h"
#include "grain/dbt_catalog.h"

/* ---- opening ---- */

static lp_status read_settings(project_models *m, const char *file, lp_err *err) {
    str text, name = file ? str_copy(m->owner, str_from(file)) : STR_NONE;
    if (!file && str_is_none(m->project->root)) return LP_OK;
    if (!file) name = str_format(m->owner, STR_FMT "/lakeproof.toml", STR_ARG(m->project->root));
    lp_status status = read_file(m->owner, name, &text, err);
    if (!file && status == LP_ERR_NOT_FOUND) return LP_OK;
    TRY(status);
    m->settings_name = name;
    return settings_read(m->owner, text, name, &m->set, err);
}

static text_list trust_of(project_models *m, const char *trust) {
    if (trust) return text_list_of_commas(m->owner, str_copy(m->owner, str_from(trust)));
    return m->set.trust.list;
}

static lp_status check_trust(const text_list *kinds, lp_err *err) {
    for (size_t i = 0; i < kinds->count; i++) {
        str k = kinds->item[i];
        if (!str_eq(k, STR("unique_key")) && !str_eq(k, STR("snapshot")) && !str_eq(k, STR("entity")))
            return err_set(err, LP_ERR_USAGE, "there is no kind of guess '" STR_FMT "' to trust: they are unique_key, snapshot and entity",
                           STR_ARG(k));
    }
    return LP_OK;
}

lp_status project_models_open(arena *owner, const lp_models *models, const char *settings_file, project_models *out,
                              lp_err *err) {
    project_models *m = out;
    *m = (project_models){.owner = owner, .place = str_copy(owner, str_from(models->project))};
    TRY(dbt_open(owner, m->place, &m->project, err));
    TRY(read_settings(m, settings_file, err));
    m->trust = trust_of(m, models->trust);
    TRY(check_trust(&m->trust, err));
    m->dialect_is_known = dbt_catalog_dialect(m->project, &m->dialect);
    m->prefix = project_prefix(owner, m->project, m->place);
    m->places = model_places_new(owner, m->project, m->prefix);
    m->wanted = ARENA_ARRAY(owner, bool, m->project->relation_count + 1);
    memset(m->wanted, true, m->project->relation_count + 1);
    return LP_OK;
}

/* ---- choosing ---- */

static void keep(project_models *m, const dbt_choice *choice, bool wanted) {
    for (size_t i = 0; i < m->project->relation_count; i++) m->wanted[i] = m->wanted[i] && choice->chosen[i] == wanted;
}

lp_status project_models_choose(project_models *m, text_list select, text_list exclude, const text_list *files,
                                project_misses *misses, lp_err *err) {
    dbt_choice choice;
    *misses = (project_misses){0};
    if (select.count) {
        TRY(dbt_select(m->project, select.item, select.count, NULL, 0, m->owner, &choice, err));
        misses->select = choice.unmatched;
        keep(m, &choice, true);
    }
    if (exclude.count) {
        TRY(dbt_select(m->project, exclude.item, exclude.count, NULL, 0, m->owner, &choice, err));
        misses->exclude = choice.unmatched;
        keep(m, &choice, false);
    }
    if (files) {
        dbt_select_files(m->project, files->item, files->count, m->owner, &choice);
        keep(m, &choice, true);
    }
    return LP_OK;
}

bool *project_models_needed(const project_models *m) {
    size_t count = m->project->relation_count;
    bool *needed = ARENA_ARRAY(m->owner, bool, count + 1);
    memcpy(needed, m->wanted, count * sizeof *needed);
    dbt_add_ancestors(m->project, needed);
    return needed;
}

bool relation_has_rows_of_sql(const dbt_relation *r) {
    return r->resource == DBT_MODEL || r->resource == DBT_SNAPSHOT;
}

static lp_status not_one(const project_models *m, str name, dbt_found found, lp_err *err) {
    buf ids;
    buf_init(&ids, m->owner, 1500);
    for (size_t i = 0; i < found.count && ids.len < 1000; i++) {
        const dbt_relation *r = &m->project->relation[found.relation[i]];
        if (relation_has_rows_of_sql(r) && r->unique_id.len < 400)
            buf_printf(&ids, "%s" STR_FMT, ids.len ? ", " : "", STR_ARG(r->unique_id));
    }
    if (!ids.len)
        return err_set(err, LP_ERR_NOT_FOUND, "there is no model or snapshot '" STR_FMT "' in " STR_FMT, STR_ARG(name),
                       STR_ARG(m->project->manifest_name));
    return err_set(err, LP_ERR_NOT_FOUND, "'" STR_FMT "' is the name of several models, give one by its id: " STR_FMT,
                   STR_ARG(name), STR_ARG(buf_str(&ids)));
}

lp_status project_models_want(project_models *m, str name, lp_err *err) {
    size_t index = dbt_find_id(m->project, name), count = 0;
    dbt_found found = {0};
    if (index == DBT_NO_RELATION) found = dbt_find_name(m->project, name);
    for (size_t i = 0; i < found.count; i++) {
        if (!relation_has_rows_of_sql(&m->project->relation[found.relation[i]])) continue;
        index = found.relation[i];
        count++;
    }
    if (index == DBT_NO_RELATION || count > 1 || !relation_has_rows_of_sql(&m->project->relation[index]))
        return not_one(m, name, found, err);
    memset(m->wanted, false, m->project->relation_count + 1);
    m->wanted[index] = true;
    return LP_OK;
}
