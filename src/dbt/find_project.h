/* find_project.h - where the manifest of a project stands.
 * Called by: dbt/project.c.  Must not know: what is in the files.
 */
#ifndef DBT_FIND_PROJECT_H
#define DBT_FIND_PROJECT_H

#include "store/store.h"

typedef struct located {
    store *target; /* the folder of the manifest */
    str file;      /* its name in there */
    store *root;   /* the folder with dbt_project.yml; NULL when it was not found */
    str name;      /* the manifest as messages name it */
} located;

/* `place` as in dbt_open. Stores live in `owner`. */
MUST_USE lp_status dbt_locate(arena *owner, str place, located *out, lp_err *err);

#endif
