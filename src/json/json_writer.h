/* json_writer.h - JSON text out, pretty or on one line, always well-formed.
 * Called by: report.  Must not know: what is written.
 */
#ifndef JSON_JSON_WRITER_H
#define JSON_JSON_WRITER_H

#include "base/buf.h"

typedef struct json_writer {
    buf *out;
    unsigned indent;   /* spaces a level; 0 writes on one line, with no blanks at all */
    unsigned depth;
    uint64_t has_item; /* bit d: something was written at depth d. Depth is limited to 63 */
    bool after_key;
} json_writer;

void json_writer_init(json_writer *w, buf *out, unsigned indent);
void json_begin_object(json_writer *w);
void json_end_object(json_writer *w);   /* `{}` when nothing was written */
void json_begin_array(json_writer *w);
void json_end_array(json_writer *w);    /* `[]` when nothing was written */
void json_put_key(json_writer *w, str key);
/* Bytes that are not UTF-8 become U+FFFD; control characters, quote and backslash are escaped (\b \t \n \f \r, else
 * \u00xx in lower case), `/` and non-ASCII are not. */
void json_put_string(json_writer *w, str s);
void json_put_string_or_null(json_writer *w, str s); /* STR_NONE is null */
void json_put_int(json_writer *w, int64_t v);
void json_put_uint(json_writer *w, uint64_t v);
/* The shortest decimal text that reads back as the same double, with `.0` where it would look like an integer, exponent
 * form as Rust's serde_json prints it (1e16, 1.5e-7); NaN and infinities are null. */
void json_put_double(json_writer *w, double v);
void json_put_bool(json_writer *w, bool v);
void json_put_null(json_writer *w);
/* Text that is JSON already, as one value. */
void json_put_raw(json_writer *w, str json);

#endif
