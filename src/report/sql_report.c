/* sql_report.c - statements of SQL as text and as JSON.
 * Called by: api.  Must not know: where the text came from.
 *
 * A tree may be higher than our JSON writer goes, so brackets and commas are put here: a comma is wanted unless the
 * last character opened something.
 */
#include "report/sql_report.h"

#include "report/report_int.h"
#include "sql/walk.h"
#include "json/json_writer.h"

#define SQL_SCHEMA STR("1.0.0")

typedef struct sql_page {
    buf *out;
    place_index places; /* of JSON */
} sql_page;

/* ---- JSON ---- */

static void put_string(sql_page *p, str text) {
    json_writer w;
    json_writer_init(&w, p->out, 0);
    json_put_string(&w, text);
}

static void put_comma(sql_page *p) {
    char last = p->out->len ? p->out->ptr[p->out->len - 1] : '{';
    if (last != '{' && last != '[' && last != ':') buf_put_char(p->out, ',');
}

static void put_key(sql_page *p, const char *key) {
    put_comma(p);
    if (!key) return;
    put_string(p, str_from(key));
    buf_put_char(p->out, ':');
}

static void put_place(sql_page *p, span at) {
    text_place place = place_index_find(&p->places, at);
    put_key(p, "place");
    buf_printf(p->out, "{\"line\":%u,\"column\":%u,\"length\":%u}", place.line, place.column, place.length);
}

static void put_member(sql_page *p, const char *key, str shown) {
    put_key(p, key);
    put_string(p, shown);
}

static void json_enter(void *context, const char *role, const char *kind, span at) {
    sql_page *p = context;
    put_key(p, role);
    buf_put_char(p->out, '{');
    put_member(p, "kind", str_from(kind));
    put_place(p, at);
}

static void json_leave(void *context) {
    buf_put_char(((sql_page *)context)->out, '}');
}

static void json_text(void *context, const char *role, str shown) {
    put_member(context, role, shown);
}

static void json_flag(void *context, const char *role) {
    sql_page *p = context;
    put_key(p, role);
    buf_put(p->out, STR("true"));
}

static void json_list(void *context, const char *role) {
    sql_page *p = context;
    put_key(p, role);
    buf_put_char(p->out, '[');
}

static void json_list_end(void *context) {
    buf_put_char(((sql_page *)context)->out, ']');
}

static str printed(const sql_statement *statement, arena *query) {
    buf out;
    buf_init(&out, query, SIZE_MAX / 2);
    sql_print_statement(&out, statement);
    return buf_str(&out);
}

static void put_printed(sql_page *p, const sql_statement *statement, arena *query) {
    put_comma(p);
    buf_put_char(p->out, '{');
    put_place(p, statement->at);
    put_member(p, "text", printed(statement, query));
    buf_put_char(p->out, '}');
}

static void put_json(sql_page *p, const sql_script *script, const sql_style *style, arena *query) {
    sql_walker w = {p, json_enter, json_leave, json_text, json_flag, json_list, json_list_end};
    buf_put_char(p->out, '{');
    put_member(p, "dialect", style->dialect);
    put_member(p, "schema_version", SQL_SCHEMA);
    put_key(p, "statements");
    buf_put_char(p->out, '[');
    for (size_t i = 0; i < script->statement_count; i++) {
        if (style->as_text_of_sql)
            put_printed(p, script->statement[i], query);
        else
            sql_walk_statement(script->statement[i], &w);
    }
    buf_put_char(p->out, ']');
    put_member(p, "tool_version", style->tool_version);
    buf_put(p->out, STR("}\n"));
}

/* ---- text ---- */

static void put_text(sql_page *p, const sql_script *script, const sql_style *style) {
    for (size_t i = 0; i < script->statement_count; i++) {
        if (style->as_text_of_sql) {
            sql_print_statement(p->out, script->statement[i]);
            buf_put(p->out, STR(";\n"));
        } else {
            sql_dump_statement(p->out, script->statement[i], true);
        }
    }
}

void sql_report(const sql_script *script, const sql_style *style, arena *query, report_document *out) {
    buf page;
    buf_init(&page, query, SIZE_MAX / 2);
    sql_page p = {.out = &page};
    if (style->as_json) p.places = place_index_new(query, style->text);
    if (style->as_json)
        put_json(&p, script, style, query);
    else
        put_text(&p, script, style);
    *out = (report_document){.piece = {{.text = buf_str(&page)}}, .count = 1};
}

void sql_errors(const sql_script *script, arena *query, report_document *out) {
    *out = (report_document){0};
    if (script->error_count == 0) return;
    buf page;
    buf_init(&page, query, SIZE_MAX / 2);
    for (size_t i = 0; i < script->error_count; i++) {
        if (i > 0) buf_put_char(&page, '\n');
        buf_put(&page, STR("error: "));
        buf_put(&page, script->error[i].text);
        buf_put_char(&page, '\n');
    }
    if (script->error_count >= SQL_MAX_ERRORS)
        buf_printf(&page, "\nerror: more than %d errors, the rest of the text is not read\n", SQL_MAX_ERRORS - 1);
    *out = (report_document){.piece = {{.text = buf_str(&page)}}, .count = 1};
}
