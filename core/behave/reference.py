"""The output of the motion manager in one tick."""

from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from devices.interface import Floats

States: TypeAlias = npt.NDArray[np.int8]


class MotionState(IntEnum):
    """The state of a limb (Kid Cosmo paper, III-D1), and LIVE: it follows a person."""

    REST = 0
    ACTION = 1
    TRANSITION = 2
    STOP = 3
    JOYSTICK = 4
    LIVE = 5


@dataclass(frozen=True, slots=True)
class UpperReference:
    """The reference of the upper body. The manager owns the arrays and overwrites them each tick.

    Attributes:
        q: positions in upper order, without the body (u) [rad].
        dq: velocities (u) [rad/s].
        ddq: accelerations, for feed-forward (u) [rad/s²].
        body: position, velocity and acceleration of the body's coordinates, in the order of
            `shows.body_limb.ROLES` (3, 6) [rad, m]; a robot without a body as a limb has none
            (3, 0).
        states: a MotionState for each limb, in the order of `UpperJoints.limbs` (l).
    """

    q: Floats
    dq: Floats
    ddq: Floats
    body: Floats
    states: States
