#!/usr/bin/env python3
"""sharpness.py - level extended keeps no file that another tool drops, but for the answers of a list, each with its reason.

Called by: tests/suites.ini, people.  Must not know: how files are dropped.

usage: sharpness.py --binary 'lakeproof prune' --shared ../shared [--list loose.txt]
Runs the oracles of the shared folder (skipping matrix, Spark's answers, public cases) with --level extended. A loose answer
that the list does not name is a failure, and so is a line of the list that is loose no more, and any unsound answer.
Last line: `N passed, N failed, N skipped`.
"""
import argparse
import contextlib
import importlib.util
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import suite

LEVEL = "--level extended"


def read_list(path):
    """{(oracle, table, predicate): reason}; every answer has a reason above it."""
    found, reason, fresh = {}, "", False
    with open(path, encoding="utf8") as lines:
        for line in (line.rstrip("\n") for line in lines):
            if not line or line.startswith("#"):
                continue
            if line.startswith("- "):
                reason, fresh = line[2:], True
            elif line.startswith("  ") and fresh:
                reason += " " + line.strip()
            else:
                fresh = False
                oracle, table, predicate = re.match(r"(\S+) (\S+): (.*)$", line).groups()
                suite.holds(reason, f"no reason above {line}")
                found[oracle, table, predicate] = reason
    return found


def run_oracle(options, script, table_key):
    """(loose answers, other wrong answers, number of answers) of a runner that writes its verdicts as JSON."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [sys.executable, os.path.join(options.shared, "oracles", script), "--binary", options.binary,
                   "--args", LEVEL, "--json", out.name]
        done = subprocess.run(command, capture_output=True, text=True)
        verdicts = json.load(open(out.name, encoding="utf8"))
    total = int(re.search(r" of (\d+)$", done.stdout.strip()).group(1))
    loose = {(v[table_key], v["where"]): v["why"] for v in verdicts if v["verdict"].startswith("loose")}
    wrong = [v for v in verdicts if v["verdict"] in ("unsound", "crash", "refused")]
    return loose, wrong, total


def run_cases(options):
    """The same of the cases, whose runner prints what it calls a failure: here loose answers too."""
    path = os.path.join(options.shared, "cases", "run_cases.py")
    spec = importlib.util.spec_from_file_location("run_cases", path)
    cases = importlib.util.module_from_spec(spec)
    sys.modules["run_cases"] = cases
    spec.loader.exec_module(cases)
    cases.FAILED = (cases.LOOSE, cases.WRONG, cases.UNSOUND)
    printed, argv = io.StringIO(), sys.argv
    sys.argv = [path, "--binary", f"{options.binary} {LEVEL}"]
    try:
        with contextlib.redirect_stdout(printed), contextlib.suppress(SystemExit):
            cases.main()
    finally:
        sys.argv = argv
    text = printed.getvalue()
    lines = re.findall(r"^(LOOSE|WRONG|UNSOUND) (\S+) run \d+ .*? \| (.*)$", text, re.M)
    loose = {(case, where.strip()): "" for label, case, where in lines if label == "LOOSE"}
    wrong = [line for line in lines if line[0] != "LOOSE"]
    return loose, wrong, int(re.search(r"^total +(\d+)", text, re.M).group(1))


def judge(oracle, answers, listed):
    loose, wrong, total = answers
    expected = {(table, predicate) for name, table, predicate in listed if name == oracle}
    new, stale = sorted(set(loose) - expected), sorted(expected - set(loose))
    for table, predicate in new:
        print(f"FAIL {oracle} {table}: {predicate}: {loose[table, predicate]}, and no reason is listed")
    for table, predicate in stale:
        print(f"FAIL {oracle} {table}: {predicate}: is listed, and loose no more")
    for answer in wrong:
        print(f"FAIL {oracle}: {answer}")
    print(f"{oracle}: {total} tried, {len(wrong)} unsound, {len(loose)} loose, all with a reason" if not new else
          f"{oracle}: {total} tried, {len(wrong)} unsound, {len(loose)} loose, {len(new)} without a reason")
    failed = len(new) + len(stale) + len(wrong)
    return total - len(new) - len(wrong), failed


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--binary", required=True)
    options.add_argument("--shared", required=True)
    options.add_argument("--list", default=os.path.join(HERE, "loose.txt"))
    options = options.parse_args()
    options.binary = " ".join(shlex.quote(os.path.abspath(w) if i == 0 else w) for i, w in enumerate(shlex.split(options.binary)))
    if not os.path.isdir(os.path.join(options.shared, "oracles")):
        print(f"SKIP sharpness: no {options.shared}/oracles")
        suite.finish(0, 0, 1)
    listed = read_list(options.list)
    results = [
        judge("matrix", run_oracle(options, "run_matrix.py", "id"), listed),
        judge("spark-truth", run_oracle(options, "run_spark_truth.py", "table"), listed),
        judge("cases", run_cases(options), listed),
    ]
    suite.finish(sum(r[0] for r in results), sum(r[1] for r in results), 0)


main()
