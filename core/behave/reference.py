"""What the motion manager tells the rest of the core in one tick."""

from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from devices.interface import Floats

States: TypeAlias = npt.NDArray[np.int8]

LIMBS = ("head", "left_arm", "right_arm", "left_hand", "right_hand")
"""The limb groups, in the order of every array that has one entry a limb."""


class MotionState(IntEnum):
    """What a limb is doing (Kid Cosmo paper, III-D1)."""

    REST = 0
    ACTION = 1
    TRANSITION = 2
    STOP = 3
    JOYSTICK = 4


@dataclass(frozen=True, slots=True)
class UpperReference:
    """Where the upper body shall be. The manager owns the arrays and overwrites them each tick.

    Attributes:
        q: positions in upper order (u) [rad].
        dq: velocities (u) [rad/s].
        ddq: accelerations, for feed-forward (u) [rad/s²].
        states: a MotionState for each of LIMBS (5).
    """

    q: Floats
    dq: Floats
    ddq: Floats
    states: States
