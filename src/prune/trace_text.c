/* trace_text.c - values, bounds and partition values as facts show them, and the names of obstacles.
 * Called by: prune/trace.c; report (names).  Must not know: predicates, programs.
 */
#include "prune/trace_text.h"

#include <inttypes.h>

#include "prune/trace.h"

enum { VALUE_CHARACTERS = 80 };

str trace_cut(str text, size_t characters, arena *out) {
    size_t at = 0;
    for (size_t count = 0; at < text.len; at++) {
        bool starts = ((uint8_t)text.ptr[at] & 0xc0) != 0x80;
        if (starts && count++ == characters) break;
    }
    if (at == text.len) return text;
    return str_format(out, STR_FMT " ...", STR_ARG(str_slice(text, 0, at)));
}

static bool is_quoted(type_kind kind) {
    return !type_is_number(kind) && kind != TYPE_BOOLEAN;
}

static void put_text(buf *out, str text, bool quoted) {
    if (quoted) buf_put_char(out, '\'');
    str shown = trace_cut(text, VALUE_CHARACTERS, out->owner);
    for (size_t i = 0; i < shown.len; i++) {
        if (quoted && shown.ptr[i] == '\'') buf_put_char(out, '\'');
        buf_put_char(out, shown.ptr[i]);
    }
    if (quoted) buf_put_char(out, '\'');
}

static void put_value(buf *out, type_kind kind, const value *v) {
    buf b;
    buf_init(&b, out->owner, SIZE_MAX / 2);
    value_print(&b, v);
    put_text(out, buf_str(&b), is_quoted(kind) && v->kind != VALUE_BINARY);
}

str trace_value(type_kind kind, const value *v, arena *out) {
    buf b;
    buf_init(&b, out, SIZE_MAX / 2);
    put_value(&b, kind, v);
    return buf_str(&b);
}

str trace_bound(const char *side, str name, type_kind kind, const bound *limit, arena *out) {
    buf b;
    buf_init(&b, out, SIZE_MAX / 2);
    buf_printf(&b, "%s(" STR_FMT ") = ", side, STR_ARG(name));
    if (str_is_none(limit->text))
        put_value(&b, kind, &limit->v);
    else
        put_text(&b, limit->text, is_quoted(kind));
    bool is_cut = limit->reach.above_prefix || value_compare(&limit->v, &limit->reach) != 0;
    if (is_cut) buf_put(&b, STR(" (may be cut or rounded)"));
    return buf_str(&b);
}

str trace_partition_value(str name, const partition_cell *cell, arena *out) {
    if (cell->state == CELL_ABSENT) return str_format(out, STR_FMT " has no partition value", STR_ARG(name));
    if (cell->state == CELL_NULL) return str_format(out, STR_FMT " is NULL", STR_ARG(name));
    buf b;
    buf_init(&b, out, SIZE_MAX / 2);
    buf_printf(&b, STR_FMT " = ", STR_ARG(name));
    put_text(&b, cell->text, true);
    return buf_str(&b);
}

/* The next entry of a list with commas, without blanks around it and backquotes. */
static str next_entry(str *rest) {
    size_t at = rest->len;
    (void)str_find_char(*rest, ',', &at);
    str entry = str_slice(*rest, 0, at);
    *rest = str_slice(*rest, at + 1, rest->len);
    while (entry.len && entry.ptr[0] == ' ') entry = str_slice(entry, 1, entry.len);
    while (entry.len && entry.ptr[entry.len - 1] == ' ') entry.len--;
    return entry;
}

/* `a`.b.`c` against a.b.c, up to the end of the entry: a struct stands for what is in it. */
static bool entry_covers(str entry, str name) {
    size_t at = 0;
    for (size_t i = 0; i < entry.len; i++) {
        if (entry.ptr[i] == '`') continue;
        if (at == name.len || !str_eq_nocase(str_slice(entry, i, i + 1), str_slice(name, at, at + 1))) return false;
        at++;
    }
    return at > 0 && (at == name.len || name.ptr[at] == '.');
}

bool trace_lists_column(str list, str name) {
    while (list.len > 0)
        if (entry_covers(next_entry(&list), name)) return true;
    return false;
}

str trace_source(const live_file *f, arena *out) {
    const file_source *s = &f->source;
    if (str_is_none(s->path)) return STR("the log");
    str log = STR("_delta_log/");
    str name = str_starts_with(s->path, log) ? str_slice(s->path, log.len, s->path.len) : s->path;
    return str_format(out, STR_FMT " %s %" PRIu64, STR_ARG(name), s->is_row ? "row" : "line", s->number);
}

str obstacle_name(obstacle_reason r) {
    switch (r) {
    case OBSTACLE_CERTAIN: return STR("certain");
    case OBSTACLE_NO_STATISTICS: return STR("no_statistics");
    case OBSTACLE_NOT_INDEXED: return STR("not_indexed");
    case OBSTACLE_NO_BOUND: return STR("no_bound");
    case OBSTACLE_NO_NULL_COUNT: return STR("no_null_count");
    case OBSTACLE_CUT_BOUND: return STR("cut_bound");
    case OBSTACLE_FLOAT_MAX: return STR("float_max");
    case OBSTACLE_OVERLAP: return STR("overlap");
    case OBSTACLE_PARTITION_VALUE: return STR("partition_value");
    case OBSTACLE_NOT_FOLLOWED: return STR("not_followed");
    }
    UNREACHABLE();
}
