#!/usr/bin/env python3
"""split_groups.py - row groups that are split among threads give what many small ones give.

Called by: tests/suites.ini, people.  Must not know: where a row group is split.

usage: split_groups.py --dump BUILD/tests/snapshot_dump [--rows N]
Writes checkpoints of N files in one row group, with removes in between, vectors, partition values, statistics as text
and as structs, data pages of both versions, and the same in groups of 9,999 rows; commits follow that remove some. All
must give the same lines, with one thread and with four. Needs pyarrow. Last line: `N passed, N failed, N skipped`.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import suite

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    pa = None

VECTOR = {"storageType": "u", "pathOrInlineDv": "vBn[lx{q8@P<9BNH/isA", "offset": 1, "sizeInBytes": 36, "cardinality": 2}
SCHEMA = {"type": "struct", "fields": [{"name": n, "type": t, "nullable": True, "metadata": {}} for n, t in (("a", "long"), ("p", "string"))]}
METADATA = {"id": "split", "format": {"provider": "parquet"}, "schemaString": json.dumps(SCHEMA), "partitionColumns": ["p"], "configuration": []}
PROTOCOL = {"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": ["deletionVectors"], "writerFeatures": ["deletionVectors"]}


def stats_of(i):
    return {"numRecords": i % 1000, "minValues": {"a": i}, "maxValues": {"a": i + 5}, "nullCount": {"a": i % 3}}


def add(i, as_struct):
    row = {"path": f"part-{i:07}.parquet", "size": i, "partitionValues": [("p", None if i % 11 == 0 else f"value {i // 5000}")]}
    if i % 17 == 0:
        row["deletionVector"] = VECTOR
    if i % 13:
        row["stats_parsed" if as_struct else "stats"] = stats_of(i) if as_struct else json.dumps(stats_of(i))
    return row


def table_of(rows, as_struct):
    counts = pa.struct([("a", pa.int64())])
    stats = pa.struct([("numRecords", pa.int64()), ("minValues", counts), ("maxValues", counts), ("nullCount", counts)])
    vector = pa.struct([("storageType", pa.string()), ("pathOrInlineDv", pa.string()), ("offset", pa.int32()), ("sizeInBytes", pa.int32()), ("cardinality", pa.int64())])
    fields = [("path", pa.string()), ("size", pa.int64()), ("partitionValues", pa.map_(pa.string(), pa.string())), ("deletionVector", vector)]
    fields.append(("stats_parsed", stats) if as_struct else ("stats", pa.string()))
    texts = pa.list_(pa.string())
    schema = pa.schema([
        ("add", pa.struct(fields)), ("remove", pa.struct([("path", pa.string()), ("dataChange", pa.bool_())])),
        ("metaData", pa.struct([("id", pa.string()), ("format", pa.struct([("provider", pa.string())])), ("schemaString", pa.string()),
                                ("partitionColumns", texts), ("configuration", pa.map_(pa.string(), pa.string()))])),
        ("protocol", pa.struct([("minReaderVersion", pa.int32()), ("minWriterVersion", pa.int32()), ("readerFeatures", texts), ("writerFeatures", texts)]))])
    return pa.Table.from_pylist(rows, schema=schema)


def write(folder, table, group, page_version, commits):
    log = folder / "_delta_log"
    log.mkdir(parents=True)
    pq.write_table(table, log / f"{0:020}.checkpoint.parquet", row_group_size=group, data_page_version=page_version, data_page_size=1 << 16)
    for version, actions in enumerate(commits, 1):
        (log / f"{version:020}.json").write_text("".join(json.dumps(a) + "\n" for a in actions))


def read(dump, folder, threads, options):
    done = subprocess.run([dump, "--threads", str(threads), "--files", *options, str(folder)], capture_output=True)
    if done.returncode:
        raise AssertionError(done.stderr.decode())
    return done.stdout


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--dump", required=True)
    options.add_argument("--rows", type=int, default=140_000)
    given = options.parse_args()
    if pa is None:
        print("SKIP: no pyarrow")
        suite.finish(0, 0, 1)
    commits = [[{"remove": {"path": f"part-{i:07}.parquet", "dataChange": True}} for i in range(1, given.rows, 1009)], []]
    passed = failed = 0
    for as_struct in (False, True):
        rows = [{"remove": {"path": f"gone-{i}", "dataChange": False}} if i % 101 == 0 else {"add": add(i, as_struct)} for i in range(given.rows)]
        table = table_of([{"protocol": PROTOCOL}, {"metaData": METADATA}, *rows], as_struct)
        for page_version in ("1.0", "2.0"):
            with tempfile.TemporaryDirectory() as folder:
                one, many = pathlib.Path(folder, "one"), pathlib.Path(folder, "many")
                write(one, table, given.rows + 2, page_version, commits)
                write(many, table, 9_999, page_version, commits)
                for question in (["--count"], ["--partition"], ["--partition", "--stats", "a"]):
                    answers = {read(given.dump, t, threads, question) for t in (one, many) for threads in (1, 4)}
                    good = len(answers) == 1 and answers.pop().count(b"\n") > given.rows * 9 // 10
                    passed += good
                    failed += not good
                    if not good:
                        print(f"FAIL pages {page_version}, struct {as_struct}, {question}")
    suite.finish(passed, failed, 0)


if __name__ == "__main__":
    main()
