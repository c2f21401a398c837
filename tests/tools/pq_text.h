/* pq_text.h - slices of Parquet leaves as text: one line a level entry.
 * Called by: pq_dump.c, unit tests.  Must not know: where the lines go.
 *
 * A line is the repetition level, the definition level and the value, or "-" where there is none. Integers are decimal,
 * floats are the bits of the number in hexadecimal, bytes are hexadecimal. tests/compare and tests/data make the same
 * text by other means.
 */
#ifndef TOOLS_PQ_TEXT_H
#define TOOLS_PQ_TEXT_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parquet/parquet.h"

typedef void (*pq_text_sink)(void *context, const char *text, size_t size);

static inline void pq_text_hex(const void *bytes, size_t size, pq_text_sink put, void *context) {
    static const char digit[] = "0123456789abcdef";
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < size; i++) put(context, (char[2]){digit[byte[i] >> 4], digit[byte[i] & 15]}, 2);
}

static inline void pq_text_value(const pq_node *leaf, const pq_slice *slice, size_t i, pq_text_sink put,
                                 void *context) {
    char text[32];
    uint32_t bits32;
    uint64_t bits64;
    int len = 0;
    switch (leaf->type) {
    case PQ_BOOLEAN: len = snprintf(text, sizeof text, "%d", slice->value.boolean[i]); break;
    case PQ_INT32: len = snprintf(text, sizeof text, "%" PRId32, slice->value.int32[i]); break;
    case PQ_INT64: len = snprintf(text, sizeof text, "%" PRId64, slice->value.int64[i]); break;
    case PQ_FLOAT:
        memcpy(&bits32, &slice->value.float32[i], sizeof bits32);
        len = snprintf(text, sizeof text, "%08" PRIx32, bits32);
        break;
    case PQ_DOUBLE:
        memcpy(&bits64, &slice->value.float64[i], sizeof bits64);
        len = snprintf(text, sizeof text, "%016" PRIx64, bits64);
        break;
    case PQ_INT96: pq_text_hex(slice->value.int96 + 12 * i, 12, put, context); return;
    case PQ_BYTE_ARRAY:
    case PQ_FIXED_LEN_BYTE_ARRAY:
        pq_text_hex(slice->value.bytes[i].ptr, slice->value.bytes[i].len, put, context);
        return;
    }
    put(context, text, (size_t)len);
}

static inline void pq_text_slice(const pq_node *leaf, const pq_slice *slice, pq_text_sink put, void *context) {
    size_t value = 0;
    for (size_t i = 0; i < slice->level_count; i++) {
        unsigned def = slice->def ? slice->def[i] : 0, rep = slice->rep ? slice->rep[i] : 0;
        char text[32];
        int len = snprintf(text, sizeof text, "%u %u ", rep, def);
        put(context, text, (size_t)len);
        if (def == leaf->max_def)
            pq_text_value(leaf, slice, value++, put, context);
        else
            put(context, "-", 1);
        put(context, "\n", 1);
    }
    if (value != slice->value_count) abort();
}

#endif
