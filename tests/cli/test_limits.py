#!/usr/bin/env python3
"""test_limits.py - inputs at and beyond what is sensible: an answer or a clean error, in time that grows with the input.

Called by: ctest, or by hand: test_limits.py --binary build/dev/lakeproof [--only NAME].  Must not know: how the library
works. Times are bounds that only a step with the square of its input can miss, for sanitizers and busy machines count too.
"""
import argparse
import json
import os
import pathlib
import resource
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from logs import Program, add, ages, commit_file, field, lines, metadata, protocol, start, table  # noqa: E402
from suite import equal, holds, run  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--binary", required=True)
parser.add_argument("--only")
options = parser.parse_args()
OURS = Program(options.binary, "lakeproof")
SLOW = b"__asan_init" in pathlib.Path(options.binary).read_bytes()
LIMIT_S = 60 if SLOW else 20
FILES = table([*start(), add("a", stats=ages(1, 50)), add("b", "IT", stats=ages(60, 90)), add("c", "US")])


def ask(predicate, *arguments):
    return OURS.run(FILES, "--where", "-", *arguments, stdin=predicate.encode(), timeout=LIMIT_S)


def kept(predicate):
    done = ask(predicate, "--format", "json")
    equal(done.returncode, 0, done.stderr[:500])
    return json.loads(done.stdout)["final_files"]


def names_the_limit(predicate):
    done = ask(predicate)
    equal((done.returncode, done.stdout), (1, b""), done.stderr[:300])
    holds(b"1000 levels" in done.stderr, done.stderr[:300])


# ---------------------------------------------------------------- predicates


def test_nesting():
    for opening, closing in (("(", ")"), ("NOT ", ""), ("NOT (", ")"), ("! ", "")):
        names_the_limit(opening * 100_000 + "age > 55" + closing * 100_000)
        equal(kept(opening * 490 + "age > 55" + closing * 490), 2, opening)
    equal(kept("(" * 500 + "age > 55" + ")" * 500), 2)
    names_the_limit("age > " + "- " * 100_000 + "5")
    names_the_limit("f(" * 100_000 + "age" + ")" * 100_000 + " > 1")
    names_the_limit("CASE WHEN " * 100_000 + "age")


def test_long_lists():
    equal(kept("age IN (" + ",".join(map(str, range(100, 150_100))) + ")"), 1)
    equal(kept("age IN (70," + ",".join(map(str, range(100, 150_100))) + ")"), 2)
    equal(kept("age IN (" + ",".join(f"{n}.5" for n in range(150_000)) + ")"), 0)  # an integer is none of them
    equal(kept("country IN (" + ",".join(f"'{n}'" for n in range(150_000)) + ",'IT')"), 1)
    equal(kept("country NOT IN (" + ",".join(f"'{n}'" for n in range(150_000)) + ",NULL)"), 0)
    equal(kept("day IN (" + ",".join(f"'{2000 + n // 336}-{n // 28 % 12 + 1:02}-{n % 28 + 1:02}'" for n in range(50_000)) + ")"), 3)


def test_long_chains():
    equal(kept(" OR ".join(f"age > {n}" for n in range(100, 40_100))), 1)
    equal(kept(" AND ".join(f"age > -{n}" for n in range(40_000))), 3)
    equal(kept(" AND ".join(f"(country = 'c{n}' OR age > {n})" for n in range(20_000))), 1)
    equal(kept(" OR ".join(f"(UPPER(country) = 'x' AND age > {n})" for n in range(15_000))), 3)
    branch = " AND ".join(f"age > {n}" for n in range(9_000))
    equal(kept(f"({branch}) OR ({branch} AND country = 'DE')"), 1)
    equal(kept("age > " + " + ".join("1" for _ in range(200_000))), 3)


def test_long_patterns_and_texts():
    equal(kept("country LIKE '" + "%a" * 50_000 + "'"), 0)
    equal(kept("country LIKE '" + "%" * 500_000 + "'"), 3)
    text = "a" * 100_000
    long = table([*start(), add("a", text), add("b", text + "b")])
    done = OURS.run(long, "--where", f"country LIKE '{'%a' * 200}b'", "--format", "json", timeout=LIMIT_S)
    equal(json.loads(done.stdout)["final_files"], 1)


# ---------------------------------------------------------------- logs


def test_wide_and_deep_schemas():
    wide = table([protocol(), metadata([field(f"c{n}", "long") for n in range(10_000)], []),
                  add("a", stats={"numRecords": 1, "minValues": {f"c{n}": n for n in range(10_000)},
                                  "maxValues": {f"c{n}": n for n in range(10_000)}})])
    equal(OURS.report(wide, "--where", "c9999 > 9999 OR C5000 = 5001", timeout=LIMIT_S)["final_files"], 0)
    equal(OURS.run(wide, "--where", "c1 = 1", "--verbose", timeout=LIMIT_S).returncode, 0)
    kind = "integer"
    for _ in range(90):
        kind = {"type": "struct", "fields": [field("s", kind)]}
    deep = table([protocol(), metadata([field("s", kind)], []), add("a")])
    equal(OURS.report(deep, "--where", ".".join(["s"] * 91) + " > 1")["final_files"], 1)


def test_long_lines():
    stats = json.dumps({"numRecords": 1, "minValues": {"age": 1}, "maxValues": {"age": 2}, "junk": "x" * 20_000_000})
    one = table([*start(), add("a", stats=stats), add("b", tags={"x": "y" * 50_000_000})])
    equal(OURS.report(one, "--where", "age > 40", timeout=LIMIT_S)["final_files"], 1)


def test_many_commits():
    many = table(start(), *([add(f"f{n}", stats=ages(n, n + 1))] for n in range(3_000)))
    equal(OURS.report(many, "--where", "age > 2000", timeout=LIMIT_S)["final_files"], 1_000)
    equal(OURS.report(many, "--at-version", "1000", timeout=LIMIT_S)["total_files"], 1_000)


# ---------------------------------------------------------------- listings and threads


def many_files(count):
    return table([*start(), *(add(f"part-{n:06}-{'x' * 120}.parquet", ("DE", "IT", "US")[n % 3], ages(n % 100, n % 100 + 5)) for n in range(count))])


def test_a_listing_beyond_the_memory_limit_goes_through_a_file():
    count = 60_000 if SLOW else 330_000
    small = {} if SLOW else {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (300 << 20, 300 << 20))}
    done = OURS.run(many_files(count), "--where", "age > 50 OR country = 'DE'", "--verbose", timeout=3 * LIMIT_S, **small)
    equal(done.returncode, 0, done.stderr[:300])
    listed = done.stdout.count(b"\n  [KEPT   ]") + done.stdout.count(b"\n  [DROPPED]")
    equal(listed, count)
    holds(SLOW or len(done.stdout) > 64 << 20, len(done.stdout))


def test_a_listing_that_has_no_place_to_go_is_an_error():
    if SLOW:
        return
    done = OURS.run(many_files(330_000), "--where", "age > 50", "--verbose", timeout=3 * LIMIT_S, env={"TMPDIR": "/nonexistent/place"})
    equal((done.returncode, done.stdout), (1, b""), done.stderr[:300])
    holds(b"/nonexistent/place" in done.stderr, done.stderr[:300])


def test_the_same_bytes_whatever_the_number_of_threads():
    tables = [many_files(5_000)]
    data = pathlib.Path(__file__).resolve().parents[1] / "data"
    tables += [p for folder in ("tables", "delta") for p in sorted((data / folder).glob("*")) if (p / "_delta_log").is_dir()]
    holds(len(tables) > 30, "the project's tables are there")
    for place in tables:
        for arguments in (("--verbose",), ("--format", "json", "--verbose", "--limit", "7"), ("--assert-stats",)):
            first = None
            for threads in (1, 2, 3, 8):
                done = OURS.run(place, *arguments, "--threads", threads, timeout=LIMIT_S)
                answer = (done.returncode, [x for x in done.stdout.split(b"\n") if b"elapsed_ms" not in x], done.stderr)
                first = first or answer
                equal(answer, first, f"{place} {arguments} --threads {threads}")


run(globals(), options.only)
