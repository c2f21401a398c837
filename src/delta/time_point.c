/* time_point.c - texts of points in time.
 * Called by: delta/time_travel.c, api.  Must not know: commits, versions.
 */
#include "delta/time_point.h"

enum { MICROS_PER_MILLI = 1000 };

lp_status time_point_parse(str text, const zone *session, zone_database *zones, time_point *out, lp_err *err) {
    time_text t;
    if (!time_text_parse(text, zones, false, &t))
        return err_set(err, LP_ERR_USAGE,
                       "invalid time '" STR_FMT
                       "': expected a date or a date and a time of day, like 2024-01-31, 2024-01-31T12:30:00 or "
                       "2024-01-31T12:30:00.5+02:00",
                       STR_ARG(text));
    int64_t earlier, later;
    time_text_instants(&t, session, &earlier, &later);
    if (earlier != later) {
        str name = zone_name(t.has_offset ? t.zone : session);
        return err_set(err, LP_ERR_USAGE,
                       "the time '" STR_FMT "' occurs twice in " STR_FMT ": give an offset, like +02:00, behind it",
                       STR_ARG(text), STR_ARG(name));
    }
    int64_t rest = earlier % MICROS_PER_MILLI;
    if (rest < 0) rest += MICROS_PER_MILLI;
    out->ms = earlier / MICROS_PER_MILLI - (earlier % MICROS_PER_MILLI < 0);
    out->has_more = rest != 0 || t.has_more_digits;
    return LP_OK;
}

str time_point_text(arena *out_arena, time_point t) {
    buf text;
    buf_init(&text, out_arena, 64);
    calendar_print_millis(&text, t.ms);
    return buf_str(&text);
}

str time_text_of(arena *out_arena, int64_t ms) {
    return time_point_text(out_arena, (time_point){ms, false});
}

bool time_point_is_after(time_point t, int64_t ms) {
    return t.ms > ms || (t.ms == ms && t.has_more);
}
