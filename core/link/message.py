"""The base of every message: frozen structs, SI units, unknown keys refused, bounded fields.

Inbound messages (commands, heartbeats, reports of siblings) with values out of bounds or not
finite are not decoded. Outbound messages may hold NaN for a value that the core does not know.
"""

import math
from typing import Annotated, TypeAlias, TypeVar

import msgspec

Vector3: TypeAlias = tuple[float, float, float]
Name: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"\A[a-z0-9_]{1,64}\Z")]
PhraseName: TypeAlias = Annotated[
    str, msgspec.Meta(pattern=r"\A([A-Za-z0-9][A-Za-z0-9_-]{0,63})?\Z")
]
Groups: TypeAlias = Annotated[tuple[Name, ...], msgspec.Meta(max_length=16)]
CueNumber: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=32)]
PathText: TypeAlias = Annotated[str, msgspec.Meta(max_length=4096)]
Sender: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"\A[a-z0-9_-]{1,48}\Z")]
Sequence: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=2**62)]
Stamp: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=1e10)]
Speed: TypeAlias = Annotated[float, msgspec.Meta(ge=-2.0, le=2.0)]
YawRate: TypeAlias = Annotated[float, msgspec.Meta(ge=-3.0, le=3.0)]
Angle: TypeAlias = Annotated[float, msgspec.Meta(ge=-3.2, le=3.2)]
Force: TypeAlias = Annotated[float, msgspec.Meta(ge=-2000.0, le=2000.0)]
PlaybackSpeed: TypeAlias = Annotated[float, msgspec.Meta(ge=0.1, le=3.0)]
PushTime: TypeAlias = Annotated[float, msgspec.Meta(gt=0.0, le=10.0)]
Cycles: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Share: TypeAlias = Annotated[float, msgspec.Meta(ge=-1.0, le=1.0)]
Level: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
Point: TypeAlias = tuple[
    Annotated[float, msgspec.Meta(ge=-1e3, le=1e3)],
    Annotated[float, msgspec.Meta(ge=-1e3, le=1e3)],
    Annotated[float, msgspec.Meta(ge=-1e3, le=1e3)],
]
BodyCoordinate: TypeAlias = Annotated[float, msgspec.Meta(ge=-1.0, le=1.0)]
JointAngle: TypeAlias = Annotated[float, msgspec.Meta(ge=-6.3, le=6.3)]
BlendTime: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=10.0)]
LoadKg: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=5.0)]
MarkName: TypeAlias = Annotated[str, msgspec.Meta(max_length=64)]
DeviceName: TypeAlias = Annotated[str, msgspec.Meta(max_length=200)]

_Message = TypeVar("_Message", bound=msgspec.Struct)


class Inbound(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A message that the core receives: every number in it is finite."""

    def __post_init__(self) -> None:
        """Refuse NaN and infinity, which the bounds of msgspec accept.

        Raises:
            ValueError: a number is not finite.
        """
        for name in self.__struct_fields__:
            value = getattr(self, name)
            inner = value.values() if isinstance(value, dict) else value
            for number in inner if isinstance(value, dict | tuple) else (value,):
                if isinstance(number, float) and not math.isfinite(number):
                    raise ValueError(f"{name} is {number}, which is not a finite number")


class Outbound(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A message that the core or a sibling sends."""


def decoded(data: bytes, kind: type[_Message]) -> _Message | None:
    """Return a message from JSON; None if there is none, or it cannot be read."""
    try:
        return msgspec.json.decode(data, type=kind) if data else None
    except (msgspec.DecodeError, ValueError):
        return None
