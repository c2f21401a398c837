/* file.c - open a Parquet file and answer what its footer says.
 * Called by: delta, tests.  Must not know: pages, encodings.
 */
#include <stdarg.h>
#include <stdio.h>

#include "parquet/parquet_int.h"

enum { MESSAGE_PATH_BYTES = 256 };

lp_status pq_open_source(arena *table, pq_source source, pq_limits limits, pq_file **out, lp_err *err) {
    *out = NULL;
    pq_file *f = ARENA_NEW(table, pq_file);
    f->source = source;
    f->max_page_bytes = limits.max_page_bytes ? limits.max_page_bytes : (uint64_t)1 << 30;
    arena *scratch = arena_child(table);
    uint64_t max_footer_bytes = limits.max_footer_bytes ? limits.max_footer_bytes : (uint64_t)256 << 20;
    lp_status status = footer_read(f, table, scratch, max_footer_bytes, err);
    arena_end(scratch);
    if (status == LP_OK) *out = f;
    return status;
}

const pq_node *pq_schema(const pq_file *f) {
    return f->root;
}

const pq_node *pq_child(const pq_node *group, str name) {
    for (size_t i = 0; i < group->child_count; i++)
        if (str_eq(group->child[i]->name, name)) return group->child[i];
    return NULL;
}

const pq_node *pq_find(const pq_file *f, str dotted_path) {
    const pq_node *n = f->root;
    size_t from = 0, dot;
    while (n && from <= dotted_path.len) {
        str rest = str_slice(dotted_path, from, dotted_path.len);
        if (!str_find_char(rest, '.', &dot)) dot = rest.len;
        n = pq_child(n, str_slice(rest, 0, dot));
        from += dot + 1;
    }
    return n;
}

/* The one repeated group under a node, if that is its shape. */
static const pq_node *repeated_group(const pq_node *n) {
    if (n->is_leaf || n->child_count != 1) return NULL;
    const pq_node *inner = n->child[0];
    return inner->repetition == PQ_REPEATED && !inner->is_leaf ? inner : NULL;
}

const pq_node *pq_map_key(const pq_node *map) {
    const pq_node *entry = repeated_group(map);
    return entry && entry->child_count >= 1 && entry->child_count <= 2 ? entry->child[0] : NULL;
}

const pq_node *pq_map_value(const pq_node *map) {
    const pq_node *entry = repeated_group(map);
    return entry && entry->child_count == 2 ? entry->child[1] : NULL;
}

static bool is_element_name(const pq_node *list, str name) {
    str suffix = STR("_tuple");
    if (str_eq(name, STR("array"))) return true;
    return name.len == list->name.len + suffix.len && str_starts_with(name, list->name) && str_ends_with(name, suffix);
}

const pq_node *pq_list_element(const pq_node *list) {
    if (list->repetition == PQ_REPEATED && list->logical != PQ_LOGICAL_LIST) return list;
    if (list->is_leaf || list->child_count != 1 || list->child[0]->repetition != PQ_REPEATED) return NULL;
    const pq_node *inner = list->child[0];
    bool is_element = inner->is_leaf || inner->child_count != 1 || is_element_name(list, inner->name) ||
                      inner->child[0]->repetition == PQ_REPEATED;
    return is_element ? inner : inner->child[0];
}

size_t pq_leaf_count(const pq_file *f) {
    return f->leaf_count;
}

const pq_node *pq_leaf(const pq_file *f, size_t leaf_index) {
    return f->leaf[leaf_index];
}

size_t pq_row_group_count(const pq_file *f) {
    return f->group_count;
}

uint64_t pq_row_group_rows(const pq_file *f, size_t group) {
    return f->group[group].row_count;
}

uint64_t pq_row_count(const pq_file *f) {
    return f->row_count;
}

str pq_metadata(const pq_file *f, str key) {
    for (size_t i = 0; i < f->metadata_count; i++)
        if (str_eq(f->metadata[i].key, key)) return f->metadata[i].value;
    return STR_NONE;
}

str pq_created_by(const pq_file *f) {
    return f->created_by;
}

pq_counters pq_read_counters(const pq_file *f) {
    return (pq_counters){
        .pages_decoded = atomic_load_explicit(&f->pages_decoded, memory_order_relaxed),
        .values_decoded = atomic_load_explicit(&f->values_decoded, memory_order_relaxed),
        .pages_skipped = atomic_load_explicit(&f->pages_skipped, memory_order_relaxed),
    };
}

/* The dotted path of a leaf, cut at the size of a message. */
static void print_path(const pq_node *leaf, char *out, size_t size) {
    const pq_node *part[PQ_MAX_DEPTH + 1];
    size_t depth = 0, used = 0;
    for (const pq_node *n = leaf; n->parent; n = n->parent) part[depth++] = n;
    out[0] = '\0';
    while (depth-- > 0 && used < size) {
        int len = snprintf(out + used, size - used, STR_FMT "%s", STR_ARG(part[depth]->name), depth ? "." : "");
        used += len > 0 ? (size_t)len : 0;
    }
    if (used < size) return;
    size_t end = size - 4;
    while (end > 0 && ((unsigned char)out[end] & 0xC0) == 0x80) end--;
    memcpy(out + end, "...", 4);
}

lp_status pq_fail(const pq_place *at, lp_err *err, lp_status code, const char *format, ...) {
    char path[MESSAGE_PATH_BYTES], page[64] = "", text[768];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    print_path(at->leaf, path, sizeof path);
    if (at->page_offset != PQ_NO_PAGE)
        snprintf(page, sizeof page, ", page at byte %llu", (unsigned long long)at->page_offset);
    return err_set(err, code, STR_FMT ": column %s%s: %s", STR_ARG(at->file->source.name), path, page, text);
}
