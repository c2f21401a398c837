"""log_model.py - what a Delta log means: a plain reading of the protocol, for comparison with lakeproof.

Called by: random_logs.py, log_writer.py.  Must not know: lakeproof, files on a disk, Parquet.
Source: PROTOCOL.md: Action Reconciliation, Checkpoints, Log Compaction Files, Delta Log Entries. Written from the
protocol and for clarity: every version is replayed from the actions of all its commits.

A log is described by a recipe, which is plain JSON:
  commits       a list of lists of actions; the index is the version
  deleted       versions whose commit file is not there (cleaned, or lost)
  checkpoints   objects with version, kind (classic, parts, v2json, v2parquet), damage (null or a kind of log_writer.py)
  compactions   objects with first, last, damage
  more keys that only log_writer.py reads, because they must not matter
"""
import json

# What damage does to a checkpoint, by who can see it.
SEEN_IN_LISTING = {"empty", "missing_part"}  # the names and sizes tell: it is no checkpoint
SEEN_IN_READING = {"truncated", "garbage", "missing_sidecar", "truncated_sidecar", "empty_sidecar", "cut_line"}
BROKEN_TABLE = {"no_protocol", "no_metadata"}  # it reads well and lacks what every checkpoint has

READER_FEATURES = {"columnMapping", "deletionVectors", "timestampNtz", "v2Checkpoint", "vacuumProtocolCheck", "typeWidening"}


# ---------------------------------------------------------------- reconciliation


def vector_id(vector):
    """PROTOCOL.md: Deletion Vectors, Derived Fields."""
    if vector is None:
        return None
    text = vector["storageType"] + vector["pathOrInlineDv"]
    return text if vector.get("offset") is None else f"{text}@{vector['offset']}"


def key_of(file):
    return file["path"], vector_id(file.get("deletionVector"))


class State:
    """All that one version says."""

    def __init__(self):
        self.protocol = self.metadata = None
        self.files, self.tombstones, self.domains, self.transactions = {}, {}, {}, {}

    def apply(self, actions):
        """One commit. The order of its actions carries no meaning, so removes go first."""
        for action in actions:
            remove = action.get("remove")
            if remove:
                self.files.pop(key_of(remove), None)
                self.tombstones[key_of(remove)] = remove
        for action in actions:
            for kind, body in action.items():
                if kind == "add":
                    self.files[key_of(body)] = body
                    self.tombstones.pop(key_of(body), None)
                elif kind == "protocol":
                    self.protocol = body
                elif kind == "metaData":
                    self.metadata = body
                elif kind == "domainMetadata":
                    self.domains[body["domain"]] = body
                elif kind == "txn":
                    self.transactions[body["appId"]] = body

    def says_anything(self):
        return bool(self.protocol or self.metadata or self.files or self.tombstones or self.domains or self.transactions)


def replay(commits, first, last):
    state = State()
    for actions in commits[first:last + 1]:
        state.apply(actions)
    return state


def record_count(add):
    """numRecords of the statistics text, None where it cannot be had."""
    try:
        count = json.loads(add.get("stats") or "null")["numRecords"]
    except (ValueError, TypeError, KeyError):
        return None
    return count if isinstance(count, int) and count >= 0 else None


def live_rows(add):
    """Rows that the vector leaves; a vector that deletes more than there are contradicts its file."""
    count, vector = record_count(add), add.get("deletionVector")
    deleted = vector["cardinality"] if vector else 0
    return None if count is None or deleted > count else count - deleted


def sum_of_known(numbers):
    return None if None in numbers else sum(numbers)


def totals(state):
    adds = list(state.files.values())
    return {"files": len(adds), "bytes": sum(add["size"] for add in adds), "records": sum_of_known([record_count(a) for a in adds]),
            "files_with_deletion_vector": sum(bool(a.get("deletionVector")) for a in adds), "live_rows": sum_of_known([live_rows(a) for a in adds])}


# ---------------------------------------------------------------- may it be read


def refusal(state):
    """Why a reader must refuse this version although its log is whole, or None."""
    protocol = state.protocol
    if protocol is None:
        return "no protocol"
    reader, features = protocol["minReaderVersion"], protocol.get("readerFeatures")
    if state.metadata is None and reader >= 3:
        return "no metaData"
    if reader > 3:
        return "reader version"
    if reader == 3 and features is None:
        return "reader version 3 without a list"
    unknown = set(features or ()) - READER_FEATURES
    return f"reader features {sorted(unknown)}" if unknown else None


# ---------------------------------------------------------------- can it be rebuilt


class Disk:
    """Which files of a recipe are there, as far as versions are concerned."""

    def __init__(self, recipe):
        deleted = set(recipe["deleted"])
        self.commits = {v for v in range(len(recipe["commits"])) if v not in deleted}
        self.checkpoints = {}  # version -> the damages of its checkpoints that the listing shows as complete
        for c in recipe["checkpoints"]:
            if c.get("damage") not in SEEN_IN_LISTING:
                self.checkpoints.setdefault(c["version"], []).append(c.get("damage"))
        good = [c for c in recipe["compactions"] if not c.get("damage") and replay(recipe["commits"], c["first"], c["last"]).says_anything()]
        self.jumps = [(c["first"], c["last"]) for c in good]  # a compaction of nothing is an empty file, which is ignored
        self.bad_ends = {c["last"] for c in recipe["compactions"] if c.get("damage")}
        # The protocol does not say whether a compaction may stand for commits that are gone; it holds what they held.
        self.versions = self.commits | set(self.checkpoints) | {last for _, last in self.jumps}

    def reaches(self, base, version):
        """Do the files lead from the state of `base` (-1: nothing yet) to that of `version`?"""
        at = {base}
        for v in range(base + 1, version + 1):
            if v in self.commits and v - 1 in at or any(last == v and first - 1 in at for first, last in self.jumps):
                at.add(v)
        return version in at

    def can_rebuild(self, version):
        for base in sorted((v for v in self.checkpoints if v <= version), reverse=True):
            if not self.reaches(base, version):
                continue
            damages = self.checkpoints[base]
            if None in damages:
                return True
            if any(d in BROKEN_TABLE for d in damages):
                return False
        return self.reaches(-1, version)


def expected_answer(recipe, version):
    """(the version that is answered or None, may a reader refuse all the same) for a version, None being the latest."""
    disk = Disk(recipe)
    target = max(disk.versions, default=None) if version is None else version
    # A damaged compaction tells of a later version that nobody can make: whether its name counts is not told.
    unsure = version is None and any(target is None or end > target for end in disk.bad_ends)
    if target not in disk.versions or not disk.can_rebuild(target):
        return None, True
    return (None, True) if refusal(replay(recipe["commits"], 0, target)) else (target, unsure)


# ---------------------------------------------------------------- what must be said, and what must not


def chosen_base(disk, target):
    """The newest checkpoint that can be used, -1 for none."""
    usable = [v for v, damages in disk.checkpoints.items() if v <= target and None in damages and disk.reaches(v, target)]
    return max(usable, default=-1)


def notes_about(recipe, target, checksums):
    """(codes that an answer must carry, codes that it must not carry)."""
    disk, must, must_not = Disk(recipe), set(), set()
    base = chosen_base(disk, target)
    damaged = {c["version"] for c in recipe["checkpoints"] if c.get("damage")}
    if any(base < v <= target for v in damaged):
        must.add("CHECKPOINT_SKIPPED")
    if not damaged and not recipe["deleted"]:
        must_not.add("CHECKPOINT_SKIPPED")
    emptied = [v for v in range(base + 1, target + 1) if not recipe["commits"][v]]
    if not recipe["compactions"]:
        (must if emptied else must_not).add("EMPTY_COMMIT")
    if recipe["hint"] is None:
        must_not.add("HINT_IGNORED")
    lies = [c for c in recipe["checksums"] if c["version"] == target and ("files_off" in c or "bytes_off" in c)]
    if lies and checksums:
        must.add("CHECKSUM_MISMATCH")
    if not lies:
        must_not.add("CHECKSUM_MISMATCH")
    return must, must_not
