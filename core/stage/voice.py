"""The voice: a separate process that plays phrases at their time on the show clock."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from core.link import topics, wording
from core.link.catalogue import show as words
from core.link.client import Client
from core.link.sound import (
    SoundReport,
    VoiceCue,
    VoiceLibrary,
    VoiceLoad,
    VoiceMessage,
    VoiceMix,
    VoiceStop,
)
from core.link.statement import Statement
from core.run.launch import LaunchConfig
from core.run.lifeline import Lifeline
from core.stage.sound_file import Samples, read_parts
from devices.errors import DeviceError
from shows.document import Ducking

WAIT_S = 0.02  # for messages, between two looks at what else is due
HEARD_S = 0.001  # from a message's arrival to the request to the speaker
SERVICE_S = 0.1
REPORT_S = 0.2
MOST_DEVICES, LONGEST_NAME, LONGEST_TROUBLE = 64, 200, 500
PATIENCE_S = 0.25  # a phrase that is late by less is played from its beginning
FADE_S = 0.06  # fade-out at the end of the process


class SoundOutput(Protocol):
    """The interface of a speaker to the voice.

    Attributes:
        volume: master volume, 0 to 1.
        device: name of the chosen device; empty: the system's default.
        devices: names of the present devices.
        trouble: reason why there is no sound; empty if there is sound.
        worked: the chosen device has played sound.
    """

    volume: float
    device: str
    devices: tuple[str, ...]
    trouble: str
    worked: bool

    @property
    def rate_hz(self) -> int:
        """Sample rate [Hz]."""

    @property
    def delay_s(self) -> float:
        """Least time from a request to its sound; 0 in silence [s]."""

    def load(self, name: str, samples: npt.NDArray[np.floating[Any]]) -> None:
        """Keep a phrase ready to play."""

    def unload(self, name: str) -> None:
        """Drop a phrase."""

    def play(
        self,
        name: str,
        start_s: float,
        volume: float = 1.0,
        patience_s: float = 0.25,
        music: bool = False,
        offset_s: float = 0.0,
        length_s: float = 0.0,
        by_hand: bool = False,
    ) -> None:
        """Start a phrase or music, or a part of it, at a time on the monotonic clock [s]."""

    def duck(self, amount_db: float, attack_s: float, release_s: float) -> None:
        """Set how music is ducked under phrases."""

    def stop(self, by_hand: bool | None = None) -> None:
        """Fade out sounds and drop scheduled ones: by hand, the others, or all (None)."""

    def choose(self, device: str) -> None:
        """Select another device; an empty name selects the system's default."""

    def service(self) -> None:
        """Keep the stream open."""

    def close(self) -> None:
        """Close the stream."""


@dataclass(slots=True)
class Reading:
    """A phrase that is being read.

    Attributes:
        rest: parts that are not yet read.
        parts: parts that are read.
    """

    rest: Iterator[Samples]
    parts: list[Samples] = field(default_factory=list)


class Voice:
    """Carries out voice messages; loads phrases in parts, so that a step stays short.

    Args:
        speaker: plays the phrases.
        warn: takes statements for the event log.
        life: name of this process, unique for its lifetime.
    """

    def __init__(self, speaker: SoundOutput, warn: Callable[[Statement], None], life: str) -> None:
        self._speaker = speaker
        self._warn = warn
        self._life = life
        self._mix = VoiceMix()
        self._usual = speaker.device  # the device at the start
        self._library_s: float | None = None
        self._wanted: dict[str, str] = {}  # phrase to path, not yet loaded
        self._begun: dict[str, Reading] = {}  # partly loaded
        self._due: list[VoiceCue] = []  # cues of phrases that are not yet loaded
        self._ready: set[str] = set()
        self._reported = ""

    @property
    def busy(self) -> bool:
        """Phrases are not yet loaded."""
        return bool(self._wanted)

    def handle(self, message: VoiceMessage) -> None:
        """Carry out a message."""
        if isinstance(message, VoiceStop):
            meant = message.by_hand
            self._due = [cue for cue in self._due if meant not in (None, cue.by_hand)]
            self._speaker.stop(meant)
        elif isinstance(message, VoiceMix):
            self._take_mix(message)
        elif isinstance(message, VoiceLibrary):
            self._take(message)
        elif isinstance(message, VoiceLoad):
            self._load_beside(message)
        elif isinstance(message, VoiceCue):
            self._say(message)

    def load_part(self) -> None:
        """Load one part of a phrase; a phrase that is due goes first.

        A phrase that cannot be read is reported and skipped.
        """
        if not self._wanted:
            return
        name = self._due[0].phrase if self._due else next(iter(self._wanted))
        try:
            if name not in self._begun:
                path = Path(self._wanted[name])
                self._begun[name] = Reading(read_parts(path, self._speaker.rate_hz))
            reading = self._begun[name]
            part = next(reading.rest, None)
            if part is not None:
                reading.parts.append(part)
                return
            self._speaker.load(
                name, np.concatenate(reading.parts or [np.zeros((0, 1), np.float32)])
            )
            self._ready.add(name)
        except (OSError, RuntimeError, ValueError, ImportError, DeviceError) as error:
            self._warn(words.PHRASE_UNREADABLE(phrase=name, text=str(error)))
        del self._wanted[name]
        self._begun.pop(name, None)
        due = [cue for cue in self._due if cue.phrase == name]
        self._due = [cue for cue in self._due if cue.phrase != name]
        if name in self._ready:
            for cue in due:
                self._say(cue)

    def report(self) -> SoundReport:
        """Return the state of the sound.

        A machine without a sound device is reported once. Sound is lost if a device was chosen or
        has worked.
        """
        speaker = self._speaker
        lost = bool(speaker.trouble) and (speaker.worked or bool(speaker.device))
        if speaker.trouble and not lost and speaker.trouble != self._reported:
            self._reported = speaker.trouble
            self._warn(words.NO_SOUND(text=speaker.trouble))
        return SoundReport(
            life=self._life,
            device=speaker.device[:LONGEST_NAME],
            chosen=bool(self._mix.device),
            devices=tuple(name[:LONGEST_NAME] for name in speaker.devices[:MOST_DEVICES]),
            trouble=speaker.trouble[:LONGEST_TROUBLE],
            lost=lost,
            volume=self._mix.volume,
            muted=self._mix.muted,
            delay_s=min(speaker.delay_s + HEARD_S, 1.0) if speaker.delay_s else 0.0,
        )

    def _take_mix(self, mix: VoiceMix) -> None:
        """Apply volume and device."""
        if mix.device != self._mix.device:
            self._speaker.choose(mix.device or self._usual)
        self._mix = mix
        volume = 1.0 if mix.volume is None else mix.volume
        self._speaker.volume = 0.0 if mix.muted else volume

    def _take(self, library: VoiceLibrary) -> None:
        """Schedule the phrases of a library for loading, and drop all others."""
        if library.stamp_s == self._library_s:
            return  # the core repeats it for a voice that may be new
        self._library_s = library.stamp_s
        ducking: Ducking = library.ducking
        self._speaker.duck(ducking.amount_db, ducking.attack_s, ducking.release_s)
        for name in self._ready - library.paths.keys():
            self._speaker.unload(name)
        self._ready &= library.paths.keys()
        self._begun.clear()
        self._due.clear()
        self._wanted = dict(library.paths)  # loaded ones too: the file may have changed

    def _load_beside(self, sound: VoiceLoad) -> None:
        """Schedule a sound for loading that is not of the library."""
        self._ready.discard(sound.phrase)
        self._begun.pop(sound.phrase, None)
        self._speaker.unload(sound.phrase)
        self._due = [cue for cue in self._due if cue.phrase != sound.phrase]
        self._wanted[sound.phrase] = sound.path

    def _say(self, cue: VoiceCue) -> None:
        """Start a phrase, or note that it starts when it is loaded."""
        if cue.phrase in self._wanted:
            self._due.append(cue)
            return
        patience_s = 0.0 if cue.again else PATIENCE_S
        try:
            self._speaker.play(
                cue.phrase,
                cue.start_stamp_s,
                cue.volume,
                patience_s,
                cue.music,
                cue.offset_s,
                cue.length_s,
                cue.by_hand,
            )
        except DeviceError as error:
            self._warn(words.PHRASE_NOT_PLAYED(text=str(error)))


def run(config: LaunchConfig, lifeline: Lifeline, speaker: SoundOutput) -> int:
    """Run the voice until a request to end.

    Args:
        config: launch configuration.
        lifeline: ends the process.
        speaker: plays the phrases.

    Raises:
        LinkError: the core does not answer.
    """
    speaker.service()  # a new stream takes time to open
    with Client(
        config.endpoint, config.robot, "voice", timeout_s=30.0, give_up=lambda: lifeline.ended
    ) as client:

        def warn(said: Statement) -> None:
            client.publish(wording.event(None, "voice", said))

        woken = threading.Event()
        # Before the first report, which the core answers.
        inbox = client.subscribe(topics.VOICE, wake=woken)
        voice = Voice(speaker, warn, client.sender)
        next_service_s = next_report_s = 0.0
        reported: SoundReport | None = None
        while not lifeline.ended:
            client.beat()
            woken.clear()
            messages = inbox.poll()
            for message in messages:
                voice.handle(message)
            now_s = time.monotonic()
            if now_s >= next_service_s:
                next_service_s = now_s + SERVICE_S
                speaker.service()
            report = voice.report()
            if now_s >= next_report_s or report != reported:
                next_report_s, reported = now_s + REPORT_S, report
                client.publish(report)
            if voice.busy:
                voice.load_part()
            elif not messages:
                woken.wait(WAIT_S)
        speaker.stop()
        time.sleep(FADE_S)
        speaker.close()
    return 0
