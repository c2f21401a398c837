#!/usr/bin/env python3
"""make_truth.py - asks Spark which files of each table hold a row that a predicate matches, and keeps table and answer.

    make_truth.py WORK TABLES --jars FOLDER [--only NAME ...]

Called by: people, after make_tables_rs.py and make_tables_spark.py.  Must not know: lakeproof.

For each WORK/NAME with a WORK/NAME.wanted.json: TABLES/NAME gets the log of the table without its data files,
TABLES/NAME.truth.json the answers. README.md describes the format.

A predicate is evaluated as a column of every row, never as a filter, so neither skipping nor push-down takes part.
What Spark refuses or cannot compute is left out: there is no answer to compare with.
"""
import argparse
import json
import pathlib
import re
import shutil
import sys
import urllib.parse

import predicates
import spark_session
from pyspark.errors import PySparkException
from pyspark.sql import types

PREDICATES = 64  # with those written by hand; a table with few values has fewer


def base_name(path):
    """The name of a data file, from a log path or a URL. Writers put a UUID in it, so it names the file."""
    return urllib.parse.unquote(path.rsplit("/", 1)[-1])


def quoted(name):
    return "`" + name.replace("`", "``") + "`"


def spelled(path):
    """A column as a person would write it: quotes only where needed."""
    return ".".join(p if re.fullmatch(r"[A-Za-z_]\w*", p) else quoted(p) for p in path)


def leaves(schema, path=()):
    """(path, Spark type) of every column and nested field outside arrays and maps."""
    for field in schema.fields:
        if isinstance(field.dataType, types.StructType):
            yield from leaves(field.dataType, path + (field.name,))
        else:
            yield path + (field.name,), field.dataType


class Truth:
    """One table being questioned."""

    file = "_metadata.file_path"  # the column with the file of a row

    def __init__(self, spark, table):
        self.spark, self.rows = spark, spark.read.format("delta").load(str(table))
        self.version, self.paths = spark_session.live_files(spark, table)
        self.index = {base_name(path): i for i, path in enumerate(self.paths)}

    def index_of(self, url):
        return self.index[base_name(url)]

    def columns(self):
        """The columns that predicates can name, with the texts of their values."""
        named = [(spelled(path), kind.simpleString()) for path, kind in leaves(self.rows.schema)
                 if predicates.kind_of(kind.simpleString())]
        texts = [f"hex({name})" if kind == "binary" else f"CAST({name} AS STRING)" for name, kind in named]
        data = self.rows.selectExpr(*[f"{text} AS c{i}" for i, text in enumerate(texts)]).collect() if named else []
        return [predicates.Column(name, kind, [row[i] for row in data]) for i, (name, kind) in enumerate(named)]

    def files_with_nan(self):
        floats = [spelled(path) for path, kind in leaves(self.rows.schema)
                  if isinstance(kind, (types.FloatType, types.DoubleType))]
        return self.matching([" OR ".join(f"isnan({c})" for c in floats)])[0] if floats else []

    def matching(self, wheres):
        """For each predicate the files with a matching row, None where Spark cannot say. A batch that fails is halved."""
        try:
            tests = [f"coalesce({where}, false) AS p{i}" for i, where in enumerate(wheres)]
            rows = self.rows.selectExpr(f"{self.file} AS f", *tests).collect()
            return [sorted({self.index_of(row.f) for row in rows if row[i + 1]}) for i in range(len(wheres))]
        except PySparkException:
            if len(wheres) == 1:
                return [None]
            half = len(wheres) // 2
            return self.matching(wheres[:half]) + self.matching(wheres[half:])

    def answers(self, wheres):
        for where, matching in zip(wheres, self.matching(wheres)):
            if matching is not None:
                yield {"where": where, "matching": matching}


def question(spark, table, wanted):
    truth = Truth(spark, table)
    wheres = list(dict.fromkeys(wanted["predicates"]))
    drawn = predicates.draw_predicates(table.name, truth.columns(), PREDICATES)
    wheres += [p for p in drawn if p not in wheres][:max(0, PREDICATES - len(wheres))]
    runs = []
    for zone in wanted["timezones"]:
        spark.conf.set("spark.sql.session.timeZone", zone)
        runs.append({"timezone": zone, "predicates": list(truth.answers(wheres))})
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    unanswered = len(wheres) - len(runs[0]["predicates"])
    print(f"{table.name}: {len(truth.paths)} files, {len(wheres)} predicates, {unanswered} without an answer", flush=True)
    return {"about": wanted["about"], "writer": wanted["writer"], "oracle": f"Spark {spark.version}",
            "version": truth.version, "files": truth.paths, "files_with_nan": truth.files_with_nan(), "runs": runs}


# ---------------------------------------------------------------------------------------- keeping

def copy_log(table, target, first_commit):
    """The log alone, as a log cleanup leaves it: no commit older than `first_commit`. Hadoop's checksums are dot files;
    of Delta's version checksums the newest is kept."""
    log = target / "_delta_log"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(table / "_delta_log", log, ignore=shutil.ignore_patterns(".*"))
    for empty in ("_staged_commits", "_commits"):
        shutil.rmtree(log / empty, ignore_errors=True)
    for file in [*log.glob("*.json"), *sorted(log.glob("*.crc"))]:
        if file.stem.isdigit() and int(file.stem) < first_commit:
            file.unlink()
    for old in sorted(log.glob("*.crc"))[:-1]:
        old.unlink()


def write_truth(truth, target):
    """One predicate a line, so that a change is readable."""
    def lines(items, indent):
        return "[\n" + ",\n".join(indent + json.dumps(item, ensure_ascii=False) for item in items) + "]"
    head = {k: v for k, v in truth.items() if k not in ("files", "runs")}
    parts = [f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in head.items()]
    parts.append(f'"files": {lines(truth["files"], "  ")}')
    runs = [f'{{"timezone": {json.dumps(run["timezone"])}, "predicates": {lines(run["predicates"], "  ")}}}'
            for run in truth["runs"]]
    parts.append('"runs": [' + ",\n ".join(runs) + "]")
    target.write_text("{" + ",\n ".join(parts) + "}\n", encoding="utf-8")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("work", type=pathlib.Path)
    options.add_argument("tables", type=pathlib.Path)
    options.add_argument("--jars", required=True, type=pathlib.Path)
    options.add_argument("--only", nargs="+", help="names of tables")
    given = options.parse_args()
    spark = spark_session.start(given.jars, given.work.resolve())
    for wanted in sorted(given.work.glob("*.wanted.json")):
        name = wanted.name.removesuffix(".wanted.json")
        if not given.only or name in given.only:
            table, asked = given.work.resolve() / name, json.loads(wanted.read_text(encoding="utf-8"))
            truth = question(spark, table, asked)
            copy_log(table, given.tables / name, asked["first_commit"])
            write_truth(truth, given.tables / f"{name}.truth.json")


if __name__ == "__main__":
    sys.exit(main())
