/* log_list_fuzz.c - properties of reading names of a log and choosing what makes a version, on any names.
 * Called by: libFuzzer, tests/fuzz/replay_main.c.  Must not know: the content of any file.
 *
 * The input is one name a line; a line that starts with `-` is an empty file of the name behind it.
 *
 * 1. A name that is one of the log's is written in one way only: what was read from it, printed, is the name.
 * 2. A list holds each name of its kinds once, ascending.
 * 3. What is chosen for a version is there: a complete checkpoint that is not newer, all its parts and no other, and
 *    the commits behind it without a gap.
 * 4. A version that commits alone make, or a complete checkpoint and the commits behind it, is never refused.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/door.h"
#include "delta/log_segment.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "property does not hold: %s\n", #condition);                                               \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

enum { MAX_NAMES = 64, MAX_PRINTED = 128, UUID_LENGTH = 36 };

typedef struct input {
    const uint8_t *data;
    size_t size;
    arena memory;
} input;

/* ---- names ---- */

/* The UUID cannot be read back from what the name says. */
static void print_uuid_name(const log_name *n, str name, char *out) {
    char start[64];
    int len = snprintf(start, sizeof start, "%020" PRId64 ".checkpoint.", n->version);
    MUST(name.len > (size_t)len + UUID_LENGTH);
    snprintf(out, MAX_PRINTED, "%s%.*s%s", start, UUID_LENGTH, name.ptr + len, n->is_json ? ".json" : ".parquet");
}

static void print_name(const log_name *n, str name, char *out) {
    switch (n->kind) {
    case LOG_COMMIT: snprintf(out, MAX_PRINTED, "%020" PRId64 ".json", n->version); return;
    case LOG_CHECKPOINT_CLASSIC: snprintf(out, MAX_PRINTED, "%020" PRId64 ".checkpoint.parquet", n->version); return;
    case LOG_CHECKPOINT_PART:
        snprintf(out, MAX_PRINTED, "%020" PRId64 ".checkpoint.%010" PRIu32 ".%010" PRIu32 ".parquet", n->version,
                 n->part, n->parts);
        return;
    case LOG_CHECKPOINT_UUID: print_uuid_name(n, name, out); return;
    case LOG_COMPACTION:
        snprintf(out, MAX_PRINTED, "%020" PRId64 ".%020" PRId64 ".compacted.json", n->version, n->last_version);
        return;
    case LOG_CHECKSUM: snprintf(out, MAX_PRINTED, "%020" PRId64 ".crc", n->version); return;
    case LOG_HINT: snprintf(out, MAX_PRINTED, "_last_checkpoint"); return;
    case LOG_OTHER: break;
    }
    snprintf(out, MAX_PRINTED, "%s", "");
}

static void check_name(str name) {
    log_name n = log_name_parse(name);
    if (n.kind == LOG_OTHER) return;
    char printed[MAX_PRINTED];
    print_name(&n, name, printed);
    MUST(str_eq(str_from(printed), name));
    MUST(n.version >= 0 && (n.kind != LOG_COMPACTION || n.last_version > n.version));
    MUST(n.kind != LOG_CHECKPOINT_PART || (n.part >= 1 && n.part <= n.parts));
}

/* A name can lie in a folder once, and is no longer than the system allows. */
static bool is_new(const store_entries *e, str name) {
    for (size_t i = 0; i < e->count; i++)
        if (str_eq(e->item[i].name, name)) return false;
    return name.len > 0 && name.len < 256;
}

static store_entries read_names(input *in) {
    store_entries e = {ARENA_ARRAY(&in->memory, store_entry, MAX_NAMES), 0};
    str text = str_copy(&in->memory, (str){(const char *)in->data, in->size});
    while (text.len > 0 && e.count < MAX_NAMES) {
        size_t len = text.len;
        (void)str_find_char(text, '\n', &len);
        bool is_empty = text.ptr[0] == '-';
        str name = str_slice(text, is_empty, len);
        check_name(name);
        if (is_new(&e, name)) e.item[e.count++] = (store_entry){.name = name, .size_bytes = !is_empty};
        text = str_slice(text, len + 1, text.len);
    }
    return e;
}

static void check_ascending(const log_entry *e, size_t count) {
    for (size_t i = 1; i < count; i++) {
        MUST(e[i - 1].is.version <= e[i].is.version);
        MUST(e[i - 1].is.version < e[i].is.version || str_compare(e[i - 1].name, e[i].name) < 0);
    }
}

/* ---- what makes a version ---- */

static void check_checkpoint(const log_checkpoint *c) {
    MUST(c->file_count >= 1);
    for (size_t i = 0; i < c->file_count; i++) {
        const log_name *n = &c->file[i].is;
        MUST(n->version == c->version && n->kind == c->kind && c->file[i].size_bytes > 0);
        if (c->kind == LOG_CHECKPOINT_PART) MUST(n->part == i + 1 && n->parts == c->file_count);
    }
    MUST(c->kind == LOG_CHECKPOINT_PART || c->file_count == 1);
}

/* from <= to. Each call goes up to a higher version through a file, so neither a long way nor a high version costs
 * anything that the names do not pay for; `tries` bounds what many overlapping compactions could cost. */
static bool can_go(const log_list *l, int64_t from, int64_t to, int *tries) {
    if (--*tries < 0) return false;
    if (log_list_commit(l, from) && (from == to || can_go(l, from + 1, to, tries))) return true;
    for (size_t i = 0; i < l->compaction_count; i++) {
        const log_entry *e = &l->compaction[i];
        if (e->size_bytes == 0 || e->is.version != from || e->is.last_version > to) continue;
        if (e->is.last_version == to || can_go(l, e->is.last_version + 1, to, tries)) return true;
    }
    return false;
}

static bool can_be_made(const log_plan *p, int64_t version) {
    int tries = 1 << 12;
    for (size_t i = 0; i < p->checkpoint_count; i++) {
        int64_t base = p->checkpoint[i].version;
        if (base == version || (base < version && can_go(p->list, base + 1, version, &tries))) return true;
    }
    return can_go(p->list, 0, version, &tries);
}

static void check_version(const log_plan *p, int64_t version) {
    int64_t target = -1;
    lp_err err = {0};
    lp_status status = log_plan_target(p, true, version, &target, &err);
    MUST(status == LP_OK || err.text[0] != '\0');
    if (can_be_made(p, version)) MUST(status == LP_OK && target == version);
}

static void check_way(const log_plan *p, int64_t target, const log_checkpoint *c) {
    log_segment s;
    lp_err err;
    if (log_segment_new(p, target, c, &s, &err) != LP_OK) return;
    MUST(s.version == target && s.checkpoint == c);
    int64_t reached = c ? c->version : -1;
    for (size_t i = 0; i < s.commit_count; i++) {
        const log_name *n = &s.commit[i].is;
        MUST(n->version == reached + 1 && (n->kind == LOG_COMMIT || n->kind == LOG_COMPACTION));
        reached = n->kind == LOG_COMMIT ? n->version : n->last_version;
    }
    MUST(reached == target);
}

static void check_plan(const log_plan *p) {
    for (size_t i = 0; i < p->checkpoint_count; i++) {
        check_checkpoint(&p->checkpoint[i]);
        MUST(i == 0 || p->checkpoint[i - 1].version >= p->checkpoint[i].version);
        check_version(p, p->checkpoint[i].version);
    }
    for (size_t i = 0; i < p->list->compaction_count; i++)
        if (p->list->compaction[i].size_bytes > 0) check_version(p, p->list->compaction[i].is.last_version);
    for (size_t i = 0; i < p->list->commit_count; i++) check_version(p, p->list->commit[i].is.version);
    int64_t latest;
    lp_err err = {0};
    if (log_plan_target(p, false, 0, &latest, &err) != LP_OK) {
        MUST(err.text[0] != '\0');
        return;
    }
    check_way(p, latest, NULL);
    for (size_t i = 0; i < p->checkpoint_count; i++)
        if (p->checkpoint[i].version <= latest) check_way(p, latest, &p->checkpoint[i]);
}

static lp_status run(void *context, lp_err *err) {
    (void)err;
    input *in = context;
    store_entries names = read_names(in);
    log_list list = log_list_new(&in->memory, &names);
    check_ascending(list.commit, list.commit_count);
    check_ascending(list.checkpoint, list.checkpoint_count);
    check_ascending(list.checksum, list.checksum_count);
    for (size_t i = 1; i < list.compaction_count; i++)
        MUST(list.compaction[i - 1].is.version <= list.compaction[i].is.version);
    log_plan plan = log_plan_new(&in->memory, &list);
    check_plan(&plan);
    return LP_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {.data = data, .size = size};
    arena_init(&in.memory, (size_t)64 << 20);
    lp_err err;
    (void)door_run(run, &in, &err);
    arena_end(&in.memory);
    return 0;
}
