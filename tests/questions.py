"""questions.py - ask snapshot_dump about many tables and versions in one process.

Called by: the Python suites under tests/.  Must not know: what the answers should be.
"""
import json
import subprocess
import threading


class Reader:
    """snapshot_dump --questions; started again after a crash."""

    def __init__(self, dump, *options, timeout_s=None):
        self.command, self.process, self.timeout_s = [dump, *options, "--questions"], None, timeout_s
        self.answered = self.refused = 0

    def ask(self, table, version=None):
        """(object, list of files), or (None, text of the error), or (False, what went wrong)."""
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
        lines = []
        while True:
            line = self.process.stdout.readline()
            if line == b"\n":
                break
            if not line:
                return self.crashed()
            lines.append(line)
        first, *files = json.loads(b"[" + b",".join(lines) + b"]")
        if "error" in first:
            self.refused += 1
            return None, first["error"]
        self.answered += 1
        return first, files

    def crashed(self):
        error = self.process.communicate()[1].decode(errors="replace")
        code, self.process = self.process.returncode, None
        return False, f"{'hang' if self.timeout_s and code == -9 else 'crash'} (exit {code}): {error[-2000:]}"
