/* diff_schema.c - what is different between two versions besides files: columns, protocol, properties.
 * Called by: delta/diff.c.  Must not know: files, printing.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "delta/diff.h"
#include "delta/type_text.h"

typedef struct schema_differ {
    arena *query;
    column_difference *item;
    size_t count, capacity;
} schema_differ;

/* ---- columns ---- */

static column_difference *add_difference(schema_differ *d) {
    if (d->count == d->capacity) {
        size_t capacity = d->capacity ? d->capacity * 2 : 16;
        column_difference *grown = ARENA_ARRAY(d->query, column_difference, capacity);
        if (d->count) memcpy(grown, d->item, d->count * sizeof *grown);
        d->item = grown;
        d->capacity = capacity;
    }
    return &d->item[d->count++];
}

/* A struct's type is what it is made of, and these columns are compared one by one. */
static bool same_type(const column *a, const column *b, arena *query) {
    if (a->type.kind == TYPE_STRUCT && b->type.kind == TYPE_STRUCT) return true;
    if (a->type.kind != b->type.kind || a->type.char_length != b->type.char_length ||
        !str_eq(a->type.name, b->type.name))
        return false;
    return str_eq(a->type_json, b->type_json) || str_eq(type_text(a, query), type_text(b, query));
}

static bool same_text(str a, str b) {
    return str_is_none(a) == str_is_none(b) && str_eq(a, b);
}

static str identity_text(const column_details *c, arena *query) {
    if (!c->has_identity_start && !c->has_identity_step && !c->has_identity_mark) return STR_NONE;
    return str_format(query, "start %" PRId64 ", step %" PRId64 "%s", c->identity_start, c->identity_step,
                      c->identity_allows_values ? ", values allowed" : "");
}

/* The mark of an identity column moves with every insert and is no difference. */
static void compare_attributes(schema_differ *d, const column_details *before, const column_details *after,
                               column_difference *out) {
    static const column_details none = {0};
    const column_details *b = before ? before : &none, *a = after ? after : &none;
    if (b == a) return;
    const text_difference each[] = {
        {STR("char type"), b->char_type, a->char_type},
        {STR("collation"), b->collation, a->collation},
        {STR("comment"), b->comment, a->comment},
        {STR("default"), b->default_value, a->default_value},
        {STR("generation"), b->generation, a->generation},
        {STR("identity"), identity_text(b, d->query), identity_text(a, d->query)},
        {STR("invariant"), b->invariant, a->invariant},
    };
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        if (same_text(each[i].before, each[i].after)) continue;
        if (!out->attribute) out->attribute = ARENA_ARRAY(d->query, text_difference, sizeof each / sizeof *each);
        out->attribute[out->attribute_count++] = each[i];
    }
}

static void compare_column(schema_differ *d, const column *before, const column *after) {
    column_difference c = {.before = before,
                           .after = after,
                           .renamed = !str_eq(before->name, after->name),
                           .retyped = !same_type(before, after, d->query),
                           .nullability = before->nullable != after->nullable};
    compare_attributes(d, before->details, after->details, &c);
    if (c.retyped) {
        bool other = before->type.kind != after->type.kind || before->type.kind == TYPE_DECIMAL;
        c.widened = other && schema_type_widens(before->type, after->type);
        c.type_before = type_text(before, d->query);
        c.type_after = type_text(after, d->query);
    }
    if (c.renamed || c.retyped || c.nullability || c.attribute_count > 0) *add_difference(d) = c;
}

static const map *by_physical_name(const column *c, size_t count, arena *query) {
    map *m = ARENA_NEW(query, map);
    map_init(m, query);
    for (size_t i = 0; i < count; i++) (void)map_put(m, c[i].physical, (void *)&c[i]);
    return m;
}

/* Recursion follows the schema, whose depth its parser has limited. */
static void compare_columns(schema_differ *d, const column *before, size_t before_count, const column *after,
                            size_t after_count) {
    const map *old = by_physical_name(before, before_count, d->query);
    const map *new = by_physical_name(after, after_count, d->query);
    for (size_t i = 0; i < after_count; i++) {
        const column *a = &after[i], *b = map_get(old, a->physical);
        if (!b) {
            *add_difference(d) = (column_difference){.after = a, .type_after = type_text(a, d->query)};
            continue;
        }
        compare_column(d, b, a);
        if (a->type.kind == TYPE_STRUCT && b->type.kind == TYPE_STRUCT)
            compare_columns(d, b->child, b->child_count, a->child, a->child_count);
    }
    for (size_t i = 0; i < before_count; i++)
        if (!map_get(new, before[i].physical))
            *add_difference(d) =
                (column_difference){.before = &before[i], .type_before = type_text(&before[i], d->query)};
}

/* By what the log calls the columns: a rename leaves the partitioning as it is. A schema without columns has names only
 * (rule N20). */
static str partition_name(const snapshot *s, size_t i) {
    return i < s->schema.partition_count ? s->schema.partition[i]->physical : s->partition_column[i];
}

static bool same_partitioning(const snapshot *a, const snapshot *b) {
    if (a->partition_column_count != b->partition_column_count) return false;
    for (size_t i = 0; i < a->partition_column_count; i++)
        if (!str_eq(partition_name(a, i), partition_name(b, i))) return false;
    return true;
}

static bool same_clustering(const snapshot *a, const snapshot *b) {
    if (a->is_clustered != b->is_clustered) return false;
    if (a->clustering_column_count != b->clustering_column_count) return false;
    for (size_t i = 0; i < a->clustering_column_count; i++)
        if (!str_eq(a->clustering_column[i], b->clustering_column[i])) return false;
    return true;
}

/* ---- properties and features ---- */

/* Two sorted lists side by side. Both of the same name count as different where their values are. */
static size_t merge_properties(const property *a, size_t a_count, const property *b, size_t b_count,
                               text_difference *out) {
    size_t count = 0;
    for (size_t i = 0, j = 0; i < a_count || j < b_count;) {
        int order = i == a_count ? 1 : j == b_count ? -1 : str_compare(a[i].key, b[j].key);
        str before = order <= 0 ? a[i].value : STR_NONE, after = order >= 0 ? b[j].value : STR_NONE;
        str name = order <= 0 ? a[i].key : b[j].key;
        if (order != 0 || !str_eq(before, after)) out[count++] = (text_difference){name, before, after};
        i += order <= 0;
        j += order >= 0;
    }
    return count;
}

static int by_key(const void *left, const void *right) {
    return str_compare(((const property *)left)->key, ((const property *)right)->key);
}

/* A list of features as properties whose value is their name, sorted, each once. */
static property *feature_set(const str *name, size_t count, arena *query, size_t *out_count) {
    property *set = ARENA_ARRAY(query, property, count);
    for (size_t i = 0; i < count; i++) set[i] = (property){name[i], name[i]};
    if (count) qsort(set, count, sizeof *set, by_key);
    *out_count = 0;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || !str_eq(set[i].key, set[i - 1].key)) set[(*out_count)++] = set[i];
    return set;
}

static text_difference *compare_features(const str *a, size_t a_count, const str *b, size_t b_count, arena *query,
                                         size_t *count) {
    text_difference *out = ARENA_ARRAY(query, text_difference, a_count + b_count);
    const property *before = feature_set(a, a_count, query, &a_count);
    const property *after = feature_set(b, b_count, query, &b_count);
    *count = merge_properties(before, a_count, after, b_count, out);
    return out;
}

static void compare_protocol(const protocol *a, const protocol *b, arena *query, snapshot_diff *out) {
    out->reader_version_changed = a->min_reader_version != b->min_reader_version;
    out->writer_version_changed = a->min_writer_version != b->min_writer_version;
    out->reader_feature = compare_features(a->reader_feature, a->reader_feature_count, b->reader_feature,
                                           b->reader_feature_count, query, &out->reader_feature_count);
    out->writer_feature = compare_features(a->writer_feature, a->writer_feature_count, b->writer_feature,
                                           b->writer_feature_count, query, &out->writer_feature_count);
}

void diff_metadata(const snapshot *before, const snapshot *after, arena *query, snapshot_diff *out) {
    out->before = before;
    out->after = after;
    schema_differ d = {.query = query};
    compare_columns(&d, before->schema.top, before->schema.top_count, after->schema.top, after->schema.top_count);
    out->column = d.item;
    out->column_count = d.count;
    out->partitioning_changed = !same_partitioning(before, after);
    out->clustering_changed = !same_clustering(before, after);
    out->table_id_changed = !same_text(before->table_id, after->table_id);
    out->table_name_changed = !same_text(before->table_name, after->table_name);
    compare_protocol(&before->protocol, &after->protocol, query, out);
    out->property = ARENA_ARRAY(query, text_difference, before->configuration_count + after->configuration_count);
    out->property_count = merge_properties(before->configuration, before->configuration_count, after->configuration,
                                           after->configuration_count, out->property);
}
