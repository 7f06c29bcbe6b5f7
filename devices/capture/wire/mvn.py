"""Xsens MVN's network stream, positions and quaternions: datagrams of the type MXTP02, big-endian.

    "MXTP02" | sample u32 | datagram u8 | items u8 | time u32 [ms] | character u8 |
    body segments u8 | props u8 | finger segments u8 | reserved u16 | payload size u16 |
    items × ( segment u32 | p f32(3) | q wxyz f32(4) )

World and segments have z up and are right-handed, and no segment is turned in the T-pose. A
segment's position is its first joint's. Source: "MVN real-time network streaming, protocol
specification", Xsens.
"""

import struct
from typing import Final

import numpy as np

from devices.capture.errors import CaptureError, Refusal
from devices.capture.rotation import checked_points, quaternions, rotations
from devices.capture.skeleton import INDEX, Pose, sources_of
from devices.interface import Floats

HEAD = struct.Struct(">6sIBBIBBBBHH")
ITEM = struct.Struct(">I7f")
MAGIC: Final = b"MXTP02"
_FAMILY: Final = b"MXTP"
_LAST: Final = 0x80  # with the number 0: the only datagram of its frame

SEGMENTS: Final[tuple[str, ...]] = (
    "hips", "l5", "l3", "t12", "t8", "neck", "head",
    "right_shoulder", "right_upper_arm", "right_lower_arm", "right_hand",
    "left_shoulder", "left_upper_arm", "left_lower_arm", "left_hand",
    "right_upper_leg", "right_lower_leg", "right_foot", "right_toe",
    "left_upper_leg", "left_lower_leg", "left_foot", "left_toe",
)  # fmt: skip
"""The segments 1 to 23, by the bones' names where there is one."""
_SPINE: Final = (1, 2, 3, 4)
_JOINTS: Final = list(
    sources_of({name: at for at, name in enumerate(SEGMENTS) if at not in _SPINE}, _SPINE)
)
_BACK: Final = {"l5": "spine_1", "l3": "spine_2", "t8": "spine_3"}
_CENTIMETRES: Final = 5.0
"""Distance of hips and head from which lengths must be centimetres: versions differ."""


class MvnReader:
    """Reads the datagrams of one character: that of the first one that is read."""

    def __init__(self) -> None:
        self._character: int | None = None

    def feed(self, datagram: bytes) -> list[Pose]:
        """Return the posture of a datagram; none if it has another type, or another character's.

        Raises:
            CaptureError: it is damaged, a segment is missing, or a number is impossible.
        """
        if len(datagram) < HEAD.size or not datagram.startswith(_FAMILY):
            raise CaptureError(Refusal.FORM, "a datagram is none of MVN's")
        if not datagram.startswith(MAGIC):
            return []
        _, _, part, items, time_ms, character, segments, *_, size = HEAD.unpack_from(datagram)
        if size != items * ITEM.size or HEAD.size + size != len(datagram):
            raise CaptureError(Refusal.FORM, "a datagram's size is not that of its items")
        if part != _LAST:
            raise CaptureError(Refusal.FORM, "a frame is spread over several datagrams")
        if self._character not in (None, character):
            return []
        if segments < len(SEGMENTS) or items < segments:
            raise CaptureError(Refusal.BONES, f"a frame has {segments} segments")
        rows = np.array(
            [ITEM.unpack_from(datagram, HEAD.size + i * ITEM.size) for i in range(items)]
        )
        rows = rows[: len(SEGMENTS)]
        if rows[:, 0].tolist() != list(range(1, len(SEGMENTS) + 1)):
            raise CaptureError(Refusal.BONES, "the segments are not in their order")
        turns = rotations(rows[:, 4:])
        points = 100.0 * checked_points(rows[:, 1:4] / 100.0)  # possible in either unit
        span = points[SEGMENTS.index("head")] - points[0]
        if (np.abs(span) > _CENTIMETRES).any():
            points = points / 100.0
        pose = Pose(time_ms / 1000.0, checked_points(points)[_JOINTS], turns[_JOINTS])
        self._character = character
        return [pose]


def encode(number: int, stamp_s: float, positions: Floats, orientations: Floats) -> list[bytes]:
    """Return a frame as MVN sends it, in metres.

    Args:
        number: of the frame.
        stamp_s: time of the frame [s].
        positions: of the joints in the world (22, 3) [m].
        orientations: bone to world, from the T-pose (22, 3, 3).
    """
    places = {name: INDEX[name] for name in SEGMENTS if name in INDEX}
    places |= {name: INDEX[bone] for name, bone in _BACK.items()}
    q = quaternions(orientations)
    content = b""
    for segment, name in enumerate(SEGMENTS, start=1):
        if name == "t12":  # no bone of ours: halfway
            point = (positions[INDEX["spine_2"]] + positions[INDEX["spine_3"]]) / 2.0
            turn = q[INDEX["spine_2"]]
        else:
            point, turn = positions[places[name]], q[places[name]]
        content += ITEM.pack(segment, *point.tolist(), *turn.tolist())
    count, time_ms = len(SEGMENTS), round(1000.0 * stamp_s) & 0xFFFFFFFF
    counts = (_LAST, count, time_ms, 0, count, 0, 0, 0)
    return [HEAD.pack(MAGIC, number & 0xFFFFFFFF, *counts, len(content)) + content]
