/* cell_fuzz.c - properties of the readers of numbers, times, zones and cells on any bytes.
 * Called by: libFuzzer, or the replay driver.  Must not know: files, actions.
 *
 * The first byte picks the reader, see `modes`; cells take a type and a source from the next bytes.
 *
 * 1. A number lies between the neighbours of the double and the float nearest to it; what is said to be exact compares
 *    as equal; what is printed reads back.
 * 2. A bound reaches outwards from what was recorded, and not at all if it is exact. The minimum's reach is not above
 * the maximum's.
 * 3. A partition cell has one or two readings just if it has a value, the smaller first.
 * 4. A time that is printed reads back.
 * 5. The periods of a zone follow each other without gap or overlap.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/door.h"
#include "types/cell.h"
#include "types/number.h"
#include "types/tzif.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "property does not hold: %s\n", #condition);                                               \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

static const char *const types[] = {"byte",         "short",          "integer", "long",          "float",   "double",
                                    "decimal(9,2)", "decimal(38,18)", "string",  "binary",        "boolean", "date",
                                    "timestamp",    "timestamp_ntz",  "void",    "decimal(38,38)"};

static data_type pick_type(uint8_t choice) {
    data_type t = type_parse(str_from(types[choice % 16]));
    t.was_float = t.kind == TYPE_DOUBLE && choice >= 128;
    t.collated = t.kind == TYPE_STRING && choice >= 240;
    return t;
}

static str printed(arena *a, const value *v) {
    buf b;
    buf_init(&b, a, SIZE_MAX / 4);
    value_print(&b, v);
    return buf_str(&b);
}

/* ---- numbers */

static void check_nearest(const number *n, value rounded, value before, value after) {
    if (isinf(rounded.f)) return;
    MUST(number_compare(&before, n) < 0 && number_compare(&after, n) > 0);
}

static void check_reads_back(arena *a, const value *v) {
    number n;
    if (!isfinite(v->f)) return;
    MUST(number_parse(printed(a, v), &n));
    MUST(v->kind == VALUE_DOUBLE ? number_to_double(&n) == v->f : (double)number_to_float(&n) == v->f);
}

/* What the short way takes is a number, and the same one. */
static void check_short(str text) {
    number n;
    double d, f;
    if (!number_read_short(text, false, &d)) return;
    MUST(number_read_short(text, true, &f) && number_parse(text, &n));
    MUST(number_to_double(&n) == d && (double)number_to_float(&n) == f && n.negative == (signbit(d) != 0));
}

static void run_number(str text, arena *a) {
    number n;
    value exact;
    check_short(text);
    if (!number_parse(text, &n)) return;
    value d = {.kind = VALUE_DOUBLE, .f = number_to_double(&n)},
          f = {.kind = VALUE_FLOAT, .f = (double)number_to_float(&n)};
    check_nearest(&n, d, (value){.kind = VALUE_DOUBLE, .f = double_before(d.f)},
                  (value){.kind = VALUE_DOUBLE, .f = double_after(d.f)});
    check_nearest(&n, f, (value){.kind = VALUE_FLOAT, .f = (double)nextafterf((float)f.f, -INFINITY)},
                  (value){.kind = VALUE_FLOAT, .f = (double)nextafterf((float)f.f, INFINITY)});
    check_reads_back(a, &d);
    check_reads_back(a, &f);
    if (number_to_decimal(&n, &exact)) {
        MUST(number_compare(&exact, &n) == 0);
        MUST(value_to_double(&exact).f == d.f && value_to_float(&exact).f == f.f);
        MUST(value_compare(&exact, &d) == -number_compare(&d, &n));
    }
    exact = (value){.kind = VALUE_INT};
    if (number_to_int64(&n, &exact.i)) {
        MUST(number_compare(&exact, &n) == 0 && number_truncate(&n) == exact.i && number_round(&n) == exact.i);
        MUST(value_to_double(&exact).f == d.f);
    }
}

/* ---- cells */

static void check_bound(bound b, bound_side side, arena *a) {
    if (b.state != CELL_VALUE) return;
    int order = value_compare(&b.reach, &b.v);
    MUST(side == BOUND_MIN ? order <= 0 : order >= 0);
    MUST(!b.exact || order == 0);
    printed(a, &b.v);
    printed(a, &b.reach);
}

static void check_both(bound low, bound high, arena *a) {
    check_bound(low, BOUND_MIN, a);
    check_bound(high, BOUND_MAX, a);
    if (low.state == CELL_VALUE && high.state == CELL_VALUE) MUST(value_compare(&low.reach, &high.reach) <= 0);
}

static void run_token(str text, arena *a) {
    if (text.len < 2) return;
    data_type type = pick_type((uint8_t)text.ptr[0]);
    bool is_string = text.ptr[1] % 2 != 0;
    str token = str_slice(text, 2, text.len);
    check_both(cell_bound_from_json(type, token, is_string, BOUND_MIN),
               cell_bound_from_json(type, token, is_string, BOUND_MAX), a);
}

static void run_leaf(str text, arena *a) {
    if (text.len < 4) return;
    parquet_cell c = {.physical = (uint8_t)text.ptr[1] % 8,
                      .logical = (uint8_t)text.ptr[2] % 10,
                      .scale = (signed char)text.ptr[3],
                      .is_adjusted_to_utc = (uint8_t)text.ptr[1] >= 128};
    str rest = str_slice(text, 4, text.len);
    uint64_t bits = 0;
    memcpy(&bits, rest.ptr, rest.len < 8 ? rest.len : 8);
    switch (c.physical) { /* as in pq_type */
    case 0: c.i = (int64_t)(bits & 1); break;
    case 1: c.i = (int32_t)(uint32_t)bits; break;
    case 2: c.i = (int64_t)bits; break;
    case 4: {
        float f;
        memcpy(&f, &bits, sizeof f);
        c.f = (double)f;
        break;
    }
    case 5: memcpy(&c.f, &bits, sizeof c.f); break;
    default: c.bytes = rest;
    }
    data_type type = pick_type((uint8_t)text.ptr[0]);
    check_both(cell_bound_from_parquet(type, &c, BOUND_MIN), cell_bound_from_parquet(type, &c, BOUND_MAX), a);
}

static void run_partition(str text, arena *a) {
    if (text.len < 1) return;
    zone_database *zones = zone_database_new(a);
    str session = (uint8_t)text.ptr[0] % 3 == 0 ? STR("UTC") : STR("America/New_York");
    const zone *z;
    if (zone_find(zones, session, &z, NULL) != LP_OK) z = zone_utc();
    str value_text = str_slice(text, 1, text.len);
    partition_cell c = cell_from_partition_text(pick_type((uint8_t)text.ptr[0]), true, value_text, z, zones, a);
    MUST(c.value_count <= 2 && (c.state == CELL_VALUE) == (c.value_count > 0));
    MUST(c.value_count < 2 || value_compare(&c.v[0], &c.v[1]) < 0);
    for (uint8_t i = 0; i < c.value_count; i++) printed(a, &c.v[i]);
}

/* ---- times and zones */

static void run_time(str text, arena *a) {
    time_text t, again;
    zone_database *zones = zone_database_new(a);
    if (!time_text_parse(text, zones, true, &t)) return;
    int64_t wall = time_text_wall_micros(&t), earlier, later;
    time_text_instants(&t, zone_utc(), &earlier, &later);
    MUST(earlier <= later);
    buf b;
    buf_init(&b, a, 100);
    calendar_print_micros(&b, wall, false);
    MUST(time_text_parse(buf_str(&b), NULL, false, &again) && time_text_wall_micros(&again) == wall);
}

static void check_periods(const zone_table *t, int64_t from) {
    zone_period p = zone_table_period(t, from);
    MUST(p.from <= from && from < p.until);
    const int64_t far = INT64_MAX / 1000000; /* as far as microseconds reach */
    for (int i = 0; i < 40 && p.until < far && p.until > -far; i++) {
        zone_period next = zone_table_period(t, p.until);
        MUST(next.from == p.until && next.until > next.from);
        MUST(zone_table_period(t, next.from - 1).offset == p.offset);
        p = next;
    }
}

static void run_tzif(str bytes, arena *a) {
    zone_table t;
    if (tzif_parse(bytes, a, &t, NULL) != LP_OK) return;
    check_periods(&t, INT64_MIN / 1000000);
    check_periods(&t, 1700000000);
    check_periods(&t, INT64_MAX / 1000000 - 40 * INT64_C(31556952));
    if (t.count > 0 && llabs(t.at[t.count - 1] / 2) < INT64_MAX / 4000000) check_periods(&t, t.at[t.count - 1] - 1);
}

static void run_rule(str text, arena *a) {
    (void)a;
    zone_table t = {.count = 0};
    if (!zone_rule_parse(text, &t.rule)) return;
    check_periods(&t, -10000000000);
    check_periods(&t, 1700000000);
}

static void run_zone_name(str text, arena *a) {
    zone_database *zones = zone_database_new(a);
    const zone *z;
    lp_err err;
    if (zone_find(zones, text, &z, &err) != LP_OK) {
        MUST(err.text[0] != '\0');
        return;
    }
    MUST(str_eq(zone_name(z), text));
    for (int64_t wall = -3000000000000000; wall < 5000000000000000; wall += 100003 * INT64_C(3600000000)) {
        int64_t earlier, later;
        zone_instants(z, wall, &earlier, &later);
        MUST(earlier <= later);
        MUST(earlier == later || (earlier + zone_offset_at(z, earlier) * INT64_C(1000000) == wall &&
                                  later + zone_offset_at(z, later) * INT64_C(1000000) == wall));
    }
}

/* ---- */

static const struct {
    char mode;
    void (*run)(str text, arena *a);
} modes[] = {
    {'n', run_number}, {'j', run_token}, {'l', run_leaf}, {'p', run_partition},
    {'t', run_time},   {'b', run_tzif},  {'r', run_rule}, {'z', run_zone_name},
};

typedef struct input {
    const uint8_t *data;
    size_t size;
} input;

static lp_status run(void *context, lp_err *err) {
    (void)err;
    const input *in = context;
    arena a;
    arena_init(&a, 0);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (in->data[0] == modes[i].mode) modes[i].run((str){(const char *)in->data + 1, in->size - 1}, &a);
    arena_end(&a);
    return LP_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    input in = {data, size};
    lp_err err;
    MUST(door_run(run, &in, &err) == LP_OK);
    return 0;
}
