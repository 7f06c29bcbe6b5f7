"""One tick of the core, from a sample to a verdict: sense, judge, behave, walk, control.

Pure in time: whoever calls it says what time it is. It owns the state, the mode and the show.
"""

import math
from collections.abc import Mapping, Sequence
from enum import IntEnum

import numpy as np

from core.behave.clip import Clip
from core.behave.errors import BehaveError
from core.behave.manager import MotionManager
from core.behave.reference import UpperReference
from core.behave.settings import MotionSettings
from core.compiled import compiled
from core.control.controller import Controller
from core.control.limits import Limits
from core.link import messages
from core.link.messages import Command, Event, Severity
from core.robot.joint_table import joint_table
from core.robot.model import RobotModel
from core.robot.profile import Profile
from core.robot.state import State
from core.safety.estop import StopLatch
from core.safety.failsafe import Failsafe
from core.safety.flags import Flag, Flags
from core.safety.health import Health, HealthFacts
from core.safety.modes import ACKNOWLEDGING, TORQUE, Mode, ModeFacts, ModeMachine, Request
from core.safety.rules import Action
from core.sense.estimator import StateEstimator, tilt_of
from core.stage.direct import direct
from core.stage.output import StageOutput
from core.stage.player import Player
from core.stage.prepared import PreparedShow
from core.walk.reference import Phase
from core.walk.walker import Walker
from devices.interface import Floats, JointCommand, Sample, Support

STILL_SPEED = 0.2  # below this a joint counts as still, encoder noise included [rad/s]
RISEN_ERROR = 0.008  # of the height, when standing up is complete [m]
SETTLED_ERROR = 0.02  # of the height, when the crouch is reached [m]
SEATED_RISE_S = 1.5  # for the upper body to reach its posture
WALK_SILENCE_S = 0.5  # a velocity that is not repeated within this time is zero
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


@compiled
def fastest(dq: Floats) -> float:
    """Return the largest joint speed [rad/s]; infinite if one is not a number."""
    largest = 0.0
    for value in dq:
        if not abs(value) <= largest:
            largest = abs(value) if value == value else math.inf
    return largest


class Verdict(IntEnum):
    """What the last branch of a tick does; the larger value moves less."""

    WRITE = 0
    DAMP = 1
    STOP = 2


class Performer:
    """Everything of the core that is not a device, a process or a link.

    Attributes:
        profile: the robot's.
        model: its dynamics at the present state.
        estimator: owns the state.
        walker: owns the gait.
        manager: owns the upper body's motion.
        player: owns the show.
        modes: owns the mode.
        failsafe: owns what is judged of the flags.
        latch: owns the stop.
        controller: owns the command.
        joints: the robot's joints with their limits.
        facts: what the loop knows of its own health; the loop fills part of it.
        upper: the upper body's reference of the last tick.
        stage: the show's output of the last tick.
        velocity: commanded velocity of the last tick (3) [m/s, m/s, rad/s].
        falls: how often the robot fell.
        may_step: the robot steps when it is asked to or pushed; False only balances.
    """

    def __init__(self, profile: Profile, support: Support, seed: int = 0) -> None:
        self.profile = profile
        self.support = support
        self.joints = table = joint_table(profile)
        count = len(profile.joint_names)
        self.model = RobotModel(profile)
        self.estimator = StateEstimator(self.model, profile.estimator, count)
        self.walker = Walker(profile, self.model.mass)
        rest = tuple(float(angle) for angle in profile.posture("rest"))
        self.manager = MotionManager(MotionSettings(rest_q=rest, seed=seed), table)
        self.player = Player()
        self.modes = ModeMachine()
        self.failsafe = Failsafe()
        self.latch = StopLatch()
        self.controller = Controller(profile, self.model)
        legs = range(self.model.first_leg_joint, self.model.joint_count)
        self.facts = HealthFacts(support=support)
        self.upper: UpperReference = self.manager.update(0.0)
        self.stage: StageOutput = self.player.output
        self.velocity: Floats = np.zeros(3)
        self.falls = 0
        self.step_in_place = False
        self.may_step = True
        self._clips: Mapping[str, Clip] = {}
        self._health = Health(profile.joint_names, legs, range(self.model.joint_count, count))
        self._limits = Limits(profile, table.lower, table.upper)
        self._mode_facts = ModeFacts(support=support)
        self._upper_index = np.array(self.manager.joints.table_index)
        self._events: list[Event] = []
        self._sample_finite = True
        self._upright = False
        self._height = profile.balance.crouch_height
        self._walk = messages.Walk()
        self._walk_s = -math.inf
        self._action = Action.NONE
        self._flags = Flags()
        self._flag_names: tuple[str, ...] = ()
        self._now_s = 0.0

    @property
    def command(self) -> JointCommand:
        """The command of the last tick."""
        return self.controller.command

    @property
    def action(self) -> Action:
        """The failsafe's action of the last tick."""
        return self._action

    @property
    def flag_names(self) -> tuple[str, ...]:
        """Names of the health flags that are raised."""
        return self._flag_names

    @property
    def mode(self) -> Mode:
        """The mode of the last tick."""
        return self.modes.mode

    def take_events(self) -> list[Event]:
        """Return what happened since the last call."""
        events, self._events = self._events, []
        return events

    def say(self, actor: str, text: str, severity: Severity = "info") -> None:
        """Add a line to the event log."""
        self._events.append(Event(self._now_s, actor, text, severity))

    def load(self, show: PreparedShow) -> None:
        """Take a show that is ready to play; a running one stays."""
        refusal = self.player.load(show)
        if refusal is not None:
            self.say("core", f"{show.name} was not loaded: {refusal}.", "warning")
            return
        self._clips = show.clips
        content = f"{show.name}: {len(show.cues)} cues" if show.cues else "no show"
        self.say("core", f"ready to play {content}, {len(show.clips)} gestures")
        for warning in show.warnings:
            self.say("stagehand", warning, "warning")

    def tick(
        self, now_s: float, sample: Sample, commands: Sequence[tuple[str, Command]]
    ) -> Verdict:
        """Advance by one tick and return what to do with the command.

        Args:
            now_s: the tick's time [s].
            sample: what the body has just read.
            commands: sender and command, in the order in which they came.
        """
        self._now_s = now_s
        self.latch.watch(sample.estop_closed)
        self._sample_finite = _finite(sample)
        if self._sample_finite and math.isfinite(sample.imu_age_s):
            self.model.update(self._estimate(sample))
        requests = self._hear(now_s, commands) if commands else []
        self._judge(now_s, sample, requests)
        self._perform(now_s)
        return self._move(now_s)

    def _estimate(self, sample: Sample) -> State:
        """Return the newest state; a robot that has not moved yet tells its tilt by gravity."""
        if self.modes.mode in (Mode.OFF, Mode.DAMPED):
            return self.estimator.rest(sample)
        return self.estimator.update(sample)

    # Commands

    def _hear(self, now_s: float, commands: Sequence[tuple[str, Command]]) -> list[Request]:
        """Do what needs no mode; return what does."""
        requests: list[Request] = []
        for sender, command in commands:
            request = _REQUESTS.get(type(command))
            if request is Request.STOP:
                self.latch.press()
            if isinstance(command, messages.Walk):
                self._walk, self._walk_s = command, now_s
            else:
                self.say(sender, _sentence(command))
            if isinstance(command, messages.Go) and self._may_go():
                refusal = self.player.go(now_s, command.cue, self._stance())
                if refusal is not None:
                    self.say("core", f"GO refused: {refusal}.", "warning")
                    continue
            if request is not None:
                requests.append(request)
                if request in ACKNOWLEDGING:
                    self.failsafe.acknowledge()
            else:
                self._obey(now_s, command)
        return requests

    def _may_go(self) -> bool:
        return self.modes.mode in STANDING and self._action < Action.HOLD

    def _stance(self) -> str:
        return "standing" if self.walker.reference.phase is Phase.STAND else "walking"

    def _obey(self, now_s: float, command: Command) -> None:
        """Do what the show and the limbs are told directly."""
        refusal: str | None = None
        if isinstance(command, messages.PauseShow):
            refusal = self.player.pause(now_s)
        elif isinstance(command, messages.ResumeShow):
            refusal = self.player.resume(now_s)
        elif isinstance(command, messages.GoTo):
            refusal = self.player.goto(command.cue)
        elif isinstance(command, messages.ResetShow):
            refusal = self.player.reset(now_s)
        elif isinstance(command, messages.Cancel):
            if command.groups is None:
                refusal = self.player.cancel(now_s) if self.player.running else None
            self.manager.cancel(now_s, command.groups)
        elif isinstance(command, messages.Freeze):
            self.manager.freeze(now_s, command.groups)
        elif isinstance(command, messages.Unfreeze):
            self.manager.unfreeze(now_s, command.groups)
        elif isinstance(command, messages.ReleaseHead):
            self.manager.release_head(now_s)
        elif self.modes.mode not in STANDING:
            refusal = f"the robot is {self.modes.mode.name}; STAND UP first"
        elif isinstance(command, messages.Gesture):
            refusal = self._gesture(now_s, command)
        elif isinstance(command, messages.Head):
            try:
                self.manager.joystick(now_s, command.yaw, command.pitch)
            except BehaveError as error:
                refusal = str(error)
        if refusal is not None:
            self.say("core", f"{type(command).__name__} refused: {refusal}.", "warning")

    def _gesture(self, now_s: float, command: messages.Gesture) -> str | None:
        clip = self._clips.get(command.name)
        if clip is None:
            return f"the gesture {command.name!r} is not loaded; load a show that has it"
        try:
            self.manager.play(
                now_s, clip, command.groups, command.speed, command.loop, command.mirror
            )
        except BehaveError as error:
            return str(error)
        return None

    # Judgement

    def _judge(self, now_s: float, sample: Sample, requests: list[Request]) -> None:
        """Raise flags, let the failsafe judge them, and let the mode follow."""
        self._gather(sample)
        flags = self._health.flags(sample, self.facts)
        if flags is not self._flags:
            self._flags = flags
            self._flag_names = tuple(flag.name for flag in flags)
        action = self.failsafe.update(now_s, flags)
        worst = self.failsafe.worst
        cause = "" if worst is None else worst.text
        if action is not self._action:
            self._action = action
            if worst is not None:
                detail = self._health.explain(worst.flag, sample)
                text = f"{action.name}: {worst.text}" + (f" ({detail})" if detail else "")
                self.say("core", f"{text} {worst.advice}", _severity(action))
        if self._upright and self.facts.tilt_rad > self._health.settings.fall_tilt_rad:
            self._upright = False
            self.falls += 1
            self.say("core", "the robot has fallen", "error")
        before = self.modes.mode
        mode = self.modes.update(now_s, requests, self._mode_facts, action, cause)
        if mode is not Mode.PERFORM and self.player.running:
            self.player.cancel(now_s)  # a GO that the mode refused, or a show that was ended
        for refusal in self.modes.refusals:
            self.say("core", refusal.reason, "warning")
        if self.modes.reset_granted:
            self.failsafe.reset()
            self.latch.reset(sample.estop_closed)
        if mode is not before:
            self._enter(now_s, before, mode)

    def _gather(self, sample: Sample) -> None:
        state, facts, mode_facts = self.estimator.state, self.facts, self._mode_facts
        mode, phase = self.modes.mode, self.walker.reference.phase
        facts.readable = math.isfinite(sample.imu_age_s)
        facts.driven = mode in TORQUE and mode is not Mode.OFF
        facts.stepping = phase is Phase.STEP
        facts.tilt_rad = tilt_of(state)
        left, right = self.model.left_sole_height, self.model.right_sole_height
        facts.base_height_m = float(state.position_base_in_world[2]) - min(left, right)
        sum_of_state = self.model.com_height + self.model.com_rise + facts.tilt_rad
        finite = math.isfinite(sum_of_state)
        facts.state_finite = finite and self._sample_finite
        facts.qp_unsolved_ticks = self.controller.failures
        facts.stop_pressed = self.latch.pressed
        facts.estop_open = self.latch.chain_opened
        mode_facts.readable = facts.readable
        mode_facts.estop_closed = sample.estop_closed
        mode_facts.still = fastest(sample.dq) < STILL_SPEED
        mode_facts.performing = bool(self.player.running)
        mode_facts.stepping = phase is not Phase.STAND
        mode_facts.stuck = () if self._action is Action.NONE else self._stuck()
        com_height = self.model.com_height - 0.5 * (left + right)
        balance = self.profile.balance
        elapsed_s = self._now_s - self.modes.since_s
        if self.support is Support.SEATED:
            mode_facts.risen = mode_facts.settled = elapsed_s > SEATED_RISE_S
        else:
            still = phase is Phase.STAND and abs(self.walker.reference.com_height_rate) < 0.02
            mode_facts.risen = still and abs(com_height - balance.stand_height) < RISEN_ERROR
            mode_facts.settled = still and com_height < balance.crouch_height + SETTLED_ERROR

    def _stuck(self) -> tuple[str, ...]:
        """Return what a reset would not clear; the latch's own flags are what it clears."""
        own = (Flag.STOP_PRESSED, Flag.ESTOP_OPEN)
        return tuple(rule.text for rule in self.failsafe.stuck if rule.flag not in own)

    def _enter(self, now_s: float, before: Mode, mode: Mode) -> None:
        """Do what a change of mode brings with it."""
        cause = f": {self.modes.cause}" if self.modes.cause else ""
        self.say("core", f"{before.name} -> {mode.name}{cause}")
        if mode is Mode.STANDING_UP:
            self._upright = True
            self.manager.adopt(now_s, self.estimator.state.q[self._upper_index])
            self.walker.start(now_s, self.model)
        if mode in (Mode.SETTLE, Mode.READY) and before is not Mode.STANDING_UP:
            self.manager.rest(now_s)

    # Motion

    def _perform(self, now_s: float) -> None:
        """Let the show and the limbs advance, and choose the velocity."""
        mode = self.modes.mode
        if self._action is Action.HOLD and mode is Mode.PERFORM:
            self.player.operator_lost(now_s)
        self.stage = stage = self.player.update(now_s)
        if stage.happened or stage.head_held:
            direct(stage, self._clips, self.manager, now_s)
        if stage.happened:
            for note in stage.notes:
                self.say("player", note, "warning")
            for cue in stage.started:
                self.say("player", f"cue {cue} starts")
            for signal in stage.signals:
                self.say("show", signal)
        self.upper = self.manager.update(now_s)
        self.velocity[:] = 0.0
        self.step_in_place = False
        if mode is Mode.PERFORM:
            self.velocity[:] = stage.velocity
            self.step_in_place = stage.walking
        elif mode is Mode.WALK and now_s - self._walk_s <= WALK_SILENCE_S:
            self.velocity[:] = (self._walk.vx, self._walk.vy, self._walk.yaw_rate)
            self.step_in_place = self._walk.step

    def _move(self, now_s: float) -> Verdict:
        """Compute the command of this mode and say what to do with it."""
        mode, latch = self.modes.mode, self.latch
        if latch.chain_opened or self._action is Action.CUT or mode is Mode.OFF:
            self.controller.rest()
            return Verdict.STOP
        if latch.pressed or self._action >= Action.DAMP or mode not in TORQUE:
            self.controller.rest()
            self.facts.command_finite = True  # what was wrong is judged by now
            return Verdict.DAMP
        state, upper = self.estimator.state, self.upper
        if self.support is Support.SEATED:
            command = self.controller.perform(state, upper.q, upper.dq)
        else:
            balance = self.profile.balance
            height = balance.crouch_height if mode is Mode.SETTLE else balance.stand_height
            if mode is Mode.SETTLE and self.walker.reference.phase is not Phase.STAND:
                height = balance.stand_height
            self.walker.stepping_allowed = self.may_step and mode in STANDING
            legs = self.walker.update(
                now_s, state, self.model, self.velocity, height, self.step_in_place
            )
            command = self.controller.balance(state, legs, upper.q, upper.dq, upper.ddq)
        if Flag.WINDING_WARM in self._flags:
            self.controller.derate(self._health.derate)
        finite = self._limits.clip(command)
        self.facts.command_finite = finite
        return Verdict.WRITE if finite else Verdict.DAMP


def _finite(sample: Sample) -> bool:
    """Tell whether every number that the estimate is made of is one."""
    motion = sample.q.sum() + sample.dq.sum() + sample.tau.sum()
    return math.isfinite(float(motion + sample.gyro.sum() + sample.accel.sum()))


def _severity(action: Action) -> Severity:
    return "error" if action >= Action.SETTLE else "warning"


def _sentence(command: Command) -> str:
    """Return a command as a line of the event log."""
    values = [
        f"{name} {value}"
        for name in command.__struct_fields__
        if (value := getattr(command, name)) not in (None, False)
    ]
    name = type(command).__name__
    return f"{name}: {', '.join(values)}" if values else name
