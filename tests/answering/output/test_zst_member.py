"""Members of a .zst file: whole ones are read, anything else is none."""

import random

import pytest

from satdoku.answering.output.zst_member import ZstandardError, ZstandardMember, compress_member

pytest.importorskip("pyarrow")

TEXTS = [b"", b"1 unique\n", b"x" * 200_000, random.Random(1).randbytes(300_000)]


@pytest.mark.parametrize("text", TEXTS, ids=["empty", "short", "run of a byte", "several blocks"])
def test_a_member_is_read_in_pieces_up_to_its_end(text: bytes) -> None:
    data = compress_member(text) + b"rest"
    member, found, size = ZstandardMember(), b"", max(1, len(data) // 7)
    for begin in range(0, len(data), size):
        found += member.decompress(data[begin : begin + size])
        if member.eof:
            break
    assert found == text
    assert member.unused_data == data[len(data) - 4 :][: len(member.unused_data)]
    assert member.eof


def test_a_member_that_is_cut_does_not_end() -> None:
    data = compress_member(b"1 unique\n" * 9)
    for end in range(len(data)):
        member = ZstandardMember()
        assert member.decompress(data[:end]) == b""
        assert not member.eof


def test_a_changed_member_is_none() -> None:
    data = compress_member(b"1 unique\n" * 9)
    for place in range(len(data)):
        changed = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        member = ZstandardMember()
        try:
            assert member.decompress(changed) == b""
        except ZstandardError:
            continue
        assert not member.eof
