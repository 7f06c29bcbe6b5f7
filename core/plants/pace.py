"""The largest velocities and accelerations at which a robot walks, of whatever plant."""

import msgspec

from core.link.hello import WalkRange
from core.robot import bounds


class Pace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How fast a robot may move over the ground.

    Attributes:
        max_speed_forward: [m/s].
        max_speed_sideways: [m/s].
        max_yaw_rate: [rad/s].
        acceleration: of the commanded speed [m/s²].
        yaw_acceleration: of the commanded yaw rate [rad/s²].
    """

    max_speed_forward: bounds.Speed
    max_speed_sideways: bounds.Speed
    max_yaw_rate: bounds.YawRate
    acceleration: bounds.Acceleration
    yaw_acceleration: bounds.Acceleration

    @property
    def range(self) -> WalkRange:
        """The largest velocities alone."""
        return WalkRange(self.max_speed_forward, self.max_speed_sideways, self.max_yaw_rate)
