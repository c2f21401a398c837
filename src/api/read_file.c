/* read_file.c - a small file as text.
 * Called by: the sources of this room.  Must not know: what is in it.
 */
#include "api/read_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "json/json.h"

enum { MAX_BYTES = 64 << 20 };

static lp_status fail(lp_err *err, int error, const char *path) {
    return err_set(err, error == ENOENT ? LP_ERR_NOT_FOUND : LP_ERR_IO, "Cannot read %s: %s", path, err_os_text(error));
}

/* As many bytes as there are, `size` at most. 0 or an errno. */
static int fill(int fd, char *into, size_t size, size_t *used) {
    for (*used = 0; *used < size;) {
        ssize_t done = read(fd, into + *used, size - *used);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return errno;
        if (done == 0) break;
        *used += (size_t)done;
    }
    return 0;
}

lp_status read_file(arena *owner, str path, str *out, lp_err *err) {
    struct stat about;
    size_t used = 0;
    str name = str_copy(owner, path);
    if (memchr(name.ptr, '\0', name.len)) return err_set(err, LP_ERR_NOT_FOUND, "the name of a file holds a NUL byte");
    if (stat(name.ptr, &about) != 0) return fail(err, errno, name.ptr);
    if (S_ISDIR(about.st_mode)) return fail(err, EISDIR, name.ptr);
    if (about.st_size > MAX_BYTES) return err_set(err, LP_ERR_LIMIT, "%s is longer than 64 MiB", name.ptr);
    size_t size = S_ISREG(about.st_mode) ? (size_t)about.st_size : MAX_BYTES;
    char *bytes = arena_alloc(owner, size + JSON_PADDING); /* before the file is open: an allocation may leave */
    int fd = open(name.ptr, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return fail(err, errno, name.ptr);
    int error = fill(fd, bytes, size, &used);
    close(fd);
    if (error) return fail(err, error, name.ptr);
    *out = (str){bytes, used};
    return LP_OK;
}
