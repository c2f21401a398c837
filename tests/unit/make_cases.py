#!/usr/bin/env python3
"""Write number_cases.h and zone_cases.h: random cases with answers from Python (float(), exact fractions, zoneinfo).

usage: make_cases.py [--count N] [--seed N] [--out FOLDER]
The committed files are what it writes without options. Zones need the system's zone database; the cases keep to zones and
years that its editions agree on.
"""
import argparse
import datetime
import math
import pathlib
import random
import struct
import zoneinfo
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 2000
ZONES = ["Europe/Rome", "Europe/London", "America/New_York", "America/Los_Angeles", "America/Sao_Paulo", "Asia/Kolkata",
         "Asia/Tokyo", "Australia/Sydney", "Australia/Lord_Howe", "America/St_Johns", "Pacific/Auckland", "Asia/Kathmandu"]
EPOCH = datetime.datetime(1970, 1, 1)
MICRO = datetime.timedelta(microseconds=1)


def double_bits(d):
    return struct.pack(">d", d).hex()


def float_bits(f):
    return struct.pack(">f", f).hex()


def nearest_float(x):
    """The float32 nearest to a Fraction, ties to even, as a Python float."""
    if x == 0:
        return 0.0
    size = abs(x)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** exponent > size:
        exponent -= 1
    unit = Fraction(2) ** max(exponent - 23, -149)
    steps = size / unit
    whole = steps.numerator // steps.denominator
    rest = steps - whole
    if rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2):
        whole += 1
    value = whole * unit
    rounded = math.inf if value >= Fraction(2) ** 128 else float(value)
    return -rounded if x < 0 else rounded


def random_double(r):
    while True:
        d = struct.unpack(">d", r.getrandbits(64).to_bytes(8, "big"))[0]
        if math.isfinite(d):
            return d


def random_float(r):
    while True:
        f = struct.unpack(">f", r.getrandbits(32).to_bytes(4, "big"))[0]
        if math.isfinite(f):
            return f


def halfway_text(r):
    """Right between two neighbours, or a little above."""
    low = abs(random_double(r)) if r.randrange(2) else r.getrandbits(60) / 7
    high = math.nextafter(low, math.inf)
    if math.isinf(high):
        return "1"
    middle = (Fraction(low) + Fraction(high)) / 2
    text = format(Decimal(middle.numerator) / Decimal(middle.denominator), "E")
    mantissa, exponent = text.split("E")
    return mantissa + r.choice(["", "0", "0000001"]) * ("." in mantissa) + "E" + exponent


def number_text(r):
    kind = r.randrange(7)
    if kind == 0:
        return repr(random_double(r))
    if kind == 1:
        return str(r.getrandbits(r.choice([8, 60, 64, 128])) - r.getrandbits(60))
    if kind == 2:
        return "%d.%d" % (r.getrandbits(r.choice([8, 32, 60])), r.getrandbits(r.choice([8, 32, 60, 150])))
    if kind == 3:
        return "%de%d" % (r.getrandbits(r.choice([8, 32, 64])), r.randrange(-340, 320))
    if kind == 4:
        text = halfway_text(r)
        return text if len(text) < 150 else "1"
    if kind == 5:
        return "%s%s%d.%s%d%s" % (r.choice(["-", "+", ""]), "0" * r.randrange(4), r.getrandbits(20), "0" * r.randrange(30),
                                  r.getrandbits(30), r.choice(["", "000", "e5", "E-10"]))
    return "%.*g" % (r.randrange(1, 25), random_double(r))


def random_value(r):
    """A value as text (i: int64, d: double bits, f: float bits, m: decimal) and what it is."""
    kind = r.randrange(4)
    if kind == 0:
        i = r.choice([r.getrandbits(64) - 2**63, 2**53 + r.randrange(-3, 3), r.randrange(-5, 5), 2**63 - 1, -(2**63)])
        return "i%d" % i, Fraction(i)
    if kind == 1:
        d = r.choice([random_double(r), float(r.randrange(-5, 5)), 2.0**53 + r.randrange(-3, 3), 2.0**63, -(2.0**63),
                      r.randrange(-500, 500) / 10, math.inf, -math.inf, math.nan, -0.0])
        return "d" + double_bits(d), d
    if kind == 2:
        f = r.choice([random_float(r), nearest_float(Fraction(r.randrange(-50, 50), 10))])
        return "f" + float_bits(f), f
    scale = r.randrange(39)
    unscaled = r.choice([r.randrange(-(10 ** r.randrange(1, 39)), 10 ** r.randrange(1, 39)),
                         r.randrange(-50, 50) * 10 ** max(0, scale - 1),
                         int(Fraction(r.randrange(-500, 500) / 10) * 10**scale)])
    if abs(unscaled) >= 10**38:
        unscaled = 5
    digits = str(abs(unscaled)).rjust(scale + 1, "0")
    point = len(digits) - scale
    return "m%s%s.%s" % ("-" if unscaled < 0 else "", digits[:point], digits[point:]), Fraction(unscaled, 10**scale)


def order_key(x):
    if isinstance(x, float) and not math.isfinite(x):
        return (2 if math.isnan(x) else 1 if x > 0 else -1, 0)
    return (0, Fraction(x))


def order(a, b):
    return (order_key(a) > order_key(b)) - (order_key(a) < order_key(b))


def write_numbers(r, count, out):
    for _ in range(count):
        text = number_text(r)
        exact = Fraction(text)
        as_float = nearest_float(exact) if exact else float(text)
        out.write('ROUND_CASE("%s", 0x%s, 0x%s)\n' % (text, double_bits(float(text)), float_bits(as_float)))
    for _ in range(count):
        (a, x), (b, y) = random_value(r), random_value(r)
        out.write('ORDER_CASE("%s", "%s", %d)\n' % (a, b, order(x, y)))
    for _ in range(count // 2):
        (a, x), text = random_value(r), number_text(r)
        if r.randrange(3) == 0 and order_key(x)[0] == 0: # the value itself, with all its digits
            text = format(Decimal(order_key(x)[1].numerator) / Decimal(order_key(x)[1].denominator), "E")
        if len(text) < 200:
            out.write('TEXT_ORDER_CASE("%s", "%s", %d)\n' % (a, text, order(x, Fraction(text))))


def offset_of(zone, instant):
    return instant.replace(tzinfo=datetime.timezone.utc).astimezone(zone).utcoffset() // datetime.timedelta(seconds=1)


def instants_of(zone, wall):
    """Offsets under which the wall clock shows `wall`; in a gap the one of before."""
    folds = [wall.replace(tzinfo=zone, fold=fold).utcoffset() // datetime.timedelta(seconds=1) for fold in (0, 1)]
    good = [o for o in folds if offset_of(zone, wall - datetime.timedelta(seconds=o)) == o] or folds[:1]
    at = sorted((wall - EPOCH) // MICRO - o * 10**6 for o in good)
    return at[0], at[-1]


def random_wall(r):
    if r.randrange(2):
        return EPOCH + datetime.timedelta(seconds=r.randrange(157766400, 1577836800), microseconds=r.randrange(10**6))
    return datetime.datetime(r.randrange(1980, 2020), r.choice([3, 4, 9, 10, 11]), r.randrange(1, 31), r.randrange(5),
                             r.randrange(60))


def write_zones(r, count, out):
    for i in range(count):
        name = ZONES[i % len(ZONES)]
        zone, wall = zoneinfo.ZoneInfo(name), random_wall(r)
        micros = (wall - EPOCH) // MICRO
        out.write('ZONE_CASE("%s", INT64_C(%d), %d, INT64_C(%d), INT64_C(%d))\n'
                  % (name, micros, offset_of(zone, wall), *instants_of(zone, wall)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=20240103)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).parent)
    options = parser.parse_args()
    for name, write in (("number_cases.h", write_numbers), ("zone_cases.h", write_zones)):
        with open(options.out / name, "w", encoding="ascii") as out:
            out.write("/* %s - written by make_cases.py, which says what the rows are. */\n/* clang-format off */\n" % name)
            write(random.Random(options.seed), options.count, out)


if __name__ == "__main__":
    main()
