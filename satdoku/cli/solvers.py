"""`satdoku solvers`: which solvers there are, and what each of them can do."""

from collections.abc import Iterator, Sequence

import click

from satdoku.cli.declaring import command
from satdoku.lanes.library import find_state
from satdoku.solving.solvers import (
    AUTOMATIC,
    FAMILIES,
    LOCAL_SEARCH,
    SOLVERS,
    STABLE_CADICAL,
    STAGES,
    Can,
    SolverInfo,
)

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
def solvers() -> None:
    """List the solvers that --solver takes, and what each of them can do.

    All come with python-sat, except that cryptosat needs pycryptosat beside it. A family stands
    for the newest of its solvers. --with asks any other solver that is installed. The line below
    the table is about the compiled library, by which many 9x9 puzzles are solved side by side
    where no solver is named, and local search is 20 times as fast; SATDOKU_LANES=0 in the
    environment turns it off.

    \b
    satdoku solvers
    satdoku solve puzzle.txt --solver cadical
    satdoku solve puzzle.txt --portfolio minicard,glucose
    """
    family_of = {name: family for family, name in FAMILIES.items()}
    rows = [(name, "", text) for name, text in _METHODS.items()]
    rows += [
        (info.name, family_of.get(info.name, ""), _describe(info)) for info in SOLVERS.values()
    ]
    for line in _aligned([("solver", "family", "what it can do"), *rows]):
        click.echo(line)
    # Beside the table, which programs may read.
    click.echo(find_state(), err=True)


def _describe(info: SolverInfo) -> str:
    found = [text for ability, text in _ABILITIES.items() if ability in info.can]
    return ", ".join(found if Can.SLICE in info.can else [*found, _UNSTOPPABLE])


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows with all columns but the last as wide as their longest text."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    for *texts, last in rows:
        padded = (text.ljust(width) for text, width in zip(texts, widths, strict=True))
        yield "  ".join([*padded, last]).rstrip()
