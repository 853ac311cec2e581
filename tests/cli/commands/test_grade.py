"""`satdoku grade`."""

import json
from pathlib import Path

import pytest

from tests.commands import AMBIGUOUS, CLASHING, EASY, EASY_SOLUTION, require_failure, run

CHANGED = f"6{EASY_SOLUTION[1:]}"
ANSWERS = {
    EASY_SOLUTION: "right",
    CHANGED: "wrong: 1 wrong cell (r1c1 is 6, given as 5); 1 given changed; "
    "r1c1 and r1c4 are both 6, in row 1",
    f"{EASY_SOLUTION[:-1]}.": "incomplete: 1 cell empty",
    f"{EASY_SOLUTION[:2]}1{EASY_SOLUTION[3:8]}.{EASY_SOLUTION[9:]}": "wrong: 1 wrong cell "
    "(r1c3 is 1); 1 cell empty; r1c3 and r1c8 are both 1, in row 1",
    EASY_SOLUTION[:-1]: "malformed: 80 cells found, expected 81 for 9x9",
    "I cannot solve this.": "malformed: there is no board in the answer",
    "": "missing: there is no answer",
}


def write(folder: Path, answers: str, count: int = 1, name: str = "answers.txt") -> tuple[str, str]:
    puzzles, path = folder / "puzzles.txt", folder / name
    puzzles.write_text(f"{EASY}\n" * count)
    path.write_text(answers)
    return str(puzzles), str(path)


def test_each_kind_of_answer_has_its_grade(tmp_path: Path) -> None:
    names = write(tmp_path, "\n".join([*ANSWERS, EASY_SOLUTION]), len(ANSWERS) + 1)
    result = run("grade", *names)
    assert result.lines == [*ANSWERS.values(), "right"]
    assert result.code == 1
    assert "2 right, 2 wrong, 1 incomplete, 2 malformed, 1 missing" in result.stderr


def test_any_solution_is_right_where_there_are_several() -> None:
    for answer in ("1234341221434321", "1 2 3 4\n3 4 1 2\n4 3 2 1\n2 1 4 3\n"):
        assert run("grade", AMBIGUOUS, answer) == (0, "right\n", "")
    assert run("grade", AMBIGUOUS, "-", stdin="[[1,2,3,4],[3,4,1,2],[2,1,4,3],[4,3,2,1]]").code == 0
    assert run("grade", AMBIGUOUS, "12..............").lines == ["incomplete: 14 cells empty"]


def test_digits_that_no_solution_has_together_are_wrong() -> None:
    # Both are possible, each with another digit in the other cell.
    found = run("grade", AMBIGUOUS, "12....1....2.1..").lines
    assert found == ["wrong: no solution has all of these digits"]
    [line] = run("grade", CLASHING, EASY_SOLUTION).lines
    assert line.startswith("wrong: 1 wrong cell (r1c2 is 3, given as 5); 1 given changed")


@pytest.mark.parametrize(
    ("name", "text", "options"),
    [
        ("a.csv", f'id,response\n1,"Here it is:\n{EASY_SOLUTION}\n"\n2,no\n', []),
        ("a.csv", f"id,mine\n1,{EASY_SOLUTION}\n2,no\n", ["--answer-column", "mine"]),
        ("a.jsonl", f'{{"response": "{EASY_SOLUTION}"}}\n{{"response": "no"}}\n', []),
        ("a.jsonl", f'{{"x": "{EASY_SOLUTION}"}}\n{{"x": "no"}}\n', ["--answer-column", "x"]),
        ("a.json", f'[\n"{EASY_SOLUTION}",\n"no"\n]', []),
        ("a.json", f'["{EASY_SOLUTION}", "no"]', []),
        ("a.txt", f"{EASY_SOLUTION}\nno\n", []),
    ],
)
def test_answers_come_as_tables_objects_and_lines(
    tmp_path: Path, name: str, text: str, options: list[str]
) -> None:
    names = write(tmp_path, text, 2, name)
    lines = run("grade", *names, *options).lines
    assert lines == ["right", "malformed: there is no board in the answer"]


def test_answers_and_puzzles_may_be_in_one_table(tmp_path: Path) -> None:
    path = tmp_path / "bench.csv"
    path.write_text(f"puzzle,response\n{EASY},{EASY_SOLUTION}\n{EASY},\n")
    result = run("grade", path, path, "--csv", "-q")
    assert result.lines[0] == "puzzle,response,verdict,answer,wrong,cells,changed,empty,reason"
    assert result.lines[2] == f"{EASY},,missing,,,,,,there is no answer"


def test_objects_name_cells_givens_and_rules(tmp_path: Path) -> None:
    found = json.loads(run("grade", *write(tmp_path, CHANGED), "--json", "-q").stdout)
    assert (found["verdict"], found["wrong"], found["empty"]) == ("wrong", 1, 0)
    assert found["cells"] == found["changed"] == ["r1c1"]
    assert found["broken"][0] == "r1c1 and r1c4 are both 6, in row 1"


def test_rules_count() -> None:
    grid = "1234341221434321"
    assert run("grade", AMBIGUOUS, grid, "--rule", "anti-knight").lines == [
        "wrong: 16 wrong cells (r1c1 is 1, r1c2 is 2, r1c3 is 3, ...); r1c1 and r2c3 are both 1, "
        "a knight's move apart"
    ]


def test_more_answers_than_puzzles_are_told(tmp_path: Path) -> None:
    names = write(tmp_path, f"{EASY_SOLUTION}\n" * 3, 2)
    result = run("grade", *names)
    assert result.code == 1
    assert "1 answer more than the 2 puzzles" in result.stderr


def test_what_cannot_be_meant_is_refused(tmp_path: Path) -> None:
    require_failure(run("grade", EASY, "missing/answers.txt"), "there is no file")
    require_failure(run("grade", EASY, "asnwers"), "there is no file asnwers with answers")
    require_failure(run("grade", "-", "-"), "only one of", code=2)
    names = write(tmp_path, "id,x\n1,2\n", 2, "a.csv")
    require_failure(run("grade", *names, "--answer-column", "y"), "no column 'y'")
    result = run("grade", *names, "-o", names[1], "--force")
    require_failure(result, "is read already", code=2)


def test_a_run_is_resumed_unless_the_answers_have_changed(tmp_path: Path) -> None:
    puzzles, answers = write(tmp_path, f"{EASY_SOLUTION}\nno\n" * 2, 4)
    output = tmp_path / "graded.txt"
    run("grade", puzzles, answers, "-o", output)
    whole = output.read_text()
    Path(answers).write_text(f"{EASY_SOLUTION}\nno\n" * 2)
    assert run("grade", puzzles, answers, "-o", output, "--resume").code == 1
    assert output.read_text() == whole
