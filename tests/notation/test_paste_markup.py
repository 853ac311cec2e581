"""A page shows lines and tables, and its cells may be elements of any kind."""

from satdoku.notation.paste_markup import read_markup
from tests.notation.samples import LINE, ROWS


def test_tables_have_tabs_between_cells() -> None:
    table = "<table><tr><td>5</td><td>3</td></tr><tr><td></td><td> 7 </td></tr></table>"
    page = f"<title>x</title><style>td {{}}</style><h1>No 5</h1>{table}"
    assert read_markup(page).split("\n") == ["No 5", "5\t3\t", "\t7\t", ""]


def test_81_elements_are_cells() -> None:
    cells = [cell.replace(".", "") for cell in LINE]
    expected = " ".join(LINE)
    assert read_markup("".join(f"<div class='c'>{cell}</div>" for cell in cells)) == expected
    assert read_markup("".join(f'<input value="{cell}">' for cell in cells)) == expected


def test_rows_of_elements_have_to_be_equally_long() -> None:
    rows = [ROWS[0][1:], ROWS[1] + "5", *ROWS[2:]]
    page = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    assert read_markup(page) != " ".join("".join(rows))
    assert read_markup(page).count("\n") == 9
