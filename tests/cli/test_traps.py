#!/usr/bin/env python3
"""test_traps.py - the known ways to drop a file that holds a matching row, one or more tables each: tests/traps/*.txt.

Called by: ctest, or by hand: test_traps.py --binary build/dev/lakeproof [--only T15].  Must not know: how the library
finds an answer. tests/traps/README.md tells how the texts are written.
"""
import argparse
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import logs  # noqa: E402
from suite import equal, finish, holds  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--binary", required=True)
parser.add_argument("--only")
options = parser.parse_args()
LAKEPROOF = logs.Program(options.binary, "lakeproof")
TEXTS = sorted((logs.PROJECT / "tests" / "traps").glob("*.txt"))
SOUNDNESS = logs.PROJECT / "docs" / "soundness.md"
TRAPS = {f"T{n}" for n in range(1, 91)}
WRITER = {"commitInfo": {"engineInfo": "Apache-Spark/4.0.0 Delta-Lake/4.0.0", "operation": "WRITE"}}


class Trap:
    def __init__(self, place, number, title):
        self.place, self.number, self.title = place, number, title
        self.fields, self.partition, self.properties = [], [], {}
        self.protocol, self.writer, self.folder = logs.protocol(), [WRITER], None
        self.commits, self.sources, self.log_files, self.arguments, self.question = [[]], {}, {}, [], None
        self.checked = 0

    # ---- the table

    def columns(self, rest):
        for text in re.findall(r"(?:[^,({]|\([^)]*\)|\{.*?\}(?=\s*(?:,|$)))+", rest):
            found = re.fullmatch(r'\s*("[^"]*"|\S+) (\S.*?)( partition)?(?: (\{.*\}))?\s*', text)
            name = found[1].strip('"')
            kind = json.loads(found[2]) if found[2].startswith("{") else found[2]
            self.fields.append({"name": name, "type": kind, "nullable": True, "metadata": json.loads(found[4] or "{}")})
            if found[3]:
                self.partition.append(name)

    def field(self, rest):
        self.fields.append({"nullable": True, "metadata": {}, **json.loads(rest)})

    def property(self, rest):
        key, value = rest.split("=", 1)
        self.properties[key] = value

    def protocol_is(self, rest):
        self.protocol = {"protocol": json.loads(rest)}

    def add(self, rest):
        name, rest = (rest + " ").split(" ", 1)
        stats, action = {}, {"path": name, "partitionValues": {}, "size": 1, "modificationTime": 0, "dataChange": True}
        for key, value in facts(rest):
            take_fact(stats, action, self.physical_partition(), key, value)
        if stats:
            action.setdefault("stats", dumps(stats))
        self.commits[-1].append({"add": action})

    def physical_partition(self):
        keys = {f["name"]: f["metadata"].get("delta.columnMapping.physicalName", f["name"]) for f in self.fields}
        return {keys.get(p, p) for p in self.partition} | set(self.partition)

    def action(self, rest):
        self.commits[-1].append(json.loads(rest))

    def commit(self, _):
        self.commits.append([WRITER])

    def file(self, rest):
        name, content = (rest + " ").split(" ", 1)
        self.log_files[name] = content.strip().encode()

    def make(self):
        if self.folder is None:
            metadata = logs.metadata(self.fields, partition=self.partition, configuration=self.properties)
            first = [*self.writer, self.protocol, metadata, *self.commits[0]]
            self.folder = logs.table(first, *self.commits[1:], files=self.log_files)
        return self.folder

    # ---- what must hold

    def run(self, *arguments):
        where = ["--where", self.question] if self.question is not None else []
        return LAKEPROOF.run(self.make(), *where, *self.arguments, *arguments)

    def report(self, *arguments):
        done = self.run("--format", "json", "--verbose", *arguments)
        holds(done.returncode == 0, f"{self.place}: exit {done.returncode}: {done.stderr.decode()}")
        return json.loads(done.stdout)

    def keeps(self, rest, *levels):
        for level in levels or ("contract", "extended"):
            report = self.report("--level", level)
            found = [f["path"] for f in report["files"] if f["kept"]]
            equal(sorted(found), sorted(rest.split()), f"{self.place}: {self.question} {level}")
        self.checked += 1

    def truth(self, _):
        """The files in which Spark found a matching row are kept: told beside a table of the project."""
        told = json.loads(self.folder.with_name(self.folder.name + ".truth.json").read_text(encoding="utf-8"))
        answers = [p["matching"] for run in told["runs"] if run["timezone"] == "UTC" for p in run["predicates"] if p["where"] == self.question]
        holds(answers and answers[0], f"{self.place}: the truth has no answer to {self.question}")
        for level in ("contract", "extended"):
            kept = {f["path"] for f in self.report("--level", level)["files"] if f["kept"]}
            equal(sorted({told["files"][i] for i in answers[0]} - kept), [], f"{self.place}: {self.question} {level} drops")
        self.checked += 1

    def files(self, rest):
        self.question = None
        equal(sorted(f["path"] for f in self.report()["files"]), sorted(rest.split()), f"{self.place}: live files")
        self.checked += 1

    def note(self, rest):
        report = self.report()
        codes = {n["code"] for n in (report["analysis"] or {"notes": []})["notes"] + report["table_notes"]}
        holds(rest in codes, f"{self.place}: expected the note {rest}, found {sorted(codes)}")

    def error(self, rest):
        done = self.run()
        equal((done.returncode, done.stdout), (1, b""), f"{self.place}: {self.question}")
        holds(rest in done.stderr.decode(), f"{self.place}: expected {rest!r}, found {done.stderr.decode()!r}")
        self.checked += 1

    def obey(self, word, rest):
        if word == "ask":
            self.question = rest
        elif word == "option":
            self.arguments = rest.split()
        elif word == "table":
            self.folder = logs.PROJECT / rest
        elif word == "nobody":
            self.writer = []
        elif word in ("contract", "extended"):
            self.keeps(rest.removeprefix("keeps").strip(), word)
        else:
            does = {"columns": self.columns, "field": self.field, "property": self.property, "protocol": self.protocol_is,
                    "add": self.add, "action": self.action, "commit": self.commit, "file": self.file,
                    "keeps": self.keeps, "files": self.files, "note": self.note, "error": self.error, "truth": self.truth}
            does[word](rest)


def facts(text):
    """name=JSON, one behind the other; a bare name is true."""
    decoder, at, text = json.JSONDecoder(parse_float=number), 0, text.strip()
    while at < len(text):
        found = re.compile(r'("[^"]*"|[^\s="]+)(=?)').match(text, at)
        key, at = found[1].strip('"'), found.end()
        value = True
        if found[2]:
            value, at = decoder.raw_decode(text, at)
        yield key, value
        while at < len(text) and text[at] == " ":
            at += 1


def number(text):
    """A number that is written back with the digits it was read with: a text with a mark, until dumps()."""
    return f"@@{text}@@"


def dumps(stats):
    return re.sub(r'"@@([^"@]+)@@"', r"\1", json.dumps(stats, ensure_ascii=False))


def put(stats, side, path, value):
    at = stats.setdefault(side, {})
    *outer, leaf = path.split("/")
    for name in outer:
        at = at.setdefault(name, {})
    at[leaf] = value


def take_fact(stats, action, partition, key, value):
    if key == "rows":
        stats["numRecords"] = value
    elif key == "loose":
        stats["tightBounds"] = False
    elif key == "vector":
        action["deletionVector"] = {"storageType": "i", "pathOrInlineDv": "wi5b=000010000siXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L",
                                    "sizeInBytes": 40, "cardinality": value}
    elif key in ("stats", "path"):
        action[key] = value
    elif key in partition:
        action["partitionValues"][key] = value
    elif key.endswith(".nulls"):
        put(stats, "nullCount", key[:-6], value)
    else:
        low, high = value
        for side, bound in (("minValues", low), ("maxValues", high)):
            if bound != "absent":
                put(stats, side, key, bound)


def read(path):
    """The traps of a text: place, number, title, lines."""
    traps = []
    for count, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        heading = re.match(r"(T\d+) (.*)", line)
        if heading:
            traps.append((f"{path.name}:{count}", heading[1], heading[2], []))
        elif line.strip() and not line.startswith("#"):
            traps[-1][3].append(line.strip())
    return traps


def check(place, number, title, lines):
    trap = Trap(place, number, title)
    for line in lines:
        word, _, rest = line.partition(" ")
        trap.obey(word, rest.strip())
    holds(trap.checked, f"{place}: {number} checks nothing")


def check_all_are_there(named):
    told = set(re.findall(r"^\| (T\d+) \|", SOUNDNESS.read_text(encoding="utf-8"), re.M)) if SOUNDNESS.exists() else set()
    equal(sorted(TRAPS - named - told), [], "traps without a case and without a row in docs/soundness.md")


def main():
    passed = failed = 0
    named = set()
    for path in TEXTS:
        for place, number, title, lines in read(path):
            named.add(number)
            if options.only and options.only != number:
                continue
            try:
                check(place, number, title, lines)
                passed += 1
            except AssertionError as reason:
                failed += 1
                print(f"FAIL {number} {title}\n     {reason}")
    if not options.only:
        try:
            check_all_are_there(named)
            passed += 1
        except AssertionError as reason:
            failed += 1
            print(f"FAIL {reason}")
    finish(passed, failed, 0)


main()
