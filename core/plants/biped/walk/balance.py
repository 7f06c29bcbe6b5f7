"""Standing balance: the capture point is held over the middle of the feet."""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from core.plants.biped.model import RobotModel
from core.plants.biped.settings import Balance
from core.plants.biped.walk.pendulum import natural_frequency
from core.plants.interface import SwayRoom
from core.robot.profile import Contact
from devices.interface import Floats

LINE_REACH = 0.95  # of the way from the middle to a line foot
LEAST_HEIGHT = 0.2  # of the pendulum [m]
LEAST_SPAN = 0.01  # between middle and feet, for a support that has a width [m]


@dataclass(slots=True)
class Support:
    """The support of two parallel feet, in coordinates along and across them.

    A point is middle + along * (cos yaw, sin yaw) + across * half_span, so that -1 and 1 are
    the middles of the right and of the left foot.

    Attributes:
        middle: between the soles (2) [m].
        forward: unit vector of the feet's mean yaw (2).
        half_span: from the middle to the left sole (2) [m].
        yaw: the feet's mean [rad].
    """

    middle: tuple[float, float]
    forward: tuple[float, float]
    half_span: tuple[float, float]
    yaw: float

    def coordinates(self, x: float, y: float) -> tuple[float, float]:
        """Return a world point's along [m] and across coordinates."""
        dx, dy = x - self.middle[0], y - self.middle[1]
        (fx, fy), (sx, sy) = self.forward, self.half_span
        det = fx * sy - fy * sx
        if abs(det) < 1e-6:
            return dx * fx + dy * fy, 0.0
        return (dx * sy - dy * sx) / det, (fx * dy - fy * dx) / det

    def parts(self, x: float, y: float) -> tuple[float, float]:
        """Return the along [m] and across parts of a vector of the world."""
        return self.coordinates(self.middle[0] + x, self.middle[1] + y)

    @property
    def half_distance(self) -> float:
        """Distance of the middles of the feet from the middle, across them [m]."""
        (fx, fy), (sx, sy) = self.forward, self.half_span
        return abs(fx * sy - fy * sx)

    def point(self, along: float, across: float) -> tuple[float, float]:
        """Return the world point of an along [m] and an across coordinate."""
        return (
            self.middle[0] + along * self.forward[0] + across * self.half_span[0],
            self.middle[1] + along * self.forward[1] + across * self.half_span[1],
        )


def support_of(model: RobotModel) -> Support:
    """Return the support spanned by both feet as they stand."""
    (x0, y0, _), (x1, y1, _) = model.soles.tolist()
    (lx, ly), (rx, ry) = model.sole_rotations[:, :2, 0].tolist()
    dx, dy = lx + rx, ly + ry
    length = math.hypot(dx, dy) or 1.0
    return Support(
        (0.5 * (x0 + x1), 0.5 * (y0 + y1)),
        (dx / length, dy / length),
        (0.5 * (x0 - x1), 0.5 * (y0 - y1)),
        math.atan2(dy, dx),
    )


class Target(NamedTuple):
    """Where the capture point shall be, in coordinates of the support.

    Attributes:
        along: [m].
        across: see `Support`.
        along_rate: its rate [m/s].
        across_rate: [1/s].
    """

    along: float = 0.0
    across: float = 0.0
    along_rate: float = 0.0
    across_rate: float = 0.0


@dataclass(slots=True)
class StandingBalance:
    """Horizontal CoM acceleration that brings the capture point to its target.

    The capture point obeys xi' = omega (xi - p); p = xi - target' / omega + (k / omega) (xi -
    target) gives the error the pole -k, as long as p stays inside the support. The paper of DRACO
    3 has no such law; its authors' code adds the target's velocity with a wrong sign and unit.
    Both ankles together move the pressure by at most `ankle_reach` [m] from below them. `bias` is
    the true minus the modelled CoM in world axes (2) [m], which its owner overwrites.
    """

    settings: Balance
    feet: Contact
    ankle_reach: float
    foresight_s: float = 0.0
    bias: Floats = field(default_factory=lambda: np.zeros(2))

    @property
    def heel(self) -> float:
        """How far back the pressure can go, by the soles and by the ankles' torque [m]."""
        return max(self.feet.heel, self.feet.ankle - self.ankle_reach)

    @property
    def toe(self) -> float:
        """How far forward the pressure can go [m]."""
        return min(self.feet.toe, self.feet.ankle + self.ankle_reach)

    @property
    def middle(self) -> float:
        """The middle between how far back and how far forward the pressure can go [m]."""
        return 0.5 * (self.heel + self.toe)

    def acceleration(
        self,
        model: RobotModel,
        height: float,
        target: Target,
        out: Floats,
        pull: tuple[float, float] = (0.0, 0.0),
    ) -> Support:
        """Write the CoM acceleration asked for (2) [m/s²] and return the support.

        Args:
            model: the robot as it stands.
            height: of the CoM above the feet [m].
            target: of the capture point.
            out: where the acceleration goes.
            pull: offset of the CoM that a pull is like, along [m] and across.
        """
        support = support_of(model)
        omega = natural_frequency(max(height, LEAST_HEIGHT))
        xi_along, xi_across = self.capture_point(model, support, omega)
        gain = self.settings.capture_gain / omega
        margin = self.settings.support_margin
        along = xi_along + pull[0] + gain * (xi_along - target.along) - target.along_rate / omega
        across = xi_across + pull[1] + gain * (xi_across - target.across)
        across -= target.across_rate / omega
        along = min(self.feet.toe - margin, max(self.feet.heel + margin, along))
        reach = self._reach_across(support, margin)
        across = min(reach, max(-reach, across))
        p = support.point(along, across)
        x, y, _ = model.com.tolist()
        out[0] = omega * omega * (x - p[0])
        out[1] = omega * omega * (y - p[1])
        return support

    def capture_point(
        self, model: RobotModel, support: Support, omega: float
    ) -> tuple[float, float]:
        """Return the true capture point's along [m] and across coordinates in a support."""
        x, y, _ = model.com.tolist()
        vx, vy, _ = model.com_velocity.tolist()
        bx, by = self.bias.tolist()
        return support.coordinates(x + bx + vx / omega, y + by + vy / omega)

    def foreseen(
        self,
        support: Support,
        along: float,
        across: float,
        push: tuple[float, float],
        omega: float,
    ) -> tuple[float, float]:
        """Return where a push that lasts carries the capture point, for all that the feet can do.

        Args:
            support: of the feet.
            along: of the capture point [m].
            across: likewise.
            push: offset of the CoM that the push is like, along [m] and across.
            omega: the pendulum's natural frequency [1/s].
        """
        growth = math.exp(omega * self.foresight_s) - 1.0
        reach = self._reach_across(support, self.settings.support_margin)
        found = []
        for xi, offset, low, high in (
            (along, push[0], self.heel, self.toe),
            (across, push[1], -reach, reach),
        ):
            if offset > 0.0:
                xi += growth * max(0.0, xi + offset - high)
            elif offset < 0.0:
                xi += growth * min(0.0, xi + offset - low)
            found.append(xi)
        return found[0], found[1]

    def room(self, model: RobotModel, height: float) -> SwayRoom:
        """Return where the pressure can go while the feet stand as they do.

        Args:
            model: the robot as it stands.
            height: of the CoM above the feet [m].
        """
        margin, support = self.settings.support_margin, support_of(model)
        side = self._reach_across(support, margin) * support.half_distance
        corners = [(x, y) for x in (self.heel + margin, self.toe - margin) for y in (-side, side)]
        omega = natural_frequency(max(height, LEAST_HEIGHT))
        return SwayRoom(omega, tuple(corners), self.feet.half_width == 0.0)

    def _half_sole(self, support: Support) -> float:
        """Return half of a sole's width in coordinates across the support; 0 of a line."""
        return self.feet.half_width / max(support.half_distance, LEAST_SPAN)

    def _reach_across(self, support: Support, margin: float) -> float:
        """Return how far across the pressure can go, to each side.

        A line foot keeps some weight, so that it does not slip; a sole has its own width too.
        """
        if self.feet.half_width == 0.0:
            return LINE_REACH
        return 1.0 + self._half_sole(support) - margin / max(support.half_distance, LEAST_SPAN)

    def must_step(self, support: Support, along: float, across: float) -> bool:
        """Tell whether a capture point is too near the edge to stand on."""
        edge, share = self.toe if along > 0.0 else -self.heel, self.settings.step_at
        side = 1.0 + self._half_sole(support)
        return abs(along) > share * edge or abs(across) > share * side

    def is_outside(self, support: Support, along: float, across: float) -> bool:
        """Tell whether a capture point is outside the feet."""
        side = 1.0 + self._half_sole(support)
        return not (self.feet.heel <= along <= self.feet.toe and abs(across) <= side)
