"""Where puzzles come from, and what further rules they have, as options say it."""

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from satdoku.cli.declaring import FileName, OptionGroup, complete_rule, option
from satdoku.cli.options import gathered
from satdoku.cli.sources import is_file, require_no_loose_rows
from satdoku.cli.tasks import TYPED, Tasks
from satdoku.cli.terminal import Talk
from satdoku.errors import SatdokuError, quote
from satdoku.files import as_path, read_text
from satdoku.notation.hints import READABLE, Hints
from satdoku.notation.sizes import LARGEST_SIZE
from satdoku.notation.symbols import Alphabet
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.registry import LineOfFile, require_rule_name

if TYPE_CHECKING:
    from satdoku.answering.output.progress import Meter


def read_rule_names(
    ctx: click.Context, param: click.Parameter, value: tuple[str, ...]
) -> tuple[str, ...]:
    """Rules whose names are known; their arguments are read when the board is."""
    for text in value:
        _require_known(text)
    return (*value, *ctx.meta.get(_FROM_FILES, ()))


_FROM_FILES = f"{__name__}.rules"


def read_rule_files(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> None:
    """The rules of files, one a line; they are kept until `--rule` is read, and go with those."""
    rules: list[str] = []
    for name in value:
        try:
            lines = _read_file(name).splitlines()
        except SatdokuError as error:
            raise click.BadParameter(str(error)) from None
        for number, line in enumerate(lines, 1):
            # What stands behind # is a note, so that a file can say where its rules are from. No
            # argument has such a sign.
            text = line.partition("#")[0].strip()
            if text:
                rule = LineOfFile(text, f"{name}:{number}")
                _require_known(rule, f"{rule.place}: ")
                rules.append(rule)
    ctx.meta[_FROM_FILES] = tuple(rules)


def _require_known(text: str, place: str = "") -> None:
    """Refuses a rule whose name nobody knows."""
    try:
        require_rule_name(text.partition(":")[0].strip())
    except SatdokuError as error:
        raise click.BadParameter(f"{place}{error}") from None


def read_regions_option(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> str | None:
    """One letter a cell, from a file of that name or from the text itself."""
    if value is None:
        return None
    # Imported here: few runs have irregular regions.
    from satdoku.puzzle.rules.regions import read_regions, region_letters

    is_file = os.path.isfile(value)
    try:
        letters = region_letters(_read_file(value) if is_file else value)
        read_regions(letters)
    except SatdokuError as error:
        # A misspelt name is taken for letters, which nobody has meant.
        other = "" if is_file else f"; and there is no file {quote(value)}"
        raise click.BadParameter(f"{error}{other}") from None
    return letters


def hinted_rules(rules: tuple[str, ...], regions: str | None) -> tuple[str, ...]:
    """Both options as texts of rules."""
    return rules if regions is None else (f"regions:{regions}", *rules)


def _read_file(name: str) -> str:
    # Editors of Windows begin a file with a mark that is no part of it.
    return read_text(as_path(name)).removeprefix("\ufeff")


rule_option = option(
    OptionGroup.INPUT,
    "--rule",
    "rules",
    multiple=True,
    callback=read_rule_names,
    shell_complete=complete_rule,
    metavar="NAME[:ARGUMENT]",
    help="A further rule of all puzzles, such as anti-knight; see `satdoku rules`.",
)

RULE_PARAMETERS = (
    rule_option,
    option(
        OptionGroup.INPUT,
        "--rules",
        "rule_files",
        multiple=True,
        # Before --rule is read, wherever it stands, as its rules go with those.
        is_eager=True,
        expose_value=False,
        callback=read_rule_files,
        metavar="FILE",
        help="Further rules from a file, one a line as --rule takes them.",
    ),
    option(
        OptionGroup.INPUT,
        "--regions",
        callback=read_regions_option,
        metavar="FILE|TEXT",
        help="Irregular regions in place of boxes: one letter a cell.",
    ),
)


def read_box(ctx: click.Context, param: click.Parameter, value: str | None) -> Geometry | None:
    """A box shape such as 2x3: rows, then columns."""
    if value is None:
        return None
    try:
        box = Geometry.parse(value)
    except SatdokuError as error:
        raise click.BadParameter(str(error)) from None
    if box.size > LARGEST_SIZE:
        raise click.BadParameter(f"boxes of {value} make no board of 1 to {LARGEST_SIZE} digits")
    return box


def read_alphabet(ctx: click.Context, param: click.Parameter, value: str | None) -> Alphabet | None:
    """An alphabet by its name, or its symbols."""
    try:
        return None if value is None else Alphabet(value)
    except SatdokuError as error:
        raise click.BadParameter(str(error)) from None


class Inputs(NamedTuple):
    """The puzzles that a command was given, and how they are written."""

    arguments: tuple[str, ...]
    format_name: str | None
    hints: Hints

    def tasks(
        self,
        refuse: Callable[[SatdokuError], None],
        meter: "Meter | None" = None,
        by_block: bool = False,
    ) -> Tasks:
        """The records of all sources, in order; standard input when none is named.

        `refuse` is called with the error of a source that cannot be read; the others are read.
        """
        context = click.get_current_context(silent=True)
        # The limit of a command holds for reading too; most commands have one.
        timeout = None if context is None else context.params.get("timeout")
        hints, name = self.hints, self.format_name
        return Tasks(self.arguments, name, hints, refuse, meter, by_block, timeout)

    def talk(self, is_quiet: bool) -> Talk:
        """The talk for messages about these puzzles."""
        return Talk(is_quiet, is_waiting=self.are_typed)

    def comparing(self, solution_column: str | None) -> "Inputs":
        """The same, with the column of a table that holds known solutions."""
        return self._replace(hints=replace(self.hints, solution_column=solution_column))

    def options(self) -> dict[str, Any]:
        """The settings that change how the puzzles are read, by the names of their options."""
        hints = self.hints
        return {
            "--from": self.format_name,
            "--box": hints.geometry and str(hints.geometry),
            "--alphabet": hints.alphabet and hints.alphabet.name,
            "--column": hints.column,
            "--solution-column": hints.solution_column,
            "--rules-column": hints.rules_column,
            "--rule": " ".join(hints.rules) or None,
        }

    @property
    def paths(self) -> list[str]:
        """The files among the arguments, pipes included."""
        return [argument for argument in self.arguments if is_file(argument)]

    @property
    def sources(self) -> list[str]:
        """The names of all sources in messages; all puzzles that are typed are one source."""
        files = self.paths
        # All that is typed has one name in messages, with its place in the line of arguments.
        has_typed = any(each != "-" and each not in files for each in self.arguments)
        standard_input = ["stdin"] if self.has_standard_input else []
        return [*files, *standard_input, *([TYPED] if has_typed else [])]

    @property
    def are_regular_files(self) -> bool:
        """Whether there is nothing but files that can be read again."""
        # A named pipe has a path too, but its contents are gone once they are read.
        return bool(self.arguments) and all(map(os.path.isfile, self.arguments))

    @property
    def has_standard_input(self) -> bool:
        return not self.arguments or "-" in self.arguments

    @property
    def are_typed(self) -> bool:
        """Whether a person at a terminal types or pastes puzzles, and waits for each answer."""
        return self.has_standard_input and sys.stdin.isatty()


def _make_inputs(
    puzzles: tuple[str, ...],
    from_: str | None,
    box: Geometry | None,
    alphabet: Alphabet | None,
    column: str | None,
    rules_column: str | None,
    rules: tuple[str, ...],
    regions: str | None,
) -> Inputs:
    require_no_loose_rows(puzzles)
    further = hinted_rules(rules, regions)
    hints = Hints(box, alphabet, column, rules_column=rules_column, rules=further)
    return Inputs(puzzles, from_, hints)


puzzle_input = gathered(
    "inputs",
    _make_inputs,
    [
        click.argument("puzzles", nargs=-1, metavar="[PUZZLE|FILE|-]...", type=FileName()),
        option(
            OptionGroup.INPUT,
            "--from",
            "from_",
            type=click.Choice(READABLE),
            help="Format of the input; detected if not given. A paste has other text around a "
            "board.",
        ),
        option(
            OptionGroup.INPUT,
            "--box",
            callback=read_box,
            metavar="RxC",
            help="Box shape where the text does not show it: 2x3 is two rows by three columns.",
        ),
        option(
            OptionGroup.INPUT,
            "--alphabet",
            callback=read_alphabet,
            metavar="ALPHABET",
            help="Digits above 9: 1 (1-9A-Z), 0 (0-9A-Z), A (A-Z), numbers, or all symbols in "
            "order.",
        ),
        option(
            OptionGroup.INPUT,
            "--column",
            metavar="NAME|INDEX",
            help="Column of the puzzles, or key in JSON; data.puzzle is one in an inner object.",
        ),
        option(
            OptionGroup.INPUT,
            "--rules-column",
            metavar="NAME|none",
            help="Column or key of the rules of each puzzle, if it is not called rules; none "
            "leaves what is called so unread.",
        ),
        *RULE_PARAMETERS,
    ],
)
"""The arguments and options by which every command takes its puzzles, as `inputs`."""
