"""Models in MiniZinc: read here as expressions of Python, they hold for exactly the solutions."""

import re
import shutil
import subprocess
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import satdoku
from tests.commands import EASY, EASY_SOLUTION, SMALL, SMALL_SOLUTION, require_failure, run
from tests.crossing import few_or_many
from tests.oracle import solutions_of
from tests.rule_boards import RuleBoard, rule_boards


class FromOne(list[int]):
    """A list whose entries count from 1."""

    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__(index - 1)


def different(values: list[int]) -> bool:
    return len(set(values)) == len(values)


def regular(
    values: list[int], states: int, size: int, table: list[list[int]], start: int, ends: range
) -> bool:
    assert len(table) == states
    assert all(len(row) == size for row in table)
    state = start
    for value in values:
        state = table[state - 1][value - 1]
        if not state:
            return False
    return state in ends


def as_python(expression: str) -> str:
    def rows(found: re.Match[str]) -> str:
        return "[" + ", ".join(f"[{row}]" for row in found[1].split("|")) + "]"

    text = re.sub(r"\[\|(.*?)\|\]", rows, expression)
    text = re.sub(r"(\[[-\d, ]+\])(?=\[x\[)", r"FromOne(\1)", text)
    text = re.sub(r"x\[(\d+),(\d+)\]", r"x[(\1, \2)]", text)
    text = re.sub(r"(\d+)\.\.(\d+)", r"range(\1, \2 + 1)", text)
    text = text.replace(" \\/ ", " or ").replace(" /\\ ", " and ")
    return re.sub(r"(?<![!<>=])=(?!=)", "==", text)


def solutions_by(model: str, boards: list[tuple[int, ...]]) -> set[tuple[int, ...]]:
    """The boards for which every constraint of a model holds."""
    texts = re.findall(r"^constraint (.*?); %", model, re.MULTILINE)
    assert texts
    codes = [compile(as_python(text), text, "eval") for text in texts]
    names = {"alldifferent": different, "regular": regular, "FromOne": FromOne, "range": range}
    found = set()
    for board in boards:
        x = {(n // 4 + 1, n % 4 + 1): digit for n, digit in enumerate(board)}
        if all(eval(code, {"__builtins__": {}, **names, "x": x}) for code in codes):
            found.add(board)
    return found


def puzzle_of(board: RuleBoard) -> satdoku.Puzzle:
    grid = satdoku.Grid(satdoku.Geometry(*board.box), board.digits)
    return satdoku.parse(grid, rules=board.rules)


@few_or_many("count", 20, 40)
@pytest.mark.parametrize("seed", ["a", pytest.param("b", marks=pytest.mark.slow)])
def test_models_have_the_solutions_that_the_rules_define(seed: str, count: int) -> None:
    latin = [tuple(each) for each in solutions_of(1, 4, [0] * 16)]
    tried = refused = 0
    for board in islice(rule_boards(f"minizinc {seed}"), count):
        puzzle = puzzle_of(board)
        line = satdoku.write(puzzle, "json")
        result = run("export", "-", "--to", "mzn", stdin=line)
        if result.code:
            assert "MiniZinc has no word for" in result.stderr, (board.rules, result)
            refused += 1
            continue
        assert solutions_by(result.stdout, latin) == board.solutions, board.rules
        tried += 1
    assert tried > count // 2


def test_a_rule_that_no_word_states_is_named() -> None:
    result = run("export", "." * 16, "--rule", "full-rank:row1=4", "--to", "mzn")
    assert "MiniZinc has no word for this rule: read as a number, row 1 has" in result.stderr
    assert result.stdout == ""


def test_the_known_solution_may_be_left_out() -> None:
    model = run("export", SMALL, "--to", "mzn", "--unique").stdout
    latin = [tuple(each) for each in solutions_of(2, 2, [0] * 16)]
    assert solutions_by(model, latin) == set()
    plain = run("export", SMALL, "--to", "mzn").stdout
    assert solutions_by(plain, latin) == {tuple(map(int, SMALL_SOLUTION))}


def test_options_about_clauses_are_refused(tmp_path: Path) -> None:
    for option in (["--encoding", "minimal"], ["--annotate"]):
        result = run("export", SMALL, "-o", tmp_path / "p.mzn", *option)
        require_failure(result, "exclude each other", code=2)
    model = tmp_path / "p.mzn"
    run("export", SMALL, "-o", model)
    assert model.read_text().startswith("% satdoku")
    require_failure(run("decode", model, "-"), "are written only")


def test_the_program_finds_the_solution(tmp_path: Path) -> None:
    minizinc = shutil.which("minizinc")
    if minizinc is None:
        pytest.skip("the program minizinc is not on the PATH")
    model = tmp_path / "p.mzn"
    run("export", EASY, "-o", model, "--rule", "thermo:r1c2,r1c1")
    done = subprocess.run([minizinc, str(model)], capture_output=True, text=True)
    rows = done.stdout.splitlines()[:9]
    assert "".join("".join(rows).split()) == EASY_SOLUTION, done
