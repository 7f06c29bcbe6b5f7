"""The function of each control of the game controller, after the handset of Disney's BDX."""

from PySide6.QtCore import QObject, Signal

from app.console.by_hand.body_hand import BodyHand
from app.console.by_hand.gamepad import Gamepad
from app.console.by_hand.head_hand import HeadHand
from app.console.by_hand.walk_hand import WalkHand
from app.console.context.core_link import CoreLink
from app.console.context.document import Document
from app.console.preferences.store import PreferencesStore
from core.link.commands import Cancel, Freeze, Hold, Unfreeze
from core.link.stick import shape_axis, shape_stick
from shows.document import Show, Trigger
from shows.uses import title_of

HOLDER = "controller"
DPAD = ("up", "right", "down", "left")
HEAD, BODY = "the head", "the body"  # what the right stick leads
BEHIND = "another program is in front"


def trigger_of(show: Show, button: str) -> Trigger | None:
    """Return the trigger of a show that a button of the controller fires, or None."""
    return next((trigger for trigger in show.triggers if trigger.button == button), None)


class ControllerMap(QObject):
    """Turns the controller's sticks and buttons into holds and commands.

    A stick or button that was held when its hold ended must be released before it counts again.
    SDL stamps nothing by when it was pressed: what a look at the controller finds counts as old
    as the look before. While another program is in front, nothing is begun and everything ends.

    Signals:
        favourite: play the favourite of this place, from 0.
        stop_asked: STOP was pressed; whoever owns STOP sends it, tells what became of it, and
            lets everything go.
        refused: something was not begun, with the reason.
        improvised: a button of a trigger of the show was pressed, with the trigger.
    """

    improvised = Signal(object)
    favourite = Signal(int)
    stop_asked = Signal()
    refused = Signal(str)

    def __init__(
        self,
        gamepad: Gamepad,
        head: HeadHand,
        body: BodyHand,
        walk: WalkHand,
        link: CoreLink,
        document: Document,
        preferences: PreferencesStore,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._gamepad, self._head, self._body, self._walk = gamepad, head, body, walk
        self._link, self._document, self._preferences = link, document, preferences
        self._leads = ""  # what the right stick has: HEAD, BODY or nothing
        self._waits = True  # ... and may not take it until it was seen at rest
        self._in_front = True
        gamepad.moved.connect(self._steer)
        gamepad.plugged.connect(self._begin)
        gamepad.pulled.connect(self._end)
        gamepad.pressed.connect(self._press)
        gamepad.let_go.connect(self._let_go)

    def halt(self) -> None:
        """End the controller's hold; its stick must be released before it counts again."""
        self._walk.let_go(HOLDER)
        self._let_stick_go()
        self._waits = self._look() != (0.0, 0.0)

    def set_in_front(self, in_front: bool) -> None:
        """Take whether the console is in front of other programs."""
        self._in_front = in_front
        if not in_front:
            self.halt()

    def release_head(self) -> None:
        """Give the head back to the show, whoever holds it; the stick lets go of what it has."""
        self._head.release()
        self._let_stick_go()
        self._waits = self._look() != (0.0, 0.0)

    def hold_point(self) -> None:
        """Hold the point at which the robot looks now; the stick must be released first."""
        self._body.let_go(HOLDER)
        self._head.hold_point()
        self._leads = ""
        self._waits = self._look() != (0.0, 0.0)

    def _begin(self, _: str) -> None:
        self.halt()

    def _end(self, _: str) -> None:
        self.halt()

    def _press(self, button: str) -> None:
        link = self._link
        link.presses.note(self._gamepad.gap_s)
        trigger = trigger_of(self._document.show, button)
        if trigger is not None:
            if self._may_begin(title_of(trigger)):
                self.improvised.emit(trigger)
        elif button in ("menu", "view"):
            if {"menu", "view"} <= self._gamepad.buttons:
                self.stop_asked.emit()
            elif button == "menu":
                self.halt()
                link.send(Hold())
        elif button == "r1":
            if self._may_begin("the walk"):
                self._walk.press(HOLDER)
                self._steer()
        elif button == "l1":
            self._steer()
        elif button == "r3" and "l1" in self._gamepad.buttons:
            if self._may_begin("the look"):
                self.hold_point()
        elif button == "r3":
            self.release_head()
            if self._body.target is not None:
                self._body.release()
        elif button == "x":
            link.send(Cancel())
        elif button == "y":
            frozen = link.status is not None and "STOP" in link.status.motion_states
            if not frozen:
                link.send(Freeze())
            elif self._may_begin("Resume"):
                link.send(Unfreeze())
        elif button in DPAD:
            if self._may_begin("the favourite"):
                self.favourite.emit(DPAD.index(button))

    def _may_begin(self, what: str) -> bool:
        if not self._in_front:
            self.refused.emit(f"{what} was not begun by the controller, for {BEHIND}")
        return self._in_front

    def _let_go(self, button: str) -> None:
        if button == "r1":
            self._walk.let_go(HOLDER)
            self._steer()
        elif button == "l1":
            self._steer()

    def _steer(self) -> None:
        self._link.presses.note(self._gamepad.gap_s)
        self._walk_by_stick()
        self._lead_by_stick()

    def _walk_by_stick(self) -> None:
        chosen, sticks = self._preferences.value, self._gamepad.sticks
        forward = shape_axis(-sticks.left_back, chosen.head_dead_zone, chosen.head_expo)
        left = shape_axis(-sticks.left_right, chosen.head_dead_zone, chosen.head_expo)
        if "l1" in self._gamepad.buttons:
            self._walk.steer(HOLDER, forward, left, 0.0)
        else:
            self._walk.steer(HOLDER, forward, 0.0, left)

    def _look(self) -> tuple[float, float]:
        """Return the deflection of the right stick, to the right and back."""
        chosen, sticks = self._preferences.value, self._gamepad.sticks
        return shape_stick(
            sticks.right_right, sticks.right_back, chosen.head_dead_zone, chosen.head_expo
        )

    @property
    def _chosen(self) -> str:
        """What the right stick leads: the body while L1 is held without R1, else the head."""
        hello, buttons = self._link.hello, self._gamepad.buttons
        if hello is None:
            return ""
        if hello.body_limb is not None and "l1" in buttons and "r1" not in buttons:
            return BODY
        return HEAD if hello.gaze is not None else ""

    def _lead_by_stick(self) -> None:
        right, back = self._look()
        if right == 0.0 and back == 0.0:
            self._let_stick_go()
            self._waits = False
            return
        hand: HeadHand | BodyHand = self._body if self._leads == BODY else self._head
        if self._leads and (self._leads != self._chosen or hand.holder != HOLDER):
            self._let_stick_go()  # something else is led now, or the hold was ended
            self._waits = True
        if not self._chosen or self._waits:
            return
        if not self._may_begin(self._chosen):
            self._waits = True
            return
        hand = self._body if self._chosen == BODY else self._head
        self._waits = not hand.take(HOLDER)
        self._leads = "" if self._waits else self._chosen
        if self._leads == BODY:
            self._body.lean(HOLDER, right, -back)
        elif self._leads == HEAD:
            down = back if self._preferences.value.head_invert_pitch else -back
            self._head.steer(HOLDER, right, down)

    def _let_stick_go(self) -> None:
        """End the holds of the right stick."""
        self._head.let_go(HOLDER)
        self._body.let_go(HOLDER)
        self._leads = ""
