#!/usr/bin/env python3
"""prune_vs_peer.py - measures one predicate on one table with lakeproof and with another tool, one after the other.

    prune_vs_peer.py --binary build/release/lakeproof --peer delta-explain --table T --where W
                     [--format text|json] [--runs N] [--peer-runs N] [--args '--threads 1']

Called by: people.  Must not know: how the table was made.

Prints one JSON line: processor seconds (user and system), clock seconds and peak memory of both, the least of N runs
each, and peer / lakeproof for each figure. `--binary` without a subcommand means its `prune`. Both must report the same
number of files in the snapshot, and lakeproof may keep no more than the peer; else the line says so and the exit is 1.
"""
import argparse
import json
import re
import shlex
import sys

import measure


def counts(output, layout):
    """(files in the snapshot, files left) of a report."""
    if layout == "json":
        report = json.loads(output)
        return report["total_files"], report["final_files"]
    text = output.decode("utf-8").replace(",", "")
    total = int(re.search(r"Files in snapshot: (\d+)", text).group(1))
    left = re.findall(r"files remaining: (\d+)", text)
    return total, int(left[-1]) if left else total


def arguments():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", required=True)
    options.add_argument("--peer", help="leave out to measure lakeproof alone")
    options.add_argument("--table", required=True)
    options.add_argument("--where", help="leave out to measure a snapshot without a predicate")
    options.add_argument("--format", choices=["text", "json"], default="text")
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--peer-runs", type=int, default=1)
    options.add_argument("--args", default="", help="more arguments for lakeproof")
    return options.parse_args()


def main():
    given = arguments()
    question = [given.table, "--format", given.format] + ([f"--where={given.where}"] if given.where else [])
    binary = given.binary if len(shlex.split(given.binary)) > 1 else given.binary + " prune"
    ours = measure.best_of(given.runs, binary, question + shlex.split(given.args))
    our_total, our_left = counts(ours.output, given.format)
    line = {"bench": "prune_vs_peer", "table": given.table, "where": given.where, "format": given.format,
            "files": our_total, "left": our_left, "lakeproof": ours.figures()}
    agree = True
    if given.peer:
        peer = measure.best_of(given.peer_runs, given.peer, question)
        peer_total, peer_left = counts(peer.output, given.format)
        agree = our_total == peer_total and our_left <= peer_left
        line |= {"peer": peer.figures(), "peer_left": peer_left, "agree": agree,
                 "ratio": {"cpu": round(peer.cpu_s / max(ours.cpu_s, 1e-4), 1),
                           "wall": round(peer.wall_s / max(ours.wall_s, 1e-4), 1),
                           "peak": round(peer.peak_bytes / ours.peak_bytes, 1)}}
    print(json.dumps(line))
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
