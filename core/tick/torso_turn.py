"""The turn of the torso after a head that looks far to the side."""

import math

from core.behave.follower import Follower, limits_of
from core.behave.settings import LookSettings
from devices.interface import Floats

STILL = 1e-3  # of a turn that is over [rad], [rad/s]


class TorsoTurn:
    """Owns the turn of the torso over standing feet, while the robot looks at a point.

    The torso takes over what the azimuth of the point has beyond a comfortable one, later and
    slower than the head. It returns when the look ends.

    Args:
        settings: of the look.
        reach: how far the torso turns to each side [rad].

    Attributes:
        motion: position, velocity and acceleration of the turn, to the left (3) [rad], [rad/s],
            [rad/s²].
    """

    def __init__(self, settings: LookSettings, reach: float) -> None:
        self._settings, self._reach = settings, reach
        limits = settings.turn_stiffness, settings.turn_speed, settings.turn_acceleration
        self._follower = Follower(limits_of(1, *limits))
        self.motion: Floats = self._follower.block[:, 0]
        self._comfortable_s = self._now_s = -math.inf
        self._looked = self._begun = False

    @property
    def active(self) -> bool:
        """A look lasts, or the torso has not yet returned from one."""
        return self._begun or self._looked

    def follow(self, now_s: float, azimuth: float | None, frozen: bool) -> None:
        """Advance to a time.

        Args:
            now_s: time of the tick [s].
            azimuth: of the point, to the left of the heading of the soles; None: none [rad].
            frozen: the body shall stay as it is.
        """
        elapsed_s, self._now_s = now_s - self._now_s, now_s
        beyond = 0.0
        if azimuth is not None:
            beyond = max(abs(azimuth) - self._settings.comfortable, 0.0)
        if beyond == 0.0 or not self._looked:
            self._comfortable_s = now_s
        self._looked = azimuth is not None
        if not self._begun:
            if frozen or now_s - self._comfortable_s < self._settings.delay_s:
                return
            self._begun = True
        turn, speed = float(self.motion[0]), float(self.motion[1])
        target = math.copysign(min(beyond, self._reach), azimuth or 0.0)
        if frozen:
            target = turn + speed / self._settings.turn_stiffness  # where it comes to rest soonest
        self._follower.target[0] = target
        self._follower.follow(elapsed_s)
        if target == 0.0 and abs(turn) < STILL and abs(speed) < STILL:
            self._begun = False
            self.motion.fill(0.0)
