"""Configures the inertial measurement unit, one request at a time."""

from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from devices.families.mip.wire import commands, data, packet, replies, sample
from devices.families.mip.wire.commands import Command
from devices.families.mip.wire.replies import DeviceInfo, Reply
from devices.real.port import Port

SPEEDS = (115_200, 921_600, 460_800, 230_400)  # of the unit's serial port, the factory's first
REPLY_S = 0.1  # time limit of an answer
TRIES = 3
SPEED_S = 0.25  # time from the answer until a new speed applies
REFUSED_S = 1.0  # delay of the restart after a refusal

_Degrees = Annotated[float, Meta(ge=-180.0, le=180.0)]


class ImuSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings of the torso's IMU, a 3DM-CV7-AHRS.

    Attributes:
        line: line of the unit.
        rate_hz: samples a second; the unit's base rate is a multiple of it. With less than one a
            tick the impact of a landing foot falls between two samples, or counts twice.
        uart: the unit is on a serial port, whose speed must be set; over USB there is none.
        roll_deg: rotation of the unit in the robot's IMU frame, where x points forward, y left
            and z up: about x first [°].
        pitch_deg: then about y [°].
        yaw_deg: then about z; all 0 for a unit with its x forward and its z down [°].
        overrange_hz: rate of the reports of axes out of range; 0 for a unit that refuses them.
        transit_s: the least time from a measurement to its arrival [s].
        frozen_samples: number of equal samples in a row that means a frozen sensor.
        silent_s: silence after which a streaming unit is configured again [s].
    """

    line: str
    rate_hz: Annotated[int, Meta(ge=100, le=1000)] = 1000
    uart: bool = False
    roll_deg: _Degrees = 0.0
    pitch_deg: _Degrees = 0.0
    yaw_deg: _Degrees = 0.0
    overrange_hz: Annotated[int, Meta(ge=0, le=100)] = 10
    transit_s: Annotated[float, Meta(ge=0.0, le=0.01)] = 0.0
    frozen_samples: Annotated[int, Meta(ge=2, le=1000)] = 20
    silent_s: Annotated[float, Meta(ge=0.05, le=1.0)] = 0.1


class _Question(NamedTuple):
    command: Command
    packet: bytes
    needed: bool = True  # a refusal ends the attempt


class ImuSetup:
    """Sends a request, waits for its answer, repeats it, and finally restarts. Never blocks.

    A unit that lost its power has the factory's settings and speed again: if it does not answer,
    the
    next attempt begins at another speed. Over USB there is only one.

    Attributes:
        ready: the unit streams as configured.
        info: the unit's identity; None before its answer.
        fault: last refusal; empty if none.
    """

    def __init__(self, port: Port, settings: ImuSettings) -> None:
        self.ready = False
        self.info: DeviceInfo | None = None
        self.fault = ""
        self._port = port
        self._settings = settings
        others = SPEEDS if settings.uart else ()
        self._speeds = (port.baud, *(speed for speed in others if speed != port.baud))
        self._speed = port.baud  # of the line
        self._unanswered = 0  # attempts
        self._questions: list[_Question] = []
        self._tries = 0
        self._due_s = 0.0

    def begin(self, now_s: float) -> None:
        """Begin with a newly opened line, at its present speed."""
        self._speed = self._port.baud
        self.resume(now_s)

    def resume(self, now_s: float) -> None:
        """Restart, as for a unit that is silent."""
        self._unanswered = 0
        self._attempt(now_s)

    def take(self, checked: bytes, now_s: float) -> None:
        """Process a packet of answers."""
        for reply in replies.decode(checked):
            if self._questions and reply.command == self._questions[0].command:
                self._answer(reply, dict(packet.fields(checked)), now_s)

    def step(self, now_s: float) -> None:
        """Send the request that is due; call it once a tick."""
        if self.ready or now_s < self._due_s:
            return
        if self._tries == TRIES:
            self._unanswered += 1
            self._attempt(now_s)
        elif not self._questions:
            self._attempt(now_s)
        self._tries += 1
        self._due_s = now_s + REPLY_S
        self._port.write(self._questions[0].packet)

    def _attempt(self, now_s: float) -> None:
        self.ready = False
        self._tune(self._speeds[self._unanswered % len(self._speeds)])
        idle = _Question(commands.IDLE, commands.idle())
        self._questions = [idle]
        if self._speed != self._port.baud:
            change = commands.baud_rate(self._port.baud)
            self._questions += (_Question(commands.BAUD_RATE, change), idle)
        self._questions += (
            _Question(commands.DEVICE_INFO, commands.device_info()),
            _Question(commands.STREAM, commands.stream(data.ATTITUDE, on=False), needed=False),
            _Question(commands.BASE_RATE, commands.base_rate(data.SENSOR)),
        )
        self._tries = 0
        self._due_s = now_s

    def _tune(self, baud: int) -> None:
        if baud != self._speed:
            self._port.retune(baud)
            self._speed = baud

    def _answer(self, reply: Reply, fields: dict[int, bytes], now_s: float) -> None:
        """Continue with the next request if this one is answered."""
        question = self._questions[0]
        if not reply.ok and question.needed:
            self._refuse(f"refuses a request ({reply.words}); update its firmware", now_s)
            return
        if question.command == commands.BASE_RATE and not self._plan(fields, now_s):
            return
        if question.command == commands.DEVICE_INFO:
            self.info = replies.decode_device_info(fields.get(replies.DEVICE_INFO_FIELD, b""))
        del self._questions[0]
        self._tries = 0
        self._due_s = now_s
        if question.command == commands.BAUD_RATE:
            self._tune(self._port.baud)
            self._due_s = now_s + SPEED_S
        if not self._questions:
            self.ready = True
            self.fault = ""

    def _plan(self, fields: dict[int, bytes], now_s: float) -> bool:
        """Choose the next requests once the base rate is known; return whether it is."""
        answer = replies.decode_base_rate(fields.get(replies.BASE_RATE_FIELD, b""))
        if answer is None or answer[0] != data.SENSOR:
            return False
        settings = self._settings
        every, rest = divmod(answer[1], settings.rate_hz)
        if rest or not every:
            self._refuse(
                f"cannot send {settings.rate_hz} samples a second, for its base rate is"
                f" {answer[1]} Hz; set rate_hz in hardware.toml to a divisor of that",
                now_s,
            )
            return False
        entries = [(kind, every) for kind in sample.FIELDS]
        if settings.overrange_hz:
            seldom = max(settings.rate_hz // settings.overrange_hz, 1)
            entries.append((data.OVERRANGE, every * seldom))
        wanted = commands.message_format(data.SENSOR, entries)
        self._questions += (
            _Question(commands.MESSAGE_FORMAT, wanted),
            _Question(commands.STREAM, commands.stream(data.SENSOR)),
            _Question(commands.RESUME, commands.resume()),
        )
        return True

    def _refuse(self, fault: str, now_s: float) -> None:
        self.fault = fault
        self._questions = []
        self._tries = 0
        self._due_s = now_s + REFUSED_S
