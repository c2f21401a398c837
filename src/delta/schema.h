/* schema.h - the table's columns, parsed once from schemaString.
 * Called by: delta/snapshot.c, predicate (names), prune, report.  Must not know: statistics, SQL.
 * Source: PROTOCOL.md: Schema Serialization Format, Column Mapping.
 */
#ifndef DELTA_SCHEMA_H
#define DELTA_SCHEMA_H

#include "base/arena.h"
#include "base/err.h"
#include "types/type.h"

typedef enum mapping_mode { MAPPING_NONE, MAPPING_NAME, MAPPING_ID } mapping_mode;

/* One entry of delta.typeChanges. `path`: key, value, element with dots, into a collection; STR_NONE: the column itself. */
typedef struct type_change {
    str from, to, path;
} type_change;

/* What only a description of the table needs. Texts are STR_NONE when absent. */
typedef struct column_details {
    bool has_id;
    int64_t id;          /* delta.columnMapping.id */
    str generation;      /* delta.generationExpression as written, also where the protocol does not support it (rule N12) */
    str default_value;   /* CURRENT_DEFAULT: SQL */
    str invariant;       /* delta.invariants: its SQL (rule N10) */
    str char_type;       /* char(n) or varchar(n) of a string (rule N16) */
    str collation;       /* provider.name, of one that does not compare by bytes */
    str comment;
    bool has_identity_start, has_identity_step, has_identity_mark; /* delta.identity: any of them makes an identity column */
    bool identity_allows_values;
    int64_t identity_start, identity_step, identity_mark;
    type_change *change; /* oldest first */
    size_t change_count;
} column_details;

typedef struct column {
    str name;            /* logical */
    str physical;        /* the name in partitionValues and statistics (rule J2); equals name without mapping */
    data_type type;
    str type_json;       /* arrays and maps: the object of the type as written, JSON_PADDING bytes behind it; else STR_NONE */
    str type_text;       /* with what is inside of it: array<struct<a: integer>>; of a struct column: struct */
    bool nullable;
    const column_details *details; /* NULL when there are none */
    str generation;      /* delta.generationExpression, STR_NONE if none or not enabled */
    const struct column *parent;   /* the struct it is a field of */
    struct column *child;          /* fields of a struct, in order; arrays and maps have none */
    size_t child_count;
    int32_t partition_index;       /* position in schema.partition, -1 for data columns */
    uint32_t leaf_index;           /* position among schema.leaf for what is no struct; UINT32_MAX for structs */
} column;

typedef struct schema {
    column *top;
    size_t top_count;
    const column **leaf;      /* every column that is no struct, depth first, in schema order */
    size_t leaf_count;
    const column **partition; /* in the order of metaData.partitionColumns */
    size_t partition_count;
    mapping_mode mapping;
} schema;

/* Parse schemaString. Empty or absent text gives a schema without columns (rule N20). LP_ERR_FORMAT for what is no
 * schema, names the place; unknown type names are carried (rule N19). Partition columns that the schema lacks are
 * LP_ERR_FORMAT, unless the schema is empty. */
MUST_USE lp_status schema_parse(arena *table, str schema_string, const str *partition_columns, size_t partition_count,
                                mapping_mode mapping, bool generated_columns_enabled, schema *out, lp_err *err);

typedef enum column_lookup { COLUMN_FOUND, COLUMN_UNKNOWN, COLUMN_AMBIGUOUS } column_lookup;

/* Find a column by the parts of its name: each part exactly first, then ignoring case (trap T33); two that differ only
 * by case, and neither exact, are ambiguous. A struct can be found too. */
column_lookup schema_find(const schema *s, const str *part, size_t part_count, const column **out);

/* Does every value of `from` have its equal in `to`? PROTOCOL.md: Type Widening (rule N15). */
bool schema_type_widens(data_type from, data_type to);

/* May be NULL. */
bool column_is_identity(const column_details *d);

/* The logical name with dots: `profile.geo.zip`. */
str column_dotted_name(const column *c, arena *out_arena);

#endif
