"""Soft limits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.behave.limits import SoftLimits
from devices.interface import Floats

LOWER, UPPER = np.array([-0.5, 0.0, -3.0]), np.array([0.5, 1.5, -1.0])
MARGIN, BAND = 0.005, 0.03


def bend(q: Floats, dq: float = 0.0, ddq: float = 0.0) -> tuple[Floats, Floats, Floats]:
    out = np.array([q, np.full(3, dq), np.full(3, ddq)])
    SoftLimits(LOWER, UPPER, MARGIN, BAND).apply(out, out)
    return out[0], out[1], out[2]


@given(st.floats(0.0, 1.0), st.floats(-9.0, 9.0), st.floats(-90.0, 90.0))
def test_inside_nothing_changes_by_a_bit(share: float, dq: float, ddq: float) -> None:
    knee = MARGIN + BAND
    q = (LOWER + knee) + (0.001 + 0.998 * share) * (UPPER - LOWER - 2.0 * knee)
    got = bend(q, dq, ddq)
    assert (got[0] == q).all()
    assert (got[1] == dq).all()
    assert (got[2] == ddq).all()


@given(st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=3))
def test_no_reference_leaves_the_limits(values: list[float]) -> None:
    q = bend(np.array(values))[0]
    assert (q >= LOWER + MARGIN - 1e-9).all()
    assert (q <= UPPER - MARGIN + 1e-9).all()


@given(st.floats(-0.2, 0.2), st.floats(0.1, 5.0), st.floats(-50.0, 50.0))
def test_velocity_and_acceleration_stay_the_derivatives(off: float, dq: float, ddq: float) -> None:
    # A parabola in time that passes the knees; across a knee only C¹ holds.
    h = 1e-6
    base = UPPER + off
    knee = UPPER - MARGIN - BAND
    if (np.abs(base - knee) < 1e-4).any():
        return
    samples = [bend(base + dq * t + 0.5 * ddq * t * t, dq + ddq * t, ddq) for t in (-h, 0.0, h)]
    slope = (samples[2][0] - samples[0][0]) / (2.0 * h)
    curve = (samples[2][1] - samples[0][1]) / (2.0 * h)
    assert samples[1][1] == pytest.approx(slope, abs=1e-5)
    assert samples[1][2] == pytest.approx(curve, rel=1e-3, abs=1e-3)


def test_at_the_knee_velocity_is_continuous() -> None:
    knee = UPPER - MARGIN - BAND
    before, after = bend(knee - 1e-12, 3.0)[1], bend(knee + 1e-12, 3.0)[1]
    assert after == pytest.approx(before, abs=1e-9)


@given(st.floats(0.0, 1.0))
def test_unbend_undoes_it_where_it_can(share: float) -> None:
    limits = SoftLimits(LOWER, UPPER, MARGIN, BAND)
    edge = MARGIN + 0.06 * BAND
    q = LOWER + edge + share * (UPPER - LOWER - 2.0 * edge)
    out = np.array([limits.unbend(q), np.zeros(3), np.zeros(3)])
    limits.apply(out, out)
    assert out[0] == pytest.approx(q, abs=1e-9)


def test_beyond_the_limits_unbend_stays_near_them() -> None:
    far = SoftLimits(LOWER, UPPER, MARGIN, BAND).unbend(UPPER + 0.3)
    assert (far < UPPER + 1.0).all()
