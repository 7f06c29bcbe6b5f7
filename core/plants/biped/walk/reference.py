"""Reference of legs and body that the walker gives to the whole-body controller."""

from dataclasses import dataclass, field
from enum import IntEnum

from core.records import Record, make_record
from devices.interface import Floats


class Phase(IntEnum):
    """Phase of the gait."""

    STAND = 0
    SHIFT = 1
    STEP = 2


@dataclass(slots=True)
class LegReference:
    """Desired motion of legs and body, world frame. Owned and overwritten by the walker.

    Attributes:
        phase: of the gait.
        swing_side: the foot in the air, 0 left, 1 right; -1 when both stand.
        stance_side: the foot that a step stands on, 0 left, 1 right; -1 between steps.
        height: of the CoM, or of the base, above the stance [m].
        height_rate: [m/s].
        height_acceleration: [m/s²].
        ground_height: of the stance, in the estimator's world [m].
        torso_yaw_rate: [rad/s].
        record: of the arrays that follow, for a kernel.
        load_limit: largest vertical force at each contact point of a foot (2) [N].
        full_load: vertical force of a foot from which on its leg only moves the body (2) [N]. With
            less force the leg moves the body by the share of it, and holds the sole by the rest.
            With 0 the leg only moves the body at any force.
        swing: position, velocity and acceleration of the swing sole (3, 3).
        swing_turn: desired yaw of the swing sole [rad] and its rate [rad/s] (2).
        com_acceleration: desired horizontal CoM acceleration when both feet stand (2) [m/s²].
        lift: height of both soles in a jump, with its first two derivatives (3).
        pressure: of the ground under a lone foot, ahead of its middle (1) [m].
        torso_rpy: desired roll, pitch and yaw of the torso (3) [rad].
        torso_turn: its angular velocity [rad/s] and acceleration [rad/s²] by the motion of the
            body, without `torso_yaw_rate` (2, 3).
    """

    phase: Phase = Phase.STAND
    swing_side: int = -1
    stance_side: int = -1
    height: float = 0.0
    height_rate: float = 0.0
    height_acceleration: float = 0.0
    ground_height: float = 0.0
    torso_yaw_rate: float = 0.0
    record: Record = field(
        default_factory=lambda: make_record(
            load_limit=2,
            full_load=2,
            swing=(3, 3),
            swing_turn=2,
            com_acceleration=2,
            pressure=1,
            torso_rpy=3,
            torso_turn=(2, 3),
            lift=3,
        )
    )
    load_limit: Floats = field(init=False)
    full_load: Floats = field(init=False)
    swing: Floats = field(init=False)
    swing_turn: Floats = field(init=False)
    com_acceleration: Floats = field(init=False)
    pressure: Floats = field(init=False)
    torso_rpy: Floats = field(init=False)
    torso_turn: Floats = field(init=False)
    lift: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.load_limit = self.record["load_limit"][0]
        self.full_load = self.record["full_load"][0]
        self.swing = self.record["swing"][0]
        self.swing_turn = self.record["swing_turn"][0]
        self.com_acceleration = self.record["com_acceleration"][0]
        self.pressure = self.record["pressure"][0]
        self.torso_rpy = self.record["torso_rpy"][0]
        self.torso_turn = self.record["torso_turn"][0]
        self.lift = self.record["lift"][0]
