/* grain_json.h - pieces that the JSON documents about facts and findings share.
 * Called by: the sources of the room that print these documents.  Must not know: which document it is.
 */
#ifndef REPORT_GRAIN_JSON_H
#define REPORT_GRAIN_JSON_H

#include "grain/grain.h"
#include "json/json_writer.h"
#include "report/place.h"

void grain_json_texts(json_writer *w, const str *text, size_t count);

/* {"line", "column", "length"} and for the SQL of a model what shown_place says more; null where there is no place. */
void grain_json_place(json_writer *w, const shown_place *at);

/* `joins`: model (null: this query), place, text, and how many rows meet how many. */
void grain_json_joins(json_writer *w, const join_site *const *site, size_t count, const place_finder *places);

/* The member `leans_on`: the declarations that something rests on, and the test that checks each, or null. */
void grain_json_leans_on(json_writer *w, const declaration *const *d, size_t count);

/* "key (order_id) of shop.orders", "order_id of shop.orders is not null": what a declaration says, in words. In `owner`. */
str declaration_text(const declaration *d, arena *owner);

#endif
