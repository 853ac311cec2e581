"""Puzzles as WCNF, for MaxSAT solvers: as few givens are dropped as have to be.

    c satdoku 0.2.0
    ...
    c 729 variables, 30 soft clauses (the givens), 10530 hard clauses (the rules)
    1 5 0
    h 1 2 3 4 5 6 7 8 9 0
    ...

The givens are soft, with a weight of 1 each, and the rules are hard. It is the format of the MaxSAT
evaluations since 2022: there is no header, and `h` stands where hard clauses once had a weight.
"""

from collections.abc import Callable, Iterator
from typing import IO

from satdoku.encoding.constraint import Why
from satdoku.encoding.encode import measure
from satdoku.encoding.files.write import Export, first_comments, variable_comments, write_lines


def write_wcnf(
    export: Export, stream: IO[str], program: str, require_time: Callable[[], None] = lambda: None
) -> None:
    """Writes the file; `program` and `require_time` are as for a CNF.

    The encoding has to say the rules whatever the givens are, and no solution is blocked: these
    would follow from givens that may be dropped.
    """
    size = measure(export.puzzle, export.encoding, export.at_most_one, require_time)
    soft = sum(group.reason.why is Why.GIVEN for group in export.groups())
    stream.writelines(first_comments(export, program))
    stream.writelines(f"c {comment}\n" for comment in variable_comments(export, size.variables))
    stream.write(
        f"c {size.variables} variables, {soft} soft clauses (the givens), "
        f"{size.clauses - soft} hard clauses (the rules)\n"
    )
    write_lines(_clause_lines(export), stream, require_time)


def _clause_lines(export: Export) -> Iterator[str]:
    for group in export.groups():
        if export.has_reasons:
            yield f"c {group.reason}\n"
        weight = "1" if group.reason.why is Why.GIVEN else "h"
        for clause in group.clauses:
            yield f"{weight} {' '.join(map(str, clause))} 0\n"
