"""Limbs that follow a stick: the gaze and the body."""

import math
from collections.abc import Sequence

import numpy as np

from core.behave.errors import BehaveError
from core.behave.follower import calm_speed, limits_of
from core.behave.joints import UpperJoints
from core.behave.ownership import Ownership, is_given
from core.behave.pieces import JoystickPiece
from core.behave.settings import MotionSettings
from devices.interface import Floats
from shows.body_limb import KIND, ROLES


class Sticks:
    """Leads the gaze and the body by joystick.

    Args:
        joints: the robot's joints, limbs and limits.
        rest_q: rest posture in upper order (u).
        settings: of the followers, and durations of the transitions to the sticks.
        owners: of the limbs.
    """

    def __init__(
        self, joints: UpperJoints, rest_q: Floats, settings: MotionSettings, owners: Ownership
    ) -> None:
        self._joints, self._rest_q, self._settings = joints, rest_q, settings
        self._owners = owners
        self._gaze = joints.gaze
        self._body = next((i for i, limb in enumerate(joints.limbs) if limb.kind == KIND), -1)
        self._limits_gaze, self._limits_body = self._limits()

    def lead_gaze(self, now_s: float, yaw: float, pitch: float) -> bool:
        """Lead the gaze by joystick.

        Args:
            now_s: [s].
            yaw: to the robot's left [rad].
            pitch: downward [rad].

        Returns:
            False if the limb is in STOP or released, which a stream of positions does not end.

        Raises:
            BehaveError: the robot has no gaze, or an angle is not finite; nothing has changed.
        """
        gaze = self._gaze
        if gaze is None:
            raise BehaveError("gaze", "this robot has no joints that turn a gaze")
        if not (math.isfinite(yaw) and math.isfinite(pitch)):
            reason = f"yaw {yaw} and pitch {pitch} are not finite; check the stick"
            raise BehaveError("gaze", reason)
        aims = (gaze.yaw, yaw), (gaze.pitch, pitch)
        return self._steer(now_s, gaze.limb, aims, self._limits_gaze, self._settings.joystick_s)

    def release_gaze(self, now_s: float) -> None:
        """End the JOYSTICK of the gaze and go to REST; a frozen limb once it is unfrozen."""
        self._owners.advance(now_s)
        if self._gaze is not None:
            self._let_go(self._gaze.limb)

    @property
    def has_body(self) -> bool:
        """Whether the body is a limb."""
        return self._body >= 0

    def lead_body(self, now_s: float, coordinates: Sequence[float]) -> bool:
        """Lead the body by joystick.

        Args:
            now_s: [s].
            coordinates: of the body, in the order of `shows.body_limb.ROLES` [rad, m]; those
                beyond its limits lead to the limits.

        Returns:
            False if the limb is in STOP, which a stream of positions does not end.

        Raises:
            BehaveError: the body is no limb, or a coordinate is missing or not finite; nothing
                has changed.
        """
        if not self.has_body:
            raise BehaveError(KIND, "is no limb of this robot")
        if len(coordinates) != len(ROLES) or not all(map(math.isfinite, coordinates)):
            raise BehaveError(KIND, f"needs {len(ROLES)} finite coordinates; check the stick")
        aims = enumerate(coordinates, start=self._joints.columns[self._body].start)
        limits, duration_s = self._limits_body, self._settings.joystick_body_s
        return self._steer(now_s, self._body, tuple(aims), limits, duration_s)

    def release_body(self, now_s: float) -> None:
        """End the JOYSTICK of the body and go to REST; a frozen body once it is unfrozen."""
        self._owners.advance(now_s)
        if self.has_body:
            self._let_go(self._body)

    def _steer(
        self,
        now_s: float,
        limb: int,
        aims: tuple[tuple[int, float], ...],
        limits: Floats,
        duration_s: float,
    ) -> bool:
        """Let a limb follow a stick; return False if it is in STOP or released.

        Args:
            now_s: [s].
            limb: its index.
            aims: joint, by its index in upper order, and its position; clipped to its limits.
            limits: of the follower (3, m).
            duration_s: of the transition to the stick [s].
        """
        self._owners.advance(now_s)
        part = self._owners.part_of(limb)
        if part.clock.frozen or is_given(part):
            return False
        steered = self._owners.steered(limb)
        piece = steered or JoystickPiece(self._joints, limb, self._rest_q, limits)
        lower, upper = self._joints.lower, self._joints.upper
        for joint, position in aims:
            piece.aim(joint, min(max(position, float(lower[joint])), float(upper[joint])))
        if steered is None:
            self._owners.hand_over((limb,), piece, duration_s)
        return True

    def _let_go(self, limb: int) -> None:
        """End the JOYSTICK of a limb."""
        if self._owners.steered(limb) is not None:
            self._owners.end(self._owners.part_of(limb))

    def _limits(self) -> tuple[Floats, Floats]:
        """Return the limits of the followers of the gaze and of the body (3, m)."""
        joints, settings = self._joints, self._settings
        none, gaze = slice(0, 0), self._gaze
        head = none if gaze is None else joints.columns[gaze.limb]
        turns = limits_of(
            head.stop - head.start,
            settings.joystick_stiffness,
            settings.joystick_speed,
            settings.joystick_acceleration,
        )
        body = joints.columns[self._body] if self.has_body else none
        acceleration = joints.live_acceleration[body]
        stiffness = np.full_like(acceleration, settings.joystick_body_stiffness)
        speed = np.minimum(joints.velocity_limit[body], calm_speed(stiffness, acceleration))
        return turns, np.stack((stiffness, speed, acceleration))
