#!/usr/bin/env python3
"""dbt_projects.py - manifests of public dbt projects, read by us and by Python's JSON: the same relations and the same facts.

Called by: tests/suites.ini, people.  Must not know: how a manifest is read in C.

usage: dbt_projects.py --dump build/dev/tests/project_dump --shared ../shared [--only PROJECT]
For each manifest below fixtures/dbt and fixtures/dbt-projects (a .gz is unpacked): identity, columns, parents and compiled SQL of
every relation; the facts that its tests and constraints state, as a multiset, by a reading of its own; that the order puts parents
first; and dbt's selectors against sets that Python computes. Where --shared is absent everything is skipped.
Last line: `N passed, N failed, N skipped`.
"""
import argparse
import collections
import gzip
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from suite import equal, finish, holds  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--dump", required=True)
parser.add_argument("--shared", default=str(HERE.parents[2] / "shared"))
parser.add_argument("--only")
options = parser.parse_args()
SHARED = pathlib.Path(options.shared)

ENFORCED = {  # adapter: the constraints that the platform keeps, those that it writes down
    "postgres": ("not_null primary_key unique foreign_key check", ""),
    "duckdb": ("not_null primary_key unique foreign_key check", ""),
    "redshift": ("not_null", "primary_key unique foreign_key"),
    "snowflake": ("not_null", "primary_key unique foreign_key"),
    "bigquery": ("not_null", "primary_key foreign_key"),
    "databricks": ("not_null check", "primary_key unique foreign_key"),
    "spark": ("not_null check", ""),
    "trino": ("", "not_null"),
    "athena": ("", "not_null"),
}
NAME = re.compile(r"[A-Za-z_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*\Z")


def shown(name, quoted=False):
    """A column as project_dump prints it."""
    name = name.strip()
    if len(name) > 2 and name[0] == name[-1] and name[0] in '"`' and name[0] not in name[1:-1]:
        return f'"{name[1:-1]}"'
    return f'"{name}"' if quoted else name if NAME.match(name) else f"({name})"


class Project:
    def __init__(self, manifest, catalog):
        self.manifest, self.catalog = manifest, catalog
        self.adapter = manifest["metadata"]["adapter_type"]
        on = lambda n: (n.get("config") or {}).get("enabled", True)  # noqa: E731
        self.relations = {u: n for u, n in manifest["nodes"].items() if n["resource_type"] in ("model", "seed", "snapshot") and on(n)}
        self.relations |= {u: n for u, n in manifest["sources"].items() if on(n)}
        self.tests = {u: n for u, n in manifest["nodes"].items() if n["resource_type"] == "test" and on(n)}
        self.facts = collections.defaultdict(list)
        for uid, test in self.tests.items():
            if test.get("test_metadata"):
                self.add_test(uid, test)
        for uid, node in self.relations.items():
            if node["resource_type"] != "source":
                self.add_constraints(uid, node)
            if node["resource_type"] == "snapshot":
                self.add_snapshot(uid, node)
            if node["resource_type"] == "model" and node["config"].get("materialized") == "incremental":
                key = node["config"].get("unique_key")
                if key:
                    self.add(uid, "key", [key] if isinstance(key, str) else key, "config.unique_key", "guess", lax=True, usable=False)

    def quoted(self, uid, name):
        return bool(((self.relations[uid].get("columns") or {}).get(name) or {}).get("quote"))

    def add(self, uid, kind, columns, origin, trust, lax=False, usable=True, to=None, extra=None):
        names = tuple(shown(c, self.quoted(uid, c)) for c in columns)
        self.facts[uid].append((kind, names, origin, trust, lax, usable, to, extra))

    def add_test(self, uid, test):
        meta, config = test["test_metadata"], test["config"]
        kwargs, name, space = meta["kwargs"], meta["name"], meta.get("namespace")
        on = test.get("attached_node")
        if not on:  # a source: the argument `model` names it
            found = re.search(r"source\('([^']+)',\s*'([^']+)'\)", kwargs.get("model", ""))
            parents = test["depends_on"]["nodes"]
            on = next((p for p in parents if found and p.startswith("source.") and p.split(".")[2:] == list(found.groups())), parents[0])
        if on not in self.relations:
            return
        fails_later = config.get("error_if", "!= 0").replace(" ", "") != "!=0"
        warns_at_once = config.get("warn_if", "").replace(" ", "") == "!=0"
        warns = config.get("severity", "ERROR").lower() == "warn" or (fails_later and warns_at_once)
        condition = config.get("where") or kwargs.get("row_condition")
        weak = config.get("warn_if" if warns else "error_if", "!= 0").replace(" ", "") != "!=0" or config.get("limit") is not None
        weak = weak or config.get("fail_calc", "count(*)") != "count(*)"
        origin, trust = "dbt test " + test["name"], "test of severity warn" if warns else "test"
        column = test.get("column_name") or kwargs.get("column_name")

        def add(kind, columns, lax=False, to=None, extra=None, narrow=None):
            lost = to is not None and to[0] is None
            self.add(on, kind, columns, origin, trust, lax, not (condition or narrow or weak or lost), to, extra)

        def other(text):
            call = re.search(r"(ref|source)\((.*)\)", text)
            words = re.findall(r"['\"]([^'\"]+)['\"]", call.group(2))
            fits = [p for p in test["depends_on"]["nodes"] if p in self.relations and self.relations[p]["name"] == words[-1]]
            fits = [p for p in fits if (call.group(1) == "source") == p.startswith("source.")]
            if len(fits) > 1 and len(words) == 2:
                fits = [p for p in fits if words[0] in p.split(".")]
            return fits[0] if fits else None

        def columns_of(*names):
            return next((kwargs[n] for n in names if n in kwargs), [column] if column else [])

        any_space = {"unique_combination_of_columns", "expect_column_values_to_be_unique", "expect_compound_columns_to_be_unique",
                     "expect_column_values_to_not_be_null", "expect_column_values_to_be_in_set"}
        spaces = {"unique": None, "not_null": None, "relationships": None, "accepted_values": None, "relationships_where": "dbt_utils",
                  "mutually_exclusive_ranges": "dbt_utils", "expression_is_true": "dbt_utils", "accepted_range": "dbt_utils",
                  "primary_key": "dbt_constraints", "unique_key": "dbt_constraints", "foreign_key": "dbt_constraints"}
        if name not in any_space and (name not in spaces or spaces[name] != space):
            return
        if name in ("unique", "expect_column_values_to_be_unique"):
            add("key", [column], lax=True)
        elif name in ("not_null", "expect_column_values_to_not_be_null"):
            add("not null", [column])
        elif name == "unique_combination_of_columns":
            add("key", kwargs["combination_of_columns"])
        elif name == "expect_compound_columns_to_be_unique":
            add("key", kwargs["column_list"], lax=kwargs.get("ignore_row_if") != "never")
        elif name == "relationships":
            add("reference", [column], lax=True, to=(other(kwargs["to"]), (shown(kwargs["field"]),)))
        elif name == "foreign_key":
            field = kwargs.get("pk_column_names") or kwargs.get("pk_column_name") or kwargs["field"]
            field = [field] if isinstance(field, str) else field
            add("reference", columns_of("fk_column_names", "fk_column_name", "column_names"), lax=True,
                to=(other(kwargs.get("pk_table_name") or kwargs["to"]), tuple(shown(f) for f in field)))
        elif name == "primary_key":
            columns = columns_of("column_names")
            add("key", columns)
            for c in columns:
                add("not null", [c])
        elif name == "unique_key":
            add("key", columns_of("column_names"), lax=True)
        elif name in ("accepted_values", "expect_column_values_to_be_in_set"):
            quote = kwargs.get("quote" if name == "accepted_values" else "quote_values", True)
            text = lambda v: str(v) if quote else v if isinstance(v, str) else json.dumps(v)  # noqa: E731  Jinja prints as Python does
            values = kwargs["values" if name == "accepted_values" else "value_set"]
            number = r"[+-]?(\d+\.?\d*|\.\d+)"
            is_known = lambda v: "{{" not in str(v) and (quote or not isinstance(v, str) or re.fullmatch(number, v))  # noqa: E731
            if isinstance(values, list) and all(is_known(v) for v in values):  # no Jinja; columns and NULL are no values
                add("accepted values", [column], extra=tuple(f"'{text(v)}'" if quote else text(v) for v in values))
        elif name == "expression_is_true" and "{{" not in kwargs["expression"]:
            text = f"{test['column_name']} {kwargs['expression']}" if test.get("column_name") else kwargs["expression"]
            add("check", [column] if column else [], extra=text)
        elif name == "accepted_range":
            equal_sign = "=" if kwargs.get("inclusive", True) else ""
            limits = [(">", kwargs.get("min_value")), ("<", kwargs.get("max_value"))]
            if not any("{{" in str(v) for _, v in limits):
                for sign, value in limits:
                    if value is not None:
                        add("check", [column], extra=f"{column} {sign}{equal_sign} {value}")
        elif name in ("mutually_exclusive_ranges", "relationships_where"):
            raise NotImplementedError(name)

    def add_constraints(self, uid, node):
        config = node["config"]
        applied = (config.get("contract") or {}).get("enforced") and config.get("materialized") in ("table", "incremental")
        kept, written = ENFORCED[self.adapter]
        listed = [(c, c.get("columns") or []) for c in node.get("constraints") or []]
        for name, column in (node.get("columns") or {}).items():
            listed += [(c, [name]) for c in column.get("constraints") or []]
        for constraint, columns in listed:
            kind = constraint["type"]
            trust = "guess" if not applied else "enforced" if kind in kept.split() else "declared" if kind in written.split() else "guess"
            origin, usable = "constraint " + kind, trust != "guess"
            if kind in ("primary_key", "unique"):
                self.add(uid, "key", columns, origin, trust, lax=kind == "unique", usable=usable)
            if kind in ("primary_key", "not_null"):
                for c in columns:
                    self.add(uid, "not null", [c], origin, trust, usable=usable)
            if kind in ("foreign_key", "check"):
                raise NotImplementedError(kind)

    def add_snapshot(self, uid, node):
        config = node["config"]
        names = {k: (config.get("snapshot_meta_column_names") or {}).get(k) or k for k in ("dbt_scd_id", "dbt_valid_from", "dbt_valid_to")}
        key = config.get("unique_key") or []
        key = [key] if isinstance(key, str) else key
        guess = lambda kind, columns, lax=False: self.add(uid, kind, columns, "snapshot", "guess", lax, False)  # noqa: E731
        guess("key", [names["dbt_scd_id"]])
        guess("not null", [names["dbt_scd_id"]])
        guess("not null", [names["dbt_valid_from"]])
        if key:
            guess("key", key + [names["dbt_valid_from"]], True)
            guess("key", key, True)

    def parents(self, uid):
        nodes = (self.relations[uid].get("depends_on") or {}).get("nodes") or []
        return [p for p in dict.fromkeys(nodes) if p in self.relations]


def dumped_fact(fact):
    to = (fact["to"], tuple(fact["to_columns"])) if fact["kind"] == "reference" else None
    extra = tuple(fact["values"]) if "values" in fact else fact.get("expression")
    return (fact["kind"], tuple(fact["columns"]), fact["origin"], fact["trust"], fact.get("lax", False), fact.get("usable", False), to, extra)


def check_relation(ours, uid, node, project):
    config = node.get("config") or {}
    equal(ours["name"], node["name"])
    equal(ours["relation_name"], node.get("relation_name"))
    equal(ours["file"], node["original_file_path"])
    equal(ours["fqn"], node.get("fqn") or [])
    equal(ours["tags"], node.get("tags") or config.get("tags") or [])
    equal(ours["materialized"], None if node["resource_type"] == "source" else config.get("materialized"))
    equal(ours.get("compiled"), node.get("compiled_code"), "compiled SQL")
    equal(ours["parents"], project.parents(uid))
    equal(ours["extra_ctes"], [c["id"] for c in node.get("extra_ctes") or []])
    known = (project.catalog.get("nodes") or {}).get(uid) or (project.catalog.get("sources") or {}).get(uid) or {}
    columns = sorted((known.get("columns") or {}).values(), key=lambda c: c["index"])
    contract = (config.get("contract") or {}).get("enforced") and node["resource_type"] == "model"
    yaml = list(node.get("columns") or {})
    equal([(c["name"], c["type"]) for c in ours["columns"] if c.get("catalog")], [(f'"{c["name"]}"', c["type"]) for c in columns])
    equal(ours["closed"], len(columns) or (len(yaml) if contract else 0))
    if not columns:
        equal([c["name"] for c in ours["columns"]], [shown(c, project.quoted(uid, c)).replace("(", "").replace(")", "") for c in yaml])
    if node.get("relation_name") and ours["parts"]:
        equal(ours["parts"][-1].strip('"'), re.sub(r'["`]', "", node["relation_name"]).split(".")[-1])


def check_order(order, project):
    holds(sorted(order) == sorted(project.relations), "the order has each relation once")
    place = {u: i for i, u in enumerate(order)}
    for uid in project.relations:
        for parent in project.parents(uid):
            holds(place[parent] < place[uid], f"{parent} comes before {uid}")


def reach(project, start, step, steps=10**9):
    seen = level = set(start)
    while level and steps:
        level = {n for u in level for n in step[u]} - seen
        seen, steps = seen | level, steps - 1
    return seen


def check_selectors(place, project):
    up = {u: project.parents(u) for u in project.relations}
    down = collections.defaultdict(list)
    for u, parents in up.items():
        for p in parents:
            down[p].append(u)
    models = [u for u, n in project.relations.items() if n["resource_type"] == "model"]
    middle = max(models, key=lambda u: min(len(up[u]), len(down[u])) * 1000 + len(up[u]) + len(down[u]))
    name = project.relations[middle]["name"]
    named = {u for u, n in project.relations.items() if n["name"] == name}
    folder = project.relations[middle]["original_file_path"].rsplit("/", 1)[0]
    below = {u for u, n in project.relations.items() if n["original_file_path"].startswith(folder + "/")
             or (n.get("patch_path") or "").split("://")[-1].startswith(folder + "/")}
    tables = {u for u, n in project.relations.items() if n["resource_type"] != "source" and n["config"].get("materialized") == "table"}
    family = reach(project, reach(project, named, down), up)
    cases = {
        name: named,
        f"+{name}": reach(project, named, up),
        f"{name}+": reach(project, named, down),
        f"1+{name}": reach(project, named, up, 1),
        f"{name}+2": reach(project, named, down, 2),
        f"+{name}+": reach(project, named, up) | reach(project, named, down),
        f"@{name}": family,
        f"path:{folder}": below,
        "resource_type:seed": {u for u, n in project.relations.items() if n["resource_type"] == "seed"},
        "config.materialized:table": tables,
        f"config.materialized:table,+{name}": tables & reach(project, named, up),
        f"{name} resource_type:source": named | {u for u in project.relations if u.startswith("source.")},
        f"package:{middle.split('.')[1]},resource_type:model": {u for u in models if u.split(".")[1] == middle.split(".")[1]},
    }
    for text, expected in cases.items():
        done = subprocess.run([options.dump, place, text], capture_output=True, text=True)
        equal(done.returncode, 0, done.stderr)
        equal(set(done.stdout.split()), expected, f"select {text}")
    done = subprocess.run([options.dump, place, f"+{name}", "resource_type:seed"], capture_output=True, text=True)
    equal(set(done.stdout.split()), {u for u in reach(project, named, up) if not u.startswith("seed.")}, "exclude")


def check_project(path, place):
    opened = gzip.open(path) if path.suffix == ".gz" else path.open("rb")
    with opened as text, open(place / "manifest.json", "wb") as out:
        shutil.copyfileobj(text, out)
    catalog = {}
    if (path.parent / "catalog.json").exists():
        shutil.copyfile(path.parent / "catalog.json", place / "catalog.json")
        catalog = json.loads((place / "catalog.json").read_bytes())
    project = Project(json.loads((place / "manifest.json").read_bytes()), catalog)
    done = subprocess.run([options.dump, str(place)], capture_output=True, text=True)
    equal(done.returncode, 0, done.stderr)
    head, *rows = [json.loads(line) for line in done.stdout.splitlines()]
    ours = {r["unique_id"]: r for r in rows}
    equal(list(ours), list(project.relations), "relations")
    equal(head["tests"], len(project.tests), "tests")
    same_run = catalog and catalog["metadata"]["invocation_id"] == project.manifest["metadata"]["invocation_id"]
    equal(head.get("catalog_is_current", False), bool(same_run), "catalog_is_current")
    check_order(head["order"], project)
    totals = collections.Counter()
    for uid, node in project.relations.items():
        try:
            check_relation(ours[uid], uid, node, project)
            equal(collections.Counter(map(dumped_fact, ours[uid]["facts"])), collections.Counter(project.facts[uid]), "facts")
        except AssertionError as wrong:
            raise AssertionError(f"{uid}: {wrong}") from wrong
        totals.update(f[0] for f in project.facts[uid] if f[5])
    check_selectors(str(place), project)
    return totals


def main():
    manifests = sorted(SHARED.glob("fixtures/dbt/*/manifest.json*")) + sorted(SHARED.glob("fixtures/dbt-projects/*/manifest.json*"))
    manifests = [m for m in manifests if not options.only or options.only in m.parent.name]
    if not manifests:
        print(f"SKIP all: no dbt manifests below {SHARED}")
        finish(0, 0, 1)
    passed = failed = 0
    for path in manifests:
        with tempfile.TemporaryDirectory() as folder:
            try:
                totals = check_project(path, pathlib.Path(folder))
                passed += 1
                print(path.parent.name, "usable:", ", ".join(f"{n} {k}" for k, n in sorted(totals.items())) or "nothing")
            except AssertionError as wrong:
                failed += 1
                print(f"FAILED {path.parent.name}: {wrong}")
    finish(passed, failed, 0)


main()
