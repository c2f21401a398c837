/* scan_int.h - what the files about scans share.
 * Called by: op_scan.c, scan_checks.c, scan_summary.c, op_cte.c.  Must not know: other operators.
 */
#ifndef GRAIN_SCAN_INT_H
#define GRAIN_SCAN_INT_H

#include "grain/op.h"

typedef struct named_column {
    str name;
    column_id id;
} named_column;

typedef struct scan {
    grain_model *m;
    const plan_node *node;
    facts *f;
    named_column *named; /* columns of the relation by name: those of the rows first, then hidden ones */
    size_t count, capacity;
} scan;

/* The column i that a declaration names: exactly, else the only one that differs in case, if that may be. NO_COLUMN. */
column_id scan_find(const scan *s, const declaration *d, size_t i);
void scan_name(scan *s, str name, column_id id);
/* What is declared and can be used becomes facts. */
void scan_declare(scan *s, declaration_list list);
/* CHECK constraints, generated columns and lists of accepted values. */
void scan_checks(scan *s, declaration_list list);
/* The facts of a model that was analysed before, with the grains of its columns. */
void scan_take_summary(scan *s, const grain_summary *from);

#endif
