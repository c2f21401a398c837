#!/usr/bin/env python3
"""derived_filters.py - filters on generated partition columns: at least as sharp as those that Spark derives, and sound.

Called by: tests/suites.ini, people.  Must not know: how bounds are derived.

usage: derived_filters.py --binary 'lakeproof prune' --shared ../shared
The skipping matrix lists, for tables whose partition columns are generated, the partition filters that Spark derives from a
filter on the data column. For each of them a table is written whose files have partition values all around the literals
and no statistics. A file must stay if some value that generates its partition value satisfies the data filter (worked out
here, in plain Python). And it must go where Spark's filter drops it, but for a day of slack where the source is a
timestamp: Spark takes the reader's zone for the writer's. Last line: `N passed, N failed, N skipped`.
"""
import argparse
import datetime as dt
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import zoneinfo

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import suite

DAY = dt.timedelta(days=1)
TYPES = {"TIMESTAMP": "timestamp", "DATE": "date", "STRING": "string", "INT": "integer"}

# Filters that Spark derives and that are unsound, so nothing is derived here.
UNSOUND_IN_SPARK = {
    # '2022-3-1' > '2022-04-01' as texts, and its quarter starts before: the order of texts is not that of dates
    ("trunc(eventDateStr, 'quarter')", "<"), ("trunc(eventDateStr, 'quarter')", "<="),
    ("trunc(eventDateStr, 'quarter')", ">"), ("trunc(eventDateStr, 'quarter')", ">="),
}


# ------------------------------------------------------------------------------------------------ the tables

def parse_struct(text):
    """`outer struct<a: STRING>` and so on, as (name, type) pairs."""
    fields, depth, start = [], 0, 0
    for i, c in enumerate(text + ","):
        depth += (c == "<") - (c == ">")
        if c == "," and depth == 0:
            name, kind = re.match(r"\s*(`[^`]*`|\w+)\s*:?\s*(.*?)\s*$", text[start:i], re.S).groups()
            inner = re.match(r"struct<(.*)>$", kind, re.S | re.I)
            made = {"type": "struct", "fields": parse_struct(inner.group(1))} if inner else TYPES[kind.upper()]
            fields.append({"name": name.strip("`"), "type": made, "nullable": True, "metadata": {}})
            start = i + 1
    return fields


def write_table(folder, entry, values):
    log = os.path.join(folder, "_delta_log")
    os.makedirs(log)
    fields = parse_struct(entry["schema_ddl"])
    for field in fields:
        if field["name"] in entry["generated_columns"]:
            field["metadata"]["delta.generationExpression"] = entry["generated_columns"][field["name"]]
    lines = [
        {"protocol": {"minReaderVersion": 1, "minWriterVersion": 4}},
        {"metaData": {"id": "00000000-0000-0000-0000-000000000001", "format": {"provider": "parquet", "options": {}},
                      "schemaString": json.dumps({"type": "struct", "fields": fields}),
                      "partitionColumns": entry["partition_columns"], "configuration": {}, "createdTime": 0}},
    ]
    for i, value in enumerate(values):
        lines.append({"add": {"path": str(i), "partitionValues": value, "size": 1, "modificationTime": 0, "dataChange": True}})
    with open(os.path.join(log, "0" * 20 + ".json"), "w", encoding="utf8") as out:
        out.writelines(json.dumps(line) + "\n" for line in lines)


# ---------------------------------------------------------------------------------------- what generates what

def start_of(unit, wall):
    unit = {"yyyy": "year", "dd": "day", "mm": "month"}.get(unit.lower(), unit.lower())
    day = wall.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit == "year":
        return day.replace(month=1, day=1)
    if unit == "quarter":
        return day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
    if unit == "month":
        return day.replace(day=1)
    return day if unit == "day" else wall.replace(minute=0, second=0, microsecond=0)


PATTERN_UNIT = {"yyyy-MM": "month", "yyyy-MM-dd": "day", "yyyy-MM-dd-HH": "hour"}
STRFTIME = {"yyyy-MM": "%Y-%m", "yyyy-MM-dd": "%Y-%m-%d", "yyyy-MM-dd-HH": "%Y-%m-%d-%H"}


def generate(expression, wall):
    """The partition text that a wall clock generates."""
    text = expression.strip("()") if expression.startswith("(") else expression
    name = text.split("(")[0].lower()
    literal = re.search(r"'([^']*)'", text)
    if name == "cast":
        return wall.strftime("%Y-%m-%d")
    if name in ("year", "month", "day", "hour"):
        return str(getattr(wall, name))
    if name == "date_format":
        return wall.strftime(STRFTIME[literal.group(1)])
    if name == "trunc":
        return start_of(literal.group(1), wall).strftime("%Y-%m-%d")
    return start_of(literal.group(1), wall).strftime("%Y-%m-%d %H:%M:%S")


def walls_around(literal, is_date):
    """Wall clocks near and far from the literal, on both sides."""
    steps = [dt.timedelta(days=d) for d in (-800, -366, -100, -40, -3, -2, -1, 0, 1, 2, 3, 40, 100, 366, 800)]
    if not is_date:
        steps += [dt.timedelta(hours=h) for h in (-30, -20, -5, -1, 1, 5, 20, 30)]
    found = [literal + s for s in steps]
    return [w.replace(hour=0, minute=0, second=0) for w in found] if is_date else found


def compare(op, a, b):
    return {"<": a < b, "<=": a <= b, "=": a == b, ">": a > b, ">=": a >= b}[op]


def can_hold(op, low, high, literal):
    """Is there a value in [low, high] with `value op literal`?"""
    return {"<": low < literal, "<=": low <= literal, "=": low <= literal <= high, ">": high > literal, ">=": high >= literal}[op]


def parse_filter(text):
    """(operator, literal text), or None for IS NULL."""
    if text.lower().endswith(" is null"):
        return None
    left, op, right = re.match(r"(.*?)\s*(<=|>=|<|>|=)\s*(.*)$", text).groups()
    if left.startswith("'"):
        return {"<": ">", "<=": ">=", "=": "=", ">": "<", ">=": "<="}[op], left.strip("'")
    return op, right.strip("'")


class Tables:
    """One grid of partition values an entry, and for each value the span of walls or texts behind it."""

    def __init__(self, entry):
        self.entry = entry
        first = next(iter(entry["generated_columns"].values()))
        self.source_type = self.find_type(entry["schema_ddl"], first)
        self.is_time = self.source_type in ("TIMESTAMP", "DATE")
        self.values, self.spans = [], []
        self.fill_times() if self.is_time else self.fill_texts()
        self.values.append({c: None for c in entry["partition_columns"]})
        self.spans.append(None)

    @staticmethod
    def find_type(ddl, expression):
        if "substring" in expression.lower() or "value" in expression:
            return "STRING"
        name = re.search(r"event\w+", expression, re.I).group(0)
        return re.search(name + r"\s+(\w+)", ddl, re.I).group(1).upper()

    def fill_times(self):
        literals = [parse_filter(f) for f in self.entry["derived_partition_filters"]]
        moments = {dt.datetime.fromisoformat(p[1]) for p in literals if p}
        walls = {w for m in moments for w in walls_around(m, self.source_type == "DATE")}
        dense = sorted(walls | {w + s for w in walls for s in (DAY, -DAY)})
        groups = {}
        for wall in dense:
            value = {c: generate(e, wall) for c, e in self.entry["generated_columns"].items()}
            groups.setdefault(json.dumps(value, sort_keys=True), []).append(wall)
        step = DAY if self.source_type == "DATE" else dt.timedelta(microseconds=1)
        for text in groups:
            value = json.loads(text)
            self.values.append(value)
            self.spans.append(self.span_of(value, groups[text][0], step))

    def span_of(self, value, wall, step):
        """The first and the last wall clock with this partition value."""
        hour = dt.timedelta(hours=1)
        same = lambda w: {c: generate(e, w) for c, e in self.entry["generated_columns"].items()} == value
        low = wall.replace(minute=0, second=0, microsecond=0)
        while same(low - hour):
            low -= DAY if same(low - DAY) else hour
        high = wall.replace(minute=0, second=0, microsecond=0)
        while same(high + hour):
            high += DAY if same(high + DAY) else hour
        return low, (high.replace(hour=0) if step == DAY else high + hour - step)

    def fill_texts(self):
        texts = ["f", "fo", "foo", "fop", "fon", "a", "z", "oo", "o", "fooa"]
        length = re.search(r",\s*(\d+)\s*\)", next(iter(self.entry["generated_columns"].values())))
        for text in texts:
            if length and len(text) > int(length.group(1)):
                continue
            self.values.append({c: text for c in self.entry["partition_columns"]})
            self.spans.append(text)


def must_keep_text(expression, op, literal, text):
    """Could a text with this generated text satisfy the filter? Tried with some tails and heads."""
    cut = re.search(r"SUBSTRING\(.*?,\s*(\d+),\s*(\d+)\)", expression)
    if not cut:
        return compare(op, text, literal)
    at, length = max(int(cut.group(1)), 1), int(cut.group(2))
    candidates = [head + text + tail for head in ("", "f", "a", "z") for tail in ("", "a", "z", "oo")]
    return any(c[at - 1:at - 1 + length] == text and compare(op, c, literal) for c in candidates)


# ------------------------------------------------------------------------------------------------------ checks

class Checks:
    def __init__(self, binary):
        self.binary = shlex.split(binary)
        self.passed = self.failed = 0

    def kept(self, table, where, zone):
        command = self.binary + [table, "--where", where, "--format", "json", "--verbose", "--level", "extended", "--timezone", zone]
        done = subprocess.run(command, capture_output=True, timeout=60)
        suite.holds(done.returncode == 0, f"{where}: {done.stderr.decode('utf8', 'replace')[:300]}")
        return {int(f["path"]) for f in json.loads(done.stdout)["files"] if f["kept"]}

    def report(self, name, problems):
        self.passed += not problems
        self.failed += bool(problems)
        for problem in problems:
            print(f"FAIL {name}: {problem}")

    def check_filter(self, folder, tables, text, derived):
        entry = tables.entry
        zone = (entry.get("options") or {}).get("session_time_zone", "UTC")
        parsed, kept = parse_filter(text), self.kept(folder, text, zone)
        expressions = list(entry["generated_columns"].values())
        spark = self.kept(folder, " AND ".join(derived), zone) if derived else set(range(len(tables.values)))
        unsound = parsed and (expressions[0].strip("()") + ")" * expressions[0].startswith("("), parsed[0]) in UNSOUND_IN_SPARK
        problems = []
        for i, span in enumerate(tables.spans):
            what = f"partition {tables.values[i]}"
            if self.must_keep(tables, parsed, expressions, span) and i not in kept:
                problems.append(f"{what} is dropped and may hold a match")
            if i in kept and i not in spark and not unsound and not self.is_slack(tables, parsed, span):
                problems.append(f"{what} is kept, and Spark drops it")
        self.report(f"{entry['id']} {text}", problems)

    @staticmethod
    def must_keep(tables, parsed, expressions, span):
        if parsed is None:
            return span is None
        if span is None:
            return False
        op, literal = parsed
        if tables.is_time:
            return can_hold(op, *span, dt.datetime.fromisoformat(literal))
        if "quarter" in expressions[0]:
            return False
        return all(must_keep_text(e, op, literal, span) for e in expressions)

    @staticmethod
    def is_slack(tables, parsed, span):
        """Kept because of a zone that the writer may have had? Any is within a day of UTC."""
        if tables.source_type != "TIMESTAMP" or span is None or parsed is None:
            return False
        zone = zoneinfo.ZoneInfo((tables.entry.get("options") or {}).get("session_time_zone", "UTC"))
        literal = dt.datetime.fromisoformat(parsed[1])
        return can_hold(parsed[0], span[0] - DAY, span[1] + DAY, literal - literal.replace(tzinfo=zone).utcoffset())


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--binary", required=True)
    options.add_argument("--shared", required=True)
    options = options.parse_args()
    matrix = os.path.join(options.shared, "oracles", "skipping_matrix.json")
    if not os.path.exists(matrix):
        print(f"SKIP derived_filters: no {matrix}")
        suite.finish(0, 0, 1)
    with open(matrix, encoding="utf8") as text:
        entries = [e for e in json.load(text) if e.get("derived_partition_filters")]
    checks = Checks(options.binary)
    with tempfile.TemporaryDirectory(prefix="derived") as folder:
        for entry in entries:
            tables = Tables(entry)
            table = os.path.join(folder, entry["id"])
            write_table(table, entry, tables.values)
            for text, derived in entry["derived_partition_filters"].items():
                checks.check_filter(table, tables, text, derived)
    suite.finish(checks.passed, checks.failed, 0)


main()
