#!/usr/bin/env python3
"""run_suites.py - run the suites of tests/suites.ini, as many at a time as there are cores, and add up their counts.

Called by: test.sh, or by hand with names of suites.  Must not know: what a suite tests.

A section of suites.ini is a suite:
  run     the command, from the project's folder. {python} is this Python, {venv} the one with the pinned packages, {shared}
          the folder ../shared, {jobs} the number of cores. A command with {jobs} runs alone, any other beside others.
  needs   names of suites that must have passed, or `venv`, or `shared`, or `tool:NAME`; without one of them it is skipped.
  counts  how its output is counted:
    exit            one test: did the command succeed
    line            the last line is `N passed, N failed, N skipped` (the last part may be missing)
    ctest FOLDER    the suite is a ctest run that wrote FOLDER/ctest.xml; the counts inside of its tests are added up
    table NAME      the row `total` of the last table: NAME is the column of failures, `skipped` that of skips
    verdicts NAMES  the last line is `name number ... of TOTAL`; the numbers behind NAMES are failures
  oracle  the suite holds answers against somebody else's. Where it measures what is loose it prints lines `oracle NAME: tried N,
          unsound N, loose N, skipped N`; else this is the name, and the counts are the line: what failed is unsound.
With the last two of counts, a run in which nothing is OK has failed, whatever its other verdicts. A suite that prints no counts has failed. So has one that leaves with an error (77 is none: all skipped) and counted none, save
with `table` and `verdicts`, which look at some verdicts only. The output of each suite is kept in build/logs. Before the sums stands a table of the oracles.
"""
import concurrent.futures
import configparser
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[1]
LOGS = ROOT / "build" / "logs"
SHARED = ROOT.parent / "shared"
VENV = ROOT / ".venv"
LIMIT_S = 1200  # for one suite
LINE = re.compile(r"(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$")
ORACLE = re.compile(r"^oracle (.+): tried (\d+), unsound (\d+), loose (\d+), skipped (\d+)", re.M)


class NoCounts(Exception):
    """The output does not say how many tests ran."""


# ---------------------------------------------------------------- counts: (passed, failed, skipped)


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else ""


def count_exit(text, code, _):
    return (0, 1, 0) if code else (1, 0, 0)


def count_line(text, code, _):
    found = LINE.search(last_line(text))
    if not found:
        raise NoCounts("the last line is no `N passed, N failed, N skipped`")
    passed, failed, skipped = (int(n or 0) for n in found.groups())
    return passed, failed + (code not in (0, 77) and failed == 0), skipped


def count_inside(text, status):
    """The counts of one test of ctest: what it prints if it counts itself (our Python suites, cmocka), else one."""
    found = LINE.search(last_line(text))
    if found:
        passed, failed, skipped = (int(n or 0) for n in found.groups())
    else:
        def of(mark):
            return sum(int(n) for n in re.findall(r"^\[\s*" + mark + r"\s*\] (\d+) test", text, re.M))
        passed, failed, skipped = of("PASSED"), of("FAILED"), of("SKIPPED")
    if passed + failed + skipped == 0:
        passed, failed, skipped = (1, 0, 0) if status == "run" else (0, 1, 0) if status == "fail" else (0, 0, 1)
    return passed, failed + (status == "fail" and failed == 0), skipped


def count_ctest(text, code, folder):
    path = ROOT / folder / "ctest.xml"
    if not path.is_file():
        raise NoCounts(f"{path.relative_to(ROOT)} was not written")
    sums = [0, 0, 0]
    for case in xml.parse(path).getroot().iter("testcase"):
        counts = count_inside(case.findtext("system-out") or "", case.get("status"))
        sums = [a + b for a, b in zip(sums, counts)]
    if sum(sums) == 0:
        raise NoCounts("ctest ran no tests")
    return sums[0], sums[1] + (code != 0 and sums[1] == 0), sums[2]


def count_table(text, code, name):
    rows = [line.split() for line in text.splitlines()]
    heads = [row for row in rows if name in row]
    totals = [row for row in rows if row[:1] == ["total"]]
    if not heads or not totals or len(heads[-1]) != len(totals[-1]):
        raise NoCounts("no table with a row `total`")
    total = dict(zip(heads[-1][1:], map(int, totals[-1][1:])))
    if not total["OK"]:
        raise NoCounts("nothing is OK")
    failed, skipped = total[name], total.get("skipped", 0)
    return total["runs"] - failed - skipped, failed, skipped


def count_verdicts(text, code, names):
    found = re.search(r"^(?:[\w-]+ \d+ )+of (\d+)$", last_line(text))
    numbers = dict((name, int(n)) for name, n in re.findall(r"([\w-]+) (\d+)", last_line(text)))
    if not found or any(name not in numbers for name in names.split()):
        raise NoCounts(f"the last line does not tell the verdicts {names}")
    if not numbers["ok"]:
        raise NoCounts("nothing is ok")
    failed = sum(numbers[name] for name in names.split())
    return int(found.group(1)) - failed, failed, 0


COUNTERS = {"exit": count_exit, "line": count_line, "ctest": count_ctest, "table": count_table, "verdicts": count_verdicts}


# ---------------------------------------------------------------- oracles: (name, tried, unsound, loose, skipped)


def all_output(name, suite):
    """What a suite printed, and with ctest what its tests printed."""
    text = log_of(name).read_text(errors="replace") if log_of(name).is_file() else ""
    how, _, folder = suite.get("counts", "line").partition(" ")
    if how == "ctest" and (ROOT / folder / "ctest.xml").is_file():
        text += "\n".join(case.findtext("system-out") or "" for case in xml.parse(ROOT / folder / "ctest.xml").getroot().iter("testcase"))
    return text


def oracle_rows(name, suite, counts, has_run):
    found = ORACLE.findall(all_output(name, suite)) if has_run else []
    if found:
        return [(text, *map(int, numbers)) for text, *numbers in found]
    passed, failed, skipped = counts
    return [(suite["oracle"], passed + failed, failed, "-", skipped)]


def print_oracles(rows):
    if rows:
        print(f"{'oracle':40} {'tried':>8} {'unsound':>8} {'loose':>8} {'skipped':>8}")
    for name, *numbers in rows:
        print(f"{name:40}" + "".join(f" {n:>8}" for n in numbers))


# ---------------------------------------------------------------- running


def lacks(needs, passed_suites):
    """Why a suite cannot run, or an empty text."""
    for need in needs:
        if need == "venv":
            if not (VENV / "requirements.txt").is_file():
                return "the Python packages of tests/requirements.txt could not be installed"
        elif need == "shared":
            if not SHARED.is_dir():
                return "there is no ../shared"
        elif need.startswith("tool:"):
            if not shutil.which(need[5:]):
                return f"{need[5:]} is not installed"
        elif need not in passed_suites:
            return f"{need} did not pass"
    return ""


def log_of(name):
    return LOGS / f"{name}.log"


def run_suite(name, suite):
    """Run one suite and return (passed, failed, skipped) and a sentence for people."""
    names = {"python": shlex.quote(sys.executable), "venv": shlex.quote(str(VENV / "bin" / "python")),
             "shared": "../shared", "jobs": str(os.cpu_count() or 2)}
    log = log_of(name)
    with open(log, "wb") as out:
        try:
            code = subprocess.run(suite["run"].format(**names), shell=True, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=out,
                                  stderr=subprocess.STDOUT, timeout=LIMIT_S).returncode
        except subprocess.TimeoutExpired:
            return (0, 1, 0), f"not done after {LIMIT_S} s"
    text = log.read_text(errors="replace")
    how, _, rest = suite.get("counts", "line").partition(" ")
    try:
        counts = COUNTERS[how](text, code, rest)
    except NoCounts as problem:
        return (0, 1, 0), str(problem)
    if sum(counts) == 0:
        return (0, 1, 0), "no test ran"
    return counts, last_line(text) if how in ("table", "verdicts") else ""


def with_needed(suites, wanted):
    """The wanted suites and all that they need, in the order of the file."""
    unknown = [name for name in wanted if name not in suites]
    if unknown:
        sys.exit(f"no such suite: {', '.join(unknown)}; there are: {', '.join(suites)}")
    todo, chosen = list(wanted), set()
    while todo:
        name = todo.pop()
        if name in suites and name not in chosen:
            chosen.add(name)
            todo += suites[name].get("needs", "").split()
    return [name for name in suites if name in chosen]


def read_suites():
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(ROOT / "tests" / "suites.ini")
    return {name: dict(parser[name]) for name in parser.sections()}


def play(name, suite, good):
    """Run one suite, or skip it, and return what there is to print of it."""
    start = time.monotonic()
    reason = lacks(suite.get("needs", "").split(), good)
    counts, note = ((0, 0, 1), "skipped: " + reason) if reason else run_suite(name, suite)
    lines = [f"{name:16} {counts[0]:5} passed {counts[1]:4} failed {counts[2]:4} skipped {time.monotonic() - start:5.0f} s  {note}"]
    if counts[1]:
        lines += ["    " + line for line in log_of(name).read_text(errors="replace").splitlines()[-40:]]
    return counts, not reason, "\n".join(lines)


def play_all(names, suites):
    """Run suites in their order, those that fit into the cores left over first, and give (name, counts, has run, text) as they end."""
    cores, waiting, running, good = os.cpu_count() or 2, list(names), {}, set()
    price = {name: cores if "{jobs}" in suites[name]["run"] else 1 for name in names}
    with concurrent.futures.ThreadPoolExecutor(cores) as pool:
        while waiting or running:
            for name in list(waiting):
                undecided = {*waiting, *running.values()}
                fits = price[name] + sum(price[other] for other in running.values()) <= cores
                if fits and undecided.isdisjoint(suites[name].get("needs", "").split()):
                    waiting.remove(name)
                    running[pool.submit(play, name, suites[name], frozenset(good))] = name
            for done in concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED).done:
                name = running.pop(done)
                counts, has_run, text = done.result()
                if has_run and counts[1] == 0:
                    good.add(name)
                yield name, counts, has_run, text


def main():
    suites = read_suites()
    LOGS.mkdir(parents=True, exist_ok=True)
    names = with_needed(suites, sys.argv[1:] or list(suites))
    sums, ended = [0, 0, 0], {}
    for name, counts, has_run, text in play_all(names, suites):
        print(text, flush=True)
        sums = [a + b for a, b in zip(sums, counts)]
        ended[name] = counts, has_run
    print_oracles([row for name in names if "oracle" in suites[name] for row in oracle_rows(name, suites[name], *ended[name])])
    print(f"{sums[0]} passed, {sums[1]} failed, {sums[2]} skipped")
    return 1 if sums[1] else 0


if __name__ == "__main__":
    sys.exit(main())
