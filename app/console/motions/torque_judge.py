"""Asks the stagehand about the torques of the motion that is edited."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject

from app.console.context.asking import Asking
from app.console.context.core_link import CoreLink
from app.console.toolkit import theme
from core.link import topics
from core.link.torque import MOST_VALUES, TorqueAnswer, TorqueQuestion
from shows.body_limb import COORDINATES
from shows.joints import Floats
from shows.motion import Motion
from shows.process.sampling import sampler

SETTLED_MS = 250  # after the last edit
FULL_RATE_HZ = 100.0
MOST_RAD = 6.28  # that a question takes
LEAST_RATE_HZ = 50.0  # below it fast movements are not seen


@dataclass(frozen=True, eq=False)
class MotionTorque:
    """Torques of a motion.

    Attributes:
        joint_names: its n joints.
        rate_hz: samples a second [Hz].
        torque: of the actuators (k, n) [N·m].
        most: that they have at that speed (k, n) [N·m].
    """

    joint_names: tuple[str, ...]
    rate_hz: float
    torque: Floats
    most: Floats


class TorqueJudge(Asking[TorqueQuestion, TorqueAnswer]):
    """Asks about the newest motion once it has settled."""

    def __init__(self, link: CoreLink, parent: QObject) -> None:
        super().__init__(link, topics.TORQUE_ANSWER, link.ask_torque, SETTLED_MS, parent)
        self._asked: TorqueQuestion | None = None

    def ask_about(self, motion: Motion) -> None:
        """Ask about a motion, unless it was asked about last."""
        question = question_of(motion)
        if question is None:
            self._asked = None
        elif question != self._asked:
            self._asked = question
            self.ask(question, at_once=False)

    def found(self) -> tuple[MotionTorque | None, str]:
        """Return the torques of the motion that was asked about last, and words about them."""
        asked, answer = self.answered, self.answer
        if self._asked is None:
            return None, ""
        if answer is None or asked is None:
            return None, "not known (no core answers)" if self.silent else "being computed"
        if answer.trouble:
            return None, f"not known: {answer.trouble}"
        count = len(asked.joint_names)
        torque, most = (np.array(v).reshape(-1, count) for v in (answer.torque, answer.most))
        share = np.abs(torque) / most
        joint = int(share.max(axis=0).argmax())
        name = asked.joint_names[joint].replace("_", " ")
        tone = theme.BAD if share.max() > 1.0 else theme.GOOD
        words = f"{tone.mark} most: {name} {100.0 * share.max():.0f} %"
        if asked.rate_hz < LEAST_RATE_HZ:
            words += f", at {asked.rate_hz:.0f} samples a second: fast movements are not seen"
        if asked is not self._asked:
            words += ", being computed anew"
        return MotionTorque(asked.joint_names, asked.rate_hz, torque, most), words


def question_of(motion: Motion) -> TorqueQuestion | None:
    """Return the question about a motion's joints, in as many samples as a question takes.

    The sender and the number are filled in by the link. The body has no actuators: there is no
    question about a motion that moves nothing else.
    """
    own = [i for i, joint in enumerate(motion.joint_names) if joint not in COORDINATES]
    count = len(own)
    if not count:
        return None
    names = tuple(motion.joint_names[i] for i in own)
    rate_hz = min(motion.rate_hz, FULL_RATE_HZ, MOST_VALUES / count / (motion.duration_s + 0.1))
    samples = max(3, int(motion.duration_s * rate_hz + 1e-6) + 1)
    times_s = np.minimum(np.arange(samples) / rate_hz, motion.duration_s)
    sampled = sampler(motion)(times_s)[:, own]
    positions = np.clip(np.round(sampled, 5), -MOST_RAD, MOST_RAD)
    return TorqueQuestion("x", 0, names, rate_hz, tuple(positions.ravel().tolist()))
