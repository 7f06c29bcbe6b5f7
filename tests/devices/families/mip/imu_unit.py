"""A 3DM-CV7-AHRS as far as a driver sees it, in virtual time."""

from devices.families.mip.wire import commands, data, packet, replies, sample
from devices.families.mip.wire.commands import Request
from devices.families.mip.wire.replies import DeviceInfo, Reply

INFO = DeviceInfo(1123, "3DM-CV7-AHRS", "6286-9999", "6286.123456", "-", "8g, 500d/s")
FACTORY_BAUD = 115_200


class Unit:
    """Answers commands and streams samples, until its power is cut."""

    def __init__(self) -> None:
        self.base_rate = 1000
        self.refused: dict[commands.Command, int] = {}
        self.deaf = 0  # requests that it does not answer
        self.asked: list[commands.Command] = []
        self.force = (0.0, 0.0, -9.80665)
        self.spin = (0.0, 0.0, 0.0)
        self.frozen = False
        self.overrange = 0
        self.switch_on()

    def switch_on(self) -> None:
        """Begin with the factory's settings."""
        self.baud = FACTORY_BAUD
        self.idle = False
        self.streams = False
        self.entries: dict[int, int] = {}
        self.device_ns = 0
        self._scanner = packet.scanner()
        self._count = 0

    def hear(self, sent: bytes) -> bytes:
        """Return what it answers."""
        answers = b""
        for found in self._scanner.feed(sent):
            for request in commands.requests(found):
                answers += self._obey(request)
        return answers

    def tick(self) -> bytes:
        """Let a millisecond pass and return what it streams."""
        self.device_ns += 1_000_000
        self._count += 1
        every = self.entries.get(data.ACCEL, 0)
        if self.idle or not self.streams or not every or self._count % every:
            return b""
        wobble = 0.0 if self.frozen else 1e-4 * (self._count % 7)
        fx, fy, fz = self.force
        force = (fx + wobble, fy, fz)
        seldom = self.entries.get(data.OVERRANGE, 0)
        if seldom and self._count % seldom == 0:
            in_g = data.Vector(*(value / sample.STANDARD_GRAVITY for value in force))
            return data.encode(
                data.SENSOR,
                {
                    data.DEVICE_TIME: data.DeviceTime(self.device_ns),
                    data.ACCEL: in_g,
                    data.GYRO: data.Vector(*self.spin),
                    data.OVERRANGE: data.Overrange(self.overrange),
                },
            )
        return sample.encode(force, self.spin, self.device_ns)

    def _obey(self, request: Request) -> bytes:
        command = request.command
        if self.deaf:
            self.deaf -= 1
            return b""
        self.asked.append(command)
        code = self.refused.get(command, 0 if request.known else 1)
        extra = b""
        if code == 0:
            arguments = request.arguments
            if command == commands.IDLE:
                self.idle = True
            elif command == commands.RESUME:
                self.idle = False
            elif command == commands.DEVICE_INFO:
                extra = replies.encode_device_info(INFO)
            elif command == commands.BASE_RATE:
                extra = replies.encode_base_rate(int(arguments[0]), self.base_rate)
            elif command == commands.MESSAGE_FORMAT:
                self.entries = dict(request.entries)
            elif command == commands.STREAM and arguments[1] == data.SENSOR:
                self.streams = bool(arguments[2])
            elif command == commands.BAUD_RATE:
                self.baud = int(arguments[2])
        return replies.encode(Reply(command, code), *((extra,) if extra else ()))
