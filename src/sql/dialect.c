/* dialect.c - the table of dialects.
 * Called by: sql/lex.c, sql/parse_*.c, whoever offers --dialect.  Must not know: what a token means.
 */
#include "sql/dialect.h"

static const dialect_traits traits[DIALECT_COUNT] = {
#define DIALECT(dialect, ...) [DIALECT_##dialect] = {.name = #dialect, __VA_ARGS__},
#include "sql/dialect.def"
#undef DIALECT
};

const dialect_traits *sql_dialect_traits(sql_dialect d) {
    return &traits[d];
}

dialect_traits sql_dialect_condition_traits(sql_dialect d) {
    const dialect_traits *t = &traits[d];
    return (dialect_traits){.name = t->name,
                            .quotes = t->quotes,
                            .backslash = t->backslash,
                            .prefixes = t->prefixes,
                            .suffixes = t->suffixes,
                            .digit_names = t->digit_names,
                            .comment_continues = t->comment_continues,
                            .lambdas = t->lambdas,
                            .symmetric = t->symmetric};
}

bool sql_dialect_by_name(str name, sql_dialect *out) {
    for (int i = 0; i < DIALECT_COUNT; i++) {
        if (!str_eq_nocase(name, str_from(traits[i].name))) continue;
        *out = (sql_dialect)i;
        return true;
    }
    return false;
}
