"""The body follows a show's posture without jumps, and its limb exactly as far as it stands."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.plants.biped.walk.body import HEIGHT, PITCH, ROLL, YAW, BodyPosture
from devices.interface import Floats
from shows.body_limb import BodyLimb, Coordinate

TICK_S = 0.001
POSTURES = st.tuples(st.floats(0.0, 0.1), *[st.floats(-0.5, 0.5)] * 3)
WALKING = 0.25  # share of the pitch that stays while the robot steps


def limb() -> BodyLimb:
    rows = [Coordinate(0.5, 0.5, 1.0, 5.0, WALKING if i == PITCH else 0.0) for i in range(6)]
    roll, pitch, yaw, height, left, forward = rows
    return BodyLimb(
        roll=roll, pitch=pitch, yaw=yaw, height=height, left=left, forward=forward, trim_rate=0.0
    )


def run(body: BodyPosture, wanted: tuple[float, ...] | None, seconds: float) -> Floats:
    """Return the motion of each tick, lowering, roll, pitch and yaw (k, 4)."""
    target = None if wanted is None else np.array(wanted)
    found = []
    for _ in range(round(seconds / TICK_S)):
        body.follow(target, None, True)
        found.append(body.motion[0, [HEIGHT, ROLL, PITCH, YAW]] * (-1.0, 1.0, 1.0, 1.0))
    return np.array(found)


def test_nothing_asked_is_nothing_done() -> None:
    body = BodyPosture(None, TICK_S)
    assert not run(body, None, 0.1).any()
    assert not body.active and not body.bent


@given(POSTURES)
def test_it_arrives_without_overshoot_and_comes_back_to_exactly_upright(
    wanted: tuple[float, ...],
) -> None:
    body = BodyPosture(None, TICK_S)
    there = run(body, wanted, 1.5)
    np.testing.assert_allclose(there[-1], wanted, atol=1e-4)
    assert (np.abs(there) <= np.abs(wanted) * 1.001 + 1e-12).all()
    assert np.abs(np.diff(there, 2, axis=0)).max() / TICK_S**2 <= 64.0 * 0.51  # [rad/s²]
    assert body.bent == (np.abs(there[-1]).max() > 0.02)
    assert not run(body, None, 3.0)[-1].any()
    assert not body.active


def test_a_robot_that_stands_up_anew_is_upright_at_once() -> None:
    body = BodyPosture(limb(), TICK_S)
    run(body, (0.05, 0.1, 0.2, 0.3), 0.3)
    body.follow(None, np.full((3, 6), 0.1), True)
    body.reset()
    assert not body.motion.any() and not body.bent


def test_the_limb_does_not_add_to_a_posture() -> None:
    body, reference = BodyPosture(limb(), TICK_S), np.zeros((3, 6))
    reference[0] = 0.1
    for wanted in (None, np.array((0.1, 0.1, 0.1, 0.1))):
        for _ in range(2000):
            body.follow(wanted, reference, True)
    np.testing.assert_allclose(body.motion[0], (0.1, 0.1, 0.1, -0.1, 0.0, 0.0), atol=1e-3)


def test_steps_fade_the_limb_out_and_its_derivatives_agree_with_its_positions() -> None:
    body, reference = BodyPosture(limb(), TICK_S), np.zeros((3, 6))
    found = []
    for tick in range(9000):
        phase = 2.0 * tick * TICK_S
        wave = np.sin(phase), 2.0 * np.cos(phase), -4.0 * np.sin(phase)
        reference[:] = 0.2 * np.array(wave)[:, None]
        body.follow(None, reference, tick < 3000 or tick >= 6000)
        found.append(body.motion.copy())
    way = np.array(found)
    smooth = np.ones(len(way), dtype=np.bool_)
    for change in (0, 3000, 6000, 9000):  # the acceleration jumps there
        smooth[max(0, change - 3) : change + 3] = False
    for order in (0, 1):
        slope = np.gradient(way[:, order], TICK_S, axis=0)
        np.testing.assert_allclose(way[smooth, order + 1], slope[smooth], atol=0.02)
    np.testing.assert_allclose(way[2999, 0], 0.2 * np.sin(2.0 * 2.999), atol=2e-3)
    steps = way[5000:6000, 0]
    assert np.abs(steps[:, [ROLL, YAW, HEIGHT, 4, 5]]).max() < 1e-3
    assert 0.9 * WALKING * 0.2 < np.abs(steps[:, PITCH]).max() < 1.01 * WALKING * 0.2
    for _ in range(6000):
        body.follow(None, None, True)
    assert not body.active and not body.motion.any()
