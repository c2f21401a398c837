#!/usr/bin/env python3
"""make_list_corpus.py - write the corpus of log_list_fuzz: listings of a log, one name a line, `-` in front of empty files.

Called by: people, when a kind of name is added; the result is committed.  Must not know: lakeproof.
"""
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent / "corpus" / "log_list_fuzz"
UUID = "6a6ff8e1-3b1c-4f4e-9a55-0b1ad1cb7a01"
LAST = 2**63 - 1


def commit(v):
    return f"{v:020}.json"


def parts(v, count, but=()):
    return [f"{v:020}.checkpoint.{i:010}.{count:010}.parquet" for i in range(1, count + 1) if i not in but]


LISTINGS = {
    "commits": [commit(v) for v in range(4)],
    "gap": [commit(0), commit(1), commit(3)],
    "cleaned": [commit(7), commit(8), f"{7:020}.checkpoint.parquet", f"{8:020}.crc", "_last_checkpoint"],
    "classic_empty": ["-" + f"{2:020}.checkpoint.parquet", *map(commit, range(4))],
    "uuid": [f"{1:020}.checkpoint.{UUID}.json", f"{1:020}.checkpoint.{UUID}.parquet", commit(2)],
    "parts": parts(3, 3) + [commit(4)],
    "parts_missing": parts(3, 3, but=[2]) + parts(3, 2) + parts(1, 2) + [commit(v) for v in range(4)],
    "parts_empty": ["-" + parts(3, 2)[0], parts(3, 2)[1], commit(4)],
    "compactions": [commit(v) for v in range(6)] + [f"{0:020}.{3:020}.compacted.json", f"{2:020}.{5:020}.compacted.json", f"{4:020}.{9:020}.compacted.json"],
    "compaction_bridges": [commit(0), commit(1), commit(4), f"{1:020}.{4:020}.compacted.json"],
    "highest": [commit(LAST), commit(LAST - 1), f"{LAST - 1:020}.checkpoint.parquet", f"{LAST - 1:020}.{LAST:020}.compacted.json", f"{LAST + 1:020}.json"],
    "odd": [".tmp", "_sidecars", "1.json", f"{1:021}.json", f"{1:020}.JSON", f"{1:020}.checkpoint.0000000003.0000000002.parquet", f"{1:020}.checkpoint.0000000000.0000000002.parquet",
            f"{5:020}.{5:020}.compacted.json", f"{1:020}.checkpoint.{UUID[:-1]}.json", f"{1:020}.json.tmp", f".{1:020}.crc.crc"],
}


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, names in LISTINGS.items():
        (FOLDER / name).write_text("\n".join(names) + "\n", encoding="utf8")


main()
