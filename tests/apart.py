"""Tests that leave something behind in the process in which they run."""

import multiprocessing
import traceback
from collections.abc import Callable
from functools import wraps
from multiprocessing.connection import Connection
from typing import ParamSpec

import pytest

P = ParamSpec("P")


def apart(test: Callable[P, None]) -> Callable[P, None]:
    """Has a test run in a copy of this process, which ends with it; its fixtures are made here.

    A client of Dask leaves threads behind. With them here, all later tests would start their
    workers as new programs and not as copies (`processes.start_method`), which takes half a second
    for each. It leaves sockets too, of which the garbage collector would warn in another test.
    """

    @wraps(test)
    def run_there(*args: P.args, **named: P.kwargs) -> None:
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe(duplex=False)
        child = context.Process(target=_report, args=(theirs, lambda: test(*args, **named)))
        child.start()
        theirs.close()
        with ours:
            try:
                fault = ours.recv()
            except EOFError:
                fault = "its process died"
        child.join()
        child.close()
        if fault:
            pytest.fail(fault, pytrace=False)

    return run_there


def _report(connection: Connection, test: Callable[[], None]) -> None:
    """Sends how a test failed, or nothing."""
    try:
        test()
    except BaseException:
        connection.send(traceback.format_exc())
    else:
        connection.send("")
