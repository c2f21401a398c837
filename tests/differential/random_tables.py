"""random_tables.py - writes random Delta tables with Spark: types, partitions, and what writers do to a table later.

Called by: differential.py.  Must not know: predicates, lakeproof.

A table is made from a seed: the same seed gives the same statements, though file names are the writer's. Rows of one
file share a few values, so that the bounds of files are narrow and often stand right beside a literal. Each table has a
column `id`, which names a row. `Recipe.statements` holds everything that was done, for the report of a failure.
"""
import spark_session

X = "x" * 31
TEXTS = ["", " ", "a", "aa", "ab", "abc", "abc ", "A", "Ab", "b", "z", "0", "7", "07", "10", "a%b", "a_b", "a\\b", "it's", "tr\nx",
         "\u00e9", "\u65e5\u672c", "\U0001F600", "\uffff", "\ufffd", "\x7f", X + "aa", X + "ab", X + "\u00e9b", X + "\U0001F600a",
         X + "\U0001F600b", "\U0010FFFF" * 40, "\u65e5" * 33 + "a", "\u65e5" * 33 + "b"]
PARTITION_TEXTS = ["", "a", "A", "b c", "a/b", "a=b", "%41", "a%b", "a_b", "\u00e9", "\u65e5\u672c", "'q'", "a\\b", "7", "07", "nul", "x" * 50]
DAYS = ["0001-01-01", "0999-03-01", "1582-10-04", "1582-10-15", "1899-12-31", "1969-12-31", "1970-01-01", "2024-01-31", "2024-02-29",
        "2011-12-30", "2018-11-04", "2024-03-01", "2024-03-10", "2024-12-31", "2025-01-01", "9999-12-31"]
CLOCKS = ["00:00:00", "00:00:00.000001", "00:00:00.0005", "00:00:00.001", "01:30:00", "02:30:00", "11:59:59.999", "12:00:00",
          "23:59:59.999", "23:59:59.999999"]
ZONES = ["UTC", "UTC", "America/New_York", "Asia/Kolkata", "Europe/Berlin", "Australia/Lord_Howe", "America/Sao_Paulo", "Pacific/Apia"]


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def special(names, kind):
    return [f"CAST('{name}' AS {kind})" for name in names]


def moments(word, draw):
    return [f"{word} '{draw.choice(DAYS)} {draw.choice(CLOCKS)}'" for _ in range(12)]


def pool(kind, draw, is_partition):
    """Values of a type, as SQL."""
    if kind == "STRING":
        return [quoted(text) for text in (PARTITION_TEXTS if is_partition else TEXTS)]
    if kind.startswith(("CHAR", "VARCHAR")):
        return [quoted(text) for text in ("", "a", "ab", "abc", "a b", "A", "b", "\u00e9", "\u65e5\u672c\u8a9e", "a ", "100%", "a_b")]
    if kind in ("TIMESTAMP", "TIMESTAMP_NTZ"):
        return moments(kind, draw)
    return {
        "TINYINT": ["-128", "-1", "0", "1", "7", "10", "127"],
        "SMALLINT": ["-32768", "-10", "-1", "0", "1", "9", "10", "32767"],
        "INT": ["-2147483648", "-100", "-10", "-1", "0", "1", "2", "7", "9", "10", "100", "16777217", "2147483647"],
        "BIGINT": ["-9223372036854775808", "-9007199254740993", "-1", "0", "1", "10", "9007199254740992", "9007199254740993",
                   "9223372036854775807"],
        "DECIMAL(9,2)": ["-9999999.99", "-1.50", "-0.01", "0.00", "0.01", "0.50", "1.50", "2.50", "99.99", "9999999.99"],
        "DECIMAL(38,10)": ["-9999999999999999999999999999.9999999999", "-0.0000000001", "0", "0.1", "1.5", "9007199254740993.1",
                           "1234567890123456789.0123456789", "9999999999999999999999999999.9999999999"],
        "DECIMAL(20,0)": ["-99999999999999999999", "-1", "0", "1", "10", "9007199254740993", "99999999999999999999"],
        "FLOAT": ["-1.5F", "-0.0F", "0.0F", "0.1F", "1.1F", "2.5F", "16777216.0F", "3.4E38F"] + special(["NaN", "Infinity", "-Infinity"], "FLOAT"),
        "DOUBLE": ["-1.5D", "-0.0D", "0.0D", "0.1D", "1.1D", "2.5D", "1e10D", "9007199254740992.0D", "1.7976931348623157E308D", "4.9E-324D"]
        + special(["NaN", "Infinity", "-Infinity"], "DOUBLE"),
        "BOOLEAN": ["true", "false"],
        "BINARY": ["X''", "X'00'", "X'61'", "X'6162'", "X'7F'", "X'80'", "X'FFFF'"],
        "DATE": [f"DATE '{day}'" for day in DAYS],
    }[kind]


KINDS = ["TINYINT", "SMALLINT", "INT", "BIGINT", "DECIMAL(9,2)", "DECIMAL(38,10)", "DECIMAL(20,0)", "FLOAT", "DOUBLE", "STRING", "STRING",
         "STRING", "CHAR(4)", "VARCHAR(6)", "BINARY", "BOOLEAN", "DATE", "TIMESTAMP", "TIMESTAMP", "TIMESTAMP_NTZ"]
PARTITION_KINDS = ["INT", "BIGINT", "TINYINT", "DECIMAL(9,2)", "DOUBLE", "STRING", "STRING", "CHAR(4)", "BOOLEAN", "DATE", "TIMESTAMP",
                   "TIMESTAMP_NTZ"]
WIDER = {"TINYINT": ["SMALLINT", "INT"], "SMALLINT": ["INT"], "INT": ["BIGINT"], "FLOAT": ["DOUBLE"], "DECIMAL(9,2)": ["DECIMAL(12,2)"],
         "DATE": ["TIMESTAMP_NTZ"]}


class Column:
    """A column, or a field of the struct `s`; its values are drawn from `values`."""

    def __init__(self, name, kind, draw, is_partition=False):
        self.name, self.kind, self.is_partition = name, kind, is_partition
        self.values = pool(kind, draw, is_partition)


class Recipe:
    """One random table on disk."""

    def __init__(self, spark, draw, path):
        self.spark, self.draw, self.path, self.statements, self.next_id = spark, draw, str(path), [], 1
        self.columns = [Column(f"c{i}", draw.choice(KINDS), draw) for i in range(draw.randint(2, 5))]
        self.fields = [Column(f"f{i}", draw.choice(KINDS), draw) for i in range(draw.choice([0, 0, 1, 2]))]
        self.partitions = [Column(f"p{i}", draw.choice(PARTITION_KINDS), draw, True) for i in range(draw.choice([0, 1, 1, 2]))]
        self.zone = draw.choice(ZONES)
        is_plain = draw.random() < 0.4  # a table that other engines read as well
        self.mapping = "none" if is_plain else draw.choice(["none", "name", "id"])
        self.has_vectors = not is_plain and draw.random() < 0.5
        self.widens = not is_plain and draw.random() < 0.35
        self.policy = "v2" if not is_plain and draw.random() < 0.3 else "classic"
        self.create()
        for _ in range(draw.randint(2, 4)):
            self.append()
            self.change()
        if draw.random() < 0.5:
            self.checkpoint()
            if draw.random() < 0.5:
                self.append()

    def run(self, text):
        self.statements.append(text.replace("{t}", "t"))
        self.spark.sql(text.replace("{t}", f"delta.`{self.path}`"))

    def try_to_run(self, text):
        """What Delta does not allow on this table is left out."""
        try:
            self.run(text)
            return True
        except spark_session.PySparkException:
            self.statements[-1] = f"(refused) {self.statements[-1]}"
            return False

    def create(self):
        self.spark.conf.set("spark.sql.session.timeZone", self.zone)
        self.statements.append(f"SET spark.sql.session.timeZone = {self.zone}")
        parts = ["id INT"] + [f"{c.name} {c.kind}" for c in self.columns]
        if self.fields:
            parts.append("s STRUCT<" + ", ".join(f"{f.name}: {f.kind}" for f in self.fields) + ">")
        parts += [f"{p.name} {p.kind}" for p in self.partitions]
        partitioned = f" PARTITIONED BY ({', '.join(p.name for p in self.partitions)})" if self.partitions else ""
        self.run(f"CREATE TABLE {{t}} ({', '.join(parts)}) USING delta{partitioned} TBLPROPERTIES ({self.properties()})")

    def properties(self):
        draw, found = self.draw, {}
        found["delta.columnMapping.mode"] = self.mapping
        found["delta.enableDeletionVectors"] = str(self.has_vectors).lower()
        found["delta.checkpoint.writeStatsAsStruct"] = draw.choice(["true", "false"])
        found["delta.checkpoint.writeStatsAsJson"] = draw.choice(["true", "true", "false"])
        found["delta.enableTypeWidening"] = str(self.widens).lower()
        found["delta.checkpointPolicy"] = self.policy
        if draw.random() < 0.2:
            found["delta.dataSkippingNumIndexedCols"] = str(draw.randint(0, 4))
        return ", ".join(f"'{key}' = '{value}'" for key, value in found.items())

    def append(self):
        """One commit of one to three files (more where a file's rows fall into several partitions)."""
        files = []
        for _ in range(self.draw.randint(1, 3)):
            rows = self.rows(self.draw.randint(1, 4))
            files.append("SELECT * FROM VALUES " + ", ".join(rows))
        self.run("INSERT INTO {t} " + " UNION ALL ".join(files))

    def rows(self, count):
        chosen = {}
        for c in self.columns + self.fields + self.partitions:
            most = 1 if c.is_partition else 3
            chosen[c] = self.draw.sample(c.values, min(len(c.values), self.draw.randint(1, most)))
        nulls = {c: self.draw.choice([0, 0.1, 0.1, 1]) if self.draw.random() < 0.7 else 0 for c in chosen}
        return [self.row(chosen, nulls) for _ in range(count)]

    def row(self, chosen, nulls):
        def value(c):
            text = "NULL" if self.draw.random() < nulls[c] else self.draw.choice(chosen[c])
            return f"CAST({text} AS {c.kind})" if not c.kind.startswith(("CHAR", "VARCHAR")) else text
        self.next_id += 1
        parts = [str(self.next_id - 1)] + [value(c) for c in self.columns]
        if self.fields:
            fields = ", ".join(f"'{f.name}', {value(f)}" for f in self.fields)
            parts.append("NULL" if self.draw.random() < 0.1 else f"named_struct({fields})")
        return "(" + ", ".join(parts + [value(p) for p in self.partitions]) + ")"

    def change(self):
        """Sometimes something else than an append."""
        roll, some_id = self.draw.random(), self.draw.randint(1, self.next_id)
        if roll < 0.25:
            self.run(f"DELETE FROM {{t}} WHERE id = {some_id}")
        elif roll < 0.35:
            c = self.draw.choice(self.columns)
            self.run(f"UPDATE {{t}} SET {c.name} = {self.draw.choice(c.values)} WHERE id >= {some_id}")
        elif roll < 0.45:
            self.checkpoint()
        elif roll < 0.6 and self.widens:
            self.widen()
        elif roll < 0.7 and self.mapping != "none":
            c = self.draw.choice(self.columns)
            if self.try_to_run(f"ALTER TABLE {{t}} RENAME COLUMN {c.name} TO {c.name}_new"):
                c.name += "_new"

    def widen(self):
        narrow = [c for c in self.columns if c.kind in WIDER]
        if not narrow:
            return
        c = self.draw.choice(narrow)
        kind = self.draw.choice(WIDER[c.kind])
        if self.try_to_run(f"ALTER TABLE {{t}} ALTER COLUMN {c.name} TYPE {kind}"):
            c.kind = kind
            more = {"DECIMAL(12,2)": ["9999999999.99"], "TIMESTAMP_NTZ": ["TIMESTAMP_NTZ '2024-02-29 12:00:00.000001'"]}.get(kind)
            c.values = c.values + (more or pool(kind, self.draw, False))

    def checkpoint(self):
        self.statements.append("(checkpoint)")
        spark_session.delta_log(self.spark, self.path).checkpoint()
