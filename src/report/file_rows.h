/* file_rows.h - one live file of a snapshot as a row: a line of text, an object of JSON, a record of CSV.
 * Called by: the census, through census_options.print, on worker threads; api makes the context.  Must not know: why a file
 * is live.
 */
#ifndef REPORT_FILE_ROWS_H
#define REPORT_FILE_ROWS_H

#include "delta/census.h"

typedef enum file_rows_form {
    FILE_ROWS_TEXT,
    FILE_ROWS_JSON,   /* an entry of the array `files`, indented for its place in the document */
    FILE_ROWS_NDJSON, /* a line */
    FILE_ROWS_CSV     /* a record, RFC 4180; NULL is an empty field, an empty text is "" */
} file_rows_form;

/* Read-only after it was made, so any number of threads may print with it. */
typedef struct file_rows file_rows;

/* Columns are shown by their logical names. Lives in `query`. */
file_rows *file_rows_new(const snapshot *s, file_rows_form form, arena *query);

/* As census_options.print, with a `file_rows *` as the context. */
void file_row_print(void *context, buf *out, const live_file *f);
/* census_options.separator that belongs to it; the last row has none behind it. */
str file_rows_separator(file_rows_form form);
bool file_rows_is_text(const file_rows *r);
/* Behind the last row. */
str file_rows_end(const file_rows *r);
/* The line above the rows, with its end: the header of CSV and text, else nothing. */
void file_rows_put_header(const file_rows *r, buf *out);

#endif
