/* test_md5.c - digests of known texts.
 * Called by: ctest.  Must not know: what they are used for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/md5.h"

static void expect_digest(const char *text, const char *expected) {
    char hex[33];
    md5 m;
    md5_init(&m);
    md5_put(&m, str_from(text));
    md5_finish(&m, hex);
    assert_string_equal(hex, expected);
}

/* The test suite of RFC 1321, appendix A.5. */
static void test_md5__gives_the_digests_of_the_rfc(void **state) {
    (void)state;
    expect_digest("", "d41d8cd98f00b204e9800998ecf8427e");
    expect_digest("a", "0cc175b9c0f1b6a831c399e269772661");
    expect_digest("abc", "900150983cd24fb0d6963f7d28e17f72");
    expect_digest("message digest", "f96b697d7cb7938d525a2f31aaf161d0");
    expect_digest("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b");
    expect_digest("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "d174ab98d277d9f5a5611c2c9f419d9f");
    expect_digest("12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                  "57edf4a22be3c955ac49da2e2107b67a");
}

static void test_md5__pieces_of_any_size_give_one_digest(void **state) {
    (void)state;
    char text[300], whole[33], pieces[33];
    for (size_t i = 0; i < sizeof text; i++) text[i] = (char)('a' + i * 7 % 26);
    for (size_t len = 0; len <= sizeof text; len++) {
        md5 m;
        md5_init(&m);
        md5_put(&m, (str){text, len});
        md5_finish(&m, whole);
        md5_init(&m);
        for (size_t at = 0, step = 1; at < len; at += step, step = step * 3 % 71 + 1)
            md5_put(&m, (str){text + at, step < len - at ? step : len - at});
        md5_finish(&m, pieces);
        assert_string_equal(whole, pieces);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_md5__gives_the_digests_of_the_rfc),
        cmocka_unit_test(test_md5__pieces_of_any_size_give_one_digest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
