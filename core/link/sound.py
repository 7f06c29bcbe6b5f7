"""What the core tells the voice process, and what that reports of itself."""

from typing import Annotated, TypeAlias

import msgspec

from core.link.message import DeviceName, Inbound, Level, Outbound, Sender
from shows.document import Ducking


class SoundReport(Inbound, frozen=True):
    """The voice says how it is, some times a second.

    Attributes:
        life: name of the sending process, unique to its life.
        device: name of the chosen sound device; empty is the system's usual one.
        chosen: an operator has chosen it.
        devices: names of those that were there when sound was last opened.
        trouble: why there is no sound, one sentence; empty while there is.
        lost: the trouble is one that somebody should mend: a device was chosen, or had worked.
        volume: as an operator has set it, 0 to 1; None, which is full, while none has.
        muted: nothing is heard.
    """

    life: Sender
    device: DeviceName = ""
    chosen: bool = False
    devices: Annotated[tuple[DeviceName, ...], msgspec.Meta(max_length=64)] = ()
    trouble: Annotated[str, msgspec.Meta(max_length=500)] = ""
    lost: bool = False
    volume: Level | None = None
    muted: bool = False


class VoiceCue(Outbound, tag=True, frozen=True):
    """Say a phrase, or play music, at an exact time.

    Attributes:
        phrase: name of the phrase (the stem of its audio file).
        start_stamp_s: when its first sample shall sound, on the host's monotonic clock [s].
        volume: 0 to 1.
        music: it makes room for what is none.
        again: it has begun already, and is joined where it would be by now.
    """

    phrase: str
    start_stamp_s: float
    volume: float = 1.0
    music: bool = False
    again: bool = False


class VoiceStop(Outbound, tag=True, frozen=True):
    """Fade out whatever sounds."""


class VoiceLibrary(Outbound, tag=True, frozen=True):
    """The phrases of the loaded show.

    Attributes:
        stamp_s: when it was loaded, which tells this library from every other.
        paths: phrase to path of its audio file.
        ducking: how music makes room for phrases.
    """

    stamp_s: float
    paths: dict[str, str]
    ducking: Ducking = Ducking()


class VoiceMix(Outbound, tag=True, frozen=True):
    """What operators have set of the sound.

    Attributes:
        volume: of everything, 0 to 1; None, which is full, while none was set.
        muted: nothing is heard.
        device: name of the sound device; empty is the one that the core began with.
    """

    volume: float | None = None
    muted: bool = False
    device: str = ""


VoiceMessage: TypeAlias = VoiceCue | VoiceStop | VoiceLibrary | VoiceMix
