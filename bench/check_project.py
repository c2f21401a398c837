#!/usr/bin/env python3
"""check_project.py - how long `lakeproof check` takes on a dbt project of many models, beside Python's json over its manifest.

    check_project.py --binary build/release/lakeproof [--models N ...]

Called by: people.  Must not know: how models are analysed.

Writes a manifest of N models in layers as projects have them (staging models that rename, intermediate joins, marts that group), with
tests and columns. Prints one JSON line: processor seconds, peak memory, and the processor seconds of json.load, for each N.
"""
import argparse
import json
import subprocess
import sys

import measure

HEAD = {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json", "adapter_type": "postgres", "project_name": "p"}

STAGING = """with source as (
    select * from "d"."raw"."t{n}"
), renamed as (
    select id as entity_id, parent_id, customer_id, status, cast(amount as numeric(18, 2)) as amount, created_at,
        updated_at, lower(email) as email, coalesce(region, 'none') as region, is_deleted
    from source
)
select * from renamed where not is_deleted
"""
JOINED = """with a as (
    select * from {a}
), b as (
    select * from {b}
), latest as (
    select *, row_number() over (partition by customer_id order by updated_at desc) as place from b
), joined as (
    select a.entity_id, a.customer_id, a.status, a.amount, a.created_at, a.region, b.amount as other_amount, latest.status as last_status
    from a
    left join b on b.entity_id = a.parent_id
    left join latest on latest.customer_id = a.customer_id and latest.place = 1
)
select * , amount - coalesce(other_amount, 0) as difference from joined
"""
MART = """with rows_in as (
    select * from {a}
), per_customer as (
    select customer_id, region, count(*) as entities, sum(amount) as amount, max(created_at) as last_at,
        sum(case when status = 'done' then 1 else 0 end) as done
    from rows_in group by customer_id, region
), other as (
    select customer_id, avg(amount) as average from {b} group by 1
)
select per_customer.*, other.average, per_customer.amount / nullif(per_customer.entities, 0) as mean
from per_customer left join other on other.customer_id = per_customer.customer_id
"""


def relation(number):
    return f'"d"."s"."m{number}"'


def sql_of(number):
    """Of three models one is staging, one joins the two before it, one groups."""
    a, b = max(number - 1, 0), max(number - 2, 0)
    if number % 3 == 0:
        return STAGING.format(n=number), [f"source.p.raw.t{number}"]
    if number % 3 == 1:
        b = max(number - 4, 0) // 3 * 3
    text = JOINED if number % 3 == 1 else MART
    return text.format(a=relation(a), b=relation(b)), [f"model.p.m{a}", f"model.p.m{b}"]


def model(number):
    sql, parents = sql_of(number)
    uid = f"model.p.m{number}"
    return uid, {
        "resource_type": "model", "unique_id": uid, "package_name": "p", "name": f"m{number}", "alias": f"m{number}", "database": "d",
        "schema": "s", "relation_name": relation(number), "original_file_path": f"models/m{number}.sql", "fqn": ["p", f"m{number}"],
        "tags": [], "language": "sql", "config": {"enabled": True, "materialized": "table", "meta": {}, "tags": []},
        "columns": {name: {"name": name, "description": "what it is " * 8} for name in ("entity_id", "customer_id", "amount", "status")},
        "depends_on": {"macros": [], "nodes": sorted(set(parents))}, "raw_code": sql, "compiled": True, "compiled_code": sql}


def tests(number):
    if number % 3:
        return
    for name in ("unique", "not_null"):
        uid = f"test.p.{name}_m{number}"
        yield uid, {"resource_type": "test", "unique_id": uid, "package_name": "p", "name": f"{name}_m{number}", "column_name": "entity_id",
                    "attached_node": f"model.p.m{number}", "config": {"severity": "ERROR", "warn_if": "!= 0", "error_if": "!= 0"},
                    "test_metadata": {"name": name, "namespace": None, "kwargs": {"column_name": "entity_id", "model": "{{ x }}"}},
                    "depends_on": {"nodes": [f"model.p.m{number}"]}, "compiled_code": "select * from x where c0 is null\n"}


def source(number):
    uid = f"source.p.raw.t{number}"
    return uid, {"resource_type": "source", "unique_id": uid, "package_name": "p", "source_name": "raw", "name": f"t{number}",
                 "identifier": f"t{number}", "database": "d", "schema": "raw", "relation_name": f'"d"."raw"."t{number}"',
                 "original_file_path": "models/sources.yml", "columns": {}, "config": {"enabled": True}, "fqn": ["p", "raw", f"t{number}"]}


def write_manifest(count):
    nodes, sources = {}, {}
    for number in range(count):
        nodes |= dict([model(number), *tests(number)])
        if number % 3 == 0:
            sources |= dict([source(number)])
    path = measure.FOLDER / f"manifest-{count}.json"
    path.write_text(json.dumps({"metadata": HEAD, "nodes": nodes, "sources": sources, "macros": {}}))
    return path


def measured(options, count):
    path = write_manifest(count)
    ours = measure.best_of(options.runs, options.binary, ["check", str(path), "--fail-on", "never"])
    timed = "import json,time; t=time.process_time(); json.load(open(%r)); print(time.process_time()-t)" % str(path)
    peer = min(float(subprocess.run([sys.executable, "-c", timed], capture_output=True, check=True).stdout) for _ in range(options.runs))
    return {"models": count, "manifest_mb": round(path.stat().st_size / 1e6, 1), **ours.figures(), "json_load_s": round(peer, 4)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--models", type=int, nargs="*", default=[500, 5000])
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    print(json.dumps({"benchmark": "check_project", "runs": [measured(options, count) for count in options.models]}))


if __name__ == "__main__":
    main()
