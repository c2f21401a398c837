/* schema_metadata.c - the metadata of a field of schemaString.
 * Called by: delta/schema.c.  Must not know: statistics, SQL.
 * Source: PROTOCOL.md: Column Metadata, Column Mapping, Type Widening, Generated Columns, Identity Columns, Default
 * Columns, Column Invariants. Keys that we do not know are passed over (rule N8).
 */
#include <string.h>

#include "delta/schema_int.h"

/* Digits that hold every value of an integer type; 0 for other types. */
static int integer_digits(type_kind k) {
    return k == TYPE_BYTE ? 3 : k == TYPE_SHORT ? 5 : k == TYPE_INTEGER ? 10 : k == TYPE_LONG ? 20 : 0;
}

/* PROTOCOL.md: Type Widening, supported type changes (rule N15): every change listed there loses nothing. The preview
 * of the feature also took a byte or short to a decimal of just enough digits. */
bool schema_type_widens(data_type from, data_type to) {
    bool narrow = from.kind == TYPE_BYTE || from.kind == TYPE_SHORT || from.kind == TYPE_INTEGER;
    if (from.kind == to.kind && from.kind != TYPE_DECIMAL) return from.kind != TYPE_OTHER || str_eq(from.name, to.name);
    if (type_is_integer(from.kind) && type_is_integer(to.kind))
        return integer_digits(from.kind) < integer_digits(to.kind);
    if (to.kind == TYPE_DOUBLE) return narrow || from.kind == TYPE_FLOAT;
    if (to.kind == TYPE_TIMESTAMP_NTZ) return from.kind == TYPE_DATE;
    if (to.kind != TYPE_DECIMAL) return false;
    bool is_decimal = from.kind == TYPE_DECIMAL;
    int precision = is_decimal ? from.precision : integer_digits(from.kind), scale = is_decimal ? from.scale : 0;
    return precision > 0 && to.scale >= scale && to.precision - precision >= to.scale - scale;
}

static lp_status read_type_change(schema_parser *p, type_change *c) {
    *c = (type_change){0};
    for (;;) {
        json_token key = json_next(p->json);
        if (key.kind == JSON_OBJECT_END) return LP_OK;
        if (key.kind != JSON_KEY) return schema_expected(p, "a key of delta.typeChanges", key);
        if (str_eq(key.text, STR("fromType")))
            TRY(schema_take_string(p, &c->from));
        else if (str_eq(key.text, STR("toType")))
            TRY(schema_take_string(p, &c->to));
        else if (str_eq(key.text, STR("fieldPath")))
            TRY(schema_take_string(p, &c->path));
        else
            TRY(schema_skip_value(p));
    }
}

static void push_type_change(arena *table, column_details *d, size_t *capacity, type_change c) {
    if (d->change_count == *capacity) {
        *capacity = *capacity ? 2 * *capacity : 2;
        type_change *grown = ARENA_ARRAY(table, type_change, *capacity);
        if (d->change_count) memcpy(grown, d->change, d->change_count * sizeof *grown);
        d->change = grown;
    }
    d->change[d->change_count++] = c;
}

/* Rule N14: every listed change must be one that we support. was_float tells that the column itself (no fieldPath) was
 * widened from float. */
static lp_status parse_type_changes(schema_parser *p, field_metadata *out) {
    size_t capacity = 0;
    json_token t = json_next(p->json);
    if (t.kind == JSON_NULL) return LP_OK;
    if (t.kind != JSON_ARRAY_BEGIN) return schema_expected(p, "an array in delta.typeChanges", t);
    for (;;) {
        t = json_next(p->json);
        if (t.kind == JSON_ARRAY_END) return LP_OK;
        if (t.kind != JSON_OBJECT_BEGIN) return schema_expected(p, "an object in delta.typeChanges", t);
        type_change c;
        TRY(read_type_change(p, &c));
        data_type from = type_parse(c.from), to = type_parse(c.to);
        if (!schema_type_widens(from, to))
            return err_set(p->err, LP_ERR_UNSUPPORTED,
                           "column \"" STR_FMT "\" was changed from type " STR_FMT " to " STR_FMT
                           ", which is no change that type widening allows",
                           STR_ARG(p->field), STR_ARG(c.from), STR_ARG(c.to));
        if (from.kind == TYPE_FLOAT && to.kind == TYPE_DOUBLE && c.path.len == 0) out->was_float = true;
        push_type_change(p->table, &out->details, &capacity, c);
    }
}

/* {"<path>": "<provider>.<name>"}; only UTF8_BINARY compares by bytes (trap T36). Of several, as in a map, the first
 * other one is shown. */
static lp_status parse_collations(schema_parser *p, field_metadata *out) {
    json_token t = json_next(p->json);
    if (t.kind == JSON_NULL) return LP_OK;
    if (t.kind != JSON_OBJECT_BEGIN) return schema_expected(p, "an object in __COLLATIONS", t);
    for (;;) {
        t = json_next(p->json);
        if (t.kind == JSON_OBJECT_END) return LP_OK;
        if (t.kind != JSON_KEY) return schema_expected(p, "a key in __COLLATIONS", t);
        str name;
        TRY(schema_take_string(p, &name));
        if (str_ends_with(name, STR("UTF8_BINARY"))) continue;
        out->collated = true;
        if (str_is_none(out->details.collation)) out->details.collation = name;
    }
}

/* A whole number, written as one or as a text (rule N9); anything else leaves *known false. */
static lp_status take_number(schema_parser *p, bool *known, int64_t *out) {
    json_token t = json_next(p->json);
    *known = false;
    if (t.kind == JSON_ERROR) return schema_expected(p, "a value", t);
    if (t.kind == JSON_OBJECT_BEGIN || t.kind == JSON_ARRAY_BEGIN) return schema_skip_value(p);
    if (t.kind == JSON_NUMBER || t.kind == JSON_STRING) *known = json_number_to_int64(t.text, out);
    return LP_OK;
}

static lp_status take_flag(schema_parser *p, bool *out) {
    json_token t = json_next(p->json);
    if (t.kind == JSON_ERROR) return schema_expected(p, "a value", t);
    if (t.kind == JSON_OBJECT_BEGIN || t.kind == JSON_ARRAY_BEGIN) return schema_skip_value(p);
    *out = t.kind == JSON_TRUE || (t.kind == JSON_STRING && str_eq_nocase(t.text, STR("true")));
    return LP_OK;
}

/* PROTOCOL.md: Column Invariants: {"expression":{"expression":"<SQL>"}}, JSON in a text. Text of another shape is shown
 * as it is. */
static str invariant_sql(schema_parser *p, str text) {
    lp_err unused;
    char *copy = arena_alloc(p->table, text.len + JSON_PADDING);
    memcpy(copy, text.ptr, text.len);
    json_reader *json = json_reader_new(p->table);
    if (json_start(json, (str){copy, text.len}, &unused) != LP_OK) return text;
    for (int depth = 0; depth < 2; depth++) {
        if (json_next(json).kind != JSON_OBJECT_BEGIN) return text;
        json_token key = json_next(json);
        if (key.kind != JSON_KEY || !str_eq(key.text, STR("expression"))) return text;
    }
    json_token sql = json_next(json);
    return sql.kind == JSON_STRING ? json_unescape(p->table, sql) : text;
}

static lp_status parse_invariant(schema_parser *p, column_details *d) {
    str text;
    TRY(schema_take_string(p, &text));
    d->invariant = str_is_none(text) ? text : invariant_sql(p, text);
    return LP_OK;
}

/* PROTOCOL.md: Identity Columns. False in *is_known for another key. */
static lp_status parse_identity(schema_parser *p, str key, column_details *d, bool *is_known) {
    *is_known = true;
    bool *known = NULL;
    int64_t *number = NULL;
    if (str_eq(key, STR("delta.identity.start"))) known = &d->has_identity_start, number = &d->identity_start;
    if (str_eq(key, STR("delta.identity.step"))) known = &d->has_identity_step, number = &d->identity_step;
    if (str_eq(key, STR("delta.identity.highWaterMark"))) known = &d->has_identity_mark, number = &d->identity_mark;
    if (number) return take_number(p, known, number);
    if (str_eq(key, STR("delta.identity.allowExplicitInsert"))) return take_flag(p, &d->identity_allows_values);
    *is_known = false;
    return LP_OK;
}

/* *is_known is false for a key that was passed over. */
static lp_status parse_member(schema_parser *p, str key, field_metadata *out, bool *is_known) {
    column_details *d = &out->details;
    *is_known = true;
    if (str_eq(key, STR("delta.columnMapping.physicalName"))) return schema_take_string(p, &out->physical);
    if (str_eq(key, STR("delta.columnMapping.id"))) return take_number(p, &d->has_id, &d->id);
    if (str_eq(key, STR("delta.generationExpression"))) return schema_take_string(p, &d->generation);
    if (str_eq(key, STR("delta.invariants"))) return parse_invariant(p, d);
    if (str_eq(key, STR("CURRENT_DEFAULT"))) return schema_take_string(p, &d->default_value);
    if (str_eq(key, STR("comment"))) return schema_take_string(p, &d->comment);
    if (str_eq(key, STR("__CHAR_VARCHAR_TYPE_STRING"))) return schema_take_string(p, &d->char_type);
    if (str_eq(key, STR("__COLLATIONS"))) return parse_collations(p, out);
    if (str_eq(key, STR("delta.typeChanges"))) return parse_type_changes(p, out);
    TRY(parse_identity(p, key, d, is_known));
    return *is_known ? LP_OK : schema_skip_value(p);
}

lp_status schema_parse_metadata(schema_parser *p, field_metadata *out) {
    json_token t = json_next(p->json);
    if (t.kind == JSON_NULL) return LP_OK;
    if (t.kind != JSON_OBJECT_BEGIN) return schema_expected(p, "an object as metadata", t);
    for (;;) {
        t = json_next(p->json);
        if (t.kind == JSON_OBJECT_END) return LP_OK;
        if (t.kind != JSON_KEY) return schema_expected(p, "a key in metadata", t);
        bool is_known;
        TRY(parse_member(p, t.text, out, &is_known));
        out->has_details |= is_known;
    }
}
