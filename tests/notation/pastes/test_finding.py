"""A board is found in what people copy, and is never guessed."""

import pytest

from satdoku.errors import FormatError, RuleError
from satdoku.notation.bounds import MOST_LINES
from satdoku.notation.hints import Hints
from satdoku.notation.reading import PuzzleReader, read_puzzles
from satdoku.notation.spelling import Alphabet
from satdoku.picture.picture import picture_of
from satdoku.picture.text import render_picture
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.everywhere import AntiKnight
from tests.commands import EASY, EASY_SOLUTION, run
from tests.crossing import crossed
from tests.each import for_each
from tests.notation.pastes.texts import PASTES, REFUSED, RULED, RULED_REFUSED
from tests.notation.samples import LINE, ROWS

DIGITS = tuple(int(cell) if cell != "." else 0 for cell in LINE)


def test_there_are_enough_pastes() -> None:
    assert len(PASTES) + len(REFUSED) >= 120


@crossed(4, name=PASTES)
def test_the_board_of_a_paste_is_found(name: str) -> None:
    found = list(read_puzzles(PASTES[name].split("\n"), "paste"))
    assert [puzzle.grid.digits for puzzle in found] == [DIGITS]


@for_each("name", REFUSED)
def test_what_is_no_board_is_one_fault(name: str) -> None:
    text, message = REFUSED[name]
    with pytest.raises(FormatError, match=message):
        list(read_puzzles(text.split("\n"), "paste"))


@for_each("name", RULED)
def test_the_rules_of_a_paste_are_read(name: str) -> None:
    (found,) = read_puzzles(RULED[name].split("\n"), "paste")
    assert (found.grid.digits, found.further_rules) == (DIGITS, (AntiKnight(),))


@for_each("name", RULED_REFUSED)
def test_a_board_is_never_read_without_its_rules(name: str) -> None:
    text, message = RULED_REFUSED[name]
    with pytest.raises(FormatError, match=rf"^paste:\d+:\d+: .*{message}"):
        list(read_puzzles(text.split("\n"), "paste"))


def test_two_games_of_a_file_are_both_found() -> None:
    other = LINE[::-1]
    text = f'<game data="{LINE}"/>\n<game data="{other}"/>'
    found = list(read_puzzles(text.split("\n")))
    assert [puzzle.grid.digits for puzzle in found] == [DIGITS, DIGITS[::-1]]


def test_two_readings_are_both_named() -> None:
    """Rows below a link that carries another board: nobody knows which of them is meant."""
    text = [f"https://a.b/?bd={LINE[::-1]}", "", *(f"> {row}" for row in ROWS)]
    with pytest.raises(FormatError, match=r"can be read as .* or as .*--from"):
        list(read_puzzles(text))


@for_each("board", [LINE, "\n".join(ROWS)])
@for_each("gap", ["\n", "\n\n"])
@for_each("words", ["Can you solve this?", "thanks for any help with it", "Thanks!\nBob", "thanks"])
def test_words_below_a_single_board_are_no_fault(board: str, gap: str, words: str) -> None:
    found = list(read_puzzles(f"{board}{gap}{words}\n".split("\n")))
    assert [puzzle.grid.digits for puzzle in found] == [DIGITS]


@pytest.mark.parametrize(
    "second", ["ABCD CDAB BADC DCBA", "abcd cdab badc dcba", "12?????????????4"]
)
def test_a_board_that_looks_like_words_is_a_board(second: str) -> None:
    hints = Hints(Geometry(2, 2), Alphabet("A")) if second[0] in "aA" else Hints()
    first = "ABCD CDAB BADC DCBA" if second[0] in "aA" else "12.............4"
    assert len(list(read_puzzles([first, second], hints=hints))) == 2


@for_each("rule", ["with killer:5=r1c1-2, have fun", "satdoku solve --rule x-sum:row1=9"])
def test_a_rule_among_the_lines_of_a_board_is_not_passed_over(rule: str) -> None:
    with pytest.raises(
        RuleError, match=r"^f:10:1: satdoku does not read this rule among other text"
    ):
        list(read_puzzles([*ROWS, rule], "f"))
    with pytest.raises(RuleError, match=r"give it by --rule; did you mean killer\?$"):
        list(read_puzzles([*ROWS, "kiler:5=r1c1-2"], "f"))
    ruled = Puzzle.from_line(LINE, rules=["killer:8=r1c1-2", "anti-knight", "x-sum:row1=9"])
    for told in render_picture(picture_of(ruled)).splitlines()[-3:]:
        for board in (ROWS, render_picture(picture_of(Puzzle.from_line(LINE))).splitlines()):
            with pytest.raises(
                RuleError, match=r"satdoku does not read this rule among other text"
            ):
                list(read_puzzles([*board, told]))
    [puzzle] = read_puzzles([*ROWS, "hint: look at r1c1", "sum: 45", "between: 1 and 9"])
    assert puzzle.grid.digits == DIGITS


@for_each("rule", ["thermo", "palindrome", "whispers"])
def test_a_drawing_with_rules_is_not_read_without_them(rule: str) -> None:
    drawn = run("draw", "--text", "." * 81, "--rule", f"{rule}:r1c1,r2c2").stdout
    with pytest.raises(RuleError, match=r"belongs to a rule of this drawing; only JSON holds both"):
        list(read_puzzles(drawn.splitlines()))


def test_words_among_several_boards_are_a_fault() -> None:
    for text in (
        [LINE, "can you solve this", LINE],
        ["id,puzzle", f"1,{LINE}", "can you solve,it"],
    ):
        reader = PuzzleReader(text)
        with pytest.raises(FormatError):
            [reader.parser(record) for record in reader]


def test_a_text_can_be_said_to_be_a_paste() -> None:
    for text in (ROWS, [f"> {row}" for row in ROWS], ["hello", *ROWS, "all of you"]):
        found = list(read_puzzles(text, format_name="paste"))
        assert [puzzle.grid.digits for puzzle in found] == [DIGITS]
    for text in ([], ["hello world"]):
        with pytest.raises(FormatError, match="no puzzle found"):
            list(read_puzzles(text, format_name="paste"))
    with pytest.raises(FormatError, match="up to 600 lines"):
        list(read_puzzles([LINE] * (MOST_LINES + 1), format_name="paste"))


def test_a_damaged_line_among_puzzles_is_a_fault_and_no_paste() -> None:
    reader = PuzzleReader([LINE[:-1], LINE])
    first, second = list(reader)
    with pytest.raises(FormatError, match="80 cells found"):
        reader.parser(first)
    assert reader.parser(second).grid.digits == DIGITS


def test_a_long_text_is_no_paste() -> None:
    text = ["> " + LINE] + ["and more of these words"] * MOST_LINES
    assert PuzzleReader(text).parser.format.name != "paste"


def test_an_answer_has_rows() -> None:
    reader = PuzzleReader([f"> {row}" for row in ROWS])
    (record,) = reader
    grid = reader.parser(record).grid
    answer = reader.parser.format.write_answer(record, grid, reader.hints)
    assert answer == "".join(f"{row}\n" for row in ROWS)


def test_the_same_board_in_another_form_is_no_fault() -> None:
    assert len(list(read_puzzles([*ROWS, "", LINE]))) == 1
    other = LINE.replace("8", ".", 1)
    with pytest.raises(FormatError):
        list(read_puzzles([*ROWS, "", other]))


_NUMBERS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"]
# Ways to draw a row of a table, and what stands below the first.
_TABLES = {
    "commas": ("{}", ",", ""),
    "Markdown": ("| {} |", " | ", "|---|---|---|---|---|---|---|---|---|"),
    "spaces": ("{}", " ", ""),
    "Jira": ("|{}|", "|", ""),
}


@for_each("name", _TABLES)
@for_each("numbers", [_NUMBERS, [*"012345678"]])
def test_numbers_of_columns_above_eight_rows_are_no_row(name: str, numbers: list[str]) -> None:
    frame, apart, below = _TABLES[name]
    rows = [frame.format(apart.join(row)) for row in (numbers, *ROWS)]
    rows.insert(1, below)
    assert [puzzle.grid.line for puzzle in read_puzzles(filter(None, rows))] == [LINE]
    for row in range(2, 11):
        damaged = [line for n, line in enumerate(rows) if n != row and line]
        with pytest.raises(FormatError, match=r"numbers in order|8 rows found"):
            list(read_puzzles(damaged, "f"))


def test_a_first_row_from_one_to_nine_may_be_meant() -> None:
    for rows in (["123456789", *ROWS[1:]], [" ".join("123456789")] + [" ".join("234567891")] * 8):
        assert len(list(read_puzzles(rows))) == 1
    doubtful = list(map(" ".join, ["123456789", *ROWS[1:]]))
    with pytest.raises(FormatError, match="say --from rows"):
        list(read_puzzles(doubtful))
    assert len(list(read_puzzles(doubtful, format_name="rows"))) == 1


def test_no_row_is_filled_up_where_empty_cells_have_a_sign() -> None:
    rows = ["\t".join("ABCDEFGHI"), *map("\t".join, ROWS)]
    assert [puzzle.grid.line for puzzle in read_puzzles(rows)] == [LINE]
    rows[5] = rows[5][:-2]
    with pytest.raises(FormatError):
        list(read_puzzles(rows))


def test_a_cell_that_is_named_twice_is_refused() -> None:
    givens = [f"grid[{n // 9}][{n % 9}] = {digit};" for n, digit in enumerate(LINE) if digit != "."]
    assert [puzzle.grid.line for puzzle in read_puzzles(givens)] == [LINE]
    with pytest.raises(FormatError, match="has the cell 0,0 2 times"):
        list(read_puzzles([givens[0], *givens]))


@pytest.mark.parametrize("shape", ["[[{}]]", "{}", "rows = [\n[{}]]"])
def test_numbers_below_zero_are_never_cells(shape: str) -> None:
    """What stands for -1 nobody knows; without the sign it would be a 1."""
    rows = [row.replace(".", "0") for row in ROWS]
    apart = "], [" if "[" in shape else "\n"
    sign = ", " if "[" in shape else " "
    good = shape.format(apart.join(map(sign.join, rows)))
    assert [puzzle.grid.line for puzzle in read_puzzles(good.split("\n"))] == [LINE]
    bad = good.replace("0", "-1")
    for format_name in (None, "paste"):
        with pytest.raises(FormatError, match=r"f:\d:\d+: '?-1'? is"):
            list(read_puzzles(bad.split("\n"), "f", format_name))


_TWICE = [ROWS[0], *ROWS]
_FULLER = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
_GIVENS = [
    (cell // 9 + 1, cell % 9 + 1, digit) for cell, digit in enumerate(_FULLER) if digit != "."
]
# 27 of them, so that their numbers are as many as the cells of a board.
_LISTED = [*_GIVENS[:26], _GIVENS[3]]


@for_each(
    "text",
    [
        "\n\n".join(_TWICE),
        "[Puzzle]\n" + "\n".join(_TWICE),
        "\n".join(";".join(row).replace(".", " ") for row in _TWICE),
        "\n".join([ROWS[0] + ".", *ROWS[1:-1], ROWS[-1][:-1], "", LINE]),
        "\n".join(" ".join(map(str, each)) for each in _LISTED),
        "\n".join(str([row - 1, column - 1, int(cell)]) for row, column, cell in _LISTED),
        " ".join(f"{row} {column} {cell}" for row, column, cell in _GIVENS[:27]),
    ],
)
def test_a_damaged_text_is_never_another_board(text: str) -> None:
    with pytest.raises(FormatError):
        next(read_puzzles(text.split("\n")))


def test_a_paste_has_the_digits_that_a_rule_names() -> None:
    zeros = Hints(rules=("digits:0-8",))
    with pytest.raises(FormatError, match="'9' is not a digit 0-8"):
        list(read_puzzles([LINE], hints=zeros))
    lower = LINE.translate(str.maketrans("123456789", "012345678"))
    text = [f"The puzzle: {lower} of today"]
    assert [puzzle.grid.digits for puzzle in read_puzzles(text, hints=zeros)] == [DIGITS]


def test_a_form_is_read_by_its_cells_and_not_by_the_solution_that_it_hides() -> None:
    cells = "".join(
        f"<td><input name=x{n} {'' if digit == '.' else f'value={digit}'}></td>"
        for n, digit in enumerate(EASY)
    )
    form = f"<form><table>{cells}</table><input type=hidden value={EASY_SOLUTION}></form>"
    [puzzle] = read_puzzles([form], "f")
    assert (puzzle.grid.line, puzzle.name) == (EASY, "")
