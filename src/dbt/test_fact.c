/* test_fact.c - dbt's tests as facts.
 * Called by: dbt/project.c.  Must not know: constraints, meta.
 * Source: the documentation of dbt's data tests and their configs, and of the packages dbt_utils, dbt_expectations and
 * dbt_constraints. A test states what every table satisfies for which it passes.
 */
#include "dbt/fact.h"

typedef struct testing {
    draft *draft;
    const test_draft *test;
    const tree *kwargs;
    relation_draft *on; /* the relation under test */
    dbt_fact base;
} testing;

/* ---- arguments ---- */

static str argument(const testing *t, str name) {
    return tree_string(tree_get(t->kwargs, name));
}

static str kept(const testing *t, str text) {
    return str_copy(t->draft->keep, text);
}

static bool is_jinja(str text) {
    for (size_t i = 0; i + 1 < text.len; i++)
        if (text.ptr[i] == '{' && (text.ptr[i + 1] == '{' || text.ptr[i + 1] == '%')) return true;
    return false;
}

/* column_name, of the test or of its arguments. NULL when there is none. */
static const dbt_name *tested_column(const testing *t) {
    str name = t->test->column_name;
    if (str_is_none(name)) name = argument(t, STR("column_name"));
    return str_is_none(name) || name.len == 0 ? NULL : dbt_column_named(t->draft, t->on->relation, name);
}

/* A list of columns under one of several names of an argument, else column_name. */
static const dbt_name *listed_columns(const testing *t, const char *const *names, size_t *count) {
    for (; *names; names++) {
        const tree *list = tree_get(t->kwargs, str_from(*names));
        if (!list) continue;
        bool bad;
        const dbt_name *column = dbt_columns_of(t->draft, t->on->relation, list, count, &bad);
        if (bad) {
            dbt_note_that(t->draft, t->on->relation->index,
                          "test " STR_FMT ": expected a list of columns for %s, found something else",
                          STR_ARG(t->test->name), *names);
            *count = 0;
        }
        return column;
    }
    const dbt_name *column = tested_column(t);
    *count = column != NULL;
    return column;
}

static const dbt_name *quoted(const testing *t, const dbt_name *column, size_t count) {
    if (!tree_is_true(tree_get(t->kwargs, STR("quote_columns")))) return column;
    dbt_name *made = ARENA_ARRAY(t->draft->keep, dbt_name, count);
    for (size_t i = 0; i < count; i++) made[i] = (dbt_name){.text = column[i].text, .is_quoted = true};
    return made;
}

static void narrow(testing *t, str condition) {
    str *now = &t->base.condition;
    if (is_jinja(condition)) t->base.weak_reason = STR("its condition holds a template");
    if (str_is_none(condition) || condition.len == 0 || str_eq(condition, STR("1=1"))) return;
    *now = str_is_none(*now)
               ? kept(t, condition)
               : str_format(t->draft->keep, "(" STR_FMT ") and (" STR_FMT ")", STR_ARG(*now), STR_ARG(condition));
}

/* ---- makers ---- */

static void add(testing *t, dbt_fact_kind kind, bool is_lax, const dbt_name *column, size_t count) {
    if (count == 0) return;
    t->base.kind = kind;
    t->base.is_lax = is_lax;
    dbt_add_fact(t->draft, t->on, t->base, column, count);
}

static void take_unique(testing *t) {
    const dbt_name *column = tested_column(t);
    add(t, DBT_KEY, true, column, column != NULL); /* NULL rows are left out of the test */
}

static void take_not_null(testing *t) {
    const dbt_name *column = tested_column(t);
    add(t, DBT_NOT_NULL, false, column, column != NULL);
}

/* The test groups by the columns, and GROUP BY takes NULLs as equal. */
static void take_combination(testing *t) {
    static const char *const names[] = {"combination_of_columns", NULL};
    size_t count;
    const dbt_name *column = listed_columns(t, names, &count);
    add(t, DBT_KEY, false, quoted(t, column, count), count);
}

/* Rows of NULLs alone are left out, or rows with any NULL, or none: only the last gives a strict key. */
static void take_compound(testing *t) {
    static const char *const names[] = {"column_list", NULL};
    size_t count;
    const dbt_name *column = listed_columns(t, names, &count);
    add(t, DBT_KEY, !str_eq(argument(t, STR("ignore_row_if")), STR("never")), quoted(t, column, count), count);
}

static void take_primary_key(testing *t) {
    static const char *const names[] = {"column_names", NULL};
    size_t count;
    const dbt_name *column = listed_columns(t, names, &count);
    column = quoted(t, column, count);
    add(t, DBT_KEY, false, column, count);
    for (size_t i = 0; i < count; i++) add(t, DBT_NOT_NULL, false, &column[i], 1);
}

/* Some platforms of the package leave rows with NULL out, so no more is granted. */
static void take_unique_key(testing *t) {
    static const char *const names[] = {"column_names", NULL};
    size_t count;
    const dbt_name *column = listed_columns(t, names, &count);
    add(t, DBT_KEY, true, quoted(t, column, count), count);
}

/* ---- references ---- */

/* What `to` means: of the relations that the test depends on the one that the text fits; of several that fit (the same
 * name in two packages) the one that dbt_resolve finds. A text that is no ref() (a macro wrote it) is the other one of
 * two. */
static size_t other_relation(const testing *t, str text) {
    const test_draft *test = t->test;
    const dbt_project *p = t->draft->project;
    dbt_target target;
    size_t other = DBT_NO_RELATION, others = 0, fitting = DBT_NO_RELATION, fits = 0, self = t->on->relation->index;
    size_t found = dbt_resolve(p, text, test->package);
    bool is_target = dbt_parse_target(text, &target);
    for (size_t i = 0; i < test->depends_count; i++) {
        size_t at = dbt_find_id(p, test->depends_on[i]);
        if (at == DBT_NO_RELATION) continue;
        if (at == found) return at;
        if (is_target && dbt_fits_target(&p->relation[at], &target)) fits++, fitting = at;
        if (at == self) continue;
        others++;
        other = at;
    }
    if (fits == 1) return fitting;
    if (is_target && found != DBT_NO_RELATION && !others) return found;
    bool is_named = others == 1 && (!is_target || str_eq(p->relation[other].name, target.name));
    return is_named ? other : DBT_NO_RELATION;
}

static void add_reference(testing *t, str to, const dbt_name *column, size_t count, const tree *to_columns,
                          str to_condition) {
    if (count == 0 || str_is_none(to)) return;
    size_t other = other_relation(t, to), to_count = 0;
    const dbt_relation *target = other == DBT_NO_RELATION ? t->on->relation : &t->draft->project->relation[other];
    bool bad = false;
    const dbt_name *to_column = to_columns ? dbt_columns_of(t->draft, target, to_columns, &to_count, &bad) : NULL;
    if (bad || (to_count && to_count != count)) {
        dbt_note_that(t->draft, t->on->relation->index,
                      "test " STR_FMT ": expected as many columns on both sides of a reference, found %zu and %zu",
                      STR_ARG(t->test->name), count, to_count);
        return;
    }
    t->base.kind = DBT_REFERENCE;
    t->base.is_lax = true;
    dbt_fact *f = dbt_add_fact(t->draft, t->on, t->base, column, count);
    f->reference.to = other;
    f->reference.to_text = kept(t, to);
    f->reference.to_column = to_column;
    f->reference.to_count = to_count;
    f->reference.to_condition =
        str_is_none(to_condition) || str_eq(to_condition, STR("1=1")) ? STR_NONE : kept(t, to_condition);
}

static void take_relationships(testing *t) {
    const dbt_name *column = tested_column(t);
    add_reference(t, argument(t, STR("to")), column, column != NULL, tree_get(t->kwargs, STR("field")), STR_NONE);
}

static void take_relationships_where(testing *t) {
    const dbt_name *column = tested_column(t);
    narrow(t, argument(t, STR("from_condition")));
    add_reference(t, argument(t, STR("to")), column, column != NULL, tree_get(t->kwargs, STR("field")),
                  argument(t, STR("to_condition")));
}

static const tree *first_of(const tree *kwargs, str a, str b, str c) {
    const tree *found = tree_get(kwargs, a);
    if (!found) found = tree_get(kwargs, b);
    return found ? found : tree_get(kwargs, c);
}

static void take_foreign_key(testing *t) {
    static const char *const names[] = {"fk_column_names", "fk_column_name", "column_names", NULL};
    size_t count;
    const dbt_name *column = listed_columns(t, names, &count);
    const tree *to = first_of(t->kwargs, STR("pk_table_name"), STR("to"), STR("to"));
    const tree *field = first_of(t->kwargs, STR("pk_column_names"), STR("pk_column_name"), STR("field"));
    add_reference(t, tree_string(to), quoted(t, column, count), count, field, STR_NONE);
}

/* ---- values, ranges, expressions ---- */

/* A value without quotes is a piece of SQL: of literals we know what they stand for, and a NULL among them makes
 * NOT IN pass every row. */
static bool is_plain_value(const tree *value) {
    str text = value->text;
    if (value->kind == TREE_TRUE || value->kind == TREE_FALSE) return true;
    size_t at = text.len && (text.ptr[0] == '-' || text.ptr[0] == '+'), digits = 0, dots = 0;
    for (; at < text.len; at++) {
        bool is_digit = text.ptr[at] >= '0' && text.ptr[at] <= '9';
        digits += is_digit, dots += text.ptr[at] == '.';
        if (!is_digit && text.ptr[at] != '.') return false;
    }
    return digits > 0 && dots < 2;
}

static bool are_plain_values(const tree *values, bool are_strings) {
    for (const tree *t = values ? values->first : NULL; t; t = t->next)
        if (are_strings ? is_jinja(t->text) : !is_plain_value(t)) return false;
    return true;
}

static void add_values(testing *t, const tree *values, const tree *quote) {
    const dbt_name *column = tested_column(t);
    size_t count;
    bool are_strings = !quote || quote->kind != TREE_FALSE; /* by default every value is rendered in quotes */
    if (!are_plain_values(values, are_strings)) return;
    const dbt_value *value = dbt_values_of(t->draft, values, are_strings, &count);
    if (!column || !value) return;
    t->base.kind = DBT_ACCEPTED_VALUES;
    dbt_fact *f = dbt_add_fact(t->draft, t->on, t->base, column, 1);
    f->accepted.value = value;
    f->accepted.value_count = count;
}

static void take_accepted_values(testing *t) {
    add_values(t, tree_get(t->kwargs, STR("values")), tree_get(t->kwargs, STR("quote")));
}

static void take_value_set(testing *t) {
    add_values(t, tree_get(t->kwargs, STR("value_set")), tree_get(t->kwargs, STR("quote_values")));
}

/* partition_by is a piece of SQL: names between commas, or one expression. */
static const dbt_name *partition(const testing *t, size_t *count) {
    str text = argument(t, STR("partition_by"));
    *count = 0;
    if (str_is_none(text) || text.len == 0) return NULL;
    size_t parts = 1, unused, at = 0;
    bool is_list = !str_find_char(text, '(', &unused) && !str_find_char(text, '\'', &unused);
    for (size_t i = 0; i < text.len; i++) parts += is_list && text.ptr[i] == ',';
    dbt_name *made = ARENA_ARRAY(t->draft->keep, dbt_name, parts);
    for (; *count < parts; (*count)++) {
        size_t len = text.len - at;
        if (is_list) (void)str_find_char(str_slice(text, at, text.len), ',', &len);
        made[*count] = *dbt_column_named(t->draft, t->on->relation, str_slice(text, at, at + len));
        at += len + 1;
    }
    return made;
}

/* Within a partition, in the order of the lower bounds, each upper bound is compared with the next lower one; a NULL
 * bound fails the test. */
static void take_ranges(testing *t) {
    str lower = argument(t, STR("lower_bound_column")), upper = argument(t, STR("upper_bound_column"));
    str gaps = argument(t, STR("gaps"));
    size_t count;
    if (str_is_none(lower) || str_is_none(upper)) return;
    const dbt_name *within = partition(t, &count);
    const dbt_name *bound[] = {dbt_column_named(t->draft, t->on->relation, lower),
                               dbt_column_named(t->draft, t->on->relation, upper)};
    t->base.kind = DBT_RANGES;
    dbt_fact *f = dbt_add_fact(t->draft, t->on, t->base, within, count);
    f->ranges.lower = *bound[0];
    f->ranges.upper = *bound[1];
    f->ranges.may_be_empty = tree_is_true(tree_get(t->kwargs, STR("zero_length_range_allowed")));
    f->ranges.may_touch = !str_eq(gaps, STR("required")) && !str_eq(gaps, STR("consecutive_dates"));
    for (size_t i = 0; i < 2; i++) add(t, DBT_NOT_NULL, false, bound[i], 1);
}

static void add_check(testing *t, str expression) {
    const dbt_name *column = tested_column(t);
    t->base.kind = DBT_CHECK;
    dbt_fact *f = dbt_add_fact(t->draft, t->on, t->base, column, column != NULL);
    f->check.expression = expression;
}

/* With a column the test is `column expression`. */
static void take_expression(testing *t) {
    str text = argument(t, STR("expression")), column = t->test->column_name;
    if (str_is_none(text) || is_jinja(text)) return;
    narrow(t, argument(t, STR("condition"))); /* of old versions of the package */
    add_check(t, str_is_none(column) ? kept(t, text)
                                     : str_format(t->draft->keep, STR_FMT " " STR_FMT, STR_ARG(column), STR_ARG(text)));
}

static void take_accepted_range(testing *t) {
    str column = t->test->column_name;
    str low = tree_scalar(tree_get(t->kwargs, STR("min_value"))),
        high = tree_scalar(tree_get(t->kwargs, STR("max_value")));
    const tree *inclusive = tree_get(t->kwargs, STR("inclusive"));
    const char *equal = inclusive && inclusive->kind == TREE_FALSE ? "" : "=";
    if (str_is_none(column) || is_jinja(low) || is_jinja(high)) return;
    if (!str_is_none(low))
        add_check(t, str_format(t->draft->keep, STR_FMT " >%s " STR_FMT, STR_ARG(column), equal, STR_ARG(low)));
    if (!str_is_none(high))
        add_check(t, str_format(t->draft->keep, STR_FMT " <%s " STR_FMT, STR_ARG(column), equal, STR_ARG(high)));
}

static const struct {
    str space, name;
    void (*take)(testing *t);
} known[] = {
#define TEST(space, name, maker) {{space, sizeof(space) - 1}, {name, sizeof(name) - 1}, take_##maker},
#include "dbt/test.def"
#undef TEST
};

/* ---- how much a test is worth ---- */

/* "!= 0", and what says the same of a count. */
static bool means_any(str condition) {
    static const char *const same[] = {"!=0", ">0", ">=1", "<>0"};
    char text[8];
    size_t len = 0;
    if (str_is_none(condition)) return true;
    for (size_t i = 0; i < condition.len; i++) {
        if (condition.ptr[i] == ' ') continue;
        if (len == sizeof text) return false;
        text[len++] = condition.ptr[i];
    }
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (str_eq((str){text, len}, str_from(same[i]))) return true;
    return false;
}

/* A test that fails from some number of rows on, and warns of a single one, says what one of severity warn says. */
static bool only_warns(const tree *config) {
    str error_if = tree_string(tree_get(config, STR("error_if"))), warn_if = tree_string(tree_get(config, STR("warn_if")));
    return !means_any(error_if) && !str_is_none(warn_if) && means_any(warn_if);
}

/* Of a test that may return so many rows and no more, one row still fails it; none does not. */
static bool is_zero(const tree *limit) {
    int64_t n;
    return limit && (!str_to_int64(limit->text, &n) || n <= 0);
}

static str test_kind(const testing *t) {
    return tree_string(tree_get(t->test->metadata, STR("name")));
}

/* A project or a package may write a macro test_unique of its own, which then counts instead of dbt's, and may leave
 * out what it likes. */
static bool is_overridden(const testing *t) {
    if (!str_is_none(tree_string(tree_get(t->test->metadata, STR("namespace"))))) return false;
    str name = str_format(t->draft->working, ".test_" STR_FMT, STR_ARG(test_kind(t)));
    bool has_other = false;
    for (size_t i = 0; i < t->test->macro_count; i++) {
        str macro = t->test->macro[i];
        if (!str_ends_with(macro, name)) continue;
        if (str_starts_with(macro, STR("macro.dbt."))) return false;
        has_other = true;
    }
    return has_other;
}

/* A test of severity error fails by error_if, one of severity warn warns by warn_if. */
static str weakness(const testing *t) {
    const tree *config = t->test->config;
    arena *keep = t->draft->keep;
    str key = t->base.trust == DBT_TEST_WARNS ? STR("warn_if") : STR("error_if");
    str fails_if = tree_string(tree_get(config, key)), fail_calc = tree_string(tree_get(config, STR("fail_calc")));
    if (!means_any(fails_if)) return str_format(keep, STR_FMT " is \"" STR_FMT "\"", STR_ARG(key), STR_ARG(fails_if));
    if (!str_is_none(fail_calc) && !str_eq(fail_calc, STR("count(*)")))
        return str_format(keep, "fail_calc is \"" STR_FMT "\"", STR_ARG(fail_calc));
    if (is_zero(tree_get(config, STR("limit")))) return STR("limit is 0");
    if (is_overridden(t)) return str_format(keep, "the macro test_" STR_FMT " is not that of dbt", STR_ARG(test_kind(t)));
    str status = t->base.last_status;
    if (str_is_none(status) || str_eq(status, STR("pass")) || str_eq(status, STR("success"))) return STR_NONE;
    return str_format(keep, "its last run ended with \"" STR_FMT "\"", STR_ARG(status));
}

static void weigh(testing *t) {
    const tree *config = t->test->config;
    str severity = tree_string(tree_get(config, STR("severity")));
    const str *status = map_get(&t->draft->last_status, t->test->unique_id);
    t->base = (dbt_fact){
        .from = DBT_FROM_TEST,
        .trust = str_eq_nocase(severity, STR("warn")) || only_warns(config) ? DBT_TEST_WARNS : DBT_TEST_FAILS,
        .origin = str_format(t->draft->keep, "dbt test " STR_FMT, STR_ARG(t->test->name)),
        .file = kept(t, t->test->file),
        .test_id = kept(t, t->test->unique_id),
        .last_status = status ? *status : STR_NONE,
    };
    t->base.weak_reason = weakness(t);
    narrow(t, tree_string(tree_get(config, STR("where"))));
    narrow(t, argument(t, STR("row_condition")));
}

/* ---- which relation is tested ---- */

/* attached_node, but tests of sources have none: then it is the one relation that the test depends on, or, of several,
 * the one that the argument `model` names. */
static size_t tested_relation(const testing *t) {
    const dbt_project *p = t->draft->project;
    const test_draft *test = t->test;
    dbt_target target;
    str model = argument(t, STR("model"));
    size_t found = DBT_NO_RELATION, only = DBT_NO_RELATION, count = 0, named = 0;
    if (!str_is_none(test->attached_node)) return dbt_find_id(p, test->attached_node);
    bool is_target = dbt_parse_target(model, &target) && target.is_call;
    for (size_t i = 0; i < test->depends_count; i++) {
        size_t at = dbt_find_id(p, test->depends_on[i]);
        if (at == DBT_NO_RELATION) continue;
        count++, only = at;
        if (is_target && dbt_fits_target(&p->relation[at], &target)) named++, found = at;
    }
    if (named == 1) return found;
    if (count == 1) return only;
    return is_target ? dbt_resolve(p, model, test->package) : DBT_NO_RELATION;
}

/* The row of test.def; -1 for none. */
static int row_of(const tree *metadata) {
    str name = tree_string(tree_get(metadata, STR("name"))), space = tree_string(tree_get(metadata, STR("namespace")));
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_eq(known[i].name, name) && (str_eq(known[i].space, STR("*")) || str_eq(known[i].space, space)))
            return (int)i;
    return -1;
}

bool dbt_is_known_test(const tree *metadata) {
    return row_of(metadata) >= 0;
}

static void take_test(draft *d, const test_draft *test) {
    testing t = {.draft = d, .test = test, .kwargs = tree_get(test->metadata, STR("kwargs"))};
    size_t on = tested_relation(&t);
    if (on == DBT_NO_RELATION) return; /* of a node that is disabled, or is no relation */
    t.on = draft_of(d, on);
    weigh(&t);
    known[row_of(test->metadata)].take(&t);
}

void dbt_test_facts(draft *d) {
    for (size_t i = 0; i < d->test_count; i++) take_test(d, &d->test[i]);
}
