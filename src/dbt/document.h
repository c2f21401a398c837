/* document.h - walk the outer levels of a long JSON text, which is read in pieces; inner values are handed out whole.
 * Called by: dbt/manifest.c, catalog_json.c, run_results.c.  Must not know: what the members mean.
 *
 * Only what is handed out is whole JSON to be checked by the json room. Of what is passed over the strings and the
 * nesting are looked at, nothing else: that is where half of a manifest goes by. Memory: one window, as long as the
 * longest value that is taken, at least 1 MiB.
 */
#ifndef DBT_DOCUMENT_H
#define DBT_DOCUMENT_H

#include "base/arena.h"
#include "base/err.h"

/* Where the bytes of a file come from. `read` gives exactly `size` bytes; context is its own. */
typedef struct dbt_bytes {
    lp_status (*read)(void *context, uint64_t offset, void *into, size_t size, lp_err *err);
    void *context;
    uint64_t size_bytes;
    size_t piece_bytes; /* read at once; 0: 1 MiB. Tests make it small */
    str name;           /* for messages */
} dbt_bytes;

/* The bytes of a text. */
dbt_bytes dbt_bytes_of_text(arena *owner, str text, str name);

typedef struct document document;

/* `bytes` must stay. The window lives in an arena of the document's own, which ends with `owner`. */
document *document_new(arena *owner, const dbt_bytes *bytes);

/* The text is an object: step into it. LP_ERR_FORMAT otherwise. */
MUST_USE lp_status document_begin(document *d, lp_err *err);

/* The next member of the object under way: its key as written, borrowed until the next call. *more is false at the end
 * of the object, which is left; behind the outermost one nothing may follow. */
MUST_USE lp_status document_next(document *d, str *key, bool *more, lp_err *err);

/* After document_next: the value is an object to step into, or *is_object is false and it was passed over (it is null).
 * Other kinds are LP_ERR_FORMAT, where `what` names the value. */
MUST_USE lp_status document_enter(document *d, const char *what, bool *is_object, lp_err *err);

/* The same with an array, whose items follow. */
MUST_USE lp_status document_enter_array(document *d, const char *what, bool *is_array, lp_err *err);

/* Go on to the next item of the array under way. *more is false at its end, which is left. */
MUST_USE lp_status document_next_item(document *d, bool *more, lp_err *err);

/* After document_next or document_next_item: pass over the value. */
MUST_USE lp_status document_skip(document *d, lp_err *err);

/* After document_next or document_next_item: the whole value, with JSON_PADDING readable bytes behind it, borrowed
 * until the next call, and where it starts in the file. Above 1 GiB it is LP_ERR_LIMIT. */
MUST_USE lp_status document_take(document *d, str *value, uint64_t *offset, lp_err *err);

/* "expected WHAT in FILE at byte N, found 'c'": a fault at a byte of the value handed out last. */
lp_status document_fault(const document *d, uint64_t offset, const char *message, lp_err *err);

#endif
