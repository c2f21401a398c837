/* schema_int.h - what the sources that read schemaString share.
 * Called by: delta/schema.c, schema_metadata.c.  Must not know: statistics, SQL.
 */
#ifndef DELTA_SCHEMA_INT_H
#define DELTA_SCHEMA_INT_H

#include "delta/schema.h"
#include "json/json.h"

typedef struct schema_parser {
    arena *table;
    json_reader *json;
    str schema_string; /* padded */
    mapping_mode mapping;
    bool generated_columns;
    size_t depth;
    bool in_collection; /* below an array or map: fields are checked, not kept, and need no physical name */
    str field;          /* name of the field under way, for messages */
    lp_err *err;
} schema_parser;

MUST_USE lp_status schema_expected(schema_parser *p, const char *what, json_token found);
MUST_USE lp_status schema_skip_value(schema_parser *p);
/* The value of the key just read: a string, copied. null and other kinds give STR_NONE. */
MUST_USE lp_status schema_take_string(schema_parser *p, str *out);

/* What a field's metadata says. */
typedef struct field_metadata {
    str physical;
    bool collated, was_float;
    column_details details; /* also where the protocol does not support them */
    bool has_details;
} field_metadata;

/* The value of the key `metadata`. */
MUST_USE lp_status schema_parse_metadata(schema_parser *p, field_metadata *out);

#endif
