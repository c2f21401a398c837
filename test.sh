#!/bin/bash
# test.sh - everything, from a fresh clone: installs what is missing, builds with gcc and clang, with and without sanitizers,
# runs every suite of tests/suites.ini. The last line is `N passed, N failed, N skipped`; the exit code is 0 only if none
# failed. A suite whose tool or data cannot be had is skipped, with the reason.
#
# test.sh NAME ...   only these suites, with what they need
set -u
cd "$(dirname "$0")" || exit 1
. scripts/packages.sh

need_test_packages || { echo "0 passed, 1 failed, 0 skipped"; exit 1; }

mkdir -p build
if command -v flock >/dev/null; then # two runs in one folder would build over each other
  exec 8>build/test.lock
  flock -n 8 || { echo "waiting for another run in this folder"; flock 8; }
fi

# The comparison suites want pinned Python packages. Without a network the folder stays without a stamp, and they are skipped.
stamp=.venv/requirements.txt
if ! cmp -s tests/requirements.txt "$stamp"; then
  echo "making .venv"
  rm -rf .venv
  mkdir -p build/logs
  { python3 -m venv .venv && .venv/bin/pip install -q --disable-pip-version-check -r tests/requirements.txt &&
    cp tests/requirements.txt "$stamp"; } >build/logs/venv.log 2>&1 || { echo "no .venv:"; tail -n 3 build/logs/venv.log; }
fi

exec python3 scripts/run_suites.py "$@"
