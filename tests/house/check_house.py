#!/usr/bin/env python3
"""check_house.py - the rules of the house that a machine can check: who includes whom, headers, names, papers, exports.

Called by: ctest, or by hand: check_house.py [--library FILE] [--binary FILE] [--format].  Must not know: what any code does.
The build keeps most of these rules too; this is the second line of defence, and it says which rule was broken and why.
Without --library or --binary the checks that need them are skipped. --format compares the sources with .clang-format.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "scripts")]
import make_diagnostics_doc  # noqa: E402
from def_rows import read_rows  # noqa: E402
from suite import Skip, equal, holds, run  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--library", help="the shared library")
parser.add_argument("--binary", help="the command")
parser.add_argument("--format", action="store_true")
parser.add_argument("--only")
options = parser.parse_args()


def tracked_files():
    """The files of the project: what git knows, or everything outside of build folders where there is no git."""
    try:
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                                capture_output=True, check=True).stdout.decode()
        names = [n for n in listed.split("\0") if n]
    except (OSError, subprocess.CalledProcessError):
        names = [str(p.relative_to(ROOT)) for p in ROOT.rglob("*") if p.parts[len(ROOT.parts)] not in ("build", ".venv", ".git")]
    return sorted(n for n in set(names) if (ROOT / n).is_file())


FILES = tracked_files()
TEXT = {}


def text_of(name):
    if name not in TEXT:
        TEXT[name] = (ROOT / name).read_text(encoding="utf-8", errors="replace")
    return TEXT[name]


def code_of(name):
    """A C file without comments and strings; lines stay where they are."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group()) if match.group()[0] == "/" else '""'
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"', blank, text_of(name), flags=re.S)


def c_files(under="src/"):
    return [n for n in FILES if n.startswith(under) and n.endswith((".c", ".h", ".cpp"))]


def places(names, pattern, text=text_of):
    """file:line of each match."""
    return [f"{n}:{number}: {line.strip()[:100]}" for n in names for number, line in enumerate(text(n).splitlines(), 1)
            if re.search(pattern, line)]


def none(found, rule):
    holds(not found, rule + "\n  " + "\n  ".join(found[:20]))


# ---------------------------------------------------------------- rooms


def rooms():
    """Room -> rooms that it may see, from the build; cli sees itself only."""
    allowed = {}
    for name, seen in re.findall(r"^lakeproof_room\((\w+)([^)]*)\)", text_of("src/CMakeLists.txt"), re.M):
        allowed[name] = set(seen.split()) | {name}
    allowed["cli"] = {"cli"}
    return allowed


def test_every_folder_of_src_is_a_room():
    folders = {n.split("/")[1] for n in FILES if n.startswith("src/") and n.count("/") > 1}
    equal(folders - set(rooms()), set(), "folders that src/CMakeLists.txt does not name")


def test_a_room_sees_only_rooms_to_its_left():
    order = list(rooms())
    for number, (room, seen) in enumerate(rooms().items()):
        later = [r for r in seen - {room} if order.index(r) > number]
        equal(later, [], f"{room} may not see rooms to its right")


def test_includes_follow_the_rooms():
    wrong = []
    for name in c_files():
        room = name.split("/")[1]
        for included in re.findall(r'^\s*#\s*include\s+"([^"]+)"', text_of(name), re.M):
            if included in ("lakeproof.h", "lakeproof_err.h"):
                continue
            if included.split("/")[0] not in rooms().get(room, set()) or "/" not in included:
                wrong.append(f"{name}: {included}")
    none(wrong, "a room includes itself and what src/CMakeLists.txt allows, always as \"room/file.h\"")


def test_the_public_header_is_seen_at_the_edge_only():
    edge = ("src/api/", "src/cli/")
    inner = [n for n in c_files() if not n.startswith(edge)]
    none(places(inner, r'#\s*include\s+["<]lakeproof\.h[">]'), "lakeproof.h is for api and cli; rooms share lakeproof_err.h")


def test_no_include_climbs_a_folder():
    none(places([n for n in FILES if n.endswith((".c", ".h", ".cpp"))], r'#\s*include\s+"\.\.?/'), "#include \"../\" hides a room")


def test_one_cxx_file():
    equal([n for n in FILES if n.startswith("src/") and n.endswith((".cpp", ".cc", ".hpp"))
           and n != "src/json/json_simdjson.cpp"], [], "C++ is for the JSON library alone")


# ---------------------------------------------------------------- files


def test_every_file_says_what_it_is():
    """`name - what`, `Called by:`, `Must not know:` in the first comment; a test is called by its runner and knows all."""
    wrong = []
    for name in FILES:
        if not name.endswith((".c", ".h", ".cpp", ".def")) or name == "include/lakeproof.h":
            continue
        head = "\n".join(text_of(name).splitlines()[:16])
        base = re.escape(name.rsplit("/", 1)[1])
        wanted = {"name": r"\A/\*\s*" + base + " - "}
        if not name.startswith("tests/"):
            wanted |= {"Called by:": "Called by:", "Must not know:": "Must not know:"}
        missing = [what for what, pattern in wanted.items() if not re.search(pattern, head)]
        if missing:
            wrong.append(f"{name}: {', '.join(missing)}")
    none(wrong, "the first comment answers the room test")


def test_every_script_says_what_it_is():
    wrong = [n for n in FILES if n.endswith((".py", ".sh")) and n.rsplit("/", 1)[-1] not in "\n".join(text_of(n).splitlines()[:4])]
    none(wrong, "a script starts with its name and what it is")


def test_include_guards_carry_room_and_name():
    wrong = []
    for name in c_files():
        guard = "_".join(name.upper().replace(".", "_").split("/")[1:])
        if name.endswith(".h") and f"#ifndef {guard}\n#define {guard}\n" not in text_of(name):
            wrong.append(f"{name}: {guard}")
    none(wrong, "guard")


def test_no_folder_is_called_by_nothing():
    bad = [n for n in c_files() if re.search(r"(util|common|misc|helper|manager)", n.rsplit("/", 1)[1])]
    none(bad, "a name that says nothing fails the room test")


# ---------------------------------------------------------------- calls


def test_banned_calls():
    """banned.h poisons these for C; here also for C++ and for code that another branch of #ifdef hides."""
    poisoned = re.findall(r"^#pragma GCC poison (.*)$", text_of("src/base/banned.h"), re.M)
    words = "|".join(" ".join(poisoned).split())
    holds(words, "banned.h has words")
    names = [n for n in c_files() if n != "src/base/banned.h"]
    none(places(names, rf"(?<![\w.>])({words})\s*\(", code_of), "banned")


def test_one_door():
    names = [n for n in c_files() if n != "src/base/door.c"]
    none(places(names, r"\b(_?setjmp|sigsetjmp|longjmp|siglongjmp)\s*\(", code_of), "base/door.c holds the only setjmp")


def test_only_the_command_prints_or_leaves():
    names = [n for n in c_files() if not n.startswith("src/cli/") and not n.endswith("_fuzz.c")]
    none(places(names, r"(?<![\w.>])(printf|puts|putchar|perror|exit|_exit|system|popen|getenv|signal)\s*\(", code_of),
         "the library does not print, exit, or read the environment")


def test_memory_comes_from_arenas():
    """malloc only in base, at the edge, for the handles of the API, and in a file that hands it to a defer_slot."""
    wrong = []
    for name in c_files():
        if name.startswith(("src/base/", "src/cli/", "src/api/")) or name.endswith("_fuzz.c") or "defer" in code_of(name):
            continue
        wrong += places([name], r"(?<![\w.>])(malloc|calloc|realloc|strdup|strndup|asprintf)\s*\(", code_of)
    none(wrong, "memory of a room is in an arena, or behind a defer_slot")


def test_nothing_is_owed():
    names = [n for n in FILES if n.startswith(("src/", "include/", "scripts/", "cmake/")) or n.endswith(".md")]
    marks = "TO" + "DO|FIX" + "ME|XX" + "X|HA" + "CK"
    none(places(names, rf"\b({marks})\b"), "finish it, or pin it with a test")


def test_no_path_of_a_machine():
    names = [n for n in FILES if not n.startswith("examples/") and not n.endswith((".json", ".crc", ".parquet"))]
    none(places(names, r"(?<![\w.{}/])/(work|home|root|Users|farm|mnt)/\w"), "an absolute path of somebody's machine")


# ---------------------------------------------------------------- exports


def test_exported_symbols():
    if not options.library or not shutil.which("nm"):
        raise Skip("no --library or no nm")
    listed = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", options.library], capture_output=True, text=True,
                            check=True).stdout
    found = {line.split()[0] for line in listed.splitlines() if line.split()[1] != "A"}
    declared = set(re.findall(r"^LP_API [^;]*?(lp_\w+)\(", text_of("include/lakeproof.h"), re.M))
    holds(len(declared) > 5, "the header declares functions")
    equal(sorted(found - declared), [], "exported and not in lakeproof.h")
    equal(sorted(declared - found), [], "in lakeproof.h and not exported")


# ---------------------------------------------------------------- tables and papers


def is_sentence(text):
    return bool(text.strip()) and text.strip()[-1] in ".)"


def test_every_diagnostic_is_explained():
    rows = read_rows(ROOT / "src/claim/diag.def", "DIAG")
    holds(rows, "diag.def has rows")
    codes = [row[0] for row in rows]
    equal(len(set(codes)), len(codes), "codes are unique")
    equal(codes, sorted(codes), "codes are in order")
    none([f"{r[0]} {r[1]}" for r in rows if len(r) != 6 or not r[4] or not is_sentence(r[5])], "summary and help, in sentences")


def test_the_page_of_diagnostics_is_the_table():
    page, table = text_of("docs/diagnostics.md").splitlines(), make_diagnostics_doc.render().splitlines()
    differ = [f"{ours!r}, the table says {theirs!r}" for ours, theirs in zip(page, table) if ours != theirs]
    none(differ[:3] or (["another length"] if page != table else []), "run scripts/make_diagnostics_doc.py --write")


def test_every_option_is_explained():
    rows = read_rows(ROOT / "src/cli/option.def", "OPTION")
    holds(len(rows) > 15, "option.def has rows")
    none([r[2] for r in rows if len(r) != 8 or not is_sentence(r[7])], "a help text of sentences")


def printed(*arguments):
    if not options.binary:
        raise Skip("no --binary")
    return subprocess.run([options.binary, *arguments], capture_output=True, text=True, check=True, timeout=60).stdout


def test_every_option_is_in_help_pages_and_completions():
    rows = read_rows(ROOT / "src/cli/option.def", "OPTION")
    common = {"zsh": printed("completion", "zsh"), "bash": printed("completion", "bash"), "fish": printed("completion", "fish")}
    dashes = {"zsh": "--", "bash": "--", "fish": "-l "}

    def page_of(name):
        return printed("man", name).replace("\\-", "-").replace("\\fB", "").replace("\\fR", "")

    of_command = {"prune": {"prune --help": printed("prune", "--help"), "lakeproof-prune": page_of("lakeproof-prune"),
                            "delta-explain": page_of("delta-explain")},
                  "snapshot": {"snapshot --help": printed("snapshot", "--help"), "lakeproof-snapshot": page_of("lakeproof-snapshot")},
                  "diff": {"diff --help": printed("diff", "--help"), "lakeproof-diff": page_of("lakeproof-diff")},
                  "facts": {"facts --help": printed("facts", "--help"), "lakeproof-facts": page_of("lakeproof-facts")},
                  "check": {"check --help": printed("check", "--help"), "lakeproof-check": page_of("lakeproof-check")},
                  "prove": {"prove --help": printed("prove", "--help"), "lakeproof-prove": page_of("lakeproof-prove")},
                  "coverage": {"coverage --help": printed("coverage", "--help"), "lakeproof-coverage": page_of("lakeproof-coverage")},
                  "why": {"why --help": printed("why", "--help"), "lakeproof-why": page_of("lakeproof-why")}}
    for row in rows:
        name, commands = row[2], row[6]
        for page, text in common.items():
            holds(re.search(rf"{dashes[page]}{name}(?![\w-])", text), f"--{name} is missing in {page}")
        for command, pages in of_command.items():
            groups = {"FOR_ALL"} | ({"FOR_TABLE"} if command in ("prune", "snapshot", "diff", "why") else set())
            if not ({f"FOR_{command.upper()}"} | groups) & set(commands.replace("|", " ").split()):
                continue
            ours_alone = "NOT_DROP_IN" in commands
            for page, text in pages.items():
                expected = not (ours_alone and page == "delta-explain")
                equal(bool(re.search(rf"--{name}(?![\w-])", text)), expected, f"--{name} in {page}")
            if command == "prune":
                holds(ours_alone or len(re.findall(rf" -l {name}(?![\w-])", common["fish"])) >= 2, f"--{name} in fish for both names")


def test_every_command_is_in_help_pages_and_completions():
    names = [row[1] for row in read_rows(ROOT / "src/cli/command.def", "COMMAND")]
    holds("prune" in names, str(names))
    pages = [printed("--help"), printed("man", "lakeproof"), *(printed("completion", s) for s in ("bash", "zsh", "fish"))]
    for name in names:
        holds(all(name in page for page in pages), name)


def test_every_room_is_on_the_map():
    text = text_of("docs/ARCHITECTURE.md")
    none([room for room in rooms() if f"`{room}`" not in text], "rooms that docs/ARCHITECTURE.md does not name")


def test_links_of_the_papers_lead_somewhere():
    wrong = []
    for name in (n for n in FILES if n.endswith(".md")):
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text_of(name)):
            if not re.match(r"[a-z]+:", target) and not (ROOT / name).parent.joinpath(target).exists():
                wrong.append(f"{name}: {target}")
    none(wrong, "a link to a file that is not there")


def test_suites_name_what_exists():
    wrong = [word for word in re.findall(r"(?:tests|scripts)/[\w/.-]+\.(?:py|sh|txt)", text_of("tests/suites.ini"))
             if not (ROOT / word).exists()]
    none(wrong, "tests/suites.ini names a file that is not there")


RULES = dict(A=16, B=13, C=36, D=6, E=7, F=16, G=16, H=11, I=10, J=8, K=8, L=9, M=18, N=21, O=20, P=30, R=6)


def cited_rules(text):
    cited = set(re.findall(r"\b([A-R]\d{1,2})\b", text))
    for letter, first, last in re.findall(r"\b([A-R])(\d+)(?:\.\.| to )\1(\d+)\b", text):
        cited |= {f"{letter}{i}" for i in range(int(first), int(last) + 1)}
    return cited


def test_every_rule_of_the_log_is_cited():
    rooms = [p for room in ("delta", "types", "prune") for p in sorted((ROOT / "src" / room).iterdir())]
    text = "".join(p.read_text() for p in rooms) + (ROOT / "docs" / "delta-rules.md").read_text()
    wanted = {f"{letter}{i}" for letter, count in RULES.items() for i in range(1, count + 1)}
    equal(sorted(wanted - cited_rules(text)), [], "rules that neither the code nor docs/delta-rules.md names")


def test_every_comparison_is_a_suite():
    called = text_of("tests/suites.ini") + text_of("tests/CMakeLists.txt")
    scripts = [n for n in FILES if n.startswith("tests/compare/") and text_of(n).startswith("#!")]
    none([n for n in scripts if n[len("tests/"):] not in called],
         "a script of tests/compare that neither tests/suites.ini nor ctest runs")


# ---------------------------------------------------------------- form


def test_sources_are_formatted():
    if not options.format:
        raise Skip("asked for with --format")
    if not shutil.which("clang-format"):
        raise Skip("no clang-format")
    names = c_files() + [n for n in FILES if n.startswith(("include/", "tests/")) and n.endswith((".c", ".h"))]
    done = subprocess.run(["clang-format", "--dry-run", "-Werror", *names], cwd=ROOT, capture_output=True, text=True)
    holds(done.returncode == 0, done.stderr[:2000])


def long_functions():
    """Functions of more than 60 lines: read by a person, not refused by a machine."""
    for name in c_files():
        start = None
        for number, line in enumerate(text_of(name).splitlines(), 1):
            if re.match(r"[A-Za-z_].*\)\s*\{$|^\{$", line):
                start = number
            elif line == "}" and start:
                if number - start > 60:
                    yield f"{name}:{start}: {number - start} lines"
                start = None


for found in long_functions():
    print("long function", found)
run(globals(), options.only)
