/* log_reader.c - a window over a file that moves from line to line.
 * Called by: delta/snapshot.c, scan.c.  Must not know: what a line means.
 *
 *   buffer  [ done | lines of the block | begun line | free ] padding
 *           0      at                   end          used     capacity
 */
#include "delta/log_reader.h"

#include <string.h>

#include "json/json.h"

enum { START_BLOCK_BYTES = 4 << 10, FIRST_BLOCK_BYTES = 64 << 10, BLOCK_BYTES = 1 << 20 };

struct log_reader {
    arena *keep;
    char *buffer;
    size_t capacity;
    size_t at, end, used;
    size_t block; /* at most so much is read at once, while it is less than BLOCK_BYTES */
    store_file *file;
    uint64_t offset, size; /* of the file: what was read, and all */
    size_t line;
    bool saw_line;
    str path;
};

log_reader *log_reader_new(arena *keep) {
    log_reader *r = ARENA_NEW(keep, log_reader);
    r->keep = keep;
    return r;
}

void log_reader_close(log_reader *r) {
    if (r->file) store_close(r->file);
    r->file = NULL;
}

lp_status log_reader_open(log_reader *r, store *files, arena *owner, str path, lp_err *err) {
    log_reader_close(r);
    r->at = r->end = r->used = r->line = 0;
    r->offset = r->size = 0;
    r->block = BLOCK_BYTES;
    r->saw_line = false;
    r->path = path;
    TRY(store_open_file(files, owner, path, &r->file, err));
    r->size = store_file_size(r->file);
    return LP_OK;
}

lp_status log_reader_open_start(log_reader *r, store *files, arena *owner, str path, lp_err *err) {
    TRY(log_reader_open(r, files, owner, path, err));
    r->block = START_BLOCK_BYTES;
    return LP_OK;
}

static void grow(log_reader *r, size_t capacity) {
    char *grown = arena_alloc_raw(r->keep, capacity + JSON_PADDING);
    if (r->used) memcpy(grown, r->buffer, r->used);
    r->buffer = grown;
    r->capacity = capacity;
}

/* Room for the rest of the file or for one block, whichever is less, behind the line that has begun. A begun line that
 * fills more than half of the buffer doubles it, so that a long line is looked at a bounded number of times. */
static lp_status make_room(log_reader *r, lp_err *err) {
    size_t begun = r->used - r->end;
    if (begun && r->end) memmove(r->buffer, r->buffer + r->end, begun);
    r->at = r->end = 0;
    r->used = begun;
    uint64_t left = r->size - r->offset;
    size_t wanted = left < r->block ? (size_t)left : r->block;
    if (wanted < FIRST_BLOCK_BYTES) wanted = FIRST_BLOCK_BYTES;
    if (begun > LOG_MAX_LINE_BYTES)
        return err_set(err, LP_ERR_LIMIT, STR_FMT ":%zu: a line is longer than %zu bytes", STR_ARG(r->path),
                       r->line + 1, LOG_MAX_LINE_BYTES);
    if (begun > r->capacity / 2 && wanted < 2 * r->capacity) wanted = 2 * r->capacity;
    if (wanted > r->capacity) grow(r, wanted);
    return LP_OK;
}

static const char *find_last_line_end(const char *from, size_t size) {
    return size ? memrchr(from, '\n', size) : NULL;
}

lp_status log_reader_fill(log_reader *r, bool *more, lp_err *err) {
    *more = false;
    while (r->offset < r->size || r->used > r->end) {
        if (r->offset == r->size) { /* the last line has no line end */
            r->at = r->end;
            r->end = r->used;
            break;
        }
        TRY(make_room(r, err));
        uint64_t left = r->size - r->offset;
        size_t room = r->capacity - r->used;
        size_t step = left < room ? (size_t)left : room;
        if (r->block < BLOCK_BYTES) {
            if (step > r->block) step = r->block;
            r->block *= 2;
        }
        TRY(store_read(r->file, r->offset, r->buffer + r->used, step, err));
        const char *line_end = find_last_line_end(r->buffer + r->used, step);
        r->offset += step;
        r->used += step;
        if (!line_end) continue;
        r->end = (size_t)(line_end - r->buffer) + 1;
        break;
    }
    *more = r->at < r->end;
    if (*more) memset(r->buffer + r->used, 0, JSON_PADDING);
    return LP_OK;
}

static bool is_blank_line(str line) {
    for (size_t i = 0; i < line.len; i++)
        if (line.ptr[i] != ' ' && line.ptr[i] != '\t' && line.ptr[i] != '\r') return false;
    return true;
}

bool log_reader_next(log_reader *r, str *line) {
    while (r->at < r->end) {
        str rest = {r->buffer + r->at, r->end - r->at};
        size_t len = rest.len;
        (void)str_find_char(rest, '\n', &len);
        r->at += len < rest.len ? len + 1 : len;
        r->line++;
        *line = str_slice(rest, 0, len);
        if (is_blank_line(*line)) continue; /* rule F15 */
        r->saw_line = true;
        return true;
    }
    return false;
}

str log_reader_path(const log_reader *r) {
    return r->path;
}

size_t log_reader_line_number(const log_reader *r) {
    return r->line;
}

bool log_reader_saw_line(const log_reader *r) {
    return r->saw_line;
}
