/* json_names.h - a set of member names that a key is looked up in without a copy.
 * Called by: json_reader.c.  Must not know: the grammar around a key.
 *
 * Most keys are in no set, so what counts is to find that out: the length and the last two bytes pick one of 64 bits,
 * and of a small set few are 1. Behind that stands a hash table.
 */
#ifndef JSON_JSON_NAMES_H
#define JSON_JSON_NAMES_H

#include <string.h>

#include "json/json.h"

typedef struct names_slot {
    uint64_t tail;
    str name;
    size_t which; /* place in the set + 1; 0 where the slot is free */
} names_slot;

struct json_names {
    names_slot *slot;
    uint32_t mask; /* slots - 1; never all are taken */
    uint64_t bits; /* names_bit of each name */
};

/* Where the bit of this is 0, the key is none of the names. Before the key stands its quote, and before that another
 * byte, which counts only for the empty key: of that all bits are 1. */
static inline unsigned names_bit(const char *key_end, size_t len) {
    uint16_t last;
    memcpy(&last, key_end - sizeof last, sizeof last);
    return (last + (uint32_t)len * 8) * 0x9E37u >> 11 & 63;
}

/* Whether a key without escapes is one of the names, and which. */
bool names_find(const json_names *n, const char *key, size_t len, size_t *which);

#endif
