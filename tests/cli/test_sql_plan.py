#!/usr/bin/env python3
"""test_sql_plan.py - `lakeproof sql plan`: documents, declarations, errors, exit codes, limits.

Called by: ctest, or by hand: test_sql_plan.py --binary build/dev/lakeproof [--only NAME].  Must not know: how names are found.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from suite import equal, holds, run  # noqa: E402
import logs  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--binary", required=True)
parser.add_argument("--only")
options = parser.parse_args()
SLOW = b"__asan_init" in pathlib.Path(options.binary).read_bytes()
FOLDER = tempfile.TemporaryDirectory()
DDL = str(pathlib.Path(FOLDER.name) / "tables.sql")
pathlib.Path(DDL).write_text("create table t (k int primary key, v text, n numeric(9, 2) not null);\n"
                             "create table u (k int, w text);\n")


def plan(text, *arguments):
    return subprocess.run([options.binary, "sql", "plan", "-", *arguments], input=text.encode(), capture_output=True, timeout=300)


def tree(text, *arguments):
    done = plan(text, *arguments)
    equal((done.returncode, done.stderr), (0, b""), text)
    return done.stdout.decode()


def document(text, *arguments):
    return json.loads(tree(text, "--format", "json", *arguments))


def test_the_tree_stands_as_the_author_wrote_it():
    equal(tree("select v as name from t where k > 1", "--ddl", DDL),
          "result NAME=#1\nproject [v#1] 1:8\n  filter WHERE k#0 > 1 [k#0, v#1, n#2] 1:31\n    scan t [k#0, v#1, n#2] 1:23\n")


def test_undeclared_relations_are_open():
    equal(tree("select * from x where x.a = 1", "--dialect", "duckdb"),
          "result ...\nproject [...] 1:8\n  filter WHERE a#0 = 1 [a#0, ...] 1:23\n    scan x undeclared [a#0, ...] 1:15\n")


MANIFEST = {"metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json", "adapter_type": "snowflake"},
            "nodes": {"model.shop.orders": {"resource_type": "model", "unique_id": "model.shop.orders", "package_name": "shop",
                                            "name": "orders", "relation_name": "db.s.orders", "columns": {"id": {"name": "id"}}}}}


def project_folder(name, manifest, catalog=None):
    folder = pathlib.Path(FOLDER.name) / name
    (folder / "target").mkdir(parents=True)
    (folder / "dbt_project.yml").write_text("name: shop\n")
    (folder / "target" / "manifest.json").write_text(json.dumps(manifest))
    if catalog:
        (folder / "target" / "catalog.json").write_text(json.dumps(catalog))
    return str(folder)


def test_a_dbt_project_declares_its_relations():
    folder = project_folder("open", MANIFEST)
    equal(tree("select id, x from db.s.orders", "--manifest", folder),
          "result ID=#0, X=#1\nproject [id#0, x#1] 1:8\n  scan db.s.orders [id#0, x#1, ...] 1:19\n")
    columns = {n: {"name": n, "type": "TEXT", "index": i} for i, n in enumerate(["ID", "Odd"])}
    closed = project_folder("closed", MANIFEST, {"nodes": {"model.shop.orders": {"columns": columns}}})
    equal([c["name"] for c in document("select * from orders", "--manifest", closed)["statements"][0]["plan"]["result"]], ["ID", "Odd"])
    for place in (closed, closed + "/target", closed + "/target/manifest.json"):
        done = plan("select odd from db.s.orders", "--manifest", place)
        equal(done.returncode, 1, place)
        holds(b"no column odd" in done.stderr, done.stderr)


def test_the_ddl_goes_before_the_project():
    folder = project_folder("both", MANIFEST)
    ddl = pathlib.Path(FOLDER.name) / "orders.sql"
    ddl.write_text("create table orders (k int)")
    holds("scan orders [k#0]" in tree("select k from orders", "--manifest", folder, "--ddl", str(ddl)), "the table of the DDL is closed")
    ddl.write_text("create table x.orders (k int)")
    holds("[id#0, k#1, ...]" in tree("select k from db.s.orders", "--manifest", folder, "--ddl", str(ddl)), "the model is open")


def test_a_project_that_cannot_be_read_is_an_error():
    folder = pathlib.Path(FOLDER.name) / "bare"
    folder.mkdir()
    (folder / "dbt_project.yml").write_text("")
    done = plan("select 1", "--manifest", str(folder))
    equal((done.returncode, done.stdout), (1, b""))
    holds(b"run `dbt compile`" in done.stderr, done.stderr)
    old = MANIFEST | {"metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v7.json"}}
    done = plan("select 1", "--manifest", project_folder("old", old))
    equal(done.returncode, 1)
    holds(b"found v7" in done.stderr, done.stderr)
    done = subprocess.run([options.binary, "sql", "parse", "-", "--manifest", str(folder)], input=b"select 1", capture_output=True)
    equal(done.returncode, 2)


def test_every_statement_has_its_plan():
    found = document("drop table a; create table b as select 1 as x; insert into c select k from t", "--ddl", DDL)["statements"]
    equal([s["statement"] for s in found], ["DROP TABLE", "CREATE TABLE", "INSERT INTO"])
    equal([s["plan"] and [r["name"] for r in s["plan"]["result"]] for s in found], [None, ["X"], ["K"]])
    holds(tree("drop table a; select 1").startswith("no query in DROP TABLE 1:1\n\nresult "), "")


def test_columns_tell_what_is_declared_and_where_they_come_from():
    found = document("with c as (select n, upper(v) as up from t) select n, up from c", "--ddl", DDL, "--dialect", "postgres")
    shown = found["statements"][0]["plan"]
    column = [shown["columns"][r["column"]] for r in shown["result"]]
    equal([c["origin"] for c in column], ["copy", "copy"])
    inside = [shown["columns"][c["sources"][0]] for c in column]
    equal([(c["origin"], c["declared_type"], c["declared_not_null"], c["definition"]) for c in inside],
          [("base", "NUMERIC(9,2)", True, None), ("expression", None, False, "upper(v#1)")])


def test_places_count_code_points_and_lines():
    shown = document("select 'ä', v\n  from t where v = '1'", "--ddl", DDL, "--dialect", "postgres")["statements"][0]["plan"]
    equal(shown["result"][1]["place"], {"line": 1, "column": 13, "length": 1})
    condition = next(n for n in shown["nodes"] if n["kind"] == "filter")["detail"]["conditions"][0]
    equal(condition, {"place": {"line": 2, "column": 16, "length": 7}, "text": "v#1 = '1'"})


def test_wrong_names_of_all_statements_are_told():
    done = plan("select nope from t;\nselect k from t, u;\nselect 1;\nselect k from t union select k, w from u", "--ddl", DDL)
    equal((done.returncode, done.stdout), (1, b""))
    shown = done.stderr.decode()
    equal(shown.count("error: "), 3, shown)
    equal(shown.splitlines()[:3], ["error: line 1, column 8: no column nope", "  select nope from t;", "         ^^^^"])
    holds("line 2, column 8" in shown and "line 4, column" in shown, shown)


def test_wrong_syntax_is_told_alone():
    done = plan("select from from; select nope from t", "--ddl", DDL)
    equal((done.returncode, done.stdout, done.stderr.count(b"error: ")), (1, b"", 1), done.stderr)


def test_wrong_declarations_are_told_as_such():
    bad = pathlib.Path(FOLDER.name) / "bad.sql"
    bad.write_text("create table t (k int, primary key (z))")
    done = plan("select 1", "--ddl", str(bad))
    equal((done.returncode, done.stdout), (1, b""))
    holds(b"In the declarations: line 1, column 37" in done.stderr, done.stderr)
    done = plan("select 1", "--ddl", "/no/such/file")
    equal((done.returncode, done.stdout), (1, b""))
    holds(b"/no/such/file" in done.stderr, done.stderr)


def test_usage():
    done = subprocess.run([options.binary, "sql", "parse", "-", "--ddl", DDL], input=b"", capture_output=True, timeout=60)
    equal((done.returncode, done.stdout), (2, b""))
    holds(b"sql plan" in done.stderr, done.stderr)
    equal(plan("", "--ddl", "-").returncode, 2)
    equal(tree(""), "")


def wide(unit, count, join):
    return join.join(unit.format(i) for i in range(count))


def delta_table(name, *fields):
    folder = pathlib.Path(FOLDER.name) / name / "_delta_log"
    folder.mkdir(parents=True)
    actions = [logs.protocol(), logs.metadata(list(fields), partition=())]
    (folder / ("0" * 20 + ".json")).write_text("".join(json.dumps(a) + "\n" for a in actions))
    return str(folder.parent)


def test_a_delta_table_declares_the_columns_of_its_schema():
    point = {"type": "struct", "fields": [logs.field("x", "double")]}
    orders = delta_table("orders=1", {**logs.field("Id", "long"), "nullable": False}, logs.field("amount", "decimal(10,2)"),
                         logs.field("at", point))
    given = ("--table", f"shop.orders={orders}", "--dialect", "spark")
    shown = document("select *, at.x from shop.orders", *given)["statements"][0]["plan"]
    equal([(r["name"], shown["columns"][r["column"]]["declared_type"], shown["columns"][r["column"]]["declared_not_null"])
           for r in shown["result"]],
          [("Id", "long", True), ("amount", "decimal(10,2)", False), ("at", "struct<x: double>", False), ("x", None, False)])
    holds(not shown["nodes"][0]["open"], shown)
    done = plan("select ID, nope from orders", *given)
    equal((done.returncode, done.stderr.decode().splitlines()[0]), (1, "error: line 1, column 12: no column nope"))
    holds("scan other.orders undeclared" in tree("select * from other.orders", *given), "a table of another schema")
    holds("scan a.shop.orders [" in tree("select * from a.shop.orders", *given), "more parts than were declared")


def test_delta_tables_and_declarations_go_together():
    own = delta_table("own", logs.field("k", "long"), logs.field("z", "long"))
    both = tree("select t.z, u.w from t join u using (k)", "--ddl", DDL, "--table", f"t={own}", "--table", f"s.v={own}")
    holds(both.startswith("result Z=#1, W=#3\n"), both)
    equal(plan("select v from t", "--ddl", DDL, "--table", f"t={own}").returncode, 1)


def test_wrong_tables_are_told():
    own = delta_table("wrong", logs.field("k", "long"))
    for given, code, words in [("orders", 2, "--table expects NAME=TABLE, found 'orders'"),
                               (f"={own}", 2, "'' is no name of a table"), (f"a b={own}", 2, "'a b' is no name of a table"),
                               (f"t; select 1={own}", 2, "is no name of a table"), ("t=/no/such/folder", 1, "/no/such/folder")]:
        done = plan("select 1", f"--table={given}")
        equal((done.returncode, done.stdout), (code, b""), given)
        holds(words in done.stderr.decode(), done.stderr)
    done = subprocess.run([options.binary, "sql", "print", "-", "--table", f"t={own}"], input=b"", capture_output=True, timeout=60)
    equal((done.returncode, b"'--table' belongs to 'sql plan'" in done.stderr), (2, True))


def test_what_is_long_or_deep_has_an_answer():
    n = 2_000 if SLOW else 10_000
    texts = ["select " + wide("a{0} as b{0}", n, ", ") + " from t",
             "select 1 from t where " + wide("a = {0}", n, " or "),
             wide("select {0}", n, " union all "),
             "select 1 from t0 " + wide("join u{0} on u{0}.a = t0.a", n // 10, " "),
             "select 1 from " + wide("t{0}", n, ", "),
             "with " + wide("a{0} as (select 1 as x)", n, ", ") + " select x from a0",
             "with a0 as (select 1 as x), " + wide("b{0} as (select x from a0)", n, ", ") + " select 1",
             "values " + wide("({0}, 'x')", n, ", "),
             "from t " + wide("|> where a = {0}", n, " "),
             "from t " + wide("|> extend {0} as c{0}", n // 10, " "),
             "select 1 as a, " + wide("a + {0} as c{0}", n, ", "),
             "select " + wide("sum(a{0})", n, ", ") + " from t group by b",
             "select * from t where a in (select 1)" + " and a in (select 1)" * (n // 10),
             "select * from (" * 300 + "select 1 as x" + ") t" * 300,
             "select (" * 300 + "select 1" + ")" * 300]
    for text in texts:
        for form in ("text", "json"):
            done = plan(text, "--dialect", "snowflake" if " + 0 as" in text else "bigquery", "--format", form)
            equal((done.returncode, done.stderr[:300]), (0, b""), text[:60])


def test_aliases_that_double_are_refused_before_they_are_long():
    doubled = "select k + k as b0, " + wide("b{0} + b{0} as c{0}", 1, "") + "".join(
        f", {'c0' if i == 0 else f'd{i}'} + {'c0' if i == 0 else f'd{i}'} as d{i + 1}" for i in range(60)) + " from t"
    done = plan(doubled, "--dialect", "snowflake", "--ddl", DDL)
    equal((done.returncode, done.stdout), (1, b""))
    holds(b"aliases of aliases" in done.stderr, done.stderr)


run(globals(), options.only)
