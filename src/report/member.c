/* member.c - members of JSON objects.
 * Called by: the sources of the room that print JSON.  Must not know: which document it is.
 */
#include "report/member.h"

void member_text(json_writer *w, str key, str text) {
    json_put_key(w, key);
    json_put_string_or_null(w, text);
}

void member_count(json_writer *w, str key, uint64_t count) {
    json_put_key(w, key);
    json_put_uint(w, count);
}

void member_count_or_null(json_writer *w, str key, bool known, uint64_t count) {
    json_put_key(w, key);
    if (known)
        json_put_uint(w, count);
    else
        json_put_null(w);
}

void member_int_or_null(json_writer *w, str key, bool known, int64_t number) {
    json_put_key(w, key);
    if (known)
        json_put_int(w, number);
    else
        json_put_null(w);
}

void member_number(json_writer *w, str key, double number) {
    json_put_key(w, key);
    json_put_double(w, number);
}

void member_bool(json_writer *w, str key, bool b) {
    json_put_key(w, key);
    json_put_bool(w, b);
}

void member_texts(json_writer *w, str key, const str *text, size_t count) {
    json_put_key(w, key);
    json_begin_array(w);
    for (size_t i = 0; i < count; i++) json_put_string(w, text[i]);
    json_end_array(w);
}

str severity_name(note_severity s) {
    switch (s) {
    case SEVERITY_INFO: return STR("info");
    case SEVERITY_WARNING: return STR("warning");
    case SEVERITY_ERROR: return STR("error");
    }
    UNREACHABLE();
}

str mapping_name(mapping_mode mode) {
    switch (mode) {
    case MAPPING_NONE: return STR_NONE;
    case MAPPING_NAME: return STR("name");
    case MAPPING_ID: return STR("id");
    }
    UNREACHABLE();
}
