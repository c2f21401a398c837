#!/usr/bin/env python3
"""make_sql_corpus.py - the corpus of script_fuzz: every input of the golden files about statements, a file each.

Called by: people, when these golden files change.  Must not know: what the statements mean.
"""
import hashlib
import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))
from run_golden import parse_file  # noqa: E402


def main():
    target = TESTS / "fuzz" / "corpus" / "script_fuzz"
    target.mkdir(parents=True, exist_ok=True)
    for old in target.iterdir():
        old.unlink()
    for golden in sorted((TESTS / "golden" / "sql").glob("script_*")):
        for block in parse_file(golden.read_text(encoding="utf-8"))[1]:
            data = "\n".join(block.input).encode()
            (target / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)


if __name__ == "__main__":
    main()
