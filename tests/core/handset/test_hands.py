"""No motion without dead-man switch and fresh frames; a restored link resumes nothing."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from core.link.catalogue import refusals as why
from core.link.commands import (
    Cancel,
    Command,
    EndTake,
    Freeze,
    Gesture,
    Go,
    Head,
    Hold,
    MarkTake,
    ReleaseHead,
    Reset,
    Settle,
    StandUp,
    StartJump,
    Stop,
    ToggleTake,
    Unfreeze,
    Walk,
)
from core.link.handset import HandsetMap
from core.link.improvised import PoseHands, Say, SetIdle
from core.link.place import HoldPoint, ShiftPoint
from core.safety.modes import Mode
from tests.core.handset.rig import BOUNDS, BUTTON, LAYOUT, REACH, RUNS, USES, Bench, Robot
from tests.draws import share

MOVING = (Gesture, Go, Head, StandUp, StartJump, Unfreeze)
LEGS = HandsetMap(buttons=("run", "jump", *USES[:8]))


def moves(command: Command) -> bool:
    return isinstance(command, MOVING) or (isinstance(command, Walk) and command != Walk())


@pytest.fixture
def bench() -> Bench:
    found = Bench()
    found.rest()
    return found


def walk(bench: Bench) -> None:
    """Walk forward."""
    bench.hold(dead_man=True)
    bench.frame()
    bench.hold(dead_man=True, left_y=1.0)
    assert bench.frame() == [Walk(0.2)]


# Silence and doubt


def test_silence_stands_at_once_and_a_link_that_comes_back_moves_nothing(bench: Bench) -> None:
    walk(bench)
    bench.hold(dead_man=True, left_y=1.0, right_x=0.5)
    bench.frame()
    asked = bench.silence(0.24)
    assert Walk() not in asked
    assert bench.silence(0.03) == [Walk(), ReleaseHead()]
    assert bench.silence(1.0) == []
    assert bench.frames(2.0) == []  # still held as it was
    bench.hold(left_y=1.0)
    assert bench.frames(1.0) == []
    bench.hold(dead_man=True)
    assert bench.frames(1.0) == []
    bench.rest()
    walk(bench)


@pytest.mark.parametrize("age_s", [math.inf, math.nan, -0.1])
def test_an_age_that_is_none_is_silence(bench: Bench, age_s: float) -> None:
    walk(bench)
    bench.sample.age_s = age_s
    assert list(bench.hands.update(bench.now_s + 0.001, bench.sample, bench.robot)) == [Walk()]


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_stick_that_is_no_number_is_silence(bench: Bench, value: float) -> None:
    walk(bench)
    bench.hold(dead_man=True, left_y=1.0, right_y=value)
    assert bench.frame() == [Walk()]
    assert not bench.hands.linked


@pytest.mark.parametrize("elapsed_s", [1.0, -1.0])
def test_time_that_jumps_is_silence(bench: Bench, elapsed_s: float) -> None:
    walk(bench)
    assert bench.frame(elapsed_s) == [Walk()]
    assert bench.frames(1.0) == []


def test_a_press_that_was_held_while_the_link_came_back_counts_not(bench: Bench) -> None:
    bench.silence(1.0)
    bench.hold("hold", "settle", "go", "cancel", "gesture:wave", "stand_up", "reset")
    assert bench.frames(3.0) == []
    bench.rest()
    bench.hold("hold")
    assert bench.frame() == [Hold()]


def test_a_stop_that_was_held_while_the_link_came_back_stops() -> None:
    bench = Bench()
    bench.hold("stop")
    assert bench.frame() == [Stop()]
    assert bench.frames(1.0) == []  # once
    bench.silence(1.0)
    assert bench.frame() == [Stop()]


# The dead-man


def test_the_dead_man_let_go_stands_at_once_and_the_stick_must_go_back(bench: Bench) -> None:
    walk(bench)
    bench.hold(left_y=1.0)
    assert bench.frame() == [Walk()]
    bench.hold(dead_man=True, left_y=1.0)
    assert bench.frames(1.0) == []
    bench.hold(dead_man=True)
    bench.frame()
    bench.hold(dead_man=True, left_y=1.0)
    assert bench.frame() == [Walk(0.2)]


def test_nothing_that_moves_is_asked_without_the_dead_man(bench: Bench) -> None:
    bench.robot.frozen = True
    bench.hold(*(use for use in USES if use not in ("stop", "hold", "settle", "reset")))
    bench.hold("go", "freeze", "gesture:wave", "stand_up", left_y=1.0, right_x=1.0)
    assert bench.frames(3.0) == []
    assert bench.hands.events[0].fields["reason"] == why.HOLD_DEAD_MAN()


def test_what_leads_to_less_motion_needs_no_dead_man_and_no_rest() -> None:
    bench = Bench()
    bench.hold(left_y=1.0)
    bench.frames(0.1)
    assert not bench.hands.ready
    for use, wanted in (
        ("hold", Hold()),
        ("settle", Settle()),
        ("cancel", Cancel()),
        ("freeze", Freeze()),
        ("stop", Stop()),
    ):
        bench.hold(use, left_y=1.0)
        assert bench.frames(0.1) == [wanted]


def test_stop_beside_other_buttons_is_a_stop_alone(bench: Bench) -> None:
    bench.hold("stop", "go", "gesture:wave", "settle", dead_man=True)
    assert bench.frames(0.5) == [Stop()]


@pytest.mark.parametrize(("use", "asked"), [("stop", Stop()), ("hold", Hold())])
def test_after_a_stop_or_hold_the_hands_must_come_to_rest(
    bench: Bench, use: str, asked: Command
) -> None:
    walk(bench)
    bench.hold(use, dead_man=True, left_y=1.0)
    # The zero comes first: after a HOLD it would let another stick walk on.
    assert bench.frame() == [Walk(), asked]
    bench.hold(dead_man=True, left_y=1.0)
    assert bench.frames(1.0) == []
    bench.hold(dead_man=True)
    bench.frames(1.0)
    bench.hold(dead_man=True, left_y=1.0)
    assert bench.frames(1.0) == []


def test_a_stick_that_is_held_when_the_robot_becomes_ready_waits(bench: Bench) -> None:
    bench.robot.mode = Mode.PERFORM
    bench.hold(dead_man=True, left_y=1.0)
    assert bench.frames(1.0) == []
    assert bench.hands.note(Mode.PERFORM) == why.SHOW_HAS_BODY()
    bench.robot.mode = Mode.READY
    assert bench.frames(1.0) == []
    assert bench.hands.note(Mode.READY) == why.STICK_FIRST()


def test_a_fault_that_holds_the_robot_ends_the_walk(bench: Bench) -> None:
    walk(bench)
    bench.robot.held = True
    assert bench.frame() == [Walk()]
    assert bench.hands.note(Mode.READY) == why.HOLD_FIRST()
    bench.robot.held = False
    assert bench.frames(0.5) == []
    assert bench.hands.note(Mode.READY) == why.STICK_FIRST()


def test_a_stick_that_nobody_moves_for_half_a_minute_stands(bench: Bench) -> None:
    walk(bench)
    assert Walk() not in bench.frames(29.8)
    assert bench.frames(0.4)[-1] == Walk()
    stuck = why.STICK_STUCK(limit_s=30.0)
    assert bench.hands.events[-1] == stuck == bench.hands.note(Mode.READY)
    assert bench.frames(60.0) == []
    bench.hold(dead_man=True)
    bench.frame()
    bench.hold(dead_man=True, left_y=1.0)
    assert bench.frame() == [Walk(0.2)]
    assert Walk() not in bench.frames(29.0)


def test_a_hand_trembles_and_may_walk_for_long(bench: Bench) -> None:
    walk(bench)
    for beat in range(120):
        bench.hold(dead_man=True, left_y=0.9 - 0.02 * (beat % 2))
        assert Walk() not in bench.frames(0.5)


# What the controls do


def test_the_walk_is_repeated_and_steered(bench: Bench) -> None:
    walk(bench)
    assert 15 <= len(bench.frames(1.0)) <= 20
    bench.hold(dead_man=True, left_x=1.0)
    assert bench.frames(0.1)[-1] == Walk(0.0, 0.0, -0.3)
    bench.hold("sideways", dead_man=True, left_x=1.0)
    assert bench.frames(0.1)[-1] == Walk(0.0, -0.1, 0.0)
    bench.hold(dead_man=True)
    assert bench.frame() == [Walk()]
    assert bench.frames(1.0) == []


def test_it_runs_while_the_button_is_held_and_stands_with_the_stick_in_the_middle() -> None:
    bench = Bench(layout=LEGS)
    bench.rest()
    bench.hold("run", dead_man=True)
    assert bench.frames(0.2) == []
    bench.hold("run", dead_man=True, left_y=1.0)
    assert bench.frame() == [Walk(0.4, gait="run")]
    bench.hold(dead_man=True, left_y=1.0)
    assert Walk(0.2) in bench.frames(0.1)
    bench.hold("run", dead_man=True)
    assert bench.frame() == [Walk()]


def test_a_jump_needs_the_dead_man_counts_once_and_ends_the_stick() -> None:
    bench = Bench(layout=LEGS)
    bench.rest()
    bench.hold("jump")
    assert bench.frames(0.5) == []
    assert bench.hands.events[0].fields["reason"] == why.HOLD_DEAD_MAN()
    bench.hold(dead_man=True, left_y=1.0)
    assert bench.frame() == [Walk(0.2)]
    bench.hold("jump", dead_man=True, left_y=1.0)
    assert bench.frame() == [Walk(), StartJump()]
    assert bench.frames(3.5) == []
    assert bench.hands.note(Mode.WALK) == why.STICK_FIRST()
    bench.hold(dead_man=True)
    bench.frame()
    bench.hold(dead_man=True, left_y=1.0)
    assert bench.frame() == [Walk(0.2)]


def test_the_head_follows_its_stick_and_is_given_back(bench: Bench) -> None:
    bench.robot.mode = Mode.PERFORM  # the head may be turned in a show
    bench.hold(dead_man=True)
    bench.frame()
    bench.hold(dead_man=True, right_x=1.0)
    assert bench.frame() == [Head(-1.5, 0.0)]
    assert 15 <= len(bench.frames(1.0)) <= 25
    bench.hold(dead_man=True, right_y=1.0)
    assert bench.frames(0.1)[-1] == Head(0.0, 0.5)
    bench.hold(right_y=1.0)
    assert bench.frame() == [ReleaseHead()]
    bench.hold(dead_man=True, right_y=1.0)
    assert bench.frames(1.0) == []


def test_each_press_counts_once(bench: Bench) -> None:
    for use, wanted in (
        ("go", Go()),
        ("gesture:wave", Gesture("wave")),
        ("freeze", Freeze()),
        ("cancel", Cancel()),
    ):
        bench.hold(use, dead_man=True)
        assert bench.frames(2.0) == [wanted]
        bench.hold(dead_man=True)
        assert bench.frames(0.2) == []
    bench.robot.frozen = True
    bench.hold("freeze", dead_man=True)
    assert bench.frames(2.0) == [Unfreeze()]


def test_another_layout_lays_everything_out_anew_and_lets_go(bench: Bench) -> None:
    walk(bench)
    uses = ("none", *USES[1:9], "stop")
    bench.hands.change(
        HandsetMap(
            buttons=uses, walk_stick="right", head_stick="none", forward_looks_up=True,
            speed_share=0.5,
        )
    )  # fmt: skip
    assert bench.frame() == [Walk()]
    bench.rest()
    bench.hold("stop", "reset", left_y=1.0)
    assert bench.frame() == [Stop()]
    bench.rest()
    bench.hold(dead_man=True)
    bench.frame()
    bench.hold(dead_man=True, right_y=-1.0)
    assert bench.frame() == [Walk(-0.05)]


def test_forward_may_look_up() -> None:
    bench = Bench(layout=HandsetMap(buttons=USES, forward_looks_up=True))
    bench.rest()
    bench.hold(dead_man=True)
    bench.frame()
    bench.hold(dead_man=True, right_y=1.0)
    assert bench.frame() == [Head(0.0, -0.5)]


# Takes


def test_a_take_is_ended_and_marked_without_the_dead_man_and_without_rest() -> None:
    bench = Bench(Robot(records=True), layout=HandsetMap(buttons=("take", "mark", *USES[:8])))
    bench.hold(left_y=1.0)
    bench.frames(0.1)
    assert not bench.hands.ready
    bench.hold("mark", left_y=1.0)
    assert bench.frames(0.5) == [MarkTake()]
    bench.hold("take", left_y=1.0)
    assert bench.frames(0.5) == [EndTake()]  # no toggle: it may have ended in this moment


def test_a_take_begins_as_go_does_if_its_beginning_moves_limbs() -> None:
    bench = Bench(Robot(take_moves=True), layout=HandsetMap(buttons=("take", *USES[:9])))
    bench.rest()
    bench.hold("take")
    assert bench.frames(0.5) == []
    reason = why.HOLD_DEAD_MAN()
    assert bench.hands.events == [why.REFUSED(command="toggle_take", reason=reason)]
    bench.hold(dead_man=True)
    bench.frame()
    bench.hold("take", dead_man=True)
    assert bench.frames(0.5) == [ToggleTake()]
    bench.robot.take_moves = False
    bench.hold()
    bench.frame()
    bench.hold("take")
    assert bench.frames(0.5) == [ToggleTake()]


# STAND UP and RESET


def long_press(bench: Bench, use: str, time_s: float = 1.2) -> list[Command]:
    bench.rest()
    bench.hold(dead_man=True)
    bench.frame()
    bench.hold(use, dead_man=True)
    return bench.frames(time_s)


def test_stand_up_and_reset_take_a_long_press() -> None:
    bench = Bench(Robot(Mode.DAMPED))
    assert long_press(bench, "stand_up", 0.9) == []
    assert long_press(bench, "stand_up") == [StandUp()]
    bench.robot.mode = Mode.FAULT
    assert long_press(bench, "reset", 0.9) == []
    assert long_press(bench, "reset") == [Reset()]
    assert bench.frames(5.0) == []


def test_a_radio_that_proves_nothing_neither_stands_up_nor_resets() -> None:
    bench = Bench(Robot(Mode.DAMPED), authenticated=False)
    assert long_press(bench, "stand_up") == []
    bench.robot.mode = Mode.FAULT
    assert long_press(bench, "reset") == []
    assert bench.hands.events == [
        why.REFUSED(command=command, reason=why.NOT_AUTHENTICATED())
        for command in ("stand_up", "reset")
    ]


def test_without_a_console_nobody_stands_up_or_resets_by_radio() -> None:
    bench = Bench(Robot(Mode.DAMPED, console=False))
    assert long_press(bench, "stand_up") == [] == long_press(bench, "reset")
    assert bench.hands.note(Mode.DAMPED) == why.REFUSED(command="reset", reason=why.NO_CONSOLE())


def test_no_handset_resets_an_estop() -> None:
    bench = Bench(Robot(Mode.ESTOP))
    assert long_press(bench, "reset") == []
    assert bench.hands.events[0].fields["reason"] == why.RESET_AT_CONSOLE()


def test_a_long_press_does_not_outlive_the_dead_man_or_the_link() -> None:
    bench = Bench(Robot(Mode.DAMPED))
    assert long_press(bench, "stand_up", 0.6) == []
    bench.hold("stand_up")
    bench.frame()
    bench.hold("stand_up", dead_man=True)
    assert bench.frames(3.0) == []
    assert long_press(bench, "stand_up", 0.6) == []
    bench.silence(0.5)
    assert bench.frames(3.0) == []


def test_the_button_that_asks_does_not_make_the_inputs_not_neutral() -> None:
    bench = Bench(Robot(Mode.DAMPED))
    long_press(bench, "stand_up", 0.5)
    assert bench.is_neutral()
    bench.hold("stand_up", "go")
    bench.frame()
    assert not bench.is_neutral()
    bench.hold("stand_up", left_y=1.0)
    bench.frame()
    assert not bench.is_neutral()
    bench.silence(1.0)
    assert bench.is_neutral()


# Anything at all


@given(
    st.sampled_from([LAYOUT, LEGS]),
    st.lists(st.tuples(st.integers(0, 1023), st.booleans(), st.floats(-1, 1)), max_size=60),
)
def test_walking_and_running_stay_within_the_handsets_speeds(
    layout: HandsetMap, held: list[tuple[int, bool, float]]
) -> None:
    bench = Bench(layout=layout)
    bench.rest()
    for bits, dead_man, way in held:
        bench.sample.buttons[:] = [bits >> place & 1 for place in range(10)]
        bench.sample.dead_man = dead_man
        bench.sample.sticks[:] = (way, -way, way, way)
        for command in bench.frame():
            if isinstance(command, Walk):
                bounds = RUNS if command.gait == "run" else BOUNDS
                assert (command.gait == "run") <= (layout is LEGS and bool(bits & 1))
                assert -bounds.backward <= command.vx <= bounds.forward
                assert abs(command.vy) <= bounds.sideways
                assert abs(command.yaw_rate) <= bounds.turning
            if isinstance(command, Head):
                assert REACH.right <= command.yaw <= REACH.left
                assert REACH.up <= command.pitch <= REACH.down


class AnyHands(RuleBasedStateMachine):
    """Random actions of hands, radio and robot."""

    def __init__(self) -> None:
        super().__init__()
        self.bench = Bench()
        self.rested_s: float | None = None  # since when sticks and dead-man are at rest
        self.rested = False  # long enough, and since the link came
        self.wish: Command = Walk()  # what the core was told last
        self.held_since_link: set[int] = set()
        self.fresh = False
        self.stops = BUTTON["stop"]

    def look(self, asked: list[Command], fresh: bool) -> None:
        """Check the commands."""
        bench, sample = self.bench, self.bench.sample
        if not fresh:
            self.rested, self.rested_s = False, None
        for command in asked:
            if isinstance(command, Walk):
                self.wish = command
            if moves(command):
                assert fresh and sample.dead_man and self.rested, command
            if isinstance(command, Walk) and command != Walk():
                assert bench.robot.mode in (Mode.READY, Mode.WALK) and not bench.robot.held
            if isinstance(command, StandUp | Reset):
                assert bench.robot.console
            if isinstance(command, Reset):
                assert bench.robot.mode is not Mode.ESTOP
        if not (fresh and sample.dead_man):
            assert self.wish == Walk()

    def note_rest(self) -> None:
        """Note a received frame."""
        sample, now_s = self.bench.sample, self.bench.now_s
        if sample.dead_man or np.abs(sample.sticks).max() >= 0.12:
            self.rested_s = None
        elif self.rested_s is None:
            self.rested_s = now_s
        elif now_s - self.rested_s >= 0.19:
            self.rested = True

    @rule(
        bits=st.sampled_from([0, *(1 << place for place in range(10)), 0b1001, 0b1110]),
        dead_man=st.booleans(),
        sticks=st.tuples(*[st.sampled_from([0.0, 0.05, -0.4, 1.0])] * 4),
    )
    def hold(self, bits: int, dead_man: bool, sticks: tuple[float, ...]) -> None:
        sample = self.bench.sample
        sample.buttons[:] = [bool(bits >> place & 1) for place in range(10)]
        sample.dead_man = dead_man
        sample.sticks[:] = sticks

    @rule()
    def let_go(self) -> None:
        self.hold(0, False, (0.0, 0.0, 0.0, 0.0))
        self.frames(30)

    @rule(count=st.integers(1, 80))
    def frames(self, count: int) -> None:
        for _ in range(count):
            sample = self.bench.sample
            stops = bool(sample.buttons[self.stops])
            asked = self.bench.frame()
            self.note_rest()
            self.look(asked, True)
            if not self.fresh:
                assert not [c for c in asked if not isinstance(c, Stop | Walk | ReleaseHead)]
                assert stops == (Stop() in asked)
            self.fresh = True

    @rule(time_s=st.sampled_from([0.05, 0.3, 1.5]))
    def silence(self, time_s: float) -> None:
        for _ in range(round(time_s / 0.01)):
            asked = self.bench.silence(0.01)
            fresh = self.bench.sample.age_s <= 0.25
            if fresh and not self.fresh:
                self.note_rest()  # after a stall it meets the frame that came in it
            self.fresh = fresh
            self.look(asked, self.fresh)

    @rule(elapsed_s=st.sampled_from([-5.0, 0.26, 30.0]))
    def stall(self, elapsed_s: float) -> None:
        self.fresh = False
        self.look(self.bench.frame(elapsed_s), False)

    @rule(
        mode=st.sampled_from(list(Mode)),
        held=st.booleans(),
        frozen=st.booleans(),
        console=st.booleans(),
    )
    def turn(self, mode: Mode, **facts: Any) -> None:
        self.bench.robot.mode = mode
        for name, value in facts.items():
            setattr(self.bench.robot, name, value)

    @rule(layout=st.sampled_from([LAYOUT, LEGS]))
    def lay_out(self, layout: HandsetMap) -> None:
        self.bench.hands.change(layout)
        self.stops = layout.buttons.index("stop")
        self.rested, self.rested_s, self.fresh = False, None, False

    @invariant()
    def readiness_is_earned(self) -> None:
        assert not self.bench.hands.ready or (self.rested and self.fresh)


AnyHands.TestCase.settings = settings(max_examples=share(60), stateful_step_count=40)
test_any_hands = AnyHands.TestCase


IMPROVISED = HandsetMap(
    buttons=(
        "stop",
        "phrase:Hello-1",
        "gesture:wave+phrase:hello",
        "hand:left:fist",
        "idle:on",
        "idle:off",
        "idle:toggle",
        *("none",) * 3,
    )
)


def test_a_phrase_needs_no_dead_man_and_what_moves_does() -> None:
    bench = Bench(layout=IMPROVISED)
    bench.hold()
    bench.frame()
    still: list[Command] = [SetIdle(on=False)]
    alone: tuple[list[Command], ...] = [Say("Hello-1")], [], [], [], still, still
    moved: tuple[list[Command], ...] = (
        [Say("Hello-1")],
        [Gesture("wave", phrase="hello")],
        [PoseHands("fist", "left")],
        [SetIdle(on=True)],
        [SetIdle(on=False)],
        [SetIdle(on=True)],
    )
    for dead_man, idles, wanted in ((False, True, alone), (True, False, moved)):
        bench.robot.idles = idles
        bench.rest()
        bench.hold(dead_man=dead_man)
        bench.frame()
        for use, commands in zip(IMPROVISED.buttons[1:7], wanted, strict=True):
            bench.hold(use, dead_man=dead_man)
            assert bench.frame() == commands, use
            bench.hold(dead_man=dead_man)
            bench.frame()
    assert bench.silence(1.0) == [] and bench.frames(1.0) == [], "nothing repeats or resumes"


def test_a_button_holds_the_point_and_the_head_stick_then_shifts_it() -> None:
    uses = ("stop", "point", *("none",) * 8)
    bench = Bench(layout=HandsetMap(buttons=uses, dead_zone=0.1, expo=0.0))
    bench.rest()
    bench.hold("point")
    assert bench.frame() == [], "without the dead-man nothing begins"
    bench.hold()
    bench.frame()
    bench.hold(dead_man=True, right_x=1.0)
    assert [type(command) for command in bench.frame()] == [Head]
    bench.hold("point", dead_man=True, right_x=1.0)
    assert bench.frame() == [HoldPoint()]
    bench.robot.holds_point = True
    assert bench.frames(0.2) == [], "the stick must come back first"
    bench.hold(dead_man=True)
    assert bench.frame() == []
    bench.hold(dead_man=True, right_x=1.0)
    shifts = bench.frames(0.2)
    assert len(shifts) > 3 and set(shifts) == {ShiftPoint(left=-1.0)}
    bench.hold(dead_man=False, right_x=1.0)
    assert bench.frame() == [ShiftPoint()], "the point stays"
    bench.hold()
    bench.frame()
    bench.hold("point")
    assert bench.frame() == [ReleaseHead()]
