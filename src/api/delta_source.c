/* delta_source.c - what the log of a Delta table tells of a relation of a dbt project.
 * Called by: the sources of this room that answer about dbt projects.  Must not know: what is asked, how facts are used.
 * Source: PROTOCOL.md: Per-file Statistics, Partition Value Serialization, Schema Serialization Format.
 *
 * The live files are counted as they come by; what is kept is one answer a column. A null count counts rows that a deletion
 * vector hides too, so it is no less than the number of NULLs, and 0 is 0.
 */
#include "api/delta_source.h"

#include "api/table_catalog.h"
#include "delta/scan.h"
#include "delta/snapshot.h"

enum {
    THREADS = 2,
    MEASURED_MAX = 4096 /* columns; what is behind them is not measured */
};

/* What all files seen so far say. Columns by their place in the request. */
typedef struct log_fold {
    uint64_t files;
    bool *may_be_null;           /* of data columns */
    bool *partition_may_be_null; /* of partition columns */
    bool *differs;               /* they have several values, or a NULL */
    str *value;                  /* the first one, as in the log */
} log_fold;

typedef struct measuring {
    const snapshot *s;
    arena *owner;
    stats_column *wanted;
    size_t wanted_count;
    size_t partition_count;
    log_fold total;
} measuring;

typedef struct item_state {
    arena *scratch;
    log_fold seen;
} item_state;

static log_fold fold_new(arena *owner, const measuring *m) {
    return (log_fold){.may_be_null = ARENA_ARRAY(owner, bool, m->wanted_count + 1),
                      .partition_may_be_null = ARENA_ARRAY(owner, bool, m->partition_count + 1),
                      .differs = ARENA_ARRAY(owner, bool, m->partition_count + 1),
                      .value = ARENA_ARRAY(owner, str, m->partition_count + 1)};
}

/* ---- the files ---- */

static void *begin_item(void *context, arena *scratch) {
    item_state *i = ARENA_NEW(scratch, item_state);
    *i = (item_state){scratch, fold_new(scratch, context)};
    return i;
}

static void select_files(void *context, void *state, file_batch *batch) {
    const measuring *m = context;
    (void)state;
    for (size_t i = 0; i < batch->count; i++) batch->file[i].want_stats = m->wanted_count > 0;
}

static bool has_no_null(const file_stats *s, size_t at) {
    if (!s->has_stats || !s->column || !s->record_count_known) return false;
    return s->column[at].null_count_state == COUNT_KNOWN && s->column[at].null_count == 0;
}

/* Texts that are equal are one value, whoever reads them; others may be one too. */
static void take_partition(item_state *i, size_t at, const partition_cell *cell) {
    log_fold *f = &i->seen;
    if (cell->state != CELL_VALUE || cell->may_be_null) {
        f->partition_may_be_null[at] = f->differs[at] = true;
        return;
    }
    if (f->differs[at]) return;
    if (str_is_none(f->value[at])) f->value[at] = str_copy(i->scratch, cell->text);
    f->differs[at] = !str_eq(f->value[at], cell->text);
}

static lp_status take_batch(void *context, void *state, const file_batch *batch, lp_err *err) {
    const measuring *m = context;
    item_state *i = state;
    (void)err;
    for (size_t at = 0; at < batch->count; at++) {
        const live_file *file = &batch->file[at];
        for (size_t c = 0; c < m->wanted_count; c++) i->seen.may_be_null[c] |= !has_no_null(&file->stats, c);
        for (size_t c = 0; c < m->partition_count; c++) take_partition(i, c, &file->partition[c]);
        i->seen.files++;
    }
    return LP_OK;
}

static lp_status merge_item(void *context, void *state, lp_err *err) {
    measuring *m = context;
    const log_fold *from = &((const item_state *)state)->seen;
    log_fold *to = &m->total;
    (void)err;
    for (size_t c = 0; c < m->wanted_count; c++) to->may_be_null[c] |= from->may_be_null[c];
    for (size_t c = 0; c < m->partition_count && from->files; c++) {
        to->partition_may_be_null[c] |= from->partition_may_be_null[c];
        to->differs[c] |= from->differs[c];
        if (to->differs[c]) continue;
        if (str_is_none(to->value[c])) to->value[c] = str_copy(m->owner, from->value[c]);
        to->differs[c] = !str_eq(to->value[c], from->value[c]);
    }
    to->files += from->files;
    return LP_OK;
}

/* Of arrays and maps writers count differently. */
static bool is_counted(const column *c) {
    return c->partition_index < 0 && c->nullable && c->type.kind <= TYPE_TIMESTAMP_NTZ;
}

static void choose_columns(measuring *m) {
    const schema *s = &m->s->schema;
    size_t limit = s->top_count < MEASURED_MAX ? s->top_count : MEASURED_MAX;
    m->wanted = ARENA_ARRAY(m->owner, stats_column, limit + 1);
    for (size_t i = 0; i < limit; i++)
        if (is_counted(&s->top[i])) m->wanted[m->wanted_count++] = (stats_column){.column = &s->top[i], .want_null_count = true};
    m->partition_count = s->partition_count < MEASURED_MAX ? s->partition_count : MEASURED_MAX;
}

/* A scan that met damage is asked again: the snapshot is another one then. */
static lp_status measure(snapshot *s, pool *workers, arena *owner, measuring *m, lp_err *err) {
    lp_status status;
    do {
        *m = (measuring){.s = s, .owner = owner};
        choose_columns(m);
        m->total = fold_new(owner, m);
        scan_request request = {.want_record_count = m->wanted_count > 0,
                                .partition = s->schema.partition,
                                .partition_count = m->partition_count,
                                .stats = m->wanted,
                                .stats_count = m->wanted_count,
                                .session_zone = zone_utc()};
        scan_visitor visitor = {m, begin_item, select_files, take_batch, merge_item};
        scan_counters unused = {0};
        status = snapshot_scan(s, &request, workers, &visitor, &unused, err);
    } while (status == SCAN_AGAIN);
    return status;
}

/* ---- declarations ---- */

typedef struct telling {
    const delta_looker *looker;
    const dbt_relation *r;
    int64_t version;
    str relation;
    const declaration **item;
    size_t count;
} telling;

static void declare(telling *t, const column *c, declaration_kind kind, declaration_trust trust, const char *origin) {
    arena *owner = t->looker->owner;
    declaration *d = ARENA_NEW(owner, declaration);
    str *name = ARENA_NEW(owner, str);
    *name = str_copy(owner, c->name);
    *d = (declaration){.kind = kind, .column = name, .column_count = 1, .is_usable = true, .trust = trust,
                       .relation = t->relation, .place = t->r->delta_path, .tested_by = STR(""), .weakness = STR(""),
                       .condition = STR(""), .guess = STR("")};
    d->origin = str_format(owner, "%s at version %lld", origin, (long long)t->version);
    t->item[t->count++] = d;
}

static void declare_measured(telling *t, const measuring *m) {
    for (size_t i = 0; i < m->wanted_count; i++)
        if (!m->total.may_be_null[i])
            declare(t, m->wanted[i].column, DECLARED_NOT_NULL, TRUST_MEASURED, "null count 0 in the log");
    for (size_t i = 0; i < m->partition_count; i++) {
        const column *c = m->s->schema.partition[i];
        if (c->nullable && !m->total.partition_may_be_null[i])
            declare(t, c, DECLARED_NOT_NULL, TRUST_MEASURED, "no NULL among the partition values in the log");
        if (!m->total.differs[i]) declare(t, c, DECLARED_CONSTANT, TRUST_MEASURED, "one partition value in the log");
    }
}

static declaration_list declare_all(const delta_looker *looker, const dbt_relation *r, const measuring *m) {
    const schema *s = &m->s->schema;
    telling t = {.looker = looker, .r = r, .version = m->s->version, .relation = dbt_display_name(looker->owner, r)};
    t.item = ARENA_ARRAY(looker->owner, const declaration *, 2 * s->top_count + 2 * s->partition_count + 1);
    for (size_t i = 0; i < s->top_count && i < MEASURED_MAX; i++)
        if (!s->top[i].nullable) declare(&t, &s->top[i], DECLARED_NOT_NULL, TRUST_ENFORCED, "NOT NULL of the Delta schema");
    if (m->total.files) declare_measured(&t, m);
    return (declaration_list){t.item, t.count};
}

/* ---- columns ---- */

/* A type is told where the same word means the same: an instant is `timestamp` in Delta and in Spark alone, and texts that
 * do not compare by bytes are not what `string` is taken for. */
static bool is_same_type(const delta_looker *looker, const column *c) {
    bool is_spark = looker->dialect == DIALECT_spark || looker->dialect == DIALECT_databricks;
    return !c->type.collated && (is_spark || c->type.kind != TYPE_TIMESTAMP);
}

static void take_columns(const delta_looker *looker, const schema *s, arena *memory, grain_extra *out) {
    catalog_relation of = table_catalog_relation(memory, STR(""), s);
    catalog_column *list = ARENA_ARRAY(looker->owner, catalog_column, of.column_count + 1);
    for (size_t i = 0; i < of.column_count; i++) {
        list[i] = of.column[i];
        list[i].name = str_copy(looker->owner, of.column[i].name);
        list[i].type = is_same_type(looker, &s->top[i]) ? str_copy(looker->owner, of.column[i].type) : STR("");
    }
    out->column = list;
    out->column_count = of.column_count;
}

/* ---- the table ---- */

/* "s3://bucket/x", "dbfs:/x": the store says what it can open. */
static bool is_uri(str path) {
    for (size_t i = 0; i + 1 < path.len; i++)
        if (path.ptr[i] == ':' && path.ptr[i + 1] == '/') return true;
    return false;
}

static lp_status find_table(const delta_looker *looker, const dbt_relation *r, arena *memory, str *location, lp_err *err) {
    str path = r->delta_path;
    *location = path;
    if (is_uri(path) || path.ptr[0] == '/') return LP_OK;
    if (str_is_none(looker->project->root))
        return err_set(err, LP_ERR_NOT_FOUND, "it is relative to the root of the project, and no dbt_project.yml was found");
    *location = str_format(memory, STR_FMT "/" STR_FMT, STR_ARG(looker->project->root), STR_ARG(path));
    return LP_OK;
}

/* *is_there is false where there is no log of a Delta table, or a place that cannot be looked at. */
static lp_status read_table(delta_looker *looker, const dbt_relation *r, arena *memory, grain_extra *out, bool *is_there,
                            lp_err *err) {
    str location;
    store *files;
    snapshot *s;
    measuring m;
    *is_there = false;
    TRY(find_table(looker, r, memory, &location, err));
    TRY(store_open(memory, location, &files, err));
    lp_status status = snapshot_open(memory, files, (snapshot_options){0}, looker->workers, &s, err);
    *is_there = status != LP_ERR_NOT_FOUND;
    TRY(status);
    TRY(measure(s, looker->workers, memory, &m, err));
    out->declared = declare_all(looker, r, &m);
    take_columns(looker, &s->schema, memory, out);
    return LP_OK;
}

lp_status delta_look(void *context, const dbt_relation *r, grain_extra *out, lp_err *err) {
    delta_looker *looker = context;
    arena *memory = arena_child(looker->owner);
    lp_err why = {0};
    bool is_there;
    (void)err;
    *out = (grain_extra){0};
    if (!looker->workers) looker->workers = pool_new(looker->owner, THREADS);
    lp_status status = read_table(looker, r, memory, out, &is_there, &why);
    pool_forget(looker->workers);
    arena_end(memory);
    if (status != LP_OK && looker->tell && (is_there || r->is_surely_delta))
        looker->tell(looker->context, r,
                     str_format(looker->owner, "nothing is taken from the Delta table '" STR_FMT "' (" STR_FMT "): %s",
                                STR_ARG(r->delta_path), STR_ARG(r->delta_from), why.text));
    return LP_OK;
}

void delta_look_with(delta_looker *looker, grain_options *how) {
    how->look = delta_look;
    how->look_context = looker;
}
