#!/usr/bin/env python3
"""test_counters.py - what is read and decoded for a question, by --counters: no more than it needs.

Called by: ctest, or by hand: test_counters.py --binary build/dev/lakeproof [--only NAME].  Must not know: clocks. Counters
are exact, so these tests do not depend on the machine.
"""
import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from logs import PROJECT, Program, add, ages, start, table  # noqa: E402
from suite import equal, holds, run  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--binary", required=True)
parser.add_argument("--only")
options = parser.parse_args()
OURS = Program(options.binary, "lakeproof")
# Ten files of two countries; the statistics of each.
SMALL = table([*start(), *(add(f"f{n}", ("DE", "IT")[n % 2], ages(n, n + 5)) for n in range(10))])
# Row groups and pages of a checkpoint by a real writer, no commit after it.
PAGES = PROJECT / "tests" / "data" / "delta" / "small_pages"


def count(place, *arguments):
    done = OURS.run(place, *arguments, "--counters", "--threads", "1")
    equal(done.returncode, 0, done.stderr)
    return json.loads(done.stderr)


def test_one_line_with_the_promised_keys():
    found = count(SMALL)
    equal(sorted(found), ["arena_peak_bytes", "bytes_read", "files_listed", "files_seen", "pages_decoded", "statistics_parsed", "threads",
                          "values_decoded"])
    equal((found["files_seen"], found["files_listed"], found["threads"]), (10, 0, 1))


def test_statistics_are_parsed_only_for_files_that_survive_the_partition_phase():
    equal(count(SMALL, "--where", "country = 'DE'")["statistics_parsed"], 0)
    equal(count(SMALL, "--where", "country = 'DE' AND age > 3")["statistics_parsed"], 5)
    equal(count(SMALL, "--where", "age > 3")["statistics_parsed"], 10)
    equal(count(SMALL)["statistics_parsed"], 0)


def test_what_shows_statistics_reads_them_all():
    for arguments in (("--format", "json"), ("--assert-stats",), ("--where", "country = 'DE'", "--verbose"), ("--where", "country = 'DE'", "--explain-why")):
        equal(count(SMALL, *arguments)["statistics_parsed"], 10, arguments)


def test_listed_files_are_counted():
    equal(count(SMALL, "--where", "country = 'DE'", "--verbose")["files_listed"], 10)
    equal(count(SMALL, "--where", "country = 'DE' AND age > 3", "--verbose")["files_listed"], 15)
    equal(count(SMALL, "--format", "json", "--verbose", "--limit", "4")["files_listed"], 4)


def test_a_count_reads_less_of_a_checkpoint_than_a_predicate_and_that_less_than_a_listing():
    bare, all_files = count(PAGES), count(PAGES, "--format", "json", "--verbose")
    holds(bare["pages_decoded"] < all_files["pages_decoded"], (bare, all_files))
    holds(bare["bytes_read"] < all_files["bytes_read"], (bare, all_files))
    holds(bare["values_decoded"] < all_files["values_decoded"], (bare, all_files))
    equal(bare["statistics_parsed"], 0)
    equal(bare["files_seen"], all_files["files_seen"])


def test_the_counters_do_not_depend_on_threads():
    for place in (SMALL, PAGES):
        found = [json.loads(OURS.run(place, "--format", "json", "--verbose", "--counters", "--threads", t).stderr) for t in (1, 4)]
        for key in ("files_seen", "files_listed", "pages_decoded", "values_decoded", "statistics_parsed"):
            equal(found[0][key], found[1][key], (place, key))


def test_memory_follows_the_commits_not_the_files():
    """Without a checkpoint the seen keys count: twice the files, at most a little over twice the memory."""
    sizes = [count(table([*start(), *(add(f"f{n}", stats=ages(n, n)) for n in range(m))]), "--where", "age > 5")["arena_peak_bytes"]
             for m in (2_000, 20_000)]
    holds(sizes[1] < 11 * sizes[0], sizes)


run(globals(), options.only)
