/* completion.c - completion scripts for bash, zsh and fish, printed from the table.
 * Called by: main.c.  Must not know: how arguments are parsed.
 */
#include "cli/completion.h"

#include <string.h>

#include "cli/output.h"

/* The words of a choice, separated by spaces. */
static void put_words(text *out, const char *choice) {
    const char *rest = choice, *word;
    size_t size;
    while (choice_next_word(&rest, &word, &size)) {
        text_printf(out, "%s%.*s", word == choice ? "" : " ", (int)size, word);
    }
}

/* What may stand behind a command, as a list of words; false if these are folders. */
static bool put_candidates(text *out, const command *c) {
    if (c->takes == WORDS_FOLDER || c->takes == WORDS_PROJECT) return false;
    if (c->takes == WORDS_CHOICE || c->takes == WORDS_FORM) put_words(out, command_choice(c));
    for (size_t i = 0; c->takes == WORDS_TOPIC && i < COMMAND_COUNT; i++) {
        text_printf(out, "%s%s", i ? " " : "", command_table[i].name);
    }
    return true;
}

/* The first sentence of the help of an option, without its full stop: short enough for a menu. */
static size_t first_sentence(const char *help) {
    const char *end = strstr(help, ". ");
    return end ? (size_t)(end - help) : strlen(help) - 1;
}

/* `size` bytes with a backslash before each byte of `special`; a single quote as '\'' where it is special. */
static void put_escaped(text *out, const char *words, size_t size, const char *special) {
    for (size_t i = 0; i < size; i++) {
        if (words[i] == '\'' && strchr(special, '\''))
            text_add(out, "'\\''");
        else if (strchr(special, words[i]))
            text_printf(out, "\\%c", words[i]);
        else
            text_put(out, &words[i], 1);
    }
}

/* ---- bash: no help texts; `=` is a word of its own there ---- */

static void bash_option_names(text *out, const command *c) {
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const option_row *row = &option_table[i];
        if (!option_is_for(row, c)) continue;
        if (row->short_name) text_printf(out, " -%c", row->short_name);
        text_printf(out, " --%s", row->long_name);
    }
}

/* `prune\ --where|prune\ -w)`: two commands may have options of one name that take different words. */
static void bash_option_pattern(text *out, const option_row *row) {
    const char *before = "    ";
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const command *c = &command_table[i];
        if (!option_is_for(row, c)) continue;
        text_printf(out, "%s%s\\ --%s", before, c->name, row->long_name);
        if (row->short_name) text_printf(out, "|%s\\ -%c", c->name, row->short_name);
        before = "|";
    }
    text_add(out, ")");
}

static void bash_option_values(text *out) {
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const option_row *row = &option_table[i];
        if (row->takes == TAKES_NOTHING) continue;
        bash_option_pattern(out, row);
        if (row->takes == TAKES_CHOICE) {
            text_add(out, " COMPREPLY=($(compgen -W '");
            put_words(out, row->value);
            text_add(out, "' -- \"$cur\"));");
        }
        if (row->takes == TAKES_FILE)
            text_add(out, " compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$cur\");");
        text_add(out, " return ;;\n");
    }
}

static void bash_commands(text *out) {
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const command *c = &command_table[i];
        text_printf(out, "    %s)\n      options='", c->name);
        bash_option_names(out, c);
        text_add(out, "'\n      words='");
        bool has_words = put_candidates(out, c);
        text_printf(out, "'%s ;;\n", c->takes == WORDS_FORM ? "; files=1" : has_words ? "" : c->takes == WORDS_PROJECT ? "; paths=1" : "; folders=1");
    }
}

/* What the other name of prune does not know is taken out of its words. */
static void bash_drop_in(text *out) {
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (option_table[i].commands & NOT_DROP_IN)
            text_printf(out, "  [[ ${COMP_WORDS[0]##*/} == delta-explain ]] && options=\"${options// --%s/}\"\n",
                        option_table[i].long_name);
    }
}

static void render_bash(text *out) {
    text_add(out, "# bash completion of lakeproof and delta-explain, printed by `lakeproof completion bash`\n"
                  "_lakeproof() {\n"
                  "  local cur=\"${COMP_WORDS[COMP_CWORD]}\" prev=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
                  "  local command options words folders= files= paths=\n"
                  "  COMPREPLY=()\n"
                  "  if [[ $cur == = ]]; then cur=\n"
                  "  elif [[ $prev == = && COMP_CWORD -gt 1 ]]; then prev=\"${COMP_WORDS[COMP_CWORD-2]}\"; fi\n"
                  "  case \"${COMP_WORDS[0]##*/}\" in\n"
                  "    delta-explain) command=prune ;;\n"
                  "    *) if [[ COMP_CWORD -eq 1 ]]; then\n"
                  "         COMPREPLY=($(compgen -W '");
    for (size_t i = 0; i < COMMAND_COUNT; i++) text_printf(out, "%s ", command_table[i].name);
    text_add(out, "--help --version' -- \"$cur\"))\n"
                  "         return\n"
                  "       fi\n"
                  "       command=\"${COMP_WORDS[1]}\" ;;\n"
                  "  esac\n"
                  "  case \"$command $prev\" in\n");
    bash_option_values(out);
    text_add(out, "  esac\n  case \"$command\" in\n");
    bash_commands(out);
    text_add(out, "    *) return ;;\n"
                  "  esac\n");
    bash_drop_in(out);
    text_add(out,
             "  if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
             "  elif [[ -n $folders ]]; then compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$cur\")\n"
             "  elif [[ -n $paths ]]; then compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
             "  elif [[ -n $files && COMP_CWORD -gt 2 ]]; then compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "
             "\"$cur\")\n"
             "  else COMPREPLY=($(compgen -W \"$words\" -- \"$cur\")); fi\n"
             "}\n"
             "complete -F _lakeproof lakeproof delta-explain\n");
}

/* ---- zsh: _arguments reads `name[help]:what:action` ---- */

static void zsh_option(text *out, const option_row *row) {
    static const char special[] = "[]:\\'";
    text_add(out, "      ");
    if (row->takes == TAKES_PAIR)
        text_add(out, "'*'");
    else if (row->short_name)
        text_printf(out, "'(-%c --%s)'", row->short_name, row->long_name);
    if (row->short_name)
        text_printf(out, "{-%c,--%s}", row->short_name, row->long_name);
    else
        text_printf(out, "--%s", row->long_name);
    text_add(out, row->takes == TAKES_NOTHING ? "'[" : row->short_name ? "'[" : "'=[");
    put_escaped(out, row->help, first_sentence(row->help), special);
    text_add(out, "]");
    if (row->takes != TAKES_NOTHING) {
        text_add(out, ":");
        put_escaped(out, row->takes == TAKES_CHOICE ? row->long_name : row->value,
                    strlen(row->takes == TAKES_CHOICE ? row->long_name : row->value), special);
        text_add(out, ":");
    }
    if (row->takes == TAKES_FILE) text_add(out, "_files");
    if (row->takes == TAKES_CHOICE) {
        text_add(out, "(");
        put_words(out, row->value);
        text_add(out, ")");
    }
    text_add(out, "' \\\n");
}

static void zsh_command(text *out, const invocation *call) {
    const command *c = call->command;
    text_printf(out, "    %s)\n    _arguments -s \\\n", call->is_drop_in ? "delta-explain" : c->name);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (option_is_known(&option_table[i], call)) zsh_option(out, &option_table[i]);
    }
    text words = {0};
    bool has_words = put_candidates(&words, c);
    bool is_choice = c->takes == WORDS_CHOICE || c->takes == WORDS_FORM;
    text_printf(out, "      '1:%s:", is_choice ? "word" : c->words);
    if (c->takes == WORDS_MODEL)
        text_add(out, "' ;;\n");
    else if (c->takes == WORDS_FORM)
        text_printf(out, "(%s)' '2:FILE:_files' ;;\n", text_str(&words));
    else if (has_words)
        text_printf(out, "(%s)' ;;\n", text_str(&words));
    else
        text_add(out, c->takes == WORDS_PROJECT ? "_files' ;;\n" : "_files -/' ;;\n");
    text_free(&words);
}

static void render_zsh(text *out) {
    text_add(out, "#compdef lakeproof delta-explain\n"
                  "# zsh completion of lakeproof and delta-explain, printed by `lakeproof completion zsh`\n"
                  "_lakeproof() {\n"
                  "  local command\n"
                  "  if [[ ${words[1]:t} == delta-explain ]]; then\n"
                  "    command=delta-explain\n"
                  "  elif (( CURRENT == 2 )); then\n"
                  "    local -a commands=(\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        text_printf(out, "      '%s:", command_table[i].name);
        put_escaped(out, command_table[i].summary, strlen(command_table[i].summary), "\\:'");
        text_add(out, "'\n");
    }
    text_add(out, "    )\n"
                  "    _describe command commands\n"
                  "    _arguments '(-h --help)'{-h,--help}'[Print this help]' '(-V --version)'{-V,--version}'[Print "
                  "the version]'\n"
                  "    return\n"
                  "  else\n"
                  "    command=${words[2]}\n"
                  "    shift words\n"
                  "    (( CURRENT-- ))\n"
                  "  fi\n"
                  "  case $command in\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) zsh_command(out, &(invocation){false, &command_table[i]});
    zsh_command(out, &(invocation){true, &command_table[COMMAND_PRUNE]});
    text_add(out, "  esac\n"
                  "}\n"
                  "if [[ $funcstack[1] == _lakeproof ]]; then _lakeproof \"$@\"; else compdef _lakeproof lakeproof "
                  "delta-explain; fi\n");
}

/* ---- fish: one `complete` a row ---- */

static void fish_option(text *out, const option_row *row, const char *name, const char *condition) {
    text_printf(out, "complete -c %s%s -l %s", name, condition, row->long_name);
    if (row->short_name) text_printf(out, " -s %c", row->short_name);
    if (row->takes == TAKES_FILE)
        text_add(out, " -r -F");
    else if (row->takes != TAKES_NOTHING)
        text_add(out, " -x");
    if (row->takes == TAKES_CHOICE) {
        text_add(out, " -a '");
        put_words(out, row->value);
        text_add(out, "'");
    }
    text_add(out, " -d '");
    put_escaped(out, row->help, first_sentence(row->help), "\\'");
    text_add(out, "'\n");
}

static void fish_command(text *out, const invocation *call, const char *name, const char *condition) {
    const command *c = call->command;
    text words = {0};
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (option_is_known(&option_table[i], call)) fish_option(out, &option_table[i], name, condition);
    }
    bool has_words = put_candidates(&words, c);
    if (has_words)
        text_printf(out, "complete -c %s%s%s -a '%s'\n", name, condition, c->takes == WORDS_FORM ? " -F" : "",
                    text_str(&words));
    else
        text_printf(out, "complete -c %s%s %s\n", name, condition,
                    c->takes == WORDS_PROJECT ? "-F" : "-a '(__fish_complete_directories)'");
    text_free(&words);
}

static void render_fish(text *out) {
    text_add(out, "# fish completion of lakeproof and delta-explain, printed by `lakeproof completion fish`\n"
                  "complete -c lakeproof -f\n"
                  "complete -c lakeproof -n __fish_use_subcommand -s h -l help -d 'Print this help'\n"
                  "complete -c lakeproof -n __fish_use_subcommand -s V -l version -d 'Print the version'\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const command *c = &command_table[i];
        text_printf(out, "complete -c lakeproof -n __fish_use_subcommand -a %s -d '", c->name);
        put_escaped(out, c->summary, strlen(c->summary), "\\'");
        text_add(out, "'\n");
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        text condition = {0};
        text_printf(&condition, " -n '__fish_seen_subcommand_from %s'", command_table[i].name);
        fish_command(out, &(invocation){false, &command_table[i]}, "lakeproof", text_str(&condition));
        text_free(&condition);
    }
    text_add(out, "complete -c delta-explain -f\n");
    fish_command(out, &(invocation){true, &command_table[COMMAND_PRUNE]}, "delta-explain", "");
}

int run_completion(const invocation *call, const arguments *a) {
    static void (*const render[])(text *) = {render_bash, render_zsh, render_fish}; /* as the words of the command */
    text script = {0};
    render[choice_find(call->command->words, a->word[0])](&script);
    int code = output_document(&script, call);
    text_free(&script);
    return code;
}
