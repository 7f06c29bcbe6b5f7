"""Smooth random motions with known bounds, and what the tests measure on them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import strategies as st

from shows.errors import ShowError
from shows.joints import Floats
from shows.motion import Marker, Motion
from tests.shows.examples import joint_table

JOINTS = joint_table()
NAMES = ("head_yaw", "right_shoulder_pitch")


@dataclass(frozen=True)
class Waves:
    """Sums of sinusoids, one for each joint of NAMES."""

    amplitudes: Floats  # (n, 2) [rad]
    frequencies_hz: Floats  # (n, 2)
    phases: Floats  # (n, 2) [rad]
    duration_s: float

    def motion(self, rate_hz: float = 100.0) -> Motion:
        count = round(self.duration_s * rate_hz) + 1
        t = (np.arange(count) / rate_hz)[:, None, None]
        waves = np.sin(2.0 * np.pi * self.frequencies_hz * t + self.phases)
        return Motion(
            name="waves",
            title="Waves",
            joint_names=NAMES,
            rate_hz=rate_hz,
            positions=(self.amplitudes * waves).sum(axis=1),
            markers=(Marker(0.5, "early"), Marker(1.5, "late")),
            source="recorded",
            thumbnail_s=1.0,
            tags=("waving",),
        )

    def most(self, derivative: int) -> float:
        """Return a bound of a derivative of every joint's position."""
        omega = 2.0 * np.pi * self.frequencies_hz
        return float((self.amplitudes * omega**derivative).sum(axis=0).max())


def waves(highest_hz: float = 2.0) -> st.SearchStrategy[Waves]:
    """Draw three sinusoids for each joint, for 2 to 4 s."""

    def build(seed: int, duration_s: int) -> Waves:
        random = np.random.default_rng(seed)
        shape = (3, 2)
        return Waves(
            random.uniform(0.05, 0.4, shape),
            random.uniform(0.1, 1.0, shape) * highest_hz,
            random.uniform(0.0, 2.0 * np.pi, shape),
            duration_s / 10.0,
        )

    return st.builds(build, st.integers(0, 2**32 - 1), st.integers(20, 40))


def velocity_step(positions: Floats, rate_hz: float) -> float:
    """Return the largest change of velocity from one sample to the next [rad/s]."""
    return float(np.abs(np.diff(positions, 2, axis=0)).max() * rate_hz)


def check_no_velocity_step(
    make: Callable[[Motion], Motion], source: Waves, acceleration: float, repeat: int = 1
) -> None:
    """Check that velocity steps shrink with the period and stay below an acceleration's.

    Args:
        make: the operation.
        source: what it is applied to.
        acceleration: bound of the result's acceleration [rad/s²].
        repeat: how often the result is played without a pause.
    """
    steps = []
    for rate_hz in (100.0, 200.0):
        positions = make(source.motion(rate_hz)).positions
        positions = np.concatenate([*[positions[:-1]] * (repeat - 1), positions])
        steps.append(velocity_step(positions, rate_hz))
        assert steps[-1] <= 1.02 * acceleration / rate_hz + 1e-9
    assert steps[1] <= 0.6 * steps[0] + 1e-9


def refusal(make: Callable[[], object]) -> ShowError:
    """Return the error of a call, after a check that it tells place and advice."""
    with pytest.raises(ShowError) as refused:
        make()
    error = refused.value
    assert error.file and error.place and error.reason and error.advice
    return error
