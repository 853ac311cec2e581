"""QR codes against figures of the standard, and one symbol that another encoder draws alike."""

from xml.etree import ElementTree

import pytest

from satdoku.errors import SatdokuError
from satdoku.picture import qr
from satdoku.picture.documents import write_svg
from satdoku.picture.figure import code_figure
from satdoku.picture.qr import qr_code
from tests.each import for_each

SATDOKU = [
    "#######..##.#.#######",
    "#.....#.####..#.....#",
    "#.###.#..#.#..#.###.#",
    "#.###.#..###..#.###.#",
    "#.###.#.#.#.#.#.###.#",
    "#.....#..#..#.#.....#",
    "#######.#.#.#.#######",
    "...........##........",
    "#.#.#.#...##....#..#.",
    ".#...#...#....##.#.##",
    "###.#.##..#.#...#####",
    "#..##..#......#.....#",
    "#...###..#..#.####..#",
    "........####.#..#...#",
    "#######...##.####.###",
    "#.....#....###..#...#",
    "#.###.#.#..#.##....##",
    "#.###.#..#....###..#.",
    "#.###.#.#...#..##.#.#",
    "#.....#..#....#.#..#.",
    "#######.#.#.#.##...##",
]


def test_a_symbol_is_as_others_draw_it() -> None:
    assert ["".join(".#"[module] for module in row) for row in qr_code("satdoku")] == SATDOKU


def test_corrections_are_those_of_the_standard() -> None:
    data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17]
    assert [*qr._correct(bytes(data), 10)] == [196, 35, 39, 119, 235, 215, 231, 226, 93, 23]
    assert qr._with_check(0b01000, qr._FORMAT_CODE) ^ qr._FORMAT_MASK == 0b111011111000100
    assert qr._with_check(7, qr._VERSION_CODE) == 0b000111110010010100


# How many bytes the standard says that a symbol holds, at the levels M and L.
@for_each(
    "version, medium, low",
    [(1, 14, 17), (2, 26, 32), (5, 84, 106), (7, 122, 154), (10, 213, 271), (20, 666, 858),
     (40, 2331, 2953)],
)  # fmt: skip
def test_a_symbol_holds_what_the_standard_says(version: int, medium: int, low: int) -> None:
    header = 4 + (16 if version > 9 else 8)
    for level, most in ((qr._MEDIUM, medium), (qr._LOW, low)):
        assert (8 * qr._data_count(version, level) - header) // 8 == most
    assert qr._smallest(low) == (version, qr._LOW)
    assert version == 40 or qr._smallest(low + 1)[0] == version + 1


def test_a_text_that_no_symbol_holds_is_refused() -> None:
    with pytest.raises(SatdokuError, match="2,953"):
        qr_code("x" * 2954)


@for_each("length", [1, 60, 300, 700])
def test_a_symbol_is_read_back(length: int) -> None:
    text = "".join(chr(97 + n * n % 26) for n in range(length))
    assert _read(qr_code(text)) == text


def _read(code: qr.Modules) -> str:
    """Read the data of a symbol without faults: undo the mask, join the blocks, cut the text."""
    version = (len(code) - 17) // 4
    places = [(8, at) for at in (0, 1, 2, 3, 4, 5, 7, 8)] + [
        (at, 8) for at in (7, 5, 4, 3, 2, 1, 0)
    ]
    found = int("".join(str(int(code[row][column])) for row, column in places), 2) ^ 0x5412
    level = next(each for each in (qr._LOW, qr._MEDIUM) if each.bits == found >> 13)
    inverts = qr._MASKS[found >> 10 & 7]
    free = qr._Symbol(version, b"", level, 0)._free_modules()
    bits = [code[row][column] ^ (not inverts(row, column)) for row, column in free]
    words = [int("".join("01"[b] for b in bits[at : at + 8]), 2) for at in range(0, len(bits), 8)]
    count, blocks = qr._data_count(version, level), level.blocks[version - 1]
    short, longer = divmod(count, blocks)
    parts: list[list[int]] = [[] for _ in range(blocks)]
    order = [n for _ in range(short) for n in range(blocks)] + [*range(blocks - longer, blocks)]
    for number, word in zip(order, words, strict=False):
        parts[number].append(word)
    stream = "".join(f"{word:08b}" for part in parts for word in part)
    assert stream[:4] == "0100"
    width = 16 if version >= 10 else 8
    length = int(stream[4 : 4 + width], 2)
    text = stream[4 + width : 4 + width + 8 * length]
    return bytes(int(text[at : at + 8], 2) for at in range(0, len(text), 8)).decode()


def test_a_drawing_has_the_dark_modules_and_a_margin() -> None:
    svg = write_svg(code_figure("satdoku"), has_dark=False)
    root = ElementTree.fromstring(svg)
    assert root.get("width") == str(4 * (21 + 2 * 4))
    [path] = root.iter("{http://www.w3.org/2000/svg}path")
    dark = 0
    for square in path.get("d", "").split("M")[1:]:
        points = [tuple(map(float, point.split())) for point in square.split("L")]
        (left, above), (right, _), (_, below), _ = points
        assert left >= 16
        dark += round((right - left) * (below - above) / 16)
    assert dark == sum(row.count("#") for row in SATDOKU)
