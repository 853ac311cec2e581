"""`satdoku judge`: each claim on the board as it then is."""

import json
from pathlib import Path
from random import Random

import pytest

import satdoku
from satdoku import Claim, Worth
from tests.commands import AMBIGUOUS, CLASHING, EASY, EASY_SOLUTION, require_failure, run
from tests.each import for_each

SMALL = "1.....2..3.....4"
# An X-wing: the claims of digits have to wait for exclusions.
CLAIMING = "3..4...5...2...7.4...5..8.2.1......5....8.6...7..3..8.6....827..........18762...."


def test_every_worth_has_its_line() -> None:
    text = "r5c5: 5. r1c3: 4. r5c5: 5. r1c1: 6. r2c2: 3. r4c4 is not 2. r4c4 is not 7. r1c4≠5"
    lines = run("judge", EASY, text).lines
    assert [line.split(": ")[1] for line in lines[:-1]] == [
        *("follows", "unseen", "filled", "wrong", "wrong", "follows", "wrong", "follows")
    ]
    assert lines[0].startswith("r5c5=5: follows: Naked single: r5c5 can only be 5")
    assert lines[1].startswith("r1c3=4: unseen: true, but not yet seen: ")
    assert lines[3] == "r1c1=6: wrong: r1c1 is 5 already"
    assert lines[4] == "r2c2=3: wrong: r2c2 is not 3: it sees the 3 in r1c2."
    assert lines[-1] == "8 claims: 3 wrong, 1 filled, 3 follows, 1 unseen"


def test_true_claims_are_entered_and_wrong_ones_are_not() -> None:
    lines = run("judge", SMALL, "r2c1: 4, r1c2: 2, r2c1: 3, r2c2: 4").lines
    assert [line.split(": ")[1] for line in lines[:-1]] == [
        "wrong",
        "follows",
        "follows",
        "follows",
    ]
    assert "last empty cell of box 1" in lines[3]


def test_what_a_level_does_not_lead_to_is_a_guess() -> None:
    solution = satdoku.solve(CLAIMING)
    way = satdoku.explain(CLAIMING).steps
    first = next(n for n, step in enumerate(way) if step.placement is None)
    cell = next(s.placement for s in way[first:] if s.placement is not None).cell
    claim = f"{satdoku.Geometry().name_of(cell)}: {solution.digits[cell]}"
    before = " ".join(
        f"{satdoku.Geometry().name_of(s.placement.cell)}={s.placement.digit}"
        for s in way[:first]
        if s.placement is not None
    )
    answer = f"{before} {claim}"
    assert run("judge", CLAIMING, answer).lines[-2].split(": ")[1] == "unseen"
    assert run("judge", CLAIMING, answer, "--level", "singles").lines[-2].split(": ")[1] == "guess"


def test_exclusions_that_were_claimed_count_from_then_on() -> None:
    judged = satdoku.judge(AMBIGUOUS, "r1c2 is not 1; r1c2 is not 1")
    assert [each.worth for each in judged] == [Worth.FOLLOWS, Worth.FILLED]


def test_where_there_are_several_solutions_a_claim_may_be_open() -> None:
    puzzle = "12..34..2...4..."
    judged = satdoku.judge(AMBIGUOUS, "r1c2: 2; r1c2 is not 2; r1c2: 1; r2c1 is not 1")
    assert [each.worth.value for each in judged] == ["open", "open", "wrong", "follows"]
    true = satdoku.candidates(puzzle)
    for cell in range(16):
        for digit in true.digits(cell):
            [found] = satdoku.judge(puzzle, [Claim(cell, digit)])
            assert found.worth in (
                {Worth.OPEN}
                if len(true.digits(cell)) > 1
                else {Worth.FILLED, Worth.FOLLOWS, Worth.UNSEEN, Worth.GUESS}
            )


def test_a_right_grid_follows_digit_by_digit_in_an_order_of_its_own() -> None:
    lines = run("judge", EASY, EASY_SOLUTION).lines
    assert lines[-1] == "51 claims: 51 follows"
    wrong = run("judge", EASY, f"{EASY_SOLUTION[:-1]}8").lines
    assert wrong[-2] == "r9c9=8: wrong: r9c9 is 9 already"


@for_each("seed", range(4))
def test_claims_are_wrong_exactly_if_the_solution_says_so(seed: int) -> None:
    rng = Random(seed)
    [made] = satdoku.generate(seed=seed, box=satdoku.Geometry(2, 3))
    solution = satdoku.solve(made.puzzle).digits
    claims = [Claim(rng.randrange(36), rng.randint(1, 6), rng.random() < 0.5) for _ in range(30)]
    for claim, judged in zip(claims, satdoku.judge(made.puzzle, claims), strict=True):
        is_true = (solution[claim.cell] == claim.digit) == claim.holds
        assert (judged.worth is Worth.WRONG) != is_true, (claim, judged)
        if judged.worth is Worth.FOLLOWS and claim.holds:
            assert judged.steps == 0
        assert judged.text


def test_rules_are_reasons() -> None:
    puzzle = "1..............."
    with_rule = run("judge", puzzle, "r2c3 is not 1", "--rule", "anti-knight").lines
    assert with_rule[0].startswith("r2c3≠1: follows: ")
    assert run("judge", puzzle, "r2c3 is not 1").lines[0].startswith("r2c3≠1: open")


def test_many_puzzles_have_an_answer_each(tmp_path: Path) -> None:
    puzzles, answers = tmp_path / "p.txt", tmp_path / "a.jsonl"
    puzzles.write_text(f"{SMALL}\n" * 4)
    texts = ["r1c2: 2\nr1c3: 3", None, "no idea", "r2c1=3"]
    answers.write_text("".join(json.dumps({"response": text}) + "\n" for text in texts))
    found = list(map(json.loads, run("judge", puzzles, answers, "--json", "-q").lines))
    assert [each["verdict"] for each in found] == ["wrong", "missing", "malformed", "answered"]
    assert [each["claim"] for each in found[0]["judged"]] == ["r1c2=2", "r1c3=3"]
    rows = run("judge", puzzles, answers, "--csv", "-q").lines
    assert rows[1] == f"{SMALL},wrong,2,1,0,1,0,0,0,"
    assert run("judge", puzzles, answers, "-q").code == 1


def test_claims_about_no_cell_are_malformed() -> None:
    result = run("judge", SMALL, "r5c1: 1, r1c2: 2")
    assert result.lines[1] == "malformed: 'r5c1: 1' is about no cell of a board of 4x4"
    assert result.code == 1


def test_a_puzzle_without_solution_has_no_true_claims() -> None:
    assert "no solution" in run("judge", CLASHING, "r1c3: 4").stdout
    with pytest.raises(satdoku.SatdokuError, match="no solution"):
        satdoku.judge(CLASHING, "r1c3: 4")


def test_a_limit_leaves_it_undecided() -> None:
    result = run("judge", EASY, "r1c3: 4", "--conflicts", "1", "--timeout", "1e-9")
    assert result.code == 124
    with pytest.raises(satdoku.LimitReachedError):
        satdoku.judge(EASY, "r1c3: 4", timeout=1e-9)


def test_answers_are_files_or_texts(tmp_path: Path) -> None:
    require_failure(run("judge", SMALL, "missing/a.txt"), "there is no file")
    path = tmp_path / "answer.txt"
    path.write_text("First r1c2 is 2.\n\nThen r2c1: 3\n")
    assert len(run("judge", SMALL, path).lines) == 3


def test_what_is_no_puzzle_is_told_once() -> None:
    result = run("judge", "53..7", "r1c1: 5")
    assert (result.code, result.stderr.count("\n")) == (1, 1)
