"""A curve passes through its keys with their slopes, and edits do what they say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shows.process.curves import (
    Curve,
    Key,
    bake,
    evaluate,
    insert_key,
    velocity,
)
from tests.shows.examples import wave_motion
from tests.shows.process.examples import refusal

CURVE = Curve((Key(0.5, 1.0, 0.0, 2.0), Key(1.0, -1.0, 0.5, 0.5), Key(2.0, 0.0, -1.0, 0.0)))
NAN = float("nan")


@pytest.mark.parametrize(
    ("keys", "place"),
    [
        ((), "keys"),
        ((Key(-0.1, 0.0),), "key 1"),
        ((Key(0.0, 0.0), Key(0.0, 1.0)), "key 2"),
        ((Key(0.0, 0.0), Key(2.0, 0.0), Key(1.0, 1.0)), "key 3"),
        ((Key(0.0, NAN),), "key 1"),
        ((Key(0.0, 0.0), Key(NAN, 0.0)), "key 2"),
        ((Key(0.0, 0.0, float("inf"), 0.0),), "key 1"),
    ],
)
def test_cannot_be_made_of_wrong_keys(keys: tuple[Key, ...], place: str) -> None:
    assert refusal(lambda: Curve(keys)).place == place


def test_refuses_what_leads_nowhere() -> None:
    assert "already" in refusal(lambda: insert_key(CURVE, 1.0)).reason
    assert "not at least 0" in refusal(lambda: insert_key(CURVE, -1.0)).reason
    assert "1 curves do not fit 3" in refusal(lambda: bake((CURVE,), wave_motion())).reason


def test_passes_its_keys_with_their_slopes_and_is_constant_outside() -> None:
    h = 1e-6
    for key in CURVE.keys:
        at = evaluate(CURVE, np.array([key.time_s - h, key.time_s, key.time_s + h]))
        assert at[1] == pytest.approx(key.value_rad)
        if key.time_s > 0.5:
            assert (at[1] - at[0]) / h == pytest.approx(key.slope_in, abs=1e-4)
        if key.time_s < 2.0:
            assert (at[2] - at[1]) / h == pytest.approx(key.slope_out, abs=1e-4)
    np.testing.assert_array_equal(evaluate(CURVE, np.array([0.0, 9.0])), [1.0, 0.0])
    np.testing.assert_array_equal(evaluate(Curve((Key(1.0, 3.0),)), np.array([0.0, 9.0])), 3.0)


@given(st.floats(0.0, 4.0).filter(lambda t: t not in (0.5, 1.0, 2.0)))
def test_an_inserted_key_keeps_the_shape(time_s: float) -> None:
    t = np.linspace(0.0, 4.0, 401)
    more = insert_key(CURVE, time_s)
    assert len(more.keys) == 4
    np.testing.assert_allclose(evaluate(more, t), evaluate(CURVE, t), atol=1e-9)


def test_the_velocity_is_the_slope_of_the_curve() -> None:
    t, h = np.linspace(0.01, 2.99, 150), 1e-6
    slope = (evaluate(CURVE, t + h) - evaluate(CURVE, t - h)) / (2.0 * h)
    inside = np.min(np.abs(t[:, None] - [key.time_s for key in CURVE.keys]), axis=1) > h
    np.testing.assert_allclose(velocity(CURVE, t)[inside], slope[inside], atol=1e-5)


def test_bakes_at_the_samples_of_a_motion() -> None:
    motion = wave_motion()
    baked = bake((CURVE, CURVE, Curve((Key(0.0, 2.0),))), motion)
    np.testing.assert_allclose(baked.positions[25], [1.0, 1.0, 2.0])
    assert (baked.markers, baked.joint_names) == (motion.markers, motion.joint_names)
