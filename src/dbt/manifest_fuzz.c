/* manifest_fuzz.c - any text is a project or is refused with a message, and a project is whole, in pieces of any size.
 * Called by: libFuzzer, tests/fuzz/replay_main.c.  Must not know: what a project should say.
 *
 * Lines `--` split manifest, catalog, run results, and a selection with a name to resolve.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/door.h"
#include "dbt/project.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                            \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* What is the same however the text is read. */
typedef struct summary {
    lp_status status;
    char text[2048];
    size_t relations, facts, columns, notes, compiled_bytes;
} summary;

typedef struct job {
    arena memory;
    dbt_texts texts;
    str select;
    summary found;
} job;

static bool is_relation(const dbt_project *p, size_t at) {
    return at < p->relation_count;
}

static void check_names(const dbt_name *name, size_t count) {
    for (size_t i = 0; i < count; i++) MUST(name[i].text.ptr || name[i].text.len == 0);
}

static void check_fact(const dbt_project *p, const dbt_fact *f) {
    check_names(f->column, f->column_count);
    MUST(f->origin.len > 0 && f->trust <= DBT_ENFORCED);
    MUST(!f->is_usable || (f->trust > DBT_GUESS && str_is_none(f->condition) && str_is_none(f->weak_reason)));
    if (f->kind == DBT_KEY || f->kind == DBT_REFERENCE) MUST(f->column_count > 0);
    if (f->kind == DBT_NOT_NULL || f->kind == DBT_ACCEPTED_VALUES) MUST(f->column_count == 1);
    if (f->kind != DBT_REFERENCE) return;
    MUST(f->reference.to == DBT_NO_RELATION || is_relation(p, f->reference.to));
    MUST(f->reference.to_count == 0 || f->reference.to_count == f->column_count);
    check_names(f->reference.to_column, f->reference.to_count);
}

static void check_relation(const dbt_project *p, const dbt_relation *r, summary *found) {
    MUST(dbt_find_id(p, r->unique_id) != DBT_NO_RELATION);
    MUST(r->closed_count <= r->column_count);
    for (size_t i = 0; i < r->parent_count; i++) MUST(is_relation(p, r->parent[i]));
    for (size_t i = 0; i < r->child_count; i++) MUST(is_relation(p, r->child[i]));
    for (size_t i = 0; i < r->fact_count; i++) check_fact(p, &r->fact[i]);
    found->facts += r->fact_count;
    found->columns += r->column_count;
}

static void check_order(const dbt_project *p, arena *memory) {
    size_t *place = ARENA_ARRAY(memory, size_t, p->relation_count);
    for (size_t i = 0; i < p->relation_count; i++) place[p->order[i]] = i + 1;
    for (size_t i = 0; i < p->relation_count; i++) {
        MUST(place[i] > 0);
        for (size_t j = 0; j < p->relation[i].parent_count; j++) MUST(place[p->relation[i].parent[j]] < place[i]);
    }
}

static lp_status body(void *context, lp_err *err) {
    job *j = context;
    dbt_project *p;
    dbt_choice choice;
    TRY(dbt_open_texts(&j->memory, j->texts, &p, err));
    j->found.relations = p->relation_count;
    j->found.notes = p->note_count;
    check_order(p, &j->memory);
    for (size_t i = 0; i < p->relation_count; i++) {
        const dbt_relation *r = &p->relation[i];
        str code;
        check_relation(p, r, &j->found);
        if (!r->is_compiled) continue;
        TRY(dbt_read_compiled(p, r, &j->memory, &code, err));
        MUST(str_is_utf8(code));
        j->found.compiled_bytes += code.len;
    }
    (void)dbt_resolve(p, j->select, STR_NONE);
    (void)dbt_ephemeral_of(p, NULL, j->select);
    dbt_select_files(p, &j->select, 1, &j->memory, &choice);
    TRY(dbt_select(p, &j->select, 1, &j->select, 1, &j->memory, &choice, err));
    MUST(choice.chosen_count == 0); /* what is chosen is left out again */
    return LP_OK;
}

static summary run(job *j, size_t piece_bytes) {
    lp_err err = {0};
    j->found = (summary){0};
    j->texts.piece_bytes = piece_bytes;
    arena_init(&j->memory, 0);
    j->found.status = door_run(body, j, &err);
    if (j->found.status != LP_OK) {
        MUST(err.text[0] != '\0' && str_is_utf8(str_from(err.text)));
        memcpy(j->found.text, err.text, sizeof err.text);
    }
    arena_end(&j->memory);
    return j->found;
}

/* The text up to the next line `--`; *rest is what follows. */
static str cut(str *rest) {
    for (size_t at = 0; at + 4 <= rest->len; at++) {
        if (memcmp(rest->ptr + at, "\n--\n", 4) != 0) continue;
        str head = str_slice(*rest, 0, at);
        *rest = str_slice(*rest, at + 4, rest->len);
        return head;
    }
    str all = *rest;
    *rest = STR_NONE;
    return all;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    str rest = {(const char *)data, size};
    if (size == 0 || size > (1u << 20)) return 0;
    job j = {.texts.manifest = cut(&rest)};
    j.texts.catalog = cut(&rest);
    j.texts.run_results = cut(&rest);
    j.select = rest;
    summary whole = run(&j, 0), pieces = run(&j, 1 + data[size - 1] % 37);
    MUST(whole.status == pieces.status && strcmp(whole.text, pieces.text) == 0);
    MUST(whole.relations == pieces.relations && whole.facts == pieces.facts && whole.columns == pieces.columns);
    MUST(whole.notes == pieces.notes && whole.compiled_bytes == pieces.compiled_bytes);
    return 0;
}
