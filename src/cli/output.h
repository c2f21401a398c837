/* output.h - the two streams of the command, and its exit codes.
 * Called by: every file of cli that prints.  Must not know: what is printed.
 *
 * Standard output gets a whole document or nothing: callers render first. A reader that stops reading is no error.
 * Runtime errors start with "error: " under the name lakeproof, with "Error: " under the name delta-explain, as that
 * tool does. Usage errors start with "error: " under both.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "cli/table.h"
#include "cli/text.h"

enum {
    EXIT_DONE = 0,
    EXIT_FAILED = 1, /* a gate failed, or a runtime error */
    EXIT_USAGE = 2
};

/* Once, first thing: a closed stream becomes /dev/null, so that no file that is opened later takes its number; SIGPIPE
 * is ignored. */
void output_prepare(void);

typedef struct output {
    size_t used;
    bool reader_is_gone;
    int error; /* errno of a failed write, 0 */
    char bytes[65536];
} output;

void output_init(output *o);
/* Fits lp_write; `context` is an output. False once nothing more can be written. */
bool output_write(void *context, const char *bytes, size_t size);
bool output_has_stopped(const output *o);
/* Write the rest. EXIT_DONE, also if the reader is gone; EXIT_FAILED with a message if the stream cannot be written. */
int output_end(output *o, const invocation *call);

/* A whole document on standard output; the two exit codes of output_end. */
int output_document(const text *document, const invocation *call);

/* On standard error, as it is. That it cannot be written is ignored: there is no other place to say so. */
void output_note(const text *lines);

/* "error: MESSAGE". Returns EXIT_FAILED. */
int output_failure(const invocation *call, const char *message);

/* "error: MESSAGE", how the program is called, and where to read more. Returns EXIT_USAGE. */
int output_usage(const invocation *call, const char *message);

#endif
