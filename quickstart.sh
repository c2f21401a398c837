#!/bin/sh
# quickstart.sh - from a fresh clone to a first report: installs what is missing, builds the program, explains a filter on the
# bundled taxi table. The last lines are the report.
set -eu
cd "$(dirname "$0")"
. scripts/packages.sh

need_build_packages
echo "building build/release/lakeproof"
cmake --preset release -DLAKEPROOF_TESTS=OFF >/dev/null
cmake --build --preset release --target lakeproof_command >/dev/null

echo "A table of five days, four files each. Which files does this filter read?"
echo
echo "lakeproof prune examples/taxi --where \"NOT (pickup_date != '2024-01-03' OR trip_distance <= 5)\""
echo
exec build/release/lakeproof prune examples/taxi --where "NOT (pickup_date != '2024-01-03' OR trip_distance <= 5)"
