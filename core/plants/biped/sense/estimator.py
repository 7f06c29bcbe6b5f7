"""The state estimator: invariant filter, leg kinematics and contact estimator in one."""

import math
from typing import Any

import numpy as np
import pinocchio as pin

from core.compiled import bind, compiled
from core.constants import GRAVITY
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
from core.records import Record, record_of
from core.robot.profile import Profile
from core.robot.state import State
from devices.interface import Bools, Floats, Sample

REST_RATE = 10.0  # of the IMU's average over a robot at rest [1/s]
LARGEST_BIAS = 0.02  # a faster rotation is no bias [rad/s]
LEVEL_RATE = 0.5  # of levelling a hanging robot by gravity [1/s]
HANGS_AFTER_S = 0.3  # without load on any foot; longer than the flight of any step
STEADY_ACCEL = 1.0  # largest difference to gravity at which gravity is learned [m/s²]
STEADY_TURN = 0.1  # a torso that rotates faster is not at rest [rad/s]
STEADY_S = 0.2  # without interruption, before a robot that was driven is at rest
REST_TILT = 0.01  # standard deviation of the tilt by gravity, at rest [rad]
REST_SPEED = 0.05  # standard deviation of the velocity at rest [m/s]
SWAY = 0.01  # rate at which a robot sways that has just been let go [rad/s]
SWAY_S = 0.5  # time constant with which that ends [s]
COVARIANCE_S = 0.002  # period of the covariance; the mean follows the IMU at every tick


@compiled
def take_sample(
    q: Floats,
    dq: Floats,
    tau: Floats,
    gyro: Floats,
    accel: Floats,
    switches: Bools,
    ages_s: Floats,
    joints: Floats,
    senses: Record,
) -> None:
    """Copy a sample into the state's joints and the estimator's record of the other senses.

    Args:
        q: measured joint positions (n) [rad].
        dq: joint velocities (n) [rad/s].
        tau: joint torques (n) [N·m].
        gyro: angular velocity of the IMU (3) [rad/s].
        accel: specific force of the IMU (3) [m/s²].
        switches: contact switches (s).
        ages_s: time since each was read (s) [s].
        joints: of the state, output (3, n).
        senses: output.
    """
    out: Any = senses[0]
    for i in range(q.size):
        joints[0, i], joints[1, i], joints[2, i] = q[i], dq[i], tau[i]
    for i in range(3):
        out.gyro[i], out.accel[i] = gyro[i], accel[i]
    for i in range(switches.size):
        out.ages_s[i], out.switches[i] = ages_s[i], switches[i]


@compiled
def write_state(
    senses: Record, contacts: Bools, mean: Floats, base: Floats, contact: Bools
) -> None:
    """Write the motion of the torso, on which the IMU is mounted, and the loaded feet.

    Args:
        senses: see `take_sample`; it has the position of the IMU as well.
        contacts: feet that carry weight, in the first row (2, 2).
        mean: of the filter (9, 3).
        base: of the state, output (7, 3).
        contact: of the state, output (2).
    """
    contact[0], contact[1] = contacts[0, 0], contacts[0, 1]
    rotation, gyro_bias = mean[:3], mean[7]
    gyro, imu_in_base = senses[0].gyro, senses[0].imu_in_base
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
    legs: Record,
    feet: Record,
    contact_memory: Floats,
    contacts: Bools,
    senses: Record,
    believed: Record,
    joints: Floats,
    base: Floats,
    contact: Bools,
    stamp_s: float,
    dt: float,
    pending_s: float,
) -> tuple[bool, bool]:
    """Follow a sample that was taken, from contacts to state.

    Args:
        legs: see `judge_contacts`.
        feet: see `judge_contacts`.
        contact_memory: `memory` of `judge_contacts`.
        contacts: see `judge_contacts`.
        senses: see `take_sample`.
        believed: `InvariantFilter.record`.
        joints: of the state (3, n).
        base: of the state, output (7, 3).
        contact: of the state, output (2).
        stamp_s: the sample's time [s].
        dt: time since the last sample [s].
        pending_s: time since the covariance was last propagated if that is due, else 0 [s].

    Returns:
        Whether a foot carries weight, and whether a foot has just landed, so that the correction
        is left to `InvariantFilter.correct`.
    """
    sensed: Any = senses[0]
    estimate: Any = believed[0]
    mean = estimate.mean
    judge_contacts(
        stamp_s, legs, feet, joints[2], sensed.switches, sensed.ages_s, contact_memory, contacts
    )
    predict_mean(sensed.gyro, sensed.accel, dt, mean)
    landed = False
    if pending_s > 0.0:
        positions, planted, variance = sensed.feet_in_imu, contacts[1], estimate.variance
        write_feet(joints[0], sensed.chain_joints, sensed.chain_ratios, sensed.chains, positions)
        predict_covariance(pending_s, estimate.densities, mean, estimate.covariance)
        landed = correct_contacts(
            positions, planted, estimate.active, variance, mean, estimate.covariance
        )
    write_state(senses, contacts, mean, base, contact)
    return contacts[0, 0] or contacts[0, 1], landed


class StateEstimator:
    """Estimates the state from samples; owns the state and the filter.

    Attributes:
        state: the newest estimate, overwritten by `update`.
        filter: the invariant filter.
        contact: the contact estimator.
    """

    def __init__(self, profile: Profile, model: RobotModel) -> None:
        settings, tick_s = profile.estimator, profile.tick_s
        self.state = State.upright(len(profile.joint_names))
        self.filter = InvariantFilter(settings)
        self.contact = ContactEstimator(settings, model)
        self._model = model
        self._imu_in_base = model.imu_in_base
        self._feet = FeetKinematics(model, profile)
        self._tick_s, self._rest_share = tick_s, REST_RATE * tick_s
        self._steady_ticks = round(STEADY_S / tick_s)
        self._covariance_ticks = max(1, round(COVARIANCE_S / tick_s))
        self._last_stamp_s = -1.0
        self._unloaded_s = 0.0
        self._rest_accel: Floats = np.zeros(3)
        self._rest_gyro: Floats = np.zeros(3)
        self._rest_count = 0
        self._driven = False
        self._tick = 0
        self._pending_s = 0.0
        switches = sum(len(contact.switches) for contact in profile.contacts)
        self._senses = record_of(
            gyro=np.zeros(3),
            accel=np.zeros(3),
            ages_s=np.zeros(switches),
            imu_in_base=model.imu_in_base,
            chain_joints=self._feet.joints,
            chain_ratios=self._feet.ratios,
            chains=self._feet.chains,
            feet_in_imu=self._feet.positions,
            switches=np.zeros(switches, dtype=np.bool_),
        )
        self._feet.positions = self._senses["feet_in_imu"][0]
        state = self.state
        self._follow_sample = bind(
            follow_sample,
            self.contact.legs,
            model.feet,
            self.contact.memory,
            self.contact.contacts,
            self._senses,
            self.filter.record,
            state.joints,
            state.base,
            state.contact,
        )

    def rest(self, sample: Sample) -> State:
        """Follow a robot that is not driven: tilt from gravity, soles at z = 0, gyro bias learned.

        The accelerometer is averaged, because people or a seat may still move the robot; while
        it measures more than gravity, as when the robot sinks into a rope, nothing is learned.
        A robot that was driven until now moves until it has come to rest; until then the filter
        continues, because it is better than any average.
        """
        steady = abs(float(np.linalg.norm(sample.accel)) - GRAVITY) < STEADY_ACCEL
        if self._driven and not self._comes_to_rest(sample, steady) and self._is_finite:
            return self._follow(sample)
        self._driven = False
        self._average(sample, steady)
        length = float(np.linalg.norm(self._rest_accel))
        up = self._rest_accel / length if length > 0.0 else np.array([0.0, 0.0, 1.0])
        roll = math.atan2(up[1], up[2])
        pitch = math.atan2(-up[0], math.hypot(up[1], up[2]))
        base, yaw = self.state.position_base_in_world, float(self.state.rpy[2])
        if not self._is_finite:  # NaN must not survive a restart
            base, yaw = np.zeros(3), 0.0
        rotation = pin.rpy.rpyToMatrix(roll, pitch, yaw)
        self._feet.update(sample.q)
        lowest = float((rotation @ self._feet.positions.T)[2].min())
        position = base + rotation @ self._imu_in_base
        position[2] = -lowest
        rest_s = self._rest_count * self._tick_s
        sway = SWAY * math.exp(-rest_s / SWAY_S)  # taken for a bias until then
        self.filter.reset(rotation, np.zeros(3), position, REST_TILT, REST_SPEED, sway)
        self.filter.biases[:3] = self._rest_gyro
        self.contact.update(sample)
        self._last_stamp_s = sample.stamp_s
        self._publish(sample)
        return self.state

    def put_back(self) -> None:
        """Begin again, upright and at rest at the origin."""
        self.state.base[:] = State.upright(len(self.state.q)).base
        self._driven = False
        self._rest_count = 0

    @property
    def _is_finite(self) -> bool:
        """Position and attitude of the torso are finite."""
        position, rpy = self.state.position_base_in_world, self.state.rpy
        return math.isfinite(float(position.sum()) + float(rpy.sum()))

    def _comes_to_rest(self, sample: Sample, steady: bool) -> bool:
        """Tell whether a robot that was driven has been still for long enough."""
        turn = float(np.linalg.norm(sample.gyro - self.filter.biases[:3]))
        if not (steady and turn < STEADY_TURN):
            self._rest_count = 0
            return False
        if self._rest_count >= self._steady_ticks:
            return True
        self._average(sample, steady)
        return False

    def _average(self, sample: Sample, steady: bool) -> None:
        """Take a sample into the averages of a robot at rest; the first replaces them."""
        if steady:
            self._rest_count += 1
            share = max(1.0 / self._rest_count, self._rest_share)
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
            due = self._tick % self._covariance_ticks == 0
            self._take(sample)
            pending_s = self._pending_s if due else 0.0
            loaded, landed = self._follow_sample(sample.stamp_s, dt, pending_s)
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

    def _take(self, sample: Sample) -> None:
        """Copy a sample to where the kernels read it."""
        self.state.stamp_s = sample.stamp_s
        take_sample(
            sample.q,
            sample.dq,
            sample.tau,
            sample.gyro,
            sample.accel,
            sample.contacts,
            sample.contact_age_s,
            self.state.joints,
            self._senses,
        )

    def _hang(self, sample: Sample, dt: float) -> None:
        """Stay in place and level by gravity while no foot carries weight: on a seat or a rope."""
        mean = self.filter
        mean.velocity[:] = 0.0
        up = mean.rotation @ sample.accel
        length = float(np.linalg.norm(up))
        if abs(length - GRAVITY) > STEADY_ACCEL:
            return
        turn, unused = np.empty((3, 3)), np.empty((3, 3))
        gain = LEVEL_RATE * dt / length
        exp_so3(gain * up[1], -gain * up[0], 0.0, turn, unused)
        mean.rotation[:] = turn @ mean.rotation

    def _publish(self, sample: Sample) -> None:
        """Write the state from the filter's mean and a sample."""
        state = self.state
        self._take(sample)
        write_state(
            self._senses, self.contact.contacts, self.filter.mean, state.base, state.contact
        )


def tilt_of(state: State) -> float:
    """Return the angle between the torso's axis and the vertical [rad]."""
    return math.acos(min(1.0, max(-1.0, float(state.rotation_base_to_world[2, 2]))))
