/* project_dump.c - a dbt project as it was read, as text or JSON, for the comparisons of tests/compare and for golden
 * texts. Called by: tests/compare/dbt_projects.py, by hand.  Must not know: what a right answer is.
 *
 * usage: project_dump text|json PLACE
 */
#include <stdio.h>
#include <string.h>

#include "base/door.h"
#include "dbt/project.h"

typedef struct job {
    arena memory;
    const char *form, *place;
} job;

static lp_status run(void *context, lp_err *err) {
    job *j = context;
    dbt_project *p;
    TRY(dbt_open(&j->memory, str_from(j->place), &p, err));
    printf("relations %zu models %zu seeds %zu snapshots %zu sources %zu tests %zu compiled %zu of %zu\n",
           p->relation_count, p->count[DBT_MODEL], p->count[DBT_SEED], p->count[DBT_SNAPSHOT], p->count[DBT_SOURCE],
           p->test_count, p->compiled_count, p->sql_model_count);
    size_t bytes = 0;
    for (size_t i = 0; i < p->relation_count; i++) {
        str code;
        if (!p->relation[i].is_compiled) continue;
        TRY(dbt_read_compiled(p, &p->relation[i], &j->memory, &code, err));
        bytes += code.len;
    }
    printf("compiled bytes %zu\n", bytes);
    return LP_OK;
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    job j = {.form = argv[1], .place = argv[2]};
    lp_err err;
    arena_init(&j.memory, 0);
    bool failed = door_run(run, &j, &err) != LP_OK;
    if (failed) fprintf(stderr, "%s\n", err.text);
    arena_end(&j.memory);
    return failed;
}
