"""What the postures of a person ask of the robot's joints and of its body."""

from collections import deque

import numpy as np

from core.behave.joints import UpperJoints
from core.link.partner import Posture
from devices.interface import Floats
from shows.body_limb import COORDINATES

FASTEST_RAD_S = 6.0  # of a person's joint, as its postures tell
POSTURES = 4  # that tell a rate together
_BEHIND_S = 0.1  # between two postures, from which on they tell no rate
_USED = 0.9  # of the body's range


class PostureGoal:
    """Follows the postures of one person, from the first one on.

    A rate is that of a straight line through the newest postures: the difference of two of them
    would turn 2 mm of noise into 0.4 rad/s, which shakes the arms. A person bends farther than a
    robot: a coordinate x of the trunk becomes r tanh(x / r) with the robot's range r, so that the
    body never runs into its limit.

    Args:
        joints: the joints of the upper body, and the body's coordinates.

    Attributes:
        first: posture from which the body counts; None before it.
        position: of the newest posture, in upper order (u).
        rate: at which it changes (u).
    """

    def __init__(self, joints: UpperJoints) -> None:
        self._own = joints.joint_count
        places = [(role, joints.index.get(name, -1)) for role, name in enumerate(COORDINATES)]
        self._body = [(role, place) for role, place in places[:4] if place >= 0]
        self._range = _USED * np.stack((-joints.lower, joints.upper))
        self.first: Posture | None = None
        self.position = np.zeros(len(joints))
        self.rate = np.zeros(len(joints))
        self._newest: deque[tuple[float, Floats]] = deque(maxlen=POSTURES)

    def forget(self) -> None:
        """Wait for a first posture."""
        self.first = None

    def begin(self, stamp_s: float, posture: Posture) -> None:
        """Count from a posture at a time [s]."""
        self.first = posture
        self._newest.clear()
        self.hear(stamp_s, posture)

    def hear(self, stamp_s: float, posture: Posture) -> None:
        """Take a posture at a time [s]."""
        first, position = self.first, self.position
        assert first is not None, "a posture has come before this one"
        told = min(self._own, len(posture.joints))
        position[:told] = posture.joints[:told]
        turned = [a - b for a, b in zip(posture.trunk, first.trunk, strict=True)]
        wanted = (*turned, posture.com[2] - first.com[2])
        for role, place in self._body:
            reach = float(self._range[int(wanted[role] > 0.0), place])
            position[place] = reach * np.tanh(wanted[role] / reach)
        if self._newest and stamp_s - self._newest[-1][0] >= _BEHIND_S:
            self._newest.clear()
        self._newest.append((stamp_s, position.copy()))
        self._find_rate()

    def _find_rate(self) -> None:
        """Fit a line to the newest postures."""
        times = np.array([time_s for time_s, _ in self._newest])
        times -= times.mean()
        spread = float(times @ times)
        if spread == 0.0:
            self.rate[:] = 0.0
            return
        slope = times @ np.array([position for _, position in self._newest]) / spread
        np.clip(slope, -FASTEST_RAD_S, FASTEST_RAD_S, out=self.rate)
