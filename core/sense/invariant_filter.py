"""Contact-aided right-invariant extended Kalman filter of the IMU's pose and velocity.

Hartley et al., "Contact-aided invariant extended Kalman filtering for robot state
estimation" (the Kid Cosmo paper's [18]), with one contact point a foot and IMU biases.
The error is eta = X_estimated X_true^-1, ordered
[rotation, velocity, position, left contact, right contact, gyro bias, accelerometer bias].
"""

import math

import numpy as np

from core.robot.profile import Estimator
from devices.interface import Bools, Floats

DIM = 21
GRAVITY = np.array([0.0, 0.0, -9.81])
_ROTATION, _VELOCITY, _POSITION = slice(0, 3), slice(3, 6), slice(6, 9)
_CONTACTS = (slice(9, 12), slice(12, 15))
_GYRO_BIAS, _ACCEL_BIAS = slice(15, 18), slice(18, 21)


def skew(vector: Floats) -> Floats:
    """Return the matrix S with S b = vector x b (3, 3)."""
    x, y, z = vector
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def exp_so3(vector: Floats) -> tuple[Floats, Floats]:
    """Return the rotation exp(vector) and the left Jacobian of SO(3) there (3, 3) each."""
    square = float(vector @ vector)
    s = skew(vector)
    s2 = s @ s
    if square < 1e-8:
        a, b, c = 1.0 - square / 6.0, 0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0
    else:
        angle = math.sqrt(square)
        a, b = math.sin(angle) / angle, (1.0 - math.cos(angle)) / square
        c = (1.0 - a) / square
    eye = np.eye(3)
    return eye + a * s + b * s2, eye + b * s + c * s2


class InvariantFilter:
    """The filter's mean and covariance; it owns both.

    Attributes:
        rotation: IMU axes in the world (3, 3).
        velocity: of the IMU, in the world (3) [m/s].
        position: of the IMU, in the world (3) [m].
        contacts: left and right contact point, in the world (2, 3) [m].
        gyro_bias: in the IMU frame (3) [rad/s].
        accel_bias: in the IMU frame (3) [m/s²].
        covariance: of the right-invariant error (21, 21).
        active: the contact point is part of the state (2).
    """

    def __init__(self, settings: Estimator) -> None:
        self._noise = settings
        self.rotation: Floats = np.eye(3)
        self.velocity: Floats = np.zeros(3)
        self.position: Floats = np.zeros(3)
        self.contacts: Floats = np.zeros((2, 3))
        self.gyro_bias: Floats = np.zeros(3)
        self.accel_bias: Floats = np.zeros(3)
        self.covariance: Floats = np.zeros((DIM, DIM))
        self.active = [False, False]
        self._phi = np.eye(DIM)
        self._q = np.zeros((DIM, DIM))
        self.reset(np.eye(3), np.zeros(3), np.zeros(3))

    def reset(self, rotation: Floats, velocity: Floats, position: Floats) -> None:
        """Begin anew from a guess of the IMU's pose and velocity."""
        self.rotation = rotation.copy()
        self.velocity = velocity.copy()
        self.position = position.copy()
        self.gyro_bias = np.zeros(3)
        self.accel_bias = np.zeros(3)
        self.active = [False, False]
        deviations = np.repeat([0.2, 0.5, 0.001, 0.1, 0.1, 0.005, 0.05], 3)
        self.covariance = np.diag(deviations**2)

    def predict_mean(self, gyro: Floats, accel: Floats, dt: float) -> None:
        """Integrate one IMU sample over `dt` [s]."""
        turn, _ = exp_so3((gyro - self.gyro_bias) * dt)
        acceleration = self.rotation @ (accel - self.accel_bias) + GRAVITY
        self.position = self.position + (self.velocity + acceleration * (0.5 * dt)) * dt
        self.velocity = self.velocity + acceleration * dt
        self.rotation = self.rotation @ turn

    def predict_covariance(self, dt: float) -> None:
        """Propagate the covariance over `dt` [s] (Hartley et al., log-linear error dynamics).

        The state part of the transition is independent of the state; only the bias columns
        depend on it. First order in dt, which at 1 to 2 ms leaves an error below 1e-5.
        """
        noise, rotation = self._noise, self.rotation
        phi, q = self._phi, self._q
        phi[3, 1], phi[4, 0] = -GRAVITY[2] * dt, GRAVITY[2] * dt
        phi[6, 3] = phi[7, 4] = phi[8, 5] = dt
        lever = np.empty((15, 3))
        lever[0:3] = np.eye(3)
        lever[3:6] = skew(self.velocity)
        lever[6:9] = skew(self.position)
        lever[9:12] = skew(self.contacts[0])
        lever[12:15] = skew(self.contacts[1])
        phi[:15, _GYRO_BIAS] = lever @ rotation * -dt
        phi[_VELOCITY, _ACCEL_BIAS] = rotation * -dt
        q[:15, :15] = lever @ lever.T * (noise.gyro_noise**2 * dt)
        diagonal = q.reshape(-1)[:: DIM + 1]
        diagonal[3:6] += noise.accel_noise**2 * dt
        diagonal[9:15] += noise.contact_noise**2 * dt
        diagonal[15:18] = noise.gyro_bias_noise**2 * dt
        diagonal[18:21] = noise.accel_bias_noise**2 * dt
        self.covariance = phi @ (self.covariance + q) @ phi.T

    def correct(self, feet_in_imu: Floats, in_contact: Bools) -> None:
        """Correct with forward kinematics of the feet that stand (2, 3) [m].

        A foot that has just come down becomes part of the state: its covariance and its
        correlations are those of the position it is computed from, plus the kinematics'.
        """
        for side in (0, 1):
            if not in_contact[side]:
                self.active[side] = False
            elif not self.active[side]:
                self._augment(side, feet_in_imu[side])
            else:
                self._correct_one(side, feet_in_imu[side])

    def _augment(self, side: int, foot_in_imu: Floats) -> None:
        block, p = _CONTACTS[side], self.covariance
        self.contacts[side] = self.position + self.rotation @ foot_in_imu
        # In the right-invariant error the new contact's error equals the position's.
        p[block, :] = p[_POSITION, :]
        p[:, block] = p[:, _POSITION]
        p[block, block] = p[_POSITION, _POSITION] + np.eye(3) * self._noise.kinematics_noise**2
        self.active[side] = True

    def _correct_one(self, side: int, foot_in_imu: Floats) -> None:
        block, p = _CONTACTS[side], self.covariance
        innovation = self.rotation @ foot_in_imu + self.position - self.contacts[side]
        rows = p[block, :] - p[_POSITION, :]
        s = rows[:, block] - rows[:, _POSITION]
        s.reshape(-1)[::4] += self._noise.kinematics_noise**2
        weighted = np.linalg.solve(s, rows)
        delta = innovation @ weighted
        covariance = p - rows.T @ weighted
        self.covariance = 0.5 * (covariance + covariance.T)
        turn, jacobian = exp_so3(delta[_ROTATION])
        self.rotation = turn @ self.rotation
        self.velocity = turn @ self.velocity + jacobian @ delta[_VELOCITY]
        self.position = turn @ self.position + jacobian @ delta[_POSITION]
        for other in (0, 1):
            shift = jacobian @ delta[_CONTACTS[other]]
            self.contacts[other] = turn @ self.contacts[other] + shift
        self.gyro_bias = self.gyro_bias + delta[_GYRO_BIAS]
        self.accel_bias = self.accel_bias + delta[_ACCEL_BIAS]
