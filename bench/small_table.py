#!/usr/bin/env python3
"""small_table.py - measures how long a report on a table of 100 files takes, from process start to process end.

    small_table.py --binary build/release/lakeproof [--peer delta-explain] [--files 100] [--runs 200] [--table T]

Called by: people.  Must not know: how the tool works.

Writes the table (10 JSON commits, plain Python) to a temporary folder unless --table names one. Prints one JSON line:
the least and the median milliseconds of all runs, and those of an empty process (`true`) as what starting one costs.
"""
import argparse
import json
import pathlib
import shlex
import statistics
import tempfile

import measure

COLUMNS = ["id", "amount", "weight", "price"]


def action(number, files):
    """The add of file `number`: day 1 to 10, four columns whose bounds grow with the number."""
    day = f"2024-01-{number * 10 // files + 1:02d}"
    stats = {"numRecords": 1000, "minValues": {c: number * 10 for c in COLUMNS},
             "maxValues": {c: number * 10 + 9 for c in COLUMNS}, "nullCount": {c: 0 for c in COLUMNS}}
    return {"add": {"path": f"day={day}/part-{number:05d}.snappy.parquet", "partitionValues": {"day": day},
                    "size": 1_000_000 + number, "modificationTime": 1_720_000_000_000 + number, "dataChange": True,
                    "stats": json.dumps(stats, separators=(",", ":"))}}


def write_table(folder, files, commits=10):
    log = pathlib.Path(folder) / "_delta_log"
    log.mkdir(parents=True)
    fields = [{"name": c, "type": "long", "nullable": True, "metadata": {}} for c in COLUMNS] \
        + [{"name": "day", "type": "date", "nullable": True, "metadata": {}}]
    head = [{"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}},
            {"metaData": {"id": "small", "format": {"provider": "parquet", "options": {}},
                          "schemaString": json.dumps({"type": "struct", "fields": fields}),
                          "partitionColumns": ["day"], "configuration": {}, "createdTime": 1_720_000_000_000}}]
    for version in range(commits):
        share = range(files * version // commits, files * (version + 1) // commits)
        lines = [{"commitInfo": {"timestamp": 1_720_000_000_000 + version, "operation": "WRITE"}}]
        lines += (head if version == 0 else []) + [action(number, files) for number in share]
        text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
        (log / f"{version:020d}.json").write_text(text, encoding="utf-8")


def milliseconds(runs, command, question):
    argv = shlex.split(command) + question
    done = [measure.run_once(argv) for _ in range(runs)]
    walls = [run.wall_s * 1000 for run in done]
    return {"best_ms": round(min(walls), 2), "median_ms": round(statistics.median(walls), 2),
            "cpu_ms": round(1000 * sum(run.cpu_s for run in done) / runs, 2),
            "peak_mb": round(min(run.peak_bytes for run in done) / 1e6, 1)}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", required=True)
    options.add_argument("--peer")
    options.add_argument("--table")
    options.add_argument("--files", type=int, default=100)
    options.add_argument("--runs", type=int, default=200)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table = given.table or folder
        if not given.table:
            write_table(folder, given.files)
        question = [table, "--where=day = DATE '2024-01-05' AND amount > 450"]
        binary = given.binary if len(shlex.split(given.binary)) > 1 else given.binary + " prune"
        line = {"bench": "small_table", "files": given.files,
                "empty_process": milliseconds(given.runs, "true", []),
                "lakeproof": milliseconds(given.runs, binary, question)}
        if given.peer:
            line["peer"] = milliseconds(given.runs, given.peer, question)
    print(json.dumps(line))


if __name__ == "__main__":
    main()
