"""Recognises what a person does, and chooses the robot's answer."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.link.message import Vector3
from core.link.partner import Symbol
from core.mimesis.features import FeatureStream
from core.mimesis.recogniser import NOBODY
from core.mimesis.space import place_of
from core.partner.learned import Learned, drawn
from devices.interface import Floats, PoseFrame
from shows.human import BONES, INDEX, SIDES, chain_height

LISTENS_AFTER: Final = 0.8
"""Share of an answer after which the robot listens again."""
KNOWN: Final = 0.05  # share of the known motions from which the present one has a place
_HEAD: Final = INDEX["head"]
_FEET: Final = [INDEX[f"{side}_foot"] for side in SIDES]


@dataclass(frozen=True, eq=False)
class Build:
    """How a person is built, for what a motion looks like whoever makes it.

    Attributes:
        height_m: of the head above the ankles, limbs straight [m].
        reach_m: of the arms, left and right [m].
        ankles_m: height of the ankles of the standing person above the floor [m].
        hips_m: height of the hips above these [m].
    """

    height_m: float
    reach_m: tuple[float, float]
    ankles_m: float
    hips_m: float


def build_of(lengths: Floats, standing: Floats) -> Build:
    """Return a person's build.

    Args:
        lengths: of the bones (22) [m].
        standing: positions of the joints of the person who stands, the floor at z = 0 (22, 3) [m].
    """
    length = dict(zip(BONES, lengths.tolist(), strict=True))
    left, right = (length[f"{side}_lower_arm"] + length[f"{side}_hand"] for side in SIDES)
    ankles_m = float(standing[_FEET, 2].min())
    return Build(chain_height(length), (left, right), ankles_m, float(standing[0, 2]) - ankles_m)


@dataclass(frozen=True, slots=True)
class Heard:
    """A motion that has just been recognised.

    Attributes:
        motion: its name.
        answer: name of the clip that answers; None without one.
    """

    motion: str
    answer: str | None


class Listener:
    """Follows one person through one repertoire.

    Args:
        learned: the repertoire.
        build: of the person.

    Attributes:
        heard: name of the newest motion that was recognised; empty without one.
        heard_s: when, host's monotonic clock [s].
        here: place of the present motion in the space of symbols; None while unknown.
    """

    def __init__(self, learned: Learned, build: Build) -> None:
        self._learned, self._build = learned, build
        self._recogniser, self._dialogue = learned.recogniser(), learned.dialogue()
        self._stream = FeatureStream(build.height_m, build.reach_m, build.hips_m)
        self._told = {beat.motion for one in learned.repertoire.interactions for beat in one.beats}
        self._shares = np.zeros(len(learned.models))
        self.heard, self.heard_s = "", -math.inf
        self.here: Vector3 | None = None
        self.restart()

    def restart(self) -> None:
        """Begin: the person stands still, and no beat of an interaction has happened."""
        self._deaf_until_s = -math.inf
        self._deaf = False
        if self._recogniser is not None:
            self._recogniser.restart()
        if self._dialogue is not None:
            self._dialogue.restart()
        self._know(np.zeros(len(self._shares)))

    def listen(self, sample: PoseFrame, answers: bool) -> Heard | None:
        """Take the next sample of 30 a second; return what was recognised by it.

        Args:
            sample: calibrated, its stamp on the host's clock.
            answers: the robot answers: it does not listen until 80 % of its answer are over.
        """
        positions = sample.positions - [0.0, 0.0, self._build.ankles_m]
        features = self._stream.features(positions, sample.orientations[_HEAD])
        recogniser = self._recogniser
        if recogniser is None or sample.stamp_s < self._deaf_until_s:
            return None
        if self._deaf:
            self._deaf = False
            recogniser.restart()
        scores = recogniser.watch(features)
        self._know(scores.shares[NOBODY:])
        if scores.decided < 0:
            return None
        motion = self._learned.repertoire.motions[scores.decided]
        self.heard, self.heard_s = motion.name, sample.stamp_s
        answer = self._answer(motion.name, motion.answer) if answers else None
        if answer is not None:
            length_s = self._learned.answers_s[answer]
            self._deaf, self._deaf_until_s = True, sample.stamp_s + LISTENS_AFTER * length_s
            self._know(np.zeros(len(self._shares)))
        return Heard(motion.name, answer)

    def symbols(self) -> tuple[Symbol, ...]:
        """Return the motions with their present scores."""
        return self._learned.symbols(self._shares)

    def _answer(self, motion: str, own: str | None) -> str | None:
        """Return the clip that answers a motion: by the interactions if it is a part of them."""
        if self._dialogue is None or motion not in self._told:
            return own
        chances = self._dialogue.hear(self._shares / self._shares.sum())
        best = int(chances.argmax())
        self._dialogue.say(best)
        return tuple(self._learned.answers_s)[best]

    def _know(self, shares: Floats) -> None:
        self._shares = shares
        known = float(shares.sum()) >= KNOWN
        self.here = drawn(place_of(shares, self._learned.places)) if known else None
