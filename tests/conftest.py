"""Options of the test suite, and what holds for all of it."""

import gc
import importlib
import os
import signal
import sys
from contextlib import suppress
from functools import partial
from typing import Any

import pytest

# Its plugins are loaded by its import: one imports trio, which selenium needs and no test of ours.
os.environ["HYPOTHESIS_NO_PLUGINS"] = "1"
from hypothesis import settings

from satdoku.batch.run import available_processors
from tests import crossing

# A deadline would fail on a busy machine. The weekly workflow tries ten times as many, with
# `--hypothesis-profile default`.
settings.register_profile("quick", deadline=None, max_examples=10)
settings.load_profile("quick")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--regenerate-golden",
        action="store_true",
        help="Write the texts in tests/golden anew, to be read before they are committed.",
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: some tests wait for other programs, or for a limit."""
    return available_processors() + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Has each worker run neighbouring tests, until it is done and takes some of another one's.

    So what tests of a folder share, such as imports, explained puzzles, a server or a browser, is
    not made by each worker.
    """
    if config.getoption("dist") != "load":
        return None
    return importlib.import_module("xdist.scheduler").WorkStealingScheduling(config, log)


def pytest_configure(config: pytest.Config) -> None:
    """Sets up what the programs inherit that tests start.

    Images of Python often say that compiled modules are not to be kept. Then each of hundreds of
    programs would compile two hundred modules anew, and each worker all tests.

    A shell has what it starts in the background ignore Ctrl-C, and `nohup` hang-ups.

    Programs inherit that, also those that tests start to send them these signals. A signal with a
    handler, even one that does nothing, means to a new program what it usually does.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    gc.disable()  # Nothing is garbage until all tests are found.
    try_no_constants_of_sources()
    crossing.keeps_slow = config.option.markexpr != "not slow"
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: None)


def try_no_constants_of_sources() -> None:
    """Keeps Hypothesis from parsing all modules of ours for constants to try.

    That takes each worker seconds, more with each module that is imported later. There is no
    setting for it; where a version of Hypothesis has another name for it, tests are slower.
    """
    with suppress(ImportError):
        names = vars(importlib.import_module("hypothesis.internal.conjecture.providers"))
        if "_get_local_constants" in names:
            names["_get_local_constants"] = partial(names.get, "_local_constants")


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Has each worker begin with other modules of tests than the others do.

    In a new checkout they must be compiled, with what pytest adds to each `assert`: five seconds
    for all. So nearly each is compiled by one worker, and the others find it compiled.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is None:
        return
    root = session.config.rootpath
    folders = [root / argument for argument in session.config.args]
    files = sorted(path for folder in folders for path in folder.rglob("test_*.py"))
    first = len(files) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    for path in (*files[first:], *files[:first]):
        # What is wrong with a module is told when its tests are looked for.
        with suppress(Exception, pytest.skip.Exception):
            importlib.import_module(".".join(path.relative_to(root).with_suffix("").parts))


def pytest_collection_finish() -> None:
    """Thousands of tests and their modules stay to the end, and need not be looked at for garbage.

    A copy of this process, as workers are, would have to copy all of them for that.
    """
    gc.enable()
    gc.collect()
    gc.freeze()
    # At the usual thresholds a tenth of the time goes into a search for what is hardly there.
    gc.set_threshold(20_000, 20, 50)
