"""parquet_shred.py - nested Arrow arrays to the entries that Parquet stores: (repetition level, definition level, value).

Used by parquet_vs_pyarrow.py and tests/data/make_parquet.py. The schema is a tree of dicts: name, repetition, max_rep, and
either children, or leaf (its number), type, type_length. Source: the nested encoding of the Dremel paper; LogicalTypes.md.
"""
import struct

import pyarrow as pa

REQUIRED, OPTIONAL, REPEATED = range(3)
BOOLEAN, INT32, INT64, INT96, FLOAT, DOUBLE, BYTE_ARRAY, FIXED = range(8)


def unscaled(number):
    """The digits of a decimal as an integer, without going through a precision."""
    sign, digits, _ = number.as_tuple()
    value = int("".join(map(str, digits)))
    return -value if sign else value


def leaf_texts(array, leaf):
    """What pq_dump must print for each value of a leaf array (None where it is null)."""
    kind = array.type
    physical = leaf["type"]
    if pa.types.is_decimal(kind):
        numbers = [None if v is None else unscaled(v) for v in array.to_pylist()]
        if physical == FIXED:
            size = leaf["type_length"]
            return [None if n is None else n.to_bytes(size, "big", signed=True).hex() for n in numbers]
        return [None if n is None else str(n) for n in numbers]
    if pa.types.is_boolean(kind):
        return [None if v is None else str(int(v)) for v in array.to_pylist()]
    if pa.types.is_temporal(kind):
        array = array.view(pa.int32() if kind.bit_width == 32 else pa.int64())
        return [None if v is None else str(v) for v in array.to_pylist()]
    if pa.types.is_integer(kind):
        wrap = 1 << (32 if physical == INT32 else 64)
        unsigned = pa.types.is_unsigned_integer(kind)
        return [None if v is None else str(v - wrap if unsigned and v >= wrap // 2 else v) for v in array.to_pylist()]
    if pa.types.is_float16(kind):
        return [None if v is None else struct.pack("<e", float(v)).hex() for v in array.to_pylist()]
    if pa.types.is_float32(kind):
        return bits_of(array, pa.int32(), "%08x", 0xffffffff)
    if pa.types.is_float64(kind):
        return bits_of(array, pa.int64(), "%016x", 0xffffffffffffffff)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        array = array.cast(pa.large_binary())
    if pa.types.is_null(kind):
        return [None] * len(array)
    return [None if v is None else v.hex() for v in array.to_pylist()]


def bits_of(array, integers, form, mask):
    """The bits of floats, NaN payloads and signs of zero included."""
    return [None if v is None else form % (v & mask) for v in array.view(integers).to_pylist()]


class Column:
    """An arrow array as Python lists: validity, and texts, offsets or children."""

    def __init__(self, array, node):
        if isinstance(array, pa.ExtensionArray):
            array = array.storage
        if pa.types.is_string_view(array.type):
            array = array.cast(pa.large_string())
        if pa.types.is_dictionary(array.type):
            array = array.dictionary_decode()
        self.valid = array.is_valid().to_pylist()
        self.texts = self.offsets = None
        self.children = []
        kind = array.type
        if node["repetition"] == REPEATED and pa.types.is_list(kind) and not node.get("in_list"):
            self.take_list(array, dict(node, in_list=True), node)
        elif pa.types.is_map(kind):
            entry = node["children"][0]
            self.offsets = array.offsets.to_pylist()
            self.children = [Column(array.keys, entry["children"][0]), Column(array.items, entry["children"][1])]
            self.repeated, self.parts = entry, entry["children"]
        elif pa.types.is_list(kind) or pa.types.is_large_list(kind):
            inner = node["children"][0]
            whole = is_element(node, inner)
            self.take_list(array, dict(inner, in_list=True) if whole else inner["children"][0], inner)
        elif pa.types.is_struct(kind):
            self.children = [Column(array.field(i), child) for i, child in enumerate(node["children"])]
            self.parts = node["children"]
        else:
            self.texts = leaf_texts(array, node)

    def take_list(self, array, element, repeated):
        self.offsets = array.offsets.to_pylist()
        self.children = [Column(array.values, element)]
        self.repeated, self.parts = repeated, [element]


def is_element(node, inner):
    """LogicalTypes.md: whether the repeated node of a list is its element (two levels), or holds it (three)."""
    if "children" not in inner or len(inner["children"]) != 1:
        return True
    if inner["name"] == "array" or inner["name"] == node["name"] + "_tuple":
        return True
    return inner["children"][0]["repetition"] == REPEATED


def leaves_below(node):
    if "children" not in node:
        return [node["leaf"]]
    return [leaf for child in node["children"] for leaf in leaves_below(child)]


def put_missing(node, rep, level, out):
    for leaf in leaves_below(node):
        out[leaf].append("%d %d -" % (rep, level))


def put(node, column, at, rep, level, out):
    if node["repetition"] == OPTIONAL:
        if not column.valid[at]:
            return put_missing(node, rep, level, out)
        level += 1
    put_present(node, column, at, rep, level, out)


def put_present(node, column, at, rep, level, out):
    if column.texts is not None:
        out[node["leaf"]].append("%d %d %s" % (rep, level, column.texts[at]))
    elif column.offsets is None:
        for part, child in zip(column.parts, column.children):
            put(part, child, at, rep, level, out)
    else:
        put_list(column, at, rep, level, out)


def put_list(column, at, rep, level, out):
    first, end = column.offsets[at], column.offsets[at + 1]
    repeated = column.repeated
    if first == end or not column.valid[at]:
        return put_missing(repeated, rep, level, out)
    for i in range(first, end):
        for part, child in zip(column.parts, column.children):
            step = put_present if part.get("in_list") else put
            step(part, child, i, rep if i == first else repeated["max_rep"], level + 1, out)


def expected_lines(table, schema):
    """For each row group, for each leaf, the lines of pq_dump."""
    root = schema["root"]
    columns = []
    for i, node in enumerate(root.get("children", [])):
        array = table.column(i).combine_chunks()
        if isinstance(array, pa.ChunkedArray):
            array = array.chunk(0) if array.num_chunks else pa.array([], array.type)
        columns.append((node, Column(array, node)))
    groups, row = [], 0
    for rows in schema["groups"]:
        out = {leaf: [] for leaf in leaves_below(root)} if root.get("children") else {}
        for at in range(row, row + rows):
            for node, column in columns:
                step = put_list if node["repetition"] == REPEATED else None
                if step:
                    put_list(column, at, 0, 0, out)
                else:
                    put(node, column, at, 0, 0, out)
        groups.append(out)
        row += rows
    return groups
