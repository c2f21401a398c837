/* check_sarif.c - findings as SARIF, which code scanning services read.
 * Called by: api.  Must not know: other forms.
 * Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0.
 */
#include "report/check_report.h"
#include "report/member.h"
#include "report/report_int.h"

/* A path as a relative reference, RFC 3986; an absolute one with the scheme file. */
static str uri_of(str path, arena *query) {
    str plain = STR("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/");
    buf out;
    buf_init(&out, query, SIZE_MAX / 2);
    if (path.len && path.ptr[0] == '/') buf_put(&out, STR("file://"));
    for (size_t i = 0, at; i < path.len; i++) {
        unsigned char c = (unsigned char)path.ptr[i];
        if (c && str_find_char(plain, (char)c, &at))
            buf_put_char(&out, (char)c);
        else
            buf_printf(&out, "%%%02X", c);
    }
    return out.len ? buf_str(&out) : STR("");
}

/* ---- the rules: checks, then the notes about the run ---- */

static void put_text_object(json_writer *w, str key, str text) {
    json_put_key(w, key);
    json_begin_object(w);
    member_text(w, STR("text"), text);
    json_end_object(w);
}

static void put_rule(json_writer *w, str id, str name, str title, str help, finding_severity severity) {
    json_begin_object(w);
    json_put_key(w, STR("defaultConfiguration"));
    json_begin_object(w);
    member_text(w, STR("level"), finding_severity_name(severity));
    json_end_object(w);
    put_text_object(w, STR("fullDescription"), help);
    put_text_object(w, STR("help"), help);
    member_text(w, STR("id"), id);
    if (!str_is_none(name)) member_text(w, STR("name"), name);
    put_text_object(w, STR("shortDescription"), title);
    json_end_object(w);
}

static bool is_raised(const check_report *report, note_code code) {
    for (size_t i = 0; i < report->note_count; i++) {
        if (report->note[i].code == code) return true;
    }
    return false;
}

static void put_rules(json_writer *w, const check_report *report, unsigned *rule_of_note) {
    unsigned count = 0;
    json_put_key(w, STR("rules"));
    json_begin_array(w);
    for (; count < FINDING_CODE_COUNT; count++) {
        finding_code code = (finding_code)count;
        put_rule(w, finding_code_name(code), STR_NONE, finding_code_title(code), str_from(finding_code_help(code)), finding_code_severity(code));
    }
    for (unsigned n = 0; n < NOTE_CODE_COUNT; n++) {
        note_code code = (note_code)n;
        if (!is_raised(report, code)) continue;
        put_rule(w, note_code_number(code), note_code_name(code), note_code_summary(code), note_code_help(code),
                 severity_of_note(code));
        rule_of_note[n] = count++;
    }
    json_end_array(w);
}

/* ---- locations ---- */

static void put_region(json_writer *w, text_place at) {
    json_put_key(w, STR("region"));
    json_begin_object(w);
    if (at.length) member_count(w, STR("endColumn"), (uint64_t)at.column + at.length);
    member_count(w, STR("startColumn"), at.column);
    member_count(w, STR("startLine"), at.line);
    json_end_object(w);
}

static void put_physical(json_writer *w, str file, const text_place *at, arena *query) {
    json_put_key(w, STR("physicalLocation"));
    json_begin_object(w);
    json_put_key(w, STR("artifactLocation"));
    json_begin_object(w);
    member_text(w, STR("uri"), uri_of(file, query));
    json_end_object(w);
    if (at) put_region(w, *at);
    json_end_object(w);
}

/* The author's file. Where the place is only known in the compiled SQL it is the file without a region. */
static void put_location(json_writer *w, const shown_place *at, str model, str message, arena *query) {
    json_begin_object(w);
    if (model.len) {
        json_put_key(w, STR("logicalLocations"));
        json_begin_array(w);
        json_begin_object(w);
        member_text(w, STR("fullyQualifiedName"), model);
        member_text(w, STR("kind"), STR("module"));
        json_end_object(w);
        json_end_array(w);
    }
    if (message.len) put_text_object(w, STR("message"), message);
    if (at->exists && !str_is_none(at->file)) put_physical(w, at->file, at->is_mapped ? &at->at : NULL, query);
    json_end_object(w);
}

static void put_locations(json_writer *w, const shown_place *at, str model, arena *query) {
    json_put_key(w, STR("locations"));
    json_begin_array(w);
    if (at->exists || model.len) put_location(w, at, model, STR(""), query);
    json_end_array(w);
}

static void put_related(json_writer *w, const finding *f, const place_finder *places, arena *query) {
    json_put_key(w, STR("relatedLocations"));
    json_begin_array(w);
    for (size_t i = 0; i < f->join_count; i++) {
        const join_site *s = f->join[i];
        shown_place at = place_find(places, s->model, s->place);
        str message = str_format(query, STR_FMT " join: " STR_FMT, STR_ARG(cardinality_name(s->cardinality)), STR_ARG(s->text));
        put_location(w, &at, s->model, message, query);
    }
    json_end_array(w);
}

/* ---- results ---- */

static str message_of(const finding *f, arena *query) {
    buf text;
    buf_init(&text, query, SIZE_MAX / 2);
    buf_put(&text, f->text);
    for (size_t i = 0; i < f->evidence_count; i++)
        buf_printf(&text, "%s" STR_FMT, i ? "; " : "\nBecause ", STR_ARG(f->evidence[i]));
    if (f->suggestion.len) buf_printf(&text, "\n" STR_FMT, STR_ARG(f->suggestion));
    return buf_str(&text);
}

static void put_finding(json_writer *w, const shown_finding *s, bool has_baseline, const place_finder *places, arena *query) {
    const finding *f = s->f;
    json_begin_object(w);
    if (has_baseline)
        member_text(w, STR("baselineState"), s->fate == FATE_BASELINE ? STR("unchanged") : STR("new"));
    member_text(w, STR("level"), finding_severity_name(f->severity));
    put_locations(w, &s->at, f->model, query);
    put_text_object(w, STR("message"), message_of(f, query));
    json_put_key(w, STR("partialFingerprints"));
    json_begin_object(w);
    member_text(w, STR("lakeproof/v1"), f->fingerprint);
    json_end_object(w);
    put_related(w, f, places, query);
    member_text(w, STR("ruleId"), finding_code_name(f->code));
    member_count(w, STR("ruleIndex"), f->code);
    if (s->fate == FATE_ALLOWED) {
        json_put_key(w, STR("suppressions"));
        json_begin_array(w);
        json_begin_object(w);
        member_text(w, STR("justification"), s->because);
        member_text(w, STR("kind"), STR("inSource"));
        json_end_object(w);
        json_end_array(w);
    }
    json_end_object(w);
}

static void put_note(json_writer *w, const check_note *n, unsigned rule, arena *query) {
    json_begin_object(w);
    member_text(w, STR("level"), finding_severity_name(severity_of_note(n->code)));
    put_locations(w, &n->at, n->model, query);
    put_text_object(w, STR("message"), n->text);
    member_text(w, STR("ruleId"), note_code_number(n->code));
    member_count(w, STR("ruleIndex"), rule);
    json_end_object(w);
}

static void put_driver(json_writer *w, const check_report *report, const check_style *style, unsigned *rule_of_note) {
    json_put_key(w, STR("tool"));
    json_begin_object(w);
    json_put_key(w, STR("driver"));
    json_begin_object(w);
    member_text(w, STR("name"), STR("lakeproof"));
    put_rules(w, report, rule_of_note);
    member_text(w, STR("semanticVersion"), style->tool_version);
    member_text(w, STR("version"), style->tool_version);
    json_end_object(w);
    json_end_object(w);
}

void check_sarif(const check_report *report, const check_style *style, arena *query, report_document *out) {
    draft d;
    json_writer w;
    unsigned rule_of_note[NOTE_CODE_COUNT] = {0};
    draft_init(&d, query, out);
    json_writer_init(&w, &d.tail, 2);
    json_begin_object(&w);
    member_text(&w, STR("$schema"), STR("https://json.schemastore.org/sarif-2.1.0.json"));
    json_put_key(&w, STR("runs"));
    json_begin_array(&w);
    json_begin_object(&w);
    member_text(&w, STR("columnKind"), STR("unicodeCodePoints"));
    put_driver(&w, report, style, rule_of_note);
    json_put_key(&w, STR("results"));
    json_begin_array(&w);
    for (size_t i = 0; i < report->finding_count; i++) 
        put_finding(&w, &report->finding[i], report->has_baseline, style->places, query);
    for (size_t i = 0; i < report->note_count; i++)
        put_note(&w, &report->note[i], rule_of_note[report->note[i].code], query);
    json_end_array(&w);
    json_end_object(&w);
    json_end_array(&w);
    member_text(&w, STR("version"), STR("2.1.0"));
    json_end_object(&w);
    buf_put_char(&d.tail, '\n');
    draft_end(&d);
}
