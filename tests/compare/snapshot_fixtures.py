#!/usr/bin/env python3
"""snapshot_fixtures.py - the recorded log folders of public projects, by their own checker, and the words of our errors.

Called by: tests/suites.ini, people.  Must not know: how a snapshot is made.

usage: snapshot_fixtures.py --binary build/release/lakeproof [--fixtures FOLDER]
Runs FOLDER/run_fixtures.py, which asks `lakeproof snapshot` for all that FOLDER/expected.json states of 265 tables, and
then checks that each refusal says why, and what is told of hints and of paths. A check of that script that is not met must be explained in EXPLAINED, and an
explanation that nothing needs any more fails too. Where FOLDER is absent everything is skipped. Last line:
`N passed, N failed, N skipped`.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import suite

# Starts of lines that the script prints, each with the reason.
NO_COUNTS = "the part of the checkpoint that holds the file has no column of statistics; the recorded sum comes from the commits, delta-rs finds none either"
EXPLAINED = {
    "delta-kernel-rs/parquet_row_group_skipping: records: got 'None' want '5'": NO_COUNTS,
    "delta-kernel-rs/parquet_row_group_skipping: live_rows: got 'None' want '5'": NO_COUNTS,
}

# What error each expected class must come out as: words of the message.
ERROR_WORDS = {
    "unsupported-reader-version": "reader version",
    "unsupported-reader-feature": "reader feature",
    "catalog-managed": "live in the catalog",
    "missing-metadata": "metaData",
    "missing-protocol": "protocol",
    "versions-not-contiguous": "00000000000000000001.json",
    "missing-commit": "00000000000000000012.json",
    "not-a-delta-table": "not a Delta table",
}


def run_script(folder, binary):
    """(checks met, lines about those that are not)."""
    done = subprocess.run([sys.executable, str(folder / "run_fixtures.py"), "--binary", binary, "--show", "100000"], capture_output=True, text=True)
    *lines, last = done.stdout.splitlines() or [""]
    counts = re.fullmatch(r"(\d+) passed, (\d+) failed", last)
    if not counts or int(counts.group(2)) != len(lines):
        raise SystemExit(f"no counts: {done.stdout[-1000:]}{done.stderr[-1000:]}")
    return int(counts.group(1)), lines


def wrong_words(folder, binary):
    """Refusals that do not say why; and how many there are."""
    expected = json.loads((folder / "expected.json").read_text(encoding="utf8"))
    refused = {name: want["error"] for name, want in expected.items() if want.get("error")}
    wrong = []
    for name, error in refused.items():
        done = subprocess.run([binary, "snapshot", str(folder / name)], capture_output=True, text=True)
        if done.returncode != 1 or done.stdout or ERROR_WORDS[error] not in done.stderr:
            wrong.append(f"{name}: expected {error}, found exit {done.returncode}: {done.stderr[:300]}")
    return wrong, len(refused)


def wrong_stories(folder, binary):
    """Hints whose checksum, and live files by decoded paths, that are not told as recorded; and how many were asked."""
    expected = json.loads((folder / "expected.json").read_text(encoding="utf8"))
    wrong, asked = [], 0
    for name, want in expected.items():
        if want.get("error") or not ("checksum" in want.get("hint", {}) or "num_files_canonical_paths" in want):
            continue
        asked += 1
        done = subprocess.run([binary, "snapshot", "--format", "json", str(folder / name)], capture_output=True, text=True)
        found = json.loads(done.stdout)
        checksum = {"ok": "verified"}.get(want.get("hint", {}).get("checksum", "absent"), "absent")
        ambiguous = [n["message"] for n in found["notes"] if n["code"] == "PATHS_AMBIGUOUS"]
        counts = f"live files: {want['num_files']} if paths are compared as they are written (shown here), {want.get('num_files_canonical_paths')} if"
        told = len(ambiguous) == ("num_files_canonical_paths" in want) and all(m.startswith(counts) for m in ambiguous)
        if found["log"]["hint"]["checksum"] != checksum or not told:
            wrong.append(f"{name}: expected checksum {checksum}, found {found['log']['hint']} and {ambiguous}")
    return wrong, asked


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--binary", required=True)
    options.add_argument("--fixtures", type=pathlib.Path, default=HERE.parents[2] / "shared" / "fixtures")
    given = options.parse_args()
    if not (given.fixtures / "expected.json").exists():
        print(f"SKIP: no {given.fixtures}")
        suite.finish(0, 0, 1)
    binary = str(pathlib.Path(given.binary).resolve())
    passed, lines = run_script(given.fixtures, binary)
    explained = {start for start in EXPLAINED for line in lines if line.startswith(start)}
    bad = [line for line in lines if not any(line.startswith(start) for start in explained)]
    bad += [f"explained, and it is as expected: {start}" for start in EXPLAINED if start not in explained]
    wrong, refused = wrong_words(given.fixtures, binary)
    wrong_told, told = wrong_stories(given.fixtures, binary)
    wrong, refused = wrong + wrong_told, refused + told
    for line in bad + wrong:
        print("FAIL", line)
    suite.finish(passed + refused - len(wrong), len(bad) + len(wrong), 0)


if __name__ == "__main__":
    main()
