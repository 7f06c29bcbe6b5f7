"""Twin of the radio receiver of a CRSF handset, and of that handset's screen."""

from devices.families.crsf.wire import frame as crsf
from devices.families.crsf.wire import packed, telemetry
from devices.families.crsf.wire.channels import Controls, Layout, write
from devices.families.crsf.wire.frame import Address, Type
from devices.families.crsf.wire.telemetry import LinkStatistics
from devices.twin.operator import Operator, Screen
from devices.twin.timing import TICK_US, is_due

CHANNELS_US = 20_000  # the full-resolution mode of 100 Hz
STATISTICS_US = 200_000
LOST_US = 2_500_000  # time for which a receiver still reports a link that was lost
_RF_MODE, _POWER = 10, 3


class Receiver:
    """Sends the handset's controls while it receives the handset, and link statistics.

    Attributes:
        screen: content of the handset's screen.
        asking: frames that the handset is to send to the robot, such as those of its menu.
        told: answers for the handset's menu (at most MOST_TOLD).
    """

    MOST_TOLD = 64
    asked = False  # it sends unsolicited

    def __init__(self, operator: Operator, layout: Layout, tick_us: int = TICK_US) -> None:
        """Switch the receiver on.

        Args:
            operator: operator of the handset.
            layout: channels of the controls.
            tick_us: tick of the twin [µs].
        """
        self._tick_us = tick_us
        self.screen = Screen()
        self.asking: list[bytes] = []
        self.told: list[bytes] = []
        self._operator = operator
        self._layout = layout
        self._scanner = crsf.scanner()
        self._heard_us = -LOST_US

    def take(self, data: bytes, now_us: int) -> None:
        """Pass bytes received from the line to the handset."""
        del now_us
        for checked in self._scanner.feed(data):
            if self._operator.present:
                self._show(checked)

    def _show(self, checked: bytes) -> None:
        screen, kind = self.screen, crsf.kind_of(checked)
        if kind == Type.FLIGHT_MODE:
            screen.lines["mode"] = telemetry.decode_flight_mode(checked)
            screen.updates += 1
        elif kind == Type.BATTERY:
            battery = telemetry.decode_battery(checked)
            if battery is not None:
                screen.battery_v = battery.volts
                screen.charge = battery.percent / 100.0
                screen.updates += 1
        elif crsf.addresses_of(checked) is not None and len(self.told) < self.MOST_TOLD:
            destination, _ = crsf.addresses_of(checked) or (0, 0)
            if destination in (Address.HANDSET, Address.BROADCAST, Address.TRANSMITTER):
                self.told.append(checked)

    def answer(self) -> bytes:
        """Return the replies to requests: none."""
        return b""

    def tell(self, now_us: int) -> bytes:
        """Return the bytes sent at an instant [µs]."""
        operator, told = self._operator, b""
        if operator.present and operator.link_quality:
            self._heard_us = now_us
            if is_due(now_us, CHANNELS_US, self._tick_us) and operator.heard(now_us // CHANNELS_US):
                controls = Controls(tuple(operator.sticks), operator.buttons, operator.dead_man)
                told = packed.encode(write(controls, self._layout))
            if self.asking:
                told += b"".join(self.asking)
                self.asking.clear()
        if is_due(now_us, STATISTICS_US, self._tick_us) and now_us - self._heard_us < LOST_US:
            quality = operator.link_quality if operator.present else 0
            rssi_dbm = -60 - (100 - quality) // 2
            link = LinkStatistics(
                rssi_dbm, rssi_dbm - 3, quality, 8, 0, _RF_MODE, _POWER, rssi_dbm, quality, 7
            )
            told += telemetry.encode_link_statistics(link)
        return told
