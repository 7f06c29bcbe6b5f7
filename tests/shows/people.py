"""Skeletons of people as several programs name and turn their joints."""

from dataclasses import dataclass, field

import numpy as np

from shows.bvh import Axis, Bvh, BvhJoint, Channel
from shows.bvh_human import METRES, Unit, Up
from shows.bvh_tree import elementary_angles
from shows.human import BONES, PARENTS
from shows.joints import Floats

T_POSE = {
    "hips": (0.0, 0.0, 0.95), "spine_1": (0.0, 0.0, 0.1), "spine_2": (0.0, 0.0, 0.12),
    "spine_3": (0.0, 0.0, 0.12), "neck": (0.0, 0.0, 0.2), "head": (0.0, 0.0, 0.1),
    "shoulder": (0.0, 0.04, 0.14), "upper_arm": (0.0, 0.14, 0.0), "lower_arm": (0.0, 0.28, 0.0),
    "hand": (0.0, 0.25, 0.0), "upper_leg": (0.0, 0.09, 0.0), "lower_leg": (0.0, 0.0, -0.42),
    "foot": (0.0, 0.0, -0.41), "toe": (0.15, 0.0, -0.07),
}  # fmt: skip
"""Offset of each bone from its parent, arms sideways, world axes [m]; mirrored on the right."""

_IN_FILE: dict[Up, Floats] = {
    "y": np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
    "z": np.eye(3),
}

POSITIONS = (Channel("position", 0), Channel("position", 1), Channel("position", 2))


@dataclass(frozen=True)
class Style:
    """How a program writes: names by bone (a bone that it lacks is missing), order, unit, up."""

    title: str
    names: dict[str, str]
    order: tuple[Axis, Axis, Axis] = (2, 0, 1)
    unit: Unit = "centimetre"
    up: Up = "y"
    six: bool = False
    extra: tuple[str, ...] = ()
    zero: dict[str, Floats] = field(default_factory=dict)


def sided(pattern: tuple[str, str], **parts: str) -> dict[str, str]:
    """Return names of both sides, `*` is the part's name."""
    return {
        f"{side}_{part}": pattern[i].replace("*", name)
        for i, side in enumerate(("left", "right"))
        for part, name in parts.items()
    }


def offset_of(bone: str) -> Floats:
    side, _, part = bone.partition("_")
    offset = np.array(T_POSE.get(bone, T_POSE.get(part)))
    return offset * ([1.0, -1.0, 1.0] if side == "right" else [1.0, 1.0, 1.0])


def write(style: Style, turns: dict[str, Floats], travel: Floats) -> Bvh:
    """Return a file in a style.

    Args:
        style: the program's.
        turns: rotation of a bone against its parent's, from the T-pose, world axes (k, 3, 3).
        travel: where the hips are, from the T-pose (k, 3) [m].
    """
    count, axes = len(travel), _IN_FILE[style.up]
    scale = 1.0 / METRES[style.unit]
    joints: list[BvhJoint] = []
    columns: list[Floats] = []
    place: dict[str, int] = {}
    skipped: dict[str, Floats] = {}
    still = np.tile(np.eye(3), (count, 1, 1))
    for bone, parent_index in zip(BONES, PARENTS, strict=True):
        parent = BONES[parent_index] if parent_index >= 0 else ""
        base = offset_of(bone) + skipped.get(parent, np.zeros(3))
        if bone not in style.names:
            skipped[bone] = base
            place[bone] = place[parent]
            continue
        above = place[parent] if parent else -1
        joint_above = joints[above].name if parent else ""
        own = style.zero.get(bone, np.eye(3))
        upper = np.eye(3)
        for name, title in style.names.items():
            if title == joint_above:
                upper = style.zero.get(name, np.eye(3))
        local = upper.T @ axes @ base * scale
        turn = upper.T @ axes @ turns.get(bone, still) @ axes.T @ own
        moved = np.tile(local, (count, 1))
        kinds = [Channel("rotation", a) for a in style.order]
        values = [elementary_angles(turn, style.order)]
        if not parent or style.six:
            if not parent:
                moved = moved + travel @ axes.T * scale
            kinds = [*POSITIONS, *kinds]
            values.insert(0, moved)
        x, y, z = (local if parent else np.zeros(3)).tolist()
        first = sum(len(joint.channels) for joint in joints)
        place[bone] = len(joints)
        joints.append(BvhJoint(style.names[bone], above, (x, y, z), tuple(kinds), first))
        columns += values
    for name in style.extra:
        first = sum(len(joint.channels) for joint in joints)
        kinds = [Channel("rotation", a) for a in style.order]
        joints.append(BvhJoint(name, place["left_hand"], (1.0, 0.0, 0.0), tuple(kinds), first))
        columns.append(np.zeros((count, 3)))
    return Bvh(tuple(joints), 1.0 / 120.0, np.hstack(columns))


LEGS_MB = {"upper_leg": "UpLeg", "lower_leg": "Leg", "foot": "Foot", "toe": "ToeBase"}
ARMS_MB = {"shoulder": "Shoulder", "upper_arm": "Arm", "lower_arm": "ForeArm", "hand": "Hand"}
TRUNK = {
    "hips": "Hips", "spine_1": "Spine", "spine_2": "Spine1", "spine_3": "Spine2",
    "neck": "Neck", "head": "Head",
}  # fmt: skip
MOTION_BUILDER = TRUNK | sided(("Left*", "Right*"), **LEGS_MB, **ARMS_MB)


def _along_x() -> dict[str, Floats]:
    """Return joints whose x lies along their bone, y-up file axes, as LAFAN's have."""
    trunk = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    frames = dict.fromkeys(TRUNK, trunk)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        arm = np.array([[sign, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, sign, 0.0]])
        leg = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
        frames |= {f"{side}_{part}": arm for part in ("upper_arm", "lower_arm", "hand")}
        frames |= {f"{side}_{part}": leg for part in LEGS_MB}
        frames[f"{side}_shoulder"] = arm
    return frames


STYLES = (
    Style(
        "CMU",
        MOTION_BUILDER | {"spine_1": "LowerBack", "spine_2": "Spine", "spine_3": "Spine1"},
        order=(2, 1, 0), unit="cmu", extra=("LThumb", "LeftFingerBase"),
    ),
    Style(
        "Mixamo", {k: f"mixamorig:{v}" for k, v in MOTION_BUILDER.items()},
        order=(0, 1, 2), six=True, extra=("mixamorig:LeftHandThumb1",),
    ),
    Style("LAFAN", MOTION_BUILDER, order=(2, 1, 0), zero=_along_x()),
    Style("Perception Neuron", MOTION_BUILDER, order=(1, 0, 2), six=True),
    Style(
        "Rokoko",
        {"hips": "Hips", "spine_1": "Spine1", "spine_2": "Spine2", "spine_3": "Spine4",
         "neck": "Neck", "head": "Head"}
        | sided(("Left*", "Right*"), **ARMS_MB)
        | sided(("Left*", "Right*"), upper_leg="Thigh", lower_leg="Shin", foot="Foot", toe="Toe"),
        order=(1, 0, 2),
    ),
    Style(
        "Xsens",
        {"hips": "Hips", "spine_1": "Chest", "spine_2": "Chest2", "spine_3": "Chest4",
         "neck": "Neck", "head": "Head"}
        | sided(
            ("Left*", "Right*"), shoulder="Collar", upper_arm="Shoulder", lower_arm="Elbow",
            hand="Wrist", upper_leg="Hip", lower_leg="Knee", foot="Ankle", toe="Toe",
        ),
        order=(1, 0, 2),
    ),
    Style(
        "Bandai Namco",
        {"hips": "Hips", "spine_1": "Spine", "spine_3": "Chest", "neck": "Neck", "head": "Head"}
        | sided(
            ("*_L", "*_R"), shoulder="Shoulder", upper_arm="UpperArm", lower_arm="LowerArm",
            hand="Hand", upper_leg="UpperLeg", lower_leg="LowerLeg", foot="Foot", toe="Toes",
        ),
        order=(2, 0, 1), six=True,
    ),
    Style(
        "Blender",
        {"hips": "hips", "spine_1": "spine", "spine_3": "chest", "neck": "neck", "head": "head"}
        | sided(
            ("*.L", "*.R"), shoulder="shoulder", upper_arm="upper_arm", lower_arm="forearm",
            hand="hand", upper_leg="thigh", lower_leg="shin", foot="foot", toe="toe",
        ),
        order=(0, 1, 2), unit="metre", up="z",
    ),
    Style(
        "OptiTrack",
        {"hips": "Hip", "spine_1": "Ab", "spine_3": "Chest", "neck": "Neck", "head": "Head"}
        | sided(
            ("L*", "R*"), shoulder="Shoulder", upper_arm="UArm", lower_arm="FArm", hand="Hand",
            upper_leg="Thigh", lower_leg="Shin", foot="Foot", toe="Toe",
        ),
    ),
    Style(
        "Biovision",
        {"hips": "Hips", "spine_3": "Chest", "neck": "Neck", "head": "Head"}
        | sided(
            ("Left*", "Right*"), shoulder="Collar", upper_arm="UpArm", lower_arm="LowArm",
            hand="Hand", upper_leg="UpLeg", lower_leg="LowLeg", foot="Foot",
        ),
        unit="inch",
    ),
    Style(
        "Unreal",
        {"hips": "pelvis", "spine_1": "spine_01", "spine_2": "spine_02", "spine_3": "spine_03",
         "neck": "neck_01", "head": "head"}
        | sided(
            ("*_l", "*_r"), shoulder="clavicle", upper_arm="upperarm", lower_arm="lowerarm",
            hand="hand", upper_leg="thigh", lower_leg="calf", foot="foot", toe="ball",
        ),
        order=(0, 2, 1), up="z",
    ),
)  # fmt: skip
