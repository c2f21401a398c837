/* levels.c - definition or repetition levels of one page.
 * Called by: page.c, cursor.c.  Must not know: values, rows.
 */
#include "parquet/levels.h"

#include <string.h>

static const char ends_early[] = "expected a level for every value, found that the levels end early";
static const char above_max[] = "expected levels up to the maximum of the schema, found a larger one";

unsigned level_bit_width(unsigned max) {
    unsigned width = 0;
    while (max >> width) width++;
    return width;
}

void levels_init(levels *l, const uint8_t *bytes, size_t size, unsigned max, bool is_legacy) {
    *l = (levels){.max = (uint8_t)max, .is_legacy = is_legacy};
    hybrid_init(&l->runs, bytes, size, level_bit_width(max));
    l->checks_packed = (max & (max + 1)) != 0;
}

static size_t count_max(const uint8_t *level, size_t count, uint8_t max) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) found += level[i] == max;
    return found;
}

static bool any_above(const uint8_t *level, size_t count, uint8_t max) {
    uint8_t above = 0;
    for (size_t i = 0; i < count; i++) above |= level[i] > max;
    return above;
}

/* The deprecated encoding: one sequence of bits, most significant first, padded at its end only. */
static const char *read_legacy(levels *l, uint8_t *out, size_t count, size_t *at_max) {
    unsigned width = l->runs.bit_width;
    size_t bits = (size_t)(l->runs.end - l->runs.at) * 8;
    if (count > bits / width - l->legacy_at) return ends_early;
    for (size_t i = 0; i < count; i++) {
        size_t bit = (l->legacy_at + i) * width;
        unsigned level = 0;
        for (unsigned k = 0; k < width; k++, bit++) level = level << 1 | (l->runs.at[bit / 8] >> (7 - bit % 8) & 1);
        out[i] = (uint8_t)level;
    }
    l->legacy_at += count;
    *at_max = count_max(out, count, l->max);
    return any_above(out, count, l->max) ? above_max : NULL;
}

const char *levels_read(levels *l, uint8_t *out, size_t count, size_t *at_max) {
    if (l->is_legacy) return read_legacy(l, out, count, at_max);
    size_t found = 0;
    while (count > 0) {
        if (!hybrid_next_run(&l->runs)) return ends_early;
        size_t now = l->runs.left < count ? (size_t)l->runs.left : count;
        if (l->runs.is_packed) {
            hybrid_unpack8(&l->runs, out, now);
            if (l->checks_packed && any_above(out, now, l->max)) return above_max;
            found += count_max(out, now, l->max);
        } else {
            if (l->runs.value > l->max) return above_max;
            memset(out, (int)l->runs.value, now);
            found += l->runs.value == l->max ? now : 0;
            hybrid_pass(&l->runs, now);
        }
        out += now;
        count -= now;
    }
    *at_max = found;
    return NULL;
}

const char *levels_pass(levels *l, uint64_t count, uint64_t *at_max) {
    uint8_t piece[512];
    uint64_t found = 0;
    while (count > 0) {
        bool in_run = !l->is_legacy && hybrid_next_run(&l->runs) && !l->runs.is_packed;
        if (in_run) {
            if (l->runs.value > l->max) return above_max;
            uint64_t now = l->runs.left < count ? l->runs.left : count;
            found += l->runs.value == l->max ? now : 0;
            hybrid_pass(&l->runs, (size_t)now);
            count -= now;
        } else {
            size_t now = count < sizeof piece ? (size_t)count : sizeof piece, here = 0;
            const char *fault = levels_read(l, piece, now, &here);
            if (fault) return fault;
            found += here;
            count -= now;
        }
    }
    *at_max = found;
    return NULL;
}
