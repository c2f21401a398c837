#!/usr/bin/env python3
"""plan_vs_engines.py - random queries over three small tables: do DuckDB and PostgreSQL find the same names as we do?

Called by: tests/suites.ini, people.  Must not know: how names are found.

usage: plan_vs_engines.py --batch BUILD/tests/plan_batch [--statements N] [--seed N] [--show N] [--engine NAME]
What an engine accepts we accept, with the same names in the result; what it refuses for a name that is absent, ambiguous or
given twice, or for lists of different length, we refuse. What it refuses for other reasons (types, grouping) is not
compared. Every column is an integer, so that types do not get in the way, and queries run over empty tables. Kinds of
disagreement that are known stand with their reason in plan_disagreements.txt, at most so often as it says; the list can only
shrink. DuckDB is asked in the Python package, PostgreSQL in a cluster of its own under a temporary folder; an engine that is
not there is skipped. Last line: `N passed, N failed, N skipped`.
"""
import argparse
import collections
import glob
import json
import os
import pathlib
import pwd
import random
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TABLES = {"a": ["id", "x", "y"], "b": ["id", "a_id", "x", "z"], "c": ["k", "z", "Mixed"]}
NAMES = ["id", "x", "y", "z", "k", "a_id", "p", "q", "nope", '"Mixed"', "mixed", "X"]
DDL = "".join(f"create table {t} ({', '.join(quoted + ' int' for quoted in (c if c.islower() else f'{chr(34)}{c}{chr(34)}' for c in cols))});\n"
              for t, cols in TABLES.items())

parser = argparse.ArgumentParser()
parser.add_argument("--batch", required=True)
parser.add_argument("--statements", type=int, default=6000)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--show", type=int, default=12)
parser.add_argument("--engine", choices=["duckdb", "postgres"])
options = parser.parse_args()


class Writer:
    """Random queries. `scopes` holds what the writer believes to be visible, innermost last: lists of (alias, columns)."""

    def __init__(self, rng, duck):
        self.rng, self.duck = rng, duck
        self.ctes, self.scopes, self.aliases, self.fresh = [], [], [], 0

    def one(self, *choices):
        return self.rng.choice(choices)

    def chance(self, share):
        return self.rng.random() < share

    def spell(self, name):
        return name if name.islower() or name.startswith('"') or not self.chance(0.9) else f'"{name}"'

    def column(self):
        """Mostly one that is there; sometimes of an enclosing query, an alias, or wrong on purpose."""
        if self.chance(0.02):
            return self.one(*NAMES)
        if self.chance(0.02):
            return f"{self.one('a', 'b', 'c', 't1', 't2')}.{self.one(*NAMES)}"
        scopes = [s for s in self.scopes if s]
        if not scopes:
            return self.one("1", "2")
        scope = scopes[-1] if self.chance(0.9) else self.one(*scopes)
        alias, columns = self.one(*scope)
        if not columns:
            return "3"
        name = self.one(*columns)
        alone = sum(c.lower() == name.lower() for _, other in scope for c in other) == 1
        bare = self.chance(0.8 if alone else 0.06)
        return self.spell(name) if bare else f"{alias}.{self.spell(name)}"

    def expression(self, depth, aggregates=False):
        roll = self.rng.random()
        if aggregates and roll < 0.35:
            return f"{self.one('sum', 'min', 'max', 'count')}({self.expression(0)})"
        if depth <= 0 or roll < 0.6:
            return self.column()
        if roll < 0.8:
            return f"{self.expression(depth - 1, aggregates)} + {self.expression(depth - 1, aggregates)}"
        if roll < 0.86:
            return f"coalesce({self.expression(depth - 1)}, {self.expression(0)})"
        if roll < 0.92:
            return f"case when {self.condition(depth - 1)} then {self.expression(0)} else 0 end"
        if roll < 0.96 and depth > 1:
            return f"(select {self.one('max', 'min')}({self.column()}) from {self.one(*TABLES)} s{self.name()})"
        return str(self.rng.randrange(9))

    def condition(self, depth):
        roll = self.rng.random()
        if depth > 0 and roll < 0.15:
            return f"({self.condition(depth - 1)} {self.one('and', 'or')} {self.condition(depth - 1)})"
        if depth > 0 and roll < 0.25:
            return f"{self.one('', 'not ')}exists ({self.query(0)})"
        if depth > 0 and roll < 0.33:
            return f"{self.column()} {self.one('', 'not ')}in (select {self.column()} from {self.one(*TABLES)})"
        if roll < 0.5:
            return f"{self.column()} is {self.one('', 'not ')}null"
        return f"{self.expression(depth - 1)} {self.one('=', '<', '>=', '<>')} {self.expression(depth - 1)}"

    def name(self):
        self.fresh += 1
        return str(self.fresh)

    def relation(self, depth):
        roll = self.rng.random()
        if self.ctes and roll < 0.3:
            name, columns = self.one(*self.ctes)
        elif depth > 0 and roll < 0.45:
            saved, self.scopes = self.scopes, (self.scopes if self.chance(0.03) else self.scopes[:-1])
            text, columns = self.query_with_columns(depth - 1)
            self.scopes = saved
            alias = "t" + self.name() if self.chance(0.95) else "a"
            listed = ""
            if self.chance(0.2) and columns:
                columns = [self.one("p", "q", "r", "id", "x") + self.one("", "", "2") for _ in columns] + columns[len(columns):]
                listed = f"({', '.join(columns)})"
            return f"({text}) {self.one('', 'as ')}{alias}{listed}", alias, columns
        else:
            name = self.one(*TABLES)  # all are declared: one that is not would be open to us
            columns = TABLES[name]
        if self.chance(0.75):
            alias = self.one("t" + self.name(), "u" + self.name()) if self.chance(0.97) else self.one("a", "b")
            return f"{name} {self.one('', 'as ')}{alias}", alias, columns
        return name, name, columns

    def from_clause(self, depth):
        text, alias, columns = self.relation(depth)
        self.scopes[-1].append((alias, columns))
        for _ in range(self.one(0, 0, 1, 1, 2)):
            right, alias, columns = self.relation(depth)
            before = [c.lower() for _, other in self.scopes[-1] for c in other]
            shared = sorted({c for c in columns if before.count(c.lower()) == 1 and columns.count(c) == 1})
            roll = self.rng.random()
            if roll < 0.15:
                text += f", {right}"
            elif roll < 0.22:
                text += f" cross join {right}"
            elif roll < 0.28:
                text += f" natural {self.one('', 'left ', 'full ')}join {right}"
            elif roll < 0.5 and (shared or self.chance(0.1)):
                using = self.rng.sample(shared, 1 if len(shared) < 2 or self.chance(0.6) else 2) if shared and self.chance(0.93) else [self.one("id", "x", "k")]
                text += f" {self.one('', 'left ', 'right ', 'full ')}join {right} using ({', '.join(map(self.spell, using))})"
            else:
                self.scopes[-1].append((alias, columns))
                text += f" {self.one('', 'left ', 'inner ')}join {right} on {self.condition(1)}"
                continue
            self.scopes[-1].append((alias, columns))
        return text

    def item(self, grouped):
        """The text and the name that it gets, None for one that engines make up."""
        if not grouped and self.chance(0.1):
            return self.one("*", f"{self.one(*self.scopes[-1])[0]}.*" if self.scopes[-1] else "*"), "*"
        if grouped:
            value = self.one(*grouped) if self.chance(0.5) else self.expression(1, True) if self.chance(0.2) else \
                f"{self.one('sum', 'max', 'count')}({self.expression(1)})"
        elif self.aliases and self.duck and self.chance(0.08):
            value = f"{self.one(*self.aliases)} + 1"
        elif self.chance(0.06):
            value = f"{self.one('row_number()', 'rank()', f'sum({self.column()})')} over (partition by {self.column()} order by {self.column()})"
        else:
            value = self.expression(2)
        is_column = re.fullmatch(r'(\w+\.)?("\w+"|[a-zA-Z_]\w*)', value)
        if is_column and self.chance(0.6):
            return value, value.rsplit(".", 1)[-1].strip('"')
        if not self.duck and self.chance(0.1):
            return value, None
        alias = self.one("p", "q", "r", "s" + self.name(), "x", "id")
        self.aliases.append(alias)
        return f"{value} {self.one('as ', 'as ', '' if self.duck else 'as ')}{alias}", alias

    def select(self, depth, want=None):
        self.scopes.append([])
        saved_aliases, self.aliases = self.aliases, []
        source = self.from_clause(depth) if self.chance(0.97) else ""
        grouped = []
        if source and self.chance(0.25):
            grouped = [self.column() for _ in range(self.one(1, 1, 2))]
        items = [self.item(grouped) for _ in range(want or self.one(1, 2, 2, 3, 4))]
        text = "select " + ("distinct " if self.chance(0.08) else "") + ", ".join(i for i, _ in items)
        if source:
            text += f" from {source}"
        if source and self.chance(0.4):
            alias = self.duck and self.aliases and self.chance(0.1)
            text += f" where {self.one(*self.aliases)} > 1" if alias else f" where {self.condition(2)}"
        if grouped:
            keys = [self.one(*self.aliases) if self.aliases and self.chance(0.05) else g for g in grouped]
            if self.chance(0.05):
                keys.append(str(self.one(1, 2, 5)))
            text += f" group by {', '.join(keys)}"
            if self.chance(0.3):
                text += f" having {self.one(*self.aliases) if self.aliases and self.chance(0.15) else 'count(*)'} > 1"
        if self.chance(0.25):
            roll = self.rng.random()
            key = self.one(*self.aliases) if self.aliases and roll < 0.4 else str(self.one(1, 1, 2, 6)) if roll < 0.6 else \
                self.one(*grouped) if grouped else self.expression(1)
            self.order = f" order by {key}"
        else:
            self.order = ""
        columns = []
        for value, name in items:
            if name == "*":
                prefix = value[:-2] if value.endswith(".*") else None
                for alias, other in self.scopes[-1]:
                    if prefix in (None, alias):
                        columns += other
            elif name is not None:
                columns.append(name)
        self.scopes.pop()
        self.aliases = saved_aliases
        return text, columns

    def query_with_columns(self, depth):
        known = len(self.ctes)
        prefix = ""
        if depth > 0 and self.chance(0.25):
            parts = []
            for _ in range(self.one(1, 1, 2)):
                saved, self.scopes = self.scopes, []
                text, columns = self.query_with_columns(depth - 1)
                self.scopes = saved
                name = "w" + self.name() if self.chance(0.9) else self.one(*TABLES)
                listed = ""
                if self.chance(0.15) and columns:
                    columns = [c + str(i) for i, c in enumerate(self.rng.choices(["p", "q", "x"], k=len(columns)))]
                    listed = f"({', '.join(columns)})"
                self.ctes.append((name, columns))
                parts.append(f"{name}{listed} as ({text})")
            prefix = f"with {', '.join(parts)} "
        text, columns = self.select(depth)
        if self.chance(0.12):
            for _ in range(self.one(1, 1, 2)):
                right, others = self.select(depth, len(columns) if self.chance(0.9) else None)
                if "*" in right.split(" from ")[0] and self.chance(0.8):
                    continue
                text += f" {self.one('union', 'union all', 'except', 'intersect')} {right}"
            if self.chance(0.3):
                text += f" order by {self.one(*columns) if columns and self.chance(0.8) else self.one('1', 'nope', 'x')}"
        else:
            text += self.order
        if self.chance(0.1):
            text += " limit 3"
        del self.ctes[known:]
        return prefix + text, columns

    def query(self, depth):
        return self.query_with_columns(depth)[0]


# ---- engines: (accepted, names) or (refused, kind, message); kinds that are no matter of names are "other" ----

DUCK_NAMES = [
    (r"Ambiguous reference|is ambiguous|ambiguous", "ambiguous"),
    (r"Referenced column|Referenced table|does not have a column|Column .* does not exist|not found in FROM|"
     r"Table with name|does not exist on (left|right) side|column .* cannot be referenced before|"
     r"Could not find|No columns found to join on|not found", "absent"),
    (r"Duplicate alias|duplicate alias|[Dd]uplicate", "twice"),
    (r"same number of result columns|columns available but|column aliases|out of range", "length"),
]
POSTGRES_NAMES = {"42703": "absent", "42P01": "absent", "42702": "ambiguous", "42P09": "ambiguous", "42712": "twice",
                  "42P10": "length"}
NO_NAMES = "for SELECT DISTINCT, ORDER BY expressions must appear"  # a 42P10 that is a rule about rows


def ask_duckdb(texts):
    import duckdb
    con = duckdb.connect()
    con.execute(DDL)
    for text in texts:
        try:
            con.execute(text)
            yield "accepted", [c[0] for c in con.description]
        except Exception as e:  # whatever the engine says
            message = str(e)
            if "Parser Error" in message or "INTERNAL" in message:
                yield "other", message
                continue
            yield next((kind for pattern, kind in DUCK_NAMES if re.search(pattern, message)), "other"), message


class Cluster:
    """A PostgreSQL of its own, gone at the end. None where there is no PostgreSQL."""

    def __enter__(self):
        self.folder = None
        bins = sorted(glob.glob("/usr/lib/postgresql/*/bin")) + [os.path.dirname(shutil.which("initdb") or "")]
        bins = [b for b in bins if b and os.path.exists(os.path.join(b, "initdb"))]
        if not bins or not shutil.which("psql"):
            return None
        self.bin, self.folder = bins[-1], tempfile.mkdtemp(prefix="lakeproof_pg_")
        self.user = {}
        if os.geteuid() == 0:
            try:
                owner = pwd.getpwnam("postgres")
            except KeyError:
                return None
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
            self.user = {"user": "postgres"}
        if self.run("initdb", "-D", self.folder + "/data", "-A", "trust", "-N", "-U", "lakeproof").returncode:
            return None
        started = self.run("pg_ctl", "-D", self.folder + "/data", "-w", "-l", self.folder + "/log", "-o",
                           f"-k {self.folder} -c listen_addresses='' -c fsync=off", "start")
        return None if started.returncode else self

    def run(self, tool, *arguments):
        return subprocess.run([os.path.join(self.bin, tool), *arguments], cwd=self.folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, **self.user)

    def __exit__(self, *_):
        if self.folder:
            if os.path.isdir(self.folder + "/data"):
                self.run("pg_ctl", "-D", self.folder + "/data", "-m", "immediate", "stop")
            shutil.rmtree(self.folder, ignore_errors=True)

    def ask(self, texts):
        script = DDL + "\\set VERBOSITY verbose\n" + "".join(f"\\echo @@@\n{text}\n\\gdesc\n" for text in texts)
        done = subprocess.run(["psql", "-X", "-q", "-A", "-t", "-h", self.folder, "-U", "lakeproof", "postgres"],
                              input=script.encode(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
        for answer in done.stdout.decode().split("@@@\n")[1:]:
            error = re.search(r"^.*(?:ERROR|FATAL):  (\w{5}): (.*)", answer)
            if not error:
                yield "accepted", [line.rsplit("|", 1)[0] for line in answer.splitlines()]
                continue
            kind = POSTGRES_NAMES.get(error[1], "other")
            if re.search(r"same number of columns|columns? available but|more than once|no name", error[2]):
                kind = "length"
            yield "other" if NO_NAMES in error[2] else kind, f"{error[1]}: {error[2]}"


def ask_us(dialect, texts):
    ddl = DDL.encode()
    records = b"".join(f"{dialect} {len(t.encode())} {len(ddl)}\n".encode() + t.encode() + ddl for t in texts)
    lines = subprocess.run([options.batch, "columns"], input=records, capture_output=True).stdout.decode().splitlines()
    assert len(lines) == len(texts), (len(lines), len(texts))
    for line in lines:
        state, _, rest = line.partition(" ")
        yield ("accepted", json.loads(rest)) if state == "ok" else (state, rest)


# ---- the comparison ----

def has_idle_cte(text):
    return any(len(re.findall(rf"\b{name}\b", text)) < 2 or len(re.findall(rf"(?:from|join|,) {name}\b", text)) < 1
               for name in re.findall(r"(\w+)(?:\([^()]*\))? as \((?:with|select)", text) if name != "t")


def disagreement(text, theirs, ours):
    """None, or what kind it is. A kind names who says what, so that the list of known ones stays readable."""
    (state, said), (our_state, we_say) = theirs, ours
    if our_state == "error" and state == "accepted" and has_idle_cte(text):
        return "accepted, with a CTE that nothing refers to, and we refuse"
    if our_state == "unknown":
        return f"we do not know: {we_say}"
    if state == "accepted":
        if our_state != "accepted":
            return "accepted, and we refuse: " + re.sub(r"line \d+, column \d+: ", "", we_say)
        if said == we_say:
            return None
        same = [s.lower() for s in said] == [s.lower() for s in we_say]
        return "the names differ in case" if same else "the names differ"
    if state != "other" and our_state == "accepted":
        return f"refused ({state}), and we accept: " + said.splitlines()[0]
    return None


def known_disagreements():
    """Engine -> [(pattern, at most)]. A line: engine, most in 1000 statements, pattern of the kind, reason behind `#`."""
    known = collections.defaultdict(list)
    for line in (HERE / "plan_disagreements.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            engine, most, pattern = line.split("#")[0].split(None, 2)
            known[engine].append((pattern.strip(), int(most)))
    return known


def compare(engine, ask, tally):
    rng = random.Random(options.seed)
    texts = []
    while len(texts) < options.statements:
        text = Writer(rng, engine == "duckdb").query(2)
        if len(text) < 1500:
            texts.append(text)
    states, kinds, seen = collections.Counter(), collections.defaultdict(list), collections.Counter()
    for text, theirs, ours in zip(texts, ask(texts), ask_us(engine, texts)):
        states[theirs[0]] += 1
        kind = disagreement(text, theirs, ours)
        seen["agree" if kind is None else "disagree"] += 1
        if kind is not None:
            kinds[kind].append((text, theirs, ours))
    tally["passed"] += seen["agree"]
    known = known_disagreements()[engine]
    found = collections.Counter()
    unknown = []
    for kind, cases in kinds.items():
        pattern = next((p for p, _ in known if re.search(p, kind)), None)
        if pattern is None:
            unknown += [(kind, *case) for case in cases]
        else:
            found[pattern] += len(cases)
    for pattern, most in known:
        allowed = -(-most * options.statements // 1000)
        if found[pattern] > allowed:
            tally["failed"] += 1
            print(f"FAILED {engine}: {found[pattern]} times, at most {allowed}: {pattern}")
        else:
            tally["passed"] += found[pattern]
    tally["failed"] += len(unknown)
    unknown.sort(key=lambda u: len(u[1]))
    for kind, text, theirs, ours in unknown[:options.show]:
        print(f"FAILED {engine}: {kind}\n  {text}\n  {engine}: {str(theirs[1])[:200]}\n  ours: {str(ours[1])[:200]}")
    print(f"{engine}: {len(texts)} statements, {dict(states)}, known disagreements: {sum(found.values())}, unknown: {len(unknown)}")


def main():
    tally = collections.Counter()
    if options.engine in (None, "duckdb"):
        try:
            import duckdb  # noqa: F401
            compare("duckdb", ask_duckdb, tally)
        except ImportError:
            print("skipped: the Python package duckdb is not installed")
            tally["skipped"] += 1
    if options.engine in (None, "postgres"):
        with Cluster() as cluster:
            if cluster:
                compare("postgres", cluster.ask, tally)
            else:
                print("skipped: no PostgreSQL that could be started")
                tally["skipped"] += 1
    print(f"{tally['passed']} passed, {tally['failed']} failed, {tally['skipped']} skipped")
    return 1 if tally["failed"] else 0 if tally["passed"] else 77


if __name__ == "__main__":
    sys.exit(main())
