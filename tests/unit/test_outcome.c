/* test_outcome.c - the set algebra against the three-valued truth tables, member by member.
 * Called by: ctest.  Must not know: prune.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "claim/outcome.h"

/* One row's results as numbers: FALSE < NULL < TRUE makes AND the minimum and OR the maximum. */
static const outcome_set member[3] = {OUTCOME_FALSE, OUTCOME_NULL, OUTCOME_TRUE};

static void test_outcome__sets_hold_exactly_what_members_give(void **state) {
    (void)state;
    for (unsigned a = 0; a < 8; a++)
        for (unsigned b = 0; b < 8; b++) {
            unsigned and_set = 0, or_set = 0, not_set = 0;
            for (unsigned x = 0; x < 3; x++) {
                if (!(a & member[x])) continue;
                not_set |= member[2 - x];
                for (unsigned y = 0; y < 3; y++) {
                    if (!(b & member[y])) continue;
                    and_set |= member[x < y ? x : y];
                    or_set |= member[x < y ? y : x];
                }
            }
            assert_int_equal(outcome_and((outcome_set)a, (outcome_set)b), and_set);
            assert_int_equal(outcome_or((outcome_set)a, (outcome_set)b), or_set);
            assert_int_equal(outcome_not((outcome_set)a), not_set);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_outcome__sets_hold_exactly_what_members_give)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
