#!/usr/bin/env python3
"""test_history.py - `snapshot --history`: the versions of a table, newest first, and what is missing for the others.

Called by: ctest, or by hand: test_history.py --binary build/dev/lakeproof [--only NAME].  Must not know: how the library reads a
log. Times of commits are set by hand, so these tests do not depend on the clock.
"""
import argparse
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from logs import PROJECT, Program, add, commit_file, lines, metadata, protocol, start, table  # noqa: E402
from suite import Skip, equal, holds, run  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--binary", required=True)
parser.add_argument("--only")
options = parser.parse_args()
OURS = Program(options.binary, "lakeproof")
OURS.prefix = ["snapshot"]
UUID = "80a083e8-7026-4e79-81be-64bd76c43a11"
MARCH = 1_709_251_200_000  # 2024-03-01T00:00:00Z
HOUR = 3_600_000


def info(operation, metrics=None, **more):
    return {"commitInfo": {"timestamp": 1, "operation": operation, **({"operationMetrics": metrics} if metrics else {}), **more}}


def checkpoint(*actions):
    """The top-level file of a V2 checkpoint."""
    return lines([{"checkpointMetadata": {"version": 0}}, *start(), *actions])


def date(folder, times):
    for version, ms in times.items():
        os.utime(commit_file(folder, version), ns=(ms * 10**6, ms * 10**6))
    return folder


def everything():
    """Versions 0 and 1, a hole, a checkpoint at 4 without its commit, then 5 and 6."""
    folder = table([info("CREATE TABLE", engineInfo="hand-made/1.0"), *start()],
                   [info("WRITE", {"numFiles": "2", "numOutputRows": 20, "per\tfile": {"avg": 1.50}}), add("f1")],
                   None, [add("f3")], None, [add("f5")], [add("f6"), info("DELETE")],
                   files={f"{4:020d}.checkpoint.{UUID}.json": checkpoint(add("f1")),
                          f"{6:020d}.checkpoint.0000000001.0000000002.parquet": b"x"})
    return date(folder, {0: MARCH, 1: MARCH, 3: MARCH + 3 * HOUR, 5: MARCH + 5 * HOUR, 6: MARCH + 6 * HOUR})


def answer(folder, *arguments):
    done = OURS.run(folder, "--history", *arguments)
    equal(done.returncode, 0, done.stderr)
    return done.stdout.decode()


def rows(folder, *arguments):
    return [json.loads(line) for line in answer(folder, "--format", "ndjson", *arguments).splitlines()]


def document(folder, *arguments):
    return json.loads(answer(folder, "--format", "json", *arguments))


TEXT = """\
Delta table: {table}
Times:       of the commit files
Versions:    5 can be rebuilt

     6  2024-03-01T06:00:00.000Z  DELETE
        checkpoint: multi-part (incomplete)
     5  2024-03-01T05:00:00.000Z  no commitInfo
     4  time unknown              no commitInfo
        checkpoint: V2 JSON
        problem: _delta_log/00000000000000000004.json is gone; a checkpoint or compaction holds the version
        versions 2 to 3 cannot be rebuilt: _delta_log/00000000000000000002.json is missing
     1  2024-03-01T00:00:00.001Z  WRITE
        numFiles=2, numOutputRows=20, per\\tfile={{"avg": 1.5}}
     0  2024-03-01T00:00:00.000Z  CREATE TABLE
        by hand-made/1.0
"""


def test_the_text():
    folder = everything()
    equal(answer(folder), TEXT.format(table=folder))


def test_rows():
    found = rows(everything())
    equal([r.get("version", (r.get("first_version"), r.get("last_version"))) for r in found], [6, 5, 4, (2, 3), 1, 0])
    equal([r["can_be_rebuilt"] for r in found], [True, True, True, False, True, True])
    equal(found[3]["missing"], "_delta_log/00000000000000000002.json")
    equal(found[4]["metrics"], {"numFiles": "2", "numOutputRows": 20, "per\tfile": {"avg": 1.5}})
    equal((found[4]["time"], found[4]["time_ms"], found[4]["time_source"]), ("2024-03-01T00:00:00.001Z", MARCH + 1, "file"))
    equal((found[2]["time"], found[2]["time_ms"], found[2]["time_source"]), (None, None, None))
    equal(found[2]["checkpoints"], [{"complete": True, "file": f"{4:020d}.checkpoint.{UUID}.json", "files": 1, "kind": "uuid_json"}])
    equal(found[0]["checkpoints"][0]["complete"], False)
    equal((found[5]["operation"], found[5]["engine"], found[5]["user"]), ("CREATE TABLE", "hand-made/1.0", None))


def test_the_document_has_the_same_rows_and_the_gaps_apart():
    folder = everything()
    whole = document(folder)
    for row in (listed := rows(folder)):
        row.pop("can_be_rebuilt")
    equal(whole["versions"], [r for r in listed if "version" in r])
    equal(whole["gaps"], [r for r in listed if "missing" in r])
    equal((whole["version_count"], whole["versions_truncated"], whole["in_commit_timestamps_from"]), (5, False, None))


def test_a_limit():
    folder = everything()
    equal([r.get("version") for r in rows(folder, "--limit", "2")], [6, 5])
    equal([r.get("version") for r in rows(folder, "--limit", "4")], [6, 5, 4, None, 1])
    equal(len(rows(folder, "--limit", "5")), 6)
    equal(rows(folder, "--limit", "0"), [])
    cut = document(folder, "--limit", "1")
    equal((len(cut["versions"]), cut["version_count"], cut["versions_truncated"]), (1, 5, True))
    holds("Versions:    5 can be rebuilt, the newest 1 are listed" in answer(folder, "--limit", "1"), "the head")


def test_it_begins_at_a_version_or_time():
    folder = everything()
    equal([r.get("version") for r in rows(folder, "--at-version", "5")], [5, 4, None, 1, 0])
    equal([r.get("version") for r in rows(folder, "--at-version", "1")], [1, 0])
    equal([(r.get("version"), r.get("last_version")) for r in rows(folder, "--at-version", "2")], [(None, 2), (1, None), (0, None)])
    equal([r["version"] for r in rows(folder, "--at-timestamp", "2024-03-01T05:30") if "version" in r], [5, 4, 1, 0])
    done = OURS.run(folder, "--history", "--at-version", "7")
    equal((done.returncode, done.stdout), (1, b""))
    holds(b"version 7 does not exist" in done.stderr, done.stderr)


def test_a_table_that_cannot_be_read_has_a_history():
    folder = table([info("CREATE TABLE"), *start()], [info("WRITE"), add("f1")], None, [add("f3")])
    equal(OURS.run(folder).returncode, 1)
    equal([(r.get("version"), r.get("first_version"), r.get("last_version")) for r in rows(folder)],
          [(None, 2, 3), (1, None, None), (0, None, None)])
    refused = table([info("CREATE TABLE"), *start()], [info("UPGRADE"), protocol(9, 9)])
    equal(OURS.run(refused).returncode, 1)
    equal([r["operation"] for r in rows(refused)], ["UPGRADE", "CREATE TABLE"])


def test_a_commit_that_cannot_be_read_is_a_row():
    folder = table([info("CREATE TABLE"), *start()], [b'{"commitInfo":{"operation":"WRITE"'], [add("f2")],
                   files={f"{2:020d}.checkpoint.{UUID}.json": checkpoint(add("f1"))})
    found = rows(folder)
    equal([r["version"] for r in found], [2, 1, 0])
    holds("00000000000000000001.json:1" in found[1]["problem"], found[1])
    equal((found[1]["operation"], found[1]["time_source"]), (None, "file"))
    holds("problem: _delta_log/00000000000000000001.json:1" in answer(folder), "the text")
    commit_file(folder, 1).unlink()
    commit_file(folder, 1).symlink_to("nowhere")
    found = rows(folder)
    holds("nowhere" in found[1]["problem"], found[1])
    equal(found[1]["time"], None)


def test_in_commit_timestamps():
    on = metadata(configuration={"delta.enableInCommitTimestamps": "true", "delta.inCommitTimestampEnablementVersion": "1",
                                 "delta.inCommitTimestampEnablementTimestamp": str(MARCH)})
    stamped = {"commitInfo": {"inCommitTimestamp": MARCH, "operation": "SET"}}
    folder = date(table(start(), [stamped, protocol(1, 7, writerFeatures=["inCommitTimestamp"]), on], [info("WRITE")]),
                  {0: MARCH - HOUR, 1: MARCH + HOUR, 2: MARCH + HOUR})
    found = rows(folder)
    equal([(r["time_ms"], r["time_source"]) for r in found], [(None, None), (MARCH, "in_commit"), (MARCH - HOUR, "file")])
    holds("a commitInfo without it" in found[0]["problem"], found[0])
    equal(document(folder)["in_commit_timestamps_from"], 1)
    holds("Times:       in the commits from version 1 on, of the commit files before" in answer(folder), "the head")
    holds("2024-03-01T00:00:00.000Z (in commit)  SET" in answer(folder), "the row")


def test_hostile_names_and_metrics_stay_on_their_line():
    folder = table([{"commitInfo": {"operation": "a\nb\u001b[31m", "engineInfo": "\u202ex", "operationMetrics": {"k\n": "\r\u0000"}}}, *start()])
    row = rows(folder)[0]
    equal((row["operation"], row["metrics"]), ("a\nb\u001b[31m", {"k\n": "\r\u0000"}))
    text = answer(folder)
    equal(len(text.splitlines()), 4 + 3, text)
    holds("\u001b" not in text and "\u202e" not in text, text)
    spread = table([b'{"commitInfo":{"operationMetrics":{"a":\r1}}}', *start()])
    equal(answer(spread, "--format", "ndjson").count("\r"), 0)
    equal(rows(spread)[0]["metrics"], {"a": 1})


def test_many_metrics_are_cut_in_the_text_only():
    metrics = {f"m{n}": n for n in range(20)}
    folder = table([info("WRITE", metrics), *start()])
    holds("m15=15, and 4 more (JSON has all)" in answer(folder), answer(folder))
    equal(rows(folder)[0]["metrics"], metrics)


def test_only_the_start_of_a_commit_is_read():
    folder = table([info("CREATE TABLE"), *start()], [info("WRITE"), *(add(f"f{n}") for n in range(5000))],
                   files={f"{1:020d}.checkpoint.{UUID}.json": checkpoint()})
    done = OURS.run(folder, "--history", "--counters")
    holds(json.loads(done.stderr)["bytes_read"] < 20_000, done.stderr)


def test_memory_does_not_grow_with_the_versions():
    peaks = []
    for count in (50, 1000):
        folder = table(start(), *([info("WRITE", {"n": "x" * 2000})] for _ in range(count)))
        done = OURS.run(folder, "--history", "--counters", "--format", "ndjson")
        equal(done.stdout.count(b"\n"), count + 1)
        peaks.append(json.loads(done.stderr)["arena_peak_bytes"])
    holds(peaks[1] - peaks[0] < 950 * 1000, f"{peaks}: a version may cost its names, not its 2000 bytes")


def test_usage():
    folder = table(start())
    for arguments, words in ((("--format", "csv"), "'--format csv' needs '--files'"), (("--files",), "exclude each other"), (("--disk",), "exclude each other")):
        done = OURS.run(folder, "--history", *arguments)
        equal((done.returncode, done.stdout), (2, b""), arguments)
        holds(words in done.stderr.decode(), done.stderr)
    done = OURS.run(folder, "--limit", "3")
    equal(done.returncode, 2)
    holds(b"'--limit' needs '--history'" in done.stderr, done.stderr)
    done = OURS.run(table(), "--history")
    equal((done.returncode, done.stdout), (1, b""))
    holds(b"not a Delta table" in done.stderr, done.stderr)


def test_schema():
    try:
        import jsonschema
    except ImportError:
        raise Skip("the Python package jsonschema is not installed") from None
    schema = json.loads((PROJECT / "schemas" / "snapshot-history.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    whole = jsonschema.Draft202012Validator(schema)
    line = jsonschema.Draft202012Validator({"$defs": schema["$defs"],
                                            "oneOf": [{"$ref": "#/$defs/version_line"}, {"$ref": "#/$defs/gap_line"}]})
    for folder in (everything(), table(start())):
        whole.validate(document(folder))
        for row in rows(folder):
            line.validate(row)
            holds(not line.is_valid({**row, "surprise": 1}), "a key too many")
            for key in row:
                holds(not line.is_valid({k: v for k, v in row.items() if k != key}), f"{key} left out")
                equal(list(row), sorted(row))


run(globals(), options.only)
