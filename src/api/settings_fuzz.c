/* settings_fuzz.c - any text as lakeproof.toml: it is read, or refused with the name of the file and a line.
 * Called by: libFuzzer, tests/fuzz/replay_main.c.  Must not know: what a setting does.
 */
#include <stdlib.h>
#include <string.h>

#include "api/settings.h"
#include "base/door.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct fuzz_text {
    arena *work;
    str text;
} fuzz_text;

static lp_status read_one(void *context, lp_err *err) {
    fuzz_text *f = context;
    settings s;
    return settings_read(f->work, f->text, STR("lakeproof.toml"), &s, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    arena work;
    lp_err err = {0};
    arena_init(&work, (size_t)64 << 20);
    fuzz_text f = {&work, {(const char *)data, size}};
    lp_status status = door_run(read_one, &f, &err);
    if (status != LP_OK && status != LP_ERR_USAGE && status != LP_ERR_LIMIT) abort();
    if (status == LP_ERR_USAGE && strncmp(err.text, "lakeproof.toml ", 15) != 0) abort();
    arena_end(&work);
    return 0;
}
