/* snappy_fuzz.c - any bytes as a snappy block: libsnappy and we agree.
 * Called by: libFuzzer, tests/fuzz/replay_main.c.  Must not know: pages.
 *
 * Property: whatever the block, save for one kind, both refuse it, or both give the same bytes. Each input is tried as
 * it is, and as elements that lack their size: what they mean together is added up and put in front, so that the size
 * is right however the input was changed. Buffers have exactly the size that they need.
 */
#include <snappy-c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parquet/snappy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_OUT = 1 << 20, MAX_HEAD = 5 };

#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                            \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

static uint8_t *take_memory(size_t size) {
    uint8_t *memory = malloc(size ? size : 1);
    if (!memory) abort();
    return memory;
}

/* The bytes of the element at *at, which moves behind it; the end of the input may come first. */
static uint64_t element_size(const uint8_t *data, size_t size, size_t *at) {
    static const size_t trailers[] = {0, 1, 2, 4};
    size_t tag = data[(*at)++], upper = tag >> 2;
    uint64_t length = upper + 1;
    if (tag & 3) {
        *at += trailers[tag & 3];
        return (tag & 3) == 1 ? (upper & 7) + 4 : length;
    }
    if (upper >= 60) {
        length = 1;
        for (size_t i = 0; i < upper - 59 && *at < size; i++) length += (uint64_t)data[(*at)++] << 8 * i;
    }
    *at = length < size - *at ? *at + (size_t)length : size;
    return length;
}

/* libsnappy 1.1.9 adds 1 to the length of a literal in 32 bits, so it takes the longest one, of 2^32 bytes, for an
 * empty one and goes on. We refuse it, as no input holds it. */
static bool has_longest_literal(const uint8_t *data, size_t size) {
    size_t at = 0;
    while (at < size && (data[at] & 0x80)) at++;
    for (at++; at < size;)
        if (element_size(data, size, &at) > UINT32_MAX) return true;
    return false;
}

static void check_other_sizes(const uint8_t *block, size_t size, uint32_t stated) {
    uint8_t *out = take_memory((size_t)stated + 1);
    REQUIRE(!snappy_decode(block, size, out, (size_t)stated + 1));
    REQUIRE(stated == 0 || !snappy_decode(block, size, out, (size_t)stated - 1));
    free(out);
}

static void check_block(const uint8_t *block, size_t size) {
    uint32_t stated = 0;
    size_t their_size;
    bool has_size = snappy_stated_size(block, size, &stated);
    REQUIRE(has_size == (snappy_uncompressed_length((const char *)block, size, &their_size) == SNAPPY_OK));
    if (!has_size) return;
    REQUIRE(stated == their_size);
    if (stated > MAX_OUT) return;
    uint8_t *ours = take_memory(stated), *theirs = take_memory(stated);
    bool is_whole = snappy_decode(block, size, ours, stated);
    if (has_longest_literal(block, size))
        REQUIRE(!is_whole);
    else
        REQUIRE(is_whole == (snappy_uncompress((const char *)block, size, (char *)theirs, &their_size) == SNAPPY_OK));
    REQUIRE(!is_whole || (their_size == stated && memcmp(ours, theirs, stated) == 0));
    free(ours);
    free(theirs);
    check_other_sizes(block, size, stated);
}

static void check_elements(const uint8_t *data, size_t size) {
    uint64_t total = 0;
    size_t head = 0;
    for (size_t at = 0; at < size && total <= MAX_OUT;) total += element_size(data, size, &at);
    if (total > MAX_OUT) return;
    uint8_t front[MAX_HEAD];
    for (uint64_t rest = total; head == 0 || rest > 0; rest >>= 7)
        front[head++] = (uint8_t)((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    uint8_t *block = take_memory(head + size);
    memcpy(block, front, head);
    if (size) memcpy(block + head, data, size);
    check_block(block, head + size);
    free(block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    check_block(data, size);
    check_elements(data, size);
    return 0;
}
