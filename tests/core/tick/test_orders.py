"""Orders: commands that run at once, commands that become requests, and their events."""

from collections.abc import Sequence

import numpy as np
import pytest

from core.behave.manager import MotionManager
from core.behave.reference import MotionState
from core.link import commands as m
from core.link import wording
from core.link.body import LeadBody
from core.link.catalogue import marks
from core.link.catalogue import refusals as why
from core.link.commands import Command
from core.link.place import StandsAt, WalkTo
from core.link.statement import Severity, Statement
from core.link.take import TakePlan
from core.plants.build import build_plant
from core.robot.joint_table import joint_table
from core.safety.estop import StopLatch
from core.safety.failsafe import Failsafe
from core.safety.flags import HEALTHY, Flag, Flags
from core.safety.modes import Mode, Request
from core.safety.rules import Action
from core.stage.player import Player
from core.takes.desk import TakeDesk
from core.tick.body_stick import BodyByStick
from core.tick.by_hand import ByHand
from core.tick.follow import FollowPerson
from core.tick.gaze import GazeAtPoint
from core.tick.jump import JumpByHand
from core.tick.marks import WalkToMark
from core.tick.orders import REPEAT_REFUSAL_S, WALK_SILENCE_S, Orders, commanded, name_of
from core.tick.sway import SwayByHand
from devices.interface import Support
from shows.gaits import GaitRange, Jump
from shows.take import TakeHead
from tests.core.rig import floating_of, profile
from tests.core.stage.cues import cue, gesture, show
from tests.core.tick.gaits import GAITS

STREAM_S = 0.02  # between two messages of a stick
STICK = m.Walk(vx=0.1)
MARK = WalkTo(1.0, 0.5, 0.2, "left", "door")
NO_GAITS = GaitRange(refused={"run": "its legs are too slow", "jump": "it is too heavy"})


class Desk:
    """Orders with a real show, real limbs and a real failsafe."""

    def __init__(self, gaits: GaitRange = NO_GAITS) -> None:
        plant = build_plant(profile(), Support.FLOOR)
        self.player = Player()
        self.manager = MotionManager(joint_table(profile()), profile().posture("rest"))
        self.latch, self.failsafe = StopLatch(), Failsafe()
        self.floating = floating_of(self.manager)
        self.lines: list[tuple[str, Statement]] = []
        self.marks = WalkToMark(profile().pace, plant, self.say)
        self.orders = Orders(
            self.player,
            self.manager,
            self.floating,
            TakeDesk(self.say, self.describe),
            ByHand(
                SwayByHand(None, plant),
                JumpByHand(gaits, plant),
                self.marks,
                GazeAtPoint(profile(), plant, self.manager, self.marks.place),
                BodyByStick(self.manager, plant),
                FollowPerson(self.manager, plant, self.say),
            ),
            gaits,
            self.latch,
            self.failsafe,
            self.say,
        )
        evening = show(cue("1", gesture(0.1, groups=("head",))))
        assert self.player.load(evening) is None
        self.orders.clips = evening.clips
        self.action = Action.NONE
        self.now_s = 1.0
        self.manager.update(self.now_s)

    def describe(self, plan: TakePlan) -> TakeHead:
        return TakeHead(robot="kid_cosmo", body="sim", joint_names=("a",), limbs=plan.limbs)

    def say(self, actor: str, said: Statement, severity: Severity | None) -> None:
        assert severity is None  # the catalogue's
        self.lines.append((actor, said))

    def ask(self, *commands: Command, mode: Mode = Mode.READY) -> list[Request]:
        """Command in one tick; the next one follows a stick's period later."""
        asked: Sequence[tuple[str, Command]] = [("console-1", command) for command in commands]
        requests = self.orders.hear(self.now_s, asked, mode, self.action, "standing")
        self.now_s += STREAM_S
        self.manager.update(self.now_s)
        return requests

    def hold(self) -> None:
        """Raise and clear a fault that holds the robot until it is acknowledged."""
        self.failsafe.update(self.now_s, Flags.of(Flag.TICK_LATE))
        self.action = self.failsafe.update(self.now_s, HEALTHY)
        assert self.action is Action.HOLD

    def held(self) -> bool:
        return self.failsafe.update(self.now_s, HEALTHY) is Action.HOLD

    @property
    def head(self) -> int:
        return int(self.manager.update(self.now_s).states[0])

    @property
    def vx(self) -> float:
        return self.orders.velocity(self.now_s).vx


# What is streamed


def test_a_stick_writes_no_line_and_everything_else_writes_one() -> None:
    desk = Desk()
    for _ in range(50):
        desk.ask(STICK, m.Head(0.2, 0.1), LeadBody(0.05))
    assert desk.lines == []
    desk.ask(m.Hold(), m.Cancel(), m.StandUp())
    assert desk.lines == [
        ("console-1", commanded(command)) for command in (m.Hold(), m.Cancel(), m.StandUp())
    ]


def test_a_velocity_counts_until_it_is_old() -> None:
    desk = Desk()
    now_s = desk.now_s
    assert desk.orders.velocity(now_s) == m.Walk()
    assert desk.ask(m.Walk(0.1, -0.05, 0.2, True)) == [Request.WALK]
    assert desk.orders.velocity(now_s + 0.9 * WALK_SILENCE_S) == m.Walk(0.1, -0.05, 0.2, True)
    assert desk.orders.velocity(now_s + 1.1 * WALK_SILENCE_S) == m.Walk()


@pytest.mark.parametrize(
    "wish", [m.Walk(vx=-0.1), m.Walk(vy=0.1), m.Walk(yaw_rate=-0.2), m.Walk(step=True)]
)
def test_every_part_of_a_velocity_is_a_wish_to_walk(wish: m.Walk) -> None:
    assert Desk().ask(wish) == [Request.WALK]


def test_a_neutral_stick_is_no_wish_to_walk_and_stops_the_last_one() -> None:
    desk = Desk()
    desk.ask(STICK)
    assert desk.vx == 0.1
    assert desk.ask(m.Walk()) == []
    assert desk.vx == 0.0


# Runs and jumps


def test_a_run_of_a_robot_that_does_not_run_stands_and_says_why_once_a_second() -> None:
    desk = Desk()
    desk.ask(STICK)
    for _ in range(round(1.5 * REPEAT_REFUSAL_S / STREAM_S)):
        assert desk.ask(m.Walk(vx=0.2, gait="run")) == []
        assert desk.vx == 0.0
    assert desk.lines == 2 * [("core", why.NO_RUN(text="its legs are too slow"))]


def test_a_run_keeps_to_the_range_and_runs_in_place_at_zero() -> None:
    desk = Desk(GAITS)
    fast = m.Walk(-1.0, 1.0, -1.0, gait="run", step_s=0.01, flight_s=2.0, height=0.28)
    assert desk.ask(fast) == [Request.WALK]
    kept = m.Walk(-0.3, 0.1, -0.5, gait="run", step_s=0.22, flight_s=0.12, height=0.28)
    assert desk.orders.velocity(desk.now_s) == kept
    usual = m.Walk(gait="run", step_s=0.3, flight_s=0.05)
    desk.ask(usual)
    assert desk.orders.velocity(desk.now_s) == usual
    assert desk.ask(m.Walk(gait="run")) == [Request.WALK]
    assert desk.ask(m.Walk()) == [] and desk.lines == []


def jumps(desk: Desk) -> bool:
    return desk.orders._hand.jump.asked is not None


def beyond(name: str, jump: Jump) -> Statement:
    """Return why a value of a jump is refused."""
    assert GAITS.jump is not None
    return why.JUMP_BEYOND(text=dict(GAITS.jump.faults(jump))[name])


@pytest.mark.parametrize(
    "jump, mode, action, reason",
    [
        (m.StartJump(), Mode.PERFORM, Action.NONE, why.WRONG_MODE(mode="PERFORM")),
        (m.StartJump(), Mode.DAMPED, Action.NONE, why.WRONG_MODE(mode="DAMPED")),
        (m.StartJump(), Mode.READY, Action.HOLD, why.FAULT_HOLDS()),
        (m.StartJump(dx=0.2), Mode.READY, Action.NONE, beyond("dx", Jump(dx=0.2))),
        (m.StartJump(flight_s=0.5), Mode.WALK, Action.NONE, beyond("flight_s", Jump(flight_s=0.5))),
        (
            m.StartJump(period_s=0.1),
            Mode.READY,
            Action.NONE,
            beyond("period_s", Jump(period_s=0.1)),
        ),
    ],
)
def test_a_jump_is_refused_with_its_reason(
    jump: m.StartJump, mode: Mode, action: Action, reason: Statement
) -> None:
    desk = Desk(GAITS)
    desk.action = action
    assert desk.ask(jump, mode=mode) == []
    actor, said = desk.lines[-1]
    told = said.fields["reason"]
    assert (actor, told) == ("core", reason) and not jumps(desk)


def test_a_robot_that_does_not_jump_says_why() -> None:
    desk = Desk()
    assert desk.ask(m.StartJump()) == []
    refused = why.REFUSED(command="start_jump", reason=why.NO_JUMP(text="it is too heavy"))
    assert desk.lines[-1] == ("core", refused)


def test_a_jump_ends_the_stick_that_walks_until_it_returns_to_neutral() -> None:
    desk = Desk(GAITS)
    desk.ask(STICK)
    assert desk.ask(m.StartJump(count=2), mode=Mode.WALK) == [Request.JUMP]
    for _ in range(60):
        assert desk.ask(STICK, mode=Mode.WALK) == []
    assert desk.vx == 0.0
    assert desk.ask(m.Walk(), mode=Mode.WALK) == []
    assert jumps(desk)
    assert desk.ask(STICK, mode=Mode.WALK) == [Request.WALK]
    assert not jumps(desk)
    assert desk.vx == 0.1


@pytest.mark.parametrize("command", [m.Hold(), m.Cancel(), m.Walk(step=True)])
def test_less_motion_ends_a_jump_and_a_walk_to_a_mark(command: Command) -> None:
    desk = Desk(GAITS)
    for asked, request in ((m.StartJump(), Request.JUMP), (MARK, Request.WALK)):
        assert desk.ask(asked) == [request]
        desk.ask(m.Cancel(groups=("head",)), m.EndSway(), mode=Mode.WALK)
        assert jumps(desk) is (asked is not MARK) and (desk.marks.asked is None) is jumps(desk)
        desk.ask(command, mode=Mode.WALK)
        assert not jumps(desk) and desk.marks.asked is None
        desk.ask(m.Walk(), mode=Mode.WALK)


@pytest.mark.parametrize(
    "mode, action, known, reason",
    [
        (Mode.PERFORM, Action.NONE, True, why.WRONG_MODE(mode="PERFORM")),
        (Mode.DAMPED, Action.NONE, True, why.WRONG_MODE(mode="DAMPED")),
        (Mode.READY, Action.HOLD, True, why.FAULT_HOLDS()),
        (Mode.READY, Action.NONE, False, marks.PLACE_UNKNOWN()),
    ],
)
def test_a_walk_to_a_mark_is_refused_with_its_reason(
    mode: Mode,
    action: Action,
    known: bool,
    reason: Statement,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk, told = Desk(), []
    monkeypatch.setattr(desk.marks._plant, "know_place", lambda: told.append(True))
    desk.action, desk.marks.place.known = action, known
    assert desk.ask(MARK, mode=mode) == [] and desk.marks.asked is None
    assert desk.lines[-1] == ("core", why.REFUSED(command="walk_to", reason=reason))
    desk.action = Action.NONE
    desk.ask(StandsAt(1.0, 0.0, 0.0), mode=Mode.WALK)
    assert desk.lines[-1][1] == why.REFUSED(command="stands_at", reason=marks.STANDS_FIRST())
    assert told == []
    desk.ask(StandsAt(1.0, 0.0, 0.0), mode=Mode.READY)
    assert told == [True], "no error of the place before it is corrected"
    assert desk.marks.place.known and desk.ask(MARK) == [Request.WALK]


def test_a_stick_that_is_held_does_not_end_a_walk_to_a_mark() -> None:
    desk = Desk()
    desk.ask(STICK)
    assert desk.ask(MARK, mode=Mode.WALK) == [Request.WALK]
    assert desk.ask(STICK, mode=Mode.WALK) == [] and desk.vx == 0.0
    assert desk.marks.asked is not None
    desk.ask(m.Walk(), mode=Mode.WALK)
    assert desk.ask(STICK, mode=Mode.WALK) == [Request.WALK] and desk.marks.asked is None


# Hold


def test_hold_rests_the_limbs() -> None:
    desk = Desk()
    for _ in range(50):
        desk.ask(m.Head(0.5, 0.1))
    assert desk.head == MotionState.JOYSTICK
    assert desk.ask(m.Hold()) == [Request.HOLD]
    assert desk.head == MotionState.TRANSITION
    for _ in range(150):
        desk.ask()
    assert desk.head == MotionState.REST


def held_stick() -> Desk:
    """Return orders after a HOLD during a deflected stick."""
    desk = Desk()
    assert desk.ask(STICK) == [Request.WALK]
    assert desk.ask(m.Hold()) == [Request.HOLD]
    return desk


def test_a_stick_left_deflected_walks_no_more_after_a_hold() -> None:
    desk = held_stick()
    for _ in range(100):
        assert desk.ask(STICK) == []
        assert desk.vx == 0.0


def test_a_stick_that_is_let_go_walks_again() -> None:
    desk = held_stick()
    assert desk.ask(STICK) == []
    assert desk.ask(m.Walk()) == []
    assert desk.ask(STICK) == [Request.WALK]
    assert desk.vx == 0.1


@pytest.mark.parametrize(("silence_s", "free"), [(0.8, False), (1.2, True)])
def test_a_stick_that_falls_silent_walks_again(silence_s: float, free: bool) -> None:
    desk = held_stick()
    assert desk.ask(STICK) == []
    desk.now_s += silence_s * WALK_SILENCE_S - STREAM_S
    assert desk.ask(STICK) == ([Request.WALK] if free else [])
    assert desk.vx == (0.1 if free else 0.0)


def test_a_stick_in_the_very_message_of_the_hold_is_barred_too() -> None:
    desk = Desk()
    desk.ask(STICK)
    assert desk.ask(m.Hold(), STICK) == [Request.HOLD]
    assert desk.vx == 0.0


# While the failsafe holds


@pytest.mark.parametrize("action", [Action.HOLD, Action.SETTLE, Action.DAMP, Action.CUT])
@pytest.mark.parametrize("command", [m.Gesture("wave"), m.Head(0.5, 0.1)], ids=name_of)
def test_no_limb_moves_while_the_failsafe_holds(command: Command, action: Action) -> None:
    desk = Desk()
    desk.action = action
    before = desk.manager.update(desk.now_s).states.copy()
    assert desk.ask(command) == []
    refusal = why.REFUSED(command=name_of(command), reason=why.FAULT_HOLDS())
    assert ("core", refusal) in desk.lines
    np.testing.assert_array_equal(desk.manager.update(desk.now_s).states, before)


@pytest.mark.parametrize("command", [m.Gesture("wave"), m.Head(0.5, 0.1)], ids=name_of)
def test_a_warning_alone_keeps_no_limb_from_moving(command: Command) -> None:
    desk = Desk()
    desk.action = Action.WARN
    desk.ask(command)
    assert desk.head != MotionState.REST
    assert desk.lines == [("console-1", commanded(command))][: len(desk.lines)]


@pytest.mark.parametrize(
    "command",
    [m.Cancel(("tail",)), m.Freeze(("tail",)), m.Unfreeze(("tail",)), m.Gesture("wave", ("tail",))],
    ids=name_of,
)
def test_a_limb_that_the_robot_lacks_is_refused(command: Command) -> None:
    desk = Desk()
    assert desk.ask(command) == []
    actor, said = desk.lines[-1]
    assert (actor, said.code) == ("core", why.REFUSED.code)
    assert said.fields["command"] == name_of(command)
    assert "tail" in wording.text(said)


def test_a_go_while_held_is_refused_and_acknowledged() -> None:
    desk = Desk()
    desk.hold()
    assert desk.ask(m.Go()) == []
    assert desk.lines == [
        ("console-1", commanded(m.Go())),
        ("core", why.REFUSED(command="go", reason=why.HELD())),
    ]
    assert not desk.player.running
    assert not desk.held()
    desk.action = Action.NONE
    assert desk.ask(m.Go()) == [Request.PERFORM]
    assert desk.player.running == ("1",)


def test_a_stick_acknowledges_nothing() -> None:
    desk = Desk()
    desk.hold()
    desk.ask(STICK, m.Head(0.2, 0.0), m.Gesture("wave"))
    assert desk.held()
    desk.ask(m.Hold())
    assert not desk.held()


def test_a_stop_latches_at_once() -> None:
    desk = Desk()
    assert desk.ask(m.Stop()) == [Request.STOP]
    assert desk.latch.pressed


# Words


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (m.StandUp(), "STAND UP"),
        (m.Stop(), "STOP"),
        (m.Go(), "GO"),
        (m.Go("2.5"), "GO: cue 2.5"),
        (m.GoTo("3"), "go to: cue 3"),
        (m.PauseShow(), "pause the show"),
        (m.LoadShow("shows/evening"), "load the show: path shows/evening"),
        (m.LoadShow(""), "unload the show"),
        (m.ReleaseHead(), "release the head"),
        (m.Head(0.25, -0.1), "head: yaw 0.25, pitch -0.1"),
        (m.Walk(vx=0.1), "WALK: vx 0.1, vy 0, yaw rate 0"),
        (m.StartJump(count=3, dx=0.05), "jump: count 3, dx 0.05"),
        (m.Walk(step=True), "WALK: vx 0, vy 0, yaw rate 0, step True"),
        (m.Gesture("wave", mirror=True), "gesture: name wave, speed 1, mirror True"),
    ],
)
def test_a_command_reads_as_an_operator_says_it(command: Command, text: str) -> None:
    assert wording.text(commanded(command)) == text


def test_a_pull_by_hand_is_one_line_and_every_push_by_itself_another() -> None:
    desk = Desk()
    for _ in range(50):
        desk.ask(m.Push(10.0, 0.0, 0.0, 0.06))
    assert len(desk.lines) == 1
    desk.now_s += 1.0
    desk.ask(m.Push(10.0, 0.0, 0.0, 0.06))
    assert len(desk.lines) == 2
