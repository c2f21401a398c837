#!/usr/bin/env python3
"""Facts of 1,340 queries of other optimizers' tests, held against what is known to be true of their rows.

usage: fd_corpus.py --binary build/release/lakeproof --shared ../shared [--list fd_misses.txt]
Runs the oracle of the corpus: no stated fact may be refuted, no call may fail, and 90 % of what is known (95 % of the keys) must
be proved. What is not proved is listed in fd_misses.txt by its reason; the list may only shrink.
"""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def read_list(path):
    listed = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                name, kind, count, _reason = line.split()
                listed[name, kind] = int(count)
    return listed


def run_oracle(args, misses):
    command = [sys.executable, os.path.join(args.shared, "oracles", "run_fd_corpus.py"), "--binary", args.binary,
               "--misses", misses, "--floors", "all=90,keys=95"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = done.stdout.strip().splitlines()
    if done.returncode:
        print(done.stdout, done.stderr, sep="\n")
    return done.returncode == 0, lines[-1] if lines else "no output"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--shared", required=True)
    parser.add_argument("--list", default=os.path.join(HERE, "fd_misses.txt"))
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        misses = os.path.join(folder, "misses.json")
        good, last = run_oracle(args, misses)
        with open(misses, encoding="utf-8") as file:
            found = collections.Counter((m["id"], m["kind"]) for m in json.load(file))
    listed = read_list(args.list)
    failed = 0 if good else 1
    for key in sorted(set(found) | set(listed)):
        if found.get(key, 0) == listed.get(key, 0):
            continue
        failed += 1
        print(f"{' '.join(key)}: {found.get(key, 0)} not proved, {listed.get(key, 0)} listed in {os.path.basename(args.list)}")
    print(last)
    print(f"{1340 - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
