/* analysis.c - run the stages of the compiler in order, and list what its conditions need of the statistics.
 * Called by: prune/prune.c, stage commands.  Must not know: files, reports.
 */
#include "prune/analysis.h"

#include <stdlib.h>
#include <string.h>

#include "predicate/import.h"
#include "predicate/normalize.h"
#include "predicate/type.h"

/* -------------------------------------------------------------------------------------- what is required */

typedef struct need_list {
    arena *query;
    coverage_need *item;
    size_t count, capacity;
} need_list;

static void add_need(need_list *list, const column *c, requirement r) {
    for (size_t i = 0; i < list->count; i++)
        if (list->item[i].column == c && list->item[i].requirement == r) return;
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 8;
        coverage_need *grown = ARENA_ARRAY(list->query, coverage_need, capacity);
        if (list->count) memcpy(grown, list->item, list->count * sizeof *grown);
        list->item = grown;
        list->capacity = capacity;
    }
    list->item[list->count++] =
        (coverage_need){.column = c, .name = column_dotted_name(c, list->query), .requirement = r};
}

/* a IS DISTINCT FROM x is true for a value that differs (bounds) and for NULL (a null count); its NOT form needs to
 * know that not everything is NULL, so the number of rows as well. Against NULL the two are IS [NOT] NULL. */
static void need_distinct(need_list *list, const predicate *p) {
    bool is_null = p->distinct.value.kind == LITERAL_NULL;
    bool counts_rows = is_null != p->negated;
    if (!is_null) add_need(list, p->distinct.column.column, REQUIRE_MIN_MAX);
    add_need(list, p->distinct.column.column, counts_rows ? REQUIRE_NULL_COUNT_AND_NUM_RECORDS : REQUIRE_NULL_COUNT);
}

static void need_bounds(void *list, const column_ref *ref) {
    add_need(list, ref->column, REQUIRE_MIN_MAX);
}

static void collect_needs(need_list *list, const predicate *p) {
    switch (p->kind) {
    case PREDICATE_AND:
    case PREDICATE_OR:
        for (size_t i = 0; i < p->junction.count; i++) collect_needs(list, p->junction.item[i]);
        return;
    case PREDICATE_NOT: collect_needs(list, p->not .of); return;
    case PREDICATE_TRUTH: collect_needs(list, p->truth.of); return;
    case PREDICATE_COMPARE: add_need(list, p->compare.column.column, REQUIRE_MIN_MAX); return;
    case PREDICATE_IN: add_need(list, p->in.column.column, REQUIRE_MIN_MAX); return;
    case PREDICATE_BETWEEN: add_need(list, p->between.column.column, REQUIRE_MIN_MAX); return;
    case PREDICATE_LIKE: add_need(list, p->like.column.column, REQUIRE_MIN_MAX); return;
    case PREDICATE_COLUMN: add_need(list, p->column.column.column, REQUIRE_MIN_MAX); return;
    case PREDICATE_IS_NULL:
        add_need(list, p->is_null.column.column, p->negated ? REQUIRE_NULL_COUNT_AND_NUM_RECORDS : REQUIRE_NULL_COUNT);
        return;
    case PREDICATE_DISTINCT: need_distinct(list, p); return;
    case PREDICATE_SCALAR: scalar_each_column(p->scalar.of, need_bounds, list); return;
    case PREDICATE_CONSTANT:
    case PREDICATE_OPAQUE: return;
    }
    UNREACHABLE();
}

static int by_name(const void *a, const void *b) {
    const coverage_need *x = a, *y = b;
    int order = str_compare(x->name, y->name);
    return order ? order : (int)x->requirement - (int)y->requirement;
}

static void list_needs(analysis *a, arena *query) {
    need_list list = {.query = query};
    for (size_t i = 0; i < a->classes.count; i++)
        if (a->classes.fragment[i].bucket == BUCKET_STATS_SAFE) collect_needs(&list, a->classes.fragment[i].predicate);
    if (list.count) qsort(list.item, list.count, sizeof *list.item, by_name);
    a->need = list.item;
    a->need_count = list.count;
}

void analysis_place_columns(analysis *a, bool every_partition, bool every_leaf) {
    for (size_t k = 0; k < a->slots.count; k++) {
        program_slot *slot = &a->slots.slot[k];
        if (slot->is_partition && every_partition) slot->index = (size_t)slot->column->partition_index;
        if (!slot->is_partition && every_leaf && slot->index != SLOT_WITHOUT_STATS)
            slot->index = slot->column->leaf_index;
        for (size_t i = 0; i < a->need_count; i++)
            if (a->need[i].column == slot->column) a->need[i].stats_index = slot->index;
    }
}

str requirement_name(requirement r) {
    switch (r) {
    case REQUIRE_MIN_MAX: return STR("min_max");
    case REQUIRE_NULL_COUNT: return STR("null_count");
    case REQUIRE_NULL_COUNT_AND_NUM_RECORDS: return STR("null_count_and_num_records");
    }
    UNREACHABLE();
}

/* ---------------------------------------------------------------------------------------------- the stages */

static bool is_scanned_with_data(const fragment *f) {
    return f->bucket == BUCKET_STATS_SAFE || (f->bucket == BUCKET_UNSPLITTABLE && f->scanned);
}

static bool is_scanned(const fragment *f) {
    return f->bucket != BUCKET_UNSPLITTABLE || f->scanned;
}

static bool is_partition_safe(const fragment *f) {
    return f->bucket == BUCKET_PARTITION_SAFE;
}

static bool is_partition_exact(const fragment *f) {
    return f->bucket == BUCKET_PARTITION_EXACT;
}

static bool is_on_partitions(const fragment *f) {
    return is_partition_safe(f) || is_partition_exact(f);
}

static program *lower_some(analysis *a, arena *query, bool (*wanted)(const fragment *)) {
    const predicate **conjunct = ARENA_ARRAY(query, const predicate *, a->classes.count);
    size_t count = 0;
    for (size_t i = 0; i < a->classes.count; i++)
        if (wanted(&a->classes.fragment[i])) conjunct[count++] = a->classes.fragment[i].predicate;
    return program_lower(query, &a->slots, conjunct, count, &a->env);
}

/* Beside mixed conditions those on partition columns are asked again, for what they exclude together. */
static bool (*data_fragments(const analysis *a))(const fragment *) {
    return a->env.meets_conjuncts && a->has_unsplittable ? is_scanned : is_scanned_with_data;
}

/* What both kinds of conditions on partition columns exclude together is asked where the second kind is. */
static bool (*exact_fragments(const analysis *a))(const fragment *) {
    bool has_both = a->has_partition_safe && a->has_partition_exact;
    return a->env.meets_conjuncts && has_both ? is_on_partitions : is_partition_exact;
}

bool analysis_exact_holds(const analysis *a, const fragment *f) {
    return exact_fragments(a)(f);
}

bool analysis_data_holds(const analysis *a, const fragment *f) {
    return data_fragments(a)(f);
}

static void summarize(analysis *a) {
    for (size_t i = 0; i < a->classes.count; i++) {
        const fragment *f = &a->classes.fragment[i];
        a->has_partition_safe |= f->bucket == BUCKET_PARTITION_SAFE;
        a->has_partition_exact |= f->bucket == BUCKET_PARTITION_EXACT;
        a->has_stats_safe |= f->bucket == BUCKET_STATS_SAFE;
        a->has_unsplittable |= f->bucket == BUCKET_UNSPLITTABLE;
        a->stripped_count += f->bucket == BUCKET_UNSPLITTABLE && !f->scanned;
    }
}

lp_status analysis_make(const schema *s, const prune_options *options, arena *query, analysis *out, lp_err *err) {
    *out = (analysis){0};
    bool extended = options->level == LEVEL_EXTENDED;
    const ast *tree;
    TRY(sql_parse_expression(query, options->where, options->dialect, &tree, err));
    import_options import = {options->where, s, extended, options->as_delta_explain};
    TRY(predicate_import(query, tree, &import, &out->imported, err));
    out->normalized = predicate_normalize(query, out->imported, extended);
    type_options type = {options->where, options->session_zone, options->zones, options->as_delta_explain,
                         options->level == LEVEL_EXTENDED && !options->as_delta_explain};
    TRY(predicate_type(query, out->normalized, &type, &out->typed, err));
    out->classes = predicate_classify(query, out->typed, extended);
    out->env = (fold_env){.session_zone = options->session_zone,
                          .zones = options->zones,
                          .now_micros = options->now_micros,
                          .meets_conjuncts = extended};
    out->partition_safe = lower_some(out, query, is_partition_safe);
    summarize(out);
    out->partition_exact = lower_some(out, query, exact_fragments(out));
    out->data = lower_some(out, query, data_fragments(out));
    if (extended && !options->as_delta_explain) out->derived = derive_plan(query, s, &out->slots, &type);
    derive_attach(&out->derived, out->data);
    list_needs(out, query);
    return LP_OK;
}

/* ------------------------------------------------------------------------------------------------- printing */

str analysis_bucket_text(const analysis *a, bucket b, arena *query) {
    buf text;
    buf_init(&text, query, SIZE_MAX / 2);
    bool any = false;
    for (size_t i = 0; i < a->classes.count; i++) {
        if (a->classes.fragment[i].bucket != b) continue;
        if (any) buf_put(&text, STR(" AND "));
        buf_put(&text, a->classes.fragment[i].text);
        any = true;
    }
    return any ? buf_str(&text) : STR_NONE;
}

static void print_form(buf *out, const char *title, const predicate *p) {
    buf_printf(out, "== %s ==\nrendered: ", title);
    predicate_print(out, p);
    buf_put(out, STR("\n\n"));
    predicate_dump(out, p);
    buf_put_char(out, '\n');
}

static void print_some(buf *out, str text) {
    if (str_is_none(text)) {
        buf_put(out, STR("None\n"));
        return;
    }
    buf_put(out, STR("Some("));
    dump_quoted(out, text);
    buf_put(out, STR(")\n"));
}

static void print_classification(buf *out, const analysis *a, confidence c, arena *query) {
    static const char *const name[] = {"Exact", "Conservative", "Incomplete"};
    buf_put(out, STR("== classification ==\n"));
    for (unsigned b = BUCKET_PARTITION_SAFE; b <= BUCKET_UNSPLITTABLE; b++) {
        buf_printf(out, "%-16s ", str_format(query, STR_FMT ":", STR_ARG(bucket_name(b))).ptr);
        print_some(out, analysis_bucket_text(a, b, query));
    }
    buf_printf(out, "%-16s %s\n", "confidence:", name[c]);
}

static void print_program(buf *out, const char *title, bool is_there, const program *p, const slot_table *slots) {
    if (!is_there) return;
    buf_printf(out, "%s\n", title);
    program_print(out, p, slots);
}

static void print_stripped(buf *out, const analysis *a) {
    bool any = false;
    buf_put(out, STR("scan predicate after stripping unsupported fragments: "));
    for (size_t i = 0; i < a->classes.count; i++) {
        const fragment *f = &a->classes.fragment[i];
        if (f->bucket == BUCKET_UNSPLITTABLE && !f->scanned) continue;
        if (any) buf_put(out, STR(" AND "));
        buf_put(out, f->text);
        any = true;
    }
    buf_put(out, any ? STR("\n") : STR("(nothing: keeps all files)\n"));
}

void analysis_print(buf *out, const analysis *a, confidence c, arena *query) {
    print_form(out, "owned AST (before normalization)", a->imported);
    print_form(out, "owned AST (normalized)", a->normalized);
    print_classification(out, a, c, query);
    buf_put(out, STR("\n== programs, one per phase scan ==\n"));
    if (a->stripped_count) print_stripped(out, a);
    print_program(out, "partition-only scan:", a->has_partition_safe, a->partition_safe, &a->slots);
    print_program(out, "partition-only scan, by text:", a->has_partition_exact, a->partition_exact, &a->slots);
    print_program(out, "full scan, on what the partition-only scan left:", a->has_stats_safe || a->has_unsplittable,
                  a->data, &a->slots);
    buf_put_char(out, '\n');
}
