#!/usr/bin/env python3
"""dialect_forms.py - what each dialect writes parses in it, and what is printed of it parses to the same tree.

    dialect_forms.py --batch build/dev/tests/sql_batch

Called by: test.sh.  Must not know: how SQL is parsed.

dialect_forms.txt has a line a form: the dialects that have it, a colon, a statement.
"""
import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import sql_texts  # noqa: E402


def forms():
    for line in (HERE / "dialect_forms.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            dialects, statement = line.split(": ", 1)
            for dialect in dialects.split():
                yield dialect, statement.replace("\\n", "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--batch", required=True)
    options = parser.parse_args()
    texts = list(forms())
    done = subprocess.run([options.batch, "check"], input=sql_texts.records(texts), stdout=subprocess.PIPE, check=True)
    answers = [line for line in done.stdout.decode().splitlines() if line.split(" ")[0] in ("ok", "error", "differs")]
    wrong = [(text, answer) for text, answer in zip(texts, answers) if not answer.startswith("ok")]
    for (dialect, statement), answer in wrong:
        print(f"FAILED {dialect}: {statement!r}: {answer}")
    if len(answers) != len(texts):
        print(f"FAILED: {len(texts)} statements, {len(answers)} answers")
    failed = len(wrong) + (len(answers) != len(texts))
    print(f"{len(texts) - len(wrong)} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
