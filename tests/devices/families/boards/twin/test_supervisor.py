"""The emulated power supervisor against its rules (packaging/wiring/protocols.md)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from devices.families.boards.twin.seats import SupervisorSeat
from devices.families.boards.twin.supervisor import StopChain, Supervisor
from devices.families.boards.wire.identity import Start
from devices.families.boards.wire.layout import TO_BOARD, Kind
from devices.families.boards.wire.supervisor import (
    IDLE_MS,
    PowerCause,
    PowerCommand,
    PowerFault,
    PowerInput,
    PowerRequest,
    PowerState,
    PowerStatus,
)
from devices.wire.frame import Frame, FrameStream
from tests.draws import share

LIVE = (PowerState.PRECHARGE, PowerState.CLOSED, PowerState.STOPPING)


class Bench:
    """A supervisor on a bench, with a clock."""

    def __init__(self) -> None:
        self.chain = StopChain()
        self.board = Supervisor(SupervisorSeat(line="boards"), self.chain, seed=1)
        self.now_us = 0
        self.battery_v = 23.0
        self.newest: PowerStatus | None = None
        self._stream = FrameStream()
        self._sequence = 0
        self.go()

    def go(self, milliseconds: int = 1) -> None:
        for _ in range(milliseconds):
            self.now_us += 1000
            self.board.feel(self.battery_v, 5.0, self.now_us)
            for frame in self._stream.feed(self.board.report(self.now_us)):
                self.newest = PowerStatus.of(frame.payload)

    def ask(self, request: PowerRequest, code: int | None = None) -> None:
        if code is None:
            code = self.status.latch_code
        command = PowerCommand(request, 100, code)
        self._sequence += 1
        frame = Frame(Kind.POWER_COMMAND, TO_BOARD | 0x66, self._sequence, 0, command.encode())
        self.board.take(frame, self.now_us)
        self.go()

    def keep(self, milliseconds: int) -> None:
        """Go on with a heartbeat every 20 ms."""
        for _ in range(milliseconds // 20):
            self.ask(PowerRequest.HOLD)
            self.go(19)

    def live(self) -> bool:
        return self.board.live

    def is_in(self, state: PowerState) -> bool:
        return self.board.state is state

    @property
    def status(self) -> PowerStatus:
        while self.newest is None:
            self.go()
        return self.newest

    def close(self) -> None:
        self.ask(PowerRequest.RESET)
        self.ask(PowerRequest.CLOSE)
        self.keep(200)
        assert self.board.state is PowerState.CLOSED


def test_it_starts_latched_and_closes_only_step_by_step() -> None:
    bench = Bench()
    assert (bench.status.state, bench.status.cause) == (PowerState.LATCHED, PowerCause.STARTED)
    bench.ask(PowerRequest.CLOSE)
    assert bench.is_in(PowerState.LATCHED)
    bench.ask(PowerRequest.RESET, code=bench.status.latch_code ^ 1)
    assert bench.is_in(PowerState.LATCHED)
    bench.ask(PowerRequest.RESET)
    assert bench.is_in(PowerState.OPEN)
    assert not bench.live()
    bench.ask(PowerRequest.CLOSE)
    assert bench.is_in(PowerState.PRECHARGE)
    assert not bench.live()
    bench.keep(100)
    assert bench.live()
    told = bench.status
    assert told.state.name == "CLOSED"
    assert told.motor_v > 0.95 * told.battery_v
    assert PowerInput.CONTACTOR | PowerInput.COIL in told.inputs


@pytest.mark.parametrize(
    ("channel", "cause"),
    [
        ("channel_a", PowerCause.STOP_CHAIN),
        ("channel_b", PowerCause.STOP_CHAIN),
        ("wireless", PowerCause.WIRELESS_STOP),
    ],
)
def test_an_open_channel_opens_at_once_and_stays_latched(channel: str, cause: PowerCause) -> None:
    bench = Bench()
    bench.close()
    code = bench.status.latch_code
    setattr(bench.chain, channel, False)
    bench.go()
    assert (bench.board.state, bench.board.cause) == (PowerState.LATCHED, cause)
    assert bench.status.latch_code != code
    bench.ask(PowerRequest.RESET)
    assert bench.is_in(PowerState.LATCHED)  # its cause is still there
    setattr(bench.chain, channel, True)
    bench.ask(PowerRequest.CLOSE)
    assert bench.is_in(PowerState.LATCHED)
    bench.ask(PowerRequest.RESET, code)
    assert bench.is_in(PowerState.LATCHED)  # an old code
    bench.ask(PowerRequest.RESET)
    assert bench.is_in(PowerState.OPEN)


def test_silence_opens_and_latches() -> None:
    bench = Bench()
    bench.close()
    bench.ask(PowerRequest.HOLD)
    bench.go(98)
    assert bench.live()
    bench.go(3)
    assert (bench.board.state, bench.board.cause) == (PowerState.LATCHED, PowerCause.SILENCE)
    bench.go(500)
    assert bench.status.motor_v < 1.0


def test_the_stop_timer_runs_out_whatever_is_asked_but_open() -> None:
    bench = Bench()
    bench.close()
    bench.ask(PowerRequest.STOP)
    assert bench.is_in(PowerState.STOPPING)
    bench.ask(PowerRequest.CLOSE)
    bench.keep(400)
    assert bench.live()
    assert 350 < bench.status.stop_left_ms < 410
    bench.keep(440)
    assert (bench.board.state, bench.board.cause) == (PowerState.LATCHED, PowerCause.STOP_TIMER)
    assert bench.status.stop_left_ms == IDLE_MS


def test_channels_that_disagree_for_long_are_a_fault_until_they_agree() -> None:
    bench = Bench()
    bench.close()
    bench.chain.channel_a = False
    bench.keep(160)
    assert PowerFault.CHANNELS_DISAGREE in bench.status.faults
    bench.chain.channel_a = True
    bench.keep(40)
    assert PowerFault.CHANNELS_DISAGREE in bench.status.faults  # it is told until the reset
    bench.ask(PowerRequest.RESET)
    bench.keep(20)
    assert (bench.board.state, bench.status.faults) == (PowerState.OPEN, PowerFault(0))


def test_a_flat_battery_and_a_forced_fault_open_it() -> None:
    bench = Bench()
    bench.close()
    bench.battery_v = 19.0
    bench.go()
    assert (bench.board.cause, bench.board.faults) == (PowerCause.FAULT, PowerFault.SUPPLY_LOW)
    bench.battery_v = 23.0
    bench.board.forced = PowerFault.HOT
    bench.ask(PowerRequest.RESET)
    assert bench.is_in(PowerState.LATCHED)
    bench.board.forced = PowerFault(0)
    bench.ask(PowerRequest.RESET)
    assert bench.is_in(PowerState.OPEN)


def test_a_restart_forgets_the_code() -> None:
    bench = Bench()
    bench.close()
    code = bench.status.latch_code
    bench.board.restart(Start.BROWN_OUT, bench.now_us)
    assert not bench.live()
    bench.go(20)
    assert bench.status.latch_code != code
    bench.ask(PowerRequest.RESET, code)
    assert bench.is_in(PowerState.LATCHED)


def test_a_change_is_reported_at_once() -> None:
    bench = Bench()
    bench.close()
    bench.go(3)
    bench.newest = None
    bench.chain.channel_b = False
    bench.go()
    assert bench.newest is not None  # by that same millisecond


@given(st.binary(max_size=12))
def test_an_invalid_command_is_no_heartbeat(payload: bytes) -> None:
    bench = Bench()
    try:
        PowerCommand.of(payload)
    except ValueError:
        before = bench.board.refused
        bench.board.take(Frame(Kind.POWER_COMMAND, 0xE6, 5, 0, payload), bench.now_us)
        assert bench.board.refused == before + 1
        assert bench.status.command_age_ms == IDLE_MS


def test_a_heartbeat_within_the_reported_millisecond_has_age_zero() -> None:
    bench = Bench()
    command = PowerCommand(PowerRequest.HOLD, 100, bench.status.latch_code)
    frame = Frame(Kind.POWER_COMMAND, TO_BOARD | 0x66, 1, 0, command.encode())
    for _ in range(50):  # a status comes within
        bench.board.take(frame, bench.now_us + 1400)
        bench.go()
    assert bench.status.command_age_ms == 0


class Wilful(RuleBasedStateMachine):
    """Whatever is asked in whatever order, no doubt ever leaves the contactor closed."""

    def __init__(self) -> None:
        super().__init__()
        self.bench = Bench()

    @rule(request=st.sampled_from(PowerRequest), right=st.booleans())
    def ask(self, request: PowerRequest, right: bool) -> None:
        before = self.bench.board.state
        code = self.bench.status.latch_code
        self.bench.ask(request, code if right else code ^ 1)
        after = self.bench.board.state
        if after in LIVE and before not in LIVE:
            assert before is PowerState.OPEN
            assert request is PowerRequest.CLOSE

    @rule(milliseconds=st.sampled_from([1, 15, 103]))
    def go(self, milliseconds: int) -> None:
        before = self.bench.board.state
        self.bench.go(milliseconds)
        if before not in LIVE:
            assert self.bench.board.state not in LIVE  # nothing closes by itself
        if milliseconds > 101:
            assert self.bench.board.state not in LIVE  # silence

    @rule(channel=st.sampled_from(["channel_a", "channel_b", "wireless"]), closed=st.booleans())
    def switch(self, channel: str, closed: bool) -> None:
        setattr(self.bench.chain, channel, closed)
        self.bench.go()

    @rule(volts=st.sampled_from([18.0, 23.0, 26.0]))
    def charge(self, volts: float) -> None:
        self.bench.battery_v = volts
        self.bench.go()

    @invariant()
    def no_doubt_leaves_it_closed(self) -> None:
        bench = self.bench
        doubt = not bench.chain.closed or not 19.8 <= bench.battery_v <= 25.6
        assert not (doubt and bench.board.state in LIVE)


TestWilful = Wilful.TestCase
TestWilful.settings = settings(max_examples=share(50), stateful_step_count=25)
