/* figures.c - how counts, sizes, percentages and texts of the log look in a report.
 * Called by: report/text.c, report/listing.c, report/bound.c.  Must not know: which report they are in.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "json/json_writer.h"
#include "report/report_int.h"
#include "types/calendar.h"

void put_count(buf *out, uint64_t count) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, count);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) buf_put_char(out, ',');
        buf_put_char(out, digits[i]);
    }
}

/* printf rounds the exact binary value, ties to even, as the original's formatting does. */
void put_percent(buf *out, double percent) {
    buf_printf(out, "%.0f", percent);
}

void put_size(buf *out, int64_t size_bytes) {
    static const char unit[] = "KMG";
    if (size_bytes < 0) {
        buf_put(out, STR("size unknown"));
        return;
    }
    if (size_bytes < 1024) {
        buf_printf(out, "%" PRId64 " B", size_bytes);
        return;
    }
    int step = 0;
    int64_t scale = 1024;
    for (; step < 2 && size_bytes >= scale * 1024; step++) scale *= 1024;
    buf_printf(out, "%.1f %cB", (double)size_bytes / (double)scale, unit[step]);
}

void put_time(buf *out, int64_t ms) {
    if (ms > INT64_MAX / 1000 || ms < INT64_MIN / 1000) {
        buf_printf(out, "%" PRId64 " ms since 1970", ms);
        return;
    }
    calendar_print_micros(out, ms * 1000, true);
    if (out->len > 4 && memcmp(out->ptr + out->len - 4, "000Z", 4) == 0) { /* microseconds that are none */
        out->len -= 4;
        buf_put_char(out, 'Z');
    }
}

/* --- text from the log --- */

/* Bytes of the UTF-8 character at `at` and its code point; 0 if there is none. */
static size_t character_at(str text, size_t at, uint32_t *code) {
    uint8_t lead = (uint8_t)text.ptr[at];
    size_t length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    str c = str_slice(text, at, at + length);
    if (c.len != length || !str_is_utf8(c)) return 0;
    *code = length == 1 ? lead : lead & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) *code = *code << 6 | ((uint8_t)c.ptr[i] & 0x3fu);
    return length;
}

/* Controls can move the cursor, direction marks and line separators can make one file's line look like another's. */
static bool is_hidden(uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x200e && code <= 0x200f) ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

static void put_escaped(buf *out, uint32_t code) {
    if (code == '\n') buf_put(out, STR("\\n"));
    else if (code == '\t') buf_put(out, STR("\\t"));
    else if (code == '\r') buf_put(out, STR("\\r"));
    else buf_printf(out, "\\u{%x}", code);
}

static bool is_printable_ascii(str text) {
    bool printable = true;
    for (size_t i = 0; i < text.len; i++) printable &= text.ptr[i] >= 0x20 && text.ptr[i] < 0x7f;
    return printable;
}

void put_log_text(buf *out, str text, bool as_written) {
    if (as_written || is_printable_ascii(text)) {
        buf_put(out, text);
        return;
    }
    size_t done = 0; /* where what is still to be put out starts */
    for (size_t at = 0; at < text.len;) {
        uint32_t code = 0;
        size_t length = character_at(text, at, &code);
        bool shown = length > 0 && !is_hidden(code);
        if (!shown) {
            buf_put(out, str_slice(text, done, at));
            if (length > 0) put_escaped(out, code);
            else buf_printf(out, "\\x{%02x}", (unsigned)(uint8_t)text.ptr[at]);
        }
        at += length > 0 ? length : 1;
        if (!shown) done = at;
    }
    buf_put(out, str_slice(text, done, text.len));
}

void put_json_string(buf *out, str text) {
    json_writer w;
    json_writer_init(&w, out, 0);
    json_put_string(&w, text);
}
