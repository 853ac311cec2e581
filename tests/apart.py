"""Work in a copy of this process, for tests that would leave something behind in it."""

import multiprocessing
import traceback
from collections.abc import Callable
from functools import partial, wraps
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeVar

import pytest

P = ParamSpec("P")
T = TypeVar("T")


def in_a_copy(work: Callable[[], T]) -> T:
    """What a function returns in a copy of this process; the test fails if it fails there.

    A copy is there in a few milliseconds, where a new program has to import everything again.
    """
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_report, args=(theirs, work))
    child.start()
    theirs.close()
    with ours:
        try:
            value, fault = ours.recv()
        except EOFError:
            value, fault = None, "its process died"
    child.join()
    child.close()
    if fault:
        pytest.fail(fault, pytrace=False)
    result: T = value
    return result


def apart(test: Callable[P, None]) -> Callable[P, None]:
    """Has a test run in a copy of this process; its fixtures are made here.

    A client of Dask leaves threads behind. With them here, all later tests would start their
    workers as new programs and not as copies (`processes.start_method`), which takes half a second
    for each. It leaves sockets too, of which the garbage collector would warn in another test.
    """

    @wraps(test)
    def run_there(*args: P.args, **named: P.kwargs) -> None:
        in_a_copy(partial(test, *args, **named))

    return run_there


def _report(connection: Connection, work: Callable[[], Any]) -> None:
    try:
        answer = work(), ""
    except BaseException:
        answer = None, traceback.format_exc()
    connection.send(answer)
