"""The BVH file format: a tree of joints, and the values of their channels in every frame."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

import numpy as np

from shows.errors import ShowError
from shows.fields import MAX_MOTION_S
from shows.joints import Floats

MAX_BVH_BYTES: Final = 64 * 2**20
MAX_FRAMES: Final = 200_000
MAX_JOINTS: Final = 512
MAX_DEPTH: Final = 64
MAX_NUMBER: Final = 1e7
"""Largest size of a length or an angle, in the units of the file."""
_MAX_LINES: Final = MAX_FRAMES + 100_000
_MAX_HEADER_LINE: Final = 4096  # bytes
_MAX_NUMBER_BYTES: Final = 64

Axis: TypeAlias = Literal[0, 1, 2]
_AXES: Final[dict[str, Axis]] = {"x": 0, "y": 1, "z": 2}
_KINDS: Final = ("position", "rotation")
_PIECES = re.compile(r"[{}]|[^{}]+")


@dataclass(frozen=True)
class Channel:
    """One column of the frames.

    Attributes:
        kind: position [the file's unit] or rotation [deg].
        axis: 0, 1 or 2 for x, y or z.
    """

    kind: Literal["position", "rotation"]
    axis: Axis


@dataclass(frozen=True)
class BvhJoint:
    """One joint, or the end of a bone, which has no channels.

    Attributes:
        name: as in the file; the joint's name and " end" for an end.
        parent: index of the joint that it hangs on; -1 for the root.
        offset: its position in the parent's frame [the file's unit].
        channels: in the order of the file. Rotations are about the joint's own axes, one after
            the other in this order; a position takes the place of the same coordinate of `offset`.
        first: column of its first channel in a frame.
    """

    name: str
    parent: int
    offset: tuple[float, float, float]
    channels: tuple[Channel, ...] = ()
    first: int = 0


@dataclass(frozen=True, eq=False)
class Bvh:
    """A BVH file.

    Attributes:
        joints: each after its parent, ends included.
        frame_s: time from frame to frame [s].
        frames: the values of the channels (k, c), read-only.
    """

    joints: tuple[BvhJoint, ...]
    frame_s: float
    frames: Floats = field(repr=False)


def decode_bvh(data: bytes, label: str) -> Bvh:
    """Return a BVH file's joints and frames.

    Every frame stands on one line of its own. A file with fewer or more frames than it announces,
    or whose last frame is cut off, is refused.

    Args:
        data: the file.
        label: the file's name in errors.

    Raises:
        ShowError: not a BVH file, damaged, or beyond a limit; with the line.
    """
    if len(data) > MAX_BVH_BYTES:
        reason = f"is larger than {MAX_BVH_BYTES / 2**20:.0f} MiB"
        raise ShowError(label, "", reason, "split or shorten it")
    if data.count(b"\n") + data.count(b"\r") > 2 * _MAX_LINES:
        raise ShowError(label, "", f"has more than {_MAX_LINES} lines", "split or shorten it")
    reader = _Reader(data.removeprefix(b"\xef\xbb\xbf").splitlines(), label)
    joints = reader.hierarchy()
    frame_s, frames = reader.motion(sum(len(joint.channels) for joint in joints))
    frames.flags.writeable = False
    return Bvh(joints, frame_s, frames)


def encode_bvh(bvh: Bvh) -> bytes:
    """Return a BVH file's text, lengths and angles to the millionth of their unit.

    The file has the joints branch by branch, and the columns of the frames in this order.
    """
    columns: list[int] = []
    children: dict[int, list[int]] = {}
    for index, joint in enumerate(bvh.joints):
        children.setdefault(joint.parent, []).append(index)
    lines = ["HIERARCHY"]

    def write(index: int, depth: int) -> None:
        joint, indent = bvh.joints[index], "\t" * depth
        columns.extend(range(joint.first, joint.first + len(joint.channels)))
        end = not joint.channels and index not in children
        kind = "ROOT" if joint.parent < 0 else "JOINT"
        lines.append(f"{indent}End Site" if end else f"{indent}{kind} {joint.name}")
        lines.append(indent + "{")
        lines.append(f"{indent}\tOFFSET " + " ".join(f"{value:.6f}" for value in joint.offset))
        if not end:
            words = [f"{'XYZ'[channel.axis]}{channel.kind}" for channel in joint.channels]
            lines.append(f"{indent}\tCHANNELS {len(words)} {' '.join(words)}".rstrip())
        for child in children.get(index, ()):
            write(child, depth + 1)
        lines.append(indent + "}")

    write(0, 0)
    lines += ["MOTION", f"Frames: {len(bvh.frames)}", f"Frame Time: {bvh.frame_s:.9f}"]
    row = " ".join(["%.6f"] * len(columns))
    lines += [row % tuple(values) for values in bvh.frames[:, columns].tolist()]
    return ("\n".join(lines) + "\n").encode()


class _Reader:
    """Reads the lines of one file from the first to the last."""

    def __init__(self, lines: list[bytes], label: str) -> None:
        self._lines, self._label, self._next = lines, label, 0
        self._columns = 0

    def hierarchy(self) -> tuple[BvhJoint, ...]:
        """Return the joints; the next line is then the first after MOTION."""
        joints: list[BvhJoint] = []
        stack: list[int] = []
        given: list[set[str]] = []  # of each joint: what its block has so far
        opened = True  # the last joint's block has begun
        words: list[str] = []
        for words in self._statements():
            key = words[0].casefold()
            if key == "hierarchy" and not joints:
                continue
            if key == "motion":
                break
            if key == "{" and not opened:
                stack.append(len(joints) - 1)
                opened = True
                if len(stack) > MAX_DEPTH:
                    raise self._fault(
                        f"the joints are nested deeper than {MAX_DEPTH}", "simplify the skeleton"
                    )
            elif not opened:
                raise self._fault(f"{{ is missing after {joints[-1].name!r}", "add it")
            elif key == "}" and stack:
                if "offset" not in given[stack[-1]]:
                    raise self._fault(f"{joints[stack[-1]].name!r} has no OFFSET", "add it")
                stack.pop()
            elif key in ("root", "joint", "end"):
                joints.append(self._joint(key, words, joints, stack))
                given.append({key})
                opened = False
            elif key in ("offset", "channels") and stack and key not in given[stack[-1]]:
                index = stack[-1]
                given[index].add(key)
                joints[index] = self._property(key, words, joints[index], given[index])
            else:
                raise self._fault(
                    f"{' '.join(words)[:60]!r} is not expected here", "export the file again"
                )
        if not words or words[0].casefold() != "motion":
            raise self._fault("the file has no MOTION part", "export the file again")
        if not joints or stack or not opened:
            what = "a joint's } is missing" if joints else "the file has no ROOT"
            raise self._fault(f"{what} before MOTION", "export the file again")
        return tuple(joints)

    def motion(self, columns: int) -> tuple[float, Floats]:
        """Return the time between frames [s] and the frames (k, columns)."""
        count = self._header("frames:", "Frames")
        if count % 1.0 or not 2 <= count <= MAX_FRAMES:
            raise self._fault(
                f"has {count:g} frames, not 2 to {MAX_FRAMES}", "export the take in parts"
            )
        frame_s = self._header("frame time:", "Frame Time")
        if not 1e-4 <= frame_s <= 10.0:
            raise self._fault(
                f"a frame time of {frame_s:g} s is not within 0.0001 to 10 s", "correct it"
            )
        if (count - 2) * frame_s > MAX_MOTION_S:  # one frame more, as frame times are rounded
            raise self._fault(
                f"{count:g} frames of {frame_s:g} s last {count * frame_s:.0f} s, more than "
                f"{MAX_MOTION_S:.0f} s",
                "export the take in parts",
            )
        if columns == 0:
            raise self._fault("no joint has channels", "export a moving skeleton")
        rows: list[Floats] = []
        for line in self._filled():
            if len(rows) == count:
                raise self._fault(
                    f"is one frame more than the {count:g} announced", "correct Frames"
                )
            rows.append(self._row(line, columns, f"frame {len(rows) + 1}"))
        if len(rows) < count:
            raise self._fault(
                f"the file ends after {len(rows)} of {count:g} frames", "export it again"
            )
        return frame_s, np.stack(rows)

    def _header(self, key: str, title: str) -> float:
        """Return the number of a line such as `Frames: 12`."""
        line = next(self._filled(), b"")
        text = " ".join(line[:_MAX_HEADER_LINE].decode("utf-8", "replace").split())
        if not text.casefold().startswith(key):
            raise self._fault(f"{title}: is missing after MOTION", "export the file again")
        return float(self._row(text[len(key) :].encode("ascii", "replace"), 1, title)[0])

    def _row(self, text: bytes, columns: int, what: str) -> Floats:
        """Return the numbers of a line."""
        if len(text) > _MAX_HEADER_LINE + _MAX_NUMBER_BYTES * columns:
            reason = f"{what} is {len(text)} bytes long, too long for {columns} numbers"
            raise self._fault(reason, "the line is damaged: export the file again")
        try:
            values = np.fromstring(text, dtype=np.float64, sep=" ")
        except ValueError as error:
            word = next((word for word in text.split() if not _is_number(word)), b"")
            shown = word[:40].decode("utf-8", "replace")
            hint = "write decimals with a point" if b"," in word else "export the file again"
            raise self._fault(f"{what}: {shown!r} is not a number", hint) from error
        if values.size != columns:
            reason = f"{what} has {values.size} numbers, not {columns}"
            raise self._fault(reason, "the line is cut off or damaged: export the file again")
        if not (np.abs(values) <= MAX_NUMBER).all():
            reason = f"{what} has a number that is not within {MAX_NUMBER:g}"
            raise self._fault(reason, "export the file again")
        row: Floats = values
        return row

    def _joint(
        self, key: str, words: list[str], joints: list[BvhJoint], stack: list[int]
    ) -> BvhJoint:
        """Return a new joint without its properties."""
        if (key == "root") == bool(joints) or (key != "root" and not stack):
            reason = "a second ROOT begins" if key == "root" else f"{words[0]} stands outside ROOT"
            raise self._fault(reason, "export one skeleton a file")
        if len(joints) >= 2 * MAX_JOINTS or (
            key == "joint" and sum(bool(joint.channels) for joint in joints) >= MAX_JOINTS
        ):
            raise self._fault(f"has more than {MAX_JOINTS} joints", "export the body only")
        parent = stack[-1] if stack else -1
        if key == "end":
            return BvhJoint(f"{joints[parent].name} end", parent, (0.0, 0.0, 0.0))
        if len(words) < 2:
            raise self._fault(f"{words[0]} has no name", "add it")
        return BvhJoint(" ".join(words[1:])[:200], parent, (0.0, 0.0, 0.0))

    def _property(self, key: str, words: list[str], joint: BvhJoint, given: set[str]) -> BvhJoint:
        """Return a joint with the offset or the channels of a line."""
        if key == "offset":
            x, y, z = self._row(" ".join(words[1:]).encode(), 3, f"OFFSET of {joint.name!r}")
            offset = (float(x), float(y), float(z))
            return BvhJoint(joint.name, joint.parent, offset, joint.channels, joint.first)
        if "end" in given:
            raise self._fault("an End Site has CHANNELS", "export the file again")
        channels = tuple(self._channel(word, joint.name) for word in words[2:])
        if words[1:2] != [str(len(channels))] or len(set(channels)) != len(channels):
            reason = f"CHANNELS of {joint.name!r} are not as many different ones as it says"
            raise self._fault(reason, "export the file again")
        self._columns += len(channels)
        first = self._columns - len(channels)
        return BvhJoint(joint.name, joint.parent, joint.offset, channels, first)

    def _channel(self, word: str, joint: str) -> Channel:
        axis, kind = _AXES.get(word[:1].casefold()), word[1:].casefold()
        if axis is None or kind not in _KINDS:
            reason = f"{joint!r} has the channel {word[:40]!r}"
            raise self._fault(reason, "use positions and rotations about X, Y and Z only")
        return Channel("position" if kind == "position" else "rotation", axis)

    def _statements(self) -> Iterator[list[str]]:
        """Yield the words of each statement; a brace is one, and may share its line."""
        for line in self._filled():
            if len(line) > _MAX_HEADER_LINE:
                raise self._fault("is too long for a line before the frames", "is this a BVH file?")
            text = line.decode("utf-8", "replace")
            for piece in _PIECES.findall(text):
                words = piece.split()
                if words:
                    yield words
                    if words[0].casefold() == "motion":
                        return

    def _filled(self) -> Iterator[bytes]:
        """Yield each further line that is not blank."""
        while self._next < len(self._lines):
            line = self._lines[self._next]
            self._next += 1
            if line and not line.isspace():
                yield line

    def _fault(self, reason: str, advice: str) -> ShowError:
        return ShowError(self._label, f"line {max(self._next, 1)}", reason, advice)


def _is_number(word: bytes) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return b"_" not in word
