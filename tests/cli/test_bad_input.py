#!/usr/bin/env python3
"""test_bad_input.py - logs, files and predicates that are wrong: one clear message, nothing on standard output, no hang.

Called by: ctest, or by hand: test_bad_input.py --binary build/dev/lakeproof [--only NAME].  Must not know: how the library
reads a log. Every case runs under both names of the program.
"""
import argparse
import json
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from logs import (PROJECT, ROOT, Program, add, ages, commit_file, field, lines, log_file, metadata, protocol, start,  # noqa: E402
                  table)
from suite import Skip, equal, holds, run  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--binary", required=True)
parser.add_argument("--only")
options = parser.parse_args()
PROGRAMS = [Program(options.binary, "lakeproof"), Program(options.binary, "delta-explain")]
OURS = PROGRAMS[0]
FILTER = ("--where", "age > 40")


def refused(target, *words, arguments=FILTER, **more):
    """Exit 1, standard output empty, one message that holds the words."""
    for program in PROGRAMS:
        done = program.run(target, *arguments, **more)
        text = done.stderr.decode("utf-8", "strict")
        what = f"{program.name} {target} {arguments}: exit {done.returncode}: {text[:600]!r}"
        equal(done.returncode, 1, what)
        equal(done.stdout, b"", what)
        holds(text.startswith(program.error), what)
        holds(text.count(program.error) == 1 and "Sanitizer" not in text, what)
        for word in words:
            holds(word in text, f"{what}: expected {word!r}")


def answers(target, files, version=None, arguments=(), notes=()):
    """Both names list so many files; ours has the notes about the table."""
    for program in PROGRAMS:
        report = program.report(target, *arguments)
        equal(report["total_files"], files, f"{program.name} {target}")
        if version is not None:
            equal(report["version"], version, f"{program.name} {target}")
    codes = [n["code"] for n in OURS.report(target, *arguments)["table_notes"]]
    equal(sorted(codes), sorted(notes), f"notes of {target}")


# ---------------------------------------------------------------- the place


def test_a_path_that_is_no_table():
    refused(ROOT / "nowhere", "nowhere")
    plain = ROOT / "plain"
    plain.write_text("x")
    refused(plain, "plain")
    empty = ROOT / "empty"
    empty.mkdir()
    refused(empty, "_delta_log")
    (ROOT / "bare" / "_delta_log").mkdir(parents=True)
    refused(ROOT / "bare", "_delta_log")
    (ROOT / "filelog").mkdir()
    (ROOT / "filelog" / "_delta_log").write_text("x")
    refused(ROOT / "filelog", "_delta_log")


def test_links_that_loop_and_a_pipe_as_table():
    loop = ROOT / "loop"
    loop.symlink_to(loop)
    refused(loop, "loop")
    pipe = ROOT / "pipe"
    os.mkfifo(pipe)
    refused(pipe, "pipe")


def test_an_unreadable_folder():
    if os.geteuid() == 0:
        raise Skip("root reads everything")
    folder = table([*start(), add("a")])
    os.chmod(folder / "_delta_log", 0)
    refused(folder, "_delta_log")
    os.chmod(folder / "_delta_log", 0o755)


def test_spellings_of_a_place():
    folder = table([*start(), add("a")])
    odd = folder.parent / "odd name %41 é"
    shutil.copytree(folder, odd)
    answers(odd, 1)
    answers(f"{folder}/", 1)
    answers(f"file://{folder}", 1)
    answers(os.path.relpath(folder), 1)
    link = folder.parent / "link"
    link.symlink_to(folder)
    answers(link, 1)


def test_object_stores_and_catalogs_are_named():
    for url in ("s3://bucket/t", "az://c/t", "gs://b/t", "abfss://c@a/t"):
        refused(url, url.split(":")[0])
    refused("main.default.t", "catalog", arguments=("--catalog", "unity"))


# ---------------------------------------------------------------- commits


def test_lines_that_are_no_actions():
    for line in (b'{"add":{"path":"a","part', b'{"add":{"path":"a\xff"}}', b"[1]", b"7", b'"x"', b"{", b'{"add":{}', b"nonsense",
                 b'{"add":{"path":"a"}} x', b'{"add":{"path":"a","size":01}}', b'{"a":\x00}', b'{"add":' * 600 + b"1" + b"}" * 600):
        refused(table([*start(), line, add("b")]), "00000000000000000000.json")
        refused(table([*start(), add("b")], lines([add("c")]) + line), "00000000000000000001.json")


def test_fields_of_the_wrong_type():
    good = add("a", stats=ages(1, 2))["add"]
    for key, wrong in (("path", 7), ("path", None), ("partitionValues", "x"), ("partitionValues", [1]), ("deletionVector", 7),
                       ("deletionVector", {"storageType": 1})):
        refused(table([*start(), {"add": {**good, key: wrong}}]), "00000000000000000000.json:3", arguments=(*FILTER, "--verbose"))
    refused(table([*start(), {"add": {k: v for k, v in good.items() if k != "path"}}]), "path")
    for wrong in (protocol("x"), protocol(-1), {"protocol": {}}, {"protocol": 3}):
        refused(table([wrong, metadata()]), "rotocol")
    for wrong in ({"metaData": 3}, metadata(schemaString="{"), metadata(schemaString='{"type":"struct"}'), metadata(partitionColumns="x"),
                  metadata(schemaString='{"type":"struct","fields":[{"name":1}]}'), metadata(partition=["nope"])):
        refused(table([protocol(), wrong]), "")


def test_numbers_at_the_end_of_their_range():
    answers(table([*start(), add("a", size=2**63 - 1)]), 1)
    refused(table([protocol(2**63), metadata()]), "")


def test_of_duplicate_keys_the_last_counts():
    text = lines([*start()]) + b'{"add":{"path":"x","path":"y","partitionValues":{"country":"IT","country":"DE"},"size":1,"modificationTime":0,"dataChange":true}}\n'
    report = OURS.report(table(text), "--verbose")
    equal([(f["path"], f["partition_values"]) for f in report["files"]], [("y", {"country": "DE"})])


def test_blank_lines_and_unknown_actions_are_passed_over():
    answers(table(lines(start()) + b"\n\n" + lines([{"future": {"x": [1, {"y": None}]}}, add("a")]) + b"\n"), 1)


def test_an_emptied_last_commit_is_a_version_without_actions():
    folder = table([*start(), add("a")], b"")
    answers(folder, 1, version=1, notes=["EMPTY_COMMIT"])


def test_what_stands_where_a_commit_should():
    for version in (0, 1):
        for make in (lambda p: p.symlink_to(p.with_suffix(".gone")), os.mkfifo, os.mkdir, lambda p: p.symlink_to("/dev/null")):
            folder = table([*start(), add("a")], [add("b")])
            place = commit_file(folder, version)
            place.unlink()
            make(place)
            refused(folder, place.name)


def test_a_gap_and_versions_that_are_not_there():
    whole = table([*start(), add("a")], [add("b")], [add("c")])
    for version, files in ((0, 1), (1, 2), (2, 3)):
        answers(whole, files, version, arguments=("--at-version", str(version)))
    refused(whole, "3", arguments=("--at-version", "3"))
    gap = table([*start(), add("a")], None, [add("c")])
    refused(gap, "00000000000000000001.json")
    answers(gap, 1, 0, arguments=("--at-version", "0"))
    refused(table(None, [add("c")]), "00000000000000000000.json")


# ---------------------------------------------------------------- protocol


def test_protocols_that_are_refused_by_name():
    refused(table([protocol(99, 7), metadata()]), "99")
    refused(table([protocol(3, 7, readerFeatures=["fromTheFuture"], writerFeatures=["fromTheFuture"]), metadata()]), "fromTheFuture")
    refused(table([protocol(3, 7, readerFeatures=["catalogManaged"], writerFeatures=["catalogManaged"]), metadata()]), "catalog")
    refused(table([metadata(), add("a")]), "protocol")
    refused(table([protocol(3, 7, readerFeatures=[], writerFeatures=[]), add("a")]), "metaData")


# ---------------------------------------------------------------- checkpoints

CHECKPOINTED = PROJECT / "tests" / "data" / "tables"


def checkpointed():
    """A table of the project with one classic checkpoint and all of its commits: (folder, name of the checkpoint)."""
    for folder in sorted(CHECKPOINTED.iterdir()) if CHECKPOINTED.is_dir() else ():
        log = folder / "_delta_log"
        names = sorted(p.name for p in log.iterdir()) if log.is_dir() else []
        found = [n for n in names if n.endswith(".checkpoint.parquet") and len(n) == 39]
        if len(found) == 1 and f"{0:020d}.json" in names:
            return folder, found[0]
    raise Skip("no table with one checkpoint and all of its commits")


def damaged(source, name, change):
    folder = ROOT / f"damaged-{len(list(ROOT.iterdir()))}"
    shutil.copytree(source, folder)
    change(log_file(folder, name))
    return folder


DAMAGES = {
    "cut": lambda p: p.write_bytes(p.read_bytes()[: p.stat().st_size // 2]),
    "empty": lambda p: p.write_bytes(b""),
    "text": lambda p: p.write_bytes(b"not Parquet at all, but long enough to look into"),
    "zeros": lambda p: p.write_bytes(b"PAR1" + bytes(500) + b"PAR1"),
    "footer": lambda p: p.write_bytes(p.read_bytes()[:-8] + b"\xff\xff\xff\x7f" + p.read_bytes()[-4:]),
    "gone": lambda p: p.unlink(),
}


def test_a_damaged_checkpoint_is_passed_over_where_commits_can_stand_in():
    source, name = checkpointed()
    whole = OURS.report(source)
    for what, change in DAMAGES.items():
        report = OURS.report(damaged(source, name, change))
        equal((report["total_files"], report["version"]), (whole["total_files"], whole["version"]), what)
        if what != "gone":
            holds("CHECKPOINT_SKIPPED" in [n["code"] for n in report["table_notes"]], f"{what}: {report['table_notes']}")


def test_a_damaged_checkpoint_without_its_commits_is_an_error():
    source, name = checkpointed()
    for what, change in DAMAGES.items():
        folder = damaged(source, name, change)
        commit_file(folder, 0).unlink()
        refused(folder, "00000000000000000000" if what in ("gone", "empty") else name, arguments=())


def test_the_hint_is_only_a_hint():
    source, name = checkpointed()
    files = OURS.report(source)["total_files"]
    for content in (b"", b"{", b"\xff\xfe", b'{"version":99,"size":1}', b'{"version":0,"size":1}', b'{"version":"x"}', b"[]", b"7", b'{"version":-1}'):
        folder = damaged(source, name, lambda p: None)
        log_file(folder, "_last_checkpoint").write_bytes(content)
        equal(OURS.report(folder)["total_files"], files, content)


# ---------------------------------------------------------------- predicates


PLAIN = table([*start(), add("a", stats=ages(1, 50)), add("b", "IT", stats=ages(1, 20))])


def test_sql_that_does_not_parse():
    for sql in ("age >", "> 4", "age > 4 AND", "AND age > 4", "age > 4 XX", "age > 4 OR country = 'DE' garbage 1", "age > 4;", "age > 4)",
                "(age > 4", "age IN ()", "age IN (1,", "age IN 1", "age BETWEEN 1", "age BETWEEN 1 OR 2", "age IS", "age IS NOT", "NOT",
                "age LIKE", "name LIKE 'a' ESCAPE", "'open", "\"open", "`open", "age > 'x", "/* open", "age > 4 age > 5", "age = = 4",
                "CASE WHEN age THEN", "CAST(age AS)", "f(", "f(1,)", "{{ ref('x') }}", "", "   ", "-- nothing", "age >> ", "(", ")"):
        refused(PLAIN, "line ", "column ", arguments=(f"--where={sql}",))


def test_the_caret_stands_under_the_place():
    for program in PROGRAMS:
        text = program.run(PLAIN, "--where", "age > 4 AND\n  nope = 'é' OR").stderr.decode()
        holds("line 2, column " in text and "^" in text, text)
    text = OURS.run(PLAIN, "--where", "country = 'é' AND nope > 1").stderr.decode()
    message, source, caret = text.rstrip("\n").split("\n")
    holds("line 1, column 19" in message and "nope" in message, text)
    equal(caret.index("^"), source.index("nope"), text)
    equal(caret.strip(), "^^^^", text)


def test_names_that_are_no_columns():
    for sql in ("nope > 1", "nope IS NULL", "UPPER(nope) = 'x'", "nope LIKE '%x'", "age > 1 OR NOT (nope IN (1))", "age.x > 1", "t.age > 1",
                "CAST(nope AS INT) = 1", "CASE WHEN nope THEN 1 END = 1", "age + nope > 1"):
        refused(PLAIN, "nope" if "nope" in sql else sql.split(" ")[0], arguments=("--where", sql))
    twice = table([protocol(), metadata([field("a", "integer"), field("A", "integer"), field("b", "integer")], [])])
    for sql in ("a = 1", "A = 1"):
        equal(OURS.report(twice, "--where", sql)["total_files"], 0, sql)  # an exact name wins
    triple = table([protocol(), metadata([field("Ab", "integer"), field("aB", "integer")], [])])
    refused(triple, "ambiguous", "ab", arguments=("--where", "ab = 1"))

def test_literals_that_the_column_cannot_be_compared_with():
    for sql, words in (("day = 'no date'", ("day", "date", "no date")), ("day = '2024-02-30'", ("2024-02-30",)), ("day > 5", ("day", "5")),
                       ("age > 'forty'", ("age", "forty")), ("age = DATE '2024-01-01'", ("age",)), ("age", ("age",)), ("name", ("name",))):
        refused(PLAIN, *words, arguments=("--where", sql))


def test_a_predicate_that_is_no_text():
    done = OURS.run(PLAIN, "--where", "-", stdin=b"age > 4 \xff")
    equal((done.returncode, done.stdout), (2, b""), done.stderr)
    holds("UTF-8" in done.stderr.decode(), done.stderr)
    done = OURS.run(PLAIN, "--where", "-", stdin=b"age > 1 OR " * 1_700_000 + b"age > 2")
    equal((done.returncode, done.stdout), (1, b""), done.stderr[:200])


# ---------------------------------------------------------------- what costs only itself


def test_a_size_or_statistics_of_the_wrong_type_are_unknown():
    good = add("a", stats=ages(1, 2))["add"]
    report = OURS.report(table([*start(), {"add": {**good, "size": "x"}}, {"add": {**good, "path": "b", "stats": 7}}]), "--verbose", *FILTER)
    equal([(f["path"], f["has_stats"], f["kept"]) for f in report["files"]], [("a", True, False), ("b", False, True)])


def test_bad_statistics_cost_only_their_file():
    texts = ["{", "[]", "7", "null", "\"x\"", "{\"numRecords\":1", "{\"numRecords\":\"x\"}", "{\"minValues\":7}", "{\"minValues\":{\"age\":{}}}",
             "{\"maxValues\":{\"age\":[1]}}", "{\"nullCount\":{\"age\":\"0\"}}", "{\"minValues\":{\"age\":1e999}}", "\u0000", "{\"a\":" * 600]
    folder = table([*start(), *(add(f"bad-{i}", stats=t) for i, t in enumerate(texts)), add("low", stats=ages(1, 20)), add("high", stats=ages(41, 50))])
    report = OURS.report(folder, "--verbose", *FILTER)
    kept = {f["path"] for f in report["files"] if f["kept"]}
    equal(kept, {f"bad-{i}" for i in range(len(texts))} | {"high"})


run(globals(), options.only)
