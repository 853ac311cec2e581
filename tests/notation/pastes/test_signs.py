"""Signs of many kinds are read as the few that mean the same, and pages as lines and tables."""

from satdoku.notation.pastes.undressing import read_markup, with_dots, with_usual_signs
from tests.each import for_each
from tests.notation.samples import LINE, ROWS


@for_each(
    "text, usual",
    [
        ("5\u200b3\u00ad\ufeff", "53"),
        ("\u0663\u096b\u2464\u2777", "3552"),
        ("5\ufe0f\u20e3\u2b1b", "5."),
        ("\u2026\u00b7\u25cb\u2591", "......"),
        ("5\u00a0\u30003", "5  3"),
        ("\u201c53\u201d", '"53"'),
        ("\u2502 5 \u2502", "| 5 |"),
        ("5&nbsp;3 &amp; 4", "5 3 & 4"),
        ("\\textbf{5} & \\\\ \\hline", "5 &  "),
        ("A & B: what?", "A & B: what?"),
    ],
)
def test_a_sign_becomes_the_usual_one(text: str, usual: str) -> None:
    assert with_usual_signs([text]) == [usual]


def test_line_ends_in_a_string_are_line_ends() -> None:
    assert with_usual_signs(["53\\n64\\r\\n7"]) == ["53", "64", "7"]


def test_a_few_names_between_colons_are_no_pictures() -> None:
    assert with_usual_signs([":one::two:"]) == [":one::two:"]
    assert with_usual_signs([":one: :x:" * 8]) == ["1." * 8]


def test_what_programs_write_for_nothing_is_a_dot() -> None:
    assert with_dots("[None, 5, nil]") == "[., 5, .]"
    assert with_dots("[0. 5. 3.]") == "[0 5 3]"
    assert with_dots("5. .3. ...") == "5. .3. ..."


def test_tables_have_tabs_between_cells() -> None:
    table = "<table><tr><td>5</td><td>3</td></tr><tr><td></td><td> 7 </td></tr></table>"
    page = f"<title>x</title><style>td {{}}</style><h1>No 5</h1>{table}"
    assert read_markup(page).split("\n") == ["No 5", "5\t3\t", "\t7\t", ""]


def test_81_elements_are_cells() -> None:
    cells = [cell.replace(".", "") for cell in LINE]
    expected = " ".join(LINE)
    assert read_markup("".join(f"<div class='c'>{cell}</div>" for cell in cells)) == expected
    assert read_markup("".join(f'<input value="{cell}">' for cell in cells)) == expected


def test_cells_of_tables_may_be_left_open() -> None:
    # A cell ends where the next one begins. Nested, only the last one of a row would be a cell.
    rows = "".join("<tr>" + "".join(f"<td>{c}" for c in row) + "</tr>" for row in ROWS)
    table = f"<table>{rows.replace('.', '')}</table>"
    assert read_markup(table) == " ".join(LINE)


def test_rows_of_elements_have_to_be_equally_long() -> None:
    rows = [ROWS[0][1:], ROWS[1] + "5", *ROWS[2:]]
    page = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    assert read_markup(page) != " ".join("".join(rows))
    assert read_markup(page).count("\n") == 9
