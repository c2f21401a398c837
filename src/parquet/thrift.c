/* thrift.c - a pull reader of the Thrift compact protocol.
 * Called by: footer.c, page.c.  Must not know: which structs it reads.
 */
#include "parquet/thrift.h"

void thrift_init(thrift *t, const void *bytes, size_t size) {
    *t = (thrift){.start = bytes, .at = bytes, .end = (const uint8_t *)bytes + size};
}

static void set_fault(thrift *t, thrift_fault fault, const char *expected) {
    if (t->fault != THRIFT_OK) return;
    t->fault = fault;
    t->expected = expected;
}

void thrift_fail(thrift *t, const char *expected) {
    set_fault(t, THRIFT_BAD, expected);
}

static size_t left(const thrift *t) {
    return (size_t)(t->end - t->at);
}

static uint8_t read_byte(thrift *t) {
    if (t->fault == THRIFT_OK && left(t) == 0) set_fault(t, THRIFT_SHORT, "another byte");
    return t->fault == THRIFT_OK ? *t->at++ : 0;
}

/* ULEB128, at most 64 bits. */
static uint64_t read_varint(thrift *t) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t byte = read_byte(t);
        uint64_t bits = byte & 0x7f;
        if (shift == 63 && bits > 1) break;
        value |= bits << shift;
        if (!(byte & 0x80)) return t->fault == THRIFT_OK ? value : 0;
    }
    thrift_fail(t, "a varint of at most 64 bits");
    return 0;
}

static int64_t read_zigzag(thrift *t) {
    uint64_t raw = read_varint(t);
    return (int64_t)(raw >> 1) ^ -(int64_t)(raw & 1);
}

static void pass_bytes(thrift *t, uint64_t count) {
    if (t->fault != THRIFT_OK) return;
    if (count > left(t)) {
        set_fault(t, THRIFT_SHORT, "as many bytes as a value announces");
        return;
    }
    t->at += count;
}

thrift_field thrift_struct(thrift *t) {
    if (t->depth == THRIFT_MAX_DEPTH) thrift_fail(t, "fewer structs inside each other");
    t->depth++;
    return (thrift_field){0, THRIFT_STOP};
}

bool thrift_next(thrift *t, thrift_field *field) {
    uint8_t head = read_byte(t);
    if (t->fault != THRIFT_OK) return false;
    unsigned type = head & 0x0f, step = head >> 4;
    if (type == THRIFT_STOP) {
        t->depth--;
        return false;
    }
    if (type > THRIFT_UUID) thrift_fail(t, "a field type that is known");
    int64_t id = step ? field->id + (int64_t)step : read_zigzag(t);
    if (id < INT16_MIN || id > INT16_MAX) thrift_fail(t, "a field number of 16 bits");
    if (t->fault != THRIFT_OK) return false;
    *field = (thrift_field){(int16_t)id, (thrift_type)type};
    return true;
}

void thrift_expect(thrift *t, thrift_type found, thrift_type wanted) {
    if (found == wanted) return;
    switch ((int)wanted) {
    case THRIFT_BINARY: thrift_fail(t, "a binary value"); break;
    case THRIFT_LIST: thrift_fail(t, "a list"); break;
    case THRIFT_STRUCT: thrift_fail(t, "a struct"); break;
    default: thrift_fail(t, "a value of another type"); break;
    }
}

int64_t thrift_i64(thrift *t, thrift_type type) {
    switch ((int)type) {
    case THRIFT_BYTE: return (int8_t)read_byte(t);
    case THRIFT_I16:
    case THRIFT_I32:
    case THRIFT_I64: return read_zigzag(t);
    default: thrift_fail(t, "an integer"); return 0;
    }
}

int32_t thrift_i32(thrift *t, thrift_type type) {
    int64_t value = thrift_i64(t, type);
    if (value >= INT32_MIN && value <= INT32_MAX) return (int32_t)value;
    thrift_fail(t, "an integer of 32 bits");
    return 0;
}

bool thrift_bool(thrift *t, thrift_type type) {
    if (type != THRIFT_TRUE && type != THRIFT_FALSE) thrift_fail(t, "a boolean");
    return type == THRIFT_TRUE;
}

str thrift_binary(thrift *t, thrift_type type) {
    thrift_expect(t, type, THRIFT_BINARY);
    uint64_t size = read_varint(t);
    const uint8_t *from = t->at;
    pass_bytes(t, size);
    return t->fault == THRIFT_OK ? (str){(const char *)from, (size_t)size} : STR_NONE;
}

uint32_t thrift_list(thrift *t, thrift_type type, thrift_type *element) {
    *element = THRIFT_STOP;
    if (type != THRIFT_SET) thrift_expect(t, type, THRIFT_LIST);
    uint8_t head = read_byte(t);
    uint64_t count = head >> 4;
    if (count == 15) count = read_varint(t);
    unsigned kind = head & 0x0f;
    if (kind > THRIFT_UUID || (kind == THRIFT_STOP && count > 0)) thrift_fail(t, "an element type that is known");
    if (t->fault != THRIFT_OK) return 0;
    if (count > left(t)) set_fault(t, THRIFT_SHORT, "as many elements as a list announces");
    if (count > UINT32_MAX) thrift_fail(t, "fewer elements in a list");
    *element = (thrift_type)kind;
    return t->fault == THRIFT_OK ? (uint32_t)count : 0;
}

/* A boolean that is an element takes one byte; one that is a field takes none. */
static void skip_element(thrift *t, thrift_type type) {
    if (type == THRIFT_TRUE || type == THRIFT_FALSE)
        pass_bytes(t, 1);
    else
        thrift_skip(t, type);
}

static void skip_list(thrift *t, thrift_type type) {
    thrift_type element;
    uint32_t count = thrift_list(t, type, &element);
    for (uint32_t i = 0; i < count && t->fault == THRIFT_OK; i++) skip_element(t, element);
}

static void skip_map(thrift *t) {
    uint64_t count = read_varint(t);
    if (count == 0) return;
    uint8_t kinds = read_byte(t);
    unsigned key = kinds >> 4, value = kinds & 0x0f;
    if (key == THRIFT_STOP || key > THRIFT_UUID || value == THRIFT_STOP || value > THRIFT_UUID)
        thrift_fail(t, "an element type that is known");
    if (count > left(t)) set_fault(t, THRIFT_SHORT, "as many elements as a map announces");
    for (uint64_t i = 0; i < count && t->fault == THRIFT_OK; i++) {
        skip_element(t, (thrift_type)key);
        skip_element(t, (thrift_type)value);
    }
}

static void skip_struct(thrift *t) {
    for (thrift_field f = thrift_struct(t); thrift_next(t, &f);) thrift_skip(t, f.type);
}

/* Lists and maps may hold each other without a struct between, so they count as levels, too. */
void thrift_skip(thrift *t, thrift_type type) {
    if (t->fault != THRIFT_OK) return;
    if (t->depth >= THRIFT_MAX_DEPTH) {
        thrift_fail(t, "fewer values inside each other");
        return;
    }
    t->depth++;
    switch (type) {
    case THRIFT_TRUE:
    case THRIFT_FALSE: break;
    case THRIFT_BYTE: pass_bytes(t, 1); break;
    case THRIFT_I16:
    case THRIFT_I32:
    case THRIFT_I64: (void)read_varint(t); break;
    case THRIFT_DOUBLE: pass_bytes(t, 8); break;
    case THRIFT_BINARY: (void)thrift_binary(t, type); break;
    case THRIFT_LIST:
    case THRIFT_SET: skip_list(t, type); break;
    case THRIFT_MAP: skip_map(t); break;
    case THRIFT_STRUCT: skip_struct(t); break;
    case THRIFT_UUID: pass_bytes(t, 16); break;
    case THRIFT_STOP: thrift_fail(t, "a value"); break;
    }
    t->depth--;
}
