#!/usr/bin/env python3
"""random_logs.py - write random logs whose true file sets are known, and ask lakeproof for every version of each.

Called by: tests/suites.ini, people.  Must not know: how lakeproof reads a log.

usage: random_logs.py --tool BUILD/tests/snapshot_many [--binary BUILD/lakeproof] [--count 5000] [--seconds N] [--seed N] [--only I] [--failures 5] [--keep FOLDER]
       [--checksums]
       random_logs.py --tool ... --recipe FILE      one log again, from the recipe that a failure left behind
A log is a recipe (log_model.py), drawn by log_draw.py and written by log_writer.py; what must be found in it says
log_model.py. Asked are each version up to one past the last, and the latest: the files by path, vector and partition values, their
number, bytes and records, and the protocol; or that the version is refused. With --binary every 50th log is asked once
more by the command, for its exit code and its output. A failure is made small by dropping commits, actions
and other files as long as it fails, and is left in a folder. Last line: `N passed, N failed, N skipped`.
"""
import argparse
import copy
import json
import os
import random
import shutil
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..")]
import suite
from questions import Command, Reader
from log_draw import draw_recipe
from log_model import expected_answer, notes_about, replay, totals
from log_writer import HAS_PARQUET, write_log

# ---------------------------------------------------------------- comparing


def lacks_counts(checkpoint):
    """Were its files written to Parquet without statistics?"""
    return checkpoint["stats"] == "none" and (checkpoint["kind"] != "v2json" or checkpoint["sidecars"] > 0)


def partition_text(add, columns):
    values = add["partitionValues"]
    return json.dumps({c: values[c] for c in columns if c in values}, sort_keys=True)


def differences(recipe, state, found):
    """What of an answer is not so."""
    want, got, files = totals(state), found["totals"], found["files"]
    # A checkpoint may have been written without statistics; then nobody can know the counts.
    if got["records"] is None and any(lacks_counts(c) for c in recipe["checkpoints"]):
        want["records"] = want["live_rows"] = None
    partition = state.metadata["partitionColumns"] if state.metadata else []
    keys = sorted((f["path"], f["dv_id"] or "", json.dumps(f["partition_values"], sort_keys=True)) for f in files)
    live = sorted((path, dv or "", partition_text(add, partition)) for (path, dv), add in state.files.items())
    out = [f"{k}: expected {want[k]}, found {got.get(k)}" for k in want if got.get(k) != want[k]]
    if keys != live:
        out.append(f"files: missing {[k for k in live if k not in keys]}, too many {[k for k in keys if k not in live or keys.count(k) > 1]}")
    p = state.protocol
    protocol = {"min_reader_version": p["minReaderVersion"], "min_writer_version": p["minWriterVersion"],
                "reader_features": p.get("readerFeatures") or [], "writer_features": p.get("writerFeatures") or []}
    if found["protocol"] != protocol:
        out.append(f"protocol: expected {protocol}, found {found['protocol']}")
    if found["partition_columns"] != partition:
        out.append(f"partition columns: expected {partition}, found {found['partition_columns']}")
    return out


def wrong_answer(reader, table, recipe, version):
    """One question: what is wrong with its answer, or None."""
    target, may_refuse = expected_answer(recipe, version)
    found, error = reader.ask(table, version)
    if found is False:
        return error
    if found is None:
        return None if may_refuse else f"expected version {target}, found the error {error!r}"
    if target is None:
        return f"expected an error, found version {found['version']} with {found['totals']['files']} files"
    if found["version"] != target:
        return f"expected version {target}, found version {found['version']}"
    return "; ".join(differences(recipe, replay(recipe["commits"], 0, target), found) + wrong_notes(recipe, target, found, reader.checksums)) or None


def wrong_notes(recipe, target, found, checksums):
    codes = {n["code"] for n in found["notes"]}
    must, must_not = notes_about(recipe, target, checksums)
    return [f"no note {code}" for code in sorted(must - codes)] + [f"a note {code} for nothing" for code in sorted(must_not & codes)]


def wrong_answers(reader, recipe, table, first_only=False):
    """[(version, what is wrong)] over all questions to a log that is written first, and how many there were."""
    write_log(table, recipe)
    return ask_all(reader, recipe, table, first_only)


def ask_all(reader, recipe, table, first_only=False):
    wrong, questions = [], list(range(len(recipe["commits"]) + 1)) + [None]
    for version in questions:
        problem = wrong_answer(reader, table, recipe, version)
        if problem:
            wrong.append((version, problem))
            if first_only:
                break
    return wrong, len(questions)


# ---------------------------------------------------------------- making a failure small


def smaller_recipes(recipe):
    """Recipes with one piece less, large pieces first."""
    def without(key, at):
        smaller = copy.deepcopy(recipe)
        del smaller[key][at]
        return smaller

    count = len(recipe["commits"])
    if count > 1:
        smaller = without("commits", -1)
        for key in ("checkpoints", "checksums"):
            smaller[key] = [c for c in smaller[key] if c["version"] < count - 1]
        smaller["compactions"] = [c for c in smaller["compactions"] if c["last"] < count - 1]
        smaller["deleted"] = [v for v in smaller["deleted"] if v < count - 1]
        yield smaller
    for key in ("checkpoints", "compactions", "checksums", "noise", "deleted"):
        for at in range(len(recipe[key])):
            yield without(key, at)
    if recipe["hint"]:
        yield dict(recipe, hint=None)
    for v in range(count):
        for at in range(len(recipe["commits"][v])):
            smaller = copy.deepcopy(recipe)
            if not {"protocol", "metaData"} & set(smaller["commits"][v].pop(at)):
                yield smaller


def make_small(reader, recipe, scratch):
    """Drop pieces as long as some answer is wrong."""
    def fails(r):
        table = tempfile.mkdtemp(dir=scratch)
        try:
            return wrong_answers(reader, r, os.path.join(table, "t"), first_only=True)[0]
        finally:
            shutil.rmtree(table)

    limit, shrinking = time.monotonic() + 20, True
    while shrinking and time.monotonic() < limit:
        shrinking = False
        for smaller in smaller_recipes(recipe):
            if fails(smaller):
                recipe, shrinking = smaller, True
                break
    return recipe


def report(reader, name, recipe, scratch, keep):
    small = make_small(reader, recipe, scratch)
    folder = os.path.join(keep, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    table = os.path.join(folder, "table")
    wrong, _ = wrong_answers(reader, small, table)
    with open(os.path.join(folder, "recipe.json"), "w", encoding="utf8") as f:
        json.dump(small, f, indent=1)
    print(f"FAIL {name}: kept in {folder}")
    for version, problem in wrong:
        print(f"  {'latest' if version is None else f'version {version}'}: {problem[:1500]}")
    for path in sorted(os.listdir(os.path.join(table, "_delta_log"))):
        full = os.path.join(table, "_delta_log", path)
        print(f"  -- {path}" + (f" ({os.path.getsize(full)} bytes)" if os.path.isfile(full) else ""))
        if path.endswith(".json") and os.path.isfile(full):
            with open(full, encoding="utf8", errors="replace") as f:
                print("".join(f"     {line[:600].rstrip()}\n" for line in f), end="")


# ---------------------------------------------------------------- the run


def reader_of(given):
    reader = Reader(given.tool)
    reader.checksums = given.checksums  # must a false version checksum be told?
    return reader


def run(given):
    reader, command, scratch = reader_of(given), Command(given.binary), tempfile.mkdtemp(prefix="lakeproof-logs-")
    keep = given.keep or os.path.join(tempfile.gettempdir(), f"lakeproof-random-logs-{os.getpid()}")
    print(f"seed {given.seed}" + ("" if HAS_PARQUET else "; no pyarrow, so no checkpoints in Parquet"), flush=True)
    start, passed, failed = time.monotonic(), 0, 0
    for i in [given.only] if given.only is not None else range(given.count):
        if failed == given.failures or (given.seconds and time.monotonic() - start > given.seconds):
            break
        recipe = draw_recipe(random.Random(f"{given.seed}/{i}"), HAS_PARQUET)
        table = os.path.join(scratch, "t")
        wrong, _ = wrong_answers(reader, recipe, table)
        if given.binary and i % 50 == 0 and not wrong:
            command.checksums = given.checksums
            wrong, _ = ask_all(command, recipe, table)
            print("".join(f"FAIL log {i}, asked by the command: {w}\n" for w in wrong), end="")
        shutil.rmtree(table)
        passed, failed = passed + (not wrong), failed + bool(wrong)
        if wrong:
            report(reader, f"seed-{given.seed}-log-{i}", recipe, scratch, keep)
    shutil.rmtree(scratch)
    print(f"{passed + failed} logs, {reader.answered} versions answered and {reader.refused} refused, {time.monotonic() - start:.0f} s")
    suite.finish(passed, failed, 0 if HAS_PARQUET else 1)


def run_recipe(given):
    with open(given.recipe, encoding="utf8") as f:
        recipe = json.load(f)
    with tempfile.TemporaryDirectory() as scratch:
        wrong, asked = wrong_answers(reader_of(given), recipe, os.path.join(scratch, "t"))
    for version, problem in wrong:
        print(f"{'latest' if version is None else f'version {version}'}: {problem}")
    suite.finish(asked - len(wrong), len(wrong), 0)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--tool", required=True)
    options.add_argument("--binary")
    options.add_argument("--count", type=int, default=5000)
    options.add_argument("--seconds", type=float)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", type=int)
    options.add_argument("--keep")
    options.add_argument("--failures", type=int, default=5, help="stop after so many")
    options.add_argument("--recipe")
    options.add_argument("--checksums", action="store_true")
    given = options.parse_args()
    run_recipe(given) if given.recipe else run(given)


if __name__ == "__main__":
    main()
