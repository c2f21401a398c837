#!/usr/bin/env python3
"""make_coverage_doc.py - how far the models of public dbt projects are understood: docs/coverage.md.

usage: make_coverage_doc.py --binary build/release/lakeproof --shared ../shared [--write | --check]
Runs `lakeproof facts --all` on each project and counts models by status, by whether a key of their rows is known, and the reasons of
those that are unknown. --write writes the page; --check fails when a share is below its floor: 90 % of the models in SQL known or
partial, a key for 55 % of all models.

Called by: people, tests/suites.ini.  Must not know: how facts are found.
"""
import argparse
import collections
import glob
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs", "coverage.md")
NOT_SQL = "a Python model"
HEAD = """# How far real projects are understood

Made by `scripts/make_coverage_doc.py` from the manifests of public dbt projects; the test command holds the shares. *Known*: a key of the
model's rows is known, proved from its SQL or declared. *Partial*: what is stated holds, but no key is known: nothing declares one for
a source below, and nothing in the SQL makes one. *Unknown*: an operator or a name stopped the analysis, and nothing is reported above it;
a scan of such a model starts afresh from its own declarations. *Key in the result*: a key over the columns that the model shows.

| project | models | known | partial | unknown | key in the result |
|---|---:|---:|---:|---:|---:|
"""


def manifests(shared):
    fixtures = os.path.join(shared, "fixtures")
    found = glob.glob(fixtures + "/dbt/**/manifest.json*", recursive=True) + glob.glob(fixtures + "/dbt-projects/*/manifest.json*")
    return sorted((os.path.relpath(os.path.dirname(path), fixtures), path) for path in found)


def unpack(path, folder):
    for source in glob.glob(os.path.dirname(path) + "/*.json*"):
        name = os.path.basename(source)
        target = os.path.join(folder, name.removesuffix(".gz"))
        with (gzip.open(source) if name.endswith(".gz") else open(source, "rb")) as data, open(target, "wb") as out:
            shutil.copyfileobj(data, out)
    return os.path.join(folder, "manifest.json")


def facts_of(binary, manifest):
    done = subprocess.run([binary, "facts", "--project", manifest, "--all", "--format", "ndjson"], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def reason_of(model):
    text = re.sub(r"line \d+, column \d+: ", "", model.get("reason") or "?").split(" at ")[0]
    return re.sub(r"no column \S+.*", "a column that the manifest does not know", text)


def collect(args):
    rows, reasons = [], collections.Counter()
    for name, path in manifests(args.shared):
        with tempfile.TemporaryDirectory() as folder:
            models = facts_of(args.binary, unpack(path, folder))
        status = collections.Counter(model["status"] for model in models)
        keyed = sum(bool(model.get("keys") or model.get("lax_keys")) for model in models)
        rows.append((name, len(models), status["known"], status["partial"], status["unknown"], keyed))
        reasons.update(reason_of(model) for model in models if model["status"] == "unknown")
    return rows, reasons


def page_of(rows, reasons):
    total = [sum(row[i] for row in rows) for i in range(1, 6)]
    text = HEAD + "".join(f"| {row[0]} | {' | '.join(str(n) for n in row[1:])} |\n" for row in rows)
    text += f"| **all** | {' | '.join(f'**{n}**' for n in total)} |\n"
    text += "\n## Why models are unknown\n\n| reason | models |\n|---|---:|\n"
    return text + "".join(f"| {reason} | {count} |\n" for reason, count in sorted(reasons.items(), key=lambda item: (-item[1], item[0])))


def shares(rows, reasons):
    models, known, partial = (sum(row[i] for row in rows) for i in (1, 2, 3))
    return 100 * (known + partial) / (models - reasons[NOT_SQL]), 100 * known / models


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--shared", required=True)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    rows, reasons = collect(args)
    if args.write:
        with open(PAGE, "w", encoding="utf-8") as page:
            page.write(page_of(rows, reasons))
    understood, keyed = shares(rows, reasons)
    print(f"known or partial: {understood:.1f} % of the models in SQL; a key of the rows: {keyed:.1f} % of all models")
    failed = (understood < 90) + (keyed < 55)
    if args.check:
        print(f"{2 - failed} passed, {failed} failed, 0 skipped")
    return 1 if args.check and failed else 0


if __name__ == "__main__":
    sys.exit(main())
