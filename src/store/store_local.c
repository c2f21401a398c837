/* store_local.c - the store in a folder of this machine.
 * Called by: store.c.  Must not know: URLs, what the bytes mean.
 *
 * The root is held as a descriptor and everything is opened relative to it, so a later chdir or rename changes nothing.
 * Files are read with pread into the caller's memory, never mapped: a file that shrinks is an error, not a signal.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/store_int.h"

enum { DESCRIPTOR_NONE = -1 };

static const char *kind_name(mode_t mode) {
    if (S_ISREG(mode)) return "a file";
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a FIFO";
    if (S_ISSOCK(mode)) return "a socket";
    if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
    if (S_ISLNK(mode)) return "a link";
    return "something else";
}

static lp_status status_of_os(int os_error) {
    return os_error == ENOENT || os_error == ENOTDIR ? LP_ERR_NOT_FOUND : LP_ERR_IO;
}

/* ---- listing ---- */

typedef struct listing {
    store *s;
    arena *out_arena;
    store_entry *item;
    size_t count, capacity;
} listing;

static int64_t mtime_ms(const struct stat *info) {
    int64_t ms;
    if (__builtin_mul_overflow((int64_t)info->st_mtim.tv_sec, 1000, &ms))
        return info->st_mtim.tv_sec < 0 ? INT64_MIN : INT64_MAX;
    int64_t rest = info->st_mtim.tv_nsec / 1000000;
    return __builtin_add_overflow(ms, rest, &ms) ? INT64_MAX : ms;
}

static void add_entry(listing *l, const char *name, const struct stat *info) {
    if (l->count == l->capacity) {
        size_t capacity = l->capacity ? l->capacity * 2 : 64;
        store_entry *grown = ARENA_ARRAY(l->out_arena, store_entry, capacity);
        if (l->count) memcpy(grown, l->item, l->count * sizeof *grown);
        l->item = grown;
        l->capacity = capacity;
    }
    store_entry *e = &l->item[l->count++];
    *e = (store_entry){.name = str_copy(l->out_arena, str_from(name))};
    if (!info) return;
    e->size_bytes = info->st_size > 0 ? (uint64_t)info->st_size : 0;
    e->mtime_ms = mtime_ms(info);
    e->is_folder = S_ISDIR(info->st_mode);
    e->is_regular = S_ISREG(info->st_mode);
}

/* Follow links by stat. What cannot be looked at (a dangling link, one in a circle) is listed as no regular file; what
 * vanished since the folder was read is not listed. */
static void add_name(listing *l, int folder, const struct dirent *from) {
    struct stat info, itself;
    const char *name = from->d_name;
    if (fstatat(folder, name, &info, 0) == 0)
        add_entry(l, name, &info);
    else if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT)
        add_entry(l, name, NULL);
    else
        return;
    bool is_link = from->d_type == DT_LNK;
    if (from->d_type == DT_UNKNOWN)
        is_link = fstatat(folder, name, &itself, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(itself.st_mode);
    l->item[l->count - 1].is_link = is_link;
}

static int by_name(const void *a, const void *b) {
    return str_compare(((const store_entry *)a)->name, ((const store_entry *)b)->name);
}

static void end_folder(void *resource) {
    closedir(resource);
}

/* 0, or the error of the operating system. */
static int read_names(listing *l, DIR *folder) {
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(folder);
        if (!entry) return errno;
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            add_name(l, dirfd(folder), entry);
    }
}

/* 0, or the error of the operating system. */
static int open_folder(int root, const char *path, DIR **out) {
    int descriptor = openat(root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return errno;
    *out = fdopendir(descriptor);
    if (*out) return 0;
    int os_error = errno;
    close(descriptor);
    return os_error;
}

static lp_status refuse_folder(store *s, str folder, int os_error, lp_err *err) {
    struct stat info;
    if (os_error == ENOTDIR && fstatat(s->folder, folder.ptr, &info, 0) == 0)
        return err_set(err, LP_ERR_IO, STR_FMT "/" STR_FMT ": expected a folder, found %s", PLACE_ARG(s->root),
                       PLACE_ARG(folder), kind_name(info.st_mode));
    return err_set(err, status_of_os(os_error), "cannot list " STR_FMT "/" STR_FMT ": %s", PLACE_ARG(s->root),
                   PLACE_ARG(folder), err_os_text(os_error));
}

static lp_status local_list(store *s, str folder, arena *out_arena, store_entries *out, lp_err *err) {
    defer_slot *slot = arena_defer(out_arena, end_folder);
    DIR *names = NULL;
    int os_error = open_folder(s->folder, folder.ptr, &names);
    if (os_error) return refuse_folder(s, folder, os_error, err);
    slot->resource = names;
    listing l = {.s = s, .out_arena = out_arena};
    os_error = read_names(&l, names);
    slot->resource = NULL;
    closedir(names);
    if (os_error) return refuse_folder(s, folder, os_error, err);
    if (l.count) qsort(l.item, l.count, sizeof *l.item, by_name);
    *out = (store_entries){l.item, l.count};
    return LP_OK;
}

/* ---- files ---- */

static lp_status refuse_open(const store_file *f, int os_error, lp_err *err) {
    const store *s = f->store;
    char target[PATH_MAX];
    ssize_t len = os_error == ENOENT ? readlinkat(s->folder, f->path.ptr, target, sizeof target) : -1;
    if (len >= 0)
        return err_set(err, LP_ERR_NOT_FOUND,
                       "cannot open " STR_FMT "/" STR_FMT ": it is a link to \"%.*s\", which is not there",
                       PLACE_ARG(s->root), PLACE_ARG(f->path), (int)len, target);
    if (os_error == ENXIO) /* what open says of a socket */
        return err_set(err, LP_ERR_IO, STR_FMT "/" STR_FMT ": expected a file, found a socket or a device",
                       PLACE_ARG(s->root), PLACE_ARG(f->path));
    return err_set(err, status_of_os(os_error), "cannot open " STR_FMT "/" STR_FMT ": %s", PLACE_ARG(s->root),
                   PLACE_ARG(f->path), err_os_text(os_error));
}

static lp_status check_regular(store_file *f, int descriptor, lp_err *err) {
    struct stat info;
    if (fstat(descriptor, &info) != 0) return refuse_open(f, errno, err);
    if (!S_ISREG(info.st_mode))
        return err_set(err, LP_ERR_IO, STR_FMT "/" STR_FMT ": expected a file, found %s", PLACE_ARG(f->store->root),
                       PLACE_ARG(f->path), kind_name(info.st_mode));
    f->size_bytes = info.st_size > 0 ? (uint64_t)info.st_size : 0;
    return LP_OK;
}

/* O_NONBLOCK: opening a FIFO without a writer returns at once. It has no effect on reads of a regular file. */
static lp_status local_open(store *s, arena *owner, store_file *f, lp_err *err) {
    (void)owner;
    f->descriptor = DESCRIPTOR_NONE;
    int descriptor = openat(s->folder, f->path.ptr, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0) return refuse_open(f, errno, err);
    lp_status status = check_regular(f, descriptor, err);
    if (status == LP_OK)
        f->descriptor = descriptor;
    else
        close(descriptor);
    return status;
}

static lp_status refuse_read(const store_file *f, uint64_t offset, size_t size, size_t done, int os_error,
                             lp_err *err) {
    if (os_error)
        return err_set(err, LP_ERR_IO, "cannot read " STR_FMT "/" STR_FMT " at offset %llu: %s",
                       PLACE_ARG(f->store->root), PLACE_ARG(f->path), (unsigned long long)(offset + done),
                       err_os_text(os_error));
    return err_set(err, LP_ERR_FORMAT,
                   STR_FMT "/" STR_FMT ": expected %zu bytes at offset %llu, found the end of the file after %zu",
                   PLACE_ARG(f->store->root), PLACE_ARG(f->path), size, (unsigned long long)offset, done);
}

static lp_status local_read(store_file *f, uint64_t offset, void *into, size_t size, lp_err *err) {
    if (offset > INT64_MAX || size > INT64_MAX - offset) return refuse_read(f, offset, size, 0, 0, err);
    size_t done = 0;
    while (done < size) {
        ssize_t n = pread(f->descriptor, (char *)into + done, size - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return refuse_read(f, offset, size, done, n < 0 ? errno : 0, err);
        done += (size_t)n;
    }
    return LP_OK;
}

static void local_close(store_file *f) {
    if (f->descriptor != DESCRIPTOR_NONE) close(f->descriptor);
    f->descriptor = DESCRIPTOR_NONE;
}

/* stat opens nothing, so a FIFO is no trap here. */
static store_presence local_look(store *s, str path, uint64_t *size_bytes) {
    struct stat info;
    *size_bytes = 0;
    if (fstatat(s->folder, path.ptr, &info, 0) != 0)
        return status_of_os(errno) == LP_ERR_NOT_FOUND ? STORE_ABSENT : STORE_UNKNOWN;
    if (!S_ISREG(info.st_mode)) return STORE_NO_FILE;
    *size_bytes = info.st_size > 0 ? (uint64_t)info.st_size : 0;
    return STORE_FILE;
}

static const store_backend local_backend = {local_list, local_open, local_read, local_close, local_look};

/* ---- the root ---- */

static void end_store(void *resource) {
    close(((store *)resource)->folder);
}

static lp_status refuse_root(str path, int os_error, lp_err *err) {
    struct stat info;
    if (os_error == ENOTDIR && stat(path.ptr, &info) == 0)
        return err_set(err, LP_ERR_IO, "cannot open " STR_FMT ": expected a folder, found %s", PLACE_ARG(path),
                       kind_name(info.st_mode));
    return err_set(err, status_of_os(os_error), "cannot open " STR_FMT ": %s", PLACE_ARG(path), err_os_text(os_error));
}

/* Absolute, without links. A folder whose path is too long for that keeps the text it was opened by. */
static str absolute_path(arena *table, str path) {
    char resolved[PATH_MAX];
    return realpath(path.ptr, resolved) ? str_copy(table, str_from(resolved)) : path;
}

lp_status store_local_open(arena *table, str path, store **out, lp_err *err) {
    store *s = ARENA_NEW(table, store);
    s->backend = &local_backend;
    s->root = absolute_path(table, path);
    defer_slot *slot = arena_defer(table, end_store);
    s->folder = open(path.ptr, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (s->folder < 0) return refuse_root(path, errno, err);
    slot->resource = s;
    *out = s;
    return LP_OK;
}
