"""What atheris feeds the drivers of devices/real: a script of bytes, and what must hold meanwhile.

A bench's device can answer as a sound one does, so that a script gets far; nevertheless only
what a device has said may count. See tests/fuzz/fed.py for the scripts.
"""

import math
import random
import re
from collections.abc import Callable

import numpy as np

from devices.families.bear.drives import Drives
from devices.families.bear.wire.bulk import BulkLayout, BulkRequest
from devices.families.bear.wire.packet import BROADCAST, Reply, encode_value
from devices.families.bear.wire.registers import LIMIT_I_MAX, TORQUE_ENABLE
from devices.families.bear.wire.stream import RequestStream
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
from devices.families.boards.wire.layout import Kind
from devices.families.boards.wire.supervisor import PowerCommand, PowerRequest
from devices.families.crsf.handset import CrsfHandset
from devices.families.crsf.settings import Receiver
from devices.families.crsf.wire import frame as crsf
from devices.families.crsf.wire import menu, packed
from devices.families.crsf.wire.telemetry import LinkStatistics, encode_link_statistics
from devices.families.mip.imu import Imu
from devices.families.mip.setup import ImuSettings
from devices.families.mip.wire import packet as mip
from devices.families.native_handset.handset import NativeHandset
from devices.families.native_handset.wire import HandsetEnd, RobotEnd
from devices.families.safe_remote import wire as safe_remote
from devices.families.safe_remote.remote import SafeRemote, SafeRemoteSettings
from devices.families.safe_remote.wire import Heartbeat, Mode
from devices.interface import HandsetSample, HandsetScreen, JointCommand, Sample
from devices.real.settings import Hardware, load_hardware
from devices.real.stop_chain import Reading, StopChain, StopChainSettings
from devices.wire.frame import Frame, FrameStream
from tests.devices.families.bear.bears import Bear, Bus, plan
from tests.devices.families.boards.far_board import FarBoard, Message
from tests.devices.families.boards.far_power import FarPower
from tests.devices.families.mip.imu_unit import Unit
from tests.devices.wire.forgery import CONTROLS, KEY, OTHER_KEY
from tests.fuzz.fed import Bench, endure
from tests.tracked import REPOSITORY

HARDWARE = load_hardware(REPOSITORY / "assets" / "robots" / "kid_cosmo" / "hardware.toml")
POWER_ALONE = Hardware(
    schema=2,
    lines=HARDWARE.lines,
    actuators=HARDWARE.actuators,
    imu=HARDWARE.imu,
    supervisor=HARDWARE.supervisor,
)
FINGERS = ("wrist", "thumb", "index", "middle", "ring")
NAMES = tuple(f"{side}_{finger}" for side in ("left", "right") for finger in FINGERS)
SWITCHES = tuple(switch for board in HARDWARE.contacts for switch in board.switches)
FAR = {0x60: Board.CONTACTS, 0x61: Board.CONTACTS, 0x62: Board.HAND, 0x63: Board.HAND}
FAR |= {0x64: Board.BATTERY, 0x65: Board.BATTERY}
WISH_S = 2.6  # from a person's wish for the supply to the last request that it may lead to
WANTS = ("stop", "damp", "drive")
LET_RUN = {
    safe_remote.encode_heartbeat(Heartbeat(Mode.OPERATIONAL, autonomy, 0))
    for autonomy in range(256)
}
HEARTBEAT = re.compile(rb"(?=(\x10\x01\x20\x06\x09.{7}))", re.DOTALL)
OVERLAP = 80  # bytes of older ticks in which a packet may begin


def check_sample(sample: Sample) -> None:
    """What is read is a number; no age is of the future."""
    for array in (sample.q, sample.dq, sample.tau, sample.gyro, sample.accel):
        assert np.isfinite(array).all()
    assert not np.isinf(sample.winding_c).any()
    assert (sample.joint_age_s >= 0.0).all() and sample.imu_age_s >= 0.0
    assert all(map(math.isfinite, (sample.battery_v, sample.battery_a, sample.battery_charge)))


class Bears(Bench):
    """Two actuators on a line. None gets torque that was not asked for or is not set up."""

    def __init__(self) -> None:
        super().__init__(8_000_000)
        plans = [plan(0), plan(1, gear=3.0, sign=-1)]
        self.bus = Bus([Bear(p.id, 0.1) for p in plans])
        self.driver = self.drives = Drives(
            {"line": plans}, {"line": self.port}, self.time, silent_s=0.05, patience_s=0.00025
        )
        self.command = JointCommand.zeros(2)
        self.command.kp[:] = 20.0
        self.sample = Sample.zeros(2, 4)
        self.wants = "stop"
        self.settings = {
            p.id: b"".join(encode_value(register, value) for register, value in p.settings())
            for p in plans
        }
        self.openings = 0
        self.heard = b""
        self.told: set[int] = set()  # who told since the line was opened that it is set up
        self.calm: set[int] = set()  # whose torque was taken since, as far as was asked

    def run(self) -> None:
        now_s = self.now_s
        self.drives.read_into(self.sample, now_s)
        if self.port.openings != self.openings or self.port.descriptor < 0:
            self.openings = self.port.openings
            self.told.clear()
            self.calm.clear()
            self.heard = b""
        self.heard = self.heard[-OVERLAP:] + self.port.taken
        self.told |= {i for i, settings in self.settings.items() if settings in self.heard}
        if self.wants == "drive":
            self.drives.write(self.command, now_s)
        else:
            self.calm |= self.told
            (self.drives.stop if self.wants == "stop" else self.drives.damp)(now_s)
        self.drives.troubles()

    def check(self) -> None:
        check_sample(self.sample)
        woken = {i for request in RequestStream().feed(self.port.told) for i in _woken(request)}
        assert not woken or self.wants == "drive"
        assert woken <= self.calm

    def seal(self, content: bytes) -> bytes:
        chosen, error = content[0] % 4 if content else 1, content[1] if len(content) > 1 else 0
        return Reply(chosen, error, content[2:]).encode()

    def answer(self, sent: bytes) -> bytes:
        return b"".join(map(self.bus.answer, RequestStream().feed(sent)))

    def act(self, number: int) -> None:
        bear = self.bus.bears[number & 1]
        if number < 12:
            self.wants = WANTS[number % 3]
        elif number < 18:
            bear.power_on()
        elif number < 21:
            bear.deaf = not bear.deaf
        elif number < 24:
            bear.set(LIMIT_I_MAX, 60.0)
        else:
            bear.error ^= 1 << number % 8


def _woken(request: bytes) -> list[int]:
    """Return whose torque a request switches on."""
    if request[2] != BROADCAST:
        return []
    layout = BulkLayout.of(request)
    bulk = BulkRequest(layout)
    if TORQUE_ENABLE not in layout.writes or not bulk.load(request):
        return []
    words = bulk.words[:, layout.writes.index(TORQUE_ENABLE)]
    return [i for i, word in zip(layout.ids, words.tolist(), strict=True) if word == 1]


class OurBoards(Bench):
    """Our own boards on a line. None gets power or current that was not asked for."""

    def __init__(self, hardware: Hardware = HARDWARE) -> None:
        super().__init__()
        self.driver = self.boards = Boards(hardware, {"boards": self.port}, NAMES, SWITCHES)
        self.far = {source: FarBoard(source, board) for source, board in FAR.items()}
        if not hardware.hands:
            self.far.clear()
        self.power = FarPower()
        self.sample = Sample.zeros(len(NAMES), 4)
        self.sample.imu_age_s = 0.0
        self.command = JointCommand.zeros(len(NAMES))
        self.command.kp[:] = 1.0
        self.wants = "stop"
        self.openings = 0
        self.calm = False
        self.wish_s = -math.inf
        self.answers = 0

    def run(self) -> None:
        now_s = self.now_s
        self.boards.read_into(self.sample, now_s)
        if self.port.openings != self.openings or self.port.descriptor < 0:
            self.openings, self.calm = self.port.openings, False
        if self.wants == "drive":
            self.boards.write(self.command, now_s)
        else:
            self.calm = True
            (self.boards.stop if self.wants == "stop" else self.boards.damp)(now_s)
        self.boards.troubles()
        self.boards.plates()

    def check(self) -> None:
        check_sample(self.sample)
        for frame in FrameStream().feed(self.port.told):
            if frame.kind == Kind.POWER_COMMAND:
                request = PowerCommand.of(frame.payload).request
                if request in (PowerRequest.CLOSE, PowerRequest.RESET):
                    assert self.now_s - self.wish_s <= WISH_S, "nobody wished for it"
            elif frame.kind == Kind.HAND_COMMAND:
                mode = HandCommand.of(frame.payload).mode
                assert mode is not HandMode.HOLD or (self.wants == "drive" and self.calm)
        power = self.boards.supervisor
        assert power is not None
        assert all(stop.stamp_s <= self.now_s for stop in power.stops)

    def seal(self, content: bytes) -> bytes:
        head = content[:4].ljust(4, b"\0")
        kind = (0x01, 0x10, 0x21, 0x30, 0x41, head[0])[head[0] % 6]
        source = 0x60 + head[1] % 8
        frame = Frame(kind, source, head[2] << 8 | head[3], 0, content[4:])
        return frame.encode()

    def answer(self, sent: bytes) -> bytes:
        now_s = self.now_s
        self.answers += 1
        self.power.hear(sent, now_s)
        self.power.pass_time(now_s)
        said = self.power.says(self.power.status(now_s), now_s)
        if self.answers % 16 == 1:
            said += self.power.plate(now_s)
        for source, far in self.far.items():  # one after the other
            if self.answers % len(self.far) == source % len(self.far):
                said += far.says(_example(source), now_s)
                said += far.plate(now_s) if self.answers % 7 == 0 else b""
        return said

    def act(self, number: int) -> None:
        if number < 12:
            self.wants = WANTS[number % 3]
        elif number < 16:
            assert self.boards.supply is not None
            self.boards.supply.restore(self.now_s)
            self.wish_s = self.now_s
        elif number < 20:
            self.power.inputs ^= 1 << number % 3
        elif number < 22:
            self.power.disobeys = not self.power.disobeys
        elif number < 24:
            self.power.restart(self.now_s)
        elif self.far:
            list(self.far.values())[number % len(self.far)].restart(self.now_s)


def _example(source: int) -> Message:
    """Return what the board of a source says."""
    if source < 0x62:
        return Contacts(1, 0, ContactFault(0), 0, (9, 9))
    if source < 0x64:
        motors = (MotorState(0.01, 0.0, 0.1, 33.0),) * len(FINGERS)
        return HandStatus(HandMode.DAMP, HandFault(0), 100, 2, 100, 7.4, 30.0, motors)
    return Battery(source - 0x64, BatteryFault(0), 23.5, 1.0, 0.8, 1.0, 25.0, 5, (3.9,) * 6)


class ImuUnit(Bench):
    """The IMU. What it reads are numbers of its own packets."""

    def __init__(self) -> None:
        super().__init__(921_600)
        self.unit = Unit()
        self.driver = self.imu = Imu(self.port, ImuSettings(line="imu", uart=True))
        self.sample = Sample.zeros(1, 4)

    def run(self) -> None:
        self.imu.read_into(self.sample, self.now_s)
        self.imu.troubles()

    def check(self) -> None:
        check_sample(self.sample)

    def seal(self, content: bytes) -> bytes:
        head, rest = content[:1].ljust(1, b"\0")[0], content[1:]
        if head % 4 == 0:  # the fields of a sample, with any values
            values = rest.ljust(32, b"\0")
            return mip.packet(
                0x80,
                *(mip.field(d, values[a:b]) for d, a, b in ((0xD5, 0, 8), (4, 8, 20), (5, 20, 32))),
            )
        return mip.packet((0x01, 0x0C, 0x80, head)[head % 4], rest)

    def answer(self, sent: bytes) -> bytes:
        return self.unit.hear(sent) + self.unit.tick()

    def act(self, number: int) -> None:
        unit = self.unit
        if number < 8:
            unit.switch_on()
        elif number < 16:
            unit.frozen = not unit.frozen
        elif number < 24:
            unit.deaf = number - 16
        else:
            unit.base_rate = (1000, 100, 0, 333)[number % 4]


class CrsfReceiver(Bench):
    """A CRSF receiver. The dead-man is held only by a frame in which it is."""

    FRAME = re.compile(rb"(?=[\x00\xc8\xea\xec\xee]([\x18\x19])\x16)", re.DOTALL)

    def __init__(self) -> None:
        super().__init__(420_000)
        self.settings = Receiver()
        self.driver = self.handset = CrsfHandset(self.port, self.settings)
        self.sample = HandsetSample.silent()
        self.heard = b""
        self.held_s = -math.inf  # when a frame came in which it is, or is between the two
        self.channels = [992] * 16
        self.quality = 100

    def run(self) -> None:
        self.sample = self.handset.read(self.now_s)
        self.handset.troubles()
        self.heard = self.heard[-OVERLAP:] + self.port.taken
        if self.port.taken and self._holds():
            self.held_s = self.now_s

    def check(self) -> None:
        sample, lost_s = self.sample, self.settings.lost_s
        check_handset(sample, lost_s)
        assert not sample.dead_man or self.now_s - self.held_s <= lost_s

    def _holds(self) -> bool:
        for found in self.FRAME.finditer(self.heard):
            at, length = found.start(), found.group(1)[0]
            whole = self.heard[at : at + length + 2]
            if len(whole) == length + 2 and crsf.crc8(whole[2:-1]) == whole[-1]:
                if packed.decode(whole)[self.settings.dead_man - 1] > self.settings.release:
                    return True
        return False

    def seal(self, content: bytes) -> bytes:
        kind = content[0] if content else 0
        sort = (crsf.Type.CHANNELS, crsf.Type.LINK_STATISTICS, crsf.Type.PARAMETER_READ, kind)
        if kind % 4 == 0:
            return crsf.frame(crsf.Type.CHANNELS, content[1:23].ljust(22, b"\xff"))
        return crsf.frame(sort[kind % 4], content[1:61])

    def answer(self, sent: bytes) -> bytes:
        crsf.scanner().feed(sent)
        link = LinkStatistics(-50, -50, self.quality, 5, 0, 1, 1, -50, 100, 5)
        return encode_link_statistics(link) + packed.encode(self.channels) + menu.ping()

    def act(self, number: int) -> None:
        if number < 16:
            self.channels[number] = 2003 - self.channels[number]
        elif number < 20:
            self.channels[4] = (172, 1300, 1811, 1400)[number % 4]
        elif number < 24:
            self.quality = 100 - self.quality
        else:
            self.handset.show(HandsetScreen("WALK", number / 31.0, 24.0, "x" * number, 1))


def check_handset(sample: HandsetSample, lost_s: float) -> None:
    """What is read is in its range, and nothing is held after silence."""
    assert sample.age_s >= 0.0
    assert (np.abs(sample.sticks) <= 1.0).all()
    assert 0.0 <= sample.quality <= 1.0
    assert math.isnan(sample.battery_v) or 0.0 <= sample.battery_v < 100.0
    if sample.age_s > lost_s:
        assert not sample.dead_man and not sample.buttons.any() and not sample.sticks.any()


class Native(Bench):
    """The native handset's radio, with who hears all and has no key. It gets nothing in.

    The handset itself says a few things in the beginning; after that it is switched off.
    """

    def __init__(self) -> None:
        super().__init__()
        end = RobotEnd(KEY, 0x01, random.Random(1).randbytes)
        self.driver = self.handset = NativeHandset(self.port, end)
        self.settings = HARDWARE.native_handset
        owner, self.stranger = HandsetEnd(KEY, 0x70, 7), HandsetEnd(OTHER_KEY, 0x70, 8)
        self.sample = self.handset.read(self.now_s)
        self.recorded = [owner.hello(0)]
        self.heard_s = math.inf
        self._hear(self.recorded[0])
        (challenge,) = FrameStream().feed(self.port.sent)
        assert owner.begin(challenge)
        for i in range(20):
            frame = owner.send(CONTROLS, 1000 * i)
            assert frame is not None
            self.recorded.append(frame)
            if i < 3:  # the others were heard by who has jammed them
                self._hear(frame)
        assert self.sample.age_s == 0.0 and self.sample.dead_man
        self.recorded = self.recorded[:4]
        self.heard_s = self.now_s
        self.next = 0

    def _hear(self, frame: Frame) -> None:
        self.feed(frame.encode())
        self.time.time_s += 0.001
        self.port.reads = 0
        self.sample = self.handset.read(self.now_s)

    def run(self) -> None:
        self.sample = self.handset.read(self.now_s)
        self.handset.troubles()

    def check(self) -> None:
        assert self.settings is not None
        check_handset(self.sample, self.settings.lost_s)
        assert abs(self.sample.age_s - (self.now_s - self.heard_s)) < 1e-6, "it was heard"

    def seal(self, content: bytes) -> bytes:
        head = content[:5].ljust(5, b"\0")
        true = self.recorded[head[0] % len(self.recorded)]
        if head[1] & 1:
            return Frame(0x50 + head[2] % 4, 0x70, head[3] << 8 | head[4], 0, content[5:]).encode()
        payload = bytearray(true.payload)
        payload[head[2] % len(payload)] ^= head[3]
        kind = Kind.HANDSET_INPUT if head[1] & 2 else true.kind
        return Frame(kind, true.source ^ head[1] >> 6, head[4], true.t_us, bytes(payload)).encode()

    def answer(self, sent: bytes) -> bytes:
        """Answer as another handset does, and say again what was said."""
        for frame in FrameStream().feed(sent):
            self.stranger.begin(frame)
        self.next += 1
        again = self.recorded[self.next % len(self.recorded)]
        own = self.stranger.send(CONTROLS, 0) or self.stranger.hello(0)
        fresh = Frame(again.kind, again.source, self.next & 0xFFFF, again.t_us, again.payload)
        return again.encode() + fresh.encode() + own.encode()

    def act(self, number: int) -> None:
        self.handset.show(HandsetScreen("é" * number, number / 20.0, 24.0, "x" * number, number))


class WirelessStop(Bench):
    """The wireless stop's receiver. It lets run only as long as it says so."""

    def __init__(self) -> None:
        super().__init__(115_200)
        settings = SafeRemoteSettings(line="safe_remote")
        self.remote = SafeRemote(self.port, settings)
        self.chain = StopChain(StopChainSettings(), radio=True)
        self.driver = (self.remote, self.chain)
        self.contact = True
        self.heartbeat = Heartbeat(Mode.OPERATIONAL, 0, 0)
        self.heard = b""
        self.well_s = -math.inf  # when a heartbeat came that lets run

    def run(self) -> None:
        self.remote.update(self.now_s)
        if self.port.descriptor < 0:
            self.well_s, self.heard = -math.inf, b""
        self.heard = self.heard[-OVERLAP:] + self.port.taken
        if self.port.taken and any(found[1] in LET_RUN for found in HEARTBEAT.finditer(self.heard)):
            self.well_s = self.now_s
        wired = Reading(True, self.now_s)
        contact = Reading(self.contact, self.now_s)
        self.chain.update(self.now_s, wired, wired, contact, self.remote.said())
        self.chain.troubles()
        self.remote.troubles(self.now_s)

    def check(self) -> None:
        if self.chain.closed:
            assert self.contact
            assert self.now_s - self.well_s <= safe_remote.LOST_S
        for packet in safe_remote.scanner().feed(self.port.told):
            assert not safe_remote.decode_our_heartbeat(packet)

    def seal(self, content: bytes) -> bytes:
        kind = content[0] if content else 0
        return safe_remote.packet((0x20, 0x10, kind)[kind % 3], content[1:])

    def answer(self, sent: bytes) -> bytes:
        return safe_remote.encode_heartbeat(self.heartbeat)

    def act(self, number: int) -> None:
        if number < 8:
            self.contact = not self.contact
        elif number < 16:
            self.heartbeat = self.heartbeat._replace(stop=number & 3)
        else:
            modes = [*Mode, 0]
            self.heartbeat = self.heartbeat._replace(mode=modes[number % len(modes)])


def _target(make: Callable[[], Bench]) -> Callable[[bytes], None]:
    return lambda script: endure(make(), script)


DRIVERS: dict[str, Callable[[bytes], None]] = {
    "bear_line": _target(Bears),
    "board_line": _target(OurBoards),
    "supervisor": _target(lambda: OurBoards(POWER_ALONE)),
    "imu": _target(ImuUnit),
    "receiver": _target(CrsfReceiver),
    "native_handset": _target(Native),
    "wireless_stop": _target(WirelessStop),
}
