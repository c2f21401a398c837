"""engines.py - SQLite, DuckDB and PostgreSQL: databases are put in, rows of queries come out.

Called by: refute.py, shrink.py.  Must not know: facts.

Every engine gives for each query a list: one entry for each database, (rows, is_whole), or None where it refuses the query.
"""
import glob
import json
import os
import pwd
import shutil
import sqlite3
import subprocess
import tempfile

import schema as schemas

MAX_ROWS = 400
STEPS = 200_000  # of SQLite's machine: a query that takes more is left out


class Sqlite:
    name, dialect = "sqlite", "postgres"

    def open(self, schema, databases):
        """Databases that break a declaration are an error of the caller."""
        self.connections = []
        for database in databases:
            con = schemas.satisfies(schema, database)
            assert con is not None, "the rows break a declaration"
            con.set_progress_handler(lambda: 1, STEPS)
            self.connections.append(con)

    def adopt(self, connections):
        for con in connections:
            con.set_progress_handler(lambda: 1, STEPS)
        self.connections = connections

    def rows(self, texts):
        return [self.rows_of(text) for text in texts]

    def rows_of(self, text):
        out = []
        for con in self.connections:
            try:
                rows = con.execute(text).fetchmany(MAX_ROWS + 1)
            except sqlite3.Error as e:
                self.error = str(e)
                return None
            out.append((rows[:MAX_ROWS], len(rows) <= MAX_ROWS))
        return out


def literal(value, kind, number=0):
    """Every other zero and number prints in another way than its equals."""
    if value is not None and number % 2 and kind in ("numeric", "double precision"):
        return f"'{value}{'.00' if float(value).is_integer() and kind == 'numeric' else ''}'" if value or kind == "numeric" else "'-0.0'"
    if value is None:
        return "null"
    if kind == "boolean":
        return "true" if value else "false"
    return f"'{value}'" if isinstance(value, str) else repr(value)


def script(schema, databases):
    """SQL that makes the databases, one schema each: d0, d1, ... References are left out: SQLite has seen to them, and engines
    differ on rows that refer to themselves."""
    out = []
    for number, database in enumerate(databases):
        out.append(f"drop schema if exists d{number} cascade; create schema d{number}")
        for t in schema.tables:
            out.append(t.ddl(False, with_foreigns=False).replace("create table ", f"create table d{number}."))
            rows = ["(" + ", ".join(literal(v, c.kind, i) for v, c in zip(row, t.columns)) + ")" for i, row in enumerate(database[t.name])]
            if rows:
                out.append(f"insert into d{number}.{t.name} values {', '.join(rows)}")
    return out


class Duckdb:
    name, dialect = "duckdb", "duckdb"

    def __init__(self):
        import duckdb
        self.module = duckdb

    def open(self, schema, databases):
        self.con = self.module.connect(config={"threads": 1, "order_by_non_integer_literal": True})
        for text in script(schema, databases):
            self.con.execute(text)
        self.count = len(databases)

    def rows(self, texts):
        return [self.rows_of(text) for text in texts]

    def rows_of(self, text):
        out = []
        for number in range(self.count):
            try:
                self.con.execute(f"set schema = 'd{number}'")
                rows = self.con.execute(text).fetchmany(MAX_ROWS + 1)
            except Exception as e:  # whatever it says
                self.error = str(e)
                return None
            out.append(([tuple(as_plain(v) for v in row) for row in rows[:MAX_ROWS]], len(rows) <= MAX_ROWS))
        return out


def as_plain(value):
    """Decimals compare with floats, and a list has to be hashable."""
    return str(value) if isinstance(value, (list, dict)) or hasattr(value, "isoformat") else value


class Postgres:
    """A cluster of its own, gone at the end; asked through psql, in one script for all queries of a schema."""
    name, dialect = "postgres", "postgres"

    def __init__(self):
        bins = sorted(glob.glob("/usr/lib/postgresql/*/bin")) + [os.path.dirname(shutil.which("initdb") or "")]
        bins = [b for b in bins if b and os.path.exists(os.path.join(b, "initdb"))]
        if not bins or not shutil.which("psql"):
            raise ImportError("no PostgreSQL")
        self.bin, self.folder, self.user = bins[-1], tempfile.mkdtemp(prefix="lakeproof_pg_"), {}
        if os.geteuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
            self.user = {"user": "postgres"}
        if self.run("initdb", "-D", self.folder + "/data", "-A", "trust", "-N", "-U", "lakeproof", "--locale=C", "-E", "UTF8") or \
                self.run("pg_ctl", "-D", self.folder + "/data", "-w", "-l", self.folder + "/log", "-o",
                         f"-k {self.folder} -c listen_addresses='' -c fsync=off", "start"):
            self.close()
            raise ImportError("PostgreSQL does not start")

    def run(self, tool, *arguments):
        return subprocess.run([os.path.join(self.bin, tool), *arguments], cwd=self.folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, **self.user).returncode

    def close(self):
        if os.path.isdir(self.folder + "/data"):
            self.run("pg_ctl", "-D", self.folder + "/data", "-m", "immediate", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)

    def psql(self, text):
        done = subprocess.run(["psql", "-X", "-q", "-A", "-t", "-h", self.folder, "-U", "lakeproof", "postgres"], input=text.encode(),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
        return done.stdout.decode()

    def open(self, schema, databases):
        answer = self.psql("set client_min_messages = error;\n" + ";\n".join(script(schema, databases)) + ";\n")
        assert "ERROR" not in answer, answer
        self.count = len(databases)

    def rows(self, texts):
        answers = iter(self.psql(self.with_places(texts)).split("@@@\n")[1:])
        return [self.of_databases([next(answers) for _ in range(self.count)]) for _ in texts]

    def with_places(self, texts):
        """Each row as a JSON array. Column names may repeat in the result, so the columns get names by place first."""
        lines = ["set statement_timeout = 3000;", "\\set VERBOSITY terse"]
        widths = self.widths(texts)
        for text, width in zip(texts, widths):
            names = ", ".join(f"x{i}" for i in range(width))
            for number in range(self.count):
                lines += [f"\\echo @@@\nset search_path = d{number};",
                          f"select json_build_array({names}) from ({text}) as q ({names}) limit {MAX_ROWS + 1};" if width else "select no_width;"]
        return "\n".join(lines) + "\n"

    def widths(self, texts):
        lines = ["set search_path = d0;"]
        for text in texts:
            lines += [f"\\echo @@@\n{text}\n\\gdesc"]
        answers = self.psql("\n".join(lines) + "\n").split("@@@\n")[1:]
        return [0 if "ERROR" in a else len(a.splitlines()) for a in answers]

    def of_databases(self, answers):
        out = []
        for answer in answers:
            if "ERROR" in answer:
                self.error = answer
                return None
            rows = [tuple(v if not isinstance(v, (list, dict)) else str(v) for v in json.loads(line)) for line in answer.splitlines()]
            out.append((rows[:MAX_ROWS], len(rows) <= MAX_ROWS))
        return out
