"""Hundreds of spoilt certificates: each is refused, or still proves what it says."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from random import Random

import pytest
from pysat.solvers import Solver

from satdoku.certifying.certificate import PART_COMMENT, PLAIN_ENCODINGS, Certificate, ProofFormat
from satdoku.certifying.rup import read_hinted_proof
from satdoku.certifying.verify import verify
from satdoku.encoding.choices import Encoding
from satdoku.errors import CertificateError
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from tests.certifying.mutations import spoil_text
from tests.certifying.samples import NAMES, PROGRAM, hinted_sample, sample
from tests.certifying.second_opinion import is_refutation, parse_proof
from tests.crossing import few_or_many
from tests.each import for_each
from tests.encoding.files.formulas import read_cnf

PROVEN = [name for name in NAMES if "ambiguous" not in name]
# Their proofs have lemmas, and checking them takes milliseconds.
WITH_LEMMAS = ["unique 8x8", "deeply impossible 8x8", "unique 9x9"]


def require_refusal(certificate: Certificate, words: str = ".") -> None:
    with pytest.raises(CertificateError, match=words):
        verify(certificate, "c")


def spoilt_proofs(name: str, count: int) -> Iterator[Certificate]:
    certificate, rng = sample(name), Random(name)
    for _ in range(count):
        proof = spoil_text(rng, certificate.proof)
        if proof != certificate.proof:
            yield replace(certificate, proof=proof)


def is_accepted(certificate: Certificate) -> bool:
    try:
        verify(certificate)
    except CertificateError:
        return False
    return True


@pytest.mark.parametrize("count", [8, pytest.param(50, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", WITH_LEMMAS)
def test_a_spoilt_proof_is_accepted_only_if_it_is_one(name: str, count: int) -> None:
    """The hashes are right here: only the checker stands between."""
    clauses = read_cnf(sample(name).formula.splitlines()).clauses
    verdicts = set()
    for certificate in spoilt_proofs(name, count):
        lemmas = parse_proof(certificate.proof)
        is_valid = lemmas is not None and is_refutation(clauses, lemmas)
        # A proof in a file that is not well formed may be refused though its lemmas hold.
        assert is_accepted(certificate) in ({is_valid} if lemmas is not None else {False})
        verdicts.add(is_valid)
    assert verdicts == {True, False}


@pytest.mark.parametrize("count", [2, pytest.param(20, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", PROVEN)
def test_a_spoilt_formula_is_refused_or_says_the_same(name: str, count: int) -> None:
    """Its clauses may stand in another order, or say less, where the rules say them still."""
    certificate, rng = sample(name), Random(name)
    said = set(read_cnf(certificate.formula.splitlines()).clauses)
    for _ in range(count // 2 if "12x12" in name else count):
        formula = spoil_text(rng, certificate.formula)
        spoilt = replace(certificate, formula=formula)
        if not is_accepted(spoilt):
            continue
        others = set(read_cnf(formula.splitlines()).clauses) - said
        with Solver("minicard", bootstrap_with=said) as solver:
            # What each says follows from a clause and a unit of the formula, without a search.
            for clause in others:
                assert not solver.propagate([-literal for literal in clause])[0]


@pytest.mark.parametrize("name", ["unique 4x4", "clash"])
@pytest.mark.parametrize("distance", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_lines_of_the_formula_can_neither_go_nor_be_added(name: str, distance: int) -> None:
    certificate = sample(name)
    # The comment that clauses are left out may be left out.
    formula = certificate.formula.replace(f"c {PART_COMMENT}\n", "")
    assert verify(replace(certificate, formula=formula)) == verify(certificate)
    lines = formula.splitlines(keepends=True)
    for index in range(0, len(lines), distance):
        for changed in ([], [lines[index]] * 2, [lines[index], "1 0\n"], [lines[index], "c\n"]):
            formula = "".join([*lines[:index], *changed, *lines[index + 1 :]])
            require_refusal(replace(certificate, formula=formula), r"^c\.cnf:\d+: ")


@pytest.mark.parametrize(
    ("place", "clause", "words"),
    [
        (0, "1 0\n", "no rule of the puzzle justifies this"),
        (-1, "-2 0\n", "does not block exactly the"),
    ],
)
def test_a_clause_that_no_rule_says_is_refused(place: int, clause: str, words: str) -> None:
    certificate = sample("unique 4x4")
    lines = certificate.formula.splitlines(keepends=True)
    start = next(n for n, line in enumerate(lines) if line.startswith("p")) + 1
    wrong = lines[start:]
    wrong[place] = clause
    formula = "".join([*lines[:start], *wrong])
    require_refusal(replace(certificate, formula=formula), words)


@pytest.mark.parametrize("encoding", [Encoding.EXTENDED, Encoding.EFFICIENT, Encoding.MINIMAL])
def test_a_formula_of_another_encoding_is_refused(encoding: Encoding) -> None:
    certificate = sample("unique 4x4")
    other = sample("unique 4x4", encoding)
    require_refusal(replace(certificate, formula=other.formula), "here, not")
    require_refusal(replace(certificate, encoding=encoding.value), "here, not")


@pytest.mark.parametrize("encoding", ["triads", "", "REDUCED", "other"])
def test_an_encoding_that_cannot_be_matched_is_refused(encoding: str) -> None:
    require_refusal(replace(sample("unique 4x4"), encoding=encoding), "is not an encoding")


@for_each("program", ["", "p cnf 64 1", "satdoku 1 p cnf 64 1", "a\nb", "a\n%", "a\r", "\x00", "é"])
def test_a_program_name_that_could_pass_for_more_is_refused(program: str) -> None:
    certificate = sample("unique 4x4")
    formula = certificate.formula.replace(certificate.program, program, 1)
    require_refusal(replace(certificate, program=program, formula=formula))


def swapped_digits(grid: Grid) -> Iterator[Grid]:
    """Every exchange of two neighbours that differ, and every given made another."""
    digits, size = grid.digits, grid.geometry.size
    for cell in range(len(digits) - 1):
        if digits[cell] != digits[cell + 1]:
            yield grid.with_digits({cell: digits[cell + 1], cell + 1: digits[cell]})
        if digits[cell]:
            yield grid.with_digits({cell: digits[cell] % size + 1})


@pytest.mark.parametrize("name", ["unique 4x4", "unique 6x6", "ambiguous 4x4", "full and right"])
def test_swapped_digits_in_a_solution_are_refused(name: str) -> None:
    certificate = sample(name)
    for position, solution in enumerate(certificate.solutions):
        for changed in swapped_digits(solution):
            solutions = list(certificate.solutions)
            solutions[position] = changed
            require_refusal(replace(certificate, solutions=tuple(solutions)), "solution is wrong")


@pytest.mark.parametrize("name", ["unique 4x4", "unique 6x6", "clash", "full and wrong"])
def test_swapped_digits_in_the_puzzle_are_refused(name: str) -> None:
    certificate = sample(name)
    grid = certificate.puzzle.grid
    for changed in swapped_digits(grid):
        require_refusal(replace(certificate, puzzle=Puzzle(changed)))
    for cell in grid.givens:
        require_refusal(replace(certificate, puzzle=Puzzle(grid.with_digits({cell: 0}))))


@for_each("name", ["unique 4x4", "clash", "ambiguous 4x4"])
@for_each("verdict", Verdict)
def test_another_verdict_is_refused(name: str, verdict: Verdict) -> None:
    certificate = sample(name)
    if verdict is not certificate.verdict:
        require_refusal(replace(certificate, verdict=verdict))


def test_the_two_solutions_must_differ() -> None:
    certificate = sample("ambiguous 4x4")
    require_refusal(replace(certificate, solutions=certificate.solutions[:1] * 2), "2 different")
    require_refusal(replace(certificate, solutions=certificate.solutions[:1]), "2 different")
    require_refusal(replace(certificate, solutions=()), "2 different")


@pytest.mark.parametrize("name", WITH_LEMMAS)
def test_an_empty_proof_proves_nothing(name: str) -> None:
    require_refusal(replace(sample(name), proof=""), "without the empty clause")
    require_refusal(replace(sample(name), proof="0\n"), "does not follow")


@few_or_many("steps", (2, 5), (1, 3))
def test_the_proof_of_another_puzzle_is_refused(steps: tuple[int, int]) -> None:
    for one in WITH_LEMMAS:
        clauses = read_cnf(sample(one).formula.splitlines()).clauses
        for other in PROVEN[:: steps[one != WITH_LEMMAS[0]]]:
            certificate = replace(sample(one), proof=sample(other).proof)
            lemmas = parse_proof(certificate.proof)
            assert lemmas is not None
            assert is_accepted(certificate) is is_refutation(clauses, lemmas)


@pytest.mark.parametrize("count", [6, pytest.param(30, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", WITH_LEMMAS)
def test_a_spoilt_proof_with_hints_is_accepted_only_if_it_is_one(name: str, count: int) -> None:
    certificate, rng = hinted_sample(name), Random(name)
    clauses = read_cnf(certificate.formula.splitlines()).clauses
    verdicts = set()
    for _ in range(count):
        spoilt = replace(certificate, proof=spoil_text(rng, certificate.proof))
        try:
            verify(spoilt)
        except CertificateError:
            verdicts.add(False)
            continue
        verdicts.add(True)
        steps = read_hinted_proof(spoilt.proof.splitlines())
        assert is_refutation(clauses, [step.literals for step in steps])
    assert False in verdicts


def test_a_proof_is_not_read_as_one_of_another_format() -> None:
    plain, hinted = sample("unique 9x9"), hinted_sample("unique 9x9")
    require_refusal(replace(plain, proof_format=ProofFormat.LRAT), "is not a step of an LRAT proof")
    require_refusal(replace(hinted, proof_format=ProofFormat.DRAT))


def test_what_stands_behind_the_refutation_has_to_be_well_formed() -> None:
    for certificate in (sample("unique 8x8"), hinted_sample("unique 8x8")):
        require_refusal(replace(certificate, proof=certificate.proof + "junk\n"), "'junk'")


@pytest.mark.parametrize("encoding", [e.value for e in PLAIN_ENCODINGS])
def test_a_formula_that_is_not_there_costs_nothing(encoding: str) -> None:
    """The formula of this board has five billion clauses; none is made."""
    puzzle = Puzzle(Grid.empty(Geometry(10, 10)))
    short = Certificate(puzzle, Verdict.NONE, encoding=encoding, program=PROGRAM)
    require_refusal(short, "has 'c satdoku 1.2.3\\\\n' here, not no line")
    lines = ["c satdoku 1.2.3", "c board 100x100 with boxes of 10x10"]
    lines.append(f"c encoding {encoding}, at most one by pairwise")
    lines.append(
        "c variable (row - 1) * 10000 + (column - 1) * 100 + digit: "
        "this cell holds this digit, all counted from 1"
    )
    lines += ["p cnf 1000000 2", " ".join(map(str, range(1, 101))) + " 0", ""]
    require_refusal(
        replace(short, formula="\n".join(lines)), "the header promises 2 clauses, the file has 1"
    )


def test_the_number_of_clauses_is_checked() -> None:
    certificate = sample("unique 4x4")
    header = next(line for line in certificate.formula.splitlines() if line.startswith("p"))
    with_zero = header.replace("64 ", "64 0")
    for wrong in ("p cnf 64 0", f"{header}0", f"{header} ", with_zero, "p cnf 64", "p cnf 64 -1"):
        formula = certificate.formula.replace(header, wrong)
        require_refusal(replace(certificate, formula=formula), "the header promises|has 'p cnf 64")


def test_time_is_asked_for_on_the_way() -> None:
    class TooLateError(Exception):
        pass

    def require_time(left: Iterator[None]) -> None:
        if next(left, "nothing is left") is not None:
            raise TooLateError

    for certificate in (sample("unique 9x9"), hinted_sample("unique 9x9")):
        for count in (0, 1, 20):
            with pytest.raises(TooLateError):
                verify(certificate, require_time=partial(require_time, iter([None] * count)))


def test_no_solver_and_no_encoder_is_imported() -> None:
    """Whoever doubts the verdict need not believe what made it."""
    program = (
        "import sys, satdoku.certifying.justify, satdoku.certifying.verify; print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    makers = (
        "encode",
        "constraint",
        "size",
        "small_formula",
        "wider",
        "files.write",
        "files.kinds",
    )
    assert not {f"satdoku.encoding.{name}" for name in makers} & loaded
    assert not {name for name in loaded if name.startswith(("satdoku.solving", "pysat"))}
