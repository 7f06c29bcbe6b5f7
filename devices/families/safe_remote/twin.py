"""Twin of the wireless stop's vehicle controller: heartbeat, sticks, relay, handset's display."""

from devices.families.boards.twin.supervisor import StopChain
from devices.families.safe_remote import wire
from devices.families.safe_remote.wire import Heartbeat, Mode, Type
from devices.twin.operator import Operator, Screen
from devices.twin.timing import TICK_US, is_due

HEARTBEAT_US = 50_000
JOYSTICK_US = 20_000
LINK_LOST_US = 500_000  # delay of its relay
_BY_HANDSET, _BY_CONTROLLER, _BY_US = 1 << 0, 1 << 2, 1 << 6


class SafeRemote:
    """Reports the sources of a stop, and opens its relay itself.

    Attributes:
        screen: content of its handset's display.
        mode: reported mode; None for the actual one.
    """

    asked = False  # it sends unsolicited

    def __init__(self, operator: Operator, chain: StopChain, tick_us: int = TICK_US) -> None:
        """Switch the vehicle controller on.

        Args:
            operator: operator who holds the handset.
            chain: E-stop channels that its relay belongs to.
            tick_us: tick of the twin [µs].
        """
        self._tick_us = tick_us
        self.screen = Screen()
        self.mode: Mode | None = None
        self._operator = operator
        self._chain = chain
        self._scanner = wire.scanner()
        self._stopped_by_us = False
        self._heard_us = 0

    def take(self, data: bytes, now_us: int) -> None:
        """Process the bytes received from the line."""
        del now_us
        for checked in self._scanner.feed(data):
            kind = wire.kind_of(checked)
            if kind == Type.OUR_HEARTBEAT:
                self._stopped_by_us = wire.decode_our_heartbeat(checked)
            elif kind == Type.TEXT and self._operator.remote:
                row = wire.decode_text(checked)
                if row is not None and row[0] in wire.ROWS:
                    self.screen.lines[f"row {wire.ROWS.index(row[0])}"] = row[1]
                    self.screen.updates += 1
            elif kind == Type.FEEDBACK and self._operator.remote:
                figure = wire.decode_feedback(checked)
                if figure is not None:
                    self.screen.lines[f"figure {figure[0]}"] = str(figure[1])
                    self.screen.updates += 1

    def answer(self) -> bytes:
        """Return the replies to requests: none."""
        return b""

    def _stop_word(self, now_us: int) -> int:
        operator = self._operator
        if operator.remote:
            self._heard_us = now_us
        lost = now_us - self._heard_us > LINK_LOST_US
        word = _BY_HANDSET if operator.stop else 0
        word |= _BY_CONTROLLER if lost else 0
        return word | (_BY_US if self._stopped_by_us else 0)

    def tell(self, now_us: int) -> bytes:
        """Return the bytes sent at an instant [µs], and switch its relay."""
        word, sent = self._stop_word(now_us), b""
        self._chain.wireless = word == 0
        operator = self._operator
        if is_due(now_us, HEARTBEAT_US, self._tick_us):
            mode = Mode.SEARCHING if word & _BY_CONTROLLER else Mode.OPERATIONAL
            sent = wire.encode_heartbeat(Heartbeat(self.mode or mode, 0, word))
        if is_due(now_us, JOYSTICK_US, self._tick_us) and operator.remote:
            x, y, z, w = operator.sticks
            sent += wire.encode_joystick((x, y, 0.0, z, w, 0.0), operator.buttons & 0xFF)
        return sent
