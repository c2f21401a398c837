#!/usr/bin/env python3
"""Check JSON reports against the JSON Schemas that we ship.

usage: report_schema.py [--binary PATH]
Without --binary: the documents of tests/data/report, and that the schemas are strict (a document with a key too many or
too few, or with a value of another kind, is refused). With --binary also what the program prints, under both names, for
the tables of ../shared that are there. Needs the Python package jsonschema; without it everything is skipped (exit 77).
Last line: 'N passed, N failed, N skipped'.
"""
import argparse
import copy
import json
import os
import subprocess
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
DOCUMENTS = os.path.join(ROOT, "tests", "data", "report")
TABLES = os.path.join(ROOT, "..", "shared", "fixtures", "delta-explain")
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
        if not path or path[-1] != "partition_values":
            yield path
        for key, item in value.items():
            yield from objects_in(item, path + (key,))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from objects_in(item, path + (i,))


def mutants(document):
    """The document with one key added or removed, or one value replaced by something of no sensible kind.

    `explain` may be absent; `files` and `files_truncated` only together.
    """
    for path in objects_in(document):
        for key in [None] + sorted(document_at(document, path)):
            for change in ["add"] if key is None else ["remove", "replace"]:
                if change == "remove" and key == "explain" and not path:
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
    validators = {}
    for kind, name in SCHEMA.items():
        schema = load(os.path.join(ROOT, "schemas", name))
        jsonschema.Draft202012Validator.check_schema(schema)
        validators[kind] = jsonschema.Draft202012Validator(schema)
    tally = Tally()
    check_documents(validators, tally)
    if options.binary:
        check_binary(os.path.abspath(options.binary), validators, tally)
    else:
        tally.skip("no --binary")
    print(f"{tally.passed} passed, {tally.failed} failed, {tally.skipped} skipped")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
