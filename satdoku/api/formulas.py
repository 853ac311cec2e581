"""The calls that make formulas."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from satdoku.api.puzzles import AnyPuzzle, parse
from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.constraint import ClauseGroup
from satdoku.encoding.encode import encode as encode_puzzle
from satdoku.errors import member_named

if TYPE_CHECKING:
    from pysat.formula import CNF


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
