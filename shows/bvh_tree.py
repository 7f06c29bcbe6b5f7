"""The tree of a BVH file's joints: which of them are a person's bones, and where they are."""

from collections.abc import Mapping

import numpy as np

from shows.bvh import Bvh, BvhJoint
from shows.human import BONES, PARENTS, SIDES
from shows.joints import Floats


class Tree:
    """The joints of a BVH file.

    Attributes:
        joints: the joints, each after its parent.
    """

    def __init__(self, bvh: Bvh) -> None:
        self.joints: tuple[BvhJoint, ...] = bvh.joints
        self._names = {joint.name: i for i, joint in reversed(list(enumerate(bvh.joints)))}
        self._above: list[list[int]] = []  # from the root to each joint, itself included
        self._children: dict[int, list[int]] = {}
        for index, joint in enumerate(bvh.joints):
            self._above.append([*(self._above[joint.parent] if index else ()), index])
            self._children.setdefault(joint.parent, []).append(index)

    def bones(self, names: Mapping[str, str]) -> tuple[tuple[int, ...], tuple[str, ...]]:
        """Return the joint of each of the 22 bones, and the bones that had none of their own.

        Spine, neck and shoulders are read from the tree: the chest is the last joint above head
        and both arms, the spine is what lies between it and the hips.

        Args:
            names: name of the joint of each bone that was found by name.
        """
        found = {bone: self._names[name] for bone, name in names.items()}
        filled = []
        ends = [found[bone] for bone in ("head", "left_upper_arm", "right_upper_arm")]
        shared = [i for i in self._above[ends[0]] if all(i in self._above[end] for end in ends)]
        chest = shared[-1]
        spine = self._between(found["hips"], chest) + [chest] * (chest != found["hips"])
        spine = spine or [chest]
        places = {"spine_1": 0, "spine_2": (len(spine) - 1) // 2, "spine_3": len(spine) - 1}
        found |= {bone: spine[place] for bone, place in places.items()}
        filled += ["spine_1"] * (len(spine) < 2) + ["spine_2"] * (len(spine) < 3)
        filled += ["spine_3"] * (chest == found["hips"])
        above = self._between(chest, found["head"])
        if above:
            found["neck"] = above[0]
        for side in SIDES:
            above = self._between(chest, found[f"{side}_upper_arm"])
            if above:
                found[f"{side}_shoulder"] = above[-1]
        for bone, parent in zip(BONES, PARENTS, strict=True):
            if bone not in found:
                filled.append(bone)
                end = self._children.get(found[BONES[parent]], [])
                leaf = bone.endswith(("_hand", "_toe")) and len(end) == 1
                found[bone] = end[0] if leaf else found[BONES[parent]]
        return tuple(found[bone] for bone in BONES), tuple(filled)

    def pose(self, frames: Floats, nodes: tuple[int, ...]) -> tuple[Floats, Floats]:
        """Return where the joints of the bones are, and how they are turned, in every frame.

        Args:
            frames: values of the channels (k, c).
            nodes: the joint of each bone (22).

        Returns:
            Positions (k, 22, 3) in the file's unit and rotations joint to file (k, 22, 3, 3). An
            end turns with its parent.
        """
        count = len(frames)
        positions = np.empty((count, len(nodes), 3))
        turns = np.empty((count, len(nodes), 3, 3))
        needed = sorted({i for node in nodes for i in self._above[node]})
        last = {self.joints[i].parent: i for i in needed}
        kept: dict[int, tuple[Floats, Floats]] = {}
        for index in needed:
            joint = self.joints[index]
            local = np.tile(np.array(joint.offset), (count, 1))
            start, turn = kept.get(joint.parent, (np.zeros(3), np.eye(3)))
            turned = np.tile(np.eye(3), (count, 1, 1)) if index == 0 else turn.copy()
            for column, channel in enumerate(joint.channels, joint.first):
                if channel.kind == "position":
                    local[:, channel.axis] = frames[:, column]
                else:
                    _turn_about(turned, channel.axis, np.radians(frames[:, column]))
            place = start + (turn @ local[..., None])[..., 0]
            for bone, node in enumerate(nodes):
                if node == index:
                    positions[:, bone], turns[:, bone] = place, turned
            kept[index] = place, turned
            if last.get(joint.parent) == index:
                kept.pop(joint.parent, None)
        return positions, turns

    def zero_points(self, frame: Floats) -> Floats:
        """Return where every joint is at zero angles, in the file's unit (j, 3).

        Args:
            frame: values of the channels in a frame (c), which give the position of a joint whose
                offset is zero.
        """
        points = np.zeros((len(self.joints), 3))
        for index, joint in enumerate(self.joints):
            if index == 0:
                continue
            local = np.array(joint.offset)
            if not local.any():
                for column, channel in enumerate(joint.channels, joint.first):
                    if channel.kind == "position":
                        local[channel.axis] = frame[column]
            points[index] = points[joint.parent] + local
        return points

    def _between(self, upper: int, lower: int) -> list[int]:
        """Return the joints below one and above another, from above; none if it is not below."""
        path = self._above[lower]
        return path[path.index(upper) + 1 : -1] if upper in path else []


def turns_of(bvh: Bvh, joint: BvhJoint) -> Floats:
    """Return the rotations of a joint against its parent in every frame (k, 3, 3)."""
    turns = np.tile(np.eye(3), (len(bvh.frames), 1, 1))
    for column, channel in enumerate(joint.channels, joint.first):
        if channel.kind == "rotation":
            _turn_about(turns, channel.axis, np.radians(bvh.frames[:, column]))
    return turns


def elementary_angles(turns: Floats, order: tuple[int, ...]) -> Floats:
    """Return the angles about three different axes, one after the other, of rotations.

    Args:
        turns: rotations (k, 3, 3) = R_a(α) R_b(β) R_c(γ).
        order: the axes a, b, c.

    Returns:
        α, β, γ (k, 3) [deg]; β within ±90.
    """
    a, b, c = order
    sign = 1.0 if (b - a) % 3 == 1 else -1.0
    beta = np.arcsin(np.clip(sign * turns[:, a, c], -1.0, 1.0))
    gimbal = np.abs(turns[:, a, c]) > 1.0 - 1e-12  # α and γ turn about one axis: γ = 0
    alpha = np.arctan2(-sign * turns[:, b, c], turns[:, c, c])
    gamma = np.arctan2(-sign * turns[:, a, b], turns[:, a, a])
    alpha = np.where(gimbal, np.arctan2(sign * turns[:, c, b], turns[:, b, b]), alpha)
    gamma = np.where(gimbal, 0.0, gamma)
    angles: Floats = np.degrees(np.stack((alpha, beta, gamma), axis=1))
    return angles


def _turn_about(turns: Floats, axis: int, angles: Floats) -> None:
    """Multiply rotations from the right by elementary ones, in place.

    Args:
        turns: rotations (k, 3, 3).
        axis: 0, 1 or 2.
        angles: about that axis (k) [rad].
    """
    first, second = (axis + 1) % 3, (axis + 2) % 3
    cosine, sine = np.cos(angles)[:, None], np.sin(angles)[:, None]
    old = turns[:, :, first].copy()
    turns[:, :, first] = cosine * old + sine * turns[:, :, second]
    turns[:, :, second] = cosine * turns[:, :, second] - sine * old
