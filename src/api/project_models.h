/* project_models.h - the models of a dbt project that a question is about.
 * Called by: the sources of this room that answer about dbt projects.  Must not know: what is asked.
 */
#ifndef API_PROJECT_MODELS_H
#define API_PROJECT_MODELS_H

#include "api/settings.h"
#include "grain/project.h"
#include "lakeproof.h"
#include "report/place.h"

typedef struct project_models {
    arena *owner;
    dbt_project *project;
    str place;  /* as it was named */
    str prefix; /* of the names of files */
    sql_dialect dialect;
    bool dialect_is_known;
    settings set;
    str settings_name; /* of the file, STR_NONE without one */
    text_list trust;
    bool *wanted; /* by relation */
    place_finder places;
} project_models;

/* A part of a choice that fits nothing: STR_NONE when everything fits something. */
typedef struct project_misses {
    str select, exclude, files;
} project_misses;

/* Open the project that `models` names and read its settings: those of `settings_file`, else lakeproof.toml beside its
 * dbt_project.yml; NULL and none there: nothing is set. All relations are wanted. The errors of dbt_open, settings_read. */
MUST_USE lp_status project_models_open(arena *owner, const lp_models *models, const char *settings_file, project_models *out,
                                       lp_err *err);

/* Want what `select` chooses, all without it, but not what `exclude` chooses, and of these only what `files` define or declare
 * (NULL: whatever file). Texts in the form of dbt's options. */
MUST_USE lp_status project_models_choose(project_models *m, text_list select, text_list exclude, const text_list *files,
                                         project_misses *misses, lp_err *err);

/* Want one model or snapshot alone, by its name or unique id. LP_ERR_NOT_FOUND: none, or several, with their ids. */
MUST_USE lp_status project_models_want(project_models *m, str name, lp_err *err);

/* By relation: wanted, or read by one that is, at any distance. In the arena of `m`. */
bool *project_models_needed(const project_models *m);

/* Is it a model or a snapshot, so that grain_project speaks of it? */
bool relation_has_rows_of_sql(const dbt_relation *r);

#endif
