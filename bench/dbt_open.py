#!/usr/bin/env python3
"""dbt_open.py - how long it takes to open a dbt project, beside Python's json over the same manifest.

    dbt_open.py --binary build/release/lakeproof [--models N] [--sql-bytes N]

Called by: people.  Must not know: how a manifest is read.

Writes a manifest of N models with their macros, tests and columns, and plans one line of SQL with it and without it. Prints one JSON
line: megabytes, processor seconds of the difference, peak memory, and the processor seconds of json.load.
"""
import argparse
import json
import pathlib
import subprocess
import sys

import measure

HEAD = {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json", "adapter_type": "postgres", "project_name": "p"}


def model(number, sql_bytes):
    uid, sql = f"model.p.m{number}", "select a.id, \"b\".name\nfrom x as a\n"
    return uid, {
        "resource_type": "model", "unique_id": uid, "package_name": "p", "name": f"m{number}", "alias": f"m{number}", "database": "d",
        "schema": "s", "relation_name": f'"d"."s"."m{number}"', "original_file_path": f"models/m{number}.sql", "fqn": ["p", f"m{number}"],
        "tags": [], "language": "sql", "config": {"enabled": True, "materialized": "table", "meta": {}, "tags": []},
        "columns": {f"c{i}": {"name": f"c{i}", "description": "what it is " * 8, "data_type": "int"} for i in range(15)},
        "depends_on": {"macros": [], "nodes": [f"model.p.m{number - i}" for i in (1, 2, 7) if number >= i]},
        "raw_code": sql * (sql_bytes // len(sql)), "compiled": True, "compiled_code": sql * (sql_bytes // len(sql))}


def tests(number):
    for name in ("unique", "not_null"):
        uid = f"test.p.{name}_m{number}"
        yield uid, {"resource_type": "test", "unique_id": uid, "package_name": "p", "name": f"{name}_m{number}", "column_name": "c0",
                    "attached_node": f"model.p.m{number}", "config": {"severity": "ERROR", "warn_if": "!= 0", "error_if": "!= 0"},
                    "test_metadata": {"name": name, "namespace": None, "kwargs": {"column_name": "c0", "model": "{{ x }}"}},
                    "depends_on": {"nodes": [f"model.p.m{number}"]}, "compiled_code": "select * from x where c0 is null\n" * 4}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--models", type=int, default=2000)
    parser.add_argument("--sql-bytes", type=int, default=2500)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    nodes = {}
    for number in range(options.models):
        nodes |= dict([model(number, options.sql_bytes), *tests(number)])
    macros = {f"macro.dbt.m{i}": {"macro_sql": "{% macro x() %}\n  \"quoted\"\n{% endmacro %}\n" * 60} for i in range(700)}
    path, sql = measure.FOLDER / "manifest.json", measure.FOLDER / "one.sql"
    path.write_text(json.dumps({"metadata": HEAD, "nodes": nodes, "sources": {}, "macros": macros}))
    sql.write_text("select 1")
    plan = ["sql", "plan", str(sql)]
    without = measure.best_of(options.runs, options.binary, plan)
    ours = measure.best_of(options.runs, options.binary, [*plan, "--manifest", str(path)])
    timed = "import json,time; t=time.process_time(); json.load(open(%r)); print(time.process_time()-t)" % str(path)
    peer = min(float(subprocess.run([sys.executable, "-c", timed], capture_output=True, check=True).stdout) for _ in range(options.runs))
    size = pathlib.Path(path).stat().st_size / 1e6
    spent = ours.cpu_s - without.cpu_s
    print(json.dumps({"bench": "dbt_open", "models": options.models, "megabytes": round(size, 1), "cpu_s": round(spent, 4),
                      "megabytes_per_s": round(size / max(spent, 1e-4)), "peak_mb": ours.figures()["peak_mb"],
                      "python_json_s": round(peer, 3)}))


main()
