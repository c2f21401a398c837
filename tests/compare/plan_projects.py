#!/usr/bin/env python3
"""plan_projects.py - public dbt projects bound model by model, each with the columns of those that it reads.

Called by: tests/suites.ini, people.  Must not know: how names are found.

usage: plan_projects.py --tool build/dev/tests/plan_project --shared ../shared [--only PROJECT] [--show N]
1. A model that binds to no relations at all (plan_failures.txt lists those that do not) binds to those of its project too.
2. Where the columns of its sources are known the result has the columns, in order, that catalog.json has: the warehouse's answer.
A model that has to be bound again to open relations is counted: its project's column lists are not up to date, or were made up.
Where --shared is absent everything is skipped. Last line: `N passed, N failed, N skipped`.
"""
import argparse
import collections
import gzip
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from suite import finish  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--tool", required=True)
parser.add_argument("--shared", default=str(HERE.parents[2] / "shared"))
parser.add_argument("--only", default="")
parser.add_argument("--show", type=int, default=20)
options = parser.parse_args()
SHARED = pathlib.Path(options.shared)
KNOWN = {line.split()[0] for line in (HERE / "plan_failures.txt").read_text().splitlines() if line.strip()}
passed = failed = 0


def check(good, what):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good and failed <= options.show:
        print(f"FAILED {what}")


def bind(path):
    """unique id -> (bound again, kind, rest of the line); unique id -> materialization"""
    with tempfile.TemporaryDirectory() as folder:
        with (gzip.open(path) if path.suffix == ".gz" else path.open("rb")) as text, open(f"{folder}/manifest.json", "wb") as out:
            shutil.copyfileobj(text, out)
        catalog = path.parent / "catalog.json"
        if catalog.exists():
            shutil.copyfile(catalog, f"{folder}/catalog.json")
        nodes = json.loads(pathlib.Path(folder, "manifest.json").read_bytes())["nodes"]
        done = subprocess.run([options.tool, folder], capture_output=True, text=True)
    check(done.returncode == 0, f"{path.parent.name}: {done.stderr}")
    found = {}
    for line in done.stdout.splitlines():
        uid, again, kind, rest = re.match(r"(\S+) (again \(.*?\) )?(ok|unknown|error|none) ?(.*)", line).groups()
        found[uid] = (bool(again), kind, rest)
    return found, {uid: node["config"].get("materialized") for uid, node in nodes.items()}


def main():
    manifests = sorted(SHARED.glob("fixtures/dbt*/*/manifest.json*"))
    manifests = [m for m in manifests if options.only in m.parent.name]
    if not manifests:
        print(f"SKIP all: no dbt manifests below {SHARED}")
        finish(0, 0, 1)
    for path in manifests:
        project, counts = path.parent.name, collections.Counter()
        catalog = path.parent / "catalog.json"
        tables = json.loads(catalog.read_text())["nodes"] if catalog.exists() else {}
        found, materialized = bind(path)
        for uid, (again, kind, rest) in found.items():
            check(kind != "error" or f"{project}:{uid}" in KNOWN, f"{project} {uid}: {rest}")
            counts[kind] += 1
            counts["again"] += again
            if kind != "ok" or uid not in tables or again:
                continue
            ours, theirs = json.loads(rest), sorted(tables[uid]["columns"].values(), key=lambda c: c["index"])
            if ours[-1:] == ["..."]:
                counts["open"] += 1
                continue
            counts["compared"] += 1
            # A table that is built up keeps the order of its first build.
            order = sorted if materialized[uid] == "incremental" else list
            check(order(c.lower() for c in ours) == order(c["name"].lower() for c in theirs),
                  f"{project} {uid}: expected {[c['name'] for c in theirs]}, found {ours}")
        print(project, ", ".join(f"{n} {k}" for k, n in sorted(counts.items()) if n))
    finish(passed, failed, 0)


main()
