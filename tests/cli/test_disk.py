#!/usr/bin/env python3
"""test_disk.py - `lakeproof snapshot --disk` against os.walk and a plain replay of the log in Python.

Called by: ctest, or by hand: test_disk.py --binary build/dev/lakeproof [--only NAME].  Must not know: how the folder is looked
at. Tables: small ones written here, and, where they are, those of ../shared, whose folders hold removed files.
"""
import argparse
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from suite import Skip, equal, holds, run  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--binary", required=True)
parser.add_argument("--only")
options = parser.parse_args()
BINARY = os.path.abspath(options.binary)
PROJECT = pathlib.Path(__file__).resolve().parents[2]
SHARED = next((p / "shared" for p in PROJECT.parents if (p / "shared/fixtures").is_dir()), None)
SCRATCH = tempfile.TemporaryDirectory(prefix="lakeproof-disk-")
ROOT = pathlib.Path(SCRATCH.name).resolve()
DAY = 86400000
WEEK = 7 * DAY
Z85 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"


def lakeproof(*arguments, env=None):
    done = subprocess.run(["lakeproof", *map(str, arguments)], executable=BINARY, capture_output=True, timeout=120,
                          env=dict(os.environ, **(env or {})))
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def disk(table, *more):
    code, out, err = lakeproof("snapshot", table, "--disk", "--format", "json", *more)
    holds(code == 0, f"{table}: {err}")
    return json.loads(out)["disk"]


def rows(table, *more):
    code, out, err = lakeproof("snapshot", table, "--disk", "--files", "--format", "ndjson", *more)
    holds(code == 0, f"{table}: {err}")
    return [json.loads(line) for line in out.splitlines()]


# ---------------------------------------------------------------- what should be found


def vector_file(dv):
    """The path of a vector's file, None for one that stands in the log."""
    if not dv or dv["storageType"] == "i":
        return None
    text = dv["pathOrInlineDv"]
    if dv["storageType"] == "p":
        return urllib.parse.unquote(text)
    words = [sum(Z85.index(c) * 85 ** (4 - i) for i, c in enumerate(text[k:k + 5])) for k in range(len(text) - 20, len(text), 5)]
    name = f"deletion_vector_{uuid.UUID(bytes=b''.join(w.to_bytes(4, 'big') for w in words))}.bin"
    return "/".join(part for part in (text[:-20], name) if part)


def commits(table):
    """All actions, commit by commit; None where the log does not start with the first one."""
    found = sorted(p for p in pathlib.Path(table, "_delta_log").glob("*.json") if len(p.name) == 25)
    if [int(p.name[:20]) for p in found] != list(range(len(found))):
        return None
    return [[json.loads(line) for line in p.read_text(encoding="utf-8").splitlines() if line.strip()] for p in found]


def expected(table, now):
    """state -> {path: would VACUUM delete it} of every file that is not simply live and there, and the number of live ones."""
    live, named, changes, partition = {}, {}, set(), []
    for commit in commits(table):
        for action in commit:
            for kind in ("add", "remove"):
                a = action.get(kind)
                if not a:
                    continue
                key = (a["path"], json.dumps(a.get("deletionVector"), sort_keys=True))
                for path in (urllib.parse.unquote(a["path"]), vector_file(a.get("deletionVector"))):
                    if path:
                        named[path] = max(named.get(path, 0), a.get("deletionTimestamp", 0) if kind == "remove" else 0)
            if action.get("cdc"):
                changes.add(urllib.parse.unquote(action["cdc"]["path"]))
            if action.get("metaData"):
                partition = action["metaData"]["partitionColumns"]
        removed = {(a["remove"]["path"], vector_file(a["remove"].get("deletionVector"))) for a in commit if a.get("remove")}
        live = {k: v for k, v in live.items() if k not in removed}
        live.update({(a["add"]["path"], vector_file(a["add"].get("deletionVector"))): a["add"] for a in commit if a.get("add")})
    needed = {urllib.parse.unquote(path) for path, _ in live} | {vector for _, vector in live if vector}
    states = {name: {} for name in ("removed", "uncommitted", "change_data", "missing", "outside")}
    present = set()
    for folder, folders, files in os.walk(table):
        below = os.path.relpath(folder, table)
        folders[:] = [f for f in folders if f[0] not in "._" or (below == "." and f == "_change_data")
                      or any(f.startswith(c + "=") for c in partition)]
        for name in files:
            if name[0] in "._":
                continue
            path = os.path.normpath(os.path.join(below, name))
            present.add(path)
            if path in needed:
                continue
            state = ("change_data" if path in changes or path.startswith("_change_data/") else "removed" if path in named
                     else "uncommitted")
            age = now - int(os.stat(os.path.join(folder, name)).st_mtime_ns // 1000000)
            states[state][path] = age > WEEK and now - named.get(path, 0) >= WEEK
    for path in needed - present:
        states["outside" if path[0] == "/" or ":/" in path else "missing"][path.removeprefix("file:").replace("///", "/")] = False
    return states, len(needed & present)


def check_table(table, now):
    states, there = expected(table, now)
    text = datetime.datetime.fromtimestamp(now // 1000, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S") + f".{now % 1000:03d}Z"
    found = disk(table, "--now", text)
    equal(found["now_ms"], now, table)
    listed = {name: {} for name in states}
    for row in rows(table, "--now", text):
        listed[row["state"]][row["path"]] = row["vacuum"]
    equal(listed, states, table)
    for name, files in states.items():
        equal(found[name]["files"], len(files), f"{table} {name}")
        if name in ("removed", "uncommitted", "change_data"):
            equal(found[name]["vacuum"]["files"], sum(files.values()), f"{table} {name} vacuum")
            equal(found[name]["bytes"], sum(os.path.getsize(os.path.join(table, f)) for f in files), f"{table} {name} bytes")
    equal(found["live"]["files"] + found["live_vectors"]["files"], there, table)


def test_tables_by_spark():
    if not SHARED:
        raise Skip("no ../shared")
    count = 0
    for log in sorted((SHARED / "fixtures/spark").glob("*/_delta_log")):
        table = str(log.parent)
        if commits(table) is None:
            continue
        newest = max(a["commitInfo"].get("timestamp", 0) for c in commits(table) for a in c if a.get("commitInfo"))
        for now in (newest + DAY // 2, newest + WEEK, newest + 400 * DAY):
            check_table(table, now)
        count += 1
    holds(count > 30, f"only {count} tables")


def test_removed_files_are_found():
    """What the comparison above would not show if both sides found nothing."""
    if not SHARED:
        raise Skip("no ../shared")
    found = disk(SHARED / "fixtures/spark/dv_part_ckpt")
    holds(found["removed"]["files"] >= 5 and found["removed"]["vectors"]["files"] >= 1, str(found))
    equal(disk(SHARED / "fixtures/spark/part_strings")["live"]["files"], 24)
    equal(disk(SHARED / "fixtures/spark/shallow_clone")["outside"]["missing"], 3)


# ---------------------------------------------------------------- tables written here

SCHEMA = json.dumps({"type": "struct", "fields": [{"name": "a", "type": "integer", "nullable": True, "metadata": {}}]})
HEAD = [{"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}},
        {"metaData": {"id": "one", "format": {"provider": "parquet", "options": {}}, "partitionColumns": [], "schemaString": SCHEMA,
                      "configuration": {}}}]
NOW = 1700000000000
NOW_TEXT = "2023-11-14T22:13:20Z"


def add(path, size=3):
    return {"add": {"path": path, "partitionValues": {}, "size": size, "modificationTime": 0, "dataChange": True}}


def remove(path, days):
    return {"remove": {"path": path, "deletionTimestamp": NOW - days * DAY, "dataChange": True}}


def write_table(name, *all_commits, files=()):
    log = ROOT / name / "_delta_log"
    log.mkdir(parents=True)
    for version, commit in enumerate(all_commits):
        (log / f"{version:020d}.json").write_text("".join(json.dumps(a) + "\n" for a in commit))
    for path, days in files:
        file = ROOT / name / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"abc")
        os.utime(file, ns=((NOW - days * DAY) * 1000000,) * 2)
    return str(ROOT / name)


MIXED = write_table("mixed", [*HEAD, add("live"), add("old"), add("young"), add("gone")],
                    [remove("old", 8), remove("young", 1), add("big", size=5)],
                    files=[("live", 20), ("old", 20), ("young", 20), ("sub/stray", 20), ("new", 1), ("big", 1)])


def test_the_text():
    code, out, _ = lakeproof("snapshot", MIXED, "--disk", "--files", "--now", NOW_TEXT)
    equal(code, 0)
    equal(out, f"""Delta table: {MIXED}
Version:     1
Now:         2023-11-14T22:13:20.000Z
Retention:   7 days (default)

1 live file is MISSING
1 live file is NOT OF THE SIZE that the log says

Files in the folder:
  live              2 files  6 B
  removed           2 files  6 B, of which VACUUM would delete 1 (3 B) now
  never committed   2 files  6 B, of which VACUUM would delete 1 (3 B) now

Live files elsewhere:
  missing           1 file  3 B
  of another size   1 file  3 B

Files that are not simply live and there:
  OTHER SIZE        big  (3 B, the log says 5 B)
  MISSING           gone  (3 B)
  never committed   new  (3 B)
  removed           old  (3 B  removed 8 days ago)  VACUUM would delete it now
  never committed   sub/stray  (3 B)  VACUUM would delete it now
  removed           young  (3 B  removed 1 day ago)
""")


def test_a_table_in_order():
    table = write_table("order", [*HEAD, add("live")], files=[("live", 1), ("_SUCCESS", 1)])
    code, out, err = lakeproof("snapshot", table, "--disk", "--now", "2023-11-14", "--assert-files")
    equal((code, err), (0, ""))
    equal(out.split("\n\n", 1)[1], """Files in the folder:
  live              1 file  3 B
  removed           0 files
  never committed   0 files
  not looked into:  1 hidden entry

Live files elsewhere:
  none: all of them are in the folder
""")


def test_the_gate():
    for form in ("text", "json"):
        code, out, err = lakeproof("snapshot", MIXED, "--disk", "--assert-files", "--format", form)
        equal((code, err), (1, "ASSERTION FAILED: 1 live file(s) missing, 1 not of the size that the log says\n"))
        holds("big" not in out and len(out) > 100, out)
    equal(lakeproof("snapshot", MIXED, "--disk")[0], 0, "no gate, no failure")


def test_the_clock_is_used_without_now():
    table = write_table("clock", HEAD, files=[("a", 20)])
    first, second = disk(table)["now_ms"], disk(table)["now_ms"]
    holds(NOW < first <= second, f"{first} {second}")


def test_now_is_read_in_the_zone():
    equal(disk(MIXED, "--now", "2023-11-14T22:13:20", "--timezone", "Europe/Rome")["now_ms"], NOW - 3600000)
    equal(disk(MIXED, "--now", "2023-11-14T22:13:20.5+01:00")["now_ms"], NOW - 3600000 + 500)
    code, out, err = lakeproof("snapshot", MIXED, "--disk", "--now", "yesterday")
    holds(code == 2 and out == "" and "yesterday" in err, err)


def test_what_does_not_go_together():
    for arguments in (["--now", "2023-11-14"], ["--assert-files"], ["--disk", "--at-version", "0"], ["--disk", "--format", "ndjson"],
                      ["--disk", "--files", "--format", "csv"]):
        code, out, err = lakeproof("snapshot", MIXED, *arguments)
        equal((code, out, err.startswith("error: ")), (2, "", True), str(arguments))


def test_retention_is_a_property():
    head = json.loads(json.dumps(HEAD))
    head[1]["metaData"]["configuration"] = {"delta.deletedFileRetentionDuration": "interval 12 hours"}
    table = write_table("half", [*head, add("a")], [remove("a", 1)], files=[("a", 1), ("b", 0)])
    found = disk(table, "--now", NOW_TEXT)
    equal((found["retention_ms"], found["removed"]["vacuum"]["files"], found["uncommitted"]["vacuum"]["files"]), (DAY // 2, 1, 0))
    head[1]["metaData"]["configuration"] = {"delta.deletedFileRetentionDuration": "interval 1 month"}
    table = write_table("month", [*head, add("a")], [remove("a", 99)], files=[("a", 99)])
    found = disk(table, "--now", NOW_TEXT)
    equal((found["retention_ms"], found["retention"], found["removed"]["vacuum"]), (None, "interval 1 month", None))
    holds('unknown: "interval 1 month" is no interval' in lakeproof("snapshot", table, "--disk")[1], "text")


def test_links_and_special_files():
    table = write_table("links", [*HEAD, add("inside/live"), add("far/live")], files=[("inside/live", 1)])
    away = write_table("away", HEAD, files=[("live", 1), ("other", 1)])
    os.symlink(away, os.path.join(table, "far"))
    os.symlink(table, os.path.join(table, "circle"))
    os.symlink("/", os.path.join(table, "root"))
    os.symlink("nowhere", os.path.join(table, "dangling"))
    os.symlink("inside/live", os.path.join(table, "twin"))
    os.mkfifo(os.path.join(table, "fifo"))
    found = disk(table)
    equal((found["links_to_folders"], found["special_entries"], found["live_behind_links"], found["live"]["files"],
           found["missing"]["files"]), (3, 2, 1, 1, 0))
    equal([(r["path"], r["state"]) for r in rows(table)], [("twin", "uncommitted")])


def test_names_that_are_not_utf8():
    table = write_table("bytes", [*HEAD, add("caf%E9")], files=[])
    for name in (b"caf\xe9", b"x\xff", b"line\nbreak"):
        with open(os.path.join(table.encode(), name), "wb") as f:
            f.write(b"abc")
    found = disk(table, "--files")
    equal((found["live"]["files"], found["uncommitted"]["files"], found["missing"]["files"]), (1, 2, 0))
    holds("  never committed   line\\nbreak  (3 B)\n" in lakeproof("snapshot", table, "--disk", "--files")[1], "one line a file")


def test_a_folder_that_cannot_be_listed_is_an_error():
    if os.geteuid() == 0:
        raise Skip("root may list any folder")
    table = write_table("closed", HEAD, files=[("in/a", 1)])
    os.chmod(os.path.join(table, "in"), 0)
    code, out, err = lakeproof("snapshot", table, "--disk")
    os.chmod(os.path.join(table, "in"), 0o700)
    holds(code == 1 and out == "" and "/in: Permission denied" in err, err)


def test_threads_do_not_change_the_answer():
    table = write_table("wide", [*HEAD, *(add(f"f{n}") for n in range(5000))], [remove(f"f{n}", n % 12) for n in range(2000)],
                        files=[(f"f{n}", n % 20) for n in range(0, 5000, 2)])
    one, many = (lakeproof("snapshot", table, "--disk", "--files", "--now", NOW_TEXT, "--threads", n) for n in (1, 4))
    equal(one, many)
    found = disk(table, "--now", NOW_TEXT)
    equal((found["live"]["files"], found["removed"]["files"], found["missing"]["files"]), (1500, 1000, 1500))
    equal(found["removed"]["vacuum"]["files"], sum(n % 12 >= 7 and n % 20 > 7 for n in range(0, 2000, 2)))


def test_keys_are_sorted():
    document = lakeproof("snapshot", MIXED, "--disk", "--files", "--format", "json")[1]
    for keys in (list(json.loads(document)), *(list(o) for o in objects_in(json.loads(document)["disk"]))):
        equal(keys, sorted(keys))


def objects_in(value):
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects_in(part)


def test_documents_follow_the_schema():
    try:
        import jsonschema
    except ImportError as missing:
        raise Skip("no jsonschema") from missing
    schema = json.loads((PROJECT / "schemas/snapshot-report.schema.json").read_text())
    document = jsonschema.Draft202012Validator(schema)
    row = jsonschema.Draft202012Validator({"$ref": "#/$defs/disk_file", "$defs": schema["$defs"]})
    for table in (MIXED, PROJECT / "tests/data/tables/sp_vectors"):
        for more in ([], ["--files"], ["--files", "--now", "2030-01-01"]):
            found = json.loads(lakeproof("snapshot", table, "--disk", "--format", "json", *more)[1])
            problem = next(document.iter_errors(found), None)
            holds(problem is None, problem and problem.message)
        for line in rows(table):
            problem = next(row.iter_errors(line), None)
            holds(problem is None, problem and problem.message)


def test_a_table_that_was_moved_is_read_as_well():
    table = write_table("moved", [*HEAD, add(str(ROOT / "moved") + "/a"), add("file://" + str(ROOT / "moved") + "/b%20c")],
                        files=[("a", 1), ("b c", 1)])
    equal((disk(table)["live"]["files"], disk(table)["outside"]["files"]), (2, 0))
    shutil.move(table, table + "2")
    found = disk(table + "2")
    equal((found["outside"]["files"], found["outside"]["missing"], found["uncommitted"]["files"]), (2, 2, 2))


run(globals(), options.only)
