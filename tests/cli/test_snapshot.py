#!/usr/bin/env python3
"""test_snapshot.py - the command `lakeproof snapshot`: the story as text and JSON, the listing in four formats.

Called by: ctest, or by hand: test_snapshot.py --binary build/dev/lakeproof [--only NAME] [--rewrite].  Must not know: how a
log is read. What is in a table is computed here once more, from its commits, by a replay of a few lines; how a report looks
is held against tests/data/snapshot, which --rewrite writes anew, for a person to read.
"""
import argparse
import csv
import io
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from logs import PROJECT, add, ages, commit_file, field, log_file, metadata, protocol, start, table  # noqa: E402
from suite import equal, holds, run  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--binary", required=True)
parser.add_argument("--only")
parser.add_argument("--rewrite", action="store_true")
options = parser.parse_args()
BINARY = os.path.abspath(options.binary)
TABLES = PROJECT / "tests" / "data" / "tables"
GOLDEN = PROJECT / "tests" / "data" / "snapshot"


def call(*arguments, **more):
    return subprocess.run([BINARY, "snapshot", *map(str, arguments)], cwd=PROJECT, stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=60, **more)


def printed(*arguments):
    done = call(*arguments)
    equal(done.returncode, 0, done.stderr[:500])
    equal(done.stderr, b"")
    return done.stdout.decode()


def story(*arguments):
    return json.loads(printed(*arguments, "--format", "json"))


def files(*arguments):
    return [json.loads(line) for line in printed(*arguments, "--files", "--format", "ndjson").splitlines()]


# ---------------------------------------------------------------- a replay of commits, to compare with


def vector_id(action):
    dv = action.get("deletionVector")
    if not dv:
        return None
    return dv["storageType"] + dv["pathOrInlineDv"] + (f"@{dv['offset']}" if "offset" in dv else "")


class Replay:
    """The state of a table after its commits, all of which are there."""

    def __init__(self, folder):
        self.live, self.removed, self.transactions, self.domains = {}, set(), {}, {}
        self.protocol = self.metadata = self.commit = None
        for commit in sorted(p for p in (folder / "_delta_log").glob("*.json") if len(p.name) == 25):
            actions = [json.loads(line) for line in commit.read_text(encoding="utf-8").splitlines() if line.strip()]
            self.version, self.commit = int(commit.stem), None
            for kind in ("remove", "add"):  # removes first, whatever the order of lines
                for action in (a[kind] for a in actions if kind in a):
                    self.take_file(kind, action)
            for action in actions:
                self.take_other(action)

    def take_file(self, kind, action):
        key = (action["path"], vector_id(action))
        self.live.pop(key, None)
        self.removed.discard(key)
        if kind == "add":
            self.live[key] = action
        else:
            self.removed.add(key)

    def take_other(self, action):
        self.protocol = action.get("protocol", self.protocol)
        self.metadata = action.get("metaData", self.metadata)
        self.commit = action.get("commitInfo", self.commit)
        if "txn" in action:
            self.transactions[action["txn"]["appId"]] = action["txn"]
        if "domainMetadata" in action:
            self.domains[action["domainMetadata"]["domain"]] = action["domainMetadata"]


def statistics(action):
    return json.loads(action["stats"]) if action.get("stats") else {}


def cardinality(action):
    return action["deletionVector"]["cardinality"] if action.get("deletionVector") else 0


def at(tree, names):
    for name in names:
        tree = tree.get(name) if isinstance(tree, dict) else None
    return tree


def leaves(fields, mapped, above=(), names=()):
    """(dotted name, physical path, type) of each column that is no struct."""
    for f in fields:
        physical = f["metadata"]["delta.columnMapping.physicalName"] if mapped else f["name"]
        if isinstance(f["type"], dict) and f["type"]["type"] == "struct":
            yield from leaves(f["type"]["fields"], mapped, (*above, physical), (*names, f["name"]))
        else:
            yield ".".join((*names, f["name"])), (*above, physical), f["type"]


def knows_nulls(action, stats, path):
    """Rules P6 and T38 to T45: what may be concluded from, not just what is there."""
    count, rows = at(stats.get("nullCount", {}), path), stats.get("numRecords")
    if not isinstance(count, int) or count < 0 or (rows is not None and count > rows):
        return False
    wide = stats.get("tightBounds", True) is not True or "deletionVector" in action and action["deletionVector"]
    return not wide or count == 0 or count == rows


def tables_with_all_commits():
    for folder in sorted([*TABLES.iterdir(), PROJECT / "examples" / "taxi"]):
        log = folder / "_delta_log"
        if log.is_dir() and (log / f"{0:020d}.json").exists():
            names = [p.name for p in log.glob("*.json") if len(p.name) == 25]
            if len(names) == int(max(names)[:20]) + 1:
                yield folder, any(".checkpoint" in p.name for p in log.iterdir())


WHOLE = list(tables_with_all_commits())


def test_there_are_tables_to_compare():
    holds(len(WHOLE) > 15, WHOLE)
    holds(any(has_checkpoint for _, has_checkpoint in WHOLE), "one with a checkpoint")


def test_totals_are_those_of_a_replay():
    for folder, has_checkpoint in WHOLE:
        want, found = Replay(folder), story(folder)["totals"]
        adds = list(want.live.values())
        rows = [statistics(a).get("numRecords") for a in adds]
        equal(found["files"], len(adds), folder)
        equal(found["bytes"], sum(a["size"] for a in adds), folder)
        equal(found["records"], None if None in rows else sum(rows), folder)
        equal(found["live_rows"], None if None in rows else sum(rows) - sum(map(cardinality, adds)), folder)
        equal(found["deleted_rows"], sum(map(cardinality, adds)), folder)
        equal(found["files_with_deletion_vector"], sum(vector_id(a) is not None for a in adds), folder)
        equal(found["files_with_stats"], sum(bool(a.get("stats")) for a in adds), folder)
        if not has_checkpoint:  # whose writer may have left out old removes
            equal(found["removed_files"], len(want.removed), folder)


def test_listings_are_those_of_a_replay():
    for folder, _ in WHOLE:
        want, mapped = Replay(folder), {}
        schema = json.loads(want.metadata["schemaString"])
        is_mapped = "delta.columnMapping.mode" in want.metadata["configuration"]
        for name in want.metadata["partitionColumns"]:
            of = next(f for f in schema["fields"] if f["name"] == name)
            mapped[name] = of["metadata"]["delta.columnMapping.physicalName"] if is_mapped else name
        found = {(f["path"], f["dv_id"]): f for f in files(folder)}
        equal(sorted(found, key=str), sorted(want.live, key=str), folder)
        for key, action in want.live.items():
            line, rows = found[key], statistics(action).get("numRecords")
            equal(line["size_bytes"], action["size"], key)
            equal(line["modification_time_ms"], action["modificationTime"], key)
            equal(line["partition_values"], {n: action["partitionValues"][p] for n, p in mapped.items()}, key)
            equal(line["records"], rows, key)
            equal(line["live_rows"], None if rows is None else rows - cardinality(action), key)
            equal(line["deleted_rows"], cardinality(action) if vector_id(action) else None, key)
            equal(line["has_stats"], bool(action.get("stats")), key)
            equal(line["base_row_id"], action.get("baseRowId"), key)


def test_coverage_is_that_of_a_replay():
    compared = 0
    for folder, _ in WHOLE:
        want = Replay(folder)
        is_mapped = "delta.columnMapping.mode" in want.metadata["configuration"]
        found = story(folder)["coverage"]
        columns = [c for c in leaves(json.loads(want.metadata["schemaString"])["fields"], is_mapped)
                   if c[0] not in want.metadata["partitionColumns"]]
        equal([c["column"] for c in found], [name for name, _, _ in columns], folder)
        for of, (name, path, kind) in zip(found, columns):
            nulls = sum(knows_nulls(a, statistics(a), path) for a in want.live.values())
            equal(of["files_with_null_count"], nulls, f"{folder} {name}")
            if kind not in ("long", "integer", "string", "date", "double"):
                continue  # of other types not every bound that is there can be used
            bounds = [(at(statistics(a).get("minValues", {}), path), at(statistics(a).get("maxValues", {}), path))
                      for a in want.live.values()]
            equal(of["files_with_min"], sum(low is not None for low, _ in bounds), f"{folder} {name}")
            equal(of["files_with_max"], sum(high is not None for _, high in bounds), f"{folder} {name}")
            equal(of["files_with_min_and_max"], sum(None not in b for b in bounds), f"{folder} {name}")
            compared += 1
    holds(compared > 40, compared)


def test_what_else_a_table_says_is_that_of_a_replay():
    for folder, _ in WHOLE:
        want, found = Replay(folder), story(folder)
        equal(found["version"], want.version, folder)
        equal(found["table_id"], want.metadata["id"], folder)
        equal(found["created_time_ms"], want.metadata.get("createdTime"), folder)
        equal(found["properties"], want.metadata["configuration"], folder)
        equal(found["partition_columns"], want.metadata["partitionColumns"], folder)
        equal(found["protocol"]["min_reader_version"], want.protocol["minReaderVersion"], folder)
        equal(found["protocol"]["writer_features"], want.protocol.get("writerFeatures", []), folder)
        equal({d["domain"]: d["configuration"] for d in found["domains"]},
              {k: d["configuration"] for k, d in want.domains.items() if not d["removed"]}, folder)
        equal({t["app_id"]: t["version"] for t in found["transactions"]},
              {k: t["version"] for k, t in want.transactions.items()}, folder)
        equal([c["name"] for c in found["schema"] if c["type"] != "struct"],
              [c[0] for c in leaves(json.loads(want.metadata["schemaString"])["fields"], False)], folder)
        equal(found["commit"]["operation"], want.commit["operation"], folder)
        equal(found["commit"]["engine"], want.commit.get("engineInfo"), folder)
        equal(found["commit"]["metrics"], want.commit.get("operationMetrics"), folder)
        equal(found["commit"]["timestamp_ms"], want.commit.get("timestamp"), folder)


# ---------------------------------------------------------------- how reports look


def golden(name, text):
    path = GOLDEN / name
    if options.rewrite:
        path.write_text(text, encoding="utf-8")
    equal(text, path.read_text(encoding="utf-8"), f"{name}; --rewrite writes it anew")


def test_stories_as_text():
    golden("taxi.txt", printed("examples/taxi"))
    for name in ("sp_vectors", "sp_mapping_name", "sp_checkpoint_v2_parquet", "sp_generated", "sp_widening", "sp_clustered", "sp_empty",
                 "sp_nested", "rs_stats_limited"):
        golden(name + ".txt", printed(f"tests/data/tables/{name}"))


def test_the_example_of_the_documentation_is_what_is_printed():
    page = (PROJECT / "docs" / "snapshot.md").read_text(encoding="utf-8")
    example = page.split("```\n")[1].split("\n", 1)
    equal(example[0], "$ lakeproof snapshot tests/data/tables/sp_vectors")
    equal(example[1], printed("tests/data/tables/sp_vectors"))


def without_tool_version(text):
    return "".join(line for line in text.splitlines(keepends=True) if '"tool_version"' not in line)


def test_stories_as_json():
    for name in ("sp_vectors", "sp_mapping_name"):
        golden(name + ".json", without_tool_version(printed(f"tests/data/tables/{name}", "--format", "json", "--files")))


def test_listings():
    for form, name in (("text", "txt"), ("csv", "csv"), ("ndjson", "ndjson")):
        text = call("tests/data/tables/sp_vectors", "--files", "--format", form).stdout.decode()
        golden("sp_vectors_files." + name, text.replace("\r\n", "<CR>\n"))


RICH = table(
    [protocol(1, 7, writerFeatures=["identityColumns", "allowColumnDefaults", "checkConstraints", "rowTracking", "ahead-of-its-time"]),
     metadata([field("country", "string"),
               field("id", "long", **{"delta.identity.start": 1, "delta.identity.step": 2, "delta.identity.highWaterMark": 41}),
               field("state", "string", CURRENT_DEFAULT="'new'", **{"__CHAR_VARCHAR_TYPE_STRING": "char(3)"}),
               {**field("amount", "decimal(10,2)", **{"delta.invariants": '{"expression":{"expression":"amount >= 0"}}'}), "nullable": False},
               field("tags", {"type": "map", "keyType": "string", "valueType": {"type": "array", "elementType": "long", "containsNull": True},
                              "valueContainsNull": True})],
              name="orders", description="all\norders", configuration={"delta.constraints.paid": "amount > 0 OR state = 'new'",
                                                                       "delta.enableRowTracking": "true",
                                                                       "delta.dataSkippingNumIndexedCols": "2"}),
     {"domainMetadata": {"domain": "delta.rowTracking", "configuration": '{"rowIdHighWaterMark":19}', "removed": False}},
     {"domainMetadata": {"domain": "mine", "configuration": "x" * 200, "removed": False}},
     *({"txn": {"appId": f"stream-{n:02}", "version": n, "lastUpdated": 1700000000000 + n}} for n in range(23))],
    [add("a", stats={"numRecords": 1234567, "minValues": {"id": 1}, "maxValues": {"id": 5}, "nullCount": {"id": 0, "tags": 3}},
         baseRowId=0, size=5000000),
     add("b", "IT", stats={"minValues": {"id": 3}, "nullCount": {"id": 0}}),
     add("c", "IT", tags=None),
     {"commitInfo": {"timestamp": 1700000000123, "operation": "STREAMING UPDATE", "engineInfo": "hand/1"}}],
    files={"_last_checkpoint": b"{"})


def test_a_table_that_has_everything():
    golden("rich.txt", printed(RICH).replace(str(RICH), "RICH"))


def test_a_story_has_nothing_that_is_empty():
    text = printed(table([protocol(), metadata([], ())]))
    for absent in ("Schema", "Partition", "Constraints", "Properties", "Statistics", "Clustering", "Row tracking", "In-commit", "Domains",
                   "Transactions", "Notes", "Name", "Description", "bytes"):
        holds(absent not in text, f"{absent}\n{text}")
    holds("\n\n\n" not in text and not text.endswith("\n\n"), text)


def test_text_from_the_log_stays_on_its_line():
    text = printed(RICH)
    holds("all\\norders" in text, text)
    odd = table([protocol(), metadata([field("a\x1b[31mb", "long")], ())], [add("p\n\u202eq", stats={})])
    holds("\x1b" not in printed(odd) and "\u202e" not in printed(odd, "--files"), printed(odd))


def test_colour_changes_no_text():
    coloured = printed(RICH, "--color", "always")
    holds("\x1b[1m" in coloured, coloured[:200])
    equal(coloured.replace("\x1b[1m", "").replace("\x1b[0m", ""), printed(RICH))


# ---------------------------------------------------------------- formats of the listing


def rows_of_csv(*arguments):
    done = call(*arguments, "--files", "--format", "csv")
    equal(done.returncode, 0, done.stderr)
    text = done.stdout.decode()
    holds(text.endswith("\r\n") and "\n" not in text.replace("\r\n", ""), text[:500])
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_csv_says_what_ndjson_says():
    for folder, _ in WHOLE:
        for row, line in zip(rows_of_csv(folder), files(folder), strict=True):
            for key, value in line.items():
                if key == "partition_values":
                    for name, text in value.items():
                        equal(row["partition." + name], text or "", folder)
                else:
                    text = "" if value is None else json.dumps(value) if isinstance(value, bool) else str(value)
                    equal(row[key], text, (folder, key))


def test_csv_tells_null_from_an_empty_text_and_quotes_what_must_be():
    odd = table([protocol(), metadata()], [add("a", None), add("b", ""), add('c,"d"', 'x\r\n"y"')])
    lines = call(odd, "--files", "--format", "csv").stdout.decode()
    equal(lines, "path,dv_id,size_bytes,modification_time_ms,records,deleted_rows,live_rows,has_stats,base_row_id,partition.country\r\n"
                 "a,,1000,0,,,,false,,\r\n"
                 "b,,1000,0,,,,false,,\"\"\r\n"
                 "\"c,\"\"d\"\"\",,1000,0,,,,false,,\"x\r\n\"\"y\"\"\"\r\n")


def test_partition_values_that_are_null_or_missing_are_told_apart():
    without = add("b")
    del without["add"]["partitionValues"]["country"]
    by_path = {f["path"]: f["partition_values"] for f in files(table([*start(), add("a", None), without, add("c", "")]))}
    equal(by_path, {"a": {"country": None}, "b": {}, "c": {"country": ""}})


def test_the_array_of_the_document_is_the_listing():
    equal(story("tests/data/tables/sp_vectors", "--files")["files"], files("tests/data/tables/sp_vectors"))
    equal(story(table(start()), "--files")["files"], [])
    holds("files" not in story(RICH), "only with --files")


def test_an_empty_table_lists_nothing():
    empty = table(start())
    equal(files(empty), [])
    equal(rows_of_csv(empty), [])
    holds(printed(empty, "--files").endswith("Files in snapshot: 0\n"), "and says so")


def test_the_report_does_not_depend_on_threads():
    for arguments in ((), ("--format", "json"), ("--files",), ("--files", "--format", "csv")):
        for name in ("sp_checkpoint_parts", "sp_checkpoint_v2_json", "rs_checkpoint"):
            equal(printed(TABLES / name, *arguments, "--threads", "1"), printed(TABLES / name, *arguments, "--threads", "8"))


# ---------------------------------------------------------------- versions, damage, the call


def test_a_version_can_be_asked_for():
    folder = table(start(), [add("a")], [add("b")], [{"remove": {"path": "a", "dataChange": True}}])
    equal([story(folder, "--at-version", v)["totals"]["files"] for v in range(4)], [0, 1, 2, 1])
    done = call(folder, "--at-version", "4")
    equal((done.returncode, done.stdout), (1, b""))
    holds(done.stderr.startswith(b"error: version 4 does not exist"), done.stderr)


def test_a_table_without_schema_is_told_by_its_counts():
    folder = table([protocol(), metadata()], [add("a", stats=ages(1, 2))])
    lines = commit_file(folder, 0).read_text().splitlines()
    action = json.loads(lines[1])
    del action["metaData"]["schemaString"]
    commit_file(folder, 0).write_text(lines[0] + "\n" + json.dumps(action) + "\n")
    found = story(folder)
    equal((found["totals"]["files"], found["totals"]["records"], found["schema"], found["coverage"]), (1, 10, [], []))
    equal(found["partition_columns"], ["country"])
    equal(files(folder)[0]["partition_values"], {})
    printed(folder)


def test_a_hint_that_cannot_be_read_is_said():
    found = story(RICH)
    equal(found["log"]["hint"]["state"], "ignored")
    equal([n["code"] for n in found["notes"]], ["HINT_IGNORED"])


def test_statistics_that_cannot_be_read_cost_that_file_only():
    found = story(table([*start(), add("a", stats="{"), add("b", stats=ages(1, 2)), add("c", stats="[]")]))
    equal((found["totals"]["files"], found["totals"]["files_with_stats"], found["totals"]["records"]), (3, 1, None))


def test_damage_is_an_error_with_its_place_and_nothing_on_standard_output():
    folder = table(start(), b'{"add":{"path":5}}\n')
    for arguments in ((), ("--format", "json"), ("--files", "--format", "ndjson")):
        done = call(folder, *arguments)
        equal((done.returncode, done.stdout), (1, b""))
        holds(b"00000000000000000001.json:1" in done.stderr, done.stderr)
    done = call(PROJECT)
    equal((done.returncode, done.stdout), (1, b""))
    holds(b"not a Delta table" in done.stderr, done.stderr)


def test_what_needs_a_listing_says_so():
    for form in ("csv", "ndjson"):
        done = call(RICH, "--format", form)
        equal((done.returncode, done.stdout), (2, b""))
        holds(f"'--format {form}' needs '--files'".encode() in done.stderr, done.stderr)
    equal(call(RICH, "--where", "x = 1").returncode, 2)
    equal(call(RICH, "--format", "xml").returncode, 2)
    equal(call().returncode, 2)


def test_counters_tell_what_was_done():
    def count(*arguments):
        done = call(RICH, *arguments, "--counters", "--threads", "1")
        return json.loads(done.stderr.splitlines()[-1])
    equal((count()["files_seen"], count()["statistics_parsed"], count()["files_listed"]), (3, 2, 0))
    equal(count("--files", "--format", "csv")["files_listed"], 3)


def test_a_reader_that_stops_is_no_error():
    folder = table(start(), [add(f"file-{n:06}", stats=ages(n, n + 1)) for n in range(20000)])
    with subprocess.Popen([BINARY, "snapshot", str(folder), "--files", "--format", "ndjson"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as p:
        p.stdout.readline()
        p.stdout.close()
        equal(p.stderr.read(), b"")
        equal(p.wait(), 0)


def test_many_files_in_many_commits_come_in_the_order_of_the_log():
    folder = table(start(), *([add(f"{v}-{n}", stats=ages(n, n + 1)) for n in range(1500)] for v in range(3)))
    equal([f["path"] for f in files(folder)], [f"{v}-{n}" for v in (2, 1, 0) for n in range(1500)])
    equal(log_file(folder, "_last_checkpoint").exists(), False)


run(globals(), options.only)
