/* footer.c - the footer of a Parquet file to its schema tree, row groups and column chunks, all of it checked.
 * Called by: file.c.  Must not know: pages, encodings.
 * Source: parquet-format, parquet.thrift (FileMetaData and below) and LogicalTypes.md.
 */
#include <stdarg.h>
#include <stdio.h>

#include "parquet/parquet_int.h"
#include "parquet/thrift.h"

enum { TAIL_BYTES = 8, MAGIC_BYTES = 4, FIRST_READ_BYTES = 64 * 1024 };

typedef struct footer {
    pq_file *file;
    arena *table;
    thrift in;
    uint32_t elements_left; /* of the schema list */
    lp_err *err;
} footer;

/* ---- messages ---- */

#define FOOTER_FAIL(p, ...) footer_fail((p), LP_ERR_FORMAT, __VA_ARGS__)

static lp_status footer_fail(footer *p, lp_status code, const char *format, ...) PRINTF_LIKE(3, 4);
static lp_status footer_fail(footer *p, lp_status code, const char *format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return err_set(p->err, code, STR_FMT ": Parquet footer: %s", STR_ARG(p->file->source.name), text);
}

/* A fault of the Thrift layer, if there is one. Checked before what the struct says is looked at. */
static lp_status check_thrift(footer *p) {
    if (p->in.fault == THRIFT_OK) return LP_OK;
    return FOOTER_FAIL(p, "expected %s at byte %zu of %zu", p->in.expected, (size_t)(p->in.at - p->in.start),
                       (size_t)(p->in.end - p->in.start));
}

/* ---- logical types ---- */

enum {
    CONVERTED_UTF8,
    CONVERTED_MAP,
    CONVERTED_MAP_KEY_VALUE,
    CONVERTED_LIST,
    CONVERTED_ENUM,
    CONVERTED_DECIMAL,
    CONVERTED_DATE,
    CONVERTED_TIME_MILLIS,
    CONVERTED_TIME_MICROS,
    CONVERTED_TIMESTAMP_MILLIS,
    CONVERTED_TIMESTAMP_MICROS,
    CONVERTED_UINT_8,
    CONVERTED_UINT_64 = CONVERTED_UINT_8 + 3,
    CONVERTED_INT_8,
    CONVERTED_INT_64 = CONVERTED_INT_8 + 3,
    CONVERTED_JSON,
    CONVERTED_BSON,
    CONVERTED_INTERVAL
};

/* Field numbers of the union LogicalType. */
enum {
    UNION_STRING = 1,
    UNION_MAP = 2,
    UNION_LIST = 3,
    UNION_ENUM = 4,
    UNION_DECIMAL = 5,
    UNION_DATE = 6,
    UNION_TIMESTAMP = 8,
    UNION_INTEGER = 10,
    UNION_JSON = 12
};

typedef struct element { /* one SchemaElement as written */
    bool has_type, has_repetition, has_children, has_converted, has_logical;
    int32_t type, type_length, repetition, children, converted, scale, precision;
    str name;
    pq_node logical; /* only the annotation's fields are used */
} element;

/* The converted types say what the logical types say, for older readers; a timestamp among them is adjusted to UTC. */
static void apply_converted(pq_node *n, const element *e) {
    int32_t c = e->converted;
    n->logical = PQ_LOGICAL_OTHER;
    if (c == CONVERTED_UTF8 || c == CONVERTED_ENUM || c == CONVERTED_JSON) n->logical = PQ_LOGICAL_STRING;
    if (c == CONVERTED_MAP || c == CONVERTED_MAP_KEY_VALUE) n->logical = PQ_LOGICAL_MAP;
    if (c == CONVERTED_LIST) n->logical = PQ_LOGICAL_LIST;
    if (c == CONVERTED_DATE) n->logical = PQ_LOGICAL_DATE;
    if (c == CONVERTED_DECIMAL) {
        n->logical = PQ_LOGICAL_DECIMAL;
        n->scale = e->scale;
        n->precision = e->precision;
    }
    if (c == CONVERTED_TIMESTAMP_MILLIS || c == CONVERTED_TIMESTAMP_MICROS) {
        n->logical = c == CONVERTED_TIMESTAMP_MILLIS ? PQ_LOGICAL_TIMESTAMP_MILLIS : PQ_LOGICAL_TIMESTAMP_MICROS;
        n->is_adjusted_to_utc = true;
    }
    if (c >= CONVERTED_UINT_8 && c <= CONVERTED_INT_64) {
        n->logical = PQ_LOGICAL_INT;
        n->is_signed = c >= CONVERTED_INT_8;
        n->bit_width = (uint8_t)(8 << ((c - CONVERTED_UINT_8) % 4));
    }
}

static pq_logical read_time_unit(thrift *t, thrift_type type) {
    static const pq_logical unit[] = {PQ_LOGICAL_OTHER, PQ_LOGICAL_TIMESTAMP_MILLIS, PQ_LOGICAL_TIMESTAMP_MICROS,
                                      PQ_LOGICAL_TIMESTAMP_NANOS};
    pq_logical found = PQ_LOGICAL_OTHER;
    thrift_expect(t, type, THRIFT_STRUCT);
    for (thrift_field f = thrift_struct(t); thrift_next(t, &f);) {
        if (f.id >= 1 && f.id <= 3) found = unit[f.id];
        thrift_skip(t, f.type);
    }
    return found;
}

static void read_timestamp(thrift *t, pq_node *n) {
    n->logical = PQ_LOGICAL_OTHER;
    for (thrift_field f = thrift_struct(t); thrift_next(t, &f);) {
        switch (f.id) {
        case 1: n->is_adjusted_to_utc = thrift_bool(t, f.type); break;
        case 2: n->logical = read_time_unit(t, f.type); break;
        default: thrift_skip(t, f.type);
        }
    }
}

static void read_decimal(thrift *t, pq_node *n) {
    n->logical = PQ_LOGICAL_DECIMAL;
    for (thrift_field f = thrift_struct(t); thrift_next(t, &f);) {
        switch (f.id) {
        case 1: n->scale = thrift_i32(t, f.type); break;
        case 2: n->precision = thrift_i32(t, f.type); break;
        default: thrift_skip(t, f.type);
        }
    }
}

static void read_integer(thrift *t, pq_node *n) {
    int32_t width = 0;
    for (thrift_field f = thrift_struct(t); thrift_next(t, &f);) {
        switch (f.id) {
        case 1: width = thrift_i32(t, f.type); break;
        case 2: n->is_signed = thrift_bool(t, f.type); break;
        default: thrift_skip(t, f.type);
        }
    }
    bool known = width == 8 || width == 16 || width == 32 || width == 64;
    n->logical = known ? PQ_LOGICAL_INT : PQ_LOGICAL_OTHER;
    n->bit_width = known ? (uint8_t)width : 0;
}

static void read_logical(thrift *t, thrift_type type, pq_node *n) {
    thrift_expect(t, type, THRIFT_STRUCT);
    n->logical = PQ_LOGICAL_OTHER;
    for (thrift_field f = thrift_struct(t); thrift_next(t, &f);) {
        thrift_expect(t, f.type, THRIFT_STRUCT);
        switch (f.id) {
        case UNION_DECIMAL: read_decimal(t, n); continue;
        case UNION_TIMESTAMP: read_timestamp(t, n); continue;
        case UNION_INTEGER: read_integer(t, n); continue;
        case UNION_STRING:
        case UNION_ENUM:
        case UNION_JSON: n->logical = PQ_LOGICAL_STRING; break;
        case UNION_MAP: n->logical = PQ_LOGICAL_MAP; break;
        case UNION_LIST: n->logical = PQ_LOGICAL_LIST; break;
        case UNION_DATE: n->logical = PQ_LOGICAL_DATE; break;
        default: n->logical = PQ_LOGICAL_OTHER;
        }
        thrift_skip(t, f.type);
    }
}

/* Whether the annotation may stand on this physical type (LogicalTypes.md has the table). */
static bool annotation_fits(const pq_node *n) {
    bool bytes = n->is_leaf && (n->type == PQ_BYTE_ARRAY || n->type == PQ_FIXED_LEN_BYTE_ARRAY);
    bool small = n->is_leaf && n->type == PQ_INT32, large = n->is_leaf && n->type == PQ_INT64;
    switch (n->logical) {
    case PQ_LOGICAL_NONE:
    case PQ_LOGICAL_OTHER: return true;
    case PQ_LOGICAL_STRING: return n->is_leaf && n->type == PQ_BYTE_ARRAY;
    case PQ_LOGICAL_DECIMAL:
        return (bytes || small || large) && n->precision > 0 && n->scale >= 0 && n->scale <= n->precision;
    case PQ_LOGICAL_DATE: return small;
    case PQ_LOGICAL_TIMESTAMP_MILLIS:
    case PQ_LOGICAL_TIMESTAMP_MICROS:
    case PQ_LOGICAL_TIMESTAMP_NANOS: return large;
    case PQ_LOGICAL_INT: return n->bit_width == 64 ? large : small;
    case PQ_LOGICAL_LIST:
    case PQ_LOGICAL_MAP: return !n->is_leaf;
    }
    UNREACHABLE();
}

/* An annotation that does not fit its column is kept as "other": nobody may lean on what the bits mean then. */
static void annotate(pq_node *n, const element *e) {
    if (e->has_logical) {
        n->logical = e->logical.logical;
        n->bit_width = e->logical.bit_width;
        n->is_signed = e->logical.is_signed;
        n->is_adjusted_to_utc = e->logical.is_adjusted_to_utc;
        n->scale = e->logical.scale;
        n->precision = e->logical.precision;
    } else if (e->has_converted) {
        apply_converted(n, e);
    }
    if (!annotation_fits(n)) n->logical = PQ_LOGICAL_OTHER;
}

/* ---- the schema tree ---- */

static void read_element(thrift *t, element *e) {
    *e = (element){0};
    for (thrift_field f = thrift_struct(t); thrift_next(t, &f);) {
        switch (f.id) {
        case 1: e->type = thrift_i32(t, f.type), e->has_type = true; break;
        case 2: e->type_length = thrift_i32(t, f.type); break;
        case 3: e->repetition = thrift_i32(t, f.type), e->has_repetition = true; break;
        case 4: e->name = thrift_binary(t, f.type); break;
        case 5: e->children = thrift_i32(t, f.type), e->has_children = true; break;
        case 6: e->converted = thrift_i32(t, f.type), e->has_converted = true; break;
        case 7: e->scale = thrift_i32(t, f.type); break;
        case 8: e->precision = thrift_i32(t, f.type); break;
        case 10: read_logical(t, f.type, &e->logical), e->has_logical = true; break;
        default: thrift_skip(t, f.type);
        }
    }
}

static lp_status check_element(footer *p, const element *e, bool is_root) {
    if (str_is_none(e->name) && !is_root) return FOOTER_FAIL(p, "expected a name for every column, found none");
    if (!str_is_utf8(e->name)) return FOOTER_FAIL(p, "expected column names in UTF-8, found other bytes");
    if (e->children < 0 || (uint32_t)e->children > p->elements_left)
        return FOOTER_FAIL(p, "expected at most %u children of \"" STR_FMT "\", found %d", p->elements_left,
                           STR_ARG(e->name), (int)e->children);
    if (is_root) return e->has_type ? FOOTER_FAIL(p, "expected a group as root of the schema, found a column") : LP_OK;
    if (!e->has_repetition || e->repetition < PQ_REQUIRED || e->repetition > PQ_REPEATED)
        return FOOTER_FAIL(p, "expected a repetition of 0 to 2 for \"" STR_FMT "\", found %d", STR_ARG(e->name),
                           e->has_repetition ? (int)e->repetition : -1);
    if (!e->has_type) return LP_OK;
    if (e->type < PQ_BOOLEAN || e->type > PQ_FIXED_LEN_BYTE_ARRAY)
        return FOOTER_FAIL(p, "expected a physical type of 0 to 7 for \"" STR_FMT "\", found %d", STR_ARG(e->name),
                           (int)e->type);
    if (e->children != 0)
        return FOOTER_FAIL(p, "expected no children of the column \"" STR_FMT "\", found %d", STR_ARG(e->name),
                           (int)e->children);
    if (e->type == PQ_FIXED_LEN_BYTE_ARRAY && e->type_length <= 0)
        return FOOTER_FAIL(p, "expected a length of 1 or more for \"" STR_FMT "\", found %d", STR_ARG(e->name),
                           (int)e->type_length);
    return LP_OK;
}

static pq_node *make_node(footer *p, const element *e, const pq_node *parent) {
    pq_node *n = ARENA_NEW(p->table, pq_node);
    n->name = str_copy(p->table, str_is_none(e->name) ? STR("") : e->name);
    n->is_leaf = e->has_type;
    n->parent = parent;
    if (parent) {
        n->repetition = (pq_repetition)e->repetition;
        n->max_def = (uint16_t)(parent->max_def + (n->repetition != PQ_REQUIRED));
        n->max_rep = (uint16_t)(parent->max_rep + (n->repetition == PQ_REPEATED));
    }
    if (n->is_leaf) {
        n->type = (pq_type)e->type;
        n->type_length = n->type == PQ_FIXED_LEN_BYTE_ARRAY ? (uint32_t)e->type_length : 0;
        n->leaf_index = (uint32_t)p->file->leaf_count;
        p->file->leaf[p->file->leaf_count++] = n;
    }
    annotate(n, e);
    return n;
}

/* The schema is written depth first; each element says how many of those that follow are its children. */
static lp_status read_node(footer *p, const pq_node *parent, unsigned depth, const pq_node **out) {
    if (p->elements_left == 0) return FOOTER_FAIL(p, "expected another schema element, found the end of the list");
    if (depth > PQ_MAX_DEPTH) return footer_fail(p, LP_ERR_LIMIT, "columns nest deeper than %d", PQ_MAX_DEPTH);
    element e;
    read_element(&p->in, &e);
    TRY(check_thrift(p));
    p->elements_left--;
    TRY(check_element(p, &e, parent == NULL));
    pq_node *n = make_node(p, &e, parent);
    *out = n;
    const pq_node **child = ARENA_ARRAY(p->table, const pq_node *, (size_t)e.children);
    n->child = child;
    for (; n->child_count < (size_t)e.children; n->child_count++)
        TRY(read_node(p, n, depth + 1, &child[n->child_count]));
    return LP_OK;
}

static lp_status read_schema(footer *p, thrift_type type) {
    thrift_type kind;
    uint32_t count = thrift_list(&p->in, type, &kind);
    thrift_expect(&p->in, kind, THRIFT_STRUCT);
    TRY(check_thrift(p));
    if (p->file->root) return FOOTER_FAIL(p, "expected one schema, found two");
    p->elements_left = count;
    p->file->leaf = ARENA_ARRAY(p->table, const pq_node *, count);
    TRY(read_node(p, NULL, 0, &p->file->root));
    if (p->elements_left)
        return FOOTER_FAIL(p, "expected one root in the schema, found %u elements behind it", p->elements_left);
    return LP_OK;
}

/* ---- row groups and column chunks ---- */

typedef struct chunk_text { /* ColumnChunk and ColumnMetaData as written */
    bool has_metadata, is_encrypted, has_file, path_matches;
    int32_t type, codec;
    int64_t value_count, compressed_bytes, data_offset, dictionary_offset;
} chunk_text;

/* The path must be that of the leaf at this position: the order of the chunks is all that ties them to the schema. */
static bool read_path(thrift *t, thrift_type type, const pq_node *leaf) {
    thrift_type kind;
    uint32_t count = thrift_list(t, type, &kind);
    const pq_node *part[PQ_MAX_DEPTH + 1];
    size_t depth = 0;
    for (const pq_node *n = leaf; n->parent; n = n->parent) part[depth++] = n;
    bool matches = count == depth;
    for (uint32_t i = 0; i < count && t->fault == THRIFT_OK; i++) {
        str name = thrift_binary(t, kind);
        if (matches && !str_eq(name, part[depth - 1 - i]->name)) matches = false;
    }
    return matches;
}

static void read_chunk_metadata(thrift *t, thrift_type type, const pq_node *leaf, chunk_text *c) {
    thrift_expect(t, type, THRIFT_STRUCT);
    c->has_metadata = true;
    for (thrift_field f = thrift_struct(t); thrift_next(t, &f);) {
        switch (f.id) {
        case 1: c->type = thrift_i32(t, f.type); break;
        case 3: c->path_matches = read_path(t, f.type, leaf); break;
        case 4: c->codec = thrift_i32(t, f.type); break;
        case 5: c->value_count = thrift_i64(t, f.type); break;
        case 7: c->compressed_bytes = thrift_i64(t, f.type); break;
        case 9: c->data_offset = thrift_i64(t, f.type); break;
        case 11: c->dictionary_offset = thrift_i64(t, f.type); break;
        default: thrift_skip(t, f.type);
        }
    }
}

static void read_chunk_text(thrift *t, const pq_node *leaf, chunk_text *c) {
    *c = (chunk_text){.type = -1, .codec = -1, .value_count = -1, .compressed_bytes = -1, .data_offset = -1};
    for (thrift_field f = thrift_struct(t); thrift_next(t, &f);) {
        switch (f.id) {
        case 1: c->has_file = thrift_binary(t, f.type).len > 0; break;
        case 3: read_chunk_metadata(t, f.type, leaf, c); break;
        case 8:
            c->is_encrypted = true;
            thrift_skip(t, f.type);
            break;
        default: thrift_skip(t, f.type);
        }
    }
}

static lp_status chunk_fail(footer *p, lp_status code, const pq_node *leaf, const char *format, ...) PRINTF_LIKE(4, 5);
static lp_status chunk_fail(footer *p, lp_status code, const pq_node *leaf, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return pq_fail(&(pq_place){p->file, leaf, PQ_NO_PAGE}, p->err, code, "row group %zu: %s", p->file->group_count,
                   text);
}

static lp_status check_chunk(footer *p, const chunk_text *c, const pq_node *leaf) {
    if (c->is_encrypted) return chunk_fail(p, LP_ERR_UNSUPPORTED, leaf, "the column is encrypted");
    if (!c->has_metadata)
        return chunk_fail(p, LP_ERR_FORMAT, leaf, "expected metadata of the column chunk, found none");
    if (c->has_file) return chunk_fail(p, LP_ERR_UNSUPPORTED, leaf, "the column is in another file");
    if (!c->path_matches)
        return chunk_fail(p, LP_ERR_FORMAT, leaf, "expected the chunk of this column, found another path");
    if (c->type != (int32_t)leaf->type)
        return chunk_fail(p, LP_ERR_FORMAT, leaf, "expected physical type %d as in the schema, found %d",
                          (int)leaf->type, (int)c->type);
    if (c->value_count < 0)
        return chunk_fail(p, LP_ERR_FORMAT, leaf, "expected a count of values, found %lld", (long long)c->value_count);
    if (c->compressed_bytes < 0)
        return chunk_fail(p, LP_ERR_FORMAT, leaf, "expected a size in bytes, found %lld",
                          (long long)c->compressed_bytes);
    return LP_OK;
}

/* The first page is the dictionary page where there is one. Writers that have none leave its offset out or write 0, and
 * some that have one do not tell: then the data page offset is that of the dictionary page. */
static lp_status place_chunk(footer *p, const chunk_text *c, const pq_node *leaf, pq_chunk *out) {
    int64_t start = c->data_offset;
    if (c->dictionary_offset > 0 && c->dictionary_offset < start) start = c->dictionary_offset;
    *out = (pq_chunk){.value_count = (uint64_t)c->value_count, .codec = c->codec};
    if (c->value_count == 0) return LP_OK; /* a chunk without pages may be anywhere */
    uint64_t end = p->file->data_end;
    if (start < 0 || (uint64_t)start > end || (uint64_t)c->compressed_bytes > end - (uint64_t)start)
        return chunk_fail(p, LP_ERR_FORMAT, leaf, "expected its %lld bytes at %lld in front of the footer at %llu",
                          (long long)c->compressed_bytes, (long long)start, (unsigned long long)end);
    out->start = (uint64_t)start;
    out->size_bytes = (uint64_t)c->compressed_bytes;
    return LP_OK;
}

/* Every row has an entry in every leaf, and exactly one where nothing repeats. */
static lp_status check_counts(footer *p, const pq_group *g) {
    for (size_t i = 0; i < p->file->leaf_count; i++) {
        const pq_node *leaf = p->file->leaf[i];
        uint64_t values = g->chunk[i].value_count;
        if (leaf->max_rep == 0 ? values != g->row_count : values < g->row_count || (values > 0 && g->row_count == 0))
            return chunk_fail(p, LP_ERR_FORMAT, leaf, "expected a value for each of %llu rows, found %llu",
                              (unsigned long long)g->row_count, (unsigned long long)values);
    }
    return LP_OK;
}

static lp_status read_chunks(footer *p, thrift_type type, pq_group *g) {
    pq_file *file = p->file;
    thrift_type kind;
    uint32_t count = thrift_list(&p->in, type, &kind);
    thrift_expect(&p->in, kind, THRIFT_STRUCT);
    TRY(check_thrift(p));
    if (count != file->leaf_count || g->chunk)
        return FOOTER_FAIL(p, "expected one list of %zu column chunks in row group %zu, found %u", file->leaf_count,
                           file->group_count, count);
    g->chunk = ARENA_ARRAY(p->table, pq_chunk, count);
    for (uint32_t i = 0; i < count; i++) {
        chunk_text c;
        read_chunk_text(&p->in, file->leaf[i], &c);
        TRY(check_thrift(p));
        TRY(check_chunk(p, &c, file->leaf[i]));
        TRY(place_chunk(p, &c, file->leaf[i], &g->chunk[i]));
    }
    return LP_OK;
}

static lp_status read_group(footer *p, pq_group *g) {
    int64_t rows = -1;
    for (thrift_field f = thrift_struct(&p->in); thrift_next(&p->in, &f);) {
        switch (f.id) {
        case 1: TRY(read_chunks(p, f.type, g)); break;
        case 3: rows = thrift_i64(&p->in, f.type); break;
        default: thrift_skip(&p->in, f.type);
        }
    }
    TRY(check_thrift(p));
    if (rows < 0)
        return FOOTER_FAIL(p, "expected a count of rows in row group %zu, found %lld", p->file->group_count,
                           (long long)rows);
    if (!g->chunk && p->file->leaf_count)
        return FOOTER_FAIL(p, "expected column chunks in row group %zu, found none", p->file->group_count);
    g->row_count = (uint64_t)rows;
    return check_counts(p, g);
}

/* Fields are written in the order of their numbers, so the schema is known when the row groups come. */
static lp_status read_groups(footer *p, thrift_type type) {
    pq_file *file = p->file;
    thrift_type kind;
    uint32_t count = thrift_list(&p->in, type, &kind);
    if (count) thrift_expect(&p->in, kind, THRIFT_STRUCT);
    TRY(check_thrift(p));
    if (!file->root || file->group)
        return FOOTER_FAIL(p, "expected one list of row groups behind the schema, found it %s",
                           file->group ? "twice" : "before");
    file->group = ARENA_ARRAY(p->table, pq_group, count);
    for (; file->group_count < count; file->group_count++) {
        pq_group *g = &file->group[file->group_count];
        TRY(read_group(p, g));
        if (__builtin_add_overflow(file->row_count, g->row_count, &file->row_count) || file->row_count > INT64_MAX)
            return FOOTER_FAIL(p, "expected fewer than 2^63 rows in all row groups");
    }
    return LP_OK;
}

/* ---- the file ---- */

static lp_status read_metadata(footer *p, thrift_type type) {
    thrift_type kind;
    uint32_t count = thrift_list(&p->in, type, &kind);
    pq_pair *pair = ARENA_ARRAY(p->table, pq_pair, count);
    for (uint32_t i = 0; i < count && p->in.fault == THRIFT_OK; i++) {
        thrift_expect(&p->in, kind, THRIFT_STRUCT);
        for (thrift_field f = thrift_struct(&p->in); thrift_next(&p->in, &f);) {
            switch (f.id) {
            case 1: pair[i].key = str_copy(p->table, thrift_binary(&p->in, f.type)); break;
            case 2: pair[i].value = str_copy(p->table, thrift_binary(&p->in, f.type)); break;
            default: thrift_skip(&p->in, f.type);
            }
        }
    }
    p->file->metadata = pair;
    p->file->metadata_count = count;
    return check_thrift(p);
}

static lp_status read_file_metadata(footer *p) {
    int64_t rows = -1;
    for (thrift_field f = thrift_struct(&p->in); thrift_next(&p->in, &f);) {
        switch (f.id) {
        case 2: TRY(read_schema(p, f.type)); break;
        case 3: rows = thrift_i64(&p->in, f.type); break;
        case 4: TRY(read_groups(p, f.type)); break;
        case 5: TRY(read_metadata(p, f.type)); break;
        case 6: p->file->created_by = str_copy(p->table, thrift_binary(&p->in, f.type)); break;
        case 8: return footer_fail(p, LP_ERR_UNSUPPORTED, "the file has encrypted columns");
        default: thrift_skip(&p->in, f.type);
        }
    }
    TRY(check_thrift(p));
    if (!p->file->root) return FOOTER_FAIL(p, "expected a schema, found none");
    if (rows < 0 || (uint64_t)rows != p->file->row_count)
        return FOOTER_FAIL(p, "expected %llu rows as in the row groups, found %lld",
                           (unsigned long long)p->file->row_count, (long long)rows);
    return LP_OK;
}

/* The file ends with the footer, its length in 4 bytes, and the magic; the first read mostly holds all of it. */
static lp_status load_footer(footer *p, arena *scratch, uint64_t max_bytes) {
    pq_source *in = &p->file->source;
    if (in->size_bytes < TAIL_BYTES + MAGIC_BYTES)
        return FOOTER_FAIL(p, "expected a Parquet file, found only %llu bytes", (unsigned long long)in->size_bytes);
    size_t first = in->size_bytes < FIRST_READ_BYTES ? (size_t)in->size_bytes : FIRST_READ_BYTES;
    uint8_t *tail = arena_alloc_raw(scratch, first);
    TRY(in->read(in->context, in->size_bytes - first, tail, first, p->err));
    const uint8_t *end = tail + first - TAIL_BYTES;
    if (memcmp(end + 4, "PARE", MAGIC_BYTES) == 0) return footer_fail(p, LP_ERR_UNSUPPORTED, "it is encrypted");
    if (memcmp(end + 4, "PAR1", MAGIC_BYTES) != 0)
        return FOOTER_FAIL(p, "expected PAR1 at the end of the file, found other bytes");
    uint64_t size = load_le32(end);
    if (size > in->size_bytes - TAIL_BYTES - MAGIC_BYTES)
        return FOOTER_FAIL(p, "expected at most %llu bytes, found a length of %llu",
                           (unsigned long long)(in->size_bytes - TAIL_BYTES - MAGIC_BYTES), (unsigned long long)size);
    if (size > max_bytes)
        return footer_fail(p, LP_ERR_LIMIT, "%llu bytes are more than the limit of %llu", (unsigned long long)size,
                           (unsigned long long)max_bytes);
    p->file->data_end = in->size_bytes - TAIL_BYTES - size;
    uint8_t *bytes = tail + first - TAIL_BYTES - size;
    if (size > first - TAIL_BYTES) {
        bytes = arena_alloc_raw(scratch, (size_t)size);
        TRY(in->read(in->context, p->file->data_end, bytes, (size_t)size, p->err));
    }
    thrift_init(&p->in, bytes, (size_t)size);
    return LP_OK;
}

lp_status footer_read(pq_file *f, arena *table, arena *scratch, uint64_t max_footer_bytes, lp_err *err) {
    footer p = {.file = f, .table = table, .err = err};
    TRY(load_footer(&p, scratch, max_footer_bytes));
    return read_file_metadata(&p);
}
