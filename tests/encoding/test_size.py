from satdoku.encoding.at_most_one import Method
from satdoku.encoding.encode import Encoding, measure
from satdoku.encoding.size import rules_size
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from tests.boards import SHAPES
from tests.crossing import crossed


@crossed(5, geometry=SHAPES[:-1], encoding=Encoding)
def test_size_by_arithmetic_is_size_by_encoding(geometry: Geometry, encoding: Encoding) -> None:
    for method in (
        Method if geometry.size < 9 else (Method.PAIRWISE, Method.TEXTBOOK, Method.PRODUCT)
    ):
        encoded = measure(Puzzle(Grid.empty(geometry)), encoding, method)
        assert rules_size(geometry, encoding, method) == encoded, method
