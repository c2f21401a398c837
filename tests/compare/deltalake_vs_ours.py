#!/usr/bin/env python3
"""deltalake_vs_ours.py - version, files, bytes and records of every table, beside those that delta-rs finds.

Called by: tests/suites.ini, people.  Must not know: how a snapshot is made.

usage: deltalake_vs_ours.py --tool BUILD/tests/snapshot_many [--tables FOLDER]... [--only TEXT] [--list]
Needs the Python package deltalake. The tables are all folders with a _delta_log below tests/data and each FOLDER; every
version that has a commit file is asked, and the latest. Each difference must be explained in EXPLAINED below, which
docs/compat.md repeats for readers; an explanation that no difference needs any more fails too. Where delta-rs refuses
a table or a version there is nothing to compare: such are counted as skipped. Last line: `N passed, N failed, N skipped`.
"""
import argparse
import os
import pathlib
import sys

import deltalake
import pyarrow

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import suite
from questions import Reader

STRUCT_ONLY = "its checkpoint holds statistics as a struct alone, from which delta-rs takes no record counts; pyarrow finds them there"
NO_BASE = "version {} has a commit, but no checkpoint at or before it and no commit 0: delta-rs takes the adds of that commit for the table"

# What differs, by the end of the table's path: the parts (refused, version, files, bytes, records) and the reason. A part is
# "refused" where we refuse what delta-rs opens.
EXPLAINED = {
    "delta-rs/delta-1.2.1-only-struct-stats": (["records"], STRUCT_ONLY),
    "spark/ckpt_v2_parquet": (["records", "refused"], STRUCT_ONLY + "; " + NO_BASE.format(4)),
    "spark/ckpt_json_cleaned": (["refused"], NO_BASE.format(5)),
    "spark/ckpt_no_stats": (["refused"], NO_BASE.format(1)),
}
COMPAT = HERE.parents[1] / "docs" / "compat.md"


def tables_below(folders):
    for folder in folders:
        for path, folders_here, _ in os.walk(folder):
            folders_here.sort()
            if "_delta_log" in folders_here:
                yield pathlib.Path(path)
                folders_here.remove("_delta_log")


def versions_of(table):
    names = (p.name for p in (table / "_delta_log").iterdir())
    return [None] + sorted(int(n[:20]) for n in names if len(n) == 25 and n[:20].isdigit() and n.endswith(".json"))


def theirs(table, version):
    """What delta-rs finds, or its error."""
    try:
        t = deltalake.DeltaTable(str(table), version=version)
        adds = pyarrow.table(t.get_add_actions()).to_pylist()
    except BaseException as error:  # a panic of the extension is no Exception
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise
        return str(error).splitlines()[0] if str(error) else type(error).__name__
    counts = [a.get("num_records") for a in adds]
    return {"version": t.version(), "files": sorted(a["path"] for a in adds), "bytes": sum(a["size_bytes"] for a in adds),
            "records": None if None in counts else sum(counts)}


def ours(reader, table, version):
    found, error = reader.ask(table, version)
    if not found:
        return error
    return {"version": found["version"], "files": sorted(f["path"] for f in found["files"]), "bytes": found["totals"]["bytes"],
            "records": found["totals"]["records"]}


def compare(reader, table):
    """(number of versions compared, of versions that delta-rs refuses, {part that differs: an example})."""
    compared, refused, differing = 0, 0, {}
    for version in versions_of(table):
        expected = theirs(table, version)
        if isinstance(expected, str):
            refused += 1
            continue
        found = ours(reader, table, version)
        compared += 1
        if isinstance(found, str):
            differing.setdefault("refused", f"version {version}: delta-rs finds {len(expected['files'])} files, we say {found}")
            continue
        for part in expected:
            if found[part] != expected[part]:
                differing.setdefault(part, f"version {version}: delta-rs finds {str(expected[part])[:300]}, we find {str(found[part])[:300]}")
    return compared, refused, differing


def explained(table):
    for name, (parts, _) in EXPLAINED.items():
        if table.as_posix().endswith("/" + name):
            return name, set(parts)
    return None, set()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--tool", required=True)
    options.add_argument("--tables", action="append", type=pathlib.Path, default=[HERE.parent / "data"])
    options.add_argument("--only", default="")
    options.add_argument("--list", action="store_true", help="print what delta-rs refuses")
    given = options.parse_args()
    reader, passed, failed, skipped = Reader(given.tool), 0, 0, 0
    for table in tables_below(given.tables):
        if given.only not in table.as_posix():
            continue
        compared, refused, differing = compare(reader, table)
        name, allowed = explained(table)
        bad = [f"{part}: {example}" for part, example in differing.items() if part not in allowed]
        bad += [f"{part}: explained, but it does not differ" for part in allowed if part not in differing]
        passed, failed, skipped = passed + (compared > 0 and not bad), failed + bool(bad), skipped + (compared == 0)
        for line in bad:
            print("FAIL", table, line)
        if given.list and refused:
            print(f"delta-rs refuses {refused} versions of {table}: {theirs(table, None)}")
    for name in EXPLAINED:
        if name not in COMPAT.read_text(encoding="utf8"):
            failed += 1
            print(f"FAIL docs/compat.md does not tell about {name}")
    suite.finish(passed, failed, skipped)


if __name__ == "__main__":
    main()
