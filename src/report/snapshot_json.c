/* snapshot_json.c - a snapshot as one JSON document, keys in alphabetical order.
 * Called by: api.  Must not know: how a snapshot is resolved or counted.
 */
#include "report/disk_json.h"
#include "report/member.h"
#include "report/report_int.h"
#include "report/snapshot_parts.h"
#include "report/snapshot_report.h"

#define SNAPSHOT_SCHEMA STR("1.0.0")

typedef struct json_page {
    draft draft;
    json_writer w;
    const snapshot *s;
    const census *c;
    const snapshot_style *style;
    arena *query;
} json_page;

static void member_int(json_writer *w, str key, int64_t number) {
    json_put_key(w, key);
    json_put_int(w, number);
}

/* An object as it was written. */
static void member_object(json_writer *w, str key, str text) {
    json_put_key(w, key);
    if (str_is_none(text))
        json_put_null(w);
    else
        json_put_raw(w, text);
}

/* --- the log --- */

static void put_commit(json_page *p) {
    const commit_info *c = p->style->commit;
    json_put_key(&p->w, STR("commit"));
    if (!c) {
        json_put_null(&p->w);
        return;
    }
    json_begin_object(&p->w);
    member_text(&p->w, STR("engine"), c->engine);
    member_int_or_null(&p->w, STR("in_commit_timestamp_ms"), c->has_in_commit_timestamp, c->in_commit_timestamp_ms);
    member_object(&p->w, STR("metrics"), c->metrics);
    member_text(&p->w, STR("operation"), c->operation);
    member_object(&p->w, STR("parameters"), c->parameters);
    member_int_or_null(&p->w, STR("timestamp_ms"), c->has_timestamp, c->timestamp_ms);
    member_text(&p->w, STR("user"), c->user);
    json_end_object(&p->w);
}

static str verdict_key(checksum_verdict verdict) {
    switch (verdict) {
    case VERDICT_ABSENT: return STR("absent");
    case VERDICT_AGREES: return STR("agrees");
    case VERDICT_DIFFERS: return STR("differs");
    case VERDICT_UNREADABLE: return STR("unreadable");
    }
    UNREACHABLE();
}

static void put_checksum(json_page *p) {
    const version_checksum *v = p->style->checksum;
    json_put_key(&p->w, STR("checksum"));
    json_begin_object(&p->w);
    json_put_key(&p->w, STR("differences"));
    json_begin_array(&p->w);
    for (size_t i = 0; i < v->difference_count; i++) {
        json_begin_object(&p->w);
        member_text(&p->w, STR("in_checksum"), v->difference[i].in_checksum);
        member_text(&p->w, STR("in_log"), v->difference[i].in_log);
        member_text(&p->w, STR("what"), v->difference[i].what);
        json_end_object(&p->w);
    }
    json_end_array(&p->w);
    member_text(&p->w, STR("file"), v->file);
    member_text(&p->w, STR("state"), verdict_key(v->verdict));
    member_text(&p->w, STR("why"), v->why);
    json_end_object(&p->w);
}

static void put_checkpoint(json_page *p) {
    const story_checkpoint *c = &p->s->story->checkpoint;
    json_put_key(&p->w, STR("checkpoint"));
    if (!p->s->story->has_checkpoint) {
        json_put_null(&p->w);
        return;
    }
    json_begin_object(&p->w);
    member_text(&p->w, STR("choice"), c->choice == CHOICE_NEWEST ? STR("newest") : STR("newest_readable"));
    member_texts(&p->w, STR("files"), c->file, c->file_count);
    member_text(&p->w, STR("kind"), checkpoint_kind_key(c->kind, c->is_json));
    member_bool(&p->w, STR("named_by_hint"), c->is_named_by_hint);
    member_count(&p->w, STR("others_of_its_version"), c->other_count);
    member_texts(&p->w, STR("sidecars"), c->sidecar, c->sidecar_count);
    member_int(&p->w, STR("version"), c->version);
    json_end_object(&p->w);
}

static void put_range(json_page *p, int64_t first, int64_t last) {
    member_int(&p->w, STR("first"), first);
    member_int(&p->w, STR("last"), last);
}

static void put_commits(json_page *p) {
    const story *is = p->s->story;
    json_put_key(&p->w, STR("commits"));
    if (is->commit_count == 0) {
        json_put_null(&p->w);
        return;
    }
    json_begin_object(&p->w);
    member_count(&p->w, STR("count"), is->commit_count);
    put_range(p, is->first_commit, is->last_commit);
    json_end_object(&p->w);
}

static void put_compactions(json_page *p, str key, const story_compaction *c, size_t count) {
    json_put_key(&p->w, key);
    json_begin_array(&p->w);
    for (size_t i = 0; i < count; i++) {
        json_begin_object(&p->w);
        member_text(&p->w, STR("file"), c[i].file);
        put_range(p, c[i].first, c[i].last);
        member_text(&p->w, STR("why"), c[i].why);
        json_end_object(&p->w);
    }
    json_end_array(&p->w);
}

static str hint_state_key(story_hint_state state) {
    switch (state) {
    case HINT_ABSENT: return STR("absent");
    case HINT_GOOD: return STR("good");
    case HINT_IGNORED: return STR("ignored");
    }
    UNREACHABLE();
}

static str checksum_key(story_checksum checksum) {
    switch (checksum) {
    case CHECKSUM_ABSENT: return STR("absent");
    case CHECKSUM_VERIFIED: return STR("verified");
    case CHECKSUM_WRONG: return STR("wrong");
    }
    UNREACHABLE();
}

static void put_hint(json_page *p) {
    const story_hint *h = &p->s->story->hint;
    json_put_key(&p->w, STR("hint"));
    json_begin_object(&p->w);
    member_text(&p->w, STR("checksum"), checksum_key(h->checksum));
    member_text(&p->w, STR("state"), hint_state_key(h->state));
    member_int_or_null(&p->w, STR("version"), h->has_version, h->version);
    member_text(&p->w, STR("why"), h->why);
    json_end_object(&p->w);
}

static str skip_key(story_skip reason) {
    switch (reason) {
    case SKIP_INCOMPLETE: return STR("incomplete");
    case SKIP_EMPTY: return STR("empty");
    case SKIP_DAMAGED: return STR("damaged");
    case SKIP_GAP: return STR("gap");
    }
    UNREACHABLE();
}

static void put_passed_over(json_page *p) {
    const story *is = p->s->story;
    json_put_key(&p->w, STR("passed_over"));
    json_begin_array(&p->w);
    for (size_t i = 0; i < is->skipped_count; i++) {
        const story_skipped *k = &is->skipped[i];
        json_begin_object(&p->w);
        member_text(&p->w, STR("file"), k->file);
        member_text(&p->w, STR("kind"), checkpoint_kind_key(k->kind, k->is_json));
        member_text(&p->w, STR("reason"), skip_key(k->reason));
        member_int(&p->w, STR("version"), k->version);
        member_text(&p->w, STR("why"), k->why);
        json_end_object(&p->w);
    }
    json_end_array(&p->w);
}

static void put_log(json_page *p) {
    const story *is = p->s->story;
    json_put_key(&p->w, STR("log"));
    json_begin_object(&p->w);
    put_checkpoint(p);
    put_commits(p);
    put_compactions(p, STR("compactions"), is->compaction, is->compaction_count);
    put_hint(p);
    put_passed_over(p);
    put_compactions(p, STR("passed_over_compactions"), is->skipped_compaction, is->skipped_compaction_count);
    json_put_key(&p->w, STR("readable_versions"));
    json_begin_array(&p->w);
    for (size_t i = 0; i < is->range_count; i++) {
        json_begin_object(&p->w);
        put_range(p, is->range[i].first, is->range[i].last);
        json_end_object(&p->w);
    }
    json_end_array(&p->w);
    member_int(&p->w, STR("versions_behind_checkpoint"), is->versions_behind_checkpoint);
    json_end_object(&p->w);
}

/* --- what the table is --- */

static void put_features(json_page *p) {
    size_t count;
    const shown_feature *f = snapshot_features(p->s, p->query, &count);
    json_put_key(&p->w, STR("features"));
    json_begin_array(&p->w);
    for (size_t i = 0; i < count; i++) {
        json_begin_object(&p->w);
        json_put_key(&p->w, STR("active"));
        if (str_is_none(f[i].property))
            json_put_null(&p->w);
        else
            json_put_bool(&p->w, f[i].is_on);
        member_bool(&p->w, STR("implied"), f[i].is_implied);
        member_bool(&p->w, STR("known"), f[i].is_known);
        member_text(&p->w, STR("name"), f[i].name);
        member_text(&p->w, STR("property"), f[i].property);
        member_bool(&p->w, STR("reader"), f[i].binds_readers);
        member_text(&p->w, STR("treatment"), f[i].text);
        json_end_object(&p->w);
    }
    json_end_array(&p->w);
}

static void put_properties(json_page *p) {
    json_put_key(&p->w, STR("properties"));
    json_begin_object(&p->w);
    for (size_t i = 0; i < p->s->configuration_count; i++)
        member_text(&p->w, p->s->configuration[i].key, p->s->configuration[i].value);
    json_end_object(&p->w);
}

static void put_constraints(json_page *p) {
    json_put_key(&p->w, STR("constraints"));
    json_begin_array(&p->w);
    for (size_t i = 0; i < p->s->configuration_count; i++) {
        str name;
        if (!property_is_constraint(&p->s->configuration[i], &name)) continue;
        json_begin_object(&p->w);
        member_text(&p->w, STR("expression"), p->s->configuration[i].value);
        member_text(&p->w, STR("name"), name);
        json_end_object(&p->w);
    }
    json_end_array(&p->w);
}

static void put_domains(json_page *p) {
    json_put_key(&p->w, STR("domains"));
    json_begin_array(&p->w);
    for (size_t i = 0; i < p->s->domain_count; i++) {
        json_begin_object(&p->w);
        member_text(&p->w, STR("configuration"), p->s->domain[i].configuration);
        member_text(&p->w, STR("domain"), p->s->domain[i].name);
        json_end_object(&p->w);
    }
    json_end_array(&p->w);
}

static void put_transactions(json_page *p) {
    json_put_key(&p->w, STR("transactions"));
    json_begin_array(&p->w);
    for (size_t i = 0; i < p->s->transaction_count; i++) {
        const table_transaction *t = &p->s->transaction[i];
        json_begin_object(&p->w);
        member_text(&p->w, STR("app_id"), t->app_id);
        member_int_or_null(&p->w, STR("last_updated_ms"), t->has_last_updated, t->last_updated_ms);
        member_int(&p->w, STR("version"), t->version);
        json_end_object(&p->w);
    }
    json_end_array(&p->w);
}

static void put_row_tracking(json_page *p) {
    const row_tracking *r = &p->s->row_tracking;
    json_put_key(&p->w, STR("row_tracking"));
    json_begin_object(&p->w);
    member_bool(&p->w, STR("enabled"), r->is_enabled);
    member_int_or_null(&p->w, STR("high_water_mark"), r->has_high_water_mark, r->high_water_mark);
    member_bool(&p->w, STR("supported"), r->is_supported);
    json_end_object(&p->w);
}

/* --- columns --- */

static void put_identity(json_page *p, const column_details *d) {
    json_put_key(&p->w, STR("identity"));
    if (!column_is_identity(d)) {
        json_put_null(&p->w);
        return;
    }
    json_begin_object(&p->w);
    member_bool(&p->w, STR("allows_values"), d->identity_allows_values);
    member_int_or_null(&p->w, STR("high_water_mark"), d->has_identity_mark, d->identity_mark);
    member_int_or_null(&p->w, STR("start"), d->has_identity_start, d->identity_start);
    member_int_or_null(&p->w, STR("step"), d->has_identity_step, d->identity_step);
    json_end_object(&p->w);
}

static void put_type_changes(json_page *p, const column_details *d) {
    json_put_key(&p->w, STR("type_changes"));
    json_begin_array(&p->w);
    for (size_t i = 0; i < d->change_count; i++) {
        json_begin_object(&p->w);
        member_text(&p->w, STR("from"), d->change[i].from);
        member_text(&p->w, STR("path"), d->change[i].path);
        member_text(&p->w, STR("to"), d->change[i].to);
        json_end_object(&p->w);
    }
    json_end_array(&p->w);
}

static void put_column(json_page *p, const column *c) {
    static const column_details none;
    const column_details *d = c->details ? c->details : &none;
    json_begin_object(&p->w);
    member_text(&p->w, STR("char_type"), d->char_type);
    member_text(&p->w, STR("collation"), d->collation);
    member_text(&p->w, STR("comment"), d->comment);
    member_text(&p->w, STR("default"), d->default_value);
    member_text(&p->w, STR("generation"), c->generation);
    member_int_or_null(&p->w, STR("id"), d->has_id, d->id);
    put_identity(p, d);
    member_text(&p->w, STR("invariant"), d->invariant);
    member_text(&p->w, STR("name"), column_dotted_name(c, p->query));
    member_bool(&p->w, STR("nullable"), c->nullable);
    member_bool(&p->w, STR("partition"), c->partition_index >= 0);
    member_text(&p->w, STR("physical_name"), c->physical);
    member_text(&p->w, STR("type"), c->type_text);
    put_type_changes(p, d);
    json_end_object(&p->w);
}

/* A struct before its fields. */
static void put_columns(json_page *p, const column *c, size_t count) {
    for (size_t i = 0; i < count; i++) {
        put_column(p, &c[i]);
        put_columns(p, c[i].child, c[i].child_count);
    }
}

static void put_schema(json_page *p) {
    json_put_key(&p->w, STR("schema"));
    json_begin_array(&p->w);
    put_columns(p, p->s->schema.top, p->s->schema.top_count);
    json_end_array(&p->w);
}

static void put_coverage(json_page *p) {
    json_put_key(&p->w, STR("coverage"));
    json_begin_array(&p->w);
    for (size_t i = 0; i < p->c->coverage_count; i++) {
        const column_coverage *c = &p->c->coverage[i];
        json_begin_object(&p->w);
        member_text(&p->w, STR("column"), column_dotted_name(c->column, p->query));
        member_count(&p->w, STR("files_with_max"), c->max);
        member_count(&p->w, STR("files_with_min"), c->min);
        member_count(&p->w, STR("files_with_min_and_max"), c->min_and_max);
        member_count(&p->w, STR("files_with_null_count"), c->null_count);
        json_end_object(&p->w);
    }
    json_end_array(&p->w);
}

/* --- notes, totals, files --- */

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
    member_int(&p->w, STR("min_reader_version"), is->min_reader_version);
    member_int(&p->w, STR("min_writer_version"), is->min_writer_version);
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

static void put_clustering(json_page *p) {
    const snapshot *s = p->s;
    if (s->is_clustered)
        member_texts(&p->w, STR("clustering_columns"), s->clustering_column, s->clustering_column_count);
    else
        member_text(&p->w, STR("clustering_columns"), STR_NONE);
}

static void put_document(json_page *p) {
    const snapshot *s = p->s;
    json_writer *w = &p->w;
    put_checksum(p);
    put_clustering(p);
    member_text(w, STR("column_mapping_mode"), mapping_name(s->schema.mapping));
    put_commit(p);
    put_constraints(p);
    put_coverage(p);
    member_int_or_null(w, STR("created_time_ms"), s->has_created_time, s->created_time_ms);
    member_text(w, STR("description"), s->description);
    if (p->style->disk) disk_put_member(&p->draft, w, p->style->disk);
    put_domains(p);
    put_features(p);
    if (p->c->listing) put_files(p);
    member_bool(w, STR("in_commit_timestamps"), s->in_commit_timestamps);
    put_log(p);
    put_notes(p);
    member_texts(w, STR("partition_columns"), s->partition_column, s->partition_column_count);
    put_properties(p);
    put_protocol(p);
    put_row_tracking(p);
    put_schema(p);
    member_text(w, STR("schema_version"), SNAPSHOT_SCHEMA);
    member_text(w, STR("table"), p->style->location);
    member_text(w, STR("table_id"), s->table_id);
    member_text(w, STR("table_name"), s->table_name);
    member_text(w, STR("tool"), STR("lakeproof"));
    member_text(w, STR("tool_version"), p->style->tool_version);
    put_totals(p);
    put_transactions(p);
    member_int(w, STR("version"), s->version);
}

void snapshot_json(const snapshot *s, const census *c, const snapshot_style *style, arena *query,
                   report_document *out) {
    json_page page = {.s = s, .c = c, .style = style, .query = query};
    draft_init(&page.draft, query, out);
    json_writer_init(&page.w, &page.draft.tail, 2);
    json_begin_object(&page.w);
    put_document(&page);
    json_end_object(&page.w);
    buf_put_char(&page.draft.tail, '\n');
    draft_end(&page.draft);
}
