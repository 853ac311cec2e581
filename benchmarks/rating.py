"""Ratings by satdoku compared with public ratings of the same puzzles."""

import csv
import math
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import click

from satdoku.notation.reading import read_puzzles
from satdoku.rating.rater import rate_all
from satdoku.rating.rating import Rating


@click.command()
@click.option(
    "--column", default="rating", show_default=True, help="The column with the public rating."
)
@click.option("--weight", help="A column that says for how many puzzles each one stands.")
@click.argument("file", type=click.Path(path_type=Path, exists=True))
def rating(file: Path, column: str, weight: str | None) -> None:
    """Rate the puzzles of a table FILE that has a public rating of them in another column.

    Print Spearman's rank correlation, and which public ratings the puzzles of each of our ratings
    have.
    """
    with file.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    with file.open() as lines:
        ours = [_number_of(rated.rating) for rated in rate_all(read_puzzles(lines, str(file)))]
    theirs = [float(row[column]) for row in rows]
    click.echo(f"{len(ours):,} puzzles, rank correlation {correlate(ours, theirs):.3f}")
    if weight is not None:
        weights = [float(row[weight]) for row in rows]
        click.echo(f"weighted by {weight}: {correlate(ours, theirs, weights):.3f}")
    met: dict[float, list[float]] = defaultdict(list)
    for number, public in zip(ours, theirs, strict=True):
        met[number].append(public)
    click.echo(
        "\n| rating | level | puzzles | from | middle half | to |\n|---|---|---|---|---|---|"
    )
    for number, publics in sorted(met.items()):
        own = Rating(None if number == math.inf else int(number))
        publics.sort()
        quarter = (len(publics) - 1) // 4
        click.echo(
            f"| {'-' if own.number is None else own.number} | {own.level.value} | {len(publics)} "
            f"| {publics[0]} | {publics[quarter]} to {publics[-1 - quarter]} | {publics[-1]} |"
        )


def correlate(
    one: Sequence[float], other: Sequence[float], weights: Sequence[float] | None = None
) -> float:
    """Return Spearman's rank correlation; equal values share the mean of their ranks.

    A puzzle of weight w counts like w puzzles with the same values.
    """
    weights = weights or [1.0] * len(one)
    total = sum(weights)
    x, y = _centred_ranks(one, weights), _centred_ranks(other, weights)

    def covariance(a: Sequence[float], b: Sequence[float]) -> float:
        return sum(w * p * q for w, p, q in zip(weights, a, b, strict=True)) / total

    return covariance(x, y) / math.sqrt(covariance(x, x) * covariance(y, y))


def _centred_ranks(values: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Return the ranks minus their mean, which is half of the total weight."""
    weight_of: dict[float, float] = defaultdict(float)
    for value, weight in zip(values, weights, strict=True):
        weight_of[value] += weight
    rank_of, below = {}, 0.0
    for value in sorted(weight_of):
        rank_of[value] = below + weight_of[value] / 2
        below += weight_of[value]
    return [rank_of[value] - below / 2 for value in values]


def _number_of(own: Rating | None) -> float:
    """Return the number to compare; a puzzle without a number comes last."""
    if own is None:
        raise click.ClickException("a puzzle has not one solution, so it has no rating")
    return math.inf if own.number is None else own.number
