/* ast_query.h - queries, relations and statements as the author wrote them. Nodes do not change after they are made.
 * Called by: sql/parse_*.c make them; sql/print_*.c, sql/walk.c and the binder (plan) read them. Must not know: tables,
 * column types, meaning: a name is a name, whatever it stands for.
 *
 * Expressions are `ast` (ast.h); everything around them is here. What can be long in a text (select lists, joins, set
 * operations, CTEs, pipe steps) is an array, and `height` counts the rest, expressions included: no path from a
 * statement down is longer than SQL_MAX_DEPTH, so a consumer may recurse. Arrays and texts live in the arena of the
 * parse, or are slices of the source. An absent clause is NULL, an absent list has count 0. Every node has a span.
 *
 * Three things stand for what is not modelled:
 *  - a *clause* (AST_OTHER, FORM_CLAUSE): parsed, kept and printed, named by `text`, without effect on which columns
 * there are: samples, time travel, hints, locks. The comment at each field says whether rows may change by it;
 *  - an *unknown relation* (SQL_RELATION_UNKNOWN): an operator over `input` whose rows and columns we do not know;
 *  - an *unknown statement* (SQL_STATEMENT_UNKNOWN).
 */
#ifndef SQL_AST_QUERY_H
#define SQL_AST_QUERY_H

#include "sql/ast.h"

/* ---- shared pieces ---- */

/* A dotted name. A path in one pair of backticks (BigQuery: `p.d.t`) is split, each part with its own place; parts of
 * an unquoted name with hyphens (my-project.d.t) are whole. */
typedef struct sql_name {
    const ast_part *part;
    uint32_t part_count;
    span at;
} sql_name;

typedef struct sql_alias {
    bool has_name;          /* `AS (a, b)` without a name exists: t(a, b) and LATERAL VIEW f() AS a, b */
    ast_part name;          /* quote is '\'' where the alias was a text: SELECT 1 AS 'x' */
    const ast_part *column; /* t(a, b) */
    const str *column_type; /* canonical types, "" where none is given; NULL when no column has one */
    size_t column_count;
    span at;
} sql_alias;

/* An expression with the name that it gets: an item of a select list, an aggregate of PIVOT, a value of its IN list, an
 * argument of STRUCT. */
typedef struct sql_item {
    const ast *value; /* AST_OTHER with FORM_STAR: `*`, `t.*`, with EXCEPT and so on */
    bool has_alias;
    ast_part alias;               /* quote is '\'' where it was a text: SELECT 1 AS 'x' */
    const ast_part *alias_column; /* Spark: explode(m) AS (k, v); then has_alias is false */
    size_t alias_count;
    bool alias_first; /* DuckDB: alias: value */
    span at;
} sql_item;

typedef enum sql_direction { SQL_DIRECTION_NONE, SQL_DIRECTION_ASC, SQL_DIRECTION_DESC } sql_direction;
typedef enum sql_nulls { SQL_NULLS_NONE, SQL_NULLS_FIRST, SQL_NULLS_LAST } sql_nulls;

typedef struct sql_sort {
    const ast *key; /* NULL: ALL, every column of the result from left to right */
    sql_direction direction;
    sql_nulls nulls;
    str using_operator; /* ORDER BY a USING >: the operator, else "" */
    span at;
} sql_sort;

typedef struct sql_order { /* ORDER BY, and the lists of SORT BY, CLUSTER BY and PARTITION BY with directions */
    const sql_sort *item;
    size_t count;
    span at;
} sql_order;

/* ---- windows ---- */

typedef enum sql_frame_unit { SQL_FRAME_NONE, SQL_FRAME_ROWS, SQL_FRAME_RANGE, SQL_FRAME_GROUPS } sql_frame_unit;
typedef enum sql_bound_kind {
    SQL_BOUND_UNBOUNDED_PRECEDING,
    SQL_BOUND_PRECEDING,
    SQL_BOUND_CURRENT_ROW,
    SQL_BOUND_FOLLOWING,
    SQL_BOUND_UNBOUNDED_FOLLOWING
} sql_bound_kind;

typedef struct sql_bound {
    sql_bound_kind kind;
    const ast *distance; /* PRECEDING, FOLLOWING */
} sql_bound;

typedef struct sql_window {
    bool is_reference; /* OVER w: nothing but `base` */
    bool has_base;     /* OVER (w ORDER BY a): the definition starts from the window of that name */
    ast_part base;
    const sql_sort *partition; /* DISTRIBUTE BY too */
    size_t partition_count;
    const sql_sort *order;
    size_t order_count;
    sql_frame_unit frame; /* NONE: the default frame of the language */
    bool has_end;         /* BETWEEN start AND end; without it the frame ends at the current row */
    sql_bound start, end;
    str exclude; /* "", CURRENT ROW, GROUP, TIES, NO OTHERS */
    span at;     /* what stands behind OVER or AS */
} sql_window;

typedef struct sql_named_window { /* WINDOW w AS (...) */
    ast_part name;
    const sql_window *window;
    span at;
} sql_named_window;

/* ---- calls (ast.call of AST_CALL with FORM_FUNCTION) ---- */

typedef enum sql_quantity { SQL_QUANTITY_NONE, SQL_QUANTITY_DISTINCT, SQL_QUANTITY_ALL } sql_quantity;
typedef enum sql_treatment { SQL_TREATMENT_NONE, SQL_TREATMENT_IGNORE, SQL_TREATMENT_RESPECT } sql_treatment;

typedef struct ast_call {
    sql_name name;            /* of the function, SAFE. prefix included */
    sql_quantity quantity;    /* count(DISTINCT a) */
    bool has_star;            /* the only argument is a bare `*`: count(*) */
    size_t argument_count;    /* the arguments are arg[0] ... arg[argument_count - 1]; then follow, in the order of the
                               * text,    the expressions of the clauses below. t.* is an argument (FORM_STAR) */
    const str *argument_name; /* f(x => 1), f(x := 1): the name before each argument, "" for none; NULL when no argument
                               * has one */
    const ast_part *argument_alias; /* struct(a AS x): the same for AS; an empty text for none */
    const sql_order *order;         /* array_agg(a ORDER BY b) */
    const ast *having;              /* BigQuery, any_value(a HAVING MAX b): b */
    const ast *limit;               /* array_agg(a LIMIT 3) */
    const sql_order *within;        /* WITHIN GROUP (ORDER BY ...) */
    const ast *filter;              /* FILTER (WHERE ...) */
    sql_treatment treatment;        /* IGNORE NULLS, inside or behind the brackets */
    const sql_window *over;         /* NULL: no window function */
} ast_call;

/* ---- stars (ast.star of AST_OTHER with FORM_STAR) ---- */

typedef struct sql_rename {
    sql_name from;
    ast_part to;
    span at;
} sql_rename;

typedef struct ast_star {
    sql_name qualifier;     /* t.*: part_count 0 for a bare star. For (expression).* see arg[0] of the node */
    bool is_exclude;        /* it was the word EXCLUDE */
    bool has_except;        /* EXCEPT or EXCLUDE, even of nothing */
    const sql_name *except; /* columns left out */
    size_t except_count;
    const sql_item *replace; /* REPLACE (a + 1 AS a): value and name */
    size_t replace_count;
    const sql_rename *rename; /* RENAME (a AS b) */
    size_t rename_count;
    const ast *like; /* the pattern of * LIKE, * ILIKE, * SIMILAR TO; NULL without one */
    str like_word;   /* LIKE, NOT LIKE, ILIKE ... */
} ast_star;

/* ---- relations: what stands in FROM ---- */

typedef struct sql_query sql_query;
typedef struct sql_relation sql_relation;

typedef enum sql_relation_kind {
    SQL_RELATION_NAME,  /* db.schema.t: a table, a view, a CTE, or (BigQuery, Redshift, DuckDB) an array of another item
                         */
    SQL_RELATION_FILE,  /* DuckDB 'a.csv', Snowflake @stage/path: `text` as written */
    SQL_RELATION_QUERY, /* (SELECT ...), VALUES (...) */
    SQL_RELATION_FUNCTION, /* f(...), TABLE(f(...)), UNNEST(...), LATERAL FLATTEN(...), ROWS FROM (...), explode(...) */
    SQL_RELATION_JOIN,     /* a JOIN b JOIN c, read from the left */
    SQL_RELATION_PAREN, /* (a JOIN b), kept so that printing is faithful; may have an alias that hides what is inside */
    SQL_RELATION_PIVOT, /* input PIVOT (...), input UNPIVOT (...) */
    SQL_RELATION_UNKNOWN /* input MATCH_RECOGNIZE (...), ...: `text` names the operator */
} sql_relation_kind;

typedef enum sql_join_kind {
    SQL_JOIN_INNER, /* also a JOIN without a word, and NATURAL JOIN */
    SQL_JOIN_LEFT,
    SQL_JOIN_RIGHT,
    SQL_JOIN_FULL,
    SQL_JOIN_CROSS,
    SQL_JOIN_LEFT_SEMI, /* SEMI JOIN too */
    SQL_JOIN_LEFT_ANTI, /* ANTI JOIN too */
    SQL_JOIN_RIGHT_SEMI,
    SQL_JOIN_RIGHT_ANTI,
    SQL_JOIN_POSITIONAL,        /* DuckDB: row 1 beside row 1 */
    SQL_JOIN_LATERAL_VIEW,      /* Spark: the right operand is a FUNCTION relation, run for each row of the left; a row
                                 * whose array is empty is dropped */
    SQL_JOIN_LATERAL_VIEW_OUTER /* and kept here */
} sql_join_kind;

typedef struct sql_join { /* between operand[i] and operand[i + 1] of a JOIN relation */
    sql_join_kind kind;
    bool is_natural;
    bool is_asof;     /* kind tells INNER or LEFT; matches at most one row of the right side */
    str written;      /* canonical: "LEFT JOIN", "NATURAL JOIN", "LATERAL VIEW OUTER" */
    const ast *on;    /* NULL without ON */
    const ast *match; /* Snowflake MATCH_CONDITION (...) of ASOF JOIN */
    bool has_using;
    const ast_part *using_column;
    size_t using_count;
    sql_alias using_alias; /* USING (a) AS x, has_name tells */
    span at;               /* the words */
} sql_join;

typedef struct sql_pivot {
    bool is_unpivot;
    bool is_statement;         /* DuckDB's PIVOT t ON a USING sum(b) GROUP BY c */
    const sql_item *aggregate; /* PIVOT: sum(x) AS s, ... */
    size_t aggregate_count;
    /* One FOR ... IN (...) each; DuckDB allows several, and ON a, b. */
    const struct sql_pivot_for *on;
    size_t on_count;
    const ast_part *value_column; /* UNPIVOT: the names of the value columns, more than one in BigQuery and Spark */
    size_t value_count;
    const ast *const *group; /* DuckDB: GROUP BY */
    size_t group_count;
    str nulls;                /* UNPIVOT: "", INCLUDE NULLS, EXCLUDE NULLS (the default) */
    const ast *default_value; /* Snowflake: DEFAULT ON NULL (...) */
    span at;                  /* from the word PIVOT or UNPIVOT on */
} sql_pivot;

typedef struct sql_pivot_for {
    const ast *const *column; /* PIVOT: what is compared; more than one in FOR (a, b). UNPIVOT: the name column */
    size_t column_count;
    const sql_item *value; /* PIVOT: constants, rows for several columns. UNPIVOT: columns or rows of columns; the alias
                            * is the value of the name column */
    size_t value_count;
    bool is_any; /* Snowflake: IN (ANY [ORDER BY ...]): the columns depend on the data */
    bool has_in; /* false: DuckDB's ON a, the columns depend on the data */
    const sql_order *any_order;
    const sql_query *query; /* IN (SELECT ...): the columns depend on the data */
    const ast *enumeration; /* DuckDB: IN enum_name */
    span at;
} sql_pivot_for;

struct sql_relation {
    sql_relation_kind kind;
    uint32_t height;
    span at;             /* with alias and clauses */
    bool is_lateral;     /* LATERAL (query), LATERAL f(...) */
    bool is_only;        /* PostgreSQL: ONLY t */
    bool is_bare;        /* QUERY: VALUES (1) without brackets around it */
    bool is_table_call;  /* FUNCTION: written TABLE(...) */
    bool is_rows_from;   /* FUNCTION: ROWS FROM (f(), g()) */
    bool has_ordinality; /* FUNCTION: WITH ORDINALITY: one more column that counts from 1 */
    bool has_offset;     /* FUNCTION or NAME: WITH OFFSET [AS name] (from 0); Redshift's AT name */
    bool offset_is_at;   /* the latter */
    bool has_offset_name;
    ast_part offset_name;       /* without a name the column is called offset */
    sql_name name;              /* NAME; for NAME of IDENTIFIER(...) see `function` */
    str text;                   /* FILE: as written; UNKNOWN: the operator's name, upper case */
    const sql_query *query;     /* QUERY */
    const ast *const *function; /* FUNCTION: AST_CALL, one but for ROWS FROM. ROWS FROM's own column definitions are
                                 * pieces of the calls */
    size_t function_count;
    const sql_relation *const *operand; /* JOIN: 2 or more; PAREN, PIVOT, UNKNOWN: operand[0] is the input */
    size_t operand_count;
    const sql_join *join;   /* JOIN: operand_count - 1 */
    const sql_pivot *pivot; /* PIVOT */
    const ast *unknown;     /* UNKNOWN: the operator as a clause, printed from its pieces */
    bool has_alias;
    sql_alias alias;
    /* Clauses before the alias: time travel (FOR SYSTEM_TIME AS OF, VERSION AS OF, AT, BEFORE, CHANGES), samples,
     * hints. A sample drops rows, time travel reads other rows of the same table. */
    const ast *const *clause;
    size_t clause_count;
    const ast *const *clause_behind; /* the same behind the alias */
    size_t clause_behind_count;
};

/* ---- queries ---- */

typedef struct sql_cte {
    ast_part name;
    bool has_columns;
    const ast_part *column;
    size_t column_count;
    str materialized;                      /* "", MATERIALIZED, NOT MATERIALIZED */
    const sql_query *query;                /* NULL: something else stands in the brackets, see `statement` */
    const struct sql_statement *statement; /* PostgreSQL: WITH d AS (DELETE ... RETURNING ...) */
    const ast *const *clause; /* SEARCH, CYCLE (they add columns: unknown), USING KEY, MAX RECURSION LEVEL */
    size_t clause_count;
    span at;
} sql_cte;

typedef struct sql_with {
    bool is_recursive; /* the word RECURSIVE; Snowflake, for one, recurses without it */
    const sql_cte *cte;
    size_t count;
    span at;
} sql_with;

typedef enum sql_group_kind {
    SQL_GROUP_EXPRESSION, /* item[0]: an expression, a position, an alias, or a row (a, b) (FORM_ROW): both columns */
    SQL_GROUP_EMPTY,      /* () */
    SQL_GROUP_ROLLUP,     /* ROLLUP (a, (b, c)) */
    SQL_GROUP_CUBE,
    SQL_GROUP_SETS /* GROUPING SETS (...): the sets are `set` */
} sql_group_kind;

typedef struct sql_group_item {
    sql_group_kind kind;
    const ast *const *item; /* EXPRESSION 1; ROLLUP, CUBE: a row is one unit */
    size_t count;
    const struct sql_group_item *set; /* SETS: each an item of any kind, a set (a, b) is EXPRESSION with a row */
    size_t set_count;
    span at;
} sql_group_item;

typedef struct sql_group {
    bool sets_behind; /* Spark: GROUP BY a, b GROUPING SETS (...): the last item is of kind SETS, the others only name
                         columns */
    bool is_all;      /* GROUP BY ALL, Trino's AUTO: every select item that holds no aggregate */
    str quantity;     /* GROUP BY DISTINCT | ALL sets: "", DISTINCT, ALL */
    str with;         /* WITH ROLLUP, WITH CUBE behind the list: "", ROLLUP, CUBE */
    const sql_group_item *item;
    size_t count;
    span at;
} sql_group;

typedef enum sql_distinct { SQL_DISTINCT_NONE, SQL_DISTINCT_ALL, SQL_DISTINCT_ROWS, SQL_DISTINCT_ON } sql_distinct;

typedef struct sql_top { /* SELECT TOP 10 PERCENT WITH TIES */
    const ast *count;
    bool is_percent, with_ties;
    span at;
} sql_top;

typedef struct sql_connect { /* START WITH ... CONNECT BY [NOCYCLE] ...: a hierarchy, an operator that we do not model
                              */
    const ast *start, *connect;
    bool nocycle, starts_first;
    span at;
} sql_connect;

typedef struct sql_select {
    bool is_from_first; /* FROM t SELECT a */
    bool has_list; /* false: DuckDB's FROM t alone, which means SELECT *, and PostgreSQL's SELECT FROM t, which is a
                    * list of nothing (is_from_first tells) */
    sql_distinct distinct;
    const ast *const *distinct_on; /* SQL_DISTINCT_ON */
    size_t distinct_on_count;
    const sql_top *top;
    str as_kind; /* BigQuery: SELECT AS STRUCT | VALUE: "", STRUCT, VALUE, or the name of a proto */
    const sql_item *item;
    size_t item_count;
    const sql_name *exclude; /* Redshift: SELECT * EXCLUDE c: behind the whole list */
    size_t exclude_count;
    bool has_into;
    sql_name into;                   /* SELECT ... INTO t */
    const sql_relation *const *from; /* parted by commas */
    size_t from_count;
    const ast *where;
    const sql_connect *connect;
    const sql_group *group;
    const ast *having;
    const ast *qualify;
    const sql_named_window *window;
    size_t window_count;
    const ast *const *hint; /* Spark's and Oracle's hints are comments, and gone; SQL Server's OPTION and BigQuery's
                             * WITH OPTIONS ... as clauses */
    size_t hint_count;
    const ast *sample; /* DuckDB: USING SAMPLE, a clause that drops rows of the FROM */
} sql_select;

typedef enum sql_set_kind { SQL_SET_UNION, SQL_SET_INTERSECT, SQL_SET_EXCEPT /* MINUS too */ } sql_set_kind;

typedef struct sql_set_link {
    sql_set_kind kind;
    sql_quantity
        quantity;  /* NONE: the language's default, DISTINCT in all dialects but for BigQuery, which wants a word */
    bool by_name;  /* UNION BY NAME; CORRESPONDING too */
    bool by_is_on; /* the latter of these */
    bool has_by;   /* CORRESPONDING BY (a, b), BY NAME ON (a, b) */
    const ast_part *by;
    size_t by_count;
    str written; /* canonical: "UNION ALL BY NAME", "LEFT OUTER UNION ALL CORRESPONDING" */
    span at;
} sql_set_link;

typedef struct sql_limit { /* LIMIT, OFFSET, FETCH in any spelling */
    const ast *count;      /* NULL: no limit (an offset alone, LIMIT ALL, LIMIT NULL is a count) */
    const ast *offset;
    bool is_all;     /* LIMIT ALL */
    bool is_percent; /* DuckDB LIMIT 10%, FETCH FIRST 10 PERCENT ROWS */
    bool with_ties;
    bool is_fetch; /* FETCH FIRST, not LIMIT; without a number: one row, count is NULL and is_one tells */
    bool is_one;
    bool offset_first; /* OFFSET 1 LIMIT 2 */
    bool offset_comma; /* LIMIT offset, count */
    span at;
} sql_limit;

typedef enum sql_pipe_kind {                  /* BigQuery, Databricks: source |> step |> step */
                             SQL_PIPE_SELECT, /* select: items, distinct, windows */
                             SQL_PIPE_EXTEND, /* item: added columns */
                             SQL_PIPE_SET,    /* item: values with the name of the column that they replace as alias */
                             SQL_PIPE_DROP,   /* name: columns that go */
                             SQL_PIPE_RENAME, /* rename */
                             SQL_PIPE_AS,     /* alias */
                             SQL_PIPE_WHERE,  /* where (after an AGGREGATE: as HAVING; of window results: as QUALIFY) */
                             SQL_PIPE_AGGREGATE, /* item: aggregates; group_item: GROUP BY items, with aliases; sorts in
                                                  * `order` when is_ordered_group (GROUP AND ORDER BY) */
                             SQL_PIPE_DISTINCT,
                             SQL_PIPE_JOIN,   /* join, with relation on its right */
                             SQL_PIPE_ORDER,  /* order */
                             SQL_PIPE_LIMIT,  /* limit */
                             SQL_PIPE_SETOP,  /* set, with query[]: UNION ALL (q1), (q2) */
                             SQL_PIPE_CALL,   /* function: a table function that takes the rows; alias */
                             SQL_PIPE_PIVOT,  /* pivot; alias */
                             SQL_PIPE_SAMPLE, /* clause: drops rows */
                             SQL_PIPE_WINDOW, /* item: window functions, added columns */
                             SQL_PIPE_UNKNOWN /* clause: text names it */
} sql_pipe_kind;

typedef struct sql_pipe_step {
    sql_pipe_kind kind;
    str word; /* the word of the step, upper case */
    const sql_select *select;
    const sql_item *item;
    size_t item_count;
    const sql_sort *item_sort; /* AGGREGATE: direction and nulls of each item; NULL when none has any */
    const sql_item *group_item;
    const sql_sort *group_sort; /* direction and nulls of each group_item; NULL when none has any */
    size_t group_count;
    bool is_ordered_group;
    const sql_name *name;
    size_t name_count;
    const sql_rename *rename;
    size_t rename_count;
    bool has_alias;
    sql_alias alias;
    const ast *where;
    const sql_join *join;
    const sql_relation *relation;
    const sql_order *order;
    const sql_limit *limit;
    const sql_set_link *set;
    const sql_query *const *query;
    size_t query_count;
    const ast *function;
    const sql_pivot *pivot;
    const ast *clause;
    span at; /* from the word on */
} sql_pipe_step;

typedef enum sql_query_kind {
    SQL_QUERY_SELECT, /* select */
    SQL_QUERY_SET,    /* operand[], link[]: a UNION b EXCEPT c, read from the left; INTERSECT binds tighter, so it is a
                       * SET of its own inside */
    SQL_QUERY_VALUES, /* VALUES (1, 2), (3, 4): row[]; Spark's VALUES 1, 2: rows that are no FORM_ROW or AST_PAREN */
    SQL_QUERY_TABLE,  /* TABLE t, DuckDB's PIVOT statement, DESCRIBE and the like in brackets: all of `relation` */
    SQL_QUERY_PAREN,  /* (query), with ends of its own behind the bracket perhaps: operand[0] */
    SQL_QUERY_PIPE    /* operand[0] |> step |> step ... */
} sql_query_kind;

struct sql_query {
    sql_query_kind kind;
    uint32_t height;
    span at;              /* with WITH and the ends */
    const sql_with *with; /* names for this node and all below, its ends included */
    const sql_select *select;
    const sql_query *const *operand; /* SET: 2 or more; PAREN and PIPE: 1 */
    size_t operand_count;
    const sql_set_link *link; /* SET: operand_count - 1 */
    const ast *const *row;    /* VALUES: FORM_ROW, AST_PAREN for (1), or a bare expression */
    size_t row_count;
    const sql_relation *relation; /* TABLE */
    const sql_pipe_step *step;    /* PIPE */
    size_t step_count;
    /* The ends. They belong to the whole node: of `a UNION b ORDER BY c`, to the SET. */
    const sql_order *order;
    const sql_order *sort;       /* Spark: SORT BY */
    const sql_order *distribute; /* DISTRIBUTE BY */
    const sql_order *cluster;    /* CLUSTER BY */
    const sql_limit *limit;
    const ast *const *clause; /* FOR UPDATE, WITH (NO LOCK), SETTINGS ...: no effect on rows */
    size_t clause_count;
};

/* ---- statements ---- */

typedef enum sql_statement_kind {
    SQL_STATEMENT_QUERY,
    SQL_STATEMENT_CREATE_TABLE, /* CREATE TABLE t AS query, or with columns and constraints and no query */
    SQL_STATEMENT_CREATE_VIEW,  /* MATERIALIZED too */
    SQL_STATEMENT_INSERT,       /* INSERT INTO t (a, b) query; INSERT OVERWRITE */
    SQL_STATEMENT_MERGE,        /* target, source, on; the WHEN arms are text */
    SQL_STATEMENT_UNKNOWN       /* everything else: `word` names it */
} sql_statement_kind;

typedef struct sql_column_definition { /* CREATE TABLE t (a INT NOT NULL PRIMARY KEY) */
    ast_part name;
    str type; /* canonical, "" without one */
    bool is_not_null, is_primary, is_unique;
    const struct sql_constraint *references; /* REFERENCES u (x) */
    const ast *generated;                    /* GENERATED ALWAYS AS (expression) */
    const ast *default_value;
    const ast *const *check; /* CHECK (...) */
    size_t check_count;
    span at;
} sql_column_definition;

typedef enum sql_constraint_kind {
    SQL_CONSTRAINT_PRIMARY,
    SQL_CONSTRAINT_UNIQUE, /* nulls_not_distinct tells PostgreSQL's UNIQUE NULLS NOT DISTINCT */
    SQL_CONSTRAINT_FOREIGN,
    SQL_CONSTRAINT_CHECK
} sql_constraint_kind;

typedef struct sql_constraint {
    sql_constraint_kind kind;
    bool nulls_not_distinct;
    const ast_part *column;
    size_t column_count;
    sql_name to; /* FOREIGN KEY ... REFERENCES to (to_column ...) */
    const ast_part *to_column;
    size_t to_count;
    const ast *check;
    span at;
} sql_constraint;

typedef struct sql_statement {
    sql_statement_kind kind;
    uint32_t height;
    str word; /* canonical start: "CREATE OR REPLACE TABLE", "DROP TABLE", "INSERT INTO" */
    span at;  /* without the semicolon */
    bool has_target;
    sql_name target;
    bool has_columns; /* INSERT INTO t (a, b), CREATE VIEW v (a, b) */
    const ast_part *column;
    size_t column_count;
    const sql_query *query; /* QUERY, CREATE ... AS, INSERT; NULL for a table without one, INSERT ... DEFAULT VALUES */
    const sql_with *with;   /* WITH before INSERT or MERGE: names for the query or the source too */
    const sql_relation *merge_target, *merge_source;
    const ast *merge_on;
    const sql_column_definition *definition; /* CREATE TABLE t (...) */
    size_t definition_count;
    const sql_constraint *constraint;
    size_t constraint_count;
    /* What the reader skipped, in canonical spacing, for the printer: between target and query (options: PARTITIONED
     * BY, CLUSTER BY, USING delta, ...), and behind everything (WHEN MATCHED ..., RETURNING ..., the whole of an
     * unknown statement behind `word`). */
    str options, rest;
} sql_statement;

#endif
