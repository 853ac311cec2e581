"""Steps of boards of any shape follow from what they name."""

import json

from tests.commands import run
from tests.each import for_each

LACKING = "board:6x5:digits=6"  # its rows have five of six digits


@for_each(
    "command, box, rows, rules",
    [
        (
            "hint --technique swordfish",
            LACKING,
            [".6..3", "...64", ".21.6", ".16..", ".....", ".4..."],
            [
                *("pair-sum:5=r2c1,r2c2", "pair-sum:5=r6c3,r6c4"),
                *("renban:r3c2,r3c3,r3c4", "whispers:2=r1c1,r1c2,r1c3"),
            ],
        ),
        (
            "explain --assume-unique",
            LACKING,
            [".56.4", ".....", "42.56", "165..", "6.4..", "5..2."],
            [],
        ),
        (
            "hint --technique junior-exocet",
            "board:3x9:boxes=3x3",
            [".679.3.4.", "..3...67.", "8...5..29"],
            ["sum:6=r1c5,r1c6,r1c7", "pair-sum:5=r2c4,r2c5"],
        ),
        (
            "explain",
            "board:4x4:boxes=2x2:beside=X",
            [".1.2", "....", "....", "34.."],
            ["sum:0=r1c1,-X"],
        ),
        (
            "explain",
            "board:4x4:boxes=2x2:beside=D*4x4",
            ["...."] * 4,
            ["doublers:D", "killer:7=r1c1,r2c1", "killer:3=r1c3,r1c4", "killer:5=r4c2,r4c3"],
        ),
    ],
)
def test_steps_of_boards_that_are_no_squares_are_proved(
    command: str, box: str, rows: list[str], rules: list[str]
) -> None:
    puzzle = json.dumps({"puzzle": rows, "box": box, "rules": rules})
    result = run(*command.split(), "-", stdin=puzzle)
    # One of the puzzles has several solutions.
    assert result.code == (10 if "exocet" in command else 0), result
