"""Where the next foot goes (paper, equations 2 to 4, corrected in pendulum.py)."""

from dataclasses import dataclass

from core.robot.profile import Gait
from core.walk import pendulum


@dataclass(frozen=True, slots=True)
class Walking:
    """What a step shall keep up.

    Attributes:
        forward, left: mean speed asked for, in the heading frame [m/s].
        step_s: how long a step takes [s].
        omega: the pendulum's natural frequency [1/s].
    """

    forward: float
    left: float
    step_s: float
    omega: float


def footstep(
    gait: Gait,
    walking: Walking,
    side_sign: float,
    position: tuple[float, float],
    speed: tuple[float, float],
    until_s: float,
) -> tuple[float, float]:
    """Return the next foot's place relative to the stance foot, in the heading frame [m].

    Args:
        gait: step width and how far the feet reach.
        walking: what shall be kept up.
        side_sign: 1 if the next foot is the left one, else -1.
        position: of the CoM relative to the stance foot, in the heading frame [m].
        speed: effective velocity about the stance foot, in the heading frame [m/s].
        until_s: until the weight is over on the next foot [s].
    """
    omega, step_s = walking.omega, walking.step_s
    sway = pendulum.sway_speed(gait.step_width, omega, step_s)
    wishes = (
        pendulum.end_speed_for_mean(walking.forward, omega, step_s),
        pendulum.end_speed_for_mean(walking.left, omega, step_s) - side_sign * sway,
    )
    step = [0.0, 0.0]
    for axis in (0, 1):
        x_end, u_end = pendulum.propagate(position[axis], speed[axis], omega, until_s)
        step[axis] = x_end - pendulum.com_from_next_foot(u_end, wishes[axis], omega, step_s)
    ahead = min(gait.reach_forward, max(-gait.reach_forward, step[0]))
    out = min(gait.reach_out, max(gait.reach_in, side_sign * step[1]))
    return ahead, side_sign * out
