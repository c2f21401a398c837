/* file_rows.c - rows of live files.
 * Called by: the census, through census_options.print, on worker threads; api makes the context.  Must not know: why a
 * file is live.
 */
#include "report/file_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/member.h"
#include "report/report_int.h"

typedef struct shown_partition {
    str name;
    size_t index; /* in schema.partition */
} shown_partition;

struct file_rows {
    file_rows_form form;
    shown_partition *in_order; /* of the table */
    shown_partition *by_name;
    size_t count;
};

static int by_name(const void *a, const void *b) {
    const shown_partition *x = a, *y = b;
    int order = str_compare(x->name, y->name);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

file_rows *file_rows_new(const snapshot *s, file_rows_form form, arena *query) {
    file_rows *r = ARENA_NEW(query, file_rows);
    *r = (file_rows){.form = form, .count = s->schema.partition_count};
    r->in_order = ARENA_ARRAY(query, shown_partition, r->count);
    r->by_name = ARENA_ARRAY(query, shown_partition, r->count);
    for (size_t i = 0; i < r->count; i++)
        r->in_order[i] = r->by_name[i] = (shown_partition){column_dotted_name(s->schema.partition[i], query), i};
    if (r->count > 1) qsort(r->by_name, r->count, sizeof *r->by_name, by_name);
    return r;
}

str file_rows_separator(file_rows_form form) {
    switch (form) {
    case FILE_ROWS_TEXT:
    case FILE_ROWS_NDJSON: return STR("\n");
    case FILE_ROWS_JSON: return STR(",\n");
    case FILE_ROWS_CSV: return STR("\r\n");
    }
    UNREACHABLE();
}

bool file_rows_is_text(const file_rows *r) {
    return r->form == FILE_ROWS_TEXT;
}

str file_rows_end(const file_rows *r) {
    return r->form == FILE_ROWS_CSV ? STR("\r\n") : STR("\n");
}

/* --- JSON --- */

static void put_partition_values(const file_rows *r, json_writer *w, const live_file *f) {
    json_put_key(w, STR("partition_values"));
    json_begin_object(w);
    for (size_t i = 0; i < r->count; i++) {
        const partition_cell *cell = &f->partition[r->by_name[i].index];
        if (cell->state != CELL_ABSENT) member_text(w, r->by_name[i].name, cell->text);
    }
    json_end_object(w);
}

static void put_object(const file_rows *r, buf *out, const live_file *f) {
    json_writer w;
    json_writer_init(&w, out, 0);
    int64_t live = 0;
    bool live_known = live_file_rows(f, &live);
    json_begin_object(&w);
    member_int_or_null(&w, STR("base_row_id"), f->base_row_id_known, f->base_row_id);
    member_int_or_null(&w, STR("deleted_rows"), f->has_dv && f->dv_cardinality >= 0, f->dv_cardinality);
    member_text(&w, STR("dv_id"), f->dv_id);
    member_bool(&w, STR("has_stats"), f->stats.has_stats);
    member_int_or_null(&w, STR("live_rows"), live_known, live);
    member_int_or_null(&w, STR("modification_time_ms"), f->modification_time_known, f->modification_time_ms);
    put_partition_values(r, &w, f);
    member_text(&w, STR("path"), f->path);
    member_int_or_null(&w, STR("records"), f->stats.record_count_known, f->stats.record_count);
    member_int_or_null(&w, STR("size_bytes"), f->size_bytes >= 0, f->size_bytes);
    json_end_object(&w);
}

/* --- CSV --- */

static bool needs_quotes(str text) {
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] == ',' || text.ptr[i] == '"' || text.ptr[i] == '\r' || text.ptr[i] == '\n') return true;
    return text.len == 0;
}

/* NULL is an empty field without quotes, so an empty text has them. */
static void put_field(buf *out, str text) {
    if (str_is_none(text)) return;
    if (!needs_quotes(text)) {
        buf_put(out, text);
        return;
    }
    buf_put_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '"') buf_put_char(out, '"');
        buf_put_char(out, text.ptr[i]);
    }
    buf_put_char(out, '"');
}

static void put_next_number(buf *out, bool known, int64_t number) {
    buf_put_char(out, ',');
    if (known) buf_printf(out, "%" PRId64, number);
}

static void put_record(const file_rows *r, buf *out, const live_file *f) {
    int64_t live = 0;
    bool live_known = live_file_rows(f, &live);
    put_field(out, f->path);
    buf_put_char(out, ',');
    put_field(out, f->dv_id);
    put_next_number(out, f->size_bytes >= 0, f->size_bytes);
    put_next_number(out, f->modification_time_known, f->modification_time_ms);
    put_next_number(out, f->stats.record_count_known, f->stats.record_count);
    put_next_number(out, f->has_dv && f->dv_cardinality >= 0, f->dv_cardinality);
    put_next_number(out, live_known, live);
    buf_put(out, f->stats.has_stats ? STR(",true") : STR(",false"));
    put_next_number(out, f->base_row_id_known, f->base_row_id);
    for (size_t i = 0; i < r->count; i++) {
        buf_put_char(out, ',');
        put_field(out, f->partition[r->in_order[i].index].text);
    }
}

static void put_record_header(const file_rows *r, buf *out) {
    buf_put(out,
            STR("path,dv_id,size_bytes,modification_time_ms,records,deleted_rows,live_rows,has_stats,base_row_id"));
    for (size_t i = 0; i < r->count; i++) {
        str name = str_format(out->owner, "partition." STR_FMT, STR_ARG(r->in_order[i].name));
        buf_put_char(out, ',');
        put_field(out, name);
    }
    buf_put(out, STR("\r\n"));
}

/* --- text --- */

/* A listing is written while it is read, so its columns have fixed widths: those of most tables. */
enum { TIME_COLUMN = 24, SIZE_COLUMN = 10, RECORDS_COLUMN = 13 };
#define LINE_HEADER STR("  modified                        size        records  path\n")

/* What was put since `start`, moved to the right end of its column. */
static void align_right(buf *out, size_t start, size_t width) {
    size_t len = out->len - start;
    if (len >= width) return;
    (void)buf_reserve(out, width - len);
    memmove(out->ptr + start + width - len, out->ptr + start, len);
    memset(out->ptr + start, ' ', width - len);
    out->len = start + width;
}

static void put_figures(buf *out, const live_file *f) {
    size_t start = out->len;
    if (f->modification_time_known)
        put_time(out, f->modification_time_ms);
    else
        buf_put_char(out, '-');
    if (out->len - start < TIME_COLUMN) buf_put_repeated(out, ' ', TIME_COLUMN - (out->len - start));
    buf_put(out, STR("  "));
    start = out->len;
    if (f->size_bytes >= 0)
        put_size(out, f->size_bytes);
    else
        buf_put_char(out, '-');
    align_right(out, start, SIZE_COLUMN);
    buf_put(out, STR("  "));
    start = out->len;
    if (f->stats.record_count_known)
        put_count(out, (uint64_t)f->stats.record_count);
    else
        buf_put_char(out, '-');
    align_right(out, start, RECORDS_COLUMN);
}

/* `  vector(uabc@1: 3 deleted, 7 left)` */
static void put_vector(buf *out, const live_file *f) {
    if (!f->has_dv) return;
    buf_put(out, STR("  vector("));
    put_log_text(out, f->dv_id, false);
    if (f->dv_cardinality >= 0) {
        buf_put(out, STR(": "));
        put_count(out, (uint64_t)f->dv_cardinality);
        buf_put(out, STR(" deleted"));
    }
    int64_t left;
    if (live_file_rows(f, &left)) {
        buf_put(out, STR(", "));
        put_count(out, (uint64_t)left);
        buf_put(out, STR(" left"));
    }
    buf_put_char(out, ')');
}

/* `  partition(country=IT, day=NULL)`: unlike in the listings of prune NULL is shown, since nothing else tells it from
 * a missing entry. */
static void put_partition(const file_rows *r, buf *out, const live_file *f) {
    str before = STR("  partition(");
    for (size_t i = 0; i < r->count; i++) {
        const partition_cell *cell = &f->partition[r->in_order[i].index];
        if (cell->state == CELL_ABSENT) continue;
        buf_put(out, before);
        put_log_text(out, r->in_order[i].name, false);
        buf_put_char(out, '=');
        if (str_is_none(cell->text))
            buf_put(out, STR("NULL"));
        else
            put_log_text(out, cell->text, false);
        before = STR(", ");
    }
    if (before.len == 2) buf_put_char(out, ')');
}

static void put_line(const file_rows *r, buf *out, const live_file *f) {
    buf_put(out, STR("  "));
    put_figures(out, f);
    buf_put(out, STR("  "));
    put_log_text(out, f->path, false);
    put_partition(r, out, f);
    put_vector(out, f);
    if (f->base_row_id_known) {
        buf_put(out, STR("  row ids from "));
        buf_printf(out, "%" PRId64, f->base_row_id);
    }
    if (!f->stats.has_stats) buf_put(out, STR("  [no stats]"));
}

void file_rows_put_header(const file_rows *r, buf *out) {
    if (r->form == FILE_ROWS_CSV) put_record_header(r, out);
    if (r->form == FILE_ROWS_TEXT) buf_put(out, LINE_HEADER);
}

void file_row_print(void *context, buf *out, const live_file *f) {
    const file_rows *r = context;
    switch (r->form) {
    case FILE_ROWS_TEXT: put_line(r, out, f); return;
    case FILE_ROWS_JSON:
        buf_put(out, STR("    "));
        put_object(r, out, f);
        return;
    case FILE_ROWS_NDJSON: put_object(r, out, f); return;
    case FILE_ROWS_CSV: put_record(r, out, f); return;
    }
    UNREACHABLE();
}
