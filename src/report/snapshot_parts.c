/* snapshot_parts.c - what both forms of a snapshot's report show.
 * Called by: report/snapshot_text.c, snapshot_json.c.  Must not know: how anything is laid out.
 */
#include "report/snapshot_parts.h"

#include "delta/feature.h"

/* ---- features ---- */

static bool is_listed(const str *list, size_t count, str name) {
    for (size_t i = 0; i < count; i++)
        if (str_eq(list[i], name)) return true;
    return false;
}

static bool is_on(const snapshot *s, feature_id f) {
    str key = feature_property(f);
    if (f == FEATURE_columnMapping) return s->schema.mapping != MAPPING_NONE;
    return !str_is_none(key) && str_eq_nocase(snapshot_property(s, key), STR("true"));
}

static bool is_in_protocol(const protocol *p, str name) {
    return is_listed(p->reader_feature, p->reader_feature_count, name) ||
           is_listed(p->writer_feature, p->writer_feature_count, name);
}

static void add_known(const snapshot *s, bool binds_readers, shown_feature *out, size_t *count) {
    for (size_t i = 0; i < FEATURE_COUNT; i++) {
        feature_id f = (feature_id)i;
        bool listed = is_in_protocol(&s->protocol, feature_name(f));
        if (feature_binds_readers(f) != binds_readers || (!listed && !feature_is_implied(&s->protocol, f))) continue;
        out[(*count)++] = (shown_feature){.name = feature_name(f),
                                          .is_known = true,
                                          .binds_readers = binds_readers,
                                          .is_implied = !listed,
                                          .property = feature_property(f),
                                          .is_on = is_on(s, f),
                                          .text = feature_text(f)};
    }
}

/* A reader feature that is not known is refused, so these are for writers only. */
static void add_unknown(const snapshot *s, shown_feature *out, size_t *count) {
    const protocol *p = &s->protocol;
    for (size_t i = 0; i < p->writer_feature_count; i++) {
        str name = p->writer_feature[i];
        if (feature_find(name) != FEATURE_COUNT || is_listed(p->writer_feature, i, name)) continue;
        out[(*count)++] =
            (shown_feature){.name = name, .text = STR("not known here; a writer feature never stops a reader")};
    }
}

shown_feature *snapshot_features(const snapshot *s, arena *query, size_t *count) {
    shown_feature *all = ARENA_ARRAY(query, shown_feature, FEATURE_COUNT + s->protocol.writer_feature_count);
    *count = 0;
    add_known(s, true, all, count);
    add_known(s, false, all, count);
    add_unknown(s, all, count);
    return all;
}

/* ---- properties ---- */

bool property_is_constraint(const property *p, str *name) {
    str start = STR("delta.constraints.");
    if (!str_starts_with(p->key, start)) return false;
    *name = str_slice(p->key, start.len, p->key.len);
    return true;
}

str property_about_skipping(const property *p) {
    static const struct {
        const char *key, *text;
    } row[] = {
        {"delta.dataSkippingNumIndexedCols", "how many leading columns get statistics (-1: all)"},
        {"delta.dataSkippingStatsColumns", "the columns that get statistics"},
        {"delta.checkpoint.writeStatsAsJson", "checkpoints keep statistics as JSON (default true)"},
        {"delta.checkpoint.writeStatsAsStruct", "checkpoints keep statistics as columns (default false)"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (str_eq_nocase(p->key, str_from(row[i].key))) return str_from(row[i].text);
    return STR_NONE;
}

/* ---- the log ---- */

str checkpoint_kind_name(log_kind kind, bool is_json) {
    if (kind == LOG_CHECKPOINT_PART) return STR("multi-part");
    if (kind != LOG_CHECKPOINT_UUID) return STR("classic");
    return is_json ? STR("V2 JSON") : STR("V2 Parquet");
}

str checkpoint_kind_key(log_kind kind, bool is_json) {
    if (kind == LOG_CHECKPOINT_PART) return STR("multi_part");
    if (kind != LOG_CHECKPOINT_UUID) return STR("classic");
    return is_json ? STR("uuid_json") : STR("uuid_parquet");
}

bool commit_time(const snapshot *s, const commit_info *info, int64_t *ms) {
    if (!info) return false;
    if (s->in_commit_timestamps && info->has_in_commit_timestamp) {
        *ms = info->in_commit_timestamp_ms;
        return true;
    }
    *ms = info->timestamp_ms;
    return info->has_timestamp;
}
