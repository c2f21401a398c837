/* fold.c - lower case by table.
 * Called by: delta (column names), plan (names in SQL).  Must not know: what the texts name.
 */
#include "base/fold.h"

#include "base/utf8.h"

typedef struct fold_run {
    uint32_t first, last;
    uint8_t step;
    int32_t distance;
} fold_run;

static const fold_run runs[] = {
#define FOLD(first, last, step, distance) {first, last, step, distance},
#include "base/fold_table.def"
#undef FOLD
};

/* The last run that starts at or before the character. */
static const fold_run *find_run(uint32_t c) {
    size_t low = 0, high = sizeof runs / sizeof *runs;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (runs[middle].first <= c) low = middle + 1;
        else high = middle;
    }
    return low ? &runs[low - 1] : NULL;
}

static uint32_t lower(uint32_t c) {
    if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
    const fold_run *run = find_run(c);
    if (!run || c > run->last || (c - run->first) % run->step != 0) return c;
    return (uint32_t)((int32_t)c + run->distance);
}

/* The next character, or one byte moved out of the way of all characters where there is none. */
static uint32_t next(str s, size_t *at) {
    if (str_utf8_length(s, *at) > 0) return utf8_next(s, at);
    return 0x110000u + (unsigned char)s.ptr[(*at)++];
}

/* An ASCII byte is a whole character: most texts that differ are told apart by their ends. */
static bool ends_differ(str a, str b) {
    if (a.len == 0 || b.len == 0) return a.len != b.len;
    unsigned char x = (unsigned char)a.ptr[a.len - 1], y = (unsigned char)b.ptr[b.len - 1];
    return x < 0x80 && y < 0x80 && lower(x) != lower(y);
}

bool str_eq_folded(str a, str b) {
    size_t i = 0, k = 0;
    if (ends_differ(a, b)) return false;
    while (i < a.len && k < b.len)
        if (lower(next(a, &i)) != lower(next(b, &k))) return false;
    return i == a.len && k == b.len;
}

uint64_t str_hash_folded(str s) {
    uint64_t hash = str_hash(STR(""));
    for (size_t i = 0; i < s.len;) hash = (hash ^ lower(next(s, &i))) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}
