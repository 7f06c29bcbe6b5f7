"""Every plug of the robot is pulled and put back: the console names it, and goes on with it."""

import shutil
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.console.top import readings
from app.console.top.alarm_book import AlarmBook
from core.link import wording
from core.link.catalogue.safety import DEVICE_RECOVERED
from core.link.client import Client
from core.link.commands import Reset, StandUp
from core.link.session import free_endpoint
from core.link.status import Status
from core.link.topics import STATUS
from core.run.launch import LaunchConfig
from core.run.processes import Supervisor
from devices.real.settings import load_hardware
from devices.twin.exchange import ORDERS_SOCKET
from tests.tracked import REPOSITORY

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(900),  # three processes go through seconds of a robot's time
]
FILE = REPOSITORY / "assets" / "robots" / "kid_cosmo" / "hardware.toml"
DEVICES = {name: line.device for name, line in load_hardware(FILE).lines.items()}
HANDSET, RECEIVER = "native_handset", "receiver"
# Those that leave the robot its torque come first. The receiver is not read beside the handset.
LINES = (
    HANDSET,
    "head",
    "left_arm",
    "right_arm",
    "imu",
    "left_leg",
    "right_leg",
    "safe_remote",
    "boards",
)
NAMED_S = 0.25
BACK_S = 1.0  # from the plug until nothing is missing
PATIENCE_S = 300.0  # of the wall, for a busy machine


class Watched:
    """A core on its twin, and what a console that listens to it shows.

    Attributes:
        client: of the core.
        status: that the console shows.
    """

    def __init__(self, config: LaunchConfig) -> None:
        self.client = Client(config.endpoint, config.robot, "test", operator=True, timeout_s=120.0)
        self._statuses = self.client.subscribe(STATUS)
        self._came: list[Status] = []
        self._book = AlarmBook()
        self._over: set[str] = set()  # devices that are there again, by the event log
        self.client.events()
        self.status = self.next()  # before which the twin may not be there
        self._orders = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._orders.settimeout(PATIENCE_S)
        self._orders.connect(f"{config.ports}/{ORDERS_SOCKET}")
        self._answers = self._orders.makefile("r")

    def next(self) -> Status:
        """Show the next status and return it."""
        give_up_s = time.monotonic() + PATIENCE_S
        while not self._came:
            assert time.monotonic() < give_up_s, "the core is silent"
            time.sleep(0.002)
            self.client.beat()
            self._came = self._statuses.poll()
        self.status = self._came.pop(0)
        self._book.update(self.status.alarms, time.monotonic())
        events = self.client.events()
        self._over.update(e.actor for e in events if e.code == DEVICE_RECOVERED.code)
        return self.status

    def until(self, what: str, holds: Callable[[], bool], since_s: float, most_s: float) -> None:
        """Let the robot's time go on until something holds.

        Args:
            what: it is, in words.
            holds: tells it of what is shown.
            since_s: from when on the time counts, on the robot's clock [s].
            most_s: that it may take [s].
        """
        while not holds():
            took_s = self.next().stamp_s - since_s
            assert took_s <= most_s, f"not so after {took_s:.3f} s: {what}: {self.status}"

    def order(self, words: str) -> float:
        """Tell the twin to do something, and return when it did, on the robot's clock [s]."""
        # What comes in one piece is carried out at one instant.
        self._orders.sendall(f"{words}\ntell truth\n".encode())
        assert self._answers.readline() == "ok\n"
        stamp_s: float = self._told()["t_s"]
        return stamp_s

    def torques(self) -> set[int]:
        """Return what the actuators' torque is set to, every value once."""
        return set(self.ask("tell boards")["torque"].values())

    def ask(self, words: str) -> dict[str, Any]:
        """Return what the twin tells."""
        self._orders.sendall(f"{words}\n".encode())
        return self._told()

    def _told(self) -> dict[str, Any]:
        told: dict[str, Any] = msgspec.json.decode(self._answers.readline().removeprefix("ok "))
        return told

    def missing(self, line: str) -> bool:
        """Tell whether an alarm, or the handset's reading, names what hangs on a line."""
        if line in (HANDSET, RECEIVER):
            return readings.radio(self.status).hint.startswith("unplugged")
        return any(
            row.alarm.flag == "DEVICE_LOST" and DEVICES[line] in wording.alarm(row.alarm)
            for row in self._book.rows()
            if not row.over and not row.alarm.over
        )

    def back(self, line: str) -> bool:
        """Tell whether it is shown that what hangs on a line is there again."""
        if line in (HANDSET, RECEIVER):
            return not self.missing(line)
        return DEVICES[line] in self._over

    def pull_and_plug(self, line: str) -> None:
        """See that a plug is missed in time, and that it is missed no longer once it is back."""
        assert not self.missing(line), line
        pulled_s = self.order(f"unplug {line}")
        self.until(f"{line} is missing", lambda: self.missing(line), pulled_s, NAMED_S)
        plugged_s = self.order(f"plug {line}")
        self.until(f"{line} is back", lambda: self.back(line), plugged_s, BACK_S)

    def rise(self, mode: str) -> None:
        """Have the robot stand up until it is in a mode; what is refused is asked again."""
        begin_s = asked_s = self.status.stamp_s
        while self.status.mode != mode:
            if self.status.stamp_s - asked_s > 0.5:
                asked_s = self.status.stamp_s
                if self.status.latched:
                    self.client.send(Reset())
                elif self.status.mode == "DAMPED":
                    self.client.send(StandUp())
            assert self.next().stamp_s - begin_s < 40.0, f"it does not stand: {self.status}"

    def close(self) -> None:
        self._answers.close()
        self._orders.close()
        self.client.close()


@contextmanager
def watched(folder: Path, **changes: str) -> Iterator[Watched]:
    """Start a core and its twin, and end them."""
    config = LaunchConfig(
        free_endpoint(),
        body="twin",
        pace="max",
        support="gantry",
        autopilot=False,
        ports=str(folder),
        headless=True,
        **changes,  # type: ignore[arg-type]
    )
    with ExitStack() as stack:
        supervisor = stack.enter_context(Supervisor(config))
        stack.callback(supervisor.end)
        found = Watched(config)
        stack.callback(found.close)
        yield found


def test_every_plug_that_is_pulled_is_named_in_time_and_all_is_well_with_it_again(
    tmp_path: Path,
) -> None:
    with watched(tmp_path) as core:
        core.rise("READY")
        for line in LINES:
            core.pull_and_plug(line)
        assert core.status.latched
        # Nothing is started anew: people reset it, and every actuator lifts it from its rope.
        core.rise("STANDING_UP")
        begin_s = core.status.stamp_s
        core.until("every torque is on", lambda: core.torques() == {1}, begin_s, 1.0)
        # A busy machine may have kept this console from beating.
        assert {alarm.flag for alarm in core.status.alarms} <= {"OPERATOR_SILENT"}


def test_a_receivers_plug_that_is_pulled_is_named_in_time(tmp_path: Path) -> None:
    hardware = tmp_path / "hardware.toml"
    shutil.copy(FILE, hardware)
    text = hardware.read_text(encoding="utf-8")
    hardware.write_text(text.partition(f"[{HANDSET}]")[0], encoding="utf-8")
    ports = tmp_path / "ports"
    ports.mkdir()
    with watched(ports, hardware=str(hardware)) as core:
        core.pull_and_plug(RECEIVER)
