"""The calls that explain, and those that write and draw puzzles and the answers to them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from satdoku.answering.hinter import hint_object, no_hint_object
from satdoku.api.calling import AnyPuzzle, LimitKeywords, limits_of, parse
from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.constraint import ClauseGroup
from satdoku.encoding.encode import encode as encode_puzzle
from satdoku.errors import FormatError, SatdokuError, cut, member_named
from satdoku.explaining import explain as explaining
from satdoku.explaining import why as reasons
from satdoku.explaining.claims import Judged, judge_claims
from satdoku.explaining.clash import SmallestClash, find_smallest_clash
from satdoku.explaining.explain import Explanation, Scope
from satdoku.explaining.hint import Hint, find_hint
from satdoku.explaining.objects import candidates_object, explanation_object, step_object
from satdoku.explaining.slides import show_of
from satdoku.explaining.step import Level
from satdoku.explaining.told import Step
from satdoku.explaining.true_candidates import TrueCandidates, find_true_candidates
from satdoku.explaining.why import Answer
from satdoku.explaining.words.explanation import Style, describe
from satdoku.explaining.words.steps import Teller, Wording
from satdoku.notation.answers import Claim, read_claims
from satdoku.notation.formats import format_named
from satdoku.notation.outcomes import to_object as outcome_object
from satdoku.notation.spelling import Alphabet, Spelling
from satdoku.picture.documents import DocumentKind, require_library, write_page, write_sketches
from satdoku.picture.picture import (
    Layout,
    Show,
    Sketch,
    picture_of,
    picture_with_candidates,
    pictures_of_outcome,
)
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving.limits import Budget, LimitReachedError, Limits

if TYPE_CHECKING:
    from pysat.formula import CNF
    from typing_extensions import Unpack


def explain(
    puzzle: AnyPuzzle,
    level: Level | str = Level.ALL,
    *,
    assume_unique: bool = False,
    limits: Limits | None = None,
    **keywords: "Unpack[LimitKeywords]",
) -> Explanation:
    """Explain why a puzzle has one solution, several or none; a solver re-proves every step.

    >>> explanation = explain("1.....2..3.....4")
    >>> explanation.verdict.value, len(explanation.way.steps)
    ('unique', 12)
    """
    limits = limits_of(limits, keywords) or Limits()
    scope = Scope(member_named(Level, level), limits, assume_unique)
    return explaining.explain(parse(puzzle), scope)


def walk(
    puzzle: AnyPuzzle,
    level: Level | str = Level.ALL,
    *,
    limits: Limits | None = None,
    **keywords: "Unpack[LimitKeywords]",
) -> Iterator[tuple[Step, str]]:
    """Yield the steps of an explanation with their texts, each as soon as it is found and proved.

    Unlike `explain`, it cannot leave out exclusions that turn out not to be needed. Raise
    LimitReachedError if a limit ends the search early.

    >>> step, text = next(walk("1.....2..3.....4"))
    >>> text
    'Hidden single: box 1 still needs a 2; the 2 in r2c3 leaves only r1c2.'
    """
    scope = Scope(member_named(Level, level), limits_of(limits, keywords) or Limits())
    # Each item holds all steps so far; an item without a new step is skipped.
    told = 0
    for way in explaining.walk(parse(puzzle), scope):
        # The last item gives the end of the search and has no further step.
        if len(way.steps) > told:
            told = len(way.steps)
            yield Step(way, way.steps[-1]), Teller(way).tell_last()


def smallest_clash(
    puzzle: AnyPuzzle, *, limits: Limits | None = None, **keywords: "Unpack[LimitKeywords]"
) -> SmallestClash | None:
    """Return a smallest set of givens that have no common solution, for an unsolvable puzzle.

    None if a limit is reached before such a set is known; raise SatdokuError if the puzzle has a
    solution.

    >>> smallest_clash("11..............")
    SmallestClash(cells=(0, 1), is_proven=True, at_least=2)
    """
    return find_smallest_clash(parse(puzzle), Budget(limits_of(limits, keywords)))


def why(explanation: Explanation, question: str) -> Answer:
    """Say why a cell has its digit (`r4c5`), why it has this one (`r4c5=7`), or not (`r4c5!=3`).

    >>> why(explain("1.....2..3.....4"), "r2c1!=1").sentence
    'r2c1 is not 1: it sees the 1 in r1c1.'
    """
    puzzle = explanation.puzzle
    return reasons.answer(reasons.read_question(question, puzzle), explanation.way)


def hint(
    puzzle: AnyPuzzle,
    board: AnyPuzzle | None = None,
    *,
    assume_unique: bool = False,
    limits: Limits | None = None,
    **keywords: "Unpack[LimitKeywords]",
) -> Hint:
    """Return the next step of a puzzle in three parts, given the digits on the board so far.

    If a limit is reached first, there is no step, and the outcome is undecided.

    >>> found = hint("1.....2..3.....4", "12....2..3.....4")
    >>> found.where, found.what
    ('look at box 1', 'hidden single in r2c1')
    """
    asked = parse(puzzle)
    entered: Grid | None = None
    if board is not None:
        # A line of cells shows neither boxes nor symbols, so those of the puzzle are assumed.
        symbols = "".join(asked.symbols_of_rules) if isinstance(board, str) else ""
        entered = parse(board, box=asked.geometry, alphabet=symbols or None).grid
        if entered.geometry != asked.geometry:
            raise SatdokuError(f"the board does not have {asked.geometry} boxes, as the puzzle has")
    try:
        found = find_hint(asked, entered, limits_of(limits, keywords), None, assume_unique)
        return replace(found, entered=entered)
    except LimitReachedError as limit:
        return Hint(Outcome(asked, Verdict.UNDECIDED, reason=str(limit)))


def judge(
    puzzle: AnyPuzzle,
    claims: str | Sequence[Claim],
    level: Level | str = Level.ALL,
    *,
    limits: Limits | None = None,
    **keywords: "Unpack[LimitKeywords]",
) -> list[Judged]:
    """Judge each claim about a puzzle, on the board with the true claims before it.

    `claims` are a text, such as `r3c6: 5, r3c6 is not 4`, or a list. Raise SatdokuError for a text
    without claims, and LimitReachedError where a limit came first.

    >>> [judged.worth.value for judged in judge("1.....2..3.....4", "r1c2: 2, r1c3: 3, r2c1: 3")]
    ['follows', 'wrong', 'follows']
    """
    asked = parse(puzzle)
    said, is_grid = _read_said(claims, asked)
    budget = Budget(limits_of(limits, keywords))
    return list(judge_claims(asked, said, is_grid, member_named(Level, level), budget))


def _read_said(claims: str | Sequence[Claim], puzzle: Puzzle) -> tuple[Sequence[Claim], bool]:
    """Return the claims, and whether they are those of a grid."""
    if isinstance(claims, str):
        read = read_claims(claims, puzzle)
        if read.faults:
            raise SatdokuError(read.faults[0])
        return read.claims, read.is_grid
    are_claims = isinstance(claims, Sequence) and all(isinstance(each, Claim) for each in claims)
    if not are_claims:
        raise SatdokuError(f"claims are a text or a list of Claim, not {cut(repr(claims), 40)}")
    return claims, False


def candidates(
    puzzle: AnyPuzzle, *, limits: Limits | None = None, **keywords: "Unpack[LimitKeywords]"
) -> TrueCandidates:
    """Return the digits that each cell has in some solution, with a solution for each of them.

    >>> candidates("1.....2........4").digits(9)
    [1, 3, 4]
    """
    return find_true_candidates(parse(puzzle), Budget(limits_of(limits, keywords)))


def to_text(explanation: Explanation, wording: Wording | str = Wording.USUAL) -> str:
    """Return an explanation as `satdoku explain` prints it.

    >>> to_text(explain("11.............."), "brief").splitlines()[0]
    'No solution: two givens clash directly.'
    """
    return "\n".join(describe(explanation, Style(member_named(Wording, wording)))) + "\n"


def tell_steps(
    explanation: Explanation, wording: Wording | str = Wording.USUAL
) -> Iterator[tuple[Step, str]]:
    """Yield each step of an explanation with its text.

    >>> step, text = next(tell_steps(explain("1.....2..3.....4"), "brief"))
    >>> step.technique.value, text
    ('hidden single', 'r1c2=2 (hidden single)')
    """
    texts = Teller(explanation.way).tell(member_named(Wording, wording))
    return zip(explanation.steps, texts, strict=True)


def to_object(
    answer: Outcome | Explanation | Step | Hint | TrueCandidates, has_statistics: bool = False
) -> dict[str, Any]:
    """Return the object that `--json` prints for an answer; only an outcome has statistics.

    >>> to_object(explain("1.....2..3.....4"))["steps"][0]["place"]
    'r1c2=2'
    """
    if isinstance(answer, Step):
        return step_object(answer)
    if isinstance(answer, Hint):
        puzzle = answer.outcome.puzzle
        if answer.outcome.verdict is Verdict.UNDECIDED:
            return no_hint_object(puzzle, answer.outcome.reason)
        return hint_object(answer, puzzle, answer.entered)
    if isinstance(answer, Explanation):
        return explanation_object(answer)
    if isinstance(answer, TrueCandidates):
        return candidates_object(answer, with_witnesses=True)
    return outcome_object(answer, has_statistics)


Drawable = AnyPuzzle | Outcome | Explanation | TrueCandidates
"""Everything that can be drawn: a puzzle, or an answer about one."""


def write(puzzle: AnyPuzzle, format: str = "line", *, alphabet: str | None = None) -> str:
    """Return a puzzle as `satdoku convert --to FORMAT` writes it, with the line end.

    >>> write("1.....2..3.....4", "sdk").splitlines()[-1]
    '...4'
    """
    target = format_named(format)
    spelling = Spelling(None if alphabet is None else Alphabet(alphabet))
    return target.opening() + target.write(parse(puzzle), spelling, 1)


def draw(
    *shown: Drawable,
    kind: str = "svg",
    per_page: int | None = None,
    title: str = "",
    footer: str = "",
    paper: str = "a4",
) -> bytes:
    """Return a drawing of puzzles, outcomes, explanations or true candidates: svg, png or pdf.

    An outcome is drawn as by `solve --draw`, an explanation as its slides. A PDF has as many pages
    as needed, with up to `per_page` boards on each, on `paper` a4 or letter.

    >>> b"<svg" in draw("1.....2..3.....4")
    True
    """
    wanted = member_named(DocumentKind, f".{kind}")
    require_library(wanted)
    if not shown:
        raise FormatError("there is nothing to draw", "puzzle")
    layout = Layout(per_page if wanted.has_pages else None, title, footer, paper)
    return write_sketches([_sketch(each) for each in shown], wanted, layout)


def slides(explanation: Explanation) -> Show:
    """Return an explanation as slides: a picture of each step with its words.

    >>> from satdoku.api.explaining import explain
    >>> show = slides(explain("1.....2..3.....4"))
    >>> len(show.slides), show.slides[1].heading
    (14, 'r1c2=2 (hidden single)')
    """
    return show_of(explanation)


def to_page(*shows: Show) -> str:
    """Return a self-contained HTML page that steps through slides."""
    return write_page(shows)


def _sketch(shown: Drawable) -> Sketch:
    if isinstance(shown, Explanation):
        return show_of(shown).sketch()
    if isinstance(shown, Outcome):
        return Sketch(pictures_of_outcome(shown))
    if isinstance(shown, TrueCandidates):
        return Sketch((picture_with_candidates(shown.puzzle, shown.digits_of_cells),))
    return Sketch((picture_of(parse(shown)),))


def encode(
    puzzle: AnyPuzzle,
    encoding: Encoding | str = Encoding.EXTENDED,
    at_most_one: Method | str = Method.PAIRWISE,
) -> Iterator[ClauseGroup]:
    """Yield the clauses of a puzzle, group by group, each with the reason for it.

    >>> str(next(encode("1.....2..3.....4")).reason)
    'r1c1 is given as 1'
    """
    return encode_puzzle(
        parse(puzzle), member_named(Encoding, encoding), member_named(Method, at_most_one)
    )


def to_cnf(
    puzzle: AnyPuzzle,
    encoding: Encoding | str = Encoding.EXTENDED,
    at_most_one: Method | str = Method.PAIRWISE,
) -> "CNF":
    """Return the same clauses as a formula of python-sat.

    >>> to_cnf("1.....2..3.....4").nv
    64
    """
    from pysat.formula import CNF

    groups = encode(puzzle, encoding, at_most_one)
    return CNF(from_clauses=[list(clause) for group in groups for clause in group.clauses])
