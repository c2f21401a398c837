#!/usr/bin/env python3
"""test_check.py - `lakeproof check --sql`: the four forms, gates, allowances, baselines, settings.

Called by: ctest, or by hand: test_check.py --binary build/dev/lakeproof [--only NAME].  Must not know: how findings are proved; the
query here is the one of the introduction: a fee of an order that is summed over its lines.
"""
import argparse
import json
import os
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
BINARY = os.path.abspath(options.binary)
TEMPORARY = tempfile.TemporaryDirectory()
FOLDER = pathlib.Path(TEMPORARY.name)
(FOLDER / "tables.sql").write_text("create table orders (order_id int primary key, customer_id int not null, day date, fee numeric(9, 2));\n"
                                   "create table items (order_id int references orders, line int, amount numeric(9, 2),\n"
                                   "                    primary key (order_id, line));\n")
SUM = """select o.day,
       sum(i.amount) as amount,{comment}
       sum(o.fee) as fee
from orders o
join items i on o.order_id = i.order_id
group by o.day
"""


def query(comment="", name="daily.sql", text=SUM):
    (FOLDER / name).write_text(text.replace("{comment}", comment))
    return name


def check(*arguments, sql=None, stdin=b""):
    done = subprocess.run([BINARY, "check", "--sql", sql or query(), "--ddl", "tables.sql", "--dialect", "postgres", *arguments],
                          input=stdin, capture_output=True, timeout=300, cwd=FOLDER)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def document(*arguments, **more):
    code, text, errors = check("--format", "json", *arguments, **more)
    holds(code in (0, 1) and text, errors)
    return json.loads(text)


def codes(*arguments, state="reported", **more):
    return [f["code"] for f in document(*arguments, **more)["findings"] if f["state"] == state]


def notes(*arguments, **more):
    return [n["code"] for n in document(*arguments, **more)["notes"]]


# ---------------------------------------------------------------- findings


def test_the_fee_fires_and_the_amount_does_not():
    found = document()["findings"]
    equal([(f["code"], f["severity"], f["expression"]) for f in found], [("G001", "error", "sum(o.fee)")])
    f = found[0]
    equal((f["group"], f["native_grain"]), (["day"], ["order_id"]))
    equal(f["place"]["line"], 3)
    equal((f["place"]["file"], f["model"]), ("daily.sql", None))
    equal([(j["cardinality"], j["text"], j["place"]["line"]) for j in f["joins"]], [("one-to-many", "o.order_id = i.order_id", 5)])
    equal(f["evidence"][0], "one-to-many join on order_id")
    equal({lean["fact"] for lean in f["leans_on"]}, {"key (order_id) of orders", "key (order_id, line) of items"})


def test_text_shows_the_place_and_the_proof():
    code, text, errors = check()
    equal(code, 1)
    lines = text.splitlines()
    holds(lines[0].startswith("error G001 daily.sql:3:"), text)
    at = next(i for i, line in enumerate(lines) if line.startswith("    3 | "))
    equal(lines[at], "    3 |        sum(o.fee) as fee")
    column = int(lines[0].split(":")[2].split()[0])
    equal(lines[at + 1].index("^") - len("    3 | "), column - 1)
    holds("because       one-to-many join on order_id; key of " in text, text)
    equal(lines[-1], "1 error, 0 warnings, 0 notes")
    equal(errors, "ASSERTION FAILED: 1 finding of severity warning or above (--fail-on warning)\n")


def test_a_query_in_order_is_silent():
    good = query(text="select day, sum(fee) as fee from orders group by day", name="good.sql")
    equal(check(sql=good), (0, "0 errors, 0 warnings, 0 notes\n", ""))
    equal(check("--format", "github", sql=good), (0, "", ""))


def test_github_commands_are_escaped():
    code, text, _ = check("--format", "github", sql=query(name="odd, name: 100%.sql"))
    equal(code, 1)
    equal(text.count("\n"), 1)
    holds(text.startswith("::error file=odd%2C name%3A 100%25.sql,line=3,col="), text)
    holds(",title=G001 double counting::sum(o.fee) may count" in text and "%0Abecause one-to-many join" in text, text)


def test_sarif_has_rules_places_and_fingerprints():
    log = json.loads(check("--format", "sarif", sql=query(name="a b.sql"))[1])
    equal((log["version"], len(log["runs"])), ("2.1.0", 1))
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    result, = log["runs"][0]["results"]
    equal((rules[result["ruleIndex"]]["id"], result["level"]), ("G001", "error"))
    place = result["locations"][0]["physicalLocation"]
    equal((place["artifactLocation"]["uri"], place["region"]["startLine"]), ("a%20b.sql", 3))
    equal(result["partialFingerprints"]["lakeproof/v1"], document(sql="a b.sql")["findings"][0]["fingerprint"])
    equal(result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 5)


def test_colour_is_asked_for():
    holds("\x1b[" not in check()[1], "")
    holds("\x1b[" in check("--color", "always")[1], "")


# ---------------------------------------------------------------- gates and choices


def test_the_exit_code_follows_fail_on():
    equal(check("--fail-on", "error")[0], 1)
    code, text, errors = check("--fail-on", "never")
    equal((code, errors), (0, ""))
    holds("error G001" in text, text)


def test_checks_are_chosen():
    equal(codes("--checks", "G003"), [])
    equal(codes("--checks", "g001, G003"), ["G001"])
    holds("G005" in codes("--enable", "G005", sql=query(text="select * from orders where fee > 1", name="filter.sql")), "")
    equal(codes(sql="filter.sql"), [])
    for option in ("--checks", "--enable"):
        code, text, errors = check(option, "G009")
        equal((code, text), (2, ""))
        holds("G009" in errors, errors)


# ---------------------------------------------------------------- words


def remedies(text):
    return [f["suggestion"] for f in document(sql=query(text=text, name="remedy.sql"))["findings"]]


def test_the_remedy_of_a_join_names_columns_that_both_sides_have():
    keep = "keep one row of a side for each value that is joined on"
    both = "select 1 from items a join items b on a.line = b.line"
    equal(remedies(both), [f"join on order_id too, or {keep}"])
    equal(remedies("select 1 from items a join items b on a.amount = b.amount"), [keep])  # no column of the key is equated
    remedies("select 1 from items a join items b on a.amount = b.amount and b.line = 1")
    found, = document(sql="remedy.sql")["findings"]
    holds("nor order_id of the right" in found["message"], found["message"])  # the line is fixed by the condition


def test_a_group_by_an_expression_is_named():
    text = ("select max(fee) from (select date_trunc('month', o.day) as m, sum(o.fee) as fee\n"
            "from orders o join items i on o.order_id = i.order_id group by 1) q")
    found, = document(sql=query(text=text, name="month.sql"))["findings"]
    equal(found["group"], ["date_trunc('month', o.day)"])


def test_an_average_is_averaged_before_the_join():
    found, = document(sql=query(text=SUM.replace("{comment}", "").replace("sum(o.fee)", "avg(o.fee)"), name="average.sql"))["findings"]
    equal(found["suggestion"], "average fee before the join, once for each order_id, then group by day")


def test_a_list_of_checks_or_a_selection_that_is_empty_is_no_pass():
    code, text, errors = check("--checks", "")
    equal((code, text), (2, ""))
    holds("no check is named" in errors, errors)
    holds("the word counts" in check("--enable", "G009")[2], "")


# ---------------------------------------------------------------- allowances


def test_a_comment_with_a_reason_allows():
    for comment in ("\n-- lakeproof: allow G001 because the fee is wanted per line", "\n/* lakeproof: allow G001, G003 because of it */"):
        sql = query(comment)
        equal(codes(sql=sql), [])
        allowed, = [f for f in document(sql=sql)["findings"] if f["state"] == "allowed"]
        holds(allowed["allowed_because"], allowed)
        code, text, _ = check(sql=sql)
        equal((code, text.splitlines()[-1]), (0, "0 errors, 0 warnings, 0 notes, 1 allowed"))


def test_without_a_reason_it_does_not():
    sql = query("\n-- lakeproof: allow G001")
    equal(codes(sql=sql), ["G001"])
    equal(notes(sql=sql), ["ALLOW_WITHOUT_REASON"])


def test_other_words_are_told():
    equal(notes(sql=query("\n-- lakeproof: ignore G001 because x")), ["ALLOW_NOT_UNDERSTOOD"])
    equal(notes(sql=query("\n-- lakeproof: allow G042 because x")), ["ALLOW_NOT_UNDERSTOOD"])
    equal(check("--fail-on", "warning", "--checks", "G003", sql=query("\n-- lakeproof: oops"))[0], 1)


def test_an_allowance_of_nothing_is_told():
    good = query(text="select day, sum(fee) from orders -- lakeproof: allow G001 because x\ngroup by day", name="unused.sql")
    found = document(sql=good)["notes"]
    equal([(n["code"], n["severity"], n["place"]["line"]) for n in found], [("ALLOW_UNUSED", "note", 1)])
    equal(check(sql=good)[0], 0)
    equal(notes("--checks", "G003", sql=good), [])  # it was not checked


def test_a_comment_elsewhere_allows_nothing():
    sql = query(text="-- lakeproof: allow G001 because x\n" + SUM, name="far.sql")
    equal(codes(sql=sql), ["G001"])
    equal(notes(sql=sql), ["ALLOW_UNUSED"])


def test_the_mark_is_read_in_any_case_and_without_its_colon():
    for comment in ("LAKEPROOF: Allow G001 because it is so", "lakeproof allow g001 because it is so", "Lakeproof : allow G001 because it is so"):
        equal(codes(sql=query("  -- " + comment)), [], comment)
    for comment in ("lakeproof allows nothing", "mylakeproof: allow G001 because x", "the lakeproof allowance"):
        equal((codes(sql=query("  -- " + comment)), notes(sql=query("  -- " + comment))), (["G001"], []), comment)


# ---------------------------------------------------------------- baselines


def test_a_baseline_hides_what_was_there():
    sql = query()
    equal(check("--write-baseline", "base.json", sql=sql)[0], 0)
    held = json.loads((FOLDER / "base.json").read_text())
    equal([(f["code"], f["model"]) for f in held["findings"]], [("G001", "")])
    code, text, errors = check("--baseline", "base.json", sql=sql)
    equal((code, text, errors), (0, "0 errors, 0 warnings, 0 notes, 1 in the baseline\n", ""))
    equal(codes("--baseline", "base.json", sql=sql, state="baseline"), ["G001"])
    moved = query(text="\n\n-- moved down\n" + SUM, name="daily.sql")
    equal(codes("--baseline", "base.json", sql=moved), [])


def test_a_new_finding_is_still_reported():
    both = query(text=SUM.replace("sum(o.fee) as fee", "sum(o.fee) as fee, avg(o.fee) as mean"), name="both.sql")
    (FOLDER / "one.json").write_text(json.dumps({"findings": [{"fingerprint": document(sql=query())["findings"][0]["fingerprint"]}]}))
    equal(len(codes("--baseline", "one.json", sql=both)) + len(codes("--baseline", "one.json", sql=both, state="baseline")), 2)
    holds(len(codes("--baseline", "one.json", sql=both)) >= 1, "")


def test_what_is_gone_from_a_baseline_is_told():
    (FOLDER / "old.json").write_text(json.dumps({"findings": [{"fingerprint": "0" * 32}]}))
    equal(notes("--baseline", "old.json"), ["BASELINE_STALE"])


def test_a_wrong_baseline_is_an_error():
    for text in ("", "[]", "{}", '{"findings": 1}', '{"findings": [{}]}', '{"findings": [{"fingerprint": 1}]}', '{"findings": [', '{"findings": []} x'):
        (FOLDER / "wrong.json").write_text(text)
        code, out, errors = check("--baseline", "wrong.json")
        equal((code, out), (1, ""), text)
        holds("wrong.json" in errors, errors)
    equal(check("--baseline", "none.json")[:2], (1, ""))


# ---------------------------------------------------------------- settings


def test_settings_are_defaults_and_options_win():
    (FOLDER / "lakeproof.toml").write_text('[check]\nfail_on = "never"\nchecks = ["G003"]\n')
    equal(codes("--config", "lakeproof.toml"), [])
    equal(codes("--config", "lakeproof.toml", "--checks", "G001"), ["G001"])
    equal(check("--config", "lakeproof.toml", "--checks", "G001")[0], 0)
    equal(check("--config", "lakeproof.toml", "--checks", "G001", "--fail-on", "error")[0], 1)


def test_the_baseline_of_settings_lies_beside_them():
    (FOLDER / "conf").mkdir(exist_ok=True)
    check("--write-baseline", "conf/base.json", sql=query())
    (FOLDER / "conf/lakeproof.toml").write_text('[check]\nbaseline = "base.json"\n')
    equal(codes("--config", "conf/lakeproof.toml", sql=query()), [])


def test_wrong_settings_are_told_with_their_line():
    (FOLDER / "bad.toml").write_text('[check]\nfailon = "never"\n')
    code, text, errors = check("--config", "bad.toml")
    equal((code, text), (2, ""))
    holds("bad.toml line 2" in errors and "fail_on" in errors, errors)


# ---------------------------------------------------------------- errors, schema


def test_wrong_sql_leaves_standard_output_empty():
    for arguments in ((), ("--format", "sarif"), ("--write-baseline", "never.json")):
        code, text, errors = check(*arguments, sql=query(text="select nope from orders", name="wrong.sql"))
        equal((code, text), (1, ""))
        holds("no column nope" in errors, errors)
    holds(not (FOLDER / "never.json").exists(), "no baseline of wrong SQL")


def test_usage():
    for arguments in (["--format", "csv"], ["--fail-on", "note"], ["project"]):
        code, text, _ = check(*arguments)
        equal((code, text), (2, ""), arguments)


def test_help_of_each_check():
    for code in ("G001", "G002", "G003", "G004", "G005", "g001"):
        done = subprocess.run([options.binary, "help", code], capture_output=True, text=True, timeout=60)
        equal((done.returncode, done.stderr), (0, ""))
        holds(done.stdout.startswith(code.upper() + ": "), done.stdout)


def test_documents_follow_their_schema():
    try:
        import jsonschema
    except ImportError as error:
        raise Skip("no jsonschema") from error
    schema = json.loads((pathlib.Path(__file__).resolve().parents[2] / "schemas/check-report.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    unknown = query(text="select day, sum(fee) as fee from orders, unnest(array[1]) as u(x) group by day", name="unknown.sql")
    for found in (document(), document(sql=query("\n-- lakeproof: allow G001 because x")), document(sql=query("\n-- lakeproof: allow G001")),
                  document(sql=unknown), document("--enable", "G005", sql=query())):
        validator.validate(found)
        equal(list(found), sorted(found))
    equal([u["status"] for u in document(sql=unknown)["undecided"]], ["unknown"])
    bad = document()
    for break_it in (lambda d: d.update(other=1), lambda d: d["findings"][0].pop("place"), lambda d: d["findings"][0].update(code="X")):
        broken = json.loads(json.dumps(bad))
        break_it(broken)
        holds(not validator.is_valid(broken), broken)


run(globals(), options.only)
