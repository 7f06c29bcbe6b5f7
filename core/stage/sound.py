"""What the core remembers of the sound, so that a voice which comes, or comes again, is told."""

import math

import msgspec

from core.link.catalogue.safety import SOUND_TEXT, VOICE_GONE
from core.link.commands import Command, Mute, UseSound, Volume
from core.link.sound import SoundReport, VoiceLibrary, VoiceMessage, VoiceMix
from core.link.statement import Statement

SILENT_S = 1.0  # the voice says five times a second how it is


class Sound:
    """Owns what operators have set, the loaded library, and what the voice said last."""

    def __init__(self) -> None:
        self._mix = VoiceMix()
        self._library: VoiceLibrary | None = None
        self._report: SoundReport | None = None
        self._heard_s = -math.inf

    def take(self, library: VoiceLibrary) -> VoiceMessage:
        """Remember the library of another show; return what the voice shall be told."""
        self._library = library
        return library

    def order(self, command: Command) -> VoiceMessage | None:
        """Return what the voice shall be told of a command; None if it is not about sound."""
        if isinstance(command, Volume):
            self._mix = msgspec.structs.replace(self._mix, volume=command.level)
        elif isinstance(command, Mute):
            self._mix = msgspec.structs.replace(self._mix, muted=command.on)
        elif isinstance(command, UseSound):
            self._mix = msgspec.structs.replace(self._mix, device=command.device)
        else:
            return None
        return self._mix

    def hear(self, report: SoundReport, now_s: float) -> tuple[VoiceMessage, ...]:
        """Take what the voice says; return what it shall be told where it is another than before.

        Args:
            report: what it says.
            now_s: on the host's monotonic clock [s].
        """
        other = self._report is None or report.life != self._report.life
        self._report, self._heard_s = report, now_s
        if not other:
            return ()
        return (self._mix,) if self._library is None else (self._mix, self._library)

    def trouble(self, now_s: float) -> Statement | None:
        """Return why sound that worked, or was asked for, is lost; else None.

        A voice process that never reported is not missed.
        """
        report = self._report
        if report is None:
            return None
        if now_s - self._heard_s > SILENT_S:
            return VOICE_GONE()
        return SOUND_TEXT(text=report.trouble) if report.lost and report.trouble else None
