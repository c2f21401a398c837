/* regex.c - match simple regular expressions by the set of places where a match may stand.
 * Called by: prune/fold_text.c.  Must not know: predicates.
 *
 * A pattern becomes a list of steps. A step that takes a character goes on to the one behind it; jumps and splits take
 * none. All places where a match may stand are followed at once, so nothing is tried twice.
 */
#include "prune/regex.h"

#include "base/utf8.h"

enum { MOST_STEPS = 250, MOST_DEPTH = 16, MOST_COUNT = 60, SET_WORDS = 4 };

typedef enum step_kind {
    STEP_CHARACTER,
    STEP_ANY,
    STEP_CLASS,
    STEP_DIGIT, /* \d */
    STEP_WORD,  /* \w */
    STEP_JUMP,
    STEP_SPLIT, /* here or there */
    STEP_START, /* ^ */
    STEP_END,   /* $ */
    STEP_FOUND
} step_kind;

typedef struct step {
    step_kind kind;
    bool negated;
    uint32_t character;
    str items; /* STEP_CLASS: between the brackets, without the ^ */
    unsigned to, or_to;
} step;

typedef struct regex {
    step item[MOST_STEPS];
    unsigned count, depth;
    bool failed, minds_lines, minds_script; /* . and $ differ where lines end, \d and \w beyond ASCII */
    str pattern;
    size_t at;
} regex;

/* ------------------------------------------------------------------------------------------------- reading */

static bool is_one_of(uint32_t c, const char *set) {
    for (; *set; set++)
        if (c == (unsigned char)*set) return true;
    return false;
}

static bool at_end(const regex *r) {
    return r->at >= r->pattern.len;
}

static bool next_is(const regex *r, char c) {
    return !at_end(r) && r->pattern.ptr[r->at] == c;
}

static bool take(regex *r, char c) {
    bool found = next_is(r, c);
    r->at += found;
    return found;
}

static unsigned emit(regex *r, step s) {
    if (r->count == MOST_STEPS) {
        r->failed = true;
        return 0;
    }
    r->item[r->count] = s;
    return r->count++;
}

static unsigned emit_jump(regex *r, unsigned to) {
    return emit(r, (step){.kind = STEP_JUMP, .to = to});
}

static unsigned emit_split(regex *r, unsigned to, unsigned or_to) {
    return emit(r, (step){.kind = STEP_SPLIT, .to = to, .or_to = or_to});
}

static void read_class(regex *r) {
    step s = {.kind = STEP_CLASS, .negated = take(r, '^')};
    size_t from = r->at;
    while (!at_end(r) && !next_is(r, ']')) {
        if (is_one_of((unsigned char)r->pattern.ptr[r->at], "[\\&^~|")) r->failed = true;
        r->at++;
    }
    s.items = str_slice(r->pattern, from, r->at);
    if (!take(r, ']') || s.items.len == 0) r->failed = true;
    r->minds_lines |= s.negated;
    emit(r, s);
}

/* Behind a backslash: a sign for itself, or one of two letters. */
static void read_escape(regex *r) {
    uint32_t c = at_end(r) ? 0 : utf8_next(r->pattern, &r->at);
    bool is_letter = c == 'd' || c == 'w';
    r->minds_script |= is_letter;
    if (is_letter) emit(r, (step){.kind = c == 'd' ? STEP_DIGIT : STEP_WORD});
    else if (is_one_of(c, "\\^$|?*+(){}[].-/")) emit(r, (step){.kind = STEP_CHARACTER, .character = c});
    else r->failed = true;
}

static void read_alternatives(regex *r);

static void read_group(regex *r) {
    if (take(r, '?') && !take(r, ':')) r->failed = true;
    if (++r->depth > MOST_DEPTH) r->failed = true;
    if (!r->failed) read_alternatives(r);
    r->depth--;
    if (!take(r, ')')) r->failed = true;
}

static void read_atom(regex *r) {
    uint32_t c = utf8_next(r->pattern, &r->at);
    r->minds_lines |= c == '.';
    if (c == '[') read_class(r);
    else if (c == '(') read_group(r);
    else if (c == '\\') read_escape(r);
    else if (is_one_of(c, "|?*+){}]")) r->failed = true;
    else emit(r, (step){.kind = c == '.' ? STEP_ANY : STEP_CHARACTER, .character = c});
}

typedef struct quantifier {
    unsigned least, most;
    bool is_open; /* no most */
} quantifier;

static unsigned read_count(regex *r) {
    unsigned n = 0;
    size_t from = r->at;
    while (!at_end(r) && is_one_of((unsigned char)r->pattern.ptr[r->at], "0123456789") && n <= MOST_COUNT)
        n = n * 10 + (unsigned)(r->pattern.ptr[r->at++] - '0');
    if (r->at == from || n > MOST_COUNT) r->failed = true;
    return n;
}

/* A lazy one finds a match where the greedy one does. A possessive one may not. */
static quantifier read_quantifier(regex *r) {
    quantifier q = {1, 1, false};
    if (take(r, '*')) q = (quantifier){0, 0, true};
    else if (take(r, '+')) q = (quantifier){1, 1, true};
    else if (take(r, '?')) q = (quantifier){0, 1, false};
    else if (take(r, '{')) {
        q.least = q.most = read_count(r);
        if (take(r, ',')) {
            q.is_open = next_is(r, '}');
            if (!q.is_open) q.most = read_count(r);
        }
        if (!take(r, '}') || q.most < q.least) r->failed = true;
    } else return q;
    (void)take(r, '?');
    if (!at_end(r) && is_one_of((unsigned char)r->pattern.ptr[r->at], "*+?{")) r->failed = true;
    return q;
}

/* To the end of the atom, whatever is in it: reading it says whether that is right. */
static void skip_atom(regex *r) {
    unsigned open = 0;
    do {
        uint32_t c = utf8_next(r->pattern, &r->at);
        if (c == '\\' && !at_end(r)) (void)utf8_next(r->pattern, &r->at);
        if (c == '[')
            while (!at_end(r) && !take(r, ']')) r->at++;
        if (c == '(') open++;
        if (c == ')' && open > 0) open--;
    } while (open > 0 && !at_end(r));
}

static void read_atom_at(regex *r, size_t from) {
    r->at = from;
    read_atom(r);
}

/* The atom is written as often as it may stand. Each time adds a step at least, so MOST_STEPS ends it. */
static void read_item(regex *r) {
    size_t from = r->at;
    skip_atom(r);
    quantifier q = read_quantifier(r);
    size_t behind = r->at;
    unsigned first = r->count;
    if (q.most == 0 && !q.is_open) { /* read, and not wanted */
        read_atom_at(r, from);
        r->count = first;
    }
    for (unsigned i = 0; i < q.least && !r->failed; i++) read_atom_at(r, from);
    unsigned more = q.is_open ? 1 : q.most - q.least;
    for (unsigned i = 0; i < more && !r->failed; i++) {
        unsigned split = emit_split(r, r->count + 1, 0);
        read_atom_at(r, from);
        if (q.is_open) emit_jump(r, split);
        r->item[split].or_to = r->count;
    }
    r->at = behind;
}

static void read_sequence(regex *r) {
    while (!at_end(r) && !next_is(r, '|') && !next_is(r, ')') && !r->failed) {
        bool is_start = take(r, '^'), is_end = !is_start && take(r, '$');
        r->minds_lines |= is_end;
        if (!is_start && !is_end) {
            read_item(r);
            continue;
        }
        emit(r, (step){.kind = is_start ? STEP_START : STEP_END});
        if (!at_end(r) && is_one_of((unsigned char)r->pattern.ptr[r->at], "*+?{")) r->failed = true;
    }
}

/* Jumps over what follows an alternative are chained by `or_to` until the end is known. */
static void read_alternatives(regex *r) {
    unsigned chain = MOST_STEPS, before = 0;
    for (;;) {
        unsigned split = emit_jump(r, r->count + 1);
        read_sequence(r);
        if (r->failed || !take(r, '|')) break;
        before = chain;
        chain = emit_jump(r, 0);
        r->item[chain].or_to = before;
        r->item[split] = (step){.kind = STEP_SPLIT, .to = split + 1, .or_to = r->count};
    }
    for (; chain != MOST_STEPS && !r->failed; chain = before) {
        before = r->item[chain].or_to;
        r->item[chain].to = r->count;
    }
}

static bool read_regex(str pattern, regex *r) {
    *r = (regex){.pattern = pattern};
    read_alternatives(r);
    emit(r, (step){.kind = STEP_FOUND});
    return !r->failed && at_end(r);
}

/* ------------------------------------------------------------------------------------------------- matching */

static bool in_class(const step *a, uint32_t c) {
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

static bool is_digit(uint32_t c) {
    return c >= '0' && c <= '9';
}

static bool is_word(uint32_t c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool takes(const step *s, uint32_t c) {
    switch ((int)s->kind) {
    case STEP_CHARACTER: return c == s->character;
    case STEP_ANY: return true;
    case STEP_CLASS: return in_class(s, c) != s->negated;
    case STEP_DIGIT: return is_digit(c);
    case STEP_WORD: return is_word(c);
    default: return false;
    }
}

typedef struct places {
    uint64_t bit[SET_WORDS];
} places;

static bool has(const places *p, unsigned i) {
    return p->bit[i / 64] >> i % 64 & 1;
}

/* A place, and those that it reaches without a character. */
static void add_place(const regex *r, places *p, unsigned first, bool at_start, bool is_done) {
    unsigned waiting[MOST_STEPS + 2], count = 0;
    waiting[count++] = first;
    while (count > 0) {
        unsigned i = waiting[--count];
        if (has(p, i)) continue;
        p->bit[i / 64] |= UINT64_C(1) << i % 64;
        const step *s = &r->item[i];
        if (s->kind == STEP_JUMP || s->kind == STEP_SPLIT) waiting[count++] = s->to;
        if (s->kind == STEP_SPLIT) waiting[count++] = s->or_to;
        if ((s->kind == STEP_START && at_start) || (s->kind == STEP_END && is_done)) waiting[count++] = i + 1;
    }
}

/* Ends of lines mean different things to `.` and `$` in different engines. */
static bool has_line_end(str text) {
    for (size_t at = 0; at < text.len;) {
        uint32_t c = utf8_next(text, &at);
        if (c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029) return true;
    }
    return false;
}

static bool is_ascii(str text) {
    for (size_t at = 0; at < text.len; at++)
        if ((unsigned char)text.ptr[at] >= 0x80) return false;
    return true;
}

regex_answer regex_find(str pattern, str text) {
    regex r;
    if (!read_regex(pattern, &r) || (r.minds_lines && has_line_end(text)) || (r.minds_script && !is_ascii(text)))
        return REGEX_UNKNOWN;
    places now = {{0}};
    for (size_t at = 0;;) {
        add_place(&r, &now, 0, at == 0, at == text.len); /* a match may begin anywhere */
        if (has(&now, r.count - 1)) return REGEX_YES;
        if (at == text.len) return REGEX_NO;
        uint32_t c = utf8_next(text, &at);
        places next = {{0}};
        for (unsigned i = 0; i < r.count; i++)
            if (has(&now, i) && takes(&r.item[i], c)) add_place(&r, &next, i + 1, false, at == text.len);
        now = next;
    }
}
