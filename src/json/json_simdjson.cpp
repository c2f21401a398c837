/* json_simdjson.cpp - stage 1 of simdjson behind a C interface. The only C++ of the project.
 * Called by: json_reader.c.  Must not know: the grammar, arenas (an arena leaves by longjmp, which no C++ frame may
 * meet).
 */
#include <memory>
#include <new>
#include <simdjson.h>

#include "json/json_index.h"

using simdjson::internal::dom_parser_implementation;

struct json_indexer {
    std::unique_ptr<dom_parser_implementation> parser;
    std::size_t capacity = 0;
};

namespace {

constexpr std::size_t MAX_BYTES = 0xFFFFFFFF;
constexpr std::size_t MIN_CAPACITY = 4096;

/* Doubled, so that a run of texts that grow slowly is cheap. */
bool ensure_capacity(json_indexer &x, std::size_t len) {
    if (len <= x.capacity) return true;
    std::size_t wanted = x.capacity < MIN_CAPACITY ? MIN_CAPACITY : x.capacity;
    while (wanted < len) wanted = wanted > MAX_BYTES / 2 ? MAX_BYTES : wanted * 2;
    x.capacity = 0; /* should this fail, the buffer is gone */
    if (x.parser->set_capacity(wanted) != simdjson::SUCCESS) return false;
    x.capacity = wanted;
    return true;
}

json_index_status status_of(simdjson::error_code code) {
    switch (static_cast<int>(code)) {
    case simdjson::SUCCESS: return JSON_INDEX_OK;
    case simdjson::EMPTY: return JSON_INDEX_EMPTY;
    case simdjson::UTF8_ERROR: return JSON_INDEX_NOT_UTF8;
    case simdjson::UNCLOSED_STRING: return JSON_INDEX_UNCLOSED;
    case simdjson::UNESCAPED_CHARS: return JSON_INDEX_CONTROL;
    case simdjson::CAPACITY: return JSON_INDEX_TOO_LONG;
    case simdjson::MEMALLOC: return JSON_INDEX_NO_MEMORY;
    default: return JSON_INDEX_FAILED;
    }
}

} // namespace

extern "C" json_indexer *json_indexer_create(void) {
    try {
        auto x = std::make_unique<json_indexer>();
        /* Depth is for stage 2, which is never run. */
        if (simdjson::get_active_implementation()->create_dom_parser_implementation(MIN_CAPACITY, 1, x->parser) !=
            simdjson::SUCCESS)
            return nullptr;
        x->capacity = MIN_CAPACITY;
        return x.release();
    } catch (...) {
        return nullptr;
    }
}

extern "C" void json_indexer_destroy(void *indexer) {
    try {
        delete static_cast<json_indexer *>(indexer);
    } catch (...) {
    }
}

extern "C" json_index_status json_indexer_run(json_indexer *x, const char *text, std::size_t len,
                                              const uint32_t **index, uint32_t *count) {
    *index = nullptr;
    *count = 0;
    try {
        if (len == 0) return JSON_INDEX_EMPTY;
        if (len > MAX_BYTES) return JSON_INDEX_TOO_LONG;
        if (!ensure_capacity(*x, len)) return JSON_INDEX_NO_MEMORY;
        simdjson::error_code code =
            x->parser->stage1(reinterpret_cast<const uint8_t *>(text), len, simdjson::stage1_mode::regular);
        if (code != simdjson::SUCCESS) return status_of(code);
        uint32_t *entry = x->parser->structural_indexes.get();
        entry[x->parser->n_structural_indexes] = static_cast<uint32_t>(len);
        *index = entry;
        *count = x->parser->n_structural_indexes;
        return JSON_INDEX_OK;
    } catch (...) {
        return JSON_INDEX_NO_MEMORY;
    }
}
