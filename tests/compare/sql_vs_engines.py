#!/usr/bin/env python3
"""sql_vs_engines.py - generated statements, parsed by PostgreSQL's and DuckDB's own parsers and by ours.

Called by: tests/suites.ini, people.  Must not know: how SQL is parsed.

usage: sql_vs_engines.py --batch BUILD/tests/sql_batch [--statements N] [--seed N] [--show N]
What an engine accepts we must accept; the rest is counted. Then random expressions: ours with brackets around every operator
must mean the same to the engine as the expression as it was. PostgreSQL's parser comes with the Python package pglast,
DuckDB's with duckdb; without one of them its part is skipped. Last line: `N passed, N failed, N skipped`.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
import suite  # noqa: E402
import sql_texts  # noqa: E402

# Statements that the engine accepts and we do not, with the reason: words that the statement holds.
ACCEPTED_BY_ENGINE_ONLY = {
    "postgres": {},
    "duckdb": {"{{": "two braces start a Jinja tag, and left-over Jinja is what people have"},
}


class Grammar:
    """Random statements. Everything that may come twice goes through `depth`."""

    def __init__(self, rng, duck):
        self.rng, self.duck = rng, duck

    def one(self, *choices):
        return self.rng.choice(choices)

    def maybe(self, text, share=0.3):
        return text() if self.rng.random() < share else ""

    def many(self, make, most=3):
        return ", ".join(make() for _ in range(self.rng.randint(1, most)))

    def name(self):
        return self.one("a", "b", "c", "x1", '"Q q"', "t", "date", "value", "name", "first", "level", "row_number", "année", "kind", "text")

    def column(self):
        return self.one(self.name(), f"t.{self.name()}", f"s.t.{self.name()}")

    def literal(self):
        own = ["x'ff'", "1_000"] if self.duck else ["b'01'", "x'1f'", "U&'\\0041'", "n'x'"]
        return self.one("1", "2.5", ".5", "1e3", "'x'", "'it''s'", "e'a\\nb'", "$$q$$", "$t$ q $t$", "NULL", "true", "false",
                        "date '2024-01-01'", "timestamp '2024-01-01 00:00'", "interval '1 day'", "interval '1' day",
                        "$1", "current_date", "current_timestamp", *own)

    def type(self):
        own = ["struct(a int, b text)", "map(int, text)", "union(a int, b text)", "int[3]", "decimal(10, 2)", "hugeint"] if self.duck else [
            "bit varying(3)", "interval day to second", '"char"', "int[][]", "national character varying(3)", "time(3) without time zone",
            "pg_catalog.int4", "interval(3)"]
        return self.one("int", "text", "numeric(10, 2)", "varchar(3)", "double precision", "timestamp with time zone", "int[]",
                        "character varying(10)", "time", "boolean", *own)

    def expressions(self, depth, most=3):
        return self.many(lambda: self.expression(depth), most)

    def sort(self, depth):
        return self.expression(depth) + self.one("", " asc", " desc") + self.one("", "", " nulls first", " nulls last")

    def frame(self):
        bound = self.one("unbounded preceding", "1 preceding", "current row")
        end = self.one("current row", "2 following", "unbounded following")
        kind = self.one("rows", "range", "groups")
        return self.one("", f" {kind} between {bound} and {end}", f" rows {bound}",
                        f" {kind} between {bound} and {end} exclude {self.one('current row', 'group', 'ties', 'no others')}")

    def window(self, depth):
        if self.rng.random() < 0.2:
            return "w"
        inside = []
        if self.rng.random() < 0.6:
            inside.append("partition by " + self.expressions(depth, 2))
        if self.rng.random() < 0.6:
            inside.append("order by " + self.many(lambda: self.sort(depth), 2) + self.frame())
        return "(" + " ".join(inside) + ")"

    def aggregate(self, depth):
        call = self.one("count(*)", f"sum({self.expression(depth)})", f"count(distinct {self.expression(depth)})",
                        f"string_agg({self.expression(depth)}, ',' order by {self.sort(depth)})", f"max(all {self.expression(depth)})",
                        f"percentile_cont(0.5) within group (order by {self.sort(depth)})",
                        *([f"first({self.expression(depth)} ignore nulls)", f"arg_max(a, b)"] if self.duck else []))
        call += self.maybe(lambda: f" filter (where {self.expression(depth)})", 0.2)
        return call + self.maybe(lambda: f" over {self.window(depth)}", 0.3)

    def special(self, depth):
        e = lambda: self.expression(depth)  # noqa: E731
        own = [lambda: f"[{e()}, {e()}]", lambda: f"{{'a': {e()}, b: {e()}}}", lambda: f"map {{{e()}: {e()}}}",
               lambda: f"list_transform({e()}, x -> {e()})", lambda: f"[{e()} for x in {e()} if {e()}]", lambda: f"try_cast({e()} as {self.type()})",
               lambda: f"({e()})[1:2]", lambda: f"list_filter(a, lambda x, y: {e()})", lambda: "columns('a.*')", lambda: f"struct_pack(a := {e()})",
               lambda: f"({e()}).f({e()})", lambda: "#1", lambda: f"interval ({e()}) day", lambda: "a.b.c.d", lambda: f"array[{e()}]",
               lambda: f"{e()} ->> '$.a'", lambda: f"a[-1]", lambda: "(a).b.c"] if self.duck else [
            lambda: f"overlay({e()} placing 'x' from 2 for 1)", lambda: f"position('x' in {self.column()})", lambda: "json_object('a': 1, 'b' value 2)",
            lambda: f"a operator(pg_catalog.+) b", lambda: "(a).b", lambda: "(a).*", lambda: f"array[{e()}, {e()}]", lambda: f"({e()})[1]",
            lambda: f"xmlelement(name x, {e()})", lambda: f"f(variadic {e()})", lambda: "f(a => 1, b := 2)", lambda: f"{self.column()} is json object",
            lambda: "json_value(a, '$.b' returning int null on empty)", lambda: f"row({e()}, 1)", lambda: f"{self.column()} is normalized",
            lambda: "collation for ('x')", lambda: "normalize(a, nfc)", lambda: f"any_value({e()})", lambda: "(a).b[1].c", lambda: "json_array(1, 2 null on null)",
            lambda: f"coalesce({e()}, 1)", lambda: f"extract('year' from {self.column()})", lambda: "json_arrayagg(a order by b)", lambda: "(a, b) overlaps (c, d)",
            lambda: "substring(a similar 'x' escape '#')", lambda: f"a = any ({e()})", lambda: f"a < all (array[1, 2])"]
        return self.rng.choice([
            lambda: f"case when {e()} then {e()} else {e()} end", lambda: f"case {e()} when 1 then {e()} end",
            lambda: f"cast({e()} as {self.type()})", lambda: f"{self.column()}::{self.type()}", lambda: f"extract(year from {self.column()})",
            lambda: f"substring({e()} from 1 for 2)", lambda: f"trim(both 'x' from {e()})", lambda: f"trim({e()})",
            lambda: f"exists ({self.query(depth)})", lambda: f"({self.query(depth)})", lambda: f"a in ({self.query(depth)})",
            lambda: f"a = any ({self.query(depth)})", lambda: f"array({self.query(depth)})", lambda: f"a in ({self.expressions(depth)})",
            lambda: f"({e()}, {e()}) = ({e()}, {e()})", lambda: f"f({self.expressions(depth)})", lambda: f"s.f({e()})", lambda: "f()",
            lambda: f"a collate \"C\"", lambda: f"{self.column()} at time zone 'UTC'", lambda: f"({e()})", *own])()

    OPERATORS = "+ - * / % || = <> != < > <= >= and or and or".split()

    def expression(self, depth):
        roll = self.rng.random()
        if depth <= 0 or roll < 0.3:
            return self.one(self.column(), self.literal(), self.column())
        if roll < 0.55:
            return f"{self.operand(depth)} {self.one(*self.OPERATORS)} {self.operand(depth)}"
        if roll < 0.65:
            return self.test(depth)
        if roll < 0.7:
            return self.one("not ", "- ", "+ ") + self.operand(depth)
        if roll < 0.8:
            return self.aggregate(depth - 1)
        return self.special(depth - 1)

    def operand(self, depth):
        return self.one(self.column(), self.literal(), f"({self.expression(depth - 1)})")

    def test(self, depth):
        x, y = self.operand(depth), self.operand(depth)
        no = self.one("", " not")
        return self.one(f"{x} is{no} null", f"{x} is{no} true", f"{x} is{no} distinct from {y}", f"{x}{no} between {y} and 2",
                        f"{x}{no} in (1, {y})", f"{x}{no} like {y}", f"{x}{no} ilike {y} escape '#'", f"{x}{no} similar to {y}",
                        f"{x} ~ {y}", f"{x} isnull", f"{x} notnull", f"{x} is unknown" if not self.duck else f"{x} glob {y}")

    def alias(self, share=0.5):
        return self.maybe(lambda: self.one(" as ", " ") + self.one("u", "v", "w1", '"A b"'), share)

    def source(self, depth):
        if depth > 0 and self.rng.random() < 0.35:
            return self.rng.choice([
                lambda: f"({self.query(depth - 1)}) as q{self.one('', '(c1, c2)')}", lambda: f"lateral ({self.query(depth - 1)}) l",
                lambda: f"({self.joined(depth - 1)})", lambda: f"({self.joined(depth - 1)}) as j" if not self.duck else "(t join u on a = b)",
                lambda: "(values (1, 2), (3, 4)) as v(a, b)", lambda: f"(({self.query(depth - 1)})) z"])()
        own = ["'file.csv'", "range(3)", "t tablesample 10%", "positional_t", "(from t) f", "u: t", "read_csv('x', header = true)",
               "(pivot t on a using sum(b)) p"] if self.duck else [
            "only t", "t *", "rows from (f(1), g(2)) as r", "f(1) as (a int, b text)", "f(1) with ordinality as o(a, n)", "t tablesample system (1) repeatable (2)",
            "xmltable('/a' passing b columns c int) x", "json_table(a, '$[*]' columns (b int path '$.b')) j"]
        return self.one("t", "s.t", "d.s.t", '"T"', "t as x", "t y", "generate_series(1, 3) as g(n)", "unnest(array[1, 2]) with ordinality as u(a, n)", *own)

    def joined(self, depth):
        text = self.source(depth)
        for _ in range(self.rng.randint(1, 3)):
            right = self.source(depth)
            kind = self.one("join", "inner join", "left join", "left outer join", "right join", "full outer join",
                            *(["semi join", "anti join", "asof join", "asof left join"] if self.duck else []))
            text += self.rng.choice([
                lambda: f" {kind} {right} on {self.expression(depth)}", lambda: f" {kind} {right} using (a, b)", lambda: f" cross join {right}",
                lambda: f" natural {self.one('', 'left ')}join {right}", lambda: f" join ({right} join t2 on true) on {self.expression(0)}",
                lambda: f" join {right} join t3 on a = b on c = d" if not self.duck else f" positional join {right}"])()
        return text

    def star(self):
        own = ["* exclude (a)", "* replace (a + 1 as a)", "t.* exclude (a, b)", "* exclude a", "* rename (a as b)", "* like 'a%'", "* exclude (a) replace (1 as b)"]
        return self.one("*", "t.*", "s.t.*", *(own if self.duck else []))

    def item(self, depth):
        if self.rng.random() < 0.15:
            return self.star()
        if self.duck and self.rng.random() < 0.05:
            return f"k: {self.expression(depth)}"
        return self.expression(depth) + self.one("", "", " as v", " w", ' "Z"', " as date", " as value", " as order")

    def group_item(self, depth):
        return self.one(self.expression(depth - 1), "1", "()", "rollup (a, (b, c))", "cube (a, b)", "grouping sets ((a, b), a, ())",
                        "grouping sets (rollup (a), cube (b, c))", "(a, b)")

    def select(self, depth):
        text = "select " + self.one("", "", "", "distinct ", "all ", f"distinct on ({self.expression(0)}) ") + self.many(lambda: self.item(depth))
        if self.rng.random() < 0.8:
            text += " from " + self.many(lambda: self.one(self.source(depth), self.joined(depth) if depth > 0 else "t"), 2)
        elif self.duck and self.rng.random() < 0.3:
            text = self.one("from t", "from t select a", "from t select distinct a, b")
        text += self.maybe(lambda: f" where {self.expression(depth)}")
        grouped = ["all"] if self.duck else ["distinct a, rollup (b)"]
        text += self.maybe(lambda: " group by " + self.one(self.many(lambda: self.group_item(depth)), *grouped))
        text += self.maybe(lambda: f" having {self.expression(depth)}", 0.15)
        text += self.maybe(lambda: " window w as (partition by a order by b), v as (w)", 0.1)
        if self.duck:
            text += self.maybe(lambda: f" qualify {self.aggregate(depth)} = 1", 0.1)
            text += self.maybe(lambda: self.one(" using sample 10%", " using sample 5 rows", " using sample reservoir(20 rows) repeatable (1)"), 0.05)
        return text

    def ends(self, depth):
        order = self.maybe(lambda: " order by " + self.one(self.many(lambda: self.sort(depth)), *(["all", "all desc"] if self.duck else ["a using >"])), 0.3)
        limits = [" limit 1", " limit 1 offset 2", " offset 3", " limit (1 + 1)"]
        limits += [" limit 10%", " limit 5 percent"] if self.duck else [" limit all", " fetch first 2 rows only", " offset 1 row fetch next row only",
                                                                       " fetch first 3 rows with ties", " offset 2 limit 1"]
        text = order + self.maybe(lambda: self.one(*limits), 0.2)
        return text if self.duck else text + self.maybe(lambda: self.one(" for update", " for no key update of t nowait", " for share skip locked"), 0.05)

    def core(self, depth):
        roll = self.rng.random()
        if roll < 0.07:
            return "values (1, 'a'), (2, 'b')"
        if roll < 0.1:
            return "table t"
        if depth > 0 and roll < 0.2:
            return f"({self.query(depth - 1)})"
        return self.select(depth)

    def query(self, depth):
        text = ""
        if depth > 0 and self.rng.random() < 0.2:
            extra = self.one("", "", " materialized", " not materialized")
            head = self.one("q", "q (a, b)", '"Q"')
            text = f"with {self.one('', 'recursive ')}{head} as{extra} ({self.query(depth - 1)})" + self.maybe(lambda: f", q2 as ({self.select(0)})") + " "
        text += self.core(depth)
        while self.rng.random() < 0.2:
            text += " " + self.one("union", "union all", "intersect", "except", "except all", "union distinct", "intersect all",
                                   *(["union by name", "union all by name"] if self.duck else [])) + " " + self.core(depth)
        return text + self.ends(depth)

    def statement(self):
        depth = self.rng.randint(0, 3)
        roll = self.rng.random()
        if roll < 0.85:
            return self.query(depth)
        query = self.query(1)
        own = [f"create or replace table t as {query}", "pivot t on a using sum(b) group by c", "unpivot t on a, b into name n value v",
               f"insert or replace into t {query}", "pivot t on a in (1, 2), b using sum(c) as s, max(d)"] if self.duck else [
            f"create materialized view v as {query}", f"create unlogged table t (a, b) as {query} with no data", f"with d as (delete from t returning *) {self.select(0)}",
            f"insert into t (a) {query} on conflict (a) do nothing returning *", f"explain analyze {self.select(0)}",
            f"merge into t using ({query}) s on t.a = s.a when matched then do nothing when not matched then insert values (1)"]
        return self.one(f"create table t as {query}", f"create view v as {query}", f"insert into t {query}", "drop table if exists t",
                        f"create temporary table if not exists t as {query}", "update t set a = 1 where b = 2", f"insert into t (a, b) {query}",
                        "create table t (a int primary key, b text not null default 'x' unique, check (a > 0), foreign key (b) references u (c))", *own)


# ---------------------------------------------------------------- engines


class Postgres:
    name = "postgres"

    def __init__(self):
        import pglast

        self.pglast = pglast

    def accepts(self, text):
        try:
            self.pglast.parse_sql(text)
        except self.pglast.parser.ParseError as error:
            return str(error)
        return None

    def meaning(self, expression):
        return strip(json.loads(self.pglast.parser.parse_sql_json(f"select {expression}")))


class DuckDB:
    name = "duckdb"

    def __init__(self):
        import duckdb

        self.error, self.connection = duckdb.Error, duckdb.connect()

    def accepts(self, text):
        try:
            self.connection.extract_statements(text)
        except self.error as error:
            return str(error).split("\n")[0]
        return None

    def meaning(self, expression):
        answer = json.loads(self.connection.execute("select json_serialize_sql(?)", [f"select {expression}"]).fetchone()[0])
        if answer["error"]:
            raise ValueError(answer["error_message"])
        return strip(answer)


def strip(tree):
    """The tree without places and the spelling of conjunctions: (a and b) and c is a and b and c."""
    if isinstance(tree, list):
        return [strip(item) for item in tree]
    if not isinstance(tree, dict):
        return tree
    tree = {key: strip(value) for key, value in tree.items() if key not in ("location", "query_location", "query_location_length", "stmt_len",
                                                                             "list_start", "list_end", "rexpr_list_start", "rexpr_list_end")}
    flat = flatten(tree, "BoolExpr", "args", "boolop") or tree
    if flat.get("class") == "CONJUNCTION":
        children = []
        for child in flat["children"]:
            children += child["children"] if child.get("type") == flat["type"] and child.get("class") == "CONJUNCTION" else [child]
        flat = dict(flat, children=children)
    return flat


def flatten(tree, kind, list_key, op_key):
    node = tree.get(kind)
    if not node:
        return None
    args = []
    for arg in node[list_key]:
        inner = arg.get(kind)
        args += inner[list_key] if inner and inner[op_key] == node[op_key] and node[op_key] != "NOT_EXPR" else [arg]
    return {kind: dict(node, **{list_key: args})}


# ---------------------------------------------------------------- what binds tighter


def operators(rng, duck):
    """An expression whose meaning depends on how operators bind."""
    binary = ["+", "-", "*", "/", "%", "||", "=", "<>", "<", ">=", "and", "or", "^", "|", "&", "<<", ">>", "->>", "@>", "like", "not like", "similar to",
              "is distinct from", "ilike"]
    binary += ["//", "**", "->", "glob"] if duck else ["#>", "~", "!~*", "&&", "<->", "operator(pg_catalog.+)", "->", "collate x ||"]
    text = rng.choice("abc")
    tested = False  # DuckDB lets arithmetic follow a test, and then binds it by rules of its own: left out
    for _ in range(rng.randint(2, 4)):
        roll = 1 if duck and tested else rng.random()
        if roll < 0.08:
            suffix = rng.choice([" is null", " is not true", "::int", " isnull", "[1]"])
            text, tested = text + suffix, suffix.startswith(" is")
        elif roll < 0.14:
            text += " between 1 and " + rng.choice("abc")
            tested = True
        elif roll < 0.2:
            text += rng.choice([" in (1, 2)", " not in (a)"])
            tested = True
        else:
            text += f" {rng.choice(['and', 'or'] if duck and tested else binary)} " + rng.choice(["", "", "", "- ", "not "]) + rng.choice("abc")
            tested = duck and bool({"like", "ilike", "glob", "to"} & set(text.split()[-4:]))
    return rng.choice(["", "", "not ", "- "]) + text


class Run:
    def __init__(self, batch, engine, rng, show):
        self.batch, self.engine, self.rng, self.show = batch, engine, rng, show
        self.passed = self.failed = 0

    def fail(self, text):
        self.failed += 1
        if self.failed <= self.show:
            print("FAIL", self.engine.name, text)

    def explained(self, text):
        return any(words in text for words in ACCEPTED_BY_ENGINE_ONLY[self.engine.name])

    def statements(self, count):
        grammar = Grammar(self.rng, self.engine.name == "duckdb")
        texts = [grammar.statement() for _ in range(count)]
        theirs = [self.engine.accepts(text) for text in texts]
        ours = sql_texts.ask(self.batch, "check", [(self.engine.name, text) for text in texts])
        both = only_ours = neither = explained = 0
        for text, refused, answer in zip(texts, theirs, ours):
            good = answer.startswith("ok ")
            if answer.startswith("differs"):
                self.fail(f"{text}\n    {answer}")
            elif refused is None and not good:
                if self.explained(text):
                    explained += 1
                else:
                    self.fail(f"{text}\n    {answer}")
                continue
            both += refused is None and good
            only_ours += refused is not None and good
            neither += refused is not None and not good
            self.passed += 1
        print(f"{self.engine.name}: of {len(texts)} statements both accept {both}, both refuse {neither}, only we accept {only_ours}, "
              f"only the engine accepts {self.failed} and {explained} with a known reason")

    def grouped(self, expressions):
        """Ours with all brackets; None where we do not parse it."""
        done = subprocess.run([str(self.batch), "group"], stdout=subprocess.PIPE, check=True,
                              input=sql_texts.records([(self.engine.name, f"select {e}") for e in expressions]))
        data, at, answers = done.stdout, 0, []
        for _ in expressions:
            end = data.index(b"\n", at)
            line = data[at:end].decode()
            at = end + 1
            if line.startswith("ok "):
                size = int(line[3:])
                answers.append(data[at:at + size].decode())
                at += size + 1
            else:
                answers.append(None)
        return answers

    def precedence(self, count):
        duck = self.engine.name == "duckdb"
        expressions = [operators(self.rng, duck) for _ in range(count)]
        compared = refused = 0
        for expression, ours in zip(expressions, self.grouped(expressions)):
            if self.engine.accepts(f"select {expression}") is not None:
                refused += 1
                continue
            if ours is None:
                self.fail(f"select {expression}: we refuse it")
                continue
            try:
                same = self.engine.meaning(expression) == self.engine.meaning(ours)
            except Exception as error:  # what the engine thinks of our text
                self.fail(f"{expression}\n    {ours}\n    {error}")
                continue
            compared += 1
            if same:
                self.passed += 1
            else:
                self.fail(f"{expression}\n    {ours}")
        print(f"{self.engine.name}: of {count} expressions {compared} compared, {refused} refused by the engine")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--batch", required=True, type=pathlib.Path)
    parser.add_argument("--statements", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=20)
    options = parser.parse_args()
    passed = failed = skipped = 0
    for make in (Postgres, DuckDB):
        try:
            engine = make()
        except ImportError as error:
            skipped += 1
            print(f"SKIP {make.name}: {error}")
            continue
        run = Run(options.batch, engine, random.Random(options.seed), options.show)
        run.statements(options.statements)
        run.precedence(options.statements // 3)
        passed += run.passed
        failed += run.failed
    suite.finish(passed, failed, skipped)


if __name__ == "__main__":
    main()
