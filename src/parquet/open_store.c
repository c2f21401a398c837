/* open_store.c - a Parquet file in a store.
 * Called by: delta.  Must not know: what is inside the file.
 */
#include "parquet/parquet_int.h"

static lp_status read_store(void *context, uint64_t offset, void *into, size_t size, lp_err *err) {
    return store_read(context, offset, into, size, err);
}

lp_status pq_open(arena *table, store_file *f, pq_limits limits, pq_file **out, lp_err *err) {
    pq_source source = {.read = read_store, .context = f, .size_bytes = store_file_size(f), .name = store_file_path(f)};
    return pq_open_source(table, source, limits, out, err);
}
