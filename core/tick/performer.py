"""One tick of the core, from a sample to an actuation: sense, judge, behave, walk, control.

The caller gives the time. The performer owns the state, the mode and the show.
"""

import math
from collections.abc import Sequence
from enum import IntEnum
from functools import partial
from pathlib import Path

import numpy as np

from core.behave.errors import BehaveError
from core.behave.floating import FREEDOMS, Floating, Freedom
from core.behave.manager import MotionManager
from core.behave.reference import UpperReference
from core.behave.told_loads import ToldLoads
from core.link import wording
from core.link.catalogue import safety
from core.link.catalogue import show as words
from core.link.catalogue import takes as take_words
from core.link.catalogue.refusals import CANNOT_MOVE, REFUSED
from core.link.commands import Command, Walk
from core.link.event import Event
from core.link.statement import Severity, Statement
from core.link.take import TakePlan
from core.plants.interface import Plant, Stepping, Wanted
from core.plants.limits import Limits
from core.robot.gravity import Gravity
from core.robot.joint_table import joint_table
from core.robot.model import joint_limits
from core.robot.profile import REST, Profile
from core.safety.estop import StopLatch
from core.safety.extremes import Extremes
from core.safety.failsafe import Failsafe
from core.safety.flags import Flag, Flags
from core.safety.health import Health, HealthFacts, Monitored
from core.safety.modes import LATCHED, LIMP, TORQUE, Mode, ModeFacts, ModeMachine, Refusal, Request
from core.safety.rule_book import RuleBook
from core.safety.rules import RULES, Action, Rule
from core.stage.direct import direct
from core.stage.output import StageOutput
from core.stage.player import Player
from core.stage.prepared import PreparedShow
from core.takes.desk import Due, TakeDesk
from core.tick.body_stick import BodyByStick
from core.tick.by_hand import ByHand
from core.tick.follow import FollowPerson
from core.tick.gaze import GazeAtPoint
from core.tick.jump import JumpByHand
from core.tick.marks import WalkToMark
from core.tick.orders import REPEAT_REFUSAL_S, Orders
from core.tick.standing import STANDING
from core.tick.sway import SwayByHand
from devices.interface import Floats, JointCommand, Sample, Support
from shows.body_limb import KIND as BODY
from shows.body_limb import live_reaches
from shows.take import TakeHead

STILL_SPEED = 0.2  # below this a joint counts as still, encoder noise included [rad/s]
FEET_UP_S = 0.5  # longest time of standing up without a foot on the floor


class Actuation(IntEnum):
    """The last call of a tick to the body; a larger value moves less."""

    WRITE = 0
    DAMP = 1
    STOP = 2


# An attribute access on an enumeration takes 0.1 µs in Python, and a tick has some thirty.
_OFF, _STANDING_UP, _READY = Mode.OFF, Mode.STANDING_UP, Mode.READY
_PERFORM = Mode.PERFORM
_WALK, _RECORD, _SETTLE = Mode.WALK, Mode.RECORD, Mode.SETTLE
_USUAL = Stepping()
_FOLLOWING = frozenset({_READY, _PERFORM})  # modes in which steps follow a person's
_NONE, _HOLD, _DAMP, _CUT = Action.NONE, Action.HOLD, Action.DAMP, Action.CUT


class Performer:
    """The core without devices, processes and link.

    Attributes:
        profile: profile of the robot.
        plant: owns the state of the body and the command.
        manager: owns the motion of the upper body.
        floating: owns the limbs that a person moves.
        takes: owns the take that is recorded.
        body_kind: real, twin or sim, for the description of takes.
        links: names of the robot's links.
        player: owns the show.
        hand: owns what operators ask for by hand.
        orders: owns the operators' commands.
        modes: owns the mode.
        failsafe: owns the judgement of the flags.
        latch: owns the STOP latch.
        joints: the robot's joints with their limits.
        health: owns the flags.
        flags: flags of the last tick.
        facts: facts for health; the loop fills part of them.
        mode_facts: facts for the mode machine at the last tick.
        rules: rules whose action holds, the most severe first.
        details: joint or value behind a fault, at its beginning.
        upper: reference of the upper body of the last tick.
        stage: output of the show of the last tick.
        wanted: request of the last tick to the plant.
        falls: number of falls.
    """

    def __init__(
        self, profile: Profile, plant: Plant, seed: int = 0, rules: tuple[Rule, ...] = RULES
    ) -> None:
        self.profile = profile
        self.plant = plant
        self.joints = table = joint_table(profile)
        rest_q = profile.posture(REST)
        self.manager = MotionManager(table, rest_q, profile.motion, profile.idle, seed)
        self.manager.widen(live_reaches(profile.body))
        self.player = Player()
        self.modes = ModeMachine()
        self.failsafe = Failsafe(rules)
        self.latch = StopLatch()
        self._gravity = Gravity(profile)
        self.links = self._gravity.links
        self.floating = Floating(
            self.manager,
            profile.floating,
            profile.column("kp"),
            profile.column("kd"),
            self._gravity.largest(),
            ~np.array(profile.movable_joints),
            np.array(profile.position_servos),
            plant.state.q,
            profile.tick_s,
            tuple(grip.limb for grip in profile.grips),
        )
        self._loads = ToldLoads(profile.tick_s)
        self.takes = TakeDesk(self.say, self._describe)
        self._backing = ""  # name of the clip that plays for the take
        self._backed: tuple[str, ...] = ()  # limbs that were led to it
        self.body_kind = ""
        marks = WalkToMark(profile.pace, plant, self.say)
        self.hand = ByHand(
            SwayByHand(table.sway, plant),
            JumpByHand(table.gaits, plant),
            marks,
            GazeAtPoint(profile, plant, self.manager, marks.place),
            BodyByStick(self.manager, plant),
            FollowPerson(self.manager, plant, self.say),
        )
        self.orders = Orders(
            self.player,
            self.manager,
            self.floating,
            self.takes,
            self.hand,
            table.gaits,
            self.latch,
            self.failsafe,
            self.say,
        )
        self.facts = HealthFacts(support=plant.support)
        self.upper: UpperReference = self.manager.update(0.0)
        self.stage: StageOutput = self.player.output
        self.wanted = Wanted(self.upper)
        self.falls = 0
        self._has_imu = profile.imu is not None
        self.health = Health(Monitored.of(profile), profile.health, profile.battery)
        tilt_rad = profile.health.fall_tilt_rad
        self._fall_tilt_rad = math.inf if tilt_rad is None else tilt_rad
        self._limits = Limits(profile, *joint_limits(profile))
        self.mode_facts = ModeFacts(support=plant.support, walks=plant.walks)
        self._upper_index = np.array(
            self.manager.joints.table_index[: self.manager.joints.joint_count], dtype=np.intp
        )
        names = self.manager.joints.limb_names
        self._body = names.index(BODY) if BODY in names else -1
        self._events: list[Event] = []
        self._extremes = Extremes()
        self._upright = self._tilted = False
        self._can_lie = plant.walks and plant.support is not Support.SEATED
        self._has_stood = False
        self._walk_refused_s = -math.inf
        self._borne_s, self._borne = 0.0, True
        self._stepped, self._stepping = Walk(), _USUAL
        self.book = RuleBook(self.say)
        self._action = Action.NONE
        self.flags = Flags()
        self._fallen = self._warm = False
        self._flag_names: tuple[str, ...] = ()
        self._now_s = 0.0

    @property
    def command(self) -> JointCommand:
        """The command of the last tick."""
        return self.plant.newest_command

    @property
    def action(self) -> Action:
        """The failsafe's action of the last tick."""
        return self._action

    @property
    def flag_names(self) -> tuple[str, ...]:
        """Names of the health flags that are raised."""
        return self._flag_names

    @property
    def velocity(self) -> Floats:
        """The commanded velocity of the last tick (3) [m/s, m/s, rad/s]."""
        return self.wanted.velocity

    @property
    def mode(self) -> Mode:
        """The mode of the last tick."""
        return self.modes.mode

    def take_events(self) -> list[Event]:
        """Return the events since the last call."""
        events, self._events = self._events, []
        return events

    def say(self, actor: str, said: Statement, severity: Severity | None = None) -> None:
        """Add an event; None takes the severity of the catalogue."""
        self._events.append(wording.event(self._now_s, actor, said, severity))

    def load(self, show: PreparedShow) -> bool:
        """Load a prepared show and return whether it was accepted; a playing show stays."""
        refusal = self.player.load(show)
        if refusal is not None:
            if show.name:
                self.say("core", words.SHOW_NOT_LOADED(show=show.name, reason=refusal))
            else:
                self.say("core", words.SHOW_NOT_UNLOADED(reason=refusal))
            return False
        self.orders.clips = self.hand.follow.clips = show.clips
        improviser = self.orders.improviser
        improviser.phrases, improviser.volume = show.phrases, show.voice_volume
        cues = len(show.cues)
        gestures = sum(":" not in name for name in show.clips)  # the others are poses of hands
        if cues:
            self.say("core", words.SHOW_LOADED(show=show.name, cues=cues, gestures=gestures))
        else:
            self.say("core", words.SHOW_UNLOADED(gestures=gestures))
        for warning in show.warnings:
            self.say("stagehand", words.SHOW_WARNING(text=warning))
        return True

    def put_back(self) -> None:
        """Forget the place of a robot that was put back where it started."""
        self._has_stood = self._upright = False
        self.plant.put_back()
        self.hand.marks.place.put_back()

    def tick(
        self, now_s: float, sample: Sample, commands: Sequence[tuple[str, Command]]
    ) -> Actuation:
        """Advance by one tick and return the actuation of the command.

        Args:
            now_s: time of the tick [s].
            sample: newest reading of the body.
            commands: sender and command, in the order of arrival.
        """
        self._now_s = now_s
        self.latch.watch(sample.estop_closed)
        self._extremes.look(sample)
        if self._extremes.finite and self._is_heard(sample):
            limp = self.modes.mode not in TORQUE or not self._has_stood
            self.plant.estimate(sample, limp)
        requests: list[Request] = []
        if commands:
            mode, stance = self.modes.mode, "standing" if self.plant.stands else "walking"
            requests = self.orders.hear(now_s, commands, mode, self._action, stance)
        self._judge(now_s, sample, requests)
        self._perform(now_s)
        return self._move(now_s)

    def _is_heard(self, sample: Sample) -> bool:
        """Return whether the body has delivered the readings that the estimate needs to start."""
        age_s = sample.imu_age_s if self._has_imu else self._extremes.oldest_s
        return math.isfinite(age_s)

    # Judgement

    def _judge(self, now_s: float, sample: Sample, requests: list[Request]) -> None:
        """Raise flags, judge them and update the mode."""
        self._gather(sample)
        facts, modes = self.facts, self.modes
        flags = self.health.flags(sample, self._extremes, facts)
        if flags is not self.flags:
            self.flags = flags
            self._flag_names = tuple(flag.name for flag in flags)
            self._fallen, self._warm = Flag.FALLEN in flags, Flag.WINDING_WARM in flags
        if self._action >= _HOLD and modes.mode in LIMP:
            # A limp robot has nothing to resume: an ended fault needs no acknowledgement, and
            # STAND UP would give it anyway.
            self.failsafe.acknowledge()
        action = self.failsafe.update(now_s, flags)
        worst = self.failsafe.worst if action else None
        cause = None if worst is None else worst.fault
        if action is _HOLD > self._action:
            self._hold(now_s)
        self._action = action
        if flags.bits or self.book.rules:
            explain = partial(self.health.explain, sample=sample, facts=facts)
            self.book.update(now_s, self.failsafe.active, explain)
        fell = self._upright and (self._tilted or self._fallen)
        if fell:
            self._upright = False
            self.falls += 1
        self.hand.marks.watch(now_s, self._borne, fell)
        if now_s - self._borne_s > FEET_UP_S:
            self.say("core", safety.NO_FOOT_LOADED())
            requests = [*requests, Request.SETTLE]
        before = modes.mode
        mode = modes.update(now_s, requests, self.mode_facts, action, cause)
        if mode is not _PERFORM and self.player.plays:
            self.player.cancel(now_s)  # the mode refused GO, or ended the show
        if mode is not _WALK:
            self.hand.jump.end()  # the mode refused it, or ended it
            self.hand.marks.end()
        for refusal in modes.refusals:
            self._tell_refusal(now_s, refusal)
        if modes.reset_granted:
            self.failsafe.reset()
            self.latch.reset(sample.estop_closed)
        if mode is not before:
            self._enter(now_s, before, mode)
        if self.orders.releases:
            self._release(now_s)

    def _release(self, now_s: float) -> None:
        """Release limbs as requested, if the request for RECORD was granted."""
        asked, self.orders.releases = self.orders.releases, []
        modes = self.modes
        refused = any(refusal.request is Request.RECORD for refusal in modes.refusals)
        if refused or modes.mode is not _RECORD or self._action >= _HOLD:
            return
        for one in asked:
            freedoms = {limb: Freedom(FREEDOMS.index(word)) for limb, word in one.limbs.items()}
            self._loads.tell(one.loads_kg, gently=Freedom.FLOATING in self.floating.freedoms)
            self._carry()
            self.floating.choose(now_s, freedoms, one.feel)

    def _carry(self) -> None:
        """Let gravity and plant reckon with the loads that were entered."""
        self._gravity.carry(self._loads.loads_kg)
        self.plant.tell_loads(self._loads.loads_kg)

    def _describe(self, plan: TakePlan) -> TakeHead:
        """Return the description of a take that begins now."""
        limbs = self.manager.joints.limb_names
        freedoms = (freedom.word for freedom in self.floating.freedoms)
        begin_s, end_s = plan.punch_in_s, plan.punch_out_s
        return TakeHead(
            robot=self.profile.name,
            body=self.body_kind,
            joint_names=self.profile.joint_names,
            limb_names=limbs,
            limbs=plan.limbs,
            freedoms=dict(zip(limbs, freedoms, strict=True)),
            feel=self.floating.feel,
            backing=plan.backing or "",
            backing_take=Path(plan.backing_take).stem,
            backing_limbs=self._backed_limbs() if plan.backed else (),
            phrase=plan.phrase or "",
            punch_s=None if begin_s is None or end_s is None else (begin_s, end_s),
        )

    def _backed_limbs(self) -> tuple[str, ...]:
        """Return the limbs that play the backing."""
        playing = zip(self.manager.joints.limb_names, self.manager.gestures(), strict=True)
        return tuple(
            limb for limb, name in playing if limb in self._backed and name == self._backing
        )

    def _attend_take(self, now_s: float) -> None:
        """Advance the take, and do what it asks of the limbs."""
        takes, mode = self.takes, self.modes.mode
        for due in takes.update(now_s, mode in STANDING):
            plan = takes.plan
            assert plan is not None, "something is due of a plan only"
            if due is Due.PLAY:
                self._play_backing(now_s, plan)
            elif due is Due.REST:
                self._rest_backing(now_s)
            elif due is not Due.SOUND and mode is _RECORD:
                freedom = Freedom.FLOATING if due is Due.RELEASE else Freedom.HELD
                limbs = {limb: freedom for limb in plan.limbs if self.floating.movable(limb)}
                self.floating.choose(now_s, limbs, self.floating.feel)

    def _play_backing(self, now_s: float, plan: TakePlan) -> None:
        """Lead the limbs to the beginning of the backing, which is due when the take begins."""
        takes = self.takes
        self._backing, self._backed = "", ()
        if self._action >= _HOLD:
            takes.end(now_s, take_words.HELD_BY_FAULT())
            return
        backing = takes.backing
        clip = self.orders.clips.get(plan.backing or "") if backing is None else backing.clip
        if clip is None:
            takes.end(now_s, take_words.NO_BACKING(gesture=plan.backing or ""))
            return
        lead_s = takes.start_s - now_s
        try:
            backed = self.manager.play(now_s, clip, blend_in_s=lead_s, beat_s=takes.start_s)
        except BehaveError as error:
            takes.end(now_s, CANNOT_MOVE(text=str(error)))
            return
        self._backing, self._backed = clip.name, backed

    def _rest_backing(self, now_s: float) -> None:
        """Lead the limbs that still play the backing to rest."""
        limbs = self._backed_limbs()
        self._backed = ()
        if limbs:
            self.manager.cancel(now_s, limbs)

    def _hold(self, now_s: float) -> None:
        """End the take and the motion of limbs, because a fault holds the robot.

        A show goes on to its next safe point.
        """
        mode = self.modes.mode
        self.takes.end(now_s, take_words.HELD_BY_FAULT())
        self.hand.sway.end()
        self.hand.jump.end()
        self.hand.marks.end()
        self.hand.follow.end()
        if mode is _RECORD:
            held = self.floating.hold(now_s)
            if held:
                self.say("core", safety.LIMBS_HELD(limbs=held))
        elif mode is not _PERFORM:
            self.manager.rest(now_s)

    def _tell_refusal(self, now_s: float, refusal: Refusal) -> None:
        """Report a refused request; report refusals of streamed requests once a second."""
        if refusal.request is Request.JUMP:
            self.hand.jump.end()
        if refusal.request is Request.WALK:
            if now_s - self._walk_refused_s < REPEAT_REFUSAL_S:
                return
            self._walk_refused_s = now_s
        self.say("core", REFUSED(command=refusal.request.value, reason=refusal.reason))

    def _gather(self, sample: Sample) -> None:
        facts, mode_facts, extremes = self.facts, self.mode_facts, self._extremes
        driven = self.modes.mode in TORQUE
        plant = self.plant.facts(sample, driven, self._now_s - self.modes.since_s)
        facts.readable = facts.readable or self._is_heard(sample)
        facts.driven = driven
        facts.stepping = plant.stepping
        facts.tilt_rad = plant.tilt_rad
        facts.base_height_m = plant.base_height_m
        facts.state_finite = plant.finite and extremes.finite
        facts.estimator_sure = plant.sure
        facts.unsolved_s = plant.unsolved_s
        facts.stop_pressed = self.latch.pressed
        facts.estop_open = self.latch.chain_opened
        mode_facts.readable = facts.readable
        mode_facts.estop_closed = sample.estop_closed
        mode_facts.still = extremes.fastest < STILL_SPEED
        mode_facts.performing = self.player.plays
        # A robot that must rise before it steps is on its way to its mark all the same.
        mode_facts.stepping = not self.plant.stands or bool(self.hand.marks.heads_for)
        mode_facts.stuck = () if self._action is _NONE else self._stuck()
        self._tilted = facts.tilt_rad > self._fall_tilt_rad
        mode_facts.lies = self._tilted and not driven and self._can_lie
        mode_facts.risen = plant.risen
        # The plant counts from the change of mode: the settling that this tick begins is not over.
        mode_facts.settled = plant.settled and self.modes.mode is _SETTLE
        self._borne = plant.borne
        if self.modes.mode is not _STANDING_UP or plant.borne:
            self._borne_s = self._now_s

    def _stuck(self) -> tuple[Statement, ...]:
        """Return the faults that a reset would not clear, without the latch's own flags."""
        own = (Flag.STOP_PRESSED, Flag.ESTOP_OPEN)
        return tuple(rule.fault for rule in self.failsafe.stuck if rule.flag not in own)

    def _enter(self, now_s: float, before: Mode, mode: Mode) -> None:
        """Apply the consequences of a change of mode."""
        cause = self.modes.cause
        if cause is None:
            self.say("core", safety.MODE_CHANGED(before=before.name, mode=mode.name))
        else:
            self.say("core", safety.MODE_FORCED(before=before.name, mode=mode.name, cause=cause))
        self._upright = mode in TORQUE if mode is not Mode.FAULT else self._upright
        if mode is _RECORD:
            self._loads.begin(self.plant.loads_kg)
        if before is _READY:
            self.hand.sway.end()
        if mode in LATCHED:
            self.orders.improviser.silence()
        if before is _RECORD:
            self.floating.forget()
            self.plant.tell_loads(None)
        if mode is Mode.STANDING_UP:
            self._has_stood = True
            self.manager.adopt(now_s, self.plant.state.q[self._upper_index])
            self.plant.start(now_s)
            self.hand.marks.begin()
        if mode in (Mode.SETTLE, Mode.READY) and before is not Mode.STANDING_UP:
            self.manager.rest(now_s)

    # Motion

    def _perform(self, now_s: float) -> None:
        """Advance the show and the limbs, and choose the velocity."""
        mode, action = self.modes.mode, self._action
        if action is _HOLD and mode is _PERFORM:
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
        held = stage.head_held and stage.look is None
        active = mode in STANDING and self._action < _HOLD
        self.hand.gaze.follow(now_s, stage.look, held, active)
        self.hand.follow.follow(now_s, stage.live, active and mode is not _RECORD)
        self.hand.body.follow(now_s, active and mode is not _RECORD)
        if self.hand.follow.leads_body or self.hand.body.leads:
            self.hand.sway.end()
        self._attend_take(now_s)
        if self.floating.active:
            self.floating.follow()
            if self._loads.moves:
                self._loads.follow()
                self._carry()
        self.upper = self.manager.update(now_s)
        wanted, velocity = self.wanted, self.wanted.velocity
        wanted.step_in_place = wanted.posed = False
        wanted.sway = self.hand.sway.asked
        wanted.stepping, wanted.jump = _USUAL, None
        wanted.last_foot = -1
        wanted.step = None
        wanted.ready = False
        goal = None
        if mode is _PERFORM:
            velocity[:] = stage.velocity
            wanted.step_in_place = stage.walking
            wanted.posed = stage.posed
            # Nobody has judged the sum of a sway and of what a stick leads.
            wanted.sway = None if self.hand.body.leads else stage.sway
            wanted.stepping, wanted.jump = stage.stepping, stage.jump
            goal = stage.goal
        elif mode is _WALK and self._action < _HOLD:
            walk = self.orders.velocity(now_s)
            velocity[0], velocity[1], velocity[2] = walk.vx, walk.vy, walk.yaw_rate
            wanted.step_in_place = walk.step or walk.gait == "run"
            if walk is not self._stepped:
                self._stepped = walk
                self._stepping = Stepping(walk.gait, walk.step_s, walk.flight_s, walk.height)
            wanted.stepping, wanted.jump = self._stepping, self.hand.jump.update()
            goal = self.hand.marks.asked
        else:
            velocity.fill(0.0)
        self.hand.marks.follow(now_s, goal, wanted)
        if mode in _FOLLOWING:
            self.hand.follow.write(now_s, wanted)
        if wanted.posed:
            wanted.body[:] = stage.body
        wanted.upper = self.upper
        # A robot that a stick may walk at any moment stands upright, unless its body plays.
        poised = mode is not _WALK or self.manager.acts(self._body)
        wanted.acts = mode in STANDING and mode is not _RECORD and action < _HOLD and poised
        wanted.may_step = mode in STANDING
        wanted.settles = mode is _SETTLE
        wanted.plays = self.player.plays
        wanted.guided = mode is _RECORD

    def _move(self, now_s: float) -> Actuation:
        """Compute the command of this mode and return its actuation."""
        mode, latch, action = self.modes.mode, self.latch, self._action
        plant = self.plant
        if latch.chain_opened or action is _CUT or mode is _OFF:
            plant.rest()
            return Actuation.STOP
        if latch.pressed or action >= _DAMP or mode not in TORQUE:
            plant.rest()
            self.facts.command_finite = True  # the invalid command has already been judged
            return Actuation.DAMP
        command = plant.command(now_s, self.wanted)
        for statement in plant.take_statements():
            self.say("core", statement)
        if command is None:
            return Actuation.DAMP
        if self._warm:
            plant.derate(self.health.derate)
        if self.floating.active:
            state = plant.state
            gravity = self._gravity.update(state.q, state.rotation_base_to_world)
            self.floating.apply(command, gravity)
        finite = self._limits.clip(command)
        self.facts.command_finite = finite
        return Actuation.WRITE if finite else Actuation.DAMP
