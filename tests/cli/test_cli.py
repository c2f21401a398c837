#!/usr/bin/env python3
"""test_cli.py - the command line of the real binary: arguments, streams, exit codes, completions, manual pages.

Called by: ctest, or by hand: test_cli.py --binary build/dev/lakeproof [--only NAME].  Must not know: how the library
decides which files are kept; the tables here are so small that the answers are plain.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from suite import Skip, equal, holds, run  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--binary", required=True)
parser.add_argument("--only")
options = parser.parse_args()
BINARY = os.path.abspath(options.binary)
SCRATCH = tempfile.TemporaryDirectory(prefix="lakeproof-cli-")
ROOT = pathlib.Path(SCRATCH.name)
ENVIRONMENT = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "POSIXLY_CORRECT")}

# ---------------------------------------------------------------- tables


def write_table(name, files):
    """A table partitioned by country, one file a row of (country, least age, greatest age or None for no statistics)."""
    schema = {"type": "struct", "fields": [
        {"name": "country", "type": "string", "nullable": True, "metadata": {}},
        {"name": "age", "type": "integer", "nullable": True, "metadata": {}}]}
    actions = [
        {"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}},
        {"metaData": {"id": "a", "format": {"provider": "parquet", "options": {}}, "schemaString": json.dumps(schema),
                      "partitionColumns": ["country"], "configuration": {}, "createdTime": 0}}]
    for number, (country, low, high) in enumerate(files):
        add = {"path": f"country={country}/part-{number:05d}.parquet", "partitionValues": {"country": country},
               "size": 1000, "modificationTime": 0, "dataChange": True}
        if high is not None:
            add["stats"] = json.dumps({"numRecords": 2, "minValues": {"age": low}, "maxValues": {"age": high},
                                       "nullCount": {"age": 0}})
        actions.append({"add": add})
    log = ROOT / name / "_delta_log"
    log.mkdir(parents=True)
    (log / f"{0:020d}.json").write_text("".join(json.dumps(a) + "\n" for a in actions))
    return str(ROOT / name)


SMALL = write_table("small", [("DE", 20, 35), ("DE", 40, 60), ("IT", 41, 65), ("US", 18, 29)])
GAPS = write_table("gaps", [("DE", 20, 35), ("DE", 40, None)])
LARGE = write_table("large", [("DE", n, n + 1) for n in range(4000)])
FILTER = "country = 'DE' AND age > 39"  # 4 files, 2 of DE, 1 of these above 39


def call(name, *arguments, stdin=b"", env=None, **more):
    """Run the binary under a name; bytes in, text out."""
    done = subprocess.run([name, *arguments], executable=BINARY, input=stdin, capture_output=True, timeout=60,
                          env=dict(ENVIRONMENT, **(env or {})), **more)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def lakeproof(*arguments, **more):
    return call("lakeproof", *arguments, **more)


def drop_in(*arguments, **more):
    return call("delta-explain", *arguments, **more)


def prune(*arguments, **more):
    return lakeproof("prune", *arguments, **more)


BOTH = (("lakeproof prune", prune), ("delta-explain", drop_in))


# ---------------------------------------------------------------- help and version


def test_help_is_the_same_for_both_spellings():
    for name, command in BOTH:
        code, long_text, errors = command("--help")
        equal((code, errors), (0, ""), name)
        equal(command("-h")[1], long_text, name)
        holds(f"Usage: {name} [OPTIONS] TABLE" in long_text, name)
    equal(lakeproof("-h")[:2], lakeproof("--help")[:2])


def test_help_lines_are_no_longer_than_a_terminal_is_wide():
    for text in (drop_in("--help")[1], prune("--help")[1], lakeproof("--help")[1]):
        holds(max(map(len, text.splitlines())) <= 112, max(text.splitlines(), key=len))


def test_help_wins_over_what_stands_behind_it_and_not_over_what_stands_before():
    equal(drop_in("--help", "--bad")[0], 0)
    equal(drop_in("--bad", "--help")[0], 2)


def test_help_of_a_command_by_name():
    equal(lakeproof("help", "prune")[:2], prune("--help")[:2])
    equal(lakeproof("help")[:2], lakeproof("--help")[:2])


def test_help_of_a_note_code():
    code, text, errors = lakeproof("help", "LP1001")
    equal((code, errors), (0, ""))
    holds("UNSPLITTABLE_OR" in text, text)


def test_help_of_an_unknown_topic():
    code, text, errors = lakeproof("help", "LP9999")
    equal((code, text), (2, ""))
    holds("LP9999" in errors, errors)


def test_version():
    code, text, _ = lakeproof("--version")
    equal(code, 0)
    name, version = text.split()
    equal(name, "lakeproof")
    for answer in (lakeproof("-V"), prune("-V"), prune("--version")):
        equal(answer, (0, text, ""))
    for answer in (drop_in("-V"), drop_in("--version")):
        equal(answer, (0, f"delta-explain {version}\n", ""))


# ---------------------------------------------------------------- usage errors

USAGE_ERRORS = {
    "no table": [],
    "unknown long option": [SMALL, "--bad"],
    "unknown short option": [SMALL, "-x"],
    "unknown short option in a cluster": [SMALL, "-vx"],
    "abbreviated option": [SMALL, "--verbos"],
    "abbreviated option with a value": [SMALL, "--form", "json"],
    "two tables": [SMALL, SMALL],
    "two tables behind --": ["--", SMALL, SMALL],
    "bad format": [SMALL, "--format", "xml"],
    "format in capitals": [SMALL, "--format", "JSON"],
    "format without value": [SMALL, "--format"],
    "empty format": [SMALL, "--format="],
    "where without value": [SMALL, "-w"],
    "where twice": [SMALL, "-w", "age > 1", "--where", "age > 2"],
    "verbose twice": [SMALL, "-v", "--verbose"],
    "verbose twice in a cluster": [SMALL, "-vv"],
    "format twice": [SMALL, "--format", "text", "--format", "json"],
    "value that starts with a hyphen": [SMALL, "-w", "-age > 4"],
    "long option whose value starts with a hyphen": [SMALL, "--where", "-age > 4"],
    "value for a flag": [SMALL, "--verbose=yes"],
    "negative version": [SMALL, "--at-version", "-1"],
    "negative version in one word": [SMALL, "--at-version=-1"],
    "version that is no number": [SMALL, "--at-version", "x"],
    "empty version": [SMALL, "--at-version="],
    "version with a space": [SMALL, "--at-version= 1"],
    "version beyond 64 bits": [SMALL, "--at-version", "18446744073709551616"],
    "limit that is no number": [SMALL, "--limit", "x"],
    "limit in hexadecimal": [SMALL, "--limit", "0x10"],
    "min-pruning without where": [SMALL, "--min-pruning", "50"],
    "min-pruning that is no number": [SMALL, "-w", "age > 1", "--min-pruning", "abc"],
    "min-pruning in hexadecimal": [SMALL, "-w", "age > 1", "--min-pruning", "0x10"],
    "min-pruning with a space": [SMALL, "-w", "age > 1", "--min-pruning", " 5"],
    "min-pruning with nothing before the exponent": [SMALL, "-w", "age > 1", "--min-pruning", ".e5"],
    "min-pruning with a payload": [SMALL, "-w", "age > 1", "--min-pruning", "nan(1)"],
    "min-pruning below zero in a word of its own": [SMALL, "-w", "age > 1", "--min-pruning", "-1"],
    "debug-ir without where": [SMALL, "--debug-ir", str(ROOT / "ir")],
    "unknown catalog": [SMALL, "--catalog", "hive"],
    "unknown level": [SMALL, "--level", "more"],
    "unknown zone": [SMALL, "-w", "age > 1", "--timezone", "Mars/Olympus"],
    "predicate that is not UTF-8": [SMALL, "-w", b"country = '\xff'"],
    "predicate with an overlong character": [SMALL, "-w", b"country = '\xc0\xaf'"],
    "predicate with a surrogate": [SMALL, "-w", b"country = '\xed\xa0\x80'"],
    "path that is not UTF-8": [b"/tmp/\xff"],
    "option value that is not UTF-8": [SMALL, "--region", b"\xff"],
}


def test_usage_errors_exit_with_2_and_print_nothing():
    for name, command in BOTH:
        for what, arguments in USAGE_ERRORS.items():
            code, text, errors = command(*arguments)
            equal((code, text), (2, ""), f"{name}: {what}: {errors}")
            holds(errors.startswith("error: "), f"{name}: {what}: {errors!r}")
            holds(f"Usage: {name} " in errors, f"{name}: {what}: {errors!r}")


def test_usage_errors_of_lakeproof_itself():
    for arguments in ([], ["--bad"], ["prun"], ["prun", SMALL], [SMALL], [""], ["completion"], ["completion", "tcsh"],
                      ["man", "nothing"], ["help", "a", "b"], [b"\xff"]):
        code, text, errors = lakeproof(*arguments)
        equal((code, text), (2, ""), str(arguments))
        holds(errors.startswith("error: "), errors)


def test_a_near_name_is_offered():
    holds("'--verbose'" in drop_in(SMALL, "--verbos")[2], "option")
    holds("'prune'" in lakeproof("prun", SMALL)[2], "command")


def test_a_program_without_any_name_answers():
    done = subprocess.run([""], executable=BINARY, capture_output=True, timeout=60)
    equal((done.returncode, done.stdout), (2, b""))


def test_the_name_counts_without_its_folder():
    equal(call("/some/where/delta-explain", "-V")[1].split()[0], "delta-explain")
    equal(call("./delta-explain.old", "-V")[1].split()[0], "lakeproof")


# ---------------------------------------------------------------- accepted spellings


def test_spellings_of_one_question():
    expected = prune(SMALL, "-w", FILTER, "-v")
    equal(expected[0], 0)
    holds("4 -> 1 files" in expected[1], expected[1])
    for arguments in ([f"--where={FILTER}", "--verbose", SMALL], ["-v", f"-w{FILTER}", SMALL], [f"-vw{FILTER}", SMALL],
                      ["-vw", FILTER, SMALL], [f"-w={FILTER}", "-v", SMALL], ["-v", "--where", FILTER, "--", SMALL]):
        equal(prune(*arguments), expected, str(arguments))


def test_order_of_words_does_not_depend_on_the_environment():
    expected = prune(SMALL, "-w", FILTER)
    equal(prune(SMALL, "-w", FILTER, env={"POSIXLY_CORRECT": "1"}), expected)


def test_a_predicate_that_starts_with_a_hyphen():
    code, text, _ = prune(SMALL, "--where=-5 < age", "--format", "json")
    equal(code, 0)
    equal(json.loads(text)["predicate"], "-5 < age")


def test_cloud_options_have_no_effect_on_a_local_table():
    plain = drop_in(SMALL)
    equal(drop_in(SMALL, "--option", "a=b", "--option", "c=d", "--region", "r", "--env-creds", "--profile", "p", "--public"),
          plain)


def test_an_option_without_value_is_a_runtime_error():
    for (name, command), prefix in zip(BOTH, ("error: ", "Error: ")):
        code, text, errors = command(SMALL, "--option", "a=b", "--option", "foo")
        equal((code, text), (1, ""), name)
        holds(errors.startswith(prefix) and "KEY=VALUE" in errors and "foo" in errors, errors)


def test_catalogs_and_object_stores_are_refused_by_name():
    for (name, command), prefix in zip(BOTH, ("error: ", "Error: ")):
        for arguments, word in ((["a.b.c", "--catalog", "unity"], "object store"), (["s3://bucket/table"], "s3"),
                                (["gs://bucket/table"], "gs"), (["az://bucket/table"], "az")):
            code, text, errors = command(*arguments)
            equal((code, text), (1, ""), name)
            holds(errors.startswith(prefix) and word in errors, errors)


def test_at_version_takes_64_bits():
    code, text, errors = drop_in(SMALL, "--at-version", "18446744073709551615")
    equal((code, text), (1, ""))
    holds(errors.startswith("Error: "), errors)
    equal(drop_in(SMALL, "--at-version", "0")[0], 0)
    equal(drop_in(SMALL, "--at-version", "+0")[0], 0)


# ---------------------------------------------------------------- answers and exit codes


def test_runtime_errors_print_nothing_on_standard_output():
    missing = str(ROOT / "nothere")
    for arguments in ([missing], [missing, "--format", "json"], [""], [SMALL, "-w", "age >"], [SMALL, "-w", ""],
                      [SMALL, "--where="], [SMALL, "-w", "nope = 1"], [SMALL, "-w", "age >", "--min-pruning", "90"]):
        for (name, command), prefix in zip(BOTH, ("error: ", "Error: ")):
            code, text, errors = command(*arguments)
            equal((code, text), (1, ""), f"{name} {arguments}: {errors}")
            holds(errors.startswith(prefix), errors)


def test_gates():
    #       arguments                                          exit  lines on standard error
    cases = (([SMALL, "-w", FILTER, "--min-pruning", "75"], 0, 0),
             ([SMALL, "-w", FILTER, "--min-pruning", "75.1"], 1, 1),
             ([SMALL, "-w", FILTER, "--min-pruning=-1"], 0, 0),
             ([SMALL, "-w", FILTER, "--min-pruning=1e1"], 0, 0),
             ([SMALL, "-w", FILTER, "--min-pruning=+.5"], 0, 0),
             ([SMALL, "-w", FILTER, "--min-pruning=nan"], 1, 1),
             ([SMALL, "-w", FILTER, "--min-pruning=inf"], 1, 1),
             ([SMALL, "-w", FILTER, "--min-pruning=-Infinity"], 0, 0),
             ([SMALL, "--assert-stats"], 0, 0),
             ([GAPS, "--assert-stats"], 1, 2),
             ([GAPS, "-w", "age > 36", "--assert-stats", "--min-pruning", "99"], 1, 3))
    for name, command in BOTH:
        for arguments, code, lines in cases:
            found, text, errors = command(*arguments)
            equal((found, len(errors.splitlines())), (code, lines), f"{name} {arguments}: {errors}")
            holds(text, f"{name} {arguments}: a gate never takes the report away")
            holds(lines == 0 or errors.startswith("ASSERTION FAILED: "), errors)


def test_final_newlines():
    equal(drop_in(SMALL)[1][-1], "\n")
    equal(drop_in(SMALL, "--format", "json")[1][-1], "}")
    json.loads(prune(SMALL, "--format", "json")[1])


def test_where_from_standard_input():
    expected = prune(SMALL, "-w", FILTER)
    for ending in ("", "\n", "\r\n"):
        equal(prune(SMALL, "-w", "-", stdin=(FILTER + ending).encode()), expected)
    equal(prune(SMALL, "--where=-", stdin=FILTER.encode()), expected)
    code, text, errors = prune(SMALL, "-w", "-", stdin=b"")
    equal((code, text), (1, ""), errors)
    code, text, errors = prune(SMALL, "-w", "-", stdin=b"country = '\xff'")
    equal((code, text), (2, ""), errors)


def test_a_predicate_longer_than_an_argument_may_be():
    items = ", ".join(str(n) for n in range(100000, 140000))
    code, text, errors = prune(SMALL, "-w", "-", "--format", "json", stdin=f"age IN ({items})".encode())
    equal(code, 0, errors)
    equal(json.loads(text)["final_files"], 0)


def test_the_drop_in_does_not_read_standard_input():
    code, text, _ = drop_in(SMALL, "-w", "-", stdin=FILTER.encode())
    equal((code, text), (1, ""))


def test_counters_are_one_line_of_json():
    code, text, errors = prune(SMALL, "-w", FILTER, "--counters")
    equal((code, text), (0, prune(SMALL, "-w", FILTER)[1]))
    equal(len(errors.splitlines()), 1, errors)
    holds(isinstance(json.loads(errors), dict), errors)


def test_the_report_does_not_depend_on_threads():
    equal(prune(LARGE, "-w", FILTER, "-v", "--threads", "3"), prune(LARGE, "-w", FILTER, "-v", "--threads", "1"))


TAXI_FORMS = """\
== owned AST (before normalization) ==
rendered: NOT (pickup_date <> '2024-01-03' OR trip_distance <= 5)

Not(Or([
  Cmp { col: ColRef(["pickup_date"]), op: Ne, lit: Str("2024-01-03") },
  Cmp { col: ColRef(["trip_distance"]), op: Le, lit: Number("5") },
]))

== owned AST (normalized) ==
rendered: pickup_date = '2024-01-03' AND trip_distance > 5

And([
  Cmp { col: ColRef(["pickup_date"]), op: Eq, lit: Str("2024-01-03") },
  Cmp { col: ColRef(["trip_distance"]), op: Gt, lit: Number("5") },
])

== classification ==
partition_safe:  Some("pickup_date = '2024-01-03'")
partition_exact: None
stats_safe:      Some("trip_distance > 5")
unsplittable:    None
confidence:      Conservative

== programs, one per phase scan ==
partition-only scan:
  0  leaf     partition pickup_date = String(2024-01-03)
full scan, on what the partition-only scan left:
  0  leaf     stats trip_distance > as double Double(5)

== survivor sets ==
baseline:            20 files
partition-only scan: 4 files
full scan:           2 files
"""


def test_debug_ir_walks_the_taxi_table():
    taxi = str(pathlib.Path(__file__).resolve().parents[2] / "examples" / "taxi")
    path = ROOT / "forms"
    where = "NOT (pickup_date != '2024-01-03' OR trip_distance <= 5)"
    equal(prune(taxi, "-w", where, "--debug-ir", str(path))[0], 0)
    equal(path.read_text(), TAXI_FORMS)
    where = "UPPER(pickup_date) = '2024-01-03' AND trip_distance > 8"
    equal(prune(taxi, "-w", where, "--debug-ir", str(path))[0], 0)
    lines = path.read_text().splitlines()
    for line in ("scan predicate after stripping unsupported fragments: trip_distance > 8", "confidence:      Incomplete",
                 "baseline:            20 files", "full scan:           7 files"):
        holds(line in lines, line)


def test_debug_ir():
    path = ROOT / "forms.txt"
    expected = prune(SMALL, "-w", FILTER)
    equal(prune(SMALL, "-w", FILTER, "--debug-ir", str(path)), expected)
    holds(path.read_text(), "the forms are in the file")
    for bad, name in ((str(ROOT / "no" / "folder"), "No such file or directory"), (str(ROOT), "Is a directory"),
                      ("/dev/full", "No space left on device")):
        code, text, errors = prune(SMALL, "-w", FILTER, "--debug-ir", bad)
        equal((code, text), (1, ""), bad)
        holds(bad in errors and name in errors, errors)


def test_color():
    escape = "\x1b["
    holds(escape not in prune(SMALL, "-w", FILTER)[1], "auto, no terminal")
    holds(escape not in prune(SMALL, "-w", FILTER, "--color", "never")[1], "never")
    holds(escape in prune(SMALL, "-w", FILTER, "--color", "always")[1], "always")
    holds(escape in prune(SMALL, "-w", FILTER, "--color", "always", env={"NO_COLOR": "1"})[1], "the option is stronger")


def on_terminal(**environment):
    import pty
    ours, theirs = pty.openpty()
    subprocess.run(["lakeproof", "prune", SMALL, "-w", FILTER], executable=BINARY, stdout=theirs, stderr=subprocess.DEVNULL,
                   env=dict(ENVIRONMENT, **environment), timeout=60)
    os.close(theirs)
    text = os.read(ours, 65536).decode()
    os.close(ours)
    return text


def test_color_on_a_terminal():
    holds("\x1b[" in on_terminal(TERM="xterm"), "auto")
    holds("\x1b[" in on_terminal(TERM="xterm", NO_COLOR=""), "an empty NO_COLOR is none")
    holds("\x1b[" not in on_terminal(TERM="xterm", NO_COLOR="1"), "NO_COLOR")
    holds("\x1b[" not in on_terminal(TERM="dumb"), "a terminal without colours")


# ---------------------------------------------------------------- streams


def stop_reading(*arguments):
    """Read one line of the report, then close the pipe."""
    process = subprocess.Popen([*arguments], executable=BINARY, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT)
    first = process.stdout.readline()
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    return process.wait(timeout=60), first.decode(), errors.decode()


def test_a_reader_that_stops_is_no_error():
    code, first, errors = stop_reading("delta-explain", LARGE, "-w", "age > 5", "-v")
    equal((code, errors), (0, ""))
    holds(first.startswith("Delta table: "), first)


def test_a_reader_that_stops_does_not_change_the_gates():
    code, _, errors = stop_reading("delta-explain", LARGE, "-w", "age > 5", "-v", "--min-pruning", "99")
    equal(code, 1)
    holds(errors.startswith("ASSERTION FAILED: ") and len(errors.splitlines()) == 1, errors)


def test_a_full_disk_is_an_error():
    if not os.path.exists("/dev/full"):
        raise Skip("no /dev/full")
    for arguments in (["delta-explain", SMALL], ["delta-explain", LARGE, "-w", "age > 5", "-v"], ["delta-explain", "--help"],
                      ["lakeproof", "--version"], ["lakeproof", "completion", "zsh"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run(arguments, executable=BINARY, stdout=full, stderr=subprocess.PIPE, timeout=60)
        word = "Error" if arguments[0] == "delta-explain" else "error"
        equal((done.returncode, done.stderr.decode()), (1, f"{word}: Cannot write output: No space left on device\n"))


def closing(*streams):
    def close():
        for stream in streams:
            os.close(stream)
    return close


def test_a_closed_standard_output_is_silent():
    equal(drop_in(SMALL, preexec_fn=closing(1)), (0, "", ""))
    code, text, errors = drop_in(SMALL, "-w", FILTER, "--min-pruning", "99", preexec_fn=closing(1))
    equal((code, text), (1, ""))
    holds(errors.startswith("ASSERTION FAILED: "), errors)


def test_no_file_takes_the_place_of_a_closed_stream():
    path = ROOT / "closed.txt"
    code, _, _ = prune(SMALL, "-w", FILTER, "--debug-ir", str(path), preexec_fn=closing(0, 1, 2))
    equal(code, 0)
    holds("Delta table" not in path.read_text(), "the report went to a file that was opened later")


def test_closed_standard_error_and_input():
    equal(drop_in(SMALL, preexec_fn=closing(0, 2))[:2], drop_in(SMALL)[:2])
    equal(drop_in(SMALL, "--bad", preexec_fn=closing(2))[:2], (2, ""))


def test_the_report_is_not_written_into_a_pipe_that_does_not_block_by_halves():
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    process = subprocess.Popen(["delta-explain", LARGE, "-w", "age > 5", "-v"], executable=BINARY, stdout=writer, env=ENVIRONMENT)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read().decode()
    equal(process.wait(timeout=60), 0)
    equal(text, drop_in(LARGE, "-w", "age > 5", "-v")[1])


# ---------------------------------------------------------------- papers


def test_the_report_in_the_readme_is_real():
    project = pathlib.Path(__file__).resolve().parents[2]
    readme = (project / "README.md").read_text()
    shown = readme.split("ends with this report:\n\n```\n")[1].split("```")[0]
    predicate = "NOT (pickup_date != '2024-01-03' OR trip_distance <= 5)"
    holds(predicate in (project / "quickstart.sh").read_text(), "quickstart.sh asks the same")
    equal(prune("examples/taxi", "--where", predicate, cwd=project), (0, shown, ""))


# ---------------------------------------------------------------- completions and manual pages


def bash_completes(script, line, folder=None):
    """What bash offers for a line whose last word is being typed; `=` splits words there."""
    words = line.replace("=", " = ").split(" ")
    program = (f"source {script}\nCOMP_WORDS=({' '.join(repr(w) if w else chr(39) * 2 for w in words)})\n"
               f"COMP_CWORD={len(words) - 1}\n_lakeproof 2>/dev/null\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n")
    done = subprocess.run(["bash", "--norc", "-c", program], capture_output=True, text=True, cwd=folder, timeout=60)
    equal(done.returncode, 0, done.stderr)
    return done.stdout.split()


def test_bash_completion():
    if not shutil.which("bash"):
        raise Skip("no bash")
    script = ROOT / "lakeproof.bash"
    script.write_text(lakeproof("completion", "bash")[1])
    cases = {"lakeproof pr": ["prune", "prove"], "lakeproof prune --form": ["--format"], "delta-explain --form": ["--format"],
             "delta-explain --format j": ["json"], "delta-explain --format=": ["text", "json"],
             "delta-explain --format=t": ["text"], "lakeproof prune sma": ["small"], "delta-explain sma": ["small"],
             "lakeproof completion f": ["fish"], "lakeproof help pru": ["prune"], "delta-explain -w age": [],
             "lakeproof prune --at-": ["--at-version", "--at-timestamp"], "delta-explain --at-": ["--at-version"],
             "lakeproof man lakeproof-": ["lakeproof-prune", "lakeproof-snapshot", "lakeproof-diff", "lakeproof-why", "lakeproof-sql", "lakeproof-facts",
                                        "lakeproof-check", "lakeproof-prove", "lakeproof-coverage"], "lakeproof nothing x": []}
    for line, expected in cases.items():
        equal(bash_completes(script, line, ROOT), expected, line)


def test_completion_scripts_are_valid():
    missing = []
    for shell in ("bash", "zsh", "fish"):
        code, text, errors = lakeproof("completion", shell)
        equal((code, errors), (0, ""))
        if not shutil.which(shell):
            missing.append(shell)
            continue
        script = ROOT / f"check.{shell}"
        script.write_text(text)
        done = subprocess.run([shell, "-n", str(script)], capture_output=True, text=True, timeout=60)
        equal((done.returncode, done.stderr), (0, ""), shell)
    if missing:
        raise Skip("not installed: " + ", ".join(missing))


def test_manual_pages_are_clean_roff():
    pages = {p: lakeproof("man", p) for p in ("lakeproof", "lakeproof-prune", "delta-explain")}
    equal(lakeproof("man"), pages["lakeproof"])
    for page, (code, text, errors) in pages.items():
        equal((code, errors), (0, ""), page)
        holds(text.startswith(".TH "), page)
        if not shutil.which("groff"):
            raise Skip("no groff")
        done = subprocess.run(["groff", "-ww", "-man", "-Tutf8"], input=text.encode(), capture_output=True, timeout=60)
        equal((done.returncode, done.stderr), (0, b""), page)


# ---------------------------------------------------------------- anything at all


def test_random_arguments_never_break_the_promises():
    pieces = ["-w", "--where", "-v", "-vw", "--limit", "0", "--format", "json", "--format=text", "--min-pruning", "50", "--",
              "-", "", "=", "--=", "---", "-w=", "--where=", "-h", "-V", "--option", "a=b", "c", "--at-version", "0", "1",
              "--at-timestamp", "2024-01-01",
              FILTER, "age > 39", SMALL, GAPS, "--threads", "--color", "always", "--nan", "strict", "--level", "extended",
              "--debug-ir", "--counters", "--explain-why", b"\xff", "\u00e9" * 40, "x" * 5000, "prune", "help", "man"]
    for seed in range(300):
        dice = random.Random(seed)
        arguments = [dice.choice(pieces) for _ in range(dice.randrange(8))]
        name = dice.choice(["lakeproof", "delta-explain"])
        if name == "lakeproof" and dice.random() < 0.8:
            arguments.insert(0, "prune")
        done = subprocess.run([name, *arguments], executable=BINARY, stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
                              cwd=ROOT, env=ENVIRONMENT)
        what = f"seed {seed}: {name} {arguments}: {done.returncode} {done.stderr[:300]!r}"
        holds(done.returncode in (0, 1, 2), what)
        holds(done.returncode != 2 or (not done.stdout and done.stderr.startswith(b"error: ")), what)
        holds(done.returncode != 0 or done.stdout, what)
        holds(done.returncode != 1 or bool(done.stdout) == done.stderr.startswith(b"ASSERTION FAILED"), what)


signal.signal(signal.SIGPIPE, signal.SIG_IGN)
run(globals(), options.only)
