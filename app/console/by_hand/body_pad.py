"""The body's pad: a place on it is a lean, or a shift of weight and height."""

import math

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from app.console.by_hand.body_hand import STREAM_MS, BodyHand
from app.console.by_hand.pad import ARROWS, Pad, PadPicture, Point
from app.console.context.core_link import CoreLink
from core.link.stick import body_deflection
from shows.body_limb import ROLES, BodyLimb

KEY_SPEED = 1.2  # of the way to the limit a second, while an arrow key is down
NOTCH = 120.0  # of a wheel
WHEEL_STEP = 0.1  # of the way to the limit, for a notch
SHIFT_KEY, TURN_KEY = Qt.Key.Key_Shift, Qt.Key.Key_Control
ROLL, PITCH, YAW, HEIGHT, LEFT = (
    ROLES.index(role) for role in ("roll", "pitch", "yaw", "height", "left")
)


class BodyPad(Pad):
    """Leads the body by mouse and keys.

    Arrow keys move the coordinates for as long as they are down. Shift, while it is held, lets pad
    and arrows shift the body; Ctrl lets the arrows turn it.

    Attributes:
        shifts_body: the pad shifts weight and height instead of leaning.

    Signals:
        mode_changed: it shifts, or leans, from now on.
    """

    mode_changed = Signal()

    def __init__(self, hand: BodyHand, link: CoreLink, parent: QWidget | None = None) -> None:
        super().__init__(shift=False, parent=parent)
        self.setObjectName("body_pad")
        self.setAccessibleName("Body by hand")
        self.setToolTip(
            "Drag to lean the body; letting go gives it back or leaves it there, as chosen.\n"
            "Shift held: drag up and down for the height, to the side to shift the weight.\n"
            "The wheel turns the torso during a drag.\n"
            "With the keyboard: arrow keys lean, with Shift they shift, with Ctrl they turn.\n"
            "The edges are the limits of the body."
        )
        self._hand, self._link = hand, link
        self._chosen = self._shift_key = self._turn_key = False
        self._way: Point = (0.0, 0.0)
        self._timer = QTimer(self, interval=STREAM_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._move)
        self.taken.connect(self._take)
        self.moved.connect(self._steer)
        self.let_go.connect(self._end)
        link.hello_changed.connect(self._redraw)
        link.shown.connect(self._redraw)
        link.connected_changed.connect(self._redraw)
        hand.changed.connect(self._redraw)
        self._redraw()

    @property
    def shifts_body(self) -> bool:
        """Whether it shifts weight and height, by choice or by the key."""
        return self._chosen or self._shift_key

    def choose_shift(self, chosen: bool) -> None:
        """Choose whether it shifts weight and height; a hold of this pad ends."""
        self.drop()
        self._chosen = chosen
        self._redraw()
        self.mode_changed.emit()

    def deflections(self) -> dict[int, float]:
        """Return the deflection of each requested coordinate, by its index, -1 to 1."""
        limb, target = self._hand.limb, self._hand.target
        if limb is None or target is None:
            return {}
        return {
            index: body_deflection(getattr(target, ROLES[index]), getattr(limb, ROLES[index]))
            for index in (ROLL, PITCH, YAW, HEIGHT, LEFT)
        }

    def event(self, event: QEvent) -> bool:
        """Keep an arrow that turns the body from being a shortcut with Ctrl."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() in ARROWS and self._turn_key:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Take the keys that choose what the arrows lead, too."""
        if not self._modify(event.key(), True):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Take the end of these keys."""
        if not self._modify(event.key(), False):
            super().keyReleaseEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Turn the torso during a drag; otherwise the wheel scrolls the panel."""
        if self._hand.holder != "pad":
            super().wheelEvent(event)
            return
        right = self.deflections().get(YAW, 0.0) * -1.0
        right -= WHEEL_STEP * event.angleDelta().y() / NOTCH
        self._hand.turn("pad", min(max(right, -1.0), 1.0))
        event.accept()

    def drop(self) -> None:
        """End every hold, and the choice by keys."""
        self._turn_key = False
        super().drop()
        if self._shift_key:
            self._shift_key = False
            self._redraw()
            self.mode_changed.emit()

    def _modify(self, key: int, down: bool) -> bool:
        """Take a key that chooses what is led; tell whether it is one."""
        if key == TURN_KEY:
            self._turn_key = down
        elif key == SHIFT_KEY and self._shift_key != down:
            self._shift_key = down
            self._redraw()
            self.mode_changed.emit()
        return key in (SHIFT_KEY, TURN_KEY)

    def _take(self, holder: str) -> None:
        if self._hand.take(holder) and holder == "keys":
            self._timer.start()

    def _steer(self, holder: str, right: float, up: float) -> None:
        if holder == "keys":
            self._way = (right, up)
        elif self.shifts_body:
            self._hand.shift(holder, right, up)
        else:
            self._hand.lean(holder, right, up)

    def _end(self, holder: str) -> None:
        if holder == "keys":
            self._timer.stop()
        self._hand.let_go(holder)

    def _move(self) -> None:
        """Move what the keys lead on by one step."""
        at, step = self.deflections(), KEY_SPEED * STREAM_MS / 1000
        right, up = (step * way for way in self._way)

        def moved(index: int, way: float) -> float:
            return min(max(at.get(index, 0.0) + way, -1.0), 1.0)

        if self._turn_key:
            self._hand.turn("keys", -moved(YAW, -right))
        elif self.shifts_body:
            self._hand.shift("keys", -moved(LEFT, -right), moved(HEIGHT, up))
        else:
            self._hand.lean("keys", moved(ROLL, right), moved(PITCH, up))

    def _redraw(self, _: object = None) -> None:
        limb, scene, target = self._hand.limb, self._link.scene, self._hand.target
        if limb is None:
            return
        commanded = measured = None
        if scene is not None and self._link.connected and scene.body:
            measured = self._place_of(scene.body, limb)
            commanded = self._place_of(scene.body_reference, limb)
        asked = None
        if target is not None:
            found = self.deflections()
            asked = (
                (-found[LEFT], found[HEIGHT]) if self.shifts_body else (found[ROLL], found[PITCH])
            )
            asked = (round(asked[0], 3), round(asked[1], 3))
        held = bool(self._hand.holder)
        self.show_picture(PadPicture(asked, commanded, measured, self._ends(limb), held))

    def _place_of(self, body: tuple[float, ...], limb: BodyLimb) -> Point:
        """Return the place of coordinates of the body on the pad."""
        if self.shifts_body:
            right, up = (
                -body_deflection(body[LEFT], limb.left),
                body_deflection(body[HEIGHT], limb.height),
            )
        else:
            right, up = (
                body_deflection(body[ROLL], limb.roll),
                body_deflection(body[PITCH], limb.pitch),
            )
        return round(right, 2), round(up, 2)

    def _ends(self, limb: BodyLimb) -> tuple[str, str, str, str]:
        """Return the meanings of the left, right, upper and lower end."""
        if self.shifts_body:
            left, right, up, down = (
                limb.left.upper,
                limb.left.lower,
                limb.height.upper,
                limb.height.lower,
            )
            return (
                f"weight left {100 * left:.1f}\u00a0cm",
                f"weight right {100 * right:.1f}\u00a0cm",
                f"up {100 * up:.1f}\u00a0cm",
                f"down {100 * down:.1f}\u00a0cm",
            )
        return (
            f"lean left {math.degrees(limb.roll.lower):.0f}°",
            f"lean right {math.degrees(limb.roll.upper):.0f}°",
            f"lean forward {math.degrees(limb.pitch.upper):.0f}°",
            f"lean back {math.degrees(limb.pitch.lower):.0f}°",
        )
