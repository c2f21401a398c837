/* floor.c - reads a file of snappy blocks, decompresses each and looks at every byte once: what no reader can beat.
 * Called by: floor.py, which makes the file and compiles this.  Must not know: Parquet, JSON.
 *
 *     floor FILE
 *
 * FILE is a row of blocks, each headed by two unsigned 32-bit numbers of this machine: compressed and decompressed
 * bytes. The pass over the text counts quotes and backslashes, the least a JSON reader must find. Prints both counts.
 */
#include <snappy-c.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t count_marks(const unsigned char *text, size_t size) {
    uint64_t marks = 0;
    for (size_t i = 0; i < size; i++) {
        marks += text[i] == '"' || text[i] == '\\';
    }
    return marks;
}

/* Reads and decompresses the next block into *text. False at the end of the file; exits on damage. */
static int next_block(FILE *in, unsigned char **packed, unsigned char **text, size_t *size) {
    uint32_t head[2];
    if (fread(head, sizeof head[0], 2, in) != 2) {
        return 0;
    }
    *packed = realloc(*packed, head[0] + 1u);
    *text = realloc(*text, head[1] + 1u);
    *size = head[1];
    if (!*packed || !*text || fread(*packed, 1, head[0], in) != head[0] ||
        snappy_uncompress((const char *)*packed, head[0], (char *)*text, size) != SNAPPY_OK) {
        fprintf(stderr, "floor: damaged block\n");
        exit(1);
    }
    return 1;
}

int main(int argc, char **argv) {
    FILE *in = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!in) {
        fprintf(stderr, "usage: floor FILE\n");
        return 2;
    }
    unsigned char *packed = NULL, *text = NULL;
    size_t size = 0;
    uint64_t bytes = 0, marks = 0;
    while (next_block(in, &packed, &text, &size)) {
        bytes += size;
        marks += count_marks(text, size);
    }
    printf("%llu %llu\n", (unsigned long long)bytes, (unsigned long long)marks);
    return 0;
}
