"""The repertoire of the partner: loaded, taught and listened for, beside the postures."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeAlias

import msgspec
import numpy as np

from core.link.message import Vector3
from core.link.partner import (
    DropTake,
    EndTeach,
    RecordTake,
    Symbol,
    Teach,
    TeachReport,
    UseRepertoire,
)
from core.partner.clips import Clips, repertoire_folder
from core.partner.learned import Learned, learned
from core.partner.listener import Build, Heard, Listener
from core.partner.loader import Loader
from core.partner.teacher import Teacher, TeachError
from devices.interface import PoseFrame
from shows.errors import ShowError
from shows.fields import Name
from shows.repertoire import FILE, FOLDER, Repertoire, load_repertoire, save_repertoire

SchoolOrder: TypeAlias = UseRepertoire | Teach | RecordTake | DropTake | EndTeach


def learned_from(place: Callable[[], Path], clips: Clips) -> Learned:
    """Return what is learned from a folder; a new folder of a show holds nothing yet.

    Args:
        place: returns the folder.
        clips: the robot's clips.

    Raises:
        ShowError: the repertoire cannot be used.
    """
    folder = place()
    try:
        msgspec.convert(folder.name, Name)
    except msgspec.ValidationError:
        advice = "use lower-case letters, digits and _, starting with a letter, at most 64"
        raise ShowError(folder.name, "", "is no name of a repertoire", advice) from None
    new = folder.parent.name == FOLDER and folder.parent.parent.is_dir()
    if new and not (folder / FILE).exists():
        return learned(folder, Repertoire(), clips)
    return learned(folder, load_repertoire(folder), clips)


def saved(before: Learned, repertoire: Repertoire, clips: Clips) -> Learned:
    """Learn a repertoire that was changed, and save it.

    Raises:
        ShowError: it cannot be learned or saved; the old files remain.
    """
    found = learned(before.folder, repertoire, clips, before)
    save_repertoire(repertoire, before.folder)
    return found


class School:
    """Holds at most one repertoire, and teaches at most one motion.

    Args:
        clips: the robot's clips.

    Attributes:
        trouble: reason why a repertoire could not be loaded, one sentence.
    """

    def __init__(self, clips: Clips) -> None:
        self._clips, self._loader = clips, Loader()
        self.trouble = ""
        self._learned: Learned | None = None
        self._listener: Listener | None = None
        self._build: Build | None = None
        self._teacher: Teacher | None = None
        self._teach_trouble = ""
        self._saves = self._stale = False  # of the task: it saves; another one is wanted
        self._wanted: Callable[[], Path] | None = None

    @property
    def name(self) -> str:
        """Name of the loaded repertoire; empty without one."""
        return "" if self._learned is None else self._learned.folder.name

    @property
    def path(self) -> str:
        """Path of the loaded repertoire; empty without one."""
        return "" if self._learned is None else str(self._learned.folder)

    def obey(self, order: SchoolOrder, heard: bool) -> None:
        """Carry out an order; a refusal is in the report.

        Args:
            order: the order.
            heard: the input of a person arrives.
        """
        if isinstance(order, UseRepertoire):
            folder = Path(order.path).absolute()
            self._use((lambda: folder) if order.path else None)
            return
        self._teach_trouble = ""
        try:
            self._teach(order, heard)
        except TeachError as error:
            self._teach_trouble = str(error)

    def use_of_show(self, show: str, name: str) -> None:
        """Load a repertoire of the loaded show, by its name."""
        self._use(partial(repertoire_folder, Path(show), name))

    def meet(self, build: Build | None) -> None:
        """Listen to a person of this build; None: to nobody."""
        if build is not self._build:
            self._build = build
            self._take(self._learned)

    def restart(self) -> None:
        """Begin to listen: no beat of an interaction has happened."""
        if self._listener is not None:
            self._listener.restart()

    def step(self, now_s: float) -> None:
        """Look after the tasks and the take that is recorded, at a time [s]."""
        if self._wanted is not None and not self._loader.busy:
            self._loader.start(partial(learned_from, self._wanted, self._clips))
            self._wanted = None
        self._take_result()
        if self._teacher is not None:
            try:
                self._teacher.wait(now_s)
            except TeachError as error:
                self._teach_trouble = str(error)

    def _take_result(self) -> None:
        """Use what a task has learned, or tell why it has not."""
        try:
            found = self._loader.result()
        except (ShowError, OSError) as error:  # as of a folder's name that is too long
            if self._saves:
                self._teach_trouble = str(error)
            elif not self._stale:
                self.trouble = str(error)
                self._take(None)
        else:
            if found is None:
                return
            if self._saves:
                self._teacher = None
            if not self._stale:
                self._take(found)
        self._saves = self._stale = False

    def listen(self, sample: PoseFrame, answers: bool) -> Heard | None:
        """Take a sample of the person; return what was recognised by it.

        Args:
            sample: calibrated, one of 30 a second.
            answers: the robot answers.
        """
        if self._teacher is not None:
            try:
                self._teacher.take(sample)
            except TeachError as error:
                self._teach_trouble = str(error)
        if self._listener is None:
            return None
        return self._listener.listen(sample, answers and self._teacher is None)

    def symbols(self) -> tuple[Symbol, ...]:
        """Return the motions of the repertoire."""
        if self._listener is not None:
            return self._listener.symbols()
        found = self._learned
        return () if found is None else found.symbols(np.zeros(len(found.models)))

    def heard(self, now_s: float) -> tuple[str, float, Vector3 | None]:
        """Return the newest motion, how long ago it was [s], and the place of the present one."""
        listener = self._listener
        if listener is None:
            return "", float("inf"), None
        return listener.heard, now_s - listener.heard_s, listener.here

    def teaching(self) -> TeachReport:
        """Return the state of the motion that is taught."""
        if self._teacher is None:
            return TeachReport(trouble=self._teach_trouble)
        return self._teacher.report(self._teach_trouble)

    def close(self) -> None:
        """Let a repertoire be saved completely."""
        self._loader.close()

    def _use(self, place: Callable[[], Path] | None) -> None:
        """Load the repertoire of a folder; None unloads it."""
        if self._teacher is not None:
            self.trouble = "a motion is being taught; keep it or forget it first"
            return
        self.trouble = ""
        self._wanted, self._stale = place, self._loader.busy
        if place is None:
            self._take(None)

    def _teach(self, order: Teach | RecordTake | DropTake | EndTeach, heard: bool) -> None:
        """Carry out an order about teaching.

        Raises:
            TeachError: why it cannot be carried out.
        """
        if self._loader.busy or self._wanted is not None:
            raise TeachError("the repertoire is being learned; wait a moment")
        teacher = self._teacher
        if isinstance(order, Teach):
            if self._learned is None:
                raise TeachError("no repertoire is loaded; choose or make one first")
            if teacher is not None:
                raise TeachError("a motion is being taught; keep it or forget it first")
            self._teacher = Teacher(self._learned, order, self._clips)
            return
        if teacher is None or self._learned is None:
            raise TeachError("no motion is being taught; begin with its name")
        if isinstance(order, DropTake):
            teacher.drop()
        elif isinstance(order, RecordTake) and not order.on:
            teacher.end_take()
        elif isinstance(order, RecordTake):
            if not heard:
                raise TeachError("no input of the person arrives; look whether the source sends")
            if self._build is None:
                raise TeachError("the person is not calibrated; hold the T-pose first")
            teacher.record()
        elif order.keep:
            task = partial(saved, self._learned, teacher.result(), self._clips)
            self._saves = True
            self._loader.start(task)
        else:
            self._teacher = None

    def _take(self, found: Learned | None) -> None:
        """Use what was learned, or nothing."""
        self._learned = found
        self._listener = None
        if found is not None and self._build is not None:
            self._listener = Listener(found, self._build)
