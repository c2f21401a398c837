#!/usr/bin/env python3
"""witness.py - a database for each finding: rows that show double counting (G001) or a many-to-many join (G003), and none where
the analysis is silent by proof.

Called by: tests/suites.ini, people.  Must not know: how a finding is found.

usage: witness.py --batch BUILD/tests/facts_batch [--queries N | --seconds N] [--seed N] [--show N] [--without N] [--list]

The queries are sums and averages over joins of keyed tables, of derived tables and of groups. Each is written twice: as people
write it, and with a hidden number for every row of every entity below, so that what is summed can be traced to the rows that it
belongs to. A database is a witness of G001 when the sum over the rows of some group differs from the sum in which every entity
counts once; of G003, when a row of either side meets more than one of the other. For a finding
that none of the random databases shows there is a search: databases that grow row by row, with values that meet in joins. At most
--without in a thousand findings may stay without a witness: there conditions of the query exclude each other, or the search is
too weak. Where the
analysis knows the grain of what is summed and a key of the rows and says nothing, a witness among the trials fails. NULLs in
groups and keys are left out there: silence is proved for rows without them.
"""
import argparse
import collections
import copy
import random
import sqlite3
import sys
import time

import draw
import engines
import multiplicity
import schema as schemas
from analysis import Analysis
from draw import Col
from query import Expr, Join, Relation, Select

TRIALS = 24    # databases for every query
SEARCH = 2500  # steps for a finding that none of them shows


class Numbered:
    """A query whose rows get a number, in the traced text only."""
    def __init__(self, inner, traced):
        self.inner, self.traced = inner, traced

    def sql(self):
        return f"select row_number() over () as rn, x.* from ({self.inner.sql()}) as x" if self.traced else self.inner.sql()


class Table:
    def __init__(self, name):
        self.name = name

    def sql(self):
        return f"select * from {self.name}"


class Sums:
    """Draws one query in its two texts."""

    def __init__(self, rng, schema):
        self.rng, self.draw = rng, draw.Draw(rng, schema)
        self.schema = schema
        self.entities = {}  # reference of a column -> references of the numbers of its entities

    def on(self, left, right):
        """Equalities of different columns: what contradicts itself has no witness."""
        together = [(a, b) for a in left for b in right if a.kind == b.kind and a.origin and b.origin
                    and (a.origin == b.origin or b.origin in self.draw.related[a.origin])]
        same = [(a, b) for a in left for b in right if a.kind == b.kind and a.name != "v" and b.name != "v"]  # counts are hard to meet
        if not same:
            return [Expr("boolean", "1 = 1")]
        pairs = self.draw.some(together if together and self.draw.chance(0.75) else same, 1, 2)
        taken, out = set(), []
        for a, b in pairs:
            if not taken & {a.ref, b.ref}:
                taken |= {a.ref, b.ref}
                out.append(Expr("boolean", f"{a.ref} = {b.ref}"))
        if self.draw.chance(0.08):
            a, b = self.rng.choice(same)
            if not taken & {a.ref, b.ref}:
                out[self.rng.randrange(len(out))] = Expr("boolean", f"{a.ref} {self.draw.one('<', 'is not distinct from')} {b.ref}")
        return out

    @staticmethod
    def joined_on(select):
        return {word for j in select.joins for c in j.on or [] for word in c.sql().split()}

    def where(self, scope, but):
        """A condition on a column that nothing else speaks of."""
        free = [c for c in scope if c.ref not in but]
        if not free or not self.draw.chance(0.15):
            return []
        c = self.rng.choice(free)
        return [Expr("boolean", c.ref, self.draw.one(" is not null", " = " + draw.LITERALS[c.kind][0]))]

    def base(self):
        keyed = [t for t in self.schema.tables if self.schema.keys_of(t)]
        table = self.rng.choice(keyed)
        alias = self.draw.name("r")
        columns = self.draw.base_columns(table, alias)
        for c in columns:
            self.entities[c.ref] = [f"{alias}.rn"]
        return (Relation(alias, table=table.name), Relation(alias, query=Numbered(Table(table.name), True)), columns)

    def derived(self, depth):
        """A join of less depth under a name of its own: columns keep their entities, whose numbers come along."""
        plain, traced, scope = self.joined(depth - 1)
        alias = self.draw.name("s")
        kept = self.draw.some(scope, 2, 5)
        columns = []
        for i, c in enumerate(kept):
            for s in (plain, traced):
                s.items.append([Expr(c.kind, c.ref), f"c{i}"])
            columns.append(Col(f"{alias}.c{i}", f"c{i}", c.kind, c.origin))
            self.entities[f"{alias}.c{i}"] = [f"{alias}.{e.replace('.', '_')}" for e in self.entities[c.ref]]
        for e in sorted({e for c in kept for e in self.entities[c.ref]}):
            traced.items.append([Expr("int", e), e.replace(".", "_")])
        plain.where = traced.where = self.where(scope, self.joined_on(plain) | {c.ref for c in kept})
        return Relation(alias, query=plain), Relation(alias, query=traced), columns

    def groups(self, depth):
        """One row a group: an entity of its own."""
        plain, traced, scope = self.joined(depth - 1, traced=False)
        alias = self.draw.name("g")
        keys = self.draw.some([c for c in scope], 1, 2)
        for i, c in enumerate(keys):
            plain.items.append([Expr(c.kind, c.ref), f"c{i}"])
        numbers = [c for c in scope if c.kind in ("int", "numeric")] or scope
        value = self.rng.choice(numbers)
        plain.items.append([Expr(value.kind, self.draw.one("sum(", "max(", "count("), value.ref, ")"), "v"])
        plain.group = [Expr(c.kind, c.ref) for c in keys]
        columns = [Col(f"{alias}.c{i}", f"c{i}", c.kind, c.origin) for i, c in enumerate(keys)] + [Col(f"{alias}.v", "v", "int", None)]
        for c in columns:
            self.entities[c.ref] = [f"{alias}.rn"]
        return Relation(alias, query=plain), Relation(alias, query=Numbered(plain, True)), columns

    def relation(self, depth):
        roll = self.rng.random()
        if depth > 0 and roll < 0.25:
            return self.derived(depth)
        if depth > 0 and roll < 0.4:
            return self.groups(depth)
        return self.base()

    def joined(self, depth, traced=True):
        """(plain, traced, scope) without items."""
        plain, other, scope = self.relation(depth)
        s, t = Select(), Select()
        s.source, t.source = plain, other if traced else plain
        for _ in range(self.draw.one(0, 1, 1, 1, 2)):
            plain, other, right = self.relation(depth)
            kind = self.draw.one("inner", "inner", "left", "left", "right", "full", "cross")
            on = None if kind == "cross" else self.on(scope, right)
            s.joins.append(Join(kind, plain, on=on))
            t.joins.append(Join(kind, other if traced else plain, on=on))
            scope = scope + right
        return s, t, scope

    def sum(self):
        """(the query, the traced rows, width of the group, number of entities, is it an average) or None."""
        self.draw.outer = []
        plain, traced, scope = self.joined(self.draw.one(0, 1, 1, 2))
        numbers = [c for c in scope if c.kind in ("int", "numeric")]
        if not numbers or not plain.joins:
            return None
        parts = self.rng.sample(numbers, 2 if len(numbers) > 1 and self.draw.chance(0.15) else 1)
        value = " * ".join(c.ref for c in parts)
        if self.draw.chance(0.1):
            value = f"coalesce({value}, 0)"
        group = self.draw.some(scope, 0, 2)
        plain.where = traced.where = self.where(scope, self.joined_on(plain) | {c.ref for c in parts + group})
        name = self.draw.one("sum", "sum", "avg")
        plain.items = [[Expr(c.kind, c.ref), f"g{i}"] for i, c in enumerate(group)] + [[Expr("int", f"{name}({value})"), "total"]]
        plain.group = [Expr(c.kind, c.ref) for c in group]
        plain.is_global = not group
        entities = sorted({e for c in parts for e in self.entities[c.ref]})
        # the key columns of the base tables of what is summed: NULLs in them are looked away from
        keys = []
        for c in parts:
            if c.origin and c.ref.split(".")[0].startswith("r"):
                keys += [f"{c.ref.split('.')[0]}.{n}" for k in self.schema.keys_of(self.schema.table(c.origin[0])) for n in k]
        traced.items = [[Expr("int", e), f"x{i}"] for i, e in enumerate([c.ref for c in group] + [value] + entities + sorted(set(keys)))]
        return Question(plain, traced, len(group), len(entities), name == "avg")


class Question:
    def __init__(self, query, traced, group_width, entity_count, is_average):
        self.query, self.traced = query, traced
        self.group_width, self.entity_count, self.is_average = group_width, entity_count, is_average

    def counts_twice(self, rows, with_nulls, repeats_suffice=False):
        """A group in which entities that count once each give another sum. Rows: group, value, entities, keys. `repeats_suffice`:
        an entity with a value comes twice, though all may be zero, or come equally often in an average, by what is declared."""
        groups = collections.defaultdict(list)
        for row in rows:
            group = row[:self.group_width]
            if with_nulls or None not in group and None not in row[self.group_width + 1:]:
                groups[group].append(row)
        for group, members in groups.items():
            all_values = [r[self.group_width] for r in members if r[self.group_width] is not None]
            once = {r[self.group_width + 1:self.group_width + 1 + self.entity_count]: r[self.group_width] for r in members}
            values = [v for v in once.values() if v is not None]
            if self.total(all_values) != self.total(values) or repeats_suffice and len(all_values) > len(values):
                return group
        return None

    def total(self, values):
        if not values:
            return None
        return sum(values) / len(values) if self.is_average else sum(values)


def rows_of(con, text):
    con.set_progress_handler(lambda: 1, engines.STEPS)
    try:
        return con.execute(text).fetchmany(3000)
    except sqlite3.Error:
        return None


def mutated(rng, schema, database, con):
    """One row more: like one that is there, with a few other values. In place; the new row or None."""
    full = [t for t in schema.tables if database[t.name]]
    table = rng.choice(full or schema.tables)
    row = list(schemas.draw_row(rng, con, table, database[table.name], 0.05))
    referring = {n for here, _, _ in table.foreigns for n in here}
    for place, c in enumerate(table.columns):  # values that are somewhere else meet in joins
        others = [r[i] for t in schema.tables for i, d in enumerate(t.columns) if d.kind == c.kind for r in database[t.name] if r[i] is not None]
        if others and c.name not in referring and rng.random() < 0.5:
            row[place] = rng.choice(others)
    if not schemas.insert(con, table, row):
        return None
    database[table.name] = con.execute(f"select * from {table.name}").fetchall()
    return row


def search(rng, schema, is_witness):
    """A database that is a witness: random ones, then ones that grow row by row."""
    for step in range(SEARCH // 15):
        database, con = schemas.draw_database(rng, schema, rng.choice([2, 4, 6]), rng.choice([0, 0, 0.2]))
        for _ in range(15):
            if is_witness(con):
                return database
            mutated(rng, schema, database, con)
    return None


def draw_shop(rng):
    """A schema without what makes a search hard and proves nothing here: CHECKs, tiny domains, tables that refer to themselves."""
    schema = schemas.draw_schema(rng, kinds=("int", "text", "int"))
    for t in schema.tables:
        t.checks = []
        t.foreigns = [f for f in t.foreigns if f[1] != t.name and len(f[0]) < 3]
    return schema


class Hunt:
    def __init__(self, options):
        self.options, self.analysis = options, Analysis(options.batch)
        self.count = collections.Counter()
        self.cases = []

    def case(self, what, schema, question, database=None):
        self.count["failed"] += 1
        if len(self.cases) < self.options.show:
            rows = [f"insert {name}: {row}" for name, rows in (database or {}).items() for row in rows]
            self.cases.append("\n".join([what, schema.ddl().rstrip(), *rows, question.query.sql(), f"-- traced: {question.traced.sql()}"]))

    def without(self, what, schema, question):
        """Counted, and a failure only when there are many: a search can miss a witness, and a finding says `may`."""
        self.count["without"] += 1
        if self.options.list:
            self.case(what, schema, question)
            self.count["failed"] -= 1

    def sums_of(self, schema, databases, rng, question, said):
        """G001 of one query."""
        text = question.traced.sql()
        outermost = question.query.sql().index(" from ")
        found = [f for f in said["findings"] if f["code"] == "G001" and f["at"] < outermost]
        if not found and not said["sum_known"]:
            self.count["unknown"] += 1
            return
        results = [rows_of(con, text) for _, con in databases]
        if any(r is None for r in results):
            self.count["left out"] += 1
            return
        twice = [question.counts_twice(rows, with_nulls=bool(found)) for rows in results]
        shown = next((i for i, t in enumerate(twice) if t is not None), None)
        if not found:
            self.count["silent"] += 1
            if shown is not None:
                self.case(f"G001 is silent, and counts twice in the group {twice[shown]}", schema, question, databases[shown][0])
            else:
                self.count["passed"] += 1
            return
        self.count["G001"] += 1
        if shown is None:
            self.count["searched"] += 1
            seen = {"repeats": False}
            has_values = any(row[question.group_width] is not None for rows in results for row in rows)

            def is_witness(con):
                nonlocal has_values
                rows = rows_of(con, text) or []
                has_values = has_values or any(row[question.group_width] is not None for row in rows)
                seen["repeats"] = seen["repeats"] or question.counts_twice(rows, True, True) is not None
                return question.counts_twice(rows, True) is not None
            if search(rng, schema, is_witness) is None:
                if seen["repeats"]:
                    self.count["G001 over zeros"] += 1
                    self.count["passed"] += 1
                    return
                if not has_values:  # its conditions contradict each other: there is nothing to sum, once or twice
                    self.count["G001 over no rows"] += 1
                    return
                self.without("G001 without a witness: " + found[0]["text"], schema, question)
                return
        self.count["passed"] += 1

    def joins_of(self, schema, databases, rng, question, said):
        """G003 of the joins of the outermost FROM."""
        found = [f for f in said["findings"] if f["code"] == "G003"]
        select, text = question.query, question.query.sql()
        for number, join in enumerate(select.joins):
            if join.on is None or " = " not in " ".join(c.sql() for c in join.on) or text.count(join.sql()) != 1:
                continue
            start = text.index(join.sql())
            fires = [f for f in found if start <= f["at"] < start + len(join.sql()) and not inside_a_relation(text, start, join, f["at"])]
            part = copy.copy(select)
            part.joins, part.where, part.group, part.is_global = select.joins[:number + 1], [], None, False
            is_witness = many_to_many(part)
            if not is_witness or not fires:
                continue
            self.count["G003"] += 1
            if not any(is_witness(con) for _, con in databases):
                self.count["searched"] += 1
                if search(rng, schema, is_witness) is None:
                    if not is_witness.has_pairs:
                        self.count["G003 over no rows"] += 1
                        continue
                    self.without(f"G003 without a witness: {join.sql()}", schema, question)
                    continue
            self.count["passed"] += 1

    def round(self, number):
        rng = random.Random(f"{self.options.seed}/witness/{number}")
        schema = draw_shop(rng)
        if not any(schema.keys_of(t) for t in schema.tables):
            return
        drawn = [q for q in (Sums(rng, schema).sum() for _ in range(30)) if q]
        databases = schemas.draw_databases(rng, schema, TRIALS)
        answers = self.analysis.ask("postgres", [q.query.sql() for q in drawn], schema.ddl(), "check")
        for question, said in zip(drawn, answers):
            if isinstance(said, str):
                self.count["refused"] += 1
                if said.startswith("crash"):
                    self.case(said, schema, question)
                continue
            self.count["queries"] += 1
            self.sums_of(schema, databases, rng, question, said)
            self.joins_of(schema, databases, rng, question, said)


def inside_a_relation(text, start, join, at):
    """Is the place in the joined relation itself, a derived table with joins of its own?"""
    relation = join.relation.sql()
    begin = text.index(relation, start)
    return join.relation.query is not None and begin <= at < begin + len(relation)


def many_to_many(select):
    """A test of a connection: some row of either side of the last join meets more than one of the other."""
    texts = multiplicity.counting_queries(select)
    if not texts or not texts[3]:
        return None
    count, whole, _, _ = texts

    def is_witness(con):
        rows = rows_of(con, whole) or []
        is_witness.has_pairs = is_witness.has_pairs or any(r[count - 1] is not None and any(v is not None for v in r[:count - 1]) for r in rows)
        left = collections.Counter(r[:count - 1] for r in rows if r[count - 1] is not None and any(v is not None for v in r[:count - 1]))
        right = collections.Counter(r[count - 1] for r in rows if r[count - 1] is not None and any(v is not None for v in r[:count - 1]))
        return max(left.values(), default=0) > 1 and max(right.values(), default=0) > 1
    is_witness.has_pairs = False
    return is_witness


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", required=True)
    parser.add_argument("--queries", type=int, default=4000)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=8)
    parser.add_argument("--without", type=float, default=20, help="findings without a witness that may be, per thousand")
    parser.add_argument("--list", action="store_true", help="print them")
    options = parser.parse_args()
    hunt, start, number = Hunt(options), time.monotonic(), 0
    while (time.monotonic() - start < options.seconds) if options.seconds else hunt.count["queries"] < options.queries:
        hunt.round(number)
        number += 1
        if hunt.count["failed"] > 100:
            break
    for case in hunt.cases:
        print(f"{case}\n")
    findings = hunt.count["G001"] + hunt.count["G003"]
    if hunt.count["without"] > options.without * findings / 1000:
        print(f"FAILED: {hunt.count['without']} of {findings} findings without a witness")
        hunt.count["failed"] += 1
    print(dict(sorted(hunt.count.items())), f"{time.monotonic() - start:.0f} s")
    print(f"{hunt.count['passed']} passed, {hunt.count['failed']} failed, 0 skipped")
    return 1 if hunt.count["failed"] or not hunt.count["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
