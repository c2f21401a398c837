/* stage_plan.c - the stage of the room plan: plan.
 * Called by: tests/stage/stage.c.  Must not know: other rooms' stages.
 *
 * The setup block `ddl` holds CREATE TABLE statements; without one nothing is declared. Arguments: dialect=NAME
 * (default postgres); open leaves the block out.
 */
#include "plan/bind.h"
#include "plan/ddl.h"
#include "plan/print.h"
#include "sql/parse.h"
#include "stage.h"

lp_status stage_plan(stage_call *call, lp_err *err) {
    sql_dialect dialect;
    str name = stage_arg(call, "dialect", "postgres"), ddl = stage_setup_text(call, "ddl");
    if (!sql_dialect_by_name(name, &dialect))
        return err_set(err, LP_ERR_USAGE, "no such dialect: " STR_FMT, STR_ARG(name));
    catalog declared;
    bool is_closed = !str_is_none(ddl) && !stage_flag(call, "open");
    if (is_closed) TRY(catalog_from_ddl(call->work, ddl, dialect, &declared, err));
    sql_script script;
    TRY(sql_parse_script(call->work, call->input, dialect, &script, err));
    if (script.error_count) return err_set(err, LP_ERR_QUERY, STR_FMT, STR_ARG(script.error[0].text));
    const sql_query *query = script.statement_count == 1 ? plan_query_of(call->work, script.statement[0]) : NULL;
    if (!query) return err_set(err, LP_ERR_USAGE, "expected one query");
    const plan *p;
    TRY(plan_bind(call->work, call->input, dialect, query, is_closed ? &declared : NULL, &p, err));
    place_index places = place_index_new(call->work, call->input);
    plan_print(call->out, p, &places);
    return LP_OK;
}
