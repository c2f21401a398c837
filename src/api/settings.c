/* settings.c - the defaults of a project: lakeproof.toml.
 * Called by: the sources of this room that answer about rows.  Must not know: what a setting does.
 */
#include "api/settings.h"

#include <string.h>

#include "base/buf.h"

typedef struct toml {
    arena *owner;
    str text, name;
    size_t at;
    uint32_t line;
    str table; /* "" before the first */
    bool had_check;
    settings *out;
    lp_err *err;
} toml;

/* ---- characters ---- */

static int peek(const toml *t) {
    return t->at < t->text.len ? (unsigned char)t->text.ptr[t->at] : -1;
}

static lp_status wrong(const toml *t, const char *expected) {
    int c = peek(t);
    char found[24] = "the end of the file";
    if (c == '\n' || c == '\r')
        memcpy(found, "the end of the line", sizeof "the end of the line");
    else if (c > ' ' && c < 0x7f)
        memcpy(found, (char[]){'\'', (char)c, '\'', '\0'}, 4);
    else if (c >= 0)
        memcpy(found, "another character", sizeof "another character");
    return err_set(t->err, LP_ERR_USAGE, STR_FMT " line %u: expected %s, found %s", STR_ARG(t->name), t->line, expected,
                   found);
}

static void skip_blanks(toml *t) {
    while (peek(t) == ' ' || peek(t) == '\t') t->at++;
}

static bool take(toml *t, char c) {
    if (peek(t) != c) return false;
    t->at++;
    return true;
}

static bool is_bare(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* Blanks, a comment, the end of the line. */
static lp_status end_line(toml *t) {
    skip_blanks(t);
    if (peek(t) == '#') {
        while (peek(t) >= 0 && peek(t) != '\n') t->at++;
    }
    take(t, '\r');
    if (peek(t) < 0) return LP_OK;
    if (!take(t, '\n')) return wrong(t, "the end of the line");
    t->line++;
    return LP_OK;
}

/* In arrays: blanks, comments and line ends. */
static lp_status skip_space(toml *t) {
    for (;;) {
        skip_blanks(t);
        int c = peek(t);
        if (c != '#' && c != '\n' && c != '\r') return LP_OK;
        TRY(end_line(t));
    }
}

/* ---- values ---- */

static str take_bare(toml *t) {
    size_t start = t->at;
    while (is_bare(peek(t))) t->at++;
    return str_slice(t->text, start, t->at);
}

static lp_status take_escape(toml *t, buf *out) {
    static const char from[] = "btnfr\"\\", to[] = "\b\t\n\f\r\"\\";
    int c = peek(t);
    const char *found = c > 0 ? memchr(from, c, sizeof from - 1) : NULL;
    if (!found) return wrong(t, "one of b t n f r \" \\ behind a backslash");
    buf_put_char(out, to[found - from]);
    t->at++;
    return LP_OK;
}

static lp_status take_string(toml *t, str *out) {
    buf text;
    int quote = peek(t);
    if (quote != '"' && quote != '\'') return wrong(t, "a string in quotes");
    t->at++;
    buf_init(&text, t->owner, SIZE_MAX / 2);
    while (peek(t) != quote) {
        int c = peek(t);
        if (c < 0 || c == '\n' || (c < ' ' && c != '\t') || c == 0x7f) return wrong(t, "the quote that ends the string");
        t->at++;
        if (c == '\\' && quote == '"')
            TRY(take_escape(t, &text));
        else
            buf_put_char(&text, (char)c);
    }
    t->at++;
    *out = text.len ? buf_str(&text) : STR("");
    return LP_OK;
}

static lp_status take_strings(toml *t, setting_list *out) {
    enum { MOST = 1000 };
    str *item = ARENA_ARRAY(t->owner, str, MOST);
    size_t count = 0;
    if (!take(t, '[')) return wrong(t, "an array of strings: [\"...\", ...]");
    TRY(skip_space(t));
    while (!take(t, ']')) {
        if (count == MOST) return err_set(t->err, LP_ERR_USAGE, STR_FMT " line %u: more than %d texts", STR_ARG(t->name), t->line, MOST);
        TRY(take_string(t, &item[count++]));
        TRY(skip_space(t));
        if (peek(t) != ']' && !take(t, ',')) return wrong(t, "',' or ']'");
        TRY(skip_space(t));
    }
    *out = (setting_list){true, {item, count}};
    return LP_OK;
}

/* ---- keys ---- */

typedef struct known_key {
    const char *table, *name;
    size_t offset;
    bool is_list;
} known_key;

static const known_key known[] = {
    {"", "trust", offsetof(settings, trust), true},
    {"check", "fail_on", offsetof(settings, fail_on), false},
    {"check", "baseline", offsetof(settings, baseline), false},
    {"check", "checks", offsetof(settings, checks), true},
    {"check", "enable", offsetof(settings, enable), true},
    {"check", "select", offsetof(settings, select), true},
    {"check", "exclude", offsetof(settings, exclude), true},
};
enum { KNOWN_COUNT = sizeof known / sizeof known[0] };

static lp_status unknown_key(const toml *t, str key) {
    buf names;
    buf_init(&names, t->owner, SIZE_MAX / 2);
    for (size_t i = 0; i < KNOWN_COUNT; i++) {
        if (str_eq(str_from(known[i].table), t->table))
            buf_printf(&names, "%s%s", names.len ? ", " : "", known[i].name);
    }
    return err_set(t->err, LP_ERR_USAGE, STR_FMT " line %u: there is no key '" STR_FMT "' %s, only " STR_FMT,
                   STR_ARG(t->name), t->line, STR_ARG(key), t->table.len ? "in [check]" : "outside of a table",
                   STR_ARG(buf_str(&names)));
}

static lp_status take_value(toml *t, const known_key *k) {
    char *field = (char *)t->out + k->offset;
    setting_list *list = (setting_list *)(void *)field;
    str *text = (str *)(void *)field;
    if (k->is_list ? list->is_set : !str_is_none(*text))
        return err_set(t->err, LP_ERR_USAGE, STR_FMT " line %u: the key '%s' stands twice", STR_ARG(t->name), t->line, k->name);
    return k->is_list ? take_strings(t, list) : take_string(t, text);
}

static lp_status take_pair(toml *t) {
    str key = take_bare(t);
    const known_key *k = NULL;
    if (!key.len) return wrong(t, "a key or a table");
    for (size_t i = 0; i < KNOWN_COUNT; i++) {
        if (str_eq(str_from(known[i].table), t->table) && str_eq(str_from(known[i].name), key)) k = &known[i];
    }
    if (!k) return unknown_key(t, key);
    skip_blanks(t);
    if (!take(t, '=')) return wrong(t, "'='");
    skip_blanks(t);
    return take_value(t, k);
}

static lp_status take_table(toml *t) {
    skip_blanks(t);
    str name = take_bare(t);
    skip_blanks(t);
    if (!take(t, ']')) return wrong(t, "']'");
    if (!str_eq(name, STR("check")))
        return err_set(t->err, LP_ERR_USAGE, STR_FMT " line %u: there is no table '" STR_FMT "', only [check]",
                       STR_ARG(t->name), t->line, STR_ARG(name));
    if (t->had_check) return err_set(t->err, LP_ERR_USAGE, STR_FMT " line %u: [check] stands twice", STR_ARG(t->name), t->line);
    t->had_check = true;
    t->table = name;
    return LP_OK;
}

lp_status settings_read(arena *owner, str text, str name, settings *out, lp_err *err) {
    toml t = {.owner = owner, .text = text, .name = name, .line = 1, .table = STR(""), .out = out, .err = err};
    *out = (settings){0};
    if (!str_is_utf8(text)) return err_set(err, LP_ERR_USAGE, STR_FMT " is not valid UTF-8", STR_ARG(name));
    if (str_starts_with(text, STR("\xef\xbb\xbf"))) t.at = 3;
    while (peek(&t) >= 0) {
        skip_blanks(&t);
        int c = peek(&t);
        if (c == '[') t.at++;
        if (c == '[')
            TRY(take_table(&t));
        else if (c >= 0 && c != '#' && c != '\n' && c != '\r')
            TRY(take_pair(&t));
        TRY(end_line(&t));
    }
    return LP_OK;
}

text_list text_list_of_commas(arena *owner, str text) {
    size_t most = 1, count = 0;
    for (size_t i = 0; i < text.len; i++) most += text.ptr[i] == ',';
    str *item = ARENA_ARRAY(owner, str, most);
    for (size_t from = 0, to; from <= text.len; from = to + 1) {
        if (!str_find_char(str_slice(text, from, text.len), ',', &to)) to = text.len - from;
        to += from;
        str one = str_slice(text, from, to);
        while (one.len && one.ptr[0] == ' ') one = str_slice(one, 1, one.len);
        while (one.len && one.ptr[one.len - 1] == ' ') one.len--;
        if (one.len) item[count++] = one;
    }
    return (text_list){item, count};
}
