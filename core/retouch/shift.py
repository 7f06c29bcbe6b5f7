"""The shift of a robot's body that a performer leads: the retouched motion of the CoM."""

import numpy as np

from core.plants.interface import SwayRoom
from core.retouch.plan import Planner
from core.retouch.region import Region
from core.retouch.stream import BodySample, Mode, Stream, standing_bounds
from devices.interface import Floats

SHARE = 0.75  # of the room: the rest is for balance (research: 0.9 falls, 0.5 to 0.8 stand)
LINE_FEET_ALPHA, SOLES_ALPHA = 3.0, 6.0


class RetouchedShift:
    """Owns the motion of the CoM over standing feet; see `core.behave.live.Shift`.

    Args:
        room: of the robot as it stands.
        mode: slide or segment.

    Attributes:
        stream: of the pieces.
    """

    def __init__(self, room: SwayRoom, mode: Mode = "slide") -> None:
        alpha = LINE_FEET_ALPHA if room.line_feet else SOLES_ALPHA
        self.region = Region.around(room.corners, SHARE)
        self.stream = Stream(Planner(room.omega, alpha), mode)
        self._bounds = standing_bounds(self.region)
        self._begun_s = np.inf

    def begin(self, motion_s: float) -> None:
        """Take over at a motion time, at rest over the middle of the feet [s]."""
        self._begun_s = motion_s
        self.stream.begin(np.zeros(2))

    def receive(self, motion_s: float, sample: BodySample) -> None:
        """Take a sample of the performer; one that comes before the beginning is dropped."""
        if motion_s >= self._begun_s:
            self.stream.receive(motion_s, sample, self._bounds)

    def write(self, motion_s: float, out: Floats) -> None:
        """Write position, velocity and acceleration, forward and to the left (3, 2)."""
        motion = self.stream.at(motion_s)
        out[0], out[1], out[2] = motion.position, motion.velocity, motion.acceleration
