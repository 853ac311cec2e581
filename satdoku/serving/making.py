"""Questions that make puzzles: new ones, or others with fewer givens, with more, or as twins."""

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from io import BytesIO
from itertools import count as all_numbers
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from satdoku.answering.counter import Counter
from satdoku.answering.fact_finder import Plain
from satdoku.answering.maker import Wanted
from satdoku.api import parse
from satdoku.certifying.certificate import write_certificate
from satdoku.certifying.certify import certify as prove
from satdoku.errors import SatdokuError
from satdoku.explaining.explain import Scope, explain
from satdoku.making.canonical import random_twin
from satdoku.making.generator import generate_all, keep_distinct
from satdoku.making.minimizer import Minimized
from satdoku.notation.outcomes import sentence
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.serving.facts import find_facts, read_fields
from satdoku.serving.looking import rating_of
from satdoku.serving.messages import puzzle_entries, read_puzzle, whole_number
from satdoku.solving.limits import Budget, Limits

Part = dict[str, Any]

# Most puzzles of one question: they fill a few pages of a book.
_MOST_MADE = 50
# The usual limit of a count: a browser gets the number at once; the command stops earlier.
_USUALLY_COUNTED = 1_000_000
# A count is sent at its end and at each power of ten on the way, so that the numbers sent depend on
# the puzzle alone. Each count starts again from 0, which takes a tenth longer.
_FIRST_TOLD, _TIMES = 1_000, 10


def count(message: Mapping[str, Any], limits: Limits) -> Iterator[Part]:
    """Yield the number of solutions up to `limit`; with `estimate`, also an estimate beyond it.

    With `growing`, parts with the entry `running` come before the last part.
    """
    puzzle, budget = read_puzzle(message.get("puzzle")), Budget(limits)
    is_growing = bool(message.get("growing"))
    rest = {name: value for name, value in message.items() if name != "growing"}
    counter = Counter(Plain(), **read_fields(Counter, {"limit": _USUALLY_COUNTED, **rest}))
    stages = _stages(counter.limit) if is_growing else [counter.limit]
    for limit in stages:
        asked = {**rest, "limit": limit, "estimate": False}
        found = find_facts("count", asked, puzzle, budget.rest()).result
        part: Part = {"part": "count", "number": found.number, "complete": found.is_complete}
        part |= {"reason": found.reason} if found.reason else {}
        if limit == counter.limit or not found.is_at_limit:
            break
        yield part | {"running": True}
    if counter.is_estimated and found.is_at_limit:
        if is_growing:
            yield part | {"running": True}
        about, _ = counter.estimated(puzzle, found, budget)
        numbers = about.as_floats() if about else {}
        part |= {name: number for name, number in numbers.items() if number is not None}
        part |= {"text": _POWER.sub(_raised, str(about))} if about else {}
    yield part


_POWER = re.compile(r"e(\d+)")
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def _raised(power: re.Match[str]) -> str:
    """Return "times 10" with a raised exponent, in signs, between which no line breaks."""
    return f"\u00a0\u00d7\u00a010{power[1].translate(_RAISED)}"


def _stages(limit: int) -> Iterator[int]:
    """Yield the limits of a growing count, the last of which is `limit`; 0 is no limit."""
    stage = _FIRST_TOLD
    while not 0 < limit <= stage:
        yield stage
        stage *= _TIMES
    yield limit


def minimize(message: Mapping[str, Any], limits: Limits) -> Iterator[Part]:
    """Yield a puzzle with the same solution and no redundant given, or with the fewest givens."""
    puzzle = read_puzzle(message.get("puzzle"))
    found = find_facts("minimize", message, puzzle, limits).result
    if isinstance(found, Minimized):
        made = found.puzzle
        yield {"part": "puzzle", **puzzle_entries(made), **_described(made, limits)}
    elif isinstance(found, Outcome):
        yield {"part": "refused", "text": sentence(found)}
    else:
        raise SatdokuError(
            "this ask is for one puzzle; what leads to none or many is asked by facts"
        )


def complete(message: Mapping[str, Any], limits: Limits) -> Iterator[Part]:
    """Yield the puzzle with the fewest further givens that were found to leave one solution."""
    puzzle = read_puzzle(message.get("puzzle"))
    explanation = explain(puzzle, Scope(limits=limits))
    # With one solution no given is missing, and with none no given helps.
    if explanation.verdict is not Verdict.MULTIPLE:
        yield {"part": "refused", "text": f"a puzzle that is {explanation.verdict.value} stays"}
        return
    clues = explanation.clues
    if clues is None:
        yield {"undecided": explanation.reason or "no further givens were found in time"}
        return
    added = {cell: clues.solution.digits[cell] for cell in clues.cells}
    found = puzzle.with_grid(puzzle.grid.with_digits(added))
    yield {
        "part": "puzzle",
        **puzzle_entries(found),
        "added": sorted(added),
        **_described(found, limits),
    }


def scramble(message: Mapping[str, Any], limits: Limits) -> Iterator[Part]:
    """Yield a twin of a classic puzzle, with renamed digits and reordered lines."""
    puzzle = read_puzzle(message.get("puzzle"))
    yield {"part": "puzzle", **puzzle_entries(random_twin(puzzle, _seed(message)).puzzle)}


def generate(message: Mapping[str, Any], limits: Limits) -> Iterator[Part]:
    """Yield puzzles that meet some wishes, each with its rating as soon as it is made.

    The board of the question determines box shape and rules; its digits are ignored.
    """
    board = read_puzzle(message.get("puzzle"))
    number = whole_number(message.get("number", 1), "number", _MOST_MADE)
    own = ("number", "random_regions")
    rest = {name: value for name, value in message.items() if name not in own}
    wanted = Wanted(**read_fields(Wanted, {"seed": "0", **rest}))
    grid = Grid.empty(board.geometry)
    if wanted.start is not None:
        grid = parse(wanted.start, box=board.geometry).grid
    is_random = bool(message.get("random_regions"))
    request = wanted.request(board.with_grid(grid), has_random_regions=is_random)
    made = generate_all(request, all_numbers(), wanted.ratings, limits, wanted.steps)
    if wanted.distinct is not None:
        made = keep_distinct(made, number, wanted.distinct)
    for each in islice(made, number):
        yield {
            "part": "puzzle",
            **puzzle_entries(each.puzzle),
            "minimal": each.is_minimal,
            **_described(each.puzzle, limits),
        }


def certify(message: Mapping[str, Any], limits: Limits) -> Iterator[Part]:
    """Yield a certificate of the verdict: an archive of its files, for a download link."""
    puzzle = read_puzzle(message.get("puzzle"))
    made = prove(puzzle, f"satdoku {version('satdoku')}", limits=limits)
    stream = BytesIO()
    with TemporaryDirectory() as folder, ZipFile(stream, "w", ZIP_DEFLATED) as archive:
        write_certificate(made, Path(folder), "certificate")
        for path in sorted(Path(folder).iterdir()):
            archive.write(path, path.name)
    data = b64encode(stream.getvalue()).decode()
    yield {"part": "certificate", "verdict": made.verdict.value, "kind": "zip", "base64": data}


def _described(puzzle: Puzzle, limits: Limits) -> Part:
    """Return a part with the number of givens and the rating of a puzzle."""
    described: Part = {"givens": len(puzzle.givens)}
    rating = rating_of(puzzle, limits)
    if rating is not None:
        described |= {"rating": rating.number, "level": rating.level.value}
    return described


def _seed(message: Mapping[str, Any]) -> str:
    # A seed may be any text; it is cut, since a longer one has no advantage.
    return str(message.get("seed", "0"))[:100]
