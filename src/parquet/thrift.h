/* thrift.h - a pull reader of the Thrift compact protocol, in which Parquet writes its footer and page headers.
 * Called by: footer.c, page.c.  Must not know: which structs it reads.
 * Source: thrift-compact-protocol.md.
 *
 * A fault is sticky: once something was wrong every call gives zero, none or false, so a parser may read a whole struct
 * and look at `fault` once at its end. Every container is checked against the bytes that are left (an element takes at
 * least one), so no loop runs longer than the input, and values nest at most THRIFT_MAX_DEPTH deep (a struct that is
 * skipped counts twice).
 */
#ifndef PARQUET_THRIFT_H
#define PARQUET_THRIFT_H

#include "base/str.h"

enum { THRIFT_MAX_DEPTH = 64 };

typedef enum thrift_type {
    THRIFT_STOP, THRIFT_TRUE, THRIFT_FALSE, THRIFT_BYTE, THRIFT_I16, THRIFT_I32, THRIFT_I64, THRIFT_DOUBLE,
    THRIFT_BINARY, THRIFT_LIST, THRIFT_SET, THRIFT_MAP, THRIFT_STRUCT, THRIFT_UUID
} thrift_type;

typedef enum thrift_fault {
    THRIFT_OK,
    THRIFT_SHORT, /* the bytes end inside a value: with more of them it may be right */
    THRIFT_BAD
} thrift_fault;

typedef struct thrift {
    const uint8_t *start, *at, *end;
    unsigned depth;
    thrift_fault fault;
    const char *expected; /* what the fault is about */
} thrift;

typedef struct thrift_field {
    int16_t id;
    thrift_type type;
} thrift_field;

void thrift_init(thrift *t, const void *bytes, size_t size);

/* Record a fault of the caller's own, for example a field that must be there. The first one stays. */
void thrift_fail(thrift *t, const char *expected);

/* A struct starts here: `for (thrift_field f = thrift_struct(t); thrift_next(t, &f);)` walks its fields. Each field
 * must be read or skipped. thrift_next is false at the end of the struct and after a fault. */
thrift_field thrift_struct(thrift *t);
bool thrift_next(thrift *t, thrift_field *field);

/* The value of a field or of a list element of this type; a value of another kind is a fault. */
int64_t thrift_i64(thrift *t, thrift_type type);
int32_t thrift_i32(thrift *t, thrift_type type);
bool thrift_bool(thrift *t, thrift_type type); /* of a field: the type is the value */
str thrift_binary(thrift *t, thrift_type type); /* borrowed from the input */
void thrift_expect(thrift *t, thrift_type found, thrift_type wanted);

/* The head of a list: its number of elements, 0 after a fault. */
uint32_t thrift_list(thrift *t, thrift_type type, thrift_type *element);

void thrift_skip(thrift *t, thrift_type type);

#endif
