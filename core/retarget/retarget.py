"""A person's take as a robot's motion, with the error that remains."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from core.retarget.arm import Arm
from core.retarget.chain import Chain
from core.retarget.follow import follow, smoothed
from core.retarget.limbs import Head, RetargetLimbs, arm_features
from core.retarget.settings import RetargetSettings
from core.retarget.track import Features, features_at, inside, track
from core.retarget.wanted import angle_deg, arm_targets, in_trunk, unit
from devices.interface import Floats
from shows.human import INDEX, HumanTake
from shows.joints import JointTable
from shows.motion import Motion, motion_name

ARM_SEGMENTS = ("upper arm", "forearm")
HEAD_SEGMENTS = ("forward", "upward")
SLOWED_RAD = 0.01
"""Distance from the wanted path from which a joint counts as held back by its limits [rad]."""
_SHARE = 0.98  # of the limits, kept for the rounding of files


@dataclass(frozen=True)
class LimbSummary:
    """The errors of one limb over a motion.

    Attributes:
        limb: name of the limb.
        segments: names of its two directions.
        direction_mean_deg: mean error of each direction [deg].
        direction_p90_deg: 90th percentile of it [deg].
        hand_mean_m: mean distance of the hand from where it ought to be [m]; None for a head.
        hand_p90_m: 90th percentile of it [m]; None for a head.
    """

    limb: str
    segments: tuple[str, str]
    direction_mean_deg: tuple[float, float]
    direction_p90_deg: tuple[float, float]
    hand_mean_m: float | None
    hand_p90_m: float | None


@dataclass(frozen=True, eq=False)
class Retargeted:
    """A robot's motion after a person's take.

    Attributes:
        motion: of all joints of the limbs that follow, at the take's rate.
        limbs: names of these limbs, arms first.
        segments: names of the two directions of each limb.
        direction_error_deg: error of the directions (k, limbs, 2) [deg].
        hand_error_m: distance of the arms' hands from where they ought to be (k, arms) [m].
        speed_limited: a joint is held back by its speed, acceleration or range (k).
    """

    motion: Motion
    limbs: tuple[str, ...]
    segments: tuple[tuple[str, str], ...]
    direction_error_deg: Floats = field(repr=False)
    hand_error_m: Floats = field(repr=False)
    speed_limited: npt.NDArray[np.bool_] = field(repr=False)

    def summary(self) -> tuple[LimbSummary, ...]:
        """Return the errors of each limb, in their order."""
        result = []
        for index, (limb, segments) in enumerate(zip(self.limbs, self.segments, strict=True)):
            errors = self.direction_error_deg[:, index]
            arm = index < self.hand_error_m.shape[1]
            mean, p90 = errors.mean(axis=0).tolist(), np.percentile(errors, 90, axis=0).tolist()
            result.append(
                LimbSummary(
                    limb=limb,
                    segments=segments,
                    direction_mean_deg=(mean[0], mean[1]),
                    direction_p90_deg=(p90[0], p90[1]),
                    hand_mean_m=float(self.hand_error_m[:, index].mean()) if arm else None,
                    hand_p90_m=float(np.percentile(self.hand_error_m[:, index], 90))
                    if arm
                    else None,
                )
            )
        return tuple(result)


@dataclass(frozen=True, eq=False)
class _Followed:
    names: tuple[str, ...]
    positions: Floats
    errors_deg: Floats
    hand_m: Floats | None
    limited: npt.NDArray[np.bool_]


def retarget(take: HumanTake, limbs: RetargetLimbs, settings: RetargetSettings) -> Retargeted:
    """Return the motion in which a robot does what a person did, with arms and head.

    Each sample is solved from the one before by least squares in the trunk's frame, joint limits
    included; the path is then smoothed and kept within the joints' speed and acceleration without
    a lag.

    Args:
        take: the take, of any size and place.
        limbs: see `find_limbs`.
        settings: weights and limits.

    Raises:
        ShowError: an arm of the take has no length, or its rate is not a motion's.
    """
    steps, head_axes = in_trunk(
        take.positions, take.orientations[:, INDEX["head"]], settings.mirror
    )
    parts = [_arm(take, steps, arm, limbs.joints, settings) for arm in limbs.arms]
    names = [arm.limb for arm in limbs.arms]
    segments = [ARM_SEGMENTS] * len(names)
    if limbs.head is not None:
        parts.append(_head(take, head_axes, limbs.head, limbs.joints, settings))
        names.append(limbs.head.limb)
        segments.append(HEAD_SEGMENTS)
    motion = Motion(
        name=motion_name(take.name),
        joint_names=tuple(name for part in parts for name in part.names),
        rate_hz=take.rate_hz,
        positions=np.hstack([part.positions for part in parts]),
        title=take.name[:200],
        source="imported",
    )
    hands = [part.hand_m for part in parts if part.hand_m is not None]
    return Retargeted(
        motion=motion,
        limbs=tuple(names),
        segments=tuple(segments),
        direction_error_deg=np.stack([part.errors_deg for part in parts], axis=1),
        hand_error_m=np.stack(hands, axis=1) if hands else np.empty((len(motion.positions), 0)),
        speed_limited=np.any([part.limited for part in parts], axis=0),
    )


def _arm(
    take: HumanTake, steps: Floats, arm: Arm, joints: JointTable, settings: RetargetSettings
) -> _Followed:
    """Return the path of an arm and its errors."""
    features = arm_features(arm, settings)
    targets, forearm = arm_targets(take.name, take.bone_lengths(), steps, arm, settings.mirror)
    path, limited = solve_path(take.rate_hz, arm.chain, features, targets, joints, settings)
    points = features_at(arm.chain, features, path)
    errors = (
        angle_deg(unit(points[:, 0] - arm.shoulder), unit(targets[:, 0] - arm.shoulder)),
        angle_deg(unit(points[:, 1] - points[:, 0]), forearm),
    )
    still = np.tile([angle for _, angle in arm.others], (len(path), 1))
    return _Followed(
        arm.chain.joints + tuple(name for name, _ in arm.others),
        np.hstack((path, still)),
        np.stack(errors, axis=1),
        np.linalg.norm(points[:, 1] - targets[:, 1], axis=1),
        limited,
    )


def _head(
    take: HumanTake, axes: Floats, head: Head, joints: JointTable, settings: RetargetSettings
) -> _Followed:
    """Return the path of the head and its errors."""
    features = head.features(settings.head_roll_weight)
    targets = np.stack((axes[:, :, 0], axes[:, :, 2]), axis=1)
    path, limited = solve_path(take.rate_hz, head.chain, features, targets, joints, settings)
    reached = features_at(head.chain, features, path)
    return _Followed(head.chain.joints, path, angle_deg(reached, targets), None, limited)


def solve_path(
    rate_hz: float,
    chain: Chain,
    features: Features,
    targets: Floats,
    joints: JointTable,
    settings: RetargetSettings,
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Return the path of a chain (k, n) [rad], and where its limits hold it back (k).

    Args:
        rate_hz: samples by time [Hz].
        chain: its joints (n).
        features: what has targets (m).
        targets: in the base (k, m, 3) [m], [1].
        joints: limits of the joints.
        settings: weights and limits.
    """
    columns = [joints.index[name] for name in chain.joints]
    speed = _SHARE * np.minimum(joints.velocity_limit[columns], settings.speed)
    wanted = track(
        chain,
        features,
        targets,
        rate_hz,
        speed,
        settings.damping_s,
        settings.limit_margin,
    )
    wanted = smoothed(wanted, rate_hz, settings.smoothing_s)
    path = follow(
        wanted,
        rate_hz,
        *inside(chain, settings.limit_margin),
        speed,
        _SHARE * np.minimum(joints.acceleration[columns], settings.acceleration),
        settings.follow_rate,
    )
    return path, np.asarray((np.abs(path - wanted) > SLOWED_RAD).any(axis=1))
