/* type.c - what each literal can mean for the column that it is compared with.
 * Called by: prune, stage commands.  Must not know: statistics, phases.
 *
 * Engines differ, so a literal may have several readings, and a file is dropped only if no reading can match. The table
 * of column and literal types is in docs/semantics.md; type_literal below follows it row by row.
 */
#include "predicate/type.h"

#include "sql/parse.h"

enum { MAX_READINGS = 3 * LITERAL_MAX_TEXTS + 18 }; /* a time beside dates may have 17 */

typedef struct typer {
    arena *query;
    const type_options *options;
    lp_err *err;
    bool pads_column_only; /* in this leaf Spark pads the values of a char(n) column and leaves the literal as it is */
} typer;

/* What typing one literal comes to. */
typedef enum typing { TYPED, TYPED_OPAQUE, TYPED_ERROR } typing;

typedef struct reading_list {
    reading item[MAX_READINGS];
    size_t count;
    int8_t beyond_long;
    bool zone_assumed, may_be_null;
    str opaque_reason;
    bool is_cast;
} reading_list;

static void add_value(reading_list *l, reading_domain domain, value v) {
    l->item[l->count++] = (reading){.domain = domain, .v = v};
}

static void add_number(reading_list *l, const number *n) {
    value v = {.kind = VALUE_INT};
    if (number_to_int64(n, &v.i) || number_to_decimal(n, &v))
        add_value(l, READING_EXACT, v);
    else
        l->item[l->count++] = (reading){.domain = READING_EXACT, .is_number = true, .number = *n};
}

static void add_double(reading_list *l, double d) {
    add_value(l, READING_DOUBLE, (value){.kind = VALUE_DOUBLE, .f = d});
}

static void add_float(reading_list *l, float f) {
    add_value(l, READING_FLOAT, (value){.kind = VALUE_FLOAT, .f = (double)f});
}

static typing refuse(typer *t, const column_ref *c, const literal *l, const char *expected) {
    buf b;
    buf_init(&b, t->query, SIZE_MAX / 2);
    literal_print(&b, l);
    str shown = buf_str(&b);
    if (shown.len > 80) shown = str_format(t->query, STR_FMT "...", STR_ARG(str_slice(shown, 0, 77)));
    (void)sql_error_at(t->err, t->options->text, l->at, "column " STR_FMT " (" STR_FMT ") expects %s, found " STR_FMT,
                       STR_ARG(c->name), STR_ARG(c->column->type.name), expected, STR_ARG(shown));
    return TYPED_ERROR;
}

static typing opaque_cast(reading_list *out, const char *reason) {
    out->opaque_reason = str_from(reason);
    out->is_cast = true;
    return TYPED_OPAQUE;
}

/* ---------------------------------------------------------------------------------------------- numbers */

static str trimmed(str s) {
    while (s.len && (unsigned char)s.ptr[0] <= ' ') s = str_slice(s, 1, s.len);
    while (s.len && (unsigned char)s.ptr[s.len - 1] <= ' ') s = str_slice(s, 0, s.len - 1);
    return s;
}

static bool is_fractional(str raw) {
    size_t at;
    return str_find_char(raw, '.', &at) || str_find_char(raw, 'e', &at) || str_find_char(raw, 'E', &at);
}

static bool has_exponent(str raw) {
    size_t at;
    return str_find_char(raw, 'e', &at) || str_find_char(raw, 'E', &at);
}

static bool is_fraction(double d) {
    return d > -9.2e18 && d < 9.2e18 && (double)(int64_t)d != d; /* beyond, every double is whole */
}

/* Spark reads 1.5 as DECIMAL and 1e5, 5D as DOUBLE; others read 1e5 exactly. A FLOAT literal is a float first. */
static void add_float_literal(reading_list *out, const number *n, char suffix) {
    add_double(out, number_to_double(n));
    if (suffix == 'F') add_double(out, (double)number_to_float(n));
}

/* Where Spark's DECIMAL literal stands that is beyond every BIGINT. */
static int8_t beyond_long(const number *n, str raw, char suffix) {
    if ((suffix && suffix != 'B') || (suffix == 0 && has_exponent(raw))) return 0;
    value least = {.kind = VALUE_INT, .i = INT64_MIN}, most = {.kind = VALUE_INT, .i = INT64_MAX};
    return number_compare(&most, n) < 0 ? 1 : number_compare(&least, n) > 0 ? -1 : 0;
}

/* A whole number never equals a fraction, in any of the readings: every double or float that is a converted whole
 * number is whole itself. */
static void number_for_integer(reading_list *out, const number *n, str raw, char suffix) {
    add_number(out, n);
    out->beyond_long = beyond_long(n, raw, suffix);
    if (is_fractional(raw) || suffix == 'D' || suffix == 'F') add_float_literal(out, n, suffix);
    if (suffix == 'F') add_float(out, number_to_float(n));
    for (size_t i = 0; i < out->count; i++) {
        const reading *r = &out->item[i];
        bool is_float = !r->is_number && (r->v.kind == VALUE_DOUBLE || r->v.kind == VALUE_FLOAT);
        out->item[i].never_equal = is_float ? is_fraction(r->v.f) : number_fraction_digits(n) > 0;
    }
}

enum { DOUBLE_DIGITS = 15 }; /* decimals of so many digits are as different as doubles, and in the same order */

static size_t count_digits(const number *n) {
    size_t point;
    return n->digits.len - str_find_char(n->digits, '.', &point);
}

/* 1.5 is a DECIMAL to most, and a DOUBLE to DataFusion, which shows where a double lacks digits. */
static void number_for_decimal(reading_list *out, const number *n, str raw, char suffix, uint8_t scale) {
    add_number(out, n);
    out->item[0].never_equal = number_fraction_digits(n) > scale;
    bool is_long = is_fractional(raw) && suffix == 0 && count_digits(n) > DOUBLE_DIGITS;
    if (has_exponent(raw) || is_long || suffix == 'D' || suffix == 'F') add_float_literal(out, n, suffix);
}

/* 1.1D is a DOUBLE wherever it is read, so a float column becomes double beside it. */
static void number_for_float(reading_list *out, const number *n, char suffix) {
    add_float_literal(out, n, suffix);
    if (suffix != 'D') {
        add_float(out, number_to_float(n));
        return;
    }
    double as_float = (double)number_to_float(n);
    out->item[0].never_equal = out->item[0].v.f != as_float;
}

static bool special_float(str text, double *out) {
    bool negative = str_starts_with(text, STR("-"));
    if (negative || str_starts_with(text, STR("+"))) text = str_slice(text, 1, text.len);
    if (str_eq_nocase(text, STR("nan"))) return *out = __builtin_nan(""), true;
    if (!str_eq_nocase(text, STR("infinity")) && !str_eq_nocase(text, STR("inf"))) return false;
    return *out = negative ? -__builtin_inf() : __builtin_inf(), true;
}

/* Half away from zero, which is what a cast to DECIMAL(p, scale) keeps; saturated where that is no decimal. */
static value rounded_to_scale(const number *n, uint8_t scale) {
    value exact, rounded;
    if (number_to_decimal(n, &exact) && value_round_decimal(&exact, scale, &rounded)) return rounded;
    number moved = *n;
    if (moved.digits.len) moved.exponent += scale;
    return (value){.kind = VALUE_DECIMAL, .scale = scale, .d = number_round(&moved)};
}

/* Is it a whole number of the type, perhaps with a fraction? Spark without ANSI makes NULL of any other text. */
static bool is_castable(const data_type *type, str text) {
    number n;
    value v = {.kind = VALUE_INT};
    if (!number_parse(text, &n) || has_exponent(text)) return false;
    return number_fraction_digits(&n) > 0 || (number_to_int64(&n, &v.i) && type_holds_integer(type->kind, v.i));
}

/* A number in text: engines cast it to the column's type, which for whole types cuts or rounds a fraction, or compare
 * it as it stands. */
static typing text_for_number(typer *t, const column_ref *c, const literal *l, reading_list *out) {
    number n;
    double special;
    str text = trimmed(l->raw);
    type_kind kind = c->column->type.kind;
    bool is_float = kind == TYPE_FLOAT || kind == TYPE_DOUBLE;
    if (is_float && special_float(text, &special)) {
        add_double(out, special);
        out->may_be_null = __builtin_isnan(special) && text.len > 3; /* -nan */
        return TYPED;
    }
    if (!number_parse(text, &n)) return refuse(t, c, l, "a number");
    out->may_be_null = type_is_integer(kind) && !is_castable(&c->column->type, text);
    if (is_float) {
        add_double(out, number_to_double(&n));
        add_float(out, number_to_float(&n));
        return TYPED;
    }
    add_number(out, &n);
    /* Spark brings decimals and texts together as doubles. */
    bool is_long = c->column->type.precision > DOUBLE_DIGITS || count_digits(&n) > DOUBLE_DIGITS;
    if (kind == TYPE_DECIMAL && is_long) add_double(out, number_to_double(&n));
    if (!is_fractional(text)) return TYPED;
    if (kind == TYPE_DECIMAL) {
        add_value(out, READING_EXACT, rounded_to_scale(&n, c->column->type.scale));
    } else {
        add_double(out, number_to_double(&n));
        add_value(out, READING_EXACT, (value){.kind = VALUE_INT, .i = number_truncate(&n)});
        add_value(out, READING_EXACT, (value){.kind = VALUE_INT, .i = number_round(&n)});
    }
    return TYPED;
}

static typing decimal_beyond_scale(typer *t, const column_ref *c, const literal *l, const number *n) {
    if (!t->options->as_delta_explain || number_fraction_digits(n) <= c->column->type.scale) return TYPED;
    (void)sql_error_at(t->err, t->options->text, l->at,
                       "decimal literal " STR_FMT " has more fractional digits than the scale %u of column " STR_FMT,
                       STR_ARG(l->raw), c->column->type.scale, STR_ARG(c->name));
    return TYPED_ERROR;
}

static typing number_for_column(typer *t, const column_ref *c, const literal *l, reading_list *out) {
    number n;
    if (!number_parse(l->raw, &n)) return refuse(t, c, l, "a number");
    switch ((int)c->column->type.kind) {
    case TYPE_FLOAT: number_for_float(out, &n, l->suffix); return TYPED;
    case TYPE_DOUBLE: add_float_literal(out, &n, l->suffix); return TYPED;
    case TYPE_DECIMAL:
        number_for_decimal(out, &n, l->raw, l->suffix, c->column->type.scale);
        return decimal_beyond_scale(t, c, l, &n);
    default: number_for_integer(out, &n, l->raw, l->suffix); return TYPED;
    }
}

static typing literal_for_number(typer *t, const column_ref *c, const literal *l, reading_list *out) {
    switch (l->kind) {
    case LITERAL_NUMBER: return number_for_column(t, c, l, out);
    case LITERAL_STRING: return text_for_number(t, c, l, out);
    case LITERAL_BOOLEAN: return opaque_cast(out, "a number compared with a boolean");
    case LITERAL_TIMESTAMP_NTZ:
    case LITERAL_BINARY:
        if (t->options->as_delta_explain) return opaque_cast(out, "a literal of another type");
        return refuse(t, c, l, "a number");
    case LITERAL_NULL:
    case LITERAL_DATE:
    case LITERAL_TIMESTAMP: break;
    }
    return refuse(t, c, l, "a number");
}

/* ------------------------------------------------------------------------------------------------ texts */

static void add_text(reading_list *out, reading_domain domain, value_kind kind, str s) {
    add_value(out, domain, (value){.kind = kind, .s = s});
}

/* char(n) against text: engines that pad bring both sides to the longer length. Blanks at the literal's end then count
 * for nothing, so the literal without them, padded to n or longer if it is longer, compares alike. */
static void add_padded(arena *query, reading_list *out, str s, int32_t char_length) {
    while (s.len && s.ptr[s.len - 1] == ' ') s.len--;
    size_t length = str_count_code_points(s);
    int32_t width = length > (size_t)char_length && length < INT32_MAX ? (int32_t)length : char_length;
    add_value(out, READING_PADDED, (value){.kind = VALUE_STRING, .s = literal_pad(query, s, width)});
    out->item[out->count - 1].width = width;
}

/* Spark pads the values that it reads, and a literal only beside the column itself: not beside a field of a struct, nor in
 * BETWEEN, nor in a list with a NULL. 'b   ' is above 'b' there. */
static void add_column_padded(reading_list *out, str s, int32_t char_length) {
    add_value(out, READING_PADDED, (value){.kind = VALUE_STRING, .s = s});
    out->item[out->count - 1].width = char_length;
}

static typing literal_for_string(typer *t, const column_ref *c, const literal *l, reading_list *out) {
    if (l->kind != LITERAL_STRING) return opaque_cast(out, "a text column compared with a value of another type");
    if (c->column->type.collated) return opaque_cast(out, "a column with a collation");
    str text[LITERAL_MAX_TEXTS];
    size_t count = literal_texts(t->query, l, text);
    int32_t char_length = c->column->type.char_length;
    for (size_t i = 0; i < count; i++) {
        add_text(out, READING_EXACT, VALUE_STRING, text[i]);
        if (char_length == 0) continue;
        add_padded(t->query, out, text[i], char_length);
        if (t->pads_column_only || c->column->parent) add_column_padded(out, text[i], char_length);
    }
    return TYPED;
}

static bool hex_value(char c, unsigned *out) {
    if (c >= '0' && c <= '9') return *out = (unsigned)(c - '0'), true;
    if (c >= 'a' && c <= 'f') return *out = (unsigned)(c - 'a' + 10), true;
    if (c >= 'A' && c <= 'F') return *out = (unsigned)(c - 'A' + 10), true;
    return false;
}

/* DuckDB's escapes in texts that become binary: \\xAB is one byte. False for a text without any. */
static bool escaped_bytes(arena *query, str text, str *out) {
    char *bytes = arena_alloc(query, text.len + 1);
    size_t length = 0, found = 0;
    for (size_t i = 0; i < text.len;) {
        unsigned high, low;
        bool is_escape = i + 4 <= text.len && text.ptr[i] == '\\' && text.ptr[i + 1] == 'x' && hex_value(text.ptr[i + 2], &high) &&
                         hex_value(text.ptr[i + 3], &low);
        bytes[length++] = is_escape ? (char)(high << 4 | low) : text.ptr[i];
        found += is_escape;
        i += is_escape ? 4 : 1;
    }
    *out = (str){bytes, length};
    return found > 0;
}

/* Bytes of hex digits; Spark puts a zero before an odd number of them. */
static bool hex_bytes(arena *query, str digits, str *out) {
    char *bytes = arena_alloc(query, digits.len / 2 + 1);
    size_t shift = digits.len % 2;
    for (size_t i = 0; i < digits.len; i++) {
        unsigned digit;
        if (!hex_value(digits.ptr[i], &digit)) return false;
        char *byte = &bytes[(i + shift) / 2];
        *byte = (char)((unsigned)(unsigned char)*byte << 4 | digit);
    }
    *out = (str){bytes, (digits.len + shift) / 2};
    return true;
}

static typing literal_for_binary(typer *t, const column_ref *c, const literal *l, reading_list *out) {
    str bytes;
    if (l->kind == LITERAL_BINARY) {
        if (!hex_bytes(t->query, l->raw, &bytes)) return refuse(t, c, l, "hexadecimal digits");
        add_text(out, READING_EXACT, VALUE_BINARY, bytes);
        return TYPED;
    }
    if (l->kind != LITERAL_STRING) return refuse(t, c, l, "binary or text");
    str text[LITERAL_MAX_TEXTS];
    size_t count = literal_texts(t->query, l, text);
    for (size_t i = 0; i < count; i++) add_text(out, READING_EXACT, VALUE_BINARY, text[i]);
    if (hex_bytes(t->query, l->raw, &bytes)) add_text(out, READING_EXACT, VALUE_BINARY, bytes);
    if (escaped_bytes(t->query, l->raw, &bytes)) add_text(out, READING_EXACT, VALUE_BINARY, bytes);
    return TYPED;
}

static typing literal_for_boolean(typer *t, const column_ref *c, const literal *l, reading_list *out) {
    static const char *const yes[] = {"true", "t", "yes", "y", "1", "on"}, *const no[] = {"false", "f", "no",
                                                                                          "n",     "0", "off"};
    if (l->kind == LITERAL_NUMBER) return opaque_cast(out, "a boolean compared with a number");
    if (l->kind != LITERAL_BOOLEAN && l->kind != LITERAL_STRING) return refuse(t, c, l, "a boolean");
    str text = trimmed(l->raw);
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
        bool is_yes = str_eq_nocase(text, str_from(yes[i]));
        if (!is_yes && !str_eq_nocase(text, str_from(no[i]))) continue;
        add_value(out, READING_EXACT, (value){.kind = VALUE_BOOLEAN, .i = is_yes});
        out->may_be_null = str_eq_nocase(text, STR("on")) || str_eq_nocase(text, STR("off")); /* not in Spark */
        return TYPED;
    }
    return refuse(t, c, l, "a boolean");
}

/* -------------------------------------------------------------------------------------- dates and times */

static bool parse_time(typer *t, const literal *l, time_text *out) {
    str text = l->has_backslash && !l->is_raw ? literal_unescape(t->query, l->raw) : l->raw;
    return time_text_parse(text, t->options->zones, true, out);
}

static bool is_time_literal(const literal *l) {
    return l->kind == LITERAL_STRING || l->kind == LITERAL_DATE || l->kind == LITERAL_TIMESTAMP ||
           l->kind == LITERAL_TIMESTAMP_NTZ;
}

static int64_t wall_in_session(const typer *t, int64_t instant) {
    int64_t offset = (int64_t)zone_offset_at(t->options->session_zone, instant) * 1000000, wall;
    if (__builtin_add_overflow(instant, offset, &wall)) return instant;
    return wall;
}

/* A literal finer than microseconds stands between two of them. Most engines cut it, Trino compares it as it is: above the
 * one and below the other, which both readings together allow. */
static void add_time(reading_list *out, reading_domain domain, value_kind kind, int64_t micros, const time_text *time) {
    add_value(out, domain, (value){.kind = kind, .i = micros});
    if (time->has_more_digits && micros < INT64_MAX) add_value(out, domain, (value){.kind = kind, .i = micros + 1});
}

/* A midnight that clocks skip stands for an instant at or behind the gap. Where the literal is that instant the date equals
 * it, so the midnight is a reading; where it is an earlier one, the date may lie on either side. */
static void add_skipped_midnight(const typer *t, int64_t instant, int64_t midnight, reading_list *out) {
    int64_t shifted, later;
    zone_instants(t->options->session_zone, midnight, &shifted, &later);
    if (wall_in_session(t, shifted) == midnight || instant > shifted) return;
    out->zone_assumed = true;
    add_value(out, READING_DATE_AS_WALL, (value){.kind = VALUE_TIMESTAMP_NTZ, .i = midnight});
    if (instant < shifted) add_value(out, READING_DATE_AS_WALL, (value){.kind = VALUE_TIMESTAMP_NTZ, .i = midnight - 1});
}

/* An instant beside the midnights of dates. The wall clock orders both alike but in two corners: where a midnight does not
 * exist, that of the same day or, where a whole day is skipped, of the day before; and where it occurs twice the date is
 * the earlier one, and the later is above it. */
static void add_odd_midnights(const typer *t, int64_t instant, reading_list *out) {
    const int64_t day = INT64_C(86400000000);
    int64_t wall = wall_in_session(t, instant), into = ((wall % day) + day) % day, earlier, later;
    if (zone_is_utc(t->options->session_zone)) return;
    zone_instants(t->options->session_zone, wall, &earlier, &later);
    if (wall < INT64_MIN + 2 * day) return;
    add_skipped_midnight(t, instant, wall - into, out);
    add_skipped_midnight(t, instant, wall - into - day, out);
    if (into == 0 && earlier < later && instant == later)
        add_value(out, READING_DATE_AS_WALL, (value){.kind = VALUE_TIMESTAMP_NTZ, .i = wall + 1});
}

static void add_instant(const typer *t, int64_t instant, const time_text *time, reading_list *out) {
    add_time(out, READING_DATE_AS_WALL, VALUE_TIMESTAMP_NTZ, wall_in_session(t, instant), time);
    add_odd_midnights(t, instant, out);
}

/* A point in time against a date: the date stands for its midnight in the session zone. */
static void date_as_wall(const typer *t, const time_text *time, reading_list *out) {
    int64_t wall = time_text_wall_micros(time), earlier, later;
    time_text_instants(time, t->options->session_zone, &earlier, &later);
    bool is_utc = zone_is_utc(t->options->session_zone);
    if (!time->has_offset) add_time(out, READING_DATE_AS_WALL, VALUE_TIMESTAMP_NTZ, wall, time);
    if (time->has_offset || !is_utc) add_instant(t, earlier, time, out);
    if (!time->has_offset) return;
    if (later != earlier) add_instant(t, later, time, out);
    out->zone_assumed |= !is_utc;
}

static typing literal_for_date(typer *t, const column_ref *c, const literal *l, reading_list *out) {
    time_text time;
    if (!is_time_literal(l) || !parse_time(t, l, &time)) return refuse(t, c, l, "a date (yyyy-MM-dd)");
    out->may_be_null = time.is_odd;
    bool midnight = !time.has_time || (time.micros_of_day == 0 && !time.has_offset && !time.has_more_digits);
    /* Text is cast to a date by some engines, which cuts the time of day; a TIMESTAMP literal makes the date a
     * timestamp. */
    if (midnight || l->kind == LITERAL_STRING || l->kind == LITERAL_DATE)
        add_value(out, READING_EXACT, (value){.kind = VALUE_DATE, .i = time.days});
    if (!midnight) date_as_wall(t, &time, out);
    if (!midnight || l->kind != LITERAL_TIMESTAMP) return TYPED;
    int64_t earlier, later;
    time_text_instants(&time, t->options->session_zone, &earlier, &later);
    add_odd_midnights(t, earlier, out);
    return TYPED;
}

static typing literal_for_timestamp(typer *t, const column_ref *c, const literal *l, reading_list *out) {
    time_text time;
    if (!is_time_literal(l) || !parse_time(t, l, &time))
        return refuse(t, c, l, "a timestamp (yyyy-MM-dd HH:mm:ss[.ffffff][+HH:mm])");
    int64_t earlier, later;
    out->may_be_null = time.is_odd;
    time_text_instants(&time, t->options->session_zone, &earlier, &later);
    add_time(out, READING_EXACT, VALUE_TIMESTAMP, earlier, &time);
    if (later != earlier) add_time(out, READING_EXACT, VALUE_TIMESTAMP, later, &time);
    out->zone_assumed |= !time.has_offset;
    return TYPED;
}

static typing literal_for_timestamp_ntz(typer *t, const column_ref *c, const literal *l, reading_list *out) {
    time_text time;
    if (!is_time_literal(l) || !parse_time(t, l, &time))
        return refuse(t, c, l, "a timestamp (yyyy-MM-dd HH:mm:ss[.ffffff])");
    if (time.has_offset) {
        (void)sql_error_at(t->err, t->options->text, l->at,
                           "column " STR_FMT " is TIMESTAMP_NTZ, timezone-naive, and the literal carries an offset, so "
                                             "their comparison is ambiguous: drop the offset",
                           STR_ARG(c->name));
        return TYPED_ERROR;
    }
    out->may_be_null = time.is_odd;
    add_time(out, READING_EXACT, VALUE_TIMESTAMP_NTZ, time_text_wall_micros(&time), &time);
    return TYPED;
}

/* ------------------------------------------------------------------------------------------------ leaves */

static typing readings_for(typer *t, const column_ref *c, const literal *l, reading_list *out) {
    if (l->kind == LITERAL_NULL) return TYPED; /* no reading: nothing equals NULL */
    switch (c->column->type.kind) {
    case TYPE_BYTE:
    case TYPE_SHORT:
    case TYPE_INTEGER:
    case TYPE_LONG:
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
    case TYPE_DECIMAL: return literal_for_number(t, c, l, out);
    case TYPE_STRING: return literal_for_string(t, c, l, out);
    case TYPE_BINARY: return literal_for_binary(t, c, l, out);
    case TYPE_BOOLEAN: return literal_for_boolean(t, c, l, out);
    case TYPE_DATE: return literal_for_date(t, c, l, out);
    case TYPE_TIMESTAMP: return literal_for_timestamp(t, c, l, out);
    case TYPE_TIMESTAMP_NTZ: return literal_for_timestamp_ntz(t, c, l, out);
    case TYPE_VOID: return TYPED; /* every row is NULL whatever the literal */
    case TYPE_INTERVAL:
    case TYPE_VARIANT:
    case TYPE_GEO:
    case TYPE_STRUCT:
    case TYPE_ARRAY:
    case TYPE_MAP:
    case TYPE_OTHER: out->opaque_reason = STR("a comparison of a type that has no known order"); return TYPED_OPAQUE;
    }
    UNREACHABLE();
}

/* The outcome for a whole leaf: an error wins over opaque, opaque over typed. */
typedef struct leaf_typing {
    typing result;
    str opaque_reason;
    bool is_cast;
} leaf_typing;

static literal type_literal(typer *t, const column_ref *c, const literal *l, leaf_typing *leaf) {
    literal typed = *l;
    if (leaf->result == TYPED_ERROR) return typed;
    reading_list list = {.count = 0};
    typing result = readings_for(t, c, l, &list);
    if (result == TYPED_ERROR || (result == TYPED_OPAQUE && leaf->result == TYPED)) {
        leaf->result = result;
        leaf->opaque_reason = list.opaque_reason;
        leaf->is_cast = list.is_cast;
    }
    reading *kept = ARENA_ARRAY(t->query, reading, list.count);
    for (size_t i = 0; i < list.count; i++) kept[i] = list.item[i];
    typed.reading = kept;
    typed.reading_count = list.count;
    typed.beyond_long = list.beyond_long;
    typed.zone_assumed = list.zone_assumed;
    typed.may_be_null = list.may_be_null;
    return typed;
}

static const predicate *as_opaque(typer *t, const predicate *p, const column_ref *c, const leaf_typing *leaf) {
    predicate *q = ARENA_NEW(t->query, predicate);
    buf b;
    buf_init(&b, t->query, SIZE_MAX / 2);
    predicate_print(&b, p);
    column_ref *named = ARENA_NEW(t->query, column_ref);
    *named = *c;
    q->kind = PREDICATE_OPAQUE;
    q->at = p->at;
    q->opaque.text = buf_str(&b);
    q->opaque.reason = leaf->opaque_reason;
    q->opaque.is_cast = leaf->is_cast;
    q->opaque.column = named;
    q->opaque.column_count = 1;
    return q;
}

/* A text column beside a number, as a call: the folds know what engines make of it. */
static const predicate *as_scalar_comparison(typer *t, const predicate *p) {
    scalar *side = ARENA_ARRAY(t->query, scalar, 2), *call = ARENA_NEW(t->query, scalar);
    const scalar **arg = ARENA_ARRAY(t->query, const scalar *, 2);
    predicate *q = ARENA_NEW(t->query, predicate);
    buf b;
    buf_init(&b, t->query, SIZE_MAX / 2);
    predicate_print(&b, p);
    side[0].kind = SCALAR_COLUMN;
    side[1].kind = SCALAR_LITERAL;
    call->kind = SCALAR_CALL;
    side[0].at = side[1].at = call->at = q->at = p->at;
    side[0].column.ref = p->compare.column;
    side[1].literal.value = p->compare.value;
    arg[0] = &side[0];
    arg[1] = &side[1];
    call->call.func = (func_id)(FUNC_EQ + p->compare.op); /* the rows stand in the order of compare_op */
    call->call.arg = arg;
    call->call.count = 2;
    q->kind = PREDICATE_SCALAR;
    q->scalar.of = scalar_type(t->query, call, t->options);
    q->scalar.text = buf_str(&b);
    q->scalar.reason = scalar_unknown_reason(q->scalar.of);
    return q;
}

static lp_status finish_leaf(typer *t, const predicate *p, predicate *typed, const column_ref *c,
                             const leaf_typing *leaf, const predicate **out) {
    switch (leaf->result) {
    case TYPED_ERROR: return LP_ERR_QUERY; /* described by whoever found it */
    case TYPED_OPAQUE: *out = as_opaque(t, p, c, leaf); return LP_OK;
    case TYPED: *out = typed; return LP_OK;
    }
    UNREACHABLE();
}

/* ------------------------------------------------------------------------------- literals beside each other */

static bool has_reading(const literal *l, reading_domain domain) {
    for (size_t i = 0; i < l->reading_count; i++)
        if (l->reading[i].domain == domain) return true;
    return false;
}

static void add_reading(typer *t, literal *l, reading r) {
    reading *grown = ARENA_ARRAY(t->query, reading, l->reading_count + 1);
    for (size_t i = 0; i < l->reading_count; i++) grown[i] = l->reading[i];
    grown[l->reading_count++] = r;
    l->reading = grown;
}

static void read_as_float_too(typer *t, literal *l, bool is_whole_column, reading_domain domain) {
    number n;
    if (l->reading_count == 0 || has_reading(l, domain) || !number_parse(trimmed(l->raw), &n)) return;
    value v = domain == READING_DOUBLE ? (value){.kind = VALUE_DOUBLE, .f = number_to_double(&n)}
                                       : (value){.kind = VALUE_FLOAT, .f = (double)number_to_float(&n)};
    add_reading(t, l, (reading){.domain = domain, .v = v, .never_equal = is_whole_column && is_fraction(v.f)});
}

enum { MOST_DIGITS = 38 };

static bool is_decimal_literal(const literal *l, value *out) {
    number n;
    if (l->kind != LITERAL_NUMBER || l->suffix == 'D' || l->suffix == 'F' || (has_exponent(l->raw) && l->suffix != 'B')) return false;
    return number_parse(l->raw, &n) && number_to_decimal(&n, out);
}

static unsigned whole_digits(const value *v) {
    unsigned count = 0;
    for (int128 d = v->d; d != 0; d /= 10) count++;
    return count > v->scale ? count - v->scale : 0;
}

static bool has_fraction(value v) {
    for (; v.scale > 0; v.scale--, v.d /= 10)
        if (v.d % 10 != 0) return true;
    return false;
}

/* Up to 10^digits, which is what the largest number of so many digits before the point is rounded to. */
static bool is_within(const value *v, unsigned digits) {
    value nearer = *v; /* one step nearer to zero has a digit less exactly there */
    nearer.d += v->d < 0 ? 1 : v->d > 0 ? -1 : 0;
    return whole_digits(&nearer) <= digits;
}

/* Spark brings a column and decimals to one decimal type. Where that would have more than 38 digits it keeps those before
 * the point and rounds, so that 5.001 equals 5.00 of a DECIMAL(38,2); older versions keep those behind it, and get NULL.
 * Where the column is rounded too and may come to an item, the leaf is opaque. */
static void share_digits(typer *t, const column_ref *c, literal *item, size_t count, leaf_typing *leaf) {
    static const uint8_t int_digits[] = {3, 5, 10, 20};
    const data_type *type = &c->column->type;
    bool is_whole = type_is_integer(type->kind);
    if (leaf->result != TYPED || (!is_whole && type->kind != TYPE_DECIMAL)) return;
    unsigned whole = is_whole ? int_digits[type->kind - TYPE_BYTE] : (unsigned)(type->precision - type->scale), scale = type->scale;
    value v;
    for (size_t i = 0; i < count; i++) {
        if (!is_decimal_literal(&item[i], &v)) continue;
        if (whole_digits(&v) > whole) whole = whole_digits(&v);
        if (v.scale > scale) scale = v.scale;
    }
    if (whole + scale <= MOST_DIGITS) return;
    unsigned left = whole < MOST_DIGITS ? MOST_DIGITS - whole : 0;
    bool is_met = false; /* by a column that is rounded */
    for (size_t i = 0; i < count; i++) {
        value rounded;
        if (!is_decimal_literal(&item[i], &v)) continue;
        item[i].may_be_null = true;
        if (!value_round_decimal(&v, left, &rounded)) continue;
        is_met |= left < type->scale && is_within(&rounded, (unsigned)(type->precision - type->scale));
        if (v.scale <= left) continue;
        bool never = is_whole && has_fraction(rounded);
        add_reading(t, &item[i], (reading){.domain = READING_EXACT, .v = rounded, .never_equal = never});
    }
    if (!is_met) return;
    leaf->result = TYPED_OPAQUE;
    leaf->opaque_reason = STR("a comparison in which engines round the column");
}

/* Engines bring a column and all items of an IN list to one type, and some of them the three of BETWEEN: a DOUBLE among
 * them makes all of them doubles, so that 9007199254740993 IN (9007199254740992, 1e0) is true. */
static void share_types(typer *t, const column_ref *c, literal *item, size_t count) {
    static const reading_domain domain[] = {READING_DOUBLE, READING_FLOAT};
    type_kind kind = c->column->type.kind;
    if (!type_is_integer(kind) && kind != TYPE_DECIMAL) return;
    for (size_t d = 0; d < 2; d++) {
        bool is_met = false;
        for (size_t i = 0; i < count; i++) is_met |= has_reading(&item[i], domain[d]);
        for (size_t i = 0; is_met && i < count; i++) read_as_float_too(t, &item[i], type_is_integer(kind), domain[d]);
    }
}

/* The text of a date or time as Spark writes it: a fraction without zeros at its end, a blank before the time. */
static str spark_time_text(arena *query, const time_text *time, bool is_date) {
    buf b;
    buf_init(&b, query, 256);
    calendar_print_date(&b, time->days);
    if (is_date) return buf_str(&b);
    int64_t second = time->micros_of_day / 1000000, micros = time->micros_of_day % 1000000;
    buf_printf(&b, " %02lld:%02lld:%02lld.%06lld", (long long)(second / 3600), (long long)(second / 60 % 60), (long long)(second % 60),
               (long long)micros);
    while (b.ptr[b.len - 1] == '0' && micros) b.len--;
    if (!micros) b.len -= 7;
    return buf_str(&b);
}

/* Does the session's clock ever show it? */
static bool is_shown(const typer *t, int64_t wall) {
    int64_t earlier, later;
    zone_instants(t->options->session_zone, wall, &earlier, &later);
    return wall_in_session(t, earlier) == wall;
}

/* As texts, the two instants that a clock set back shows alike are equal. */
static void read_as_shown(typer *t, literal *l) {
    reading *grown = ARENA_ARRAY(t->query, reading, 2 * l->reading_count);
    size_t count = 0;
    for (size_t i = 0; i < l->reading_count; i++) {
        reading r = grown[count++] = l->reading[i], twin = r;
        int64_t earlier, later;
        zone_instants(t->options->session_zone, wall_in_session(t, r.v.i), &earlier, &later);
        twin.v.i = r.v.i == earlier ? later : earlier;
        if (earlier != later) grown[count++] = twin;
    }
    l->reading = grown;
    l->reading_count = count;
}

/* Is the literal the text that Spark makes of the value? Of floats nobody knows: their shortest text has changed in Java. */
static bool is_text_of_value(typer *t, const column_ref *c, const literal *l) {
    const data_type *type = &c->column->type;
    if (type->kind == TYPE_DATE || type->kind == TYPE_TIMESTAMP || type->kind == TYPE_TIMESTAMP_NTZ) {
        time_text time;
        bool is_date = type->kind == TYPE_DATE;
        if (l->kind != LITERAL_STRING) return is_date == (l->kind == LITERAL_DATE);
        return parse_time(t, l, &time) && str_eq(l->raw, spark_time_text(t->query, &time, is_date)) &&
               (type->kind != TYPE_TIMESTAMP || is_shown(t, time_text_wall_micros(&time)));
    }
    number n;
    if (type->kind == TYPE_FLOAT || type->kind == TYPE_DOUBLE || !number_parse(l->raw, &n)) return false;
    value v = rounded_to_scale(&n, type->kind == TYPE_DECIMAL ? type->scale : 0);
    buf b;
    buf_init(&b, t->query, 256);
    value_print(&b, &v);
    return str_eq(l->raw, buf_str(&b)) && (l->suffix == 0 || l->suffix == 'L' || l->suffix == 'B');
}

/* Spark without ANSI compares an IN list that holds a text as texts, if the column is none: then 7 is not in ('07'). */
static void compare_as_texts(typer *t, const column_ref *c, literal *item, size_t count) {
    type_kind kind = c->column->type.kind;
    if (!type_is_number(kind) && kind != TYPE_DATE && kind != TYPE_TIMESTAMP && kind != TYPE_TIMESTAMP_NTZ) return;
    bool has_text = false;
    for (size_t i = 0; i < count; i++) has_text |= item[i].kind == LITERAL_STRING;
    for (size_t i = 0; has_text && i < count; i++) {
        item[i].may_differ = !is_text_of_value(t, c, &item[i]);
        if (kind == TYPE_TIMESTAMP && item[i].kind == LITERAL_TIMESTAMP) read_as_shown(t, &item[i]);
    }
}

static lp_status type_list(typer *t, const predicate *p, predicate *q, const predicate **out) {
    leaf_typing leaf = {TYPED, STR_NONE, false};
    literal *item = ARENA_ARRAY(t->query, literal, p->in.count);
    for (size_t i = 0; i < p->in.count; i++) t->pads_column_only |= p->in.item[i].kind == LITERAL_NULL;
    for (size_t i = 0; i < p->in.count; i++) item[i] = type_literal(t, &p->in.column, &p->in.item[i], &leaf);
    t->pads_column_only = false;
    q->in.item = item;
    if (leaf.result == TYPED) {
        share_types(t, &p->in.column, item, p->in.count);
        share_digits(t, &p->in.column, item, p->in.count, &leaf);
        compare_as_texts(t, &p->in.column, item, p->in.count);
    }
    return finish_leaf(t, p, q, &p->in.column, &leaf, out);
}

static lp_status type_between(typer *t, const predicate *p, predicate *q, const predicate **out) {
    leaf_typing leaf = {TYPED, STR_NONE, false};
    literal limit[2];
    t->pads_column_only = true;
    limit[0] = type_literal(t, &p->between.column, &p->between.low, &leaf);
    limit[1] = type_literal(t, &p->between.column, &p->between.high, &leaf);
    t->pads_column_only = false;
    if (leaf.result == TYPED) share_types(t, &p->between.column, limit, 2);
    for (size_t i = 0; i < 2; i++) share_digits(t, &p->between.column, &limit[i], 1, &leaf);
    q->between.low = limit[0];
    q->between.high = limit[1];
    return finish_leaf(t, p, q, &p->between.column, &leaf, out);
}

static lp_status type_like(typer *t, const predicate *p, const predicate **out) {
    const data_type *type = &p->like.column.column->type;
    leaf_typing leaf = {TYPED_OPAQUE, STR("LIKE on a column that is no text"), false};
    if (type->collated) leaf.opaque_reason = STR("a column with a collation");
    bool has_text =
        !type_is_nested(type->kind) && type->kind != TYPE_VARIANT && type->kind != TYPE_GEO && type->kind != TYPE_OTHER;
    if (!type->collated && has_text) {
        *out = p;
        return LP_OK;
    }
    return finish_leaf(t, p, NULL, &p->like.column, &leaf, out);
}

static lp_status type_node(typer *t, const predicate *p, const predicate **out);

static lp_status type_junction(typer *t, const predicate *p, const predicate **out) {
    const predicate **item = ARENA_ARRAY(t->query, const predicate *, p->junction.count);
    for (size_t i = 0; i < p->junction.count; i++) TRY(type_node(t, p->junction.item[i], &item[i]));
    *out = predicate_junction(t->query, p->kind, item, p->junction.count);
    return LP_OK;
}

static lp_status type_node(typer *t, const predicate *p, const predicate **out) {
    leaf_typing leaf = {TYPED, STR_NONE, false};
    predicate *q = ARENA_NEW(t->query, predicate);
    *q = *p;
    switch (p->kind) {
    case PREDICATE_AND:
    case PREDICATE_OR: return type_junction(t, p, out);
    case PREDICATE_NOT:
        TRY(type_node(t, p->not .of, &q->not .of));
        *out = q;
        return LP_OK;
    case PREDICATE_TRUTH:
        TRY(type_node(t, p->truth.of, &q->truth.of));
        *out = q;
        return LP_OK;
    case PREDICATE_COMPARE:
        if (t->options->extended && p->compare.column.column->type.kind == TYPE_STRING && p->compare.value.kind == LITERAL_NUMBER) {
            *out = as_scalar_comparison(t, p);
            return LP_OK;
        }
        q->compare.value = type_literal(t, &p->compare.column, &p->compare.value, &leaf);
        share_digits(t, &p->compare.column, &q->compare.value, 1, &leaf);
        return finish_leaf(t, p, q, &p->compare.column, &leaf, out);
    case PREDICATE_IN: return type_list(t, p, q, out);
    case PREDICATE_BETWEEN: return type_between(t, p, q, out);
    case PREDICATE_DISTINCT:
        q->distinct.value = type_literal(t, &p->distinct.column, &p->distinct.value, &leaf);
        share_digits(t, &p->distinct.column, &q->distinct.value, 1, &leaf);
        return finish_leaf(t, p, q, &p->distinct.column, &leaf, out);
    case PREDICATE_LIKE: return type_like(t, p, out);
    case PREDICATE_SCALAR:
        q->scalar.of = scalar_type(t->query, p->scalar.of, t->options);
        q->scalar.reason = scalar_unknown_reason(q->scalar.of);
        *out = q;
        return LP_OK;
    case PREDICATE_IS_NULL:
    case PREDICATE_COLUMN:
    case PREDICATE_CONSTANT:
    case PREDICATE_OPAQUE: *out = p; return LP_OK;
    }
    UNREACHABLE();
}

lp_status predicate_type(arena *query, const predicate *p, const type_options *options, const predicate **out,
                         lp_err *err) {
    typer t = {query, options, err, false};
    return type_node(&t, p, out);
}
