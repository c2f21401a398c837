/* diff_text.c - the difference of two versions as text, and the lines of failed gates.
 * Called by: api.  Must not know: JSON, how the difference was found.
 *
 * Blocks with an empty line between two: head | files, with listings | schema | protocol | properties | predicate |
 * notes. A block about metadata in which nothing is different is left out; the head says when they all are. `+` is only
 * after,
 * `-` only before, `~` on both and different.
 */
#include <inttypes.h>
#include <math.h>

#include "report/diff_report.h"
#include "report/report_int.h"

typedef struct text_page {
    draft draft;
    buf *out; /* where the next text goes */
    const diff_answer *answer;
    const snapshot_diff *diff;
    const diff_style *style;
    arena *query;
} text_page;

#define BOLD   STR("\x1b[1m")
#define RED    STR("\x1b[31m")
#define GREEN  STR("\x1b[32m")
#define YELLOW STR("\x1b[33m")
#define PLAIN  STR("\x1b[0m")

static void put_title(text_page *p, str title) {
    buf_put_char(p->out, '\n');
    if (p->style->color) buf_put(p->out, BOLD);
    buf_put(p->out, title);
    if (p->style->color) buf_put(p->out, PLAIN);
    buf_put_char(p->out, '\n');
}

static void put_sign(buf *out, bool color, char sign) {
    buf_put(out, STR("  "));
    if (color) buf_put(out, sign == '+' ? GREEN : sign == '-' ? RED : YELLOW);
    buf_put_char(out, sign);
    if (color) buf_put(out, PLAIN);
    buf_put_char(out, ' ');
}

static void put_name(buf *out, str name) {
    put_log_text(out, name, false);
}

static void put_value(buf *out, str text) {
    if (text.len == 0)
        buf_put(out, str_is_none(text) ? STR("(none)") : STR("\"\""));
    else
        put_log_text(out, text, false);
}

/* --- head --- */

static bool metadata_is_equal(const snapshot_diff *d) {
    return d->column_count == 0 && !d->partitioning_changed && !d->clustering_changed && !d->table_id_changed &&
           !d->table_name_changed && !d->reader_version_changed && !d->writer_version_changed &&
           d->reader_feature_count == 0 && d->writer_feature_count == 0 && d->property_count == 0;
}

static void put_head(text_page *p) {
    buf_printf(p->out, "Delta table: " STR_FMT "\n", STR_ARG(p->style->location));
    buf_printf(p->out, "Versions:    %" PRId64 " -> %" PRId64 "\n", p->diff->before->version, p->diff->after->version);
    if (metadata_is_equal(p->diff)) buf_put(p->out, STR("Metadata:    the same\n"));
}

/* --- files --- */

static void put_change(buf *out, uint64_t before, uint64_t after) {
    if (after == before) {
        buf_put(out, STR("the same"));
        return;
    }
    buf_put(out, after < before ? STR("-") : STR("+"));
    put_count(out, after < before ? before - after : after - before);
}

static void put_bytes(buf *out, uint64_t bytes) {
    put_size(out, bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes);
}

static void put_tally(text_page *p, const char *label, const diff_tally *t) {
    buf_printf(p->out, "  %-10s", label);
    put_count(p->out, t->files);
    buf_put(p->out, t->files == 1 ? STR(" file") : STR(" files"));
    if (t->files > 0) {
        buf_put(p->out, STR("  "));
        put_bytes(p->out, t->bytes);
        buf_put(p->out, STR("  "));
        put_count(p->out, t->records);
        buf_put(p->out, t->records == 1 ? STR(" record") : STR(" records"));
    }
    if (t->deleted_rows > 0) {
        buf_put(p->out, STR(", "));
        put_count(p->out, t->deleted_rows);
        buf_put(p->out, STR(" of them deleted by vectors"));
    }
    if (t->without_records > 0) {
        buf_put(p->out, STR("  ("));
        put_count(p->out, t->without_records);
        buf_put(p->out, t->without_records == 1 ? STR(" file does not tell its records)")
                                                : STR(" files do not tell their records)"));
    }
    buf_put_char(p->out, '\n');
}

static void put_rewritten(text_page *p) {
    const diff_tally *before = &p->diff->rewritten_before, *after = &p->diff->rewritten_after;
    if (after->files == 0 && before->files == 0) return;
    buf_put(p->out, STR("  rewritten by a vector: "));
    put_count(p->out, after->files);
    buf_put(p->out, after->files == 1 ? STR(" file") : STR(" files"));
    buf_put(p->out, STR(", counted as removed and as added  ("));
    put_count(p->out, before->deleted_rows);
    buf_put(p->out, STR(" -> "));
    put_count(p->out, after->deleted_rows);
    buf_put(p->out, STR(" deleted rows)\n"));
}

static void put_listing(text_page *p, str title, const listing *l) {
    if (l->count == 0 && l->left_out == 0) return;
    put_title(p, title);
    if (l->count > 0) {
        draft_put_spool(&p->draft, l->text);
        buf_put_char(p->out, '\n');
    }
    if (l->left_out == 0) return;
    buf_put(p->out, STR("  ... and "));
    put_count(p->out, l->left_out);
    buf_put(p->out, STR(" more files (raise --limit to see them)\n"));
}

static void put_files(text_page *p) {
    const snapshot_diff *d = p->diff;
    put_title(p, STR("Files:"));
    put_tally(p, "before", &d->total_before);
    put_tally(p, "after", &d->total_after);
    put_tally(p, "removed", &d->removed);
    put_tally(p, "added", &d->added);
    put_tally(p, "kept", &d->kept);
    put_rewritten(p);
    if (!d->lists_files) return;
    put_listing(p, STR("Removed files:"), &d->removed_files);
    put_listing(p, STR("Added files:"), &d->added_files);
}

void diff_row_text(void *context, buf *out, const diff_file *f) {
    const bool *color = context;
    put_sign(out, *color, f->change == DIFF_ADDED ? '+' : '-');
    put_name(out, f->file->path);
    buf_put(out, STR("  ("));
    put_size(out, f->file->size_bytes);
    if (f->file->stats.record_count_known) {
        buf_put(out, STR("  "));
        put_count(out, (uint64_t)f->file->stats.record_count);
        buf_put(out, f->file->stats.record_count == 1 ? STR(" record") : STR(" records"));
    }
    if (f->file->has_dv && f->file->dv_cardinality >= 0) {
        buf_put(out, STR("  "));
        put_count(out, (uint64_t)f->file->dv_cardinality);
        buf_put(out, STR(" deleted"));
    }
    buf_put_char(out, ')');
    if (f->rewritten) buf_put(out, STR("  rewritten by a vector"));
}

/* --- schema --- */

static void put_column_name(text_page *p, const column *c) {
    put_name(p->out, column_dotted_name(c, p->query));
}

static void put_nullability(text_page *p, const column *c) {
    buf_put(p->out, c->nullable ? STR("nullable") : STR("not null"));
}

static void put_changed_column(text_page *p, const column_difference *c) {
    put_sign(p->out, p->style->color, '~');
    put_column_name(p, c->before);
    if (c->renamed) {
        buf_put(p->out, STR(" -> "));
        put_column_name(p, c->after);
        buf_put(p->out, STR("  renamed"));
    }
    if (c->retyped) {
        buf_put(p->out, STR("  "));
        put_name(p->out, c->type_before);
        buf_put(p->out, STR(" -> "));
        put_name(p->out, c->type_after);
        if (c->widened) buf_put(p->out, STR(" (widened)"));
    }
    if (c->nullability) {
        buf_put(p->out, STR("  "));
        put_nullability(p, c->before);
        buf_put(p->out, STR(" -> "));
        put_nullability(p, c->after);
    }
    for (size_t i = 0; i < c->attribute_count; i++) {
        buf_printf(p->out, "  " STR_FMT " ", STR_ARG(c->attribute[i].name));
        put_value(p->out, c->attribute[i].before);
        buf_put(p->out, STR(" -> "));
        put_value(p->out, c->attribute[i].after);
    }
    buf_put_char(p->out, '\n');
}

static void put_lone_column(text_page *p, const column *c, char sign, str type) {
    put_sign(p->out, p->style->color, sign);
    put_column_name(p, c);
    buf_put(p->out, STR("  "));
    put_name(p->out, type);
    if (!c->nullable) buf_put(p->out, STR("  not null"));
    buf_put_char(p->out, '\n');
}

static void put_names(buf *out, const str *name, size_t count) {
    if (count == 0) buf_put(out, STR("(none)"));
    for (size_t i = 0; i < count; i++) {
        if (i > 0) buf_put(out, STR(", "));
        put_name(out, name[i]);
    }
}

static void put_name_lists(text_page *p, const char *label, const str *before, size_t before_count, const str *after,
                           size_t after_count) {
    put_sign(p->out, p->style->color, '~');
    buf_printf(p->out, "%s: ", label);
    put_names(p->out, before, before_count);
    buf_put(p->out, STR(" -> "));
    put_names(p->out, after, after_count);
    buf_put_char(p->out, '\n');
}

static void put_schema(text_page *p) {
    const snapshot_diff *d = p->diff;
    if (d->column_count == 0 && !d->partitioning_changed && !d->clustering_changed) return;
    put_title(p, STR("Schema:"));
    for (size_t i = 0; i < d->column_count; i++) {
        const column_difference *c = &d->column[i];
        if (!c->before)
            put_lone_column(p, c->after, '+', c->type_after);
        else if (!c->after)
            put_lone_column(p, c->before, '-', c->type_before);
        else
            put_changed_column(p, c);
    }
    if (d->partitioning_changed)
        put_name_lists(p, "partitioned by", d->before->partition_column, d->before->partition_column_count,
                       d->after->partition_column, d->after->partition_column_count);
    if (d->clustering_changed)
        put_name_lists(p, "clustered by", d->before->clustering_column, d->before->clustering_column_count,
                       d->after->clustering_column, d->after->clustering_column_count);
}

/* --- protocol and properties --- */

static void put_versions(text_page *p, const char *label, int64_t before, int64_t after) {
    put_sign(p->out, p->style->color, '~');
    buf_printf(p->out, "%s: %" PRId64 " -> %" PRId64 "\n", label, before, after);
}

static void put_features(text_page *p, const char *label, const text_difference *f, size_t count) {
    for (size_t i = 0; i < count; i++) {
        put_sign(p->out, p->style->color, str_is_none(f[i].before) ? '+' : '-');
        buf_printf(p->out, "%s ", label);
        put_name(p->out, f[i].name);
        buf_put_char(p->out, '\n');
    }
}

static void put_protocol(text_page *p) {
    const snapshot_diff *d = p->diff;
    if (!d->reader_version_changed && !d->writer_version_changed && !d->reader_feature_count &&
        !d->writer_feature_count)
        return;
    const protocol *before = &d->before->protocol, *after = &d->after->protocol;
    put_title(p, STR("Protocol:"));
    if (d->reader_version_changed)
        put_versions(p, "reader version", before->min_reader_version, after->min_reader_version);
    if (d->writer_version_changed)
        put_versions(p, "writer version", before->min_writer_version, after->min_writer_version);
    put_features(p, "reader feature", d->reader_feature, d->reader_feature_count);
    put_features(p, "writer feature", d->writer_feature, d->writer_feature_count);
}

static void put_pair(text_page *p, str name, str before, str after) {
    bool added = str_is_none(before), removed = str_is_none(after);
    put_sign(p->out, p->style->color, added ? '+' : removed ? '-' : '~');
    put_name(p->out, name);
    buf_put(p->out, STR(" = "));
    put_value(p->out, added ? after : before);
    if (!added && !removed) {
        buf_put(p->out, STR(" -> "));
        put_value(p->out, after);
    }
    buf_put_char(p->out, '\n');
}

static void put_properties(text_page *p) {
    const snapshot_diff *d = p->diff;
    if (d->property_count == 0 && !d->table_id_changed && !d->table_name_changed) return;
    put_title(p, STR("Properties:"));
    if (d->table_id_changed) put_pair(p, STR("(table id)"), d->before->table_id, d->after->table_id);
    if (d->table_name_changed) put_pair(p, STR("(table name)"), d->before->table_name, d->after->table_name);
    for (size_t i = 0; i < d->property_count; i++)
        put_pair(p, d->property[i].name, d->property[i].before, d->property[i].after);
}

/* --- the predicate --- */

static void put_growth(text_page *p, const diff_answer *a) {
    double percent;
    if (!diff_growth(a, &percent)) return;
    buf_printf(p->out, "  %-26s", "growth of what is read");
    if (isinf(percent))
        buf_put(p->out, STR("nothing was read before"));
    else
        buf_printf(p->out, "%+.1f%%", percent);
    buf_put_char(p->out, '\n');
}

static uint64_t files_after_partition(const prune_report *r) {
    bool has_phase = r->phase_count > 0 && r->phase[0].kind == PHASE_PARTITION;
    return has_phase ? r->phase[0].output_files : r->total_files;
}

static void put_step(text_page *p, const char *label, const uint64_t files[2]) {
    buf_printf(p->out, "  %-26s", label);
    put_count(p->out, files[0]);
    buf_put(p->out, STR(" -> "));
    put_count(p->out, files[1]);
    buf_put(p->out, STR(" files  ("));
    put_change(p->out, files[0], files[1]);
    buf_put(p->out, STR(")\n"));
}

static void put_both_readings(text_page *p, const prune_report *before, const prune_report *after) {
    put_step(p, "in the version", (uint64_t[]){before->total_files, after->total_files});
    put_step(p, "after partition pruning", (uint64_t[]){files_after_partition(before), files_after_partition(after)});
    put_step(p, "after data skipping", (uint64_t[]){before->final_files, after->final_files});
    put_growth(p, p->answer);
    buf_printf(p->out, "  %-26s" STR_FMT, "confidence", STR_ARG(confidence_name(before->confidence)));
    if (before->confidence != after->confidence)
        buf_printf(p->out, " -> " STR_FMT, STR_ARG(confidence_name(after->confidence)));
    buf_put_char(p->out, '\n');
}

static void put_one_reading(text_page *p, const snapshot *side, const diff_reading *r) {
    buf_printf(p->out, "  version %" PRId64 ": ", side->version);
    if (!r->measured) {
        buf_printf(p->out, "cannot be asked: " STR_FMT "\n", STR_ARG(r->why));
        return;
    }
    put_count(p->out, r->measured->final_files);
    buf_put(p->out, STR(" of "));
    put_count(p->out, r->measured->total_files);
    buf_put(p->out, STR(" files\n"));
}

static void put_predicate(text_page *p) {
    const diff_answer *a = p->answer;
    if (!a->has_where) return;
    put_title(p, STR("Files read by the predicate:"));
    buf_printf(p->out, "  " STR_FMT "\n", STR_ARG(a->where));
    if (a->before.measured && a->after.measured) {
        put_both_readings(p, a->before.measured, a->after.measured);
        return;
    }
    put_one_reading(p, p->diff->before, &a->before);
    put_one_reading(p, p->diff->after, &a->after);
}

/* --- notes --- */

static void put_note(text_page *p, const char *where, const note *n) {
    buf_printf(p->out, "[" STR_FMT "]: %s" STR_FMT "\n", STR_ARG(note_code_name(n->code)), where, STR_ARG(n->message));
}

static void put_notes(text_page *p) {
    const diff_answer *a = p->answer;
    const snapshot *side[] = {p->diff->before, p->diff->after};
    const prune_report *asked = a->after.measured ? a->after.measured : a->before.measured;
    note_choice chosen = {0};
    if (asked) chosen = notes_choose(asked, NOTE_OF_PREDICATE, false, p->query);
    size_t of_tables = side[0]->notes.count + side[1]->notes.count;
    if (chosen.count + of_tables == 0) return;
    put_title(p, STR("Notes:"));
    for (size_t i = 0; i < chosen.count; i++) put_note(p, "", chosen.item[i]);
    for (size_t i = 0; i < 2; i++) {
        str where = str_format(p->query, "version %" PRId64 ": ", side[i]->version);
        for (const note *n = side[i]->notes.first; n; n = n->next) put_note(p, where.ptr, n);
    }
}

/* --- the whole --- */

void diff_text(const diff_answer *a, const diff_style *style, arena *query, report_document *out) {
    text_page page = {.answer = a, .diff = a->diff, .style = style, .query = query};
    draft_init(&page.draft, query, out);
    page.out = &page.draft.tail;
    put_head(&page);
    put_files(&page);
    put_schema(&page);
    put_protocol(&page);
    put_properties(&page);
    put_predicate(&page);
    put_notes(&page);
    draft_end(&page.draft);
}

/* --- gates --- */

bool diff_files_read(const diff_answer *a, bool after, uint64_t *files) {
    const diff_reading *r = after ? &a->after : &a->before;
    *files = after ? a->diff->total_after.files : a->diff->total_before.files;
    if (!a->has_where) return true;
    if (r->measured) *files = r->measured->final_files;
    return r->measured != NULL;
}

bool diff_growth(const diff_answer *a, double *percent) {
    uint64_t before, after;
    *percent = 0;
    if (!diff_files_read(a, false, &before) || !diff_files_read(a, true, &after)) return false;
    if (before == 0)
        *percent = after > 0 ? (double)INFINITY : 0;
    else
        *percent = ((double)after - (double)before) / (double)before * 100;
    return true;
}

bool diff_passed(const diff_answer *a) {
    double percent;
    if (!a->has_max_growth) return true;
    return diff_growth(a, &percent) && percent <= a->max_growth;
}

void diff_gates(const diff_answer *a, arena *query, report_document *out) {
    draft d;
    uint64_t before = 0, after = 0;
    draft_init(&d, query, out);
    bool known = diff_files_read(a, false, &before) && diff_files_read(a, true, &after);
    if (!diff_passed(a) && known)
        buf_printf(&d.tail,
                   "ASSERTION FAILED: %" PRIu64 " files are read at version %" PRId64 ", %" PRIu64
                   " at version %" PRId64 ": more than %.1f%% growth\n",
                   after, a->diff->after->version, before, a->diff->before->version, a->max_growth);
    else if (!diff_passed(a))
        buf_put(&d.tail, STR("ASSERTION FAILED: the growth is not known, since the predicate cannot be asked at both "
                             "versions\n"));
    draft_end(&d);
}
