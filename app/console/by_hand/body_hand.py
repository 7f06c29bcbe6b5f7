"""The body by hand: its coordinates are streamed while it is led."""

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.console.by_hand.permission import body_bar
from app.console.context.core_link import CoreLink
from app.console.preferences.store import PreferencesStore
from app.console.toolkit.presses import Stream
from core.link.body import LeadBody, ReleaseBody
from core.link.stick import body_coordinate
from shows.body_limb import BodyLimb

STREAM_MS = 40
LED_ELSEWHERE = "another console leads the body; give it back to the show first"


class BodyHand(QObject):
    """Owns the requested coordinates of the body. The first to take it keeps it.

    The core gives the body back to the show after a silence; so a body that stays as it is led is
    streamed, too, until it is given back.

    Attributes:
        holder: holder of the body, "pad", "keys", "slider" or "controller"; empty if it is free.
        target: requested coordinates; None while the show moves the body.

    Signals:
        changed: it was taken, led, let go or released.
    """

    changed = Signal()

    def __init__(
        self, link: CoreLink, preferences: PreferencesStore, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.holder = ""
        self.target: LeadBody | None = None
        self._led = False  # the core has obeyed since it was taken
        self._ends = False  # it was given back, and the core may not know that yet
        self._link, self._preferences = link, preferences
        self._stream = Stream(STREAM_MS, link.presses, self)
        self._stream.beat.connect(self._beat)
        link.status_changed.connect(self._watch)
        link.connected_changed.connect(self._watch)

    @property
    def bar(self) -> str:
        """Why the body cannot be led now; empty if it can."""
        status = self._link.status
        bar = body_bar(status, self._link.connected, self._link.hello)
        elsewhere = self.target is None and not self._ends
        if not bar and elsewhere and status is not None and status.body_led:
            return LED_ELSEWHERE
        return bar

    @property
    def limb(self) -> BodyLimb | None:
        """The body with its limits; None for a robot without it."""
        return None if self._link.hello is None else self._link.hello.body_limb

    def take(self, holder: str) -> bool:
        """Take the body; tell whether this hand has it."""
        if self.bar or self.holder not in ("", holder):
            return False
        if not self.holder and not self._link.may_start("the body"):
            return False
        if not self.holder:
            self.holder = holder
            self._led = self._led and self.target is not None
            self._stream.start()
            self.changed.emit()
        return True

    def lean(self, holder: str, right: float, forward: float) -> None:
        """Lean the torso to its right and forward by a deflection, each -1 to 1."""
        limb = self.limb
        if limb is not None:
            roll, pitch = body_coordinate(right, limb.roll), body_coordinate(forward, limb.pitch)
            self._lead(holder, replace(self._target, roll=roll, pitch=pitch))

    def shift(self, holder: str, right: float, up: float) -> None:
        """Shift the weight to the right and the body up by a deflection, each -1 to 1."""
        limb = self.limb
        if limb is not None:
            left, height = body_coordinate(-right, limb.left), body_coordinate(up, limb.height)
            self._lead(holder, replace(self._target, left=left, height=height))

    def turn(self, holder: str, right: float) -> None:
        """Turn the torso to its right by a deflection, -1 to 1."""
        limb = self.limb
        if limb is not None:
            self._lead(holder, replace(self._target, yaw=body_coordinate(-right, limb.yaw)))

    def let_go(self, holder: str) -> None:
        """End this hand's hold: the body goes back to the show, or stays, as was chosen."""
        if self.holder != holder or not holder:
            return
        if self._preferences.value.body_spring_back or self.target is None:
            self.release()
            return
        self.holder = ""
        self.changed.emit()

    def release(self) -> None:
        """Give the body back to the show, whoever holds it."""
        self._stream.stop()
        self.holder, self.target, self._led, self._ends = "", None, False, True
        if self._link.connected:
            self._link.send(ReleaseBody())
        self.changed.emit()

    @property
    def _target(self) -> LeadBody:
        return self.target or LeadBody()

    def _lead(self, holder: str, target: LeadBody) -> None:
        """Choose the coordinates; without a hold nothing happens."""
        if not holder or self.holder != holder or self.target == target:
            return
        first = self.target is None
        if first and not self.bar:
            self._link.send(ReleaseBody())  # a lead that something has ended counts again
        self.target = target
        if first:
            self._ask()
        self.changed.emit()

    def _beat(self) -> None:
        """Ask again; a console that hung has lost sight of the hand, and the lead is over."""
        if self._link.may_start("the body"):
            self._ask()
        else:
            self.release()

    def _ask(self) -> None:
        if self.target is not None and not self.bar:
            self._link.send(self.target)

    def _watch(self, _: object) -> None:
        status = self._link.status
        if status is None or not status.body_led:
            self._ends = False
        if (self.holder or self.target is not None) and (self.bar or self._was_ended()):
            self.release()

    def _was_ended(self) -> bool:
        """Tell whether the core has ended the lead, as by a HOLD; it then waits for a new press."""
        status = self._link.status
        leads = status is not None and status.body_led
        ended = self._led and not leads
        self._led = leads
        return ended
