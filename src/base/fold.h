/* fold.h - texts compared without regard to case, as names are: Unicode's simple lower case, whatever the locale.
 * Called by: delta (column names), plan (names in SQL).  Must not know: what the texts name.
 */
#ifndef BASE_FOLD_H
#define BASE_FOLD_H

#include "base/str.h"

/* Both are UTF-8; a byte that is none stands for itself. Characters whose lower case is several characters do not fold. */
bool str_eq_folded(str a, str b);

/* Equal for texts that str_eq_folded takes for equal. As str_hash, stable within a process run only. */
uint64_t str_hash_folded(str s);

#endif
