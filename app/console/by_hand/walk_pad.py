"""The walk's pad: holding it is the dead-man control, its place the velocity."""

import math

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.console.by_hand.pad import ARROWS, Pad, PadPicture
from app.console.by_hand.walk_hand import WalkHand
from app.console.context.core_link import CoreLink
from app.console.context.document import Document
from app.console.preferences.store import PreferencesStore
from core.link.message import Vector3
from core.link.stick import walk_deflection

RUN_KEY, JUMP_KEY = Qt.Key.Key_Control, Qt.Key.Key_PageUp


class WalkPad(Pad):
    """Walks by mouse, or by arrow keys while Shift is held.

    Attributes:
        side_step: moving sideways steps sideways instead of turning.

    Signals:
        jump_asked: the key of a jump was pressed while Shift is held.
    """

    jump_asked = Signal()

    def __init__(
        self,
        hand: WalkHand,
        link: CoreLink,
        document: Document,
        preferences: PreferencesStore,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(shift=True, parent=parent)
        self.side_step = False
        self.setObjectName("walk_pad")
        self.setAccessibleName("Walk by hand")
        self.setToolTip(
            "Hold the pad and drag to walk; letting go stops the walk at once.\n"
            "With the keyboard: hold Shift (the dead-man control) and press arrow keys; "
            "hold Ctrl too to run; Page Up jumps.\n"
            "The edges are the speed limits of show and robot times the speed share."
        )
        self._hand, self._link = hand, link
        self._preferences = preferences
        self.taken.connect(hand.press)
        self.moved.connect(self._steer)
        self.let_go.connect(hand.let_go)
        for changed in (
            link.shown,
            link.connected_changed,
            link.hello_changed,
        ):
            changed.connect(self._redraw)
        for told in (hand.changed, document.changed, preferences.changed):
            told.connect(self._redraw)
        self._redraw()

    def set_side_step(self, side_step: bool) -> None:
        """Choose the function of a sideways motion; a walk from this pad ends."""
        self.drop()
        self.side_step = side_step
        self._redraw()

    def event(self, event: QEvent) -> bool:
        """Keep an arrow that walks, or has just walked, from being a shortcut with Ctrl."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() in ARROWS and (self.shifts or self.is_down(event.key())):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Take the keys of a run and of a jump too."""
        if event.key() == RUN_KEY:
            self._hand.hurry(True)
        elif event.key() == JUMP_KEY and self._hand.holder == "keys":
            if not event.isAutoRepeat():
                self.jump_asked.emit()
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Take the end of the key of a run too."""
        if event.key() == RUN_KEY:
            self._hand.hurry(False)
        else:
            super().keyReleaseEvent(event)

    def drop(self) -> None:
        """End every hold, and the run by its key."""
        self._hand.hurry(False)
        super().drop()

    def _steer(self, holder: str, right: float, up: float) -> None:
        if self.side_step:
            self._hand.steer(holder, up, -right, 0.0)
        else:
            self._hand.steer(holder, up, 0.0, -right)

    def _redraw(self, _: object = None) -> None:
        hand, link = self._hand, self._link
        bounds = self._hand.bounds
        share = self._preferences.value.walk_speed_share
        if self.side_step:
            side = f"{bounds.sideways * share:.2f} m/s"
            left, right = f"step left {side}", f"step right {side}"
        else:
            side = f"{math.degrees(bounds.turning * share):.0f}°/s"
            left, right = f"turn left {side}", f"turn right {side}"
        ends = (
            left,
            right,
            f"forward {bounds.forward * share:.2f} m/s",
            f"back {bounds.backward * share:.2f} m/s",
        )
        asked = None
        if hand.holder:
            forward, step, turn = hand.deflection
            asked = (-(step if self.side_step else turn), forward)
        commanded = measured = None
        if link.connected and link.status is not None:
            commanded = self._place_of(link.status.velocity_command)
        if link.connected and link.scene is not None:
            measured = self._place_of(link.scene.velocity)
        self.show_picture(PadPicture(asked, commanded, measured, ends, bool(hand.holder)))

    def _place_of(self, velocity: Vector3) -> tuple[float, float]:
        bounds = self._hand.bounds
        share = self._preferences.value.walk_speed_share
        vx, vy, yaw_rate = velocity
        side, bound = (vy, bounds.sideways) if self.side_step else (yaw_rate, bounds.turning)
        right, forward = walk_deflection(vx, side, bound, bounds, share)
        return round(right, 2), round(forward, 2)
