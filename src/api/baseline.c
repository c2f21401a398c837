/* baseline.c - the findings that were there when somebody drew a line.
 * Called by: api/check.c.  Must not know: how findings are proved.
 */
#include "api/baseline.h"

#include <stdlib.h>

#include "json/json.h"
#include "json/json_writer.h"

#define BASELINE_SCHEMA STR("1.0.0")

/* ---- reading ---- */

typedef struct reading {
    arena *owner;
    json_reader *json;
    str name;
    baseline *out;
    lp_err *err;
} reading;

static lp_status wrong(reading *r, const char *expected) {
    size_t at;
    str why;
    json_error(r->json, &at, &why);
    if (why.len) return err_set(r->err, LP_ERR_FORMAT, STR_FMT ": " STR_FMT ", at byte %zu", STR_ARG(r->name), STR_ARG(why), at);
    return err_set(r->err, LP_ERR_FORMAT, "expected %s in the baseline " STR_FMT ", at byte %zu", expected, STR_ARG(r->name),
                   json_offset(r->json));
}

static void add(baseline *b, str fingerprint) {
    if (!map_get(&b->known, fingerprint)) map_put(&b->known, fingerprint, ARENA_NEW(b->known.owner, baseline_entry));
}

static lp_status read_finding(reading *r) {
    json_token t;
    str found = STR_NONE;
    while ((t = json_next(r->json)).kind == JSON_KEY) {
        bool is_it = str_eq(json_unescape(r->owner, t), STR("fingerprint"));
        if (!is_it && json_skip(r->json)) continue;
        t = json_next(r->json);
        if (!is_it || t.kind != JSON_STRING) return wrong(r, "a text as fingerprint");
        found = str_copy(r->owner, json_unescape(r->owner, t));
    }
    if (t.kind != JSON_OBJECT_END || str_is_none(found)) return wrong(r, "a finding with a fingerprint");
    add(r->out, found);
    return LP_OK;
}

static lp_status read_findings(reading *r) {
    json_token t;
    if (json_next(r->json).kind != JSON_ARRAY_BEGIN) return wrong(r, "an array of findings");
    while ((t = json_next(r->json)).kind == JSON_OBJECT_BEGIN) TRY(read_finding(r));
    return t.kind == JSON_ARRAY_END ? LP_OK : wrong(r, "an object for each finding");
}

lp_status baseline_read(arena *owner, str text, str name, baseline *out, lp_err *err) {
    reading r = {.owner = owner, .json = json_reader_new(owner), .name = name, .out = out, .err = err};
    json_token t;
    lp_err why;
    bool has_findings = false;
    map_init(&out->known, owner);
    if (json_start(r.json, text, &why) != LP_OK)
        return err_set(err, LP_ERR_FORMAT, "the baseline " STR_FMT " is no JSON: %s", STR_ARG(name), why.text);
    if (json_next(r.json).kind != JSON_OBJECT_BEGIN) return wrong(&r, "an object");
    while ((t = json_next(r.json)).kind == JSON_KEY) {
        bool is_it = str_eq(json_unescape(owner, t), STR("findings"));
        has_findings |= is_it;
        if (is_it)
            TRY(read_findings(&r));
        else if (!json_skip(r.json))
            return wrong(&r, "a value");
    }
    if (t.kind != JSON_OBJECT_END || json_next(r.json).kind != JSON_END || !has_findings) return wrong(&r, "the key findings");
    return LP_OK;
}

bool baseline_meet(baseline *b, str fingerprint) {
    baseline_entry *entry = map_get(&b->known, fingerprint);
    if (entry) entry->is_met = true;
    return entry != NULL;
}

size_t baseline_count_unmet(const baseline *b) {
    size_t count = 0;
    for (size_t i = 0; i < b->known.count; i++) count += !((const baseline_entry *)b->known.entry[i].value)->is_met;
    return count;
}

/* ---- writing ---- */

static int by_fingerprint(const void *a, const void *b) {
    const finding *left = *(const finding *const *)a, *right = *(const finding *const *)b;
    return str_compare(left->fingerprint, right->fingerprint);
}

static const finding **sorted(const check_report *report, arena *query, size_t *count) {
    const finding **list = ARENA_ARRAY(query, const finding *, report->finding_count + 1);
    *count = 0;
    for (size_t i = 0; i < report->finding_count; i++) {
        if (report->finding[i].fate != FATE_ALLOWED) list[(*count)++] = report->finding[i].f;
    }
    qsort(list, *count, sizeof *list, by_fingerprint);
    return list;
}

static void put_member(json_writer *w, str key, str text) {
    json_put_key(w, key);
    json_put_string(w, text);
}

void baseline_write(const check_report *report, arena *query, report_document *out) {
    size_t count;
    const finding **list = sorted(report, query, &count);
    buf page;
    buf_init(&page, query, SIZE_MAX / 2);
    buf_put(&page, STR("{\"findings\": ["));
    for (size_t i = 0; i < count; i++) {
        json_writer w;
        if (i && str_eq(list[i]->fingerprint, list[i - 1]->fingerprint)) continue;
        buf_put(&page, i ? STR(",\n  ") : STR("\n  "));
        json_writer_init(&w, &page, 0);
        json_begin_object(&w);
        put_member(&w, STR("code"), finding_code_name(list[i]->code));
        put_member(&w, STR("fingerprint"), list[i]->fingerprint);
        put_member(&w, STR("message"), list[i]->text);
        put_member(&w, STR("model"), list[i]->model);
        json_end_object(&w);
    }
    buf_printf(&page, "%s],\n\"schema_version\": \"" STR_FMT "\",\n\"tool\": \"lakeproof\"}\n", count ? "\n" : "",
               STR_ARG(BASELINE_SCHEMA));
    *out = (report_document){.piece = {{.text = buf_str(&page)}}, .count = 1};
}
