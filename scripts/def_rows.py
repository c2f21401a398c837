"""def_rows.py - read the rows of a .def table: NAME(argument, ...) with string literals, names, numbers.

Called by: make_diagnostics_doc.py, tests/house/check_house.py.  Must not know: what a table means.
"""
import pathlib
import re

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|[A-Za-z_0-9.]+|[(),|]|\S')
ESCAPE = {"n": "\n", "t": "\t", "\\": "\\", '"': '"', "'": "'", "0": "\0"}


def unquote(literal):
    return re.sub(r"\\(.)", lambda m: ESCAPE.get(m.group(1), m.group(1)), literal[1:-1])


def read_rows(path, macro):
    """The arguments of each MACRO(...) of a file, as text. Adjacent strings are one, as in C; other tokens keep a space."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    tokens = TOKEN.findall(text)
    rows, at = [], 0
    while at < len(tokens):
        if tokens[at] != macro or tokens[at + 1:at + 2] != ["("]:
            at += 1
            continue
        arguments, depth, current = [], 1, []
        at += 2
        while depth:
            token = tokens[at]
            depth += (token == "(") - (token == ")")
            if depth == 0 or (depth == 1 and token == ","):
                arguments.append(join(current))
                current = []
            else:
                current.append(token)
            at += 1
        rows.append(arguments)
    return rows


def join(tokens):
    if tokens and all(t.startswith('"') for t in tokens):
        return "".join(unquote(t) for t in tokens)
    return " ".join(tokens)
