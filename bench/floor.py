#!/usr/bin/env python3
"""floor.py - measures the floor for a checkpoint: read its statistics text, decompress it, pass over it once.

    floor.py TABLE [--runs N]

Called by: people.  Must not know: lakeproof.

Packs the column `add.stats` of the table's checkpoint into snappy blocks of 1 MB, as the pages of the checkpoint hold
it, and measures floor.c on them. Prints one JSON line. Compare with prune_vs_peer.py on the same table and machine.
"""
import argparse
import json
import pathlib
import struct

import pyarrow as pa
import pyarrow.parquet as pq

import measure

BLOCK = 1 << 20


def write_blocks(checkpoint, target):
    """The bytes of every statistics text, one after the other, in snappy blocks of BLOCK bytes."""
    codec, waiting = pa.Codec("snappy"), bytearray()

    def flush(out, at_least):
        while len(waiting) >= at_least and waiting:
            block = bytes(waiting[:BLOCK])
            del waiting[:BLOCK]
            packed = codec.compress(block, asbytes=True)
            out.write(struct.pack("=II", len(packed), len(block)) + packed)

    with open(target, "wb") as out:
        for batch in pq.ParquetFile(checkpoint).iter_batches(batch_size=10_000, columns=["add.stats"]):
            texts = batch.column(0).field("stats").drop_null()
            waiting += "".join(texts.to_pylist()).encode("utf-8")
            flush(out, BLOCK)
        flush(out, 1)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("table", type=pathlib.Path)
    options.add_argument("--runs", type=int, default=5)
    given = options.parse_args()
    checkpoint = sorted((given.table / "_delta_log").glob("*.checkpoint.parquet"))[-1]
    blocks = measure.FOLDER / "blocks"
    write_blocks(checkpoint, blocks)
    best = measure.best_of(given.runs, measure.compile_c("floor", ["-lsnappy"]), [str(blocks)])
    print(json.dumps({"bench": "floor", "table": str(given.table), "text_bytes": int(best.output.split()[0]),
                      "packed_bytes": blocks.stat().st_size, "floor": best.figures()}))


if __name__ == "__main__":
    main()
