/* read_file.h - a small file as text.
 * Called by: the sources of this room.  Must not know: what is in it.
 */
#ifndef API_READ_FILE_H
#define API_READ_FILE_H

#include "base/arena.h"
#include "base/err.h"

/* The whole file, with JSON_PADDING zero bytes behind it, in `owner`. LP_ERR_NOT_FOUND: there is none. LP_ERR_IO: the system says no.
 * LP_ERR_LIMIT: more than 64 MiB. Messages name the file. */
MUST_USE lp_status read_file(arena *owner, str path, str *out, lp_err *err);

#endif
