/* utf8.h - characters of valid UTF-8, one at a time.
 * Called by: base/fold.c, predicate, prune.  Must not know: what the texts mean.
 *
 * Texts are checked where they enter (str_is_utf8); on bytes that are no UTF-8 these functions give some number and stay
 * inside of the text.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdint.h>

#include "base/str.h"

enum { UTF8_MAX_BYTES = 4 };

/* The character at byte *at, which must lie in the text; *at moves behind it. */
uint32_t utf8_next(str s, size_t *at);

/* The last character of a text that is not empty, and the byte where it starts. */
uint32_t utf8_last(str s, size_t *start);

/* Write a scalar value; returns the bytes written, 1 to 4. A surrogate is encoded like any other number. */
size_t utf8_encode(uint32_t scalar, char to[UTF8_MAX_BYTES]);

#endif
