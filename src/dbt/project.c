/* project.c - put a project together: files, then drafts, then relations that know each other.
 * Called by: grain, api, report.  Must not know: the members of a manifest.
 */
#include "dbt/project.h"

#include "dbt/artifact.h"
#include "dbt/dbt_int.h"
#include "dbt/fact.h"
#include "dbt/find_project.h"
#include "dbt/graph.h"
#include "dbt/lookup.h"
#include "dbt/packed.h"

/* ---- files ---- */

static lp_status read_file(void *context, uint64_t offset, void *into, size_t size, lp_err *err) {
    return store_read(context, offset, into, size, err);
}

static lp_status open_bytes(arena *owner, store *folder, str file, str name, dbt_bytes *out, lp_err *err) {
    store_file *f;
    TRY(store_open_file(folder, owner, file, &f, err));
    *out = (dbt_bytes){.read = read_file, .context = f, .size_bytes = store_file_size(f), .name = name};
    return LP_OK;
}

/* ---- putting together ---- */

static void number_relations(draft *d, dbt_relation *all) {
    for (size_t i = 0; i < d->node_count + d->source_count; i++) {
        relation_draft *from = i < d->node_count ? &d->node[i] : &d->source[i - d->node_count];
        all[i] = *from->relation;
        all[i].index = i;
        from->relation = &all[i];
        d->project->count[all[i].resource]++;
    }
}

static void mark_compiled(draft *d, dbt_relation *r) {
    dbt_project *p = d->project;
    r->is_compiled = r->compiled_code.exists || dbt_has_compiled_file(p, r, d->working);
    if ((r->resource != DBT_MODEL && r->resource != DBT_SNAPSHOT) || r->is_python) return;
    p->sql_model_count++;
    p->compiled_count += r->is_compiled;
}

/* ---- opening ---- */

typedef struct inputs {
    dbt_bytes manifest, catalog, run_results; /* read is NULL where there is none */
    located place;
} inputs;

static void add_facts(draft *d, dbt_relation *all, size_t count) {
    dbt_meta_facts(d);
    dbt_constraint_facts(d);
    dbt_test_facts(d);
    dbt_guess_facts(d);
    dbt_finish_facts(d, all, count);
}

static void tell_what_is_missing(draft *d) {
    const dbt_project *p = d->project;
    if (p->sql_model_count && !p->compiled_count)
        dbt_note_that(
            d, DBT_NO_RELATION,
            "the manifest has no compiled SQL, as after `dbt parse`: run `dbt compile`, and models can be looked into");
}

static lp_status assemble(draft *d, const inputs *in, lp_err *err) {
    dbt_project *p = d->project;
    size_t count = d->node_count + d->source_count;
    dbt_relation *all = ARENA_ARRAY(d->keep, dbt_relation, count);
    number_relations(d, all);
    p->relation = all;
    p->relation_count = count;
    if (str_is_none(p->name) && count) p->name = all[0].package;
    dbt_index_relations(d, all, count);
    TRY(dbt_link(d, all, count, err));
    if (in->catalog.read) TRY(dbt_read_catalog(d, all, &in->catalog, err));
    if (in->run_results.read) TRY(dbt_read_run_results(d, &in->run_results, err));
    for (size_t i = 0; i < count; i++) mark_compiled(d, &all[i]);
    add_facts(d, all, count);
    tell_what_is_missing(d);
    p->note = d->note;
    p->note_count = d->note_count;
    return LP_OK;
}

static lp_status build(draft *d, const inputs *in, lp_err *err) {
    dbt_project *p = d->project;
    map_init(&d->last_status, d->working);
    p->manifest_name = in->manifest.name;
    p->hidden = ARENA_NEW(d->keep, dbt_hidden);
    p->hidden->manifest = in->manifest;
    p->hidden->target = in->place.target;
    p->hidden->root = in->place.root;
    p->target = in->place.target ? store_root(in->place.target) : STR_NONE;
    p->root = in->place.root ? store_root(in->place.root) : STR_NONE;
    TRY(dbt_read_manifest(d, &in->manifest, err));
    return assemble(d, in, err);
}

static lp_status open_inputs(arena *owner, const inputs *in, dbt_project **out, lp_err *err) {
    draft d = {.keep = owner, .working = arena_child(owner), .project = ARENA_NEW(owner, dbt_project)};
    lp_status status = build(&d, in, err);
    arena_end(d.working);
    if (status == LP_OK) *out = d.project;
    return status;
}

/* A file beside the manifest, if it is there. */
static lp_status open_beside(arena *owner, const located *place, str file, dbt_bytes *out, lp_err *err) {
    uint64_t size;
    if (store_look(place->target, owner, file, &size) != STORE_FILE) return LP_OK;
    str folder = str_slice(place->name, 0, place->name.len - place->file.len);
    str name = str_format(owner, STR_FMT STR_FMT, STR_ARG(folder), STR_ARG(file));
    return open_bytes(owner, place->target, file, name, out, err);
}

lp_status dbt_open(arena *owner, str place, dbt_project **out, lp_err *err) {
    inputs in = {0};
    *out = NULL;
    TRY(dbt_locate(owner, place, &in.place, err));
    TRY(open_bytes(owner, in.place.target, in.place.file, in.place.name, &in.manifest, err));
    if (str_ends_with(in.place.file, STR(".gz"))) {
        dbt_bytes packed = in.manifest;
        TRY(dbt_unpack(owner, &packed, &in.manifest, err));
    }
    TRY(open_beside(owner, &in.place, STR("catalog.json"), &in.catalog, err));
    TRY(open_beside(owner, &in.place, STR("run_results.json"), &in.run_results, err));
    return open_inputs(owner, &in, out, err);
}

lp_status dbt_open_texts(arena *owner, dbt_texts texts, dbt_project **out, lp_err *err) {
    inputs in = {.manifest = dbt_bytes_of_text(owner, texts.manifest, STR("manifest.json"))};
    if (!str_is_none(texts.catalog)) in.catalog = dbt_bytes_of_text(owner, texts.catalog, STR("catalog.json"));
    if (!str_is_none(texts.run_results))
        in.run_results = dbt_bytes_of_text(owner, texts.run_results, STR("run_results.json"));
    in.manifest.piece_bytes = in.catalog.piece_bytes = in.run_results.piece_bytes = texts.piece_bytes;
    *out = NULL;
    return open_inputs(owner, &in, out, err);
}

/* ---- words ---- */

const char *dbt_fact_kind_name(dbt_fact_kind kind) {
    static const char *const name[] = {"key", "not null", "reference", "accepted values", "ranges", "check"};
    return name[kind];
}

const char *dbt_trust_name(dbt_trust trust) {
    static const char *const name[] = {"guess", "declared", "test of severity warn", "test", "enforced"};
    return name[trust];
}

const char *dbt_resource_name(dbt_resource resource) {
    static const char *const name[] = {"model", "seed", "snapshot", "source"};
    return name[resource];
}
