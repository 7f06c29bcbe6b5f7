"""The pose that is edited, and what was undone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from shows.joints import JointTable
from shows.limbs import mirrored_limbs
from shows.motion import Source
from shows.pose import Pose, mirrored_angles


@dataclass(frozen=True, slots=True)
class State:
    """What an undo brings back.

    Attributes:
        pose: number of the pose that was opened or begun; the same until another one is.
        angles: of every joint that a pose can move [rad].
        limbs: names of the limbs that belong to the pose.
        source: recorded or keyed or imported.
    """

    pose: int = 0
    angles: Mapping[str, float] = field(default_factory=dict)
    limbs: frozenset[str] = frozenset()
    source: Source = "keyed"


class _Edit(QUndoCommand):
    """One change of the pose; changes of one key in a row are one."""

    def __init__(self, editor: "PoseEditor", text: str, after: State, key: str) -> None:
        super().__init__(text)
        self._editor, self._before, self._after, self._key = editor, editor.state, after, key

    def redo(self) -> None:
        """Take the pose after the change."""
        self._editor.state = self._after

    def undo(self) -> None:
        """Take the pose before it."""
        self._editor.state = self._before

    def id(self) -> int:
        """Return the same number for changes that may be merged; -1 for others."""
        return 1 if self._key else -1

    def mergeWith(self, other: QUndoCommand) -> bool:  # noqa: N802
        """Take a later change of the same key into this one."""
        if not isinstance(other, _Edit) or other._key != self._key:
            return False
        self._after = other._after
        return True


class PoseEditor(QObject):
    """Owns the angles that the sliders show, and their undo.

    Attributes:
        joints: the robot's joints; None before the first core.
        rest: rest posture by joint [rad].
        state: the pose.
        undo: every change since the robot is known.

    Signals:
        changed: the pose is another one.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.joints: JointTable | None = None
        self.rest: dict[str, float] = {}
        self.state = State()
        self._numbers = 0
        self._names: dict[int, str] = {}  # of the poses that were opened or saved
        self.undo = QUndoStack(self)

    @property
    def name(self) -> str:
        """Name of the saved pose that is edited; empty for a new one."""
        return self._names.get(self.state.pose, "")

    @property
    def pose_angles(self) -> dict[str, float]:
        """The angles of the limbs that belong to the pose [rad]."""
        joints, state = self.joints, self.state
        if joints is None:
            return {}
        return {j: a for j, a in state.angles.items() if joints.limb_of[j] in state.limbs}

    def meet(self, joints: JointTable, rest: Mapping[str, float]) -> None:
        """Begin with the rest posture of a robot."""
        self.joints = joints
        self.rest = {
            joint: float(
                np.clip(
                    rest.get(joint, 0.0),
                    joints.lower[joints.index[joint]],
                    joints.upper[joints.index[joint]],
                )
            )
            for joint in joints.limb_of
        }
        self.undo.clear()
        self.state = State(self._next(), dict(self.rest), frozenset(joints.joints_of))
        self.changed.emit()

    def open(self, pose: Pose) -> None:
        """Edit a saved pose; limbs that it does not name are at rest and do not belong to it."""
        if self.joints is None:
            return
        limbs = frozenset(self.joints.limb_of[j] for j in pose.angles if j in self.joints.limb_of)
        known = {j: a for j, a in pose.angles.items() if j in self.joints.limb_of}
        number = self._next()
        self._names[number] = pose.name
        state = State(number, {**self.rest, **known}, limbs, pose.source)
        self._do(f"open {pose.label}", state)

    def begin(self) -> None:
        """Edit a new pose, at rest."""
        if self.joints is not None:
            limbs = frozenset(self.joints.joints_of)
            self._do("new pose", State(self._next(), dict(self.rest), limbs))

    def saved_as(self, name: str) -> None:
        """Take that the pose is saved under a name."""
        self._names[self.state.pose] = name
        self.changed.emit()

    def renamed(self, name: str, fresh: str) -> None:
        """Take that a saved pose has another name."""
        found = {number: fresh for number, known in self._names.items() if known == name}
        self._names |= found

    def set_angles(
        self,
        text: str,
        angles: Mapping[str, float],
        key: str = "",
        source: Source = "keyed",
        limbs: Iterable[str] | None = None,
    ) -> None:
        """Change some angles, within limits.

        Args:
            text: name of the change, for the undo button.
            angles: new angles by joint [rad].
            key: changes of one key in a row are undone at once.
            source: where they are from.
            limbs: the limbs that belong to the pose from now on; None: as before.
        """
        joints, state = self.joints, self.state
        if joints is None:
            return
        after = dict(state.angles)
        for joint, angle in angles.items():
            i = joints.index[joint]
            after[joint] = float(np.clip(angle, joints.lower[i], joints.upper[i]))
        chosen = state.limbs if limbs is None else frozenset(limbs)
        if after != state.angles or chosen != state.limbs:
            self._do(text, State(state.pose, after, chosen, source), key)

    def choose_limb(self, limb: str, chosen: bool) -> None:
        """Let a limb belong to the pose, or not."""
        limbs = self.state.limbs | {limb} if chosen else self.state.limbs - {limb}
        if limbs != self.state.limbs:
            self._do("limbs of the pose", replace(self.state, limbs=limbs))

    def rest_limb(self, limb: str) -> None:
        """Put a limb at rest."""
        if self.joints is not None:
            names = self.joints.joints_of[limb]
            self.set_angles("rest", {joint: self.rest[joint] for joint in names})

    def mirror(self, limbs: Iterable[str] | None = None) -> None:
        """Exchange left and right; a middle limb is turned to the other side.

        Args:
            limbs: one side of each pair is enough; None means all, and which belong to the pose.
        """
        if self.joints is None:
            return
        others = mirrored_limbs(self.joints.limbs)
        if limbs is None:
            moved = set(self.joints.joints_of)
            chosen = frozenset(others.get(limb, limb) for limb in self.state.limbs)
        else:
            moved = {name for limb in limbs for name in (limb, others.get(limb, limb))}
            chosen = self.state.limbs
        names = [joint for joint, limb in self.joints.limb_of.items() if limb in moved]
        angles = mirrored_angles(self.state.angles, names, self.joints)
        self.set_angles("mirror", angles, limbs=chosen)

    def copy_limb(self, limb: str) -> None:
        """Give the limb of the other side the mirror image of this one."""
        joints = self.joints
        other = None if joints is None else mirrored_limbs(joints.limbs).get(limb)
        if joints is None or other is None:
            return
        angles = mirrored_angles(self.state.angles, joints.joints_of[limb], joints)
        self.set_angles("copy to the other side", angles, limbs=self.state.limbs | {other})

    def step_back(self) -> None:
        """Undo the last change."""
        self.undo.undo()
        self.changed.emit()

    def step_forward(self) -> None:
        """Do the undone change again."""
        self.undo.redo()
        self.changed.emit()

    def _next(self) -> int:
        """Return the number of another pose."""
        self._numbers += 1
        return self._numbers

    def _do(self, text: str, after: State, key: str = "") -> None:
        self.undo.push(_Edit(self, text, after, key))
        self.changed.emit()
