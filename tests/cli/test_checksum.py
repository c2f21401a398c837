#!/usr/bin/env python3
"""test_checksum.py - version checksums: what agrees is silent, what differs or is damaged is a note and changes nothing.

Called by: ctest, or by hand: test_checksum.py --binary build/dev/lakeproof [--only NAME].  Must not know: how the library reads
a log.
"""
import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from logs import PROJECT, Program, add, ages, start, table  # noqa: E402
from suite import Skip, equal, holds, run  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--binary", required=True)
parser.add_argument("--only")
parser.add_argument("--shared", type=pathlib.Path, default=PROJECT.parent / "shared")
options = parser.parse_args()
PRUNE = Program(options.binary, "lakeproof")
SNAPSHOT = Program(options.binary, "lakeproof")
SNAPSHOT.prefix = ["snapshot"]
DROP_IN = Program(options.binary, "delta-explain")
CRC = "00000000000000000001.crc"
FIXTURES = options.shared / "fixtures"


def folder(content):
    """Two files of 1000 bytes at version 1."""
    crc = content if isinstance(content, bytes) else json.dumps(content).encode()
    return table([*start(), add("f0", stats=ages(1, 5))], [add("f1", stats=ages(6, 9))], files={CRC: crc})


def codes(report, key):
    return [n["code"] for n in report[key] if "CHECKSUM" in n["code"]]


def test_one_that_agrees():
    place = folder({"tableSizeBytes": 2000, "numFiles": 2, "numMetadata": 1, "numProtocol": 1})
    report = SNAPSHOT.report(place)
    equal(report["checksum"], {"state": "agrees", "file": f"_delta_log/{CRC}", "differences": [], "why": None})
    equal((codes(report, "notes"), codes(PRUNE.report(place), "table_notes")), ([], []))
    holds("  checksum:     agrees with what was read\n" in SNAPSHOT.run(place).stdout.decode(), "the text")


def test_one_of_another_version():
    report = SNAPSHOT.report(folder({"tableSizeBytes": 1, "numFiles": 1}), "--at-version", "0")
    equal(report["checksum"], {"state": "absent", "file": None, "differences": [], "why": None})
    holds("checksum:" not in SNAPSHOT.run(table(start())).stdout.decode(), "the text of a table without one")


def test_one_that_differs():
    place = folder({"tableSizeBytes": 5259, "numFiles": 10})
    report = SNAPSHOT.report(place)
    equal(report["checksum"]["state"], "differs")
    equal(report["checksum"]["differences"], [{"what": "numFiles", "in_checksum": "10", "in_log": "2"},
                                              {"what": "tableSizeBytes", "in_checksum": "5259", "in_log": "2000"}])
    equal((report["totals"]["files"], report["totals"]["bytes"]), (2, 2000))
    equal(codes(report, "notes"), ["CHECKSUM_MISMATCH"])
    message = next(n["message"] for n in report["notes"] if n["code"] == "CHECKSUM_MISMATCH")
    for word in (CRC, "numFiles is 10 there and 2 in the log", "tableSizeBytes is 5259 there and 2000"):
        holds(word in message, message)
    holds("does not agree in 2 points, see the notes" in SNAPSHOT.run(place).stdout.decode(), "the text")


def test_prune_compares_what_it_counts_anyway():
    for content, expected in (({"tableSizeBytes": 2000, "numFiles": 3}, ["CHECKSUM_MISMATCH"]),
                              ({"tableSizeBytes": 9, "numFiles": 2}, []),  # sizes are not read for a filter
                              ({"tableSizeBytes": 2000, "numFiles": 2, "numDeletionVectorsOpt": 1}, ["CHECKSUM_MISMATCH"]),
                              ({"tableSizeBytes": 2000, "numFiles": 2, "protocol": {"minReaderVersion": 1, "minWriterVersion": 3}},
                               ["CHECKSUM_MISMATCH"])):
        report = PRUNE.report(folder(content), "--where", "age > 5")
        equal(codes(report, "table_notes"), expected, content)
        equal((report["total_files"], report["final_files"]), (2, 1))


def test_one_that_cannot_be_read():
    for content in (b"", b"not json", b'{"numFiles":2', b"[]", b"\xff\xfe", b'{"numFiles":-2}', b"{}"):
        place = folder(content)
        report = SNAPSHOT.report(place)
        equal((report["checksum"]["state"], codes(report, "notes")), ("unreadable", ["CHECKSUM_UNREADABLE"]), content)
        holds(CRC in report["checksum"]["why"], report["checksum"])
        equal(report["totals"]["files"], 2)
        equal(codes(PRUNE.report(place), "table_notes"), ["CHECKSUM_UNREADABLE"], content)


def test_a_folder_or_a_dangling_link_in_its_place():
    for make in (lambda p: p.mkdir(), lambda p: p.symlink_to("nowhere")):
        place = folder(b"")
        (place / "_delta_log" / CRC).unlink()
        make(place / "_delta_log" / CRC)
        equal(SNAPSHOT.report(place)["checksum"]["state"], "unreadable")


def test_one_that_is_too_large():
    place = folder(b"")
    with open(place / "_delta_log" / CRC, "wb") as file:
        file.truncate((32 << 20) + 1)
    report = SNAPSHOT.report(place)
    holds("expected at most 33554432 bytes" in report["checksum"]["why"], report["checksum"])


def test_the_drop_in_does_not_know_it():
    bad = folder({"tableSizeBytes": 1, "numFiles": 7})
    holds("CHECKSUM" not in DROP_IN.run(bad).stdout.decode(), "the text")
    holds("CHECKSUM" not in DROP_IN.run(bad, "--format", "json").stdout.decode(), "the JSON")


def test_real_ones_agree():
    """Every checksum of the fixtures whose version can be read. Two do not agree, and should not: `crc-full` was made to lie, and
    in `cdc_ict_table` somebody set the in-commit timestamp of version 1 back by a year, in the commit alone."""
    if not FIXTURES.is_dir():
        raise Skip("no ../shared/fixtures")
    known = {("crc-full", 0): "numFiles", ("cdc_ict_table", 1): "inCommitTimestampOpt"}
    agree = 0
    for crc in sorted(FIXTURES.glob("**/_delta_log/[0-9]*.crc")):
        place, version = crc.parents[1], int(crc.name[:20])
        done = SNAPSHOT.run(place, "--at-version", version, "--format", "json")
        if done.returncode != 0:
            continue
        found = json.loads(done.stdout)["checksum"]
        if found["state"] == "differs":
            equal(found["differences"][0]["what"], known.get((place.name, version)), crc)
        else:
            equal(found["state"], "agrees", crc)
            agree += 1
    holds(agree > 400, f"{agree} agree")


run(globals(), options.only)
