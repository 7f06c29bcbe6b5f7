"""A person whom the robot follows: what ends it, what is dropped, and that nothing resumes."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from core.__main__ import simulated_body
from core.behave.errors import BehaveError
from core.behave.manager import MotionManager
from core.behave.reference import MotionState, UpperReference
from core.lab.measure.leader import Leading, Source, stepping, swaying
from core.lab.rehearsal import rehearse
from core.lab.script import START_S, Script
from core.link.commands import Freeze, Unfreeze
from core.link.partner import Follow, Posture, Reply
from core.link.statement import Severity, Statement
from core.link.topics import REPLY, Topic
from core.partner.presence import LOST_S, SILENT_S
from core.plants.biped.plant import biped_of
from core.plants.build import build_plant
from core.plants.interface import Step, SwayRoom, Wanted
from core.retouch.stream import LATENCY_S
from core.robot.joint_table import joint_table
from core.robot.profile_file import load_profile
from core.tick.follow import LATE_REPLY_S, PATIENCE_S, FollowPerson
from core.tick.performer import Performer
from devices.interface import Support
from tests.core.rig import launch, profile
from tests.draws import share

TICK_S, INPUT_S = 0.01, 0.03
SETTLED_S, SWAYS_S = 2.5, 5.0  # from when a sway is judged, and its end
MIRROR = Follow()


@dataclass
class Desk:
    """A robot that stands and may follow."""

    said: list[str] = field(default_factory=list)
    now_s: float = 1.0
    active: bool = True
    shown: Follow | None = None

    def __post_init__(self) -> None:
        self.manager = MotionManager(joint_table(profile()), profile().posture("rest"))
        plant = build_plant(profile(), Support.FLOOR)
        self.follow = FollowPerson(self.manager, plant, self.say)
        self.manager.update(self.now_s)

    def say(self, actor: str, said: Statement, severity: Severity | None = None) -> None:
        self.said.append(said.code)

    def run(self, duration_s: float, *, raised: float | None = None, age_s: float = 0.02) -> None:
        """Let time pass; with a height of the arms the person is heard."""
        for tick in range(round(duration_s / TICK_S)):
            self.now_s += TICK_S
            self.follow.follow(self.now_s, self.shown, self.active)
            if raised is not None and tick % round(INPUT_S / TICK_S) == 0:
                self.hear(raised, self.now_s - age_s)
            self.manager.update(self.now_s)

    def hear(self, raised: float, stamp_s: float, number: int | None = None) -> None:
        told = self.follow.number if number is None else number
        self.follow.hear(self.now_s, stamp_s, posture(told, raised))

    def states(self) -> set[MotionState]:
        self.manager.update(self.now_s)
        return {self.manager.state(limb) for limb in self.manager.joints.limb_names}


def posture(
    number: int, raised: float, left_m: float = 0.0, on: tuple[bool, bool] = (True, True)
) -> Posture:
    count = len(profile().joint_names)
    return Posture(
        number,
        0.0,
        (raised,) * min(count, 64),
        (0.0, left_m, 0.0),
        (0.0, 0.0, 0.0),
        (0.0, 0.0, 0.0),
        (0.0, 0.0, 0.0),
        ((0.0, 0.1, 0.0), (0.0, -0.1, 0.0)),
        on,
    )


def following() -> Desk:
    desk = Desk()
    assert desk.follow.start(MIRROR) is None
    desk.run(1.5, raised=0.1)
    assert MotionState.LIVE in desk.states()
    return desk


def test_without_a_posture_an_order_ends_and_says_why() -> None:
    desk = Desk()
    desk.follow.start(MIRROR)
    desk.run(PATIENCE_S + 0.1)
    assert desk.said == ["partner_unheard"] and desk.follow.status(desk.now_s).order is None
    desk.run(0.5, raised=0.1)
    assert desk.states() == {MotionState.REST}


def test_what_is_late_disordered_or_of_another_order_moves_nothing() -> None:
    desk = Desk()
    desk.follow.start(MIRROR)
    desk.run(0.1)
    desk.hear(0.2, desk.now_s - 0.02, number=desk.follow.number - 1)
    desk.hear(0.2, desk.now_s - SILENT_S - 0.01)
    assert desk.states() == {MotionState.REST} and desk.said == []
    desk.run(1.0, raised=0.1)
    before = desk.manager.position(desk.now_s).copy()
    desk.hear(0.9, desk.now_s - 0.5)
    desk.run(0.05)
    assert np.abs(desk.manager.position(desk.now_s) - before).max() < 0.01


def test_a_silence_is_held_then_the_robot_stands_and_nothing_resumes() -> None:
    desk = following()
    desk.run(SILENT_S)
    assert desk.follow.status(desk.now_s).presence == "held"
    desk.run(LOST_S)
    assert desk.said[-1] == "partner_lost" and desk.follow.status(desk.now_s).order is None
    desk.run(2.5, raised=0.1)
    assert desk.states() == {MotionState.REST}


@pytest.mark.parametrize("way", ["mode", "hand"])
def test_a_mode_or_a_hand_ends_a_cue_s_order_for_good(way: str) -> None:
    desk = Desk()
    desk.shown = Follow()
    desk.run(1.5, raised=0.1)
    assert MotionState.LIVE in desk.states()
    if way == "mode":
        desk.active = False
        desk.run(0.1, raised=0.1)
        desk.active = True
    else:
        desk.follow.end()
    desk.run(3.0, raised=0.1)
    assert desk.states() == {MotionState.REST}
    desk.shown = Follow()
    desk.run(1.5, raised=0.1)
    assert MotionState.LIVE in desk.states()


def test_a_freeze_ends_following_and_a_step_needs_its_weight_over() -> None:
    body = simulated_body(launch(seed=1), profile())
    follows: list[tuple[float, bool]] = []
    steps: list[bool] = []
    source = Source(swaying((0.0, 0.03), 0.5), 1)

    def watch(performer: Performer) -> None:
        source(performer)
        now_s = performer.plant.state.stamp_s
        follows.append((now_s, performer.hand.follow.order is not None))
        biped = biped_of(performer.plant)
        if not steps and now_s > START_S + 1.0:
            biped.walker.step_asked = Step(0)  # nobody has brought the weight over
            biped.walker._step_at_once(now_s, biped.model)
            steps.append(biped.stands)

    script = Script(5.0, commands=[(0.2, MIRROR), (3.0, Freeze()), (4.0, Unfreeze())])
    done = rehearse(profile(), body, script, seed=1, keep=False, watch=watch)
    assert not done.failed and steps == [True]
    assert any(on for now_s, on in follows if now_s < START_S + 3.0)
    assert not any(on for now_s, on in follows if now_s > START_S + 3.1)


@pytest.mark.parametrize("seen", [True, False])
def test_the_body_follows_on_after_a_step_that_did_not_begin_or_was_not_seen_well(
    monkeypatch: pytest.MonkeyPatch, seen: bool
) -> None:
    desk, wanted = Desk(), Wanted(UpperReference(*np.zeros((5, 1))))
    corners = tuple((x, y) for x in (-0.08, 0.08) for y in (-0.1, 0.1))
    room = SwayRoom(3.6, corners, line_feet=True, step_left=0.07, load_s=0.03)
    monkeypatch.setattr(desk.follow._plant, "sway_room", lambda: room)
    desk.follow.start(Follow(legs=True))
    asked: list[Step] = []

    def lead(duration_s: float, left_m: float, on: tuple[bool, bool]) -> float:
        """Let the person stand so; return where the body is led."""
        for tick in range(round(duration_s / TICK_S)):
            desk.now_s, wanted.step = desk.now_s + TICK_S, None
            desk.follow.follow(desk.now_s, None, True)
            if tick % round(INPUT_S / TICK_S) == 0:
                told = replace(posture(desk.follow.number, 0.1, left_m, on), steps=seen)
                desk.follow.hear(desk.now_s, desk.now_s - 0.02, told)
            desk.follow.write(desk.now_s, wanted)
            asked.extend([] if wanted.step is None else [wanted.step])
            desk.manager.update(desk.now_s)
        shift = desk.follow.shift
        assert shift is not None
        return float(shift.stream.at(desk.now_s).position[1])

    lead(2.0, 0.0, (True, True))
    assert (lead(0.28, 0.0, (False, True)) < -0.01) is seen  # the weight goes over
    assert lead(1.5, 0.04, (True, True)) > 0.03
    assert [step.foot for step in asked] == [0] * seen


def test_limbs_that_cannot_follow_are_refused() -> None:
    desk = Desk()
    legs = next(limb.name for limb in desk.manager.joints.limbs if limb.kind == "hand")
    for limb in (legs, "tail"):
        with pytest.raises(BehaveError):
            desk.follow.start(Follow(limbs=(limb,)))
    assert desk.follow.asked is None


def test_an_answer_is_played_in_time_only() -> None:
    desk = Desk()
    desk.follow.start(Follow(mode="answer"))
    desk.run(0.5, raised=0.1)
    assert desk.states() == {MotionState.REST}
    said = list(desk.said)
    answer(desk, "nothing_known", LATE_REPLY_S + 0.1)
    assert desk.said == said
    answer(desk, "nothing_known", 0.0)
    assert desk.said == [*said, "no_gesture"]


def answer(desk: Desk, motion: str, age_s: float) -> None:
    """Let a reply of an age arrive."""
    replies = [Reply(desk.follow.number, desk.now_s - age_s, motion, "wave")]

    def poll(topic: Topic[Any]) -> Reply | None:
        return replies.pop() if topic is REPLY else None

    desk.follow.listen(poll, desk.now_s, desk.now_s)


@settings(max_examples=share(10), deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(-6.0, 6.0), st.floats(-20.0, 20.0), st.floats(0.0, 0.2)),
        min_size=1,
        max_size=20,
    )
)
def test_no_person_leads_the_robot_beyond_its_limits(
    told: list[tuple[float, float, float]],
) -> None:
    desk = following()
    joints = desk.manager.joints
    own = joints.joint_count
    for raised, left_m, age_s in told:
        found = posture(desk.follow.number, raised, left_m)
        desk.follow.hear(desk.now_s, desk.now_s - age_s, found)
        for _ in range(5):
            desk.now_s += TICK_S
            desk.follow.follow(desk.now_s, None, True)
            upper = desk.manager.update(desk.now_s)
            assert (upper.q >= joints.lower[:own]).all() and (upper.q <= joints.upper[:own]).all()
            assert np.isfinite(upper.body).all() and np.abs(upper.body[0]).max() < 0.4
            assert (np.abs(upper.dq) <= joints.velocity_limit[:own] + 1e-9).all()


def sways_then_steps(amplitude_m: float, half_m: float) -> Leading:
    """Return a person who sways to the sides, and then lifts one foot after the other."""
    sway = swaying((0.0, amplitude_m), 0.5)
    steps = stepping([(0, 0.0, 0.0), (1, 0.0, 0.0)], half_m)
    return lambda time_s: sway(time_s) if time_s < SWAYS_S else steps(time_s - SWAYS_S)


@pytest.mark.parametrize(
    ("robot", "half_m"), [("kid_cosmo", 0.105), ("draco3", 0.0925), ("small_biped", 0.04)]
)
def test_the_robot_sways_and_lifts_a_foot_as_the_person_does_at_the_latency(
    robot: str, half_m: float
) -> None:
    own = load_profile(robot)
    amplitude_m = 0.3 * half_m
    source = Source(sways_then_steps(amplitude_m, half_m), 1)
    body = simulated_body(launch(seed=1), own)
    lifts: list[tuple[float, int]] = []
    seen: list[tuple[float, int]] = []
    sways: list[tuple[float, float]] = []
    state = [-1, True, True]

    def watch(performer: Performer) -> None:
        source(performer)
        now_s, swing = performer.plant.state.stamp_s, performer.plant.view().swing_side
        if swing != state[0] and swing >= 0:
            lifts.append((now_s, swing))
        seen.extend(
            (source.stamp_s, foot) for foot in range(2) if state[1 + foot] and not source.on[foot]
        )
        state[:] = swing, *source.on
        sways.append((now_s - source.begun_s, float(body.truth().com[1])))

    orders = [(0.5, Follow(legs=True, mirror_sides=False))]
    script = Script(SWAYS_S + 5.5, commands=orders)
    done = rehearse(own, body, script, seed=1, keep=False, watch=watch)
    assert not done.failed and len(seen) == 2
    for stamp_s, foot in seen:
        assert (
            min(abs(lift_s - stamp_s - LATENCY_S) for lift_s, side in lifts if side == foot) < 0.04
        )
    times, com = np.array(sways).T
    chosen = (times > SETTLED_S) & (times < SWAYS_S)
    wanted = amplitude_m * np.sin(math.pi * (times[chosen] - 1.0 - LATENCY_S))
    error = com[chosen] - wanted
    assert np.std(wanted) > 0.5 * amplitude_m and np.std(error) < 0.2 * amplitude_m
