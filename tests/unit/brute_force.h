/* brute_force.h - small random tables, predicates over them, and what each engine makes of every row.
 * Called by: tests/unit/test_brute_force.c and brute_force_*.c.  Must not know: how files are pruned.
 *
 * Nothing here shares code with the rooms types, predicate and prune: values are compared anew, from the rules of SQL and
 * of the engines, so that a mistake there is not repeated here.
 */
#ifndef TESTS_UNIT_BRUTE_FORCE_H
#define TESTS_UNIT_BRUTE_FORCE_H

#include "base/buf.h"

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

/* ---- chance */

typedef struct dice {
    uint64_t state;
} dice;

dice dice_new(uint64_t seed);
unsigned dice_below(dice *d, unsigned limit); /* 0 to limit - 1 */
bool dice_percent(dice *d, unsigned percent);
wide dice_between(dice *d, wide low, wide high);

/* ---- tables */

typedef enum brute_type {
    BRUTE_BYTE, BRUTE_SHORT, BRUTE_INTEGER, BRUTE_LONG, BRUTE_DECIMAL, BRUTE_FLOAT, BRUTE_DOUBLE, BRUTE_STRING, BRUTE_CHAR,
    BRUTE_BINARY, BRUTE_BOOLEAN, BRUTE_DATE, BRUTE_TIMESTAMP, BRUTE_NTZ, BRUTE_TYPE_COUNT
} brute_type;

typedef struct brute_value {
    bool is_null;
    wide whole;  /* integers, unscaled decimals, 0 or 1, days, microseconds */
    double real; /* floats and doubles */
    str text;    /* strings, char, binary */
    bool is_local; /* a TIMESTAMP that the log holds without a zone: each engine reads the clock anew */
} brute_value;

typedef struct brute_column {
    brute_type type;
    unsigned precision, scale, width; /* decimal; width: of char(n) */
    bool is_partition, is_nested;     /* nested: a field of the struct `s` */
    unsigned shared_whole;            /* while a leaf is evaluated: digits before the point that its type has at least; 0 for none */
    bool keeps_literal;               /* while a leaf is evaluated: a literal beside char(n) is not padded */
    str field, name;                  /* `c` and `s.c` */
} brute_column;

enum { BRUTE_MAX_COLUMNS = 5, BRUTE_MAX_ROWS = 5, BRUTE_MAX_FILES = 3 };

typedef struct brute_file {
    brute_value row[BRUTE_MAX_ROWS][BRUTE_MAX_COLUMNS];
    size_t row_count;                   /* rows that a reader sees */
    size_t stored_count;                /* and those that a deletion vector hides, behind them */
    bool has_dv;
    str partition[BRUTE_MAX_COLUMNS];   /* texts, STR_NONE for null */
    bool hides_nan[BRUTE_MAX_COLUMNS];  /* the recorded maximum is a number beside a NaN */
    str stats;                          /* JSON with padding behind it; STR_NONE for none */
} brute_file;

typedef struct brute_table {
    const char *zone; /* of the session; brute_zone_enter before anything is asked */
    brute_column column[BRUTE_MAX_COLUMNS];
    size_t column_count;
    str schema; /* JSON with padding */
    brute_file file[BRUTE_MAX_FILES];
    size_t file_count;
} brute_table;

void brute_table_make(dice *d, arena *a, brute_table *out);
void brute_table_print(buf *out, const brute_table *t, const brute_file *f, const bool *shown); /* of these columns */
bool brute_is_whole(brute_type t); /* integers and decimals */
bool brute_is_real(brute_type t);
int brute_order(brute_type t, const brute_value *a, const brute_value *b); /* NaN above all */

/* Clocks, by the C library. Times are microseconds; a wall clock reading is written as if it were UTC. */
void brute_zone_enter(const char *zone); /* the zone of all that follows; for the whole process */
int64_t brute_wall(int64_t instant);
/* A reading that comes twice is the second time if so wanted; one that never comes is read with the offset before the gap. */
int64_t brute_instant(int64_t wall, bool is_second);

/* Texts, without the code under test. */
str brute_whole_text(arena *a, wide whole, unsigned scale); /* 1.50 */
str brute_real_text(arena *a, double real, bool is_float);  /* shortest that reads back; NaN, Infinity */
str brute_date_text(arena *a, int64_t days);
str brute_time_text(arena *a, int64_t micros, unsigned digits, char separator); /* digits of the fraction, 0 for none */

/* ---- predicates */

typedef enum brute_literal_kind {
    BRUTE_NULL, BRUTE_NUMBER, BRUTE_TEXT, BRUTE_TRUTH, BRUTE_DAY, BRUTE_TIME, BRUTE_HEX
} brute_literal_kind;

typedef struct brute_literal {
    brute_literal_kind kind;
    str sql;                      /* as written */
    str text;                     /* of numbers without suffix; of texts between the quotes, doubled quotes as one */
    bool has_doubled;
    wide digits;                  /* numbers, also in text: digits / 10^scale */
    unsigned scale;
    bool has_point, has_exponent, is_special;
    char suffix;
    wide micros;                  /* dates and times, also in text: UTC with an offset, else the wall clock */
    bool has_offset;
    unsigned nanos;               /* beyond the microseconds: 0 to 999 */
    int64_t written_days;         /* the date in the text, whatever its offset */
    bool has_time;
    bool truth;                   /* booleans, also in text */
    bool is_canonical;            /* texts: as Spark writes the value */
} brute_literal;

typedef enum brute_op { BRUTE_EQ, BRUTE_NE, BRUTE_LT, BRUTE_LE, BRUTE_GT, BRUTE_GE } brute_op;

typedef enum brute_kind {
    BRUTE_P_COMPARE, BRUTE_P_IN, BRUTE_P_BETWEEN, BRUTE_P_IS_NULL, BRUTE_P_DISTINCT, BRUTE_P_LIKE, BRUTE_P_COLUMN, BRUTE_P_PAIR,
    BRUTE_P_TEST, BRUTE_P_AND, BRUTE_P_OR, BRUTE_P_NOT, BRUTE_P_CONSTANT, BRUTE_P_OPAQUE
} brute_kind;

enum { BRUTE_MAX_ITEMS = 40 };

typedef struct brute_function brute_function;

typedef struct brute_predicate {
    brute_kind kind;
    size_t column, other;           /* other: PAIR, a column compared with a column */
    const brute_function *function; /* what is asked is this function of the column; NULL for the column itself */
    int k;                          /* its number */
    brute_op op;
    bool negated, flipped, arrow; /* arrow: <=> instead of IS DISTINCT FROM */
    unsigned truth;               /* TEST: 0 TRUE, 1 FALSE, 2 UNKNOWN; CONSTANT: 0, 1, 2 NULL; OPAQUE: 0, 1 */
    brute_literal *item;
    size_t count;
    char escape;                  /* LIKE ... ESCAPE, 0 for none */
    const struct brute_predicate *left, *right;
} brute_predicate;

const brute_predicate *brute_predicate_make(dice *d, arena *a, const brute_table *t, unsigned depth);
void brute_predicate_print(buf *out, const brute_table *t, const brute_predicate *p);
const brute_predicate *brute_join(arena *a, brute_kind kind, const brute_predicate *left, const brute_predicate *right);
bool brute_mentions(const brute_predicate *p, size_t column);

/* The n-th predicate that is a bit smaller than this one, NULL beyond the last. */
const brute_predicate *brute_smaller(arena *a, const brute_predicate *p, unsigned n);

/* ---- truth */

typedef enum brute_truth { BRUTE_FALSE, BRUTE_TRUE, BRUTE_UNKNOWN, BRUTE_REFUSED } brute_truth; /* refused: the engine fails here */

/* How one engine reads what engines read differently. */
typedef struct brute_engine {
    const char *name;
    bool nan_on_top;          /* else comparisons with NaN are false, and <> true (IEEE) */
    bool points_are_doubles;  /* 1.5 is a DOUBLE (DataFusion); else a DECIMAL */
    bool exponents_exact;     /* 1e5 is a DECIMAL */
    bool divides;             /* a decimal becomes a double by division (DuckDB) */
    bool lists_share_type;    /* the items of IN and the column meet in one type (all but the exact one) */
    bool ranges_share_type;   /* so do the three of BETWEEN (DuckDB, DataFusion, Trino) */
    bool lists_as_text;       /* IN with a text in it compares texts (Spark without ANSI) */
    bool text_decimal_double; /* decimal against text: as doubles (Spark) */
    bool rounds_digits;       /* a type of more than 38 digits loses those behind the point (Spark) */
    bool text_cuts, text_rounds; /* text with a fraction for a whole column; neither: as it is */
    bool narrow_floats;       /* a float column meets numbers as floats */
    bool pads_char;
    bool escapes;             /* backslashes in text literals are escapes (Spark) */
    bool like_escape;         /* a backslash escapes in LIKE */
    bool drops_doubled;       /* 'it''s' is its (Spark before 4.0) */
    bool empty_is_null;       /* the partition text '' is NULL */
    bool cuts_dates;          /* a text with a time of day loses it beside a date */
    bool times_are_instants;  /* a TIMESTAMP literal without an offset, so that a date beside it is midnight in the zone (Spark) */
    bool takes_second;        /* of a reading that comes twice when clocks are set back (DuckDB) */
    bool keeps_nanos;         /* a literal beyond microseconds is compared as written (Trino) */
    bool wraps;               /* integers wrap around */
    bool decides_beyond_long; /* an integer, NULL too, is below a decimal literal above every BIGINT (Spark) */
} brute_engine;

extern const brute_engine brute_engines[];
extern const size_t brute_engine_count;

/* False where the engine refuses the predicate. */
bool brute_can_read(const brute_engine *e, const brute_predicate *p);

brute_truth brute_evaluate(const brute_engine *e, const brute_table *t, const brute_value *row, const brute_predicate *p,
                           arena *scratch);

/* ---- functions: brute_force_function.c tells how to add one */

/* One that takes the type; NULL if none was found. */
const brute_function *brute_function_choose(dice *d, brute_type t);

/* Its value for one value of the column, and the column that it stands for: its type, scale and width in *as. False where
 * the engine fails. */
bool brute_function_call(const brute_function *f, const brute_engine *e, const brute_column *column, int k, const brute_value *in,
                         arena *scratch, brute_column *as, brute_value *out);

str brute_function_text(arena *a, const brute_function *f, str column, int k); /* as SQL */

#endif
