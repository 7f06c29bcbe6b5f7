"""The E-stop circuit on its wires: the supervisor's contacts and the wireless stop's line."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from devices.families.boards.wire.supervisor import PowerFault, PowerInput
from devices.families.safe_remote import wire as safe_remote
from devices.families.safe_remote.remote import SafeRemote, SafeRemoteSettings
from devices.families.safe_remote.wire import Heartbeat, Mode
from devices.interface import Sample
from devices.real.stop_chain import StopChain, StopChainSettings
from devices.real.stop_circuit import StopCircuit
from tests.devices.families.boards.far_power import STOPS
from tests.devices.families.boards.test_supervisor import Power
from tests.devices.real.wire import Wire


class Circuit:
    def __init__(self, folder: Path) -> None:
        self.power = Power(folder)
        self.wire = Wire(folder / "safe_remote", 115_200)
        remote = SafeRemote(self.wire.port, SafeRemoteSettings(line="safe_remote"))
        chain = StopChain(StopChainSettings(), radio=True)
        self.device = StopCircuit(chain, self.power.driver, remote)
        self.heartbeat: Heartbeat | None = Heartbeat(Mode.OPERATIONAL, 0, 0)
        self.sample = Sample.zeros(1, 4)
        self.ticks = 0

    def run(self, seconds: float) -> None:
        for _ in range(round(1000 * seconds)):
            self.power.run(0.001)
            if self.heartbeat is not None and self.ticks % 50 == 0:
                self.wire.arrive(safe_remote.encode_heartbeat(self.heartbeat))
            self.ticks += 1
            self.device.read_into(self.sample, self.power.rig.now_s)

    def until_open(self) -> float:
        """Return how long the core does not know that the circuit is open [s]."""
        for ticks in range(1000):
            self.run(0.001)
            if not self.sample.estop_closed:
                return 0.001 * ticks
        raise AssertionError("it stays closed")

    def closed(self) -> bool:
        return self.sample.estop_closed

    def close(self) -> None:
        self.power.rig.close()
        self.device.close()
        self.wire.close()


@pytest.fixture
def circuit(tmp_path: Path) -> Iterator[Circuit]:
    circuit = Circuit(tmp_path)
    yield circuit
    circuit.close()


def test_it_is_open_until_everything_was_heard(circuit: Circuit) -> None:
    circuit.heartbeat = None
    circuit.run(0.2)
    assert not circuit.closed()
    assert [channel.closed for channel in circuit.device.channels()] == [
        True,
        True,
        True,
        False,
        True,
    ]
    circuit.heartbeat = Heartbeat(Mode.OPERATIONAL, 0, 0)
    circuit.run(0.1)
    assert circuit.closed()
    assert circuit.device.troubles() == ()


def _press(circuit: Circuit) -> None:
    circuit.power.far.inputs = STOPS & ~(PowerInput.CHANNEL_A | PowerInput.CHANNEL_B)


def _cut_the_supervisor(circuit: Circuit) -> None:
    circuit.power.plugged = False


def _unplug_the_supervisor(circuit: Circuit) -> None:
    circuit.power.rig.wire.unplug()
    circuit.power.plugged = False


def _call_by_radio(circuit: Circuit) -> None:
    circuit.heartbeat = Heartbeat(Mode.OPERATIONAL, 0, 1)


def _lose_the_receiver(circuit: Circuit) -> None:
    circuit.heartbeat = None


def _unplug_the_receiver(circuit: Circuit) -> None:
    circuit.wire.unplug()


def _disagree(circuit: Circuit) -> None:
    circuit.power.far.faults = PowerFault.CHANNELS_DISAGREE


@pytest.mark.parametrize(
    ("event", "within_s"),
    [
        (_press, 0.012),
        (_disagree, 0.012),
        (_cut_the_supervisor, 0.112),
        (_unplug_the_supervisor, 0.002),
        (_call_by_radio, 0.052),
        (_lose_the_receiver, 0.252),
        (_unplug_the_receiver, 0.002),
    ],
)
def test_whatever_happens_to_it_the_core_knows_soon(
    circuit: Circuit, event: Callable[[Circuit], None], within_s: float
) -> None:
    circuit.run(0.2)
    assert circuit.closed()
    event(circuit)
    assert circuit.until_open() <= within_s


def test_a_robot_without_a_supervisor_has_no_closed_circuit() -> None:
    device = StopCircuit(StopChain(StopChainSettings(), radio=False), None, None)
    sample = Sample.zeros(1, 4)
    device.read_into(sample, 5.0)
    assert not sample.estop_closed
    assert device.troubles() == ()
    device.close()
