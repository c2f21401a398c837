/* document.c - walk the outer levels of a long JSON text that is read in pieces.
 * Called by: dbt/manifest.c, catalog_json.c, run_results.c.  Must not know: what the members mean.
 * Source: RFC 8259.
 *
 * The window holds the bytes [base, base + len) of the file. What has been handed out last starts at `keep`: bytes
 * before it may go when more is read, so places in the window are never held across a fill.
 */
#include "dbt/document.h"

#include <stdio.h>
#include <string.h>

#include "json/json.h"

#define PIECE_BYTES ((size_t)1 << 20)
#define VALUE_MAX   ((size_t)1 << 30)
#define DEPTH_MAX   8 /* of the levels that are walked, not of the values in them */

struct document {
    arena *owner;
    arena *memory; /* of the window */
    const dbt_bytes *bytes;
    char *window; /* capacity + JSON_PADDING bytes */
    size_t capacity, len;
    uint64_t base;
    size_t at, keep;
    unsigned depth;
    bool is_first[DEPTH_MAX + 1]; /* no member was read at this depth */
};

/* ---- texts as files ---- */

static lp_status read_text(void *context, uint64_t offset, void *into, size_t size, lp_err *err) {
    const str *text = context;
    if (offset > text->len || size > text->len - offset)
        return err_set(err, LP_ERR_FORMAT, "expected %zu bytes, found the end of the text", size);
    if (size) memcpy(into, text->ptr + offset, size);
    return LP_OK;
}

dbt_bytes dbt_bytes_of_text(arena *owner, str text, str name) {
    str *held = ARENA_NEW(owner, str);
    *held = text;
    return (dbt_bytes){.read = read_text, .context = held, .size_bytes = text.len, .name = name};
}

/* ---- the window ---- */

document *document_new(arena *owner, const dbt_bytes *bytes) {
    document *d = ARENA_NEW(owner, document);
    d->owner = owner;
    d->memory = arena_child(owner);
    d->bytes = bytes;
    size_t piece = bytes->piece_bytes ? bytes->piece_bytes : PIECE_BYTES;
    d->capacity = bytes->size_bytes < piece ? (size_t)bytes->size_bytes : piece;
    d->window = arena_alloc(d->memory, d->capacity + JSON_PADDING);
    return d;
}

static lp_status grow(document *d, lp_err *err) {
    if (d->capacity >= VALUE_MAX)
        return err_set(err, LP_ERR_LIMIT,
                       STR_FMT ", byte %llu: expected a value of at most %zu bytes, found a longer one",
                       STR_ARG(d->bytes->name), (unsigned long long)(d->base + d->keep), VALUE_MAX);
    arena *wider = arena_child(d->owner);
    size_t capacity = 2 * d->capacity;
    char *window = arena_alloc_raw(wider, capacity + JSON_PADDING);
    memcpy(window, d->window, d->len);
    arena_end(d->memory);
    d->memory = wider;
    d->window = window;
    d->capacity = capacity;
    return LP_OK;
}

/* Read on. *more is false when the file is at its end; places move by the old `keep`, which becomes 0. */
static lp_status fill(document *d, bool *more, lp_err *err) {
    uint64_t end = d->base + d->len, left = d->bytes->size_bytes - end;
    *more = left > 0;
    if (!*more) return LP_OK;
    memmove(d->window, d->window + d->keep, d->len - d->keep);
    d->base += d->keep;
    d->at -= d->keep;
    d->len -= d->keep;
    d->keep = 0;
    if (d->len == d->capacity) TRY(grow(d, err));
    size_t size = d->capacity - d->len;
    if (size > left) size = (size_t)left;
    TRY(d->bytes->read(d->bytes->context, end, d->window + d->len, size, err));
    d->len += size;
    memset(d->window + d->len, 0, JSON_PADDING);
    return LP_OK;
}

/* ---- errors ---- */

lp_status document_fault(const document *d, uint64_t offset, const char *message, lp_err *err) {
    return err_set(err, LP_ERR_FORMAT, STR_FMT ", byte %llu: %s", STR_ARG(d->bytes->name), (unsigned long long)offset,
                   message);
}

static lp_status expected(const document *d, const char *what, lp_err *err) {
    str text = {d->window, d->len};
    size_t length = d->at < d->len ? str_utf8_length(text, d->at) : 0;
    unsigned char c = d->at < d->len ? (unsigned char)d->window[d->at] : 0;
    unsigned long long place = (unsigned long long)(d->base + d->at);
    if (d->at >= d->len)
        return err_set(err, LP_ERR_FORMAT, STR_FMT ", byte %llu: expected %s, found the end of the file",
                       STR_ARG(d->bytes->name), place, what);
    if (length == 0 || c < 0x20 || c == 0x7F)
        return err_set(err, LP_ERR_FORMAT, STR_FMT ", byte %llu: expected %s, found byte 0x%02x",
                       STR_ARG(d->bytes->name), place, what, c);
    return err_set(err, LP_ERR_FORMAT, STR_FMT ", byte %llu: expected %s, found '" STR_FMT "'", STR_ARG(d->bytes->name),
                   place, what, STR_ARG(str_slice(text, d->at, d->at + length)));
}

/* ---- scanning ---- */

static bool is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Stand on the next byte that is no blank. *c is 0 at the end of the file. Nothing before it is kept. */
static lp_status peek(document *d, char *c, lp_err *err) {
    for (;;) {
        while (d->at < d->len && is_blank(d->window[d->at])) d->at++;
        d->keep = d->at;
        *c = '\0';
        if (d->at < d->len) {
            *c = d->window[d->at];
            return LP_OK;
        }
        bool more;
        TRY(fill(d, &more, err));
        if (!more) return LP_OK;
    }
}

/* How many backslashes stand directly before `at`, looking back to `from`. */
static size_t backslashes_before(const char *text, size_t from, size_t at) {
    size_t count = 0;
    while (at - count > from && text[at - count - 1] == '\\') count++;
    return count;
}

/* Stand behind the closing quote of a string whose inside starts at d->at. `drop`: nothing of it is needed. */
static lp_status pass_string(document *d, bool drop, lp_err *err) {
    size_t from = d->at; /* a backslash before it is not one of ours */
    for (;;) {
        const char *quote = d->at < d->len ? memchr(d->window + d->at, '"', d->len - d->at) : NULL;
        if (quote) {
            d->at = (size_t)(quote - d->window) + 1;
            if (backslashes_before(d->window, from, d->at - 1) % 2 == 0) return LP_OK;
            from = d->at;
            continue;
        }
        /* The run of backslashes at the end counts once the next byte is known. */
        size_t run = backslashes_before(d->window, from, d->len);
        d->at = from = d->len - run;
        if (drop) d->keep = d->at;
        size_t moved = d->keep;
        bool more;
        size_t before = d->len;
        TRY(fill(d, &more, err));
        if (!more) {
            d->at = before;
            return expected(d, "'\"' at the end of a string", err);
        }
        from -= moved;
    }
}

enum { OTHER, QUOTE, OPEN, CLOSE };
static const unsigned char class_of[256] = {['"'] = QUOTE, ['{'] = OPEN, ['['] = OPEN, ['}'] = CLOSE, [']'] = CLOSE};

/* Stand behind the container whose opening bracket is at d->at. */
static lp_status pass_container(document *d, bool drop, lp_err *err) {
    for (uint64_t depth = 0;;) {
        const char *text = d->window;
        size_t at = d->at, len = d->len;
        while (at < len && class_of[(unsigned char)text[at]] == OTHER) at++;
        d->at = at;
        if (at == len) {
            bool more;
            if (drop) d->keep = at;
            TRY(fill(d, &more, err));
            if (!more) return expected(d, "a closing bracket", err);
            continue;
        }
        d->at++;
        switch (class_of[(unsigned char)text[at]]) {
        case QUOTE: TRY(pass_string(d, drop, err)); break;
        case OPEN: depth++; break;
        default:
            if (--depth == 0) return LP_OK;
        }
    }
}

static bool ends_scalar(char c) {
    return is_blank(c) || c == ',' || c == '}' || c == ']' || c == ':' || c == '"';
}

static lp_status pass_scalar(document *d, lp_err *err) {
    for (;;) {
        while (d->at < d->len && !ends_scalar(d->window[d->at])) d->at++;
        if (d->at < d->len) return LP_OK;
        bool more;
        TRY(fill(d, &more, err));
        if (!more) return LP_OK;
    }
}

/* Stand behind the value at d->at, which starts with `first`. Unless `drop`, d->keep stays its start. */
static lp_status pass_value(document *d, char first, bool drop, lp_err *err) {
    if (first == '{' || first == '[') return pass_container(d, drop, err);
    if (first == '"') {
        d->at++;
        return pass_string(d, drop, err);
    }
    if (first == '\0' || ends_scalar(first)) return expected(d, "a value", err);
    return pass_scalar(d, err);
}

/* ---- the walk ---- */

lp_status document_begin(document *d, lp_err *err) {
    char c;
    TRY(peek(d, &c, err));
    if (c != '{') return expected(d, "'{'", err);
    d->at++;
    d->depth = 1;
    d->is_first[1] = true;
    return LP_OK;
}

static lp_status leave(document *d, bool *more, lp_err *err) {
    char c;
    d->at++;
    *more = false;
    if (--d->depth > 0) return LP_OK;
    TRY(peek(d, &c, err));
    return c == '\0' && d->at == d->len ? LP_OK : expected(d, "the end of the file", err);
}

static lp_status read_key(document *d, str *key, lp_err *err) {
    char c;
    TRY(peek(d, &c, err));
    if (c != '"') return expected(d, "a key in quotes", err);
    d->at++;
    TRY(pass_string(d, false, err));
    /* What follows the key must not move it: the colon is looked for without peek, which lets it go. */
    for (;;) {
        size_t colon = d->at;
        while (colon < d->len && is_blank(d->window[colon])) colon++;
        if (colon < d->len) {
            str whole = {d->window + d->keep, d->at - d->keep};
            d->at = colon;
            if (d->window[colon] != ':') return expected(d, "':' behind a key", err);
            d->at++;
            *key = str_slice(whole, 1, whole.len - 1);
            return LP_OK;
        }
        bool more;
        TRY(fill(d, &more, err));
        if (!more) return expected(d, "':' behind a key", err);
    }
}

lp_status document_next(document *d, str *key, bool *more, lp_err *err) {
    char c;
    TRY(peek(d, &c, err));
    if (c == '}') return leave(d, more, err);
    if (!d->is_first[d->depth]) {
        if (c != ',') return expected(d, "',' or '}' in an object", err);
        d->at++;
    } else if (c != '"') {
        return expected(d, "a key or '}'", err);
    }
    d->is_first[d->depth] = false;
    *more = true;
    return read_key(d, key, err);
}

static lp_status enter(document *d, char open, const char *what, bool *entered, lp_err *err) {
    char c;
    TRY(peek(d, &c, err));
    *entered = c == open;
    if (*entered) {
        if (d->depth >= DEPTH_MAX) return expected(d, "a flatter document", err);
        d->at++;
        d->is_first[++d->depth] = true;
        return LP_OK;
    }
    if (c != 'n') {
        char text[160];
        snprintf(text, sizeof text, "an %s for %s", open == '{' ? "object" : "array", what);
        return expected(d, text, err);
    }
    return pass_value(d, c, true, err);
}

lp_status document_enter(document *d, const char *what, bool *is_object, lp_err *err) {
    return enter(d, '{', what, is_object, err);
}

lp_status document_enter_array(document *d, const char *what, bool *is_array, lp_err *err) {
    return enter(d, '[', what, is_array, err);
}

lp_status document_next_item(document *d, bool *more, lp_err *err) {
    char c;
    TRY(peek(d, &c, err));
    if (c == ']') return leave(d, more, err);
    if (!d->is_first[d->depth]) {
        if (c != ',') return expected(d, "',' or ']' in an array", err);
        d->at++;
    }
    d->is_first[d->depth] = false;
    *more = true;
    return LP_OK;
}

lp_status document_skip(document *d, lp_err *err) {
    char c;
    TRY(peek(d, &c, err));
    return pass_value(d, c, true, err);
}

lp_status document_take(document *d, str *value, uint64_t *offset, lp_err *err) {
    char c;
    TRY(peek(d, &c, err));
    TRY(pass_value(d, c, false, err));
    *value = (str){d->window + d->keep, d->at - d->keep};
    *offset = d->base + d->keep;
    return LP_OK;
}
