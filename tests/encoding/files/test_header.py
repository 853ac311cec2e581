import pytest

from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.files.dimacs import blocks_solution, read_encoding, read_geometry, read_puzzle
from satdoku.encoding.meanings import BLOCKED_COMMENT
from satdoku.errors import DimacsError
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from tests.each import for_each
from tests.encoding.files.formulas import Cnf


def cnf_with(*comments: str, variables: int = 64) -> Cnf:
    return Cnf(variables, (), comments)


def test_the_comment_tells_the_board() -> None:
    cnf = cnf_with("board 6x6 with boxes of 3x2", variables=216)
    assert read_geometry(cnf, "f.cnf") == Geometry(3, 2)
    assert read_geometry(cnf, "f.cnf", Geometry(2, 3)) == Geometry(3, 2)


def test_without_a_comment_the_user_tells_the_board() -> None:
    cnf = cnf_with("made by somebody else", variables=1000)
    assert read_geometry(cnf, "f.cnf", Geometry(2, 3)) == Geometry(2, 3)


@for_each("variables, side", [(1, 1), (64, 2), (729, 3), (4096, 4), (15625, 5)])
def test_else_the_variables_tell_the_board(variables: int, side: int) -> None:
    assert read_geometry(cnf_with(variables=variables), "f.cnf") == Geometry(side, side)


@for_each("variables", [0, 2, 8, 27, 63, 65, 125, 216, 728, 1000, 3321, 2**32])
def test_a_board_that_nothing_tells_is_asked_for(variables: int) -> None:
    with pytest.raises(DimacsError, match=r"^f\.cnf: no comment tells the board.*--box"):
        read_geometry(cnf_with(variables=variables), "f.cnf")


@pytest.mark.parametrize("comment", ["board 9x9 with boxes of 3x3", ""])
def test_a_board_with_more_cells_than_the_formula_is_refused(comment: str) -> None:
    with pytest.raises(DimacsError, match="needs 729 variables, but the formula has 64"):
        read_geometry(cnf_with(comment), "f.cnf", Geometry(3, 3))


def test_the_comment_tells_the_puzzle() -> None:
    grid = Grid.empty(Geometry(2, 2)).with_digits({0: 1, 15: 4})
    cnf = cnf_with("sudoku 1..............4")
    assert read_puzzle(cnf, grid.geometry, "f.cnf") == Puzzle(grid)


@for_each(
    "comment", ["", "sudoku", "sudoku by Ann", "sudoku 1234", "sudoku # 1", "sudoku 5" + "." * 15]
)
def test_without_a_puzzle_in_the_comments_the_board_is_empty(comment: str) -> None:
    geometry = Geometry(2, 2)
    assert read_puzzle(cnf_with(comment), geometry, "f.cnf").grid == Grid.empty(geometry)


def test_the_comment_tells_the_encoding() -> None:
    cnf = cnf_with("encoding triads, at most one by ladder")
    assert read_encoding(cnf) == (Encoding.TRIADS, Method.LADDER)


@pytest.mark.parametrize(
    "comment",
    ["", "encoding secret, at most one by ladder", "encoding triads, at most one by hand"],
)
def test_an_encoding_that_is_not_ours_is_none(comment: str) -> None:
    assert read_encoding(cnf_with(comment)) is None


def test_a_blocked_solution_is_told() -> None:
    assert blocks_solution(cnf_with("satdoku", f"{BLOCKED_COMMENT} 1234"))
    assert not blocks_solution(cnf_with("satdoku", f"not {BLOCKED_COMMENT}"))


@pytest.mark.parametrize(
    "comment", ["board 9x9 with boxes of {}x3", "board {}x{} with boxes of 3x3"]
)
def test_a_side_of_thousands_of_digits_is_no_board(comment: str) -> None:
    """Python by itself raises an error of its own over a number of more than 4,300 digits."""
    cnf = cnf_with(comment.replace("{}", "9" * 5000), variables=65)
    with pytest.raises(DimacsError, match=r"no comment tells the board|needs 729 variables"):
        read_geometry(cnf, "f.cnf")
