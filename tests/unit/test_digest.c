/* test_digest.c - texts as 128 bits. Expected values: `openssl mac -macopt hexkey:000102...0e0f -macopt size:16 SIPHASH`
 * over the bytes 0, 1, 2, ...
 * Called by: ctest.  Must not know: who keeps digests.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/digest.h"

static void expect(size_t len, uint64_t low, uint64_t high) {
    char bytes[32];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)i;
    digest d = digest_text((digest_key){0x0706050403020100u, 0x0F0E0D0C0B0A0908u}, (str){bytes, len});
    assert_true(__builtin_bswap64(d.low) == low); /* openssl prints bytes, lowest first */
    assert_true(__builtin_bswap64(d.high) == high);
}

static void test_digest__agrees_with_openssl(void **state) {
    (void)state;
    expect(0, 0xA3817F04BA25A8E6u, 0x6DF67214C7550293u);
    expect(3, 0x9C70B60C5267A94Eu, 0x5F33B6B02985ED51u);
    expect(6, 0x14EECA338B208613u, 0x485EA0308FD7A15Eu);
    expect(9, 0x264499060AD9BAABu, 0xC47F8B02BB6D71EDu);
    expect(18, 0xA426E5E423BF4885u, 0x294DA481FEAEF723u);
}

static void test_digest__no_text_is_the_empty_text(void **state) {
    (void)state;
    digest_key key = digest_key_of_run();
    assert_true(digest_eq(digest_text(key, STR_NONE), digest_text(key, STR(""))));
    assert_false(digest_eq(digest_text(key, STR("a")), digest_text(key, STR("b"))));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digest__agrees_with_openssl),
        cmocka_unit_test(test_digest__no_text_is_the_empty_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
