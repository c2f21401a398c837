#!/usr/bin/env python3
"""make_shop.py - writes what dbt makes of the example project `shop`: target/manifest.json, and the YAML beside the models.

    python3 examples/make_shop.py [--check]     (standard library only; --check compares and writes nothing)

Called by: people; tests/cli/test_project.py with --check.  Must not know: lakeproof.

The SQL of the models is theirs; what is declared of sources and models stands below, once, and goes into both the YAML files and
the manifest. The manifest is one of version 12 with the keys that describe relations, tests and SQL; `dbt compile` in the project
(with a profile `shop` for DuckDB) writes one with all of them.
"""
import hashlib
import json
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent / "shop"
DATABASE, SCHEMA = "warehouse", "main"
SOURCES = {
    "customers": {"columns": {"customer_id": ["unique", "not_null"], "region": []}},
    "orders": {"columns": {"order_id": ["unique", "not_null"], "customer_id": ["not_null", {"relationships": ("shop", "customers", "customer_id")}],
                           "order_date": [], "shipping_fee": []}},
    "order_items": {"grain": ["order_id", "line_id"],
                    "columns": {"order_id": ["not_null", {"relationships": ("shop", "orders", "order_id")}], "line_id": ["not_null"],
                                "quantity": [], "unit_price": []}},
}
MODELS = {
    "order_lines": {"columns": {}},
    "daily_revenue": {"columns": {"order_date": ["unique"]}},
    "daily_revenue_by_order": {"columns": {"order_date": ["unique"]}},
    "customer_fees": {"columns": {"customer_id": ["unique"]}},
}


def source_id(name):
    return f"source.shop.shop.{name}"


def model_id(name):
    return f"model.shop.{name}"


def relation_name(name):
    return f'"{DATABASE}"."{SCHEMA}"."{name}"'


# ---------------------------------------------------------------- YAML


def yaml_columns(columns, indent):
    lines = []
    for name, tests in columns.items():
        lines.append(f"{indent}- name: {name}")
        if tests:
            lines.append(f"{indent}  data_tests:")
        for test in tests:
            if isinstance(test, str):
                lines.append(f"{indent}    - {test}")
                continue
            group, table, field = test["relationships"]
            lines += [f"{indent}    - relationships:", f"{indent}        to: source('{group}', '{table}')", f"{indent}        field: {field}"]
    return lines


def yaml_of(relations, indent):
    lines = []
    for name, declared in relations.items():
        lines.append(f"{indent}- name: {name}")
        if "grain" in declared:
            lines += [f"{indent}  config:", f"{indent}    meta:", f"{indent}      cardinal:", f"{indent}        grain: [{', '.join(declared['grain'])}]"]
        if declared["columns"]:
            lines.append(f"{indent}  columns:")
            lines += yaml_columns(declared["columns"], indent + "    ")
    return lines


def sources_yaml():
    head = ["version: 2", "sources:", "  - name: shop", f"    database: {DATABASE}", f"    schema: {SCHEMA}", "    tables:"]
    return "\n".join(head + yaml_of(SOURCES, "      ")) + "\n"


def models_yaml():
    return "\n".join(["version: 2", "models:"] + yaml_of(MODELS, "  ")) + "\n"


# ---------------------------------------------------------------- manifest


def column(name):
    return {"name": name, "description": "", "meta": {}, "data_type": None, "constraints": [], "quote": None, "config": {"meta": {}, "tags": []}, "tags": []}


def meta_of(declared):
    return {"cardinal": {"grain": declared["grain"]}} if "grain" in declared else {}


def source_node(name, declared):
    return {"database": DATABASE, "schema": SCHEMA, "name": name, "resource_type": "source", "package_name": "shop", "path": "models/sources.yml",
            "original_file_path": "models/sources.yml", "unique_id": source_id(name), "fqn": ["shop", "shop", name], "source_name": "shop",
            "source_description": "", "loader": "", "identifier": name, "quoting": {}, "description": "",
            "columns": {c: column(c) for c in declared["columns"]}, "meta": meta_of(declared), "source_meta": {}, "tags": [],
            "config": {"enabled": True, "meta": meta_of(declared)}, "relation_name": relation_name(name)}


def sql_file(name):
    return next(p for p in sorted(FOLDER.glob("models/**/*.sql")) if p.stem == name)


def compile_sql(raw):
    """ref and source become names of relations, as in the database; the line end at the end of the file goes."""
    sources = re.findall(r"{{ source\('(\w+)', '(\w+)'\) }}", raw)
    refs = re.findall(r"{{ ref\('(\w+)'\) }}", raw)
    text = re.sub(r"{{ source\('\w+', '(\w+)'\) }}|{{ ref\('(\w+)'\) }}", lambda m: relation_name(m.group(1) or m.group(2)), raw)
    return text.rstrip("\n"), [list(s) for s in sources], refs


def model_node(name, declared):
    path = sql_file(name).relative_to(FOLDER)
    raw = (FOLDER / path).read_text(encoding="utf-8").rstrip("\n")
    compiled, sources, refs = compile_sql(raw)
    inside = str(path.relative_to("models"))
    return {"database": DATABASE, "schema": SCHEMA, "name": name, "resource_type": "model", "package_name": "shop", "path": inside,
            "original_file_path": str(path), "unique_id": model_id(name), "fqn": ["shop", *inside.removesuffix(".sql").split("/")], "alias": name,
            "checksum": {"name": "sha256", "checksum": hashlib.sha256(raw.encode()).hexdigest()},
            "config": {"enabled": True, "materialized": "view", "tags": [], "meta": meta_of(declared), "unique_key": None,
                       "contract": {"enforced": False, "alias_types": True}}, "tags": [], "description": "",
            "columns": {c: column(c) for c in declared["columns"]}, "meta": meta_of(declared), "patch_path": "shop://models/models.yml",
            "relation_name": relation_name(name), "raw_code": raw, "language": "sql",
            "refs": [{"name": r, "package": None, "version": None} for r in refs], "sources": sources, "metrics": [],
            "depends_on": {"macros": [], "nodes": [source_id(s[1]) for s in sources] + [model_id(r) for r in refs]},
            "compiled_path": f"target/compiled/shop/{path}", "compiled": True, "compiled_code": compiled, "extra_ctes_injected": True,
            "extra_ctes": [], "contract": {"enforced": False, "alias_types": True, "checksum": None}, "access": "protected", "constraints": [],
            "version": None, "latest_version": None, "primary_key": []}


def test_node(of, is_source, field, test):
    name = test if isinstance(test, str) else "relationships"
    reference = f"source('shop', '{of}')" if is_source else f"ref('{of}')"
    kwargs = {"column_name": field, "model": "{{ get_where_subquery(" + reference + ") }}"}
    nodes = [source_id(of) if is_source else model_id(of)]
    label = f"{'source_' if is_source else ''}{name}_{'shop_' if is_source else ''}{of}_{field}"
    sources = [["shop", of]] if is_source else []
    if name == "relationships":
        group, table, to_field = test["relationships"]
        kwargs |= {"to": f"source('{group}', '{table}')", "field": to_field}
        label += f"__{to_field}__source_{group}_{table}_"
        nodes.insert(0, source_id(table))
        sources.insert(0, [group, table])
    unique_id = f"test.shop.{label}.{hashlib.md5(label.encode()).hexdigest()[:10]}"
    return {"database": DATABASE, "schema": f"{SCHEMA}_dbt_test__audit", "name": label, "resource_type": "test", "package_name": "shop",
            "path": f"{label}.sql", "original_file_path": "models/sources.yml" if is_source else "models/models.yml", "unique_id": unique_id,
            "fqn": ["shop", label], "alias": label, "checksum": {"name": "none", "checksum": ""},
            "config": {"enabled": True, "materialized": "test", "severity": "ERROR", "where": None, "limit": None, "fail_calc": "count(*)",
                       "warn_if": "!= 0", "error_if": "!= 0", "tags": [], "meta": {}}, "tags": [], "description": "", "columns": {}, "meta": {},
            "relation_name": None, "raw_code": "{{ test_" + name + "(**_dbt_generic_test_kwargs) }}", "language": "sql",
            "refs": [] if is_source else [{"name": of, "package": None, "version": None}], "sources": sources, "metrics": [],
            "depends_on": {"macros": [f"macro.dbt.test_{name}", "macro.dbt.get_where_subquery"], "nodes": nodes}, "compiled_path": None,
            "contract": {"enforced": False, "alias_types": True, "checksum": None}, "column_name": field,
            "file_key_name": f"{'sources.shop' if is_source else 'models.' + of}", "attached_node": None if is_source else model_id(of),
            "test_metadata": {"name": name, "kwargs": kwargs, "namespace": None}}


def manifest():
    nodes = {model_id(name): model_node(name, declared) for name, declared in MODELS.items()}
    for relations, is_source in ((MODELS, False), (SOURCES, True)):
        for of, declared in relations.items():
            for field, tests in declared["columns"].items():
                for test in tests:
                    node = test_node(of, is_source, field, test)
                    nodes[node["unique_id"]] = node
    sources = {source_id(name): source_node(name, declared) for name, declared in SOURCES.items()}
    parents = {key: node["depends_on"]["nodes"] for key, node in nodes.items()} | {key: [] for key in sources}
    children = {key: sorted(k for k, above in parents.items() if key in above) for key in parents}
    return {"metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json", "dbt_version": "1.10.0",
                         "generated_at": "2025-01-01T00:00:00Z", "invocation_id": None, "env": {}, "project_name": "shop", "adapter_type": "duckdb",
                         "quoting": {"database": True, "schema": True, "identifier": True, "column": None}},
            "nodes": nodes, "sources": sources, "macros": {}, "docs": {}, "exposures": {}, "metrics": {}, "groups": {}, "selectors": {},
            "disabled": {}, "parent_map": parents, "child_map": children, "group_map": {}, "saved_queries": {}, "semantic_models": {},
            "unit_tests": {}}


def main():
    made = {"models/sources.yml": sources_yaml(), "models/models.yml": models_yaml(),
            "target/manifest.json": json.dumps(manifest(), indent=1) + "\n"}
    for name, text in made.items():
        path = FOLDER / name
        if "--check" not in sys.argv:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path} is not what make_shop.py writes: run it without --check")


if __name__ == "__main__":
    main()
