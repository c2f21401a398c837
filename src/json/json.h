/* json.h - a pull reader over JSON text: one token a call, everything validated, numbers as written.
 * Called by: delta, dbt.  Must not know: what the documents mean.
 * Source: RFC 8259. Duplicate keys are handed out in order; the caller lets the last one win.
 *
 * The text is indexed and checked as UTF-8 in one go (simdjson, stage 1); the grammar is checked as tokens are pulled,
 * also inside what json_skip passes over. A document has been validated whole when JSON_END was returned. A byte order
 * mark is no JSON.
 */
#ifndef JSON_JSON_H
#define JSON_JSON_H

#include "base/arena.h"
#include "base/err.h"

/* Readable bytes (of any value) that must follow every text given to a reader. */
#define JSON_PADDING 64
/* Nesting beyond this is an error. */
#define JSON_MAX_DEPTH 512

typedef enum json_kind {
    JSON_ERROR,        /* the text is not JSON; json_error says why. Every later call returns it again */
    JSON_END,          /* after the one top-level value */
    JSON_OBJECT_BEGIN,
    JSON_OBJECT_END,
    JSON_ARRAY_BEGIN,
    JSON_ARRAY_END,
    JSON_KEY,          /* its value follows */
    JSON_STRING,
    JSON_NUMBER,       /* text is the number as written, checked against the grammar */
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL
} json_kind;

typedef struct json_token {
    json_kind kind;
    str text;      /* JSON_KEY, JSON_STRING: between the quotes, escapes as written. JSON_NUMBER: the number. Borrowed
                      from the text given to json_start. Others: STR_NONE */
    bool escaped;  /* the string holds a backslash: use json_unescape to read it */
} json_token;

typedef struct json_reader json_reader;

/* A reader for one text after the other; ended by `owner`. Not thread-safe. Its index lies outside of the arena and
 * takes 4 bytes per byte of the longest text seen, of which only what tokens need is touched. */
json_reader *json_reader_new(arena *owner);

/* Start on a text. Its JSON_PADDING following bytes must be readable. It must stay until the last token was used.
 * LP_ERR_FORMAT if it is not UTF-8, is empty, ends inside a string or holds a control character in one; LP_ERR_LIMIT
 * above 4 GiB or without memory for the index. json_error tells the place too, for a message with a file's name. */
MUST_USE lp_status json_start(json_reader *r, str text, lp_err *err);

json_token json_next(json_reader *r);

/* Pass over the rest of the container whose BEGIN token was the last one returned (to its END, inclusive), or over
 * the value that belongs to the KEY just returned; after any other token there is nothing to pass over. False on an
 * error in it. */
bool json_skip(json_reader *r);

/* Names of members to look for in an object. Lives in `owner` and borrows the names' bytes; different names only. Read-only
 * afterwards, so threads may share it. */
typedef struct json_names json_names;
json_names *json_names_new(arena *owner, const str *name, size_t count);

/* Go on to the next wanted member of the object under way: JSON_KEY, *which is its name's place in the set, and its value
 * follows. Members with other names are passed over, validated all the same. It is what this loop gives, faster:
 *   while ((t = json_next(r)).kind == JSON_KEY && json_unescape(scratch, t) is not in `names`) json_skip(r);
 * so it ends with JSON_OBJECT_END or JSON_ERROR, and is to be called after an OBJECT_BEGIN or when the value of a key
 * was taken. A name that stands twice is handed out twice. A key with escapes is read in `scratch`. */
json_kind json_next_wanted(json_reader *r, const json_names *names, arena *scratch, size_t *which);

/* Why JSON_ERROR came (or json_start failed): "expected ',' or '}' in an object, found 'x'", and the byte offset of
 * what was found; for a string that is not closed, of its opening quote. The message lives in the reader. */
void json_error(const json_reader *r, size_t *offset, str *message);

/* Byte offset of the last token in the text. */
size_t json_offset(const json_reader *r);

/* The text of a JSON_STRING or JSON_KEY with escapes resolved. Copies only if `t.escaped`; the copy is in `out` and has
 * JSON_PADDING readable bytes behind it (it may be JSON itself). A lone surrogate becomes U+FFFD. (Invalid escapes were
 * refused by json_next already.) */
str json_unescape(arena *out, json_token t);

/* Whole number tokens: false if the text has a fraction or an exponent, or does not fit. */
bool json_number_to_int64(str number, int64_t *out);

#endif
