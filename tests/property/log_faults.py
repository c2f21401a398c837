#!/usr/bin/env python3
"""log_faults.py - damage each file of many logs in many ways: no crash, no hang, and no wrong answer without a word.

Called by: tests/suites.ini, people.  Must not know: how lakeproof reads a log.

usage: log_faults.py --tool BUILD/tests/snapshot_many --binary BUILD/lakeproof [--shared FOLDER] [--only TEXT] [--seed N] [--files 8] [--checksums]
Of each table below, each file of the log in turn (at most --files of them) is cut at several places, emptied, has one
byte changed at several places, and is replaced by a FIFO, by a link to nothing and by a folder. Asked are the latest
version and the one that the file is about. Allowed is a refusal, or the right answer, or that of another readable way
through the damaged log (log_disk.py): a digit that became another digit cannot be seen. But where a commit was emptied,
and with --checksums where a version checksum contradicts such an answer, a diagnostic must say so. What a reader
does not need (the hint, checksums) must not change an answer at all. The command itself is run for some faults, for its
exit code and its output. Faults in Parquet files whose answer changed need pyarrow to be judged; without it they are
counted as skipped, like tables that are not there. Last line: `N passed, N failed, N skipped`.
"""
import argparse
import os
import pathlib
import random
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import suite
from log_disk import DiskLog, Unreadable, figures
from questions import Command, Reader

try:
    import pyarrow  # noqa: F401 - log_disk.py reads Parquet with it, in a process of its own
    HAS_PARQUET = True
except ImportError:
    HAS_PARQUET = False

OURS = ["tables/" + n for n in """rs_changes rs_checkpoint rs_nested rs_partition_text rs_types sp_checkpoint_classic sp_checkpoint_no_stats
    sp_checkpoint_parts sp_checkpoint_struct sp_checkpoint_v2_json sp_checkpoint_v2_parquet sp_clustered sp_empty sp_evolution sp_lifecycle sp_mapping_id
    sp_mapping_name sp_partition_types sp_vectors sp_widening""".split()] + ["delta/" + n for n in """classic few_columns multi_part
    sidecars_json sidecars_parquet small_pages struct_only text_and_struct""".split()]
SHARED = """delta-golden/checkpoint delta-golden/dv-partitioned-with-checkpoint delta-golden/dv-with-columnmapping delta-golden/multi-part-checkpoint
    delta-golden/v2-checkpoint-json delta-golden/v2-checkpoint-parquet delta-golden/basic-with-inserts-overwrite-restore
    delta-kernel-java/kernel-pagination-v2-checkpoint-json delta-kernel-rs/compacted-log-files-table delta-kernel-rs/v2-classic-checkpoint-parquet
    delta-kernel-rs/v2-checkpoints-parquet-without-sidecars delta-kernel-rs/v1-multi-part-struct-stats-only delta-kernel-rs/app-txn-checkpoint
    delta-rs/table_with_deletion_logs delta-rs/err_logs-table_g delta-rs/table-with-domain-metadata delta-rs/cdc_ict_table
    spark/log_compaction spark/dv_part_ckpt spark/ckpt_multipart spark/kitchen_sink spark/lifecycle""".split()

WORDS = {"EMPTY_COMMIT", "CHECKSUM_MISMATCH"}  # diagnostics that tell of an answer that may not be the true one


# ---------------------------------------------------------------- faults


def cuts(content, rng):
    places = {1, len(content) // 2, len(content) - 1, rng.randrange(len(content))}
    line = content.find(b"\n", rng.randrange(len(content)))
    return sorted(places | {line + 1} if 0 < line + 1 < len(content) else places)


def faults(content, rng, flips):
    """(name, content or what to put instead)."""
    for at in cuts(content, rng):
        yield f"cut at {at}", content[:at]
    yield "emptied", b""
    for _ in range(flips):
        at, by = rng.randrange(len(content)), rng.choice([1, 1, 2, 4, 16, 32, 128])
        yield f"byte {at} changed by {by}", content[:at] + bytes([content[at] ^ by]) + content[at + 1:]
    yield "a FIFO", "fifo"
    yield "a link to nothing", "link"
    yield "a folder", "folder"


def put(path, content):
    if os.path.isdir(path) and not os.path.islink(path):
        os.rmdir(path)
    elif os.path.lexists(path):
        os.unlink(path)
    if content == "fifo":
        os.mkfifo(path)
    elif content == "link":
        os.symlink("nothing-there", path)
    elif content == "folder":
        os.mkdir(path)
    else:
        with open(path, "wb") as f:
            f.write(content)


# ---------------------------------------------------------------- judging


def found_figures(found):
    totals = found["totals"]
    return {"files": sorted((f["path"], f["dv_id"] or "") for f in found["files"]), "bytes": totals["bytes"], "records": totals["records"]}


def is_like(found, state):
    return found == figures(state)


def is_told_by_checksum(log, version, found):
    """Does a readable checksum of this very version give other numbers?"""
    try:
        crc = log.actions(log.checksums[version])[0]
        numbers = crc["numFiles"], crc["tableSizeBytes"]
    except (KeyError, IndexError, TypeError, Unreadable):
        return False
    return numbers != (len(found["files"]), found["bytes"])


class Table:
    """One table under test: a copy of its log, and the right answers."""

    def __init__(self, path, scratch, reader, checksums):
        self.name, self.table, self.reader, self.checksums = path.name, os.path.join(scratch, "t"), reader, checksums
        shutil.copytree(path / "_delta_log", os.path.join(self.table, "_delta_log"))
        for folder, _, files in os.walk(self.table):
            os.chmod(folder, 0o755)
            for f in files:
                os.chmod(os.path.join(folder, f), 0o644)
        self.cache, self.right, self.notes = {}, {}, {}

    def files(self):
        log = os.path.join(self.table, "_delta_log")
        return sorted(os.path.relpath(os.path.join(folder, f), log) for folder, _, names in os.walk(log) for f in names if os.path.getsize(os.path.join(folder, f)))

    def learn(self, version):
        """The answer before any damage."""
        if version not in self.right:
            found, _ = self.reader.ask(self.table, version)
            self.right[version] = found_figures(found) if found else None
            self.notes[version] = codes(found) if found else set()
        return self.right[version]

    def judge(self, name, version):
        """What is wrong with the answer after the damage to file `name`; None if nothing, a Skip if nobody can tell."""
        right = self.right[version]
        found, error = self.reader.ask(self.table, version)
        needless = name == "_last_checkpoint" or name.endswith(".crc")
        if found is False:
            return error
        if found is None:
            return self.judge_refusal(name, error, version) if right is not None else None
        got = found_figures(found)
        if got == right:
            return None
        if needless:
            return f"another answer: {difference(got, right)}"
        return self.judge_other(found, got, right, version)

    def judge_refusal(self, name, error, version):
        """Where the file shows that it is damaged, and there is a way without it, that must be taken."""
        log = DiskLog(self.table, self.cache)
        target = log.latest() if version is None else version
        if target is None or (not HAS_PARQUET and any(n.endswith(".parquet") for n in os.listdir(log.log))):
            return None
        others = list(log.states(target, without=name))
        if not others or log.has_broken_checkpoint(target) or len(list(log.states(target))) > len(others):
            return None
        return f"refused ({error}), though there are {len(others)} ways without this file"

    def judge_other(self, found, got, right, version):
        log = DiskLog(self.table, self.cache)
        if found["version"] != (log.latest() if version is None else version):
            return f"version {found['version']} instead of {log.latest()}"
        if not HAS_PARQUET and any(n.endswith(".parquet") for n in os.listdir(log.log)):
            return suite.Skip("no pyarrow")
        if not any(is_like(got, s) for s in log.states(found["version"])):
            return f"an answer that no readable way gives: {difference(got, right)}"
        news = codes(found) - self.notes[version]
        emptied = [n for v, n in log.commits.items() if os.path.isfile(os.path.join(log.log, n)) and log.size(n) == 0 and v <= found["version"]]
        told = self.checksums and is_told_by_checksum(log, found["version"], got)
        if (emptied or told) and not news & WORDS:
            return f"another answer without a diagnostic ({', '.join(emptied) or 'a checksum tells'}): {difference(got, right)}"
        return None


def codes(found):
    return {n["code"] for n in found["notes"]}


def difference(got, right):
    if right is None:
        return f"an answer with {len(got['files'])} files where there was none"
    lost, more = [f for f in right["files"] if f not in got["files"]], [f for f in got["files"] if f not in right["files"]]
    return f"lost {lost[:3]}, too many {more[:3]}, bytes {got['bytes']} for {right['bytes']}, records {got['records']} for {right['records']}"


def about(name):
    """The version that a file is about, if its name tells one."""
    base = os.path.basename(name)
    return int(base[:20]) if base[:20].isdigit() and len(base) > 20 and os.path.dirname(name) == "" else None


class Counts:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def take(self, problem, where):
        skip = isinstance(problem, suite.Skip)
        self.passed, self.skipped, self.failed = self.passed + (problem is None), self.skipped + skip, self.failed + (problem is not None and not skip)
        if problem and not skip:
            print(f"FAIL {where}: {problem}", flush=True)


def damage_file(counts, t, name, rng, given):
    path = os.path.join(t.table, "_delta_log", name)
    with open(path, "rb") as f:
        content = f.read()
    versions = [None] + [v for v in [about(name)] if v is not None and v < 1 << 62]
    for v in versions:
        t.learn(v)
    for what, instead in faults(content, rng, given.flips):
        put(path, instead)
        for v in versions:
            counts.take(t.judge(name, v), f"{t.name} {'latest' if v is None else v}, {name}: {what}")
        if isinstance(instead, str) or rng.random() < 0.05:
            found, problem = Command(given.binary).ask(t.table)
            counts.take(problem if found is False else None, f"{t.name}, {name}: {what}")
    put(path, content)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--tool", required=True)
    options.add_argument("--binary", required=True)
    options.add_argument("--shared", type=pathlib.Path, default=HERE.parents[2] / "shared")
    options.add_argument("--only", default="")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--files", type=int, default=8)
    options.add_argument("--flips", type=int, default=6)
    options.add_argument("--checksums", action="store_true")
    given = options.parse_args()
    tables = [HERE.parent / "data" / n for n in OURS] + [given.shared / "fixtures" / n for n in SHARED]
    reader, counts = Reader(given.tool, timeout_s=60), Counts()
    print(f"seed {given.seed}")
    for path in tables:
        if given.only not in str(path):
            continue
        if not path.is_dir():
            counts.skipped += 1
            continue
        with tempfile.TemporaryDirectory(prefix="lakeproof-faults-") as scratch:
            t, rng = Table(path, scratch, reader, given.checksums), random.Random(f"{given.seed}/{path.name}")
            names = t.files()
            for name in sorted(rng.sample(names, min(len(names), given.files))):
                damage_file(counts, t, name, rng, given)
    print(f"{reader.answered} answers, {reader.refused} refusals")
    suite.finish(counts.passed, counts.failed, counts.skipped)


if __name__ == "__main__":
    main()
