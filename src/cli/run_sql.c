/* run_sql.c - the command `sql`.
 * Called by: main.c.  Must not know: how arguments are written on the command line.
 */
#include "cli/run_sql.h"

#include <string.h>

#include "cli/ask.h"
#include "cli/output.h"

static lp_sql_form form_of(const invocation *call, const arguments *a) {
    static const lp_sql_form form[] = {LP_SQL_PARSE, LP_SQL_PRINT, LP_SQL_PLAN}; /* as the words of the command stand */
    return form[choice_find(command_choice(call->command), a->word[0])];
}

/* ---- tables ---- */

/* Of lp_sql_table, as bytes: their number is not known before. */
static lp_sql_table *table_at(const text *tables, size_t n) {
    return &((lp_sql_table *)(void *)tables->ptr)[n];
}

static size_t table_count(const text *tables) {
    return tables->size / sizeof(lp_sql_table);
}

static int open_table(const invocation *call, const char *pair, text *tables) {
    lp_err err = {0};
    lp_table *opened = NULL;
    const char *location = strchr(pair, '=') + 1;
    if (lp_table_open(location, NULL, &opened, &err) != LP_OK) return ask_fail(call, &err);
    lp_sql_table t = {pair, (size_t)(location - 1 - pair), opened};
    text_put(tables, (const char *)&t, sizeof t);
    return EXIT_DONE;
}

static int open_tables(const invocation *call, const option_value *option, text *tables) {
    const char *pair;
    int code = EXIT_DONE;
    for (size_t i = 0; code == EXIT_DONE && (pair = option_pair(option, i)) != NULL; i++)
        code = open_table(call, pair, tables);
    return code;
}

static void close_tables(text *tables) {
    for (size_t i = 0; i < table_count(tables); i++) lp_table_close((lp_table *)table_at(tables, i)->table);
    text_free(tables);
}

/* ---- the question ---- */

typedef struct sources {
    text sql, ddl, tables;
} sources;

static int show(const invocation *call, const arguments *a, const sources *from) {
    const text *sql = &from->sql, *ddl = &from->ddl;
    lp_err err = {0};
    lp_report *report = NULL;
    lp_sql_options options = LP_SQL_OPTIONS_INIT;
    options.text = text_str(sql);
    options.text_size = sql->size;
    options.dialect = a->option[OPTION_DIALECT].text;
    options.form = form_of(call, a);
    if (a->option[OPTION_DDL].is_given) options.ddl = text_str(ddl), options.ddl_size = ddl->size;
    options.table = from->tables.size ? table_at(&from->tables, 0) : NULL;
    options.table_count = table_count(&from->tables);
    options.manifest = a->option[OPTION_MANIFEST].text;
    options.format = a->option[OPTION_SQL_FORMAT].choice == 1 ? LP_FORMAT_JSON : LP_FORMAT_TEXT;
    int code = lp_sql(&options, &report, &err) == LP_OK ? EXIT_DONE : ask_fail(call, &err);
    if (code == EXIT_DONE) code = ask_write_note(call, report, LP_PART_GATES);
    if (code == EXIT_DONE) code = ask_write_report(call, report);
    if (code == EXIT_DONE && !lp_report_passed(report)) code = EXIT_FAILED;
    lp_report_free(report);
    return code;
}

static int refuse_pair(const invocation *call, const char *pair) {
    text message = {0};
    text_printf(&message, "--table expects NAME=TABLE, found '%s'", pair);
    int code = output_usage(call, text_str(&message));
    text_free(&message);
    return code;
}

static int check(const invocation *call, const arguments *a) {
    const option_value *ddl = &a->option[OPTION_DDL], *table = &a->option[OPTION_TABLE];
    if (ddl->is_given && form_of(call, a) != LP_SQL_PLAN)
        return output_usage(call, "'--ddl' belongs to 'sql plan'");
    if (table->is_given && form_of(call, a) != LP_SQL_PLAN)
        return output_usage(call, "'--table' belongs to 'sql plan'");
    if (table->bad_pair) return refuse_pair(call, table->bad_pair);
    if (a->option[OPTION_MANIFEST].is_given && form_of(call, a) != LP_SQL_PLAN)
        return output_usage(call, "'--manifest' belongs to 'sql plan'");
    if (ddl->is_given && strcmp(ddl->text, "-") == 0 && strcmp(a->word[1], "-") == 0)
        return output_usage(call, "standard input can be read once: FILE or '--ddl', not both");
    return EXIT_DONE;
}

int run_sql(const invocation *call, const arguments *a) {
    sources from = {0};
    int code = check(call, a);
    if (code == EXIT_DONE) code = ask_read_file(call, a->word[1], &from.sql);
    if (code == EXIT_DONE && a->option[OPTION_DDL].is_given)
        code = ask_read_file(call, a->option[OPTION_DDL].text, &from.ddl);
    if (code == EXIT_DONE) code = open_tables(call, &a->option[OPTION_TABLE], &from.tables);
    if (code == EXIT_DONE) code = show(call, a, &from);
    close_tables(&from.tables);
    text_free(&from.ddl);
    text_free(&from.sql);
    return code;
}
