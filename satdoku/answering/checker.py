"""The answerer of `check` and `solve`: does a puzzle have exactly one solution? Runs in workers."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain, groupby, islice
from typing import TYPE_CHECKING, Any, ClassVar

from satdoku.answering.answerer import PuzzleAnswerer, guarded, reject_line, row_of_block
from satdoku.answering.asked import asked, setting_values
from satdoku.answering.form import NOT_ASKED
from satdoku.answering.many import (
    LEAST_BOARDS,
    board_of,
    is_patient,
    may_use_bulk,
    only_solutions,
    solve_blocks,
    unique_outcome,
)
from satdoku.answering.output.ending import VERDICTS, Ending
from satdoku.answering.task import Block, Facts, Task, found_together, outcome_facts, outcome_line
from satdoku.batch.row import Row
from satdoku.errors import FormatError
from satdoku.notation.outcomes import (
    OUTCOME_KEYS,
    compare,
    contradicts,
    describe_cost,
    name_of,
    sentence,
)
from satdoku.notation.plain_lines import PlainBoard, plain_line
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import value
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving.limits import Budget, LimitReachedError
from satdoku.solving.questions import check, find_solutions
from satdoku.solving.solvers import Settings

if TYPE_CHECKING:
    from satdoku.answering.many import Solved
    from satdoku.picture.picture import Show, Sketch

# Time limit for the parts of a page besides the verdict, if the puzzle itself has no limit.
_SECONDS_FOR_CLASH = 10.0


@value(frozen=True)
class Checker(PuzzleAnswerer):
    """Answerer that checks the puzzle of each task and writes the answer in the form.

    With `is_verbose` a message tells what each verdict cost. `watch` is told which method works on
    a large board. With `is_drawn` each row comes with a sketch of the outcome, with `is_shown` with
    slides for a page.
    """

    keys: ClassVar[Mapping[str, Any]] = OUTCOME_KEYS
    endings: ClassVar[frozenset[Ending]] = VERDICTS | {Ending.MISMATCH}

    settings: Settings = field(default_factory=Settings)
    is_any: bool = asked("--any", "Print any solution, without checking that it is the only one.")
    is_verbose: bool = False
    is_drawn: bool = False
    is_shown: bool = False

    @property
    def timeout(self) -> float | None:
        return self.settings.limits.timeout

    def options(self) -> dict[str, Any]:
        """Return the settings that change the answers, by option name."""
        return super().options() | setting_values(self.settings)

    @property
    def basis(self) -> str:
        # Only solvers report statistics, so -v leaves no board to the compiled library.
        return "a solver answered each, none compared" if self.is_verbose else ""

    @property
    def takes_blocks(self) -> bool:
        # A block has to finish within the timeout of a single puzzle.
        return self._may_use_bulk and is_patient(self.timeout) and self.form.writes_blocks

    @property
    def takes_rows(self) -> bool:
        return True

    @property
    def is_quick(self) -> bool:
        return True

    def answers(self, tasks: Sequence[Task]) -> Iterator[Row]:
        """Yield one row for each task; the bulk solver helps if there are many small boards."""
        are_few = len(tasks) < LEAST_BOARDS
        for is_block, some in groupby(tasks, lambda task: task.puzzles > 1):
            if is_block:
                yield from self._answer_blocks(list(some))
            elif are_few:
                # Do not read any task before its turn.
                yield from map(self._answer, some)
            else:
                yield from self._answer_lines(list(some))

    def _answer_blocks(self, blocks: Sequence[Task]) -> Iterator[Row]:
        """Yield a row for each block; what the bulk solver leaves open is answered line by line."""
        parts = [task.parts() for task in blocks]
        rows = self._answer_parts(list(chain.from_iterable(parts)))
        for task, some in zip(blocks, parts, strict=True):
            found = list(islice(rows, len(some)))
            yield found[0] if some[0].puzzles == task.puzzles else row_of_block(task, found)

    def _answer_parts(self, parts: Sequence[Task]) -> Iterator[Row]:
        for is_block, some in groupby(parts, lambda task: task.puzzles > 1):
            alike = list(some)
            yield from self._answer_whole(alike) if is_block else map(self._answer, alike)

    def _answer_whole(self, blocks: Sequence[Task]) -> Iterator[Row]:
        if not (self.form.writes_blocks and self._may_use_bulk):
            for task in blocks:
                yield row_of_block(task, list(self._answer_lines(task.lines())))
            return
        for geometry, some in groupby(blocks, lambda task: task.geometry):
            tasks = list(some)
            rows = self._solve_together(geometry, tasks)
            yield from found_together(tasks, rows, self._answer_one_by_one)

    def _solve_together(self, geometry: Geometry, tasks: Sequence[Task]) -> Iterator[Row]:
        blocks = [task.block() for task in tasks]
        solved = solve_blocks(geometry, [block.boards for block in blocks])
        yield from map(self._answer_block, blocks, solved)

    def _answer_one_by_one(self, task: Task) -> Row:
        return row_of_block(task, list(map(self._answer, task.lines())))

    def _answer_block(self, block: Block, solved: "Solved") -> Row:
        task, (cells, is_unique, compared) = block.task, solved
        known = None if block.rows is None else block.rows.known
        if known is not None:
            # If the known solution differs from the one found, or is missing, the answer says so.
            found = zip(is_unique, known, block.written(cells), strict=True)
            is_right = [is_only and said == right for is_only, said, right in found]
        text = self.form.of_block(block, cells)
        if text is None:
            return row_of_block(task, list(self._answer_lines(task.lines())))
        are_right = is_unique if known is None else bytes(is_right)
        if 0 not in are_right:
            return Row(text, Ending.UNIQUE, records=task.puzzles, compared=compared)
        lines = text.split("\n")
        end = "\n" if text else ""
        width = task.geometry.cell_count
        rows = [
            _unique_row(lines[index] + end if text else "")
            if is_known
            else self._answer(
                block.line(index),
                solution=cells[index * width : (index + 1) * width] if is_unique[index] else None,
            )
            for index, is_known in enumerate(are_right)
        ]
        return row_of_block(task, rows)._replace(compared=compared)

    def _answer_lines(self, tasks: Sequence[Task]) -> Iterator[Row]:
        if len(tasks) < LEAST_BOARDS or not self._may_use_bulk:
            yield from map(self._answer, tasks)
            return
        tasks = [task.with_text() for task in tasks]
        yield from found_together(tasks, self._solve_lines(tasks), self._answer)

    def _solve_lines(self, tasks: Sequence[Task]) -> Iterator[Row]:
        write_line = self.form.line_writer()
        readings = [_read_ahead(task, takes_lines=write_line is not None) for task in tasks]
        solutions = only_solutions([board for board, _ in readings])
        for task, (board, puzzle), only in zip(tasks, readings, solutions, strict=True):
            # The bulk solver only finds unique solutions; `check` finds every other outcome.
            if board is None or only is None:
                yield self._answer(task, puzzle)
                continue
            if puzzle is None and write_line is not None:
                row = _unique_row(write_line(task, plain_line(board, only.solution)))
            else:
                row = self._answer(task, puzzle, only.solution)
            yield row._replace(compared=1) if only.is_compared else row

    def facts(self, puzzle: Puzzle, budget: Budget | None = None) -> Facts:
        find = self._find_any if self.is_any else self._check
        outcome = find(puzzle, budget)
        if self.is_any and outcome.solution is not None:
            found = outcome_facts(replace(outcome, reason=NOT_ASKED), self.form.needs_statistics)
            return found._replace(ending=Ending.SOLVED)
        return outcome_facts(outcome, self.form.needs_statistics)

    def _check(self, puzzle: Puzzle, budget: Budget | None) -> Outcome:
        if budget is None:
            return check(puzzle, self.settings, self._say_method)
        settings = replace(self.settings, limits=budget.left)
        outcome = check(puzzle, settings, self._say_method)
        if outcome.reason:
            # The search had only the rest of the limits; report the limits that the user set.
            outcome = replace(outcome, reason=budget.why_over() or outcome.reason)
        return outcome

    def give_up(self, task: Task, reason: str) -> Row:
        if task.puzzles > 1:
            # A small board never kills a process or fills its memory, so the cause was another
            # task.
            return self._answer_one_by_one(task)
        task = task.with_text()
        try:
            outcome = Outcome(task.parse(), Verdict.UNDECIDED, reason=reason)
        except FormatError as error:
            return self._refuse(task, error)
        return self._row(task, outcome, None)

    @property
    def _may_use_bulk(self) -> bool:
        # The bulk solver returns solutions only: it makes no outcome to draw and measures no board.
        needs_statistics = self.is_verbose or self.form.needs_statistics
        needs_outcome = self.is_any or self.is_drawn or self.is_shown or needs_statistics
        return not needs_outcome and may_use_bulk(self.settings)

    def _answer(
        self, task: Task, puzzle: Puzzle | None = None, solution: bytes | None = None
    ) -> Row:
        """Return the row of a task whose puzzle and only solution may be known already."""
        return guarded(task, lambda task: self._answer_now(task, puzzle, solution), self.form)

    def _answer_now(self, task: Task, puzzle: Puzzle | None, solution: bytes | None) -> Row:
        # Start the clock before parsing: reading the record counts towards the limit.
        budget = None if self.timeout is None else task.budget(self.settings.limits)
        try:
            puzzle = puzzle or task.parse()
            # Parse the known solution before the search: if the option does not apply, no search is
            # needed.
            known = task.parse_known_solution(puzzle)
        except FormatError as error:
            return self._refuse(task, error)
        if self.is_any:
            return self._answer_any(task, puzzle)
        if solution is None:
            outcome = self._check(puzzle, budget)
        else:
            outcome = unique_outcome(puzzle, solution, self.settings)
        return self._row(task, outcome, known)

    def _answer_any(self, task: Task, puzzle: Puzzle) -> Row:
        outcome = self._find_any(puzzle)
        if outcome.solution is None:
            return self._row(task, outcome, None)
        text = self.form.of_any(task, puzzle, outcome.solution)
        return Row(text, Ending.SOLVED, result=self._sketch(outcome))

    def _find_any(self, puzzle: Puzzle, budget: Budget | None = None) -> Outcome:
        settings = self.settings if budget is None else replace(self.settings, limits=budget.left)
        try:
            solution = next(find_solutions(puzzle, settings), None)
        except LimitReachedError as limit:
            reason = str(limit) if budget is None else budget.why_over() or str(limit)
            return Outcome(puzzle, Verdict.UNDECIDED, reason=reason)
        # Nobody has looked for a second solution, so nothing may call it the only one.
        verdict = Verdict.NONE if solution is None else Verdict.UNDECIDED
        return Outcome(puzzle, verdict, solution)

    def _row(self, task: Task, outcome: Outcome, known: Grid | str | None) -> Row:
        found = compare(known, outcome) if isinstance(known, Grid) else known or ""
        text = self.form.of_outcome(task, outcome, found)
        fault = found if contradicts(found) else ""
        is_fine = outcome.verdict is Verdict.UNIQUE and not fault
        talk = [describe_cost(outcome)] if self.is_verbose else []
        if self.form.needs_message and not is_fine:
            # The fault comes before the statistics.
            talk.insert(0, fault or sentence(outcome))
        message = f"{task.place}: {name_of(outcome.puzzle)}{'; '.join(talk)}" if talk else ""
        # Equal messages with a place are only counted. Messages of -v have none, so that all are
        # shown.
        place = "" if self.is_verbose else task.place
        sketch = self._sketch(outcome)
        if is_fine:
            return Row(text, Ending.UNIQUE, message, result=sketch)
        ending = Ending.MISMATCH if fault else Ending.of(outcome.verdict)
        reject = reject_line(task, outcome_line(outcome, fault))
        return Row(text, ending, message, reject, sketch, place)

    def _sketch(self, outcome: Outcome) -> "Sketch | Show | None":
        if not (self.is_drawn or self.is_shown):
            return None
        # Imported here: most runs draw nothing, and drawing modules are slow to import.
        from satdoku.picture.picture import show_of_outcome, sketch_of_outcome

        if not self.is_shown:
            return sketch_of_outcome(outcome)
        words = sentence(outcome)
        return show_of_outcome(outcome, f"{words[0].upper()}{words[1:]}.", self._clash(outcome))

    def _clash(self, outcome: Outcome) -> Collection[int]:
        """Return givens that clash, a smallest set of them if found in time."""
        if outcome.verdict is not Verdict.NONE:
            return ()
        if outcome.clashes:
            return {cell for clash in outcome.clashes for cell in clash.cells}
        from satdoku.explaining.clash import find_smallest_clash

        seconds = min(_SECONDS_FOR_CLASH, self.timeout or _SECONDS_FOR_CLASH)
        limits = self.settings.limits._replace(timeout=seconds)
        found = find_smallest_clash(outcome.puzzle, Budget(limits))
        return found.cells if found else ()

    def _say_method(self, name: str) -> None:
        self.watch(f"{name} is at work")


def _unique_row(text: str) -> Row:
    return Row(text, Ending.UNIQUE)


def _read_ahead(task: Task, takes_lines: bool) -> tuple[PlainBoard | None, Puzzle | None]:
    """Return the board of a task, if the bulk solver can take it, and its puzzle, if parsed."""
    board = task.parser.plain_board(task.record) if takes_lines else None
    if board is not None:
        return board, None
    try:
        puzzle = task.parse()
    except FormatError:
        return None, None  # parsed again and reported at the task's turn
    return board_of(puzzle), puzzle
