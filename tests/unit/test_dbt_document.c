/* test_dbt_document.c - the outer levels of a text, walked in pieces of every size.
 * Called by: ctest.  Must not know: manifests.
 */
#include "in_door.h"

#include <string.h>

#include "dbt/document.h"

static document *document_of(arena *a, const char *text, size_t piece) {
    dbt_bytes *bytes = ARENA_NEW(a, dbt_bytes);
    *bytes = dbt_bytes_of_text(a, str_from(text), STR("doc"));
    bytes->piece_bytes = piece;
    return document_new(a, bytes);
}

#define MUST_DO(step)                                                                                                  \
    do {                                                                                                               \
        lp_err err_ = {0};                                                                                             \
        lp_err *err = &err_;                                                                                           \
        if ((step) != LP_OK) fail_msg("%s: %s", #step, err_.text);                                                     \
    } while (0)

static const char nested[] =
    " {\"a\": {\"x\" :[1, {\"]\": \"}\\\"\\\\\"}], \"y\":\"\\\\\\\"\"} ,\n\"b\\\"\":null, \"c\" : -1.5e3,\"d\":{}} ";

static void walk(arena *a, size_t piece) {
    document *d = document_of(a, nested, piece);
    str key, value;
    uint64_t offset;
    bool more, is_object;
    MUST_DO(document_begin(d, err));
    MUST_DO(document_next(d, &key, &more, err));
    assert_str(key, STR("a"));
    MUST_DO(document_enter(d, "a", &is_object, err));
    assert_true(is_object);
    MUST_DO(document_next(d, &key, &more, err));
    assert_str(key, STR("x"));
    MUST_DO(document_take(d, &value, &offset, err));
    assert_str(value, STR("[1, {\"]\": \"}\\\"\\\\\"}]"));
    assert_int_equal(offset, strchr(nested, '[') - nested);
    MUST_DO(document_next(d, &key, &more, err));
    assert_str(key, STR("y"));
    MUST_DO(document_take(d, &value, &offset, err));
    assert_str(value, STR("\"\\\\\\\"\""));
    MUST_DO(document_next(d, &key, &more, err));
    assert_false(more);
    MUST_DO(document_next(d, &key, &more, err));
    assert_str(key, STR("b\\\""));
    MUST_DO(document_enter(d, "b", &is_object, err));
    assert_false(is_object);
    MUST_DO(document_next(d, &key, &more, err));
    assert_str(key, STR("c"));
    MUST_DO(document_take(d, &value, &offset, err));
    assert_str(value, STR("-1.5e3"));
    MUST_DO(document_next(d, &key, &more, err));
    MUST_DO(document_skip(d, err));
    MUST_DO(document_next(d, &key, &more, err));
    assert_false(more);
}

static void walk_in_all_pieces(arena *a) {
    for (size_t piece = 1; piece < sizeof nested + 2; piece++) walk(a, piece);
}

static void test_document__pieces_of_any_size_give_the_same_members(void **state) {
    (void)state;
    in_door(walk_in_all_pieces);
}

/* What is told of a text whose members are all passed over. */
static lp_status pass_over(arena *a, const char *text, size_t piece, lp_err *err) {
    document *d = document_of(a, text, piece);
    str key;
    bool more = true;
    TRY(document_begin(d, err));
    while (more) {
        TRY(document_next(d, &key, &more, err));
        if (more) TRY(document_skip(d, err));
    }
    return LP_OK;
}

static void refuse(arena *a) {
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"", "doc, byte 0: expected '{', found the end of the file"},
        {"{\"a\" 1}", "doc, byte 5: expected ':' behind a key, found '1'"},
        {"{\"a\":1 \"b\":2}", "doc, byte 7: expected ',' or '}' in an object, found '\"'"},
        {"{\"a\":1,}", "doc, byte 7: expected a key in quotes, found '}'"},
        {"{,}", "doc, byte 1: expected a key or '}', found ','"},
        {"{\"a\":}", "doc, byte 5: expected a value, found '}'"},
        {"{\"a\":[1}", "doc, byte 8: expected ',' or '}' in an object, found the end of the file"},
        {"{\"a\":\"b\\\"", "doc, byte 9: expected '\"' at the end of a string, found the end of the file"},
        {"{\"a", "doc, byte 3: expected '\"' at the end of a string, found the end of the file"},
        {"{\"a\"", "doc, byte 4: expected ':' behind a key, found the end of the file"},
        {"{} x", "doc, byte 3: expected the end of the file, found 'x'"},
        {"{\x01", "doc, byte 1: expected a key or '}', found byte 0x01"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        for (size_t piece = 1; piece < 12; piece++) {
            lp_err err = {0};
            assert_int_equal(pass_over(a, wrong[i].text, piece, &err), LP_ERR_FORMAT);
            assert_string_equal(err.text, wrong[i].message);
        }
}

static void test_document__what_is_no_object_is_told_with_its_place(void **state) {
    (void)state;
    in_door(refuse);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_document__pieces_of_any_size_give_the_same_members),
        cmocka_unit_test(test_document__what_is_no_object_is_told_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
