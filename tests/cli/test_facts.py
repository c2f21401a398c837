#!/usr/bin/env python3
"""test_facts.py - `lakeproof facts --sql`: documents, reasons, errors, exit codes.

Called by: ctest, or by hand: test_facts.py --binary build/dev/lakeproof [--only NAME].  Must not know: how facts are proved.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from suite import Skip, equal, holds, run  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--binary", required=True)
parser.add_argument("--only")
options = parser.parse_args()
FOLDER = tempfile.TemporaryDirectory()
DDL = str(pathlib.Path(FOLDER.name) / "tables.sql")
pathlib.Path(DDL).write_text("create table orders (order_id int primary key, customer_id int not null, day date, fee numeric(9, 2));\n"
                             "create table items (order_id int references orders, line int, amount numeric(9, 2),\n"
                             "                    primary key (order_id, line));\n")
JOIN = "select i.order_id, i.line, i.amount, o.fee\n  from orders o join items i on o.order_id = i.order_id"


def facts(text, *arguments, ddl=True):
    return subprocess.run([options.binary, "facts", "--sql", "-", "--dialect", "postgres", *(["--ddl", DDL] if ddl else []), *arguments],
                          input=text.encode(), capture_output=True, timeout=300)


def shown(text, *arguments, **more):
    done = facts(text, *arguments, **more)
    equal((done.returncode, done.stderr), (0, b""), text)
    return done.stdout.decode()


def document(text, *arguments, **more):
    return json.loads(shown(text, "--format", "json", *arguments, **more))


def test_keys_and_dependencies_of_a_join():
    found = document(JOIN)
    equal((found["status"], found["reason"], found["columns"]), ("known", None, ["order_id", "line", "amount", "fee"]))
    equal(found["keys"], [["order_id", "line"]])
    holds([["order_id"], ["fee"]] in found["fds"], found["fds"])
    equal(found["rows"], {"max": None, "min": 0})
    equal(found["model"], None)


def test_a_fact_has_its_chain_outermost_first_and_its_origin():
    key = next(f for f in document(JOIN)["facts"] if f["kind"] == "key")
    equal(key["evidence"][0], "one-to-many join on order_id")
    equal(set(key["evidence"][1:]), {"key of orders from PRIMARY KEY", "key of items from PRIMARY KEY"})
    equal(key["origin"], "PRIMARY KEY")
    equal([lean["origin"] for lean in key["leans_on"]], ["PRIMARY KEY"] * 2)
    grouped = next(f for f in document("select day, count(*) as n from orders group by day")["facts"] if f["kind"] == "key")
    equal((grouped["evidence"], grouped["origin"], grouped["leans_on"]), (["GROUP BY day"], "the SQL itself", []))


def test_native_grains_and_the_join_that_repeats():
    grain = {g["column"]: g for g in document(JOIN)["grains"]}
    equal(grain["fee"]["native_grain"], ["order_id"])
    repeated = grain["fee"]["repeated_by"]
    equal([(j["cardinality"], j["text"], j["place"]) for j in repeated],
          [("one-to-many", "o.order_id = i.order_id", {"column": 33, "length": 23, "line": 2})])
    equal(grain["amount"]["repeated_by"], [])


def test_text_is_a_fact_a_line():
    lines = shown(JOIN).splitlines()
    holds(lines[0].split() == ["status", "known"], lines)
    holds(any(line.split()[:3] == ["key", "order_id,", "line"] and "because one-to-many join on order_id; key of" in line
              for line in lines), lines)


def test_a_tree_has_every_operator():
    found = document(JOIN, "--tree")
    equal([n["kind"] for n in found["nodes"]].count("scan"), 2)
    equal(found["nodes"][found["root"]]["keys"], [["order_id", "line"]])
    scan = next(n for n in found["nodes"] if n["kind"] == "scan" and "line" in n["columns"])
    equal(scan["keys"], [["order_id", "line"]])
    text = shown(JOIN, "--tree")
    holds("scan orders" in text and "key                     order_id#0" in text, text)


def test_what_is_unknown_is_no_failure():
    found = document("select * from orders, unnest(array[1, 2]) as u(x)")
    equal(found["status"], "unknown")
    holds(found["reason"] and found["place"]["line"] == 1, found)
    nothing = document("select * from somewhere", ddl=False)
    holds(nothing["status"] in ("unknown", "partial") or nothing["keys"] == [], nothing)
    equal(nothing["open"], True)


def test_repeated_names_have_their_position():
    equal(document("select o.order_id, i.order_id from orders o join items i on o.order_id = i.order_id")["columns"],
          ["order_id#1", "order_id#2"])


def test_names_of_the_author_do_no_harm():
    text = shown('select order_id as "a\nb" from orders')
    holds("a\\nb" in text, text)
    equal(document('select order_id as "a\nb" from orders')["columns"], ["a\nb"])


def test_wrong_sql_leaves_standard_output_empty():
    for text, message in (("select from", b"line 1, column 12"), ("select nope from orders", b"no column nope"),
                          ("select 1; select 2", b"expected one query"), ("", b"expected one query"), ("drop table x", b"expected one query")):
        done = facts(text)
        equal((done.returncode, done.stdout), (1, b""), text)
        holds(message in done.stderr, done.stderr)
    bad = pathlib.Path(FOLDER.name) / "bad.sql"
    bad.write_text("create table t (k int, primary key (z))")
    done = facts("select 1", "--ddl", str(bad), ddl=False)
    equal((done.returncode, done.stdout), (1, b""))
    holds(b"In the declarations" in done.stderr, done.stderr)


def test_usage():
    for arguments in ([], ["--sql", "-", "--format", "xml"], ["--sql", "-", "--ddl", "-"], ["model", "--sql", "-"], ["--sql", "-", "--tree", "--tree"]):
        done = subprocess.run([options.binary, "facts", *arguments], input=b"", capture_output=True, timeout=60)
        equal((done.returncode, done.stdout), (2, b""), arguments)
    done = subprocess.run([options.binary, "facts", "--sql", "/no/such/file"], capture_output=True, timeout=60)
    equal((done.returncode, done.stdout), (1, b""))


def keys_are_sorted(value):
    if isinstance(value, dict):
        equal(list(value), sorted(value))
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        keys_are_sorted(inner)


def test_documents_follow_their_schema():
    try:
        import jsonschema
    except ImportError as error:
        raise Skip("no jsonschema") from error
    schema = json.loads((pathlib.Path(__file__).resolve().parents[2] / "schemas/facts-report.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    queries = [JOIN, "select 1 as x", "select day, sum(fee) from orders group by day", "select * from orders, unnest(array[1]) as u(x)",
               "select * from orders o left join items i using (order_id) where o.day is not null limit 3",
               "select *, row_number() over (partition by day order by order_id) from orders", "values (1, null), (2, 'x')",
               "select order_id from orders union all select order_id from items", "select distinct day from orders"]
    for query in queries:
        for arguments in ((), ("--tree",)):
            found = document(query, *arguments)
            validator.validate(found)
            keys_are_sorted(found)
    broken = document(JOIN)
    for break_it in (lambda d: d.update(other=1), lambda d: d.pop("keys"), lambda d: d["facts"][0].pop("evidence")):
        copy = json.loads(json.dumps(broken))
        break_it(copy)
        holds(not validator.is_valid(copy), copy)


run(globals(), options.only)
