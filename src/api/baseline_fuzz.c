/* baseline_fuzz.c - any text as a baseline: it is read, or refused as no baseline.
 * Called by: libFuzzer, tests/fuzz/replay_main.c.  Must not know: how findings are proved.
 */
#include <stdlib.h>
#include <string.h>

#include "api/baseline.h"
#include "base/door.h"
#include "json/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct fuzz_text {
    arena *work;
    const uint8_t *data;
    size_t size;
} fuzz_text;

static lp_status read_one(void *context, lp_err *err) {
    const fuzz_text *f = context;
    baseline b;
    char *copy = arena_alloc(f->work, f->size + JSON_PADDING);
    if (f->size) memcpy(copy, f->data, f->size);
    TRY(baseline_read(f->work, (str){copy, f->size}, STR("base.json"), &b, err));
    if (baseline_count_unmet(&b) != b.known.count) abort();
    for (size_t i = 0; i < b.known.count; i++) {
        if (!baseline_meet(&b, b.known.entry[i].key)) abort();
    }
    if (baseline_count_unmet(&b) != 0) abort();
    return LP_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    arena work;
    lp_err err = {0};
    arena_init(&work, (size_t)256 << 20);
    fuzz_text f = {&work, data, size};
    lp_status status = door_run(read_one, &f, &err);
    if (status != LP_OK && status != LP_ERR_FORMAT && status != LP_ERR_LIMIT) abort();
    if (status == LP_ERR_FORMAT && !strstr(err.text, "base.json")) abort();
    arena_end(&work);
    return 0;
}
