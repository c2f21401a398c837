"""schema.py - random tables with declarations, and databases that satisfy them.

Called by: refute.py and its parts.  Must not know: queries, facts.

A database is a dict: table name -> list of rows (tuples). What satisfies the declarations is SQLite's word, which gets them as
constraints: a row that it refuses is not in the database. The domains are small, so that values meet again and again.
"""
import sqlite3

DOMAIN = {
    "int": [0, 1, 2, 3, -1, 4, 5, 6],
    "text": ["a", "b", "A", "", "ab", "x", "y"],
    "date": ["2024-01-01", "2024-01-02", "2024-02-01", "2023-12-31"],
    "boolean": [True, False],
    "numeric": [0, 0.5, 1, 2, -1.5],
    "double precision": [0.0, 1.0, 0.5],
}
NAMES = ["id", "a", "b", "c", "d", "e"]


class Column:
    def __init__(self, name, kind, not_null=False):
        self.name, self.kind, self.not_null = name, kind, not_null


class Table:
    def __init__(self, name):
        self.name, self.columns = name, []
        self.primary = None
        self.uniques = []   # lists of names
        self.foreigns = []  # (names, table, names there)
        self.checks = []    # (text, names)

    def column(self, name):
        return next(c for c in self.columns if c.name == name)

    def names(self):
        return [c.name for c in self.columns]

    def is_not_null(self, name):
        return self.column(name).not_null or name in (self.primary or [])

    def ddl(self, for_sqlite, with_foreigns=True):
        """SQLite lets NULLs into a primary key, and reads `integer primary key` as something of its own."""
        parts = [f"{c.name} {c.kind}{' not null' if c.not_null or for_sqlite and c.name in (self.primary or []) else ''}" for c in self.columns]
        if self.primary:
            parts.append(f"primary key ({', '.join(self.primary)})")
        parts += [f"unique ({', '.join(u)})" for u in self.uniques]
        parts += [f"foreign key ({', '.join(h)}) references {t} ({', '.join(there)})" for h, t, there in self.foreigns if with_foreigns]
        parts += [f"check ({text})" for text, _ in self.checks]
        return f"create table {self.name} ({', '.join(parts)})"


class Schema:
    def __init__(self, tables):
        self.tables = tables

    def table(self, name):
        return next(t for t in self.tables if t.name == name)

    def ddl(self, for_sqlite=False):
        return "".join(t.ddl(for_sqlite) + ";\n" for t in self.tables)

    def keys_of(self, table):
        return ([table.primary] if table.primary else []) + table.uniques


def draw_check(rng, table):
    column = rng.choice(table.columns)
    name, roll = column.name, rng.random()
    if roll < 0.25:
        other = rng.choice(table.columns)
        if other is not column:
            if other.kind == column.kind:
                return f"{name} {rng.choice(['<>', '=', '<='])} {other.name}", [name, other.name]
            return f"{name} is not null or {other.name} is not null", [name, other.name]
    if roll < 0.35:
        return f"{name} is not null", [name]
    if column.kind == "int":
        return rng.choice([f"{name} > 0", f"{name} between 0 and 2", f"{name} in (1, 2)", f"{name} = 1", f"{name} <> 1",
                           f"{name} = 1 or {name} = 3", f"{name} >= 0 and {name} < 2"]), [name]
    if column.kind == "text":
        return rng.choice([f"{name} in ('a', 'b')", f"{name} <> 'a'", f"{name} = 'a'", f"{name} like 'a%'"]), [name]
    if column.kind == "boolean":
        return rng.choice([name, f"not {name}", f"{name} = true"]), [name]
    if column.kind == "date":
        return f"{name} {rng.choice(['<', '>=', '='])} '2024-01-02'", [name]
    return f"{name} {rng.choice(['>', '<=', '='])} {rng.choice(['0', '0.5', '1'])}", [name]


def draw_foreign(rng, schema_tables, table):
    """A reference to a key of an earlier table or of the table itself, with columns of the same types."""
    candidates = [(t, key) for t in schema_tables for key in ([t.primary] if t.primary else []) + t.uniques]
    rng.shuffle(candidates)
    for other, key in candidates:
        here = []
        for name in key:
            fit = [c.name for c in table.columns if c.kind == other.column(name).kind and c.name not in here]
            if not fit:
                break
            here.append(rng.choice(fit))
        if len(here) == len(key) and not (other is table and here == list(key)):
            return here, other.name, list(key)
    return None


def draw_schema(rng, kinds=("int", "text", "date", "boolean", "numeric")):
    tables = []
    for number in range(rng.choice([1, 2, 2, 3, 3, 4])):
        t = Table(f"t{number}")
        names = rng.sample(NAMES, rng.randint(2, 5))
        for name in names:
            kind = rng.choice(["int", "int", "int", "int", *kinds]) if name != "id" else "int"
            t.columns.append(Column(name, kind, rng.random() < 0.3))
        if rng.random() < 0.6:
            t.primary = ["id"] if "id" in names and rng.random() < 0.6 else rng.sample(names, rng.choice([1, 1, 2]))
        for _ in range(rng.choice([0, 0, 1, 1, 2])):
            unique = rng.sample(names, rng.choice([1, 1, 2, 2, 3]) if len(names) > 2 else 1)
            if all(set(unique) != set(k) for k in [t.primary or []] + t.uniques):
                t.uniques.append(unique)
        tables.append(t)
        for _ in range(rng.choice([0, 1, 1, 2]) if number else rng.choice([0, 0, 0, 1])):
            foreign = draw_foreign(rng, tables, t)
            if foreign and foreign not in t.foreigns:
                t.foreigns.append(foreign)
        if rng.random() < 0.3:
            t.checks.append(draw_check(rng, t))
    return Schema(tables)


def open_database(schema):
    """An empty one in SQLite, with the declarations as constraints."""
    con = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    con.execute("pragma foreign_keys = on")
    con.execute("pragma case_sensitive_like = on")
    con.executescript(schema.ddl(for_sqlite=True))
    return con


def insert(con, table, row):
    """False where a declaration does not let the row in."""
    try:
        con.execute(f"insert into {table.name} values ({', '.join('?' * len(row))})", row)
    except sqlite3.IntegrityError:
        return False
    return True


def satisfies(schema, database):
    """The connection with the rows, or None when a row or a reference breaks a declaration. Rows may refer to later ones of their table."""
    con = open_database(schema)
    con.execute("pragma foreign_keys = off")
    for t in schema.tables:
        for row in database[t.name]:
            if not insert(con, t, row):
                return None
    try:
        return None if con.execute("pragma foreign_key_check").fetchone() else con
    except sqlite3.OperationalError:  # a reference to columns that are no key
        return None


def draw_row(rng, con, table, before, null_share):
    row, keyed = {}, {n for k in [table.primary or []] + table.uniques for n in k}
    if before and rng.random() < 0.4:
        row = dict(zip(table.names(), rng.choice(before)))
        for name in rng.sample(table.names(), rng.randint(1, len(row))):
            del row[name]
    for here, there, names in table.foreigns:
        if rng.random() < 0.8:
            parents = con.execute(f"select {', '.join(names)} from {there}").fetchall()
            if parents:
                row.update(zip(here, rng.choice(parents)))
    for c in table.columns:
        if c.name not in row:
            may_be_null = not table.is_not_null(c.name)
            row[c.name] = None if may_be_null and rng.random() < null_share else rng.choice(DOMAIN[c.kind][:rng.choice([4, 9]) if c.name in keyed else rng.choice([2, 2, 3, 5])])
        elif row[c.name] is not None and not table.is_not_null(c.name) and rng.random() < null_share / 3:
            row[c.name] = None
    return tuple(row[c.name] for c in table.columns)


def draw_database(rng, schema, size, null_share=None):
    """(database, connection) with at most `size` rows a table."""
    con, database = open_database(schema), {}
    if null_share is None:
        null_share = rng.choice([0, 0.15, 0.3, 0.6])
    for t in schema.tables:
        rows = database[t.name] = []
        for _ in range(3 * rng.randint((size + 1) // 2, size) if rng.random() < 0.93 else 0):
            row = draw_row(rng, con, t, rows, null_share)
            if len(rows) < size and insert(con, t, row):
                rows.append(row)
        # as the engine stores them: text that looks like a number in a numeric column is one
        database[t.name] = con.execute(f"select * from {t.name}").fetchall()
    return database, con


def draw_databases(rng, schema, count):
    sizes = [2, 6, 9, 1, 5, 8]
    return [draw_database(rng, schema, sizes[i % len(sizes)] if i < len(sizes) else rng.choice(sizes[2:])) for i in range(count)]
