/* regex.c - match simple regular expressions by the set of places where a match may stand.
 * Called by: prune/fold_text.c.  Must not know: predicates.
 */
#include "prune/regex.h"

#include "base/utf8.h"

enum { MOST_ATOMS = 62 };

typedef enum atom_kind { ATOM_CHARACTER, ATOM_ANY, ATOM_CLASS } atom_kind;

typedef struct atom {
    atom_kind kind;
    bool may_repeat, may_miss;
    uint32_t character;
    str items; /* ATOM_CLASS: between the brackets, without the ^ */
    bool negated;
} atom;

typedef struct regex {
    atom item[MOST_ATOMS + 1];
    unsigned count;
    bool from_start, to_end, has_any;
} regex;

static bool is_one_of(uint32_t c, const char *set) {
    for (; *set; set++)
        if (c == (unsigned char)*set) return true;
    return false;
}

static bool read_class(str pattern, size_t *at, atom *a) {
    a->kind = ATOM_CLASS;
    a->negated = *at < pattern.len && pattern.ptr[*at] == '^';
    if (a->negated) ++*at;
    size_t from = *at;
    while (*at < pattern.len && pattern.ptr[*at] != ']') {
        if (is_one_of((unsigned char)pattern.ptr[*at], "[\\&^~|")) return false;
        ++*at;
    }
    a->items = str_slice(pattern, from, *at);
    if (*at == pattern.len || a->items.len == 0) return false;
    ++*at;
    return true;
}

static bool read_atom(str pattern, size_t *at, atom *a) {
    *a = (atom){.kind = ATOM_CHARACTER};
    uint32_t c = utf8_next(pattern, at);
    if (c == '[') return read_class(pattern, at, a);
    if (is_one_of(c, "\\^$|?*+(){}]")) return false;
    a->kind = c == '.' ? ATOM_ANY : ATOM_CHARACTER;
    a->character = c;
    return true;
}

/* a+ is a followed by a*. */
static bool add_quantified(regex *r, atom a, char quantifier) {
    if (r->count + 2 > MOST_ATOMS) return false;
    if (quantifier == '+') r->item[r->count++] = a;
    a.may_repeat = quantifier == '*' || quantifier == '+';
    a.may_miss = a.may_repeat || quantifier == '?';
    r->item[r->count++] = a;
    r->has_any |= a.kind == ATOM_ANY || a.negated;
    return true;
}

static bool read_regex(str pattern, regex *r) {
    *r = (regex){.count = 0};
    size_t at = 0;
    if (at < pattern.len && pattern.ptr[at] == '^') r->from_start = ++at > 0;
    while (at < pattern.len) {
        if (pattern.ptr[at] == '$' && at + 1 == pattern.len) return r->to_end = true;
        atom a;
        if (!read_atom(pattern, &at, &a)) return false;
        char quantifier = at < pattern.len && is_one_of((unsigned char)pattern.ptr[at], "*+?") ? pattern.ptr[at++] : 0;
        if (quantifier && at < pattern.len && is_one_of((unsigned char)pattern.ptr[at], "*+?")) return false;
        if (!add_quantified(r, a, quantifier)) return false;
    }
    return true;
}

static bool in_class(const atom *a, uint32_t c) {
    for (size_t at = 0; at < a->items.len;) {
        uint32_t low = utf8_next(a->items, &at), high = low;
        bool is_range = at + 1 < a->items.len && a->items.ptr[at] == '-';
        if (is_range) {
            at++;
            high = utf8_next(a->items, &at);
        }
        if (c >= low && c <= high) return true;
    }
    return false;
}

static bool takes(const atom *a, uint32_t c) {
    switch (a->kind) {
    case ATOM_CHARACTER: return c == a->character;
    case ATOM_ANY: return true;
    case ATOM_CLASS: return in_class(a, c) != a->negated;
    }
    return false;
}

/* Bit i: the text so far is matched by the atoms before i. An atom that may miss lets the next one stand there too. */
static uint64_t closed(const regex *r, uint64_t places) {
    for (unsigned i = 0; i < r->count; i++)
        if ((places >> i & 1) && r->item[i].may_miss) places |= UINT64_C(1) << (i + 1);
    return places;
}

static uint64_t step(const regex *r, uint64_t places, uint32_t c) {
    uint64_t next = 0;
    for (unsigned i = 0; i < r->count; i++) {
        if (!(places >> i & 1) || !takes(&r->item[i], c)) continue;
        next |= UINT64_C(1) << (r->item[i].may_repeat ? i : i + 1);
    }
    return next;
}

/* Ends of lines mean different things to `.` and `$` in different engines. */
static bool has_line_end(str text) {
    for (size_t at = 0; at < text.len;) {
        uint32_t c = utf8_next(text, &at);
        if (c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029) return true;
    }
    return false;
}

regex_answer regex_find(str pattern, str text) {
    regex r;
    if (!read_regex(pattern, &r) || ((r.has_any || r.to_end) && has_line_end(text))) return REGEX_UNKNOWN;
    uint64_t end = UINT64_C(1) << r.count, places = closed(&r, 1);
    size_t at = 0;
    for (;;) {
        bool ended = at == text.len;
        if ((places & end) && (!r.to_end || ended)) return REGEX_YES;
        if (ended) return REGEX_NO;
        uint32_t c = utf8_next(text, &at);
        places = closed(&r, step(&r, places, c) | (r.from_start ? 0 : 1));
    }
}
