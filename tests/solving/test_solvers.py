"""The table of abilities against python-sat itself: every entry is tried for real."""

import subprocess
import sys
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satdoku.certifying.rup import check_proof, read_proof
from satdoku.encoding.choices import Encoding, Status
from satdoku.encoding.variables import blocking_clause
from satdoku.errors import SatdokuError, SolverError
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.session import Session
from satdoku.solving.solvers import AUTOMATIC, SOLVERS, STAGES, Can, find_solver
from tests.boards import HARD, HARD_SOLUTION
from tests.crossing import sampled
from tests.each import for_each
from tests.formulas import clauses_of_grid
from tests.solvers import INSTALLED, needs, present

# Each program comes to its end where the solver has the ability. Where it lacks it, an assertion
# fails, python-sat raises an error, or the process crashes.
PROGRAMS = {
    Can.SLICE: """
for _ in range(3):
    solver.conf_budget(2)
    assert solver.solve_limited() is None
""",
    Can.WARM: """
solver.start_mode(warm=True)
assert solver.solve() is False
# Three literals of 180 variables, at random: some thousand conflicts for so many models.
rng, several = Random(1), Solver(name, warm_start=True)
for _ in range(738):
    literals = rng.sample(range(1, 181), 3)
    several.add_clause([rng.choice([each, -each]) for each in literals])
for _ in range(300):
    assert several.solve() is True
    several.add_clause([-each for each in several.get_model()])
""",
    Can.CONTINUE: """
assert solver.solve() is False
solver.delete()
solver = Solver(name, bootstrap_with=[[1, 2]])
assert solver.solve() is True
solver.add_clause([-1])
assert solver.solve() is True
solver.add_clause([-2])
assert solver.solve() is False
""",
    Can.HINT: """
solver.set_phases([-1, 2])
assert solver.solve() is False
""",
    Can.INTERRUPT: """
solver.interrupt()
assert solver.solve_limited(expect_interrupt=True) is None
""",
    Can.COUNT: "assert solver.solve() is False and solver.accum_stats()['conflicts'] > 0",
}

TRIED = Can.SLICE | Can.WARM | Can.CONTINUE | Can.COUNT | Can.HINT | Can.INTERRUPT

START = """
import sys
from itertools import combinations
from random import Random
from pysat.solvers import Solver
name = sys.argv[1]
holes = 8 if sys.argv[2] in ('SLICE', 'INTERRUPT') else 5
clauses = [[holes * p + hole + 1 for hole in range(holes)] for p in range(holes + 1)]
clauses += [[-a, -b] for column in zip(*clauses) for a, b in combinations(column, 2)]
solver = Solver(name, bootstrap_with=clauses)
"""


def cases(is_able: bool, abilities: Can) -> list[tuple[str, Can]]:
    return [
        (name, ability)
        for name in INSTALLED
        for ability in Can
        if ability in abilities and (ability in SOLVERS[name].can) is is_able
    ]


@for_each("name, ability", cases(True, TRIED))
def test_what_a_solver_can_works(name: str, ability: Can) -> None:
    program = compile(START + PROGRAMS[ability] + "\nis_able = True", ability.name or "", "exec")
    names: dict[str, object] = {}
    argv = sys.argv
    sys.argv = ["program", name, str(ability.name)]
    try:
        exec(program, names)  # it has assertions of its own
    finally:
        sys.argv = argv
    assert names["is_able"]


@pytest.mark.slow
@pytest.mark.parametrize(
    # A hint that is ignored does no harm, so this one is not tried.
    ("name", "ability"),
    cases(False, TRIED & ~Can.HINT),
)
def test_what_a_solver_lacks_fails_in_python_sat(name: str, ability: Can) -> None:
    """A test of python-sat, in a process of its own: kissat asked twice aborts."""
    program = START + PROGRAMS[ability] + "\nprint('yes')"
    run = subprocess.run(
        [sys.executable, "-c", program, name, str(ability.name)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode != 0
    assert "yes" not in run.stdout


@pytest.mark.slow  # that certificates by every solver verify is tested always
@pytest.mark.parametrize(("name", "ability"), cases(True, Can.PROVE))
def test_proofs_check(name: str, ability: Can) -> None:
    formula = clauses_of_grid(HARD.grid, Encoding.EXTENDED)
    formula.append(blocking_clause(HARD_SOLUTION, Puzzle(HARD.grid)))
    with Session(SOLVERS[name], with_proof=True) as session:
        session.add_clauses(formula)
        assert session.solve(Budget()) is Status.UNSATISFIABLE
        proof = list(read_proof(session.proof()))
    check_proof(formula, proof)
    assert len(proof) > 1


@for_each("name, ability", cases(False, Can.PROVE))
def test_proofs_are_refused_where_they_would_not_check(name: str, ability: Can) -> None:
    with pytest.raises(SolverError, match=f"^{name} cannot write proofs that check; these can: "):
        Session(SOLVERS[name], with_proof=True)


@pytest.mark.parametrize(("name", "ability"), cases(True, Can.NATIVE))
def test_native_constraints_exclude_exactly_the_pairs(name: str, ability: Can) -> None:
    literals = range(1, 10)
    for pair in combinations(literals, 2):
        with Session(SOLVERS[name]) as session:
            session.add_at_most_one(list(literals))
            session.add_clause([pair[0]])
            assert session.solve(Budget()) is Status.SATISFIABLE
            session.add_clause([pair[1]])
            assert session.solve(Budget()) is Status.UNSATISFIABLE


VARIABLES = range(1, 7)
LITERALS = st.sampled_from([*VARIABLES, *(-variable for variable in VARIABLES)])
CLAUSES = st.lists(st.lists(LITERALS, min_size=1, max_size=4, unique_by=abs), max_size=9)
GROUPS = st.lists(st.lists(st.sampled_from(VARIABLES), min_size=3, max_size=5, unique=True))


@sampled(4, "name", [n for n in INSTALLED if Can.CONTINUE in SOLVERS[n].can])
@given(clauses=CLAUSES, groups=GROUPS)
@settings(max_examples=max(5, settings().max_examples // 4))
def test_every_model_is_found_once(
    name: str, clauses: list[list[int]], groups: list[list[int]]
) -> None:
    """Slice by slice where it can, going on from the last model where it can."""
    solver = SOLVERS[name]
    is_native = Can.NATIVE in solver.can
    patience = 1 if Can.SLICE in solver.can else None
    pairs = [[-a, -b] for group in groups for a, b in combinations(group, 2)]
    found = []
    with Session(solver) as session:
        # Each variable is mentioned, so that each is in the model.
        session.add_clauses([[v, v + 6] for v in VARIABLES] + [[-v, -v - 6] for v in VARIABLES])
        session.add_clauses(clauses if is_native else clauses + pairs)
        for group in groups if is_native else []:
            session.add_at_most_one(group)
        while (status := session.solve(Budget(), patience)) is not Status.UNSATISFIABLE:
            if status is Status.SATISFIABLE:
                model = frozenset(session.model()[: len(VARIABLES)])
                found.append(model)
                session.add_clause([-literal for literal in model])
    signs = product(*((v, -v) for v in VARIABLES))
    right = [m for m in map(frozenset, signs) if all(m.intersection(c) for c in clauses + pairs)]
    assert len(found) == len(right)
    assert set(found) == set(right)


@for_each("name", INSTALLED)
def test_a_session_answers_and_counts_or_says_nothing(name: str) -> None:
    with Session(SOLVERS[name]) as session:
        session.add_clauses([[1, 2], [-1, 2], [1, -2]])
        assert session.solve(Budget()) is Status.SATISFIABLE
        assert set(session.model()) >= {1, 2}
        counters = session.counters()
        assert bool(counters) == (Can.COUNT in SOLVERS[name].can)
        assert all(isinstance(value, int) for value in counters.values())


@for_each("name, ability", cases(True, Can.SLICE))
def test_a_session_stops_at_its_limit_and_can_be_asked_again(name: str, ability: Can) -> None:
    holes, pigeons = range(6), range(7)
    rows = [[6 * pigeon + hole + 1 for hole in holes] for pigeon in pigeons]
    pairs = [[-a, -b] for column in zip(*rows, strict=True) for a, b in combinations(column, 2)]
    with Session(SOLVERS[name]) as session:
        session.add_clauses(rows + pairs)
        with pytest.raises(LimitReachedError, match="not decided within 3 conflicts"):
            session.solve(Budget(Limits(conflicts=3)))
        assert session.solve(Budget(Limits(timeout=60))) is Status.UNSATISFIABLE


@pytest.mark.parametrize(
    ("short", "name"),
    [("g4", "glucose4"), ("MC", "minicard"), ("cd195", "cadical195"), ("Minicard", "minicard")],
)
def test_solvers_go_by_their_short_names_too(short: str, name: str) -> None:
    assert find_solver(short).name == name


@pytest.mark.parametrize(
    ("family", "names"),
    [
        ("cadical", ["cadical300", "cadical195"]),
        ("Glucose", ["glucose42"]),
        ("maple", ["maplesat"]),
    ],
)
def test_a_family_is_its_newest_solver(family: str, names: list[str]) -> None:
    assert find_solver(family).name == present(*names)[0]


@pytest.mark.parametrize(("slip", "name"), [("minisat23", "minisat22"), ("cadcial", "cadical")])
def test_a_slip_gets_a_suggestion(slip: str, name: str) -> None:
    with pytest.raises(SolverError, match=f"there is no solver '{slip}'; did you mean {name}"):
        find_solver(slip)


@for_each("name", ["", " ", "m", "SolverNames", "__doc__", "g4\n"])
def test_an_unknown_solver_is_refused_with_the_names_that_exist(name: str) -> None:
    with pytest.raises(
        SolverError, match=r"there is no solver .*; choose from auto, .*cadical103, "
    ):
        find_solver(name)


@needs("cadical300")  # an older python-sat has fewer
def test_the_table_names_the_solvers_of_python_sat() -> None:
    from pysat.solvers import SolverNames

    theirs = {name for name in vars(SolverNames) if not name.startswith("_")}
    assert {name.replace("-", "") for name in SOLVERS} <= theirs


@pytest.mark.skipif("cryptosat" in INSTALLED, reason="pycryptosat is installed")
def test_a_solver_that_is_not_installed_is_named_with_its_remedy() -> None:
    with pytest.raises(SatdokuError, match="has no cryptosat; pip install pycryptosat adds it"):
        Session(SOLVERS["cryptosat"])


def test_the_automatic_choice_starts_with_a_solver_that_can_be_stopped() -> None:
    assert find_solver(AUTOMATIC).name == STAGES[0]
    for name in STAGES[:-1]:
        assert Can.SLICE in SOLVERS[name].can
