#!/usr/bin/env python3
"""make_log_corpus.py - write the corpus of log_fuzz: whole logs, packed as src/delta/log_fuzz.c unpacks them.

Called by: people, when a kind of file is added; the result is committed.  Must not know: lakeproof.

The Parquet files are those of tests/data/delta (made by its make_tables.py), the JSON files are written here.
"""
import json
import pathlib
import struct

HERE = pathlib.Path(__file__).resolve().parent
FOLDER, TABLES = HERE / "corpus" / "log_fuzz", HERE.parent / "data" / "delta"
COMMIT, CLASSIC, PART, UUID_JSON, UUID_PARQUET, SIDECAR, COMPACTION, CHECKSUM, HINT = range(9)
FEATURES = ["deletionVectors", "v2Checkpoint"]
PROTOCOL = {"protocol": {"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": FEATURES, "writerFeatures": FEATURES}}
SCHEMA = {"type": "struct", "fields": [{"name": n, "type": t, "nullable": True, "metadata": {}} for n, t in (("p", "string"), ("a", "long"))]}
METADATA = {"metaData": {"id": "i", "format": {"provider": "parquet"}, "schemaString": json.dumps(SCHEMA), "partitionColumns": ["p"], "configuration": {}}}
STATS = json.dumps({"numRecords": 3, "minValues": {"a": 1}, "maxValues": {"a": 5}, "nullCount": {"a": 0}})


def add(path, vector=None, **more):
    body = {"path": path, "partitionValues": {"p": "x"}, "size": 7, "modificationTime": 1, "dataChange": True, **more}
    return {"add": {**body, "deletionVector": vector} if vector else body}


def remove(path, vector=None):
    return {"remove": {"path": path, "dataChange": True, **({"deletionVector": vector} if vector else {})}}


def vector(kind, text, offset=None):
    return {"storageType": kind, "pathOrInlineDv": text, "sizeInBytes": 9, "cardinality": 1, **({} if offset is None else {"offset": offset})}


def file(kind, number, content):
    """A number holds the version in three bits, then the part (from 0) and the number of parts less one in two each."""
    if isinstance(content, list):
        content = "".join(json.dumps(a, separators=(",", ":")) + "\n" for a in content)
    content = content.encode() if isinstance(content, str) else content
    return struct.pack("<BBH", kind, number, len(content)) + content


def parquet(name):
    return (TABLES / name).read_bytes()


DV = [vector("u", "ab^-aqEH.-t@S}K{vb[*k^", 4), vector("i", "wi5b=000010000siXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L"), vector("p", "s3://b/%25.bin", 0)]
BASE = [PROTOCOL, METADATA]
SIDECARS = "sidecars_parquet/_delta_log/_sidecars/"
PART_NAME = "multi_part/_delta_log/00000000000000000003.checkpoint.000000000{}.0000000003.parquet"
LOGS = {
    "commits": [file(COMMIT, 0, BASE + [add("a", stats=STATS), add("b")]), file(COMMIT, 1, [remove("a"), add("c", stats="{")])],
    "vectors": [file(COMMIT, 0, BASE + [add("a", DV[0]), add("b", DV[1]), add("c", DV[2])]),
                file(COMMIT, 1, [remove("a", DV[0]), add("a", DV[1]), remove("b", DV[1]), add("b")])],
    "gap": [file(COMMIT, 0, BASE), file(COMMIT, 2, [add("a")])],
    "emptied": [file(COMMIT, 0, BASE + [add("a")]), file(COMMIT, 1, "")],
    "compaction": [file(COMMIT, v, (BASE if v == 0 else []) + [add(f"f{v}")]) for v in range(4)]
    + [file(COMPACTION, 1 | 1 << 3, [add("f1"), add("f2"), add("f3")]), file(COMPACTION, 0, BASE + [add("f0"), add("f1")])],
    "checksum": [file(COMMIT, 0, BASE + [add("a")]),
                 file(CHECKSUM, 0, json.dumps({"tableSizeBytes": 7, "numFiles": 2, "numMetadata": 1, "numProtocol": 1, **METADATA, **PROTOCOL}))],
    "hint": [file(COMMIT, 0, BASE + [add("a")]), file(UUID_JSON, 0, BASE + [{"checkpointMetadata": {"version": 0}}, add("a")]),
             file(HINT, 0, json.dumps({"version": 0, "size": 3, "checksum": "6a92d155a59bf2eecbd4b4ec7fd1f875"})), file(COMMIT, 1, [remove("a")])],
    "hint_stale": [file(COMMIT, 0, BASE), file(HINT, 0, "{\"version\":9,\"size\":1,\"parts\":2}")],
    "few_columns": [file(CLASSIC, 7, parquet("few_columns/_delta_log/00000000000000000007.checkpoint.parquet"))],
    "text_and_struct": [file(CLASSIC, 0, parquet("text_and_struct/_delta_log/00000000000000000000.checkpoint.parquet")), file(COMMIT, 1, [add("f1"), remove("f2")])],
    "parts": [file(PART, 3 | i << 3 | 2 << 5, parquet(PART_NAME.format(i + 1))) for i in range(3)],
    "sidecars_json": [file(UUID_JSON, 1, BASE + [{"checkpointMetadata": {"version": 1}}, {"sidecar": {"path": "one.parquet", "sizeInBytes": 1, "modificationTime": 1}},
                                                 {"sidecar": {"path": "two%20a.parquet", "sizeInBytes": 1, "modificationTime": 1}}]),
                      file(SIDECAR, 0, parquet(SIDECARS + "one.parquet")), file(SIDECAR, 1, parquet(SIDECARS + "two a.parquet")), file(COMMIT, 2, [remove("f1")])],
    "sidecars_parquet": [file(UUID_PARQUET, 1, parquet("sidecars_parquet/_delta_log/00000000000000000001.checkpoint.6a6ff8e1-3b1c-4f4e-9a55-0b1ad1cb7a02.parquet")),
                         file(SIDECAR, 0, parquet(SIDECARS + "one.parquet")), file(SIDECAR, 1, parquet(SIDECARS + "two a.parquet"))],
    "other_way": [file(UUID_JSON, 1, "{"), file(CLASSIC, 1, b"PAR1"), file(COMMIT, 0, BASE), file(COMMIT, 1, [add("a")])],
}


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, files in LOGS.items():
        (FOLDER / name).write_bytes(b"".join(files))


main()
