/* test_parquet_bits.c - runs, packed bits and differences against encoders that work bit by bit.
 * Called by: ctest.  Must not know: pages.
 */
#include "in_door.h"

#include <string.h>

#include "parquet/delta_bits.h"
#include "parquet/levels.h"

enum { VALUES = 3000, BYTES = VALUES * 9 + 64 };

static uint64_t dice_state;

static uint64_t dice(void) { /* xorshift64* */
    dice_state ^= dice_state >> 12, dice_state ^= dice_state << 25, dice_state ^= dice_state >> 27;
    return dice_state * 0x2545F4914F6CDD1Du;
}

static uint64_t mask_of(unsigned width) {
    return width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

/* ---- an encoder that is too simple to be wrong ---- */

typedef struct bytes {
    uint8_t at[BYTES];
    size_t size;
} bytes;

static void put_varint(bytes *b, uint64_t value) {
    for (; value >= 0x80; value >>= 7) b->at[b->size++] = (uint8_t)(value | 0x80);
    b->at[b->size++] = (uint8_t)value;
}

static void put_bits(bytes *b, const uint64_t *value, size_t count, unsigned width) {
    size_t bit = b->size * 8;
    memset(b->at + b->size, 0, (count * width + 7) / 8);
    for (size_t i = 0; i < count; i++)
        for (unsigned k = 0; k < width; k++, bit++) b->at[bit / 8] |= (uint8_t)((value[i] >> k & 1) << (bit % 8));
    b->size += (count * width + 7) / 8;
}

/* Random runs of both kinds. Returns how many values they hold. */
static size_t put_runs(bytes *b, uint64_t *value, unsigned width, uint64_t max) {
    size_t count = 0;
    while (count + 200 < VALUES && dice() % 40 != 0) {
        if (dice() % 2) {
            size_t groups = dice() % 20;
            for (size_t i = 0; i < groups * 8; i++) value[count + i] = dice() % 3 ? dice() % (max + 1) : max;
            put_varint(b, groups << 1 | 1);
            put_bits(b, value + count, groups * 8, width);
            count += groups * 8;
        } else {
            size_t run = dice() % 190;
            uint64_t same = dice() % 2 ? max : dice() % (max + 1);
            for (size_t i = 0; i < run; i++) value[count + i] = same;
            put_varint(b, run << 1);
            for (unsigned k = 0; k < (width + 7) / 8; k++) b->at[b->size++] = (uint8_t)(same >> (8 * k));
            count += run;
        }
    }
    return count;
}

/* ---- runs ---- */

static size_t piece_of(size_t left) {
    size_t piece = 1 + dice() % (dice() % 2 ? 5 : 300);
    return piece < left ? piece : left;
}

static void check_runs32(unsigned width) {
    static bytes b;
    static uint64_t value[VALUES];
    b.size = 0;
    size_t count = put_runs(&b, value, width, mask_of(width) & UINT32_MAX);
    hybrid h;
    hybrid_init(&h, b.at, b.size, width);
    for (size_t at = 0; at < count;) {
        uint32_t out[300];
        assert_true(hybrid_next_run(&h));
        size_t now = piece_of(count - at);
        if (now > h.left) now = (size_t)h.left;
        if (h.is_packed)
            hybrid_unpack32(&h, out, now);
        else
            hybrid_pass(&h, now);
        for (size_t i = 0; i < now; i++)
            if ((h.is_packed ? out[i] : h.value) != value[at + i]) fail_msg("width %u, value %zu", width, at + i);
        at += now;
    }
    while (hybrid_next_run(&h)) fail_msg("width %u: more than was written", width);
}

static void test_hybrid__gives_back_runs_of_every_width(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++)
        for (unsigned width = 0; width <= 32; width++) {
            dice_state = seed * 1000 + width;
            check_runs32(width);
        }
}

static void test_hybrid__refuses_runs_without_their_bytes(void **state) {
    (void)state;
    static const uint8_t no_value[] = {4}, no_end[] = {0x80, 0x80, 0x80, 0x80, 0x80, 1}, nothing[] = {3};
    static const uint8_t two_groups[] = {5, 1, 2, 3, 4, 5}; /* of three bits: 6 bytes, the last group may be cut */
    hybrid h;
    hybrid_init(&h, no_value, 1, 1);
    assert_false(hybrid_next_run(&h));
    hybrid_init(&h, no_end, sizeof no_end, 1);
    assert_false(hybrid_next_run(&h));
    hybrid_init(&h, nothing, 1, 1);
    assert_false(hybrid_next_run(&h));
    hybrid_init(&h, nothing, 0, 1);
    assert_false(hybrid_next_run(&h));
    hybrid_init(&h, two_groups, 6, 3);
    assert_true(hybrid_next_run(&h));
    assert_int_equal(h.left, 13);
    hybrid_init(&h, two_groups, 4, 3);
    assert_false(hybrid_next_run(&h));
}

/* ---- levels ---- */

static void check_levels(unsigned max) {
    static bytes b;
    static uint64_t value[VALUES];
    static uint8_t out[VALUES];
    b.size = 0;
    size_t count = put_runs(&b, value, level_bit_width(max), max), at = 0;
    levels read, pass;
    levels_init(&read, b.at, b.size, max, false);
    levels_init(&pass, b.at, b.size, max, false);
    while (at < count) {
        size_t now = piece_of(count - at), present = 0, expected = 0;
        uint64_t passed = 0;
        assert_null(levels_read(&read, out, now, &present));
        assert_null(levels_pass(&pass, now, &passed));
        for (size_t i = 0; i < now; i++) {
            if (out[i] != value[at + i]) fail_msg("maximum %u, level %zu", max, at + i);
            expected += value[at + i] == max;
        }
        assert_int_equal(present, expected);
        assert_int_equal(passed, expected);
        at += now;
    }
    size_t unused;
    if (read.runs.left == 0) assert_non_null(levels_read(&read, out, 1, &unused));
}

static void test_levels__come_back_in_pieces_and_are_counted(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++)
        for (unsigned max = 1; max <= 127; max += 1 + max / 5) {
            dice_state = seed * 1000 + max;
            check_levels(max);
        }
}

static void test_levels__above_the_maximum_are_found_in_runs_and_in_bits(void **state) {
    (void)state;
    static const uint8_t run[] = {4, 3}, packed[] = {3, 0xE4, 0}; /* twice 3; 0 1 2 3 0 0 0 0 in two bits each */
    uint8_t out[8];
    size_t at_max;
    uint64_t passed;
    levels l;
    levels_init(&l, run, sizeof run, 2, false);
    assert_non_null(levels_read(&l, out, 2, &at_max));
    levels_init(&l, run, sizeof run, 2, false);
    assert_non_null(levels_pass(&l, 2, &passed));
    levels_init(&l, packed, sizeof packed, 2, false);
    assert_null(levels_read(&l, out, 3, &at_max));
    assert_int_equal(at_max, 1);
    assert_non_null(levels_read(&l, out, 1, &at_max));
    levels_init(&l, packed, sizeof packed, 3, false);
    assert_null(levels_read(&l, out, 8, &at_max));
    assert_int_equal(at_max, 1);
}

/* The example of Encodings.md: 0 to 7 in three bits. */
static void test_levels__legacy_bits_are_those_of_the_specification(void **state) {
    (void)state;
    static const uint8_t bits[] = {0x05, 0x39, 0x77};
    uint8_t out[8];
    size_t at_max;
    levels l;
    levels_init(&l, bits, sizeof bits, 7, true);
    assert_null(levels_read(&l, out, 3, &at_max));
    assert_null(levels_read(&l, out + 3, 5, &at_max));
    for (uint8_t i = 0; i < 8; i++) assert_int_equal(out[i], i);
    assert_int_equal(at_max, 1);
    assert_non_null(levels_read(&l, out, 1, &at_max));
}

/* ---- packed bits and differences ---- */

static void test_unpack__every_width_up_to_64(void **state) {
    (void)state;
    static bytes b;
    uint64_t value[96], out[96];
    for (unsigned width = 0; width <= 64; width++) {
        dice_state = width + 1;
        for (size_t i = 0; i < 96; i++) value[i] = dice() & mask_of(width);
        b.size = 0;
        put_bits(&b, value, 96, width);
        unpack_bits64(b.at, width, out, 96);
        assert_memory_equal(value, out, sizeof out);
    }
}

static void put_delta(bytes *b, const uint64_t *value, size_t count, unsigned block, unsigned minis) {
    put_varint(b, block);
    put_varint(b, minis);
    put_varint(b, count);
    put_varint(b, value[0] << 1 ^ (0 - (value[0] >> 63)));
    for (size_t at = 1; at < count; at += block) {
        uint64_t step[512] = {0}, least = dice() % 3 ? 0 : dice(), width_of[16] = {0};
        size_t here = count - at < block ? count - at : block, per = block / minis;
        for (size_t i = 0; i < here; i++) step[i] = value[at + i] - value[at + i - 1] - least;
        for (size_t i = 0; i < here; i++)
            while (step[i] & ~mask_of((unsigned)width_of[i / per])) width_of[i / per]++;
        put_varint(b, least << 1 ^ (0 - (least >> 63)));
        for (unsigned k = 0; k < minis; k++) b->at[b->size++] = (uint8_t)width_of[k];
        for (size_t k = 0; k * per < here; k++) put_bits(b, step + k * per, per, (unsigned)width_of[k]);
    }
}

static void check_delta(uint64_t seed) {
    static bytes b;
    static uint64_t value[1000], out[1000];
    static const unsigned shape[][2] = {{128, 4}, {128, 1}, {256, 8}, {512, 16}, {512, 2}};
    dice_state = seed;
    size_t count = 1 + dice() % 999;
    unsigned spread = (unsigned)(dice() % 64);
    for (size_t i = 0; i < count; i++)
        value[i] = (i ? value[i - 1] : 0) + (dice() & mask_of(spread)) - (mask_of(spread) >> 1);
    b.size = 0;
    put_delta(&b, value, count, shape[seed % 5][0], shape[seed % 5][1]);
    delta_bits d;
    const uint8_t *end;
    assert_null(delta_bits_init(&d, b.at, b.size));
    assert_int_equal(d.left, count);
    assert_null(delta_bits_end(&d, &end));
    assert_int_equal(end - b.at, b.size);
    for (size_t at = 0; at < count;) {
        size_t now = piece_of(count - at);
        assert_null(delta_bits_read(&d, out + at, now));
        at += now;
    }
    assert_memory_equal(out, value, count * sizeof *value);
    assert_non_null(delta_bits_read(&d, out, 1));
    for (size_t cut = 0; cut < b.size; cut += 1 + b.size / 20) { /* never past the end, and never whole */
        const char *fault = delta_bits_init(&d, b.at, cut);
        if (!fault) fault = delta_bits_read(&d, out, count);
        assert_non_null(fault);
    }
}

static void test_delta__gives_back_any_integers_in_pieces(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) check_delta(seed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hybrid__gives_back_runs_of_every_width),
        cmocka_unit_test(test_hybrid__refuses_runs_without_their_bytes),
        cmocka_unit_test(test_levels__come_back_in_pieces_and_are_counted),
        cmocka_unit_test(test_levels__above_the_maximum_are_found_in_runs_and_in_bits),
        cmocka_unit_test(test_levels__legacy_bits_are_those_of_the_specification),
        cmocka_unit_test(test_unpack__every_width_up_to_64),
        cmocka_unit_test(test_delta__gives_back_any_integers_in_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
