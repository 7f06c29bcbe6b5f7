"""The power supervisor's driver: silence opens, and nothing closes or resets by itself."""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from devices.errors import DeviceError
from devices.families.boards.supervisor import Supervisor, SupervisorSettings
from devices.families.boards.wire.supervisor import (
    PowerCause,
    PowerCommand,
    PowerFault,
    PowerInput,
    PowerRequest,
    PowerState,
)
from tests.devices.families.boards.far_board import Rig
from tests.devices.families.boards.far_power import POWERED, STOPS, FarPower
from tests.draws import share

SETTINGS = SupervisorSettings(line="boards")


class Power:
    def __init__(self, folder: Path) -> None:
        self.driver = Supervisor(SETTINGS)
        self.far = FarPower()
        self.rig = Rig(folder, [self.driver])
        self.far.started_s = self.rig.now_s
        self.plugged = True
        self.hangs = False
        self.ticks = 0

    def run(self, seconds: float) -> None:
        for _ in range(round(1000 * seconds)):
            now_s = self.rig.now_s + 0.001
            self.far.pass_time(now_s)
            data = b""
            if self.ticks % 10 == 0:
                data = self.far.plate(now_s) if self.ticks % 1000 == 0 else b""
                data += self.far.says(self.far.status(now_s), now_s)
            self.ticks += 1
            if not self.plugged:
                data = b""
            if self.hangs:
                self.rig.now_s = now_s  # nobody reads: nothing is on the wire either
                continue
            self.rig.tick(data)
            self.driver.keep_alive(self.rig.line, self.rig.now_s)
            if self.plugged:
                self.far.hear(self.rig.wire.sent(), self.rig.now_s)

    def state(self) -> tuple[PowerState, PowerCause]:
        """Return what the board does, and why the contactor opened last."""
        return self.far.state, self.far.cause

    def stand(self) -> None:
        """Bring the contactor in."""
        self.run(0.05)
        self.driver.reset(self.rig.now_s)
        self.run(0.05)
        self.driver.close(self.rig.now_s)
        self.run(0.05)
        assert self.state()[0] is PowerState.CLOSED


@pytest.fixture
def power(tmp_path: Path) -> Iterator[Power]:
    power = Power(tmp_path)
    yield power
    power.rig.close()


def test_before_anything_is_heard_every_contact_is_unknown_and_nothing_is_asked(
    power: Power,
) -> None:
    assert not any(reading.closed for reading in power.driver.stops)
    assert power.driver.supply(power.rig.now_s) is None
    for ask in (power.driver.close, power.driver.reset):
        with pytest.raises(DeviceError, match="silent"):
            ask(power.rig.now_s)
    power.run(0.1)
    assert set(power.far.requests) == {PowerRequest.HOLD}


def test_a_core_that_hangs_opens_the_contactor(power: Power) -> None:
    power.stand()
    power.hangs = True
    power.run(0.09)
    assert power.state()[0] is PowerState.CLOSED
    power.run(0.04)
    assert power.state() == (PowerState.LATCHED, PowerCause.SILENCE)
    power.hangs = False
    power.run(0.5)
    assert power.state()[0] is PowerState.LATCHED
    assert any("the computer was silent; RESET" in text for text in power.rig.texts())


def test_the_heartbeat_has_its_rate(power: Power) -> None:
    power.run(1.0)
    assert len(power.far.requests) == pytest.approx(50, abs=2)


def test_a_stop_ends_the_request(power: Power) -> None:
    power.run(0.05)
    power.driver.reset(power.rig.now_s)
    power.run(0.05)
    power.far.disobeys = True
    power.driver.close(power.rig.now_s)
    power.run(0.03)
    assert power.far.requests[-1:] == [PowerRequest.CLOSE]
    power.far.inputs = STOPS & ~PowerInput.CHANNEL_B
    power.run(0.05)
    assert power.far.requests[-1:] == [PowerRequest.HOLD]
    power.far.inputs = STOPS
    power.far.disobeys = False
    power.run(0.5)
    assert power.far.closings == 0
    assert power.state()[0] is PowerState.LATCHED


def test_a_silent_supervisor_is_asked_for_nothing(power: Power) -> None:
    power.run(0.05)
    power.driver.reset(power.rig.now_s)
    power.run(0.05)
    power.far.disobeys = True
    power.driver.close(power.rig.now_s)
    power.run(0.03)
    assert power.far.requests[-1] is PowerRequest.CLOSE
    power.plugged = False  # the line is open and carries nothing
    power.run(SETTINGS.silent_s + 0.05)
    last = PowerCommand.of(power.rig.sent()[-1].payload)
    assert (last.request, last.watchdog_ms) == (PowerRequest.HOLD, SETTINGS.watchdog_ms)
    for ask in (power.driver.close, power.driver.reset):
        with pytest.raises(DeviceError, match="silent"):
            ask(power.rig.now_s)


def test_a_request_that_is_not_obeyed_is_withdrawn_and_told(power: Power) -> None:
    power.far.disobeys = True
    power.run(0.05)
    power.driver.reset(power.rig.now_s)
    power.run(0.7)
    assert power.far.requests[-1] is PowerRequest.HOLD
    assert any("did not obey RESET" in text for text in power.rig.texts())


def test_a_reset_is_for_the_latch_that_was_there(power: Power) -> None:
    power.run(0.05)
    power.far.disobeys = True
    power.driver.reset(power.rig.now_s)
    power.run(0.03)
    power.far._latch(PowerCause.FAULT)  # another one
    power.run(0.03)
    power.far.disobeys = False
    power.run(0.3)
    assert power.far.resets == 0


def test_requests_that_would_not_be_obeyed_are_refused_in_words(power: Power) -> None:
    power.run(0.05)
    with pytest.raises(DeviceError, match="latched because it has just started; RESET first"):
        power.driver.close(power.rig.now_s)
    power.far.inputs = STOPS & ~PowerInput.WIRELESS
    power.run(0.05)
    with pytest.raises(DeviceError, match="stop chain open"):
        power.driver.reset(power.rig.now_s)
    power.far.inputs = STOPS
    power.run(0.05)
    power.driver.reset(power.rig.now_s)
    power.run(0.05)
    power.far.faults = PowerFault.HOT
    power.far.state = PowerState.OPEN
    power.run(0.001)
    power.driver.open()
    with pytest.raises(DeviceError, match="opens the contactor"):
        power.driver.close(power.rig.now_s)


def test_opening_is_asked_until_it_is_done(power: Power) -> None:
    power.stand()
    power.far.disobeys = True
    power.driver.open()
    power.driver.start_stop_timer()  # the stronger one stays
    power.run(2.0)
    assert set(power.far.requests[-50:]) == {PowerRequest.OPEN}
    power.far.disobeys = False
    power.run(0.05)
    assert power.state()[0] is PowerState.OPEN
    power.run(0.05)
    assert power.far.requests[-1] is PowerRequest.HOLD


def test_opening_outlives_a_broken_line(power: Power) -> None:
    power.stand()
    power.driver.open()
    power.rig.wire.unplug()
    power.plugged = False
    power.run(0.05)
    power.rig.wire.plug()
    power.plugged = True
    power.far.requests.clear()
    power.run(0.4)
    assert PowerRequest.OPEN in power.far.requests or power.state()[0] is PowerState.LATCHED


def test_the_stop_timer_is_started_once_and_ends_in_a_latch(power: Power) -> None:
    power.stand()
    power.driver.start_stop_timer()
    power.run(0.1)
    assert power.state()[0] is PowerState.STOPPING
    assert power.far.requests[-1] is PowerRequest.HOLD
    assert power.driver.powered is True
    power.run(0.3)
    assert power.state() == (PowerState.LATCHED, PowerCause.STOP_TIMER)
    assert not power.driver.powered


def test_the_mirror_contact_is_compared_with_the_state(power: Power) -> None:
    power.stand()
    assert power.rig.texts() == []
    power.far.state = PowerState.LATCHED
    power.far.inputs = STOPS | PowerInput.CONTACTOR
    power.run(0.08)
    assert not any("mirror" in text for text in power.rig.texts())
    power.run(0.1)
    assert any("mirror contact contradicts" in text for text in power.rig.texts())


@pytest.mark.parametrize("fault", [fault for fault in PowerFault])
def test_every_fault_except_that_of_the_channels_is_reported(
    power: Power, fault: PowerFault
) -> None:
    power.far.faults = fault
    power.run(0.05)
    if fault is PowerFault.CHANNELS_DISAGREE:  # of which the stop chain tells
        assert power.rig.texts() == []
        assert power.driver.disagree
        return
    (told,) = power.rig.line.troubles(power.rig.now_s)
    assert told.grave and ";" in told.text


def test_each_stop_contact_is_reported_separately(power: Power) -> None:
    names = (PowerInput.CHANNEL_A, PowerInput.CHANNEL_B, PowerInput.WIRELESS)
    for place, name in enumerate(names):
        power.far.inputs = PowerInput.CHARGER | name
        power.run(0.02)
        assert [stop.closed for stop in power.driver.stops] == [i == place for i in range(3)]
    power.rig.wire.unplug()
    power.plugged = False
    power.run(0.002)
    assert not any(reading.closed for reading in power.driver.stops)


def test_its_measurements_serve_as_the_supply(power: Power) -> None:
    power.stand()
    assert power.driver.supply(power.rig.now_s) == (23.5, 7.0)
    power.plugged = False
    power.run(0.2)
    assert power.driver.supply(power.rig.now_s) is None
    (told,) = power.rig.line.troubles(power.rig.now_s)
    assert told.text.startswith("silent")


def test_a_watchdog_that_two_heartbeats_do_not_fit_in_is_refused() -> None:
    raw = {"line": "boards", "watchdog_ms": 30, "period_s": 0.02}
    with pytest.raises(msgspec.ValidationError, match="at least twice"):
        msgspec.convert(raw, SupervisorSettings)


class Asked(RuleBasedStateMachine):
    """Any course of events: the contactor closes once for each time that a person asked."""

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.power = Power(Path(self.folder.name))
        self.closes = self.resets = 0

    @rule(seconds=st.sampled_from([0.005, 0.02, 0.05, 0.15, 0.6]))
    def run(self, seconds: float) -> None:
        self.power.run(seconds)

    @rule()
    def ask_to_close(self) -> None:
        with contextlib.suppress(DeviceError):
            self.power.driver.close(self.power.rig.now_s)
            self.closes += 1

    @rule()
    def ask_to_reset(self) -> None:
        with contextlib.suppress(DeviceError):
            self.power.driver.reset(self.power.rig.now_s)
            self.resets += 1

    @rule()
    def bring_in(self) -> None:
        self.ask_to_reset()
        self.power.run(0.05)
        self.ask_to_close()
        self.power.run(0.02)

    @rule()
    def ask_to_open(self) -> None:
        self.power.driver.open()

    @rule()
    def ask_for_the_timer(self) -> None:
        self.power.driver.start_stop_timer()

    @rule(inputs=st.sampled_from([STOPS, STOPS & ~PowerInput.CHANNEL_A, PowerInput(0)]))
    def press(self, inputs: PowerInput) -> None:
        self.power.far.inputs = inputs

    @rule()
    def restart(self) -> None:
        self.power.far.restart(self.power.rig.now_s)

    @rule(disobeys=st.booleans())
    def ignore(self, disobeys: bool) -> None:
        self.power.far.disobeys = disobeys

    @rule(plugged=st.booleans())
    def plug(self, plugged: bool) -> None:
        power = self.power
        if plugged and not power.plugged:
            power.rig.wire.plug()
        elif power.plugged and not plugged:
            power.rig.wire.unplug()
        power.plugged = plugged

    @rule()
    def hang(self) -> None:
        self.power.hangs = True
        self.power.run(0.2)
        self.power.hangs = False
        assert self.power.state()[0] not in POWERED

    @invariant()
    def nothing_closes_or_resets_by_itself(self) -> None:
        if hasattr(self, "power"):
            assert self.power.far.closings <= self.closes
            assert self.power.far.resets <= self.resets

    def teardown(self) -> None:
        if hasattr(self, "power"):
            self.power.rig.close()
            self.folder.cleanup()


TestAsked = Asked.TestCase
TestAsked.settings = settings(max_examples=share(40), stateful_step_count=25)
