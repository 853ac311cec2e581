"""Patterns by their names, and steps that are whole; a judge without SAT agrees with each."""

import re
from functools import reduce
from itertools import combinations
from operator import or_
from pathlib import Path

import pytest

from satdoku.explaining.board import candidates_of, excluded_by, find_board
from satdoku.explaining.explain import Scope, explain
from satdoku.explaining.marks import marks_of_step
from satdoku.explaining.step import Level, Technique, petals_of
from satdoku.explaining.techniques import chains, colouring, cores
from satdoku.explaining.techniques.cores import USUAL
from satdoku.explaining.techniques.strong_links import every_fins
from satdoku.explaining.trace import digits_after, left_after
from satdoku.explaining.words.explanation import describe
from satdoku.explaining.words.names import Names
from satdoku.explaining.words.steps import Teller, write_eureka
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from tests.boards import HARD, read_grid
from tests.crossing import sampled
from tests.each import for_each
from tests.explaining.judging import StepJudge
from tests.explaining.samples import BLOSSOM, MEDUSA, explained, of_file, ruled_puzzle, way_of
from tests.variants import ours

# One step is a finned chain; none is a net.
FINNED_CHAIN = "8.7......9.....48..3..5.......46...7..1.9..6....7.82...9...1..51.2...6...54..79.."
# Five steps are finned chains.
MANY_FINNED = ".....5.4231.2..7...6.7..5.....98.....9.3.2.1...3.54.....78.9.5...9...6...3......7"

# Each is reached by a way that names these.
NAMED = {
    "....2..4..7...6....1.5.....2......8....3..7..4.9.........6..1.38...9..........5..": {
        Technique.WXYZ_WING,
    },
    MEDUSA: {Technique.MEDUSA},
    FINNED_CHAIN: {Technique.FINNED_CHAIN},
    BLOSSOM: {Technique.DEATH_BLOSSOM, Technique.FISH_CHAIN},
}
ALS_W_WING = "...6.......8.9..1...6.154........97152..7...4...8..2..7..3........56...246...7..."


@sampled(2, "line", NAMED)
def test_patterns_have_the_names_that_players_use(line: str) -> None:
    way = explained(Puzzle(read_grid(line))).way
    assert way.is_full
    assert {step.technique for step in way.steps} >= NAMED[line]


def test_a_w_wing_of_sets_has_their_digit_at_both_ends() -> None:
    puzzle = Puzzle(read_grid(ALS_W_WING))
    way = explained(puzzle).way
    StepJudge(puzzle).judge(way)
    (step,) = (step for step in way.steps if step.technique is Technique.ALS_W_WING)
    one, link, other = step.chain
    outer, inner = (
        {way.board.placements[c].digit for mask in ends for c in candidates_of(mask)}
        for ends in ((one.off, other.on), (link.off, link.on))
    )
    assert (outer, inner) == ({3}, {6})
    assert max(len(one.truths), len(other.truths)) > 1 == len(link.truths)
    assert link.truths[0].unit is not None


def test_a_blossom_is_told_and_drawn_petal_by_petal() -> None:
    puzzle = Puzzle(read_grid(BLOSSOM))
    way = explain(puzzle).way
    StepJudge(puzzle).judge(way)
    number = [step.technique for step in way.steps].index(Technique.DEATH_BLOSSOM)
    step = way.steps[number]
    digits = digits_after(way, number)
    teller = Teller(way, is_eureka=True)
    assert teller.sentence(step, digits) == (
        "in row 7, 7 can only be in r7c2, r7c3 or r7c5: if r7c2=7, then r4c2 is not 7, so r4c2=6 "
        "(only digit left); if r7c3=7, then neither r7c2 nor r8c1 is 7, so one of r8c1 and r9c1 is "
        "6 (r7c2, r8c1 and r9c1 then have only 6, 8 and 9 left, 6 only in r8c1 and r9c1); if "
        "r7c5=7, then r8c6 is not 7, so r6c6=6 (r6c6 and r8c6 then have only 3 and 6 left, 6 only "
        "in r6c6). In each case r6c1 sees a 6, so r6c1≠6"
    )
    drawn = [
        tuple(map(way.board.name_of, (link.first, link.second)))
        for link in marks_of_step(way.board, step, digits).links
    ]
    assert drawn[:2] == [("r7c2=7", "r4c2=7"), ("r4c2=7", "r4c2=6")]
    assert len(drawn) == 2 * len(step.chain)


def test_a_loop_says_what_follows_from_its_inner_links() -> None:
    puzzle = Puzzle(
        read_grid(
            "........583...2.......7...22..3......56....9....2..61.4.....1...95...3....1.947.."
        )
    )
    told = [line for line in describe(explain(puzzle, Scope(Level.CHAINS))) if " Loop: " in line]
    assert [line.split("So ", 1)[1] for line in told] == [
        "r3c3=4 or r3c2=4; r1c2, r2c3, r3c4 and r3c7 see both, so r1c2≠4, r2c3≠4, r3c4≠4, r3c7≠4. "
        "The chain is a loop: r3c2=4 also means that r3c3 is not 4, which starts it again. So if "
        "r4c3 is not 9, it leads round to r3c3=9: one of r3c3 and r4c3 is 9, so r2c3≠9."
    ]


def test_a_finned_chain_says_which_its_fins_are() -> None:
    puzzle = Puzzle(read_grid(FINNED_CHAIN))
    explanation = explain(puzzle)
    StepJudge(puzzle).judge(explanation.way)
    told = [line for line in describe(explanation) if "Finned chain" in line]
    assert [line.split(": ", 1)[1] for line in told] == [
        "if r9c9 is not 1 and the fin r7c7 is not 8, then r3c9=1 (only 1 left in column 9), "
        "so r3c7 is not 1, then r3c7=7 (only digit left), so r7c7 is not 7, then r7c7=3 (only "
        "digit left without the fin r7c7=8), so neither r7c1 nor r7c3 is 3, then r9c1=3 (only 3 "
        "left in box 7), so r9c5 is not 3, then r9c5=8 (only digit left). So r9c9=1 or r9c5=8, or "
        "the fin r7c7 is 8. If r9c9=1, it is not 8; otherwise one of r7c7 and r9c5 is 8, and r9c9 "
        "sees both; so r9c9≠8."
    ]
    steps = [s for s in explanation.way.steps if s.technique is Technique.FINNED_CHAIN]
    for step in steps:
        assert write_eureka(Names(explanation.way.board), step) == ""


def test_what_a_finned_chain_excludes_sees_its_ends_and_its_fins() -> None:
    seen = 0
    for line in (FINNED_CHAIN, MANY_FINNED, BLOSSOM):
        way = explained(Puzzle(read_grid(line))).way
        for step in way.steps:
            if step.technique is not Technique.DEATH_BLOSSOM:
                fins = [link.fins(step.before) for link in step.chain]
                assert any(fins) == (step.technique is Technique.FINNED_CHAIN)
                if any(fins):
                    seen += 1
                    parts = step.chain[0].off | step.chain[-1].on | reduce(or_, fins)
                    assert all(not parts & ~way.board.links[gone] for gone in step.excludes)
    assert seen > 3


FINNED = "9...182....5.......7.93.....29..3.8.3..6..7.27............9....1.73.2..6..8..6..5"


def test_a_swordfish_with_fins_says_which_they_are() -> None:
    explanation = explained(Puzzle(read_grid(FINNED)))
    told = [line for line in describe(explanation) if "Finned swordfish" in line]
    assert [line.split(": ", 1)[1] for line in told] == [
        "in rows 1, 4 and 9, 7 can only be in columns 4, 5 and 8, apart from the fin r1c9; so it "
        "is 7, or each of these columns has its 7 in one of these rows; so r2c8≠7."
    ]


WINGS = {
    "W-wing": "(1=2)x-(2)x=(2)x-(2=1)x",
    "M-wing": "(1=2)x-(2)x=(2)x-(1)x=(1)x",
    "M3-wing": "(1=2)x-(2)x=(2)x-(3)x=(3)x",
    "S-wing": "(1)x=(1)x-(1=2)x-(2)x=(2)x",
    "L-wing": "(1)x=(1)x-(2)x=(2)x-(1)x=(1)x",
    "L2-wing": "(1)x=(1)x-(1)x=(1)x-(2)x=(2)x",
    "L3-wing": "(1)x=(1)x-(2)x=(2)x-(3)x=(3)x",
    "H1-wing": "(1)x=(1)x-(1)x=(1)x-(1=2)x",
    "H2-wing": "(1)x=(1)x-(1=2)x-(2=1)x",
    "iW-wing": "(1)x=(1)x-(2)x=(2)x-(2)x=(2)x-(1)x=(1)x",
}


@pytest.mark.slow
def test_wings_have_the_names_of_what_forums_write() -> None:
    """By the chain as it is written there, with other cells and digits, from either end."""

    def shape(chain: str) -> str:
        plain = re.sub(r"r[\d,rc]+|x", "", chain.split(" =>")[0])
        names: dict[str, str] = {}
        return re.sub(r"\d", lambda found: names.setdefault(found[0], str(len(names))), plain)

    seen = set()
    for puzzle in of_file("stubborn", 60):
        way = explain(puzzle, Scope(Level.CHAINS)).way
        names = Names(way.board)
        for step in way.steps:
            if step.chain:
                written = shape(write_eureka(names, step))
                either = {written, shape(written[::-1].translate(str.maketrans("()", ")(")))}
                named = {name for name, chain in WINGS.items() if shape(chain) in either}
                # Those with parts of several cells, and those that close, have names of their own.
                if step.technique not in (Technique.LOOP, Technique.GROUPED_CHAIN):
                    is_named = step.technique.value in WINGS
                    assert named == ({step.technique.value} if is_named else set())
                    seen |= named
    assert len(seen) > 5


def in_a_line(text: str) -> str:
    return " ".join(text.split())


OTHERS = ("Hidden single", "Rules together")


def test_the_steps_on_the_page_are_told_of_puzzles() -> None:
    """All but those of the puzzle that is drawn there, and the one of cages."""
    root = Path(__file__).parents[3]
    page = (root / "docs" / "explaining.md").read_text()
    blocks = re.findall(r"^```\n((?:[A-Z]|3D).*?)^```", page, re.DOTALL | re.MULTILINE)
    steps = [in_a_line(block) for block in blocks if not block.startswith(OTHERS)]
    texts = [path.read_text() for path in (root / "tests" / "golden").glob("*-usual.txt")]
    texts += ["\n".join(describe(explained(Puzzle(read_grid(line))))) for line in (FINNED, *NAMED)]
    told = in_a_line(" ".join(texts))
    assert len(steps) == 6
    assert [step for step in steps if step not in told] == []


BOUNDS = {
    r"It is told, on up to (\d+) truths,": colouring._MOST_TRUTHS,
    r"on\nup to (\d+) truths: XYZ-wing": chains._MOST_TRUTHS,
    r"a board has more than (\d+) candidates left": cores._MANY,
    r"a single question takes more than (\d+) conflicts": USUAL.patience,
    r"a puzzle have taken more than ([\d,]+),": USUAL.conflicts,
}


@for_each("pattern", BOUNDS)
def test_the_bounds_that_the_page_names_are_those_of_the_search(pattern: str) -> None:
    page = (Path(__file__).parents[3] / "docs" / "explaining.md").read_text()
    found = re.search(pattern, page)
    assert found is not None
    assert int(found[1].replace(",", "")) == BOUNDS[pattern]


@pytest.mark.slow
def test_fins_exclude_what_every_choice_does() -> None:
    bare = []
    for puzzle in (Puzzle(read_grid(FINNED)), *of_file("stubborn", 4)):
        way = explain(puzzle, Scope(Level.BASIC)).way
        left = left_after(way, len(way.steps))
        of_rows = [t for t in way.board.truths if t.unit is not None and t.unit.kind == "row"]
        for truths in combinations(of_rows, 3):
            if len({truth.digit for truth in truths}) == 1:
                fins = next(every_fins(way.board, left, truths), None)
                every = excluded_by([t.members for t in truths], way.board.links, left)
                if fins is not None and every is not None:
                    assert not fins.excludes & ~every
                    bare.append(fins.is_bare)
    assert set(bare) == {False, True}


def test_cases_exclude_what_else_their_truths_do() -> None:
    """The old code told one candidate at a time."""
    cases = [step for step in way_of(HARD).steps if step.technique is Technique.CASES]
    assert max(len(step.excludes) for step in cases) > 1
    for step in cases:
        assert step.excludes == tuple(story.suppose for story in step.stories)
        told = {truth.number for story in step.stories for truth in story.truths()}
        assert told == {truth.number for truth in step.truths}


# What the same search finds under other rules, and words that these use.
RULED = {
    "diagonals": (
        {Technique.TURBOT_FISH, Technique.LOCKED},
        "in the falling diagonal, 6 can only be in",
    ),
    "regions": ({Technique.XY_WING, Technique.SKYSCRAPER, Technique.NAKED_TRIPLE}, "of region "),
    "anti-knight": ({Technique.LOCKED, Technique.POINTING}, "each of which sees "),
}


@pytest.mark.parametrize("rule", RULED)
def test_patterns_of_other_rules_are_told_in_their_words(rule: str) -> None:
    techniques, words = RULED[rule]
    if rule == "regions":
        puzzle = next(v.puzzle for v in ours() if v.name.endswith("regions 3x3"))
    else:
        puzzle = ruled_puzzle(rule, 1 if rule == "anti-knight" else 0)
    explanation = explain(puzzle)
    assert explanation.way.is_full
    assert {step.technique for step in explanation.way.steps} >= techniques
    text = "\n".join(describe(explanation))
    assert words in text
    assert rule != "diagonals" or "(only 5 left in the rising diagonal)" in text


@pytest.mark.slow
def test_what_a_chain_says_is_so() -> None:
    """Each link by its truths, each pair of ends by their links."""
    seen = set()
    for puzzle in (*map(Puzzle, map(read_grid, NAMED)), ruled_puzzle("anti-knight", 0)):
        way = explain(puzzle, Scope(Level.PATTERNS, keeps_all_steps=True)).way
        links = way.board.links
        for step in way.steps:
            seen.add(step.technique)
            for link in step.chain:
                # Where none of `off` holds, the truths leave no choice without one of `on`.
                left = step.before & ~link.off
                outside = 1 << len(links)
                meets = [outside if link.on >> c & 1 else 0 for c in range(len(links))]
                joined = [mask | more for mask, more in zip(links, meets, strict=True)]
                masks = [truth.members & left for truth in link.truths]
                assert excluded_by(masks, [*joined, 0], outside) == outside
            if step.technique is Technique.DEATH_BLOSSOM:
                # Whatever holds of the stem leads to its petal, and that to the same end.
                petals = list(petals_of(step, links))
                assert sum(petal is not None for _, petal in petals) == len(step.chain)
                reached = [petal.on if petal else 1 << member for member, petal in petals]
                ends = [e for e in step.excludes if all(not on & ~links[e] for on in reached)]
                assert ends
                assert all(not petal.off & ~links[m] for m, petal in petals if petal)
                continue
            for one, other in zip(step.chain, step.chain[1:], strict=False):
                assert all(not other.off & ~links[c] for c in candidates_of(one.on))
    assert seen >= {Technique.GROUPED_CHAIN, *NAMED[BLOSSOM]}


@pytest.mark.parametrize("number", [0, 3, 7])
def test_a_printed_step_excludes_all_that_it_could_on_the_drawn_board(number: int) -> None:
    """The old code left out what an idle step had taken before."""
    way = explain(of_file("stubborn", 10)[number]).way
    for step in way.steps:
        if step.places is None and not step.stories:
            left = left_after(way, step.number - 1)
            every = excluded_by([t.members for t in step.truths], way.board.links, left)
            assert every is None or set(candidates_of(every)) == set(step.excludes)


def test_no_step_of_an_argument_was_overtaken() -> None:
    """Of the old code's argument, step 18 excludes what is gone since step 12."""
    line = ".2.5...8...5..9....7......1.......13.....39..1..296..743.8......5..4..7...2...6.."
    explanation = explain(Puzzle(read_grid(line)))
    assert explanation.verdict is Verdict.NONE
    way = explanation.way
    for step in way.steps:
        left = left_after(way, step.number - 1)
        assert step.before == left
        if step.places is None:
            assert all(left >> candidate & 1 for candidate in step.excludes)


def test_all_steps_are_kept_when_asked_for() -> None:
    puzzle = of_file("stubborn", 6)[1]
    short, whole = (explain(puzzle, Scope(keeps_all_steps=kept)).way for kept in (False, True))
    assert len(whole.steps) == len(short.steps) + short.left_out
    assert whole.left_out == 0
    assert find_board(puzzle).puzzle == puzzle
