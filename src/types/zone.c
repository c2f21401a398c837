/* zone.c - time zones by name, without the C library's global state.
 * Called by: types/calendar.c, predicate, api.  Must not know: tables, SQL.
 */
#include "types/zone.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/door.h"
#include "base/map.h"
#include "types/tzif.h"

struct zone {
    str name;
    zone_table table;
};

struct zone_database {
    arena own;
    map cache; /* name as asked for to zone, in `own` */
    pthread_mutex_t lock;
};

enum {
    MAX_FILE_BYTES = 16 * 1024, /* the largest zone takes under 4 KiB; they are read onto the stack */
    MAX_NAME_BYTES = 64,
    DATABASE_BYTES = 64 * 1024 * 1024 /* all 600 zones take 3 MiB */
};

static const int64_t MICROS = 1000000;

/* The names that Java's ZoneId.SHORT_IDS knows beside those of the database. Spark reads literals by them. */
static const struct {
    const char *name, *stands_for;
} short_names[] = {
    {"ACT", "Australia/Darwin"},
    {"AET", "Australia/Sydney"},
    {"AGT", "America/Argentina/Buenos_Aires"},
    {"ART", "Africa/Cairo"},
    {"AST", "America/Anchorage"},
    {"BET", "America/Sao_Paulo"},
    {"BST", "Asia/Dhaka"},
    {"CAT", "Africa/Harare"},
    {"CNT", "America/St_Johns"},
    {"CST", "America/Chicago"},
    {"CTT", "Asia/Shanghai"},
    {"EAT", "Africa/Addis_Ababa"},
    {"ECT", "Europe/Paris"},
    {"EST", "-05:00"},
    {"HST", "-10:00"},
    {"IET", "America/Indiana/Indianapolis"},
    {"IST", "Asia/Kolkata"},
    {"JST", "Asia/Tokyo"},
    {"MIT", "Pacific/Apia"},
    {"MST", "-07:00"},
    {"NET", "Asia/Yerevan"},
    {"NST", "Pacific/Auckland"},
    {"PLT", "Asia/Karachi"},
    {"PNT", "America/Phoenix"},
    {"PRT", "America/Puerto_Rico"},
    {"PST", "America/Los_Angeles"},
    {"SST", "Pacific/Guadalcanal"},
    {"VST", "Asia/Ho_Chi_Minh"},
};

/* ---- offsets */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Two digits, or one where `may_be_single` and no digit follows. */
static bool take_pair(str text, size_t *at, bool may_be_single, int32_t *out) {
    if (*at >= text.len || !is_digit(text.ptr[*at])) return false;
    *out = text.ptr[(*at)++] - '0';
    if (*at >= text.len || !is_digit(text.ptr[*at])) return may_be_single;
    *out = *out * 10 + (text.ptr[(*at)++] - '0');
    return true;
}

/* offset := [+-] h[h] [':' mm [':' ss]] | [+-] hhmm [ss] */
bool zone_parse_offset(str text, int32_t *east_seconds) {
    if (text.len < 2 || (text.ptr[0] != '+' && text.ptr[0] != '-')) return false;
    size_t at = 1;
    int32_t part[3] = {0, 0, 0};
    if (!take_pair(text, &at, true, &part[0])) return false;
    bool colons = at < text.len && text.ptr[at] == ':';
    if (at == 2 && at < text.len && !colons) return false;
    for (int i = 1; i < 3 && at < text.len; i++) {
        if (colons && text.ptr[at++] != ':') return false;
        if (!take_pair(text, &at, false, &part[i])) return false;
    }
    if (at != text.len || part[1] > 59 || part[2] > 59) return false;
    int32_t seconds = (part[0] * 60 + part[1]) * 60 + part[2];
    if (seconds > 18 * 3600) return false; /* as far as Java goes; the clocks of the earth keep within 14 */
    *east_seconds = text.ptr[0] == '-' ? -seconds : seconds;
    return true;
}

/* fixed := 'Z' | ('UTC' | 'GMT' | 'UT')? offset? */
static bool parse_fixed(str name, int32_t *east_seconds) {
    static const str prefix[] = {{"UTC", 3}, {"GMT", 3}, {"UT", 2}, {"Z", 1}};
    *east_seconds = 0;
    for (size_t i = 0; i < sizeof prefix / sizeof prefix[0]; i++) {
        if (str_eq_nocase(name, prefix[i])) return true;
        if (prefix[i].len > 1 && str_eq_nocase(str_slice(name, 0, prefix[i].len), prefix[i]) &&
            zone_parse_offset(str_slice(name, prefix[i].len, name.len), east_seconds))
            return true;
    }
    return zone_parse_offset(name, east_seconds);
}

/* ---- the database */

static bool is_name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '-' || c == '+';
}

/* name := part ('/' part)* ; a part is letters, digits, '_', '-', '+'. So there is no way out of the folder. */
static bool is_zone_name(str name) {
    if (name.len == 0 || name.len > MAX_NAME_BYTES || name.ptr[name.len - 1] == '/') return false;
    for (size_t i = 0; i < name.len; i++) {
        if (name.ptr[i] == '/' && i > 0 && name.ptr[i - 1] != '/') continue;
        if (!is_name_char(name.ptr[i])) return false;
    }
    return true;
}

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Where the zones are; NULL if the system has none. */
static const char *find_folder(void) {
    static const char *const usual[] = {"/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo",
                                        "/etc/zoneinfo"};
    const char *set = secure_getenv("TZDIR");
    if (set && set[0] == '/') return is_folder(set) ? set : NULL;
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        if (is_folder(usual[i])) return usual[i];
    return NULL;
}

/* The bytes of a regular file of at most `room` bytes; false if there is none or it is larger. */
static bool read_file(const char *path, char *into, size_t room, size_t *size) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return false;
    struct stat info;
    bool good = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size >= 0 && (size_t)info.st_size <= room;
    *size = 0;
    while (good && *size < (size_t)info.st_size) {
        ssize_t got = read(fd, into + *size, (size_t)info.st_size - *size);
        if (got <= 0)
            good = false;
        else
            *size += (size_t)got;
    }
    close(fd);
    return good;
}

static bool read_zone_file(const char *folder, str name, char *into, size_t *size) {
    char path[4096];
    if (!folder || !is_zone_name(name)) return false;
    int length = snprintf(path, sizeof path, "%s/" STR_FMT, folder, STR_ARG(name));
    return length > 0 && (size_t)length < sizeof path && read_file(path, into, MAX_FILE_BYTES, size);
}

/* Short names (without a folder) are tried in capitals too: cet is CET. */
static bool read_zone(const char *folder, str name, char *into, size_t *size) {
    if (read_zone_file(folder, name, into, size)) return true;
    char capitals[MAX_NAME_BYTES];
    size_t slash;
    if (name.len > sizeof capitals || str_find_char(name, '/', &slash)) return false;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        capitals[i] = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    }
    return read_zone_file(folder, (str){capitals, name.len}, into, size);
}

static lp_status unknown_zone(str name, const char *folder, lp_err *err) {
    if (!folder)
        return err_set(err, LP_ERR_USAGE,
                       "unknown time zone \"" STR_FMT "\": this system has no time zone database (install the package "
                       "tzdata); UTC and offsets like +02:00 work without one",
                       STR_ARG(str_slice(name, 0, 200)));
    return err_set(err, LP_ERR_USAGE,
                   "unknown time zone \"" STR_FMT
                   "\": expected a name like Europe/Rome or PST, or an offset like +02:00",
                   STR_ARG(str_slice(name, 0, 200)));
}

static str resolve_short_name(str name) {
    for (size_t i = 0; i < sizeof short_names / sizeof short_names[0]; i++)
        if (str_eq_nocase(name, str_from(short_names[i].name))) return str_from(short_names[i].stands_for);
    return name;
}

static lp_status load_zone(zone_database *db, str name, const zone **out, lp_err *err) {
    str full = resolve_short_name(name);
    zone_table table = {.count = 0};
    if (!parse_fixed(full, &table.first_offset)) {
        char bytes[MAX_FILE_BYTES];
        size_t size;
        const char *folder = find_folder();
        if (!read_zone(folder, full, bytes, &size)) return unknown_zone(name, folder, err);
        if (!str_starts_with((str){bytes, size}, STR("TZif"))) return unknown_zone(name, folder, err);
        lp_err why;
        if (tzif_parse((str){bytes, size}, &db->own, &table, &why) != LP_OK)
            return err_set(err, LP_ERR_USAGE, "time zone \"" STR_FMT "\" cannot be used: %s", STR_ARG(name), why.text);
    }
    zone *z = ARENA_NEW(&db->own, zone);
    *z = (zone){.name = str_copy(&db->own, name), .table = table};
    map_put(&db->cache, z->name, z);
    *out = z;
    return LP_OK;
}

typedef struct load_call {
    zone_database *db;
    str name;
    const zone **out;
} load_call;

static lp_status load_in_door(void *context, lp_err *err) {
    const load_call *call = context;
    return load_zone(call->db, call->name, call->out, err);
}

static void database_end(void *resource) {
    zone_database *db = resource;
    pthread_mutex_destroy(&db->lock);
    arena_end(&db->own);
}

zone_database *zone_database_new(arena *owner) {
    zone_database *db = ARENA_NEW(owner, zone_database);
    defer_slot *slot = arena_defer(owner, database_end);
    pthread_mutex_init(&db->lock, NULL);
    arena_init(&db->own, DATABASE_BYTES);
    map_init(&db->cache, &db->own);
    slot->resource = db;
    return db;
}

/* Loading allocates, and allocation may leave through the door; a door of its own keeps it from leaving with the lock.
 */
lp_status zone_find(zone_database *db, str name, const zone **out, lp_err *err) {
    load_call call = {db, name, out};
    lp_err why;
    pthread_mutex_lock(&db->lock);
    const zone *known = map_get(&db->cache, name);
    lp_status status = known ? LP_OK : door_run(load_in_door, &call, &why);
    pthread_mutex_unlock(&db->lock);
    if (known) *out = known;
    if (status == LP_ERR_LIMIT) door_leave("%s", why.text);
    return status == LP_OK ? LP_OK : err_set(err, status, "%s", why.text);
}

/* ---- questions to a zone */

const zone *zone_utc(void) {
    static const zone utc = {.name = {"UTC", 3}};
    return &utc;
}

str zone_name(const zone *z) {
    return z->name;
}

bool zone_is_utc(const zone *z) {
    const zone_table *t = &z->table;
    return t->count == 0 && t->first_offset == 0 &&
           (!t->rule.is_set || (!t->rule.has_summer && t->rule.standard_offset == 0));
}

static int64_t floor_seconds(int64_t micros) {
    int64_t seconds = micros / MICROS;
    return seconds * MICROS > micros ? seconds - 1 : seconds;
}

int32_t zone_offset_at(const zone *z, int64_t instant_micros) {
    return zone_table_period(&z->table, floor_seconds(instant_micros)).offset;
}

bool zone_is_steady(const zone *z, int64_t from_micros, int64_t to_micros) {
    return floor_seconds(to_micros) < zone_table_period(&z->table, floor_seconds(from_micros)).until;
}

static int64_t minus_seconds(int64_t micros, int32_t seconds) {
    int64_t result;
    if (!__builtin_sub_overflow(micros, seconds * MICROS, &result)) return result;
    return seconds > 0 ? INT64_MIN : INT64_MAX;
}

/* A reading w stands for the instant w - offset in each period that holds that instant. No period: w lies in the gap
 * between two, and the offset before the gap is taken. */
void zone_instants(const zone *z, int64_t wall_micros, int64_t *earlier, int64_t *later) {
    const int64_t reach = 26 * 3600; /* no offset is larger */
    int64_t wall = floor_seconds(wall_micros);
    zone_period p = zone_table_period(&z->table, wall - reach);
    bool found = false;
    int32_t offset_before = p.offset;
    for (;;) {
        int64_t instant = wall - p.offset;
        if (instant >= p.from) offset_before = p.offset;
        if (instant >= p.from && instant < p.until) {
            int64_t exact = minus_seconds(wall_micros, p.offset);
            if (!found) *earlier = exact;
            *later = exact;
            found = true;
        }
        if (p.until > wall + reach) break;
        p = zone_table_period(&z->table, p.until);
    }
    if (!found) *earlier = *later = minus_seconds(wall_micros, offset_before);
}
