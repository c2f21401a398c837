/* action.c - the members of each kind of action.
 * Called by: delta/snapshot.c, scan.c.  Must not know: which actions win.
 * Source: PROTOCOL.md: Actions. Unknown members are passed over (Protocol Evolution); of members that stand twice the
 * last one counts.
 */
#include "delta/action.h"

#include <inttypes.h>
#include <string.h>

/* Members of add and remove that are taken. */
typedef enum file_member {
    MEMBER_PATH,
    MEMBER_DV,
    MEMBER_PARTITION,
    MEMBER_STATS,
    MEMBER_SIZE,
    MEMBER_MODIFICATION_TIME,
    MEMBER_BASE_ROW_ID,
    MEMBER_DELETION_TIMESTAMP
} file_member;

struct action_want {
    const json_names *members;   /* by file_member */
    const json_names *partition; /* physical names of partition columns */
    size_t partition_count;
};

typedef struct action_parser {
    json_reader *json;
    const action_want *want;
    line_place at;
    arena *out;
    const char *within; /* the kind of action, for messages */
    str line;
    lp_err *err;
} action_parser;

/* ---- errors ---- */

static const char *describe(json_kind k) {
    switch (k) {
    case JSON_ERROR: return "no JSON";
    case JSON_END: return "the end of the line";
    case JSON_OBJECT_BEGIN: return "an object";
    case JSON_OBJECT_END: return "the end of an object";
    case JSON_ARRAY_BEGIN: return "an array";
    case JSON_ARRAY_END: return "the end of an array";
    case JSON_KEY: return "a key";
    case JSON_STRING: return "a string";
    case JSON_NUMBER: return "a number";
    case JSON_TRUE:
    case JSON_FALSE: return "a boolean";
    case JSON_NULL: return "null";
    }
    UNREACHABLE();
}

static lp_status not_json(action_parser *p) {
    size_t offset;
    str message;
    json_error(p->json, &offset, &message);
    return err_set(p->err, LP_ERR_FORMAT, STR_FMT ":%zu: not JSON: " STR_FMT " (byte %zu)", STR_ARG(p->at.path),
                   p->at.line, STR_ARG(message), offset);
}

static lp_status expected(action_parser *p, const char *what, json_token found) {
    if (found.kind == JSON_ERROR) return not_json(p);
    return err_set(p->err, LP_ERR_FORMAT, STR_FMT ":%zu: expected %s for \"%s\", found %s", STR_ARG(p->at.path),
                   p->at.line, what, p->within, describe(found.kind));
}

static lp_status lacks(action_parser *p, const char *member) {
    return err_set(p->err, LP_ERR_FORMAT, STR_FMT ":%zu: expected \"%s\" in \"%s\", found none", STR_ARG(p->at.path),
                   p->at.line, member, p->within);
}

/* ---- values of members; the key has just been read ---- */

static bool is_container(json_kind k) {
    return k == JSON_OBJECT_BEGIN || k == JSON_ARRAY_BEGIN;
}

static lp_status skip_value(action_parser *p) {
    return json_skip(p->json) ? LP_OK : not_json(p);
}

/* The next token; of a container all is passed over. */
static lp_status take_value(action_parser *p, json_token *t) {
    *t = json_next(p->json);
    if (t->kind == JSON_ERROR) return not_json(p);
    return is_container(t->kind) ? skip_value(p) : LP_OK;
}

/* A string, STR_NONE for null. Anything else is an error: these members decide which files are live. */
static lp_status take_string(action_parser *p, const char *what, str *out) {
    json_token t = json_next(p->json);
    *out = STR_NONE;
    if (t.kind == JSON_NULL) return LP_OK;
    if (t.kind != JSON_STRING) return expected(p, what, t);
    *out = json_unescape(p->out, t);
    return LP_OK;
}

/* A string, copied only where it has escapes; STR_NONE for anything else. */
static lp_status take_optional_string(action_parser *p, str *out) {
    json_token t;
    TRY(take_value(p, &t));
    *out = t.kind == JSON_STRING ? json_unescape(p->out, t) : STR_NONE;
    return LP_OK;
}

/* An object as it stands in the line; STR_NONE for anything else. */
static lp_status take_object_text(action_parser *p, str *out) {
    json_token t = json_next(p->json);
    *out = STR_NONE;
    if (t.kind == JSON_ERROR) return not_json(p);
    if (!is_container(t.kind)) return LP_OK;
    size_t begin = json_offset(p->json);
    TRY(skip_value(p));
    if (t.kind == JSON_OBJECT_BEGIN) *out = str_slice(p->line, begin, json_offset(p->json) + 1);
    return LP_OK;
}

/* A whole number; false in *known for null and for what is none. */
static lp_status take_int(action_parser *p, bool *known, int64_t *out) {
    json_token t;
    TRY(take_value(p, &t));
    int64_t value;
    *known = t.kind == JSON_NUMBER && json_number_to_int64(t.text, &value);
    if (*known) *out = value;
    return LP_OK;
}

typedef struct str_list {
    str *item;
    size_t count, capacity;
} str_list;

static void push(arena *out, str_list *l, str s) {
    if (l->count == l->capacity) {
        size_t capacity = l->capacity ? l->capacity * 2 : 8;
        str *grown = ARENA_ARRAY(out, str, capacity);
        if (l->count) memcpy(grown, l->item, l->count * sizeof *grown);
        l->item = grown;
        l->capacity = capacity;
    }
    l->item[l->count++] = s;
}

/* An array of strings; *present is false for null. */
static lp_status take_strings(action_parser *p, const char *what, bool *present, str_list *out) {
    *out = (str_list){0};
    json_token t = json_next(p->json);
    *present = t.kind != JSON_NULL;
    if (!*present) return LP_OK;
    if (t.kind != JSON_ARRAY_BEGIN) return expected(p, what, t);
    for (;;) {
        t = json_next(p->json);
        if (t.kind == JSON_ARRAY_END) return LP_OK;
        if (t.kind != JSON_STRING) return expected(p, what, t);
        push(p->out, out, json_unescape(p->out, t));
    }
}

/* An object of scalars as pairs; null gives none. Values that are no strings are taken as written (rule N9). */
static lp_status take_pairs(action_parser *p, const char *what, str_list *out) {
    *out = (str_list){0};
    json_token t = json_next(p->json);
    if (t.kind == JSON_NULL) return LP_OK;
    if (t.kind != JSON_OBJECT_BEGIN) return expected(p, what, t);
    for (;;) {
        t = json_next(p->json);
        if (t.kind == JSON_OBJECT_END) return LP_OK;
        if (t.kind != JSON_KEY) return expected(p, what, t);
        str key = json_unescape(p->out, t);
        TRY(take_value(p, &t));
        if (t.kind == JSON_NULL || is_container(t.kind)) continue;
        push(p->out, out, key);
        bool is_word = t.kind == JSON_TRUE || t.kind == JSON_FALSE;
        push(p->out, out, is_word ? (t.kind == JSON_TRUE ? STR("true") : STR("false")) : json_unescape(p->out, t));
    }
}

/* Steps to the next key of the object under way; *more is false at its end. */
static lp_status next_key(action_parser *p, json_token *key, bool *more) {
    *key = json_next(p->json);
    *more = key->kind == JSON_KEY;
    if (key->kind == JSON_KEY || key->kind == JSON_OBJECT_END) return LP_OK;
    return expected(p, "a key", *key);
}

/* A key with escapes is compared as it reads. */
static str key_text(action_parser *p, json_token key) {
    return json_unescape(p->out, key);
}

/* ---- files ---- */

str dv_unique_id(arena *out, str storage_type, str path_or_inline, bool has_offset, int64_t offset) {
    char tail[24];
    int tail_len = has_offset ? snprintf(tail, sizeof tail, "@%" PRId64, offset) : 0;
    size_t len = storage_type.len + path_or_inline.len;
    char *text = arena_alloc_raw(out, len + (size_t)tail_len);
    memcpy(text, storage_type.ptr, storage_type.len);
    memcpy(text + storage_type.len, path_or_inline.ptr, path_or_inline.len);
    memcpy(text + len, tail, (size_t)tail_len);
    return (str){text, len + (size_t)tail_len};
}

static lp_status parse_dv(action_parser *p, file_action *f) {
    f->has_dv = false;
    f->key.dv_id = STR_NONE;
    f->dv_cardinality = -1;
    json_token t = json_next(p->json);
    if (t.kind == JSON_NULL) return LP_OK;
    if (t.kind != JSON_OBJECT_BEGIN) return expected(p, "an object as deletionVector", t);
    str storage = STR_NONE, path = STR_NONE;
    bool has_offset = false, has_cardinality = false, more;
    int64_t offset = 0;
    for (;;) {
        TRY(next_key(p, &t, &more));
        if (!more) break;
        str key = key_text(p, t);
        if (str_eq(key, STR("storageType")))
            TRY(take_string(p, "a string as storageType", &storage));
        else if (str_eq(key, STR("pathOrInlineDv")))
            TRY(take_string(p, "a string as pathOrInlineDv", &path));
        else if (str_eq(key, STR("offset")))
            TRY(take_int(p, &has_offset, &offset));
        else if (str_eq(key, STR("cardinality")))
            TRY(take_int(p, &has_cardinality, &f->dv_cardinality));
        else
            TRY(skip_value(p));
    }
    if (str_is_none(storage)) return lacks(p, "deletionVector.storageType");
    if (str_is_none(path)) return lacks(p, "deletionVector.pathOrInlineDv");
    if (!has_cardinality || f->dv_cardinality < 0) f->dv_cardinality = -1;
    f->has_dv = true;
    f->key.dv_id = dv_unique_id(p->out, storage, path, has_offset, offset);
    f->dv_stem_len = storage.len + path.len;
    return LP_OK;
}

/* Steps to the next wanted key of the object under way; *more is false at its end. */
static lp_status next_wanted(action_parser *p, const json_names *names, size_t *which, bool *more) {
    json_kind k = json_next_wanted(p->json, names, p->out, which);
    *more = k == JSON_KEY;
    return k == JSON_ERROR ? not_json(p) : LP_OK;
}

static lp_status take_partition_value(action_parser *p, partition_text *to) {
    json_token t;
    TRY(take_value(p, &t));
    *to = (partition_text){.present = t.kind == JSON_STRING || t.kind == JSON_NULL};
    if (t.kind == JSON_STRING) to->text = json_unescape(p->out, t);
    if (t.kind == JSON_NUMBER) *to = (partition_text){true, t.text}; /* foreign writers leave out the quotes */
    if (t.kind == JSON_TRUE) *to = (partition_text){true, STR("true")};
    if (t.kind == JSON_FALSE) *to = (partition_text){true, STR("false")};
    return LP_OK;
}

static lp_status parse_partition_values(action_parser *p, file_action *f) {
    if (p->want->partition_count == 0) return skip_value(p);
    memset(f->partition, 0, p->want->partition_count * sizeof *f->partition);
    json_token t = json_next(p->json);
    if (t.kind == JSON_NULL) return LP_OK;
    if (t.kind != JSON_OBJECT_BEGIN) return expected(p, "an object as partitionValues", t);
    for (;;) {
        size_t column;
        bool more;
        TRY(next_wanted(p, p->want->partition, &column, &more));
        if (!more) return LP_OK;
        TRY(take_partition_value(p, &f->partition[column]));
    }
}

static lp_status parse_stats_member(action_parser *p, file_action *f) {
    TRY(take_value(p, &f->stats));
    f->has_stats = f->stats.kind == JSON_STRING; /* rule P1: anything else is no statistics */
    return LP_OK;
}

static lp_status parse_size(action_parser *p, file_action *f) {
    bool known;
    f->size_bytes = -1;
    TRY(take_int(p, &known, &f->size_bytes));
    if (f->size_bytes < 0) f->size_bytes = -1;
    return LP_OK;
}

static lp_status parse_deletion_timestamp(action_parser *p, file_action *f) {
    bool known;
    TRY(take_int(p, &known, &f->deleted_at_ms));
    if (!known) f->deleted_at_ms = 0;
    return LP_OK;
}

/* Of a remove only what makes the key, and its time. */
static lp_status parse_file_member(action_parser *p, file_member m, bool is_add, file_action *f) {
    switch (m) {
    case MEMBER_PATH: return take_string(p, "a string as path", &f->key.path);
    case MEMBER_DV: return parse_dv(p, f);
    case MEMBER_PARTITION: return is_add ? parse_partition_values(p, f) : skip_value(p);
    case MEMBER_STATS: return is_add ? parse_stats_member(p, f) : skip_value(p);
    case MEMBER_SIZE: return is_add ? parse_size(p, f) : skip_value(p);
    case MEMBER_MODIFICATION_TIME: return take_int(p, &f->modification_time_known, &f->modification_time_ms);
    case MEMBER_BASE_ROW_ID: return take_int(p, &f->base_row_id_known, &f->base_row_id);
    case MEMBER_DELETION_TIMESTAMP: return is_add ? skip_value(p) : parse_deletion_timestamp(p, f);
    }
    UNREACHABLE();
}

/* PROTOCOL.md: Add File and Remove File. */
static lp_status parse_file(action_parser *p, action *a) {
    file_action *f = &a->file;
    *f = (file_action){.dv_cardinality = -1, .size_bytes = -1};
    bool is_add = a->kind == ACTION_ADD;
    if (is_add) f->partition = ARENA_ARRAY(p->out, partition_text, p->want->partition_count);
    for (;;) {
        size_t member;
        bool more;
        TRY(next_wanted(p, p->want->members, &member, &more));
        if (!more) break;
        TRY(parse_file_member(p, (file_member)member, is_add, f));
    }
    return f->key.path.len > 0 ? LP_OK : lacks(p, "path");
}

const action_want *action_want_new(arena *owner, const str *partition, size_t partition_count) {
    static const str member[] = {
        {"path", 4}, {"deletionVector", 14},   {"partitionValues", 15}, {"stats", 5},
        {"size", 4}, {"modificationTime", 16}, {"baseRowId", 9},        {"deletionTimestamp", 17}};
    action_want *w = ARENA_NEW(owner, action_want);
    *w = (action_want){.members = json_names_new(owner, member, sizeof member / sizeof *member),
                       .partition = json_names_new(owner, partition, partition_count),
                       .partition_count = partition_count};
    return w;
}

/* ---- the others ---- */

/* PROTOCOL.md: Change Metadata. */
static lp_status parse_metadata(action_parser *p, metadata_action *m) {
    *m = (metadata_action){0};
    str_list columns = {0}, pairs = {0};
    for (;;) {
        json_token t;
        bool more, present;
        TRY(next_key(p, &t, &more));
        if (!more) break;
        str key = key_text(p, t);
        if (str_eq(key, STR("id")))
            TRY(take_string(p, "a string as id", &m->id));
        else if (str_eq(key, STR("name")))
            TRY(take_string(p, "a string as name", &m->name));
        else if (str_eq(key, STR("description")))
            TRY(take_optional_string(p, &m->description));
        else if (str_eq(key, STR("createdTime")))
            TRY(take_int(p, &m->has_created_time, &m->created_time_ms));
        else if (str_eq(key, STR("schemaString")))
            TRY(take_string(p, "a string as schemaString", &m->schema_string));
        else if (str_eq(key, STR("partitionColumns")))
            TRY(take_strings(p, "an array of strings as partitionColumns", &present, &columns));
        else if (str_eq(key, STR("configuration")))
            TRY(take_pairs(p, "an object as configuration", &pairs));
        else
            TRY(skip_value(p));
    }
    m->partition_column = columns.item;
    m->partition_column_count = columns.count;
    m->configuration = pairs.item;
    m->configuration_count = pairs.count / 2;
    return LP_OK;
}

/* PROTOCOL.md: Protocol Evolution. */
static lp_status parse_protocol(action_parser *p, protocol_action *out) {
    *out = (protocol_action){0};
    bool has_reader = false, has_writer = false, has_writer_features, more;
    str_list readers = {0}, writers = {0};
    for (;;) {
        json_token t;
        TRY(next_key(p, &t, &more));
        if (!more) break;
        str key = key_text(p, t);
        if (str_eq(key, STR("minReaderVersion")))
            TRY(take_int(p, &has_reader, &out->min_reader_version));
        else if (str_eq(key, STR("minWriterVersion")))
            TRY(take_int(p, &has_writer, &out->min_writer_version));
        else if (str_eq(key, STR("readerFeatures")))
            TRY(take_strings(p, "an array of strings as readerFeatures", &out->has_reader_features, &readers));
        else if (str_eq(key, STR("writerFeatures")))
            TRY(take_strings(p, "an array of strings as writerFeatures", &has_writer_features, &writers));
        else
            TRY(skip_value(p));
    }
    if (!has_reader) return lacks(p, "minReaderVersion");
    if (!has_writer) return lacks(p, "minWriterVersion");
    out->reader_feature = readers.item;
    out->reader_feature_count = readers.count;
    out->writer_feature = writers.item;
    out->writer_feature_count = writers.count;
    return LP_OK;
}

/* PROTOCOL.md: Domain Metadata. */
static lp_status parse_domain(action_parser *p, domain_action *d) {
    *d = (domain_action){0};
    for (;;) {
        json_token t;
        bool more;
        TRY(next_key(p, &t, &more));
        if (!more) break;
        str key = key_text(p, t);
        if (str_eq(key, STR("domain")))
            TRY(take_string(p, "a string as domain", &d->domain));
        else if (str_eq(key, STR("configuration")))
            TRY(take_string(p, "a string as configuration", &d->configuration));
        else if (str_eq(key, STR("removed"))) {
            TRY(take_value(p, &t));
            d->removed = t.kind == JSON_TRUE;
        } else
            TRY(skip_value(p));
    }
    return str_is_none(d->domain) ? lacks(p, "domain") : LP_OK;
}

/* PROTOCOL.md: Transaction Identifiers. It says nothing of files, so what is wrong in it is no error. */
static lp_status parse_transaction(action_parser *p, transaction_action *t) {
    *t = (transaction_action){0};
    for (;;) {
        json_token key;
        bool more;
        TRY(next_key(p, &key, &more));
        if (!more) return LP_OK;
        if (str_eq(key.text, STR("appId")))
            TRY(take_optional_string(p, &t->app_id));
        else if (str_eq(key.text, STR("version")))
            TRY(take_int(p, &t->has_version, &t->version));
        else if (str_eq(key.text, STR("lastUpdated")))
            TRY(take_int(p, &t->has_last_updated, &t->last_updated_ms));
        else
            TRY(skip_value(p));
    }
}

/* PROTOCOL.md: Commit Provenance Information: free-form but for the in-commit timestamp (rule F11). */
static lp_status parse_commit_info(action_parser *p, commit_info *c) {
    *c = (commit_info){0};
    for (;;) {
        json_token t;
        bool more;
        TRY(next_key(p, &t, &more));
        if (!more) return LP_OK;
        if (str_eq(t.text, STR("inCommitTimestamp")))
            TRY(take_int(p, &c->has_in_commit_timestamp, &c->in_commit_timestamp_ms));
        else if (str_eq(t.text, STR("timestamp")))
            TRY(take_int(p, &c->has_timestamp, &c->timestamp_ms));
        else if (str_eq(t.text, STR("operation")))
            TRY(take_optional_string(p, &c->operation));
        else if (str_eq(t.text, STR("engineInfo")))
            TRY(take_optional_string(p, &c->engine));
        else if (str_eq(t.text, STR("userName")))
            TRY(take_optional_string(p, &c->user));
        else if (str_eq(t.text, STR("operationParameters")))
            TRY(take_object_text(p, &c->parameters));
        else if (str_eq(t.text, STR("operationMetrics")))
            TRY(take_object_text(p, &c->metrics));
        else
            TRY(skip_value(p));
    }
}

static lp_status parse_sidecar(action_parser *p, str *path) {
    *path = STR_NONE;
    for (;;) {
        json_token t;
        bool more;
        TRY(next_key(p, &t, &more));
        if (!more) break;
        if (str_eq(t.text, STR("path")))
            TRY(take_string(p, "a string as path", path));
        else
            TRY(skip_value(p));
    }
    return path->len > 0 ? LP_OK : lacks(p, "path");
}

/* Nothing depends on it, so nothing in it is an error. */
static lp_status parse_cdc(action_parser *p, str *path) {
    *path = STR_NONE;
    for (;;) {
        json_token t;
        bool more;
        TRY(next_key(p, &t, &more));
        if (!more) return LP_OK;
        bool is_path = str_eq(t.text, STR("path"));
        TRY(take_value(p, &t));
        if (is_path && t.kind == JSON_STRING) *path = json_unescape(p->out, t);
    }
}

static lp_status parse_body(action_parser *p, action *a) {
    switch (a->kind) {
    case ACTION_ADD:
    case ACTION_REMOVE: return parse_file(p, a);
    case ACTION_METADATA: return parse_metadata(p, &a->metadata);
    case ACTION_PROTOCOL: return parse_protocol(p, &a->protocol);
    case ACTION_DOMAIN_METADATA: return parse_domain(p, &a->domain);
    case ACTION_TRANSACTION: return parse_transaction(p, &a->transaction);
    case ACTION_COMMIT_INFO: return parse_commit_info(p, &a->commit_info);
    case ACTION_SIDECAR: return parse_sidecar(p, &a->sidecar_path);
    case ACTION_CDC: return parse_cdc(p, &a->cdc_path);
    case ACTION_CHECKPOINT_METADATA:
    case ACTION_NONE: return skip_value(p); /* to the end of the object that has begun */
    }
    UNREACHABLE();
}

static const struct {
    const char *name;
    action_kind kind;
} known_action[] = {
    {"add", ACTION_ADD},
    {"remove", ACTION_REMOVE},
    {"cdc", ACTION_CDC},
    {"commitInfo", ACTION_COMMIT_INFO},
    {"metaData", ACTION_METADATA},
    {"protocol", ACTION_PROTOCOL},
    {"domainMetadata", ACTION_DOMAIN_METADATA},
    {"txn", ACTION_TRANSACTION},
    {"sidecar", ACTION_SIDECAR},
    {"checkpointMetadata", ACTION_CHECKPOINT_METADATA},
};

static const char *find_action(str name, action_kind *kind) {
    for (size_t i = 0; i < sizeof known_action / sizeof *known_action; i++) {
        if (!str_eq(name, str_from(known_action[i].name))) continue;
        *kind = known_action[i].kind;
        return known_action[i].name;
    }
    return NULL;
}

/* One member of the line's object. A null action is none. */
static lp_status parse_member(action_parser *p, json_token key, action *a) {
    action_kind kind = ACTION_NONE;
    const char *name = find_action(key_text(p, key), &kind);
    if (!name) return skip_value(p);
    json_token t = json_next(p->json);
    if (t.kind == JSON_NULL) return LP_OK;
    if (t.kind == JSON_ERROR) return not_json(p);
    if (a->kind != ACTION_NONE)
        return err_set(p->err, LP_ERR_FORMAT, STR_FMT ":%zu: expected one action in a line, found \"%s\" and \"%s\"",
                       STR_ARG(p->at.path), p->at.line, p->within, name);
    p->within = name;
    if (t.kind != JSON_OBJECT_BEGIN) return expected(p, "an object", t);
    a->kind = kind;
    return parse_body(p, a);
}

lp_status action_parse(json_reader *json, str line, const action_want *want, line_place at, arena *out, action *a,
                       lp_err *err) {
    action_parser p = {json, want, at, out, "line", line, err};
    a->kind = ACTION_NONE;
    lp_err reason;
    lp_status status = json_start(json, line, &reason);
    if (status != LP_OK) return err_set(err, status, STR_FMT ":%zu: %s", STR_ARG(at.path), at.line, reason.text);
    json_token t = json_next(json);
    if (t.kind != JSON_OBJECT_BEGIN) return expected(&p, "an object", t); /* rule F6 */
    for (;;) {
        bool more;
        TRY(next_key(&p, &t, &more));
        if (!more) break;
        TRY(parse_member(&p, t, a));
    }
    t = json_next(json);
    return t.kind == JSON_END ? LP_OK : expected(&p, "nothing more", t);
}

bool action_is_plainly_of_file(str line) {
    static const char *const start[] = {"{\"add\":{", "{\"remove\":{", "{\"cdc\":{", "{\"commitInfo\":{"};
    for (size_t i = 0; i < sizeof start / sizeof *start; i++)
        if (str_starts_with(line, str_from(start[i]))) return true;
    return false;
}
