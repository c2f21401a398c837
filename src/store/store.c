/* store.c - which backend a location belongs to, and what is the same for all of them.
 * Called by: delta, api.  Must not know: what the bytes mean, how a backend reads.
 */
#include "store/store.h"

#include <string.h>

#include "store/store_int.h"

/* Schemes that engines use for tables, and the words for what they name. */
static const struct {
    const char *scheme, *place;
} known_scheme[] = {
    {"s3", "Amazon S3"},        {"s3a", "Amazon S3"},           {"s3n", "Amazon S3"},
    {"az", "Azure Storage"},    {"azure", "Azure Storage"},     {"adl", "Azure Storage"},
    {"abfs", "Azure Storage"},  {"abfss", "Azure Storage"},     {"wasb", "Azure Storage"},
    {"wasbs", "Azure Storage"}, {"gs", "Google Cloud Storage"}, {"gcs", "Google Cloud Storage"},
};

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_scheme_char(char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

/* The scheme before "://", or before ":/" where it is `file`; STR_NONE for a plain path. RFC 3986, 3.1; RFC 8089. */
static str find_scheme(str uri) {
    size_t len = 0;
    if (uri.len == 0 || !is_letter(uri.ptr[0])) return STR_NONE;
    while (len < uri.len && is_scheme_char(uri.ptr[len])) len++;
    str scheme = str_slice(uri, 0, len), rest = str_slice(uri, len, uri.len);
    if (str_starts_with(rest, STR("://"))) return scheme;
    return str_eq_nocase(scheme, STR("file")) && str_starts_with(rest, STR(":/")) ? scheme : STR_NONE;
}

static lp_status refuse_scheme(str uri, str scheme, lp_err *err) {
    const char *place = "no kind of store that is known here";
    for (size_t i = 0; i < sizeof known_scheme / sizeof *known_scheme; i++)
        if (str_eq_nocase(scheme, str_from(known_scheme[i].scheme))) place = known_scheme[i].place;
    return err_set(err, LP_ERR_UNSUPPORTED,
                   "cannot open " STR_FMT ": expected a local path or a file:// URL, found the scheme " STR_FMT
                   " (%s); object stores need a store backend, and this version has the local one only",
                   PLACE_ARG(uri), PLACE_ARG(scheme), place);
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* Resolve %xx. The copy is NUL-terminated. */
static lp_status percent_decode(arena *a, str uri, str encoded, str *out, lp_err *err) {
    char *text = arena_alloc_raw(a, encoded.len + 1);
    size_t len = 0;
    for (size_t at = 0; at < encoded.len; at++) {
        char c = encoded.ptr[at];
        if (c == '%') {
            int high = at + 2 < encoded.len ? hex_digit(encoded.ptr[at + 1]) : -1;
            int low = at + 2 < encoded.len ? hex_digit(encoded.ptr[at + 2]) : -1;
            if (high < 0 || low < 0)
                return err_set(err, LP_ERR_USAGE,
                               "cannot open " STR_FMT ": expected two hex digits after %%, found \"" STR_FMT "\"",
                               PLACE_ARG(uri), PLACE_ARG(str_slice(encoded, at + 1, at + 3)));
            c = (char)(high * 16 + low);
            at += 2;
        }
        text[len++] = c;
    }
    text[len] = '\0';
    *out = (str){text, len};
    return LP_OK;
}

/* file:///path, file://localhost/path, file:/path. RFC 8089. */
static lp_status local_path_of_url(arena *a, str uri, size_t scheme_len, str *out, lp_err *err) {
    str rest = str_slice(uri, scheme_len + 1, uri.len);
    if (str_starts_with(rest, STR("//"))) {
        size_t slash = rest.len - 2;
        (void)str_find_char(str_slice(rest, 2, rest.len), '/', &slash);
        str host = str_slice(rest, 2, 2 + slash);
        if (host.len > 0 && !str_eq_nocase(host, STR("localhost")))
            return err_set(err, LP_ERR_UNSUPPORTED,
                           "cannot open " STR_FMT ": expected file:///path, found the host \"" STR_FMT "\"",
                           PLACE_ARG(uri), PLACE_ARG(host));
        rest = str_slice(rest, 2 + slash, rest.len);
    }
    return percent_decode(a, uri, rest, out, err);
}

lp_status store_open(arena *table, str uri, store **out, lp_err *err) {
    *out = NULL;
    str scheme = find_scheme(uri), path;
    if (str_is_none(scheme))
        path = str_copy(table, str_is_none(uri) ? STR("") : uri);
    else if (str_eq_nocase(scheme, STR("file")))
        TRY(local_path_of_url(table, uri, scheme.len, &path, err));
    else
        return refuse_scheme(uri, scheme, err);
    if (path.len == 0) return err_set(err, LP_ERR_NOT_FOUND, "expected the path of a folder, found an empty text");
    if (memchr(path.ptr, '\0', path.len))
        return err_set(err, LP_ERR_NOT_FOUND, "cannot open " STR_FMT ": the path holds a NUL byte", PLACE_ARG(uri));
    return store_local_open(table, path, out, err);
}

str store_root(const store *s) {
    return s->root;
}

uint64_t store_bytes_read(const store *s) {
    return atomic_load_explicit(&s->bytes_read, memory_order_relaxed);
}

/* A path must stay below the root: a log is not trusted, and what it names must not lead elsewhere. `.` and empty parts
 * are harmless and are left to the backend. */
static lp_status check_path(const store *s, str path, lp_err *err) {
    const char *fault = NULL;
    if (path.len > 0 && path.ptr[0] == '/') fault = "an absolute path";
    if (path.len > 0 && memchr(path.ptr, '\0', path.len)) fault = "a NUL byte";
    for (size_t at = 0; at < path.len && !fault;) {
        str rest = str_slice(path, at, path.len);
        size_t len = rest.len;
        (void)str_find_char(rest, '/', &len);
        if (str_eq(str_slice(rest, 0, len), STR(".."))) fault = "a part \"..\"";
        at += len + 1;
    }
    if (!fault) return LP_OK;
    return err_set(err, LP_ERR_FORMAT, "expected a path below " STR_FMT ", found %s in \"" STR_FMT "\"",
                   PLACE_ARG(s->root), fault, PLACE_ARG(path));
}

lp_status store_list(store *s, str folder, arena *out_arena, store_entries *out, lp_err *err) {
    *out = (store_entries){0};
    TRY(check_path(s, folder, err));
    return s->backend->list(s, str_copy(out_arena, folder.len ? folder : STR(".")), out_arena, out, err);
}

store_presence store_look(store *s, arena *scratch, str path, uint64_t *size_bytes) {
    lp_err unused;
    *size_bytes = 0;
    if (path.len == 0 || check_path(s, path, &unused) != LP_OK) return STORE_UNKNOWN;
    return s->backend->look(s, str_copy(scratch, path), size_bytes);
}

store_presence store_look_absolute(store *s, arena *scratch, str path, uint64_t *size_bytes) {
    *size_bytes = 0;
    if (path.len == 0 || path.ptr[0] != '/' || memchr(path.ptr, '\0', path.len)) return STORE_UNKNOWN;
    return s->backend->look(s, str_copy(scratch, path), size_bytes);
}

static void close_file(void *resource) {
    store_file *f = resource;
    f->store->backend->close(f);
}

lp_status store_open_file(store *s, arena *owner, str path, store_file **out, lp_err *err) {
    *out = NULL;
    TRY(check_path(s, path, err));
    store_file *f = ARENA_NEW(owner, store_file);
    f->store = s;
    f->path = str_copy(owner, path.len ? path : STR("."));
    f->close = arena_defer(owner, close_file);
    TRY(s->backend->open(s, owner, f, err));
    f->close->resource = f;
    *out = f;
    return LP_OK;
}

void store_close(store_file *f) {
    if (!f->close->resource) return;
    f->close->resource = NULL;
    f->store->backend->close(f);
}

uint64_t store_file_size(const store_file *f) {
    return f->size_bytes;
}

str store_file_path(const store_file *f) {
    return f->path;
}

lp_status store_read(store_file *f, uint64_t offset, void *into, size_t size, lp_err *err) {
    if (size == 0) return LP_OK;
    TRY(f->store->backend->read(f, offset, into, size, err));
    atomic_fetch_add_explicit(&f->store->bytes_read, size, memory_order_relaxed);
    return LP_OK;
}

static lp_status read_whole(store_file *f, arena *out_arena, uint64_t max_bytes, size_t padding, str *out,
                            lp_err *err) {
    size_t room;
    if (f->size_bytes > max_bytes)
        return err_set(err, LP_ERR_LIMIT, STR_FMT "/" STR_FMT ": expected at most %llu bytes, found %llu",
                       PLACE_ARG(f->store->root), PLACE_ARG(f->path), (unsigned long long)max_bytes,
                       (unsigned long long)f->size_bytes);
    if (__builtin_add_overflow(f->size_bytes, padding, &room))
        return err_set(err, LP_ERR_LIMIT, STR_FMT "/" STR_FMT ": %llu bytes are too many", PLACE_ARG(f->store->root),
                       PLACE_ARG(f->path), (unsigned long long)f->size_bytes);
    size_t size = (size_t)f->size_bytes;
    char *bytes = arena_alloc_raw(out_arena, room);
    memset(bytes + size, 0, padding);
    TRY(store_read(f, 0, bytes, size, err));
    *out = (str){bytes, size};
    return LP_OK;
}

lp_status store_read_all(store *s, arena *out_arena, str path, uint64_t max_bytes, size_t padding, str *out,
                         lp_err *err) {
    *out = STR_NONE;
    store_file *f;
    TRY(store_open_file(s, out_arena, path, &f, err));
    lp_status status = read_whole(f, out_arena, max_bytes, padding, out, err);
    store_close(f);
    return status;
}
