/* place.c - where something stands, as text.
 * Called by: the sources of the room.  Must not know: how a text is mapped to another.
 */
#include "report/place.h"

shown_place place_find(const place_finder *finder, str model, text_place at) {
    if (finder && finder->find) return finder->find(finder->context, model, at);
    return (shown_place){.exists = true, .is_mapped = true, .at = at, .compiled = at};
}

void place_put(buf *out, const shown_place *at) {
    str file = at->is_mapped ? at->file : at->compiled_file;
    if (!str_is_none(file)) {
        buf_put(out, file);
        buf_put_char(out, ':');
    }
    buf_printf(out, "%u:%u", at->at.line, at->at.column);
}
