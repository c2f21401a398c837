/* hint_fuzz.c - properties of reading _last_checkpoint, on any bytes.
 * Called by: libFuzzer, tests/fuzz/replay_main.c.  Must not know: which checkpoints there are.
 *
 * 1. A hint is good and has a version, or is ignored and says why in one line.
 * 2. The canonical form belongs to the content: written anew, with other blanks and escapes, it is the same.
 * 3. A hint to which the checksum of its own canonical form is added is verified; with another one it is ignored.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/door.h"
#include "base/md5.h"
#include "delta/hint.h"
#include "json/json_writer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "property does not hold: %s\n", #condition);                                               \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

enum { MAX_CANONICAL = 1 << 20, MD5_DIGITS = 32, MAX_DEPTH = 60 /* what the writer can do */ };

typedef struct input {
    const uint8_t *data;
    size_t size;
    arena memory;
} input;

static str padded(arena *out, str text) {
    char *copy = arena_alloc(out, text.len + JSON_PADDING);
    if (text.len) memcpy(copy, text.ptr, text.len);
    return (str){copy, text.len};
}

static void check_hint(const story_hint *h) {
    MUST(h->state != HINT_ABSENT);
    if (h->state == HINT_GOOD)
        MUST(h->has_version && h->checksum != CHECKSUM_WRONG && str_is_none(h->why));
    else
        MUST(h->why.len > 0 && !memchr(h->why.ptr, '\n', h->why.len));
}

/* ---- writing anew ---- */

static void put_scalar(json_writer *w, json_token t, arena *scratch) {
    switch ((int)t.kind) {
    case JSON_STRING: json_put_string(w, json_unescape(scratch, t)); return;
    case JSON_NUMBER: json_put_raw(w, t.text); return;
    case JSON_NULL: json_put_null(w); return;
    default: json_put_bool(w, t.kind == JSON_TRUE); return;
    }
}

static bool is_deep(str text) {
    size_t opened = 0; /* an upper bound will do */
    for (size_t i = 0; i < text.len; i++) opened += text.ptr[i] == '{' || text.ptr[i] == '[';
    return opened > MAX_DEPTH;
}

/* Token by token; the text is known to be JSON. */
static str write_anew(arena *out, json_reader *json, str text) {
    buf again;
    json_writer w;
    lp_err unused;
    buf_init(&again, out, SIZE_MAX / 2);
    json_writer_init(&w, &again, 2);
    MUST(json_start(json, text, &unused) == LP_OK);
    for (json_token t; (t = json_next(json)).kind != JSON_END;) {
        switch ((int)t.kind) {
        case JSON_OBJECT_BEGIN: json_begin_object(&w); break;
        case JSON_OBJECT_END: json_end_object(&w); break;
        case JSON_ARRAY_BEGIN: json_begin_array(&w); break;
        case JSON_ARRAY_END: json_end_array(&w); break;
        case JSON_KEY: json_put_key(&w, json_unescape(out, t)); break;
        default: put_scalar(&w, t, out); break;
        }
    }
    return padded(out, buf_str(&again));
}

/* ---- adding a checksum ---- */

static bool has_top_key(json_reader *json, str text, str wanted, arena *scratch) {
    lp_err unused;
    MUST(json_start(json, text, &unused) == LP_OK && json_next(json).kind == JSON_OBJECT_BEGIN);
    for (json_token t; (t = json_next(json)).kind == JSON_KEY;) {
        if (str_eq(json_unescape(scratch, t), wanted)) return true;
        MUST(json_skip(json));
    }
    return false;
}

/* {"checksum":"...", and the members of the object. */
static str with_checksum(arena *out, str object, const char *digits) {
    size_t brace = 0;
    MUST(str_find_char(object, '{', &brace));
    str members = str_slice(object, brace + 1, object.len);
    size_t blanks = 0;
    while (blanks < members.len && strchr(" \t\r\n", members.ptr[blanks])) blanks++;
    bool is_empty = members.ptr[blanks] == '}';
    return padded(out,
                  str_format(out, "{\"checksum\":\"%s\"%s" STR_FMT, digits, is_empty ? "" : ",", STR_ARG(members)));
}

static void check_checksum(arena *memory, str text, str canonical, bool has_version) {
    md5 sum;
    char digits[MD5_DIGITS + 1];
    md5_init(&sum);
    md5_put(&sum, canonical);
    md5_finish(&sum, digits);
    story_hint right = hint_parse(memory, with_checksum(memory, text, digits));
    MUST((right.state == HINT_GOOD) == has_version &&
         right.checksum == (has_version ? CHECKSUM_VERIFIED : CHECKSUM_ABSENT));
    digits[5] = digits[5] == '0' ? '1' : '0';
    story_hint wrong = hint_parse(memory, with_checksum(memory, text, digits));
    MUST(wrong.state == HINT_IGNORED && (!has_version || wrong.checksum == CHECKSUM_WRONG));
}

static lp_status run(void *context, lp_err *err) {
    (void)err;
    input *in = context;
    str text = padded(&in->memory, (str){(const char *)in->data, in->size});
    story_hint hint = hint_parse(&in->memory, text);
    check_hint(&hint);
    json_reader *json = json_reader_new(&in->memory);
    const char *why = NULL;
    str canonical = hint_canonical(&in->memory, json, text, MAX_CANONICAL, &why);
    if (str_is_none(canonical)) {
        MUST(why != NULL);
        return LP_OK;
    }
    if (is_deep(text)) return LP_OK;
    str again = hint_canonical(&in->memory, json, write_anew(&in->memory, json, text), MAX_CANONICAL, &why);
    MUST(!str_is_none(again) && str_eq(again, canonical));
    if (!has_top_key(json, text, STR("checksum"), &in->memory))
        check_checksum(&in->memory, text, canonical, hint.has_version);
    return LP_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {.data = data, .size = size};
    arena_init(&in.memory, (size_t)512 << 20);
    lp_err err;
    (void)door_run(run, &in, &err); /* a spent budget is no defect */
    arena_end(&in.memory);
    return 0;
}
