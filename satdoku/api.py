"""The library in a few calls; everything here takes a puzzle as text, as rows, or as a Puzzle."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from satdoku.encoding.at_most_one import Method
from satdoku.encoding.constraint import ClauseGroup
from satdoku.encoding.encode import Encoding
from satdoku.encoding.encode import encode as encode_puzzle
from satdoku.errors import FormatError, SatdokuError
from satdoku.generating.generate import Ratings, generate_all
from satdoku.generating.generated import Generated
from satdoku.generating.wishes import Wishes, make_request
from satdoku.minimizing.minimizer import Minimized, Minimizer
from satdoku.notation.hinted_rules import add_rules
from satdoku.notation.hints import Hints
from satdoku.notation.lists.board import list_cells, read_lists, write_lists
from satdoku.notation.reading import read_puzzles
from satdoku.notation.spelling import spelling_of
from satdoku.notation.symbols import Alphabet
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Clash, Rule
from satdoku.puzzle.symmetry import Symmetry
from satdoku.puzzle.verdict import Outcome, Statistics, Verdict
from satdoku.rating.rater import rate_all
from satdoku.rating.rating import Rating
from satdoku.reporting.objects import to_object
from satdoku.reporting.words import sentence
from satdoku.solving import questions
from satdoku.solving.limits import Limits
from satdoku.solving.questions import Count
from satdoku.solving.settings import Settings
from satdoku.twins.canonical import Canonical, canonical_form

if TYPE_CHECKING:
    from pysat.formula import CNF

__all__ = [
    "AnyPuzzle",
    "Canonical",
    "Clash",
    "ClauseGroup",
    "Count",
    "Encoding",
    "FormatError",
    "Generated",
    "Geometry",
    "Grid",
    "Limits",
    "Method",
    "Minimized",
    "Minimizer",
    "Outcome",
    "Puzzle",
    "Rating",
    "Rule",
    "SatdokuError",
    "Settings",
    "Statistics",
    "Symmetry",
    "UnsolvedError",
    "Verdict",
    "canonical",
    "check",
    "count",
    "encode",
    "generate",
    "minimize",
    "parse",
    "rate",
    "solutions",
    "solve",
    "solve_in_place",
    "to_cnf",
    "to_object",
]

AnyPuzzle = str | Sequence[Sequence[Any]] | Puzzle | Grid
"""What every call takes for a puzzle."""


class UnsolvedError(SatdokuError):
    """A puzzle that has no unique solution, or none within the limits; `outcome` says which."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(sentence(outcome))
        self.outcome = outcome

    def __reduce__(self) -> tuple[type["UnsolvedError"], tuple[Outcome]]:
        """Travel between processes with the outcome."""
        return type(self), (self.outcome,)


def parse(
    puzzle: AnyPuzzle,
    *,
    format: str | None = None,
    box: Geometry | None = None,
    alphabet: str | None = None,
    rules: Iterable[str] = (),
) -> Puzzle:
    """The puzzle that a text in any format, or a list of rows, describes.

    `rules` are further rules as `--rule` takes them; `regions:` and one letter a cell is one too.

    >>> parse("1... ..2. .3.. ...4".replace(" ", "")).givens
    {0: 1, 6: 2, 9: 3, 15: 4}
    >>> [rule.name for rule in parse("1...............", rules=["anti-knight"]).rules]
    ['rows', 'columns', 'boxes', 'anti-knight']
    """
    names = tuple(rules)
    if isinstance(puzzle, Puzzle):
        return add_rules(puzzle, names, "puzzle", 1)
    if isinstance(puzzle, Grid):
        return add_rules(Puzzle(puzzle), names, "puzzle", 1)
    hints = Hints(box, Alphabet(alphabet) if alphabet else None, rules=names)
    if not isinstance(puzzle, str):
        return add_rules(Puzzle(_read_rows(puzzle, hints)), names, "puzzle", 1)
    puzzles = list(read_puzzles(puzzle.splitlines(), "puzzle", format, hints))
    if len(puzzles) != 1:
        raise FormatError(f"{len(puzzles)} puzzles found, expected one", "puzzle")
    return puzzles[0]


def _read_rows(puzzle: Sequence[Any], hints: Hints) -> Grid:
    """The board of a list; the line of a fault is its row, the column its cell in the row."""
    if not isinstance(puzzle, Iterable) or isinstance(puzzle, bytes | Mapping):
        kind = type(puzzle).__name__
        raise FormatError(f"a puzzle is a text or a list of rows, not {kind}", "puzzle")
    rows = [
        list(row) if isinstance(row, Iterable) and not isinstance(row, str) else row
        for row in puzzle
    ]
    is_flat = not any(isinstance(row, list | str) and len(row) > 1 for row in rows)
    width = len(rows) ** (1 + is_flat)

    def place_of(cell: int) -> tuple[int, int]:
        return cell // (width or 1) + 1, cell % (width or 1) + 1

    return read_lists(rows, hints, place_of, "puzzle")


def solve(puzzle: AnyPuzzle, settings: Settings | None = None) -> Grid:
    """The only solution of a puzzle; UnsolvedError if it has none, several, or time ran out.

    >>> solve("1.....2..3.....4").rows
    [(1, 2, 4, 3), (3, 4, 2, 1), (4, 3, 1, 2), (2, 1, 3, 4)]
    """
    outcome = check(puzzle, settings)
    if outcome.verdict is not Verdict.UNIQUE or outcome.solution is None:
        raise UnsolvedError(outcome)
    return outcome.solution


def solve_in_place(board: list[list[Any]], settings: Settings | None = None) -> None:
    """Fills the blanks of a board of characters or numbers, as programming contests ask for.

    >>> board = [list("1..."), list("..2."), list(".3.."), list("...4")]
    >>> solve_in_place(board)
    >>> board[0]
    ['1', '2', '4', '3']
    """
    if not (isinstance(board, list) and all(isinstance(row, list) for row in board)):
        raise FormatError("only a list of lists can be filled in place", "puzzle")
    puzzle = parse(board)
    solution = solve(puzzle, settings)
    # Numbers among numbers, letters among letters.
    spelling = spelling_of(list_cells(board, puzzle.geometry.size), puzzle.geometry.size, None)
    found: Any = write_lists(board, solution, spelling)
    for row, given, full in zip(board, puzzle.grid.rows, found, strict=True):
        for column, digit in enumerate(given):
            if digit == EMPTY:
                row[column] = full[column]


def check(puzzle: AnyPuzzle, settings: Settings | None = None) -> Outcome:
    """Whether a puzzle has one solution, several or none, and the evidence.

    >>> outcome = check("11..............")
    >>> outcome.verdict.value, str(outcome.clashes[0])
    ('none', 'r1c1 and r1c2 are both 1, in row 1')
    """
    return questions.check(parse(puzzle), settings)


def solutions(puzzle: AnyPuzzle, settings: Settings | None = None) -> Iterator[Grid]:
    """The solutions, found one by one as they are asked for.

    >>> sum(1 for _ in solutions("." * 16))
    288
    """
    return questions.find_solutions(parse(puzzle), settings)


def count(puzzle: AnyPuzzle, limit: int | None = None, settings: Settings | None = None) -> Count:
    """How many solutions there are; counting stops at `limit`.

    >>> str(count("." * 16, limit=100))
    '100+'
    """
    return questions.count(parse(puzzle), limit, settings)


def encode(
    puzzle: AnyPuzzle,
    encoding: Encoding | str = Encoding.EXTENDED,
    at_most_one: Method | str = Method.PAIRWISE,
) -> Iterator[ClauseGroup]:
    """The clauses of a puzzle, group by group, each with the reason for which it stands there.

    >>> str(next(encode("1.....2..3.....4")).reason)
    'r1c1 is given as 1'
    """
    try:
        how = Encoding(encoding), Method(at_most_one)
    except ValueError as error:
        raise SatdokuError(str(error)) from None
    return encode_puzzle(parse(puzzle), *how)


def to_cnf(
    puzzle: AnyPuzzle,
    encoding: Encoding | str = Encoding.EXTENDED,
    at_most_one: Method | str = Method.PAIRWISE,
) -> "CNF":
    """The same clauses as a formula of python-sat.

    >>> to_cnf("1.....2..3.....4").nv
    64
    """
    from pysat.formula import CNF

    groups = encode(puzzle, encoding, at_most_one)
    return CNF(from_clauses=[list(clause) for group in groups for clause in group.clauses])


def generate(
    count: int = 1,
    *,
    seed: str | int | None = None,
    box: Geometry | None = None,
    rules: Iterable[str] = (),
    givens: int | tuple[int, int] | None = None,
    minimality: str | None = None,
    symmetry: Symmetry | str | None = Symmetry.NONE,
    mask: str | None = None,
    solution: AnyPuzzle | None = None,
    technique: str | None = None,
    ratings: Ratings | None = None,
    has_random_regions: bool = False,
    limits: Limits | None = None,
) -> Iterator[Generated]:
    """Puzzles with one solution, made one by one as they are asked for; the same for a seed.

    >>> [made] = generate(seed=1, box=Geometry(2, 2))
    >>> made.givens, made.is_minimal, check(made.puzzle).verdict.value
    (5, True, 'unique')
    """
    start = None if solution is None else parse(solution, box=box, rules=rules)
    board = start or parse(Grid.empty(box or Geometry()), rules=rules)
    wishes = Wishes(givens, minimality, symmetry, mask, technique, has_random_regions)
    return generate_all(make_request(board, wishes, seed), iter(range(count)), ratings, limits)


def minimize(
    puzzle: AnyPuzzle, *, seed: str = "0", fewest: bool = False, limits: Limits | None = None
) -> Minimized:
    """A puzzle with the same solution and no redundant given, or the one with the fewest givens.

    >>> minimize("1234341221434321", fewest=True).givens
    4
    """
    with Minimizer(limits=limits) as minimizer:
        outcome = minimizer.check(parse(puzzle))
        if outcome.verdict is not Verdict.UNIQUE:
            raise UnsolvedError(outcome)
        return minimizer.find_fewest(outcome) if fewest else minimizer.minimize(outcome, seed)


def rate(puzzle: AnyPuzzle, limits: Limits | None = None) -> Rating:
    """How hard a puzzle is, as docs/rating.md defines it.

    >>> rate("1.....2..3.....4").level.value
    'easy'
    """
    [rated] = rate_all([parse(puzzle)], limits)
    if rated.rating is None:
        raise UnsolvedError(rated.outcome)
    return rated.rating


def canonical(puzzle: AnyPuzzle) -> Canonical:
    """The smallest of all symmetric twins of a puzzle.

    >>> canonical("4.....3..2.....1").grid == canonical("1.....2..3.....4").grid
    True
    """
    return canonical_form(parse(puzzle))
