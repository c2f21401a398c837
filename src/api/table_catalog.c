/* table_catalog.c - what the schema of a Delta table declares of a relation.
 * Called by: api.  Must not know: queries.
 */
#include "api/table_catalog.h"

#include "delta/type_text.h"

/* PROTOCOL.md: names of columns do not differ by case, and writers hold to NOT NULL. */
catalog_relation table_catalog_relation(arena *owner, str name, const schema *s) {
    catalog_column *list = ARENA_ARRAY(owner, catalog_column, s->top_count);
    for (size_t i = 0; i < s->top_count; i++) {
        const column *c = &s->top[i];
        list[i] = (catalog_column){.name = c->name, .type = type_text(c, owner), .is_not_null = !c->nullable};
    }
    return (catalog_relation){.name = name, .column = list, .column_count = s->top_count};
}
