/* feature.c - protocol versions and table features.
 * Called by: delta/snapshot.c.  Must not know: log files, schemas.
 */
#include "delta/feature.h"

#include <inttypes.h>

typedef enum feature_kind { READER_WRITER, WRITER } feature_kind;
typedef enum feature_action { UNDERSTOOD, CATALOG, REFUSED } feature_action;

typedef struct feature_row {
    str name;
    feature_kind kind;
    feature_action action;
    bool is_recognized;
    str property, text;
} feature_row;

static const feature_row feature[FEATURE_COUNT] = {
#define TEXT(literal)                                                                                                  \
    { literal, sizeof(literal) - 1 }
#define FEATURE_SPELLED(name, id, kind, action, recognized, property, text)                                            \
    {TEXT(name), kind, action, recognized, TEXT(property), TEXT(text)},
#define FEATURE(id, kind, action, recognized, property, text)                                                          \
    FEATURE_SPELLED(#id, id, kind, action, recognized, property, text)
#include "delta/feature.def"
#undef FEATURE
#undef FEATURE_SPELLED
#undef TEXT
};

enum { MAX_READER_VERSION = 3, FEATURE_READER_VERSION = 3, FEATURE_WRITER_VERSION = 7 };

str feature_name(feature_id f) {
    return feature[f].name;
}

str feature_text(feature_id f) {
    return feature[f].text;
}

bool feature_binds_readers(feature_id f) {
    return feature[f].kind == READER_WRITER;
}

str feature_property(feature_id f) {
    return feature[f].property.len ? feature[f].property : STR_NONE;
}

/* PROTOCOL.md: Writer Version Requirements, Reader Version Requirements: the first version that has it, up to the one
 * that lists features. */
bool feature_is_implied(const protocol *p, feature_id f) {
    static const struct {
        feature_id feature;
        int64_t writer_version;
    } row[] = {{FEATURE_appendOnly, 2},     {FEATURE_invariants, 2},       {FEATURE_checkConstraints, 3},
               {FEATURE_changeDataFeed, 4}, {FEATURE_generatedColumns, 4}, {FEATURE_columnMapping, 5},
               {FEATURE_identityColumns, 6}};
    if (f == FEATURE_columnMapping && p->min_reader_version == 2) return true;
    if (p->min_writer_version >= FEATURE_WRITER_VERSION) return false;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (row[i].feature == f) return row[i].writer_version <= p->min_writer_version;
    return false;
}

feature_id feature_find(str name) {
    for (size_t i = 0; i < FEATURE_COUNT; i++)
        if (str_eq(feature[i].name, name)) return (feature_id)i;
    return FEATURE_COUNT;
}

bool feature_is_recognized(str writer_feature) {
    feature_id f = feature_find(writer_feature);
    return f != FEATURE_COUNT && feature[f].is_recognized;
}

static bool is_listed(const str *list, size_t count, str name) {
    for (size_t i = 0; i < count; i++)
        if (str_eq(list[i], name)) return true;
    return false;
}

bool protocol_supports(const protocol *p, feature_id f) {
    str name = feature[f].name;
    if (f == FEATURE_columnMapping && p->min_reader_version == 2) return true;
    if (f == FEATURE_generatedColumns && p->min_writer_version >= 4 && p->min_writer_version < FEATURE_WRITER_VERSION)
        return true;
    if (feature[f].kind == READER_WRITER) return is_listed(p->reader_feature, p->reader_feature_count, name);
    return is_listed(p->writer_feature, p->writer_feature_count, name);
}

/* An unknown name, a writer feature in the reader's list, or one that we know and do not implement. A writer feature
 * there makes the table invalid, but what it asks of readers is known to be nothing. */
static bool is_readable(str name) {
    feature_id f = feature_find(name);
    return f != FEATURE_COUNT && feature[f].action == UNDERSTOOD;
}

static lp_status refuse_feature(const protocol *p, str name, lp_err *err) {
    feature_id f = feature_find(name);
    if (f != FEATURE_COUNT && feature[f].action == CATALOG)
        return err_set(err, LP_ERR_UNSUPPORTED,
                       "the table has the reader feature `" STR_FMT
                       "`: its commits live in the catalog, and the files of "
                       "its log alone do not tell its latest version",
                       STR_ARG(name));
    char others[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < p->reader_feature_count; i++) {
        str other = p->reader_feature[i];
        if (is_readable(other) || str_eq(other, name)) continue;
        int len = snprintf(others + used, sizeof others - used, ", `" STR_FMT "`", STR_ARG(other));
        if (len < 0 || (size_t)len >= sizeof others - used) break;
        used += (size_t)len;
    }
    return err_set(err, LP_ERR_UNSUPPORTED, "the table needs reader features that are not supported: `" STR_FMT "`%.*s",
                   STR_ARG(name), (int)used, others);
}

lp_status protocol_check(const protocol *p, lp_err *err) {
    for (size_t i = 0; i < p->reader_feature_count; i++) /* before the version: a name says more than a number */
        if (!is_readable(p->reader_feature[i])) return refuse_feature(p, p->reader_feature[i], err);
    if (p->min_reader_version > MAX_READER_VERSION)
        return err_set(err, LP_ERR_UNSUPPORTED,
                       "the table needs reader version %" PRId64 "; versions up to %d are supported",
                       p->min_reader_version, MAX_READER_VERSION);
    if (p->min_reader_version < 1)
        return err_set(err, LP_ERR_FORMAT, "expected a minReaderVersion of 1 or more in the protocol, found %" PRId64,
                       p->min_reader_version);
    if (p->min_reader_version == FEATURE_READER_VERSION && !p->has_reader_features)
        return err_set(err, LP_ERR_FORMAT, "expected readerFeatures in a protocol with minReaderVersion 3, found none");
    return LP_OK;
}
