#!/bin/bash
# tidy.sh - clang-tidy over the sources, with the checks of .clang-tidy. Arguments: files, or nothing for all of src.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v clang-tidy >/dev/null || { echo "clang-tidy is not installed (Debian: clang-tidy)" >&2; exit 1; }
cmake --preset clang >/dev/null # the commands of every source that is there now
if [ $# -eq 0 ]; then
  set -- $(git ls-files 'src/*.c' 'src/*.cpp' | grep -v '_fuzz\.c$')
fi
printf '%s\n' "$@" | xargs -P "$(nproc)" -n 4 clang-tidy --quiet -p build/clang 2>&1 |
  sed '/ warnings\{0,1\} generated\.$/d'
