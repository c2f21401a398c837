"""questions.py - ask about the snapshots of tables: many in one process, or by the command.

Called by: the Python suites under tests/.  Must not know: what the answers should be.
"""
import json
import subprocess
import threading


class Reader:
    """tests/tools/snapshot_many.c; started again after a crash."""

    def __init__(self, tool, timeout_s=None):
        self.command, self.process, self.timeout_s = [tool], None, timeout_s
        self.answered = self.refused = 0

    def ask(self, table, version=None):
        """(document, ""), or (None, text of the error), or (False, what went wrong)."""
        if self.process is None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.process.stdin.write(f"{'-' if version is None else version}\t{table}\n".encode())
        self.process.stdin.flush()
        watch = threading.Timer(self.timeout_s, self.process.kill) if self.timeout_s else None
        if watch:
            watch.start()
        try:
            return self.answer()
        finally:
            if watch:
                watch.cancel()

    def answer(self):
        head = self.process.stdout.readline()
        size = abs(int(head or b"0"))
        content = self.process.stdout.read(size)
        if not head or len(content) < size:
            return self.crashed()
        if head.startswith(b"-"):
            self.refused += 1
            return None, content.decode()
        self.answered += 1
        return json.loads(content), ""

    def crashed(self):
        error = self.process.communicate()[1].decode(errors="replace")
        code, self.process = self.process.returncode, None
        return False, f"{'hang' if self.timeout_s and code == -9 else 'crash'} (exit {code}): {error[-2000:]}"


class Command:
    """`lakeproof snapshot`, held to its word: exit code 0 and a document, or 1, no output and one line that says why."""

    def __init__(self, binary):
        self.command = [binary, "snapshot", "--files", "--format", "json"]
        self.answered = self.refused = 0

    def ask(self, table, version=None):
        at = [] if version is None else ["--at-version", str(version)]
        try:
            done = subprocess.run([*self.command, *at, "--", table], capture_output=True, timeout=60, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return False, "the command hangs"
        error = done.stderr.decode(errors="replace")
        if done.returncode == 1:
            self.refused += 1
            good = not done.stdout and error.startswith("error: ") and error.count("\n") == 1
            return (None, error[7:].rstrip()) if good else (False, f"exit 1 with {len(done.stdout)} bytes of output and the error {error[:500]!r}")
        if done.returncode != 0 or error:
            return False, f"exit {done.returncode}: {error[-2000:]}"
        self.answered += 1
        try:
            return json.loads(done.stdout), ""
        except ValueError:
            return False, f"half a document: {done.stdout[-200:]!r}"
