"""One tick of the core, from a sample to a verdict: sense, judge, behave, walk, control.

Pure in time: whoever calls it says what time it is. It owns the state, the mode and the show.
"""

import math
from collections.abc import Sequence
from enum import IntEnum
from functools import partial

import numpy as np

from core.behave.manager import MotionManager
from core.behave.reference import UpperReference
from core.behave.settings import MotionSettings
from core.link import wording
from core.link.catalogue import safety
from core.link.catalogue import show as words
from core.link.catalogue.refusals import REFUSED
from core.link.commands import Command
from core.link.event import Event
from core.link.statement import Severity, Statement
from core.plants.biped.model import RobotModel
from core.plants.biped.sense.estimator import StateEstimator, tilt_of
from core.plants.biped.sense.hand_load import HandLoads
from core.plants.biped.sense.trust import is_believable
from core.plants.biped.walk.reference import Phase
from core.plants.biped.walk.stance import Stance
from core.plants.biped.walk.walker import Walker
from core.plants.biped.whole_body.controller import Controller
from core.plants.limits import Limits
from core.robot.joint_table import joint_table
from core.robot.profile import Profile
from core.robot.state import State
from core.safety.estop import StopLatch
from core.safety.extremes import Extremes
from core.safety.failsafe import Failsafe
from core.safety.flags import Flag, Flags
from core.safety.health import Health, HealthFacts
from core.safety.modes import LIMP, TORQUE, Mode, ModeFacts, ModeMachine, Refusal, Request
from core.safety.rule_book import RuleBook
from core.safety.rules import Action
from core.stage.direct import direct
from core.stage.output import StageOutput
from core.stage.player import Player
from core.stage.prepared import PreparedShow
from core.tick.orders import STANDING, Orders
from devices.interface import Floats, JointCommand, Sample, Support

STILL_SPEED = 0.2  # below this a joint counts as still, encoder noise included [rad/s]
RISEN_ERROR = 0.008  # of the height, when standing up is complete [m]
SETTLED_ERROR = 0.02  # of the height, when the crouch is reached [m]
SEATED_RISE_S = 1.5  # for the upper body to reach its posture
REPEAT_REFUSAL_S = 1.0
FEET_UP_S = 0.5  # so long may standing up go without a foot on the floor


class Verdict(IntEnum):
    """What the last branch of a tick does; the larger value moves less."""

    WRITE = 0
    DAMP = 1
    STOP = 2


# Python takes 0.1 µs to look a member of an enumeration up, and a tick asks some thirty times.
_OFF, _STANDING_UP, _PERFORM = Mode.OFF, Mode.STANDING_UP, Mode.PERFORM
_WALK, _SETTLE = Mode.WALK, Mode.SETTLE
_NONE, _HOLD, _DAMP, _CUT = Action.NONE, Action.HOLD, Action.DAMP, Action.CUT
_STAND, _STEP = Phase.STAND, Phase.STEP


class Performer:
    """Everything of the core that is not a device, a process or a link.

    Attributes:
        profile: the robot's.
        model: its dynamics at the present state.
        estimator: owns the state.
        walker: owns the gait.
        hand_loads: owns what is known of loads in the hands.
        manager: owns the upper body's motion.
        player: owns the show.
        orders: owns what operators ask for.
        modes: owns the mode.
        failsafe: owns what is judged of the flags.
        latch: owns the stop.
        controller: owns the command.
        joints: the robot's joints with their limits.
        health: owns the flags.
        flags: those of the last tick.
        facts: what the loop knows of its own health; the loop fills part of it.
        mode_facts: what the mode machine was told last.
        rules: faults whose action holds, the worst first.
        details: how much, or which joint, when a fault began to matter.
        upper: the upper body's reference of the last tick.
        stage: the show's output of the last tick.
        velocity: commanded velocity of the last tick (3) [m/s, m/s, rad/s].
        falls: how often the robot fell.
        may_step: the robot steps when it is asked to or pushed; False only balances.
    """

    def __init__(self, profile: Profile, support: Support, seed: int = 0) -> None:
        self.profile = profile
        self.support = support
        self._seated = support is Support.SEATED
        self.joints = table = joint_table(profile)
        count = len(profile.joint_names)
        self.model = RobotModel(profile)
        self.estimator = StateEstimator(profile, self.model)
        self.walker = Walker(profile, self.model)
        self._stance_watch = Stance(profile.as_biped.gait)
        self.hand_loads = HandLoads(profile, self.model)
        rest = tuple(float(angle) for angle in profile.posture("rest"))
        self.manager = MotionManager(MotionSettings(rest_q=rest, seed=seed), table)
        self.player = Player()
        self.modes = ModeMachine()
        self.failsafe = Failsafe()
        self.latch = StopLatch()
        self.controller = Controller(profile, self.model)
        self.orders = Orders(self.player, self.manager, self.latch, self.failsafe, self.say)
        legs = self.model.leg_joints.ravel().tolist()
        self.facts = HealthFacts(support=support)
        self.upper: UpperReference = self.manager.update(0.0)
        self.stage: StageOutput = self.player.output
        self.velocity: Floats = np.zeros(3)
        self.falls = 0
        self.step_in_place = False
        self.may_step = True
        minor = range(self.model.joint_count, count)
        names = profile.joint_names
        self.health = Health(names, legs, minor, profile.health, profile.battery)
        tilt_rad = profile.health.fall_tilt_rad
        self._fall_tilt_rad = math.inf if tilt_rad is None else tilt_rad
        self._limits = Limits(profile, table.lower, table.upper)
        self.mode_facts = ModeFacts(support=support)
        self._upper_index = np.array(self.manager.joints.table_index)
        self._events: list[Event] = []
        self._extremes = Extremes()
        self._upright = False
        self._has_stood = False
        self._height = profile.as_biped.balance.crouch_height
        self._walk_refused_s = -math.inf
        self._borne_s = 0.0
        self.book = RuleBook(self.say)
        self._action = Action.NONE
        self.flags = Flags()
        self._fallen = self._warm = False
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

    def say(self, actor: str, said: Statement, severity: Severity | None = None) -> None:
        """Add a line to the event log; None is the catalogue's severity."""
        self._events.append(wording.event(self._now_s, actor, said, severity))

    def load(self, show: PreparedShow) -> bool:
        """Take a show that is ready to play, and tell whether it was; a running one stays."""
        refusal = self.player.load(show)
        if refusal is not None:
            if show.name:
                self.say("core", words.SHOW_NOT_LOADED(show=show.name, reason=refusal))
            else:
                self.say("core", words.SHOW_NOT_UNLOADED(reason=refusal))
            return False
        self.orders.clips = show.clips
        cues, gestures = len(show.cues), len(show.clips)
        if cues:
            self.say("core", words.SHOW_LOADED(show=show.name, cues=cues, gestures=gestures))
        else:
            self.say("core", words.SHOW_UNLOADED(gestures=gestures))
        for warning in show.warnings:
            self.say("stagehand", words.SHOW_WARNING(text=warning))
        return True

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
        self._extremes.look(sample)
        if self._extremes.finite and math.isfinite(sample.imu_age_s):
            self.model.update(self._estimate(sample))
        requests: list[Request] = []
        if commands:
            mode, stance = self.modes.mode, self._stance
            requests = self.orders.hear(now_s, commands, mode, self._action, stance)
        self._judge(now_s, sample, requests)
        self._perform(now_s)
        return self._move(now_s)

    def _estimate(self, sample: Sample) -> State:
        """Return the newest state; a robot that has not moved yet tells its tilt by gravity."""
        if self.modes.mode in LIMP or not self._has_stood:
            return self.estimator.rest(sample)
        return self.estimator.update(sample)

    @property
    def _stance(self) -> str:
        return "standing" if self.walker.reference.phase is Phase.STAND else "walking"

    # Judgement

    def _judge(self, now_s: float, sample: Sample, requests: list[Request]) -> None:
        """Raise flags, let the failsafe judge them, and let the mode follow."""
        self._gather(sample)
        facts, modes = self.facts, self.modes
        flags = self.health.flags(sample, self._extremes, facts)
        if flags is not self.flags:
            self.flags = flags
            self._flag_names = tuple(flag.name for flag in flags)
            self._fallen, self._warm = Flag.FALLEN in flags, Flag.WINDING_WARM in flags
        if self._action >= _HOLD and modes.mode in LIMP:
            # A limp robot has nothing to resume: what is over need not be acknowledged before
            # STAND UP, which would do so.
            self.failsafe.acknowledge()
        action = self.failsafe.update(now_s, flags)
        worst = self.failsafe.worst if action else None
        cause = None if worst is None else worst.fault
        if action is _HOLD > self._action and modes.mode is not _PERFORM:
            self.manager.rest(now_s)
        self._action = action
        if flags.bits or self.book.rules:
            explain = partial(self.health.explain, sample=sample, facts=facts)
            self.book.update(now_s, self.failsafe.active, explain)
        tilted = facts.tilt_rad > self._fall_tilt_rad
        if self._upright and (tilted or self._fallen):
            self._upright = False
            self.falls += 1
        if self._kicks(now_s):
            self.say("core", safety.NO_FOOT_LOADED())
            requests = [*requests, Request.SETTLE]
        before = modes.mode
        mode = modes.update(now_s, requests, self.mode_facts, action, cause)
        if mode is not _PERFORM and self.player.plays:
            self.player.cancel(now_s)  # a GO that the mode refused, or a show that was ended
        for refusal in modes.refusals:
            self._tell_refusal(now_s, refusal)
        if modes.reset_granted:
            self.failsafe.reset()
            self.latch.reset(sample.estop_closed)
        if mode is not before:
            self._enter(now_s, before, mode)

    def _tell_refusal(self, now_s: float, refusal: Refusal) -> None:
        """Tell why a request was refused; one that is streamed is refused aloud once a second."""
        if refusal.request is Request.WALK:
            if now_s - self._walk_refused_s < REPEAT_REFUSAL_S:
                return
            self._walk_refused_s = now_s
        self.say("core", REFUSED(command=refusal.request.value, reason=refusal.reason))

    def _gather(self, sample: Sample) -> None:
        state, facts, mode_facts = self.estimator.state, self.facts, self.mode_facts
        model, legs, extremes = self.model, self.walker.reference, self._extremes
        phase = legs.phase
        facts.readable = facts.readable or math.isfinite(sample.imu_age_s)
        facts.driven = driven = self.modes.mode in TORQUE
        facts.stepping = driven and phase is _STEP
        facts.tilt_rad = tilt_rad = tilt_of(state)
        left, right = model.left_sole_height, model.right_sole_height
        facts.base_height_m = float(state.position_base_in_world[2]) - min(left, right)
        facts.state_finite = model.finite and math.isfinite(tilt_rad) and extremes.finite
        facts.estimator_sure = not driven or self._seated or self._is_believable(sample)
        facts.unsolved_s = self.controller.failures * self.profile.tick_s
        facts.stop_pressed = self.latch.pressed
        facts.estop_open = self.latch.chain_opened
        mode_facts.readable = facts.readable
        mode_facts.estop_closed = sample.estop_closed
        mode_facts.still = extremes.fastest < STILL_SPEED
        mode_facts.performing = self.player.plays
        mode_facts.stepping = phase is not _STAND
        mode_facts.stuck = () if self._action is _NONE else self._stuck()
        if self._seated:
            elapsed_s = self._now_s - self.modes.since_s
            mode_facts.risen = mode_facts.settled = elapsed_s > SEATED_RISE_S
        else:
            balance, com_height = (
                self.profile.as_biped.balance,
                model.com_height - 0.5 * (left + right),
            )
            still = phase is _STAND and abs(legs.com_height_rate) < 0.02
            mode_facts.risen = still and abs(com_height - balance.stand_height) < RISEN_ERROR
            mode_facts.settled = still and com_height < balance.crouch_height + SETTLED_ERROR

    def _is_believable(self, sample: Sample) -> bool:
        model, biases = self.model, self.estimator.filter.biases
        return is_believable(sample.contacts, model.soles, model.sole_rotations, biases)

    def _kicks(self, now_s: float) -> bool:
        """Tell whether the robot tries to stand up although no foot carries it."""
        if self.modes.mode is not _STANDING_UP or any(self.estimator.contact.loaded.tolist()):
            self._borne_s = now_s
        return not self._seated and now_s - self._borne_s > FEET_UP_S

    def _stuck(self) -> tuple[Statement, ...]:
        """Return what a reset would not clear; the latch's own flags are what it clears."""
        own = (Flag.STOP_PRESSED, Flag.ESTOP_OPEN)
        return tuple(rule.fault for rule in self.failsafe.stuck if rule.flag not in own)

    def _enter(self, now_s: float, before: Mode, mode: Mode) -> None:
        """Do what a change of mode brings with it."""
        cause = self.modes.cause
        if cause is None:
            self.say("core", safety.MODE_CHANGED(before=before.name, mode=mode.name))
        else:
            self.say("core", safety.MODE_FORCED(before=before.name, mode=mode.name, cause=cause))
        self._upright = mode in TORQUE if mode is not Mode.FAULT else self._upright
        if mode is Mode.STANDING_UP:
            self._has_stood = True
            self.manager.adopt(now_s, self.estimator.state.q[self._upper_index])
            self.hand_loads.forget()
            self.walker.start(now_s, self.model)
        if mode in (Mode.SETTLE, Mode.READY) and before is not Mode.STANDING_UP:
            self.manager.rest(now_s)

    # Motion

    def _perform(self, now_s: float) -> None:
        """Let the show and the limbs advance, and choose the velocity."""
        mode = self.modes.mode
        if self._action is _HOLD and mode is _PERFORM:
            self.player.operator_lost(now_s)
        self.stage = stage = self.player.update(now_s)
        if stage.happened or stage.head_held:
            direct(stage, self.orders.clips, self.manager, now_s)
        if stage.happened:
            for note in stage.notes:
                self.say("player", note)
            for cue in stage.started:
                self.say("player", words.CUE_STARTED(cue=cue))
            for signal in stage.signals:
                self.say("show", words.SHOW_SIGNAL(text=signal))
        self.upper = self.manager.update(now_s)
        velocity = self.velocity
        self.step_in_place = False
        if mode is _PERFORM:
            velocity[:] = stage.velocity
            self.step_in_place = stage.walking
        elif mode is _WALK and self._action < _HOLD:
            walk = self.orders.velocity(now_s)
            velocity[0], velocity[1], velocity[2] = walk.vx, walk.vy, walk.yaw_rate
            self.step_in_place = walk.step
        else:
            velocity.fill(0.0)

    def _move(self, now_s: float) -> Verdict:
        """Compute the command of this mode and say what to do with it."""
        mode, latch, action = self.modes.mode, self.latch, self._action
        if latch.chain_opened or action is _CUT or mode is _OFF:
            self.controller.rest()
            return Verdict.STOP
        if latch.pressed or action >= _DAMP or mode not in TORQUE:
            self.controller.rest()
            self.facts.command_finite = True  # what was wrong is judged by now
            return Verdict.DAMP
        state, upper, walker = self.estimator.state, self.upper, self.walker
        for said in self.hand_loads.watch(state.tau, upper.ddq):
            self.say("core", said)
        if self._seated:
            command = self.controller.perform(state, upper.q, upper.dq)
        else:
            balance = self.profile.as_biped.balance
            crouches = mode is _SETTLE and walker.reference.phase is _STAND
            height = balance.crouch_height if crouches else balance.stand_height
            walker.stepping_allowed = self.may_step and mode in STANDING
            steps = self._puts_feet_right(now_s) or self.step_in_place
            legs = walker.update(now_s, state, self.model, self.velocity, height, steps)
            command = self.controller.balance(state, legs, upper.q, upper.dq, upper.ddq)
            unsolved_s = self.controller.failures * self.profile.tick_s
            if unsolved_s > self.profile.health.solver_patience_s:
                return Verdict.DAMP
        if self._warm:
            self.controller.derate(self.health.derate)
        finite = self._limits.clip(command)
        self.facts.command_finite = finite
        return Verdict.WRITE if finite else Verdict.DAMP

    def _puts_feet_right(self, now_s: float) -> bool:
        """Tell whether the robot shall step in place because its feet have crept apart."""
        watch, walker = self._stance_watch, self.walker
        phase = walker.reference.phase
        if phase is _STEP or not walker.stepping_allowed:
            watch.rest()
        elif phase is _STAND:
            calm = not self.player.plays and not self.upper.states.any()
            if watch.watch(now_s, self.model, calm):
                self.say("core", safety.FEET_APART())
        return watch.asks
