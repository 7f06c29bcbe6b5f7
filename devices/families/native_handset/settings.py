"""Settings of the native handset's radio module."""

from typing import Annotated

from msgspec import Meta

from devices.real.handset import Hertz, Pause, Silence
from devices.real.tables import Name, Table


class NativeHandset(Table, frozen=True):
    """The radio module of Footlight's own handset.

    Attributes:
        line: line that the module is connected to.
        key: path of the file with the key that this robot and its handset share; only root, or
            the core's user, may read it.
        rate_hz: inputs a second over a good link.
        lost_s: the longest silence [s].
        screen_s: period of the messages to the handset's screen [s].
        forged_hz: refused frames a second from which a fault is reported.
    """

    line: Name = "native_handset"
    key: str = "/etc/footlight/handset.key"
    rate_hz: Hertz = 50.0
    lost_s: Silence = 0.25
    screen_s: Pause = 0.2
    forged_hz: Annotated[int, Meta(ge=1, le=1000)] = 10
