/* stage.c - the command that golden tests talk to: many cases in one process.
 * Called by: tests/run_golden.py.  Must not know: rooms (stage_<room>.c), the format of golden files.
 *
 * Requests on standard input, replies on standard output, in turn. A request is a line `<kind> <args bytes> <input
 * bytes>` and then the two texts. Kinds: `case` (args are the stage's name and its arguments), `file` (a new golden
 * file starts: setups are forgotten). A reply is a line `<status> <output bytes> <fired bytes>` and then the two texts;
 * status is `ok`, or `unknown` for a name that is no stage.
 */
#include "stage.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/door.h"

typedef struct stage_row {
    const char *name;
    lp_status (*run)(stage_call *call, lp_err *err); /* NULL for a setup */
} stage_row;

static const stage_row rows[] = {
#define STAGE(name) {#name, stage_##name},
#define SETUP(name) {#name, NULL},
#include "stage.def"
#undef STAGE
#undef SETUP
};

enum { MAX_TEXT_BYTES = 256 << 20 };

/* ---- for the stages ---- */

static bool next_word(str *rest, str *word) {
    while (rest->len && rest->ptr[0] == ' ') *rest = str_slice(*rest, 1, rest->len);
    if (rest->len == 0) return false;
    size_t end = rest->len;
    (void)str_find_char(*rest, ' ', &end);
    *word = str_slice(*rest, 0, end);
    *rest = str_slice(*rest, end, rest->len);
    return true;
}

static bool find_arg(str args, str key, str *value) {
    for (str word; next_word(&args, &word);) {
        if (str_eq(word, key)) {
            *value = STR("");
            return true;
        }
        if (!str_starts_with(word, key) || word.ptr[key.len] != '=') continue;
        *value = str_slice(word, key.len + 1, word.len);
        return true;
    }
    return false;
}

str stage_arg(const stage_call *call, const char *key, const char *fallback) {
    str value;
    return find_arg(call->args, str_from(key), &value) ? value : str_from(fallback);
}

bool stage_flag(const stage_call *call, const char *key) {
    str value;
    return find_arg(call->args, str_from(key), &value);
}

str stage_setup_text(const stage_call *call, const char *name) {
    for (const stage_setup *s = call->setup; s; s = s->older)
        if (str_eq(s->name, str_from(name))) return s->input;
    return STR_NONE;
}

void stage_fired(stage_call *call, str rule) {
    buf_put(call->fired, rule);
    buf_put_char(call->fired, ' ');
}

void stage_line(stage_call *call, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (len >= 0) {
        vsnprintf(buf_reserve(call->out, (size_t)len + 1), (size_t)len + 1, format, again);
        call->out->len += (size_t)len;
        buf_put_char(call->out, '\n');
    }
    va_end(again);
}

/* ---- one request ---- */

typedef struct session {
    arena file; /* setups of the current golden file */
    arena work;
    const stage_setup *setup;
} session;

typedef struct request {
    session *s;
    str args, input;
    bool known;
    buf out, fired;
} request;

static const char *status_name(lp_status status) {
    switch (status) {
    case LP_OK: return "ok";
    case LP_ERR_USAGE: return "usage";
    case LP_ERR_IO: return "io";
    case LP_ERR_NOT_FOUND: return "not found";
    case LP_ERR_FORMAT: return "format";
    case LP_ERR_UNSUPPORTED: return "unsupported";
    case LP_ERR_QUERY: return "query";
    case LP_ERR_LIMIT: return "limit";
    }
    UNREACHABLE();
}

static const stage_row *find_row(str name) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_eq(name, str_from(rows[i].name))) return &rows[i];
    return NULL;
}

static void keep_setup(session *s, str name, str args, str input) {
    stage_setup *kept = ARENA_NEW(&s->file, stage_setup);
    *kept = (stage_setup){str_copy(&s->file, name), str_copy(&s->file, args), str_copy(&s->file, input), NULL};
    kept->older = (stage_setup *)(uintptr_t)s->setup;
    s->setup = kept;
}

static lp_status run_case(void *context, lp_err *err) {
    request *r = context;
    str name = STR(""), args = r->args;
    (void)next_word(&args, &name);
    const stage_row *row = find_row(name);
    r->known = row != NULL;
    if (!row) return LP_OK;
    if (!row->run) {
        keep_setup(r->s, name, args, r->input);
        return LP_OK;
    }
    stage_call call = {name, args, r->input, &r->s->work, &r->out, &r->fired, r->s->setup};
    return row->run(&call, err);
}

static void reply(const char *status, str out, str fired) {
    printf("%s %zu %zu\n", status, out.len, fired.len);
    fwrite(out.ptr, 1, out.len, stdout);
    fwrite(fired.ptr, 1, fired.len, stdout);
    fflush(stdout);
}

static void handle_case(session *s, str args, str input) {
    request r = {.s = s, .args = args, .input = input};
    arena text;
    arena_init(&text, 0);
    buf_init(&r.out, &text, MAX_TEXT_BYTES);
    buf_init(&r.fired, &text, MAX_TEXT_BYTES);
    lp_err err = {0};
    lp_status status = door_run(run_case, &r, &err);
    if (status == LP_OK) {
        reply(r.known ? "ok" : "unknown", buf_str(&r.out), buf_str(&r.fired));
    } else {
        char message[sizeof err.text + 32];
        snprintf(message, sizeof message, "error %s: %s\n", status_name(status), err.text);
        reply("ok", str_from(message), buf_str(&r.fired));
    }
    arena_end(&text);
    arena_reset(&s->work);
}

/* ---- the loop ---- */

static char *read_text(size_t len) {
    char *text = malloc(len + 1);
    if (!text || fread(text, 1, len, stdin) != len) exit(1);
    text[len] = '\0';
    return text;
}

int main(void) {
    session s = {.setup = NULL};
    arena_init(&s.file, 0);
    arena_init(&s.work, 0);
    char kind[16];
    size_t args_len, input_len;
    while (scanf("%15s %zu %zu", kind, &args_len, &input_len) == 3 && getchar() == '\n') {
        if (args_len > MAX_TEXT_BYTES || input_len > MAX_TEXT_BYTES) return 1;
        char *args = read_text(args_len), *input = read_text(input_len);
        if (strcmp(kind, "file") == 0) {
            arena_reset(&s.file);
            s.setup = NULL;
            reply("ok", STR(""), STR(""));
        } else {
            handle_case(&s, (str){args, args_len}, (str){input, input_len});
        }
        free(args);
        free(input);
    }
    arena_end(&s.file);
    arena_end(&s.work);
    return 0;
}
