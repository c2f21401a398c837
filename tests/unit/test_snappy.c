/* test_snappy.c - blocks that libsnappy wrote, every kind of element at the ends of both buffers, damage.
 * Called by: ctest.  Must not know: pages.
 *
 * All buffers are as large as what they hold, so that AddressSanitizer sees one byte too many on either side. Blocks
 * made by hand are noted together with the text that they mean, a byte at a time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <snappy-c.h>
#include <stdlib.h>
#include <string.h>

#include "parquet/snappy.h"

enum { MAX_BLOCK = 8192, MAX_TEXT = 8192 };

/* ---- blocks by hand ---- */

typedef struct made { /* elements and what they mean */
    uint8_t bytes[MAX_BLOCK], text[MAX_TEXT];
    size_t size, text_size;
} made;

static void put_number(made *m, size_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) m->bytes[m->size++] = (uint8_t)(value >> 8 * i);
}

/* Bytes that differ from their neighbours. Lengths from 61 on need bytes of their own; so may shorter ones. */
static void put_literal(made *m, size_t length, size_t length_bytes) {
    m->bytes[m->size++] = (uint8_t)((length_bytes ? 59 + length_bytes : length - 1) << 2);
    put_number(m, length - 1, length_bytes);
    for (size_t i = 0; i < length; i++) {
        uint8_t byte = (uint8_t)(m->text_size * 37 + (m->text_size >> 8) * 11 + 1);
        m->bytes[m->size++] = m->text[m->text_size++] = byte;
    }
}

static void put_copy(made *m, unsigned kind, size_t offset, size_t length) {
    if (kind == 1) {
        m->bytes[m->size++] = (uint8_t)(offset >> 8 << 5 | (length - 4) << 2 | 1);
        put_number(m, offset & 0xff, 1);
    } else {
        m->bytes[m->size++] = (uint8_t)((length - 1) << 2 | kind);
        put_number(m, offset, kind == 2 ? 2 : 4);
    }
    for (size_t i = 0; i < length; i++, m->text_size++) m->text[m->text_size] = m->text[m->text_size - offset];
}

/* The block: its size in front. Returns its bytes in memory of their size; the caller frees them. */
static uint8_t *with_size(const made *m, size_t stated, size_t *size) {
    uint8_t head[5];
    size_t head_size = 0;
    for (size_t rest = stated; head_size == 0 || rest > 0; rest >>= 7)
        head[head_size++] = (uint8_t)((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    *size = head_size + m->size;
    uint8_t *block = malloc(*size);
    assert_non_null(block);
    memcpy(block, head, head_size);
    memcpy(block + head_size, m->bytes, m->size);
    return block;
}

static bool decode_made(const made *m, size_t stated, size_t out_size, const uint8_t *expected) {
    size_t size;
    uint8_t *block = with_size(m, stated, &size), *out = malloc(out_size ? out_size : 1);
    assert_non_null(out);
    bool is_whole = snappy_decode(block, size, out, out_size);
    if (is_whole && expected) assert_memory_equal(out, expected, out_size);
    free(out);
    free(block);
    return is_whole;
}

static void gives_its_text(const made *m) {
    assert_true(decode_made(m, m->text_size, m->text_size, m->text));
}

static void is_refused(const made *m) {
    assert_false(decode_made(m, m->text_size, m->text_size, NULL));
}

/* ---- the sizes at which the ways of decoding change */

/* As many short elements as make `count` bytes of text behind the element under test. */
static void put_tail(made *m, size_t count) {
    for (size_t i = 0; i < count; i++) put_literal(m, 1, 0);
}

static const size_t before[] = {1, 15, 16, 17, 31, 60, 64, 100, 300};

static void put_any_literal(made *m, unsigned tag) {
    unsigned upper = tag >> 2;
    put_literal(m, upper < 60 ? upper + 1 : 70, upper < 60 ? 0 : upper - 59);
}

/* The element of `tag`, with an offset that is 1, as far back as it can be, or in between. */
static void put_element(made *m, unsigned tag, size_t offset) {
    if ((tag & 3) == 0)
        put_any_literal(m, tag);
    else if ((tag & 3) == 1)
        put_copy(m, 1, offset, 4 + (tag >> 2 & 7));
    else
        put_copy(m, tag & 3, offset, (tag >> 2) + 1);
}

static void element_at_all_distances(unsigned tag, size_t text_before, size_t offset) {
    static made m;
    for (size_t tail = 0; tail <= 140; tail += tail < 4 ? 1 : 3) {
        m.size = m.text_size = 0;
        put_literal(&m, text_before, text_before > 60 ? 2 : 0);
        put_element(&m, tag, offset);
        put_tail(&m, tail);
        gives_its_text(&m);
    }
}

static void test_snappy__every_tag_at_every_distance_from_the_ends(void **state) {
    (void)state;
    for (unsigned tag = 0; tag < 256; tag++)
        for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
            element_at_all_distances(tag, before[i], before[i]);
            if ((tag & 3) != 0) element_at_all_distances(tag, before[i], before[i] / 2 + 1);
        }
}

static void test_snappy__every_offset_up_to_a_hundred(void **state) {
    (void)state;
    static made m;
    for (size_t offset = 1; offset <= 100; offset++)
        for (size_t length = 1; length <= 64; length++)
            for (size_t tail = 0; tail <= 128; tail += 64) {
                m.size = m.text_size = 0;
                put_literal(&m, 100, 1);
                put_copy(&m, 2, offset, length);
                put_copy(&m, 2, offset, length); /* of what was just written */
                put_tail(&m, tail);
                gives_its_text(&m);
            }
}

static void test_snappy__elements_in_a_row_without_text_behind_them(void **state) {
    (void)state;
    static made m;
    uint32_t random = 1;
    for (int round = 0; round < 2000; round++) {
        m.size = m.text_size = 0;
        put_literal(&m, 20, 0);
        for (int i = 0; i < 60; i++) {
            random = random * 1664525 + 1013904223;
            unsigned tag = random >> 24;
            size_t far = m.text_size < 2000 ? m.text_size : 2000;
            put_element(&m, tag, 1 + (random >> 8 & 0x7ff) % far);
        }
        gives_its_text(&m);
    }
}

static void test_snappy__nothing_is_a_block_of_size_0(void **state) {
    (void)state;
    made m = {.size = 0};
    assert_true(decode_made(&m, 0, 0, NULL));
    put_literal(&m, 1, 0);
    assert_false(decode_made(&m, 0, 0, NULL));
    assert_false(snappy_decode(m.bytes, 0, m.text, 0));
}

/* ---- damage ---- */

static void test_snappy__another_size_is_refused(void **state) {
    (void)state;
    static made m;
    for (size_t tail = 0; tail <= 140; tail++) {
        m.size = m.text_size = 0;
        put_literal(&m, 30, 0);
        put_copy(&m, 2, 20, 64);
        put_tail(&m, tail);
        for (size_t off = 1; off <= m.text_size; off += off < 70 ? 1 : 50) {
            assert_false(decode_made(&m, m.text_size - off, m.text_size - off, NULL));
            assert_false(decode_made(&m, m.text_size + off, m.text_size + off, NULL));
            assert_false(decode_made(&m, m.text_size, m.text_size + off, NULL));
            assert_false(decode_made(&m, m.text_size - off, m.text_size, NULL));
        }
    }
}

static void test_snappy__a_block_cut_anywhere_is_refused(void **state) {
    (void)state;
    static made m;
    put_literal(&m, 70, 4);
    put_copy(&m, 1, 70, 11);
    put_literal(&m, 60, 0);
    put_copy(&m, 4 - 1, 100, 64);
    put_tail(&m, 50);
    put_copy(&m, 2, 1, 64);
    gives_its_text(&m);
    size_t size;
    uint8_t *block = with_size(&m, m.text_size, &size);
    for (size_t cut = 0; cut < size; cut++) {
        uint8_t *copy = malloc(cut ? cut : 1), *out = malloc(m.text_size);
        assert_true(copy && out);
        memcpy(copy, block, cut);
        assert_false(snappy_decode(copy, cut, out, m.text_size));
        free(copy);
        free(out);
    }
    free(block);
}

/* An offset is read before the text in memory, or at its own end. */
static void test_snappy__offsets_of_0_and_beyond_the_start_are_refused(void **state) {
    (void)state;
    static made m;
    for (unsigned kind = 1; kind <= 3; kind++)
        for (size_t i = 0; i < sizeof before / sizeof *before; i++)
            for (size_t tail = 0; tail <= 140; tail += 14)
                for (size_t wrong = 0; wrong < 4; wrong++) {
                    const size_t offsets[] = {0, before[i] + 1, before[i] + 300, 2047};
                    m.size = m.text_size = 0;
                    put_literal(&m, before[i], before[i] > 60 ? 1 + (before[i] > 256) : 0);
                    size_t at = m.size;
                    put_copy(&m, kind, 1, 8);
                    m.size = at + 1;
                    put_number(&m, offsets[wrong], kind == 3 ? 4 : kind);
                    if (kind == 1) m.bytes[at] = (uint8_t)(offsets[wrong] >> 8 << 5 | 4 << 2 | 1);
                    put_tail(&m, tail);
                    is_refused(&m);
                }
}

static void test_snappy__an_offset_of_four_bytes_is_not_cut_to_two(void **state) {
    (void)state;
    static made m;
    for (size_t high = 1; high < 65536; high *= 2) {
        m.size = m.text_size = 0;
        put_literal(&m, 100, 1);
        put_copy(&m, 3, 50, 8);
        m.bytes[m.size - 2] = (uint8_t)high;
        m.bytes[m.size - 1] = (uint8_t)(high >> 8);
        put_tail(&m, 100);
        is_refused(&m);
    }
}

static void test_snappy__lengths_of_literals_beyond_the_buffers_are_refused(void **state) {
    (void)state;
    static made m;
    static const size_t wrong[] = {0xff, 0xffff, 0xffffff, 0x7fffffff, 0xffffffff};
    for (size_t length_bytes = 1; length_bytes <= 4; length_bytes++)
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            m.size = m.text_size = 0;
            put_literal(&m, 20, 0);
            size_t at = m.size;
            put_literal(&m, 80, length_bytes);
            m.size = at + 1;
            put_number(&m, wrong[i], length_bytes);
            m.size += 80;
            is_refused(&m);
        }
}

/* Its length is 2^32, which is 0 in 32 bits. libsnappy 1.1.9 takes it for an empty one. */
static void test_snappy__the_longest_literal_is_not_an_empty_one(void **state) {
    (void)state;
    static made m;
    for (size_t text = 0; text <= 140; text += 14) {
        m.size = m.text_size = 0;
        put_tail(&m, text);
        put_number(&m, 0xfc, 1);
        put_number(&m, 0xffffffff, 4);
        is_refused(&m);
        put_tail(&m, text);
        is_refused(&m);
    }
}

/* ---- the size in front ---- */

static void states(const uint8_t *bytes, size_t size, bool is_there, uint32_t expected) {
    uint32_t stated = 0;
    uint8_t *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    assert_int_equal(snappy_stated_size(copy, size, &stated), is_there);
    if (is_there) assert_int_equal(stated, expected);
    free(copy);
}

#define BYTES(text) (const uint8_t *)(text), sizeof(text) - 1

static void test_snappy__the_size_in_front_is_a_number_of_32_bits(void **state) {
    (void)state;
    states(BYTES(""), false, 0);
    states(BYTES("\x00"), true, 0);
    states(BYTES("\x7f"), true, 127);
    states(BYTES("\x80"), false, 0);
    states(BYTES("\x80\x01"), true, 128);
    states(BYTES("\xff\xff\xff\xff\x0f"), true, UINT32_MAX);
    states(BYTES("\xff\xff\xff\xff\x10"), false, 0);
    states(BYTES("\xff\xff\xff\xff\x8f\x00"), false, 0);
    states(BYTES("\x81\x80\x80\x80\x00"), true, 1); /* longer than it need be */
}

/* ---- libsnappy ---- */

typedef enum { SAME, PERIODS, NOISE, WORDS, RECORDS, PATTERNS } pattern;

static void fill(uint8_t *text, size_t size, pattern kind, uint32_t seed) {
    static const char record[] =
        "{\"numRecords\":1000,\"minValues\":{\"id\":17,\"name\":\"abc\"},\"nullCount\":{\"id\":0}}";
    uint32_t random = seed * 2 + 1;
    for (size_t i = 0; i < size; i++) {
        random = random * 1664525 + 1013904223;
        switch (kind) {
        case SAME: text[i] = 'x'; break;
        case PERIODS: text[i] = (uint8_t)(i % (seed % 40 + 1) * 7); break;
        case NOISE: text[i] = (uint8_t)(random >> 24); break;
        case WORDS: text[i] = (uint8_t)("aab cd"[(random >> 28) % 6]); break;
        case RECORDS:
            text[i] = random >> 28 ? (uint8_t)record[i % (sizeof record - 1)] : (uint8_t)('0' + (random >> 24) % 10);
            break;
        case PATTERNS: break;
        }
    }
}

static void comes_back(const uint8_t *text, size_t size) {
    size_t packed_size = snappy_max_compressed_length(size);
    char *packed = malloc(packed_size);
    assert_non_null(packed);
    assert_int_equal(snappy_compress((const char *)text, size, packed, &packed_size), SNAPPY_OK);
    uint8_t *in = malloc(packed_size), *out = malloc(size ? size : 1);
    assert_true(in && out);
    memcpy(in, packed, packed_size);
    assert_true(snappy_decode(in, packed_size, out, size));
    assert_memory_equal(out, text, size);
    free(packed);
    free(in);
    free(out);
}

static void test_snappy__what_libsnappy_writes_comes_back(void **state) {
    (void)state;
    static const size_t sizes[] = {300, 1000, 4095, 65535, 65536, 65537, 200000};
    static uint8_t text[200000];
    for (int kind = SAME; kind < PATTERNS; kind++) {
        for (uint32_t size = 0; size < 300; size++) {
            fill(text, size, (pattern)kind, size);
            comes_back(text, size);
        }
        for (uint32_t i = 0; i < 7 * sizeof sizes / sizeof *sizes; i++) {
            fill(text, sizes[i / 7], (pattern)kind, i);
            comes_back(text, sizes[i / 7]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_snappy__every_tag_at_every_distance_from_the_ends),
        cmocka_unit_test(test_snappy__every_offset_up_to_a_hundred),
        cmocka_unit_test(test_snappy__elements_in_a_row_without_text_behind_them),
        cmocka_unit_test(test_snappy__nothing_is_a_block_of_size_0),
        cmocka_unit_test(test_snappy__another_size_is_refused),
        cmocka_unit_test(test_snappy__a_block_cut_anywhere_is_refused),
        cmocka_unit_test(test_snappy__offsets_of_0_and_beyond_the_start_are_refused),
        cmocka_unit_test(test_snappy__an_offset_of_four_bytes_is_not_cut_to_two),
        cmocka_unit_test(test_snappy__lengths_of_literals_beyond_the_buffers_are_refused),
        cmocka_unit_test(test_snappy__the_longest_literal_is_not_an_empty_one),
        cmocka_unit_test(test_snappy__the_size_in_front_is_a_number_of_32_bits),
        cmocka_unit_test(test_snappy__what_libsnappy_writes_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
