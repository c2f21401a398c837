/* snappy.c - a snappy block to its bytes.
 * Called by: codec.c.  Must not know: pages, where the size of the output comes from.
 *
 * A block is its decoded size as a varint, then elements. An element is a tag, perhaps up to four bytes behind it, and
 * for a literal its bytes. The two low bits of the tag say which:
 *
 *     0  literal  length - 1 in the upper six bits; from 60 on they say that it stands in the next 1 to 4 bytes
 *     1  copy     length - 4 in the next three bits, offset / 256 in the upper three, offset % 256 in the next byte
 *     2  copy     length - 1 in the upper six bits, offset in the next two bytes
 *     3  copy     length - 1 in the upper six bits, offset in the next four bytes
 *
 * Numbers are little-endian. A copy repeats what begins `offset` bytes before the end of the output so far, and may run
 * into what it writes: the bytes then repeat with the period `offset`.
 *
 * Statistics texts have an element every eight bytes and kinds that a processor cannot foresee, so a loop that asks for
 * the kind spends its time on wrong guesses. run_fast does not ask: it moves 48 bytes from the place, and forward by
 * the length, that a table and a selection give. It leaves the rare and the dangerous to take_element, which checks
 * all.
 */
#include "parquet/snappy.h"

#include <string.h>

#include "parquet/parquet_int.h"

typedef struct stream {
    const uint8_t *in, *in_end;
    uint8_t *out, *out_start, *out_end;
} stream;

enum {
    LITERAL,
    COPY_1,
    COPY_2,
    COPY_4,
    PIECE = 16,          /* bytes moved at once */
    MAX_SHORT = 60,      /* bytes of a literal whose length is in its tag */
    MAX_ELEMENT = 64,    /* bytes that a copy writes, rounded up to whole pieces; no less than MAX_SHORT + a tag */
    LENGTH_BYTES_MAX = 5 /* of the varint in front */
};

/* ---- one element, checked to the last byte ---- */

static size_t load_low(const uint8_t *p, size_t count) {
    size_t value = 0;
    for (size_t i = 0; i < count; i++) value |= (size_t)p[i] << 8 * i;
    return value;
}

static bool take_literal(stream *s, size_t tag) {
    size_t last = tag >> 2; /* one less than the length, which may be 2^32 */
    if (last >= MAX_SHORT) {
        size_t count = last - MAX_SHORT + 1;
        if ((size_t)(s->in_end - s->in) < count) return false;
        last = load_low(s->in, count);
        s->in += count;
    }
    if (last >= (size_t)(s->in_end - s->in) || last >= (size_t)(s->out_end - s->out)) return false;
    memcpy(s->out, s->in, last + 1);
    s->in += last + 1;
    s->out += last + 1;
    return true;
}

/* A word whose bytes repeat with a period below 8: times this, the bytes of one period, the others being 0. */
static const uint64_t repeat[8] = {
    0,
    0x0101010101010101,
    0x0001000100010001,
    0x0001000001000001,
    0x0000000100000001,
    0x0000010000000001,
    0x0001000000000001,
    0x0100000000000001,
};

/* Write up to MAX_ELEMENT bytes that repeat with the period `offset`, in words: up to seven more than `length`. Words
 * must not run into themselves, so a period below 8 becomes the smallest of its multiples from 8 on, which is at most
 * 8 + offset - 1: what the second word reads is there. The stride doubles when there is enough to read, since a word
 * just written is slow to read back. */
static void repeat_words(uint8_t *out, size_t offset, size_t length) {
    size_t at = 0, stride = offset;
    if (offset < 8) {
        uint64_t period = load_le64(out - offset) & ((UINT64_C(1) << 8 * offset) - 1);
        store_le64(out, period * repeat[offset]);
        at = 8;
        while (stride < 8) stride += offset;
    }
    for (; at < length; at += 8) {
        if (2 * stride <= at + offset) stride *= 2;
        memcpy(out + at, out + at - stride, 8);
    }
}

static bool take_copy(stream *s, size_t tag) {
    static const uint8_t trailer[] = {[COPY_1] = 1, [COPY_2] = 2, [COPY_4] = 4};
    size_t kind = tag & 3, count = trailer[kind], length = (tag >> 2) + 1;
    if ((size_t)(s->in_end - s->in) < count) return false;
    size_t offset = load_low(s->in, count), room = (size_t)(s->out_end - s->out);
    if (kind == COPY_1) {
        length = (tag >> 2 & 7) + 4;
        offset |= tag >> 5 << 8;
    }
    if (offset == 0 || offset > (size_t)(s->out - s->out_start) || length > room) return false;
    if (room >= MAX_ELEMENT)
        repeat_words(s->out, offset, length);
    else
        for (size_t i = 0; i < length; i++) s->out[i] = *(s->out + i - offset);
    s->in += count;
    s->out += length;
    return true;
}

static bool take_element(stream *s) {
    size_t tag = *s->in++;
    return (tag & 3) == LITERAL ? take_literal(s, tag) : take_copy(s, tag);
}

/* ---- many elements ---- */

typedef struct tag_row { /* of eight bytes, so that a tag is an index without arithmetic */
    uint32_t mask;       /* offset = (the bytes behind the tag & mask) + base */
    uint16_t base;
    uint8_t length;
    uint8_t is_literal;
} tag_row;

/* A literal has an offset that any copy may have, so that it passes the check of offsets; what run_fast leaves to
 * take_element has the offset 0, which does not. */
#define LITERAL_ROW(n)                                                                                                 \
    { 0, (n) < MAX_SHORT ? PIECE : 0, (n) + 1, 1 }
#define COPY_1_ROW(n)                                                                                                  \
    { 0xff, (n) / 8 * 256, (n) % 8 + 4, 0 }
#define COPY_2_ROW(n)                                                                                                  \
    { 0xffff, 0, (n) + 1, 0 }
#define COPY_4_ROW(n)                                                                                                  \
    { 0, 0, (n) + 1, 0 }
#define ROWS_4(n)  LITERAL_ROW(n), COPY_1_ROW(n), COPY_2_ROW(n), COPY_4_ROW(n)
#define ROWS_16(n) ROWS_4(n), ROWS_4((n) + 1), ROWS_4((n) + 2), ROWS_4((n) + 3)
#define ROWS_64(n) ROWS_16(n), ROWS_16((n) + 4), ROWS_16((n) + 8), ROWS_16((n) + 12)

static const tag_row rows[256] = {ROWS_64(0), ROWS_64(16), ROWS_64(32), ROWS_64(48)};

/* One piece after the other: a copy whose offset is a piece or more may run into what it writes, and its next piece
 * reads that. */
static inline void move_piece(uint8_t *to, const uint8_t *from, size_t at) {
    uint8_t piece[PIECE];
    memcpy(piece, from + at, PIECE);
    memcpy(to + at, piece, PIECE);
}

/* Take elements while both ends are far, up to the first one that is long, near or wrong.
 *
 * At the top of the loop `in` stands behind the tag, MAX_ELEMENT bytes or more before the end: a literal is read from
 * there in whole pieces, and the tag behind it. A piece or more has been written, so a single comparison tells offsets
 * of a piece and more that lie in the output from all others.
 *
 * The time from one tag to the next decides over the speed: a load, a selection and an addition. So the step is
 * selected from registers, but the source by a load, or else compilers see one condition and make it a branch; and it
 * is added to an integer, or else they compute the address of the tag first. */
static void run_fast(stream *s) {
    if (s->in_end - s->in <= MAX_ELEMENT || s->out_end - s->out < MAX_ELEMENT || s->out - s->out_start < PIECE) return;
    const uint8_t *in = s->in, *in_limit = s->in_end - MAX_ELEMENT;
    uint8_t *out = s->out, *out_limit = s->out_end - MAX_ELEMENT, *first_piece_end = s->out_start + PIECE;
    size_t tag = *in++;
    while (in <= in_limit && out <= out_limit) {
        const tag_row *row = &rows[tag];
        size_t kind = tag & 3, upper = tag >> 2, length = row->length;
        size_t offset = (load_le32(in) & row->mask) + row->base;
        if (offset - PIECE > (size_t)(out - first_piece_end)) break;
        const uint8_t *source[] = {out - offset, in}, *from = source[row->is_literal];
        size_t step = kind ? kind : upper + 1;
        tag = in[step];
        in = (const uint8_t *)((uintptr_t)in + step + 1);
        move_piece(out, from, 0);
        move_piece(out, from, PIECE);
        move_piece(out, from, 2 * PIECE);
        if (length > 3 * PIECE) move_piece(out, from, 3 * PIECE);
        out += length;
    }
    s->in = in - 1;
    s->out = out;
}

/* ---- a block ---- */

/* The varint in front. Returns its bytes, or 0. */
static size_t read_size(const uint8_t *in, size_t in_size, uint32_t *out_size) {
    uint64_t value = 0;
    for (size_t i = 0; i < in_size && i < LENGTH_BYTES_MAX; i++) {
        value |= (uint64_t)(in[i] & 0x7f) << 7 * i;
        if (in[i] & 0x80) continue;
        *out_size = (uint32_t)value;
        return value <= UINT32_MAX ? i + 1 : 0;
    }
    return 0;
}

bool snappy_stated_size(const uint8_t *in, size_t in_size, uint32_t *out_size) {
    return read_size(in, in_size, out_size) > 0;
}

bool snappy_decode(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size) {
    uint32_t stated;
    size_t head = read_size(in, in_size, &stated);
    if (head == 0 || stated != out_size) return false;
    stream s = {in + head, in + in_size, out, out, out + out_size};
    while (s.in < s.in_end) {
        run_fast(&s);
        if (!take_element(&s)) return false;
    }
    return s.out == s.out_end;
}
