"""What the program and the library import before they answer: only what the question needs.

Importing takes most of the time of a short run, so what is needed seldom is imported where it is
needed. Nobody notices a module that comes back by a new import at the top of a file, but for these
tests.
"""

import re
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import pytest

import satdoku
from satdoku.cli.main import satdoku as group
from satdoku.notation import line_kind, rule_entries, stated_rules
from tests.crossing import sampled

CONTEXT = group.make_context("satdoku", ["solve"])
COMMANDS = group.list_commands(CONTEXT)

PUZZLE = "1.....2..3.....4"

# Runs the command line, and then prints what it has imported.
PROGRAM = """
import sys
sys.modules.pop("pathlib", None)  # what finds an editable installation may have imported it
from satdoku.cli.main import run
run(sys.argv[1:])
print(*sys.modules)
"""

# For each of these another run than a check of one puzzle, given as text, has a use.
NOT_FOR_A_CHECK = [
    "satdoku.answering.fact_finder",
    "satdoku.api",
    "ctypes",
    "pathlib",
    "pysat.solvers",
    "satdoku.solving.bulk",
    "satdoku.lanes",
    "satdoku.notation.pastes.undressing",
    "satdoku.notation.pastes.readings",
    "satdoku.notation.pastes.finding",
    "satdoku.answering.output.open_file",
    "satdoku.answering.output.open_file",
    "satdoku.picture.picture",
    "satdoku.puzzle.rules.cages",
    "satdoku.puzzle.rules.sums",
    "satdoku.picture.figure",
    "satdoku.solving.counting",
    "satdoku.solving.large",
    "satdoku.solving.race",
]


@cache
def imported(*arguments: str, text: str = "") -> set[str]:
    """The modules that were imported when the command line has done its work."""
    command = [sys.executable, "-c", PROGRAM, *arguments]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


@sampled(
    2,
    "arguments, text",
    [(["check", PUZZLE], ""), (["check"], PUZZLE), (["solve", PUZZLE], "")],
    ids=["argument", "stdin", "solve"],
)
def test_one_puzzle_needs_little(arguments: Sequence[str], text: str) -> None:
    found = imported(*arguments, text=text)
    assert "pysolvers" in found
    assert not found.intersection(NOT_FOR_A_CHECK)


def test_a_certificate_names_the_version_without_the_module_for_metadata(tmp_path: Path) -> None:
    assert "importlib.metadata" not in imported("certify", PUZZLE, "-q", "-d", str(tmp_path))
    assert satdoku.__version__ == version("satdoku")


def test_a_typed_line_of_cells_needs_no_format() -> None:
    found = imported("check", PUZZLE)
    ours = [name for name in found if name.startswith("satdoku")]
    # Nearly all of the time of such a command is for imports, each about as long.
    assert len(ours) <= 90, sorted(ours)
    assert not {"satdoku.notation.formats", "satdoku.notation.reading"} & found
    # Its solution is written as a line, for which no rule is read.
    assert "satdoku.puzzle.rules.regions" not in imported("solve", PUZZLE)


def test_a_file_of_one_puzzle_needs_no_library(tmp_path: Path) -> None:
    file = tmp_path / "one.txt"
    file.write_text(
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n"
    )
    assert not {"satdoku.lanes", "ctypes"} & imported("check", str(file))


@pytest.mark.parametrize("module", [line_kind, rule_entries, stated_rules])
def test_patterns_that_few_files_need_are_not_compiled_when_imported(module: ModuleType) -> None:
    """Each of them took longer than to check a puzzle, and every check of a file imports them."""
    assert not [name for name, value in vars(module).items() if isinstance(value, re.Pattern)]


# What most published puzzles with rules need.
USUAL_RULES = [
    "killer:7=r1c1,r1c2,r2c2",
    "arrow:r1c1=r2c2,r3c3",
    "thermo:r1c1,r2c2,r3c3",
    "kropki:white=r1c1,r1c2",
    "whispers:2=r1c1,r1c2,r2c3",
]

# For these a check has no use where there is such a rule: to sift boards, to write or read
# formulas, to draw.
NOT_FOR_A_RULE = [
    "satdoku.deducing",
    "satdoku.encoding.constraint",
    "satdoku.encoding.meanings",
    "satdoku.encoding.small_formula",
    "satdoku.picture.picture",
]


@sampled(3, "rule", USUAL_RULES)
def test_a_rule_needs_no_more_than_it_spares(rule: str) -> None:
    plain, found = imported("check", PUZZLE), imported("check", PUZZLE, "--rule", rule)
    assert not found.intersection(NOT_FOR_A_RULE)
    # The rule with what it shares with others, its formula, and the way of larger boards.
    assert len(found - plain) <= 14, sorted(found - plain)


def test_a_string_of_another_program_needs_only_the_modules_of_its_rules() -> None:
    found = imported("check", ".Cage~3~R1C1~R1C2.Thermo~R3C3~R4C4.XSum~R1~20~")
    assert {f"satdoku.puzzle.rules.{each}" for each in ("cages", "order", "outside")} <= found
    # What packed automata, ranks, and killers in a line of text need.
    assert not found & {
        "base64",
        "satdoku.notation.exchange.iss.automata",
        "satdoku.notation.exchange.killer_text",
        "satdoku.notation.exchange.lzstring",
        "satdoku.puzzle.rules.automaton",
        "satdoku.puzzle.rules.ranks",
    }


def test_the_library_checks_a_puzzle_without_what_else_it_can_do() -> None:
    script = f"import sys, satdoku; satdoku.check({PUZZLE!r}); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    found = set(done.stdout.split())
    assert "pysolvers" in found
    assert not found & {
        "satdoku.api.showing",
        "satdoku.certifying",
        "satdoku.cli",
        "satdoku.explaining",
        "satdoku.making",
        "satdoku.rating",
        "satdoku.picture",
    }


def modules_of_commands() -> set[str]:
    commands = [group.get_command(CONTEXT, name) for name in COMMANDS]
    return {str(command.callback.__module__) for command in commands if command is not None}


def test_the_list_of_commands_imports_none_of_them() -> None:
    assert not imported("--help") & modules_of_commands()


def test_completing_a_command_imports_none() -> None:
    script = """
import sys
from click.shell_completion import ShellComplete
from satdoku.cli.main import satdoku
print(len(ShellComplete(satdoku, {}, "satdoku", "_SATDOKU_COMPLETE").get_completions([], "")))
print(*sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    number, modules = done.stdout.splitlines()
    assert int(number) == len(COMMANDS)
    assert not set(modules.split()) & modules_of_commands()
