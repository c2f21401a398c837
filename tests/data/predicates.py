"""predicates.py - draws Spark SQL predicates over the columns of a table from the values that its rows hold.

Called by: make_truth.py.  Must not know: files, Delta, who answers.

A predicate is a pattern filled with columns and literals. Patterns are used in turn, so that every form of the grammar
occurs, on columns and literals drawn at random from a seed. Literals are values of the rows and their nearest
neighbours, since the edge of a file's range is where a wrong rule shows.
"""
import datetime
import decimal
import random

# c, d: columns; a, b, lo, hi: literals of c; e: a literal of d; t: the text of a value of c, quoted.
ANY = [
    "{c} = {a}", "{a} = {c}", "{c} <> {a}", "{a} != {c}", "{c} < {a}", "{a} < {c}", "{c} <= {a}", "{a} <= {c}",
    "{c} > {a}", "{a} > {c}", "{c} >= {a}", "{a} >= {c}",
    "{c} IN ({a}, {b})", "{c} IN ({a}, NULL)", "{c} NOT IN ({a}, {b})", "{c} NOT IN ({a}, NULL)",
    "NOT ({c} NOT IN ({a}, NULL))", "{c} BETWEEN {lo} AND {hi}", "{c} NOT BETWEEN {lo} AND {hi}",
    "NOT ({c} BETWEEN {hi} AND {lo})",
    "{c} IS NULL", "{c} IS NOT NULL", "NOT ({c} IS NULL)", "{c} <=> {a}", "{c} <=> NULL", "NOT ({c} <=> {a})",
    "{c} IS DISTINCT FROM {a}", "{c} IS NOT DISTINCT FROM {a}", "{c} IS DISTINCT FROM NULL", "{c} = NULL",
    "NOT ({c} = {a})", "NOT ({c} >= {a})", "NOT NOT ({c} < {a})", "NOT ({c} <= {a} OR {d} > {e})",
    "NOT ({c} = {a} AND {d} <> {e})", "{c} > {a} AND {d} <= {e}", "{c} = {a} OR {d} = {e}", "{c} < {a} OR {d} IS NULL",
    "({c} = {a} AND {d} > {e}) OR ({c} = {a} AND {d} IS NULL)", "({c} <= {a} OR {d} > {e}) AND {c} IS NOT NULL",
    "{c} = {a} OR ({d} > {e} AND NOT ({c} <= {b}))", "{c} > {lo} AND {c} < {hi}", "{c} < {lo} OR {c} > {hi}",
    "({c} > {a}) IS TRUE", "({c} > {a}) IS NOT TRUE", "({c} = {a}) IS NOT FALSE", "({c} = {a}) IS NULL",
    "({c} >= {a}) = true", "coalesce({c}, {a}) = {b}", "CASE WHEN {c} > {a} THEN {d} = {e} ELSE {d} IS NULL END",
    "if({c} IS NULL, {d} > {e}, {c} > {a})", "CAST({c} AS STRING) = {t}", "{c} = CAST({t} AS {type})", "{c} = {c}",
    "nullif({c}, {a}) IS NULL", "greatest({c}, {a}) = {a}", "{c} = {a} AND true", "{c} = {a} OR NULL",
]
NUMBER = ["{c} + 1 > {a}", "abs({c}) >= {a}", "-{c} < {a}", "{c} > {a} - 0.5", "{c} <> 0", "{c} * 2 <= {a}",
          "CAST({c} AS DOUBLE) >= {a}", "{c} >= 1.5", "{c} < 2.5D", "{c} = {t}", "round({c}) = {a}", "{c} IN (0, 1, {a})"]
TEXT = ["{c} LIKE {prefix}", "{c} NOT LIKE {prefix}", "NOT ({c} LIKE {prefix})", "{c} LIKE {inner}", "{c} LIKE {suffix}",
        "{c} NOT LIKE {inner}", "{c} LIKE {exact}", "{c} LIKE {one}", "{c} LIKE {escaped} ESCAPE '!'",
        "{c} LIKE {prefix} AND {d} > {e}", "{c} LIKE {prefix} OR {d} = {e}", "upper({c}) = upper({a})",
        "length({c}) > 2", "substring({c}, 1, 1) = 'a'", "startswith({c}, {a})", "{c} || 'x' > {a}", "trim({c}) = {a}"]
DATE = ["{c} = {t}", "{t} < {c}", "year({c}) = 2024", "{c} + INTERVAL 1 DAY > {a}", "date_add({c}, 1) <= {a}",
        "{c} >= CAST({a} AS TIMESTAMP)", "month({c}) IN (1, 2)"]
TIME = ["{c} = {t}", "{t} <= {c}", "CAST({c} AS DATE) = CAST({a} AS DATE)", "{c} > {a} + INTERVAL 1 MICROSECOND",
        "date_trunc('HOUR', {c}) <= {a}", "{c} >= CAST({a} AS DATE)", "{c} < {second}"]
BOOLEAN = ["{c}", "NOT {c}", "{c} IS TRUE", "{c} IS NOT FALSE", "{c} OR {d} = {e}", "{c} AND {d} > {e}",
           "NOT ({c} OR {d} < {e})", "{c} = 'true'"]
BINARY = ["length({c}) > 1", "hex({c}) > '61'"]
BY_KIND = {"integer": NUMBER, "decimal": NUMBER, "float": NUMBER, "string": TEXT, "date": DATE, "timestamp": TIME,
           "timestamp_ntz": TIME, "boolean": BOOLEAN, "binary": BINARY}


def kind_of(type_name):
    """The kind of a Spark type by its simple name; None for what predicates cannot compare."""
    name = type_name.split("(")[0]
    if name in ("tinyint", "smallint", "int", "bigint"):
        return "integer"
    if name in ("float", "double"):
        return "float"
    if name in ("char", "varchar"):
        return "string"
    return name if name in BY_KIND else None


class Column:
    """A column as predicates see it: its quoted name, its Spark type, and the texts of its values, sorted."""

    def __init__(self, sql, type_name, texts):
        self.sql, self.type, self.kind = sql, type_name, kind_of(type_name)
        self.texts = ordered(self.kind, {t for t in texts if t is not None})
        self.pool = ordered(self.kind, {n for t in self.texts for n in [t, *neighbours(self, t)]})


def ordered(kind, texts):
    """Sorted by value where that is a number, else as text. The order only serves to draw the same on every run."""
    if kind in ("integer", "decimal"):
        return sorted(texts, key=decimal.Decimal)
    if kind == "float":
        return sorted(texts, key=lambda t: (t == "NaN", 0.0 if t == "NaN" else float(t), t))
    return sorted(texts)


# ---------------------------------------------------------------------------------------- values and their neighbours

def neighbours(column, text):
    kind = column.kind
    if kind == "integer":
        return [str(int(text) + 1), str(int(text) - 1)]
    if kind == "decimal":
        value = decimal.Decimal(text)
        step = decimal.Decimal(1).scaleb(value.as_tuple().exponent)
        with decimal.localcontext() as context:
            context.prec = 60
            near = [value + step, value - step]
        return [format(n, "f") for n in near if len(n.as_tuple().digits) <= 38]
    if kind == "float":
        return [] if text in ("NaN", "Infinity", "-Infinity") else [repr(float(text) + 0.25), repr(float(text) - 0.25)]
    if kind == "string":
        return [text + "a", text[:-1]] if text else ["a"]
    if kind == "date":
        return shifted(text, "%Y-%m-%d", datetime.timedelta(days=1))
    if kind in ("timestamp", "timestamp_ntz"):
        return shifted(text if "." in text else text + ".0", "%Y-%m-%d %H:%M:%S.%f", datetime.timedelta(microseconds=1))
    return []


def shifted(text, form, step):
    """The moments one step before and after; none where Python has no such date."""
    try:
        moment = datetime.datetime.strptime(text, form)
        near = [moment + step, moment - step]
    except (ValueError, OverflowError):
        return []
    return [str(n.date()) if "%H" not in form else str(n) for n in near if n.year >= 1000]


# ---------------------------------------------------------------------------------------- literals

def quote(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def literal(draw, column, text):
    kind = column.kind
    if kind == "float":
        if text in ("NaN", "Infinity", "-Infinity"):
            return f"CAST('{text}' AS {column.type.upper()})"
        return draw.choice([text + "D", text + ("F" if column.type == "float" else "D")])
    if kind == "string":
        return quote(text)
    if kind == "date":
        return f"DATE '{text}'"
    if kind == "timestamp":
        return draw.choice([f"TIMESTAMP '{text}Z'", f"TIMESTAMP '{text}'"])
    if kind == "timestamp_ntz":
        return f"TIMESTAMP_NTZ '{text}'"
    return f"X'{text}'" if kind == "binary" else text


def like_patterns(draw, text):
    """Patterns that the value or something like it matches. `%`, `_` and the escape character of the value itself are
    escaped with a backslash, or with `!` in the pattern that says so."""
    def safe(part, mark="\\"):
        return "".join(mark + ch if ch in ("%", "_", mark) else ch for ch in part)
    cut = draw.randint(0, min(3, len(text)))
    return {"prefix": quote(safe(text[:cut]) + "%"), "inner": quote("%" + safe(text[cut // 2:cut + 1]) + "%"),
            "suffix": quote("%" + safe(text[-2:])), "exact": quote(safe(text)),
            "one": quote("_" * min(1, len(text)) + safe(text[1:])), "escaped": quote(safe(text[:cut], "!") + "%")}


# ---------------------------------------------------------------------------------------- drawing

class Patterns:
    """Patterns in an order of their own, each used once before one is used again."""

    def __init__(self, draw, patterns):
        self.draw, self.all, self.left = draw, patterns, []

    def next(self):
        if not self.left:
            self.left = self.draw.sample(self.all, len(self.all))
        return self.left.pop()


def fill(draw, pattern, column, other):
    lo, hi = sorted((draw.randrange(len(column.pool)) for _ in range(2)))
    text = draw.choice(column.texts)
    words = {
        "c": column.sql, "d": other.sql, "a": literal(draw, column, draw.choice(column.pool)),
        "b": literal(draw, column, draw.choice(column.pool)), "lo": literal(draw, column, column.pool[lo]),
        "hi": literal(draw, column, column.pool[hi]), "e": literal(draw, other, draw.choice(other.pool)),
        "t": quote(text), "type": column.type.upper(), "second": quote(text.split(".")[0]),
    }
    return pattern.format(**words, **like_patterns(draw, text))


def draw_predicates(seed, columns, count):
    """`count` different predicates, fewer if the columns hold too few values. Same arguments, same predicates."""
    draw = random.Random(seed)
    columns = [c for c in columns if c.kind and c.texts]
    if not columns:
        return []
    any_kind = Patterns(draw, ANY)
    own_kind = {kind: Patterns(draw, patterns) for kind, patterns in BY_KIND.items()}
    found = {}
    for attempt in range(count * 10):
        if len(found) == count:
            break
        column = columns[attempt % len(columns)] if draw.random() < 0.5 else draw.choice(columns)
        pattern = own_kind[column.kind].next() if draw.random() < 0.3 else any_kind.next()
        found[fill(draw, pattern, column, draw.choice(columns))] = None
    return list(found)
