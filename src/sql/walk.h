/* walk.h - every node of a tree with its fields, in one order: for dumps, JSON and comparison.
 * Called by: report (sql parse), tests.  Must not know: what the events become.
 *
 * A node is enter ... leave; between them come its texts and flags, then its children. A child stands alone under a
 * role, or in a list. Texts that are empty, flags that are false, children that are absent and lists that are empty
 * make no event.
 */
#ifndef SQL_WALK_H
#define SQL_WALK_H

#include "base/buf.h"
#include "sql/ast_query.h"

typedef struct sql_walker {
    void *context;
    void (*enter)(void *context, const char *role, const char *kind, span at); /* role is NULL inside a list */
    void (*leave)(void *context);
    void (*text)(void *context, const char *role, str value); /* role is NULL inside a list of texts */
    void (*flag)(void *context, const char *role);
    void (*list)(void *context, const char *role); /* a list starts */
    void (*list_end)(void *context);
} sql_walker;

void sql_walk_statement(const sql_statement *statement, const sql_walker *w);
void sql_walk_expression(const ast *tree, const sql_walker *w);

/* The tree as indented lines: `role: kind  text=... flag`, two blanks a level; with `spans` also @start+length. */
void sql_dump_statement(buf *out, const sql_statement *statement, bool spans);

#endif
