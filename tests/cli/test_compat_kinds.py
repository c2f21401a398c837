#!/usr/bin/env python3
"""test_compat_kinds.py - each kind of question that delta-explain 0.8.0 answers wrongly, with the right answer.

Called by: ctest, or by hand: test_compat_kinds.py --binary build/dev/lakeproof [--only NAME].  Must not know: how the
library finds an answer. Each test has a row in docs/compat.md. Tables are hand-made logs of a few files, so that the right
answer can be read off; every question is asked under both names, for they must not differ here.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from suite import equal, holds, run  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--binary", required=True)
parser.add_argument("--only")
options = parser.parse_args()
BINARY = os.path.abspath(options.binary)
SCRATCH = tempfile.TemporaryDirectory(prefix="lakeproof-kinds-")
ROOT = pathlib.Path(SCRATCH.name)
COMMIT_INFO = {"commitInfo": {"engineInfo": "Apache-Spark/3.5.0 Delta-Lake/3.2.0"}}


# ---------------------------------------------------------------- tables

def field(name, kind, metadata=None):
    return {"name": name, "type": kind, "nullable": True, "metadata": metadata or {}}


def table(name, fields, files, partition=(), mapping=None):
    """Commit 0 of a table. files: path -> (partition values, least values, greatest values, null counts); 10 rows each."""
    schema = {"type": "struct", "fields": fields}
    configuration = {"delta.columnMapping.mode": mapping, "delta.columnMapping.maxColumnId": "9"} if mapping else {}
    protocol = {"minReaderVersion": 2, "minWriterVersion": 5} if mapping else {"minReaderVersion": 1, "minWriterVersion": 2}
    actions = [COMMIT_INFO, {"protocol": protocol},
               {"metaData": {"id": "a", "format": {"provider": "parquet", "options": {}}, "schemaString": json.dumps(schema),
                             "partitionColumns": list(partition), "configuration": configuration, "createdTime": 0}}]
    for path, (values, low, high, nulls) in files.items():
        stats = {"numRecords": 10, "minValues": low, "maxValues": high, "nullCount": nulls}
        actions.append({"add": {"path": path, "partitionValues": values, "size": 1, "modificationTime": 0, "dataChange": True,
                                "stats": json.dumps(stats)}})
    log = ROOT / name / "_delta_log"
    log.mkdir(parents=True)
    commit(log, 0, actions)
    return str(ROOT / name)


def commit(log, version, actions):
    (pathlib.Path(log) / f"{version:020d}.json").write_text("".join(json.dumps(a) + "\n" for a in actions))


def ranges(column, **bounds):
    """Files by name: bounds of one column, no partition, no NULL."""
    return {name: ({}, {column: low}, {column: high}, {column: 0}) for name, (low, high) in bounds.items()}


# ---------------------------------------------------------------- questions

def call(name, arguments):
    done = subprocess.run([name, *arguments], executable=BINARY, capture_output=True, timeout=60, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def both(where_at, *arguments):
    """The answers under both names."""
    more = [where_at, *arguments]
    return call("delta-explain", more), call("lakeproof", ["prune", *more])


def report(at, where, *arguments):
    """The JSON reports under both names."""
    for code, out, errors in both(at, "--where", where, "--format", "json", "-v", *arguments):
        equal((code, errors), (0, ""), where)
        yield json.loads(out)


def kept(at, where, expected):
    """The files that stay, as one string of names."""
    for document in report(at, where):
        stay = sorted(f["path"] for f in document["files"] if f["kept"])
        equal("".join(stay), expected, where)


def refused(at, where, *parts):
    for code, out, errors in both(at, "--where", where):
        equal((code, out), (1, ""), where)
        for part in parts:
            holds(part in errors, f"{where}: {part} in {errors}")


AGES = table("ages", [field("age", "integer")], ranges("age", a=(10, 19), b=(30, 39), c=(50, 70)))
NAMES = table("names", [field("name", "string"), field("Age", "integer")],
              {"a": ({}, {"name": "Anna", "Age": 1}, {"name": "Carl", "Age": 9}, {"name": 0, "Age": 0}),
               "b": ({}, {"name": "Dora", "Age": 41}, {"name": "Zoe", "Age": 60}, {"name": 0, "Age": 0})})


# ---------------------------------------------------------------- files that hold matching rows

def test_text_behind_the_predicate_is_an_error():
    for where in ("age > 60 XX OR age < 20", "age > 60; age < 20", "age > 60) OR (age < 20"):
        refused(AGES, where, "line 1")


def test_a_number_suffix_ends_no_predicate():
    kept(AGES, "age > 60D OR age < 15", "ac")
    kept(AGES, "age > 60L OR age < 15", "ac")


def test_like_on_a_partition_column_under_column_mapping_finds_the_value():
    mapped = [field("part", "string", {"delta.columnMapping.id": 1, "delta.columnMapping.physicalName": "col-1"}),
              field("x", "integer", {"delta.columnMapping.id": 2, "delta.columnMapping.physicalName": "col-2"})]
    at = table("mapped", mapped, {n: ({"col-1": v}, {"col-2": 1}, {"col-2": 2}, {"col-2": 0}) for n, v in (("a", "61"), ("b", "71"))},
               partition=["part"], mapping="name")
    kept(at, "part LIKE '%1'", "ab")
    kept(at, "part LIKE '_1' AND part LIKE '%6%'", "a")
    for document in report(at, "part LIKE '6%'"):  # logical names in what is printed
        equal([f["partition_values"] for f in document["files"]], [{"part": "61"}, {"part": "71"}])
    for _, out, _ in both(at, "--where", "x > 0", "-v"):
        holds("col-1" not in out and "col-2" not in out, out)


def test_negative_zero_equals_zero():
    at = table("zeros", [field("x", "double")], ranges("x", a=(-0.0, 1.0), b=(0.0, 1.0), c=(-1.0, -0.0), d=(1.0, 2.0)))
    kept(at, "x = 0.0", "abc")
    kept(at, "x = -0.0", "abc")
    kept(at, "x <= -0.0", "abc")
    kept(at, "x >= 0.0", "abcd")


def test_a_float_bound_is_the_float_that_its_text_names():
    at = table("floats", [field("x", "float")], ranges("x", a=(0.1, 0.1), b=(0.5, 0.5)))
    kept(at, "x > 0.1", "ab")   # the float 0.1 is 0.100000001490116 as a double
    kept(at, "x = 0.1", "a")    # as floats
    kept(at, "x < 0.5", "a")
    wider = table("widened", [field("x", "double", {"delta.typeChanges": [{"fromType": "float", "toType": "double", "tableVersion": 1}]})],
                  ranges("x", a=(3.4, 3.4)))
    kept(wider, "x > 3.4", "a")  # 3.4 as a float is 3.4000000953674316


def test_a_backslash_in_like_escapes():
    at = table("slashes", [field("p", "string")], {"a": ({"p": "100%"}, {}, {}, {}), "b": ({"p": "100\\x"}, {}, {}, {}), "c": ({"p": "1000"}, {}, {}, {})},
               partition=["p"])
    kept(at, r"p LIKE '100\%'", "ab")  # escaped: 100%; plain: 100\ and anything
    kept(at, "p LIKE '100!%' ESCAPE '!'", "a")


def test_an_empty_partition_value_may_be_null():
    at = table("empty", [field("p", "string"), field("x", "integer")], {"a": ({"p": ""}, {}, {}, {}), "b": ({"p": "DE"}, {}, {}, {}), "c": ({"p": None}, {}, {}, {})},
               partition=["p"])
    kept(at, "p IS NULL", "ac")
    kept(at, "p = ''", "a")
    kept(at, "p IS NOT NULL", "ab")


# ---------------------------------------------------------------- valid SQL

def test_numbers_that_the_column_cannot_hold_are_decided():
    kept(AGES, "age > 2147483648", "")
    kept(AGES, "age < 2147483648", "abc")
    kept(AGES, "age = 40.5", "")
    kept(AGES, "age > 39.5", "c")
    at = table("amounts", [field("x", "decimal(6,2)")], ranges("x", a=(1.00, 5.00), b=(10.00, 9999.99)))
    kept(at, "x > 12345678.9", "")
    kept(at, "x < 12345678.9", "ab")


def test_a_quoted_number_is_the_number():
    kept(AGES, "age > '40'", "c")


def test_text_against_another_type_keeps_all_files():
    for where in ("name > 5", "name = TRUE", "name = DATE '2024-01-01'"):
        kept(NAMES, where, "ab")
    for document in report(NAMES, "name > 5 AND Age > 40"):
        equal([f["path"] for f in document["files"] if f["kept"]], ["b"])


def test_dates_and_times():
    at = table("days", [field("day", "date")], ranges("day", a=("2026-07-01", "2026-07-02"), b=("2026-07-03", "2026-07-04")))
    kept(at, "day < TIMESTAMP '2026-07-02 12:00:00'", "a")
    kept(at, "day > TIMESTAMP '2026-07-02 12:00:00'", "b")
    at = table("times", [field("ts", "timestamp")],
               ranges("ts", a=("2026-07-02T11:00:00.000Z", "2026-07-02T11:30:00.000Z"), b=("2026-07-02T13:00:00.000Z", "2026-07-02T14:00:00.000Z")))
    kept(at, "ts > '2026-07-02 12:00'", "b")  # no seconds


def test_binary_against_text_is_its_bytes():
    at = table("bytes", [field("p", "binary")], {"a": ({"p": "hello"}, {}, {}, {}), "b": ({"p": "other"}, {}, {}, {})}, partition=["p"])
    kept(at, "p = 'hello'", "a")


def test_names_match_without_case_everywhere():
    kept(NAMES, "AGE > 40 AND NAME > 'D'", "b")
    kept(NAMES, "`aGe` > 40", "b")


def test_not_may_be_written_with_a_mark():
    kept(AGES, "!(age > 40)", "ab")


def test_parentheses_nest_deeper_than_48():
    kept(AGES, "(" * 100 + "age > 40" + ")" * 100, "c")


def test_null_tests_on_nested_columns_keep_files():
    nested = [field("s", {"type": "struct", "fields": [field("x", "integer")]}),
              field("l", {"type": "array", "elementType": "integer", "containsNull": True}),
              field("m", {"type": "map", "keyType": "string", "valueType": "integer", "valueContainsNull": True})]
    at = table("nested", nested, {"a": ({}, {"s": {"x": 1}}, {"s": {"x": 9}}, {"s": {"x": 0}})})
    for column in ("s", "l", "m"):
        kept(at, f"{column} IS NULL", "a")
        kept(at, f"{column} IS NOT NULL", "a")
    kept(at, "s.x > 9", "")


def test_a_void_column_is_null_everywhere():
    at = table("void", [field("v", "void"), field("x", "integer")], ranges("x", a=(1, 2)))
    kept(at, "v = 1", "")
    kept(at, "v IS NULL", "a")
    kept(at, "v IS NULL AND x > 2", "")


def test_a_geometry_column_stops_no_other_condition():
    at = table("geo", [field("g", "geometry(OGC:CRS84)"), field("x", "integer")], ranges("x", a=(1, 2), b=(5, 6)))
    kept(at, "x > 4", "b")
    kept(at, "g IS NOT NULL AND x > 4", "b")


# ---------------------------------------------------------------- readable logs

def log_of(at):
    return pathlib.Path(at) / "_delta_log"


def notes_of(at, where="age > 40"):
    """The codes of the notes under the name lakeproof."""
    code, out, _ = call("lakeproof", ["prune", at, "--where", where, "--format", "json"])
    equal(code, 0)
    return out


def test_a_hint_to_an_absent_checkpoint_is_ignored():
    at = table("hint", [field("age", "integer")], ranges("age", a=(10, 19), c=(50, 70)))
    (log_of(at) / "_last_checkpoint").write_text('{"version":7,"size":1}')
    kept(at, "age > 40", "c")
    holds("HINT_IGNORED" in notes_of(at), "note")


def test_a_damaged_checkpoint_gives_way_to_the_commits():
    at = table("damaged", [field("age", "integer")], ranges("age", a=(10, 19), c=(50, 70)))
    commit(log_of(at), 1, [COMMIT_INFO])
    (log_of(at) / f"{1:020d}.checkpoint.parquet").write_bytes(b"PAR1 this is no Parquet file PAR1")
    (log_of(at) / "_last_checkpoint").write_text('{"version":1,"size":3}')
    kept(at, "age > 40", "c")
    holds("CHECKPOINT_SKIPPED" in notes_of(at), "note")


def test_an_emptied_last_commit_is_noted():
    at = table("emptied", [field("age", "integer")], ranges("age", a=(10, 19), c=(50, 70)))
    (log_of(at) / f"{1:020d}.json").write_text("")
    kept(at, "age > 40", "c")
    holds("EMPTY_COMMIT" in notes_of(at), "note")
    holds("EMPTY_COMMIT" not in call("delta-explain", [at, "--where", "age > 40", "--format", "json"])[1], "no new code there")


# ---------------------------------------------------------------- errors that went unnoticed

def test_an_unknown_column_is_an_error_inside_of_opaque_fragments_too():
    refused(NAMES, "UPPER(nope) = 'X'", "unknown column nope")
    refused(NAMES, "Age + nope > 3 OR name = 'x'", "unknown column nope")


# ---------------------------------------------------------------- what the drop-in name forgets

def test_the_drop_in_refuses_a_decimal_finer_than_its_column():
    at = table("fine", [field("x", "decimal(6,2)")], ranges("x", a=(1.00, 5.00), b=(100.51, 200.00)))
    drop_in, own = both(at, "--where", "x > 100.505", "--format", "json")
    equal((drop_in[0], drop_in[1]), (1, ""))
    holds("100.505" in drop_in[2], drop_in[2])
    equal(own[0], 0)


def test_a_missing_partition_key_is_null_for_the_drop_in_and_unknown_for_us():
    at = table("missing", [field("p", "string"), field("x", "integer")], {"a": ({}, {}, {}, {}), "b": ({"p": "DE"}, {}, {}, {})}, partition=["p"])
    stay = [sorted(f["path"] for f in d["files"] if f["kept"]) for d in report(at, "p = 'DE'")]
    equal(stay, [["b"], ["a", "b"]])


def test_two_names_compared_are_looked_up_by_us_only():
    drop_in, own = both(AGES, "--where", "nope = other")
    equal((drop_in[0], own[0]), (0, 1))
    holds("unknown column nope" in own[2], own[2])


def test_a_double_quoted_word_is_text_for_us_only():
    drop_in, own = [sorted(f["path"] for f in d["files"] if f["kept"]) for d in report(NAMES, 'name = "Bob"')]
    equal((drop_in, own), (["a", "b"], ["a"]))


run(globals(), options.only)
