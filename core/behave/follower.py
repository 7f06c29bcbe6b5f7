"""A second-order follower with limited speed and acceleration, for the joystick."""

from devices.interface import Floats

MAX_STEP_S = 0.01
MAX_CATCH_UP_S = 0.2


class Follower:
    """Follows targets as a critically damped spring, with constant acceleration in each step.

    Args:
        stiffness_rad_s: natural frequency w; acceleration is w² error - 2 w velocity [rad/s].
        speed_limit: [rad/s].
        acceleration_limit: [rad/s²].
    """

    def __init__(
        self, stiffness_rad_s: float, speed_limit: float, acceleration_limit: float
    ) -> None:
        self._w = stiffness_rad_s
        self._speed = speed_limit
        self._acceleration = acceleration_limit

    def follow(self, block: Floats, target: Floats, duration_s: float) -> None:
        """Advance the state in place.

        Args:
            block: position, velocity, acceleration (3, n) [rad], [rad/s], [rad/s²].
            target: positions to follow (n) [rad].
            duration_s: [s]; beyond MAX_CATCH_UP_S it is a gap and is skipped.
        """
        left_s = min(duration_s, MAX_CATCH_UP_S)
        w, fastest, strongest = self._w, self._speed, self._acceleration
        for i in range(len(target)):
            q, dq, goal = float(block[0, i]), float(block[1, i]), float(target[i])
            ddq = float(block[2, i])
            rest_s = left_s
            while rest_s > 0.0:
                step_s = rest_s if rest_s < MAX_STEP_S else MAX_STEP_S
                rest_s -= step_s
                ddq = min(max(w * (w * (goal - q) - 2.0 * dq), -strongest), strongest)
                faster = min(max(dq + ddq * step_s, -fastest), fastest)
                # The mean velocity makes positions exact for the step's constant acceleration.
                q += 0.5 * (dq + faster) * step_s
                dq = faster
            block[0, i] = q
            block[1, i] = dq
            block[2, i] = ddq
