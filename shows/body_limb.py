"""The body of a standing robot as a limb: coordinates from its standing posture, as joints."""

from dataclasses import replace
from typing import Annotated, Literal, TypeAlias

import msgspec
import numpy as np
from msgspec import Meta

from shows.joints import LENGTH_ROLES, JointTable
from shows.limbs import Limb

BodyRole: TypeAlias = Literal["roll", "pitch", "yaw", "height", "left", "forward"]
ROLES: tuple[BodyRole, ...] = ("roll", "pitch", "yaw", "height", "left", "forward")
KIND = "body"
COORDINATES = tuple(f"{KIND}_{role}" for role in ROLES)
"""The names of the coordinates, the same for every robot."""
LENGTHS = tuple(f"{KIND}_{role}" for role in LENGTH_ROLES)
"""The names of those that are lengths [m]."""

SHIFT = (f"{KIND}_forward", f"{KIND}_left")
"""The names of the shift of the centre of mass over the feet."""

Reach: TypeAlias = Annotated[float, Meta(gt=0.0, le=1.0)]
Rate: TypeAlias = Annotated[float, Meta(gt=0.0, le=10.0)]
Share: TypeAlias = Annotated[float, Meta(ge=0.0, le=1.0)]


class Coordinate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The limits of a coordinate of the body, in rad or m and seconds.

    Attributes:
        lower: farthest below the standing posture, as a distance.
        upper: farthest above it.
        speed: largest speed.
        acceleration: largest acceleration.
        walking: share of it that stays while the robot steps.
        live: farthest to both sides to which a person who is followed may lead a shift of the
            centre of mass, where that is farther; the support of the feet bounds that motion.
    """

    lower: Reach
    upper: Reach
    speed: Rate
    acceleration: Annotated[float, Meta(gt=0.0, le=100.0)]
    walking: Share = 0.0
    live: Share = 0.0


class BodyLimb(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The body of a standing robot as a limb.

    Attributes:
        title: label that an operator reads.
        roll: of the torso, to its right [rad].
        pitch: of the torso, forward [rad].
        yaw: of the torso, to its left [rad].
        height: of the centre of mass, or of the base if the robot holds that one, upward [m].
        left: shift of the centre of mass over the feet [m].
        forward: shift of the centre of mass over the feet [m].
        trim_rate: rate at which an offset of the centre of mass that friction leaves is removed
            [1/s].
    """

    title: Annotated[str, Meta(min_length=1, max_length=24)] = "Body"
    roll: Coordinate
    pitch: Coordinate
    yaw: Coordinate
    height: Coordinate
    left: Coordinate
    forward: Coordinate
    trim_rate: Annotated[float, Meta(ge=0.0, le=10.0)] = 0.0

    def __post_init__(self) -> None:
        """Refuse what no person leads.

        Raises:
            ValueError: a coordinate besides the shift has a reach of its own for a person.
        """
        for role in ROLES[: -len(SHIFT)]:
            if getattr(self, role).live > 0.0:
                reason = "a person leads it no farther than clips do; remove live"
                raise ValueError(f"{role}: {reason}")

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """The coordinates, in the order of `ROLES`."""
        return tuple(getattr(self, role) for role in ROLES)


def live_reaches(body: BodyLimb | None) -> dict[str, float]:
    """Return how far a person who is followed may lead each coordinate, where that is farther."""
    rows = () if body is None else zip(COORDINATES, body.coordinates, strict=True)
    return {name: row.live for name, row in rows if row.live > 0.0}


def with_body(table: JointTable, body: BodyLimb | None) -> JointTable:
    """Return a table with the coordinates of the body after the joints; None adds none."""
    if body is None:
        return table
    limb = Limb(name=KIND, title=body.title, kind="body")
    rows = body.coordinates
    more = len(rows)
    return replace(
        table,
        names=(*table.names, *COORDINATES),
        limbs=(*(one for one in table.limbs if one.kind != KIND), limb),
        joint_limbs=(*table.joint_limbs, *(KIND,) * more),
        roles=(*table.roles, *ROLES),
        lower=np.append(table.lower, [-row.lower for row in rows]),
        upper=np.append(table.upper, [row.upper for row in rows]),
        velocity_limit=np.append(table.velocity_limit, [row.speed for row in rows]),
        acceleration_limit=np.append(table.acceleration, [row.acceleration for row in rows]),
        live_acceleration=np.append(table.acceleration_led, [row.acceleration for row in rows]),
    )


def without_body(table: JointTable) -> JointTable:
    """Return a table of the joints alone."""
    count = table.joint_count
    if count == len(table.names):
        return table
    return replace(
        table,
        names=table.names[:count],
        limbs=tuple(limb for limb in table.limbs if limb.kind != KIND),
        joint_limbs=table.joint_limbs[:count],
        roles=table.roles[:count],
        lower=table.lower[:count],
        upper=table.upper[:count],
        velocity_limit=table.velocity_limit[:count],
        acceleration_limit=table.acceleration[:count],
        live_acceleration=table.acceleration_led[:count],
    )
