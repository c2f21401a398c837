"""shrink.py - a smaller query, schema and database of which something is still true.

Called by: refute.py.  Must not know: facts, engines.

A step is a change of the tree at one place. Most steps make a query that no engine takes; the caller's test says no, and that is
that. So steps need not know about scopes.
"""
import copy
import itertools
import pickle
import time

from query import Expr, Relation, Select, SetQuery, Values, With
from schema import Schema

LITERAL = {"int": "1", "text": "'a'", "boolean": "true", "numeric": "1.0"}


def set_field(owner, field):
    return lambda value: setattr(owner, field, value)


def set_item(items, index):
    def put(value):
        items[index] = value
    return put


def steps_of_list(items, least=0):
    for i in range(len(items)):
        if len(items) > least:
            yield lambda i=i: items.pop(i)


def steps_of_expr(e, put):
    inner = [p for p in e.parts if isinstance(p, Expr)]
    for p in inner:
        if p.kind == e.kind:
            yield lambda p=p: put(p)
        for q in p.parts:
            if isinstance(q, Expr) and q.kind == e.kind:
                yield lambda q=q: put(q)
    if e.kind in LITERAL and len(e.parts) > 1:
        yield lambda: put(Expr(e.kind, LITERAL[e.kind]))
    for i, p in enumerate(e.parts):
        if isinstance(p, Expr):
            yield from steps_of_expr(p, set_item(e.parts, i))
        elif not isinstance(p, str):
            yield from steps_of_query(p, set_item(e.parts, i))


def as_table(relation):
    """SELECT of plain columns of one table: the table will do."""
    q = relation.query
    if isinstance(q, Select) and q.source and q.source.table and not q.joins:
        relation.table, relation.query, relation.lateral = q.source.table, None, False


def steps_of_relation(relation):
    if relation.query is None:
        return
    yield lambda: as_table(relation)
    yield from steps_of_query(relation.query, set_field(relation, "query"))


def steps_of_join(join):
    if join.kind not in ("inner", "cross", ","):
        yield lambda: setattr(join, "kind", "inner")
    if join.on is not None:
        yield from steps_of_list(join.on, 1)
        for i, e in enumerate(join.on):
            yield from steps_of_expr(e, set_item(join.on, i))
    if join.using is not None:
        yield from steps_of_list(join.using, 1)
    yield from steps_of_relation(join.relation)


def drop_source(select, number):
    join = select.joins.pop(number)
    select.source = join.relation


def steps_of_select(s, put):
    for relation in ([s.source] if s.source else []) + [j.relation for j in s.joins]:
        if relation.query is not None:
            yield lambda r=relation: put(r.query)
    yield from steps_of_list(s.joins)
    for i in range(len(s.joins)):
        yield lambda i=i: drop_source(s, i)
    for field, value in (("distinct", None), ("limit", None), ("offset", None), ("sets", None), ("where", []), ("having", []), ("qualify", []),
                         ("order", []), ("group", None)):
        if getattr(s, field) not in (None, []):
            yield lambda field=field, value=value: setattr(s, field, value)
    if s.source and not s.group and not s.is_global:
        yield lambda: setattr(s, "source", None)
    yield from steps_of_list(s.items, 1)
    for field in ("where", "having", "qualify", "order", "group", "distinct"):
        items = getattr(s, field)
        if isinstance(items, list):
            yield from steps_of_list(items, 1)
            for i, e in enumerate(items):
                yield from steps_of_expr(e, set_item(items, i))
    if s.source:
        yield from steps_of_relation(s.source)
    for j in s.joins:
        yield from steps_of_join(j)
    for item in s.items:
        yield from steps_of_expr(item[0], set_item(item, 0))


def put_inline(query, name, definition):
    """Every reference to the CTE becomes its query."""
    for relation in relations_of(query):
        if relation.table == name:
            relation.table, relation.query = None, copy.deepcopy(definition)


def relations_of(node):
    if isinstance(node, list):
        for n in node:
            yield from relations_of(n)
    elif isinstance(node, Relation):
        yield node
        yield from relations_of(node.query)
    elif isinstance(node, Expr):
        yield from relations_of(node.parts)
    elif hasattr(node, "__dict__"):
        yield from relations_of(list(vars(node).values()))


def inline(w, i):
    name, definition = w.ctes.pop(i)
    put_inline(w.body, name, definition)
    put_inline([q for _, q in w.ctes], name, definition)


def steps_of_with(w, put):
    yield lambda: put(w.body)
    for _, q in w.ctes:
        yield lambda q=q: put(q)
    if len(w.ctes) == 1:
        yield lambda: (inline(w, 0), put(w.body))
    else:
        for i in range(len(w.ctes)):
            yield lambda i=i: inline(w, i)
        yield from steps_of_list(w.ctes, 1)
    for cte in w.ctes:
        yield from steps_of_query(cte[1], set_item(cte, 1))
    yield from steps_of_query(w.body, set_field(w, "body"))


def steps_of_values(v):
    yield from steps_of_list(v.rows, 1)
    for i in range(len(v.names)):
        if len(v.names) > 1:
            yield lambda i=i: (v.names.pop(i), [row.pop(i) for row in v.rows])


def steps_of_query(q, put):
    if isinstance(q, Select):
        yield from steps_of_select(q, put)
    elif isinstance(q, With):
        yield from steps_of_with(q, put)
    elif isinstance(q, Values):
        yield from steps_of_values(q)
    elif isinstance(q, SetQuery):
        for b in q.branches:
            yield lambda b=b: put(b)
        yield from steps_of_list(q.branches, 2)
        width = min((len(b.items) for b in q.branches if isinstance(b, Select)), default=0)
        if width > 1 and all(isinstance(b, Select) for b in q.branches):
            for i in range(width):
                yield lambda i=i: [b.items.pop(i) for b in q.branches]
        for i, b in enumerate(q.branches):
            yield from steps_of_query(b, set_item(q.branches, i))


def smaller_queries(query):
    number, packed = 0, pickle.dumps(query)  # much faster than copy.deepcopy
    while True:
        box = [pickle.loads(packed)]
        step = next(itertools.islice(steps_of_query(box[0], set_item(box, 0)), number, None), None)
        if step is None:
            return
        step()
        if size(box[0]) < size(query):
            yield number, box[0]
        number += 1


def size(query):
    return len(query.sql().replace(" inner join ", " join "))


# ---- schemas and rows ----


def without_table(schema, database, number):
    name = schema.tables.pop(number).name
    del database[name]
    for t in schema.tables:
        t.foreigns = [f for f in t.foreigns if f[1] != name]


def without_column(schema, database, table, number):
    name = table.columns.pop(number).name
    database[table.name] = [row[:number] + row[number + 1:] for row in database[table.name]]
    if table.primary and name in table.primary:
        table.primary = None
    table.uniques = [u for u in table.uniques if name not in u]
    table.foreigns = [f for f in table.foreigns if name not in f[0]]
    table.checks = [c for c in table.checks if name not in c[1]]
    for t in schema.tables:
        t.foreigns = [f for f in t.foreigns if f[1] != table.name or name not in f[2]]


def steps_of_database(schema, database):
    for i in range(len(schema.tables)):
        if len(schema.tables) > 1:
            yield lambda i=i: without_table(schema, database, i)
    for t in schema.tables:
        for i in range(len(t.columns)):
            if len(t.columns) > 1:
                yield lambda t=t, i=i: without_column(schema, database, t, i)
        if t.primary:
            yield lambda t=t: setattr(t, "primary", None)
        for items in (t.uniques, t.foreigns, t.checks):
            yield from steps_of_list(items)
        for c in t.columns:
            if c.not_null:
                yield lambda c=c: setattr(c, "not_null", False)
        yield from steps_of_list(database[t.name])


def smaller_databases(schema, database):
    number, packed = 0, pickle.dumps((schema, database))
    while True:
        other, rows = pickle.loads(packed)
        step = next(itertools.islice(steps_of_database(other, rows), number, None), None)
        if step is None:
            return
        step()
        yield other, rows
        number += 1


def shrink(schema, database, query, holds, seconds=30):
    """`holds(schema, database, query)`: the case still shows what it is to show. Ends where no single step does."""
    end = time.monotonic() + seconds
    assert isinstance(schema, Schema)
    progress = True
    while progress and time.monotonic() < end:
        progress = False
        start = 0
        while start is not None and time.monotonic() < end:  # go on where the last step was found: cheaper than from the start
            found = None
            for number, candidate in smaller_queries(query):
                if number >= start and time.monotonic() < end and holds(schema, database, candidate):
                    found, query, progress = number, candidate, True
                    break
            start = found
        start = 0
        while start is not None and time.monotonic() < end:
            found = None
            for number, (other, rows) in enumerate(smaller_databases(schema, database)):
                if number >= start and time.monotonic() < end and holds(other, rows, query):
                    found, schema, database, progress = number, other, rows, True
                    break
            start = found
    return schema, database, query
