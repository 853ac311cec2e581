"""Which links hold a puzzle, which objects are whose, and what is said of the others."""

from urllib.parse import quote

import pytest

import satdoku
from satdoku.errors import CutShortError, FormatError, RuleError, SatdokuError
from satdoku.notation.exchange.links import read_link, read_object
from satdoku.notation.exchange.lzstring import pack
from satdoku.notation.exchange.seen import puzzle_of_link
from satdoku.notation.formats import FORMATS
from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.puzzle import Puzzle
from tests.crossing import few_or_many
from tests.each import for_each
from tests.notation.exchange.boards import GRID, bomb, fpuzzles_board, link_of
from tests.notation.samples import LINE

ZEROS = LINE.replace(".", "0")
LINK = link_of(fpuzzles_board())
PACKED = LINK.partition("load=")[2]
ENCODED = PACKED.replace("+", "%2B").replace("/", "%2F").replace("=", "%3D")


@for_each(
    "link",
    [
        LINK,
        LINK.replace("https://", "http://www."),
        LINK.removeprefix("https://"),
        LINK.replace(PACKED, ENCODED),
        LINK.replace("+", " "),
        PACKED,
        f"fpuzzles{PACKED}",
        f"https://sudokupad.app/fpuz{PACKED}",
        f"https://sudokupad.app/fpuzzles{ENCODED}?setting-nogrid=1",
        f"https://sudokupad.app/sudoku/fpuzzles{ENCODED}",
        f"https://app.crackingthecryptic.com/sudoku/?puzzleid=fpuzzles{ENCODED}",
        f"https://beta.sudokupad.app/fpuzzles{PACKED}",
        f"https://www.sudokuwiki.org/sudoku.htm?bd={ZEROS}",
        f"https://sudokuexchange.com/play/?s={ZEROS}&d=3",
        f"https://sudoku.coach/en/play/{ZEROS}",
        f"https://example.com/#{LINE}",
    ],
)
def test_links_that_hold_a_puzzle_are_read(link: str) -> None:
    assert read_link(link).puzzle().grid == GRID


@for_each("link", ["https://sudokumaker.app/?puzzle=N4Ig" + "a" * 60])
def test_damaged_links_of_sudokumaker_are_refused(link: str) -> None:
    for text in (link, f"Try this one: {link}"):
        with pytest.raises(RuleError, match="packed text"):
            satdoku.parse(text)


def test_positions_of_sudokuwiki_are_read_as_their_givens() -> None:
    cells = ["sw" if cell == "." else f"0{cell}" for cell in LINE]
    cells[1] = "0b"
    foreign = read_link(f"https://www.sudokuwiki.org/sudoku.htm?bd=S9B{''.join(cells)}")
    assert foreign.puzzle().grid == GRID
    assert foreign.unread == (
        "satdoku does not read digits and candidates that were found in this puzzle of SudokuWiki"
    )


@for_each(
    "link",
    [
        "https://sudokupad.app/j8tfi7wbqy",
        "sudokupad.app/clover/mar-2-2024",
        "https://f-puzzles.com/?id=y2abc",
        "https://f-puzzles.com/",
        "sudokumaker.app/?id=1",
        "https://tinyurl.com/abc",
    ],
)
def test_a_short_link_is_refused_in_one_sentence(link: str) -> None:
    with pytest.raises(
        FormatError, match=r"short link is stored on a server of .*does not use the network"
    ):
        read_link(link)


@for_each(
    "link, fault",
    [
        ("https://example.com/a", "holds no puzzle; satdoku does not use the network"),
        (f"https://example.com/{LINE}{LINE}", "holds no puzzle"),
        (f"https://example.com/{LINE}?{LINE[::-1]}", "holds no puzzle"),
        ("https://[", "this link is damaged"),
        ("https://f-puzzles.com/?load=" + pack("{"), "is not JSON"),
        ("https://f-puzzles.com/?load=" + pack("[" * 9999), "is not JSON"),
        ("https://f-puzzles.com/?load=" + pack("[1]"), "is no board"),
        (LINK[:-99], "as if it was cut short"),
        (LINK + "N" * 5_000_000, "up to 1,048,576 are read"),
        ("https://f-puzzles.com/?load=BOMB", "no board has"),
    ],
)
def test_faults_are_told(link: str, fault: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_link(link.replace("BOMB", bomb()) if "BOMB" in link else link)
    assert fault in str(caught.value)
    assert len(str(caught.value)) < 200


@few_or_many("step", 5, 1)
@for_each("name", ["link:fpuzzles", "link:sudokupad", "link:sudokumaker"])
def test_a_link_that_was_cut_anywhere_in_its_packed_text_says_so_at_its_end(
    name: str, step: int
) -> None:
    link = FORMATS[name].write(Puzzle.from_line(LINE)).strip()
    begin, end = link.index("N4") + 1, len(link.rstrip("%3D=")) - 2
    for cut in {len("https://sudokupad.app/fpuzzle"), *range(begin, end, step), end - 1}:
        if name == "link:sudokupad" or cut >= begin:
            with pytest.raises(CutShortError) as caught:
                puzzle_of_link(link[:cut], "file", (2, 1))
            assert caught.value.place == f"file:2:{cut + 1}"


def test_a_fault_of_what_is_packed_is_not_read_around() -> None:
    with pytest.raises(RuleError):
        read_link(link_of(fpuzzles_board(whale=1)))


def test_a_board_of_f_puzzles_is_read_as_one() -> None:
    assert read_object(fpuzzles_board()).puzzle().grid == GRID


LINKS = [
    f"https://www.sudokuwiki.org/sudoku.htm?bd={ZEROS}",
    satdoku.write(LINE, "link:fpuzzles").strip(),
    satdoku.write(LINE, "link:sudokupad").strip(),
    satdoku.write(LINE, "link:iss").strip(),
]


def wrapped(text: str, width: int, end: str = "", begin: str = "") -> str:
    pieces = [text[at : at + width] for at in range(0, len(text), width)]
    return "\n".join(begin + piece for piece in f"{end}\n".join(pieces).split("\n"))


@pytest.mark.parametrize("link", LINKS, ids=["cells", "f-puzzles", "SudokuPad", "ISS"])
def test_a_link_is_read_as_people_and_mail_leave_it(link: str) -> None:
    inner = quote(link, safe="")
    texts = [
        *(f"{link}.", f"{link};", f"({link})", f"Try {link}!", f"[this]({link}), thanks"),
        *(inner, quote(inner, safe=""), f"https://www.google.com/url?q={inner}&sa=D"),
        *(f"Hello,\n\n{link}\n\nBob", f"Hi Ann,\n{wrapped(link, 76)}\n\nBob"),
        *(wrapped(link, 76, begin="> "), wrapped(link.replace("=", "=3D"), 75, "=")),
    ]
    for text in texts:
        [puzzle] = read_puzzles(text.split("\n"))
        assert puzzle.grid.line == LINE, text


def test_a_dot_behind_a_link_may_be_its_last_cell() -> None:
    for text in (f"https://qqwing.com/?p={LINE}", f"see https://qqwing.com/?p={LINE}."):
        assert [puzzle.grid.line for puzzle in read_puzzles([text])] == [LINE]


OWN = "http://127.0.0.1:8787/#w=2x2-1.....2..3......"


def test_links_of_the_page_keep_their_rules() -> None:
    more = "&r=killer:5=r1c2,r1c3&r=even%3Ar4c4&n=Tea&a=Ann&t=Be%20brief.&u=2%20lines&e=12.&m=3.1.2"
    foreign = read_link(OWN + more)
    puzzle = foreign.puzzle()
    assert puzzle.grid.line == "1.....2..3......"
    assert puzzle.rule_texts == ["killer:5=r1c2,r1c3", "even:r4c4"]
    assert (puzzle.name, puzzle.author, puzzle.rules_text) == ("Tea", "Ann", "Be brief.")
    assert foreign.unread == (
        "satdoku does not read 2 lines and digits and centre marks in this puzzle of the page"
    )
    assert satdoku.parse(OWN + "&r=digits:0-3").rule_texts == ["digits:0-3"]


@for_each(
    "link, told",
    [
        (OWN[:-1], "has 15 cells, not 16"),
        (OWN + "&r=nonsense:3", "nonsense"),
        (OWN.replace("2x2", "9x9"), "has 16 cells"),
        (OWN.replace("=2x2-1", "=2x2-9"), "9"),
    ],
)
def test_damaged_links_of_the_page_are_refused(link: str, told: str) -> None:
    with pytest.raises(SatdokuError, match=told):
        satdoku.parse(link)
