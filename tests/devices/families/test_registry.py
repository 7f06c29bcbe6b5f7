"""A second family of actuators is one row of the registry: position servos, known here only."""

import datetime
import os
import pty
import select
import struct
import threading
import tty
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from devices.errors import DeviceError
from devices.families.interface import (
    ActuatorFamily,
    ActuatorTable,
    Condition,
    FittedActuator,
    Found,
    TwinActuators,
    TwinBuild,
)
from devices.families.registry import ACTUATORS
from devices.interface import JointCommand, Sample, Timekeeper, Trouble
from devices.real.body import RealBody
from devices.real.calibration import Calibration
from devices.real.clock import MonotonicTimekeeper
from devices.real.composition import JointParameters, body_of, ports_of
from devices.real.examination import examine_actuators, examine_devices
from devices.real.fitting import Fitting
from devices.real.port import Port
from devices.real.settings import Hardware, load_hardware

PACKET = struct.Struct("<cBf")  # b"G" asks, b"P" sets a position [rad], b"O" releases; id; position
JOINTS = ("pan", "tilt", "lid")
TODAY = datetime.date(2026, 8, 2)
PATIENCE_S = 2.0
FILE = """
schema = 2

[lines]
neck = { device = "neck bus", baud = 1_000_000 }

[actuators.servo]
hold_s = 0.5
columns = ["joint", "line", "id", "gear", "sign"]
rows = [["pan", "neck", 1, 1.0, 1], ["tilt", "neck", 2, 2.0, -1]]
"""


class Servos(ActuatorTable, frozen=True, kw_only=True):
    """Settings of the family: how long a position is held without a command."""

    hold_s: float


class FarServos:
    """Servos at the far end of a pty, answering from a thread."""

    def __init__(self, path: Path, ids: Iterable[int]) -> None:
        self.positions = {number: 0.25 * number for number in ids}
        self.released: set[int] = set()
        self._over = threading.Event()
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        path.symlink_to(os.ttyname(self._slave))
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        data = b""
        while not self._over.is_set():
            if select.select([self._master], [], [], 0.01)[0]:
                data += os.read(self._master, 4096)
            while len(data) >= PACKET.size:
                kind, number, position = PACKET.unpack(data[: PACKET.size])
                data = data[PACKET.size :]
                if number not in self.positions:
                    continue
                if kind == b"O":
                    self.released.add(number)
                elif kind == b"P":
                    self.positions[number] = position
                else:
                    os.write(self._master, PACKET.pack(b"R", number, self.positions[number]))

    def end(self) -> None:
        self._over.set()
        self._thread.join()
        os.close(self._slave)
        os.close(self._master)


class ServoDriver:
    """Drives servos: a tick asks each for its position."""

    def __init__(self, fitted: Sequence[FittedActuator], ports: Mapping[str, Port]) -> None:
        self._fitted, self._port = fitted, ports[fitted[0].line]
        self._data = b""

    def read_into(self, sample: Sample, now_s: float) -> None:
        self._data += self._port.read(now_s)
        while len(self._data) >= PACKET.size:
            _, number, position = PACKET.unpack(self._data[: PACKET.size])
            self._data = self._data[PACKET.size :]
            one = next(one for one in self._fitted if one.id == number)
            sample.q[one.place] = one.sign * (position - one.zero_rad) / one.gear
            sample.joint_age_s[one.place] = 0.0

    def write(self, command: JointCommand, now_s: float) -> None:
        for one in self._fitted:
            goal = one.zero_rad + one.sign * one.gear * command.q[one.place]
            self._port.write(PACKET.pack(b"P", one.id, goal) + PACKET.pack(b"G", one.id, 0.0))

    def damp(self, now_s: float) -> None:
        self.stop(now_s)

    def stop(self, now_s: float) -> None:
        for one in self._fitted:
            self._port.write(PACKET.pack(b"O", one.id, 0.0))

    def troubles(self, powered: bool) -> tuple[Trouble, ...]:
        return self._port.troubles()

    def close(self) -> None:
        self._port.close()


class ServoBench:
    """Asks one servo at a time."""

    garbled = False

    def __init__(self, port: Port, timekeeper: Timekeeper) -> None:
        self._port, self._time = port, timekeeper

    def _ask(self, number: int) -> float | None:
        if self._port.descriptor < 0:
            self._port.read(self._time.now_s())
        self._port.write(PACKET.pack(b"G", number, 0.0))
        until_s = self._time.now_s() + (PATIENCE_S if number < 3 else 0.02)
        data = b""
        while len(data) < PACKET.size:
            if not self._time.wait_readable([self._port.descriptor], until_s):
                return None
            data += self._port.read(self._time.now_s())
        position: float = PACKET.unpack(data)[2]
        return position

    def discover(
        self, ids: Iterable[int], progress: Callable[[int], None] | None = None
    ) -> tuple[Found, ...]:
        return tuple(Found(number, "1") for number in ids if self._ask(number) is not None)

    def condition(self, actuator_id: int) -> Condition | None:
        position = self._ask(actuator_id)
        return None if position is None else Condition("1", ("is cold; warm it",), False, 20.0, 7.4)

    def change_id(self, old: int, new: int) -> None:
        raise DeviceError(self._port.device, "a servo keeps its id")

    def position_rad(self, actuator_id: int) -> float:
        position = self._ask(actuator_id)
        if position is None:
            raise DeviceError(self._port.device, f"id {actuator_id} does not answer")
        return position


def _no_twin(build: TwinBuild) -> TwinActuators:
    raise DeviceError("twin", "servos have no twin")


SERVO = ActuatorFamily(
    table=Servos,
    ids=range(1, 6),
    open=lambda table, fitted, ports, timekeeper: ServoDriver(fitted, ports),
    bench=ServoBench,
    traits=lambda table: None,
    twin=_no_twin,
)


@pytest.fixture
def hardware(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hardware:
    monkeypatch.setitem(ACTUATORS, "servo", SERVO)
    path = tmp_path / "hardware.toml"
    path.write_text(FILE, encoding="utf-8")
    return load_hardware(path)


@pytest.fixture
def far(tmp_path: Path) -> Iterator[FarServos]:
    made = FarServos(tmp_path / "neck", (1, 2))
    yield made
    made.end()


def calibrated(hardware: Hardware) -> Calibration:
    return Calibration.assumed(hardware, "talking_head", "01", TODAY)


def until(holds: Callable[[], bool], act: Callable[[], object]) -> None:
    keeper = MonotonicTimekeeper()
    until_s = keeper.now_s() + 20.0
    while not holds():
        assert keeper.now_s() < until_s
        act()
        keeper.wait_until(keeper.now_s() + 0.001)


def test_a_body_of_servos_follows_its_commands(
    hardware: Hardware, far: FarServos, tmp_path: Path
) -> None:
    count = len(JOINTS)
    figures = JointParameters(
        names=JOINTS,
        stall_torque=(1.0,) * count,
        torque_constant=(1.0,) * count,
        kp=(1.0,) * count,
        kd=(0.1,) * count,
    )
    time, ports = MonotonicTimekeeper(), ports_of(hardware, tmp_path)
    body: RealBody = body_of(hardware, calibrated(hardware), figures, ports, time)
    command = JointCommand.zeros(count)
    command.q[:] = 0.5, 0.25, 0.0

    def tick() -> None:
        body.read()
        body.write(command)

    until(lambda: bool(np.allclose(body.read().q, command.q)), tick)
    assert far.positions == {1: 0.5, 2: -0.5}  # geared, and turned around
    assert body.read().contacts.size == 0
    assert body.troubles() == () and body.powered()
    assert not body.read().estop_closed  # nothing reads a chain
    body.stop()
    until(lambda: far.released == {1, 2}, lambda: None)
    body.close()


def test_the_doctor_examines_servos_and_nothing_that_is_absent(
    hardware: Hardware, far: FarServos, tmp_path: Path
) -> None:
    time, ports = MonotonicTimekeeper(), ports_of(hardware, tmp_path)
    ports["neck"].read(time.now_s())
    found = examine_actuators(hardware, {"pan": 1, "tilt": 2}, ports, time)
    assert [(one.joint, one.versions, one.faults) for one in found] == [
        ("pan", "1", ("is cold; warm it",)),
        ("tilt", "1", ("is cold; warm it",)),
    ]
    heard = examine_devices(hardware, ports, None, JOINTS, (), time, 0.02)
    assert heard.troubles == () and heard.plates == () and heard.motors_on is None
    ports["neck"].close()


def test_servos_are_commissioned(hardware: Hardware, far: FarServos, tmp_path: Path) -> None:
    ports = ports_of(hardware, tmp_path)
    fitting = Fitting(hardware, calibrated(hardware), ports, MonotonicTimekeeper(), TODAY)
    assert [(one.id, one.joint) for one in fitting.scan("neck")] == [(1, "pan"), (2, "tilt")]
    moved = fitting.take_zeros(("pan", "tilt"), {"pan": 0.0, "tilt": 0.0})
    assert moved == pytest.approx({"pan": -0.25, "tilt": 0.25})
    assert fitting.angle_rad("tilt") == pytest.approx(0.0)
    with pytest.raises(DeviceError, match="id 7 is not 1 to 5"):
        fitting.give_id("pan", None, 7)
    ports["neck"].close()


def test_an_unknown_setting_or_id_of_a_family_is_refused(
    hardware: Hardware, tmp_path: Path
) -> None:
    for old, new, why in (
        ("hold_s = 0.5", "hold_s = 0.5\nspeed = 3", "actuators.servo: "),
        ('"neck", 2, 2.0', '"neck", 9, 2.0', "id 9 of tilt is not 1 to 5"),
    ):
        path = tmp_path / "wrong.toml"
        path.write_text(FILE.replace(old, new), encoding="utf-8")
        with pytest.raises(DeviceError, match=why):
            load_hardware(path)
