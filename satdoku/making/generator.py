"""Make the puzzles of a request, each from the seed and its own number only.

Puzzles are made one after the other, and may be filtered by a wanted rating or wanted steps.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from enum import Enum
from functools import partial
from hashlib import blake2b
from itertools import chain, islice, repeat, zip_longest
from math import comb

from satdoku.encoding.choices import Encoding, Status
from satdoku.errors import SatdokuError, WrongSolutionError, count_of
from satdoku.making.canonical import LARGEST_SIZE, canonical_form
from satdoku.making.clues import drop_spare_clues, find_board
from satdoku.making.drafts import (
    Draft,
    draft_by_deletion,
    draft_by_mask,
    draft_few_givens,
    draft_fewest,
    draft_many,
    is_few,
)
from satdoku.making.full_grid import Chance, asked_grid, random_grid, random_regions
from satdoku.making.request import Needs, Ratings, Request, WantedTechnique
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import require_solution
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.symmetry import Symmetry
from satdoku.puzzle.value import Shown, value
from satdoku.rating.rater import find_rating
from satdoku.rating.rating import SINGLES
from satdoku.solving.assumptions import RuleSolver, is_large
from satdoku.solving.limits import Budget, Limits, Watch, require_memory_for_rules, unwatched
from satdoku.solving.session import Closable

# Generated puzzles, and when two of them count as equal
#
# Puzzle i of a seed does not depend on the others. The puzzles 0, 1, 2, ... are made in this order,
# and each is kept if it equals no earlier one. The number of a dropped puzzle is missing from the
# output; later puzzles keep their numbers.


@value(frozen=True, repr=False)
class Generated(Shown):
    """A puzzle with one solution.

    `is_minimal` tells that each given was proven to be needed; False also if that is not known.
    `undecided` is the number of givens that were kept because the patience ended first. `within` is
    set if the fewest givens were wanted: no puzzle within this one has fewer. `is_by_deletion`
    tells that the givens of a full grid were deleted in a random order, and nothing else was done.
    """

    puzzle: Puzzle
    solution: Grid
    seed: str
    index: int
    symmetry: Symmetry
    is_minimal: bool
    undecided: int = 0
    within: Grid | None = None
    is_by_deletion: bool = True

    def __repr__(self) -> str:
        return f"<Generated {self.index} of seed {self.seed}: {self.puzzle!r}>"

    @property
    def givens(self) -> int:
        """Return how many givens the puzzle has."""
        return len(self.puzzle.givens)

    @property
    def weight(self) -> float | None:
        """Return the weight of the puzzle in an unbiased sample of minimal puzzles.

        Deleting givens in a random order finds a puzzle with k of n cells given with a probability
        of about 1 in (n over k), so puzzles with few givens are too frequent. The weight is (n over
        k), divided by that of a puzzle in which 3 cells of 10 are given: 1.0 for 24 givens on 9x9,
        2.28 for 25. None for puzzles made in another way, such as those with few givens, whose
        probability is not known.
        """
        if not self.is_by_deletion:
            return None
        cells = self.puzzle.geometry.cell_count
        return comb(cells, self.givens) / comb(cells, cells * 3 // 10)


# Among a billion puzzles two have the same 128-bit key with a probability of 1 in 10^21. With
# Python's overhead a key takes about 100 bytes of memory.
_BYTES_A_KEY = 16

# The search ends after this many puzzles in a row that are not new, or after as many as were found
# if that is more. There are few 4x4 puzzles up to symmetry, and very few with many wishes.
_MOST_IN_VAIN = 1000


class Distinct(Enum):
    """When two puzzles count as equal."""

    EXACT = "exact"
    """The puzzles have the same givens and rules."""
    ISOMORPHIC = "isomorphic"
    """The puzzles are twins."""


def require_distinguishable(request: Request, distinct: Distinct | None) -> None:
    """Raise an error if twins count as equal and the board has no canonical forms."""
    if distinct is not Distinct.ISOMORPHIC:
        return
    if not request.is_classic:
        raise SatdokuError("twins are found for rows, columns and boxes only; use --distinct exact")
    size = request.geometry.size
    if size > LARGEST_SIZE:
        most = f"{LARGEST_SIZE}x{LARGEST_SIZE}"
        raise SatdokuError(
            f"twins are found up to {most}, not on {size}x{size}; use --distinct exact"
        )


def key_of(puzzle: Puzzle, distinct: Distinct) -> bytes:
    """Return a key that two puzzles share if and only if they count as equal."""
    is_exact = distinct is Distinct.EXACT
    digits = puzzle.grid.digits if is_exact else canonical_form(puzzle).grid.digits
    text = f"{' '.join(map(str, digits))} {' '.join(puzzle.rule_texts)}"
    return blake2b(text.encode(), digest_size=_BYTES_A_KEY).digest()


class Seen:
    """The keys of all puzzles that were kept."""

    def __init__(self) -> None:
        self._keys: set[bytes] = set()
        self._in_vain = self._missed = 0
        self.left_out = 0

    def __len__(self) -> int:
        return len(self._keys)

    def is_new(self, key: bytes) -> bool:
        """Add the key; return whether no earlier puzzle had it."""
        if key in self._keys:
            self.left_out += 1
            self._in_vain += 1
            return False
        # A new puzzle resets the count: only rejections in a row show that few puzzles are left.
        self._keys.add(key)
        self._in_vain = self._missed = 0
        return True

    def miss(self) -> None:
        """Note that a puzzle was not found, which is in vain as well."""
        self._in_vain += 1
        self._missed += 1

    @property
    def is_exhausted(self) -> bool:
        """Whether so many puzzles in a row were in vain that new ones are unlikely."""
        return self._in_vain >= max(_MOST_IN_VAIN, len(self._keys))

    @property
    def sentence(self) -> str:
        """Return a sentence that says why the search ends."""
        noun = "puzzle differs" if len(self) == 1 else "puzzles differ"
        before = "were not found" if self._missed == self._in_vain else "were made before"
        either = " or not found" if 0 < self._missed < self._in_vain else ""
        return f"only {len(self):,} {noun}: the last {self._in_vain:,} {before}{either}"


def keep_distinct(
    puzzles: Iterator[Generated], number: int, distinct: Distinct
) -> Iterator[Generated]:
    """Yield the first `number` distinct puzzles; raise SatdokuError if no more seem to come."""
    seen = Seen()
    while len(seen) < number:
        made = next(puzzles)
        if seen.is_new(key_of(made.puzzle, distinct)):
            yield made
        elif seen.is_exhausted:
            raise SatdokuError(seen.sentence)


# The propagation of this solver is a little faster than that of the deciding solver.
_PROPAGATING_SOLVER = "glucose4"

_ENCODINGS = {
    WantedTechnique.SINGLES: Encoding.EXTENDED,
    WantedTechnique.NAKED_SINGLES: Encoding.EFFICIENT,
}


class BoardSolvers:
    """The solvers of a board: `rules` decides; `propagator`, if a technique is wanted, fills the
    board.
    """

    def __init__(
        self, board: Puzzle, request: Request, solver: str | None, budget: Budget | None
    ) -> None:
        self.board = board
        self._is_patient = request.conflicts_a_given is None
        self.rules = RuleSolver(board, solver, budget, request.conflicts_a_given)
        self.propagator: RuleSolver | None = None
        if request.technique is not None:
            encoding = _ENCODINGS[request.technique]
            propagating = None if is_large(board.geometry) else _PROPAGATING_SOLVER
            self.propagator = RuleSolver(board, propagating, budget, encoding=encoding)

    def begin_puzzle(self, budget: Budget | None) -> None:
        """Drop learned clauses if patience is limited: they must not influence the result."""
        self.rules.budget = budget
        if self.propagator is not None:
            self.propagator.budget = budget
        if not self._is_patient:
            self.rules.start_again()

    def close(self) -> None:
        self.rules.close()
        if self.propagator is not None:
            self.propagator.close()


# Most puzzles made together: they take a twentieth of a second. With fewer, each would be slower.
MOST_TOGETHER = 512

# Nearly all random regions have a grid; after this many failures in a row, no grid is expected.
_MOST_REGIONS = 1000


class Generator(Closable):
    """Makes puzzles that depend only on the request and their numbers.

    `accept` is a further condition, such as a rating: rejected puzzles are made anew. A `budget`
    ends the making of a puzzle with LimitReachedError; the next puzzle may get another budget.
    `watch` is called with a description of the current work.
    """

    def __init__(
        self,
        request: Request,
        solver: str | None = None,
        budget: Budget | None = None,
        accept: Callable[[Puzzle], bool] | None = None,
    ) -> None:
        # Checked before the first puzzle, not while it is made.
        require_memory_for_rules(request.geometry, is_large(request.geometry))
        self._request = request
        self._solver = solver
        self.budget = budget
        self.watch: Watch = unwatched
        self._accept = accept
        self._solvers: BoardSolvers | None = None

    def make(self, index: int) -> Generated:
        """Return the puzzle with this number; numbers may come in any order."""
        request = self._request
        chance = Chance(request.seed, index)
        solvers = self._prepare(chance)
        missed = refused = 0
        while True:
            if self.budget is not None:
                self.budget.require()
            found = self._attempt(solvers, chance)
            # The random sequence continues after a failed attempt, so the next attempt differs.
            if found is None:
                missed += 1
                self.watch(f"no puzzle {index + 1} yet, of {count_of(missed, 'grid')} tried")
                continue
            puzzle, draft = found
            if self._accept is None or self._accept(puzzle):
                return self._generated(puzzle, draft, index)
            refused += 1
            self.watch(f"{count_of(refused, 'puzzle')} tried for puzzle {index + 1}")

    def make_many(self, indexes: Sequence[int]) -> Iterator[tuple[Generated, bool]]:
        """Yield the puzzles, made together by the compiled library if possible.

        Each comes with a flag: whether a solver checked the library's result. The budget applies to
        each puzzle that is made alone.
        """
        has_way = self._solver is None and not is_few(self._request)
        drafts = draft_many(self._request, indexes) if has_way and len(indexes) > 1 else []
        for index, found in zip_longest(indexes, drafts):
            if found is not None:
                draft, is_compared = found
                puzzle = self._request.board.with_grid(draft.grid)
                if self._accept is None or self._accept(puzzle):
                    yield self._generated(puzzle, draft, index), is_compared
                    continue
            # Repeat the failed attempt without the library, and continue with further ones.
            yield self.make(index), False

    def close(self) -> None:
        if self._solvers is not None:
            self._solvers.close()
            self._solvers = None

    def _generated(self, puzzle: Puzzle, draft: Draft, index: int) -> Generated:
        return Generated(
            puzzle,
            draft.solution,
            self._request.seed,
            index,
            draft.symmetry,
            draft.is_minimal,
            draft.undecided,
            draft.grid_of(draft.within) if draft.within else None,
            draft.is_by_deletion,
        )

    def _attempt(self, solvers: BoardSolvers, chance: Chance) -> tuple[Puzzle, Draft] | None:
        # Drawn first by every method, so that wishes about givens do not change the grid of a seed.
        grid = self._choose_grid(solvers, chance)
        if self._request.drawn:
            return self._attempt_with_clues(solvers.board, grid, chance)
        draft = self._draft(solvers, grid, chance)
        return None if draft is None else (_prove(solvers, draft), draft)

    def _attempt_with_clues(
        self, board: Puzzle, grid: Grid, chance: Chance
    ) -> tuple[Puzzle, Draft] | None:
        """Try once to make a puzzle with clues that are drawn for its solution."""
        request, budget = self._request, self.budget or Budget()
        least, most = request.givens or (0, request.geometry.cell_count)
        # Without givens the first query must be answered, however long it takes.
        may_need_none = least == 0 and request.conflicts_a_given is None
        ruled, needs_none = find_board(request.drawn, board, grid, chance, may_need_none, budget)
        if most == 0 and not needs_none:
            return None
        with closing(self._load(ruled)) as solvers:
            draft = self._draft(solvers, grid, chance)
            if draft is None:
                return None
            puzzle = _prove(solvers, draft)
        if request.has_needed_clues:
            puzzle = drop_spare_clues(puzzle, board, chance, budget)
        # The probability of a puzzle with clues is not known, so it gets no weight.
        return puzzle, replace(draft, is_by_deletion=False)

    def _draft(self, solvers: BoardSolvers, grid: Grid, chance: Chance) -> Draft | None:
        """Return the givens of one attempt, by the method that fits the request."""
        request = self._request
        if request.is_fewest:
            return draft_fewest(solvers.rules, grid, chance)
        if request.mask is not None:
            return draft_by_mask(solvers.rules, request.mask, grid, chance)
        if is_few(request):
            return draft_few_givens(request, solvers.rules, grid, chance)
        return draft_by_deletion(request, solvers.rules, solvers.propagator, grid, chance)

    def _choose_grid(self, solvers: BoardSolvers, chance: Chance) -> Grid:
        if self._request.solution is not None:
            return self._request.solution
        if solvers.board.is_classic:
            return random_grid(self._request.geometry, chance, self.budget)
        return asked_grid(solvers.rules, chance)

    def _prepare(self, chance: Chance) -> BoardSolvers:
        """Return the solvers for the next puzzle; random regions need new solvers each time."""
        if not self._request.has_random_regions:
            if self._solvers is None:
                self._solvers = self._load(self._request.board)
            self._solvers.begin_puzzle(self.budget)
            self._solvers.rules.watch = self.watch
            return self._solvers
        for _ in range(_MOST_REGIONS):
            # Regions are part of the formula, so each attempt needs its own solvers.
            self.close()
            regions = random_regions(self._request.geometry, chance, self.budget)
            self._solvers = self._load(self._request.board.with_rules([regions]))
            if self._solvers.rules.decide([], is_patient=True) is not Status.UNSATISFIABLE:
                return self._solvers
        raise SatdokuError("no grid was found that keeps these rules with random regions")

    def _load(self, board: Puzzle) -> BoardSolvers:
        return BoardSolvers(board, self._request, self._solver, self.budget)


def _prove(solvers: BoardSolvers, draft: Draft) -> Puzzle:
    """Return the puzzle, after its solution was judged and a solver found no other.

    All steps of the draft were proven already; one query repeats the proof, so that no mistake goes
    unnoticed. On large boards patience may end the query undecided: there, the proof of each
    deletion is enough.
    """
    rules = solvers.rules
    puzzle = solvers.board.with_grid(draft.grid)
    require_solution(draft.solution, puzzle)
    if rules.find_other(draft.solution, rules.literals(draft.grid)) is Status.SATISFIABLE:
        raise WrongSolutionError(
            "this is a bug, please report it: a generated puzzle has more than one solution"
        )
    return puzzle


def generate_all(
    request: Request,
    indexes: Iterator[int],
    ratings: Ratings | None = None,
    limits: Limits | None = None,
    needs: Needs | None = None,
) -> Iterator[Generated]:
    """Yield the puzzles with these numbers; the limits apply to each.

    With `ratings` or `needs` a puzzle is made anew until its rating is in the range and its steps
    match, which takes long for high ratings: of random minimal puzzles 16 in 600 have the rating 6.
    """
    is_limited = limits is not None and limits != Limits()
    with make_generator(request, ratings, needs) as generator:
        if not is_limited:
            # Batches grow, so that the first puzzles come soon and later ones are made together.
            together = chain(
                (2**n for n in range(MOST_TOGETHER.bit_length())), repeat(MOST_TOGETHER)
            )
            while some := list(islice(indexes, next(together))):
                yield from (made for made, _ in generator.make_many(some))
            return
        for index in indexes:
            # The time of a puzzle starts when it is requested.
            generator.budget = Budget(limits)
            yield generator.make(index)


def make_generator(
    request: Request, ratings: Ratings | None = None, needs: Needs | None = None
) -> Generator:
    """Return the generator of a request; raise an error for ratings that it cannot reach."""
    if ratings is not None:
        _require_sense(request, ratings)
    if ratings is None and needs is None:
        return Generator(request)
    return Generator(request, accept=partial(_is_accepted, ratings=ratings, needs=needs))


def _is_accepted(puzzle: Puzzle, ratings: Ratings | None, needs: Needs | None) -> bool:
    """Whether a puzzle meets the wishes; the rating is checked first, as it is faster."""
    if ratings is not None and not is_rated(puzzle, ratings):
        return False
    return needs is None or needs.are_met_by(puzzle)


def is_rated(puzzle: Puzzle, ratings: Ratings) -> bool:
    """Whether the rating of a puzzle is in this range; None as a rating is above all numbers."""
    low, high = ratings
    number = find_rating(puzzle).number
    if number is None:
        return high is None
    return low <= number and (high is None or number <= high)


def _require_sense(request: Request, ratings: Ratings) -> None:
    low, high = ratings
    if low < 0 or (high is not None and high < low):
        raise SatdokuError(f"no rating is between {low} and {high}")
    # Singles solve these puzzles, so their ratings are at most that of singles.
    if request.technique is not None and low > SINGLES:
        raise SatdokuError(f"puzzles for {request.technique.value} have no rating of {low} or more")
