from pathlib import Path

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

from tests.commands import SMALL, SMALL_SOLUTION, require_failure, run


def test_rules_are_taken_from_the_formula_or_from_options(tmp_path: Path) -> None:
    """The answer solves the classic puzzle, and breaks the rule."""
    values = [cell * 4 + int(digit) for cell, digit in enumerate(SMALL_SOLUTION)]
    answer = "s SATISFIABLE\nv " + " ".join(map(str, values)) + " 0\n"
    plain, ruled = tmp_path / "plain.cnf", tmp_path / "ruled.cnf"
    run("export", SMALL, "-o", plain)
    run("export", SMALL, "--rule", "anti-king", "-o", ruled)
    assert run("decode", plain, stdin=answer).code == 0
    require_failure(run("decode", ruled, stdin=answer), "the answer violates")
    broken = "the answer is not a solution of the puzzle", "a king's move apart"
    require_failure(run("decode", plain, "--rule", "anti-king", stdin=answer), *broken)
    require_failure(run("decode", SMALL, "--rule", "anti-king", stdin=answer), *broken)
    assert run("decode", SMALL, "--regions", "AABBAABBCCDDCCDD", stdin=answer).code == 0


def test_the_grid_of_a_jigsaw_never_shows_the_usual_boxes(tmp_path: Path) -> None:
    puzzle = tmp_path / "jigsaw.txt"
    puzzle.write_text("..1......4....3. AAAABBCCDBBCDDDC\n")
    digits = map(int, "2314314214234231")
    answer = " ".join(str(4 * cell + digit) for cell, digit in enumerate(digits))
    shown = run("decode", puzzle, "-", "--to", "jigsaw", stdin=answer)
    assert shown.lines == ["2314314214234231 AAAABBCCDBBCDDDC"]
    refused = run("decode", puzzle, "-", "--to", "grid", stdin=answer)
    assert (refused.code, refused.stdout) == (1, "")
    assert "draws boxes, which this puzzle lacks" in refused.stderr


@pytest.mark.parametrize("to", [[], ["--to", "line"], ["--to", "json"]], ids=" ".join)
def test_digits_are_those_of_the_puzzle(to: list[str], tmp_path: Path) -> None:
    """With digits from 0 on, an answer was written one too high."""
    rules = ["--rule", "digits:0-3", "--rule", "odd:r2c1"]
    formula = tmp_path / "p.cnf"
    assert run("export", ".0.3..2....1....", *rules, "-o", formula).code == 0
    cnf = CNF(from_file=str(formula))
    with Solver("cadical195", bootstrap_with=cnf) as solver:
        assert solver.solve()
        model = " ".join(map(str, solver.get_model()))
    answer = f"s SATISFIABLE\nv {model} 0\n"
    found = "".join(c for c in run("decode", formula, "-", *to, stdin=answer).stdout if c.isdigit())
    digits = found[:16]
    assert set(digits) == set("0123")
    assert [digits[1], digits[3], digits[6], digits[11]] == ["0", "3", "2", "1"]
