"""The motion that is edited: the raw one, the steps over it, and what was undone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from shows.errors import ShowError
from shows.joints import JointTable
from shows.motion import Marker, Motion
from shows.process.bench import Bench
from shows.process.steps import Step


@dataclass(frozen=True, slots=True)
class Item:
    """A step in the list.

    Attributes:
        step: what it does.
        on: it is applied.
    """

    step: Step
    on: bool = True


@dataclass(frozen=True, slots=True)
class State:
    """What an undo brings back.

    Attributes:
        items: the steps in order.
        markers: markers of the raw motion.
    """

    items: tuple[Item, ...] = ()
    markers: tuple[Marker, ...] = ()


class _Edit(QUndoCommand):
    """One change of the steps; changes of one key in a row are one."""

    def __init__(self, editor: "MotionEditor", text: str, after: State, key: str) -> None:
        super().__init__(text)
        self._editor, self._before, self._after, self._key = editor, editor.state, after, key

    def redo(self) -> None:
        """Take the steps after the change."""
        self._editor.put(self._after)

    def undo(self) -> None:
        """Take the steps before it."""
        self._editor.put(self._before)

    def id(self) -> int:
        """Return the same number for changes that may be merged; -1 for others."""
        return 1 if self._key else -1

    def mergeWith(self, other: QUndoCommand) -> bool:  # noqa: N802
        """Take a later change of the same key into this one."""
        if not isinstance(other, _Edit) or other._key != self._key:
            return False
        self._after = other._after
        return True


class MotionEditor(QObject):
    """Owns the raw motion, its steps, and their undo. The raw motion never changes.

    Attributes:
        raw: the motion before the first step; None before one is opened.
        take: file of the take that it is made of; None for a gesture without a take.
        state: the steps and markers.
        motion: the motion after every step that is on.
        undo: every change since it was opened.

    Signals:
        changed: the motion is another one.
        refused: a change was refused: the sentence.
    """

    changed = Signal()
    refused = Signal(str)

    def __init__(self, find: Callable[[str], Motion], parent: QObject | None = None) -> None:
        """Make an editor without a motion.

        Args:
            find: returns the motion of a gesture, for a layer.
            parent: parent object.
        """
        super().__init__(parent)
        self.raw: Motion | None = None
        self.take: Path | None = None
        self.state = State()
        self.motion: Motion | None = None
        self.undo = QUndoStack(self)
        self._find = find
        self._joints: JointTable | None = None
        self._bench: Bench | None = None

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that are applied."""
        return tuple(item.step for item in self.state.items if item.on)

    def open(
        self,
        raw: Motion,
        joints: JointTable,
        take: Path | None = None,
        steps: Sequence[Step] = (),
    ) -> None:
        """Edit another motion.

        Args:
            raw: the motion before the first step.
            joints: the robot's joints and limits.
            take: file of its take.
            steps: steps that were saved with it.
        """
        self.undo.clear()
        self.raw, self.take, self._joints = raw, take, joints
        self._bench = Bench(raw, joints, self._find)
        self.state, self.motion = State(), raw
        items = tuple(Item(step) for step in steps)
        if not self.put(State(items, raw.markers)):
            self.put(State((), raw.markers))

    def edit(self, text: str, items: Sequence[Item], key: str = "") -> bool:
        """Replace the steps, with a way back; return whether they were accepted.

        Args:
            text: name of the change, for the undo button.
            items: the steps after it.
            key: changes of one key in a row are undone at once.
        """
        return self._do(text, replace(self.state, items=tuple(items)), key)

    def mark(self, text: str, markers: Sequence[Marker]) -> bool:
        """Replace the markers of the raw motion, with a way back."""
        ordered = tuple(sorted(markers, key=lambda marker: marker.time_s))
        return self._do(text, replace(self.state, markers=ordered), "")

    def before(self, index: int) -> Motion | None:
        """Return the motion before a step of the list; that of a step that is off likewise."""
        if self._bench is None:
            return None
        applied = sum(item.on for item in self.state.items[:index])
        return self._bench.raw if not applied else self._bench.after(applied - 1)

    def put(self, state: State) -> bool:
        """Take steps and markers; return whether they fit the motion."""
        if self.raw is None or self._joints is None or self._bench is None:
            return False
        bench = self._bench
        if state.markers != bench.raw.markers:
            bench = Bench(replace(self.raw, markers=state.markers), self._joints, self._find)
        try:
            motion = bench.use(tuple(item.step for item in state.items if item.on))
        except ShowError as error:
            self.refused.emit(str(error))
            return False
        self._bench, self.state, self.motion = bench, state, motion
        self.changed.emit()
        return True

    def _do(self, text: str, after: State, key: str) -> bool:
        if after == self.state or self._bench is None:
            return False
        before = self.state
        if not self.put(after):
            return False
        self.state = before
        self.undo.push(_Edit(self, text, after, key))
        return True
