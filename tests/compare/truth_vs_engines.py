#!/usr/bin/env python3
"""truth_vs_engines.py - checks that no file with a matching row is dropped, on tables by Spark and delta-rs.

    truth_vs_engines.py --binary 'build/release/lakeproof prune' [--args '--level extended'] [--only TABLE ...]

Called by: the test suite and people.  Must not know: how the answers were made (tests/data/README.md tells).

For each predicate of tests/data/tables the tool's report must list exactly the live files and keep every file that
holds a matching row. A failure prints the predicate and the files that were lost; a crash, a hang and an error message
for a predicate that Spark answers are failures too.

delta-rs leaves NaN out of the maxima it records. The tool may trust such a maximum unless it is told `--nan strict`:
tables with NaN are run both ways, and only the first may lose a file that holds a NaN. It must then say so: the note
FLOAT_MAX_TRUSTED tells how many files the first run drops that the strict one keeps, and the strict run has no such note.

How many of the files without a matching row are dropped measures sharpness; --min-dropped makes it a condition. No
tool reaches 100 %: metadata cannot decide everything. With --peer the binary is a tool of delta-explain's interface,
without --timezone and --nan: other zones are skipped, and so is what it refuses. Needs Python alone.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import shlex
import subprocess
import sys

TABLES = pathlib.Path(__file__).resolve().parents[1] / "data" / "tables"
TIMEOUT_S = 30

Question = collections.namedtuple("Question", "table truth zone predicate strict")
Verdict = collections.namedtuple("Verdict", "outcome why droppable dropped", defaults=(0, 0))


def questions(tables, only, peer):
    """Every predicate in every zone; those of delta-rs tables with NaN once more with --nan strict."""
    for file in sorted(tables.glob("*.truth.json")):
        name = file.name.removesuffix(".truth.json")
        if only and name not in only:
            continue
        truth = json.loads(file.read_text(encoding="utf-8"))
        twice = hides_nan(truth) and not peer
        for run in truth["runs"]:
            for predicate in run["predicates"]:
                yield Question(file.with_name(name), truth, run["timezone"], predicate, False)
                if twice:
                    yield Question(file.with_name(name), truth, run["timezone"], predicate, True)


def hides_nan(truth):
    return truth["writer"].startswith("delta-rs") and bool(truth["files_with_nan"])


def command(given, question):
    argv = shlex.split(given.binary) + [str(question.table), f"--where={question.predicate['where']}",
                                        "--format", "json", "--verbose"]
    if not given.peer:
        argv += ["--timezone", question.zone] + shlex.split(given.args) + (["--nan", "strict"] if question.strict else [])
    return argv


def trusted_files(report):
    """How many files the answer leans on a float maximum for, as its note says; 0 without the note."""
    texts = [note["message"] for note in report["analysis"]["notes"] if note["code"] == "FLOAT_MAX_TRUSTED"]
    return int(texts[0].split()[0]) if texts else 0


def wrong_note(given, question, strict_report, strict_kept):
    """What is wrong with the notes of this run, which is strict, and of the one that trusts."""
    if trusted_files(strict_report):
        return "a strict run says that it trusted a maximum"
    trusting = subprocess.run(command(given, question._replace(strict=False)), capture_output=True, timeout=TIMEOUT_S, check=True)
    report = json.loads(trusting.stdout)
    leaned = sum(strict_kept[file["path"]] and not file["kept"] for file in report["files"])
    told = trusted_files(report)
    return f"{leaned} files are dropped by trust, the note says {told}" if leaned != told else ""


def ask(given, question):
    if given.peer and question.zone != "UTC":
        return Verdict("skipped", "another time zone")
    try:
        done = subprocess.run(command(given, question), capture_output=True, timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        return Verdict("failed", f"no answer within {TIMEOUT_S} s")
    message = done.stderr.decode("utf-8", "replace").strip().replace("\n", " | ")[:200]
    if done.returncode == 1 and not done.stdout:
        return Verdict("skipped" if given.peer else "failed", f"refused: {message}")
    if done.returncode != 0:
        return Verdict("failed", f"exit {done.returncode}: {message}")
    try:
        report = json.loads(done.stdout)
        kept = {file["path"]: file["kept"] for file in report["files"]}
    except (ValueError, KeyError, TypeError) as error:
        return Verdict("failed", f"the report is no report: {error!r}")
    verdict = judge(question, kept)
    wrong = wrong_note(given, question, report, kept) if question.strict and verdict.outcome == "passed" else ""
    return verdict._replace(outcome="failed", why=wrong) if wrong else verdict


def judge(question, kept):
    """`kept` is {path: kept?} of the report."""
    files, answer = question.truth["files"], question.predicate
    if set(kept) != set(files):
        return Verdict("failed", f"live files differ: missing {sorted(set(files) - set(kept))}, "
                                 f"extra {sorted(set(kept) - set(files))}")
    lost = [i for i in answer["matching"] if not kept[files[i]]]
    droppable = [path for i, path in enumerate(files) if i not in answer["matching"]]
    sharpness = len(droppable), sum(not kept[path] for path in droppable)
    may_trust = hides_nan(question.truth) and not question.strict
    if lost and may_trust and set(lost) <= set(question.truth["files_with_nan"]):
        return Verdict("passed", "a maximum without NaN was trusted", *sharpness)
    if lost:
        return Verdict("failed", f"files with matching rows are {answer['matching']}, lost {lost}", *sharpness)
    return Verdict("passed", "", *sharpness)


def arguments():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", required=True)
    options.add_argument("--args", default="", help="more arguments for the binary")
    options.add_argument("--peer", action="store_true")
    options.add_argument("--tables", type=pathlib.Path, default=TABLES)
    options.add_argument("--only", nargs="+", metavar="TABLE")
    options.add_argument("--min-dropped", type=float, default=0, metavar="PERCENT",
                         help="of the files without a matching row; less is a failure")
    options.add_argument("--jobs", type=int, default=2)
    return options.parse_args()


def main():
    given = arguments()
    everything = list(questions(given.tables, given.only, given.peer))
    counts, droppable, dropped, trusted, loose = collections.Counter(), 0, 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for question, verdict in zip(everything, pool.map(lambda q: ask(given, q), everything)):
            counts[verdict.outcome] += 1
            droppable, dropped = droppable + verdict.droppable, dropped + verdict.dropped
            loose += verdict.dropped < verdict.droppable
            trusted += verdict.outcome == "passed" and bool(verdict.why)
            if verdict.outcome == "failed":
                strict = ", --nan strict" if question.strict else ""
                print(f"FAILED {question.table.name} [{question.zone}{strict}] {question.predicate['where']}\n"
                      f"       {verdict.why}")
    percent = 100 * dropped / max(1, droppable)
    print(f"{dropped} of {droppable} files without a matching row dropped ({percent:.1f} %), "
          f"{trusted} answers leaned on a maximum without NaN")
    if percent < given.min_dropped:
        counts["failed"] += 1
        print(f"FAILED expected at least {given.min_dropped} % to be dropped")
    level = "extended" if "extended" in given.args else "contract"
    print(f"oracle truth ({level}): tried {counts['passed'] + counts['failed']}, unsound {counts['failed']}, loose {loose}, skipped {counts['skipped']}")
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
