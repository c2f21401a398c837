#!/usr/bin/env python3
"""Make the Parquet files of the tests: tests/data/parquet/ and the seeds of the fuzz target.

usage: make_parquet.py            (needs pyarrow; the files are committed, so tests do not run this)

parquet/NAME.parquet with parquet/CONTENT.txt: written by pyarrow, where NAME is CONTENT-VARIANT. The text is what must be
read, one line a level entry, made from the Arrow arrays that were written (see compare/parquet_shred.py).
parquet/odd-*.parquet with a text each: made byte by byte, allowed by the format and rare; the text is written by hand.
parquet/large-*.parquet: few bytes that stand for very much.
parquet/bad.txt and bad-*.parquet: made byte by byte, each with one lie; the text says for each file which status and
which words its message must have.
"""
import datetime
import decimal
import gzip
import os
import random
import shutil
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "compare"))
sys.path.insert(0, HERE)

import pyarrow as pa
import pyarrow.parquet as pq

import parquet_craft as craft
from parquet_craft import (BOOLEAN, BYTE_ARRAY, DELTA_LENGTH, DELTA_STRINGS, DOUBLE, FIXED, FLOAT, GZIP, INT32, INT64, INT96, LZ4,
                           LZ4_RAW, LZO, OPTIONAL, PLAIN, PLAIN_DICTIONARY, REPEATED, REQUIRED, RLE, RLE_DICTIONARY, SNAPPY, SPLIT,
                           UNCOMPRESSED, Chunk, Struct, bit_packed, data_v1, data_v2, delta, delta_lengths, delta_strings, dictionary,
                           file_bytes, int32s, int64s, node, other_page, packed, root, run, sized, strings)
from parquet_shred import expected_lines

OUT = os.path.join(HERE, "parquet")
CORPUS = os.path.join(os.path.dirname(HERE), "fuzz", "corpus", "pq_fuzz")
PHYSICAL = ["BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"]


# ---- contents, written by pyarrow ----

def some(dice, count, make, missing=0.2):
    return [None if dice.random() < missing else make() for _ in range(count)]


def types_table(count):
    """All physical types and the logical ones that statistics have, with nulls."""
    dice = random.Random(11)
    day = datetime.date(1970, 1, 1)
    instant = datetime.datetime(1970, 1, 1)
    cents = decimal.Decimal(1).scaleb(-2)
    moment = lambda: instant + datetime.timedelta(days=dice.randrange(-200000, 200000), microseconds=dice.randrange(86400 * 10**6))
    columns = {
        "flag": pa.array(some(dice, count, lambda: dice.random() < 0.7), pa.bool_()),
        "i8": pa.array(some(dice, count, lambda: dice.randrange(-128, 128)), pa.int8()),
        "u32": pa.array(some(dice, count, lambda: dice.randrange(1 << 32)), pa.uint32()),
        "i32": pa.array(some(dice, count, lambda: dice.randrange(-1 << 31, 1 << 31)), pa.int32()),
        "i64": pa.array(some(dice, count, lambda: dice.randrange(-1 << 63, 1 << 63)), pa.int64()),
        "few": pa.array(some(dice, count, lambda: dice.randrange(3)), pa.int64()),
        "f32": pa.array(some(dice, count, lambda: dice.choice([0.5, -0.0, float("nan"), float("inf"), dice.random()])), pa.float32()),
        "f64": pa.array(some(dice, count, lambda: dice.choice([0.5, -0.0, float("nan"), -float("inf"), dice.random()])), pa.float64()),
        "date": pa.array(some(dice, count, lambda: day + datetime.timedelta(days=dice.randrange(-200000, 200000))), pa.date32()),
        "ts_ms": pa.array(some(dice, count, moment), pa.timestamp("ms")),
        "ts_us": pa.array(some(dice, count, moment), pa.timestamp("us", tz="UTC")),
        "ts_ns": pa.array(some(dice, count, lambda: dice.randrange(-1 << 62, 1 << 62)), pa.timestamp("ns")),
        "d9": pa.array(some(dice, count, lambda: dice.randrange(-10**9 + 1, 10**9) * cents), pa.decimal128(9, 2)),
        "d18": pa.array(some(dice, count, lambda: dice.randrange(-10**18 + 1, 10**18) * cents), pa.decimal128(18, 2)),
        "d38": pa.array(some(dice, count, lambda: decimal.Decimal(dice.randrange(-10**27, 10**27)) * cents), pa.decimal128(38, 2)),
        "text": pa.array(some(dice, count, lambda: dice.choice(["", "a", "grün", "part-%05d" % dice.randrange(99999), "x" * 40])), pa.string()),
        "path": pa.array(["date=2024-%02d/part-%05d.parquet" % (i // 9, i) for i in range(count)], pa.string()),
        "fixed": pa.array(some(dice, count, lambda: dice.randbytes(5)), pa.binary(5)),
        "nothing": pa.array([None] * count, pa.int32()),
    }
    fields = [pa.field(name, array.type, name != "path") for name, array in columns.items()]
    return pa.table(list(columns.values()), schema=pa.schema(fields))


def nested_table(count):
    """Lists, maps and structs inside each other, empty and missing at every level, rows longer than a small page."""
    dice = random.Random(12)
    word = lambda: dice.choice(["", "red", "green", "blue %d" % dice.randrange(100)])
    ints = lambda: some(dice, dice.choice([0, 1, 2, 7, 30]), lambda: dice.randrange(1000))
    pairs = lambda: [(str(k), dice.choice([None, word()])) for k in range(dice.randrange(4))]
    columns = {
        "ints": pa.array(some(dice, count, ints), pa.list_(pa.int64())),
        "values": pa.array(some(dice, count, pairs), pa.map_(pa.string(), pa.string())),
        "deep": pa.array(some(dice, count, lambda: some(dice, dice.randrange(4), lambda: some(dice, dice.randrange(4), word))), pa.list_(pa.list_(pa.string()))),
        "add": pa.array(some(dice, count, lambda: {"path": word(), "tags": dice.choice([None, pairs()]), "dv": dice.choice([None, {"id": word(), "sizes": ints()}])}),
                        pa.struct([pa.field("path", pa.string(), False), ("tags", pa.map_(pa.string(), pa.string())),
                                   ("dv", pa.struct([("id", pa.string()), ("sizes", pa.list_(pa.int32()))]))])),
        "rows": pa.array(some(dice, count, lambda: [{"n": dice.randrange(9), "on": dice.choice([None, True, False])} for _ in range(dice.randrange(5))]),
                         pa.list_(pa.struct([("n", pa.int32()), ("on", pa.bool_())]))),
    }
    return pa.table(columns)


def schema_tree(table, path):
    """The tree that Parquet has for Arrow's types, with the physical types that the file at `path` was given."""
    leaves = iter(range(10**6))
    physical = pq.ParquetFile(path).schema

    def make(field, rep):
        kind = field.type
        tree = {"name": field.name, "repetition": OPTIONAL if field.nullable else REQUIRED, "max_rep": rep}
        if pa.types.is_map(kind):
            entry = {"name": "key_value", "repetition": REPEATED, "max_rep": rep + 1,
                     "children": [make(kind.key_field, rep + 1), make(kind.item_field, rep + 1)]}
            return dict(tree, children=[entry])
        if pa.types.is_list(kind):
            return dict(tree, children=[{"name": "list", "repetition": REPEATED, "max_rep": rep + 1, "children": [make(kind.value_field, rep + 1)]}])
        if pa.types.is_struct(kind):
            return dict(tree, children=[make(kind.field(i), rep) for i in range(kind.num_fields)])
        leaf = next(leaves)
        return dict(tree, leaf=leaf, type=PHYSICAL.index(physical.column(leaf).physical_type), type_length=physical.column(leaf).length)

    return {"name": "schema", "children": [make(field, 0) for field in table.schema]}


def write_text(path, groups):
    with open(path, "w", newline="\n") as out:
        for number, group in enumerate(groups):
            for leaf in sorted(group):
                out.write("leaf %d group %d\n" % (leaf, number))
                out.writelines(line + "\n" for line in group[leaf])


TINY = dict(data_page_size=64, write_batch_size=4)
PLAIN_ONLY = dict(use_dictionary=False)
DELTA_BY_TYPE = {"INT32": "DELTA_BINARY_PACKED", "INT64": "DELTA_BINARY_PACKED", "BYTE_ARRAY": "DELTA_BYTE_ARRAY", "BOOLEAN": "RLE",
                 "FIXED_LEN_BYTE_ARRAY": "DELTA_BYTE_ARRAY", "FLOAT": "BYTE_STREAM_SPLIT", "DOUBLE": "BYTE_STREAM_SPLIT"}
SPLIT_BY_TYPE = {"INT32": "BYTE_STREAM_SPLIT", "INT64": "BYTE_STREAM_SPLIT", "BYTE_ARRAY": "DELTA_LENGTH_BYTE_ARRAY",
                 "FIXED_LEN_BYTE_ARRAY": "BYTE_STREAM_SPLIT", "FLOAT": "BYTE_STREAM_SPLIT", "DOUBLE": "BYTE_STREAM_SPLIT"}
VARIANTS = {
    "v1-snappy": (dict(compression="snappy"), None),
    "v1-none-plain-tiny": (dict(compression="none", **TINY, **PLAIN_ONLY), None),
    "v1-gzip-split": (dict(compression="gzip", **PLAIN_ONLY), SPLIT_BY_TYPE),
    "v1-lz4-checksum": (dict(compression="lz4", write_page_checksum=True), None),
    "v1-brotli-delta-tiny": (dict(compression="brotli", **TINY, **PLAIN_ONLY), DELTA_BY_TYPE),
    "v2-zstd-tiny": (dict(compression="zstd", data_page_version="2.0", **TINY), None),
    "v2-snappy-delta": (dict(compression="snappy", data_page_version="2.0", **PLAIN_ONLY), DELTA_BY_TYPE),
    "v2-none-split-checksum": (dict(compression="none", data_page_version="2.0", write_page_checksum=True, **PLAIN_ONLY), SPLIT_BY_TYPE),
}


def encodings_of(table, path, by_type):
    pq.write_table(table, path, store_decimal_as_integer=True)
    schema = pq.ParquetFile(path).schema
    leaves = [schema.column(i) for i in range(len(schema))]
    return {leaf.path: by_type[leaf.physical_type] for leaf in leaves if leaf.physical_type in by_type}


def write_content(name, table, variants, **common):
    for variant in variants:
        options, by_type = VARIANTS[variant]
        path = os.path.join(OUT, "%s-%s.parquet" % (name, variant))
        if by_type:
            options = dict(options, column_encoding=encodings_of(table, path, by_type))
        pq.write_table(table, path, store_schema=False, write_statistics=False, store_decimal_as_integer=True, **options, **common)
    metadata = pq.ParquetFile(path).metadata
    tree = schema_tree(table, path)
    tree["groups"] = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
    write_text(os.path.join(OUT, name + ".txt"), expected_lines(table, {"root": tree, "groups": tree["groups"]}))


def write_int96():
    """INT96 as Spark writes it: nanoseconds of the day, then the Julian day."""
    moments = [datetime.datetime(1969, 12, 31, 23, 59, 59, 999999), datetime.datetime(2024, 2, 29, 12), None]
    table = pa.table({"t": pa.array(moments, pa.timestamp("us"))})
    pq.write_table(table, os.path.join(OUT, "int96-v1.parquet"), use_deprecated_int96_timestamps=True, store_schema=False)
    lines = []
    for moment in moments:
        if moment is None:
            lines.append("0 0 -")
            continue
        days, rest = divmod(moment - datetime.datetime(1970, 1, 1), datetime.timedelta(days=1))
        nanos = rest // datetime.timedelta(microseconds=1) * 1000
        lines.append("0 1 " + struct.pack("<qi", nanos, days + 2440588).hex())
    write_text(os.path.join(OUT, "int96.txt"), [{0: lines}])


def write_contents():
    write_content("types", types_table(50), VARIANTS)
    write_content("nested", nested_table(40), VARIANTS)
    write_content("groups", nested_table(23), ["v1-snappy", "v2-zstd-tiny"], row_group_size=5)
    write_content("empty", types_table(0), ["v1-snappy"])
    write_int96()


# ---- odd files: allowed, rare ----

A_TEXT = root(node("s", OPTIONAL, BYTE_ARRAY, converted=0))
A_NUMBER = root(node("n", REQUIRED, INT32))
A_LIST = root(node("l", OPTIONAL, children=[node("list", REPEATED, children=[node("element", OPTIONAL, INT32)])], converted=3))


GOOD = data_v1(2, int32s(1, 2))
WORDS = dictionary(2, strings("a", "b"))


def present(count):
    return sized(run(1, count, 1))


def text_lines(*values):
    return ["0 0 -" if v is None else "0 1 " + v.encode().hex() for v in values]


def number_lines(*values):
    return ["0 0 %d" % v for v in values]


def lz4_block(data):
    return pa.compress(data, codec="lz4_raw", asbytes=True)


def hadoop_frames(data):
    """Two frames, the first of two parts, with their sizes in front."""
    half = len(data) // 2
    a, b, c = lz4_block(data[:2]), lz4_block(data[2:half]), lz4_block(data[half:])
    first = struct.pack(">I", half) + struct.pack(">I", len(a)) + a + struct.pack(">I", len(b)) + b
    return first + struct.pack(">I", len(data) - half) + struct.pack(">I", len(c)) + c


def two_members(data):
    half = len(data) // 2
    return gzip.compress(data[:half], mtime=0) + gzip.compress(data[half:], mtime=0)


def snappy(data):
    return pa.compress(data, codec="snappy", asbytes=True)


def odd_levels():
    legacy = bit_packed([1, 0, 1], 1)
    yield "odd-legacy-levels", file_bytes(A_TEXT, (3, [Chunk("s", BYTE_ARRAY, 3, [data_v1(3, strings("a", "b"), levels=legacy, def_encoding=4)])])), text_lines("a", None, "b")
    # repetition 0 1 0 and definition 3 2 0 in two bits, each most significant bit first
    legacy = bit_packed([0, 1, 0], 1) + bit_packed([3, 2, 0], 2)
    yield "odd-legacy-nested", file_bytes(A_LIST, (2, [Chunk("l.list.element", INT32, 3, [data_v1(3, int32s(7), levels=legacy, def_encoding=4, rep_encoding=4)])])), ["0 3 7", "1 2 -", "0 0 -"]
    mixed = sized(run(1, 3, 1) + packed([1, 0, 1, 0, 0, 0, 0, 1], 1) + run(0, 2, 1) + run(1, 1, 1))
    words = ["a", "b", "c", "d", None, "e", None, None, None, None, "f", None, None, "g"]
    yield "odd-mixed-runs", file_bytes(A_TEXT, (14, [Chunk("s", BYTE_ARRAY, 14, [data_v1(14, strings(*"abcdefg"), levels=mixed)])])), text_lines(*words)
    # a packed run of 2 groups in two bits, of which only the bytes that hold 10 levels are there
    wide = root(node("a", OPTIONAL, children=[node("s", OPTIONAL, BYTE_ARRAY)]))
    short = sized(packed([2, 0, 1, 2, 2, 2, 2, 2, 2, 1], 2)[:4])
    page = data_v1(10, strings(*"abcdefg"), levels=short)
    lines = ["0 2 61", "0 0 -", "0 1 -"] + ["0 2 %x" % ord(c) for c in "bcdefg"] + ["0 1 -"]
    yield "odd-cut-run", file_bytes(wide, (10, [Chunk("a.s", BYTE_ARRAY, 10, [page])])), lines
    yield "odd-long-run", file_bytes(A_TEXT, (2, [Chunk("s", BYTE_ARRAY, 2, [data_v1(2, strings("a", "b"), levels=sized(run(1, 999, 1)))])])), text_lines("a", "b")


def odd_pages():
    first, second = data_v1(2, int32s(1, 2)), data_v1(1, int32s(3))
    yield "odd-other-pages", file_bytes(A_NUMBER, (3, [Chunk("n", INT32, 3, [other_page(1), first, other_page(), data_v1(0, b""), second])])), number_lines(1, 2, 3)
    long = data_v1(1, int32s(3), statistics=Struct([(1, "bin", "z" * 35000), (5, "bin", "z" * 35000)]))
    yield "odd-long-header", file_bytes(A_NUMBER, (3, [Chunk("n", INT32, 3, [first, long])])), number_lines(1, 2, 3)
    words = dictionary(2, strings("red", "blue"), encoding=PLAIN_DICTIONARY)
    codes = data_v1(4, bytes([1]) + packed([0, 1, 1], 1), encoding=PLAIN_DICTIONARY, levels=sized(packed([1, 0, 1, 1], 1)))
    then = data_v1(2, strings("green", "red"), levels=present(2))
    lines = text_lines("red", None, "blue", "blue", "green", "red")
    for name, over in [("", {}), ("-no-offset", dict(dictionary_offset=None, data_offset=4)), ("-zero-offset", dict(dictionary_offset=0, data_offset=4)),
                       ("-short-size", dict(size=len(words + codes + then) - 15))]:
        chunk = Chunk("s", BYTE_ARRAY, 6, [words, codes, then], has_dictionary=True, **over)
        yield "odd-dictionary" + name, file_bytes(A_TEXT, (6, [chunk])), lines
    nulls = data_v1(3, b"", encoding=RLE_DICTIONARY, levels=sized(run(0, 3, 1)))
    yield "odd-all-null", file_bytes(A_TEXT, (3, [Chunk("s", BYTE_ARRAY, 3, [words, nulls], has_dictionary=True)])), text_lines(None, None, None)
    one = dictionary(1, strings("only"))
    codes = data_v1(3, bytes([0]) + run(0, 3, 0), encoding=RLE_DICTIONARY, levels=present(3))
    yield "odd-width-zero", file_bytes(A_TEXT, (3, [Chunk("s", BYTE_ARRAY, 3, [one, codes], has_dictionary=True)])), text_lines("only", "only", "only")
    padded = data_v1(2, int32s(5, 6) + bytes(8))
    yield "odd-padded", file_bytes(A_NUMBER, (2, [Chunk("n", INT32, 2, [padded])])), number_lines(5, 6)


def odd_v2():
    nulls = data_v2(3, 3, b"", definition=run(0, 3, 1))
    yield "odd-v2-no-values", file_bytes(A_TEXT, (3, [Chunk("s", BYTE_ARRAY, 3, [nulls], codec=SNAPPY)])), text_lines(None, None, None)
    raw = data_v2(2, 2, strings("a", "b"), definition=run(1, 2, 1), is_compressed=False)
    both = data_v2(2, 2, strings("c", "d"), definition=run(1, 2, 1), compress=snappy)
    yield "odd-v2-mixed", file_bytes(A_TEXT, (4, [Chunk("s", BYTE_ARRAY, 4, [raw, both], codec=SNAPPY)])), text_lines("a", "b", "c", "d")
    lists = [data_v2(3, 2, int32s(1, 2, 3), rep=packed([0, 1, 0], 1), definition=run(3, 3, 2)), data_v2(2, 1, int32s(4, 5), rep=packed([0, 1], 1), definition=run(3, 2, 2), nulls=-1)]
    yield "odd-v2-lists", file_bytes(A_LIST, (3, [Chunk("l.list.element", INT32, 5, lists)])), ["0 3 1", "1 3 2", "0 3 3", "0 3 4", "1 3 5"]


def list_page(values, rep, definition):
    return data_v1(len(rep), int32s(*values), levels=sized(packed(rep, 1)) + sized(packed(definition, 2)))


def odd_rows():
    # the second row begins in the first page, fills the second and ends in the third, with the fourth row's null
    pages = [list_page([1, 2], [0, 0], [3, 3]), list_page([3, 4], [1, 1], [3, 3]), list_page([5, 6], [1, 0, 0, 0], [3, 1, 0, 3])]
    lines = ["0 3 1", "0 3 2", "1 3 3", "1 3 4", "1 3 5", "0 1 -", "0 0 -", "0 3 6"]
    yield "odd-row-over-pages", file_bytes(A_LIST, (5, [Chunk("l.list.element", INT32, 8, pages)])), lines
    words = root(node("l", OPTIONAL, children=[node("list", REPEATED, children=[node("element", OPTIONAL, BYTE_ARRAY)])], converted=3))
    page = lambda rep, *values: data_v1(len(rep), strings(*values), levels=sized(packed(rep, 1)) + sized(run(3, len(rep), 2)))
    pages = [page([0, 1, 0], "a", "bb", "ccc"), page([1, 1], "dddd", ""), page([1, 0], "e", "f")]
    lines = ["%d 3 %s" % (r, v.encode().hex()) for r, v in zip([0, 1, 0, 1, 1, 1, 0], ["a", "bb", "ccc", "dddd", "", "e", "f"])]
    yield "odd-strings-over-pages", file_bytes(words, (3, [Chunk("l.list.element", BYTE_ARRAY, 7, pages)])), lines


def odd_codecs():
    page = lambda compress: [data_v1(4, int32s(1, 2, 3, 4), compress=compress)]
    for name, codec, compress in [("hadoop", LZ4, hadoop_frames), ("bare", LZ4, lz4_block), ("members", GZIP, two_members)]:
        yield "odd-codec-" + name, file_bytes(A_NUMBER, (4, [Chunk("n", INT32, 4, page(compress), codec=codec)])), number_lines(1, 2, 3, 4)
    empty = [data_v1(0, b"", compress=snappy), data_v1(1, int32s(9), compress=snappy)]
    yield "odd-codec-nothing", file_bytes(A_NUMBER, (1, [Chunk("n", INT32, 1, empty, codec=SNAPPY)])), number_lines(9)


def odd_encodings():
    numbers = [5, 5, -3, 2**31 - 1, -2**31, 0] + list(range(300))
    page = data_v1(len(numbers), delta(numbers), encoding=craft.DELTA)
    yield "odd-delta-wraps", file_bytes(A_NUMBER, (len(numbers), [Chunk("n", INT32, len(numbers), [page])])), number_lines(*numbers)
    page = data_v1(40, delta(list(range(0, 400, 10)), block=256, minis=8), encoding=craft.DELTA)
    yield "odd-delta-block", file_bytes(A_NUMBER, (40, [Chunk("n", INT32, 40, [page])])), number_lines(*range(0, 400, 10))
    large = [-2**63, 2**63 - 1, 0, -1, 2**62]
    page = data_v1(5, delta(large, bits=64), encoding=craft.DELTA)
    yield "odd-delta-64", file_bytes(root(node("n", REQUIRED, INT64)), (5, [Chunk("n", INT64, 5, [page])])), number_lines(*large)
    words = ["", "axis", "axle", "axle", "ax", "babble", "babyhood"]
    prefixes, suffixes = [0, 0, 2, 4, 2, 0, 3], [b"", b"axis", b"le", b"", b"", b"babble", b"yhood"]
    page = data_v1(7, delta_strings(prefixes, suffixes), encoding=DELTA_STRINGS, levels=present(7))
    nothing = [data_v1(2, b"", encoding=e, levels=sized(run(0, 2, 1))) for e in (DELTA_STRINGS, DELTA_LENGTH, RLE_DICTIONARY)]
    yield "odd-nothing-encoded", file_bytes(A_TEXT, (13, [Chunk("s", BYTE_ARRAY, 13, [WORDS, nothing[0], page, nothing[1], nothing[2]], has_dictionary=True)])), text_lines(None, None, *words, *[None] * 4)
    yield "odd-delta-strings", file_bytes(A_TEXT, (7, [Chunk("s", BYTE_ARRAY, 7, [page])])), text_lines(*words)
    flags = root(node("b", REQUIRED, BOOLEAN))
    pages = [data_v1(11, bytes([0b10110011, 0b101])), data_v1(5, sized(run(1, 5, 1)), encoding=RLE)]
    yield "odd-booleans", file_bytes(flags, (16, [Chunk("b", BOOLEAN, 16, pages)])), number_lines(1, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1)
    flags = root(node("b", OPTIONAL, BOOLEAN))
    nothing = data_v1(2, b"", encoding=RLE, levels=sized(run(0, 2, 1)))
    yield "odd-no-booleans", file_bytes(flags, (2, [Chunk("b", BOOLEAN, 2, [nothing])])), ["0 0 -", "0 0 -"]
    far = root(node("t", OPTIONAL, INT96))
    page = data_v1(2, bytes(range(24)), levels=present(2))
    yield "odd-int96", file_bytes(far, (2, [Chunk("t", INT96, 2, [page])])), ["0 1 " + bytes(range(12)).hex(), "0 1 " + bytes(range(12, 24)).hex()]


def odd_schemas():
    """Lists of two levels, by the rules for old files, and a repeated column by itself."""
    lists = root(node("a", OPTIONAL, converted=3, children=[node("array", REPEATED, INT32)]),
                 node("b", OPTIONAL, converted=3, children=[node("array", REPEATED, children=[node("x", OPTIONAL, INT32)])]),
                 node("c", OPTIONAL, converted=3, children=[node("c_tuple", REPEATED, children=[node("x", REQUIRED, INT32)])]),
                 node("d", OPTIONAL, converted=3, children=[node("entry", REPEATED, children=[node("x", REQUIRED, INT32), node("y", OPTIONAL, INT32)])]),
                 node("e", REPEATED, INT32),
                 node("f", OPTIONAL, converted=2, children=[node("entries", REPEATED, children=[node("keys", REQUIRED, BYTE_ARRAY), node("values", OPTIONAL, BYTE_ARRAY)])]))
    one = lambda path, level, width, kind=INT32, value=int32s(8): Chunk(path, kind, 1, [data_v1(1, value, levels=sized(run(0, 1, 1)) + sized(run(level, 1, width)))])
    chunks = [one("a.array", 2, 2), one("b.array.x", 3, 2), one("c.c_tuple.x", 2, 2), one("d.entry.x", 2, 2), one("d.entry.y", 3, 2), one("e", 1, 1),
              one("f.entries.keys", 2, 2, BYTE_ARRAY, strings("k")), one("f.entries.values", 3, 2, BYTE_ARRAY, strings("v"))]
    lines = {i: ["0 %d 8" % level] for i, level in enumerate([2, 3, 2, 2, 3, 1])}
    lines.update({6: ["0 2 6b"], 7: ["0 3 76"]})
    long = file_bytes(A_NUMBER, (2, [Chunk("n", INT32, 2, [GOOD])]), pairs=[("long", "z" * 66000), ("next", "here")])
    yield "odd-long-footer", long, number_lines(1, 2)
    yield "odd-schema", file_bytes(lists, (1, chunks), pairs=[("who", "craft"), ("empty", "")]), lines


def stamp(unit, utc):
    return Struct([(8, "struct", Struct([(1, "bool", utc), (2, "struct", Struct([(unit, "struct", Struct())]))]))])


def odd_annotations():
    """Meanings by the old names alone, by the new ones, and some that do not fit their type. No rows."""
    number = lambda name, kind, **more: node(name, OPTIONAL, kind, **more)
    integer = lambda width, sign: Struct([(10, "struct", Struct([(1, "byte", width), (2, "bool", sign)]))])
    schema = root(number("utf8", BYTE_ARRAY, converted=0), number("enum", BYTE_ARRAY, converted=4), number("json", BYTE_ARRAY, converted=19),
                  number("date", INT32, converted=6), number("millis", INT64, converted=9), number("micros", INT64, converted=10),
                  number("u8", INT32, converted=11), number("u64", INT64, converted=14), number("i16", INT32, converted=16), number("i64", INT64, converted=18),
                  number("decimal", FIXED, length=9, converted=5, scale=3, precision=20),
                  number("nanos", INT64, logical=stamp(3, False)), number("local", INT64, converted=10, logical=stamp(2, False)),
                  number("i32", INT32, logical=integer(32, True)),
                  number("number", INT64, logical=Struct([(5, "struct", Struct([(1, "i32", 2), (2, "i32", 18)]))])),
                  number("text", BYTE_ARRAY, logical=Struct([(1, "struct", Struct())])), number("day", INT32, logical=Struct([(6, "struct", Struct())])),
                  number("uuid", FIXED, length=16, logical=Struct([(14, "struct", Struct())])), number("plain", BYTE_ARRAY),
                  number("no_date", INT64, converted=6), number("no_text", INT32, converted=0), number("no_scale", INT32, converted=5, scale=9, precision=2),
                  number("no_width", INT32, converted=18), number("no_stamp", INT32, logical=stamp(2, True)), number("new", INT32, logical=Struct([(99, "struct", Struct())])))
    kinds = [(bytes(dict((f[0], f[2]) for f in e)[4], "ascii").decode(), dict((f[0], f[2]) for f in e)[1]) for e in schema[1:]]
    chunks = [Chunk(name, kind, 0, []) for name, kind in kinds]
    yield "odd-annotations", file_bytes(schema, (0, chunks), created_by=None), {i: [] for i in range(len(kinds))}


def odd_files():
    for make in (odd_levels, odd_pages, odd_v2, odd_rows, odd_codecs, odd_encodings, odd_schemas, odd_annotations):
        yield from make()


# ---- bad files: one lie each ----

def number_file(pages, count=2, rows=None, schema=A_NUMBER, kind=INT32, path="n", codec=UNCOMPRESSED, **over):
    return file_bytes(schema, (count if rows is None else rows, [Chunk(path, kind, count, pages, codec=codec, **over)]))


def text_file(pages, count=2, **over):
    return number_file(pages, count=count, schema=A_TEXT, kind=BYTE_ARRAY, path="s", **over)


def list_file(pages, count, rows):
    return number_file(pages, count=count, rows=rows, schema=A_LIST, path="l.list.element")


def bad_footers():
    whole = number_file([GOOD])
    yield "short", b"PAR1PAR1", "FORMAT", "found only 8 bytes"
    yield "magic", whole[:-4] + b"PAR2", "FORMAT", "expected PAR1"
    yield "encrypted", whole[:-4] + b"PARE", "UNSUPPORTED", "encrypted"
    yield "footer-size", file_bytes(A_NUMBER, (2, [Chunk("n", INT32, 2, [GOOD])]), footer_size=9999), "FORMAT", "found a length of 9999"
    yield "footer-cut", file_bytes(A_NUMBER, (2, [Chunk("n", INT32, 2, [GOOD])]), footer_size=9), "FORMAT", "Parquet footer: expected"
    yield "cut", whole[:-30] + whole[-8:], "FORMAT", "Parquet footer"
    yield "row-count", file_bytes(A_NUMBER, (2, [Chunk("n", INT32, 2, [GOOD])]), rows=3), "FORMAT", "expected 2 rows"
    yield "encrypted-columns", file_bytes(A_NUMBER, (2, [Chunk("n", INT32, 2, [GOOD])]), encryption=Struct([(1, "struct", Struct())])), "UNSUPPORTED", "encrypted columns"
    yield "encrypted-column", number_file([GOOD], crypto=Struct([(1, "struct", Struct())])), "UNSUPPORTED", "encrypted"
    yield "other-file", number_file([GOOD], file="elsewhere.parquet"), "UNSUPPORTED", "in another file"
    for number, kind, value, words in [(2, "i32", 7, "expected a list"), (3, "bin", "x", "expected an integer"), (4, "list", ("i32", [1]), "expected a struct"),
                                       (6, "i32", 7, "expected a binary value"), (5, "list", ("bin", ["x"]), "expected a struct")]:
        yield "kind-%d" % number, file_bytes(A_NUMBER, (2, [Chunk("n", INT32, 2, [GOOD])]), field=(number, kind, value)), "FORMAT", words
    yield "large-number", file_bytes(root(node("n", REQUIRED, 2**40)), (0, [])), "FORMAT", "expected an integer of 32 bits"
    yield "no-schema", file_bytes([], (0, [])), "FORMAT", "expected another schema element"


def bad_schemas():
    chunks = (2, [Chunk("n", INT32, 2, [GOOD])])
    yield "children", file_bytes(root(node("n", REQUIRED, INT32), count=9), chunks), "FORMAT", "expected at most"
    yield "children-missing", file_bytes(root(node("g", OPTIONAL, children=[node("n", REQUIRED, INT32)], count=2)), chunks), "FORMAT", "expected at most 1 children"
    yield "children-left", file_bytes(root(node("n", REQUIRED, INT32), node("m", REQUIRED, INT32), count=1), chunks), "FORMAT", "1 elements behind it"
    yield "children-negative", file_bytes(root(node("n", REQUIRED, INT32), count=-1), chunks), "FORMAT", "found -1"
    yield "repetition", file_bytes(root(node("n", 3, INT32)), chunks), "FORMAT", "repetition of 0 to 2"
    yield "no-repetition", file_bytes(root(node("n", None, INT32)), chunks), "FORMAT", "repetition of 0 to 2"
    yield "physical-type", file_bytes(root(node("n", REQUIRED, 8)), chunks), "FORMAT", "physical type of 0 to 7"
    yield "leaf-children", file_bytes(root(node("n", REQUIRED, INT32, children=[node("m", REQUIRED, INT32)])), chunks), "FORMAT", "no children of the column"
    yield "fixed-length", file_bytes(root(node("n", REQUIRED, FIXED, length=0)), chunks), "FORMAT", "length of 1 or more"
    yield "name", file_bytes(root(node(b"\xff", REQUIRED, INT32)), chunks), "FORMAT", "UTF-8"
    deep = node("n", REQUIRED, INT32)
    for _ in range(128):
        deep = node("g", OPTIONAL, children=[deep])
    yield "depth", file_bytes(root(deep), chunks), "LIMIT", "nest deeper than 127"


def bad_chunks():
    name = "x" + "ü" * 200
    yield "long-name", number_file([data_v1(2, int32s(1))], schema=root(node(name, REQUIRED, INT32)), path=name), "FORMAT", "ü..., page at byte"
    groups = [(2**62, [Chunk("n", INT32, 2**62, [])])] * 2
    yield "many-rows", file_bytes(A_NUMBER, *groups, rows=0), "FORMAT", "fewer than 2^63 rows"
    yield "chunk-count", file_bytes(A_NUMBER, (2, [])), "FORMAT", "expected one list of 1 column chunks"
    yield "chunk-type", number_file([GOOD], kind=INT64), "FORMAT", "expected physical type 1 as in the schema, found 2"
    yield "chunk-path", number_file([GOOD], path="m"), "FORMAT", "found another path"
    yield "chunk-values", number_file([GOOD], rows=3), "FORMAT", "a value for each of 3 rows, found 2"
    yield "chunk-values-negative", number_file([GOOD], count=-1, rows=0), "FORMAT", "count of values"
    yield "chunk-rows-negative", number_file([GOOD], count=0, rows=-5), "FORMAT", "count of rows"
    yield "chunk-size", number_file([GOOD], size=99999), "FORMAT", "in front of the footer"
    yield "chunk-size-negative", number_file([GOOD], size=-1), "FORMAT", "size in bytes"
    yield "chunk-offset", number_file([GOOD], data_offset=2**62), "FORMAT", "in front of the footer"
    yield "chunk-offset-negative", number_file([GOOD], data_offset=-4), "FORMAT", "in front of the footer"
    yield "list-values", list_file([list_page([1], [0], [3])], 1, 2), "FORMAT", "a value for each of 2 rows, found 1"
    yield "codec-lzo", number_file([GOOD], codec=LZO), "UNSUPPORTED", "the codec lzo"
    yield "codec-unknown", number_file([GOOD], codec=77), "UNSUPPORTED", "number 77"


def bad_pages():
    yield "page-missing", number_file([data_v1(1, int32s(1))]), "FORMAT", "1 more values"
    yield "page-extra", number_file([data_v1(3, int32s(1, 2, 3))]), "FORMAT", "at most 2 values in the rest of the chunk, found 3"
    yield "page-count-negative", number_file([data_v1(2, int32s(1, 2), says=-2)]), "FORMAT", "with its count"
    yield "page-stored", number_file([data_v1(2, int32s(1, 2), stored=30000, raw=30000)]), "FORMAT", "found a page of 30000"
    yield "page-stored-negative", number_file([data_v1(2, int32s(1, 2), stored=-8)]), "FORMAT", "found a page of -8"
    yield "page-raw-negative", number_file([data_v1(2, int32s(1, 2), raw=-8)]), "FORMAT", "decompressed size"
    yield "page-raw", number_file([data_v1(2, int32s(1, 2), raw=7)]), "FORMAT", "expected 7 bytes of an uncompressed page, found 8"
    yield "page-limit", number_file([data_v1(2, int32s(1, 2), raw=2**31 - 1, compress=snappy)], codec=SNAPPY), "LIMIT", "larger than the limit"
    yield "page-header", number_file([b"\x1f" * 40]), "FORMAT", "page header: expected"
    yield "page-kind", number_file([data_v1(2, int32s(1, 2), kind=3)]), "FORMAT", "header of a data page"
    yield "checksum", number_file([data_v1(2, int32s(1, 2), crc=True, checksum=5)]), "FORMAT", "expected checksum 00000005"
    yield "checksum-v2", number_file([data_v2(2, 2, int32s(1, 2), crc=True, checksum=5)]), "FORMAT", "expected checksum 00000005"
    yield "encoding", number_file([data_v1(2, int32s(1, 2), encoding=99)]), "UNSUPPORTED", "encoding 99"
    yield "encoding-of-type", number_file([data_v1(2, int32s(1, 2), encoding=DELTA_LENGTH)]), "FORMAT", "expected an encoding of physical type 1"
    yield "few-values", number_file([data_v1(2, int32s(1))]), "FORMAT", "ends early"
    yield "many-values", number_file([data_v1(2, int32s(1, 2, 3))]), "FORMAT", "found more"
    yield "few-string-bytes", text_file([data_v1(2, strings("a") + b"\x05\0\0\0b", levels=present(2))]), "FORMAT", "ends early"
    yield "few-booleans", number_file([data_v1(9, b"\1")], count=9, schema=root(node("b", REQUIRED, BOOLEAN)), kind=BOOLEAN, path="b"), "FORMAT", "ends early"


def bad_codecs():
    page = lambda compress, **over: [data_v1(4, int32s(1, 2, 3, 4), compress=compress, **over)]
    for name, codec, compress in [("snappy", SNAPPY, snappy), ("gzip", GZIP, two_members), ("brotli", craft.BROTLI, lambda d: pa.compress(d, codec="brotli", asbytes=True)),
                                  ("zstd", craft.ZSTD, lambda d: pa.compress(d, codec="zstd", asbytes=True)), ("lz4", LZ4_RAW, lz4_block), ("hadoop", LZ4, hadoop_frames)]:
        yield name + "-size", number_file(page(compress, raw=17), count=4, codec=codec), "FORMAT", "expected"
        yield name + "-small", number_file(page(compress, raw=15), count=4, codec=codec), "FORMAT", "expected"
        yield name + "-cut", number_file(page(lambda d: compress(d)[:-2]), count=4, codec=codec), "FORMAT", "damaged"
        yield name + "-damage", number_file(page(lambda d: b"\xf1" + compress(d)[1:-2]), count=4, codec=codec), "FORMAT", "expected"


def bad_levels():
    wide = root(node("a", OPTIONAL, children=[node("s", OPTIONAL, BYTE_ARRAY)])) # maximum 2 in two bits: 3 can be written
    page = lambda levels: [data_v1(2, strings("a", "b"), levels=levels)]
    deep = lambda levels: number_file(page(levels), schema=wide, kind=BYTE_ARRAY, path="a.s")
    yield "level-run", deep(sized(run(3, 2, 2))), "FORMAT", "levels up to the maximum"
    yield "level-packed", deep(sized(packed([2, 3], 2))), "FORMAT", "levels up to the maximum"
    yield "level-legacy", number_file([data_v1(2, strings("a", "b"), levels=bit_packed([2, 3], 2), def_encoding=4)], schema=wide, kind=BYTE_ARRAY, path="a.s"), "FORMAT", "levels up to the maximum"
    yield "level-groups", text_file(page(sized(bytes([9 << 1 | 1, 0xff])))), "FORMAT", "levels end early"
    yield "levels-end", text_file(page(sized(run(1, 1, 1)))), "FORMAT", "levels end early"
    yield "levels-size", text_file([data_v1(2, b"", levels=struct.pack("<I", 50) + run(1, 2, 1))]), "FORMAT", "expected at most"
    yield "levels-no-size", text_file([data_v1(2, b"", levels=b"\1")]), "FORMAT", "expected the size of the levels"
    yield "levels-encoding", text_file([data_v1(2, strings("a", "b"), levels=present(2), def_encoding=5)]), "FORMAT", "levels as runs"
    yield "levels-lie", text_file([data_v1(2, strings("a", "b"), levels=sized(packed([1, 0], 1)))]), "FORMAT", "found more"
    yield "v2-levels-size", text_file([data_v2(2, 2, strings("a", "b"), definition=run(1, 2, 1), def_bytes=200)]), "FORMAT", "bytes of levels"
    yield "v2-levels-negative", text_file([data_v2(2, 2, strings("a", "b"), definition=run(1, 2, 1), def_bytes=-1)]), "FORMAT", "sizes of levels"


def bad_rows():
    page = list_page([1, 2], [0, 0], [3, 3])
    yield "rows-begin", list_file([list_page([1, 2], [1, 0], [3, 3])], 2, 1), "FORMAT", "begins with a row"
    yield "rows-missing", list_file([list_page([1, 2], [0, 1], [3, 3])], 2, 2), "FORMAT", "1 more rows"
    yield "rows-extra", list_file([page], 2, 1), "FORMAT", "behind its last row"
    yield "rows-outside", list_file([list_page([1], [0, 1], [3, 0])], 2, 1), "FORMAT", "goes on with a list"
    v2 = lambda rows, rep: data_v2(len(rep), rows, int32s(*range(len(rep))), rep=packed(rep, 1), definition=run(3, len(rep), 2))
    yield "v2-row-count", list_file([v2(1, [0, 0])], 2, 2), "FORMAT", "1 rows as in the page header, found 2"
    yield "v2-row-begin", list_file([v2(1, [0]), v2(1, [1, 0])], 3, 2), "FORMAT", "begins with a row"
    yield "v2-row-none", list_file([v2(0, [0, 0])], 2, 2), "FORMAT", "expected 1 to 2 rows"
    yield "v2-row-flat", number_file([data_v2(2, 1, int32s(1, 2))]), "FORMAT", "expected 2 rows, found 1"


def bad_dictionaries():
    codes = lambda data, count=2: data_v1(count, data, encoding=RLE_DICTIONARY, levels=present(count))
    good = codes(bytes([1]) + run(1, 2, 1))
    yield "index-run", text_file([WORDS, codes(bytes([2]) + run(2, 2, 2))], has_dictionary=True), "FORMAT", "below the 2 dictionary entries, found 2"
    yield "index-packed", text_file([WORDS, codes(bytes([2]) + packed([0, 3], 2))], has_dictionary=True), "FORMAT", "below the 2 dictionary entries, found 3"
    yield "index-width", text_file([WORDS, codes(bytes([33]) + run(1, 2, 33))], has_dictionary=True), "FORMAT", "at most 32 bits, found 33"
    yield "index-end", text_file([WORDS, codes(bytes([1]) + run(1, 1, 1))], has_dictionary=True), "FORMAT", "ends early"
    yield "no-dictionary", text_file([good]), "FORMAT", "found none"
    yield "dictionary-twice", text_file([WORDS, WORDS, good], has_dictionary=True), "FORMAT", "found it twice"
    yield "dictionary-late", text_file([data_v1(1, strings("a"), levels=present(1)), WORDS, codes(bytes([1]) + run(1, 1, 1), 1)]), "FORMAT", "behind one"
    yield "dictionary-count", text_file([dictionary(2, strings("a", "b"), says=2**31 - 1), good], has_dictionary=True), "FORMAT", "expected 2147483647 dictionary entries"
    yield "dictionary-cut", text_file([dictionary(2, strings("a") + b"\x09\0\0\0bcd"), good], has_dictionary=True), "FORMAT", "ends early"
    yield "dictionary-encoding", text_file([dictionary(2, strings("a", "b"), encoding=RLE), good], has_dictionary=True), "FORMAT", "expected a plain dictionary"
    yield "dictionary-count-negative", text_file([dictionary(2, strings("a", "b"), says=-1), good], has_dictionary=True), "FORMAT", "with its count"


def bad_encodings():
    page = lambda data, encoding=craft.DELTA, count=2: number_file([data_v1(count, data, encoding=encoding)], count=count)
    good = delta([1, 2])
    yield "delta-cut", page(good[:3]), "FORMAT", "delta-encoded"
    yield "delta-few", page(delta([1])), "FORMAT", "delta-encoded"
    yield "delta-many", page(delta([1, 2, 3])), "FORMAT", "found more"
    yield "delta-block", page(craft.varint(100) + good[2:]), "FORMAT", "header of delta-encoded"
    yield "delta-minis", page(craft.varint(128) + craft.varint(0) + good[3:]), "FORMAT", "header of delta-encoded"
    yield "delta-width", page(craft.varint(128) + craft.varint(4) + craft.varint(2) + craft.zigzag(1) + craft.zigzag(0) + bytes([65, 0, 0, 0]) + bytes(300)), "FORMAT", "bit width of at most 64"
    yield "delta-mini-cut", page(craft.varint(128) + craft.varint(4) + craft.varint(2) + craft.zigzag(1) + craft.zigzag(0) + bytes([9, 0, 0, 0]) + bytes(3)), "FORMAT", "delta-encoded"
    text = lambda data, encoding: text_file([data_v1(2, data, encoding=encoding, levels=present(2))])
    yield "length-negative", text(delta([3, -1]) + b"abc", DELTA_LENGTH), "FORMAT", "found a length of -1"
    yield "length-large", text(delta([3, 4]) + b"abc", DELTA_LENGTH), "FORMAT", "found a length of 4"
    yield "length-many", text(delta([1, 1]) + b"abc", DELTA_LENGTH), "FORMAT", "found more"
    yield "prefix-large", text(delta_strings([0, 4], [b"abc", b"d"]), DELTA_STRINGS), "FORMAT", "prefix of at most 3 bytes, found 4"
    yield "prefix-first", text(delta_strings([1, 0], [b"abc", b"d"]), DELTA_STRINGS), "FORMAT", "prefix of at most 0 bytes, found 1"
    fixed = root(node("f", REQUIRED, FIXED, length=3))
    yield "fixed-delta", number_file([data_v1(2, delta_strings([0, 0], [b"abc", b"d"]), encoding=DELTA_STRINGS)], schema=fixed, kind=FIXED, path="f"), "FORMAT", "values of 3 bytes, found one of 1"
    yield "split-uneven", page(bytes(9), SPLIT), "FORMAT", "streams of equal length"
    yield "split-few", page(bytes(4), SPLIT), "FORMAT", "ends early"
    yield "split-many", page(bytes(12), SPLIT), "FORMAT", "found more"
    flags = root(node("b", REQUIRED, BOOLEAN))
    yield "rle-boolean", number_file([data_v1(2, sized(run(2, 2, 1)), encoding=RLE)], schema=flags, kind=BOOLEAN, path="b"), "FORMAT", "boolean of 0 or 1"
    yield "rle-boolean-size", number_file([data_v1(2, b"\xff\0\0\0" + run(1, 2, 1), encoding=RLE)], schema=flags, kind=BOOLEAN, path="b"), "FORMAT", "ends early"


def bad_files():
    for make in (bad_footers, bad_schemas, bad_chunks, bad_pages, bad_codecs, bad_levels, bad_rows, bad_dictionaries, bad_encodings):
        yield from make()


# ---- large claims in few bytes ----

def large_files():
    many = 2**31 - 1
    # two billion rows of nothing: one run of definition levels
    yield "large-nulls", text_file([data_v1(many, b"", levels=sized(run(0, many, 1)))], count=many)
    # two billion times the same word
    codes = data_v1(many, bytes([0]) + run(0, many, 0), encoding=RLE_DICTIONARY, levels=sized(run(1, many, 1)))
    yield "large-words", text_file([dictionary(1, strings("again")), codes], count=many, has_dictionary=True)
    # one row with two billion entries
    levels = sized(run(0, 1, 1) + run(1, many - 1, 1)) + sized(run(2, many, 2))
    yield "large-row", list_file([data_v1(many, b"", levels=levels)], many, 1)
    # a dictionary of empty words: 4 bytes each in the page, 16 in memory
    yield "large-dictionary", text_file([dictionary(3000, strings(*[""] * 3000), compress=snappy), data_v1(2, bytes([0]) + run(0, 2, 0), encoding=RLE_DICTIONARY, levels=present(2), compress=snappy)], codec=SNAPPY, has_dictionary=True)
    # strings that share a long prefix and differ in a byte: a page of 11 KB that is 24 MB of text
    count = 8000
    page = data_v1(count, delta_strings([0] + [3000] * (count - 1), [b"x" * 3000] + [b"y"] * (count - 1)), encoding=DELTA_STRINGS, levels=present(count))
    yield "large-strings", text_file([page], count=count)


# ---- the run ----

def write_bytes(folder, name, data):
    with open(os.path.join(folder, name + ".parquet"), "wb") as out:
        out.write(data)


def write_odd():
    for name, data, lines in odd_files():
        write_bytes(OUT, name, data)
        write_text(os.path.join(OUT, name + ".txt"), [lines if isinstance(lines, dict) else {0: lines}])


def write_bad():
    with open(os.path.join(OUT, "bad.txt"), "w", newline="\n") as out:
        for name, data, status, words in bad_files():
            write_bytes(OUT, "bad-" + name, data)
            out.write("bad-%s %s %s\n" % (name, status, words))


def write_large():
    for name, data in large_files():
        write_bytes(OUT, name, data)


def write_corpus():
    """Seeds of the fuzz target: the crafted files, which are small and reach every branch, and a few of pyarrow's."""
    shutil.rmtree(CORPUS, ignore_errors=True)
    os.makedirs(CORPUS)
    for name in sorted(os.listdir(OUT)):
        small = name.startswith(("odd-", "bad-", "large-", "int96")) or name in ("groups-v2-zstd-tiny.parquet", "groups-v1-snappy.parquet")
        if name.endswith(".parquet") and small and name not in ("odd-long-header.parquet", "odd-long-footer.parquet"):
            shutil.copy(os.path.join(OUT, name), CORPUS)


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    os.makedirs(OUT)
    write_contents()
    write_odd()
    write_bad()
    write_large()
    write_corpus()


if __name__ == "__main__":
    main()
