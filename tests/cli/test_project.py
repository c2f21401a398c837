#!/usr/bin/env python3
"""test_project.py - the commands about rows over dbt projects: examples/shop, and small changes of it.

Called by: ctest, or by hand: test_project.py --binary build/dev/lakeproof [--only NAME].  Must not know: how findings are proved.
"""
import argparse
import copy
import json
import os
import pathlib
import shutil
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
ROOT = pathlib.Path(__file__).resolve().parents[2]
SHOP = "examples/shop"
TEMPORARY = tempfile.TemporaryDirectory()
FOLDER = pathlib.Path(TEMPORARY.name)
MANIFEST = json.loads((ROOT / SHOP / "target/manifest.json").read_text(encoding="utf-8"))
DAILY, LINES, FEES = "model.shop.daily_revenue", "model.shop.order_lines", "model.shop.customer_fees"


def call(*arguments, cwd=ROOT, stdin=b""):
    done = subprocess.run([BINARY, *arguments], capture_output=True, timeout=300, cwd=cwd, input=stdin)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def document(*arguments, **more):
    code, text, errors = call(*arguments, "--format", "json", **more)
    holds(code in (0, 1) and text, errors)
    return json.loads(text)


def check(*arguments, project=SHOP, **more):
    return document("check", *([project] if project else []), *arguments, **more)


def reported(found):
    return [(f["model"].rsplit(".", 1)[1], f["code"]) for f in found["findings"] if f["state"] == "reported"]


def changed(name, change):
    """A copy of the project whose manifest `change` has altered."""
    folder = FOLDER / name
    shutil.copytree(ROOT / SHOP, folder, dirs_exist_ok=True)
    manifest = copy.deepcopy(MANIFEST)
    change(manifest)
    (folder / "target/manifest.json").write_text(json.dumps(manifest))
    return str(folder)


def set_sql(manifest, model, raw, compiled=None):
    manifest["nodes"][model] |= {"raw_code": raw, "compiled_code": compiled or raw}


# ---------------------------------------------------------------- the seed's trace


def test_the_project_is_what_its_script_writes():
    done = subprocess.run([sys.executable, ROOT / "examples/make_shop.py", "--check"], capture_output=True, text=True, timeout=60)
    equal((done.returncode, done.stderr), (0, ""))


def test_the_fee_fires_and_names_the_join_in_the_other_file():
    found = check()
    equal(reported(found), [("daily_revenue", "G001")])
    f, = [f for f in found["findings"] if f["state"] == "reported"]
    equal((f["column"], f["group"], f["native_grain"]), ("shipping_fee", ["order_date"], ["order_id"]))
    equal((f["place"]["file"], f["place"]["line"], f["place"]["mapped"]), ("examples/shop/models/marts/daily_revenue.sql", 3, True))
    join, = f["joins"]
    equal((join["model"], join["place"]["file"], join["cardinality"]), (LINES, "examples/shop/models/order_lines.sql", "one-to-many"))
    raw = (ROOT / join["place"]["file"]).read_text().splitlines()[join["place"]["line"] - 1]
    holds("o.order_id = i.order_id" in raw, raw)
    equal(f["evidence"][:2], ["one-to-many join on order_id", "key of shop.order_items from meta.cardinal.grain"])
    tested = {lean["origin"]: lean["tested"] for lean in f["leans_on"]}
    equal(tested["meta.cardinal.grain"], None)
    holds(any(tested.values()), tested)


def test_the_text_has_the_chain_of_the_seed():
    code, text, _ = call("check", SHOP)
    equal(code, 1)
    holds("because       one-to-many join on order_id; key of shop.order_items from meta.cardinal.grain" in text, text)
    holds("line_amount" not in "".join(line for line in text.splitlines() if line.startswith("  sum(")), text)
    equal(text.splitlines()[-1], "1 error, 0 warnings, 0 notes, 1 allowed; 4 models: 4 known, 0 partial, 0 unknown")


def test_a_fee_for_each_row_is_silent():
    def per_row(m):
        m["sources"]["source.shop.shop.orders"]["columns"]["shipping_fee"]["meta"] = {"lakeproof": {"per_row": True}}
    equal(reported(check(project=changed("per_row", per_row))), [])


# ---------------------------------------------------------------- which project, which models


def test_every_name_of_the_project_gives_the_same():
    expected = check()["findings"]
    for name in (SHOP + "/", SHOP + "/target", SHOP + "/target/manifest.json", "./" + SHOP):
        equal(check(project=name)["findings"], expected, name)
    inside = check(project=None, cwd=ROOT / SHOP)["findings"]
    equal([f["place"]["file"] for f in inside if f["state"] == "reported"], ["models/marts/daily_revenue.sql"])
    equal(reported(check(project=None, cwd=ROOT / SHOP / "models/marts")), [("daily_revenue", "G001")])


def test_models_are_selected_as_by_dbt():
    counts = {("--select", "order_lines"): 1, ("--select", "+daily_revenue"): 2, ("--select", "order_lines+"): 4,
              ("--select", "path:models/marts"): 3, ("--exclude", "daily_revenue"): 3, ("--select", "order_lines+", "--exclude", "path:models/marts"): 1}
    for arguments, count in counts.items():
        found = check(*arguments)
        equal(sum(found["summary"][k] for k in ("known", "partial", "unknown")), count, arguments)
    equal(reported(check("--select", "daily_revenue")), [("daily_revenue", "G001")])
    equal(reported(check("--exclude", "daily_revenue")), [])


def test_a_selection_that_fits_nothing_is_told():
    for option in ("--select", "--exclude"):
        equal([n["code"] for n in check(option, "dayly_revenue")["notes"]], ["SELECTION_EMPTY"])
    for empty in ("", " ", ","):
        equal([n["code"] for n in check("--select", empty)["notes"]], ["SELECTION_EMPTY"], empty)
    code, text, errors = call("check", SHOP, "--select", "nomethod:x")
    equal((code, text), (2, ""))
    holds("nomethod" in errors, errors)


def test_changed_files_choose_models():
    equal(reported(check("--files-changed", "examples/shop/models/marts/daily_revenue.sql")), [("daily_revenue", "G001")])
    equal(reported(check("--files-changed", "models/order_lines.sql,README.md")), [])
    found = check("--files-changed", "-", stdin=b"README.md\nmodels/marts/daily_revenue.sql\n")
    equal((reported(found), found["summary"]["known"]), ([("daily_revenue", "G001")], 1))
    equal(check("--files-changed", "")["summary"]["known"], 0)


# ---------------------------------------------------------------- allowances, baselines, settings


def test_meta_allows_with_a_reason():
    def allow(because):
        def change(m):
            entry = {"code": "G001"} | ({"because": because} if because else {})
            m["nodes"][DAILY]["meta"] = m["nodes"][DAILY]["config"]["meta"] = {"lakeproof": {"allow": [entry]}}
        return change
    found = check(project=changed("allowed", allow("it is a test")))
    equal((reported(found), [f["allowed_because"] for f in found["findings"] if f["model"] == DAILY]), ([], ["it is a test"]))
    found = check(project=changed("no_reason", allow(None)))
    equal((reported(found), [n["code"] for n in found["notes"]]), ([("daily_revenue", "G001")], ["ALLOW_WITHOUT_REASON"]))


def test_a_baseline_of_a_project():
    base = str(FOLDER / "base.json")
    equal(call("check", SHOP, "--write-baseline", base)[0], 0)
    equal([f["model"] for f in json.loads(pathlib.Path(base).read_text())["findings"]], [DAILY])
    equal(reported(check("--baseline", base)), [])


def test_settings_lie_beside_the_project():
    project = changed("settings", lambda m: None)
    (pathlib.Path(project) / "lakeproof.toml").write_text('[check]\nexclude = ["daily_revenue"]\n')
    equal(reported(check(project=project)), [])
    equal(reported(check("--exclude", "order_lines", project=project)), [("daily_revenue", "G001")])
    (pathlib.Path(project) / "lakeproof.toml").write_text("check = 1\n")
    code, text, errors = call("check", project)
    equal((code, text), (2, ""))
    holds("lakeproof.toml line 1" in errors, errors)


def test_guesses_are_trusted_by_kind_only():
    def guess(m):
        grain = m["sources"]["source.shop.shop.order_items"]
        grain["meta"] = grain["config"]["meta"] = {}
        m["nodes"][LINES]["config"] |= {"materialized": "incremental", "unique_key": ["order_id", "line_id"]}
        m["nodes"][LINES]["meta"] = m["nodes"][LINES]["config"]["meta"] = {}
    project = changed("guess", guess)
    equal(reported(check(project=project)), [])
    code, text, errors = call("check", project, "--trust", "feelings")
    equal((code, text), (2, ""))
    holds("unique_key" in errors, errors)
    equal(call("check", project, "--trust", "unique_key,snapshot")[0] in (0, 1), True)


# ---------------------------------------------------------------- places


def test_places_follow_the_template():
    raw = ("{{ config(materialized='table') }}\n{% set day = 'order_date' %}\nselect {{ day }},\n    sum(line_amount)\n"
           "    + sum(shipping_fee) as revenue\nfrom {{ ref('order_lines') }} as l\ngroup by {{ day }}")
    made = ("\n\nselect order_date,\n    sum(line_amount)\n    + sum(shipping_fee) as revenue\n"
            'from "warehouse"."main"."order_lines" as l\ngroup by order_date')
    f, = [f for f in check(project=changed("template", lambda m: set_sql(m, DAILY, raw, made)))["findings"] if f["model"] == DAILY]
    equal((f["place"]["line"], f["place"]["mapped"]), (5, True))
    holds(raw.splitlines()[4][f["place"]["column"] - 1:].startswith("shipping_fee"), f["place"])


def test_a_place_that_a_loop_made_stays_in_the_compiled_file():
    raw = "select order_date,\n{% for c in ['shipping_fee'] %}\n    sum({{ c }}) as {{ c }}\n{% endfor %}\nfrom {{ ref('order_lines') }}\ngroup by 1"
    made = 'select order_date,\n\n\n    sum(shipping_fee) as shipping_fee\n\n\nfrom "warehouse"."main"."order_lines"\ngroup by 1'
    project = changed("loop", lambda m: set_sql(m, DAILY, raw, made))
    f, = [f for f in check(project=project)["findings"] if f["model"] == DAILY]
    equal((f["place"]["mapped"], f["place"]["line"]), (False, 4))
    holds(f["place"]["compiled_file"].endswith("target/compiled/shop/models/marts/daily_revenue.sql"), f["place"])
    github = call("check", project, "--select", "daily_revenue", "--format", "github")[1]
    holds("line=" not in github and "daily_revenue.sql" in github, github)


# ---------------------------------------------------------------- what cannot be read


def test_a_model_that_cannot_be_read_is_told_and_the_others_are_checked():
    def change(m):
        set_sql(m, FEES, "select from {{ x }}", "select from nowhere where")
    found = check(project=changed("broken", change))
    equal([(n["code"], n["model"]) for n in found["notes"]], [("MODEL_NOT_READ", FEES)])
    equal(reported(found), [("daily_revenue", "G001")])
    equal(found["summary"]["unknown"], 1)


def test_a_python_model_is_unknown_and_no_warning():
    def change(m):
        m["nodes"][FEES] |= {"language": "python", "raw_code": "def model(dbt, session): ...", "compiled_code": "def model(dbt, session): ..."}
    found = check(project=changed("python", change))
    equal([n["code"] for n in found["notes"]], [])
    equal([u["reason"] for u in found["undecided"]], ["a Python model"])


def test_an_adapter_that_is_not_known_is_read_as_standard_sql():
    found = check(project=changed("adapter", lambda m: m["metadata"].update(adapter_type="oracle")))
    equal([n["code"] for n in found["notes"]], ["ADAPTER_NOT_KNOWN"])
    equal(reported(found), [("daily_revenue", "G001")])


def test_what_is_no_project_is_an_error():
    (FOLDER / "empty").mkdir(exist_ok=True)
    (FOLDER / "damaged").mkdir(exist_ok=True)
    (FOLDER / "damaged/manifest.json").write_text('{"metadata": {')
    for command in ("check", "coverage"):
        for name in ("empty", "damaged", "none"):
            code, text, errors = call(command, str(FOLDER / name))
            equal((code, text), (1, ""), (command, name))
            holds(name in errors, errors)
    for arguments in (("facts", "x"), ("prove", "x", "--key", "a"), ("facts", "--all")):
        equal(call(*arguments, "--project", str(FOLDER / "empty"))[:2], (1, ""), arguments)


# ---------------------------------------------------------------- declarations that are not used


def set_meta(m, model, meta):
    m["nodes"][model]["meta"] = m["nodes"][model]["config"]["meta"] = meta


def test_a_grain_of_a_column_that_is_not_there_is_told_and_not_used():
    project = changed("missing", lambda m: set_meta(m, LINES, {"cardinal": {"grain": ["order_id", "lineid"]}}))
    told = [(n["code"], n["model"]) for n in check(project=project)["notes"]]
    equal(told, [("DECLARATION_NOT_USED", LINES)])
    holds("lineid" in call("check", project)[1], "")
    equal([n["code"] for n in check("--select", "daily_revenue", project=project)["notes"]], [])  # it speaks of the chosen ones
    unused, = [u for u in document("coverage", project)["unused"] if u["relation"] == LINES]
    equal((unused["origin"], unused["reason"]), ("meta.cardinal.grain", "there is no column lineid"))
    holds(all(f["columns"] != ["order_id", "lineid"] for f in facts("order_lines", project=project)["facts"]), "")


def test_meta_that_is_not_understood_is_a_warning():
    project = changed("odd_meta", lambda m: set_meta(m, LINES, {"lakeproof": {"grian": ["order_id"]}}))
    for arguments in ((), ("--select", "daily_revenue"), ("--select", "order_lines")):  # of what is read, too
        note, = check(*arguments, project=project)["notes"]
        equal((note["code"], note["severity"], note["model"]), ("DECLARATION_NOT_USED", "warning", LINES))
        holds("grian" in note["message"], note)
    equal(check("--select", "customer_fees", project=project)["notes"][:1], check(project=project)["notes"] if LINES in
          MANIFEST["nodes"][FEES]["depends_on"]["nodes"] else [])


def test_a_manifest_without_compiled_sql_is_told_once():
    def parsed(m):
        for node in m["nodes"].values():
            node.pop("compiled_code", None)
            node.pop("compiled_path", None)
    project = changed("parsed", parsed)
    shutil.rmtree(pathlib.Path(project) / "target/compiled", ignore_errors=True)
    note, = check(project=project)["notes"]
    equal((note["code"], note["model"]), ("MODEL_NOT_READ", None))
    holds("dbt compile" in note["message"], note)
    holds(any("dbt compile" in u["reason"] and u["relation"] is None for u in document("coverage", project)["unused"]), "")


def test_tests_that_are_not_used_are_listed_with_the_reason():
    def weaken(m):
        for test in m["nodes"].values():
            if test["resource_type"] == "test" and test["test_metadata"]["name"] == "unique":
                test["config"]["where"] = "order_id > 7"
    found = document("coverage", changed("weak", weaken))["unused"]
    holds(found and all(u["reason"] == "it is about some rows only: order_id > 7" and u["origin"].startswith("dbt test ") for u in found), found)
    holds("What is declared and not used" in call("coverage", str(FOLDER / "weak"))[1], "")


# ---------------------------------------------------------------- facts


def facts(*arguments, project=SHOP):
    return document("facts", *arguments, "--project", project)


def test_facts_of_a_model_by_name_or_id():
    for name in ("order_lines", LINES):
        found = facts(name)
        equal((found["model"], found["keys"], found["dialect"]), (LINES, [["order_id", "line_id"]], "duckdb"))
    key = next(f for f in found["facts"] if f["kind"] == "key")
    equal(key["evidence"][0], "one-to-many join on order_id")
    code, text, errors = call("facts", "no_such", "--project", SHOP)
    equal((code, text), (1, ""))
    holds("no_such" in errors, errors)


def test_facts_of_all_models_are_an_object_a_line():
    code, text, errors = call("facts", "--all", "--format", "ndjson", "--project", SHOP)
    equal((code, errors), (0, ""))
    rows = [json.loads(line) for line in text.splitlines()]
    equal(rows[0]["model"], LINES)
    equal({r["model"] for r in rows}, {k for k in MANIFEST["nodes"] if k.startswith("model.")})
    one = facts("order_lines")
    equal(rows[0], {k: v for k, v in one.items() if k not in ("dialect", "tool_version")})


def test_usage_of_projects():
    wrong = (["facts"], ["facts", "--all", "order_lines"], ["facts", "order_lines", "--ddl", "x"], ["facts", "--all", "--format", "json"],
             ["facts", "order_lines", "--format", "ndjson"], ["check", SHOP, "--dialect", "duckdb"], ["check", "--sql", "x", "--select", "y"], ["check", SHOP, SHOP],
             ["prove", "order_lines"], ["prove", "order_lines", "--key", "a", "--not-null", "b"], ["prove", "--key", "a"], ["coverage", SHOP, "--format", "sarif"])
    for arguments in wrong:
        project = [] if arguments[0] in ("check", "coverage") else ["--project", SHOP]
        equal(call(*arguments, *project)[:2], (2, ""), arguments)


# ---------------------------------------------------------------- prove


def prove(model, *claim):
    return document("prove", model, "--project", SHOP, *claim)


def test_a_claim_is_proved_or_what_is_missing_is_told():
    found = prove("daily_revenue", "--key", "order_date")
    equal((found["proved"], found["evidence"], found["leans_on"], found["missing"]), (True, ["GROUP BY order_date"], [], []))
    found = prove("order_lines", "--key", "line_id, order_id")
    equal((found["proved"], found["claim"], found["columns"]), (True, "key", ["line_id", "order_id"]))
    found = prove("order_lines", "--key", "order_id")
    holds(not found["proved"] and found["missing"], found)
    equal(call("prove", "order_lines", "--project", SHOP, "--key", "order_id")[0], 1)
    equal(prove("order_lines", "--not-null", "order_id")["proved"], True)
    equal(prove("order_lines", "--not-null", "shipping_fee")["proved"], False)
    equal(prove("order_lines", "--no-fan-out")["proved"], False)
    equal(prove("daily_revenue", "--no-fan-out")["proved"], True)
    code, text, errors = call("prove", "order_lines", "--project", SHOP, "--key", "nope")
    equal((code, text), (1, ""))
    holds("nope" in errors, errors)


def test_a_claim_about_a_query():
    (FOLDER / "q.sql").write_text("select a, count(*) as n from t group by a")
    code, text, errors = call("prove", "--sql", str(FOLDER / "q.sql"), "--key", "a")
    equal((code, text, errors), (0, "proved: (a) is a key of the rows\n  because     GROUP BY a\n", ""))


def test_a_proof_tells_the_reference_that_it_leans_on():
    (FOLDER / "q.sql").write_text("select o.id, c.name from o left join c on o.cid = c.cid")
    (FOLDER / "q.ddl").write_text("create table c (cid int primary key, name text not null);"
                                  "create table o (id int primary key, cid int not null references c (cid));")
    arguments = ["prove", "--sql", str(FOLDER / "q.sql"), "--ddl", str(FOLDER / "q.ddl"), "--dialect", "postgres"]
    code, text, errors = call(*arguments, "--not-null", "name", "--format", "json")
    equal((code, errors), (0, ""))
    equal([d["origin"] for d in json.loads(text)["leans_on"]], ["NOT NULL", "FOREIGN KEY"])


# ---------------------------------------------------------------- coverage


def test_coverage_of_the_shop():
    found = document("coverage", SHOP)
    equal(found["summary"], {"known": 4, "models": 4, "partial": 0, "unknown": 0, "with_key": 4})
    equal(found["guesses"], [])
    grain, = [d for d in found["declarations"] if d["origin"] == "meta.cardinal.grain"]
    equal((grain["fact"], grain["tested"]), ("key (order_id, line_id) of shop.order_items", None))
    holds(any("daily_revenue_order_date" in t["test"] for t in found["proved_tests"]), found["proved_tests"])
    code, text, errors = call("coverage", SHOP)
    equal((code, errors), (0, ""))
    holds("no test checks it" in text, text)


def test_missing_keys_are_guessed_as_yaml():
    def forget(m):
        for key in [k for k in m["nodes"] if k.startswith("test.") and "unique_shop_orders" in k]:
            del m["nodes"][key]
        items = m["sources"]["source.shop.shop.order_items"]
        items["meta"] = items["config"]["meta"] = {}
        for columns in (items["columns"], m["sources"]["source.shop.shop.orders"]["columns"]):
            for column in columns.values():
                column["meta"] = {}
    found = document("coverage", changed("forgotten", forget))
    orders, = [g for g in found["guesses"] if g["relation"] == "source.shop.shop.orders"]
    equal((orders["columns"], orders["joins"]), (["order_id"], 1))
    holds(orders["unlocks"] >= 1, orders)
    holds("      - name: orders\n        columns:\n          - name: order_id\n            data_tests: [unique, not_null]\n" in found["yaml"], found["yaml"])
    equal(reported(check(project=changed("forgotten", forget))), [])  # a guess proves nothing


# ---------------------------------------------------------------- schemas


def test_documents_follow_their_schema():
    try:
        import jsonschema
    except ImportError as error:
        raise Skip("no jsonschema") from error

    def validate(name, found):
        schema = json.loads((ROOT / "schemas" / f"{name}-report.schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator(schema).validate(found)
        equal(list(found), sorted(found))
    projects = [SHOP] + [str(FOLDER / n) for n in ("broken", "python", "loop", "forgotten", "no_reason", "missing", "odd_meta", "parsed", "weak") if (FOLDER / n).exists()]
    for project in projects:
        validate("check", check("--enable", "G005", project=project))
        validate("coverage", document("coverage", project))
        for line in call("facts", "--all", "--format", "ndjson", "--project", project)[1].splitlines():
            validate("facts", json.loads(line))
        validate("facts", facts("order_lines", "--tree", project=project))
    for claim in (("--key", "order_id"), ("--not-null", "order_id"), ("--no-fan-out",)):
        validate("proof", prove("order_lines", *claim))


run(globals(), options.only)
