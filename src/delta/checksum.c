/* checksum.c - read a version checksum and compare it.
 * Called by: api, prune.  Must not know: how files are counted, how anything is printed.
 */
#include "delta/checksum.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "delta/feature.h"
#include "delta/segment.h"

/* ---- reading ---- */

typedef enum member {
    MEMBER_TABLE_SIZE,
    MEMBER_FILES,
    MEMBER_METADATA_COUNT,
    MEMBER_PROTOCOL_COUNT,
    MEMBER_DELETED_RECORDS,
    MEMBER_DELETION_VECTORS,
    MEMBER_IN_COMMIT_TIMESTAMP,
    MEMBER_PROTOCOL,
    MEMBER_METADATA,
    MEMBER_TRANSACTIONS,
    MEMBER_DOMAINS,
    MEMBER_COUNT
} member;

static const str member_name[MEMBER_COUNT] = {
    {"tableSizeBytes", 14},
    {"numFiles", 8},
    {"numMetadata", 11},
    {"numProtocol", 11},
    {"numDeletedRecordsOpt", 20},
    {"numDeletionVectorsOpt", 21},
    {"inCommitTimestampOpt", 20},
    {"protocol", 8},
    {"metadata", 8},
    {"setTransactions", 15},
    {"domainMetadata", 14},
};

typedef struct parser {
    str text, path;
    arena *memory;
    json_reader *json;        /* of the file */
    json_reader *action_json; /* of one action in it */
    const action_want *want;
    checksum_content *out;
    lp_err *err;
} parser;

static lp_status not_json(const parser *p) {
    size_t offset;
    str message;
    json_error(p->json, &offset, &message);
    return err_set(p->err, LP_ERR_FORMAT, STR_FMT ": not JSON: " STR_FMT " (offset %zu)", STR_ARG(p->path),
                   STR_ARG(message), offset);
}

static lp_status expected(const parser *p, const char *what, member m) {
    return err_set(p->err, LP_ERR_FORMAT, STR_FMT ": expected %s as " STR_FMT, STR_ARG(p->path), what,
                   STR_ARG(member_name[m]));
}

/* The token of a value, all of which has been passed over; null is absent. */
static lp_status take_value(parser *p, json_token *t, str *raw) {
    *t = json_next(p->json);
    size_t from = json_offset(p->json);
    if (t->kind == JSON_ERROR || !json_skip(p->json)) return not_json(p);
    *raw = str_slice(p->text, from, json_offset(p->json) + 1);
    return LP_OK;
}

static lp_status take_int(parser *p, member m, bool *known, int64_t *number) {
    json_token t;
    str raw;
    TRY(take_value(p, &t, &raw));
    *known = t.kind != JSON_NULL;
    if (*known && (t.kind != JSON_NUMBER || !json_number_to_int64(t.text, number)))
        return expected(p, "a whole number", m);
    return LP_OK;
}

static lp_status take_count(parser *p, member m, checksum_count *count) {
    TRY(take_int(p, m, &count->known, &count->number));
    return count->known && count->number < 0 ? expected(p, "a number from 0 on", m) : LP_OK;
}

/* The parts of a checksum that are actions stand there without their names, so that they can be read like those of a
 * commit once they have one. */
static lp_status parse_action(parser *p, str name, str raw, action *a) {
    buf line;
    buf_init(&line, p->memory, CHECKSUM_MAX_BYTES + 256);
    buf_printf(&line, "{\"" STR_FMT "\":", STR_ARG(name));
    buf_put(&line, raw);
    buf_put_char(&line, '}');
    memset(buf_reserve(&line, JSON_PADDING), 0, JSON_PADDING);
    lp_err reason;
    line_place at = {p->path, 1};
    lp_status status = action_parse(p->action_json, buf_str(&line), p->want, at, p->memory, a, &reason);
    return status == LP_OK ? LP_OK : err_set(p->err, status, "%s", reason.text);
}

/* *found is false for null. */
static lp_status take_action(parser *p, member m, str name, bool *found, action *a) {
    json_token t;
    str raw;
    TRY(take_value(p, &t, &raw));
    *found = t.kind == JSON_OBJECT_BEGIN;
    if (!*found) return t.kind == JSON_NULL ? LP_OK : expected(p, "an object", m);
    return parse_action(p, name, raw, a);
}

typedef struct action_list {
    action *item;
    size_t count, capacity;
} action_list;

static void append(parser *p, action_list *l, action a) {
    if (l->count == l->capacity) {
        size_t capacity = l->capacity ? 2 * l->capacity : 16;
        action *grown = ARENA_ARRAY(p->memory, action, capacity);
        if (l->count) memcpy(grown, l->item, l->count * sizeof *grown);
        l->item = grown;
        l->capacity = capacity;
    }
    l->item[l->count++] = a;
}

static lp_status take_actions(parser *p, member m, str name, bool *found, action_list *l) {
    *l = (action_list){0};
    json_token t = json_next(p->json);
    if (t.kind == JSON_ERROR) return not_json(p);
    *found = t.kind == JSON_ARRAY_BEGIN;
    if (t.kind == JSON_NULL) return LP_OK;
    if (!*found) return expected(p, "an array", m);
    for (;;) {
        str raw;
        action a;
        TRY(take_value(p, &t, &raw));
        if (t.kind == JSON_ARRAY_END) return LP_OK;
        if (t.kind != JSON_OBJECT_BEGIN) return expected(p, "an array of objects", m);
        TRY(parse_action(p, name, raw, &a));
        append(p, l, a);
    }
}

static lp_status take_transactions(parser *p) {
    checksum_content *c = p->out;
    action_list l;
    TRY(take_actions(p, MEMBER_TRANSACTIONS, STR("txn"), &c->has_transactions, &l));
    c->transaction = ARENA_ARRAY(p->memory, transaction_action, l.count);
    c->transaction_count = l.count;
    for (size_t i = 0; i < l.count; i++) c->transaction[i] = l.item[i].transaction;
    return LP_OK;
}

static lp_status take_domains(parser *p) {
    checksum_content *c = p->out;
    action_list l;
    TRY(take_actions(p, MEMBER_DOMAINS, STR("domainMetadata"), &c->has_domains, &l));
    c->domain = ARENA_ARRAY(p->memory, domain_action, l.count);
    c->domain_count = l.count;
    for (size_t i = 0; i < l.count; i++) c->domain[i] = l.item[i].domain;
    return LP_OK;
}

static lp_status take_member(parser *p, member m) {
    checksum_content *c = p->out;
    action a;
    switch (m) {
    case MEMBER_TABLE_SIZE: return take_count(p, m, &c->table_size);
    case MEMBER_FILES: return take_count(p, m, &c->file_count);
    case MEMBER_METADATA_COUNT: return take_count(p, m, &c->metadata_count);
    case MEMBER_PROTOCOL_COUNT: return take_count(p, m, &c->protocol_count);
    case MEMBER_DELETED_RECORDS: return take_count(p, m, &c->deleted_records);
    case MEMBER_DELETION_VECTORS: return take_count(p, m, &c->deletion_vectors);
    case MEMBER_IN_COMMIT_TIMESTAMP: return take_int(p, m, &c->has_in_commit_timestamp, &c->in_commit_timestamp_ms);
    case MEMBER_PROTOCOL:
        TRY(take_action(p, m, STR("protocol"), &c->has_protocol, &a));
        if (c->has_protocol) c->protocol = a.protocol;
        return LP_OK;
    case MEMBER_METADATA:
        TRY(take_action(p, m, STR("metaData"), &c->has_metadata, &a));
        if (c->has_metadata) c->metadata = a.metadata;
        return LP_OK;
    case MEMBER_TRANSACTIONS: return take_transactions(p);
    case MEMBER_DOMAINS: return take_domains(p);
    case MEMBER_COUNT: break;
    }
    UNREACHABLE();
}

lp_status checksum_parse(str text, str path, arena *memory, checksum_content *out, lp_err *err) {
    *out = (checksum_content){0};
    parser p = {.text = text,
                .path = path,
                .memory = memory,
                .json = json_reader_new(memory),
                .action_json = json_reader_new(memory),
                .want = action_want_new(memory, NULL, 0),
                .out = out,
                .err = err};
    const json_names *names = json_names_new(memory, member_name, MEMBER_COUNT);
    lp_err reason;
    lp_status status = json_start(p.json, text, &reason);
    if (status != LP_OK) return err_set(err, status, STR_FMT ": %s", STR_ARG(path), reason.text);
    json_token t = json_next(p.json);
    if (t.kind == JSON_ERROR) return not_json(&p);
    if (t.kind != JSON_OBJECT_BEGIN) return err_set(err, LP_ERR_FORMAT, STR_FMT ": expected an object", STR_ARG(path));
    json_kind kind;
    size_t which;
    while ((kind = json_next_wanted(p.json, names, memory, &which)) == JSON_KEY) TRY(take_member(&p, (member)which));
    if (kind != JSON_OBJECT_END || json_next(p.json).kind != JSON_END) return not_json(&p);
    if (out->table_size.known || out->file_count.known) return LP_OK;
    return err_set(err, LP_ERR_FORMAT, STR_FMT ": expected tableSizeBytes and numFiles, found neither", STR_ARG(path));
}

/* ---- comparing ---- */

typedef struct comparison {
    const snapshot *s;
    arena *memory;  /* of what is found */
    arena *scratch; /* of the comparison */
    version_checksum *to;
} comparison;

static void differ(comparison *c, str what, str in_checksum, str in_log) {
    if (c->to->difference_count == CHECKSUM_MOST_DIFFERENCES) return;
    c->to->difference[c->to->difference_count++] = (checksum_difference){what, in_checksum, in_log};
}

static str number_text(comparison *c, int64_t number) {
    return str_format(c->memory, "%" PRId64, number);
}

static void compare_numbers(comparison *c, str what, bool known, int64_t in_checksum, int64_t in_log) {
    if (known && in_checksum != in_log) differ(c, what, number_text(c, in_checksum), number_text(c, in_log));
}

static void compare_counts(comparison *c, str what, checksum_count in_checksum, checksum_count in_log) {
    compare_numbers(c, what, in_checksum.known && in_log.known, in_checksum.number, in_log.number);
}

enum { MOST_TEXT_BYTES = 100 };

/* At most so much, ending at the border of a character. */
static str cut_text(str text) {
    if (text.len <= MOST_TEXT_BYTES) return text;
    size_t end = MOST_TEXT_BYTES;
    while (end > 0 && ((unsigned char)text.ptr[end] & 0xc0) == 0x80) end--;
    return str_slice(text, 0, end);
}

/* A text as a note shows it. */
static str shown(comparison *c, str text) {
    if (str_is_none(text)) return STR("none");
    str cut = cut_text(text);
    if (cut.len == text.len) return str_format(c->memory, "\"" STR_FMT "\"", STR_ARG(text));
    return str_format(c->memory, "\"" STR_FMT "...\" (%zu bytes)", STR_ARG(cut), text.len);
}

static void compare_texts(comparison *c, str what, str in_checksum, str in_log) {
    if (str_is_none(in_checksum) && str_is_none(in_log)) return;
    if (str_is_none(in_checksum) == str_is_none(in_log) && str_eq(in_checksum, in_log)) return;
    differ(c, what, shown(c, in_checksum), shown(c, in_log));
}

/* A list as a set. */
static map set_of(comparison *c, str *text, size_t count) {
    map set;
    map_init(&set, c->scratch);
    for (size_t i = 0; i < count; i++) (void)map_put(&set, text[i], &text[i]);
    return set;
}

static void compare_features(comparison *c, str what, map theirs, map ours) {
    for (size_t i = 0; i < theirs.count; i++)
        if (!map_get(&ours, theirs.entry[i].key)) differ(c, what, shown(c, theirs.entry[i].key), STR("none"));
    for (size_t i = 0; i < ours.count; i++)
        if (!map_get(&theirs, ours.entry[i].key)) differ(c, what, STR("none"), shown(c, ours.entry[i].key));
}

static void compare_protocol(comparison *c, const protocol_action *p) {
    const protocol *ours = &c->s->protocol;
    compare_numbers(c, STR("protocol.minReaderVersion"), true, p->min_reader_version, ours->min_reader_version);
    compare_numbers(c, STR("protocol.minWriterVersion"), true, p->min_writer_version, ours->min_writer_version);
    compare_features(c, STR("protocol.readerFeatures"), set_of(c, p->reader_feature, p->reader_feature_count),
                     set_of(c, ours->reader_feature, ours->reader_feature_count));
    compare_features(c, STR("protocol.writerFeatures"), set_of(c, p->writer_feature, p->writer_feature_count),
                     set_of(c, ours->writer_feature, ours->writer_feature_count));
}

/* "metadata.configuration[delta.appendOnly]" */
static str key_of(comparison *c, const char *list, str key) {
    return str_format(c->memory, "%s[" STR_FMT "]", list, STR_ARG(cut_text(key)));
}

static void compare_configuration(comparison *c, const metadata_action *m) {
    const char *list = "metadata.configuration";
    map theirs, ours;
    map_init(&theirs, c->scratch); /* of a key that stands twice the last value counts */
    map_init(&ours, c->scratch);
    for (size_t i = 0; i < m->configuration_count; i++)
        (void)map_put(&theirs, m->configuration[2 * i], &m->configuration[2 * i + 1]);
    for (size_t i = 0; i < c->s->configuration_count; i++) {
        property *p = &c->s->configuration[i];
        (void)map_put(&ours, p->key, p);
        const str *other = map_get(&theirs, p->key);
        if (!other || !str_eq(*other, p->value))
            differ(c, key_of(c, list, p->key), shown(c, other ? *other : STR_NONE), shown(c, p->value));
    }
    for (size_t i = 0; i < theirs.count; i++)
        if (!map_get(&ours, theirs.entry[i].key))
            differ(c, key_of(c, list, theirs.entry[i].key), shown(c, *(const str *)theirs.entry[i].value), STR("none"));
}

static void compare_partition_columns(comparison *c, const metadata_action *m) {
    const snapshot *s = c->s;
    size_t count =
        m->partition_column_count > s->partition_column_count ? m->partition_column_count : s->partition_column_count;
    for (size_t i = 0; i < count; i++)
        compare_texts(c, str_format(c->memory, "metadata.partitionColumns[%zu]", i),
                      i < m->partition_column_count ? m->partition_column[i] : STR_NONE,
                      i < s->partition_column_count ? s->partition_column[i] : STR_NONE);
}

static void compare_metadata(comparison *c, const metadata_action *m) {
    compare_texts(c, STR("metadata.id"), m->id, c->s->table_id);
    compare_texts(c, STR("metadata.schemaString"), m->schema_string, c->s->schema_string);
    compare_partition_columns(c, m);
    compare_configuration(c, m);
}

/* Where a retention is set, the checksum may leave out old ones. */
static void compare_transactions(comparison *c, const checksum_content *content) {
    const char *list = "setTransactions";
    const snapshot *s = c->s;
    bool may_lack = !str_is_none(snapshot_property(s, STR("delta.setTransactionRetentionDuration")));
    map theirs, ours;
    map_init(&theirs, c->scratch);
    map_init(&ours, c->scratch);
    for (size_t i = 0; i < content->transaction_count; i++) {
        transaction_action *t = &content->transaction[i];
        if (!str_is_none(t->app_id) && t->has_version) (void)map_put(&theirs, t->app_id, t);
    }
    for (size_t i = 0; i < s->transaction_count; i++) {
        table_transaction *t = &s->transaction[i];
        (void)map_put(&ours, t->app_id, t);
        const transaction_action *other = map_get(&theirs, t->app_id);
        if (other ? other->version != t->version : !may_lack)
            differ(c, key_of(c, list, t->app_id), other ? number_text(c, other->version) : STR("none"),
                   number_text(c, t->version));
    }
    for (size_t i = 0; i < theirs.count; i++) {
        const transaction_action *t = theirs.entry[i].value;
        if (!map_get(&ours, t->app_id)) differ(c, key_of(c, list, t->app_id), number_text(c, t->version), STR("none"));
    }
}

static void compare_domains(comparison *c, const checksum_content *content) {
    const char *list = "domainMetadata";
    map theirs, ours;
    map_init(&theirs, c->scratch);
    map_init(&ours, c->scratch);
    for (size_t i = 0; i < content->domain_count; i++)
        if (!content->domain[i].removed) (void)map_put(&theirs, content->domain[i].domain, &content->domain[i]);
    for (size_t i = 0; i < c->s->domain_count; i++) {
        table_domain *d = &c->s->domain[i];
        (void)map_put(&ours, d->name, d);
        const domain_action *other = map_get(&theirs, d->name);
        if (!other || !str_eq(other->configuration, d->configuration))
            differ(c, key_of(c, list, d->name), other ? shown(c, other->configuration) : STR("none"),
                   shown(c, d->configuration));
    }
    for (size_t i = 0; i < theirs.count; i++) {
        const domain_action *d = theirs.entry[i].value;
        if (!map_get(&ours, d->domain)) differ(c, key_of(c, list, d->domain), shown(c, d->configuration), STR("none"));
    }
}

/* Rule E3: it stands there exactly when in-commit timestamps are on. The commit may be gone (rule C22). */
static void compare_time(comparison *c, const checksum_content *content) {
    commit_info info;
    bool is_on = protocol_supports(&c->s->protocol, FEATURE_inCommitTimestamp) &&
                 str_eq_nocase(snapshot_property(c->s, STR("delta.enableInCommitTimestamps")), STR("true"));
    if (!is_on || !content->has_in_commit_timestamp) return;
    if (!snapshot_commit_info(c->s, c->scratch, &info) || !info.has_in_commit_timestamp) return;
    compare_numbers(c, STR("inCommitTimestampOpt"), true, content->in_commit_timestamp_ms, info.in_commit_timestamp_ms);
}

static void compare(comparison *c, const checksum_content *content, const checksum_totals *counted) {
    static const checksum_count one = {true, 1};
    compare_counts(c, STR("numFiles"), content->file_count, counted->files);
    compare_counts(c, STR("tableSizeBytes"), content->table_size, counted->bytes);
    if (counted->has_sizeless_file && content->table_size.known)
        differ(c, STR("tableSizeBytes"), str_format(c->memory, "%" PRId64, content->table_size.number), STR("a file without a size"));
    compare_counts(c, STR("numMetadata"), content->metadata_count, one);
    compare_counts(c, STR("numProtocol"), content->protocol_count, one);
    compare_counts(c, STR("numDeletionVectorsOpt"), content->deletion_vectors, counted->files_with_dv);
    compare_counts(c, STR("numDeletedRecordsOpt"), content->deleted_records, counted->deleted_rows);
    if (content->has_protocol) compare_protocol(c, &content->protocol);
    if (content->has_metadata) compare_metadata(c, &content->metadata);
    if (content->has_transactions) compare_transactions(c, content);
    if (content->has_domains) compare_domains(c, content);
    compare_time(c, content);
}

/* ---- the version's own ---- */

static const log_entry *find_entry(const log_list *l, int64_t version) {
    for (size_t i = l->checksum_count; i > 0; i--)
        if (l->checksum[i - 1].is.version == version) return &l->checksum[i - 1];
    return NULL;
}

static void note_differences(const version_checksum *v, arena *memory, note_list *notes) {
    buf text;
    buf_init(&text, memory, 1 << 20);
    buf_printf(&text, STR_FMT " does not agree with the log: ", STR_ARG(v->file));
    for (size_t i = 0; i < v->difference_count; i++) {
        const checksum_difference *d = &v->difference[i];
        buf_printf(&text, "%s" STR_FMT " is " STR_FMT " there and " STR_FMT " in the log", i ? "; " : "",
                   STR_ARG(d->what), STR_ARG(d->in_checksum), STR_ARG(d->in_log));
    }
    note_add(notes, memory, NOTE_CHECKSUM_MISMATCH, buf_str(&text));
}

static lp_status read_content(const snapshot *s, str path, arena *memory, checksum_content *out, lp_err *err) {
    str text;
    TRY(store_read_all(s->files, memory, path, CHECKSUM_MAX_BYTES, JSON_PADDING, &text, err));
    return checksum_parse(text, path, memory, out, err);
}

static void verify(const snapshot *s, const checksum_totals *counted, arena *memory, arena *scratch, note_list *notes,
                   version_checksum *out) {
    checksum_content content;
    lp_err reason;
    if (read_content(s, out->file, scratch, &content, &reason) != LP_OK) {
        out->verdict = VERDICT_UNREADABLE;
        out->why = str_copy(memory, str_from(reason.text));
        note_add(notes, memory, NOTE_CHECKSUM_UNREADABLE, out->why);
        return;
    }
    comparison c = {s, memory, scratch, out};
    compare(&c, &content, counted);
    out->verdict = out->difference_count ? VERDICT_DIFFERS : VERDICT_AGREES;
    if (out->difference_count) note_differences(out, memory, notes);
}

void checksum_verify(const snapshot *s, const checksum_totals *counted, arena *memory, note_list *notes,
                     version_checksum *out) {
    *out = (version_checksum){0};
    const log_entry *entry = find_entry(&s->segment->list, s->version);
    if (!entry) return;
    out->file = segment_path(memory, entry->name);
    arena *scratch = arena_child(memory);
    verify(s, counted, memory, scratch, notes, out);
    arena_end(scratch);
}
