/* settings.h - the defaults of a project: lakeproof.toml.
 * Called by: the sources of this room that answer about rows.  Must not know: what a setting does.
 * Source: TOML 1.0.0, of which this is a part: tables, bare keys, strings on one line, booleans, arrays of strings, comments.
 *
 *   trust = ["unique_key"]          # kinds of guesses that proofs may use
 *   [check]
 *   fail_on = "warning"             # error, warning, never
 *   checks = ["G001", "G003"]       # instead of the usual ones
 *   enable = ["G005"]               # beside them
 *   select = ["tag:finance"]        # dbt selections
 *   exclude = ["path:models/tmp"]
 *   baseline = "lakeproof-baseline.json"  # beside this file
 */
#ifndef API_SETTINGS_H
#define API_SETTINGS_H

#include "base/arena.h"
#include "base/err.h"

typedef struct text_list {
    const str *item;
    size_t count;
} text_list;

/* What is not set is STR_NONE, or empty with is_set false. */
typedef struct setting_list {
    bool is_set;
    text_list list;
} setting_list;

typedef struct settings {
    str fail_on, baseline;
    setting_list trust, checks, enable, select, exclude;
} settings;

/* Lives in `owner`; borrows nothing. LP_ERR_USAGE with the name of the file and the line: a key that is not known or stands
 * twice, a value of another type, and what is no TOML or not in our part of it. */
MUST_USE lp_status settings_read(arena *owner, str text, str name, settings *out, lp_err *err);

/* The texts of "a, b" without blanks around them; empty ones are left out. Borrows. */
text_list text_list_of_commas(arena *owner, str text);

#endif
