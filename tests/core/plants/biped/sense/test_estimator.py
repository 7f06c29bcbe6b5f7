"""The estimate of a simulated walk against the truth, and of a statue against itself."""

import math

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.plants.biped.model import RobotModel
from core.plants.biped.sense.estimator import (
    COVARIANCE_S,
    HANGS_AFTER_S,
    LARGEST_BIAS,
    STEADY_S,
    StateEstimator,
    tilt_of,
)
from core.plants.biped.sense.feet import FeetKinematics
from core.plants.biped.sense.invariant_filter import predict_covariance, predict_mean
from core.safety.modes import Mode
from devices.interface import Sample
from tests.core.rig import CROUCH_BEND, STAND_BEND, profile, short_walk, statue
from tests.draws import share

TICK_S = profile().tick_s
STEADY_TICKS = round(STEADY_S / TICK_S)
COVARIANCE_TICKS = round(COVARIANCE_S / TICK_S)


def estimator() -> StateEstimator:
    return StateEstimator(profile(), RobotModel(profile()))


def leaning(sample: Sample, roll: float, pitch: float) -> Sample:
    """Lean a still robot."""
    sample.accel[:] = np.asarray(pin.rpy.rpyToMatrix(roll, pitch, 0.0)).T @ [0.0, 0.0, 9.81]
    return sample


@pytest.mark.parametrize("bend", [STAND_BEND, CROUCH_BEND])
def test_it_starts_with_the_soles_on_the_ground(bend: float) -> None:
    model, one = RobotModel(profile()), estimator()
    state = one.rest(statue(bend))
    model.update(state)
    np.testing.assert_allclose(model.soles[:, 2], 0.0, atol=1e-9)
    np.testing.assert_allclose(state.rotation_base_to_world, np.eye(3), atol=1e-9)
    np.testing.assert_array_equal(state.q, statue(bend).q)


@pytest.mark.parametrize(("roll", "pitch"), [(0.1, 0.0), (0.0, -0.2), (-0.15, 0.1)])
def test_it_starts_with_the_lean_that_gravity_shows(roll: float, pitch: float) -> None:
    state = estimator().rest(leaning(statue(), roll, pitch))
    np.testing.assert_allclose(state.rpy, [roll, pitch, 0.0], atol=1e-9)
    up = math.cos(roll) * math.cos(pitch)
    assert tilt_of(state) == pytest.approx(math.acos(up), abs=1e-9)


def test_a_still_robot_is_not_tipped_by_one_jolt() -> None:
    one, sample = estimator(), statue()
    for tick in range(200):
        sample.stamp_s = tick * 0.001
        leaning(sample, 0.8 if tick == 100 else 0.0, 0.0)
        assert tilt_of(one.rest(sample)) < 0.01
    for tick in range(200, 1000):
        sample.stamp_s = tick * 0.001
        state = one.rest(leaning(sample, 0.3, 0.0))
    assert state.rpy[0] == pytest.approx(0.3, abs=0.001)  # who is leaned over for long leans


def test_what_a_robot_that_sinks_feels_is_not_taken_for_gravity() -> None:
    one, sample = estimator(), statue()
    sample.accel[:] = (9.0, 3.0, 14.0)  # where simulation begins, or a seat gives way
    one.rest(sample)
    for tick in range(1, 50):
        sample.stamp_s = tick * 0.001
        state = one.rest(leaning(sample, 0.0, 0.1))
    np.testing.assert_allclose(state.rpy, [0.0, 0.1, 0.0], atol=1e-9)
    for tick in range(50, 100):
        sample.stamp_s = tick * 0.001
        sample.accel[:] = (6.0, 0.0, 6.0) if tick % 2 else (0.0, 0.0, 12.0)
        state = one.rest(sample)
    np.testing.assert_allclose(state.rpy, [0.0, 0.1, 0.0], atol=1e-9)


def test_noise_is_averaged_from_the_first_sample_on() -> None:
    one, sample, rng = estimator(), statue(), np.random.default_rng(0)
    for tick in range(100):
        sample.stamp_s = tick * 0.001
        sample.accel[:] = [0.0, 0.0, 9.81] + rng.normal(0.0, 0.3, 3)
        state = one.rest(sample)
    assert tilt_of(state) < 0.01  # one sample alone tells it to 0.04


def test_a_still_robot_learns_a_bias_but_takes_no_turn_for_one() -> None:
    one, sample = estimator(), statue()
    for tick in range(2000):
        sample.stamp_s = tick * 0.001
        sample.gyro[:] = (0.01, -0.005, 3.0)
        state = one.rest(sample)
    np.testing.assert_allclose(one.filter.biases[:3], [0.01, -0.005, LARGEST_BIAS], atol=1e-6)
    np.testing.assert_allclose(state.angular_velocity_base_in_base[:2], 0.0, atol=1e-6)


def test_a_sway_that_was_taken_for_a_bias_is_soon_corrected() -> None:
    model, sample = RobotModel(profile()), statue()
    one = StateEstimator(profile(), model)
    sample.gyro[0] = 0.01
    for _ in range(150):
        sample.stamp_s += 0.001
        state = one.rest(sample)
    assert one.filter.biases[0] == pytest.approx(0.01)
    sample.gyro[0] = 0.0
    for _ in range(3000):
        model.update(state)
        sample.stamp_s += 0.001
        state = one.update(sample)
    assert abs(one.filter.biases[0]) < 0.001  # 0.007, if it is believed as after a long rest
    assert np.abs(state.velocity_base_in_world).max() < 0.01
    assert tilt_of(state) < math.radians(0.1)


def test_resting_again_keeps_place_and_heading() -> None:
    one, sample = estimator(), statue()
    one.rest(sample)
    sample.gyro[2] = 1.0
    for tick in range(1, 501):
        sample.stamp_s = tick * 0.001
        state = one.update(sample)
    one.filter.position[:2] += (1.0, 2.0)
    sample.stamp_s += 0.001
    state = one.update(sample)
    sample.gyro[2] = 0.0
    for _ in range(STEADY_TICKS):
        sample.stamp_s += 0.001
        state = one.rest(sample)
    place, yaw = state.position_base_in_world.copy(), float(state.rpy[2])
    assert np.linalg.norm(place[:2]) > 1.0
    for _ in range(20):
        sample.stamp_s += 0.001
        state = one.rest(sample)
    np.testing.assert_allclose(state.position_base_in_world[:2], place[:2], atol=1e-6)
    assert state.rpy[2] == pytest.approx(yaw, abs=1e-9)
    np.testing.assert_array_equal(state.velocity_base_in_world, 0.0)


def tipped(pitch: float) -> tuple[StateEstimator, Sample]:
    """Return an estimator of a robot that was at rest upright, and then driven to a pitch."""
    one, sample = estimator(), statue()
    for _ in range(200):
        sample.stamp_s += 0.001
        one.rest(leaning(sample, 0.0, 0.0))
    sample.contacts[:] = False
    sample.tau[:] = 0.0
    sample.gyro[:] = (0.0, pitch, 0.0)
    for tick in range(1, 1001):
        sample.stamp_s += 0.001
        one.update(leaning(sample, 0.0, 0.001 * tick * pitch))
    sample.gyro[:] = 0.0
    return one, sample


def test_a_robot_that_fell_is_not_upright_because_it_was_before() -> None:
    one, sample = tipped(1.0)
    sample.stamp_s += 0.001
    assert tilt_of(one.rest(leaning(sample, 0.0, 1.0))) == pytest.approx(1.0, abs=0.05)


def test_a_robot_that_goes_limp_keeps_its_tilt_while_it_sinks() -> None:
    one, sample = tipped(0.1)
    for tick in range(50):  # into the hands that hold it
        sample.stamp_s += 0.001
        sample.accel[:] = (-4.0, 2.0, 3.0) if tick % 2 else (4.0, -2.0, 16.6)
        sample.gyro[1] = 0.5 if tick % 2 else -0.5
        assert one.rest(sample).rpy[1] == pytest.approx(0.1, abs=0.01)
    sample.gyro[:] = 0.0
    for _ in range(STEADY_TICKS + 1):
        sample.stamp_s += 0.001
        state = one.rest(leaning(sample, 0.0, 0.2))
    assert state.rpy[1] == pytest.approx(0.2, abs=1e-6)  # at rest gravity has the word again
    assert abs(one.filter.biases[:3]).max() < 1e-9


def test_gravity_levels_who_hangs_but_not_who_is_thrown_about() -> None:
    for accel_m_s2, levelled in ((9.81, True), (15.0, False)):
        one, sample = estimator(), statue()
        one.rest(leaning(sample, 0.2, 0.0))
        sample.contacts[:] = False
        sample.tau[:] = 0.0
        sample.accel[:] = (0.0, 0.0, accel_m_s2)
        for tick in range(1, 5001):
            sample.stamp_s = tick * 0.001
            state = one.update(sample)
        assert (tilt_of(state) < 0.05) is levelled


def test_a_statue_stays_where_it_is() -> None:
    model, sample = RobotModel(profile()), statue()
    one = StateEstimator(profile(), model)
    state = one.rest(sample)
    before = state.position_base_in_world.copy()
    for _ in range(500):
        model.update(state)
        sample.stamp_s += 0.001
        state = one.update(sample)
    np.testing.assert_allclose(state.position_base_in_world, before, atol=1e-4)
    np.testing.assert_allclose(state.velocity_base_in_world, 0.0, atol=1e-4)
    assert state.contact.all()
    assert state.stamp_s == sample.stamp_s


def test_the_same_sample_twice_advances_nothing() -> None:
    one, sample = estimator(), statue()
    one.rest(sample)
    sample.stamp_s = 0.001
    sample.gyro[2] = 1.0
    yaw = float(one.update(sample).rpy[2])
    assert yaw == pytest.approx(0.001, rel=1e-3)
    assert float(one.update(sample).rpy[2]) == yaw


def test_a_turning_imu_swings_around_the_torso() -> None:
    one, sample = estimator(), statue()
    sample.contacts[:] = False
    sample.tau[:] = 0.0
    one.rest(sample)
    sample.gyro[2] = 0.5
    sample.stamp_s = 0.001
    state = one.update(sample)
    imu = RobotModel(profile()).imu_in_base
    expected = -np.cross([0.0, 0.0, 0.5], imu)  # the IMU has not moved yet
    np.testing.assert_allclose(state.velocity_base_in_world, expected, atol=1e-3)
    assert state.angular_velocity_base_in_base[2] == pytest.approx(0.5, abs=1e-6)


def test_tilt_does_not_care_about_yaw() -> None:
    state = estimator().rest(statue())
    for yaw in (0.0, 1.0, -2.0):
        state.rotation_base_to_world[:] = pin.rpy.rpyToMatrix(0.3, 0.0, yaw)
        assert tilt_of(state) == pytest.approx(0.3)


def test_a_walk_is_estimated_well_enough_to_walk_by() -> None:
    walk = [i for i in short_walk().instants if i.mode is Mode.WALK]
    assert len(walk) > 3000
    # An estimate is one tick old, as its sample is.
    estimated = np.array([i.estimated_velocity for i in walk])
    true = np.array([i.true_velocity for i in walk])
    rms = np.sqrt(((estimated - true) ** 2).mean(axis=0))
    assert rms.max() < 0.03
    rpy = np.array([i.estimated_rpy for i in walk]) - [i.true_rpy for i in walk]
    assert np.rad2deg(np.sqrt((rpy[:, :2] ** 2).mean(axis=0))).max() < 0.5


def test_the_feet_that_it_believes_to_stand_stand() -> None:
    walk = [i for i in short_walk().instants if i.mode is Mode.WALK]
    agreeing = np.mean([(i.contact == i.loaded_truly).all() for i in walk])
    assert agreeing > 0.9
    assert any(i.contact.sum() == 1 for i in walk)


def test_a_state_that_is_no_number_ends_when_the_robot_rests() -> None:
    one, sample = estimator(), statue()
    one.rest(sample)
    one.filter.position[0] = math.nan
    one.filter.rotation[:] = math.nan
    sample.stamp_s += 0.001
    assert math.isnan(one.update(sample).position_base_in_world[0])
    sample.stamp_s += 0.001
    state = one.rest(sample)
    assert np.isfinite(state.position_base_in_world).all()
    assert np.isfinite(state.rpy).all()
    assert tilt_of(state) < 0.01


class Steps:
    """The estimator's work on a driven robot, step by step in calls of their own."""

    def __init__(self, first: Sample) -> None:
        self.inner = estimator()
        self.inner.rest(first)
        self.feet = FeetKinematics(RobotModel(profile()), profile())
        self.stamp_s, self.pending_s, self.tick = first.stamp_s, 0.0, 0

    def update(self, sample: Sample) -> None:
        f, contact = self.inner.filter, self.inner.contact
        dt, self.stamp_s = sample.stamp_s - self.stamp_s, sample.stamp_s
        self.pending_s += dt
        self.tick += 1
        contact.update(sample)
        predict_mean(sample.gyro, sample.accel, dt, f.mean)
        if self.tick % COVARIANCE_TICKS == 0:
            self.feet.update(sample.q)
            predict_covariance(self.pending_s, f.densities, f.mean, f.covariance)
            f.correct(self.feet.positions, contact.planted)
            self.pending_s = 0.0
        self.inner._publish(sample)


# A foot's switches change now and then, one foot's or both, in odd and in even ticks.
SWITCHES = st.lists(
    st.tuples(st.booleans(), st.booleans(), st.integers(1, 41)), min_size=1, max_size=12
)


@settings(max_examples=share(40))
@given(SWITCHES, st.integers(0, 2**32 - 1))
def test_the_one_call_does_what_the_steps_do(
    phases: list[tuple[bool, bool, int]], seed: int
) -> None:
    sample, rng = statue(), np.random.default_rng(seed)
    whole, steps = estimator(), Steps(sample)
    whole.rest(sample)
    for left, right, ticks in [*phases, (True, False, 30), (True, True, 30)]:
        sample.contacts[:2], sample.contacts[2:] = left, right
        for _ in range(ticks):
            sample.stamp_s += 0.001
            sample.q += rng.normal(0.0, 1e-4, sample.q.size)
            sample.gyro[:] = rng.normal(0.0, 0.3, 3)
            sample.accel[:] = (0.0, 0.0, 9.81) + rng.normal(0.0, 0.5, 3)
            state = whole.update(sample)
            if whole._unloaded_s > HANGS_AFTER_S:
                return  # from here on it hangs, which is another matter
            steps.update(sample)
            np.testing.assert_array_equal(state.base, steps.inner.state.base)
            np.testing.assert_array_equal(state.joints, steps.inner.state.joints)
            np.testing.assert_array_equal(state.contact, steps.inner.state.contact)
    np.testing.assert_array_equal(whole.filter.covariance, steps.inner.filter.covariance)
    assert whole.filter.active.any()
