/* notes.c - which notes a part of a report shows, and in which order.
 * Called by: report/text.c, report/json.c.  Must not know: how they are printed.
 */
#include "report/report_int.h"

/* LP10xx are about the predicate, LP11xx about the table. The original reports what it says about a table as table
 * features; what it has no code for (how the log was read) is a note of the table, which only ours shows. */
note_place note_place_of(note_code code) {
    if (str_starts_with(note_code_number(code), STR("LP10"))) return NOTE_OF_PREDICATE;
    return note_code_is_original(code) ? NOTE_OF_FEATURE : NOTE_OF_TABLE;
}

static void choose_from(note_choice *chosen, const note_list *list, note_place part, bool drop_in) {
    for (const note *n = list->first; n; n = n->next) {
        if (note_place_of(n->code) != part || (drop_in && !note_code_is_original(n->code))) continue;
        size_t at = chosen->count++;
        /* An insertion sort that keeps equal codes in order; a table has a handful of feature notes. */
        for (; part == NOTE_OF_FEATURE && at > 0 && chosen->item[at - 1]->code > n->code; at--)
            chosen->item[at] = chosen->item[at - 1];
        chosen->item[at] = n;
    }
}

note_choice notes_choose(const prune_report *report, note_place part, bool drop_in, arena *query) {
    size_t most = report->notes.count + report->table->notes.count;
    note_choice chosen = {ARENA_ARRAY(query, const note *, most), 0};
    choose_from(&chosen, &report->notes, part, drop_in);
    choose_from(&chosen, &report->table->notes, part, drop_in);
    return chosen;
}
