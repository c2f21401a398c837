#!/usr/bin/env python3
"""sql_vs_sqlglot.py - how fast the compiled models of the shared folder parse, beside sqlglot.

    sql_vs_sqlglot.py --batch build/release/tests/sql_batch [--shared ../shared] [--sample N]

Called by: people.  Must not know: how SQL is parsed.

Prints one JSON line: megabytes a second of both (sqlglot over every Nth model, ours over all, the fastest round of a second),
their ratio, the time of one statement of 5 MB, parsed and parsed with its names resolved, and of wide queries. Needs the Python
package sqlglot.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "compare"))
import sql_texts  # noqa: E402


def ours(batch, texts):
    done = subprocess.run([str(batch), "time"], input=sql_texts.records(texts), stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def peer(texts):
    import sqlglot

    done = size = 0
    start = time.process_time()
    for dialect, text in texts:
        try:
            sqlglot.parse(text, read=dialect)
        except sqlglot.errors.SqlglotError:
            continue  # counts for nothing, neither bytes nor a model
        done += 1
        size += len(text.encode())
    return done, size / (time.process_time() - start) / 1e6


def long_statement(megabytes):
    parts, size = [], 0
    while size < megabytes * 1_000_000:
        parts.append(f"coalesce(t.column_{len(parts)}, 0) * (1 + t.rate) as result_{len(parts)}")
        size += len(parts[-1]) + 2
    return "select " + ", ".join(parts) + " from t where t.a = 1"


def wide_queries():
    columns, ctes = 20000, 5000
    names = [f"column_{i}" for i in range(columns)]
    chain = ", ".join(f"q{i} as (select a + {i} as a from q{i - 1})" for i in range(1, ctes))
    yield "plan_of_5_mb", "ansi", long_statement(5), ""
    yield "plan_of_20000_columns", "postgres", f"select {', '.join(names)} from t", f"create table t ({' int, '.join(names)} int)"
    yield "plan_of_5000_ctes", "postgres", f"with q0 as (select 1 as a), {chain} select * from q{ctes - 1}", ""


def planned(batch):
    found = {}
    for name, dialect, sql, ddl in wide_queries():
        record = f"{dialect} {len(sql.encode())} {len(ddl.encode())}\n{sql}{ddl}"
        done = subprocess.run([str(batch), "time"], input=record.encode(), stdout=subprocess.PIPE, check=True)
        found[f"{name}_seconds"] = round(json.loads(done.stdout)["seconds"], 4)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--batch", required=True)
    parser.add_argument("--shared", type=pathlib.Path, default=HERE.parents[1] / "shared")
    parser.add_argument("--sample", type=int, default=20)
    options = parser.parse_args()
    texts = [(sql_texts.dialect(manifest), text) for name, manifest in sql_texts.manifests(options.shared)
             if not name.startswith("../") for _, text in sql_texts.compiled(manifest, {"model", "snapshot"})]
    own, (models, speed) = ours(options.batch, texts), peer(texts[:: options.sample])
    one = ours(options.batch, [("ansi", long_statement(5))])
    print(json.dumps({"models": own["texts"], "mb_per_second": own["mb_per_second"], "sqlglot_models": models,
                      "sqlglot_mb_per_second": round(speed, 3), "ratio": round(own["mb_per_second"] / speed, 1),
                      "statement_of_5_mb_seconds": round(one["seconds"], 4),
                      "statement_of_5_mb_arena_bytes": one["arena_peak_bytes"],
                      **planned(pathlib.Path(options.batch).with_name("plan_batch"))}))


if __name__ == "__main__":
    main()
