/* err.h - statuses and the one description of a failure.
 * Called by: every room.  Must not know: what failed.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include "lakeproof_err.h"

#define MUST_USE __attribute__((warn_unused_result))
#define PRINTF_LIKE(fmt_index, arg_index) __attribute__((format(printf, fmt_index, arg_index)))
#define NORETURN __attribute__((noreturn))

/* Describe a failure and return its status: `return err_set(err, LP_ERR_FORMAT, "expected ..., found ...")`.
 * Text that does not fit is cut at a character border; bytes that are not UTF-8 and control characters other than new
 * line and tab become '?'. Arguments may point into err->text, to put words around it. `err` may be NULL. */
lp_status err_set(lp_err *err, lp_status code, const char *format, ...) PRINTF_LIKE(3, 4);

/* What an errno means, in English whatever the locale. */
const char *err_os_text(int os_error);

/* Pass a failure up untouched. */
#define TRY(step)                           \
    do {                                    \
        lp_status try_status_ = (step);     \
        if (try_status_ != LP_OK) return try_status_; \
    } while (0)

/* A place that our own logic never reaches. */
#define UNREACHABLE() __builtin_unreachable()

#endif
