/* function_list.c - functions that change how a query is read.
 * Called by: plan/bind_*.c.  Must not know: what a function computes.
 */
#include "plan/function_list.h"

#include <stdlib.h>

typedef struct function_row {
    const char *name;
    function_role role;
} function_row;

/* Each group of function.def is in the order of its names, so three searches find a name. */
static const function_row aggregates[] = {
#define AGGREGATE(name) {#name, FUNCTION_AGGREGATE},
#define ROWS(name)
#define VOLATILE(name)
#include "plan/function.def"
#undef AGGREGATE
#undef ROWS
#undef VOLATILE
};
static const function_row makers_of_rows[] = {
#define AGGREGATE(name)
#define ROWS(name) {#name, FUNCTION_ROWS},
#define VOLATILE(name)
#include "plan/function.def"
#undef AGGREGATE
#undef ROWS
#undef VOLATILE
};
static const function_row volatiles[] = {
#define AGGREGATE(name)
#define ROWS(name)
#define VOLATILE(name) {#name, FUNCTION_VOLATILE},
#include "plan/function.def"
#undef AGGREGATE
#undef ROWS
#undef VOLATILE
};

enum { LONGEST_NAME = 40 };

static int by_name(const void *key, const void *row) {
    return str_compare(*(const str *)key, str_from(((const function_row *)row)->name));
}

#define FIND(rows, name) bsearch(&(name), (rows), sizeof(rows) / sizeof *(rows), sizeof *(rows), by_name)

function_role function_role_of(str name) {
    char lower[LONGEST_NAME];
    if (name.len > sizeof lower) return FUNCTION_PLAIN;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        lower[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    str key = {lower, name.len};
    const function_row *row = FIND(aggregates, key);
    if (!row) row = FIND(makers_of_rows, key);
    if (!row) row = FIND(volatiles, key);
    return row ? row->role : FUNCTION_PLAIN;
}
