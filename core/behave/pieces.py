"""What can own a limb: rest, a clip, a transition, the joystick.

A piece writes its block: position, velocity and acceleration (3, n) at a motion time. Its
`columns` say where in the block each limb's joints are. It knows nothing of freezing, which is
its clock's affair, nor of limits, which come after it.
"""

import copy
import math
from typing import Protocol, Self, TypeAlias

import numpy as np

from core.behave.clip import Clip
from core.behave.follower import Follower
from core.behave.hermite import fill_basis, new_basis
from core.behave.idle import IdleLife
from core.behave.joints import UpperJoints
from core.behave.reference import MotionState
from devices.interface import Floats

Columns: TypeAlias = dict[int, slice]
FADE_S = 1.0
"""How long idle life takes to come or go [s]."""


class Piece(Protocol):
    """What all owners of a limb have in common.

    Attributes:
        state: what the limb is doing.
        block: position, velocity, acceleration (3, n) at the last evaluation.
        columns: limb to its columns of the block.
        end_s: motion time at which something else must take over [s].
    """

    state: MotionState
    block: Floats
    columns: Columns
    end_s: float

    def begin(self, motion_s: float) -> None:
        """Take the limb over at a motion time [s]."""

    def evaluate(self, motion_s: float) -> None:
        """Write the block for a motion time [s]."""

    def twin(self) -> Self:
        """Return a piece that goes on alike, with a block of its own."""


class RestPiece:
    """The rest posture, with as much idle life as is asked for."""

    state = MotionState.REST
    end_s = math.inf

    def __init__(self, rest_q: Floats, idle: IdleLife, columns: Columns, gain: float) -> None:
        self.block = np.zeros((3, len(rest_q)))
        self.block[0] = rest_q
        self.columns = columns
        self.gain = gain
        self._rest_q = rest_q
        self._row = self.block[0]
        self._idle = idle
        self._fade_from = (gain, 0.0)  # where the fade began, and how fast it was going
        self._fade_s = -math.inf
        self._fade_flat = np.zeros(12)

    def begin(self, motion_s: float) -> None:
        """Nothing to prepare: rest is a function of time alone."""

    def fade(self, motion_s: float, gain: float) -> None:
        """Let idle life come (1) or go (0) from a motion time [s] on."""
        if gain != self.gain:
            self._fade_from = self._gain_at(motion_s)[:2]
            self._fade_s = motion_s
            self.gain = gain

    def is_steady(self, motion_s: float) -> bool:
        """Tell whether idle life is neither coming nor going."""
        return motion_s >= self._fade_s + FADE_S

    def evaluate(self, motion_s: float) -> None:
        """Write the block for a motion time [s]."""
        block = self.block
        if motion_s < self._fade_s + FADE_S:
            self._evaluate_fading(motion_s)
        elif self.gain:
            self._idle.sample(motion_s, block)
            if self.gain != 1.0:
                np.multiply(block, self.gain, out=block)
        else:
            block.fill(0.0)
        np.add(self._row, self._rest_q, out=self._row)

    def twin(self) -> Self:
        """Return a piece that goes on alike, with a block of its own."""
        twin = copy.copy(self)
        twin.block = self.block.copy()
        twin._row = twin.block[0]
        return twin

    def _gain_at(self, motion_s: float) -> tuple[float, float, float]:
        """Return the gain and its two derivatives: a Hermite, so that a fade may turn back."""
        if motion_s >= self._fade_s + FADE_S:
            return self.gain, 0.0, 0.0
        flat = self._fade_flat
        fill_basis(flat, max(0.0, (motion_s - self._fade_s) / FADE_S), FADE_S, 1.0)
        start, slope = self._fade_from
        gain, rate, bend = (
            float(flat[i] * start + flat[i + 1] * slope + flat[i + 2] * self.gain)
            for i in (0, 4, 8)
        )
        return gain, rate, bend

    def _evaluate_fading(self, motion_s: float) -> None:
        """Apply the product rule to gain times idle life."""
        gain, slope, bend = self._gain_at(motion_s)
        q, dq, ddq = self.block
        self._idle.sample(motion_s, self.block)
        ddq[:] = gain * ddq + 2.0 * slope * dq + bend * q
        dq[:] = gain * dq + slope * q
        q *= gain


class ClipPiece:
    """A clip that plays.

    Args:
        clip: what plays.
        columns: limb to its columns of the clip.
        speed: 1 is as authored.
        start_s: where in the clip it starts [s].
        loop: it never ends; the clip must be a looped one.
        leave_s: duration of the transition after it [s].
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
    ) -> None:
        self.clip = clip
        self.block = np.zeros((3, len(clip.joints)))
        self.columns = columns
        self.end_s = math.inf
        self.phase_s = start_s
        self.leave_s = leave_s
        self._speed = speed
        self._start_s = start_s
        self._loop = loop
        self._began_s = 0.0
        self._knots = clip.knots
        self._duration_s = clip.duration_s
        self._rate_hz = clip.rate_hz
        self._h = 1.0 / clip.rate_hz
        self._last = len(clip.knots) // 2 - 2
        self._basis, self._flat = new_basis()

    def begin(self, motion_s: float) -> None:
        """Be at the clip's start at a motion time [s]."""
        self._began_s = motion_s
        if not self._loop:
            self.end_s = motion_s + (self._duration_s - self._start_s) / self._speed

    def evaluate(self, motion_s: float) -> None:
        """Write the block for a motion time [s]."""
        phase_s = self._start_s + self._speed * (motion_s - self._began_s)
        if self._loop:
            phase_s %= self._duration_s
        self.phase_s = phase_s
        # As Clip.locate does, without the calls.
        place = phase_s * self._rate_hz
        segment = int(place)
        if segment > self._last:
            segment = self._last
        s = place - segment
        fill_basis(self._flat, s if s < 1.0 else 1.0, self._h, self._speed)
        self._basis.dot(self._knots[2 * segment : 2 * segment + 4], self.block)

    def twin(self) -> Self:
        """Return a piece that goes on alike, with a block of its own."""
        twin = copy.copy(self)
        twin.block = self.block.copy()
        return twin


class TransitionPiece:
    """One cubic Hermite segment from where a limb is to where its next owner will have it.

    Args:
        knots: position and velocity at the start and at the end (4, u).
        begin_s: motion time of the start [s].
        duration_s: [s].
        columns: limb to its columns of the upper order.
        then: who takes over at the end.
    """

    state = MotionState.TRANSITION

    def __init__(
        self, knots: Floats, begin_s: float, duration_s: float, columns: Columns, then: Piece
    ) -> None:
        self.block = np.zeros((3, knots.shape[1]))
        self.columns = columns
        self.end_s = begin_s + duration_s
        self.then = then
        self._knots = knots
        self._begin_s = begin_s
        self._duration_s = self.end_s - begin_s
        self._basis, self._flat = new_basis()

    def begin(self, motion_s: float) -> None:
        """Nothing to prepare: its time is part of it."""

    def evaluate(self, motion_s: float) -> None:
        """Write the block for a motion time [s]."""
        s = (motion_s - self._begin_s) / self._duration_s
        fill_basis(self._flat, s, self._duration_s, 1.0)
        self._basis.dot(self._knots, self.block)

    def twin(self) -> Self:
        """Return a piece that goes on alike, with a block of its own."""
        twin = copy.copy(self)
        twin.block = self.block.copy()
        twin.then = self.then.twin()
        return twin


class JoystickPiece:
    """The head follows a hand."""

    state = MotionState.JOYSTICK
    end_s = math.inf

    def __init__(self, joints: UpperJoints, head: int, follower: Follower) -> None:
        columns = joints.columns[head]
        width = columns.stop - columns.start
        self.block = np.zeros((3, width))
        self.columns: Columns = {head: slice(0, width)}
        self.target = np.zeros(width)
        self._state = np.zeros((3, width))
        self._follower = follower
        self._at_s = 0.0
        self._yaw = joints.index["head_yaw"] - columns.start
        self._pitch = joints.index["head_pitch"] - columns.start

    def aim(self, yaw: float, pitch: float) -> None:
        """Set where the head shall look [rad]."""
        self.target[self._yaw] = yaw
        self.target[self._pitch] = pitch

    def begin(self, motion_s: float) -> None:
        """Be at the target and at rest at a motion time [s]."""
        self._at_s = motion_s
        self._state.fill(0.0)
        self._state[0] = self.target

    def evaluate(self, motion_s: float) -> None:
        """Write the block for a motion time [s]; time never runs backward here."""
        if motion_s > self._at_s:
            self._follower.follow(self._state, self.target, motion_s - self._at_s)
            self._at_s = motion_s
        self.block[:] = self._state

    def twin(self) -> Self:
        """Return a piece that goes on alike, with a block of its own."""
        twin = copy.copy(self)
        twin.block = self.block.copy()
        twin.target = self.target.copy()
        twin._state = self._state.copy()
        return twin
