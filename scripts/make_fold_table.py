#!/usr/bin/env python3
"""make_fold_table.py - print src/base/fold_table.def: which characters have one lower case character.

usage: make_fold_table.py > src/base/fold_table.def

Called by: people, when a newer Unicode should be followed.  Must not know: what is compared with it.
"""
import sys
import unicodedata


def mappings():
    for point in range(0x80, 0x110000):
        lower = chr(point).lower()
        if len(lower) == 1 and ord(lower) != point and not 0xD800 <= point <= 0xDFFF:
            yield point, ord(lower) - point


def runs():
    """Neighbours with the same distance; every second one counts as a neighbour too (alternating scripts)."""
    found = []
    for point, distance in mappings():
        last = found[-1] if found else None
        if last and last[3] == distance and point - last[1] in ((last[2],) if last[2] else (1, 2)):
            last[2] = point - last[1]
            last[1] = point
        else:
            found.append([point, point, 0, distance])
    return found


print(f"""/* fold_table.def - lower case of characters above ASCII, from Unicode {unicodedata.unidata_version}.
 * Called by: base/fold.c.  Must not know: what is compared with it.
 *
 * FOLD(first, last, step, distance): first, first + step, ... last become lower case by adding distance. Printed by
 * scripts/make_fold_table.py; characters whose lower case is several characters are left out.
 */""")
for first, last, step, distance in runs():
    print(f"FOLD(0x{first:04X}, 0x{last:04X}, {step or 1}, {distance})")
