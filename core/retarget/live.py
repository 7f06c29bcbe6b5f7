"""Retargeting while it happens: each posture of a person as joint positions of a robot, at once."""

from collections.abc import Mapping

import numpy as np

from core.retarget.chain import Chain
from core.retarget.limbs import RetargetLimbs, arm_features
from core.retarget.settings import RetargetSettings
from core.retarget.track import Tracker, features_at
from core.retarget.wanted import angle_deg, arm_targets, in_trunk
from devices.interface import Floats


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

    def follow(self, positions: Floats, head: Floats, duration_s: float) -> dict[str, float]:
        """Return the positions of the robot's joints for a posture, by joint [rad].

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
        return found

    def hold(self, positions: Mapping[str, float]) -> None:
        """Go on from other positions than those found, by joint [rad]."""
        for arm, _, tracker in self._arms:
            tracker.q = _of(arm.chain, positions)
        if self._head is not None and self._limbs.head is not None:
            self._head.q = _of(self._limbs.head.chain, positions)

    def errors_deg(self, positions: Mapping[str, float]) -> dict[str, float]:
        """Return how far the robot would be from the newest posture, by limb [deg].

        It is the angle between the forearms or the gazes.

        Args:
            positions: by joint [rad].
        """
        errors: dict[str, float] = {}
        for (arm, features, _), forearm in zip(self._arms, self._forearms, strict=True):
            points = features_at(arm.chain, features, _of(arm.chain, positions)[None])[0]
            own = points[1] - points[0]
            length = max(float(np.linalg.norm(own)), 1e-9)
            errors[arm.limb] = float(angle_deg(own / length, forearm))
        head = self._limbs.head
        if head is not None:
            reached = features_at(
                head.chain, self._head_features, _of(head.chain, positions)[None]
            )[0]
            errors[head.limb] = float(angle_deg(reached[0], self._gaze))
        return errors


def _of(chain: Chain, positions: Mapping[str, float]) -> Floats:
    """Return the positions of a chain's joints (n) [rad]."""
    return np.array([positions[joint] for joint in chain.joints])
