/* line_map.c - where the lines of one text stand in another.
 * Called by: api.  Must not know: SQL, templates.
 */
#include "base/line_map.h"

#include "base/map.h"

/* ---- lines ---- */

static size_t line_end(str text, size_t from) {
    size_t at;
    return str_find_char(str_slice(text, from, text.len), '\n', &at) ? from + at : text.len;
}

static str trim_end(str line) {
    while (line.len && (line.ptr[line.len - 1] == ' ' || line.ptr[line.len - 1] == '\t' || line.ptr[line.len - 1] == '\r'))
        line.len--;
    return line;
}

const str *line_map_split(arena *owner, str text, size_t *count) {
    size_t lines = 1;
    for (size_t i = 0; i < text.len; i++) lines += text.ptr[i] == '\n';
    str *line = ARENA_ARRAY(owner, str, lines);
    *count = 0;
    for (size_t at = 0; *count < lines; at++) {
        size_t end = line_end(text, at);
        line[(*count)++] = trim_end(str_slice(text, at, end));
        at = end;
    }
    return line;
}

/* ---- anchors ---- */

typedef struct line_use {
    uint32_t in_from, in_to; /* how often, 2 for more */
    uint32_t to_line;
} line_use;

typedef struct anchor {
    uint32_t from, to;
    uint32_t before; /* 1 + index of the anchor before it in the best list that ends here, 0 for none */
} anchor;

static line_use *use_of(map *uses, arena *owner, str line) {
    line_use *use = map_get(uses, line);
    if (use) return use;
    use = ARENA_NEW(owner, line_use);
    map_put(uses, line, use);
    return use;
}

static void count_lines(map *uses, arena *owner, const line_map *m) {
    for (size_t i = 0; i < m->from_count; i++) {
        line_use *use = use_of(uses, owner, m->from[i]);
        use->in_from += use->in_from < 2;
    }
    for (size_t i = 0; i < m->to_count; i++) {
        line_use *use = use_of(uses, owner, m->to[i]);
        use->in_to += use->in_to < 2;
        use->to_line = (uint32_t)i;
    }
}

static size_t find_anchors(const map *uses, const line_map *m, anchor *list) {
    size_t count = 0;
    for (size_t i = 0; i < m->from_count; i++) {
        const line_use *use = map_get(uses, m->from[i]);
        if (m->from[i].len && use->in_from == 1 && use->in_to == 1)
            list[count++] = (anchor){.from = (uint32_t)i, .to = use->to_line};
    }
    return count;
}

/* The longest ascending list: `best[k]` is the anchor with the least line of `to` that ends one of length k + 1. */
static void match_anchors(anchor *list, size_t count, uint32_t *best, uint32_t *match) {
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        size_t low = 0, high = length;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (list[best[middle]].to < list[i].to)
                low = middle + 1;
            else
                high = middle;
        }
        list[i].before = low ? best[low - 1] + 1 : 0;
        best[low] = (uint32_t)i;
        if (low == length) length++;
    }
    for (uint32_t at = length ? best[length - 1] + 1 : 0; at; at = list[at - 1].before)
        match[list[at - 1].from] = list[at - 1].to + 1;
}

/* ---- between anchors ---- */

static bool same(const line_map *m, size_t from, size_t to) {
    return from < m->from_count && to < m->to_count && str_eq(m->from[from], m->to[to]);
}

/* Down from the start and from each pair, then up from the end and each pair, as far as lines are equal and free. */
static void spread(const line_map *m, uint32_t *match, bool *taken) {
    size_t expected = 0; /* the line of `to` behind the last pair */
    for (size_t i = 0; i < m->from_count; i++) {
        if (!match[i] && same(m, i, expected) && !taken[expected]) match[i] = (uint32_t)expected + 1;
        if (match[i]) taken[match[i] - 1] = true;
        expected = match[i] ? match[i] : m->to_count;
    }
    expected = m->to_count;
    for (size_t i = m->from_count; i-- > 0;) {
        if (!match[i] && expected > 0 && same(m, i, expected - 1) && !taken[expected - 1]) match[i] = (uint32_t)expected;
        if (match[i]) taken[match[i] - 1] = true;
        expected = match[i] ? match[i] - 1 : 0;
    }
}

/* Gaps with as many lines on either side. */
static void fill_gaps(const line_map *m, uint32_t *match) {
    size_t from = 0, to = 0; /* the first lines behind the last pair */
    for (size_t i = 0; i <= m->from_count; i++) {
        size_t pair = i < m->from_count ? match[i] : m->to_count + 1;
        if (!pair) continue;
        if (i - from == pair - 1 - to) {
            for (size_t k = from; k < i; k++) match[k] = (uint32_t)(to + (k - from) + 1);
        }
        from = i + 1;
        to = pair;
    }
}

line_map line_map_new(arena *owner, str from, str to) {
    line_map m = {0};
    map uses;
    map_init(&uses, owner);
    m.from = line_map_split(owner, from, &m.from_count);
    m.to = line_map_split(owner, to, &m.to_count);
    uint32_t *match = ARENA_ARRAY(owner, uint32_t, m.from_count);
    anchor *list = ARENA_ARRAY(owner, anchor, m.from_count);
    count_lines(&uses, owner, &m);
    size_t count = find_anchors(&uses, &m, list);
    match_anchors(list, count, ARENA_ARRAY(owner, uint32_t, count + 1), match);
    bool *taken = ARENA_ARRAY(owner, bool, m.to_count + 1);
    for (size_t i = 0; i < m.from_count; i++) {
        if (match[i]) taken[match[i] - 1] = true;
    }
    spread(&m, match, taken);
    fill_gaps(&m, match);
    m.match = match;
    return m;
}

/* ---- places ---- */

static size_t equal_start(str a, str b) {
    size_t n = 0;
    while (n < a.len && n < b.len && a.ptr[n] == b.ptr[n]) n++;
    return n;
}

static size_t equal_end(str a, str b) {
    size_t n = 0;
    while (n < a.len && n < b.len && a.ptr[a.len - 1 - n] == b.ptr[b.len - 1 - n]) n++;
    return n;
}

/* Whole code points: a start ends, and an end starts, where a character does. */
static size_t points_at_start(str line, size_t bytes) {
    while (bytes > 0 && bytes < line.len && ((unsigned char)line.ptr[bytes] & 0xc0u) == 0x80u) bytes--;
    return str_count_code_points(str_slice(line, 0, bytes));
}

static size_t points_at_end(str line, size_t bytes) {
    while (bytes > 0 && ((unsigned char)line.ptr[line.len - bytes] & 0xc0u) == 0x80u) bytes--;
    return str_count_code_points(str_slice(line, line.len - bytes, line.len));
}

static text_place whole_line(uint32_t line, str text) {
    size_t blanks = 0;
    while (blanks < text.len && (text.ptr[blanks] == ' ' || text.ptr[blanks] == '\t')) blanks++;
    size_t points = str_count_code_points(str_slice(text, blanks, text.len));
    return (text_place){.line = line, .column = (uint32_t)blanks + 1, .length = (uint32_t)points};
}

bool line_map_find(const line_map *m, text_place at, text_place *out) {
    if (at.line == 0 || at.line > m->from_count || !m->match[at.line - 1]) return false;
    uint32_t line = m->match[at.line - 1];
    str from = m->from[at.line - 1], to = m->to[line - 1];
    size_t from_points = str_count_code_points(from), to_points = str_count_code_points(to);
    size_t column = at.column ? at.column - 1 : 0, end = column + at.length;
    *out = (text_place){.line = line, .column = at.column, .length = at.length};
    if (str_eq(from, to) || end <= points_at_start(from, equal_start(from, to))) return true;
    size_t behind = points_at_end(from, equal_end(from, to));
    if (column < from_points - behind || end > from_points) {
        *out = whole_line(line, to);
        return true;
    }
    out->column = (uint32_t)(to_points - (from_points - column)) + 1;
    return true;
}
