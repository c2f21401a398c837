/* note.h - diagnostics: findings about the user's query or table, with stable codes.
 * Called by: delta, predicate, prune raise them; report prints them.  Must not know: how they are printed.
 */
#ifndef CLAIM_NOTE_H
#define CLAIM_NOTE_H

#include "base/arena.h"
#include "base/span.h"

/* The rows of diag.def, in its order. */
typedef enum note_code {
#define DIAG(code, name, severity, original, text, help) NOTE_##name,
#include "claim/diag.def"
#undef DIAG
    NOTE_CODE_COUNT
} note_code;

typedef enum note_severity { SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_ERROR } note_severity;

typedef struct note {
    note_code code;
    str message; /* one line for people */
    bool has_place;
    span at; /* in the predicate's text */
    struct note *next;
} note;

/* Notes in the order in which they were raised. */
typedef struct note_list {
    note *first, *last;
    size_t count;
} note_list;

/* Append. `message` must live as long as `owner`. */
void note_add(note_list *list, arena *owner, note_code code, str message);
void note_add_at(note_list *list, arena *owner, note_code code, str message, span at);
bool note_list_has(const note_list *list, note_code code);

str note_code_name(note_code code);   /* "UNSPLITTABLE_OR" */
str note_code_number(note_code code); /* "LP1001" */
str note_code_summary(note_code code);
str note_code_help(note_code code);
str note_code_page(note_code code); /* number, name, summary and help, for `lakeproof help CODE` */
note_severity note_code_severity(note_code code);
bool note_code_is_original(note_code code); /* known to delta-explain: printed under that name too */
/* By name or number, ignoring case; NOTE_CODE_COUNT when there is none. */
note_code note_code_find(str name_or_number);

#endif
