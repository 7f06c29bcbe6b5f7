"""Online gait adaptation: slow estimates of robot and ground, within bounds.

NaN and infinity teach nothing.
"""

import math

from core.compiled import compiled
from core.plants.biped.settings import Adaptation
from devices.interface import Floats

PUNCTUALITY_GAIN = 0.15  # of the difference, a step
MOST_UNPUNCTUAL = 0.06  # difference that a step teaches: a stumble is no habit
SLOPE_GAIN = 0.1  # of the difference, a step
UNREST_RATE = 0.5  # of the level of unrest [1/s]
UNKNOWN_LEVEL = 0.02  # of a robot that has not stepped yet [m]
LEAST_LEVEL = 1e-3  # [m]
OTHER_SHARE = 0.5  # of what one stance teaches, for the stance of the other foot
STEEPEST = 0.2  # as rise over run


@compiled
def learn_offset(
    gain: float, limit: float, offsets: Floats, stance_side: int, forward: float, left: float
) -> None:
    """Learn the offset of the CoM from that of the model, in the heading frame.

    A load in a hand, or an error of the attitude, shifts the true CoM by centimetres. The
    pendulum reveals it: its momentum grows with the true lever, so that a prediction with the
    model's lever errs always in the same direction. The angular momentum's observer gets the
    offset as a second state (a Luenberger observer of the pendulum). Encoders' zeros and the play
    of gears shift the CoM by as much to the other side over the other foot, so that each stance
    has its own offset.

    Args:
        gain: of the innovation in this tick.
        limit: of each part of the offset [m].
        offsets: true minus modelled CoM, forward and to the left, over the left and over the right
            foot, in place (2, 2) [m].
        stance_side: the foot that the robot stands on.
        forward: innovation of a tick: measured minus predicted effective velocity [m/s].
        left: the same to the left [m/s].
    """
    if not math.isfinite(forward + left):
        return
    for side in range(2):
        step = gain if side == stance_side else OTHER_SHARE * gain
        offsets[side, 0] = min(limit, max(-limit, offsets[side, 0] + step * forward))
        offsets[side, 1] = min(limit, max(-limit, offsets[side, 1] + step * left))


class Unrest:
    """The offset of a push that is found while nobody pushes, and the doubt in small ones.

    Torques that are not what their currents stand for, and gears with play and losses, are like
    pushes of a centimetre or more that change with every step: steps that answered to them would
    fall. A robot that has just been started is not known yet.

    Attributes:
        level: usual size of the offset in a step [m].
    """

    def __init__(self) -> None:
        self.level = UNKNOWN_LEVEL

    def believes(self, size: float, dt: float) -> float:
        """Learn from a tick of stepping; return the share of the offset that counts.

        Args:
            size: of the offset [m].
            dt: of the tick [s].
        """
        if not math.isfinite(size):
            return 0.0
        # A push is far above the level, and must not raise it much.
        self.level += UNREST_RATE * dt * (min(size, 2.0 * self.level) - self.level)
        return min(1.0, max(0.0, 0.5 * size / max(self.level, LEAST_LEVEL) - 1.0))


class Punctuality:
    """The real duration of steps, as a share of their nominal duration.

    Sideways the gait is so unstable that 10 ms of difference change its width by a third.

    Attributes:
        share: of the nominal duration.
    """

    def __init__(self, settings: Adaptation) -> None:
        self._settings = settings
        self.share = 1.0

    def learn(self, share: float) -> None:
        """Learn from a step that took this share of its nominal duration."""
        if not math.isfinite(share):
            return
        bounded = min(self._settings.latest_share, max(self._settings.earliest_share, share))
        change = min(MOST_UNPUNCTUAL, max(-MOST_UNPUNCTUAL, bounded - self.share))
        self.share += PUNCTUALITY_GAIN * change


@compiled
def rise(slope: Floats, largest: float, dx: float, dy: float) -> float:
    """Return the expected rise of the ground over a way [m].

    Args:
        slope: rise over run along the world's axes (2).
        largest: bound of the rise, up and down [m].
        dx: of the way [m].
        dy: of the way [m].
    """
    expected: float = slope[0] * dx + slope[1] * dy
    return min(largest, max(-largest, expected))


class GroundSlope:
    """The ground's slope, from the heights of the feet (normalised least mean squares).

    Attributes:
        slope: rise over run along the world's axes (2).
    """

    def __init__(self, settings: Adaptation, slope: Floats) -> None:
        self._run_m = settings.shortest_run
        self.slope = slope
        self.slope[:] = 0.0

    def learn(self, dx: float, dy: float, dz: float) -> None:
        """Learn from the position of a landed foot relative to the other [m]."""
        x, y = self.slope.tolist()
        step = SLOPE_GAIN * (dz - x * dx - y * dy)
        if not math.isfinite(step):
            return
        # Each axis alone: steps are wide and short, and forward counts as much as sideways.
        x = x + step * dx / (dx * dx + self._run_m**2)
        y = y + step * dy / (dy * dy + self._run_m**2)
        self.slope[0] = min(STEEPEST, max(-STEEPEST, x))
        self.slope[1] = min(STEEPEST, max(-STEEPEST, y))
