"""A stick leads the body: within its limits, while it is repeated, and until something ends it."""

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from core.behave.manager import MotionManager
from core.behave.reference import MotionState
from core.link import commands as m
from core.link.body import LeadBody, ReleaseBody
from core.link.catalogue import refusals as why
from core.link.commands import Command
from core.link.partner import Follow
from core.link.place import LookAt
from core.link.statement import Statement
from core.plants.build import build_plant
from core.plants.interface import Plant, Sway
from core.robot.joint_table import joint_table
from core.safety.modes import Mode
from core.safety.rules import Action
from core.stage.output import StageOutput
from core.stage.preflight import preflight_show
from core.tick.body_stick import SILENCE_S, BodyByStick
from devices.interface import Floats, Support
from shows.body_limb import KIND, ROLES, BodyLimb
from shows.folders import LIBRARY
from tests.core.rig import Rig, SimulatedRig, profile
from tests.core.tick.test_performer_two_arms import Arms
from tests.draws import share

LEAN = LeadBody(roll=0.05, pitch=0.1, yaw=-0.1, height=-0.02, left=0.02)
FAR = LeadBody(roll=1.0, pitch=1.0, yaw=-1.0, height=-1.0, left=-1.0)
STREAM_S = 0.04
LED = (MotionState.JOYSTICK, MotionState.TRANSITION)


@cache
def on_its_feet() -> Plant:
    return build_plant(profile(), Support.FLOOR)


def limb() -> BodyLimb:
    found = profile().body
    assert found is not None
    return found


def standing(support: Support = Support.FLOOR) -> Rig:
    rig = Rig(support)
    rig.tick()
    rig.tick(m.StandUp())
    rig.wait(1.8)
    rig.expect(Mode.READY)
    return rig


def stream(rig: Rig, time_s: float, command: Command = LEAN) -> None:
    """Repeat a command, as a console does that streams it."""
    for _ in range(round(time_s / STREAM_S)):
        rig.tick(command)
        rig.wait(STREAM_S - 0.001)


def led() -> Rig:
    rig = standing()
    stream(rig, 0.8)
    assert state(rig) is MotionState.JOYSTICK and rig.performer.hand.body.leads
    return rig


def state(rig: Rig) -> MotionState:
    return rig.performer.manager.state(KIND)


def body(rig: Rig) -> Floats:
    """Return the reference of the body (6) [rad, m]."""
    here: Floats = rig.performer.upper.body[0].copy()
    return here


# What ends the lead


def test_a_stream_that_falls_silent_gives_the_body_back() -> None:
    rig = led()
    rig.wait(SILENCE_S - 0.1)
    assert state(rig) is MotionState.JOYSTICK and body(rig)[1] > 0.05
    rig.wait(0.2)
    assert state(rig) is MotionState.TRANSITION and not rig.performer.hand.body.leads
    rig.wait(1.2)
    assert state(rig) is MotionState.REST and abs(body(rig)[1]) < 0.03
    stream(rig, 0.8)
    assert state(rig) is MotionState.REST, "nobody has let the stick go"
    rig.tick(ReleaseBody())
    stream(rig, 0.8)
    assert state(rig) is MotionState.JOYSTICK


def test_a_body_that_is_let_go_returns_at_once_and_can_be_taken_at_once() -> None:
    rig = led()
    rig.tick(ReleaseBody())
    assert state(rig) is MotionState.TRANSITION and not rig.performer.hand.body.leads
    stream(rig, 0.8)
    assert state(rig) is MotionState.JOYSTICK


@pytest.mark.parametrize("ends", [m.Hold(), m.Cancel()], ids=["hold", "cancel"])
def test_what_ends_the_lead_lasts_until_the_stick_was_let_go(ends: Command) -> None:
    rig = led()
    rig.tick(ends)
    stream(rig, 1.6)
    assert state(rig) is MotionState.REST, "the same stream does not lead it again"
    assert abs(body(rig)[1]) < 0.03
    rig.tick(ReleaseBody())
    stream(rig, 0.8)
    assert state(rig) is MotionState.JOYSTICK


def test_a_cancel_of_other_limbs_leaves_the_body_in_the_hand() -> None:
    rig = led()
    rig.tick(m.Cancel(groups=("head",)))
    stream(rig, 0.2)
    assert state(rig) is MotionState.JOYSTICK


def test_a_stop_ends_it_and_the_next_standing_up_begins_upright() -> None:
    rig = led()
    rig.tick(m.Stop())
    rig.expect(Mode.FAULT)
    stream(rig, 0.2)
    assert not rig.performer.hand.body.leads and not rig.performer.wanted.acts
    stream(rig, 1.5)
    rig.tick(m.Reset())
    rig.tick(m.StandUp())
    rig.expect(Mode.STANDING_UP)
    stream(rig, 2.0)
    rig.expect(Mode.READY)
    assert state(rig) is MotionState.REST, "the stick was held all the time"


def test_a_fault_that_holds_the_robot_ends_it() -> None:
    rig = led()
    rig.performer.facts.operator_age_s = 1.0
    stream(rig, 0.4)
    assert rig.performer.action is Action.HOLD
    assert state(rig) is MotionState.TRANSITION and not rig.performer.hand.body.leads


def test_a_frozen_body_stays_and_returns_when_it_resumes() -> None:
    rig = led()
    rig.tick(m.Freeze())
    rig.wait(0.2)
    here = body(rig)
    stream(rig, 0.2, LeadBody(pitch=-0.1))
    assert state(rig) is MotionState.STOP and (body(rig) == here).all()
    rig.wait(SILENCE_S + 0.1)
    assert state(rig) is MotionState.STOP and (body(rig) == here).all()
    rig.tick(m.Unfreeze())
    rig.wait(1.5)
    assert state(rig) is MotionState.REST


def test_a_person_who_leads_the_body_ends_it_and_keeps_it() -> None:
    rig = led()
    rig.tick(Follow())
    stream(rig, 0.2)
    assert not rig.performer.hand.body.leads
    assert rig.said(why.REFUSED, command="lead_body", reason=why.BODY_FOLLOWS())


# What is refused


def test_the_first_sender_has_the_body_and_any_sender_gives_it_back() -> None:
    plant, table = on_its_feet(), joint_table(profile())
    manager = MotionManager(table, profile().posture("rest"), profile().motion)
    hand, now_s = BodyByStick(manager, plant), 1.0

    def lead(sender: str, pitch: float) -> Statement | None:
        refused = hand.lead(now_s, sender, LeadBody(pitch=pitch), Mode.READY, Action.NONE, False)
        hand.follow(now_s, True)
        manager.update(now_s)
        return refused

    def leads() -> bool:
        return hand.leads

    assert lead("one", 0.1) is None
    assert lead("other", -0.1) == why.BODY_LED()
    for _ in range(100):
        now_s += 0.02
        assert lead("one", 0.1) is None and lead("other", -0.1) is None
    assert manager.update(now_s).body[0, 1] == pytest.approx(0.1, abs=0.02)
    hand.release("other")
    assert not leads() and lead("one", 0.1) is None
    assert not leads(), "the first has not let go"
    assert lead("other", -0.1) is None and leads()
    assert lead("one", 0.1) is None
    hand.release("one")
    assert not leads() and lead("other", -0.1) is None and not leads()
    assert lead("one", 0.1) is None and leads()


def test_a_sway_of_a_cue_waits_until_the_body_is_given_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rig = led()
    assert rig.performer.load(preflight_show(LIBRARY / "meet_cosmo", profile()).prepared)
    rig.tick(m.Go(), LEAN)
    rig.expect(Mode.PERFORM)
    sway, update = Sway("left", 0.02, 0.1), rig.performer.player.update

    def swaying(now_s: float) -> StageOutput:
        stage = update(now_s)
        stage.sway = sway
        return stage

    monkeypatch.setattr(rig.performer.player, "update", swaying)
    rig.tick(LEAN)
    assert rig.performer.hand.body.leads and rig.performer.wanted.sway is None
    rig.tick(ReleaseBody())
    assert rig.performer.wanted.sway is sway


def test_a_gesture_of_the_body_alone_is_refused_while_it_is_led() -> None:
    rig = led()
    assert rig.performer.load(preflight_show(LIBRARY / "meet_cosmo", profile()).prepared)
    rig.tick(m.Gesture("bow", groups=(KIND,)), LEAN)
    assert rig.said(why.REFUSED, command="gesture", reason=why.GESTURE_BODY_LED(gesture="bow"))


def test_a_robot_without_the_limb_refuses_once_for_each_stream() -> None:
    arms = Arms()
    arms.tick(m.StandUp())
    for _ in range(5):
        arms.tick(LEAN)
    refused = [event for event in arms.events if event.code == "refused"]
    assert [event.fields["command"] for event in refused] == ["lead_body"]
    assert refused[0].fields["reason"] == why.NO_BODY()
    arms.tick(ReleaseBody())


@pytest.mark.parametrize("support", [Support.SEATED, Support.FLOOR])
def test_a_seated_or_limp_robot_refuses(support: Support) -> None:
    rig = Rig(support)
    rig.tick()
    rig.expect(Mode.DAMPED)
    rig.tick(LEAN)
    seated = support is Support.SEATED
    reason = why.BODY_SEATED() if seated else why.WRONG_MODE(mode="DAMPED")
    assert rig.said(why.REFUSED, command="lead_body", reason=reason)
    assert state(rig) is MotionState.REST


def test_limbs_that_a_person_moves_come_first() -> None:
    rig = led()
    rig.tick(m.BackDrive({"left_arm": "floating"}))
    rig.expect(Mode.RECORD)
    stream(rig, 0.2)
    assert not rig.performer.hand.body.leads
    rig.tick(ReleaseBody())
    rig.tick(LEAN)
    assert rig.said(why.REFUSED, command="lead_body", reason=why.LIMBS_BY_HAND())


def test_a_body_in_the_hand_does_not_sway() -> None:
    rig = led()
    rig.tick(m.StartSway("left", 0.02, 0.1))
    assert rig.performer.wanted.sway is None
    assert rig.said(why.REFUSED, command="start_sway")


# What it does


def test_it_follows_the_stick_within_its_limits_fades_in_a_walk_and_comes_back() -> None:
    """A simulated robot: the body is measured where the stick leads it, and stands and walks."""
    robot = SimulatedRig()

    def last(time_s: float, *commands: Command) -> list[tuple[Floats, Floats]]:
        found = []
        for tick in range(round(time_s * 1e3)):
            robot.tick(*(commands if tick % 40 == 0 else ()))
            view = robot.performer.plant.view()
            if tick % 20 == 19 and view.body:
                found.append((np.array(view.body), np.array(view.body_reference)))
        return found

    last(0.2)
    robot.tick(m.StandUp())
    last(2.2)
    assert robot.mode is Mode.READY
    rows = limb().coordinates
    lower, upper = np.array([-r.lower for r in rows]), np.array([r.upper for r in rows])
    for command in (LEAN, FAR, LeadBody(roll=-1.0, pitch=-1.0, yaw=1.0, height=1.0, left=1.0)):
        found = last(1.8, command)
        for measured, reference in found:
            assert (reference >= lower - 1e-9).all() and (reference <= upper + 1e-9).all()
            assert np.abs((measured - reference)[:3]).max() < math.radians(1.5)
            assert np.abs((measured - reference)[3:5]).max() < 0.012
        measured, reference = found[-1]
        asked = [getattr(command, role) for role in ROLES[:5]]
        reached = np.clip(asked, lower[:5], upper[:5])
        bent = np.array([0.02, 0.02, 0.02, 0.006, 0.006])  # away from the limits
        assert (np.abs(reference[:5] - reached) <= bent).all()
    led = found[-1][1]
    walked = last(3.0, command, m.Walk(vx=0.1))
    assert robot.performer.mode is Mode.WALK and robot.performer.plant.steps
    assert np.abs(walked[-1][1][[0, 2, 3, 4]]).max() < 1e-3, "a gait cannot bear it"
    stood = last(4.0, command, m.Walk())
    assert robot.performer.plant.stands
    assert stood[-1][1] == pytest.approx(led, abs=0.02), "it returns to the stick"
    after = last(SILENCE_S + 1.6)
    assert np.abs(after[-1][0][:3]).max() < 0.06, "idle motion alone moves it now"
    assert robot.performer.falls == 0 and robot.performer.plant.stands


def test_led_to_the_other_side_it_moves_as_in_a_mirror() -> None:
    table = joint_table(profile())
    one, other = (
        MotionManager(table, profile().posture("rest"), profile().motion) for _ in range(2)
    )
    flip = np.array([-1.0, 1.0, -1.0, 1.0, -1.0, 1.0])
    start = np.array([0.06, 0.2, 0.15, -0.03, 0.02, 0.0])
    for step in range(100):
        t = 1.0 + 0.02 * step
        aim = start * math.sin(3.0 * t)
        assert one.sticks.lead_body(t, aim.tolist()) and other.sticks.lead_body(
            t, (flip * aim).tolist()
        )
        left, right = one.update(t).body, other.update(t).body
        assert left == pytest.approx(flip * right, abs=1e-12)
    assert np.abs(left[0, :5]).min() > 1e-4


def test_the_head_keeps_its_point_meanwhile() -> None:
    rig = led()
    rig.tick(LookAt(2.0, 0.3, 1.2))
    stream(rig, 0.4)
    assert rig.performer.hand.gaze.asked is not None
    assert state(rig) is MotionState.JOYSTICK


def test_a_walk_leaves_the_body_in_the_hand() -> None:
    rig = led()
    for _ in range(5):
        rig.tick(m.Walk(vx=0.1), LEAN)
        rig.wait(0.05)
    rig.expect(Mode.WALK)
    assert state(rig) is MotionState.JOYSTICK and rig.performer.hand.body.leads


def test_a_cue_leaves_the_body_in_the_hand() -> None:
    rig = led()
    assert rig.performer.load(preflight_show(LIBRARY / "meet_cosmo", profile()).prepared)
    rig.tick(m.Go(), LEAN)
    stream(rig, 0.4)
    rig.expect(Mode.PERFORM)
    assert state(rig) is MotionState.JOYSTICK and rig.performer.hand.body.leads


class Leads(RuleBasedStateMachine):
    """A stick, a hand that lets go, and whatever ends a lead, in any order."""

    @initialize()
    def start(self) -> None:
        plant = on_its_feet()  # asked for its support only
        table, rest = joint_table(profile()), profile().posture("rest")
        self.manager = MotionManager(table, rest, profile().motion)
        self.hand = BodyByStick(self.manager, plant)
        self.now_s, self.heard_s = 10.0, -math.inf
        self.let_go = True  # the stick has been let go since something ended its lead

    @property
    def steers(self) -> bool:
        """Whether the stick owns the body, or is about to."""
        return self.manager._owners.steered(self.manager.sticks._body) is not None

    def tick(self, active: bool = True) -> None:
        self.now_s += 0.01
        silent = self.now_s - self.heard_s > SILENCE_S
        if self.hand.leads and (silent or not active):
            self.let_go = False
        self.hand.follow(self.now_s, active)
        self.manager.update(self.now_s)

    @rule(pitch=st.floats(-1.0, 1.0), allowed=st.booleans(), follows=st.booleans())
    def ask(self, pitch: float, allowed: bool, follows: bool) -> None:
        self.heard_s = self.now_s
        mode = Mode.READY if allowed else Mode.DAMPED
        command = LeadBody(pitch=pitch)
        refused = self.hand.lead(self.now_s, "stick", command, mode, Action.NONE, follows)
        assert (refused is not None) == (self.let_go and (not allowed or follows))
        assert self.hand.leads == (self.let_go and refused is None)
        self.let_go = self.let_go and refused is None
        self.tick()

    @rule()
    def release(self) -> None:
        self.hand.release("stick")
        self.let_go = True
        self.tick()

    @rule()
    def end(self) -> None:
        self.let_go = self.let_go and not self.hand.leads
        self.hand.end()
        self.manager.rest(self.now_s)
        self.tick()

    @rule()
    def be_held(self) -> None:
        self.tick(active=False)

    @rule()
    def freeze(self) -> None:
        self.manager.freeze(self.now_s)
        self.tick()

    @rule()
    def resume(self) -> None:
        # A stick that began while the body was frozen has not got it: it must be let go first.
        waits = self.hand.leads and not self.steers
        self.manager.unfreeze(self.now_s)
        self.let_go = self.let_go and not waits
        self.tick()

    @rule(time_s=st.sampled_from([0.1, 0.3, 0.6]))
    def wait(self, time_s: float) -> None:
        for _ in range(round(time_s / 0.01)):
            self.tick()

    @invariant()
    def only_a_stream_that_counts_leads(self) -> None:
        silent = self.now_s - self.heard_s > SILENCE_S
        if silent or not self.let_go:
            assert not self.hand.leads
        assert self.hand.leads or not self.steers


TestLeads = Leads.TestCase
TestLeads.settings = settings(max_examples=share(40), stateful_step_count=25, deadline=None)
