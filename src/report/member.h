/* member.h - members of JSON objects: a key and its value in one call.
 * Called by: the sources of the room that print JSON.  Must not know: which document it is.
 */
#ifndef REPORT_MEMBER_H
#define REPORT_MEMBER_H

#include "claim/note.h"
#include "delta/schema.h"
#include "json/json_writer.h"

void member_text(json_writer *w, str key, str text); /* STR_NONE is null */
void member_count(json_writer *w, str key, uint64_t count);
void member_count_or_null(json_writer *w, str key, bool known, uint64_t count);
void member_int_or_null(json_writer *w, str key, bool known, int64_t number);
void member_number(json_writer *w, str key, double number);
void member_bool(json_writer *w, str key, bool b);
void member_texts(json_writer *w, str key, const str *text, size_t count);

str severity_name(note_severity s);  /* "info", "warning", "error" */
str mapping_name(mapping_mode mode); /* "name", "id"; STR_NONE for none */

#endif
