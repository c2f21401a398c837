#!/usr/bin/env python3
"""make_taxi.py - writes the example table `taxi`: a Delta table of invented taxi trips, written by delta-rs.

    python3 -m venv .venv && .venv/bin/pip install -r examples/requirements.txt
    .venv/bin/python examples/make_taxi.py [TARGET]          (default: examples/taxi; its log and data are replaced)

Called by: people. tests/data/check_taxi.py checks the result.  Must not know: lakeproof.

Five days of four files each. The files of one day hold bands of `trip_distance` that hardly overlap, so a condition on
the distance drops files inside a day. Every other column is left as it falls: each file sees most zones, and each has a
short trip with a large flat fare, so conditions on zones and fares drop little. The rows come from a fixed seed and are
the same on every run. File names and times are the writer's and differ.
"""
import datetime
import pathlib
import random
import shutil
import sys

import pyarrow as pa
from deltalake import write_deltalake

SEED = 20240103
ROWS_IN_FILE = 24

# First and last distance (miles) of the four bands of each day. What the documentation walks through rests on these
# facts: on the third day two bands reach beyond 5 miles and one beyond 8; over all days seven bands reach beyond 8;
# outside the third day two bands reach beyond 30.
BANDS = {
    "2024-01-01": [(0.30, 1.21), (1.22, 2.75), (2.80, 9.15), (9.20, 34.62)],
    "2024-01-02": [(0.41, 1.08), (1.10, 2.02), (2.05, 6.48), (6.50, 21.77)],
    "2024-01-03": [(0.25, 1.35), (1.36, 2.90), (2.94, 7.60), (7.66, 19.84)],
    "2024-01-04": [(0.50, 1.17), (1.20, 2.36), (2.40, 8.55), (8.61, 31.50)],
    "2024-01-05": [(0.38, 1.02), (1.05, 1.88), (1.90, 4.79), (4.85, 18.93)],
}

SCHEMA = pa.schema([
    ("pickup_time", pa.timestamp("us", tz="UTC")),
    ("dropoff_time", pa.timestamp("us", tz="UTC")),
    ("passenger_count", pa.int64()),
    ("trip_distance", pa.float64()),
    ("PULocationID", pa.int32()),
    ("DOLocationID", pa.int32()),
    ("payment_type", pa.int32()),
    ("fare_amount", pa.float64()),
    ("tip_amount", pa.float64()),
    ("total_amount", pa.float64()),
    ("pickup_date", pa.string()),
])


class Draw:
    """Random choices built on random() alone, whose sequence Python guarantees for a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed).random

    def between(self, low, high):
        return low + (high - low) * self.random()

    def integer(self, low, high):
        return low + int((high - low + 1) * self.random())


def zone(draw, row):
    """A pick-up or drop-off zone, 1 to 265. The first two rows of a file pin a wide range round the airport zone 132."""
    return (draw.integer(1, 60), draw.integer(200, 265))[row] if row < 2 else draw.integer(1, 265)


def distance(draw, row, band):
    low, high = band
    if row == 0:
        return low
    if row == ROWS_IN_FILE - 1:
        return high
    return round(draw.between(low, high), 2)


def fare(draw, row, miles):
    """A metered fare; each file also has one agreed flat fare and one refund."""
    if row == 3:
        return round(draw.between(52.0, 75.0), 1)
    metered = round(3.0 + 2.6 * miles + draw.between(0.0, 4.0), 1)
    return -metered if row == 7 else metered


def trip(draw, row, day, band):
    miles = distance(draw, row, band)
    amount = fare(draw, row, miles)
    paid_by_card = draw.random() < 0.75 and amount > 0
    tip = round(amount * draw.between(0.1, 0.3), 2) if paid_by_card else 0.0
    start = datetime.datetime.fromisoformat(day).replace(tzinfo=datetime.timezone.utc) \
        + datetime.timedelta(seconds=draw.integer(0, 86399))
    seconds = int(180 + miles * draw.between(150, 320))
    return {
        "pickup_time": start,
        "dropoff_time": start + datetime.timedelta(seconds=seconds),
        "passenger_count": None if draw.random() < 0.06 else draw.integer(1, 5),
        "trip_distance": miles,
        "PULocationID": zone(draw, row),
        "DOLocationID": zone(draw, row),
        "payment_type": 1 if paid_by_card else draw.integer(2, 4),
        "fare_amount": amount,
        "tip_amount": tip,
        "total_amount": round(amount + tip + (1.5 if amount > 0 else -1.5), 2),
        "pickup_date": day,
    }


def band_rows(draw, number):
    """The rows of one commit: one band of each day. delta-rs writes one file for each partition value."""
    return [trip(draw, row, day, bands[number]) for day, bands in BANDS.items() for row in range(ROWS_IN_FILE)]


def main():
    target = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent / "taxi"
    for old in [target / "_delta_log", *target.glob("pickup_date=*")]:
        shutil.rmtree(old, ignore_errors=True)
    draw = Draw(SEED)
    for number in range(4):
        table = pa.Table.from_pylist(band_rows(draw, number), schema=SCHEMA)
        write_deltalake(str(target), table, mode="append", partition_by=["pickup_date"])


if __name__ == "__main__":
    main()
