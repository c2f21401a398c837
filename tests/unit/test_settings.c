/* test_settings.c - the defaults of a project.
 * Called by: ctest.  Must not know: what a setting does.
 */
#include "in_door.h"

#include "api/settings.h"
#include "base/buf.h"

static void put_list(buf *out, const char *name, setting_list s) {
    if (!s.is_set) return;
    buf_printf(out, "%s:", name);
    for (size_t i = 0; i < s.list.count; i++) buf_printf(out, "<%.*s>", STR_ARG(s.list.item[i]));
    buf_put_char(out, ' ');
}

static str shown(arena *work, const char *text) {
    settings s;
    lp_err err = {0};
    buf out;
    buf_init(&out, work, 10000);
    if (settings_read(work, str_from(text), STR("lakeproof.toml"), &s, &err) != LP_OK) return str_copy(work, str_from(err.text));
    if (!str_is_none(s.fail_on)) buf_printf(&out, "fail_on:%.*s ", STR_ARG(s.fail_on));
    if (!str_is_none(s.baseline)) buf_printf(&out, "baseline:%.*s ", STR_ARG(s.baseline));
    put_list(&out, "trust", s.trust);
    put_list(&out, "checks", s.checks);
    put_list(&out, "enable", s.enable);
    put_list(&out, "select", s.select);
    put_list(&out, "exclude", s.exclude);
    buf_put_char(&out, '\0');
    return buf_str(&out);
}

#define EXPECT(text, wanted) assert_string_equal(shown(work, text).ptr, wanted)

static void all_keys(arena *work) {
    EXPECT("", "");
    EXPECT("# only a comment", "");
    EXPECT("trust = [\"unique_key\", 'entity']\n[check]\nfail_on = \"error\"\nbaseline='b.json'\nchecks = []\n"
           "enable=[\"G005\"]#x\nselect = [\n  \"tag:a\", # why\n\n  \"b+\",\n]\nexclude = [ \"c\" ]\r\n",
           "fail_on:error baseline:b.json trust:<unique_key><entity> checks: enable:<G005> select:<tag:a><b+> exclude:<c> ");
    EXPECT("[ check ]\nfail_on = \"a\\\"b\\\\\\t\"", "fail_on:a\"b\\\t ");
    EXPECT("[check]\nfail_on = 'a\\b'", "fail_on:a\\b ");
    EXPECT("\xef\xbb\xbftrust = []", "trust: ");
}

static void test_settings__every_key_is_read(void **state) {
    (void)state;
    in_door(all_keys);
}

static void mistakes(arena *work) {
    EXPECT("trusts = []", "lakeproof.toml line 1: there is no key 'trusts' outside of a table, only trust");
    EXPECT("\n[check]\ntrust = []",
           "lakeproof.toml line 3: there is no key 'trust' in [check], only fail_on, baseline, checks, enable, select, exclude");
    EXPECT("[checks]", "lakeproof.toml line 1: there is no table 'checks', only [check]");
    EXPECT("[check]\n[check]", "lakeproof.toml line 2: [check] stands twice");
    EXPECT("trust = []\ntrust = []", "lakeproof.toml line 2: the key 'trust' stands twice");
    EXPECT("trust = \"a\"", "lakeproof.toml line 1: expected an array of strings: [\"...\", ...], found '\"'");
    EXPECT("trust = [\"a\" \"b\"]", "lakeproof.toml line 1: expected ',' or ']', found '\"'");
    EXPECT("trust = [\"a\"", "lakeproof.toml line 1: expected ',' or ']', found the end of the file");
    EXPECT("trust = [1]", "lakeproof.toml line 1: expected a string in quotes, found '1'");
    EXPECT("[check]\nfail_on = error", "lakeproof.toml line 2: expected a string in quotes, found 'e'");
    EXPECT("[check]\nfail_on = \"a\nb\"", "lakeproof.toml line 2: expected the quote that ends the string, found the end of the line");
    EXPECT("[check]\nfail_on = \"a\\x\"", "lakeproof.toml line 2: expected one of b t n f r \" \\ behind a backslash, found 'x'");
    EXPECT("[check]\nfail_on \"a\"", "lakeproof.toml line 2: expected '=', found '\"'");
    EXPECT("[check] x", "lakeproof.toml line 1: expected the end of the line, found 'x'");
    EXPECT("[[check]]", "lakeproof.toml line 1: expected ']', found '['");
    EXPECT("= 1", "lakeproof.toml line 1: expected a key or a table, found '='");
    EXPECT("\xff", "lakeproof.toml is not valid UTF-8");
}

static void test_settings__a_mistake_is_told_with_its_line(void **state) {
    (void)state;
    in_door(mistakes);
}

static void commas(arena *work) {
    text_list l = text_list_of_commas(work, STR(" a ,,b c, "));
    assert_int_equal(l.count, 2);
    assert_true(str_eq(l.item[0], STR("a")));
    assert_true(str_eq(l.item[1], STR("b c")));
    assert_int_equal(text_list_of_commas(work, STR("")).count, 0);
    assert_int_equal(text_list_of_commas(work, STR_NONE).count, 0);
}

static void test_settings__a_list_with_commas(void **state) {
    (void)state;
    in_door(commas);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settings__every_key_is_read),
        cmocka_unit_test(test_settings__a_mistake_is_told_with_its_line),
        cmocka_unit_test(test_settings__a_list_with_commas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
