"""Rules that a text states beside its board: as `--rule` takes them, or in words.

Without its rules the board is another puzzle. Rules as `--rule` takes them are applied if the text
has only one puzzle; for rules in words, a message names the option that would apply them.
"""

import re
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache

from satdoku.errors import PlacedError
from satdoku.notation.bounds import MOST_LINES, MOST_PASTED
from satdoku.notation.line_kind import is_data
from satdoku.notation.plain_lines import MISTAKABLE, plain_board
from satdoku.puzzle.rules.registry import GROUPS, RULES, is_rule, require_rule_name

_CLASSIC = ("rows", "columns", "boxes")

# Every check of a file imports this module and needs few of the patterns, so `re` compiles each at
# its first use.
# Text before a rule on its line: signs of comments and lists, and labels such as `rules:`.
_SIGNS = frozenset("\ufeff#>*•/%-")
_BEFORE = r"\A[\ufeff\s#>*•/%-]*"
_LABELS = ("rule", "constraint", "variant")
_MARKER = r"(?i)(?:[a-z]+\s+)?(?:rules?|constraints?|variants?)\s*[:=]\s*"
_FIRST_CELLS = frozenset("0123456789._")
_NAMES = "|".join(sorted((name for group in GROUPS.values() for name in group), key=len)[::-1])
_CELL = r"[rR]\d+(?:-\d+)?[cC]\d|row\d|col\d"
# `Normal sudoku rules apply, anti-knight`: phrases that may precede further rules.
_USUAL = ("normal", "standard", "classic", "usual", "regular", "ordinary")
_AS_USUAL = r"(?i)(?:normal|standard|classic|usual|regular|ordinary) (?:sudoku )?rules(?: apply)?"
_TITLE = r"(?i)\s+(?:sudoku|puzzle)\s*$"
_WORD_IN_ARGUMENT = r"\s(?![rR]\d|row\d|col\d)[A-Za-z]"


@cache
def _between_rules() -> "re.Pattern[str]":
    """Return the pattern of text before a further rule; compiled at its first use."""
    pattern = rf"(?:\s*[,;]\s*|\s+(?:and|&|\+)\s+|\s+)(?=(?:{_NAMES})(?:\s*:|[\s,;.]|$))"
    return re.compile(pattern, re.IGNORECASE)


def stated_rules(line: str) -> list[str]:
    """Return the rules of a line as `--rule` takes them; empty if the line has anything else.

    Without a label such as `rules:`, an argument has to name cells, as some rule names are everyday
    words.

    >>> stated_rules("# anti-knight, anti-king"), stated_rules("rule: killer:6=r1c1-3")
    (['anti-knight', 'anti-king'], ['killer:6=r1c1-3'])
    >>> stated_rules("sum: 45"), stated_rules("Rules: Normal sudoku rules apply.")
    ([], [])
    """
    # Fast path: most lines begin with a cell, and are no rules.
    if line[:1] in _FIRST_CELLS:
        return []
    rest = line.strip()
    if rest[:1] in _SIGNS:
        # Remove all signs at once: one by one, a line of a million signs would be copied a million
        # times.
        rest = re.sub(_BEFORE, "", rest, count=1)
    lower = rest.lower()
    is_labelled = any(label in lower for label in _LABELS)
    marker = re.match(_MARKER, rest) if is_labelled else None
    rest = rest[marker.end() :] if marker else rest
    if not rest[:1].isalpha() or not (marker or _may_begin_with_rule(lower)):
        return []
    found = [piece.strip().rstrip(".").strip() for piece in _between_rules().split(rest)]
    if re.fullmatch(_AS_USUAL, found[0]):
        del found[0]
    return found if all(_is_rule(piece, marker is not None) for piece in found) else []


def _may_begin_with_rule(line: str) -> bool:
    """Whether the first word of a line in lower case is a rule, or may precede rules."""
    word = line.replace(",", " ").replace(";", " ").partition(":")[0].split()[0].rstrip(".")
    return word in RULES or word in _USUAL


def rules_behind(line: str) -> list[str]:
    """Return the rules after the board of a line; empty if the line has anything else.

    >>> rules_behind("." * 81 + "  anti-knight sudoku"), rules_behind("." * 81 + " anti-hero")
    (['anti-knight'], [])
    """
    board, _, behind = line.strip().partition(" ")
    rules = stated_rules(re.sub(_TITLE, "", behind)) if behind else []
    return rules if rules and plain_board(board) is not None else []


def _is_rule(text: str, is_marked: bool) -> bool:
    name, colon, argument = text.partition(":")
    name = name.strip().lower()
    if name in _CLASSIC and not is_marked:
        return False
    # Rules of other packages are looked up only if a text says that it has rules: a look-up for the
    # name of each line would take longer than reading a bank of puzzles.
    if name not in RULES and not (is_marked and is_rule(name)):
        return False
    takes_argument = bool(require_rule_name(name).example)
    if takes_argument != bool(argument.strip()) or (colon and not argument.strip()):
        return False
    has_cells = bool(re.search(_CELL, argument)) and not re.search(_WORD_IN_ARGUMENT, argument)
    return not colon or is_marked or has_cells


@cache
def words_of_rules() -> tuple[str, ...]:
    """Return words such that every text that states a rule has one of them.

    These are the names of rules without an argument, and the colon before an argument.
    """
    return (":", *(name for name in RULES if not RULES[name].example))


# English names of rules, which are kept here as they are no property of a rule: the rule as
# `--rule` takes it, the names of equivalent rules, and the pattern of its English names.
_SPOKEN = (
    ("anti-knight", "anti-move", r"anti[- ]?knights?|knight['\u2019]?s?[- ]move"),
    ("anti-king", "anti-move", r"anti[- ]?kings?|king['\u2019]?s?[- ]move|no touch(?:ing)?"),
    ("little-killer:DIAGONAL=SUM", "sum", r"little[- ]killers?"),
    ("killer:SUM=CELLS", "sum rellik equality-cage", r"(?<!little )(?<!little-)killers?|cages?"),
    ("thermo:CELLS", "slow-thermo", r"thermo(?:meter)?s?"),
    ("arrow:CIRCLE=CELLS", "double-arrow sum", r"arrows?(?! keys?\b)"),
    ("diagonals", "diagonal", r"diagonals?|sudoku[- ]x|x[- ]sudoku"),
    ("windoku", "extra-region", r"windoku|hyper[- ]?sudoku"),
    ("regions:LETTERS", "hidden-regions", r"jigsaws?|irregular|nonominoe?s?|latin squares?"),
    ("hidden-regions:count=CELL", "", r"chaos construction"),
    ("non-consecutive", "kropki no-difference", r"non[- ]?consecutive"),
    ("kropki:white=CELLS", "difference ratio no-difference no-ratio", r"kropki"),
    ("xv:x=CELLS", "pair-sum no-sum", r"xv"),
    ("sandwich:LINE=SUM", "", r"sandwich(?:es)?"),
    ("skyscraper:LINE=NUMBER", "hidden-skyscraper", r"skyscrapers?"),
    ("x-sum:LINE=SUM", "", r"x[- ]sums?"),
    ("palindrome:CELLS", "", r"palindromes?"),
    ("whispers:5=CELLS", "", r"whispers?"),
    ("renban:CELLS", "", r"renbans?"),
    ("zipper:CELLS", "", r"zipper lines?"),
    ("region-sum:CELLS", "", r"region sum lines?"),
    ("between:CELLS", "", r"between lines?"),
    ("quadruple:DIGITS=CELL", "contain", r"quadruples?"),
    ("disjoint-groups", "", r"disjoint"),
    ("extra-region:CELLS", "windoku killer", r"extra[- ]regions?"),
    ("odd:CELLS", "even candidates", r"odd[- ](?:cells?|digits?|sudoku)"),
    ("even:CELLS", "odd candidates", r"even[- ](?:cells?|digits?|sudoku)"),
)
# Each name above contains one of these stems, and so does a label such as `rules:`.
_STEMS = (
    *("knight", "king", "touch", "killer", "cage", "thermo", "arrow", "diagonal", "doku"),
    *("jigsaw", "irregular", "nonomino", "latin", "chaos", "consecutive", "kropki", "xv", "sum"),
    *("sandwich", "skyscraper", "palindrome", "whisper", "renban", "zipper", "between"),
    *("quadruple", "disjoint", "region", "odd", "even", "rule"),
)
_SHORTEST_WORD = "[A-Za-z]{4}|XV|xv"
# Ignored words: addresses and tags, and strings of ISS (from a dot on), which state all rules.
_SILENT = r"\S*://\S*|<[^>]{0,300}>|(?:^|(?<=\s))\.[A-Z~]\S*|\S{100,}"
_MARKED = r"(?i)[\s#>*•/%-]*(?:further |special |additional )?rules?\s*[:=]\s*(\S.*)"
_NORMAL = (
    r"(?i)(?:(?:normal|standard|classic|usual|regular|ordinary)\s+)?(?:sudoku(?:\s+rules)?|rules|"
    r"classic|normal|standard|as usual|none|no)(?:\s+apply)?[.!]?"
)

_MOST_NAMED = 10
"""At most this many rules are named and the others counted, as a killer has up to forty cages."""


@cache
def _spoken_pattern() -> "re.Pattern[str]":
    """Return the pattern of all English names of rules; compiled at its first use."""
    words = "|".join(f"({words})" for *_, words in _SPOKEN)
    return re.compile(rf"\b(?:{words})\b", re.IGNORECASE)


Spoken = tuple[str, str, frozenset[str]]
"""The words of a text, the rule that means the same here, and the names of equivalent rules."""


@lru_cache(maxsize=256)
def spoken_rules(text: str) -> tuple[Spoken, ...]:
    """Return the known variants that a text names in words.

    >>> [(words, rule) for words, rule, _ in spoken_rules("No knight's move, please.")]
    [("knight's move", 'anti-knight')]
    """
    lower = text.lower()
    # Fast path: to compile the pattern takes longer than to check a puzzle.
    if not _has_stem(lower):
        return ()
    found = []
    heard = re.sub(_SILENT, " ", text)
    # Most strings of ISS have stems in silent words only.
    for match in _spoken_pattern().finditer(heard) if _has_stem(heard.lower()) else ():
        rule, others, _ = _SPOKEN[(match.lastindex or 1) - 1]
        found.append((match[0], rule, frozenset([rule.partition(":")[0], *others.split()])))
    marked = re.match(_MARKED, text) if "rule" in lower else None
    # A line that is labelled as rules has some, even if their names are unknown.
    is_normal = marked and re.fullmatch(_NORMAL, marked[1].strip())
    if not found and marked and not is_normal and not stated_rules(text):
        found.append((" ".join(marked[1].split())[:60], "", frozenset()))
    return tuple(found)


def _has_stem(lower: str) -> bool:
    """Whether a text in lower case has a stem of a rule's name."""
    return any(stem in lower for stem in _STEMS)


@lru_cache(maxsize=1024)
def says_variant(text: str) -> bool:
    """Return whether a word for the kind of a puzzle names a rule or a known variant."""
    return bool(stated_rules(f"rules: {text}") or spoken_rules(text))


def _noted(line: str) -> tuple[Spoken, ...]:
    """Return the rules that a line states in words; fast for lines without any, as most are."""
    return () if re.search(_SHORTEST_WORD, line) is None else spoken_rules(line)


def spoken_of_rule(rule: str) -> Spoken:
    """Return a rule as `--rule` takes it in the form of `Spoken`."""
    return rule, rule, frozenset([rule.partition(":")[0].strip().lower()])


def describe_applied(rules: Sequence[str]) -> str:
    """Return a message that these stated rules are applied; empty if there are none.

    >>> describe_applied(["anti-knight"])
    'the text states anti-knight, which is applied'
    """
    named = ", ".join(rules[:_MOST_NAMED])
    more = f" and {len(rules) - _MOST_NAMED} more" if len(rules) > _MOST_NAMED else ""
    are = "is" if len(rules) == 1 else "are"
    return f"the text states {named}{more}, which {are} applied" if rules else ""


def describe_spoken(spoken: Sequence[Spoken], rules: Collection[str]) -> str:
    """Return a message with the stated rules that a puzzle lacks; empty if it lacks none."""
    # Each variant is named once, by the words that name it first.
    named = {rule: words for words, rule, names in spoken[::-1] if names.isdisjoint(rules)}
    told = (
        f"the text names {words!r}, which is not applied; --rule {rule or 'RULE'} applies it"
        for rule, words in named.items()
    )
    return "; ".join(told)


_MOST_SMALL = 17
"""Most lines of 16 cells for a 16x16 board with a line above it."""


class StatedLines(Iterator[str]):
    """The lines of a text; those that state rules are noted.

    `look_ahead` reads a short text whole, as far as its lines have arrived; if these state a rule,
    it waits for the rest. A file of many puzzles is recognised by its second one, and is read line
    by line. A fault of reading, such as damaged data, is raised behind the lines before it.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self._ahead: deque[str] = deque()
        self._fault: PlacedError | None = None
        self.spoken: list[Spoken] = []
        """The rules in words that were found since the last `take_spoken`."""
        self.stated: dict[int, list[str]] = {}
        """The rules as `--rule` takes them in a short text, by line number."""

    def __next__(self) -> str:
        if self._ahead:
            return self._ahead.popleft()
        if self._fault is not None:
            raise self._fault
        line = next(self._lines)
        self._note_comment(line)
        return line

    def _note_comment(self, line: str) -> None:
        # In a file of many puzzles only comments are searched: searching the names after cells
        # would take longer than solving the puzzles.
        if line[:1] == "#":
            self.spoken += [*_noted(line), *map(spoken_of_rule, stated_rules(line))]

    def look_ahead(self, is_at_hand: Callable[[], bool]) -> list[str] | None:
        """Return all lines of a short text; None if it is long, or its end has not arrived yet."""
        characters = boards = 0
        while is_at_hand() or self._must_go_on():
            try:
                line = next(self._lines, None)
            except PlacedError as fault:
                self._fault = fault
                break
            if line is None:
                return self._note_all()
            self._ahead.append(line)
            characters += len(line)
            bare = line.strip()
            if is_data(bare) and plain_board(bare.partition(" ")[0]) is not None:
                boards += 1 if len(bare) == MISTAKABLE else _MOST_SMALL
            if boards > _MOST_SMALL or characters > MOST_PASTED or len(self._ahead) > MOST_LINES:
                break
        self._note_first()
        if self._fault is not None and self.stated:
            raise self._fault  # the puzzle of these rules may be behind it
        return None

    def _must_go_on(self) -> bool:
        """Whether to wait for the next line: for the first, and for the end of a text with rules.

        Otherwise it would depend on the speed of a pipe whether a rule is applied.
        """
        return not self._ahead or any(
            stated_rules(line) or rules_behind(line) for line in self._ahead
        )

    def _note_first(self) -> None:
        """Note the rules that the first lines of a long text state."""
        # In a file with a puzzle on each line, a line that begins with a letter is no puzzle.
        for number, line in enumerate(self._ahead, 1):
            self._note_comment(line)
            self.spoken += map(spoken_of_rule, rules_behind(line))
            if line[:1].isalpha():
                self.spoken += _noted(line)
                if rules := stated_rules(line):
                    self.stated[number] = rules

    def _note_all(self) -> list[str]:
        """Remember the rules in the lines that were read ahead, and return these lines."""
        for number, line in enumerate(self._ahead, 1):
            if rules := stated_rules(line) or rules_behind(line):
                self.stated[number] = rules
            else:
                self.spoken += _noted(line)
        return list(self._ahead)

    def go_on_with(self, lines: Iterable[str]) -> None:
        """Continue with these lines in place of those that were read ahead."""
        self._ahead = deque(lines)

    def take_spoken(self) -> list[Spoken]:
        """Return the rules in words that were found since the last call."""
        found, self.spoken = self.spoken, []
        return found
