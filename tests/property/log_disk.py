"""log_disk.py - read the log of a table from its folder, in all ways that its files allow.

Called by: log_faults.py; as a command, by itself.  Must not know: lakeproof.
Source: PROTOCOL.md: File Types, Checkpoints, V2 Spec, Sidecar Files, Log Compaction Files.

A version may be put together from commits alone, or from any checkpoint and the commits behind it, compactions standing
for commits. Of a sound log all ways say the same. Of a damaged one they need not: then each way whose files can be read,
as JSON and by pyarrow, is a content that nobody can tell from the true one by its structure.

`log_disk.py FILE` prints the actions of a Parquet file, one JSON object a line; as a process of its own, since what reads
damaged files may crash.
"""
import json
import os
import re
import subprocess
import sys
import urllib.parse

from log_model import State, key_of, vector_id

NAME = re.compile(r"(\d{20})\.(?:(json)|(checkpoint)\.(?:(parquet)|(\d{10})\.(\d{10})\.parquet|[0-9a-fA-F-]{36}\.(parquet|json))|(\d{20})\.compacted\.json|(crc))$")
TIMEOUT_S = 60


class Unreadable(Exception):
    """The structure of a file shows that it is damaged."""


class Broken(Unreadable):
    """A checkpoint that can be read and lacks what every one has."""


# ---------------------------------------------------------------- files to actions


def need(condition, what):
    if not condition:
        raise Unreadable(what)


def check_file(body, kind):
    need(isinstance(body, dict) and isinstance(body.get("path"), str) and body["path"], f"{kind} without a path")
    vector = body.get("deletionVector")
    if vector is not None:
        need(isinstance(vector, dict), "no vector")
        need(isinstance(vector.get("storageType"), str) and isinstance(vector.get("pathOrInlineDv"), str), "half a vector")
        need(vector.get("offset") is None or isinstance(vector["offset"], int), "an offset that is no number")


def check_action(action):
    need(isinstance(action, dict), "no object")
    for kind, body in action.items():
        if kind in ("add", "remove") and body is not None:
            check_file(body, kind)
        if kind == "protocol" and body is not None:
            need(isinstance(body, dict) and isinstance(body.get("minReaderVersion"), int) and isinstance(body.get("minWriterVersion"), int), "protocol without versions")
    need(sum(k in ("add", "remove", "metaData", "protocol") and b is not None for k, b in action.items()) <= 1, "two actions")
    return action


def no_constant(text):
    raise ValueError(text)


def json_actions(content):
    try:
        lines = content.decode("utf8").split("\n")
        return [check_action(json.loads(line, parse_constant=no_constant)) for line in lines if line.strip()]
    except ValueError as error:
        raise Unreadable(str(error)) from error


def parquet_actions(path):
    done = subprocess.run([sys.executable, os.path.abspath(__file__), path], capture_output=True, timeout=TIMEOUT_S)
    need(done.returncode == 0, done.stderr.decode(errors="replace")[-300:])
    return json_actions(done.stdout)


def print_parquet(path):
    import pyarrow.parquet as pq
    table = pq.read_table(path, columns=None)
    names = [n for n in table.schema.names if n in ("add", "remove", "metaData", "protocol", "sidecar", "checkpointMetadata")]

    def plain(value):
        if isinstance(value, dict):
            return {k: plain(v) for k, v in value.items()}
        if isinstance(value, list):
            return dict((k, plain(v)) for k, v in value) if value and isinstance(value[0], tuple) else [plain(v) for v in value]
        return value if isinstance(value, (str, int, bool, type(None))) else str(value)

    def field(name, scalar):
        try:
            return plain(scalar.as_py())
        except UnicodeDecodeError:
            if name != "stats":
                raise
            return None  # statistics that are no text are none; the file is there all the same

    def action(name, scalar):
        return {k: field(k, v) for k, v in scalar.items()} if name == "add" else field(name, scalar)

    columns = [(n, table.column(n)) for n in names]
    for i in range(table.num_rows):
        row = {n: action(n, c[i]) for n, c in columns if c[i].is_valid}
        if row:
            print(json.dumps(row))


# ---------------------------------------------------------------- ways through a folder


class DiskLog:
    """The log of one table. `cache` keeps what files say, by (name, size, time)."""

    def __init__(self, table, cache):
        self.log, self.cache = os.path.join(table, "_delta_log"), cache
        self.commits, self.checkpoints, self.compactions, self.checksums = {}, [], [], {}
        parts = {}
        for name in sorted(os.listdir(self.log)):
            found = NAME.match(name)
            if not found:
                continue
            version, commit, checkpoint, _, part, count, _, last, crc = found.groups()
            version = int(version)
            if commit:
                self.commits[version] = name
            elif crc:
                self.checksums[version] = name
            elif last:
                self.compactions.append((version, int(last), name))
            elif part:
                parts.setdefault((version, int(count)), []).append((int(part), name))
            elif checkpoint and self.size(name) > 0:
                self.checkpoints.append((version, [name]))
        for (version, count), files in parts.items():
            if [p for p, _ in files] == list(range(1, count + 1)) and all(self.size(n) for _, n in files):
                self.checkpoints.append((version, [n for _, n in files]))
        self.checkpoints.sort(reverse=True)

    def size(self, name):
        try:
            return os.stat(os.path.join(self.log, name)).st_size
        except OSError:
            return 1  # a link to nothing is not empty: it is there and cannot be read

    def latest(self):
        return max([*self.commits, *(v for v, _ in self.checkpoints)], default=None)

    def actions(self, name):
        path = os.path.join(self.log, name)
        if not os.path.isfile(path):
            raise Unreadable(f"{name} is no file")
        key = name, os.stat(path).st_size, os.stat(path).st_mtime_ns
        if key not in self.cache:
            try:
                if name.endswith(".parquet"):
                    self.cache[key] = parquet_actions(path)
                else:
                    with open(path, "rb") as f:
                        self.cache[key] = json_actions(f.read())
            except Unreadable as error:
                self.cache[key] = error
        if isinstance(self.cache[key], Unreadable):
            raise self.cache[key]
        return self.cache[key]

    def sidecars(self, names):
        paths = [a["sidecar"]["path"] for name in names for a in self.actions(name) if a.get("sidecar")]
        return [os.path.join("_sidecars", os.path.basename(urllib.parse.unquote(p))) for p in paths]

    def checkpoint_actions(self, names):
        actions = [a for name in names for a in self.actions(name)]
        if not (any(a.get("protocol") for a in actions) and any(a.get("metaData") for a in actions)):
            raise Broken("a checkpoint without protocol or metaData")
        return actions + [a for s in self.sidecars(names) for a in self.actions(s)]

    def has_broken_checkpoint(self, version):
        """One that reads well and lacks protocol or metaData: nothing else may be tried then."""
        for base, names in self.checkpoints:
            try:
                if base <= version:
                    self.checkpoint_actions(names)
            except Broken:
                return True
            except Unreadable:
                continue
        return False

    def spans(self, first, last):
        """Every list of files that covers first..last: the commits, and with each compaction in the place of its commits."""
        plain = [self.commits.get(v) for v in range(first, last + 1)]
        if None not in plain:
            yield plain
        for x, y, name in self.compactions:
            around = [self.commits.get(v) for v in range(first, x)] + [name] + [self.commits.get(v) for v in range(y + 1, last + 1)]
            if first <= x and y <= last and None not in around:
                yield around

    def states(self, version, without=None):
        """The states that the readable ways to a version give, or those of them that do not need the file `without`."""
        for base, names in [*self.checkpoints, (-1, [])]:
            for span in self.spans(base + 1, version) if base <= version else ():
                try:
                    if without not in [*names, *span, *self.sidecars(names)]:
                        yield self.walk(names, span)
                except (Unreadable, KeyError, TypeError, AttributeError):
                    continue

    def walk(self, names, span):
        state, twice = State(), []
        if names:
            actions = [a for a in self.checkpoint_actions(names) if not a.get("remove")]
            twice = repeated_adds(actions)
            state.apply(actions)
        for name in span:
            actions = self.actions(name)
            if name.endswith(".compacted.json"):
                keys = [key_of(body) for a in actions for kind, body in a.items() if kind in ("add", "remove")]
                need(len(keys) == len(set(keys)), "a compaction that is not reconciled: its order would have to say which action is newer")
            state.apply(actions)
        need(state.protocol is not None, "no protocol")
        state.twice = [add for add, last in twice if state.files.get(key_of(add)) is last]
        return state


def record_count(add):
    """numRecords of the text where it is JSON, else of the struct."""
    try:
        stats = json.loads(add["stats"])
    except (ValueError, TypeError, KeyError):
        stats = add.get("stats_parsed")
    count = stats.get("numRecords") if isinstance(stats, dict) else None
    return count if isinstance(count, int) and not isinstance(count, bool) and count >= 0 else None


def repeated_adds(actions):
    """A checkpoint must not hold a key twice. One that does has been damaged, and no reader keeps all keys in order to see
    it: each row counts. Gives (an add, the last add of the same key, which is the one that a State keeps)."""
    last = {key_of(a["add"]): a["add"] for a in actions if a.get("add")}
    return [(a["add"], last[key_of(a["add"])]) for a in actions if a.get("add") and a["add"] is not last[key_of(a["add"])]]


def figures(state):
    """What can be compared: files, bytes (None where a size is missing), records."""
    adds = list(state.files.values()) + state.twice
    sizes, counts = [a.get("size") for a in adds], [record_count(a) for a in adds]
    keys = sorted((a["path"], vector_id(a.get("deletionVector")) or "") for a in adds)
    return {"files": keys, "bytes": None if any(not isinstance(s, int) or s < 0 for s in sizes) else sum(sizes), "records": None if None in counts else sum(counts)}


if __name__ == "__main__":
    print_parquet(sys.argv[1])
