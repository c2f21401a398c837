#!/usr/bin/env python3
"""make_manifest_corpus.py - the corpus of manifest_fuzz, from the golden files of dbt: manifest, catalog, run results, a selection."""
import pathlib
import re

TESTS = pathlib.Path(__file__).resolve().parents[1]
FOLDER = TESTS / "fuzz" / "corpus" / "manifest_fuzz"
SELECTIONS = ["+mart", "@stg_a 1+x+2", "tag:a,path:models/*", "ref('dim', v=2)", "source('raw', \"t\")", "__dbt__cte__eph", "stg_[!a-c]*"]

FOLDER.mkdir(parents=True, exist_ok=True)
for golden in sorted((TESTS / "golden" / "dbt").iterdir()):
    text = re.sub(r"^#.*\n", "", golden.read_text(), flags=re.M)
    blocks = re.findall(r"^(manifest|catalog|run_results|project)\n(.*?)\n----$", text, flags=re.M | re.S)
    found = {}
    manifests = [body for name, body in blocks if name == "manifest" or (name == "project" and body.lstrip().startswith(("{", "[")))]
    for name, body in blocks:
        found.setdefault(name, body)
    for number, manifest in enumerate(manifests):
        parts = [manifest, found.get("catalog", "{}"), found.get("run_results", "{}"), SELECTIONS[number % len(SELECTIONS)]]
        (FOLDER / f"{golden.name}_{number}").write_text("\n--\n".join(parts))
