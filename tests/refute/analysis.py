"""analysis.py - what the analysis states of a query, from tests/tools/facts_batch.

Called by: refute.py, shrink.py, witness.py.  Must not know: rows.
"""
import json
import subprocess


class Analysis:
    """`lie`: a function from DDL to the DDL that the analysis gets instead. A test of the harness: lies must be refuted."""

    def __init__(self, batch, lie=None):
        self.batch, self.lie = batch, lie or (lambda ddl: ddl)

    def ask(self, dialect, texts, ddl, mode="facts"):
        """For each text its facts, a dict, or the message of an error, a text."""
        ddl = self.lie(ddl).encode()
        records = b"".join(f"{dialect} {len(t.encode())} {len(ddl)}\n".encode() + t.encode() + ddl for t in texts)
        done = subprocess.run([self.batch, mode], input=records, capture_output=True)
        lines = done.stdout.decode().splitlines()
        out = [json.loads(line) for line in lines]
        if len(out) == len(texts):
            return [f if "error" not in f else f["error"] for f in out]
        crashed = f"crash {done.returncode}: {done.stderr.decode()[-600:]}"
        rest = texts[len(out) + 1:]
        return [f if "error" not in f else f["error"] for f in out] + [crashed] + (self.ask(dialect, rest, ddl.decode(), mode) if rest else [])
