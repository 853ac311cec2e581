"""Sentences for steps of several rules: what would follow from each digit that they exclude."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations
from operator import or_

from satdoku.errors import join
from satdoku.explaining.board import Truth, candidates_of
from satdoku.explaining.step import Deduction
from satdoku.explaining.supposing import Argument, Event, Supposing, arguments_of, needed_pairs
from satdoku.explaining.words.compared import pairs_among, tell_pairs
from satdoku.explaining.words.fits import NOTHING_FITS, why_none, why_none_briefly
from satdoku.explaining.words.names import Names
from satdoku.explaining.words.sums import Summed, counts, sum_of_sides
from satdoku.explaining.words.ways import (
    choices_lost,
    masks_of,
    sets_kept,
    tell_rests,
    ways_left,
)
from satdoku.explaining.words.wider import cells_of, tell_together
from satdoku.puzzle.constraints import (
    Either,
    Machine,
    Sets,
    Some,
    Total,
    Wider,
    differing,
    digits_of,
    every_digit,
    mask_of,
)
from satdoku.puzzle.rules.rule import lowest_of

# Where nothing is said of the reason why cells cannot be filled.
NO_FILLING = "no digits fit"

# The most truths that an argument applies, and the most lines of a step.
_MOST_APPLIED, _MOST_LINES = 12, 9

# A range of two digits is no shorter than a list.
_FEWEST_OF_RANGE = 2

# What is said where an argument leaves out cases.
_UNTOLD = "by cases not told here"

# The most different reasons why excluded digits fail within an argument.
_MOST_FAILING = 3

# The most different reasons of a rule alone, and the most places of digits that it needs.
_MOST_REASONS, _MOST_PLACES = 3, 4

# If a rule has at most this many cells beside the supposed ones, the digits of all are named.
_FEW_CELLS = 3

# The most digits left in a cell to name where a rule leaves one of them.
_MOST_LEFT = 3

# The most cells whose excluded digits are listed as conditions of the same reason.
_MOST_CELLS_SUPPOSED = 6

# The most cells of a rule to list again.
_MOST_CELLS_NAMED = 9

# The most cells whose digits are named where no combination fits them.
_MOST_CELLS = 5


def describe_together(names: Names, step: Deduction) -> str:
    """Return the sentence of several rules, and one for the digits that fail for the same reason.

    If all arguments would be long, only the rules and the digits left in their cells are told.
    """
    told = _Told(names, step).tell()
    if told:
        return ".\n  ".join(told)
    rules = "; ".join(dict.fromkeys(tell_together(names, step)))
    result = names.result(step.excludes, step.before)
    return f"{rules}; so together, by more cases than can be told here, {result}"


class Reasons:
    """What a rule leaves, and why, as text; `before` are the candidates left before the step."""

    def __init__(self, names: Names, before: int) -> None:
        self._names = names
        self._before = before

    def because(self, truth: Truth, excludes: Sequence[int]) -> str:
        """Return why a rule alone excludes candidates; empty if that is long."""
        gone = mask_of(excludes)
        event = Event(truth, self._before, gone, gone & truth.members)
        beyond = gone & ~truth.members
        if not beyond:
            told = self._beside(event)
            if len(told) > _MOST_REASONS:
                told = self._beside_briefly(event) or told
            vague = (", no ", NOTHING_FITS) if isinstance(truth.wider, Machine) else (", no ",)
            clear = [text for text in told if not any(words in text for words in vague)]
            if len(told) <= _MOST_REASONS and len(clear) == len(told):
                return "; and ".join(told)
            return self._lost(event) or self._some(event) or self._one_of_many(event, clear)
        needed = self._needed(event, beyond)
        reason = self._reason_for(event, needed) if needed else ""
        if len(needed) > _MOST_PLACES:
            return ""
        if not isinstance(truth.wider, Sets):
            return reason
        # The cells of a cage stand in its sentence, before the reason.
        return reason.removeprefix(f"{self._cells_of(truth.wider)} are ")

    def _some(self, event: Event) -> str:
        """Return the first of many reasons why a sum excludes digits, and that there are more.

        What its bounds exclude comes first.
        """
        total = event.truth.wider
        if not isinstance(total, Total):
            return ""
        summed = Summed(self._names, total, masks_of(self._names, event.truth, event.left))
        bound, others = summed.split(candidates_of(event.gone))
        bounds = summed.tell(bound) if bound else ""
        others = others if bounds else [*bound, *others]
        by_text = self._by_text(event._replace(gone=mask_of(others))) if others else {}
        vague = (", no ", NO_FILLING, NOTHING_FITS)
        clear = [text for text in by_text if not any(words in text for words in vague)]
        shown = {text: by_text[text] for text in clear[:_MOST_FAILING]}
        told = [bounds] * bool(bounds) + (self._ifs(shown) if shown else [])
        if told and sum(map(len, shown.values())) < len(others):
            told.append(f"the other digits excluded here fail {_UNTOLD}")
        return "; ".join(told)

    def _one_of_many(self, event: Event, reasons: Sequence[str]) -> str:
        """Return the shortest of many reasons of a choice or a machine, and that others are left
        out; of other rules more is told.
        """
        reasons = [reason for reason in reasons if " no digits " not in reason]
        if not reasons or not isinstance(event.truth.wider, Either):
            return ""
        return f"{min(reasons, key=len)}; the reasons for the other digits are left out here"

    def _lost(self, event: Event) -> str:
        """Return the digits left in the cells of a small sum if most of them have lost some."""
        names, rule = self._names, event.truth.wider
        if not isinstance(rule, Total) or len(rule.cells) > _FEW_CELLS:
            return ""
        masks = masks_of(names, event.truth, event.left)
        every = every_digit(names.board.puzzle.geometry.size)
        cells_with: dict[int, list[int]] = {}
        for cell, mask in masks.items():
            if mask != every:
                cells_with.setdefault(mask, []).append(cell)
        if sum(map(len, cells_with.values())) < len(masks) - 1:
            return ""
        told = [f"{names.cells(c)} {names.may_be(m, len(c))}" for m, c in cells_with.items()]
        return join(told) if told else ""

    def _by(self, truth: Truth) -> str:
        """Return the number of a rule, as the beginning of what follows from it; here none."""
        del truth
        return ""

    def _supposed(self, candidates: Sequence[int]) -> str:
        """Return candidates as a condition: `r1c1 is 2 or 3 or r1c2 is 2`."""
        names = self._names
        cells_with: dict[int, list[int]] = {}
        for cell, mask in names.board.digits_in(mask_of(candidates)).items():
            cells_with.setdefault(mask, []).append(cell)
        told = [
            f"{names.cells(cells, 'or')} is {self._range(cells, mask)}"
            for mask, cells in cells_with.items()
        ]
        # Several cells would be read with the digits before them.
        is_listed = len(told) > 1 and any(len(cells) > 1 for cells in cells_with.values())
        return (", or if " if is_listed else " or ").join(told)

    def _range(self, cells: Sequence[int], mask: int) -> str:
        """Return the digits of a mask as a list or a range, or the only one left beside them."""
        names, digits = self._names, digits_of(mask)
        left = self._names.board.digits_in(self._before)
        rest = {left.get(cell, 0) & ~mask for cell in cells}
        if len(digits) > _FEWEST_OF_RANGE and len(rest) == 1 and max(rest).bit_count() == 1:
            return f"not {names.digits(digits_of(max(rest)))}"
        if len(digits) > _FEWEST_OF_RANGE and digits[-1] - digits[0] == len(digits) - 1:
            return f"{names.digit(digits[0])} to {names.digit(digits[-1])}"
        return names.digits(digits, "or")

    def _of_rule(self, event: Event) -> str:
        """Return what a rule leaves for its cells, and what these exclude from others."""
        names, members = self._names, event.truth.members
        needed = self._needed(event, event.gone & ~members)
        if event.gone & ~members and not needed:
            return self._failing(event)
        left, explained = self._reason(event, needed)
        # The places already say what the cell of a needed digit is.
        placed = {cells[0] for cells in needed if len(cells) == 1}
        placements = names.board.placements
        lost = mask_of(
            c
            for c in candidates_of(event.gone & members & ~explained)
            if placements[c].cell not in placed
        )
        parts = [self._failing(event._replace(gone=lost))] if lost else []
        gone = event.gone & ~lost
        if not gone:
            return parts[0]
        reason = self._with_needed(event, left, needed, explained)
        rest = [c for c in candidates_of(gone) if placements[c].cell not in placed]
        so = f", so {names.result(rest, event.left)}" if rest else ""
        return "; ".join([*parts, f"{reason}{so}"])

    def _reason_for(self, event: Event, needed: dict[tuple[int, ...], list[int]]) -> str:
        """Return what is left for a rule, and the places of the digits that it needs, if any."""
        left, _ = self._reason(event, needed)
        return self._with_needed(event, left, needed, event.own)

    def _with_needed(
        self, event: Event, reason: str, needed: dict[tuple[int, ...], list[int]], explained: int
    ) -> str:
        """Add to what is left for a rule the places of the digits that it needs."""
        # A clue of one digit names its places itself.
        is_named = bool(reason) and isinstance(event.truth.wider, Some) and len(needed) == 1
        if needed and not is_named:
            reason = self._with_places(event, reason, needed, explained)
        return reason

    def _reason(self, event: Event, needed: Iterable[Sequence[int]]) -> tuple[str, int]:
        """Return what is left for the cells of a rule, and the candidates that this excludes.

        The text is empty if it would be long. Of a sum, tell the bounds of the cells that lose
        digits, or hold needed ones, if it bounds these.
        """
        names, rule = self._names, event.truth.wider
        assert rule is not None
        here = {cell for each in needed for cell in each}
        cells = mask_of(
            c for c in candidates_of(event.own) if names.board.placements[c].cell in here
        )
        masks = masks_of(names, event.truth, event.left)
        before = masks_of(names, event.truth, self._before)
        # What is filled by the argument was said in it.
        said = [cell for cell in masks if before[cell].bit_count() > 1]
        left = ways_left(names, rule, masks, said)
        if isinstance(rule, Sets):
            return self._sets_left(event, rule, left, masks, event.gone & event.own | cells)
        if isinstance(rule, Total) and counts(rule):
            return "", 0
        if not left and isinstance(rule, Total):
            summed, lost = Summed(names, rule, masks), event.gone & event.own
            for own in filter(None, dict.fromkeys((lost | cells, lost, cells))):
                left = summed.tell(tuple(candidates_of(own)))
                if left:
                    return left, own
            return "", 0
        return left, event.own if left else 0

    def _sets_left(
        self, event: Event, cage: Sets, left: str, masks: Mapping[int, int], lost: int
    ) -> tuple[str, int]:
        """Return the combinations of a cage, and why its cells cannot hold digits of these."""
        if not left:
            return "", 0
        # The text has combinations alone, without their cells.
        left = f"{self._cells_of(cage)} are {left}"
        kept = sets_kept(cage, masks)
        every = reduce(or_, kept, 0)
        own = [c for c in candidates_of(lost) if every >> self._names.board.placements[c].digit & 1]
        rests = tell_rests(self._names, cage, event.truth, event.left, own, kept)
        if rests:
            return f"{left}; {rests}", event.own
        return left, event.own & ~mask_of(own)

    def _needed(self, event: Event, beyond: int) -> dict[tuple[int, ...], list[int]]:
        """Return the digits that a rule needs in some cells, and that others lose, by those cells.

        Empty if other cells lose digits for another reason, by a rule about pairs.
        """
        board, told = self._names.board, dict[tuple[int, ...], list[int]]()
        places: dict[int, set[tuple[int, ...]]] = {}
        inside = event.truth.members & event.left & ~event.own
        for candidate in candidates_of(beyond):
            against = candidates_of(board.links[candidate] & inside)
            digit = board.placements[candidate].digit
            if {board.placements[each].digit for each in against} != {digit}:
                return {}
            places.setdefault(digit, set()).add(tuple(board.placements[c].cell for c in against))
        sure = masks_of(self._names, event.truth, event.left & ~event.own)
        for digit, found in places.items():
            # A cell that has no other digit is enough.
            each = {next(((c,) for c in some if sure[c] == 1 << digit), some) for some in found}
            for cells in sorted(each):
                # Some of these cells are enough for another exclusion, so they are for this one.
                if not any({*other} < {*cells} for other in each):
                    told.setdefault(cells, []).append(digit)
        return told

    def _with_places(
        self, event: Event, reason: str, needed: dict[tuple[int, ...], list[int]], explained: int
    ) -> str:
        """Return the reason with the places of the digits that a rule needs.

        If the reason does not show them, each has a reason of its own.
        """
        names, masks = self._names, masks_of(self._names, event.truth, event.left & ~event.own)
        before, rule = dict[int, int](), event.truth.wider
        if reason and event.own and isinstance(rule, Total):
            # A bound leaves a cell one of its digits, which ways to fill the cells would name.
            before = masks_of(names, event.truth, event.left)
            before = {} if ways_left(names, rule, before) else before
        everywhere: list[int] = []
        places = []
        after = masks_of(names, event.truth, event.left & ~explained)
        is_shown = bool(reason and not before) or not isinstance(rule, Total) or counts(rule)
        for cells, digits in needed.items():
            wide = [
                d for d in digits if all(c in cells or not m >> d & 1 for c, m in masks.items())
            ]
            if isinstance(event.truth.wider, Sets) and reason and len(cells) > len(wide):
                everywhere += wide
                digits = [digit for digit in digits if digit not in wide]
            if not digits:
                continue
            is_seen = is_shown or self._are_full(after, cells)
            why = "" if is_seen else self._why_in(event, cells, digits)
            is_left = isinstance(rule, Some) and not any(
                mask >> digits[0] & 1 for _, mask in rule.choices
            )
            if is_left and len(cells) == 1:
                places.append(f"{names.cells(cells)} has only {names.digits(digits)} left")
            elif not reason.endswith(f" {self._in_cells(cells, digits, {})}"):
                places.append(f"{self._in_cells(cells, digits, before)}{why}")
        if everywhere:
            reason += f", each with {join([names.one(digit) for digit in everywhere])}"
        found = join(places) if places else ""
        return reason if reason.endswith(found) else f"{reason}, so {found}" if reason else found

    def _in_cells(
        self, cells: Sequence[int], digits: Sequence[int], before: Mapping[int, int]
    ) -> str:
        """Say which cells hold digits; of a single cell also which few digits it had before."""
        names = self._names
        if len(cells) == 1 and 1 < before.get(cells[0], 0).bit_count() <= _MOST_LEFT:
            had = names.digits(digits_of(before[cells[0]]), "or")
            return f"{names.cells(cells)}, which is {had}, is {names.digits(digits)}"
        if len(digits) == len(cells):
            verb = "is" if len(cells) == 1 else "are"
            return f"{names.cells(cells)} {verb} {names.digits(digits)}"
        verb = "is" if len(digits) == 1 else "are each"
        return f"{names.digits(digits)} {verb} in {names.cells(cells, 'or')}"

    def _are_full(self, masks: Mapping[int, int], cells: Sequence[int]) -> bool:
        """Whether cells, and others of a rule with digits of theirs, have as many digits left."""
        every = reduce(or_, (masks[cell] for cell in cells))
        alike = [cell for cell, mask in masks.items() if not mask & ~every]
        differ = differing(self._names.board.puzzle.constraints)
        are_different = all(other in differ[one] for one, other in combinations(alike, 2))
        return len(alike) == every.bit_count() and are_different

    def _why_in(self, event: Event, cells: Sequence[int], digits: Sequence[int]) -> str:
        """Return in brackets why a sum needs digits in some of its cells."""
        names, total = self._names, event.truth.wider
        assert isinstance(total, Total)
        masks, told = masks_of(names, event.truth, event.left), dict[str, list[int]]()
        for digit in digits:
            fewer = {c: m & ~(1 << digit) if c in cells else m for c, m in masks.items()}
            reason = sum_of_sides(names, total, fewer) or why_none(names, total, fewer, ())
            told.setdefault(reason, []).append(digit)
        if "" in told or NOTHING_FITS in told:
            return f" ({_UNTOLD})"
        if len(digits) == 1:
            return f" (without it, {next(iter(told))})"
        listed = [f"without {names.digits(each, 'or')}, {why}" for why, each in told.items()]
        return f" ({'; '.join(listed)})"

    def _failing(self, event: Event) -> str:
        """Return what is left for a rule beside digits that it excludes, and that these are gone.

        That there are more reasons than can be told is said.
        """
        names, by_text = self._names, self._by_text(event)
        clear = [text for text in by_text if NO_FILLING not in text]
        shown = {text: by_text[text] for text in (clear or list(by_text))[:_MOST_FAILING]}
        if len(by_text) <= _MOST_FAILING:
            shown = by_text
        told = mask_of(each for candidates in shown.values() for each in candidates)
        rest = event.gone & ~told
        ifs = "; ".join(self._ifs(shown))
        if not rest:
            return f"{ifs}; so {names.result(candidates_of(told), event.left)}"
        so = f"so {names.without(candidates_of(told))}"
        return f"{ifs}; {so}; also {names.without(candidates_of(rest))} ({_UNTOLD})"

    def _beside(self, event: Event) -> list[str]:
        """Return what is left for a rule beside each of the excluded candidates.

        With more different texts than can be told, there are just more of them.
        """
        return self._ifs(self._by_text(event))

    def _by_text(self, event: Event) -> dict[str, list[int]]:
        """Return excluded candidates by what is left for a rule beside them.

        With more different texts than can be told, some candidates are left out.
        """
        names, by_text = self._names, dict[str, list[int]]()
        for candidate in candidates_of(event.gone):
            left = event.left & ~names.board.links[candidate]
            cell = names.board.placements[candidate].cell
            text = self._dead_end(event.truth, left, (cell,))
            by_text.setdefault(text, []).append(candidate)
            if len(by_text) > _MOST_REASONS:
                break
        return by_text

    def _ifs(self, by_text: Mapping[str, Sequence[int]]) -> list[str]:
        """Return each reason behind the candidates that it excludes; the most of them come last.

        Those are not listed if that would be long: the result lists them anyway.
        """
        placements = self._names.board.placements
        counts = {t: len({placements[c].cell for c in each}) for t, each in by_text.items()}
        longest = max(by_text, key=lambda text: counts[text])
        if counts[longest] <= _MOST_CELLS_SUPPOSED:
            return [f"if {self._supposed(each)}, {text}" for text, each in by_text.items()]
        rest = [f"if {self._supposed(by_text[t])}, {t}" for t in by_text if t != longest]
        which = "each of the other digits" if rest else "each of the digits"
        return [*rest, f"with {which} excluded here, {longest}"]

    def _beside_briefly(self, event: Event) -> list[str]:
        """Return what a rule says of the excluded candidates in a few words; empty if nothing."""
        names, rule, by_text = self._names, event.truth.wider, dict[str, list[int]]()
        assert rule is not None
        for candidate in candidates_of(event.gone):
            masks = masks_of(names, event.truth, event.left & ~names.board.links[candidate])
            supposed = (names.board.placements[candidate].cell,)
            text = why_none_briefly(names, rule, masks, supposed)
            by_text.setdefault(text, []).append(candidate)
            if "" in by_text:
                return []
        return self._ifs(by_text)

    def _sum_of(self, cage: Sets, left: int) -> str:
        """Return what the digits left for a cage come to; empty if that does not clash."""
        more = lowest_of(self._names.board.puzzle.rules) - 1
        amounts = {sum(digits_of(each)) for each in cage.sets}
        numbers, count = digits_of(left), len(cage.cells)
        if len(amounts) != 1 or len(numbers) < count:
            return ""
        least, most = sum(numbers[:count]), sum(numbers[-count:])
        total = max(amounts)
        if least <= total <= most:
            return ""
        bound = "" if least == most else " at least" if least > total else " at most"
        amount = (least if least > total else most) + more * count
        return f"which come to{bound} {amount}, not {total + more * count}"

    def _cells_of(self, rule: Wider) -> str:
        if len(rule.cells) > _MOST_CELLS_NAMED:
            return f"its {len(rule.cells)} cells"
        return ",".join(map(self._names.cell, rule.cells))

    def _dead_end(self, truth: Truth, left: int, supposed: Sequence[int]) -> str:
        """Return why a truth cannot hold; what the supposed cells hold is not said again."""
        names, rule = self._names, truth.wider
        if rule is None:
            return names.nothing_left(truth)
        masks = masks_of(names, truth, left)
        empty = [cell for cell, mask in masks.items() if not mask]
        if empty:
            return f"{names.cells(empty)} {names.may_be(0, len(empty))}"
        if isinstance(rule, Some):
            if len({each for _, each in rule.choices}) > 1:
                # Each cell is to hold digits of its own.
                others = [choice for choice in rule.choices if choice[0] not in supposed]
                return choices_lost(names, others or rule.choices, masks)
            digits = names.digits(digits_of(rule.choices[0][1]), "or")
            return f"none of {names.cells(rule.cells)} can be {digits}"
        bounds = sum_of_sides(names, rule, masks) if isinstance(rule, Total) else ""
        return bounds or self._no_digits(truth, masks, supposed)

    def _no_digits(self, truth: Truth, masks: dict[int, int], supposed: Sequence[int]) -> str:
        """Return the digits left in the cells of a rule that cannot be filled any more."""
        names, rule, every = self._names, truth.wider, reduce(or_, masks.values(), 0)
        assert rule is not None
        if isinstance(rule, Sets) and all(each & ~every for each in rule.sets):
            only = names.digits(digits_of(every))
            clash = self._sum_of(rule, every) or "and no combination fits"
            return f"{self._cells_of(rule)} have only {only} left, {clash}"
        reason = why_none(names, rule, masks, supposed)
        if reason:
            return reason
        before = masks_of(names, truth, self._before)
        cells_with: dict[int, list[int]] = {}
        every = every_digit(names.board.puzzle.geometry.size)
        is_short = len(masks) - len(supposed) <= _FEW_CELLS
        for cell, mask in masks.items():
            if cell not in supposed and mask != every and (is_short or mask != before[cell]):
                cells_with.setdefault(mask, []).append(cell)
        told = [
            f"{names.cells(cells)} {names.may_be(m, len(cells))}" for m, cells in cells_with.items()
        ]
        what = "no combination fits" if isinstance(rule, Sets) else NO_FILLING
        if not told or len(told) > _MOST_CELLS:
            return f"{what} {self._cells_of(rule)}"
        return f"{join(told)}, and {what} {self._cells_of(rule)}"


class _Told(Reasons):
    """The arguments of a step as text."""

    def __init__(self, names: Names, step: Deduction) -> None:
        super().__init__(names, step.before)
        self._step = step
        rules = dict.fromkeys(truth.wider.sentence for truth in step.truths if truth.wider)
        # Several rules are numbered, so that each conclusion can name the one that it rests on.
        self._numbers = {rule: place for place, rule in enumerate(rules, 1)}

    def _by(self, truth: Truth) -> str:
        if truth.wider is None or len(self._numbers) == 1:
            return ""
        return f"by ({self._numbers[truth.wider.sentence]}), "

    def tell(self) -> list[str]:
        """Return the rules and the arguments as sentences; empty if they all would be long."""
        rounds = arguments_of(self._names.board, self._step, _MOST_APPLIED)
        told, untold = list[str](), dict.fromkeys(self._step.excludes)
        alike: list[int] = []
        for number, arguments in enumerate(rounds):
            paragraphs = list(self._paragraphs(arguments, "Then, if" if number else "If"))
            # What leaves out cases comes last.
            for each, lines in sorted(paragraphs, key=lambda told: _UNTOLD in " ".join(told[1])):
                for candidate in each:
                    untold.pop(candidate)
                if alike or len(told) + len(lines) > _MOST_LINES:
                    alike += each
                else:
                    told += lines
        if not told and not self._begun(untold, told):
            return []
        names = self._names
        if alike:
            told.append(f"In the same way, {names.without(alike)}")
        if untold:
            told.append(f"By more cases than can be told here, {names.without(untold)}")
        # Steps of units alone have no premises.
        premises = "; ".join(self._premises())
        return [premises, *told] if premises else told

    def _begun(self, untold: dict[int, None], told: list[str]) -> bool:
        """Tell one case of an argument, as no whole argument is short; False without any."""
        with Supposing(self._names.board, self._step) as supposing:
            for candidate in untold:
                argument = supposing.begin(candidate, self._step.before)
                if argument is not None:
                    _, lines = next(self._paragraphs({candidate: argument}, "If"))
                    told += lines
                    del untold[candidate]
                    return True
        return False

    def _paragraphs(
        self, arguments: Mapping[int, Argument], begin: str
    ) -> Iterator[tuple[list[int], list[str]]]:
        """Yield candidates that fail for the same reason, and the lines that say so."""
        names, placements = self._names, self._names.board.placements
        by_text: dict[tuple[str, ...], list[int]] = {}
        for candidate, argument in arguments.items():
            lines = tuple(self._lines(argument, (placements[candidate].cell,)))
            by_text.setdefault(lines, []).append(candidate)
        for (first, *cases), each in by_text.items():
            so, begins = names.without(each), f"{begin} {self._supposed(each)}, {first}"
            listed = [f"  {case}" for case in cases]
            yield each, [begins, *listed, f"So {so}"] if cases else [f"{begins}; so {so}"]

    def _premises(self) -> Iterator[str]:
        """Yield the sentences of the rules, the digits of cells, and the rules about pairs."""
        names, step = self._names, self._step
        is_several = len(self._numbers) > 1
        yield from (f"({n}) {rule}" if is_several else rule for rule, n in self._numbers.items())
        cells_with: dict[int, list[int]] = {}
        digits = names.board.digits_in(step.before)
        for truth in step.truths:
            if truth.wider is None and truth.unit is None:
                cells_with.setdefault(digits.get(truth.cell, 0), []).append(truth.cell)
        for mask, cells in cells_with.items():
            yield f"{names.cells(cells)} {names.may_be(mask, len(cells))}"
        pairs = pairs_among(names, cells_of(names, step), step.before)
        yield from tell_pairs(names, needed_pairs(names.board, step, pairs) if pairs else [])

    def _lines(self, argument: Argument, supposed: Sequence[int]) -> Iterator[str]:
        """Yield the text of an argument, and a line for each of its cases."""
        names, parts = self._names, [self._event(event) for event in argument.events]
        if argument.dead_end is not None:
            end = self._dead_end(argument.dead_end, argument.left, supposed)
            end = f"{self._by(argument.dead_end)}{end}"
            yield "; then ".join([*parts, end])
            return
        placements = names.board.placements
        tried = [placements[each] for each, _ in argument.cases]
        others = [placements[each].digit for each in argument.untold]
        digits = names.digits([*(each.digit for each in tried), *others], "or")
        yield "; then ".join([*parts, f"{names.cell(tried[0].cell)} is {digits}"])
        for (_, digit), (_, case) in zip(tried, argument.cases, strict=True):
            for text in self._lines(case, (*supposed, tried[0].cell)):
                yield f"With {names.digit(digit)} there, {text}"
        if others:
            yield f"With {names.digits(others, 'or')} there, nothing is left either ({_UNTOLD})"

    def _event(self, event: Event) -> str:
        """Return what a truth excludes, with the reason."""
        names, truth = self._names, event.truth
        result = names.result(candidates_of(event.gone), event.left)
        if truth.wider is not None:
            return f"{self._by(truth)}{self._of_rule(event)}"
        placements = names.board.placements
        members = [placements[member] for member in candidates_of(truth.members & event.left)]
        cells = names.cells([each.cell for each in members], "or")
        digits = names.digits([each.digit for each in members], "or")
        if truth.unit is None:
            return f"{cells} is {digits}, so {result}"
        if len(members) > 1:
            return f"in {truth.unit}, {digits} can only be in {cells}, so {result}"
        others = [c for c in candidates_of(event.gone) if placements[c].cell != members[0].cell]
        so = f", so {names.without(others)}" if others else ""
        return f"{cells} is {digits} (the only {digits} of {truth.unit}){so}"
