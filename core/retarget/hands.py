"""Hands of one robot that do what those of another one do: wrists turn, fingers close as far."""

from dataclasses import dataclass

import numpy as np

from core.retarget.arm import Arm, hand_joints
from core.retarget.chain import Chain, RobotChains
from core.retarget.settings import HumanSide
from devices.interface import Floats
from shows.hands import pose_angles
from shows.joints import JointTable
from shows.motion import Motion

_FORWARD = np.array([1.0, 0.0, 0.0])


@dataclass(frozen=True, eq=False)
class Hand:
    """All that an arm carries beyond its wrist's point.

    Attributes:
        human: the person's side that it follows.
        wrist: the arm's joints and after them the joint that turns the hand about the forearm;
            None without such a joint.
        wrist_role: role of that joint in its limb; empty without one.
        joints: the joints of the fingers (n).
        roles: their roles in the hand (n).
        lower: their smallest positions (n) [rad].
        rest: their positions in the robot's rest posture (n) [rad].
        upper: their largest positions (n) [rad].
        poses: their positions in each pose of the profile, by its name (n) [rad].
    """

    human: HumanSide
    wrist: Chain | None
    wrist_role: str
    joints: tuple[str, ...]
    roles: tuple[str, ...]
    lower: Floats
    rest: Floats
    upper: Floats
    poses: dict[str, Floats]


def find_hands(robot: RobotChains, arms: tuple[Arm, ...], table: JointTable) -> tuple[Hand, ...]:
    """Return what each arm carries beyond its wrist's point; arms without a hand are left out."""
    hands = []
    limb_of = {limb.name: limb for limb in table.limbs}
    rests = dict(zip(robot.profile.joint_names, robot.profile.posture("rest"), strict=True))
    for arm in arms:
        carried = hand_joints(robot, limb_of[arm.limb])
        beyond = (*(name for name, _ in arm.others), *carried)[:1]
        wrist = robot.chain(arm.chain.joints + beyond) if beyond else None
        if wrist is not None and not _turns_forearm(arm, wrist):
            wrist = None
        kept = [i for i, name in enumerate(carried) if wrist is None or name != wrist.joints[-1]]
        joints = tuple(carried[i] for i in kept)
        if wrist is None and not joints:
            continue
        hand = table.limb_of[carried[0]] if carried else ""
        poses = table.hand_poses.items() if carried else ()
        index = [table.index[name] for name in joints]
        hands.append(
            Hand(
                human=arm.human,
                wrist=wrist,
                wrist_role="" if wrist is None else table.role_of[wrist.joints[-1]],
                joints=joints,
                roles=tuple(table.role_of[name] for name in joints),
                lower=table.lower[index],
                rest=np.array([rests[name] for name in joints]),
                upper=table.upper[index],
                poses={
                    name: np.array(pose_angles(pose, hand, table))[kept] for name, pose in poses
                },
            )
        )
    return tuple(hands)


def _turns_forearm(arm: Arm, chain: Chain) -> bool:
    """Return whether the last joint of a chain turns about an axis along the forearm."""
    rotations, origins = chain.placements(chain.rest)
    forearm = origins[-1] - origins[arm.elbow_link]
    axis = rotations[-1] @ chain.axes[-1]
    return bool(abs(axis @ forearm) > 0.99 * np.linalg.norm(forearm) > 0.0)


def finger_paths(motion: Motion, source: Hand, hand: Hand) -> dict[str, Floats]:
    """Return the path of each finger (k) [rad] that follows a joint of a motion.

    A finger follows that of the same role; one without it follows the finger that takes most nearly
    the same positions in the poses that both robots know. Both limits and the rest posture
    correspond.
    """
    shared = [name for name in hand.poses if name in source.poses]
    paths = {}
    for column, role in enumerate(hand.roles):
        if role in source.roles:
            partner = source.roles.index(role)
        elif shared and source.roles:
            own = np.array([_shares(hand, hand.poses[name])[column] for name in shared])
            others = np.array([_shares(source, source.poses[name]) for name in shared])
            partner = int(np.abs(others - own[:, None]).sum(axis=0).argmin())
        else:
            continue
        if source.joints[partner] not in motion.joint_names:
            continue
        before = motion.positions[:, motion.joint_names.index(source.joints[partner])]
        marks = (source.lower[partner], source.rest[partner], source.upper[partner])
        own_marks = (hand.lower[column], hand.rest[column], hand.upper[column])
        paths[hand.joints[column]] = np.interp(before, marks, own_marks)
    return paths


def _shares(hand: Hand, positions: Floats) -> Floats:
    """Return positions of the fingers as shares of their ranges (n)."""
    shares: Floats = (positions - hand.lower) / (hand.upper - hand.lower)
    return shares


def wrist_path(source: Chain, before: Floats, wrist: Chain, path: Floats, margin: float) -> Floats:
    """Return the path of a wrist (k) [rad] that turns the hand as another robot's wrist does.

    The side of the hand that faces forward at zero keeps its direction about the forearm, up to the
    constant by which the rest postures differ.

    Args:
        source: the other robot's arm with its wrist.
        before: its path (k, n) [rad].
        wrist: this robot's arm with its wrist.
        path: path of its arm without the wrist (k, m - 1) [rad].
        margin: distance from the wrist's limits [rad].
    """
    turns = np.unwrap(_turns(source, before, wrist, path))
    at_rest = _turns(source, source.rest[None], wrist, wrist.rest[None, :-1])[0]
    turns += 2.0 * np.pi * np.round((at_rest - turns[0]) / (2.0 * np.pi))
    found: Floats = np.clip(
        turns - at_rest + wrist.rest[-1], wrist.lower[-1] + margin, wrist.upper[-1] - margin
    )
    return found


def _turns(source: Chain, before: Floats, wrist: Chain, path: Floats) -> Floats:
    """Return the positions of a wrist at which the hand faces as the other one does (k) [rad]."""
    facing, own = _forward_at_zero(source), _forward_at_zero(wrist)
    arm, axis = wrist.part(len(wrist.joints) - 1), wrist.axes[-1]
    found = np.empty(len(path))
    for row, (q, own_q) in enumerate(zip(before, path, strict=True)):
        direction = source.placements(q)[0][-1] @ facing
        forearm = arm.placements(own_q)[0][-1] @ wrist.rotations[-1]
        wanted = forearm.T @ direction
        across = own @ wanted - (axis @ own) * (axis @ wanted)
        found[row] = np.arctan2(axis @ np.cross(own, wanted), across)
    return found


def _forward_at_zero(chain: Chain) -> Floats:
    """Return the base's forward direction in the last joint's frame, all joints at zero (3)."""
    turn = np.eye(3)
    for rotation in chain.rotations:
        turn = turn @ rotation
    forward: Floats = turn.T @ _FORWARD
    return forward
