"""Twin of the native handset behind its radio module."""

from devices.families.boards.wire.layout import Kind
from devices.families.native_handset.messages import HandsetInput
from devices.families.native_handset.wire import HandsetEnd
from devices.twin.operator import Operator, Screen
from devices.twin.timing import TICK_US, is_due
from devices.wire.frame import FrameStream

SOURCE = 0x70
INPUT_US = 20_000
HELLO_US = 200_000
LOST_US = 1_000_000  # without a screen for this time it requests a new session


class NativeHandset:
    """Requests a session, then sends the operator's controls.

    Attributes:
        screen: content of its screen.
    """

    asked = False  # it sends unsolicited

    def __init__(self, operator: Operator, key: bytes, boot: int, tick_us: int = TICK_US) -> None:
        """Switch the handset on.

        Args:
            operator: operator who holds it.
            key: key of the robot (32 bytes).
            boot: random number of this start.
            tick_us: tick of the twin [µs].
        """
        self._tick_us = tick_us
        self.screen = Screen()
        self._operator = operator
        self._end = HandsetEnd(key, SOURCE, boot)
        self._stream = FrameStream()
        self._heard_us = -LOST_US

    def take(self, data: bytes, now_us: int) -> None:
        """Process the bytes received by radio at a time [µs]."""
        for frame in self._stream.feed(data):
            if not self._operator.present:
                continue
            if frame.kind == Kind.HANDSET_CHALLENGE:
                if self._end.begin(frame):
                    self._heard_us = now_us
            elif frame.kind == Kind.HANDSET_SCREEN:
                shown = self._end.screen(frame)
                if shown is not None:
                    self._heard_us = now_us
                    self.screen.lines = {"mode": shown.mode, "alarm": shown.alarm}
                    self.screen.charge = shown.charge
                    self.screen.severity = shown.severity
                    self.screen.updates += 1

    def answer(self) -> bytes:
        """Return the replies to requests: none."""
        return b""

    def tell(self, now_us: int) -> bytes:
        """Return the bytes sent at an instant [µs]."""
        operator, sent = self._operator, b""
        if not operator.present or not operator.link_quality:
            return sent
        t_us = now_us & 0xFFFFFFFF
        if is_due(now_us, HELLO_US, self._tick_us) and now_us - self._heard_us >= LOST_US:
            sent = self._end.hello(t_us).encode()
        if is_due(now_us, INPUT_US, self._tick_us):
            x, y, z, w = operator.sticks
            controls = HandsetInput(
                operator.buttons, (x, y, z, w), operator.dead_man, operator.battery_v
            )
            frame = self._end.send(controls, t_us)
            if frame is not None and operator.heard(now_us // INPUT_US):
                sent += frame.encode()
        return sent
