"""The state estimator: invariant filter, leg kinematics and contact estimator in one."""

import math

import numpy as np
import pinocchio as pin

from core.compiled import compiled
from core.plants.biped.model import RobotModel
from core.plants.biped.sense.contact import ContactEstimator, judge_contacts
from core.plants.biped.sense.feet import FeetKinematics, write_feet
from core.plants.biped.sense.invariant_filter import (
    InvariantFilter,
    correct_contacts,
    exp_so3,
    predict_covariance,
    predict_mean,
)
from core.plants.biped.settings import Estimator as Settings
from core.robot.state import State
from devices.interface import Bools, Floats, Sample

REST_SHARE = 0.01  # of a new IMU sample in the average of a robot at rest
LARGEST_BIAS = 0.02  # a faster turn is no bias [rad/s]
LEVEL_RATE = 0.5  # at which gravity levels a hanging robot [1/s]
HANGS_AFTER_S = 0.3  # without any load on a foot; no step is in the air so long
STEADY_ACCEL = 1.0  # beyond this difference to gravity nothing is learned of it [m/s²]
STEADY_TURN = 0.1  # a torso that turns faster is not at rest [rad/s]
STEADY_TICKS = 200  # in a row, before a robot that was driven is at rest
REST_TILT = 0.01  # how well gravity tells the tilt of a robot at rest [rad]
REST_SPEED = 0.05  # how still a robot at rest is [m/s]
COVARIANCE_EVERY = 2  # ticks; the mean follows the IMU at every tick


@compiled
def write_state(
    q: Floats,
    dq: Floats,
    tau: Floats,
    gyro: Floats,
    feet: Bools,
    mean: Floats,
    imu_in_base: Floats,
    joints: Floats,
    base: Floats,
    contact: Bools,
) -> None:
    """Write the joints as measured (n), and the torso's motion from the IMU's, which rides on it.

    Args:
        q: measured joint positions (n) [rad].
        dq: joint velocities (n) [rad/s].
        tau: joint torques (n) [N·m].
        gyro: angular velocity of the IMU (3) [rad/s].
        feet: which carry weight, in the first row (2, 2).
        mean: of the filter (9, 3).
        imu_in_base: where the IMU is (3) [m].
        joints: of the state, where to (3, n).
        base: of the state, where to (7, 3).
        contact: of the state, where to (2).
    """
    for i in range(q.size):
        joints[0, i], joints[1, i], joints[2, i] = q[i], dq[i], tau[i]
    contact[0], contact[1] = feet[0, 0], feet[0, 1]
    rotation, gyro_bias = mean[:3], mean[7]
    x, y, z = imu_in_base[0], imu_in_base[1], imu_in_base[2]
    a, b, c = gyro[0] - gyro_bias[0], gyro[1] - gyro_bias[1], gyro[2] - gyro_bias[2]
    cross = (b * z - c * y, c * x - a * z, a * y - b * x)
    for i in range(3):
        position, velocity = mean[4, i], mean[3, i]
        for k in range(3):
            base[i, k] = rotation[i, k]
            position -= rotation[i, k] * imu_in_base[k]
            velocity -= rotation[i, k] * cross[k]
        base[3, i], base[4, i] = position, velocity
    base[5, 0], base[5, 1], base[5, 2] = a, b, c
    base[6, 0] = math.atan2(rotation[2, 1], rotation[2, 2])
    base[6, 1] = math.asin(min(1.0, max(-1.0, -rotation[2, 0])))
    base[6, 2] = math.atan2(rotation[1, 0], rotation[0, 0])


@compiled
def follow_sample(
    stamp_s: float,
    q: Floats,
    dq: Floats,
    tau: Floats,
    gyro: Floats,
    accel: Floats,
    switches: Bools,
    ages_s: Floats,
    dt: float,
    pending_s: float,
    jacobians: Floats,
    first_joint: int,
    on: float,
    off: float,
    memory: Floats,
    feet: Bools,
    chains: Floats,
    feet_in_imu: Floats,
    densities: Floats,
    variance: float,
    active: Bools,
    mean: Floats,
    covariance: Floats,
    imu_in_base: Floats,
    joints: Floats,
    base: Floats,
    contact: Bools,
) -> tuple[bool, bool]:
    """Follow a sample, from contacts to state, in one call: every array costs time at the border.

    `dt` is since the last sample; `pending_s` since the covariance was last propagated if that
    is due, else zero. Returns whether a foot carries weight, and whether a foot has just come
    down, so that the correction is left to `InvariantFilter.correct`.
    """
    judge_contacts(stamp_s, jacobians, tau, first_joint, switches, ages_s, on, off, memory, feet)
    predict_mean(gyro, accel, dt, mean)
    landed = False
    if pending_s > 0.0:
        write_feet(q, first_joint, chains, feet_in_imu)
        predict_covariance(pending_s, densities, mean, covariance)
        landed = correct_contacts(feet_in_imu, feet[1], active, variance, mean, covariance)
    write_state(q, dq, tau, gyro, feet, mean, imu_in_base, joints, base, contact)
    return feet[0, 0] or feet[0, 1], landed


class StateEstimator:
    """Turns samples into the state; it owns the state and the filter.

    Attributes:
        state: the newest estimate, overwritten by `update`.
        filter: the invariant filter behind it.
    """

    def __init__(self, model: RobotModel, settings: Settings, joint_count: int) -> None:
        self.state = State.upright(joint_count)
        self.filter = InvariantFilter(settings)
        self.contact = ContactEstimator(settings, model)
        self._model = model
        self._imu_in_base = model.imu_in_base
        self._feet = FeetKinematics(model, model.imu_in_base)
        self._last_stamp_s = -1.0
        self._unloaded_s = 0.0
        self._rest_accel: Floats = np.zeros(3)
        self._rest_gyro: Floats = np.zeros(3)
        self._rest_count = 0
        self._driven = False
        self._tick = 0
        self._pending_s = 0.0
        contact, feet, mean, state = self.contact, self._feet, self.filter, self.state
        # All of it stays where it is, and is filled anew.
        self._parts = (
            model.first_leg_joint,
            contact.on,
            contact.off,
            contact.memory,
            contact.feet,
            feet.chains,
            feet.positions,
            mean.densities,
            mean.variance,
            mean.active,
            mean.mean,
            mean.covariance,
            self._imu_in_base,
            state.joints,
            state.base,
            state.contact,
        )

    def rest(self, sample: Sample) -> State:
        """Follow a robot that is not driven: tilt from gravity, soles at z = 0, gyro bias learned.

        The accelerometer is averaged, because people or a seat may still move the robot; while
        it shows more than gravity, as when the robot sinks into a rope, nothing is learned.
        A robot that was driven until now sinks into the hands that hold it: until it has come to
        rest, the filter knows better than any average, and goes on.
        """
        steady = abs(float(np.linalg.norm(sample.accel)) - 9.81) < STEADY_ACCEL
        if self._driven and not self._comes_to_rest(sample, steady) and self._is_finite:
            return self._follow(sample)
        self._driven = False
        self._average(sample, steady)
        length = float(np.linalg.norm(self._rest_accel))
        up = self._rest_accel / length if length > 0.0 else np.array([0.0, 0.0, 1.0])
        roll = math.atan2(up[1], up[2])
        pitch = math.atan2(-up[0], math.hypot(up[1], up[2]))
        place, yaw = self.state.position_base_in_world, float(self.state.rpy[2])
        if not self._is_finite:  # whatever was wrong, it ends here
            place, yaw = np.zeros(3), 0.0
        rotation = pin.rpy.rpyToMatrix(roll, pitch, yaw)
        self._feet.update(sample.q)
        lowest = float((rotation @ self._feet.positions.T)[2].min())
        position = place + rotation @ self._imu_in_base
        position[2] = -lowest
        self.filter.reset(rotation, np.zeros(3), position, REST_TILT, REST_SPEED)
        self.filter.biases[:3] = self._rest_gyro
        self.contact.update(sample)
        self._last_stamp_s = sample.stamp_s
        self._publish(sample)
        return self.state

    @property
    def _is_finite(self) -> bool:
        """The torso's place and attitude are numbers."""
        place, rpy = self.state.position_base_in_world, self.state.rpy
        return math.isfinite(float(place.sum()) + float(rpy.sum()))

    def _comes_to_rest(self, sample: Sample, steady: bool) -> bool:
        """Tell whether a robot that was driven has been still for long enough."""
        turn = float(np.linalg.norm(sample.gyro - self.filter.biases[:3]))
        if not (steady and turn < STEADY_TURN):
            self._rest_count = 0
            return False
        if self._rest_count >= STEADY_TICKS:
            return True
        self._average(sample, steady)
        return False

    def _average(self, sample: Sample, steady: bool) -> None:
        """Take a sample into the averages of a robot at rest; the first replaces them."""
        if steady:
            self._rest_count += 1
            share = max(1.0 / self._rest_count, REST_SHARE)
        else:
            share = 0.0 if self._rest_count else 1.0
        self._rest_accel += share * (sample.accel - self._rest_accel)
        self._rest_gyro += share * (sample.gyro - self._rest_gyro)
        self._rest_gyro.clip(-LARGEST_BIAS, LARGEST_BIAS, out=self._rest_gyro)

    def update(self, sample: Sample) -> State:
        """Advance to a sample of a robot that is driven, or may move, and return the state."""
        self._driven = True
        self._rest_count = 0
        return self._follow(sample)

    def _follow(self, sample: Sample) -> State:
        """Let the filter follow a sample."""
        dt = sample.stamp_s - self._last_stamp_s
        if dt > 0.0:
            self._last_stamp_s = sample.stamp_s
            self._pending_s += dt
            self._tick += 1
            due = self._tick % COVARIANCE_EVERY == 0
            loaded, landed = self._advance(sample, dt, self._pending_s if due else 0.0)
            if landed:
                self.filter.correct(self._feet.positions, self.contact.planted)
            if due:
                self._pending_s = 0.0
            self._unloaded_s = 0.0 if loaded else self._unloaded_s + dt
            hangs = self._unloaded_s > HANGS_AFTER_S
            if hangs:
                self._hang(sample, dt)
            if not (landed or hangs):
                return self.state
        self._publish(sample)
        return self.state

    def _advance(self, sample: Sample, dt: float, pending_s: float) -> tuple[bool, bool]:
        """Do what is the same at every tick; see `follow_sample`."""
        self.state.stamp_s = sample.stamp_s
        return follow_sample(
            sample.stamp_s,
            sample.q,
            sample.dq,
            sample.tau,
            sample.gyro,
            sample.accel,
            sample.contacts,
            sample.contact_age_s,
            dt,
            pending_s,
            self._model.sole_jacobians,
            *self._parts,
        )

    def _hang(self, sample: Sample, dt: float) -> None:
        """Stay in place, and level by gravity, while no foot tells anything: on seat or rope."""
        mean = self.filter
        mean.velocity[:] = 0.0
        up = mean.rotation @ sample.accel
        length = float(np.linalg.norm(up))
        if abs(length - 9.81) > STEADY_ACCEL:
            return
        turn, unused = np.empty((3, 3)), np.empty((3, 3))
        gain = LEVEL_RATE * dt / length
        exp_so3(gain * up[1], -gain * up[0], 0.0, turn, unused)
        mean.rotation[:] = turn @ mean.rotation

    def _publish(self, sample: Sample) -> None:
        state = self.state
        state.stamp_s = sample.stamp_s
        write_state(
            sample.q,
            sample.dq,
            sample.tau,
            sample.gyro,
            self.contact.feet,
            self.filter.mean,
            self._imu_in_base,
            state.joints,
            state.base,
            state.contact,
        )


def tilt_of(state: State) -> float:
    """Return the angle between the torso's axis and the vertical [rad]."""
    return math.acos(min(1.0, max(-1.0, float(state.rotation_base_to_world[2, 2]))))
