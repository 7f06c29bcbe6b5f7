"""A person's frames as postures of the robot, in its sides and in its scale."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from core.link.partner import Posture
from core.link.topics import POSTURE
from core.partner.body import Body, BodyTracker
from core.partner.robot import Robot
from core.retarget.live import LiveRetarget
from core.retarget.settings import RetargetSettings
from devices.interface import Floats, PoseFrame
from shows.human import INDEX

PERIOD_S: Final = 1.0 / POSTURE.rate_hz
LONGEST_S: Final = 0.1  # time between two postures with which the joints reckon
DAMPING_S: Final = 2e-3  # a calm shoulder in the T-pose, where noise would turn it
_LEFT: Final = np.array([1.0, -1.0, 1.0])
_TURNED: Final = np.array([-1.0, 1.0, -1.0])
_HEAD: Final = INDEX["head"]


def mirrored(body: Body) -> Body:
    """Return the body in a mirror: what the person does to the left is done to the right."""
    return replace(
        body,
        com=body.com * _LEFT,
        com_velocity=body.com_velocity * _LEFT,
        com_acceleration=body.com_acceleration * _LEFT,
        trunk=body.trunk * _TURNED,
        feet=body.feet[::-1] * _LEFT,
        on=(body.on[1], body.on[0]),
    )


class Follower:
    """Follows one calibrated person.

    Args:
        robot: that follows.
        lengths: of the person's bones (22) [m].
        scale: height of the robot by that of the person.

    Attributes:
        error_deg: of the newest posture, by limb [deg].
    """

    def __init__(self, robot: Robot, lengths: Floats, scale: float) -> None:
        self._rest, self._speed, self._clearance = robot.rest, robot.speed, robot.clearance
        self._retargets = {
            mirror: LiveRetarget(
                robot.limbs, lengths, RetargetSettings(mirror=mirror, damping_s=DAMPING_S)
            )
            for mirror in (False, True)
        }
        self._body = BodyTracker(scale)
        self.restart(True)

    def restart(self, mirror: bool) -> None:
        """Count from the next frame on.

        Args:
            mirror: the robot's left follows the person's right.
        """
        self._mirror = mirror
        self._retarget = self._retargets[mirror]
        self._retarget.restart()
        self._body.restart()
        self._due_s, self._last_s = 0.0, -math.inf
        self._on, self._support = (True, True), 0
        self._reached = np.array(list(self._rest.values()))
        self.error_deg: Mapping[str, float] = {}

    def follow(self, frames: Sequence[PoseFrame], number: int) -> Posture | None:
        """Take frames, and return the posture if one is due.

        Args:
            frames: calibrated, stamps ascending on the host's clock.
            number: of the order to follow.
        """
        body = frame = None
        for new in frames:
            seen = self._body.follow(new.stamp_s, new.positions)
            if seen is not None:
                body, frame = seen, new
                if seen.on != self._on:
                    self._on, self._support = seen.on, self._support + 1
        if body is None or frame is None or frame.stamp_s < self._due_s:
            return None
        stamp_s = frame.stamp_s
        self._due_s = max(self._due_s + PERIOD_S, stamp_s)
        duration_s = min(stamp_s - self._last_s, LONGEST_S)
        first, self._last_s = self._last_s == -math.inf, stamp_s
        found = self._retarget.follow(frame.positions, frame.orientations[_HEAD], duration_s)
        solved = {**self._rest, **found}
        wanted = np.array([solved[name] for name in self._rest])
        if not first:
            # A posture that is far away is reached on a way that the clearance sees.
            way = self._speed * duration_s
            wanted = np.clip(wanted, self._reached - way, self._reached + way)
        self._reached = self._cleared(wanted, math.inf if first else duration_s)
        self.error_deg = self._retarget.errors_deg(self._named(self._reached))
        shown = mirrored(body) if self._mirror else body
        return Posture(
            number=number,
            stamp_s=stamp_s,
            joints=tuple(self._reached.tolist()),
            com=_vector(shown.com),
            com_velocity=_vector(shown.com_velocity),
            com_acceleration=_vector(shown.com_acceleration),
            trunk=_vector(shown.trunk),
            feet=tuple(_vector(foot) for foot in shown.feet),
            on=shown.on,
            support=self._support,
        )

    def _cleared(self, wanted: Floats, duration_s: float) -> Floats:
        """Return the positions nearest to those wanted that keep the clearance (u) [rad]."""
        if self._clearance is None:
            return wanted
        reached = self._clearance.step(self._reached, wanted, duration_s)
        if reached is not wanted:
            self._retarget.hold(self._named(reached))
        return reached

    def _named(self, positions: Floats) -> dict[str, float]:
        """Return positions in upper order by joint [rad]."""
        return dict(zip(self._rest, positions.tolist(), strict=True))


def _vector(values: Floats) -> tuple[float, float, float]:
    x, y, z = values.tolist()
    return x, y, z
