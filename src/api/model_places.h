/* model_places.h - the place of something in the compiled SQL of a model, and in the file that its author wrote.
 * Called by: the sources of this room that answer about dbt projects.  Must not know: what stands there.
 */
#ifndef API_MODEL_PLACES_H
#define API_MODEL_PLACES_H

#include "dbt/project.h"
#include "report/place.h"

/* Files are named below `prefix`, which is "" or ends with a slash. The texts of a model are read when a place in it is asked for
 * first. Everything lives in `owner`; for one thread. */
place_finder model_places_new(arena *owner, const dbt_project *p, str prefix);

/* The name of the file of a relation, as places have it. */
str model_file(arena *owner, const dbt_project *p, str prefix, const dbt_relation *r);

/* What `place`, the argument that named the project, adds before paths below the project's root: "examples/shop/" for
 * examples/shop, examples/shop/target and examples/shop/target/manifest.json. "" where it cannot be told. */
str project_prefix(arena *owner, const dbt_project *p, str place);

#endif
