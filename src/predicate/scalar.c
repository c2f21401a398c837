/* scalar.c - the table of functions, and walks over scalar trees.
 * Called by: predicate/import_scalar.c, print.c, classify.c; prune.  Must not know: SQL text rules, statistics.
 */
#include "predicate/predicate.h"

typedef struct func_row {
    const char *id, *names;
    size_t least, most;
    bool is_dark;
} func_row;

enum { SHAPE_POINT, SHAPE_RISING, SHAPE_WHOLE, SHAPE_DARK };
static const func_row func_rows[FUNC_COUNT] = {
#define FUNC(id, names, least, most, domain, nulls, shape, zoned, gives, fold)                                                \
    {#id, names, least, most, SHAPE_##shape == SHAPE_DARK},
#include "predicate/func.def"
#undef FUNC
};

static bool has_name(const char *names, str name) {
    str rest = str_from(names);
    while (rest.len) {
        size_t end;
        if (!str_find_char(rest, ' ', &end)) end = rest.len;
        if (str_eq_nocase(str_slice(rest, 0, end), name)) return true;
        rest = str_slice(rest, end + 1, rest.len);
    }
    return false;
}

func_id func_find(str name, size_t arg_count) {
    for (func_id f = 0; f < FUNC_COUNT; f++)
        if (has_name(func_rows[f].names, name) && arg_count >= func_rows[f].least && arg_count <= func_rows[f].most)
            return f;
    return FUNC_COUNT;
}

str func_name(func_id f) {
    return str_from(func_rows[f].id);
}

void scalar_each_column(const scalar *s, void (*visit)(void *context, const column_ref *ref), void *context) {
    switch (s->kind) {
    case SCALAR_COLUMN: visit(context, &s->column.ref); return;
    case SCALAR_LITERAL: return;
    case SCALAR_CALL:
        for (size_t i = 0; i < s->call.count; i++) scalar_each_column(s->call.arg[i], visit, context);
        return;
    case SCALAR_CONDITION: predicate_each_column(s->condition.of, visit, context); return;
    case SCALAR_UNKNOWN:
        for (size_t i = 0; i < s->unknown.column_count; i++) visit(context, &s->unknown.column[i]);
        return;
    }
    UNREACHABLE();
}

static str condition_reason(const predicate *p) {
    str found = STR_NONE;
    switch ((int)p->kind) {
    case PREDICATE_AND:
    case PREDICATE_OR:
        for (size_t i = 0; i < p->junction.count && str_is_none(found); i++)
            found = condition_reason(p->junction.item[i]);
        return found;
    case PREDICATE_NOT: return condition_reason(p->not .of);
    case PREDICATE_TRUTH: return condition_reason(p->truth.of);
    case PREDICATE_SCALAR: return p->scalar.reason;
    case PREDICATE_OPAQUE: return p->opaque.reason;
    default: return STR_NONE;
    }
}

str scalar_unknown_reason(const scalar *s) {
    str found = STR_NONE;
    switch (s->kind) {
    case SCALAR_COLUMN:
    case SCALAR_LITERAL: return STR_NONE;
    case SCALAR_CALL:
        if (func_rows[s->call.func].is_dark) return STR("a function call");
        for (size_t i = 0; i < s->call.count && str_is_none(found); i++) found = scalar_unknown_reason(s->call.arg[i]);
        return found;
    case SCALAR_CONDITION: return condition_reason(s->condition.of);
    case SCALAR_UNKNOWN: return s->unknown.reason;
    }
    UNREACHABLE();
}

static void dump_column(buf *out, const column_ref *ref) {
    buf_put(out, STR("ColRef(["));
    for (size_t i = 0; i < ref->part_count; i++) {
        if (i > 0) buf_put(out, STR(", "));
        dump_quoted(out, ref->part[i]);
    }
    buf_put(out, STR("])"));
}

static void dump_call(buf *out, const scalar *s) {
    buf_put(out, func_name(s->call.func));
    buf_put_char(out, '(');
    for (size_t i = 0; i < s->call.count; i++) {
        if (i > 0) buf_put(out, STR(", "));
        scalar_dump(out, s->call.arg[i]);
    }
    if (s->call.func == FUNC_CAST) buf_printf(out, ", " STR_FMT, STR_ARG(s->call.type.name));
    buf_put_char(out, ')');
}

void scalar_dump(buf *out, const scalar *s) {
    switch (s->kind) {
    case SCALAR_COLUMN: dump_column(out, &s->column.ref); return;
    case SCALAR_LITERAL: literal_dump(out, &s->literal.value); return;
    case SCALAR_CALL: dump_call(out, s); return;
    case SCALAR_CONDITION:
        buf_put(out, STR("Condition("));
        predicate_print(out, s->condition.of);
        buf_put_char(out, ')');
        return;
    case SCALAR_UNKNOWN:
        buf_put(out, STR("Unknown("));
        dump_quoted(out, s->unknown.reason);
        buf_put_char(out, ')');
        return;
    }
    UNREACHABLE();
}
