import gc
import os
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from random import Random

import pytest

from satdoku.encoding.choices import Encoding
from satdoku.encoding.variables import variable
from satdoku.errors import SatdokuError, SolverError
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.symmetry import pattern_grid
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Limits
from satdoku.solving.questions import check, count
from satdoku.solving.solvers import Settings
from tests.boards import HARD, HARD_SOLUTION, TOO_HARD, clashing_puzzle, random_puzzle
from tests.crossing import sampled
from tests.each import for_each
from tests.oracle import count_solutions
from tests.waiting import SOON

COMMANDS = [
    "minisat {cnf} {out}",
    "minisat -verb=0 {cnf} {out}",
    "cadical",
    "cadical -q {cnf}",
    "cryptominisat5 --verb 0",
    "clasp --verbose=0",
    "clasp --verbose=0 {cnf}",
]

MakeProgram = Callable[[str], str]


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever happens, no temporary file stays."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield
    assert list(folder.iterdir()) == []


@pytest.fixture
def program(tmp_path: Path) -> MakeProgram:
    """Writes a shell script that plays a solver."""

    def write(script: str) -> str:
        path = Path(tempfile.mkdtemp(dir=tmp_path)) / "solver"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return str(path)

    return write


def require_program(command: str) -> None:
    name = command.split()[0]
    if shutil.which(name) is None:
        pytest.skip(f"the solver {name} is not installed (Debian packages it)")


def values(grid: Grid) -> str:
    size = grid.geometry.size
    return " ".join(
        str(number if number == variable(grid.geometry, cell, digit) else -number)
        for cell, digit in enumerate(grid.digits)
        for number in range(cell * size + 1, cell * size + size + 1)
    )


@sampled(
    3,
    "command, encoding",
    list(
        zip(COMMANDS, cycle([Encoding.REDUCED, Encoding.EXTENDED, Encoding.TRIADS]), strict=False)
    ),
)
def test_real_solvers_agree_with_the_oracle(command: str, encoding: Encoding) -> None:
    require_program(command)
    settings = Settings(command=command, encoding=encoding)
    rng = Random(command)
    for geometry in (Geometry(2, 2), Geometry(3, 2)):
        puzzle = random_puzzle(rng, geometry, 0.35, 0.7)
        shape = geometry.box_rows, geometry.box_columns
        assert count(puzzle, 3, settings).number == count_solutions(*shape, puzzle.grid.digits, 3)
    small = Geometry(2, 2)
    assert check(clashing_puzzle(small), settings).verdict is Verdict.NONE
    assert check(Puzzle(pattern_grid(small)), settings).verdict is Verdict.UNIQUE
    assert check(Puzzle(Grid.empty(small)), settings).verdict is Verdict.MULTIPLE


@pytest.mark.parametrize(
    "command", [COMMANDS[0], *(pytest.param(c, marks=pytest.mark.slow) for c in COMMANDS[1:])]
)
def test_real_solvers_solve_a_hard_puzzle(command: str) -> None:
    require_program(command)
    outcome = check(HARD, Settings(command=command))
    assert (outcome.verdict, outcome.solution) == (Verdict.UNIQUE, HARD_SOLUTION)


@sampled(3, "command", COMMANDS)
def test_real_solvers_are_stopped_at_the_timeout(command: str) -> None:
    require_program(command)
    started = time.perf_counter()
    outcome = check(TOO_HARD, Settings(command=command, limits=Limits(timeout=0.1)))
    assert time.perf_counter() - started < SOON
    assert outcome.verdict is Verdict.UNDECIDED
    assert outcome.reason == "not decided within 0.1 s"


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("exit 3", "solver failed with exit code 3: no message"),
        ("echo 'out of luck' >&2; exit 1", "solver failed with exit code 1: out of luck"),
        ("exit 0", "solver gave no answer"),
        ("exit 20", "solver gave no answer"),
        ("kill -9 $$", "solver was killed by signal 9"),
        ("echo 's SATISFIABLE'; kill -9 $$", "solver was killed by signal 9"),
        ("kill -11 $$", "solver was killed by signal 11"),
        ("echo 's SATISFIABLE'; echo 'v 1 -2'", "the answer of .* is cut off"),
        ("echo 's SATISFIABLE'", "found a solution but did not print it; does it want a file"),
        ("echo 's MAYBE'", "'MAYBE' is not a solver's status"),
        ("echo 's SATISFIABLE'; echo 's UNSATISFIABLE'", "but another on line 1"),
        ("echo 'v 1 x 0'", "'x' is not a literal"),
        ("head -c 1000 /dev/urandom | tr -d '\\n'", "solver"),
    ],
)
def test_solvers_that_die_or_babble_are_clear_errors(
    script: str, words: str, program: MakeProgram
) -> None:
    with pytest.raises(SatdokuError, match=words):
        check(Puzzle(Grid.empty(Geometry(2, 2))), Settings(command=program(script)))


def test_solvers_that_lie_are_found_out(program: MakeProgram) -> None:
    swapped = HARD_SOLUTION.with_digits({1: HARD_SOLUTION.digits[2], 2: HARD_SOLUTION.digits[1]})
    other = Grid(HARD.geometry, tuple(digit % 9 + 1 for digit in HARD_SOLUTION.digits))
    missing = HARD_SOLUTION.with_digits({1: 0})
    for lie, fault in (
        (swapped, "are both"),
        (other, "r1c1 is 9, but the puzzle gives 8"),
        (missing, "r1c2 is empty"),
    ):
        command = program(f"echo 's SATISFIABLE'; echo 'v {values(lie)} 0'")
        with pytest.raises(SolverError, match=f"the answer of .* is wrong: .*{fault}"):
            check(HARD, Settings(command=command))


def test_a_solver_that_ignores_the_blocking_clause_is_found_out(program: MakeProgram) -> None:
    command = program(f"echo 's SATISFIABLE'; echo 'v {values(HARD_SOLUTION)} 0'")
    with pytest.raises(SolverError):
        check(HARD, Settings(command=command))


def test_a_solver_that_gives_up_leaves_the_puzzle_undecided(program: MakeProgram) -> None:
    outcome = check(HARD, Settings(command=program("echo 's UNKNOWN'")))
    assert outcome.verdict is Verdict.UNDECIDED
    assert "gave up" in outcome.reason


def test_a_hanging_solver_is_stopped_with_all_its_children(
    program: MakeProgram, tmp_path: Path
) -> None:
    command = program(f"sleep 60 & echo $! > {tmp_path}/child; wait; sleep 60")
    started = time.perf_counter()
    outcome = check(HARD, Settings(command=command, limits=Limits(timeout=0.4)))
    assert time.perf_counter() - started < SOON
    assert outcome.verdict is Verdict.UNDECIDED
    assert has_ended(int((tmp_path / "child").read_text()))


def has_ended(process: int) -> bool:
    """Whether a process is gone, or dead and only not yet buried by its parent."""
    for _ in range(100):
        try:
            os.kill(process, 0)
            state = Path(f"/proc/{process}/stat").read_text().rsplit(")")[-1].split()[0]
        except (ProcessLookupError, FileNotFoundError):
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


def test_an_answer_that_comes_too_late_in_pieces_is_undecided(program: MakeProgram) -> None:
    command = program("echo 's SATISFIABLE'; sleep 60")
    outcome = check(HARD, Settings(command=command, limits=Limits(timeout=0.3)))
    assert outcome.verdict is Verdict.UNDECIDED


def test_talk_around_the_answer_is_passed_over(program: MakeProgram) -> None:
    command = program(
        f"""cat > /dev/null
        echo 'c a solver'; echo 'Parsing...'
        if test -e "$0.asked"; then echo 's UNSATISFIABLE'; exit 20; fi
        touch "$0.asked"
        echo 's SATISFIABLE'; echo 'v {values(HARD_SOLUTION)}' ; echo 'v 0'; exit 10"""
    )
    outcome = check(HARD, Settings(command=command))
    assert (outcome.verdict, outcome.solution) == (Verdict.UNIQUE, HARD_SOLUTION)


def test_the_formula_comes_on_standard_input_or_in_a_file(program: MakeProgram) -> None:
    header = "grep -q '^p cnf 729 [1-9][0-9]*$'"
    impossible = Puzzle(HARD.grid.with_digits({1: HARD.grid.digits[0]}))
    for command in (
        program(f"{header} && echo 's UNSATISFIABLE'"),
        program(f"{header} $1 && echo 's UNSATISFIABLE'") + " {cnf}",
        program(f"{header} $1 && echo UNSAT > $2; echo noise 1 2 3") + " {cnf} {out}",
    ):
        assert check(impossible, Settings(command=command)).verdict is Verdict.NONE


@for_each(
    "command, words",
    [
        ("no-such-solver -q", "there is no program 'no-such-solver' on this machine"),
        ("/no/such/solver", "there is no program '/no/such/solver'"),
        ("/", "no program|is a folder"),
        ("solver 'unclosed", "cannot be read"),
        (" ", "empty"),
    ],
)
def test_commands_that_cannot_be_run_are_refused(command: str, words: str) -> None:
    with pytest.raises(SolverError, match=words):
        check(HARD, Settings(command=command))


def test_a_file_that_is_no_program_is_refused(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_text("nothing")
    with pytest.raises(SolverError, match="there is no program"):
        check(HARD, Settings(command=str(plain)))
    plain.chmod(0o755)
    with pytest.raises(SolverError, match="cannot be started: Exec format error"):
        check(HARD, Settings(command=str(plain)))


def test_strangers_cannot_be_stopped_after_conflicts(program: MakeProgram) -> None:
    settings = Settings(command=program("exit 0"), limits=Limits(conflicts=10))
    with pytest.raises(SolverError, match="cannot be stopped after a number of conflicts"):
        check(HARD, settings)


def test_a_limit_during_loading_closes_what_was_opened(program: MakeProgram) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check(HARD, Settings(command=program("exit 0"), limits=Limits(timeout=0.0)))
        gc.collect()
    assert [str(warning.message) for warning in caught] == []


@pytest.mark.parametrize(("known", "word"), [(0, "no solution"), (1, "no other solution")])
def test_a_wrong_no_is_found_out(known: int, word: str, tmp_path: Path) -> None:
    """A solver that stops finding solutions too early is believed neither at once nor later."""
    puzzle = Puzzle(Grid.empty(Geometry(2, 2)))
    script = tmp_path / "liar.sh"
    solution = pattern_grid(puzzle.geometry)
    literals = " ".join(str(cell * 4 + digit) for cell, digit in enumerate(solution.digits))
    script.write_text(
        f"n=$(cat {tmp_path}/n 2>/dev/null || echo 0); echo $((n+1)) > {tmp_path}/n\n"
        f"if [ $n -lt {known} ]; then echo s SATISFIABLE; echo v {literals} 0; "
        "else echo s UNSATISFIABLE; fi\n"
    )
    with pytest.raises(SolverError, match=word):
        check(puzzle, Settings(command=f"sh {script}"))
