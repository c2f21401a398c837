"""query.py - queries as trees that print as SQL and can be made smaller.

Called by: draw.py makes them, shrink.py cuts them.  Must not know: schemas, facts, engines.

An expression is a list of parts, texts and trees, so that a new form of SQL needs no new class. All engines get the same text.
"""


class Expr:
    """`kind` is the type of the value: what may stand in its place."""
    __slots__ = ("kind", "parts")

    def __init__(self, kind, *parts):
        self.kind, self.parts = kind, list(parts)

    def sql(self):
        return "".join(p if isinstance(p, str) else p.sql() if isinstance(p, Expr) else f"({p.sql()})" for p in self.parts)


class Relation:
    """A table, a CTE, a query or a function in FROM. `lateral` queries see what stands to their left."""
    def __init__(self, alias, table=None, query=None, lateral=False, function=None):
        self.alias, self.table, self.query, self.lateral, self.function = alias, table, query, lateral, function

    def sql(self):
        if self.function:
            return f"{self.function} as {self.alias}(x)"
        if self.table:
            return self.table if self.table == self.alias else f"{self.table} as {self.alias}"
        return f"{'lateral ' if self.lateral else ''}({self.query.sql()}) as {self.alias}"


class Join:
    """`on`: conjuncts; `using`: names, instead; neither for cross and natural joins."""
    def __init__(self, kind, relation, on=None, using=None):
        self.kind, self.relation, self.on, self.using = kind, relation, on, using

    def sql(self):
        text = f", {self.relation.sql()}" if self.kind == "," else f" {self.kind} join {self.relation.sql()}"
        if self.using is not None:
            return text + f" using ({', '.join(self.using)})"
        if self.on is not None:
            return text + " on " + (" and ".join(c.sql() for c in self.on) or "true")
        return text


class Select:
    def __init__(self):
        self.distinct = None  # True, or the expressions of DISTINCT ON
        self.items = []       # [Expr, alias or None]
        self.source = None    # Relation
        self.joins = []
        self.where = []
        self.group = None     # expressions; [] with is_global
        self.is_global = False
        self.sets = None      # "rollup", "cube", or a list of lists of places in group
        self.having = []
        self.qualify = []
        self.order = []
        self.limit = None
        self.offset = None

    def group_sql(self):
        texts = [g.sql() for g in self.group]
        if isinstance(self.sets, str):
            return f"{self.sets} ({', '.join(texts)})"
        if self.sets:
            return "grouping sets (" + ", ".join("(" + ", ".join(texts[i] for i in s if i < len(texts)) + ")" for s in self.sets) + ")"
        return ", ".join(texts)

    def sql(self):
        out = ["select "]
        if self.distinct:
            out.append("distinct " if self.distinct is True else f"distinct on ({', '.join(e.sql() for e in self.distinct)}) ")
        out.append(", ".join(e.sql() + (f" as {alias}" if alias else "") for e, alias in self.items))
        if self.source:
            out.append(" from " + self.source.sql() + "".join(j.sql() for j in self.joins))
        if self.where:
            out.append(" where " + " and ".join(c.sql() for c in self.where))
        if self.group:
            out.append(" group by " + self.group_sql())
        if self.having:
            out.append(" having " + " and ".join(c.sql() for c in self.having))
        if self.qualify:
            out.append(" qualify " + " and ".join(c.sql() for c in self.qualify))
        if self.order:
            out.append(" order by " + ", ".join(e.sql() for e in self.order))
        if self.limit is not None:
            out.append(f" limit {self.limit}")
        if self.offset is not None:
            out.append(f" offset {self.offset}")
        return "".join(out)


class Values:
    """As `with v (names) as (values ...)`: the form that all engines have."""
    def __init__(self, names, rows):
        self.names, self.rows = names, rows

    def sql(self):
        rows = ", ".join("(" + ", ".join(e.sql() for e in row) + ")" for row in self.rows)
        return f"with v ({', '.join(self.names)}) as (values {rows}) select * from v"


class Text:
    """A query that is not cut."""
    def __init__(self, text):
        self.text = text

    def sql(self):
        return self.text


class SetQuery:
    """SQLite has no parentheses around a branch, and other precedence: what is no plain select becomes a derived table."""
    def __init__(self, word, branches):
        self.word, self.branches = word, branches

    def sql(self):
        texts = [b.sql() if isinstance(b, Select) and not b.order and b.limit is None and b.offset is None
                 else f"select * from ({b.sql()}) as branch{i}" for i, b in enumerate(self.branches)]
        return f" {self.word} ".join(texts)


class With:
    def __init__(self, ctes, body):
        self.ctes, self.body = ctes, body  # [name, query]

    def sql(self):
        return "with " + ", ".join(f"{name} as ({q.sql()})" for name, q in self.ctes) + " " + (
            self.body.sql() if isinstance(self.body, (Select, SetQuery)) else f"select * from ({self.body.sql()}) as body")
