/* door.h - the one way out when memory or another budget is spent.
 * Called by: every public function of the API and every worker of the pool.  Must not know: what runs inside.
 */
#ifndef BASE_DOOR_H
#define BASE_DOOR_H

#include "base/err.h"

typedef lp_status (*door_body)(void *context, lp_err *err);

/* Run `body` on this thread. Returns its status, or LP_ERR_LIMIT with a text if something inside called door_leave.
 * Doors nest; the innermost one of the thread catches. This holds the only setjmp of the project. */
lp_status door_run(door_body body, void *context, lp_err *err);

/* Leave the innermost door of this thread with LP_ERR_LIMIT. Aborts when there is none: a defect of ours. */
void door_leave(const char *format, ...) PRINTF_LIKE(1, 2) NORETURN;

#endif
