/* grain_json.c - pieces that the JSON documents about facts and findings share.
 * Called by: the sources of the room that print these documents.  Must not know: which document it is.
 */
#include "report/grain_json.h"

#include "report/member.h"

void grain_json_texts(json_writer *w, const str *text, size_t count) {
    json_begin_array(w);
    for (size_t i = 0; i < count; i++) json_put_string(w, text[i]);
    json_end_array(w);
}

void grain_json_place(json_writer *w, const shown_place *at) {
    if (!at->exists) {
        json_put_null(w);
        return;
    }
    json_begin_object(w);
    member_count(w, STR("column"), at->at.column);
    if (!str_is_none(at->compiled_file)) {
        member_count(w, STR("compiled_column"), at->compiled.column);
        member_text(w, STR("compiled_file"), at->compiled_file);
        member_count(w, STR("compiled_line"), at->compiled.line);
    }
    if (!str_is_none(at->file)) member_text(w, STR("file"), at->file);
    member_count(w, STR("length"), at->at.length);
    member_count(w, STR("line"), at->at.line);
    if (!str_is_none(at->compiled_file)) member_bool(w, STR("mapped"), at->is_mapped);
    json_end_object(w);
}

void grain_json_joins(json_writer *w, const join_site *const *site, size_t count, const place_finder *places) {
    json_begin_array(w);
    for (size_t i = 0; i < count; i++) {
        const join_site *s = site[i];
        shown_place at = place_find(places, s->model, s->place);
        json_begin_object(w);
        member_text(w, STR("cardinality"), cardinality_name(s->cardinality));
        member_text(w, STR("model"), s->model.len ? s->model : STR_NONE);
        json_put_key(w, STR("place"));
        grain_json_place(w, &at);
        member_text(w, STR("text"), s->text);
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_list(buf *out, const str *text, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i) buf_put(out, STR(", "));
        buf_put(out, text[i]);
    }
}

static void put_columns_of(buf *out, const declaration *d) {
    buf_put_char(out, '(');
    put_list(out, d->column, d->column_count);
    buf_put(out, STR(") of "));
    buf_put(out, d->relation);
}

str declaration_text(const declaration *d, arena *owner) {
    buf out;
    buf_init(&out, owner, SIZE_MAX / 2);
    switch (d->kind) {
    case DECLARED_KEY:
        buf_put(&out, STR("key "));
        put_columns_of(&out, d);
        break;
    case DECLARED_NOT_NULL:
        buf_put(&out, STR("not null "));
        put_columns_of(&out, d);
        break;
    case DECLARED_REFERENCE:
        buf_put(&out, STR("reference "));
        put_columns_of(&out, d);
        buf_put(&out, STR(" to "));
        buf_put(&out, d->to);
        break;
    case DECLARED_VALUES:
        buf_put(&out, STR("values of "));
        put_columns_of(&out, d);
        break;
    case DECLARED_CHECK:
        buf_put(&out, STR("a condition on every row of "));
        buf_put(&out, d->relation);
        break;
    case DECLARED_GENERATED:
        buf_put(&out, STR("generated "));
        put_columns_of(&out, d);
        break;
    case DECLARED_CONSTANT:
        buf_put(&out, STR("constant "));
        put_columns_of(&out, d);
        break;
    }
    return buf_str(&out);
}

void grain_json_leans_on(json_writer *w, const declaration *const *d, size_t count) {
    json_put_key(w, STR("leans_on"));
    json_begin_array(w);
    for (size_t i = 0; i < count; i++) {
        json_begin_object(w);
        member_text(w, STR("fact"), declaration_text(d[i], w->out->owner));
        member_text(w, STR("origin"), d[i]->origin);
        member_text(w, STR("tested"), d[i]->tested_by.len ? d[i]->tested_by : STR_NONE);
        json_end_object(w);
    }
    json_end_array(w);
}
