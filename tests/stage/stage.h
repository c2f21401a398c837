/* stage.h - one step of the program as text in, text out, for golden tests.
 * Called by: tests/run_golden.py through stage.c.  Must not know: the format of golden files.
 *
 * To add a stage: a row in stage.def, and `lp_status stage_<name>(stage_call *call, lp_err *err)` in the file of its
 * room.
 */
#ifndef STAGE_STAGE_H
#define STAGE_STAGE_H

#include "base/buf.h"
#include "base/err.h"

typedef struct stage_setup {
    str name;
    str args; /* what stands behind the name on its line */
    str input;
    struct stage_setup *older;
} stage_setup;

typedef struct stage_call {
    str name;
    str args;    /* "key=value flag ..." behind the name */
    str input;   /* without the final newline */
    arena *work; /* for this case only */
    buf *out;    /* what is compared */
    buf *fired;  /* names of rules that fired, see stage_fired */
    const stage_setup *setup;
} stage_call;

/* An error becomes the output `error <kind>: <text>`. */
#define STAGE(name) lp_status stage_##name(stage_call *call, lp_err *err);
#define SETUP(name)
#include "stage.def"
#undef STAGE
#undef SETUP

/* The value of key=value, or `fallback`; `flag` alone has the value "". */
str stage_arg(const stage_call *call, const char *key, const char *fallback);
bool stage_flag(const stage_call *call, const char *key);

/* The text of the newest setup block of that name in this file, STR_NONE without one. */
str stage_setup_text(const stage_call *call, const char *name);

/* Tell that a rule fired, for fires=NAME and not-fires=NAME. */
void stage_fired(stage_call *call, str rule);

/* Write one line. */
void stage_line(stage_call *call, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
