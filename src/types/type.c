/* type.c - names of Delta's data types.
 * Called by: delta (schema), predicate, prune.  Must not know: tables, SQL.
 * Source: PROTOCOL.md: Primitive Types.
 */
#include "types/type.h"

#include "types/types_int.h"

/* What one finds for a primitive by its whole name. */
typedef struct named_type {
    str name;
    type_kind kind;
} named_type;

static const named_type primitive[] = {
    {{"string", 6}, TYPE_STRING},
    {{"long", 4}, TYPE_LONG},
    {{"integer", 7}, TYPE_INTEGER},
    {{"short", 5}, TYPE_SHORT},
    {{"byte", 4}, TYPE_BYTE},
    {{"float", 5}, TYPE_FLOAT},
    {{"double", 6}, TYPE_DOUBLE},
    {{"boolean", 7}, TYPE_BOOLEAN},
    {{"binary", 6}, TYPE_BINARY},
    {{"date", 4}, TYPE_DATE},
    {{"timestamp", 9}, TYPE_TIMESTAMP},
    {{"timestamp_ntz", 13}, TYPE_TIMESTAMP_NTZ},
    {{"void", 4}, TYPE_VOID},
    {{"variant", 7}, TYPE_VARIANT},
    {{"struct", 6}, TYPE_STRUCT},
    {{"array", 5}, TYPE_ARRAY},
    {{"map", 3}, TYPE_MAP},
    {{"geometry", 8}, TYPE_GEO},
    {{"geography", 9}, TYPE_GEO},
};

static str trim_blanks(str s) {
    while (s.len > 0 && s.ptr[0] == ' ') s = str_slice(s, 1, s.len);
    while (s.len > 0 && s.ptr[s.len - 1] == ' ') s.len--;
    return s;
}

/* The text between the parentheses of `head(...)`. */
static bool take_arguments(str name, str head, str *inside) {
    if (!str_starts_with(name, head) || name.len < head.len + 2) return false;
    if (name.ptr[head.len] != '(' || name.ptr[name.len - 1] != ')') return false;
    *inside = str_slice(name, head.len + 1, name.len - 1);
    return true;
}

static bool parse_decimal(str name, data_type *out) {
    str inside;
    size_t comma;
    int64_t precision = 10, scale = 0; /* what a bare `decimal` of old logs means */
    if (!str_eq(name, STR("decimal"))) {
        if (!take_arguments(name, STR("decimal"), &inside) || !str_find_char(inside, ',', &comma)) return false;
        if (!str_to_int64(trim_blanks(str_slice(inside, 0, comma)), &precision)) return false;
        if (!str_to_int64(trim_blanks(str_slice(inside, comma + 1, inside.len)), &scale)) return false;
    }
    if (precision < 1 || precision > 38 || scale > precision) return false;
    out->kind = TYPE_DECIMAL;
    out->precision = (uint8_t)precision;
    out->scale = (uint8_t)scale;
    return true;
}

data_type type_parse(str name) {
    data_type t = {.kind = TYPE_OTHER, .name = name};
    for (size_t i = 0; i < sizeof primitive / sizeof primitive[0]; i++)
        if (str_eq(name, primitive[i].name)) t.kind = primitive[i].kind;
    str inside;
    if (t.kind != TYPE_OTHER || parse_decimal(name, &t)) return t;
    if (str_eq(name, STR("interval")) || str_starts_with(name, STR("interval "))) t.kind = TYPE_INTERVAL;
    if (take_arguments(name, STR("geometry"), &inside) || take_arguments(name, STR("geography"), &inside))
        t.kind = TYPE_GEO;
    return t;
}

bool type_is_integer(type_kind k) {
    return k == TYPE_BYTE || k == TYPE_SHORT || k == TYPE_INTEGER || k == TYPE_LONG;
}

bool type_is_number(type_kind k) {
    return type_is_integer(k) || k == TYPE_FLOAT || k == TYPE_DOUBLE || k == TYPE_DECIMAL;
}

bool type_is_nested(type_kind k) {
    return k == TYPE_STRUCT || k == TYPE_ARRAY || k == TYPE_MAP;
}

bool type_has_bounds(type_kind k) {
    return type_is_number(k) || k == TYPE_STRING || k == TYPE_BOOLEAN || k == TYPE_DATE || k == TYPE_TIMESTAMP ||
           k == TYPE_TIMESTAMP_NTZ;
}

bool type_holds_integer(type_kind k, int64_t i) {
    if (k == TYPE_BYTE) return i >= INT8_MIN && i <= INT8_MAX;
    if (k == TYPE_SHORT) return i >= INT16_MIN && i <= INT16_MAX;
    if (k == TYPE_INTEGER) return i >= INT32_MIN && i <= INT32_MAX;
    return k == TYPE_LONG;
}
