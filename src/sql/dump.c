/* dump.c - a tree as indented lines.
 * Called by: report (sql parse), tests.  Must not know: JSON.
 */
#include "sql/walk.h"

typedef struct dump {
    buf *out;
    bool spans;
    bool in_line; /* the line of a node is still open: its texts and flags stand there */
    size_t depth;
} dump;

static void end_line(dump *d) {
    if (d->in_line) buf_put_char(d->out, '\n');
    d->in_line = false;
}

static void start_line(dump *d, const char *role) {
    end_line(d);
    buf_put_repeated(d->out, ' ', d->depth * 2);
    if (!role) return;
    buf_put(d->out, str_from(role));
    buf_put_char(d->out, ':');
}

static void dump_enter(void *context, const char *role, const char *kind, span at) {
    dump *d = context;
    start_line(d, role);
    if (role) buf_put_char(d->out, ' ');
    buf_put(d->out, str_from(kind));
    if (d->spans) buf_printf(d->out, " @%u+%u", at.start, at.len);
    d->in_line = true;
    d->depth++;
}

static void dump_leave(void *context) {
    dump *d = context;
    d->depth--;
}

/* A text stands on the line of its node while that is open, and on one of its own behind the children. */
static void dump_text(void *context, const char *role, str value) {
    dump *d = context;
    bool item = role == NULL;
    if (item || !d->in_line) start_line(d, NULL);
    if (!item) {
        buf_put(d->out, d->in_line ? STR(" ") : STR(""));
        buf_put(d->out, str_from(role));
        buf_put_char(d->out, '=');
    }
    buf_put_char(d->out, '[');
    for (size_t i = 0; i < value.len; i++) {
        if (value.ptr[i] == '\n')
            buf_put(d->out, STR("\\n"));
        else
            buf_put_char(d->out, value.ptr[i]);
    }
    buf_put_char(d->out, ']');
    d->in_line = true;
}

static void dump_flag(void *context, const char *role) {
    dump *d = context;
    if (!d->in_line) start_line(d, NULL);
    buf_put(d->out, d->in_line ? STR(" ") : STR(""));
    buf_put(d->out, str_from(role));
    d->in_line = true;
}

static void dump_list(void *context, const char *role) {
    dump *d = context;
    start_line(d, role);
    d->in_line = true;
    end_line(d);
    d->depth++;
}

void sql_dump_statement(buf *out, const sql_statement *statement, bool spans) {
    dump d = {.out = out, .spans = spans};
    sql_walker w = {&d, dump_enter, dump_leave, dump_text, dump_flag, dump_list, dump_leave};
    sql_walk_statement(statement, &w);
    end_line(&d);
}
