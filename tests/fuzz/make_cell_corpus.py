#!/usr/bin/env python3
"""make_cell_corpus.py - write the corpus of cell_fuzz: one small file a case, the first byte names the reader (see src/types/cell_fuzz.c)."""
import pathlib
import struct

FOLDER = pathlib.Path(__file__).parent / "corpus" / "cell_fuzz"
TYPES = ["byte", "short", "integer", "long", "float", "double", "decimal", "decimal38", "string", "binary", "boolean",
         "date", "timestamp", "timestamp_ntz", "void", "decimal_fraction"]
WAS_FLOAT = 128

NUMBERS = ["0", "-0.0", "1", "9007199254740993", "9223372036854775808", "0.1", "1e-400", "-1.7976931348623159e308",
           "2.4703282292062328e-324", "1.00000017881393432617187500000000001", "1e99999999999999999999", ".5", "5.",
           "99999999999999999999999999999999999999", "-1.50E-3", "123456789012345678901234567890e-50", "1" + "0" * 900,
           "0." + "0" * 400 + "123456789", "9" * 800 + "." + "9" * 100, "1e", "--1"]
TIMES = ["2024-01-03T04:05:06.000007Z", "2024-1-3 4:5", "2024", "2024-05", "+12345-06-07T08:09:10.111+05:30",
         "-0044-03-15", "2021-11-07 01:30:00 America/New_York", "2016-12-31T23:59:60.9999999-18:00",
         "+999999-12-31T23:59:59Z", "1500-02-29", "2024-01-03T04:05:06 PST", "2024-01-03 04:05+123"]
RULES = ["EST5EDT,M3.2.0,M11.1.0", "<-03>3", "EST5EDT,0/0,J365/25", "AAA24BBB-24,J1/-167,J365/167:59:59",
         "IST-1GMT0,M10.5.0,M3.5.0/1", "AAA0BBB,59,60", "UTC0"]
ZONES = ["UTC", "+05:30", "Europe/Rome", "pst", "GMT-3", "../etc/passwd", "Europe//Rome", "right/UTC", "Pacific/Apia"]
TOKENS = {
    "byte": ["127", "128"], "short": ["-32768"], "integer": ["2147483647", "5.0", "1e3"],
    "long": ["-9223372036854775808", "9007199254740993"], "float": ["0.1", "1e39", "3.4028235E38"],
    "double": ["1.1", "-0.0", "1e400"], "decimal": ["123.45", "1.005", "0.30000000000000004", "1e18"],
    "decimal38": ["12345678901234567890.12", "0." + "1" * 60, "1e40"], "decimal_fraction": ["1e-60", "-1e-38"],
    "boolean": ["true", "false", "1"],
}
TEXTS = {
    "double": ["NaN", "Infinity", "-Infinity", "nan"], "float": ["NaN"],
    "string": ["", "M", "a" * 32, "a" * 32 + "\x7f", "ab\ufffdz", "\U0010ffff" * 9, "\u00fc" * 16],
    "date": ["2024-01-03", "1582-10-14", "-4000-03-01", "1500-02-29"],
    "timestamp": ["2024-05-01T10:00:04.000Z", "1969-12-31T23:59:59.999Z", "1890-05-01T10:00:00.000+00:19",
                  "2024-05-01", "+300000-01-01T00:00:00Z", "1500-06-01T00:00:00"],
    "timestamp_ntz": ["2024-06-19", "2024-06-19T12:00:00+02:00", "2024-05-01 10:00:04.1234567"],
}
PARTITIONS = {
    "integer": ["07", "+7", "", "__HIVE_DEFAULT_PARTITION__", "x"], "double": ["1.0E10", "-0", "inf", "nan"],
    "decimal": ["4E-1", "1.005"], "boolean": ["TRUE", "false"], "date": ["2020-1-5", "1500-06-01", "0001-01-01"],
    "timestamp": ["2021-11-07 01:30:00", "2022-12-05 18:30:00 Asia/Tokyo", "2024-06-15T14:30:00+05:00"],
    "timestamp_ntz": ["2021-11-18T02:30:00+02:00", "1500-06-01 12:00:00"], "string": ["a b"],
    "binary": ["\\u0000\\u00FF", "\u00fc", "hello", "\u20ac", "\u00fc\\u0041", "\ufffd"],
}
LEAVES = [  # type, pq_type, pq_logical, scale, bytes
    ("long", 1, 7, 0, struct.pack("<i", -5)), ("long", 2, 0, 0, struct.pack("<q", -2**63)),
    ("decimal", 7, 2, 2, b"\xff\x85"), ("decimal38", 6, 2, 18, b"\x00" * 17 + b"\x01"),
    ("timestamp", 128 + 2, 5, 0, struct.pack("<q", 1704254706000000)),
    ("timestamp", 3, 0, 0, struct.pack("<qi", 1000001000, 2440589)), ("timestamp_ntz", 1, 3, 0, struct.pack("<i", 19725)),
    ("timestamp", 128 + 2, 4, 0, struct.pack("<q", 2**63 - 1)), ("timestamp", 128 + 2, 6, 0, struct.pack("<q", -1)),
    ("double", 4, 0, 0, struct.pack("<f", 1.1)), ("double", 5, 0, 0, struct.pack("<d", 1.1)),
    ("float", 5, 0, 0, struct.pack("<d", float("nan"))), ("string", 6, 1, 0, b"ab\xf0\x9f\x8c"),
    ("boolean", 0, 0, 0, b"\x01"), ("date", 1, 3, 0, struct.pack("<i", -141428)),
]


def tzif_block(version, times, size):
    head = b"TZif" + version + bytes(15) + struct.pack(">6I", 0, 0, 0, len(times), 2, 8)
    body = b"".join(struct.pack(">q" if size == 8 else ">i", t) for t in times) + bytes(i % 2 for i in range(len(times)))
    return head + body + struct.pack(">iBBiBB", 3600, 0, 0, 7200, 1, 4) + b"CET\0CEST"[:8]


def tzif_files():
    times = [-1000000000, 0, 1000, 1700000000]
    yield tzif_block(b"\0", times, 4)
    for footer in (b"\nCET-1CEST,M3.5.0,M10.5.0/3\n", b"\n\n", b"\nEST5EDT,0/0,J365/25\n"):
        yield tzif_block(b"2", times, 4) + tzif_block(b"2", times, 8) + footer
    yield tzif_block(b"3", [], 4) + tzif_block(b"3", [], 8) + b"\n<-03>3\n"


def cases():
    for mode, texts in (("n", NUMBERS), ("t", TIMES), ("r", RULES), ("z", ZONES)):
        for i, text in enumerate(texts):
            yield f"{mode}_{i:02}", mode.encode() + text.encode()
    for mode, marks, table in (("j", b"\0", TOKENS), ("j", b"\1", TEXTS), ("p", b"", PARTITIONS)):
        for name, texts in table.items():
            for i, text in enumerate(texts):
                kind = "text" if marks == b"\1" else "token" if mode == "j" else "partition"
                yield f"{kind}_{name}_{i}", mode.encode() + bytes([TYPES.index(name)]) + marks + text.encode()
    yield "token_was_float", b"j" + bytes([WAS_FLOAT + TYPES.index("double")]) + b"\x001.1"
    yield "partition_was_float", b"p" + bytes([WAS_FLOAT + TYPES.index("double")]) + b"1.1"
    for i, (name, physical, logical, scale, data) in enumerate(LEAVES):
        yield f"leaf_{i:02}", b"l" + bytes([TYPES.index(name), physical, logical, scale]) + data
    for i, data in enumerate(tzif_files()):
        yield f"tzif_{i}", b"b" + data


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, data in cases():
        (FOLDER / name).write_bytes(data)


if __name__ == "__main__":
    main()
