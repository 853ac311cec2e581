"""The rating by its definition in docs/rating.md, with plain sets and one board at a time.

Rules about several cells are in
`rules_oracle.py`. It shares no code with the package. `None` is "beyond".
"""

from collections.abc import Iterable, Sequence
from itertools import combinations, product

from tests.rating.rules_oracle import Rule, excluded

Candidate = tuple[int, int]
Groups = list[list[Candidate]]


def rate(
    units: Iterable[Sequence[int]], digits: Sequence[int], rules: Sequence[Rule] = ()
) -> int | None:
    """The rating of a puzzle with one solution; every unit holds every digit.

    Rows come first among the units, and then columns.
    """
    units = list(units)
    size = max(len(unit) for unit in units)
    hidden = [[(c, d) for c in unit] for unit in units for d in range(1, size + 1)]
    cells = [[(cell, d) for d in range(1, size + 1)] for cell in range(len(digits))]
    game = Game(hidden + cells, rules)
    board = {x for cell in cells for x in cell if digits[x[0]] in (0, x[1])}
    board = game.remove(board, {x for x in board if digits[x[0]]})
    for rating, groups in enumerate((hidden, hidden + cells)):
        board = game.close(board, groups)
        if len(board) == len(cells):
            return rating
    # The longest refutation that any puzzle is known to need takes 24 steps.
    for steps in range(30):
        while True:
            refuted = {x for x in board if game.refutes(board, x, steps)}
            if steps:
                refuted |= crowded_out(units, board)
                # By all ways to fill cells; where one step refutes more that takes very long.
                refuted = refuted or excluded(size, units, rules, board, steps)
            board = game.close(board - refuted, game.groups)
            if len(board) == len(cells):
                return 2 + steps
            if not refuted:
                break
    return None


def crowded_out(units: Sequence[Sequence[int]], board: set[Candidate]) -> set[Candidate]:
    """What cells keep from the rest of their unit, as they have no more digits than they are.

    Every set of cells is tried. CandidateGroups that have to be true lie in smaller sets still.
    """
    gone = set()
    for unit in units:
        digits_of = {cell: {d for c, d in board if c == cell} for cell in unit}
        for count in range(1, len(unit)):
            for cells in combinations(unit, count):
                digits = set().union(*(digits_of[cell] for cell in cells))
                if len(digits) == count:
                    gone |= {(c, d) for c in set(unit) - set(cells) for d in digits}
    return gone & board


class Game:
    """The groups of a board, exactly one candidate of each being true."""

    def __init__(self, groups: Groups, rules: Sequence[Rule] = ()) -> None:
        self.groups = groups
        self.rules = rules
        self.peers: dict[Candidate, set[Candidate]] = {x: set() for group in groups for x in group}
        for group in groups:
            for x in group:
                self.peers[x].update(y for y in group if y != x)

    def singles(self, board: set[Candidate], groups: Groups) -> set[Candidate]:
        lefts = ([x for x in group if x in board] for group in groups)
        return {left[0] for left in lefts if len(left) == 1}

    def remove(self, board: set[Candidate], settled: set[Candidate]) -> set[Candidate]:
        """Without all that shares a group with a settled candidate, even if it is settled.

        Then without what no choice of open digits has that keeps a rule, each of them tried.
        """
        board = board.difference(*(self.peers[x] for x in settled))
        gone: set[Candidate] = set()
        for rule in self.rules:
            open_ = [[x for x in board if x[0] == cell] for cell in rule.cells]
            kept = [some for some in product(*open_) if rule.is_kept([digit for _, digit in some])]
            gone |= {x for some in open_ for x in some}.difference(*kept)
        return board - gone

    def close(self, board: set[Candidate], groups: Groups) -> set[Candidate]:
        while True:
            smaller = self.remove(board, self.singles(board, groups))
            if smaller == board:
                return board
            board = smaller

    def refutes(self, board: set[Candidate], assumed: Candidate, steps: int) -> bool:
        found = {assumed}
        for step in range(steps + 1):
            if step % 2:
                found = self.singles(board, self.groups)
                if any(not found.isdisjoint(self.peers[x]) for x in found):
                    return True
            else:
                board = self.remove(board, found)
                if any(board.isdisjoint(group) for group in self.groups):
                    return True
        return False
