"""Walking by hand: a velocity is streamed while the dead-man control is held, then zero once."""

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.console.by_hand.permission import jump_bar, walk_bar
from app.console.context.core_link import CoreLink
from app.console.context.document import Document
from app.console.preferences.store import PreferencesStore
from app.console.toolkit.presses import Stream
from core.link.commands import StartJump, Walk
from core.link.stick import run_bounds, walk_velocity
from shows.document import WalkBounds
from shows.fields import MovingGait

STREAM_MS = 50


class WalkHand(QObject):
    """Owns the velocity requested by hand. The first to press the dead-man keeps it.

    Whatever ends a hold, the core is sent zero, and walking needs a new press.

    Attributes:
        holder: whose dead-man is down, "pad", "keys" or "controller"; empty if none is.
        deflection: requested forward, left and turn to the left, each -1 to 1.
        gait: chosen gait.
        hurries: a key is held that lets the robot run, whatever is chosen.

    Signals:
        changed: it was pressed, steered or let go, or the gait changed.
    """

    changed = Signal()

    def __init__(
        self,
        link: CoreLink,
        document: Document,
        preferences: PreferencesStore,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.holder = ""
        self.deflection = (0.0, 0.0, 0.0)
        self.gait: MovingGait = "walk"
        self.hurries = False
        self._walked = False  # the core has walked in this hold
        self._link, self._document, self._preferences = link, document, preferences
        self._stream = Stream(STREAM_MS, link.presses, self)
        self._stream.beat.connect(self._beat)
        link.status_changed.connect(self._watch)
        link.connected_changed.connect(self._watch)

    @property
    def bar(self) -> str:
        """Why the robot cannot be walked by hand now; empty if it can."""
        return walk_bar(self._link.status, self._link.connected, self._link.hello)

    @property
    def runs(self) -> bool:
        """Whether the robot would run; one that does not run never does."""
        hello = self._link.hello
        wanted = self.hurries or self.gait == "run"
        return wanted and hello is not None and hello.gaits.run is not None

    @property
    def bounds(self) -> WalkBounds:
        """The speed limits of the show, at most those of the robot."""
        bounds, hello = self._document.show.settings.walk, self._link.hello
        run = None if hello is None else hello.gaits.run
        if run is not None and self.runs:
            return run_bounds(bounds, run)
        if hello is None or hello.walk is None:
            return bounds
        return replace(
            bounds,
            forward=min(bounds.forward, hello.walk.forward),
            backward=min(bounds.backward, hello.walk.forward),
            sideways=min(bounds.sideways, hello.walk.sideways),
            turning=min(bounds.turning, hello.walk.turning),
        )

    @property
    def velocity(self) -> Walk:
        """The requested velocity, within the limits and the share of the preferences."""
        share = self._preferences.value.walk_speed_share
        gait: MovingGait = "run" if self.runs else "walk"
        return walk_velocity(*self.deflection, self.bounds, share, gait)

    def choose(self, gait: MovingGait) -> None:
        """Choose the gait; a walk in progress goes on with it."""
        if gait != self.gait:
            self.gait = gait
            self.changed.emit()

    def hurry(self, hurries: bool) -> None:
        """Run while a key is held."""
        if hurries != self.hurries:
            self.hurries = hurries
            self.changed.emit()

    def jump(self, command: StartJump) -> None:
        """Request a jump, if nothing bars it; the core ends a walk first."""
        bar = jump_bar(self._link.status, self._link.connected, self._link.hello)
        if not bar:
            self._link.send(command)

    def press(self, holder: str) -> bool:
        """Take the dead-man control; tell whether this hand has it."""
        if self.bar or self.holder not in ("", holder):
            return False
        if not self.holder and not self._link.may_start("the walk"):
            return False
        if not self.holder:
            self.holder = holder
            self.deflection = (0.0, 0.0, 0.0)
            self._walked = False
            self._stream.start()
            self.changed.emit()
        return True

    def steer(self, holder: str, forward: float, left: float, turn: float) -> None:
        """Choose the velocity; without this hand's dead-man nothing happens.

        Args:
            holder: whose hand it is.
            forward: -1 to 1.
            left: -1 to 1.
            turn: to the left, -1 to 1.
        """
        if not holder or self.holder != holder or self.deflection == (forward, left, turn):
            return
        first = self.deflection == (0.0, 0.0, 0.0)
        self.deflection = (forward, left, turn)
        if first or self.velocity == Walk():
            self._link.send(self.velocity)
        self.changed.emit()

    def let_go(self, holder: str) -> None:
        """End this hand's hold at once."""
        if holder and self.holder == holder:
            self.halt()

    def halt(self) -> None:
        """End whoever's hold at once: the core is sent zero."""
        if not self.holder:
            return
        self.holder = ""
        self.deflection = (0.0, 0.0, 0.0)
        self._stream.stop()
        if self._link.connected:
            self._link.send(Walk())
        self.changed.emit()

    def _beat(self) -> None:
        """Ask again; a console that hung has lost sight of the hand, and the hold is over."""
        if not self._link.may_start("the walk"):
            self.halt()
        elif self.holder:
            self._link.send(self.velocity)

    def _watch(self, _: object) -> None:
        if self.holder and (self.bar or self._was_held()):
            self.halt()

    def _was_held(self) -> bool:
        """Tell whether a HOLD has ended the walk: the core then waits for a new press, too."""
        status = self._link.status
        walks = status is not None and status.mode == "WALK"
        asked = self.velocity != Walk()
        held = self._walked and asked and not walks
        self._walked = walks or (self._walked and asked)
        return held
