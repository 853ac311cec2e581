import gzip
import subprocess
from pathlib import Path

import pytest

from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.symmetry import pattern_grid
from tests.commands import (
    AMBIGUOUS,
    CLASHING,
    EASY,
    EASY_SOLUTION,
    SATDOKU,
    SMALL,
    SMALL_SOLUTION,
    Result,
    require_failure,
    require_program,
    run,
)
from tests.crossing import crossed, sampled
from tests.each import for_each

ROWS = "1234\n3412\n4123\n2341\n"
TRUE = [4 * cell + int(digit) for cell, digit in enumerate(SMALL_SOLUTION)]
MODEL = [n if n in TRUE else -n for n in range(1, 65)]
WORDS = " ".join(map(str, MODEL))
LINES = "".join(f"v {' '.join(map(str, MODEL[n : n + 9]))}\n" for n in range(0, 64, 9))

SOLVERS = [
    "cadical -q {cnf} > {out}",
    "cadical {cnf} > {out}",
    "minisat {cnf} {out} > /dev/null",
    "cryptominisat5 --verb 0 {cnf} > {out}",
    "cryptominisat5 {cnf} > {out}",
    "clasp --verbose=0 {cnf} > {out}",
    "clasp {cnf} > {out}",
]


@pytest.fixture
def formula(tmp_path: Path) -> Path:
    path = tmp_path / "p.cnf"
    assert run("export", SMALL, "-o", path).code == 0
    return path


@for_each(
    "answer",
    [
        f"s SATISFIABLE\nv {WORDS} 0\n",
        f"c noise\n\ns SATISFIABLE\n{LINES}v 0\nc more\n",
        f"{LINES}v 0\ns SATISFIABLE\n",
        f"SAT\n{WORDS} 0\n",
        f"WARNING: something\nSAT\n{WORDS} 0\n",
        f"{WORDS} 0\n",
        WORDS,
        WORDS.replace(" ", "\n"),
        f"s SATISFIABLE\r\nv {WORDS} 0\r\n",
        " ".join(map(str, TRUE)),
        f"v {' '.join(map(str, TRUE[::-1]))} 0",
    ],
)
def test_answers_of_every_shape_are_read(answer: str, formula: Path, tmp_path: Path) -> None:
    assert run("decode", formula, stdin=answer) == (0, ROWS, "")
    assert run("decode", formula, "-", stdin=answer) == (0, ROWS, "")
    assert run("decode", SMALL, stdin=answer) == (0, ROWS, "")
    (tmp_path / "answer").write_text(answer)
    assert run("decode", formula, tmp_path / "answer") == (0, ROWS, "")


@crossed(4, command=SOLVERS, encoding=["minimal", "extended", "triads", "reduced"])
def test_answers_of_real_solvers_are_read(command: str, encoding: str, tmp_path: Path) -> None:
    require_program(command.split()[0])
    cnf, out = tmp_path / "p.cnf", tmp_path / "out"
    run("export", EASY, "--encoding", encoding, "--at-most-one", "sequential", "-o", cnf)
    subprocess.run(["sh", "-c", command.format(cnf=cnf, out=out)], timeout=60, check=False)
    assert run("decode", cnf, out, "--to", "line") == (0, EASY_SOLUTION + "\n", "")


@sampled(
    3,
    "command, arguments, words",
    [
        (command, *refuted)
        for command in SOLVERS
        for refuted in (
            ([CLASHING], "no solution"),
            ([EASY, "--unique"], "blocked solution is the only one"),
        )
    ],
)
def test_refutations_of_real_solvers_are_read(
    command: str, arguments: list[str], words: str, tmp_path: Path
) -> None:
    require_program(command.split()[0])
    cnf, out = tmp_path / "p.cnf", tmp_path / "out"
    run("export", *arguments, "-o", cnf)
    subprocess.run(["sh", "-c", command.format(cnf=cnf, out=out)], timeout=60, check=False)
    result = run("decode", cnf, out)
    require_failure(result, words, code=20)
    assert result.stdout == ""


def test_a_pipe_from_solver_to_decoder(tmp_path: Path) -> None:
    require_program("cadical")
    satdoku = " ".join(SATDOKU)
    shell = f"{satdoku} export {EASY} -o p.cnf && cadical -q p.cnf | {satdoku} decode p.cnf"
    done = subprocess.run(
        ["sh", "-c", shell], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.replace("\n", "") == EASY_SOLUTION
    assert done.returncode == 0


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
def test_formula_and_answer_may_be_compressed(suffix: str, tmp_path: Path) -> None:
    run("export", SMALL, "-o", tmp_path / f"p.cnf{suffix}")
    (tmp_path / "answer.gz").write_bytes(gzip.compress(WORDS.encode()))
    result = run("decode", tmp_path / f"p.cnf{suffix}", tmp_path / "answer.gz")
    assert result == (0, ROWS, "")


@for_each(
    "to, start",
    [("line", SMALL_SOLUTION), ("rows", "1234\n"), ("grid", "+---"), ("json", "[["), ("csv", "")],
)
def test_the_grid_is_written_in_any_format(to: str, start: str, formula: Path) -> None:
    result = run("decode", formula, "--to", to, stdin=WORDS)
    assert result.code == 0
    assert result.stdout.startswith(start)
    assert "".join(c for c in result.stdout if c in "1234").endswith(SMALL_SOLUTION)


def test_the_puzzle_may_come_from_a_file_or_from_stdin(tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_text(SMALL)
    (tmp_path / "answer").write_text(WORDS)
    assert run("decode", tmp_path / "p.txt", stdin=WORDS) == (0, ROWS, "")
    assert run("decode", "-", tmp_path / "answer", stdin=SMALL) == (0, ROWS, "")


def test_a_formula_of_others_needs_no_comments(tmp_path: Path) -> None:
    lines = run("export", SMALL).lines
    path = tmp_path / "p.txt"
    path.write_text("".join(f"{line}\n" for line in lines if not line.startswith("c")))
    assert run("decode", path, stdin=WORDS) == (0, ROWS, "")
    assert run("decode", path, "--box", "2x2", stdin=WORDS) == (0, ROWS, "")
    latin = run("decode", path, "--box", "1x4", stdin=WORDS)
    assert latin.code == 0


def flipped(position: int) -> str:
    literals = list(MODEL)
    literals[position] *= -1
    return " ".join(map(str, literals))


@for_each("position", range(0, 64, 3))
def test_a_flipped_literal_is_refused(position: int, formula: Path) -> None:
    result = run("decode", formula, stdin=flipped(position))
    require_failure(result, "stdin: the answer ")
    assert result.stdout == ""


def test_the_violated_clause_is_named_with_its_rule(formula: Path) -> None:
    line = formula.read_text().splitlines().index("-1 -2 0") + 1
    result = run("decode", formula, stdin=flipped(1))
    words = f"violates the clause on line {line} of the formula, -1 -2 0 (r1c1 has at most one"
    require_failure(result, words)


def test_an_answer_to_another_puzzle_is_refused(formula: Path) -> None:
    other = " ".join(map(str, (4 * c + int(d) for c, d in enumerate("1234341243212143"))))
    require_failure(run("decode", formula, stdin=other), "violates the clause", "r3c4 is given")
    require_failure(run("decode", SMALL, stdin=other), "not a solution", "r3c4 is ")


def test_an_answer_is_checked_against_the_rules_too(tmp_path: Path) -> None:
    """Even where the formula allows it."""
    path = tmp_path / "p.cnf"
    path.write_text("c board 4x4 with boxes of 2x2\np cnf 64 1\n1 2 3 4 0\n")
    wrong = " ".join(str(4 * cell + 1) for cell in range(16))
    require_failure(run("decode", path, stdin=wrong), "not a solution of the puzzle", "both 1")


@for_each("count", [0, 1, 10, 40, 60])
def test_a_truncated_answer_is_refused(count: int, formula: Path) -> None:
    answer = "s SATISFIABLE\nv " + " ".join(map(str, MODEL[:count]))
    require_failure(run("decode", formula, stdin=answer), "settles no digit", "cut off")


@for_each(
    "answer, code, words",
    [
        ("UNSAT\n", 20, "no solution"),
        ("s UNSATISFIABLE\n", 20, "the solver says that the formula has no model, which is not"),
        ("INDET\n", 124, "gave up"),
        ("s UNKNOWN\n", 124, "gave up"),
        ("c UNKNOWN\n", 124, "gave up"),
        ("", 1, "no answer"),
        ("c only talk\n", 1, "no answer"),
        ("Killed\n", 1, "no answer"),
        ("Segmentation fault (core dumped)\n", 1, "no answer"),
        ("s SATISFIABLE\ns UNSATISFIABLE\n", 1, "stdin:2"),
        (f"s UNSATISFIABLE\nv {WORDS} 0\n", 1, "yet there are values"),
        (f"v {WORDS} 0\nv {WORDS} 0\n", 1, "more than one answer"),
        ("p cnf 3 1\n1 2 0\n", 1, "this is a formula, not a solver's answer"),
        ("S SATISFIABLE\nV 1 -2 0\n", 1, "stdin:1: this line must begin with a lowercase s"),
        ("V 1 -2 0\n", 1, "stdin:1: this line must begin with a lowercase v"),
        ("v 1 -1 0\n", 1, "contradict each other"),
        (f"{WORDS} 65 0\n", 1, "variable 65"),
        ("v 1 two 0\n", 1, "'two' is not a literal"),
    ],
)
def test_other_answers(answer: str, code: int, words: str, formula: Path) -> None:
    result = run("decode", formula, stdin=answer)
    require_failure(result, words, code=code)
    assert result.stdout == ""


@for_each("begin", ["s SATISFIABLE\n", "c talk\ns UNSATISFIABLE\n", "v 1 -2 0\n", "SAT\n1 -2 0\n"])
def test_an_answer_in_place_of_the_formula_is_told(
    begin: str, formula: Path, tmp_path: Path
) -> None:
    path = tmp_path / "answer"
    path.write_text(begin)
    require_failure(run("decode", path, formula), "solver's answer; the formula must come first")


@pytest.mark.parametrize("data", [b"\0\1\2", b"\x1f\x8b\x08\0", b"\x7fELF", b"\xff\xfe1 2 0"])
def test_a_binary_file_as_answer_is_refused(data: bytes, formula: Path, tmp_path: Path) -> None:
    path = tmp_path / "answer"
    path.write_bytes(data)
    assert_refused(run("decode", formula, path))
    assert_refused(run("decode", formula, stdin=data))


def assert_refused(result: Result) -> None:
    require_failure(result, ": ")
    assert "not text" in result.stderr or "no answer" in result.stderr


def test_a_damaged_compressed_answer_is_refused(formula: Path, tmp_path: Path) -> None:
    path = tmp_path / "answer.gz"
    path.write_bytes(gzip.compress(WORDS.encode())[:-9])
    require_failure(run("decode", formula, path), "answer.gz cannot be read")


def test_missing_files_are_named(formula: Path, tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    require_failure(run("decode", formula, missing), f"{missing} cannot be read: No such file")
    require_failure(run("decode", missing), f"there is no file {missing}")
    require_failure(run("decode", formula, tmp_path), "Is a directory")
    require_failure(run("decode", tmp_path), "is a folder")


@for_each(
    "change, words",
    [
        (lambda text: text[:300], "p.cnf:"),
        (lambda text: text.replace("p cnf 64", "p cnf 63"), "needs 64 variables"),
        (lambda text: text.replace("p cnf ", "p dnf "), "the header must be"),
        (lambda text: text.replace("p cnf", "c p cnf"), "before the header"),
        (lambda text: text.replace("\n1 2 3 4 0", "\n1 2 x 4 0"), "'x' is not a literal"),
        (lambda text: text + "1 0\n", "header promises"),
        (lambda text: text.replace("2x2", "3x3"), "needs 729 variables"),
        (lambda text: text.replace("2x2", "0x2"), "no cells"),
        (lambda text: "p cnf 0 0\n", "--box"),
    ],
)
def test_a_damaged_formula_is_refused(change: object, words: str, formula: Path) -> None:
    assert callable(change)
    damaged = formula.parent / "damaged" / formula.name
    damaged.parent.mkdir(exist_ok=True)
    damaged.write_text(change(formula.read_text()))
    require_failure(run("decode", damaged, stdin=WORDS), words)


def test_an_answer_to_a_large_puzzle_needs_no_clauses() -> None:
    """The rules of an empty 100x100 board are 200 million clauses; the judge needs none of them."""
    grid = pattern_grid(Geometry.of_size(100))
    values = " ".join(str(100 * cell + digit) for cell, digit in enumerate(grid.digits))
    result = run("decode", "0 " * 10_000, "--to", "rows", stdin=f"v {values} 0\n")
    assert result.code == 0, result.stderr
    assert len(result.stdout.splitlines()) == 100


def test_the_check_of_an_answer_has_a_limit(formula: Path) -> None:
    result = run("decode", formula, "--timeout", "0.0000001", stdin=WORDS)
    assert (result.code, result.stdout) == (124, "")
    assert result.stderr == "stdin: not decided within 1e-07 s\n"


def test_several_puzzles_are_refused(tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text(f"{EASY}\n{EASY}\n")
    require_failure(run("decode", tmp_path / "many.txt", stdin=WORDS), "several puzzles")


@for_each(
    "arguments", [[], ["-", "-"], ["-"], ["a", "b", "c"], ["a", "--to", "x"], ["a", "--box", "3"]]
)
def test_wrong_usage(arguments: list[str]) -> None:
    require_failure(run("decode", *arguments), code=2)


def test_another_solution_of_an_ambiguous_puzzle_is_one(tmp_path: Path) -> None:
    require_program("cadical")
    path = tmp_path / "p.cnf"
    run("export", AMBIGUOUS, "--unique", "-o", path)
    done = subprocess.run(["cadical", "-q", path], capture_output=True, text=True, timeout=60)
    result = run("decode", path, "--to", "line", stdin=done.stdout)
    assert result.code == 0
    assert result.stdout.strip() not in path.read_text()
