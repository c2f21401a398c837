"""log_draw.py - draw the recipe of a random log (log_model.py tells what a recipe is).

Called by: random_logs.py.  Must not know: lakeproof, files on a disk.

Logs obey PROTOCOL.md as far as writers must (one add and one remove a path and commit, a removed vector before another
one), and use all that readers must bear: odd paths, re-adds, useless removes, checkpoints and hints in every condition.
"""
import json

from log_model import SEEN_IN_LISTING, replay

NAMES = ["part-{}.parquet", "p=a/part-{}.parquet", "p=a%20b/{}", "p=a%2525b/{}", "a+b/{}", "sub dir/{}.parquet", "é/{}", "\u6f22\U0001f600{}", "%zz{}",
         "/abs/{}.parquet", "file:///abs/{}.parquet", "s3://bucket/k%3D/{}", "tab\t{}", "quote\"\\{}", "{}", "x" * 300 + "{}", "a#{}?q", "u{}@1", "\u0001{}"]
# Two spellings of one file for those who decode; by the letter of the text they are two.
SPELLINGS = [("w x{}", "w%20x{}"), ("/r/{}", "file:///r/{}"), ("%41{}", "A{}"), ("%c3%a9{}", "é{}")]
VALUES = ["a", "", None, "a b", "a%20b", "é", "__HIVE_DEFAULT_PARTITION__", "10", "2024-01-01"]
SCHEMA = json.dumps({"type": "struct", "fields": [{"name": n, "type": t, "nullable": True, "metadata": {}} for n, t in (("a", "long"), ("p", "string"), ("q", "string"))]})
FEATURES = ["deletionVectors", "v2Checkpoint", "timestampNtz", "columnMapping", "vacuumProtocolCheck"]
NOISE = ["00000000000000000001.json.tmp", ".00000000000000000001.json.crc", "0000000000000000001.json", "000000000000000000001.json", "99999999999999999999.json",
         "00000000000000000001.JSON", "00000000000000000002.checkpoint", ".tmp/00000000000000000099.json", "_staged_commits/00000000000000000077.6a6ff8e1-3b1c-4f4e-9a55-000000000000.json",
         "_delta_log/00000000000000000099.json", "_sidecars/orphan.parquet", "00000000000000000003.checkpoint.parquet.tmp", "_commits/", "info.txt",
         "00000000000000000005.00000000000000000002.compacted.json", "00000000000000000002.checkpoint.0000000003.0000000002.parquet"]


class Writer:
    """Draws the commits of one table."""

    def __init__(self, rng):
        self.rng, self.commits, self.next_name = rng, [], 0
        self.files, self.dead = {}, []  # path -> its live add; adds that were removed
        self.partition = rng.choice([[], ["p"], ["p", "q"]])

    def chance(self, p):
        return self.rng.random() < p

    # ---- pieces

    def vector(self):
        kind = self.rng.choice("uuip")
        text = {"u": "ab^-aqEH.-t@S}K{vb[*k^%d", "i": "wi5b=000010000siXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L%d", "p": "s3://b/%%25dv%d.bin"}[kind] % self.rng.randrange(3)
        v = {"storageType": kind, "pathOrInlineDv": text, "sizeInBytes": 40, "cardinality": self.rng.randrange(1, 6)}
        if kind != "i" and self.chance(0.7):
            v["offset"] = self.rng.choice([0, 1, 4, 2147483647])
        return v

    def stats(self):
        drawn = self.rng.random()
        if drawn < 0.08:
            return self.rng.choice([None, "", "{}", "not JSON", "{\"numRecords\":", "[1]", "{\"numRecords\":\"7\"}", "{\"numRecords\":-1}", "{\"numRecords\":null}"])
        return json.dumps({"numRecords": self.rng.choice([0, 1, 7, 100, 9007199254740993]) if drawn < 0.3 else self.rng.randrange(6, 1000),
                           "minValues": {"a": 1}, "maxValues": {"a": 9}, "nullCount": {"a": 0}})

    def add(self, path, vector=None):
        a = {"path": path, "partitionValues": {p: self.rng.choice(VALUES) for p in self.partition},
             "size": self.rng.choice([0, 1, 1 << 40, self.rng.randrange(10000)]), "modificationTime": 1700000000000, "dataChange": self.chance(0.8)}
        stats = self.stats()
        if stats is not None:
            a["stats"] = stats
        if vector:
            a["deletionVector"] = vector
        if self.chance(0.1):
            a["tags"] = {"INSERTION_TIME": "1", "odd": None}
        return a

    def remove(self, add):
        r = {"path": add["path"], "dataChange": True}
        if self.chance(0.8):
            r["deletionTimestamp"] = 1700000000000
        if self.chance(0.5):
            r.update(extendedFileMetadata=True, partitionValues=add["partitionValues"], size=add["size"])
        if add.get("deletionVector"):
            r["deletionVector"] = add["deletionVector"]
        return r

    def new_paths(self):
        self.next_name += 1
        if self.chance(0.08):
            return [s.format(self.next_name) for s in self.rng.choice(SPELLINGS)]
        return [self.rng.choice(NAMES if self.chance(0.4) else NAMES[:1]).format(self.next_name)]

    def pick(self, used, upto=3):
        """Some live paths that this commit has not touched."""
        free = [p for p in self.files if p not in used]
        picked = self.rng.sample(free, min(len(free), self.rng.randint(1, upto)))
        used.update(picked)
        return picked

    # ---- operations: each gives actions

    def append(self, used):
        out = []
        for _ in range(self.rng.randint(1, 4)):
            for path in self.new_paths():
                used.add(path)
                out.append({"add": self.add(path, self.vector() if self.chance(0.1) else None)})
        return out

    def delete(self, used):
        return [{"remove": self.remove(self.files[p])} for p in self.pick(used)]

    def delete_all(self, used):
        return [{"remove": self.remove(self.files[p])} for p in self.pick(used, 1000)]

    def change_vector(self, used):
        out = []
        for p in self.pick(used):
            old = self.files[p]
            new = self.add(p, self.vector() if self.chance(0.8) else None)
            if old.get("deletionVector") != new.get("deletionVector"):
                out += [{"remove": self.remove(old)}, {"add": new}]
        return out

    def describe_again(self, used):
        """An add of a key that is live replaces what was said about it."""
        return [{"add": self.add(p, self.files[p].get("deletionVector"))} for p in self.pick(used)]

    def add_again(self, used):
        out = []
        for old in self.rng.sample(self.dead, min(len(self.dead), 2)):
            if old["path"] not in used and old["path"] not in self.files:
                used.add(old["path"])
                out.append({"add": self.add(old["path"], old.get("deletionVector") if self.chance(0.7) else self.vector())})
        return out

    def remove_for_nothing(self, used):
        """Of what is gone, was never there, or has another vector or spelling."""
        out = []
        for old in self.rng.sample(self.dead, min(len(self.dead), 2)):
            if old["path"] not in used and old["path"] not in self.files:
                used.add(old["path"])
                out.append({"remove": self.remove(old)})
        for p in self.pick(used, 1):
            out.append({"remove": self.remove(dict(self.files[p], deletionVector={"storageType": "u", "pathOrInlineDv": "other", "sizeInBytes": 1, "cardinality": 1}))})
        out.append({"remove": {"path": f"never there {self.next_name}", "dataChange": True}})
        return out

    def rewrite_in_place(self, used):
        """Remove and add of one key in one commit: an odd writer, but the file is there afterwards."""
        out = []
        for p in self.pick(used, 1):
            out += [{"add": self.add(p, self.files[p].get("deletionVector"))}, {"remove": self.remove(self.files[p])}]
        return out

    # ---- commits

    def metadata(self):
        if self.chance(0.1):
            self.partition = self.rng.choice([[], ["p"], ["p", "q"]])
        return {"metaData": {"id": f"id-{self.rng.randrange(9)}", "format": {"provider": "parquet", "options": {}}, "schemaString": SCHEMA,
                             "partitionColumns": self.partition, "configuration": {"delta.appendOnly": "false"} if self.chance(0.5) else {},
                             "createdTime": 1700000000000}}

    def protocol(self):
        drawn = self.rng.random()
        if drawn < 0.6:
            names = self.rng.sample(FEATURES, self.rng.randint(0, len(FEATURES)))
            return {"protocol": {"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": names, "writerFeatures": names + ["appendOnly"]}}
        if drawn < 0.65:
            return {"protocol": {"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": ["deletionVectors", "someFutureFeature"], "writerFeatures": ["deletionVectors", "someFutureFeature"]}}
        if drawn < 0.68:
            return {"protocol": {"minReaderVersion": 4, "minWriterVersion": 7, "readerFeatures": [], "writerFeatures": []}}
        return {"protocol": {"minReaderVersion": self.rng.choice([1, 2]), "minWriterVersion": self.rng.choice([2, 5, 6])}}

    def others(self):
        rng, out = self.rng, []
        if self.chance(0.6):
            out.append({"commitInfo": {"timestamp": 1, "operation": "WRITE", "operationParameters": {"a": [1, {"b": None}]}, "engineInfo": "test"}})
        if self.chance(0.15):
            out.append({"txn": {"appId": f"app{rng.randrange(3)}", "version": rng.randrange(9)}})
        if self.chance(0.1):
            out.append({"domainMetadata": {"domain": f"d{rng.randrange(3)}", "configuration": "{\"x\":1}", "removed": self.chance(0.3)}})
        if self.chance(0.1):
            out.append({"cdc": {"path": f"_change_data/c{rng.randrange(9)}", "partitionValues": {}, "size": 1, "dataChange": False}})
        if self.chance(0.05):
            out.append({"someFutureAction": {"add": {"path": "not live", "size": 1}}})
        return out

    def commit(self, is_first):
        rng = self.rng
        if not is_first and self.chance(0.05):
            self.commits.append([])
            return
        actions, used = [], set()
        if is_first:
            actions += [self.metadata()] * self.chance(0.99) + [self.protocol()] * self.chance(0.99)
        else:
            actions += [self.metadata()] * self.chance(0.08) + [self.protocol()] * self.chance(0.08)
        operations = [self.append] * 3 + [self.delete] * 2 + [self.change_vector] * 2 + [self.describe_again, self.add_again, self.remove_for_nothing, self.delete_all, self.rewrite_in_place]
        for _ in range(rng.choice([1, 1, 2])):
            actions += self.append(used) if is_first else rng.choice(operations)(used)
        actions += self.others()
        if self.chance(0.7):
            rng.shuffle(actions)
        self.take(actions)
        self.commits.append(actions)

    def take(self, actions):
        for a in actions:
            if "remove" in a:
                gone = self.files.get(a["remove"]["path"])
                if gone and gone.get("deletionVector") == a["remove"].get("deletionVector"):
                    self.dead.append(self.files.pop(gone["path"]))
        for a in actions:
            if "add" in a:
                self.files[a["add"]["path"]] = a["add"]


# ---------------------------------------------------------------- what lies around the commits


def draw_checkpoint(rng, commits, taken, has_parquet):
    """A checkpoint at a free version, or None."""
    version = rng.randrange(len(commits))
    state = replay(commits, 0, version)
    if state.protocol is None or state.metadata is None:
        return None
    kind = rng.choice(["classic", "classic", "parts", "v2json", "v2parquet"]) if has_parquet else "v2json"
    if (version, kind) in taken or version in taken:
        return None
    c = {"version": version, "kind": kind, "v2": kind.startswith("v2") or (kind == "classic" and rng.random() < 0.3), "damage": None,
         "sidecars": rng.choice([0, 0, 1, 2, 3]) if has_parquet else 0, "parts": rng.choice([2, 3, 5]),
         "stats": rng.choice(["text", "text", "struct", "both", "none"])}
    if rng.random() < 0.35:
        options = {"classic": ["truncated", "garbage", "empty"], "parts": ["truncated", "missing_part", "empty"], "v2json": ["cut_line", "empty"],
                   "v2parquet": ["truncated", "garbage", "empty"]}[kind] + ["no_protocol", "no_metadata"]
        if c["v2"] and c["sidecars"]:
            options += ["missing_sidecar", "truncated_sidecar", "empty_sidecar"] * 2
        c["damage"] = rng.choice(options)
    # One that is good but for its protocol decides what a reader does, so nothing else may lie at that version.
    taken.add((version, kind))
    if c["damage"] in ("no_protocol", "no_metadata"):
        if any(t != (version, kind) and isinstance(t, tuple) and t[0] == version for t in taken):
            c["damage"] = None
        else:
            taken.add(version)
    return c


def draw_hint(rng, commits, checkpoints):
    there = [c for c in checkpoints if c["damage"] not in SEEN_IN_LISTING]
    drawn = rng.random()
    if drawn < 0.35:
        return None
    if drawn < 0.7 and there:
        c = rng.choice(there) if rng.random() < 0.3 else max(there, key=lambda c: c["version"])
        hint = {"version": c["version"], "parts": c["parts"] if c["kind"] == "parts" else None, "checksum": rng.choice([None, None, "right", "wrong"])}
        if rng.random() < 0.1:
            hint["parts"] = rng.choice([1, 7])
        return hint
    if drawn < 0.85:
        return {"version": rng.choice([rng.randrange(len(commits)), 99, -1, 9223372036854775807])}
    return {"text": rng.choice(["", "not JSON", "{}", "[]", "{\"version\":\"3\"}", "{\"version\":1.5,\"size\":1}", "{\"version\":0,\"version\":1,\"size\":2}", "{\"version\":99999999999999999999}", "\u0000" * 40])}


def draw_deleted(rng, count, checkpoints):
    drawn = rng.random()
    if drawn < 0.5:
        return []
    if drawn < 0.8 and checkpoints:  # cleaned: all before a checkpoint, at times with the commit of that version itself
        return list(range(rng.choice(checkpoints)["version"] + (rng.random() < 0.3)))
    return sorted(rng.sample(range(count), rng.randint(1, min(2, count))))


def draw_checksums(rng, count):
    out = []
    for version in rng.sample(range(count), rng.randint(0, min(3, count))):
        c = {"version": version}
        drawn = rng.random()
        if drawn < 0.15:
            c["files_off"] = 1  # one fewer may be -1, which no checksum can say
        elif drawn < 0.3:
            c["bytes_off"] = 1
        elif drawn < 0.45:
            c["text"] = rng.choice(["", "not JSON", "{}", "[]", "{\"numFiles\":\"1\"}"])
        out.append(c)
    return out


def draw_recipe(rng, has_parquet):
    writer = Writer(rng)
    count = rng.choice([1, 2, 3, 5, 7, 9, 13])
    for i in range(count):
        writer.commit(i == 0)
    commits, taken = writer.commits, set()
    checkpoints = [draw_checkpoint(rng, commits, taken, has_parquet) for _ in range(rng.choice([0, 1, 1, 2, 3]))]
    checkpoints = [c for c in checkpoints if c]
    compactions = []
    for _ in range(rng.choice([0, 0, 0, 1, 2, 3]) if count > 1 else 0):
        first, last = sorted(rng.sample(range(count), 2))
        if not any((c["first"], c["last"]) == (first, last) for c in compactions):
            compactions.append({"first": first, "last": last, "damage": rng.choice([None] * 6 + ["cut_line", "empty"])})
    return {"commits": commits, "deleted": draw_deleted(rng, count, checkpoints), "checkpoints": checkpoints, "compactions": compactions,
            "hint": draw_hint(rng, commits, checkpoints), "checksums": draw_checksums(rng, count) if rng.random() < 0.4 else [],
            "noise": rng.sample(NOISE, rng.randint(0, 4)) if rng.random() < 0.3 else [], "style": rng.randrange(1 << 30)}
