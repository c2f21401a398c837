/* json_index.h - where the tokens of a JSON text start: the one door to the C++ library.
 * Called by: json_reader.c.  Must not know: the grammar.
 *
 * The index of a text holds, in order, the offset of each structural character ({ } [ ] : ,) outside of strings and of
 * the first byte of each scalar (a run of other bytes that are no blanks; the opening quote for a string). Form feed
 * and 0x1A may be indexed as well. Behind the last entry stands the length of the text.
 */
#ifndef JSON_JSON_INDEX_H
#define JSON_JSON_INDEX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct json_indexer json_indexer;

typedef enum json_index_status {
    JSON_INDEX_OK,
    JSON_INDEX_EMPTY, /* nothing but blanks */
    JSON_INDEX_NOT_UTF8,
    JSON_INDEX_UNCLOSED, /* ends inside a string */
    JSON_INDEX_CONTROL,  /* a control character inside a string */
    JSON_INDEX_TOO_LONG,
    JSON_INDEX_NO_MEMORY,
    JSON_INDEX_FAILED /* none of these: a defect */
} json_index_status;

/* NULL when there is no memory. Allocates with new; ended by json_indexer_destroy only. */
json_indexer *json_indexer_create(void);
void json_indexer_destroy(void *indexer);

/* Index and check a text. *index holds *count entries and the length, until the next call or the end of the indexer.
 * Its memory is 4 bytes per byte of the longest text seen (touched only where there are tokens). */
json_index_status json_indexer_run(json_indexer *x, const char *text, size_t len, const uint32_t **index,
                                   uint32_t *count);

#ifdef __cplusplus
}
#endif
#endif
