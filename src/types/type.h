/* type.h - Delta's data types, as far as a predicate can meet them.
 * Called by: delta (schema), predicate, prune.  Must not know: tables, SQL.
 * Source: PROTOCOL.md: Schema Serialization Format, Primitive Types.
 */
#ifndef TYPES_TYPE_H
#define TYPES_TYPE_H

#include "base/buf.h"

typedef enum type_kind {
    TYPE_BYTE,
    TYPE_SHORT,
    TYPE_INTEGER,
    TYPE_LONG,
    TYPE_FLOAT,
    TYPE_DOUBLE,
    TYPE_DECIMAL,
    TYPE_STRING,
    TYPE_BINARY,
    TYPE_BOOLEAN,
    TYPE_DATE,
    TYPE_TIMESTAMP,     /* an instant; microseconds since 1970-01-01T00:00Z */
    TYPE_TIMESTAMP_NTZ, /* a wall clock; microseconds since 1970-01-01T00:00 */
    TYPE_VOID,
    TYPE_INTERVAL,
    TYPE_VARIANT,
    TYPE_GEO,           /* geometry, geography */
    TYPE_STRUCT,
    TYPE_ARRAY,
    TYPE_MAP,
    TYPE_OTHER          /* a name we do not know: carried, never reasoned about */
} type_kind;

typedef struct data_type {
    type_kind kind;
    uint8_t precision, scale; /* TYPE_DECIMAL: 1..38, 0..precision */
    int32_t char_length;      /* TYPE_STRING that was declared char(n): n; varchar and plain string: 0 */
    bool collated;            /* TYPE_STRING with a collation other than UTF8_BINARY: byte order says nothing */
    bool was_float;           /* TYPE_DOUBLE whose delta.typeChanges say that it was a float: old texts are float texts */
    str name;                 /* as in the schema, for messages: "decimal(10,2)" */
} data_type;

/* A primitive type name (rules N3, N4, N17, N18): `decimal(10, 2)`, bare `decimal` = (10,0). Unknown names give
 * TYPE_OTHER. The name is borrowed. char_length, collated and was_float come from field metadata: the caller's to set. */
data_type type_parse(str name);

bool type_is_integer(type_kind k);  /* byte, short, integer, long */
bool type_is_number(type_kind k);   /* integers, float, double, decimal */
bool type_is_nested(type_kind k);   /* struct, array, map */
/* Does a whole number fit the column? True only for integer kinds. */
bool type_holds_integer(type_kind k, int64_t i);
/* Types whose min and max in a file's statistics can be reasoned with (rule P9, and boolean: trap T65). */
bool type_has_bounds(type_kind k);

#endif
