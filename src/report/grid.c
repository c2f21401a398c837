/* grid.c - rows of cells with aligned columns.
 * Called by: the sources of the room that print text.  Must not know: what the cells say.
 */
#include "report/grid.h"

#include <assert.h>
#include <string.h>

void grid_init(grid *g, arena *query, size_t columns) {
    assert(columns <= GRID_MOST_CELLS);
    *g = (grid){.query = query, .columns = columns};
}

grid_row *grid_add(grid *g) {
    if (g->count == g->capacity) {
        size_t capacity = g->capacity ? 2 * g->capacity : 16;
        grid_row *grown = ARENA_ARRAY(g->query, grid_row, capacity);
        if (g->count) memcpy(grown, g->row, g->count * sizeof *grown);
        g->row = grown;
        g->capacity = capacity;
    }
    return &g->row[g->count++];
}

static void find_widths(const grid *g, size_t *width) {
    for (size_t i = 0; i < g->columns; i++) {
        width[i] = 0;
        for (size_t r = 0; r < g->count; r++) {
            size_t cell = str_count_code_points(g->row[r].cell[i]);
            if (cell > width[i] && cell <= GRID_WIDEST) width[i] = cell;
            if (cell > GRID_WIDEST && width[i] == 0) width[i] = 1; /* the column is there */
        }
    }
}

static size_t last_cell(const grid *g, const grid_row *row) {
    size_t last = g->columns;
    while (last > 0 && row->cell[last - 1].len == 0) last--;
    return last;
}

static void put_row(const grid *g, const grid_row *row, const size_t *width, buf *out) {
    size_t last = last_cell(g, row);
    for (size_t i = 0; i < last; i++) {
        if (width[i] == 0) continue;
        size_t cell = str_count_code_points(row->cell[i]), rest = cell < width[i] ? width[i] - cell : 0;
        buf_put(out, STR("  "));
        if (g->right[i]) buf_put_repeated(out, ' ', rest);
        buf_put(out, row->cell[i]);
        if (!g->right[i] && i + 1 < last) buf_put_repeated(out, ' ', rest);
    }
    buf_put_char(out, '\n');
}

void grid_put(const grid *g, buf *out) {
    size_t width[GRID_MOST_CELLS];
    find_widths(g, width);
    for (size_t r = 0; r < g->count; r++) put_row(g, &g->row[r], width, out);
}
