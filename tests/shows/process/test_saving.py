"""A motion becomes a gesture: at most at the rate of gestures, within the limits."""

from dataclasses import replace

import numpy as np
import pytest

from shows.errors import ShowError
from shows.motion import Marker, Motion
from shows.process.saving import RATE_HZ, gesture_of
from tests.shows.process.examples import JOINTS, NAMES


def motion(rate_hz: float, size: float = 0.2) -> Motion:
    times_s = np.arange(0.0, 2.0025, 1.0 / rate_hz)
    wave = size * np.sin(np.pi * times_s) ** 2
    return Motion(
        name="raw",
        joint_names=NAMES,
        rate_hz=rate_hz,
        positions=np.column_stack([wave, -0.5 * wave]),
        markers=(Marker(0.5, "up"), Marker(float(times_s[-1]), "end")),
        source="recorded",
    )


def test_a_quick_rate_is_lowered_and_the_shape_stays() -> None:
    raw = motion(200.0)
    gesture = gesture_of(raw, "wave", "A wave", JOINTS)
    assert (gesture.name, gesture.title, gesture.rate_hz) == ("wave", "A wave", RATE_HZ)
    assert gesture.duration_s == pytest.approx(raw.duration_s)
    assert gesture.positions == pytest.approx(raw.positions[::2], abs=1e-9)
    assert gesture.markers == raw.markers
    assert gesture.thumbnail_s == pytest.approx(0.5, abs=0.02)  # where it is farthest away


def test_a_marker_behind_the_last_sample_is_kept_in_the_motion() -> None:
    raw = motion(200.0)
    raw = replace(raw, positions=raw.positions[:-1], markers=(Marker(1.995, "end"),))
    gesture = gesture_of(raw, "wave", "", JOINTS)
    assert gesture.markers[0].time_s <= gesture.duration_s == pytest.approx(1.99)


def test_a_low_rate_stays() -> None:
    raw = motion(50.0)
    assert gesture_of(raw, "wave", "", JOINTS).positions == pytest.approx(raw.positions)


def test_what_the_robot_cannot_follow_is_refused_with_the_file() -> None:
    with pytest.raises(ShowError) as caught:
        gesture_of(motion(100.0, 9.0), "wave", "", JOINTS)
    assert caught.value.file == "wave.json"
