/* log_json_fuzz.c - properties of reading a commit, on any bytes.
 * Called by: libFuzzer, or the replay driver.  Must not know: predicates.
 *
 * 1. A line is an action or an error that names its place.
 * 2. A line that the pass for metadata leaves out (action_is_plainly_of_file) never holds anything that pass wants.
 * 3. Whatever stands in two commits, no key is live twice, and a remove hides the same key of the older commit.
 * 4. A schema text gives columns or an error; every leaf is found again by its own name, unless names collide.
 */
#include <stdlib.h>

#include "base/door.h"
#include "delta/action.h"
#include "delta/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "property does not hold: %s\n", #condition);                                               \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

enum { MAX_LIVE = 64, MAX_PARTS = 128 };

typedef struct input {
    const uint8_t *data;
    size_t size;
    arena memory;
} input;

typedef struct live_set {
    file_key key[MAX_LIVE];
    size_t count;
} live_set;

static bool is_same_key(file_key a, file_key b) {
    return str_eq(a.path, b.path) && str_is_none(a.dv_id) == str_is_none(b.dv_id) && str_eq(a.dv_id, b.dv_id);
}

static void check_live(live_set *s, file_key key) {
    for (size_t i = 0; i < s->count; i++) MUST(!is_same_key(s->key[i], key));
    if (s->count < MAX_LIVE) s->key[s->count++] = key;
}

static void check_file(arena *a, replay *r, live_set *s, const action *act) {
    const file_action *f = &act->file;
    MUST(f->key.path.len > 0 && f->has_dv == !str_is_none(f->key.dv_id) && f->size_bytes >= -1 &&
         f->dv_cardinality >= -1);
    file_key key = {str_copy(a, f->key.path), str_copy(a, f->key.dv_id)};
    if (act->kind == ACTION_ADD && replay_take_add(r, key)) check_live(s, key);
    if (act->kind == ACTION_REMOVE) replay_take_remove(r, key);
    MUST(replay_holds(r, key));
}

static void check_leaf(const schema *s, const column *leaf) {
    str part[MAX_PARTS];
    size_t depth = 0, at;
    for (const column *c = leaf; c; c = c->parent) depth++;
    MUST(depth < MAX_PARTS);
    at = depth;
    for (const column *c = leaf; c; c = c->parent) part[--at] = c->name;
    const column *found;
    column_lookup is = schema_find(s, part, depth, &found);
    MUST(is == COLUMN_AMBIGUOUS || (is == COLUMN_FOUND && found == leaf));
}

static void check_schema(arena *a, const metadata_action *m) {
    schema s;
    lp_err err;
    if (schema_parse(a, m->schema_string, m->partition_column, m->partition_column_count, MAPPING_NONE, true, &s,
                     &err) != LP_OK)
        return;
    for (size_t i = 0; i < s.leaf_count && i < 64; i++) check_leaf(&s, s.leaf[i]);
}

static bool is_about_state(action_kind k) {
    return k == ACTION_METADATA || k == ACTION_PROTOCOL || k == ACTION_DOMAIN_METADATA || k == ACTION_SIDECAR ||
           k == ACTION_CHECKPOINT_METADATA;
}

static void run_line(input *in, json_reader *json, str line, replay *r, live_set *s) {
    static const str partition[] = {{"p", 1}, {"date", 4}};
    const action_want *want = action_want_new(&in->memory, partition, 2);
    line_place at = {STR("commit"), 1};
    action a;
    lp_err err;
    lp_status status = action_parse(json, line, want, at, &in->memory, &a, &err);
    if (status != LP_OK) {
        MUST(status == LP_ERR_FORMAT && str_starts_with(str_from(err.text), STR("commit:1: ")));
        return;
    }
    MUST(!action_is_plainly_of_file(line) || !is_about_state(a.kind));
    if (a.kind == ACTION_ADD || a.kind == ACTION_REMOVE) check_file(&in->memory, r, s, &a);
    if (a.kind == ACTION_METADATA) check_schema(&in->memory, &a.metadata);
}

/* The text twice: as the newer commit, and as the older one, in which then nothing can be live. */
static lp_status run(void *context, lp_err *err) {
    (void)err;
    input *in = context;
    char *text = arena_alloc(&in->memory, in->size + JSON_PADDING);
    if (in->size) memcpy(text, in->data, in->size);
    json_reader *json = json_reader_new(&in->memory);
    replay *r = replay_new(&in->memory);
    live_set s = {0};
    for (int commit = 0; commit < 2; commit++) {
        size_t live_before = s.count, keys_before = replay_key_count(r);
        replay_begin_commit(r);
        for (str rest = {text, in->size}; rest.len > 0;) {
            size_t len = rest.len;
            (void)str_find_char(rest, '\n', &len);
            run_line(in, json, str_slice(rest, 0, len), r, &s);
            rest = str_slice(rest, len + 1, rest.len);
        }
        MUST(commit == 0 || (s.count == live_before && replay_key_count(r) == keys_before));
    }
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
