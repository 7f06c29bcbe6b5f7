"""Where the next foot goes (paper, equations 2 to 4, corrected in pendulum.py), and how soon."""

import math
from typing import NamedTuple

from core.compiled import compiled
from core.plants.biped.walk.pendulum import (
    capture_point,
    com_from_next_foot,
    end_speed_for_mean,
    propagate,
    sway_speed,
)

# When the stance closes: shares of the step width, from the stance foot to the next one, between
# which the capture point lies.
CLOSING_ACROSS = (0.15, 0.85)


class Reach(NamedTuple):
    """Where feet can go.

    Attributes:
        width: between the feet when stepping in place [m].
        forward: farthest step forward, and back [m].
        out, inward: farthest and nearest to the side of the stance foot [m].
    """

    width: float
    forward: float
    out: float
    inward: float


class Walking(NamedTuple):
    """The periodic motion that a step maintains.

    Attributes:
        forward, left: desired mean speed, in the heading frame [m/s].
        step_s: how long a step takes [s].
        omega: the pendulum's natural frequency [1/s].
    """

    forward: float
    left: float
    step_s: float
    omega: float


@compiled
def may_close(
    width: float,
    along: float,
    side_sign: float,
    position: tuple[float, float],
    speed: tuple[float, float],
    until_s: float,
    omega: float,
) -> bool:
    """Tell whether the capture point will be between the feet if they land side by side.

    A step of the gait ends in the middle of a sway, and its feet are as far apart as the sway
    needs. A robot stands best on feet side by side, with its capture point between them.

    Args:
        width: between the feet, side by side [m].
        along: farthest place of the capture point before or behind the stance foot [m].
        side_sign: 1 if the next foot is the left one, else -1.
        position: of the CoM relative to the stance foot, in the heading frame [m].
        speed: effective velocity about the stance foot, in the heading frame [m/s].
        until_s: until the weight is over on the next foot [s].
        omega: the pendulum's natural frequency [1/s].
    """
    growth = math.exp(omega * until_s)
    ahead = growth * (position[0] + speed[0] / omega)
    share = side_sign * growth * (position[1] + speed[1] / omega) / width
    return abs(ahead) < along and CLOSING_ACROSS[0] < share < CLOSING_ACROSS[1]


@compiled
def footstep(
    reach: Reach,
    walking: Walking,
    side_sign: float,
    position: tuple[float, float],
    speed: tuple[float, float],
    until_s: float,
) -> tuple[float, float]:
    """Return the next foot's place relative to the stance foot, in the heading frame [m].

    Args:
        reach: step width and how far the feet reach.
        walking: the periodic motion to maintain.
        side_sign: 1 if the next foot is the left one, else -1.
        position: of the CoM relative to the stance foot, in the heading frame [m].
        speed: effective velocity about the stance foot, in the heading frame [m/s].
        until_s: until the weight is over on the next foot [s].
    """
    omega, step_s = walking.omega, walking.step_s
    sway = sway_speed(reach.width, omega, step_s)
    forward = end_speed_for_mean(walking.forward, omega, step_s)
    left = end_speed_for_mean(walking.left, omega, step_s) - side_sign * sway
    x_end, u_end = propagate(position[0], speed[0], omega, until_s)
    ahead = x_end - com_from_next_foot(u_end, forward, omega, step_s)
    x_end, u_end = propagate(position[1], speed[1], omega, until_s)
    side = x_end - com_from_next_foot(u_end, left, omega, step_s)
    ahead = min(reach.forward, max(-reach.forward, ahead))
    out = min(reach.out, max(reach.inward, side_sign * side))
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
        walking: the periodic motion to maintain.
        side_sign: 1 if the next foot is the left one, else -1.
        position: of the CoM to the left of the stance foot [m].
        speed: effective velocity to the left about the stance foot [m/s].
        until_s: until the weight is over on the next foot, as planned [s].
    """
    omega, step_s = walking.omega, walking.step_s
    now = side_sign * capture_point(position, speed, omega)
    end_speed = end_speed_for_mean(walking.left, omega, step_s)
    sway = sway_speed(step_width, omega, step_s)
    # A periodic step ends half a step width, and half of its way, beyond the stance foot.
    end = 0.5 * step_width + sway / omega
    end += side_sign * (0.5 * walking.left * step_s + end_speed / omega)
    if not (now > 0.0 and end > 0.0):
        return -math.inf
    return until_s - math.log(end / now) / omega
