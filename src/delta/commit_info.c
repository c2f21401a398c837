/* commit_info.c - find what a commit says of itself.
 * Called by: delta/snapshot.c, time_travel.c, history.c, checksum.c.  Must not know: which files are live, which versions
 * there are.
 */
#include "delta/commit_info.h"

#include "delta/action.h"
#include "delta/log_reader.h"

struct commit_info_reader {
    log_reader *lines;
    json_reader *json;
    const action_want *want; /* nothing of files */
};

commit_info_reader *commit_info_reader_new(arena *keep) {
    commit_info_reader *r = ARENA_NEW(keep, commit_info_reader);
    *r = (commit_info_reader){log_reader_new(keep), json_reader_new(keep), action_want_new(keep, NULL, 0)};
    return r;
}

/* Files and change data are not looked at. */
static bool may_be_commit_info(str line) {
    return !action_is_plainly_of_file(line) || str_starts_with(line, STR("{\"commitInfo\":{"));
}

static lp_status look_through(commit_info_reader *r, str path, arena *scratch, bool *found, commit_info *out,
                              lp_err *err) {
    for (;;) {
        bool more;
        TRY(log_reader_fill(r->lines, &more, err));
        if (!more) return LP_OK;
        for (str line; log_reader_next(r->lines, &line);) {
            if (!may_be_commit_info(line)) continue;
            action a;
            line_place at = {path, log_reader_line_number(r->lines)};
            TRY(action_parse(r->json, line, r->want, at, scratch, &a, err));
            *found = a.kind == ACTION_COMMIT_INFO;
            if (!*found) continue;
            *out = a.commit_info;
            return LP_OK;
        }
    }
}

lp_status commit_info_find(commit_info_reader *r, store *files, str path, arena *scratch, bool *found,
                           commit_info *out, lp_err *err) {
    *found = false;
    *out = (commit_info){0};
    TRY(log_reader_open_start(r->lines, files, scratch, path, err));
    lp_status status = look_through(r, path, scratch, found, out, err);
    log_reader_close(r->lines); /* before `scratch`, which owns the file, is reset */
    return status;
}

static void copy_texts(commit_info *c, arena *out_arena) {
    str *text[] = {&c->operation, &c->engine, &c->user, &c->parameters, &c->metrics};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) *text[i] = str_copy(out_arena, *text[i]);
}

bool commit_info_read(store *files, str path, arena *out_arena, commit_info *out) {
    arena *scratch = arena_child(out_arena);
    bool found;
    lp_err unused;
    lp_status status = commit_info_find(commit_info_reader_new(scratch), files, path, scratch, &found, out, &unused);
    found = found && status == LP_OK;
    if (found) copy_texts(out, out_arena);
    arena_end(scratch);
    return found;
}
