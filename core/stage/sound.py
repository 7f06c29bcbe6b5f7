"""The state of the sound in the core, for a voice process that starts or restarts."""

import math

import msgspec

from core.link.catalogue.safety import SOUND_TEXT, VOICE_GONE
from core.link.commands import Command, Mute, UseSound, Volume
from core.link.sound import SoundReport, VoiceLibrary, VoiceMessage, VoiceMix
from core.link.statement import Statement

SILENT_S = 1.0  # the voice reports five times a second


class Sound:
    """Owns the operators' settings, the loaded library, and the voice's last report."""

    def __init__(self) -> None:
        self._mix = VoiceMix()
        self._library: VoiceLibrary | None = None
        self._report: SoundReport | None = None
        self._heard_s = -math.inf

    def take(self, library: VoiceLibrary) -> VoiceMessage:
        """Take the library of another show; return the message for the voice."""
        self._library = library
        return library

    def order(self, command: Command) -> VoiceMessage | None:
        """Return the message for the voice after a command; None for other commands."""
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
        """Take a report of the voice; return the messages for a voice that has just started.

        Args:
            report: report of the voice.
            now_s: time on the host's monotonic clock [s].
        """
        other = self._report is None or report.life != self._report.life
        self._report, self._heard_s = report, now_s
        if not other:
            return ()
        return (self._mix,) if self._library is None else (self._mix, self._library)

    @property
    def delay_s(self) -> float:
        """Least time from a request to its sound [s]; 0 before the voice has reported."""
        return 0.0 if self._report is None else self._report.delay_s

    def trouble(self, now_s: float) -> Statement | None:
        """Return the reason for a loss of sound; None if sound works or is not requested.

        A voice process that has never reported is not missed.
        """
        report = self._report
        if report is None:
            return None
        if now_s - self._heard_s > SILENT_S:
            return VOICE_GONE()
        return SOUND_TEXT(text=report.trouble) if report.lost and report.trouble else None
