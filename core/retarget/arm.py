"""A robot's arm as a person's: where its shoulder, its elbow and its wrist are."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.errors import ProfileError
from core.retarget.chain import Chain, RobotChains
from core.retarget.settings import ArmSettings, HumanSide, RetargetSettings
from devices.interface import Floats
from shows.limbs import OPPOSITE, Limb

FIXED_SHARE = 0.1
"""How far a shoulder's origin may move while the joints before it turn, by the arm's reach."""
FOREARM_SHARE = 0.6
"""Least distance of the wrist from the elbow, by the length of the upper arm."""
_SWEEP = 9  # angles of a joint's range that are tried


@dataclass(frozen=True, eq=False)
class Arm:
    """One arm.

    Attributes:
        limb: name of the limb.
        human: the person's side that it follows.
        chain: the joints that move the wrist (n).
        elbow_link: index of the joint that carries the elbow's point.
        elbow_point: the elbow in that joint's frame (3) [m].
        hand_link: index of the joint that carries the wrist's point.
        hand_point: the wrist in that joint's frame (3) [m].
        shoulder: the shoulder in the base (3) [m].
        upper_m: length of the upper arm [m].
        reach_m: lengths of upper arm and forearm [m].
        others: joints of the limb that stay at rest, with their positions [rad].
    """

    limb: str
    human: HumanSide
    chain: Chain
    elbow_link: int
    elbow_point: Floats
    hand_link: int
    hand_point: Floats
    shoulder: Floats
    upper_m: float
    reach_m: float
    others: tuple[tuple[str, float], ...]

    def points(self, q: Floats) -> tuple[Floats, Floats]:
        """Return elbow and wrist in the base (3) [m] at positions of the joints (n) [rad]."""
        rotations, origins = self.chain.placements(q)
        elbow = origins[self.elbow_link] + rotations[self.elbow_link] @ self.elbow_point
        hand = origins[self.hand_link] + rotations[self.hand_link] @ self.hand_point
        return elbow, hand


def find_arms(robot: RobotChains, settings: RetargetSettings) -> tuple[Arm, ...]:
    """Return the arms of a robot that follow a person's, in the profile's order.

    Raises:
        ProfileError: a limb, joint or frame of the settings does not exist, or an arm has no elbow.
    """
    chosen = {arm.limb: arm for arm in settings.arms}
    known = [limb.name for limb in robot.profile.limbs if limb.kind == "arm"]
    for name in chosen:
        if name not in known:
            reason = f"no arm is called {name!r}; choose from {', '.join(known) or 'none'}"
            raise ProfileError("profile.toml", "retarget.arms", reason)
    arms = []
    for limb in robot.profile.limbs:
        wanted = chosen.get(limb.name, ArmSettings(limb=limb.name))
        side: Literal["left", "right", "centre"] = wanted.human or limb.side
        if limb.kind == "arm" and side != "centre":
            arms.append(_find_arm(robot, limb, side, wanted))
    return tuple(arms)


def _find_arm(robot: RobotChains, limb: Limb, human: HumanSide, wanted: ArmSettings) -> Arm:
    """Return one arm; its points are found from its kinematics unless they are named."""
    joints = robot.profile.joints_of(limb.name)
    if not joints:
        raise ProfileError("profile.toml", f"limbs, {limb.name}", "has no joints; add them")
    beyond = hand_joints(robot, limb)[:1]
    whole = robot.chain(joints + beyond)
    _, origins = whole.placements(whole.rest)
    for name in (wanted.shoulder, wanted.elbow):
        if name and name not in joints:
            reason = f"{name!r} is no joint of {limb.name!r}; choose from {', '.join(joints)}"
            raise ProfileError("profile.toml", "retarget.arms", reason)
    shoulder = joints.index(wanted.shoulder) if wanted.shoulder else -1
    tip = robot.local_point(wanted.hand or _tip(robot, limb, whole), whole.joints[-1])
    elbow = joints.index(wanted.elbow) if wanted.elbow else _find_elbow(whole, len(joints), tip)
    if shoulder < 0:
        shoulder = _find_shoulder(whole, elbow)
    upper_m = float(np.linalg.norm(origins[elbow] - origins[shoulder]))
    if wanted.hand:
        link, point = len(joints) - 1, robot.local_point(wanted.hand, joints[-1])
    else:
        link, point = _find_wrist(robot, limb, whole, elbow, upper_m)
    rotations, _ = whole.placements(whole.rest)
    hand = origins[link] + rotations[link] @ point
    fore_m = float(np.linalg.norm(hand - origins[elbow]))
    if min(upper_m, fore_m) < 1e-3:
        reason = f"the elbow of {limb.name!r} is not found; name shoulder, elbow and hand"
        raise ProfileError("profile.toml", "retarget.arms", reason)
    link, point = _lower(whole, link, point)
    return Arm(
        limb=limb.name,
        human=human,
        chain=whole.part(link + 1),
        elbow_link=elbow,
        elbow_point=np.zeros(3),
        hand_link=link,
        hand_point=point,
        shoulder=origins[shoulder].copy(),
        upper_m=upper_m,
        reach_m=upper_m + fore_m,
        others=tuple(
            (name, float(angle))
            for name, angle in zip(joints[link + 1 :], whole.rest[link + 1 :], strict=False)
        ),
    )


def hand_joints(robot: RobotChains, limb: Limb) -> tuple[str, ...]:
    """Return the joints of the hand that an arm carries; empty if it carries none with joints."""
    for hand in robot.profile.limbs:
        joints = robot.profile.joints_of(hand.name)
        if hand.kind == "hand" and hand.side == limb.side and joints:
            model = robot.model
            last = model.getJointId(robot.profile.joints_of(limb.name)[-1])
            if last in model.supports[model.getJointId(joints[0])]:
                return joints
    return ()


def _tip(robot: RobotChains, limb: Limb, whole: Chain) -> str:
    """Return the frame at an arm's end: where it or its hand holds a load, else its last joint."""
    hands = [hand.name for hand in robot.profile.limbs if hand.kind == "hand"]
    sides = {hand.name: hand.side for hand in robot.profile.limbs}
    for grip in robot.profile.grips:
        if grip.limb == limb.name or (grip.limb in hands and sides[grip.limb] == limb.side):
            return grip.body
    return whole.joints[-1]


def _find_shoulder(chain: Chain, elbow: int) -> int:
    """Return the last joint before the elbow whose origin stays when the joints before it turn."""
    _, origins = chain.placements(chain.rest)
    reach = np.linalg.norm(np.diff(origins[: elbow + 1], axis=0), axis=1).sum()
    for joint in range(elbow - 1, 0, -1):
        moved = 0.0
        for before in range(joint):
            for q in _sweep(chain, before):
                _, places = chain.placements(q)
                moved = max(moved, float(np.linalg.norm(places[joint] - origins[joint])))
        if moved <= FIXED_SHARE * reach:
            return joint
    return 0


def _find_elbow(chain: Chain, count: int, tip: Floats) -> int:
    """Return the joint whose travel changes the distance from the first joint to the tip most."""
    best, widest = 0, -1.0
    for joint in range(1, count):
        spans = []
        for q in _sweep(chain, joint):
            rotations, origins = chain.placements(q)
            spans.append(float(np.linalg.norm(origins[-1] + rotations[-1] @ tip - origins[0])))
        if max(spans) - min(spans) > widest + 1e-6:
            best, widest = joint, max(spans) - min(spans)
    return best


def _find_wrist(
    robot: RobotChains, limb: Limb, chain: Chain, elbow: int, upper_m: float
) -> tuple[int, Floats]:
    """Return the joint and the point in its frame where the forearm ends."""
    _, origins = chain.placements(chain.rest)
    for joint in range(elbow + 1, len(chain.joints)):
        if np.linalg.norm(origins[joint] - origins[elbow]) >= FOREARM_SHARE * upper_m:
            return joint - 1, chain.offsets[joint].copy()
    last = len(robot.profile.joints_of(limb.name)) - 1
    frame = _tip(robot, limb, chain)
    return last, robot.local_point(frame, chain.joints[last])


def _lower(chain: Chain, link: int, point: Floats) -> tuple[int, Floats]:
    """Return the joint nearest to the root that carries a point, and the point in its frame.

    A joint on whose axis the point lies does not move it.
    """
    while link > 0 and np.linalg.norm(np.cross(chain.axes[link], point)) < 1e-6:
        turn = chain.rotations[link]
        point = chain.offsets[link] + turn @ point
        link -= 1
    return link, point


def _sweep(chain: Chain, joint: int) -> list[Floats]:
    """Return rest postures with one joint at angles of its range."""
    postures = []
    for angle in np.linspace(chain.lower[joint], chain.upper[joint], _SWEEP):
        q = chain.rest.copy()
        q[joint] = angle
        postures.append(q)
    return postures


def human_side(arm: Arm, mirror: bool) -> str:
    """Return the person's side that an arm follows, swapped if it follows as a mirror image."""
    return OPPOSITE[arm.human] if mirror else arm.human
