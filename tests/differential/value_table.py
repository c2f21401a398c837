"""value_table.py - a Delta log without data: rows with values at the edges of their types, and what writers record of them.

Called by: expressions.py.  Must not know: predicates, lakeproof.

The rows are literals of one query, so only Spark holds them. Its minima, maxima and counts become the statistics, in the
forms that writers are known for: times cut to milliseconds, long texts cut to 32 characters, pieces left out.
"""
import json

ZONES = ["UTC", "UTC", "America/New_York", "America/New_York", "Asia/Kolkata", "Europe/Berlin", "Australia/Lord_Howe",
         "America/Sao_Paulo", "Pacific/Apia", "Africa/Monrovia"]
X = "x" * 31
TEXTS = ["", " ", "a", "aa", "ab", "abc", "abc ", " b", "A", "Ab", "b", "z", "0", "7", "07", "+7", "-7", " 7 ", "7.5", "7.", ".5", ".", "-.",
         "1e3", "1E-2", "0x1F", "1_0", "7d", "10", "2147483648", "9223372036854775808", "NaN", "nan", "-nan", "-NaN", "inf", "-Infinity",
         "Infinity", "\u0663", "true", "T", "yes", "no", "0.0", "a%b", "a_b", "it's", "tr\nx", "a\tb", "\u00e9", "\u00c9T\u00c9", "\u00df",
         "\u0130", "\u03a3", "\u65e5\u672c", "\U0001F600", "\uffff", "\x7f", X + "aa", X + "ab", X + "\u00e9b", X + "\U0001F600a", "\u65e5" * 33 + "a",
         "2024-02-29", "2024-2-9", "2024-02", "2024", "2024-02-30", "2024-02-29 10:00:00", "2024-02-29T10:00:00.123456", " 2024-03-10 ",
         "2024-02-29  10:00:00", "2024-02-29\t10:00:00", "2016-12-31 23:59:60", "2024-03-10 02:30:00", "2024-02-29 10:00:00Z",
         "2024-02-29 10:00:00+05:30", "2024-02-29 10:00:00 Europe/Berlin", "2024-02-29 x", "10:00:00", "+10000-01-01", "0000-01-01",
         "-0001-12-31", "999999-01-01", "20240229", "20240229 10:00:00", "1969-12-31 23:59:59.5", "1582-10-10"]
DAYS = ["-0001-12-31", "0000-01-01", "0001-01-01", "0999-03-01", "1582-10-04", "1582-10-15", "1883-11-18", "1899-12-31", "1900-01-01", "1969-12-31",
        "1970-01-01", "1972-01-07", "1999-12-31", "2000-02-29", "2023-02-28", "2024-01-29", "2024-01-31", "2024-02-29", "2011-12-29", "2011-12-30", "2011-12-31",
        "2018-11-04", "2024-03-09", "2024-03-10", "2024-03-31", "2024-04-07", "2024-10-06", "2024-10-27", "2024-11-02", "2024-11-03", "2024-12-29",
        "2024-12-30", "2024-12-31", "2025-01-01", "2026-01-01", "9999-12-31", "+10000-01-01"]
CLOCKS = ["00:00:00", "00:00:00", "00:00:00.000001", "00:00:00.0005", "00:00:00.001", "00:59:59.999999", "01:00:00", "01:30:00", "01:59:59.999999",
          "02:00:00", "02:30:00", "03:00:00", "11:59:59.999", "12:00:00", "12:34:56.789012", "23:00:00", "23:59:59.5", "23:59:59.999999"]
NUMBERS = {
    "TINYINT": ["-128", "-127", "-7", "-1", "0", "1", "2", "3", "7", "10", "100", "127"],
    "SMALLINT": ["-32768", "-128", "-10", "-1", "0", "1", "3", "9", "10", "128", "32767"],
    "INT": ["-2147483648", "-2147483647", "-100", "-10", "-1", "0", "1", "2", "3", "7", "9", "10", "100", "2024", "20240229", "16777217", "2147483646",
            "2147483647"],
    "BIGINT": ["-9223372036854775808", "-9223372036854775807", "-9007199254740993", "-2147483649", "-86401", "-1", "0", "1", "3", "10", "1709164800",
               "2147483648", "9007199254740992", "9007199254740993", "9223372036854775806", "9223372036854775807"],
    "DECIMAL(5,2)": ["-999.99", "-1.50", "-0.50", "-0.01", "0.00", "0.01", "0.05", "0.49", "0.50", "1.00", "1.50", "2.50", "9.99", "99.99", "999.99"],
    "DECIMAL(18,6)": ["-999999999999.999999", "-0.000001", "0", "0.000001", "0.1", "0.3", "1.5", "2.675", "123456.789", "999999999999.999999"],
    "DECIMAL(38,10)": ["-9999999999999999999999999999.9999999999", "-0.0000000001", "0", "0.0000000001", "0.1", "1.5", "9007199254740993.1",
                       "1234567890123456789.0123456789", "9999999999999999999999999999.9999999999"],
    "DECIMAL(38,0)": ["-99999999999999999999999999999999999999", "-1", "0", "1", "3", "9007199254740993", "9223372036854775808",
                      "90000000000000000000000000000000000000", "99999999999999999999999999999999999999"],
}
FLOATS = ["-Infinity", "-1e30", "-16777217", "-2.5", "-1.5", "-0.5", "-0.0", "0.0", "1e-45", "0.1", "0.3", "0.5", "1.0", "1.1", "2.5", "3.0", "7.0",
          "16777216", "16777217", "3.4028235E38", "Infinity", "NaN"]
DOUBLES = FLOATS + ["-9223372036854775808", "4.9E-324", "0.30000000000000004", "9007199254740992", "9007199254740993", "9223372036854775807", "1e308",
                    "1.7976931348623157E308"]
BYTES = ["", "00", "61", "6162", "7F", "80", "FF", "FFFF", "32303234"]

# Partition columns that are generated from a column of the kind; several stand together.
TIME_PARTS = [["YEAR({c})"], ["YEAR({c})", "MONTH({c})"], ["YEAR({c})", "MONTH({c})", "DAY({c})"], ["CAST({c} AS DATE)"], ["DATE_FORMAT({c}, 'yyyy-MM')"],
              ["DATE_FORMAT({c}, 'yyyy-MM-dd')"], ["DATE_FORMAT({c}, 'yyyy')"], ["TRUNC({c}, 'MM')"], ["TRUNC({c}, 'WEEK')"], ["DATE_TRUNC('MONTH', {c})"],
              ["DATE_TRUNC('DAY', {c})"], ["DATE_TRUNC('WEEK', {c})"], ["MONTH({c})"], ["QUARTER({c})"], ["DAYOFWEEK({c})"], ["LAST_DAY({c})"],
              ["ADD_MONTHS({c}, 1)"], ["CAST({c} AS STRING)"], ["{c}"], ["UNIX_TIMESTAMP({c})"], ["TO_DATE({c})"], ["YEAR({c}) * 100 + MONTH({c})"]]
CLOCK_PARTS = [["YEAR({c})", "MONTH({c})", "DAY({c})", "HOUR({c})"], ["DATE_FORMAT({c}, 'yyyy-MM-dd-HH')"], ["DATE_TRUNC('HOUR', {c})"], ["HOUR({c})"],
               ["DATE_TRUNC('MINUTE', {c})"], ["CAST({c} AS DATE)", "HOUR({c})"]]
NUMBER_PARTS = [["{c}"], ["{c} % 10"], ["{c} DIV 10"], ["ABS({c})"], ["{c} + 1"], ["CAST({c} AS STRING)"], ["CAST({c} AS INT)"], ["FLOOR({c} / 10)"],
                ["ROUND({c})"], ["CAST({c} AS BIGINT)"], ["-{c}"], ["{c} * 2"], ["SIGN({c})"], ["{c} > 1"], ["COALESCE({c}, 0)"]]
GENERATED = {"STRING": [["SUBSTRING({c}, 1, 1)"], ["SUBSTRING({c}, 0, 2)"], ["LEFT({c}, 2)"], ["{c}"], ["UPPER({c})"], ["LENGTH({c})"], ["TRIM({c})"],
                        ["CAST({c} AS INT)"], ["CONCAT('x', {c})"], ["SUBSTRING({c}, 2, 1)"], ["CAST({c} AS DATE)"], ["COALESCE({c}, 'b')"]],
             "DATE": TIME_PARTS, "TIMESTAMP": TIME_PARTS + CLOCK_PARTS, "TIMESTAMP_NTZ": TIME_PARTS + CLOCK_PARTS,
             **{kind: NUMBER_PARTS for kind in [*NUMBERS, "FLOAT", "DOUBLE"]}}

DELTA_NAMES = {"TINYINT": "byte", "SMALLINT": "short", "INT": "integer", "BIGINT": "long", "FLOAT": "float", "DOUBLE": "double", "STRING": "string",
               "BOOLEAN": "boolean", "DATE": "date", "TIMESTAMP": "timestamp", "TIMESTAMP_NTZ": "timestamp_ntz", "BINARY": "binary"}
KINDS = [*NUMBERS, "INT", "BIGINT", "FLOAT", "DOUBLE", "STRING", "STRING", "STRING", "BOOLEAN", "DATE", "DATE", "TIMESTAMP", "TIMESTAMP", "TIMESTAMP_NTZ",
         "BINARY"]
CUT = 32  # characters that a writer keeps of a text


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def literal(kind, text):
    """A value as SQL."""
    if kind == "STRING":
        return quoted(text)
    if kind in ("DATE", "TIMESTAMP", "TIMESTAMP_NTZ"):
        return f"{kind} '{text}'"
    if kind == "BINARY":
        return f"X'{text}'"
    return text if kind in ("BOOLEAN", "INT", "BIGINT") else f"CAST('{text}' AS {kind})"


def times_beside(draw):
    """Times of a few days in a row, where clocks may change."""
    first = draw.randrange(len(DAYS) - 2)
    return [f"{day} {clock}" for day in DAYS[first:first + 3] for clock in CLOCKS]


def pool(kind):
    """Texts of values of a type."""
    if kind in NUMBERS:
        return NUMBERS[kind]
    return {"FLOAT": FLOATS, "DOUBLE": DOUBLES, "STRING": TEXTS, "BOOLEAN": ["true", "false"], "DATE": DAYS, "BINARY": BYTES,
            "TIMESTAMP": [f"{d} {c}" for d in DAYS for c in CLOCKS], "TIMESTAMP_NTZ": [f"{d} {c}" for d in DAYS for c in CLOCKS]}[kind]


class Column:
    """`values` are the literals that its rows draw from."""

    def __init__(self, name, kind, draw, is_partition):
        self.name, self.kind, self.is_partition = name, kind, is_partition
        texts = times_beside(draw) if kind.startswith("TIMESTAMP") and draw.random() < 0.7 else pool(kind)
        chosen = draw.sample(texts, min(len(texts), draw.randint(4, 24)))
        self.values = [literal(kind, text) for text in chosen]


class ValueTable:
    """Rows that Spark holds in `rows`, and the log of a table that would hold them in files of one to three rows."""

    def __init__(self, spark, draw, folder, zone):
        self.spark, self.draw, self.path, self.zone = spark, draw, str(folder / "t"), zone
        kinds = [draw.choice(KINDS) for _ in range(3)]
        self.columns = [Column(f"c{i}", kind, draw, False) for i, kind in enumerate(kinds)]
        self.columns += [Column(f"p{i}", kind, draw, True) for i, kind in enumerate(kinds[:2]) if kind != "BINARY"]
        self.generated = []  # (name, kind, expression)
        self.source = None  # the column that they are made from: it has no bounds
        if draw.random() < 0.4:
            self.generate()
        self.file_count = draw.randint(10, 24)
        self.file_of, lines = [], []
        for f in range(self.file_count):
            lines += self.lines_of_file(f)
        names = ", ".join(["f"] + [c.name for c in self.columns])
        self.rows = spark.sql(f"SELECT * FROM VALUES {', '.join(lines)} AS t({names})")  # which needs no job to be read
        self.write(folder / "t" / "_delta_log")

    def generate(self):
        """Chooses a column and what is generated from it. The writer has a zone of its own."""
        sources = [c for c in self.columns if not c.is_partition and c.kind in GENERATED]
        if not sources:
            return
        source = self.draw.choice(sources)
        made = [text.format(c=source.name) for text in self.draw.choice(GENERATED[source.kind])]
        self.spark.conf.set("spark.sql.session.timeZone", self.draw.choice(ZONES))
        try:
            values = ", ".join(f"({i}, CAST({v} AS {source.kind}))" for i, v in enumerate([*source.values, "NULL"]))
            found = self.spark.sql(f"SELECT i, {', '.join(made)} FROM VALUES {values} AS t(i, {source.name})")
            kinds = [field.dataType.simpleString().upper() for field in found.schema.fields[1:]]
            texts = [[None if t is None else str(t) for t in row[1:]] for row in self.spark.sql(
                f"SELECT i, {', '.join(f'CAST({m} AS STRING)' for m in made)} FROM VALUES {values} AS t(i, {source.name})").collect()]
        except Exception:  # not for every value of this kind
            return
        finally:
            self.spark.conf.set("spark.sql.session.timeZone", self.zone)
        self.source, self.groups = source, {}
        self.generated = [(f"g{i}", kind, text) for i, (kind, text) in enumerate(zip(kinds, made))]
        for value, key in zip([*source.values, "NULL"], texts):
            self.groups.setdefault(tuple(key), []).append(value)
        self.key_of = []

    def lines_of_file(self, f):
        draw, count = self.draw, self.draw.choice([1, 1, 2, 3])
        chosen = {c: draw.sample(c.values, min(len(c.values), 1 if c.is_partition else draw.randint(1, 3))) for c in self.columns}
        nulls = {c: draw.choice([0, 0, 0.3, 1]) if draw.random() < 0.6 else 0 for c in self.columns}
        fixed = {c: draw.random() < nulls[c] for c in self.columns if c.is_partition}
        if self.source:
            key = draw.choice(list(self.groups))
            self.key_of.append(key)
            chosen[self.source], nulls[self.source] = self.groups[key], 0
        lines = []
        for _ in range(count):
            cells = [str(f)]
            for c in self.columns:
                is_null = fixed[c] if c.is_partition else draw.random() < nulls[c]
                cells.append(f"CAST({'NULL' if is_null else draw.choice(chosen[c])} AS {c.kind})")
            lines.append("(" + ", ".join(cells) + ")")
            self.file_of.append(f)
        return lines

    def shown_rows(self, file_index):
        texts = [f"{'hex' if c.kind == 'BINARY' else 'string'}({c.name}) AS {c.name}" for c in self.columns]
        return [json.dumps(row.asDict(), ensure_ascii=False) for row in self.rows.where(f"f = {file_index}").selectExpr(*texts).collect()]

    # ------------------------------------------------------------------------------------ the log

    def write(self, log):
        log.mkdir(parents=True)
        is_zoned = self.draw.random() < 0.6  # partition values of instants: with their offset, else clocks of the session
        local = self.collect([f"first(CAST({c.name} AS STRING)) AS {c.name}" for c in self.columns if c.is_partition])
        self.spark.conf.set("spark.sql.session.timeZone", "UTC")
        utc = self.collect([f"first(CAST({c.name} AS STRING)) AS {c.name}" for c in self.columns if c.is_partition])
        self.kept_bounds = [c for c in self.columns if not c.is_partition and c is not self.source]
        bounds = self.collect(["count(*) AS n"] + [self.bound_text(c, side) for c in self.columns if not c.is_partition for side in ("min", "max")] +
                              [f"count({c.name}) AS count_{c.name}" for c in self.columns if not c.is_partition])
        self.spark.conf.set("spark.sql.session.timeZone", self.zone)
        self.adds = [{"path": f"f{f}.parquet", "size": 1, "modificationTime": 0, "dataChange": True,
                      "partitionValues": {**{c.name: self.partition_text(c, local[f], utc[f], is_zoned) for c in self.columns if c.is_partition},
                                          **(dict(zip([g[0] for g in self.generated], self.key_of[f])) if self.generated else {})},
                      **self.statistics(bounds[f])} for f in range(self.file_count)]
        actions = [{"commitInfo": {"timestamp": 0, "operation": "WRITE", "engineInfo": "Apache-Spark"}},
                   {"protocol": self.protocol()}, {"metaData": self.metadata()}] + [{"add": add} for add in self.adds]
        text = "\n".join(json.dumps(action, ensure_ascii=False) for action in actions)
        (log / "00000000000000000000.json").write_text(text + "\n", encoding="utf-8")

    def collect(self, texts):
        if not texts:
            return [{} for _ in range(self.file_count)]
        return [row.asDict() for row in self.rows.selectExpr("f", *[c.name for c in self.columns]).groupBy("f").agg(
            *[self.spark_expr(text) for text in texts]).orderBy("f").collect()]

    @staticmethod
    def spark_expr(text):
        from pyspark.sql import functions
        return functions.expr(text)

    @staticmethod
    def bound_text(c, side):
        return f"{'NULL' if c.kind == 'BINARY' else f'CAST({side}({c.name}) AS STRING)'} AS {side}_{c.name}"

    @staticmethod
    def partition_text(c, local, utc, is_zoned):
        if c.kind != "TIMESTAMP" or not is_zoned or utc[c.name] is None:
            return local[c.name]
        return utc[c.name].replace(" ", "T") + "Z"

    def statistics(self, found):
        """`stats` of a file, from its bounds as text and counts; sometimes without some of it."""
        draw = self.draw
        if draw.random() < 0.08:
            return {}
        stats = {"numRecords": found["n"], "minValues": {}, "maxValues": {}, "nullCount": {}}
        for c in [c for c in self.columns if not c.is_partition]:
            if c in self.kept_bounds and draw.random() < 0.94:
                stats["nullCount"][c.name] = found["n"] - found[f"count_{c.name}"]
            for side in ("min", "max"):
                text = found[f"{side}_{c.name}"]
                if text is not None and c in self.kept_bounds and draw.random() < 0.95:
                    stats[f"{side}Values"][c.name] = Raw(self.bound(c, side, text))
        return {"stats": dumps(stats)}

    def bound(self, c, side, text):
        """A bound as JSON."""
        if c.kind in ("FLOAT", "DOUBLE"):
            return json.dumps(text) if text in ("NaN", "Infinity", "-Infinity") else text
        if c.kind in NUMBERS or c.kind == "BOOLEAN":
            return text
        if c.kind == "STRING" and len(text) > CUT:
            text = text[:CUT] + ("\U0010FFFF" if side == "max" else "")
        if c.kind.startswith("TIMESTAMP"):
            text = milliseconds(text) + ("Z" if c.kind == "TIMESTAMP" else "")
        return json.dumps(text, ensure_ascii=False)

    def protocol(self):
        kinds = [c.kind for c in self.columns] + [g[1] for g in self.generated]
        if "TIMESTAMP_NTZ" not in kinds:
            return {"minReaderVersion": 1, "minWriterVersion": 4}
        return {"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": ["timestampNtz"], "writerFeatures": ["timestampNtz"]}

    def metadata(self):
        fields = [{"name": c.name, "type": DELTA_NAMES.get(c.kind, c.kind.lower()), "nullable": True, "metadata": {}} for c in self.columns]
        fields += [{"name": name, "type": DELTA_NAMES.get(kind, kind.lower()), "nullable": True, "metadata": {"delta.generationExpression": text}}
                   for name, kind, text in self.generated]
        return {"id": "0", "format": {"provider": "parquet", "options": {}}, "schemaString": json.dumps({"type": "struct", "fields": fields}),
                "partitionColumns": [c.name for c in self.columns if c.is_partition] + [g[0] for g in self.generated], "configuration": {}, "createdTime": 0}


def milliseconds(text):
    """Of a time as Spark writes it."""
    day, clock = text.split(" ")
    clock, _, fraction = clock.partition(".")
    return f"{day}T{clock}.{(fraction + '000')[:3]}"


class Raw(str):
    """JSON that stands as it is: a number keeps its digits."""


def dumps(value):
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)}: {dumps(v)}" for k, v in value.items()) + "}"
    return json.dumps(value)
