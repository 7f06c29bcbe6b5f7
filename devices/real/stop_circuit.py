"""The E-stop circuit as a device of the body: the supervisor's contacts and the wireless stop."""

from collections.abc import Mapping
from typing import Self

from devices.families.boards.supervisor import Supervisor
from devices.families.safe_remote.remote import SafeRemote
from devices.interface import Sample, StopChannel, Trouble
from devices.real.port import Port
from devices.real.settings import Hardware
from devices.real.stop_chain import UNKNOWN, StopChain

_NO_STOPS = (UNKNOWN, UNKNOWN, UNKNOWN)


class StopCircuit:
    """Monitors the circuit once a tick, after the boards' lines were read."""

    def __init__(
        self, chain: StopChain, supervisor: Supervisor | None, remote: SafeRemote | None
    ) -> None:
        self._chain = chain
        self._supervisor = supervisor
        self._remote = remote
        self._now_s = 0.0

    @classmethod
    def of(
        cls, hardware: Hardware, ports: Mapping[str, Port], supervisor: Supervisor | None
    ) -> Self:
        """Return the circuit of the hardware file; without a supervisor it is open."""
        remote = hardware.safe_remote
        chain = StopChain(hardware.stop_chain, radio=remote is not None)
        return cls(chain, supervisor, SafeRemote(ports[remote.line], remote) if remote else None)

    def read_into(self, sample: Sample, now_s: float) -> None:
        """Process the bytes received by now [s] and write whether the circuit is closed."""
        self._now_s = now_s
        radio = None
        if self._remote is not None:
            self._remote.update(now_s)
            radio = self._remote.said()
        board = self._supervisor
        stops, disagree = (_NO_STOPS, False) if board is None else (board.stops, board.disagree)
        sample.estop_closed = self._chain.update(now_s, *stops, radio, disagree)

    def channels(self) -> tuple[StopChannel, ...]:
        """Return every channel of the circuit, and whether they agree."""
        return self._chain.channels

    def troubles(self) -> tuple[Trouble, ...]:
        """Return the faults of the circuit and the wireless stop's line."""
        found = self._chain.troubles()
        return found if self._remote is None else found + self._remote.troubles(self._now_s)

    def close(self) -> None:
        """Release the wireless stop's line."""
        if self._remote is not None:
            self._remote.close()
