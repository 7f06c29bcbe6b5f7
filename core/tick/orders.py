"""What operators order: the part that needs no judgement is done, the rest becomes requests."""

import math
from collections.abc import Callable, Mapping, Sequence

from core.behave.clip import Clip
from core.behave.errors import BehaveError
from core.behave.manager import MotionManager
from core.link import messages
from core.link.messages import Command, Severity
from core.safety.estop import StopLatch
from core.safety.failsafe import Failsafe
from core.safety.modes import ACKNOWLEDGING, Mode, Request
from core.safety.rules import Action
from core.stage.player import Player

WALK_SILENCE_S = 0.5  # a velocity that is not repeated within this time is zero
PULL_S = 0.5  # pushes that follow each other sooner are one pull by hand
STANDING = frozenset({Mode.READY, Mode.PERFORM, Mode.WALK})

_REQUESTS: dict[type, Request] = {
    messages.StandUp: Request.STAND_UP,
    messages.Settle: Request.SETTLE,
    messages.Stop: Request.STOP,
    messages.Reset: Request.RESET,
    messages.Hold: Request.HOLD,
    messages.Walk: Request.WALK,
    messages.Go: Request.PERFORM,
    messages.Shutdown: Request.SHUTDOWN,
}
_WORDS: dict[type, str] = {
    messages.StandUp: "STAND UP",
    messages.Go: "GO",
    messages.PauseShow: "pause the show",
    messages.ResumeShow: "resume the show",
    messages.GoTo: "go to",
    messages.ResetShow: "reset the show",
    messages.LoadShow: "load the show",
    messages.ReleaseHead: "release the head",
    messages.UseSound: "use the sound device",
}
# Many a second: no line each in the event log.
_STREAMED = (messages.Walk, messages.Head, messages.Volume)


class Orders:
    """Owns the velocity that is asked for, and the clips that may be asked for.

    Args:
        player: the show.
        manager: the limbs.
        latch: the stop.
        failsafe: is told that an operator is there.
        say: takes actor, text and severity of a line of the event log.

    Attributes:
        clips: gestures by name, of the loaded show.
        loads: shows that the stagehand shall be asked for.
    """

    def __init__(
        self,
        player: Player,
        manager: MotionManager,
        latch: StopLatch,
        failsafe: Failsafe,
        say: Callable[[str, str, Severity], None],
    ) -> None:
        self.clips: Mapping[str, Clip] = {}
        self.loads: list[messages.LoadRequest] = []
        self._player, self._manager = player, manager
        self._latch, self._failsafe = latch, failsafe
        self._say = say
        self._walk = messages.Walk()
        self._walk_s = -math.inf
        self._pulled_s = -math.inf
        self._barred = False  # a hold ended the walk; the stick must be let go first

    def velocity(self, now_s: float) -> messages.Walk:
        """Return the velocity that is asked for; silence is zero."""
        return self._walk if now_s - self._walk_s <= WALK_SILENCE_S else messages.Walk()

    def hear(
        self,
        now_s: float,
        commands: Sequence[tuple[str, Command]],
        mode: Mode,
        action: Action,
        stance: str,
    ) -> list[Request]:
        """Do what needs no judgement and return what does.

        Args:
            now_s: [s].
            commands: sender and command, in the order in which they came.
            mode: the robot's.
            action: the failsafe's.
            stance: "standing" or "walking".
        """
        requests: list[Request] = []
        for sender, command in commands:
            if not self._streams(now_s, command):
                self._say(sender, sentence(command), "info")
            request = _REQUESTS.get(type(command))
            if request is None:
                self._obey(now_s, sender, command, mode, action)
                continue
            if request is Request.STOP:
                self._latch.press()
            elif request is Request.HOLD:
                self._manager.rest(now_s)
                self._barred = True
            if request in ACKNOWLEDGING:
                self._failsafe.acknowledge()
            if isinstance(command, messages.Walk) and not self._take(now_s, command):
                continue
            if isinstance(command, messages.Go) and mode in STANDING:
                refusal = self._go(now_s, command, action, stance)
                if refusal is not None:
                    self._say("core", f"GO refused: {refusal}.", "warning")
                    continue
            requests.append(request)
        return requests

    def _streams(self, now_s: float, command: Command) -> bool:
        """Tell whether a command is one of many of its kind; of a pull the first is none."""
        if not isinstance(command, messages.Push):
            return isinstance(command, _STREAMED)
        pulled_s, self._pulled_s = self._pulled_s, now_s
        return now_s - pulled_s < PULL_S

    def _take(self, now_s: float, walk: messages.Walk) -> bool:
        """Take a velocity; tell whether it is a wish to walk."""
        wished = bool(walk.vx or walk.vy or walk.yaw_rate or walk.step)
        if not wished or now_s - self._walk_s > WALK_SILENCE_S:
            self._barred = False
        self._walk_s = now_s
        self._walk = messages.Walk() if self._barred else walk
        return wished and not self._barred

    def _go(self, now_s: float, go: messages.Go, action: Action, stance: str) -> str | None:
        if action >= Action.HOLD:
            return "the robot was held; if the fault is over, GO again"
        return self._player.go(now_s, go.cue, stance)

    def _obey(
        self, now_s: float, sender: str, command: Command, mode: Mode, action: Action
    ) -> None:
        """Do what the show and the limbs are told directly."""
        player, manager = self._player, self._manager
        refusal: str | None = None
        if isinstance(command, messages.PauseShow):
            refusal = player.pause(now_s)
        elif isinstance(command, messages.ResumeShow):
            refusal = player.resume(now_s)
        elif isinstance(command, messages.GoTo):
            refusal = player.goto(command.cue)
        elif isinstance(command, messages.ResetShow):
            refusal = player.reset(now_s)
        elif isinstance(command, messages.LoadShow):
            refusal = player.may_load()
            if refusal is None:
                request = messages.LoadRequest(command.path, command.keep_standby, sender)
                self.loads.append(request)
        elif isinstance(command, messages.Cancel):
            if command.groups is None and player.plays:
                refusal = player.cancel(now_s)
            manager.cancel(now_s, command.groups)
        elif isinstance(command, messages.Freeze):
            manager.freeze(now_s, command.groups)
        elif isinstance(command, messages.Unfreeze):
            manager.unfreeze(now_s, command.groups)
        elif isinstance(command, messages.ReleaseHead):
            manager.release_head(now_s)
        elif isinstance(command, messages.Gesture | messages.Head):
            refusal = self._move(now_s, command, mode, action)
        if refusal is not None:
            self._say("core", f"{word(command)} refused: {refusal}.", "warning")

    def _move(
        self, now_s: float, command: messages.Gesture | messages.Head, mode: Mode, action: Action
    ) -> str | None:
        """Let a limb move by hand, or return why not."""
        if mode not in STANDING:
            return f"the robot is in {mode.name}, not READY"
        if action >= Action.HOLD:
            return "a fault holds the robot"
        try:
            if isinstance(command, messages.Head):
                self._manager.joystick(now_s, command.yaw, command.pitch)
                return None
            clip = self.clips.get(command.name)
            if clip is None:
                return f"the gesture {command.name!r} is not loaded; load a show that has it"
            self._manager.play(
                now_s, clip, command.groups, command.speed, command.loop, command.mirror
            )
        except BehaveError as error:
            return str(error)
        return None


def word(command: Command) -> str:
    """Return a command's name as an operator says it."""
    if isinstance(command, messages.LoadShow) and not command.path:
        return "unload the show"
    return _WORDS.get(type(command), type(command).__name__.lower())


def sentence(command: Command) -> str:
    """Return a command as a line of the event log."""
    values = [
        f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}"
        for name in command.__struct_fields__
        if (value := getattr(command, name)) is not None and value is not False and value != ""
    ]
    return f"{word(command)}: {', '.join(values)}" if values else word(command)
