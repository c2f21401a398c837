#!/usr/bin/env python3
"""make_tables.py - small tables with checkpoints of every shape, and what must be found in them.

Called by: people, when a shape is added; the result is committed.  Must not know: lakeproof.

usage: make_tables.py [FOLDER]     (needs pyarrow; default: the folder of this file)
Writes FOLDER/<table>/_delta_log/... and FOLDER/expected.json: per table the wanted statistics columns and one object a
live file, in the order in which a reader gives them: commits newest first, then the checkpoint in row order. What is
expected is worked out from the rows that go in, never by reading what came out.
"""
import datetime as dt
import json
import os
import shutil
import sys

import pyarrow as pa
import pyarrow.parquet as pq

TEXT_MAP = pa.map_(pa.string(), pa.string())
UUID = "6a6ff8e1-3b1c-4f4e-9a55-0b1ad1cb7a%02d"

SCHEMA = [("p", "string"), ("a", "long"), ("t", "string"), ("d", "date"), ("s", [("x", "double")])]
WANTED = ["a", "t", "d", "s.x"]
NULL = {"min": "absent", "max": "absent", "null_count": None}


def schema_type(kind):
    if isinstance(kind, str):
        return kind
    return {"type": "struct", "fields": [schema_field(n, k) for n, k in kind]}


def schema_field(name, kind):
    return {"name": name, "type": schema_type(kind), "nullable": True, "metadata": {}}


METADATA = {
    "id": "the-id",
    "format": {"provider": "parquet", "options": {}},
    "schemaString": json.dumps({"type": "struct", "fields": [schema_field(n, k) for n, k in SCHEMA]}),
    "partitionColumns": ["p"],
    "configuration": {"k": "v"},
}
FEATURES = ["deletionVectors", "v2Checkpoint"]
PROTOCOL = {"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": FEATURES, "writerFeatures": FEATURES}

VALUES = pa.struct([("a", pa.int64()), ("t", pa.string()), ("d", pa.date32()), ("s", pa.struct([("x", pa.float64())]))])
COUNTS = pa.struct([("a", pa.int64()), ("t", pa.int64()), ("d", pa.int64()), ("s", pa.struct([("x", pa.int64())]))])
PARSED = pa.struct([("numRecords", pa.int64()), ("tightBounds", pa.bool_()), ("minValues", VALUES), ("maxValues", VALUES), ("nullCount", COUNTS)])
VECTOR = pa.struct([("storageType", pa.string()), ("pathOrInlineDv", pa.string()), ("offset", pa.int32()), ("sizeInBytes", pa.int32()), ("cardinality", pa.int64())])

ADD = [("path", pa.string()), ("partitionValues", TEXT_MAP), ("size", pa.int64()), ("modificationTime", pa.int64()), ("dataChange", pa.bool_()), ("deletionVector", VECTOR)]
STATS, STATS_PARSED = ("stats", pa.string()), ("stats_parsed", PARSED)
REMOVE = ("remove", pa.struct([("path", pa.string()), ("deletionTimestamp", pa.int64()), ("dataChange", pa.bool_())]))
STATE = [
    ("metaData", pa.struct([("id", pa.string()), ("name", pa.string()), ("schemaString", pa.string()), ("partitionColumns", pa.list_(pa.string())), ("configuration", TEXT_MAP)])),
    ("protocol", pa.struct([("minReaderVersion", pa.int32()), ("minWriterVersion", pa.int32()), ("readerFeatures", pa.list_(pa.string())), ("writerFeatures", pa.list_(pa.string()))])),
]
SIDECAR = ("sidecar", pa.struct([("path", pa.string()), ("sizeInBytes", pa.int64()), ("modificationTime", pa.int64())]))


class File:
    """A live file: what goes in, and what must come out."""

    def __init__(self, n, p="x", dv=None, records=10, tight=None, null_a=0, stats=True):
        self.path, self.p, self.dv, self.size = f"f{n}", p, dv, 100 + n
        self.stats = None
        if stats:
            self.stats = {"numRecords": records, "minValues": {"a": n, "t": f"t{n}", "d": "2024-01-02", "s": {"x": n + 0.5}},
                          "maxValues": {"a": n + 9, "t": f"u{n}", "d": "2024-02-03", "s": {"x": n + 1.5}},
                          "nullCount": {"a": null_a, "t": 0, "d": records, "s": {"x": 0}}}
            if tight is not None:
                self.stats["tightBounds"] = tight

    def vector(self):
        return self.dv and {"storageType": "u", "pathOrInlineDv": self.dv, "offset": 1, "sizeInBytes": 9, "cardinality": 2}

    def partition(self):
        return {} if self.p is False else {"p": self.p}

    def add(self, text=True, parsed=False):
        a = {"path": self.path, "partitionValues": self.partition(), "size": self.size, "modificationTime": 1, "dataChange": False, "deletionVector": self.vector()}
        if text is True:
            a["stats"] = self.stats and json.dumps(self.stats)
        elif text:
            a["stats"] = text
        if parsed and self.stats:
            a["stats_parsed"] = json.loads(json.dumps(self.stats))
            for side in ("minValues", "maxValues"):
                a["stats_parsed"][side]["d"] = dt.date.fromisoformat(a["stats_parsed"][side]["d"])
        return a

    def expected(self, has_stats=True):
        out = {"path": self.path, "dv_id": self.dv and f"u{self.dv}@1", "size": self.size, "records": None, "partition": [self.p], "stats": None}
        if not self.stats or not has_stats:
            return out
        s, n = self.stats, self.stats["numRecords"]
        wide = self.dv is not None or s.get("tightBounds") is False
        out["records"] = n
        out["stats"] = []
        for name in WANTED:
            low, high, nulls = s["minValues"], s["maxValues"], s["nullCount"]
            for part in name.split("."):
                low, high, nulls = low[part], high[part], nulls[part]
            known = not wide or nulls in (0, n)
            out["stats"].append({"min": str(low), "max": str(high), "null_count": nulls if known else None})
        return out


class Table:
    def __init__(self, root, name):
        self.log = os.path.join(root, name, "_delta_log")
        shutil.rmtree(os.path.join(root, name), ignore_errors=True)
        os.makedirs(os.path.join(self.log, "_sidecars"))

    def commit(self, version, *actions):
        with open(os.path.join(self.log, f"{version:020d}.json"), "w", encoding="utf8") as f:
            f.writelines(json.dumps(a, separators=(",", ":")) + "\n" for a in actions)

    def json_checkpoint(self, version, n, rows):
        name = f"{version:020d}.checkpoint.{UUID % n}.json"
        with open(os.path.join(self.log, name), "w", encoding="utf8") as f:
            f.writelines(json.dumps(a) + "\n" for a in rows)

    def parquet(self, name, columns, rows, **options):
        for row in rows:
            for key in row:
                if isinstance(row[key], dict):
                    row[key] = {k: list(v.items()) if isinstance(v, dict) and k in ("partitionValues", "configuration") else v for k, v in row[key].items()}
        options = {"compression": "snappy", "write_statistics": False, **options}
        pq.write_table(pa.Table.from_pylist(rows, schema=pa.schema(columns)), os.path.join(self.log, name), **options)


def add_column(*more):
    return ("add", pa.struct(ADD + list(more)))


def state_rows():
    return [{"protocol": dict(PROTOCOL)}, {"metaData": dict(METADATA)}]


def classic_with_everything(root):
    """Adds, removes and state mixed, small pages, three rows a group; commits after it decide some keys."""
    t = Table(root, "classic")
    f = [File(0), File(1, p="y", dv="vec1"), File(2, p=None), File(3, null_a=4), File(4, dv="vec4", null_a=4, tight=True), File(5, p=""), File(6, stats=False), File(7, tight=False, null_a=3), File(8, p=False)]
    rows = [{"add": f[0].add()}, {"remove": {"path": "gone", "deletionTimestamp": 1, "dataChange": True}}] + state_rows()
    rows += [{"add": x.add()} for x in f[1:]]
    t.parquet(f"{4:020d}.checkpoint.parquet", [add_column(STATS), REMOVE] + STATE, rows, row_group_size=3, data_page_size=64)
    new = File(20, p="new")
    t.commit(5, {"remove": {"path": "f3", "dataChange": True}}, {"remove": {"path": "f1", "dataChange": True}}, {"add": new.add()})
    replaced = File(0, p="replaced", records=77)
    t.commit(6, {"add": replaced.add()}, {"remove": {"path": "f4", "dataChange": True, "deletionVector": f[4].vector()}})
    live = [replaced, new, f[1], f[2], f[5], f[6], f[7], f[8]]
    return "classic", [x.expected() for x in live]


def struct_statistics_only(root):
    t = Table(root, "struct_only")
    f = [File(i, p=f"p{i % 3}", null_a=i % 2, stats=i != 4, dv="v" if i == 5 else None, tight=False if i == 3 else None) for i in range(8)]
    rows = state_rows() + [{"add": x.add(text=False, parsed=True)} for x in f]
    t.parquet(f"{2:020d}.checkpoint.parquet", [add_column(STATS_PARSED)] + STATE, rows, row_group_size=4, data_page_size=32, compression="zstd")
    return "struct_only", [x.expected() for x in f]


def text_before_struct(root):
    """Rule: the text where it is there and parses, else the struct. The struct says something else where both are."""
    t = Table(root, "text_and_struct")
    f = [File(i) for i in range(4)]
    rows = state_rows()
    for i, x in enumerate(f):
        a = x.add(text=True if i == 0 else ["", "{\"numRecords\":", None][i - 1] or False, parsed=True)
        if i == 1:
            a["stats"] = ""
        if i == 0:
            a["stats_parsed"]["numRecords"] = 999
            a["stats_parsed"]["minValues"]["a"] = -999
        rows.append({"add": a})
    t.parquet(f"{0:020d}.checkpoint.parquet", [add_column(STATS, STATS_PARSED)] + STATE, rows)
    return "text_and_struct", [x.expected() for x in f]


def multi_part(root):
    t = Table(root, "multi_part")
    f = [File(i, p=str(i)) for i in range(6)]
    rows = [{"add": f[0].add()}, {"add": f[1].add()}, state_rows()[0], {"add": f[2].add()}, state_rows()[1]] + [{"add": x.add()} for x in f[3:]]
    for part in range(3):
        t.parquet(f"{3:020d}.checkpoint.{part + 1:010d}.{3:010d}.parquet", [add_column(STATS), REMOVE] + STATE, rows[part::3] if part else rows[0::3], use_dictionary=False)
    order = [r["add"]["path"] for part in range(3) for r in rows[part::3] if "add" in r]
    return "multi_part", [next(x for x in f if x.path == path).expected() for path in order]


def sidecars(root, is_json):
    """Two sidecars, one named by a percent-encoded path; adds in the top-level file as well."""
    name = "sidecars_json" if is_json else "sidecars_parquet"
    t = Table(root, name)
    f = [File(i) for i in range(6)]
    t.parquet("_sidecars/one.parquet", [add_column(STATS)], [{"add": f[1].add()}, {"add": f[2].add()}])
    t.parquet("_sidecars/two a.parquet", [add_column(STATS), REMOVE], [{"remove": {"path": "x", "deletionTimestamp": 1, "dataChange": True}}, {"add": f[3].add()}, {"add": f[4].add()}])
    refs = [{"path": p, "sizeInBytes": 1, "modificationTime": 1} for p in ("two%20a.parquet", "one.parquet")]
    if is_json:
        t.json_checkpoint(1, 1, [{"checkpointMetadata": {"version": 1}}] + state_rows() + [{"add": f[0].add()}] + [{"sidecar": r} for r in refs])
    else:
        rows = state_rows() + [{"sidecar": refs[0]}, {"add": f[0].add()}, {"sidecar": refs[1]}]
        t.parquet(f"{1:020d}.checkpoint.{UUID % 2}.parquet", [add_column(STATS), SIDECAR] + STATE, rows)
    t.commit(2, {"add": f[5].add()}, {"remove": {"path": "f2", "dataChange": True}})
    return name, [f[i].expected() for i in (5, 0, 3, 4, 1)]


def few_columns(root):
    """An add of nothing but a path: no partition values, no size, no statistics."""
    t = Table(root, "few_columns")
    rows = state_rows() + [{"add": {"path": "only"}}]
    t.parquet(f"{7:020d}.checkpoint.parquet", [("add", pa.struct([("path", pa.string())]))] + STATE, rows, data_page_version="2.0")
    return "few_columns", [{"path": "only", "dv_id": None, "size": -1, "records": None, "partition": [False], "stats": None}]


def pages_without_interest(root):
    """Files in one page each, so that a reader may pass over pages; data page v2."""
    t = Table(root, "small_pages")
    f = [File(i, p="keep" if i % 5 == 0 else "drop") for i in range(40)]
    rows = state_rows() + [{"add": x.add(parsed=True)} for x in f]
    t.parquet(f"{9:020d}.checkpoint.parquet", [add_column(STATS, STATS_PARSED)] + STATE, rows, data_page_size=1, write_batch_size=1, data_page_version="2.0", use_dictionary=False)
    return "small_pages", [x.expected() for x in f]


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    made = [classic_with_everything(root), struct_statistics_only(root), text_before_struct(root), multi_part(root), sidecars(root, True), sidecars(root, False), few_columns(root), pages_without_interest(root)]
    with open(os.path.join(root, "expected.json"), "w", encoding="utf8") as f:
        json.dump({"wanted": WANTED, "tables": dict(made)}, f, indent=1)
        f.write("\n")


if __name__ == "__main__":
    main()
