/* partition_cells.c - a hash table from sets of partition texts to typed cells.
 * Called by: delta/scan.c, checkpoint_rows.c.  Must not know: files, where texts come from.
 */
#include "delta/partition_cells.h"

#include <string.h>

enum { SLOTS = 4096, MAX_ENTRIES = SLOTS / 2, MAX_BYTES = 4 << 20 };

typedef struct cells_entry {
    uint64_t hash, id;
    partition_text *text;
    partition_cell *cell;
} cells_entry;

/* A slot always stays free: a trim leaves at most MAX_ENTRIES, and a batch adds at most PARTITION_CELLS_MAX_BATCH. */
_Static_assert(MAX_ENTRIES + PARTITION_CELLS_MAX_BATCH < SLOTS, "the table of partition cells could fill up");

struct partition_cells {
    const column *const *column;
    size_t count;
    const zone *session_zone;
    zone_database *zones;
    arena memory; /* entries, texts, cells: ends with a trim */
    cells_entry **slot;
    size_t entry_count;
    uint64_t next_id;
    cells_entry *last; /* found last: neighbours are often equal */
};

static void end_cells(void *resource) {
    partition_cells *p = resource;
    arena_end(&p->memory);
}

partition_cells *partition_cells_new(arena *keep, const column *const *columns, size_t count,
                                     const zone *session_zone) {
    partition_cells *p = ARENA_NEW(keep, partition_cells);
    *p = (partition_cells){.column = columns, .count = count, .session_zone = session_zone};
    p->zones = zone_database_new(keep);
    p->slot = ARENA_ARRAY(keep, cells_entry *, SLOTS);
    arena_init(&p->memory, 0);
    arena_defer(keep, end_cells)->resource = p;
    return p;
}

static uint64_t hash_texts(const partition_text *text, size_t count) {
    uint64_t hash = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t part = str_is_none(text[i].text) ? (text[i].present ? 2u : 1u) : str_hash(text[i].text);
        hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return hash;
}

static bool is_same_text(partition_text a, partition_text b) {
    if (a.present != b.present || str_is_none(a.text) != str_is_none(b.text)) return false;
    return str_eq(a.text, b.text);
}

static bool is_same(const cells_entry *e, const partition_text *text, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!is_same_text(e->text[i], text[i])) return false;
    return true;
}

static cells_entry *new_entry(partition_cells *p, const partition_text *text, uint64_t hash) {
    cells_entry *e = ARENA_NEW(&p->memory, cells_entry);
    e->hash = hash;
    e->text = ARENA_ARRAY(&p->memory, partition_text, p->count);
    e->cell = ARENA_ARRAY(&p->memory, partition_cell, p->count);
    for (size_t i = 0; i < p->count; i++) {
        e->text[i] = (partition_text){text[i].present, str_copy(&p->memory, text[i].text)};
        e->cell[i] = cell_from_partition_text(p->column[i]->type, text[i].present, e->text[i].text, p->session_zone,
                                              p->zones, &p->memory);
    }
    e->id = p->next_id++;
    p->entry_count++;
    return e;
}

partition_cell *partition_cells_find(partition_cells *p, const partition_text *text, uint64_t *id) {
    cells_entry *e = p->last;
    if (!e || !is_same(e, text, p->count)) {
        uint64_t hash = hash_texts(text, p->count);
        size_t at = (size_t)(hash >> 20) & (SLOTS - 1);
        while (p->slot[at] && (p->slot[at]->hash != hash || !is_same(p->slot[at], text, p->count)))
            at = (at + 1) & (SLOTS - 1);
        if (!p->slot[at]) p->slot[at] = new_entry(p, text, hash);
        p->last = e = p->slot[at];
    }
    *id = e->id;
    return e->cell;
}

size_t partition_cells_peak_bytes(const partition_cells *p) {
    return p->memory.peak_bytes;
}

void partition_cells_trim(partition_cells *p) {
    if (p->entry_count <= MAX_ENTRIES && p->memory.used_bytes <= MAX_BYTES) return;
    arena_reset(&p->memory);
    memset(p->slot, 0, SLOTS * sizeof *p->slot);
    p->entry_count = 0;
    p->last = NULL;
}
