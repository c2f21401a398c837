#!/usr/bin/env python3
"""expressions.py - random expressions over columns of every type: Spark says for which rows they are true, ours must keep these.

    expressions.py --binary 'build/release/lakeproof prune' [--tables N | --seconds S] [--seed N] [--predicates N]

Called by: the test suite and people.  Must not know: how the tool works.

differential.py asks about tables that Spark writes, with patterns of predicates; this script goes deep into expressions
instead. Functions, operators, casts and conditions are drawn as trees, over values at the edges of every type
(expression_grammar.py), and each is compared with values that it does have for some row, so that the comparison is often
decided by one row. The table is a log alone (value_table.py): partition values, bounds and null counts as writers record
them, of rows that only Spark holds. Half of the tables are asked with ANSI mode, each in a zone of its own.

A failure is made smaller and printed with the row and the file. The same seed gives the same tables and predicates.
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
import shlex
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "data"))

import differential  # noqa: E402 (beside this file)

LEVELS = ("contract", "extended")
BATCH = 16  # expressions of a query: one that fails costs the others some more


# ---------------------------------------------------------------------------------------- Spark

class Answers:
    """What Spark makes of expressions, row by row; None where it fails."""

    def __init__(self, spark, rows):
        self.spark, self.rows = spark, rows

    def kind_of(self, expression):
        """The type of an expression, None where Spark refuses it."""
        try:
            return self.rows.selectExpr(f"{expression} AS x").schema[0].dataType.simpleString()
        except REFUSALS:
            return None

    def columns(self, expressions):
        """For each expression the list of its values, a row each. A batch that fails is halved."""
        if len(expressions) > BATCH:
            return [values for i in range(0, len(expressions), BATCH) for values in self.columns(expressions[i:i + BATCH])]
        if not expressions:
            return []
        try:
            found = self.rows.selectExpr(*[f"{e} AS x{i}" for i, e in enumerate(expressions)]).collect()
            return [[row[i] for row in found] for i in range(len(expressions))]
        except REFUSALS:
            if len(expressions) == 1:
                return [None]
            half = len(expressions) // 2
            return self.columns(expressions[:half]) + self.columns(expressions[half:])

    def typed(self, expressions):
        """[(type, texts of its values)], None where Spark refuses or fails."""
        kinds = [self.kind_of(e) for e in expressions]
        texts = iter(self.columns([text_of(e, kind) for e, kind in zip(expressions, kinds) if kind]))
        found = [(kind, next(texts)) if kind else (None, None) for kind in kinds]
        return [None if values is None else (kind, values) for kind, values in found]

    def matching(self, wheres):
        """For each predicate the rows for which it is true, None where Spark fails."""
        good = [self.kind_of(w) == "boolean" for w in wheres]
        asked = iter(self.columns([f"coalesce({w}, false)" for w, ok in zip(wheres, good) if ok]))
        found = [next(asked) if ok else None for ok in good]
        return [None if rows is None else {i for i, matches in enumerate(rows) if matches} for rows in found]


def text_of(expression, kind):
    return f"hex({expression})" if kind == "binary" else f"CAST({expression} AS STRING)"


# ---------------------------------------------------------------------------------------- one table

class Case:
    """A table, and predicates about it."""

    def __init__(self, spark, seed, folder):
        self.seed, self.draw = seed, random.Random(seed)
        self.zone, self.ansi = self.draw.choice(value_table.ZONES), self.draw.random() < 0.5
        spark.conf.set("spark.sql.session.timeZone", self.zone)
        spark.conf.set("spark.sql.ansi.enabled", "false")
        self.table = value_table.ValueTable(spark, self.draw, folder, self.zone)
        spark.conf.set("spark.sql.ansi.enabled", str(self.ansi).lower())
        self.spark = Answers(spark, self.table.rows)
        self.grammar = expression_grammar.Grammar(self.draw, self.table.columns, self.table.source)

    def predicates(self, count):
        """Trees about expressions that Spark understands, beside values that these have."""
        drawn = [self.grammar.expression() for _ in range(count)]
        known = [(e, found) for e, found in zip(drawn, self.spark.typed([e.sql for e in drawn])) if found]
        made = [self.grammar.predicate(e, kind, texts) for e, (kind, texts) in known]
        return list({tree.sql: tree for tree in made if tree is not None}.values())

    def files_of(self, rows):
        return sorted({self.table.file_of[row] for row in rows})


def kept_files(given, case, where, level):
    """{number of the file: kept?}, or the message of a refusal."""
    kept = differential.kept_files(given, case.table, where, level)
    return kept if isinstance(kept, str) else {int(path.split(".")[0][1:]): is_kept for path, is_kept in kept.items()}


Verdict = collections.namedtuple("Verdict", "outcome why level file droppable dropped", defaults=("", "", None, 0, 0))


def judge(given, case, where, rows):
    droppable = dropped = 0
    for level in LEVELS:
        kept = kept_files(given, case, where, level)
        if isinstance(kept, str):
            return Verdict("refused" if kept.startswith("exit 1") else "failed", kept, level)
        needed = case.files_of(rows)
        lost = [i for i in needed if not kept[i]]
        if lost:
            return Verdict("failed", "a file that holds a match was dropped", level, lost[0])
        if level == "extended":
            droppable += len(kept) - len(needed)
            dropped += sum(not is_kept for is_kept in kept.values())
    return Verdict("passed", droppable=droppable, dropped=dropped)


def judge_all(given, case, trees):
    asked = [(tree, rows) for tree, rows in zip(trees, case.spark.matching([tree.sql for tree in trees])) if rows is not None]
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        verdicts = pool.map(lambda pair: judge(given, case, pair[0].sql, pair[1]), asked)
        return [(tree, verdict) for (tree, _), verdict in zip(asked, verdicts)]


# ---------------------------------------------------------------------------------------- failures

def smaller(given, case, tree, verdict):
    """The smallest tree of the same kind that still fails in the same way."""
    for part in tree.parts():
        for _, found in judge_all(given, case, [part]):
            if found.outcome == verdict.outcome:
                return smaller(given, case, part, found)
    return tree, verdict


def report(given, case, tree, verdict):
    tree, verdict = smaller(given, case, tree, verdict)
    print(f"{verdict.outcome.upper()} (--seed {case.seed} --tables 1; zone {case.zone}, ANSI {'on' if case.ansi else 'off'})\n"
          f"  {verdict.why} ({verdict.level})\n  where: {tree.sql}")
    if verdict.file is not None:
        print(f"  generated: {case.table.generated}")
        print(f"  add: {json.dumps(case.table.adds[verdict.file], ensure_ascii=False)}")
        for line in case.table.shown_rows(verdict.file):
            print(f"  row: {line}")
    print("  " + shlex.join(differential.command(given, case.table, tree.sql, verdict.level)), flush=True)


# ---------------------------------------------------------------------------------------- the run

def arguments():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", required=True)
    options.add_argument("--args", default="", help="more arguments for the binary")
    options.add_argument("--spark", type=pathlib.Path,
                         default=pathlib.Path(os.environ.get("LAKEPROOF_SPARK", differential.ROOT / "build" / "spark")))
    options.add_argument("--tables", type=int, help="stop after so many")
    options.add_argument("--seconds", type=float, help="begin no table later")
    options.add_argument("--seed", type=int, default=1, help="of the first table; each further one takes the next")
    options.add_argument("--predicates", type=int, default=200, help="for each table")
    options.add_argument("--stop-after", type=int, default=3, help="failures")
    options.add_argument("--keep", type=pathlib.Path, help="leave the tables in this folder")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--loose", action="store_true", help="say of each function how much of what can be dropped is")
    given = options.parse_args()
    if given.tables is None and given.seconds is None:
        given.tables = 8
    return given


def ask_about(given, spark, seed, folder, counts, by_name):
    case = Case(spark, seed, folder)
    for tree, verdict in judge_all(given, case, case.predicates(given.predicates)):
        counts[verdict.outcome] += 1
        counts["droppable"] += verdict.droppable
        counts["dropped"] += verdict.dropped
        counts["loose"] += verdict.dropped < verdict.droppable
        for name in tree.names() if verdict.outcome == "passed" else ():
            by_name[name] += collections.Counter(droppable=verdict.droppable, dropped=verdict.dropped)
        if verdict.outcome == "failed" or (verdict.outcome == "refused" and os.environ.get("LAKEPROOF_SHOW_REFUSED")):
            report(given, case, tree, verdict)
        if counts["failed"] >= given.stop_after:
            break


def main():
    given = arguments()
    counts, by_name = collections.Counter(), collections.defaultdict(collections.Counter)
    until = time.monotonic() + (given.seconds or 1e9)
    with tempfile.TemporaryDirectory() as scratch:
        spark = spark_session.start(given.spark / "jars", pathlib.Path(scratch))
        spark.conf.set("spark.sql.codegen.factoryMode", "NO_CODEGEN")  # compiling would take longer than running
        logging.disable(logging.CRITICAL)  # pyspark writes a page about each predicate that fails
        for seed in range(given.seed, given.seed + given.tables) if given.tables else itertools.count(given.seed):
            if time.monotonic() > until or counts["failed"] >= given.stop_after:
                break
            folder = pathlib.Path(scratch if not given.keep else given.keep) / str(seed)
            folder.mkdir(parents=True)
            ask_about(given, spark, seed, folder, counts, by_name)
            counts["tables"] += 1
        spark.stop()
    for name, found in sorted(by_name.items(), key=lambda item: -item[1]["droppable"]) if given.loose else ():
        print(f"  {name}: dropped {found['dropped']} of {found['droppable']}")
    print(f"{counts['tables']} tables from seed {given.seed}; of {counts['droppable']} files without a match {counts['dropped']} "
          f"were dropped; {counts['refused']} predicates refused\n"
          f"oracle expressions: tried {counts['passed'] + counts['failed']}, unsound {counts['failed']}, loose {counts['loose']}, "
          f"skipped {counts['refused']}\n"
          f"{counts['passed']} passed, {counts['failed']} failed, {counts['refused']} skipped")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    differential.run_inside(arguments().spark.resolve())
    import expression_grammar
    import py4j.protocol
    import spark_session
    import value_table
    REFUSALS = (spark_session.PySparkException, py4j.protocol.Py4JError)
    sys.exit(main())
