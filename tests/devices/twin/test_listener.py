"""Those who speak to a twin, over real sockets, within this process."""

import select
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from devices.twin.clockwork import Clockwork
from devices.twin.fault_script import FaultInjector
from devices.twin.listener import OrderListener
from devices.twin.operator import Operator
from tests.devices.twin import rig


@pytest.fixture(scope="module")
def clockwork(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clockwork]:
    made = Clockwork(rig.settings(), tmp_path_factory.mktemp("twin"))
    yield made
    made.close()


class Desk:
    """A listener and whoever speaks to it."""

    def __init__(self, clockwork: Clockwork, folder: Path) -> None:
        self.path = folder / "orders.sock"
        self.operator: Operator = clockwork.robot.operator
        self.listener = OrderListener(self.path, FaultInjector(clockwork))
        self._poller = select.poll()
        self.listener.join(self._poller)

    def caller(self) -> socket.socket:
        made = socket.socket(socket.AF_UNIX)
        made.settimeout(30.0)
        made.connect(str(self.path))
        self.turn()
        return made

    def turn(self) -> None:
        """Serve until nobody has anything."""
        while ready := self._poller.poll(0):
            for descriptor, _ in ready:
                self.listener.serve(descriptor)

    def ask(self, caller: socket.socket, order: str) -> str:
        caller.sendall(order.encode() + b"\n")
        self.turn()
        return caller.recv(65536).decode()


@pytest.fixture
def desk(clockwork: Clockwork, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(clockwork, tmp_path)
    yield made
    made.listener.close()
    made.operator.lay_down()


def test_a_disconnected_grip_lays_the_handset_down(desk: Desk) -> None:
    with desk.caller() as window, desk.caller() as script:
        assert desk.ask(window, "grip") == "ok\n"
        for order in ("hold", "press 3", "stick left_x 1", "remote_stop on"):
            assert desk.ask(window, order) == "ok\n"
        assert desk.ask(script, "press 4") == "ok\n"
        script.close()
        desk.turn()
        operator = desk.operator
        assert (operator.buttons, operator.dead_man, operator.sticks[0]) == (0b1100, True, 1.0)
        window.close()
        desk.turn()
        assert (operator.buttons, operator.dead_man, operator.sticks) == (0, False, [0.0] * 4)
        assert operator.stop  # the wireless stop's own button latches
        operator.stop = False


def test_a_client_dropped_for_long_lines_lays_the_handset_down(desk: Desk) -> None:
    with desk.caller() as window:
        assert desk.ask(window, "grip") == desk.ask(window, "hold") == "ok\n"
        window.sendall(b"x" * 4000)
        desk.turn()
        assert not desk.operator.dead_man
        assert window.recv(10) == b""


def test_a_stranger_at_a_descriptor_that_was_served_before_is_not_dropped(desk: Desk) -> None:
    with desk.caller() as caller:
        (descriptor,) = desk.listener._peers
        desk.listener.serve(descriptor)  # as when another's last event came in the same turn
        assert desk.ask(caller, "press 5") == "ok\n"
