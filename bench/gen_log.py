#!/usr/bin/env python3
"""gen_log.py - writes a Delta log of N invented files, large enough to measure with. No data files are written.

    gen_log.py TABLE --files N [--stats json600|json1150|struct|none] [--layout checkpoint|commits] [--partitioned yes|no]

Called by: people and the other benchmarks.  Must not know: lakeproof.

`--layout checkpoint`: one classic Parquet checkpoint (snappy, 1 MB pages, row groups of 100,000 rows) at version 10,
`_last_checkpoint`, and the commit that belongs to it. `--layout commits`: only JSON commits (`--commits`, default 2,000).
`--stats`: statistics as JSON text of about 600 bytes (10 columns) or 1,150 bytes (20 columns), as a struct of the same
20 columns (`stats_parsed`, no JSON text), or none.

Prints one JSON line: what was made, and the predicates it is made for with the number of files each keeps. The
partition condition keeps 64 of 100 days, the statistics condition 99 % of the files. Same arguments, same log.
"""
import argparse
import datetime
import json
import pathlib
import random
import shutil
import sys
import time

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

ROW_GROUP = 100_000
CHECKPOINT_VERSION = 10
FIRST_DAY = datetime.date(2024, 1, 1)
EPOCH_ORDINAL = datetime.date(1970, 1, 1).toordinal()
DAYS = 100
FIRST_DAY_KEPT = 36
AMOUNT_LOW, AMOUNT_SPAN, AMOUNT_KEPT = 100.0, 1000.0, 110.0
WRITTEN_MS = 1_720_000_000_000

WORDS = pa.array(["accepted", "backordered", "cancelled", "delivered", "in transit", "on hold", "packed", "refunded",
                  "returned to sender", "shipped"])

# name, Delta type, how its bounds are drawn. The first ten give about 600 bytes of JSON a file, all twenty about 1,150.
COLUMNS = [
    ("order_id", "long", "key"), ("customer_id", "long", "wide"), ("amount", "double", "amount"),
    ("tax", "double", "money"), ("status", "string", "word"), ("order_time", "timestamp", "time"),
    ("ship_date", "date", "date"), ("quantity", "integer", "small"), ("sku", "string", "code"),
    ("weight", "double", "real"),
    ("store_id", "long", "wide"), ("discount", "double", "money"), ("updated_at", "timestamp", "time"),
    ("due_date", "date", "date"), ("carrier", "string", "word"), ("lat", "double", "real"), ("lon", "double", "real"),
    ("item_count", "integer", "small"), ("coupon", "string", "code"), ("margin", "double", "money"),
]
ARROW = {"long": pa.int64(), "integer": pa.int32(), "double": pa.float64(), "string": pa.string(),
         "date": pa.date32(), "timestamp": pa.timestamp("us", tz="UTC")}


# ---------------------------------------------------------------------------------------- drawing values

class Draw:
    """Columns of random values; every call uses the next seed, so the order of calls alone decides the result."""

    def __init__(self, seed, count):
        self.seed, self.count = seed, count

    def uniform(self, low, high):
        self.seed += 1
        return pc.add(pc.multiply(pc.random(self.count, initializer=self.seed), high - low), low)

    def integers(self, low, high, kind=pa.int64()):
        return pc.cast(pc.floor(self.uniform(low, high)), kind)

    def hexadecimal(self, digits):
        self.seed += 1
        data = random.Random(self.seed).randbytes(self.count * digits // 2).hex().encode("ascii")
        offsets = pa.array(range(0, len(data) + 1, digits), pa.int32())
        return pa.Array.from_buffers(pa.string(), self.count, [None, offsets.buffers()[1], pa.py_buffer(data)])


def dates(days):
    """Dates from days since 1970."""
    return pc.cast(pc.cast(days, pa.int32()), pa.date32())


def draw_bounds(draw, kind):
    """(minimum, maximum) of every file for one column."""
    if kind == "key":
        low = draw.integers(10**9, 9 * 10**9)
        return low, pc.add(low, draw.integers(1, 10**6))
    if kind == "wide":
        return draw.integers(1, 5_000), draw.integers(900_000, 999_999)
    if kind == "small":
        return draw.integers(1, 3, pa.int32()), draw.integers(20, 99, pa.int32())
    if kind == "amount":
        return (pc.round(draw.uniform(0, 90), 2), pc.round(draw.uniform(AMOUNT_LOW, AMOUNT_LOW + AMOUNT_SPAN), 2))
    if kind == "money":
        return pc.round(draw.uniform(0, 10), 2), pc.round(draw.uniform(50, 900), 2)
    if kind == "real":
        return draw.uniform(-90, 0), draw.uniform(0, 90)
    if kind == "word":
        return WORDS.take(draw.integers(0, 4)), WORDS.take(draw.integers(6, 10))
    if kind == "code":
        return pc.binary_join_element_wise("A", draw.hexadecimal(6), "-"), \
            pc.binary_join_element_wise("Z", draw.hexadecimal(6), "-")
    if kind == "date":
        low = draw.integers(19_723, 19_823)
        return dates(low), dates(pc.add(low, draw.integers(1, 9)))
    low = draw.integers(1_704_067_200_000, 1_712_620_800_000)
    high = pc.add(low, draw.integers(1, 86_400_000))
    return tuple(pc.cast(pc.multiply(ms, 1000), ARROW["timestamp"]) for ms in (low, high))


class Statistics:
    """Record counts, bounds and null counts of a run of files."""

    def __init__(self, draw, columns):
        self.rows = draw.integers(90_000, 1_100_000)
        self.columns = columns
        self.bounds = [draw_bounds(draw, kind) for _, _, kind in columns]
        self.nulls = [draw.integers(0, 2000) if i % 3 == 2 else draw.integers(0, 1) for i in range(len(columns))]


# ---------------------------------------------------------------------------------------- the two forms of statistics

def value_text(array, kind):
    """JSON texts of values, as Spark writes them: milliseconds and Z in timestamps."""
    if kind == "timestamp":
        return pc.binary_join_element_wise('"', pc.strftime(pc.cast(array, pa.timestamp("ms", tz="UTC")),
                                                            format="%Y-%m-%dT%H:%M:%S"), 'Z"', "")
    text = pc.cast(array, pa.string())
    return pc.binary_join_element_wise('"', text, '"', "") if kind in ("string", "date") else text


def json_statistics(statistics):
    pieces = ['{"numRecords":', pc.cast(statistics.rows, pa.string())]
    for part, arrays in [("minValues", [b[0] for b in statistics.bounds]),
                         ("maxValues", [b[1] for b in statistics.bounds]), ("nullCount", statistics.nulls)]:
        opening = f',"{part}":{{'
        for (name, kind, _), array in zip(statistics.columns, arrays):
            shown = "long" if part == "nullCount" else kind
            pieces += [f'{opening}"{name}":', value_text(array, shown)]
            opening = ","
        pieces.append("}")
    return pc.binary_join_element_wise(*pieces, "}", "")


def struct_statistics(statistics):
    names = [name for name, _, _ in statistics.columns]

    def struct(arrays):
        return pa.StructArray.from_arrays(arrays, names=names)
    return pa.StructArray.from_arrays(
        [statistics.rows, struct([b[0] for b in statistics.bounds]), struct([b[1] for b in statistics.bounds]),
         struct(statistics.nulls)], names=["numRecords", "minValues", "maxValues", "nullCount"])


def stats_parsed_type():
    def struct(types):
        return pa.struct([(name, kind) for (name, _, _), kind in zip(COLUMNS, types)])
    bounds = struct([ARROW[delta] for _, delta, _ in COLUMNS])
    return pa.struct([("numRecords", pa.int64()), ("minValues", bounds), ("maxValues", bounds),
                      ("nullCount", struct([pa.int64()] * len(COLUMNS)))])


# ---------------------------------------------------------------------------------------- files

class Files:
    """A run of files: the columns of their add actions, and which of them the two conditions keep."""

    def __init__(self, given, start, count):
        draw = Draw(given.seed * 1_000_003 + start * 64, count)
        self.count = count
        self.days = draw.integers(0, DAYS)
        self.day_text = pc.cast(dates(pc.add(self.days, FIRST_DAY.toordinal() - EPOCH_ORDINAL)), pa.string())
        folder = pc.binary_join_element_wise("day=", self.day_text, "/", "") if given.partitioned else ""
        digits = draw.hexadecimal(32)
        uuid = pc.binary_join_element_wise(*[pc.utf8_slice_codeunits(digits, a, b)
                                             for a, b in [(0, 8), (8, 12), (12, 16), (16, 20), (20, 32)]], "-")
        self.paths = pc.binary_join_element_wise(folder, "part-00000-", uuid, ".c000.snappy.parquet", "")
        self.sizes = draw.integers(10_000_000, 140_000_000)
        self.times = pc.add(draw.integers(0, 86_400_000), WRITTEN_MS)
        self.statistics = Statistics(draw, COLUMNS[:10] if given.stats == "json600" else COLUMNS)
        self.partition_kept = pc.greater_equal(self.days, FIRST_DAY_KEPT)
        if given.stats == "none":
            self.statistics_kept = pc.is_valid(self.days)
        else:
            self.statistics_kept = pc.greater(self.statistics.bounds[2][1], AMOUNT_KEPT)


def runs_of_files(given):
    for start in range(0, given.files, ROW_GROUP):
        yield Files(given, start, min(ROW_GROUP, given.files - start))


class Kept:
    """Counts for the printed predicates."""

    def __init__(self):
        self.partition = self.statistics = self.both = 0

    def add(self, files):
        self.partition += pc.sum(files.partition_kept).as_py()
        self.statistics += pc.sum(files.statistics_kept).as_py()
        self.both += pc.sum(pc.and_(files.partition_kept, files.statistics_kept)).as_py()


def predicates(given, kept):
    day = f"day >= DATE '{FIRST_DAY + datetime.timedelta(days=FIRST_DAY_KEPT)}'"
    amount = f"amount > {AMOUNT_KEPT:g}"
    out = {"statistics": {"where": amount, "kept": kept.statistics}}
    if given.partitioned:
        out["partition"] = {"where": day, "kept": kept.partition}
        out["both"] = {"where": f"{day} AND {amount}", "kept": kept.both}
    return out


# ---------------------------------------------------------------------------------------- actions

def protocol():
    return {"minReaderVersion": 1, "minWriterVersion": 2}


def metadata(given):
    def field(name, kind):
        return {"name": name, "type": kind, "nullable": True, "metadata": {}}
    fields = [field(name, kind) for name, kind, _ in COLUMNS] + ([field("day", "date")] if given.partitioned else [])
    struct = {"delta.checkpoint.writeStatsAsStruct": "true", "delta.checkpoint.writeStatsAsJson": "false"}
    return {"id": "5f0c4c9e-7d5b-4d0e-9a55-0f5bb3a3c1d2", "format": {"provider": "parquet", "options": {}},
            "schemaString": json.dumps({"type": "struct", "fields": fields}, separators=(",", ":")),
            "partitionColumns": ["day"] if given.partitioned else [],
            "configuration": struct if given.stats == "struct" else {}, "createdTime": WRITTEN_MS}


TEXT_MAP = pa.map_(pa.string(), pa.string())


def checkpoint_schema(given):
    add = [("path", pa.string()), ("partitionValues", TEXT_MAP), ("size", pa.int64()), ("modificationTime", pa.int64()),
           ("dataChange", pa.bool_()), ("tags", TEXT_MAP), ("stats", pa.string())]
    if given.stats == "struct":
        add.append(("stats_parsed", stats_parsed_type()))
        if given.partitioned:
            add.append(("partitionValues_parsed", pa.struct([("day", pa.date32())])))
    return pa.schema([
        ("txn", pa.struct([("appId", pa.string()), ("version", pa.int64()), ("lastUpdated", pa.int64())])),
        ("add", pa.struct(add)),
        ("remove", pa.struct([("path", pa.string()), ("deletionTimestamp", pa.int64()), ("dataChange", pa.bool_()),
                              ("partitionValues", TEXT_MAP), ("size", pa.int64())])),
        ("metaData", pa.struct([
            ("id", pa.string()), ("name", pa.string()), ("description", pa.string()),
            ("format", pa.struct([("provider", pa.string()), ("options", TEXT_MAP)])), ("schemaString", pa.string()),
            ("partitionColumns", pa.list_(pa.string())), ("configuration", TEXT_MAP), ("createdTime", pa.int64())])),
        ("protocol", pa.struct([("minReaderVersion", pa.int32()), ("minWriterVersion", pa.int32())])),
    ])


def partition_maps(given, files):
    if not given.partitioned:
        offsets = pa.array([0] * (files.count + 1), pa.int32())
        return pa.MapArray.from_arrays(offsets, pa.array([], pa.string()), pa.array([], pa.string()))
    keys = pa.array(["day"]).take(pa.array([0] * files.count))
    return pa.MapArray.from_arrays(pa.array(range(files.count + 1), pa.int32()), keys, files.day_text)


def add_column(given, files, schema):
    count, kind = files.count, schema.field("add").type
    columns = {
        "path": files.paths, "partitionValues": partition_maps(given, files), "size": files.sizes,
        "modificationTime": files.times, "dataChange": pa.nulls(count, pa.bool_()).fill_null(False),
        "tags": pa.nulls(count, TEXT_MAP), "stats": pa.nulls(count, pa.string()),
    }
    if given.stats.startswith("json"):
        columns["stats"] = json_statistics(files.statistics)
    if given.stats == "struct":
        columns["stats_parsed"] = struct_statistics(files.statistics)
        if given.partitioned:
            days = pc.cast(files.day_text, pa.date32())
            columns["partitionValues_parsed"] = pa.StructArray.from_arrays([days], names=["day"])
    fields = [kind.field(i) for i in range(kind.num_fields)]
    return pa.StructArray.from_arrays([columns[f.name] for f in fields], fields=fields)


def write_checkpoint(given, log):
    schema, kept = checkpoint_schema(given), Kept()
    path = log / f"{CHECKPOINT_VERSION:020d}.checkpoint.parquet"
    head = pa.Table.from_pylist([{"protocol": protocol()},
                                 {"metaData": {**metadata(given), "name": None, "description": None,
                                               "configuration": list(metadata(given)["configuration"].items()),
                                               "format": {"provider": "parquet", "options": []}}}], schema=schema)
    with pq.ParquetWriter(path, schema, compression="snappy", data_page_size=1 << 20, version="2.6",
                          store_schema=False) as out:
        for number, files in enumerate(runs_of_files(given)):
            add = add_column(given, files, schema)
            others = [pa.nulls(files.count, f.type) for f in schema if f.name != "add"]
            rows = pa.Table.from_arrays([others[0], add, *others[1:]], schema=schema)
            out.write_table(pa.concat_tables([head, rows]) if number == 0 else rows, row_group_size=ROW_GROUP + 2)
            kept.add(files)
    write_last_commit(given, log, files)
    hint = {"version": CHECKPOINT_VERSION, "size": given.files + 2, "sizeInBytes": path.stat().st_size,
            "numOfAddFiles": given.files}
    (log / "_last_checkpoint").write_text(json.dumps(hint, separators=(",", ":")), encoding="utf-8")
    return kept


def write_last_commit(given, log, files):
    """Writers leave the commit that a checkpoint was made for: who wrote it, and here the last file of the checkpoint."""
    info = {"commitInfo": {"timestamp": WRITTEN_MS, "operation": "WRITE", "engineInfo": "gen_log"}}
    last = add_lines(given, files).slice(files.count - 1).to_pylist()
    text = [json.dumps(info, separators=(",", ":")), *last]
    (log / f"{CHECKPOINT_VERSION:020d}.json").write_text("\n".join(text) + "\n", encoding="utf-8")


def add_lines(given, files):
    values = pc.binary_join_element_wise('{"day":"', files.day_text, '"}', "") if given.partitioned else "{}"
    stats = ""
    if given.stats.startswith("json"):
        escaped = pc.replace_substring(json_statistics(files.statistics), '"', '\\"')
        stats = pc.binary_join_element_wise(',"stats":"', escaped, '"', "")
    return pc.binary_join_element_wise(
        '{"add":{"path":"', files.paths, '","partitionValues":', values, ',"size":', pc.cast(files.sizes, pa.string()),
        ',"modificationTime":', pc.cast(files.times, pa.string()), ',"dataChange":true', stats, "}}", "")


def write_commits(given, log):
    """Every run of files is spread over its share of the commits, in order."""
    kept, version, done = Kept(), 0, 0
    for files in runs_of_files(given):
        kept.add(files)
        lines = add_lines(given, files)
        done += files.count
        last = max(version + 1, given.commits * done // given.files)
        share = -(-files.count // (last - version))
        for first in range(0, files.count, share):
            head = [{"commitInfo": {"timestamp": WRITTEN_MS + version, "operation": "WRITE"}}]
            if version == 0:
                head += [{"protocol": protocol()}, {"metaData": metadata(given)}]
            text = [json.dumps(action, separators=(",", ":")) for action in head]
            text += lines.slice(first, share).to_pylist()
            (log / f"{version:020d}.json").write_text("\n".join(text) + "\n", encoding="utf-8")
            version += 1
    return kept


# ---------------------------------------------------------------------------------------- the command

def arguments():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("table", type=pathlib.Path)
    options.add_argument("--files", type=int, required=True)
    options.add_argument("--stats", choices=["json600", "json1150", "struct", "none"], default="json1150")
    options.add_argument("--layout", choices=["checkpoint", "commits"], default="checkpoint")
    options.add_argument("--partitioned", choices=["yes", "no"], default="yes")
    options.add_argument("--commits", type=int, default=2000, help="number of commits of --layout commits")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    given.partitioned = given.partitioned == "yes"
    given.commits = max(1, min(given.commits, given.files))
    if given.files < 1:
        options.error("--files must be at least 1")
    if given.layout == "commits" and given.stats == "struct":
        options.error("commits hold statistics as JSON text only")
    return given


def main():
    given = arguments()
    began = time.monotonic()
    log = given.table / "_delta_log"
    shutil.rmtree(log, ignore_errors=True)
    log.mkdir(parents=True)
    kept = (write_checkpoint if given.layout == "checkpoint" else write_commits)(given, log)
    size = sum(f.stat().st_size for f in log.iterdir())
    print(json.dumps({"table": str(given.table), "files": given.files, "stats": given.stats, "layout": given.layout,
                      "partitioned": given.partitioned, "log_bytes": size,
                      "seconds": round(time.monotonic() - began, 2), "predicates": predicates(given, kept)}))


if __name__ == "__main__":
    sys.exit(main())
