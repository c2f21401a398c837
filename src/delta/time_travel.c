/* time_travel.c - from a point in time to a version.
 * Called by: delta/snapshot.c, history.c, checksum.c, api.  Must not know: what versions hold.
 */
#include "delta/time_travel.h"

#include <inttypes.h>

#include "delta/feature.h"
#include "delta/segment.h"

/* ---- which time a commit has ---- */

static str find_property(const metadata_action *m, str key) {
    str value = STR_NONE;
    for (size_t i = 0; i < m->configuration_count; i++)
        if (str_eq(m->configuration[2 * i], key)) value = m->configuration[2 * i + 1]; /* the last one counts */
    return value;
}

static bool lists_feature(const str *feature, size_t count, feature_id wanted) {
    for (size_t i = 0; i < count; i++)
        if (str_eq(feature[i], feature_name(wanted))) return true;
    return false;
}

static bool is_catalog_managed(const protocol_action *p) {
    static const feature_id spelling[] = {FEATURE_catalogManaged, FEATURE_catalogOwned, FEATURE_catalogOwned_preview};
    for (size_t i = 0; i < sizeof spelling / sizeof *spelling; i++)
        if (lists_feature(p->reader_feature, p->reader_feature_count, spelling[i])) return true;
    return false;
}

static lp_status take_number(str key, str value, int64_t *out, lp_err *err) {
    if (json_number_to_int64(value, out)) return LP_OK;
    return err_set(err, LP_ERR_FORMAT, "expected a whole number as property " STR_FMT ", found \"" STR_FMT "\"",
                   STR_ARG(key), STR_ARG(value));
}

lp_status commit_clock_init(commit_clock *c, const log_state *newest, lp_err *err) {
    const str version_key = STR("delta.inCommitTimestampEnablementVersion");
    const str time_key = STR("delta.inCommitTimestampEnablementTimestamp");
    const protocol_action *p = &newest->protocol;
    const metadata_action *m = &newest->metadata;
    *c = (commit_clock){0};
    c->is_in_commit = lists_feature(p->writer_feature, p->writer_feature_count, FEATURE_inCommitTimestamp) &&
                      str_eq_nocase(find_property(m, STR("delta.enableInCommitTimestamps")), STR("true"));
    if (!c->is_in_commit && is_catalog_managed(p))
        return err_set(
            err, LP_ERR_FORMAT,
            "expected in-commit timestamps in a table that is managed by a catalog, found none: the times of "
            "its commit files say nothing");
    if (!c->is_in_commit) return LP_OK;
    str version = find_property(m, version_key), time = find_property(m, time_key);
    if (str_is_none(version) && str_is_none(time)) return LP_OK;
    if (str_is_none(version) || str_is_none(time))
        return err_set(err, LP_ERR_FORMAT,
                       "expected both properties " STR_FMT " and " STR_FMT " or none, found no " STR_FMT,
                       STR_ARG(version_key), STR_ARG(time_key), STR_ARG(str_is_none(version) ? version_key : time_key));
    c->has_enablement = true;
    TRY(take_number(version_key, version, &c->first_in_commit, err));
    return take_number(time_key, time, &c->enablement_time_ms, err);
}

bool commit_clock_is_in_commit(const commit_clock *c, int64_t version) {
    return c->is_in_commit && version >= c->first_in_commit;
}

int64_t *commit_file_times(const log_list *list, arena *out_arena) {
    int64_t *time = ARENA_ARRAY(out_arena, int64_t, list->commit_count);
    for (size_t i = 0; i < list->commit_count; i++) {
        time[i] = list->commit[i].mtime_ms;
        if (i > 0 && time[i] <= time[i - 1]) time[i] = time[i - 1] < INT64_MAX ? time[i - 1] + 1 : INT64_MAX;
    }
    return time;
}

lp_status commit_info_time(bool found, const commit_info *info, str path, int64_t *ms, lp_err *err) {
    *ms = info->in_commit_timestamp_ms;
    if (info->has_in_commit_timestamp) return LP_OK;
    return err_set(err, LP_ERR_FORMAT, STR_FMT ": expected a commitInfo with inCommitTimestamp, found %s",
                   STR_ARG(path), found ? "a commitInfo without it" : "no commitInfo");
}

/* ---- finding ---- */

typedef struct search {
    const log_plan *plan;
    const commit_clock *clock;
    store *files;
    time_point at;
    arena *all, *each; /* memory of the whole search, and of one commit */
    commit_info_reader *reader;
    const int64_t *file_time;
    const version_range *range; /* what can be rebuilt */
    size_t range_count;
    size_t from, to; /* commits of the listing that come into question */
    lp_err *err;
} search;

static int64_t version_of(const search *s, size_t i) {
    return s->plan->list->commit[i].is.version;
}

static lp_status time_of(search *s, size_t i, int64_t *ms) {
    *ms = s->file_time[i];
    if (!commit_clock_is_in_commit(s->clock, version_of(s, i))) return LP_OK;
    arena_reset(s->each);
    bool found;
    commit_info info;
    str path = segment_path(s->each, s->plan->list->commit[i].name);
    TRY(commit_info_find(s->reader, s->files, path, s->each, &found, &info, s->err));
    return commit_info_time(found, &info, path, ms, s->err);
}

static bool can_be_rebuilt(const search *s, int64_t version) {
    for (size_t i = 0; i < s->range_count; i++)
        if (s->range[i].first <= version && version <= s->range[i].last) return true;
    return false;
}

/* Rule M13. Properties that name a version which does not exist yet change nothing. */
static void choose_commits(search *s) {
    size_t count = s->plan->list->commit_count, split = 0;
    while (split < count && !commit_clock_is_in_commit(s->clock, version_of(s, split))) split++;
    bool is_late = split < count && (!s->clock->has_enablement || s->at.ms >= s->clock->enablement_time_ms);
    s->from = is_late ? split : 0;
    s->to = is_late ? count : split;
}

/* The newest of the commits that is not later; *found is its place + 1, 0 if all are. File times are in memory already;
 * times inside of commits may stand in any order, so they cannot be bisected. */
static lp_status find_commit(search *s, size_t *found, int64_t *ms) {
    *found = 0;
    for (size_t i = s->to; i > s->from && !*found; i--) {
        TRY(time_of(s, i - 1, ms));
        if (s->at.ms >= *ms) *found = i;
    }
    return LP_OK;
}

/* What was said becomes the error, with the time of the first version after `at` that can be rebuilt. */
static lp_status fail_with_first(search *s, lp_status code, str said) {
    for (size_t i = s->from; i < s->plan->list->commit_count; i++) {
        int64_t ms;
        if (!can_be_rebuilt(s, version_of(s, i))) continue;
        TRY(time_of(s, i, &ms));
        if (s->at.ms >= ms) continue;
        return err_set(s->err, code,
                       STR_FMT "; the first version after that time which can be read is %" PRId64 ", of " STR_FMT,
                       STR_ARG(said), version_of(s, i), STR_ARG(time_text_of(s->all, ms)));
    }
    return err_set(s->err, code, STR_FMT, STR_ARG(said));
}

static lp_status fail_before_first(search *s) {
    str said =
        str_format(s->all, "no version at " STR_FMT ": no commit is that old", STR_ARG(time_point_text(s->all, s->at)));
    return fail_with_first(s, LP_ERR_NOT_FOUND, said);
}

static lp_status fail_not_rebuilt(search *s, int64_t version) {
    lp_err reason = {0};
    int64_t unused;
    lp_status status = log_plan_target(s->plan, true, version, &unused, &reason);
    str said = str_format(s->all, "the version at " STR_FMT " cannot be read: %s",
                          STR_ARG(time_point_text(s->all, s->at)), reason.text);
    return fail_with_first(s, status, said);
}

static lp_status fail_after_last(search *s, int64_t version, int64_t ms) {
    return err_set(s->err, LP_ERR_NOT_FOUND,
                   "no version at " STR_FMT ": it is after the last commit, version %" PRId64 " of " STR_FMT
                   " (version %" PRId64 " can be read as the latest)",
                   STR_ARG(time_point_text(s->all, s->at)), version, STR_ARG(time_text_of(s->all, ms)), version);
}

static lp_status fail_unknown_next(search *s, int64_t version, int64_t ms) {
    return err_set(s->err, LP_ERR_NOT_FOUND,
                   "the version at " STR_FMT " is not known: version %" PRId64 " is of " STR_FMT
                   ", and the commit after it, _delta_log/%020" PRId64 ".json, is missing",
                   STR_ARG(time_point_text(s->all, s->at)), version, STR_ARG(time_text_of(s->all, ms)), version + 1);
}

/* Is the wanted time at or before that of some commit? Only where times do not increase is it, behind the last one. */
static lp_status is_within_known_times(search *s, bool *within) {
    *within = false;
    for (size_t i = s->to; i > s->from && !*within; i--) {
        int64_t ms;
        TRY(time_of(s, i - 1, &ms));
        *within = !time_point_is_after(s->at, ms);
    }
    return LP_OK;
}

/* A version found lasted until the next commit: is that one later than the wanted time? A commit that is in the listing
 * is, or it had been found. */
static lp_status check_next(search *s, size_t i, int64_t ms) {
    int64_t version = version_of(s, i), newest = s->range[s->range_count - 1].last;
    if (!time_point_is_after(s->at, ms)) return LP_OK;
    bool next_is_listed = i + 1 < s->plan->list->commit_count && version_of(s, i + 1) == version + 1;
    if (next_is_listed) return LP_OK;
    if (version < newest || i + 1 < s->plan->list->commit_count) return fail_unknown_next(s, version, ms);
    bool within;
    TRY(is_within_known_times(s, &within));
    return within ? LP_OK : fail_after_last(s, version, ms);
}

lp_status time_travel_find(const log_plan *plan, const commit_clock *clock, store *files, time_point at, arena *scratch,
                           int64_t *version, lp_err *err) {
    *version = -1;
    search s = {.plan = plan,
                .clock = clock,
                .files = files,
                .at = at,
                .all = scratch,
                .each = arena_child(scratch),
                .reader = commit_info_reader_new(scratch),
                .file_time = commit_file_times(plan->list, scratch),
                .err = err};
    s.range = log_plan_ranges(plan, scratch, &s.range_count);
    choose_commits(&s);
    size_t found;
    int64_t ms;
    TRY(find_commit(&s, &found, &ms));
    if (!found) return fail_before_first(&s);
    *version = version_of(&s, found - 1);
    if (!can_be_rebuilt(&s, *version)) return fail_not_rebuilt(&s, *version);
    return check_next(&s, found - 1, ms);
}
