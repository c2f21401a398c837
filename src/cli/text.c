/* text.c - growing text of the command.
 * Called by: every file of cli.  Must not know: where the text goes.
 */
#include "cli/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void out_of_memory(void) {
    static const char message[] = "error: out of memory\n";
    ssize_t ignored = write(STDERR_FILENO, message, sizeof message - 1);
    (void)ignored;
    _exit(1);
}

static void text_reserve(text *t, size_t more) {
    if (more > SIZE_MAX / 4 || t->size > SIZE_MAX / 4) out_of_memory();
    size_t needed = t->size + more + 1;
    if (needed <= t->capacity) return;
    size_t capacity = t->capacity ? t->capacity : 256;
    while (capacity < needed) capacity *= 2;
    char *ptr = realloc(t->ptr, capacity);
    if (!ptr) out_of_memory();
    t->ptr = ptr;
    t->capacity = capacity;
}

void text_put(text *t, const char *bytes, size_t size) {
    text_reserve(t, size);
    if (size) memcpy(t->ptr + t->size, bytes, size);
    t->size += size;
    t->ptr[t->size] = '\0';
}

void text_add(text *t, const char *words) {
    text_put(t, words, strlen(words));
}

void text_printf(text *t, const char *format, ...) {
    va_list list;
    va_start(list, format);
    text_vprintf(t, format, list);
    va_end(list);
}

void text_vprintf(text *t, const char *format, va_list list) {
    va_list again;
    va_copy(again, list);
    text_reserve(t, 80);
    int size = vsnprintf(t->ptr + t->size, t->capacity - t->size, format, list);
    if (size > 0 && (size_t)size >= t->capacity - t->size) {
        text_reserve(t, (size_t)size);
        vsnprintf(t->ptr + t->size, t->capacity - t->size, format, again);
    }
    if (size > 0) t->size += (size_t)size;
    va_end(again);
}

void text_wrap(text *t, const char *words, size_t column, size_t indent, size_t width) {
    bool at_start = true;
    while (*words) {
        size_t size = strcspn(words, " \n");
        if (!at_start && column + 1 + size > width) {
            text_printf(t, "\n%*s", (int)indent, "");
            column = indent;
            at_start = true;
        }
        if (!at_start) text_add(t, " ");
        text_put(t, words, size);
        column += size + !at_start;
        at_start = false;
        words += size;
        while (*words == '\n') { /* a line that ends here, as the author of the text wants it */
            text_printf(t, "\n%*s", words[1] == '\n' ? 0 : (int)indent, "");
            column = indent;
            at_start = true;
            words++;
        }
        words += *words == ' ';
    }
}

const char *text_str(const text *t) {
    return t->ptr ? t->ptr : "";
}

void text_free(text *t) {
    free(t->ptr);
    *t = (text){0};
}

/* The number of bytes of the character at `s`, 0 if there is no valid one in `size` bytes. Unicode, table 3-7. */
static size_t character_size(const unsigned char *s, size_t size) {
    unsigned char first = s[0];
    unsigned char low = 0x80, high = 0xBF;
    size_t need;
    if (first < 0x80) return 1;
    if (first < 0xC2 || first > 0xF4) return 0;
    if (first < 0xE0) {
        need = 2;
    } else if (first < 0xF0) {
        need = 3;
        if (first == 0xE0) low = 0xA0;
        if (first == 0xED) high = 0x9F;
    } else {
        need = 4;
        if (first == 0xF0) low = 0x90;
        if (first == 0xF4) high = 0x8F;
    }
    if (size < need || s[1] < low || s[1] > high) return 0;
    for (size_t i = 2; i < need; i++) {
        if ((s[i] & 0xC0) != 0x80) return 0;
    }
    return need;
}

bool text_is_utf8(const char *bytes, size_t size) {
    const unsigned char *s = (const unsigned char *)bytes;
    for (size_t at = 0; at < size;) {
        size_t step = character_size(s + at, size - at);
        if (!step) return false;
        at += step;
    }
    return true;
}

size_t text_distance(const char *a, const char *b) {
    enum { MOST = 31 };
    size_t row[MOST + 1];
    size_t b_size = strlen(b);
    if (b_size > MOST || strlen(a) > MOST) return MOST;
    for (size_t j = 0; j <= b_size; j++) row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < b_size; j++) {
            size_t best = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            if (row[j] + 1 < best) best = row[j] + 1;
            if (diagonal + 1 < best) best = diagonal + 1;
            row[j + 1] = best;
        }
    }
    return row[b_size];
}
