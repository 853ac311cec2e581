"""Clones: two shapes of cells that hold the same digits at the same places."""

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.cell_lists import read_cells, write_cells
from satdoku.puzzle.rules.pair_rule import Edge, PairRule
from satdoku.puzzle.rules.rule import Rule


@dataclass(frozen=True)
class Clone(PairRule):
    """The cells of a shape hold the same digits as those of another, one by one."""

    name: ClassVar[str] = "clone"
    example: ClassVar[str] = "r1c1,r1c2=r3c3,r4c4"
    form: ClassVar[str] = "CELLS=OTHERS"
    counts: ClassVar[bool] = False
    parts = MappingProxyType(
        {"CELLS": "the cells of a shape", "OTHERS": "those that hold the same, in the same order"}
    )
    why: ClassVar[str] = "but these shapes are clones"
    says: ClassVar[str] = "{} and {} are equal, at the same place of clones"

    shape: tuple[int, ...]
    copy: tuple[int, ...]

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        first, sign, second = argument.partition("=")
        if not sign:
            raise SatdokuError(f"a second shape is missing, as in {cls.example}")
        return cls(read_cells(first, geometry), read_cells(second, geometry))

    def argument(self, geometry: Geometry) -> str:
        return f"{write_cells(self.shape, geometry)}={write_cells(self.copy, geometry)}"

    def require_fit(self, geometry: Geometry) -> None:
        if len(self.shape) != len(self.copy):
            raise SatdokuError(
                f"a shape of {len(self.shape)} cells is no clone of one with {len(self.copy)}"
            )
        for cell, other in zip(self.shape, self.copy, strict=True):
            if cell == other:
                raise SatdokuError(f"{geometry.name_of(cell)} is its own clone")

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one != other

    def edges(self, geometry: Geometry) -> Sequence[Edge]:
        return tuple(zip(self.shape, self.copy, strict=True))

    def sentence(self, geometry: Geometry) -> str:
        return (
            f"{write_cells(self.shape, geometry)} and {write_cells(self.copy, geometry)} hold "
            "the same digits, one by one"
        )
