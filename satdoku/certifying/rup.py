"""Check that a DRAT proof refutes a formula, without trusting the solver or the encoder.

A proof is a list of clauses, the lemmas, each of which must follow from the formula and the lemmas
before it; the last one is the empty clause, which nothing satisfies. A lemma follows by

* RUP, reverse unit propagation: make all its literals false and propagate. If that is a conflict
  (all literals of some clause are false), the clauses imply the lemma.
* RAT, resolution asymmetric tautology, tried when RUP fails: for every clause with the negation
  of the lemma's first literal, the lemma together with the rest of that clause is RUP. Such a lemma
  may exclude models, but never all of them, so a refutation that uses it is still a refutation.

The deletion of a clause that forces a literal is ignored, as by drat-trim: a solver drops such a
clause but keeps the literal, which would lose its reason here. Ignoring a deletion is always sound:
more clauses imply at least as much, and RAT has more of them to check. So the deletion of an
unknown clause is no error, either. Both kinds are counted.

A proof is read as text: `1 -2 0` adds a clause, `d 1 -2 0` deletes one.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from satdoku.errors import CertificateError, quote

# Unit propagation: when all literals of a clause but one are false, that one is true
#
# Literals that follow from the clauses alone stay on the trail, so that each check starts from
# there. Clauses are visited rarely. In a clause of two literals, each literal is implied when the
# other becomes false. A longer clause is *watched* at two of its literals that are not false: while
# both are not false, the clause implies nothing; when one becomes false, another literal is watched
# instead, and if there is none, the other watched literal is implied. Undoing assignments never
# breaks this.
#
# Clauses are numbered from 1 in the order in which they came, deleted ones included, and each true
# literal has the number of the clause that implied it: these numbers are the hints of a proof.
#
# Most proofs of puzzles delete nothing and need no RAT. So the two tables that find a clause by its
# literals are built on first use: without them a clause takes a third of the memory.


class ClauseIndex:
    """Clauses numbered from 1 in the order in which they came; removed ones keep their numbers."""

    def __init__(self, clauses: Iterable[Sequence[int]]) -> None:
        self._clauses: list[Sequence[int]] = []
        self._removed: set[int] = set()
        self._numbers_of: dict[frozenset[int], list[int]] | None = None
        self._numbers_with: dict[int, list[int]] | None = None
        for clause in clauses:
            self.add(clause)

    def __getitem__(self, number: int) -> Sequence[int]:
        return self._clauses[number - 1]

    def numbers(self) -> Iterable[int]:
        """Return the numbers of all clauses that are not removed."""
        return (n for n in range(1, len(self._clauses) + 1) if n not in self._removed)

    def add(self, literals: Sequence[int]) -> int:
        """Add a clause and return its number."""
        if 0 in literals:
            raise ValueError("0 is not a literal")
        self._clauses.append(literals)
        number = len(self._clauses)
        if self._numbers_of is not None:
            self._numbers_of.setdefault(frozenset(literals), []).append(number)
        if self._numbers_with is not None:
            self._note_literals(self._numbers_with, number)
        return number

    def remove(self, literals: Iterable[int]) -> int | None:
        """Remove one copy of a clause, in any order of literals, and return its number or None."""
        if self._numbers_of is None:
            self._numbers_of = {}
            for number in self.numbers():
                self._numbers_of.setdefault(frozenset(self[number]), []).append(number)
        numbers = self._numbers_of.get(frozenset(literals))
        if not numbers:
            return None
        number = numbers.pop()
        self._removed.add(number)
        return number

    def numbers_with(self, literal: int) -> Sequence[int]:
        """Return the numbers of the clauses that have a literal."""
        if self._numbers_with is None:
            self._numbers_with = {}
            for number in self.numbers():
                self._note_literals(self._numbers_with, number)
        # Drop removed clauses from the table, so that each is skipped only once.
        found = [n for n in self._numbers_with.get(literal, ()) if n not in self._removed]
        self._numbers_with[literal] = found
        return found

    def _note_literals(self, table: dict[int, list[int]], number: int) -> None:
        for literal in set(self[number]):
            table.setdefault(literal, []).append(number)


# Clauses between two checks of the time limit: some milliseconds.
_BETWEEN_LOOKS = 1024

_ASSUMED = 0
"""The reason, in place of a clause number, of literals assumed by the current check."""


class ClauseDatabase:
    """The current clauses, and the trail of the literals that they imply.

    >>> database = ClauseDatabase([(1,), (-1, 2), (-2, 3, 4)])
    >>> database.implies([2]), database.implies([3]), database.implies([4, 3])
    (True, False, True)
    """

    def __init__(
        self, clauses: Iterable[Sequence[int]], require_time: Callable[[], None] = lambda: None
    ) -> None:
        """Add the clauses; `require_time` is called regularly meanwhile and may raise an error."""
        self._index = ClauseIndex(clauses)
        # For a true literal: the binary clauses that become unit, with the implied literal.
        self._implied: defaultdict[int, dict[int, int]] = defaultdict(dict)
        # Numbers of the clauses that watch a literal, by that literal.
        self._watching: defaultdict[int, list[int]] = defaultdict(list)
        # The literals of longer clauses during propagation; the first two are watched.
        self._rests: dict[int, list[int]] = {}
        self._trail: list[int] = []
        self._true: set[int] = set()
        self._reasons: dict[int, int] = {}
        self._settled = 0  # the length of the trail that has been propagated
        self.refuting_clause = 0
        """The clause in which propagation alone finds a conflict, or 0."""
        # Units come first, since they shorten the others.
        numbers = sorted(self._index.numbers(), key=lambda number: len(self.literals(number)))
        for place, number in enumerate(numbers):
            if place % _BETWEEN_LOOKS == 0:
                require_time()
            self._attach(number)
        self.settle()

    @property
    def is_refuted(self) -> bool:
        """Whether propagation alone finds a conflict."""
        return self.refuting_clause != 0

    def literals(self, number: int) -> Sequence[int]:
        """Return the literals of a clause by its number."""
        return self._index[number]

    @property
    def facts(self) -> Sequence[int]:
        """Return the literals that the clauses alone imply, in the order of their derivation."""
        return self._trail

    def reason(self, literal: int) -> int:
        """Return the number of the clause that implied a fact."""
        return self._reasons[literal]

    def add(self, literals: Sequence[int]) -> int:
        """Add a clause and return its number.

        No check is in progress here, so literals that are false now stay false.
        """
        number = self._index.add(literals)
        self._attach(number)
        return number

    def _attach(self, number: int) -> None:
        true = self._true
        clause = dict.fromkeys(self.literals(number))  # some solvers write a literal twice
        if not true.isdisjoint(clause):
            return
        rest = [literal for literal in clause if -literal not in true]
        if len(rest) > 2:
            self._rests[number] = rest
            self._watching[rest[0]].append(number)
            self._watching[rest[1]].append(number)
        elif len(rest) == 2:
            self._implied[-rest[0]][number] = rest[1]
            self._implied[-rest[1]][number] = rest[0]
        elif rest:
            self._assign(rest[0], number)
        elif not self.refuting_clause:
            self.refuting_clause = number

    def delete(self, literals: Sequence[int]) -> bool:
        """Delete one copy of a clause; False if it does not exist or forces a literal."""
        false = sum(-literal in self._true for literal in set(literals))
        forces = false == len(set(literals)) - 1 and not self._true.isdisjoint(literals)
        number = None if forces else self._index.remove(literals)
        if number is None:
            return False
        if number in self._rests:
            del self._rests[number]  # `_visit_watchers` skips clauses without a rest
        else:
            for literal in literals:
                self._implied[-literal].pop(number, None)
        return True

    def settle(self) -> None:
        """Propagate the literals that the clauses alone imply; they stay on the trail."""
        if not self.refuting_clause:
            self.refuting_clause = self._propagate(self._settled)
        self._settled = len(self._trail)

    def implies(self, literals: Iterable[int]) -> bool:
        """Whether making all these literals false and propagating gives a conflict."""
        start = len(self._trail)
        has_conflict = self._find_conflict(literals) is not None
        self._take_back(start)
        return has_conflict

    def explain(self, literals: Iterable[int]) -> list[int] | None:
        """Like `implies`, but return the numbers of the clauses used, in the order of their use.

        Facts are not explained again.
        """
        start = len(self._trail)
        conflict = self._find_conflict(literals)
        used = None if conflict is None else self._trace(conflict, start)
        self._take_back(start)
        return used

    def clauses_with(self, literal: int) -> list[Sequence[int]]:
        """Return the current clauses that have the literal."""
        return [self.literals(number) for number in self._index.numbers_with(literal)]

    def _find_conflict(self, literals: Iterable[int]) -> int | None:
        """Return the clause that conflicts if all literals are false, or None.

        Return `_ASSUMED` if two of them are negations of each other.
        """
        start = len(self._trail)
        for literal in literals:
            if literal in self._true:
                return self._reasons[literal]
            if -literal not in self._true:
                self._assign(-literal, _ASSUMED)
        return self._propagate(start) or None  # no clause has the number 0

    def _trace(self, conflict: int, start: int) -> list[int]:
        """Return the clauses that lead to a conflict, by going back along the trail."""
        if conflict == _ASSUMED:
            return []
        used = [conflict]
        wanted = set(self.literals(conflict))
        for literal in reversed(self._trail[start:]):
            if -literal in wanted and self._reasons[literal] != _ASSUMED:
                used.append(self._reasons[literal])
                wanted.update(self.literals(self._reasons[literal]))
        used.reverse()
        return used

    def _take_back(self, start: int) -> None:
        self._true.difference_update(self._trail[start:])
        del self._trail[start:]

    def _assign(self, literal: int, reason: int) -> None:
        self._true.add(literal)
        self._trail.append(literal)
        self._reasons[literal] = reason

    def _propagate(self, start: int) -> int:
        """Propagate the trail from `start`, binary clauses first.

        Return the number of a conflicting clause, or 0.
        """
        true, trail, implied, reasons = self._true, self._trail, self._implied, self._reasons
        visited = start
        while visited < len(trail):
            while start < len(trail):
                for number, literal in implied[trail[start]].items():
                    if literal not in true:
                        if -literal in true:
                            return number
                        true.add(literal)
                        trail.append(literal)
                        reasons[literal] = number
                start += 1
            conflict = self._visit_watchers(-trail[visited])
            if conflict:
                return conflict
            visited += 1
        return 0

    def _visit_watchers(self, false: int) -> int:
        """Find each clause that watches `false` another literal to watch, or imply its last one."""
        watchers = self._watching[false]
        self._watching[false] = staying = []
        for position, number in enumerate(watchers):
            rest = self._rests.get(number)
            if rest is None:
                continue  # deleted
            if rest[0] == false:
                rest[0], rest[1] = rest[1], false
            other = rest[0]
            if other not in self._true and self._moves_watch(number, rest):
                continue
            staying.append(number)
            if -other in self._true:
                # On a conflict, the clauses not yet visited keep their watches.
                staying += watchers[position + 1 :]
                return number
            if other not in self._true:
                self._assign(other, number)
        return 0

    def _moves_watch(self, number: int, rest: list[int]) -> bool:
        """Swap the second watched literal for one that is not false; return whether one exists."""
        for index in range(2, len(rest)):
            literal = rest[index]
            if -literal not in self._true:
                rest[1], rest[index] = literal, rest[1]
                self._watching[literal].append(number)
                return True
        return False


# Literals fit into 32 bits, as in drat-trim.
_LITERAL = re.compile(r"-?[1-9][0-9]{0,9}")
_LARGEST_LITERAL = 2**31 - 1


class ProofStep(NamedTuple):
    """A lemma to check and add, or a clause to delete; its line in the proof, from 1."""

    line: int
    literals: tuple[int, ...]
    is_deletion: bool = False


def read_proof(lines: Iterable[str], source: str = "<proof>") -> Iterator[ProofStep]:
    """Yield the steps of a textual DRAT proof; a step ends at its 0, wherever the lines break.

    >>> [step.literals for step in read_proof(["1 -2 0  d 3 0"])]
    [(1, -2), (3,)]
    """
    literals: list[int] = []
    start, is_deletion = 0, False
    for line, content in enumerate(lines, 1):
        for token in _tokens(content, source):
            start = start or line
            if token == "0":
                yield ProofStep(start, tuple(literals), is_deletion)
                literals, start, is_deletion = [], 0, False
            elif token != "d":
                literals.append(_literal(token, source, line))
            elif literals or is_deletion:
                raise CertificateError("'d' inside a step", source, line)
            else:
                is_deletion = True
    if start:
        raise CertificateError("the last step has no closing 0", source, start)


def _tokens(content: str, source: str) -> list[str]:
    if "\0" in content:
        raise CertificateError("the proof is binary, only textual DRAT is read", source)
    return [] if content.startswith("c") else content.split()


def _literal(token: str, source: str, line: int) -> int:
    if not _LITERAL.fullmatch(token) or abs(int(token)) > _LARGEST_LITERAL:
        raise CertificateError(f"{quote(token)} is not a literal", source, line)
    return int(token)


@dataclass(frozen=True, slots=True)
class ProofStatistics:
    """Statistics of a checked proof; steps after the refutation are not counted."""

    lemmas: int  # all checked lemmas, RUP or RAT
    rat_lemmas: int
    deletions: int


def check_proof(
    clauses: Iterable[Sequence[int]],
    proof: Iterable[ProofStep],
    source: str = "<proof>",
    require_time: Callable[[], None] = lambda: None,
) -> ProofStatistics:
    """Raise CertificateError at the first step that does not follow, or if nothing is refuted.

    `require_time` is called before each check and may raise any error to stop.

    >>> check_proof([(1, 2), (1, -2), (-1, 2), (-1, -2)], [ProofStep(1, (1,))]).lemmas
    1
    """
    database = ClauseDatabase(clauses, require_time)
    lemmas = rat_lemmas = deletions = line = 0
    for step in proof:
        if database.is_refuted:
            break
        line = step.line
        require_time()
        if step.is_deletion:
            deletions += 1
            database.delete(step.literals)
            continue
        lemmas += 1
        if not database.implies(step.literals):
            if not _is_rat(database, step.literals, require_time):
                text = " ".join(map(str, (*step.literals[:20], 0)))
                raise CertificateError(f"the lemma {text!r} does not follow", source, line)
            rat_lemmas += 1
        database.add(step.literals)
        database.settle()
    if not database.is_refuted:
        raise CertificateError("the proof ends without the empty clause", source, line)
    return ProofStatistics(lemmas, rat_lemmas, deletions)


def _is_rat(
    database: ClauseDatabase, lemma: Sequence[int], require_time: Callable[[], None]
) -> bool:
    if not lemma:
        return False
    for clause in database.clauses_with(-lemma[0]):
        require_time()
        if not database.implies((*lemma, *(x for x in clause if x != -lemma[0]))):
            return False
    return True


# LRAT proofs: checked by following hints, without any search
#
# Where all hints are followed, only this part has to be trusted. Time and memory are linear in the
# total length of the clauses named by hints. Each lemma names the clauses that imply it:
#
#     731 -5 17 0 12 40 3 0      lemma 731 is the clause -5 17; clauses 12, 40 and 3 imply it
#     731 d 729 730 0            deletes clauses 729 and 730
#
# The clauses of the formula are numbered from 1 in their order; lemmas get higher numbers, in
# ascending order. The hints of a lemma are in the order of their use: make all literals of the
# lemma false; then each hint has a single literal left, which becomes true, and the last has none.
# The format is that of `lrat-check`, which comes with drat-trim. Its negative hints, for lemmas
# that are RAT but not RUP, are refused: solvers need no such lemmas for puzzles.

# Numbers have at most ten digits: as in lrat-check, all must fit into 32 bits.
_LEMMA = re.compile(r"[1-9]\d{0,9}((?: -?[1-9]\d{0,9})*) 0((?: [1-9]\d{0,9})*) 0", re.ASCII)
_DELETION = re.compile(r"[1-9]\d{0,9} d((?: [1-9]\d{0,9})*) 0", re.ASCII)
_LARGEST = 2**31 - 1


class HintedStep(NamedTuple):
    """A lemma with its number and hints, or a deletion of the clauses that are its hints."""

    line: int
    number: int
    literals: tuple[int, ...]
    hints: tuple[int, ...]
    is_deletion: bool = False


def read_hinted_proof(lines: Iterable[str], source: str = "<proof>") -> Iterator[HintedStep]:
    """Yield the steps of a textual LRAT proof, one per line.

    >>> next(read_hinted_proof(["5 1 0 2 3 0"]))
    HintedStep(line=1, number=5, literals=(1,), hints=(2, 3), is_deletion=False)
    """
    for line, text in enumerate(lines, 1):
        step = text.strip()
        if not step or step.startswith("c"):
            continue
        lemma, deletion = _LEMMA.fullmatch(step), _DELETION.fullmatch(step)
        if lemma is not None:
            literals, hints = _numbers(lemma[1]), _numbers(lemma[2])
        elif deletion is not None:
            literals, hints = (), _numbers(deletion[1])
        else:
            raise CertificateError(
                f"{quote(step, 40)} is not a step of an LRAT proof", source, line
            )
        number = int(step.partition(" ")[0])
        if max(number, *map(abs, literals), *hints, 0) > _LARGEST:
            raise CertificateError("a number is too large for an LRAT proof", source, line)
        yield HintedStep(line, number, literals, hints, deletion is not None)


def write_lemma(step: HintedStep) -> str:
    """Return the line of a lemma.

    >>> write_lemma(HintedStep(1, 5, (1,), (2, 3)))
    '5 1 0 2 3 0\\n'
    """
    return " ".join(map(str, (step.number, *step.literals, 0, *step.hints, 0))) + "\n"


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


def check_hints(
    clauses: Iterable[Sequence[int]],
    proof: Iterable[HintedStep],
    source: str = "<proof>",
    require_time: Callable[[], None] = lambda: None,
    every: int = 1,
) -> ProofStatistics:
    """Raise CertificateError at the first lemma not implied by its hints, or if none is empty.

    `require_time` is called before each step and may raise any error to stop. Only the hints of
    `every` so many lemmas, and of the empty one, are followed.

    >>> formula = [(1, 2), (1, -2), (-1, 2), (-1, -2)]
    >>> proof = [HintedStep(1, 5, (1,), (1, 2)), HintedStep(2, 6, (), (5, 3, 4))]
    >>> check_hints(formula, proof).lemmas
    2
    """
    checker = _Checker(dict(enumerate(clauses, 1)), source, every)
    line = 0
    for step in proof:
        require_time()
        line = step.line
        if step.is_deletion:
            checker.delete(step)
        else:
            checker.add(step)
            if not step.literals:
                return ProofStatistics(checker.lemmas, 0, checker.deletions)
    raise CertificateError("the proof ends without the empty clause", source, line)


class _Checker:
    """The current clauses by their numbers."""

    def __init__(self, clauses: dict[int, Sequence[int]], source: str, every: int) -> None:
        self._every = every
        self._clauses = clauses
        # The clauses named by hints, as sets, since a clause may contain a literal twice.
        self._sets: dict[int, frozenset[int]] = {}
        self._source = source
        self._highest = len(clauses)
        self.lemmas = self.deletions = 0

    def delete(self, step: HintedStep) -> None:
        """Delete clauses; an unknown one is no error, as in DRAT."""
        for number in step.hints:
            self.deletions += 1
            self._clauses.pop(number, None)
            self._sets.pop(number, None)

    def add(self, step: HintedStep) -> None:
        """Add a lemma that its hints imply."""
        if step.number <= self._highest:
            raise self._error(step, f"the number {step.number} is not above {self._highest}")
        if self.lemmas % self._every == 0 or not step.literals:
            self._require_shown(step)
        self._clauses[step.number] = step.literals
        self._highest = step.number
        self.lemmas += 1

    def _require_shown(self, step: HintedStep) -> None:
        false, sets = set(step.literals), self._sets
        for hint in step.hints:
            try:
                (literal,) = (sets.get(hint) or self._set_of(hint, step)) - false
            except ValueError:  # no literal left, as usual for the last hint, or several
                left = self._set_of(hint, step) - false
                if left:
                    fault = f"clause {hint} has {len(left)} literals left"
                    raise self._error(step, fault) from None
                return
            false.add(-literal)
        raise self._error(step, "its hints end without a contradiction")

    def _set_of(self, number: int, step: HintedStep) -> frozenset[int]:
        clause = self._clauses.get(number)
        if clause is None:
            raise self._error(step, f"there is no clause {number}")
        made = self._sets[number] = frozenset(clause)
        return made

    def _error(self, step: HintedStep, fault: str) -> CertificateError:
        return CertificateError(
            f"lemma {step.number} does not follow: {fault}", self._source, step.line
        )
