/* cell.h - typed values from the texts and bits that a log holds: JSON statistics, partition values, Parquet leaves.
 * Called by: delta (stats.c, partition values).  Must not know: which file or action the cell came from.
 *
 * A cell that does not parse for the column's current type is CELL_UNREADABLE: the caller treats it as unknown and goes
 * on. "NULL in the data" and "not there" are never the same thing.
 */
#ifndef TYPES_CELL_H
#define TYPES_CELL_H

#include "types/calendar.h"
#include "types/value.h"

typedef enum cell_state {
    CELL_ABSENT,     /* nothing is known */
    CELL_NULL,       /* an explicit null */
    CELL_VALUE,
    CELL_UNREADABLE  /* something is there that is no value of this type */
} cell_state;

/* A minimum or maximum as recorded, and what it proves: every row value r that is not NULL satisfies reach <= r (a
 * minimum) or r <= reach (a maximum). The reach lies outside of v where the writer may have cut or rounded: timestamps cut
 * to milliseconds, strings cut to a prefix, offsets in whole minutes, decimals that went through a double, old calendars.
 * NaN is above all: whether a float maximum that is not NaN speaks for NaN rows too is the caller's policy (trap T15). */
typedef struct bound {
    cell_state state;
    value v;          /* as recorded, typed: for listings */
    value reach;      /* the proved limit: for every conclusion */
    bool exact;       /* the text was neither cut nor rounded, as far as one side can tell, and reach equals v. A minimum and
                         a maximum that are both exact and equal prove that every row holds v; one alone proves no more than
                         its reach (a short minimum may be a prefix where a writer keeps fewer than 32 characters) */
    str text;         /* the recorded text for listings; STR_NONE when it came from a Parquet cell (print v) */
} bound;

typedef enum bound_side { BOUND_MIN, BOUND_MAX } bound_side;

/* A bound from a JSON token of `stats` (rules P12-P22, traps T1-T11, T14, T18-T25, T27): `is_string` tells a JSON string
 * (unescaped text) from a number or boolean token. All of the result is borrowed from `text`. An explicit JSON null is
 * CELL_NULL for the caller to set, and means unknown (P22). Types without usable bounds give CELL_ABSENT. */
bound cell_bound_from_json(data_type type, str text, bool is_string, bound_side side);

/* Bits of one Parquet leaf value of stats_parsed, already found to be non-null. */
typedef struct parquet_cell {
    uint8_t physical;       /* pq_type */
    uint8_t logical;        /* pq_logical */
    int32_t scale;          /* decimals */
    bool is_adjusted_to_utc;
    union {
        int64_t i;          /* BOOLEAN, INT32, INT64 (sign-extended) */
        double f;           /* FLOAT, DOUBLE */
        str bytes;          /* BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY, INT96 */
    };
} parquet_cell;
/* The same from stats_parsed, which may still hold the narrower type of before a type widening (trap T22). Texts are borrowed. */
bound cell_bound_from_parquet(data_type type, const parquet_cell *cell, bound_side side);

/* What one partition value text may mean (rules O1-O18). Every engine's reading is among those given here; where that
 * would be more than two values, or one that is no value of the type, the cell is CELL_UNREADABLE: the row may hold anything. */
typedef struct partition_cell {
    cell_state state;       /* CELL_VALUE with the readings below; CELL_NULL; CELL_ABSENT for a missing key */
    bool may_be_null;       /* with CELL_VALUE: also NULL in some engine's reading: '' and __HIVE_DEFAULT_PARTITION__ */
    bool zone_assumed;      /* the session zone decided */
    uint8_t value_count;    /* 1 or 2 readings with CELL_VALUE, else 0 */
    value v[2];             /* of two readings the smaller comes first */
    str text;               /* as in the log */
} partition_cell;
/* `text` STR_NONE means JSON null. `present` false means that the key is missing. Texts are borrowed; bytes that had to be
 * decoded are in `out_arena`. `zones` may be NULL: then zone names in texts are not read. */
partition_cell cell_from_partition_text(data_type type, bool present, str text, const zone *session, zone_database *zones,
                                        arena *out_arena);

#endif
