#!/usr/bin/env python3
"""make_checksum_corpus.py - write the corpus of checksum_fuzz: version checksums and commitInfo lines, good and broken."""
import json
import pathlib

FOLDER = pathlib.Path(__file__).parent / "corpus" / "checksum_fuzz"
SCHEMA = json.dumps({"type": "struct", "fields": [{"name": "a", "type": "long", "nullable": True, "metadata": {}}]})
FULL = {
    "txnId": "t", "tableSizeBytes": 12, "numFiles": 2, "numMetadata": 1, "numProtocol": 1, "numDeletedRecordsOpt": 1,
    "numDeletionVectorsOpt": 1, "inCommitTimestampOpt": 1700000000000,
    "setTransactions": [{"appId": "app", "version": 3, "lastUpdated": 4}],
    "domainMetadata": [{"domain": "d", "configuration": "{\"k\":1}", "removed": False}],
    "protocol": {"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": ["v2Checkpoint"], "writerFeatures": ["v2Checkpoint"]},
    "metadata": {"id": "i", "format": {"provider": "parquet", "options": {}}, "schemaString": SCHEMA, "partitionColumns": ["p"],
                 "configuration": {"k": "v"}},
    "histogramOpt": {"sortedBinBoundaries": [0, 8192], "fileCounts": [2, 0], "totalBytes": [12, 0]},
    "allFiles": [{"path": "f", "partitionValues": {}, "size": 6, "modificationTime": 0, "dataChange": False}],
}
INFO = {"commitInfo": {"inCommitTimestamp": 1700000000000, "timestamp": 1700000000001, "operation": "WRITE \u00e9 \"x\"",
                       "operationParameters": {"mode": "Append", "partitionBy": "[]"},
                       "operationMetrics": {"numFiles": "1", "nested": {"a": [1.50, None, True]}}, "engineInfo": "e/1", "userName": None}}

text = json.dumps(FULL)
inputs = {
    "full.crc": text,
    "least.crc": '{"tableSizeBytes":0,"numFiles":0,"numMetadata":1,"numProtocol":1}',
    "nulls.crc": json.dumps({k: None for k in FULL} | {"numFiles": 1}),
    "twice.crc": '{"numFiles":1,"numFiles":2,"setTransactions":[],"setTransactions":null}',
    "escaped.crc": '{"num\\u0046iles":1,"metad\\u0061ta":{"id":"\\ud800"}}',
    "cut.crc": text[:len(text) // 2],
    "negative.crc": '{"numFiles":-1}',
    "wrong_kinds.crc": '{"numFiles":1,"setTransactions":[[]],"protocol":[]}',
    "no_protocol_version.crc": '{"numFiles":1,"protocol":{}}',
    "info.json": json.dumps(INFO),
    "info_blanks.json": '{ "commitInfo" : { "operationMetrics" : {\r\t"a" : { } } , "operationMetrics" : [ ] } }',
    "info_null.json": '{"commitInfo":null}',
    "info_two.json": '{"commitInfo":{},"add":{"path":"f"}}',
    "empty": "",
}
FOLDER.mkdir(parents=True, exist_ok=True)
for name, content in inputs.items():
    (FOLDER / name).write_bytes(content.encode())
print(len(inputs), "files")
