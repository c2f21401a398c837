/* grid.h - rows of cells with aligned columns, for text reports.
 * Called by: the sources of the room that print text.  Must not know: what the cells say.
 *
 * Widths are counted in code points. A cell that is wider than GRID_WIDEST does not widen its column for the other rows. An
 * empty cell at the end of a row leaves no blanks, and a column that is empty in every row takes no place.
 */
#ifndef REPORT_GRID_H
#define REPORT_GRID_H

#include "base/buf.h"

enum { GRID_MOST_CELLS = 6, GRID_WIDEST = 44 };

typedef struct grid_row {
    str cell[GRID_MOST_CELLS];
} grid_row;

typedef struct grid {
    arena *query;
    size_t columns;
    bool right[GRID_MOST_CELLS]; /* numbers: aligned at their end */
    grid_row *row;
    size_t count, capacity;
} grid;

void grid_init(grid *g, arena *query, size_t columns);
/* The next row, blank: fill its cells. STR_NONE is an empty cell. Valid until the next call. */
grid_row *grid_add(grid *g);
/* Each row on a line of its own that starts with two blanks. */
void grid_put(const grid *g, buf *out);

#endif
