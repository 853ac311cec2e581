"""The commands that list possible values: `rules`, `cage`, `encodings` and `solvers`."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, product
from string import ascii_uppercase
from typing import NamedTuple

import click

from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.inputs import read_box
from satdoku.cli.options import Whole, command, quiet_option
from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.encode import description_of, duplicate_pairs
from satdoku.encoding.size import rules_auxiliaries_may_vary, rules_size
from satdoku.errors import OptionError, SatdokuError, count_of, join, quote
from satdoku.lanes.library import find_state
from satdoku.notation.json_format import dump_line
from satdoku.picture.picture import Cage, picture_of
from satdoku.picture.text import draw_characters
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.arguments import read_cells
from satdoku.puzzle.rules.cages import digits_with_sum
from satdoku.puzzle.rules.registry import GROUPS, RULES, meant_by, read_rule, require_rule_name
from satdoku.puzzle.rules.rule import Rule
from satdoku.solving.solvers import (
    AUTOMATIC,
    FAMILIES,
    LOCAL_SEARCH,
    SOLVERS,
    STABLE_CADICAL,
    STAGES,
    Can,
    SolverInfo,
    how_to_install,
    is_installed,
    newest_of,
)


def read_digits(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, ...]:
    """Parse digits: numbers with commas between them, or each a character: 1,9 or 19."""
    text = (value or "").strip()
    words = re.split(r"[\s,]+", text) if re.search(r"[\s,]", text) else text
    if not all(word.isdecimal() and len(word) < 3 for word in words):
        raise click.BadParameter(f"{quote(str(value))} is no list of digits such as 1,9")
    return tuple(map(int, words))


_CELLS = re.compile(r"r\d[\d-]*c\d[\d-]*")

_json_option = click.option(
    "--json", "is_json", is_flag=True, help="Print each entry of the list as a JSON object."
)


class RuleEntry(NamedTuple):
    """A rule in the list of rules; packages that add rules have no group here.

    `form` has a word in capitals for each part of the argument, and `parts` their meaning.
    """

    name: str
    group: str | None
    form: str
    parts: dict[str, str]
    example: str
    sentence: str


class FormulaSize(NamedTuple):
    """The size of the formula of the bare rules; `one_model` says that each grid has one model."""

    box: str
    at_most_one: str
    variables: int
    clauses: int
    one_model: bool


class EncodingEntry(NamedTuple):
    """An encoding in the list of encodings; no size where it depends on the givens."""

    name: str
    description: str
    sizes: list[FormulaSize]


class SolverEntry(NamedTuple):
    """A solver in the list of solvers; `family` is set for the newest installed one of a family.

    Its abilities: at-most-one constraints without clauses (`native`), `proofs`, stop after some
    `conflicts`; null for several solvers in turn.
    """

    name: str
    family: str | None
    installed: bool
    description: str
    native: bool | None = None
    proofs: bool | None = None
    conflicts: bool | None = None


@command()
@click.argument("name", required=False)
@click.option(
    "--all", "is_all", is_flag=True, help="Describe every rule in full, as NAME does for one."
)
@_json_option
def rules(name: str | None, is_all: bool, is_json: bool) -> None:
    """List the rules that puzzles may have, each with an example and its meaning.

    With the name of a rule, describe its argument and draw the example.

    Rows, columns and boxes are rules of every puzzle; --regions replaces boxes by irregular
    regions. Other rules are given by --rule, which may be repeated, in a file with one rule a line
    (--rules), or in the JSON of a puzzle. Cells are named r1c1; r1c1-3 is three cells; several are
    separated by commas.

    \b
    satdoku rules
    satdoku rules thermo
    satdoku rules --json
    satdoku check puzzle.txt --rule anti-knight --rule diagonals
    satdoku solve puzzle.txt --rule killer:15=r1c1-3,r2c1
    satdoku solve jigsaw.txt --regions regions.txt
    """
    if is_all and name is not None:
        raise click.UsageError(f"--all tells of {name} too; leave one of them out")
    if is_json:
        _print_objects(name)
    elif is_all:
        for number, each in enumerate(RULES):
            click.echo("" if number == 0 else "\n", nl=False)
            _tell(each)
    elif name is None:
        _list_rules()
    else:
        found = _named(name)
        if found != name:
            click.echo(f"{name} is written {meant_by(name, RULES)}; the rule behind it:\n")
        _tell(found)


def _list_rules() -> None:
    """Print an example and a sentence for each rule, group by group."""
    width = max(len(text) for text in map(_example, RULES) if len(text) <= _WIDEST)
    for number, (group, names) in enumerate(GROUPS.items()):
        click.echo(f"{'' if number == 0 else chr(10)}{group}:")
        for each in names:
            text = _example(each)
            rule, board = _show(each)
            head = text.ljust(width) if len(text) <= _WIDEST else f"{text}\n  {' ' * width}"
            click.echo(f"  {head}  {rule.sentence(board)}")


def _print_objects(name: str | None) -> None:
    """Print the object of each rule, or of the one with this name."""
    group_of = {each: group for group, names in GROUPS.items() for each in names}
    for each in group_of if name is None else [_named(name)]:
        kind = require_rule_name(each)
        rule, board = _show(each)
        found = RuleEntry(
            each,
            group_of.get(each),
            kind.form,
            dict(kind.parts),
            _example(each),
            rule.sentence(board),
        )
        click.echo(dump_line(found._asdict()), nl=False)


def _named(name: str) -> str:
    """Return the name of a rule, given its name or what players call it."""
    try:
        require_rule_name(name)
    except SatdokuError as error:
        meant = meant_by(name, RULES)
        if not meant:
            raise click.BadParameter(str(error), param_hint="NAME") from None
        return re.split("[^a-z-]", meant)[0]
    return name


# Widest example that has its sentence on the same line.
_WIDEST = 36


def _tell(name: str) -> None:
    """Print the parts of a rule's argument, and its example with a drawing."""
    kind = require_rule_name(name)
    text = _example(name)
    rule, board = _show(name)
    click.echo(f"{name}:{kind.form}" if kind.form else text)
    for word, meaning in kind.parts.items():
        click.echo(f"  {word.ljust(max(map(len, kind.parts)))}  {meaning}")
    click.echo(f"\n{text}\n  {rule.sentence(board)}")
    # A rule of the whole board without a drawing is fully described by its sentence.
    small = kind.example_board
    if kind.example or list(rule.drawing(small)):
        click.echo("")
        for line in _drawing(text, read_rule(text, small), small):
            click.echo(f"  {line}".rstrip())


def _drawing(text: str, rule: Rule, board: Geometry) -> list[str]:
    """Return the rule on a board, with letters in its cells in the order of the argument.

    A rule without a drawing is shown by its letters alone.
    """
    named = [cell for word in _CELLS.findall(text) for cell in read_cells(word, board)]
    cells = list(dict.fromkeys(named))
    if not cells and not list(rule.drawing(board)):
        cells = sorted(rule.cells(board))
    letter_of = dict(zip(cells, ascii_uppercase, strict=False))
    texts = [letter_of.get(cell, ".") for cell in range(board.cell_count)]
    puzzle = Puzzle(Grid.empty(board)).with_rules([rule])
    picture = picture_of(puzzle)
    # Cells without a drawing have their letters already.
    drawn = tuple(each for each in picture.drawn if not (isinstance(each, Cage) and each.is_fine))
    return draw_characters(replace(picture, drawn=drawn), texts)


def _example(name: str) -> str:
    """Return the example of a rule, as `--rule` takes it."""
    example = require_rule_name(name).example
    return f"{name}:{example}" if example else name


def _show(name: str) -> tuple[Rule, Geometry]:
    """Return the example of a rule, and its board: the usual one, or its own if it needs one."""
    text, usual, own = _example(name), Geometry(), require_rule_name(name).example_board
    try:
        return read_rule(text, usual), usual
    except SatdokuError:
        return read_rule(text, own), own


@command()
@click.argument("total", metavar="SUM", type=Whole(min=0))
@click.argument("cells", metavar="CELLS", type=Whole(min=1))
@click.option(
    "--with",
    "needed",
    callback=read_digits,
    metavar="DIGITS",
    help="Digits that the cage holds: 1,9.",
)
@click.option(
    "--without",
    "barred",
    callback=read_digits,
    metavar="DIGITS",
    help="Digits that the cage does not hold: 5,7.",
)
@click.option(
    "--size", type=Whole(1, 25), default=9, show_default=True, help="The digits are 1 to N."
)
@click.option("--repeats", is_flag=True, help="A digit may stand more than once.")
@quiet_option
def cage(
    total: int,
    cells: int,
    needed: tuple[int, ...],
    barred: tuple[int, ...],
    size: int,
    repeats: bool,
    quiet: bool,
) -> int:
    """List the digits that a cage of some cells and a sum can hold, one combination a line.

    The last line, on stderr, says which digits are in all combinations, and which are in none. The
    exit code is 20 if there is no combination.

    \b
    satdoku cage 15 3
    satdoku cage 15 3 --with 2 --without 6,7
    satdoku cage 12 4 --repeats --size 6
    """
    for name, numbers in (("--with", needed), ("--without", barred)):
        for wrong in sorted(set(numbers) - set(range(1, size + 1))):
            raise OptionError(f"{wrong} is not a digit 1-{size}", name)
    digits = [digit for digit in range(1, size + 1) if digit not in barred]
    # The digits in all combinations so far, and those in any of them.
    every, some = set(range(1, size + 1)), set[int]()
    count = 0
    for each in digits_with_sum(digits, cells, total, repeats):
        if not Counter(needed) - Counter(each):
            count += 1
            every &= set(each)
            some |= set(each)
            click.echo(" ".join(map(str, each)))
    if not quiet:
        click.echo(_summary_of_cage(count, every, set(range(1, size + 1)) - some), err=True)
    return ExitCode.ANSWERED if count else ExitCode.NONE


def _summary_of_cage(count: int, every: set[int], never: set[int]) -> str:
    if not count:
        return "no combination"
    parts = [count_of(count, "combination")]
    if every:
        parts.append(f"all have {join(list(map(str, sorted(every))))}")
    if never:
        parts.append(f"none has {join(list(map(str, sorted(never))), 'or')}")
    return "; ".join(parts)


_MARK = "*"


@command()
@click.option(
    "--size",
    "sizes",
    type=Whole(1, 1000),
    multiple=True,
    default=(9, 16, 25),
    show_default=True,
    metavar="N",
    help="Boards of N x N cells; may be given more than once.",
)
@click.option(
    "--box",
    callback=read_box,
    metavar="RxC",
    help="A box shape instead of the usual one of a size.",
)
@_json_option
def encodings(sizes: tuple[int, ...], box: Geometry | None, is_json: bool) -> None:
    """List the encodings and what each of them costs.

    The table has the variables and clauses of the bare rules, for each at-most-one method.

    \b
    satdoku encodings
    satdoku encodings --size 36
    satdoku encodings --box 2x5
    """
    geometries = [box] if box else [Geometry.of_size(size) for size in sizes]
    if is_json:
        for encoding in Encoding:
            measured = [size._asdict() for size in _sizes_of(encoding, geometries)]
            found = {"name": encoding.value, "description": description_of(encoding)}
            click.echo(dump_line({**found, "sizes": measured}), nl=False)
        return
    for encoding in Encoding:
        click.echo(f"{encoding.value:10} {description_of(encoding)}")
    for geometry in geometries:
        click.echo()
        _print_table(geometry)


def _sizes_of(encoding: Encoding, geometries: Sequence[Geometry]) -> Iterator[FormulaSize]:
    """Yield the sizes for each board and at-most-one method."""
    if encoding not in _SIZED:
        return
    for geometry, method in product(geometries, Method):
        has_one = not rules_auxiliaries_may_vary(geometry, encoding, method)
        size = rules_size(geometry, encoding, method)
        yield FormulaSize(str(geometry), method.value, *size, has_one)


# The size of `reduced` depends on the givens, and the bare rules have none.
_SIZED = [encoding for encoding in Encoding if encoding is not Encoding.REDUCED]


def _print_table(geometry: Geometry) -> None:
    size = geometry.size
    click.echo(f"{size}x{size} with boxes of {geometry}: variables / clauses of the bare rules")
    table = [["", *(encoding.value for encoding in _SIZED)]]
    for method in Method:
        table.append([method.value, *(_cell(geometry, each, method) for each in _SIZED)])
    # Each column is as wide as its widest number, so that numbers are aligned.
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for name, *cells in table:
        aligned = (cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))
        click.echo("   ".join([name.ljust(widths[0]), *aligned]))
    click.echo(
        f"textbook states {duplicate_pairs(geometry):,} pairs twice, those that a box shares with "
        "a row or column; pairwise states each once.\n"
        "reduced has the variables of extended; its number of clauses depends on the givens.\n"
        f"{_MARK} a solution may have several models: count only the variables of 'c p show'."
    )


def _cell(geometry: Geometry, encoding: Encoding, method: Method) -> str:
    variables, clauses = rules_size(geometry, encoding, method)
    # The mark is in front, so that the numbers stay aligned.
    mark = _MARK if rules_auxiliaries_may_vary(geometry, encoding, method) else ""
    return f"{mark}{variables:,} / {clauses:,}"


_METHODS = {
    AUTOMATIC: f"{' then '.join(STAGES)}; above 25x25 several methods in turn",
    LOCAL_SEARCH: "local search and a prover in turn, on boards of any size",
    STABLE_CADICAL: "CaDiCaL in its stable mode and a prover in turn, on boards of any size",
}
_ABILITIES = {
    Can.NATIVE: "at-most-one constraints without clauses",
    Can.PROVE: "proofs for certify",
    Can.SLICE: "stops after --conflicts",
}
_UNSTOPPABLE = "runs in a process of its own"


@command()
@_json_option
def solvers(is_json: bool) -> None:
    """List the solvers that --solver takes, and what each of them can do.

    They come with python-sat, except cryptosat, which needs pycryptosat; a line below the table
    lists the solvers that this installation lacks. The name of a family selects its newest
    installed solver. --with runs any other installed solver. The last line is about the compiled
    library, which solves many 9x9 puzzles in parallel if no solver is named, and makes local search
    20 times as fast; SATDOKU_LANES=0 in the environment turns it off.

    \b
    satdoku solvers
    satdoku solve puzzle.txt --solver cadical
    satdoku solve puzzle.txt --portfolio minicard,glucose
    """
    family_of = {newest_of(family): family for family in FAMILIES}
    if is_json:
        for entry in _entries_of(family_of):
            click.echo(dump_line(entry._asdict()), nl=False)
        click.echo(find_state(), err=True)
        return
    rows = [(name, "", text) for name, text in _METHODS.items()]
    rows += [
        (name, family_of.get(name, ""), _describe(info))
        for name, info in SOLVERS.items()
        if is_installed(name)
    ]
    for line in _aligned([("solver", "family", "what it can do"), *rows]):
        click.echo(line)
    # Print missing solvers outside the table, which programs may read.
    missing = [name for name in SOLVERS if not is_installed(name)]
    for installing, names in groupby(sorted(missing, key=how_to_install), how_to_install):
        click.echo(
            f"not installed: {', '.join(names)}; {installing} adds what is missing", err=True
        )
    click.echo(find_state(), err=True)


def _entries_of(family_of: Mapping[str, str]) -> Iterator[SolverEntry]:
    for name, text in _METHODS.items():
        yield SolverEntry(name, None, True, text)
    for name, info in SOLVERS.items():
        abilities = [ability in info.can for ability in (Can.NATIVE, Can.PROVE, Can.SLICE)]
        family = family_of.get(name)
        yield SolverEntry(name, family, is_installed(name), _describe(info), *abilities)


def _describe(info: SolverInfo) -> str:
    # Limits and Ctrl-C are checked between slices; a solver without slices can only be killed.
    found = [text for ability, text in _ABILITIES.items() if ability in info.can]
    return ", ".join(found if Can.SLICE in info.can else [*found, _UNSTOPPABLE])


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the rows with aligned columns; the last column is not padded."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    for *texts, last in rows:
        padded = (text.ljust(width) for text, width in zip(texts, widths, strict=True))
        yield "  ".join([*padded, last]).rstrip()
