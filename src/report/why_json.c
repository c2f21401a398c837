/* why_json.c - the evidence for one file as JSON, keys in alphabetical order.
 * Called by: api; report/listing.c.  Must not know: text, how the evidence was found.
 *
 * A tree is written by hand and not with a json_writer, whose depth is less than that of a predicate.
 */
#include "report/why_report.h"

#include "report/member.h"
#include "report/report_int.h"

#define WHY_SCHEMA STR("1.0.0")

static void put_line(buf *out, size_t indent) {
    buf_put_char(out, '\n');
    buf_put_repeated(out, ' ', indent);
}

static void put_key(buf *out, size_t indent, const char *key) {
    put_line(out, indent);
    buf_printf(out, "\"%s\": ", key);
}

/* One object of two texts in an array. */
static void put_pair(buf *out, size_t indent, bool is_first, const char *key_a, str a, const char *key_b, str b) {
    if (!is_first) buf_put_char(out, ',');
    put_line(out, indent);
    buf_put_char(out, '{');
    put_key(out, indent + 2, key_a);
    put_json_string(out, a);
    buf_put_char(out, ',');
    put_key(out, indent + 2, key_b);
    put_json_string(out, b);
    put_line(out, indent);
    buf_put_char(out, '}');
}

static void end_array(buf *out, size_t indent, bool is_empty) {
    if (!is_empty) put_line(out, indent);
    buf_put(out, STR("],"));
}

static void put_outcome(buf *out, size_t indent, outcome_set set) {
    static const char *const name[] = {"TRUE", "FALSE", "NULL"};
    bool is_first = true;
    buf_put_char(out, '[');
    for (unsigned i = 0; i < 3; i++) {
        if (!(set & 1u << i)) continue;
        if (!is_first) buf_put_char(out, ',');
        put_line(out, indent + 2);
        buf_printf(out, "\"%s\"", name[i]);
        is_first = false;
    }
    end_array(out, indent, is_first);
}

void why_tree_json(buf *out, const trace_node *root, size_t indent) {
    size_t inner = indent + 2;
    buf_put_char(out, '{');
    put_key(out, inner, "children");
    buf_put_char(out, '[');
    for (const trace_node *c = root->child; c; c = c->next) {
        put_line(out, inner + 2);
        why_tree_json(out, c, inner + 2);
        if (c->next) buf_put_char(out, ',');
    }
    end_array(out, inner, !root->child);
    put_key(out, inner, "facts");
    buf_put_char(out, '[');
    for (const trace_fact *f = root->fact; f; f = f->next)
        put_pair(out, inner + 2, f == root->fact, "source", f->source, "text", f->text);
    end_array(out, inner, !root->fact);
    put_key(out, inner, "kept_by");
    buf_put_char(out, '[');
    for (const trace_obstacle *o = root->obstacle; o; o = o->next)
        put_pair(out, inner + 2, o == root->obstacle, "reason", obstacle_name(o->reason), "text", o->text);
    end_array(out, inner, !root->obstacle);
    put_key(out, inner, "outcome");
    put_outcome(out, inner, root->outcome);
    put_key(out, inner, "text");
    put_json_string(out, root->text);
    put_line(out, indent);
    buf_put_char(out, '}');
}

static void put_notes(json_writer *w, const prune_report *report, arena *query) {
    note_choice chosen = notes_choose(report, NOTE_OF_PREDICATE, false, query);
    json_put_key(w, STR("notes"));
    json_begin_array(w);
    for (size_t i = 0; i < chosen.count; i++) {
        const note *n = chosen.item[i];
        if (!why_shows_note(n)) continue;
        json_begin_object(w);
        member_text(w, STR("code"), note_code_name(n->code));
        member_text(w, STR("message"), n->message);
        member_text(w, STR("number"), note_code_number(n->code));
        member_text(w, STR("severity"), severity_name(note_code_severity(n->code)));
        json_end_object(w);
    }
    json_end_array(w);
}

void why_json(const prune_report *report, const report_style *style, arena *query, report_document *out) {
    draft d;
    json_writer w;
    draft_init(&d, query, out);
    json_writer_init(&w, &d.tail, 2);
    json_begin_object(&w);
    json_put_key(&w, STR("files"));
    json_put_raw(&w, STR("[\n"));
    draft_put_spool(&d, report->files);
    buf_put(&d.tail, STR("\n  ]"));
    put_notes(&w, report, query);
    member_text(&w, STR("predicate"), report->where);
    member_text(&w, STR("schema_version"), WHY_SCHEMA);
    json_put_key(&w, STR("settings"));
    json_begin_object(&w);
    member_text(&w, STR("dialect"), style->dialect);
    member_text(&w, STR("level"), style->level == LEVEL_EXTENDED ? STR("extended") : STR("contract"));
    member_text(&w, STR("nan"), style->nan_strict ? STR("strict") : STR("trusted"));
    member_text(&w, STR("timezone"), style->timezone);
    json_end_object(&w);
    member_text(&w, STR("table"), style->location);
    member_text(&w, STR("tool"), STR("lakeproof"));
    member_text(&w, STR("tool_version"), style->tool_version);
    json_put_key(&w, STR("version"));
    json_put_int(&w, report->table->version);
    json_end_object(&w);
    buf_put_char(&d.tail, '\n');
    draft_end(&d);
}
