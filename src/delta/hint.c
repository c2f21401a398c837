/* hint.c - the hint's version, and its checksum over a canonical form.
 * Called by: delta/segment.c.  Must not know: which checkpoints there are.
 *
 * Canonical form: each leaf is written as path=value, with the names of members and the positions in arrays joined by
 * `+`; pairs are sorted by path and joined by `,`. Names and strings stand in quotes, percent-encoded; numbers and
 * literals as they are written. {"a":[true,{"b":"x y"}],"c":{}} gives  "a"+0=true,"a"+1+"b"="x%20y"
 */
#include "delta/hint.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/md5.h"

enum { MAX_HINT_BYTES = 64 << 20, MAX_CANONICAL_BYTES = 64 << 20 };

/* ---- the canonical form ---- */

typedef struct pair {
    size_t at, path_len, len; /* in the text of the walk */
    const char *text;         /* set when that text has stopped to grow */
} pair;

typedef struct walk {
    arena *memory;
    json_reader *json;
    buf path; /* of the value under way */
    buf text; /* all pairs in the order of the document */
    pair *pair;
    size_t count, capacity;
    size_t max_bytes;
    const char *why;
} walk;

static bool give_up(walk *w, const char *why) {
    w->why = why;
    return false;
}

/* Unreserved characters stay, every other byte becomes %XX (rule B7). */
static void put_encoded(buf *out, str text) {
    static const char digit[] = "0123456789ABCDEF";
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        bool plain = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
                     c == '.' || c == '_' || c == '~';
        if (plain) {
            buf_put_char(out, (char)c);
        } else {
            buf_put_char(out, '%');
            buf_put_char(out, digit[c >> 4]);
            buf_put_char(out, digit[c & 15]);
        }
    }
}

static void put_quoted(buf *out, str text) {
    buf_put_char(out, '"');
    put_encoded(out, text);
    buf_put_char(out, '"');
}

static bool put_pair(walk *w, json_token value) {
    size_t most = w->path.len + 3 * value.text.len + 8;
    if (most > w->max_bytes - w->text.len) return give_up(w, "it is too long to be checked");
    if (w->count == w->capacity) {
        size_t capacity = w->capacity ? w->capacity * 2 : 64;
        pair *grown = ARENA_ARRAY(w->memory, pair, capacity);
        if (w->count) memcpy(grown, w->pair, w->count * sizeof *grown);
        w->pair = grown;
        w->capacity = capacity;
    }
    pair *p = &w->pair[w->count++];
    p->at = w->text.len;
    p->path_len = w->path.len;
    buf_put(&w->text, buf_str(&w->path));
    buf_put_char(&w->text, '=');
    if (value.kind == JSON_STRING)
        put_quoted(&w->text, json_unescape(w->memory, value));
    else
        buf_put(&w->text, value.kind == JSON_NUMBER  ? value.text
                          : value.kind == JSON_TRUE  ? STR("true")
                          : value.kind == JSON_FALSE ? STR("false")
                                                     : STR("null"));
    p->len = w->text.len - p->at;
    return true;
}

static bool walk_value(walk *w, json_token t);

static void begin_segment(walk *w) {
    if (w->path.len) buf_put_char(&w->path, '+');
}

/* The depth of nesting is limited by the reader. */
static bool walk_array(walk *w) {
    size_t outer = w->path.len;
    for (size_t position = 0;; position++) {
        json_token t = json_next(w->json);
        if (t.kind == JSON_ARRAY_END) return true;
        begin_segment(w);
        buf_printf(&w->path, "%zu", position);
        if (!walk_value(w, t)) return false;
        w->path.len = outer;
    }
}

static bool walk_object(walk *w) {
    size_t outer = w->path.len;
    bool is_top = outer == 0;
    map seen;
    map_init(&seen, w->memory);
    for (;;) {
        json_token t = json_next(w->json);
        if (t.kind == JSON_OBJECT_END) return true;
        if (t.kind != JSON_KEY) return give_up(w, "it is not JSON");
        str key = json_unescape(w->memory, t);
        if (map_put(&seen, key, w)) return give_up(w, "a key stands twice in one object");
        if (w->path.len > w->max_bytes || 3 * key.len > w->max_bytes - w->path.len)
            return give_up(w, "it is too long to be checked");
        begin_segment(w);
        put_quoted(&w->path, key);
        bool is_checksum = is_top && str_eq(key, STR("checksum")); /* only there it is the hint's own */
        if (is_checksum ? !json_skip(w->json) : !walk_value(w, json_next(w->json)))
            return w->why ? false : give_up(w, "it is not JSON");
        w->path.len = outer;
    }
}

static bool walk_value(walk *w, json_token t) {
    switch (t.kind) {
    case JSON_OBJECT_BEGIN: return walk_object(w);
    case JSON_ARRAY_BEGIN: return walk_array(w);
    case JSON_STRING:
    case JSON_NUMBER:
    case JSON_TRUE:
    case JSON_FALSE:
    case JSON_NULL: return put_pair(w, t);
    case JSON_ERROR:
    case JSON_END:
    case JSON_OBJECT_END:
    case JSON_ARRAY_END:
    case JSON_KEY: break;
    }
    return give_up(w, "it is not JSON");
}

static int by_path(const void *left, const void *right) {
    const pair *a = left, *b = right;
    return str_compare((str){a->text, a->path_len}, (str){b->text, b->path_len});
}

str hint_canonical(arena *out, json_reader *json, str text, size_t max_bytes, const char **why) {
    walk w = {.memory = out, .json = json, .max_bytes = max_bytes};
    buf_init(&w.path, out, SIZE_MAX / 2);
    buf_init(&w.text, out, SIZE_MAX / 2);
    lp_err unused;
    bool good = json_start(json, text, &unused) == LP_OK && json_next(json).kind == JSON_OBJECT_BEGIN &&
                walk_object(&w) && json_next(json).kind == JSON_END;
    *why = w.why ? w.why : "it is no JSON object";
    if (!good) return STR_NONE;
    for (size_t i = 0; i < w.count; i++) w.pair[i].text = w.text.ptr + w.pair[i].at;
    if (w.count) qsort(w.pair, w.count, sizeof *w.pair, by_path);
    buf sorted;
    buf_init(&sorted, out, SIZE_MAX / 2);
    (void)buf_reserve(&sorted, w.text.len + w.count);
    for (size_t i = 0; i < w.count; i++) {
        if (i) buf_put_char(&sorted, ',');
        buf_put(&sorted, (str){w.pair[i].text, w.pair[i].len});
    }
    return w.count ? buf_str(&sorted) : STR("");
}

/* ---- the hint ---- */

/* The members that count here; the text is known to be one object without a key twice. */
typedef struct members {
    bool has_version;
    int64_t version;
    bool has_checksum;
    str checksum;
    str file; /* v2Checkpoint.path (rule B3) */
    int64_t file_bytes;
} members;

static void find_v2_members(json_reader *json, members *m, arena *scratch) {
    for (json_token t; (t = json_next(json)).kind == JSON_KEY;) {
        str key = json_unescape(scratch, t);
        bool is_path = str_eq(key, STR("path")), is_size = str_eq(key, STR("sizeInBytes"));
        if (!is_path && !is_size) {
            if (!json_skip(json)) return;
            continue;
        }
        t = json_next(json);
        if (is_path && t.kind == JSON_STRING) m->file = json_unescape(scratch, t);
        if (is_size && (t.kind != JSON_NUMBER || !json_number_to_int64(t.text, &m->file_bytes))) m->file_bytes = -1;
        if ((t.kind == JSON_OBJECT_BEGIN || t.kind == JSON_ARRAY_BEGIN) && !json_skip(json)) return;
    }
}

static members find_members(json_reader *json, str text, arena *scratch) {
    members m = {.file_bytes = -1};
    lp_err unused;
    if (json_start(json, text, &unused) != LP_OK) return m;
    json_token t = json_next(json);
    while ((t = json_next(json)).kind == JSON_KEY) {
        str key = json_unescape(scratch, t);
        bool is_version = str_eq(key, STR("version")), is_checksum = str_eq(key, STR("checksum"));
        bool is_v2 = str_eq(key, STR("v2Checkpoint"));
        if (!is_version && !is_checksum && !is_v2) {
            if (!json_skip(json)) break;
            continue;
        }
        t = json_next(json);
        if (is_version) m.has_version = t.kind == JSON_NUMBER && json_number_to_int64(t.text, &m.version);
        if (is_checksum) m.has_checksum = t.kind != JSON_NULL;
        if (is_checksum && t.kind == JSON_STRING) m.checksum = json_unescape(scratch, t);
        if (is_v2 && t.kind == JSON_OBJECT_BEGIN)
            find_v2_members(json, &m, scratch);
        else if ((t.kind == JSON_OBJECT_BEGIN || t.kind == JSON_ARRAY_BEGIN) && !json_skip(json))
            break;
    }
    return m;
}

static story_hint ignored(arena *table, const char *why) {
    return (story_hint){.state = HINT_IGNORED, .why = str_format(table, "_last_checkpoint is ignored: %s", why)};
}

static void digest(str text, char hex[33]) {
    md5 m;
    md5_init(&m);
    md5_put(&m, text);
    md5_finish(&m, hex);
}

static story_hint parse(arena *table, arena *scratch, str text) {
    json_reader *json = json_reader_new(scratch);
    const char *why;
    str canonical = hint_canonical(scratch, json, text, MAX_CANONICAL_BYTES, &why);
    if (str_is_none(canonical)) return ignored(table, why);
    members m = find_members(json, text, scratch);
    if (!m.has_version) return ignored(table, "it has no version");
    story_hint hint = {.state = HINT_GOOD,
                       .has_version = true,
                       .version = m.version,
                       .file = str_copy(table, m.file),
                       .file_bytes = m.file_bytes};
    if (!m.has_checksum) return hint;
    char found[33];
    digest(canonical, found);
    hint.checksum = str_eq_nocase(m.checksum, str_from(found)) ? CHECKSUM_VERIFIED : CHECKSUM_WRONG;
    if (hint.checksum == CHECKSUM_VERIFIED) return hint;
    hint.state = HINT_IGNORED;
    hint.why = str_format(table, "_last_checkpoint is ignored: it says its checksum is " STR_FMT ", and it is %s",
                          STR_ARG(str_slice(m.checksum, 0, 64)), found);
    return hint;
}

story_hint hint_parse(arena *table, str text) {
    arena *scratch = arena_child(table);
    story_hint hint = parse(table, scratch, text);
    arena_end(scratch);
    return hint;
}

story_hint hint_read(arena *table, store *files) {
    arena *scratch = arena_child(table);
    str text;
    lp_err reason;
    lp_status status = store_read_all(files, scratch, STR("_delta_log/_last_checkpoint"), MAX_HINT_BYTES, JSON_PADDING,
                                      &text, &reason);
    story_hint hint = status == LP_OK ? parse(table, scratch, text) : ignored(table, reason.text);
    arena_end(scratch);
    return hint;
}
