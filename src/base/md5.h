/* md5.h - the MD5 digest of bytes that come in pieces.
 * Called by: delta/hint.c (the checksum of _last_checkpoint).  Must not know: what is digested.
 * Source: RFC 1321. It guards against accidents only, which is all that the Delta format uses it for.
 */
#ifndef BASE_MD5_H
#define BASE_MD5_H

#include "base/str.h"

typedef struct md5 {
    uint32_t state[4];
    uint64_t byte_count;
    uint8_t block[64]; /* what has come since the last whole block */
} md5;

void md5_init(md5 *m);
void md5_put(md5 *m, str bytes);

/* 32 lower-case hex digits and a NUL. The digest is used up. */
void md5_finish(md5 *m, char hex[33]);

#endif
