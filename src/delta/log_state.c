/* log_state.c - the newest protocol, metadata and domains.
 * Called by: delta/snapshot.c, checkpoint.c.  Must not know: where actions come from.
 */
#include "delta/log_state.h"

typedef struct domain_entry {
    domain_action is;
    uint32_t source;
} domain_entry;

void log_state_init(log_state *s, arena *table) {
    *s = (log_state){.table = table};
    map_init(&s->domain, table);
}

void log_state_begin(log_state *s) {
    s->source++;
    s->has_repeats = false;
}

static str *copy_all(arena *table, const str *from, size_t count) {
    str *to = ARENA_ARRAY(table, str, count);
    for (size_t i = 0; i < count; i++) to[i] = str_copy(table, from[i]);
    return to;
}

static void take_protocol(log_state *s, const protocol_action *p) {
    if (s->has_protocol && s->protocol_source != s->source) return; /* rule H1 */
    s->has_repeats |= s->has_protocol;
    s->has_protocol = true;
    s->protocol_source = s->source;
    s->protocol = *p;
    s->protocol.reader_feature = copy_all(s->table, p->reader_feature, p->reader_feature_count);
    s->protocol.writer_feature = copy_all(s->table, p->writer_feature, p->writer_feature_count);
}

static void take_metadata(log_state *s, const metadata_action *m) {
    if (s->has_metadata && s->metadata_source != s->source) return; /* rules H1, G1: it replaces the former one whole */
    s->has_repeats |= s->has_metadata;
    s->has_metadata = true;
    s->metadata_source = s->source;
    s->metadata = *m;
    s->metadata.id = str_copy(s->table, m->id);
    s->metadata.name = str_copy(s->table, m->name);
    s->metadata.schema_string = str_copy(s->table, m->schema_string);
    s->metadata.partition_column = copy_all(s->table, m->partition_column, m->partition_column_count);
    s->metadata.configuration = copy_all(s->table, m->configuration, 2 * m->configuration_count);
}

static void take_domain(log_state *s, const domain_action *d) {
    domain_entry *known = map_get(&s->domain, d->domain);
    if (known && known->source != s->source) return; /* rule H9 */
    s->has_repeats |= known != NULL;
    domain_entry *fresh = known ? known : ARENA_NEW(s->table, domain_entry);
    *fresh =
        (domain_entry){{str_copy(s->table, d->domain), str_copy(s->table, d->configuration), d->removed}, s->source};
    if (!known) (void)map_put(&s->domain, fresh->is.domain, fresh);
}

void log_state_take(log_state *s, const action *a) {
    switch (a->kind) {
    case ACTION_PROTOCOL: take_protocol(s, &a->protocol); break;
    case ACTION_METADATA: take_metadata(s, &a->metadata); break;
    case ACTION_DOMAIN_METADATA: take_domain(s, &a->domain); break;
    case ACTION_NONE:
    case ACTION_ADD:
    case ACTION_REMOVE:
    case ACTION_COMMIT_INFO:
    case ACTION_CHECKPOINT_METADATA:
    case ACTION_SIDECAR: break;
    }
}

void log_state_merge(log_state *s, const log_state *older) {
    if (!s->has_protocol && older->has_protocol) {
        s->has_protocol = true;
        s->protocol = older->protocol;
    }
    if (!s->has_metadata && older->has_metadata) {
        s->has_metadata = true;
        s->metadata = older->metadata;
    }
    for (size_t i = 0; i < older->domain.count; i++) {
        const map_entry *e = &older->domain.entry[i];
        if (!map_get(&s->domain, e->key)) (void)map_put(&s->domain, e->key, e->value);
    }
}

str log_state_domain(const log_state *s, str name) {
    const domain_entry *e = map_get(&s->domain, name);
    return e && !e->is.removed ? e->is.configuration : STR_NONE;
}
