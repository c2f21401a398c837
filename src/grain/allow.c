/* allow.c - comments in SQL that allow findings.
 * Called by: api.  Must not know: how findings are proved or printed.
 */
#include "grain/allow.h"

#include <string.h>

#include "sql/lex.h"

/* ---- words of a comment ---- */

typedef struct reader {
    str rest;
} reader;

static void skip_blanks(reader *r) {
    while (r->rest.len && (r->rest.ptr[0] == ' ' || r->rest.ptr[0] == '\t')) r->rest = str_slice(r->rest, 1, r->rest.len);
}

static str take_word(reader *r) {
    size_t n = 0;
    skip_blanks(r);
    while (n < r->rest.len && r->rest.ptr[n] != ' ' && r->rest.ptr[n] != '\t' && r->rest.ptr[n] != ',') n++;
    str word = str_slice(r->rest, 0, n);
    r->rest = str_slice(r->rest, n, r->rest.len);
    return word;
}

static bool take_comma(reader *r) {
    skip_blanks(r);
    if (!r->rest.len || r->rest.ptr[0] != ',') return false;
    r->rest = str_slice(r->rest, 1, r->rest.len);
    return true;
}

static bool code_of(str word, finding_code *code) {
    for (unsigned i = 0; i < FINDING_CODE_COUNT; i++) {
        *code = (finding_code)i;
        if (str_eq_nocase(finding_code_name(*code), word)) return true;
    }
    return false;
}

static str trim_end(str s) {
    while (s.len && (s.ptr[s.len - 1] == ' ' || s.ptr[s.len - 1] == '\t' || s.ptr[s.len - 1] == '\r')) s.len--;
    return s;
}

/* `allow CODE {, CODE} because REASON` behind the mark. */
static allow_fault read_comment(str words, allowance *a) {
    reader r = {words};
    finding_code code;
    if (!str_eq_nocase(take_word(&r), STR("allow"))) return ALLOW_IS_NOT_UNDERSTOOD;
    do {
        if (!code_of(take_word(&r), &code)) return ALLOW_IS_NOT_UNDERSTOOD;
        a->of[code] = true;
    } while (take_comma(&r));
    str because = take_word(&r);
    if (because.len && !str_eq_nocase(because, STR("because"))) return ALLOW_IS_NOT_UNDERSTOOD;
    skip_blanks(&r);
    a->reason = r.rest;
    return a->reason.len ? ALLOW_IS_GOOD : ALLOW_HAS_NO_REASON;
}

/* ---- comments: what stands between tokens ---- */

typedef struct finder {
    arena *owner;
    allowance_list *out;
    size_t capacity;
    str text;
    place_cursor own, next; /* of lines of comments, and of the tokens behind them */
} finder;

static allowance *append(finder *f) {
    allowance_list *l = f->out;
    if (l->count == f->capacity) {
        f->capacity = f->capacity ? 2 * f->capacity : 8;
        allowance *more = ARENA_ARRAY(f->owner, allowance, f->capacity);
        if (l->count) memcpy(more, l->item, l->count * sizeof *more);
        l->item = more;
    }
    return &l->item[l->count++];
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* How long the mark at `at` is: `lakeproof:`, or `lakeproof` before the word allow, in any case; 0: there is none. */
static size_t mark_length(str text, size_t at, size_t to) {
    const str name = STR("lakeproof"), allow = STR("allow");
    size_t end = at + name.len;
    if (end >= to || !str_eq_nocase(str_slice(text, at, end), name)) return 0;
    while (end < to && (text.ptr[end] == ' ' || text.ptr[end] == '\t')) end++;
    if (end < to && text.ptr[end] == ':') return end + 1 - at;
    size_t behind = end + allow.len;
    bool is_word = behind <= to && str_eq_nocase(str_slice(text, end, behind), allow) && (behind == to || !is_letter(text.ptr[behind]));
    return is_word ? end - at : 0;
}

static size_t find_mark(str text, size_t from, size_t to) {
    for (size_t at = from; at < to; at++) {
        bool may_start = (text.ptr[at] == 'l' || text.ptr[at] == 'L') && (at == 0 || !is_letter(text.ptr[at - 1]));
        if (may_start && mark_length(text, at, to)) return at;
    }
    return SIZE_MAX;
}

bool allow_has_mark(str text) {
    return find_mark(text, 0, text.len) != SIZE_MAX;
}

static size_t find_line_end(str text, size_t from, size_t to) {
    size_t at;
    return str_find_char(str_slice(text, from, to), '\n', &at) ? from + at : to;
}

/* One comment whose mark is at `start`; its line ends at `end`. `next` is where the next token starts, the end of the text
 * when there is none. */
static void take_comment(finder *f, size_t start, size_t end, size_t next) {
    allowance *a = append(f);
    str line = trim_end(str_slice(f->text, start, end));
    if (str_ends_with(line, STR("*/"))) line = trim_end(str_slice(line, 0, line.len - 2));
    a->at = (span){(uint32_t)start, (uint32_t)line.len};
    a->fault = read_comment(str_slice(line, mark_length(line, 0, line.len), line.len), a);
    a->line = span_place_next(&f->own, f->text, a->at).line;
    if (next < f->text.len) a->next_line = span_place_next(&f->next, f->text, (span){(uint32_t)next, 0}).line;
}

static void search_gap(finder *f, size_t from, size_t to) {
    for (size_t at = from; (at = find_mark(f->text, at, to)) != SIZE_MAX;) {
        size_t end = find_line_end(f->text, at, to);
        take_comment(f, at, end, to);
        at = end;
    }
}

lp_status allow_read(arena *owner, str text, sql_dialect dialect, allowance_list *out, lp_err *err) {
    finder f = {.owner = owner, .out = out, .text = text};
    token_list tokens;
    size_t end = 0; /* of the token before */
    *out = (allowance_list){0};
    if (!allow_has_mark(text)) return LP_OK;
    TRY(sql_lex_statements(owner, text, dialect, &tokens, err));
    for (size_t i = 0; i < tokens.count; i++) {
        const token *t = &tokens.item[i];
        size_t start = t->kind == TOKEN_END ? text.len : t->at.start;
        search_gap(&f, end, start);
        end = (size_t)t->at.start + t->at.len;
    }
    return LP_OK;
}

const allowance *allow_find(const allowance_list *list, finding_code code, uint32_t line) {
    for (size_t i = 0; i < list->count; i++) {
        const allowance *a = &list->item[i];
        if (a->fault == ALLOW_IS_GOOD && a->of[code] && (a->line == line || a->next_line == line)) return a;
    }
    return NULL;
}
