#!/usr/bin/env python3
"""Run golden tests: text in, text out. tests/golden/README.md describes the files.

usage: run_golden.py [--stage BINARY] [--rewrite] [PATH ...]

PATH is a golden file or a folder of them; without one all of tests/golden run. Differences are printed as file:line;
the last line is `N passed, N failed, N skipped`. Exit code 1 if a case failed.
"""
import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SEPARATOR = "----"


class Block:
    """One directive with its input and expected output. Line numbers count from 1."""

    def __init__(self, directive, line):
        self.directive, self.line = directive, line
        self.input, self.expected = [], []
        self.expected_from = self.expected_to = 0  # half-open range of line indexes, separators of a fence included
        self.has_separator = False


class FormatError(Exception):
    pass


def parse_expected(lines, at, block):
    """Take the expected output that starts at `at`; return the index behind it."""
    block.expected_from = at
    if at < len(lines) and lines[at] == SEPARATOR:  # fenced: up to two separators in a row
        at += 1
        while lines[at : at + 2] != [SEPARATOR, SEPARATOR]:
            if at >= len(lines):
                raise FormatError(f"{block.line}: a fenced output ends with two lines {SEPARATOR}")
            block.expected.append(lines[at])
            at += 1
        at += 2
    else:
        while at < len(lines) and lines[at] != "":
            block.expected.append(lines[at])
            at += 1
    block.expected_to = at
    return at


def parse_file(text):
    lines = text.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    blocks, at = [], 0
    while at < len(lines):
        if lines[at] == "" or lines[at].startswith("#"):
            at += 1
            continue
        block = Block(lines[at], at + 1)
        at += 1
        while at < len(lines) and lines[at] != SEPARATOR:
            block.input.append(lines[at])
            at += 1
        if at >= len(lines):
            raise FormatError(f"{block.line}: no line {SEPARATOR} behind the input")
        at = parse_expected(lines, at + 1, block)
        blocks.append(block)
    return lines, blocks


def unescape(text):
    r"""\n, \t, \r, \\, \0 and \xHH as bytes; everything else as UTF-8."""
    names = {"n": b"\n", "t": b"\t", "r": b"\r", "\\": b"\\", "0": b"\0"}

    def byte(match):
        found = match.group(1).decode()
        return bytes([int(found[1:], 16)]) if found[0] == "x" else names[found]

    return re.sub(rb"\\(x[0-9a-fA-F]{2}|[ntr0\\])", byte, text.encode())


class Stage:
    """The stage command, started again when it died."""

    def __init__(self, binary):
        self.binary, self.process = binary, None

    def send(self, kind, args, data):
        if self.process is None:
            self.process = subprocess.Popen([self.binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        args = args.encode()
        try:
            self.process.stdin.write(b"%s %d %d\n%s%s" % (kind.encode(), len(args), len(data), args, data))
            self.process.stdin.flush()
            header = self.process.stdout.readline().split()
            if len(header) != 3:
                return None
            output = self.process.stdout.read(int(header[1]))
            fired = self.process.stdout.read(int(header[2]))
            return header[0].decode(), output, fired.decode().split()
        except (BrokenPipeError, OSError):
            return None

    def bury(self):
        """The exit code of a dead process."""
        self.process.stdin = None
        code = self.process.wait()
        self.process = None
        return code


class Run:
    def __init__(self, stage, rewrite):
        self.stage, self.rewrite = stage, rewrite
        self.passed = self.failed = self.skipped = 0

    def fail(self, path, line, text):
        self.failed += 1
        print(f"{path}:{line}: {text}")

    def arguments(self, block):
        return dict(word.partition("=")[::2] for word in block.directive.split()[1:])

    def ask(self, block, history):
        data = "\n".join(block.input)
        data = unescape(data) if "escaped" in self.arguments(block) else data.encode()
        reply = self.stage.send("case", block.directive, data)
        if reply is None:
            code = self.stage.bury()
            self.stage.send("file", "", b"")
            for directive, old in history:
                self.stage.send("case", directive, old)
            return None, f"the stage command died (exit code {code})"
        status, output, fired = reply
        if status == "unknown":
            return None, f"no such stage: {block.directive.split()[0]}"
        if output == b"" and not block.expected:  # a setup, to be told again to a new process
            history.append((block.directive, data))
        return (output, fired), None

    def check_fired(self, block, fired):
        arguments = self.arguments(block)
        wanted = [n for n in arguments.get("fires", "").split(",") if n and n not in fired]
        unwanted = [n for n in arguments.get("not-fires", "").split(",") if n in fired]
        told = f"; fired: {' '.join(fired) or 'nothing'}"
        if wanted:
            return f"did not fire: {' '.join(wanted)}{told}"
        return f"must not fire: {' '.join(unwanted)}{told}" if unwanted else None

    def run_block(self, path, block, history):
        """Returns the lines that are the truth now, or None for a failure that cannot be rewritten."""
        reason = self.arguments(block).get("skip")
        if reason is not None:
            self.skipped += 1
            print(f"{path}:{block.line}: skipped: {reason}")
            return None
        answer, problem = self.ask(block, history)
        if problem is None:
            problem = self.check_fired(block, answer[1])
        if problem is not None:
            self.fail(path, block.line, problem)
            return None
        found = answer[0].decode("utf-8", "backslashreplace").split("\n")
        if found[-1] == "":
            found.pop()
        if found == block.expected:
            self.passed += 1
        elif self.rewrite:
            self.passed += 1
            return found
        else:
            self.fail(path, block.line, block.directive)
            self.print_difference(block, found)
        return None

    @staticmethod
    def print_difference(block, found):
        for line in list(difflib.unified_diff(block.expected, found, "expected", "found", n=2, lineterm=""))[2:]:
            print(f"  {line}")

    def run_file(self, path):
        text = path.read_text(encoding="utf-8")
        try:
            lines, blocks = parse_file(text)
        except FormatError as error:
            print(f"{path}:{error}")
            self.failed += 1
            return
        self.stage.send("file", "", b"")
        history, changes = [], []
        for block in blocks:
            found = self.run_block(path, block, history)
            if found is not None:
                fenced = any(line in ("", SEPARATOR) for line in found)
                changes.append((block, [SEPARATOR, *found, SEPARATOR, SEPARATOR] if fenced else found))
        for block, new in reversed(changes):
            lines[block.expected_from : block.expected_to] = new
        if changes:
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            print(f"{path}: {len(changes)} rewritten")


def golden_files(paths):
    for path in paths or [HERE / "golden"]:
        path = pathlib.Path(path)
        if path.is_dir():
            yield from sorted(f for f in path.rglob("*") if f.is_file() and f.suffix != ".md")
        elif path.is_file():
            yield path
        else:
            sys.exit(f"no such file or folder: {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--stage", default=os.environ.get("LAKEPROOF_STAGE", str(HERE.parent / "build/dev/tests/stage")),
                        help="the stage command (default: build/dev/tests/stage)")
    parser.add_argument("--rewrite", action="store_true", help="write what was found into the files")
    parser.add_argument("paths", nargs="*", metavar="PATH")
    options = parser.parse_args()
    run = Run(Stage(options.stage), options.rewrite)
    for path in golden_files(options.paths):
        run.run_file(path)
    print(f"{run.passed} passed, {run.failed} failed, {run.skipped} skipped")
    return 1 if run.failed or run.passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
