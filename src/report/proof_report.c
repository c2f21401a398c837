/* proof_report.c - the proof of a claim about rows, or what is missing for it, as text and as JSON.
 * Called by: api.  Must not know: how it was proved.
 */
#include "report/proof_report.h"

#include "report/check_report.h"
#include "report/grain_json.h"
#include "report/member.h"
#include "report/report_int.h"

#define PROOF_SCHEMA STR("1.0.0")

str proof_claim_text(const shown_claim *claim, arena *query) {
    str names = check_list_text(claim->column, claim->column_count, query);
    switch (claim->kind) {
    case CLAIM_KEY: return str_format(query, "(" STR_FMT ") is a key of the rows", STR_ARG(names));
    case CLAIM_NOT_NULL: return str_format(query, STR_FMT " is never NULL", STR_ARG(names));
    case CLAIM_NO_FAN_OUT: return STR("no join gives a row of its first side several times");
    }
    UNREACHABLE();
}

static str claim_name(claim_kind kind) {
    switch (kind) {
    case CLAIM_KEY: return STR("key");
    case CLAIM_NOT_NULL: return STR("not_null");
    case CLAIM_NO_FAN_OUT: return STR("no_fan_out");
    }
    UNREACHABLE();
}

static void put_list(buf *out, const char *word, const str *text, size_t count) {
    for (size_t i = 0; i < count; i++) {
        buf_printf(out, "  %-12s", i ? "" : word);
        put_log_text(out, text[i], false);
        buf_put_char(out, '\n');
    }
}

static void put_leans_on(buf *out, const grain_proof *proof, arena *query) {
    for (size_t i = 0; i < proof->leans_on_count; i++) {
        const declaration *d = proof->leans_on[i];
        buf_printf(out, "  %-12s", i ? "" : "leans on");
        put_log_text(out, declaration_text(d, query), false);
        buf_put(out, STR(", "));
        put_log_text(out, d->origin, false);
        if (d->trust != TRUST_ENFORCED && !d->tested_by.len) buf_put(out, STR(" (no test checks it)"));
        buf_put_char(out, '\n');
    }
}

void proof_text(const shown_claim *claim, arena *query, report_document *out) {
    const grain_proof *proof = claim->proof;
    draft d;
    draft_init(&d, query, out);
    buf_put(&d.tail, proof->is_proved ? STR("proved: ") : STR("not proved: "));
    put_log_text(&d.tail, proof_claim_text(claim, query), false);
    buf_put_char(&d.tail, '\n');
    if (proof->is_proved && !proof->chain_count) buf_put(&d.tail, STR("  because     the SQL itself says so\n"));
    put_list(&d.tail, "because", proof->chain, proof->is_proved ? proof->chain_count : 0);
    put_leans_on(&d.tail, proof, query);
    put_list(&d.tail, "missing", proof->missing, proof->missing_count);
    draft_end(&d);
}

void proof_json(const shown_claim *claim, arena *query, report_document *out) {
    const grain_proof *proof = claim->proof;
    draft d;
    json_writer w;
    draft_init(&d, query, out);
    json_writer_init(&w, &d.tail, 2);
    json_begin_object(&w);
    member_text(&w, STR("claim"), claim_name(claim->kind));
    member_texts(&w, STR("columns"), claim->column, claim->column_count);
    member_texts(&w, STR("evidence"), proof->chain, proof->is_proved ? proof->chain_count : 0);
    grain_json_leans_on(&w, proof->leans_on, proof->leans_on_count);
    member_texts(&w, STR("missing"), proof->missing, proof->missing_count);
    member_text(&w, STR("model"), claim->model.len ? claim->model : STR_NONE);
    member_bool(&w, STR("proved"), proof->is_proved);
    member_text(&w, STR("schema_version"), PROOF_SCHEMA);
    member_text(&w, STR("tool_version"), claim->tool_version);
    json_end_object(&w);
    buf_put_char(&d.tail, '\n');
    draft_end(&d);
}
