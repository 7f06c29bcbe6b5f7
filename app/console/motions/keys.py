"""The keys of the chosen step: which are chosen, how they are edited, and what an edit said."""

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, TypeAlias

import numpy as np
from PySide6.QtCore import QObject, Signal

from app.console.motions.editor import Item, MotionEditor
from app.console.motions.snapping import Snap
from shows.errors import ShowError
from shows.joints import JointTable
from shows.motion import Motion
from shows.process import key_edits
from shows.process.curves import Curve, Key, Tangent, evaluate
from shows.process.key_edits import Chosen, Clip, Curves, Edited, Room, by_joint, keys_of, plain
from shows.process.key_tangents import corners, joined, with_slopes, with_tangents
from shows.process.steps import Keys

About: TypeAlias = Literal["centre", "playhead"]


class KeyEditor(QObject):
    """Owns the choice of keys, the copied keys, and the edit that the mouse has begun.

    Attributes:
        row: row of the step whose keys are edited; -1 for none.
        shown: the joints whose curves are shown; edits reach no others.
        chosen: the chosen keys.
        snap: where dragged keys snap to.
        about: centre of a scaling.

    Signals:
        changed: other keys, or other chosen ones; also while the mouse drags.
        said: what stopped an edit, or what it leads to; empty if nothing did.
    """

    changed = Signal()
    said = Signal(str)

    def __init__(
        self, editor: MotionEditor, now: Callable[[], float], parent: QObject | None = None
    ) -> None:
        """Edit no keys yet.

        Args:
            editor: the motion and its undo.
            now: returns the time of the playhead [s].
            parent: parent object.
        """
        super().__init__(parent)
        self._editor, self._now = editor, now
        self.row = -1
        self.shown: tuple[str, ...] = ()
        self.chosen: Chosen = frozenset()
        self.snap: Snap = "grid"
        self.about: About = "centre"
        self._clip: Clip = ()
        self._begun: tuple[Keys, Edited] | None = None  # a step, and its edit by the mouse
        self._table: JointTable | None = None

    # ---- what is there

    @property
    def step(self) -> Keys | None:
        """The step that is edited."""
        items = self._editor.state.items
        step = items[self.row].step if 0 <= self.row < len(items) else None
        return step if isinstance(step, Keys) else None

    @property
    def curves(self) -> Curves:
        """Every curve as it is seen: by joint."""
        if self._preview is not None:
            return self._preview.curves
        return {} if self.step is None else self.step.curves

    @property
    def joints(self) -> tuple[str, ...]:
        """The shown joints that have a curve."""
        curves = self.curves
        return tuple(joint for joint in self.shown if joint in curves)

    @property
    def dragging(self) -> bool:
        """Whether the mouse has begun an edit."""
        return self._preview is not None

    @property
    def keys(self) -> list[Key]:
        """The chosen keys."""
        return keys_of(self.curves, self.chosen)

    @property
    def like(self) -> Motion | None:
        """The motion before the step, which gives length, rate and markers."""
        return self._editor.before(self.row) if self.row >= 0 else None

    @property
    def room(self) -> Room:
        """Where keys may be."""
        like, table = self.like, self._table
        limits = {}
        if table is not None:
            rows = ((joint, table.index[joint]) for joint in self.curves if joint in table.index)
            limits = {j: (float(table.lower[i]), float(table.upper[i])) for j, i in rows}
        return Room(0.0 if like is None else like.duration_s, limits)

    def look(self, row: int, shown: Iterable[str], table: JointTable | None) -> None:
        """Edit the keys of another step, or of other joints.

        Args:
            row: of the step in the list; a step of another kind has no keys.
            shown: the joints whose curves are shown.
            table: the robot's joints and limits.
        """
        self.row, self.shown, self._table = row, tuple(shown), table
        if self.step is None:
            self.row = -1
        there = self.curves
        self.chosen = frozenset(
            (joint, index)
            for joint, index in self.chosen
            if joint in self.joints and index < len(there[joint].keys)
        )
        self.changed.emit()

    # ---- choosing

    def choose(self, chosen: Iterable[tuple[str, int]]) -> None:
        """Choose these keys and no others."""
        self.chosen = frozenset(chosen)
        self.changed.emit()

    def choose_all(self) -> None:
        """Choose every key of the shown joints."""
        curves = self.curves
        self.choose((joint, i) for joint in self.joints for i in range(len(curves[joint].keys)))

    # ---- edits

    def delete(self) -> None:
        """Delete the chosen keys."""
        if self.chosen:
            self._do("delete keys", key_edits.deleted(self.curves, self.chosen))

    def copy(self) -> None:
        """Copy the chosen keys."""
        if self.chosen:
            self._clip = key_edits.copied(self.curves, self.chosen)
            self.said.emit(f"{len(self._clip)} keys copied")

    def cut(self) -> None:
        """Copy the chosen keys and delete them."""
        self.copy()
        self.delete()

    def paste(self, mirrored: bool = False) -> None:
        """Paste the copied keys at the playhead.

        Keys of one joint go to the shown joint if it is the only one.

        Args:
            mirrored: to the joints of the other side.
        """
        if not self._clip:
            self.said.emit("no key was copied: choose keys and press Ctrl+C")
            return
        targets = self._targets(mirrored)
        at_s = max(0.0, self._now())
        if targets is not None:
            done = key_edits.pasted(self.curves, self._clip, at_s, targets, self.room)
            self._do("paste keys", done)

    def insert(self, time_s: float | None = None, joints: Iterable[str] | None = None) -> None:
        """Insert a key into the curves of joints; by default the shown ones, at the playhead."""
        length_s = self.room.length_s
        time_s = min(max(0.0, self._now() if time_s is None else time_s), length_s)
        names = self.joints if joints is None else tuple(joints)
        self._do("insert keys", key_edits.inserted(self.curves, names, time_s))

    def nudge(self, shift_s: float, shift_rad: float) -> None:
        """Move the chosen keys a little; several in a row are undone at once."""
        done = key_edits.moved(self.curves, self.chosen, shift_s, shift_rad, self.room)
        self._do("nudge keys", done, f"{self.row} nudge {sorted(self.chosen)}")

    def scale(self, factor_s: float, factor_rad: float) -> None:
        """Scale the chosen keys about their centre, or about the playhead."""
        try:
            about = self._centres()
            done = key_edits.scaled(
                self.curves, self.chosen, factor_s, factor_rad, about, self.room
            )
        except ShowError as error:
            self.said.emit(str(error))
            return
        self._do("scale keys", done)

    def set_time(self, time_s: float) -> None:
        """Put the chosen keys at a time [s]."""
        self._do("time of keys", key_edits.at_time(self.curves, self.chosen, time_s, self.room))

    def set_value(self, value_rad: float) -> None:
        """Put the chosen keys at a value [rad]."""
        done = key_edits.at_value(self.curves, self.chosen, value_rad, self.room)
        self._do("value of keys", done)

    def set_slopes(self, slope_in: float | None = None, slope_out: float | None = None) -> None:
        """Give the chosen keys slopes; None: as they are [rad/s]."""
        self._each("slopes of keys", lambda c, i: with_slopes(c, i, slope_in, slope_out))

    def set_tangent(self, tangent: Tangent) -> None:
        """Let the slopes of the chosen keys follow a rule."""
        self._each(f"{tangent} keys", lambda curve, i: with_tangents(curve, i, tangent))

    def join(self) -> None:
        """Make the velocity at the chosen keys continuous again."""
        self._each("join tangents", joined)

    def undo(self) -> None:
        """Undo the last change of the motion."""
        self._editor.undo.undo()

    def redo(self) -> None:
        """Do the undone change again."""
        self._editor.undo.redo()

    # ---- the mouse

    def drag(self, shift_s: float, shift_rad: float) -> None:
        """Show the chosen keys elsewhere, until `drop`."""
        base = self._base()
        self._show(key_edits.moved(base, self.chosen, shift_s, shift_rad, self.room))

    def pull(self, joint: str, index: int, slope: float, out: bool, alone: bool) -> None:
        """Show a key with another slope at one side or both, until `drop`.

        Args:
            joint: of the key.
            index: of the key.
            slope: the new one [rad/s].
            out: the side behind the key.
            alone: the other side keeps its slope, which breaks the key.
        """
        base = self._base()
        slopes = (slope, slope) if not alone else (None, slope) if out else (slope, None)
        curve = with_slopes(base[joint], (index,), *slopes)
        self._show(Edited({**base, joint: curve}, self.chosen))

    def cancel(self) -> None:
        """Forget the edit that the mouse has begun."""
        self._begun = None
        self.changed.emit()

    def drop(self, text: str) -> None:
        """Take what is shown as an edit."""
        shown, self._begun = self._preview, None
        if shown is not None:
            self._do(text, shown)

    # ---- inside

    @property
    def _preview(self) -> Edited | None:
        """The edit that the mouse has begun; None once the step is another one."""
        begun = self._begun
        return None if begun is None or begun[0] is not self.step else begun[1]

    def _base(self) -> Curves:
        return {} if self.step is None else self.step.curves

    def _show(self, edited: Edited) -> None:
        if self.step is not None:
            self._begun = self.step, edited
        self.said.emit(edited.note)
        self.changed.emit()

    def _each(self, text: str, change: Callable[[Curve, list[int]], Curve]) -> None:
        """Change the chosen keys of each joint."""
        if self.chosen:
            after = dict(self.curves)
            for joint, indices in by_joint(self.chosen).items():
                after[joint] = change(after[joint], indices)
            self._do(text, Edited(after, self.chosen))

    def _do(self, text: str, done: Edited, key: str = "") -> None:
        """Make an edit with a way back, and say what it leads to."""
        step = self.step
        if step is None:
            return
        before, chosen = step.curves, self.chosen
        self.chosen = done.chosen
        items = list(self._editor.state.items)
        items[self.row] = Item(Keys(dict(done.curves)), items[self.row].on)
        if done.curves != before and not self._editor.edit(text, items, key):
            self.chosen = chosen
        else:
            self.said.emit(done.note or self._consequence(before, done.curves))
        self.changed.emit()

    def _consequence(self, before: Curves, after: Curves) -> str:
        """Return a new corner, or where a changed curve leaves its range between keys."""
        room = self.room
        times_s = np.arange(0.0, room.length_s, 0.01)
        for joint, curve in after.items():
            if curve == before.get(joint):
                continue
            old = () if joint not in before else corners(before[joint], room.length_s)
            new = [at for at in corners(curve, room.length_s) if at not in old]
            if new and len(corners(curve, room.length_s)) > len(old):
                return (
                    f"{plain(joint)} has a corner at {new[0]:.2f} s: its velocity steps there, "
                    "and preflight judges the acceleration"
                )
            low, high = room.of(joint)
            values = evaluate(curve, times_s)
            outside = np.flatnonzero((values < low) | (values > high))
            if outside.size:
                at_s = float(times_s[outside[0]])
                return f"{plain(joint)} leaves its range between keys at {at_s:.2f} s"
        return ""

    def _centres(self) -> Mapping[str, tuple[float, float]]:
        """Return the centre of a scaling for each joint: time and value [s, rad]."""
        curves, now_s = self.curves, self._now()
        times = [key.time_s for key in self.keys]
        middle_s = 0.5 * (min(times, default=0.0) + max(times, default=0.0))
        centres = {}
        for joint, indices in by_joint(self.chosen).items():
            if self.about == "playhead":
                centres[joint] = now_s, float(evaluate(curves[joint], np.array([now_s]))[0])
            else:
                values = [curves[joint].keys[i].value_rad for i in indices]
                centres[joint] = middle_s, 0.5 * (min(values) + max(values))
        return centres

    def _targets(self, mirrored: bool) -> Mapping[str, tuple[str, float]] | None:
        """Return the joint and the sign for the keys of each copied joint; None: refused."""
        sources, table = list(dict.fromkeys(joint for joint, _ in self._clip)), self._table
        if mirrored:
            lone = [j for j in sources if table is None or j not in table.mirror]
            if lone or table is None:
                self.said.emit(f"{plain(lone[0])} has no joint on the other side")
                return None
            return {j: (table.mirror[j], -1.0 if table.flips(j) else 1.0) for j in sources}
        if len(sources) == 1 and len(self.joints) == 1:
            return {sources[0]: (self.joints[0], 1.0)}
        return {}


def common(values: Iterable[float]) -> float | None:
    """Return the value that all have; None if they differ, or there is none."""
    found = list(values)
    return found[0] if found and max(found) - min(found) < 1e-9 else None
