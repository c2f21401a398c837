/* literal.h - a literal: the raw token, and after typing every value that an engine may read it as.
 * Called by: this room, prune (evaluation).  Must not know: which column it is compared with, beyond its type.
 */
#ifndef PREDICATE_LITERAL_H
#define PREDICATE_LITERAL_H

#include "base/err.h"
#include "base/span.h"
#include "types/number.h"

typedef enum literal_kind {
    LITERAL_NUMBER,  /* raw: sign and digits, without suffix */
    LITERAL_STRING,  /* raw: between the quotes, backslashes untouched */
    LITERAL_BOOLEAN, /* raw: true or false */
    LITERAL_NULL,
    LITERAL_DATE, /* raw: the text in DATE '...' */
    LITERAL_TIMESTAMP,
    LITERAL_TIMESTAMP_NTZ,
    LITERAL_BINARY /* raw: hex digits of X'...' */
} literal_kind;

/* In which terms a column value and a literal are compared. Engines differ for numbers of different types and for
 * char(n), so one literal may have several readings; each engine uses one of them. */
typedef enum reading_domain {
    READING_EXACT,       /* by mathematical value, or the natural order of the type */
    READING_DOUBLE,      /* both as double */
    READING_FLOAT,       /* both as float */
    READING_PADDED,      /* char(n): both blank-padded to n characters, or the column's values only */
    READING_DATE_AS_WALL /* a date column as the wall clock of its midnight, in microseconds */
} reading_domain;

typedef struct reading {
    reading_domain domain;
    bool is_number;   /* number holds a value that fits no `value`; compare with number_compare */
    bool never_equal; /* no value of the column's type equals it: 40.5 for an integer */
    int32_t width;    /* READING_PADDED: column values are padded to this many characters, as the literal may be */
    value v;
    number number;
} reading;

typedef struct literal {
    literal_kind kind;
    str raw;
    char suffix;        /* numbers: 0, or L S Y D F B (for BD), upper case */
    bool has_backslash; /* strings: the raw text holds one */
    char doubled; /* strings: the quote that was written twice somewhere, which Spark before 4.0 drops; 0 for none */
    bool is_raw;  /* strings: r'...', backslashes are plain characters in every engine */
    span at;
    /* After typing; NULL before. A NULL literal has none. */
    const reading *reading;
    size_t reading_count;
    int8_t beyond_long;   /* numbers beside an integer column: 1 above every BIGINT, -1 below, 0 neither. Spark then
                             decides <, <=, > and >= without looking at the row, which may be NULL */
    bool zone_assumed;    /* the session zone decided what the text means */
    bool may_be_null;     /* texts beside another type: an engine that casts them to it may get NULL */
    bool may_differ;      /* items of IN: an engine may compare texts here, so that a value that is equal under every
                             reading need not be */
} literal;

/* `s` with blanks behind it, up to `width` characters. */
str literal_pad(arena *out, str s, int32_t width);

/* -1, 0, 1: a column value, already brought into the reading's domain, against the reading. */
int reading_compare(const value *column_value, const reading *r);

/* A column value in the terms of a reading: see reading_domain. */
value reading_convert(const reading *r, const value *column_value, arena *scratch);

bool literal_equal(const literal *a, const literal *b); /* same token, so the same readings */
void literal_print(buf *out, const literal *l);
void literal_dump(buf *out, const literal *l); /* Str("..."), Number("5"), ... */

/* "text" with backslashes before quotes and backslashes: how every dump writes one. */
void dump_quoted(buf *out, str text);

/* The distinct texts that engines may read a string literal as, the content as written first: backslashes resolved or
 * plain, a doubled quote as one quote or as none. At most LITERAL_MAX_TEXTS. */
enum { LITERAL_MAX_TEXTS = 4 };
size_t literal_texts(arena *query, const literal *l, str text[LITERAL_MAX_TEXTS]);

/* The text without the quotes that were doubled: '...''...' is two texts side by side in Spark before 4.0. A quote
 * behind a backslash was not doubled and stays. */
str literal_join(arena *query, str raw, char quote);

/* The content of a string literal with Spark's backslash escapes resolved: \n \t \r \b \0 \Z \' \" \\ \uXXXX \UXXXXXXXX
 * \ooo; \% and \_ keep their backslash (they belong to LIKE); any other escaped character stands for itself. */
str literal_unescape(arena *query, str raw);

#endif
