/* file_path.c - where a file that the log names lies.
 * Called by: delta/disk.c, checkpoint.c.  Must not know: whether there is such a file.
 */
#include "delta/file_path.h"

#include <string.h>

#include "base/buf.h"

enum { UUID_BYTES = 16, UUID_Z85_CHARS = 20 };

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

str uri_decode(arena *out, str uri) {
    char *text = arena_alloc_raw(out, uri.len);
    size_t len = 0;
    for (size_t i = 0; i < uri.len; i++) {
        bool escape =
            uri.ptr[i] == '%' && i + 2 < uri.len && hex_digit(uri.ptr[i + 1]) >= 0 && hex_digit(uri.ptr[i + 2]) >= 0;
        text[len++] = escape ? (char)(hex_digit(uri.ptr[i + 1]) * 16 + hex_digit(uri.ptr[i + 2])) : uri.ptr[i];
        if (escape) i += 2;
    }
    return (str){text, len};
}

/* ---- absolute or relative ---- */

static bool is_scheme_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '-' ||
           c == '.';
}

/* The scheme before "://", or before ":/" where it is `file`; STR_NONE for a path. A partition folder may hold a colon,
 * but no folder's name ends with one before two slashes. RFC 3986, 3.1; RFC 8089. */
static str scheme_of(str uri) {
    size_t len = 0;
    while (len < uri.len && is_scheme_char(uri.ptr[len])) len++;
    str scheme = str_slice(uri, 0, len), rest = str_slice(uri, len, uri.len);
    if (len > 0 && str_starts_with(rest, STR("://"))) return scheme;
    return str_eq_nocase(scheme, STR("file")) && str_starts_with(rest, STR(":/")) ? scheme : STR_NONE;
}

/* Parts joined by one slash, without `.`; false if one is `..`. */
static bool tidy(arena *out, str path, str *to) {
    char *text = arena_alloc_raw(out, path.len);
    size_t len = 0;
    for (size_t at = 0; at < path.len;) {
        str part = str_slice(path, at, path.len);
        size_t part_len = part.len;
        (void)str_find_char(part, '/', &part_len);
        part.len = part_len;
        at += part_len + 1;
        if (part.len == 0 || str_eq(part, STR("."))) continue;
        if (str_eq(part, STR(".."))) return false;
        if (len > 0) text[len++] = '/';
        memcpy(text + len, part.ptr, part.len);
        len += part.len;
    }
    *to = (str){text, len};
    return true;
}

/* What follows the root in a path that is below it; STR_NONE for one that is not. */
static str below(str path, str root) {
    while (str_ends_with(root, STR("/"))) root.len--;
    if (!str_starts_with(path, root)) return STR_NONE;
    str rest = str_slice(path, root.len, path.len);
    return rest.len > 1 && rest.ptr[0] == '/' ? str_slice(rest, 1, rest.len) : STR_NONE;
}

static file_place place_of_path(arena *out, str path, str root) {
    file_place place = {PATH_LOCAL, path};
    bool absolute = path.len > 0 && path.ptr[0] == '/';
    str relative = absolute ? below(path, root) : path;
    if (!str_is_none(relative) && tidy(out, relative, &place.path))
        place.place = PATH_INSIDE;
    else if (!absolute)
        place.path = str_format(out, STR_FMT "/" STR_FMT, STR_ARG(root), STR_ARG(path));
    return place;
}

file_place file_place_of(arena *out, str uri, str root) {
    str scheme = scheme_of(uri);
    if (str_is_none(scheme)) return place_of_path(out, uri_decode(out, uri), root);
    if (!str_eq_nocase(scheme, STR("file"))) return (file_place){PATH_ELSEWHERE, uri};
    str rest = str_slice(uri, scheme.len + 1, uri.len);
    if (str_starts_with(rest, STR("//"))) {
        size_t slash;
        rest = str_slice(rest, 2, rest.len);
        if (!str_find_char(rest, '/', &slash)) return (file_place){PATH_ELSEWHERE, uri};
        str host = str_slice(rest, 0, slash);
        if (host.len > 0 && !str_eq_nocase(host, STR("localhost"))) return (file_place){PATH_ELSEWHERE, uri};
        rest = str_slice(rest, slash, rest.len);
    }
    return place_of_path(out, uri_decode(out, rest), root);
}

/* ---- deletion vectors ---- */

/* The digits of Z85 (ZeroMQ RFC 32). */
static int z85_digit(char c) {
    static const char digit[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
    const char *at = c ? strchr(digit, c) : NULL;
    return at ? (int)(at - digit) : -1;
}

/* Five digits are four bytes, the most significant first. */
static bool z85_decode_uuid(str text, unsigned char uuid[UUID_BYTES]) {
    for (size_t word = 0; word < UUID_BYTES / 4; word++) {
        uint64_t number = 0;
        for (size_t i = 0; i < 5; i++) {
            int digit = z85_digit(text.ptr[word * 5 + i]);
            if (digit < 0) return false;
            number = number * 85 + (uint64_t)digit;
        }
        if (number > UINT32_MAX) return false;
        for (size_t i = 0; i < 4; i++) uuid[word * 4 + i] = (unsigned char)(number >> (24 - 8 * i));
    }
    return true;
}

/* Rule K4: <prefix>/deletion_vector_<uuid>.bin, where the prefix is what stands before the last twenty digits. */
static bool relative_vector(arena *out, str text, str *path) {
    unsigned char uuid[UUID_BYTES];
    if (text.len < UUID_Z85_CHARS) return false;
    str prefix = str_slice(text, 0, text.len - UUID_Z85_CHARS);
    if (!z85_decode_uuid(str_slice(text, prefix.len, text.len), uuid)) return false;
    buf name;
    buf_init(&name, out, SIZE_MAX / 2);
    buf_put(&name, prefix);
    buf_put(&name, prefix.len ? STR("/deletion_vector_") : STR("deletion_vector_"));
    for (size_t i = 0; i < UUID_BYTES; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) buf_put_char(&name, '-');
        buf_printf(&name, "%02x", uuid[i]);
    }
    buf_put(&name, STR(".bin"));
    *path = buf_str(&name);
    return true;
}

bool vector_place_of(arena *out, str stem, str root, file_place *place) {
    str text = str_slice(stem, 1, stem.len), path;
    if (stem.len < 2 || (stem.ptr[0] != 'u' && stem.ptr[0] != 'p')) return false;
    if (stem.ptr[0] == 'p') {
        *place = file_place_of(out, text, root);
        return true;
    }
    if (!relative_vector(out, text, &path)) return false;
    *place = place_of_path(out, path, root);
    return true;
}
