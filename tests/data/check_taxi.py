#!/usr/bin/env python3
"""check_taxi.py - recomputes what examples/taxi is made to show, from its log alone and in plain Python.

    check_taxi.py [TABLE] [--binary 'build/release/lakeproof prune']

Called by: the test suite and people.  Must not know: how the table was made, any Delta library.

First the layout: files, days, rows, bands that do not overlap. Then the number of files that partition values and then
statistics leave for each documented predicate; a predicate is written here a second time, as two functions of a file.
With --binary the same counts are asked of a tool that prints delta-explain's JSON.
"""
import argparse
import json
import pathlib
import shlex
import subprocess
import sys

DAYS = ["2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04", "2024-01-05"]
THIRD = "2024-01-03"


def read_live_files(table):
    """The adds of all commits less the removes, as {path: (partition values, statistics)}."""
    live = {}
    for commit in sorted((table / "_delta_log").glob("[0-9]*.json")):
        for line in commit.read_text(encoding="utf-8").splitlines():
            action = json.loads(line)
            if "add" in action:
                add = action["add"]
                live[add["path"]] = (add["partitionValues"], json.loads(add["stats"]))
            if "remove" in action:
                live.pop(action["remove"]["path"], None)
    return live


class File:
    """A live file: its day, and whether some value between a column's bounds can be above, below or equal to x."""

    def __init__(self, values, stats):
        self.day = values["pickup_date"]
        self.stats = stats

    def above(self, column, x):
        return self.stats["maxValues"][column] > x

    def holds(self, column, x):
        return self.stats["minValues"][column] <= x <= self.stats["maxValues"][column]


def anything(_file):
    return True


# predicate, what partition values decide (None: nothing), what is decided with statistics as well, expected counts
CASES = [
    ("NOT (pickup_date != '2024-01-03' OR trip_distance <= 5)",
     lambda f: f.day == THIRD, lambda f: f.above("trip_distance", 5), [20, 4, 2]),
    ("UPPER(pickup_date) = '2024-01-03' AND trip_distance > 8",
     None, lambda f: f.above("trip_distance", 8), [20, 7]),
    ("pickup_date LIKE '2024-01-0%' AND trip_distance > 8",
     lambda f: f.day.startswith("2024-01-0"), lambda f: f.above("trip_distance", 8), [20, 20, 7]),
    ("pickup_date LIKE '%01-03%' AND trip_distance > 5",
     lambda f: "01-03" in f.day, lambda f: f.above("trip_distance", 5), [20, 4, 2]),
    ("pickup_date = '2024-01-03' OR trip_distance > 30",
     None, lambda f: f.day == THIRD or f.above("trip_distance", 30), [20, 6]),
    ("PULocationID = 132", None, lambda f: f.holds("PULocationID", 132), [20, 20]),
    ("tip_amount > fare_amount", None, anything, [20, 20]),
    ("(pickup_date = '2024-01-03' AND trip_distance > 5) OR (pickup_date = '2024-01-03' AND fare_amount > 50)",
     lambda f: f.day == THIRD, lambda f: f.above("trip_distance", 5) or f.above("fare_amount", 50), [20, 4, 4]),
    ("pickup_date = '2024-01-03'", lambda f: f.day == THIRD, None, [20, 4]),
    ("trip_distance > 8", None, lambda f: f.above("trip_distance", 8), [20, 7]),
    ("pickup_date IN ('2024-01-02', '2024-01-04')", lambda f: f.day in (DAYS[1], DAYS[3]), None, [20, 8]),
]


class Tally:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, what, found, expected):
        if found == expected:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {what}: expected {expected}, found {found}")


def check_layout(tally, files):
    tally.check("number of files", len(files), 20)
    tally.check("days", sorted({f.day for f in files}), DAYS)
    tally.check("rows", sum(f.stats["numRecords"] for f in files), 20 * 24)
    for day in DAYS:
        bands = sorted((f.stats["minValues"]["trip_distance"], f.stats["maxValues"]["trip_distance"])
                       for f in files if f.day == day)
        tally.check(f"files of {day}", len(bands), 4)
        tally.check(f"bands of {day} do not overlap", all(a[1] < b[0] for a, b in zip(bands, bands[1:])), True)


def survivors(files, phases):
    counts = [len(files)]
    for may_match in phases:
        files = [f for f in files if may_match(f)]
        counts.append(len(files))
    return counts


def ask(binary, table, predicate):
    done = subprocess.run(shlex.split(binary) + [str(table), f"--where={predicate}", "--format", "json"],
                          capture_output=True, timeout=60, check=False)
    if done.returncode != 0:
        return done.stderr.decode("utf-8", "replace").strip()
    report = json.loads(done.stdout)
    return [report["total_files"]] + [phase["output_files"] for phase in report["phases"]]


def main():
    home = pathlib.Path(__file__).resolve().parents[2]
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("table", nargs="?", type=pathlib.Path, default=home / "examples" / "taxi")
    options.add_argument("--binary")
    given = options.parse_args()
    files = [File(*entry) for entry in read_live_files(given.table).values()]
    tally = Tally()
    check_layout(tally, files)
    for predicate, by_partition, by_statistics, expected in CASES:
        phases = [p for p in (by_partition, by_statistics) if p]
        tally.check(predicate, survivors(files, phases), expected)
        if given.binary:
            tally.check(f"{given.binary}: {predicate}", ask(given.binary, given.table, predicate), expected)
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
