"""One test for many values, where to check one takes less time than a test of its own."""

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

# `pytest.raises` fails with what is no Exception.
_FAULTS = (Exception, pytest.fail.Exception)


def for_each(names: str, values: Iterable[Any]) -> Callable[[Callable[..., None]], Any]:
    """Has a test try all values, and fail with the first fault and the values that have one.

    Where none has, it is skipped if a value is, such as one that needs a program; it says how many.
    It is written as `parametrize` is, with several names between commas. Each value has an empty
    `tmp_path`, a `monkeypatch` and a `capsys` of its own; other fixtures are made once, so a test
    that changes what they give is none for this. To find, start and report a test takes some
    milliseconds of each worker.
    """
    keys = [name.strip() for name in names.split(",")]
    cases = [dict(zip(keys, [value] if len(keys) == 1 else value, strict=True)) for value in values]

    # With its marks it would be a value like any other, and always true.
    marked = type(pytest.param())
    assert not any(isinstance(value, marked) for case in cases for value in case.values()), names

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def test_of_all(**fixtures: Any) -> None:
            faults: list[tuple[dict[str, Any], BaseException]] = []
            skips: list[str] = []
            for number, case in enumerate(cases):
                try:
                    with _fresh(fixtures, number) as own:
                        test(**own, **case)
                except pytest.skip.Exception as skip:
                    skips.append(str(skip))
                except _FAULTS as fault:
                    faults.append((case, fault))
            if faults:
                shown = "; ".join(_shown(case) for case, _ in faults[:20])
                message = f"{len(faults)} of {len(cases)} fail: {shown}"
                raise AssertionError(message) from faults[0][1]
            if skips:
                pytest.skip(f"{len(skips)} of {len(cases)}: {skips[0]}")

        signature = inspect.signature(test)
        others = [each for name, each in signature.parameters.items() if name not in keys]
        assert len(others) == len(signature.parameters) - len(keys), keys
        test_of_all.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        del test_of_all.__wrapped__  # pytest would ask for its parameters
        return test_of_all

    return decorate


@contextmanager
def _fresh(fixtures: dict[str, Any], number: int) -> Iterator[dict[str, Any]]:
    """The fixtures of one value, where another one could be in its way."""
    own = dict(fixtures)
    if "tmp_path" in own:
        own["tmp_path"] = own["tmp_path"] / str(number)
        own["tmp_path"].mkdir()
    if "capsys" in own:
        own["capsys"].readouterr()
    with pytest.MonkeyPatch.context() as patches:
        if "monkeypatch" in own:
            own["monkeypatch"] = patches
        yield own


def _shown(case: dict[str, Any]) -> str:
    """A case with each of its values, of a long one the two ends."""
    shortened = (
        f"{name}={text if len(text) <= 200 else f'{text[:120]} ... {text[-60:]}'}"
        for name, text in ((name, repr(value)) for name, value in case.items())
    )
    return ", ".join(shortened)
