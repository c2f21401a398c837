/* check_github.c - findings as workflow commands of GitHub Actions, one a line, which become annotations of a pull request.
 * Called by: api.  Must not know: other forms.
 * Source: GitHub: Workflow commands for GitHub Actions, "Setting an error message".
 */
#include "report/check_report.h"
#include "report/report_int.h"

/* %, carriage return and line feed everywhere; in the value of a property also : and , */
static void put_escaped(buf *out, str text, bool is_property) {
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool special = c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ','));
        if (special)
            buf_printf(out, "%%%02X", (unsigned)(unsigned char)c);
        else
            buf_put_char(out, c);
    }
}

static void put_property(buf *out, const char *name, str text, bool *has_one) {
    buf_printf(out, "%s%s=", *has_one ? "," : " ", name);
    put_escaped(out, text, true);
    *has_one = true;
}

static void put_place(buf *out, const shown_place *at, bool *has_one) {
    str file = at->exists ? at->file : STR_NONE;
    if (str_is_none(file)) return;
    put_property(out, "file", file, has_one);
    if (!at->is_mapped) return; /* the file is right, the line would be another text's */
    buf_printf(out, ",line=%u,col=%u", at->at.line, at->at.column);
    if (at->at.length) buf_printf(out, ",endColumn=%u", at->at.column + at->at.length);
}

static void put_command(buf *out, finding_severity severity, const shown_place *at, str title, str message) {
    bool has_one = false;
    buf_put(out, STR("::"));
    buf_put(out, severity == FINDING_NOTE ? STR("notice") : finding_severity_name(severity));
    put_place(out, at, &has_one);
    put_property(out, "title", title, &has_one);
    buf_put(out, STR("::"));
    put_escaped(out, message, false);
    buf_put_char(out, '\n');
}

/* The message, what proves it, and what to do, a line each. */
static str message_of(const finding *f, const place_finder *places, arena *query) {
    buf text;
    buf_init(&text, query, SIZE_MAX / 2);
    buf_put(&text, f->text);
    for (size_t i = 0; i < f->join_count; i++) {
        shown_place at = place_find(places, f->join[i]->model, f->join[i]->place);
        buf_printf(&text, "\n" STR_FMT " join at ", STR_ARG(cardinality_name(f->join[i]->cardinality)));
        place_put(&text, &at);
        buf_printf(&text, ": " STR_FMT, STR_ARG(f->join[i]->text));
    }
    for (size_t i = 0; i < f->evidence_count; i++)
        buf_printf(&text, "%s" STR_FMT, i ? "; " : "\nbecause ", STR_ARG(f->evidence[i]));
    if (f->suggestion.len) buf_printf(&text, "\n" STR_FMT, STR_ARG(f->suggestion));
    return buf_str(&text);
}

void check_github(const check_report *report, const check_style *style, arena *query, report_document *out) {
    draft d;
    draft_init(&d, query, out);
    for (size_t i = 0; i < report->finding_count; i++) {
        const shown_finding *s = &report->finding[i];
        if (s->fate != FATE_REPORTED) continue;
        str title = str_format(query, STR_FMT " " STR_FMT, STR_ARG(finding_code_name(s->f->code)),
                               STR_ARG(finding_code_title(s->f->code)));
        put_command(&d.tail, s->f->severity, &s->at, title, message_of(s->f, style->places, query));
    }
    for (size_t i = 0; i < report->note_count; i++) {
        const check_note *n = &report->note[i];
        put_command(&d.tail, severity_of_note(n->code), &n->at, note_code_name(n->code), n->text);
    }
    draft_end(&d);
}
