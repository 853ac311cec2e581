import copy
import itertools
import multiprocessing
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import satdoku
from satdoku import Geometry, Limits, Outcome, Progress, SatdokuError, Settings, Verdict
from satdoku.puzzle.verdict import NO_STATISTICS, Statistics
from tests.boards import TOO_HARD
from tests.commands import AMBIGUOUS, CLASHING, EASY, EASY_SOLUTION, HARD, IMPOSSIBLE, SMALL
from tests.crossing import crossed
from tests.each import for_each
from tests.making.requests import make, request

BROKEN = EASY.replace("6", "w", 1)
ALL_KINDS = [EASY, AMBIGUOUS, CLASHING, BROKEN, IMPOSSIBLE, SMALL, HARD, "nonsense", ""]


def one_by_one(puzzle: object) -> object:
    """What `check` says of a puzzle, without what it cost."""
    try:
        return without_cost(satdoku.check(puzzle))  # type: ignore[arg-type]
    except SatdokuError as error:
        return str(error).replace("puzzle", "*", 1)


def without_cost(answer: Outcome | SatdokuError) -> object:
    if isinstance(answer, SatdokuError):
        return "*" + str(answer).partition("]")[2]
    return [answer.puzzle, answer.verdict, answer.solution, answer.second, answer.reason]


@crossed(2, jobs=[None, 1, 2], repeats=[1, 12])
def test_it_says_of_each_what_check_says(jobs: int | None, repeats: int) -> None:
    """Few are checked one by one, many by the bulk solver."""
    expected = list(map(one_by_one, ALL_KINDS))
    found = satdoku.check_many(ALL_KINDS * repeats, jobs=jobs)
    assert [without_cost(answer) for answer in found] == expected * repeats


@settings(max_examples=settings().max_examples // 2)
@given(st.lists(st.text("0123456.x,|\n ", min_size=14, max_size=18), min_size=1, max_size=4))
def test_any_text_is_read_as_check_reads_it(texts: list[str]) -> None:
    expected = list(map(one_by_one, texts))
    assert [without_cost(answer) for answer in satdoku.check_many(texts, jobs=1)] == expected


def test_plain_lines_of_every_size_are_read_as_check_reads_them() -> None:
    lines = [symbol * count for count in (16, 36, 64, 81) for symbol in ".01"]
    assert [without_cost(a) for a in satdoku.check_many(lines)] == list(map(one_by_one, lines))


def test_everything_that_check_takes_may_stand_in_a_list() -> None:
    puzzle = satdoku.parse(SMALL)
    rows = [list(row) for row in puzzle.grid.rows]
    kinds = [SMALL, rows, puzzle, puzzle.grid, "\n".join(map(str, rows))]
    found = [satdoku.check(SMALL).solution] * len(kinds)
    assert list(satdoku.solve_many(kinds)) == found


def test_a_fault_is_told_with_its_place() -> None:
    first, second = satdoku.check_many([EASY, BROKEN])
    assert isinstance(first, Outcome)
    assert str(second) == "puzzles[1]:1:10: 'w' is not a digit 1-9 or a blank"


def test_solve_many_gives_grids_or_errors() -> None:
    found = list(satdoku.solve_many([EASY, AMBIGUOUS, BROKEN]))
    assert isinstance(found[0], satdoku.Grid)
    assert "".join(map(str, found[0].digits)) == EASY_SOLUTION
    assert isinstance(found[1], satdoku.UnsolvedError)
    assert found[1].outcome.verdict is Verdict.MULTIPLE
    assert isinstance(found[2], satdoku.FormatError)


def test_rules_boxes_and_settings_hold_for_all() -> None:
    [first] = satdoku.check_many(["1" + "." * 15], rules=["anti-king"])
    assert isinstance(first, Outcome)
    assert [rule.name for rule in first.puzzle.further_rules] == ["anti-king"]
    [second] = satdoku.check_many(["1" + "." * 35], box=Geometry(3, 2))
    assert isinstance(second, Outcome)
    assert second.puzzle.geometry == Geometry(3, 2)
    [third] = satdoku.check_many([EASY], Settings(solver="cadical195"))
    assert isinstance(third, Outcome)
    assert isinstance(third.statistics, Statistics)
    assert third.statistics.solver == "cadical195"


def test_a_bug_costs_one_puzzle_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> Any:
        raise KeyError("planted")

    puzzles = [EASY, AMBIGUOUS, *[HARD] * 100]
    whole = [outcome.verdict for outcome in satdoku.check_many(puzzles, jobs=1)]  # type: ignore[union-attr]
    monkeypatch.setattr("satdoku.api.many.solve_blocks", fail)
    alone = [outcome.verdict for outcome in satdoku.check_many(puzzles, jobs=1)]  # type: ignore[union-attr]
    assert alone == whole
    monkeypatch.undo()
    monkeypatch.setattr("satdoku.api.many.check", fail)
    found: Any = list(satdoku.check_many(puzzles, jobs=1))
    assert found[1].verdict is Verdict.UNDECIDED
    assert found[1].reason.startswith("this is a bug of satdoku, please report it")
    assert [outcome.verdict for outcome in found[10:]] == whole[10:]
    checked = satdoku.check_array([AMBIGUOUS], jobs=1)
    assert checked.verdict[0] == satdoku.VerdictCode.UNDECIDED


def test_no_more_is_read_than_is_answered() -> None:
    taken = []

    def endless() -> Iterator[str]:
        for number in itertools.count():
            taken.append(number)
            yield EASY

    answers = satdoku.check_many(endless())
    next(answers)
    assert taken == [0]
    answers.close()


def test_what_was_answered_is_not_kept() -> None:
    """As many records wait as are answered together, however many there are."""
    lines = itertools.repeat(EASY, 4500)
    assert sum(1 for _ in satdoku.check_many(lines, jobs=1)) == 4500
    broken = satdoku.check_many(itertools.repeat(BROKEN), jobs=1)
    assert all(isinstance(error, SatdokuError) for error in itertools.islice(broken, 50))
    broken.close()


def test_an_error_of_the_caller_comes_behind_the_answers() -> None:
    def breaking() -> Iterator[str]:
        yield EASY
        raise RuntimeError("no more")

    answers = satdoku.check_many(breaking())
    assert isinstance(next(answers), Outcome)
    with pytest.raises(RuntimeError, match="no more"):
        next(answers)


@for_each("one", [EASY, b"1", {}, satdoku.parse(SMALL), 7, None])
def test_one_puzzle_is_not_many(one: object) -> None:
    with pytest.raises(
        SatdokuError, match="expected a list or another collection of puzzles; this is"
    ):
        satdoku.check_many(one)


@pytest.mark.parametrize("jobs", [0, -1, 1.5, "2"])
def test_jobs_are_a_number(jobs: int) -> None:
    with pytest.raises(SatdokuError, match="no number of processes"):
        satdoku.check_many([EASY], jobs=jobs)


def test_a_column_is_for_frames() -> None:
    with pytest.raises(SatdokuError, match="column='x' is for frames"):
        satdoku.check_many([EASY], column="x")


def test_closing_ends_the_workers() -> None:
    answers = satdoku.check_many([EASY] * 500 + [TOO_HARD] * 4, jobs=2)
    next(answers)
    assert multiprocessing.active_children()
    answers.close()
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_event_ends_it(jobs: int) -> None:
    stop = threading.Event()
    limits = Settings(limits=Limits(stop=stop))
    timer = threading.Timer(0.1, stop.set)
    timer.start()
    assert len(list(satdoku.check_many([EASY, *[TOO_HARD] * 9], limits, jobs=jobs))) < 10
    timer.join()
    assert not multiprocessing.active_children()


def test_progress_is_told() -> None:
    told: list[Progress] = []
    assert len(list(satdoku.check_many([EASY] * 60, progress=told.append))) == 60
    assert told[-1][:2] == (60, 60)
    assert [each.done for each in told] == sorted(each.done for each in told)
    list(satdoku.check_many(iter([EASY]), progress=told.append))
    assert told[-1][:2] == (1, None)


UNGUARDED = """
import threading, multiprocessing
import satdoku
print("imported")
threading.Thread(target=threading.Event().wait, daemon=True).start()
found = []
def work():
    found.extend(satdoku.check_many(["{easy}"] * 130, jobs=2))
thread = threading.Thread(target=work)
thread.start()
thread.join()
print(len(found), {{answer.verdict.value for answer in found}}, multiprocessing.active_children())
"""


def test_it_works_in_a_thread_of_a_script_without_a_guard(tmp_path: Path) -> None:
    """With threads its workers are spawned; they do not run the script again."""
    script = tmp_path / "script.py"
    script.write_text(UNGUARDED.format(easy=EASY))
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.stderr) == ("imported\n130 {'unique'} []\n", "")


def test_no_library_of_frames_is_imported() -> None:
    program = (
        "import sys, satdoku\n"
        f"list(satdoku.check_many([{EASY!r}] * 60))\n"
        "print({'numpy', 'pandas', 'polars', 'pyarrow'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "set()\n", done.stderr


def test_outcomes_of_plain_boards_are_those_of_check() -> None:
    texts = [made.puzzle.grid.line for made in make(request(seed="late"), 3)] * 30
    for late, text in zip(satdoku.check_many(texts, jobs=1), texts[:8]):  # noqa: B905
        outcome = satdoku.check(text)
        assert isinstance(late, satdoku.Outcome)
        assert (late.verdict, late.reason, late.second) == (outcome.verdict, "", None)
        # Puzzle and solution are made when somebody looks at them, also of a copy.
        twin = pickle.loads(pickle.dumps(late))
        assert twin.solution == late.solution == outcome.solution
        assert copy.copy(late).puzzle == late.puzzle == outcome.puzzle
        assert replace(twin, reason="x").solution == outcome.solution
        assert repr(late) == repr(outcome)
        assert satdoku.to_object(late) == satdoku.to_object(
            replace(outcome, statistics=NO_STATISTICS)
        )
        with pytest.raises(AttributeError, match="solutoin"):
            getattr(late, "solutoin")  # noqa: B009
