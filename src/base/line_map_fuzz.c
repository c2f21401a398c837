/* line_map_fuzz.c - any two texts: lines are matched in order, each once, and a place is found in the line it belongs to.
 * Called by: libFuzzer, tests/fuzz/replay_main.c.  Must not know: SQL, templates.
 */
#include <stdlib.h>
#include <string.h>

#include "base/door.h"
#include "base/line_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct two_texts {
    arena *work;
    str from, to;
} two_texts;

static void check_place(const line_map *m, uint32_t line) {
    str text = m->from[line - 1];
    for (uint32_t column = 1; column <= text.len + 2 && column < 40; column += 3) {
        text_place out;
        if (!line_map_find(m, (text_place){line, column, 2}, &out)) abort();
        if (out.line != m->match[line - 1] || out.column == 0) abort();
    }
}

static lp_status map_one(void *context, lp_err *err) {
    const two_texts *t = context;
    line_map m = line_map_new(t->work, t->from, t->to);
    uint32_t last = 0;
    (void)err;
    for (size_t i = 0; i < m.from_count; i++) {
        if (!m.match[i]) continue;
        if (m.match[i] <= last || m.match[i] > m.to_count) abort();
        last = m.match[i];
        check_place(&m, (uint32_t)i + 1);
    }
    return LP_OK;
}

/* The texts are parted by the first byte 0x01. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    arena work;
    lp_err err = {0};
    const uint8_t *at = size ? memchr(data, 1, size) : NULL;
    size_t cut = at ? (size_t)(at - data) : size;
    arena_init(&work, (size_t)256 << 20);
    two_texts t = {&work, {(const char *)data, cut}, {(const char *)data + cut, size - cut}};
    if (at) t.to = (str){(const char *)at + 1, size - cut - 1};
    if (str_is_utf8(t.from) && str_is_utf8(t.to)) (void)door_run(map_one, &t, &err);
    arena_end(&work);
    return 0;
}
