#!/usr/bin/env python3
"""oracles.py - an oracle of the shared folder, in both levels and with and without trust in float maxima; no exception is unlisted.

Called by: tests/suites.ini, people.  Must not know: how files are dropped.

usage: oracles.py --binary 'lakeproof prune' --shared ../shared --oracle matrix|spark-truth|cases [--loose FILE] [--refused FILE]
Runs the runner of the oracle as it is, once for each setting. A failure is:
- an unsound answer, a crash; with --nan strict also an answer that leans on a float maximum that hides a NaN;
- an error that refused.txt does not name, in any setting, and a line of refused.txt that is an error no more;
- with --level extended: a loose answer that loose.txt does not name, and a line of loose.txt that is loose no more;
- extended keeps a file that contract drops, or trust one that --nan strict drops;
- an answer that leans on a float maximum and does not say so in its note, for how many files.
A line `oracle NAME: ...` tells the figures of each setting. Last line: `N passed, N failed, N skipped`.
"""
import argparse
import contextlib
import importlib.util
import io
import json
import os
import re
import runpy
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import suite

SETTINGS = {"contract": "", "extended": "--level extended", "contract, --nan strict": "--nan strict",
            "extended, --nan strict": "--level extended --nan strict"}
TRUST = "FLOAT_MAX_TRUSTED"
RUN = subprocess.run


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


# ---------------------------------------------------------------- running

class Answers:
    """What a run gave: tried, skipped; unsound, loose and refused as {(table, predicate): why}; and the answers themselves
    as {question: (kept files, for how many of them a maximum is said to be trusted)}."""

    def __init__(self):
        self.tried = self.skipped = self.loose_count = 0  # a question may be loose in several zones
        self.unsound, self.loose, self.refused, self.kept = {}, {}, {}, {}


def kept_and_trusted(output):
    report = json.loads(output)
    notes = [n["message"] for n in report.get("analysis", {}).get("notes", []) if n["code"] == TRUST]
    return {f["path"] for f in report["files"] if f["kept"]}, int(notes[0].split()[0]) if notes else 0


def recording(answers, is_asking):
    """As subprocess.run, which the runners call for each question."""
    def run(command, **more):
        done = RUN(command, **more)
        where = next((a for a in command if a.startswith("--where=")), None)
        if is_asking(command) and where and done.returncode == 0:
            zone = command[command.index("--timezone") + 1]
            table = next(a for a in command if os.sep in a and os.path.isdir(a))
            answers.kept[os.path.basename(table), where[len("--where="):], zone] = kept_and_trusted(done.stdout)
        return done
    return run


@contextlib.contextmanager
def in_place(argv, run):
    """The arguments and subprocess.run of a script that runs in this process; what it prints is caught."""
    printed, before = io.StringIO(), sys.argv
    sys.argv, subprocess.run = argv, run
    try:
        with contextlib.redirect_stdout(printed), contextlib.suppress(SystemExit):
            yield printed
    finally:
        sys.argv, subprocess.run = before, RUN


def run_verdicts(options, script, table_key, arguments):
    """A runner that writes its verdicts as JSON."""
    answers, path, binary = Answers(), os.path.join(options.shared, "oracles", script), shlex.split(options.binary)
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        argv = [path, "--binary", options.binary, f"--args={arguments}", "--json", out.name]
        with in_place(argv, recording(answers, lambda c: c[:len(binary)] == binary)) as printed:
            runpy.run_path(path, run_name="__main__")
        verdicts = json.load(open(out.name, encoding="utf8"))
    last = printed.getvalue().strip().splitlines()[-1]
    figures = dict((name, int(n)) for name, n in re.findall(r"([\w-]+) (\d+)", last))
    answers.skipped = figures.get("no-law", 0)
    answers.tried = figures["of"] - answers.skipped
    answers.loose_count = sum(n for name, n in figures.items() if name.startswith("loose"))
    for v in verdicts:
        kinds = {"unsound": answers.unsound, "crash": answers.unsound, "error": answers.refused, "refused": answers.refused,
                 "loose": answers.loose, "loose-peer": answers.loose, "loose-ref": answers.loose, "nan": {}}
        kinds[v["verdict"]][v[table_key], v["where"]] = v["why"]
    for name, kind in (("unsound", answers.unsound), ("errors", answers.refused), ("refused", answers.refused)):
        suite.holds(figures.get(name, 0) >= 0 and (not figures.get(name) or kind), f"{name} in the totals and none in the list")
    return answers


def run_cases(options, level):
    """The cases, whose runner prints what it calls a failure: here loose answers too."""
    answers, path = Answers(), os.path.join(options.shared, "cases", "run_cases.py")
    spec = importlib.util.spec_from_file_location("run_cases", path)
    cases = importlib.util.module_from_spec(spec)
    sys.modules["run_cases"] = cases
    spec.loader.exec_module(cases)
    cases.FAILED = (cases.LOOSE, cases.WRONG, cases.UNSOUND)
    with in_place([path, "--binary", f"{options.binary} {level}"], RUN) as printed:
        cases.main()
    text = printed.getvalue()
    for label, case, where, why in re.findall(r"^(LOOSE|WRONG|UNSOUND) (\S+) run \d+ .*? \| (.*?)()$", text, re.M):
        (answers.loose if label == "LOOSE" else answers.unsound)[case, where.strip()] = label + why
    answers.loose_count = len(answers.loose)
    total = re.search(r"^total +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+)$", text, re.M)
    answers.tried, answers.skipped = int(total.group(1)), int(total.group(6))
    return answers


# ---------------------------------------------------------------- judging

class Judge:
    def __init__(self, oracle, loose, refused):
        self.oracle, self.passed, self.failed, self.skipped = oracle, 0, 0, 0
        self.listed_loose, self.listed_refused = ({k[1:]: why for k, why in both.items() if k[0] == oracle} for both in (loose, refused))

    def fail(self, setting, question, why):
        self.failed += 1
        print(f"FAIL {self.oracle} ({setting}) {question[0]}: {question[1]}: {why}")

    def hold_to_list(self, setting, found, listed, what):
        for question in sorted(set(found) - set(listed)):
            self.fail(setting, question, f"is {what} ({found[question]}), and no reason is listed")
        for question in sorted(set(listed) - set(found)):
            self.fail(setting, question, f"is listed, and {what} no more")

    def take(self, setting, answers):
        before = self.failed
        for question, why in sorted(answers.unsound.items()):
            self.fail(setting, question, f"is unsound or wrong: {why}")
        self.hold_to_list(setting, answers.refused, self.listed_refused, "an error")
        if setting == "extended":
            self.hold_to_list(setting, answers.loose, self.listed_loose, "loose")
        print(f"oracle {self.oracle} ({setting}): tried {answers.tried}, unsound {len(answers.unsound)}, loose {answers.loose_count}, "
              f"skipped {answers.skipped}; refused {len(answers.refused)}")
        self.passed += max(0, answers.tried - (self.failed - before))
        self.skipped += answers.skipped

    def subset(self, less, more, what):
        """What the first keeps, the second keeps."""
        suite.equal(set(less.kept), set(more.kept), "the questions of two settings")
        for question in less.kept:
            extra = less.kept[question][0] - more.kept[question][0]
            if extra:
                self.fail("both", question, f"{what}: {sorted(extra)}")

    def notes(self, setting, trusting, strict):
        """The note tells for how many files the answer leans on a float maximum."""
        leaning = 0
        for question, (kept, told) in trusting.kept.items():
            leaned = len(strict.kept[question][0] - kept)
            leaning += leaned > 0
            if leaned != told:
                self.fail(setting, question, f"{leaned} files are dropped by trust in a maximum, the note says {told}")
            if strict.kept[question][1]:
                self.fail(f"{setting}, --nan strict", question, "a strict answer says that it trusts a maximum")
        print(f"{self.oracle} ({setting}): {leaning} answers lean on a float maximum, and say so")


def run_oracle(options, judge):
    script, key = {"matrix": ("run_matrix.py", "id"), "spark-truth": ("run_spark_truth.py", "table")}[options.oracle]
    answers = {setting: run_verdicts(options, script, key, arguments) for setting, arguments in SETTINGS.items()}
    for setting in SETTINGS:
        judge.take(setting, answers[setting])
    for more in ("", ", --nan strict"):
        judge.subset(answers["extended" + more], answers["contract" + more], f"extended keeps more than contract{more}")
    for level in ("contract", "extended"):
        judge.subset(answers[level], answers[level + ", --nan strict"], f"{level} with trust keeps more than without")
        judge.notes(level, answers[level], answers[level + ", --nan strict"])


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--binary", required=True)
    options.add_argument("--shared", required=True)
    options.add_argument("--oracle", required=True, choices=("matrix", "spark-truth", "cases"))
    options.add_argument("--loose", default=os.path.join(HERE, "loose.txt"))
    options.add_argument("--refused", default=os.path.join(HERE, "refused.txt"))
    options = options.parse_args()
    options.binary = " ".join(shlex.quote(os.path.abspath(w) if i == 0 else w) for i, w in enumerate(shlex.split(options.binary)))
    if not os.path.isdir(os.path.join(options.shared, "oracles")):
        print(f"SKIP {options.oracle}: no {options.shared}/oracles")
        suite.finish(0, 0, 1)
    judge = Judge(options.oracle, read_list(options.loose), read_list(options.refused))
    if options.oracle == "cases":
        for setting in ("contract", "extended"):
            judge.take(setting, run_cases(options, SETTINGS[setting]))
    else:
        run_oracle(options, judge)
    suite.finish(judge.passed, judge.failed, judge.skipped)


main()
