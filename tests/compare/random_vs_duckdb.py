#!/usr/bin/env python3
"""random_vs_duckdb.py - random tables by delta-rs, random predicates, the files with matching rows found by DuckDB.

    random_vs_duckdb.py --binary 'build/release/lakeproof prune' [--seconds 60] [--seed N] [--args '--level extended']

Called by: the test suite and people.  Must not know: how the tool works.

A round writes a table of a few small files (delta-rs; random columns, partitions, NULLs, NaN, a delete, a checkpoint
with the older commits gone), then asks predicates drawn from the values that its rows hold and their neighbours. The
file of a row is read from the data files by the row's `id`; DuckDB says which rows a predicate matches. The tool must
keep each of their files. `--nan strict` is always given, since delta-rs leaves NaN out of its maxima.

A failure is made smaller by leaving out parts of the predicate and printed with everything it takes to see it: the
schema, the predicate, the row, the log entry of its file. The same seed gives the same tables and predicates. Needs
deltalake, pyarrow and duckdb; without them the test is skipped.
"""
import argparse
import datetime
import decimal
import itertools
import json
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile
import time
import urllib.parse

try:
    import duckdb
    import pyarrow as pa
    import pyarrow.parquet as pq
    from deltalake import DeltaTable, write_deltalake
except ImportError as missing:
    print(f"skipped: {missing}\n0 passed, 0 failed, 1 skipped")
    sys.exit(0)

EPOCH = datetime.date(1970, 1, 1)


# ---------------------------------------------------------------------------------------- types

class Kind:
    """A column type: its Arrow type, a few values that collide often, and how a value is written in SQL."""

    def __init__(self, name, arrow, values, write):
        self.name, self.arrow, self.values, self.write = name, arrow, values, write


def text(value):
    return "'" + value.replace("'", "''") + "'"


def floating(value):
    if value != value or value in (float("inf"), float("-inf")):
        return f"CAST('{'NaN' if value != value else 'Infinity' if value > 0 else '-Infinity'}' AS DOUBLE)"
    return f"CAST({value!r} AS DOUBLE)" if "e" in repr(value) else repr(value)


def days(*numbers):
    return [EPOCH + datetime.timedelta(days=n) for n in numbers]


def moments(*micros):
    return [datetime.datetime(2024, 1, 1) + datetime.timedelta(microseconds=m) for m in micros]


def in_utc(values):
    return [v.replace(tzinfo=datetime.timezone.utc) for v in values]


MICROS = (0, 1, 999, 1_000, 1_000_000, 86_400_000_000, -1)
KINDS = [
    Kind("int", pa.int32(), [-2**31, -7, -1, 0, 1, 2, 3, 40, 2**31 - 1], str),
    Kind("bigint", pa.int64(), [-2**63 + 1, -1, 0, 1, 2**53, 2**53 + 1, 2**63 - 1], str),
    Kind("smallint", pa.int16(), [-32768, -1, 0, 5, 32767], str),
    Kind("double", pa.float64(), [-1e300, -1.5, -0.0, 0.0, 0.1, 1.0, 2.5, 1e300, float("nan"), float("inf")], floating),
    Kind("float", pa.float32(), [-1.5, -0.0, 0.0, 0.25, 1.0, 3.5, float("nan")], floating),
    Kind("string", pa.string(), ["", "a", "aa", "ab", "a%b", "a_b", "b", "B", "é", "日本", "\U0001F600", "x" * 40, "x" * 40 + "y"],
         text),
    Kind("date", pa.date32(), days(-1, 0, 1, 19_000, 19_722, 19_723, 19_724), lambda v: f"DATE '{v}'"),
    Kind("timestamp_ntz", pa.timestamp("us"), moments(*MICROS), lambda v: f"TIMESTAMP_NTZ '{v}'"),
    Kind("timestamp", pa.timestamp("us", "UTC"), in_utc(moments(*MICROS)),
         lambda v: f"TIMESTAMP '{v.replace(tzinfo=None)}'"),
    Kind("decimal(7,2)", pa.decimal128(7, 2), [decimal.Decimal(v) for v in ("-0.01", "0.00", "0.01", "1.50", "99999.99")], str),
    Kind("boolean", pa.bool_(), [True, False], lambda v: str(v).lower()),
]
PARTITION_KINDS = [k for k in KINDS if k.name not in ("double", "float", "decimal(7,2)")]


class Column:
    def __init__(self, sql, kind, is_partition=False):
        self.sql, self.kind, self.is_partition = sql, kind, is_partition


# ---------------------------------------------------------------------------------------- a random table

class RandomTable:
    """A table on disk, its rows, and the file of each row."""

    def __init__(self, draw, folder):
        self.draw, self.path = draw, str(folder / "t")
        flat = [Column(f"c{i}", draw.choice(KINDS)) for i in range(draw.randint(1, 4))]
        self.nested = [Column(f"s.f{i}", draw.choice(KINDS)) for i in range(draw.randint(0, 2))]
        self.partitions = [Column(f"p{i}", draw.choice(PARTITION_KINDS), True) for i in range(draw.choice([0, 1, 1, 2]))]
        self.flat, self.columns = flat, flat + self.nested + self.partitions
        self.ids = itertools.count()
        for _ in range(draw.randint(1, 4)):
            self.append()
        if draw.random() < 0.3:
            DeltaTable(self.path).delete(f"id = {draw.randint(0, 8)}")
        if draw.random() < 0.4:
            self.checkpoint()
        self.load()

    def value(self, column, favourites):
        """Rows of one commit share a few values, so that bounds of files are narrow and often equal to a literal."""
        return None if self.draw.random() < 0.15 else self.draw.choice(favourites[column.sql])

    def append(self):
        favourites = {c.sql: self.draw.sample(c.kind.values, self.draw.randint(1, min(3, len(c.kind.values))))
                      for c in self.columns}
        rows = [[next(self.ids), {c.sql: self.value(c, favourites) for c in self.columns}, self.draw.random() < 0.1]
                for _ in range(self.draw.randint(1, 6))]
        fields = {"id": pa.array([row[0] for row in rows], pa.int64())}
        for c in self.flat + self.partitions:
            fields[c.sql] = pa.array([row[1][c.sql] for row in rows], c.kind.arrow)
        if self.nested:
            kind = pa.struct([(c.sql[2:], c.kind.arrow) for c in self.nested])
            fields["s"] = pa.array([None if row[2] else {c.sql[2:]: row[1][c.sql] for c in self.nested} for row in rows], kind)
        write_deltalake(self.path, pa.table(fields), mode="append", partition_by=[c.sql for c in self.partitions] or None)

    def checkpoint(self):
        table = DeltaTable(self.path)
        table.create_checkpoint()
        if self.draw.random() < 0.5:
            for commit in (pathlib.Path(self.path) / "_delta_log").glob("*.json"):
                commit.unlink()
        elif self.draw.random() < 0.5:
            self.append()

    def load(self):
        """The live rows in DuckDB as the table `rows`, and the file of each id."""
        table = DeltaTable(self.path)
        self.adds = {add["path"]: add for add in pa.table(table.get_add_actions()).to_pylist()}
        self.file_of = {}
        for path in self.adds:
            data = pq.ParquetFile(pathlib.Path(self.path) / urllib.parse.unquote(path)).read(columns=["id"])
            self.file_of.update({number: path for number in data.column("id").to_pylist()})
        self.duck = duckdb.connect()
        self.duck.execute("SET TimeZone = 'UTC'")
        self.duck.register("source", table.to_pyarrow_table())
        self.duck.execute("CREATE TABLE rows AS SELECT * FROM source")

    def files_matching(self, duck_where):
        ids = self.duck.execute(f"SELECT id FROM rows WHERE {duck_where}").fetchall()
        return {self.file_of[number]: number for number, in ids}


# ---------------------------------------------------------------------------------------- random predicates

class Tree:
    """A predicate in the two dialects, and the parts that may stand for it when a failure is made smaller."""

    def __init__(self, spark, duck=None, parts=()):
        self.spark, self.duck, self.parts = spark, duck or spark, list(parts)


def joined(word, trees):
    return Tree(f" {word} ".join(f"({t.spark})" for t in trees), f" {word} ".join(f"({t.duck})" for t in trees),
                trees + ([joined(word, trees[:i] + trees[i + 1:]) for i in range(len(trees))] if len(trees) > 2 else []))


def neighbour(draw, kind, value):
    """The value or something just beside it, where the type has that."""
    step = draw.choice([-1, 0, 0, 0, 1])
    if kind.name in ("int", "bigint", "smallint"):
        return value + step
    if kind.name == "date":
        return value + datetime.timedelta(days=step)
    if kind.name.startswith("timestamp"):
        return value + datetime.timedelta(microseconds=step)
    if kind.name == "string" and step:
        return value + "a" if step > 0 else value[:-1]
    return value


def leaf(draw, columns):
    column = draw.choice(columns)
    kind, c = column.kind, column.sql
    a, b = (kind.write(neighbour(draw, kind, draw.choice(kind.values))) for _ in range(2))
    op = draw.choice(["=", "<>", "<", "<=", ">", ">="])
    forms = [f"{c} {op} {a}", f"{c} {op} {a}", f"{a} {op} {c}", f"{c} IN ({a}, {b})", f"{c} IN ({a}, NULL)",
             f"{c} NOT IN ({a}, {b})", f"{c} NOT IN ({a}, NULL)", f"{c} BETWEEN {a} AND {b}", f"{c} NOT BETWEEN {a} AND {b}",
             f"{c} IS NULL", f"{c} IS NOT NULL", f"{c} IS DISTINCT FROM {a}", f"{c} IS NOT DISTINCT FROM {a}", f"({c} {op} {a}) IS NULL",
             f"coalesce({c}, {a}) {op} {b}", f"CASE WHEN {c} {op} {a} THEN {c} {op} {b} ELSE {c} IS NULL END"]
    where = draw.choice(forms)
    if draw.random() < 0.1:
        return Tree(f"{c} <=> {a}", f"{c} IS NOT DISTINCT FROM {a}")
    if kind.name == "string" and draw.random() < 0.4:
        return like(draw, c, draw.choice(kind.values))
    if kind.name == "boolean" and draw.random() < 0.3:
        return Tree(c)
    if kind.name in ("int", "bigint", "smallint") and draw.random() < 0.2:
        return Tree(f"{c} {op} {draw.choice(['0.5', '-1.5', '40.0', '9007199254740992.5', '1e3'])}")
    return Tree(where, where.replace("TIMESTAMP_NTZ", "TIMESTAMP"))


def like(draw, column, value):
    """LIKE over a piece of a value; its wildcards are escaped with `!`, so that both dialects read the pattern alike."""
    piece = value[:draw.randint(0, 3)].replace("!", "!!").replace("%", "!%").replace("_", "!_")
    pattern = draw.choice([piece + "%", piece + "%%", "%" + piece, "%" + piece + "%", piece, piece + "_", "_" + piece + "%"])
    tail = " ESCAPE '!'" if "!" in pattern or draw.random() < 0.2 else ""
    return Tree(f"{column} {draw.choice(['LIKE', 'NOT LIKE'])} {text(pattern)}{tail}")


def predicate(draw, columns, depth=3):
    roll = draw.random()
    if depth == 0 or roll < 0.35:
        return leaf(draw, columns)
    if roll < 0.5:
        inner = predicate(draw, columns, depth - 1)
        return Tree(f"NOT ({inner.spark})", f"NOT ({inner.duck})", [inner])
    return joined(draw.choice(["AND", "OR"]), [predicate(draw, columns, depth - 1) for _ in range(draw.randint(2, 3))])


# ---------------------------------------------------------------------------------------- asking and failing

def kept_files(given, table, where):
    """{path: kept?}, or the message of a refusal."""
    argv = shlex.split(given.binary) + [table.path, f"--where={where}", "--format", "json", "--verbose"]
    argv += [] if given.peer else ["--nan", "strict"] + shlex.split(given.args)
    done = subprocess.run(argv, capture_output=True, timeout=30, check=False)
    if done.returncode == 0:
        return {file["path"]: file["kept"] for file in json.loads(done.stdout)["files"]}
    return f"exit {done.returncode}: {done.stderr.decode('utf-8', 'replace').strip()[:300]}"


class Tally:
    def __init__(self):
        self.passed = self.failed = self.skipped = self.droppable = self.dropped = self.loose = 0


def wrong(given, table, tree, tally):
    """(what is wrong with the tool's answer, the row that is lost or None), or None if nothing is wrong."""
    try:
        matching = table.files_matching(tree.duck)
    except duckdb.Error:
        tally.skipped += 1
        return None
    kept = kept_files(given, table, tree.spark)
    if isinstance(kept, str):
        tally.skipped += given.peer
        return None if given.peer else (kept, None)
    if set(kept) != set(table.adds):
        return f"live files differ: {sorted(set(kept) ^ set(table.adds))}", None
    tally.droppable += len(kept) - len(matching)
    tally.dropped += sum(not is_kept for path, is_kept in kept.items() if path not in matching)
    tally.loose += any(kept[path] for path in kept if path not in matching)
    lost = [number for path, number in matching.items() if not kept[path]]
    return (f"the file of row {lost[0]} was dropped", lost[0]) if lost else None


def smaller(given, table, tree):
    """The smallest part of the predicate that still fails."""
    for part in tree.parts:
        if wrong(given, table, part, Tally()):
            return smaller(given, table, part)
    return tree


def report(given, table, tree, seed):
    tree = smaller(given, table, tree)
    what, row = wrong(given, table, tree, Tally())
    print(f"FAILED (--seed {seed})\n  {what}\n  where: {tree.spark}\n  columns: "
          + ", ".join(f"{c.sql} {c.kind.name}{' (partition)' if c.is_partition else ''}" for c in table.columns))
    if row is not None:
        print(f"  row: {table.duck.execute(f'SELECT * FROM rows WHERE id = {row}').fetchall()}")
        print(f"  file: {json.dumps(table.adds[table.file_of[row]], default=str, ensure_ascii=False)}")


def arguments():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", required=True)
    options.add_argument("--args", default="", help="more arguments for the binary")
    options.add_argument("--peer", action="store_true", help="a tool without --nan; what it refuses is skipped")
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--seed", type=int, default=1, help="of the first table; each further one takes the next")
    options.add_argument("--predicates", type=int, default=40, help="for each table")
    options.add_argument("--stop-after", type=int, default=5, help="failures")
    return options.parse_args()


def main():
    given = arguments()
    tally = Tally()
    until = time.monotonic() + given.seconds
    for seed in itertools.count(given.seed):
        if time.monotonic() > until or tally.failed >= given.stop_after:
            break
        draw = random.Random(seed)
        with tempfile.TemporaryDirectory() as folder:
            table = RandomTable(draw, pathlib.Path(folder))
            for _ in range(given.predicates):
                tree = predicate(draw, table.columns)
                skipped = tally.skipped
                if wrong(given, table, tree, tally):
                    tally.failed += 1
                    report(given, table, tree, seed)
                else:
                    tally.passed += tally.skipped == skipped
                if tally.failed >= given.stop_after:
                    break
    print(f"seeds {given.seed} to {seed - 1}: {tally.dropped} of {tally.droppable} files without a matching row dropped\n"
          f"oracle random tables by delta-rs: tried {tally.passed + tally.failed}, unsound {tally.failed}, loose {tally.loose}, skipped {tally.skipped}\n"
          f"{tally.passed} passed, {tally.failed} failed, {tally.skipped} skipped")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
