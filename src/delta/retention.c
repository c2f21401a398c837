/* retention.c - the text of an interval property as milliseconds.
 * Called by: delta/disk.c.  Must not know: which files.
 */
#include "delta/retention.h"

static const struct {
    const char *unit;
    int64_t micros;
} known_unit[] = {
    {"week", INT64_C(604800000000)},
    {"day", INT64_C(86400000000)},
    {"hour", INT64_C(3600000000)},
    {"minute", INT64_C(60000000)},
    {"second", INT64_C(1000000)},
    {"millisecond", 1000},
    {"microsecond", 1},
};

/* The next word of the text, without quotes around it; empty at the end. */
static str next_word(str *rest) {
    size_t from = 0, to;
    while (from < rest->len && (rest->ptr[from] == ' ' || rest->ptr[from] == '\t')) from++;
    for (to = from; to < rest->len && rest->ptr[to] != ' ' && rest->ptr[to] != '\t';) to++;
    str word = str_slice(*rest, from, to);
    *rest = str_slice(*rest, to, rest->len);
    bool quoted = word.len > 2 && word.ptr[0] == '\'' && word.ptr[word.len - 1] == '\'';
    return quoted ? str_slice(word, 1, word.len - 1) : word;
}

static bool micros_of_unit(str word, int64_t *micros) {
    if (word.len > 1 && (word.ptr[word.len - 1] == 's' || word.ptr[word.len - 1] == 'S')) word.len--;
    for (size_t i = 0; i < sizeof known_unit / sizeof *known_unit; i++) {
        *micros = known_unit[i].micros;
        if (str_eq_nocase(word, str_from(known_unit[i].unit))) return true;
    }
    return false;
}

static bool read_number(str word, int64_t *number) {
    bool negative = word.len > 1 && word.ptr[0] == '-';
    bool has_sign = negative || (word.len > 1 && word.ptr[0] == '+');
    if (!str_to_int64(str_slice(word, has_sign, word.len), number)) return false;
    if (negative) *number = -*number;
    return true;
}

bool retention_parse(str text, int64_t *ms) {
    int64_t sum = 0;
    str rest = text, word = next_word(&rest);
    if (str_eq_nocase(word, STR("interval"))) word = next_word(&rest);
    if (word.len == 0) return false;
    for (; word.len > 0; word = next_word(&rest)) {
        int64_t number, unit;
        if (!read_number(word, &number) || !micros_of_unit(next_word(&rest), &unit)) return false;
        if (__builtin_mul_overflow(number, unit, &number) || __builtin_add_overflow(sum, number, &sum)) return false;
    }
    *ms = sum / 1000;
    return sum >= 0;
}
