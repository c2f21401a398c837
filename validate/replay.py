"""replay.py - an own replay of a Delta log in plain Python: which files are live, with what metadata.

Called by: validate.py.  Must not know: predicates, the program under test.
Source: PROTOCOL.md: Delta Log Entries, Action Reconciliation, Column Mapping.

It reads commits only. A table whose log was cleaned needs a checkpoint, which is Parquet and beyond the standard library:
replay() then raises NeedsCheckpoint.
"""
import json
import pathlib
from decimal import Decimal


class NeedsCheckpoint(Exception):
    """A commit from 0 on is missing."""


class File:
    def __init__(self, add):
        self.path = add["path"]
        self.vector = vector_id(add)
        self.partition = add.get("partitionValues") or {}
        self.size = add["size"]
        self.stats = read_stats(add.get("stats"))

    @property
    def name(self):
        """As reports name it: two live files may share a path, then the vector tells them apart."""
        return self.path, self.vector


class Column:
    def __init__(self, field, partition_columns, is_mapped):
        self.name = field["name"]
        self.type = field["type"]
        self.metadata = field.get("metadata") or {}
        self.key = self.metadata.get("delta.columnMapping.physicalName", self.name) if is_mapped else self.name
        self.is_partition = self.name in partition_columns


class Table:
    def __init__(self, version, protocol, metadata, files, names_writer):
        self.version = version
        self.protocol = protocol
        self.configuration = metadata.get("configuration") or {}
        mapped = self.configuration.get("delta.columnMapping.mode", "none") != "none"
        self.partition_columns = metadata["partitionColumns"]
        fields = json.loads(metadata["schemaString"])["fields"] if metadata.get("schemaString") else []
        self.columns = [Column(f, self.partition_columns, mapped) for f in fields]
        self.files = files
        self.names_writer = names_writer

    def has_feature(self, name):
        return any(name in (self.protocol.get(k) or []) for k in ("readerFeatures", "writerFeatures"))


def read_stats(text):
    """Numbers with a point stay Decimal: what they are depends on the column's type."""
    if not text:
        return None
    try:
        stats = json.loads(text, parse_float=Decimal)
    except ValueError:
        return None
    return stats if isinstance(stats, dict) else None


def vector_id(action):
    v = action.get("deletionVector")
    if not v:
        return None
    offset = v.get("offset")
    return v["storageType"] + v["pathOrInlineDv"] + (f"@{offset}" if offset is not None else "")


def commits(folder):
    log = pathlib.Path(folder, "_delta_log")
    return {int(p.stem): p for p in log.glob("*.json") if len(p.stem) == 20 and p.stem.isdigit()}


def actions_of(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield from json.loads(line).items()


def replay(folder, version=None):
    """The table at `version`, the latest if None."""
    by_version = commits(folder)
    checkpoints = [int(p.name[:20]) for p in pathlib.Path(folder, "_delta_log").glob("*.checkpoint*.*") if p.name[:20].isdigit()]
    last = max(list(by_version) + checkpoints) if version is None else version
    if any(v not in by_version for v in range(last + 1)):
        raise NeedsCheckpoint(folder)
    protocol = metadata = None
    live, names_writer = {}, False
    for v in range(last + 1):
        added, removed = [], []
        for kind, action in actions_of(by_version[v]):
            if kind == "add":
                added.append(action)
            elif kind == "remove":
                removed.append((action["path"], vector_id(action)))
            elif kind == "protocol":
                protocol = action
            elif kind == "metaData":
                metadata = action
            names_writer |= kind == "commitInfo"
        for key in removed:  # order inside a commit carries no meaning
            live.pop(key, None)
        for action in added:
            live[action["path"], vector_id(action)] = File(action)
    return Table(last, protocol, metadata, list(live.values()), names_writer)
