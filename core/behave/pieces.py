"""The owners of limbs: rest, a clip, a transition, the joystick, a person.

A piece writes its block: position, velocity and acceleration (3, n) at a motion time. Its
`columns` give each limb's columns in the block. Freezing belongs to the clock, and the limits
are applied afterwards.
"""

import copy
import math
from typing import Protocol, Self, TypeAlias

import numpy as np

from core.behave.clip import Clip
from core.behave.follower import Follower
from core.behave.hermite import fill_basis, new_basis
from core.behave.idle import IdleMotion
from core.behave.joints import UpperJoints
from core.behave.path import Segment
from core.behave.reference import MotionState
from devices.interface import Floats

Columns: TypeAlias = dict[int, slice]


class Piece(Protocol):
    """The interface of the owners of limbs.

    Attributes:
        state: state of the limbs.
        block: position, velocity, acceleration (3, n) at the last evaluation.
        columns: each limb's columns of the block, by the limb's index.
        end_s: motion time at which another piece takes over [s].
    """

    state: MotionState
    block: Floats
    columns: Columns
    end_s: float

    def begin(self, motion_s: float) -> None:
        """Take over the limbs at a motion time [s]."""

    def evaluate(self, motion_s: float) -> None:
        """Write the block for a motion time [s]."""

    def twin(self) -> Self:
        """Return an equal piece with a block of its own."""


class RestPiece:
    """The rest posture, with the robot's idle motion if it has one."""

    state = MotionState.REST
    end_s = math.inf

    def __init__(self, rest_q: Floats, idle: IdleMotion | None, columns: Columns) -> None:
        self.block = np.zeros((3, len(rest_q)))
        self.block[0] = rest_q
        self.columns = columns
        self._rest_q = rest_q
        self._row = self.block[0]
        self._idle = idle

    def begin(self, motion_s: float) -> None:
        """Do nothing: rest is a function of time alone."""

    def evaluate(self, motion_s: float) -> None:
        """Write the block for a motion time [s]."""
        if self._idle is None:
            self.block.fill(0.0)
        else:
            self._idle.sample(motion_s, self.block)
        np.add(self._row, self._rest_q, out=self._row)

    def twin(self) -> Self:
        """Return an equal piece with a block of its own."""
        twin = copy.copy(self)
        twin.block = self.block.copy()
        twin._row = twin.block[0]
        return twin


class ClipPiece:
    """A clip that plays.

    Args:
        clip: the clip.
        columns: each limb's columns of the clip, by the limb's index.
        speed: 1 is as authored.
        start_s: time in the clip at which it starts [s].
        loop: it never ends; the clip must be a looped one.
        leave_s: duration of the transition after it [s].
        beat_s: motion time at which `start_s` is due; None: when it takes over [s].
    """

    state = MotionState.ACTION

    def __init__(
        self,
        clip: Clip,
        columns: Columns,
        speed: float,
        start_s: float,
        loop: bool,
        leave_s: float,
        beat_s: float | None = None,
    ) -> None:
        self.clip = clip
        self.block = np.zeros((3, len(clip.joints)))
        self.columns = columns
        self.end_s = math.inf
        self.phase_s = start_s
        self.leave_s = leave_s
        self._speed = speed
        self._start_s = self._due_s = start_s
        self._beat_s = beat_s
        self._loop = loop
        self._began_s = 0.0
        self._knots = clip.knots
        self._duration_s = clip.duration_s
        self._rate_hz = clip.rate_hz
        self._h = 1.0 / clip.rate_hz
        self._last = len(clip.knots) // 2 - 2
        self._basis, self._flat = new_basis()
        self._size, self._shift = 1.0, 0.0 * self.block[0]

    def resize(self, size: float, rest_q: Floats) -> None:
        """Scale the motion about the rest posture of the clip's joints (m) [rad]."""
        self._size, self._shift = size, (1.0 - size) * rest_q

    def begin(self, motion_s: float) -> None:
        """Start the clip at a motion time [s]."""
        self._began_s = motion_s
        if self._beat_s is not None:
            late_s = max(0.0, motion_s - self._beat_s)
            self._start_s = min(self._due_s + self._speed * late_s, self._duration_s)
        if not self._loop:
            self.end_s = motion_s + (self._duration_s - self._start_s) / self._speed

    def evaluate(self, motion_s: float) -> None:
        """Write the block for a motion time [s]."""
        phase_s = self._start_s + self._speed * (motion_s - self._began_s)
        if self._loop:
            phase_s %= self._duration_s
        self.phase_s = phase_s
        # As Clip.locate, without its calls.
        knot = phase_s * self._rate_hz
        segment = int(knot)
        if segment > self._last:
            segment = self._last
        s = knot - segment
        fill_basis(self._flat, s if s < 1.0 else 1.0, self._h, self._speed)
        self._basis.dot(self._knots[2 * segment : 2 * segment + 4], self.block)
        if self._size != 1.0:
            self.block *= self._size
            self.block[0] += self._shift

    def twin(self) -> Self:
        """Return an equal piece with a block of its own."""
        twin = copy.copy(self)
        twin.block = self.block.copy()
        return twin


class TransitionPiece:
    """Cubic Hermite segments from the present state of limbs to that of their next owner.

    Args:
        path: the segments, in upper order.
        begin_s: motion time of the start [s].
        end_s: motion time of the end [s].
        columns: each limb's columns in upper order, by the limb's index.
        then: the piece that takes over at the end.
    """

    state = MotionState.TRANSITION

    def __init__(
        self,
        path: tuple[Segment, ...],
        begin_s: float,
        end_s: float,
        columns: Columns,
        then: Piece,
    ) -> None:
        self.block = np.zeros((3, path[0].knots.shape[1]))
        self.columns = columns
        self.end_s = end_s
        self.then = then
        self._segments: list[tuple[Floats, float, float]] = []  # with their starts and durations
        for knots, duration_s in path[:-1]:
            self._segments.append((knots, begin_s, duration_s))
            begin_s += duration_s
        self._segments.append((path[-1].knots, begin_s, end_s - begin_s))
        self._basis, self._flat = new_basis()

    def begin(self, motion_s: float) -> None:
        """Do nothing: its time is part of it."""

    def evaluate(self, motion_s: float) -> None:
        """Write the block for a motion time [s]."""
        segments = self._segments
        number = 0
        while number + 1 < len(segments) and motion_s >= segments[number + 1][1]:
            number += 1
        knots, begin_s, duration_s = segments[number]
        fill_basis(self._flat, (motion_s - begin_s) / duration_s, duration_s, 1.0)
        self._basis.dot(knots, self.block)

    def twin(self) -> Self:
        """Return an equal piece with a block of its own."""
        twin = copy.copy(self)
        twin.block = self.block.copy()
        twin.then = self.then.twin()
        return twin


class GivenPiece:
    """Limbs whose position is given from outside, at rest; for limbs that a person moves.

    Args:
        q: positions in upper order, which their owner overwrites (u) [rad].
        columns: each limb's columns in upper order, by the limb's index.
    """

    state = MotionState.STOP
    end_s = math.inf

    def __init__(self, q: Floats, columns: Columns) -> None:
        self.block = np.zeros((3, q.size))
        self.columns = columns
        self._q = q

    def begin(self, motion_s: float) -> None:
        """Do nothing: the position is given."""

    def evaluate(self, motion_s: float) -> None:
        """Write the block for a motion time [s]."""
        self.block.fill(0.0)
        self.block[0] = self._q

    def twin(self) -> Self:
        """Return an equal piece with a block of its own."""
        twin = copy.copy(self)
        twin.block = self.block.copy()
        return twin


class JoystickPiece:
    """A limb follows a stick; its joints that the stick does not lead stay at rest.

    Args:
        joints: the joints of the upper body.
        limb: index of the limb.
        rest_q: rest posture in upper order (u).
        limits: natural frequency [rad/s], largest speed and largest acceleration of each joint of
            the limb (3, m).
    """

    state = MotionState.JOYSTICK
    end_s = math.inf

    def __init__(self, joints: UpperJoints, limb: int, rest_q: Floats, limits: Floats) -> None:
        columns = joints.columns[limb]
        self.columns: Columns = {limb: slice(0, columns.stop - columns.start)}
        self._follower = Follower(limits)
        self._follower.target[:] = rest_q[columns]
        self.block = self._follower.block.copy()
        self._at_s = 0.0
        self._start = columns.start

    def aim(self, joint: int, position: float) -> None:
        """Set the target of a joint, by its index in upper order."""
        self._follower.target[joint - self._start] = position

    def begin(self, motion_s: float) -> None:
        """Start at the target and at rest at a motion time [s]."""
        self._at_s = motion_s
        self._follower.rest()

    def evaluate(self, motion_s: float) -> None:
        """Write the block for a motion time [s]; time never runs backward here."""
        if motion_s > self._at_s:
            self._follower.follow(motion_s - self._at_s)
            self._at_s = motion_s
        self.block[:] = self._follower.block

    def twin(self) -> Self:
        """Return an equal piece with a block of its own."""
        twin = copy.copy(self)
        twin.block = self.block.copy()
        twin._follower = self._follower.twin()
        return twin
