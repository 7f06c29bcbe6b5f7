"""What the timekeeper says of a machine that is too slow."""

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.twin.client import TwinTimekeeper
from devices.twin.exchange import CLOCK_SOCKET, SAID, VERSION, Said


@pytest.fixture(scope="module")
def timekeeper(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwinTimekeeper]:
    folder = tmp_path_factory.mktemp("clock")
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as door:
        door.bind(str(folder / CLOCK_SOCKET))
        door.listen()
        made = _greeted(door, folder)
        yield made
        made.close()


def _greeted(door: socket.socket, folder: Path) -> TwinTimekeeper:
    """Return a timekeeper that a twin has welcomed."""

    def welcome() -> None:
        peer, _ = door.accept()
        with peer:
            peer.send(SAID.pack(Said.WELCOME, 0, 0, 0, 0) + VERSION.to_bytes(4, "little"))

    host = threading.Thread(target=welcome)
    host.start()
    made = TwinTimekeeper(folder, "real")
    host.join()
    return made


def told(timekeeper: TwinTimekeeper, rate: float) -> str:
    timekeeper.rate = rate
    return "".join(trouble.text for trouble in timekeeper.troubles())


@given(st.lists(st.floats(0.06, 0.11), min_size=2))
def test_a_slow_machine_is_reported_once(timekeeper: TwinTimekeeper, rates: list[float]) -> None:
    told(timekeeper, 1.0)
    assert len({told(timekeeper, rate) for rate in rates}) == 1


def test_a_large_change_of_pace_and_its_end_are_reported(timekeeper: TwinTimekeeper) -> None:
    assert told(timekeeper, 1.0) == ""
    assert told(timekeeper, 0.96).startswith("runs at about 96 % of real time; ")
    assert told(timekeeper, 0.98).startswith("runs at about 96 %")  # neither here nor there
    assert told(timekeeper, 0.4).startswith("runs at about 40 %")
    assert told(timekeeper, 0.9).startswith("runs at about 90 %")
    assert told(timekeeper, 0.995) == ""
    assert told(timekeeper, 0.98) == ""
