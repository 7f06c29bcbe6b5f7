"""Who owns each limb; every hand-over runs through TRANSITION.

A transition leads from the present position and velocity to those that the next owner has when the
transition ends, even if it is in motion by then.
"""

from collections.abc import Callable, Sequence

import numpy as np

from core.behave.clock import MotionClock
from core.behave.joints import UpperJoints
from core.behave.part import Part
from core.behave.path import Bounds, path_between
from core.behave.pieces import (
    ClipPiece,
    GivenPiece,
    JoystickPiece,
    Piece,
    RestPiece,
    TransitionPiece,
)
from core.behave.reference import MotionState, States
from core.behave.settings import MotionSettings
from devices.interface import Floats


class Ownership:
    """The parts of the upper body: limbs with one owner and one clock.

    Limbs are named by their indices, in the order of `UpperJoints.limbs`.

    Args:
        joints: the robot's joints, limbs and limits.
        settings: durations and limits of the transitions.
        rest: makes the owner of limbs that wait, to which a clip that ends leads.

    Attributes:
        raw: output: position, velocity and acceleration in upper order, before the limits (3, u).
        states: output: a MotionState for each limb (l).
        parts: each limb belongs to exactly one.
        now_s: latest time [s].
        fastest: largest speed of each joint in a transition (u) [rad/s].
    """

    def __init__(
        self, joints: UpperJoints, settings: MotionSettings, rest: Callable[[], Piece]
    ) -> None:
        everything = tuple(range(len(joints.limbs)))
        self.raw = np.zeros((3, len(joints)))
        self.states: States = np.zeros(len(everything), dtype=np.int8)
        self.now_s = 0.0
        self._joints, self._settings, self._rest = joints, settings, rest
        self._columns = dict(enumerate(joints.columns))
        self.fastest = np.minimum(joints.velocity_limit, settings.transition_speed)
        self.keep_within(joints.lower, joints.upper)
        self.parts = [Part(everything, rest(), MotionClock(), self.raw, joints)]

    def keep_within(self, lower: Floats, upper: Floats) -> None:
        """Keep the transitions that begin from now on within positions in upper order (u) [rad]."""
        settings = self._settings
        acceleration, longest_s = settings.transition_acceleration, settings.patience_s
        self._bounds = Bounds(lower, upper, self.fastest, acceleration, longest_s)

    def advance(self, now_s: float) -> None:
        """Bring `raw` to a time [s], with every hand-over at its exact time."""
        now_s = self.now_s = max(now_s, self.now_s)
        arrived = False
        for part in self.parts:
            if part.held:
                continue
            clock = part.clock
            clock.advance(now_s)
            motion_s = clock.motion_s
            while motion_s >= part.piece.end_s:
                self._follow(part)
                arrived = True
            part.piece.evaluate(motion_s)
            part.write()
            part.held = clock.frozen and clock.rate == 0.0
        if arrived:
            self._settle()

    def hand_over(self, limbs: tuple[int, ...], then: Piece, duration_s: float) -> None:
        """Take limbs from their owners and lead them to another, starting now."""
        start = self.raw[:2].copy()
        self.give(limbs, self._transition(limbs, start, self.now_s, then, duration_s))

    def give(self, limbs: tuple[int, ...], piece: Piece) -> None:
        """Take limbs from their owners and give them to another, now."""
        for part in self.parts:
            left = tuple(limb for limb in part.limbs if limb not in limbs)
            if left != part.limbs:
                part.keep(left)
        self.parts = [part for part in self.parts if part.limbs]
        clock = MotionClock()
        clock.advance(self.now_s)
        part = Part(limbs, piece, clock, self.raw, self._joints)
        self.parts.append(part)
        piece.evaluate(self.now_s)
        part.write()
        self._settle()

    def end(self, part: Part) -> None:
        """Lead the limbs of a part to rest; frozen ones go there once they resume."""
        if part.clock.frozen:
            self._redirect(part, self._rest(), self._settings.transition_s)
        else:
            self.hand_over(part.limbs, self._rest(), self._settings.transition_s)

    def turn_clocks(self, limbs: Sequence[int], frozen: bool) -> list[int]:
        """Freeze or resume the clocks of limbs; return those that it changes."""
        turned: list[int] = []
        for part in list(self.parts):
            meant = tuple(limb for limb in part.limbs if limb in limbs)
            if not meant or part.clock.frozen == frozen or is_given(part):
                continue
            if meant != part.limbs:
                part.keep(tuple(limb for limb in part.limbs if limb not in meant))
                part = Part(meant, part.piece.twin(), part.clock.copy(), self.raw, self._joints)
                self.parts.append(part)
            turn: Callable[[float, float], None]
            turn = part.clock.freeze if frozen else part.clock.resume
            turn(self.now_s, self._settings.freeze_s)
            part.held = False
            turned.extend(meant)
        self._settle()
        return sorted(turned)

    def part_of(self, limb: int) -> Part:
        """Return the one part that a limb belongs to."""
        return next(part for part in self.parts if limb in part.limbs)

    def steered(self, limb: int) -> JoystickPiece | None:
        """Return the joystick's piece if it owns a limb or is about to."""
        piece = owner(self.part_of(limb))
        return piece if isinstance(piece, JoystickPiece) else None

    def _follow(self, part: Part) -> None:
        """Give a part whose piece has ended to the next piece, at the exact time of the end."""
        piece = part.piece
        if isinstance(piece, TransitionPiece):
            part.give(piece.then)
        elif isinstance(piece, ClipPiece):
            self._redirect(part, self._rest(), piece.leave_s, at_s=piece.end_s)

    def _redirect(
        self, part: Part, then: Piece, duration_s: float, at_s: float | None = None
    ) -> None:
        """Lead a part to another piece on its own clock, so that a frozen part stays frozen."""
        at_s = part.clock.motion_s if at_s is None else at_s
        part.piece.evaluate(at_s)
        start = np.zeros((2, len(self._joints)))
        for limb in part.limbs:
            start[:, self._columns[limb]] = part.piece.block[:2, part.piece.columns[limb]]
        part.give(self._transition(part.limbs, start, at_s, then, duration_s))

    def _transition(
        self,
        limbs: tuple[int, ...],
        start: Floats,
        begin_s: float,
        then: Piece,
        duration_s: float,
    ) -> TransitionPiece:
        """Return the path from `start` (2, u) to the state of `then` when it ends."""
        mask = np.zeros(len(self._joints), dtype=np.bool_)
        for limb in limbs:
            mask[self._columns[limb]] = True
        knots = np.zeros((4, len(self._joints)))
        knots[:2] = np.where(mask, start, 0.0)
        duration_s = max(duration_s, self._settings.shortest_s)
        while True:
            # The target may be moving: its state depends on the duration.
            end_s = begin_s + duration_s
            then.begin(end_s)
            then.evaluate(end_s)
            for limb in limbs:
                knots[2:, self._columns[limb]] = then.block[:2, then.columns[limb]]
            path = path_between(knots, duration_s, self._bounds)
            needed_s = sum(segment.duration_s for segment in path)
            if needed_s <= duration_s * (1.0 + 1e-9):
                columns = {limb: self._columns[limb] for limb in limbs}
                return TransitionPiece(path, begin_s, end_s, columns, then)
            duration_s = needed_s

    def _settle(self) -> None:
        """Join the parts at rest whose clocks show real time, and write every limb's state."""
        shared: Part | None = None
        for part in list(self.parts):
            if isinstance(part.piece, RestPiece) and part.clock.is_real_time:
                if shared is None:
                    shared = part
                else:
                    shared.keep(tuple(sorted(shared.limbs + part.limbs)))
                    self.parts.remove(part)
        for part in self.parts:
            for limb in part.limbs:
                self.states[limb] = part.state


def owner(part: Part) -> Piece:
    """Return the piece that owns a part, or the one to which its transition leads."""
    piece = part.piece
    return piece.then if isinstance(piece, TransitionPiece) else piece


def destination(part: Part) -> MotionState:
    """Return the state of a part, or the one that its transition leads to."""
    return owner(part).state


def is_given(part: Part) -> bool:
    """Return whether the limbs of a part are released, or about to be."""
    return isinstance(owner(part), GivenPiece)
