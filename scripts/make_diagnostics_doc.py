#!/usr/bin/env python3
"""make_diagnostics_doc.py - print docs/diagnostics.md from src/claim/diag.def, or write it with --write.

Called by: people after a change of diag.def; tests/house/check_house.py compares.  Must not know: who raises a note.
"""
import pathlib
import sys

from def_rows import read_rows

ROOT = pathlib.Path(__file__).resolve().parents[1]
TABLE = ROOT / "src" / "claim" / "diag.def"
PAGE = ROOT / "docs" / "diagnostics.md"
HEAD = """# Diagnostics

<!-- Printed by scripts/make_diagnostics_doc.py from src/claim/diag.def. Change the table, not this page. -->

A diagnostic is a finding about the query or the table, never a failure. Its code and its name keep their meaning for good; the
wording of a message may change. `lakeproof help CODE` prints these texts. A note that delta-explain knows too is printed under
both names of the program, the others under the name `lakeproof` only.
"""
BLOCKS = (("LP10", "About the predicate"), ("LP11", "About the table"), ("LP12", "Diagnoses of `--explain-why`"),
          ("LP13", "About a run of `check`"))


def render():
    rows = read_rows(TABLE, "DIAG")
    lines = [HEAD]
    for prefix, title in BLOCKS:
        lines.append(f"## {title}\n")
        for code, name, severity, original, summary, text in rows:
            if not code.startswith(prefix):
                continue
            known = "known to delta-explain" if original == "true" else "ours"
            lines.append(f"### {code} {name}\n\n*{severity.lower()}, {known}*: {summary}.\n\n{text}\n")
    unplaced = [row[0] for row in rows if not row[0].startswith(tuple(p for p, _ in BLOCKS))]
    if unplaced:
        raise SystemExit(f"no heading in BLOCKS for {', '.join(unplaced)}")
    return "\n".join(lines)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(render(), encoding="utf-8")
    else:
        print(render(), end="")
