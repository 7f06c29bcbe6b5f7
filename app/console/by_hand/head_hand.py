"""The head by hand: its direction, or the shift of a point, is streamed while it is held."""

from PySide6.QtCore import QObject, Signal

from app.console.by_hand.gaze import gaze_joints, gaze_state
from app.console.by_hand.permission import head_bar
from app.console.context.core_link import CoreLink
from app.console.preferences.store import PreferencesStore
from app.console.toolkit.presses import Stream
from core.link.commands import Head, ReleaseHead
from core.link.place import HoldPoint, ShiftPoint
from core.link.status import Status
from core.link.stick import head_direction, head_range

STREAM_MS = 40


class HeadHand(QObject):
    """Owns the requested direction of the head. The first to take it keeps it.

    While the robot looks at a point by hand, whoever takes the head shifts that point.

    Attributes:
        holder: holder of the head, "pad", "keys" or "controller"; empty if it is free.
        target: requested yaw and pitch [rad]; None while the show, or a point, moves the head.
        shift: requested shift of the point, to the right and down, -1 to 1; None without one.

    Signals:
        changed: it was taken, turned, let go or released.
    """

    changed = Signal()

    def __init__(
        self, link: CoreLink, preferences: PreferencesStore, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.holder = ""
        self.target: tuple[float, float] | None = None
        self.shift: tuple[float, float] | None = None
        self._shifts = False  # this hold shifts a point
        self._link, self._preferences = link, preferences
        self._stream = Stream(STREAM_MS, link.presses, self)
        self._stream.beat.connect(self._beat)
        link.status_changed.connect(self._watch)
        link.connected_changed.connect(self._watch)

    @property
    def bar(self) -> str:
        """Why the head cannot be taken now; empty if it can."""
        return head_bar(self._link.status, self._link.connected, self._link.hello)

    @property
    def holds_point(self) -> bool:
        """The robot looks at a point by hand."""
        status = self._link.status
        return self._link.connected and status is not None and status.look is not None

    @property
    def shifts(self) -> bool:
        """Whoever has the head, or takes it now, shifts a point."""
        return self._shifts if self.holder else self.holds_point

    def hold_point(self) -> None:
        """Hold the point at which the robot looks now; whoever has the head lets go."""
        if self.bar or not self._link.send(HoldPoint()):
            return
        self._end()
        self.target = None
        self.changed.emit()

    def take(self, holder: str) -> bool:
        """Take the head; tell whether this hand has it."""
        if self.bar or self.holder not in ("", holder):
            return False
        if not self.holder and not self._link.may_start("the head"):
            return False
        if not self.holder:
            self._shifts = self.holds_point
            self.holder = holder
            self._stream.start()
            self.changed.emit()
        return True

    def steer(self, holder: str, right: float, down: float) -> None:
        """Choose the direction, or the shift of the point, by a deflection, -1 to 1."""
        hello = self._link.hello
        reach = None if hello is None else head_range(hello)
        if self._shifts:
            self._move_point(holder, right, down)
        elif reach is not None:
            self.turn(holder, *head_direction(right, down, reach))

    def turn(self, holder: str, yaw: float, pitch: float) -> None:
        """Choose the direction [rad]; without a hold nothing happens."""
        if not holder or self.holder != holder or self.target == (yaw, pitch):
            return
        first = self.target is None
        self.target = (yaw, pitch)
        if first:
            self._ask()
        self.changed.emit()

    def let_go(self, holder: str) -> None:
        """End this hand's hold: the head goes back to the show, or stays, as was chosen."""
        if self.holder != holder or not holder:
            return
        if self._shifts:
            self._end()
            if self._link.connected:
                self._link.send(ShiftPoint())
            self.changed.emit()
            return
        if self._preferences.value.head_spring_back:
            self.release()
            return
        self._ask()
        self._end()
        self.changed.emit()

    def release(self) -> None:
        """Give the head back to the show, whoever holds it."""
        self._end()
        self.target = None
        if self._link.connected:
            self._link.send(ReleaseHead())
        self.changed.emit()

    def _move_point(self, holder: str, right: float, down: float) -> None:
        if not holder or self.holder != holder or self.shift == (right, down):
            return
        first = self.shift is None
        self.shift = (right, down)
        if first:
            self._ask()
        self.changed.emit()

    def _end(self) -> None:
        self.holder, self.shift, self._shifts = "", None, False
        self._stream.stop()

    def _beat(self) -> None:
        """Ask again; a console that hung has lost sight of the hand, and the hold is over."""
        if self._link.may_start("the head"):
            self._ask()
        else:
            self.let_go(self.holder)

    def _ask(self) -> None:
        if self.bar:
            return
        if self.shift is not None:
            self._link.send(ShiftPoint(-self.shift[0], -self.shift[1]))
        elif self.target is not None:
            self._link.send(Head(*self.target))

    def _watch(self, _: object) -> None:
        if self.holder and self.bar:
            self.release()
        elif self.target is not None and not self.holder and self._is_back(self._link.status):
            self.target = None
            self.changed.emit()

    def _is_back(self, status: Status | None) -> bool:
        """Tell whether a head that should stay has been taken to the show, as by a HOLD."""
        hello = self._link.hello
        if status is None or gaze_joints(hello) is None:
            return True
        return bool(self.bar) or self.holds_point or gaze_state(hello, status) in ("REST", "ACTION")
