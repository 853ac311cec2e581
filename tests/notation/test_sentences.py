"""Sentences are told from cells, and remarks from the names of columns."""

from satdoku.notation.sentences import is_remark, is_sentence


def test_sentences_have_words_and_no_cells() -> None:
    assert is_sentence("Who can help me")
    assert is_sentence("Thanks!")
    assert not is_sentence("ABCD.EFG")
    assert not is_sentence("board = [[8, None, None]]")
    assert not is_sentence("53..7.... by my aunt")


def test_a_remark_ends_with_a_mark() -> None:
    assert is_remark("here is mine:")
    assert not is_remark("here is mine")
