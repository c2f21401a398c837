/* fold_text.c - functions over texts.
 * Called by: prune/fold.c.  Must not know: predicates, statistics.
 *
 * Texts between two bounds start with what both bounds start with. Cutting a text to its first n characters keeps the
 * order, so the bounds of a prefix are the prefixes of the bounds. Characters beyond ASCII change case by rules that
 * differ between engines, so with them nothing is said.
 */
#include <string.h>

#include "base/utf8.h"
#include "prune/fold_int.h"
#include "prune/pattern.h"
#include "prune/regex.h"

enum { MOST_BYTES = 1 << 16 }; /* longer texts are not made */

bool fold_is_ascii(str s) {
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] >= 0x80) return false;
    return true;
}

static value text_value(str s) {
    return (value){.kind = VALUE_STRING, .s = s};
}

/* A number of characters is an INT: what is beyond wraps in engines that cast it. */
static bool range_count(const value_range *r, int64_t *out) {
    return range_int(r, out) && *out >= INT32_MIN && *out <= INT32_MAX;
}

/* What every text of the range starts with. */
static str common_prefix(const value_range *r) {
    if (!r->has_low || !r->has_high) return STR("");
    str a = r->low.s, b = r->high.s;
    size_t n = 0;
    while (n < a.len && n < b.len && a.ptr[n] == b.ptr[n]) n++;
    while (n > 0 && n < a.len && ((unsigned char)a.ptr[n] & 0xC0) == 0x80) n--;
    while (n > 0 && n < b.len && ((unsigned char)b.ptr[n] & 0xC0) == 0x80) n--;
    return str_slice(a, 0, n);
}

/* All texts that start with s, s among them. */
static value_range starting_with(str s) {
    value_range r = range_unknown(TYPE_STRING, false);
    if (s.len == 0) return r;
    r.has_low = r.has_high = true;
    r.low = r.high = text_value(s);
    r.high.above_prefix = true;
    return r;
}

/* The first n characters; *shorter: the text has fewer. */
static str first_characters(str s, int64_t n, bool *shorter) {
    size_t at = 0;
    for (; n > 0 && at < s.len; n--) {
        size_t length = str_utf8_length(s, at);
        at += length ? length : 1;
    }
    *shorter = n > 0;
    return str_slice(s, 0, at);
}

/* ---------------------------------------------------------------------------------------------------- length */

void fold_length(fold *f, const value_range *arg) {
    const value_range *r = &arg[0];
    bool is_text = r->type == TYPE_STRING, single = range_is_single(r);
    if (!is_text && !(r->type == TYPE_BINARY && single)) {
        fold_yield(f, range_unknown(r->type == TYPE_BINARY ? TYPE_INTEGER : TYPE_OTHER, r->type != TYPE_BINARY));
        return;
    }
    int64_t least =
        is_text ? (int64_t)str_count_code_points(single ? r->low.s : common_prefix(r)) : (int64_t)r->low.s.len;
    value_range n = range_unknown(TYPE_INTEGER, false);
    n.has_low = true;
    n.has_high = single;
    n.low = n.high = (value){.kind = VALUE_INT, .i = least};
    fold_yield(f, n);
}

void fold_octet_length(fold *f, const value_range *arg) {
    if (arg[0].type != TYPE_STRING && arg[0].type != TYPE_BINARY) {
        fold_yield_unknown(f, TYPE_OTHER);
        return;
    }
    fold_yield_int(f, TYPE_INTEGER, (int64_t)arg[0].low.s.len);
}

/* ------------------------------------------------------------------------------------------------------ case */

static uint32_t cased_character(uint32_t c, bool up) {
    bool latin = c >= 0xC0 && c <= 0xFE && (c & 0x1F) != 0x17 && c != 0xDF; /* without the two operators and sharp s */
    if (up && (c >= 'a' && c <= 'z')) return c - 32;
    if (!up && (c >= 'A' && c <= 'Z')) return c + 32;
    if (latin) return up ? c & ~0x20u : c | 0x20u;
    return c;
}

/* Characters of which we know the case: ASCII, Latin-1 letters, and those that have none. */
static bool has_known_case(uint32_t c) {
    bool latin = c >= 0xC0 && c <= 0xFE && c != 0xDF;
    bool caseless = (c >= 0x3040 && c <= 0x30FF) || (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0xAC00 && c <= 0xD7A3) ||
                    (c >= 0x1F300 && c <= 0x1FAFF);
    return c < 0x80 || latin || caseless;
}

/* The text in the other case, if all of it is known. */
static bool cased_text(arena *scratch, str s, bool up, str *out) {
    buf b;
    buf_init(&b, scratch, SIZE_MAX / 2);
    char bytes[UTF8_MAX_BYTES];
    for (size_t at = 0; at < s.len;) {
        uint32_t c = utf8_next(s, &at);
        if (!has_known_case(c)) return false;
        buf_put(&b, (str){bytes, utf8_encode(cased_character(c, up), bytes)});
    }
    *out = buf_str(&b);
    return true;
}

static str changed_case(arena *scratch, str s, bool up) {
    char *out = arena_alloc_raw(scratch, s.len);
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        if (up && c >= 'a' && c <= 'z') c = (char)(c - 32);
        if (!up && c >= 'A' && c <= 'Z') c = (char)(c + 32);
        out[i] = c;
    }
    return (str){out, s.len};
}

/* Of a range the common prefix is changed, as far as it is ASCII. Its last character is left out: a mark behind it may
 * belong to it. */
static void fold_case_of(fold *f, const value_range *r, bool up) {
    bool single = range_is_single(r);
    str s = single ? r->low.s : common_prefix(r);
    if (single && fold_is_ascii(s)) {
        fold_yield_text(f, changed_case(f->scratch, s, up));
        return;
    }
    str cased;
    if (single && cased_text(f->scratch, s, up, &cased)) {
        fold_yield_text(f, cased);
        fold_yield_text(f, changed_case(f->scratch, s, up)); /* by engines that know ASCII only */
        return;
    }
    size_t ascii = 0;
    while (ascii < s.len && (unsigned char)s.ptr[ascii] < 0x80) ascii++;
    fold_yield(f, starting_with(changed_case(f->scratch, str_slice(s, 0, ascii ? ascii - 1 : 0), up)));
}

void fold_upper(fold *f, const value_range *arg) {
    fold_case_of(f, &arg[0], true);
}

void fold_lower(fold *f, const value_range *arg) {
    fold_case_of(f, &arg[0], false);
}

/* ------------------------------------------------------------------------------------------------------ blanks */

/* No white space in any sense: no control character and nothing in the neighbourhood of Unicode's blanks. */
static bool is_plain(uint32_t c) {
    bool low = c <= ' ' || (c >= 0x7F && c <= 0xA0), blank = c == 0x1680 || c == 0x180E || c == 0x3000 || c == 0xFEFF;
    return !low && !blank && !(c >= 0x2000 && c <= 0x206F);
}

static uint32_t first_character(str s) {
    size_t at = 0;
    return utf8_next(s, &at);
}

static uint32_t last_character(str s) {
    size_t start;
    return utf8_last(s, &start);
}

/* Blanks are taken off by all; of other white space engines differ. */
void fold_trim(fold *f, const value_range *arg) {
    str s = arg[0].low.s;
    bool left = f->func != FUNC_RTRIM, right = f->func != FUNC_LTRIM;
    while (left && s.len && s.ptr[0] == ' ') s = str_slice(s, 1, s.len);
    while (right && s.len && s.ptr[s.len - 1] == ' ') s = str_slice(s, 0, s.len - 1);
    bool clear = s.len == 0 || ((!left || is_plain(first_character(s))) && (!right || is_plain(last_character(s))));
    if (clear)
        fold_yield_text(f, s);
    else
        fold_yield_unknown(f, TYPE_STRING);
}

/* ------------------------------------------------------------------------------------------------------- joining */

static str joined(fold *f, str a, str b) {
    char *out = arena_alloc_raw(f->scratch, a.len + b.len);
    if (a.len) memcpy(out, a.ptr, a.len);
    if (b.len) memcpy(out + a.len, b.ptr, b.len);
    return (str){out, a.len + b.len};
}

/* Whole numbers and dates have one text; see fold_cast.c for the rest. */
static bool as_text(fold *f, const value_range *r, value_range *out) {
    if (r->type == TYPE_STRING) return *out = *r, true;
    if (!type_is_integer(r->type) || !range_is_single(r)) return false;
    buf b;
    buf_init(&b, f->scratch, 64);
    value_print(&b, &r->low);
    *out = range_single(TYPE_STRING, text_value(buf_str(&b)));
    return true;
}

/* A single text in front keeps the order of what follows; of a range in front the common prefix is sure. */
static value_range join_ranges(fold *f, const value_range *a, const value_range *b) {
    value_range x, y, r = range_unknown(TYPE_STRING, false);
    if (!as_text(f, a, &x) || !as_text(f, b, &y)) return range_unknown(TYPE_OTHER, false);
    if (!range_is_text(&x)) return starting_with(common_prefix(&x));
    bool too_long = x.low.s.len > MOST_BYTES || (y.has_low && y.low.s.len > MOST_BYTES) ||
                    (y.has_high && y.high.s.len > MOST_BYTES);
    if (too_long) return r;
    r = starting_with(x.low.s);
    if (y.has_low) {
        r.has_low = true;
        r.low = text_value(joined(f, x.low.s, y.low.s));
    }
    if (y.has_high) {
        r.has_high = true;
        r.high = text_value(joined(f, x.low.s, y.high.s));
        r.high.above_prefix = y.high.above_prefix;
    }
    return r;
}

void fold_join(fold *f, const value_range *arg) {
    fold_yield(f, join_ranges(f, &arg[0], &arg[1]));
}

/* Spark gives NULL where an argument is NULL, others pass over it. */
void fold_concat(fold *f, const value_range *arg) {
    bool any_null = false, any_value = true;
    value_range passed = range_single(TYPE_STRING, text_value(STR("")));
    for (size_t i = 0; i < f->count; i++) {
        any_null |= arg[i].can_be_null;
        any_value &= arg[i].can_be_value;
        if (arg[i].can_be_value && arg[i].can_be_null)
            passed = range_unknown(TYPE_STRING, false);
        else if (arg[i].can_be_value && passed.type == TYPE_STRING)
            passed = join_ranges(f, &passed, &arg[i]);
    }
    if (any_null) fold_yield(f, range_null(TYPE_STRING));
    if (f->count == 1 && arg[0].can_be_value && arg[0].type != TYPE_STRING) passed = range_unknown(TYPE_OTHER, false);
    passed.can_be_null = any_null || passed.type == TYPE_OTHER;
    (void)any_value;
    fold_yield(f, passed);
}

void fold_repeat(fold *f, const value_range *arg) {
    int64_t times;
    str s = arg[0].low.s;
    if (!range_count(&arg[1], &times) || times > MOST_BYTES || s.len > MOST_BYTES ||
        (times > 0 && s.len * (uint64_t)times > MOST_BYTES)) {
        fold_yield_unknown(f, TYPE_STRING);
        return;
    }
    buf b;
    buf_init(&b, f->scratch, 2 * MOST_BYTES);
    for (int64_t i = 0; i < times; i++) buf_put(&b, s);
    fold_yield_text(f, buf_str(&b));
}

/* ------------------------------------------------------------------------------------------------------- cutting */

/* The first n characters of every text of a range. */
static value_range prefix_range(const value_range *r, int64_t n) {
    value_range p = *r;
    bool shorter;
    if (r->has_low) p.low = text_value(first_characters(r->low.s, n, &shorter));
    if (!r->has_high) return p;
    p.high = text_value(first_characters(r->high.s, n, &shorter));
    p.high.above_prefix = r->high.above_prefix && shorter;
    return p;
}

static bool substring_of(str s, int64_t from, int64_t n, str *out) {
    bool shorter;
    str before = first_characters(s, from - 1, &shorter);
    *out = first_characters(str_slice(s, before.len, s.len), n, &shorter);
    return true;
}

/* Position 1 is the first character; 0 is the same in Spark, and the place before it elsewhere. From the end engines
 * count in their own ways. */
void fold_substring(fold *f, const value_range *arg) {
    int64_t from, n = INT32_MAX;
    str cut;
    bool known = range_count(&arg[1], &from) && from >= 0 && (f->count == 2 || (range_count(&arg[2], &n) && n >= 0));
    if (!known) {
        fold_yield_unknown(f, TYPE_STRING);
    } else if (from <= 1) {
        fold_yield(f, prefix_range(&arg[0], n));
        if (from == 0 && n < INT32_MAX) fold_yield(f, prefix_range(&arg[0], n > 0 ? n - 1 : 0));
    } else if (range_is_text(&arg[0]) && substring_of(arg[0].low.s, from, n, &cut)) {
        fold_yield_text(f, cut);
    } else {
        fold_yield_unknown(f, TYPE_STRING);
    }
}

void fold_left(fold *f, const value_range *arg) {
    int64_t n;
    if (range_count(&arg[1], &n) && n >= 0)
        fold_yield(f, prefix_range(&arg[0], n));
    else
        fold_yield_unknown(f, TYPE_STRING);
}

void fold_right(fold *f, const value_range *arg) {
    int64_t n;
    str s = arg[0].low.s, cut;
    if (!range_count(&arg[1], &n) || n < 0) {
        fold_yield_unknown(f, TYPE_STRING);
        return;
    }
    int64_t have = (int64_t)str_count_code_points(s);
    (void)substring_of(s, n < have ? have - n + 1 : 1, n, &cut);
    fold_yield_text(f, cut);
}

void fold_replace(fold *f, const value_range *arg) {
    if (arg[1].type != TYPE_STRING || arg[2].type != TYPE_STRING) {
        fold_yield_unknown(f, TYPE_OTHER);
        return;
    }
    str s = arg[0].low.s, from = arg[1].low.s, to = arg[2].low.s;
    buf b;
    buf_init(&b, f->scratch, SIZE_MAX / 2);
    for (size_t at = 0; at < s.len;) {
        if (b.len > MOST_BYTES) {
            fold_yield_unknown(f, TYPE_STRING);
            return;
        }
        bool found = from.len && str_starts_with(str_slice(s, at, s.len), from);
        buf_put(&b, found ? to : str_slice(s, at, at + 1));
        at += found ? from.len : 1;
    }
    fold_yield_text(f, buf_str(&b));
}

/* ----------------------------------------------------------------------------------------------------- finding */

static bool find_text(str s, str needle, size_t *at) {
    for (*at = 0; *at + needle.len <= s.len; ++*at)
        if (memcmp(s.ptr + *at, needle.ptr, needle.len) == 0) return true;
    return false;
}

static void yield_bool(fold *f, bool b) {
    fold_yield_outcome(f, b ? OUTCOME_TRUE : OUTCOME_FALSE);
}

void fold_starts_with(fold *f, const value_range *arg) {
    const value_range *s = &arg[0], *p = &arg[1];
    if (!range_is_text(p)) {
        fold_yield(f, range_unknown(TYPE_BOOLEAN, p->type != TYPE_STRING));
        return;
    }
    value_range with = starting_with(p->low.s);
    bool above = s->has_low && with.has_high && value_compare(&s->low, &with.high) > 0;
    bool below = s->has_high && with.has_low && value_compare(&s->high, &with.low) < 0;
    bool all = str_starts_with(common_prefix(s), p->low.s);
    fold_yield_outcome(f, above || below ? OUTCOME_FALSE : all ? OUTCOME_TRUE : OUTCOME_TRUE | OUTCOME_FALSE);
}

void fold_ends_with(fold *f, const value_range *arg) {
    if (arg[1].type == TYPE_STRING)
        yield_bool(f, str_ends_with(arg[0].low.s, arg[1].low.s));
    else
        fold_yield(f, range_unknown(TYPE_BOOLEAN, true));
}

void fold_contains(fold *f, const value_range *arg) {
    size_t at;
    if (arg[1].type == TYPE_STRING)
        yield_bool(f, find_text(arg[0].low.s, arg[1].low.s, &at));
    else
        fold_yield(f, range_unknown(TYPE_BOOLEAN, true));
}

void fold_rlike(fold *f, const value_range *arg) {
    if (arg[1].type != TYPE_STRING) {
        fold_yield(f, range_unknown(TYPE_BOOLEAN, true));
        return;
    }
    switch (regex_find(arg[1].low.s, arg[0].low.s)) {
    case REGEX_NO: fold_yield_outcome(f, OUTCOME_FALSE); return;
    case REGEX_YES: fold_yield_outcome(f, OUTCOME_TRUE); return;
    case REGEX_UNKNOWN: fold_yield_unknown(f, TYPE_BOOLEAN); return;
    }
    UNREACHABLE();
}

void fold_instr(fold *f, const value_range *arg) {
    size_t at;
    if (arg[1].type != TYPE_STRING) {
        fold_yield_unknown(f, TYPE_OTHER);
        return;
    }
    bool found = find_text(arg[0].low.s, arg[1].low.s, &at);
    fold_yield_int(f, TYPE_INTEGER, found ? (int64_t)str_count_code_points(str_slice(arg[0].low.s, 0, at)) + 1 : 0);
}

void fold_hex(fold *f, const value_range *arg) {
    static const char digit[] = "0123456789ABCDEF";
    if ((arg[0].type != TYPE_STRING && arg[0].type != TYPE_BINARY) || arg[0].low.s.len > MOST_BYTES) {
        fold_yield_unknown(f, TYPE_STRING);
        return;
    }
    str s = arg[0].low.s;
    char *out = arena_alloc_raw(f->scratch, 2 * s.len);
    for (size_t i = 0; i < s.len; i++) {
        out[2 * i] = digit[(unsigned char)s.ptr[i] >> 4];
        out[2 * i + 1] = digit[(unsigned char)s.ptr[i] & 15];
    }
    fold_yield_text(f, (str){out, 2 * s.len});
}

/* -------------------------------------------------------------------------------------------------------- LIKE */

static outcome_set like_outcome(fold *f, const value_range *s, str pattern, uint32_t escape) {
    if (range_is_text(s)) return pattern_matches(pattern, escape, s->low.s) ? OUTCOME_TRUE : OUTCOME_FALSE;
    column_fact fact = {
        .can_be_value = true, .has_low = s->has_low, .has_high = s->has_high, .low = s->low, .high = s->high};
    return pattern_within(&fact, pattern, escape, f->scratch);
}

/* A backslash escapes in Spark and is a plain character elsewhere, as in pattern.c. */
void fold_like(fold *f, const value_range *arg) {
    const value_range *s = &arg[0], *pattern = &arg[1];
    bool any_null = false, any_value = true;
    for (size_t i = 0; i < f->count; i++) {
        any_null |= arg[i].can_be_null;
        any_value &= arg[i].can_be_value;
    }
    unsigned set = any_null ? OUTCOME_NULL : OUTCOME_NONE;
    if (any_value && (s->type != TYPE_STRING || !range_is_text(pattern))) {
        bool unclear = s->type != TYPE_STRING || pattern->type != TYPE_STRING;
        set |= OUTCOME_TRUE | OUTCOME_FALSE | (unclear ? OUTCOME_NULL : OUTCOME_NONE);
    } else if (any_value && f->count == 2) {
        size_t at;
        set |= like_outcome(f, s, pattern->low.s, 0);
        if (str_find_char(pattern->low.s, '\\', &at)) set |= like_outcome(f, s, pattern->low.s, '\\');
    } else if (any_value) {
        size_t at = 0;
        bool known = range_is_text(&arg[2]) && arg[2].low.s.len > 0;
        uint32_t escape = known ? utf8_next(arg[2].low.s, &at) : 0;
        if (known && at == arg[2].low.s.len && escape)
            set |= like_outcome(f, s, pattern->low.s, escape);
        else
            set |= OUTCOME_ANY;
    }
    fold_yield_outcome(f, (outcome_set)set);
}

/* Without regard to case: both in lower case, if they are ASCII. */
void fold_ilike(fold *f, const value_range *arg) {
    bool known = f->count == 2 && range_is_text(&arg[0]) && range_is_text(&arg[1]) && fold_is_ascii(arg[0].low.s) &&
                 fold_is_ascii(arg[1].low.s);
    value_range lower[3];
    for (size_t i = 0; i < f->count && i < 3; i++) {
        lower[i] = arg[i];
        if (known)
            lower[i].low.s = lower[i].high.s = changed_case(f->scratch, arg[i].low.s, false);
        else
            lower[i].has_low = lower[i].has_high = false;
    }
    fold_like(f, lower);
}
