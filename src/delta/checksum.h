/* checksum.h - the version checksum: what a writer says of a version, held against what the log gives.
 * Called by: api, prune.  Must not know: how files are counted, how anything is printed.
 * Source: PROTOCOL.md: Version Checksum File (Version Checksum File Schema, State Validation).
 *
 * A checksum is optional, and nothing is ever taken from it (rules E1, E4): it only causes notes.
 */
#ifndef DELTA_CHECKSUM_H
#define DELTA_CHECKSUM_H

#include "delta/action.h"
#include "delta/snapshot.h"

/* A longer file is not read. */
#define CHECKSUM_MAX_BYTES ((uint64_t)32 << 20)

/* A number that may be absent. */
typedef struct checksum_count {
    bool known;
    int64_t number; /* never negative */
} checksum_count;

/* What the file says. Everything but table_size and file_count may be absent (rules E2, E3). */
typedef struct checksum_content {
    checksum_count table_size, file_count, metadata_count, protocol_count, deleted_records, deletion_vectors;
    bool has_in_commit_timestamp;
    int64_t in_commit_timestamp_ms;
    bool has_protocol, has_metadata;
    protocol_action protocol;
    metadata_action metadata;
    bool has_transactions, has_domains; /* the lists are there; they may be empty */
    transaction_action *transaction;
    size_t transaction_count;
    domain_action *domain;
    size_t domain_count;
} checksum_content;

/* Read the text of a checksum, which needs JSON_PADDING readable bytes behind it. Lives in `memory`. LP_ERR_FORMAT: no JSON
 * object, a member that is of another kind than it should be, or neither a size nor a number of files. `path` is for messages.
 */
MUST_USE lp_status checksum_parse(str text, str path, arena *memory, checksum_content *out, lp_err *err);

/* What was counted of the version; absent is not compared. */
typedef struct checksum_totals {
    checksum_count files, bytes, files_with_dv, deleted_rows;
    bool has_sizeless_file; /* the log does not tell the size of a file: no total of bytes agrees with that */
} checksum_totals;

typedef struct checksum_difference {
    str what;                /* "numFiles", "metadata.id", "setTransactions[app]", ... */
    str in_checksum, in_log; /* "10", "none", ... */
} checksum_difference;

typedef enum checksum_verdict {
    VERDICT_ABSENT,    /* the version has no checksum */
    VERDICT_AGREES,    /* all that can be compared is equal */
    VERDICT_DIFFERS,
    VERDICT_UNREADABLE /* `why` tells */
} checksum_verdict;

enum { CHECKSUM_MOST_DIFFERENCES = 16 };

typedef struct version_checksum {
    checksum_verdict verdict;
    str file; /* below the table's root; STR_NONE when absent */
    str why;  /* VERDICT_UNREADABLE */
    checksum_difference difference[CHECKSUM_MOST_DIFFERENCES]; /* the first ones */
    size_t difference_count;
} version_checksum;

/* Read the checksum of the snapshot's version and compare it with the snapshot and with `counted`. A difference causes the
 * note CHECKSUM_MISMATCH with both values and the file, a file that cannot be read the note CHECKSUM_UNREADABLE (rule E5). All
 * of it lives in `memory`. */
void checksum_verify(const snapshot *s, const checksum_totals *counted, arena *memory, note_list *notes,
                     version_checksum *out);

#endif
