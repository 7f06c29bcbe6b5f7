"""What is learned from a repertoire: models of its motions, their space, and its interactions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from core.link.message import Vector3
from core.link.partner import Symbol
from core.mimesis.dialogue import Beat, Dialogue
from core.mimesis.features import PAUSE_SAMPLES, RATE_HZ, VISIBLE, demonstration, features_of
from core.mimesis.hidden_markov import STATES, HiddenMarkov, learn
from core.mimesis.recogniser import Recogniser
from core.mimesis.space import DIMENSIONS, DRAWN, likeness, places
from core.partner.clips import Clips
from devices.interface import Floats
from shows.errors import ShowError
from shows.human import HumanTake
from shows.repertoire import Repertoire

SHOWN: Final = 5
"""As how many demonstrations an interaction that is written down counts."""
LEAST_S: Final = STATES / RATE_HZ
STILL_S: Final = PAUSE_SAMPLES / RATE_HZ


@dataclass(frozen=True, eq=False)
class Learned:
    """A repertoire that was learned.

    Attributes:
        folder: of the repertoire.
        repertoire: the motions, in the order of the models.
        models: of the motions (m).
        places: of the motions in the space of symbols (m, 4).
        answers_s: length of each clip that answers, by name [s].
    """

    folder: Path
    repertoire: Repertoire
    models: tuple[HiddenMarkov, ...] = field(repr=False)
    places: Floats = field(repr=False)
    answers_s: Mapping[str, float]

    def recogniser(self) -> Recogniser | None:
        """Return what follows the motions; None if there are none."""
        return Recogniser(self.models) if self.models else None

    def dialogue(self) -> Dialogue | None:
        """Return what chooses answers by the interactions; None if there are none."""
        interactions = self.repertoire.interactions
        if not interactions:
            return None
        index = {motion.name: i for i, motion in enumerate(self.repertoire.motions)}
        answer = {name: i for i, name in enumerate(self.answers_s)}
        scripts: list[list[Beat]] = [
            [(index[beat.motion], answer[beat.answer]) for beat in one.beats]
            for one in interactions
        ]
        return Dialogue([[beats] * SHOWN for beats in scripts], len(index), len(answer))

    def symbols(self, shares: Floats) -> tuple[Symbol, ...]:
        """Return the motions with their places.

        Args:
            shares: how much of the present motion each of them explains (m).
        """
        return tuple(
            Symbol(motion.name, len(motion.takes), motion.answer or "", drawn(place), share)
            for motion, place, share in zip(
                self.repertoire.motions, self.places, shares.tolist(), strict=True
            )
        )


def drawn(place: Floats) -> Vector3:
    """Return what is drawn of a place in the space of symbols (3)."""
    x, y, z = place[:DRAWN].tolist()
    return x, y, z


def learned(
    folder: Path, repertoire: Repertoire, clips: Clips, before: Learned | None = None
) -> Learned:
    """Return what is learned from a repertoire; it takes about a second for twenty takes.

    Args:
        folder: of the repertoire.
        repertoire: what is learned.
        clips: the robot's clips.
        before: the same repertoire with other motions, whose models are kept.

    Raises:
        ShowError: a take shows too little, or the robot has no such clip.
    """
    answers_s = {name: clips.duration_s(name, folder) for name in repertoire.answers()}
    kept: dict[tuple[tuple[str, ...], bool], HiddenMarkov] = {}
    if before is not None:
        known = zip(before.repertoire.motions, before.models, strict=True)
        kept = {(motion.takes, motion.idle): model for motion, model in known}
    models = tuple(
        kept.get((motion.takes, motion.idle))
        or learn([shown(repertoire.takes[name], motion.idle) for name in motion.takes])
        for motion in repertoire.motions
    )
    points = places(likeness(models)) if models else np.empty((0, DIMENSIONS))
    return Learned(folder, repertoire, models, points, answers_s)


def shown(take: HumanTake, idle: bool) -> Floats:
    """Return the features of what a take shows, relative to its pause (k, d).

    Args:
        take: of a person who stands still, moves, and stands still again.
        idle: the person waits, which need not be visible.

    Raises:
        ShowError: the person does not stand still at the beginning, or moves too little or too
            shortly.
    """
    features = features_of(take)
    pause = features[:PAUSE_SAMPLES]
    motion: Floats = features - pause.mean(axis=0)
    if not idle:
        if np.abs(motion[:PAUSE_SAMPLES]).max() > VISIBLE:
            reason = f"the person does not stand still for the first {STILL_S:.1f} s"
            raise ShowError(take.name, "", reason, "stand still, move, and stand still again")
        motion = demonstration(features)
    if len(motion) < STATES:
        reason = f"the person moves for less than {LEAST_S:.1f} s, or too little to be seen"
        raise ShowError(take.name, "", reason, "move more clearly")
    return motion
