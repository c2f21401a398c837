/* function_list.c - functions that change how a query is read.
 * Called by: plan/bind_*.c.  Must not know: what a function computes.
 */
#include "plan/function_list.h"

#include <stdlib.h>

typedef struct function_row {
    const char *name;
    function_role role;
} function_row;

static const function_row functions[] = {
#define FUNCTION(name, role) {#name, FUNCTION_##role},
#define WORD(name)
#include "plan/function.def"
#undef FUNCTION
#undef WORD
};

static const function_row words[] = {
#define FUNCTION(name, role)
#define WORD(name) {#name, FUNCTION_PLAIN},
#include "plan/function.def"
#undef FUNCTION
#undef WORD
};

enum { LONGEST_NAME = 40 };

static int by_name(const void *key, const void *row) {
    return str_compare(*(const str *)key, str_from(((const function_row *)row)->name));
}

#define FIND(rows, name) bsearch(&(name), (rows), sizeof(rows) / sizeof *(rows), sizeof *(rows), by_name)

/* In lower case; a name that is longer than all of ours is cut, and found nowhere. */
static str lower_name(str name, char *into) {
    size_t len = name.len < LONGEST_NAME ? name.len : LONGEST_NAME;
    for (size_t i = 0; i < len; i++) {
        char c = name.ptr[i];
        into[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    return (str){into, len};
}

function_role function_role_of(str name) {
    char lower[LONGEST_NAME];
    str key = lower_name(name, lower);
    const function_row *row = FIND(functions, key);
    return row ? row->role : FUNCTION_PLAIN;
}

bool is_unit_word(str text) {
    char lower[LONGEST_NAME];
    str key = lower_name(text, lower);
    return FIND(words, key) != NULL;
}
