"""multiplicity.py - how often the rows of each side of the topmost join appear in the result.

Called by: refute.py.  Must not know: facts.

Every relation of FROM gets a number for each of its rows. A row of the left side is then the numbers of its relations.
"""
import copy
import collections

from query import Expr, Relation, Select, With


class Numbered:
    """A relation with a column that numbers its rows."""
    def __init__(self, relation, column):
        self.relation, self.column = relation, column

    def sql(self):
        inner = copy.copy(self.relation)
        inner.alias, inner.lateral = "numbered", False
        return f"select row_number() over () as {self.column}, numbered.* from {inner.sql()}"


def has_query(e):
    """A subquery in the select list is a join of its own."""
    return any(not isinstance(p, (str, Expr)) or isinstance(p, Expr) and has_query(p) for p in e.parts)


def topmost_join(query):
    """(ctes, select) with a join whose result is only projected; None where there is none."""
    if isinstance(query, With):
        below = topmost_join(query.body)
        return below and (query.ctes + below[0], below[1])
    if not isinstance(query, Select) or query.where or query.group or query.is_global or query.distinct or query.having or query.qualify \
            or query.limit is not None or query.offset is not None or not query.source or any(has_query(e) for e, _ in query.items):
        return None
    if query.joins:
        return [], query
    return topmost_join(query.source.query) if query.source.query else None


def counting_queries(query):
    """(how many relations, text that gives the numbers of all, of the left side, of the right side)."""
    found = topmost_join(query)
    if not found:
        return None
    ctes, select = found
    head = "with " + ", ".join(f"{name} as ({q.sql()})" for name, q in ctes) + " " if ctes else ""
    numbered = copy.copy(select)
    relations = [select.source] + [j.relation for j in select.joins]
    columns = [f"number_{i}" for i in range(len(relations))]
    wrapped = [Relation(r.alias, query=Numbered(r, c), lateral=r.lateral) for r, c in zip(relations, columns)]
    numbered.source = wrapped[0]
    numbered.joins = []
    for join, relation in zip(select.joins, wrapped[1:]):
        other = copy.copy(join)
        other.relation = relation
        numbered.joins.append(other)

    def text(joins, names):
        s = Select()
        s.source, s.joins = numbered.source, joins
        return f"{head}select {', '.join(names)} from {s.source.sql()}{''.join(j.sql() for j in joins)}"

    right = None if relations[-1].lateral else f"{head}select {columns[-1]} from ({wrapped[-1].query.sql()}) as counted"
    return len(relations), text(numbered.joins, columns), text(numbered.joins[:-1], columns[:-1]), right


def occurrences(all_rows, side_rows, places):
    """How often each row of the side appears."""
    seen = collections.Counter(tuple(row[p] for p in places) for row in all_rows)
    return [seen[tuple(row)] for row in side_rows]
