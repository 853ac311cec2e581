"""`satdoku teach`: positions just before a step of a technique, as lessons or as a worksheet."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from typing import Any

import click

from satdoku.api.making import generate
from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import (
    FileName,
    OptionGroup,
    Whole,
    command,
    force_option,
    limit_options,
    option,
    quiet_option,
)
from satdoku.cli.outputs import require_distinct
from satdoku.cli.terminal import Talk, is_ascii
from satdoku.errors import SatdokuError, count_of, quote
from satdoku.explaining.objects import way_object
from satdoku.explaining.slides import board_of, slide_of
from satdoku.explaining.step import Technique, technique_named
from satdoku.explaining.teach import Lesson, find_lessons
from satdoku.files import as_path, new_file, require_writable
from satdoku.notation.json_format import dump_line
from satdoku.notation.spelling import write_cells
from satdoku.picture.documents import (
    Exercise,
    kind_of,
    require_library,
    write_sketches,
    write_worksheet,
)
from satdoku.picture.picture import Layout, Pencil, Picture, Sketch
from satdoku.picture.text import render_candidates
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget, LimitReachedError, Limits

# Give up after this many puzzles without a lesson.
_MOST_WITHOUT = 2000


@command(
    excludes=[
        ("--json", "--html --draw", "--html and --draw write a worksheet"),
    ],
)
@click.argument("name", metavar="TECHNIQUE")
@puzzle_input
@click.option(
    "--count",
    "-n",
    type=Whole(min=1, max=1000),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of positions.",
)
@click.option("--seed", metavar="SEED", help="Seed of the random puzzles, if none are given.")
@click.option("--json", "is_json", is_flag=True, help="Print each lesson as a JSON object.")
@option(
    OptionGroup.OUTPUT,
    "--html",
    "page",
    metavar="FILE",
    type=FileName(),
    help="Write a worksheet as a page, with hints to unfold and the answers at the end.",
)
@option(
    OptionGroup.OUTPUT,
    "--draw",
    "--pdf",
    "drawing",
    metavar="FILE",
    type=FileName(),
    help="Write a worksheet with the answers at the end, into a file that ends in .pdf, .svg, .png "
    "or .txt.",
)
@force_option
@limit_options
@quiet_option
def teach(
    inputs: Inputs,
    name: str,
    count: int,
    seed: str | None,
    is_json: bool,
    page: str | None,
    drawing: str | None,
    force: bool,
    limits: Limits,
    quiet: bool,
) -> int:
    """Give positions in which a technique can be found, with hints.

    Each position comes from the explanation of a puzzle, just before a step of that technique.
    Cells that the step does not need are filled in where that keeps the step; the others show their
    candidates. The hints are those of `satdoku hint`, from where to look to the whole step. The
    puzzles are those of the input, or random ones if none is named.

    \b
    satdoku teach x-wing
    satdoku teach xy-wing puzzles.txt --count 3
    satdoku teach naked-pair --count 20 --html worksheet.html
    satdoku teach swordfish --count 6 --pdf worksheet.pdf
    """
    technique = technique_named(name)
    _require_fitting(inputs, seed, page, drawing, force)
    talk = inputs.talk(quiet) if inputs.arguments else Talk(quiet)
    source = _given(inputs, talk) if inputs.arguments else _made(inputs, seed, limits)
    found = islice(_lessons(source, technique, limits, talk), count)
    lessons = []
    for number, lesson in enumerate(found, 1):
        lessons.append(lesson)
        if page is None and drawing is None:
            click.echo(_object(lesson) if is_json else _text(lesson, number, technique), nl=False)
    if not lessons:
        raise SatdokuError(f"no {technique.value} was found in the explanations of these puzzles")
    if len(lessons) < count:
        talk.say(f"{count_of(len(lessons), 'position')}, not {count}, with this technique")
    _write_all(lessons, technique, page, drawing, force)
    return talk.code_with([ExitCode.ANSWERED])


def _require_fitting(
    inputs: Inputs, seed: str | None, page: str | None, drawing: str | None, is_forced: bool
) -> None:
    """Refuse files that cannot be written, before the work and not after it."""
    if seed is not None and inputs.arguments:
        raise click.UsageError("--seed is for puzzles that are made, and these are given")
    written = [each for each in (page, drawing) if each is not None]
    require_distinct(inputs if inputs.arguments else None, written)
    for each in written:
        require_writable(as_path(each), is_forced)
    if drawing is not None:
        require_library(kind_of(drawing))


def _write_all(
    lessons: list[Lesson],
    technique: Technique,
    page: str | None,
    drawing: str | None,
    is_forced: bool,
) -> None:
    if page is not None:
        text = write_worksheet(_title(technique), _task(technique), list(map(_exercise, lessons)))
        _write(page, text.encode(), is_forced)
    if drawing is not None:
        _write(drawing, _drawn(lessons, drawing, technique), is_forced)


def _given(inputs: Inputs, talk: Talk) -> Iterator[Puzzle]:
    for task in inputs.tasks(talk.refuse):
        try:
            yield task.parse()
        except SatdokuError as error:
            talk.refuse(error)


def _made(inputs: Inputs, seed: str | None, limits: Limits) -> Iterator[Puzzle]:
    rules, box = inputs.hints.rules, inputs.hints.geometry
    made = generate(1_000_000_000, seed=seed, box=box, rules=rules, limits=limits)
    return (each.puzzle for each in made)


def _lessons(
    puzzles: Iterator[Puzzle], technique: Technique, limits: Limits, talk: Talk
) -> Iterator[Lesson]:
    """Yield one lesson of each puzzle, and after the last puzzle the further lessons of all."""
    further: list[Iterator[Lesson]] = []
    without = 0
    for puzzle in puzzles:
        try:
            lessons = find_lessons(puzzle, technique, Budget(limits))
            first = next(lessons, None)
        except LimitReachedError as limit:
            talk.say(f"{quote(puzzle.name or 'a puzzle')} is left out: {limit}")
            first = None
        without = 0 if first is not None else without + 1
        if without > _MOST_WITHOUT:
            break
        if first is not None:
            further.append(lessons)
            yield first
    yield from chain.from_iterable(further)


def _title(technique: Technique) -> str:
    return f"{technique.value[0].upper()}{technique.value[1:]}"


def _task(technique: Technique) -> str:
    return f"Find the {technique.value}"


def _text(lesson: Lesson, number: int, technique: Technique) -> str:
    """Return the board with its marks, and below it the hints."""
    puzzle = lesson.puzzle.with_grid(lesson.grid)
    marks = dict(lesson.marks.sets)
    digits = [
        (digit,) if digit else marks.get(cell, ()) for cell, digit in enumerate(lesson.grid.digits)
    ]
    board = render_candidates(puzzle, digits, is_ascii())
    hints = "".join(f"   {n}. {part}\n" for n, part in enumerate(lesson.parts, 1))
    return f"{number}. {_task(technique)}.\n{board}{hints}\n"


KEYS: Mapping[str, Any] = {
    "puzzle": {"type": "string", "description": "the givens"},
    "board": {"type": "string", "description": "the digits of the position"},
    "candidates": {
        "type": "object",
        "description": "the marks of the open cells, by name",
        "additionalProperties": {"type": "array", "items": {"type": "integer"}},
    },
    "hints": {"type": "array", "items": {"type": "string"}},
    "step": {"$ref": "explanation.schema.json#/$defs/step"},
}
"""JSON Schema of the keys of a lesson."""


def _object(lesson: Lesson) -> str:
    names = lesson.puzzle.geometry.name_of
    value: dict[str, Any] = {
        "puzzle": write_cells(lesson.puzzle.grid),
        "board": write_cells(lesson.grid),
        "candidates": {names(cell): list(digits) for cell, digits in lesson.marks.sets},
        "hints": lesson.parts,
        "step": way_object(lesson.way)["steps"][0],
    }
    return dump_line(value)


def _exercise(lesson: Lesson) -> Exercise:
    return Exercise(
        _without_marks_rule(board_of(lesson.way), lesson),
        lesson.parts,
        _without_marks_rule(slide_of(lesson.way).picture, lesson),
    )


def _without_marks_rule(picture: Picture, lesson: Lesson) -> Picture:
    """Return a picture that shows the marks as candidates only, and not as a rule beside."""
    told = lesson.marks.caption(lesson.puzzle.geometry)
    kept = [caption for caption in picture.captions if caption != told]
    drawn = [each for each in picture.drawn if not isinstance(each, Pencil)]
    return replace(picture, drawn=tuple(drawn), captions=tuple(kept), sentences=())


def _drawn(lessons: list[Lesson], name: str, technique: Technique) -> bytes:
    sketches = []
    for lesson in lessons:
        exercise = _exercise(lesson)
        answer = replace(exercise.answer, captions=tuple(exercise.hints))
        sketches.append(Sketch((exercise.board,), (answer,)))
    return write_sketches(sketches, kind_of(name), Layout(title=_task(technique)))


def _write(name: str, contents: bytes, is_forced: bool) -> None:
    with new_file(as_path(name), is_forced) as stream:
        stream.buffer.write(contents)
