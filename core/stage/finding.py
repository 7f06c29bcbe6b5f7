"""What preflight finds in a cue, and the margins to the limits of the robot."""

from dataclasses import dataclass

import msgspec


class PreflightSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Margins to the robot's limits.

    Attributes:
        warn_share: fraction of a limit above which a cue gets a warning.
        support_margin_m: least distance of the centre of mass from the edge of the feet [m].
        penetration_m: allowed penetration of two hulls, which are larger than the bodies [m].
        touch_penetration_m: the same for two bodies that may touch [m].
        posture_period_s: time between two tests of balance and collisions [s].
    """

    warn_share: float = 0.85
    support_margin_m: float = 0.02
    penetration_m: float = 0.01
    touch_penetration_m: float = 0.04
    posture_period_s: float = 0.04


@dataclass(frozen=True, slots=True)
class Finding:
    """A failure or a warning of a cue.

    Attributes:
        text: the quantity, its value and its time.
        time_s: time since the start of the cue's action [s].
        load: fraction of the limit; more than 1 fails the cue.
    """

    text: str
    time_s: float
    load: float

    @property
    def fails(self) -> bool:
        """Whether the cue cannot GO."""
        return self.load > 1.0
