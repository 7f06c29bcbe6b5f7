"""What a simulated robot's sensors say about the truth."""

import math

import numpy as np

from devices.interface import Floats, Sample
from devices.sim.settings import SimSettings

BLOCK = 128  # ticks of noise drawn at once


class Sensors:
    """Spoils the truth of one instant and keeps it until it is read.

    A sample describes the instant before the last step: one tick of delay for everything.

    Attributes:
        estop_closed: what the E-stop chain reports.
    """

    def __init__(self, settings: SimSettings, seed: int) -> None:
        """Draw the biases of sensors that were just switched on.

        Args:
            settings: of the simulation.
            seed: of every noise.
        """
        n = len(settings.joint_names)
        noise = settings.noise
        self.estop_closed = True
        self._noise = noise
        self._n = n
        self._dt = settings.timestep_s
        self._rng = np.random.default_rng(seed)
        self._bias = self._rng.standard_normal(6)
        self._bias[:3] *= noise.gyro_bias
        self._bias[3:] *= noise.accel_bias
        self._walk = np.repeat([noise.gyro_walk, noise.accel_walk], 3) * math.sqrt(self._dt)
        self._imu_rms = np.repeat([noise.gyro, noise.accel], 3)
        self._floor = noise.torque_floor * np.array(settings.stall_torque)
        self._steps = 2.0**noise.encoder_bits / (2.0 * math.pi)
        self._step = 1.0 / self._steps
        self._row = BLOCK
        self._closed = [False] * 4
        self._changed = [0] * 4
        self._winding_c = np.full(n, settings.ambient_c)
        self._battery = (0.0, 0.0, 0.0)
        # The reader keeps one sample while the next is measured into the other.
        self._read, self._next = self._blank(n), self._blank(n)
        self._fresh = False
        self._draw()

    def _blank(self, n: int) -> Sample:
        sample = Sample.zeros(n)
        sample.joint_age_s.fill(self._dt)
        sample.imu_age_s = self._dt
        return sample

    def read(self) -> Sample:
        """Return the newest sample, which stays as it is until the next call."""
        if self._fresh:
            self._read, self._next = self._next, self._read
            self._fresh = False
        return self._read

    def _draw(self) -> None:
        n, noise = self._n, self._noise
        raw = self._rng.standard_normal((BLOCK, 2 * n + 12))
        self._velocity = raw[:, :n] * noise.velocity
        self._gain = 1.0 + raw[:, n : 2 * n] * noise.torque
        self._offset = raw[:, n : 2 * n] * self._floor
        drift = np.cumsum(raw[:, 2 * n + 6 :] * self._walk, axis=0) + self._bias
        self._bias = drift[-1].copy()
        self._imu_error = raw[:, 2 * n : 2 * n + 6] * self._imu_rms + drift
        self._row = 0

    def measure(
        self, stamp_s: float, q: Floats, dq: Floats, motor: Floats, imu: Floats, normal: list[float]
    ) -> None:
        """Turn the truth of one instant into the next sample.

        Args:
            stamp_s: of that instant [s].
            q: joint positions (n) [rad].
            dq: joint velocities (n) [rad/s].
            motor: torques that the motors' currents stand for (n) [N·m].
            imu: angular velocity [rad/s] and specific force [m/s²] at the IMU (6).
            normal: force of the ground on each sole point (4) [N].
        """
        if self._row == BLOCK:
            self._draw()
        row, sample = self._row, self._next
        self._fresh = True
        self._row = row + 1
        sample.stamp_s = stamp_s
        np.multiply(q, self._steps, sample.q)
        np.rint(sample.q, sample.q)
        np.multiply(sample.q, self._step, sample.q)
        np.add(dq, self._velocity[row], sample.dq)
        np.multiply(motor, self._gain[row], sample.tau)
        np.add(sample.tau, self._offset[row], sample.tau)
        error = self._imu_error[row]
        np.add(imu[:3], error[:3], sample.gyro)
        np.add(imu[3:], error[3:], sample.accel)
        sample.winding_c[:] = self._winding_c
        sample.battery_v, sample.battery_a, sample.battery_charge = self._battery
        sample.estop_closed = self.estop_closed
        self._switch(normal)
        sample.contacts[:] = self._closed

    def _switch(self, normal: list[float]) -> None:
        noise, closed, changed = self._noise, self._closed, self._changed
        for i in range(4):
            force = normal[i]
            if closed[i] == (force > (noise.contact_off if closed[i] else noise.contact_on)):
                changed[i] = 0
                continue
            changed[i] += 1
            if changed[i] >= noise.debounce_ticks:
                closed[i] = not closed[i]
                changed[i] = 0

    def report(self, winding_c: Floats, volts: float, amperes: float, charge: float) -> None:
        """Take over the slow values: temperatures (n) [°C] and the battery."""
        np.rint(winding_c, self._winding_c)
        self._battery = (round(volts, 2), round(amperes, 2), charge)
