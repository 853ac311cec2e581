"""Formulas of every kind, from `export` to a solver and back through `decode`."""

import bz2
import gzip
import lzma
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import (
    CLASHING,
    EASY,
    EASY_SOLUTION,
    SMALL,
    SMALL_SOLUTION,
    require_failure,
    require_program,
    run,
)
from tests.crossing import crossed, sampled
from tests.each import for_each

SMALL_ROWS = "1234\n3412\n4123\n2341\n"
TRUE = [4 * cell + int(digit) for cell, digit in enumerate(SMALL_SOLUTION)]
LITERALS = [n if n in TRUE else -n for n in range(1, 65)]
BITS = "".join("1" if n in TRUE else "0" for n in range(1, 65))
NAMED = " ".join(f"x{n}" if n > 0 else f"-x{-n}" for n in LITERALS)
UNPACK = {"": bytes, ".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress}


@for_each("packing", UNPACK)
@for_each("kind", ["cnf", "opb", "wcnf"])
def test_the_name_says_what_is_written(kind: str, packing: str, tmp_path: Path) -> None:
    path = tmp_path / f"p.{kind}{packing}"
    assert run("export", SMALL, "-o", path) == (0, "", "")
    unpack = UNPACK[packing]
    assert callable(unpack)
    assert unpack(path.read_bytes()).decode() == run("export", SMALL, "--to", kind).stdout
    assert run("decode", path, stdin=f"v {BITS}") == (0, SMALL_ROWS, "")


@for_each("answer", [f"v {NAMED}", f"v {BITS}", "v " + " ".join(map(str, LITERALS))])
@for_each("status", ["", "s SATISFIABLE\n", "s OPTIMUM FOUND\n", "o 0\n"])
@for_each("kind", ["cnf", "opb", "wcnf"])
def test_answers_of_every_shape_are_read(
    kind: str, status: str, answer: str, tmp_path: Path
) -> None:
    path = tmp_path / "formula"
    path.write_text(run("export", SMALL, "--to", kind).stdout)
    assert run("decode", path, stdin=f"{status}{answer}\n") == (0, SMALL_ROWS, "")


@pytest.mark.parametrize(
    ("kind", "options", "word"),
    [
        ("opb", ["--encoding", "extended"], "--encoding"),
        ("opb", ["--at-most-one", "pairwise"], "--at-most-one"),
        ("wcnf", ["--encoding", "reduced"], "--encoding reduced"),
        ("wcnf", ["--unique"], "--unique"),
    ],
)
def test_options_that_cannot_apply_are_refused_by_name(
    kind: str, options: list[str], word: str, tmp_path: Path
) -> None:
    for place in (["--to", kind], ["-o", tmp_path / f"p.{kind}"]):
        result = run("export", SMALL, *place, *options)
        require_failure(result, word, kind.upper(), code=2)
    require_failure(run("export", SMALL, "-d", tmp_path, "--to", kind, *options), word, code=2)
    assert list(tmp_path.iterdir()) == []


@for_each("name", ["p.smt2", "p.cnf.lz4", "p.opb.zip", "p.drat"])
def test_other_names_are_refused(name: str, tmp_path: Path) -> None:
    result = run("export", SMALL, "-o", tmp_path / name)
    require_failure(result, f"{name} would be no ", ".wcnf")
    assert list(tmp_path.iterdir()) == []


def test_what_is_asked_for_twice_must_agree(tmp_path: Path) -> None:
    result = run("export", SMALL, "--to", "cnf", "-o", tmp_path / "p.opb")
    require_failure(result, "--to cnf contradicts the name", code=2)
    assert run("export", SMALL, "--to", "opb", "-o", tmp_path / "p.opb").code == 0


def test_a_folder_gets_the_kind_that_was_asked_for(tmp_path: Path) -> None:
    assert run("export", SMALL, EASY, "-d", tmp_path, "--to", "wcnf").code == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["argument-00000001.wcnf", "argument-00000002.wcnf"]


def test_clasp_solves_what_is_exported(tmp_path: Path) -> None:
    clasp = require_program("clasp")
    run("export", EASY, "-o", tmp_path / "p.opb")
    for options in ([], ["--verbose=0"]):
        said = subprocess.run(
            [clasp, *options, tmp_path / "p.opb"], capture_output=True, text=True, timeout=60
        )
        result = run("decode", tmp_path / "p.opb", "--to", "line", stdin=said.stdout)
        assert result == (0, EASY_SOLUTION + "\n", "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [([CLASHING], "no solution"), ([EASY, "--unique"], "blocked solution is the only one")],
)
def test_clasp_refutes_what_is_exported(arguments: list[str], words: str, tmp_path: Path) -> None:
    clasp = require_program("clasp")
    run("export", *arguments, "-o", tmp_path / "p.opb")
    said = subprocess.run([clasp, tmp_path / "p.opb"], capture_output=True, text=True, timeout=60)
    require_failure(run("decode", tmp_path / "p.opb", stdin=said.stdout), words, code=20)


@pytest.mark.parametrize("options", [[], ["--vnew"]])
def test_rc2_drops_what_has_to_be_dropped(options: list[str], tmp_path: Path) -> None:
    path = tmp_path / "p.wcnf"
    run("export", CLASHING, "-o", path)
    command = [sys.executable, "-m", "pysat.examples.rc2", "-vv", *options, str(path)]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60)
    result = run("decode", path, "--to", "line", stdin=said.stdout)
    assert (result.code, result.stdout) == (20, EASY_SOLUTION + "\n")
    assert result.stderr == (
        "stdin: 1 given dropped: r1c2 is 3, not 5; "
        "the puzzle has no solution, and no grid keeps more givens\n"
    )


WRONG = f"2{SMALL[1:]}"


@for_each(
    "answer, code, words",
    [
        (f"s OPTIMUM FOUND\no 1\nv {BITS}\n", 20, "r1c1 is 1, not 2; the puzzle has no solution"),
        (f"s SATISFIABLE\nv {BITS}\n", 124, "does not say whether another grid keeps more"),
        (f"s OPTIMUM FOUND\no 2\nv {BITS}\n", 1, "says that its answer costs 2, but it costs 1"),
        (f"s OPTIMUM FOUND\nv 1{BITS[1:4]}{BITS[:60]}\n", 1, "violates the clause on line"),
        (f"s OPTIMUM FOUND\nv {BITS[:-4]}\n", 1, "settles no digit for r4c4"),
        (f"s OPTIMUM FOUND\nv {BITS}1\n", 1, "variable 65"),
        ("s UNSATISFIABLE\n", 20, "no grid obeys the rules"),
    ],
)
def test_an_answer_that_drops_givens_is_judged(
    answer: str, code: int, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "p.wcnf"
    run("export", WRONG, "-o", path)
    result = run("decode", path, stdin=answer)
    drops_one = words.startswith(("r1c1 is", "does not say"))
    assert result.stdout == (SMALL_ROWS if drops_one else "")
    require_failure(result, words, code=code)


def test_a_broken_constraint_is_named_with_its_rule(tmp_path: Path) -> None:
    path = tmp_path / "p.opb"
    run("export", SMALL, "-o", path)
    line = path.read_text().splitlines().index("+1 x1 +1 x2 +1 x3 +1 x4 = 1 ;") + 1
    result = run("decode", path, stdin=f"v {NAMED.replace('-x2 ', 'x2 ')}")
    words = f"violates the constraint on line {line} of the formula", "r1c1 has exactly one digit"
    require_failure(result, *words)


@crossed(
    2,
    refused=[("wcnf", "15x15", "4.9 billion clauses"), ("opb", "25x40", "4.0 billion terms")],
)
def test_formulas_of_billions_are_refused_in_every_kind(
    refused: tuple[str, str, str], tmp_path: Path
) -> None:
    kind, box, words = refused
    result = run("export", "--rules-only", box, "-o", tmp_path / f"p.{kind}")
    require_failure(result, words)
    assert "--encoding" not in result.stderr
    assert list(tmp_path.iterdir()) == []


@sampled(2, "kind", ["opb", "wcnf"])
def test_a_large_formula_is_streamed(kind: str) -> None:
    """A board of 20x20 needs hardly more memory than one of 4x4."""
    script = (
        "import resource, sys; from satdoku.cli.main import run;"
        "sys.stdout = open('/dev/null', 'w');"
        "\nfor box in ('2x2', '4x5'):"
        "\n    run(['export', '--rules-only', box, '--to', sys.argv[1]])"
        "\n    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    assert resource.RUSAGE_SELF == 0
    command = [sys.executable, "-c", script, kind]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    small, large = map(int, said.split())
    assert large - small < 20_000, f"{large - small} KB"
