"""An outcome in words."""

from satdoku.errors import count_of
from satdoku.notation.spelling import spelling_by_symbols, write_cells
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome, Verdict

# As many as a line has room for that is read at a glance.
_MOST_DIFFERENCES = 4
_MOST_CLASHES = 3

# Of all that solvers count, what tells best how much work it was; moves are those of local search.
_COUNTED = ("conflicts", "moves")


def evidence(outcome: Outcome) -> str:
    """The evidence for a verdict, in one clause; empty for a unique puzzle."""
    if outcome.verdict is Verdict.MULTIPLE:
        return describe_differences(outcome)
    if outcome.verdict is Verdict.NONE:
        return describe_clashes(outcome)
    return outcome.reason


def verdict_line(outcome: Outcome) -> str:
    """The verdict as its one word, and the evidence behind a colon."""
    # The word comes first, and a colon behind it: by that `ending_of` reads it back when resuming.
    reason = evidence(outcome)
    return f"{outcome.verdict.value}: {reason}" if reason else outcome.verdict.value


def sentence(outcome: Outcome) -> str:
    """What is wrong with a puzzle that is not unique, as a person would say it."""
    opening = {
        Verdict.UNIQUE: "exactly one solution",
        Verdict.MULTIPLE: "several solutions",
        Verdict.NONE: "no solution",
        Verdict.UNDECIDED: "undecided",
    }[outcome.verdict]
    reason = evidence(outcome)
    return f"{opening}: {reason}" if reason else opening


def describe_cost(outcome: Outcome) -> str:
    """What a verdict took, and who found it; of several in turn, each that found a part of it."""
    statistics = outcome.statistics
    is_decided = outcome.verdict is not Verdict.UNDECIDED
    text = f"{'decided' if is_decided else 'given up'} after {statistics.seconds:.2f} s"
    decider = statistics.method or statistics.solver
    if is_decided and decider:
        text += f" by {decider}"
    counted = [(name, statistics.counters.get(name, 0)) for name in _COUNTED]
    counts = ", ".join(
        f"{number:,} {name.removesuffix('s') if number == 1 else name}"
        for name, number in counted
        if number
    )
    return f"{text} ({counts})" if counts else text


def describe_differences(outcome: Outcome) -> str:
    """Where two solutions differ: the first few cells."""
    if outcome.solution is None or outcome.second is None:
        return ""
    cells, name = outcome.differences, outcome.puzzle.name_of_digit
    places = [
        f"{outcome.puzzle.geometry.name_of(cell)} is {name(outcome.solution.digits[cell])} "
        f"or {name(outcome.second.digits[cell])}"
        for cell in cells[:_MOST_DIFFERENCES]
    ]
    rest = ", ..." if len(cells) > _MOST_DIFFERENCES else ""
    return f"two of them differ in {len(cells)} cells ({', '.join(places)}{rest})"


def describe_clashes(outcome: Outcome) -> str:
    """Which givens clash directly, or which rule no grid keeps; else the fault lies deeper."""
    clashes = outcome.clashes
    if not clashes:
        rule = outcome.puzzle.impossible_rule
        if rule is not None:
            geometry = outcome.puzzle.geometry
            return f"no grid keeps the rule {rule.name}: {rule.sentence(geometry)}"
        return "no two givens clash directly, but together they exclude every grid"
    name_of_digit = outcome.puzzle.name_of_digit
    told = "; ".join(clash.describe(name_of_digit) for clash in clashes[:_MOST_CLASHES])
    more = len(clashes) - _MOST_CLASHES
    return f"{told}, and {more} more" if more > 0 else told


def compare(known: Grid, outcome: Outcome) -> str:
    """How a known solution disagrees with the outcome; empty when it does not, or may not."""
    # Nothing was found out that a known solution could contradict.
    if outcome.verdict is Verdict.UNDECIDED:
        return ""
    if outcome.verdict is Verdict.UNIQUE and outcome.solution is not None:
        if known.geometry != outcome.solution.geometry:
            return f"the known solution has boxes of {known.geometry}, the puzzle others"
        cells = known.differences(outcome.solution)
        if not cells:
            return ""
        place, name = outcome.puzzle.geometry.name_of(cells[0]), outcome.puzzle.name_of_digit
        right, wrong = (grid.digits[cells[0]] for grid in (outcome.solution, known))
        return (
            f"the known solution is wrong in {count_of(len(cells), 'cell')}: {place} is "
            f"{name(right)}, not {name(wrong) if wrong else 'empty'}"
        )
    return f"there is a known solution, but the puzzle is {outcome.verdict.value}"


def write_grid(grid: Grid | None, puzzle: Puzzle) -> str | None:
    """A grid on one line, as JSON and tables hold it, with the symbols of its puzzle."""
    return write_cells(grid, spelling_by_symbols(puzzle)) if grid is not None else None


def name_of(puzzle: Puzzle) -> str:
    """How to call a puzzle in a message, where it has a name."""
    return f"{puzzle.name}: " if puzzle.name else ""
