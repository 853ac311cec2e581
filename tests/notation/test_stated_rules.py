"""A text that states a rule is never read without it in silence."""

import json
import re
import warnings
from collections.abc import Sequence
from pathlib import Path

import pytest

import satdoku
from satdoku.errors import RuleError, SatdokuError
from satdoku.notation.reading import PuzzleReader
from satdoku.notation.stated_rules import (
    _SPOKEN,
    _STEMS,
    _spoken_pattern,
    describe_applied,
    spoken_rules,
    stated_rules,
)
from satdoku.serving.asks import answer
from tests.commands import SMALL, run
from tests.each import for_each

LINE = "..7..3....3......14..1.8..3...........8.6..............5....................5...9"
ROWS = [LINE[at : at + 9] for at in range(0, 81, 9)]
CAGES = ["killer:6=r1c1-3", "killer:5=r1-2c4"]


def read(lines: Sequence[str], is_at_hand: bool = True) -> list[tuple[list[str], str]]:
    """The rules of each puzzle of a text, and what is said beside it."""
    reader = PuzzleReader(lines, "f", is_at_hand=lambda: is_at_hand)
    found = []
    for record in reader:
        puzzle = reader.parser(record, reader.bare_puzzle(record))
        found.append((puzzle.rule_texts, reader.unread(record)))
    return found


@for_each(
    "lines",
    [
        ["rules: anti-knight", *ROWS],
        ["Rule: Anti-Knight.", "", LINE],
        ["# anti-knight", LINE],
        [f"{LINE}  anti-knight sudoku"],
        ["normal sudoku rules apply, anti-knight", *ROWS],
        ["Rules: Normal rules apply and anti-knight.", LINE],
        [*ROWS, "", "anti-knight"],
        [LINE, "rules: anti-knight"],
        ["Hello,", "can anybody solve this?", *ROWS, "variant: anti-knight", "Thanks, Bob"],
    ],
)
def test_a_rule_beside_the_only_board_is_applied_and_told(lines: list[str]) -> None:
    [(rules, said)] = read(lines)
    assert rules == ["anti-knight"]
    assert "which is applied" in said


def test_cages_below_a_board_are_applied() -> None:
    [(rules, said)] = read([*["...."] * 4, *CAGES])
    assert [rule.partition("=")[0] for rule in rules] == ["killer:6", "killer:5"]
    assert said == f"the text states {', '.join(CAGES)}, which are applied"
    [(same, said)] = read([*ROWS, "", "killer cages: 6 in r1c1-3, 5 in r1-2c4"])
    assert said == f"the text states {', '.join(same)}, which are applied"
    assert [rule.partition("=")[0] for rule in same] == ["killer:6", "killer:5"]


@for_each(
    "line, option",
    [
        ("Cells separated by a knight's move cannot contain the same digit.", "anti-knight"),
        ("normal sudoku rules apply, anti-knight or not", "anti-knight"),
        ("Diagonal sudoku (X)", "diagonals"),
        ("killer cages: see the picture", "killer:SUM=CELLS"),
        ("Rules: digits in a cell must smile", "RULE"),
    ],
)
def test_a_variant_in_words_is_named_with_its_option(line: str, option: str) -> None:
    for lines in ([line, "", *ROWS], [*ROWS, "", line]):
        [(rules, said)] = read(lines)
        assert rules == []
        assert f"which is not applied; --rule {option} applies it" in said


@for_each(
    "lines",
    [
        ["Rules: Normal sudoku rules apply.", "", *ROWS],
        ["Hello all, this is a hard one:", *ROWS, "Use the arrow keys. Thanks!"],
        ["Puzzle 7: https://example.com/killer-sudoku", *ROWS],
        [f"{LINE} easy # from the newspaper"],
        [".AntiKnight.~R1C1_1"],
        [json.dumps({"puzzle": LINE, "type": "easy", "kind": "9x9", "variant": None})],
    ],
)
def test_ordinary_texts_raise_no_alarm(lines: list[str]) -> None:
    [(_, said)] = read(lines)
    assert said == ""


def test_rules_among_several_puzzles_are_refused_or_told() -> None:
    with pytest.raises(RuleError, match="f:1:1: it is not clear to which puzzle this rule belongs"):
        read(["rules: anti-knight", LINE, LINE.replace("7", "6")])
    [(rules, said), _] = read(["# anti-knight", LINE, LINE.replace("7", "6")])
    assert (rules, "--rule anti-knight applies it" in said) == ([], True)
    [(rules, said), _] = read([f"{LINE} anti-knight", LINE.replace("7", "6")])
    assert (rules, "--rule anti-knight applies it" in said) == ([], True)


@for_each("is_at_hand", [True, False])
def test_rules_are_applied_whatever_the_speed_of_a_pipe(is_at_hand: bool) -> None:
    for lines in (["# anti-knight", LINE], [f"{LINE} anti-knight"], ["rules: anti-knight", LINE]):
        [(rules, said)] = read(lines, is_at_hand)
        assert (rules, said) == (["anti-knight"], describe_applied(["anti-knight"]))


@for_each("rule", ["nonsense", "nonsense:r1c1,r2c2"])
def test_an_unknown_rule_above_a_board_gets_a_word(rule: str) -> None:
    [(_, said)] = read([f"rules: {rule}", LINE])
    assert f"names {rule!r}, which is not applied" in said


def test_everyday_words_are_no_rules() -> None:
    for line in ("sum: 45", "regions: see below", "boxes", "5 3 . | . 7 .", "digits: 81 of them"):
        assert (stated_rules(line), spoken_rules(line)) == ([], ())


@for_each("key", ["variant", "Type", "kind"])
def test_a_word_for_the_kind_of_a_puzzle_is_applied_or_refused(key: str) -> None:
    for lines in (
        [json.dumps({"puzzle": LINE, key: "anti-knight"})],
        [f"puzzle,{key}", f"{LINE},anti-knight"],
    ):
        [(rules, said)] = read(lines)
        assert rules == ["anti-knight"]
        assert "applied as a rule" in said
        with pytest.raises(SatdokuError, match="names 'killer', but no rule beside"):
            read([line.replace("anti-knight", "killer sudoku") for line in lines])


def test_the_command_the_library_and_the_page_say_it(tmp_path: Path) -> None:
    path = tmp_path / "knight.txt"
    path.write_text("\n".join(["rules: anti-knight", *ROWS]))
    result = run("solve", path, "--json")
    assert "which is applied" in result.stderr
    assert json.loads(result.stdout)["rules"] == ["anti-knight"]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert satdoku.parse(path.read_text()).rule_texts == ["anti-knight"]
    assert "which is applied" in str(caught[0].message)
    text = f"{SMALL} an anti-knight sudoku"
    (part,) = answer(
        {"ask": "read", "text": text}, type("Going", (), {"is_set": lambda _: False})()
    )
    assert "--rule anti-knight applies it" in part["unread"]


def test_every_word_of_a_variant_has_a_stem() -> None:
    """Texts without one are passed over before they are searched."""
    for rule, _, words in _SPOKEN:
        # The alternatives at the top; those in brackets are endings.
        plain = re.sub(r"\(\?<?[!:][^()]*\)", "", words)
        for word in plain.split("|"):
            assert any(stem in word for stem in _STEMS), rule


def test_the_names_of_all_rules_are_not_compiled_for_a_string_of_another_program() -> None:
    """Compiling them takes as long as to read the string, which states its rules itself."""
    _spoken_pattern.cache_clear()
    assert not spoken_rules(".Cage~3~R1C1~R1C2.XSum~R1~20~")
    assert not _spoken_pattern.cache_info().currsize
    assert [rule for _, rule, _ in spoken_rules("killer .Cage~4~R1C1~R1C2")] == ["killer:SUM=CELLS"]
