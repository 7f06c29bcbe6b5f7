"""The joints of a robot as shows and behaviour know them, as plain data."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from shows.errors import ShowError
from shows.fields import HandPose, SwayDirection, SwayFrequency
from shows.gaits import GaitRange
from shows.limbs import FOLLOWING, Limb, mirrored_limbs

Floats: TypeAlias = npt.NDArray[np.float64]

FULL_SPEED_TIME_S = 0.05
"""Time from rest to the velocity limit if the table has no acceleration limit [s]."""

POSITION_SLACK_RAD = 2e-6
"""Tolerance for the rounding of saved positions at a limit [rad]."""

Reach: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]

TrimRate: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=10.0)]
BlendTime: TypeAlias = Annotated[float, msgspec.Meta(ge=0.1, le=5.0)]

_LIMITS = ("lower", "upper", "velocity_limit", "acceleration_limit", "live_acceleration")
_FLIPPED_ROLES = ("yaw", "roll", "left")
LENGTH_ROLES = ("height", "left", "forward")
"""The roles of coordinates of a body that are lengths [m]."""

_SWAY_AXES = {"left": "sideways", "forward": "forward and backward", "up": "up and down"}


class Gaze(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The joints that turn the gaze; both belong to one limb.

    Attributes:
        yaw: joint whose positive direction is to the robot's left.
        pitch: joint whose positive direction is downward.
    """

    yaw: str
    pitch: str


class BodyRange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far the body of a standing robot may go from upright, to each side.

    Attributes:
        lower: of the centre of mass, downwards [m].
        roll: to its right and left [rad].
        pitch: forward and backward [rad].
        yaw: to its left and right [rad].
    """

    lower: Reach
    roll: Reach
    pitch: Reach
    yaw: Reach


class SwayRange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far the body of a standing robot may sway or squat, to each side.

    Attributes:
        left: to its left and right [m].
        forward: forward and backward [m].
        up: up and down [m].
        frequency_hz: largest frequency [Hz].
        blend_s: time in which a sway begins, and in which it ends [s].
        trim_rate: rate at which a sway corrects what friction does to it [1/s].
    """

    left: Reach
    forward: Reach
    up: Reach
    frequency_hz: SwayFrequency
    blend_s: BlendTime = 1.0
    trim_rate: TrimRate = 0.0

    def faults(
        self, direction: SwayDirection, amplitude_m: float, frequency_hz: float
    ) -> Iterator[tuple[str, str]]:
        """Yield the name of each value of a sway that is beyond the range, and the reason."""
        most_m: float = getattr(self, direction)
        if not 0.0 < amplitude_m <= most_m:
            axis = _SWAY_AXES[direction]
            reason = f"{amplitude_m:g} m is beyond the robot's range of {most_m:g} m {axis}"
            yield "amplitude_m", reason
        if not 0.0 < frequency_hz <= self.frequency_hz:
            reason = f"{frequency_hz:g} Hz is beyond the robot's range of {self.frequency_hz:g} Hz"
            yield "frequency_hz", reason


@dataclass(frozen=True, eq=False, kw_only=True)
class JointTable:
    """Names, limbs, roles and limits of a robot's joints.

    A robot may have its body as a last limb, whose coordinates count as joints; some are lengths
    [m] (`shows.body_limb`).

    Attributes:
        robot: name of the robot.
        names: every joint, in the profile's order, and the coordinates of the body (n).
        limbs: every limb, in the profile's order.
        joint_limbs: name of each joint's limb (n).
        roles: each joint's role in its limb (n).
        lower: smallest position (n) [rad].
        upper: largest position (n) [rad].
        velocity_limit: largest speed (n) [rad/s].
        acceleration_limit: largest acceleration (n) [rad/s²]; by default the velocity limit
            reached within FULL_SPEED_TIME_S.
        live_acceleration: that of one that follows a person (n) [rad/s²]; by default the same.
        gaze: the joints that turn the gaze; None if the robot has none.
        hand_poses: poses of the robot's hands by name.
        body: range of the body over standing feet; None if the robot does not stand on feet.
        sway: range of a sway over standing feet; None if the robot does not sway.
        gaits: its runs and jumps.

    Raises:
        ShowError: the arrays do not fit the names, are not finite, or leave no range.
    """

    robot: str
    names: tuple[str, ...]
    limbs: tuple[Limb, ...]
    joint_limbs: tuple[str, ...]
    roles: tuple[str, ...]
    lower: Floats
    upper: Floats
    velocity_limit: Floats
    acceleration_limit: Floats | None = None
    live_acceleration: Floats | None = None
    gaze: Gaze | None = None
    hand_poses: Mapping[str, HandPose] = field(default_factory=dict)
    body: BodyRange | None = None
    sway: SwayRange | None = None
    gaits: GaitRange = GaitRange()

    def __post_init__(self) -> None:
        """Copy the arrays, make them read-only, and check that they fit together."""
        if self.acceleration_limit is None:
            fastest = np.asarray(self.velocity_limit, dtype=np.float64)
            object.__setattr__(self, "acceleration_limit", fastest / FULL_SPEED_TIME_S)
        if self.live_acceleration is None:
            object.__setattr__(self, "live_acceleration", self.acceleration_limit)
        count = len(self.names)
        for name in _LIMITS:
            values = np.array(getattr(self, name), dtype=np.float64)
            if values.shape != (count,) or not np.isfinite(values).all():
                raise ShowError("joint table", name, f"needs {count} finite numbers, one a joint")
            values.flags.writeable = False
            object.__setattr__(self, name, values)
        for name in ("joint_limbs", "roles"):
            if len(getattr(self, name)) != count:
                raise ShowError("joint table", name, f"needs {count} names, one a joint")
        if len(set(self.names)) != count:
            raise ShowError("joint table", "names", "a joint is listed twice")
        unknown = set(self.joint_limbs) - {limb.name for limb in self.limbs}
        if unknown:
            raise ShowError("joint table", "joint_limbs", f"unknown limb {min(unknown)!r}")
        if self.gaze is not None and not {self.gaze.yaw, self.gaze.pitch} <= set(self.names):
            raise ShowError("joint table", "gaze", "names a joint that the table does not have")
        if not (self.lower < self.upper).all() or not (self.velocity_limit > 0.0).all():
            raise ShowError("joint table", "lower, upper", "a joint has no range or no speed")

    @cached_property
    def index(self) -> dict[str, int]:
        """Joint name to its index in the arrays."""
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def joint_count(self) -> int:
        """Number of joints, without the coordinates of the body, which come last."""
        bodies = {limb.name for limb in self.limbs if limb.kind == "body"}
        return sum(limb not in bodies for limb in self.joint_limbs)

    def unit(self, joint: str) -> str:
        """Return the unit of a joint's positions: rad, or m for a length of the body."""
        i = self.index[joint]
        return "m" if i >= self.joint_count and self.roles[i] in LENGTH_ROLES else "rad"

    @cached_property
    def moved_limbs(self) -> tuple[Limb, ...]:
        """The limbs that behaviour moves: every limb that has joints and is not a leg."""
        return tuple(
            limb for limb in self.limbs if limb.kind != "leg" and limb.name in self.joint_limbs
        )

    @cached_property
    def joints_of(self) -> dict[str, tuple[str, ...]]:
        """The joints of each limb that behaviour moves, by the limb's name."""
        return {
            limb.name: tuple(
                joint
                for joint, owner in zip(self.names, self.joint_limbs, strict=True)
                if owner == limb.name
            )
            for limb in self.moved_limbs
        }

    @cached_property
    def limb_of(self) -> dict[str, str]:
        """The limb of each joint that behaviour moves; joints of legs are left out."""
        return {joint: limb for limb, joints in self.joints_of.items() for joint in joints}

    @cached_property
    def following_limbs(self) -> tuple[str, ...]:
        """The limbs that can follow a person."""
        return tuple(limb.name for limb in self.moved_limbs if limb.kind in FOLLOWING)

    @cached_property
    def role_of(self) -> dict[str, str]:
        """The role of each joint in its limb."""
        return dict(zip(self.names, self.roles, strict=True))

    @cached_property
    def mirror(self) -> dict[str, str]:
        """The joint on the other side for each joint that has one.

        A joint of a centre limb is its own mirror image. Joints of mirrored limbs that have the
        same role mirror each other. Every other joint is left out.
        """
        others = mirrored_limbs(self.limbs)
        places = zip(self.joint_limbs, self.roles, strict=True)
        at = dict(zip(places, self.names, strict=True))
        centre = {limb.name for limb in self.limbs if limb.side == "centre"}
        pairs: dict[str, str] = {}
        for joint, limb, role in zip(self.names, self.joint_limbs, self.roles, strict=True):
            other = joint if limb in centre else at.get((others.get(limb, ""), role))
            if other is not None:
                pairs[joint] = other
        return pairs

    def flips(self, joint: str) -> bool:
        """Return whether a mirror changes the sign of a joint: a centre limb's yaw or roll."""
        return self.mirror.get(joint) == joint and self.role_of[joint] in _FLIPPED_ROLES

    def angle_fault(self, joint: str, angle: float) -> str | None:
        """Return the reason why a joint cannot take an angle [rad]; None if it can."""
        i = self.index[joint]
        least, most = float(self.lower[i]), float(self.upper[i])
        if least - POSITION_SLACK_RAD <= angle <= most + POSITION_SLACK_RAD:
            return None
        unit = self.unit(joint)
        return f"{joint} at {angle:g} {unit} is outside its limits {least:.3f} to {most:.3f} {unit}"

    @property
    def acceleration(self) -> Floats:
        """The acceleration limit (n) [rad/s²], given or derived."""
        assert self.acceleration_limit is not None
        return self.acceleration_limit

    @property
    def acceleration_led(self) -> Floats:
        """The acceleration limit of joints that follow a person (n) [rad/s²], given or derived."""
        assert self.live_acceleration is not None
        return self.live_acceleration
