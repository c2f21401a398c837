/* spool.c - a long text under construction.
 * Called by: prune (listings), report, api.  Must not know: what the text says.
 *
 * Bytes [0, file_bytes) are in the temporary file, the rest is in memory: memory is the tail, and the write buffer of
 * the file once there is one. The memory is a malloc and not an arena's, because it is given back by spool_reset.
 */
#include "store/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REST_BYTES = 16 * 1024, PIECE_BYTES = 16 * 1024, DESCRIPTOR_NONE = -1 };

struct spool {
    size_t memory_bytes; /* limit of `capacity` */
    char *memory;
    size_t used, capacity;
    uint64_t file_bytes;
    int descriptor;
};

static void spool_end(void *resource) {
    spool *s = resource;
    free(s->memory);
    if (s->descriptor != DESCRIPTOR_NONE) close(s->descriptor);
}

spool *spool_new(arena *owner, size_t memory_bytes) {
    spool *s = ARENA_NEW(owner, spool);
    s->memory_bytes = memory_bytes;
    s->descriptor = DESCRIPTOR_NONE;
    arena_defer(owner, spool_end)->resource = s;
    return s;
}

void spool_reset(spool *s) {
    s->used = 0;
    s->file_bytes = 0;
    if (s->descriptor != DESCRIPTOR_NONE) {
        close(s->descriptor); /* the file has no name: its blocks are free now */
        s->descriptor = DESCRIPTOR_NONE;
    }
    if (s->capacity > REST_BYTES) {
        free(s->memory);
        s->memory = NULL;
        s->capacity = 0;
    }
}

uint64_t spool_size(const spool *s) {
    return s->file_bytes + s->used;
}

/* TMPDIR is not taken from the caller of a set-user-id program. */
static const char *temporary_folder(void) {
    const char *folder = secure_getenv("TMPDIR");
    return folder && folder[0] ? folder : "/tmp";
}

static int open_named(const char *folder) {
    char name[PATH_MAX];
    int len = snprintf(name, sizeof name, "%s/lakeproof-XXXXXX", folder);
    if (len < 0 || (size_t)len >= sizeof name) {
        errno = ENAMETOOLONG;
        return DESCRIPTOR_NONE;
    }
    int descriptor = mkostemp(name, O_CLOEXEC);
    if (descriptor >= 0) unlink(name);
    return descriptor;
}

/* A file without a name, which ends with its descriptor even if we are killed. Not every file system has O_TMPFILE. */
static lp_status open_file(spool *s, lp_err *err) {
    if (s->descriptor != DESCRIPTOR_NONE) return LP_OK;
    const char *folder = temporary_folder();
    int descriptor = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor < 0) descriptor = open_named(folder);
    if (descriptor < 0)
        return err_set(err, LP_ERR_IO, "cannot make a temporary file in %s (TMPDIR): %s", folder, err_os_text(errno));
    s->descriptor = descriptor;
    return LP_OK;
}

static lp_status write_file(spool *s, const char *bytes, size_t size, lp_err *err) {
    TRY(open_file(s, err));
    size_t done = 0;
    while (done < size) {
        ssize_t n = pwrite(s->descriptor, bytes + done, size - done, (off_t)(s->file_bytes + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0)
            return err_set(
                err, LP_ERR_IO, "cannot write to a temporary file in %s (TMPDIR), %llu bytes long so far: %s",
                temporary_folder(), (unsigned long long)(s->file_bytes + done), err_os_text(n < 0 ? errno : ENOSPC));
        done += (size_t)n;
    }
    s->file_bytes += size;
    return LP_OK;
}

static lp_status flush_memory(spool *s, lp_err *err) {
    if (s->used == 0) return LP_OK;
    TRY(write_file(s, s->memory, s->used, err));
    s->used = 0;
    return LP_OK;
}

/* Room for `need` bytes in all, need <= memory_bytes. False when there is no memory. */
static bool grow_memory(spool *s, size_t need) {
    if (need <= s->capacity) return true;
    size_t capacity = s->capacity ? s->capacity : 1024;
    while (capacity < need) capacity = capacity > s->memory_bytes / 2 ? s->memory_bytes : capacity * 2;
    if (capacity > s->memory_bytes) capacity = s->memory_bytes;
    char *grown = realloc(s->memory, capacity);
    if (!grown) return false;
    s->memory = grown;
    s->capacity = capacity;
    return true;
}

lp_status spool_put(spool *s, str text, lp_err *err) {
    if (text.len == 0) return LP_OK;
    if (text.len > s->memory_bytes - s->used) TRY(flush_memory(s, err));
    if (text.len > s->memory_bytes - s->used) return write_file(s, text.ptr, text.len, err);
    if (!grow_memory(s, s->used + text.len)) { /* short of memory is no reason to fail while there is a disk */
        TRY(flush_memory(s, err));
        return write_file(s, text.ptr, text.len, err);
    }
    memcpy(s->memory + s->used, text.ptr, text.len);
    s->used += text.len;
    return LP_OK;
}

lp_status spool_append(spool *s, const spool *from, lp_err *err) {
    char piece[PIECE_BYTES];
    for (uint64_t at = 0; at < from->file_bytes;) {
        uint64_t left = from->file_bytes - at;
        size_t size = left < sizeof piece ? (size_t)left : sizeof piece;
        TRY(spool_read(from, at, piece, size, err));
        TRY(spool_put(s, (str){piece, size}, err));
        at += size;
    }
    return spool_put(s, (str){from->memory, from->used}, err);
}

static lp_status read_file(const spool *s, uint64_t offset, char *into, size_t size, lp_err *err) {
    size_t done = 0;
    while (done < size) {
        ssize_t n = pread(s->descriptor, into + done, size - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0)
            return err_set(err, LP_ERR_IO, "cannot read back a temporary file at offset %llu: %s",
                           (unsigned long long)(offset + done), n < 0 ? err_os_text(errno) : "it ends before");
        done += (size_t)n;
    }
    return LP_OK;
}

lp_status spool_read(const spool *s, uint64_t offset, void *into, size_t size, lp_err *err) {
    uint64_t total = spool_size(s);
    if (offset > total || size > total - offset)
        return err_set(err, LP_ERR_USAGE, "cannot read %zu bytes at offset %llu of a text of %llu bytes", size,
                       (unsigned long long)offset, (unsigned long long)total);
    size_t in_file = 0;
    if (offset < s->file_bytes) {
        uint64_t left = s->file_bytes - offset;
        in_file = size < left ? size : (size_t)left;
        TRY(read_file(s, offset, into, in_file, err));
    }
    if (in_file < size) memcpy((char *)into + in_file, s->memory + (offset + in_file - s->file_bytes), size - in_file);
    return LP_OK;
}
