/* log_list.c - names in _delta_log to typed entries.
 * Called by: delta/snapshot.c, log_segment.c.  Must not know: the content of any file.
 */
#include "delta/log_list.h"

#include <stdlib.h>

enum { VERSION_DIGITS = 20, PART_DIGITS = 10, UUID_LENGTH = 36 };

/* Takes exactly `digits` decimal digits from the front of *rest. */
static bool take_number(str *rest, size_t digits, int64_t *out) {
    if (rest->len < digits || !str_to_int64(str_slice(*rest, 0, digits), out)) return false;
    *rest = str_slice(*rest, digits, rest->len);
    return true;
}

static bool take_text(str *rest, str text) {
    if (!str_starts_with(*rest, text)) return false;
    *rest = str_slice(*rest, text.len, rest->len);
    return true;
}

/* 8-4-4-4-12 hexadecimal digits. */
static bool take_uuid(str *rest) {
    if (rest->len < UUID_LENGTH) return false;
    for (size_t i = 0; i < UUID_LENGTH; i++) {
        char c = rest->ptr[i];
        bool is_hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        bool is_hyphen_place = i == 8 || i == 13 || i == 18 || i == 23;
        if (is_hyphen_place ? c != '-' : !is_hex) return false;
    }
    *rest = str_slice(*rest, UUID_LENGTH, rest->len);
    return true;
}

static const log_name other = {.kind = LOG_OTHER};

/* What follows `<v>.checkpoint.` in the name. */
static log_name parse_checkpoint(str rest, int64_t version) {
    log_name n = {.kind = LOG_CHECKPOINT_CLASSIC, .version = version};
    if (str_eq(rest, STR("parquet"))) return n; /* PROTOCOL.md: Classic checkpoint */
    str after = rest;
    if (take_uuid(&after)) { /* PROTOCOL.md: UUID-named checkpoint */
        n.kind = LOG_CHECKPOINT_UUID;
        n.is_json = str_eq(after, STR(".json"));
        return n.is_json || str_eq(after, STR(".parquet")) ? n : other;
    }
    after = rest;
    int64_t part, parts; /* PROTOCOL.md: Multi-part checkpoint: o from 1 to p, p > 1; p = 1 is taken too */
    if (!take_number(&after, PART_DIGITS, &part) || !take_text(&after, STR(".")) ||
        !take_number(&after, PART_DIGITS, &parts) || !str_eq(after, STR(".parquet")))
        return other;
    if (part < 1 || part > parts || parts > INT32_MAX) return other;
    n.kind = LOG_CHECKPOINT_PART;
    n.part = (uint32_t)part;
    n.parts = (uint32_t)parts;
    return n;
}

log_name log_name_parse(str name) {
    if (str_eq(name, STR("_last_checkpoint"))) return (log_name){.kind = LOG_HINT};
    log_name n = other;
    str rest = name;
    if (!take_number(&rest, VERSION_DIGITS, &n.version) || !take_text(&rest, STR("."))) return other;
    if (take_text(&rest, STR("checkpoint."))) return parse_checkpoint(rest, n.version);
    if (str_eq(rest, STR("json"))) n.kind = LOG_COMMIT;
    if (str_eq(rest, STR("crc"))) n.kind = LOG_CHECKSUM;
    if (n.kind != LOG_OTHER) return n;
    if (!take_number(&rest, VERSION_DIGITS, &n.last_version) || !str_eq(rest, STR(".compacted.json"))) return other;
    if (n.last_version <= n.version) return other;
    n.kind = LOG_COMPACTION;
    return n;
}

/* By version, then by name: the listing is sorted by name already, and names are padded, but the order of a listing is
 * the store's business and ours must not depend on it. */
static int by_version(const void *left, const void *right) {
    const log_entry *a = left, *b = right;
    if (a->is.version != b->is.version) return a->is.version < b->is.version ? -1 : 1;
    return str_compare(a->name, b->name);
}

static int by_version_longest_last(const void *left, const void *right) {
    const log_entry *a = left, *b = right;
    if (a->is.version != b->is.version) return a->is.version < b->is.version ? -1 : 1;
    return (a->is.last_version > b->is.last_version) - (a->is.last_version < b->is.last_version);
}

static void append(log_entry *list, size_t *count, log_entry e) {
    list[(*count)++] = e;
}

log_list log_list_new(arena *owner, const store_entries *listing) {
    log_list l = {.commit = ARENA_ARRAY(owner, log_entry, listing->count),
                  .checkpoint = ARENA_ARRAY(owner, log_entry, listing->count),
                  .compaction = ARENA_ARRAY(owner, log_entry, listing->count),
                  .checksum = ARENA_ARRAY(owner, log_entry, listing->count)};
    for (size_t i = 0; i < listing->count; i++) {
        const store_entry *from = &listing->item[i];
        log_entry e = {.is = log_name_parse(from->name),
                       .name = from->name,
                       .size_bytes = from->size_bytes,
                       .mtime_ms = from->mtime_ms,
                       .is_regular = from->is_regular};
        switch (e.is.kind) {
        case LOG_COMMIT: append(l.commit, &l.commit_count, e); break;
        case LOG_CHECKPOINT_CLASSIC:
        case LOG_CHECKPOINT_PART:
        case LOG_CHECKPOINT_UUID: append(l.checkpoint, &l.checkpoint_count, e); break;
        case LOG_CHECKSUM: append(l.checksum, &l.checksum_count, e); break;
        case LOG_HINT: l.has_hint = true; break;
        case LOG_COMPACTION:
            e.is_bad = e.size_bytes == 0;
            append(l.compaction, &l.compaction_count, e);
            break;
        case LOG_OTHER: break;
        }
    }
    qsort(l.commit, l.commit_count, sizeof *l.commit, by_version);
    qsort(l.checkpoint, l.checkpoint_count, sizeof *l.checkpoint, by_version);
    qsort(l.compaction, l.compaction_count, sizeof *l.compaction, by_version_longest_last);
    qsort(l.checksum, l.checksum_count, sizeof *l.checksum, by_version);
    return l;
}

const log_entry *log_list_commit(const log_list *l, int64_t version) {
    size_t low = 0, high = l->commit_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (l->commit[middle].is.version < version)
            low = middle + 1;
        else
            high = middle;
    }
    const log_entry *found = low < l->commit_count ? &l->commit[low] : NULL;
    return found && found->is.version == version && !found->is_bad ? found : NULL;
}
