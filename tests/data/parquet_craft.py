"""parquet_craft.py - Parquet files byte by byte, so that a test can hold one oddity or one lie.

Used by make_parquet.py. Written from parquet.thrift and Encodings.md alone. Nothing here checks anything: every header
field can be overridden, and that is the point.
"""
import struct
import zlib

BOOLEAN, INT32, INT64, INT96, FLOAT, DOUBLE, BYTE_ARRAY, FIXED = range(8)
REQUIRED, OPTIONAL, REPEATED = range(3)
PLAIN, PLAIN_DICTIONARY, RLE, BIT_PACKED, DELTA, DELTA_LENGTH, DELTA_STRINGS, RLE_DICTIONARY, SPLIT = 0, 2, 3, 4, 5, 6, 7, 8, 9
UNCOMPRESSED, SNAPPY, GZIP, LZO, BROTLI, LZ4, ZSTD, LZ4_RAW = range(8)


# ---- Thrift compact protocol ----

def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def zigzag(value):
    return varint(value << 1 if value >= 0 else (-value << 1) - 1)


class Struct(list):
    """Fields (number, kind, value) in the order of their numbers; kind is i16, i32, i64, bool, bin, struct or list."""


KINDS = {"byte": 3, "i16": 4, "i32": 5, "i64": 6, "double": 7, "bin": 8, "list": 9, "struct": 12}


def value_bytes(kind, value):
    if kind in ("i16", "i32", "i64"):
        return zigzag(value)
    if kind == "byte":
        return struct.pack("b", value)
    if kind == "bin":
        value = value.encode() if isinstance(value, str) else value
        return varint(len(value)) + value
    if kind == "struct":
        return struct_bytes(value)
    if kind == "list":
        element, items = value
        head = bytes([len(items) << 4 | KINDS[element]]) if len(items) < 15 else bytes([0xf0 | KINDS[element]]) + varint(len(items))
        return head + b"".join(value_bytes(element, item) for item in items)
    raise ValueError(kind)


def struct_bytes(fields):
    out, last = b"", 0
    for number, kind, value in fields:
        if value is None:
            continue
        code = (1 if value else 2) if kind == "bool" else KINDS[kind]
        out += bytes([(number - last) << 4 | code]) if 0 < number - last < 16 else bytes([code]) + zigzag(number)
        out += b"" if kind == "bool" else value_bytes(kind, value)
        last = number
    return out + b"\0"


# ---- encodings ----

def run(value, count, width):
    return varint(count << 1) + value.to_bytes((width + 7) // 8, "little")


def packed(values, width):
    values = list(values) + [0] * (-len(values) % 8)
    bits = sum(value << i * width for i, value in enumerate(values))
    return varint(len(values) // 8 << 1 | 1) + bits.to_bytes(len(values) * width // 8, "little")


def sized(data):
    return struct.pack("<I", len(data)) + data


def bit_packed(values, width):
    """The deprecated encoding: most significant bit first."""
    text = "".join(format(value, "0%db" % width) for value in values)
    text += "0" * (-len(text) % 8)
    return int(text, 2).to_bytes(len(text) // 8, "big")


def strings(*values):
    return b"".join(sized(value.encode()) for value in values)


def int32s(*values):
    return struct.pack("<%di" % len(values), *values)


def int64s(*values):
    return struct.pack("<%dq" % len(values), *values)


def delta(values, block=128, minis=4, bits=32):
    """DELTA_BINARY_PACKED, differences modulo 2^bits, with all miniblocks of a block that are needed."""
    whole, half = 1 << bits, 1 << (bits - 1)
    out = varint(block) + varint(minis) + varint(len(values)) + zigzag(values[0] if values else 0)
    steps = [(b - a + half) % whole - half for a, b in zip(values, values[1:])]
    for at in range(0, len(steps), block):
        piece = steps[at:at + block]
        least = min(piece)
        size = block // minis
        parts = [[step - least for step in piece[i:i + size]] for i in range(0, len(piece), size)]
        widths = [max(part).bit_length() for part in parts]
        out += zigzag(least) + bytes(widths + [0] * (minis - len(widths)))
        for part, width in zip(parts, widths):
            packed_steps = sum(step << i * width for i, step in enumerate(part))
            out += packed_steps.to_bytes(size * width // 8, "little")
    return out


def delta_lengths(values):
    return delta([len(v) for v in values]) + b"".join(values)


def delta_strings(prefixes, suffixes):
    return delta(prefixes) + delta_lengths(suffixes)


# ---- pages ----

def page_header(kind, raw, stored, crc, fields, sub):
    return struct_bytes(Struct([(1, "i32", kind), (2, "i32", raw), (3, "i32", stored), (4, "i32", crc), (sub, "struct", fields)]))


def signed(value):
    return value - (1 << 32) if value >= 1 << 31 else value


def stored_size(body, over):
    return over.get("stored", len(body))


def data_v1(count, values, encoding=PLAIN, levels=b"", compress=None, crc=False, **over):
    """`levels` are the bytes in front of the values, sizes included."""
    raw = levels + values
    body = compress(raw) if compress else raw
    fields = Struct([(1, "i32", over.get("says", count)), (2, "i32", encoding), (3, "i32", over.get("def_encoding", RLE)),
                     (4, "i32", over.get("rep_encoding", RLE)), (5, "struct", over.get("statistics"))])
    check = signed(over.get("checksum", zlib.crc32(body))) if crc else None
    return page_header(over.get("kind", 0), over.get("raw", len(raw)), stored_size(body, over), check, fields, 5) + body


def data_v2(count, rows, values, encoding=PLAIN, rep=b"", definition=b"", compress=None, is_compressed=None, crc=False, **over):
    packed_values = compress(values) if compress else values
    body = rep + definition + packed_values
    fields = Struct([(1, "i32", over.get("says", count)), (2, "i32", over.get("nulls", 0)), (3, "i32", rows),
                     (4, "i32", encoding), (5, "i32", over.get("def_bytes", len(definition))),
                     (6, "i32", over.get("rep_bytes", len(rep))), (7, "bool", is_compressed)])
    check = signed(over.get("checksum", zlib.crc32(body))) if crc else None
    raw = over.get("raw", len(rep) + len(definition) + len(values))
    return page_header(3, raw, stored_size(body, over), check, fields, 8) + body


def dictionary(count, values, encoding=PLAIN, compress=None, **over):
    body = compress(values) if compress else values
    fields = Struct([(1, "i32", over.get("says", count)), (2, "i32", encoding)])
    return page_header(2, over.get("raw", len(values)), stored_size(body, over), None, fields, 7) + body


def other_page(kind=9):
    return struct_bytes(Struct([(1, "i32", kind), (2, "i32", 3), (3, "i32", 3), (15, "struct", Struct([(1, "i32", 5)]))])) + b"abc"


# ---- schema and file ----

def node(name, repetition=None, kind=None, children=None, length=None, converted=None, scale=None, precision=None, logical=None, **over):
    """A schema element and those below it. `children` is a list of nodes."""
    below = [element for child in children or [] for element in child]
    count = over.get("count", len(children)) if children is not None else None
    return [Struct([(1, "i32", kind), (2, "i32", length), (3, "i32", repetition), (4, "bin", name), (5, "i32", count),
                    (6, "i32", converted), (7, "i32", scale), (8, "i32", precision), (10, "struct", logical)])] + below


def root(*children, **over):
    return node("schema", children=list(children), **over)


class Chunk:
    """The pages of one leaf. Offsets are those of the first page, and of the page behind the dictionary, unless overridden."""

    def __init__(self, path, kind, count, pages, codec=UNCOMPRESSED, has_dictionary=False, **over):
        self.path, self.kind, self.count, self.pages, self.codec = path.split("."), kind, count, pages, codec
        self.has_dictionary, self.over = has_dictionary, over

    def metadata(self, start):
        over = self.over
        size = sum(map(len, self.pages))
        data_offset = start + (len(self.pages[0]) if self.has_dictionary else 0)
        return Struct([(1, "i32", over.get("kind", self.kind)), (2, "list", ("i32", [PLAIN, RLE])),
                       (3, "list", ("bin", over.get("path", self.path))), (4, "i32", self.codec), (5, "i64", self.count),
                       (6, "i64", size), (7, "i64", over.get("size", size)), (9, "i64", over.get("data_offset", data_offset)),
                       (11, "i64", over.get("dictionary_offset", start if self.has_dictionary else None))])

    def column(self, start):
        return Struct([(1, "bin", self.over.get("file")), (2, "i64", 0), (3, "struct", self.metadata(start)),
                       (8, "struct", self.over.get("crypto"))])


def file_bytes(schema, *groups, pairs=(), created_by="craft", rows=None, tail=None, **over):
    """`groups` are (row count, chunks)."""
    out = b"PAR1"
    texts = []
    for count, chunks in groups:
        columns = []
        for chunk in chunks:
            columns.append(chunk.column(len(out)))
            out += b"".join(chunk.pages)
        texts.append(Struct([(1, "list", ("struct", columns)), (2, "i64", 0), (3, "i64", count)]))
    total = sum(count for count, _ in groups) if rows is None else rows
    metadata = [Struct([(1, "bin", key), (2, "bin", value)]) for key, value in pairs]
    fields = [(1, "i32", 1), (2, "list", ("struct", schema)), (3, "i64", total), (4, "list", ("struct", texts)),
              (5, "list", ("struct", metadata)), (6, "bin", created_by), (8, "struct", over.get("encryption"))]
    other = over.get("field", (0,)) # instead of the field of that number
    footer = struct_bytes(Struct([other if other[0] == field[0] else field for field in fields]))
    return out + footer + struct.pack("<I", over.get("footer_size", len(footer))) + (tail or b"PAR1")
