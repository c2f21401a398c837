/* codec.c - one compressed page to its bytes.
 * Called by: page.c.  Must not know: what the bytes mean.
 */
#include "parquet/codec.h"

#include <brotli/decode.h>
#include <libdeflate.h>
#include <limits.h>
#include <lz4.h>
#include <zstd.h>

#include "parquet/snappy.h"

static const char broken[] = "expected compressed bytes that are whole, found them damaged";
static const char other_size[] = "expected as many decompressed bytes as the page header says, found another number";
static const char no_memory[] = "expected memory for a decompressor, found none";

const char *codec_name(int32_t kind) {
    static const char *const name[] = {"uncompressed", "snappy", "gzip", "lzo", "brotli", "lz4", "zstd", "lz4_raw"};
    return kind >= 0 && kind <= CODEC_LZ4_RAW ? name[kind] : "unknown";
}

bool codec_is_known(int32_t kind) {
    return kind >= CODEC_UNCOMPRESSED && kind <= CODEC_LZ4_RAW && kind != CODEC_LZO;
}

static const char *decompress_snappy(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size) {
    uint32_t stated;
    if (!snappy_stated_size(in, in_size, &stated)) return broken;
    if (stated != out_size) return other_size;
    return snappy_decode(in, in_size, out, out_size) ? NULL : broken;
}

/* A gzip page may have several members one behind the other. */
static const char *decompress_gzip(codec *c, const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size) {
    if (!c->deflate) c->deflate = libdeflate_alloc_decompressor();
    if (!c->deflate) return no_memory;
    while (in_size > 0) {
        size_t used = 0, written = 0;
        if (libdeflate_gzip_decompress_ex(c->deflate, in, in_size, out, out_size, &used, &written) !=
            LIBDEFLATE_SUCCESS)
            return broken;
        in += used, in_size -= used;
        out += written, out_size -= written;
    }
    return out_size == 0 ? NULL : other_size;
}

static const char *decompress_zstd(codec *c, const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size) {
    if (!c->zstd) c->zstd = ZSTD_createDCtx();
    if (!c->zstd) return no_memory;
    size_t written = ZSTD_decompressDCtx(c->zstd, out, out_size, in, in_size);
    if (ZSTD_isError(written)) return broken;
    return written == out_size ? NULL : other_size;
}

static const char *decompress_brotli(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size) {
    size_t written = out_size;
    if (BrotliDecoderDecompress(in_size, in, &written, out) != BROTLI_DECODER_RESULT_SUCCESS) return broken;
    return written == out_size ? NULL : other_size;
}

static const char *decompress_lz4(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size) {
    if (in_size > INT_MAX || out_size > INT_MAX) return broken;
    int written = LZ4_decompress_safe((const char *)in, (char *)out, (int)in_size, (int)out_size);
    if (written < 0) return broken;
    return (size_t)written == out_size ? NULL : other_size;
}

static uint32_t load_be32(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Hadoop's frames: the size of a piece, then its compressed parts, each with its own compressed size in front, until
 * the piece is whole. All sizes are big-endian. */
static const char *decompress_hadoop(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size) {
    while (in_size >= 4) {
        size_t piece = load_be32(in);
        in += 4, in_size -= 4;
        if (piece > out_size) return broken;
        while (piece > 0) {
            if (in_size < 4) return broken;
            size_t part = load_be32(in);
            in += 4, in_size -= 4;
            if (part > in_size || part > INT_MAX || piece > INT_MAX) return broken;
            int written = LZ4_decompress_safe((const char *)in, (char *)out, (int)part, (int)piece);
            if (written <= 0) return broken;
            in += part, in_size -= part;
            out += written, out_size -= (size_t)written;
            piece -= (size_t)written;
        }
    }
    return in_size == 0 && out_size == 0 ? NULL : broken;
}

/* The codec number 5 was used by parquet-mr for Hadoop's frames and by older parquet-cpp for a bare block. The frames
 * say their sizes, so what reads as frames to the last byte is frames. */
static const char *decompress_lz4_either(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size) {
    if (!decompress_hadoop(in, in_size, out, out_size)) return NULL;
    return decompress_lz4(in, in_size, out, out_size);
}

const char *codec_decompress(codec *c, int32_t kind, const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size) {
    switch (kind) {
    case CODEC_SNAPPY: return decompress_snappy(in, in_size, out, out_size);
    case CODEC_GZIP: return decompress_gzip(c, in, in_size, out, out_size);
    case CODEC_BROTLI: return decompress_brotli(in, in_size, out, out_size);
    case CODEC_LZ4_HADOOP: return decompress_lz4_either(in, in_size, out, out_size);
    case CODEC_ZSTD: return decompress_zstd(c, in, in_size, out, out_size);
    case CODEC_LZ4_RAW: return decompress_lz4(in, in_size, out, out_size);
    default: return "expected a codec that is known";
    }
}

void codec_end(codec *c) {
    if (c->deflate) libdeflate_free_decompressor(c->deflate);
    if (c->zstd) ZSTD_freeDCtx(c->zstd);
    *c = (codec){0};
}
