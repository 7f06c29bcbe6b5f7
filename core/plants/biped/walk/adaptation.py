"""What walking teaches about robot and ground, slowly and within bounds.

What is not a number teaches nothing.
"""

import math

from core.compiled import compiled
from devices.interface import Floats

OFFSET_GAIN = 0.003  # of the surprise, a tick; about 1.5 s to learn a load
LARGEST_OFFSET = 0.03  # [m]
PUNCTUALITY_GAIN = 0.15  # of the difference, a step
EARLIEST, LATEST = 0.8, 1.02  # of a step's nominal time
SLOPE_GAIN = 0.1  # of the difference, a step
STEEPEST = 0.2  # as rise over run
SHORTEST_RUN = 0.05  # a step much shorter than this tells little of the slope [m]
HIGHEST_RISE = 0.02  # a foot is never expected higher or lower than this [m]


@compiled
def learn_offset(offset: Floats, forward: float, left: float) -> None:
    """Learn how far the CoM is from where the model has it, in the heading frame.

    A load in a hand, or an attitude that is estimated wrong, shifts the true CoM by centimetres.
    The pendulum shows it: its momentum grows with the true lever, so that a prediction with the
    model's lever is surprised always in the same direction. The angular momentum's observer gets
    the offset as a second state (a Luenberger observer of the pendulum).

    Args:
        offset: true minus modelled CoM, forward and to the left, in place (2) [m].
        forward: a tick's surprise: measured minus predicted effective velocity [m/s].
        left: the same to the left [m/s].
    """
    if math.isfinite(forward + left):
        limit = LARGEST_OFFSET
        offset[0] = min(limit, max(-limit, offset[0] + OFFSET_GAIN * forward))
        offset[1] = min(limit, max(-limit, offset[1] + OFFSET_GAIN * left))


class Punctuality:
    """How long steps really take, as a share of their nominal time.

    Sideways the gait is so unstable that 10 ms of difference change its width by a third.

    Attributes:
        share: of the nominal time.
    """

    def __init__(self) -> None:
        self.share = 1.0

    def learn(self, share: float) -> None:
        """Learn from a step that took this share of its nominal time."""
        if not math.isfinite(share):
            return
        self.share += PUNCTUALITY_GAIN * (min(LATEST, max(EARLIEST, share)) - self.share)


@compiled
def rise(slope_x: float, slope_y: float, dx: float, dy: float) -> float:
    """Return how much higher the ground is expected there [m], by its slopes."""
    return min(HIGHEST_RISE, max(-HIGHEST_RISE, slope_x * dx + slope_y * dy))


class GroundSlope:
    """The ground's slope, from where feet found it (normalised least mean squares).

    Attributes:
        x, y: rise over run along the world's axes.
    """

    def __init__(self) -> None:
        self.x = 0.0
        self.y = 0.0

    def learn(self, dx: float, dy: float, dz: float) -> None:
        """Learn from where a foot has landed, relative to the other (3) [m]."""
        step = SLOPE_GAIN * (dz - self.x * dx - self.y * dy)
        if not math.isfinite(step):
            return
        # Each axis by itself: steps are wide and short, and forward counts as much as sideways.
        x = self.x + step * dx / (dx * dx + SHORTEST_RUN**2)
        y = self.y + step * dy / (dy * dy + SHORTEST_RUN**2)
        self.x, self.y = min(STEEPEST, max(-STEEPEST, x)), min(STEEPEST, max(-STEEPEST, y))
