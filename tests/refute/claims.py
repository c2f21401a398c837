"""claims.py - is a stated fact true of these rows?

Called by: refute.py, shrink.py.  Must not know: where facts come from, how rows were made.

Facts are what tests/tools/facts_batch prints: columns are places in the result. Every check gives None, or a witness: the rows
that show that the claim is false. Values are compared as SQL's equality does (1 and 1.0 agree), and NULL agrees with NULL.
"""
import collections

KINDS = ["keys", "lax_keys", "fds", "lax_fds", "not_null", "constant", "constant_or_null", "equiv", "rows", "inclusions", "join"]

Refuted = collections.namedtuple("Refuted", "kind claim witness")


def project(row, columns):
    return tuple([row[c] for c in columns])


def repeated(rows, columns, among_non_null):
    """Two rows that agree on the columns."""
    seen = {}
    for row in rows:
        value = project(row, columns)
        if among_non_null and None in value:
            continue
        if value in seen:
            return [seen[value], row]
        seen[value] = row
    return None


def differs(rows, start, end, among_non_null):
    """Two rows that agree on `start` and not on `end`."""
    seen = {}
    for row in rows:
        value = project(row, start)
        if among_non_null and None in value:
            continue
        other = seen.setdefault(value, row)
        if other is not row and project(other, end) != project(row, end):
            return [other, row]
    return None


def check_key(rows, claim):
    return repeated(rows, claim, False)


def check_lax_key(rows, claim):
    return repeated(rows, claim, True)


def check_fd(rows, claim):
    return differs(rows, *claim, False)


def check_lax_fd(rows, claim):
    return differs(rows, *claim, True)


def check_not_null(rows, column):
    return next(([row] for row in rows if row[column] is None), None)


def check_constant(rows, column):
    return next(([rows[0], row] for row in rows if row[column] != rows[0][column]), None)


def check_constant_or_null(rows, column):
    return check_constant([row for row in rows if row[column] is not None], column)


def check_equal(rows, columns):
    return next(([row] for row in rows if any(row[c] != row[columns[0]] for c in columns)), None)


def check_rows(rows, bounds):
    low, high = bounds
    return [("rows", len(rows))] if len(rows) < low or high is not None and len(rows) > high else None


def check_inclusion(rows, claim, tables):
    """claim: [is_covers, is_lax, relation, places here, names there]; tables: name -> (names, rows)."""
    is_covers, is_lax, relation, here, there = claim
    names, base = tables[relation]
    places = [names.index(n) for n in there]
    ours = {project(row, here) for row in rows}
    theirs = {project(row, places) for row in base}
    missing = theirs - ours if is_covers else {v for v in ours - theirs if not (is_lax and None in v)}
    return [("not here" if is_covers else "not there", next(iter(missing)))] if missing else None


CHECKS = {"keys": check_key, "lax_keys": check_lax_key, "fds": check_fd, "lax_fds": check_lax_fd, "not_null": check_not_null,
          "constant": check_constant, "constant_or_null": check_constant_or_null, "equiv": check_equal}


def refuted_by(facts, rows, is_whole, tables=None):
    """Every claim that these rows refute. `is_whole`: they are all rows of the result, not the first of many."""
    out = []
    for kind, check in CHECKS.items():
        for claim in facts[kind]:
            witness = check(rows, claim)
            if witness is not None:
                out.append(Refuted(kind, claim, witness))
    low, high = facts["rows"]
    witness = check_rows(rows, (low if is_whole else 0, high))
    if witness:
        out.append(Refuted("rows", facts["rows"], witness))
    for claim in facts["inclusions"] if tables else []:
        witness = check_inclusion(rows, claim, tables) if is_whole or not claim[0] else None
        if witness:
            out.append(Refuted("inclusions", claim, witness))
    return out


# ---- how often a join repeats the rows of its sides ----

ALLOWED = {"exactly-one": (1, 1), "zero-or-one": (0, 1), "one-or-more": (1, None), "zero-or-more": (0, None)}


def check_multiplicity(claim, occurrences):
    """occurrences: for each row of the side how often it appears in the result."""
    low, high = ALLOWED[claim]
    wrong = [n for n in occurrences if n < low or high is not None and n > high]
    return [("a row appears", wrong[0], "times")] if wrong else None
