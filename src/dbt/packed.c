/* packed.c - unpack a gzip file whole.
 * Called by: dbt/project.c.  Must not know: what the bytes mean.
 * Source: RFC 1952: the last four bytes are the size of the text modulo 2^32.
 */
#include "dbt/packed.h"

#include "parquet/codec.h"

#define TEXT_MAX_BYTES ((uint64_t)1 << 30)
/* A byte of DEFLATE is never more than this many bytes of text. */
#define DEFLATE_MAX_RATIO 1032

static lp_status refuse(const dbt_bytes *packed, const char *found, lp_err *err) {
    return err_set(err, LP_ERR_FORMAT, STR_FMT ": expected a gzip file with one text, found %s", STR_ARG(packed->name),
                   found);
}

static lp_status text_size(const dbt_bytes *packed, const unsigned char *file, size_t size, size_t *out, lp_err *err) {
    if (size < 18 || file[0] != 0x1F || file[1] != 0x8B) return refuse(packed, "other bytes", err);
    const unsigned char *tail = file + size - 4;
    uint64_t text = (uint64_t)tail[0] | (uint64_t)tail[1] << 8 | (uint64_t)tail[2] << 16 | (uint64_t)tail[3] << 24;
    if (text > TEXT_MAX_BYTES)
        return err_set(err, LP_ERR_LIMIT, STR_FMT ": expected at most %llu bytes unpacked, found %llu",
                       STR_ARG(packed->name), (unsigned long long)TEXT_MAX_BYTES, (unsigned long long)text);
    if (text / DEFLATE_MAX_RATIO > size) return refuse(packed, "a size at its end that cannot be", err);
    *out = (size_t)text;
    return LP_OK;
}

lp_status dbt_unpack(arena *owner, const dbt_bytes *packed, dbt_bytes *out, lp_err *err) {
    size_t size = 0;
    if (packed->size_bytes > TEXT_MAX_BYTES) return refuse(packed, "more than 1 GiB", err);
    arena *memory = arena_child(owner);
    unsigned char *file = arena_alloc_raw(memory, (size_t)packed->size_bytes);
    TRY(packed->read(packed->context, 0, file, (size_t)packed->size_bytes, err));
    TRY(text_size(packed, file, (size_t)packed->size_bytes, &size, err));
    char *text = arena_alloc_raw(owner, size);
    codec c = {0};
    const char *wrong = codec_decompress(&c, CODEC_GZIP, file, (size_t)packed->size_bytes, (uint8_t *)text, size);
    codec_end(&c);
    arena_end(memory);
    if (wrong) return refuse(packed, wrong, err);
    *out = dbt_bytes_of_text(owner, (str){text, size}, packed->name);
    return LP_OK;
}
