/* names.c - names as people write them into YAML and as dbt renders them: quotes, dotted paths, ref() and source().
 * Called by: dbt.  Must not know: dialects; whether two names are the same.
 */
#include <string.h>

#include "dbt/dbt_int.h"

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static str trim(str s) {
    while (s.len && is_blank(s.ptr[0])) s = str_slice(s, 1, s.len);
    while (s.len && is_blank(s.ptr[s.len - 1])) s = str_slice(s, 0, s.len - 1);
    return s;
}

/* The character that ends a name that starts with this one; 0: it starts no name in quotes. */
static char closing_quote(char open) {
    return open == '"' || open == '`' ? open : open == '[' ? ']' : '\0';
}

/* A name at the front of `text`: how many bytes, 0 for none. An unquoted part of a path may hold hyphens and `*`
 * (BigQuery's projects and wildcard tables) where `loose`. */
static size_t take_name(str text, bool loose, arena *owner, dbt_name *out) {
    *out = (dbt_name){0};
    if (text.len == 0) return 0;
    char close = closing_quote(text.ptr[0]);
    size_t at = 0;
    if (!close) {
        while (at < text.len &&
               (is_letter(text.ptr[at]) || (at + loose > 0 && is_digit(text.ptr[at])) ||
                (at > 0 && text.ptr[at] == '$') || (loose && strchr("-*#@", text.ptr[at]) && text.ptr[at])))
            at++;
        out->text = str_slice(text, 0, at);
        return at;
    }
    char *inside = arena_alloc_raw(owner, text.len);
    size_t len = 0;
    for (at = 1; at < text.len; at++) {
        if (text.ptr[at] == close) {
            bool doubled = at + 1 < text.len && text.ptr[at + 1] == close;
            if (!doubled) {
                *out = (dbt_name){.text = {inside, len}, .is_quoted = true};
                return len ? at + 1 : 0;
            }
            at++;
        }
        inside[len++] = text.ptr[at];
    }
    return 0;
}

dbt_name dbt_parse_name(str text, arena *owner) {
    dbt_name name;
    str trimmed = trim(text);
    size_t len = take_name(trimmed, false, owner, &name);
    if (len == 0 || len != trimmed.len) return (dbt_name){.text = trimmed, .is_expression = true};
    return name;
}

size_t dbt_parse_path(str text, arena *owner, dbt_name part[8]) {
    size_t count = 0, at = 0;
    if (str_is_none(text)) return 0;
    while (count < 8) {
        size_t len = take_name(str_slice(text, at, text.len), true, owner, &part[count]);
        if (len == 0) return 0;
        count++;
        at += len;
        if (at == text.len) return count;
        if (text.ptr[at++] != '.') return 0;
    }
    return 0;
}

/* ---- ref('package', 'model', v=2), source('group', 'table') ---- */

typedef struct cursor {
    str text;
    size_t at;
} cursor;

static bool take_char(cursor *c, char wanted) {
    while (c->at < c->text.len && is_blank(c->text.ptr[c->at])) c->at++;
    if (c->at == c->text.len || c->text.ptr[c->at] != wanted) return false;
    c->at++;
    return true;
}

static str take_word(cursor *c) {
    while (c->at < c->text.len && is_blank(c->text.ptr[c->at])) c->at++;
    size_t from = c->at;
    while (c->at < c->text.len && (is_letter(c->text.ptr[c->at]) || is_digit(c->text.ptr[c->at]))) c->at++;
    return str_slice(c->text, from, c->at);
}

static bool take_literal(cursor *c, str *out) {
    char quote = take_char(c, '\'') ? '\'' : take_char(c, '"') ? '"' : '\0';
    size_t len;
    if (!quote || !str_find_char(str_slice(c->text, c->at, c->text.len), quote, &len)) return false;
    *out = str_slice(c->text, c->at, c->at + len);
    c->at += len + 1;
    return true;
}

/* , v=2   , version='2' */
static bool take_version(cursor *c, str *out) {
    str word = take_word(c);
    if (!str_eq(word, STR("v")) && !str_eq(word, STR("version"))) return false;
    if (!take_char(c, '=')) return false;
    if (take_literal(c, out)) return true;
    size_t from = c->at;
    while (c->at < c->text.len &&
           (is_digit(c->text.ptr[c->at]) || is_letter(c->text.ptr[c->at]) || c->text.ptr[c->at] == '.'))
        c->at++;
    *out = str_slice(c->text, from, c->at);
    return c->at > from;
}

/* The arguments behind the opening bracket, to the closing one. */
static bool take_arguments(cursor *c, dbt_target *out) {
    str literal[2];
    size_t count = 0;
    out->version = STR_NONE;
    do {
        if (count < 2 && take_literal(c, &literal[count]))
            count++;
        else if (count == 0 || !take_version(c, &out->version))
            return false;
    } while (take_char(c, ','));
    if (!take_char(c, ')') || count == 0 || (out->is_source && count != 2)) return false;
    out->package = count == 2 ? literal[0] : STR_NONE;
    out->name = literal[count - 1];
    return true;
}

/* The call of ref or source in the text: alone, in {{ }}, or inside of {{ get_where_subquery(...) }}. */
static bool find_call(str text, dbt_target *out) {
    for (size_t at = 0; at < text.len; at++) {
        if (at > 0 && (is_letter(text.ptr[at - 1]) || is_digit(text.ptr[at - 1]) || text.ptr[at - 1] == '.')) continue;
        cursor c = {text, at};
        str word = take_word(&c);
        out->is_source = str_eq(word, STR("source"));
        if ((out->is_source || str_eq(word, STR("ref"))) && take_char(&c, '(') && take_arguments(&c, out)) return true;
    }
    return false;
}

/* package.model, group.table, model: which of them is decided by looking up. */
static bool split_dotted(str text, dbt_target *out) {
    size_t dot = text.len;
    for (size_t at = 0; at < text.len; at++) {
        if (!is_letter(text.ptr[at]) && !is_digit(text.ptr[at]) && text.ptr[at] != '.') return false;
        if (text.ptr[at] == '.' && dot < text.len) return false;
        if (text.ptr[at] == '.') dot = at;
    }
    bool dotted = dot < text.len;
    *out = (dbt_target){.package = dotted ? str_slice(text, 0, dot) : STR_NONE,
                        .name = dotted ? str_slice(text, dot + 1, text.len) : text};
    return out->name.len > 0;
}

bool dbt_parse_target(str text, dbt_target *out) {
    *out = (dbt_target){0};
    out->is_call = find_call(text, out);
    return out->is_call || split_dotted(trim(text), out);
}
