#!/usr/bin/env python3
"""run_fuzzers.py - run every libFuzzer target for a bounded time, starting from its corpus.

usage: run_fuzzers.py --build build/fuzz [--seconds 10] [--seed 1] [--only NAME]

Called by: the test suite and people.  Must not know: what the targets parse.

New inputs go to a temporary folder; what breaks a target is left in build/fuzz/found and named in the output. Last line:
`N passed, N failed, N skipped`.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

CORPUS = pathlib.Path(__file__).resolve().parent / "corpus"
DICTIONARIES = pathlib.Path(__file__).resolve().parent


def fuzz(target, options):
    """Returns what went wrong, or None."""
    found = pathlib.Path(options.build) / "found"
    found.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="lakeproof-fuzz-") as fresh:
        command = [str(target.resolve()), f"-max_total_time={options.seconds}", f"-seed={options.seed}", "-timeout=10", "-rss_limit_mb=3000",
                   "-print_final_stats=0", "-verbosity=0", f"-artifact_prefix={found.resolve()}/{target.name}-", fresh]
        dictionary = DICTIONARIES / f"{target.name}.dict"
        if dictionary.exists():
            command.append(f"-dict={dictionary}")
        if (CORPUS / target.name).is_dir():
            command.append(str(CORPUS / target.name))
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=options.seconds + 120)
    return None if done.returncode == 0 else done.stderr[-2000:]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    options = parser.parse_args()
    targets = sorted(p for p in (pathlib.Path(options.build) / "tests").glob("*_fuzz") if not options.only or p.name == options.only)
    passed = failed = 0
    for target in targets:
        wrong = fuzz(target, options)
        passed, failed = passed + (wrong is None), failed + (wrong is not None)
        print(f"{target.name}: {'ok' if wrong is None else wrong}", flush=True)
    if not targets:
        print("no targets: build the preset `fuzz` first")
        failed = 1
    print(f"{passed} passed, {failed} failed, 0 skipped")
    sys.exit(1 if failed else 0)


main()
