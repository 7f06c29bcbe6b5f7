"""The invariant filter against Lie theory, dense Kalman algebra and synthetic data."""

import math
from dataclasses import dataclass, field

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.constants import GRAVITY
from core.plants.biped.sense.invariant_filter import (
    ACCEL_BIAS,
    CONTACTS,
    DIM,
    GYRO_BIAS,
    POSITION,
    ROTATION,
    VELOCITY,
    InvariantFilter,
    exp_so3,
    predict_covariance,
    predict_mean,
)
from devices.interface import Floats
from tests.core.rig import profile

SETTINGS = profile().as_biped.estimator
BOTH = np.array([True, True])
NEITHER = np.array([False, False])
FEET = np.array([[0.02, 0.1, -0.7], [-0.01, -0.1, -0.7]])
DT = 0.001
UP = np.array([0.0, 0.0, GRAVITY])
turns = st.floats(-2.5, 2.5)


def left_jacobian(w: Floats) -> Floats:
    return np.asarray(pin.Jexp3(-w))


@dataclass
class Truth:
    """The filter's whole state as plain arrays: a point of SE_4(3) and two biases."""

    rotation: Floats = field(default_factory=lambda: np.eye(3))
    vectors: Floats = field(default_factory=lambda: np.zeros((4, 3)))  # v, p, left, right
    biases: Floats = field(default_factory=lambda: np.zeros(6))

    def moved(self, xi: Floats) -> "Truth":
        """Return exp(xi) times this, and the biases plus their errors."""
        rotation = np.asarray(pin.exp3(xi[:3]))
        left = left_jacobian(xi[:3])
        vectors = [
            rotation @ vector + left @ xi[3 * i + 3 : 3 * i + 6]
            for i, vector in enumerate(self.vectors)
        ]
        return Truth(rotation @ self.rotation, np.array(vectors), self.biases + xi[15:])


def truth_of(f: InvariantFilter) -> Truth:
    vectors = np.vstack([f.velocity, f.position, f.contacts])
    return Truth(f.rotation.copy(), vectors, f.biases.copy())


def error(estimate: Truth, truth: Truth) -> Floats:
    """Return log(estimate truth^-1) and the biases' errors (21)."""
    turn = estimate.rotation @ truth.rotation.T
    w = np.asarray(pin.log3(turn))
    inverse = np.linalg.inv(left_jacobian(w))
    parts = [inverse @ (e - turn @ t) for e, t in zip(estimate.vectors, truth.vectors, strict=True)]
    return np.concatenate([w, *parts, estimate.biases - truth.biases])


def filter_at(truth: Truth) -> InvariantFilter:
    f = InvariantFilter(SETTINGS)
    put(f, truth)
    return f


def put(f: InvariantFilter, truth: Truth) -> None:
    f.rotation[:] = truth.rotation
    f.velocity[:], f.position[:], f.contacts[:] = (
        truth.vectors[0],
        truth.vectors[1],
        truth.vectors[2:],
    )
    f.biases[:] = truth.biases


def somewhere(seed: int = 1) -> Truth:
    rng = np.random.default_rng(seed)
    return Truth(
        np.asarray(pin.exp3(rng.normal(0.0, 0.5, 3))),
        rng.normal(0.0, 0.7, (4, 3)),
        rng.normal(0.0, 0.05, 6),
    )


def some_covariance(seed: int = 2) -> Floats:
    root = np.random.default_rng(seed).normal(0.0, 0.1, (DIM, DIM))
    return root @ root.T + 1e-3 * np.eye(DIM)


# The rotation group


@given(turns, turns, turns)
def test_the_exponential_and_its_jacobian_are_pinocchios(x: float, y: float, z: float) -> None:
    rotation, jacobian = np.empty((3, 3)), np.empty((3, 3))
    exp_so3(x, y, z, rotation, jacobian)
    w = np.array([x, y, z])
    np.testing.assert_allclose(rotation, pin.exp3(w), atol=1e-9)
    np.testing.assert_allclose(jacobian, left_jacobian(w), atol=1e-9)


@pytest.mark.parametrize("size", [0.0, 1e-300, 1e-12, 9.9e-5, 1.01e-4, 1e-3])
def test_small_turns_are_exact_on_both_sides_of_the_series(size: float) -> None:
    w = size * np.array([1.0, -2.0, 2.0]) / 3.0
    rotation, jacobian = np.empty((3, 3)), np.empty((3, 3))
    exp_so3(float(w[0]), float(w[1]), float(w[2]), rotation, jacobian)
    skew = np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])
    square, cube = skew @ skew, skew @ skew @ skew
    np.testing.assert_allclose(rotation, np.eye(3) + skew + square / 2 + cube / 6, atol=1e-12)
    series = np.eye(3) + skew / 2 + square / 6 + cube / 24
    np.testing.assert_allclose(jacobian, series, atol=1e-12)


# Propagation


def integrated(start: Truth, gyro: Floats, accel: Floats, time_s: float, steps: int) -> Truth:
    """Integrate the IMU's motion in many small midpoint steps."""
    rotation, (velocity, position) = start.rotation, start.vectors[:2]
    rate, force = gyro - start.biases[:3], accel - start.biases[3:]
    h = time_s / steps
    half = np.asarray(pin.exp3(0.5 * h * rate))
    for _ in range(steps):
        acceleration = rotation @ half @ force - UP
        position = position + h * velocity + 0.5 * h * h * acceleration
        velocity = velocity + h * acceleration
        rotation = rotation @ half @ half
    return Truth(rotation, np.vstack([velocity, position, start.vectors[2:]]), start.biases)


def test_the_mean_follows_the_imu() -> None:
    start, gyro, accel = somewhere(), np.array([0.5, -0.8, 0.3]), np.array([1.0, 0.5, 9.0])
    exact = integrated(start, gyro, accel, 0.5, 5000)
    errors = []
    for ticks in (500, 1000):
        f = filter_at(start)
        for _ in range(ticks):
            predict_mean(gyro, accel, 0.5 / ticks, f.mean)
        mean = truth_of(f)
        np.testing.assert_allclose(mean.rotation, exact.rotation, atol=1e-9)
        np.testing.assert_array_equal(mean.vectors[2:], start.vectors[2:])
        errors.append(float(np.abs(mean.vectors[:2] - exact.vectors[:2]).max()))
    assert errors[0] < 2e-3
    assert errors[1] == pytest.approx(0.5 * errors[0], rel=0.05)  # of first order in the tick


def test_a_still_imu_stays_where_it_is() -> None:
    f = filter_at(Truth())
    for _ in range(1000):
        predict_mean(np.zeros(3), UP, DT, f.mean)
    np.testing.assert_allclose(f.rotation, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(f.velocity, 0.0, atol=1e-12)
    np.testing.assert_allclose(f.position, 0.0, atol=1e-12)


def propagated(truth: Truth, gyro: Floats, accel: Floats, dt: float) -> Truth:
    f = filter_at(truth)
    predict_mean(gyro, accel, dt, f.mean)
    return truth_of(f)


def numeric_transition(truth: Truth, gyro: Floats, accel: Floats, dt: float) -> Floats:
    """Return how an error of the estimate grows, by differences (21, 21)."""
    step, columns = 1e-5, []
    for i in range(DIM):
        xi = np.zeros(DIM)
        xi[i] = step
        ahead = error(
            propagated(truth.moved(xi), gyro, accel, dt), propagated(truth, gyro, accel, dt)
        )
        xi[i] = -step
        behind = error(
            propagated(truth.moved(xi), gyro, accel, dt), propagated(truth, gyro, accel, dt)
        )
        columns.append((ahead - behind) / (2 * step))
    return np.array(columns).T


def numeric_noise(truth: Truth, gyro: Floats, accel: Floats, dt: float) -> Floats:
    """Return the covariance that the sensors' noise adds in a tick, by differences (21, 21)."""
    after, step = propagated(truth, gyro, accel, dt), 1e-4
    total = np.zeros((DIM, DIM))
    for axis in range(3):
        nudge = np.zeros(3)
        nudge[axis] = step
        for noisy, density in (
            (propagated(truth, gyro + nudge, accel, dt), SETTINGS.gyro_noise),
            (propagated(truth, gyro, accel + nudge, dt), SETTINGS.accel_noise),
        ):
            column = error(noisy, after) / (step * dt)
            total += np.outer(column, column) * density**2 * dt
    for first, density in (
        (CONTACTS, SETTINGS.contact_noise),
        (CONTACTS + 3, SETTINGS.contact_noise),
        (GYRO_BIAS, SETTINGS.gyro_bias_noise),
        (ACCEL_BIAS, SETTINGS.accel_bias_noise),
    ):
        total[range(first, first + 3), range(first, first + 3)] += density**2 * dt
    return total


@pytest.mark.parametrize("seed", [1, 3])
def test_the_covariance_grows_as_errors_do(seed: int) -> None:
    truth, before, dt = somewhere(seed), some_covariance(), 1e-4
    gyro, accel = np.array([0.5, -0.8, 0.3]), np.array([1.0, 0.5, 9.0])
    transition = numeric_transition(truth, gyro, accel, dt)
    noise = numeric_noise(truth, gyro, accel, dt)
    expected = transition @ before @ transition.T + noise
    f = filter_at(truth)
    f.covariance[:] = before
    predict_covariance(dt, f.densities, f.mean, f.covariance)
    growth, expected_growth = f.covariance - before, expected - before
    scale = np.abs(expected_growth).max()
    np.testing.assert_allclose(growth, expected_growth, atol=1e-3 * scale)


def test_the_noise_enters_where_it_does() -> None:
    truth, dt = somewhere(), 1e-4
    f = filter_at(truth)
    f.covariance[:] = 0.0
    predict_covariance(dt, f.densities, f.mean, f.covariance)
    expected = numeric_noise(truth, np.zeros(3), UP, dt)
    np.testing.assert_allclose(f.covariance, expected, atol=1e-3 * np.abs(expected).max())


def test_without_biases_the_transition_does_not_depend_on_the_state() -> None:
    gyro, accel = np.array([0.5, -0.8, 0.3]), np.array([1.0, 0.5, 9.0])
    one = numeric_transition(somewhere(1), gyro, accel, DT)[:15, :15]
    other = numeric_transition(somewhere(3), gyro, accel, DT)[:15, :15]
    np.testing.assert_allclose(one, other, atol=1e-6)


# Correction


def test_a_correction_is_the_kalman_filters() -> None:
    f = filter_at(somewhere())
    f.covariance[:] = some_covariance()
    f.correct(FEET, np.array([True, False]))  # takes the foot into the state
    assert f.active.tolist() == [True, False]
    measured = FEET.copy()
    measured[0] += (0.01, -0.02, 0.005)
    before, covariance = truth_of(f), f.covariance.copy()
    rows = np.zeros((3, DIM))
    rows[:, POSITION : POSITION + 3] = -np.eye(3)
    rows[:, CONTACTS : CONTACTS + 3] = np.eye(3)
    s = rows @ covariance @ rows.T + SETTINGS.kinematics_noise**2 * np.eye(3)
    gain = covariance @ rows.T @ np.linalg.inv(s)
    innovation = f.position + f.rotation @ measured[0] - f.contacts[0]
    expected = before.moved(gain @ innovation)
    f.correct(measured, np.array([True, False]))
    after = truth_of(f)
    np.testing.assert_allclose(after.rotation, expected.rotation, atol=1e-9)
    np.testing.assert_allclose(after.vectors, expected.vectors, atol=1e-9)
    np.testing.assert_allclose(after.biases, expected.biases, atol=1e-9)
    shrunk = (np.eye(DIM) - gain @ rows) @ covariance
    np.testing.assert_allclose(f.covariance, shrunk, atol=1e-9)


def test_the_innovation_is_gone_when_kinematics_are_certain() -> None:
    f = filter_at(Truth())
    f.correct(FEET, BOTH)
    f.covariance[CONTACTS : CONTACTS + 6, CONTACTS : CONTACTS + 6] += 1e4 * np.eye(6)
    f.correct(FEET + 0.01, BOTH)
    np.testing.assert_allclose(f.position + f.rotation @ (FEET[0] + 0.01), f.contacts[0], atol=1e-6)


def test_a_new_contact_is_where_the_leg_says_and_as_uncertain() -> None:
    f = filter_at(somewhere())
    f.covariance[:] = some_covariance()
    f.correct(FEET, np.array([False, True]))
    np.testing.assert_allclose(f.contacts[1], f.position + f.rotation @ FEET[1], atol=1e-12)
    right, position = slice(CONTACTS + 3, CONTACTS + 6), slice(POSITION, POSITION + 3)
    noise = SETTINGS.kinematics_noise**2 * np.eye(3)
    p = f.covariance
    np.testing.assert_allclose(p[right, right], p[position, position] + noise, atol=1e-12)
    np.testing.assert_allclose(p[right, ROTATION:VELOCITY], p[position, ROTATION:VELOCITY])


def test_in_the_air_nothing_is_corrected() -> None:
    f = filter_at(somewhere())
    f.correct(FEET, BOTH)
    before, covariance = truth_of(f), f.covariance.copy()
    f.correct(FEET + 1.0, NEITHER)
    assert f.active.tolist() == [False, False]
    assert error(truth_of(f), before) == pytest.approx(np.zeros(DIM))
    np.testing.assert_array_equal(f.covariance, covariance)


def test_a_reset_forgets_everything() -> None:
    f = filter_at(somewhere())
    f.correct(FEET, BOTH)
    fresh = InvariantFilter(SETTINGS)
    f.reset(np.eye(3), np.zeros(3), np.zeros(3))
    assert f.active.tolist() == [False, False]
    assert not f.biases.any()
    np.testing.assert_array_equal(f.covariance, fresh.covariance)


def test_a_turn_about_the_vertical_is_not_doubted_as_a_tilting_is() -> None:
    f, rotation = InvariantFilter(SETTINGS), np.asarray(pin.rpy.rpyToMatrix(0.3, -0.2, 1.0))
    f.reset(rotation, np.zeros(3), np.zeros(3), turn_deviation=0.01)
    gyro = rotation @ f.covariance[GYRO_BIAS:ACCEL_BIAS, GYRO_BIAS:ACCEL_BIAS] @ rotation.T
    known = SETTINGS.gyro_bias**2
    np.testing.assert_allclose(gyro, np.diag([known + 1e-4, known + 1e-4, known]), atol=1e-15)


# Behaviour on data


class Stander:
    """Synthetic data of a robot that stands still at the origin.

    Its noise is a share of what the filter believes: 1 is a world as the filter has it, in
    which contacts creep; the sensors of the simulated body err by a few hundredths of that.
    """

    def __init__(self, seed: int, share: float = 1.0) -> None:
        self.rng = np.random.default_rng(seed)
        self.share = share
        self.truth = Truth()
        self.truth.vectors[2:] = FEET
        self.truth.biases[:3] = self.noise(SETTINGS.gyro_bias, 3)
        self.truth.biases[3:] = self.noise(SETTINGS.accel_bias, 3)

    def noise(self, deviation: float, *shape: int) -> Floats:
        return self.rng.normal(0.0, self.share * deviation, shape)

    def imu(self) -> tuple[Floats, Floats]:
        gyro = self.truth.biases[:3] + self.noise(SETTINGS.gyro_noise / math.sqrt(DT), 3)
        accel = UP + self.truth.biases[3:] + self.noise(SETTINGS.accel_noise / math.sqrt(DT), 3)
        return gyro, accel

    def feet(self) -> Floats:
        self.truth.vectors[2:] += self.noise(SETTINGS.contact_noise * math.sqrt(2 * DT), 2, 3)
        seen = self.truth.vectors[2:] - self.truth.vectors[1]
        return np.asarray(seen @ self.truth.rotation + self.noise(SETTINGS.kinematics_noise, 2, 3))

    def run(self, f: InvariantFilter, time_s: float) -> list[Floats]:
        """Feed the filter at its rates; return its error after each correction."""
        errors = []
        for tick in range(round(time_s / DT)):
            predict_mean(*self.imu(), DT, f.mean)
            if tick % 2:
                predict_covariance(2 * DT, f.densities, f.mean, f.covariance)
                f.correct(self.feet(), BOTH)
                errors.append(error(truth_of(f), self.truth))
        return errors


@pytest.mark.parametrize("azimuth", [0.0, 1.0, 2.5, 4.0])
def test_it_converges_from_a_bad_start_within_two_seconds(azimuth: float) -> None:
    f = InvariantFilter(SETTINGS)
    lean = math.radians(20.0) * np.array([math.cos(azimuth), math.sin(azimuth), 0.0])
    speed = 0.5 * np.array([-math.sin(azimuth), math.cos(azimuth), 0.0])
    f.reset(np.asarray(pin.exp3(lean)), speed, np.zeros(3))
    late = Stander(5, share=0.1).run(f, 2.3)[1000:]  # the last 0.3 s
    for xi in late:
        assert np.rad2deg(np.abs(xi[:2])).max() < 0.5
        assert np.linalg.norm(xi[3:6]) < 0.03


def test_its_errors_keep_within_three_deviations() -> None:
    inside = counted = 0
    for seed in range(8):
        stander = Stander(seed)
        f = InvariantFilter(SETTINGS)
        start = np.sqrt(np.diag(f.covariance)) * stander.rng.normal(0.0, 1.0, DIM)
        start[15:] = 0.0
        put(f, stander.truth.moved(start))
        f.biases[:] = 0.0
        for xi in stander.run(f, 0.5)[100:]:
            deviations = np.sqrt(np.diag(f.covariance))
            within = np.abs(xi[:6]) <= 3.0 * deviations[:6]
            # yaw cannot be observed, but its deviation must say so
            inside += int(within.sum())
            counted += 6
    assert inside / counted >= 0.95


def test_the_covariance_stays_symmetric_and_positive() -> None:
    f = InvariantFilter(SETTINGS)
    stander = Stander(3)
    for _ in range(4):
        stander.run(f, 0.25)
        np.testing.assert_array_equal(f.covariance, f.covariance.T)
        assert np.linalg.eigvalsh(f.covariance).min() > 0.0
        f.correct(FEET, NEITHER)  # a hop
    assert np.isfinite(f.covariance).all()


@pytest.mark.parametrize(("yaw", "shift"), [(1.3, (0.0, 0.0, 0.0)), (-2.0, (5.0, -3.0, 0.7))])
def test_the_error_does_not_depend_on_where_the_world_begins(
    yaw: float, shift: tuple[float, float, float]
) -> None:
    turn, offset = np.asarray(pin.exp3(np.array([0.0, 0.0, yaw]))), np.array(shift)
    skew = np.asarray(pin.skew(offset))
    adjoint = np.eye(DIM)  # of the change of the world, on the invariant error
    for first in (ROTATION, VELOCITY, POSITION, CONTACTS, CONTACTS + 3):
        block = slice(first, first + 3)
        adjoint[block, block] = turn
        if first >= POSITION:
            adjoint[block, :3] = skew @ turn
    here, there = InvariantFilter(SETTINGS), InvariantFilter(SETTINGS)
    lean, speed = np.asarray(pin.exp3(np.array([0.2, -0.1, 0.4]))), np.array([0.3, 0.1, 0.0])
    here.reset(lean, speed, np.array([0.0, 0.0, 0.7]))
    there.reset(turn @ lean, turn @ speed, turn @ np.array([0.0, 0.0, 0.7]) + offset)
    there.covariance[:] = adjoint @ here.covariance @ adjoint.T
    stander = Stander(9)
    for tick in range(600):
        imu = stander.imu()
        for f in (here, there):
            predict_mean(*imu, DT, f.mean)
        if tick % 2:
            feet, contact = stander.feet(), np.array([tick < 300, 100 < tick])
            for f in (here, there):
                predict_covariance(2 * DT, f.densities, f.mean, f.covariance)
                f.correct(feet, contact)
        np.testing.assert_allclose(there.rotation, turn @ here.rotation, atol=1e-9)
        np.testing.assert_allclose(there.velocity, turn @ here.velocity, atol=1e-9)
        np.testing.assert_allclose(there.position, turn @ here.position + offset, atol=1e-9)
        np.testing.assert_allclose(there.biases, here.biases, atol=1e-9)


def test_a_slip_is_forgotten_within_a_second() -> None:
    f = InvariantFilter(SETTINGS)
    stander = Stander(0, share=0.0)
    stander.run(f, 1.0)
    for _ in range(25):  # both feet slide 5 cm in 50 ms, and the body stays
        stander.truth.vectors[2:, 0] += 0.002
        stander.run(f, 0.002)
    slipped = max(float(np.linalg.norm(xi[3:6])) for xi in stander.run(f, 0.05))
    recovered = stander.run(f, 0.95)[-1]
    assert slipped > 0.05
    assert np.linalg.norm(recovered[3:6]) < 0.03
    assert np.rad2deg(np.abs(recovered[:2])).max() < 0.5
