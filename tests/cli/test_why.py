#!/usr/bin/env python3
"""test_why.py - `lakeproof why` and files[].why: every fact is held against the log that it names.

Called by: ctest, or by hand: test_why.py --binary build/dev/lakeproof [--only NAME].  Must not know: how the evidence is found.
Tables: small ones written here, those of the project, and, where they are, those of ../shared.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from suite import Skip, equal, holds, run  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--binary", required=True)
parser.add_argument("--only")
options = parser.parse_args()
BINARY = os.path.abspath(options.binary)
PROJECT = pathlib.Path(__file__).resolve().parents[2]
SHARED = next((p / "shared" for p in PROJECT.parents if (p / "shared/fixtures").is_dir()), None)
TAXI = PROJECT / "examples/taxi"
SCRATCH = tempfile.TemporaryDirectory(prefix="lakeproof-why-")
ROOT = pathlib.Path(SCRATCH.name)


def lakeproof(*arguments, name="lakeproof"):
    done = subprocess.run([name, *map(str, arguments)], executable=BINARY, capture_output=True, timeout=120, cwd=PROJECT)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def why(table, file, where, *more):
    code, out, err = lakeproof("why", table, file, "--where", where, "--format", "json", *more)
    holds(code == 0, f"{table} {file} {where}: {err}")
    return json.loads(out)["files"][0]


def verbose(table, where, *more):
    code, out, err = lakeproof("prune", table, "--where", where, "--verbose", "--format", "json", *more)
    holds(code == 0, f"{table} {where}: {err}")
    return json.loads(out)


def nodes(node):
    yield node
    for child in node["children"]:
        yield from nodes(child)


def texts(node, key="facts"):
    return [item["text"] for n in nodes(node) for item in n[key]]


def reasons(node):
    return [(n["text"], item["reason"]) for n in nodes(node) for item in n["kept_by"]]


# ---------------------------------------------------------------- a table written here

FIELDS = [("id", "integer"), ("city", "string"), ("score", "double"), ("day", "date")]


def schema(fields=FIELDS):
    return json.dumps({"type": "struct", "fields": [{"name": n, "type": t, "nullable": True, "metadata": {}} for n, t in fields]})


def add(path, stats=None, day="2024-01-01", vector=None):
    action = {"path": path, "partitionValues": {"day": day}, "size": 100, "modificationTime": 0, "dataChange": True}
    if stats is not None:
        action["stats"] = json.dumps(stats)
    if vector:
        action["deletionVector"] = {"storageType": "u", "pathOrInlineDv": vector, "offset": 1, "sizeInBytes": 40, "cardinality": 2}
    return {"add": action}


def statistics(rows=10, low=None, high=None, nulls=None):
    return {"numRecords": rows, "minValues": low or {}, "maxValues": high or {}, "nullCount": nulls or {}}


def make_table(name, *commits, fields=FIELDS, properties=None):
    log = ROOT / name / "_delta_log"
    log.mkdir(parents=True)
    head = [{"protocol": {"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": ["deletionVectors"], "writerFeatures": ["deletionVectors"]}},
            {"metaData": {"id": "x", "format": {"provider": "parquet", "options": {}}, "schemaString": schema(fields),
                          "partitionColumns": ["day"], "configuration": properties or {}}}]
    for version, commit in enumerate(commits):
        lines = (head if version == 0 else []) + list(commit)
        (log / f"{version:020d}.json").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return ROOT / name


LONG = "m" * 32
SMALL = make_table(
    "small",
    [add("a", statistics(low={"id": 1, "city": "Bari"}, high={"id": 9, "city": LONG}, nulls={"id": 0, "city": 0})),
     add("b", statistics(low={"id": 20}, high={"id": 29}, nulls={"id": 4}), day="2024-01-02"),
     add("gone", statistics())],
    [{"remove": {"path": "gone", "deletionTimestamp": 1, "dataChange": True}}, add("bare"), add("empty", statistics(rows=0)),
     {"commitInfo": {"engineInfo": "Apache-Spark/3.5.0 Delta-Lake/3.2.0"}}],
    [add("later", statistics())])


def test_facts_name_the_value_and_the_line():
    tree = why(SMALL, "a", "id > 9")["why"]
    equal(tree["outcome"], ["FALSE"])
    equal(tree["facts"], [{"source": "00000000000000000000.json line 3", "text": "max(id) = 9"},
                          {"source": "00000000000000000000.json line 3", "text": "null_count(id) = 0"}])
    equal(why(SMALL, "b", "day = '2024-01-01'")["why"]["facts"],
          [{"source": "00000000000000000000.json line 4", "text": "day = '2024-01-02'"}])
    equal(why(SMALL, "bare", "id > 9")["why"]["facts"], [{"source": "00000000000000000001.json line 2", "text": "no statistics"}])
    equal(texts(why(SMALL, "b", "id < 20")["why"]), ["min(id) = 20"])
    equal(why(SMALL, "b", "id < 20")["why"]["outcome"], ["FALSE", "NULL"])


def test_a_kept_file_tells_what_kept_it():
    expected = {("a", "id = 5"): "overlap", ("bare", "id = 5"): "no_statistics", ("b", "city = 'x'"): "no_bound",
                ("a", "id > 0"): "certain", ("a", f"city > '{LONG}'"): "cut_bound", ("b", "city IS NULL"): "no_null_count",
                ("a", "upper(city) = 'X' AND id > 0"): "not_followed"}
    for (file, where), reason in expected.items():
        entry = why(SMALL, file, where)
        holds(entry["kept"], where)
        holds(reason in [r for _, r in reasons(entry["why"])], f"{file} {where}: {reasons(entry['why'])}")
    equal(reasons(why(SMALL, "a", "id > 9")["why"]), [])


def test_a_column_past_the_budget():
    fields = FIELDS + [(f"c{i}", "integer") for i in range(40)]
    stats = statistics(low={"id": 1}, high={"id": 2}, nulls={"id": 0})
    by_count = make_table("budget", [add("a", stats)], fields=fields)
    equal(reasons(why(by_count, "a", "c39 = 1")["why"]), [("c39 = 1", "not_indexed")])
    holds("column 43" in texts(why(by_count, "a", "c39 = 1")["why"], "kept_by")[0], "the place of the column")
    equal(reasons(why(by_count, "a", "c1 = 1")["why"]), [("c1 = 1", "no_bound")])
    by_name = make_table("chosen", [add("a", stats)], properties={"delta.dataSkippingStatsColumns": "id, `score`"})
    equal(reasons(why(by_name, "a", "city = 'x'")["why"]), [("city = 'x'", "not_indexed")])
    equal(reasons(why(by_name, "a", "score = 1")["why"]), [("score = 1", "no_bound")])


def test_conditions_that_are_taken_together():
    entry = why(SMALL, "a", "id > 5 AND id < 5", "--level", "extended")
    holds(not entry["kept"], "dropped")
    equal(entry["why"]["outcome"], ["FALSE"])
    holds("no value of id" in entry["why"]["facts"][-1]["text"], str(entry["why"]["facts"]))
    holds(why(SMALL, "a", "id > 5 AND id < 5")["kept"], "contract looks at each alone")


def test_the_clock_and_the_zone_are_noted():
    code, out, err = lakeproof("why", SMALL, "a", "-w", "day < current_date()", "--level", "extended", "--now", "2024-06-01", "--format", "json")
    document = json.loads(out)
    holds("CLOCK_READ" in [n["code"] for n in document["notes"]], str(document["notes"]))
    holds(document["files"][0]["kept"], "the day is before")
    _, out, _ = lakeproof("why", SMALL, "a", "-w", "day < current_date()", "--level", "extended", "--now", "2023-06-01")
    holds("dropped by partition pruning" in out and "[CLOCK_READ]" in out, out)


def test_float_maximum():
    table = make_table("floats", [add("a", statistics(low={"score": 1.5}, high={"score": 3.75}, nulls={"score": 0})),
                                  {"commitInfo": {"engineInfo": "delta-rs:0.1"}}])
    equal(texts(why(table, "a", "score > 8")["why"]), ["max(score) = 3.75", "max(score) is trusted to show NaN", "null_count(score) = 0"])
    equal(reasons(why(table, "a", "score > 8", "--nan", "strict")["why"]), [("score > 8", "float_max")])


def test_an_empty_file_has_no_row():
    entry = why(SMALL, "empty", "id > 9")
    equal((entry["kept"], entry["why"]["outcome"], texts(entry["why"])), (False, [], ["num_records = 0"]))


# ---------------------------------------------------------------- names of files


def fails(*arguments):
    code, out, err = lakeproof("why", *arguments)
    equal((code, out), (1, ""))
    return err


def test_an_unknown_file_is_an_error_that_tells_its_fate():
    equal(fails(SMALL, "gone", "-w", "id > 1"), "error: no live file gone in version 2: it was removed in version 1\n")
    equal(fails(SMALL, "later", "-w", "id > 1", "--at-version", 1), "error: no live file later in version 1: it is added later, in version 2\n")
    holds("no file of the log has this path" in fails(SMALL, "never", "-w", "id > 1"), "never")
    holds(why(SMALL, "gone", "id > 1", "--at-version", 0)["path"] == "gone", "it was live then")


def test_two_live_files_of_one_path():
    table = make_table("twice", [add("a", statistics(), vector="one"), add("a", statistics(), vector="two"), add("b#c", statistics())])
    message = fails(table, "a", "-w", "id > 1")
    holds("a#uone@1" in message and "a#utwo@1" in message, message)
    equal(why(table, "a#utwo@1", "id > 1")["deletion_vector"]["id"], "utwo@1")
    equal(why(table, "b#c", "id > 1")["path"], "b#c")


def test_usage():
    code, out, err = lakeproof("why", SMALL, "a")
    holds((code, out) == (2, "") and "--where" in err, err)
    equal(lakeproof("why", SMALL)[0], 2)
    holds(fails(SMALL, "a", "-w", "nothing = 1").startswith("error: line 1, column 1"), "an unknown column")


# ---------------------------------------------------------------- against prune and the log

PREDICATES = {
    TAXI: ["trip_distance > 8", "trip_distance > 2 AND pickup_date < '2024-01-03'", "pickup_date = '2024-01-02' OR fare_amount > 40",
           "NOT (trip_distance BETWEEN 1 AND 2) AND passenger_count IS NOT NULL", "pickup_date LIKE '%-03' AND abs(fare_amount) > 3"],
    SMALL: ["id > 9", "id IN (1, 25) AND city LIKE 'B%'", "id IS NULL OR day = '2024-01-02'", "(id = 3) IS NOT TRUE"],
}


def test_the_verdict_and_the_evidence_agree():
    tried = 0
    for table, predicates in PREDICATES.items():
        for where in predicates:
            for level in ("contract", "extended"):
                report = verbose(table, where, "--level", level) if level == "extended" or "IS NOT TRUE" not in where else {"files": []}
                for entry in report["files"]:
                    tried += 1
                    equal("TRUE" in entry["why"]["outcome"], entry["kept"], f"{entry['path']}: {where}")
                    if not entry["kept"]:
                        equal(reasons(entry["why"]), [], where)
    holds(tried > 100, str(tried))


def test_the_command_prints_what_prune_lists():
    where = "trip_distance > 2 AND pickup_date < '2024-01-03'"
    for entry in verbose(TAXI, where)["files"]:
        alone = why(TAXI, entry["path"], where)
        holds({**alone, "num_records": entry["num_records"], "has_stats": entry["has_stats"]} == entry, entry["path"])


def test_each_place_holds_the_file():
    for entry in verbose(TAXI, "trip_distance > 8")["files"]:
        name, line = re.fullmatch(r"(\S+\.json) line (\d+)", entry["recorded_in"]).groups()
        action = json.loads((TAXI / "_delta_log" / name).read_text().splitlines()[int(line) - 1])
        equal(action["add"]["path"], entry["path"])
        stats = json.loads(action["add"]["stats"])
        for text in texts(entry["why"]):
            side = re.fullmatch(r"(min|max)\((\w+)\) = (.*)", text)
            if side:
                equal(float(side[3]), stats[side[1] + "Values"][side[2]], text)


def test_rows_of_checkpoints():
    try:
        import pyarrow.parquet as parquet
    except ImportError as missing:
        raise Skip("no pyarrow") from missing
    if not SHARED:
        raise Skip("no ../shared")
    tables = [p.parent.parent for p in sorted(SHARED.glob("fixtures/spark/*/_delta_log/_last_checkpoint"))][:12]
    checked = 0
    for table in tables:
        code, out, _ = lakeproof("snapshot", table, "--format", "json")
        code, out, _ = lakeproof("prune", table, "--where", "1 = 1", "--level", "extended", "-v", "--format", "json")
        for entry in json.loads(out)["files"][:20] if code == 0 else []:
            place = re.fullmatch(r"(.*\.parquet) row (\d+)", entry["recorded_in"])
            if not place:
                continue
            rows = parquet.ParquetFile(table / "_delta_log" / place[1]).read().column("add").to_pylist()
            equal(rows[int(place[2]) - 1]["path"], entry["path"], f"{table} {entry['recorded_in']}")
            checked += 1
    holds(checked > 0, "no file of a checkpoint was seen")


def test_the_drop_in_has_no_evidence():
    code, out, _ = lakeproof(TAXI, "--where", "trip_distance > 8", "--verbose", "--format", "json", name="delta-explain")
    holds(code == 0 and all("why" not in f and "recorded_in" not in f for f in json.loads(out)["files"]), "no such key")


def test_without_a_predicate_there_is_none():
    _, out, _ = lakeproof("prune", TAXI, "--verbose", "--format", "json")
    holds(all("why" not in f for f in json.loads(out)["files"]), "nothing to tell")


def test_a_deep_predicate():
    where = "id > 1"
    for _ in range(200):
        where = f"(id > 5 AND (id < 3 OR {where}))" if len(where) < 6000 else where
    document = why(SMALL, "a", where)
    holds(document["why"]["text"].endswith(" ..."), "cut")


# ---------------------------------------------------------------- documents


def test_documents_follow_the_schema():
    try:
        import jsonschema
    except ImportError as missing:
        raise Skip("no jsonschema") from missing
    one = jsonschema.Draft202012Validator(json.loads((PROJECT / "schemas/why-report.schema.json").read_text()))
    all_files = jsonschema.Draft202012Validator(json.loads((PROJECT / "schemas/prune-report.schema.json").read_text()))
    for table, predicates in PREDICATES.items():
        for where in predicates:
            report = verbose(table, where, "--level", "extended")
            documents = [(all_files, report)]
            for entry in report["files"][:3]:
                _, out, _ = lakeproof("why", table, entry["path"], "-w", where, "--level", "extended", "--format", "json")
                documents.append((one, json.loads(out)))
            for validator, document in documents:
                problem = next(validator.iter_errors(document), None)
                holds(problem is None, f"{where}: {problem and problem.message}")


def test_json_is_indented_and_sorted():
    _, out, _ = lakeproof("why", SMALL, "a", "-w", "id > 5 AND (city = 'x' OR id IS NULL)", "--format", "json")
    equal(out, json.dumps(json.loads(out), indent=2, sort_keys=True) + "\n")


def test_colors_change_no_text():
    for where in ("id > 9", "id < 20 AND city = 'x'", "city IS NULL OR id < 3"):
        for file in ("a", "b", "bare"):
            plain, colored, auto = (lakeproof("why", SMALL, file, "-w", where, *more)[1] for more in (("--color", "never"), ("--color", "always"), ()))
            holds("\x1b[" not in plain and auto == plain, "never, and auto without a terminal")
            equal(re.sub("\x1b\\[[0-9]*m", "", colored), plain)
            holds("Verdict:     \x1b[3" in colored or "Verdict:     \x1b[2m" in colored, "the verdict")
            equal(colored.count("\x1b[33mkept by "), plain.count("kept by "))


def test_the_examples_of_the_page():
    page = (PROJECT / "docs/why.md").read_text(encoding="utf-8")
    examples = re.findall(r"```\n\$ (lakeproof why (?:.|\n)*?[^\\])\n((?:.|\n)*?)```", page)
    holds(len(examples) >= 2, "examples")
    for command, expected in examples:
        code, out, err = lakeproof(*shlex.split(command.replace("\\\n", " "))[1:])
        equal((code, out), (0, expected), command + err)


run(globals(), options.only)
