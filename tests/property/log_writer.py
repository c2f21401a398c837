"""log_writer.py - write the log of a recipe into a folder.

Called by: random_logs.py.  Must not know: lakeproof, what a version means (log_model.py does).
Source: PROTOCOL.md: File Types, Checkpoint Schema, V2 Spec, Last Checkpoint File, Version Checksum File.

Checkpoints in Parquet need pyarrow; without it (HAS_PARQUET) only JSON ones without sidecars can be written. All that the
recipe leaves open (the order of keys and rows, blanks, encodings of Parquet) is drawn from recipe["style"], so that a
recipe always gives the same bytes.
"""
import hashlib
import json
import os
import random
import urllib.parse

from log_model import record_count, replay

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
    HAS_PARQUET = True
except ImportError:
    HAS_PARQUET = False

UUID = "6a6ff8e1-3b1c-4f4e-9a55-%012x"


# ---------------------------------------------------------------- JSON


class Style:
    """How one writer spells JSON. Meaning does not depend on it."""

    def __init__(self, rng):
        self.rng = rng
        self.ascii = rng.random() < 0.3
        self.separators = rng.choice([(",", ":"), (",", ":"), (", ", ": "), (" ,\t", " : ")])
        self.shuffles = rng.random() < 0.5
        self.nulls = rng.random() < 0.3  # spell out what is null

    def text(self, value):
        return json.dumps(self.shuffled(value), ensure_ascii=self.ascii, separators=self.separators)

    def shuffled(self, value):
        if not self.shuffles or not isinstance(value, dict):
            return value
        keys = list(value)
        self.rng.shuffle(keys)
        return {k: self.shuffled(value[k]) for k in keys}

    def action(self, action):
        (kind, body), = action.items()
        if self.nulls and kind in ("add", "remove"):
            body = {"tags": None, "deletionVector": None, "baseRowId": None, **body}
        return self.text({kind: body})

    def lines(self, actions):
        out = [self.action(a) for a in actions]
        if self.rng.random() < 0.1:
            out.insert(self.rng.randrange(len(out) + 1), self.rng.choice(["", "  "]))
        return "\n".join(out) + ("\n" if out and self.rng.random() < 0.8 else "")


# ---------------------------------------------------------------- checkpoints


def state_actions(state):
    """What a checkpoint holds besides files."""
    out = []
    if state.protocol:
        out.append({"protocol": state.protocol})
    if state.metadata:
        out.append({"metaData": state.metadata})
    out += [{"txn": t} for t in state.transactions.values()]
    return out + [{"domainMetadata": d} for d in state.domains.values() if not d["removed"]]


def as_tombstone(remove):
    return {k: v for k, v in remove.items() if k not in ("stats", "tags")}


def file_actions(state, rng):
    """Live files, and those removes that have not expired."""
    kept = rng.choice([0, 0.5, 1])
    out = [{"add": dict(a, dataChange=False)} for a in state.files.values()]
    out += [{"remove": as_tombstone(r)} for r in state.tombstones.values() if rng.random() < kept]
    return out


if HAS_PARQUET:
    MAP, TEXTS = pa.map_(pa.string(), pa.string()), pa.list_(pa.string())
    VECTOR = pa.struct([("storageType", pa.string()), ("pathOrInlineDv", pa.string()), ("offset", pa.int32()), ("sizeInBytes", pa.int32()),
                        ("cardinality", pa.int64()), ("maxRowIndex", pa.int64())])
    PARSED = pa.struct([("numRecords", pa.int64()), ("tightBounds", pa.bool_()), ("minValues", pa.struct([("a", pa.int64())])),
                        ("maxValues", pa.struct([("a", pa.int64())])), ("nullCount", pa.struct([("a", pa.int64())]))])
    ADD = [("path", pa.string()), ("partitionValues", MAP), ("size", pa.int64()), ("modificationTime", pa.int64()), ("dataChange", pa.bool_()),
           ("tags", MAP), ("deletionVector", VECTOR), ("baseRowId", pa.int64())]
    COLUMNS = {
        "txn": pa.struct([("appId", pa.string()), ("version", pa.int64()), ("lastUpdated", pa.int64())]),
        "remove": pa.struct([("path", pa.string()), ("deletionTimestamp", pa.int64()), ("dataChange", pa.bool_()),
                             ("extendedFileMetadata", pa.bool_()), ("partitionValues", MAP), ("size", pa.int64()), ("deletionVector", VECTOR)]),
        "metaData": pa.struct([("id", pa.string()), ("name", pa.string()), ("description", pa.string()),
                               ("format", pa.struct([("provider", pa.string()), ("options", MAP)])), ("schemaString", pa.string()),
                               ("partitionColumns", TEXTS), ("configuration", MAP), ("createdTime", pa.int64())]),
        "protocol": pa.struct([("minReaderVersion", pa.int32()), ("minWriterVersion", pa.int32()), ("readerFeatures", TEXTS), ("writerFeatures", TEXTS)]),
        "domainMetadata": pa.struct([("domain", pa.string()), ("configuration", pa.string()), ("removed", pa.bool_())]),
        "checkpointMetadata": pa.struct([("version", pa.int64()), ("tags", MAP)]),
        "sidecar": pa.struct([("path", pa.string()), ("sizeInBytes", pa.int64()), ("modificationTime", pa.int64()), ("tags", MAP)]),
    }
    ADD_TYPES = {(text, parsed): pa.struct(ADD + [("stats", pa.string())] * text + [("stats_parsed", PARSED)] * parsed)
                 for text in (False, True) for parsed in (False, True)}


def arrow_value(value):
    """Maps are lists of pairs for pyarrow."""
    return {k: list(v.items()) if k in ("partitionValues", "configuration", "tags", "options") and isinstance(v, dict) else
            arrow_value(v) if isinstance(v, dict) else v for k, v in value.items()}


def parquet_bytes(actions, stats, rng):
    """`stats`: what add rows carry: text, struct, both or none."""
    add_type = ADD_TYPES[stats in ("text", "both"), stats in ("struct", "both")]
    rows = {}
    for i, action in enumerate(actions):
        (kind, body), = action.items()
        body = arrow_value(body)
        if kind == "add":
            count = record_count(body)
            body["stats_parsed"] = None if count is None else {"numRecords": count, "nullCount": {"a": 0}}
        rows.setdefault(kind, [None] * len(actions))[i] = body
    kinds = list(COLUMNS) + ["add"]
    rng.shuffle(kinds)
    everything = rng.random() < 0.5  # columns without any value too
    names = [k for k in kinds if k in rows or everything or k == "add"]
    columns = [pa.array(rows.get(k, [None] * len(actions)), add_type if k == "add" else COLUMNS[k]) for k in names]
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_arrays(columns, names), sink, compression=rng.choice(["none", "snappy", "zstd", "gzip"]),
                   row_group_size=rng.choice([1 << 20, 1 << 20, 7]), data_page_version=rng.choice(["1.0", "2.0"]),
                   use_dictionary=rng.random() < 0.5, write_statistics=rng.random() < 0.5, store_schema=False)
    return sink.getvalue().to_pybytes()


class LogFolder:
    """Writes below a table's folder."""

    def __init__(self, table, recipe):
        self.recipe, self.log = recipe, os.path.join(table, "_delta_log")
        os.makedirs(self.log)

    def put(self, name, content):
        path = os.path.join(self.log, name)
        with open(path, "wb") as f:
            f.write(content.encode() if isinstance(content, str) else content)

    # ---- one checkpoint

    def checkpoint(self, c, place):
        rng = random.Random(f"{self.recipe['style']}/checkpoint/{place}")
        style, damage, v = Style(rng), c.get("damage"), c["version"]
        state = replay(self.recipe["commits"], 0, v)
        others = [a for a in state_actions(state) if damage != "no_" + next(iter(a)).replace("metaData", "metadata")]
        files = file_actions(state, rng)
        rng.shuffle(files)
        if c["kind"] == "parts":
            return self.parts(c, others, files, damage, rng)
        if c["v2"]:
            others.append({"checkpointMetadata": {"version": v, "tags": {"sidecarNumActions": str(len(files))}}})
            if c["sidecars"]:
                others += self.sidecars(c, place, files, damage, rng)
                files = []
        actions = others + files
        rng.shuffle(actions)
        if c["kind"] == "v2json":
            name, content = f"{v:020}.checkpoint.{UUID % place}.json", style.lines(actions).encode()
        else:
            name = f"{v:020}.checkpoint.{UUID % place}.parquet" if c["kind"] == "v2parquet" else f"{v:020}.checkpoint.parquet"
            content = parquet_bytes(actions, c["stats"], rng)
        self.put(name, self.damaged(content, damage, rng))
        return None

    def sidecars(self, c, place, files, damage, rng):
        os.makedirs(os.path.join(self.log, "_sidecars"), exist_ok=True)
        out = []
        hit = rng.randrange(c["sidecars"])
        for i in range(c["sidecars"]):
            name = f"{c['version']:020}.{place}.{i} é.parquet"
            content = parquet_bytes(files[i::c["sidecars"]], c["stats"], rng)
            if i == hit and damage == "truncated_sidecar":
                content = content[:rng.randrange(1, len(content))]
            if i == hit and damage == "empty_sidecar":
                content = b""
            if i != hit or damage != "missing_sidecar":
                self.put(os.path.join("_sidecars", name), content)
            out.append({"sidecar": {"path": urllib.parse.quote(name), "sizeInBytes": len(content), "modificationTime": 1}})
        return out

    def parts(self, c, others, files, damage, rng):
        actions, count = others + files, c["parts"]
        hit = rng.randrange(count)
        for i in range(count):
            content = parquet_bytes(actions[i::count], c["stats"], rng)
            if i == hit and damage == "missing_part":
                continue
            if i == hit:
                content = self.damaged(content, damage, rng)
            self.put(f"{c['version']:020}.checkpoint.{i + 1:010}.{count:010}.parquet", content)

    @staticmethod
    def damaged(content, damage, rng):
        if damage == "empty":
            return b""
        if damage == "truncated":
            return content[:rng.randrange(1, len(content))]
        if damage == "garbage":
            return b"PAR1" + rng.randbytes(rng.randrange(200)) + b"PAR1"
        if damage == "cut_line":  # inside of the last line, so that what is left of it is no JSON
            content = content.rstrip() or b"{ "
            start = content.rfind(b"\n") + 1
            return content[:rng.randrange(start + 1, len(content))]
        return content

    # ---- the other files

    def commit(self, version, actions):
        rng = random.Random(f"{self.recipe['style']}/commit/{version}")
        self.put(f"{version:020}.json", Style(rng).lines(actions))

    def compaction(self, c, place):
        """PROTOCOL.md: Log Compaction Files: the reconciled actions of the range, tombstones of all kinds included."""
        rng = random.Random(f"{self.recipe['style']}/compaction/{place}")
        state = replay(self.recipe["commits"], c["first"], c["last"])
        actions = [{"protocol": state.protocol}] * bool(state.protocol) + [{"metaData": state.metadata}] * bool(state.metadata)
        actions += [{"add": a} for a in state.files.values()] + [{"remove": r} for r in state.tombstones.values()]
        actions += [{"txn": t} for t in state.transactions.values()] + [{"domainMetadata": d} for d in state.domains.values()]
        rng.shuffle(actions)
        content = Style(rng).lines(actions).encode() if actions else b""
        self.put(f"{c['first']:020}.{c['last']:020}.compacted.json", self.damaged(content, c.get("damage"), rng))

    def checksum(self, c):
        state = replay(self.recipe["commits"], 0, c["version"])
        content = {"txnId": "t", "tableSizeBytes": sum(a["size"] for a in state.files.values()) + c.get("bytes_off", 0),
                   "numFiles": len(state.files) + c.get("files_off", 0), "numMetadata": 1, "numProtocol": 1,
                   "metadata": state.metadata, "protocol": state.protocol}
        self.put(f"{c['version']:020}.crc", c["text"] if "text" in c else json.dumps(content))

    def hint(self, h):
        if "text" in h:
            self.put("_last_checkpoint", h["text"])
            return
        body = {"version": h["version"], "size": h.get("size", 1)}
        if h.get("parts"):
            body["parts"] = h["parts"]
        if h.get("checksum"):
            right = hint_checksum(body)
            body["checksum"] = right if h["checksum"] == "right" else right[::-1]
        self.put("_last_checkpoint", json.dumps(body))

    def noise(self, name):
        if name.endswith("/"):
            os.makedirs(os.path.join(self.log, name), exist_ok=True)
            return
        os.makedirs(os.path.dirname(os.path.join(self.log, name)), exist_ok=True)
        self.put(name, "this is no part of the log")


def hint_checksum(body):
    """PROTOCOL.md: JSON checksum: MD5 of the canonical form; here there is one level of numbers only."""
    pairs = sorted((f'"{urllib.parse.quote(k, safe="-._~")}"', str(v)) for k, v in body.items())
    return hashlib.md5(",".join(f"{k}={v}" for k, v in pairs).encode()).hexdigest()


def write_log(table, recipe):
    """Write all of it; `table` must not exist."""
    folder, deleted = LogFolder(table, recipe), set(recipe["deleted"])
    for version, actions in enumerate(recipe["commits"]):
        if version not in deleted:
            folder.commit(version, actions)
    for place, c in enumerate(recipe["checkpoints"]):
        folder.checkpoint(c, place)
    for place, c in enumerate(recipe["compactions"]):
        folder.compaction(c, place)
    for c in recipe["checksums"]:
        folder.checksum(c)
    if recipe["hint"]:
        folder.hint(recipe["hint"])
    for name in recipe["noise"]:
        folder.noise(name)
