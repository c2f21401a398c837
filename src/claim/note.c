/* note.c - the registry of diagnostics and lists of raised ones.
 * Called by: delta, predicate, prune, report.  Must not know: how they are printed.
 */
#include "claim/note.h"

typedef struct diag_row {
    const char *number, *name, *summary, *help, *page;
    note_severity severity;
    bool original;
} diag_row;

#define SEVERITY_OF_INFO    SEVERITY_INFO
#define SEVERITY_OF_WARNING SEVERITY_WARNING
#define SEVERITY_OF_ERROR   SEVERITY_ERROR
static const diag_row rows[NOTE_CODE_COUNT] = {
#define DIAG(code, name, severity, original, text, help)                                                               \
    {code, #name, text, help, code " " #name ": " text "\n\n" help, SEVERITY_OF_##severity, original},
#include "claim/diag.def"
#undef DIAG
};

static note *append(note_list *list, arena *owner, note_code code, str message) {
    note *n = ARENA_NEW(owner, note);
    n->code = code;
    n->message = message;
    if (list->last)
        list->last->next = n;
    else
        list->first = n;
    list->last = n;
    list->count++;
    return n;
}

void note_add(note_list *list, arena *owner, note_code code, str message) {
    (void)append(list, owner, code, message);
}

void note_add_at(note_list *list, arena *owner, note_code code, str message, span at) {
    note *n = append(list, owner, code, message);
    n->has_place = true;
    n->at = at;
}

bool note_list_has(const note_list *list, note_code code) {
    for (const note *n = list->first; n; n = n->next)
        if (n->code == code) return true;
    return false;
}

str note_code_name(note_code code) {
    return str_from(rows[code].name);
}

str note_code_number(note_code code) {
    return str_from(rows[code].number);
}

str note_code_summary(note_code code) {
    return str_from(rows[code].summary);
}

str note_code_help(note_code code) {
    return str_from(rows[code].help);
}

str note_code_page(note_code code) {
    return str_from(rows[code].page);
}

note_severity note_code_severity(note_code code) {
    return rows[code].severity;
}

bool note_code_is_original(note_code code) {
    return rows[code].original;
}

note_code note_code_find(str name_or_number) {
    for (unsigned code = 0; code < NOTE_CODE_COUNT; code++)
        if (str_eq_nocase(name_or_number, note_code_name(code)) ||
            str_eq_nocase(name_or_number, note_code_number(code)))
            return code;
    return NOTE_CODE_COUNT;
}
