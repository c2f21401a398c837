#!/usr/bin/env python3
"""tables_vs_expected.py - scan the project's own small tables and compare each live file, whatever the threads.

Called by: ctest, people.  Must not know: how the tables were made (tests/data/delta/make_tables.py).

usage: tables_vs_expected.py --dump BUILD/tests/snapshot_dump
Last line: `N passed, N failed, N skipped`.
"""
import argparse
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import suite

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "delta")


def dump(command, table, *options):
    done = subprocess.run([command, *options, os.path.join(HERE, table)], capture_output=True, timeout=120)
    if done.returncode != 0:
        return None, [], done.stderr.decode("utf8", "replace").strip()
    lines = done.stdout.decode("utf8").splitlines()
    return json.loads(lines[0]), [json.loads(line) for line in lines[1:]], ""


def compare(command, table, wanted, threads):
    """What is wrong, one line each."""
    options = [o for name in wanted["columns"] for o in ("--stats", name)]
    head, files, error = dump(command, table, "--threads", threads, "--files", "--partition", *options)
    if head is None:
        return [error]
    faults = [f"file {i}: expected {e}, found {f}" for i, (e, f) in enumerate(zip(wanted["files"], files)) if e != f]
    if len(files) != len(wanted["files"]):
        faults.append(f"expected {len(wanted['files'])} files, found {len(files)}")
    counted, _, _ = dump(command, table, "--threads", threads, "--count")
    if counted is None or counted["totals"]["files"] != len(wanted["files"]):
        faults.append(f"counted only: found {counted}")
    return faults


def pages_that_nobody_wants(command):
    """Statistics of 8 of 40 files, a page each: the others are neither parsed nor decompressed."""
    options = ["--count", "--partition", "--stats", "a", "--counters"]
    _, (every,), _ = dump(command, "small_pages", *options)
    _, (some,), _ = dump(command, "small_pages", *options, "--select", "keep")
    _, (none,), _ = dump(command, "small_pages", *options, "--select", "no such value")
    faults = []
    if (every["statistics_parsed"], some["statistics_parsed"], none["statistics_parsed"]) != (40, 8, 0):
        faults.append(f"expected 40, 8 and 0 texts to be parsed, found {every}, {some}, {none}")
    if (every["pages_decoded"] - some["pages_decoded"], some["pages_decoded"] - none["pages_decoded"]) != (32, 8):
        faults.append(f"expected 32 and 8 pages more to be decoded, found {every}, {some}, {none}")
    return faults


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--dump", required=True)
    given = options.parse_args()
    with open(os.path.join(HERE, "expected.json"), encoding="utf8") as f:
        expected = json.load(f)
    passed = failed = 0
    for table, files in expected["tables"].items():
        for threads in ("1", "4"):
            faults = compare(given.dump, table, {"columns": expected["wanted"], "files": files}, threads)
            passed += not faults
            failed += bool(faults)
            for fault in faults:
                print(f"FAIL {table}, {threads} threads: {fault}")
    faults = pages_that_nobody_wants(given.dump)
    for fault in faults:
        print(f"FAIL small_pages: {fault}")
    suite.finish(passed + (not faults), failed + bool(faults), 0)


if __name__ == "__main__":
    main()
