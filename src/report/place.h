/* place.h - where something stands: in the file that the author wrote, and in the SQL that dbt made of it.
 * Called by: api makes them; the sources of the room print them.  Must not know: how a text is mapped to another.
 */
#ifndef REPORT_PLACE_H
#define REPORT_PLACE_H

#include "base/buf.h"
#include "base/span.h"

typedef struct shown_place {
    bool exists;
    bool is_mapped;      /* `at` is in `file`; else in `compiled_file` */
    text_place at;
    str file;            /* STR_NONE: it has no name */
    str compiled_file;   /* STR_NONE for a query of its own */
    text_place compiled; /* in compiled_file */
    str line;            /* of the text that `at` is in, without its end; STR_NONE where it is not at hand */
} shown_place;

/* Finds the place of a span of the SQL that was analysed. `model` is a unique id, "" for a query of its own. */
typedef struct place_finder {
    shown_place (*find)(void *context, str model, text_place at);
    void *context;
} place_finder;

/* With a finder that has no function, the place is what it is, without a file. */
shown_place place_find(const place_finder *finder, str model, text_place at);

/* "models/daily.sql:3:14"; without a file "3:14". The file of the compiled SQL where it is not mapped. */
void place_put(buf *out, const shown_place *at);

#endif
