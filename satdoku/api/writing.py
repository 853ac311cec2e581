"""The calls that write puzzles, in a format or as formulas, and draw what was found out."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from satdoku.api.puzzles import AnyPuzzle, parse
from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.constraint import ClauseGroup
from satdoku.encoding.encode import encode as encode_puzzle
from satdoku.errors import FormatError, member_named
from satdoku.explaining.explain import Explanation
from satdoku.explaining.slides import show_of
from satdoku.explaining.true_candidates import TrueCandidates
from satdoku.notation.formats import format_named
from satdoku.notation.spelling import Spelling
from satdoku.notation.symbols import Alphabet
from satdoku.picture.documents import DocumentKind, require_library, write_sketches
from satdoku.picture.making import picture_of, picture_with_candidates, pictures_of_outcome
from satdoku.picture.page import write_page
from satdoku.picture.picture import Layout, Show, Sketch
from satdoku.puzzle.verdict import Outcome

if TYPE_CHECKING:
    from pysat.formula import CNF


Drawable = AnyPuzzle | Outcome | Explanation | TrueCandidates
"""What can be drawn: a puzzle, and what was found out about one."""


def write(puzzle: AnyPuzzle, format: str = "line", *, alphabet: str | None = None) -> str:
    """A puzzle as `satdoku convert --to FORMAT` writes it, with the line end.

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
) -> bytes:
    """A drawing of puzzles, outcomes, explanations or true candidates: `svg`, `png` or `pdf`.

    Of an outcome it shows what `solve --draw` shows, of an explanation its slides. A PDF has as
    many pages as it takes, with up to `per_page` boards on each.

    >>> b"<svg" in draw("1.....2..3.....4")
    True
    """
    wanted = member_named(DocumentKind, f".{kind}")
    require_library(wanted)
    if not shown:
        raise FormatError("there is nothing to draw", "puzzle")
    layout = Layout(per_page if wanted.has_pages else None, title, footer)
    return write_sketches([_sketch(each) for each in shown], wanted, layout)


def slides(explanation: Explanation) -> Show:
    """An explanation as slides: a picture of each step with its words.

    >>> from satdoku.api.explaining import explain
    >>> show = slides(explain("1.....2..3.....4"))
    >>> len(show.slides), show.slides[1].heading
    (14, 'r1c2=2 (hidden single)')
    """
    return show_of(explanation)


def to_page(*shows: Show) -> str:
    """A page of HTML that walks through slides, and needs nothing beside it."""
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
    """The clauses of a puzzle, group by group, each with the reason for which it stands there.

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
    """The same clauses as a formula of python-sat.

    >>> to_cnf("1.....2..3.....4").nv
    64
    """
    from pysat.formula import CNF

    groups = encode(puzzle, encoding, at_most_one)
    return CNF(from_clauses=[list(clause) for group in groups for clause in group.clauses])
