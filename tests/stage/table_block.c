/* table_block.c - parse the table blocks of golden tests.
 * Called by: tests/stage/stage_prune.c.  Must not know: predicates.
 */
#include "table_block.h"

#include <string.h>

static bool next_part(str *rest, char separator, str *part) {
    while (rest->len && (rest->ptr[0] == ' ' || rest->ptr[0] == separator)) *rest = str_slice(*rest, 1, rest->len);
    if (rest->len == 0) return false;
    size_t at = 0;
    for (unsigned depth = 0; at < rest->len && (depth > 0 || rest->ptr[at] != separator); at++) {
        if (rest->ptr[at] == '(') depth++;
        if (rest->ptr[at] == ')') depth--;
    }
    *part = str_slice(*rest, 0, at);
    *rest = str_slice(*rest, at, rest->len);
    return true;
}

/* The schema is given to schema_parse as the JSON it reads, so that golden tables obey the rules of real ones. */
static void put_field(buf *json, str name, str type, str generation, bool first) {
    str inner = type;
    bool is_char = str_starts_with(type, STR("char("));
    if (is_char) inner = STR("string");
    buf_printf(json, "%s{\"name\":\"" STR_FMT "\",\"type\":\"" STR_FMT "\",\"nullable\":true,\"metadata\":{",
               first ? "" : ",", STR_ARG(name), STR_ARG(inner));
    if (is_char) buf_printf(json, "\"__CHAR_VARCHAR_TYPE_STRING\":\"" STR_FMT "\"", STR_ARG(type));
    if (generation.len) buf_printf(json, "\"delta.generationExpression\":\"" STR_FMT "\"", STR_ARG(generation));
    buf_put(json, STR("}}"));
}

static lp_status parse_columns(arena *work, str line, schema *out, lp_err *err) {
    str partition[16], column_text;
    size_t partition_count = 0, count = 0;
    buf json;
    buf_init(&json, work, 1 << 20);
    buf_put(&json, STR("{\"type\":\"struct\",\"fields\":["));
    while (next_part(&line, ',', &column_text)) {
        str name, type, flag, as = STR("");
        if (!next_part(&column_text, ' ', &name) || !next_part(&column_text, ' ', &type))
            return err_set(err, LP_ERR_FORMAT, "table block: expected `name type`, found nothing");
        if (next_part(&column_text, ' ', &flag) && partition_count < 16) partition[partition_count++] = name;
        bool generated = next_part(&column_text, ' ', &as) && str_starts_with(as, STR("as(")); /* as(EXPRESSION) */
        put_field(&json, name, type, generated ? str_slice(as, 3, as.len - 1) : STR(""), count++ == 0);
    }
    buf_put(&json, STR("]}"));
    buf_put_repeated(&json, '\0', 64);
    str text = buf_str(&json);
    text.len -= 64;
    return schema_parse(work, text, partition, partition_count, MAPPING_NONE, true, out, err);
}

static const column *find(const schema *s, str name) {
    const column *c;
    return schema_find(s, &name, 1, &c) == COLUMN_FOUND ? c : NULL;
}

static bool is_text_bound(type_kind k) {
    return !type_is_number(k) && k != TYPE_BOOLEAN;
}

static void set_bound(const column *c, str text, bound_side side, bound *out) {
    *out = (bound){.state = CELL_ABSENT};
    if (!str_eq(text, STR("absent")))
        *out = cell_bound_from_json(c->type, text, is_text_bound(c->type.kind) || str_eq(text, STR("NaN")), side);
}

static lp_status parse_fact(arena *work, const schema *s, const zone *session, str name, str text, live_file *f,
                            lp_err *err) {
    int64_t number;
    if (str_eq(name, STR("rows")) && str_to_int64(text, &number)) {
        f->stats.record_count = number;
        f->stats.record_count_known = f->stats.has_stats = true;
        return LP_OK;
    }
    bool is_nulls = str_ends_with(name, STR(".nulls"));
    const column *c = find(s, is_nulls ? str_slice(name, 0, name.len - 6) : name);
    if (!c) return err_set(err, LP_ERR_FORMAT, "table block: no column " STR_FMT, STR_ARG(name));
    if (c->partition_index >= 0) {
        str value_text = str_eq(text, STR("null")) ? STR_NONE : str_eq(text, STR("''")) ? STR("") : text;
        f->partition[c->partition_index] = cell_from_partition_text(c->type, true, value_text, session, NULL, work);
        return LP_OK;
    }
    column_stats *stats = &f->stats.column[c->leaf_index];
    f->stats.has_stats = true;
    if (is_nulls && str_to_int64(text, &number)) {
        stats->null_count = number;
        stats->null_count_state = COUNT_KNOWN;
        return LP_OK;
    }
    size_t comma;
    if (text.len < 3 || text.ptr[0] != '[' || !str_find_char(text, ',', &comma))
        return err_set(err, LP_ERR_FORMAT, "table block: expected [min,max], found " STR_FMT, STR_ARG(text));
    set_bound(c, str_slice(text, 1, comma), BOUND_MIN, &stats->min);
    set_bound(c, str_slice(text, comma + 1, text.len - 1), BOUND_MAX, &stats->max);
    return LP_OK;
}

static lp_status parse_file(arena *work, str line, const schema *s, const zone *session, block_file *out, lp_err *err) {
    *out = (block_file){.file = {.size_bytes = 1, .stats_loaded = true, .dv_cardinality = -1}};
    live_file *f = &out->file;
    f->partition = ARENA_ARRAY(work, partition_cell, s->partition_count);
    f->stats.column = ARENA_ARRAY(work, column_stats, s->leaf_count);
    f->stats.tight = true;
    str part;
    if (!next_part(&line, ' ', &out->name)) return err_set(err, LP_ERR_FORMAT, "table block: a line without a name");
    f->path = out->name;
    while (next_part(&line, ' ', &part)) {
        size_t equals;
        if (str_eq(part, STR("wide"))) {
            f->stats.tight = false;
            continue;
        }
        if (!str_find_char(part, '=', &equals))
            return err_set(err, LP_ERR_FORMAT, "table block: expected name=value, found " STR_FMT, STR_ARG(part));
        TRY(parse_fact(work, s, session, str_slice(part, 0, equals), str_slice(part, equals + 1, part.len), f, err));
    }
    if (!f->stats.has_stats) f->stats.column = NULL;
    return LP_OK;
}

lp_status table_block_parse(arena *work, str text, const zone *session, table_block *out, lp_err *err) {
    *out = (table_block){.count = 0};
    out->file = ARENA_ARRAY(work, block_file, text.len / 2 + 1);
    str line;
    bool has_columns = false;
    while (next_part(&text, '\n', &line)) {
        if (str_starts_with(line, STR("columns "))) {
            TRY(parse_columns(work, str_slice(line, 8, line.len), &out->schema, err));
            has_columns = true;
        } else {
            TRY(parse_file(work, line, &out->schema, session, &out->file[out->count++], err));
        }
    }
    return has_columns ? LP_OK : err_set(err, LP_ERR_FORMAT, "table block: expected a line `columns ...`");
}
