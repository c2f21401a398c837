#!/usr/bin/env python3
"""refute.py - refutation by data: random queries over random rows that satisfy the declarations, against what is stated of them.

Called by: tests/suites.ini, people.  Must not know: how a fact is proved.

usage: refute.py --batch BUILD/tests/facts_batch [--queries N | --seconds N] [--seed N] [--jobs N] [--engine sqlite|duckdb|postgres]
                 [--show N] [--sharpness SHARE] [--round N]
A round is one schema, several databases and some dozen queries; its content follows from --seed and its number alone, so
--round repeats it. A claim that some database refutes is cut down to a minimal case and fails the run. So does a crash, and
a query that the engine takes and the analysis refuses, if it does so often (--refusals per thousand). What SQLite refutes counts
only if DuckDB agrees, where DuckDB is there.
--sharpness: on that share of the queries also count what looks true on many databases and is not stated: a figure, no test.
Last line: `N passed, N failed, N skipped`, where a query without a false claim is one that passed.
"""
import argparse
import collections
import multiprocessing
import random
import sys
import time

import claims
import draw
import engines
import multiplicity
import schema as schemas
import sharpness
from analysis import Analysis
from shrink import shrink

QUERIES_A_ROUND = {"sqlite": 60, "duckdb": 40, "postgres": 60}
DATABASES = {"sqlite": 6, "duckdb": 3, "postgres": 4}
KEEP_FLAT = 0.4  # of the queries that never give two rows: few claims can be wrong there


class Tally:
    def __init__(self):
        self.count = collections.Counter()
        self.claims = collections.Counter()
        self.cases = []
        self.refusals, self.alone = [], []
        self.missed = collections.Counter()
        self.seen = collections.Counter()
        self.examples = {}

    def add(self, other):
        for name in ("count", "claims", "missed", "seen"):
            getattr(self, name).update(getattr(other, name))
        self.cases += other.cases
        self.refusals += other.refusals
        self.alone += other.alone
        for kind, found in other.examples.items():
            self.examples.setdefault(kind, []).extend(found)


def tables_of(schema, database):
    return {t.name: (t.names(), database[t.name]) for t in schema.tables}


class Judge:
    """Engine and analysis together: what is refuted of a query?"""

    def __init__(self, options, engine, lie=None):
        self.options, self.engine, self.analysis = options, engine, Analysis(options.batch, lie)
        self.second_opinion = None
        self.fast = None  # a judge that cuts cases down faster

    def join_claims(self, facts, query, number):
        """Claims on the sides of the topmost join that do not hold on database `number`."""
        found = multiplicity.counting_queries(query) if any(facts["join"]) else None
        if not found:
            return []
        count, whole, left, right = found
        texts = [whole, left] + ([right] if right else [])
        answers = [a and a[number] for a in self.engine.rows(texts)]
        if any(a is None or not a[1] for a in answers):
            return []
        out = []
        for side, claim in enumerate(facts["join"]):
            if not claim or side == 1 and not right:
                continue
            places = range(count - 1) if side == 0 else [count - 1]
            witness = claims.check_multiplicity(claim, multiplicity.occurrences(answers[0][0], answers[1 + side][0], places))
            if witness:
                out.append(claims.Refuted("join", [["left", "right"][side], claim], witness))
        return out

    def refuted(self, facts, query, schema, databases, results):
        """[(number of the database, Refuted)]"""
        out = []
        for number, (rows, whole) in enumerate(results):
            if rows and len(rows[0]) != len(facts["columns"]):
                return [(number, claims.Refuted("columns", len(facts["columns"]), rows[0]))]
            found = claims.refuted_by(facts, rows, whole, tables_of(schema, databases[number]))
            if number % 3 == 1 or found:
                found += self.join_claims(facts, query, number)
            out += [(number, f) for f in found]
        return out

    def takes(self, schema, database, query):
        """Does the engine run the query at all?"""
        self.engine.open(schema, [database])
        return self.engine.rows([query.sql()])[0] is not None

    def is_alone(self, schema, database, query, kind):
        """Does the second engine take the query, and agree with the claim?"""
        other = self.second_opinion
        return bool(other) and other.takes(schema, database, query) and not other.still(kind)(schema, database, query)

    def still(self, kind):
        """For shrink: is some claim of this kind refuted on this one database?"""
        def holds(schema, database, query):
            text = query.sql()
            if self.engine.name == "sqlite":
                con = schemas.satisfies(schema, database)
                if not con:
                    return False
                self.engine.adopt([con])
            else:
                if not schemas.satisfies(schema, database):
                    return False
                self.engine.open(schema, [database])
            results = self.engine.rows([text])[0]
            if not results:
                return False
            facts = self.analysis.ask(self.engine.dialect, [text], schema.ddl())[0]
            if isinstance(facts, str):
                return False
            found = claims.refuted_by(facts, *results[0], tables_of(schema, database))
            if kind == "join":
                found += self.join_claims(facts, query, 0)
            return any(f.kind == kind for f in found)
        return holds

    def explain(self, schema, database, query, kind):
        """The text of a case."""
        text = query.sql()
        facts = self.analysis.ask(self.engine.dialect, [text], schema.ddl(), "explain")[0]
        self.engine.open(schema, [database])
        results = self.engine.rows([text])[0]
        found = claims.refuted_by(facts, *results[0], tables_of(schema, database))
        if kind == "join":
            found += self.join_claims(facts, query, 0)
        lines = [f"-- {self.engine.name}", schema.ddl().rstrip()]
        lines += [f"insert {name}: {row}" for name, rows in database.items() for row in rows]
        lines += [text, f"-- columns: {', '.join(facts['columns'])}"]
        for f in found:
            if f.kind == kind:
                lines.append(f"-- claim {f.kind} {f.claim} because {'; '.join(reason_of(facts, f)) or 'the SQL itself'}")
                lines.append(f"-- rows that refute it: {f.witness}")
        return "\n".join(lines)


def reason_of(facts, refuted):
    if refuted.kind in ("join", "columns"):
        return []
    why, place = facts["why"], 0
    for kind in claims.KINDS:
        if kind == refuted.kind:
            return why[place + (0 if kind == "rows" else facts[kind].index(refuted.claim))]
        place += 1 if kind == "rows" else len(facts[kind])
    return []


def draw_round(options, engine, number):
    """(schema, databases, [(query, its results)])"""
    rng = random.Random(f"{options.seed}/{engine.name}/{number}")
    more = [] if engine.name == "sqlite" else [("int", "text", "date", "boolean", "numeric", "numeric", "double precision")]
    schema = schemas.draw_schema(rng, *more)
    pairs = schemas.draw_databases(rng, schema, DATABASES[engine.name])
    databases = [d for d, _ in pairs]
    if engine.name == "sqlite":
        engine.adopt([con for _, con in pairs])
    else:
        engine.open(schema, databases)
    queries = [draw.draw_query(rng, schema, engine.name) for _ in range(QUERIES_A_ROUND[engine.name])]
    kept = []
    for query, results in zip(queries, engine.rows([q.sql() for q in queries])):
        if results is None:
            kept.append((query, None))
        elif max(len(rows) for rows, _ in results) > 1 or rng.random() < KEEP_FLAT:
            kept.append((query, results))
    return schema, databases, kept


def cut_down(judge, schema, database, query, kind):
    """The smallest case that is still refuted; None if SQLite alone refutes it, by a bug of its own."""
    if judge.is_alone(schema, database, query, kind):
        return None
    still = judge.still(kind)
    if judge.fast and judge.fast.still(kind)(schema, database, query):
        still = judge.fast.still(kind)
    if not still(schema, database, query):
        return schema, database, query
    small = shrink(schema, database, query, still, judge.options.shrink_seconds)
    if not judge.is_alone(*small, kind):
        return small
    # The second engine did not take the whole query. What is left may be another case: look for one that it confirms.
    small = shrink(schema, database, query, lambda *case: still(*case) and not judge.is_alone(*case, kind), judge.options.shrink_seconds)
    return small if judge.second_opinion.still(kind)(*small) else None


def report_case(judge, tally, schema, database, query, kind, number):
    if len(tally.cases) < judge.options.show:
        if kind == "columns":
            tally.cases.append((kind, f"-- {judge.engine.name}, round {number}: another number of columns\n{schema.ddl()}{query.sql()}"))
        else:
            small = cut_down(judge, schema, database, query, kind)
            if not small:
                tally.count["refuted by SQLite alone"] += 1
                tally.alone.append(f"{kind}, round {number}: {query.sql()}")
                return
            tally.cases.append((kind, f"-- round {number}\n" + judge.explain(*small, kind)))
    tally.count["failed"] += 1
    tally.count[f"refuted {kind}"] += 1


def play_round(judge, tally, number):
    schema, databases, drawn = draw_round(judge.options, judge.engine, number)
    tally.count["refused by the engine"] += sum(results is None for _, results in drawn)
    drawn = [(q, r) for q, r in drawn if r is not None]
    connections = getattr(judge.engine, "connections", None)
    answers = judge.analysis.ask(judge.engine.dialect, [q.sql() for q, _ in drawn], schema.ddl())
    for (query, results), facts in zip(drawn, answers):
        if isinstance(facts, str):
            kind = "failed" if facts.startswith("crash") else "refused"
            tally.count[kind] += 1
            (tally.cases if kind == "failed" else tally.refusals).append((facts, f"-- round {number}\n{schema.ddl()}{query.sql()}"))
            continue
        tally.count["queries"] += 1
        tally.count[f"status {facts['status']}"] += 1
        for kind in claims.KINDS:
            tally.claims[kind] += sum(map(bool, facts["join"])) if kind == "join" else facts["rows"] != [0, None] if kind == "rows" else len(facts[kind])
        found = judge.refuted(facts, query, schema, databases, results)
        if not found:
            tally.count["passed"] += 1
        else:
            where, first = found[0]
            report_case(judge, tally, schema, databases[where], query, first.kind, number)
            if connections:
                judge.engine.adopt(connections)
            else:
                judge.engine.open(schema, databases)
        if judge.options.sharpness and random.Random(f"{number}/{query.sql()}").random() < judge.options.sharpness:
            sharpness.measure(judge, tally, schema, query, facts, number)
            if connections:
                judge.engine.adopt(connections)
            else:
                judge.engine.open(schema, databases)


def make_engine(name):
    return {"sqlite": engines.Sqlite, "duckdb": engines.Duckdb, "postgres": engines.Postgres}[name]()


def duckdb_judge(options, dialect):
    """A second opinion. SQLite 3.40 has bugs of its own (a false ON before a RIGHT JOIN); of PostgreSQL it takes long to ask."""
    try:
        engine = engines.Duckdb()
    except ImportError:
        return None
    engine.dialect = dialect
    return Judge(options, engine)


def work(arguments):
    options, name, part = arguments
    tally = Tally()
    engine = make_engine(name)
    judge = Judge(options, engine)
    if name == "sqlite":
        judge.second_opinion = duckdb_judge(options, "postgres")
    if name == "postgres":
        judge.fast = duckdb_judge(options, "postgres")
    start = time.monotonic()
    number = part if options.round is None else options.round
    try:
        while (time.monotonic() - start < options.seconds) if options.seconds else tally.count["queries"] < options.queries / options.jobs:
            play_round(judge, tally, number)
            number += options.jobs
            if options.round is not None:
                break
            if tally.count["failed"] > 200:
                break
    finally:
        if hasattr(engine, "close"):
            engine.close()
    return tally


def print_tally(options, tally):
    seen = set()
    for kind, text in tally.cases:
        shape = (kind, text.split("\n", 1)[1])
        if shape not in seen:
            seen.add(shape)
            print(f"REFUTED {kind}\n{text}\n")
    for text in sorted(tally.alone, key=len)[:options.show if options.alone else 0]:
        print("refuted by SQLite alone:", text)
    counts = collections.Counter(m for m, _ in tally.refusals)
    for message, text in tally.refusals[:options.show if len(tally.refusals) > options.refusals * tally.count["queries"] / 1000 else 1]:
        print(f"refused ({counts[message]}): {message}\n{text}\n")
    print(options.engine, dict(sorted(tally.count.items())))
    print("claims:", dict(tally.claims))
    sharpness.print_figures(tally, options)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", required=True)
    parser.add_argument("--engine", default="sqlite", choices=list(QUERIES_A_ROUND))
    parser.add_argument("--queries", type=int, default=50_000)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--round", type=int)
    parser.add_argument("--show", type=int, default=8)
    parser.add_argument("--shrink-seconds", type=float, default=20)
    parser.add_argument("--refusals", type=float, default=5)
    parser.add_argument("--alone", action="store_true", help="print what SQLite alone refutes")
    parser.add_argument("--sharpness", type=float, default=0)
    options = parser.parse_args()
    start = time.monotonic()
    try:
        make_engine(options.engine).close() if options.engine == "postgres" else make_engine(options.engine)
    except ImportError as e:
        print(f"skipped: {e}\n0 passed, 0 failed, 1 skipped")
        return 77
    tally = Tally()
    if options.jobs == 1:
        tally = work((options, options.engine, 0))
    else:
        with multiprocessing.Pool(options.jobs) as pool:
            for part in pool.imap_unordered(work, [(options, options.engine, i) for i in range(options.jobs)]):
                tally.add(part)
    print_tally(options, tally)
    failed = tally.count["failed"]
    if tally.count["refused"] > options.refusals * tally.count["queries"] / 1000:
        print(f"FAILED: {tally.count['refused']} queries refused, which the engine takes")
        failed += 1
    print(f"{time.monotonic() - start:.0f} s\n{tally.count['passed']} passed, {failed} failed, 0 skipped")
    return 1 if failed or not tally.count["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
