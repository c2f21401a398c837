/* action.h - one line of a commit to one typed action.
 * Called by: delta/snapshot.c, scan.c.  Must not know: which actions win.
 * Source: PROTOCOL.md: Actions, Deletion Vector Descriptor Schema, Sidecar File Information.
 */
#ifndef DELTA_ACTION_H
#define DELTA_ACTION_H

#include "base/err.h"
#include "delta/commit_info.h"
#include "delta/replay.h"
#include "json/json.h"

typedef enum action_kind {
    ACTION_NONE, /* nothing of use: unknown to us, null (rule F10) */
    ACTION_ADD,
    ACTION_REMOVE,
    ACTION_CDC, /* a file with the changes of its commit: no part of the table (rule F10) */
    ACTION_METADATA,
    ACTION_PROTOCOL,
    ACTION_DOMAIN_METADATA,
    ACTION_TRANSACTION,
    ACTION_COMMIT_INFO,
    ACTION_CHECKPOINT_METADATA,
    ACTION_SIDECAR
} action_kind;

/* One value of partitionValues: missing, null (STR_NONE) or text. */
typedef struct partition_text {
    bool present;
    str text;
} partition_text;

/* add, and of remove the key. */
typedef struct file_action {
    file_key key;
    bool has_dv;
    int64_t dv_cardinality; /* -1 when unknown */
    int64_t size_bytes;     /* -1 when unknown */
    size_t dv_stem_len;     /* of key.dv_id without its offset */
    int64_t deleted_at_ms;  /* remove.deletionTimestamp, milliseconds since 1970-01-01 UTC; 0 when unknown */
    bool modification_time_known, base_row_id_known;
    int64_t modification_time_ms, base_row_id;
    bool has_stats;
    json_token stats;          /* JSON_STRING, escapes as written */
    partition_text *partition; /* parallel to action_want.partition */
} file_action;

typedef struct metadata_action {
    str id, name, description, schema_string; /* STR_NONE when absent */
    bool has_created_time;
    int64_t created_time_ms;
    str *partition_column;
    size_t partition_column_count;
    str *configuration;         /* key, value, key, value, ... in the order of the text */
    size_t configuration_count; /* of pairs */
} metadata_action;

typedef struct protocol_action {
    int64_t min_reader_version, min_writer_version;
    bool has_reader_features;
    str *reader_feature, *writer_feature;
    size_t reader_feature_count, writer_feature_count;
} protocol_action;

typedef struct domain_action {
    str domain, configuration;
    bool removed;
} domain_action;

/* PROTOCOL.md: Transaction Identifiers. */
typedef struct transaction_action {
    str app_id; /* STR_NONE: it cannot be understood, and says nothing of files */
    bool has_version, has_last_updated;
    int64_t version, last_updated_ms;
} transaction_action;

typedef struct action {
    action_kind kind;
    union {
        file_action file; /* ACTION_ADD, ACTION_REMOVE */
        str cdc_path;     /* as written; STR_NONE when absent */
        metadata_action metadata;
        protocol_action protocol;
        domain_action domain;
        transaction_action transaction;
        commit_info commit_info;
        str sidecar_path; /* as written, percent-encoded */
    };
} action;

/* What to take out of an add: the values of these partition columns, by their physical names. Made once for many lines;
 * threads may share it. */
typedef struct action_want action_want;
const action_want *action_want_new(arena *owner, const str *partition, size_t partition_count);

/* Where a line stands, for messages. */
typedef struct line_place {
    str path;
    size_t line;
} line_place;

/* Read a line. Text is borrowed from the line or copied into `out` where it had escapes. LP_ERR_FORMAT: not JSON, not
 * one object, two known actions, or a part without which the action cannot be understood; the message says where. */
MUST_USE lp_status action_parse(json_reader *json, str line, const action_want *want, line_place at, arena *out,
                                action *a, lp_err *err);

/* A line that can only be about a file or about provenance (cdc, commitInfo), told by its first key: the pass that looks for metadata
 * need not parse it. (The pass that lists files parses every line.) */
bool action_is_plainly_of_file(str line);

/* The unique id of a deletion vector (rule H4). */
str dv_unique_id(arena *out, str storage_type, str path_or_inline, bool has_offset, int64_t offset);

#endif
