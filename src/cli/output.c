/* output.c - the two streams of the command, and its exit codes.
 * Called by: every file of cli that prints.  Must not know: what is printed.
 */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

void output_prepare(void) {
    signal(SIGPIPE, SIG_IGN);
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
        int opened = open("/dev/null", fd == STDIN_FILENO ? O_RDONLY : O_WRONLY);
        (void)opened; /* takes the lowest free number, which is fd */
    }
}

/* All bytes, through interruptions and a stream that does not block. 0 or an errno. */
static int write_all(int fd, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t done = write(fd, bytes, size);
        if (done >= 0) {
            bytes += done;
            size -= (size_t)done;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd wait = {.fd = fd, .events = POLLOUT};
            poll(&wait, 1, -1);
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

void output_init(output *o) {
    o->used = 0;
    o->reader_is_gone = false;
    o->error = 0;
}

bool output_has_stopped(const output *o) {
    return o->reader_is_gone || o->error != 0;
}

static void output_flush(output *o) {
    if (output_has_stopped(o)) return;
    int error = write_all(STDOUT_FILENO, o->bytes, o->used);
    o->used = 0;
    if (error == EPIPE)
        o->reader_is_gone = true;
    else
        o->error = error;
}

bool output_write(void *context, const char *bytes, size_t size) {
    output *o = context;
    while (size > 0 && !output_has_stopped(o)) {
        size_t room = sizeof o->bytes - o->used;
        size_t piece = size < room ? size : room;
        memcpy(o->bytes + o->used, bytes, piece);
        o->used += piece;
        bytes += piece;
        size -= piece;
        if (o->used == sizeof o->bytes) output_flush(o);
    }
    return !output_has_stopped(o);
}

int output_end(output *o, const invocation *call) {
    output_flush(o);
    /* Some file systems tell only here that the bytes found no place. */
    if (!output_has_stopped(o) && close(STDOUT_FILENO) != 0 && errno != EINTR) o->error = errno;
    if (!o->error) return EXIT_DONE;
    text message = {0};
    text_printf(&message, "Cannot write output: %s", strerror(o->error));
    int code = output_failure(call, text_str(&message));
    text_free(&message);
    return code;
}

int output_document(const text *document, const invocation *call) {
    static output o;
    output_init(&o);
    output_write(&o, text_str(document), document->size);
    return output_end(&o, call);
}

void output_note(const text *lines) {
    write_all(STDERR_FILENO, text_str(lines), lines->size);
}

int output_failure(const invocation *call, const char *message) {
    text line = {0};
    text_printf(&line, "%s: %s\n", call->is_drop_in ? "Error" : "error", message);
    output_note(&line);
    text_free(&line);
    return EXIT_FAILED;
}

int output_usage(const invocation *call, const char *message) {
    text lines = {0};
    const char *name = invocation_name(call);
    text_printf(&lines, "error: %s\n\nUsage: %s ", message, name);
    if (call->command)
        text_add(&lines, command_synopsis(call->command));
    else
        text_add(&lines, "COMMAND [OPTIONS] ...");
    text_printf(&lines, "\n\n'%s --help' tells more.\n", name);
    output_note(&lines);
    text_free(&lines);
    return EXIT_USAGE;
}
