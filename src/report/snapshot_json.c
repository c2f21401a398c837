/* snapshot_json.c - a snapshot as one JSON document, keys in alphabetical order.
 * Called by: api.  Must not know: how a snapshot is resolved or counted.
 */
#include "report/member.h"
#include "report/report_int.h"
#include "report/snapshot_report.h"

#define SNAPSHOT_SCHEMA STR("1.0.0")

typedef struct json_page {
    draft draft;
    json_writer w;
    const snapshot *s;
    const census *c;
    const snapshot_style *style;
} json_page;

static void put_notes(json_page *p) {
    json_put_key(&p->w, STR("notes"));
    json_begin_array(&p->w);
    for (const note *n = p->s->notes.first; n; n = n->next) {
        json_begin_object(&p->w);
        member_text(&p->w, STR("code"), note_code_name(n->code));
        member_text(&p->w, STR("message"), n->message);
        member_text(&p->w, STR("number"), note_code_number(n->code));
        member_text(&p->w, STR("severity"), severity_name(note_code_severity(n->code)));
        json_end_object(&p->w);
    }
    json_end_array(&p->w);
}

static void put_protocol(json_page *p) {
    const protocol *is = &p->s->protocol;
    json_put_key(&p->w, STR("protocol"));
    json_begin_object(&p->w);
    member_int_or_null(&p->w, STR("min_reader_version"), true, is->min_reader_version);
    member_int_or_null(&p->w, STR("min_writer_version"), true, is->min_writer_version);
    member_texts(&p->w, STR("reader_features"), is->reader_feature, is->reader_feature_count);
    member_texts(&p->w, STR("writer_features"), is->writer_feature, is->writer_feature_count);
    json_end_object(&p->w);
}

static void put_totals(json_page *p) {
    const census *c = p->c;
    json_put_key(&p->w, STR("totals"));
    json_begin_object(&p->w);
    member_count_or_null(&p->w, STR("bytes"), c->files_with_size == c->files, c->bytes);
    member_count(&p->w, STR("deleted_rows"), c->deleted_rows);
    member_count(&p->w, STR("files"), c->files);
    member_count(&p->w, STR("files_with_deletion_vector"), c->files_with_dv);
    member_count(&p->w, STR("files_with_records"), c->files_with_records);
    member_count(&p->w, STR("files_with_stats"), c->files_with_stats);
    member_count_or_null(&p->w, STR("live_rows"), c->files_with_live_rows == c->files, c->live_rows);
    member_count_or_null(&p->w, STR("records"), c->files_with_records == c->files, c->records);
    member_count(&p->w, STR("removed_files"), c->removed_keys);
    json_end_object(&p->w);
}

/* The array is a spool of printed rows between two pieces of text; the writer takes its opening as a whole value. */
static void put_files(json_page *p) {
    json_put_key(&p->w, STR("files"));
    if (p->c->files == 0) {
        json_begin_array(&p->w);
        json_end_array(&p->w);
        return;
    }
    json_put_raw(&p->w, STR("[\n"));
    draft_put_spool(&p->draft, p->c->listing);
    buf_put(&p->draft.tail, STR("\n  ]"));
}

void snapshot_json(const snapshot *s, const census *c, const snapshot_style *style, arena *query,
                   report_document *out) {
    json_page page = {.s = s, .c = c, .style = style};
    json_writer *w = &page.w;
    draft_init(&page.draft, query, out);
    json_writer_init(w, &page.draft.tail, 2);
    json_begin_object(w);
    if (c->listing) put_files(&page);
    put_notes(&page);
    member_texts(w, STR("partition_columns"), s->partition_column, s->partition_column_count);
    put_protocol(&page);
    member_text(w, STR("schema_version"), SNAPSHOT_SCHEMA);
    member_text(w, STR("table"), style->location);
    member_text(w, STR("table_id"), s->table_id);
    member_text(w, STR("table_name"), s->table_name);
    member_text(w, STR("tool"), STR("lakeproof"));
    member_text(w, STR("tool_version"), style->tool_version);
    put_totals(&page);
    member_int_or_null(w, STR("version"), true, s->version);
    json_end_object(w);
    buf_put_char(&page.draft.tail, '\n');
    draft_end(&page.draft);
}
