"""A value is a frozen dataclass to whoever uses it, although nothing was generated for it."""

import dataclasses
import inspect
import pickle
from collections.abc import Iterable
from dataclasses import FrozenInstanceError, dataclass, field
from typing import Any, cast

import pytest

from satdoku.puzzle.value import value


@value(frozen=True)
class Made:
    first: int
    second: str = "x"
    third: list[int] = field(default_factory=list, compare=False)
    last: int = field(default=3, kw_only=True, repr=False)

    def __post_init__(self) -> None:
        if self.first < 0:
            raise ValueError("negative")


@dataclass(frozen=True)
class Usual:
    first: int
    second: str = "x"
    third: list[int] = field(default_factory=list, compare=False)
    last: int = field(default=3, kw_only=True, repr=False)


@value(frozen=True)
class Further(Made):
    more: bool = False


@dataclass(frozen=True)
class Inherited(Made):
    more: bool = False


ARGUMENTS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((1,), {}),
    ((1, "y", [2]), {"last": 4}),
    ((), {"second": "z", "first": 7}),
]


@pytest.mark.parametrize(("args", "named"), ARGUMENTS)
def test_it_is_made_and_shown_as_a_dataclass_is(
    args: tuple[Any, ...], named: dict[str, Any]
) -> None:
    made, usual = Made(*args, **named), Usual(*args, **named)
    assert dataclasses.asdict(made) == dataclasses.asdict(usual)
    assert repr(made) == repr(usual).replace("Usual", "Made")
    for mine, its in zip(*map(_parameters, (Made, Usual)), strict=True):
        assert (mine.name, mine.kind, mine.annotation) == (its.name, its.kind, its.annotation)


@pytest.mark.parametrize(
    ("args", "named"),
    [((), {}), ((1, "y", [], 4), {}), ((1,), {"first": 1}), ((1,), {"unknown": 1})],
)
def test_what_a_dataclass_refuses_is_refused(args: tuple[Any, ...], named: dict[str, Any]) -> None:
    for kind in (Made, Usual):
        with pytest.raises(TypeError):
            kind(*args, **named)


def _parameters(kind: type) -> Iterable[inspect.Parameter]:
    return inspect.signature(kind).parameters.values()


def test_it_is_compared_by_its_fields_and_its_class() -> None:
    assert Made(1, third=[1]) == Made(1, third=[2])
    assert hash(Made(1, third=[1])) == hash(Made(1))
    assert Made(1) != Made(1, last=4)
    assert Made(1) != cast(object, Usual(1))
    assert Further(1) != Made(1)


@pytest.mark.parametrize("made", [Made(1), Further(1), Inherited(1)])
def test_it_does_not_change_and_travels(made: Made) -> None:
    with pytest.raises(FrozenInstanceError):
        made.first = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del made.first
    assert pickle.loads(pickle.dumps(made)) == made
    assert dataclasses.replace(made, second="y") == type(made)(1, "y")
    with pytest.raises(ValueError, match="negative"):
        dataclasses.replace(made, first=-1)


def test_no_code_is_generated_for_a_class_that_inherits() -> None:
    """Generating it takes as long as importing five small modules."""
    methods = ("__init__", "__eq__", "__hash__", "__setattr__", "__delattr__")
    assert {getattr(Further, name).__code__.co_filename for name in methods} == {
        inspect.getfile(value)
    }


def test_it_matches_by_position_and_keeps_the_order_of_its_fields() -> None:
    match Further(1, "y", more=True):
        case Further(first, second, _, more):
            assert (first, second, more) == (1, "y", True)
    assert [each.name for each in dataclasses.fields(Further)] == [
        *(each.name for each in dataclasses.fields(Usual)),
        "more",
    ]
