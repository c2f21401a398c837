#!/usr/bin/env python3
"""flat_memory.py - peak memory on a checkpoint of ten times the files.

    flat_memory.py --binary build/release/lakeproof [--files 500000] [--times 10] [--stats json600] [--folder /tmp/...]

Called by: people.  Must not know: how the tool works.

Writes two logs with gen_log.py (in --folder, where they stay for the next run, or in a temporary folder) and runs on
each: a predicate on partition values and statistics, the snapshot with its coverage, and the listing of all files.
Prints one JSON line: per question both peaks and their ratio, and the largest ratio, whose goal is 1.2.
"""
import argparse
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

import measure

GOAL = 1.2


def make_table(folder, files, stats):
    """The table and its predicates; made only if it is not there."""
    table, note = folder / f"{stats}-{files}", folder / f"{stats}-{files}.json"
    if not note.exists():
        generator = pathlib.Path(__file__).with_name("gen_log.py")
        made = subprocess.run([sys.executable, str(generator), str(table), "--files", str(files), "--stats", stats],
                              check=True, capture_output=True, text=True)
        note.write_text(made.stdout, encoding="utf-8")
    return str(table), json.loads(note.read_text(encoding="utf-8"))["predicates"]


def questions(table, predicates):
    where = predicates["both"]["where"]
    return {"prune": ["prune", table, "--where", where], "snapshot": ["snapshot", table, "--format", "json"],
            "files": ["snapshot", table, "--files", "--format", "ndjson"]}


def measure_all(given, folder, files):
    table, predicates = make_table(folder, files, given.stats)
    command = shlex.split(given.binary)
    return {name: measure.run_once(command + question) for name, question in questions(table, predicates).items()}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", required=True)
    options.add_argument("--files", type=int, default=500_000)
    options.add_argument("--times", type=int, default=10)
    options.add_argument("--stats", choices=["json600", "json1150", "struct", "none"], default="json600")
    options.add_argument("--folder", type=pathlib.Path)
    given = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="lakeproof-bench-") as temporary:
        folder = given.folder or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        few, many = (measure_all(given, folder, given.files * times) for times in (1, given.times))
    ratios = {name: round(many[name].peak_bytes / few[name].peak_bytes, 3) for name in few}
    print(json.dumps({"bench": "flat_memory", "stats": given.stats, "files": [given.files, given.files * given.times],
                      "questions": {name: {"few": few[name].figures(), "many": many[name].figures(), "ratio": ratios[name]}
                                    for name in few},
                      "largest_ratio": max(ratios.values()), "goal": GOAL, "met": max(ratios.values()) <= GOAL}))


if __name__ == "__main__":
    main()
