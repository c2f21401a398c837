/* one_query.h - a text that holds one query, read, planned and analysed under declarations in DDL.
 * Called by: the sources of this room that answer about rows.  Must not know: what is asked, dbt.
 */
#ifndef API_ONE_QUERY_H
#define API_ONE_QUERY_H

#include "api/api_int.h"
#include "grain/grain.h"
#include "report/place.h"

typedef struct one_query {
    const grain_model *model; /* NULL: the text is wrong, and its messages are report->gates */
    const grain_input *input;
    sql_dialect dialect;
    str dialect_name;
    str text;
    place_finder places; /* of spans of the text, with the name of its file */
} one_query;

/* Everything lives in report->query. Wrong SQL is no error: report->passed is false then. LP_ERR_USAGE: no such dialect.
 * LP_ERR_QUERY: not one query; wrong declarations. */
MUST_USE lp_status one_query_analyse(lp_report *report, const lp_models *models, one_query *out, lp_err *err);

#endif
