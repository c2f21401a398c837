/* report_int.h - what the sources of this room share: a document under construction and how figures look.
 * Called by: the sources of the room.  Must not know: prune's rules.
 */
#ifndef REPORT_REPORT_INT_H
#define REPORT_REPORT_INT_H

#include "report/report.h"

/* Text of one document. Longer is a defect: what grows with the table goes through spools. */
#define REPORT_TEXT_MAX ((size_t)1 << 30)

/* A document under construction: text collects in `tail` until a spool cuts it. */
typedef struct draft {
    report_document *document;
    buf tail;
} draft;

void draft_init(draft *d, arena *query, report_document *document);
void draft_put_spool(draft *d, const spool *spooled); /* an empty spool leaves no piece */
void draft_end(draft *d);

/* Figures as the text report shows them. */
void put_count(buf *out, uint64_t count);             /* 1,234,567 */
void put_percent(buf *out, double percent);           /* 67: no decimals, ties to even */
void put_size(buf *out, int64_t size_bytes);          /* 736 B, 1.1 KB, 5000.0 GB */

void put_time(buf *out, int64_t ms);                  /* since 1970-01-01 UTC: 2024-01-03T04:05:06.789Z */

/* A bound in a listing. Numbers in the shortest form without exponent: 68.0 is 68, 1e20 is 100000000000000000000. */
void put_bound(buf *out, type_kind kind, const bound *b, bool as_written);

/* Text that comes from the log, on one line of a terminal. `as_written` puts it out untouched, as the original does;
 * else control and direction characters and bytes that are no UTF-8 appear as \n, \t, \r, \u{1b}, \x{ff}. */
void put_log_text(buf *out, str text, bool as_written);

/* A JSON string with its quotes. */
void put_json_string(buf *out, str text);

/* Which part of a report a note belongs to, decided by its code. */
typedef enum note_place { NOTE_OF_PREDICATE, NOTE_OF_FEATURE, NOTE_OF_TABLE } note_place;
note_place note_place_of(note_code code);

/* The notes of one part: those raised by prune before those of the snapshot; features in the order of their codes, which
 * is the original's. Under `drop_in` without those that the original does not know. */
typedef struct note_choice {
    const note **item;
    size_t count;
} note_choice;
note_choice notes_choose(const prune_report *report, note_place part, bool drop_in, arena *query);

#endif
