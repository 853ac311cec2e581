"""One test for many values, where to check one takes less time than a test of its own."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

# `pytest.raises` fails with what is no Exception, and a value that skips would skip all others.
_FAULTS = (Exception, pytest.fail.Exception, pytest.skip.Exception)


def for_each(names: str, values: Iterable[Any]) -> Callable[[Callable[..., None]], Any]:
    """Has a test try all values, and fail with the first fault and the values that have one.

    It is written as `parametrize` is, with several names between commas. Fixtures are made once, so
    a test that changes what it is given is none for this. To find, start and report a test takes
    some milliseconds of each worker.
    """
    keys = [name.strip() for name in names.split(",")]
    cases = [dict(zip(keys, [value] if len(keys) == 1 else value, strict=True)) for value in values]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def test_of_all(**fixtures: Any) -> None:
            faults: list[tuple[dict[str, Any], BaseException]] = []
            for case in cases:
                try:
                    test(**fixtures, **case)
                except _FAULTS as fault:
                    faults.append((case, fault))
            if faults:
                shown = "; ".join(_shown(case) for case, _ in faults[:20])
                message = f"{len(faults)} of {len(cases)} fail: {shown}"
                raise AssertionError(message) from faults[0][1]

        signature = inspect.signature(test)
        others = [each for name, each in signature.parameters.items() if name not in keys]
        assert len(others) == len(signature.parameters) - len(keys), keys
        test_of_all.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        del test_of_all.__wrapped__  # pytest would ask for its parameters
        return test_of_all

    return decorate


def _shown(case: dict[str, Any]) -> str:
    """A case with each of its values, of a long one the two ends."""
    shortened = (
        f"{name}={text if len(text) <= 200 else f'{text[:120]} ... {text[-60:]}'}"
        for name, text in ((name, repr(value)) for name, value in case.items())
    )
    return ", ".join(shortened)
