"""A layer replaces or adds, between its fades wholly, outside not at all."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shows.motion import Motion
from shows.process.layer import layer
from tests.shows.process.examples import Waves, refusal, velocity_step, waves

FLAT = Motion("flat", ("head_yaw",), 100.0, np.zeros((401, 1)))
NAN = float("nan")


def over(rate_hz: float = 50.0) -> Motion:
    positions = np.tile([0.2, 0.9], (round(2.0 * rate_hz) + 1, 1))
    return Motion("over", ("right_elbow", "head_yaw"), rate_hz, positions)


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        ({"weight": 1.5}, "weight"),
        ({"weight": NAN}, "weight"),
        ({"start_s": -1.0}, "start_s"),
        ({"start_s": 4.1}, "start_s"),
        ({"fade_in_s": -0.1}, "fade_in_s"),
        ({"fade_in_s": NAN}, "fade_in_s"),
        ({"fade_out_s": 3.0}, "fade_out_s"),
        ({"fade_in_s": 1.5, "fade_out_s": 1.5}, "fade_out_s"),
        ({"start_s": 1.0, "fade_in_s": 0.0}, "fade_in_s"),
        ({"fade_out_s": 0.0}, "fade_out_s"),
    ],
)
def test_refuses(settings: dict[str, Any], place: str) -> None:
    assert refusal(lambda: layer(FLAT, over(), **settings)).place == place


def test_replaces_between_its_fades_and_holds_what_the_base_lacks() -> None:
    result = layer(FLAT, over(), start_s=1.0, fade_in_s=0.5, fade_out_s=0.5)
    assert result.joint_names == ("head_yaw", "right_elbow")
    assert (result.rate_hz, len(result.positions), result.name) == (100.0, 401, "flat")
    np.testing.assert_allclose(result.positions[:, 1], 0.2)
    np.testing.assert_array_equal(result.positions[:101, 0], 0.0)
    np.testing.assert_allclose(result.positions[150:251, 0], 0.9)
    np.testing.assert_allclose(result.positions[300:, 0], 0.0, atol=1e-12)
    half = layer(FLAT, over(), 0.5, start_s=1.0)
    np.testing.assert_allclose(half.positions[200], [0.45, 0.2])


def test_adds_relative_to_its_first_pose() -> None:
    rising = replace(over(), positions=over().positions + np.linspace(0.0, 1.0, 101)[:, None])
    result = layer(replace(FLAT, positions=np.full((401, 1), 0.3)), rising, mode="add")
    assert result.positions[100, 0] == pytest.approx(0.3 + 0.5)
    assert result.positions[0, 0] == pytest.approx(0.3)
    assert result.positions[300, 0] == pytest.approx(0.3)
    np.testing.assert_allclose(result.positions[100, 1], 0.2 + 0.5)


def test_without_fades_a_layer_over_the_whole_replaces_it() -> None:
    result = layer(replace(FLAT, positions=np.zeros((201, 1))), over(), fade_in_s=0.0, fade_out_s=0)
    np.testing.assert_allclose(result.positions[:, 0], 0.9)


@given(waves(), waves(), st.floats(0.0, 1.5), st.sampled_from(["replace", "add"]))
def test_has_no_velocity_step(below: Waves, above: Waves, start_s: float, mode: Any) -> None:
    steps = []
    for rate_hz in (100.0, 200.0):
        result = layer(
            below.motion(rate_hz), above.motion(50.0), mode=mode, start_s=start_s, fade_in_s=0.4
        )
        steps.append(velocity_step(result.positions, rate_hz))
    assert steps[1] <= 0.6 * steps[0]
    size, speed = below.most(0) + 2.0 * above.most(0), below.most(1) + above.most(1)
    bound = below.most(2) + 1.5 * above.most(2) + 2.0 * speed * 1.875 / 0.4
    assert steps[0] * 100.0 <= 1.02 * (bound + size * 5.774 / 0.4**2)
