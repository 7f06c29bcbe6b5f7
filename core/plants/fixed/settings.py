"""The settings of a robot with a fixed base: the table `[fixed]` of its profile."""

import msgspec

from core.robot import bounds


class Fixed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a robot whose base does not move.

    Attributes:
        rise_s: time to the rest posture after STAND UP [s].
        settle_s: time to the posture of the support on SETTLE [s].
    """

    rise_s: bounds.RiseTime
    settle_s: bounds.RiseTime
