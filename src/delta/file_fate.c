/* file_fate.c - look for one path in the whole log.
 * Called by: api/why.c.  Must not know: predicates, printing.
 */
#include "delta/file_fate.h"

#include "delta/log_segment.h"
#include "delta/logged_files.h"

typedef struct search {
    str name;
    bool added, removed; /* in the file of the log under way */
} search;

static bool is_named(str name, str path) {
    return str_starts_with(name, path) && (name.len == path.len || name.ptr[path.len] == '#');
}

static void take_file(void *context, const logged_file *f) {
    search *s = context;
    if (f->is_cdc || !is_named(s->name, f->path)) return;
    s->removed |= f->is_remove;
    s->added |= !f->is_remove;
}

static bool search_commit(logged_files *reader, search *s, const log_entry *commit, arena *scratch) {
    lp_err unused;
    s->added = s->removed = false;
    return logged_files_of_commit(reader, str_format(scratch, "_delta_log/" STR_FMT, STR_ARG(commit->name)), &unused) == LP_OK;
}

lp_status file_fate_find(const snapshot *s, str name, arena *scratch, file_fate *out, lp_err *err) {
    *out = (file_fate){.removed_in = -1, .added_in = -1};
    store_entries entries;
    TRY(store_list(s->files, STR("_delta_log"), scratch, &entries, err));
    log_list list = log_list_new(scratch, &entries);
    log_plan plan = log_plan_new(scratch, &list);
    search wanted = {.name = name};
    logged_files *reader = logged_files_new(scratch, s->files, take_file, &wanted);
    for (size_t i = 0; i < list.commit_count; i++) {
        int64_t version = list.commit[i].is.version;
        if (!search_commit(reader, &wanted, &list.commit[i], scratch)) continue;
        if (version <= s->version && wanted.removed) out->removed_in = version;
        if (version > s->version && wanted.added && out->added_in < 0) out->added_in = version;
    }
    wanted.removed = false;
    lp_err unused;
    if (out->removed_in < 0 && plan.checkpoint_count && plan.checkpoint[0].version <= s->version &&
        logged_files_of_checkpoint(reader, &plan.checkpoint[0], &unused) == LP_OK)
        out->is_still_listed = wanted.removed;
    return LP_OK;
}
