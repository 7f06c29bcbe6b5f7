"""What the walking rooms ask of the whole-body controller."""

from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np

from devices.interface import Floats


class Phase(IntEnum):
    """What the legs are doing."""

    STAND = 0
    SHIFT = 1
    STEP = 2


@dataclass(slots=True)
class LegReference:
    """Desired motion of legs and body, world frame. Owned and overwritten by the walker.

    Attributes:
        phase: what the legs are doing.
        swing_side: the foot in the air, 0 left, 1 right; -1 when both stand.
        stance_side: the foot that a step stands on, 0 left, 1 right; -1 between steps.
        load_limit: largest vertical force at each contact point of a foot (2) [N].
        swing: position, velocity and acceleration of the swing sole (3, 3).
        swing_yaw: its desired yaw [rad].
        swing_yaw_rate: and its rate [rad/s].
        com_height: above the stance [m].
        com_height_rate: [m/s].
        com_acceleration: horizontal CoM acceleration asked for when both feet stand (2) [m/s²].
        ground_height: of the stance, in the estimator's world [m].
        torso_rpy: desired roll, pitch and yaw of the torso (3) [rad].
        torso_yaw_rate: [rad/s].
    """

    phase: Phase = Phase.STAND
    swing_side: int = -1
    stance_side: int = -1
    load_limit: Floats = field(default_factory=lambda: np.zeros(2))
    swing: Floats = field(default_factory=lambda: np.zeros((3, 3)))
    swing_yaw: float = 0.0
    swing_yaw_rate: float = 0.0
    com_height: float = 0.0
    com_height_rate: float = 0.0
    com_acceleration: Floats = field(default_factory=lambda: np.zeros(2))
    ground_height: float = 0.0
    torso_rpy: Floats = field(default_factory=lambda: np.zeros(3))
    torso_yaw_rate: float = 0.0
