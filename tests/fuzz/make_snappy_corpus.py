#!/usr/bin/env python3
"""make_snappy_corpus.py - write the corpus of snappy_fuzz: elements by hand, with their size in front and without."""
import pathlib

FOLDER = pathlib.Path(__file__).parent / "corpus" / "snappy_fuzz"


def literal(text, length_bytes=0):
    last = len(text) - 1
    if length_bytes:
        return bytes([(59 + length_bytes) << 2]) + last.to_bytes(length_bytes, "little") + text
    return bytes([last << 2]) + text


def copy_1(offset, length):
    return bytes([offset >> 8 << 5 | (length - 4) << 2 | 1, offset & 255])


def copy_2(offset, length):
    return bytes([(length - 1) << 2 | 2]) + offset.to_bytes(2, "little")


def copy_4(offset, length):
    return bytes([(length - 1) << 2 | 3]) + offset.to_bytes(4, "little")


def size(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out) + bytes([number])


RECORD = literal(b'{"numRecords":10,"minValues":{"id":1},"maxValues":{"id"', 0)
RECORDS = RECORD + b"".join(copy_1(23, 5) + literal(b"%d" % (i * 77)) + copy_2(50 + i, 20 + i) for i in range(12))
LONG = literal(bytes(range(200)), 1) + copy_2(200, 64) + copy_2(130, 64)

CASES = {  # name: elements
    "nothing": b"",
    "literals": b"".join(literal(bytes([65 + i]) * i) for i in range(1, 30)),
    "literal-lengths": b"".join(literal(b"abcdefgh", n) for n in (0, 1, 2, 3, 4)),
    "literal-too-long": literal(b"abc") + b"\xfc\xff\xff\xff\xff" + b"d" * 20,
    "records": RECORDS,
    "long": LONG,
    "near": literal(b"abcdefghijklmnopq") + b"".join(copy_1(o, 11) for o in range(1, 18)) + copy_2(1, 64) * 3,
    "near-long": literal(b"abcdefghijklmnopq") + b"".join(copy_2(o, 64) for o in range(1, 18)) + literal(b"z") * 70,
    "wide": LONG + copy_4(300, 64) + copy_4(1, 1) + literal(b"y") * 70,
    "offset-0": LONG + copy_2(0, 8) + literal(b"y") * 70,
    "offset-before": LONG + copy_1(329, 8) + literal(b"y") * 70,
    "offset-wide": LONG + copy_4(65536 + 8, 8) + literal(b"y") * 70,
    "cut": RECORDS[:-1],
}


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, elements in CASES.items():
        (FOLDER / name).write_bytes(elements)
    (FOLDER / "block-records").write_bytes(size(454) + RECORDS)
    (FOLDER / "block-long").write_bytes(size(328) + LONG)
    (FOLDER / "block-other-size").write_bytes(size(329) + LONG)
    (FOLDER / "block-large").write_bytes(size(2**32 - 1) + LONG)
    (FOLDER / "block-longest-literal").write_bytes(size(0) + b"\xfc\xff\xff\xff\xff")
    (FOLDER / "block-size-cut").write_bytes(b"\xff\xff")


if __name__ == "__main__":
    main()
