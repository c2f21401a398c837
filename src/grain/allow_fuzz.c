/* allow_fuzz.c - any text as SQL with comments: its allowances lie in the text, in its order, and good ones have a reason.
 * Called by: libFuzzer, tests/fuzz/replay_main.c.  Must not know: how findings are proved.
 */
#include <stdlib.h>

#include "base/door.h"
#include "grain/allow.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct fuzz_text {
    arena *work;
    str text;
    sql_dialect dialect;
} fuzz_text;

static void check(const fuzz_text *f, const allowance_list *list) {
    size_t end = 0;
    for (size_t i = 0; i < list->count; i++) {
        const allowance *a = &list->item[i];
        if (a->at.start < end || (size_t)a->at.start + a->at.len > f->text.len) abort();
        if (!str_eq_nocase(str_slice(span_text(f->text, a->at), 0, 9), STR("lakeproof"))) abort();
        if (a->fault == ALLOW_IS_GOOD && !a->reason.len) abort();
        if (a->line != span_place(f->text, a->at).line || (a->next_line && a->next_line < a->line)) abort();
        end = (size_t)a->at.start + a->at.len;
    }
}

static lp_status read_one(void *context, lp_err *err) {
    const fuzz_text *f = context;
    allowance_list list;
    lp_status status = allow_read(f->work, f->text, f->dialect, &list, err);
    if (status == LP_OK) check(f, &list);
    return status;
}

/* The first byte chooses the dialect. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    arena work;
    lp_err err = {0};
    if (size == 0) return 0;
    arena_init(&work, (size_t)256 << 20);
    fuzz_text f = {&work, {(const char *)data + 1, size - 1}, (sql_dialect)(data[0] % DIALECT_COUNT)};
    lp_status status = door_run(read_one, &f, &err);
    if (status != LP_OK && status != LP_ERR_QUERY && status != LP_ERR_LIMIT) abort();
    arena_end(&work);
    return 0;
}
