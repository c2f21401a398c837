#!/usr/bin/env python3
"""make_bind_corpus.py - the corpora of bind_fuzz and facts_fuzz, from the golden files of plans and of facts.

Called by: people, after a change of tests/golden/plan or tests/golden/grain.  Must not know: what a plan looks like.
"""
import pathlib
import re

TESTS = pathlib.Path(__file__).resolve().parents[1]
DIALECTS = re.findall(r"^DIALECT\((\w+)", (TESTS.parent / "src" / "sql" / "dialect.def").read_text(), re.M)


def cases(text):
    ddl = ""
    for block in re.split(r"\n\n", text):
        lines = [line for line in block.split("\n") if not line.startswith("#")]
        if not lines or "----" not in lines:
            continue
        source = "\n".join(lines[1:lines.index("----")])
        if lines[0].startswith("ddl"):
            ddl = source
        else:
            found = re.search(r"dialect=(\w+)", lines[0])
            yield DIALECTS.index(found[1] if found else "postgres"), ddl, source


def write(golden, target):
    folder = TESTS / "fuzz" / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    count = 0
    for path in sorted((TESTS / "golden" / golden).iterdir()):
        for number, (dialect, ddl, source) in enumerate(cases(path.read_text())):
            (folder / f"{path.name}-{number:02d}").write_bytes(bytes([dialect]) + f"{ddl}\n--\n{source}".encode())
            count += 1
    print(target, count, "files")


write("plan", "bind_fuzz")
write("grain", "facts_fuzz")
