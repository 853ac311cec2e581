"""The options by which every command takes further rules: `--rule` and `--regions`."""

import os
from math import isqrt

import click

from satdoku.cli.completion import complete_rule
from satdoku.cli.help import Group, option
from satdoku.errors import SatdokuError
from satdoku.puzzle.geometry import Geometry


def read_rule_names(
    ctx: click.Context, param: click.Parameter, value: tuple[str, ...]
) -> tuple[str, ...]:
    """Rules whose names are known; their arguments are read when the board is."""
    value = (*value, *ctx.meta.get(_FROM_FILES, ()))
    if not value:
        return value
    # Imported here: most runs name no rules.
    from satdoku.puzzle.rules.registry import require_rule_name

    try:
        for text in value:
            require_rule_name(text.partition(":")[0].strip())
    except SatdokuError as error:
        raise click.BadParameter(str(error)) from None
    return value


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
            text = line.strip()
            if text and not text.startswith("#"):
                rules.append(_known_rule(text, name, number))
    ctx.meta[_FROM_FILES] = tuple(rules)


def _known_rule(text: str, file_name: str, number: int) -> str:
    from satdoku.puzzle.rules.registry import require_rule_name

    try:
        require_rule_name(text.partition(":")[0].strip())
    except SatdokuError as error:
        raise click.BadParameter(f"{file_name}:{number}: {error}") from None
    return text


def read_regions_option(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> str | None:
    """One letter a cell, from a file of that name or from the text itself."""
    if value is None:
        return None
    # Imported here: few runs have irregular regions.
    from satdoku.puzzle.rules.regions import read_regions, region_letters

    try:
        text = _read_file(value) if os.path.isfile(value) else value
        letters = region_letters(text)
        read_regions(letters)
    except SatdokuError as error:
        raise click.BadParameter(str(error)) from None
    return letters


def hinted_rules(rules: tuple[str, ...], regions: str | None) -> tuple[str, ...]:
    """Both options as texts of rules."""
    return rules if regions is None else (f"regions:{regions}", *rules)


def size_of_regions(regions: str | None) -> Geometry | None:
    """A board as large as the regions say, with the usual boxes, which regions replace."""
    # Their number is a square: `read_regions_option` has refused any other.
    return None if regions is None else Geometry.of_size(isqrt(len(regions)))


def _read_file(name: str) -> str:
    from pathlib import Path

    from satdoku.files import read_text

    return read_text(Path(name))


rule_option = option(
    Group.INPUT,
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
        Group.INPUT,
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
        Group.INPUT,
        "--regions",
        callback=read_regions_option,
        metavar="FILE|TEXT",
        help="Irregular regions in place of boxes: one letter a cell.",
    ),
)
