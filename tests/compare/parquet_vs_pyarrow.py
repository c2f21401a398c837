#!/usr/bin/env python3
"""Hold what the parquet room reads against pyarrow, entry by entry.

usage: parquet_vs_pyarrow.py [--build DIR] [--shared DIR] [--all] [--no-rewrites] [--mutate N] [FILE...]

Takes every checkpoint and sidecar below DIR/fixtures (with --all every Parquet file), reads it with `pq_dump values` and
with pyarrow, and compares repetition level, definition level and value of every leaf in every row group. The levels of
pyarrow's side are made here from its nested arrays, so both the decoding and the nesting are checked. Then pyarrow
rewrites each file with other page versions, codecs, encodings, page sizes and row group sizes, and those are compared,
too. With --mutate, `pq_fuzz` runs over N damaged forms of each file.

Last line: "N passed, N failed, N skipped". Exit 1 if anything failed. Skips, saying so, without pyarrow or files.
"""
import argparse
import glob
import json
import os
import struct
import subprocess
import sys
import tempfile

try:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from parquet_shred import expected_lines
except ImportError:
    pa = None

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
INT96, BYTE_ARRAY = 3, 6
LOGICAL_DECIMAL = 2
DAY_NANOS = 86_400_000_000_000
JULIAN_1970 = 2_440_588


# ---- our side ----

def read_schema(tools, path):
    done = subprocess.run([tools["pq_dump"], "schema", path], capture_output=True)
    if done.returncode:
        raise ValueError("schema: " + done.stderr.decode(errors="replace").strip())
    return json.loads(done.stdout)


def read_lines(tools, path, rows):
    done = subprocess.run([tools["pq_dump"], "values", path, str(rows)], capture_output=True)
    if done.returncode:
        raise ValueError("values: " + done.stderr.decode(errors="replace").strip())
    found = {}
    lines = None
    for line in done.stdout.decode("ascii").splitlines():
        if line.startswith("leaf "):
            _, leaf, _, group = line.split()
            lines = found[int(group), int(leaf)] = []
        else:
            lines.append(line)
    return found


def leaf_nodes(node):
    if "children" not in node:
        return [node]
    return [leaf for child in node["children"] for leaf in leaf_nodes(child)]


def as_arrow_prints(leaf, line):
    """INT96 as nanoseconds (modulo 2^64, as pyarrow makes them), decimals in byte arrays of free length as integers."""
    rep, level, text = line.split(" ")
    if text == "-":
        return line
    if leaf["type"] == INT96:
        nanos, day = struct.unpack("<qi", bytes.fromhex(text))
        value = ((day - JULIAN_1970) * DAY_NANOS + nanos) % (1 << 64)
        text = str(value - (1 << 64) if value >= 1 << 63 else value)
    if leaf["type"] == BYTE_ARRAY and leaf["logical"] == LOGICAL_DECIMAL:
        text = str(int.from_bytes(bytes.fromhex(text), "big", signed=True))
    return "%s %s %s" % (rep, level, text)


def compare(tools, path, table, rows):
    """None, or the first difference."""
    schema = read_schema(tools, path)
    if schema["rows"] != table.num_rows:
        return "%d rows, pyarrow has %d" % (schema["rows"], table.num_rows)
    found = read_lines(tools, path, rows)
    leaves = leaf_nodes(schema["root"]) if schema["root"].get("children") else []
    for group, expected in enumerate(expected_lines(table, schema)):
        for leaf in leaves:
            lines = [as_arrow_prints(leaf, line) for line in found[group, leaf["leaf"]]]
            if lines == expected[leaf["leaf"]]:
                continue
            for at, (ours, theirs) in enumerate(zip(lines, expected[leaf["leaf"]])):
                if ours != theirs:
                    return "leaf %d (%s) group %d entry %d: ours %s, pyarrow %s" % (leaf["leaf"], leaf["name"], group, at, ours[:200], theirs[:200])
            return "leaf %d (%s) group %d: %d entries, pyarrow %d" % (leaf["leaf"], leaf["name"], group, len(lines), len(expected[leaf["leaf"]]))
    return None


# ---- rewrites ----

TINY = dict(data_page_size=64, write_batch_size=4)
PLAIN = dict(use_dictionary=False)
DELTA = {"INT32": "DELTA_BINARY_PACKED", "INT64": "DELTA_BINARY_PACKED", "BYTE_ARRAY": "DELTA_BYTE_ARRAY", "BOOLEAN": "RLE",
         "FIXED_LEN_BYTE_ARRAY": "DELTA_BYTE_ARRAY", "FLOAT": "BYTE_STREAM_SPLIT", "DOUBLE": "BYTE_STREAM_SPLIT"}
SPLIT = {"INT32": "BYTE_STREAM_SPLIT", "INT64": "BYTE_STREAM_SPLIT", "BYTE_ARRAY": "DELTA_LENGTH_BYTE_ARRAY",
         "FIXED_LEN_BYTE_ARRAY": "BYTE_STREAM_SPLIT", "FLOAT": "BYTE_STREAM_SPLIT", "DOUBLE": "BYTE_STREAM_SPLIT"}
REWRITES = [ # name, options, encodings by physical type
    ("v2 zstd", dict(data_page_version="2.0", compression="zstd"), None),
    ("v2 gzip plain", dict(data_page_version="2.0", compression="gzip", **PLAIN), None),
    ("v1 lz4 tiny pages", dict(compression="lz4", write_page_checksum=True, **TINY), None),
    ("v1 brotli tiny pages plain", dict(compression="brotli", **TINY, **PLAIN), None),
    ("v2 snappy tiny row groups", dict(data_page_version="2.0", compression="snappy", row_group_size=5), None),
    ("v1 uncompressed tiny pages and row groups", dict(compression="none", row_group_size=7, **TINY), None),
    ("v1 snappy checksums int96", dict(compression="snappy", write_page_checksum=True, use_deprecated_int96_timestamps=True), None),
    ("v2 uncompressed delta", dict(data_page_version="2.0", compression="none", **PLAIN), DELTA),
    ("v1 zstd delta tiny pages", dict(compression="zstd", **TINY, **PLAIN), DELTA),
    ("v2 snappy split tiny pages checksums", dict(data_page_version="2.0", compression="snappy", write_page_checksum=True, **TINY, **PLAIN), SPLIT),
    ("v1 gzip split", dict(compression="gzip", row_group_size=11, **PLAIN), SPLIT),
]


def rewrite(table, path, options, encodings):
    if encodings is None:
        return pq.write_table(table, path, **options)
    pq.write_table(table, path)
    schema = pq.ParquetFile(path).schema
    leaves = [schema.column(i) for i in range(len(schema))]
    by_path = {leaf.path: encodings[leaf.physical_type] for leaf in leaves if leaf.physical_type in encodings}
    pq.write_table(table, path, column_encoding=by_path, **options)


# ---- the run ----

class Tally:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def check(self, name, problem):
        if problem is None:
            self.passed += 1
        else:
            self.failed += 1
            print("FAIL %s: %s" % (name, problem))

    def skip(self, name, why):
        self.skipped += 1
        print("skip %s: %s" % (name, why))

    def finish(self):
        print("%d passed, %d failed, %d skipped" % (self.passed, self.failed, self.skipped))
        return 1 if self.failed else 0


def attempt(tools, path, table, rows):
    try:
        return compare(tools, path, table, rows)
    except (ValueError, KeyError, IndexError, AttributeError, TypeError) as problem:
        return repr(problem)


def read_with_pyarrow(path):
    """Exactly the columns of the file: no partitions from its folder, no dictionaries, its own timestamp units."""
    return pq.ParquetFile(path).read()


def run_file(tools, path, rewrites, folder, tally):
    try:
        table = read_with_pyarrow(path)
    except (pa.ArrowException, OSError) as problem:
        return tally.skip(path, "pyarrow cannot read it: %s" % str(problem)[:150])
    tally.check(path, attempt(tools, path, table, 1000))
    for name, options, encodings in rewrites:
        copy = os.path.join(folder, "rewritten.parquet")
        label = "%s [%s]" % (path, name)
        try:
            rewrite(table, copy, options, encodings)
        except (pa.ArrowException, OSError) as problem:
            tally.skip(label, "pyarrow cannot write it: %s" % str(problem)[:150])
            continue
        tally.check(label, attempt(tools, copy, read_again(copy, table), 3))


def read_again(copy, table):
    """pyarrow cannot read all that it writes (structs of only nulls in tiny delta pages); it wrote `table`, though."""
    try:
        return read_with_pyarrow(copy)
    except (pa.ArrowException, OSError):
        return table


def find_tools(build):
    folders = [build] if build else sorted(glob.glob(os.path.join(ROOT, "build", "*")))
    for folder in folders:
        found = {name: os.path.join(folder, "tests", name) for name in ("pq_dump", "pq_fuzz")}
        if os.access(found["pq_dump"], os.X_OK):
            return found
    sys.exit("no pq_dump below build/: build the tests first, or name a build folder with --build")


def find_files(shared, everything):
    found = glob.glob(os.path.join(shared, "fixtures", "**", "*.parquet"), recursive=True)
    return sorted(f for f in found if os.path.isfile(f) and (everything or "/_delta_log/" in f))


def run_mutants(tools, files, count, tally):
    if not os.access(tools["pq_fuzz"], os.X_OK):
        return tally.skip("mutants", "no pq_fuzz in the build folder")
    done = subprocess.run([tools["pq_fuzz"], "--mutate", str(count), "7", *files], capture_output=True, timeout=3600)
    print(done.stdout.decode(errors="replace").strip())
    tally.check("%d mutants of each of %d files" % (count, len(files)), None if done.returncode == 0 else done.stderr.decode(errors="replace")[-2000:])


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--build")
    parser.add_argument("--shared", default=os.path.join(ROOT, "..", "shared"))
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--no-rewrites", action="store_true")
    parser.add_argument("--mutate", type=int, default=0)
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    tally = Tally()
    if pa is None:
        tally.skip("all", "pyarrow is not installed")
        return tally.finish()
    tools = find_tools(options.build)
    files = options.files or find_files(options.shared, options.all)
    if not files:
        tally.skip("all", "no files below %s" % options.shared)
        return tally.finish()
    rewrites = [] if options.no_rewrites else REWRITES
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            run_file(tools, path, rewrites, folder, tally)
    if options.mutate:
        run_mutants(tools, files, options.mutate, tally)
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
