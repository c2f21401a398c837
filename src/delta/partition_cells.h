/* partition_cells.h - typed partition values, made once for each distinct set of texts.
 * Called by: delta/scan.c, checkpoint_rows.c.  Must not know: files, where texts come from.
 * Source: PROTOCOL.md: Partition Value Serialization.
 */
#ifndef DELTA_PARTITION_CELLS_H
#define DELTA_PARTITION_CELLS_H

#include "delta/action.h"
#include "delta/schema.h"
#include "types/cell.h"

/* The most calls of partition_cells_find between two trims. */
#define PARTITION_CELLS_MAX_BATCH 1024

typedef struct partition_cells partition_cells;

/* A cache for these columns; one a thread. It has a zone database of its own, since loading zones is not thread-safe.
 */
partition_cells *partition_cells_new(arena *keep, const column *const *columns, size_t count, const zone *session_zone);

/* The cells of one file. `text` is parallel to the columns and is copied where it is new. The cells stay until the next
 * partition_cells_trim. Equal ids mean equal texts; ids are never given out again. */
partition_cell *partition_cells_find(partition_cells *p, const partition_text *text, uint64_t *id);

size_t partition_cells_peak_bytes(const partition_cells *p);

/* Between batches: forget everything when much is held, so that memory is bounded. */
void partition_cells_trim(partition_cells *p);

#endif
