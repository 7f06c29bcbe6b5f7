"""Poses of hands: which hands a clip means, and which angles a pose gives to their joints."""

from collections.abc import Iterator

from shows.document import Hand
from shows.fields import HandPose
from shows.joints import JointTable


def hands_of(hand: Hand, joints: JointTable) -> tuple[str, ...]:
    """Return the robot's hands that a clip means, in the table's order; "both" means every hand."""
    return tuple(
        limb.name
        for limb in joints.moved_limbs
        if limb.kind == "hand" and hand in ("both", limb.side)
    )


def pose_angles(pose: HandPose, hand: str, joints: JointTable) -> tuple[float, ...]:
    """Return the angle of each joint of a hand [rad], for a pose without faults."""
    if isinstance(pose, tuple):
        return pose
    return tuple(pose[joints.role_of[joint]] for joint in joints.joints_of[hand])


def pose_faults(pose: HandPose, hand: str, joints: JointTable) -> Iterator[str]:
    """Yield every reason why a hand cannot take a pose."""
    names = joints.joints_of[hand]
    if isinstance(pose, tuple):
        if len(pose) != len(names):
            yield f"has {len(pose)} angles for the {len(names)} joints of {hand}"
            return
        angles = dict(zip(names, pose, strict=True))
    else:
        roles = [joints.role_of[joint] for joint in names]
        for role in sorted(set(roles) - pose.keys()):
            yield f"has no angle for {role!r} of {hand}"
        for role in sorted(pose.keys() - set(roles)):
            yield f"names {role!r}, but {hand} has only {', '.join(roles)}"
        angles = {
            joint: pose[role] for joint, role in zip(names, roles, strict=True) if role in pose
        }
    for joint, angle in angles.items():
        fault = joints.angle_fault(joint, angle)
        if fault is not None:
            yield fault
