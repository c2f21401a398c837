"""grammar.py - draws predicate trees over the columns of a table; their leaves come from tests/data/predicates.py.

Called by: differential.py.  Must not know: files, Delta, who answers.

To add a function, add one row to FUNCTIONS: a pattern in which {c} is the column, {a} a literal of its type near a value
that occurs, {t} that value as text; Spark gives it its meaning, row by row. predicates.py tells all the words that a
pattern may hold. What Spark refuses for a column's type is left out by itself.
"""
import re

import predicates

FUNCTIONS = {
    "date": ["year({c}) = year({a})", "year({c}) > 2023", "quarter({c}) = 1", "month({c}) = 12", "trunc({c}, 'MM') = trunc({a}, 'MM')",
             "date_format({c}, 'yyyy-MM') >= date_format({a}, 'yyyy-MM')", "date_format({c}, 'yyyy') = '2024'", "datediff({c}, {a}) > 0",
             "add_months({c}, 1) > {a}", "{c} - INTERVAL 1 DAY < {a}", "CAST({c} AS STRING) > {t}", "CAST({c} AS TIMESTAMP) <= {a}",
             "year({c}) IN (1969, 2024)", "dayofyear({c}) < 60", "last_day({c}) = last_day({a})",
             "dayofweek({c}) = dayofweek({a})", "weekday({c}) < 3", "weekofyear({c}) = weekofyear({a})", "extract(WEEK FROM {c}) > 50",
             "{c} = CAST({a} AS TIMESTAMP)", "{c} >= CAST({a} AS TIMESTAMP) + INTERVAL 1 HOUR"],
    "timestamp": ["year({c}) = year({a})", "hour({c}) < 12", "date_trunc('DAY', {c}) = date_trunc('DAY', {a})", "to_date({c}) < to_date({a})",
                  "unix_timestamp({c}) >= unix_timestamp({a})", "unix_micros({c}) <= unix_micros({a})", "CAST({c} AS DATE) IN (CAST({a} AS DATE))",
                  "date_format({c}, 'yyyy-MM-dd') = date_format({a}, 'yyyy-MM-dd')", "{c} - INTERVAL 1 HOUR < {a}", "CAST({c} AS STRING) >= {t}",
                  "CAST({c} AS BIGINT) > CAST({a} AS BIGINT)", "date_trunc('MONTH', {c}) >= {a}", "CAST({c} AS TIMESTAMP_NTZ) > {a}",
                  "dayofweek({c}) IN (1, 7)", "weekofyear({c}) = weekofyear({a})"],
    "timestamp_ntz": ["year({c}) = year({a})", "CAST({c} AS DATE) = CAST({a} AS DATE)", "hour({c}) >= 12", "CAST({c} AS TIMESTAMP) < {a}",
                      "date_trunc('DAY', {c}) <= {a}", "{c} + INTERVAL 1 DAY > {a}"],
    "integer": ["{c} + 1 = {a}", "{c} - 1 >= {a}", "1 - {c} < {a}", "{c} * -2 >= {a}", "{c} / 2 > {a}", "{c} % 3 = 0", "CAST({c} AS STRING) = {t}",
                "CAST({c} AS DECIMAL(20,2)) > {a}", "CAST({c} AS TINYINT) = {a}", "abs({c}) < 5", "sign({c}) = -1", "coalesce({c}, 0) > {a}",
                "{c} DIV 2 = 0", "CAST({c} AS BOOLEAN)", "CAST({c} AS FLOAT) >= {a}", "negative({c}) >= {a}", "{c} & 1 = 1",
                "CAST({c} AS DECIMAL) = {a}"],
    "decimal": ["floor({c}) = floor({a})", "ceil({c}) > {a}", "round({c}, 1) = round({a}, 1)", "CAST({c} AS INT) = 1", "{c} + 0.01 > {a}",
                "{c} * 2 >= {a}", "CAST({c} AS DOUBLE) <= {a}", "CAST({c} AS DECIMAL) >= {a}", "abs({c}) > {a}", "coalesce({c}, 1.5) = {a}", "-{c} <= {a}"],
    "float": ["floor({c}) = floor({a})", "ceil({c}) <= {a}", "round({c}, 1) >= {a}", "isnan({c})", "NOT isnan({c})", "CAST({c} AS INT) = 1",
              "nanvl({c}, 0) < {a}", "{c} + 1 > {a}", "{c} * 0 = 0", "abs({c}) >= {a}", "-{c} < {a}", "coalesce({c}, 0) = {a}", "sqrt({c}) > 1",
              "CAST({c} AS STRING) = 'NaN'", "CAST({c} AS DECIMAL(20,2)) > 0"],
    "string": ["left({c}, 1) = left({a}, 1)", "substring({c}, 1, 2) >= {a}", "upper({c}) = upper({a})", "lower({c}) = {a}", "length({c}) = 3",
               "length({c}) > 31", "{c} || 'x' = {a}", "concat('x', {c}) > {a}", "CAST({c} AS INT) > 6", "rtrim({c}) = {a}", "contains({c}, {a})",
               "endswith({c}, {a})", "coalesce({c}, 'b') > {a}", "{c} ILIKE {prefix}", "{c} RLIKE '^a'", "{c} RLIKE '^(a|b)+'",
               "{c} RLIKE '(x|[0-9]{{2,}})$'", "{c} < 10", "{c} = 7", "reverse({c}) < {a}",
               "replace({c}, 'a', 'b') = {a}", "concat({c}, {c}) >= {a}", "substr({c}, 2) = 'b'", "instr({c}, 'b') > 0"],
    "boolean": ["CAST({c} AS INT) = 1", "if({c}, 1, 0) > 0", "CAST({c} AS STRING) = 'true'", "coalesce({c}, false)"],
    "binary": ["{c} = {a}", "CAST({c} AS STRING) = 'ab'", "substring({c}, 1, 1) = X'61'"],
}
PAIRS = ["{c} = {d}", "{c} < {d}", "{c} >= {d}", "{c} <=> {d}", "{c} <> {d}", "{c} + {d} > 0", "coalesce({c}, {d}) = {a}", "least({c}, {d}) < {a}",
         "greatest({c}, {d}) >= {a}", "{c} BETWEEN {a} AND {d}", "{c} IN ({a}, {d})", "nullif({c}, {d}) = {a}"]
# Beyond comparisons engines give functions other meanings: of those only Spark is asked.
FUNCTION = re.compile(r"[a-z_]+\(|CAST\(|CASE|INTERVAL|ILIKE|RLIKE|[+*/%&]|\|\||-\{| - |DIV")


class Tree:
    """A predicate, and the parts that may stand for it when a failure is made smaller."""

    def __init__(self, where, is_plain, parts=()):
        self.where, self.is_plain, self.parts = where, is_plain, list(parts)


def joined(word, trees):
    where = f" {word} ".join(f"({t.where})" for t in trees)
    fewer = [joined(word, trees[:i] + trees[i + 1:]) for i in range(len(trees))] if len(trees) > 2 else []
    return Tree(where, all(t.is_plain for t in trees), trees + fewer)


class Grammar:
    def __init__(self, draw, columns):
        self.draw, self.columns = draw, [c for c in columns if c.kind and c.texts]
        self.any_kind = predicates.Patterns(draw, predicates.ANY)
        self.own = {kind: predicates.Patterns(draw, patterns) for kind, patterns in predicates.BY_KIND.items()}
        self.functions = {kind: predicates.Patterns(draw, patterns) for kind, patterns in FUNCTIONS.items()}
        self.pairs = predicates.Patterns(draw, PAIRS)

    def leaf(self):
        column, roll = self.draw.choice(self.columns), self.draw.random()
        alike = [c for c in self.columns if c.kind == column.kind and c is not column]
        if roll < 0.08 and alike:
            pattern, other = self.pairs.next(), self.draw.choice(alike)
        else:
            source = self.any_kind if roll < 0.55 else self.own[column.kind] if roll < 0.8 else self.functions[column.kind]
            pattern, other = source.next(), self.draw.choice(self.columns)
        return Tree(predicates.fill(self.draw, pattern, column, other), FUNCTION.search(pattern.replace("IN (", "IN")) is None)

    def tree(self, depth=3):
        roll = self.draw.random()
        if depth == 0 or roll < 0.55:
            return self.leaf()
        if roll < 0.65:
            inner = self.tree(depth - 1)
            return Tree(f"NOT ({inner.where})", inner.is_plain, [inner])
        return joined(self.draw.choice(["AND", "OR"]), [self.tree(depth - 1) for _ in range(self.draw.randint(2, 3))])

    def trees(self, count):
        """`count` different predicates."""
        found = {}
        for _ in range(count * 5):
            if self.columns and len(found) < count:
                tree = self.tree()
                found.setdefault(tree.where, tree)
        return list(found.values())
