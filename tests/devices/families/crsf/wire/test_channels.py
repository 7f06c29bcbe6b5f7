"""Sticks, buttons and the dead-man."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.crsf.wire.channels import (
    NEUTRAL,
    Controls,
    Layout,
    Stick,
    Threshold,
    deflection,
    is_pressed,
    position,
    read,
    write,
)
from devices.families.crsf.wire.packed import COUNT, HIGH, LOW, MIDDLE

values = st.integers(0, 2047)


@st.composite
def sticks(draw: st.DrawFn) -> Stick:
    low, middle, high = sorted(draw(st.sets(values, min_size=3, max_size=3)))
    return Stick(1, low, middle, high, draw(st.floats(0.0, 0.9)), draw(st.booleans()))


@pytest.mark.parametrize(
    ("value", "expected"),
    [(LOW, -1.0), (MIDDLE, 0.0), (HIGH, 1.0), (0, -1.0), (2047, 1.0), (MIDDLE + 30, 0.0)],
)
def test_a_stick_at_its_marks(value: int, expected: float) -> None:
    assert deflection(value, Stick(1)) == expected
    assert deflection(value, Stick(1, reversed=True)) == -expected


@given(sticks(), values, values)
def test_a_stick_is_bounded_and_never_turns_back(stick: Stick, one: int, other: int) -> None:
    low, high = deflection(min(one, other), stick), deflection(max(one, other), stick)
    assert -1.0 <= low <= 1.0
    assert high <= low if stick.reversed else low <= high


@given(sticks())
def test_a_stick_reaches_its_ends_and_leaves_the_dead_zone_without_a_jump(stick: Stick) -> None:
    sign = -1.0 if stick.reversed else 1.0
    assert deflection(stick.high, stick) == sign
    assert deflection(stick.low, stick) == -sign
    assert deflection(stick.middle, stick) == 0.0
    step = 1.0 / (1.0 - stick.dead_zone) / (stick.high - stick.middle)
    edge = stick.middle + int(stick.dead_zone * (stick.high - stick.middle)) + 1
    assert abs(deflection(edge, stick)) <= step + 1e-9


@given(st.lists(values, max_size=50))
def test_a_button_in_between_stays_as_it_was(history: list[int]) -> None:
    button = Threshold(5)
    pressed = False
    for value in history:
        now = is_pressed(value, pressed, button)
        if value >= button.press:
            assert now
        elif value <= button.release:
            assert not now
        else:
            assert now == pressed
        pressed = now


def _frame(**at: int) -> tuple[int, ...]:
    channels = [MIDDLE] * 4 + [LOW] * (COUNT - 4)
    for name, value in at.items():
        channels[int(name.removeprefix("ch")) - 1] = value
    return tuple(channels)


def test_an_untouched_handset_is_neutral() -> None:
    assert read(_frame(), NEUTRAL, Layout()) == NEUTRAL


def test_each_control_has_its_place() -> None:
    layout = Layout()
    controls = read(_frame(ch1=HIGH, ch4=LOW, ch5=HIGH, ch6=HIGH, ch15=HIGH), NEUTRAL, layout)
    assert controls == Controls((1.0, 0.0, 0.0, -1.0), 0b10_0000_0001, True)
    assert len(layout.buttons) == 10


def test_the_dead_man_must_be_pressed_anew_after_silence() -> None:
    layout = Layout()
    held = read(_frame(ch5=HIGH), NEUTRAL, layout)
    between = read(_frame(ch5=1300, ch6=1300), held, layout)
    assert between.dead_man
    assert between.buttons == 0
    assert not read(_frame(ch5=1300), NEUTRAL, layout).dead_man
    assert not read(_frame(ch5=LOW), held, layout).dead_man


@given(
    st.lists(st.floats(-1, 1), min_size=4, max_size=4),
    st.integers(0, 1023),
    st.booleans(),
    st.floats(0, 0.5),
    st.booleans(),
)
def test_there_and_back(
    deflections: list[float], buttons: int, held: bool, dead_zone: float, turned: bool
) -> None:
    sticks = tuple(Stick(c, dead_zone=dead_zone, reversed=turned) for c in (1, 2, 3, 4))
    layout = Layout(sticks=sticks)
    back = read(write(Controls(tuple(deflections), buttons, held), layout), NEUTRAL, layout)
    assert back.sticks == pytest.approx(deflections, abs=0.5 / 819 / (1.0 - dead_zone) + 1e-9)
    assert back[1:] == (buttons, held)


def test_a_handset_at_rest_sends_its_middles() -> None:
    assert write(NEUTRAL, Layout()) == _frame()


@pytest.mark.parametrize(
    ("value", "positions", "expected"),
    [(LOW, 3, 0), (MIDDLE, 3, 1), (HIGH, 3, 2), (0, 2, 0), (2047, 2, 1), (LOW, 6, 0), (828, 6, 2)],
)
def test_positions_of_a_switch(value: int, positions: int, expected: int) -> None:
    assert position(value, positions) == expected


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Stick(0), "no channel 0"),
        (lambda: Stick(17), "no channel 17"),
        (lambda: Stick(3, low=900, middle=800), "channel 3: low, middle and high must rise"),
        (lambda: Stick(3, dead_zone=1.0), "channel 3: the dead zone"),
        (lambda: Stick(3, dead_zone=float("nan")), "channel 3: the dead zone"),
        (lambda: Threshold(99), "no channel 99"),
        (lambda: Threshold(7, press=1000, release=1000), "channel 7: press must lie above"),
    ],
)
def test_inconsistent_values_are_refused(make, words: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=words):
        make()
