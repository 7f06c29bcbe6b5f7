"""The robot's page in a CRSF handset's menu, with the text that its one line has no room for.

The page is read-only, because the radio link is not authenticated.
"""

from devices.families.crsf.wire import menu
from devices.families.crsf.wire.frame import Address, Type, addresses_of, kind_of
from devices.interface import HandsetScreen

_NAMES = ("Mode", "Battery", "Alarm")
_DEVICE = menu.Device("Footlight", 0x464F4F54, 0, 1, len(_NAMES), 0)
_FOR_ROBOT = (Address.BROADCAST, Address.ROBOT)


class Menu:
    """Answers the requests of the handset's menu."""

    def __init__(self) -> None:
        self._texts = ("", "", "")

    def show(self, screen: HandsetScreen) -> None:
        """Set the content of the page."""
        charge = f"{screen.charge:.0%} {screen.battery_v:.1f} V"
        self._texts = (screen.mode, charge, screen.alarm or "none")

    def answer(self, frame: bytes) -> bytes:
        """Return the reply to a checked frame; empty without one."""
        addresses = addresses_of(frame)
        if addresses is None or addresses[0] not in _FOR_ROBOT:
            return b""
        destination, kind = addresses[1], kind_of(frame)
        if kind == Type.PING:
            return menu.encode_device(_DEVICE, destination)
        asked = menu.decode_read(frame) if kind == Type.PARAMETER_READ else None
        if asked is None:
            return b""
        number, chunk = asked
        if number == 0:
            entry = menu.folder(0, _DEVICE.name, range(1, len(_NAMES) + 1))
        elif number <= len(_NAMES):
            entry = menu.info(0, _NAMES[number - 1], self._texts[number - 1])
        else:
            return b""
        return menu.encode_chunk(number, entry, chunk, destination)
