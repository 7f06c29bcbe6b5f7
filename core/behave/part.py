"""Limbs that share a piece and a clock, so that one evaluation per tick serves all of them."""

from core.behave.clock import MotionClock
from core.behave.joints import UpperJoints
from core.behave.pieces import Piece
from core.behave.reference import MotionState
from devices.interface import Floats


class Part:
    """Some limbs, the piece that owns them, and their clock.

    Args:
        limbs: indices of the limbs, ascending.
        piece: their owner.
        clock: their motion time.
        raw: output: position, velocity, acceleration (3, u) in upper order.
        joints: the limbs' columns in `raw`.
    """

    def __init__(
        self,
        limbs: tuple[int, ...],
        piece: Piece,
        clock: MotionClock,
        raw: Floats,
        joints: UpperJoints,
    ) -> None:
        self.limbs = limbs
        self.clock = clock
        self.held = False
        self._raw = raw
        self._joints = joints
        self.give(piece)

    @property
    def state(self) -> MotionState:
        """The state of its limbs."""
        return MotionState.STOP if self.clock.frozen else self.piece.state

    def give(self, piece: Piece) -> None:
        """Make a piece the owner."""
        self.piece = piece
        self._link()

    def keep(self, limbs: tuple[int, ...]) -> None:
        """Release all other limbs."""
        self.limbs = limbs
        self._link()

    def write(self) -> None:
        """Copy the piece's block, converted to real time, to its limbs' columns."""
        clock = self.clock
        if clock.rate != 1.0:
            _, dq, ddq = self.piece.block
            ddq *= clock.rate * clock.rate
            ddq += dq * clock.rate_slope
            dq *= clock.rate
        for target, source in self._copies:
            target[...] = source

    def _link(self) -> None:
        """Pair the columns of `raw` and block; limbs that are adjacent in both make one slice."""
        runs: list[tuple[slice, slice]] = []
        for limb in self.limbs:
            target, source = self._joints.columns[limb], self.piece.columns[limb]
            if runs and (runs[-1][0].stop, runs[-1][1].stop) == (target.start, source.start):
                target = slice(runs[-1][0].start, target.stop)
                source = slice(runs[-1][1].start, source.stop)
                runs.pop()
            runs.append((target, source))
        self._copies = [(self._raw[:, to], self.piece.block[:, of]) for to, of in runs]
