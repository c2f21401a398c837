/* replay_main.c - run a fuzz target over files and folders, without libFuzzer.
 * Called by: ctest.  Must not know: what the target parses.
 *
 * usage: TARGET [--mutate N SEED] PATH...
 * With --mutate each file is also run N times with 1 to 16 bytes changed or its end cut off, from a fixed seed.
 * Last line: how many inputs were run.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned long mutants, runs;
static uint64_t state = 1;

static uint64_t next_random(void) { /* xorshift64* */
    state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
    return state * 0x2545F4914F6CDD1Du;
}

/* A copy of exact size, so that a sanitizer sees the first byte read past the end. */
static void run_copy(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) abort();
    if (size) memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    runs++;
}

static void run_mutants(uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) abort();
    for (unsigned long i = 0; i < mutants && size > 0; i++) {
        memcpy(copy, data, size);
        size_t kept = next_random() % 8 == 0 ? (size_t)(next_random() % size) : size;
        bool in_tail = next_random() % 2 == 0; /* footers and closing parts get half of the changes */
        for (uint64_t flips = 1 + next_random() % 16; flips > 0; flips--) {
            size_t window = in_tail && size > 4096 ? 4096 : size;
            copy[size - window + (size_t)(next_random() % window)] = (uint8_t)next_random();
        }
        run_copy(copy, kept);
    }
    free(copy);
}

static void run_file(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    size_t size = (size_t)ftell(f);
    rewind(f);
    uint8_t *data = malloc(size ? size : 1);
    if (!data || fread(data, 1, size, f) != size) abort();
    fclose(f);
    run_copy(data, size);
    run_mutants(data, size);
    free(data);
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void run_path(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0) {
        fprintf(stderr, "no such file or folder: %s\n", path);
        exit(1);
    }
    if (!S_ISDIR(info.st_mode)) {
        run_file(path);
        return;
    }
    struct dirent **entry;
    int count = scandir(path, &entry, NULL, by_name);
    for (int i = 0; i < count; i++) {
        char child[4096];
        snprintf(child, sizeof child, "%s/%s", path, entry[i]->d_name);
        if (entry[i]->d_name[0] != '.') run_path(child);
        free(entry[i]);
    }
    free(entry);
}

int main(int argc, char **argv) {
    int at = 1;
    if (argc > 3 && strcmp(argv[1], "--mutate") == 0) {
        mutants = strtoul(argv[2], NULL, 10);
        state = strtoull(argv[3], NULL, 10) * 2 + 1;
        at = 4;
    }
    for (; at < argc; at++) run_path(argv[at]);
    printf("%lu inputs run\n", runs);
    return runs == 0; /* a replay of nothing proves nothing */
}
