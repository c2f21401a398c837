#!/usr/bin/env python3
"""differential.py - Spark writes random Delta tables and says which files hold a matching row; ours must keep them.

    differential.py --binary 'build/release/lakeproof prune' [--tables N | --seconds S] [--seed N] [--predicates N]

Called by: the test suite and people.  Must not know: how the tool works.

For each table (random_tables.py) Spark evaluates hundreds of random predicates (grammar.py) as columns of every row,
never as filters, so neither skipping nor push-down takes part; `_metadata.file_path` names the file of a row. The tool
must keep each file with a matching row, in both levels and in the session's time zone. DataFusion (of
deltalake, in UTC) and DuckDB get the same rows and give two more opinions about predicates without functions: each
engine's matches must be kept, since a user may run any of them. Of char(n) only Spark is asked: its rows are padded. Half of the sessions are in ANSI mode.

A failure is made smaller and printed with all it takes to see it again: the predicate, the row, the schema and the log
entry of its file. The same seed gives the same tables and predicates. `--keep FOLDER` leaves the tables there.

Spark lives in `--spark FOLDER` (default: $LAKEPROOF_SPARK, else build/spark), where tests/data/setup_spark.sh installs it
on the first run; where that is not possible the suite is skipped.
"""
import argparse
import collections
import concurrent.futures
import itertools
import json
import logging
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SETUP = HERE.parent / "data" / "setup_spark.sh"
SETUP_S, ASK_S = 900, 60
sys.path.insert(0, str(HERE.parent / "data"))


# ---------------------------------------------------------------------------------------- Spark and its Python

def skip(why):
    print(f"skipped: {why}\n0 passed, 0 failed, 1 skipped")
    sys.exit(0)


def install(folder):
    """Leaves only if the suite cannot run here."""
    if not shutil.which("java"):
        skip("there is no java")
    log = folder.parent / (folder.name + ".log")
    folder.parent.mkdir(parents=True, exist_ok=True)
    ready = folder / "ready"
    if ready.is_file() and ready.read_text() == SETUP.read_text():
        return
    try:
        with open(log, "wb") as out:
            done = subprocess.run([str(SETUP), str(folder)], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                  timeout=SETUP_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        skip(f"Spark could not be installed: {error}")
    if done.returncode != 0:
        skip(f"Spark could not be installed, see {log}")
    ready.write_text(SETUP.read_text())


def run_inside(folder):
    """Once more with the Python that has pyspark."""
    python = folder / "venv" / "bin" / "python"
    if pathlib.Path(sys.prefix).resolve() != (folder / "venv").resolve():
        install(folder)
        os.environ["TZ"] = "UTC"
        os.execv(str(python), [str(python), *sys.argv])


# ---------------------------------------------------------------------------------------- one table, three engines

def read_once(truth):
    """The rows are read from the files once and then lie in memory, since hundreds of predicates are asked about them."""
    truth.rows = truth.rows.selectExpr("*", "_metadata.file_path AS _file").localCheckpoint()
    truth.file = "_file"
    return truth


class Table:
    """A random table with the file of each row, and what each engine makes of a predicate."""

    def __init__(self, spark, seed, folder):
        self.draw, self.seed = random.Random(seed), seed
        self.recipe = random_tables.Recipe(spark, self.draw, folder / "t")
        self.spark, self.path = spark, self.recipe.path
        self.zone, self.ansi = self.draw.choice(random_tables.ZONES), self.draw.random() < 0.5
        spark.conf.set("spark.sql.session.timeZone", self.zone)
        spark.conf.set("spark.sql.ansi.enabled", str(self.ansi).lower())
        self.truth = read_once(make_truth.Truth(spark, self.path))
        self.columns = [c for c in self.truth.columns() if c.sql not in ("id", "_file")]
        rows = self.truth.rows.selectExpr("_file AS f", "id").collect()
        self.file_of = {row.id: self.truth.index_of(row.f) for row in rows}
        self.others = other_engines(self, folder / "copy")
        chars = [c.name for c in self.recipe.columns + self.recipe.fields + self.recipe.partitions if c.kind.startswith("CHAR")]
        self.names_char = re.compile(rf"\b({'|'.join(chars)})\b" if chars else "$^")

    def trees(self, count):
        return grammar.Grammar(self.draw, self.columns).trees(count)

    def matching(self, trees):
        """For each tree [(engine, files with a matching row)]; no entry where an engine does not answer."""
        answers = []
        allowed = [self.is_valid(tree.where) for tree in trees]
        asked = iter(self.truth.matching([tree.where for tree, ok in zip(trees, allowed) if ok]) if any(allowed) else [])
        for tree, ok in zip(trees, allowed):
            found = [("Spark", next(asked) if ok else None)]
            for engine in self.others if tree.is_plain and not self.names_char.search(tree.where) else []:
                ids = engine.ids(tree.where)
                found.append((engine.name, None if ids is None else sorted({self.file_of[i] for i in ids if i in self.file_of})))
            answers.append([(name, files) for name, files in found if files is not None])
        return answers

    def is_valid(self, where):
        """Refused by the analysis, before it can spoil a whole batch."""
        try:
            self.truth.rows.selectExpr(f"coalesce({where}, false)")
            return True
        except spark_session.PySparkException:
            return False

    def rows_of(self, where, file_index):
        try:
            rows = self.truth.rows.where(f"id IN ({','.join(str(i) for i, f in self.file_of.items() if f == file_index)})")
            texts = ["id", f"({where}) AS matches"] + [f"CAST({c.sql} AS STRING) AS `{c.sql}`" for c in self.columns]
            return [row.asDict() for row in rows.selectExpr(*texts).collect()]
        except spark_session.PySparkException:
            return []


class DuckDB:
    name = "DuckDB"

    def __init__(self, data, zone):
        self.connection = duckdb.connect()
        self.connection.execute(f"SET TimeZone = '{zone}'")
        self.connection.register("source", data)
        self.connection.execute("CREATE TABLE rows AS SELECT * FROM source")

    def ids(self, where):
        pieces = re.split(r"('(?:[^'\\]|\\.|'')*')", where)
        pieces[::2] = [self.translated(piece) for piece in pieces[::2]]
        try:
            return [i for i, in self.connection.execute(f"SELECT id FROM rows WHERE {''.join(pieces)}").fetchall()]
        except duckdb.Error:
            return None

    @staticmethod
    def translated(sql):
        """Spark's TIMESTAMP is a TIMESTAMPTZ; its TIMESTAMP_NTZ a TIMESTAMP."""
        sql = re.sub(r"\bTIMESTAMP\b", "TIMESTAMPTZ", sql).replace("TIMESTAMP_NTZ", "TIMESTAMP").replace("<=>", "IS NOT DISTINCT FROM")
        return re.sub(r"(-?\b\d[\d.]*(?:[eE][-+]?\d+)?)([DF])\b", lambda m: f"CAST({m[1]} AS {'DOUBLE' if m[2] == 'D' else 'FLOAT'})", sql)


class DataFusion:
    name = "DataFusion"

    def __init__(self, data, folder):
        deltalake.write_deltalake(str(folder), data)
        self.query = deltalake.QueryBuilder().register("rows", deltalake.DeltaTable(str(folder)))

    def ids(self, where):
        """The predicate is a column here too; a filter could be pushed into the files."""
        try:
            found = pyarrow.table(self.query.execute(f"SELECT id, ({where}) AS matches FROM rows"))
            return [row["id"] for row in found.to_pylist() if row["matches"] is True]
        except Exception:  # whatever it throws is no answer
            return None


def other_engines(table, folder):
    """They get the rows from Spark. Of Spark's tables they read some only, and times of some wrongly (INT96)."""
    data = table.truth.rows.toArrow()
    engines = [DuckDB(data, table.zone)]
    return engines + ([DataFusion(data, folder)] if table.zone == "UTC" else [])


# ---------------------------------------------------------------------------------------- asking ours

LEVELS = ("contract", "extended")


def command(given, table, where, level):
    return shlex.split(given.binary) + [table.path, f"--where={where}", "--level", level, "--timezone", table.zone, "--format", "json",
                                        "--verbose"] + shlex.split(given.args)


def kept_files(given, table, where, level):
    """{path: kept?}, or the message of a refusal."""
    try:
        done = subprocess.run(command(given, table, where, level), capture_output=True, timeout=ASK_S, check=False)
    except subprocess.TimeoutExpired:
        return f"no answer within {ASK_S} s"
    if done.returncode == 0:
        return {file["path"]: file["kept"] for file in json.loads(done.stdout)["files"]}
    return f"exit {done.returncode}: {done.stderr.decode('utf-8', 'replace').strip()[:300]}"


Verdict = collections.namedtuple("Verdict", "outcome why level file droppable dropped", defaults=("", "", None, 0, 0))


def judge(given, table, where, answers):
    """One verdict for both levels. `answers` are (engine, files with a matching row)."""
    spark = dict(answers).get("Spark")
    droppable = dropped = 0
    for level in LEVELS:
        kept = kept_files(given, table, where, level)
        if isinstance(kept, str):
            return Verdict("refused" if spark is not None and kept.startswith("exit 1") else "failed", kept, level)
        if set(kept) != set(table.truth.paths):
            return Verdict("failed", f"live files differ: {sorted(set(kept) ^ set(table.truth.paths))}", level)
        for engine, files in answers:
            lost = [i for i in files if not kept[table.truth.paths[i]]]
            if lost:
                return Verdict("failed", f"a file that holds a match in {engine} was dropped", level, lost[0])
        if spark is not None:
            droppable += len(kept) - len(spark)
            dropped += sum(not is_kept for is_kept in kept.values())
    return Verdict("passed", droppable=droppable, dropped=dropped)


def judge_all(given, table, trees):
    asked = [(tree, answers) for tree, answers in zip(trees, table.matching(trees)) if answers]
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        verdicts = pool.map(lambda pair: judge(given, table, pair[0].where, pair[1]), asked)
        return [(tree, verdict) for (tree, _), verdict in zip(asked, verdicts)]


# ---------------------------------------------------------------------------------------- failures

def smaller(given, table, tree, verdict):
    """The smallest part of the predicate that still fails in the same way."""
    for part in tree.parts:
        for _, found in judge_all(given, table, [part]):
            if found.outcome == verdict.outcome:
                return smaller(given, table, part, found)
    return tree, verdict


def log_entry(table, path):
    """The action as Spark knows it, with statistics."""
    snapshot = spark_session.delta_log(table.spark, table.path).update(False, table.spark._jvm.scala.Option.empty(),
                                                                       table.spark._jvm.scala.Option.empty())
    files = spark_session.DataFrame(snapshot.allFiles().toDF(), table.spark)
    entries = [row.action for row in files.selectExpr("to_json(struct(*)) AS action").collect()]
    return [action for action in entries if json.loads(action)["path"] == path], snapshot.metadata().schemaString()


def report(given, table, tree, verdict):
    tree, verdict = smaller(given, table, tree, verdict)
    ansi = "on" if table.ansi else "off"
    print(f"{verdict.outcome.upper()} (--seed {table.seed} --tables 1; zone {table.zone}, ANSI {ansi})\n  {verdict.why} ({verdict.level})\n  where: {tree.where}")
    print("  columns: " + ", ".join(f"{c.sql} {c.type}" for c in table.columns) + f"; partitioned by {[p.name for p in table.recipe.partitions]}")
    if verdict.file is not None:
        entry, schema = log_entry(table, table.truth.paths[verdict.file])
        print(f"  schema: {schema}\n  add: {''.join(entry)}")
        for row in table.rows_of(tree.where, verdict.file):
            print(f"  row: {json.dumps(row, ensure_ascii=False)}")
        print("  made by:\n    " + "\n    ".join(table.recipe.statements))
    print("  " + shlex.join(command(given, table, tree.where, verdict.level)), flush=True)


# ---------------------------------------------------------------------------------------- the run

def arguments():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", required=True)
    options.add_argument("--args", default="", help="more arguments for the binary")
    options.add_argument("--spark", type=pathlib.Path, default=pathlib.Path(os.environ.get("LAKEPROOF_SPARK", ROOT / "build" / "spark")))
    options.add_argument("--tables", type=int, help="stop after so many")
    options.add_argument("--seconds", type=float, help="begin no table later")
    options.add_argument("--seed", type=int, default=1, help="of the first table; each further one takes the next")
    options.add_argument("--predicates", type=int, default=120, help="for each table")
    options.add_argument("--stop-after", type=int, default=3, help="failures")
    options.add_argument("--keep", type=pathlib.Path, help="leave the tables in this folder")
    options.add_argument("--jobs", type=int, default=2)
    given = options.parse_args()
    if given.tables is None and given.seconds is None:
        given.tables = 8
    return given


def ask_about(given, spark, seed, folder, counts):
    start = time.monotonic()
    table = Table(spark, seed, folder)
    made = time.monotonic()
    for tree, verdict in judge_all(given, table, table.trees(given.predicates)):
        counts[verdict.outcome] += 1
        counts["droppable"] += verdict.droppable
        counts["dropped"] += verdict.dropped
        counts["loose"] += verdict.dropped < verdict.droppable
        if verdict.outcome == "failed" or (verdict.outcome == "refused" and given.show_refused):
            report(given, table, tree, verdict)
        if counts["failed"] >= given.stop_after:
            break
    counts["opinions"] += len(table.others)
    if os.environ.get("LAKEPROOF_TIMES"):
        print(f"table {seed}: {len(table.truth.paths)} files, made in {made - start:.1f} s, asked in {time.monotonic() - made:.1f} s", flush=True)


def main():
    given = arguments()
    given.show_refused = bool(os.environ.get("LAKEPROOF_SHOW_REFUSED"))
    counts, until = collections.Counter(), time.monotonic() + (given.seconds or 1e9)
    with tempfile.TemporaryDirectory() as scratch:
        spark = spark_session.start(given.spark / "jars", pathlib.Path(scratch))
        spark.conf.set("spark.sql.codegen.factoryMode", "NO_CODEGEN")  # compiling would take longer than running
        logging.disable(logging.CRITICAL)  # pyspark writes a page about each predicate that fails
        seeds = range(given.seed, given.seed + given.tables) if given.tables else itertools.count(given.seed)
        for seed in seeds:
            if time.monotonic() > until or counts["failed"] >= given.stop_after:
                break
            folder = pathlib.Path(scratch if not given.keep else given.keep) / str(seed)
            folder.mkdir(parents=True)
            ask_about(given, spark, seed, folder, counts)
            if not given.keep:
                shutil.rmtree(folder)
            counts["tables"] += 1
        spark.stop()
    print(f"{counts['tables']} tables from seed {given.seed}, {counts['opinions']} more opinions; of {counts['droppable']} files without a match "
          f"{counts['dropped']} were dropped; {counts['refused']} predicates refused\n"
          f"oracle live Spark: tried {counts['passed'] + counts['failed']}, unsound {counts['failed']}, loose {counts['loose']}, skipped {counts['refused']}\n"
          f"{counts['passed']} passed, {counts['failed']} failed, {counts['refused']} skipped")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    run_inside(arguments().spark.resolve())
    import deltalake
    import duckdb
    import grammar
    import make_truth
    import pyarrow
    import random_tables
    import spark_session
    sys.exit(main())
