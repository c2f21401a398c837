/* log_state.c - the newest protocol, metadata and domains.
 * Called by: delta/snapshot.c, checkpoint.c.  Must not know: where actions come from.
 */
#include "delta/log_state.h"

#include <stdlib.h>

typedef struct domain_entry {
    domain_action is;
    uint32_t source;
} domain_entry;

typedef struct transaction_entry {
    table_transaction is;
    uint32_t source;
} transaction_entry;

void log_state_init(log_state *s, arena *table) {
    *s = (log_state){.table = table};
    map_init(&s->domain, table);
    map_init(&s->transaction, table);
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
    s->metadata.description = str_copy(s->table, m->description);
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

static void take_transaction(log_state *s, const transaction_action *t) {
    if (str_is_none(t->app_id) || !t->has_version) return;
    transaction_entry *known = map_get(&s->transaction, t->app_id);
    if (known && known->source != s->source) return; /* rule H9 */
    s->has_repeats |= known != NULL;
    transaction_entry *fresh = known ? known : ARENA_NEW(s->table, transaction_entry);
    str app_id = known ? known->is.app_id : str_copy(s->table, t->app_id);
    *fresh = (transaction_entry){{app_id, t->version, t->has_last_updated, t->last_updated_ms}, s->source};
    if (!known) (void)map_put(&s->transaction, app_id, fresh);
}

void log_state_take(log_state *s, const action *a) {
    switch (a->kind) {
    case ACTION_PROTOCOL: take_protocol(s, &a->protocol); break;
    case ACTION_METADATA: take_metadata(s, &a->metadata); break;
    case ACTION_DOMAIN_METADATA: take_domain(s, &a->domain); break;
    case ACTION_TRANSACTION: take_transaction(s, &a->transaction); break;
    case ACTION_NONE:
    case ACTION_ADD:
    case ACTION_REMOVE:
    case ACTION_CDC:
    case ACTION_COMMIT_INFO:
    case ACTION_CHECKPOINT_METADATA:
    case ACTION_SIDECAR: break;
    }
}

static void merge_map(map *to, const map *older) {
    for (size_t i = 0; i < older->count; i++) {
        const map_entry *e = &older->entry[i];
        if (!map_get(to, e->key)) (void)map_put(to, e->key, e->value);
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
    merge_map(&s->domain, &older->domain);
    merge_map(&s->transaction, &older->transaction);
}

str log_state_domain(const log_state *s, str name) {
    const domain_entry *e = map_get(&s->domain, name);
    return e && !e->is.removed ? e->is.configuration : STR_NONE;
}

static int by_name(const void *left, const void *right) {
    return str_compare(((const table_domain *)left)->name, ((const table_domain *)right)->name);
}

table_domain *log_state_domains(const log_state *s, arena *owner, size_t *count) {
    table_domain *all = ARENA_ARRAY(owner, table_domain, s->domain.count);
    *count = 0;
    for (size_t i = 0; i < s->domain.count; i++) {
        const domain_action *is = &((const domain_entry *)s->domain.entry[i].value)->is;
        if (!is->removed) all[(*count)++] = (table_domain){is->domain, is->configuration};
    }
    if (*count > 1) qsort(all, *count, sizeof *all, by_name);
    return all;
}

static int by_app_id(const void *left, const void *right) {
    return str_compare(((const table_transaction *)left)->app_id, ((const table_transaction *)right)->app_id);
}

table_transaction *log_state_transactions(const log_state *s, arena *owner, size_t *count) {
    table_transaction *all = ARENA_ARRAY(owner, table_transaction, s->transaction.count);
    *count = s->transaction.count;
    for (size_t i = 0; i < *count; i++) all[i] = ((const transaction_entry *)s->transaction.entry[i].value)->is;
    if (*count > 1) qsort(all, *count, sizeof *all, by_app_id);
    return all;
}
