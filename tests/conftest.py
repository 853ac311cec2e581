"""Options of the test suite, and what holds for all of it."""

import gc
import os
import signal

import pytest
from hypothesis import settings

from satdoku.batch.run import available_processors

# A deadline would fail on a busy machine. `--hypothesis-profile default` tries three times as many.
settings.register_profile("quick", deadline=None, max_examples=33)
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


def pytest_configure() -> None:
    """Sets up what the programs inherit that tests start.

    Images of Python often say that compiled modules are not to be kept. Then each of hundreds of
    programs would compile two hundred modules anew.

    A shell has what it starts in the background ignore Ctrl-C, and `nohup` hang-ups.

    Programs inherit that, also those that tests start to send them these signals. A signal with a
    handler, even one that does nothing, means to a new program what it usually does.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: None)


def pytest_collection_finish() -> None:
    """Thousands of tests and their modules stay to the end, and need not be looked at for garbage.

    A copy of this process, as workers are, would have to copy all of them for that.
    """
    gc.collect()
    gc.freeze()
