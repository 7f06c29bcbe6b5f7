"""OptiTrack NatNet's frame of mocap data as versions 3.0 to 4.0 have it, little-endian.

    7 u16 | size u16 | frame i32 | marker sets | other markers | rigid bodies | skeletons |
    labeled markers | force plates | devices | timecode u32(2) | timestamp f64 [s] |
    camera, received, sent u64(3) | parameters i16 | end i32

Each group begins with its number i32. A rigid body is id i32, p f32(3), q xyzw f32(4), error f32,
parameters i16 with bit 0 for "tracked"; a skeleton is id i32, its number of bones i32, and the
bones as rigid bodies, whose ids have the number of the skeleton in their upper 16 bits. Other
versions have sizes between the groups (4.1) or markers in the bodies (2.x) and are refused. The
stream must be y up, in global coordinates, with Motive's skeleton of 21 bones, which are numbered
from 1. Source: the PacketClient of the NatNet SDK 3.1 and 4.0.
"""

import struct
from typing import Final

import numpy as np

from devices.capture.errors import CaptureError, Refusal
from devices.capture.rotation import checked_points, quaternions, rotations
from devices.capture.skeleton import INDEX, Pose, sources_of
from devices.interface import Floats

FRAME: Final = 7
_HEAD = struct.Struct("<HH")
_NUMBER = struct.Struct("<i")
BODY = struct.Struct("<i7ffh")
_LABELED: Final = 4 + 12 + 4 + 2 + 4  # bytes of a labeled marker
SUFFIX = struct.Struct("<2Id3Qhi")
_TRACKED: Final = 1
MOST: Final = 1000
"""Most items of a group; no datagram of ours holds more."""

SKELETON: Final[tuple[str, ...]] = (
    "hips", "ab", "chest", "neck", "head",
    "left_shoulder", "left_upper_arm", "left_lower_arm", "left_hand",
    "right_shoulder", "right_upper_arm", "right_lower_arm", "right_hand",
    "left_upper_leg", "left_lower_leg", "left_foot",
    "right_upper_leg", "right_lower_leg", "right_foot",
    "left_toe", "right_toe",
)  # fmt: skip
"""Motive's bones from number 1 on, by our names where there is one."""
_SPINE: Final = (1, 2)


class _Bytes:
    """Reads a datagram from the front to the back."""

    def __init__(self, data: bytes, at: int) -> None:
        self.data, self.at = data, at

    def skip(self, size: int) -> None:
        if self.at + size > len(self.data):
            raise CaptureError(Refusal.FORM, "a frame is cut off")
        self.at += size

    def count(self) -> int:
        self.skip(_NUMBER.size)
        (number,) = _NUMBER.unpack_from(self.data, self.at - _NUMBER.size)
        if not 0 <= number <= MOST:
            raise CaptureError(Refusal.FORM, f"a group has {number} items")
        return int(number)

    def text(self) -> None:
        end = self.data.find(b"\0", self.at)
        if end < 0:
            raise CaptureError(Refusal.FORM, "a name has no end")
        self.at = end + 1

    def body(self) -> tuple[float, ...]:
        self.skip(BODY.size)
        return BODY.unpack_from(self.data, self.at - BODY.size)

    def channels(self) -> None:
        for _ in range(self.count()):
            self.skip(4)
            for _ in range(self.count()):
                self.skip(4 * self.count())


def decode(datagram: bytes) -> list[Pose]:
    """Return the posture of a frame's skeleton with the lowest id; none without a skeleton.

    Raises:
        CaptureError: it is damaged, of another version, a bone is missing or not tracked, or a
            number is impossible.
    """
    if len(datagram) < _HEAD.size:
        raise CaptureError(Refusal.FORM, "a datagram is none of NatNet's")
    message, size = _HEAD.unpack_from(datagram)
    if size != len(datagram) - _HEAD.size:
        raise CaptureError(Refusal.FORM, "a datagram's size is not what it says")
    if message != FRAME:
        return []
    at = _Bytes(datagram, _HEAD.size + 4)
    for _ in range(at.count()):
        at.text()
        at.skip(12 * at.count())
    at.skip(12 * at.count())
    for _ in range(at.count()):
        at.body()
    skeletons: dict[int, list[tuple[float, ...]]] = {}
    for _ in range(at.count()):
        at.skip(4)
        (number,) = _NUMBER.unpack_from(datagram, at.at - 4)
        skeletons[number] = [at.body() for _ in range(at.count())]
    at.skip(_LABELED * at.count())
    at.channels()
    at.channels()
    begin = at.at
    at.skip(SUFFIX.size)
    *_, end = suffix = SUFFIX.unpack_from(datagram, begin)
    if at.at != len(datagram) or end != 0:
        raise CaptureError(Refusal.FORM, "a frame does not end where it should: another version")
    if not skeletons:
        return []
    return [_pose(skeletons[min(skeletons)], suffix[2])]


def _pose(bodies: list[tuple[float, ...]], stamp_s: float) -> Pose:
    if not np.isfinite(stamp_s):
        raise CaptureError(Refusal.NUMBERS, "the time is not finite")
    rows = {int(body[0]) & 0xFFFF: body for body in bodies if int(body[-1]) & _TRACKED}
    tracked = [number for number in range(1, len(SKELETON) + 1) if number in rows]
    place = {number: at for at, number in enumerate(tracked)}
    known = {
        name: place[at + 1]
        for at, name in enumerate(SKELETON)
        if at not in _SPINE and at + 1 in place
    }
    joints = list(sources_of(known, [place[at + 1] for at in _SPINE if at + 1 in place]))
    numbers = np.array([rows[number][1:8] for number in tracked])
    points = checked_points(numbers[:, [2, 0, 1]])
    turns = rotations(numbers[:, [6, 5, 3, 4]])
    return Pose(stamp_s, points[joints], turns[joints])


def encode(number: int, stamp_s: float, positions: Floats, orientations: Floats) -> list[bytes]:
    """Return a frame with one skeleton as Motive sends it.

    Args:
        number: of the frame.
        stamp_s: time of the frame [s].
        positions: of the joints in the world (22, 3) [m].
        orientations: bone to world, from the T-pose (22, 3, 3).
    """
    places = {name: INDEX[name] for name in SKELETON if name in INDEX}
    places |= {"ab": INDEX["spine_1"], "chest": INDEX["spine_3"]}
    q = quaternions(orientations)
    bodies = b""
    for bone, name in enumerate(SKELETON, start=1):
        x, y, z = positions[places[name]].tolist()
        w, i, j, k = q[places[name]].tolist()
        bodies += BODY.pack(1 << 16 | bone, y, z, x, j, k, i, w, 0.0, _TRACKED)
    none = _NUMBER.pack(0)
    content = _NUMBER.pack(number & 0x7FFFFFFF) + none * 3
    content += struct.pack("<3i", 1, 1, len(SKELETON)) + bodies + none * 3
    content += SUFFIX.pack(0, 0, stamp_s, 0, 0, 0, 0, 0)
    return [_HEAD.pack(FRAME, len(content)) + content]
