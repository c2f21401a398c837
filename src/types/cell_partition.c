/* cell_partition.c - what one partition value text may mean.
 * Called by: delta (partition values).  Must not know: which file or action the cell came from.
 *
 * Each type has one function that adds every reading that an engine is known to give. A third reading makes the cell
 * unreadable, as does a text that is no value of the type.
 */
#include <math.h>
#include <string.h>

#include "types/cell.h"
#include "types/number.h"
#include "types/types_int.h"

static const int64_t MICROS_PER_DAY = 86400 * (int64_t)1000000;

typedef struct partition_reader {
    const zone *session;
    zone_database *zones;
    arena *out_arena;
} partition_reader;

static bool add_reading(partition_cell *out, value v) {
    for (uint8_t i = 0; i < out->value_count; i++)
        if (value_compare(&out->v[i], &v) == 0) return true;
    if (out->value_count == 2) return false;
    if (out->value_count == 1 && value_compare(&v, &out->v[0]) < 0) {
        out->v[1] = out->v[0];
        out->v[0] = v;
        out->value_count = 2;
    } else {
        out->v[out->value_count++] = v;
    }
    return true;
}

/* ---- numbers */

/* [+-] digits, with leading zeros: '07' and '+7' are 7 (trap T75). */
static bool read_integer(data_type type, str text, partition_cell *out) {
    size_t at = text.len > 0 && (text.ptr[0] == '-' || text.ptr[0] == '+');
    for (size_t i = at; i < text.len; i++)
        if (text.ptr[i] < '0' || text.ptr[i] > '9') return false;
    number n;
    value v = {.kind = VALUE_INT};
    if (!number_parse(text, &n) || !number_to_int64(&n, &v.i) || !type_holds_integer(type.kind, v.i)) return false;
    return add_reading(out, v);
}

/* NaN, inf and infinity as writers and engines spell them, ignoring case. */
static bool read_named_float(str text, double *out) {
    bool has_sign = text.len > 0 && (text.ptr[0] == '-' || text.ptr[0] == '+');
    str name = str_slice(text, has_sign, text.len);
    if (str_eq_nocase(name, STR("nan")))
        *out = NAN;
    else if (str_eq_nocase(name, STR("inf")) || str_eq_nocase(name, STR("infinity")))
        *out = INFINITY;
    else
        return false;
    if (has_sign && text.ptr[0] == '-') *out = -*out;
    return true;
}

static bool add_float(partition_cell *out, value_kind kind, double f) {
    return add_reading(out, (value){.kind = kind, .f = f == 0 ? 0 : f});
}

/* A text of before a float column became a double is read as a double by some and as the float by others (rule O18). */
static bool read_float(data_type type, str text, partition_cell *out) {
    value_kind kind = type.kind == TYPE_FLOAT ? VALUE_FLOAT : VALUE_DOUBLE;
    double named;
    number n;
    if (read_named_float(text, &named)) return add_float(out, kind, named);
    if (!number_parse(text, &n)) return false;
    double as_float = (double)number_to_float(&n), as_double = number_to_double(&n);
    if (isinf(kind == VALUE_FLOAT ? as_float : as_double)) return false;
    if (kind == VALUE_FLOAT) return add_float(out, kind, as_float);
    return add_float(out, kind, as_double) && (!type.was_float || isinf(as_float) || add_float(out, kind, as_float));
}

/* With an exponent or fewer digits than the scale; with more digits engines round or fail. */
static bool read_decimal(data_type type, str text, partition_cell *out) {
    number n;
    value v;
    if (!number_parse(text, &n) || !number_to_decimal(&n, &v)) return false;
    if (v.scale > type.scale || !decimal_fits(v.d, (unsigned)(type.precision - (type.scale - v.scale)))) return false;
    return add_reading(out, v);
}

static bool read_boolean(str text, partition_cell *out) {
    bool is_true = str_eq_nocase(text, STR("true"));
    if (!is_true && !str_eq_nocase(text, STR("false"))) return false;
    return add_reading(out, (value){.kind = VALUE_BOOLEAN, .i = is_true});
}

/* ---- binary */

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* \u00XX at the start of a text: the byte, or -1. */
static int escaped_byte(str text) {
    if (!str_starts_with(text, STR("\\u00")) || text.len < 6) return -1;
    int high = hex_digit(text.ptr[4]), low = hex_digit(text.ptr[5]);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/* The bytes that a text stands for if each of its code points is one; `escapes`: and each \u00XX one. False for a text
 * that holds other code points, or without any of what it is asked for. */
static bool decode_bytes(str text, bool escapes, arena *out_arena, str *bytes) {
    char *decoded = arena_alloc_raw(out_arena, text.len);
    size_t length = 0;
    bool found = false;
    for (size_t at = 0; at < text.len;) {
        unsigned char lead = (unsigned char)text.ptr[at];
        int escaped = escapes ? escaped_byte(str_slice(text, at, text.len)) : -1;
        if (escaped >= 0) {
            decoded[length++] = (char)escaped;
            at += 6;
            found = true;
        } else if (lead < 0x80) {
            decoded[length++] = text.ptr[at++];
        } else if (lead == 0xC2 || lead == 0xC3) { /* U+0080 to U+00FF */
            decoded[length++] = (char)((lead & 3) << 6 | ((unsigned char)text.ptr[at + 1] & 0x3F));
            at += 2;
            found |= !escapes;
        } else {
            return false;
        }
    }
    *bytes = (str){decoded, length};
    return found;
}

/* The bytes of the text (Spark), its code points (PROTOCOL.md), or the bytes that it spells as \u00XX (delta-rs). A
 * replacement character stands for bytes that were lost (rule O15, trap T35). */
static bool read_binary(str text, arena *out_arena, partition_cell *out) {
    if (!str_is_utf8(text)) return false;
    for (size_t i = 0; i + 3 <= text.len; i++)
        if (memcmp(text.ptr + i, "\xEF\xBF\xBD", 3) == 0) return false;
    value v = {.kind = VALUE_BINARY, .s = text};
    bool good = add_reading(out, v);
    if (decode_bytes(text, false, out_arena, &v.s)) good &= add_reading(out, v);
    if (decode_bytes(text, true, out_arena, &v.s)) good &= add_reading(out, v);
    return good;
}

/* ---- dates and times */

static int64_t add_saturated(int64_t a, int64_t b) {
    int64_t sum;
    if (!__builtin_add_overflow(a, b, &sum)) return sum;
    return b < 0 ? INT64_MIN : INT64_MAX;
}

/* Before 1582-10-15 engines with the older Java classes read the Julian calendar (trap T14). */
static int64_t other_calendar(int64_t days) {
    return days < FIRST_GREGORIAN_DAY ? julian_delay(days) : 0;
}

static bool read_date(str text, partition_cell *out) {
    time_text t;
    if (!time_text_parse(text, NULL, false, &t) || t.has_time) return false;
    return add_reading(out, (value){.kind = VALUE_DATE, .i = t.days}) &&
           add_reading(out, (value){.kind = VALUE_DATE, .i = t.days + other_calendar(t.days)});
}

static bool add_time(partition_cell *out, value_kind kind, const time_text *t, int64_t micros) {
    int64_t delay = other_calendar(t->days) * MICROS_PER_DAY;
    return add_reading(out, (value){.kind = kind, .i = micros}) &&
           add_reading(out, (value){.kind = kind, .i = add_saturated(micros, delay)});
}

/* With an offset or zone that is what it says; without one the session's zone decides, and in the hour that comes twice
 * it leaves two instants (rules O9 to O12, trap T12). */
static bool read_timestamp(const partition_reader *r, str text, partition_cell *out) {
    time_text t;
    if (!time_text_parse(text, r->zones, false, &t) || t.is_second_60) return false;
    int64_t earlier, later;
    time_text_instants(&t, r->session, &earlier, &later);
    out->zone_assumed = !t.has_offset;
    return add_time(out, VALUE_TIMESTAMP, &t, earlier) && add_time(out, VALUE_TIMESTAMP, &t, later);
}

/* A wall clock. An offset has no business there: Spark passes over it, others convert to UTC. */
static bool read_wall_clock(str text, partition_cell *out) {
    time_text t;
    if (!time_text_parse(text, NULL, false, &t) || t.is_second_60) return false;
    int64_t earlier, later;
    time_text_instants(&t, zone_utc(), &earlier, &later);
    return add_time(out, VALUE_TIMESTAMP_NTZ, &t, time_text_wall_micros(&t)) &&
           add_time(out, VALUE_TIMESTAMP_NTZ, &t, earlier);
}

/* ---- the whole cell */

static bool read_value(const partition_reader *r, data_type type, str text, partition_cell *out) {
    switch (type.kind) {
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_INTEGER:
    case TYPE_LONG: return read_integer(type, text, out);
    case TYPE_FLOAT:
    case TYPE_DOUBLE: return read_float(type, text, out);
    case TYPE_DECIMAL: return read_decimal(type, text, out);
    case TYPE_STRING: return !type.collated && add_reading(out, (value){.kind = VALUE_STRING, .s = text});
    case TYPE_BINARY: return read_binary(text, r->out_arena, out);
    case TYPE_BOOLEAN: return read_boolean(text, out);
    case TYPE_DATE: return read_date(text, out);
    case TYPE_TIMESTAMP: return read_timestamp(r, text, out);
    case TYPE_TIMESTAMP_NTZ: return read_wall_clock(text, out);
    case TYPE_VOID:
    case TYPE_INTERVAL:
    case TYPE_VARIANT:
    case TYPE_GEO:
    case TYPE_STRUCT:
    case TYPE_ARRAY:
    case TYPE_MAP:
    case TYPE_OTHER: return false;
    }
    UNREACHABLE();
}

/* '' is NULL for any type by the letter of the protocol, and the text itself to engines that read strings and binary
 * (rules O3, O4); __HIVE_DEFAULT_PARTITION__ is a name for NULL in folders that has found its way into logs (rule O17).
 */
static bool is_null_text(data_type type, str text, bool *may_be_value) {
    *may_be_value = type.kind == TYPE_STRING || type.kind == TYPE_BINARY;
    return text.len == 0 || str_eq(text, STR("__HIVE_DEFAULT_PARTITION__"));
}

partition_cell cell_from_partition_text(data_type type, bool present, str text, const zone *session,
                                        zone_database *zones, arena *out_arena) {
    partition_cell out = {.state = CELL_ABSENT, .text = text};
    if (!present) return out;
    bool may_be_value;
    out.may_be_null = is_null_text(type, text, &may_be_value);
    if (str_is_none(text) || (out.may_be_null && !may_be_value)) {
        out.may_be_null = false;
        out.state = CELL_NULL;
        return out;
    }
    const partition_reader r = {session, zones, out_arena};
    if (read_value(&r, type, text, &out)) {
        out.state = CELL_VALUE;
        return out;
    }
    return (partition_cell){.state = CELL_UNREADABLE, .zone_assumed = out.zone_assumed, .text = text};
}
