#!/usr/bin/env python3
"""check_package.py - what is installed can be used: by pkg-config, by find_package, from a Debian package.

Called by: test.sh, or by hand: check_package.py --build build/release.  Must not know: how the library works.
Works in a temporary folder only.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from suite import Skip, equal, holds, run  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--build", required=True)
parser.add_argument("--only")
options = parser.parse_args()
BUILD = pathlib.Path(options.build).resolve()
HERE = pathlib.Path(__file__).resolve().parent
SCRATCH = tempfile.TemporaryDirectory(prefix="lakeproof-package-")
ROOT = pathlib.Path(SCRATCH.name)
PREFIX = ROOT / "a prefix with spaces" / "usr"
NOTHING = str(ROOT / "nothere")


def command(*words, env=None, cwd=None):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=300, cwd=cwd,
                          env=dict(os.environ, **(env or {})))
    holds(done.returncode == 0, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def answers(program, env=None):
    """The consumer runs, and says what the library says of a table that is not there."""
    done = subprocess.run([program, NOTHING], capture_output=True, text=True, timeout=60, env=dict(os.environ, **(env or {})))
    equal(done.returncode, 1, done.stderr)
    holds(done.stdout.startswith("lakeproof 0.") and "nothere" in done.stdout, done.stdout)


def library_folder():
    return next(PREFIX.glob("lib*/**/pkgconfig")).parent


def test_install():
    command("cmake", "--install", BUILD, "--prefix", PREFIX)
    for wanted in ("bin/lakeproof", "include/lakeproof.h", "include/lakeproof_err.h", "share/man/man1/lakeproof.1",
                   "share/man/man1/lakeproof-prune.1", "share/man/man1/lakeproof-snapshot.1",
                   "share/man/man1/lakeproof-diff.1", "share/man/man1/lakeproof-why.1",
                   "share/bash-completion/completions/lakeproof",
                   "share/zsh/site-functions/_lakeproof", "share/fish/vendor_completions.d/lakeproof.fish",
                   "share/doc/lakeproof/LICENSE"):
        holds((PREFIX / wanted).is_file() and (PREFIX / wanted).stat().st_size, wanted)
    equal(command(PREFIX / "bin/lakeproof", "--version").split()[0], "lakeproof")


def test_the_name_of_the_original_is_not_taken_by_default():
    equal([str(p) for p in PREFIX.rglob("delta-explain*")], [])


def flags(*more):
    if not shutil.which("pkg-config"):
        raise Skip("no pkg-config")
    text = command("pkg-config", *more, "lakeproof", env={"PKG_CONFIG_PATH": str(library_folder() / "pkgconfig")})
    return [w.replace("\0", " ") for w in text.replace("\\ ", "\0").split()]


def test_pkg_config_shared():
    program = ROOT / "shared"
    command("cc", HERE / "consumer.c", "-o", program, *flags("--cflags", "--libs"))
    answers(program, {"LD_LIBRARY_PATH": str(library_folder())})


def test_pkg_config_static():
    program = ROOT / "static"
    words = [str(library_folder() / "liblakeproof.a") if w == "-llakeproof" else w for w in flags("--static", "--cflags", "--libs")]
    command("cc", HERE / "consumer.c", "-o", program, *words)
    answers(program)


def test_the_header_is_cxx_too():
    source = ROOT / "consumer.cpp"
    source.write_text((HERE / "consumer.c").read_text())
    command("c++", "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", f"-I{PREFIX / 'include'}", source)


def find_package(kind):
    build = ROOT / f"cmake-{kind or 'shared'}"
    command("cmake", "-G", "Ninja", "-S", HERE, "-B", build, f"-DCMAKE_PREFIX_PATH={PREFIX}", f"-DKIND={kind}")
    command("cmake", "--build", build)
    answers(build / "consumer")


def test_find_package_shared():
    find_package("")


def test_find_package_static():
    find_package("static")


def test_debian_packages():
    if not shutil.which("dpkg-deb") or not shutil.which("dpkg-shlibdeps"):
        raise Skip("no dpkg-dev")
    made = ROOT / "deb"
    command("cpack", "-G", "DEB", "--config", BUILD / "CPackConfig.cmake", "-B", made)
    packages = {p.name.split("_")[0]: p for p in made.glob("*.deb")}
    equal(sorted(packages), ["lakeproof", "liblakeproof-dev"])
    fields = command("dpkg-deb", "-f", packages["lakeproof"], "Depends", "Version")
    holds("libc6" in fields and "libzstd1" in fields, f"dependencies come from the binary: {fields}")
    target = ROOT / "root"
    for package in packages.values():
        command("dpkg-deb", "-x", package, target)
    equal(command(target / "usr/bin/lakeproof", "--version").split()[0], "lakeproof")
    holds((target / "usr/include/lakeproof.h").is_file(), "the header is in the development package")


run(globals(), options.only)
