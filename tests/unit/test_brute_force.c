/* test_brute_force.c - no file with a matching row is dropped, over small random tables, in the reading of any engine.
 * Called by: ctest.  Must not know: how pruning works inside.
 *
 * LAKEPROOF_SEED and LAKEPROOF_PAIRS (predicates against a table) run it elsewhere and longer. A failure prints the seed of
 * its table, with which the first table is that one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <math.h>

#include "base/door.h"
#include "brute_force.h"
#include "delta/stats.h"
#include "prune/analysis.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { DEFAULT_PAIRS = 20000 };
#else
enum { DEFAULT_PAIRS = 200000 };
#endif
enum { PREDICATES_PER_TABLE = 40, DEFAULT_SEED = 20240601 };

/* ---- a table as pruning sees it */

typedef struct subject {
    const brute_table *table;
    uint64_t seed;
    schema schema;
    live_file *file;
    zone_database *zones;
    arena *keep, *scratch; /* for the table; for one predicate */
} subject;

static lp_status make_subject(subject *s, lp_err *err) {
    str partition[BRUTE_MAX_COLUMNS];
    size_t count = 0;
    for (size_t i = 0; i < s->table->column_count; i++)
        if (s->table->column[i].is_partition) partition[count++] = s->table->column[i].name;
    TRY(schema_parse(s->keep, s->table->schema, partition, count, MAPPING_NONE, false, &s->schema, err));
    stats_column *wanted = ARENA_ARRAY(s->keep, stats_column, s->schema.leaf_count);
    for (size_t i = 0; i < s->schema.leaf_count; i++) wanted[i] = (stats_column){s->schema.leaf[i], true, true};
    stats_plan *plan = stats_plan_new(s->keep, wanted, s->schema.leaf_count);
    json_reader *json = json_reader_new(s->keep);
    s->file = ARENA_ARRAY(s->keep, live_file, s->table->file_count);
    for (size_t i = 0; i < s->table->file_count; i++) {
        const brute_file *from = &s->table->file[i];
        live_file *f = &s->file[i];
        f->stats_loaded = true;
        f->has_dv = from->has_dv;
        if (from->stats.ptr) {
            stats_from_json(plan, json, from->stats, from->has_dv, s->keep, &f->stats);
            if (!f->stats.has_stats) return err_set(err, LP_ERR_FORMAT, "statistics were not read");
        }
        f->partition = ARENA_ARRAY(s->keep, partition_cell, count);
        for (size_t c = 0, k = 0; c < s->table->column_count; c++)
            if (s->table->column[c].is_partition) {
                f->partition[k] = cell_from_partition_text(s->schema.partition[k]->type, true, from->partition[c], zone_utc(), s->zones, s->keep);
                k++;
            }
    }
    return LP_OK;
}

static bool keeps(const subject *s, const analysis *a, const live_file *f, bool strict) {
    fact_rules rules = {!strict, false};
    column_domain *domain = ARENA_ARRAY(s->scratch, column_domain, a->slots.count);
    for (size_t i = 0; i < a->slots.count; i++) {
        const program_slot *slot = &a->slots.slot[i];
        const data_type *type = &slot->column->type;
        bool known = !slot->is_partition && f->stats.column && slot->index != SLOT_WITHOUT_STATS;
        if (slot->is_partition) domain_from_partition(type, &f->partition[slot->index], rules, &domain[i]);
        else domain_from_stats(type, &f->stats, known ? &f->stats.column[slot->index] : NULL, rules, &domain[i]);
    }
    const program *part[] = {a->partition_safe, a->partition_exact, a->data};
    for (size_t i = 0; i < 3; i++) {
        program_run run = {.stack = ARENA_ARRAY(s->scratch, outcome_set, program_stack_size(part[i])), .scratch = s->scratch};
        if (!outcome_can_be_true(program_evaluate(part[i], domain, &run))) return false;
    }
    return true;
}

/* Which files are kept, as bits; [0] trusting float maxima, [1] strict. */
typedef struct verdicts {
    bool is_error;
    unsigned kept[2];
} verdicts;

static str sql_of(const subject *s, const brute_predicate *p) {
    buf b;
    buf_init(&b, s->scratch, 1 << 20);
    brute_predicate_print(&b, s->table, p);
    return buf_str(&b);
}

static verdicts prune(const subject *s, const brute_predicate *p, prune_level level) {
    prune_options options = {.has_where = true, .where = sql_of(s, p), .dialect = DIALECT_spark, .level = level,
                             .session_zone = zone_utc(), .zones = s->zones};
    verdicts v = {.is_error = false};
    analysis *a = ARENA_NEW(s->scratch, analysis);
    lp_err err = {0};
    if (analysis_make(&s->schema, &options, s->scratch, a, &err) != LP_OK) {
        if (getenv("LAKEPROOF_SHOW_ERRORS")) print_message("%s\n", err.text);
        v.is_error = true;
        return v;
    }
    analysis_place_columns(a, true, true);
    for (size_t i = 0; i < s->table->file_count; i++)
        for (unsigned strict = 0; strict < 2; strict++)
            if (keeps(s, a, &s->file[i], strict)) v.kept[strict] |= 1u << i;
    return v;
}

/* ---- failures */

static void report(const subject *s, const brute_predicate *p, size_t file, const char *what) {
    buf b;
    buf_init(&b, s->scratch, 1 << 20);
    brute_table_print(&b, s->table, &s->table->file[file]);
    buf_printf(&b, "predicate  " STR_FMT "\n", STR_ARG(sql_of(s, p)));
    print_error("%s\nseed       %llu\n" STR_FMT, what, (unsigned long long)s->seed, STR_ARG(buf_str(&b)));
    if (!getenv("LAKEPROOF_KEEP_GOING")) fail_msg("unsound or unlawful pruning, see above");
}

/* ---- soundness */

typedef struct tally {
    uint64_t pairs, errors, droppable, dropped[2];
} tally;

/* A NaN that the recorded maximum of a column of the predicate hides. */
static bool has_hidden_nan(const subject *s, const brute_predicate *p, const brute_file *f, const brute_value *row) {
    for (size_t c = 0; c < s->table->column_count; c++) {
        bool hides = brute_is_real(s->table->column[c].type) && f->hides_nan[c];
        if (hides && !row[c].is_null && isnan(row[c].real) && brute_mentions(p, c)) return true;
    }
    return false;
}

typedef struct match {
    const brute_engine *engine;        /* of a row that matches, NULL if none does */
    const brute_engine *plain_engine;  /* the same without rows of hidden NaN */
} match;

static match find_match(const subject *s, const brute_predicate *p, const brute_file *f) {
    match m = {NULL, NULL};
    for (size_t k = 0; k < brute_engine_count; k++)
        for (size_t i = 0; brute_can_read(&brute_engines[k], p) && i < f->row_count; i++) {
            if (brute_evaluate(&brute_engines[k], s->table, f->row[i], p, s->scratch) != BRUTE_TRUE) continue;
            m.engine = &brute_engines[k];
            if (!has_hidden_nan(s, p, f, f->row[i])) m.plain_engine = &brute_engines[k];
        }
    return m;
}

static void expect_sound(const subject *s, const brute_predicate *p, const verdicts level[2], tally *count) {
    static const char *const name[2][2] = {{"contract", "contract, strict"}, {"extended", "extended, strict"}};
    for (size_t i = 0; i < s->table->file_count; i++) {
        match m = find_match(s, p, &s->table->file[i]);
        count->droppable += !m.engine;
        for (unsigned l = 0; l < 2; l++) {
            for (unsigned strict = 0; strict < 2; strict++) {
                const brute_engine *engine = strict ? m.engine : m.plain_engine;
                if (!engine || level[l].kept[strict] & 1u << i) continue;
                report(s, p, i, str_format(s->scratch, "a file with a row that matches in %s was dropped (%s)", engine->name, name[l][strict]).ptr);
                return;
            }
            count->dropped[l] += !(level[l].kept[0] & 1u << i);
        }
    }
}

/* ---- laws */

static size_t first_bit(unsigned bits) {
    return (size_t)__builtin_ctz(bits);
}

typedef enum law { LAW_SAME, LAW_SUBSET } law;

/* The second form keeps the same files as the first, or no more. */
static void expect_law(const subject *s, const brute_predicate *p, const brute_predicate *q, prune_level level, law which, const char *name) {
    verdicts a = prune(s, p, level), b = prune(s, q, level);
    if (a.is_error != b.is_error) report(s, p, 0, str_format(s->scratch, "%s: one form is an error\nother form " STR_FMT, name, STR_ARG(sql_of(s, q))).ptr);
    if (a.is_error || b.is_error) return;
    for (unsigned strict = 0; strict < 2; strict++) {
        unsigned wrong = which == LAW_SAME ? a.kept[strict] ^ b.kept[strict] : b.kept[strict] & ~a.kept[strict];
        if (!wrong) continue;
        report(s, p, first_bit(wrong), str_format(s->scratch, "%s (%s%s)\nother form " STR_FMT, name, level == LEVEL_CONTRACT ? "contract" : "extended", strict ? ", strict" : "", STR_ARG(sql_of(s, q))).ptr);
        return;
    }
}

static const brute_predicate *not_of(const subject *s, const brute_predicate *p) {
    return brute_join(s->scratch, BRUTE_P_NOT, p, NULL);
}

static const brute_predicate *with_item(const subject *s, const brute_predicate *p, brute_op op, size_t item) {
    brute_predicate *q = ARENA_NEW(s->scratch, brute_predicate);
    *q = (brute_predicate){.kind = BRUTE_P_COMPARE, .column = p->column, .op = op, .item = &p->item[item], .count = 1};
    return q;
}

static bool is_plain_list(const brute_predicate *p) {
    for (size_t i = 0; i < p->count; i++) {
        const brute_literal *l = &p->item[i];
        if (l->kind == BRUTE_NULL || l->kind != p->item[0].kind || l->suffix != p->item[0].suffix) return false;
        if (l->kind == BRUTE_NUMBER && (l->has_point || l->has_exponent)) return false;
    }
    return true;
}

static bool meets_text(const subject *s, const brute_predicate *p) {
    brute_type t = s->table->column[p->column].type;
    return t == BRUTE_STRING || t == BRUTE_CHAR || t == BRUTE_BINARY || p->item[0].kind != BRUTE_TEXT;
}

/* IN and the OR of its equalities, where no engine brings the items to another type. */
static void law_of_in(const subject *s, const brute_predicate *p, prune_level level) {
    if (!is_plain_list(p) || !meets_text(s, p)) return;
    const brute_predicate *any = with_item(s, p, BRUTE_EQ, 0);
    for (size_t i = 1; i < p->count; i++) any = brute_join(s->scratch, BRUTE_P_OR, any, with_item(s, p, BRUTE_EQ, i));
    expect_law(s, p, p->negated ? not_of(s, any) : any, level, LAW_SAME, "IN and the OR of its equalities");
}

static void law_of_between(const subject *s, const brute_predicate *p, prune_level level) {
    if (p->negated || !is_plain_list(p)) return;
    const brute_predicate *range = brute_join(s->scratch, BRUTE_P_AND, with_item(s, p, BRUTE_GE, 0), with_item(s, p, BRUTE_LE, 1));
    expect_law(s, range, p, level, LAW_SUBSET, "BETWEEN keeps no more than its two comparisons");
}

static void law_of_flipping(const subject *s, const brute_predicate *p, prune_level level) {
    brute_predicate *q = ARENA_NEW(s->scratch, brute_predicate);
    *q = *p;
    q->flipped = !p->flipped;
    expect_law(s, p, q, level, LAW_SAME, "the literal on the other side");
}

/* A prefix of ASCII letters: LIKE 'ab%' and its range. */
static void law_of_prefix(const subject *s, const brute_predicate *p, prune_level level) {
    str text = p->item->text;
    if (s->table->column[p->column].type != BRUTE_STRING || p->negated || p->escape || text.len < 2 || text.ptr[text.len - 1] != '%') return;
    for (size_t i = 0; i + 1 < text.len; i++)
        if (text.ptr[i] < 'a' || text.ptr[i] > 'z') return;
    brute_literal *limit = ARENA_ARRAY(s->scratch, brute_literal, 2);
    str low = str_slice(text, 0, text.len - 1);
    limit[0] = (brute_literal){.kind = BRUTE_TEXT, .text = low, .sql = str_format(s->scratch, "'" STR_FMT "'", STR_ARG(low))};
    limit[1] = (brute_literal){.kind = BRUTE_TEXT, .sql = str_format(s->scratch, "'" STR_FMT "%c'", STR_ARG(str_slice(low, 0, low.len - 1)), low.ptr[low.len - 1] + 1)};
    brute_predicate range = {.kind = BRUTE_P_BETWEEN, .column = p->column, .item = limit, .count = 2};
    const brute_predicate *both = brute_join(s->scratch, BRUTE_P_AND, with_item(s, &range, BRUTE_GE, 0), with_item(s, &range, BRUTE_LT, 1));
    expect_law(s, p, both, level, LAW_SAME, "LIKE of a prefix and its range");
}

static void law_of_leaf(const subject *s, const brute_predicate *p, prune_level level) {
    if (p->kind == BRUTE_P_IN) law_of_in(s, p, level);
    if (p->kind == BRUTE_P_BETWEEN) law_of_between(s, p, level);
    if (p->kind == BRUTE_P_COMPARE || p->kind == BRUTE_P_DISTINCT) law_of_flipping(s, p, level);
    if (p->kind == BRUTE_P_LIKE) law_of_prefix(s, p, level);
}

static const brute_predicate *opaque_true(const subject *s) {
    brute_predicate *p = ARENA_NEW(s->scratch, brute_predicate);
    p->kind = BRUTE_P_OPAQUE;
    return p;
}

/* (p AND q) OR (p AND r) */
static const brute_predicate *expanded(const subject *s, const brute_predicate *p, const brute_predicate *q, const brute_predicate *r) {
    const brute_predicate *left = brute_join(s->scratch, BRUTE_P_AND, p, q), *right = brute_join(s->scratch, BRUTE_P_AND, r, p);
    return brute_join(s->scratch, BRUTE_P_OR, left, right);
}

static void expect_laws(dice *d, const subject *s, const brute_predicate *p) {
    arena *a = s->scratch;
    prune_level level = dice_percent(d, 50) ? LEVEL_CONTRACT : LEVEL_EXTENDED;
    unsigned which = dice_below(d, 5);
    if (which == 0) expect_law(s, p, not_of(s, not_of(s, p)), level, LAW_SAME, "NOT NOT");
    const brute_predicate *q = which > 0 ? brute_predicate_make(d, a, s->table, 1) : NULL;
    if (which == 1) expect_law(s, p, brute_join(a, BRUTE_P_AND, p, q), level, LAW_SUBSET, "one more condition keeps no more");
    if (which == 2) {
        const brute_predicate *inner = brute_join(a, BRUTE_P_AND, not_of(s, p), not_of(s, q));
        expect_law(s, brute_join(a, BRUTE_P_OR, p, q), not_of(s, inner), level, LAW_SAME, "De Morgan");
    }
    if (which == 3) {
        const brute_predicate *r = brute_predicate_make(d, a, s->table, 1);
        const brute_predicate *factored = brute_join(a, BRUTE_P_AND, p, brute_join(a, BRUTE_P_OR, q, r));
        /* Where q or r hold p once more, taking p out leaves less for contract to strip. */
        law same = level == LEVEL_CONTRACT ? LAW_SUBSET : LAW_SAME;
        expect_law(s, factored, expanded(s, p, q, r), level, same, "common conditions taken out");
    }
    if (which == 4) expect_law(s, p, brute_join(a, BRUTE_P_AND, opaque_true(s), p), LEVEL_CONTRACT, LAW_SAME, "an opaque condition beside it");
    if (!p->left) law_of_leaf(s, p, level);
}

/* ---- the run */

typedef struct brute_run {
    uint64_t seed, pairs;
    tally count;
    arena keep, scratch;
} brute_run;

static void try_predicate(dice *d, const subject *s, tally *count) {
    const brute_predicate *p = brute_predicate_make(d, s->scratch, s->table, dice_below(d, 4));
    if (dice_percent(d, 5)) {
        const brute_predicate *q = brute_predicate_make(d, s->scratch, s->table, 1);
        p = expanded(s, p, q, brute_predicate_make(d, s->scratch, s->table, 1));
    }
    verdicts level[2] = {prune(s, p, LEVEL_CONTRACT), prune(s, p, LEVEL_EXTENDED)};
    count->pairs++;
    if (level[0].is_error != level[1].is_error) report(s, p, 0, "an error on one level alone");
    if (level[0].is_error) {
        count->errors++;
        return;
    }
    expect_sound(s, p, level, count);
    for (unsigned strict = 0; strict < 2; strict++) {
        unsigned more = level[1].kept[strict] & ~level[0].kept[strict];
        if (more) report(s, p, first_bit(more), "extended keeps a file that contract drops");
    }
    if (dice_percent(d, 30)) expect_laws(d, s, p);
}

static lp_status try_table(void *context, lp_err *err) {
    brute_run *r = context;
    dice d = dice_new(r->seed);
    brute_table *t = ARENA_NEW(&r->keep, brute_table);
    brute_table_make(&d, &r->keep, t);
    subject s = {.table = t, .seed = r->seed, .zones = zone_database_new(&r->keep), .keep = &r->keep, .scratch = &r->scratch};
    TRY(make_subject(&s, err));
    for (unsigned i = 0; i < PREDICATES_PER_TABLE && r->count.pairs < r->pairs; i++) {
        try_predicate(&d, &s, &r->count);
        arena_reset(&r->scratch);
    }
    return LP_OK;
}

static uint64_t number_from(const char *variable, uint64_t fallback) {
    const char *text = getenv(variable);
    return text && *text ? strtoull(text, NULL, 10) : fallback;
}

static void test_brute_force__no_file_with_a_matching_row_is_dropped(void **state) {
    (void)state;
    brute_run r = {.seed = number_from("LAKEPROOF_SEED", DEFAULT_SEED), .pairs = number_from("LAKEPROOF_PAIRS", DEFAULT_PAIRS)};
    arena_init(&r.keep, 0);
    arena_init(&r.scratch, 0);
    for (; r.count.pairs < r.pairs; r.seed++) {
        lp_err err = {0};
        if (door_run(try_table, &r, &err) != LP_OK) fail_msg("seed %llu: %s", (unsigned long long)r.seed, err.text);
        arena_reset(&r.keep);
    }
    tally c = r.count;
    print_message("%llu predicates, %llu refused; of %llu droppable files contract drops %llu, extended %llu\n", (unsigned long long)c.pairs,
                  (unsigned long long)c.errors, (unsigned long long)c.droppable, (unsigned long long)c.dropped[0], (unsigned long long)c.dropped[1]);
    assert_true(c.errors * 20 < c.pairs); /* the generator writes what is allowed, but for a few corners */
    arena_end(&r.scratch);
    arena_end(&r.keep);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_brute_force__no_file_with_a_matching_row_is_dropped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
