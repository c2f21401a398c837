/* snapshot_text.c - a snapshot as a story for people: how its log was read, what the table is, what is in it.
 * Called by: api.  Must not know: JSON, how a snapshot is resolved or counted.
 *
 * Sections with one empty line between two, each with a title; what is empty is left out:
 *
 *   head | the log | protocol | schema | constraints | properties | contents | statistics | clustering, rows, times |
 *   domains | transactions | notes
 */
#include <inttypes.h>

#include "report/grid.h"
#include "report/report_int.h"
#include "report/snapshot_parts.h"
#include "report/snapshot_report.h"

/* Of what may be many, a report for people shows so many. JSON has all. */
enum { MOST_ROWS = 20, MOST_NAMES = 8, MOST_RANGES = 4, MOST_CONFIGURATION = 100 };

typedef struct text_page {
    draft draft;
    buf *out; /* where the next text goes */
    const snapshot *s;
    const census *c;
    const snapshot_style *style;
    arena *query;
} text_page;

static void put_bold(text_page *p, str text) {
    if (p->style->color) buf_put(p->out, STR("\x1b[1m"));
    buf_put(p->out, text);
    if (p->style->color) buf_put(p->out, STR("\x1b[0m"));
}

/* The title of a section; what stands behind it on the same line follows. */
static void put_title(text_page *p, str title) {
    buf_put_char(p->out, '\n');
    put_bold(p, title);
}

static void put_title_line(text_page *p, str title) {
    put_title(p, title);
    buf_put_char(p->out, '\n');
}

/* ---- cells ---- */

static str count_text(text_page *p, uint64_t count) {
    buf b;
    buf_init(&b, p->query, 64);
    put_count(&b, count);
    return buf_str(&b);
}

static str log_text(text_page *p, str text) {
    buf b;
    buf_init(&b, p->query, REPORT_TEXT_MAX);
    put_log_text(&b, text, false);
    return buf_str(&b);
}

static str time_cell(text_page *p, int64_t ms) {
    buf b;
    buf_init(&b, p->query, 64);
    put_time(&b, ms);
    return buf_str(&b);
}

/* "1 file", "1,234 files" */
static str plural(text_page *p, uint64_t count, const char *one, const char *many) {
    return str_format(p->query, STR_FMT " %s", STR_ARG(count_text(p, count)), count == 1 ? one : many);
}

/* "version 3", "versions 3 to 7" */
static str versions_text(text_page *p, int64_t first, int64_t last) {
    if (first == last) return str_format(p->query, "version %" PRId64, first);
    return str_format(p->query, "versions %" PRId64 " to %" PRId64, first, last);
}

static void add_pair(grid *g, str label, str text) {
    grid_row *row = grid_add(g);
    row->cell[0] = label;
    row->cell[1] = text;
}

/* ---- head ---- */

static void put_head_line(text_page *p, str label, str text) {
    if (str_is_none(text)) return;
    buf_put(p->out, label);
    put_log_text(p->out, text, false);
    buf_put_char(p->out, '\n');
}

static void put_version(text_page *p) {
    const commit_info *commit = p->style->commit;
    int64_t ms;
    buf_printf(p->out, "Version:     %" PRId64, p->s->version);
    if (commit_time(p->s, commit, &ms)) {
        buf_put(p->out, STR(", "));
        put_time(p->out, ms);
    }
    if (commit && !str_is_none(commit->operation)) {
        buf_put(p->out, STR(", "));
        put_log_text(p->out, commit->operation, false);
        if (!str_is_none(commit->engine)) buf_put(p->out, STR(" by "));
        put_log_text(p->out, commit->engine, false);
    }
    buf_put_char(p->out, '\n');
}

static void put_head(text_page *p) {
    put_head_line(p, STR("Delta table: "), p->style->location);
    put_version(p);
    put_head_line(p, STR("Name:        "), p->s->table_name);
    put_head_line(p, STR("Description: "), p->s->description);
    put_head_line(p, STR("Table id:    "), p->s->table_id);
    if (!p->s->has_created_time) return;
    buf_put(p->out, STR("Created:     "));
    put_time(p->out, p->s->created_time_ms);
    buf_put_char(p->out, '\n');
}

/* ---- the log ---- */

static str hint_text(text_page *p) {
    const story_hint *h = &p->s->story->hint;
    switch (h->state) {
    case HINT_ABSENT: return STR("there is none");
    case HINT_IGNORED: return log_text(p, h->why);
    case HINT_GOOD:
        return str_format(p->query, "good, names version %" PRId64 "%s", h->version,
                          h->checksum == CHECKSUM_VERIFIED ? ", its checksum is right" : "");
    }
    UNREACHABLE();
}

static void put_checkpoint_files(buf *b, const story_checkpoint *c) {
    if (c->file_count > 1) buf_printf(b, " in %zu files", c->file_count);
    if (c->sidecar_count > 0) buf_printf(b, " with %zu sidecar%s", c->sidecar_count, c->sidecar_count == 1 ? "" : "s");
}

static str checkpoint_text(text_page *p) {
    const story_checkpoint *c = &p->s->story->checkpoint;
    if (!p->s->story->has_checkpoint) return STR("none: commits alone make the version");
    buf b;
    buf_init(&b, p->query, 1024);
    buf_printf(&b, "version %" PRId64 ", " STR_FMT, c->version, STR_ARG(checkpoint_kind_name(c->kind, c->is_json)));
    put_checkpoint_files(&b, c);
    buf_put(&b,
            c->choice == CHOICE_NEWEST ? STR(", the newest complete one") : STR(", the newest one that can be used"));
    if (c->other_count > 0) buf_printf(&b, " (of %zu at its version)", c->other_count + 1);
    return buf_str(&b);
}

static str commits_text(text_page *p) {
    const story *is = p->s->story;
    if (is->commit_count == 0 && is->compaction_count > 0) return STR("none: compactions stand for them");
    if (is->commit_count == 0) return STR("none after the checkpoint");
    return str_format(p->query, STR_FMT " replayed, " STR_FMT, STR_ARG(count_text(p, is->commit_count)),
                      STR_ARG(versions_text(p, is->first_commit, is->last_commit)));
}

static void add_passed_over(text_page *p, grid *g) {
    const story *is = p->s->story;
    for (size_t i = 0; i < is->skipped_count && i < MOST_ROWS; i++) {
        const story_skipped *k = &is->skipped[i];
        add_pair(g, STR("passed over:"),
                 str_format(p->query, "version %" PRId64 ", " STR_FMT ": " STR_FMT, k->version,
                            STR_ARG(checkpoint_kind_name(k->kind, k->is_json)), STR_ARG(log_text(p, k->why))));
    }
    if (is->skipped_count > MOST_ROWS)
        add_pair(g, STR_NONE, str_format(p->query, "and %zu more checkpoints", is->skipped_count - MOST_ROWS));
}

static void add_compactions(text_page *p, grid *g, str label, const story_compaction *c, size_t count) {
    for (size_t i = 0; i < count && i < MOST_ROWS; i++) {
        bool has_why = !str_is_none(c[i].why);
        add_pair(g, label,
                 str_format(p->query, STR_FMT " in " STR_FMT "%s" STR_FMT,
                            STR_ARG(versions_text(p, c[i].first, c[i].last)), STR_ARG(c[i].file), has_why ? ": " : "",
                            STR_ARG(log_text(p, c[i].why))));
    }
    if (count > MOST_ROWS) add_pair(g, STR_NONE, str_format(p->query, "and %zu more", count - MOST_ROWS));
}

static str ranges_text(text_page *p) {
    const story *is = p->s->story;
    buf b;
    buf_init(&b, p->query, 1024);
    for (size_t i = 0; i < is->range_count && i < MOST_RANGES; i++) {
        if (i > 0) buf_put(&b, STR(", "));
        buf_put(&b, versions_text(p, is->range[i].first, is->range[i].last));
    }
    if (is->range_count > MOST_RANGES) buf_printf(&b, ", and %zu more ranges", is->range_count - MOST_RANGES);
    return buf_str(&b);
}

static str version_checksum_text(text_page *p) {
    const version_checksum *v = p->style->checksum;
    switch (v->verdict) {
    case VERDICT_ABSENT: return STR_NONE;
    case VERDICT_AGREES: return STR("agrees with what was read");
    case VERDICT_DIFFERS:
        return str_format(p->query, "does not agree in %zu point%s, see the notes", v->difference_count,
                          v->difference_count == 1 ? "" : "s");
    case VERDICT_UNREADABLE: return STR("cannot be read, see the notes");
    }
    UNREACHABLE();
}

static void put_log(text_page *p) {
    const story *is = p->s->story;
    grid g;
    grid_init(&g, p->query, 2);
    put_title_line(p, str_format(p->query, "How version %" PRId64 " was read:", p->s->version));
    add_pair(&g, STR("hint:"), hint_text(p));
    add_pair(&g, STR("checkpoint:"), checkpoint_text(p));
    add_passed_over(p, &g);
    add_pair(&g, STR("commits:"), commits_text(p));
    add_compactions(p, &g, STR("compaction:"), is->compaction, is->compaction_count);
    add_compactions(p, &g, STR("passed over:"), is->skipped_compaction, is->skipped_compaction_count);
    if (p->style->checksum->verdict != VERDICT_ABSENT) add_pair(&g, STR("checksum:"), version_checksum_text(p));
    if (is->range_count > 0) add_pair(&g, STR("can be read:"), ranges_text(p));
    grid_put(&g, p->out);
}

/* ---- protocol ---- */

/* What a legacy version implies is shown where a property tells that it is in use. */
static bool is_shown(const shown_feature *f) {
    return !f->is_implied || (!str_is_none(f->property) && f->is_on);
}

static void put_protocol(text_page *p) {
    size_t count;
    const shown_feature *f = snapshot_features(p->s, p->query, &count);
    grid g;
    grid_init(&g, p->query, 3);
    put_title(p, STR("Protocol:"));
    buf_printf(p->out, " reader version %" PRId64 ", writer version %" PRId64 "\n", p->s->protocol.min_reader_version,
               p->s->protocol.min_writer_version);
    for (size_t i = 0; i < count; i++) {
        if (!is_shown(&f[i])) continue;
        grid_row *row = grid_add(&g);
        row->cell[0] = log_text(p, f[i].name);
        row->cell[1] = str_is_none(f[i].property) ? STR_NONE : f[i].is_on ? STR("on") : STR("off");
        row->cell[2] = f[i].text;
    }
    grid_put(&g, p->out);
}

/* ---- schema ---- */

static void put_remark(buf *b, str words, str text) {
    if (b->len > 0) buf_put(b, STR(", "));
    buf_put(b, words);
    if (!str_is_none(text)) put_log_text(b, text, false);
}

static void put_identity(buf *b, const column_details *d) {
    if (!column_is_identity(d)) return;
    put_remark(b, STR("identity"), STR_NONE);
    if (d->has_identity_start) buf_printf(b, " from %" PRId64, d->identity_start);
    if (d->has_identity_step) buf_printf(b, " by %" PRId64, d->identity_step);
    if (d->has_identity_mark) buf_printf(b, ", last %" PRId64, d->identity_mark);
}

static void put_type_changes(buf *b, const column_details *d) {
    for (size_t i = 0; i < d->change_count; i++) {
        put_remark(b, STR("was "), d->change[i].from);
        if (!str_is_none(d->change[i].path)) buf_put(b, STR(" in "));
        if (!str_is_none(d->change[i].path)) put_log_text(b, d->change[i].path, false);
    }
}

static void put_details(buf *b, const column *c) {
    const column_details *d = c->details;
    bool is_renamed = !str_eq(c->physical, c->name);
    if (is_renamed) put_remark(b, STR("physical "), c->physical);
    if (!d) return;
    if (is_renamed && d->has_id) buf_printf(b, " (id %" PRId64 ")", d->id);
    put_type_changes(b, d);
    if (!str_is_none(c->generation)) put_remark(b, STR("generated as "), c->generation);
    put_identity(b, d);
    if (!str_is_none(d->default_value)) put_remark(b, STR("default "), d->default_value);
    if (!str_is_none(d->invariant)) put_remark(b, STR("invariant "), d->invariant);
    if (!str_is_none(d->collation)) put_remark(b, STR("collation "), d->collation);
}

static str column_remarks(text_page *p, const column *c) {
    buf b;
    buf_init(&b, p->query, REPORT_TEXT_MAX);
    if (c->partition_index >= 0) put_remark(&b, STR("partition"), STR_NONE);
    if (!c->nullable) put_remark(&b, STR("not null"), STR_NONE);
    put_details(&b, c);
    return buf_str(&b);
}

/* Fields stand below their struct, two blanks further in. */
static void add_columns(text_page *p, grid *g, const column *c, size_t count, size_t depth) {
    for (size_t i = 0; i < count; i++) {
        grid_row *row = grid_add(g);
        buf name;
        buf_init(&name, p->query, REPORT_TEXT_MAX);
        buf_put_repeated(&name, ' ', 2 * depth);
        put_log_text(&name, c[i].name, false);
        bool is_char = c[i].details && !str_is_none(c[i].details->char_type);
        row->cell[0] = buf_str(&name);
        row->cell[1] = log_text(p, is_char ? c[i].details->char_type : c[i].type_text);
        row->cell[2] = column_remarks(p, &c[i]);
        add_columns(p, g, c[i].child, c[i].child_count, depth + 1);
    }
}

static void put_schema(text_page *p) {
    const schema *s = &p->s->schema;
    if (s->top_count == 0) return;
    grid g;
    grid_init(&g, p->query, 3);
    put_title(p, STR("Schema:"));
    buf_printf(p->out, " " STR_FMT, STR_ARG(plural(p, s->top_count, "column", "columns")));
    if (s->mapping != MAPPING_NONE)
        buf_printf(p->out, ", mapped to physical names by %s", s->mapping == MAPPING_ID ? "id" : "name");
    buf_put_char(p->out, '\n');
    add_columns(p, &g, s->top, s->top_count, 0);
    grid_put(&g, p->out);
}

/* `Title: a, b, c` */
static void put_names(text_page *p, str title, const str *name, size_t count) {
    put_title(p, title);
    for (size_t i = 0; i < count; i++) {
        buf_put(p->out, i > 0 ? STR(", ") : STR(" "));
        put_log_text(p->out, name[i], false);
    }
    buf_put_char(p->out, '\n');
}

static void put_constraints(text_page *p) {
    grid g;
    grid_init(&g, p->query, 2);
    for (size_t i = 0; i < p->s->configuration_count; i++) {
        str name;
        const property *is = &p->s->configuration[i];
        if (property_is_constraint(is, &name)) add_pair(&g, log_text(p, name), log_text(p, is->value));
    }
    if (g.count > 0) put_title_line(p, STR("Constraints:"));
    grid_put(&g, p->out);
}

static void put_properties(text_page *p) {
    grid g;
    grid_init(&g, p->query, 3);
    for (size_t i = 0; i < p->s->configuration_count; i++) {
        const property *is = &p->s->configuration[i];
        str about = property_about_skipping(is);
        if (str_is_none(about)) continue;
        add_pair(&g, log_text(p, is->key), log_text(p, is->value));
        g.row[g.count - 1].cell[2] = about;
    }
    if (g.count > 0) put_title_line(p, STR("Properties that decide on statistics:"));
    grid_put(&g, p->out);
}

/* ---- contents ---- */

static void add_number(text_page *p, grid *g, str label, uint64_t count, str remark) {
    grid_row *row = grid_add(g);
    row->cell[0] = label;
    row->cell[1] = count_text(p, count);
    row->cell[2] = remark;
}

static str size_remark(text_page *p) {
    const census *c = p->c;
    if (c->files_with_size < c->files)
        return str_format(p->query, STR_FMT " without a size",
                          STR_ARG(plural(p, c->files - c->files_with_size, "file", "files")));
    if (c->bytes < 1024) return STR_NONE;
    buf b;
    buf_init(&b, p->query, 128);
    put_size(&b, c->bytes > INT64_MAX ? INT64_MAX : (int64_t)c->bytes);
    buf_put(&b, STR(", "));
    put_size(&b, (int64_t)(c->bytes / c->files));
    buf_put(&b, STR(" a file"));
    return buf_str(&b);
}

static str records_remark(text_page *p) {
    uint64_t silent = p->c->files - p->c->files_with_records;
    if (silent == 0) return STR_NONE;
    return str_format(p->query, "at least: " STR_FMT " not tell", STR_ARG(plural(p, silent, "file does", "files do")));
}

static void add_vectors(text_page *p, grid *g) {
    const census *c = p->c;
    if (c->files_with_dv == 0) return;
    add_number(
        p, g, STR("rows marked as deleted"), c->deleted_rows,
        str_format(p->query, "by deletion vectors of " STR_FMT, STR_ARG(plural(p, c->files_with_dv, "file", "files"))));
    if (c->files_with_live_rows == c->files) add_number(p, g, STR("rows"), c->live_rows, STR("records less those"));
}

static void put_contents(text_page *p) {
    const census *c = p->c;
    grid g;
    grid_init(&g, p->query, 3);
    g.right[1] = true;
    put_title_line(p, STR("Contents:"));
    add_number(p, &g, STR("files"), c->files, STR_NONE);
    if (c->files > 0) {
        add_number(p, &g, STR("bytes"), c->bytes, size_remark(p));
        if (c->files_with_records > 0) add_number(p, &g, STR("records"), c->records, records_remark(p));
        add_vectors(p, &g);
    }
    if (c->removed_keys > 0) add_number(p, &g, STR("removed files"), c->removed_keys, STR("still named in the log"));
    grid_put(&g, p->out);
}

/* ---- statistics ---- */

/* Rounding hides neither a file that lacks statistics nor one that has them. */
static str share_text(text_page *p, uint64_t count) {
    uint64_t all = p->c->files;
    if (count == all) return STR("100%");
    double percent = 100.0 * (double)count / (double)all;
    if (count > 0 && percent < 1) return STR("<1%");
    if (percent > 99) return STR(">99%");
    buf b;
    buf_init(&b, p->query, 16);
    put_percent(&b, percent);
    buf_put_char(&b, '%');
    return buf_str(&b);
}

static bool has_any(const column_coverage *c) {
    return c->min + c->max + c->null_count > 0;
}

static void add_coverage(text_page *p, grid *g, const column_coverage *c) {
    grid_row *row = grid_add(g);
    bool has_bounds = type_has_bounds(c->column->type.kind);
    row->cell[0] = log_text(p, column_dotted_name(c->column, p->query));
    row->cell[1] = has_bounds ? count_text(p, c->min_and_max) : STR("-");
    row->cell[2] = has_bounds ? share_text(p, c->min_and_max) : STR_NONE;
    row->cell[3] = count_text(p, c->null_count);
    row->cell[4] = share_text(p, c->null_count);
    uint64_t one_sided = c->min + c->max - 2 * c->min_and_max;
    if (one_sided > 0)
        row->cell[5] = str_format(p->query, STR_FMT " with one bound", STR_ARG(plural(p, one_sided, "file", "files")));
}

/* `none: a, b, and 1,990 more columns` */
static void put_without_statistics(text_page *p) {
    size_t count = 0;
    for (size_t i = 0; i < p->c->coverage_count; i++) {
        const column_coverage *c = &p->c->coverage[i];
        if (has_any(c) || count++ >= MOST_NAMES) continue;
        buf_put(p->out, count == 1 ? STR("  no statistics: ") : STR(", "));
        put_log_text(p->out, column_dotted_name(c->column, p->query), false);
    }
    if (count == 0) return;
    if (count > MOST_NAMES)
        buf_printf(p->out, ", and " STR_FMT, STR_ARG(plural(p, count - MOST_NAMES, "more column", "more columns")));
    buf_put_char(p->out, '\n');
}

static void put_statistics(text_page *p) {
    const census *c = p->c;
    if (c->files == 0) return;
    put_title(p, STR("Statistics:"));
    buf_printf(p->out, " " STR_FMT " of " STR_FMT "\n", STR_ARG(count_text(p, c->files_with_stats)),
               STR_ARG(plural(p, c->files, "file", "files")));
    grid g;
    grid_init(&g, p->query, 6);
    for (size_t i = 1; i < 5; i++) g.right[i] = true;
    for (size_t i = 0; i < c->coverage_count; i++) {
        if (!has_any(&c->coverage[i])) continue;
        if (g.count == 0) *grid_add(&g) = (grid_row){{STR("column"), STR("min, max"), STR_NONE, STR("null count")}};
        add_coverage(p, &g, &c->coverage[i]);
    }
    grid_put(&g, p->out);
    put_without_statistics(p);
}

/* ---- more of the table ---- */

static void put_row_tracking(text_page *p) {
    const row_tracking *r = &p->s->row_tracking;
    if (!r->is_supported && !r->has_high_water_mark) return;
    put_title(p, STR("Row tracking:"));
    buf_put(p->out, r->is_enabled ? STR(" on") : STR(" supported, not on"));
    if (r->has_high_water_mark) buf_printf(p->out, ", the largest row id is %" PRId64, r->high_water_mark);
    buf_put_char(p->out, '\n');
}

static void put_in_commit_timestamp(text_page *p) {
    const commit_info *commit = p->style->commit;
    if (!p->s->in_commit_timestamps) return;
    put_title(p, STR("In-commit timestamp:"));
    buf_put_char(p->out, ' ');
    if (commit && commit->has_in_commit_timestamp)
        put_time(p->out, commit->in_commit_timestamp_ms);
    else
        buf_put(p->out,
                commit ? STR("this commit has none") : STR("the commit of this version is gone or does not tell"));
    buf_put_char(p->out, '\n');
}

static void put_more(text_page *p, size_t count) {
    if (count > MOST_ROWS)
        buf_printf(p->out, "  ... and " STR_FMT " more (JSON has all)\n", STR_ARG(count_text(p, count - MOST_ROWS)));
}

static void put_domains(text_page *p) {
    if (p->s->domain_count == 0) return;
    grid g;
    grid_init(&g, p->query, 2);
    put_title_line(p, STR("Domains:"));
    for (size_t i = 0; i < p->s->domain_count && i < MOST_ROWS; i++) {
        str all = log_text(p, p->s->domain[i].configuration), cut = str_cut_code_points(all, MOST_CONFIGURATION);
        add_pair(&g, log_text(p, p->s->domain[i].name),
                 cut.len < all.len ? str_format(p->query, STR_FMT " ...", STR_ARG(cut)) : all);
    }
    grid_put(&g, p->out);
    put_more(p, p->s->domain_count);
}

static void put_transactions(text_page *p) {
    if (p->s->transaction_count == 0) return;
    grid g;
    grid_init(&g, p->query, 3);
    put_title_line(p, STR("Transactions, the latest of each application:"));
    for (size_t i = 0; i < p->s->transaction_count && i < MOST_ROWS; i++) {
        const table_transaction *t = &p->s->transaction[i];
        grid_row *row = grid_add(&g);
        row->cell[0] = log_text(p, t->app_id);
        row->cell[1] = str_format(p->query, "version %" PRId64, t->version);
        if (t->has_last_updated) row->cell[2] = time_cell(p, t->last_updated_ms);
    }
    grid_put(&g, p->out);
    put_more(p, p->s->transaction_count);
}

static void put_notes(text_page *p) {
    if (p->s->notes.count == 0) return;
    put_title_line(p, STR("Notes:"));
    for (const note *n = p->s->notes.first; n; n = n->next) {
        buf_printf(p->out, "[" STR_FMT "]: ", STR_ARG(note_code_name(n->code)));
        put_log_text(p->out, n->message, false);
        buf_put_char(p->out, '\n');
    }
}

void snapshot_text(const snapshot *s, const census *c, const snapshot_style *style, arena *query,
                   report_document *out) {
    text_page page = {.s = s, .c = c, .style = style, .query = query};
    draft_init(&page.draft, query, out);
    page.out = &page.draft.tail;
    put_head(&page);
    put_log(&page);
    put_protocol(&page);
    put_schema(&page);
    if (s->partition_column_count > 0)
        put_names(&page, STR("Partition columns:"), s->partition_column, s->partition_column_count);
    put_constraints(&page);
    put_properties(&page);
    put_contents(&page);
    put_statistics(&page);
    if (s->is_clustered && s->clustering_column_count == 0)
        put_title_line(&page, STR("Clustering columns: there are some, written in a way that cannot be read"));
    else if (s->is_clustered)
        put_names(&page, STR("Clustering columns:"), s->clustering_column, s->clustering_column_count);
    put_in_commit_timestamp(&page);
    put_row_tracking(&page);
    put_domains(&page);
    put_transactions(&page);
    put_notes(&page);
    draft_end(&page.draft);
}
