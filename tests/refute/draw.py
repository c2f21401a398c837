"""draw.py - random queries over the tables of a schema, each of them well typed.

Called by: refute.py.  Must not know: facts, rows.

Queries are drawn where proofs are made: joins mostly on keys and references, groups with keys among them, `row_number() = 1`,
branches of a union with a literal each; and then with everything that can spoil the proof. Columns know which base column they
copy, so that a join finds its partner.
"""
import collections

from query import Expr, Join, Relation, Select, SetQuery, Text, Values, With

Col = collections.namedtuple("Col", "ref name kind origin")  # origin: (table, column) or None
LITERALS = {"int": ["0", "1", "0", "1", "2", "3"], "text": ["'a'", "'b'", "'a'", "''", "'A'"], "date": ["'2024-01-01'", "'2024-01-02'"],
            "boolean": ["true", "false"], "numeric": ["0.5", "1.0", "2"], "double precision": ["0.0", "1.0"]}
KINDS = ["int", "text", "date", "boolean", "numeric"]
ORDERED = ("int", "text", "date", "numeric", "double precision")
COMPARE = ["=", "=", "=", "=", "<>", "<", ">=", ">", "<="]


class Draw:
    def __init__(self, rng, schema, engine="sqlite"):
        self.rng, self.schema, self.engine = rng, schema, engine
        self.big = engine != "sqlite"
        self.ctes = []   # (name, columns)
        self.outer = []  # scopes of enclosing queries that may be named
        self.fresh = 0
        self.related = collections.defaultdict(set)
        for t in schema.tables:
            for here, there, names in t.foreigns:
                for h, n in zip(here, names):
                    self.related[t.name, h].add((there, n))
                    self.related[there, n].add((t.name, h))

    # ---- small choices ----

    def one(self, *choices):
        return self.rng.choice(choices)

    def chance(self, share):
        return self.rng.random() < share

    def some(self, items, least=1, most=3):
        items = list(items)
        return self.rng.sample(items, min(len(items), self.rng.randint(least, most)))

    def name(self, letter):
        self.fresh += 1
        return f"{letter}{self.fresh}"

    # ---- expressions ----

    def column(self, scope, kind):
        if self.outer and self.chance(0.25):
            fit = [c for s in self.outer for c in s if c.kind == kind]
            if fit:
                return Expr(kind, self.rng.choice(fit).ref)
        fit = [c for c in scope if c.kind == kind]
        return Expr(kind, self.rng.choice(fit).ref) if fit else self.literal(kind)

    def literal(self, kind):
        if self.chance(0.06):
            return Expr(kind, f"cast(null as {kind})")
        text = self.rng.choice(LITERALS[kind])
        if kind == "date":  # a bare text is no date where nothing says so
            return Expr(kind, f"cast({text} as {'text' if self.engine == 'sqlite' else 'date'})")
        return Expr(kind, text)

    def bare_literal(self, kind):
        """To compare with."""
        return Expr(kind, self.rng.choice(LITERALS[kind]))

    def expression(self, scope, kind, depth):
        roll = self.rng.random()
        if depth <= 0 or roll < 0.4:
            return self.column(scope, kind)
        sub = lambda k=kind: self.expression(scope, k, depth - 1)  # noqa: E731
        if roll < 0.46:
            return self.literal(kind)
        if roll < 0.53:
            return Expr(kind, "coalesce(", sub(), ", ", self.literal(kind) if self.chance(0.5) else sub(), ")")
        if roll < 0.58:
            return Expr(kind, "nullif(", sub(), ", ", self.bare_literal(kind), ")")
        if roll < 0.66:
            tail = [" else ", sub()] if self.chance(0.6) else []
            return Expr(kind, "case when ", self.condition(scope, depth - 1), " then ", sub(), *tail, " end")
        if roll < 0.69:
            return Expr(kind, "case ", sub("int"), " when 1 then ", sub(), " when 0 then ", sub(), " end")
        if roll < 0.74 and depth > 1:
            return self.scalar_subquery(scope, kind)
        if kind == "int":
            return self.one(
                lambda: Expr(kind, "(", sub(), self.one(" + ", " - "), sub(), ")"), lambda: Expr(kind, "(", sub(), " + 1)"),
                lambda: Expr(kind, "(", sub(), " * 2)"), lambda: Expr(kind, "(-", sub(), ")"), lambda: Expr(kind, "abs(", sub(), ")"),
                lambda: Expr(kind, "(", sub(), " * ", sub(), ")"), lambda: Expr(kind, "(", sub(), " % 2)"),
                lambda: Expr(kind, "length(", sub("text"), ")"), lambda: Expr(kind, "cast(", sub("numeric"), " as int)"))()
        if kind == "text":
            return self.one(
                lambda: Expr(kind, "(", sub(), " || ", sub(), ")"), lambda: Expr(kind, "(", sub(), " || 'x')"),
                lambda: Expr(kind, "lower(", sub(), ")"), lambda: Expr(kind, "upper(", sub(), ")"),
                lambda: Expr(kind, "substr(", sub(), ", 1, 1)"), lambda: Expr(kind, "replace(", sub(), ", 'a', 'b')"),
                lambda: Expr(kind, "cast(", sub("int"), " as text)"), lambda: Expr(kind, "cast(", sub("int"), " as text)"),
                lambda: self.narrow_text(sub()),
                lambda: Expr(kind, "cast(", sub(self.one("numeric", "date", "boolean", "double precision" if self.big else "numeric")), " as text)"))()
        if kind == "numeric":
            return self.one(
                lambda: Expr(kind, "(", sub(), self.one(" + ", " - "), sub(), ")"), lambda: Expr(kind, "(", sub(), " * 0.5)"),
                lambda: Expr(kind, "(-", sub(), ")"), lambda: Expr(kind, "abs(", sub(), ")"), lambda: Expr(kind, "round(", sub(), ")"),
                lambda: Expr(kind, "cast(", sub(), " as numeric(5, 0))" if self.big else " as numeric)"),
                lambda: Expr(kind, "cast(", sub("int"), " as numeric)"), lambda: Expr(kind, "(", sub(), " + 1.5)"))()
        if kind == "boolean":
            return Expr(kind, "(", self.condition(scope, depth - 1), ")")
        if kind == "double precision":
            return self.one(lambda: Expr(kind, "(-", sub(), ")"), lambda: Expr(kind, "(", sub(), " + 1.0)"),
                            lambda: Expr(kind, "cast(", sub("int"), " as double precision)"))()
        if self.big and kind == "date":
            return Expr(kind, "cast(date_trunc('month', ", sub(), ") as date)")
        return self.column(scope, kind)

    def narrow_text(self, value):
        """In a type that cuts what is longer, where the engine has one."""
        if self.engine == "postgres" and self.chance(0.3):
            return Expr("text", "cast(cast(", value, self.one(' as "char")', " as name)"), " as text)")
        return Expr("text", "cast(", value, " as varchar(1))" if self.engine == "postgres" else " as text)")

    def scalar_subquery(self, scope, kind):
        """One row at most in every engine: an aggregate, LIMIT 1."""
        with Correlated(self, scope):
            relation, inner = self.relation(0)
            s = Select()
            s.source = relation
            if self.chance(0.6):
                s.where = [self.condition(inner, 1)]
            value = self.column(inner, kind)
            if self.chance(0.3):
                s.items, s.limit = [[value, None]], 1
                if self.chance(0.5):
                    s.order = [value]
            elif kind == "int" and self.chance(0.5):
                s.items = [[Expr("int", self.one("count(*)", "sum(1)")), None]]
            elif kind == "boolean":
                s.items = [[Expr("boolean", "count(*) > 1"), None]]
            else:
                s.items = [[Expr(kind, self.one("max(", "min("), value, ")"), None]]
            return Expr(kind, s)

    # ---- conditions ----

    def typed_kind(self, scope):
        return self.rng.choice(scope).kind if scope else "int"

    def condition(self, scope, depth):
        roll = self.rng.random()
        if depth > 0 and roll < 0.08:
            return Expr("boolean", "(", self.condition(scope, depth - 1), self.one(" and ", " or ", " or "), self.condition(scope, depth - 1), ")")
        if depth > 0 and roll < 0.11:
            return Expr("boolean", "not (", self.condition(scope, depth - 1), ")")
        if depth > 0 and roll < 0.2:
            return self.subquery_condition(scope)
        kind = self.typed_kind(scope)
        left = self.column(scope, kind) if self.chance(0.75) else self.expression(scope, kind, depth)
        if roll < 0.4:
            return Expr("boolean", left, " = ", self.bare_literal(kind))
        if roll < 0.62:
            right = self.column(scope, kind) if self.chance(0.8) else self.expression(scope, kind, depth)
            if kind == "boolean":
                return Expr("boolean", left, self.one(" = ", " <> "), right)
            return Expr("boolean", left, f" {self.rng.choice(COMPARE)} ", right)
        if roll < 0.68:
            return Expr("boolean", left, self.one(" is null", " is not null", " is not null"))
        if roll < 0.73:
            other = self.column(scope, kind) if self.chance(0.7) else self.bare_literal(kind)
            return Expr("boolean", left, self.one(" is not distinct from ", " is not distinct from ", " is distinct from "), other)
        if roll < 0.79:
            values = [", ".join(self.some(LITERALS[kind], 1, 3))]
            if self.chance(0.1):
                values.append(", null")
            if self.big and kind != "boolean" and self.chance(0.3):
                return Expr("boolean", left, self.one(" = any (array[", " = any (array[", " <> all (array["), *values, "])")
            return Expr("boolean", left, self.one(" in (", " in (", " not in ("), *values, ")")
        if roll < 0.83 and kind in ORDERED:
            low, high = sorted(self.rng.choices(LITERALS[kind], k=2))
            return Expr("boolean", left, self.one(" between ", " between ", " not between "), low, " and ", high)
        if roll < 0.87 and kind == "text":
            return Expr("boolean", left, self.one(" like ", " not like "), self.one("'a%'", "'a'", "'%b'", "'_'"))
        if roll < 0.9:
            return self.row_comparison(scope)
        if roll < 0.93:
            return Expr("boolean", "coalesce(", self.column(scope, "boolean"), ", ", self.one("true", "false"), ")")
        if roll < 0.95:
            return Expr("boolean", self.one("1 = 1", "true", "true", "null is null", "1 = 0", "1 < 2"))
        if roll < 0.97 and kind in ("int", "numeric"):
            return Expr("boolean", left, self.one(" = ", " < "), self.expression(scope, self.one("int", "numeric"), 1))
        truth = Expr("boolean", self.one("", "not "), self.column(scope, "boolean"))
        return truth if self.chance(0.5) else Expr("boolean", "(", truth, self.one(") is true", ") is not false", ") is not true", ") is false"))

    def row_comparison(self, scope):
        kinds = [self.typed_kind(scope), self.typed_kind(scope)]
        left = [self.column(scope, k) for k in kinds]
        right = [self.column(scope, k) if self.chance(0.5) else self.bare_literal(k) for k in kinds]
        word = self.one(" = ", " = ", " < ", " >= ", " <> ") if "boolean" not in kinds else " = "
        return Expr("boolean", "(", left[0], ", ", left[1], ")", word, "(", right[0], ", ", right[1], ")")

    def subquery_condition(self, scope):
        with Correlated(self, scope):
            relation, inner = self.relation(0)
            s = Select()
            s.source = relation
            roll = self.rng.random()
            if self.chance(0.3):
                s.where.append(self.condition(inner, 0))
            if roll < 0.45:
                s.where = self.join_conditions(scope, inner) + s.where
                s.items = [[Expr("int", "1"), None]]
                return Expr("boolean", self.one("exists ", "exists ", "not exists "), s)
            saved, self.outer = self.outer, []
            if roll < 0.9 or len(scope) < 2:
                left, right = self.match(scope, inner) or (self.rng.choice(scope), None)
                if right is None:
                    right = next((c for c in inner if c.kind == left.kind), None)
                value = Expr(left.kind, right.ref) if right else self.literal(left.kind)
                s.items = [[value, None]]
                if self.chance(0.1):
                    s.group = [value] if right else None
                self.outer = saved
                word = self.one(" in ", " in ", " not in ")
                if self.chance(0.06) and self.big:
                    word = self.one(" = any ", " <> all ", " > all ") if left.kind != "boolean" else " = any "
                return Expr("boolean", left.ref, word, s)
            pair = [self.rng.choice(scope), self.rng.choice(scope)]
            s.items = [[self.column(inner, c.kind), None] for c in pair]
            self.outer = saved
            return Expr("boolean", f"({pair[0].ref}, {pair[1].ref})", self.one(" in ", " in ", " not in "), s)

    # ---- FROM ----

    def match(self, left, right):
        """A pair of columns that belong together: the same base column, or a reference and what it refers to."""
        pairs = [(a, b) for a in left for b in right if a.kind == b.kind and a.origin and b.origin
                 and (a.origin == b.origin or b.origin in self.related[a.origin])]
        return self.rng.choice(pairs) if pairs else None

    def join_conditions(self, left, right):
        """Conjuncts over both sides: mostly equalities of what belongs together, mostly of all columns of a key."""
        if not left or not right:
            return [Expr("boolean", "1 = 1")]
        pairs = []
        together = [(a, b) for a in left for b in right if a.kind == b.kind and a.origin and b.origin
                    and (a.origin == b.origin or b.origin in self.related[a.origin])]
        if together and self.chance(0.75):
            self.rng.shuffle(together)
            for a, b in together[:self.one(1, 1, 2, 3)]:
                if all(b.ref != d.ref for _, d in pairs):
                    pairs.append((a, b))
        for _ in range(self.one(0, 0, 0, 1) if pairs else self.one(1, 1, 1, 2)):
            same = [(a, b) for a in left for b in right if a.kind == b.kind]
            if same:
                pairs.append(self.rng.choice(same))
        out = [Expr("boolean", *self.rng.sample([a.ref, b.ref], 2)[:1], " = ", b.ref) if a.ref == b.ref else
               Expr("boolean", *self.shuffled(a.ref, self.join_word(a.kind), b.ref)) for a, b in pairs]
        if self.chance(0.18):
            out.append(self.condition(self.one(left, right, left + right), 1))
        if self.chance(0.06):
            out.append(Expr("boolean", self.one("true", "1 = 1", "1 = 1", "false" if self.big else "true")))
        if self.chance(0.07):
            a, b = self.rng.choice(left), self.rng.choice(right)
            if a.kind == b.kind == "int":
                out.append(Expr("boolean", f"{a.ref} = {b.ref}", self.one(" + 1", " * 2")))
            if a.kind == b.kind == "text":
                out.append(Expr("boolean", f"lower({a.ref}) = lower({b.ref})"))
        return out or [Expr("boolean", "1 = 1")]

    def shuffled(self, left, word, right):
        return (left, word, right) if self.chance(0.5) or word in (" < ", " >= ") else (right, word, left)

    def join_word(self, kind):
        roll = self.rng.random()
        return " = " if roll < 0.85 or kind == "boolean" else " is not distinct from " if roll < 0.93 else self.one(" < ", " >= ", " <> ")

    def base_columns(self, table, alias):
        return [Col(f"{alias}.{c.name}", c.name, c.kind, (table.name, c.name)) for c in table.columns]

    def relation(self, depth):
        """(Relation, columns as they are named outside)."""
        roll = self.rng.random()
        if self.ctes and roll < 0.4:
            name, columns = self.rng.choice(self.ctes)
            alias = self.name("r")
            return Relation(alias, table=name), [Col(f"{alias}.{c.name}", c.name, c.kind, c.origin) for c in columns]
        if depth > 0 and roll < 0.62:
            saved, self.outer = self.outer, []
            query, columns = self.query(depth - 1)
            self.outer = saved
            return self.derived(query, columns)
        if self.big and roll > 0.985:
            return self.function()
        if roll < 0.65:
            return self.derived(*self.values())
        if roll < 0.7:
            return self.derived(*self.first_of_partition(depth))
        table = self.rng.choice(self.schema.tables)
        alias = self.name("r") if self.chance(0.9) else table.name + "_" + self.name("r")
        return Relation(alias, table=table.name), self.base_columns(table, alias)

    def function(self):
        alias = self.name("f")
        text = self.one("generate_series(1, 2)", "generate_series(0, 1)", "unnest(array[0, 1])", "unnest(array[1, 1, null])")
        return Relation(alias, function=text), [Col(f"{alias}.x", "x", "int", None)]

    def recursion(self):
        """Some numbers, some of them twice."""
        word, step = self.one(("union all", "n + 1"), ("union all", "n + 1"), ("union", "(n + 1) % 3"))
        start = self.one("0", "1", "0 union all select 1")
        end = " where n < 3" if word == "union all" else ""
        if "union" in start:
            start = "max(v.a) from (with v (a) as (values (0), (1)) select * from v) as v"
        return Text(f"with recursive w (n) as (select {start} {word} select {step} from w{end}) select n from w"), [Col("", "n", "int", None)]

    def derived(self, query, columns, lateral=False):
        alias = self.name("s")
        return (Relation(alias, query=query, lateral=lateral),
                [Col(f"{alias}.{c.name}", c.name, c.kind, c.origin) for c in columns])

    def values(self):
        if self.chance(0.06):
            return self.recursion()
        kinds = [self.one("int", "int", "text", "date" if self.big else "int") for _ in range(self.one(1, 2, 2, 3))]
        names = self.rng.sample(["id", "a", "b", "c", "v"], len(kinds))
        rows = []
        for _ in range(self.one(1, 2, 3, 3)):
            rows.append([self.literal(k) for k in kinds])
        kinds_of = dict(zip(names, kinds))
        return Values(names, rows), [Col("", n, kinds_of[n], None) for n in names]

    def first_of_partition(self, depth):
        """The rows with number 1 of their partition, in one of the forms that people write."""
        relation, scope = self.relation(max(depth - 1, 0))
        inner = Select()
        inner.source = relation
        kept = self.unique_names(c for c in self.some(scope, 1, 4) if c.name != "rn") or [Col(scope[0].ref, "first_one", scope[0].kind, None)]
        inner.items = [[Expr(c.kind, c.ref), c.name] for c in kept]
        function = self.one("row_number()", "row_number()", "row_number()", "row_number()", "rank()", "dense_rank()")
        partition = self.some(scope, 0, 2)
        number = Expr("int", f"{function} over (", f"partition by {', '.join(c.ref for c in partition)} " if partition else "",
                      f"order by {', '.join(c.ref + self.one('', ' desc') for c in self.some(scope, 1, 2))}", ")")
        test = self.one(" = 1", " = 1", " = 1", " <= 1", " < 2", " = 2", " <= 2", " in (1)", " between 1 and 1")
        columns = [Col("", c.name, c.kind, c.origin) for c in kept]
        if self.chance(0.2):
            inner.where = [self.condition(scope, 1)]
        if self.engine == "duckdb" and self.chance(0.4):
            inner.qualify = [Expr("boolean", number, test)]
            return inner, columns
        inner.items.append([number, "rn"])
        outer = Select()
        alias = self.name("s")
        outer.source = Relation(alias, query=inner)
        outer.where = [Expr("boolean", f"{alias}.rn", test)]
        outer.items = [[Expr(c.kind, f"{alias}.{c.name}"), None] for c in kept]
        if self.chance(0.25):
            outer.items.append([Expr("int", f"{alias}.rn"), None])
            columns.append(Col("", "rn", "int", None))
        return outer, columns

    def unique_names(self, columns):
        seen = {}
        for c in columns:
            seen.setdefault(c.name, c)
        return list(seen.values())

    def source(self, select, depth):
        """FROM with its joins; the scope."""
        select.source, scope = self.relation(depth)
        for _ in range(self.one(0, 0, 1, 1, 1, 2, 3) if depth > 0 else self.one(0, 1, 1, 2)):
            if len(scope) > 14:
                break
            if self.big and self.chance(0.12):
                scope = self.lateral_join(select, scope)
                continue
            relation, right = self.relation(depth - 1)
            scope = still_bare(scope, right)
            kind = self.one("inner", "inner", "inner", "left", "left", "left", "left", "right", "right", "full", "cross", "using", "natural")
            if kind in ("using", "natural"):
                scope = self.named_join(select, scope, relation, right, kind)
            elif kind == "cross":
                select.joins.append(Join(kind, relation))
                scope = scope + right
            else:
                on = self.join_conditions(scope, right)
                if kind == "full" and self.big:  # hash or merge joinable only: an equality and nothing that PostgreSQL cannot do
                    pair = self.match(scope, right)
                    if not pair:
                        same = [(a, b) for a in scope for b in right if a.kind == b.kind]
                        pair = self.rng.choice(same) if same else None
                    on = [Expr("boolean", pair[0].ref, " = ", pair[1].ref)] if pair else []
                    kind = "full" if pair else "inner"
                select.joins.append(Join(kind, relation, on=on))
                scope = scope + right
        if select.joins and select.joins[-1].kind == "cross" and self.chance(0.5):
            select.joins[-1].kind = ","  # only as the last: engines do not agree on how tight it binds
        return scope

    def lateral_join(self, select, scope):
        inner = Select()
        with Correlated(self, scope):
            inner.source, own = self.relation(0)
            inner.where = self.join_conditions(scope, own) if self.chance(0.85) else []
            saved, self.outer = self.outer, self.outer if self.chance(0.3) else []
            columns = self.finish(inner, own, 0)
            self.outer = saved
        if not inner.limit and self.chance(0.3):
            inner.limit = 1
        relation, right = self.derived(inner, columns, lateral=True)
        scope = still_bare(scope, right)
        kind = self.one("cross", "cross", "left", "left", "inner")
        select.joins.append(Join(kind, relation, on=[Expr("boolean", "true")] if kind in ("left", "inner") else None))
        return scope + right

    def named_join(self, select, scope, relation, right, kind):
        left_names, right_names = [c.name for c in scope], [c.name for c in right]
        shared = [n for n in dict.fromkeys(left_names) if n in right_names]
        kinds = {c.name: c.kind for c in scope}
        fits = all(left_names.count(n) == 1 and right_names.count(n) == 1 and kinds[n] == next(c.kind for c in right if c.name == n) for n in shared)
        if not shared or not fits:
            on = self.join_conditions(scope, right)
            select.joins.append(Join("left", relation, on=on))
            return scope + right
        outer = self.one("", "left", "right", "full")
        using = None
        if kind == "natural":
            select.joins.append(Join(f"natural {outer}".strip(), relation))
            merged = shared
        else:
            using = merged = self.some(shared, 1, 2)
            select.joins.append(Join(outer or "inner", relation, using=using))
        # the merged column is named bare; those of the sides by their relation
        origins = {c.name: c.origin for c in scope}
        out = [Col(n, n, kinds[n], origins[n] if outer != "full" else None) for n in merged]
        # what only its relation's name tells apart could not be merged again by name
        out += [c for c in scope + right if c.name not in merged]
        if outer and self.chance(0.5):
            out += [Col(c.ref, c.name + "_q", c.kind, c.origin) for c in scope + right if c.name in merged and "." in c.ref]
        return out

    # ---- SELECT ----

    def query(self, depth, want=None):
        """(query, columns by name): `want` are the types that it must have."""
        roll = self.rng.random()
        if depth > 0 and roll < 0.13 and len(self.ctes) < 3:
            return self.with_query(depth, want)
        if depth > 0 and roll < 0.26:
            return self.set_query(depth, want)
        if roll < 0.29 and not want:
            return self.values()
        if roll < 0.35 and not want and depth > 0:
            return self.first_of_partition(depth)
        if roll < 0.37:
            s = Select()
            kinds = want or [self.one(*KINDS) for _ in range(self.one(1, 2))]
            s.items = [[self.literal(k), f"c{i}"] for i, k in enumerate(kinds)]
            return s, [Col("", f"c{i}", k, None) for i, k in enumerate(kinds)]
        s = Select()
        scope = self.source(s, depth)
        if self.chance(0.33):
            s.where = [self.condition(scope, 2) for _ in range(self.one(1, 1, 1, 2))]
        if self.chance(0.1):
            self.without_partner(s, scope)
        return s, self.finish(s, scope, depth, want)

    def without_partner(self, select, scope):
        """LEFT JOIN ... IS NULL, and its contrary."""
        if select.joins and select.joins[-1].kind == "left" and select.joins[-1].on is not None:
            right = [c for c in scope if c.ref.startswith(select.joins[-1].relation.alias + ".")]
            if right:
                select.where.append(Expr("boolean", self.rng.choice(right).ref, self.one(" is null", " is null", " is not null")))

    def finish(self, s, scope, depth, want=None):
        """The select list and what follows it; the columns of the result."""
        roll = self.rng.random()
        if roll < 0.24:
            columns = self.grouped(s, scope, want)
        elif roll < 0.33:
            s.is_global = True
            columns = self.items(s, [self.aggregate_item(scope, k) for k in (want or [None] * self.one(1, 2, 3))])
            if self.chance(0.25):
                s.having = [self.having(scope)]
        else:
            columns = self.plain(s, scope, want, depth)
        if self.chance(0.07):
            s.limit = self.one(1, 1, 1, 1, 2, 3, 5, 0)
            if self.chance(0.2):
                s.offset = 1
            if self.chance(0.6) and not s.distinct:
                s.order = [Expr(c.kind, c.ref) for c in self.some(scope, 1, 2)] if not s.group and not s.is_global else []
        return columns

    def items(self, s, drawn):
        """[(Expr, origin, name or None)] to items with names of their own."""
        columns, used = [], set()
        for i, (value, origin, name) in enumerate(drawn):
            if not name or name in used or self.chance(0.2):
                name = f"c{i}"
                while name in used:
                    name += "x"
            used.add(name)
            alias = None if isinstance(value.parts[0], str) and len(value.parts) == 1 and value.parts[0].endswith(f".{name}") else name
            s.items.append([value, alias])
            columns.append(Col("", name, value.kind, origin))
        return columns

    def copied(self, column):
        return Expr(column.kind, column.ref), column.origin, column.name if column.name.isidentifier() else None

    def plain(self, s, scope, want, depth):
        drawn = []
        for kind in want or [None] * self.one(1, 2, 3, 3, 4, 5):
            fit = [c for c in scope if kind in (None, c.kind)]
            roll = self.rng.random()
            if fit and roll < 0.7:
                drawn.append(self.copied(self.rng.choice(fit)))
            elif roll < 0.8 and not (want and kind not in ("int", "numeric")):
                drawn.append((self.window(scope, kind), None, None))
            else:
                drawn.append((self.expression(scope, kind or self.one(*KINDS), 2), None, None))
        columns = self.items(s, drawn)
        roll = self.rng.random()
        if roll < 0.14:
            s.distinct = True
        elif roll < 0.22 and self.big:
            s.distinct = [Expr(c.kind, c.ref) for c in self.some(scope, 1, 2)]
            if self.chance(0.6):
                s.order = list(s.distinct) + ([Expr("int", self.rng.choice(scope).ref)] if self.chance(0.5) else [])
        elif roll < 0.27 and self.engine == "duckdb":
            s.qualify = [Expr("boolean", self.window(scope, "int"), self.one(" = 1", " <= 1", " > 1"))]
        return columns

    def window(self, scope, kind):
        partition = [self.expression(scope, c.kind, 1) if self.chance(0.15) else Expr(c.kind, c.ref) for c in self.some(scope, 0, 2)]
        order = [Expr(c.kind, c.ref, self.one("", "", " desc")) for c in self.some(scope, 0, 2)]
        numbers = [c for c in scope if c.kind in ("int", "numeric")]
        value = self.rng.choice(numbers).ref if numbers else "1"
        whole = kind or "int"
        name = self.one("row_number()", "row_number()", "rank()", "dense_rank()", "count(*)", "sum", "max", "min", "lag", "lead", "first_value",
                        "last_value", "ntile(2)", "avg")
        if name in ("sum", "max", "min", "avg", "lag", "lead", "first_value", "last_value"):
            name = f"{name}({value})"
        if name[:3] in ("row", "ran", "den", "lag", "lea", "nti") and not order:
            order = [Expr(c.kind, c.ref) for c in self.some(scope, 1, 1)]
        frame = ""
        if order and name[:3] in ("sum", "cou", "max", "fir", "las") and self.chance(0.35):
            frame = self.one(" rows between unbounded preceding and current row", " rows between 1 preceding and 1 following",
                             " range between unbounded preceding and unbounded following", " rows between unbounded preceding and unbounded following")
        parts = [f"{name} over ("]
        for i, e in enumerate(partition):
            parts += [", " if i else "partition by ", e]
        for i, e in enumerate(order):
            parts += [", " if i else " order by ", e]
        return Expr(whole if name[:3] != "avg" else "numeric" if kind is None else whole, *parts, frame, ")")

    def grouped(self, s, scope, want):
        keys = []
        for c in self.some(scope, 1, 3):
            if self.chance(0.15):
                keys.append((self.expression(scope, c.kind, 1), None, None))
            else:
                keys.append(self.copied(c))
        keys = [k for k in keys if not is_constant(k[0])] or [self.copied(scope[0])]
        s.group = [k[0] for k in keys]
        if self.engine == "postgres" and self.chance(0.04):
            s.group.append(Expr("int", "generate_series(1, 2)"))
        if self.big and self.chance(0.12):
            places = list(range(len(keys)))
            s.sets = self.one("rollup", "cube", [places, []], [[p] for p in places])
        drawn = []
        left = list(keys)
        for kind in want or [None] * self.one(len(keys), len(keys) + 1, len(keys) + 1, len(keys) + 2, 1):
            fit = [k for k in left if kind in (None, k[0].kind)]
            if fit and self.chance(0.75):
                drawn.append(fit[0])
                left.remove(fit[0])
            else:
                drawn.append(self.aggregate_item(scope, kind))
        if self.chance(0.15):
            s.having = [self.having(scope)]
        self.rng.shuffle(drawn) if not want else None
        return self.items(s, drawn)

    def having(self, scope):
        kind = self.typed_kind(scope)
        if kind not in ORDERED:
            kind = "int"
        column = self.column(scope, kind)
        return self.one(lambda: Expr("boolean", "count(*)", self.one(" > ", " = ", " <= "), self.one("0", "1", "1")),
                        lambda: Expr("boolean", "max(", column, ") = min(", column, ")"),
                        lambda: Expr("boolean", "min(", column, ")", self.one(" = ", " > ", " <> "), self.bare_literal(kind)),
                        lambda: Expr("boolean", "max(", column, ") is not null"),
                        lambda: Expr("boolean", "count(distinct ", column, ") = 1"))()

    def aggregate_item(self, scope, kind):
        kind = kind or self.one("int", "int", "numeric", "text", "date")
        if kind == "boolean":
            return Expr("boolean", "(count(*) > 1)"), None, None
        inner = self.column(scope, kind) if self.chance(0.75) else self.expression(scope, kind, 1)
        if kind == "int" and self.chance(0.75):
            any_column = self.rng.choice(scope).ref if scope else "1"
            parts = self.one(["count(*)"], ["count(", any_column, ")"], ["count(distinct ", any_column, ")"], ["sum(", inner, ")"], ["sum(", inner, ")"],
                             ["sum(1)"], ["count(*) filter (where ", self.condition(scope, 0), ")"],
                             ["sum(case when ", self.condition(scope, 0), " then ", inner, " else 0 end)"], ["coalesce(sum(", inner, "), 0)"],
                             ["max(", inner, ") filter (where ", self.condition(scope, 0), ")"])
            return Expr("int", *parts), None, None
        if kind == "numeric" and self.chance(0.6):
            return Expr("numeric", self.one("sum(", "avg(", "avg(", "sum(distinct "), inner, ")"), None, None
        return Expr(kind, self.one("max(", "min("), inner, ")"), None, None

    # ---- whole queries ----

    def with_query(self, depth, want):
        saved_ctes, saved_outer = list(self.ctes), self.outer
        self.outer = []
        ctes = []
        for _ in range(self.one(1, 1, 2)):
            query, columns = self.query(depth - 1)
            name = self.name("q")
            ctes.append([name, query])
            self.ctes = self.ctes + [(name, columns)] * 3  # so that it is read twice often enough
        body, columns = self.query(depth - 1, want)
        self.ctes, self.outer = saved_ctes, saved_outer
        return With(ctes, body), columns

    def set_query(self, depth, want):
        words = ["union all"] * 5 + ["union"] * 3 + ["intersect", "except"] + (["intersect all", "except all"] if self.big else [])
        word = self.rng.choice(words)
        first, columns = self.query(depth - 1, want)
        kinds = [c.kind for c in columns]
        tag = word == "union all" and not want and self.chance(0.6)
        branches = [first] + [self.query(depth - 1, kinds)[0] for _ in range(self.one(1, 1, 1, 2))]
        columns = [Col("", c.name, c.kind, None) for c in columns]
        if not tag:
            return SetQuery(word, branches), columns
        return SetQuery(word, [self.tagged(b, columns, i) for i, b in enumerate(branches)]), columns + [Col("", "tag", "text", None)]

    def tagged(self, branch, columns, number):
        """The branch with a literal of its own; seldom with one that another branch has too."""
        literal = Expr("text", f"'{self.one('x', 'y', 'z')}'" if self.chance(0.2) else f"'{'xyz'[number % 3]}'")
        if isinstance(branch, Select) and not branch.group and not branch.is_global and not branch.distinct and self.chance(0.7):
            branch.items.append([literal, "tag"])
            return branch
        outer = Select()
        outer.source = Relation(self.name("s"), query=branch)
        outer.items = [[Expr("int", "*"), None], [literal, "tag"]]
        return outer


def still_bare(scope, added):
    """Without the merged columns that a bare name means no more."""
    return [c for c in scope if "." in c.ref or all(c.ref != d.name for d in added)]


def is_constant(e):
    """Engines read a number in GROUP BY as a place."""
    return all(isinstance(p, str) and "." not in p for p in e.parts) and not any(p.isidentifier() for p in e.parts)


class Correlated:
    """Inside, columns of the enclosing scope can be named."""
    def __init__(self, draw, scope):
        self.draw, self.scope = draw, scope

    def __enter__(self):
        self.saved = self.draw.outer
        self.draw.outer = self.draw.outer[-1:] + [self.scope] if self.draw.chance(0.3) else [self.scope]

    def __exit__(self, *_):
        self.draw.outer = self.saved


def draw_query(rng, schema, engine="sqlite"):
    query, _ = Draw(rng, schema, engine).query(rng.choice([0, 1, 1, 2, 2, 2, 3, 4]))
    return query
