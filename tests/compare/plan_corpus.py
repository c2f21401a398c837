#!/usr/bin/env python3
"""plan_corpus.py - queries of public projects, bound: do all names resolve, and are the columns of the result right?

Called by: tests/suites.ini, people.  Must not know: how names are found.

usage: plan_corpus.py --batch build/release/tests/plan_batch --shared ../shared [--show N]
1. The queries of oracles/fd_corpus.json with their tables: the result has the columns that PostgreSQL gave.
2. The models of the dbt projects in fixtures/, without any catalog: in each project at least as many bind as with sqlglot's
   `qualify` (loose; the table of fixtures/dbt-projects/README.md). Models that do not bind are in plan_failures.txt with the
   reason; one that is listed there and binds fails, so that the list can only shrink.
A model with an operator that is not modelled counts as bound: it is no matter of names. How many there are is printed. Where
--shared is absent everything is skipped. Last line: `N passed, N failed, N skipped`.
"""
import argparse
import collections
import gzip
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
DIALECTS = {"postgres", "redshift", "snowflake", "bigquery", "databricks", "spark", "duckdb", "trino", "athena"}

parser = argparse.ArgumentParser()
parser.add_argument("--batch", required=True)
parser.add_argument("--shared", default=str(HERE.parents[2] / "shared"))
parser.add_argument("--show", type=int, default=20)
options = parser.parse_args()
SHARED = pathlib.Path(options.shared)
passed = failed = 0


def check(good, what):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good and failed <= options.show:
        print(f"FAILED {what}")


def bind(records):
    """(dialect, sql, ddl) -> one line each."""
    text = b"".join(f"{d} {len(s)} {len(t)}\n".encode() + s + t for d, s, t in ((d, s.encode(), t.encode()) for d, s, t in records))
    done = subprocess.run([options.batch, "columns"], input=text, capture_output=True)
    lines = done.stdout.decode().splitlines()
    check(done.returncode == 0 and len(lines) == len(records), f"{len(records)} records, {len(lines)} answers: {done.stderr.decode()[-300:]}")
    return lines


def numbered(names):
    count = collections.Counter(names)
    return [n if count[n] == 1 else f"{n}#{i}" for i, n in enumerate(names, 1)]


def check_corpus():
    entries = json.loads((SHARED / "oracles" / "fd_corpus.json").read_text())
    lines = bind([(e["dialect"], e["sql"], ";\n".join(e["ddl"]) + ";\n") for e in entries])
    for entry, line in zip(entries, lines):
        state, _, rest = line.partition(" ")
        found = numbered(json.loads(rest)) if state == "ok" else line
        check(found == entry["columns"], f"{entry['id']}: expected {entry['columns']}, found {found}: {entry['sql'][:200]}")


def floors():
    """Project -> models that sqlglot's loose qualify takes, of how many."""
    table = (SHARED / "fixtures" / "dbt-projects" / "README.md").read_text()
    rows = re.findall(r"^\| (\S+) \| (\d+) \| \d+ \| \d+ \| (\d+) \|$", table, re.M)
    return {name.removeprefix("../dbt/"): (int(loose), int(models)) for name, models, loose in rows}


def models(path):
    manifest = json.loads((gzip.open if path.suffix == ".gz" else open)(path).read())
    adapter = manifest["metadata"].get("adapter_type")
    dialect = adapter if adapter in DIALECTS else "ansi"
    for uid, node in manifest["nodes"].items():
        sql = node.get("compiled_code")
        if node["resource_type"] in ("model", "snapshot") and sql and node.get("language", "sql") == "sql":
            yield uid, dialect, sql


def listed():
    lines = (HERE / "plan_failures.txt").read_text().splitlines()
    return {line.split()[0] for line in lines if line and not line.startswith("#")}


def check_projects():
    known, floor, met, totals = listed(), floors(), set(), collections.Counter()
    for path in sorted((SHARED / "fixtures").glob("dbt*/*/manifest.json*")):
        project = path.parent.name
        all_models = list(models(path))
        lines = bind([(dialect, sql, "") for _, dialect, sql in all_models])
        states = collections.Counter(line.split()[0] for line in lines)
        totals.update(states)
        for (uid, _, _), line in zip(all_models, lines):
            name = f"{project}:{uid}"
            is_bound = not line.startswith("error")
            check(is_bound != (name in known), f"{name}: {'is in plan_failures.txt and binds' if is_bound else line}")
            met.add(name)
        loose, of = floor.get(project, (0, 0))
        bound = len(lines) - states["error"]
        check(bound >= loose - (of - len(lines)), f"{project}: {bound} of {len(lines)} bind, sqlglot {loose} of {of}")
    check(not known - met, f"plan_failures.txt names models that are not there: {sorted(known - met)[:5]}")
    print(f"models: {totals['ok']} bound, {totals['unknown']} with an operator that is not modelled, {totals['error']} not bound")


def main():
    if not SHARED.exists():
        print("0 passed, 0 failed, 2 skipped")
        return 77
    check_corpus()
    check_projects()
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed > 0


sys.exit(main())
