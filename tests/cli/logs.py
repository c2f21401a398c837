"""logs.py - Delta logs written by hand, for the suites of this folder.

Called by: test_bad_input.py, test_limits.py, test_counters.py.  Must not know: what is tested with them.
"""
import json
import os
import pathlib
import subprocess
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parents[2]
SCRATCH = tempfile.TemporaryDirectory(prefix="lakeproof-logs-")
ROOT = pathlib.Path(SCRATCH.name)
FIELDS = [("country", "string"), ("age", "integer"), ("score", "double"), ("day", "date"), ("name", "string")]
_made = 0


def field(name, kind, **metadata):
    return {"name": name, "type": kind, "nullable": True, "metadata": metadata}


def protocol(reader=1, writer=2, **features):
    return {"protocol": {"minReaderVersion": reader, "minWriterVersion": writer, **features}}


def metadata(fields=None, partition=("country",), **more):
    schema = {"type": "struct", "fields": fields if fields is not None else [field(*f) for f in FIELDS]}
    return {"metaData": {"id": "t", "format": {"provider": "parquet", "options": {}}, "schemaString": json.dumps(schema),
                         "partitionColumns": list(partition), "configuration": {}, "createdTime": 0, **more}}


def add(path, country="DE", stats=None, **more):
    action = {"path": path, "partitionValues": {"country": country}, "size": 1000, "modificationTime": 0, "dataChange": True}
    if stats is not None:
        action["stats"] = stats if isinstance(stats, str) else json.dumps(stats)
    return {"add": {**action, **more}}


def ages(low, high, rows=10):
    return {"numRecords": rows, "minValues": {"age": low}, "maxValues": {"age": high}, "nullCount": {"age": 0}}


def start():
    return [protocol(), metadata()]


def lines(actions):
    """Actions as the bytes of a commit; bytes pass as they are."""
    if isinstance(actions, bytes):
        return actions
    return b"".join((a if isinstance(a, bytes) else json.dumps(a).encode()) + b"\n" for a in actions)


def table(*commits, files=None):
    """A table whose commit v is commits[v] (None: not there); `files` are more files of the log by name."""
    global _made
    _made += 1
    folder = ROOT / f"table-{_made}"
    log = folder / "_delta_log"
    log.mkdir(parents=True)
    for version, actions in enumerate(commits):
        if actions is not None:
            (log / f"{version:020d}.json").write_bytes(lines(actions))
    for name, content in (files or {}).items():
        (log / name).parent.mkdir(parents=True, exist_ok=True)
        (log / name).write_bytes(content)
    return folder


def log_file(folder, name):
    return folder / "_delta_log" / name


def commit_file(folder, version):
    return log_file(folder, f"{version:020d}.json")


class Program:
    """The binary under one of its names."""

    def __init__(self, binary, name):
        self.binary, self.name = os.path.abspath(binary), name
        self.prefix = [] if name == "delta-explain" else ["prune"]
        self.error = "Error: " if name == "delta-explain" else "error: "

    def run(self, *arguments, stdin=b"", timeout=10, env=None, **more):
        return subprocess.run([self.name, *self.prefix, *map(str, arguments)], executable=self.binary, input=stdin,
                              capture_output=True, timeout=timeout, env=dict(os.environ, **(env or {})), **more)

    def report(self, *arguments, **more):
        done = self.run(*arguments, "--format", "json", **more)
        if done.returncode != 0:
            raise AssertionError(f"{self.name} {arguments}: exit {done.returncode}: {done.stderr.decode()[:500]}")
        return json.loads(done.stdout)
