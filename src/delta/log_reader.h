/* log_reader.h - the lines of a commit, read in blocks of bounded size.
 * Called by: delta/snapshot.c, scan.c, commit_info.c.  Must not know: what a line means.
 * Source: PROTOCOL.md: Delta Log Entries (newline-delimited JSON).
 */
#ifndef DELTA_LOG_READER_H
#define DELTA_LOG_READER_H

#include "store/store.h"

/* A line longer than this is an error. */
#define LOG_MAX_LINE_BYTES ((size_t)512 << 20)

typedef struct log_reader log_reader;

/* A reader whose buffer lives in `keep` and is used again from file to file; it grows with the longest line. */
log_reader *log_reader_new(arena *keep);

/* Start on a file. It is closed by the next open, by log_reader_close, or with `owner`. */
MUST_USE lp_status log_reader_open(log_reader *r, store *files, arena *owner, str path, lp_err *err);
/* The same for a reader that wants the first lines only: the first blocks are small, and each is twice the last. */
MUST_USE lp_status log_reader_open_start(log_reader *r, store *files, arena *owner, str path, lp_err *err);
void log_reader_close(log_reader *r);

/* Read the next block: one or more whole lines, which stay until the next fill or open. *more is false at the end. */
MUST_USE lp_status log_reader_fill(log_reader *r, bool *more, lp_err *err);

/* The next line of the block that is not blank, without its line end (a carriage return may stay: it is a blank of
 * JSON); at least JSON_PADDING readable bytes follow it. False at the end of the block. */
bool log_reader_next(log_reader *r, str *line);

str log_reader_path(const log_reader *r);
size_t log_reader_line_number(const log_reader *r); /* of the line returned last, from 1, blank ones counted */
bool log_reader_saw_line(const log_reader *r);      /* has any line of the file been not blank? */

#endif
