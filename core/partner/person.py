"""The person in front of the source: calibrated by a T-pose, then followed."""

from collections.abc import Sequence
from typing import Final

from core.link.partner import CalibrationReport, CalibrationState, Posture
from core.link.statement import Statement
from core.mimesis.features import RATE_HZ
from core.partner.calibration import HOLD_S, Calibration, calibrated
from core.partner.follower import Follower
from core.partner.listener import Build, build_of
from core.partner.robot import Robot
from core.partner.samples import Samples
from devices.interface import PoseFrame

GRACE_S: Final = 0.3
"""Time after the T-pose in which frames of it may still arrive."""
MOST_FRAMES: Final = 1000


class Person:
    """One person and the robot that follows them.

    Args:
        robot: what of it follows.

    Attributes:
        build: of the person; None before the calibration.
    """

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        self._mirror = True
        self.forget()

    def forget(self) -> None:
        """Another person may come: there is no calibration."""
        self._state: CalibrationState = "none"
        self._reason: Statement | None = None
        self._held: list[PoseFrame] = []
        self._begin_s = 0.0
        self._calibration: Calibration | None = None
        self._follower: Follower | None = None
        self._samples = Samples(RATE_HZ)
        self.build: Build | None = None

    def calibrate(self, now_s: float) -> None:
        """Take the T-pose in the next two seconds, from a time on [s]."""
        self.forget()
        self._state, self._begin_s = "holding", now_s

    def restart(self, mirror: bool) -> None:
        """Count centre of mass and feet from the next frame on.

        Args:
            mirror: the robot's left follows the person's right.
        """
        self._mirror = mirror
        if self._follower is not None:
            self._follower.restart(mirror)

    def hear(
        self, frames: Sequence[PoseFrame], number: int, now_s: float
    ) -> tuple[Posture | None, list[PoseFrame]]:
        """Take frames; return the posture that is due, and samples at 30 Hz.

        Args:
            frames: of the source, stamps ascending on the host's clock.
            number: of the order to follow.
            now_s: time [s].
        """
        if self._state == "holding":
            self._hold(frames, now_s)
            return None, []
        if self._calibration is None or self._follower is None:
            return None, []
        applied = [self._calibration.applied(frame) for frame in frames]
        samples = [sample for frame in applied for sample in self._samples.take(frame)]
        return self._follower.follow(applied, number), samples

    def report(self, now_s: float) -> CalibrationReport:
        """Return the state of the calibration."""
        calibration = self._calibration
        held_s = min(now_s - self._begin_s, HOLD_S) if self._state == "holding" else 0.0
        return CalibrationReport(
            state=self._state,
            held_s=held_s,
            scale=1.0 if calibration is None else calibration.scale,
            reason=self._reason,
        )

    @property
    def error_deg(self) -> dict[str, float]:
        """How far the robot's limbs are from the person's, by limb [deg]."""
        return {} if self._follower is None else dict(self._follower.error_deg)

    def _hold(self, frames: Sequence[PoseFrame], now_s: float) -> None:
        """Collect the T-pose, and judge it when it is over."""
        end_s = self._begin_s + HOLD_S
        held = self._held
        for frame in frames:
            if self._begin_s <= frame.stamp_s <= end_s and len(held) < MOST_FRAMES:
                held.append(frame)
        over = bool(frames) and frames[-1].stamp_s > end_s
        if not over and now_s < end_s + GRACE_S:
            return
        found = calibrated(held, self._robot.height_m)
        if isinstance(found, Statement):
            self._state, self._reason = "failed", found
        else:
            self._state, self._calibration = "done", found
            self.build = build_of(found.lengths, found.applied(held[-1]).positions)
            self._follower = Follower(self._robot, found.lengths, found.scale)
            self._follower.restart(self._mirror)
        self._held = []
