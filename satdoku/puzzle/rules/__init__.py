"""The rules of puzzles: each has a definition and the constraints that a solver is given.

| file | rules in it |
|---|---|
| `rule.py` | what every rule has: a name, a sentence, a definition, constraints |
| `arguments.py` | cells, numbers and lines as arguments name them |
| `cell_rules.py`, `group_rule.py`, `machine_rule.py` | base classes |
| `classic.py` | units; rows, columns, boxes: the rules of a puzzle that names no others |
| `regions.py` | irregular regions (jigsaw); diagonals, windoku, disjoint groups, extra regions |
| `everywhere.py` | anti-chess moves, non-consecutive, missing marks, flat mates, global entropy |
| `single_cells.py` | odd and even cells, candidates, digits from 0 |
| `indexers.py` | indexers of rows, columns and boxes |
| `order.py` | pairs of cells; thermometers, greater, minima and maxima |
| `dots.py` | differences, ratios, sums of two, kropki, XV |
| `lines.py` | whispers, modular, entropic, palindromes, renban, sum lines, between, zippers |
| `cages.py`, `sums.py` | killer, rellik, equality cages; sums, little killers, arrows |
| `contents.py` | quadruples, contents, the same digits, clones, counting circles |
| `outside.py` | skyscrapers, numbered rooms, sandwiches, x-sums |
| `hidden_regions.py` | regions that are to be found (chaos construction) |
| `own.py`, `automaton.py`, `either.py` | rules that setters write down |
| `registry.py` | all of them by name; rules as text |
"""
