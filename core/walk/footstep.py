"""Where the next foot goes (paper, equations 2 to 4, corrected in pendulum.py), and how soon."""

import math
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


def sway_lead(
    step_width: float,
    walking: Walking,
    side_sign: float,
    position: float,
    speed: float,
    until_s: float,
) -> float:
    """Return by how much sooner than planned the robot sways over to the next foot [s].

    Sideways the capture point runs away from the stance foot as exp(omega t). The step is over
    when it is where a periodic step would have it in the end, however it began (Khadiv et al.,
    "Step timing adjustment"). Negative if later; -inf if it sways to the other side.

    Args:
        step_width: of stepping in place [m].
        walking: what shall be kept up.
        side_sign: 1 if the next foot is the left one, else -1.
        position: of the CoM to the left of the stance foot [m].
        speed: effective velocity to the left about the stance foot [m/s].
        until_s: until the weight is over on the next foot, as planned [s].
    """
    omega, step_s = walking.omega, walking.step_s
    now = side_sign * pendulum.capture_point(position, speed, omega)
    end_speed = pendulum.end_speed_for_mean(walking.left, omega, step_s)
    sway = pendulum.sway_speed(step_width, omega, step_s)
    # A periodic step ends half a step width, and half of its way, beyond the stance foot.
    end = 0.5 * step_width + sway / omega
    end += side_sign * (0.5 * walking.left * step_s + end_speed / omega)
    if not (now > 0.0 and end > 0.0):
        return -math.inf
    return until_s - math.log(end / now) / omega
