"""Pictures are digits, and are answered as pictures; a text that leaves them open is refused."""

import pytest

from satdoku.answering.form import Grids
from satdoku.answering.task import Task
from satdoku.errors import FormatError
from satdoku.notation.hints import Hints
from satdoku.notation.reading import PuzzleReader, read_puzzles
from satdoku.notation.spelling import Alphabet
from satdoku.solving.questions import check
from tests.each import for_each

BOARD = "12.4\n.41.\n.1.3\n43.1"
SOLVED = "1234\n3412\n2143\n4321\n"
# In the order of their code points.
KINDS = {
    "fruit": "\U0001f347\U0001f34c\U0001f34e\U0001f352",
    "suits": "\u2660\u2663\u2665\u2666",
    "dice": "\u2680\u2681\u2682\u2683",
    "braille": "\u2801\u2803\u2809\u2819",
    "colours": "\U0001f534\U0001f535\U0001f7e1\U0001f7e2",
}
BLANKS = {"a square": "\u2b1c", "a black one": "\u2b1b", "a dot": ".", "a dash": "\u2824"}


def written(text: str, kinds: str, blank: str = ".") -> str:
    return text.translate({ord(str(n)): kind for n, kind in enumerate(kinds, 1)} | {46: blank})


def answer_to(text: str, to: str = "", hints: Hints | None = None) -> str:
    reader = PuzzleReader(text.split("\n"), hints=hints)
    (record,) = reader
    puzzle = reader.parser(record)
    solution = check(puzzle).solution
    assert solution is not None
    task = Task(reader.parser, record, 1)
    return Grids(to).of_solution(task, puzzle, solution)


@for_each("kind", KINDS)
@for_each("blank", BLANKS)
def test_a_board_of_pictures_is_answered_in_them(kind: str, blank: str) -> None:
    text = written(BOARD, KINDS[kind], BLANKS[blank])
    expected = written(SOLVED, KINDS[kind])
    assert answer_to(text) == answer_to(text, "rows") == expected
    assert answer_to("Puzzle of the day!\n\n" + text + "\n") == expected
    assert answer_to(text.replace("\n", "")) == expected
    numbered = "\n".join(f"{n} {row}" for n, row in enumerate(text.split("\n"), 1))
    assert answer_to(numbered) == expected


def test_pictures_are_found_in_tables_and_between_spaces() -> None:
    fruit = KINDS["fruit"]
    rows = written(BOARD, fruit, " ").split("\n")
    expected = written(SOLVED, fruit)
    assert answer_to("\n".join("|" + "|".join(row) + "|" for row in rows)) == expected
    table = "".join("<tr><td>" + "</td><td>".join(row) + "</td></tr>" for row in rows)
    assert answer_to(f"<table>{table}</table>") == expected
    spaced = "\n".join(map(" ".join, written(BOARD, fruit, "\u2b1c").split("\n")))
    assert answer_to(spaced) == "\n".join(map(" ".join, expected.strip().split("\n"))) + "\n"


def test_what_selects_a_drawing_is_kept() -> None:
    suits = KINDS["suits"]
    text = "".join(f"{c}\ufe0f" if c in suits else c for c in written(BOARD, suits))
    assert answer_to(text) == "".join(
        f"{c}\ufe0f" if c in suits else c for c in written(SOLVED, suits)
    )


def test_the_user_says_which_pictures_are_digits() -> None:
    fruit = KINDS["fruit"][::-1]
    text = written(BOARD, fruit, "\u2b1c")
    (puzzle,) = read_puzzles(text.split("\n"), hints=Hints(alphabet=Alphabet(fruit)))
    assert puzzle.grid.line == BOARD.replace("\n", "")


@for_each(
    "text, message",
    [
        (written(BOARD, "\U0001f347\U0001f34c\U0001f34e\U0001f34e"), "3 kinds of picture"),
        (written(BOARD, KINDS["fruit"]) + "\U0001f352", "4, 4, 4, 5 cells is not square"),
        (written(BOARD, KINDS["fruit"]) + "\n" + "\U0001f352" * 4, "is not square"),
        (
            written("1234\n3412\n2143\n43.1", KINDS["fruit"], "\U0001f95d"),
            "which of these pictures",
        ),
        (
            BOARD.translate(
                {46: ":x:"}
                | {48 + n: f":{w}:" for n, w in enumerate(["fig", "kiwi", "pear", "plum"], 1)}
            ),
            "names of pictures",
        ),
        (
            "\n".join("\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7\u2b1c\u2b1c" for _ in range(4)),
            "(made of|kinds? of picture|not square)",
        ),
        (BOARD.replace("1", "\U0001f347\u2b50\U0001f34c"), "."),
    ],
)
def test_pictures_are_never_empty_cells(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        list(read_puzzles(text.split("\n")))
