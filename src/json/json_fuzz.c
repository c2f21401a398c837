/* json_fuzz.c - properties of the JSON reader and writer on any bytes.
 * Called by: libFuzzer, or the replay driver.  Must not know: what the documents mean.
 *
 * 1. What the bytes behind the text are changes nothing.
 * 2. Skipping any values neither accepts nor refuses more than walking them.
 * 3. An error stays, lies inside the text (or at its end), and has words.
 * 4. What is accepted whole and written again is accepted with the same tokens.
 * 5. Going from wanted member to wanted member gives what pulling, looking each key up and skipping gives.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/door.h"
#include "json/json.h"
#include "json/json_writer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "property does not hold: %s\n", #condition);                                               \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

enum { WRITER_DEPTH = 63 };

typedef struct token_list {
    json_token *item; /* texts are resolved */
    size_t count, capacity;
    size_t depth, max_depth;
    bool accepted;
    size_t error_at;
} token_list;

static void add_token(arena *a, token_list *l, json_token t) {
    if (l->count == l->capacity) {
        size_t capacity = l->capacity ? l->capacity * 2 : 64;
        json_token *grown = ARENA_ARRAY(a, json_token, capacity);
        if (l->count) memcpy(grown, l->item, l->count * sizeof *grown);
        l->item = grown;
        l->capacity = capacity;
    }
    if (t.kind == JSON_OBJECT_BEGIN || t.kind == JSON_ARRAY_BEGIN) l->depth++;
    if (t.kind == JSON_OBJECT_END || t.kind == JSON_ARRAY_END) l->depth--;
    if (l->depth > l->max_depth) l->max_depth = l->depth;
    if (t.kind == JSON_KEY || t.kind == JSON_STRING) t.text = json_unescape(a, t);
    l->item[l->count++] = t;
}

static void check_error(json_reader *r, str text, token_list *l) {
    str message;
    json_error(r, &l->error_at, &message);
    MUST(l->error_at <= text.len && message.len > 0 && str_is_utf8(message));
    MUST(json_next(r).kind == JSON_ERROR && !json_skip(r));
}

static token_list read_all(arena *a, json_reader *r, str text) {
    token_list l = {0};
    lp_err err;
    if (json_start(r, text, &err) != LP_OK) {
        MUST(err.code == LP_ERR_FORMAT && err.text[0]);
        check_error(r, text, &l);
        return l;
    }
    for (;;) {
        json_token t = json_next(r);
        if (t.kind == JSON_ERROR) {
            check_error(r, text, &l);
            return l;
        }
        MUST(json_offset(r) <= text.len);
        if (t.kind == JSON_END) break;
        add_token(a, &l, t);
    }
    l.accepted = true;
    MUST(l.depth == 0 && json_next(r).kind == JSON_END);
    return l;
}

static void must_be_same(const token_list *x, const token_list *y) {
    MUST(x->accepted == y->accepted && x->count == y->count && x->error_at == y->error_at);
    for (size_t i = 0; i < x->count; i++)
        MUST(x->item[i].kind == y->item[i].kind && str_eq(x->item[i].text, y->item[i].text));
}

/* Walk, and pass over what the bits of `choice` pick. */
static bool accepts_with_skips(json_reader *r, str text, uint64_t choice) {
    lp_err err;
    if (json_start(r, text, &err) != LP_OK) return false;
    for (unsigned turn = 0;; turn++) {
        json_token t = json_next(r);
        if (t.kind == JSON_ERROR) return false;
        if (t.kind == JSON_END) return true;
        if (choice >> turn % 64 & 1 && !json_skip(r)) return false;
    }
}

/* ---- wanted members ---- */

static bool find_name(arena *a, const str *name, size_t count, json_token key, size_t *which) {
    str text = json_unescape(a, key);
    for (*which = 0; *which < count; ++*which)
        if (str_eq(name[*which], text)) return true;
    return false;
}

/* json_next_wanted in other words. */
static json_kind pull_wanted(arena *a, json_reader *r, const str *name, size_t count, size_t *which) {
    for (;;) {
        json_token t = json_next(r);
        if (t.kind != JSON_KEY || find_name(a, name, count, t, which)) return t.kind;
        if (!json_skip(r)) return JSON_ERROR;
    }
}

/* Every wanted member of every object that is reached through wanted members and arrays. A key's text is its name. */
static token_list read_wanted(arena *a, json_reader *r, str text, const str *name, size_t count, bool pull) {
    token_list l = {0};
    lp_err err;
    const json_names *names = json_names_new(a, name, count);
    bool in_object[JSON_MAX_DEPTH + 1] = {false};
    if (json_start(r, text, &err) != LP_OK) return l;
    for (json_kind last = JSON_END;;) {
        json_token t = {.kind = JSON_ERROR};
        if (in_object[l.depth] && last != JSON_KEY) {
            size_t which = SIZE_MAX;
            t.kind = pull ? pull_wanted(a, r, name, count, &which) : json_next_wanted(r, names, a, &which);
            if (t.kind == JSON_KEY) t.text = name[which];
            MUST(t.kind == JSON_KEY || t.kind == JSON_OBJECT_END || t.kind == JSON_ERROR);
        } else {
            t = json_next(r);
        }
        if (t.kind == JSON_ERROR) {
            check_error(r, text, &l);
            return l;
        }
        if (t.kind == JSON_END) break;
        MUST(json_offset(r) <= text.len);
        add_token(a, &l, t);
        in_object[l.depth] = t.kind == JSON_OBJECT_BEGIN || (in_object[l.depth] && t.kind != JSON_ARRAY_BEGIN);
        last = t.kind;
    }
    l.accepted = true;
    return l;
}

/* Some of the keys that were seen, each once. */
static size_t choose_names(arena *a, const token_list *l, uint64_t choice, str **name) {
    enum { MAX_NAMES = 100 };
    *name = ARENA_ARRAY(a, str, MAX_NAMES);
    size_t count = 0;
    for (size_t i = 0; i < l->count && count < MAX_NAMES; i++) {
        bool is_new = l->item[i].kind == JSON_KEY && choice >> i % 64 & 1;
        for (size_t k = 0; k < count && is_new; k++) is_new = !str_eq((*name)[k], l->item[i].text);
        if (is_new) (*name)[count++] = l->item[i].text;
    }
    return count;
}

static void check_wanted(arena *a, json_reader *r, str text, const token_list *all, uint64_t choice) {
    str *name;
    size_t count = choose_names(a, all, choice, &name);
    token_list pulled = read_wanted(a, r, text, name, count, true);
    token_list found = read_wanted(a, r, text, name, count, false);
    must_be_same(&pulled, &found);
    MUST(found.accepted == all->accepted);
}

static void put_token(json_writer *w, json_token t) {
    switch (t.kind) {
    case JSON_OBJECT_BEGIN: json_begin_object(w); break;
    case JSON_OBJECT_END: json_end_object(w); break;
    case JSON_ARRAY_BEGIN: json_begin_array(w); break;
    case JSON_ARRAY_END: json_end_array(w); break;
    case JSON_KEY: json_put_key(w, t.text); break;
    case JSON_STRING: json_put_string(w, t.text); break;
    case JSON_NUMBER: json_put_raw(w, t.text); break;
    case JSON_TRUE: json_put_bool(w, true); break;
    case JSON_FALSE: json_put_bool(w, false); break;
    case JSON_NULL: json_put_null(w); break;
    case JSON_ERROR:
    case JSON_END: abort(); /* never in a list */
    }
}

static void check_written(arena *a, json_reader *r, const token_list *l, unsigned indent) {
    buf out;
    json_writer w;
    buf_init(&out, a, (size_t)1 << 30);
    json_writer_init(&w, &out, indent);
    for (size_t i = 0; i < l->count; i++) put_token(&w, l->item[i]);
    size_t len = out.len;
    memset(buf_reserve(&out, JSON_PADDING), '"', JSON_PADDING);
    token_list again = read_all(a, r, (str){out.ptr, len});
    must_be_same(l, &again);
}

static void check_number(arena *a, str number) {
    int64_t value;
    if (!json_number_to_int64(number, &value)) return;
    MUST(str_eq(str_format(a, "%lld", (long long)value), number) || str_eq(number, STR("-0")));
}

static str padded_copy(arena *a, const uint8_t *data, size_t size, int padding) {
    char *copy = arena_alloc(a, size + JSON_PADDING);
    if (size) memcpy(copy, data, size);
    memset(copy + size, padding, JSON_PADDING);
    return (str){copy, size};
}

typedef struct input {
    const uint8_t *data;
    size_t size;
    arena *memory;
} input;

static lp_status check_input(void *context, lp_err *err) {
    (void)err;
    const input *in = context;
    arena *a = in->memory;
    json_reader *r = json_reader_new(a);
    static const char padding[] = {'1', '"', ',', '}', ']', '\\', ' ', 'e'};
    str text = padded_copy(a, in->data, in->size, 0);
    token_list l = read_all(a, r, text);
    token_list other = read_all(a, r, padded_copy(a, in->data, in->size, padding[in->size % sizeof padding]));
    must_be_same(&l, &other);
    uint64_t choice = str_hash(text);
    MUST(accepts_with_skips(r, text, choice) == l.accepted);
    MUST(accepts_with_skips(r, text, 1) == l.accepted);
    MUST(accepts_with_skips(r, text, choice & str_hash(str_slice(text, 1, text.len))) == l.accepted);
    check_wanted(a, r, text, &l, choice);
    check_wanted(a, r, text, &l, 0);
    check_wanted(a, r, text, &l, UINT64_MAX);
    for (size_t i = 0; i < l.count; i++)
        if (l.item[i].kind == JSON_NUMBER) check_number(a, l.item[i].text);
    if (!l.accepted || l.max_depth > WRITER_DEPTH) return LP_OK;
    check_written(a, r, &l, 0);
    check_written(a, r, &l, 2);
    return LP_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    arena memory;
    arena_init(&memory, 0);
    input in = {data, size, &memory};
    lp_err err;
    MUST(door_run(check_input, &in, &err) == LP_OK);
    arena_end(&memory);
    return 0;
}
