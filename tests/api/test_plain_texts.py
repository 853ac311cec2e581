"""A text of nothing but cells is read by a short way, to the same puzzle as by the long one."""

import threading

import pytest

import satdoku
from satdoku.notation.reading import read_puzzles
from tests.each import for_each

PLAIN = [
    "1.....2..3.....4",
    "1000002003000004",
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "." * 36,
    "." * 81,
    "11" + "." * 79,
]


@for_each("text", PLAIN)
def test_both_ways_read_the_same_puzzle(text: str) -> None:
    (expected,) = read_puzzles([text])
    found = satdoku.parse(text)
    assert (found, found.symbols) == (expected, expected.symbols)


@pytest.mark.parametrize("text", ["1.....2..3.....4 named", "1...\n..2.\n.3..\n...4"])
def test_other_texts_take_the_long_way(text: str) -> None:
    (expected,) = read_puzzles(text.splitlines())
    found = satdoku.parse(text)
    assert (found, found.symbols) == (expected, expected.symbols)


def test_what_the_caller_says_of_the_text_is_heeded() -> None:
    assert satdoku.parse("." * 16, rules=["anti-knight"]).further_rules
    assert satdoku.parse("A" + "." * 15, alphabet="ABCD").symbols == tuple("ABCD")
    assert satdoku.parse("." * 36, box=satdoku.Geometry(3, 2)).geometry == satdoku.Geometry(3, 2)


def test_threads_answer_alike() -> None:
    expected = [satdoku.check(text).solutions for text in PLAIN]
    answers: list[object] = []

    def ask() -> None:
        answers.append([satdoku.check(text).solutions for text in PLAIN])

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [expected] * 4
