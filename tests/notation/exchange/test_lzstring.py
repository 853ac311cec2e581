from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from satdoku.errors import FormatError
from satdoku.notation.exchange.lzstring import pack, unpack
from satdoku.notation.exchange.seen import LONGEST_PACKED
from tests.notation.exchange.boards import bomb
from tests.notation.samples import LINE
from tests.strategies import CHARACTERS


@given(st.text(CHARACTERS, max_size=30) | st.text("ab{:", max_size=90))
@example("")
@example("é" * 300)
@example("\u00ff\u0100\u012b")
@example("\U0001f600\u1234\ud800")
def test_what_is_packed_is_unpacked(text: str) -> None:
    assert unpack(pack(text)) == text


@pytest.mark.parametrize(
    ("text", "packed"),
    [("", "Q==="), ("a", "IZA="), ("hello", "BYUwNmD2Q===")],
)
def test_it_is_what_lzstring_writes(text: str, packed: str) -> None:
    assert (pack(text), unpack(packed)) == (packed, text)


def test_signs_that_addresses_change_are_understood() -> None:
    texts = (f"{LINE}{number**9}" for number in range(1000))
    packed = next(each for each in map(pack, texts) if "+" in each and "/" in each)
    for changed in (packed.replace("+", " "), packed.replace("/", "_"), packed.rstrip("=")):
        assert unpack(changed) == unpack(packed)


def test_a_text_that_breaks_off_anywhere_is_a_fault() -> None:
    packed = pack(f'{{"grid": "{LINE}"}}').rstrip("=")
    for end in range(len(packed) - 2):
        with pytest.raises(FormatError, match="ends before its puzzle does"):
            unpack(packed[:end])


@given(st.text("ABCDEFGHabcdefgh0123456789+/", max_size=80))
def test_whatever_comes_is_a_text_or_a_fault(packed: str) -> None:
    with suppress(FormatError):
        assert isinstance(unpack(packed), str)


def test_a_bomb_is_stopped() -> None:
    with pytest.raises(FormatError, match="more than 1,048,576 characters; no board has"):
        unpack(bomb())


def test_a_text_of_megabytes_is_not_looked_at() -> None:
    with pytest.raises(FormatError, match="has 5,000,000 characters; up to 1,048,576 are read"):
        unpack("N" * 5_000_000)
    with pytest.raises(FormatError):
        unpack("N4Ig" * (LONGEST_PACKED // 4))


def test_a_sign_that_no_packed_text_has_is_named() -> None:
    with pytest.raises(FormatError, match=r"'!' is no sign of a packed text"):
        unpack("N4!g")
