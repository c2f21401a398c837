/* disk_text.c - the log against the folder as text, and the line of its gate.
 * Called by: api.  Must not know: JSON, how the folder was looked at.
 *
 * head | what is wrong | files in the folder | live files that it does not hold | the listing
 */
#include <inttypes.h>

#include "delta/time_point.h"
#include "report/disk_report.h"
#include "report/report_int.h"

typedef struct text_page {
    draft draft;
    buf *out; /* where the next text goes */
    const disk_report *report;
    const disk_style *style;
    arena *query;
} text_page;

static void paint(buf *out, bool color, const char *escape, str text) {
    if (color) buf_put(out, str_from(escape));
    buf_put(out, text);
    if (color) buf_put(out, STR("\x1b[0m"));
}
#define BOLD "\x1b[1m"
#define RED  "\x1b[31m"

static void put_title(text_page *p, str title) {
    buf_put_char(p->out, '\n');
    paint(p->out, p->style->color, BOLD, title);
    buf_put_char(p->out, '\n');
}

static void put_bytes(buf *out, uint64_t bytes) {
    put_size(out, bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes);
}

static void put_files(buf *out, const disk_tally *t) {
    put_count(out, t->files);
    buf_put(out, t->files == 1 ? STR(" file") : STR(" files"));
    if (t->files == 0) return;
    buf_put(out, STR("  "));
    put_bytes(out, t->bytes);
}

/* A length of time in its largest whole unit: 7 days, 36 hours, 1500 ms. */
static void put_duration(buf *out, int64_t ms) {
    static const struct {
        int64_t ms;
        const char *unit;
    } each[] = {{86400000, "day"}, {3600000, "hour"}, {60000, "minute"}, {1000, "second"}};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        if (ms < each[i].ms || ms % each[i].ms != 0) continue;
        int64_t count = ms / each[i].ms;
        buf_printf(out, "%" PRId64 " %s%s", count, each[i].unit, count == 1 ? "" : "s");
        return;
    }
    buf_printf(out, "%" PRId64 " ms", ms);
}

/* An age, rounded down to its largest unit. */
static void put_age(buf *out, int64_t ms) {
    static const int64_t unit[] = {86400000, 3600000, 60000, 1000};
    for (size_t i = 0; i < sizeof unit / sizeof *unit; i++) {
        if (ms < unit[i]) continue;
        put_duration(out, ms - ms % unit[i]);
        return;
    }
    put_duration(out, ms < 0 ? 0 : ms);
}

/* --- head --- */

static void put_head(text_page *p) {
    const disk_report *r = p->report;
    str now = time_text_of(p->query, r->now_ms);
    buf_printf(p->out, "Delta table: " STR_FMT "\n", STR_ARG(p->style->location));
    buf_printf(p->out, "Version:     %" PRId64 "\n", r->table->version);
    buf_printf(p->out, "Now:         " STR_FMT "\nRetention:   ", STR_ARG(now));
    if (!r->retention_known) {
        buf_put(p->out, STR("unknown: \""));
        put_log_text(p->out, r->retention_text, false);
        buf_put(p->out, STR("\" is no interval, so nothing is said of VACUUM\n"));
        return;
    }
    put_duration(p->out, r->retention_ms);
    buf_put(p->out, str_is_none(r->retention_text) ? STR(" (default)\n") : STR("\n"));
}

static void put_wrong(text_page *p, uint64_t files, const char *what) {
    if (files == 0) return;
    buf *out = p->out;
    if (p->style->color) buf_put(out, STR(RED));
    put_count(out, files);
    buf_put(out, files == 1 ? STR(" live file is ") : STR(" live files are "));
    buf_put(out, str_from(what));
    if (p->style->color) buf_put(out, STR("\x1b[0m"));
    buf_put_char(out, '\n');
}

static void put_all_wrong(text_page *p) {
    const disk_report *r = p->report;
    if (disk_faulty_files(r) == 0) return;
    buf_put_char(p->out, '\n');
    put_wrong(p, r->state[DISK_MISSING].files + r->outside_missing, "MISSING");
    put_wrong(p, r->state[DISK_OTHER_SIZE].files, "NOT OF THE SIZE that the log says");
}

/* --- the folder --- */

static void put_row(text_page *p, const char *label, const disk_tally *t) {
    buf_printf(p->out, "  %-18s", label);
    put_files(p->out, t);
}

static void put_state(text_page *p, const char *label, disk_state state) {
    const disk_report *r = p->report;
    put_row(p, label, &r->state[state]);
    if (r->vacuumed[state].files > 0) {
        buf_put(p->out, STR(", of which VACUUM would delete "));
        put_count(p->out, r->vacuumed[state].files);
        buf_put(p->out, STR(" ("));
        put_bytes(p->out, r->vacuumed[state].bytes);
        buf_put(p->out, STR(") now"));
    }
    buf_put_char(p->out, '\n');
}

static void put_passed_over(text_page *p, uint64_t count, const char *one, const char *many) {
    if (count == 0) return;
    buf_put(p->out, STR("  not looked into:  "));
    put_count(p->out, count);
    buf_printf(p->out, " %s\n", count == 1 ? one : many);
}

static void put_folder(text_page *p) {
    const disk_report *r = p->report;
    put_title(p, STR("Files in the folder:"));
    put_row(p, "live", &r->live);
    buf_put_char(p->out, '\n');
    if (r->live_vectors.files > 0) {
        put_row(p, "live vectors", &r->live_vectors);
        buf_put_char(p->out, '\n');
    }
    put_state(p, "removed", DISK_REMOVED);
    put_state(p, "never committed", DISK_UNCOMMITTED);
    if (r->state[DISK_CHANGE_DATA].files > 0) put_state(p, "change data", DISK_CHANGE_DATA);
    put_passed_over(p, r->hidden_entries, "hidden entry", "hidden entries");
    put_passed_over(p, r->links_to_folders, "link to a folder", "links to folders");
    put_passed_over(p, r->special_entries, "entry that is no file", "entries that are no files");
    put_passed_over(p, r->folders_too_deep, "folder that lies too deep", "folders that lie too deep");
}

/* --- what is not in it --- */

static void put_live(text_page *p, const char *label, disk_state state) {
    if (p->report->state[state].files == 0) return;
    put_row(p, label, &p->report->state[state]);
    if (p->report->vectors[state].files > 0) {
        buf_put(p->out, STR(", "));
        put_count(p->out, p->report->vectors[state].files);
        buf_put(p->out, STR(" of them for vectors"));
    }
    buf_put_char(p->out, '\n');
}

static void put_plain(text_page *p, const char *label, uint64_t files, const char *what) {
    if (files == 0) return;
    buf_printf(p->out, "  %-18s", label);
    put_count(p->out, files);
    buf_put(p->out, files == 1 ? STR(" file") : STR(" files"));
    buf_put(p->out, str_from(what));
    buf_put_char(p->out, '\n');
}

static void put_guests(text_page *p) {
    const disk_report *r = p->report;
    uint64_t outside = r->state[DISK_OUTSIDE].files;
    put_title(p, STR("Live files elsewhere:"));
    if (r->state[DISK_MISSING].files + r->state[DISK_OTHER_SIZE].files + outside + r->live_behind_links +
            r->unknown_vectors ==
        0)
        buf_put(p->out, STR("  none: all of them are in the folder\n"));
    put_live(p, "missing", DISK_MISSING);
    put_live(p, "of another size", DISK_OTHER_SIZE);
    put_live(p, "outside", DISK_OUTSIDE);
    put_plain(p, "  missing there", r->outside_missing, "");
    put_plain(p, "  not looked for", r->outside_unseen, " in other stores");
    put_plain(p, "behind a link", r->live_behind_links, " behind a link, or in a hidden folder");
    put_plain(p, "unknown vectors", r->unknown_vectors, " whose vector's name cannot be told");
}

static void put_unreadable(text_page *p) {
    const disk_report *r = p->report;
    if (r->unreadable_log_files == 0) return;
    put_title(p, STR("Notes:"));
    put_count(p->out, r->unreadable_log_files);
    buf_put(p->out, r->unreadable_log_files == 1 ? STR(" old file") : STR(" old files"));
    buf_put(p->out, STR(" of the log cannot be read; what only they name counts as never committed: "));
    put_log_text(p->out, r->first_unreadable, false);
    buf_put_char(p->out, '\n');
}

/* --- the listing --- */

str disk_state_name(disk_state state) {
    switch (state) {
    case DISK_REMOVED: return STR("removed");
    case DISK_UNCOMMITTED: return STR("uncommitted");
    case DISK_CHANGE_DATA: return STR("change_data");
    case DISK_MISSING: return STR("missing");
    case DISK_OTHER_SIZE: return STR("other_size");
    case DISK_OUTSIDE: return STR("outside");
    case DISK_STATE_COUNT: break;
    }
    UNREACHABLE();
}

static const char *label_of(disk_state state) {
    switch (state) {
    case DISK_REMOVED: return "removed";
    case DISK_UNCOMMITTED: return "never committed";
    case DISK_CHANGE_DATA: return "change data";
    case DISK_MISSING: return "MISSING";
    case DISK_OTHER_SIZE: return "OTHER SIZE";
    case DISK_OUTSIDE: return "outside";
    case DISK_STATE_COUNT: break;
    }
    UNREACHABLE();
}

void disk_row_text(void *context, buf *out, const disk_file *f) {
    const disk_row_style *style = context;
    bool wrong = f->is_absent || f->state == DISK_OTHER_SIZE;
    const char *label = f->is_absent && f->state == DISK_OUTSIDE ? "OUTSIDE, MISSING" : label_of(f->state);
    buf_put(out, STR("  "));
    if (style->color && wrong) buf_put(out, STR(RED));
    buf_printf(out, "%-16s", label);
    if (style->color && wrong) buf_put(out, STR("\x1b[0m"));
    buf_put(out, STR("  "));
    put_log_text(out, f->path, false);
    buf_put(out, STR("  ("));
    put_size(out, f->size_bytes);
    if (f->state == DISK_OTHER_SIZE) {
        buf_put(out, STR(", the log says "));
        put_size(out, f->logged_bytes);
    }
    if (f->has_removed_at) {
        int64_t age;
        buf_put(out, STR("  removed "));
        put_age(out, __builtin_sub_overflow(style->now_ms, f->removed_at_ms, &age) ? 0 : age);
        buf_put(out, STR(" ago"));
    }
    buf_put_char(out, ')');
    if (f->is_vacuumed) buf_put(out, STR("  VACUUM would delete it now"));
}

static void put_listing(text_page *p) {
    const listing *l = &p->report->listing;
    if (!p->report->lists_files || l->count == 0) return;
    put_title(p, STR("Files that are not simply live and there:"));
    draft_put_spool(&p->draft, l->text);
    buf_put_char(p->out, '\n');
}

/* --- the whole --- */

void disk_text(const disk_report *r, const disk_style *style, arena *query, report_document *out) {
    text_page page = {.report = r, .style = style, .query = query};
    draft_init(&page.draft, query, out);
    page.out = &page.draft.tail;
    put_head(&page);
    put_all_wrong(&page);
    put_folder(&page);
    put_guests(&page);
    put_unreadable(&page);
    put_listing(&page);
    draft_end(&page.draft);
}

uint64_t disk_faulty_files(const disk_report *r) {
    return r->state[DISK_MISSING].files + r->state[DISK_OTHER_SIZE].files + r->outside_missing;
}

void disk_gates(const disk_report *r, arena *query, report_document *out) {
    draft d;
    draft_init(&d, query, out);
    if (disk_faulty_files(r) > 0)
        buf_printf(&d.tail,
                   "ASSERTION FAILED: %" PRIu64 " live file(s) missing, %" PRIu64
                   " not of the size that the log says\n",
                   r->state[DISK_MISSING].files + r->outside_missing, r->state[DISK_OTHER_SIZE].files);
    draft_end(&d);
}
