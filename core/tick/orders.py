"""Operators' commands: those that need no judgement are carried out, the rest become requests."""

import math
from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from core.behave.clip import Clip
from core.behave.errors import BehaveError
from core.behave.floating import Floating, Freedom
from core.behave.manager import MotionManager
from core.link.body import LeadBody, ReleaseBody
from core.link.catalogue import marks
from core.link.catalogue import refusals as why
from core.link.catalogue import takes as take_words
from core.link.commands import (
    ArmTake,
    BackDrive,
    Cancel,
    Command,
    EndBackDrive,
    EndSway,
    EndTake,
    Freeze,
    Gesture,
    Go,
    GoTo,
    GoToPose,
    Head,
    Hold,
    LoadShow,
    MarkTake,
    PauseShow,
    Pull,
    Push,
    ReleaseHead,
    Reset,
    ResetShow,
    ResumeShow,
    Settle,
    Shutdown,
    StandUp,
    StartJump,
    StartSway,
    StartTake,
    Stop,
    ToggleTake,
    Unfreeze,
    Volume,
    Walk,
)
from core.link.improvised import PoseHands, Say, SetIdle
from core.link.partner import EndFollow, Follow
from core.link.place import HoldPoint, LookAt, ShiftPoint, StandsAt, WalkTo
from core.link.requests import LoadRequest
from core.link.statement import Severity, Statement
from core.link.take import TakePlan
from core.safety.estop import StopLatch
from core.safety.failsafe import Failsafe
from core.safety.modes import ACKNOWLEDGING, Mode, Request
from core.safety.rules import Action
from core.stage.player import Player
from core.takes.desk import TakeDesk, clips_allow
from core.tick.by_hand import ByHand
from core.tick.improvise import Improviser
from core.tick.standing import STANDING, may_move
from shows.gaits import GaitRange

WALK_SILENCE_S = 0.5  # a velocity that is not repeated within this time becomes zero
REPEAT_REFUSAL_S = 1.0  # between two lines about a stream that is refused
SHORTEST_STANCE_S = 0.1  # of a run, from a landing to the next flight
PULL_S = 0.5  # pushes within this time of each other are one pull by hand

_STOPPING = frozenset({Request.STOP, Request.HOLD, Request.SETTLE})
_REQUESTS: dict[type, Request] = {
    StandUp: Request.STAND_UP,
    Settle: Request.SETTLE,
    Stop: Request.STOP,
    Reset: Request.RESET,
    Hold: Request.HOLD,
    Walk: Request.WALK,
    StartJump: Request.JUMP,
    WalkTo: Request.WALK,
    Go: Request.PERFORM,
    BackDrive: Request.RECORD,
    EndBackDrive: Request.END_RECORD,
    Shutdown: Request.SHUTDOWN,
}
FLOATING = Freedom.FLOATING.word
_STILL = Walk()
# Values that the event log does not list: the usual gait, and what the robot's profile says.
_USUAL: Mapping[str, str | float | tuple[str, ...]] = {
    "gait": "walk",
    "step_s": 0.0,
    "flight_s": 0.0,
    "period_s": 0.0,
    "height": 0.0,
    "dx": 0.0,
    "dy": 0.0,
    "turn": 0.0,
    "phrase": "",
    "limbs": (),
    "legs": False,
    "repertoire": "",
}
# These are streamed: the event log has no line for each.
_STREAMED = (Walk, Head, LeadBody, ShiftPoint, Volume)


class Orders:
    """Owns the requested velocity and the gestures of the loaded show.

    Args:
        player: the show.
        manager: the limbs.
        floating: the limbs that a person moves.
        takes: the takes.
        hand: what operators ask for by hand.
        gaits: runs and jumps of the robot.
        latch: the STOP latch.
        failsafe: receives acknowledgements.
        say: takes actor, statement and severity of an event.

    Attributes:
        clips: gestures of the loaded show and poses of hands, by name.
        improviser: owns phrases, poses of hands and idle life by hand.
        loads: load requests for the stagehand.
        back_drive: the newest request to release limbs; it counts if the mode permits.
    """

    def __init__(
        self,
        player: Player,
        manager: MotionManager,
        floating: Floating,
        takes: TakeDesk,
        hand: ByHand,
        gaits: GaitRange,
        latch: StopLatch,
        failsafe: Failsafe,
        say: Callable[[str, Statement, Severity | None], None],
    ) -> None:
        self.clips: Mapping[str, Clip] = {}
        self.loads: list[LoadRequest] = []
        self.releases: list[BackDrive] = []
        self._player, self._manager, self._floating = player, manager, floating
        self.improviser = Improviser(manager)
        self._takes, self._hand = takes, hand
        self._gaits = gaits
        self._latch, self._failsafe = latch, failsafe
        self._say = say
        self._walk = _STILL
        self._walk_s = -math.inf
        self._pulled_s = self._refused_s = -math.inf
        self._barred = False  # the walk was ended; the stick must return to neutral first

    def velocity(self, now_s: float) -> Walk:
        """Return the requested velocity; zero after a silence."""
        return self._walk if now_s - self._walk_s <= WALK_SILENCE_S else _STILL

    def hear(
        self,
        now_s: float,
        commands: Sequence[tuple[str, Command]],
        mode: Mode,
        action: Action,
        stance: str,
    ) -> list[Request]:
        """Carry out the commands that need no judgement and return the requests of the others.

        Args:
            now_s: present time [s].
            commands: sender and command, in the order of arrival.
            mode: mode of the robot.
            action: action of the failsafe.
            stance: "standing" or "walking".
        """
        requests: list[Request] = []
        for sender, command in commands:
            if not self._streams(now_s, command):
                self._say(sender, commanded(command), None)
            request = _REQUESTS.get(type(command))
            if request is None:
                self._obey(now_s, sender, command, mode, action)
                continue
            if request is Request.STOP:
                self._latch.press()
            elif request is Request.HOLD:
                self._takes.end(now_s, take_words.HELD_BY_OPERATOR())
                if mode is Mode.RECORD:
                    self._floating.hold(now_s)
                else:
                    self._manager.rest(now_s)
                self._hand.end()
                self.improviser.silence()
                self._barred = True
            if request in ACKNOWLEDGING:
                self._failsafe.acknowledge()
            if isinstance(command, Walk) and not self._take(now_s, command):
                continue
            if isinstance(command, StartJump):
                refusal = self._start_jump(now_s, command, mode, action)
                if refusal is not None:
                    self._say("core", why.REFUSED(command="start_jump", reason=refusal), None)
                    continue
            if isinstance(command, WalkTo):
                refusal = self._walk_to(now_s, command, mode, action)
                if refusal is not None:
                    self._say("core", why.REFUSED(command="walk_to", reason=refusal), None)
                    continue
            if isinstance(command, BackDrive):
                refusal = self._may_release(command)
                if refusal is not None:
                    self._say("core", why.REFUSED(command="back_drive", reason=refusal), None)
                    continue
                self.releases.append(command)
            if isinstance(command, Go) and mode in STANDING and mode is not Mode.RECORD:
                refusal = self._go(now_s, command, action, stance)
                if refusal is not None:
                    self._say("core", why.REFUSED(command="go", reason=refusal), None)
                    continue
            requests.append(request)
        if self.releases and not _STOPPING.isdisjoint(requests):
            self.releases = []  # whoever asks for less motion is obeyed, in any order
            self._say("core", why.REFUSED(command="back_drive", reason=why.STOPPED()), None)
            requests = [request for request in requests if request is not Request.RECORD]
        return requests

    def _streams(self, now_s: float, command: Command) -> bool:
        """Return whether a command belongs to a stream; the first push of a pull does not."""
        if not isinstance(command, Push | Pull):
            return isinstance(command, _STREAMED)
        pulled_s, self._pulled_s = self._pulled_s, now_s
        return now_s - pulled_s < PULL_S

    def _take(self, now_s: float, walk: Walk) -> bool:
        """Take a velocity; return whether it requests walking."""
        if walk.gait == "run":
            walk = self._run(now_s, walk)
        requested = moves(walk)
        if not requested or now_s - self._walk_s > WALK_SILENCE_S:
            self._barred = False
        self._walk_s = now_s
        self._walk = _STILL if self._barred else walk
        requested = requested and not self._barred
        if requested:
            self._hand.jump.end()
            self._hand.marks.end()
        return requested

    def _run(self, now_s: float, run: Walk) -> Walk:
        """Return a run within the robot's range; zero velocity if it does not run."""
        limits = self._gaits.run
        if limits is None:
            if now_s - self._refused_s >= REPEAT_REFUSAL_S:
                self._refused_s = now_s
                self._say("core", why.NO_RUN(text=self._gaits.refusal("run")), None)
            return _STILL
        jump = self._gaits.jump
        flight_s = min(run.flight_s, 0.0 if jump is None else jump.flight_s)
        return replace(
            run,
            step_s=max(run.step_s, flight_s + SHORTEST_STANCE_S) if run.step_s else 0.0,
            flight_s=flight_s,
            vx=_clip(run.vx, limits.forward),
            vy=_clip(run.vy, limits.sideways),
            yaw_rate=_clip(run.yaw_rate, limits.turning),
        )

    def _start_jump(
        self, now_s: float, command: StartJump, mode: Mode, action: Action
    ) -> Statement | None:
        """Ask for jumps, which end the present walk, or return the reason of the refusal."""
        refusal = self._hand.jump.start(command, mode, action)
        if refusal is None:
            self._stop_walking(now_s)
            self._hand.marks.end()
        return refusal

    def _walk_to(
        self, now_s: float, command: WalkTo, mode: Mode, action: Action
    ) -> Statement | None:
        """Ask for a walk to a place, which ends the present one, or return why it is refused."""
        refusal = self._hand.marks.start(command, mode, action)
        if refusal is None:
            self._stop_walking(now_s)
            self._hand.jump.end()
        return refusal

    def _stop_walking(self, now_s: float) -> None:
        """End the walk by stick, which must return to neutral first."""
        if moves(self.velocity(now_s)):
            self._walk, self._barred = _STILL, True

    def _may_release(self, command: BackDrive) -> Statement | None:
        """Return the reason for which limbs cannot be released as requested."""
        try:
            self._manager.joints.numbers(tuple(command.limbs))
        except BehaveError as error:
            return why.CANNOT_MOVE(text=str(error))
        for limb, freedom in command.limbs.items():
            if freedom == FLOATING and not self._floating.movable(limb):
                return why.GEARS_HOLD(limb=limb)
        for limb, load_kg in command.loads_kg.items():
            if limb not in self._floating.grips:
                return why.NO_GRIP(limb=limb)
            if load_kg > self._floating.largest_load_kg:
                return why.LOAD_TOO_LARGE(limb=limb, limit_kg=self._floating.largest_load_kg)
        return None

    def _go(self, now_s: float, go: Go, action: Action, stance: str) -> Statement | None:
        if action >= Action.HOLD:
            return why.HELD()
        return self._player.go(now_s, go.cue, stance)

    def _obey(
        self, now_s: float, sender: str, command: Command, mode: Mode, action: Action
    ) -> None:
        """Carry out a command to the show or the limbs, or report why it is refused."""
        try:
            refusal = self._do(now_s, sender, command, mode, action)
        except BehaveError as error:  # for example a limb that this robot does not have
            refusal = why.CANNOT_MOVE(text=str(error))
        if refusal is not None:
            said = why.REFUSED(command=name_of(command), reason=refusal)
            self._say("core", said, None)

    def _do(
        self, now_s: float, sender: str, command: Command, mode: Mode, action: Action
    ) -> Statement | None:
        player, manager = self._player, self._manager
        refusal: Statement | None = None
        if isinstance(command, PauseShow):
            refusal = player.pause(now_s)
        elif isinstance(command, ResumeShow):
            refusal = player.resume(now_s)
        elif isinstance(command, GoTo):
            refusal = player.goto(command.cue)
        elif isinstance(command, ResetShow):
            refusal = player.reset(now_s)
        elif isinstance(command, LoadShow):
            refusal = player.may_load()
            if refusal is None:
                request = LoadRequest(command.path, command.keep_standby, sender)
                self.loads.append(request)
        elif isinstance(command, Cancel):
            if command.groups is None and player.plays:
                refusal = player.cancel(now_s)
            if command.groups is None:
                self._hand.end()
                self.improviser.silence()
            manager.cancel(now_s, command.groups)
        elif isinstance(command, Freeze):
            self._hand.follow.end()  # a person's time does not stand still
            manager.freeze(now_s, command.groups)
        elif isinstance(command, Unfreeze):
            manager.unfreeze(now_s, command.groups)
        elif isinstance(command, ReleaseHead):
            self._hand.gaze.end()
            manager.sticks.release_gaze(now_s)
        elif isinstance(command, LeadBody):
            follows = self._hand.follow.leads_body
            refusal = self._hand.body.lead(now_s, sender, command, mode, action, follows)
        elif isinstance(command, ReleaseBody):
            self._hand.body.release(sender)
        elif isinstance(command, ShiftPoint):
            self._hand.gaze.shift(now_s, command)
        elif isinstance(command, StandsAt):
            refusal = self._hand.marks.tell(command, mode)
        elif isinstance(command, StartSway):
            follows, led = self._hand.follow.leads_body, self._hand.body.leads
            refusal = self._hand.sway.start(command, mode, action, follows, led)
        elif isinstance(command, EndSway):
            self._hand.sway.end()
        elif isinstance(command, Follow):
            refusal = may_move(mode, action) or self._hand.follow.start(command)
        elif isinstance(command, EndFollow):
            self._hand.follow.end()
        elif isinstance(command, StartTake | EndTake | MarkTake | ArmTake | ToggleTake):
            refusal = self._record(now_s, command, mode, action)
        elif isinstance(command, Say | PoseHands | SetIdle):
            refusal = self.improviser.do(now_s, command, self.clips, mode, action)
        elif isinstance(command, Gesture | Head | LookAt | HoldPoint | GoToPose):
            refusal = self._move(now_s, command, mode, action)
        return refusal

    def _record(
        self,
        now_s: float,
        command: StartTake | EndTake | MarkTake | ArmTake | ToggleTake,
        mode: Mode,
        action: Action,
    ) -> Statement | None:
        """Start, end, mark or prepare a take, or return the reason of the refusal."""
        takes = self._takes
        if isinstance(command, MarkTake):
            return takes.mark(now_s, command.name)
        if isinstance(command, ArmTake):
            takes.armed = command.plan
            return None
        if isinstance(command, EndTake) or isinstance(command, ToggleTake) and takes.runs:
            return takes.end(now_s, take_words.OPERATOR_ENDED())
        plan = command.plan if isinstance(command, StartTake) else takes.armed
        if plan is None:
            return take_words.NOT_ARMED()
        if mode not in STANDING:
            return why.WRONG_MODE(mode=mode.name)
        self._manager.joints.numbers(plan.limbs)  # raises if the robot has no such limb
        if plan.punch_in_s is not None and mode is not Mode.RECORD:
            return take_words.PUNCH_NEEDS_RECORD()
        if plan.moves and action >= Action.HOLD:
            return why.FAULT_HOLDS()
        refusal = clips_allow(plan, self.clips)
        return refusal or takes.start(now_s, plan)

    def _move(
        self,
        now_s: float,
        command: Gesture | Head | LookAt | HoldPoint | GoToPose,
        mode: Mode,
        action: Action,
    ) -> Statement | None:
        """Move a limb by hand, or return the reason of the refusal."""
        refusal = may_move(mode, action)
        if refusal is not None:
            return refusal
        manager = self._manager
        if isinstance(command, LookAt):
            return self._hand.gaze.start(command)
        if isinstance(command, HoldPoint):
            return self._hand.gaze.hold()
        if isinstance(command, Head):
            self._hand.gaze.hand_over()
            manager.sticks.lead_gaze(now_s, command.yaw, command.pitch)
            return None
        if isinstance(command, GoToPose):
            moved = manager.pose(now_s, command.angles, command.duration_s)
            return None if moved else why.LIMBS_RELEASED(gesture="pose")
        clip = self.clips.get(command.name)
        if clip is None:
            return why.NO_GESTURE(gesture=command.name)
        if command.phrase:
            playing = self.improviser.pair(now_s, command, clip)
            if isinstance(playing, Statement):
                return playing
        else:
            playing = manager.play(
                now_s,
                clip,
                command.groups,
                command.speed,
                command.loop,
                command.mirror,
                vary="size and tempo",
            )
        if not playing and self._floating.active:
            return why.LIMBS_RELEASED(gesture=command.name)
        if not playing and self._hand.gaze.asked is not None:
            return marks.HEAD_LOOKS(gesture=command.name)
        if not playing and self._hand.body.leads:
            return why.GESTURE_BODY_LED(gesture=command.name)
        return None


def moves(walk: Walk) -> bool:
    """Return whether a request lets the robot step."""
    return bool(walk.vx or walk.vy or walk.yaw_rate or walk.step or walk.gait == "run")


def _clip(value: float, most: float) -> float:
    return min(max(value, -most), most)


def name_of(command: Command) -> str:
    """Return a command's name, as in the field `command` of an event."""
    if isinstance(command, LoadShow) and not command.path:
        return "unload_show"
    name = type(command).__name__
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


def commanded(command: Command) -> Statement:
    """Return a command as a statement for the event log."""
    fields = {name: getattr(command, name) for name in command.__struct_fields__}
    known = {
        name: tuple(f"{key} {one}" for key, one in value.items())
        if isinstance(value, dict)
        else value.path
        if isinstance(value, TakePlan)
        else value
        for name, value in fields.items()
        if value is not None and _USUAL.get(name) != value
    }
    return why.COMMANDED(command=name_of(command), **known)
