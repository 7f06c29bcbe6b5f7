"""A curve passes through its keys with their slopes, and edits do what they say."""

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shows.process.curves import (
    Curve,
    Key,
    bake,
    delete_key,
    evaluate,
    insert_key,
    move_key,
    scale_curve,
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


def test_refuses_edits_that_lead_nowhere() -> None:
    assert "3 keys" in refusal(lambda: delete_key(CURVE, 3)).reason
    assert "only one" in refusal(lambda: delete_key(Curve(CURVE.keys[:1]), 0)).reason
    assert "not after" in refusal(lambda: move_key(CURVE, 1, 2.5, 0.0)).reason
    assert "already" in refusal(lambda: insert_key(CURVE, 1.0)).reason
    assert "not at least 0" in refusal(lambda: insert_key(CURVE, -1.0)).reason
    assert "not finite" in refusal(lambda: scale_curve(CURVE, NAN)).reason
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
def test_an_inserted_key_keeps_the_shape_and_can_be_deleted(time_s: float) -> None:
    t = np.linspace(0.0, 4.0, 401)
    more = insert_key(CURVE, time_s)
    assert len(more.keys) == 4
    np.testing.assert_allclose(evaluate(more, t), evaluate(CURVE, t), atol=1e-9)
    index = [key.time_s for key in more.keys].index(time_s)
    fewer = delete_key(more, index)
    assert [key.time_s for key in fewer.keys] == [key.time_s for key in CURVE.keys]


def test_moves_and_scales() -> None:
    moved = move_key(CURVE, 1, 1.5, 0.25)
    assert moved.keys[1] == msgspec.structs.replace(CURVE.keys[1], time_s=1.5, value_rad=0.25)
    t = np.linspace(0.0, 3.0, 301)
    halved = scale_curve(CURVE, 0.5, about_rad=1.0)
    np.testing.assert_allclose(evaluate(halved, t), 0.5 * (evaluate(CURVE, t) + 1.0), atol=1e-12)


def test_bakes_at_the_samples_of_a_motion() -> None:
    motion = wave_motion()
    baked = bake((CURVE, CURVE, scale_curve(CURVE, 2.0)), motion)
    np.testing.assert_allclose(baked.positions[25], [1.0, 1.0, 2.0])
    assert (baked.markers, baked.joint_names) == (motion.markers, motion.joint_names)
