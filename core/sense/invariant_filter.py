"""Contact-aided right-invariant extended Kalman filter of the IMU's pose and velocity.

Hartley et al., "Contact-aided invariant extended Kalman filtering for robot state
estimation" (the Kid Cosmo paper's [18]), with one contact point a foot and IMU biases.
The error is eta = X_estimated X_true^-1, ordered
[rotation, velocity, position, left contact, right contact, gyro bias, accelerometer bias].
"""

import math

import numpy as np

from core.compiled import compiled
from core.robot.profile import Estimator
from devices.interface import Bools, Floats

DIM = 21
GRAVITY = 9.81
ROTATION, VELOCITY, POSITION, CONTACTS, GYRO_BIAS, ACCEL_BIAS = 0, 3, 6, 9, 15, 18


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
def predict_mean(
    gyro: Floats,
    accel: Floats,
    dt: float,
    rotation: Floats,
    velocity: Floats,
    position: Floats,
    biases: Floats,
) -> None:
    """Integrate one IMU sample over `dt` [s] into the mean, in place."""
    turn, jacobian, before = np.empty((3, 3)), np.empty((3, 3)), rotation.copy()
    wx, wy, wz = gyro[0] - biases[0], gyro[1] - biases[1], gyro[2] - biases[2]
    exp_so3(wx * dt, wy * dt, wz * dt, turn, jacobian)
    for i in range(3):
        acceleration = -GRAVITY if i == 2 else 0.0
        for k in range(3):
            acceleration += before[i, k] * (accel[k] - biases[3 + k])
        position[i] += (velocity[i] + 0.5 * dt * acceleration) * dt
        velocity[i] += acceleration * dt
        for j in range(3):
            rotation[i, j] = 0.0
            for k in range(3):
                rotation[i, j] += before[i, k] * turn[k, j]


@compiled
def predict_covariance(
    dt: float,
    densities: Floats,
    rotation: Floats,
    velocity: Floats,
    position: Floats,
    contacts: Floats,
    covariance: Floats,
) -> None:
    """Propagate the covariance over `dt` [s], first order, in place.

    The state part of the transition does not depend on the state: that is what invariance
    means. Only the columns of the biases do. `densities` are those of gyro, accelerometer,
    contact, gyro bias and accelerometer bias.
    """
    phi = np.eye(DIM)
    lever = np.zeros((15, 3))
    phi[3, 1], phi[4, 0] = GRAVITY * dt, -GRAVITY * dt
    for i in range(3):
        phi[POSITION + i, VELOCITY + i] = dt
        lever[i, i] = 1.0
    for block in range(1, 5):
        v = velocity if block == 1 else position if block == 2 else contacts[block - 3]
        row = 3 * block
        lever[row, 1], lever[row, 2] = -v[2], v[1]
        lever[row + 1, 0], lever[row + 1, 2] = v[2], -v[0]
        lever[row + 2, 0], lever[row + 2, 1] = -v[1], v[0]
    for i in range(15):
        for j in range(3):
            total = 0.0
            for k in range(3):
                total += lever[i, k] * rotation[k, j]
            phi[i, GYRO_BIAS + j] = -total * dt
    for i in range(3):
        for j in range(3):
            phi[VELOCITY + i, ACCEL_BIAS + j] = -rotation[i, j] * dt
    gyro = densities[0] ** 2 * dt
    for i in range(15):
        for j in range(15):
            for k in range(3):
                covariance[i, j] += gyro * lever[i, k] * lever[j, k]
    for i in range(3):
        covariance[VELOCITY + i, VELOCITY + i] += densities[1] ** 2 * dt
        covariance[CONTACTS + i, CONTACTS + i] += densities[2] ** 2 * dt
        covariance[CONTACTS + 3 + i, CONTACTS + 3 + i] += densities[2] ** 2 * dt
        covariance[GYRO_BIAS + i, GYRO_BIAS + i] += densities[3] ** 2 * dt
        covariance[ACCEL_BIAS + i, ACCEL_BIAS + i] += densities[4] ** 2 * dt
    half = np.zeros((DIM, DIM))
    for i in range(DIM):
        for k in range(DIM):
            factor = phi[i, k]
            if factor != 0.0:
                for j in range(DIM):
                    half[i, j] += factor * covariance[k, j]
    covariance[:] = 0.0
    for i in range(DIM):
        for k in range(DIM):
            factor = phi[i, k]
            if factor != 0.0:
                for j in range(DIM):
                    covariance[j, i] += factor * half[j, k]


@compiled
def correct_contact(
    feet_in_imu: Floats,
    side: int,
    variance: float,
    rotation: Floats,
    velocity: Floats,
    position: Floats,
    contacts: Floats,
    biases: Floats,
    covariance: Floats,
) -> None:
    """Correct mean and covariance with one standing foot's forward kinematics, in place."""
    block = CONTACTS + 3 * side
    innovation = np.empty(3)
    for i in range(3):
        innovation[i] = position[i] - contacts[side, i]
        for k in range(3):
            innovation[i] += rotation[i, k] * feet_in_imu[side, k]
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
    weighted = np.zeros((3, DIM))
    for i in range(3):
        for k in range(3):
            for j in range(DIM):
                weighted[i, j] += inverse[i, k] * rows[k, j]
    delta = np.zeros(DIM)
    for i in range(3):
        for j in range(DIM):
            delta[j] += innovation[i] * weighted[i, j]
    for i in range(DIM):
        for j in range(DIM):
            for k in range(3):
                covariance[i, j] -= rows[k, i] * weighted[k, j]
    for i in range(DIM):
        for j in range(i):
            mean = 0.5 * (covariance[i, j] + covariance[j, i])
            covariance[i, j] = covariance[j, i] = mean
    turn, jacobian, before = np.empty((3, 3)), np.empty((3, 3)), rotation.copy()
    exp_so3(delta[0], delta[1], delta[2], turn, jacobian)
    for i in range(3):
        for j in range(3):
            rotation[i, j] = 0.0
            for k in range(3):
                rotation[i, j] += turn[i, k] * before[k, j]
    for vector, first in (
        (velocity, VELOCITY),
        (position, POSITION),
        (contacts[0], CONTACTS),
        (contacts[1], CONTACTS + 3),
    ):
        a, b, c = vector[0], vector[1], vector[2]
        for i in range(3):
            vector[i] = turn[i, 0] * a + turn[i, 1] * b + turn[i, 2] * c
            for k in range(3):
                vector[i] += jacobian[i, k] * delta[first + k]
    for i in range(6):
        biases[i] += delta[GYRO_BIAS + i]


class InvariantFilter:
    """The filter's mean and covariance; it owns both.

    Attributes:
        rotation: IMU axes in the world (3, 3).
        velocity: of the IMU, in the world (3) [m/s].
        position: of the IMU, in the world (3) [m].
        contacts: left and right contact point, in the world (2, 3) [m].
        biases: of gyro [rad/s] and accelerometer [m/s²], in the IMU frame (6).
        covariance: of the right-invariant error (21, 21).
        active: the contact point is part of the state (2).
    """

    def __init__(self, settings: Estimator) -> None:
        self._variance = settings.kinematics_noise**2
        self._densities = np.array(
            [
                settings.gyro_noise,
                settings.accel_noise,
                settings.contact_noise,
                settings.gyro_bias_noise,
                settings.accel_bias_noise,
            ]
        )
        self.rotation: Floats = np.eye(3)
        self.velocity: Floats = np.zeros(3)
        self.position: Floats = np.zeros(3)
        self.contacts: Floats = np.zeros((2, 3))
        self.biases: Floats = np.zeros(6)
        self.covariance: Floats = np.zeros((DIM, DIM))
        self.active = [False, False]
        self.reset(np.eye(3), np.zeros(3), np.zeros(3))

    def reset(
        self,
        rotation: Floats,
        velocity: Floats,
        position: Floats,
        tilt_deviation: float = 0.2,
        velocity_deviation: float = 0.5,
    ) -> None:
        """Begin anew from a guess of the IMU's pose and velocity.

        Args:
            rotation: of the IMU (3, 3).
            velocity: in the world (3) [m/s].
            position: in the world (3) [m].
            tilt_deviation: standard deviation of the guess's angles [rad].
            velocity_deviation: standard deviation of the guess's velocity [m/s].
        """
        self.rotation[:] = rotation
        self.velocity[:] = velocity
        self.position[:] = position
        self.biases[:] = 0.0
        self.active = [False, False]
        deviations = np.repeat(
            [tilt_deviation, velocity_deviation, 0.001, 0.1, 0.1, 0.005, 0.05], 3
        )
        self.covariance[:] = np.diag(deviations**2)

    def predict_mean(self, gyro: Floats, accel: Floats, dt: float) -> None:
        """Integrate one IMU sample over `dt` [s]."""
        predict_mean(gyro, accel, dt, self.rotation, self.velocity, self.position, self.biases)

    def predict_covariance(self, dt: float) -> None:
        """Propagate the covariance over `dt` [s]."""
        predict_covariance(
            dt,
            self._densities,
            self.rotation,
            self.velocity,
            self.position,
            self.contacts,
            self.covariance,
        )

    def correct(self, feet_in_imu: Floats, in_contact: Bools) -> None:
        """Correct with forward kinematics of the feet that stand (2, 3) [m].

        A foot that has just come down becomes part of the state: its covariance and its
        correlations are those of the position it is computed from, plus the kinematics'.
        """
        for side, stands in enumerate(in_contact.tolist()):
            if not stands:
                self.active[side] = False
            elif not self.active[side]:
                self._augment(side, feet_in_imu[side])
            else:
                correct_contact(
                    feet_in_imu,
                    side,
                    self._variance,
                    self.rotation,
                    self.velocity,
                    self.position,
                    self.contacts,
                    self.biases,
                    self.covariance,
                )

    def _augment(self, side: int, foot_in_imu: Floats) -> None:
        first, p = CONTACTS + 3 * side, self.covariance
        block, position = slice(first, first + 3), slice(POSITION, POSITION + 3)
        self.contacts[side] = self.position + self.rotation @ foot_in_imu
        # In the right-invariant error the new contact's error equals the position's.
        p[block, :] = p[position, :]
        p[:, block] = p[:, position]
        p[block, block] = p[position, position] + np.eye(3) * self._variance
        self.active[side] = True
