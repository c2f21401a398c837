/* value_set.c - sets of values of one kind, as cuts of an ordered line.
 * Called by: grain/domain.c.  Must not know: columns, conditions.
 */
#include "grain/value_set.h"

#include <stdlib.h>

const value_set value_set_all = {.line = LINE_ANY};
static const int64_t micros_of_day = INT64_C(86400000000);

/* ---- cuts ---- */

static int cut_compare(const value_cut *a, const value_cut *b) {
    if (a->infinite != b->infinite) return a->infinite < b->infinite ? -1 : 1;
    if (a->infinite) return 0;
    int order = value_compare(&a->at, &b->at);
    return order ? order : (int)a->is_behind - (int)b->is_behind;
}

static bool is_whole_line(value_line line) {
    return line == LINE_INTEGER || line == LINE_DAY || line == LINE_BOOLEAN;
}

static int64_t step_of(value_line line) {
    return line == LINE_DAY ? micros_of_day : 1;
}

/* The greatest whole number at or below; false when it is out of reach. */
static bool floor_of(const value *v, int64_t step, int64_t *out, bool *is_exact) {
    if (v->kind != VALUE_DECIMAL) {
        int64_t rest = v->i % step;
        *is_exact = rest == 0;
        if (v->i < INT64_MIN + step) return false;
        *out = v->i - (rest < 0 ? rest + step : rest);
        return true;
    }
    int128 unit = 1;
    for (uint8_t i = 0; i < v->scale; i++) unit *= 10;
    int128 whole = v->d / unit;
    *is_exact = v->d % unit == 0;
    if (v->d < 0 && !*is_exact) whole--;
    if (whole < INT64_MIN / 2 || whole > INT64_MAX / 2) return false;
    *out = (int64_t)whole;
    return true;
}

/* Before the first whole number that is above the cut. */
static value_cut settled(value_line line, value_cut c) {
    int64_t whole;
    bool is_exact;
    if (c.infinite || !is_whole_line(line) || !floor_of(&c.at, step_of(line), &whole, &is_exact)) return c;
    bool next = c.is_behind || !is_exact;
    if (next && whole > INT64_MAX - step_of(line)) return c;
    value at = c.at;
    if (at.kind == VALUE_DECIMAL) at = (value){.kind = VALUE_INT};
    at.i = next ? whole + step_of(line) : whole;
    return (value_cut){.at = at};
}

/* ---- sets ---- */

value_set value_set_none(value_line line) {
    return (value_set){.line = line};
}

static value_cut end_of(value_line line, bool is_low) {
    if (line == LINE_BOOLEAN) return (value_cut){.at = {.kind = VALUE_BOOLEAN, .i = is_low ? 0 : 2}};
    return (value_cut){.infinite = is_low ? -1 : 1};
}

value_set value_set_range(arena *owner, value_line line, const value *low, bool low_is_in, const value *high,
                          bool high_is_in) {
    value_cut from = low ? settled(line, (value_cut){.is_behind = !low_is_in, .at = *low}) : end_of(line, true);
    value_cut to = high ? settled(line, (value_cut){.is_behind = high_is_in, .at = *high}) : end_of(line, false);
    if (cut_compare(&from, &to) >= 0) return value_set_none(line);
    value_cut *cut = ARENA_ARRAY(owner, value_cut, 2);
    cut[0] = from, cut[1] = to;
    return (value_set){.line = line, .cut = cut, .count = 2};
}

value_set value_set_point(arena *owner, value_line line, const value *v) {
    value_set s = value_set_range(owner, line, v, true, v, true);
    bool whole = is_whole_line(line), exact = true;
    int64_t at;
    if (whole && floor_of(v, step_of(line), &at, &exact) && !exact) return value_set_none(line);
    return s;
}

typedef enum set_rule { IN_BOTH, IN_EITHER, IN_FIRST_ONLY } set_rule;

static bool is_inside(set_rule rule, bool in_a, bool in_b) {
    if (rule == IN_BOTH) return in_a && in_b;
    return rule == IN_EITHER ? in_a || in_b : in_a && !in_b;
}

static value_set merge(arena *owner, value_set a, value_set b, set_rule rule) {
    value_cut *cut = ARENA_ARRAY(owner, value_cut, a.count + b.count);
    size_t count = 0, i = 0, k = 0;
    while (i < a.count || k < b.count) {
        int order = i == a.count ? 1 : k == b.count ? -1 : cut_compare(&a.cut[i], &b.cut[k]);
        const value_cut *here = order <= 0 ? &a.cut[i] : &b.cut[k];
        if (order <= 0) i++;
        if (order >= 0) k++;
        if (is_inside(rule, i % 2, k % 2) != (count % 2 == 1)) cut[count++] = *here;
    }
    return (value_set){.line = a.line, .cut = cut, .count = count, .is_blurred = a.is_blurred || b.is_blurred};
}

static value_set capped(arena *owner, value_set s) {
    if (s.count <= 2 * VALUE_SET_MAX_RANGES) return s;
    value_cut *cut = ARENA_ARRAY(owner, value_cut, 2);
    cut[0] = s.cut[0], cut[1] = s.cut[s.count - 1];
    s.cut = cut, s.count = 2;
    return s;
}

/* Whole numbers are numbers, days are times: the sparser line holds what both hold. */
static bool lines_meet(value_line a, value_line b) {
    if (a == b) return true;
    bool numbers = (a == LINE_NUMBER || a == LINE_INTEGER) && (b == LINE_NUMBER || b == LINE_INTEGER);
    bool times = (a == LINE_TIME || a == LINE_DAY) && (b == LINE_TIME || b == LINE_DAY);
    return numbers || times;
}

/* Moving cuts keeps their order; two that fall together leave nothing between them, or no gap. */
static value_set on_line(arena *owner, value_set s, value_line line) {
    bool must_settle = is_whole_line(line) && s.line != line;
    s.line = line;
    if (!must_settle) return s;
    value_cut *cut = ARENA_ARRAY(owner, value_cut, s.count);
    size_t count = 0;
    for (size_t i = 0; i < s.count; i++) {
        cut[count++] = settled(line, s.cut[i]);
        if (count > 1 && cut_compare(&cut[count - 2], &cut[count - 1]) >= 0) count -= 2;
    }
    s.cut = cut, s.count = count;
    return s;
}

value_set value_set_both(arena *owner, value_set a, value_set b) {
    if (a.line == LINE_ANY || value_set_is_empty(b)) return b;
    if (b.line == LINE_ANY || value_set_is_empty(a) || !lines_meet(a.line, b.line)) return a;
    value_line line = is_whole_line(b.line) ? b.line : a.line;
    value_set out = capped(owner, merge(owner, on_line(owner, a, line), on_line(owner, b, line), IN_BOTH));
    out.exact = str_is_none(a.exact) ? b.exact : a.exact;
    return out;
}

value_set value_set_either(arena *owner, value_set a, value_set b) {
    if (value_set_is_empty(a)) return b;
    if (value_set_is_empty(b)) return a;
    if (a.line == LINE_ANY || b.line == LINE_ANY || !lines_meet(a.line, b.line)) return value_set_all;
    value_line line = is_whole_line(b.line) ? a.line : b.line;
    a = on_line(owner, a, line), b = on_line(owner, b, line);
    value_set out = capped(owner, merge(owner, a, b, IN_EITHER));
    bool same_text = !str_is_none(a.exact) && str_eq(a.exact, b.exact);
    if (same_text && out.count == 2)
        out.exact = a.exact;
    else if (line == LINE_LOOSE)
        out.is_blurred |= merge(owner, a, b, IN_BOTH).count > 0;
    return out;
}

value_set value_set_complement(arena *owner, value_set a) {
    if (a.line == LINE_ANY) return value_set_all; /* of what is not known nothing is known either */
    value_cut whole[2] = {end_of(a.line, true), end_of(a.line, false)};
    return capped(owner, merge(owner, (value_set){.line = a.line, .cut = whole, .count = 2}, a, IN_FIRST_ONLY));
}

static int by_value(const void *a, const void *b) {
    return value_compare(a, b);
}

value_set value_set_points(arena *owner, value_line line, value *v, size_t count) {
    qsort(v, count, sizeof *v, by_value);
    if (count > VALUE_SET_MAX_RANGES) return value_set_range(owner, line, &v[0], true, &v[count - 1], true);
    value_cut *cut = ARENA_ARRAY(owner, value_cut, 2 * count);
    value_set out = value_set_none(line);
    for (size_t i = 0; i < count; i++) {
        if (i && value_compare(&v[i - 1], &v[i]) == 0) {
            out.is_blurred |= line == LINE_LOOSE;
            continue;
        }
        value_set point = value_set_point(owner, line, &v[i]);
        for (size_t k = 0; k < point.count; k++) {
            cut[out.count++] = point.cut[k];
            bool meets = k == 0 && out.count > 1 && cut_compare(&cut[out.count - 2], &cut[out.count - 1]) == 0;
            if (meets) out.count -= 2;
        }
    }
    out.cut = cut;
    return out;
}

bool value_set_is_all(value_set s) {
    if (s.line == LINE_ANY) return true;
    if (s.count != 2) return false;
    value_cut low = end_of(s.line, true), high = end_of(s.line, false);
    return cut_compare(&s.cut[0], &low) <= 0 && cut_compare(&s.cut[1], &high) >= 0;
}

bool value_set_is_empty(value_set s) {
    return s.line != LINE_ANY && s.count == 0;
}

static uint64_t range_size(value_line line, const value_cut *low, const value_cut *high) {
    if (low->infinite || high->infinite) return UINT64_MAX;
    if (is_whole_line(line)) {
        bool settled_both =
            !low->is_behind && !high->is_behind && low->at.kind != VALUE_DECIMAL && high->at.kind != VALUE_DECIMAL;
        if (!settled_both) return UINT64_MAX;
        return ((uint64_t)high->at.i - (uint64_t)low->at.i) / (uint64_t)step_of(line);
    }
    bool is_point = value_compare(&low->at, &high->at) == 0 && !low->is_behind && high->is_behind;
    return is_point ? 1 : UINT64_MAX;
}

uint64_t value_set_size(value_set s) {
    uint64_t size = 0;
    if (s.line == LINE_ANY || s.is_blurred) return s.count == 0 && s.line != LINE_ANY ? 0 : UINT64_MAX;
    for (size_t i = 0; i + 1 < s.count; i += 2) {
        uint64_t one = range_size(s.line, &s.cut[i], &s.cut[i + 1]);
        size = one < UINT64_MAX - size ? size + one : UINT64_MAX;
    }
    return size;
}

bool value_set_is_single(value_set s, value *out) {
    if (s.count != 2 || value_set_size(s) != 1) return false;
    *out = s.cut[0].at;
    return true;
}
