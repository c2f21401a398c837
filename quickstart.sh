#!/bin/sh
# quickstart.sh - from a fresh clone to first reports: installs what is missing, builds the program, checks the bundled dbt project,
# explains a filter on the bundled taxi table. The last lines are the second report.
set -eu
cd "$(dirname "$0")"
. scripts/packages.sh

need_build_packages
echo "building build/release/lakeproof"
mkdir -p build
{ cmake --preset release -DLAKEPROOF_TESTS=OFF && cmake --build --preset release --target lakeproof_command; } \
  >build/quickstart.log 2>&1 || { tail -n 30 build/quickstart.log >&2; exit 1; }

echo "A dbt project in which a fee is counted several times. Where, and why?"
echo
echo "lakeproof check examples/shop"
echo
build/release/lakeproof check examples/shop --fail-on never
echo
echo "A table of five days, four files each. Which files does this filter read?"
echo
echo "lakeproof prune examples/taxi --where \"NOT (pickup_date != '2024-01-03' OR trip_distance <= 5)\""
echo
exec build/release/lakeproof prune examples/taxi --where "NOT (pickup_date != '2024-01-03' OR trip_distance <= 5)"
