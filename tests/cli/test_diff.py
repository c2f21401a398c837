#!/usr/bin/env python3
"""test_diff.py - `lakeproof diff` against a plain replay of the log in Python.

Called by: ctest, or by hand: test_diff.py --binary build/dev/lakeproof [--only NAME].  Must not know: how the difference is
found. Tables: small ones written here, those of the project, and, where they are, those of ../shared.
"""
import argparse
import json
import os
import pathlib
import random
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
SCRATCH = tempfile.TemporaryDirectory(prefix="lakeproof-diff-")
ROOT = pathlib.Path(SCRATCH.name)


def lakeproof(*arguments, stdin=None):
    done = subprocess.run(["lakeproof", *map(str, arguments)], executable=BINARY, capture_output=True, timeout=120,
                          input=stdin if stdin is not None else b"")
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def diff(table, before, after, *more):
    code, out, err = lakeproof("diff", table, before, after, "--format", "json", *more)
    holds(code == 0, f"{table} {before} {after}: {err}")
    return json.loads(out)


# ---------------------------------------------------------------- a replay of our own


def actions(table, version):
    """The actions of a commit, or None where it is not there."""
    path = pathlib.Path(table, "_delta_log", f"{version:020d}.json")
    if not path.exists():
        return None
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def vector_id(dv):
    if not dv:
        return None
    return dv["storageType"] + dv["pathOrInlineDv"] + (f"@{dv['offset']}" if dv.get("offset") is not None else "")


def key_of(action):
    return action["path"], vector_id(action.get("deletionVector"))


def replay(table):
    """Live files and metaData of each version, from the commits alone."""
    live, metadata, protocol, versions = {}, None, None, []
    version = 0
    while (commit := actions(table, version)) is not None:
        removed = {key_of(a["remove"]) for a in commit if a.get("remove")}
        added = {key_of(a["add"]): a["add"] for a in commit if a.get("add")}
        live = {k: v for k, v in live.items() if k not in removed} | added
        metadata = next((a["metaData"] for a in commit if a.get("metaData")), metadata)
        protocol = next((a["protocol"] for a in commit if a.get("protocol")), protocol)
        versions.append((live, metadata, protocol))
        version += 1
    return versions


def records(add):
    return json.loads(add["stats"]).get("numRecords") if add.get("stats") else None


def expected_tally(adds):
    counts = [records(a) for a in adds]
    deleted = sum(a["deletionVector"]["cardinality"] for a in adds if a.get("deletionVector"))
    told = all(c is not None for c in counts)
    return {"files": len(adds), "bytes": sum(a["size"] for a in adds), "records": sum(counts) if told else None,
            "files_with_deletion_vector": sum(bool(a.get("deletionVector")) for a in adds), "deleted_rows": deleted,
            "files_with_records": sum(c is not None for c in counts), "known_bytes": sum(a["size"] for a in adds),
            "known_records": sum(c or 0 for c in counts), "live_rows": sum(counts) - deleted if told else None}


def check_files(table, versions, before, after):
    old, new = versions[before][0], versions[after][0]
    found = diff(table, before, after, "--verbose")["files"]
    what = f"{table} {before} {after}"
    equal(found["before"], expected_tally(list(old.values())), what + " before")
    equal(found["after"], expected_tally(list(new.values())), what + " after")
    gone, come = [k for k in old if k not in new], [k for k in new if k not in old]
    equal(found["removed"], expected_tally([old[k] for k in gone]), what + " removed")
    equal(found["added"], expected_tally([new[k] for k in come]), what + " added")
    equal(found["kept"], expected_tally([new[k] for k in new if k in old]), what + " kept")
    paths_of = {"old": {p for p, _ in old}, "new": {p for p, _ in new}}
    equal(sorted((f["path"], f["dv_id"] or "", f["rewritten_by_vector"]) for f in found["removed_files"]),
          sorted((p, v or "", p in paths_of["new"]) for p, v in gone), what + " removed files")
    equal(sorted((f["path"], f["dv_id"] or "", f["rewritten_by_vector"]) for f in found["added_files"]),
          sorted((p, v or "", p in paths_of["old"]) for p, v in come), what + " added files")
    rewritten = [old[k] for k in gone if k[0] in paths_of["new"]]
    equal(found["rewritten_by_vector"]["before"], expected_tally(rewritten), what + " rewritten")
    holds(found["truncated"] is False, what)


def tables_with_all_commits(folder):
    """Those whose every version can be replayed from JSON: no commit is missing, and statistics stand in the commits."""
    for log in sorted(pathlib.Path(folder).glob("*/_delta_log")):
        names = sorted(int(p.name[:20]) for p in log.glob("*.json") if p.name[:20].isdigit() and len(p.name) == 25)
        if names and names == list(range(len(names))):
            yield log.parent


def compare_folder(folder):
    choose = random.Random(4)
    count = 0
    for table in tables_with_all_commits(folder):
        versions = replay(table)
        pairs = [(0, len(versions) - 1), (len(versions) - 1, 0)]
        pairs += [(choose.randrange(len(versions)), choose.randrange(len(versions))) for _ in range(3)]
        for before, after in dict.fromkeys(pairs):
            check_files(table, versions, before, after)
            count += 1
    holds(count > 10, f"only {count} pairs below {folder}")


def test_files_of_our_tables():
    compare_folder(PROJECT / "tests/data/tables")


def test_files_of_tables_by_spark():
    if not SHARED:
        raise Skip("no ../shared")
    compare_folder(SHARED / "fixtures/spark")


# ---------------------------------------------------------------- tables written here


def field(name, kind="integer", nullable=True, **metadata):
    return {"name": name, "type": kind, "nullable": nullable, "metadata": metadata}


def mapped(name, physical, number, kind="integer"):
    return field(name, kind, **{"delta.columnMapping.id": number, "delta.columnMapping.physicalName": physical})


def metadata(fields, partition=(), configuration=None):
    return {"metaData": {"id": "one", "format": {"provider": "parquet", "options": {}}, "partitionColumns": list(partition),
                         "schemaString": json.dumps({"type": "struct", "fields": fields}),
                         "configuration": configuration or {}}}


def add(path, country="DE", low=0, high=9, count=2):
    return {"add": {"path": path, "partitionValues": {"country": country}, "size": 100, "modificationTime": 0,
                    "dataChange": True, "stats": json.dumps({"numRecords": count, "minValues": {"age": low},
                                                             "maxValues": {"age": high}, "nullCount": {"age": 0}})}}


def remove(path):
    return {"remove": {"path": path, "deletionTimestamp": 1, "dataChange": True}}


PROTOCOL = {"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}}


def write_table(name, *commits):
    log = ROOT / name / "_delta_log"
    log.mkdir(parents=True)
    for version, commit in enumerate(commits):
        (log / f"{version:020d}.json").write_text("".join(json.dumps(a) + "\n" for a in commit))
    return str(ROOT / name)


PEOPLE = [field("country", "string"), field("age")]
GROWN = write_table("grown", [PROTOCOL, metadata(PEOPLE, ["country"]), add("a"), add("b", low=50, high=60), add("c", "IT")],
                    [add("d", low=3, high=7), remove("b")], [metadata(PEOPLE + [field("city", "string")], ["country"])])
CHANGED = write_table(
    "changed",
    [{"protocol": {"minReaderVersion": 2, "minWriterVersion": 5}},
     metadata([mapped("a", "x1", 1), mapped("b", "x2", 2), mapped("s", "x3", 3, {"type": "struct", "fields": [mapped("in", "y1", 4)]})],
              configuration={"delta.columnMapping.mode": "name", "owner": "me", "old": ""})],
    [{"protocol": {"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": ["columnMapping", "deletionVectors"],
                   "writerFeatures": ["columnMapping", "deletionVectors"]}},
     metadata([mapped("c", "x1", 1, "long"), mapped("b", "x9", 9), mapped("s", "x3", 3, {"type": "struct", "fields": [
         mapped("out", "y1", 4), mapped("list", "y2", 5, {"type": "array", "elementType": "string", "containsNull": False})]})],
              configuration={"delta.columnMapping.mode": "name", "owner": "you", "new": "1"})])


def test_metadata():
    found = diff(CHANGED, 0, 1)
    equal([(c["change"], (c["before"] or {}).get("name"), (c["after"] or {}).get("name")) for c in found["columns"]],
          [("changed", "a", "c"), ("added", None, "b"), ("changed", "s.in", "s.out"), ("added", None, "s.list"),
           ("dropped", "b", None)])
    renamed = found["columns"][0]
    equal((renamed["renamed"], renamed["type_changed"], renamed["type_widened"], renamed["nullability_changed"]),
          (True, True, True, False))
    equal((renamed["before"]["type"], renamed["after"]["type"], renamed["after"]["physical_name"]), ("integer", "long", "x1"))
    equal(found["columns"][3]["after"]["type"], "array<string not null>")
    equal(found["properties"], [{"after": "1", "before": None, "name": "new"}, {"after": None, "before": "", "name": "old"},
                                {"after": "you", "before": "me", "name": "owner"}])
    equal(found["protocol"]["min_reader_version"], {"after": 3, "before": 2})
    equal(found["protocol"]["reader_features"], {"added": ["columnMapping", "deletionVectors"], "removed": []})
    back = diff(CHANGED, 1, 0)
    equal(back["protocol"]["reader_features"], {"added": [], "removed": ["columnMapping", "deletionVectors"]})
    equal([c["type_widened"] for c in back["columns"] if c["renamed"]], [False, False])


def test_attributes_of_columns():
    table = write_table("attributes", [PROTOCOL, metadata([field("a", comment="old"), field("b", CURRENT_DEFAULT="1"),
                                                           field("c", **{"delta.identity.start": 1, "delta.identity.step": 2})])],
                        [metadata([field("a", comment="new"), field("b"),
                                   field("c", **{"delta.identity.start": 1, "delta.identity.step": 2,
                                                 "delta.identity.highWaterMark": 9})])])
    found = {c["after"]["name"]: c["attributes"] for c in diff(table, 0, 1)["columns"]}
    equal(found, {"a": [{"after": "new", "before": "old", "name": "comment"}],
                  "b": [{"after": None, "before": "1", "name": "default"}]})
    holds("  ~ a  comment old -> new\n  ~ b  default 1 -> (none)\n" in lakeproof("diff", table, 0, 1)[1], "text")


def test_the_text():
    code, out, _ = lakeproof("diff", GROWN, 0, "latest", "--verbose", "-w", "age < 10 AND country = 'DE'")
    equal(code, 0)
    equal(out, f"""Delta table: {GROWN}
Versions:    0 -> 2

Files:
  before    3 files  300 B  6 records
  after     3 files  300 B  6 records
  removed   1 file  100 B  2 records
  added     1 file  100 B  2 records
  kept      2 files  200 B  4 records

Removed files:
  - b  (100 B  2 records)

Added files:
  + d  (100 B  2 records)

Schema:
  + city  string

Files read by the predicate:
  age < 10 AND country = 'DE'
  in the version            3 -> 3 files  (the same)
  after partition pruning   2 -> 2 files  (the same)
  after data skipping       1 -> 2 files  (+1)
  growth of what is read    +100.0%
  confidence                conservative
""")


def test_the_example_of_the_docs():
    text = (PROJECT / "docs/diff.md").read_text(encoding="utf-8").split("```\n")[1]
    command, expected = text.split("\n", 1)
    arguments = shlex.split(command)[2:]
    done = subprocess.run(["lakeproof", *arguments], executable=BINARY, capture_output=True, text=True, cwd=PROJECT, check=True)
    equal(done.stdout, expected)


def test_the_text_of_changes():
    code, out, _ = lakeproof("diff", CHANGED, 0, 1)
    equal(code, 0)
    equal(out, f"""Delta table: {CHANGED}
Versions:    0 -> 1

Files:
  before    0 files
  after     0 files
  removed   0 files
  added     0 files
  kept      0 files

Schema:
  ~ a -> c  renamed  integer -> long (widened)
  + b  integer
  ~ s.in -> s.out  renamed
  + s.list  array<string not null>
  - b  integer

Protocol:
  ~ reader version: 2 -> 3
  ~ writer version: 5 -> 7
  + reader feature columnMapping
  + reader feature deletionVectors
  + writer feature columnMapping
  + writer feature deletionVectors

Properties:
  + new = 1
  - old = ""
  ~ owner = me -> you
""")


# ---------------------------------------------------------------- what a predicate reads


def test_a_predicate_reads_what_prune_says():
    tables = [(GROWN, "age < 10 AND country = 'DE'"), (str(PROJECT / "examples/taxi"), "trip_distance > 8 AND pickup_date > '2024-01-02'")]
    if SHARED:
        tables.append((str(SHARED / "fixtures/spark/lifecycle"), "p = 'a' AND id > 2"))
    for table, where in tables:
        last = len(replay(table)) - 1
        found = diff(table, 1, last, "-w", where)["reading"]
        for side, version in (("before", 1), ("after", last)):
            code, out, err = lakeproof("prune", table, "--at-version", version, "-w", where, "--format", "json")
            holds(code == 0, err)
            asked = json.loads(out)
            equal(found[side]["final_files"], asked["final_files"])
            equal(found[side]["total_files"], asked["total_files"])
            equal(found[side]["confidence"], asked["analysis"]["confidence"])
            phases = {p["name"].split()[0]: p["output_files"] for p in asked["phases"]}
            equal(found[side]["after_partition_pruning"], phases.get("Partition"))
            equal(found[side]["after_data_skipping"], phases.get("Data"))


def test_a_predicate_that_one_version_cannot_take():
    found = diff(GROWN, 0, 2, "-w", "city = 'Rome'")["reading"]
    holds("unknown column city" in found["before"]["error"], str(found))
    equal((found["after"]["final_files"], found["growth_pct"]), (3, None))
    code, out, err = lakeproof("diff", GROWN, 0, 2, "-w", "city = 'Rome'", "--max-growth", 500)
    holds(code == 1 and "version 0: cannot be asked: " in out and "the growth is not known" in err, err)
    code, out, err = lakeproof("diff", GROWN, 0, 2, "-w", "town = 'Rome'")
    holds(code == 1 and out == "" and "unknown column town" in err, err)


def test_the_gate():
    where = ("-w", "age < 10 AND country = 'DE'")  # 1 file, then 2
    for limit, passes in ((100, True), (99.9, False), ("inf", True), ("nan", False), (0, False)):
        code, out, err = lakeproof("diff", GROWN, 0, 2, *where, f"--max-growth={limit}")
        equal((code, err == "", out != ""), (0 if passes else 1, passes, True), str(limit))
        code, out, _ = lakeproof("diff", GROWN, 0, 2, *where, f"--max-growth={limit}", "--format", "json")
        document = json.loads(out)
        equal((code, document["result"]), (0, "pass") if passes else (1, "fail"))
        equal(document["assertions"][0]["actual"], 100.0)
    code, _, err = lakeproof("diff", GROWN, 0, 2, *where, "--max-growth", 50)
    equal(err, "ASSERTION FAILED: 2 files are read at version 2, 1 at version 0: more than 50.0% growth\n")
    equal(lakeproof("diff", GROWN, 2, 0, *where, "--max-growth=-50")[0], 0, "the other way it is half")
    equal(lakeproof("diff", GROWN, 0, 2, "--max-growth", 0)[0], 0, "three files and three without a predicate")
    code, _, err = lakeproof("diff", GROWN, 1, 0, "-w", "age > 40", "--max-growth", 1000)
    equal((code, "0 at version 1" in err), (1, True), "from nothing to something grows without end")


def test_a_predicate_from_standard_input():
    code, out, _ = lakeproof("diff", GROWN, 0, 2, "-w", "-", stdin=b"age < 10\n")
    holds(code == 0 and "\n  age < 10\n" in out, out)


# ---------------------------------------------------------------- the call


def test_versions_are_numbers_or_latest():
    equal(diff(GROWN, "latest", 0)["before"]["version"], 2)
    equal(diff(GROWN, "00000000000000000001", "1")["files"]["kept"]["files"], 3)
    for wrong in ("-1", "1.0", "", "x", "99999999999999999999", " 1", "LATEST"):
        code, out, err = lakeproof("diff", GROWN, "--", 0, wrong)
        equal((code, out), (2, ""), wrong)
        holds(err.startswith(f"error: '{wrong}' is no version: expected a number or latest"), err)
    for missing, words in ((3, "version 3 does not exist"), (2**63, "no version"), (2**64 - 1, "no version")):
        code, out, err = lakeproof("diff", GROWN, 0, missing)
        holds(code == 1 and out == "" and words in err, f"{missing}: {err}")
    code, out, err = lakeproof("diff", GROWN, 0)
    holds(code == 2 and out == "" and "TABLE A B is missing" in err, err)


def test_limits_hold_for_each_listing():
    table = write_table("many", [PROTOCOL, metadata(PEOPLE, ["country"]), *(add(f"a{n}") for n in range(5000))],
                        [*(remove(f"a{n}") for n in range(3000)), *(add(f"b{n}") for n in range(4)), remove("none")])
    found = diff(table, 0, 1, "--verbose", "--limit", 7)["files"]
    equal([f["path"] for f in found["removed_files"]], [f"a{n}" for n in range(7)])
    equal([f["path"] for f in found["added_files"]], [f"b{n}" for n in range(4)])
    equal((found["truncated"], found["removed"]["files"], found["kept"]["files"]), (True, 3000, 2000))
    code, out, _ = lakeproof("diff", table, 0, 1, "-v", "--limit", 2)
    holds(code == 0 and "\n  ... and 2,998 more files (raise --limit to see them)\n" in out, out)
    equal(diff(table, 0, 1, "-v", "--limit", 0)["files"]["removed_files"], [])


def test_threads_do_not_change_the_answer():
    for table in [PROJECT / "tests/data/tables/sp_checkpoint_classic", PROJECT / "tests/data/tables/rs_changes"]:
        one, many = (lakeproof("diff", table, "latest", 5, "-v", "--threads", n) for n in (1, 4))
        equal(one, many)


def test_checkpoints_and_commits_say_the_same():
    table = PROJECT / "tests/data/tables/rs_checkpoint"
    found = diff(table, 8, 10, "-v")["files"]
    live = {}
    for version in (9, 10):
        for a in actions(table, version):
            for kind in ("add", "remove"):
                if a.get(kind):
                    live[key_of(a[kind])] = kind
    equal({f["path"] for f in found["added_files"]}, {p for (p, _), kind in live.items() if kind == "add"})
    holds({f["path"] for f in found["removed_files"]} <= {p for (p, _), kind in live.items() if kind == "remove"}, str(found))


def test_documents_follow_the_schema():
    try:
        import jsonschema
    except ImportError as missing:
        raise Skip("no jsonschema") from missing
    schema = json.loads((PROJECT / "schemas/diff-report.schema.json").read_text())
    validator = jsonschema.Draft202012Validator(schema)
    calls = [(GROWN, 0, 2, "-v"), (GROWN, 2, 0, "-w", "city = 'x'", "--max-growth", 3), (CHANGED, 0, 1), (CHANGED, 1, 0, "-v"),
             (PROJECT / "examples/taxi", 0, 3, "-w", "fare_amount > 3 AND upper(pickup_date) = 'x'", "-v", "--limit", 2)]
    for call in calls:
        _, out, err = lakeproof("diff", *call, "--format", "json")
        problem = next(validator.iter_errors(json.loads(out)), None)
        holds(problem is None, f"{call}: {problem and problem.message}")


run(globals(), options.only)
