/* codec.h - one compressed page to its bytes.
 * Called by: page.c.  Must not know: what the bytes mean.
 * Source: parquet-format Compression.md.
 */
#ifndef PARQUET_CODEC_H
#define PARQUET_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { /* numbered as in the format */
    CODEC_UNCOMPRESSED, CODEC_SNAPPY, CODEC_GZIP, CODEC_LZO, CODEC_BROTLI, CODEC_LZ4_HADOOP, CODEC_ZSTD, CODEC_LZ4_RAW
};

typedef struct codec { /* what the libraries keep from page to page; zero it to begin */
    struct libdeflate_decompressor *deflate;
    struct ZSTD_DCtx_s *zstd;
} codec;

/* "snappy"; "unknown" for a number that the format does not have. */
const char *codec_name(int32_t kind);
bool codec_is_known(int32_t kind);

/* Decompress all of `in` to exactly `out_size` bytes. Returns NULL, or what is wrong. Allocates nothing in an arena. */
const char *codec_decompress(codec *c, int32_t kind, const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size);

void codec_end(codec *c);

#endif
