/* commit_info.c - find what a commit says of itself.
 * Called by: api.  Must not know: which files are live.
 */
#include "delta/commit_info.h"

#include "delta/action.h"
#include "delta/log_reader.h"

typedef struct search {
    log_reader *lines;
    json_reader *json;
    const action_want *want; /* nothing of files */
    arena *scratch;
    commit_info *out;
} search;

/* Files and change data are not looked at. */
static bool may_be_commit_info(str line) {
    return !action_is_plainly_of_file(line) || str_starts_with(line, STR("{\"commitInfo\":{"));
}

static lp_status find(search *s, str path, bool *found, lp_err *err) {
    for (;;) {
        bool more;
        TRY(log_reader_fill(s->lines, &more, err));
        if (!more) return LP_OK;
        for (str line; log_reader_next(s->lines, &line);) {
            if (!may_be_commit_info(line)) continue;
            action a;
            line_place at = {path, log_reader_line_number(s->lines)};
            TRY(action_parse(s->json, line, s->want, at, s->scratch, &a, err));
            *found = a.kind == ACTION_COMMIT_INFO;
            if (!*found) continue;
            *s->out = a.commit_info;
            return LP_OK;
        }
    }
}

static void copy_texts(commit_info *c, arena *out_arena) {
    str *text[] = {&c->operation, &c->engine, &c->user, &c->parameters, &c->metrics};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) *text[i] = str_copy(out_arena, *text[i]);
}

static void end_arena(void *resource) {
    arena_end(resource);
}

bool commit_info_read(store *files, str path, arena *out_arena, commit_info *out) {
    arena *scratch = ARENA_NEW(out_arena, arena);
    arena_init(scratch, 0);
    arena_defer(out_arena, end_arena)->resource = scratch;
    search s = {.lines = log_reader_new(scratch),
                .json = json_reader_new(scratch),
                .want = action_want_new(scratch, NULL, 0),
                .scratch = scratch,
                .out = out};
    bool found = false;
    lp_err unused;
    lp_status status = log_reader_open(s.lines, files, scratch, path, &unused);
    if (status == LP_OK) status = find(&s, path, &found, &unused);
    log_reader_close(s.lines);
    found = found && status == LP_OK;
    if (found) copy_texts(out, out_arena);
    arena_end(scratch);
    return found;
}
