"""Retargeting while it happens: each posture of a person as joint positions of a robot, at once."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.retarget.limbs import RetargetLimbs, arm_features
from core.retarget.settings import RetargetSettings
from core.retarget.track import Tracker, features_at
from core.retarget.wanted import angle_deg, arm_targets, in_trunk
from devices.interface import Floats


@dataclass(frozen=True, slots=True)
class Followed:
    """The joints of a robot that does what a person does.

    Attributes:
        positions: by joint [rad].
        error_deg: of the forearm or the gaze, by limb [deg].
    """

    positions: Mapping[str, float]
    error_deg: Mapping[str, float]


class LiveRetarget:
    """Follows one person with arms and head.

    Args:
        limbs: of the robot.
        lengths: of the person's bones (22) [m].
        settings: weights and limits.

    Raises:
        ShowError: an arm of the person has no length.
    """

    def __init__(self, limbs: RetargetLimbs, lengths: Floats, settings: RetargetSettings) -> None:
        self._limbs, self._lengths, self._settings = limbs, lengths, settings
        weights = (settings.damping_s, settings.limit_margin)
        self._arms = [
            (arm, features, Tracker(arm.chain, features, *weights))
            for arm, features in ((arm, arm_features(arm, settings)) for arm in limbs.arms)
        ]
        self._forearms = [np.zeros(3) for _ in self._arms]
        self._gaze = np.zeros(3)
        self._head: Tracker | None = None
        if limbs.head is not None:
            features = limbs.head.features(settings.head_roll_weight)
            self._head_features = features
            self._head = Tracker(limbs.head.chain, features, *weights)
        still = np.zeros((1, len(lengths), 3))
        for arm, _, _ in self._arms:
            arm_targets("capture", lengths, still, arm, settings.mirror)

    def restart(self) -> None:
        """Begin at rest."""
        for _, _, tracker in self._arms:
            tracker.restart()
        if self._head is not None:
            self._head.restart()

    def follow(self, positions: Floats, head: Floats, duration_s: float) -> Followed:
        """Return the joints for a posture.

        Args:
            positions: of the person's joints (22, 3) [m].
            head: orientation of the head, bone to world (3, 3).
            duration_s: since the posture before [s].
        """
        mirror = self._settings.mirror
        steps, axes = in_trunk(positions[None], head[None], mirror)
        found: dict[str, float] = {}
        for place, (arm, _, tracker) in enumerate(self._arms):
            targets, forearm = arm_targets("capture", self._lengths, steps, arm, mirror)
            self._forearms[place] = forearm[0]
            q = tracker.follow(targets[0], duration_s)
            found |= zip(arm.chain.joints, q.tolist(), strict=True)
            found |= arm.others
        own_head = self._limbs.head
        if self._head is not None and own_head is not None:
            self._gaze = axes[0, :, 0]
            q = self._head.follow(np.stack((self._gaze, axes[0, :, 2])), duration_s)
            found |= zip(own_head.chain.joints, q.tolist(), strict=True)
        return Followed(found, self._errors())

    def hold(self, positions: Mapping[str, float]) -> Mapping[str, float]:
        """Go on from other positions than those found; return their errors by limb [deg].

        Args:
            positions: by joint [rad].
        """
        for arm, _, tracker in self._arms:
            tracker.q = np.array([positions[joint] for joint in arm.chain.joints])
        if self._head is not None and self._limbs.head is not None:
            self._head.q = np.array([positions[joint] for joint in self._limbs.head.chain.joints])
        return self._errors()

    def _errors(self) -> dict[str, float]:
        """Return the errors of the newest positions, by limb [deg]."""
        errors: dict[str, float] = {}
        for (arm, features, tracker), forearm in zip(self._arms, self._forearms, strict=True):
            points = features_at(arm.chain, features, tracker.q[None])[0]
            own = points[1] - points[0]
            length = max(float(np.linalg.norm(own)), 1e-9)
            errors[arm.limb] = float(angle_deg(own / length, forearm))
        own_head = self._limbs.head
        if self._head is not None and own_head is not None:
            reached = features_at(own_head.chain, self._head_features, self._head.q[None])[0]
            errors[own_head.limb] = float(angle_deg(reached[0], self._gaze))
        return errors
