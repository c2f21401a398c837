/* door.c - the one setjmp of the project.
 * Called by: the API and the pool.  Must not know: what runs inside.
 */
#include "base/door.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct door {
    jmp_buf back;
    lp_err why;
    struct door *outer;
} door;

static _Thread_local door *innermost;

lp_status door_run(door_body body, void *context, lp_err *err) {
    door here;
    here.outer = innermost;
    if (setjmp(here.back) != 0) {
        door *left = innermost; /* re-read: `here` is the same object, but locals changed since setjmp are not */
        innermost = left->outer;
        return err_set(err, left->why.code, "%s", left->why.text);
    }
    innermost = &here;
    lp_status status = body(context, err);
    innermost = here.outer;
    return status;
}

void door_leave(const char *format, ...) {
    if (!innermost) {
        fputs("lakeproof: memory asked for outside of a door\n", stderr);
        abort();
    }
    va_list args;
    va_start(args, format);
    vsnprintf(innermost->why.text, sizeof innermost->why.text, format, args);
    va_end(args);
    innermost->why.code = LP_ERR_LIMIT;
    longjmp(innermost->back, 1);
}
