"""A test that runs in a copy of this process can fail there."""

import os
import threading

import pytest

from tests.apart import apart, in_a_copy


@apart
def fail(reason: str) -> None:
    raise AssertionError(reason)


@apart
def die() -> None:
    os._exit(0)


@apart
def leave_a_thread() -> None:
    threading.Thread(target=threading.Event().wait, daemon=True).start()
    assert threading.active_count() > 1


def test_a_failure_is_told_with_its_place() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"(?s)test_apart.*AssertionError: broken"):
        fail("broken")


def test_a_copy_that_died_has_failed() -> None:
    with pytest.raises(pytest.fail.Exception, match="died"):
        die()


def test_what_it_leaves_behind_goes_with_it() -> None:
    before = threading.active_count()
    leave_a_thread()
    assert threading.active_count() == before


def test_its_answer_comes_back() -> None:
    assert in_a_copy(os.getpid) not in (None, os.getpid())
