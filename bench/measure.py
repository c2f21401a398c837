"""measure.py - runs a command several times and keeps its cheapest run.

Called by: the benchmarks of this folder.  Must not know: what the commands do.
"""
import atexit
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="lakeproof-bench-"))
atexit.register(shutil.rmtree, FOLDER, True)


def compile_c(name, libraries=()):
    """The program made from NAME.c of this folder; it is gone when the benchmark ends."""
    source, program = pathlib.Path(__file__).with_name(name + ".c"), FOLDER / name
    subprocess.run([os.environ.get("CC", "cc"), "-O3", "-o", program, source, *libraries], check=True)
    return str(program)


LAUNCH = compile_c("launch")


class Run:
    """What one process cost: seconds on the processor (user and system), seconds on the clock, peak memory, its output."""

    def __init__(self, figures, output):
        self.cpu_s, self.wall_s = float(figures[0]), float(figures[1])
        self.peak_bytes, self.exit_code = int(figures[2]), int(figures[3])
        self.output = output

    def figures(self):
        return {"cpu_s": round(self.cpu_s, 4), "wall_s": round(self.wall_s, 4),
                "peak_mb": round(self.peak_bytes / 1e6, 1)}


def run_once(argv):
    """Run a command to its end. Output goes to a file, so that no pipe slows the command down. A command that fails
    ends the benchmark: the cost of a failure is no figure."""
    figures, output = FOLDER / "figures", FOLDER / "output"
    with open(output, "wb") as out:
        subprocess.run([LAUNCH, figures, *argv], stdout=out, check=True)
    run = Run(figures.read_text(encoding="ascii").split(), output.read_bytes())
    if run.exit_code != 0:
        sys.exit(f"{shlex.join(argv)}: exit {run.exit_code}")
    return run


def best_of(runs, command, arguments):
    """The run with the least processor time, its clock time and memory replaced by the least of all runs."""
    done = [run_once(shlex.split(command) + arguments) for _ in range(runs)]
    best = min(done, key=lambda run: run.cpu_s)
    best.wall_s = min(run.wall_s for run in done)
    best.peak_bytes = min(run.peak_bytes for run in done)
    return best
