#!/usr/bin/env python3
"""test_time_travel.py - --at-timestamp: which version it reads, and what it refuses.

Called by: ctest, or by hand: test_time_travel.py --binary build/dev/lakeproof [--only NAME].  Must not know: how the library
reads a log. Times of commits are set by hand, so these tests do not depend on the clock.
"""
import argparse
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from logs import Program, add, commit_file, log_file, metadata, protocol, start, table  # noqa: E402
from suite import Skip, equal, holds, run  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--binary", required=True)
parser.add_argument("--only")
options = parser.parse_args()
PRUNE = Program(options.binary, "lakeproof")
SNAPSHOT = Program(options.binary, "lakeproof")
SNAPSHOT.prefix = ["snapshot"]
DROP_IN = Program(options.binary, "delta-explain")
BOTH = (PRUNE, SNAPSHOT)


def dated(times, commits=None):
    """A table with one more file a version, whose commit v was written at times[v] (milliseconds)."""
    folder = table(*(commits or [[*start(), add("f0")], *([add(f"f{v}")] for v in range(1, len(times)))]))
    for version, ms in enumerate(times):
        if ms is not None:
            os.utime(commit_file(folder, version), ns=(ms * 10**6, ms * 10**6))
    return folder


def info(ms, **more):
    return {"commitInfo": {"inCommitTimestamp": ms, "timestamp": ms, "operation": "WRITE", **more}}


def in_commit(**configuration):
    return [protocol(1, 7, writerFeatures=["inCommitTimestamp"]),
            metadata(configuration={"delta.enableInCommitTimestamps": "true", **configuration})]


def reads(folder, time, version, *arguments):
    """Both commands read this version, and prune the files of it (dated tables have one file a version)."""
    for program in BOTH:
        equal(program.report(folder, "--at-timestamp", time, *arguments)["version"], version, f"{program.prefix} at {time}")


def refuses(folder, time, *words, code=1, arguments=()):
    for program in BOTH:
        done = program.run(folder, "--at-timestamp", time, *arguments)
        text = done.stderr.decode()
        what = f"{program.prefix} at {time}: exit {done.returncode}: {text}"
        equal((done.returncode, done.stdout), (code, b""), what)
        holds(text.startswith("error: ") and text.count("error: ") == 1, what)
        for word in words:
            holds(word in text, f"{what}: expected {word!r}")


# 2024-03-01T00:00:00Z, and one, two, three days later
DAY = 86_400_000
MARCH = 1_709_251_200_000
DAYS = dated([MARCH + n * DAY for n in range(4)])


def test_the_latest_version_that_is_not_later():
    reads(DAYS, "2024-03-01", 0)
    reads(DAYS, "2024-03-01T23:59:59.999999Z", 0)
    reads(DAYS, "2024-03-02T00:00:00Z", 1)
    reads(DAYS, "2024-03-03 12:00", 2)
    reads(DAYS, "2024-03-04", 3)
    equal(PRUNE.report(DAYS, "--at-timestamp", "2024-03-03")["total_files"], 3)


def test_offsets_and_the_session_zone():
    reads(DAYS, "2024-03-02T00:00:00+00:30", 0)
    reads(DAYS, "2024-03-02T02:00+02:00", 1)
    reads(DAYS, "2024-03-02", 0, "--timezone", "+01:00")
    reads(DAYS, "2024-03-02", 1, "--timezone=-01:00")
    reads(DAYS, "2024-03-02T00:00:00Z", 1, "--timezone", "+01:00")


def test_a_named_zone():
    if not pathlib.Path("/usr/share/zoneinfo/Europe/Rome").exists():
        raise Skip("no zone database")
    reads(DAYS, "2024-03-02T00:59:59", 0, "--timezone", "Europe/Rome")
    reads(DAYS, "2024-03-02T01:00", 1, "--timezone", "Europe/Rome")
    refuses(DAYS, "2024-10-27T02:30", "occurs twice in Europe/Rome", code=2, arguments=("--timezone", "Europe/Rome"))


def test_before_the_first_and_after_the_last_commit():
    refuses(DAYS, "2024-02-29", "no version at 2024-02-29T00:00:00.000Z", "0, of 2024-03-01T00:00:00.000Z")
    refuses(DAYS, "2024-03-04T00:00:00.000001", "after the last commit, version 3 of 2024-03-04T00:00:00.000Z")
    refuses(DAYS, "9999-12-31", "after the last commit")
    refuses(DAYS, "0001-01-01", "no commit is that old")


def test_files_written_in_one_millisecond_or_copied_in_any_order():
    folder = dated([MARCH, MARCH, MARCH - DAY, MARCH + 5])
    reads(folder, "2024-03-01T00:00:00.000Z", 0)
    reads(folder, "2024-03-01T00:00:00.001Z", 1)
    reads(folder, "2024-03-01T00:00:00.002Z", 2)
    reads(folder, "2024-03-01T00:00:00.004Z", 2)
    reads(folder, "2024-03-01T00:00:00.005Z", 3)


def test_a_commit_that_is_missing_leaves_its_time_open():
    folder = dated([MARCH, MARCH + DAY, MARCH + 2 * DAY])
    commit_file(folder, 2).rename(commit_file(folder, 3))
    refuses(folder, "2024-03-02T10:00", "not known", "00000000000000000002.json, is missing")
    reads(folder, "2024-03-02", 1)


def test_times_inside_of_commits():
    folder = dated([MARCH + 9 * DAY, MARCH + 8 * DAY, MARCH], [[info(MARCH), *in_commit(), add("f0")],
                                                             [info(MARCH + DAY), add("f1")],
                                                             [info(MARCH + 2 * DAY), add("f2")]])
    reads(folder, "2024-03-01", 0)
    reads(folder, "2024-03-02", 1)
    reads(folder, "2024-03-02T23:59", 1)
    refuses(folder, "2024-03-03T00:00:01", "after the last commit")


def test_times_inside_of_commits_from_a_version_on():
    enabled = {"delta.inCommitTimestampEnablementVersion": "2", "delta.inCommitTimestampEnablementTimestamp": str(MARCH + 2 * DAY)}
    folder = dated([MARCH, MARCH + DAY, MARCH + 50 * DAY, MARCH + 40 * DAY],
                   [[*start(), add("f0")], [add("f1")], [info(MARCH + 2 * DAY), *in_commit(**enabled)],
                    [info(MARCH + 3 * DAY), add("f3")]])
    for time, version in (("2024-03-01", 0), ("2024-03-02", 1), ("2024-03-02T23:59:59", 1), ("2024-03-03", 2), ("2024-03-04", 3)):
        reads(folder, time, version)


def test_times_that_do_not_increase():
    folder = dated([0, 0, 0], [[info(MARCH + 5 * DAY), *in_commit()], [info(MARCH)], [info(MARCH + 2 * DAY)]])
    reads(folder, "2024-03-02", 1)
    reads(folder, "2024-03-03", 2)
    reads(folder, "2024-03-05", 2)
    refuses(folder, "2024-03-07", "after the last commit")


def test_a_time_that_should_be_inside_of_a_commit_and_is_not():
    folder = dated([MARCH, MARCH], [[info(MARCH), *in_commit()], [add("f1")]])
    refuses(folder, "2024-03-01", "00000000000000000001.json", "inCommitTimestamp")


def test_a_damaged_commit_info():
    folder = dated([MARCH, MARCH], [[info(MARCH), *in_commit()], [b'{"commitInfo":{"inCommitTimestamp":17']])
    refuses(folder, "2024-03-01", "00000000000000000001.json:1")


def test_a_dangling_link_is_never_the_version():
    folder = dated([MARCH, MARCH + DAY])
    commit_file(folder, 2).symlink_to("nowhere")
    done = PRUNE.run(folder, "--at-timestamp", "2024-03-02")
    equal((done.returncode, done.stdout), (1, b""), done.stderr)
    holds(b"00000000000000000002.json" in done.stderr, done.stderr)


def test_no_commit_at_all():
    empty = table()
    refuses(empty, "2024-03-01", "not a Delta table")
    log_file(empty, "00000000000000000003.json").write_bytes(b"{}\n")
    refuses(empty, "2024-03-01", "00000000000000000000.json is missing")


def test_usage():
    refuses(DAYS, "yesterday", "invalid time 'yesterday'", "2024-01-31T12:30:00", code=2)
    refuses(DAYS, "2024-13-01", "invalid time", code=2)
    refuses(DAYS, "", "invalid time", code=2)
    refuses(DAYS, "2024-03-01", "--at-version", "--at-timestamp", code=2, arguments=("--at-version", "1"))


def test_the_drop_in_does_not_know_it():
    done = DROP_IN.run(DAYS, "--at-timestamp", "2024-03-02")
    equal((done.returncode, done.stdout), (2, b""))
    holds(b"unexpected argument '--at-timestamp'" in done.stderr, done.stderr)
    holds(b"at-timestamp" not in DROP_IN.run("--help").stdout, "help of the drop-in")
    holds(b"--at-timestamp" in PRUNE.run("--help").stdout, "help of prune")


run(globals(), options.only)
