"""Twin of the inertial measurement unit: executes commands and streams its measurements."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from devices.families.mip.wire import attitude, commands, data, packet, replies
from devices.families.mip.wire.commands import Command, Function, Request
from devices.families.mip.wire.data import ATTITUDE, SENSOR, Data
from devices.interface import Floats, Sample, Truth

BASE_HZ = 1000
G = 9.80665
FIELD = (0.2, 0.0, 0.43)  # of the earth, north and down [gauss]
INFO = replies.DeviceInfo(1120, "3DM-CV7-AHRS", "6286-4220", "6286.00042", "I042T", "8g,1000d/s")
MOST_QUESTIONS = 64
_DONE, _UNKNOWN, _BAD = 0, 1, 3
_AHRS, _VERTICAL_GYRO = 3, 2
_SETTLES_S = 1.0  # until the filter has its heading

Turn = tuple[float, float, float, float]


@dataclass(slots=True)
class _Stream:
    """One data set: its fields with their decimations, and whether it streams."""

    fields: tuple[tuple[int, int], ...] = ()
    on: bool = False


def _streams() -> dict[int, _Stream]:
    return {SENSOR: _Stream(), ATTITUDE: _Stream()}


@dataclass(slots=True)
class Motion:
    """Measurements of the unit, in its own frame, and its attitude at one instant.

    Attributes:
        gyro: angular velocity (3) [rad/s].
        accel: specific force (3) [m/s²].
        rpy: roll, pitch and yaw of the torso in the world (3) [rad].
    """

    gyro: tuple[float, float, float] = (0.0, 0.0, 0.0)
    accel: tuple[float, float, float] = (0.0, 0.0, G)
    rpy: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @classmethod
    def of(cls, sample: Sample, truth: Truth) -> "Motion":
        """Return the readings of a simulated body's sensors, in the robot's frame."""
        return cls(_three(sample.gyro), _three(sample.accel), _three(truth.base_rpy))


class Imu:
    """A 3DM-CV7-AHRS.

    Attributes:
        stuck: it keeps streaming the same values.
        motion: its present measurements.
    """

    def __init__(self, drift: float = 0.0, started_s: float = 0.0) -> None:
        """Switch the unit on, with nothing to stream.

        Args:
            drift: relative rate error of its clock, positive if fast.
            started_s: time since its start at time zero [s].
        """
        self.stuck = False
        self.motion = Motion()
        self._drift = drift
        self._started_s = started_s
        self._streams = _streams()
        self._saved = _streams()
        self._idle = False
        self._filter_us = 0
        self._questions: list[Request] = []
        self._scanner = packet.scanner()

    @property
    def asked(self) -> bool:
        """Whether a request waits for its reply."""
        return bool(self._questions)

    def take(self, data: bytes, now_us: int) -> None:
        """Execute the commands received at a time [µs]."""
        for checked in self._scanner.feed(data):
            for request in commands.requests(checked):
                if len(self._questions) < MOST_QUESTIONS:
                    self._questions.append(self._obey(request, now_us))

    def answer(self) -> bytes:
        """Return the answers to all commands since the last call."""
        asked, self._questions = self._questions, []
        return b"".join(self._reply(request) for request in asked)

    def feel(self, motion: Motion) -> None:
        """Update the measurements, unless the unit is stuck."""
        if not self.stuck:
            self.motion = motion

    def tell(self, now_us: int) -> bytes:
        """Return the bytes streamed at an instant [µs]; in a longer tick the newest samples."""
        if self._idle:
            return b""
        tick = now_us // (1_000_000 // BASE_HZ)
        sent = b""
        for data_set, stream in self._streams.items():
            if stream.on and stream.fields:
                due = [kind for kind, decimation in stream.fields if tick % decimation == 0]
                if due:
                    made = _FIELDS[data_set]
                    sent += data.encode(data_set, {kind: made[kind](self, now_us) for kind in due})
        return sent

    def restart(self, now_us: int) -> None:
        """Restart with the saved settings and a clock at zero."""
        self._started_s = -1e-6 * now_us * (1.0 + self._drift)
        self._filter_us = now_us
        self._idle = False
        self._load(self._saved)

    def _load(self, other: dict[int, _Stream]) -> None:
        self._streams = {key: _Stream(s.fields, s.on) for key, s in other.items()}

    def _obey(self, request: Request, now_us: int) -> Request:
        """Execute a command; return it, marked as unknown if that is impossible."""
        command, arguments = request.command, request.arguments
        if not request.known:
            return request
        good = True
        if command in (commands.IDLE, commands.RESUME):
            self._idle = command == commands.IDLE
        elif command == commands.MESSAGE_FORMAT:
            good = self._format(arguments, request.entries)
        elif command == commands.STREAM:
            stream = self._streams.get(int(arguments[1]))
            good = stream is not None and arguments[0] == Function.WRITE and arguments[2] in (0, 1)
            if stream is not None and good:
                stream.on = bool(arguments[2])
        elif command == commands.SETTINGS:
            good = self._keep(int(arguments[0]))
        elif command == commands.FILTER_RESET:
            self._filter_us = now_us
        elif command == commands.BASE_RATE:
            good = int(arguments[0]) in self._streams
        elif command == commands.INITIAL_HEADING:
            good = math.isfinite(arguments[0])
        return request if good else request._replace(arguments=(), known=False)

    def _format(self, arguments: tuple[float, ...], entries: tuple[tuple[int, int], ...]) -> bool:
        stream = self._streams.get(int(arguments[1]))
        if stream is None or arguments[0] != Function.WRITE:
            return False
        kinds = [kind for kind, _ in entries]
        if len(set(kinds)) != len(kinds) or any(decimation < 1 for _, decimation in entries):
            return False
        if not all(kind in _FIELDS[int(arguments[1])] for kind in kinds):
            return False
        stream.fields = entries
        return True

    def _keep(self, function: int) -> bool:
        if function == Function.SAVE:
            self._saved = {key: _Stream(s.fields, s.on) for key, s in self._streams.items()}
        elif function == Function.LOAD:
            self._load(self._saved)
        elif function == Function.DEFAULT:
            self._load(_streams())
        else:
            return False
        return True

    def _reply(self, request: Request) -> bytes:
        command: Command = request.command
        if not request.known:
            code = _BAD if command in replies.NAMES else _UNKNOWN
            return replies.encode(replies.Reply(command, code))
        done = replies.Reply(command, _DONE)
        if command == commands.DEVICE_INFO:
            return replies.encode(done, replies.encode_device_info(INFO))
        if command == commands.BASE_RATE:
            rate = replies.encode_base_rate(int(request.arguments[0]), BASE_HZ)
            return replies.encode(done, rate)
        return replies.encode(done)

    def device_ns(self, now_us: int) -> int:
        """Return its own clock at a time of the twin [ns]."""
        return round(1e9 * self._started_s + 1e3 * now_us * (1.0 + self._drift))

    def turn(self) -> Turn:
        """Return its attitude relative to north-east-down as a quaternion, w first."""
        roll, pitch, yaw = (0.5 * angle for angle in attitude.turn_euler(*self.motion.rpy))
        cr, sr, cp, sp = math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch)
        cy, sy = math.cos(yaw), math.sin(yaw)
        return (
            cr * cp * cy + sr * sp * sy,
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
        )

    def down(self) -> tuple[float, float, float]:
        """Return gravity in its own frame [m/s²]."""
        x, y, z = _into(self.turn(), (0.0, 0.0, G))
        return x, y, z

    def filter_state(self, now_us: int) -> int:
        """Return the state of its filter."""
        return _AHRS if now_us - self._filter_us >= 1e6 * _SETTLES_S else _VERTICAL_GYRO


def _three(vector: Floats) -> tuple[float, float, float]:
    x, y, z = vector.tolist()
    return x, y, z


def _into(turn: Turn, v: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return a vector of the world in the rotated frame."""
    w, x, y, z = turn
    # v - 2 w (u x v) + 2 u x (u x v)
    a, b, c = y * v[2] - z * v[1], z * v[0] - x * v[2], x * v[1] - y * v[0]
    return (
        v[0] + 2.0 * (-w * a + y * c - z * b),
        v[1] + 2.0 * (-w * b + z * a - x * c),
        v[2] + 2.0 * (-w * c + x * b - y * a),
    )


def _time(imu: Imu, now_us: int) -> Data:
    return data.DeviceTime(imu.device_ns(now_us))


def _accel(imu: Imu, now_us: int) -> Data:
    del now_us
    x, y, z = imu.motion.accel
    return data.Vector(x / G, -y / G, -z / G)


def _gyro(imu: Imu, now_us: int) -> Data:
    del now_us
    return data.Vector(*attitude.turn_vector(*imu.motion.gyro))


def _mag(imu: Imu, now_us: int) -> Data:
    del now_us
    return data.Vector(*_into(imu.turn(), FIELD))


def _compensated(imu: Imu, now_us: int) -> Data:
    del now_us
    return data.FilteredVector(*attitude.turn_vector(*imu.motion.accel), 1)


def _linear(imu: Imu, now_us: int) -> Data:
    del now_us
    x, y, z = attitude.turn_vector(*imu.motion.accel)
    a, b, c = imu.down()
    return data.FilteredVector(x + a, y + b, z + c, 1)


def _quaternion(imu: Imu, now_us: int) -> Data:
    return data.Quaternion(*imu.turn(), int(imu.filter_state(now_us) == _AHRS))


def _euler(imu: Imu, now_us: int) -> Data:
    valid = int(imu.filter_state(now_us) == _AHRS)
    return data.Euler(*attitude.turn_euler(*imu.motion.rpy), valid)


_FIELDS: dict[int, dict[int, Callable[[Imu, int], Data]]] = {
    SENSOR: {
        data.ACCEL: _accel,
        data.GYRO: _gyro,
        data.MAG: _mag,
        data.OVERRANGE: lambda imu, now_us: data.Overrange(0),
        data.DEVICE_TIME: _time,
        data.TIME_STEP: lambda imu, now_us: data.DeviceTime(1_000_000),
    },
    ATTITUDE: {
        data.QUATERNION: _quaternion,
        data.EULER: _euler,
        data.LINEAR_ACCEL: _linear,
        data.ANGULAR_RATE: lambda imu, now_us: data.FilteredVector(
            *attitude.turn_vector(*imu.motion.gyro), 1
        ),
        data.COMPENSATED_ACCEL: _compensated,
        data.GRAVITY: lambda imu, now_us: data.FilteredVector(*imu.down(), 1),
        data.FILTER_STATUS: lambda imu, now_us: data.FilterStatus(imu.filter_state(now_us), 1, 0),
        data.DEVICE_TIME: _time,
        data.TIME_STEP: lambda imu, now_us: data.DeviceTime(1_000_000),
    },
}
