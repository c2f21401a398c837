/* function_list.c - functions that change how a query is read.
 * Called by: plan/bind_*.c.  Must not know: what a function computes.
 */
#include "plan/function_list.h"

#include <stdlib.h>

typedef struct function_row {
    const char *name;
    function_role role;
} function_row;

/* Each group of function.def is in the order of its names, so a few searches find a name. */
static const function_row aggregates[] = {
#define AGGREGATE(name) {#name, FUNCTION_AGGREGATE},
#define ROWS(name)
#define VOLATILE(name)
#define UNITS(name)
#define WORD(name)
#include "plan/function.def"
#undef AGGREGATE
#undef ROWS
#undef VOLATILE
#undef UNITS
#undef WORD
};
static const function_row makers_of_rows[] = {
#define AGGREGATE(name)
#define ROWS(name) {#name, FUNCTION_ROWS},
#define VOLATILE(name)
#define UNITS(name)
#define WORD(name)
#include "plan/function.def"
#undef AGGREGATE
#undef ROWS
#undef VOLATILE
#undef UNITS
#undef WORD
};
static const function_row volatiles[] = {
#define AGGREGATE(name)
#define ROWS(name)
#define VOLATILE(name) {#name, FUNCTION_VOLATILE},
#define UNITS(name)
#define WORD(name)
#include "plan/function.def"
#undef AGGREGATE
#undef ROWS
#undef VOLATILE
#undef UNITS
#undef WORD
};
static const function_row takers_of_units[] = {
#define AGGREGATE(name)
#define ROWS(name)
#define VOLATILE(name)
#define UNITS(name) {#name, FUNCTION_UNITS},
#define WORD(name)
#include "plan/function.def"
#undef AGGREGATE
#undef ROWS
#undef VOLATILE
#undef UNITS
#undef WORD
};
static const function_row words[] = {
#define AGGREGATE(name)
#define ROWS(name)
#define VOLATILE(name)
#define UNITS(name)
#define WORD(name) {#name, FUNCTION_PLAIN},
#include "plan/function.def"
#undef AGGREGATE
#undef ROWS
#undef VOLATILE
#undef UNITS
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
    const function_row *row = FIND(aggregates, key);
    if (!row) row = FIND(makers_of_rows, key);
    if (!row) row = FIND(volatiles, key);
    if (!row) row = FIND(takers_of_units, key);
    return row ? row->role : FUNCTION_PLAIN;
}

bool is_unit_word(str text) {
    char lower[LONGEST_NAME];
    str key = lower_name(text, lower);
    return FIND(words, key) != NULL;
}
