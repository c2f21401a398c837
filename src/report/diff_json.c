/* diff_json.c - the difference of two versions as one JSON document, keys in alphabetical order.
 * Called by: api.  Must not know: text, how the difference was found.
 */
#include <math.h>

#include "delta/type_text.h"
#include "report/diff_report.h"
#include "report/member.h"
#include "report/report_int.h"

#define DIFF_SCHEMA STR("1.0.0")

typedef struct json_page {
    draft draft;
    json_writer w;
    const diff_answer *answer;
    const snapshot_diff *diff;
    const diff_style *style;
    arena *query;
} json_page;

static void put_note(json_page *p, const note *n) {
    json_writer *w = &p->w;
    json_begin_object(w);
    member_text(w, STR("code"), note_code_name(n->code));
    member_text(w, STR("message"), n->message);
    member_text(w, STR("number"), note_code_number(n->code));
    member_text(w, STR("severity"), severity_name(note_code_severity(n->code)));
    json_end_object(w);
}

static void put_texts(json_page *p, const text_difference *d, size_t count) {
    json_writer *w = &p->w;
    json_begin_array(w);
    for (size_t i = 0; i < count; i++) {
        json_begin_object(w);
        member_text(w, STR("after"), d[i].after);
        member_text(w, STR("before"), d[i].before);
        member_text(w, STR("name"), d[i].name);
        json_end_object(w);
    }
    json_end_array(w);
}

/* --- files --- */

static void put_tally(json_page *p, str key, const diff_tally *t) {
    json_writer *w = &p->w;
    bool all_records = t->without_records == 0, all_vectors = t->without_cardinality == 0;
    json_put_key(w, key);
    json_begin_object(w);
    member_count_or_null(w, STR("bytes"), t->without_size == 0, t->bytes);
    member_count_or_null(w, STR("deleted_rows"), all_vectors, t->deleted_rows);
    member_count(w, STR("files"), t->files);
    member_count(w, STR("files_with_deletion_vector"), t->with_vector);
    member_count(w, STR("files_with_records"), t->files - t->without_records);
    member_count(w, STR("known_bytes"), t->bytes);
    member_count(w, STR("known_records"), t->records);
    member_count_or_null(w, STR("live_rows"), all_records && all_vectors && t->deleted_rows <= t->records,
                         t->records - t->deleted_rows);
    member_count_or_null(w, STR("records"), all_records, t->records);
    json_end_object(w);
}

/* The array is a spool of printed rows between two pieces of text; the writer takes its opening as a whole value. */
static void put_listing(json_page *p, str key, const listing *l) {
    json_put_key(&p->w, key);
    if (l->count == 0) {
        json_begin_array(&p->w);
        json_end_array(&p->w);
        return;
    }
    json_put_raw(&p->w, STR("[\n"));
    draft_put_spool(&p->draft, l->text);
    buf_put(&p->draft.tail, STR("\n    ]"));
}

static void put_files(json_page *p) {
    const snapshot_diff *d = p->diff;
    json_put_key(&p->w, STR("files"));
    json_begin_object(&p->w);
    put_tally(p, STR("added"), &d->added);
    if (d->lists_files) put_listing(p, STR("added_files"), &d->added_files);
    put_tally(p, STR("after"), &d->total_after);
    put_tally(p, STR("before"), &d->total_before);
    put_tally(p, STR("kept"), &d->kept);
    put_tally(p, STR("removed"), &d->removed);
    if (d->lists_files) put_listing(p, STR("removed_files"), &d->removed_files);
    json_put_key(&p->w, STR("rewritten_by_vector"));
    json_begin_object(&p->w);
    put_tally(p, STR("after"), &d->rewritten_after);
    put_tally(p, STR("before"), &d->rewritten_before);
    json_end_object(&p->w);
    if (d->lists_files) member_bool(&p->w, STR("truncated"), d->added_files.left_out + d->removed_files.left_out > 0);
    json_end_object(&p->w);
}

void diff_row_json(void *context, buf *out, const diff_file *f) {
    (void)context;
    json_writer w;
    int64_t live = 0;
    bool live_known = live_file_rows(f->file, &live);
    buf_put(out, STR("      "));
    json_writer_init(&w, out, 0);
    json_begin_object(&w);
    member_int_or_null(&w, STR("deleted_rows"), f->file->has_dv && f->file->dv_cardinality >= 0,
                       f->file->dv_cardinality);
    member_text(&w, STR("dv_id"), f->file->has_dv ? f->file->dv_id : STR_NONE);
    member_int_or_null(&w, STR("live_rows"), live_known, live);
    member_text(&w, STR("path"), f->file->path);
    member_int_or_null(&w, STR("records"), f->file->stats.record_count_known, f->file->stats.record_count);
    member_bool(&w, STR("rewritten_by_vector"), f->rewritten);
    member_int_or_null(&w, STR("size_bytes"), f->file->size_bytes >= 0, f->file->size_bytes);
    json_end_object(&w);
}

/* --- schema --- */

static void put_column_side(json_page *p, str key, const column *c, arena *query) {
    json_writer *w = &p->w;
    json_put_key(w, key);
    if (!c) {
        json_put_null(w);
        return;
    }
    json_begin_object(w);
    member_text(w, STR("name"), column_dotted_name(c, query));
    member_bool(w, STR("nullable"), c->nullable);
    member_text(w, STR("physical_name"), c->physical);
    member_text(w, STR("type"), type_text(c, query));
    json_end_object(w);
}

static void put_column(json_page *p, const column_difference *c) {
    json_writer *w = &p->w;
    json_begin_object(w);
    put_column_side(p, STR("after"), c->after, p->query);
    json_put_key(w, STR("attributes"));
    put_texts(p, c->attribute, c->attribute_count);
    put_column_side(p, STR("before"), c->before, p->query);
    member_text(w, STR("change"), !c->before ? STR("added") : !c->after ? STR("dropped") : STR("changed"));
    member_bool(w, STR("nullability_changed"), c->nullability);
    member_bool(w, STR("renamed"), c->renamed);
    member_bool(w, STR("type_changed"), c->retyped);
    member_bool(w, STR("type_widened"), c->widened);
    json_end_object(w);
}

static void put_columns(json_page *p) {
    const snapshot_diff *d = p->diff;
    json_put_key(&p->w, STR("columns"));
    json_begin_array(&p->w);
    for (size_t i = 0; i < d->column_count; i++) put_column(p, &d->column[i]);
    json_end_array(&p->w);
}

static void put_partitioning(json_page *p) {
    const snapshot *b = p->diff->before, *a = p->diff->after;
    json_put_key(&p->w, STR("partition_columns"));
    json_begin_object(&p->w);
    member_texts(&p->w, STR("after"), a->partition_column, a->partition_column_count);
    member_texts(&p->w, STR("before"), b->partition_column, b->partition_column_count);
    member_bool(&p->w, STR("changed"), p->diff->partitioning_changed);
    json_end_object(&p->w);
}

/* null for a side that is not clustered. */
static void put_clustering_of(json_page *p, str key, const snapshot *s) {
    if (s->is_clustered)
        member_texts(&p->w, key, s->clustering_column, s->clustering_column_count);
    else
        member_text(&p->w, key, STR_NONE);
}

static void put_clustering(json_page *p) {
    json_put_key(&p->w, STR("clustering_columns"));
    json_begin_object(&p->w);
    put_clustering_of(p, STR("after"), p->diff->after);
    put_clustering_of(p, STR("before"), p->diff->before);
    member_bool(&p->w, STR("changed"), p->diff->clustering_changed);
    json_end_object(&p->w);
}

/* --- protocol, properties, the table --- */

static void put_versions(json_page *p, str key, int64_t before, int64_t after) {
    json_put_key(&p->w, key);
    json_begin_object(&p->w);
    member_int_or_null(&p->w, STR("after"), true, after);
    member_int_or_null(&p->w, STR("before"), true, before);
    json_end_object(&p->w);
}

static void put_features(json_page *p, str key, const text_difference *f, size_t count) {
    json_writer *w = &p->w;
    json_put_key(w, key);
    json_begin_object(w);
    for (size_t side = 0; side < 2; side++) {
        json_put_key(w, side == 0 ? STR("added") : STR("removed"));
        json_begin_array(w);
        for (size_t i = 0; i < count; i++)
            if (str_is_none(f[i].before) == (side == 0)) json_put_string(w, f[i].name);
        json_end_array(w);
    }
    json_end_object(w);
}

static void put_protocol(json_page *p) {
    const snapshot_diff *d = p->diff;
    const protocol *b = &d->before->protocol, *a = &d->after->protocol;
    json_put_key(&p->w, STR("protocol"));
    json_begin_object(&p->w);
    put_versions(p, STR("min_reader_version"), b->min_reader_version, a->min_reader_version);
    put_versions(p, STR("min_writer_version"), b->min_writer_version, a->min_writer_version);
    put_features(p, STR("reader_features"), d->reader_feature, d->reader_feature_count);
    put_features(p, STR("writer_features"), d->writer_feature, d->writer_feature_count);
    json_end_object(&p->w);
}

static void put_properties(json_page *p) {
    json_put_key(&p->w, STR("properties"));
    put_texts(p, p->diff->property, p->diff->property_count);
}

static void put_one_side(json_page *p, str key, const snapshot *s) {
    json_writer *w = &p->w;
    json_put_key(w, key);
    json_begin_object(w);
    json_put_key(w, STR("notes"));
    json_begin_array(w);
    for (const note *n = s->notes.first; n; n = n->next) put_note(p, n);
    json_end_array(w);
    member_text(w, STR("table_id"), s->table_id);
    member_text(w, STR("table_name"), s->table_name);
    member_int_or_null(w, STR("version"), true, s->version);
    json_end_object(w);
}

/* --- the predicate --- */

static void put_phase(json_page *p, str key, const prune_report *r, phase_kind kind) {
    json_put_key(&p->w, key);
    for (size_t i = 0; i < r->phase_count; i++) {
        if (r->phase[i].kind != kind) continue;
        json_put_uint(&p->w, r->phase[i].output_files);
        return;
    }
    json_put_null(&p->w);
}

static void put_reading(json_page *p, str key, const diff_reading *r) {
    json_writer *w = &p->w;
    json_put_key(w, key);
    json_begin_object(w);
    if (!r->measured) {
        member_text(w, STR("error"), r->why);
        json_end_object(w);
        return;
    }
    put_phase(p, STR("after_data_skipping"), r->measured, PHASE_SKIPPING);
    put_phase(p, STR("after_partition_pruning"), r->measured, PHASE_PARTITION);
    member_text(w, STR("confidence"), confidence_name(r->measured->confidence));
    member_text(w, STR("error"), STR_NONE);
    member_count(w, STR("final_files"), r->measured->final_files);
    json_put_key(w, STR("notes"));
    note_choice chosen = notes_choose(r->measured, NOTE_OF_PREDICATE, false, p->query);
    json_begin_array(w);
    for (size_t i = 0; i < chosen.count; i++) put_note(p, chosen.item[i]);
    json_end_array(w);
    member_count(w, STR("total_files"), r->measured->total_files);
    json_end_object(w);
}

static void put_growth(json_page *p) {
    double percent;
    json_put_key(&p->w, STR("growth_pct"));
    if (diff_growth(p->answer, &percent))
        json_put_double(&p->w, percent); /* an infinite one is null */
    else
        json_put_null(&p->w);
}

static void put_read(json_page *p) {
    const diff_answer *a = p->answer;
    json_writer *w = &p->w;
    json_put_key(w, STR("reading"));
    if (!a->has_where) {
        json_put_null(w);
        return;
    }
    json_begin_object(w);
    put_reading(p, STR("after"), &a->after);
    put_reading(p, STR("before"), &a->before);
    put_growth(p);
    member_text(w, STR("predicate"), a->where);
    json_put_key(w, STR("settings"));
    json_begin_object(w);
    member_text(w, STR("level"), p->style->level == LEVEL_EXTENDED ? STR("extended") : STR("contract"));
    member_text(w, STR("nan"), p->style->nan_strict ? STR("strict") : STR("trusted"));
    member_text(w, STR("timezone"), p->style->timezone);
    json_end_object(w);
    json_end_object(w);
}

/* --- gates --- */

static void put_assertions(json_page *p) {
    const diff_answer *a = p->answer;
    json_writer *w = &p->w;
    double percent;
    json_put_key(w, STR("assertions"));
    json_begin_array(w);
    if (a->has_max_growth) {
        json_begin_object(w);
        json_put_key(w, STR("actual"));
        if (diff_growth(a, &percent))
            json_put_double(w, percent);
        else
            json_put_null(w);
        member_text(w, STR("name"), STR("max_growth"));
        member_text(w, STR("result"), diff_passed(a) ? STR("pass") : STR("fail"));
        member_number(w, STR("threshold"), a->max_growth);
        json_end_object(w);
    }
    json_end_array(w);
}

void diff_json(const diff_answer *a, const diff_style *style, arena *query, report_document *out) {
    json_page page = {.answer = a, .diff = a->diff, .style = style, .query = query};
    json_writer *w = &page.w;
    draft_init(&page.draft, query, out);
    json_writer_init(w, &page.draft.tail, 2);
    json_begin_object(w);
    put_one_side(&page, STR("after"), a->diff->after);
    put_assertions(&page);
    put_one_side(&page, STR("before"), a->diff->before);
    put_clustering(&page);
    put_columns(&page);
    put_files(&page);
    put_partitioning(&page);
    put_properties(&page);
    put_protocol(&page);
    put_read(&page);
    member_text(w, STR("result"), !a->has_max_growth ? STR_NONE : diff_passed(a) ? STR("pass") : STR("fail"));
    member_text(w, STR("schema_version"), DIFF_SCHEMA);
    member_text(w, STR("table"), style->location);
    member_text(w, STR("tool"), STR("lakeproof"));
    member_text(w, STR("tool_version"), style->tool_version);
    json_end_object(w);
    buf_put_char(&page.draft.tail, '\n');
    draft_end(&page.draft);
}
