/* scope_rules.c - how names are found in each dialect.
 * Called by: plan/bind_*.c, ddl.c.  Must not know: how a text is read.
 */
#include "plan/scope_rules.h"

#include "base/fold.h"

static const scope_rules table[DIALECT_COUNT] = {
#define SCOPE(name, ...) [DIALECT_##name] = {__VA_ARGS__},
#include "plan/scope.def"
#undef SCOPE
};

const scope_rules *scope_rules_of(sql_dialect d) {
    return &table[d];
}

plain_name name_of_part(const ast_part *part) {
    return (plain_name){part->text, part->quote != 0};
}

str name_as_seen(arena *out, const scope_rules *rules, plain_name name) {
    if (name.is_quoted || rules->fold == FOLD_NEITHER) return name.text;
    char first = rules->fold == FOLD_LOWER ? 'A' : 'a', other = rules->fold == FOLD_LOWER ? 'a' : 'A';
    char *copy = arena_alloc_raw(out, name.text.len);
    for (size_t i = 0; i < name.text.len; i++) {
        char c = name.text.ptr[i];
        copy[i] = c >= first && c <= first + 25 ? (char)(c - first + other) : c;
    }
    return (str){copy, name.text.len};
}

/* Does `folded`, which stands for its folded case, name what is spelled `exact`? */
static bool folds_to(name_fold fold, str folded, str exact) {
    if (!str_eq_folded(folded, exact)) return false;
    char first = fold == FOLD_LOWER ? 'A' : 'a', last = fold == FOLD_LOWER ? 'Z' : 'z';
    for (size_t i = 0; i < exact.len; i++)
        if (exact.ptr[i] >= first && exact.ptr[i] <= last) return false;
    return true;
}

bool name_equal(const scope_rules *rules, plain_name a, plain_name b) {
    if (rules->fold == FOLD_NEITHER || (!a.is_quoted && !b.is_quoted)) return str_eq_folded(a.text, b.text);
    if (a.is_quoted && b.is_quoted) return str_eq(a.text, b.text);
    return a.is_quoted ? folds_to(rules->fold, b.text, a.text) : folds_to(rules->fold, a.text, b.text);
}

static bool is_in(const char *list, str word) {
    str rest = list ? str_from(list) : STR("");
    while (rest.len) {
        size_t end = rest.len;
        (void)str_find_char(rest, ' ', &end);
        if (str_eq_nocase(str_slice(rest, 0, end), word)) return true;
        rest = str_slice(rest, end + 1, rest.len);
    }
    return false;
}

bool name_is_hidden(const scope_rules *rules, plain_name name) {
    return is_in(rules->hidden, name.text);
}

bool function_makes_rows(const scope_rules *rules, str name) {
    return is_in(rules->makes_rows, name);
}
