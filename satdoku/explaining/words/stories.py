"""Nets, cases and searches in words."""

from collections.abc import Iterator

from satdoku.explaining.step import Placed, Step, Story
from satdoku.explaining.words.names import Names, join

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


def list_of_truths(names: Names, step: Step) -> str:
    """All truths of a step, each with what was left of it."""
    return "; ".join(
        f"{names.truth(truth)} ({join(names.left(truth, step.before), 'or')})"
        for truth in step.truths
    )
