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

/* A minimum or maximum as recorded, widened to what it proves: every row value v that is not NULL (and not NaN for
 * floats, see nan) satisfies low <= v for a minimum (`bound.low`) or v <= high for a maximum (`bound.high`). The two
 * differ from each other where the text leaves room: timestamps cut to milliseconds, offsets, odd decimals. */
typedef struct bound {
    cell_state state;
    value v;          /* as recorded, typed */
    value reach;      /* the proved limit: <= v for a minimum, >= v for a maximum */
    bool exact;       /* v is known to be a row's value (not cut, not rounded); then reach equals v */
    str text;         /* the recorded text for listings; STR_NONE when it came from a Parquet cell (print v) */
} bound;

typedef enum bound_side { BOUND_MIN, BOUND_MAX } bound_side;

/* A bound from a JSON token of `stats` (rules P12-P22, traps T1-T11, T14, T18-T25, T27): `is_string` tells a JSON string
 * (unescaped text) from a number or boolean token. Text is copied into `out_arena` only where needed; else borrowed.
 * An explicit JSON null is CELL_NULL for the caller to set, and means unknown (P22). */
bound cell_bound_from_json(data_type type, str text, bool is_string, bound_side side, arena *out_arena);

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
bound cell_bound_from_parquet(data_type type, const parquet_cell *cell, bound_side side);

/* What one partition value text may mean (rules O1-O18): engines differ on '' (NULL or the text), and a timestamp without
 * zone is read in the session zone (and may then have two instants). */
typedef struct partition_cell {
    cell_state state;       /* CELL_VALUE with the readings below; CELL_NULL; CELL_ABSENT for a missing key */
    bool may_be_null;       /* also NULL in some engine's reading: '' and __HIVE_DEFAULT_PARTITION__ */
    bool zone_assumed;      /* the session zone decided */
    uint8_t value_count;    /* 1 or 2 readings; 0 with state CELL_NULL */
    value v[2];
    str text;               /* as in the log */
} partition_cell;
/* `text` STR_NONE means JSON null. `present` false means that the key is missing. */
partition_cell cell_from_partition_text(data_type type, bool present, str text, const zone *session, zone_database *zones);

#endif
