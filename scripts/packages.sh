# shellcheck shell=sh
# packages.sh - what must be installed to build and to test, and how to get it. Sourced, with the project as the folder.
# Called by: quickstart.sh, test.sh.  Must not know: what is built.
#
# Nothing is installed while everything is there. On Debian and Ubuntu what is missing comes from apt; elsewhere the names of
# the packages are printed, since nobody wants a script to run another package manager.

BUILD_COMMANDS="cmake ninja cc c++ pkg-config"
BUILD_MODULES="simdjson libzstd liblz4 libbrotlidec libdeflate"
BUILD_APT="cmake ninja-build gcc g++ libc6-dev pkg-config libsimdjson-dev libzstd-dev liblz4-dev libbrotli-dev libdeflate-dev"
BUILD_DNF="cmake ninja-build gcc gcc-c++ pkgconf-pkg-config simdjson-devel libzstd-devel lz4-devel brotli-devel libdeflate-devel"
BUILD_BREW="cmake ninja pkgconf simdjson zstd lz4 brotli libdeflate"

TEST_COMMANDS="git python3 clang clang++"
TEST_MODULES="cmocka snappy"
TEST_APT="git python3 python3-venv clang libcmocka-dev libsnappy-dev tzdata"
TEST_DNF="git python3 clang libcmocka-devel snappy-devel tzdata"
TEST_BREW="git python3 llvm cmocka snappy"

# missing COMMANDS MODULES: the ones that are not there, on one line.
missing() {
  for missing_command in $1; do
    command -v "$missing_command" >/dev/null 2>&1 || printf '%s ' "$missing_command"
  done
  for missing_module in $2; do
    pkg-config --exists "$missing_module" 2>/dev/null || printf '%s ' "$missing_module"
  done
}

apt_install() {
  as_root=
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || return 1
    as_root=sudo
  fi
  (
    # Two runs at once wait for each other; apt itself waits for other users of its database.
    if command -v flock >/dev/null 2>&1; then
      exec 9>"${TMPDIR:-/tmp}/lakeproof-apt.$(id -u).lock" && flock 9
    fi
    $as_root apt-get update -qq &&
      $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        -o DPkg::Lock::Timeout=600 "$@" >/dev/null
  )
}

# need COMMANDS MODULES APT DNF BREW: install what is missing, or say what to install and return 1.
need() {
  need_lacks=$(missing "$1" "$2")
  [ -n "$need_lacks" ] || return 0
  if command -v apt-get >/dev/null 2>&1; then
    echo "missing: $need_lacks- installing with apt"
    # shellcheck disable=SC2086 # a list of packages
    apt_install $3 || echo "apt-get could not install them; are you root, or is sudo there?" >&2
    need_lacks=$(missing "$1" "$2")
    [ -n "$need_lacks" ] || return 0
  fi
  {
    echo "missing: $need_lacks"
    echo "Install these packages and try again:"
    echo "  Debian, Ubuntu:  sudo apt-get install $3"
    echo "  Fedora:          sudo dnf install $4"
    echo "  macOS, Homebrew: brew install $5"
  } >&2
  return 1
}

need_build_packages() {
  need "$BUILD_COMMANDS" "$BUILD_MODULES" "$BUILD_APT" "$BUILD_DNF" "$BUILD_BREW"
}

need_test_packages() {
  need "$BUILD_COMMANDS $TEST_COMMANDS" "$BUILD_MODULES $TEST_MODULES" "$BUILD_APT $TEST_APT" "$BUILD_DNF $TEST_DNF" \
    "$BUILD_BREW $TEST_BREW"
}
