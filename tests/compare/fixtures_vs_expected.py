#!/usr/bin/env python3
"""fixtures_vs_expected.py - read every recorded table with the delta room and compare with its recorded result.

Called by: tests/suites.ini, people.  Must not know: how a snapshot is made.

usage: fixtures_vs_expected.py --dump BUILD/tests/snapshot_dump [--fixtures DIR] [--only TEXT] [--threads N]
The folder of tables lies beside the project (../shared/fixtures); where it is absent everything is skipped. Last line:
`N passed, N failed, N skipped`.
"""
import argparse
import hashlib
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import suite

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

# What error each expected class must come out as: words of the message.
ERROR_WORDS = {
    "unsupported-reader-version": ["reader version"],
    "unsupported-reader-feature": ["reader feature"],
    "catalog-managed": ["live in the catalog"],
    "missing-metadata": ["metaData"],
    "missing-protocol": ["protocol"],
    "versions-not-contiguous": ["00000000000000000001.json"],
    "missing-commit": ["00000000000000000012.json"],
    "not-a-delta-table": ["not a Delta table"],
}

# What a reader of the newest checkpoint cannot know, with the reason.
NOT_IN_THE_CHECKPOINT = {
    # the part of the checkpoint that holds the file has no column of statistics; the recorded sum comes from the commits
    "delta-kernel-rs/parquet_row_group_skipping": {"sum_num_records", "live_rows"},
}


class Checks:
    def __init__(self, dump, threads):
        self.dump, self.threads = dump, threads
        self.passed = self.failed = 0

    def check(self, good, text):
        self.passed += good
        self.failed += not good
        if not good:
            print("FAIL", text)

    def equal(self, what, found, expected):
        self.check(found == expected, f"{what}: expected {str(expected)[:100]!r}, found {str(found)[:100]!r}")

    def call(self, table, *options):
        """The object, the file lines, the error text."""
        done = subprocess.run([self.dump, "--threads", self.threads, *options, table], capture_output=True, timeout=120)
        error = done.stderr.decode("utf8", "replace").strip()
        if done.returncode == 0:
            lines = done.stdout.decode("utf8").splitlines()
            return json.loads(lines[0]), [json.loads(line) for line in lines[1:]], error
        good = done.returncode == 1 and not done.stdout and error.startswith("error: ") and "\n" not in error
        self.check(good, f"{table}: an error is exit 1 with one line, found exit {done.returncode}: {error[:200]}")
        return None, [], error


def check_latest(c, name, table, want):
    found, files, error = c.call(table, "--files")
    if found is None:
        c.check(False, f"{name}: {error}")
        return
    totals, protocol = found["totals"], found["protocol"]
    c.equal(f"{name}: version", found["version"], want["version"])
    c.equal(f"{name}: files", totals["files"], want["num_files"])
    c.equal(f"{name}: reader version", protocol["min_reader_version"], want["reader_version"])
    c.equal(f"{name}: reader features", sorted(protocol["reader_features"]), sorted(want["features"] or []))
    c.equal(f"{name}: partition columns", found["partition_columns"], want["partition_columns"])
    optional = [
        ("writer_version", protocol["min_writer_version"]),
        ("table_id", found["table_id"]),
        ("num_dv_files", totals["files_with_deletion_vector"]),
        ("sum_num_records", totals["records"]),
        ("sum_size", totals["bytes"]),
    ]
    lost = NOT_IN_THE_CHECKPOINT.get(name, ())
    for key, value in optional:
        if key in want and key not in lost:
            c.equal(f"{name}: {key}", value, want[key])
    if "writer_features" in want:
        c.equal(f"{name}: writer features", sorted(protocol["writer_features"]), sorted(want["writer_features"] or []))
    if "live_rows" in want and "sum_num_records" in want and "live_rows" not in lost:
        c.equal(f"{name}: live rows", totals["live_rows"], want["live_rows"])
    keys = sorted((f["path"] + "\t" + (f["dv_id"] or "") + "\n").encode() for f in files)
    c.equal(f"{name}: set of files", hashlib.md5(b"".join(keys)).hexdigest(), want["active_md5"])
    hint = want.get("hint") or {}
    if "checksum" in hint:
        c.equal(f"{name}: checksum of the hint", found["story"]["hint_checksum"], hint["checksum"])
    counted, _, _ = c.call(table, "--count")
    c.equal(f"{name}: files, counted only", counted and counted["totals"]["files"], want["num_files"])


def check_versions(c, name, table, want):
    for version, count in (want.get("num_files_by_version") or {}).items():
        found, _, error = c.call(table, "--at-version", version, "--count")
        c.equal(f"{name}: files at version {version}", (found["version"], found["totals"]["files"]) if found else error,
                (int(version), count))
    for version in want.get("unreachable_versions") or []:
        found, _, error = c.call(table, "--at-version", str(version))
        c.check(found is None and "cannot be rebuilt" in error, f"{name}: version {version} cannot be rebuilt, found {found} {error}")


def check_error(c, name, table, want):
    found, _, error = c.call(table)
    words = ERROR_WORDS.get(want["error"], [])
    c.check(found is None and words and all(w in error for w in words), f"{name}: expected {want['error']}, found {found or error}")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--dump", required=True)
    options.add_argument("--fixtures", default=os.path.join(ROOT, "..", "shared", "fixtures"))
    options.add_argument("--only", default="")
    options.add_argument("--threads", default="1")
    given = options.parse_args()
    path = os.path.join(given.fixtures, "expected.json")
    if not os.path.exists(path):
        print(f"SKIP: no {path}")
        suite.finish(0, 0, 1)
    with open(path, encoding="utf8") as f:
        expected = json.load(f)
    c = Checks(given.dump, given.threads)
    for name in sorted(expected):
        if given.only not in name:
            continue
        want, table = expected[name], os.path.join(given.fixtures, name)
        if want.get("error"):
            check_error(c, name, table, want)
        else:
            check_latest(c, name, table, want)
            check_versions(c, name, table, want)
    suite.finish(c.passed, c.failed, 0)


if __name__ == "__main__":
    main()
