"""How far servos lag behind a motion that asks more torque than they have at its speed.

A servo that has too little torque for some hundredths of a second is slower than its plan, and
catches up later. What is missing then is a place, not a torque: a leg that lags lands elsewhere.
"""

import numpy as np

from core.robot.profile import Profile
from devices.interface import Floats

TINY_RAD = 1e-9  # a smaller lag is none


class ServoLag:
    """Follows a planned motion with the servos of a robot, tick by tick.

    Every joint is beside its plan only where a servo reaches its torque-speed line; the mass matrix
    then gives the acceleration of the lag by the torque that is missing. In a flight the base
    gives way by the conservation of momentum; in a stance it moves as planned.

    Args:
        profile: of the robot.
        count: of the joints that have dynamics, the first ones of the profile (n).

    Attributes:
        lag: planned less real position (n) [rad].
    """

    def __init__(self, profile: Profile, count: int) -> None:
        self._dt = profile.tick_s
        self._stall = profile.actuator_column("stall_torque")[:count]
        self._no_load = profile.no_load_speed()[:count]
        self._kp, self._kd = profile.column("kp")[:count], profile.column("kd")[:count]
        self.lag: Floats = np.zeros(count)
        self._rate: Floats = np.zeros(count)

    def update(self, mass_matrix: Floats, torque: Floats, speed: Floats, flies: bool) -> None:
        """Advance by a tick.

        Args:
            mass_matrix: at the plan, the base before the joints (6 + n, 6 + n).
            torque: planned (n) [N·m].
            speed: planned (n) [rad/s].
            flies: no foot is on the ground.
        """
        least, most = self._limits(speed - self._rate)
        free = (torque >= least) & (torque <= most)
        if free.all() and np.abs(self.lag).max() < TINY_RAD:
            self.lag[:] = self._rate[:] = 0.0
            return
        inertia = mass_matrix[6:, 6:]
        if flies:
            across = mass_matrix[:6, 6:]
            inertia = inertia - across.T @ np.linalg.solve(mass_matrix[:6, :6], across)
        rate = self._next_rate(inertia, torque, np.ones_like(free), torque)
        asked = torque + self._kp * (self.lag + self._dt * rate) + self._kd * rate
        given = np.clip(asked, least, most)
        rate = self._next_rate(inertia, torque, given == asked, given)
        self._rate[:] = rate
        self.lag += self._dt * rate

    def _limits(self, speed: Floats) -> tuple[Floats, Floats]:
        """Return the least and the largest torque at a speed (n), (n) [N·m]."""
        share = speed / self._no_load
        most = self._stall * np.clip(1.0 - share, 0.0, 1.0)
        return -self._stall * np.clip(1.0 + share, 0.0, 1.0), most

    def _next_rate(self, inertia: Floats, torque: Floats, follows: Floats, given: Floats) -> Floats:
        """Return the rate of the lag after a tick (n) [rad/s].

        The loops of the servos are stiff for a tick of a light joint: they are taken at its end.

        Args:
            inertia: of the joints (n, n).
            torque: planned (n) [N·m].
            follows: 1 for a servo within its limits, else 0 (n).
            given: torque of the others (n) [N·m].
        """
        dt = self._dt
        stiffness = np.where(follows, self._kp, 0.0)
        damping = np.where(follows, self._kd, 0.0)
        missing = np.where(follows, 0.0, torque - given)
        left = inertia + np.diag(dt * damping + dt * dt * stiffness)
        right = inertia @ self._rate + dt * (missing - stiffness * self.lag)
        rate: Floats = np.linalg.solve(left, right).astype(np.float64)
        return rate
