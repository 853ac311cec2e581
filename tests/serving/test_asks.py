"""Each question of the API against the library's answer, and all answers against the schema."""

import json
import re
import shlex
import subprocess
import sys
from base64 import b64decode
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, get_args
from zipfile import ZipFile

import pytest
from jsonschema import Draft202012Validator

import satdoku
from satdoku.picture.picture import Drawn
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import GROUPS
from satdoku.serving.asks import answer, function_of
from satdoku.serving.messages import ASKS, read_question
from tests.boards import stuck_puzzle
from tests.commands import CLASHING, EASY, HARD, IMPOSSIBLE, SMALL, run
from tests.each import for_each
from tests.notation.exchange.boards import fpuzzles_board, link_of
from tests.serving.replay import replay

SCHEMA = json.loads((Path(__file__).parents[2] / "docs/serve.schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
SEVERAL = ".." + EASY[2:]
KINDS = [kind.__name__.lower() for kind in get_args(Drawn)]


class Going:
    """A stop that nobody sets."""

    def is_set(self) -> bool:
        return False


def entry(puzzle: Puzzle) -> dict[str, Any]:
    geometry = puzzle.geometry
    return {
        "box": [geometry.box_rows, geometry.box_columns],
        "cells": list(puzzle.grid.digits),
        "rules": puzzle.rule_texts,
    }


def ask(what: str, given: str = "", **message: Any) -> list[dict[str, Any]]:
    """The parts of an answer, each of which the schema describes."""
    if given:
        message["puzzle"] = entry(satdoku.parse(given))
    parts = list(answer({"ask": what, **message}, Going()))
    for part in parts:
        # As JSON has it: the names of entries are texts there.
        VALIDATOR.validate(json.loads(json.dumps({"id": 1, **part})))
    return parts


def test_a_command_checks_the_puzzle_on_the_page() -> None:
    large = "16 1" + " ." * 254
    for given, rules in (
        (SMALL, ["killer:3=r1c1,r1c2"]),
        ("0" + "." * 15, ["digits:0-3"]),
        (large, ["odd:r1c2", "even:r1c1"]),
    ):
        puzzle = entry(satdoku.parse(given, rules=rules))
        [part] = ask("write", puzzle=puzzle, to="command")
        name, *words = shlex.split(part["text"])
        assert name == "satdoku"
        assert words[:2] == ["check", given]
        found = json.loads(run(*words, "--json").stdout)
        assert found["verdict"] == satdoku.check(satdoku.parse(given, rules=rules)).verdict.value
    [part] = ask("write", puzzle={"box": "board:4x4:boxes=2x2:beside=X*2"}, to="command")
    line, *options = shlex.split(part["text"])[2:]
    assert (line, options) == ("." * 18, ["--box", "board:4x4:boxes=2x2:beside=X*2"])


@pytest.mark.parametrize(
    ("rules", "rule", "instead", "placed"),
    [
        ([], "killer:3=r1c1-2", "", (["killer:3=r1c1,r1c2"], [])),
        (["killer:3=r1c1,r1c2"], "killer:5=r2c1,r2c2", "", (["killer:5=r2c1,r2c2"], [])),
        (["odd:r1c1"], "odd:r1c2", "", (["odd:r1c1,r1c2"], ["odd:r1c1"])),
        (["odd:r1c1,r1c2"], "odd:r1c2", "", (["odd:r1c1"], ["odd:r1c1,r1c2"])),
        (["odd:r1c1"], "odd:r1c1", "", ([], ["odd:r1c1"])),
        (["odd:r1c1"], "odd:r1c2", "odd:r1c1", (["odd:r1c2"], ["odd:r1c1"])),
        # A pair of cells has one dot: of another colour it is replaced, of the same it goes.
        (
            ["kropki:white=r1c1,r1c2/black=r3c1,r3c2"],
            "kropki:black=r1c2,r1c1",
            "",
            (
                ["kropki:black=r1c1,r1c2/black=r3c1,r3c2"],
                ["kropki:white=r1c1,r1c2/black=r3c1,r3c2"],
            ),
        ),
        (
            ["kropki:white=r1c1,r1c2"],
            "kropki:white=r1c2,r1c1",
            "",
            ([], ["kropki:white=r1c1,r1c2"]),
        ),
        # A puzzle has one rule of regions.
        (
            ["regions:AABB/AABB/CCDD/CCDD", "anti-king"],
            "regions:AABB/ABBC/ADCC/DDDC",
            "",
            (["regions:AABB/ABBC/ADCC/DDDC"], ["regions:AABB/AABB/CCDD/CCDD"]),
        ),
    ],
)
def test_a_rule_joins_or_replaces_those_of_a_puzzle(
    rules: list[str], rule: str, instead: str, placed: tuple[list[str], list[str]]
) -> None:
    puzzle = {"box": [2, 2], "cells": [0] * 16, "rules": ["no such rule", *rules]}
    part = only(ask("place", puzzle=puzzle, rule=rule, instead=instead), "placed")
    assert (part["rules"], part["instead"]) == placed
    bad: dict[str, Any] = {"rule": "odd:r1c1", "puzzle": {"rules": 3}}
    for broken in ({"rule": "odd:r9c9"}, {"rule": 3}, bad):
        assert list(ask("place", **{"puzzle": puzzle, **broken})[0]) == ["error"]


def only(parts: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    [found] = [part for part in parts if part.get("part") == kind]
    return found


def test_each_ask_of_the_table_has_its_function() -> None:
    for name in ASKS:
        assert function_of(name).__name__ == name
    assert not read_question('{"ask": "look"}').is_slow
    assert read_question('{"ask": "facts"}').is_slow


@pytest.mark.parametrize("text", [EASY, HARD, SMALL, SEVERAL, CLASHING, IMPOSSIBLE])
def test_a_look_says_what_the_library_says(text: str) -> None:
    parts, outcome = ask("look", text), satdoku.check(text)
    found = only(parts, "verdict")
    assert found["verdict"] == outcome.verdict.value
    assert found.get("differences", []) == list(outcome.differences)
    assert bool(found.get("clashes")) == bool(outcome.clashes)
    true = satdoku.candidates(text)
    if outcome.solution is not None:
        cells = only(parts, "candidates")["cells"]
        assert [[digit for digit, _ in cell] for cell in cells] == true.digits_of_cells
    if outcome.verdict is satdoku.Verdict.UNIQUE:
        assert only(parts, "rating")["number"] == satdoku.rate(text).number
        for cell in only(parts, "needless")["cells"]:
            assert satdoku.check(without(text, cell)).verdict is satdoku.Verdict.UNIQUE
    if outcome.verdict is satdoku.Verdict.NONE:
        clash = only(parts, "clash")["cells"]
        kept = [sign if cell in clash else "." for cell, sign in enumerate(text)]
        assert satdoku.check("".join(kept)).verdict is satdoku.Verdict.NONE


def without(text: str, cell: int) -> str:
    return f"{text[:cell]}.{text[cell + 1 :]}"


def test_what_is_not_rated_is_told_and_made_all_the_same() -> None:
    """Ratings do not know choices, which is no fault of who looks at a puzzle with one."""
    puzzle = {**entry(satdoku.parse(SMALL)), "rules": ["either:killer:3=r1c1,r1c2|odd:r4c4"]}
    names = [part.get("part") for part in ask("look", puzzle=puzzle)]
    assert names == ["verdict", "symmetry", "candidates", "needless"]
    [made] = ask("minimize", puzzle=puzzle)
    assert made["rules"] == puzzle["rules"]
    assert "rating" not in made


def test_counts_of_candidates_are_those_of_all_solutions() -> None:
    text = "1.....2........4"
    cells = only(ask("look", text, want=["candidates"]), "candidates")["cells"]
    solutions = list(satdoku.solutions(text))
    for cell, counts in enumerate(cells):
        held = [grid.digits[cell] for grid in solutions]
        assert dict(counts) == {digit: min(held.count(digit), 8) for digit in set(held)}


@pytest.mark.parametrize("text", [EASY, pytest.param(HARD, marks=pytest.mark.slow), SMALL])
def test_a_walk_leads_from_the_givens_to_the_solution(text: str) -> None:
    boards = list(replay(ask("walk", text)))
    solution = satdoku.solve(text)
    for board in boards:
        for cell, digit in enumerate(solution.digits):
            assert board[cell] == digit or digit in board[cell]
    assert tuple(boards[-1]) == solution.digits


def test_a_walk_of_what_has_no_solution_ends_in_a_contradiction() -> None:
    assert ask("walk", CLASHING)[-1]["heading"] == "Two givens clash directly"
    assert ask("walk", IMPOSSIBLE)[-1]["part"] == "end"


def test_hints_and_reasons_are_those_of_the_library() -> None:
    found = only(ask("hint", EASY), "hint")
    assert found["where"] == satdoku.hint(EASY).where
    entered = [9, *satdoku.solve(EASY).digits[1:]]
    assert only(ask("hint", EASY, entered=entered), "hint")["wrong"] == [0]
    parts = ask("why", EASY, question="r1c3!=1")
    assert parts[0]["text"] == satdoku.why(satdoku.explain(EASY), "r1c3!=1").sentence


def test_without_a_solution_a_hint_names_the_button_of_the_page() -> None:
    [told] = ask("hint", puzzle=entry(stuck_puzzle(Geometry(2, 2))))
    assert told["text"].endswith("exclude every grid; Explain names what clashes")


def puzzles_of(parts: list[dict[str, Any]]) -> Iterator[Puzzle]:
    for part in parts:
        if part.get("part") == "puzzle":
            line = " ".join(map(str, part["cells"]))
            yield Puzzle.from_line(line, satdoku.Geometry(*part["box"]), part["rules"])


def test_what_is_made_has_one_solution() -> None:
    empty = "." * 81
    made = [
        *puzzles_of(ask("generate", empty, number=2, symmetry="rotate180")),
        *puzzles_of(ask("minimize", EASY)),
        *puzzles_of(ask("minimize", SMALL, fewest=True)),
        *puzzles_of(ask("complete", SEVERAL)),
        *puzzles_of(ask("scramble", EASY, seed="1")),
    ]
    assert len(made) == 6
    assert all(satdoku.check(puzzle).verdict is satdoku.Verdict.UNIQUE for puzzle in made)
    twin = made[-1]
    assert satdoku.canonical(twin).grid == satdoku.canonical(EASY).grid
    assert "text" in only(ask("minimize", SEVERAL), "refused")


@pytest.mark.parametrize("want", ["count", ["count", "colour"], [3], {"count": 1}])
def test_what_cannot_be_wanted_is_refused_by_name(want: object) -> None:
    [part] = ask("look", SMALL, want=want)
    said = {"colour": "'colour'", 3: "'3'"}.get(want[-1] if isinstance(want, list) else "", "list")
    assert said in part["error"]
    assert "rating" in part["error"]


def test_counting_says_how_many_and_whether_these_are_all() -> None:
    found = only(ask("count", "1" + "." * 15), "count")
    assert (found["number"], found["complete"]) == (72, True)
    found = only(ask("count", "." * 81, limit=100), "count")
    assert (found["number"], found["complete"]) == (100, False)


def test_what_is_read_can_be_asked_about_and_written_again() -> None:
    [puzzle] = puzzles_of(ask("read", text=EASY))
    assert puzzle == satdoku.parse(EASY)
    jigsaw = '{"puzzle": "1...............", "regions": ["AABB", "ABBC", "ADCC", "DDDC"]}'
    [puzzle] = puzzles_of(ask("read", text=jigsaw))
    assert puzzle.regions is not None
    for name, _ in only(ask("about"), "about")["formats"]:
        parts = ask("write", SMALL, to=name)
        assert parts[0].get("text") or parts[0].get("error")


def test_what_a_text_shows_beside_its_puzzle_is_told() -> None:
    drawn = {"lines": [{"wayPoints": [[0.5, 0.5], [1.5, 1.5]]}], "cells": [[{}] * 4] * 4}
    [part] = [each for each in ask("read", text=json.dumps(drawn)) if "done" not in each]
    assert part["unread"] == "satdoku does not read drawings (1 lines) in this puzzle of SudokuPad"
    [part] = [each for each in ask("read", text=EASY) if "done" not in each]
    assert "unread" not in part


def test_every_rule_is_drawn_on_a_board_that_says_where_its_cells_are() -> None:
    for rule in only(ask("about"), "about")["rules"]:
        text = rule["name"] + (f":{rule['example']}" if rule["example"] else "")
        # Examples are for 4x4, but for rules that need a multiple of three, or cells beside it.
        boards: list[dict[str, Any]] = [{"box": [n, n], "cells": [0] * n**4} for n in (2, 3)]
        boards.append({"box": "board:4x4:boxes=2x2:beside=D*4x4"})
        boards.append({"box": "board:4x4:boxes=2x2:digits=5:beside=S*4x4"})
        asked = (board | {"rules": [text]} for board in boards)
        parts = ((puzzle, part) for puzzle in asked for part in ask("board", puzzle=puzzle))
        puzzle, found = next(each for each in parts if each[1].get("part") == "board")
        left, top, wide, high = found["frame"]
        assert (wide == high) == isinstance(puzzle["box"], list)
        assert left + wide <= found["width"]
        assert top + high <= found["height"]
        assert rule["example"] or not rule["form"]
        assert rule["drawn"] in ("", *KINDS)
        assert rule["group"] in GROUPS


BESIDE = "board:4x4:boxes=2x2:beside=X*2"
SQUARE = {"box": [2, 2], "cells": [0] * 16}


@for_each(
    "puzzle, symmetry, first, last",
    [
        (SQUARE, "rotate180", [0, 15], [0, 15]),
        (SQUARE, "full", [0, 3, 12, 15], [0, 3, 12, 15]),
        ({"box": "board:4x6:digits=7"}, "rotate180", [0, 23], [0, 23]),
        ({"box": BESIDE}, "horizontal", [0, 3], [17]),
    ],
)
def test_a_symmetry_gives_each_cell_its_partners(
    puzzle: dict[str, Any], symmetry: str, first: list[int], last: list[int]
) -> None:
    found = only(ask("board", puzzle=puzzle, symmetry=symmetry), "board")["partners"]
    assert (list(found[0]), list(found[-1])) == (first, last)


@for_each(
    "rule, sides",
    [
        ("odd:r1c1", []),
        ("sandwich:row1=2", ["left"]),
        ("sandwich:col4.up=2", ["bottom"]),
        ("little-killer:r1c4.dl=6", ["right", "top"]),
    ],
)
def test_a_board_has_room_for_clues_on_their_sides_only(rule: str, sides: list[str]) -> None:
    found = only(ask("board", puzzle={**SQUARE, "rules": [rule]}), "board")
    left, top, wide, high = found["frame"]
    rooms = {"left": left, "right": found["width"] - left - wide, "top": top}
    rooms["bottom"] = found["height"] - top - high
    assert sorted(side for side, room in rooms.items() if room > wide / 20) == sorted(sides)
    assert f'{found["width"]:g} {found["height"]:g}"' in found["svg"]


def test_a_symmetry_that_a_board_has_not_gives_no_partners() -> None:
    [part] = ask("board", puzzle={"box": "board:4x6:digits=7"}, symmetry="diagonal")
    assert "partners" not in part
    [part] = ask("board", puzzle=SQUARE, symmetry="round")
    assert "'round' is none of none, rotate180" in part["error"]


@for_each(
    "box, rules",
    [
        ("board:4x6:digits=7", ["killer:11=r1c1,r1c2"]),
        (BESIDE, ["sum:0=r1c1,r1c2,-X1", "odd:X2,r1c3"]),
        ("twodoku", ["thermo:r7c7,r8c8"]),
    ],
)
def test_boards_that_are_not_one_square_are_asked_about(box: str, rules: list[str]) -> None:
    found = only(ask("board", puzzle={"box": box, "rules": rules}), "board")
    board = satdoku.Geometry.parse(box)
    layout = found["layout"]
    assert found["box"] == str(board)
    assert layout["names"] == [board.name_of(cell) for cell in range(board.cell_count)]
    # No two cells have one place, and all of them are in the frame of the drawing.
    assert len(set(map(tuple, layout["places"]))) == board.cell_count
    assert found["frame"][2] / layout["wide"] == found["frame"][3] / layout["high"]
    puzzle = {"box": found["box"], "cells": [0] * board.cell_count, "rules": found["rules"]}
    parts = ask("look", puzzle=puzzle)
    first = only(parts, "verdict")
    assert first["verdict"] == "multiple"
    assert len(only(parts, "candidates")["cells"]) == board.cell_count
    # Two cells of a solution are left out, and both are found again.
    cells = [*first["solution"][:-2], 0, 0]
    puzzle["cells"] = cells
    for entered in (None, first["solution"]):
        assert "error" not in ask("hint", puzzle=puzzle, entered=entered or cells)[0]
    assert ask("walk", puzzle=puzzle)[-1]["part"] == "end"
    name = layout["names"][0]
    assert name in only(ask("why", puzzle=puzzle, question=name)[:1], "why")["text"]
    assert only(ask("clashes", puzzle=puzzle, entered=first["solution"]), "clashes")["full"]
    for to in ("board", "json"):
        text = only(ask("write", puzzle={**puzzle, "rules": []}, to=to), "text")["text"]
        read = only(ask("read", text=text), "puzzle")
        assert (read["box"], read["cells"], read["layout"]) == (found["box"], cells, layout)
    assert "plain boards" in ask("write", puzzle=puzzle, to="line")[0]["error"]
    assert "plain square boards only" in ask("certify", puzzle=puzzle)[0]["error"]


@for_each(
    "box, said",
    [
        ("board:60x60:raw:digits=2", "at most 1,296 cells"),
        ("board:99x4", "1 to 60 rows, not 99"),
        ("hexagon", "'hexagon' is not a box shape"),
        ("board:" + "9" * 20_000, "at most 10,000 characters"),
    ],
)
def test_a_board_that_is_none_is_refused_in_a_sentence(box: str, said: str) -> None:
    [part] = ask("board", puzzle={"box": box})
    assert said in part["error"]


def test_drawings_come_as_files() -> None:
    assert only(ask("draw", SMALL, to="svg"), "file")["kind"] == "svg"
    assert "error" in ask("draw", SMALL, to="exe")[0]


def test_a_worker_whose_server_has_gone_ends_without_a_word() -> None:
    program = """
from multiprocessing import Pipe
from satdoku.serving.asks import work
of_server, of_worker = Pipe()
of_server.close()
work(of_worker, 0)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_rules_that_clash_are_told_with_their_cells() -> None:
    rules = ["odd:r4c4", "killer:3=r1c1,r1c2", "killer:4=r1c3,r1c4"]
    puzzle = {"box": [2, 2], "cells": [0] * 16, "rules": rules}
    part = only(ask("look", puzzle=puzzle), "rules")
    assert part["rules"] == rules[1:]
    assert part["cells"] == [[0, 1], [2, 3]]


def test_a_number_of_solutions_is_exact_or_the_bound() -> None:
    """How far counting came in a moment depends on the load, and is no answer."""
    puzzle = {"box": [3, 3], "cells": [0] * 81, "rules": ["killer:15=r1c1,r1c2"]}
    part = only(ask("look", puzzle=puzzle, want=["count"]), "count")
    assert (part["number"], part["complete"]) == (50, False)
    parts = [
        each for each in ask("count", puzzle=puzzle, limit=2000, growing=True) if "part" in each
    ]
    assert [(each["number"], "running" in each) for each in parts] == [(1000, True), (2000, False)]


def test_a_count_that_stops_at_its_limit_is_estimated() -> None:
    *parts, part = ask("count", "." * 16, limit=100, estimate=True, growing=True)
    assert [(each["number"], "running" in each) for each in (*parts, part)] == [
        (100, True),
        (100, False),
    ]
    assert part["at_least"] <= 288 <= part["at_most"]
    assert part["text"].startswith("about ")
    # A power of ten is one word, as on paper.
    [*_, many] = ask("count", "1" + "." * 80, limit=100, estimate=True)
    assert re.fullmatch(
        r"about [\d.]+\xa0\xd7\xa010[⁰¹²³⁴⁵⁶⁷⁸⁹]+, at least .*\(proved\)", many["text"]
    )
    assert "about" not in only(ask("count", "." * 16, estimate=True), "count")
    beside = {"board_only": True, "limit": 100, "estimate": True}
    assert "about" not in only(ask("count", "." * 16, **beside), "count")


def test_hints_and_walks_know_the_marks_and_count_digits_as_the_board_does() -> None:
    for rules in ([], ["digits:0-3"]):
        puzzle = {**entry(satdoku.parse(SMALL)), "rules": rules}
        solution = ask("look", puzzle=puzzle)[0]["solution"]
        right = {str(n): [digit] for n, digit in enumerate(solution) if n in (1, 2)}
        assert "where" in only(ask("hint", puzzle=puzzle, marks=right), "hint")
        assert ask("walk", puzzle=puzzle, marks=right)[-1]["settled"]
        wrong = {"1": [solution[1] % 4 + 1]}
        [told] = ask("hint", puzzle=puzzle, marks=wrong)
        assert told["text"] == f"r1c2 can still be {solution[1] - len(rules)}"
        assert ask("walk", puzzle=puzzle, marks=wrong) == [told]
        assert ask("hint", puzzle=puzzle, entered=solution)[0]["text"].startswith("the board is")
        other = [digit % 4 + 1 for digit in solution]
        assert ask("walk", puzzle=puzzle, entered=other)[0]["wrong"]
    refused: list[Any] = [{"x": [1]}, {"99": [1]}, {"1": [9]}, {"1": []}, [1], {"1": [True]}]
    for marks in refused:
        assert "error" in ask("hint", SMALL, marks=marks)[0]


def test_a_puzzle_is_published_with_a_code_on_the_paper_that_is_asked_for() -> None:
    puzzle = {**entry(satdoku.parse(SMALL)), "author": "Ann", "rules_text": "As usual."}
    for paper, size in (("a4", b"595 842"), ("letter", b"612 792")):
        part = only(
            ask("draw", puzzle=puzzle, to="pdf", qr="link:sudokupad", paper=paper, per_page=1),
            "file",
        )
        assert b"/MediaBox [ 0 0 " + size in b64decode(part["base64"])
    svg = b64decode(only(ask("draw", puzzle=puzzle, qr="link:fpuzzles"), "file")["base64"]).decode()
    assert 'class="code"' in svg
    assert "by Ann" in svg
    assert "As usual." in svg
    assert only(ask("qr", text="https://x.org"), "qr")["svg"].startswith("<?xml")
    for wrong in ({"paper": "a5"}, {"per_page": 0}, {"title": 1}, {"qr": "line:x"}):
        assert "error" in ask("draw", puzzle=puzzle, to="pdf", **wrong)[-1]


def test_a_certificate_stands_beside_a_link(tmp_path: Path) -> None:
    part = only(ask("certify", SMALL), "certificate")
    assert part["verdict"] == "unique"
    with ZipFile(BytesIO(b64decode(part["base64"]))) as archive:
        archive.extractall(tmp_path)
    assert run("verify", tmp_path / "certificate.json").code == 0


def test_a_board_comes_with_a_draft_of_its_rules() -> None:
    part = only(
        ask("board", puzzle={"box": [2, 2], "cells": [0] * 16, "rules": ["anti-king"]}), "board"
    )
    assert part["rules_text"].splitlines()[1].startswith("No two cells a king's move")


def test_title_author_and_text_are_read_and_written() -> None:
    board = json.dumps(
        fpuzzles_board(title="Tea", author="Ann", ruleset="Some.", text=[{"cells": ["R1C1"]}])
    )
    found = only(ask("read", text=board), "puzzle")
    assert (found["name"], found["author"], found["rules_text"]) == ("Tea", "Ann", "Some.")
    again = json.loads(only(ask("write", puzzle=found, to="fpuzzles"), "text")["text"])
    assert again == json.loads(board)


def test_drawings_that_no_message_holds_are_told() -> None:
    link = link_of(fpuzzles_board(line=[{"lines": [["R1C1"] * 20]}] * 1000))
    found = only(ask("read", text=link), "puzzle")
    assert "drawings" not in found
    assert "too large to be kept" in found["unread"]


def test_needless_rules_are_told_and_candidates_counted_to_the_cap() -> None:
    puzzle = {**entry(satdoku.parse(SMALL)), "rules": ["killer:10=r1c1,r1c2,r1c3,r1c4"]}
    assert only(ask("look", puzzle=puzzle), "needless")["rules"] == puzzle["rules"]
    puzzle["cells"] = [0] * 16
    found = only(ask("look", puzzle=puzzle, cap=3, want=["candidates"]), "candidates")
    assert found["cap"] == 3
    assert {number for cell in found["cells"] for _, number in cell} == {3}
    assert "error" in ask("look", puzzle=puzzle, cap=0)[0]


def test_a_link_carries_a_position() -> None:
    puzzle = entry(satdoku.parse(SMALL))
    free = [cell for cell, digit in enumerate(puzzle["cells"]) if not digit]
    entered = [digit or (1 if cell == free[0] else 0) for cell, digit in enumerate(puzzle["cells"])]
    position: dict[str, Any] = {"marks": {str(free[1]): [1, 2]}, "corner": {str(free[2]): [3]}}
    for to in ("fpuzzles", "link:fpuzzles", "link:sudokupad"):
        text = only(ask("write", puzzle=puzzle, to=to, entered=entered, **position), "text")["text"]
        found = only(ask("read", text=text), "puzzle")
        assert found["cells"] == puzzle["cells"]
        assert found["entered"] == entered
        assert {name: found[name] for name in position} == position
    # Without a position the link has that which the puzzle came with.
    again = only(ask("write", puzzle=found, to="fpuzzles"), "text")["text"]
    assert only(ask("read", text=again), "puzzle")["entered"] == entered
    bare = only(ask("write", puzzle=puzzle, to="fpuzzles"), "text")["text"]
    assert "entered" not in only(ask("read", text=bare), "puzzle")
    assert "error" in ask("write", puzzle=puzzle, to="fpuzzles", corner={"x": [1]})[0]
    odd = {**puzzle, "drawings": {"f-puzzles": {"grid": {"0": 5, "x": {"value": "a"}, "99": {}}}}}
    assert only(ask("write", puzzle=odd, to="fpuzzles", entered=entered), "text")
