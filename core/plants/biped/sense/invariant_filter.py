"""Contact-aided right-invariant extended Kalman filter of the IMU's pose and velocity.

Hartley et al., "Contact-aided invariant extended Kalman filtering for robot state
estimation" (the Kid Cosmo paper's [18]), with one contact point a foot and IMU biases.
The error is eta = X_estimated X_true^-1, ordered
[rotation, velocity, position, left contact, right contact, gyro bias, accelerometer bias].
The mean is a table (9, 3) in the same order: three rows of the rotation, one of each other.
"""

import math

import numpy as np

from core.compiled import compiled
from core.constants import GRAVITY
from core.plants.biped.settings import Estimator
from core.records import Indices, record_of
from devices.interface import Bools, Floats

FEET = 2
# First rows of the blocks of the error.
ROTATION, VELOCITY, POSITION, CONTACTS = 0, 3, 6, 9
GYRO_BIAS = CONTACTS + 3 * FEET
ACCEL_BIAS = GYRO_BIAS + 3
DIM = ACCEL_BIAS + 3


@compiled
def exp_so3(x: float, y: float, z: float, rotation: Floats, jacobian: Floats) -> None:
    """Write the rotation exp([x y z]) and the left Jacobian of SO(3) there (3, 3) each."""
    square = x * x + y * y + z * z
    if square < 1e-8:
        a, b, c = 1.0 - square / 6.0, 0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0
    else:
        angle = math.sqrt(square)
        a, b = math.sin(angle) / angle, (1.0 - math.cos(angle)) / square
        c = (1.0 - a) / square
    w = (x, y, z)
    for i in range(3):
        for j in range(3):
            outer = w[i] * w[j]
            rotation[i, j] = b * outer
            jacobian[i, j] = c * outer
        rotation[i, i] += 1.0 - b * square
        jacobian[i, i] += 1.0 - c * square
    for i, j, value in ((0, 1, -z), (0, 2, y), (1, 2, -x)):
        rotation[i, j] += a * value
        rotation[j, i] -= a * value
        jacobian[i, j] += b * value
        jacobian[j, i] -= b * value


@compiled
def predict_mean(gyro: Floats, accel: Floats, dt: float, mean: Floats) -> None:
    """Integrate one IMU sample over `dt` [s] into the mean, in place."""
    rotation, velocity, position = mean[:3], mean[3], mean[4]
    gyro_bias, accel_bias = mean[7], mean[8]
    turn, jacobian, before = np.empty((3, 3)), np.empty((3, 3)), rotation.copy()
    wx, wy, wz = gyro[0] - gyro_bias[0], gyro[1] - gyro_bias[1], gyro[2] - gyro_bias[2]
    exp_so3(wx * dt, wy * dt, wz * dt, turn, jacobian)
    for i in range(3):
        acceleration = -GRAVITY if i == 2 else 0.0
        for k in range(3):
            acceleration += before[i, k] * (accel[k] - accel_bias[k])
        position[i] += (velocity[i] + 0.5 * dt * acceleration) * dt
        velocity[i] += acceleration * dt
        for j in range(3):
            rotation[i, j] = 0.0
            for k in range(3):
                rotation[i, j] += before[i, k] * turn[k, j]


@compiled
def predict_covariance(dt: float, densities: Floats, mean: Floats, covariance: Floats) -> None:
    """Propagate the covariance over `dt` [s], first order, in place.

    The state part of the transition does not depend on the state: that is what invariance
    means. Only the columns of the biases do. `densities` are those of gyro, accelerometer,
    contact, gyro bias and accelerometer bias. Only the non-zero entries of the transition are
    multiplied: ones on its diagonal, gravity and `dt` beside it, and the columns of the biases.
    """
    # Row 3 b + i: how a rotation about the world's axes moves block b.
    lever = np.zeros((3, GYRO_BIAS))
    for i in range(3):
        lever[i, i] = 1.0
    for block in range(1, 3 + FEET):
        v, first = mean[2 + block], 3 * block
        lever[1, first], lever[2, first] = -v[2], v[1]
        lever[0, first + 1], lever[2, first + 1] = v[2], -v[0]
        lever[0, first + 2], lever[1, first + 2] = -v[1], v[0]
    from_bias = np.zeros((6, GYRO_BIAS))
    for j in range(3):
        for i in range(GYRO_BIAS):
            total = 0.0
            for k in range(3):
                total += lever[k, i] * mean[k, j]
            from_bias[j, i] = -total * dt
        for i in range(3):
            from_bias[3 + j, VELOCITY + i] = -mean[i, j] * dt
    gyro = densities[0] ** 2 * dt
    for i in range(GYRO_BIAS):
        for k in range(3):
            weight = gyro * lever[k, i]
            if weight != 0.0:
                for j in range(GYRO_BIAS):
                    covariance[i, j] += weight * lever[k, j]
    for i in range(3):
        covariance[VELOCITY + i, VELOCITY + i] += densities[1] ** 2 * dt
        for k in range(CONTACTS + i, GYRO_BIAS, 3):
            covariance[k, k] += densities[2] ** 2 * dt
        covariance[GYRO_BIAS + i, GYRO_BIAS + i] += densities[3] ** 2 * dt
        covariance[ACCEL_BIAS + i, ACCEL_BIAS + i] += densities[4] ** 2 * dt
    fall = GRAVITY * dt
    # From the last row up, so that each reads rows that are not yet changed.
    for i in range(GYRO_BIAS - 1, -1, -1):
        if POSITION <= i < CONTACTS:
            for j in range(DIM):
                covariance[i, j] += dt * covariance[i - 3, j]
        elif i == VELOCITY:
            for j in range(DIM):
                covariance[i, j] += fall * covariance[1, j]
        elif i == VELOCITY + 1:
            for j in range(DIM):
                covariance[i, j] -= fall * covariance[0, j]
        for k in range(0, 6 if VELOCITY <= i < POSITION else 3, 3):
            a, b, c = from_bias[k, i], from_bias[k + 1, i], from_bias[k + 2, i]
            bias = covariance[GYRO_BIAS + k : GYRO_BIAS + k + 3]
            for j in range(DIM):
                more = covariance[i, j] + a * bias[0, j] + b * bias[1, j]
                covariance[i, j] = more + c * bias[2, j]
    # The columns likewise.
    for row in covariance:
        for i in range(CONTACTS - 1, POSITION - 1, -1):
            row[i] += dt * row[i - 3]
        row[VELOCITY] += fall * row[1]
        row[VELOCITY + 1] -= fall * row[0]
        a, b, c = row[GYRO_BIAS], row[GYRO_BIAS + 1], row[GYRO_BIAS + 2]
        for i in range(GYRO_BIAS):
            row[i] = row[i] + a * from_bias[0, i] + b * from_bias[1, i] + c * from_bias[2, i]
        a, b, c = row[ACCEL_BIAS], row[ACCEL_BIAS + 1], row[ACCEL_BIAS + 2]
        for i in range(VELOCITY, POSITION):
            row[i] = row[i] + a * from_bias[3, i] + b * from_bias[4, i] + c * from_bias[5, i]


@compiled
def correct_contact(
    feet_in_imu: Floats, side: int, variance: float, mean: Floats, covariance: Floats
) -> None:
    """Correct mean and covariance with one standing foot's forward kinematics, in place."""
    block = CONTACTS + 3 * side
    rotation, position, contact = mean[:3], mean[4], mean[5 + side]
    rows = np.empty((3, DIM))
    for i in range(3):
        for j in range(DIM):
            rows[i, j] = covariance[block + i, j] - covariance[POSITION + i, j]
    s = np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            s[i, j] = rows[i, block + j] - rows[i, POSITION + j]
        s[i, i] += variance
    inverse = np.linalg.inv(s)
    weighted, delta = np.zeros((3, DIM)), np.zeros(DIM)
    for i in range(3):
        for k in range(3):
            for j in range(DIM):
                weighted[i, j] += inverse[i, k] * rows[k, j]
        innovation = position[i] - contact[i]
        for k in range(3):
            innovation += rotation[i, k] * feet_in_imu[side, k]
        for j in range(DIM):
            delta[j] += innovation * weighted[i, j]
    for i in range(DIM):
        a, b, c = rows[0, i], rows[1, i], rows[2, i]
        for j in range(DIM):
            less = covariance[i, j] - a * weighted[0, j] - b * weighted[1, j]
            covariance[i, j] = less - c * weighted[2, j]
    for i in range(DIM):
        for j in range(i):
            middle = 0.5 * (covariance[i, j] + covariance[j, i])
            covariance[i, j] = covariance[j, i] = middle
    turn, jacobian, before = np.empty((3, 3)), np.empty((3, 3)), rotation.copy()
    exp_so3(delta[0], delta[1], delta[2], turn, jacobian)
    for i in range(3):
        for j in range(3):
            rotation[i, j] = 0.0
            for k in range(3):
                rotation[i, j] += turn[i, k] * before[k, j]
    for block in range(1, 3 + FEET):
        vector, first = mean[2 + block], 3 * block
        a, b, c = vector[0], vector[1], vector[2]
        for i in range(3):
            vector[i] = turn[i, 0] * a + turn[i, 1] * b + turn[i, 2] * c
            for k in range(3):
                vector[i] += jacobian[i, k] * delta[first + k]
    for i in range(3):
        mean[7, i] += delta[GYRO_BIAS + i]
        mean[8, i] += delta[ACCEL_BIAS + i]


@compiled
def correct_contacts(
    feet_in_imu: Floats,
    stands: Bools,
    active: Indices,
    variance: float,
    mean: Floats,
    covariance: Floats,
) -> bool:
    """Correct with the feet that stand; if one has just landed, return True and do nothing."""
    landed = False
    for side in range(FEET):
        active[side] = 1 if active[side] != 0 and stands[side] else 0
        landed = landed or stands[side] != (active[side] != 0)
    if not landed:
        for side in range(FEET):
            if stands[side]:
                correct_contact(feet_in_imu, side, variance, mean, covariance)
    return landed


class InvariantFilter:
    """Owns the filter's mean and covariance.

    Attributes:
        record: of mean, covariance, active, variance and densities, for a kernel.
        mean: its rows are the attributes from `rotation` to `biases` (9, 3).
        rotation: IMU axes in the world (3, 3).
        velocity: of the IMU, in the world (3) [m/s].
        position: of the IMU, in the world (3) [m].
        contacts: left and right contact point, in the world (2, 3) [m].
        biases: of gyro [rad/s] and accelerometer [m/s²], in the IMU frame (6).
        covariance: of the right-invariant error (21, 21).
        active: 1 if the contact point is part of the state, else 0 (2).
        variance: of a foot's position by the leg's kinematics [m²].
        densities: of gyro, accelerometer, contact, gyro bias and accelerometer bias (5).
    """

    def __init__(self, settings: Estimator) -> None:
        self.record = record_of(
            mean=np.zeros((5 + FEET + 2, 3)),
            covariance=np.zeros((DIM, DIM)),
            densities=[
                settings.gyro_noise,
                settings.accel_noise,
                settings.contact_noise,
                settings.gyro_bias_noise,
                settings.accel_bias_noise,
            ],
            variance=settings.kinematics_noise**2,
            active=[False] * FEET,
        )
        self._bias_deviations = settings.gyro_bias, settings.accel_bias
        self.variance = settings.kinematics_noise**2
        self.densities: Floats = self.record["densities"][0]
        self.mean: Floats = self.record["mean"][0]
        self.rotation: Floats = self.mean[:3]
        self.velocity: Floats = self.mean[3]
        self.position: Floats = self.mean[4]
        self.contacts: Floats = self.mean[5 : 5 + FEET]
        self.biases: Floats = self.mean[5 + FEET :].reshape(6)
        self.covariance: Floats = self.record["covariance"][0]
        self.active: Indices = self.record["active"][0]
        self.reset(np.eye(3), np.zeros(3), np.zeros(3))

    def reset(
        self,
        rotation: Floats,
        velocity: Floats,
        position: Floats,
        tilt_deviation: float = 0.2,
        velocity_deviation: float = 0.5,
        turn_deviation: float = 0.0,
    ) -> None:
        """Restart from a guess of the IMU's pose and velocity.

        Args:
            rotation: of the IMU (3, 3).
            velocity: in the world (3) [m/s].
            position: in the world (3) [m].
            tilt_deviation: standard deviation of the guess's angles [rad].
            velocity_deviation: standard deviation of the guess's velocity [m/s].
            turn_deviation: of a tilting that may have been taken for the gyro's bias [rad/s]. A
                rotation about the vertical is not doubted: gravity does not reveal its bias.
        """
        self.rotation[:] = rotation
        self.velocity[:] = velocity
        self.position[:] = position
        self.biases[:] = 0.0
        self.active[:] = 0
        contacts = [0.1] * FEET
        deviations = np.repeat(
            [tilt_deviation, velocity_deviation, 0.001, *contacts, *self._bias_deviations], 3
        )
        self.covariance[:] = np.diag(deviations**2)
        up = rotation[2]  # in the IMU's frame, as the bias
        level = np.eye(3) - np.outer(up, up)
        self.covariance[GYRO_BIAS:ACCEL_BIAS, GYRO_BIAS:ACCEL_BIAS] += turn_deviation**2 * level

    def move(self, x: float, y: float, yaw: float) -> None:
        """Move the robot, with the feet on which it stands; the errors keep their covariance.

        Args:
            x: along the world's x axis [m].
            y: along its y axis [m].
            yaw: about the vertical through the IMU, after that [rad].
        """
        cos, sin = math.cos(yaw), math.sin(yaw)
        turn: Floats = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
        self.contacts[:] = (self.contacts - self.position) @ turn.T + self.position
        self.contacts[:, :2] += (x, y)
        self.position[:2] += (x, y)
        self.velocity[:] = turn @ self.velocity
        self.rotation[:] = turn @ self.rotation

    def correct(self, feet_in_imu: Floats, in_contact: Bools) -> None:
        """Correct with forward kinematics of the feet that stand (2, 3) [m].

        A foot that has just landed becomes part of the state: its covariance and correlations
        are those of the position that it is computed from, plus those of the kinematics.
        """
        variance, mean, covariance = self.variance, self.mean, self.covariance
        if not correct_contacts(feet_in_imu, in_contact, self.active, variance, mean, covariance):
            return
        for side, stands in enumerate(in_contact.tolist()):
            if stands and self.active[side]:
                correct_contact(feet_in_imu, side, variance, mean, covariance)
            elif stands:
                self._augment(side, feet_in_imu[side])

    def _augment(self, side: int, foot_in_imu: Floats) -> None:
        first, p = CONTACTS + 3 * side, self.covariance
        block, position = slice(first, first + 3), slice(POSITION, POSITION + 3)
        self.contacts[side] = self.position + self.rotation @ foot_in_imu
        # In the right-invariant error the new contact's error equals the position's.
        p[block, :] = p[position, :]
        p[:, block] = p[:, position]
        p[block, block] = p[position, position] + np.eye(3) * self.variance
        self.active[side] = 1
