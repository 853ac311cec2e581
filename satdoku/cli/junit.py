"""Results as JUnit XML, which CI services show: a test case for each puzzle."""

import re
from collections import deque
from collections.abc import Iterable, Iterator

from satdoku.answering.answerer import PuzzleAnswerer
from satdoku.answering.output.ending import Ending, Tally
from satdoku.answering.output.output import Output
from satdoku.answering.plan import Plan
from satdoku.answering.task import Task
from satdoku.batch.row import Row
from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.inputs import Inputs
from satdoku.cli.outputs import output_stream
from satdoku.cli.running import PuzzleRun, Run
from satdoku.cli.terminal import ProgressLine, Talk
from satdoku.errors import PlacedError, SatdokuError

# The module `html` would load a table of all names of characters.
_ESCAPED = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
# Characters that XML cannot hold, not even escaped. Not compiled here: the pattern covers so many
# characters that this takes long.
_FORBIDDEN = "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
# Endings that are failures of a test case: the puzzle was read and is not as it should be. Endings
# in neither set are errors.
_FAILURES = frozenset({Ending.MULTIPLE, Ending.NONE, Ending.MISMATCH})
_FINE = frozenset({Ending.UNIQUE, Ending.SOLVED, Ending.ANSWERED})


class JUnitRun(PuzzleRun):
    """The work of `check --junit`: answers puzzles, and writes how each ended into a file, too."""

    trusts_files = False  # every task is read here, too

    def __init__(self, run: Run, inputs: Inputs, answerer: PuzzleAnswerer, name: str) -> None:
        super().__init__(run, inputs, answerer)
        self._name = name
        self.written_files = [name]
        self._asked: deque[Task] = deque()
        self._cases: list[str] = []
        self._failures = self._errors = 0

    def plan(self, talk: Talk, progress: ProgressLine) -> Plan:
        talk.listen = self._add_error
        return super().plan(talk, progress)

    def _complete(self, tasks: Iterator[Task], talk: Talk) -> Iterator[Task]:
        for task in tasks:
            self._asked.append(task)
            yield task

    def keep(self, rows: Iterable[Row], output: Output) -> Iterator[Row]:
        for row in rows:
            # Rows come in the order of the tasks.
            task = self._asked.popleft()
            if row.records == 1:
                self._add(task, row)
            else:
                others = {other.place: other for other in row.others}
                for line in task.lines():
                    self._add(line, others.get(line.place))
            yield row

    def conclude(self, tally: Tally, output: Output, talk: Talk, seconds: float) -> ExitCode:
        counts = (
            f'tests="{len(self._cases)}" failures="{self._failures}" errors="{self._errors}" '
            f'time="{seconds:.3f}"'
        )
        with output_stream(self._name, self._run.is_forced) as stream:
            stream.write('<?xml version="1.0" encoding="UTF-8"?>\n')
            stream.write(f'<testsuites {counts}>\n<testsuite name="satdoku" {counts}>\n')
            stream.writelines(self._cases)
            stream.write("</testsuite>\n</testsuites>\n")
        return super().conclude(tally, output, talk, seconds)

    def _add(self, task: Task, row: Row | None) -> None:
        """Add a test case; without a row the puzzle has exactly one solution."""
        record = task.record
        name = f"line {record.line}{f': {record.name}' if record.name else ''}"
        if row is None or row.ending in _FINE:
            self._write(task.parser.source, name)
            return
        # The third field of a reject is the reason.
        reason = row.reject.split("\t")[2] if row.reject else row.message
        kind = str(row.ending.value)
        self._write(task.parser.source, name, kind, reason, row.ending in _FAILURES)

    def _add_error(self, error: SatdokuError) -> None:
        """Add a test case for a source that could not be read."""
        is_placed = isinstance(error, PlacedError)
        source = error.source if isinstance(error, PlacedError) else "satdoku"
        message = error.message if isinstance(error, PlacedError) else str(error)
        name = f"line {error.line}" if isinstance(error, PlacedError) and error.line else "file"
        self._write(source or "satdoku", name if is_placed else message, "unreadable", message)

    def _write(
        self, source: str, name: str, kind: str = "", reason: str = "", is_failure: bool = False
    ) -> None:
        begin = f"<testcase classname={_quoted(source)} name={_quoted(name)}"
        if not kind:
            self._cases.append(f"{begin}/>\n")
            return
        self._failures += is_failure
        self._errors += not is_failure
        element = "failure" if is_failure else "error"
        inner = f"<{element} type={_quoted(kind)} message={_quoted(reason)}/>"
        self._cases.append(f"{begin}>{inner}</testcase>\n")


def _quoted(text: str) -> str:
    return f'"{re.sub(_FORBIDDEN, chr(0xFFFD), text).translate(_ESCAPED)}"'
