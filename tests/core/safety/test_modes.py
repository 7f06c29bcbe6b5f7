"""The mode machine: the whole table, priorities, refusals, and random sequences."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from core.link.catalogue import faults, safety
from core.link.catalogue import refusals as why
from core.link.statement import Statement
from core.link.wording import CATALOGUE
from core.safety.modes import (
    ACKNOWLEDGING,
    LATCHED,
    MOTION,
    TABLE,
    TORQUE,
    Mode,
    ModeFacts,
    ModeMachine,
    Refusal,
    Request,
)
from core.safety.rules import Action
from devices.interface import Support
from tests.draws import share

NORMAL = [mode for mode in Mode if mode not in LATCHED]
BROKEN = faults.IMU_LOST_SETTLE()
STILL = ModeFacts(readable=True, still=True)


def machine_in(mode: Mode, now_s: float = 10.0, facts: ModeFacts = STILL) -> ModeMachine:
    """Return a machine that requests and faults have brought into a mode."""
    machine = ModeMachine()
    if mode is Mode.OFF:
        machine.update(now_s, (), replace(facts, readable=False), Action.NONE)
        return machine
    machine.update(now_s, (), facts, Action.NONE)
    steps: dict[Mode, list[tuple[tuple[Request, ...], ModeFacts, Action]]] = {
        Mode.DAMPED: [],
        Mode.STANDING_UP: [((Request.STAND_UP,), facts, Action.NONE)],
        Mode.FAULT: [((), facts, Action.DAMP)],
        Mode.ESTOP: [((), replace(facts, estop_closed=False), Action.CUT)],
    }
    up = [*steps[Mode.STANDING_UP], ((), replace(facts, risen=True), Action.NONE)]
    steps[Mode.READY] = up
    steps[Mode.SETTLE] = [*up, ((Request.SETTLE,), facts, Action.NONE)]
    for wanted, request in (
        (Mode.PERFORM, Request.PERFORM),
        (Mode.WALK, Request.WALK),
        (Mode.RECORD, Request.RECORD),
    ):
        steps[wanted] = [*up, ((request,), replace(facts, support=Support.FLOOR), Action.NONE)]
    for requests, given_facts, action in steps[mode]:
        machine.update(now_s, requests, given_facts, action, BROKEN)
    assert machine.mode is mode
    return machine


def test_without_supply_it_does_not_stand_up_until_a_reset() -> None:
    off = replace(STILL, powered=False)
    machine = machine_in(Mode.DAMPED, facts=off)

    def ask(
        now_s: float, request: Request, facts: ModeFacts
    ) -> tuple[Mode, bool, Statement | None]:
        mode = machine.update(now_s, (request,), facts, Action.NONE)
        reason = machine.refusals[0].reason if machine.refusals else None
        return mode, machine.reset_granted, reason

    assert ask(20.0, Request.STAND_UP, off) == (Mode.DAMPED, False, why.UNPOWERED())
    held = replace(off, inputs_neutral=False)
    assert ask(20.1, Request.RESET, held) == (Mode.DAMPED, False, why.NOT_NEUTRAL())
    assert ask(20.2, Request.RESET, off) == (Mode.DAMPED, True, None)
    assert ask(20.3, Request.RESET, STILL) == (Mode.DAMPED, False, why.NOTHING_LATCHED())
    assert ask(20.4, Request.STAND_UP, STILL) == (Mode.STANDING_UP, False, None)


@pytest.mark.parametrize("mode", NORMAL)
@pytest.mark.parametrize("request_", [r for r in Request if r not in (Request.STOP, Request.RESET)])
def test_every_request_in_every_mode_does_what_the_table_says(
    mode: Mode, request_: Request
) -> None:
    machine = machine_in(mode)
    facts = replace(STILL, readable=mode is not Mode.OFF)
    after = machine.update(10.0, (request_,), facts, Action.NONE)
    expected = TABLE[mode][request_]
    if isinstance(expected, Statement):
        assert after is mode
        assert machine.refusals == (Refusal(request_, expected),)
    else:
        assert after is expected
        assert machine.refusals == ()


def test_the_table_has_every_mode_and_request_and_no_way_up_but_one() -> None:
    assert set(TABLE) == set(NORMAL)
    for mode, row in TABLE.items():
        assert set(row) == set(Request) - {Request.STOP, Request.RESET}
        for request, target in row.items():
            if mode not in TORQUE and isinstance(target, Mode) and target in TORQUE:
                assert (mode, request) == (Mode.DAMPED, Request.STAND_UP)


@pytest.mark.parametrize("mode", Mode)
def test_stop_leads_to_a_latched_mode_from_everywhere(mode: Mode) -> None:
    machine = machine_in(mode)
    after = machine.update(10.0, (Request.STOP,), STILL, Action.NONE)
    assert after is (Mode.ESTOP if mode is Mode.ESTOP else Mode.FAULT)
    assert machine.cause


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("action", Action)
def test_every_action_in_every_mode(mode: Mode, action: Action) -> None:
    machine = machine_in(mode)
    facts = replace(STILL, readable=mode is not Mode.OFF)
    after = machine.update(10.0, (), facts, action, BROKEN)
    if mode in LATCHED or mode is Mode.OFF or action <= Action.WARN:
        expected = mode
    elif action >= Action.DAMP:
        expected = Mode.FAULT
    elif action is Action.SETTLE:
        expected = Mode.SETTLE if mode in TORQUE else mode
    else:
        expected = Mode.READY if mode in (Mode.PERFORM, Mode.WALK) else mode
    assert after is expected
    if after is not mode:
        assert machine.cause == BROKEN


@pytest.mark.parametrize("mode", Mode)
def test_an_open_chain_is_estop_everywhere_and_closing_it_changes_nothing(mode: Mode) -> None:
    machine = machine_in(mode)
    open_ = replace(STILL, estop_closed=False)
    assert machine.update(10.0, (), open_, Action.NONE) is Mode.ESTOP
    for t in range(11, 30):
        assert machine.update(float(t), (), STILL, Action.NONE) is Mode.ESTOP


@pytest.mark.parametrize("mode", LATCHED)
def test_a_latched_mode_refuses_everything_but_reset_and_shutdown(mode: Mode) -> None:
    for request in set(Request) - {Request.RESET, Request.SHUTDOWN, Request.STOP}:
        machine = machine_in(mode)
        assert machine.update(20.0, (request,), STILL, Action.NONE) is mode
        assert machine.refusals[0].reason.code in (why.LATCHED_BY.code, why.STOP_LATCHED.code)


@pytest.mark.parametrize("mode", LATCHED)
@pytest.mark.parametrize(
    ("facts", "after_s", "reason"),
    [
        (replace(STILL, estop_closed=False), 2.0, why.CHAIN_OPEN()),
        (replace(STILL, still=False), 2.0, why.NOT_STILL(still_s=1.0)),
        (STILL, 0.99, why.NOT_STILL(still_s=1.0)),
        (replace(STILL, inputs_neutral=False), 2.0, why.NOT_NEUTRAL()),
        (replace(STILL, stuck=(BROKEN,)), 2.0, why.FAULT_STAYS(fault=BROKEN)),
    ],
)
def test_reset_is_refused_with_the_reason(
    mode: Mode, facts: ModeFacts, after_s: float, reason: Statement
) -> None:
    machine = machine_in(mode, facts=replace(STILL, still=False))
    machine.update(10.0, (), replace(STILL, still=facts.still), Action.NONE)
    after = machine.update(10.0 + after_s, (Request.RESET,), facts, Action.DAMP)
    assert after in LATCHED
    assert not machine.reset_granted
    assert machine.refusals[0].reason == reason


@pytest.mark.parametrize("mode", LATCHED)
def test_a_reset_leads_to_damped_even_while_the_latched_action_lasts(mode: Mode) -> None:
    machine = machine_in(mode)
    assert machine.update(11.1, (Request.RESET,), STILL, Action.DAMP) is Mode.DAMPED
    assert machine.reset_granted
    assert machine.refusals == ()
    assert machine.update(11.2, (), STILL, Action.NONE) is Mode.DAMPED
    assert not machine.reset_granted


def test_a_twitch_begins_the_second_of_stillness_anew() -> None:
    machine = machine_in(Mode.FAULT)
    machine.update(10.9, (), replace(STILL, still=False), Action.DAMP)
    machine.update(11.0, (), STILL, Action.DAMP)
    assert machine.update(11.9, (Request.RESET,), STILL, Action.DAMP) is Mode.FAULT
    assert machine.update(12.0, (Request.RESET,), STILL, Action.DAMP) is Mode.DAMPED


@given(st.permutations(list(Request)))
def test_stop_wins_against_whatever_comes_with_it(requests: list[Request]) -> None:
    machine = machine_in(Mode.READY)
    assert machine.update(20.0, requests, STILL, Action.NONE) is Mode.FAULT
    assert len(machine.refusals) == len(Request) - 1


@pytest.mark.parametrize("stopping", [Request.SETTLE, Request.HOLD, Request.SHUTDOWN])
@pytest.mark.parametrize("moving", sorted(MOTION))
def test_what_stops_silences_what_moves(stopping: Request, moving: Request) -> None:
    machine = machine_in(Mode.READY)
    after = machine.update(10.0, (moving, stopping), STILL, Action.NONE)
    assert after in (Mode.READY, Mode.SETTLE)
    assert machine.refusals[0].request is moving
    assert machine.refusals[0].reason == why.SILENCED(command=stopping.value)


@pytest.mark.parametrize("request_", sorted(MOTION))
@pytest.mark.parametrize("action", [Action.HOLD, Action.SETTLE])
def test_no_motion_begins_while_a_fault_holds(request_: Request, action: Action) -> None:
    machine = machine_in(Mode.DAMPED if request_ is Request.STAND_UP else Mode.READY)
    before = machine.update(10.0, (), STILL, action, BROKEN)
    after = machine.update(10.1, (request_,), STILL, action, BROKEN)
    assert after is before
    assert after not in (Mode.STANDING_UP, Mode.PERFORM, Mode.WALK)
    assert machine.refusals[0].request is request_


@pytest.mark.parametrize("steps", [Request.WALK, Request.JUMP])
def test_seated_it_performs_and_neither_walks_nor_jumps(steps: Request) -> None:
    seated = replace(STILL, support=Support.SEATED)
    machine = machine_in(Mode.READY, facts=seated)
    assert machine.update(10.0, (steps,), seated, Action.NONE) is Mode.READY
    assert machine.refusals[0].reason == why.SEATED()
    assert machine.update(10.0, (Request.PERFORM,), seated, Action.NONE) is Mode.PERFORM
    gantry = replace(STILL, support=Support.GANTRY)
    other = machine_in(Mode.READY, facts=gantry)
    assert other.update(10.0, (steps,), gantry, Action.NONE) is Mode.WALK


def test_it_does_not_stand_up_while_a_stick_is_held() -> None:
    machine = machine_in(Mode.DAMPED)
    held = replace(STILL, inputs_neutral=False)
    assert machine.update(10.0, (Request.STAND_UP,), held, Action.NONE) is Mode.DAMPED
    assert machine.refusals[0].reason == why.NOT_NEUTRAL()


def test_standing_up_that_takes_too_long_is_given_up() -> None:
    machine = machine_in(Mode.STANDING_UP)
    assert machine.update(24.9, (), STILL, Action.NONE) is Mode.STANDING_UP
    assert machine.update(25.1, (), STILL, Action.NONE) is Mode.SETTLE
    assert machine.cause == safety.RISE_TOO_LONG(limit_s=15.0)


def test_settling_ends_damped_when_done_or_after_its_time() -> None:
    machine = machine_in(Mode.SETTLE)
    settled = replace(STILL, settled=True)
    assert machine.update(11.0, (), settled, Action.SETTLE) is Mode.DAMPED
    machine = machine_in(Mode.SETTLE)
    assert machine.update(20.1, (), STILL, Action.NONE) is Mode.DAMPED


def test_a_show_ends_by_itself_or_never_began() -> None:
    machine, playing = machine_in(Mode.PERFORM), replace(STILL, performing=True)
    assert machine.update(12.0, (), playing, Action.NONE) is Mode.PERFORM
    assert machine.update(99.0, (), STILL, Action.NONE) is Mode.READY
    machine = machine_in(Mode.PERFORM)
    assert machine.update(10.9, (), STILL, Action.NONE) is Mode.PERFORM
    assert machine.update(11.1, (), STILL, Action.NONE) is Mode.READY


def test_a_held_show_plays_on_to_its_safe_point_but_not_forever() -> None:
    machine, playing = machine_in(Mode.PERFORM), replace(STILL, performing=True)
    for t in (11.0, 20.0, 26.0):
        assert machine.update(t, (), playing, Action.HOLD) is Mode.PERFORM
    assert machine.update(26.1, (), playing, Action.HOLD) is Mode.READY
    machine = machine_in(Mode.PERFORM)
    machine.update(11.0, (), playing, Action.HOLD)
    assert machine.update(12.0, (), STILL, Action.HOLD) is Mode.READY


@pytest.mark.parametrize("steps", [Request.WALK, Request.JUMP])
def test_walking_ends_when_it_stands_and_nobody_asks_any_more(steps: Request) -> None:
    machine, stepping = machine_in(Mode.WALK), replace(STILL, stepping=True)
    for i in range(50):
        assert machine.update(10.0 + i, (), stepping, Action.NONE) is Mode.WALK
    assert machine.update(59.9, (steps,), STILL, Action.NONE) is Mode.WALK
    assert machine.update(60.8, (), STILL, Action.NONE) is Mode.WALK
    assert machine.update(61.0, (), STILL, Action.NONE) is Mode.READY


@pytest.mark.parametrize("mode", Mode)
def test_a_shutdown_ends_off_by_way_of_settling(mode: Mode) -> None:
    machine = machine_in(mode)
    after = machine.update(10.0, (Request.SHUTDOWN,), STILL, Action.NONE)
    if mode in TORQUE:
        assert after is Mode.SETTLE
        machine.update(10.1, (), replace(STILL, settled=True), Action.NONE)
    assert machine.mode is Mode.OFF
    assert machine.leaving
    assert machine.update(30.0, (Request.STAND_UP,), STILL, Action.NONE) is Mode.OFF


def test_a_stick_that_streams_acknowledges_nothing() -> None:
    assert Request.WALK not in ACKNOWLEDGING
    assert Request.STOP not in ACKNOWLEDGING
    assert {Request.HOLD, Request.PERFORM, Request.STAND_UP} <= ACKNOWLEDGING


class Life(RuleBasedStateMachine):
    """Random facts, faults and requests in random order."""

    def __init__(self) -> None:
        super().__init__()
        self.machine = ModeMachine()
        self.now_s = 0.0
        self.facts = ModeFacts()
        self.action = Action.NONE
        self.still_since_s: float | None = None

    @rule(requests=st.lists(st.sampled_from(Request), max_size=3))
    def ask(self, requests: list[Request]) -> None:
        self.step(requests)

    @rule(request=st.sampled_from([Request.STAND_UP, Request.PERFORM, Request.RESET]))
    def ask_for_what_leads_on(self, request: Request) -> None:
        self.step([request])

    @rule(
        name=st.sampled_from(
            ["readable", "estop_closed", "still", "inputs_neutral", "risen", "settled",
             "performing", "stepping"]
        ),
        value=st.booleans(),
    )  # fmt: skip
    def fact(self, name: str, value: bool) -> None:
        setattr(self.facts, name, value)
        self.step([])

    @rule(support=st.sampled_from(Support))
    def put(self, support: Support) -> None:
        self.facts.support = support
        self.step([])

    @rule(action=st.sampled_from(Action))
    def fault(self, action: Action) -> None:
        self.action = action
        self.step([])

    @rule()
    def all_is_well(self) -> None:
        self.action = Action.NONE
        self.facts = ModeFacts(readable=True, still=True, risen=True)
        self.step([])

    @rule(wait_s=st.sampled_from([0.001, 0.5, 1.1, 20.0]))
    def wait(self, wait_s: float) -> None:
        self.now_s += wait_s
        self.step([])

    def step(self, requests: list[Request]) -> None:
        machine, facts = self.machine, self.facts
        before = machine.mode
        if not facts.still:
            self.still_since_s = None
        elif self.still_since_s is None:
            self.still_since_s = self.now_s
        after = machine.update(self.now_s, requests, facts, self.action, BROKEN)
        if before in LATCHED and after not in LATCHED:
            left_by_shutdown = after is Mode.OFF and Request.SHUTDOWN in requests
            assert left_by_shutdown or (after is Mode.DAMPED and machine.reset_granted)
        if machine.reset_granted:
            assert Request.RESET in requests
            assert facts.estop_closed
            assert facts.inputs_neutral
            assert self.still_since_s is not None
            assert self.now_s - self.still_since_s >= 1.0
        if not facts.estop_closed:
            assert after is Mode.ESTOP or (after is Mode.OFF and Request.SHUTDOWN in requests)
        if Request.STOP in requests:
            assert after in LATCHED
        if after in TORQUE and before not in TORQUE:
            assert (before, after) == (Mode.DAMPED, Mode.STANDING_UP)
            assert Request.STAND_UP in requests
        if after in (Mode.PERFORM, Mode.WALK) and after is not before:
            assert requests
            assert self.action < Action.HOLD
        if after is Mode.WALK and before is not Mode.WALK:
            assert facts.support is not Support.SEATED
        for refusal in machine.refusals:
            assert refusal.request in requests
            assert refusal.reason.code in CATALOGUE

    @invariant()
    def a_fault_that_takes_torque_has_it_taken(self) -> None:
        if self.action >= Action.DAMP and not self.machine.reset_granted:
            assert self.machine.mode not in TORQUE


TestLife = Life.TestCase
TestLife.settings = settings(max_examples=share(150), stateful_step_count=30)
