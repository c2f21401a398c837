/* finding_page.c - what each check finds, in words, and counts that all forms of a report share.
 * Called by: report/check_*.c, api.  Must not know: how a finding was proved.
 */
#include "report/check_report.h"

#define PAGE(code, title, help) {code ": " title "\n\n" help, help}

typedef struct finding_words {
    const char *page, *help;
} finding_words;

static const finding_words words[FINDING_CODE_COUNT] = {
    [FINDING_G001] = PAGE(
        "G001", "double counting",
        "A sum or an average adds a value once for each row that a join has made of it, so one group may count it several times. "
        "The value belongs to its native grain (an order has one shipping fee); a join below gave its row several partners (the "
        "lines of the order); and the group, even together with the native grain, does not tell these rows apart. Sum the value "
        "before the join, or where one row of its own grain is one row of the group. A value that is meant to be applied to every "
        "row, a unit price, is declared so: meta.lakeproof.per_row: true on its column."),
    [FINDING_G002] = PAGE(
        "G002", "a declared grain that the SQL need not keep",
        "A grain is declared in the meta of the model, and the known key of its rows shows that two of them may agree on it. (What a "
        "dbt test checks is left to the test.) Group by "
        "the declared columns, or declare the grain that the rows have."),
    [FINDING_G003] = PAGE(
        "G003", "many-to-many join",
        "The columns that a join equates are a key of neither side, so each side may repeat the rows of the other. Often a column of "
        "the key is missing in the condition. Add it, or bring one side to one row a value of the join columns first."),
    [FINDING_G004] = PAGE(
        "G004", "a sum of what does not add",
        "An average, a percentile or a count of distinct values is summed again. The sum of averages is no average, and the parts of "
        "a distinct count may overlap: what is in two of them counts twice. Compute it from the rows at the grain where it is wanted."),
    [FINDING_G005] = PAGE(
        "G005", "possible row loss",
        "An inner join or a filter may drop rows, and nothing that is declared shows that it keeps them all. This is a note, and only "
        "given when it is selected (--enable G005). A declared reference (a relationships test, or meta.cardinal.references) with a "
        "join column that is never NULL proves that a join loses nothing."),
};

const char *finding_code_page(finding_code code) {
    return words[code].page;
}

const char *finding_code_help(finding_code code) {
    return words[code].help;
}

finding_code finding_code_find(str name) {
    for (unsigned code = 0; code < FINDING_CODE_COUNT; code++) {
        if (str_eq_nocase(finding_code_name((finding_code)code), name)) return (finding_code)code;
    }
    return FINDING_CODE_COUNT;
}

str finding_severity_name(finding_severity severity) {
    switch (severity) {
    case FINDING_ERROR: return STR("error");
    case FINDING_WARNING: return STR("warning");
    case FINDING_NOTE: return STR("note");
    }
    UNREACHABLE();
}

finding_severity severity_of_note(note_code code) {
    switch (note_code_severity(code)) {
    case SEVERITY_ERROR: return FINDING_ERROR;
    case SEVERITY_WARNING: return FINDING_WARNING;
    case SEVERITY_INFO: return FINDING_NOTE;
    }
    UNREACHABLE();
}

size_t check_report_count(const check_report *report, finding_severity severity) {
    size_t count = 0;
    for (size_t i = 0; i < report->finding_count; i++)
        count += report->finding[i].fate == FATE_REPORTED && report->finding[i].f->severity == severity;
    for (size_t i = 0; i < report->note_count; i++) count += severity_of_note(report->note[i].code) == severity;
    return count;
}

str check_list_text(const str *text, size_t count, arena *owner) {
    buf out;
    buf_init(&out, owner, SIZE_MAX / 2);
    for (size_t i = 0; i < count; i++) {
        if (i) buf_put(&out, STR(", "));
        buf_put(&out, text[i]);
    }
    return out.len ? buf_str(&out) : STR("");
}
