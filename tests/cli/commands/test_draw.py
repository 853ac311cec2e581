"""`satdoku draw`, and `--draw` of the commands that answer."""

import re
import struct
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests.cli.interrupting import interrupt_after
from tests.commands import (
    AMBIGUOUS,
    CLASHING,
    EASY,
    EASY_SOLUTION,
    SMALL,
    SMALL_SOLUTION,
    require_failure,
    run,
)

NAMESPACE = "{http://www.w3.org/2000/svg}"


def digits_in(svg: str, prefix: str = "") -> str:
    """The large digits of a drawn board in the order of its cells, of which all are filled."""
    found = {}
    for group in ElementTree.fromstring(svg).iter(f"{NAMESPACE}g"):
        name = group.get("id", "")
        if name.startswith(f"{prefix}r"):
            row, column = name[len(prefix) + 1 :].split("c")
            found[int(row), int(column)] = group[0].text or ""
    return "".join(found[place] for place in sorted(found))


def boards_in(svg: str) -> list[str]:
    """The ids of the boards of a drawing with several."""
    return re.findall(r'<g id="board-\d+"', svg)


def test_svg_goes_to_stdout() -> None:
    drawn = run("draw", EASY)
    assert (drawn.code, drawn.stderr) == (0, "")
    assert digits_in(drawn.stdout) == EASY.replace(".", "")


def test_solutions_are_drawn_where_they_are_asked_for() -> None:
    assert digits_in(run("draw", EASY, "--solution").stdout) == EASY_SOLUTION


def test_puzzles_come_first_and_solutions_at_the_end() -> None:
    drawn = run("draw", SMALL, EASY, "--solutions-at-end").stdout
    assert digits_in(drawn, "board-1-") == SMALL.replace(".", "")
    assert digits_in(drawn, "board-3-") == SMALL_SOLUTION
    assert digits_in(drawn, "board-4-") == EASY_SOLUTION


def test_the_exit_code_speaks_of_solutions_only_where_they_are_wanted() -> None:
    assert run("draw", AMBIGUOUS).code == 0
    assert run("draw", AMBIGUOUS, "--solution").code == 10
    clashing = run("draw", CLASHING, "--solution")
    assert clashing.code == 20
    assert "r1c1 and r1c2 are both 5" in clashing.stderr
    assert 'class="frame-clashing"' in clashing.stdout


def test_a_fault_is_said_and_the_rest_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{EASY}\n{EASY[:-1]}%\n{EASY}\n")
    drawn = run("draw", path)
    assert drawn.code == 1
    assert "puzzles.txt:2" in drawn.stderr
    assert len(boards_in(drawn.stdout)) == 2


def test_nothing_is_drawn_of_nothing() -> None:
    drawn = run("draw", "-")
    assert drawn.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-o", "x.gif"), "ends in .svg, .png, .pdf or .txt"),
        (("--solution", "--candidates"), "--solution leaves no place"),
        (("--timeout", "3"), "needs --solution or --solutions-at-end"),
        (("--per-page", "0"), "--per-page"),
    ],
)
def test_what_cannot_apply_is_refused(arguments: tuple[str, ...], message: str) -> None:
    refused = run("draw", SMALL, *arguments)
    assert refused.code == 2
    assert message in refused.stderr


def test_an_existing_file_stays_unless_forced(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    path.write_text("mine")
    assert run("draw", SMALL, "-o", path).code == 1
    assert path.read_text() == "mine"
    assert run("draw", SMALL, "-o", path, "--force").code == 0
    assert path.read_text().startswith("<?xml")


def test_an_image_has_one_page(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    refused = run("draw", SMALL, SMALL, "--per-page", "1", "-o", path)
    assert refused.code == 1
    assert "2 boards need 2 pages" in refused.stderr
    assert not path.exists()


def test_a_pdf_has_puzzles_and_then_solutions(tmp_path: Path) -> None:
    pytest.importorskip("reportlab")
    path = tmp_path / "a.pdf"
    options = ("--per-page", "2", "--solutions-at-end", "--title", "Some", "--footer", "Thing")
    assert run("draw", SMALL, SMALL, SMALL, *options, "-o", path).code == 0
    assert b"/Count 4" in path.read_bytes()


def test_check_and_solve_draw_their_answers(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    checked = run("check", EASY, "--draw", path)
    assert checked.stdout == "unique\n"
    assert digits_in(path.read_text()) == EASY_SOLUTION
    assert run("check", AMBIGUOUS, "--draw", path, "--force").code == 10
    assert path.read_text().count('class="frame-different"') == 8
    assert run("solve", SMALL, "--any", "--draw", path, "--force").stdout == f"{SMALL_SOLUTION}\n"
    assert digits_in(path.read_text()) == SMALL_SOLUTION


def test_many_answers_are_drawn_in_order_whatever_the_number_of_jobs(tmp_path: Path) -> None:
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text(f"{SMALL}\n{AMBIGUOUS}\n" * 4)
    drawings = []
    for jobs in (1, 2):
        path = tmp_path / f"{jobs}.svg"
        assert run("check", puzzles, "--draw", path, "--jobs", jobs, "-q").code == 10
        drawings.append(path.read_bytes())
    assert drawings[0] == drawings[1]
    assert len(boards_in(drawings[0].decode())) == 12


@pytest.mark.parametrize("option", ["--draw", "--html"])
def test_a_folder_that_is_not_there_is_told_before_the_work(option: str, tmp_path: Path) -> None:
    path = tmp_path / "missing" / f"puzzle.{'svg' if option == '--draw' else 'html'}"
    result = run("explain", EASY, option, path)
    assert result.stdout == ""
    require_failure(result, f"{path} cannot be written: No such file or directory")


def test_draw_is_refused_where_there_is_no_one_answer(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    assert run("solve", SMALL, "-n", "2", "--draw", path).code == 2
    output = ("-o", tmp_path / "out.txt", "--resume")
    assert run("check", SMALL, "--draw", path, *output).code == 2
    same = run("check", SMALL, "--draw", path, "-o", path)
    assert same.code == 2
    assert "written already" in same.stderr


def test_generate_draws_puzzles_and_their_solutions(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    made = run("generate", "--box", "2x2", "--seed", "1", "--with-solution", "--draw", path)
    puzzle, solution = made.lines
    assert digits_in(path.read_text(), "board-1-") == puzzle.replace(".", "")
    assert digits_in(path.read_text(), "board-2-") == solution


def test_explain_draws_its_steps(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    explained = run("explain", SMALL, "--brief", "--draw", path)
    # The givens, the steps, and the solution; the last line of the text is the summary.
    boards = len(explained.lines) - 1 + 2
    assert len(boards_in(path.read_text())) == boards
    assert digits_in(path.read_text(), f"board-{boards}-") == SMALL_SOLUTION
    assert run("explain", SMALL, "--why", "r1c1", "--draw", path, "--force").code == 2


@pytest.mark.parametrize(("output", "name"), [(None, "the drawing"), ("x.svg", "x.svg")])
def test_ctrl_c_says_that_nothing_is_drawn(
    output: str | None, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("satdoku.answering.output.ending.Tally.add", interrupt_after(2))
    options = [] if output is None else ["-o", output]
    result = run("draw", EASY, AMBIGUOUS, SMALL, *options)
    assert (result.code, result.stdout) == (130, "")
    assert f"{name} is not written" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_true_candidates_are_drawn_as_small_digits(tmp_path: Path) -> None:
    path = tmp_path / "true.svg"
    answer = run("candidates", "1.....2........4", "--draw", path, "--flat")
    assert answer.code == 10
    small: dict[str, str] = {}
    for group in ElementTree.fromstring(path.read_text()).iter(f"{NAMESPACE}g"):
        if re.fullmatch(r"r\dc\d", group.get("id", "")):
            small[group.get("id", "")] = "".join(text.text or "" for text in group)
    assert len(small) == 16
    assert small["r3c2"] == "134"
    assert small["r1c1"] == "1"
    assert run("candidates", SMALL, "--draw", tmp_path / "true.gif").code == 2


@pytest.mark.parametrize(("height", "is_told"), [(400, False), (20_000, True)])
def test_a_picture_that_is_too_high_is_told(
    height: int, is_told: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To paint such a picture takes ten seconds, so here are only the first bytes of one."""
    pytest.importorskip("resvg_py")
    image = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 400, height)
    monkeypatch.setattr("satdoku.cli.commands.draw.write_sketches", lambda *_: image)
    told = run("draw", EASY, "-o", tmp_path / "steps.png").stderr
    assert ("20,000 pixels high; a name that ends in .pdf makes pages" in told) is is_told


def test_ratings_stand_below_the_boards(tmp_path: Path) -> None:
    path = tmp_path / "three.txt"
    path.write_text(f"{EASY}\n{AMBIGUOUS}\n{SMALL}\n")
    drawn = run("draw", path, "--rating").stdout
    assert drawn.count("easy (0)") == 2
    assert drawn.count("no rating: ") == 1
    assert "easy (0)" not in run("draw", path).stdout


def test_boards_are_drawn_in_characters(tmp_path: Path) -> None:
    ruled = ("draw", "1...............", "--rule", "killer:7=r1c1-2", "-q")
    drawn = run(*ruled, "--text").stdout
    assert drawn.startswith("┌7──────┬───────┐\n│ 1   . │ .   . │\n│╌╌╌ ╌╌╌│       │\n")
    assert drawn.endswith("dashed cages: no digit twice, and the sum is the number in the corner\n")
    assert run(*ruled, "-o", str(tmp_path / "b.txt")).code == 0
    assert (tmp_path / "b.txt").read_text("utf-8") == drawn
    require_failure(run(*ruled, "--text", "-o", "x.svg"), "--text", code=2)


def test_a_code_leads_to_the_puzzle_and_what_no_code_holds_is_said(tmp_path: Path) -> None:
    plain = run("draw", SMALL).stdout
    drawn = run("draw", SMALL, "--qr", "link:sudokupad").stdout
    assert 'class="code"' in drawn
    assert 'class="code"' not in plain
    refused = run("draw", SMALL, "--rule", "machine:3=r1c1,r1c2", "--qr", "link:fpuzzles")
    assert refused.code in (0, 1)
    told = run("draw", SMALL, "--rule", "sum:5=r1c1,r1c2", "--qr", "link:fpuzzles").stdout
    assert "no QR code" in told


def test_pages_are_as_large_as_the_paper(tmp_path: Path) -> None:
    for paper, size in (("a4", b"595 842"), ("letter", b"612 792")):
        path = tmp_path / f"{paper}.pdf"
        assert run("draw", SMALL, "--paper", paper, "-o", path).code == 0
        assert b"/MediaBox [ 0 0 " + size in path.read_bytes()
