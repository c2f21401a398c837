/* json_reader.c - walk the index of a JSON text and check its grammar.
 * Called by: delta, dbt.  Must not know: what the documents mean.
 * Source: RFC 8259.
 *
 * Between two entries of the index lie the bytes of one token, then blanks (json_index.h). So a token is complete if it
 * ends where the next entry stands, or at a blank: then all the rest up to that entry is blank too.
 */
#include <stdio.h>
#include <string.h>

#include "base/door.h"
#include "json/json.h"
#include "json/json_index.h"
#include "json/json_names.h"
#include "json/json_scan.h"

#define INLINE   inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))

typedef enum state {
    WANT_VALUE,       /* at the top, after `:`, after `,` in an array */
    WANT_ITEM_OR_END, /* after `[` */
    WANT_KEY_OR_END,  /* after `{` */
    AFTER_ITEM,       /* in an array */
    AFTER_MEMBER,     /* in an object */
    AFTER_TOP,        /* the top-level value is complete */
    FAILED
} state;

struct json_reader {
    const char *text;
    const uint32_t *index; /* index[count] = len */
    uint32_t at, count;    /* at: entry of the next token, at <= count */
    uint32_t depth;
    state now;
    state around;     /* AFTER_ITEM, AFTER_MEMBER or AFTER_TOP: the state after a value at this depth */
    size_t backslash; /* the first one from the last string that was looked at on, or the length: each is found once */
    size_t token_at;
    size_t len;
    json_indexer *indexer;
    size_t error_at;
    size_t message_len;
    char message[160];
    uint8_t outer[JSON_MAX_DEPTH]; /* `around` of the containers that are open, outermost first */
};

/* ---- errors ---- */

/* What stands at an offset, in words: a quoted character or a byte. */
static void describe(const json_reader *r, size_t at, char *words, size_t size) {
    if (at >= r->len) {
        snprintf(words, size, "the end of the text");
        return;
    }
    size_t length = str_utf8_length((str){r->text, r->len}, at);
    unsigned char c = (unsigned char)r->text[at];
    if (length == 0 || c < 0x20 || c == 0x7F)
        snprintf(words, size, "byte 0x%02x", c);
    else
        snprintf(words, size, "'%.*s'", (int)length, r->text + at);
}

static void set_message(json_reader *r, size_t at, const char *expected) {
    char found[32];
    describe(r, at, found, sizeof found);
    int len = snprintf(r->message, sizeof r->message, "expected %s, found %s", expected, found);
    r->message_len = len < 0 ? 0 : (size_t)len < sizeof r->message ? (size_t)len : sizeof r->message - 1;
    r->error_at = at;
    r->now = FAILED;
}

static NOINLINE __attribute__((cold)) json_kind fail(json_reader *r, size_t at, const char *expected) {
    set_message(r, at, expected);
    r->token_at = at;
    return JSON_ERROR;
}

void json_error(const json_reader *r, size_t *offset, str *message) {
    *offset = r->error_at;
    *message = (str){r->message, r->message_len};
}

size_t json_offset(const json_reader *r) {
    return r->token_at;
}

/* ---- start ---- */

json_reader *json_reader_new(arena *owner) {
    json_reader *r = ARENA_NEW(owner, json_reader);
    defer_slot *slot = arena_defer(owner, json_indexer_destroy);
    r->indexer = json_indexer_create();
    if (!r->indexer) door_leave("no JSON reader: out of memory, or simdjson does not know this processor");
    slot->resource = r->indexer;
    set_message(r, 0, "a text to be given to the reader"); /* until json_start */
    return r;
}

/* Where a string is not as it must be: `control` looks for a control character inside one, otherwise for the quote of
 * the one that is not closed. Quotes pair up as the index sees them, a backslash counts everywhere. */
static size_t find_string_fault(str text, bool control) {
    size_t open = 0;
    bool inside = false;
    for (size_t at = 0; at < text.len; at++) {
        unsigned char c = (unsigned char)text.ptr[at];
        if (c == '"') {
            inside = !inside;
            open = at;
        } else if (inside && c < 0x20 && control) {
            return at;
        } else if (c == '\\') {
            at++;
            if (inside && control && at < text.len && (unsigned char)text.ptr[at] < 0x20) return at;
        }
    }
    return open;
}

static size_t find_not_utf8(str text) {
    size_t at = 0;
    while (at < text.len) {
        size_t step = str_utf8_length(text, at);
        if (step == 0) break;
        at += step;
    }
    return at;
}

static NOINLINE __attribute__((cold)) lp_status refuse_text(json_reader *r, json_index_status why, lp_err *err) {
    str text = {r->text, r->len};
    switch (why) {
    case JSON_INDEX_EMPTY: set_message(r, r->len, "a JSON value"); break;
    case JSON_INDEX_NOT_UTF8: set_message(r, find_not_utf8(text), "UTF-8"); break;
    case JSON_INDEX_UNCLOSED: {
        size_t open = find_string_fault(text, false);
        set_message(r, r->len, "the end of a string");
        r->error_at = open;
        break;
    }
    case JSON_INDEX_CONTROL:
        set_message(r, find_string_fault(text, true), "control characters to be escaped in a string");
        break;
    case JSON_INDEX_TOO_LONG: set_message(r, r->len, "at most 4 GiB"); break;
    case JSON_INDEX_NO_MEMORY: set_message(r, r->len, "memory for the index of the text"); break;
    case JSON_INDEX_OK:
    case JSON_INDEX_FAILED: set_message(r, 0, "a text that can be indexed"); break;
    }
    r->token_at = r->error_at;
    bool limit = why == JSON_INDEX_TOO_LONG || why == JSON_INDEX_NO_MEMORY;
    return err_set(err, limit ? LP_ERR_LIMIT : LP_ERR_FORMAT, "not JSON: " STR_FMT " (offset %zu)",
                   STR_ARG(((str){r->message, r->message_len})), r->error_at);
}

lp_status json_start(json_reader *r, str text, lp_err *err) {
    r->text = text.ptr;
    r->len = text.len;
    r->at = r->depth = 0;
    r->token_at = 0;
    json_index_status status = json_indexer_run(r->indexer, text.ptr, text.len, &r->index, &r->count);
    if (UNLIKELY(status != JSON_INDEX_OK)) return refuse_text(r, status, err);
    r->backslash = scan_backslash(text.ptr, 0, text.len);
    r->now = WANT_VALUE;
    r->around = AFTER_TOP;
    return LP_OK;
}

/* ---- scalars ---- */

static inline bool ends_at(const json_reader *r, size_t at, size_t limit) {
    return at == limit || is_blank(r->text[at]);
}

/* number = [ "-" ] int [ frac ] [ exp ]. The end of the number in [at, limit); 0, and the reader has failed, if there
 * is none. */
static size_t number_end(json_reader *r, size_t at, size_t limit) {
    const char *expected = NULL;
    const char *t = r->text;
    if (t[at] == '-') at++;
    size_t first = at;
    while (at < limit && is_digit(t[at])) at++;
    if (at == first)
        expected = "a digit after '-'";
    else if (t[first] == '0' && at > first + 1)
        expected = "the number to end after a leading 0", at = first + 1;
    if (!expected && at < limit && t[at] == '.') {
        first = ++at;
        while (at < limit && is_digit(t[at])) at++;
        if (at == first) expected = "a digit after '.'";
    }
    if (!expected && at < limit && (t[at] == 'e' || t[at] == 'E')) {
        at++;
        if (at < limit && (t[at] == '+' || t[at] == '-')) at++;
        first = at;
        while (at < limit && is_digit(t[at])) at++;
        if (at == first) expected = "a digit in the exponent";
    }
    if (!expected && !ends_at(r, at, limit)) expected = "the number to end";
    if (!expected) return at;
    (void)fail(r, at, expected);
    return 0;
}

/* What a token is beyond its kind. Kept in scalars, so that the functions below, all inlined, hold it in registers. */
typedef struct piece {
    const char *ptr;
    size_t len;
    bool escaped;
} piece;

static INLINE json_kind take_number(json_reader *r, size_t start, size_t limit, piece *out) {
    size_t end = number_end(r, start, limit);
    if (UNLIKELY(end == 0)) return JSON_ERROR;
    out->ptr = r->text + start;
    out->len = end - start;
    return JSON_NUMBER;
}

static INLINE json_kind take_word(json_reader *r, size_t start, size_t limit, str word, json_kind kind) {
    if (UNLIKELY(limit - start < word.len || memcmp(r->text + start, word.ptr, word.len) != 0))
        return fail(r, start, "a JSON value");
    if (UNLIKELY(!ends_at(r, start + word.len, limit)))
        return fail(r, start + word.len, "the end of true, false or null");
    return kind;
}

/* Find the first backslash from `start` on, and check the escapes before `end`. Returns whether there are any; on a
 * wrong one the reader has failed. */
static NOINLINE bool check_escapes(json_reader *r, size_t start, size_t end) {
    scan_fault fault;
    if (r->backslash < start) r->backslash = scan_backslash(r->text, start, r->len);
    if (r->backslash >= end) return false;
    if (!scan_escapes(r->text, r->backslash, end, &fault)) (void)fail(r, fault.at, fault.expected);
    return true;
}

/* The closing quote is the last byte before the next token that is no blank. */
static INLINE bool take_text(json_reader *r, size_t start, size_t limit, piece *out) {
    size_t end = limit - 1;
    while (UNLIKELY(r->text[end] != '"') && is_blank(r->text[end])) end--;
    if (UNLIKELY(end <= start || r->text[end] != '"')) {
        (void)fail(r, end, "the end of a string");
        return false;
    }
    out->ptr = r->text + start + 1;
    out->len = end - start - 1;
    if (LIKELY(r->backslash >= end)) return true;
    out->escaped = check_escapes(r, start + 1, end);
    return r->now != FAILED;
}

/* ---- the machine ---- */

static INLINE json_kind open_container(json_reader *r, state now, state around, json_kind kind) {
    if (UNLIKELY(r->depth == JSON_MAX_DEPTH)) return fail(r, r->token_at, "at most 512 levels of nesting");
    r->outer[r->depth++] = (uint8_t)r->around;
    r->around = around;
    r->now = now;
    return kind;
}

static INLINE json_kind close_container(json_reader *r, json_kind kind) {
    r->token_at = r->index[r->at++];
    r->around = (state)r->outer[--r->depth];
    r->now = r->around;
    return kind;
}

/* value = string / number / object / array / false / true / null. */
static INLINE json_kind take_value(json_reader *r, piece *out) {
    if (UNLIKELY(r->at == r->count)) return fail(r, r->len, "a JSON value");
    size_t start = r->index[r->at], limit = r->index[++r->at];
    r->token_at = start;
    r->now = r->around; /* unless it is a container, or fails */
    switch (r->text[start]) {
    case '"': return LIKELY(take_text(r, start, limit, out)) ? JSON_STRING : JSON_ERROR;
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9': return take_number(r, start, limit, out);
    case '{': return open_container(r, WANT_KEY_OR_END, AFTER_MEMBER, JSON_OBJECT_BEGIN);
    case '[': return open_container(r, WANT_ITEM_OR_END, AFTER_ITEM, JSON_ARRAY_BEGIN);
    case 't': return take_word(r, start, limit, STR("true"), JSON_TRUE);
    case 'f': return take_word(r, start, limit, STR("false"), JSON_FALSE);
    case 'n': return take_word(r, start, limit, STR("null"), JSON_NULL);
    default: return fail(r, start, "a JSON value");
    }
}

/* member = string ":" value. The colon belongs to the key. */
static INLINE json_kind take_key(json_reader *r, piece *out, const char *expected) {
    size_t start = r->index[r->at];
    if (UNLIKELY(r->at == r->count || r->text[start] != '"')) return fail(r, start, expected);
    size_t limit = r->index[++r->at];
    r->token_at = start;
    r->now = WANT_VALUE; /* unless it fails */
    if (UNLIKELY(!take_text(r, start, limit, out))) return JSON_ERROR;
    if (UNLIKELY(r->at == r->count || r->text[limit] != ':')) return fail(r, limit, "':' after a key");
    r->at++;
    return JSON_KEY;
}

/* The byte at the next token; at the end of the text one that no token starts with. */
static INLINE char peek(const json_reader *r) {
    return LIKELY(r->at < r->count) ? r->text[r->index[r->at]] : ' ';
}

static INLINE json_kind step(json_reader *r, piece *out) {
    switch (r->now) {
    case AFTER_MEMBER:
        if (LIKELY(peek(r) == ',')) {
            r->at++;
            return take_key(r, out, "a key in double quotes after ','");
        }
        if (LIKELY(peek(r) == '}')) return close_container(r, JSON_OBJECT_END);
        return fail(r, r->index[r->at], "',' or '}' in an object");
    case WANT_KEY_OR_END:
        if (peek(r) == '}') return close_container(r, JSON_OBJECT_END);
        return take_key(r, out, "a key in double quotes or '}'");
    case AFTER_ITEM:
        if (peek(r) == ']') return close_container(r, JSON_ARRAY_END);
        if (UNLIKELY(peek(r) != ',')) return fail(r, r->index[r->at], "',' or ']' in an array");
        r->at++;
        break;
    case WANT_ITEM_OR_END:
        if (peek(r) == ']') return close_container(r, JSON_ARRAY_END);
        break;
    case WANT_VALUE: break;
    case AFTER_TOP:
        r->token_at = r->index[r->at];
        return r->at == r->count ? JSON_END : fail(r, r->token_at, "nothing after the JSON value");
    case FAILED: return JSON_ERROR;
    }
    return take_value(r, out);
}

/* Every token, in every layout. */
static NOINLINE json_token next_of_any(json_reader *r) {
    piece p = {0};
    json_kind kind = step(r, &p);
    if (kind == JSON_ERROR) return (json_token){.kind = JSON_ERROR};
    return (json_token){kind, {p.ptr, p.len}, p.escaped};
}

/* ---- the common tokens ----
 *
 * A key after a comma, and a string, a number or an object as its value, where neither string holds a backslash and no
 * blank stands before the next token: most of a statistics text. Only what is certain is taken here; everything else,
 * faults included, is left as it is to the machine above.
 */

static INLINE bool is_plain_string(const json_reader *r, size_t start, size_t limit) {
    size_t end = limit - 1;
    return r->text[start] == '"' && r->text[end] == '"' && start < end && end <= r->backslash;
}

/* An integer or a fraction without exponent, at most 31 bytes behind the sign. What stands at `limit` is no digit. One
 * load decides, or two. */
static INLINE bool is_plain_number(const char *first, const char *limit) {
    if (*first == '-') first++;
    size_t size = (size_t)(limit - first);
    uint32_t digits = scan_digits(first);
    if (size > 16) {
        if (UNLIKELY(size > 31)) return false;
        digits |= scan_digits(first + 16) << 16;
    }
    size_t whole = count_ones(digits);
    if (UNLIKELY(whole == 0 || (*first == '0' && whole > 1))) return false;
    if (whole == size) return true;
    size_t seen = count_ones(digits | (digits + 1)); /* digits, a byte that is none, digits */
    return first[whole] == '.' && seen == size && seen > whole + 1;
}

json_token json_next(json_reader *r) {
    const uint32_t *i = r->index + r->at;
    uint32_t left = r->count - r->at;
    if (r->now == AFTER_MEMBER && left > 2) {
        if (LIKELY(r->text[i[0]] == ',' && r->text[i[2]] == ':' && is_plain_string(r, i[1], i[2]))) {
            r->at += 3;
            r->now = WANT_VALUE;
            r->token_at = i[1];
            return (json_token){JSON_KEY, {r->text + i[1] + 1, i[2] - i[1] - 2}, false};
        }
    } else if (r->now == WANT_VALUE && left > 1) { /* so i[1] is in the text, and what stands there is no digit */
        size_t start = i[0], limit = i[1];
        bool string = is_plain_string(r, start, limit);
        if (string || (r->text[start] <= '9' && is_plain_number(r->text + start, r->text + limit))) {
            r->at++;
            r->now = r->around;
            r->token_at = start;
            return (json_token){
                string ? JSON_STRING : JSON_NUMBER, {r->text + start + string, limit - start - 2 * string}, false};
        }
        if (r->text[start] == '{' && r->depth < JSON_MAX_DEPTH) {
            r->at++;
            r->token_at = start;
            return (json_token){.kind = open_container(r, WANT_KEY_OR_END, AFTER_MEMBER, JSON_OBJECT_BEGIN)};
        }
    }
    return next_of_any(r);
}

/* ---- members that are passed over ---- */

/* Two bytes at once. */
static INLINE uint16_t pair_at(const char *p) {
    uint16_t pair;
    memcpy(&pair, p, sizeof pair);
    return pair;
}

static INLINE bool is_plain_word(const char *at, size_t size) {
    return (size == 4 && (memcmp(at, "null", 4) == 0 || memcmp(at, "true", 4) == 0)) ||
           (size == 5 && memcmp(at, "false", 5) == 0);
}

static INLINE bool is_plain_scalar(const char *first, const char *limit) {
    if (*first == '"') return limit[-1] == '"' && limit - first > 1;
    if (*first <= '9') return is_plain_number(first, limit);
    return is_plain_word(first, (size_t)(limit - first));
}

/* Pass over `,"key":value` as long as the value is a scalar; where `look` is true, up to a key that is in `names`:
 * true, and its value follows. Behind `{` that stands where else a comma does. */
static INLINE bool pass_members(json_reader *r, bool look, const json_names *names, size_t *which) {
    const char *t = r->text;
    bool is_first = r->now == WANT_KEY_OR_END;
    uint16_t before = pair_at(is_first ? "{\"" : ",\"");
    uint64_t bits = look ? names->bits : 0;
    size_t backslash = r->backslash;
    const uint32_t *start = r->index + r->at - is_first, *i = start;
    /* i[4] must be in the text, and no backslash before it */
    for (const uint32_t *end = r->index + r->count - 4; i < end && i[4] <= backslash; i += 4) {
        const char *comma = t + i[0], *colon = t + i[2];
        if (UNLIKELY(pair_at(comma) != before || pair_at(colon - 1) != pair_at("\":"))) break;
        size_t len = (size_t)(colon - comma) - 3;
        if (look && UNLIKELY(bits >> names_bit(colon - 1, len) & 1) && names_find(names, comma + 2, len, which)) {
            r->at = (uint32_t)(i - r->index) + 3;
            r->now = WANT_VALUE;
            r->token_at = i[1];
            return true;
        }
        if (UNLIKELY(!is_plain_scalar(t + i[3], t + i[4]))) break;
        before = pair_at(",\"");
    }
    if (i > start) {
        r->at = (uint32_t)(i - r->index);
        r->now = AFTER_MEMBER;
    }
    return false;
}

static NOINLINE void pass_any_members(json_reader *r) {
    (void)pass_members(r, false, NULL, NULL);
}

bool json_skip(json_reader *r) {
    if (r->now == WANT_VALUE) (void)json_next(r);
    if (r->now == WANT_KEY_OR_END || r->now == WANT_ITEM_OR_END)
        for (uint32_t depth = r->depth; r->depth >= depth && r->now != FAILED;) {
            if (r->now == AFTER_MEMBER || r->now == WANT_KEY_OR_END) pass_any_members(r);
            if (r->now == AFTER_MEMBER && peek(r) == '}')
                (void)close_container(r, JSON_OBJECT_END);
            else
                (void)next_of_any(r);
        }
    return r->now != FAILED;
}

/* Where the members are not plain. */
static NOINLINE json_kind next_wanted_of_any(json_reader *r, const json_names *names, arena *scratch, size_t *which) {
    json_token t;
    while ((t = next_of_any(r)).kind == JSON_KEY) {
        str key = json_unescape(scratch, t);
        if (names_find(names, key.ptr, key.len, which)) return JSON_KEY;
        if (!json_skip(r)) return JSON_ERROR;
        if (pass_members(r, true, names, which)) return JSON_KEY;
    }
    return t.kind;
}

json_kind json_next_wanted(json_reader *r, const json_names *names, arena *scratch, size_t *which) {
    if (r->now == AFTER_MEMBER || r->now == WANT_KEY_OR_END) {
        if (pass_members(r, true, names, which)) return JSON_KEY;
        if (r->now == AFTER_MEMBER && peek(r) == '}') return close_container(r, JSON_OBJECT_END);
    }
    return next_wanted_of_any(r, names, scratch, which);
}
