/* commit_info.c - find and read the commitInfo of a commit.
 * Called by: delta/time_travel.c, history.c, checksum.c.  Must not know: other actions, which versions there are.
 */
#include "delta/commit_info.h"

#include <inttypes.h>

#define COMMIT_INFO_START STR("{\"commitInfo\":")

typedef enum info_member { INFO_TIMESTAMP, INFO_OPERATION, INFO_METRICS, INFO_ENGINE } info_member;

commit_info_reader commit_info_reader_new(arena *keep) {
    static const str wanted[] = {{"commitInfo", 10}};
    static const str member[] = {
        {"inCommitTimestamp", 17}, {"operation", 9}, {"operationMetrics", 16}, {"engineInfo", 10}};
    return (commit_info_reader){.lines = log_reader_new(keep),
                                .json = json_reader_new(keep),
                                .action = json_names_new(keep, wanted, 1),
                                .member = json_names_new(keep, member, sizeof member / sizeof *member)};
}

static lp_status not_json(const commit_info_reader *r, line_place at, lp_err *err) {
    size_t offset;
    str message;
    json_error(r->json, &offset, &message);
    return err_set(err, LP_ERR_FORMAT, STR_FMT ":%zu: " STR_FMT " at byte %zu", STR_ARG(at.path), at.line,
                   STR_ARG(message), offset);
}

/* The value of the key just returned, as it stands in the line; false on an error in it. *is_object tells its kind. */
static bool take_raw(json_reader *json, str line, bool *is_object, str *raw) {
    json_token t = json_next(json);
    size_t from = json_offset(json);
    *is_object = t.kind == JSON_OBJECT_BEGIN;
    if (t.kind == JSON_ERROR || !json_skip(json)) return false;
    *raw = str_slice(line, from, json_offset(json) + 1); /* of an object: to its closing bracket */
    return true;
}

static bool take_text(json_reader *json, arena *scratch, str *out) {
    json_token t = json_next(json);
    *out = t.kind == JSON_STRING ? json_unescape(scratch, t) : STR_NONE;
    return t.kind != JSON_ERROR && json_skip(json);
}

static bool take_member(const commit_info_reader *r, info_member m, str line, arena *scratch, commit_info *out) {
    switch (m) {
    case INFO_TIMESTAMP: {
        json_token t = json_next(r->json);
        out->has_in_commit_timestamp =
            t.kind == JSON_NUMBER && json_number_to_int64(t.text, &out->in_commit_timestamp_ms);
        return t.kind != JSON_ERROR && json_skip(r->json);
    }
    case INFO_OPERATION: return take_text(r->json, scratch, &out->operation);
    case INFO_ENGINE: return take_text(r->json, scratch, &out->engine);
    case INFO_METRICS: {
        bool is_object;
        str raw;
        if (!take_raw(r->json, line, &is_object, &raw)) return false;
        out->operation_metrics = is_object ? raw : STR_NONE;
        return true;
    }
    }
    UNREACHABLE();
}

/* The members of a commitInfo whose object has begun. */
static bool take_members(const commit_info_reader *r, str line, arena *scratch, commit_info *out) {
    *out = (commit_info){.is_there = true};
    size_t which;
    json_kind kind;
    while ((kind = json_next_wanted(r->json, r->member, scratch, &which)) == JSON_KEY)
        if (!take_member(r, (info_member)which, line, scratch, out)) return false;
    return kind == JSON_OBJECT_END;
}

lp_status commit_info_parse(const commit_info_reader *r, str line, line_place at, arena *scratch, commit_info *out,
                            lp_err *err) {
    *out = (commit_info){0};
    lp_err reason;
    lp_status status = json_start(r->json, line, &reason);
    if (status != LP_OK) return err_set(err, status, STR_FMT ":%zu: %s", STR_ARG(at.path), at.line, reason.text);
    json_token t = json_next(r->json);
    if (t.kind == JSON_ERROR) return not_json(r, at, err);
    if (t.kind != JSON_OBJECT_BEGIN)
        return err_set(err, LP_ERR_FORMAT, STR_FMT ":%zu: expected an object as line", STR_ARG(at.path), at.line);
    size_t which;
    json_kind kind;
    while ((kind = json_next_wanted(r->json, r->action, scratch, &which)) == JSON_KEY) {
        t = json_next(r->json);
        if (t.kind == JSON_NULL) continue;
        if (t.kind != JSON_OBJECT_BEGIN && t.kind != JSON_ERROR)
            return err_set(err, LP_ERR_FORMAT, STR_FMT ":%zu: expected an object as commitInfo", STR_ARG(at.path),
                           at.line);
        if (t.kind == JSON_ERROR || !take_members(r, line, scratch, out)) return not_json(r, at, err);
    }
    return kind == JSON_OBJECT_END && json_next(r->json).kind == JSON_END ? LP_OK : not_json(r, at, err);
}

static lp_status look_through(const commit_info_reader *r, str path, arena *scratch, commit_info *out, lp_err *err) {
    for (bool more = true; more && !out->is_there;) {
        TRY(log_reader_fill(r->lines, &more, err));
        for (str line; more && !out->is_there && log_reader_next(r->lines, &line);) {
            bool is_other = action_is_plainly_of_file(line) && !str_starts_with(line, COMMIT_INFO_START);
            if (is_other) continue;
            line_place at = {path, log_reader_line_number(r->lines)};
            TRY(commit_info_parse(r, line, at, scratch, out, err));
        }
    }
    return LP_OK;
}

lp_status commit_info_read(const commit_info_reader *r, store *files, str path, arena *scratch, commit_info *out,
                           lp_err *err) {
    *out = (commit_info){0};
    TRY(log_reader_open_start(r->lines, files, scratch, path, err));
    lp_status status = look_through(r, path, scratch, out, err);
    log_reader_close(r->lines); /* before `scratch`, which owns the file, is reset */
    return status;
}
