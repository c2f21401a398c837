"""suite.py - run functions as tests, count them, end with the line that every suite of this project ends with.

Called by: the Python suites under tests/.  Must not know: what they test.

A test is a function whose name starts with `test_`; it fails by raising, and is left out by raising Skip with a reason.
The last line is `N passed, N failed, N skipped`; test.sh adds these lines up.
"""
import sys
import traceback


class Skip(Exception):
    """This test cannot run here; the text says why."""


def run(namespace, only=None):
    """Run the tests of a module (its globals()) in the order of their definition and leave with 0 or 1."""
    tests = [(n, f) for n, f in namespace.items() if n.startswith("test_") and callable(f)]
    passed = failed = skipped = 0
    for name, test in tests:
        if only and only not in name:
            continue
        try:
            test()
            passed += 1
        except Skip as reason:
            skipped += 1
            print(f"SKIP {name}: {reason}")
        except Exception:  # a failure is whatever a test raises
            failed += 1
            print(f"FAIL {name}\n{traceback.format_exc()}")
    finish(passed, failed, skipped)


def finish(passed, failed, skipped):
    """Print the last line and leave."""
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.stdout.flush()
    sys.exit(1 if failed else 0)


def equal(found, expected, what=""):
    if found != expected:
        raise AssertionError(f"{str(what)[:1000]}: expected {repr(expected)[:1000]}, found {repr(found)[:1000]}")


def holds(condition, what):
    if not condition:
        raise AssertionError(str(what)[:3000])
