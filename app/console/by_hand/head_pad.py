"""The head's pad: a place on it is a direction, its edges are the joints' limits."""

import math

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QWidget

from app.console.by_hand.gaze import gaze_joints
from app.console.by_hand.head_hand import STREAM_MS, HeadHand
from app.console.by_hand.pad import Pad, PadPicture
from app.console.context.core_link import CoreLink
from core.link.hello import Hello
from core.link.stick import HeadRange, head_deflection, head_range

KEY_SPEED = 1.2  # of the way to the limit a second, while an arrow key is down


class HeadPad(Pad):
    """Turns the head by mouse and keys.

    Arrow keys move the direction for as long as they are down. While the robot holds a point, the
    place on the pad is the speed at which that point moves.
    """

    def __init__(self, hand: HeadHand, link: CoreLink, parent: QWidget | None = None) -> None:
        super().__init__(shift=False, parent=parent)
        self.setObjectName("head_pad")
        self.setAccessibleName("Head by hand")
        self.setToolTip(
            "Drag to turn the head; letting go gives it back or leaves it there, as chosen.\n"
            "With the keyboard: arrow keys turn it while they are down.\n"
            "The edges are the limits of the joints.\n"
            "While the robot holds a point, it moves the point instead, and stays."
        )
        self._hand, self._link = hand, link
        self._reach: HeadRange | None = None
        self._place_of: tuple[int, int] | None = None
        self._way = (0.0, 0.0)
        self._at = (0.0, 0.0)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(STREAM_MS)
        self._timer.timeout.connect(self._move)
        self.taken.connect(self._take)
        self.moved.connect(self._steer)
        self.let_go.connect(self._end)
        link.hello_changed.connect(self._meet)
        link.shown.connect(self._redraw)
        link.connected_changed.connect(self._redraw)
        hand.changed.connect(self._redraw)
        if link.hello is not None:
            self._meet(link.hello)

    @property
    def reach(self) -> HeadRange | None:
        """How far this robot's head turns; None while that is not known."""
        return self._reach

    def _meet(self, hello: Hello) -> None:
        self._reach = head_range(hello)
        self._place_of = gaze_joints(hello)
        self._redraw()

    def _take(self, holder: str) -> None:
        if self._reach is not None and self._hand.take(holder) and holder == "keys":
            target = self._hand.target
            right, down = (0.0, 0.0) if target is None else head_deflection(*target, self._reach)
            self._at = (right, -down)
            self._timer.start()

    def _steer(self, holder: str, right: float, up: float) -> None:
        if holder == "keys":
            self._way = (right, up)
        elif self._reach is not None:
            self._hand.steer(holder, right, -up)

    def _end(self, holder: str) -> None:
        if holder == "keys":
            self._timer.stop()
        self._hand.let_go(holder)

    def _move(self) -> None:
        if self._hand.shifts:
            self._hand.steer("keys", self._way[0], -self._way[1])
            return
        step = KEY_SPEED * STREAM_MS / 1000
        x, y = (
            min(max(at + step * way, -1.0), 1.0)
            for at, way in zip(self._at, self._way, strict=True)
        )
        self._at = (x, y)
        self._hand.steer("keys", x, -y)

    def _redraw(self, _: object = None) -> None:
        reach, scene, target = self._reach, self._link.scene, self._hand.target
        shift = self._hand.shift
        if reach is None:
            return
        ends = (
            f"left {math.degrees(reach.left):.0f}°",
            f"right {-math.degrees(reach.right):.0f}°",
            f"up {-math.degrees(reach.up):.0f}°",
            f"down {math.degrees(reach.down):.0f}°",
        )
        asked = None if target is None else self._deflection(*target, reach)
        if shift is not None:
            asked = (shift[0], -shift[1])
        commanded = measured = None
        if scene is not None and self._place_of is not None and self._link.connected:
            yaw, pitch = self._place_of
            if len(scene.q) > max(yaw, pitch):
                measured = self._deflection(scene.q[yaw], scene.q[pitch], reach)
            if len(scene.q_reference) > max(yaw, pitch):
                q = scene.q_reference
                commanded = self._deflection(q[yaw], q[pitch], reach)
        self.show_picture(PadPicture(asked, commanded, measured, ends, bool(self._hand.holder)))

    @staticmethod
    def _deflection(yaw: float, pitch: float, reach: HeadRange) -> tuple[float, float]:
        right, down = head_deflection(yaw, pitch, reach)
        return round(right, 3), round(-down, 3)
