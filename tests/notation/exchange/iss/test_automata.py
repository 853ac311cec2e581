"""Automata, packed here by other means than the ones that unpack them."""

import base64
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.errors import RuleError
from satdoku.notation.exchange.iss.automata import Automata
from satdoku.notation.exchange.iss.reading import read_iss
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.rules.automaton import read_automaton
from satdoku.puzzle.rules.registry import read_rule
from tests.each import for_each

Ways = list[list[tuple[int, int]]]

# Two states, the first of which begins and may end; digits are counted from 0.
EVEN: Ways = [[(0, 1), (1, 0), (2, 1), (3, 0)], [(0, 0), (1, 1), (2, 0), (3, 1)]]


def pack(bits: str) -> str:
    data = bytes(int(bits[at : at + 8].ljust(8, "0"), 2) for at in range(0, len(bits), 8))
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def head(form: int, starts: int = 1, ends: int = 0, which: str = "1", bits: int = 1) -> str:
    numbers = f"{form:02b}{bits - 1:04b}{3:04b}{starts:0{bits}b}{ends:0{bits}b}"
    return numbers + which


def dense(ways: Ways, bits: int = 1) -> str:
    found = ""
    for state in ways:
        known = sum(1 << digit for digit, _ in state)
        found += f"{known:04b}" + "".join(f"{behind:0{bits}b}" for _, behind in state)
    return found


def sparse(ways: Ways, bits: int = 1) -> str:
    found = f"{3:04b}"
    for state in ways:
        found += f"{len(state):03b}"
        found += "".join(f"{digit:02b}{behind:0{bits}b}" for digit, behind in state)
    return found


BOARD = Geometry(2, 2)


def unpacked(text: str, lowest: int = 1) -> str:
    [argument] = Automata(lowest).read([text, "R1C1"], BOARD)
    return argument.removeprefix("r1c1:")


def written(automaton: str, lowest: int) -> str:
    [[text, *_]] = Automata(lowest).write(f"r1c1:{automaton}", BOARD)
    return text


@pytest.mark.parametrize(
    "packed", [pack(head(1) + dense(EVEN)), pack(head(0) + sparse(EVEN))], ids=["dense", "sparse"]
)
def test_both_forms_are_unpacked(packed: str) -> None:
    assert unpacked(packed).startswith("@!13>1,24>0;13>0,24>1")
    assert unpacked(packed, 0).startswith("@!02>1,13>0;02>0,13>1")
    (rule,) = read_iss(f".Shape~4x4.NFA~{packed}~~R1C1~R1C2").puzzle().rule_texts
    assert rule.startswith("machine:r1c1,r1c2:@!13>1,24>0;13>0,24>1")


def test_names_come_along_and_back() -> None:
    """Of a name there are letters and digits, with one sign for whatever is between."""
    packed = pack(head(1) + dense(EVEN))
    text = f".Shape~4x4.NFA~{packed}~_An%20even%7C%20count~R1C1~R1C2~_~R2C1~R2C2"
    named, unnamed = read_iss(text).puzzle().rule_texts
    assert named.startswith("machine:r1c1,r1c2:@An_even_count:!13>1")
    assert unnamed.startswith("machine:r2c1,r2c2:@!13>1")
    rule, _ = (read_rule(each, Geometry(2, 2)) for each in (named, unnamed))
    sentence = 'the digits of r1c1,r1c2 follow the rule "An even count"'
    assert rule.sentence(Geometry(2, 2)) == sentence
    [[back, name, *_]] = Automata().write(named.removeprefix("machine:"), BOARD)
    assert unpacked(back) == unpacked(packed)
    assert name == "_An%20even%20count"


def test_several_beginnings_become_one() -> None:
    ways: Ways = [[(0, 2)], [(1, 2)], []]
    packed = pack(head(1, starts=2, ends=1, which="00", bits=2) + dense(ways, 2))
    assert unpacked(packed) == "@12>1;!"


@for_each("which, ends", [("00", ""), ("01", "1"), ("10", "2"), ("11", "12")])
def test_which_beginnings_may_end_is_told_from_the_last_one_on(which: str, ends: str) -> None:
    packed = pack(head(1, starts=2, which=which, bits=2) + dense([[(0, 0)], [(1, 1)]], 2))
    text = unpacked(packed)
    assert text.startswith("@!") == bool(ends)
    automaton = read_automaton(text, range(1, 5))
    assert [digit for digit in range(1, 5) if automaton.accepts([digit])] == [*map(int, ends)]


@for_each(
    "packed, fault",
    [
        ("", "is cut short"),
        ("!", "'!' is no packed automaton"),
        (pack(head(1) + dense(EVEN))[:2], "is cut short"),
        (pack(head(3)), "or of another form"),
        (pack("01" + "0000" + "1111" + "1" * 20), "this automaton is of 16 digits"),
        ("A" * 30_000, "satdoku does not read an automaton of 30,000 characters"),
    ],
)
def test_faults_are_told(packed: str, fault: str) -> None:
    with pytest.raises(RuleError) as caught:
        unpacked(packed)
    assert fault in str(caught.value)


@given(
    st.lists(
        st.tuples(st.booleans(), st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)))),
        min_size=5,
        max_size=5,
    ),
    st.integers(0, 1),
)
def test_automata_come_back(states: list[tuple[bool, list[tuple[int, int]]]], lowest: int) -> None:
    text = "@" + ";".join(
        ("!" if is_end else "") + ",".join(f"{digit + lowest}>{to}" for digit, to in ways)
        for is_end, ways in states
    )
    once = unpacked(written(text, lowest), lowest)
    assert unpacked(written(once, lowest), lowest) == once
    digits = range(lowest, lowest + 4)
    one, other = read_automaton(text, digits), read_automaton(once, digits)
    for line in product(digits, repeat=4):
        assert one.accepts(line) == other.accepts(line)


# Reads 1s, then from each break on 2s where it read 1s before, and 1s where it read 2s; the fifth
# sign is the break. Digits are counted from 0.
TURNS: Ways = [[(0, 0), (4, 1)], [(1, 1), (4, 0)]]


_TURNS = pack(
    "01"
    + "0000"
    + "0100"
    + "11"
    + "1"
    + "".join(
        f"{sum(1 << sign for sign, _ in state):05b}" + "".join(str(to) for _, to in state)
        for state in TURNS
    )
)


def _taken(cells: str, packed: str = _TURNS) -> list[str]:
    """The lines of digits that the rule for cells with breaks takes; each stands for a cell."""
    (argument,) = Automata().read([packed, *cells.split("~")], BOARD)
    names, _, text = argument.partition(":")
    automaton, count = read_automaton(text, range(1, 5)), names.count(",") + 1
    lines = product(range(1, 5), repeat=count)
    return ["".join(map(str, line)) for line in lines if automaton.accepts(line)]


@for_each(
    "cells, lines",
    [
        ("R1C1~R1C2", ["11"]),
        ("R1C1~R1C2~-~R2C1", ["112"]),
        ("-~R1C1~R1C2", ["22"]),
        ("-~-~R1C1", ["1"]),
        ("R1C1~-~R1C2~-~R2C2", ["121"]),
        ("R1C1~-~-~R1C2~-", ["11"]),
        ("R1C1~R1C1~R1C2", ["11"]),
        ("R1C1~R1C1~-~R1C2", ["12"]),
    ],
)
def test_lines_have_segments_and_cells_that_stand_there_again(cells: str, lines: list[str]) -> None:
    assert _taken(cells) == lines


def test_a_cell_twice_in_a_row_is_read_twice() -> None:
    even = pack(head(1) + dense(EVEN))
    assert _taken("R1C1", even) == ["2", "4"]
    assert _taken("R1C1~R1C1", even) == ["1", "2", "3", "4"]
    with pytest.raises(RuleError, match="25001 cells takes too many states"):
        _taken("~".join(["R1C1"] * 25_001), even)


def test_states_behind_a_break_are_none_of_a_line_without() -> None:
    assert unpacked(_TURNS) == "@!1>0"


def test_a_line_of_breaks_is_refused() -> None:
    with pytest.raises(RuleError, match="NFA 1: cells are missing"):
        read_iss(f".Shape~4x4.NFA~{pack(head(1) + dense(EVEN))}~-~-")


@for_each("seed", range(40))
def test_a_cell_that_is_read_again_has_its_digit_again(seed: int) -> None:
    """A line may come back to a cell, as loops do, and have breaks: `-` is the symbol 5."""
    rng = Random(seed)
    states = rng.randint(1, 4)
    ways: Ways = [
        [(sign, rng.randrange(states)) for sign in range(5) if rng.random() < 0.7]
        for _ in range(states)
    ]
    line = [rng.choice(["R1C1", "R1C2", "R2C1", "-"]) for _ in range(rng.randint(2, 6))]
    once = list(dict.fromkeys(name for name in line if name != "-"))
    if not once or not any(ways):
        return
    bits = 2
    packed = pack(
        f"{1:02b}{bits - 1:04b}{4:04b}{1:0{bits}b}{0:0{bits}b}1"
        + "".join(
            f"{sum(1 << sign for sign, _ in state):05b}"
            + "".join(f"{behind:0{bits}b}" for _, behind in state)
            for state in ways
        )
    )
    [argument] = Automata(1).read([packed, *line], BOARD)
    cells, _, text = argument.partition(":")
    assert len(cells.split(",")) == len(once)
    read = read_automaton(text, range(1, 5))
    for digits in product(range(1, 5), repeat=len(once)):
        value = dict(zip(once, digits, strict=True))
        state: int | None = 0
        for name in line:
            sign = 4 if name == "-" else value[name] - 1
            state = None if state is None else dict(ways[state]).get(sign)
        assert read.accepts(digits) == (state == 0)
