"""sharpness.py - what looks true of a query on many databases and is not stated: figures that guide the work, no test.

Called by: refute.py.  Must not know: how a fact is proved.

Something looks true if it holds on some dozen databases and could have failed on one of them. Stated facts are closed first, so
what follows from them counts as stated.
"""
import itertools
import random

import claims
import schema as schemas

DATABASES = 40


def closure(columns, dependencies):
    out, more = set(columns), True
    while more:
        more = False
        for start, end in dependencies:
            if set(start) <= out and not set(end) <= out:
                out |= set(end)
                more = True
    return out


def stated(facts):
    """(dependencies, keys) that follow from what is stated, NULL-safely."""
    everything = list(range(len(facts["columns"])))
    keys = facts["keys"] + ([[]] if facts["rows"][1] is not None and facts["rows"][1] <= 1 else [])
    dependencies = facts["fds"] + [[[], facts["constant"]]] + [[[c], q] for q in facts["equiv"] for c in q] + [[k, everything] for k in keys]
    return dependencies, keys


def measure(judge, tally, schema, query, facts, number):
    rng = random.Random(number)
    pairs = schemas.draw_databases(rng, schema, DATABASES)
    if judge.engine.name == "sqlite":
        judge.engine.adopt([con for _, con in pairs])
    else:
        judge.engine.open(schema, [d for d, _ in pairs])
    results = judge.engine.rows([query.sql()])[0]
    if not results or max(len(r) for r, _ in results) < 4:
        return
    lists = [r for r, _ in results if r]
    width = range(len(facts["columns"]))
    dependencies, keys = stated(facts)

    def note(kind, is_stated, what):
        tally.seen[kind] += 1
        if not is_stated:
            tally.missed[kind] += 1
            names = [[facts["columns"][c] for c in w] for w in what]
            tally.examples.setdefault(kind, []).append((len(query.sql()), names, schema.ddl() + query.sql()))

    for c in width:
        if all(claims.check_not_null(r, c) is None for r in lists):
            note("not_null", c in facts["not_null"], [[c]])
        if all(claims.check_constant(r, c) is None for r in lists):
            note("constant", c in closure([], dependencies), [[c]])
    minimal = []
    for size in range(3):
        for key in itertools.combinations(width, size):
            if not any(set(k) <= set(key) for k in minimal) and all(claims.check_key(r, key) is None for r in lists):
                minimal.append(key)
                held = closure(key, dependencies)
                note("keys", any(set(k) <= held for k in keys), [key])
    for a, b in itertools.permutations(width, 2):
        if (a,) in minimal or () in minimal or sum(len(r) - len({row[a] for row in r}) for r in lists) < 6:
            continue
        if all(claims.check_fd(r, ([a], [b])) is None for r in lists):
            note("fds", b in closure([a], dependencies), [[a], [b]])
        if a < b and all(claims.check_equal(r, [a, b]) is None for r in lists):
            note("equiv", any({a, b} <= set(q) for q in facts["equiv"]), [[a, b]])
    if all(len(r) <= 1 for r in lists):
        note("rows", facts["rows"][1] is not None, [])


def print_figures(tally, options):
    for kind, seen in sorted(tally.seen.items()):
        missed = tally.missed[kind]
        print(f"sharpness {kind:10} looks true {seen:6}, stated {seen - missed:6} ({100 * (seen - missed) / seen:.0f} %)")
        for _, names, text in sorted(tally.examples.get(kind, []))[:options.show]:
            print(f"  not stated: {names}\n    " + text.replace("\n", "\n    "))
