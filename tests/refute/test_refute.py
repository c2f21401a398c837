#!/usr/bin/env python3
"""test_refute.py - the refutation by data can fail: wrong claims are refuted, right ones are not, cases get small.

Called by: ctest.  Must not know: the analysis.

The analysis is replaced by a guesser that takes for true what one database shows.
"""
import argparse
import collections
import itertools
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import claims  # noqa: E402
import draw  # noqa: E402
import engines  # noqa: E402
import multiplicity  # noqa: E402
import refute  # noqa: E402
import schema as schemas  # noqa: E402
from query import Expr, Join, Relation, Select  # noqa: E402
from suite import equal, run, holds as suite_holds  # noqa: E402



def holds(condition, what=""):
    suite_holds(condition, what)


NOTHING = {"status": "known", "reason": "", "keys": [], "lax_keys": [], "fds": [], "lax_fds": [], "not_null": [], "constant": [],
           "constant_or_null": [], "equiv": [], "rows": [0, None], "inclusions": [], "join": ["", ""], "why": []}


def refuted(given, tables=None, **facts):
    """The kinds of the claims that the given rows refute."""
    return [r.kind for r in claims.refuted_by(NOTHING | facts, given, True, tables)]


# ---------------------------------------------------------------- claims on rows


def test_key_is_refuted_by_rows_that_agree():
    rows = [(1, None), (1, 2), (2, None)]
    equal(refuted(rows, keys=[[0]]), ["keys"])
    equal(refuted(rows, keys=[[0, 1]]), [])
    equal(refuted([(None,), (None,)], keys=[[0]]), ["keys"], "NULL agrees with NULL")
    equal(refuted(rows, keys=[[]]), ["keys"], "the empty key is one row at most")
    equal(refuted(rows[:1], keys=[[]]), [])


def test_lax_key_looks_away_from_nulls():
    equal(refuted([(None, 1), (None, 1)], lax_keys=[[0, 1]]), [])
    equal(refuted([(0, 1), (0, 1)], lax_keys=[[0, 1]]), ["lax_keys"])


def test_dependency_is_refuted_by_rows_that_differ():
    equal(refuted([(1, 2), (1, 3)], fds=[[[0], [1]]]), ["fds"])
    equal(refuted([(1, 2), (1, None)], fds=[[[0], [1]]]), ["fds"])
    equal(refuted([(None, 2), (None, 3)], fds=[[[0], [1]]]), ["fds"])
    equal(refuted([(None, 2), (None, 3)], lax_fds=[[[0], [1]]]), [])
    equal(refuted([(1, 2), (1, None)], lax_fds=[[[0], [1]]]), ["lax_fds"])
    equal(refuted([(1, 2), (1, 2.0), (2, 5)], fds=[[[0], [1]]]), [])


def test_values_of_a_column():
    equal(refuted([(1,), (None,)], not_null=[0]), ["not_null"])
    equal(refuted([(1,), (None,)], constant=[0]), ["constant"])
    equal(refuted([(1,), (None,)], constant_or_null=[0]), [])
    equal(refuted([(1,), (2,)], constant_or_null=[0]), ["constant_or_null"])
    equal(refuted([(1, 1), (None, None)], equiv=[[0, 1]]), [])
    equal(refuted([(1, 1), (None, 1)], equiv=[[0, 1]]), ["equiv"])


def test_bounds_of_rows():
    equal(refuted([], rows=[1, None]), ["rows"])
    equal(refuted([(1,), (2,)], rows=[0, 1]), ["rows"])
    equal(refuted([(1,)], rows=[1, 1]), [])


def test_inclusions():
    tables = {"t": (["a", "b"], [(1, None), (2, 3)])}
    equal(refuted([(1, None)], tables, inclusions=[[True, False, "t", [0], ["a"]]]), ["inclusions"], "covers")
    equal(refuted([(1, 1), (2, 1), (9, 1)], tables, inclusions=[[True, False, "t", [0], ["a"]]]), [])
    equal(refuted([(1, None)], tables, inclusions=[[False, False, "t", [0, 1], ["a", "b"]]]), [])
    equal(refuted([(2, None)], tables, inclusions=[[False, False, "t", [0, 1], ["a", "b"]]]), ["inclusions"], "within")
    equal(refuted([(2, None)], tables, inclusions=[[False, True, "t", [0, 1], ["a", "b"]]]), [], "lax: no row without a NULL")


def test_multiplicity():
    holds(claims.check_multiplicity("exactly-one", [1, 1]) is None)
    holds(claims.check_multiplicity("exactly-one", [1, 0]))
    holds(claims.check_multiplicity("zero-or-one", [2]))
    holds(claims.check_multiplicity("one-or-more", [1, 0]))
    holds(claims.check_multiplicity("zero-or-more", [0, 7]) is None)


# ---------------------------------------------------------------- databases and queries


def test_databases_satisfy_the_declarations():
    """Without SQLite's help: keys, NOT NULL and references counted by hand."""
    rows_seen = nulls = 0
    for number in range(60):
        rng = random.Random(number)
        schema = schemas.draw_schema(rng)
        for database, _ in schemas.draw_databases(rng, schema, 4):
            for t in schema.tables:
                rows = [dict(zip(t.names(), row)) for row in database[t.name]]
                rows_seen += len(rows)
                nulls += sum(v is None for row in rows for v in row.values())
                for c in t.columns:
                    holds(not t.is_not_null(c.name) or all(row[c.name] is not None for row in rows))
                for key in schema.keys_of(t):
                    values = [tuple(row[n] for n in key) for row in rows]
                    values = [v for v in values if None not in v]
                    equal(len(values), len(set(values)), f"{t.name} {key}")
                for here, there, names in t.foreigns:
                    parents = {tuple(row[schema.table(there).names().index(n)] for n in names) for row in database[there]}
                    holds(all(None in v or v in parents for v in (tuple(row[n] for n in here) for row in rows)))
    holds(rows_seen > 1000 and nulls > rows_seen / 5, f"{rows_seen} rows, {nulls} NULLs")


def test_a_broken_declaration_is_seen():
    t = schemas.Table("t")
    t.columns, t.primary, t.foreigns = [schemas.Column("id", "int"), schemas.Column("a", "int")], ["id"], [(["a"], "t", ["id"])]
    schema = schemas.Schema([t])
    holds(schemas.satisfies(schema, {"t": [(1, 1), (2, None)]}))
    holds(schemas.satisfies(schema, {"t": [(1, 1), (1, None)]}) is None, "two rows with one key")
    holds(schemas.satisfies(schema, {"t": [(1, 3)]}) is None, "no such parent")
    holds(schemas.satisfies(schema, {"t": [(None, None)]}) is None, "NULL in a primary key")


FORMS = [" inner join ", " left join ", " right join ", " full join ", " cross join ", " using (", "natural ", " is not distinct from ", " or ",
         " in (", " not in (", "exists (", "not exists (", " between ", " like ", " is null", " is not null", "group by", "having", "count(distinct",
         "filter (where", "distinct ", "row_number()", "rank()", "lag(", "partition by", "rn = 1", "union all", " union ", " intersect ", " except ",
         "values (", "with recursive", " limit ", "with q", "case when", "coalesce(", "cast(", "(select ", "max(", "avg("]
BIG_FORMS = ["unnest(", "generate_series(", "lateral (", "distinct on (", "rollup (", "cube (", "grouping sets (", "intersect all", "except all", " any (array[", "numeric(5, 0)"]


def test_every_form_is_drawn():
    for engine, forms in (("sqlite", FORMS), ("postgres", FORMS + BIG_FORMS), ("duckdb", FORMS + BIG_FORMS + ["qualify "])):
        seen = collections.Counter()
        for number in range(50):
            rng = random.Random(number)
            schema = schemas.draw_schema(rng)
            for _ in range(30):
                text = draw.draw_query(rng, schema, engine).sql()
                seen.update(f for f in forms if f in text)
        rare = {f: seen[f] for f in forms if seen[f] < 4}
        equal(rare, {}, f"{engine}: of 1500 queries")


def test_the_engine_takes_most_queries_and_many_give_rows():
    options = Options()
    counts = collections.Counter()
    for number in range(20):
        for _, results in refute.draw_round(options, engines.Sqlite(), number)[2]:
            counts["refused" if results is None else "many" if max(len(r) for r, _ in results) > 1 else "flat"] += 1
    holds(counts["refused"] < 0.04 * sum(counts.values()) and counts["many"] > 0.5 * sum(counts.values()), str(counts))


def join_of(kind, condition):
    s = Select()
    s.source = Relation("a", table="t")
    s.joins = [Join(kind, Relation("b", table="t"), on=[Expr("boolean", condition)])]
    s.items = [[Expr("int", "a.id"), None]]
    return s


def test_rows_of_a_side_are_counted():
    t = schemas.Table("t")
    t.columns = [schemas.Column("id", "int"), schemas.Column("a", "int")]
    engine = engines.Sqlite()
    engine.open(schemas.Schema([t]), [{"t": [(1, 1), (2, 1), (3, None)]}])
    for kind, condition, left, right in (("inner", "a.a = b.a", [2, 2, 0], [2, 2, 0]), ("left", "a.a = b.id", [1, 1, 1], [2, 0, 0]),
                                         ("full", "a.a = b.id", [1, 1, 1], [2, 1, 1])):
        count, whole, of_left, of_right = multiplicity.counting_queries(join_of(kind, condition))
        rows = [engine.rows([text])[0][0][0] for text in (whole, of_left, of_right)]
        equal(sorted(multiplicity.occurrences(rows[0], rows[1], range(count - 1))), sorted(left), kind)
        equal(sorted(multiplicity.occurrences(rows[0], rows[2], [count - 1])), sorted(right), kind)


# ---------------------------------------------------------------- the whole run, with a guesser


class Guesser:
    """States what one database shows."""

    def __init__(self, database_of):
        self.database_of = database_of

    def ask(self, dialect, texts, ddl, mode="facts"):
        return [self.guess(text, ddl) for text in texts]

    def guess(self, text, ddl):
        con = self.database_of(ddl)
        try:
            cursor = con.execute(text)
        except Exception as e:
            return str(e)
        names = [d[0] for d in cursor.description]
        rows = cursor.fetchmany(400)
        width = range(len(names))
        good = lambda check, wanted: [c for c in wanted if check(rows, c) is None]  # noqa: E731
        return NOTHING | {
            "columns": names, "keys": [list(k) for n in (1, 2) for k in good(claims.check_key, itertools.combinations(width, n))],
            "lax_keys": [[c] for c in width if claims.check_lax_key(rows, [c]) is None],
            "fds": good(claims.check_fd, [[[a], [b]] for a in width for b in width if a != b]),
            "lax_fds": good(claims.check_lax_fd, [[[a], [b]] for a in width for b in width if a != b]),
            "not_null": good(claims.check_not_null, width), "constant": good(claims.check_constant, width),
            "constant_or_null": good(claims.check_constant_or_null, width), "rows": [len(rows), len(rows)],
            "equiv": good(claims.check_equal, [[a, b] for a in width for b in width if a < b]), "join": ["exactly-one", "exactly-one"],
            "why": collections.defaultdict(list)}


class Options:
    batch, seed, show, shrink_seconds, sharpness, engine = "", 1, 100, 8, 0, "sqlite"


def guessing_judge(rows_of_guess):
    judge = refute.Judge(Options(), engines.Sqlite())

    def database_of(ddl):
        con = __import__("sqlite3").connect(":memory:")
        con.executescript(ddl)
        for statement in rows_of_guess:
            con.execute(statement)
        return con

    judge.analysis = Guesser(database_of)
    return judge


def test_wrong_claims_of_all_kinds_are_refuted():
    kinds, queries, wrong = collections.Counter(), 0, 0
    for number in range(12):
        schema, databases, drawn = refute.draw_round(Options(), engines.Sqlite(), number)
        judge = guessing_judge([])
        engine = judge.engine
        engine.open(schema, databases)
        guess = schemas.draw_database(random.Random(number), schema, 3)[1]
        judge.analysis.database_of = lambda ddl, guess=guess: guess
        for query, results in drawn:
            if results is None:
                continue
            facts = judge.analysis.ask("", [query.sql()], "")[0]
            if isinstance(facts, str):
                continue
            found = {r.kind for _, r in judge.refuted(facts, query, schema, databases, results)}
            kinds.update(found)
            queries += 1
            wrong += bool(found)
    holds(wrong > 0.4 * queries, f"{wrong} of {queries} guesses refuted")
    equal([k for k in claims.KINDS if k != "inclusions" and kinds[k] < 5], [], str(kinds))


def test_a_case_gets_small():
    """The guess of an empty database says that every column is a key and all is constant."""
    judge = guessing_judge([])
    sizes = []
    for number in range(3):
        tally = refute.Tally()
        schema, databases, drawn = refute.draw_round(Options(), judge.engine, number)
        for query, results in drawn:
            if results and len(query.sql()) > 300 and max(len(r) for r, _ in results) > 1:
                where = next(i for i, (r, _) in enumerate(results) if len(r) > 1)
                facts = judge.analysis.ask("", [query.sql()], schema.ddl())[0]
                if any(f.kind == "keys" for f in claims.refuted_by(facts, *results[where])):
                    refute.report_case(judge, tally, schema, databases[where], query, "keys", number)
                    break
        sizes += [len(text) for _, text in tally.cases]
    holds(len(sizes) == 3 and max(sizes) < 700, f"sizes of the cases: {sizes}")


parser = argparse.ArgumentParser()
parser.add_argument("--only")
if __name__ == "__main__":
    run(globals(), parser.parse_args().only)
