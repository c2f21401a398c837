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


def totals(state):
    adds = state.files.values()
    counts = [record_count(add) for add in adds]
    deleted = [add["deletionVector"]["cardinality"] for add in adds if add.get("deletionVector")]
    records = None if None in counts else sum(counts)
    return {"files": len(state.files), "bytes": sum(add["size"] for add in adds), "records": records,
            "files_with_deletion_vector": len(deleted), "live_rows": None if records is None else records - sum(deleted)}


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
        self.jumps = [(c["first"], c["last"]) for c in recipe["compactions"] if not c.get("damage")]
        self.latest = max(self.commits | set(self.checkpoints), default=None)

    def reaches(self, base, version, with_compactions):
        """Do the files lead from the state of `base` (-1: nothing yet) to that of `version`?"""
        at = {base}
        for v in range(base + 1, version + 1):
            if v in self.commits and v - 1 in at:
                at.add(v)
            if with_compactions and any(last == v and first - 1 in at for first, last in self.jumps):
                at.add(v)
        return version in at

    def can_rebuild(self, version, with_compactions):
        for base in sorted((v for v in self.checkpoints if v <= version), reverse=True):
            if not self.reaches(base, version, with_compactions):
                continue
            damages = self.checkpoints[base]
            if None in damages:
                return True
            if any(d in BROKEN_TABLE for d in damages):
                return False
        return self.reaches(-1, version, with_compactions)


def may_answer(recipe, version):
    """(may a reader answer, must it answer) for a version, None being the latest; and the version that it must be."""
    disk = Disk(recipe)
    target = disk.latest if version is None else version
    if target is None or (target not in disk.commits and target not in disk.checkpoints):
        return False, False, target
    # The protocol does not say whether a compaction may bridge a missing commit: refusing is right, and so is the truth.
    may, must = disk.can_rebuild(target, True), disk.can_rebuild(target, False)
    if may and refusal(replay(recipe["commits"], 0, target)):
        may = must = False
    return may, must, target
