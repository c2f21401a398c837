/* test_cell_writers.c - bounds as known writers record them enclose the value that they were made from.
 * Called by: ctest.  Must not know: files, actions.
 *
 * Each test draws random values from a fixed seed, plays a writer, reads what it wrote, and checks that the value lies
 * within the reach. A failure prints the text that was written.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "types/cell.h"

enum { ROUNDS = 20000 };

static arena memory;
static uint64_t seed;

static uint64_t next_random(void) { /* xorshift64* */
    seed ^= seed >> 12, seed ^= seed << 25, seed ^= seed >> 27;
    return seed * 0x2545F4914F6CDD1Du;
}

static uint64_t below(uint64_t limit) {
    return next_random() % limit;
}

static int start(void **state) {
    (void)state;
    seed = 20240103;
    arena_init(&memory, 0);
    return 0;
}

static int finish(void **state) {
    (void)state;
    arena_end(&memory);
    return 0;
}

static str printed(const value *v) {
    buf b;
    buf_init(&b, &memory, 1 << 16);
    value_print(&b, v);
    return buf_str(&b);
}

static void check_encloses(data_type type, str low, str high, bool is_string, const value *v) {
    bound min = cell_bound_from_json(type, low, is_string, BOUND_MIN);
    bound max = cell_bound_from_json(type, high, is_string, BOUND_MAX);
    assert_int_equal(min.state, CELL_VALUE);
    assert_int_equal(max.state, CELL_VALUE);
    if (value_compare(&min.reach, v) > 0 || value_compare(&max.reach, v) < 0)
        fail_msg(STR_FMT ": " STR_FMT " is not within " STR_FMT " to " STR_FMT, STR_ARG(type.name), STR_ARG(printed(v)),
                 STR_ARG(low), STR_ARG(high));
    bool may_be_called_exact = value_compare(&min.v, v) == 0 && value_compare(&max.v, v) == 0;
    if (min.exact && max.exact && value_compare(&min.v, &max.v) == 0) assert_true(may_be_called_exact);
}

/* ---- decimals */

static int128 random_unscaled(unsigned digits) {
    int128 limit = 1, d = 0;
    for (unsigned i = 0; i < digits; i++) limit *= 10;
    for (int i = 0; i < 4; i++) d = (d << 31 | (int128)below((uint64_t)1 << 31)) % limit;
    if (below(4) == 0) d = limit - 1 - d % 10; /* near the edge, where rounding adds a digit */
    return below(2) ? d : -d;
}

/* delta-rs: the digits and the power of ten as doubles, then a division or a multiplication. */
static double through_double(int128 unscaled, unsigned scale, bool multiply) {
    double power = pow(10, (double)scale);
    return multiply ? (double)unscaled * (1 / power) : (double)unscaled / power;
}

static void test_writers__decimals_through_a_double(void **state) {
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        unsigned precision = 1 + (unsigned)below(38), scale = (unsigned)below(precision + 1);
        data_type type = {
            .kind = TYPE_DECIMAL, .precision = (uint8_t)precision, .scale = (uint8_t)scale, .name = STR("decimal")};
        value v = {
            .kind = VALUE_DECIMAL, .scale = (uint8_t)scale, .d = random_unscaled(1 + (unsigned)below(precision))};
        value d = {.kind = VALUE_DOUBLE, .f = through_double(v.d, scale, below(2) == 0)};
        str text = printed(&d);
        check_encloses(type, text, text, false, &v);
        if (i % 1000 == 0) arena_reset(&memory);
    }
}

static void test_writers__decimals_with_all_digits(void **state) {
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        unsigned precision = 1 + (unsigned)below(38), scale = (unsigned)below(precision + 1);
        data_type type = {
            .kind = TYPE_DECIMAL, .precision = (uint8_t)precision, .scale = (uint8_t)scale, .name = STR("decimal")};
        value v = {.kind = VALUE_DECIMAL, .scale = (uint8_t)scale, .d = random_unscaled(precision)};
        str text = printed(&v);
        check_encloses(type, text, text, false, &v);
        if (i % 1000 == 0) arena_reset(&memory);
    }
}

/* ---- floats */

static void test_writers__floats_as_float_or_double_text_also_after_widening(void **state) {
    (void)state;
    data_type is_float = type_parse(STR("float")), is_double = type_parse(STR("double"));
    is_double.was_float = true;
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t bits = (uint32_t)next_random();
        float f;
        memcpy(&f, &bits, sizeof f);
        if (!isfinite(f)) continue;
        value v = {.kind = VALUE_FLOAT, .f = (double)f}, widened = {.kind = VALUE_DOUBLE, .f = (double)f};
        str as_float = printed(&v), as_double = printed(&widened);
        check_encloses(is_float, as_float, as_float, false, &v);
        check_encloses(is_float, as_double, as_double, false, &v);
        check_encloses(is_double, as_float, as_float, false, &widened);
        check_encloses(is_double, as_double, as_double, false, &widened);
        if (i % 1000 == 0) arena_reset(&memory);
    }
}

/* ---- timestamps */

static int64_t floor_to(int64_t micros, int64_t unit) {
    int64_t cut = micros / unit * unit;
    return cut > micros ? cut - unit : cut;
}

/* The wall clock at an offset, with so many digits of the fraction, as writers print it. */
static str time_printed(int64_t micros, int32_t offset_seconds, size_t digits, bool with_offset) {
    buf b;
    buf_init(&b, &memory, 200);
    calendar_print_micros(&b, micros + offset_seconds * INT64_C(1000000), false);
    b.len -= digits == 0 ? 7 : 6 - digits;
    if (!with_offset) return buf_str(&b);
    int32_t minutes = (offset_seconds < 0 ? -offset_seconds : offset_seconds) / 60; /* seconds are left out */
    if (minutes == 0)
        buf_put_char(&b, 'Z');
    else
        buf_printf(&b, "%c%02d:%02d", offset_seconds < 0 ? '-' : '+', minutes / 60, minutes % 60);
    return buf_str(&b);
}

static int64_t random_micros(void) {
    int64_t within[] = {4, 4000000, 200000000000, 9000000000000000, 30000000000000000};
    int64_t limit = within[below(5)];
    return (int64_t)below(2 * (uint64_t)limit) - limit;
}

static void test_writers__timestamps_cut_down_or_towards_zero(void **state) {
    (void)state;
    static const int32_t offsets[] = {0, 0, -28800, 19800, 3600, -18000, 45900};
    data_type instant = type_parse(STR("timestamp")), wall = type_parse(STR("timestamp_ntz"));
    for (int i = 0; i < ROUNDS; i++) {
        int64_t micros = random_micros();
        int64_t cut[] = {floor_to(micros, 1000), micros / 1000 * 1000, micros};
        size_t how = below(3), digits = how == 2 ? 6 : 3;
        value v = {.kind = VALUE_TIMESTAMP, .i = micros}, w = {.kind = VALUE_TIMESTAMP_NTZ, .i = micros};
        str text = time_printed(cut[how], offsets[below(7)], digits, true);
        check_encloses(instant, text, text, true, &v);
        text = time_printed(cut[how], 0, digits, false);
        check_encloses(wall, text, text, true, &w);
        check_encloses(instant, text, text, true, &v);
        if (i % 1000 == 0) arena_reset(&memory);
    }
}

static void test_writers__local_mean_times_without_their_seconds(void **state) {
    (void)state;
    static const int32_t offsets[] = {2996, -28378, 1172, -17762, 9017, -52, -2670, 3612};
    data_type type = type_parse(STR("timestamp"));
    for (int i = 0; i < ROUNDS; i++) {
        int64_t micros = -(int64_t)below(30000000000000000) - INT64_C(2208988800000000); /* before 1900 */
        value v = {.kind = VALUE_TIMESTAMP, .i = micros};
        str text = time_printed(floor_to(micros, 1000), offsets[below(8)], 3, true);
        check_encloses(type, text, text, true, &v);
        if (i % 1000 == 0) arena_reset(&memory);
    }
}

/* ---- strings */

static void put_scalar(buf *b, uint32_t c) {
    if (c < 0x80) {
        buf_put_char(b, (char)c);
    } else if (c < 0x800) {
        buf_put_char(b, (char)(0xC0 | c >> 6));
        buf_put_char(b, (char)(0x80 | (c & 0x3F)));
    } else if (c < 0x10000) {
        buf_put_char(b, (char)(0xE0 | c >> 12));
        buf_put_char(b, (char)(0x80 | (c >> 6 & 0x3F)));
        buf_put_char(b, (char)(0x80 | (c & 0x3F)));
    } else {
        buf_put_char(b, (char)(0xF0 | c >> 18));
        buf_put_char(b, (char)(0x80 | (c >> 12 & 0x3F)));
        buf_put_char(b, (char)(0x80 | (c >> 6 & 0x3F)));
        buf_put_char(b, (char)(0x80 | (c & 0x3F)));
    }
}

static uint32_t random_scalar(void) {
    static const uint32_t from[] = {'a', 'a', 'a', 0x7E, 0xE0, 0x4E00, 0xFFF0, 0x1F330, 0x10FFF0};
    return from[below(9)] + (uint32_t)below(8);
}

/* What a writer keeps: the first `units` UTF-16 units, a pair kept whole. */
static size_t kept_bytes(str text, size_t units) {
    size_t at = 0;
    for (size_t used = 0; at < text.len && used < units;) {
        size_t width = (unsigned char)text.ptr[at] >= 0xF0 ? 2 : 1;
        used += width;
        do at++;
        while (at < text.len && ((unsigned char)text.ptr[at] & 0xC0) == 0x80);
    }
    return at;
}

static str closed_with(str prefix, str tie_breaker) {
    return str_format(&memory, STR_FMT STR_FMT, STR_ARG(prefix), STR_ARG(tie_breaker));
}

static void test_writers__strings_cut_with_and_without_tie_breaker(void **state) {
    (void)state;
    data_type type = type_parse(STR("string"));
    for (int i = 0; i < ROUNDS; i++) {
        buf b;
        buf_init(&b, &memory, 4096);
        for (uint64_t n = below(60); n > 0; n--) put_scalar(&b, random_scalar());
        value v = {.kind = VALUE_STRING, .s = buf_str(&b)};
        size_t kept = kept_bytes(v.s, 32);
        str prefix = str_slice(v.s, 0, kept);
        bool is_cut = kept < v.s.len;
        bool below_del = is_cut && (unsigned char)v.s.ptr[kept] < 0x7F;
        check_encloses(type, prefix, prefix, true, &v); /* no tie breaker */
        check_encloses(type, prefix, is_cut ? closed_with(prefix, STR("\xEF\xBF\xBD")) : prefix, true, &v);
        str highest = closed_with(prefix, below_del ? STR("\x7F") : STR("\xF4\x8F\xBF\xBF"));
        check_encloses(type, prefix, is_cut ? highest : prefix, true, &v);
        if (i % 1000 == 0) arena_reset(&memory);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_writers__decimals_through_a_double),
        cmocka_unit_test(test_writers__decimals_with_all_digits),
        cmocka_unit_test(test_writers__floats_as_float_or_double_text_also_after_widening),
        cmocka_unit_test(test_writers__timestamps_cut_down_or_towards_zero),
        cmocka_unit_test(test_writers__local_mean_times_without_their_seconds),
        cmocka_unit_test(test_writers__strings_cut_with_and_without_tie_breaker),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
