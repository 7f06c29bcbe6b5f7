"""Messages that Foxglove displays without configuration, as JSON with their schemas.

Foxglove recognises a channel by the name of its schema.
"""

import json
import math
from collections.abc import Sequence
from typing import Any

import msgspec

from core.link.event import Event
from core.link.wording import text

_TIME = {
    "type": "object",
    "title": "time",
    "properties": {"sec": {"type": "integer"}, "nsec": {"type": "integer"}},
}
_NUMBER = {"type": "number"}
_TEXT = {"type": "string"}
_LEVELS = {"info": 2, "warning": 3, "error": 4}
_encode = msgspec.json.Encoder().encode


def _object(title: str, **properties: Any) -> dict[str, Any]:
    return {"title": title, "type": "object", "properties": properties}


_VECTOR = _object("foxglove.Vector3", x=_NUMBER, y=_NUMBER, z=_NUMBER)
_QUATERNION = _object("foxglove.Quaternion", x=_NUMBER, y=_NUMBER, z=_NUMBER, w=_NUMBER)
_POSE = _object("foxglove.Pose", position=_VECTOR, orientation=_QUATERNION)
_JOINT = _object(
    "foxglove.JointState", name=_TEXT, position=_NUMBER, velocity=_NUMBER, effort=_NUMBER
)

POSE = "foxglove.PoseInFrame"
JOINTS = "foxglove.JointStates"
LOG = "foxglove.Log"

SCHEMAS: dict[str, bytes] = {
    name: json.dumps(_object(name, timestamp=_TIME, **properties)).encode()
    for name, properties in {
        POSE: {"frame_id": _TEXT, "pose": _POSE},
        JOINTS: {"joints": {"type": "array", "items": _JOINT}},
        LOG: {
            "level": {"type": "integer"},
            "message": _TEXT,
            "name": _TEXT,
            "file": _TEXT,
            "line": {"type": "integer"},
        },
    }.items()
}


def nanoseconds(stamp_s: float) -> int:
    """Return a time for MCAP: an integer, not negative [ns]."""
    return max(0, round(stamp_s * 1e9)) if math.isfinite(stamp_s) else 0


def _time(stamp_s: float) -> dict[str, int]:
    sec, nsec = divmod(nanoseconds(stamp_s), 1_000_000_000)
    return {"sec": sec, "nsec": nsec}


def pose(stamp_s: float, position: Sequence[float], rpy: Sequence[float]) -> bytes:
    """Return the torso's pose in the world frame from position [m] and roll, pitch, yaw [rad]."""
    cr, cp, cy = (math.cos(0.5 * angle) for angle in rpy)
    sr, sp, sy = (math.sin(0.5 * angle) for angle in rpy)
    x, y, z = position
    return _encode(
        {
            "timestamp": _time(stamp_s),
            "frame_id": "world",
            "pose": {
                "position": {"x": x, "y": y, "z": z},
                "orientation": {
                    "x": sr * cp * cy - cr * sp * sy,
                    "y": cr * sp * cy + sr * cp * sy,
                    "z": cr * cp * sy - sr * sp * cy,
                    "w": cr * cp * cy + sr * sp * sy,
                },
            },
        }
    )


def joints(
    stamp_s: float,
    names: Sequence[str],
    q: Sequence[float],
    dq: Sequence[float],
    tau: Sequence[float],
) -> bytes:
    """Return joint positions [rad], velocities [rad/s] and torques [N·m]."""
    return _encode(
        {
            "timestamp": _time(stamp_s),
            "joints": [
                {"name": n, "position": p, "velocity": v, "effort": t}
                for n, p, v, t in zip(names, q, dq, tau, strict=True)
            ],
        }
    )


def log(stamp_s: float, event: Event) -> bytes:
    """Return an event as a line of Foxglove's log panel."""
    return _encode(
        {
            "timestamp": _time(stamp_s),
            "level": _LEVELS[event.severity],
            "message": text(event),
            "name": event.actor,
            "file": "",
            "line": 0,
        }
    )
