"""The motors' supply comes by a person's wish, and no wish outlives what speaks against it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from devices.families.boards.supply import PATIENCE_S, Supply
from devices.families.boards.wire.supervisor import PowerFault, PowerInput, PowerState
from tests.devices.families.boards.far_power import STOPS
from tests.devices.families.boards.test_supervisor import Power


class Wished(Power):
    """A power supervisor whose driver is led by wishes."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.supply = Supply(self.driver)

    def run(self, seconds: float) -> None:
        for _ in range(round(1000 * seconds)):
            self.supply.proceed(self.rig.now_s)
            super().run(0.001)

    def wish(self) -> None:
        self.supply.restore(self.rig.now_s)

    @property
    def fed(self) -> bool:
        return self.supply.closed

    def told(self) -> list[str]:
        return [trouble.text for trouble in self.supply.troubles()]


@pytest.fixture
def power(tmp_path: Path) -> Iterator[Wished]:
    power = Wished(tmp_path)
    yield power
    power.rig.close()


def test_nothing_closes_unasked(power: Wished) -> None:
    power.run(3.0)
    assert power.far.closings == power.far.resets == 0
    assert not power.fed and power.told() == []


def test_one_wish_leads_from_the_latch_to_a_closed_contactor(power: Wished) -> None:
    power.run(0.1)
    power.wish()
    power.run(0.5)
    assert power.fed
    assert (power.far.resets, power.far.closings) == (1, 1)


def test_a_request_before_the_supervisor_is_heard_is_refused_and_reported(power: Wished) -> None:
    power.wish()
    assert power.told() == [
        "did not switch the motors' supply on: power supervisor: is silent;"
        " check its plug and its supply"
    ]
    power.run(1.0)
    assert power.far.closings == 0


def test_a_wish_with_an_open_stop_channel_is_refused(power: Wished) -> None:
    power.far.inputs = STOPS & ~PowerInput.CHANNEL_A
    power.run(0.1)
    power.wish()
    power.run(0.5)
    assert "release every stop first" in power.told()[0]
    power.far.inputs = STOPS
    power.run(PATIENCE_S)
    assert power.far.closings == power.far.resets == 0


def test_a_stop_after_the_wish_ends_it(power: Wished) -> None:
    power.run(0.1)
    power.wish()
    power.run(0.5)
    power.far.inputs = STOPS & ~PowerInput.WIRELESS
    power.run(0.1)
    power.far.inputs = STOPS
    power.run(PATIENCE_S)
    assert not power.fed
    assert (power.far.resets, power.far.closings) == (1, 1)
    power.wish()
    power.run(0.5)
    assert (power.fed, power.told()) == (True, [])


def test_a_supervisor_that_fell_silent_tells_of_no_supply(power: Wished) -> None:
    power.run(0.1)
    power.wish()
    power.run(0.5)
    assert power.fed
    power.plugged = False
    power.run(0.2)
    assert not power.fed


def test_a_latch_that_is_newer_than_the_wish_is_not_reset(power: Wished) -> None:
    power.run(0.1)
    power.far.disobeys = True
    power.wish()
    power.run(0.05)
    power.far.restart(power.rig.now_s)
    power.far.disobeys = False
    power.run(PATIENCE_S)
    assert power.far.state is PowerState.LATCHED
    assert power.far.closings == power.far.resets == 0


def test_a_supervisor_that_does_not_obey_is_not_asked_for_ever(power: Wished) -> None:
    power.run(0.1)
    power.far.disobeys = True
    power.wish()
    power.run(PATIENCE_S + 0.5)
    power.far.disobeys = False
    power.run(1.0)
    assert power.far.closings == power.far.resets == 0


def test_a_fault_keeps_the_contactor_open(power: Wished) -> None:
    power.run(0.1)
    power.wish()
    power.far.faults = PowerFault.WELDED
    power.run(1.0)
    assert not power.fed
