#!/usr/bin/env python3
"""test_delta_source.py - sources of a dbt project that are Delta tables: their columns, NOT NULL, and what their log measures.

Called by: ctest, or by hand: test_delta_source.py --binary build/dev/lakeproof [--only NAME].  Must not know: how facts are used.
Expectations are read off the add actions of the bundled tables by hand; what Spark found in them (*.truth.json) refutes.
"""
import argparse
import json
import os
import pathlib
import re
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
ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = ROOT / "tests/data/tables"
TEMPORARY = tempfile.TemporaryDirectory()
FOLDER = pathlib.Path(TEMPORARY.name)
SOURCE, MODEL = "source.shop.lake.events", "model.shop.copied"


def project(source, sql="select * from `lake`.`events`", adapter="spark", model=None, kind="source"):
    """A project of one source (or seed) and one model that reads it; its folder."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=FOLDER))
    unique_id = SOURCE if kind == "source" else "seed.shop.events"
    events = {"resource_type": kind, "unique_id": unique_id, "package_name": "shop", "name": "events", "source_name": "lake",
              "relation_name": "`lake`.`events`", "original_file_path": "models/lake.yml"} | source
    copied = {"resource_type": "model", "unique_id": MODEL, "package_name": "shop", "name": "copied", "language": "sql",
              "relation_name": "`lake`.`copied`", "original_file_path": "models/copied.sql", "raw_code": sql, "compiled_code": sql,
              "config": {"materialized": "table"}, "depends_on": {"nodes": [unique_id]}} | (model or {})
    nodes = {MODEL: copied} | ({} if kind == "source" else {unique_id: events})
    manifest = {"metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json", "project_name": "shop",
                             "adapter_type": adapter},
                "nodes": nodes, "sources": {unique_id: events} if kind == "source" else {}}
    (folder / "target").mkdir()
    (folder / "dbt_project.yml").write_text("name: shop\n")
    (folder / "target/manifest.json").write_text(json.dumps(manifest))
    return folder


def at(path, key="lakeproof"):
    return {"meta": {key: {"delta_path": str(path)}}}


def write_log(folder, *commits):
    """A table of handwritten commits: lists of actions."""
    (folder / "_delta_log").mkdir(parents=True)
    for version, actions in enumerate(commits):
        text = "".join(json.dumps(a) + "\n" for a in actions)
        (folder / "_delta_log" / f"{version:020}.json").write_text(text)
    return folder


def metadata(fields, partition=(), version=1):
    schema = {"type": "struct", "fields": [{"name": n, "type": t, "nullable": null, "metadata": {}} for n, t, null in fields]}
    return [{"protocol": {"minReaderVersion": version, "minWriterVersion": 2}},
            {"metaData": {"id": "t", "format": {"provider": "parquet", "options": {}}, "schemaString": json.dumps(schema),
                          "partitionColumns": list(partition), "configuration": {}}}]


def add(path, partition=None, stats=None):
    action = {"path": path, "partitionValues": partition or {}, "size": 1, "modificationTime": 1, "dataChange": True}
    return {"add": action | ({"stats": json.dumps(stats)} if stats is not None else {})}


def call(*arguments):
    done = subprocess.run([BINARY, *map(str, arguments)], capture_output=True, timeout=300)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def document(*arguments):
    code, text, errors = call(*arguments, "--format", "json")
    holds(code in (0, 1) and text, errors)
    return json.loads(text)


def facts(folder):
    return document("facts", "copied", "--project", folder)


def origins(found):
    """(kind, column) of facts to the declaration at the end of their chain."""
    return {(f["kind"], c): f["evidence"][-1] for f in found["facts"] if f["evidence"] for c in f["columns"] if len(f["columns"]) == 1}


def leans_on(folder):
    return {(d["fact"], d["origin"], d["tested"]) for d in document("coverage", folder)["declarations"]}


def notes(folder):
    return [(n["code"], n["model"]) for n in document("check", folder)["notes"]]


# ---------------------------------------------------------------- what a log tells


def test_not_null_of_the_schema_is_enforced():
    folder = project(at(TABLES / "sp_evolution"))
    found = facts(folder)
    equal(found["columns"], ["id", "v", "p", "w", "q"])
    equal(found["not_null"], ["id", "p"])  # v has a NULL; old files know nothing of w
    equal({o for f, o, tested in leans_on(folder)}, {"NOT NULL of the Delta schema at version 6"})
    text = call("coverage", folder)[1]
    holds("not null (id) of lake.events, NOT NULL of the Delta schema at version 6: 1 model\n" in text, text)


def test_null_counts_are_measured_under_deletion_vectors_too():
    folder = project(at(TABLES / "sp_vectors"))
    equal(facts(folder)["not_null"], ["id", "p"])
    equal(leans_on(folder), {("not null (id) of lake.events", "null count 0 in the log at version 6", None),
                             ("not null (p) of lake.events", "no NULL among the partition values in the log at version 6", None)})
    text = call("coverage", folder)[1]
    holds("null count 0 in the log at version 6: 1 model; no test checks it\n" in text, text)


def test_a_proof_leans_on_what_was_measured():
    folder = project(at(TABLES / "sp_vectors"))
    proof = document("prove", "copied", "--project", folder, "--not-null", "id")
    equal((proof["proved"], [(d["origin"], d["tested"]) for d in proof["leans_on"]]),
          (True, [("null count 0 in the log at version 6", None)]))
    equal(document("prove", "copied", "--project", folder, "--not-null", "v")["proved"], False)


def test_no_test_is_needless_because_of_a_measurement():
    def tested(table, column):
        folder = project(at(TABLES / table))
        manifest = json.loads((folder / "target/manifest.json").read_text())
        manifest["nodes"]["test.t"] = {
            "resource_type": "test", "unique_id": "test.t", "name": "t", "column_name": column, "attached_node": MODEL,
            "test_metadata": {"name": "not_null", "kwargs": {"column_name": column}}, "depends_on": {"nodes": [MODEL]}}
        (folder / "target/manifest.json").write_text(json.dumps(manifest))
        return [t["test"] for t in document("coverage", folder)["proved_tests"]]
    equal(tested("sp_vectors", "id"), [])
    equal(tested("sp_evolution", "id"), ["test.t"])


def test_without_statistics_nothing_is_measured():
    equal(facts(project(at(TABLES / "rs_stats_none")))["not_null"], [])


def test_a_partition_value_of_all_files_is_a_constant():
    fields = [("id", "integer", True), ("day", "date", True), ("land", "string", True)]
    one = [add(f"f{i}", {"day": "2024-01-01", "land": land}, {"numRecords": 2, "nullCount": {"id": 0}})
           for i, land in enumerate(("at", "de"))]
    table = write_log(FOLDER / "constant", metadata(fields, ["day", "land"]), one)
    folder = project(at(table))
    found = facts(folder)
    equal((found["not_null"], found["constant"]), (["id", "day", "land"], ["day"]))
    holds(("constant (day) of lake.events", "one partition value in the log at version 1", None) in leans_on(folder), leans_on(folder))
    other = [add("f2", {"day": None, "land": ""}, {"numRecords": 1, "nullCount": {"id": 0}})]
    table = write_log(FOLDER / "no_constant", metadata(fields, ["day", "land"]), one, other)
    found = facts(project(at(table)))
    equal((found["not_null"], found["constant"]), (["id"], []))


def test_one_file_that_does_not_tell_is_enough():
    fields = [("a", "integer", True), ("b", "integer", True), ("c", "array<integer>", True)]
    fields[2] = ("c", {"type": "array", "elementType": "integer", "containsNull": True}, True)
    good = {"numRecords": 2, "nullCount": {"a": 0, "b": 0, "c": 0}}
    equal(facts(project(at(write_log(FOLDER / "good", metadata(fields), [add("x", stats=good)]))))["not_null"], ["a", "b"])
    for name, stats in {"no_count": {"numRecords": 2, "nullCount": {"b": 0}}, "quoted": {"numRecords": 2, "nullCount": {"a": "0", "b": 0}},
                        "null": {"numRecords": 2, "nullCount": {"a": 1, "b": 0}}}.items():
        table = write_log(FOLDER / name, metadata(fields), [add("x", stats=good), add("y", stats=stats)])
        equal(facts(project(at(table)))["not_null"], ["b"], name)
    for name, stats in {"no_rows": {"nullCount": {"a": 0, "b": 0}}, "no_stats": None}.items():
        table = write_log(FOLDER / name, metadata(fields), [add("x", stats=good), add("y", stats=stats)])
        equal(facts(project(at(table)))["not_null"], [], name)


def test_of_a_table_without_files_nothing_is_measured():
    found = facts(project(at(write_log(FOLDER / "empty", metadata([("id", "integer", True), ("k", "integer", False)])))))
    equal((found["columns"], found["not_null"]), (["id", "k"], ["k"]))


def test_no_fact_is_refuted_by_what_spark_found():
    looked = 0
    for truth in sorted(TABLES.glob("*.truth.json")):
        table = truth.with_name(truth.name.removesuffix(".truth.json"))
        found = facts(project(at(table)))
        for r in json.loads(truth.read_text(encoding="utf-8"))["runs"]:
            for p in r["predicates"]:
                match = re.fullmatch(r"`?([\w ]+?)`? IS NULL", p["where"])
                if not match or not p["matching"]:
                    continue
                looked += 1
                holds(match[1] not in found["not_null"], f"{table.name}: {match[1]} has a NULL")
    holds(looked > 20, looked)


# ---------------------------------------------------------------- where the path stands


def test_every_place_of_the_path():
    table = TABLES / "sp_vectors"
    for name, source in {"cardinal": at(table, "cardinal"), "config": {"config": at(table)},
                         "external": {"external": {"location": str(table), "using": "delta"}},
                         "unsaid": {"external": {"location": f"file://{table}"}}}.items():
        equal(facts(project(source))["not_null"], ["id", "p"], name)
    equal(facts(project({"external": {"location": str(table), "using": "parquet"}}))["not_null"], [])
    equal(facts(project(at(table), kind="seed"))["not_null"], ["id", "p"])


def test_a_relative_path_is_below_the_root_of_the_project():
    folder = project(at("lake/events"))
    write_log(folder / "lake/events", metadata([("id", "integer", False)]))
    equal(facts(folder)["not_null"], ["id"])
    equal(facts(folder / "target/manifest.json")["not_null"], ["id"])


def test_a_model_that_cannot_be_analysed_has_the_facts_of_its_table():
    python = {"language": "python", "raw_code": "x", "compiled_code": "x"} | at(TABLES / "sp_vectors")
    folder = project({}, model=python)
    manifest = json.loads((folder / "target/manifest.json").read_text())
    manifest["nodes"]["model.shop.reader"] = {
        "resource_type": "model", "unique_id": "model.shop.reader", "package_name": "shop", "name": "reader", "language": "sql",
        "relation_name": "`lake`.`reader`", "original_file_path": "models/reader.sql", "raw_code": "select * from `lake`.`copied`",
        "compiled_code": "select * from `lake`.`copied`", "config": {"materialized": "table"}, "depends_on": {"nodes": [MODEL]}}
    (folder / "target/manifest.json").write_text(json.dumps(manifest))
    found = document("facts", "reader", "--project", folder)
    equal((found["columns"], found["not_null"]), (["id", "v", "p"], ["id", "p"]))


def test_columns_that_the_table_lacks_are_no_error():
    found = facts(project(at(TABLES / "sp_vectors"), sql="select id, _metadata_of_the_loader as m from `lake`.`events`"))
    equal((found["columns"], found["not_null"]), (["id", "m"], ["id"]))


# ---------------------------------------------------------------- what cannot be read


def test_a_table_that_cannot_be_read_is_a_note_and_gives_nothing():
    damaged = FOLDER / "damaged"
    (damaged / "_delta_log").mkdir(parents=True)
    (damaged / "_delta_log" / f"{0:020}.json").write_text("{\n")
    unsupported = write_log(FOLDER / "unsupported", metadata([("id", "integer", False)], version=99))
    for path in ("nowhere", "s3://bucket/events", damaged, unsupported, TABLES):
        folder = project(at(path))
        equal(notes(folder), [("DELTA_TABLE_NOT_READ", SOURCE)], path)
        equal(facts(folder)["not_null"], [], path)
        text = call("check", folder)[1]
        holds(f"nothing is taken from the Delta table '{path}' (meta.lakeproof.delta_path): " in text, text)


def test_a_location_that_is_not_said_to_be_delta_is_no_note():
    equal(notes(project({"external": {"location": "s3://bucket/events"}})), [])
    equal(notes(project({"external": {"location": "s3://bucket/events", "file_format": "delta"}})), [("DELTA_TABLE_NOT_READ", SOURCE)])
    equal(notes(project({"external": {"location": str(TABLES / "sp_vectors")}})), [])


def test_only_tables_that_are_read_are_looked_at():
    folder = project(at("nowhere"), model={"depends_on": {"nodes": []}, "compiled_code": "select 1 as a"})
    equal(len(document("check", folder, "--select", "copied")["notes"]), 0)


def test_documents_follow_their_schema():
    try:
        import jsonschema
    except ImportError as error:
        raise Skip("no jsonschema") from error
    for path in (TABLES / "sp_vectors", "nowhere"):
        folder = project(at(path))
        for name, found in (("check", document("check", folder)), ("coverage", document("coverage", folder)), ("facts", facts(folder))):
            schema = json.loads((ROOT / "schemas" / f"{name}-report.schema.json").read_text(encoding="utf-8"))
            jsonschema.Draft202012Validator(schema).validate(found)


run(globals(), options.only)
