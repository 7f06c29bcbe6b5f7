"""What is read in the dark is read without effort: contrast, as WCAG 2 reckons it."""

import itertools

import pytest

from app.console.toolkit import theme

TEXT = 4.5  # of text that is not large
EDGES = 2.5  # of the edge of what can be pressed, which its ground sets off, too
GROUNDS = (theme.BACKGROUND, theme.SURFACE, theme.RAISED, theme.STRIPED)
ROWS = (theme.SELECTED, theme.STANDBY)
TONES = (theme.GOOD, theme.BUSY, theme.WARN, theme.BAD, theme.IDLE, theme.UNKNOWN)


def luminance(colour: str) -> float:
    parts = (int(colour[place : place + 2], 16) / 255.0 for place in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_black_and_white_are_as_far_apart_as_can_be() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)


@pytest.mark.parametrize(
    ("colour", "ground"),
    [
        *itertools.product((theme.TEXT, theme.MUTED), (*GROUNDS, *ROWS)),
        *itertools.product((tone.colour for tone in TONES), (*GROUNDS, *ROWS)),
        *itertools.product((theme.OFF,), GROUNDS),
        (theme.TEXT, theme.LINE),
        (theme.TEXT, theme.PROGRESS),
        ("#ffffff", theme.GO),
        ("#ffffff", theme.STOP),
        ("#000000", theme.BAD.colour),
        ("#000000", theme.ACCENT),
    ],
)
def test_text_can_be_read(colour: str, ground: str) -> None:
    assert contrast(colour, ground) >= TEXT


@pytest.mark.parametrize("ground", GROUNDS)
def test_what_can_be_pressed_and_what_has_the_focus_is_set_off(ground: str) -> None:
    assert contrast(theme.EDGE, ground) >= EDGES
    assert contrast(theme.ACCENT, ground) >= TEXT


def test_no_two_tones_share_colour_and_mark() -> None:
    assert len({tone.mark for tone in TONES}) == len(TONES)
