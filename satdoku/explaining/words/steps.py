"""Every step of a way as a sentence, in one of three wordings; nets and cases line by line.

Chains may be written as forums do, in a notation that is called Eureka:

    (4)r1c6=(4)r2c6-(2)r2c6=(2)r2c8-(2=8)r1c9 => r1c6<>8

An equals sign is a strong link, a minus a weak one. Two digits of the same cells stand in one pair
of brackets, and cells of a row or a column are written together: `r1c46`.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum

from satdoku.errors import join
from satdoku.explaining.board import candidates_of
from satdoku.explaining.kinds import sight_of
from satdoku.explaining.step import Placed, Step, Story, Technique, Way
from satdoku.explaining.techniques.colouring import clash_of, colours_of
from satdoku.explaining.techniques.lines import is_told_along
from satdoku.explaining.trace import digits_after, named_exclusions
from satdoku.explaining.words.chains import describe_chain, describe_wing
from satdoku.explaining.words.names import Names, capital, shorten
from satdoku.explaining.words.patterns import (
    SingleWords,
    describe_locked,
    describe_rectangle,
    describe_subset,
)
from satdoku.explaining.words.sums import describe_wider


class Wording(Enum):
    """How much is said of a step.

    `brief` is what it settles and its name, `usual` a sentence with what blocks, `full` adds the
    truths and the steps that it rests on.
    """

    BRIEF = "brief"
    USUAL = "usual"
    FULL = "full"


class Teller:
    """The sentences of one way; with `is_eureka` chains are in the notation of forums."""

    def __init__(self, way: Way, unequal: str = "≠", is_eureka: bool = False) -> None:
        self._way = way
        self._is_eureka = is_eureka
        self._names = Names(way.board, unequal)
        self._singles = SingleWords(self._names, sight_of(way.board.puzzle), named_exclusions(way))

    def tell(self, wording: Wording = Wording.USUAL) -> Iterator[str]:
        """One text for each step; stories of cases have several lines."""
        # A single names the filled cells that block the others, so the board is filled along with
        # the steps.
        digits = digits_after(self._way, 0)
        for step in self._way.steps:
            yield self.word(step, digits, wording)
            if step.places is not None:
                cell, digit = self._way.board.placements[step.places]
                digits[cell] = digit

    def tell_last(self) -> str:
        """The text for the last step of the way."""
        last = len(self._way.steps)
        return self.word(self._way.steps[-1], digits_after(self._way, last - 1), Wording.USUAL)

    def dead_end(self) -> str:
        """The sentence for the truth that the steps leave nothing of; empty where there is none."""
        if self._way.dead_end is None:
            return ""
        digits = digits_after(self._way, len(self._way.steps))
        return capital(self._singles.nothing_left(self._way.dead_end, digits)) + "."

    def result_of(self, step: Step) -> str:
        """What a step settles: `r4c5=7`, or `r1c5≠3/8`."""
        if step.places is not None:
            return self._names.candidate(step.places)
        return self._names.without(step.excludes)

    def word(self, step: Step, digits: Sequence[int], wording: Wording) -> str:
        """The text for a step on the board with the digits that it finds there."""
        name = step.technique.value
        if wording is Wording.BRIEF:
            return f"{self.result_of(step)} ({name})"
        text = f"{capital(name)}: {self.sentence(step, digits)}."
        if wording is Wording.FULL:
            text += f"\n  Rests on: {list_of_truths(self._names, step)}"
            if step.rests_on:
                noun = "step" if len(step.rests_on) == 1 else "steps"
                text += f"; after {noun} {join([str(number) for number in step.rests_on])}"
            text += "."
        return shorten(text)

    def sentence(self, step: Step, digits: Sequence[int]) -> str:
        """What happens in a step, without its name, its capital and its full stop."""
        if step.places is not None:
            return self._singles.describe(step, digits)
        if step.stories:
            stories = [describe_story(self._names, story) for story in step.stories]
            return ".\n  ".join([stories[0], *map(capital, stories[1:])])
        if step.chain:
            told = write_eureka(self._names, step) if self._is_eureka else ""
            told = told or describe_wing(self._names, step)
            return told or describe_chain(self._names, step)
        if step.technique is Technique.SEARCH:
            return describe_search(self._names, step)
        if step.assumes_unique:
            return describe_rectangle(self._names, step)
        if step.truths[0].wider or step.technique is Technique.TOGETHER or is_told_along(step):
            return describe_wider(self._names, step)
        if step.technique in (Technique.COLOURING, Technique.MEDUSA):
            return describe_colouring(self._names, step)
        # One truth whose members all exclude the same, or several that exclude as a set.
        describe = describe_locked if step.size == 1 else describe_subset
        return describe(self._names, step)


_INDENT = "  "


def describe_story(names: Names, story: Story) -> str:
    """A story: in one sentence where it has no cases, else with a line for each case."""
    excluded = names.without([story.suppose])
    if story.depth == 0:
        then = _then(names, story.items)
        end = _end(names, story)
        return f"were {names.candidate(story.suppose)}, {then}{end}; so {excluded}"
    lines = [f"suppose {names.candidate(story.suppose)}.", *_case_lines(names, story, _INDENT)]
    return "\n".join([*lines, f"{_INDENT}So {excluded}"])


def _case_lines(names: Names, story: Story, indent: str) -> Iterator[str]:
    """A line for each case of a story, and one for all that is placed between two of them."""
    placed: list[Placed] = []
    for item in story.items:
        if isinstance(item, Placed):
            placed.append(item)
            continue
        if placed:
            yield f"{indent}Then {_list(names, placed)}."
            placed = []
        if item.depth == 0:
            # A case without further cases is one line.
            yield (
                f"{indent}Suppose also {names.candidate(item.suppose)}: {_then(names, item.items)}"
                f"{_end(names, item)}; so {names.without([item.suppose])}."
            )
        else:
            yield f"{indent}Suppose also {names.candidate(item.suppose)}."
            yield from _case_lines(names, item, indent + _INDENT)
            yield f"{indent}{_INDENT}So {names.without([item.suppose])}."
    then = f"{_list(names, placed)}, and " if placed else ""
    yield f"{indent}Then {then}{_end(names, story)}."


def _then(names: Names, items: tuple[Placed | Story, ...]) -> str:
    placed = [item for item in items if isinstance(item, Placed)]
    return f"then {_list(names, placed)}, and " if placed else ""


def _end(names: Names, story: Story) -> str:
    return names.nothing_left(story.dead_end)


def _list(names: Names, placed: list[Placed]) -> str:
    return ", ".join(_placed(names, item) for item in placed)


def _placed(names: Names, placed: Placed) -> str:
    return f"{names.candidate(placed.candidate)} ({names.only(placed.truth)})"


def describe_search(names: Names, step: Step) -> str:
    """What a solver has shown, where the cases are too many to be told."""
    supposed = join([names.candidate(candidate) for candidate in step.excludes], "or")
    return (
        f"a solver has tried all that could follow from {supposed}, and nothing is left: the "
        f"{step.size} truths of this step exclude it, in more cases than can be told here; "
        f"so {names.without(step.excludes)}"
    )


def describe_colouring(names: Names, step: Step) -> str:
    """Which candidates have one colour and which the other, and why one of the two holds."""
    links = names.board.links
    wrong, right = colours_of(step.truths, step.before, links)
    either, or_else = (join(list(map(names.candidate, candidates_of(c)))) for c in (wrong, right))
    one, other = map(names.candidate, clash_of(wrong, links))
    return (
        f"either {either} hold or {or_else} do, as two of them in turn are all that is left of a "
        f"cell or a unit; but {one} and {other} exclude each other, so the latter hold; "
        f"so {names.without(step.excludes)}"
    )


def list_of_truths(names: Names, step: Step) -> str:
    """All truths of a step, each with what was left of it."""
    return "; ".join(
        f"{names.truth(truth)} ({join(names.left(truth, step.before), 'or')})"
        for truth in step.truths
    )


def write_eureka(names: Names, step: Step) -> str:
    """A chain with what it excludes; empty for steps that are no chain, or more than one."""
    # For petals, which stand side by side, and for fins forums have several ways to write them.
    if not step.chain or step.technique in (Technique.DEATH_BLOSSOM, Technique.FINNED_CHAIN):
        return ""
    links = []
    for link in step.chain:
        off, on = _digits(names, link.off), _digits(names, link.on)
        cells = {truth.cell for truth in link.truths}
        # Both ends are in the same cells only where the link is about cells.
        if all(truth.unit is None for truth in link.truths):
            links.append(f"({off}={on}){_cells(names, cells)}")
        else:
            ends = (_cells(names, _cells_of(names, end)) for end in (link.off, link.on))
            links.append("=".join(f"({d}){c}" for d, c in zip((off, on), ends, strict=True)))
    placements = names.board.placements
    gone: dict[int, list[int]] = {}
    for cell, digit in (placements[candidate] for candidate in step.excludes):
        gone.setdefault(digit, []).append(cell)
    excluded = ", ".join(f"{_cells(names, c)}<>{names.digit(d)}" for d, c in sorted(gone.items()))
    return f"{'-'.join(links)} => {excluded}"


def _digits(names: Names, end: int) -> str:
    placements = names.board.placements
    return "".join(map(names.digit, sorted({placements[c].digit for c in candidates_of(end)})))


def _cells_of(names: Names, end: int) -> set[int]:
    return {names.board.placements[candidate].cell for candidate in candidates_of(end)}


def _cells(names: Names, cells: Iterable[int]) -> str:
    """Cells of a row or of a column together: `r1c46`, `r25c3`; others with a comma."""
    size = names.board.puzzle.geometry.size
    places = sorted({divmod(cell, size) for cell in cells})
    rows, columns = ({place[side] + 1 for place in places} for side in (0, 1))
    # Beyond 9 numbers that stand together could not be told apart.
    if size < 10 and len(places) == len(rows) * len(columns):
        row, column = ("".join(map(str, sorted(numbers))) for numbers in (rows, columns))
        return f"r{row}c{column}"
    return ",".join(f"r{row + 1}c{column + 1}" for row, column in places)
