"""The owner of limbs that follow a person."""

import copy
import math
from collections.abc import Sequence
from typing import Protocol, Self

import numpy as np

from core.behave.follower import Follower, calm_speed
from core.behave.joints import UpperJoints
from core.behave.pieces import Columns
from core.behave.reference import MotionState
from core.behave.settings import MotionSettings
from devices.interface import Floats
from shows.body_limb import SHIFT

FORESIGHT_S = 0.1  # longest time for which a rate is trusted after its stamp


class Shift(Protocol):
    """Leads the shift of the centre of mass over standing feet."""

    def begin(self, motion_s: float) -> None:
        """Take over at a motion time, at rest over the middle of the feet [s]."""

    def write(self, motion_s: float, out: Floats) -> None:
        """Write position, velocity and acceleration, forward and to the left (3, 2)."""


def live_limits(joints: UpperJoints, settings: MotionSettings) -> Floats:
    """Return natural frequency, largest speed and acceleration of limbs that follow a person.

    Args:
        joints: the joints of the upper body.
        settings: of the followers.

    Returns:
        In upper order (3, u) [rad/s], [1/s], [1/s²].
    """
    is_body = np.arange(len(joints)) >= joints.joint_count
    stiffness = np.where(is_body, settings.live_body_stiffness, settings.live_stiffness)
    acceleration = joints.live_acceleration
    speed = np.minimum(joints.velocity_limit, calm_speed(stiffness, acceleration))
    return np.stack((stiffness, np.minimum(speed, settings.live_speed), acceleration))


class LivePiece:
    """Limbs that follow a person: joints by a limited follower, the body's shift by its own plan.

    Args:
        joints: the joints of the upper body.
        limbs: indices of the limbs, ascending.
        rest_q: rest posture in upper order (u).
        settings: of the followers.
        shift: leads the shift of the body; None: it stays over the middle of the feet.
    """

    state = MotionState.LIVE
    end_s = math.inf

    def __init__(
        self,
        joints: UpperJoints,
        limbs: Sequence[int],
        rest_q: Floats,
        settings: MotionSettings,
        shift: Shift | None = None,
    ) -> None:
        self.columns: Columns = {}
        index: list[int] = []
        for limb in limbs:
            of = joints.columns[limb]
            self.columns[limb] = slice(len(index), len(index) + of.stop - of.start)
            index += range(of.start, of.stop)
        self.index = np.array(index, dtype=np.intp)
        self._share(Follower(live_limits(joints, settings)[:, index]))
        self._follower.target[:] = rest_q[index]
        names = [joints.names[i] for i in index]
        places = [names.index(name) for name in SHIFT if name in names]
        self._shift = shift if len(places) == len(SHIFT) else None
        self._shifted = places
        self._out = np.zeros((3, len(SHIFT)))
        self._aimed_s = self._at_s = 0.0

    def aim(self, motion_s: float, goal: Floats, rate: Floats) -> None:
        """Set what the limbs follow.

        Args:
            motion_s: motion time at which the person was so [s].
            goal: positions in upper order (u).
            rate: their rates (u).
        """
        self._aimed_s = motion_s
        self._follower.target[:] = goal[self.index]
        self._follower.rate[:] = rate[self.index]

    def begin(self, motion_s: float) -> None:
        """Start at the goal and at rest at a motion time [s]."""
        self._at_s = motion_s
        self._follower.rest()
        if self._shift is not None:
            self._shift.begin(motion_s)

    def evaluate(self, motion_s: float) -> None:
        """Write the block for a motion time [s]; time never runs backward here."""
        if motion_s > self._at_s:
            ahead_s = min(max(motion_s - self._aimed_s, 0.0), FORESIGHT_S)
            self._follower.follow(motion_s - self._at_s, ahead_s)
            self._at_s = motion_s
        if self._shift is not None:
            self._shift.write(motion_s, self._out)
            for place, column in enumerate(self._shifted):
                self.block[:, column] = self._out[:, place]

    def twin(self) -> Self:
        """Return an equal piece with a block of its own."""
        twin = copy.copy(self)
        twin._out = self._out.copy()
        twin._share(self._follower.twin())
        return twin

    def _share(self, follower: Follower) -> None:
        """Take a follower, whose block is the piece's."""
        self._follower, self.block = follower, follower.block
