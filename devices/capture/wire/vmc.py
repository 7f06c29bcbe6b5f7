"""The VMC protocol: the bones of an avatar as OSC messages, by the names of Unity's humanoid.

    /VMC/Ext/OK loaded                      /VMC/Ext/T seconds
    /VMC/Ext/Root/Pos name p(3) q(xyzw)     /VMC/Ext/Bone/Pos name p(3) q(xyzw)

A bone is told against its parent, in Unity's axes: x right, y up, z forward, left-handed. A frame
is spread over messages and datagrams, and nothing marks its end. Source: "VMC Protocol
specification", protocol.vmc.info.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np

from devices.capture.errors import CaptureError, Refusal
from devices.capture.rotation import checked_points, quaternions, rotations
from devices.capture.skeleton import BONES, INDEX, PARENTS, SIDES, Pose, sources_of
from devices.capture.source_clock import RESTART_S
from devices.capture.wire.osc import Message, bundle
from devices.interface import Floats

OK, TIME, ROOT, BONE = "/VMC/Ext/OK", "/VMC/Ext/T", "/VMC/Ext/Root/Pos", "/VMC/Ext/Bone/Pos"
FRESH_S: Final = 0.1
"""Age up to which a bone whose message was lost stands as it was."""
FORGET_S: Final = 1.0
"""Silence after which a bone is no longer of the avatar."""
_UNIT: Final = 1400
"""Size up to which messages share a datagram: it is then not split on its way [bytes]."""

Row: TypeAlias = tuple[float, ...]
"""Position and quaternion xyzw in Unity's axes (7)."""


def _names() -> dict[str, str]:
    """Return Unity's name of each bone, each after its parent."""
    trunk = ("Hips", "Spine", "Chest", "UpperChest", "Neck", "Head")
    parts = {
        "shoulder": "Shoulder",
        "upper_arm": "UpperArm",
        "lower_arm": "LowerArm",
        "hand": "Hand",
        "upper_leg": "UpperLeg",
        "lower_leg": "LowerLeg",
        "foot": "Foot",
        "toe": "Toes",
    }
    sided = {f"{s}_{part}": s.capitalize() + name for s in SIDES for part, name in parts.items()}
    return {bone: sided.get(bone) or trunk[INDEX[bone]] for bone in BONES}


NAME_OF: Final = _names()
_PLACE: Final = {name: place for place, name in enumerate(NAME_OF.values())}
_COUNT: Final = len(_PLACE)
_SPINE: Final = tuple(_PLACE[name] for name in ("Spine", "Chest", "UpperChest"))


class VmcReader:
    """Collects the messages of a sender, and gives its frames."""

    def __init__(self) -> None:
        self._rows: list[Row] = [(0.0,) * 7] * _COUNT
        self._root: Row = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
        self._heard_s = [-np.inf] * _COUNT
        self._seen: set[int] = set()  # in the frame that is being collected
        self._whole: frozenset[int] = frozenset()  # what a frame of this sender has
        self._told_s: float | None = None  # time of that frame
        self._newest_s = -np.inf
        self._timed = False  # the frame before had a time
        self._loaded = True
        self._avatar: tuple[int, ...] | None = None
        self._joints: tuple[int, ...] = ()

    def feed(self, messages: Sequence[Message], arrival_s: float) -> list[Pose]:
        """Return the frames that are complete with some messages.

        A frame is complete when it has every bone that the frames before had, or when a bone or
        the time is told again. A bone whose message was lost is as it was, for 0.1 s. A frame whose
        time was lost is left out.

        Args:
            messages: of one datagram.
            arrival_s: its arrival [s].

        Raises:
            CaptureError: a message is none of the protocol, a number is impossible, a bone is
                missing for longer, or later messages arrived before these.
        """
        told = [(message, _told(message)) for message in messages]
        for message, row in told:
            if message.address == TIME:
                if self._newest_s - RESTART_S <= row[0] < self._newest_s:
                    raise CaptureError(Refusal.LATE, "a later time was told before")
                self._newest_s = row[0]
        found = []
        for message, row in told:
            if message.address == TIME:
                if self._seen:  # a bone of the frame before was lost
                    found += self._close(arrival_s)
                self._told_s = row[0]
            elif message.address == OK:
                self._loaded = row[0] != 0.0
            elif message.address == ROOT:
                self._root = row
            elif message.address == BONE:
                place = _PLACE.get(str(message.arguments[0]))
                if place is None:
                    continue  # a finger, or an eye
                if place in self._seen:
                    found += self._close(arrival_s)
                self._rows[place], self._heard_s[place] = row, arrival_s
                self._seen.add(place)
                if self._whole and self._seen >= self._whole:
                    found += self._close(arrival_s)
        return found

    def _close(self, now_s: float) -> list[Pose]:
        """End the frame and return it; none if its time was lost, or the sender has no avatar."""
        self._seen.clear()
        stamp_s, self._told_s = self._told_s, None
        lost, self._timed = self._timed and stamp_s is None, stamp_s is not None
        if lost or not self._loaded:
            return []
        ages = [now_s - heard_s for heard_s in self._heard_s]
        avatar = tuple(place for place, age in enumerate(ages) if age < FORGET_S)
        self._whole = frozenset(avatar)
        if any(ages[place] > FRESH_S for place in avatar):
            raise CaptureError(Refusal.BONES, "a bone is not told any more")
        if avatar != self._avatar:
            known = {bone: at for at, bone in enumerate(BONES) if at in avatar and at not in _SPINE}
            spine = [place for place in _SPINE if place in avatar]
            self._joints, self._avatar = sources_of(known, spine), avatar
        return [self._pose(stamp_s, avatar)]

    def _pose(self, stamp_s: float | None, avatar: tuple[int, ...]) -> Pose:
        """Return the posture by the places of an avatar's bones against their parents."""
        rows = np.array([self._root, *(self._rows[place] for place in avatar)])
        local = checked_points(rows[:, [2, 0, 1]] * [1.0, -1.0, 1.0])
        turns = rotations(rows[:, [6, 5, 3, 4]] * [1.0, -1.0, 1.0, -1.0])
        points, axes = np.zeros((_COUNT + 1, 3)), np.zeros((_COUNT + 1, 3, 3))
        points[_COUNT], axes[_COUNT] = local[0], turns[0]  # the root stands above the hips
        for at, place in enumerate(avatar, start=1):
            above = PARENTS[place]
            while above >= 0 and above not in avatar:
                above = PARENTS[above]
            points[place] = points[above] + axes[above] @ local[at]
            axes[place] = axes[above] @ turns[at]
        joints = list(self._joints)
        return Pose(stamp_s, checked_points(points[joints]), axes[joints])


def _told(message: Message) -> Row:
    """Return the numbers of a message.

    Raises:
        CaptureError: it has other arguments than the protocol wants.
    """
    if message.address in (TIME, OK):
        values = message.arguments[:1]
        fits = len(values) == 1
    elif message.address in (ROOT, BONE):
        values = message.arguments[1:8]
        fits = len(values) == 7 and isinstance(message.arguments[0], str)
    else:
        return ()
    numbers = tuple(float(v) for v in values if isinstance(v, int | float))
    if not fits or len(numbers) != len(values):
        raise CaptureError(Refusal.FORM, f"{message.address} has other arguments")
    return numbers


def encode(stamp_s: float, positions: Floats, orientations: Floats) -> list[bytes]:
    """Return a frame as the datagrams of a sender whose avatar has all 22 bones.

    Args:
        stamp_s: time of the frame [s].
        positions: of the joints in the world (22, 3) [m].
        orientations: bone to world, from the posture in which the avatar's bones are not turned
            (22, 3, 3).
    """
    parents = list(PARENTS)
    axes = np.concatenate((orientations, np.eye(3)[None]))  # the last one is the root's
    points = np.concatenate((positions, np.zeros((1, 3))))
    back = np.swapaxes(axes[parents], 1, 2)
    local = (back @ (positions - points[parents])[..., None])[..., 0]
    q = quaternions(back @ orientations)
    rows = np.column_stack(
        (-local[:, 1], local[:, 2], local[:, 0], q[:, 2], -q[:, 3], -q[:, 1], q[:, 0])
    )
    root = ("root", 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    messages = [Message(OK, (1,)), Message(TIME, (stamp_s,)), Message(ROOT, root)]
    for name, row in zip(NAME_OF.values(), rows.tolist(), strict=True):
        messages.append(Message(BONE, (name, *row)))
    datagrams: list[list[bytes]] = [[]]
    for packet in (message.encode() for message in messages):
        if sum(len(one) + 4 for one in [*datagrams[-1], packet]) > _UNIT - 16:
            datagrams.append([])
        datagrams[-1].append(packet)
    return [bundle(packets) for packets in datagrams]
