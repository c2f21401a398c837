/* text.c - the SQL of a relation, read when it is asked for.
 * Called by: grain, api.  Must not know: SQL.
 */
#include <string.h>

#include "dbt/lookup.h"
#include "json/json.h"

/* A string of the manifest, read again. The bytes are those that were read once (their hash says so), so its escapes
 * are good. */
static lp_status read_place(const dbt_project *p, const dbt_place *at, arena *out, str *text, lp_err *err) {
    const dbt_bytes *bytes = &p->hidden->manifest;
    char *raw = arena_alloc(out, at->size_bytes + JSON_PADDING);
    if (at->offset <= bytes->size_bytes && at->size_bytes <= bytes->size_bytes - at->offset)
        TRY(bytes->read(bytes->context, at->offset, raw, at->size_bytes, err));
    json_token t = {.kind = JSON_STRING, .text = {raw, at->size_bytes}, .escaped = at->is_escaped};
    if (str_hash(t.text) != at->hash)
        return err_set(err, LP_ERR_FORMAT,
                       STR_FMT ", byte %llu: expected the text that stood there when the project was opened, "
                               "found another; the file has changed",
                       STR_ARG(p->manifest_name), (unsigned long long)at->offset);
    *text = json_unescape(out, t);
    return LP_OK;
}

static str joined(arena *out, str a, str b, str c) {
    return str_format(out, STR_FMT "/" STR_FMT "%s" STR_FMT, STR_ARG(a), STR_ARG(b), c.len ? "/" : "", STR_ARG(c));
}

/* Where dbt writes the compiled SQL, below the target folder. */
static str below_target(const dbt_relation *r, arena *out) {
    const str folder = STR("compiled/");
    for (size_t at = 0; at + folder.len < r->compiled_path.len; at++) {
        bool starts = at == 0 || r->compiled_path.ptr[at - 1] == '/' || r->compiled_path.ptr[at - 1] == '\\';
        str rest = str_slice(r->compiled_path, at, r->compiled_path.len);
        if (starts && str_starts_with(rest, folder)) return rest;
    }
    return joined(out, STR("compiled"), r->package, r->original_file_path);
}

bool dbt_has_compiled_file(const dbt_project *p, const dbt_relation *r, arena *scratch) {
    uint64_t size;
    bool has_sql = r->resource == DBT_MODEL || r->resource == DBT_SNAPSHOT;
    if (!has_sql || !p->hidden->target || str_is_none(r->original_file_path)) return false;
    return store_look(p->hidden->target, scratch, below_target(r, scratch), &size) == STORE_FILE;
}

#define FILE_MAX_BYTES ((uint64_t)1 << 30)

lp_status dbt_read_compiled(const dbt_project *p, const dbt_relation *r, arena *out, str *code, lp_err *err) {
    *code = STR_NONE;
    if (r->compiled_code.exists) return read_place(p, &r->compiled_code, out, code, err);
    if (r->is_compiled)
        return store_read_all(p->hidden->target, out, below_target(r, out), FILE_MAX_BYTES, JSON_PADDING, code, err);
    return err_set(err, LP_ERR_NOT_FOUND,
                   STR_FMT ": expected the compiled SQL of " STR_FMT ", found none; run `dbt compile`",
                   STR_ARG(p->manifest_name), STR_ARG(r->unique_id));
}

lp_status dbt_read_raw(const dbt_project *p, const dbt_relation *r, arena *out, str *code, lp_err *err) {
    uint64_t size;
    *code = STR_NONE;
    if (r->raw_code.exists) return read_place(p, &r->raw_code, out, code, err);
    str path = r->original_file_path;
    bool is_own = str_eq(r->package, p->name);
    if (!str_is_none(path) && !is_own) path = joined(out, STR("dbt_packages"), r->package, path);
    if (p->hidden->root && !str_is_none(path) && store_look(p->hidden->root, out, path, &size) == STORE_FILE)
        return store_read_all(p->hidden->root, out, path, FILE_MAX_BYTES, JSON_PADDING, code, err);
    return err_set(err, LP_ERR_NOT_FOUND, STR_FMT ": expected the code of " STR_FMT ", found none",
                   STR_ARG(p->manifest_name), STR_ARG(r->unique_id));
}

str dbt_compiled_file(const dbt_project *p, const dbt_relation *r, arena *out) {
    (void)p;
    return str_is_none(r->compiled_path) ? joined(out, STR("target"), below_target(r, out), STR("")) : r->compiled_path;
}
