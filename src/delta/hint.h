/* hint.h - what _last_checkpoint says, and whether its checksum agrees.
 * Called by: delta/segment.c.  Must not know: which checkpoints there are.
 * Source: PROTOCOL.md: Last Checkpoint File, JSON checksum.
 */
#ifndef DELTA_HINT_H
#define DELTA_HINT_H

#include "delta/story.h"
#include "json/json.h"

/* Read the hint. HINT_GOOD if it is an object with a version, no key stands twice in one object (rule B9), and a
 * checksum, if there is one, agrees; else HINT_IGNORED with the reason. Lives in `table`. */
story_hint hint_read(arena *table, store *files);

/* The same of its text, behind which JSON_PADDING bytes are readable. */
story_hint hint_parse(arena *table, str text);

/* The canonical form of a JSON object, of which the checksum is taken: every leaf as path=value, sorted by path (rules
 * B6 to B8). STR_NONE if the text is no JSON object or has a key twice; *why tells. It is up to `max_bytes` long. */
str hint_canonical(arena *out, json_reader *json, str text, size_t max_bytes, const char **why);

#endif
