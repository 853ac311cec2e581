"""What each rule of the registry has to pass, and gets for free when it is added there."""

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest

from satdoku.certifying.certificate import Certificate
from satdoku.certifying.certify import certify
from satdoku.certifying.verify import verify
from satdoku.encoding.choices import Encoding
from satdoku.errors import CertificateError, SatdokuError
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.judge import find_clashes, find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.classic import CLASSIC, arrange
from satdoku.puzzle.rules.registry import RULES, read_rule
from satdoku.puzzle.rules.rule import Rule, write_rule
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.questions import check, find_solutions
from satdoku.solving.solvers import Settings
from tests.crossing import crossed, few_or_many
from tests.each import for_each
from tests.puzzle.rules.instances import (
    LINES_ONLY,
    NAMES,
    PAIRED,
    SMALL,
    WITHOUT_CERTIFICATES,
    every_grid,
    example_of,
    fits,
    random_instance,
)

every_rule = for_each("name", NAMES)
bases = for_each("base", [CLASSIC, LINES_ONLY])
# Triads are made of rows, columns and boxes; `tests/test_unknown_rule.py` sees to them.
ENCODINGS = [encoding for encoding in Encoding if encoding is not Encoding.TRIADS]


def require_exact_count(
    rules: tuple[Rule, ...], base: tuple[Rule, ...], settings: Settings
) -> None:
    """The solver finds just those grids that the judge lets pass among all grids.

    These keep the base, so that other rules decide; of some the judge is asked about all rules.
    """
    puzzle = Puzzle(Grid.empty(SMALL), rules=rules)
    others = [rule for rule in rules if rule not in base]
    expected = {grid for grid in every_grid(base) if all(keeps(grid, rule) for rule in others)}
    for grid in every_grid(base)[::8]:
        assert (not find_fault(grid, puzzle)) == (grid in expected)
    found = list(find_solutions(puzzle, settings))
    assert set(found) == expected
    assert len(found) == len(expected)


def keeps(grid: Grid, rule: Rule) -> bool:
    return next(iter(rule.find_clashes(SMALL, grid.digits)), None) is None


def require_exact_counts(rule: Rule, base: tuple[Rule, ...], encoding: Encoding) -> None:
    rules = arrange([*base, rule])
    # Regions take the place of boxes, so all Latin squares are possible then.
    possible = base if set(base) <= set(rules) else LINES_ONLY
    require_exact_count(rules, possible, Settings(encoding=encoding))


def deciding_instance(name: str, rng: Random) -> Rule:
    """Other cells than the example's; some Latin squares keep it, others not, if few tries suffice.

    Where all keep it or none, a solver that overlooks a part of it often finds the same.
    """
    grids = list(every_grid(LINES_ONLY))
    for _ in range(5):
        rule = random_instance(name, rng)
        is_kept = keeps(grids[0], rule)
        if not rule.argument(SMALL) or any(keeps(grid, rule) is not is_kept for grid in grids):
            break
    return rule


@every_rule
def test_solver_and_judge_agree_on_every_grid(name: str) -> None:
    """Without boxes, in one encoding; the next rule has another. All are tried in a slow test."""
    encoding = ENCODINGS[NAMES.index(name) % len(ENCODINGS)]
    require_exact_counts(deciding_instance(name, Random(name)), LINES_ONLY, encoding)


@pytest.mark.slow
@every_rule
@bases
@pytest.mark.parametrize("encoding", ENCODINGS, ids=lambda encoding: encoding.value)
def test_so_they_do_in_every_encoding(
    name: str, base: tuple[Rule, ...], encoding: Encoding
) -> None:
    rng = Random(f"{name} {encoding.value}")
    for rule in (example_of(name), random_instance(name, rng)):
        require_exact_counts(rule, base, encoding)


@crossed(3, seed=range(40))
def test_pairs_of_rules_agree_on_every_grid(seed: int) -> None:
    solver = ["auto", "cadical195"][seed % 2]
    rng = Random(seed)
    pair = [random_instance(rng.choice(PAIRED), rng) for _ in range(2)]
    rules = arrange([*LINES_ONLY, *pair])
    encoding = rng.choice(ENCODINGS)
    require_exact_count(rules, LINES_ONLY, Settings(solver=solver, encoding=encoding))


@few_or_many("count", 15, 40)
@every_rule
def test_both_statements_of_the_definition_agree(name: str, count: int) -> None:
    """What `find_clashes` finds in a grid is what `forbids` and `forbids_both` say of its cells.

    So it is of one cell and of two; of more only `find_clashes` speaks.
    """
    if name == "either":
        return  # it finds what several rules find together
    rng = Random(name)
    for _ in range(count):
        rule = random_instance(name, rng)
        share = rng.random()
        digits = [rng.randint(1, 4) if rng.random() < share else EMPTY for _ in range(16)]
        clashes = [c for c in rule.find_clashes(SMALL, digits) if len(c.cells) <= 2]
        clashing = {cell for clash in clashes for cell in clash.cells}
        placed = [(cell, digit) for cell, digit in enumerate(digits) if digit != EMPTY]
        expected = {cell for cell, digit in placed if rule.forbids(SMALL, cell, digit)}
        expected |= {
            cell
            for cell, digit in placed
            for other, other_digit in placed
            if cell != other and rule.forbids_both(SMALL, cell, digit, other, other_digit)
        }
        assert clashing == expected


@every_rule
def test_a_rule_forbids_nothing_to_cells_that_it_is_not_about(name: str) -> None:
    """The check of certificates asks no others. So it is of the simpler rules it is made of."""
    rng = Random(name)
    for part in random_instance(name, rng).made_of():
        others = sorted(set(range(16)) - set(part.cells(SMALL)))
        for cell in others:
            digit, there = rng.choices(range(1, 5), k=2)
            assert not part.forbids(SMALL, cell, digit)
            other = rng.choice(others)
            assert cell == other or not part.forbids_both(SMALL, cell, digit, other, there)


@few_or_many("count", 30, 300)
@every_rule
def test_cells_that_are_all_different_forbid_each_digit_twice(name: str, count: int) -> None:
    rng = Random(name)
    for _ in range(count):
        rule = random_instance(name, rng)
        cells = rng.sample(range(16), rng.randint(2, 4))
        if rule.are_all_different(SMALL, cells):
            for digit in range(1, 5):
                assert rule.forbids_both(SMALL, cells[0], digit, cells[-1], digit)


@every_rule
def test_the_judge_names_every_digit_that_is_changed(name: str) -> None:
    """A solution with a digit exchanged is wrong, and the sentence speaks of the changed cell."""
    rule = example_of(name)
    puzzle = Puzzle(Grid.empty(SMALL), rules=arrange([*CLASSIC, rule]))
    for solution in islice(find_solutions(puzzle), 2):
        for cell, digit in enumerate(solution.digits):
            changed = solution.with_digits({cell: digit % 4 + 1})
            clashes = list(find_clashes(puzzle, changed))
            assert any(cell in clash.cells for clash in clashes)
            assert all(str(clash).startswith("r") for clash in clashes)


@every_rule
def test_only_cells_that_a_rule_is_about_break_it(name: str) -> None:
    rng = Random(name)
    rule = random_instance(name, rng)
    digits = [rng.randint(1, 4) for _ in range(16)]
    clashing = {cell for clash in rule.find_clashes(SMALL, digits) for cell in clash.cells}
    assert clashing <= set(rule.cells(SMALL)) <= set(range(16))


@every_rule
@for_each("geometry", [Geometry(2, 2), Geometry(2, 3), Geometry(3, 3)])
def test_a_rule_is_its_text(name: str, geometry: Geometry) -> None:
    if not RULES[name].example and not fits(name, geometry):
        return
    if name in ("regions", "digits") and geometry != SMALL:
        return  # its example is for a board of 4x4
    rule = random_instance(name, Random(name), geometry)
    assert read_rule(write_rule(rule, geometry), geometry) == rule
    assert " " not in write_rule(rule, geometry)
    assert pickle.loads(pickle.dumps(rule)) == rule
    assert hash(pickle.loads(pickle.dumps(rule))) == hash(rule)


@for_each("name", list(RULES))
def test_an_example_is_for_4x4_wherever_the_rule_makes_sense_there(name: str) -> None:
    board = RULES[name].example_board
    assert example_of(name, board)
    if board != SMALL:
        with pytest.raises(SatdokuError):
            example_of(name, SMALL)


@every_rule
def test_a_rule_has_a_sentence_for_people(name: str) -> None:
    sentence = example_of(name).sentence(SMALL)
    assert sentence[0].islower()
    assert not sentence.endswith(".")
    assert len(sentence) > 15


def unique_puzzle(name: str) -> Puzzle:
    """A puzzle with the rule and with one solution, of which some givens can be spared."""
    rng = Random(name)
    rules = arrange([*CLASSIC, example_of(name)])
    solution = next(find_solutions(Puzzle(Grid.empty(SMALL), rules=rules)))
    puzzle = Puzzle(solution, rules=rules)
    for cell in rng.sample(range(16), 9):
        fewer = puzzle.with_grid(puzzle.grid.with_digits({cell: EMPTY}))
        if check(fewer).verdict is Verdict.UNIQUE:
            puzzle = fewer
    return puzzle


@cache
def has_solutions(name: str) -> bool:
    rules = arrange([*CLASSIC, example_of(name)])
    return any(True for _ in find_solutions(Puzzle(Grid.empty(SMALL), rules=rules)))


def test_most_rules_have_solutions_on_the_smallest_board() -> None:
    assert sum(map(has_solutions, NAMES)) >= len(NAMES) - 5


@cache
def certificates(name: str) -> Sequence[Certificate]:
    """Of puzzles with one solution, with none, and with several; made once."""
    return tuple(_certify_each(name))


def _certify_each(name: str) -> Iterator[Certificate]:
    if has_solutions(name):
        puzzle = unique_puzzle(name)
        yield certify(puzzle, "satdoku 1")
        (cell, digit), *_ = puzzle.givens.items()
        changed = puzzle.with_grid(puzzle.grid.with_digits({cell: digit % 4 + 1}))
        yield certify(changed, "satdoku 1")
    yield certify(
        Puzzle(Grid.empty(SMALL), rules=arrange([*CLASSIC, example_of(name)])), "satdoku 1"
    )


# That a certificate of each is accepted, `certifying/test_every_rule_certified.py` says.
every_certified_rule = crossed(3, name=[n for n in NAMES if n not in WITHOUT_CERTIFICATES])


@for_each("name", sorted(WITHOUT_CERTIFICATES.intersection(NAMES)))
def test_other_certificates_are_refused_by_name(name: str) -> None:
    with pytest.raises(SatdokuError, match=f"no certificates yet for the rule {name}"):
        list(certificates(name))


@every_certified_rule
def test_certificates_verify(name: str) -> None:
    verdicts = set()
    for certificate in certificates(name):
        assert verify(certificate).verdict is certificate.verdict
        verdicts.add(certificate.verdict)
    assert Verdict.UNIQUE in verdicts or not has_solutions(name)


@every_certified_rule
def test_certificates_that_were_tampered_with_are_refused(name: str) -> None:
    rules = arrange([*CLASSIC, example_of(name)])
    for certificate in certificates(name):
        if certificate.verdict is Verdict.MULTIPLE:
            continue
        lines = certificate.formula.splitlines(keepends=True)
        without_last_clause = "".join(lines[:-1])
        tampered: list[dict[str, Any]] = [
            {"formula": without_last_clause},
            {"solutions": (Grid.empty(SMALL),)},
            {"encoding": "minimal"},
        ]
        # Of a puzzle without a solution rules may say both.
        if certificate.verdict is Verdict.UNIQUE:
            tampered.append({"formula": certificate.formula.replace("\n-1 ", "\n1 ", 1)})
        if rules != CLASSIC:
            tampered.append({"puzzle": Puzzle(certificate.puzzle.grid)})
        for changes in tampered:
            changed = replace(certificate, **changes)
            if changed != certificate:
                with pytest.raises(CertificateError):
                    verify(changed)
