"""Everything that is read can be read: contrasts are computed, for light and dark."""

import pytest

from satdoku.picture.figure import DARK, LIGHT, PAINTS, TINTS, channels
from tests.each import for_each

SCHEMES = pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])

# What the web's guidelines ask of texts, and of lines that have to be told from their ground.
LEAST_OF_TEXTS, LEAST_OF_SIGNS = 4.5, 3.0

GROUNDS = ("paper", "shade", "placed", "used", "excluded", "clashing", "different", *TINTS)
TEXTS = ("given", "found", "small", "chosen", "goes", "off", "label", "sign", "words", "title")


def contrast(one: str, other: str) -> float:
    """How far two colours differ in luminance, from 1 to 21, as the web's guidelines define it."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    # The constants are those of the definition of sRGB.
    linear = [
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in channels(colour)
    ]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_the_contrast_of_known_colours_is_right() -> None:
    """The values are those of the guidelines' own examples."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert contrast("#ff0000", "#ffffff") == pytest.approx(4.0, abs=0.01)


@SCHEMES
@for_each("text", TEXTS)
def test_every_text_stands_out_from_every_ground(scheme: dict[str, str], text: str) -> None:
    for ground in GROUNDS:
        found = contrast(scheme[PAINTS[text].fill], scheme[PAINTS[ground].fill])
        assert found >= LEAST_OF_TEXTS, ground


@SCHEMES
def test_grey_lines_are_seen_on_shaded_cells(scheme: dict[str, str]) -> None:
    assert contrast(scheme["grey"], scheme["shade"]) >= 1.3


@SCHEMES
@for_each("name", [n for n in PAINTS if n.startswith("frame-") or n == "ring"])
def test_frames_stand_out_from_every_ground(scheme: dict[str, str], name: str) -> None:
    for ground in GROUNDS:
        assert contrast(scheme[PAINTS[name].stroke], scheme[PAINTS[ground].fill]) >= LEAST_OF_SIGNS


def test_no_emphasis_is_told_by_colour_alone() -> None:
    """Frames differ in width and dashes too, where they differ in colour at all."""
    shapes = [
        (paint.width, paint.dash) for name, paint in PAINTS.items() if name.startswith("frame-")
    ]
    # Placed and clashing have the same frame; a clash has a cross in its corner besides.
    assert len(set(shapes)) >= len(shapes) - 1
    assert PAINTS["given"].is_bold != PAINTS["found"].is_bold


def test_both_schemes_have_all_colours() -> None:
    wanted = {
        colour for paint in PAINTS.values() for colour in (paint.fill, paint.stroke) if colour
    }
    assert wanted <= set(LIGHT) == set(DARK)


@SCHEMES
def test_broad_lines_are_told_apart_without_colours(scheme: dict[str, str]) -> None:
    """In grey they are alike, so each tint but grey has a fine line with dashes of its own."""
    veins = {tint: PAINTS[f"{tint}-vein"] for tint in TINTS if tint != "grey"}
    assert len({paint.dash for paint in veins.values()}) == len(veins)
    for tint, paint in veins.items():
        assert contrast(scheme[paint.stroke], scheme[tint]) >= LEAST_OF_SIGNS, tint
