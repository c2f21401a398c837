#!/usr/bin/env python3
"""sql_fixtures.py - parse the compiled SQL of every dbt project and of the dependency corpus of the shared folder.

Called by: tests/suites.ini, people.  Must not know: how SQL is parsed.

usage: sql_fixtures.py --batch BUILD/tests/sql_batch [--shared DIR]
Each text must parse, and what is printed of it must parse to the same tree. A project's models must parse at least as often
as with sqlglot (the table in the README of the projects). Texts that fail for a reason stand in sql_failures.txt, which may
only shrink: what stands there and parses is a failure too. Where the folder is absent everything is skipped.
Last line: `N passed, N failed, N skipped`.
"""
import argparse
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
import suite  # noqa: E402
import sql_texts  # noqa: E402

# Of the whole: a project that is read by nobody is no pass.
LEAST_TEXTS = 13_000


def known_failures():
    """{id: reason}"""
    lines = (HERE / "sql_failures.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines if line and not line.startswith("#"))


def peer_rates(shared):
    """{project: (models, parsed by sqlglot)}"""
    rates = {}
    for line in (shared / "fixtures" / "dbt-projects" / "README.md").read_text(encoding="utf-8").splitlines():
        row = re.fullmatch(r"\| (\S+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|", line)
        if row and row.group(1) != "total":
            rates[row.group(1)] = (int(row.group(2)), int(row.group(3)))
    return rates


class Checks:
    def __init__(self, batch):
        self.batch, self.known = batch, known_failures()
        self.passed = self.failed = 0

    def check(self, good, what):
        self.passed += bool(good)
        self.failed += not good
        if not good:
            print("FAIL", what)

    def texts(self, name, dialect, texts):
        """How many parse; each is checked."""
        answers = sql_texts.ask(self.batch, "check", [(dialect, text) for _, text in texts])
        parsed = 0
        for (id, _), answer in zip(texts, answers):
            good = answer.startswith("ok ")
            parsed += not answer.startswith("error ")
            key = f"{name} {id}"
            if key in self.known:
                self.check(not good, f"{key} is listed in sql_failures.txt and parses: take it out")
            else:
                self.check(good, f"{key}: {answer[:400]}")
        return parsed

    def project(self, name, manifest, rates):
        texts = list(sql_texts.compiled(manifest))
        dialect = sql_texts.dialect(manifest)
        parsed = self.texts(name, dialect, texts)
        models = list(sql_texts.compiled(manifest, {"model", "snapshot"}))
        answers = sql_texts.ask(self.batch, "parse", [(dialect, text) for _, text in models])
        own = sum(answer.startswith("ok ") for answer in answers)
        total, peer = rates[name]
        print(f"{name}: {parsed} of {len(texts)} texts, {own} of {len(models)} models; sqlglot {peer} of {total}")
        self.check(own * total >= peer * len(models), f"{name}: fewer models than sqlglot")
        return len(texts)

    def corpus(self, shared):
        entries = json.loads((shared / "oracles" / "fd_corpus.json").read_text(encoding="utf-8"))
        for key in ("sql", "ddl"):
            texts = [(f"{e['id']} {key}", e[key] if isinstance(e[key], str) else ";\n".join(e[key])) for e in entries]
            parsed = self.texts("fd_corpus", "postgres", texts)
            print(f"fd_corpus {key}: {parsed} of {len(texts)}")
        return 2 * len(entries)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--batch", required=True, type=pathlib.Path)
    parser.add_argument("--shared", type=pathlib.Path, default=HERE.parents[2] / "shared")
    options = parser.parse_args()
    if not (options.shared / "fixtures" / "dbt-projects").is_dir():
        print(f"SKIP: no folder {options.shared}")
        suite.finish(0, 0, 1)
    checks, rates, texts = Checks(options.batch), peer_rates(options.shared), 0
    for name, manifest in sql_texts.manifests(options.shared):
        texts += checks.project(name, manifest, rates)
    texts += checks.corpus(options.shared)
    checks.check(texts >= LEAST_TEXTS, f"expected at least {LEAST_TEXTS} texts, found {texts}")
    suite.finish(checks.passed, checks.failed, 0)


if __name__ == "__main__":
    main()
