"""The stream of pieces: a performer's samples come in, the motion of the CoM comes out.

Mode `slide` plans at each sample, from the state of the present piece to the sample, which the
robot reaches a fixed latency after its stamp. Mode `segment`, the paper's, collects the samples
between two changes of support, at most half a second, and plans one piece for all of them; its
latency is the segment's length.
"""

import math
from collections import deque
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from core.retouch.piece import sample
from core.retouch.plan import Bounds, Piece, Planner, Wish
from core.retouch.region import Region
from devices.interface import Floats

Mode: TypeAlias = Literal["slide", "segment"]

LATENCY_S = 0.30  # from a sample's stamp to its motion; near 1/ω of a robot of human size
LONGEST_SEGMENT_S = 0.5
SHORTEST_S = 0.06  # of a piece
MOST_SAMPLES = 64  # that wait in a segment


@dataclass(frozen=True, slots=True, eq=False)
class BodySample:
    """The body of a performer at one instant, in the robot's scale and heading frame.

    Attributes:
        stamp_s: when the performer was so, on the robot's clock [s].
        position: of the CoM (2) [m].
        velocity: of the CoM (2) [m/s].
        acceleration: of the CoM (2) [m/s²].
        support: number of the support: it changes where a foot lands or lifts.
    """

    stamp_s: float
    position: Floats
    velocity: Floats
    acceleration: Floats
    support: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """The CoM's reference of one instant.

    Attributes:
        position: (2) [m].
        velocity: (2) [m/s].
        acceleration: (2) [m/s²].
        pressure: the ZMP (2) [m].
    """

    position: Floats
    velocity: Floats
    acceleration: Floats
    pressure: Floats


class Stream:
    """Owns the present piece. Time is an argument everywhere.

    Args:
        planner: of the robot.
        mode: slide or segment.
        latency_s: of mode slide [s].

    Attributes:
        outside: distance of the present piece's ξ_T from its region [m].
        latency_s: from the newest planned sample's stamp to its motion [s].
    """

    def __init__(self, planner: Planner, mode: Mode, latency_s: float = LATENCY_S) -> None:
        self._planner, self._mode = planner, mode
        self._fixed_s = latency_s
        self._piece: Piece | None = None
        self._start_s = 0.0
        self._rest = np.zeros(2)
        self._waiting: deque[BodySample] = deque(maxlen=MOST_SAMPLES)
        self._out = np.zeros((4, 2))
        self.outside = 0.0
        self.latency_s = latency_s

    def begin(self, position: Floats) -> None:
        """Stand at a place of the CoM (2) [m], and forget every sample."""
        self._piece = None
        self._rest = position.copy()
        self._waiting.clear()
        self.outside = 0.0

    def receive(self, now_s: float, found: BodySample, bounds: Bounds) -> bool:
        """Take a sample; return whether a new piece begins now.

        A sample that comes later than the latency is dropped; so is one for which the solver finds
        no piece: the present piece goes on, to its own end and rest.

        Args:
            now_s: time of the tick [s].
            found: the sample.
            bounds: of the piece that ends at it.
        """
        if self._mode == "slide":
            duration_s = found.stamp_s + self._fixed_s - now_s
            if duration_s < SHORTEST_S:
                return False
            return self._plan(now_s, found, bounds, duration_s, self._fixed_s)
        waiting = self._waiting
        waiting.append(found)
        length_s = found.stamp_s - waiting[0].stamp_s
        changes = waiting[0].support != found.support
        if length_s < SHORTEST_S or not (changes or length_s >= LONGEST_SEGMENT_S):
            return False
        waiting.clear()
        waiting.append(found)
        return self._plan(now_s, found, bounds, length_s, now_s + length_s - found.stamp_s)

    def lead(self, now_s: float, end_s: float, xi: Floats, bounds: Bounds) -> bool:
        """Plan a piece that ends at a time with the capture point at a place; return if there is.

        Args:
            now_s: time of the tick [s].
            end_s: of the piece [s].
            xi: where the capture point shall be at its end (2) [m].
            bounds: of the piece.
        """
        duration_s = max(end_s - now_s, SHORTEST_S)
        still = BodySample(now_s, xi, np.zeros(2), np.zeros(2))
        return self._plan(now_s, still, bounds, duration_s, duration_s)

    def _plan(
        self, now_s: float, found: BodySample, bounds: Bounds, duration_s: float, latency_s: float
    ) -> bool:
        now = self.at(now_s)
        square = self._planner.omega**2
        wish = Wish(
            bounds.end.nearest(found.position),
            found.velocity,
            bounds.first.nearest(now.pressure),
            bounds.last.nearest(found.position - found.acceleration / square),
        )
        start = np.stack((now.position, now.velocity))
        piece = self._planner.plan(start, wish, bounds, duration_s)
        if piece is None:
            return False
        self._piece, self._start_s = piece, now_s
        self.outside, self.latency_s = piece.outside, latency_s
        return True

    def at(self, now_s: float) -> Motion:
        """Return the reference at a time [s]."""
        position, velocity, acceleration, pressure = self.rows(now_s).copy()
        return Motion(position, velocity, acceleration, pressure)

    def rows(self, now_s: float) -> Floats:
        """Return position, velocity, acceleration and ZMP at a time (4, 2), until the next call.

        After the end of its last piece the CoM comes to rest over the pressure that stops it, as
        far as the piece's end allows: the mode ξ stays where it is.

        Args:
            now_s: time of the tick [s].
        """
        piece, omega, out = self._piece, self._planner.omega, self._out
        if piece is None:
            out.fill(0.0)
            out[0] = out[3] = self._rest
            return out
        elapsed = max(now_s - self._start_s, 0.0)  # before its start a piece grows without bound
        sample(piece.motion, omega, self._planner.alpha, min(elapsed, piece.duration_s), out)
        beyond_s = elapsed - piece.duration_s
        if beyond_s > 0.0:
            xi = out[0] + out[1] / omega
            out[0] = xi + (out[0] - xi) * math.exp(-omega * beyond_s)
            out[1] = omega * (xi - out[0])
            out[2] = -omega * out[1]
            out[3] = xi
        return out


def standing_bounds(region: Region) -> Bounds:
    """Return the bounds of a robot that keeps its support."""
    return Bounds(region, region, region)
