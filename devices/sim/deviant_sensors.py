"""Sensors that differ from the model's: encoders at the motors, a turned IMU, late samples."""

import mujoco
import numpy as np

from devices.interface import Floats
from devices.sim.actuators import Actuators
from devices.sim.delay import Delay
from devices.sim.deviant_actuators import DeviantActuators
from devices.sim.sensors import Sensors
from devices.sim.settings import SimSettings


class DeviantSensors(Sensors):
    """Sensors of a plant."""

    def __init__(self, settings: SimSettings, seed: int, actuators: Actuators) -> None:
        """Draw the biases that the sensors have after switching on.

        Args:
            settings: of the simulation, with the deviation.
            seed: of every noise.
            actuators: with the encoders.
        """
        super().__init__(settings, seed)
        found = settings.deviation
        vector = np.array(found.imu_turn_rad)
        angle = float(np.linalg.norm(vector))
        quaternion, turn = np.zeros(4), np.zeros(9)
        mujoco.mju_axisAngle2Quat(quaternion, vector / (angle or 1.0), angle)
        mujoco.mju_quat2Mat(turn, quaternion)
        self._turn: Floats = turn.reshape(3, 3)
        self._drives = actuators if isinstance(actuators, DeviantActuators) else None
        size = 3 * self._n + 6 + settings.contact_count
        self._late = Delay(found.sensor_delay_s, settings.tick_s, size)

    def measure(
        self, stamp_s: float, q: Floats, dq: Floats, motor: Floats, imu: Floats, normal: Floats
    ) -> None:
        """Turn the truth of an earlier instant into the next sample, which is stamped as new."""
        n, drives = self._n, self._drives
        if drives is not None:
            q, dq = q + drives.shift, dq + drives.slip
        seen = (imu.reshape(2, 3) @ self._turn).ravel()
        row = self._late.put(np.concatenate((q, dq, motor, seen, normal)))
        q, dq, motor, imu, normal = np.split(row, (n, 2 * n, 3 * n, 3 * n + 6))
        super().measure(stamp_s, q, dq, motor, imu, normal)
