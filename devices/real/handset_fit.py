"""Selects the handset of a robot: one operator holds one, even if the lines allow more."""

from collections.abc import Mapping

from devices.families.crsf.handset import CrsfHandset
from devices.families.native_handset.handset import SOURCE, NativeHandset
from devices.families.native_handset.wire import RobotEnd
from devices.interface import Handset
from devices.real.port import Port
from devices.real.settings import Hardware


def handset_of(
    hardware: Hardware, ports: Mapping[str, Port], key: bytes | None = None
) -> Handset | None:
    """Return the native handset if its key is known, else the receiver's; None without one.

    Args:
        hardware: names their lines.
        ports: lines by name, not open yet.
        key: key of the native handset, see families/native_handset/key.py; None if there is none.

    Raises:
        WireError: the key has another length.
    """
    native, receiver = hardware.native_handset, hardware.receiver
    if native is not None and key is not None:
        return NativeHandset(ports[native.line], RobotEnd(key, SOURCE), native)
    if receiver is not None:
        return CrsfHandset(ports[receiver.line], receiver)
    return None
