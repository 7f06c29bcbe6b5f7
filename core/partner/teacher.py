"""Teaching: takes of a person become a motion of the repertoire."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from core.link.partner import Teach, TeachReport
from core.mimesis.features import RATE_HZ
from core.partner.clips import Clips
from core.partner.learned import Learned, shown
from devices.interface import PoseFrame
from shows.errors import ShowError
from shows.human import HumanTake
from shows.repertoire import (
    LEAST_TAKES,
    MOST_MOTIONS,
    MOST_TAKE_S,
    MOST_TAKES,
    TAKES,
    KnownMotion,
    Repertoire,
)

SILENT_S: Final = 0.3
"""Time without a sample that ends a take."""
_NAME: Final = re.compile(r"\A[a-z][a-z0-9_]{0,59}\Z")  # with room for the number of a take


class TeachError(Exception):
    """An order to the teacher cannot be carried out; `str()` is a sentence."""


class Teacher:
    """Collects the takes of one motion.

    Args:
        learned: the repertoire that gets the motion.
        order: what is taught.
        clips: the robot's clips.

    Raises:
        TeachError: the order does not fit the repertoire.
    """

    def __init__(self, learned: Learned, order: Teach, clips: Clips) -> None:
        self._learned, self._order = learned, order
        self._takes: list[HumanTake] = []
        self._samples: list[PoseFrame] | None = None
        motions = {motion.name: motion for motion in learned.repertoire.motions}
        self._known = motions.get(order.name)
        if not _NAME.match(order.name):
            raise TeachError(
                f"{order.name!r} is no name of a motion; begin it with a letter, at most 60"
            )
        if self._known is None and len(motions) >= MOST_MOTIONS:
            raise TeachError(f"the repertoire is full: it has {MOST_MOTIONS} motions")
        if order.answer:
            try:
                clips.duration_s(order.answer, learned.folder)
            except ShowError as error:
                raise TeachError(str(error)) from None
        idle = [motion.name for motion in motions.values() if motion.idle]
        if order.idle and order.answer:
            raise TeachError("the idle motion has no answer; leave the answer out")
        if order.idle and idle not in ([], [order.name]):
            raise TeachError(f"{idle[0]!r} is the idle motion already; teach it more takes")
        told = (beat.motion for one in learned.repertoire.interactions for beat in one.beats)
        if order.idle and order.name in told:
            raise TeachError(
                f"{order.name!r} is part of an interaction, and cannot be the idle one"
            )

    @property
    def count(self) -> int:
        """Number of takes, with those that the motion had."""
        return len(self._takes) + (0 if self._known is None else len(self._known.takes))

    @property
    def recording(self) -> bool:
        """A take is recorded."""
        return self._samples is not None

    def record(self) -> None:
        """Begin a take.

        Raises:
            TeachError: one is recorded, or the motion has too many.
        """
        if self._samples is not None:
            raise TeachError("a take is being recorded; end it first")
        if self.count >= MOST_TAKES:
            raise TeachError(f"the motion has {MOST_TAKES} takes, which is the most")
        self._samples = []

    def take(self, sample: PoseFrame) -> None:
        """Add a sample to the take that is recorded.

        Raises:
            TeachError: the input was interrupted, or the take is too long; it is lost.
        """
        samples = self._samples
        if samples is None:
            return
        if samples and sample.stamp_s - samples[-1].stamp_s > 1.5 / RATE_HZ:
            self._lose("the input was interrupted in the take")
        samples.append(sample)
        if len(samples) > MOST_TAKE_S * RATE_HZ:
            self._lose(f"the take is longer than {MOST_TAKE_S:.0f} s")

    def wait(self, now_s: float) -> None:
        """Notice that no samples come.

        Args:
            now_s: host's monotonic clock [s].

        Raises:
            TeachError: the input was interrupted in a take; it is lost.
        """
        if self._samples and now_s - self._samples[-1].stamp_s > SILENT_S:
            self._lose("the input was interrupted in the take")

    def end_take(self) -> None:
        """Keep the take that is recorded.

        Raises:
            TeachError: none is recorded, or it shows no motion; it is lost.
        """
        samples, self._samples = self._samples, None
        if samples is None:
            raise TeachError("no take is being recorded")
        if len(samples) < 2:
            raise TeachError("nobody was seen in the take; look whether the source sends")
        try:
            take = HumanTake(
                self._free_name(),
                RATE_HZ,
                np.array([sample.positions for sample in samples]),
                np.array([sample.orientations for sample in samples]),
            ).normalised()
            shown(take, self._idle)
        except ShowError as error:
            raise TeachError(f"the take is not kept: {error.reason}; {error.advice}") from None
        self._takes.append(take)

    def drop(self) -> None:
        """Forget the newest take.

        Raises:
            TeachError: none was recorded since teaching began.
        """
        if self._samples is not None:
            self._samples = None
        elif self._takes:
            self._takes.pop()
        else:
            raise TeachError("no take was recorded since teaching began")

    def result(self) -> Repertoire:
        """Return the repertoire with the motion.

        Raises:
            TeachError: there are too few takes, or one is still recorded.
        """
        if self._samples is not None:
            raise TeachError("a take is being recorded; end it first")
        if self.count < LEAST_TAKES:
            raise TeachError(
                f"the motion has {self.count} of {LEAST_TAKES} takes; record more, or forget it"
            )
        before, names = self._known, tuple(take.name for take in self._takes)
        motion = KnownMotion(
            name=self._order.name,
            takes=names if before is None else before.takes + names,
            answer=self._order.answer or None,
            idle=self._idle,
        )
        old = self._learned.repertoire
        motions = tuple(motion if one.name == motion.name else one for one in old.motions)
        if before is None:
            motions = (*motions, motion)
        takes = {**old.takes, **{take.name: take for take in self._takes}}
        return replace(old, motions=motions, takes=takes)

    def report(self, trouble: str) -> TeachReport:
        """Return the state."""
        samples = self._samples
        return TeachReport(
            name=self._order.name,
            answer=self._order.answer,
            takes=self.count,
            needed=LEAST_TAKES,
            recording_s=None if samples is None else len(samples) / RATE_HZ,
            trouble=trouble,
        )

    @property
    def _idle(self) -> bool:
        return self._order.idle or (
            self._known is not None and self._known.idle and not self._order.answer
        )

    def _free_name(self) -> str:
        """Return a name for a take that no take and no file has."""
        folder: Path = self._learned.folder / TAKES
        used = {*self._learned.repertoire.takes, *(take.name for take in self._takes)}
        number = 1
        while (name := f"{self._order.name}_{number}") in used or (folder / f"{name}.bvh").exists():
            number += 1
        return name

    def _lose(self, reason: str) -> None:
        self._samples = None
        raise TeachError(f"{reason}; record the take again")
