/* str.h - text as a slice by value: bytes with a length, not NUL-terminated, not owned.
 * Called by: every room.  Must not know: where the bytes live.
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct str {
    const char *ptr; /* NULL only when there is no text at all; "" is a text */
    size_t len;      /* bytes */
} str;

#define STR(literal) ((str){"" literal, sizeof(literal) - 1})
#define STR_NONE ((str){0, 0})
/* printf("%.*s", STR_ARG(s)); texts above 2 GiB are cut by printf, which is fine for messages. */
#define STR_FMT "%.*s"
#define STR_ARG(s) (int)((s).len > 0x7fffffff ? 0x7fffffff : (s).len), ((s).ptr ? (s).ptr : "")

static inline bool str_is_none(str s) { return s.ptr == NULL; }

str str_from(const char *nul_terminated);              /* STR_NONE for NULL */
bool str_eq(str a, str b);                             /* byte equality; STR_NONE equals "" */
bool str_eq_nocase(str a, str b);                      /* ASCII letters fold, other bytes must be equal */
int str_compare(str a, str b);                         /* byte order = Unicode code point order for UTF-8; -1, 0, 1 */
bool str_starts_with(str s, str prefix);
bool str_ends_with(str s, str suffix);
str str_slice(str s, size_t from, size_t to);          /* [from, to), clamped to the text */
bool str_find_char(str s, char c, size_t *at);         /* first position */
uint64_t str_hash(str s);                              /* stable within a process run only: seeded by the address space */
size_t str_count_code_points(str s);                   /* of valid UTF-8 */
str str_cut_code_points(str s, size_t most);           /* the first `most` of them */
size_t str_utf8_length(str s, size_t at);              /* bytes of the well-formed character at `at` < len, 0 if there is none */
bool str_is_utf8(str s);

/* Decimal digits only, no sign, no blanks, must be whole text; false on overflow of int64 or other characters. */
bool str_to_int64(str s, int64_t *out);

#endif
