"""judge.py - small predicates with an own meaning: which of TRUE, FALSE, NULL can a row of a file give?

Called by: validate.py.  Must not know: the program under test, how a log is read.

A predicate prints itself as SQL and judges a file. Only types on which all engines agree take part, and only literals of the
column's own type, so the kept set of an exact evaluator is known: the files for which TRUE is possible.
"""
import datetime
import math
import re
from decimal import Decimal

TRUE, FALSE, NULL = "TRUE", "FALSE", "NULL"
ANYTHING = frozenset((TRUE, FALSE, NULL))

INTEGERS = ("byte", "short", "integer", "long")
MAX_TEXT = 32  # a longer text is cut in statistics; then a bound is no value


def usable(table, column):
    """Has the column a type, and a history, on which nothing but its values decides?"""
    if not isinstance(column.type, str) or "delta.typeChanges" in column.metadata:
        return False
    if "__CHAR_VARCHAR_TYPE_STRING" in column.metadata or "__COLLATIONS" in column.metadata:
        return False
    if column.is_partition:
        texts = [f.partition.get(column.key) for f in table.files]
        return column.type in INTEGERS + ("string", "date") and not any(t in ("", "__HIVE_DEFAULT_PARTITION__") for t in texts)
    return column.type in INTEGERS + ("string", "date", "double") and not (column.type == "double" and table.has_feature("typeWidening"))


def value_of(column, raw):
    """A bound or a partition text as a comparable value; None when there is none."""
    if raw is None or isinstance(raw, bool):
        return None
    if column.type in INTEGERS:
        return int(raw) if isinstance(raw, int) or column.is_partition else None
    if column.type == "double":
        if raw == "NaN":  # above all numbers; no literal here is as great as infinity, so it may stand for both
            return math.inf
        return float(raw) if isinstance(raw, (int, Decimal)) or raw in ("Infinity", "-Infinity") else None
    if column.type == "date":
        return datetime.date.fromisoformat(raw) if re.fullmatch(r"\d{4}-\d\d-\d\d", raw) else None
    return raw.encode() if isinstance(raw, str) else None


def literal_of(column, value):
    if column.type == "date":
        return f"DATE '{value}'"
    if column.type == "string":
        return "'" + value.decode() + "'"
    return f"{value!r}D" if column.type == "double" else str(value)


def name_of(column):
    return "`" + column.name.replace("`", "``") + "`"


class Fact:
    """What is known of a column in a file: bounds (None: unknown), whether they are values of rows, NULLs, values."""

    def __init__(self, column, file):
        self.low = self.high = None
        self.is_exact = False
        self.may_be_null = self.may_be_value = True
        self.may_be_nan = column.type == "double"
        if column.is_partition:
            value = value_of(column, file.partition.get(column.key))
            if column.key in file.partition:
                self.may_be_null, self.may_be_value = value is None, value is not None
                self.low = self.high = value
                self.is_exact = True
            return
        stats = file.stats or {}
        rows, nulls = stats.get("numRecords"), (stats.get("nullCount") or {}).get(column.key)
        is_tight = stats.get("tightBounds", True) and file.vector is None
        if rows == 0:
            self.may_be_null = self.may_be_value = False
            return
        if isinstance(nulls, int) and isinstance(rows, int) and 0 <= nulls <= rows and (is_tight or nulls in (0, rows)):
            self.may_be_null, self.may_be_value = nulls > 0, nulls < rows
        self.low = value_of(column, (stats.get("minValues") or {}).get(column.key))
        self.high = value_of(column, (stats.get("maxValues") or {}).get(column.key))
        if None not in (self.low, self.high) and self.low > self.high:
            self.low = self.high = None
        self.is_exact = True if column.type != "string" else all(
            b is not None and len(b.decode().encode("utf-16-le")) // 2 < MAX_TEXT for b in (self.low, self.high))


def can(fact, op, value):
    """Can a row with a value give TRUE for `column op value`? A float maximum is trusted, as by default."""
    low, high = fact.low, fact.high
    if op == "=":
        return (low is None or low <= value) and (high is None or value <= high)
    if op == "<>":
        return fact.may_be_nan or not (fact.is_exact and low == high == value)
    if op in ("<", "<="):
        return low is None or (low < value if op == "<" else low <= value)
    return high is None or (high > value if op == ">" else high >= value)


OPPOSITE = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


class Compare:
    def __init__(self, column, op, value):
        self.column, self.op, self.value = column, op, value

    def sql(self):
        return f"{name_of(self.column)} {self.op} {literal_of(self.column, self.value)}"

    def outcomes(self, file):
        fact, out = Fact(self.column, file), set()
        if fact.may_be_null:
            out.add(NULL)
        if fact.may_be_value and can(fact, self.op, self.value):
            out.add(TRUE)
        if fact.may_be_value and can(fact, OPPOSITE[self.op], self.value):
            out.add(FALSE)
        return frozenset(out)


class IsNull:
    def __init__(self, column):
        self.column = column

    def sql(self):
        return f"{name_of(self.column)} IS NULL"

    def outcomes(self, file):
        fact = Fact(self.column, file)
        return frozenset([TRUE] * fact.may_be_null + [FALSE] * fact.may_be_value)


class In:
    """An OR of equalities, as SQL defines it."""

    def __init__(self, column, values):
        self.column, self.values = column, values

    def sql(self):
        return f"{name_of(self.column)} IN ({', '.join(literal_of(self.column, v) for v in self.values)})"

    def outcomes(self, file):
        return Or([Compare(self.column, "=", v) for v in self.values]).outcomes(file)


class Between:
    def __init__(self, column, low, high):
        self.column, self.low, self.high = column, low, high

    def sql(self):
        low, high = literal_of(self.column, self.low), literal_of(self.column, self.high)
        return f"{name_of(self.column)} BETWEEN {low} AND {high}"

    def outcomes(self, file):
        return And([Compare(self.column, ">=", self.low), Compare(self.column, "<=", self.high)]).outcomes(file)


class Not:
    def __init__(self, item):
        self.item = item

    def sql(self):
        return f"NOT ({self.item.sql()})"

    def outcomes(self, file):
        turned = {TRUE: FALSE, FALSE: TRUE, NULL: NULL}
        return frozenset(turned[o] for o in self.item.outcomes(file))


class And:
    word, strong, weak = " AND ", FALSE, TRUE

    def __init__(self, items):
        self.items = items

    def sql(self):
        return self.word.join(f"({i.sql()})" for i in self.items)

    def outcomes(self, file):
        out = self.items[0].outcomes(file)
        for item in self.items[1:]:
            out = frozenset(self.pair(a, b) for a in out for b in item.outcomes(file))
        return out

    def pair(self, a, b):
        if self.strong in (a, b):
            return self.strong
        return NULL if NULL in (a, b) else self.weak


class Or(And):
    word, strong, weak = " OR ", TRUE, FALSE


def kept(predicate, files):
    return {f.name for f in files if TRUE in predicate.outcomes(f)}


def values_near(table, column):
    """Values at, between and beside what the log says of the column: where a wrong comparison shows."""
    known = set()
    for f in table.files:
        fact = Fact(column, f)
        known |= {v for v in (fact.low, fact.high) if v is not None}
    if column.type == "string":
        known = {v for v in known if re.fullmatch(rb"[A-Za-z0-9 _.-]{0,31}", v)}
        known |= {v + b"a" for v in list(known)[:2]} | {b"", b"zzzz"}
    elif column.type == "date":
        known |= {v + datetime.timedelta(days=d) for v in list(known) for d in (-1, 1)
                  if datetime.date(1000, 1, 2) < v < datetime.date(9999, 12, 30)}
        known = {v for v in known if v.year >= 1583} or {datetime.date(2024, 1, 1)}
    elif column.type in INTEGERS:
        limit = {"byte": 2**7, "short": 2**15, "integer": 2**31, "long": 2**63}[column.type]
        known |= {v + d for v in list(known) for d in (-1, 1)} | {0}
        known = {v for v in known if -limit < v < limit}
    else:
        known = {v for v in known if abs(v) < 1e15} | {0.5}
        known |= {v + 0.25 for v in list(known)[:3]}
    return sorted(known)
