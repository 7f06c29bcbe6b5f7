"""Idle motion is small, smooth and never repeats."""

import numpy as np
import pytest
from scipy.spatial import cKDTree

from core.behave.idle import FREE, KNOT_S, LEAST_SHARE, SPREAD, IdleMotion, Wander, ease
from core.behave.idle_settings import Glances, Idle, Sway
from core.behave.joints import UpperJoints
from core.behave.moments import Moments
from core.lab.experiments.idle import autocorrelation
from core.robot.joint_table import joint_table
from core.robot.profile_file import load_profile
from devices.interface import Floats
from tests.core.behave.upper import IDLE, UPPER, rest_q, upper_joints

COLUMNS = {name: i for i, name in enumerate(UPPER)}


def idle(seed: int) -> IdleMotion:
    assert IDLE is not None
    return IdleMotion(IDLE, COLUMNS, (COLUMNS["head_yaw"], COLUMNS["head_pitch"]), seed)


def live(seed: int, times: Floats) -> Floats:
    motion, out = idle(seed), np.zeros((3, len(UPPER)))
    rows = []
    for t in times:
        motion.sample(t, out)
        rows.append(out.copy())
    return np.array(rows)


def test_no_stretch_of_time_recurs() -> None:
    """Over an hour, every 4 s window differs from every other by more than an eye's width."""
    step_s, window = 0.4, 10
    q = live(5, np.arange(0.0, 3600.0, step_s))[:, 0]
    windows = np.lib.stride_tricks.sliding_window_view(q, window, axis=0)
    flat = windows.reshape(len(windows), -1)
    distance, other = cKDTree(flat[::3]).query(flat[::3], k=6)
    apart = np.abs(other - np.arange(len(other))[:, None]) * 3 >= window
    nearest = np.where(apart, distance, np.inf).min(axis=1).min()
    assert nearest / np.sqrt(window) > 0.03


@pytest.mark.parametrize("robot", ["kid_cosmo", "draco3", "small_biped"])
def test_no_joint_of_a_robot_repeats_itself_beyond_five_seconds(robot: str) -> None:
    profile = load_profile(robot)
    joints = UpperJoints.from_table(joint_table(profile))
    gaze = None if joints.gaze is None else (joints.gaze.yaw, joints.gaze.pitch)
    assert profile.idle is not None
    motion, out = IdleMotion(profile.idle, joints.index, gaze, 5), np.zeros((3, len(joints)))
    rows = []
    for t in np.arange(0.0, 1800.0, 0.2):
        motion.sample(t, out)
        rows.append(out[0].copy())
    for joint, x in zip(joints.names, np.array(rows).T, strict=True):
        if x.any():
            assert autocorrelation(x)[25 : len(x) // 3].max() < 0.3, joint


def test_glances_come_at_irregular_times_and_none_is_cut_short() -> None:
    assert IDLE is not None and IDLE.glances is not None
    least_s = IDLE.glances.longest_s
    moments = Moments("glance", IDLE.glances.period_s, FREE, least_s)
    at, found = 0.0, list[float]()
    while len(found) < 2000:
        before_s, present_s, next_s = moments.near(at)
        assert before_s < present_s <= at < next_s
        found.append(next_s - present_s)
        at = next_s
    between_s = np.array(found)
    assert between_s.min() >= least_s - 1e-9
    assert between_s.mean() == pytest.approx(IDLE.glances.period_s, rel=0.1)
    assert between_s.std() > 0.4 * between_s.mean()


def test_two_seeds_give_two_motions_and_one_seed_one() -> None:
    times = np.arange(0.0, 30.0, 0.5)
    assert (live(1, times) == live(1, times)).all()
    assert np.abs(live(1, times)[:, 0] - live(2, times)[:, 0]).max() > 0.1


def test_a_moment_does_not_depend_on_what_was_sampled_before() -> None:
    times = np.random.default_rng(3).uniform(0.0, 4000.0, 400)
    together, motion, alone = live(9, times), idle(9), np.zeros((3, len(UPPER)))
    for t, expected in sorted(zip(times, together, strict=True), key=lambda pair: pair[0]):
        motion.sample(t, alone)
        assert (alone == expected).all()


def test_velocity_is_continuous_at_every_knot() -> None:
    eps = 1e-9
    for n in range(1, 1500):
        before, after = live(2, np.array([n * KNOT_S - eps, n * KNOT_S + eps]))[:, :]
        allowed = 2.0 * eps * np.maximum(np.abs(before[2]), np.abs(after[2])) + 1e-9
        assert (np.abs(after[1] - before[1]) <= allowed).all()
        assert (np.abs(after[0] - before[0]) <= 2.0 * eps * np.abs(before[1]) + 1e-12).all()


def test_velocity_is_the_derivative_of_position() -> None:
    t = np.arange(0.0, 20.0, 0.001)
    rows = live(4, t)
    slope = (rows[2:, 0] - rows[:-2, 0]) / 0.002
    assert np.abs(slope - rows[1:-1, 1]).max() < 2e-2


def test_it_is_small_slow_and_within_limits() -> None:
    joints = upper_joints()
    for seed in range(3):
        rows = live(seed, np.arange(0.0, 400.0, 0.02))
        q = rest_q() + rows[:, 0]
        assert (q > joints.lower).all()
        assert (q < joints.upper).all()
        assert np.abs(rows[:, 0]).max() < 0.8
        assert np.abs(rows[:, 1]).max() < 2.5


def test_every_joint_moves() -> None:
    spread = live(6, np.arange(0.0, 300.0, 0.1))[:, 0].std(axis=0)
    assert (spread > 0.01).all()


def test_the_head_glances_in_saccades_and_holds() -> None:
    yaw = np.abs(live(7, np.arange(0.0, 300.0, 0.01))[:, 1, COLUMNS["head_yaw"]])
    assert yaw.max() > 0.8
    assert np.quantile(yaw, 0.6) < 0.15


def test_a_wander_stays_between_its_bounds_and_eases_at_its_turns() -> None:
    wander = Wander("w", 2.0)
    values = [wander.at(t) for t in np.arange(0.0, 200.0, 0.05)]
    assert max(values) <= 1.0
    assert min(values) >= -1.0
    turn_s, _, _ = Moments("w", 2.0, SPREAD, LEAST_SHARE * 2.0).near(100.0)
    assert wander.at(turn_s + 1e-4) == pytest.approx(wander.at(turn_s - 1e-4), abs=1e-9)


def test_ease_is_clamped() -> None:
    assert (ease(-1.0), ease(0.0), ease(0.5), ease(1.0), ease(2.0)) == (0.0, 0.0, 0.5, 1.0, 1.0)


def test_a_movement_that_the_settings_leave_out_does_not_happen() -> None:
    glances = Glances(2.0, 1.5, 0.2, 0.1, 0.5, 0.4, 0.1, 0.1)
    out = np.zeros((3, 2))
    IdleMotion(Idle(sway=(Sway("pan", 0.1, 3.0),)), {"pan": 0, "tilt": 1}, None, 1).sample(9.3, out)
    assert out[0, 0] != 0.0
    assert not out[:, 1].any()
    IdleMotion(Idle(glances=glances), {"pan": 0, "tilt": 1}, None, 1).sample(9.3, out)
    assert not out.any()
    IdleMotion(Idle(glances=glances), {"pan": 0, "tilt": 1}, (0, 1), 1).sample(9.3, out)
    assert out[0].all()
