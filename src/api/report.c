/* report.c - lp_report: the answer to a question, rendered, whatever the question was.
 * Called by: users of the library, the command; the sources of this room that answer.  Must not know: command lines.
 */
#include <stdlib.h>
#include <time.h>

#include "api/api_int.h"
#include "base/door.h"
#include "delta/time_point.h"
#include "report/check_report.h"

typedef struct report_call {
    lp_report *report;
    report_body body;
    const void *options;
} report_call;

static lp_status run_body(void *context, lp_err *err) {
    report_call *call = context;
    return call->body(call->report, call->options, err);
}

lp_status report_run(lp_table *table, report_body body, const void *options, lp_report **out, lp_err *err) {
    *out = NULL;
    if (!table->snapshot) return err_set(err, LP_ERR_USAGE, "only the log of the table was opened");
    return report_run_on_log(table, body, options, out, err);
}

lp_status report_run_on_log(lp_table *table, report_body body, const void *options, lp_report **out, lp_err *err) {
    *out = NULL;
    lp_report *report = calloc(1, sizeof *report);
    if (!report) return err_set(err, LP_ERR_LIMIT, "out of memory");
    report_call call = {report, body, options};
    lp_status status;
    do { /* nothing was written so far: a report is rendered before its first byte leaves */
        arena_end(&report->query);
        *report = (lp_report){.table = table, .passed = true};
        arena_init(&report->query, 0);
        status = door_run(run_body, &call, err);
    } while (status == SCAN_AGAIN);
    if (status != LP_OK) {
        lp_report_free(report);
        return status;
    }
    *out = report;
    return LP_OK;
}

int64_t report_clock_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void report_count_work(lp_report *report, const scan_counters *done, uint64_t files_listed) {
    const lp_table *side[] = {report->table, report->other_table};
    report_counts counts = {
        .files_listed = files_listed,
        .arena_peak_bytes = report->query.peak_bytes,
        .threads = pool_thread_count(report->table->workers),
    };
    for (size_t i = 0; i < 2 && side[i]; i++) {
        counts.bytes_read += store_bytes_read(side[i]->files);
        counts.arena_peak_bytes += side[i]->table.peak_bytes + pool_arena_peak_bytes(side[i]->workers);
    }
    report_counters(done, &counts, &report->query, &report->counters);
}

void lp_report_free(lp_report *report) {
    if (!report) return;
    arena_end(&report->query);
    free(report);
}

bool lp_report_passed(const lp_report *report) {
    return report->passed;
}

uint64_t lp_report_total_files(const lp_report *report) {
    return report->total_files;
}

uint64_t lp_report_final_files(const lp_report *report) {
    return report->final_files;
}

lp_status lp_report_write(const lp_report *report, lp_part part, lp_write write, void *context, lp_err *err) {
    switch (part) {
    case LP_PART_REPORT: return report_document_write(&report->document, write, context, err);
    case LP_PART_GATES: return report_document_write(&report->gates, write, context, err);
    case LP_PART_BASELINE: return report_document_write(&report->baseline, write, context, err);
    case LP_PART_COUNTERS: return report_document_write(&report->counters, write, context, err);
    case LP_PART_DEBUG_IR: {
        str text = buf_str(&report->debug_ir);
        if (text.len && !write(context, text.ptr, text.len)) return err_set(err, LP_ERR_IO, "the reader stopped");
        return LP_OK;
    }
    }
    return err_set(err, LP_ERR_USAGE, "no such part of a report");
}

const char *lp_code_help(const char *code) {
    finding_code check = finding_code_find(str_from(code));
    if (check != FINDING_CODE_COUNT) return finding_code_page(check);
    note_code found = note_code_find(str_from(code));
    return found == NOTE_CODE_COUNT ? NULL : note_code_page(found).ptr;
}

lp_status report_find_now(lp_table *t, const char *text, int64_t *now_ms, lp_err *err) {
    time_point now;
    struct timespec clock;
    if (text) {
        TRY(time_point_parse(str_from(text), t->session_zone, t->zones, &now, err));
        *now_ms = now.ms;
        return LP_OK;
    }
    clock_gettime(CLOCK_REALTIME, &clock);
    *now_ms = (int64_t)clock.tv_sec * 1000 + clock.tv_nsec / 1000000;
    return LP_OK;
}
