#!/usr/bin/env python3
"""Check JSON reports against the JSON Schemas that we ship.

usage: report_schema.py [--binary PATH]
Without --binary: the documents of tests/data/report, and that the schemas are strict (a document with a key too many or
too few, or with a value of another kind, is refused). With --binary also what the program prints, under both names, for
the tables of ../shared that are there, and what `lakeproof snapshot` prints for the tables of the project. Needs the Python package jsonschema; without it everything is skipped (exit 77).
Last line: 'N passed, N failed, N skipped'.
"""
import argparse
import copy
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
DOCUMENTS = os.path.join(ROOT, "tests", "data", "report")
TABLES = os.path.join(ROOT, "..", "shared", "fixtures", "delta-explain")
OWN_TABLES = [os.path.join("examples", "taxi")] + sorted(
    os.path.join("tests", "data", "tables", name) for name in os.listdir(os.path.join(ROOT, "tests", "data", "tables"))
    if not name.endswith(".json"))
MUTATED = ("sp_vectors", "sp_clustered", "sp_widening", "sp_checkpoint_v2_parquet")
SNAPSHOT_SCHEMA = {"report": "snapshot-report.schema.json", "file": "snapshot-file.schema.json"}
DIFF_SCHEMA = "diff-report.schema.json"
PLAN_SCHEMA = "sql-plan.schema.json"
PLAN_DDL = "create table a (k int primary key, v text, n numeric(9, 2) not null); create table b (k int, w text)"
# A text for each kind of operator, each with its catalog and without.
PLAN_TEXTS = ["drop table a; create view x as select v, sum(n) s from a where k > 1 group by v having count(*) > 1",
              "select distinct on (v) v, k from a order by v, k desc nulls last limit 3 offset 1",
              "with c as (select k, v from a), d as (select k from c) select * from c join d using (k) full join b using (k)",
              "with recursive r as (select 1 x union all select x + 1 from r where x < 5) select * from r",
              "values (1, 'a'), (2, 'b'); select; select distinct v from a", "select k from a intersect select k from b",
              "select rank() over (partition by v order by n) from a", "select v, k, count(*) from a group by grouping sets ((v), (v, k))",
              "select g from a cross join lateral generate_series(1, k) with ordinality g (g, i)",
              "select v from a where k in (select k from b) or exists (select 1 from b where b.w = a.v)",
              "select v, (select max(w) from b where b.k = a.k) m from a where k not in (select k from b) and v is not null",
              "select * from a match_recognize (pattern (x) define x as true)", "select z from p, q"]
# Objects whose keys are the table's or the writer's; of the last two the values are anything at all.
FREE = ("partition_values", "properties", "metrics", "parameters")
SCHEMA = {"drop_in": "prune-report-v0.6.schema.json", "ours": "prune-report.schema.json"}

# Questions for a real binary: table, arguments. Each is asked in both formats of a name.
RUNS = [
    ("test-table", []),
    ("test-table", ["--verbose"]),
    ("test-table", ["--explain-why"]),
    ("test-table", ["-w", "age > 40 AND country = 'DE'", "--verbose", "--explain-why", "--min-pruning", "50", "--assert-stats"]),
    ("test-table", ["-w", "country = 'DE' OR age > 30", "--explain-why"]),
    ("test-table", ["-w", "UPPER(country) = 'DE' AND name IS NOT NULL", "--explain-why", "--min-pruning", "99"]),
    ("test-table", ["-w", "country LIKE '%E'", "--verbose", "--limit", "2"]),
    ("test-table", ["-w", "age > 4", "--min-pruning=nan"]),
    ("test-table-empty", ["-w", "region = 'x'", "--verbose"]),
    ("test-table-partial-stats", ["--assert-stats", "--verbose"]),
]


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


class Tally:
    passed = failed = skipped = 0

    def check(self, ok, what):
        if ok:
            self.passed += 1
        else:
            self.failed += 1
            print("FAILED:", what)

    def skip(self, why):
        self.skipped += 1
        print("skipped:", why)


def objects_in(value, path=()):
    """Every object of a document with fixed keys, as a path of keys and positions."""
    if isinstance(value, dict):
        if path and path[-1] in FREE:
            return
        yield path
        for key, item in value.items():
            yield from objects_in(item, path + (key,))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from objects_in(item, path + (i,))


def mutants(document):
    """The document with one key added or removed, or one value replaced by something of no sensible kind.

    `explain` may be absent, and `files` of a snapshot; `files` and `files_truncated` only together.
    """
    for path in objects_in(document):
        for key in [None] + sorted(document_at(document, path)):
            for change in ["add"] if key is None else ["remove", "replace"]:
                if change == "remove" and not path and (key == "explain" or key == "files" and "log" in document):
                    continue
                if change == "replace" and key in FREE[2:]:
                    continue
                copied = copy.deepcopy(document)
                place = document_at(copied, path)
                if change == "add":
                    place["surprise"] = 1
                elif change == "remove":
                    del place[key]
                else:
                    place[key] = {"surprise": [1]}
                yield f"{change} {key} at {'/'.join(map(str, path)) or 'top'}", copied


def document_at(document, path):
    for step in path:
        document = document[step]
    return document


def check_documents(validators, tally):
    for name in sorted(os.listdir(DOCUMENTS)):
        kind = "ours" if name.startswith("ours_") else "drop_in"
        document = load(os.path.join(DOCUMENTS, name))
        error = next(validators[kind].iter_errors(document), None)
        tally.check(error is None, f"{name}: {error and error.message}")
        other = "drop_in" if kind == "ours" else "ours"
        tally.check(not validators[other].is_valid(document), f"{name} is valid under the schema of the other name")
        accepted = [what for what, mutant in mutants(document) if validators[kind].is_valid(mutant)]
        tally.check(not accepted, f"{name}: the schema accepts: {accepted[:3]}")


def ask(binary, kind, table, args):
    command = ["delta-explain", table] if kind == "drop_in" else ["lakeproof", "prune", table]
    done = subprocess.run(command + args + ["--format", "json"], executable=binary, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=60)
    return done.stdout.decode("utf-8"), done.stderr.decode("utf-8", "replace")


def keys_are_sorted(pairs):
    keys = [key for key, _ in pairs]
    if keys != sorted(keys):
        raise ValueError(f"keys out of order: {keys}")
    return dict(pairs)


def check_binary(binary, validators, tally):
    for table, args in RUNS:
        path = os.path.join(TABLES, table)
        if not os.path.isdir(path):
            tally.skip(f"no table {table}")
            continue
        for kind, validator in validators.items():
            what = f"{kind} {table} {' '.join(args)}"
            out, err = ask(binary, kind, path, args)
            try:
                document = json.loads(out, object_pairs_hook=keys_are_sorted)
            except ValueError as problem:
                tally.check(False, f"{what}: {problem}: {err[:200]}")
                continue
            error = next(validator.iter_errors(document), None)
            tally.check(error is None, f"{what}: {error and error.message}")


def snapshot(binary, table, *arguments):
    done = subprocess.run([binary, "snapshot", table, *arguments], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=60)
    return done.stdout.decode("utf-8")


def check_sorted(value):
    """Raises at the first object whose keys do not stand in order; what a writer wrote keeps its own."""
    if isinstance(value, dict):
        keys_are_sorted(value.items())
        for key, item in value.items():
            if key not in FREE[2:]:
                check_sorted(item)
    elif isinstance(value, list):
        for item in value:
            check_sorted(item)


def check_snapshots(binary, validators, tally):
    for table in OWN_TABLES:
        document = json.loads(snapshot(binary, table, "--files", "--format", "json"))
        error = next(validators["report"].iter_errors(document), None)
        tally.check(error is None, f"snapshot {table}: {error and error.message}")
        try:
            check_sorted(document)
        except ValueError as problem:
            tally.check(False, f"snapshot {table}: {problem}")
        lines = [json.loads(line) for line in snapshot(binary, table, "--files", "--format", "ndjson").splitlines()]
        tally.check(lines == document["files"], f"snapshot {table}: the lines are not the array `files`")
        tally.check(all(validators["file"].is_valid(line) for line in lines), f"snapshot {table}: a line is not valid")
        if os.path.basename(table) not in MUTATED:
            continue
        accepted = [what for what, mutant in mutants(document) if validators["report"].is_valid(mutant)]
        tally.check(not accepted, f"snapshot {table}: the schema accepts: {accepted[:3]}")


def check_folders(binary, validator, tally):
    """The document with the folder in it. A folder without `files` is valid, so that mutant is left out."""
    for table in OWN_TABLES:
        document = json.loads(snapshot(binary, table, "--disk", "--files", "--format", "json"))
        error = next(validator.iter_errors(document), None)
        tally.check(error is None, f"snapshot --disk {table}: {error and error.message}")
        lines = [json.loads(line) for line in snapshot(binary, table, "--disk", "--files", "--format", "ndjson").splitlines()]
        tally.check(lines == document["disk"]["files"], f"snapshot --disk {table}: the lines are not the array `files`")
        if os.path.basename(table) in MUTATED:
            accepted = [what for what, mutant in mutants(document) if " at disk" in what and what != "remove files at disk"
                        and validator.is_valid(mutant)]
            tally.check(not accepted, f"snapshot --disk {table}: the schema accepts: {accepted[:3]}")


def check_differences(binary, validator, tally):
    for table in OWN_TABLES:
        done = subprocess.run([binary, "diff", table, "latest", "latest", "--verbose", "--format", "json", "--max-growth", "1",
                               "-w", "no_such_column = 1 OR true"], cwd=ROOT, capture_output=True, timeout=60)
        tally.check(done.returncode == 1 and not done.stdout, f"diff {table}: a predicate that nobody can take")
        first = str(json.loads(snapshot(binary, table, "--format", "json"))["log"]["readable_versions"][0]["first"])
        for versions in ((first, "latest"), ("latest", first)):
            done = subprocess.run([binary, "diff", table, *versions, "--verbose", "--format", "json", "--max-growth", "1",
                                   "-w", "1 = 1"], cwd=ROOT, capture_output=True, timeout=60)
            document = json.loads(done.stdout, object_pairs_hook=keys_are_sorted)
            error = next(validator.iter_errors(document), None)
            tally.check(error is None, f"diff {table}: {error and error.message}")
            if os.path.basename(table) in MUTATED:
                accepted = [what for what, mutant in mutants(document) if validator.is_valid(mutant)]
                tally.check(not accepted, f"diff {table}: the schema accepts: {accepted[:3]}")


def check_plans(binary, validator, tally):
    """Also that together they have every kind of operator, that numbers mean what they should, and that keys are in order."""
    kinds = set()
    for text in PLAN_TEXTS:
        for declared in (["--ddl", "/dev/stdin"], []):
            with open(os.path.join(tempfile.gettempdir(), f"lakeproof_plan_{os.getpid()}.sql"), "w", encoding="utf-8") as f:
                f.write(text)
            done = subprocess.run([binary, "sql", "plan", f.name, "--dialect", "postgres", "--format", "json", *declared],
                                  input=PLAN_DDL.encode(), capture_output=True, timeout=60)
            os.unlink(f.name)
            if not done.stdout:
                tally.check(False, f"plan {text}: {done.stderr.decode()}")
                continue
            document = json.loads(done.stdout)
            error = next(validator.iter_errors(document), None)
            tally.check(error is None, f"plan {text}: {error and error.message}")
            try:
                json.loads(done.stdout, object_pairs_hook=lambda pairs: dict(pairs) if pairs and pairs[0][0] == "line" else keys_are_sorted(pairs))
            except ValueError as problem:
                tally.check(False, f"plan {text}: {problem}")
            for plan in filter(None, (s["plan"] for s in document["statements"])):
                nodes, columns = plan["nodes"], plan["columns"]
                kinds |= {node["kind"] for node in nodes}
                tally.check([n["id"] for n in nodes] == list(range(len(nodes))) and plan["root"] == len(nodes) - 1
                            and all(i < n["id"] for n in nodes for i in n["inputs"]), f"plan {text}: inputs stand before users")
                tally.check([c["id"] for c in columns] == list(range(len(columns))), f"plan {text}: columns by number")
                tally.check({r["column"] for r in plan["result"]} <= set(nodes[-1]["columns"]), f"plan {text}: the root has the result")
            if not declared:
                accepted = [what for what, mutant in mutants(document) if validator.is_valid(mutant)]
                tally.check(not accepted, f"plan {text}: the schema accepts: {accepted[:3]}")
    known = {v["properties"]["kind"]["const"] for k, v in validator.schema["$defs"].items() if k.endswith("_node")}
    tally.check(kinds == known, f"operators without a text: {sorted(known - kinds)}, unknown to the schema: {sorted(kinds - known)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary")
    options = parser.parse_args()
    try:
        import jsonschema
    except ImportError:
        print("the Python package jsonschema is not installed")
        print("0 passed, 0 failed, 1 skipped")
        return 77
    schemas = {name: load(os.path.join(ROOT, "schemas", name)) for name in [*SCHEMA.values(), *SNAPSHOT_SCHEMA.values(), DIFF_SCHEMA, PLAN_SCHEMA]}
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    validators = {kind: jsonschema.Draft202012Validator(schemas[name]) for kind, name in SCHEMA.items()}
    of_snapshot = {kind: jsonschema.Draft202012Validator(schemas[name]) for kind, name in SNAPSHOT_SCHEMA.items()}
    tally = Tally()
    line, entry = schemas[SNAPSHOT_SCHEMA["file"]], schemas[SNAPSHOT_SCHEMA["report"]]["$defs"]["file"]
    tally.check(all(line[key] == entry[key] for key in entry), "a line of ndjson and an entry of `files` have one schema")
    check_documents(validators, tally)
    if options.binary:
        check_binary(os.path.abspath(options.binary), validators, tally)
        check_snapshots(os.path.abspath(options.binary), of_snapshot, tally)
        check_folders(os.path.abspath(options.binary), of_snapshot["report"], tally)
        check_differences(os.path.abspath(options.binary), jsonschema.Draft202012Validator(schemas[DIFF_SCHEMA]), tally)
        check_plans(os.path.abspath(options.binary), jsonschema.Draft202012Validator(schemas[PLAN_SCHEMA]), tally)
    else:
        tally.skip("no --binary")
    print(f"{tally.passed} passed, {tally.failed} failed, {tally.skipped} skipped")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
