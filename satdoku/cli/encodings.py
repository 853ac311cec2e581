"""`satdoku encodings`: what each encoding and at-most-one method costs."""

import click

from satdoku.cli.declaring import Whole, command
from satdoku.cli.inputs import read_box
from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.encode import description_of
from satdoku.encoding.size import rules_auxiliaries_may_vary, rules_size
from satdoku.encoding.statements import duplicate_pairs
from satdoku.puzzle.geometry import Geometry

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
def encodings(sizes: tuple[int, ...], box: Geometry | None) -> None:
    """List the encodings and what each of them costs.

    Counted are the variables and clauses of the bare rules, by each at-most-one method.

    \b
    satdoku encodings
    satdoku encodings --size 36
    satdoku encodings --box 2x5
    """
    for encoding in Encoding:
        click.echo(f"{encoding.value:10} {description_of(encoding)}")
    geometries = [box] if box else [Geometry.of_size(size) for size in sizes]
    for geometry in geometries:
        click.echo()
        _print_table(geometry)


def _print_table(geometry: Geometry) -> None:
    size = geometry.size
    click.echo(f"{size}x{size} with boxes of {geometry}: variables / clauses of the bare rules")
    # What `reduced` leaves depends on the givens, of which the bare rules have none.
    shown = [encoding for encoding in Encoding if encoding is not Encoding.REDUCED]
    table = [["", *(encoding.value for encoding in shown)]]
    for method in Method:
        table.append([method.value, *(_cell(geometry, each, method) for each in shown)])
    # Each column is as wide as its widest number, so that digits of a place stand in line.
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for name, *cells in table:
        aligned = (cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))
        click.echo("   ".join([name.ljust(widths[0]), *aligned]))
    click.echo(
        f"textbook states {duplicate_pairs(geometry):,} pairs twice, those that a box shares with "
        "a row or column; pairwise states each once.\n"
        "reduced has the variables of extended, and as many clauses as the givens leave.\n"
        f"{_MARK} a solution may have several models: count only the variables of 'c p show'."
    )


def _cell(geometry: Geometry, encoding: Encoding, method: Method) -> str:
    variables, clauses = rules_size(geometry, encoding, method)
    # In front, so that the numbers stay aligned.
    mark = _MARK if rules_auxiliaries_may_vary(geometry, encoding, method) else ""
    return f"{mark}{variables:,} / {clauses:,}"
