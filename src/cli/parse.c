/* parse.c - the command line to values, by the table of options.
 * Called by: main.c.  Must not know: what a command does with them.
 */
#include "cli/parse.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* getopt_long gives the row of an option; these stand outside of the rows. */
enum { GOT_WORD = 1, FIRST_ROW = 256 };

typedef struct parser {
    const invocation *call;
    arguments *out;
    text *mistake;
    struct option long_option[OPTION_COUNT + 1];
    char short_options[3 * OPTION_COUNT + 3];
} parser;

/* getopt's own tables, from ours. "-" in front: words come in order, whatever the environment says about POSIX; ":":
 * getopt prints nothing and tells a missing value from an unknown option. */
static void parser_init(parser *p) {
    size_t count = 0, used = 0;
    p->short_options[used++] = '-';
    p->short_options[used++] = ':';
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const option_row *row = &option_table[i];
        if (!option_is_known(row, p->call)) continue;
        bool takes = row->takes != TAKES_NOTHING;
        p->long_option[count++] =
            (struct option){row->long_name, takes ? required_argument : no_argument, NULL, FIRST_ROW + (int)i};
        if (row->short_name) p->short_options[used++] = row->short_name;
        if (row->short_name && takes) p->short_options[used++] = ':';
    }
    p->short_options[used] = '\0';
    p->long_option[count] = (struct option){0};
}

static const option_row *row_of(const parser *p, int got) {
    if (got >= FIRST_ROW) return &option_table[got - FIRST_ROW];
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const option_row *row = &option_table[i];
        if (got && row->short_name == got && option_is_known(row, p->call)) return row;
    }
    return NULL;
}

/* Say what is wrong. */
static parse_result wrong(text *mistake, const char *format, ...) __attribute__((format(printf, 2, 3)));
static parse_result wrong(text *mistake, const char *format, ...) {
    va_list list;
    va_start(list, format);
    text_vprintf(mistake, format, list);
    va_end(list);
    return PARSE_WRONG;
}

static parse_result unknown_option(parser *p, const char *argument) {
    if (argument[0] == '-' && argument[1] != '-' && argument[1]) {
        return wrong(p->mistake, "unexpected argument '-%c' in '%s'", optopt, argument);
    }
    size_t size = strcspn(argument, "=");
    text_printf(p->mistake, "unexpected argument '%.*s'", (int)size, argument);
    const char *nearest = NULL;
    size_t distance = 4;
    for (size_t i = 0; i < OPTION_COUNT && size > 3; i++) {
        if (!option_is_known(&option_table[i], p->call)) continue;
        const char *name = option_table[i].long_name;
        size_t d = strncmp(name, argument + 2, size - 2) == 0 ? 1 : text_distance(name, argument + 2);
        if (d < distance) distance = d, nearest = name;
    }
    if (nearest) text_printf(p->mistake, "\n  there is '--%s'", nearest);
    return PARSE_WRONG;
}

static parse_result bad_value(parser *p, const option_row *row, const char *value, const char *expected) {
    return wrong(p->mistake, "invalid value '%s' for '--%s': expected %s", value, row->long_name, expected);
}

/* "text or json" */
static void list_choice(const char *choice, text *out) {
    const char *rest = choice, *word;
    size_t size;
    while (choice_next_word(&rest, &word, &size)) {
        text_printf(out, "%s%.*s", word == choice ? "" : *rest ? ", " : " or ", (int)size, word);
    }
}

static parse_result take_choice(parser *p, const option_row *row, option_value *value) {
    int index = choice_find(row->value, value->text);
    if (index >= 0) {
        value->choice = (size_t)index;
        return PARSE_DONE;
    }
    text words = {0};
    list_choice(row->value, &words);
    parse_result result = bad_value(p, row, value->text, text_str(&words));
    text_free(&words);
    return result;
}

static parse_result take_count(parser *p, const option_row *row, option_value *value) {
    const char *digit = value->text + (value->text[0] == '+');
    bool is_number = *digit != '\0';
    for (uint64_t n = 0; is_number; digit++) {
        if (!*digit) {
            value->count = n;
            return PARSE_DONE;
        }
        is_number = *digit >= '0' && *digit <= '9' && !__builtin_mul_overflow(n, (uint64_t)10, &n) &&
                    !__builtin_add_overflow(n, (uint64_t)(*digit - '0'), &n);
    }
    return bad_value(p, row, value->text, "a whole number from 0 to 18446744073709551615");
}

/* digits [. digits] [e [sign] digits] with a digit before the exponent, or inf, infinity, nan; each with a sign. strtod
 * alone would also take spaces, hexadecimal and nan(...). */
static bool is_number(const char *s) {
    static const char digits[] = "0123456789";
    s += *s == '+' || *s == '-';
    if (strcasecmp(s, "inf") == 0 || strcasecmp(s, "infinity") == 0 || strcasecmp(s, "nan") == 0) return true;
    size_t whole = strspn(s, digits);
    s += whole;
    size_t fraction = 0;
    if (*s == '.') {
        fraction = strspn(s + 1, digits);
        s += 1 + fraction;
    }
    if (whole + fraction == 0) return false;
    if (*s == 'e' || *s == 'E') {
        s++;
        s += *s == '+' || *s == '-';
        size_t exponent = strspn(s, digits);
        if (!exponent) return false;
        s += exponent;
    }
    return *s == '\0';
}

static parse_result take_number(parser *p, const option_row *row, option_value *value) {
    if (!is_number(value->text)) return bad_value(p, row, value->text, "a number");
    value->number = strtod(value->text, NULL); /* the locale is "C": nobody sets another */
    return PARSE_DONE;
}

static parse_result take_value(parser *p, const option_row *row, option_value *value) {
    switch (row->takes) {
    case TAKES_NOTHING:
    case TAKES_TEXT:
    case TAKES_FILE: return PARSE_DONE;
    case TAKES_CHOICE: return take_choice(p, row, value);
    case TAKES_COUNT: return take_count(p, row, value);
    case TAKES_NUMBER: return take_number(p, row, value);
    case TAKES_PAIR:
        if (!value->bad_pair && !strchr(value->text, '=')) value->bad_pair = value->text;
        text_put(&value->pairs, (const char *)&value->text, sizeof value->text);
        return PARSE_DONE;
    }
    return PARSE_WRONG;
}

static parse_result missing_value(parser *p, const option_row *row, const char *element) {
    if (row) return wrong(p->mistake, "a value is missing for '--%s'", row->long_name);
    return wrong(p->mistake, "a value is missing for '%s'", element);
}

/* `element` is the argument that held the option, `optarg` its value, in the same argument or in the next one. */
static parse_result take_option(parser *p, const option_row *row, bool is_long, const char *element,
                                bool value_is_apart) {
    if (is_long && strcspn(element + 2, "=") != strlen(row->long_name)) {
        return unknown_option(
            p, element); /* getopt takes abbreviations; a script that uses one breaks with our next option */
    }
    if (row->id == OPTION_HELP) return PARSE_HELP;
    if (row->id == OPTION_VERSION) return PARSE_VERSION;
    option_value *value = &p->out->option[row->id];
    if (value->is_given && row->takes != TAKES_PAIR) {
        return wrong(p->mistake, "'--%s' is given twice", row->long_name);
    }
    value->is_given = true;
    if (row->takes == TAKES_NOTHING) return PARSE_DONE;
    if (!optarg) return missing_value(p, row, element);
    if (value_is_apart && optarg[0] == '-' && optarg[1]) {
        return wrong(p->mistake, "a value is missing for '--%s'\n  a value that starts with '-' is written '--%s=%s'",
                     row->long_name, row->long_name, optarg);
    }
    value->text = optarg + (!is_long && !value_is_apart && optarg[0] == '='); /* -w=X is -w X */
    return take_value(p, row, value);
}

static parse_result take_word(parser *p, const char *word) {
    const command *c = p->call->command;
    if (p->out->word_count == c->most_words) return wrong(p->mistake, "unexpected argument '%s'", word);
    bool is_choice = c->takes == WORDS_CHOICE || (c->takes == WORDS_FORM && p->out->word_count == 0);
    if (is_choice && choice_find(command_choice(c), word) < 0) {
        wrong(p->mistake, "unexpected argument '%s': expected ", word);
        list_choice(command_choice(c), p->mistake);
        return PARSE_WRONG;
    }
    p->out->word[p->out->word_count++] = word;
    return PARSE_DONE;
}

static parse_result take_one(parser *p, int got, char **argv, const char *element) {
    if (got == GOT_WORD) return take_word(p, optarg);
    bool is_long = strncmp(element, "--", 2) == 0;
    const option_row *row = row_of(p, got == '?' || got == ':' ? optopt : got);
    if (got == ':') return missing_value(p, row, element);
    if (got == '?') {
        if (!is_long || !row || !strchr(element, '=')) return unknown_option(p, element);
        return wrong(p->mistake, "'--%s' takes no value", row->long_name);
    }
    return take_option(p, row, is_long, element, optarg && optarg == argv[optind - 1]);
}

static parse_result check_encoding(int argc, char **argv, text *mistake) {
    for (int i = 1; i < argc; i++) {
        if (text_is_utf8(argv[i], strlen(argv[i]))) continue;
        return wrong(mistake, "argument %d is not valid UTF-8", i);
    }
    return PARSE_DONE;
}

/* What one option demands of the others. */
static parse_result check_together(const arguments *a, const invocation *call, text *mistake) {
    static const option_id needs_where[] = {OPTION_MIN_PRUNING, OPTION_DEBUG_IR};
    for (size_t i = 0; i < sizeof needs_where / sizeof needs_where[0]; i++) {
        if (a->option[needs_where[i]].is_given && !a->option[OPTION_WHERE].is_given) {
            return wrong(mistake, "'--%s' needs '--where PREDICATE'", option_table[needs_where[i]].long_name);
        }
    }
    if (a->option[OPTION_AT_VERSION].is_given && a->option[OPTION_AT_TIMESTAMP].is_given) {
        return wrong(mistake, "'--at-version' and '--at-timestamp' exclude each other");
    }
    if (a->word_count < call->command->least_words) {
        return wrong(mistake, "%s is missing behind '%s'", call->command->words, invocation_name(call));
    }
    return PARSE_DONE;
}

parse_result parse_arguments(const invocation *call, int argc, char **argv, arguments *out, text *mistake) {
    parser p = {.call = call, .out = out, .mistake = mistake};
    *out = (arguments){0};
    parser_init(&p);
    parse_result result = check_encoding(argc, argv, mistake);
    opterr = 0;
    optind = 1;
    while (result == PARSE_DONE) {
        int before = optind; /* stays where it is inside of a cluster of short options */
        int got = getopt_long(argc, argv, p.short_options, p.long_option, NULL);
        if (got == -1) break;
        result = take_one(&p, got, argv, argv[before]);
    }
    while (result == PARSE_DONE && optind < argc) result = take_word(&p, argv[optind++]);
    return result == PARSE_DONE ? check_together(out, call, mistake) : result;
}

const char *option_pair(const option_value *value, size_t n) {
    const char *pair = NULL;
    if (n < value->pairs.size / sizeof pair) memcpy(&pair, value->pairs.ptr + n * sizeof pair, sizeof pair);
    return pair;
}

void arguments_free(arguments *a) {
    for (size_t i = 0; i < OPTION_COUNT; i++) text_free(&a->option[i].pairs);
}

const char *parse_nearest_command(const char *name) {
    const char *nearest = NULL;
    size_t distance = 3;
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        size_t d = text_distance(command_table[i].name, name);
        if (d < distance) distance = d, nearest = command_table[i].name;
    }
    return nearest;
}
