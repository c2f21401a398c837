/* table.c - lp_table: a location resolved to a snapshot.
 * Called by: users of the library, the command.  Must not know: predicates, reports.
 */
#include <stdlib.h>
#include <unistd.h>

#include "api/api_int.h"
#include "base/door.h"

const char *lp_version(void) {
    return LAKEPROOF_VERSION;
}

typedef struct open_call {
    lp_table *t;
    const char *location;
    lp_table_options options;
} open_call;

static unsigned thread_count(unsigned wanted) {
    if (wanted) return wanted;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > 8 ? 8 : (unsigned)cores;
}

static lp_status find_zone(lp_table *t, const char *name, lp_err *err) {
    t->zones = zone_database_new(&t->table);
    t->session_zone = zone_utc();
    if (name) TRY(zone_find(t->zones, str_copy(&t->table, str_from(name)), &t->session_zone, err));
    t->timezone = zone_name(t->session_zone);
    return LP_OK;
}

/* A time instead of a version: what is read to find its version is given back before the table is opened. */
static lp_status find_version(lp_table *t, time_point time, snapshot_options *at, lp_err *err) {
    arena *scratch = arena_child(&t->table);
    at->has_version = true;
    lp_status status = snapshot_find_version(scratch, t->files, time, &at->version, err);
    arena_end(scratch);
    return status;
}

static lp_status open_body(void *context, lp_err *err) {
    open_call *call = context;
    lp_table *t = call->t;
    if (call->options.version > INT64_MAX)
        return err_set(err, LP_ERR_NOT_FOUND, "no version %llu: versions end at %lld",
                       (unsigned long long)call->options.version, (long long)INT64_MAX);
    if (call->options.has_version && call->options.at_timestamp)
        return err_set(err, LP_ERR_USAGE, "expected a version or a time, found both");
    t->location = str_copy(&t->table, str_from(call->location));
    TRY(find_zone(t, call->options.timezone, err));
    const char *when = call->options.at_timestamp;
    time_point time;
    if (when) TRY(time_point_parse(str_from(when), t->session_zone, t->zones, &time, err));
    t->workers = pool_new(&t->table, thread_count(call->options.threads));
    TRY(store_open(&t->table, t->location, &t->files, err));
    snapshot_options at = {call->options.has_version, (int64_t)call->options.version};
    if (when) TRY(find_version(t, time, &at, err));
    t->has_last = at.has_version;
    t->last = at.version;
    if (call->options.log_only) return LP_OK;
    return snapshot_open(&t->table, t->files, at, t->workers, &t->snapshot, err);
}

lp_status lp_table_open(const char *location, const lp_table_options *options, lp_table **out, lp_err *err) {
    *out = NULL;
    lp_table *t = calloc(1, sizeof *t);
    if (!t) return err_set(err, LP_ERR_LIMIT, "out of memory");
    arena_init(&t->table, 0);
    open_call call = {t, location, options ? *options : (lp_table_options)LP_TABLE_OPTIONS_INIT};
    lp_status status = door_run(open_body, &call, err);
    if (status != LP_OK) {
        lp_table_close(t);
        return status;
    }
    *out = t;
    return LP_OK;
}

void lp_table_close(lp_table *t) {
    if (!t) return;
    arena_end(&t->table);
    free(t);
}

int64_t lp_table_version(const lp_table *t) {
    return t->snapshot ? t->snapshot->version : -1;
}
