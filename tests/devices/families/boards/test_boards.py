"""Every board of the robot on its line, as the body has them."""

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from devices.errors import DeviceError
from devices.families.bear.drives import Drives
from devices.families.boards.boards import Boards
from devices.families.boards.wire.battery import Battery, BatteryFault
from devices.families.boards.wire.contacts import ContactFault, Contacts
from devices.families.boards.wire.hand import (
    HandCommand,
    HandFault,
    HandMode,
    HandStatus,
    MotorState,
)
from devices.families.boards.wire.identity import Board
from devices.families.mip.imu import Imu
from devices.families.mip.setup import ImuSettings
from devices.interface import JointCommand, Sample
from devices.real.body import RealBody
from devices.real.composition import ports_of
from devices.real.settings import load_hardware
from devices.real.stop_circuit import StopCircuit
from devices.wire.frame import FrameStream
from tests.devices.families.bear.bears import plan
from tests.devices.families.boards.far_board import FarBoard
from tests.devices.families.boards.far_power import FarPower
from tests.devices.real.rig import StillTime
from tests.devices.real.wire import Wire
from tests.tracked import REPOSITORY

HARDWARE = load_hardware(REPOSITORY / "assets" / "robots" / "kid_cosmo" / "hardware.toml")
FINGERS = ("wrist", "thumb", "index", "middle", "ring")
NAMES = ("head_yaw", *(f"{side}_{finger}" for side in ("left", "right") for finger in FINGERS))
SWITCHES = ("left_heel", "left_toe", "right_heel", "right_toe")
KINDS = {0x60: Board.CONTACTS, 0x61: Board.CONTACTS, 0x62: Board.HAND, 0x63: Board.HAND}
KINDS |= {0x64: Board.BATTERY, 0x65: Board.BATTERY}


class Robot:
    """All seven boards on one line, each at its rate."""

    def __init__(self, folder: Path) -> None:
        self.ports = ports_of(HARDWARE, folder)
        self.wire = Wire(folder / "boards")
        self.wire.port = self.ports["boards"]
        self.boards = Boards(HARDWARE, self.ports, NAMES, SWITCHES)
        self.circuit = StopCircuit.of(HARDWARE, self.ports, self.boards.supervisor)
        self.far = {source: FarBoard(source, board) for source, board in KINDS.items()}
        self.power = FarPower()
        self.sample = Sample.zeros(len(NAMES), 4)
        self.command = JointCommand.zeros(len(NAMES))
        self.command.kp[:] = 1.0
        self.now_s = 500.0
        self.ticks = 0
        self.silent: set[int] = set()
        self.hand_faults = HandFault(0)
        self.hands: dict[int, HandCommand] = {}
        self._commands = FrameStream()

    def _speech(self, now_s: float) -> bytes:
        said = b""
        for source, far in self.far.items():
            if source in self.silent:
                continue
            if self.ticks % 1000 == source % 16:
                said += far.plate(now_s)
            if far.board is Board.CONTACTS and self.ticks % 2 == source % 2:
                contacts = Contacts(source - 0x5F, 0, ContactFault(0), 0, (9, 9))
                said += far.says(contacts, now_s)
            elif far.board is Board.HAND and self.ticks % 10 == source % 10:
                state = MotorState(0.01 * (source - 0x60), 0.0, 0.1, 33.0)
                motors = (state,) * 5
                status = HandStatus(HandMode.OFF, self.hand_faults, 100, 5, 0, 7.4, 30.0, motors)
                said += far.says(status, now_s)
            elif far.board is Board.BATTERY and self.ticks % 100 == source % 10:
                cells = (3.9,) * 6
                pack = Battery(source - 0x64, BatteryFault(0), 23.4, 3.0, 0.7, 1.0, 30.0, 0, cells)
                said += far.says(pack, now_s)
        self.power.pass_time(now_s)
        if self.power.source not in self.silent:
            if self.ticks % 1000 == 7:
                said += self.power.plate(now_s)
            if self.ticks % 10 == 5:
                said += self.power.says(self.power.status(now_s), now_s)
        return said

    def run(self, seconds: float, what: str = "write") -> None:
        for _ in range(round(1000 * seconds)):
            self.speak()
            self.boards.read_into(self.sample, self.now_s)
            self.circuit.read_into(self.sample, self.now_s)
            if what == "write":
                self.boards.write(self.command, self.now_s)
            elif what == "damp":
                self.boards.damp(self.now_s)
            elif what == "stop":
                self.boards.stop(self.now_s)
            self.listen()

    def speak(self) -> None:
        """Let a millisecond pass and the boards say what is due."""
        self.now_s += 0.001
        said = self._speech(self.now_s)
        if said:
            self.wire.arrive(said)
        self.ticks += 1

    def listen(self) -> None:
        """Let the boards hear what was sent."""
        sent = self.wire.sent()
        self.power.hear(sent, self.now_s)
        for frame in self._commands.feed(sent):
            if frame.kind == HandCommand.KIND:
                self.hands[frame.source] = HandCommand.of(frame.payload)

    def powered(self) -> bool:
        return self.boards.supervisor is not None and self.boards.supervisor.powered

    def texts(self) -> list[str]:
        return [f"{told.device}: {told.text}" for told in self.boards.troubles()]


@pytest.fixture
def robot(tmp_path: Path) -> Iterator[Robot]:
    robot = Robot(tmp_path)
    robot.run(0.25, "stop")
    yield robot
    robot.boards.close()
    robot.circuit.close()
    robot.wire.close()


def test_a_silent_board_grows_old_and_the_others_do_not(robot: Robot) -> None:
    robot.silent = {0x61, 0x62, 0x65}
    robot.run(3.0, "stop")
    ages = robot.sample.joint_age_s
    assert ages[1:6] == pytest.approx([3.0] * 5, abs=0.02)
    assert (ages[6:] <= 0.011).all()
    assert robot.sample.contact_age_s == pytest.approx([0.002, 0.002, 3.0, 3.0], abs=0.003)
    assert robot.sample.contacts.tolist() == [True, False, False, True]  # as it was told last
    texts = robot.texts()
    assert len([text for text in texts if "silent" in text]) == 3
    assert any(text.startswith("left hand's board: silent") for text in texts)
    assert any(text.startswith("second battery's monitor: silent") for text in texts)
    # The supervisor knows the voltage before the contactor.
    assert (robot.sample.battery_v, robot.sample.battery_charge) == pytest.approx((23.5, 0.7))


def test_an_unplugged_line_is_one_trouble_and_everything_comes_back(robot: Robot) -> None:
    robot.wire.unplug()
    robot.run(0.2, "stop")
    assert [text for text in robot.texts()] == [
        "boards' line: unplugged; check the adapter's USB plug"
    ]
    assert not robot.sample.estop_closed
    robot.wire.plug()
    robot.run(1.5, "stop")
    assert (robot.sample.joint_age_s[1:] <= 0.011).all()
    held = "power supervisor: holds the contactor open because it has just started; RESET"
    assert robot.texts() == [held]


def test_a_core_that_only_reads_feeds_no_watchdog(robot: Robot) -> None:
    supervisor = robot.boards.supervisor
    assert supervisor is not None
    supervisor.reset(robot.now_s)
    robot.run(0.05, "stop")
    supervisor.close(robot.now_s)
    robot.run(0.05, "stop")
    assert robot.powered()
    for what in ("write", "damp", "stop"):
        robot.run(0.3, what)
        assert robot.powered()
    robot.run(0.15, "nothing")
    assert not robot.powered()
    robot.run(0.5)
    assert not robot.powered()


def test_a_hand_without_supply_is_a_trouble_only_while_the_motors_have_theirs(robot: Robot) -> None:
    def starved() -> int:
        return sum("its supply is too low" in text for text in robot.texts())

    supervisor = robot.boards.supervisor
    assert supervisor is not None
    robot.hand_faults = HandFault.SUPPLY_LOW
    robot.run(1.0, "stop")
    assert starved() == 0
    supervisor.reset(robot.now_s)
    robot.run(0.05, "stop")
    supervisor.close(robot.now_s)
    robot.run(0.1)
    assert robot.powered() and starved() == 0  # it has not risen at the board yet
    robot.run(0.3)
    assert starved() == 2
    robot.hand_faults = HandFault(0)
    robot.run(0.05)
    assert starved() == 0
    robot.hand_faults = HandFault.SUPPLY_LOW  # it sags, or is being taken away
    supervisor.open()
    robot.run(0.5)
    assert not robot.powered() and starved() == 0


def test_every_board_reaches_its_place_in_the_sample(robot: Robot) -> None:
    sample = robot.sample
    assert sample.contacts.tolist() == [True, False, False, True]
    assert sample.q.tolist() == pytest.approx([0.0] + [0.02] * 5 + [0.03] * 5)
    assert sample.tau[1:] == pytest.approx([0.043] * 10)
    assert sample.winding_c[1:] == pytest.approx([33.0] * 10)
    assert math.isinf(sample.joint_age_s[0])  # no board's joint
    assert (sample.battery_v, sample.battery_a, sample.battery_charge) == pytest.approx(
        (23.4, 6.0, 0.7)
    )


def test_each_hand_gets_its_own_commands(robot: Robot) -> None:
    robot.command.q[:] = np.arange(len(NAMES)) / 10.0
    robot.run(0.05)
    found = {
        source: [round(motor.position_rad, 4) for motor in command.motors]
        for source, command in robot.hands.items()
    }
    assert found == {0xE2: [0.1, 0.2, 0.3, 0.4, 0.5], 0xE3: [0.6, 0.7, 0.8, 0.9, 1.0]}
    assert {command.mode for command in robot.hands.values()} == {HandMode.HOLD}
    robot.run(0.03, "damp")
    assert {command.mode for command in robot.hands.values()} == {HandMode.DAMP}
    robot.run(0.03, "stop")
    assert {command.mode for command in robot.hands.values()} == {HandMode.OFF}


def test_a_joint_that_the_profile_does_not_know_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="no joint 'left_thumb'"):
        Boards(HARDWARE, ports_of(HARDWARE, tmp_path), ("left_wrist",), SWITCHES)


def test_the_body_has_them_all(robot: Robot) -> None:
    time, ports = StillTime(), robot.ports
    drives = Drives({"head": [plan(0)]}, ports, time, silent_s=0.1, patience_s=0.0)
    imu = Imu(ports["imu"], HARDWARE.imu or ImuSettings(line="imu"))
    body = RealBody((len(NAMES), 4), time, [drives], [imu], [robot.boards], robot.circuit)
    steps = {"stop": body.stop, "write": lambda: body.write(robot.command), "damp": body.damp}
    for what, step in steps.items():
        for _ in range(150):
            robot.speak()
            time.time_s = robot.now_s
            sample = body.read()
            step()
            robot.listen()
        heard_s = robot.power.heard_s
        assert heard_s is not None and robot.now_s - heard_s < 0.03, what
    assert {command.mode for command in robot.hands.values()} == {HandMode.DAMP}
    assert sample.q[1:].tolist() == pytest.approx([0.02] * 5 + [0.03] * 5)
    assert sample.contacts.tolist() == [True, False, False, True]
    assert math.isinf(sample.imu_age_s)
    assert not sample.estop_closed
    closed = {channel.name: channel.closed for channel in body.stop_channels()}
    assert closed.pop("wireless receiver") is False
    assert all(closed.values()) and len(closed) == 4
    unplugged = [told.device for told in body.troubles() if "unplugged" in told.text]
    assert sorted(unplugged) == ["IMU", "head bus", "wireless stop's receiver"]
    body.close()
