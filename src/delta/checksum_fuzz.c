/* checksum_fuzz.c - properties of reading a version checksum and a commitInfo, on any bytes.
 * Called by: libFuzzer, or the replay driver.  Must not know: tables.
 *
 * 1. A checksum is read, or an error names its file; counts are never negative, and there is at least one of the two
 * that every checksum has.
 * 2. A checksum is what one JSON object says: blanks around it change nothing.
 * 3. A line is an action or an error. The metrics and parameters of a commitInfo are JSON objects by themselves.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/door.h"
#include "delta/checksum.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "property does not hold: %s\n", #condition);                                               \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

typedef struct input {
    const uint8_t *data;
    size_t size;
    arena memory;
} input;

/* The bytes with `before` blanks in front, and padding behind. */
static str padded(input *in, size_t before) {
    char *copy = arena_alloc(&in->memory, before + in->size + JSON_PADDING);
    memset(copy, ' ', before);
    if (in->size) memcpy(copy + before, in->data, in->size);
    return (str){copy, before + in->size};
}

static void check_count(checksum_count c) {
    MUST(!c.known || c.number >= 0);
}

static void check_content(const checksum_content *c) {
    MUST(c->table_size.known || c->file_count.known);
    check_count(c->table_size);
    check_count(c->file_count);
    check_count(c->metadata_count);
    check_count(c->protocol_count);
    check_count(c->deleted_records);
    check_count(c->deletion_vectors);
    MUST(c->has_transactions || c->transaction_count == 0);
    MUST(c->has_domains || c->domain_count == 0);
}

static void check_checksum(input *in) {
    checksum_content once, again;
    lp_err err = {0}, other = {0};
    lp_status status = checksum_parse(padded(in, 0), STR("0.crc"), &in->memory, &once, &err);
    MUST(status == checksum_parse(padded(in, 3), STR("0.crc"), &in->memory, &again, &other));
    if (status != LP_OK) {
        MUST(strncmp(err.text, "0.crc", 5) == 0);
        return;
    }
    check_content(&once);
    MUST(once.file_count.known == again.file_count.known && once.file_count.number == again.file_count.number);
    MUST(once.transaction_count == again.transaction_count && once.domain_count == again.domain_count);
}

static void check_object(input *in, str object) {
    if (str_is_none(object)) return;
    lp_err unused;
    json_reader *json = json_reader_new(&in->memory);
    MUST(object.len >= 2 && object.ptr[0] == '{' && object.ptr[object.len - 1] == '}');
    MUST(json_start(json, object, &unused) == LP_OK && json_next(json).kind == JSON_OBJECT_BEGIN);
    MUST(json_skip(json) && json_next(json).kind == JSON_END);
}

static void check_line(input *in) {
    lp_err err = {0};
    action a;
    line_place at = {STR("0.json"), 1};
    json_reader *json = json_reader_new(&in->memory);
    const action_want *want = action_want_new(&in->memory, NULL, 0);
    if (action_parse(json, padded(in, 0), want, at, &in->memory, &a, &err) != LP_OK) {
        MUST(strncmp(err.text, "0.json:1: ", 10) == 0);
        return;
    }
    if (a.kind != ACTION_COMMIT_INFO) return;
    check_object(in, a.commit_info.metrics);
    check_object(in, a.commit_info.parameters);
}

static lp_status body(void *context, lp_err *err) {
    (void)err;
    check_checksum(context);
    check_line(context);
    return LP_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {.data = data, .size = size};
    arena_init(&in.memory, (size_t)256 << 20);
    lp_err err;
    (void)door_run(body, &in, &err);
    arena_end(&in.memory);
    return 0;
}
