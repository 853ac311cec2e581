from xml.etree import ElementTree

import pytest

from satdoku.encoding.choices import Encoding
from satdoku.solving.comparing.compare import Contestant
from satdoku.solving.comparing.plot import HEIGHT, WIDTH, draw_plot
from satdoku.solving.comparing.summary import Summary

SVG = "{http://www.w3.org/2000/svg}"


def summary(solver: str, seconds: list[float], puzzles: int) -> Summary:
    contestant = Contestant(solver, Encoding.REDUCED)
    return Summary(contestant, puzzles, seconds, None, None, None, None, None, None)


def points(curve: ElementTree.Element) -> list[tuple[float, float]]:
    pairs = (pair.split(",") for pair in curve.attrib["points"].split())
    return [(float(x), float(y)) for x, y in pairs]


def test_each_contestant_has_a_curve_and_a_name() -> None:
    drawn = [summary("minicard", [0.001, 0.002, 3.0], 3), summary("glucose4", [0.5, 20.0], 3)]
    root = ElementTree.fromstring(draw_plot(drawn))
    curves = list(root.iter(f"{SVG}polyline"))
    assert [len(points(curve)) for curve in curves] == [3, 2]
    assert len({(c.attrib["stroke"], c.get("stroke-dasharray")) for c in curves}) == 2
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert "minicard reduced native: 3 of 3" in texts
    assert "glucose4 reduced pairwise: 2 of 3" in texts
    assert {"1 ms", "1 s", "100 s"} <= set(texts)


def test_more_puzzles_lie_to_the_right_and_more_time_higher() -> None:
    root = ElementTree.fromstring(draw_plot([summary("minicard", [0.001, 0.02, 3.0], 3)]))
    [curve] = root.iter(f"{SVG}polyline")
    xs, ys = zip(*points(curve), strict=True)
    assert list(xs) == sorted(xs)
    assert list(ys) == sorted(ys, reverse=True)
    assert all(0 < x < WIDTH for x in xs)
    assert all(0 < y < HEIGHT for y in ys)


@pytest.mark.parametrize("seconds", [[], [0.0], [1e-9, 1e6]])
def test_any_times_can_be_drawn(seconds: list[float]) -> None:
    root = ElementTree.fromstring(draw_plot([summary("minicard", seconds, 2)]))
    assert root.tag == f"{SVG}svg"


def test_twenty_contestants_look_different_and_stay_on_the_picture() -> None:
    many = [summary("minicard", [float(n)], 1) for n in range(1, 41)]
    root = ElementTree.fromstring(draw_plot(many))
    looks = [(c.attrib["stroke"], c.get("stroke-dasharray")) for c in root.iter(f"{SVG}polyline")]
    assert len(set(looks)) == 20
    lowest = max(float(text.get("y", 0)) for text in root.iter(f"{SVG}text"))
    assert lowest < float(root.attrib["height"])
