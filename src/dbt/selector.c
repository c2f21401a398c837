/* selector.c - dbt's selection syntax over the relations of a project.
 * Called by: api.  Must not know: facts.
 * Source: dbt's documentation of node selection: syntax, graph operators, set operators, methods.
 */
#include "base/str.h"
#include "dbt/dbt_int.h"

typedef enum method { BY_FQN, BY_PATH, BY_FILE, BY_TAG, BY_SOURCE, BY_RESOURCE, BY_PACKAGE, BY_CONFIG } method;

static const struct {
    str name;
    method method;
} methods[] = {
    {{"fqn", 3}, BY_FQN},         {{"path", 4}, BY_PATH},     {{"file", 4}, BY_FILE},
    {{"tag", 3}, BY_TAG},         {{"source", 6}, BY_SOURCE}, {{"resource_type", 13}, BY_RESOURCE},
    {{"package", 7}, BY_PACKAGE},
};

/* One definition taken apart. Steps are SIZE_MAX for all the way. */
typedef struct definition {
    str text; /* whole, for messages */
    bool parents, children, at;
    size_t parent_steps, child_steps;
    method method;
    str config; /* BY_CONFIG: what stands behind `config.` */
    str value;
} definition;

typedef struct selecting {
    const dbt_project *project;
    arena *scratch;
    str unmatched;
} selecting;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool has_char(str s, char c) {
    size_t at;
    return str_find_char(s, c, &at);
}

/* ---- wildcards ---- */

/* Whether `c` is in the set whose inside starts at pattern[*at]; *at is then behind the `]`. An unclosed `[` is itself.
 */
static bool take_set(str pattern, size_t *at, char c) {
    size_t i = *at;
    bool not_in = i < pattern.len && (pattern.ptr[i] == '!' || pattern.ptr[i] == '^'), found = false;
    i += not_in;
    for (size_t first = i; i < pattern.len && (pattern.ptr[i] != ']' || i == first); i++) {
        char low = pattern.ptr[i], high = low;
        if (i + 2 < pattern.len && pattern.ptr[i + 1] == '-' && pattern.ptr[i + 2] != ']') {
            high = pattern.ptr[i + 2];
            i += 2;
        }
        found |= (unsigned char)low <= (unsigned char)c && (unsigned char)c <= (unsigned char)high;
    }
    if (i == pattern.len) return c == '[';
    *at = i + 1;
    return found != not_in;
}

/* As Python's fnmatch: * any text, ? one character, [a-z] [!a] sets. Linear but for one way back, to the last star. */
static bool fits(str pattern, str text) {
    size_t p = 0, t = 0, star = SIZE_MAX, resume = 0;
    while (t < text.len) {
        bool one = false;
        size_t next = p;
        if (p < pattern.len && pattern.ptr[p] == '*') {
            star = p++;
            resume = t;
            continue;
        }
        if (p < pattern.len) {
            next = p + 1;
            one = pattern.ptr[p] == '?' ||
                  (pattern.ptr[p] == '[' ? take_set(pattern, &next, text.ptr[t]) : pattern.ptr[p] == text.ptr[t]);
        }
        if (one) {
            p = next;
            t++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.ptr[p] == '*') p++;
    return p == pattern.len;
}

static bool has_wildcard(str s) {
    return has_char(s, '*') || has_char(s, '?') || has_char(s, '[');
}

/* ---- methods ---- */

/* The parts of a dotted value against the front of an fqn; a star takes the rest. The last part of the value may be the
 * name. */
static bool fits_fqn(const dbt_relation *r, str value) {
    if (fits(value, r->name) || (!str_is_none(r->version) && r->fqn_count && fits(value, r->fqn[r->fqn_count - 1])))
        return true;
    for (size_t skip = 0; skip < 2; skip++) { /* with the package and without it */
        size_t at = 0, part = skip;
        bool good = true;
        for (; good && at <= value.len && part < r->fqn_count; part++) {
            size_t len = value.len - at;
            (void)str_find_char(str_slice(value, at, value.len), '.', &len);
            str wanted = str_slice(value, at, at + len);
            if (str_eq(wanted, STR("*")) && at + len == value.len) return true;
            good = fits(wanted, r->fqn[part]);
            at += len + 1;
        }
        if (good && at > value.len) return true;
    }
    return false;
}

/* A folder, a file, or a pattern of them, relative to the project. */
static bool fits_path(str path, str value) {
    if (str_is_none(path)) return false;
    while (str_starts_with(value, STR("./"))) value = str_slice(value, 2, value.len);
    while (value.len && value.ptr[value.len - 1] == '/') value = str_slice(value, 0, value.len - 1);
    if (value.len == 0 || str_eq(value, STR("."))) return true;
    if (str_eq(path, value)) return true;
    if (str_starts_with(path, value) && path.ptr[value.len] == '/') return true;
    if (!has_wildcard(value)) return false;
    for (size_t end = 0; end <= path.len; end++) /* a pattern may name a folder above */
        if ((end == path.len || path.ptr[end] == '/') && fits(value, str_slice(path, 0, end))) return true;
    return false;
}

static str file_name(str path, bool with_ending) {
    size_t from = path.len, end = path.len;
    while (from > 0 && path.ptr[from - 1] != '/') from--;
    for (size_t i = from; !with_ending && i < path.len; i++)
        if (path.ptr[i] == '.') end = i;
    return str_slice(path, from, end);
}

/* raw, raw.orders, package.raw.orders */
static bool fits_source(const dbt_relation *r, str value) {
    str part[3];
    size_t count = 0, at = 0;
    if (r->resource != DBT_SOURCE) return false;
    while (at <= value.len) {
        size_t len = value.len - at;
        (void)str_find_char(str_slice(value, at, value.len), '.', &len);
        if (count == 3) return false;
        part[count++] = str_slice(value, at, at + len);
        at += len + 1;
    }
    if (count == 1) return fits(part[0], r->source_name);
    if (count == 2) return fits(part[0], r->source_name) && fits(part[1], r->name);
    return fits(part[0], r->package) && fits(part[1], r->source_name) && fits(part[2], r->name);
}

static bool fits_config(const dbt_relation *r, str config, str value) {
    if (str_eq(config, STR("materialized"))) return !str_is_none(r->materialized) && fits(value, r->materialized);
    if (str_eq(config, STR("language"))) return !str_is_none(r->language) && fits(value, r->language);
    if (str_eq(config, STR("schema"))) return !str_is_none(r->schema) && fits(value, r->schema);
    return str_eq_nocase(value, r->has_contract ? STR("true") : STR("false")); /* contract.enforced */
}

static bool fits_definition(const selecting *s, const definition *d, const dbt_relation *r) {
    switch (d->method) {
    case BY_FQN: return fits_fqn(r, d->value);
    case BY_PATH: return fits_path(r->original_file_path, d->value) || fits_path(r->patch_path, d->value);
    case BY_FILE:
        return fits(d->value, file_name(r->original_file_path, true)) ||
               fits(d->value, file_name(r->original_file_path, false));
    case BY_TAG:
        for (size_t i = 0; i < r->tag_count; i++)
            if (fits(d->value, r->tag[i])) return true;
        return false;
    case BY_SOURCE: return fits_source(r, d->value);
    case BY_RESOURCE: return str_eq(d->value, str_from(dbt_resource_name(r->resource)));
    case BY_PACKAGE: return fits(str_eq(d->value, STR("this")) ? s->project->name : d->value, r->package);
    case BY_CONFIG: return fits_config(r, d->config, d->value);
    }
    UNREACHABLE();
}

/* ---- reading a definition ---- */

/* Digits before or behind a plus: how many steps; none: all the way. Too many to count is all the way too. */
static size_t steps(str digits) {
    int64_t n;
    return digits.len && str_to_int64(digits, &n) && (uint64_t)n < SIZE_MAX ? (size_t)n : SIZE_MAX;
}

static str take_parents(str text, definition *d) {
    size_t digits = 0;
    if (text.len && text.ptr[0] == '@') {
        d->at = true;
        return str_slice(text, 1, text.len);
    }
    while (digits < text.len && is_digit(text.ptr[digits])) digits++;
    if (digits == text.len || text.ptr[digits] != '+') return text;
    d->parents = true;
    d->parent_steps = steps(str_slice(text, 0, digits));
    return str_slice(text, digits + 1, text.len);
}

static str take_children(str text, definition *d) {
    size_t from = text.len;
    while (from > 0 && is_digit(text.ptr[from - 1])) from--;
    if (from == 0 || text.ptr[from - 1] != '+') return text;
    d->children = true;
    d->child_steps = steps(str_slice(text, from, text.len));
    return str_slice(text, 0, from - 1);
}

static lp_status unknown_method(const definition *d, str name, lp_err *err) {
    return err_set(
        err, LP_ERR_USAGE,
        "in the selection \"" STR_FMT "\": expected tag, path, file, fqn, source, resource_type, package, "
        "config.materialized, config.language, config.schema or config.contract.enforced before ':', found \"" STR_FMT
        "\"",
        STR_ARG(d->text), STR_ARG(name));
}

static lp_status take_method(str text, definition *d, lp_err *err) {
    size_t colon;
    d->value = text;
    if (!str_find_char(text, ':', &colon)) {
        bool is_path = has_char(text, '/') || str_ends_with(text, STR(".sql")) || str_ends_with(text, STR(".py")) ||
                       str_ends_with(text, STR(".csv")) || str_ends_with(text, STR(".yml"));
        d->method = !is_path ? BY_FQN : has_char(text, '/') ? BY_PATH : BY_FILE;
        return LP_OK;
    }
    str name = str_slice(text, 0, colon);
    d->value = str_slice(text, colon + 1, text.len);
    if (str_starts_with(name, STR("config."))) {
        static const char *const known[] = {"materialized", "language", "schema", "contract.enforced"};
        d->method = BY_CONFIG;
        d->config = str_slice(name, 7, name.len);
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (str_eq(d->config, str_from(known[i]))) return LP_OK;
    }
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (!str_eq(name, methods[i].name)) continue;
        d->method = methods[i].method;
        return LP_OK;
    }
    return unknown_method(d, name, err);
}

static lp_status read_definition(str text, definition *d, lp_err *err) {
    *d = (definition){.text = text};
    text = take_parents(text, d);
    text = take_children(text, d);
    TRY(take_method(text, d, err));
    if (d->at && d->children)
        return err_set(err, LP_ERR_USAGE,
                       "in the selection \"" STR_FMT "\": expected @ or + behind the name, found both",
                       STR_ARG(d->text));
    if (d->value.len == 0)
        return err_set(err, LP_ERR_USAGE, "in the selection \"" STR_FMT "\": expected a name, found none",
                       STR_ARG(d->text));
    if (d->method == BY_RESOURCE) {
        for (dbt_resource r = DBT_MODEL; r <= DBT_SOURCE; r++)
            if (str_eq(d->value, str_from(dbt_resource_name(r)))) return LP_OK;
        return err_set(err, LP_ERR_USAGE,
                       "in the selection \"" STR_FMT "\": expected model, seed, snapshot or source, found \"" STR_FMT
                       "\"",
                       STR_ARG(d->text), STR_ARG(d->value));
    }
    return LP_OK;
}

/* ---- graph operators ---- */

/* Add what can be reached from the marked ones in so many steps: a walk by levels. */
static void spread(const selecting *s, bool *marked, bool upwards, size_t steps_left) {
    const dbt_project *p = s->project;
    size_t *now = ARENA_ARRAY(s->scratch, size_t, p->relation_count), count = 0, done = 0;
    for (size_t i = 0; i < p->relation_count; i++)
        if (marked[i]) now[count++] = i;
    while (done < count && steps_left > 0) {
        size_t level = count;
        for (; done < level; done++) {
            const dbt_relation *r = &p->relation[now[done]];
            const size_t *next = upwards ? r->parent : r->child;
            for (size_t i = 0; i < (upwards ? r->parent_count : r->child_count); i++) {
                if (marked[next[i]]) continue;
                marked[next[i]] = true;
                now[count++] = next[i];
            }
        }
        if (steps_left != SIZE_MAX) steps_left--;
    }
}

static bool *chosen_by(selecting *s, const definition *d) {
    size_t count = s->project->relation_count;
    bool *marked = ARENA_ARRAY(s->scratch, bool, count), *down, any = false;
    for (size_t i = 0; i < count; i++) any |= marked[i] = fits_definition(s, d, &s->project->relation[i]);
    if (!any && str_is_none(s->unmatched)) s->unmatched = d->text;
    down = ARENA_ARRAY(s->scratch, bool, count);
    for (size_t i = 0; i < count; i++) down[i] = marked[i];
    if (d->children) spread(s, down, false, d->child_steps);
    if (d->at) spread(s, down, false, SIZE_MAX);
    if (d->at) spread(s, down, true, SIZE_MAX); /* and the parents of all the children */
    if (d->parents) spread(s, marked, true, d->parent_steps);
    for (size_t i = 0; i < count; i++) marked[i] |= down[i];
    return marked;
}

/* ---- sets ---- */

/* Definitions between commas: what all of them choose, added to `chosen`. */
static lp_status add_intersection(selecting *s, str text, bool *chosen, lp_err *err) {
    bool *all = NULL;
    size_t count = s->project->relation_count;
    for (size_t at = 0; at <= text.len;) {
        size_t len = text.len - at;
        (void)str_find_char(str_slice(text, at, text.len), ',', &len);
        definition d;
        str one = str_slice(text, at, at + len);
        at += len + 1;
        if (one.len == 0) continue; /* "a," is "a" for dbt, too */
        TRY(read_definition(one, &d, err));
        bool *marked = chosen_by(s, &d);
        for (size_t i = 0; all && i < count; i++) marked[i] &= all[i];
        all = marked;
    }
    for (size_t i = 0; all && i < count; i++) chosen[i] |= all[i];
    return LP_OK;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static lp_status add_union(selecting *s, str text, bool *chosen, lp_err *err) {
    for (size_t at = 0; at < text.len;) {
        size_t from = at;
        while (at < text.len && !is_blank(text.ptr[at])) at++;
        if (at > from) TRY(add_intersection(s, str_slice(text, from, at), chosen, err));
        at += at < text.len;
    }
    return LP_OK;
}

lp_status dbt_select(const dbt_project *p, const str *select, size_t select_count, const str *exclude,
                     size_t exclude_count, arena *out, dbt_choice *choice, lp_err *err) {
    selecting s = {.project = p, .scratch = arena_child(out)};
    bool *chosen = ARENA_ARRAY(out, bool, p->relation_count), *left_out = ARENA_ARRAY(out, bool, p->relation_count);
    lp_status status = LP_OK;
    for (size_t i = 0; i < select_count && status == LP_OK; i++) status = add_union(&s, select[i], chosen, err);
    for (size_t i = 0; i < exclude_count && status == LP_OK; i++) status = add_union(&s, exclude[i], left_out, err);
    arena_end(s.scratch);
    TRY(status);
    *choice = (dbt_choice){.chosen = chosen, .unmatched = str_copy(out, s.unmatched)};
    for (size_t i = 0; i < p->relation_count; i++) {
        chosen[i] = (chosen[i] || select_count == 0) && !left_out[i];
        choice->chosen_count += chosen[i];
    }
    return LP_OK;
}

/* ---- files ---- */

/* A changed file is this path below the root: the same, or it ends in it behind a slash. */
static bool names_file(str file, str path) {
    if (str_is_none(path) || path.len == 0) return false;
    while (str_starts_with(file, STR("./"))) file = str_slice(file, 2, file.len);
    if (str_eq(file, path)) return true;
    return file.len > path.len && str_ends_with(file, path) && file.ptr[file.len - path.len - 1] == '/';
}

/* Files of packages stand in dbt_packages/NAME and are not those of the project. */
static bool is_in_package(str file, str package) {
    size_t at;
    const str folder = STR("dbt_packages/");
    for (str rest = file; rest.len >= folder.len; rest = str_slice(rest, at + 1, rest.len)) {
        if (str_starts_with(rest, folder)) {
            rest = str_slice(rest, folder.len, rest.len);
            return str_starts_with(rest, package) && rest.len > package.len && rest.ptr[package.len] == '/';
        }
        if (!str_find_char(rest, '/', &at)) break;
    }
    return false;
}

static bool is_changed(const dbt_project *p, const dbt_relation *r, str file) {
    if (!names_file(file, r->original_file_path) && !names_file(file, r->patch_path)) return false;
    return str_eq(r->package, p->name) || is_in_package(file, r->package);
}

void dbt_select_files(const dbt_project *p, const str *file, size_t file_count, arena *out, dbt_choice *choice) {
    bool *chosen = ARENA_ARRAY(out, bool, p->relation_count);
    *choice = (dbt_choice){.chosen = chosen};
    for (size_t j = 0; j < file_count; j++) {
        bool any = false;
        for (size_t i = 0; i < p->relation_count; i++) {
            if (!is_changed(p, &p->relation[i], file[j])) continue;
            any = true;
            chosen[i] = true;
        }
        if (!any && str_is_none(choice->unmatched)) choice->unmatched = str_copy(out, file[j]);
    }
    for (size_t i = 0; i < p->relation_count; i++) choice->chosen_count += chosen[i];
}
