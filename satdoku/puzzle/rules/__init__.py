"""The rules of puzzles: each says what it forbids, and what it asks of a solver.

| file | rules in it |
|---|---|
| `rule.py` | what every rule has: a name, a sentence, a definition, constraints |
| `drawn.py` | the shapes that rules are drawn with |
| `arguments.py` | cells, numbers and lines as arguments name them |
| `cell_rules.py`, `pair_rule.py`, `group_rule.py`, `machine_rule.py` | what such rules share |
| `classic.py` | units; rows, columns, boxes: the rules of a puzzle that names no others |
| `regions.py` | irregular regions in place of boxes (jigsaw) |
| `further_units.py` | diagonals, windoku, disjoint groups, extra regions |
| `everywhere.py` | anti-knight, anti-king, non-consecutive, and what missing marks say |
| `single_cells.py` | odd and even cells, candidates, digits from 0 |
| `indexers.py` | indexers of rows, columns and boxes |
| `order.py` | thermometers, greater, minima and maxima |
| `dots.py` | differences, ratios, sums of two, kropki, XV |
| `lines.py`, `renban.py` | whispers, nabner, modular, entropic, palindromes, clones, renban |
| `line_parts.py` | between, lockout, region sums, zippers, double arrows |
| `cages.py`, `sums.py`, `sum_line.py` | killer, rellik, equality cages; sums, arrows; sum lines |
| `contents.py` | quadruples, contents, the same digits, counting circles |
| `two_by_two.py`, `by_digit.py` | global entropy and modular; anti-taxicab, Dutch flat mates |
| `outside.py`, `outside_sums.py` | skyscrapers, numbered rooms; sandwiches, x-sums |
| `own.py`, `expression.py`, `regular.py`, `automaton.py`, `either.py` | rules of setters |
| `registry.py` | all of them by name; rules as text |
"""
