/* json_reader.c - walk the index of a JSON text and check its grammar.
 * Called by: delta, dbt.  Must not know: what the documents mean.
 * Source: RFC 8259.
 *
 * Between two entries of the index lie the bytes of one token, then blanks (json_index.h). So a token is complete if it
 * ends where the next entry stands, or at a blank: then all the rest up to that entry is blank too.
 */
#include <string.h>

#include "base/door.h"
#include "json/json.h"
#include "json/json_index.h"
#include "json/json_scan.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

typedef enum state {
    WANT_VALUE,        /* at the top, after `:`, after `,` in an array */
    WANT_ITEM_OR_END,  /* after `[` */
    WANT_KEY_OR_END,   /* after `{` */
    AFTER_ITEM,        /* in an array */
    AFTER_MEMBER,      /* in an object */
    AFTER_TOP,         /* the top-level value is complete */
    FAILED
} state;

struct json_reader {
    const char *text;
    const uint32_t *index; /* index[count] = len */
    uint32_t at, count;    /* at: entry of the next token, at <= count */
    uint32_t depth;
    state now;
    state around;     /* AFTER_ITEM, AFTER_MEMBER or AFTER_TOP: the state after a value at this depth */
    json_kind last;   /* kind of the token returned last */
    size_t backslash; /* the first backslash from the last string that was looked at, or the length: each is found once */
    size_t token_at;
    size_t len;
    json_indexer *indexer;
    size_t error_at;
    size_t message_len;
    char message[160];
    uint8_t outer[JSON_MAX_DEPTH]; /* `around` of the containers that are open, outermost first */
};

json_reader *json_reader_new(arena *owner) {
    json_reader *r = ARENA_NEW(owner, json_reader);
    defer_slot *slot = arena_defer(owner, json_indexer_destroy);
    r->indexer = json_indexer_create();
    if (!r->indexer) door_leave("out of memory: a JSON reader was asked for");
    slot->resource = r->indexer;
    r->now = FAILED; /* until json_start */
    return r;
}

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

__attribute__((cold, noinline)) static json_kind fail(json_reader *r, size_t at, const char *expected) {
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

__attribute__((cold, noinline)) static lp_status refuse_text(json_reader *r, json_index_status why, lp_err *err) {
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
    r->last = JSON_ERROR;
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

/* number = [ "-" ] int [ frac ] [ exp ]. Any number in [at, limit), byte by byte; 0 and a message if it is none. */
static size_t number_end_slowly(json_reader *r, size_t at, size_t limit) {
    const char *expected = NULL;
    const char *t = r->text;
    if (t[at] == '-') at++;
    size_t first = at;
    while (at < limit && is_digit(t[at])) at++;
    if (at == first) expected = "a digit after '-'";
    else if (t[first] == '0' && at > first + 1) expected = "the number to end after a leading 0", at = first + 1;
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

/* The end of the number that starts at `at`, with its next token at `limit`; 0 if it is none. One load of 16 bytes
 * decides the common case: an integer or a plain fraction that ends where the next token stands. */
static inline size_t number_end(json_reader *r, size_t at, size_t limit) {
    size_t first = at + (r->text[at] == '-');
    uint32_t digits = scan_digits(r->text + first);
    uint32_t whole = count_ones(digits);
    size_t end = first + whole;
    if (UNLIKELY(whole == 0 || (whole > 1 && r->text[first] == '0'))) return number_end_slowly(r, at, limit);
    if (end == limit) return end;
    if (r->text[end] == '.' && whole < 15) {
        uint32_t fraction = count_ones(digits >> (whole + 1));
        if (fraction > 0 && end + 1 + fraction == limit) return limit;
    }
    return number_end_slowly(r, at, limit);
}

static json_kind take_number(json_reader *r, size_t start, size_t limit, json_token *out) {
    /* At the end of the text (a number at the top) what is read past it must not count. */
    size_t end = LIKELY(limit < r->len) ? number_end(r, start, limit) : number_end_slowly(r, start, limit);
    if (UNLIKELY(end == 0)) return JSON_ERROR;
    out->text = (str){r->text + start, end - start};
    return JSON_NUMBER;
}

static json_kind take_word(json_reader *r, size_t start, size_t limit, str word, json_kind kind) {
    if (UNLIKELY(limit - start < word.len || memcmp(r->text + start, word.ptr, word.len) != 0))
        return fail(r, start, "a JSON value");
    if (UNLIKELY(!ends_at(r, start + word.len, limit))) return fail(r, start + word.len, "the end of true, false or null");
    return kind;
}

/* Check the escapes of a string's inside, [from, to). */
static bool check_escapes(json_reader *r, size_t from, size_t to) {
    scan_fault fault;
    if (LIKELY(scan_escapes(r->text, from, to, &fault))) return true;
    (void)fail(r, fault.at, fault.expected);
    return false;
}

/* The closing quote is the last byte before the next token that is no blank. */
static inline bool take_text(json_reader *r, size_t start, size_t limit, json_token *out) {
    size_t end = limit - 1;
    while (UNLIKELY(r->text[end] != '"') && is_blank(r->text[end])) end--;
    if (UNLIKELY(end <= start || r->text[end] != '"')) {
        (void)fail(r, end, "the end of a string");
        return false;
    }
    out->text = (str){r->text + start + 1, end - start - 1};
    if (LIKELY(r->backslash >= end)) return true;
    if (r->backslash < start) r->backslash = scan_backslash(r->text, start + 1, r->len);
    out->escaped = r->backslash < end;
    return !out->escaped || check_escapes(r, r->backslash, end);
}

/* ---- the machine ---- */

static inline json_kind open_container(json_reader *r, state now, state around, json_kind kind) {
    if (UNLIKELY(r->depth == JSON_MAX_DEPTH)) return fail(r, r->token_at, "at most 512 levels of nesting");
    r->outer[r->depth++] = (uint8_t)r->around;
    r->around = around;
    r->now = now;
    return kind;
}

static inline json_kind close_container(json_reader *r, json_kind kind) {
    r->at++;
    r->around = (state)r->outer[--r->depth];
    r->now = r->around;
    return kind;
}

/* value = string / number / object / array / false / true / null. There is a token at r->at. */
static inline json_kind take_value(json_reader *r, json_token *out) {
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
static inline json_kind take_key(json_reader *r, json_token *out, const char *expected) {
    size_t start = r->index[r->at];
    if (UNLIKELY(r->at == r->count || r->text[start] != '"')) return fail(r, start, expected);
    size_t limit = r->index[++r->at];
    r->token_at = start;
    if (UNLIKELY(!take_text(r, start, limit, out))) return JSON_ERROR;
    if (UNLIKELY(r->at == r->count || r->text[limit] != ':')) return fail(r, limit, "':' after a key");
    r->at++;
    r->now = WANT_VALUE;
    return JSON_KEY;
}

static inline json_kind after_member(json_reader *r, json_token *out) {
    size_t at = r->token_at = r->index[r->at];
    if (UNLIKELY(r->at == r->count)) return fail(r, at, "',' or '}' in an object");
    if (LIKELY(r->text[at] == ',')) {
        r->at++;
        return take_key(r, out, "a key in double quotes after ','");
    }
    if (LIKELY(r->text[at] == '}')) return close_container(r, JSON_OBJECT_END);
    return fail(r, at, "',' or '}' in an object");
}

static inline json_kind after_item(json_reader *r, json_token *out) {
    size_t at = r->token_at = r->index[r->at];
    if (UNLIKELY(r->at == r->count)) return fail(r, at, "',' or ']' in an array");
    if (LIKELY(r->text[at] == ',')) {
        if (LIKELY(++r->at < r->count)) return take_value(r, out);
        return fail(r, r->len, "a JSON value");
    }
    if (LIKELY(r->text[at] == ']')) return close_container(r, JSON_ARRAY_END);
    return fail(r, at, "',' or ']' in an array");
}

static inline json_kind step(json_reader *r, json_token *out) {
    switch (r->now) {
    case AFTER_MEMBER: return after_member(r, out);
    case AFTER_ITEM: return after_item(r, out);
    case WANT_ITEM_OR_END:
        if (r->text[r->index[r->at]] == ']' && r->at < r->count) {
            r->token_at = r->index[r->at];
            return close_container(r, JSON_ARRAY_END);
        }
        __attribute__((fallthrough));
    case WANT_VALUE:
        if (UNLIKELY(r->at == r->count)) return fail(r, r->len, "a JSON value");
        return take_value(r, out);
    case WANT_KEY_OR_END:
        if (r->text[r->index[r->at]] == '}' && r->at < r->count) {
            r->token_at = r->index[r->at];
            return close_container(r, JSON_OBJECT_END);
        }
        return take_key(r, out, "a key in double quotes or '}'");
    case AFTER_TOP:
        r->token_at = r->index[r->at];
        return r->at == r->count ? JSON_END : fail(r, r->token_at, "nothing after the JSON value");
    case FAILED: return JSON_ERROR;
    }
    UNREACHABLE();
}

json_token json_next(json_reader *r) {
    json_token out = {0};
    r->last = out.kind = step(r, &out);
    return out;
}

bool json_skip(json_reader *r) {
    json_token ignored;
    if (r->last == JSON_KEY) r->last = step(r, &ignored);
    if (r->last == JSON_OBJECT_BEGIN || r->last == JSON_ARRAY_BEGIN) {
        uint32_t depth = r->depth;
        while (r->depth >= depth && (r->last = step(r, &ignored)) != JSON_ERROR) continue;
    }
    return r->last != JSON_ERROR;
}
