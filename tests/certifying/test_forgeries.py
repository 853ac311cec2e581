"""Certificates that somebody made up: each names a puzzle with one solution, and denies it."""

from pathlib import Path

from satdoku.certifying.certificate import Certificate, write_certificate
from satdoku.certifying.justify import Justifier
from satdoku.encoding.choices import Encoding
from satdoku.encoding.meanings import Choice, Meaning, describe, read_meanings
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.questions import check
from tests.commands import run
from tests.each import for_each

PROGRAM = "satdoku 1.2.3"


def puzzle_with(rules: list[str]) -> Puzzle:
    """A full board that keeps the rules: its verdict is plain to see."""
    puzzle = Puzzle.from_line("1324241331424231", rules=rules)
    assert check(puzzle).verdict is Verdict.UNIQUE
    return puzzle


def forge(puzzle: Puzzle, meanings: list[str], clauses: list[str], highest: int) -> Certificate:
    """A certificate that the puzzle has no solution, with a formula that propagation refutes."""
    how = f"encoding {Encoding.EXTENDED.value}, at most one by pairwise"
    comments = [*describe(puzzle, PROGRAM, how), *meanings]
    lines = [f"c {each}" for each in comments]
    lines += [f"p cnf {highest} {len(clauses)}", *clauses]
    formula = "".join(f"{line}\n" for line in lines)
    return Certificate(
        puzzle, Verdict.NONE, (), Encoding.EXTENDED.value, "", PROGRAM, formula, "0\n"
    )


def refusal(certificate: Certificate, folder: Path) -> str:
    """What `satdoku verify` says of a certificate that it refuses."""
    path = write_certificate(certificate, folder, "forged")
    done = run("verify", path)
    assert done.code == 1, done.stdout
    return done.stdout + done.stderr


# The digits of the first two rows are 1 3 2 4 and 2 4 1 3; candidates have the numbers
# (cell - 1) * 4 + digit, and the rules have the places 4, 5 and 6 behind rows, columns and boxes.
TWO = ["either:odd:r1c1|even:r1c1", "either:even:r1c2|odd:r1c2"]
THREE = ["either:even:r4c4|odd:r4c4", "either:odd:r1c1|even:r1c1", "either:odd:r2c2|even:r2c2"]


def test_a_choice_of_one_rule_is_not_taken_for_that_of_another(tmp_path: Path) -> None:
    """The false clause says that an odd r4c4 and an odd r1c1 exclude a 4 in r2c2, as would the
    third rule's first choice; it took the place of the second when the first rule was left out."""
    clauses = ["1 0", "24 0", "65 66 0", "67 68 0", "-68 -1 0", "-66 -67 -24 0", "-65 -67 -24 0"]
    meanings = ["aux 65-66 choice 1,2 of rule 4", "aux 67-68 choice 1,2 of rule 5"]
    said = refusal(forge(puzzle_with(THREE), meanings, clauses, 68), tmp_path)
    assert "no rule of the puzzle justifies this clause" in said


def test_a_second_name_of_a_choice_is_refused(tmp_path: Path) -> None:
    """The names 65 and 67 are of the same choice, which the last clause took for two."""
    clauses = ["1 0", "7 0", "65 66 0", "67 66 0", "-66 -1 0", "-65 -67 -7 0"]
    meanings = ["aux 65-66 choice 1,2 of rule 4", "aux 67 choice 1 of rule 4"]
    puzzle = puzzle_with(TWO)
    said = refusal(forge(puzzle, meanings, clauses, 67), tmp_path)
    assert "the auxiliary 67 is a second name of a choice" in said
    told: dict[int, Meaning] = dict(
        each for line in meanings for each in read_meanings(line, puzzle.geometry)
    )
    assert not Justifier(puzzle, told).is_justified((-65, -67, -7))


@for_each(
    "clause, is_true",
    [
        ((65, 66), True),
        ((65, 66, -68), True),
        ((67, 68, 69), False),  # the rule has two choices, and 69 is none of them
        ((65, 67), False),
        ((-65, -68, -24), False),
        ((-65, -67, -24), True),
        ((-65, -66, -1), True),  # no r1c1 is odd and even
        ((-65, 67, -2), True),
        ((-67, 66, -1), False),
        ((-69,), False),
    ],
)
def test_choices_follow_from_the_rules_that_offer_them(
    clause: tuple[int, ...], is_true: bool
) -> None:
    puzzle = puzzle_with([THREE[1], THREE[2]])
    choices = [Choice(rule, number) for rule in (3, 4) for number in (0, 1)]
    meanings = dict(enumerate([*choices, Choice(4, 2)], 65))
    assert Justifier(puzzle, meanings).is_justified(clause) is is_true
