#!/usr/bin/env python3
"""test_sql.py - `lakeproof sql`: documents, errors, exit codes, limits.

Called by: ctest, or by hand: test_sql.py --binary build/dev/lakeproof [--only NAME].  Must not know: how the library works.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from suite import Skip, equal, holds, run  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--binary", required=True)
parser.add_argument("--only")
options = parser.parse_args()
SLOW = b"__asan_init" in pathlib.Path(options.binary).read_bytes()
DIALECTS = "postgres redshift snowflake bigquery databricks spark duckdb trino athena ansi".split()


def sql(form, text, *arguments):
    text = text if isinstance(text, bytes) else text.encode()
    return subprocess.run([options.binary, "sql", form, "-", *arguments], input=text, capture_output=True, timeout=120)


def printed(text, dialect="ansi"):
    done = sql("print", text, "--dialect", dialect)
    equal((done.returncode, done.stderr), (0, b""), text)
    return done.stdout.decode()


def tree(text, dialect="ansi"):
    done = sql("parse", text, "--dialect", dialect, "--format", "json")
    equal((done.returncode, done.stderr), (0, b""), text)
    return json.loads(done.stdout)


def test_every_dialect_is_known():
    for dialect in DIALECTS:
        equal(printed("select 1", dialect), "SELECT 1;\n")
        equal(tree("select 1", dialect)["dialect"], dialect)
    done = sql("parse", "select 1", "--dialect", "cobol")
    equal((done.returncode, done.stdout), (2, b""))
    holds(b"postgres" in done.stderr, done.stderr)


def test_print_has_one_spelling():
    equal(printed("select a x from t y where b != 1 -- why\n;;"), "SELECT a AS x FROM t AS y WHERE b <> 1;\n")
    equal(printed("select 1; select 2;"), "SELECT 1;\nSELECT 2;\n")
    equal(printed(""), "")
    equal(printed("drop table t"), "DROP TABLE t;\n")


def test_what_is_printed_prints_alike():
    for text in ("with a as (select 1 union all select 2) select * from a order by 1 limit 3",
                 "insert into t (a, b) select a, b from u on conflict do nothing",
                 "merge into t using (select 1 as k) s on t.k = s.k when matched then update set v = 2",
                 "create table if not exists s.t as (select * from u)"):
        once = printed(text, "postgres")
        equal(printed(once, "postgres"), once)


def test_places_count_code_points_and_lines():
    statement = tree("select 'ä', b\n  from t where é = 1")["statements"][0]
    query = statement["query"]
    equal(query["items"][1]["value"]["place"], {"line": 1, "column": 13, "length": 1})
    equal(query["where"]["place"], {"line": 2, "column": 16, "length": 5})


def test_a_tree_tells_what_was_written():
    query = tree("select count(distinct a) filter (where b) over (partition by c) from t tablesample (10 percent)",
                 "postgres")["statements"][0]["query"]
    call = query["items"][0]["value"]
    equal((call["kind"], call["text"], call["distinct"]), ("call", "count", True))
    equal(call["filter"]["parts"][0]["text"], "b")
    equal(call["over"]["partition"][0]["key"]["parts"][0]["text"], "c")
    equal(query["from"][0]["name"]["parts"][0]["text"], "t")


def test_all_errors_of_a_file_are_told_and_nothing_else():
    done = sql("parse", "select 1; select from; select * from (a; select 2; select 3 +")
    equal((done.returncode, done.stdout), (1, b""))
    equal(done.stderr.count(b"error: Parse error at line 1"), 3, done.stderr)
    for column in (b"column 18", b"column 40", b"column 62"):
        holds(column in done.stderr, (column, done.stderr))


def test_an_error_shows_the_line_with_a_caret():
    done = sql("print", "select a\nfrom t\nwhere (b = 1", "--dialect", "snowflake")
    equal(done.stderr.decode().splitlines(),
          ['error: Parse error at line 3, column 13: expected ")" to close the "(" at line 3, column 7, found the end of the text',
           "  where (b = 1", "              ^"])


def test_jinja_is_told_with_its_remedy_and_reading_goes_on():
    done = sql("parse", "select * from {{ ref('a') }} where {% if x %} b; select )")
    equal(done.returncode, 1)
    equal(done.stderr.count(b"Jinja"), 2, done.stderr)
    holds(b"dbt compile" in done.stderr and b'found ")"' in done.stderr, done.stderr)


def test_what_is_no_text():
    equal(sql("parse", b"select '\xff'").returncode, 1)
    holds(b"UTF-8" in sql("parse", b"select '\xff'").stderr, "")
    equal(sql("parse", b"\xef\xbb\xbfselect 1").returncode, 0)
    equal(sql("parse", b"select '\0'").returncode, 0)
    done = sql("parse", b"a" * (16 << 20) + b"bc")
    equal((done.returncode, done.stdout), (1, b""))


def test_errors_have_an_end():
    done = sql("parse", "select );" * 5000)
    equal(done.returncode, 1)
    equal(done.stderr.count(b"Parse error"), 100)


def test_usage():
    for arguments in ([], ["parse"], ["lex", "-"], ["parse", "-", "x"], ["parse", "-", "--format", "xml"]):
        done = subprocess.run([options.binary, "sql", *arguments], input=b"", capture_output=True, timeout=60)
        equal((done.returncode, done.stdout), (2, b""), arguments)
    done = subprocess.run([options.binary, "sql", "parse", "/no/such/file"], capture_output=True, timeout=60)
    equal((done.returncode, done.stdout), (1, b""))
    holds(b"/no/such/file" in done.stderr, done.stderr)


def test_nesting_has_a_limit_with_a_name():
    for before, after in (("(", ")"), ("select * from (", ") t"), ("select (", ")"), ("f(", ")"), ("case when ", " then 1 end"),
                          ("with a as (", ") select 1"), ("[", "]"), ("not ", ""), ("exists (select ", ")")):
        body = "select 1" if "select" in before or before.startswith("with") else "a"
        text = ("" if before[0] in "sw" else "select ") + before * 50_000 + body + after * 50_000
        done = sql("parse", text, "--dialect", "duckdb")
        equal((done.returncode, done.stdout), (1, b""), before)
        holds(b"1000 levels" in done.stderr, (before, done.stderr[:300]))


def test_deep_documents_are_written():
    text = "select * from (" * 300 + "select 1" + ") t" * 300
    holds(sql("parse", text, "--format", "json").returncode == 0, "")
    equal(printed(printed(text)), printed(text))


def test_documents_follow_their_schema():
    try:
        import jsonschema
    except ImportError as error:
        raise Skip("no jsonschema") from error
    root = pathlib.Path(__file__).resolve().parents[2]
    schema = json.loads((root / "schemas" / "sql-report.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    sys.path.insert(0, str(root / "tests"))
    import run_golden

    checked = 0
    for golden in sorted((root / "tests" / "golden" / "sql").glob("script_*")):
        for block in run_golden.parse_file(golden.read_text(encoding="utf-8"))[1]:
            dialect = dict(word.partition("=")[::2] for word in block.directive.split()[1:]).get("dialect", "spark")
            for form in ("parse", "print"):
                done = sql(form, "\n".join(block.input), "--dialect", dialect, "--format", "json")
                if done.returncode != 0:
                    equal(done.stdout, b"")
                    continue
                document = json.loads(done.stdout)
                validator.validate(document)
                checked += 1
    holds(checked > 100, checked)
    bad = tree("select a from t")
    for break_it in (lambda d: d.update(other=1), lambda d: d["statements"][0].pop("place"), lambda d: d.pop("dialect"),
                     lambda d: d["statements"][0].update(word=False)):
        broken = json.loads(json.dumps(bad))
        break_it(broken)
        holds(not validator.is_valid(broken), broken)


def wide(unit, count, join):
    return join.join(unit.format(i) for i in range(count))


def test_long_texts_cost_by_their_length():
    n = 20_000 if SLOW else 100_000
    texts = ["select " + wide("a{0} as b{0}", n, ", ") + " from t",
             "select 1 where " + wide("a = {0}", n, " or "),
             wide("select {0}", n, " union all "),
             "select 1 from t0 " + wide("join t{0} on t{0}.a = t0.a", n, " "),
             "select 1 from " + wide("t{0}", n, ", "),
             "with " + wide("a{0} as (select 1)", n, ", ") + " select 1",
             "values " + wide("({0}, 'x')", n, ", "),
             "select " + "case " + wide("when a = {0} then {0}", n, " ") + " end",
             "select 1 in (" + wide("{0}", n, ", ") + ")",
             wide("select {0}", n, ";"),
             "from t " + wide("|> where a = {0}", n, " "),
             "select 'x' " + "-- c\n" * n,
             "select " + "((1))," * n + "1",
             "select f(" + wide("a => {0}", n, ", ") + ")"]
    for text in texts:
        start = time.monotonic()
        done = sql("print", text, "--dialect", "bigquery")
        equal((done.returncode, done.stderr), (0, b""), text[:60])
        holds(time.monotonic() - start < 20, (text[:60], time.monotonic() - start))
        equal(sql("parse", text, "--dialect", "bigquery", "--format", "json").returncode, 0)


def test_brackets_never_make_it_start_again():
    for text in ("select * from " + "(" * 900 + "a" + ")" * 900, "select * from " + "(" * 400 + "select 1" + ")" * 400,
                 "select " + "(" * 450 + "select 1" + ")" * 450,
                 "select * from " + "(" * 300 + "(select 1) union all " + "(select 1)" + ")" * 300,
                 "select " + "[" * 900 + "]" * 900, "select a" + "[0]" * 900, "select " + "f(x -> " * 400 + "1" + ")" * 400):
        start = time.monotonic()
        equal(sql("print", text, "--dialect", "duckdb").returncode, 0, text[:40])
        holds(time.monotonic() - start < 10, text[:40])


run(globals(), options.only)
