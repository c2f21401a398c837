#!/usr/bin/env python3
"""validate.py - hold an installed lakeproof to its word: see README.md beside this file.

usage: validate.py [--binary LAKEPROOF] [--tables FOLDER] [--seed N] [--layers]
The last line is `N passed, N failed, N skipped`; exit 1 if a check failed.
"""
import argparse
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys

import judge
import replay

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
PREDICATES_A_TABLE = 40


class Run:
    def __init__(self, binary, shown):
        self.binary, self.shown = shlex.split(binary), shown
        if os.sep in self.binary[0]:
            self.binary[0] = os.path.abspath(self.binary[0])
        self.passed = self.failed = self.skipped = 0
        self.tried = self.unsound = self.loose = 0  # predicates of the replay

    def call(self, *args):
        done = subprocess.run([*self.binary, *map(str, args)], cwd=ROOT, capture_output=True, timeout=120, text=True)
        return done.returncode, done.stdout, done.stderr

    def report(self, table, where, *args):
        """The JSON report with its files; None, after a failed check, when there is none."""
        code, out, err = self.call("prune", table, "--where", where, "--format", "json", "--verbose", *args)
        if code == 0:
            return json.loads(out)
        self.check(False, f"{table}: {where}: exit {code}: {err.strip()}")
        return None

    def check(self, good, what):
        self.passed += bool(good)
        self.failed += not good
        if not good and self.failed <= self.shown:
            print(f"FAILED {what}")
        return good

    def expect(self, what, found, expected):
        return self.check(found == expected, f"{what}: expected {expected!r}, found {found!r}")


def name_of(file):
    return file["path"], (file["deletion_vector"] or {}).get("id")


def kept_set(report):
    return {name_of(f) for f in report["files"] if f["kept"]}


# ---------------------------------------------------------------- cases


def check_case(run, case):
    report = run.report(case["table"], case["where"])
    if report is None:
        return
    what, analysis = f"{case['table']}: {case['where']}", report["analysis"]
    run.expect(f"{what}: files", report["total_files"], case["total"])
    if "phases" in case:
        found = [[p["name"], p["confidence"], p["input_files"], p["output_files"]] for p in report["phases"]]
        run.expect(f"{what}: phases", found, case["phases"])
    run.expect(f"{what}: survivors", report["final_files"], case["final"] if "final" in case else case["phases"][-1][3])
    run.expect(f"{what}: confidence", analysis["confidence"], case["confidence"])
    for key in ("partition_safe", "partition_exact", "stats_safe", "unsplittable"):
        if key in case:
            run.expect(f"{what}: {key}", analysis[key], case[key])
    codes = [n["code"] for n in analysis["notes"] if n["code"] != "FLOAT_MAX_TRUSTED"]
    run.expect(f"{what}: codes", codes, case["codes"])


def check_refusal(run, case):
    code, out, err = run.call(*case["args"])
    what = shlex.join(case["args"])
    run.expect(f"{what}: exit", code, case["exit"])
    if "message" not in case:
        return
    run.check(case["message"] in err, f"{what}: expected {case['message']!r} on standard error, found {err.strip()!r}")
    if not case["message"].startswith("ASSERTION"):
        run.expect(f"{what}: standard output", out, "")


# ---------------------------------------------------------------- replay


def leaf(rng, table, column):
    values = judge.values_near(table, column)
    pick = lambda: rng.choice(values)
    kind = rng.randrange(6)
    if kind == 0:
        return judge.IsNull(column)
    if kind == 1:
        return judge.In(column, [pick() for _ in range(rng.randint(1, 3))])
    if kind == 2:
        return judge.Between(column, *sorted((pick(), pick())))
    return judge.Compare(column, rng.choice(("=", "<", "<=", ">", ">=", "<>")), pick())


def predicate(rng, table, columns, depth=2):
    kind = rng.randrange(5) if depth else 4
    if kind == 0:
        return judge.Not(predicate(rng, table, columns, depth - 1))
    if kind in (1, 2):
        join = judge.And if kind == 1 else judge.Or
        return join([predicate(rng, table, columns, depth - 1) for _ in range(2)])
    return leaf(rng, table, rng.choice(columns))


def leans_on_nan(p):
    """NOT, and `<>`, turn what is not known of NaN around: no kept set that every reading shares."""
    if hasattr(p, "items"):
        return any(leans_on_nan(i) for i in p.items)
    if isinstance(p, judge.Not):
        return any(c.type == "double" for c in columns_of(p))
    return getattr(p, "op", None) == "<>" and p.column.type == "double"


def columns_of(p):
    if hasattr(p, "items"):
        return [c for i in p.items for c in columns_of(i)]
    return columns_of(p.item) if isinstance(p, judge.Not) else [p.column]


def check_replay(run, folder, rng):
    try:
        table = replay.replay(ROOT / folder)
    except replay.NeedsCheckpoint:
        run.skipped += 1
        return
    columns = [c for c in table.columns if judge.usable(table, c) and (c.type != "double" or table.names_writer)]
    whole = run.report(folder, "TRUE")
    if whole is None:
        return
    run.expect(f"{folder}: version", whole["version"], table.version)
    run.expect(f"{folder}: live files", {name_of(f) for f in whole["files"]}, {f.name for f in table.files})
    for _ in range(PREDICATES_A_TABLE if columns else 0):
        p = predicate(rng, table, columns)
        if leans_on_nan(p):
            continue
        report = run.report(folder, p.sql())
        if report:
            found, expected = kept_set(report), judge.kept(p, table.files)
            lost, more = expected - found, found - expected
            run.tried, run.unsound, run.loose = run.tried + 1, run.unsound + bool(lost), run.loose + bool(more)
            run.check(found == expected, f"{folder}: {p.sql()}: dropped and needed {sorted(lost, key=str)}, kept for nothing {sorted(more, key=str)}")


# ---------------------------------------------------------------- laws


def equal_forms(p, q):
    a, b = p.sql(), q.sql()
    yield f"NOT (({a}) OR ({b}))", f"(NOT ({a})) AND (NOT ({b}))"
    yield f"NOT (({a}) AND ({b}))", f"(NOT ({a})) OR (NOT ({b}))"
    yield f"({a}) AND ({b})", f"({b}) AND ({a})"
    yield f"({a}) OR ({b})", f"({b}) OR ({a})"
    yield f"NOT (NOT ({a}))", a
    yield f"(({a}) AND ({b})) OR (({a}) AND ({b}))", f"({a}) AND ({b})"
    for item in (p, q):
        if isinstance(item, judge.In):
            yield item.sql(), judge.Or([judge.Compare(item.column, "=", v) for v in item.values] * 2).sql()
        if isinstance(item, judge.Between):
            yield item.sql(), judge.And([judge.Compare(item.column, ">=", item.low), judge.Compare(item.column, "<=", item.high)]).sql()


def check_pair(run, folder, left, right):
    a, b = run.report(folder, left), run.report(folder, right)
    if a and b:
        run.check(kept_set(a) == kept_set(b), f"{folder}: not the same files: {left}  and  {right}")


def check_laws(run, folder, rng):
    try:
        table = replay.replay(ROOT / folder)
    except replay.NeedsCheckpoint:
        run.skipped += 1
        return
    columns = [c for c in table.columns if judge.usable(table, c)]
    if not columns:
        run.skipped += 1
        return
    p, q = (predicate(rng, table, columns, 0) for _ in range(2))
    for left, right in equal_forms(p, q):
        check_pair(run, folder, left, right)
    texts = [c for c in columns if c.type == "string"]
    if texts:
        name = judge.name_of(rng.choice(texts))
        check_pair(run, folder, f"{name} LIKE 'a%'", f"{name} >= 'a' AND {name} < 'b'")
        check_pair(run, folder, f"sha2({name}, 256) = 'x' AND ({q.sql()})", q.sql())  # left out: keeps what the rest keeps
    one, both = run.report(folder, p.sql()), run.report(folder, f"({p.sql()}) AND ({q.sql()})")
    if one and both:
        run.check(kept_set(both) <= kept_set(one), f"{folder}: one more condition keeps more: {p.sql()}  and  {q.sql()}")
        check_figures(run, folder, both)
    check_settings(run, folder, f"({p.sql()}) OR ({q.sql()})")


def check_settings(run, folder, where):
    plain, wide, strict = (run.report(folder, where, *args) for args in ((), ("--level", "extended"), ("--nan", "strict")))
    if not (plain and wide and strict):
        return
    run.check(kept_set(wide) <= kept_set(plain), f"{folder}: extended keeps more: {where}")
    run.check(kept_set(plain) <= kept_set(strict), f"{folder}: --nan strict keeps less: {where}")
    many = run.report(folder, where, "--threads", "3")
    for report in (plain, many):
        report["elapsed_ms"] = 0
    run.check(plain == many, f"{folder}: three threads tell something else: {where}")


def check_figures(run, folder, report):
    what = f"{folder}: {report['predicate']}"
    kept = sum(f["kept"] for f in report["files"])
    run.expect(f"{what}: files listed as kept", kept, report["final_files"])
    run.expect(f"{what}: files listed", len(report["files"]), report["total_files"])
    before = report["total_files"]
    for phase in report["phases"]:
        run.expect(f"{what}: {phase['name']} starts where the last phase ended", phase["input_files"], before)
        run.expect(f"{what}: {phase['name']} loses what it pruned", before - phase["pruned_files"], phase["output_files"])
        named = sum(f["pruned_by"] == phase["name"] for f in report["files"])
        run.expect(f"{what}: files that name {phase['name']}", named, phase["pruned_files"])
        before = phase["output_files"]
    code, text, _ = run.call("prune", folder, "--where", report["predicate"], "--color", "never")
    found = re.findall(r"^(?:Files in snapshot:|  files remaining:) +([\d,]+)", text, re.M)
    numbers = [int(n.replace(",", "")) for n in found[:1] + found[-1:]]
    run.expect(f"{what}: numbers of the text report", (code, numbers), (0, [report["total_files"], report["final_files"]]))


# ---------------------------------------------------------------- layers


def print_layers(run, walks):
    for where in walks:
        code, out, err = run.call("prune", "examples/taxi", "--where", where, "--debug-ir", "/dev/stderr", "--color", "never")
        print(f"{'=' * 100}\n{where}\n{'=' * 100}\n\n{err}\n{out}")
        if code:
            return code
    return 0


def bundled_tables():
    folders = sorted(p.parent for p in (ROOT / "tests" / "data" / "tables").glob("*/_delta_log"))
    return ["examples/taxi", *(str(p.relative_to(ROOT)) for p in folders)]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", default="lakeproof", help="the program, with arguments if need be")
    options.add_argument("--tables", help="more tables: every folder in this one that holds a _delta_log")
    options.add_argument("--seed", type=int, default=1, help="of the random predicates")
    options.add_argument("--layers", action="store_true", help="print the walk of the predicates through the compiler")
    options.add_argument("--show", type=int, default=20, help="failures to print")
    a = options.parse_args()
    run, script = Run(a.binary, a.show), json.loads((HERE / "cases.json").read_text())
    if a.layers:
        return print_layers(run, script["walks"])
    for case in script["cases"]:
        check_case(run, case)
    for case in script["errors"] + script["gates"]:
        check_refusal(run, case)
    tables = bundled_tables() + ([str(p.parent) for p in sorted(pathlib.Path(a.tables).resolve().glob("*/_delta_log"))] if a.tables else [])
    print(f"seed {a.seed}, {len(tables)} tables")
    for number, folder in enumerate(tables):
        check_replay(run, folder, random.Random(a.seed * 1000 + number))
        check_laws(run, folder, random.Random(a.seed * 1000 + number))
    print(f"oracle replay in Python: tried {run.tried}, unsound {run.unsound}, loose {run.loose}, skipped {run.skipped}")
    print(f"{run.passed} passed, {run.failed} failed, {run.skipped} skipped")
    return run.failed > 0


if __name__ == "__main__":
    sys.exit(main())
