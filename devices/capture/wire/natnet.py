"""OptiTrack NatNet's frame of mocap data, versions 3.0 to 4.2, little-endian.

    7 u16 | size u16 | frame i32 | marker sets | other markers | rigid bodies | skeletons |
    assets (from 4.1 on) | labeled markers | force plates | devices | timecode u32(2) |
    timestamp f64 [s] | camera, received, sent u64(3) | precise time u32(2) (from 4.1 on) |
    parameters i16 | end i32

Each group begins with its number i32, from 4.1 on with its size i32, too. A rigid body is id i32,
p f32(3), q xyzw f32(4), error f32, parameters i16 with bit 0 for "tracked"; a skeleton is id i32,
its number of bones i32, and the bones as rigid bodies, whose ids have the number of the skeleton in
their upper 16 bits. A frame does not tell its version, but ends where it should only if it is read
as the right one. The stream must be y up, in global coordinates, with Motive's skeleton of 21
bones, which are numbered from 1. Source: the PacketClient of the NatNet SDK 3.1, 4.0 and 4.2.
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
_POINT: Final = 12  # bytes of a marker's place
_MARKER: Final = 4 + _POINT + 4 + 2 + 4  # bytes of a labeled marker
SUFFIX = struct.Struct("<2Id3Qhi")
SIZED_SUFFIX = struct.Struct("<2Id3Q2Ihi")
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

    def number(self) -> int:
        self.skip(_NUMBER.size)
        (number,) = _NUMBER.unpack_from(self.data, self.at - _NUMBER.size)
        return int(number)

    def count(self) -> int:
        number = self.number()
        if not 0 <= number <= MOST:
            raise CaptureError(Refusal.FORM, f"a group has {number} items")
        return number

    def text(self) -> None:
        end = self.data.find(b"\0", self.at)
        if end < 0:
            raise CaptureError(Refusal.FORM, "a name has no end")
        self.at = end + 1

    def body(self) -> tuple[float, ...]:
        self.skip(BODY.size)
        return BODY.unpack_from(self.data, self.at - BODY.size)


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
    try:
        return _frame(datagram, sized=False)
    except CaptureError as error:
        if error.reason is not Refusal.FORM:
            raise
    return _frame(datagram, sized=True)


def _frame(datagram: bytes, sized: bool) -> list[Pose]:
    """Return the posture of a frame.

    Args:
        datagram: of a frame.
        sized: its groups have sizes: version 4.1 and later.
    """
    at = _Bytes(datagram, _HEAD.size + 4)

    def group() -> range:
        count = at.count()
        at.skip(_NUMBER.size * sized)
        return range(count)

    for _ in group():
        at.text()
        at.skip(_POINT * at.count())
    at.skip(_POINT * len(group()))
    at.skip(BODY.size * len(group()))
    skeletons: dict[int, list[tuple[float, ...]]] = {}
    for _ in group():
        number = at.number()
        skeletons[number] = [at.body() for _ in range(at.count())]
    for _ in group() if sized else ():
        at.skip(4)
        at.skip(BODY.size * at.count())
        at.skip(_MARKER * at.count())
    at.skip(_MARKER * len(group()))
    for _ in range(2):  # force plates, and other devices
        for _ in group():
            at.skip(4)
            for _ in range(at.count()):
                at.skip(4 * at.count())
    suffix = SIZED_SUFFIX if sized else SUFFIX
    at.skip(suffix.size)
    _, _, stamp_s, *_, end = suffix.unpack_from(datagram, at.at - suffix.size)
    if at.at != len(datagram) or end != 0:
        raise CaptureError(Refusal.FORM, "a frame does not end where it should: another version")
    if not skeletons:
        return []
    return [_pose(skeletons[min(skeletons)], stamp_s)]


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
    """Return a frame with one skeleton as Motive sends it, version 3.0 to 4.0.

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
