"""A motion of one robot as a motion of another one: limbs point where they pointed before.

Upper arms, forearms and the gaze keep their directions in the torso's frame. Near the first robot's
rest posture these directions pass into those of the other robot's rest posture, so that the motion
begins and ends there, and a limb that hardly moves stays near it. Wrists and fingers follow if both
robots have them (`core.retarget.hands`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import pinocchio as pin

from core.retarget.arm import Arm
from core.retarget.chain import Chain
from core.retarget.hands import Hand, finger_paths, wrist_path
from core.retarget.limbs import Head, RetargetLimbs, arm_features
from core.retarget.retarget import ARM_SEGMENTS, HEAD_SEGMENTS, solve_path
from core.retarget.settings import RetargetSettings
from core.retarget.track import Features, features_at
from core.retarget.wanted import angle_deg, unit
from devices.interface import Floats
from shows.body_limb import COORDINATES
from shows.errors import ShowError
from shows.joints import JointTable
from shows.motion import Motion, check_motion

SETTINGS = RetargetSettings(smoothing_s=0.04, acceleration=40.0)
"""Calmer than after a person: at an ambiguous shoulder the joints would spin."""
NEAR_REST_DEG = 30.0
"""From this angle between a limb and its rest posture on, it keeps its direction."""
GOOD_ERROR_DEG = 5.0
"""Error of a direction up to which a motion that the limits hold back is not slowed."""
LARGEST_ERROR_DEG = 20.0
"""Error of a direction from which on a motion is refused."""
SLOWEST = 1.5
"""Largest factor by which a motion is slowed."""
_STEP = 1.1  # by which it is slowed each time
_WORTH_DEG = 1.0  # by which slowing must lessen the error
_RESIDUE_RAD = 0.02  # from the rest posture, which is removed at both ends
_FADE_S = 0.3  # in which it fades


@dataclass(frozen=True, eq=False)
class Adapted:
    """A motion of one robot as one of another.

    Attributes:
        motion: of all joints of the limbs that move.
        slowed: factor of its duration.
        segments: limb and segment of each direction.
        error_deg: error of the directions (k, segments) [deg].
        near_rest: share by which the rest posture decides (k, segments), 0 to 1.
        lost: joints of the first robot's motion that the robot has no counterpart of.
    """

    motion: Motion
    slowed: float
    segments: tuple[str, ...]
    error_deg: Floats = field(repr=False)
    near_rest: Floats = field(repr=False)
    lost: tuple[str, ...] = ()

    def largest_error(self) -> tuple[float, str, float]:
        """Return the largest error that no rest posture decides [deg], its segment and time [s]."""
        errors = np.where(self.near_rest > 0.0, 0.0, self.error_deg)
        row, column = np.unravel_index(int(errors.argmax()), errors.shape)
        time_s = float(row) / self.motion.rate_hz
        return float(errors[row, column]), self.segments[column], time_s


def adapt(
    motion: Motion, made_for: RetargetLimbs, limbs: RetargetLimbs, settings: RetargetSettings
) -> Adapted:
    """Return a motion of one robot as a motion of another.

    A motion that the robot's joints cannot follow is slowed.

    Args:
        motion: the motion, of joints of the first robot.
        made_for: the first robot's arms and head.
        limbs: those of the robot that gets the motion.
        settings: weights and limits.

    Raises:
        ShowError: the robot lacks a part that the motion needs, or cannot follow it.
    """
    lost = _check_parts(motion, made_for, limbs)
    found, held_back = _adapt(motion, made_for, limbs, settings)
    error, segment, time_s = found.largest_error()
    slowed = 1.0
    while error > GOOD_ERROR_DEG and held_back and slowed * _STEP <= SLOWEST:
        slowed *= _STEP
        slower = replace(motion, rate_hz=motion.rate_hz / slowed)
        tried, held_back = _adapt(slower, made_for, limbs, settings)
        if tried.largest_error()[0] < error - _WORTH_DEG:
            found = replace(tried, slowed=slowed)
            error, segment, time_s = tried.largest_error()
    if error > LARGEST_ERROR_DEG:
        reason = f"{limbs.robot} misses the direction of the {segment} by {error:.0f}° at "
        raise ShowError(motion.name, "", f"{reason}{time_s:.2f} s", "make one for this robot")
    check_motion(found.motion, limbs.joints)
    return replace(found, lost=lost)


def _check_parts(motion: Motion, made_for: RetargetLimbs, limbs: RetargetLimbs) -> tuple[str, ...]:
    """Refuse a motion that needs a part that the robot lacks; return what it loses.

    Limbs correspond if they have the same kind and side, joints if they have the same role. An arm
    corresponds if it has every role of the other one. A wrist may belong to the hand or to the arm.
    """
    first, second = made_for.joints, limbs.joints
    kinds = {limb.name: (limb.kind, limb.side) for limb in (*first.limbs, *second.limbs)}
    roles = {
        (*kinds[limb], second.role_of[joint])
        for limb, joints in second.joints_of.items()
        for joint in joints
    }
    for hand in limbs.hands:
        roles.add(("hand", hand.human, hand.wrist_role))
    lost = [
        joint
        for joint in motion.joint_names
        if (*kinds[first.limb_of[joint]], first.role_of[joint]) not in roles
    ]
    for joint in lost:
        needed = joint in motion.needs
        limb = first.limb_of[joint]
        if needed or kinds[limb][0] == "arm":
            why = "carries the meaning of this motion" if needed else "moves its arm"
            reason = f"{limbs.robot} has no counterpart of {joint}, which {why}"
            raise ShowError(motion.name, "", reason, "choose another motion")
    return tuple(lost)


def _adapt(
    motion: Motion, made_for: RetargetLimbs, limbs: RetargetLimbs, settings: RetargetSettings
) -> tuple[Adapted, bool]:
    """Return the adapted motion, and whether limits hold a joint back."""
    parts = []
    for source in made_for.arms:
        targets = [arm for arm in limbs.arms if arm.human == source.human]
        if targets and set(source.chain.joints) & set(motion.joint_names):
            part = _adapt_arm(motion, source, targets[0], limbs, settings)
            parts.append(_with_hand(part, motion, made_for, limbs, targets[0], settings))
    head, own = made_for.head, limbs.head
    if head is not None and own is not None and set(head.chain.joints) & set(motion.joint_names):
        parts.append(_adapt_head(motion, head, own, made_for.joints, limbs, settings))
    if not parts:
        reason = f"moves no limb that {limbs.robot} has"
        raise ShowError(motion.name, "", reason, "choose another motion")
    columns = [part.positions for part in parts]
    columns.append(_body_columns(motion, made_for.joints, limbs.joints))
    adapted = replace(
        motion,
        joint_names=tuple(name for moved in columns for name in moved),
        positions=np.stack([q for moved in columns for q in moved.values()], axis=1),
        needs=(),
    )
    found = Adapted(
        adapted,
        1.0,
        tuple(name for part in parts for name in part.segments),
        np.hstack([part.error_deg for part in parts]),
        np.hstack([part.near_rest for part in parts]),
    )
    return found, any(part.held_back for part in parts)


def _body_columns(motion: Motion, first: JointTable, second: JointTable) -> Mapping[str, Floats]:
    """Return the body's coordinates that both robots have, smaller where the range is smaller."""
    columns = {}
    for name in COORDINATES:
        if name in motion.joint_names and name in second.index:
            i, j = first.index[name], second.index[name]
            lower, upper = second.lower[j] / first.lower[i], second.upper[j] / first.upper[i]
            share = min(1.0, float(lower), float(upper))
            columns[name] = share * motion.positions[:, motion.joint_names.index(name)]
    return columns


@dataclass(frozen=True, eq=False)
class _Part:
    """The path of one limb by joint, its errors, and whether limits hold it back."""

    positions: Mapping[str, Floats]
    segments: tuple[str, ...]
    error_deg: Floats
    near_rest: Floats
    held_back: bool


def _adapt_arm(
    motion: Motion, source: Arm, arm: Arm, limbs: RetargetLimbs, settings: RetargetSettings
) -> _Part:
    """Return the path of an arm whose segments point as those of another arm."""
    wanted = _directions(source, _path_of(motion, source.chain), settings)
    rest = _directions(source, source.chain.rest[None], settings)
    own_rest = _directions(arm, arm.chain.rest[None], settings)
    near = _nearness(angle_deg(wanted, rest).max(axis=1))
    targets = _turned(wanted, rest[0], own_rest[0], near)
    features = Features(
        np.array([arm.elbow_link, arm.hand_link]),
        np.stack((arm.elbow_point, unit(arm.hand_point))),
        np.array([True, False]),
        np.array([1.0 / arm.upper_m**2, 1.0]),
    )
    places = np.stack((arm.shoulder + arm.upper_m * targets[:, 0], targets[:, 1]), axis=1)
    path, limited = solve_path(motion.rate_hz, arm.chain, features, places, limbs.joints, settings)
    path = _from_rest(path, arm.chain.rest, motion.rate_hz)
    errors = angle_deg(_directions(arm, path, settings), wanted)
    columns = dict(zip(arm.chain.joints, path.T, strict=True))
    columns |= {name: np.full(len(path), angle) for name, angle in arm.others}
    names = tuple(f"{arm.limb.replace('_', ' ')}, {segment}" for segment in ARM_SEGMENTS)
    return _Part(columns, names, errors, np.stack((near, near), axis=1), bool(limited.any()))


def _with_hand(
    part: _Part,
    motion: Motion,
    made_for: RetargetLimbs,
    limbs: RetargetLimbs,
    arm: Arm,
    settings: RetargetSettings,
) -> _Part:
    """Return the path of an arm with that of its hand, if both robots have one."""
    source, hand = _hand(made_for, arm), _hand(limbs, arm)
    if source is None or hand is None:
        return part
    columns = dict(part.positions)
    if source.wrist is not None and hand.wrist is not None and source.wrist_role == hand.wrist_role:
        path = np.stack([columns[name] for name in arm.chain.joints], axis=1)
        before = _path_of(motion, source.wrist)
        turns = wrist_path(source.wrist, before, hand.wrist, path, settings.limit_margin)
        name = hand.wrist.joints[-1]
        columns[name] = _from_rest(turns[:, None], hand.wrist.rest[-1:], motion.rate_hz)[:, 0]
    for name, fingers in finger_paths(motion, source, hand).items():
        rest = hand.rest[hand.joints.index(name)]
        columns[name] = _from_rest(fingers[:, None], np.array([rest]), motion.rate_hz)[:, 0]
    return replace(part, positions=columns)


def _hand(limbs: RetargetLimbs, arm: Arm) -> Hand | None:
    """Return the hand of a robot on the side of an arm; None if there is none."""
    return next((hand for hand in limbs.hands if hand.human == arm.human), None)


def _adapt_head(
    motion: Motion,
    source: Head,
    head: Head,
    joints: JointTable,
    limbs: RetargetLimbs,
    settings: RetargetSettings,
) -> _Part:
    """Return the path of a head that looks as another one does, by the roles that both have."""
    roles = {limbs.joints.role_of[joint] for joint in head.chain.joints}
    lost = [joints.role_of[name] not in roles for name in source.chain.joints]
    wanted_path = np.where(lost, source.chain.rest, _path_of(motion, source.chain))
    features = head.features(settings.head_roll_weight)
    before = source.features(settings.head_roll_weight)
    wanted = features_at(source.chain, before, wanted_path)
    rest = features_at(source.chain, before, source.chain.rest[None])
    own_rest = features_at(head.chain, features, head.chain.rest[None])
    near = _nearness(angle_deg(wanted, rest).max(axis=1))
    targets = _turned(wanted, rest[0], own_rest[0], near)
    path, limited = solve_path(
        motion.rate_hz, head.chain, features, targets, limbs.joints, settings
    )
    path = _from_rest(path, head.chain.rest, motion.rate_hz)
    errors = angle_deg(features_at(head.chain, features, path), wanted)[:, :1]
    columns = dict(zip(head.chain.joints, path.T, strict=True))
    names = (f"{head.limb.replace('_', ' ')}, {HEAD_SEGMENTS[0]}",)
    return _Part(columns, names, errors, near[:, None], bool(limited.any()))


def _path_of(motion: Motion, chain: Chain) -> Floats:
    """Return the positions of a chain's joints over a motion (k, n) [rad]."""
    path = np.tile(chain.rest, (len(motion.positions), 1))
    for column, name in enumerate(chain.joints):
        if name in motion.joint_names:
            path[:, column] = motion.positions[:, motion.joint_names.index(name)]
    return path


def _directions(arm: Arm, path: Floats, settings: RetargetSettings) -> Floats:
    """Return the directions of upper arm and forearm in the base (k, 2, 3)."""
    points = features_at(arm.chain, arm_features(arm, settings), path)
    steps = np.stack((points[:, 0] - arm.shoulder, points[:, 1] - points[:, 0]), axis=1)
    return unit(steps)


def _nearness(angle: Floats) -> Floats:
    """Return the share by which the rest posture decides, at angles from it [deg]."""
    x = np.clip(angle / NEAR_REST_DEG, 0.0, 1.0)
    share: Floats = 1.0 - x**3 * (10.0 - 15.0 * x + 6.0 * x**2)
    return share


def _turned(directions: Floats, rest: Floats, own_rest: Floats, near: Floats) -> Floats:
    """Return directions (k, m, 3), turned by a share (k) of the turn from one rest to another."""
    result = np.empty_like(directions)
    for segment in range(directions.shape[1]):
        one, other = rest[segment], own_rest[segment]
        axis = np.cross(one, other)
        length = float(np.linalg.norm(axis))
        turn = axis / length * np.arctan2(length, one @ other) if length > 1e-9 else np.zeros(3)
        for row, share in enumerate(near):
            result[row, segment] = pin.exp3(share * turn) @ directions[row, segment]
    return result


def _from_rest(path: Floats, rest: Floats, rate_hz: float) -> Floats:
    """Return a path (k, n) [rad] that begins and ends exactly at rest if it nearly does so."""
    ramp = np.clip(1.0 - np.arange(len(path)) / (_FADE_S * rate_hz), 0.0, 1.0)
    share = ramp**3 * (10.0 - 15.0 * ramp + 6.0 * ramp**2)
    result = path.copy()
    for end, fade in ((0, share), (-1, share[::-1])):
        residue = rest - path[end]
        if np.abs(residue).max() <= _RESIDUE_RAD:
            result += fade[:, None] * residue
    return result
