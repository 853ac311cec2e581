"""What suppositions lead to, kept from position to position, beside the same found out anew."""

from random import Random

from satdoku.explaining.board import candidates_of
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Technique
from satdoku.explaining.techniques.nets import Reached, Web
from satdoku.explaining.techniques.strong_links import StrongLinks
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget
from satdoku.solving.questions import check
from tests.crossing import crossed
from tests.explaining.samples import of_file, ruled_puzzle, shared_board

PUZZLES = [*of_file("sparse", 1), ruled_puzzle("anti-knight", 1, 36)]


@crossed(2, puzzle=PUZZLES)
def test_what_is_kept_refutes_all_that_is_found_anew(puzzle: Puzzle) -> None:
    rng = Random(5)
    position = Position(shared_board(puzzle))
    solution = check(puzzle).solution
    assert solution is not None
    placements = position.board.placements
    wrong = candidates_of(position.left)
    wrong = [c for c in wrong if solution.digits[placements[c].cell] != placements[c].digit]
    rng.shuffle(wrong)
    links = StrongLinks(position)
    simple = with_sets = Reached()
    refuted = 0
    while wrong:
        left = position.left
        web = Web(links.ends, left)
        web.add(links.of_truths())
        simple = web.follow(simple, left, Budget())
        # It may be more, where a link is gone that was needed to find it out.
        assert not web.follow(Reached(), left, Budget()).refuted & ~simple.refuted
        web.add(links.of_sets())
        with_sets = web.follow(with_sets, left, Budget())
        assert not web.follow(Reached(), left, Budget()).refuted & ~with_sets.refuted
        refuted |= with_sets.refuted
        position.apply(Finding(Technique.LOCKED, (), excludes=tuple(wrong[:8])))
        del wrong[:8]
    assert refuted
