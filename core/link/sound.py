"""Messages from the core to the voice process, and the voice's report."""

from typing import Annotated, TypeAlias

import msgspec

from core.link.message import DeviceName, Inbound, Level, Outbound, Sender
from shows.document import Ducking


class SoundReport(Inbound, frozen=True):
    """The state of the voice process, some times a second.

    Attributes:
        life: name of the sending process, unique for its lifetime.
        device: name of the chosen sound device; empty: the system's default.
        chosen: an operator has chosen the device.
        devices: names of the devices that were present when sound was last opened.
        trouble: reason why there is no sound, one sentence; empty if there is sound.
        lost: the trouble needs repair: a device was chosen, or had worked.
        volume: the volume that an operator has set, 0 to 1; None (full) before.
        muted: the sound is muted.
        delay_s: least time from a request to its sound [s].
    """

    life: Sender
    device: DeviceName = ""
    chosen: bool = False
    devices: Annotated[tuple[DeviceName, ...], msgspec.Meta(max_length=64)] = ()
    trouble: Annotated[str, msgspec.Meta(max_length=500)] = ""
    lost: bool = False
    volume: Level | None = None
    muted: bool = False
    delay_s: Level = 0.0


class VoiceCue(Outbound, tag=True, frozen=True):
    """Play a phrase or music at an exact time.

    Attributes:
        phrase: name of the phrase (the stem of its audio file).
        start_stamp_s: time of its first sample on the host's monotonic clock [s].
        volume: 0 to 1.
        music: it is music, which is ducked under phrases.
        again: it has begun already; playback joins at its present position.
        offset_s: time of the file that sounds first [s].
        length_s: how long it sounds, at most to the end of the file [s]; 0: to its end.
        by_hand: an operator requested it: it replaces another such sound, and no cue ends it.
    """

    phrase: str
    start_stamp_s: float
    volume: float = 1.0
    music: bool = False
    again: bool = False
    offset_s: float = 0.0
    length_s: float = 0.0
    by_hand: bool = False


class VoiceLoad(Outbound, tag=True, frozen=True):
    """Load the sound of an earlier take beside the library; it replaces the one before.

    Attributes:
        phrase: its name, which no phrase of a show has.
        path: path of its file.
    """

    phrase: str
    path: str


class VoiceStop(Outbound, tag=True, frozen=True):
    """Fade out sounds.

    Attributes:
        by_hand: those that operators requested, or the others; None: all.
    """

    by_hand: bool | None = None


class VoiceLibrary(Outbound, tag=True, frozen=True):
    """The phrases of the loaded show.

    Attributes:
        stamp_s: time of loading, which identifies this library.
        paths: phrase to path of its audio file.
        ducking: how music is ducked under phrases.
    """

    stamp_s: float
    paths: dict[str, str]
    ducking: Ducking = Ducking()


class VoiceMix(Outbound, tag=True, frozen=True):
    """The operators' settings of the sound.

    Attributes:
        volume: master volume, 0 to 1; None (full) before it is set.
        muted: the sound is muted.
        device: name of the sound device; empty: the device at the start of the core.
    """

    volume: float | None = None
    muted: bool = False
    device: str = ""


VoiceMessage: TypeAlias = VoiceCue | VoiceLoad | VoiceStop | VoiceLibrary | VoiceMix
EARLIER = "earlier take"
"""Name of the sound of an earlier take; the space keeps it apart from the phrases of a show."""
