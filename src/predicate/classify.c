/* classify.c - route each top-level conjunct to the metadata that can decide it.
 * Called by: prune, stage commands.  Must not know: files, statistics.
 *
 *   opaque part | LIKE part | columns            | bucket
 *   no          | no        | all partition      | partition_safe
 *   no          | yes       | all partition      | partition_exact (functions too)
 *   no          | no        | no partition       | stats_safe
 *   no          | no        | mixed              | unsplittable, scanned
 *   otherwise                                    | unsplittable, not scanned
 */
#include "predicate/classify.h"

enum { MAX_REASONS = 8 };

typedef struct traits {
    bool has_like;   /* on any column */
    bool has_scalar; /* level extended only */
    bool has_opaque;
    bool has_partition, has_data;
    bool is_cast;
    str reason[MAX_REASONS]; /* distinct ones, in the order of the text */
    size_t reason_count;
} traits;

static void note_column(void *context, const column_ref *ref) {
    traits *t = context;
    if (ref->column->partition_index >= 0)
        t->has_partition = true;
    else
        t->has_data = true;
}

static void add_reason(traits *t, str reason) {
    for (size_t i = 0; i < t->reason_count; i++)
        if (str_eq(t->reason[i], reason)) return;
    if (t->reason_count < MAX_REASONS) t->reason[t->reason_count++] = reason;
}

static str join_reasons(arena *query, const traits *t) {
    buf b;
    buf_init(&b, query, SIZE_MAX / 2);
    for (size_t i = 0; i < t->reason_count; i++) {
        if (i > 0) buf_put(&b, STR("; "));
        buf_put(&b, t->reason[i]);
    }
    return buf_str(&b);
}

static void collect_traits(traits *t, const predicate *p) {
    switch ((int)p->kind) {
    case PREDICATE_AND:
    case PREDICATE_OR:
        for (size_t i = 0; i < p->junction.count; i++) collect_traits(t, p->junction.item[i]);
        return;
    case PREDICATE_NOT: collect_traits(t, p->not .of); return;
    case PREDICATE_TRUTH: collect_traits(t, p->truth.of); return;
    case PREDICATE_LIKE: t->has_like = true; return;
    case PREDICATE_SCALAR:
        t->has_scalar = true;
        if (!str_is_none(p->scalar.reason)) {
            t->has_opaque = true;
            add_reason(t, p->scalar.reason);
        }
        return;
    case PREDICATE_OPAQUE:
        t->has_opaque = true;
        t->is_cast |= p->opaque.is_cast;
        add_reason(t, p->opaque.reason);
        return;
    default: return;
    }
}

static str print_fragment(arena *query, const predicate *p) {
    buf b;
    buf_init(&b, query, SIZE_MAX / 2);
    predicate_print(&b, p);
    return buf_str(&b);
}

static fragment classify_conjunct(arena *query, const predicate *p, bool extended) {
    traits t = {.has_like = false};
    collect_traits(&t, p);
    predicate_each_column(p, note_column, &t);
    fragment f = {
        .bucket = BUCKET_UNSPLITTABLE, .predicate = p, .text = print_fragment(query, p), .is_cast = t.is_cast};
    bool outside = t.has_opaque || (t.has_like && t.has_data && !extended);
    if (outside) {
        if (t.has_like && t.has_data && !t.has_opaque) add_reason(&t, STR("a LIKE pattern that is no range of values"));
        f.scanned = extended;
        f.reason = join_reasons(query, &t);
    } else if (t.has_partition && t.has_data) {
        f.scanned = true;
    } else if (t.has_partition) {
        f.bucket = t.has_like || t.has_scalar ? BUCKET_PARTITION_EXACT : BUCKET_PARTITION_SAFE;
    } else {
        f.bucket = BUCKET_STATS_SAFE;
    }
    return f;
}

classification predicate_classify(arena *query, const predicate *p, bool extended) {
    const predicate *const *item = p->kind == PREDICATE_AND ? p->junction.item : &p;
    size_t count = p->kind == PREDICATE_AND ? p->junction.count : 1;
    classification c = {ARENA_ARRAY(query, fragment, count), count};
    for (size_t i = 0; i < count; i++) c.fragment[i] = classify_conjunct(query, item[i], extended);
    return c;
}

str bucket_name(bucket b) {
    switch (b) {
    case BUCKET_PARTITION_SAFE: return STR("partition_safe");
    case BUCKET_PARTITION_EXACT: return STR("partition_exact");
    case BUCKET_STATS_SAFE: return STR("stats_safe");
    case BUCKET_UNSPLITTABLE: return STR("unsplittable");
    }
    UNREACHABLE();
}
