"""The shift of a robot's body that a performer leads: the retouched motion of the CoM."""

import math

import numpy as np

from core.plants.interface import SwayRoom
from core.retouch.plan import Bounds, Planner
from core.retouch.region import Region
from core.retouch.stream import BodySample, Mode, Stream, standing_bounds
from devices.interface import Floats

MARGIN_M = 0.008  # of the room, that a narrow stance needs all the same
SHARE = 0.75  # of the room: the rest is for balance (research: 0.9 falls, 0.5 to 0.8 stand)
BACK_S = 0.4  # in which the capture point is brought back from a step that did not begin
LINE_FEET_ALPHA, SOLES_ALPHA = 3.0, 6.0


class RetouchedShift:
    """Owns the motion of the CoM over standing feet; see `core.behave.live.Shift`.

    Args:
        room: of the robot as it stands.
        mode: slide or segment.

    Attributes:
        room: of the robot as it stands.
        region: where the pressure may go.
        stream: of the pieces.
    """

    def __init__(self, room: SwayRoom, mode: Mode = "slide") -> None:
        alpha = LINE_FEET_ALPHA if room.line_feet else SOLES_ALPHA
        self.stream = Stream(Planner(room.omega, alpha), mode)
        self._begun_s = np.inf
        self.stand(room)

    def stand(self, room: SwayRoom) -> None:
        """Reckon with the room of the robot as it stands now."""
        self.room = room
        self.region = Region.around([(_within(x), _within(y)) for x, y in room.corners], SHARE)
        self._bounds = standing_bounds(self.region)

    def begin(self, motion_s: float) -> None:
        """Take over at a motion time, at rest over the middle of the feet [s]; after steps too."""
        self._begun_s = motion_s
        self.stream.begin(np.zeros(2))

    def resume(self, motion_s: float) -> None:
        """Bring the capture point back after a step that did not begin [s].

        All of the room may help, as the step may have led beyond the share for motions. What is
        received before the capture point is back is dropped.
        """
        whole = Region.around([(_within(x), _within(y)) for x, y in self.room.corners])
        self._begun_s = motion_s + BACK_S
        self.stream.lead(motion_s, self._begun_s, np.zeros(2), standing_bounds(whole))

    def receive(self, motion_s: float, sample: BodySample) -> None:
        """Take a sample of the performer; one that comes before the beginning is dropped."""
        if motion_s >= self._begun_s:
            self.stream.receive(motion_s, sample, self._bounds)

    def step(self, motion_s: float, begin_s: float, foot: int) -> None:
        """Bring the capture point over, so that a step can begin; what is received later waits.

        Args:
            motion_s: present motion time [s].
            begin_s: when the step begins [s].
            foot: index of the foot that is lifted.
        """
        left_m = self.room.step_left if foot == 1 else -self.room.step_left
        along = self.region.corners[:, 0]
        ends = [(float(along.min()), left_m), (float(along.max()), left_m)]
        bounds = Bounds(self.region, self.region, Region.around(ends))
        self.stream.lead(motion_s, begin_s, np.array([0.0, left_m]), bounds)
        self._begun_s = np.inf

    def write(self, motion_s: float, out: Floats) -> None:
        """Write position, velocity and acceleration, forward and to the left (3, 2)."""
        out[:] = self.stream.rows(motion_s)[:3]


def _within(edge: float) -> float:
    """Return an edge of the room with its margin [m]."""
    return math.copysign(max(abs(edge) - MARGIN_M, 0.0), edge)
