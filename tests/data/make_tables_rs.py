#!/usr/bin/env python3
"""make_tables_rs.py - writes small Delta tables with delta-rs, with their data files, for make_truth.py.

    make_tables_rs.py WORK [--only NAME ...]

Called by: people (see README.md in this folder).  Must not know: lakeproof, Spark.

Each function below writes one table WORK/NAME and returns predicates written by hand; they are left in
WORK/NAME.wanted.json, where make_truth.py adds drawn ones. Rows are fixed. File names and times are the writer's.
"""
import argparse
import datetime
import decimal
import json
import pathlib
import shutil

import deltalake
import pyarrow as pa
from deltalake import DeltaTable, write_deltalake

TABLES = {}
FIRST_COMMIT = {}
UTC = datetime.timezone.utc
NAN, INF = float("nan"), float("inf")


def table(make=None, first_commit=0):
    """Registers a table function. Of the log no commit older than `first_commit` is kept, as after a log cleanup."""
    def register(function):
        TABLES[function.__name__], FIRST_COMMIT[function.__name__] = function, first_commit
        return function
    return register(make) if make else register


class Table:
    """A table under construction. `put` is one commit; delta-rs writes one file for each partition value in it."""

    def __init__(self, folder, schema, partition=None, configuration=None):
        self.path, self.schema = str(folder), pa.schema(schema)
        self.how = {"partition_by": partition, "configuration": configuration}

    def put(self, *rows, mode="append", **how):
        columns = {f.name: [row[i] for row in rows] for i, f in enumerate(self.schema)}
        data = pa.table({f.name: pa.array(columns[f.name], f.type) for f in self.schema}, schema=self.schema)
        write_deltalake(self.path, data, mode=mode, **self.how, **how)

    def open(self):
        return DeltaTable(self.path)

    def checkpoint(self):
        self.open().create_checkpoint()


def day(text):
    return datetime.date.fromisoformat(text)


def moment(text):
    return datetime.datetime.fromisoformat(text).replace(tzinfo=UTC)


def wall(text):
    return datetime.datetime.fromisoformat(text)


def dec(text):
    return decimal.Decimal(text)


# ---------------------------------------------------------------------------------------- values and statistics

@table
def rs_types(folder):
    """Every primitive type in data columns, without NaN: extremes, all-NULL files, microseconds, -0.0."""
    t = Table(folder, [("id", pa.int32()), ("b", pa.int8()), ("s", pa.int16()), ("i", pa.int32()), ("l", pa.int64()),
                       ("f", pa.float32()), ("d", pa.float64()), ("m", pa.decimal128(9, 2)), ("n", pa.decimal128(38, 10)),
                       ("ok", pa.bool_()), ("txt", pa.string()), ("bin", pa.binary()), ("dt", pa.date32()),
                       ("ts", pa.timestamp("us", "UTC")), ("ntz", pa.timestamp("us"))])
    t.put((1, 1, 10, 100, 1000, 1.5, 2.5, dec("10.00"), dec("1.0000000001"), True, "apple", b"\x00\x01", day("2024-01-05"),
           moment("2024-01-05T10:00:00.000001"), wall("2024-01-05T10:00:00.000001")),
          (2, 5, 50, 500, 5000, 7.25, 9.75, dec("99.99"), dec("99999.5"), True, "cherry", b"ab", day("2024-02-29"),
           moment("2024-02-29T23:59:59.999999"), wall("2024-02-29T23:59:59.999999")))
    t.put((3, -128, -32768, -2**31, -2**63, -3.4028234663852886e38, -1.7976931348623157e308, dec("-9999999.99"),
           dec("-9999999999999999999999999999.9999999999"), False, "", b"", day("1582-10-15"),
           moment("1900-01-01T00:00:00"), wall("1900-01-01T00:00:00")),
          (4, 127, 32767, 2**31 - 1, 2**63 - 1, 3.4028234663852886e38, 1.7976931348623157e308, dec("9999999.99"),
           dec("9999999999999999999999999999.9999999999"), True, "zzz", b"\xff\xff", day("9999-12-31"),
           moment("2262-01-01T00:00:00"), wall("2262-01-01T00:00:00")))
    t.put(*[(i, *[None] * 14) for i in (5, 6)])
    t.put((7, 0, 0, 0, 2**53 + 1, -0.0, -0.0, dec("0.00"), dec("0"), None, "naïve", b"\x80", day("1970-01-01"),
           moment("1970-01-01T00:00:00"), wall("1970-01-01T00:00:00")))
    t.put((8, 0, 0, 0, 2**53, 0.0, 0.0, dec("-0.01"), dec("0.0000000001"), True, "日本語", b"\x7f", day("1969-12-31"),
           moment("1969-12-31T23:59:59.999999"), wall("1969-12-31T23:59:59.999999")),
          (9, None, 3, None, 7, None, 0.1, None, dec("3"), False, None, None, None, None, None))
    t.put((10, 7, 7, 7, 7, 1.1, 0.1, dec("7.07"), dec("7.0707070707"), True, "x_y%z\\w", b"x'", day("2024-01-31"),
           moment("2024-01-31T12:30:00.5"), wall("2024-01-31T12:30:00.5")))
    return ["l > 9007199254740992", "l = 9007199254740993", "l <= 9.007199254740992E15", "l = 9.007199254740992E15D",
            "i > 2147483648", "i = 40.5", "i < 100.5", "b = 200", "f = 1.1", "f = 1.1F", "f > 1.1D", "d = 0.1", "d = -0.0D",
            "d < 0.0D", "m = 99.991", "m >= 99.99", "m < 7.071", "n > 9999999999999999999999999999", "ok", "NOT ok",
            "txt LIKE 'x!_y%' ESCAPE '!'", "txt LIKE 'x\\\\_y\\\\%%'", "txt LIKE '%\\\\\\\\%'", "txt >= 'z'", "txt > '日'",
            "ts > TIMESTAMP '2024-02-29 23:59:59.999998'", "ts > TIMESTAMP '2024-02-29T23:59:59.999999Z'",
            "ts >= '2024-01-31'", "ntz >= TIMESTAMP_NTZ '2024-01-31 12:30:00.5'", "dt < DATE '1970-01-01'",
            "dt = '2024-02-29'", "bin = X'6162'", "bin > X'80'", "ts = '2024-01-05T12:00:00.000001+02:00'"]


@table
def rs_nan(folder):
    """NaN in float columns. delta-rs copies bounds from Parquet footers, where NaN is left out."""
    t = Table(folder, [("id", pa.int32()), ("f", pa.float32()), ("d", pa.float64())])
    t.put((1, 1.0, 1.5), (2, 2.0, 2.5))
    t.put((3, NAN, 3.5), (4, 4.0, NAN))
    t.put((5, NAN, NAN), (6, NAN, NAN))
    t.put((7, -0.0, -INF), (8, 0.0, INF))
    t.put((9, None, NAN), (10, -5.5, None))
    return ["d > 1000", "d >= CAST('NaN' AS DOUBLE)", "d = CAST('NaN' AS DOUBLE)", "d <> 2.5D", "d < 0", "f > 3.0", "f <= 0",
            "NOT (d < 100)", "isnan(d)", "d > CAST('Infinity' AS DOUBLE)", "d BETWEEN 3 AND 4", "NOT (d BETWEEN -1 AND 4)",
            "d IN (1.5, 2.5)", "d NOT IN (3.5)", "d IS DISTINCT FROM 2.5D", "d IS NULL", "d IS NOT NULL", "f = 0", "f < -0.0F"]


@table
def rs_nested(folder):
    """Structs in structs, arrays, maps; NULL structs and NULL leaves; a column name with a dot beside a nested field."""
    inner = pa.struct([("x", pa.int32()), ("s", pa.string())])
    t = Table(folder, [("id", pa.int64()), ("a", pa.struct([("b", pa.int32()), ("c", inner), ("d", pa.date32())])),
                       ("list", pa.list_(pa.int32())), ("map", pa.map_(pa.string(), pa.float64())), ("a.b", pa.int32())])
    t.put((1, {"b": 1, "c": {"x": 10, "s": "p"}, "d": day("2024-01-01")}, [1, 2], [("k", 1.0)], 100),
          (2, {"b": 2, "c": {"x": 20, "s": "q"}, "d": day("2024-01-09")}, [], [], 200))
    t.put((3, {"b": 30, "c": None, "d": None}, None, None, 3), (4, None, [5], [("z", None)], 4))
    t.put((5, {"b": None, "c": {"x": None, "s": "zz"}, "d": day("2024-03-01")}, [None], [], None))
    t.put((6, None, None, None, -6), (7, None, None, None, -7))
    return ["a.b = 2", "a.b > 2", "2 > a.b", "a.c.x <= 10", "a.c.x IS NULL", "a.c.x IS NOT NULL", "a.c.s LIKE 'z%'",
            "a.b <=> NULL", "a.b IS NULL AND a.d > DATE '2024-02-01'", "a IS NULL", "a IS NOT NULL", "a.c IS NULL",
            "a.c IS NOT NULL", "NOT (a.b > 1 OR a.c.x > 15)", "a.b IN (1, 30)", "a.b NOT IN (1, NULL)", "a.d = '2024-01-09'",
            "size(list) > 1", "list[0] = 1", "map['k'] = 1.0", "array_contains(list, 5)", "list IS NULL", "map IS NOT NULL",
            "`a.b` = 4", "`a.b` < 0", "a.b > 1 AND `a.b` > 1", "`a`.`b` = 30", "A.B = 1", "a.C.X = 20"]


@table
def rs_stats_limited(folder):
    """Statistics of the first two columns only, then of a later configuration's named columns; one file's are of neither."""
    schema = [("a", pa.int32()), ("b", pa.int32()), ("c", pa.string()), ("e", pa.float64())]
    t = Table(folder, schema, configuration={"delta.dataSkippingNumIndexedCols": "2"})
    t.put((1, 10, "k", 1.5), (2, 20, "l", 2.5))
    t.put((3, 30, "m", None), (4, None, "n", 4.5))
    t.open().alter.set_table_properties({"delta.dataSkippingStatsColumns": "c,e"})
    t.put((5, 50, "o", 5.5), (6, 60, None, 6.5))
    t.put((7, 70, "q", 7.5), (8, 80, "r", None))
    return ["a > 4", "b >= 50", "c > 'n'", "e < 2", "a = 3 AND c = 'm'", "a > 6 OR c < 'l'", "c IS NULL", "e IS NULL",
            "b IS NULL", "a <= 2 AND e > 2", "NOT (a > 2)", "c LIKE 'o%'"]


@table
def rs_stats_none(folder):
    """No statistics at all beyond the record count, and files of both kinds."""
    t = Table(folder, [("a", pa.int32()), ("p", pa.string())], partition=["p"],
              configuration={"delta.dataSkippingNumIndexedCols": "0"})
    t.put((1, "x"), (2, "x"), (None, "y"), (4, None))
    t.open().alter.set_table_properties({"delta.dataSkippingNumIndexedCols": "32"})
    t.put((10, "x"), (20, "y"), (None, None))
    return ["a > 5", "a IS NULL", "a IS NOT NULL", "p = 'x' AND a > 5", "p IS NULL", "p IS NULL AND a IS NULL", "p <=> 'y'",
            "p IN ('x', NULL)", "p NOT IN ('x', NULL)", "NOT (p = 'x')", "p LIKE '_' AND a < 3"]


# ---------------------------------------------------------------------------------------- partitions

@table
def rs_partition_types(folder):
    """A partition column of every primitive type, their edges and NULLs."""
    t = Table(folder, [("id", pa.int32()), ("pb", pa.int8()), ("ps", pa.int16()), ("pi", pa.int32()), ("pl", pa.int64()),
                       ("pf", pa.float32()), ("pd", pa.float64()), ("pm", pa.decimal128(9, 2)), ("pok", pa.bool_()),
                       ("ptxt", pa.string()), ("pdt", pa.date32()), ("pts", pa.timestamp("us", "UTC")),
                       ("pntz", pa.timestamp("us"))],
              partition=["pb", "ps", "pi", "pl", "pf", "pd", "pm", "pok", "ptxt", "pdt", "pts", "pntz"])
    t.put((1, 1, 10, 100, 1000, 1.5, 2.5, dec("10.00"), True, "apple", day("2024-01-05"), moment("2024-01-05T10:00:00"),
           wall("2024-01-05T10:00:00")),
          (2, 5, 50, 500, 5000, 7.25, 0.1, dec("99.99"), False, "b c/d=e%f", day("2024-02-29"),
           moment("2024-02-29T23:59:59.999999"), wall("2024-02-29T23:59:59.999999")))
    t.put((3, -128, -32768, -2**31, -2**63, -1.25, -1e30, dec("-9999999.00"), False, "Ärger", day("0999-01-01"),
           moment("1969-12-31T23:59:59.5"), wall("1969-12-31T23:59:59.5")),
          (4, 127, 32767, 2**31 - 1, 2**53 + 1, 1e30, 1e30, dec("9999999.99"), True, "日本", day("9999-12-31"),
           moment("2262-01-01T00:00:00"), wall("2262-01-01T00:00:00")))
    t.put((5, *[None] * 12))
    t.put((6, 0, 0, 0, 0, 0.0, 0.0, dec("0.00"), None, "x_y", day("1970-01-01"), moment("1970-01-01T00:00:00"),
           wall("1970-01-01T00:00:00")))
    t.put((7, None, 10, None, 1000, None, 2.5, None, True, None, day("2024-01-05"), None, wall("2024-01-05T10:00:00")),
          (8, 1, None, 100, None, 1.5, None, dec("10.00"), None, "apple", None, moment("2024-01-05T10:00:00"), None))
    return ["ptxt LIKE 'b c%'", "ptxt LIKE '%/d=%'", "ptxt LIKE 'x!_y' ESCAPE '!'", "ptxt LIKE 'x_y'", "ptxt NOT LIKE '%p%'",
            "upper(ptxt) = 'APPLE'", "pl > 9007199254740992", "pl <= 9.007199254740992E15D", "pd = 0.1", "pd = 0.0", "pf > 1.4",
            "pm = 10", "pm < 10.001", "pok", "NOT pok", "pok IS NULL", "pdt >= '2024-01-05'", "pdt < DATE '1970-01-01'",
            "year(pdt) = 2024", "pts = TIMESTAMP '2024-01-05 10:00:00'", "pts > '2024-02-29 23:59:59'",
            "pntz < TIMESTAMP_NTZ '1970-01-01 00:00:00'", "pi = 100 AND id > 5", "pi = 100 OR id > 6", "pb + 1 > 5"]


@table
def rs_partition_text(folder):
    """Two text partition columns whose values need escaping in paths; the empty text beside NULL."""
    t = Table(folder, [("id", pa.int32()), ("p q", pa.string()), ("ü", pa.string())], partition=["p q", "ü"])
    t.put((1, "a", "x"), (2, "a b", "x y"), (3, "a%b", "50%"), (4, "a/b", "q=r"))
    t.put((5, None, "x"), (6, "", None), (7, "a:b\\c", "it's"), (8, "\U0001F600", "é"), (9, "__HIVE_DEFAULT_PARTITION__", "z"))
    t.put((10, "A", "#?&+"), (11, "a\"b", "[]{}"), (12, "e\u0301", "~^`|"))
    return ["`p q` = 'a'", "`p q` = 'A'", "`p q` LIKE 'a%'", "`p q` LIKE 'a!%%' ESCAPE '!'", "`p q` LIKE 'a\\\\%b'",
            "`p q` LIKE '%b'", "`p q` LIKE 'a_b'", "`p q` = ''", "`p q` IS NULL", "`p q` IS NOT NULL", "`p q` > 'a'",
            "`p q` >= '\U0001F600'", "`ü` = 'it\\'s'", "`ü` IN ('50%', 'q=r', NULL)", "`ü` NOT IN ('x')", "`ü` <=> NULL",
            "length(`p q`) = 3", "`p q` LIKE 'a\\\"b'", "`p q` = 'a:b\\\\c'", "id > 6 AND `ü` < 'y'", "id = 3 OR `ü` = 'z'"]


# ---------------------------------------------------------------------------------------- logs

@table(first_commit=9)
def rs_checkpoint(folder):
    """Deletes, an overwrite and a compaction below a checkpoint, commits above it, and the old commits gone."""
    t = Table(folder, [("id", pa.int64()), ("v", pa.float64()), ("p", pa.int32())], partition=["p"])
    for i in range(6):
        t.put((i * 10, i + 0.5, i % 2), (i * 10 + 5, i + 0.75, i % 2))
    t.open().delete("id = 25")
    t.open().optimize.compact(partition_filters=[("p", "=", "1")])
    t.put((100, 9.5, 0), (101, None, 1))
    t.checkpoint()
    t.put((200, 10.5, 0))
    t.open().delete("id = 0")
    return ["id > 100", "id < 30", "p = 0 AND id < 30", "v IS NULL", "p = 1", "id BETWEEN 20 AND 25", "v > 4 OR p = 0"]


@table
def rs_changes(folder):
    """Commits only: update, merge, overwrite of part of the table, schema evolution, restore."""
    t = Table(folder, [("id", pa.int32()), ("name", pa.string()), ("p", pa.date32())], partition=["p"])
    t.put((1, "a", day("2024-01-01")), (2, "b", day("2024-01-01")), (3, "c", day("2024-01-02")))
    t.put((4, "d", day("2024-01-02")), (5, None, None))
    t.open().update(updates={"name": "'z'"}, predicate="id = 2")
    source = pa.table({"id": pa.array([3, 6], pa.int32()), "name": ["C", "f"],
                       "p": pa.array([day("2024-01-02"), day("2024-01-03")], pa.date32())})
    (t.open().merge(source, predicate="t.id = s.id", source_alias="s", target_alias="t")
     .when_matched_update_all().when_not_matched_insert_all().execute())
    t.put((7, "g", day("2024-01-01")), mode="overwrite", predicate="p = '2024-01-01'")
    wide = Table(folder, [("id", pa.int32()), ("name", pa.string()), ("p", pa.date32()), ("extra", pa.int64())], ["p"])
    wide.put((8, "h", day("2024-01-03"), 80), (9, "i", None, None), schema_mode="merge")
    return ["extra > 50", "extra IS NULL", "extra IS NOT NULL", "name = 'z'", "name IS NULL", "p = DATE '2024-01-02'",
            "p IS NULL", "p IS NULL AND name > 'a'", "id = 3", "id >= 7 OR p < '2024-01-02'", "extra = 80 AND p > '2024-01-02'"]


@table
def rs_long_text(folder):
    """Texts longer than writers keep in statistics, multi-byte at every cut, text above the highest code point cut."""
    t = Table(folder, [("id", pa.int32()), ("s", pa.string()), ("b", pa.binary())])
    t.put((1, "x" * 100 + "a", b"x" * 100), (2, "x" * 100 + "b", b"y" * 100))
    t.put((3, "é" * 40, b"\xff" * 80), (4, "日" * 60, b"\x00" * 80))
    t.put((5, "\U0010FFFF" * 40, None), (6, "", b""))
    t.put((7, "\U0001F600" * 20 + "end", b"\xff"), (8, "short", b"\x01"))
    t.put((9, None, None))
    return [f"s = '{'x' * 100}a'", f"s > '{'x' * 100}a'", f"s > '{'x' * 32}'", f"s > '{'x' * 32}y'", "s LIKE 'xxxx%'",
            f"s LIKE '{'x' * 100}b%'", "s >= '日日日'", "s > '\U0001F600'", "s >= '\U0010FFFF'", "s = ''", "s IS NULL",
            "s LIKE '%end'", "s < 'y'", "s BETWEEN 'a' AND 't'", "s LIKE '\U0010FFFF%'", "b > X'FF'", "b = X'FF'",
            f"b = X'{'FF' * 80}'", "b < X'01'", "b >= X'FF'", "b IS NOT NULL"]


# ---------------------------------------------------------------------------------------- the command

def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("work", type=pathlib.Path)
    options.add_argument("--only", choices=sorted(TABLES), nargs="+", default=list(TABLES))
    given = options.parse_args()
    for name in given.only:
        make, folder = TABLES[name], given.work / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        wanted = {"about": " ".join(make.__doc__.split()), "writer": f"delta-rs {deltalake.__version__}",
                  "timezones": ["UTC"], "predicates": make(folder), "first_commit": FIRST_COMMIT[name]}
        (given.work / f"{name}.wanted.json").write_text(json.dumps(wanted, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main()
