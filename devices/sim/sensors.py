"""The sensors of a simulated robot, with their noise, delay and debounce."""

import math

import numpy as np

from devices.compiled import compiled
from devices.interface import Bools, Floats, Sample
from devices.sim.settings import SimSettings
from devices.sim.world import Indices

BLOCK = 128  # rows of noise drawn at once
STEPS, STEP, ON, OFF, DEBOUNCE = range(5)  # of the parameters


@compiled
def measure_with_noise(
    q: Floats,
    dq: Floats,
    motor: Floats,
    imu: Floats,
    row: int,
    errors: Floats,
    parameters: Floats,
    readings: Floats,
) -> None:
    """Write the readings of encoders, current sensors and IMU.

    Args:
        q: joint positions (n) [rad].
        dq: joint velocities (n) [rad/s].
        motor: torques that the currents stand for (n) [N·m].
        imu: angular velocity [rad/s] and specific force [m/s²] (6).
        row: of the errors.
        errors: of velocities, gains and offsets of torques, and of the IMU (BLOCK, 3 n + 6).
        parameters: among them the encoders' steps (5).
        readings: position, velocity and torque of each joint, then the IMU (3 n + 6).
    """
    n = len(q)
    error = errors[row]
    steps, step = parameters[STEPS], parameters[STEP]
    for i in range(n):
        readings[i] = np.rint(q[i] * steps) * step
        readings[n + i] = dq[i] + error[i]
        readings[2 * n + i] = motor[i] * error[n + i] + error[2 * n + i]
    for i in range(6):
        readings[3 * n + i] = imu[i] + error[3 * n + i]


@compiled
def debounce(
    forces: Floats, parameters: Floats, changed: Indices, closed: Bools, out: Bools
) -> None:
    """Let the contact switches follow the forces, each after its debounce.

    Args:
        forces: of the ground on each contact (k) [N].
        parameters: among them the thresholds of the switches (5).
        changed: number of readings for which each has differed from its report (k).
        closed: report of each switch (k).
        out: a copy of that (k).
    """
    for i in range(len(forces)):
        bound = parameters[OFF] if closed[i] else parameters[ON]
        if closed[i] == (forces[i] > bound):
            changed[i] = 0
        else:
            changed[i] += 1
            if changed[i] >= parameters[DEBOUNCE]:
                closed[i] = not closed[i]
                changed[i] = 0
        out[i] = closed[i]


class Sensors:
    """Measures the truth of one instant and keeps the sample until it is read.

    A sample describes the instant before the last step of the physics: everything has that delay.

    Attributes:
        estop_closed: report of the E-stop chain.
    """

    def __init__(self, settings: SimSettings, seed: int) -> None:
        """Draw the biases that the sensors have after switching on.

        Args:
            settings: of the simulation.
            seed: of every noise.
        """
        n = len(settings.joint_names)
        noise = settings.body.noise
        self.estop_closed = True
        self._noise = noise
        self._n = n
        self._rng = np.random.default_rng(seed)
        self._bias = self._rng.standard_normal(6)
        self._bias[:3] *= noise.gyro_bias
        self._bias[3:] *= noise.accel_bias
        self._walk = np.repeat([noise.gyro_walk, noise.accel_walk], 3) * math.sqrt(settings.tick_s)
        self._imu_rms = np.repeat([noise.gyro, noise.accel], 3)
        self._floor = noise.torque_floor * np.array(settings.stall_torque)
        steps = 2.0**noise.encoder_bits / (2.0 * math.pi)
        readings = max(round(noise.debounce_s / settings.tick_s), 1)
        self._parameters = np.array(
            [steps, 1.0 / steps, noise.contact_on, noise.contact_off, readings]
        )
        self._errors = np.zeros((BLOCK, 3 * n + 6))
        self._row = BLOCK
        contacts = settings.contact_count
        self._closed = np.zeros(contacts, dtype=np.bool_)
        self._changed = np.zeros(contacts, dtype=np.intp)
        self._winding_c = np.full(n, settings.ambient_c)
        self._battery = (0.0, 0.0, 0.0)
        # The reader keeps one sample while the next is measured into the other.
        self._read, self._next = _blank(settings), _blank(settings)
        self._fresh = False
        self._draw()

    def read(self) -> Sample:
        """Return the newest sample, which stays as it is until the next call."""
        if self._fresh:
            self._read, self._next = self._next, self._read
            self._fresh = False
        return self._read[0]

    def _draw(self) -> None:
        n, noise = self._n, self._noise
        raw = self._rng.standard_normal((BLOCK, 2 * n + 12))
        torque, errors = raw[:, n : 2 * n], self._errors
        errors[:, :n] = raw[:, :n] * noise.velocity
        errors[:, n : 2 * n] = 1.0 + torque * noise.torque
        errors[:, 2 * n : 3 * n] = torque * self._floor
        drift = np.cumsum(raw[:, 2 * n + 6 :] * self._walk, axis=0) + self._bias
        self._bias = drift[-1].copy()
        errors[:, 3 * n :] = raw[:, 2 * n : 2 * n + 6] * self._imu_rms + drift
        self._row = 0

    def measure(
        self, stamp_s: float, q: Floats, dq: Floats, motor: Floats, imu: Floats, normal: Floats
    ) -> None:
        """Turn the truth of one instant into the next sample.

        Args:
            stamp_s: of that instant [s].
            q: joint positions (n) [rad].
            dq: joint velocities (n) [rad/s].
            motor: torques that the motor currents stand for (n) [N·m].
            imu: angular velocity [rad/s] and specific force [m/s²] at the IMU (6).
            normal: force of the ground on each contact (k) [N].
        """
        if self._row == BLOCK:
            self._draw()
        row, (sample, readings) = self._row, self._next
        self._fresh = True
        self._row = row + 1
        sample.stamp_s = stamp_s
        measure_with_noise(q, dq, motor, imu, row, self._errors, self._parameters, readings)
        debounce(normal, self._parameters, self._changed, self._closed, sample.contacts)
        sample.winding_c[:] = self._winding_c
        sample.battery_v, sample.battery_a, sample.battery_charge = self._battery
        sample.estop_closed = self.estop_closed

    def report(self, winding_c: Floats, volts: float, amperes: float, charge: float) -> None:
        """Take over the slow values: temperatures (n) [°C] and the battery."""
        np.rint(winding_c, self._winding_c)
        self._battery = (round(volts, 2), round(amperes, 2), charge)


def _blank(settings: SimSettings) -> tuple[Sample, Floats]:
    """Return a sample, and the array that its joints and its IMU are views of."""
    n, age_s = len(settings.joint_names), settings.timestep_s
    sample, readings = Sample.zeros(n, settings.contact_count), np.zeros(3 * n + 6)
    sample.q, sample.dq, sample.tau = readings[: 3 * n].reshape(3, n)
    sample.gyro, sample.accel = readings[3 * n :].reshape(2, 3)
    sample.joint_age_s.fill(age_s)
    if settings.imu_site is not None:
        sample.imu_age_s = age_s
    sample.contact_age_s.fill(age_s)
    return sample, readings
