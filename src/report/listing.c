/* listing.c - one file of a listing, as a line of text or as an object of JSON.
 * Called by: prune, through prune_options.print, on worker threads; api makes the context.  Must not know: why a file was
 * kept or dropped.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "report/report_int.h"
#include "report/why_report.h"

/* A column and where its values are in a live_file. */
typedef struct shown_column {
    str name;       /* of text listings: ready to be printed */
    str exact_name; /* of JSON */
    type_kind kind;
    size_t index;   /* leaf_index for statistics, else the position in schema.partition */
} shown_column;

struct file_listing {
    bool drop_in, color;
    shown_column *bound; /* every leaf of the schema, by name */
    size_t bound_count;
    shown_column *partition_text; /* by the text `name=`, as the original sorts them */
    shown_column *partition_json; /* by name */
    size_t partition_count;
};

static int by_name(const void *a, const void *b) {
    return str_compare(((const shown_column *)a)->exact_name, ((const shown_column *)b)->exact_name);
}

/* `a b=1` stands before `a=1`, since a blank sorts before `=`. */
static int by_pair(const void *a, const void *b) {
    str x = ((const shown_column *)a)->exact_name, y = ((const shown_column *)b)->exact_name;
    size_t common = x.len < y.len ? x.len : y.len;
    int order = str_compare(str_slice(x, 0, common), str_slice(y, 0, common));
    if (order != 0 || x.len == y.len) return order;
    bool x_ends = x.len < y.len;
    uint8_t other = (uint8_t)(x_ends ? y.ptr[common] : x.ptr[common]);
    return x_ends == ('=' < other) ? -1 : 1;
}

static shown_column show_column(const column *c, size_t index, bool as_written, arena *query) {
    str exact = column_dotted_name(c, query);
    buf name;
    buf_init(&name, query, REPORT_TEXT_MAX);
    put_log_text(&name, exact, as_written);
    return (shown_column){buf_str(&name), exact, c->type.kind, index};
}

static void sort(shown_column *item, size_t count, int (*order)(const void *, const void *)) {
    if (count > 1) qsort(item, count, sizeof *item, order);
}

file_listing *file_listing_new(const schema *table, bool drop_in, bool color, arena *query) {
    file_listing *l = ARENA_NEW(query, file_listing);
    l->drop_in = drop_in;
    l->color = color;
    l->bound_count = table->leaf_count;
    l->bound = ARENA_ARRAY(query, shown_column, l->bound_count);
    for (size_t i = 0; i < l->bound_count; i++) l->bound[i] = show_column(table->leaf[i], i, drop_in, query);
    l->partition_count = table->partition_count;
    l->partition_text = ARENA_ARRAY(query, shown_column, l->partition_count);
    l->partition_json = ARENA_ARRAY(query, shown_column, l->partition_count);
    for (size_t i = 0; i < l->partition_count; i++)
        l->partition_text[i] = l->partition_json[i] = show_column(table->partition[i], i, drop_in, query);
    sort(l->bound, l->bound_count, by_name);
    sort(l->partition_text, l->partition_count, by_pair);
    sort(l->partition_json, l->partition_count, by_name);
    return l;
}

/* --- text --- */

static str base_name(str path) {
    size_t start = path.len;
    while (start > 0 && path.ptr[start - 1] != '/') start--;
    return str_slice(path, start, path.len);
}

static bool has_stats(const live_file *f) {
    return f->stats_loaded && f->stats.has_stats;
}

static bool knows_records(const live_file *f) {
    return has_stats(f) && f->stats.record_count_known;
}

static void put_verdict(const file_listing *l, buf *out, bool kept) {
    buf_put(out, STR("  "));
    if (l->color) buf_put(out, kept ? STR("\x1b[32m") : STR("\x1b[2m"));
    buf_put(out, kept ? STR("[KEPT   ]") : STR("[DROPPED]"));
    if (l->color) buf_put(out, STR("\x1b[0m"));
    buf_put_char(out, ' ');
}

/* NULL values are left out, and so is the part when nothing is left. */
static void put_partition(const file_listing *l, buf *out, const live_file *f) {
    str before = STR("  partition(");
    for (size_t i = 0; i < l->partition_count; i++) {
        const shown_column *c = &l->partition_text[i];
        str text = f->partition[c->index].text;
        if (str_is_none(text)) continue;
        buf_put(out, before);
        buf_put(out, c->name);
        buf_put_char(out, '=');
        put_log_text(out, text, l->drop_in);
        before = STR(", ");
    }
    if (before.len == 2) buf_put_char(out, ')');
}

static bool is_shown(const bound *b) {
    return b->state == CELL_VALUE || b->state == CELL_NULL || (b->state == CELL_UNREADABLE && !str_is_none(b->text));
}

/* min..max, or min=.. or max=.. where one side is known. */
static void put_range(const file_listing *l, buf *out, type_kind kind, const column_stats *s) {
    bool has_min = is_shown(&s->min), has_max = is_shown(&s->max);
    if (!has_max) buf_put(out, STR("min="));
    if (!has_min) buf_put(out, STR("max="));
    if (has_min) put_bound(out, kind, &s->min, l->drop_in);
    if (has_min && has_max) buf_put(out, STR(".."));
    if (has_max) put_bound(out, kind, &s->max, l->drop_in);
}

/* Statistics that hold neither a record count, a bound nor a null count count as none, as in the original. */
static void put_stats(const file_listing *l, buf *out, const live_file *f) {
    bool has_any = knows_records(f);
    str before = STR("  stats(");
    for (size_t i = 0; has_stats(f) && f->stats.column && i < l->bound_count; i++) {
        const shown_column *c = &l->bound[i];
        const column_stats *s = &f->stats.column[c->index];
        has_any = has_any || s->null_count_state == COUNT_KNOWN;
        if (!is_shown(&s->min) && !is_shown(&s->max)) continue;
        buf_put(out, before);
        buf_put(out, c->name);
        buf_put(out, STR(": "));
        put_range(l, out, c->kind, s);
        before = STR(", ");
    }
    if (before.len == 2) buf_put_char(out, ')');
    else if (!has_any) buf_put(out, STR("  [no stats]"));
}

void listing_print_text(void *context, buf *out, const file_verdict *v) {
    const file_listing *l = context;
    const live_file *f = v->file;
    put_verdict(l, out, v->kept);
    put_log_text(out, base_name(f->path), l->drop_in);
    buf_put(out, STR("  ("));
    put_size(out, f->size_bytes);
    if (knows_records(f)) buf_printf(out, "  %" PRId64 " records", f->stats.record_count);
    buf_put_char(out, ')');
    put_partition(l, out, f);
    put_stats(l, out, f);
}

/* --- JSON --- */

/* Entries stand in an array of an object: two levels deep. Written out by hand, since an entry is printed apart from the
 * document it belongs to, and often. */
static void put_key(buf *out, str key) {
    buf_put(out, STR("      \""));
    buf_put(out, key);
    buf_put(out, STR("\": "));
}

static void put_json_bool(buf *out, str key, bool b) {
    put_key(out, key);
    buf_put(out, b ? STR("true,\n") : STR("false,\n"));
}

static void put_json_count(buf *out, bool known, int64_t count) {
    if (known) buf_printf(out, "%" PRId64, count);
    else buf_put(out, STR("null"));
}

static void put_deletion_vector(buf *out, const live_file *f) {
    put_key(out, STR("deletion_vector"));
    if (!f->has_dv) {
        buf_put(out, STR("null,\n"));
        return;
    }
    buf_put(out, STR("{\n        \"cardinality\": "));
    put_json_count(out, f->dv_cardinality >= 0, f->dv_cardinality);
    buf_put(out, STR(",\n        \"id\": "));
    if (str_is_none(f->dv_id)) buf_put(out, STR("null"));
    else put_json_string(out, f->dv_id);
    buf_put(out, STR("\n      },\n"));
}

static void put_partition_values(const file_listing *l, buf *out, const live_file *f) {
    put_key(out, STR("partition_values"));
    str before = STR("{\n");
    for (size_t i = 0; i < l->partition_count; i++) {
        const shown_column *c = &l->partition_json[i];
        str text = f->partition[c->index].text;
        if (str_is_none(text)) continue;
        buf_put(out, before);
        buf_put(out, STR("        "));
        put_json_string(out, c->exact_name);
        buf_put(out, STR(": "));
        put_json_string(out, text);
        before = STR(",\n");
    }
    buf_put(out, before.ptr[0] == '{' ? STR("{},\n") : STR("\n      },\n"));
}

void listing_print_json(void *context, buf *out, const file_verdict *v) {
    const file_listing *l = context;
    const live_file *f = v->file;
    buf_put(out, STR("    {\n"));
    if (!l->drop_in) put_deletion_vector(out, f);
    put_json_bool(out, STR("has_stats"), has_stats(f));
    put_json_bool(out, STR("kept"), v->kept);
    put_key(out, STR("num_records"));
    put_json_count(out, knows_records(f), f->stats.record_count);
    buf_put(out, STR(",\n"));
    put_partition_values(l, out, f);
    put_key(out, STR("path"));
    put_json_string(out, f->path);
    buf_put(out, STR(",\n"));
    put_key(out, STR("pruned_by"));
    if (v->was_dropped_by_a_phase) put_json_string(out, phase_name(v->dropped_by));
    else buf_put(out, STR("null"));
    buf_put(out, STR(",\n"));
    if (v->why) {
        put_key(out, STR("recorded_in"));
        put_json_string(out, v->recorded_in);
        buf_put(out, STR(",\n"));
    }
    put_key(out, STR("size_bytes"));
    put_json_count(out, f->size_bytes >= 0, f->size_bytes);
    if (v->why) {
        buf_put(out, STR(",\n"));
        put_key(out, STR("why"));
        why_tree_json(out, v->why, 6);
    }
    buf_put(out, STR("\n    }"));
}
