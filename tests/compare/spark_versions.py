#!/usr/bin/env python3
"""spark_versions.py - every version of tables that Spark and delta-rs wrote must hold the files that Spark names.

Called by: tests/suites.ini, people.  Must not know: how a snapshot is made.

usage: spark_versions.py --tool BUILD/tests/snapshot_many [--tables FOLDER] [--only TEXT]
FOLDER holds tables, and beside each NAME.truth.json with what Spark found in every version: files, rows after deletion
vectors, or that it cannot be rebuilt. Where paths are absolute (shallow clones) the log has a placeholder for FOLDER: it
is replaced in a copy, and then every live file must be there. Where FOLDER is absent everything is skipped. Last line:
`N passed, N failed, N skipped`.
"""
import argparse
import json
import os
import pathlib
import shutil
import sys
import tempfile
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import suite
from questions import Reader

SHARED = HERE.parents[2] / "shared" / "fixtures" / "spark"
PLACEHOLDER = "file:///__ROOT__"


class Checks:
    def __init__(self, reader):
        self.reader, self.passed, self.failed = reader, 0, 0

    def check(self, good, text):
        self.passed += bool(good)
        self.failed += not good
        if not good:
            print("FAIL", text)


def check_version(c, table, name, want):
    version = want["version"]
    found, error = c.reader.ask(table, version)
    if "error" in want:
        c.check(found is None, f"{name} {version}: Spark says {want['error']['class']}, found {found or error}")
        return
    if not found:
        c.check(False, f"{name} {version}: expected {want['num_files']} files, found the error {error}")
        return
    paths = sorted(f["path"] for f in found["files"])
    c.check(found["version"] == version and paths == want["files"] and found["totals"]["files"] == want["num_files"],
            f"{name} {version}: expected {want['files']}, found version {found['version']} {paths}")
    live = found["totals"]["live_rows"]
    if live is not None and want["rows"] is not None and None not in want["rows"]:
        c.check(live == sum(want["rows"]), f"{name} {version}: expected {sum(want['rows'])} rows, found {live}")


def check_latest(c, table, name, truth):
    found, error = c.reader.ask(table)
    files = found["files"] if found else []
    good = found and found["version"] == truth["latest_version"] and sorted(f["path"] for f in files) == [f["path"] for f in truth["files"]]
    c.check(good, f"{name}: expected version {truth['latest_version']} with {[f['path'] for f in truth['files']]}, found {found and found['version']} {error or files}")
    return files if good else []


def check_followed(c, table, files):
    """Every path, taken as a URL against the table's folder, names a file."""
    base = pathlib.Path(table).resolve().as_uri() + "/"
    for f in files:
        there = urllib.parse.unquote(urllib.parse.urlsplit(urllib.parse.urljoin(base, f["path"])).path)
        c.check(os.path.isfile(there), f"{table}: {f['path']} names no file")


def with_real_root(tables, name, truth, scratch):
    """A copy of a table, and its truth, in which the placeholder is the URL of the folder."""
    copy, url = pathlib.Path(scratch) / name, tables.resolve().as_uri()
    shutil.copytree(tables / name, copy)
    for folder in [copy, *filter(os.path.isdir, copy.rglob("*"))]:
        folder.chmod(0o755)
    for commit in (copy / "_delta_log").iterdir():
        text = commit.read_bytes()
        commit.chmod(0o644)
        commit.write_bytes(text.replace(PLACEHOLDER.encode(), url.encode()))
    return copy, json.loads(json.dumps(truth).replace(PLACEHOLDER, url))


def check_table(c, table, name, truth):
    for version in truth["versions"]:
        check_version(c, table, name, version)
    return check_latest(c, table, name, truth)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--tool", required=True)
    options.add_argument("--tables", type=pathlib.Path, default=SHARED)
    options.add_argument("--only", default="")
    given = options.parse_args()
    truths = [p for p in sorted(given.tables.glob("*.truth.json")) if given.only in p.name]
    if not truths:
        print(f"SKIP: no tables in {given.tables}")
        suite.finish(0, 0, 1)
    c = Checks(Reader(given.tool))
    for path in truths:
        name, truth = path.name.removesuffix(".truth.json"), json.loads(path.read_text(encoding="utf8"))
        check_table(c, given.tables / name, name, truth)
        if PLACEHOLDER in json.dumps(truth["files"]):
            with tempfile.TemporaryDirectory(prefix="lakeproof-clone-") as scratch:
                copy, truth = with_real_root(given.tables, name, truth, scratch)
                check_followed(c, copy, check_table(c, copy, name, truth))
    suite.finish(c.passed, c.failed, 0)


if __name__ == "__main__":
    main()
