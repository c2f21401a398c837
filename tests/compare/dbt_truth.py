#!/usr/bin/env python3
"""Facts that are stated about real dbt models, held against the data of the built projects.

usage: dbt_truth.py --binary build/release/lakeproof --shared ../shared
Runs the oracle of the built projects; not one claim may be contradicted, and a few hundred must have been made.
"""
import argparse
import os
import re
import subprocess
import sys

LEAST_CLAIMS = 400


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--shared", required=True)
    args = parser.parse_args()
    command = [sys.executable, os.path.join(args.shared, "oracles", "run_dbt_truth.py"), "--binary", args.binary]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = done.stdout.strip().splitlines()
    last = re.match(r"contradicted (\d+) of (\d+) claims", lines[-1]) if lines else None
    wrong, claims = (int(last[1]), int(last[2])) if last else (1, 0)
    if done.returncode or wrong or claims < LEAST_CLAIMS:
        print(done.stdout, done.stderr, sep="\n")
    if claims < LEAST_CLAIMS:
        print(f"expected {LEAST_CLAIMS} claims at the least, found {claims}")
        wrong += 1
    print(lines[-1] if lines else "no output")
    print(f"{max(claims - wrong, 0)} passed, {wrong} failed, 0 skipped")
    return 1 if wrong or done.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
