#!/usr/bin/env python3
"""duckdb_query.py - measures a hand-written DuckDB query over a checkpoint that answers the generator's predicate.

    duckdb_query.py TABLE [--day 2024-02-06] [--amount 110] [--threads 1] [--runs N]

Called by: people.  Must not know: lakeproof. Only for checkpoints of gen_log.py with JSON statistics and partitions.

What somebody without a tool would write: the adds of the checkpoint whose partition value and whose maximum, taken out
of the statistics text, can match. It replays nothing and checks nothing. Prints one JSON line with its cost.
"""
import argparse
import json
import pathlib
import sys

import measure

QUERY = """
import sys, duckdb
path, day, amount, threads = sys.argv[1:]
duckdb.sql(f"SET threads = {int(threads)}")
print(duckdb.execute('''
    SELECT count(*), count(*) FILTER (kept) FROM (
        SELECT map_extract_value("add".partitionValues, 'day') >= $day
               AND coalesce(CAST("add".stats ->> '$.maxValues.amount' AS DOUBLE) > $amount, true) AS kept
        FROM read_parquet($path) WHERE "add".path IS NOT NULL)
    ''', {'path': path, 'day': day, 'amount': float(amount)}).fetchone())
"""


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("table", type=pathlib.Path)
    options.add_argument("--day", default="2024-02-06")
    options.add_argument("--amount", default="110")
    options.add_argument("--threads", default="1")
    options.add_argument("--runs", type=int, default=3)
    given = options.parse_args()
    checkpoint = sorted((given.table / "_delta_log").glob("*.checkpoint.parquet"))[-1]
    script = measure.FOLDER / "query.py"
    script.write_text(QUERY, encoding="utf-8")
    best = measure.best_of(given.runs, sys.executable,
                           [str(script), str(checkpoint), given.day, given.amount, given.threads])
    print(json.dumps({"bench": "duckdb_query", "table": str(given.table), "threads": int(given.threads),
                      "files_and_kept": best.output.decode("ascii").strip(), "duckdb": best.figures()}))


if __name__ == "__main__":
    main()
