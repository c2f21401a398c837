#!/usr/bin/env python3
"""make_hint_corpus.py - write the corpus of hint_fuzz: hints as writers write them, and odd ones.

Called by: people, when a kind of hint is added; the result is committed.  Must not know: lakeproof.
"""
import json
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent / "corpus" / "hint_fuzz"
V2 = {"path": "00000000000000000002.checkpoint.6a6ff8e1-3b1c-4f4e-9a55-0b1ad1cb7a01.json", "sizeInBytes": 7, "modificationTime": 1,
      "nonFileActions": [{"protocol": {"minReaderVersion": 3}}, {"metaData": {"id": "a\"b", "configuration": {}}}],
      "sidecarFiles": [{"path": "x y é.parquet", "sizeInBytes": 1}]}
HINTS = {
    "plain": {"version": 10, "size": 3},
    "parts": {"version": 10, "size": 3, "parts": 2, "sizeInBytes": 100, "numOfAddFiles": 1},
    "schema": {"version": 1, "size": 2, "checkpointSchema": {"type": "struct", "fields": [{"name": "a", "type": "long", "nullable": True, "metadata": {}}]}, "tags": {"k": "v"}},
    "v2": {"version": 2, "size": 4, "v2Checkpoint": V2, "checksum": "0123456789abcdef0123456789abcdef"},
    "nested": {"version": 1, "a": [[], {}, [1, [2.50, -0.0, 1e3]], None, False], "b": {"checksum": "inner", "version": 9}},
    "names": {"version": 1, "": 1, "a+b": 2, "a": {"b": 3}, "%41": "~-._ /", "\u6f22\U0001f600": "\u0000"},
}
TEXTS = {
    "key_twice": "{\"version\":1,\"version\":2}",
    "key_twice_escaped": "{\"version\":1,\"\\u0076ersion\":2}",
    "no_version": "{}",
    "version_is_text": "{\"version\":\"1\"}",
    "version_is_large": "{\"version\":99999999999999999999}",
    "blanks": " \n{ \"version\" :\t7 , \"size\":1 }\r\n",
    "checksum_null": "{\"version\":7,\"checksum\":null}",
    "checksum_object": "{\"version\":7,\"checksum\":{\"a\":1}}",
    "cut": "{\"version\":7,",
    "list": "[1]",
    "surrogate": "{\"version\":7,\"a\":\"\\ud800\"}",
}


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, hint in HINTS.items():
        (FOLDER / name).write_text(json.dumps(hint, ensure_ascii=False), encoding="utf8")
    for name, text in TEXTS.items():
        (FOLDER / name).write_text(text, encoding="utf8")


main()
