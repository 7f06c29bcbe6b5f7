"""Swaying over standing feet: when it begins and ends, and where it leads the capture point."""

import math

from core.link.catalogue import safety
from core.link.statement import Statement
from core.plants.biped.model import RobotModel
from core.plants.biped.walk.balance import LEAST_SPAN, Support, Target
from core.plants.biped.walk.body import FORWARD, LEFT
from core.plants.biped.walk.sway import SwayMotion
from core.plants.interface import Sway
from devices.interface import Floats
from shows.body_limb import BodyLimb
from shows.joints import SwayRange

CALM_SPEED = 0.03  # of the CoM, below which a sway begins [m/s]
LARGEST_TRIM_M = 0.03
STILL_M, PUSHED_M = 0.001, 0.008  # of the capture point from its target: a trim is learned between


class Swaying:
    """Owns the sway of a standing robot, and the trim that friction in the ankles needs.

    The trim is an integral of the capture point's error, in coordinates of the support. A force
    from outside stops it. Without a sway it changes only while that error is small, so that a push
    is answered as without it, and at rest only in a robot that can sway.

    Args:
        limits: of sways, in the profile; a robot without them does not sway.
        limb: the body as a limb, in the profile.
        body: `BodyPosture.motion`, which its owner overwrites.
        tick_s: period of the tick [s].

    Attributes:
        motion: the sine of the body.
        leads: the capture point may have another target than the lean.
        statements: what became of requests; the plant takes them.
    """

    def __init__(
        self, limits: SwayRange | None, limb: BodyLimb | None, body: Floats, tick_s: float
    ) -> None:
        self.motion = SwayMotion(limits)
        self.leads = limits is not None or limb is not None
        self.statements: list[Statement] = []
        self._body, self._learns_at_rest = body, limits is not None
        rates = [] if limits is None else [limits.trim_rate]
        rates += [] if limb is None else [limb.trim_rate]
        self._step = max(rates, default=0.0) * tick_s
        self._along = self._across = 0.0

    def reset(self) -> None:
        """Be at rest, and forget the present request."""
        self.motion.reset()
        self._along = self._across = 0.0

    def cut(self) -> None:
        """End the sway at once, because the robot must step."""
        self._along = self._across = 0.0
        if self.motion.active:
            self.motion.stop()
            self.statements.append(safety.SWAY_CUT())

    def follow(self, now_s: float, wanted: Sway | None, stands: bool, calm: bool) -> None:
        """Advance to a time.

        Args:
            now_s: time of the tick [s].
            wanted: present request.
            stands: the robot shall take no step.
            calm: its height is at rest.
        """
        if not stands:
            self.motion.fade(now_s)
        refused = self.motion.follow(now_s, wanted, calm and stands)
        if refused is None:
            return
        if self.motion.fits(refused):
            self.statements.append(safety.SWAY_NOT_CALM())
        else:
            self.statements.append(safety.SWAY_TOO_LARGE(amplitude_m=refused.amplitude_m))

    def target(
        self,
        support: Support,
        omega: float,
        lean: Target,
        capture: tuple[float, float],
        alone: bool,
        moves: bool,
    ) -> Target:
        """Return the target of the capture point, which leads the CoM by its velocity.

        Args:
            support: as the feet stand.
            omega: the pendulum's natural frequency [1/s].
            lean: target without a sway.
            capture: along [m] and across coordinates of the capture point.
            alone: nobody pulls at the robot or pushes it, so that an error is one of the robot.
            moves: the body moves besides a sway.
        """
        motion, span = self.motion, max(support.half_distance, LEAST_SPAN)
        (x, y, _), (vx, vy, _), (ax, ay, _) = motion.offset, motion.velocity, motion.acceleration
        if moves:
            (dx, dvx, dax), (dy, dvy, day) = (
                self._body.T[FORWARD].tolist(),
                self._body.T[LEFT].tolist(),
            )
            x, vx, ax, y, vy, ay = x + dx, vx + dvx, ax + dax, y + dy, vy + dvy, ay + day
        along = lean.along + x + vx / omega
        across = lean.across + (y + vy / omega) / span
        errors = along - capture[0], across - capture[1]
        away_m = math.hypot(errors[0], span * errors[1])
        rests = self._learns_at_rest and away_m > STILL_M
        if alone and (motion.active or (away_m < PUSHED_M and (moves or rests))):
            self._along = _within(self._along + self._step * errors[0], LARGEST_TRIM_M)
            most = LARGEST_TRIM_M / span
            self._across = _within(self._across + self._step * errors[1], most)
        return Target(
            along + self._along,
            across + self._across,
            vx + ax / omega,
            (vy + ay / omega) / span,
        )


def is_calm(model: RobotModel) -> bool:
    """Tell whether the CoM is slow enough for a sway to begin."""
    x, y, z = model.com_velocity.tolist()
    return math.hypot(x, y, z) < CALM_SPEED


def _within(value: float, most: float) -> float:
    return min(most, max(-most, value))
