/* lakeproof_err.h - how every function of the library reports failure.
 * Called by: everybody; included by lakeproof.h.  Must not know: anything else.
 */
#ifndef LAKEPROOF_ERR_H
#define LAKEPROOF_ERR_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lp_status {
    LP_OK = 0,
    LP_ERR_USAGE,       /* the call itself is wrong: an option that does not exist, two that exclude each other */
    LP_ERR_IO,          /* the operating system or the object store said no */
    LP_ERR_NOT_FOUND,   /* the table, the version or a needed file is not there */
    LP_ERR_FORMAT,      /* bytes that are not what the format promises */
    LP_ERR_UNSUPPORTED, /* valid, and refused by name */
    LP_ERR_QUERY,       /* the SQL is wrong: syntax, unknown column, a literal that cannot be read */
    LP_ERR_LIMIT        /* a budget (memory, depth, size) is spent */
} lp_status;

/* One failure, described once by whoever found it. `text` is one message for people, UTF-8, without the word "Error"
 * and without a final newline; it may hold several lines (a caret under a query). Always NUL-terminated. */
typedef struct lp_err {
    lp_status code;
    char text[2048];
} lp_err;

#ifdef __cplusplus
}
#endif
#endif
